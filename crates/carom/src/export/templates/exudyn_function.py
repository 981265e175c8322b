# Run with: python impact_exudyn.py
import json

import exudyn as exu
from exudyn.utilities import *


def law(indentation, v):
    """The contact force (N); v > 0 while approaching."""
    if indentation <= 0:
        return 0.0
    spring = {{stiffness}} * indentation ** {{exponent}}
    damper = {{damping}} * indentation ** {{m}} * abs(v) ** {{q}} * (1 if v > 0 else -1){{half}}
    return {{total}}


def spring_force(mbs, t, item, u, v, k, d, offset, *older):
    # The connector pulls back with what is returned, so a push is negative.
    return -law(-u, -v)


SC = exu.SystemContainer()
mbs = SC.AddSystem()
# A mass on a line that meets a fixed wall at x = 0; it touches at t = 0.
ground = mbs.AddNode(NodePointGround())
node = mbs.AddNode(Node1D(referenceCoordinates=[0], initialCoordinates=[0], initialVelocities=[-{{speed}}]))
mbs.AddObject(Mass1D(physicsMass={{mass}}, nodeNumber=node))
contact = mbs.AddObject(CoordinateSpringDamper(
    markerNumbers=[
        mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0)),
        mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0)),
    ],
    springForceUserFunction=spring_force,
))
position = mbs.AddSensor(SensorNode(
    nodeNumber=node, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates))
velocity = mbs.AddSensor(SensorNode(
    nodeNumber=node, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates_t))
mbs.Assemble()

settings = exu.SimulationSettings()
settings.solutionSettings.writeSolutionToFile = False
settings.solutionSettings.sensorsWritePeriod = {{step}}
settings.timeIntegration.numberOfSteps = {{steps}}
settings.timeIntegration.endTime = {{steps}} * {{step}}
settings.timeIntegration.verboseMode = 0
mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)

t, x = mbs.GetSensorStoredData(position)[:, 0], mbs.GetSensorStoredData(position)[:, 1]
v = mbs.GetSensorStoredData(velocity)[:, 1]
f = [law(-a, -b) for a, b in zip(x, v)]
end = max(i for i in range(len(f)) if f[i] != 0) + 1
print(json.dumps({
    "restitution": float(v[-1]) / {{speed}},
    "force_max": float(max(f)),
    "duration": float(t[end]) - 0.5 * {{step}},
}))
