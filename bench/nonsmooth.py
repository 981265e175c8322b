"""The nonsmooth method beside Siconos (Inria), on the same problems with the same step.

Siconos has the same scheme of Moreau and Jean, with solvers of its own (LCP by Lemke, friction by its NSGS). So positions and velocities
must agree at every step to the accuracy of the solvers, not only to the error of the step. Two things differ on purpose: carom takes an approach
that is no faster than g·h for rest, where Siconos goes on to bounce (differences below g·h); and friction acts in the middle of the overlap, not
on the surface of a sphere that overlaps (differences of the order of overlap over radius). Needs Debian's packages python3-siconos and python3-numpy, and the command:

    cargo build --release -p carom-cli
    /usr/bin/python3 bench/nonsmooth.py target/release/carom

Both times are processor times of the run alone; Siconos is called from Python once a step.
"""

import csv
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

GRAVITY = 10.0


def siconos_run(bodies, contacts, step, duration, friction=None):
    """Positions and velocities after every step. A body is (mass, moment, q, v) with q = (x, y, angle); a contact is
    ((index, row), ..., offset, restitution) with rows (normal, tangent) of the relation for each body."""
    system = sk.NonSmoothDynamicalSystem(0, duration)
    made = []
    for mass, moment, q, v in bodies:
        body = sk.LagrangianLinearTIDS(q, v, np.diag([mass, mass, moment]))
        body.setFExtPtr(np.array([0.0, -mass * GRAVITY, 0.0]))
        system.insertDynamicalSystem(body)
        made.append(body)
    for sides, offset, restitution in contacts:
        rows = np.hstack([np.array(row, dtype=float) for _, row in sides])
        if friction is None:
            law = sk.NewtonImpactNSL(restitution)
            relation = sk.LagrangianLinearTIR(rows[:1], [offset])
        else:
            law = sk.NewtonImpactFrictionNSL(restitution, 0.0, friction, 2)
            relation = sk.LagrangianLinearTIR(rows, [offset, 0.0])
        system.link(sk.Interaction(law, relation), *[made[index] for index, _ in sides])
    problem = sk.LCP() if friction is None else sk.FrictionContact(2)
    options = problem.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-12
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
    run = sk.TimeStepping(system, sk.TimeDiscretisation(0, step), sk.MoreauJeanOSI(0.5), problem)
    rows, begun = [], time.process_time()
    while run.hasNextEvent():
        run.computeOneStep()
        rows.append([np.concatenate([body.q(), body.velocity()]) for body in made])
        run.nextStep()
    return np.array(rows), time.process_time() - begun


def carom_run(command, scene, names):
    """The same of carom, at every sample."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "scene.toml").write_text(scene)
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([command, "simulate", path / "scene.toml", "--out", path / "run", "--json"], check=True, stdout=subprocess.PIPE)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun
        rows = {name: [] for name in names}
        with open(path / "run" / "trajectory.csv", newline="") as file:
            for row in csv.DictReader(file):
                angle = 2.0 * np.arctan2(float(row["qz"]), float(row["qw"]))
                columns = ["x_m", "y_m", None, "vx_m_per_s", "vy_m_per_s", "wz_rad_per_s"]
                rows[row["body"]].append([angle if c is None else float(row[c]) for c in columns])
        table = np.array([rows[name] for name in names]).transpose(1, 0, 2)
        return table[1:], used


def scene(step, duration, bodies, contacts):
    head = f'[simulation]\nduration = {duration}\nsample = {step}\nstep = {step}\ngravity = {GRAVITY}\nplanar = true\nmethod = "nonsmooth"\n'
    law = 'law = "kelvin-voigt-1865"\nstiffness = 1e6\nexponent = 1\ncalibration = "exact"\n'
    text = head
    for name, radius, mass, q, v in bodies:
        text += f'[[body]]\nname = "{name}"\nshape = "sphere"\nradius = {radius}\nmass = {mass}\nposition = {q}\nvelocity = {v}\n'
    for between, restitution, friction in contacts:
        text += f"[[contact]]\nbetween = {json.dumps(between)}\n{law}restitution = {restitution}\n"
        if friction is not None:
            text += f"friction = {{ coefficient = {friction} }}\n"
    return text


def on_ground(radius, tangent=False):
    """The relation of a ball on the ground y = 0: height, and the velocity of its lowest point."""
    return [[0, 1, 0], [1, 0, radius]] if tangent else [[0, 1, 0]]


def cases():
    """Name, scene for carom, names of its bodies, and what Siconos is given."""
    radius, mass = 0.1, 1.0
    moment = 0.4 * mass * radius**2
    for restitution in [0.5, 0.9]:
        step, duration = 1e-3, 1.0
        text = scene(step, duration, [("ball", radius, mass, [0, 0.31], [0, 0])], [(["ball", "ground"], restitution, None)])
        given = ([(mass, moment, [0, 0.31, 0], [0, 0, 0])], [([(0, on_ground(radius))], -radius, restitution)], step, duration)
        yield f"ball that bounces, e = {restitution}", text, ["ball"], given, {}
    step, duration = 1e-3, 1.0
    text = scene(step, duration, [("ball", radius, mass, [0, 0.2501], [3, 0])], [(["ball", "ground"], 0.6, 0.25)])
    given = ([(mass, moment, [0, 0.2501, 0], [3, 0, 0])], [([(0, on_ground(radius, True))], -radius, 0.6)], step, duration)
    yield "ball that bounces obliquely and rolls", text, ["ball"], given, {"friction": 0.25}
    # A radius whose multiples are exact: balls that were placed to touch do so for both programs.
    radius = 0.125
    for count, gap in [(3, 0.0), (5, 0.0), (5, 0.01)]:
        step, duration = 1e-3, 0.5
        names = [f"ball {i}" for i in range(count)]
        start = [(-0.05 if i == 0 else (2 * radius + gap) * i, 5.0) for i in range(count)]
        speed = [[1.0 if i == 0 else 0.0, 0] for i in range(count)]
        bodies = [(names[i], radius, mass, list(start[i]), speed[i]) for i in range(count)]
        text = scene(step, duration, bodies, [([names[i], names[i + 1]], 0.8, None) for i in range(count - 1)])
        given = (
            [(mass, moment, [*start[i], 0], [*speed[i], 0]) for i in range(count)],
            [([(i, [[-1, 0, 0]]), (i + 1, [[1, 0, 0]])], -2 * radius, 0.8) for i in range(count - 1)],
            step,
            duration,
        )
        yield f"row of {count} balls, {gap * 1e3:g} mm apart", text, names, given, {}


def main(command):
    print(f"{'problem':40} {'steps':>6} {'position':>10} {'velocity':>10} {'at the end':>10} {'carom':>8} {'Siconos':>8}")
    for name, text, names, given, more in cases():
        ours, used = carom_run(command, text, names)
        theirs, spent = siconos_run(*given, **more)
        count = min(len(ours), len(theirs))
        apart = np.abs(ours[:count] - theirs[:count])
        position, velocity = apart[..., :2].max(), apart[..., 3:5].max()
        end = apart[-1][..., 3:5].max()
        print(f"{name:40} {count:6} {position:8.1e} m {velocity:6.0e} m/s {end:6.0e} m/s {used:6.3f} s {spent:6.3f} s")


if __name__ == "__main__":
    main(sys.argv[1])
