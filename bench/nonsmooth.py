"""Compares the nonsmooth method with Siconos (Inria), on the same problems with the same step.

Siconos has the same scheme of Moreau and Jean, with its own solvers (LCP by Lemke's method, friction by NSGS). Positions and
velocities must therefore agree at every step to the accuracy of the solvers, not only to the error of the step. Two things differ
on purpose. carom treats an approach at a speed up to g·h as rest, whereas Siconos continues to bounce (differences below g·h).
And in carom friction acts at the middle of the overlap, not on the surface of an overlapping sphere (differences of the order of
overlap/radius). The second table shows both with shorter steps.

Boxes that fall, slide, rock and lie on each other are compared step by step: from every state of carom the contact problem of the
next step is built here from the corners alone (gaps, lever arms, their change within the step, masses), Siconos' Lemke solver finds the impulses, and the
resulting velocities are compared with those of carom's next state.

In the last part the contact problems are built from carom's own sites, printed by the example program contact_problems, because
carom's boxes have rounded edges with sites along them.

With --times, it prints run times of scenes with both methods, each with its error. It needs Debian's packages python3-siconos and
python3-numpy, the command, and that program in the same folder:

    cargo build --release -p carom-cli
    cargo build --release -p carom-world --example contact_problems
    /usr/bin/python3 bench/nonsmooth.py target/release/carom
    /usr/bin/python3 bench/nonsmooth.py target/release/carom --times

Both times are processor times of the run alone; Siconos is called from Python once per step.
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
    """Returns positions and velocities after every step. A body is (mass, moment, q, v) with q = (x, y, angle); a contact is
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
    """Returns positions and velocities of carom at every sample."""
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
    """Returns the relation of a ball on the ground y = 0: its height, and the velocity of its lowest point."""
    return [[0, 1, 0], [1, 0, radius]] if tangent else [[0, 1, 0]]


def cases():
    """Yields name, scene for carom, names of its bodies, and the input of Siconos."""
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
    # Multiples of this radius are exact numbers, so that balls placed to touch do so for both programs.
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


def box_scene(step, duration, bodies, contacts):
    """Returns a scene with planar boxes: (name, width, height, mass, x, y, angle, vx, vy, spin); contacts (upper, lower or
    "ground", restitution, friction)."""
    text = f'[simulation]\nduration = {duration}\nsample = {step}\nstep = {step}\ngravity = {GRAVITY}\nplanar = true\nmethod = "nonsmooth"\n'
    for name, width, height, mass, x, y, angle, vx, vy, spin in bodies:
        text += f'[[body]]\nname = "{name}"\nshape = "box"\nsize = [{width}, {height}, 0.1]\nmass = {mass}\nposition = [{x!r}, {y!r}]\n'
        text += f"rotation = {{ angle = {angle!r} }}\nvelocity = [{vx}, {vy}]\nspin = [0, 0, {spin}]\n"
    for upper, lower, restitution, friction in contacts:
        text += f'[[contact]]\nbetween = ["{upper}", "{lower}"]\nlaw = "kelvin-voigt-1865"\nstiffness = 1e6\nexponent = 1\n'
        text += f'calibration = "exact"\nrestitution = {restitution}\nfriction = {{ coefficient = {friction} }}\n'
    return text


def box_step(step, bodies, contacts, q, v, touching):
    """Returns velocities after a step from (q, v), rows (x, y, angle), with the impulses by Siconos (None if it finds none), and
    the number of contacts. `touching` are the corners that have not separated; both programs take them as closed up to 1e-9 of
    the box size."""
    index = {body[0]: i for i, body in enumerate(bodies)}
    inverse = np.array([[1 / m, 1 / m, 12 / (m * (w * w + h * h))] for _, w, h, m, *_ in bodies])
    free = v + step * np.array([0.0, -GRAVITY, 0.0])
    middle = q + 0.5 * step * v

    def geometry(poses, upper, lower, sx, sy):
        """Returns gap, normal, contact point and the two arms of a corner."""
        b = index[upper]
        _, width, height, *_ = bodies[b]
        x, y, angle = poses[b]
        c, s = np.cos(angle), np.sin(angle)
        corner = np.array([x, y]) + 0.5 * np.array([c * sx * width - s * sy * height, s * sx * width + c * sy * height])
        if lower == "ground":
            face, normal = np.zeros(2), np.array([0.0, 1.0])
        else:
            ax, ay, turned = poses[index[lower]]
            normal = np.array([-np.sin(turned), np.cos(turned)])
            face = np.array([ax, ay]) + 0.5 * bodies[index[lower]][2] * normal
        gap = normal @ (corner - face)
        point = corner - 0.5 * gap * normal
        sides = [(b, 1.0)] + ([] if lower == "ground" else [(index[lower], -1.0)])
        return gap, normal, [(body, sign, point - poses[body][:2]) for body, sign in sides]

    def direction(d, sides):
        """Returns the row that gives the velocity at a contact along d."""
        row = np.zeros((len(bodies), 3))
        for body, sign, arm in sides:
            row[body] = sign * np.array([d[0], d[1], arm[0] * d[1] - arm[1] * d[0]])
        return row.ravel()

    rows, ends, restitutions, frictions, corners = [], [], [], [], []
    for upper, lower, restitution, friction in contacts:
        _, width, height, *_ = bodies[index[upper]]
        for sx, sy in [(-1, -1), (1, -1), (1, 1), (-1, 1)]:
            gap, normal, sides = geometry(middle, upper, lower, sx, sy)
            _, earlier_normal, earlier_sides = geometry(q, upper, lower, sx, sy)
            tangent = np.array([normal[1], -normal[0]])
            own = np.array([direction(d, sides) for d in (normal, tangent)])
            earlier = np.array([direction(d, earlier_sides) for d in (earlier_normal, tangent)])
            known = max(1e-9 * np.hypot(width, height) / 2, step * abs((own - earlier)[0] @ v.ravel()))
            if gap > (known if (upper, lower, sx, sy) in touching else 1e-15):
                continue
            corners.append((upper, lower, sx, sy))
            rows += list(own)
            # The rows change from the middle to the end of the step as they changed from the beginning to the middle.
            ends += list(2 * own - earlier)
            restitutions.append(restitution)
            frictions.append(friction)
    if not rows:
        touching.clear()
        return free, 0
    rows, ends, inverse = np.array(rows), np.array(ends), inverse.ravel()
    islands = [{index[body] for body in corner[:2] if body != "ground"} for corner in corners]
    acting, restoring, scale = at_the_end(rows, ends, islands, restitutions, v.ravel(), free.ravel(), 2)
    given = acting @ free.ravel() + restoring
    impulses = siconos_impulses(acting * inverse @ rows.T, given, frictions, 2)
    if impulses is None:
        return None, len(frictions)
    moved = acting @ (free.ravel() + inverse * (rows.T @ impulses))
    update_touching(touching, corners, impulses[::2], moved[::2], scale)
    return free + (inverse * (rows.T @ impulses)).reshape(-1, 3), len(frictions)


def at_the_end(rows, ends, islands, restitutions, before, free, dimension):
    """Returns the rows for which the conditions hold (those at the end of the step, but those in its middle for islands with an
    impact), the terms of the restitution where bodies strike, and the largest velocity. `islands` are the moving bodies of each
    contact."""
    old, first, turned = rows @ before, rows @ free, (ends - rows) @ before
    scale = max(np.abs(old).max(), np.abs(first).max())
    acting, restoring, struck = ends.copy(), np.zeros(len(rows)), []
    for i, restitution in enumerate(restitutions):
        n = dimension * i
        struck.append(-old[n] > max(old[n] - first[n] + 2 * abs(turned[n]), 1e-7 * scale))
        restoring[n] = restitution * old[n] if struck[-1] else 0.0
    joined = [set(one) for one in islands]
    for one in islands:
        meeting = [other for other in joined if other & one]
        joined = [other for other in joined if not other & one] + [set().union(*meeting)]
    impacts = [other for other in joined if any(hit and one & other for hit, one in zip(struck, islands))]
    for i, one in enumerate(islands):
        if any(one & other for other in impacts):
            acting[dimension * i : dimension * (i + 1)] = rows[dimension * i : dimension * (i + 1)]
    return acting, restoring, scale


def siconos_impulses(matrix, given, frictions, dimension):
    """Returns the impulses of a contact problem by Siconos, rows (normal, tangents) of each contact, or None if it finds none.
    Lemke's method fails if contacts are redundant; NSGS is the alternative, and the only method in space."""
    problem = sn.FrictionContactProblem(dimension, len(frictions), matrix, given, np.array(frictions))
    flat = [sn.SICONOS_FRICTION_2D_LEMKE, sn.SICONOS_FRICTION_2D_NSGS]
    driver = sn.fc2d_driver if dimension == 2 else sn.fc3d_driver
    for solver in flat if dimension == 2 else [sn.SICONOS_FRICTION_3D_NSGS]:
        options = sn.SolverOptions(solver)
        options.dparam[sn.SICONOS_DPARAM_TOL] = 1e-13
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000 if dimension == 2 else 20000
        impulses, velocities = np.zeros(len(given)), np.zeros(len(given))
        driver(problem, impulses, velocities, options)
        # The residual of Signorini's and Coulomb's conditions is checked, so that a failed solution is not taken for a
        # difference.
        moved = given + matrix @ impulses
        normal, load = impulses[::dimension], np.array(frictions) * impulses[::dimension]
        tangential = impulses.reshape(-1, dimension)[:, 1:]
        sliding = moved.reshape(-1, dimension)[:, 1:]
        outside = np.linalg.norm(tangential, axis=1) - load
        # Friction opposes the sliding: p·u + μpₙ|u| = 0.
        slack = (tangential * sliding).sum(axis=1) + load * np.linalg.norm(sliding, axis=1)
        missed = max(np.abs(np.minimum(normal, moved[::dimension])).max(), outside.max(), np.abs(slack).max())
        if missed < 1e-9:
            return impulses
    return None


def update_touching(touching, corners, normal, opening, scale):
    """Keeps the contacts that have not separated, as carom does."""
    stay = [p > 0 or corner in touching for p, corner in zip(normal, corners)]
    touching.intersection_update(corners)
    for corner, stays, u in zip(corners, stay, opening):
        (touching.add if stays and u <= 1e-7 * scale else touching.discard)(corner)


def box_cases():
    tilted = ("box", 0.2, 0.1, 1.0, 0.0, 0.2, 0.3, 0.5, 0.0, 1.0)
    yield "box that drops tilted and comes to rest", 1e-3, 1.0, [tilted], [("box", "ground", 0.3, 0.4)]
    yield "box that slides and stops", 1e-3, 1.0, [("box", 0.2, 0.1, 1.0, 0.0, 0.05, 0.0, 1.5, 0.0, 0.0)], [("box", "ground", 0.0, 0.3)]
    alpha = 0.05
    x, y = 0.05 * np.cos(alpha) - 0.2 * np.sin(alpha), 0.05 * np.sin(alpha) + 0.2 * np.cos(alpha)
    yield "block that rocks", 1e-3, 2.0, [("block", 0.1, 0.4, 1.0, float(x), float(y), alpha, 0.0, 0.0, 0.0)], [("block", "ground", 0.0, 0.8)]
    two = [("lower", 0.3, 0.1, 2.0, 0.0, 0.06, 0.0, 0.8, 0.0, 0.0), ("upper", 0.2, 0.1, 1.0, 0.01, 0.18, 0.0, 0.0, 0.0, 0.0)]
    yield "two boxes, the lower one slides away", 1e-3, 1.0, two, [("lower", "ground", 0.2, 0.3), ("upper", "lower", 0.2, 0.2)]
    three = [("a", 0.3, 0.1, 1.0, 0.0, 0.06, 0.0, 0.0, 0.0, 0.0), ("b", 0.25, 0.1, 100.0, 0.01, 0.18, 0.0, 0.0, 0.0, 0.0)]
    three += [("c", 0.2, 0.1, 1.0, -0.01, 0.3, 0.0, 0.2, 0.0, 0.0)]
    contacts = [("a", "ground", 0.3, 0.4), ("b", "a", 0.3, 0.4), ("c", "b", 0.3, 0.4)]
    yield "three boxes of 1, 100 and 1 kg", 1e-3, 1.0, three, contacts


def compare_boxes(command):
    print(f"\n{'problem':40} {'steps':>6} {'contacts':>8} {'velocity':>10} {'angular':>10} {'not solved by Siconos':>22}")
    for name, step, duration, bodies, contacts in box_cases():
        start = [[b[4], b[5], b[6], b[7], b[8], b[9]] for b in bodies]
        rows, _ = carom_run(command, box_scene(step, duration, bodies, contacts), [body[0] for body in bodies])
        states = np.concatenate([[start], rows])
        worst, turned, unsolved, count, touching = 0.0, 0.0, 0, 0, set()
        for now, after in zip(states[:-1], states[1:]):
            found, closed = box_step(step, bodies, contacts, now[:, :3], now[:, 3:], touching)
            count += closed
            if found is None:
                unsolved += 1
                continue
            apart = np.abs(found - after[:, 3:])
            worst, turned = max(worst, apart[:, :2].max()), max(turned, apart[:, 2].max())
        print(f"{name:40} {len(rows):6} {count:8} {worst:6.0e} m/s {turned:4.0e} rad/s {unsolved:22}")


def contact_problems(command, scene):
    """Returns carom's own contacts in every step, from the example program in the folder of the command."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.toml"
        path.write_text(scene)
        program = pathlib.Path(command).parent / "examples" / "contact_problems"
        lines = subprocess.run([program, path], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return json.loads(lines[0]), [json.loads(line) for line in lines[1:]]


def angular_acceleration(inertia, spin):
    return np.linalg.solve(inertia, -np.cross(spin, inertia @ spin))


def positive_shares(columns, wanted):
    """Returns the shares x ≥ 0 of columns whose sum is nearest to `wanted` (C. L. Lawson & R. J. Hanson, Solving Least Squares
    Problems, 1974, ch. 23)."""
    x, used = np.zeros(columns.shape[1]), np.zeros(columns.shape[1], dtype=bool)
    for _ in range(20 * len(x)):
        slope = columns.T @ (wanted - columns @ x)
        slope[used] = -np.inf
        if slope.max() <= 1e-14 * np.abs(wanted).max():
            break
        used[slope.argmax()] = True
        while True:
            trial = np.zeros(len(x))
            trial[used] = np.linalg.lstsq(columns[:, used], wanted, rcond=None)[0]
            if (trial[used] > 0).all():
                break
            falls = used & (trial <= 0)
            x += (x[falls] / (x[falls] - trial[falls])).min() * (trial - x)
            used &= x > 1e-15 * np.abs(x).max()
            x[~used] = 0.0
        x = trial
    return x


class OwnStep:
    """The contact problem of a step with carom's sites. Velocities are rows (v, ω) of all bodies. `laws` are restitution and
    friction of each contact."""

    def __init__(self, head, begin, laws):
        self.step, self.planar = head["step"], head["planar"]
        self.dimension = 2 if self.planar else 3
        self.count = count = len(head["bodies"])
        self.before, self.free = np.zeros((count, 6)), np.zeros((count, 6))
        self.inverse, centres, positions = np.zeros((count, 6, 6)), np.zeros((count, 3)), np.zeros((count, 3))
        self.inertia = {}
        for i, (body, state) in enumerate(zip(head["bodies"], begin["states"])):
            if state is None:
                continue
            position, velocity, spin = (np.array(v) for v in state[:3])
            self.before[i] = np.concatenate([velocity, spin])
            positions[i], centres[i] = position, position + 0.5 * self.step * velocity
            alpha = np.zeros(3)
            if self.planar:
                self.inverse[i] = np.diag([1 / body["mass"]] * 2 + [0, 0, 0, 1 / body["inertia"][2][2]])
            else:
                angle, speed = 0.5 * self.step * np.linalg.norm(spin), max(np.linalg.norm(spin), 1e-300)
                x, y, z = spin / speed
                cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
                turned = (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross) @ np.array(state[3]).T
                self.inertia[i] = inertia = turned @ np.array(body["inertia"]).T @ turned.T
                self.inverse[i, :3, :3] = np.eye(3) / body["mass"]
                self.inverse[i, 3:, 3:] = np.linalg.inv(inertia)
                # Gyroscopic moments are evaluated twice: with the velocities at the beginning, and with the resulting ones at the
                # middle.
                alpha = angular_acceleration(inertia, spin + 0.5 * self.step * angular_acceleration(inertia, spin))
            self.free[i] = self.before[i] + self.step * np.concatenate([head["gravity"], alpha])
        rows, ends, self.restitutions, self.frictions, self.islands, seen = [], [], [], [], [], []
        for site in begin["sites"]:
            normal, point = np.array(site["normal"]), np.array(site["point"])
            normal_before, point_before = np.array(site["normal_before"]), np.array(site["point_before"])
            sides = [(site["a"], -1.0), (site["b"], 1.0)]

            def row(axis, point, centres):
                row = np.zeros((count, 6))
                for body, sign in sides:
                    row[body] += sign * np.concatenate([axis, np.cross(point - centres[body], axis)])
                return row.ravel()

            # As in carom, touches that have not separated count as closed up to 1e-9 of the size, or as far as they part because
            # the bodies move along straight lines.
            turned = (row(normal, point, centres) - row(normal_before, point_before, positions)) @ self.before.ravel()
            if site["gap"] > (max(1e-9 * site["size"], self.step * abs(turned)) if site["touching"] else 1e-15):
                continue
            if self.planar:
                # Corners at the front and at the back are a single contact in the plane.
                key = (site["contact"], *np.round(np.concatenate([point[:2], normal[:2]]), 10))
                if key in seen:
                    continue
                seen.append(key)
                axes = [normal, np.array([normal[1], -normal[0], 0.0])]
            else:
                first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
                first /= np.linalg.norm(first)
                axes = [normal, first, np.cross(normal, first)]
            own = np.array([row(axis, point, centres) for axis in axes])
            earlier = np.array([row(axis, point_before, positions) for axis in [normal_before, *axes[1:]]])
            rows += list(own)
            ends += list(own if np.linalg.norm(normal - normal_before) > 0.1 else 2 * own - earlier)
            restitution, friction = laws[site["contact"]]
            self.restitutions.append(restitution)
            self.frictions.append(friction)
            self.islands.append({body for body, _ in sides if begin["states"][body] is not None})
        rows = np.array(rows).reshape(-1, 6 * count)
        self.answers = np.einsum("bij,rbj->rbi", self.inverse, rows.reshape(-1, count, 6)).reshape(len(rows), 6 * count)
        if len(rows):
            given = (self.islands, self.restitutions, self.before.ravel(), self.free.ravel(), self.dimension)
            self.rows, self.restoring, _ = at_the_end(rows, np.array(ends), *given)

    def solve(self):
        """Returns the velocities after the step with impulses by Siconos, or None if it finds none."""
        found = self.solve_from(self.free)
        return found if found is None or not self.frictions else self.solve_from(self.corrected(found))

    def corrected(self, after):
        """Returns the velocities without contacts, with gyroscopic moments at the mean of the velocities before and after the
        step."""
        free = self.free.copy()
        for i, inertia in self.inertia.items():
            spin = 0.5 * (self.before[i] + after[i])[3:]
            free[i, 3:] = self.before[i, 3:] + self.step * angular_acceleration(inertia, spin)
        return free

    def given(self, free):
        """Returns the velocities at the contacts without impulses, including the terms of the restitution."""
        return self.rows @ free.ravel() + self.restoring

    def solve_from(self, free):
        if not self.frictions:
            return free
        matrix = self.rows @ self.answers.T
        impulses = siconos_impulses(matrix, self.given(free), self.frictions, self.dimension)
        return None if impulses is None else free + (self.answers.T @ impulses).reshape(self.count, 6)

    def missed(self, after):
        """Returns the smallest difference (m/s, rad/s) of the velocities after the step from those that impulses within
        Signorini's and Coulomb's conditions can produce: no impulse where the contact opens, friction against the sliding where
        it slides, within the cone (of 64 edges) where it sticks."""
        free = self.corrected(after)
        moved = self.given(free) + self.rows @ (after - free).ravel()
        columns, penetrates = [], 0.0
        for i, friction in enumerate(self.frictions):
            normal, *tangents = range(self.dimension * i, self.dimension * (i + 1))
            penetrates = max(penetrates, -moved[normal])
            if moved[normal] > 1e-8:
                continue
            sliding = moved[tangents]
            if np.linalg.norm(sliding) > 1e-8:
                edges = [-sliding / np.linalg.norm(sliding)]
            elif self.planar:
                edges = [np.array([1.0]), np.array([-1.0])]
            else:
                edges = [np.array([np.cos(angle), np.sin(angle)]) for angle in 2 * np.pi * np.arange(64) / 64]
            columns += [self.answers[normal] + friction * edge @ self.answers[tangents] for edge in edges]
        change = (after - free).ravel()
        if not columns:
            return max(penetrates, np.abs(change).max())
        columns = np.array(columns).T
        sizes = np.linalg.norm(columns, axis=0)
        shares = positive_shares(columns / sizes, change)
        return max(penetrates, np.abs(columns / sizes @ shares - change).max())


def compare_own(command):
    """Compares results for carom's own contacts (gaps, normals, points) with impulses by Siconos. With friction, velocities need
    not be unique if more contacts slide than the bodies determine. If the two differ by more than 1e-9, or Siconos finds no
    solution, the difference of carom's velocities from those of any impulses within the conditions is computed."""
    titles = f"{'velocity':>10} {'angular':>10} {'others':>7} {'missed':>8}"
    print(f"\n{'with the sites of carom':40} {'steps':>6} {'contacts':>8} {titles}")
    cases = [(name, box_scene(step, duration, bodies, contacts), contacts) for name, step, duration, bodies, contacts in box_cases()]
    for name, text, contacts in cases + list(solid_cases()):
        head, steps = contact_problems(command, text)
        laws = {f"{a}-{b}": (restitution, friction) for a, b, restitution, friction in contacts}
        worst, turned, others, missed, total = 0.0, 0.0, 0, 0.0, 0
        for begin, end in zip(steps[:-1], steps[1:]):
            step = OwnStep(head, begin, laws)
            total += len(step.frictions)
            after = np.array([np.zeros(6) if state is None else np.concatenate(state[1:3]) for state in end["states"]])
            found = step.solve()
            apart = np.abs(found - after) if found is not None else np.full((1, 6), np.inf)
            if apart.max() > 1e-9:
                others, missed = others + 1, max(missed, step.missed(after))
            else:
                worst, turned = max(worst, apart[:, :3].max()), max(turned, apart[:, 3:].max())
        print(f"{name:40} {len(steps) - 1:6} {total:8} {worst:6.0e} m/s {turned:4.0e} rad/s {others:7} {missed:8.0e}", flush=True)


def solid_cases():
    """Yields scenes with bodies in space: (name, scene, contacts)."""
    head = f'[simulation]\nduration = 1\nsample = 1e-3\nstep = 1e-3\ngravity = {GRAVITY}\nmethod = "nonsmooth"\n'
    law = 'law = "kelvin-voigt-1865"\nstiffness = 1e6\nexponent = 1\ncalibration = "exact"\n'

    def text(bodies, contacts):
        made = head
        for name, shape, mass, position, velocity, spin in bodies:
            made += f'[[body]]\nname = "{name}"\n{shape}\nmass = {mass}\nposition = {position}\nvelocity = {velocity}\nspin = {spin}\n'
        for one, two, restitution, friction in contacts:
            made += f'[[contact]]\nbetween = ["{one}", "{two}"]\n{law}restitution = {restitution}\nfriction = {{ coefficient = {friction} }}\n'
        return made

    def box(x, y, z):
        return f'shape = "box"\nsize = [{x}, {y}, {z}]'

    bodies = [("brick", box(0.2, 0.1, 0.06), 1, [0, 0, 0.25], [0.6, 0.2, 0], [3, -2, 5])]
    contacts = [("brick", "ground", 0.4, 0.3)]
    yield "brick that tumbles in space", text(bodies, contacts), contacts
    bodies = [("a", box(0.3, 0.25, 0.1), 1, [0, 0, 0.06], [0.3, 0, 0], [0, 0, 1])]
    bodies += [("b", box(0.25, 0.2, 0.1), 100, [0.01, 0.01, 0.18], [0, 0, 0], [0, 0, 0])]
    bodies += [("c", box(0.2, 0.2, 0.1), 1, [-0.01, 0, 0.3], [0.2, 0.1, 0], [0, 0, -1])]
    contacts = [("a", "ground", 0.3, 0.4), ("b", "a", 0.3, 0.4), ("c", "b", 0.3, 0.4)]
    # Only until the upper box lands: with more contacts that share a load, NSGS takes minutes.
    yield "three boxes of 1, 100, 1 kg in space", text(bodies, contacts).replace("duration = 1", "duration = 0.12"), contacts
    hull = 'shape = "hull"\npoints = [[0.1, 0, -0.05], [-0.05, 0.09, -0.05], [-0.05, -0.09, -0.05], [0, 0, 0.1]]'
    bodies = [("hull", hull, 1, [0, 0, 0.3], [1, 0, 0], [1, 4, 0]), ("ball", 'shape = "sphere"\nradius = 0.05', 2, [0.15, 0, 0.05], [0, 0, 0], [0, 0, 0])]
    contacts = [("hull", "ground", 0.5, 0.4), ("ball", "ground", 0.5, 0.4), ("hull", "ball", 0.5, 0.2)]
    yield "hull that falls on a ball", text(bodies, contacts), contacts


def compare_steps(command):
    """Compares with shorter steps the two problems in which the programs differ by convention."""
    print(f"\n{'problem':40} {'step':>8} {'position':>10} {'velocity':>10}")
    radius, mass = 0.1, 1.0
    moment = 0.4 * mass * radius**2
    for step in [1e-3, 5e-4, 2.5e-4, 1.25e-4]:
        text = scene(step, 1.0, [("ball", radius, mass, [0, 0.31], [0, 0])], [(["ball", "ground"], 0.5, None)])
        given = ([(mass, moment, [0, 0.31, 0], [0, 0, 0])], [([(0, on_ground(radius))], -radius, 0.5)], step, 1.0)
        oblique = scene(step, 1.0, [("ball", radius, mass, [0, 0.2501], [3, 0])], [(["ball", "ground"], 0.6, 0.25)])
        other = ([(mass, moment, [0, 0.2501, 0], [3, 0, 0])], [([(0, on_ground(radius, True))], -radius, 0.6)], step, 1.0)
        for name, text, given, more in [("e = 0.5, until it rests", text, given, {}), ("oblique, rolls", oblique, other, {"friction": 0.25})]:
            ours, _ = carom_run(command, text, ["ball"])
            theirs, _ = siconos_run(*given, **more)
            count = min(len(ours), len(theirs))
            apart = np.abs(ours[:count] - theirs[:count])
            print(f"{name:40} {step:8.2e} {apart[..., :2].max():8.1e} m {apart[..., 3:5].max():6.0e} m/s")


FIVE = """simulation = { duration = 10, gravity = 9.81, sample = 0.1 }
""" + "".join(
    f"""
[[body]]
name = "b{i}"
shape = "box"
size = [0.1, 0.1, 0.1]
density = 1000
position = [{0.005 if i % 2 == 0 else -0.005}, 0, {0.05 + 0.1 * i + 0.01 * (i + 1)!r}]
[[contact]]
between = ["b{i}", "{'ground' if i == 0 else f'b{i - 1}'}"]
law = "kelvin-voigt-1865"
stiffness = 1e6
exponent = 1
restitution = 0.3
calibration = "exact"
friction = {{ coefficient = 0.5 }}
"""
    for i in range(5)
)


def end_of(command, path, options, folder):
    """Returns the processor time, and the positions of all bodies at the end of a run."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([command, "simulate", path, "--out", folder, "--overwrite", *options], check=True, stdout=subprocess.PIPE)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun
    with open(pathlib.Path(folder) / "trajectory.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    end = rows[-1]["time_s"]
    return used, np.array([[float(row[c]) for c in ("x_m", "y_m", "z_m")] for row in rows if row["time_s"] == end])


def times(command):
    """Prints processor times of both methods; the error is the largest distance of a body at the end from a finer run of the same
    method."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "five.toml"
        path.write_text(FIVE)
        cases = [
            ("bouncing-ball", "scenes/bouncing-ball.toml", []),
            ("newtons-cradle", "scenes/newtons-cradle.toml", []),
            ("rocking-block", "scenes/rocking-block.toml", []),
            ("five boxes, 10 s", path, ["--set", "tolerance=1e-6"]),
        ]
        print("| scene | smooth | error | nonsmooth, usual step | error | step | a tenth as many steps | error |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|")
        for name, text, smooth in cases:
            used, end = end_of(command, text, smooth, folder + "/run")
            _, finer = end_of(command, text, ["--set", "tolerance=1e-10"], folder + "/run")
            rigid = ["--set", "method=nonsmooth"]
            spent, final = end_of(command, text, rigid, folder + "/run")
            found = subprocess.run([command, "simulate", text, *rigid, "--json"], check=True, stdout=subprocess.PIPE).stdout
            step = json.loads(found)["nonsmooth"]["step"]
            _, finest = end_of(command, text, [*rigid, "--set", f"step={step / 10}"], folder + "/run")
            fast, coarse = end_of(command, text, [*rigid, "--set", f"step={step * 10}"], folder + "/run")
            error = lambda a, b: f"{np.abs(a - b).max():.0e} m"
            print(
                f"| {name} | {used:.2f} s | {error(end, finer)} | {spent:.2f} s | {error(final, finest)} | {step * 1e6:.0f} µs "
                f"| {fast:.2f} s | {error(coarse, finest)} |",
                flush=True,
            )


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
    if "--times" in sys.argv:
        times(sys.argv[1])
    else:
        main(sys.argv[1])
        compare_steps(sys.argv[1])
        compare_boxes(sys.argv[1])
        compare_own(sys.argv[1])
