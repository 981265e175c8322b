"""Runs robot files in their engines and compares the results with those of `carom check`.

`make test-engines` calls this program after run.py. Files are from a generator with a fixed seed (MJCF for MuJoCo, URDF for Drake
and PyBullet, SDF for DART and ODE), and models contained in the installed packages are used unchanged. Every pair is run in the
engine from sixteen initial positions, which differ in the phase of the touch within a step, as in carom, and the means of
restitution and penetration are compared. The table is written to docs/robots.md.

The exit status is 1 if an error exceeds the tolerance below.
"""

import argparse
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

from robot_files import ball_urdf, log_uniform, mjcf, nested_classes, world

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "engines"
VENV = WORK / "venv"
FILES = WORK / "robots"
CAROM = pathlib.Path(os.environ.get("CAROM", ROOT / "target" / "debug" / "carom")).resolve()
PACKAGES = ["mujoco", "drake", "pybullet", "dartpy", "numpy"]
# Packages of which the models are used, not the programs.
MODELS = ["dm_control", "gymnasium", "gymnasium-robotics", "playground"]
TOLERANCE = 0.02
PHASES = 16
SEED = 271828


def in_environment():
    """Creates the virtual environment if it is missing, and restarts this program in it."""
    python = VENV / "bin" / "python"
    if pathlib.Path(sys.prefix).resolve() == VENV.resolve():
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    for package in PACKAGES + MODELS:
        alone = ["--no-deps"] if package in MODELS else []
        done = subprocess.run([VENV / "bin" / "pip", "install", "--quiet", *alone, package], capture_output=True)
        if done.returncode:
            print(f"   {package} is not run: pip could not install it", flush=True)
    os.execv(python, [str(python), __file__, *sys.argv[1:]])


def ode_program():
    """Builds the program ode_impact.c with Debian's ODE; returns None if ODE is not available."""
    program = WORK / "ode_impact"
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "install", "--yes", "--quiet", "libode-dev"], capture_output=True)
    command = ["cc", "-O1", str(ROOT / "engines" / "ode_impact.c"), "-o", str(program), "-lode", "-lm"]
    return program if subprocess.run(command, capture_output=True).returncode == 0 else None


def check(path, *flags):
    """Returns carom's answer, or the message with which it refuses."""
    done = subprocess.run([CAROM, "check", path, "--json", *flags], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip().removeprefix("error: ")
    return json.loads(done.stdout), None


# ---------------------------------------------------------------------------------------------------------------------
# The engines: indentation and rate after every step of one impact.


def mean_over_phases(step_once, reach, press, speed, step, semi_implicit=True):
    """Returns restitution and penetration, as means over the phase of the touch within a step.

    Speeds are those of the parabola on which the positions lie: after a semi-implicit step they are half a step of gravity ahead
    of the velocity.
    """
    results = []
    ahead = 0.5 * step * press if semi_implicit else 0.0
    for k in range(PHASES):
        gap = reach + (k + 0.5) / PHASES * step * speed
        start = math.sqrt(max(0.0, speed**2 - 2 * press * gap)) - ahead
        deepest, touched, calm, rebound = 0.0, False, 0, 0.0
        rate, previous = start, start
        for indentation, rate in step_once(gap, start):
            deepest = max(deepest, indentation)
            # A contact force acted if the rate changed by more than gravity causes.
            force = abs(rate - previous - press * step) > 1e-9 * speed
            touched |= force
            if touched and (not force or -indentation >= reach) and rate < 0 and indentation <= 0:
                rebound = math.sqrt(max(0.0, (rate + ahead) ** 2 - 2 * press * indentation)) / speed
                break
            calm = calm + 1 if touched and abs(rate) < 1e-4 * speed else 0
            if calm > 200:
                break
            previous = rate
        results.append((rebound, deepest))
    return tuple(sum(column) / PHASES for column in zip(*results))


def mujoco_impact(path, names, speed):
    """Runs a pair of a MuJoCo model, one of them on a body that moves; all other contacts are disabled."""
    import mujoco
    import numpy as np

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)

    pair = [geom_id(model, name) for name in names]
    explicit = [i for i in range(model.npair) if sorted((model.pair_geom1[i], model.pair_geom2[i])) == sorted(pair)]
    for g in range(model.ngeom):
        if explicit or g not in pair:
            model.geom_contype[g] = model.geom_conaffinity[g] = 0

    def root(g):
        return model.body_rootid[model.geom_bodyid[g]]

    def free_joint(g):
        start = model.body_jntadr[root(g)]
        return start if start >= 0 and model.jnt_type[start] == mujoco.mjtJoint.mjJNT_FREE else None

    def moves(g):
        return model.body_weldid[model.geom_bodyid[g]] != 0

    planes = [model.geom_type[g] == mujoco.mjtGeom.mjGEOM_PLANE for g in pair]
    mover = 0 if moves(pair[0]) and not planes[0] else 1
    if free_joint(pair[mover]) is None and free_joint(pair[1 - mover]) is not None and not planes[1 - mover]:
        mover = 1 - mover
    joint = free_joint(pair[mover])
    one, other = pair[mover], pair[1 - mover]

    def normal():
        if planes[1 - mover]:
            return data.geom_xmat[other].reshape(3, 3)[:, 2]
        line = data.geom_xpos[one] - data.geom_xpos[other]
        return line / np.linalg.norm(line)

    def row():
        """Returns the derivative of the separation of the pair by the joint velocities."""
        rows = []
        for g in (one, other):
            jacobian = np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, jacobian, None, data.geom_xpos[one], model.geom_bodyid[g])
            rows.append(normal() @ jacobian)
        return rows[0] - rows[1]

    def inverse(w):
        x = np.zeros((1, model.nv))
        mujoco.mj_solveM(model, data, x, w.reshape(1, -1))
        return x[0]

    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    n = normal().copy()
    distance = mujoco.mj_geomDistance(model, data, one, other, 100.0, None)
    w = row()
    mobility = w @ inverse(w)
    apart = inverse(w) / mobility
    margin = model.pair_margin[explicit].sum() if explicit else model.geom_margin[pair].sum()
    if model.opt.enableflags & mujoco.mjtEnableBit.mjENBL_OVERRIDE:
        margin = model.opt.o_margin
    press = -(w @ data.qacc_smooth)

    def steps(gap, start):
        mujoco.mj_resetData(model, data)
        if joint is not None:
            address = model.jnt_qposadr[joint]
            data.qpos[address : address + 3] += (gap - distance) * n
        else:
            # Without a free body, the pair is separated along the motion that an impulse on the line of impact would cause.
            mujoco.mj_integratePos(model, data.qpos, apart, gap - distance)
        mujoco.mj_forward(model, data)
        data.qvel[:] = -start * inverse(row()) / (row() @ inverse(row()))
        for _ in range(4000):
            mujoco.mj_step(model, data)
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            gap_now = mujoco.mj_geomDistance(model, data, one, other, 100.0, None)
            yield -gap_now, -(row() @ data.qvel)

    semi_implicit = model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4
    found = mean_over_phases(steps, margin, press, speed, model.opt.timestep, semi_implicit)
    return {"restitution": found[0], "penetration": found[1], "mass": 1 / mobility}


def bullet_impact(numbers, speed):
    """Runs a ball above a plane in PyBullet, with the parameters of the file."""
    import pybullet

    step, radius = numbers["step"], numbers["radius"]
    pybullet.connect(pybullet.DIRECT)
    pybullet.setGravity(0, 0, -numbers["gravity"])
    pybullet.setTimeStep(step)
    plane = pybullet.createMultiBody(0, pybullet.createCollisionShape(pybullet.GEOM_PLANE))
    if "plane_restitution" in numbers:
        pybullet.changeDynamics(plane, -1, restitution=numbers["plane_restitution"])
    if "urdf" in numbers:
        ball = pybullet.loadURDF(str(numbers["urdf"]))
    else:
        shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=radius)
        ball = pybullet.createMultiBody(numbers["mass"], shape)
        pybullet.changeDynamics(ball, -1, restitution=numbers["restitution"])
    pybullet.changeDynamics(ball, -1, linearDamping=0, angularDamping=0)

    def steps(gap, start):
        pybullet.resetBasePositionAndOrientation(ball, [0, 0, radius + gap], [0, 0, 0, 1])
        pybullet.resetBaseVelocity(ball, [0, 0, -start], [0, 0, 0])
        for _ in range(4000):
            pybullet.stepSimulation()
            height = pybullet.getBasePositionAndOrientation(ball)[0][2]
            yield radius - height, -pybullet.getBaseVelocity(ball)[0][2]

    reach = min(0.02 * math.sqrt(3) * radius, 0.02)
    found = mean_over_phases(steps, reach, numbers["gravity"], speed, step)
    pybullet.disconnect()
    return {"restitution": found[0], "penetration": found[1], "mass": numbers["mass"]}


def ode_impact(program, path, numbers, speed):
    """Runs a ball above a plane in ODE, with the parameters that, according to carom, Gazebo combines from the file."""
    if program is None:
        raise ValueError("ODE is not installed (Debian: libode-dev)")
    report, _ = check(path, "--speed", str(speed))
    used = {one["name"]: one["used"][0] for one in report["pairs"][0]["parameters"]}
    step, radius, mass = numbers["step"], numbers["radius"], numbers["mass"]

    def steps(gap, start):
        given = [step, radius, mass, numbers["gravity"], used["kp"], used["kd"], used["restitution_coefficient"], used["threshold"]]
        given += [used["min_depth"], used["max_vel"], gap, start, 4000]
        done = subprocess.run([program, *(repr(number) for number in given)], capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            indentation, rate = line.split()
            yield float(indentation), float(rate)

    found = mean_over_phases(steps, 0.0, numbers["gravity"], speed, step)
    return {"restitution": found[0], "penetration": found[1], "mass": mass}


def dart_impact(numbers, speed):
    """Runs a ball above a fixed box in DART, with the parameters of the file."""
    import dartpy
    import numpy as np

    step, radius, mass = numbers["step"], numbers["radius"], numbers["mass"]

    def steps(gap, start):
        world = dartpy.simulation.World()
        world.setTimeStep(step)
        world.setGravity([0, 0, -numbers["gravity"]])

        def body(name, shape, restitution, height, free):
            skeleton = dartpy.dynamics.Skeleton(name)
            make = skeleton.createFreeJointAndBodyNodePair if free else skeleton.createWeldJointAndBodyNodePair
            joint, node = make()
            carrier = node.createShapeNode(shape)
            carrier.createVisualAspect()
            carrier.createCollisionAspect()
            carrier.createDynamicsAspect().setRestitutionCoeff(restitution)
            if free:
                inertia = np.eye(3) * 0.4 * mass * radius**2
                node.setInertia(dartpy.dynamics.Inertia(mass, [0, 0, 0], inertia))
                skeleton.setPositions([0, 0, 0, 0, 0, height])
                skeleton.setVelocities([0, 0, 0, 0, 0, -start])
            else:
                place = dartpy.math.Isometry3()
                place.set_translation([0, 0, height])
                joint.setTransformFromParentBodyNode(place)
            world.addSkeleton(skeleton)
            return skeleton

        body("floor", dartpy.dynamics.BoxShape([10, 10, 0.2]), numbers["plane_restitution"], -0.1, False)
        ball = body("ball", dartpy.dynamics.SphereShape(radius), numbers["restitution"], radius + gap, True)
        for _ in range(4000):
            world.step()
            yield radius - ball.getPositions()[5], -ball.getVelocities()[5]

    found = mean_over_phases(steps, 0.0, numbers["gravity"], speed, step)
    return {"restitution": found[0], "penetration": found[1], "mass": mass}


def drake_impact(numbers, speed):
    """Runs the ball of a URDF file above a fixed box with Drake's default properties."""
    from pydrake.all import (
        AddMultibodyPlantSceneGraph,
        DiagramBuilder,
        Parser,
        RigidTransform,
        Simulator,
    )

    step, radius = numbers["step"], numbers["radius"]

    def steps(gap, start):
        builder = DiagramBuilder()
        plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=step)
        Parser(plant).AddModels(str(numbers["urdf"]))
        # The ground that carom assumes, below the ball.
        ground = (
            '<robot name="ground"><link name="world"><collision name="c"><origin xyz="0 0 -1"/>'
            '<geometry><box size="10 10 2"/></geometry></collision></link></robot>'
        )
        Parser(plant).AddModelsFromString(ground, "urdf")
        plant.Finalize()
        diagram = builder.Build()
        context = diagram.CreateDefaultContext()
        inner = plant.GetMyMutableContextFromRoot(context)
        ball = plant.GetBodyByName("ball")
        plant.SetFreeBodyPose(inner, ball, RigidTransform([0, 0, radius + gap]))
        plant.SetVelocities(inner, [0, 0, 0, 0, 0, -start])
        simulator = Simulator(diagram, context)
        for k in range(4000):
            simulator.AdvanceTo((k + 1) * step)
            yield radius - plant.GetPositions(inner)[6], -plant.GetVelocities(inner)[5]

    found = mean_over_phases(steps, 0.0, numbers["gravity"], speed, step)
    return {"restitution": found[0], "penetration": found[1], "mass": numbers["mass"]}


# ---------------------------------------------------------------------------------------------------------------------
# Files.

def generated_files(seed):
    """Returns engine, path, speed, flags of `carom check`, and the function that runs each file; the seed is that of the MJCF
    files with nested classes."""
    FILES.mkdir(parents=True, exist_ok=True)
    cases = []

    def write(name, text):
        path = FILES / name
        path.write_text(text)
        return path

    for i in range(18):
        path = write(f"mujoco-{i:02}.xml", mjcf(i))
        speed = log_uniform(0.2, 4)
        cases.append(("mujoco", path, speed, [], lambda path=path, speed=speed: mujoco_impact(path, ["floor", "thing"], speed)))
    for i in range(4):
        mass, radius, speed = log_uniform(0.1, 5), log_uniform(0.02, 0.1), log_uniform(0.3, 3)
        stiffness = log_uniform(3, 30) * 1e3 * mass
        contact = f'<contact><stiffness value="{stiffness:g}"/><damping value="{log_uniform(1, 20) * mass:g}"/></contact>'
        path = write(f"bullet-{i:02}.urdf", ball_urdf(mass, radius, contact))
        numbers = {"step": 1 / 1000, "radius": radius, "mass": mass, "gravity": 9.81, "urdf": path}
        flags = ["--engine", "bullet", "--step", "1 ms"]
        cases.append(("bullet", path, speed, flags, lambda n=numbers, v=speed: bullet_impact(n, v)))
    for i in range(4):
        mass, radius, speed = log_uniform(0.1, 5), log_uniform(0.02, 0.1), log_uniform(0.3, 3)
        properties = (
            f'<drake:proximity_properties><drake:point_contact_stiffness value="{log_uniform(1e3, 1e5) * mass:g}"/>'
            f'<drake:hunt_crossley_dissipation value="{log_uniform(0.05, 3)}"/></drake:proximity_properties>'
        )
        path = write(f"drake-{i:02}.urdf", ball_urdf(mass, radius, properties=properties))
        numbers = {"step": 0.001, "radius": radius, "mass": mass, "gravity": 9.81, "urdf": path}
        cases.append(("drake", path, speed, [], lambda n=numbers, v=speed: drake_impact(n, v)))
    for i in range(4):
        engine = "dart" if i < 2 else "bullet"
        mass, radius, speed = log_uniform(0.1, 5), log_uniform(0.02, 0.1), log_uniform(0.8, 3)
        numbers = {"step": 0.001, "radius": radius, "mass": mass, "gravity": 9.8}
        numbers["restitution"], numbers["plane_restitution"] = log_uniform(0.5, 0.95), log_uniform(0.8, 1.0)
        path = write(f"{engine}-{i:02}.sdf", world(engine, numbers))
        run = dart_impact if engine == "dart" else bullet_impact
        cases.append((engine, path, speed, [], lambda n=numbers, v=speed, run=run: run(n, v)))
    chance = random.Random(seed)
    for i in range(50):
        text, speed = nested_classes(chance)
        path = write(f"layered-{i:02}.xml", text)
        run = lambda path=path, speed=speed: mujoco_impact(path, ["floor", "thing"], speed)  # noqa: E731
        cases.append(("mujoco", path, speed, ["--pair", "floor,thing"], run))
    program = ode_program()
    for i in range(6):
        mass, radius, speed = log_uniform(0.1, 5), log_uniform(0.02, 0.1), log_uniform(0.5, 3)
        numbers = {"step": 0.001, "radius": radius, "mass": mass, "gravity": 9.8}
        numbers["restitution"], numbers["plane_restitution"] = log_uniform(0.3, 0.9), log_uniform(0.3, 0.9)
        # Soft contacts without restitution, and hard ones with it. Debian's ODE does not limit the rebound to max_vel as Gazebo's
        # does, therefore max_vel is set above all speeds here.
        numbers["kp"], numbers["kd"] = log_uniform(5, 100) * 1e3 * mass, log_uniform(5, 60) * mass
        if i % 2 == 1:
            numbers["kp"], numbers["kd"] = 1e12, 1.0
        numbers["threshold"] = 0.05 if i % 2 == 1 else 1e5
        path = write(f"ode-{i:02}.sdf", world("ode", numbers))
        cases.append(("ode", path, speed, [], lambda p=path, n=numbers, v=speed: ode_impact(program, p, n, v)))
    return cases


SHIPPED = [
    "pybullet_data/mjcf/*.xml",
    "mujoco/testdata/*.xml",
    "dm_control/suite/*.xml",
    "gymnasium/envs/mujoco/assets/*.xml",
    "gymnasium_robotics/envs/assets/fetch/*.xml",
    "mujoco_playground/_src/dm_control_suite/xmls/*.xml",
]


def shipped_models():
    """Returns models inside the installed packages: of each that MuJoCo can load, pairs of a plane or a ball and a body that
    moves freely."""
    import mujoco

    folder = next(VENV.glob("lib/python*/site-packages"))
    found = [path for pattern in SHIPPED for path in sorted(folder.glob(pattern))]
    cases, others, refused = [], [], []
    for path in (path for path in found if not path.name.startswith("fixed-")):
        name = f"{path.relative_to(folder).parts[0]}/{path.name}"
        try:
            model = mujoco.MjModel.from_xml_path(str(path))
        except Exception as error:
            refused.append((name, f"MuJoCo: {str(error).splitlines()[0]}"))
            continue
        pairs = candidates(model)
        if not pairs:
            continue
        reports = []
        for pair in pairs[:8]:
            report, why = check(path, "--pair", ",".join(pair), "--speed", "3")
            if report is None:
                refused.append((name, f"carom: {why}"))
                break
            reports += [(one, moves_without_resistance(model, pair)) for one in report["pairs"] if one["mass"]]
        # Pairs with the largest rebound, beginning with bodies on which nothing else acts.
        reports.sort(key=lambda one: (not one[1], -(one[0]["restitution"] or 0.0)))
        for one, counted in reports[:2]:
            pair = one["geometries"]
            run = lambda p=path, q=pair: mujoco_impact(p, q, 3.0)  # noqa: E731
            (cases if counted else others).append(("mujoco", path, 3.0, ["--pair", ",".join(pair)], run))
    return cases, others, refused


def geom_id(model, name):
    return int(name[5:]) if name.startswith("geom#") else model.geom(name).id


def moves_without_resistance(model, pair):
    """Returns whether the moving bodies carry no others and have no joints with resistance, their centre lies on the line of
    impact, and gravity has no component across it, which would cause sliding."""
    import mujoco
    import numpy as np

    moving = [int(b) for b in (model.geom_bodyid[geom_id(model, name)] for name in pair) if model.body_weldid[b] != 0]
    trees = [model.body_rootid[b] for b in moving]
    single = all(sum(model.body_rootid[b] == tree for b in range(model.nbody)) == 1 for tree in trees)
    dofs = [d for d in range(model.nv) if model.dof_bodyid[d] in moving]
    brakes = any(model.dof_damping[d] or model.dof_frictionloss[d] for d in dofs)
    centres = [abs(model.geom_pos[g] - model.body_ipos[model.geom_bodyid[g]]).max() for g in (geom_id(model, name) for name in pair) if model.geom_bodyid[g]]
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    planes = [g for g in (geom_id(model, name) for name in pair) if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_PLANE]
    across = [np.linalg.norm(np.cross(data.geom_xmat[g].reshape(3, 3)[:, 2], model.opt.gravity)) for g in planes]
    return single and not brakes and max(centres) < 1e-6 and max(across, default=0.0) < 1e-6


def candidates(model):
    """Returns pairs of a plane and a geometry, or of two balls, on a body with free or slide joints without springs or tendons."""
    import mujoco

    shapes = mujoco.mjtGeom
    springs = {model.body_rootid[model.jnt_bodyid[j]] for j in range(model.njnt) if model.jnt_stiffness[j]}
    for wrap in range(model.nwrap):
        if model.wrap_type[wrap] == mujoco.mjtWrap.mjWRAP_JOINT:
            springs.add(model.body_rootid[model.jnt_bodyid[model.wrap_objid[wrap]]])
        elif model.wrap_type[wrap] == mujoco.mjtWrap.mjWRAP_SITE:
            springs.add(model.body_rootid[model.site_bodyid[model.wrap_objid[wrap]]])
        elif model.wrap_type[wrap] in (int(mujoco.mjtWrap.mjWRAP_SPHERE), int(mujoco.mjtWrap.mjWRAP_CYLINDER)):
            springs.add(model.body_rootid[model.geom_bodyid[model.wrap_objid[wrap]]])

    def free(g):
        body = model.geom_bodyid[g]
        joint = model.body_jntadr[body]
        kinds = [int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
        first = joint >= 0 and int(model.jnt_type[joint]) in kinds
        return first and model.body_rootid[body] == body and body not in springs

    def touch(a, b):
        masks = model.geom_contype[a] & model.geom_conaffinity[b] or model.geom_contype[b] & model.geom_conaffinity[a]
        return masks and model.body_rootid[model.geom_bodyid[a]] != model.body_rootid[model.geom_bodyid[b]]

    found = []
    for g in (g for g in range(model.ngeom) if free(g)):
        for other in range(model.ngeom):
            balls = model.geom_type[g] == shapes.mjGEOM_SPHERE and model.geom_type[other] == shapes.mjGEOM_SPHERE
            plane = model.geom_type[other] == shapes.mjGEOM_PLANE and model.body_weldid[model.geom_bodyid[other]] == 0
            if touch(g, other) and (plane or balls):
                found.append([model.geom(one).name or f"geom#{one}" for one in sorted((g, other))])
    return [pair for i, pair in enumerate(found) if pair not in found[:i]]


# ---------------------------------------------------------------------------------------------------------------------
# The document.


def compare(cases):
    rows, worst = [], 0.0
    for engine, path, speed, flags, run in cases:
        name = path.name if FILES in path.parents else f"{path.relative_to(next(VENV.glob('lib/python*/site-packages'))).parts[0]}/{path.name}"
        report, why = check(path, "--speed", str(speed), *flags)
        if report is None:
            rows.append(f"| {name} | {engine} | refused: {why} | | | | | | |")
            worst = math.inf
            continue
        stated = report["pairs"][0]
        try:
            found = run()
        except Exception as error:  # noqa: BLE001, the engine's own words go into the table
            rows.append(f"| {name} | {engine} | not run: {error} | | | | | | |")
            continue
        e = stated["restitution"]
        off = abs(found["restitution"] - e) / max(e, 0.05)
        # With a margin, a contact may end before the surfaces meet.
        deep = (found["penetration"] - stated["penetration"]) / max(stated["penetration"], 1e-6)
        heavy = (found["mass"] / stated["mass"] - 1) if stated["mass"] else 0.0
        worst = max(worst, off, abs(deep), abs(heavy))
        low, high = stated["restitution_range"]
        print(f"   {name:34} {e:.4f} {found['restitution']:.4f} {deep:+.1e} {heavy:+.1e}", flush=True)
        rows.append(
            f"| {name}, {' – '.join(stated['geometries'])} | {engine} | {speed:g} | {e:.4f} | {low:.3f} to {high:.3f} "
            f"| {found['restitution']:.4f} | {1000 * stated['penetration']:.4g} | {1000 * found['penetration']:.4g} | {100 * heavy:+.2g} |"
        )
    return rows, worst


def fix_and_compare(cases, shipped_models=False):
    """Changes files so that they deliver a restitution, and runs them again; changed shipped models are written beside the files
    that they include."""
    rows, worst = [], 0.0
    for wanted, (engine, path, speed, flags, _) in zip([0.7, 0.5, 0.85, 0.3, 0.6, 0.9], cases):
        out = FILES / f"fixed-{path.name}" if not shipped_models else path.with_name(f"fixed-{path.name}")
        names = ["floor", "thing"] if not shipped_models else flags[1].split(",")
        command = [CAROM, "check", path, "--json", "--speed", str(speed), "--restitution", str(wanted), "--fix", out, "--overwrite", *flags]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            rows.append(f"| {path.name} | {wanted} | refused: {done.stderr.strip()} | |")
            continue
        fix = json.loads(done.stdout)["fix"]
        found = mujoco_impact(out, names, speed)["restitution"]
        if not fix["shortfall"]:
            worst = max(worst, abs(found / wanted - 1))
        print(f"   {path.name:34} wanted {wanted} delivered {found:.4f}", flush=True)
        rows.append(f"| {path.name} | {wanted} | {found:.4f} | {'; '.join(fix['shortfall'])} |")
    return rows, worst


HEAD = """# What robot files deliver

Generated by `make test-engines`: `carom check` says what a file will do, and the engine is run with it from {phases} starts that differ
in where within a step the touch falls. Restitution and penetration (mm) are means over these starts, *range* is what carom says they span,
and *mass* is how far the effective mass is off (%). Gazebo's own ODE is in no package registry: Debian's ODE is
run, with the numbers that Gazebo's sources combine and `max_vel` above all speeds, where the two are the same.

Worst difference of restitution (below 0.05: of 0.05), penetration and mass: {worst:.2g} %.
"""

TABLE = """
| file and pair | engine | speed (m/s) | said | range | delivered | penetration said | delivered | mass |
|---|---|---|---|---|---|---|---|---|
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED, help="of the MJCF files with classes within classes")
    arguments = parser.parse_args()
    in_environment()
    # MuJoCo writes its log into the current folder.
    os.chdir(WORK)
    print("== robot files in their engines", flush=True)
    made = generated_files(arguments.seed)
    rows, worst = compare(made)
    models, others, refused = shipped_models()
    shipped_rows, shipped_worst = compare(models)
    other_rows, _ = compare(others)
    fixed_rows, fixed_worst = fix_and_compare([case for case in made if case[0] == "mujoco"])
    # One pair of each model.
    first = {case[1]: case for case in reversed(models)}
    changed_rows, changed_worst = fix_and_compare(list(first.values()), shipped_models=True)
    worst = max(worst, shipped_worst, fixed_worst, changed_worst)
    text = HEAD.format(phases=PHASES, worst=100 * worst)
    text += f"\n## {len(made)} files made by a generator\n" + TABLE + "\n".join(rows)
    text += "\n\n## Models that ship inside packages (PyBullet, MuJoCo, dm_control, Gymnasium, MuJoCo Playground)\n" + TABLE + "\n".join(shipped_rows)
    if other_rows:
        text += "\n\nNot counted: impacts that pass the centre of mass or have gravity across them, bodies with others on joints, and joints that brake. What "
        text += "carom leaves out acts there: friction, limits and damping of joints, and poses that change.\n"
        text += TABLE + "\n".join(other_rows)
    text += "\n\n" + "\n".join(f"- `{name}` is not run. {why}" for name, why in refused)
    text += "\n\n## Files changed by `--restitution E --fix` (MuJoCo)\n\n| file | asked for | delivered | said |\n|---|---|---|---|\n"
    text += "\n".join([*fixed_rows, *changed_rows]) + "\n"
    (ROOT / "docs" / "robots.md").write_text(text)
    print(f"worst {100 * worst:.2g} %", flush=True)
    sys.exit(1 if worst > TOLERANCE else 0)


if __name__ == "__main__":
    main()
