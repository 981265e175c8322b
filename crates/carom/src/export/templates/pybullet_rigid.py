# Run with: python impact_pybullet.py
import json

import pybullet

pybullet.connect(pybullet.DIRECT)
pybullet.setGravity(0, 0, 0)
pybullet.setPhysicsEngineParameter(
    fixedTimeStep={{step}}, numSubSteps=0, contactSlop=0.0, contactERP=0.0,
    contactBreakingThreshold={{breaking}}, restitutionVelocityThreshold={{threshold}},
)
ground = pybullet.createMultiBody(0, pybullet.createCollisionShape(pybullet.GEOM_PLANE))
sphere = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius={{radius}})
ball = pybullet.createMultiBody({{mass}}, sphere, basePosition=[0, 0, {{start}}])
# The restitutions and the frictions of the two are multiplied.
pybullet.changeDynamics(ground, -1, restitution=1.0, lateralFriction=1.0, rollingFriction=0.0, spinningFriction=0.0)
pybullet.changeDynamics(
    ball, -1, restitution={{restitution}}, linearDamping=0.0, angularDamping=0.0,
    lateralFriction={{friction}}, rollingFriction={{rolling_friction}}, spinningFriction=0.0,
)
pybullet.resetBaseVelocity(ball, [0, 0, -{{speed}}])
for i in range(8):
    pybullet.stepSimulation()
print(json.dumps({"restitution": pybullet.getBaseVelocity(ball)[0][2] / {{speed}}}))
pybullet.disconnect()
