//! Runs the scene `oblique-impact` for angles of impact from 2 to 75 degrees, as in docs/background/scene-library.md.
//!
//! ```text
//! cargo run --release -p carom-world --example oblique_impact
//! ```

use carom_world::scene::Change;
use carom_world::{Run, Scene};

const SPEED: f64 = 3.9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = include_str!("../../../scenes/oblique-impact.toml");
    println!(
        "| angle | rebound angle | tangential restitution | spin (rad/s) |\n|--:|--:|--:|--:|"
    );
    for angle in [2.0f64, 4.0, 6.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 75.0] {
        let (sin, cos) = angle.to_radians().sin_cos();
        let velocity = format!("[{:?}, 0, {:?}]", SPEED * sin, -SPEED * cos);
        let changes = [Change::new("sphere", "velocity", velocity)];
        let scene = Scene::parse_with(text, &|_| Err("no files".into()), &changes)?;
        let mut run = Run::new(&scene.world)?;
        run.advance(scene.duration)?;
        let pose = run.state().body(&scene.world, 1).ok_or("no sphere")?;
        println!(
            "| {angle}° | {:.1}° | {:.3} | {:.0} |",
            pose.velocity.x.atan2(pose.velocity.z).to_degrees(),
            pose.velocity.x / (SPEED * sin),
            pose.spin.y
        );
    }
    Ok(())
}
