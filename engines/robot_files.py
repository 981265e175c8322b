"""Robot files with known parameters from a generator: the same seed yields the same files."""

import math
import random

CHANCE = random.Random(18)


def log_uniform(low, high):
    """Returns a random number between two, uniformly distributed in its logarithm, with three digits."""
    return float(f"{math.exp(CHANCE.uniform(math.log(low), math.log(high))):.3g}")


def mjcf(i):
    """Returns an MJCF file with a ball, box or capsule on a plane, or two balls, and contact parameters of every form."""
    step = CHANCE.choice([0.0005, 0.001, 0.002])
    option = CHANCE.choice(['integrator="Euler"', 'integrator="RK4"', 'integrator="implicitfast"', ""])
    cone = CHANCE.choice(['cone="elliptic"', f'impratio="{log_uniform(1, 10)}"', ""])
    time, ratio = log_uniform(0.01, 0.06), log_uniform(0.05, 0.8)
    direct = f"{-log_uniform(3e3, 3e4):g} {-log_uniform(5, 60):g}"
    solref = CHANCE.choice([f"{time} {ratio}", f"{time} {ratio}", direct])
    solimp = CHANCE.choice(["", 'solimp="0.9 0.9 0.001"', f'solimp="{log_uniform(0.3, 0.9)} 0.95 {log_uniform(0.001, 0.02)} 0.4 3"'])
    floor_ref = CHANCE.choice(["", f'solref="{log_uniform(0.01, 0.06)} {log_uniform(0.05, 0.8)}"'])
    extra = CHANCE.choice(["", 'priority="1"', 'solmix="3"', f'friction="{log_uniform(0.2, 1.5)}"', 'margin="0.002"', 'condim="1"'])
    size = log_uniform(0.02, 0.2)
    shape = CHANCE.choice([
        f'type="sphere" size="{size}"',
        f'type="sphere" size="{size}"',
        f'type="ellipsoid" size="{size} {size} {size / 2}"',
        f'type="capsule" size="{size / 2} {size}"',
        f'type="box" size="{size} {size / 2} {size}"',
    ])
    inertial = CHANCE.choice(["", f'mass="{log_uniform(0.05, 20)}"', f'density="{log_uniform(100, 8000)}"'])
    geom = f'{shape} {inertial} solref="{solref}" {solimp} {extra}'
    pair = ""
    if i % 6 == 5:
        pair = f'<contact><pair geom1="floor" geom2="thing" solref="{time} {ratio}"/></contact>'
    if i % 6 == 4:
        # The parameters are in a class, and two balls meet.
        return f"""<mujoco><option timestep="{step}" {option} {cone} gravity="0 0 0"/>
  <default><default class="soft"><geom solref="{solref}" {solimp}/></default></default>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom name="floor" size="{size}" {inertial} {floor_ref}/></body>
    <body pos="{3 * size} {size} 1" childclass="soft"><freejoint/><geom name="thing" size="{size * 0.7}" {extra}/></body>
  </worldbody></mujoco>
"""
    return f"""<mujoco><option timestep="{step}" {option} {cone}/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" {floor_ref}/>
    <body pos="0 0 2"><freejoint/><geom name="thing" {geom}/></body>
  </worldbody>{pair}</mujoco>
"""


def ball_urdf(mass, radius, contact="", properties=""):
    inertia = 0.4 * mass * radius**2
    return f"""<robot name="ball"><link name="ball">{contact}
  <inertial><mass value="{mass}"/><inertia ixx="{inertia}" iyy="{inertia}" izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision name="ball"><geometry><sphere radius="{radius}"/></geometry>{properties}</collision>
</link></robot>
"""


def world(engine, numbers):
    def surface(e):
        threshold = f"<threshold>{numbers['threshold']}</threshold>" if "threshold" in numbers else ""
        contact = ""
        if "kp" in numbers:
            contact = f"<contact><ode><kp>{numbers['kp']:g}</kp><kd>{numbers['kd']:g}</kd><max_vel>1000</max_vel><min_depth>0</min_depth></ode></contact>"
        return f"<surface><bounce><restitution_coefficient>{e}</restitution_coefficient>{threshold}</bounce>{contact}</surface>"

    return f"""<sdf version="1.7"><world name="w"><physics type="{engine}"><max_step_size>{numbers['step']}</max_step_size></physics>
  <model name="floor"><static>true</static><link name="l"><collision name="c">
    <geometry><plane><normal>0 0 1</normal></plane></geometry>{surface(numbers['plane_restitution'])}</collision></link></model>
  <model name="ball"><pose>0 0 1 0 0 0</pose><link name="l"><inertial><mass>{numbers['mass']}</mass></inertial><collision name="c">
    <geometry><sphere><radius>{numbers['radius']}</radius></sphere></geometry>{surface(numbers['restitution'])}</collision></link></model>
</world></sdf>
"""


def nested_classes(chance):
    """Returns an MJCF file with parameters from nested classes, and a speed: every option that affects a contact is drawn at
    random."""
    choice = chance.choice

    def number(low, high):
        return f"{math.exp(chance.uniform(math.log(low), math.log(high))):.3g}"

    def maybe(share, text):
        return text if chance.random() < share else ""

    def solref():
        direct = f"-{number(2e3, 5e4)} -{number(3, 200)}"
        return choice([f"{number(0.002, 0.08)} {number(0.03, 1.2)}"] * 2 + [direct])

    def solimp():
        drawn = f"{number(0.2, 0.95)} {number(0.5, 0.99)} {number(5e-4, 0.03)} {chance.uniform(0.1, 0.9):.2f} {choice([1, 2, 3, 5])}"
        return choice(["0.9 0.95 0.001 0.5 2", "0.95 0.99", "0 0.9 0.01", "0.3 0.9 0.02 0.2 4", drawn])

    def contact(share):
        margins = ['margin="0.002"', 'margin="0.005" gap="0.002"', 'margin="0.004" gap="0.004"', 'gap="0.001"']
        friction = f'friction="{number(0.1, 2)} {number(0.001, 0.05)} {number(1e-5, 1e-3)}"'
        attributes = [maybe(0.8 * share, f'solref="{solref()}"'), maybe(0.5 * share, f'solimp="{solimp()}"')]
        attributes += [maybe(0.4, f'condim="{choice([1, 3, 4, 6])}"'), maybe(0.4, friction), maybe(0.2, f'solmix="{number(0.2, 5)}"')]
        attributes += [maybe(0.25, f'priority="{choice([0, 1, 2])}"'), maybe(0.3, choice(margins))]
        return " ".join(text for text in attributes if text)

    options = f'timestep="{choice([0.0002, 0.0005, 0.001, 0.002, 0.004, 0.005])}" cone="{choice(["pyramidal", "elliptic"])}"'
    options += f' integrator="{choice(["Euler", "implicitfast", "implicit", "RK4"])}"' + maybe(0.5, f' impratio="{number(0.2, 20)}"')
    flag = ""
    if chance.random() < 0.12:
        friction = f"{number(0.3, 1.5)} {number(0.3, 1.5)} 0.005 0.0001 0.0001"
        options += f' o_solref="{solref()}" o_solimp="{solimp()}" o_margin="{choice([0, 0.003])}" o_friction="{friction}"'
        flag = '<flag override="enable"/>'
    elif chance.random() < 0.15:
        flag = '<flag refsafe="disable"/>'
    compiler = choice(['angle="radian" autolimits="true"', 'inertiafromgeom="true"', 'boundmass="0.01" boundinertia="0.00001"', ""])
    size = float(number(0.02, 0.2))
    shapes = [f'type="sphere" size="{size}"'] * 3 + [
        f'type="ellipsoid" size="{size} {size} {size / 2:.4g}"',
        f'type="capsule" size="{size / 2:.4g} {size}"',
        f'type="capsule" fromto="{-size} 0 0 {size} 0 0" size="{size / 3:.4g}"',
        f'type="box" size="{size} {size / 2:.4g} {size}"',
        f'type="cylinder" size="{size} {size / 2:.4g}"',
    ]
    shape, mass = choice(shapes), choice(["", f'mass="{number(0.05, 30)}"', f'density="{number(100, 9000)}"'])
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    joints = ["<freejoint/>", "<freejoint/>", '<joint type="free"/>', '<joint type="slide" axis="0 0 1"/>']
    joint = choice([*joints, f'{slides}<joint type="ball"/>', f'<joint type="slide" axis="0 0 1" armature="{number(0.01, 1)}"/>'])
    tensor = f"{number(0.01, 0.02)} {number(0.01, 0.02)} {number(0.01, 0.02)}"
    inertial = maybe(0.25, f'<inertial pos="0 0 0" mass="{number(0.1, 20)}" diaginertia="{tensor}"/>')

    def named():
        return maybe(0.6, f'class="{choice("abcz")}"')

    child, scene = maybe(0.5, f'childclass="{choice("abcz")}"'), choice(["plane"] * 5 + ["balls", "tilted"])
    if scene == "balls":
        options += ' gravity="0 0 0"'
        bodies = f"""<body pos="0 0 1" {child}><freejoint/><geom name="floor" {named()} size="{size}" {mass} {contact(0.4)}/></body>
    <body pos="{3 * size:.4g} {size:.4g} 1.1"><frame euler="0 10 0"><geom name="thing" {named()} size="{0.7 * size:.4g}" {contact(0.5)}/></frame>
      <freejoint/></body>"""
    else:
        options += maybe(0.3, f' gravity="0 0 -{number(1, 20)}"')
        tilt = 'zaxis="0.3 0.1 1"' if scene == "tilted" else ""
        if tilt:
            shape, joint = f'type="sphere" size="{size}"', "<freejoint/>"
        weight = maybe(0.15, 'gravcomp="0.5"')
        thing = f'<geom name="thing" {named()} {shape} {"" if inertial else mass} {contact(0.5)}/>'
        bodies = f"""<geom name="floor" type="plane" size="5 5 1" {tilt} {named()} {contact(0.4)}/>
    <body pos="0 0 2" {child} {weight}>{joint}{inertial}{thing}</body>"""
    pair = ""
    if chance.random() < 0.2:
        attributes = [maybe(0.6, f'solref="{solref()}"'), maybe(0.5, f'solimp="{solimp()}"'), maybe(0.3, f'condim="{choice([1, 3, 4, 6])}"')]
        attributes += [maybe(0.3, 'friction="0.6 0.8 0.01 0.001 0.001"'), maybe(0.3, 'margin="0.003" gap="0.001"')]
        pair = f'<contact><pair geom1="floor" geom2="thing" {" ".join(attributes)}/></contact>'
    text = f"""<mujoco>
  <compiler {compiler}/>
  <option {options}>{flag}</option>
  <default>
    <geom {contact(0.4)}/>
    <default class="a"><geom {contact(0.6)}/>
      <default class="b"><geom {contact(0.5)}/>
        <default class="c"><geom {maybe(0.5, f'density="{number(200, 5000)}"')} {contact(0.3)}/></default></default></default>
    <default class="z"><geom {contact(1)}/></default>
  </default>
  <worldbody>
    {bodies}
  </worldbody>{pair}
</mujoco>
"""
    return text, float(number(0.1, 5))
