//! The slider-crank of `scenes/slider-crank.toml`, with a law that Exudyn also has.
//!
//! Crank 0.05 m at 5000 rpm, rod 0.12 m, clearance 0.5 mm at the wrist pin, F = K·δ^(3/2)·(1 + a·δ̇) for a restitution of 0.9, no
//! friction. The slider starts 0.1 mm off the pin, because Exudyn has no normal where the two centres coincide.

use carom::{Damping, Pair, model};
use carom_world::joint::{Drive, Joint, Kind, Mount};
use carom_world::math::{Mat3, Quat, Vec3};
use carom_world::{Body, Contact, Motion, Placed, Shape, World};

const SPIN: f64 = 523.598_775_598_298_9;
/// Index of the body whose motion is compared.
pub const SLIDER: usize = 3;

pub fn world(tolerance: f64) -> carom::Result<World> {
    let mut world = World::default().flat();
    world.tolerance = tolerance;
    let body = |name: &str, mass: f64, inertia: f64, x: f64| {
        Body::new(name, mass, Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0) * inertia)).at(Vec3::X * x)
    };
    let up = Vec3::Y * (0.025 * SPIN);
    let crank = body("crank", 0.30, 1e-4, 0.025).moving(up).spinning(Vec3::Z * SPIN);
    let crank = world.add_body(crank)?;
    let rod = body("rod", 0.21, 2.5e-4, 0.11).moving(up).spinning(Vec3::Z * (-SPIN * 0.05 / 0.12));
    let rod = world.add_body(rod)?;
    let slider = world.add_body(body("slider", 0.14, 1e-4, 0.1701))?;
    let at = |body: usize, x: f64, rotation: Quat| Mount { body, point: Vec3::X * x, rotation };
    let (upright, along) = (Quat::IDENTITY, Quat::between(Vec3::Z, Vec3::X));
    let drive = Drive::Angle(Motion::Steady { value: 0.0, rate: SPIN });
    for (name, kind, a, b, drive) in [
        ("bearing", Kind::Revolute, at(crank, -0.025, upright), at(0, 0.0, upright), drive),
        ("pin", Kind::Revolute, at(rod, -0.06, upright), at(crank, 0.025, upright), Drive::Free),
        ("guide", Kind::Prismatic, at(slider, 0.0, along), at(0, 0.0, along), Drive::Free),
    ] {
        world.add_joint(Joint { name: name.into(), kind, a, b, drive, friction: None })?;
    }
    let pin =
        Placed { position: Vec3::X * 0.06, ..Placed::on(rod, Shape::Sphere { radius: 0.01 }) };
    let pin = world.add_shape(pin)?;
    let bore = Shape::Bore { radius: 0.0105, half: 0.005 };
    let bore = world.add_shape(Placed::on(slider, bore))?;
    let pair = Pair::new(0.1, 6.6e10, 1.5)?;
    let law = model("hunt-crossley-1975")?.law(&pair, Damping::Exact(0.9), None, &[])?;
    world.add_contact(Contact::new(pin, bore, law))?;
    Ok(world)
}
