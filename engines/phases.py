"""Runs what `carom export --to mujoco --steps N` writes in MuJoCo at many phases of the touch within a step.

The damping of such an export is chosen so that the restitution asked for is the mean over the phases, and the export states
how far a single impact may be off. Exit status 1 where MuJoCo's mean is further off than 1e-5, or one impact is off by more than that
bound. `make test-engines` calls this in the environment of the engines.
"""

import json
import os
import subprocess
import sys

import mujoco

CAROM = os.environ.get("CAROM", "target/debug/carom")
PHASES = 64
CASE = "--law kelvin-voigt-1865 --mass 1 --stiffness 1e6 --exponent 1 --speed 1 --calibration exact --exit force"


def delivered(model, phase, steps):
    """The restitution of an impact at 1 m/s that begins at this phase of a step."""
    data = mujoco.MjData(model)
    data.qpos[2] += phase * model.opt.timestep
    data.qvel[2] = -1.0
    for _ in range(2 * steps + 10):
        mujoco.mj_step(model, data)
    return float(data.qvel[2])


def main():
    failed = False
    print("restitution  steps  mean error  worst error  stated")
    for restitution in (0.05, 0.3, 0.7568, 0.9):
        for steps in (10, 20, 50):
            flags = [*CASE.split(), "--restitution", str(restitution), "--steps", str(steps), "--json"]
            command = [CAROM, "export", "--to", "mujoco", *flags]
            deck = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            xml = next(file["text"] for file in deck["files"] if file["name"].endswith(".xml"))
            model = mujoco.MjModel.from_xml_string(xml)
            errors = [delivered(model, (i + 0.5) / PHASES, steps) / restitution - 1 for i in range(PHASES)]
            mean, worst, stated = sum(errors) / PHASES, max(map(abs, errors)), deck["step"]["restitution_error"]
            failed |= abs(mean) > 1e-5 or worst > stated
            print(f"{restitution:<11}  {steps:<5}  {mean:+10.1e}  {worst:11.5f}  {stated:.5f}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
