# Run with: python impact_dart.py
import json

import dartpy
import numpy

world = dartpy.simulation.World()
world.setTimeStep({{step}})
world.setGravity([0, 0, 0])


def body(name, shape, restitution, height, free):
    skeleton = dartpy.dynamics.Skeleton(name)
    make = skeleton.createFreeJointAndBodyNodePair if free else skeleton.createWeldJointAndBodyNodePair
    joint, node = make()
    carrier = node.createShapeNode(shape)
    carrier.createCollisionAspect()
    surface = carrier.createDynamicsAspect()
    surface.setRestitutionCoeff(restitution)
    surface.setFrictionCoeff({{friction}})
    if free:
        node.setInertia(dartpy.dynamics.Inertia({{mass}}, [0, 0, 0], {{inertia}} * numpy.eye(3)))
        skeleton.setPositions([0, 0, 0, 0, 0, height])
        skeleton.setVelocities([0, 0, 0, 0, 0, -{{speed}}])
    else:
        place = dartpy.math.Isometry3()
        place.set_translation([0, 0, height])
        joint.setTransformFromParentBodyNode(place)
    world.addSkeleton(skeleton)
    return skeleton


# The restitutions of the two are multiplied.
size = 20 * {{radius}}
body("ground", dartpy.dynamics.BoxShape([size, size, size]), 1.0, -size / 2, False)
ball = body("ball", dartpy.dynamics.SphereShape({{radius}}), {{restitution}}, {{start}}, True)
for i in range(8):
    world.step()
print(json.dumps({"restitution": float(ball.getVelocities()[5]) / {{speed}}}))
