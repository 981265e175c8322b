# Run with: python impact_newton.py
import json

import newton
import warp

warp.config.quiet = True
warp.set_device("cpu")
builder = newton.ModelBuilder(gravity=(0.0, 0.0, 0.0))
surface = newton.ModelBuilder.ShapeConfig(density=0.0, restitution={{restitution}}, mu={{friction}})
builder.add_ground_plane(cfg=surface)
inertia = {{inertia}}
ball = builder.add_body(
    xform=warp.transform((0.0, 0.0, {{start}}), warp.quat_identity()), mass={{mass}},
    inertia=warp.mat33(inertia, 0.0, 0.0, 0.0, inertia, 0.0, 0.0, 0.0, inertia),
)
builder.add_shape_sphere(ball, radius={{radius}}, cfg=surface)
model = builder.finalize()
solver = newton.solvers.SolverXPBD(model, enable_restitution=True)
pipeline = newton.CollisionPipeline(model)
contacts = pipeline.contacts()
now, after, control = model.state(), model.state(), model.control()
velocity = now.body_qd.numpy()
velocity[0] = [0.0, 0.0, -{{speed}}, 0.0, 0.0, 0.0]
now.body_qd.assign(velocity)
for i in range(8):
    now.clear_forces()
    pipeline.collide(now, contacts)
    solver.step(now, after, control, contacts, {{step}})
    now, after = after, now
print(json.dumps({"restitution": float(now.body_qd.numpy()[0, 2]) / {{speed}}}))
