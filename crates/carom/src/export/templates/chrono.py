# Run with PyChrono: python impact_chrono.py
import json

import pychrono as chrono

# The effective radius of every contact that Bullet finds (0.1 m unless it is set).
chrono.ChCollisionInfo.SetDefaultEffectiveCurvatureRadius({{effective_radius}})

system = chrono.ChSystemSMC()
system.SetCollisionSystemType(chrono.ChCollisionSystem.Type_BULLET)
system.SetGravitationalAcceleration(chrono.ChVector3d(0, 0, 0))
system.SetContactForceModel(chrono.ChSystemSMC.{{model}})
system.UseMaterialProperties({{properties}})

material = chrono.ChContactMaterialSMC()
material.SetFriction({{friction}})
material.SetKt({{tangential}})
material.SetGt(0)
{{material}}

# Two equal spheres that touch at t = 0; effective mass and radius are those of the pair.
balls = []
for x, v in (({{minus_radius}}, {{half_speed}}), ({{radius}}, {{minus_half_speed}})):
    ball = chrono.ChBodyEasySphere({{radius}}, {{density}}, False, True, material)
    ball.SetMass({{mass}})
    ball.SetPos(chrono.ChVector3d(x, 0, 0))
    ball.SetPosDt(chrono.ChVector3d(v, 0, 0))
    system.Add(ball)
    balls.append(ball)

step = {{step}}
force = []
rate = {{speed}}
for i in range({{steps}}):
    before = rate
    system.DoStepDynamics(step)
    rate = balls[0].GetPosDt().x - balls[1].GetPosDt().x
    force.append(0.5 * {{mass}} * (before - rate) / step)
touching = [i for i, f in enumerate(force) if f > 1e-9 * max(force)]
print(json.dumps({
    "restitution": -rate / {{speed}},
    "force_max": max(force),
    "duration": (touching[-1] - touching[0] + 1) * step,
}))
