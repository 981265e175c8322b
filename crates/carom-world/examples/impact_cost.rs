//! What one impact through a scene costs: `cargo run --release -p carom-world --example impact_cost`.

use carom::{Damping, Pair, collide, model};
use carom_world::math::{Mat3, Vec3};
use carom_world::{Body, Contact, Placed, Run, Shape, World};
use std::time::Instant;

fn main() -> carom::Result<()> {
    for (m, k, v, e) in [
        (0.54, 2.4144e10, 0.5, 0.7568),
        (0.54, 2.4144e10, 0.15, 0.8892),
        (0.0896, 3.5e6, 15.0, 0.527),
    ] {
        let pair = Pair::new(m, k, 1.5)?;
        let law = model("hunt-crossley-1975")?.law(&pair, Damping::Exact(e), None, &[])?;
        let expected = collide(&law, v)?;
        for tolerance in [1e-8, 1e-9, 1e-10, 1e-11] {
            let mut world = World::default();
            world.tolerance = tolerance;
            let ground = world.add_shape(Placed::on(0, Shape::HalfSpace))?;
            let radius = 0.02;
            let inertia = Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0) * (0.4 * m * radius * radius));
            let start = Vec3::new(0.0, 0.0, radius);
            let body = Body::new("ball", m, inertia).at(start).moving(Vec3::new(0.0, 0.0, -v));
            let body = world.add_body(body)?;
            let shape = world.add_shape(Placed::on(body, Shape::Sphere { radius }))?;
            world.add_contact(Contact::new(shape, ground, law))?;
            let end = 1.2 * expected.duration;
            let mut best = f64::INFINITY;
            let mut error = 0.0;
            let mut counts = None;
            for _ in 0..200 {
                let mut run = Run::new(&world)?;
                let begun = Instant::now();
                run.advance(end)?;
                best = best.min(begun.elapsed().as_secs_f64());
                if let Some(pose) = run.state().body(&world, body) {
                    error = pose.velocity.z / v / e - 1.0;
                }
                counts = Some(run.state().counts);
            }
            println!(
                "tolerance {tolerance:e}: {:.1} us, error {error:.1e}, {counts:?}",
                best * 1e6
            );
        }
    }
    Ok(())
}
