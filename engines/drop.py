"""Exports drop tests to MuJoCo and LAMMPS with `carom drop … --export` and measures the height of the bounces there.

In MuJoCo the ball falls from the measured heights on the floor of the exported model, under gravity, with the exported step, and
the highest point after the bounce is compared with the measured bounce. The touch may fall anywhere within a step, so the mean
over drops whose heights differ by less than the path of one step is used. In LAMMPS the exported impact is run at the speed of
every drop, from several distances, and the height follows from the rebound speed.

The exit status is 1 if a height has an error above 1 % although carom states that the engine can deliver it, or if carom states
that it cannot without giving the reason. `make test-engines` calls this program in the environment of the engines.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import mujoco

CAROM = os.environ.get("CAROM", "target/debug/carom")
G = 9.80665
PHASES = 8
# Name, measured values, step.
TESTS = [
    ("steel ball on steel, 50 mm", "--drop 50mm --bounce 32mm --mass 67.4g --contact-time 110us", "--steps 20"),
    ("rubber ball, one height", "--drop 1m --bounce 0.64m --mass 58g --contact-time 5ms", "--steps 20"),
    ("no time of contact, step of 0.2 ms", "--drop 0.5m --bounce 0.18m --mass 0.1kg", "--steps 20 --step 0.2ms"),
    ("same restitution at three heights", "--drop 0.25,0.5,1m --bounce 0.16,0.32,0.64m --mass 0.1kg --contact-time 2ms", "--steps 30"),
    ("restitution that falls with speed", "--drop 0.1,0.4,1.6m --bounce 0.081,0.29,0.98m --mass 0.1kg --contact-time 2ms", "--steps 30"),
]


def export_fit(engine, measured, step):
    flags = ["--height-error", "1mm", "--gravity", str(G), "--export", engine, "--json"]
    command = [CAROM, "drop", *measured.split(), *step.split(), *flags]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["engine_input"]


def in_mujoco(text, drop):
    """Returns the mean height of the bounce after a fall from a height, over phases of the touch within a step."""
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.gravity[2] = -G
    step, speed = model.opt.timestep, (2 * G * drop) ** 0.5
    heights = []
    for phase in range(PHASES):
        data = mujoco.MjData(model)
        radius = float(model.geom("ball").size[0])
        data.qpos[2] = radius + drop + (phase + 0.5) / PHASES * speed * step
        data.qvel[:] = 0
        # Fall, contact, and rise to the highest point.
        top, risen = 0.0, False
        for _ in range(int(2.2 * (2 * drop / G) ** 0.5 / step) + 1000):
            mujoco.mj_step(model, data)
            risen |= data.qvel[2] > 0
            if risen:
                top = max(top, float(data.qpos[2]) - radius)
                if data.qvel[2] < 0:
                    break
        heights.append(top)
    return sum(heights) / PHASES


def in_lammps(text, exported_speed, speed):
    """Returns the mean height after an impact at this speed with the law as exported, over phases of the touch within a step."""
    step = float(re.search(r"(?m)^timestep\s+(\S+)", text)[1])
    heights = []
    for phase in range(PHASES):
        away = (phase + 0.5) / PHASES * step * 0.5 * speed
        deck = with_number_changed(text, r"(velocity\s+left\s+set\s+)(\S+)", lambda _: 0.5 * speed)
        deck = with_number_changed(deck, r"(velocity\s+right\s+set\s+)(\S+)", lambda _: -0.5 * speed)
        deck = with_number_changed(deck, r"(create_atoms\s+1\s+single\s+)(-\S+)", lambda x: x - away)
        deck = with_number_changed(deck, r"(create_atoms\s+1\s+single\s+)([^-\s]\S*)", lambda x: x + away)
        # A slower impact may last longer than the exported run.
        deck = re.sub(r"(?m)^(run\s+)(\d+)", lambda found: found[1] + str(3 * int(found[2])), deck)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "in.lmp")
            with open(path, "w", encoding="utf-8") as file:
                file.write(deck)
            program = shutil.which("lmp") or os.path.join(os.path.dirname(sys.executable), "lmp")
            done = subprocess.run([program, "-in", path, "-log", "none"], capture_output=True, text=True, cwd=folder)
        found = re.findall(r"^restitution (\S+)", done.stdout, re.M)
        if not found:
            raise SystemExit(f"LAMMPS did not finish:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        # The restitution printed by the input is relative to the speed for which it was exported.
        heights.append((float(found[-1]) * exported_speed) ** 2 / (2 * G))
    return sum(heights) / PHASES


def with_number_changed(text, pattern, change):
    """Returns the text with one number changed."""
    text, count = re.subn(pattern, lambda found: f"{found[1]}{change(float(found[2]))!r}", text)
    assert count == 1, f"{pattern} is {count} times in the exported input"
    return text


def main():
    failed = False
    print(f"{'drop test':36}  {'engine':7}  {'drop m':>7}  {'measured':>9}  {'carom':>9}  {'engine':>9}  {'error':>8}")
    for name, measured, step in TESTS:
        for engine in ("mujoco", "lammps"):
            found = export_fit(engine, measured, step)
            deck = found["export"]
            cannot = [note["message"] for note in found["notes"] if note["kind"] == "one_speed"]
            for bounce in found["bounces"]:
                drop = bounce["speed"] ** 2 / (2 * G)
                if engine == "mujoco":
                    xml = next(file["text"] for file in deck["files"] if file["name"].endswith(".xml"))
                    height = in_mujoco(xml, drop)
                else:
                    exported_speed = float(re.search(r"/(\S+)$", re.search(r"variable\s+restitution.*", deck["text"])[0])[1])
                    height = in_lammps(deck["text"], exported_speed, bounce["speed"])
                against = height / bounce["height_measured"] - 1
                foretold = height / bounce["height_delivered"] - 1
                bad = abs(foretold) > 0.01 or (abs(against) > max(0.01, 2 * bounce["height_doubt"]) and not cannot)
                failed |= bad
                print(
                    f"{name:36}  {engine:7}  {drop:7.3f}  {1e3 * bounce['height_measured']:6.1f} mm  "
                    f"{1e3 * bounce['height_delivered']:6.1f} mm  {1e3 * height:6.1f} mm  {100 * against:+7.2f} %{'  WRONG' if bad else ''}"
                )
            for sentence in cannot:
                print(f"  {sentence}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
