# Run with: python impact_newton.py
import json

import newton
import warp

warp.config.quiet = True
warp.set_device("cpu")
builder = newton.ModelBuilder(gravity=(0.0, 0.0, 0.0))
contact = newton.ModelBuilder.ShapeConfig(
    density=0.0, ke={{stiffness}}, kd={{damping}}, kf={{friction_gain}}, ka=0.0, mu={{friction}},
)
builder.add_ground_plane(cfg=contact)
inertia = {{inertia}}
ball = builder.add_body(
    xform=warp.transform((0.0, 0.0, {{radius}}), warp.quat_identity()), mass={{mass}},
    inertia=warp.mat33(inertia, 0.0, 0.0, 0.0, inertia, 0.0, 0.0, 0.0, inertia),
)
builder.add_shape_sphere(ball, radius={{radius}}, cfg=contact)
model = builder.finalize()
solver = newton.solvers.SolverSemiImplicit(model)
pipeline = newton.CollisionPipeline(model)
contacts = pipeline.contacts()
now, after, control = model.state(), model.state(), model.control()
velocity = now.body_qd.numpy()
velocity[0] = [0.0, 0.0, -{{speed}}, 0.0, 0.0, 0.0]
now.body_qd.assign(velocity)
force = []
rate = -{{speed}}
for i in range({{steps}}):
    now.clear_forces()
    pipeline.collide(now, contacts)
    solver.step(now, after, control, contacts, {{step}})
    now, after = after, now
    before, rate = rate, float(now.body_qd.numpy()[0, 2])
    force.append({{mass}} * (rate - before) / {{step}})
touching = [i for i, f in enumerate(force) if f > 1e-5 * max(force)]
print(json.dumps({
    "restitution": rate / {{speed}},
    "force_max": max(force),
    "duration": (touching[-1] - touching[0] + 1) * {{step}},
}))
