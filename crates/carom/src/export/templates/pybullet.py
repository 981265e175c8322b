# Run with: python impact_pybullet.py
import json

import pybullet

pybullet.connect(pybullet.DIRECT)
pybullet.setGravity(0, 0, 0)
# contactBreakingThreshold is PyBullet's own number, written because it outlives a connection.
pybullet.setPhysicsEngineParameter(fixedTimeStep={{step}}, numSubSteps=0, contactSlop=0.0, contactBreakingThreshold=0.02)
ground = pybullet.createMultiBody(0, pybullet.createCollisionShape(pybullet.GEOM_PLANE))
sphere = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius={{radius}})
ball = pybullet.createMultiBody({{mass}}, sphere, basePosition=[0, 0, {{radius}}])
pybullet.changeDynamics(ground, -1, restitution=0.0, lateralFriction=1.0, rollingFriction=0.0, spinningFriction=0.0)
pybullet.changeDynamics(
    ball, -1, restitution=0.0, linearDamping=0.0, angularDamping=0.0,
    lateralFriction={{friction}}, rollingFriction={{rolling_friction}}, spinningFriction=0.0,
    contactStiffness={{stiffness}}, contactDamping={{damping}},
)
pybullet.resetBaseVelocity(ball, [0, 0, -{{speed}}])
force = []
for i in range({{steps}}):
    pybullet.stepSimulation()
    force.append(sum(contact[9] for contact in pybullet.getContactPoints(ground, ball)))
touching = [i for i, f in enumerate(force) if f > 0]
print(json.dumps({
    "restitution": pybullet.getBaseVelocity(ball)[0][2] / {{speed}},
    "force_max": max(force),
    "duration": (touching[-1] - touching[0] + 1) * {{step}},
}))
pybullet.disconnect()
