# Run with: python impact_opensim.py
import json
import pathlib
import tempfile

import opensim

MODEL = """{{model}}"""

path = pathlib.Path(tempfile.mkdtemp()) / "impact.osim"
path.write_text(MODEL)
model = opensim.Model(str(path))
state = model.initSystem()
coordinate = model.getCoordinateSet().get("x")
manager = opensim.Manager(model)
manager.setIntegratorAccuracy(1e-8)
manager.setIntegratorMaximumStepSize(10 * {{step}})
manager.initialize(state)

force = []
for i in range({{steps}}):
    if i:
        state = manager.integrate(i * {{step}})
    model.realizeAcceleration(state)
    force.append(-{{mass}} * coordinate.getAccelerationValue(state))
touching = [i for i, f in enumerate(force) if f > 0]
print(json.dumps({
    "restitution": -coordinate.getSpeedValue(state) / {{speed}},
    "force_max": max(force),
    "duration": (touching[-1] - touching[0] + 1) * {{step}},
}))
