"""A law as a user force of Exudyn: a mass that hits a wall, in Exudyn's own integrator.

Exudyn calls a Python function for the force of a connector; here this function evaluates a carom contact. The memory of the
contact, the approach speed, is fixed when the mass touches the wall, and discarded when it separates.
"""

import exudyn as exu
import numpy as np
from exudyn.utilities import (
    CoordinateSpringDamper,
    Mass1D,
    MarkerNodeCoordinate,
    Node1D,
    NodePointGround,
)

import carom

MASS, SPEED, GAP = 0.54, 0.5, 1e-5
law = carom.model("flores-2011").law(mass=MASS, stiffness=2.4144e10, restitution=0.7568, calibration="exact")
contact = None


def push(mbs, t, item, u, v, k, d, offset):
    """Returns the force of the connector for its elongation u and rate v."""
    global contact
    delta = u - GAP
    if delta <= 0.0:
        contact = None
        return 0.0
    if contact is None:
        contact = law.touch(v if v > 0.0 else SPEED)
    # The wall does not pull.
    return max(contact.force(delta, v), 0.0)


def main():
    system = exu.SystemContainer()
    mbs = system.AddSystem()
    ground = mbs.AddNode(NodePointGround())
    node = mbs.AddNode(Node1D(referenceCoordinates=[0.0], initialCoordinates=[0.0], initialVelocities=[SPEED]))
    mbs.AddObject(Mass1D(physicsMass=MASS, nodeNumber=node))
    wall = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    mass = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    mbs.AddObject(
        CoordinateSpringDamper(markerNumbers=[wall, mass], stiffness=1.0, springForceUserFunction=push)
    )
    mbs.Assemble()
    expected = law.collide(speed=SPEED)
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = 2 * GAP / SPEED + 1.5 * expected.duration
    settings.timeIntegration.numberOfSteps = int(settings.timeIntegration.endTime / expected.duration * 4000)
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)
    rebound = -float(np.ravel(mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates_t))[0])
    print(f"restitution in Exudyn {rebound / SPEED:.5f}, collide {expected.restitution:.5f}")
    return rebound / SPEED, expected.restitution


if __name__ == "__main__":
    found, expected = main()
    assert abs(found - expected) < 1e-3
