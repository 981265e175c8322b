"""Runs what `carom export --steps N` writes in MuJoCo and PyBullet at many phases of the touch within a step.

The damping of such an export is chosen so that the restitution asked for is the mean over the phases, and the export states
how far a single impact may be off. Exit status 1 where the mean is further off than 1e-5, or one impact is off by more than that
bound. `make test-engines` calls this in the environment of the engines.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys

import mujoco

CAROM = os.environ.get("CAROM", "target/debug/carom")
PHASES = 64
CASE = "--law kelvin-voigt-1865 --mass 1 --stiffness 1e6 --exponent 1 --speed 1 --calibration exact --exit force"


def in_mujoco(deck, phase, steps):
    """The restitution of an impact at 1 m/s that begins at this phase of a step."""
    xml = next(file["text"] for file in deck["files"] if file["name"].endswith(".xml"))
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qpos[2] += phase * model.opt.timestep
    data.qvel[2] = -1.0
    for _ in range(2 * steps + 10):
        mujoco.mj_step(model, data)
    return float(data.qvel[2])


def in_pybullet(deck, phase, steps):
    """The same, with the script as it is written but for the height at the start and the number of steps."""
    script = deck["files"][0]["text"]
    start = re.search(r"basePosition=\[0, 0, ([^\]]+)\]", script)
    script = script.replace(start[0], f"basePosition=[0, 0, {float(start[1]) + phase * deck['step']['size']!r}]")
    script = re.sub(r"range\(\d+\)", f"range({2 * steps + 10})", script)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "impact_pybullet.py", "exec"), {})
    return json.loads(printed.getvalue().splitlines()[-1])["restitution"]


# The implicit steps of Bullet damp by themselves: with few steps it delivers no high restitution.
ENGINES = {"mujoco": (in_mujoco, (10, 20, 50)), "pybullet": (in_pybullet, (20, 50, 200))}


def main():
    failed = False
    print("engine    restitution  steps  mean error  worst error  stated")
    for engine, (delivered, numbers) in ENGINES.items():
        for restitution in (0.05, 0.3, 0.7568, 0.9):
            for steps in numbers:
                flags = [*CASE.split(), "--restitution", str(restitution), "--steps", str(steps), "--json"]
                command = [CAROM, "export", "--to", engine, *flags]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    print(f"{engine:<8}  {restitution:<11}  {steps:<5}  {done.stderr.strip()}")
                    continue
                deck = json.loads(done.stdout)
                errors = [delivered(deck, (i + 0.5) / PHASES, steps) / restitution - 1 for i in range(PHASES)]
                mean, worst, stated = sum(errors) / PHASES, max(map(abs, errors)), deck["step"]["restitution_error"]
                failed |= abs(mean) > 1e-5 or worst > stated
                print(f"{engine:<8}  {restitution:<11}  {steps:<5}  {mean:+10.1e}  {worst:11.5f}  {stated:.5f}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
