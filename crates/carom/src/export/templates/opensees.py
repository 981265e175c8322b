# Run with: python impact_opensees.py
import json

import openseespy.opensees as ops

mass, speed, step = {{mass}}, {{speed}}, {{step}}
# The material begins to push at this strain; the mass reaches it in the middle of the first step.
gap = -0.5 * speed * step

ops.wipe()
ops.model("basic", "-ndm", 1, "-ndf", 1)
ops.node(1, 0.0)
ops.node(2, 0.0)
ops.fix(1, 1)
ops.mass(2, mass)
ops.uniaxialMaterial("{{material}}", 1, {{stiffness}}, {{damping}}, gap, {{exponent}})
ops.element("zeroLength", 1, 1, 2, "-mat", 1, "-dir", 1)
ops.setNodeVel(2, 1, -speed, "-commit")

ops.constraints("Plain")
ops.numberer("Plain")
ops.system("BandGeneral")
ops.test("NormDispIncr", {{tolerance}}, 50)
ops.algorithm("ModifiedNewton", "-initial")
ops.integrator("Newmark", 0.5, 0.25)
ops.analysis("Transient")

forces = []
for i in range({{steps}} + 1):
    if ops.analyze(1, step) != 0:
        raise RuntimeError(f"OpenSees did not converge in step {i}")
    forces.append(mass * ops.nodeAccel(2, 1))
# Rounding leaves tiny accelerations after separation.
end = max(i for i, force in enumerate(forces) if force > 1e-9 * max(forces))
print(json.dumps({
    "restitution": ops.nodeVel(2, 1) / speed,
    "force_max": max(forces),
    "duration": (end + 1) * step,
}))
