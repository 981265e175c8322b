# Run with: python impact_exudyn.py
import json

import exudyn as exu
from exudyn.utilities import *

SC = exu.SystemContainer()
mbs = SC.AddSystem()
radius = {{radius}}
# A ball that meets an equal ball held fast; they touch at t = 0.
fixed = mbs.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0]))
ball = mbs.CreateRigidBody(
    referencePosition=[2 * radius, 0, 0],
    initialVelocity=[-{{speed}}, 0, 0],
    inertia=InertiaSphere({{mass}}, radius),
    # Explicit integrators take no Euler parameters.
    nodeType=exu.NodeType.RotationRotationVector,
)
state = mbs.AddNode(NodeGenericData(initialCoordinates=[0, 0, 0, 0], numberOfDataCoordinates=4))
contact = mbs.AddObject(ObjectContactSphereSphere(
    markerNumbers=[
        mbs.AddMarker(MarkerNodeRigid(nodeNumber=fixed)),
        mbs.AddMarker(MarkerBodyRigid(bodyNumber=ball)),
    ],
    nodeNumber=state, spheresRadii=[radius, radius],
    contactStiffness={{stiffness}}, contactStiffnessExponent={{exponent}},
    {{damper}},
))
position = mbs.AddSensor(SensorBody(
    bodyNumber=ball, storeInternal=True, outputVariableType=exu.OutputVariableType.Position))
velocity = mbs.AddSensor(SensorBody(
    bodyNumber=ball, storeInternal=True, outputVariableType=exu.OutputVariableType.Velocity))
force = mbs.AddSensor(SensorObject(
    objectNumber=contact, storeInternal=True, outputVariableType=exu.OutputVariableType.Force))
mbs.Assemble()

settings = exu.SimulationSettings()
settings.solutionSettings.writeSolutionToFile = False
settings.solutionSettings.sensorsWritePeriod = {{step}}
settings.timeIntegration.numberOfSteps = {{steps}}
settings.timeIntegration.endTime = {{steps}} * {{step}}
settings.timeIntegration.adaptiveStep = False
settings.timeIntegration.discontinuous.iterationTolerance = 1e12
settings.timeIntegration.verboseMode = 0
mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)

x = mbs.GetSensorStoredData(position)[:, 1]
t, v = mbs.GetSensorStoredData(velocity)[:, 0], mbs.GetSensorStoredData(velocity)[:, 1]
f = -mbs.GetSensorStoredData(force)[:, 1]
apart = next(i for i in range(1, len(x)) if x[i] > 2 * radius and v[i] > 0)
before = x[apart - 1] - 2 * radius
# The instant of separation between two steps.
duration = t[apart - 1] - before / v[apart]
print(json.dumps({
    "restitution": float(v[-1]) / {{speed}},
    "force_max": float(max(f)),
    "duration": float(duration),
}))
