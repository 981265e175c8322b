"""Runs exports with friction and rolling friction in the engines and compares them with closed forms.

The exported input is run unchanged except for the initial velocities and, for rolling, a floor and a weight.

- *Sliding*: an oblique impact that slides throughout. Coulomb's impulse is mu times the normal one, so that the tangential velocity
  of a ball at a plane decreases by mu (1 + e) v with any law. In LIGGGHTS the damper parallel to the tangential spring is not
  limited by friction and adds mu v c^2/(kt m) before the spring slides.
- *Sticking*: an oblique impact with so much friction that it does not slide. The tangential effective mass of the contact point is
  2/7 m. With a tangential spring and damper (LAMMPS, LIGGGHTS, the plugin) it oscillates during the contact; in MuJoCo, where
  friction is a damper as strong as the normal one, its velocity decreases as exp(-c t/m); Bullet stops it.
- *Rolling*: a ball rolls on the floor under its weight. The moment mu_r R N decelerates it by 5/7 mu_r g; that of the plugin is
  multiplied by w/(w + w0) at a spin w, where w0 is the `rolling_speed`.
"""

import json
import math
import re

IMPACT = "--law kelvin-voigt-1865 --mass 1 --stiffness {stiffness} --exponent 1 --speed 1 --restitution 0.7568 --calibration exact --exit force"
GRAVITY = 9.81
# The hard contact is short, so that the normal of the spheres does not turn; with the soft one a ball rolls for a few steps only.
HARD, SOFT = IMPACT.format(stiffness=1e10), IMPACT.format(stiffness=1e6)
# Coefficient of friction, and tangential velocity divided by the approach speed (1 m/s).
SLIDING, STICKING = (0.1, 2.0), (3.0, 0.2)
# Contacts with a tangential spring slide at the end, where the normal force decreases; the larger the friction, the shorter this
# is.
STICKING_SPRING = (10.0, 0.2)
ROLLING, ROLLS_FOR = 0.01, 0.1
# Tangential divided by normal stiffness, by Mindlin for a Poisson's ratio of 0.3, which is assumed for bodies without material
# data.
RATIO = 1.4 / 1.7
# Largest admissible error relative to the closed form.
TOLERANCE = 0.01


def radius_of(deck):
    """Returns the radius of the exported ball or grains (m)."""
    return float(re.search(r'(?:type="sphere" size="|GEOM_SPHERE, radius=|single -)([-+.\de]+)', deck["text"])[1])


def oblique_input(deck, along):
    """Returns the input of a particle code for an oblique impact that prints velocities and spins of the first grain."""
    text = deck["text"]
    for side, sign in (("left", "+"), ("right", "-")):
        text = re.sub(rf"(velocity +{side} set \S+) 0 0", rf"\1 {sign}{0.5 * along!r} 0".replace("+", ""), text)
    watched = "compute turns all property/atom omegaz\ncompute spin left reduce sum c_turns\nvariable along equal vy[1]\n"
    return text.replace("thermo_style    custom step v_indentation v_rate v_force", watched + "thermo_style custom step v_along c_spin v_force")


def table_rows(output):
    """Returns the rows of a table with four columns."""
    rows = [line.split() for line in output.splitlines()]
    rows = [row for row in rows if len(row) == 4 and all(re.fullmatch(r"[-+.\deE]+", word) for word in row)]
    return [[float(word) for word in row] for row in rows]


def rolling_input(deck, floor):
    """Returns the input of a particle code for a ball that rolls. A grain of half the radius with a floor has the same effective
    radius and mass as the two grains."""
    radius, step = 0.5 * radius_of(deck), deck["step"]["size"]
    mass, text = deck["expresses"]["mass"], deck["text"]
    depth = mass * GRAVITY / deck["expresses"]["stiffness"]
    units = " units box" if "units box" in text else ""
    body = f"diameter {2 * radius!r} density {mass / (4 / 3 * math.pi * radius**3)!r}"
    text = re.sub(r"create_atoms +1 single \S+ 0 0.*\ncreate_atoms.*\n", f"create_atoms 1 single 0 0 {radius - depth!r}{units}\n", text)
    text = re.sub(r"(set +group all diameter).*\n(set +group all mass.*\n)?", f"set group all {body}\n", text)
    text = re.sub(r"group +left.*\ngroup +right.*\nvelocity.*\nvelocity.*\n", f"velocity all set 0.5 0 0{units}\n", text)
    text = text.split("variable        indentation")[0]
    text = re.sub(r"(fix +motion)", f"{floor(text)}\nfix weight all gravity {GRAVITY} vector 0 0 -1\n\\1", text)
    text += "variable along equal vx[1]\nvariable height equal z[1]\nthermo_style custom step v_along v_height v_along\n"
    text += "thermo_modify lost ignore norm no format float %.12g\n" if units else "thermo_modify format float %.12g\n"
    count = round(ROLLS_FOR / step)
    return text + f"thermo {count}\nrun {2 * count}\n", count * step


def floors(engine):
    """Returns a function for the floor of an engine with the arguments of its pair style."""
    def lammps(text):
        return f"fix floor all wall/gran granular {re.search(r'pair_coeff [*] [*] (.*)', text)[1]} zplane 0 NULL"

    def liggghts(text):
        model, limit = re.search(r"pair_style +gran (model.*) (limitForce .*)", text).groups()
        return f"fix floor all wall/gran {model} primitive type 1 zplane 0.0 {limit}"

    def plugin(text):
        return f"fix floor all wall/carom zplane 0 NULL {re.search(r'pair_coeff [*] [*] (.*)', text)[1]}"

    return {"lammps": lammps, "liggghts": liggghts, "lammps-plugin": plugin}[engine]


SCRIPTS = {
    "mujoco": (r"data\.qvel\[2\] = .*", "data.qvel[:] = {start}", "data.qvel[0], data.qvel[4]", "mujoco.mj_step(model, data)"),
    "pybullet": (r"pybullet\.resetBaseVelocity.*", "pybullet.resetBaseVelocity(ball, {start}[:3], {start}[3:])",
                 "pybullet.getBaseVelocity(ball)[0][0], pybullet.getBaseVelocity(ball)[1][1]", "pybullet.stepSimulation()"),
}


def script(engine, deck, start, count=None):
    """Returns the Python script of an engine that prints tangential velocity and spin at the end; for rolling also with the
    weight."""
    pattern, begin, printed, step = SCRIPTS[engine]
    text = re.sub(pattern, begin.format(start=start), deck["text"])
    if count is not None:
        depth = deck["expresses"]["mass"] * GRAVITY / deck["expresses"]["stiffness"]
        radius = radius_of(deck)
        text = text.replace(f"0 0 {radius!r}", f"0 0 {radius - depth!r}").replace(f"[0, 0, {radius!r}]", f"[0, 0, {radius - depth!r}]")
        text = text.replace('gravity="0 0 0"', f'gravity="0 0 -{GRAVITY}"').replace("setGravity(0, 0, 0)", f"setGravity(0, 0, -{GRAVITY})")
        text = re.sub(r"force = \[\][\s\S]*", f"for i in range({count}):\n    {step}\n", text)
    else:
        text = text.replace("pybullet.disconnect()", "")
    return text + f"print(json.dumps({{'along': [{printed}]}}))\n"


def rebound_along(engine, deck):
    """Returns the tangential velocity of the contact point after an impact that sticks, divided by that before."""
    duration, law = deck["delivers"]["duration"], deck["expresses"]
    if engine == "pybullet":
        return 0.0
    if engine == "mujoco":
        return math.exp(-law["damping"] * duration / law["mass"])
    mass = 2 / 7 * law["mass"]
    if engine == "lammps-plugin":
        e = math.log(deck["delivers"]["requested"])
        stiffness = float(re.search(r" tangential (\S+)", deck["text"])[1])
        fade = -e / math.hypot(math.pi, e) * math.sqrt(stiffness / mass)
    else:
        # The damping coefficient is that of the normal direction.
        stiffness = RATIO * law["stiffness"]
        fade = law["damping"] / (2 * mass)
    turn = math.sqrt(stiffness / mass - fade**2)
    return math.exp(-fade * duration) * (math.cos(turn * duration) - fade / turn * math.sin(turn * duration))


def measure(engine, export, execute):
    """Returns the delivered numbers of one engine and the closed forms, by quantity.

    `export(flags)` returns the export, `execute(name, text)` the output of the engine for an input."""
    particles = engine not in SCRIPTS
    found = {}

    def impact(name, friction, along):
        deck = export(f"{HARD} --friction {friction}")
        radius = radius_of(deck)
        if particles:
            # Values of one of two equal grains, whose tangential velocity is half that of one ball at a plane.
            _, velocity, turning, _ = table_rows(execute(name, oblique_input(deck, along)))[-1]
            return deck, 2 * velocity, 2 * (velocity + turning * radius)
        output = execute(name, script(engine, deck, [along, 0.0, -1.0, 0.0, 0.0, 0.0]))
        velocity, turning = json.loads(output.splitlines()[-1])["along"]
        return deck, velocity, velocity - turning * radius

    deck, velocity, _ = impact("sliding", *SLIDING)
    lost = SLIDING[0] * (1 + deck["delivers"]["restitution"])
    if engine == "liggghts":
        # Before the spring slides, the damper acts without being limited by Coulomb's law.
        law = deck["expresses"]
        lost += SLIDING[0] * law["damping"] ** 2 / (RATIO * law["stiffness"] * law["mass"])
    found["sliding, loss of velocity (m/s)"] = (SLIDING[1] - velocity, lost, lost)
    deck, _, point = impact("sticking", *(STICKING_SPRING if particles else STICKING))
    # The error is relative to the initial velocity, because the final one may be zero.
    found["sticking, velocity of the contact (m/s)"] = (point, STICKING[1] * rebound_along(engine, deck), STICKING[1])
    deck = export(f"{SOFT} --friction 0.5 --rolling-friction {ROLLING}")
    if particles:
        text, time = rolling_input(deck, floors(engine))
        # The ball slides initially.
        before, velocity = (row[1] for row in table_rows(execute("rolling", text))[-2:])
    else:
        before, count = 0.5, round(ROLLS_FOR / deck["step"]["size"])
        time = count * deck["step"]["size"]
        output = execute("rolling", script(engine, deck, [0.5, 0.0, 0.0, 0.0, 0.5 / radius_of(deck), 0.0], count))
        velocity = json.loads(output.splitlines()[-1])["along"][0]
    slows = 5 / 7 * ROLLING * GRAVITY
    if engine == "lammps-plugin":
        # The `rolling_speed` is 0.1 rad/s.
        spin = 0.5 * (before + velocity) / (0.5 * radius_of(deck))
        slows *= spin / (spin + 0.1)
    found["rolling, deceleration (m/s^2)"] = ((before - velocity) / time, slows, slows)
    return found


def sentence(found, say):
    """Returns the text for the document, and the largest difference."""
    worst = max(abs(delivered - closed) / scale for delivered, closed, scale in found.values())
    parts = []
    for what, (delivered, closed, scale) in found.items():
        say(f"   {what:42} {delivered:.6g} {closed:.6g} {(delivered - closed) / scale:+.1e}")
        parts.append(f"{what} {delivered:.5g} ({closed:.5g}, {100 * (delivered - closed) / scale:+.1g} %)")
    return f"\n\nFriction and rolling friction, delivered and in brackets by the closed form: {'; '.join(parts)}.", worst
