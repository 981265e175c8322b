# Run with: python impact_mujoco.py
import json

import mujoco

MODEL = """
{{model}}"""

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
data.qvel[2] = -{{speed}}
force = []
for i in range({{steps}}):
    mujoco.mj_step(model, data)
    force.append(float(data.efc_force[0]) if data.nefc else 0.0)
touching = [i for i, f in enumerate(force) if f > 0]
print(json.dumps({
    "restitution": float(data.qvel[2]) / {{speed}},
    "force_max": max(force),
    "duration": (touching[-1] - touching[0] + 1) * model.opt.timestep,
}))
