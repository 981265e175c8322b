// Run with: npm install @dimforge/rapier3d-compat && node impact_rapier.mjs
import RAPIER from "@dimforge/rapier3d-compat";

await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: 0, z: 0 });
world.timestep = {{step}};
const size = 10 * {{radius}};
const ground = RAPIER.ColliderDesc.cuboid(size, size, size).setTranslation(0, 0, -size);
world.createCollider(ground.setRestitution({{restitution}}).setFriction({{friction}}));
const body = world.createRigidBody(
  RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 0, {{start}}).setLinvel(0, 0, -{{speed}}),
);
const ball = RAPIER.ColliderDesc.ball({{radius}}).setMass({{mass}});
world.createCollider(ball.setRestitution({{restitution}}).setFriction({{friction}}), body);
for (let i = 0; i < 8; i++) world.step();
console.log(JSON.stringify({ restitution: body.linvel().z / {{speed}} }));
