# Run with: python impact_drake.py
import json

from pydrake.geometry import HalfSpace, ProximityProperties
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder

MODEL = """
{{model}}"""

builder = DiagramBuilder()
# A time step of 0 is the continuous plant.
plant, scene = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
plant.set_contact_model(ContactModel.kPoint)
Parser(plant).AddModelsFromString(MODEL, "sdf")
ground = ProximityProperties()
ground.AddProperty("material", "point_contact_stiffness", {{stiffness}})
ground.AddProperty("material", "hunt_crossley_dissipation", {{dissipation}})
ground.AddProperty("material", "coulomb_friction", CoulombFriction({{friction}}, {{friction}}))
plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "ground", ground)
plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
plant.Finalize()
diagram = builder.Build()

simulator = Simulator(diagram)
context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
ball = plant.GetBodyByName("ball")
plant.SetFreeBodyPose(context, ball, RigidTransform([0, 0, {{radius}}]))
plant.SetFreeBodySpatialVelocity(ball, SpatialVelocity([0, 0, 0], [0, 0, -{{speed}}]), context)
ResetIntegratorFromFlags(simulator, "runge_kutta3", 10 * {{step}})
simulator.get_mutable_integrator().set_target_accuracy(1e-7)

contacts = plant.get_contact_results_output_port()
force = []
for i in range({{steps}}):
    simulator.AdvanceTo(i * {{step}})
    results = contacts.Eval(context)
    count = results.num_point_pair_contacts()
    force.append(abs(results.point_pair_contact_info(0).contact_force()[2]) if count else 0.0)
touching = [i for i, f in enumerate(force) if f > 0]
speed = plant.EvalBodySpatialVelocityInWorld(context, ball).translational()[2]
print(json.dumps({
    "restitution": speed / {{speed}},
    "force_max": max(force),
    "duration": (touching[-1] - touching[0] + 1) * {{step}},
}))
