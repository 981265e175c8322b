# Run with: python impact_physx.py
import json
import math

import sapien
from sapien import physx

scene_config = physx.PhysxSceneConfig()
scene_config.gravity = [0, 0, 0]
scene_config.bounce_threshold = {{threshold}}
physx.set_scene_config(scene_config)
physx.set_shape_config(contact_offset={{contact_offset}}, rest_offset=0.0)
scene = sapien.Scene([physx.PhysxCpuSystem()])
scene.set_timestep({{step}})
material = physx.PhysxMaterial({{friction}}, {{friction}}, {{restitution}})
size = 10 * {{radius}}
ground = scene.create_actor_builder()
ground.add_box_collision(sapien.Pose([0, 0, -size]), half_size=[size, size, size], material=material)
ground.build_static()
ball = scene.create_actor_builder()
volume = 4 / 3 * math.pi * {{radius}} ** 3
ball.add_sphere_collision(radius={{radius}}, material=material, density={{mass}} / volume)
body = ball.build().find_component_by_type(physx.PhysxRigidDynamicComponent)
body.entity.set_pose(sapien.Pose([0, 0, {{start}}]))
body.linear_damping = 0
body.angular_damping = 0
body.set_linear_velocity([0, 0, -{{speed}}])
for i in range(8):
    scene.step()
print(json.dumps({"restitution": float(body.linear_velocity[2]) / {{speed}}}))
