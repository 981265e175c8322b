# Run with: yade -n -x impact_yade.py
import json

{{law}}

# Two equal spheres that touch at t = 0; effective mass and radius are those of the pair.
O.materials.append(material)
for x, v in (({{minus_radius}}, {{half_speed}}), ({{radius}}, {{minus_half_speed}})):
    ball = sphere((x, 0, 0), {{radius}}, material=material)
    ball.state.mass = {{mass}}
    ball.state.vel = (v, 0, 0)
    O.bodies.append(ball)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist={{skin}}),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [physics], [law]),
    NewtonIntegrator(damping=0, gravity=(0, 0, 0)),
]
O.dt = {{step}}

time, indentation, force = [], [], []
for i in range({{steps}}):
    a, b = O.bodies[0].state, O.bodies[1].state
    time.append(O.time)
    indentation.append({{diameter}} - (b.pos[0] - a.pos[0]))
    O.step()
    force.append(O.forces.f(1)[0])
a, b = O.bodies[0].state, O.bodies[1].state
# The overlap of a contact that pushes until it is cut, and of one that is never cut.
touching = [t for t, d, f in zip(time, indentation, force) if f > 0]
print(json.dumps({
    "restitution": (b.vel[0] - a.vel[0]) / {{speed}},
    "force_max": max(force),
    "duration": max(touching) - min(touching) + O.dt,
}))
