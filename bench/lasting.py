"""Lasting contact: costs of bodies at rest, stacks and piles, and of MuJoCo on the same piles.

    cargo build --release -p carom-world --example lasting_contact
    python bench/lasting.py target/release/examples/lasting_contact [--before OTHER] [--record bench/LASTING.md]
        [--piles COUNT] [--first SEED]

OTHER is the same program of an earlier commit, which runs alternately with this one, scene by scene. Piles are made from seeds,
beginning with SEED (0); OTHER runs the first 20. MuJoCo is included if this Python has it (`pip install mujoco`). Times are
processor times of one core; for runs below a second, the least of five.
"""

import argparse
import json
import math
import pathlib
import random
import re
import subprocess
import tempfile
import time

HEADING = "## Last run"
TOLERANCE = 1e-6
LIMIT = 10
PILES = 50
PILES_BEFORE = 20
DURATION = 0.6
# Steps of MuJoCo (s); the last one is its own reference.
STEPS = [2e-3, 5e-4, 1e-4, 2e-5]

SIZES = {
    "sphere": "radius = 0.04",
    "ellipsoid": "semi_axes = [0.06, 0.03, 0.04]",
    "cylinder": "radius = 0.04\nlength = 0.07",
    "capsule": "radius = 0.03\nlength = 0.08",
    "box": "size = [0.1, 0.06, 0.08]",
}
# The same sizes for MuJoCo, which uses half lengths.
MUJOCO = {
    "sphere": "0.04",
    "ellipsoid": "0.06 0.03 0.04",
    "cylinder": "0.04 0.035",
    "capsule": "0.03 0.04",
    "box": "0.05 0.03 0.04",
}


def head(duration, tolerance=TOLERANCE):
    return f"simulation = {{ duration = {duration}, gravity = 9.81, tolerance = {tolerance} }}\n"


def ball():
    return head(3600) + """
        ground = { youngs = "1 GPa", poisson = 0.3 }
        body = [{ name = "ball", shape = "sphere", radius = 0.02, youngs = "1 GPa", poisson = 0.3, density = 1000,
            position = [0, 0, 0.03] }]
        contact = [{ between = ["ball", "ground"], law = "tsuji-1992", restitution = 0.5 }]
        """


def stack(stiffness, restitution, friction, height, lean, law="kelvin-voigt-1865", exponent=1):
    """Returns a scene with five boxes that fall by `height` each, every second one displaced by `lean`."""
    text = head(10)
    for i in range(5):
        x, z = (lean if i % 2 == 0 else -lean), 0.05 + 0.1 * i + height * (i + 1)
        below = "ground" if i == 0 else f"b{i - 1}"
        text += f"""
            [[body]]
            name = "b{i}"
            shape = "box"
            size = [0.1, 0.1, 0.1]
            density = 1000
            position = [{x}, 0, {z}]
            [[contact]]
            between = ["b{i}", "{below}"]
            law = "{law}"
            stiffness = {stiffness}
            exponent = {exponent}
            restitution = {restitution}
            calibration = "exact"
            friction = {{ {friction} }}
            """
    return text


def solids(seed):
    """Returns five random solids above each other: shape, position, axis and angle, spin."""
    draw = random.Random(seed)
    found = []
    for i in range(5):
        kind = draw.choice(sorted(SIZES))
        axis = [draw.gauss(0, 1) for _ in range(3)]
        place = [draw.uniform(-0.03, 0.03), draw.uniform(-0.03, 0.03), 0.1 + 0.14 * i]
        found.append((kind, place, axis, draw.uniform(0, 3), [draw.gauss(0, 3) for _ in range(3)]))
    return found


def pile(seed, tolerance=TOLERANCE):
    text = head(DURATION, tolerance)
    for i, (kind, place, axis, angle, spin) in enumerate(solids(seed)):
        text += f"""
            [[body]]
            name = "b{i}"
            shape = "{kind}"
            {SIZES[kind]}
            density = 1500
            position = {place}
            spin = {spin}
            rotation = {{ axis = {axis}, angle = {angle} }}
            """
    for i in range(5):
        for other in ["ground"] + [f"b{j}" for j in range(i)]:
            text += f"""
            [[contact]]
            between = ["b{i}", "{other}"]
            law = "kelvin-voigt-1865"
            stiffness = 1e6
            exponent = 1
            restitution = 0.5
            calibration = "exact"
            friction = {{ coefficient = 0.4 }}
            """
    return text


def beside_a_mechanism(awake):
    """Returns a scene with three boxes at rest beside a pendulum; with `awake` a drag of zero keeps them awake."""
    text = head(10) + """
        [[body]]
        name = "bob"
        shape = "sphere"
        radius = 0.02
        density = 8000
        position = [1, 0, 0.6]
        [[joint]]
        name = "hinge"
        kind = "revolute"
        between = ["bob", "ground"]
        point = [1.2, 0, 0.6]
        axis = [0, 1, 0]
        """
    for i in range(3):
        below = "ground" if i == 0 else f"b{i - 1}"
        text += f"""
            [[body]]
            name = "b{i}"
            shape = "box"
            size = [0.1, 0.1, 0.1]
            density = 1000
            position = [0, 0, {0.05 + 0.1 * i}]
            [[contact]]
            between = ["b{i}", "{below}"]
            law = "kelvin-voigt-1865"
            stiffness = 1e6
            exponent = 1
            restitution = 0.4
            calibration = "exact"
            friction = {{ coefficient = 0.5 }}
            """
        if awake:
            text += f"""
            [[drag]]
            body = "b{i}"
            linear = 0
            """
    return text


# Laws of the balls that bounce separately.
LAWS = ["hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011", "tsuji-1992", "gonthier-2004"]
BALLS = 20


def bouncing_balls(which):
    """Returns a scene with balls side by side that fall from different heights, with different laws."""
    text = head(2)
    for i in which:
        text += f"""
            [[body]]
            name = "ball{i}"
            shape = "sphere"
            radius = 0.02
            density = 2000
            position = [{0.1 * i}, 0, {0.05 + 0.013 * i}]
            [[contact]]
            between = ["ball{i}", "ground"]
            law = "{LAWS[i % 5]}"
            stiffness = {1e7 * (1 + 0.3 * (i % 7))}
            exponent = 1.5
            restitution = {0.6 + 0.015 * i}
            """
    return text


SCENES = {
    "ball that falls 1 cm and rests, an hour": ball(),
    "five boxes dropped by 1 mm, springs, 10 s": stack(1e6, 0.5, "coefficient = 0.5", 1e-3, 0),
    "five boxes laid down, springs, 10 s": stack(1e6, 0.5, "coefficient = 0.5", 0, 0),
    "five boxes laid down, Hertz, 10 s": stack(1e8, 0.5, "coefficient = 0.5", 0, 0, "hunt-crossley-1975", 1.5),
    "five boxes that lean, regularised friction, 10 s": stack(
        5e5, 0.3, 'law = "regularised", coefficient = 0.5, speed = 1e-3', 1e-5, 5e-3
    ),
    "three boxes asleep beside a pendulum, 10 s": beside_a_mechanism(awake=False),
    "the same, kept awake": beside_a_mechanism(awake=True),
}
# Scenes of the library with impacts, and mechanisms, in which no body comes to rest.
LIBRARY = ["bouncing-ball", "ball-in-socket", "oblique-impact", "newtons-cradle", "rocking-block", "four-bar", "slider-crank"]


def run(program, texts):
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, text in enumerate(texts):
            files.append(pathlib.Path(folder) / f"{i}.toml")
            files[-1].write_text("\n".join(line.strip() for line in text.splitlines()))
        done = subprocess.run([program, "--limit", str(LIMIT), *files], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def run_alternately(programs, texts):
    """Runs each program on each text, alternately; returns the fastest of five for short runs."""
    found = [[] for _ in programs]
    for text in texts:
        ones = [run(program, [text])[0] for program in programs]
        for _ in range(4):
            for i, program in enumerate(programs):
                if ones[i].get("seconds", 1) < 1:
                    ones[i] = min(ones[i], run(program, [text])[0], key=lambda one: one["seconds"])
        for results, one in zip(found, ones):
            results.append(one)
    return found


def range_text(found):
    if "error" in found:
        return "fails"
    if not found["finished"]:
        return f"> {LIMIT} s (t = {found['time']:.3g} s)"
    # The clock of a thread advances in discrete ticks.
    return f"{found['seconds']:.3g} s" if found["seconds"] >= 0.01 else "< 0.01 s"


def scenes(program, before, out):
    out.append("### Rest and stacks\n")
    columns = ["scene", "time", "steps", "evaluations", "ledger error"] + (["time before", "steps before", "ledger before"] if before else [])
    out.append("| " + " | ".join(columns) + " |\n|---" + "|---:" * (len(columns) - 1) + "|")
    found = run_alternately([program] + ([before] if before else []), SCENES.values())
    now, old = found if before else (found[0], [None] * len(SCENES))
    for name, one, two in zip(SCENES, now, old):
        row = [name, range_text(one), f"{one['steps']}", f"{one['evaluations']}", f"{one['ledger']:.0e} J"]
        if two:
            row += [range_text(two), f"{two.get('steps', '')}", f"{two['ledger']:.0e} J" if "ledger" in two else ""]
        out.append("| " + " | ".join(row) + " |")


def compare_separately(program, before, out):
    """Compares balls that bounce side by side with the same balls alone. Evaluations are counted for each body."""
    out.append(f"\n### {BALLS} balls that bounce separately, 2 s\n")
    out.append("| | steps | evaluations of a body | time | ledger error |\n|---|---:|---:|---:|---:|")
    alone = run_alternately([program], [bouncing_balls([i]) for i in range(BALLS)])[0]
    together = run_alternately([program] + ([before] if before else []), [bouncing_balls(range(BALLS))])
    for name, one in zip(["together", "together, before"], (results[0] for results in together)):
        # In versions that did not count evaluations for each body, steps were common to all bodies.
        count = one.get("body_evaluations", BALLS * one["evaluations"])
        out.append(f"| {name} | {one['steps']} | {count} | {range_text(one)} | {one['ledger']:.0e} J |")
    sums = [sum(one[key] for one in alone) for key in ("steps", "evaluations", "seconds")]
    largest = max(abs(one["ledger"]) for one in alone)
    out.append(f"| each alone, sum | {sums[0]} | {sums[1]} | {sums[2]:.3g} s | at most {largest:.0e} J |")
    pairs = zip(together[0][0]["positions"], alone)
    apart = max(abs(a - b) for one, two in pairs for a, b in zip(one, two["positions"][0]))
    out.append(f"\nPlaces at the end differ by {apart:.0e} m at most.")


def impacts(program, before, out):
    """Compares the costs of impacts and mechanisms with those of the earlier version."""
    out.append("\n### Impacts and mechanisms\n")
    columns = ["scene", "steps", "evaluations", "time"] + (["steps before", "evaluations before", "time before"] if before else [])
    out.append("| " + " | ".join(columns) + " |\n|---" + "|---:" * (len(columns) - 1) + "|")
    folder = pathlib.Path(__file__).parent.parent / "scenes"
    # The sliders of the lab are removed, because earlier versions do not know this key; they do not affect the run.
    without = lambda text: re.sub(r"\[\[control\]\]\n([^\[].*\n|\n)*", "", text)
    texts = [without((folder / f"{name}.toml").read_text()) for name in LIBRARY]
    found = run_alternately([program] + ([before] if before else []), texts)
    for i, name in enumerate(LIBRARY):
        row = [name]
        for one in (results[i] for results in found):
            row += ["fails"] * 3 if "error" in one else [f"{one['steps']}", f"{one['evaluations']}", range_text(one)]
        out.append("| " + " | ".join(row) + " |")


def piles(program, before, count, first, out):
    out.append(f"\n### {count} random piles of five solids, {DURATION} s\n")
    out.append("Seeds from " + f"{first} to {first + count - 1}.\n")
    for name, which, count in [("now", program, count)] + ([("before", before, min(count, PILES_BEFORE))] if before else []):
        found = run(which, [pile(seed) for seed in range(first, first + count)])
        failed = sum("error" in one for one in found)
        finished = [one for one in found if "error" not in one]

        def spread(key):
            values = sorted(one[key] for one in finished)
            at = lambda share: values[min(int(share * len(values)), len(values) - 1)]
            return [at(share) for share in (0.5, 0.9, 0.99, 1.0)]

        times, evaluations = spread("seconds"), spread("evaluations")
        slow = sum(one["seconds"] > 1 for one in finished)
        out.append(
            f"- {name}, {count} piles: time (median, 90 %, 99 %, slowest) {' / '.join(f'{t:.3g}' for t in times)} s, {slow} over 1 s, "
            f"{sum(not one['finished'] for one in finished)} not finished after {LIMIT} s, {failed} failed; "
            f"evaluations {' / '.join(f'{n}' for n in evaluations)}; largest error of the ledger "
            f"{max(abs(one['ledger']) for one in finished):.0e} J"
        )


def mujoco_model(mujoco, seed, step):
    import numpy

    bodies = ""
    for kind, place, axis, angle, _ in solids(seed):
        size = math.sqrt(sum(x * x for x in axis))
        half = angle / 2
        turn = [math.cos(half), *[math.sin(half) * x / size for x in axis]]
        text = lambda numbers: " ".join(f"{x:.17g}" for x in numbers)
        bodies += (
            f'<body pos="{text(place)}" quat="{text(turn)}"><freejoint/>'
            f'<geom type="{kind}" size="{MUJOCO[kind]}" density="1500" friction="0.4 0 0"/></body>'
        )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" integrator="implicitfast"><flag energy="enable"/></option>'
        f'<worldbody><geom type="plane" size="5 5 1" friction="0.4 0 0"/>{bodies}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    for i, (*_, spin) in enumerate(solids(seed)):
        # Angular velocities of free joints are given in body axes.
        inverse, turned = numpy.zeros(4), numpy.zeros(3)
        mujoco.mju_negQuat(inverse, data.qpos[7 * i + 3 : 7 * i + 7])
        mujoco.mju_rotVecQuat(turned, numpy.array(spin), inverse)
        data.qvel[6 * i + 3 : 6 * i + 6] = turned
    return model, data


def compare_with_mujoco(program, out):
    try:
        import mujoco
    except ImportError:
        return
    seeds = range(5)
    out.append(f"\n### The same piles in MuJoCo {mujoco.__version__}\n")
    out.append(
        "Mechanical energy after 0.6 s against each program's own finest run (MuJoCo: steps of 20 µs, carom: tolerance 1e-9), over what was\n"
        "lost by then; the largest of five piles. MuJoCo has its default contacts, which are not those of carom, so that each is held against itself.\n"
    )
    out.append("| program | time, five piles | energy, largest difference |\n|---|---:|---:|")
    ends = {}
    for step in STEPS:
        begun, ends[step] = time.process_time(), []
        for seed in seeds:
            model, data = mujoco_model(mujoco, seed, step)
            mujoco.mj_forward(model, data)
            first = sum(data.energy)
            for _ in range(round(DURATION / step)):
                mujoco.mj_step(model, data)
            mujoco.mj_forward(model, data)
            ends[step].append((first, sum(data.energy)))
        ends[step] = (time.process_time() - begun, ends[step])

    def difference(found, finest):
        return max(abs(one - two) / abs(first - two) for (first, one), (_, two) in zip(found, finest))

    finest = ends[STEPS[-1]][1]
    for step in STEPS[:-1]:
        out.append(f"| MuJoCo, steps of {step * 1e3:g} ms | {ends[step][0]:.3g} s | {difference(ends[step][1], finest):.0e} |")
    first = [one["mechanical"] for one in run(program, [pile(seed).replace(f"duration = {DURATION}", "duration = 1e-9") for seed in seeds])]

    def carom(tolerance):
        found = run(program, [pile(seed, tolerance) for seed in seeds])
        return sum(one["seconds"] for one in found), list(zip(first, (one["mechanical"] for one in found)))

    reference = carom(1e-9)[1]
    for tolerance in (1e-4, 1e-6, 1e-8):
        spent, found = carom(tolerance)
        out.append(f"| carom, tolerance {tolerance:g} | {spent:.3g} s | {difference(found, reference):.0e} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--before")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--piles", type=int, default=PILES)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    out, program, before = [], arguments.program, arguments.before
    parts = [
        lambda: scenes(program, before, out),
        lambda: compare_separately(program, before, out),
        lambda: impacts(program, before, out),
        lambda: piles(program, before, arguments.piles, arguments.first, out),
        lambda: compare_with_mujoco(program, out),
    ]
    for part in parts:
        known = len(out)
        part()
        print("\n".join(out[known:]), flush=True)
    text = "\n".join(out)
    if arguments.record:
        above = arguments.record.read_text().split(HEADING)[0]
        arguments.record.write_text(f"{above}{HEADING}\n\n{text}\n")


if __name__ == "__main__":
    main()
