//! Runs the scene `pounding` with several impact elements and without one, as in docs/background/scene-library.md.
//!
//! ```text
//! cargo run --release -p carom-world --example pounding
//! ```

use carom_world::scene::Change;
use carom_world::{EndedTouch, Mobility, Observer, Run, Sample, Scene, World};

/// Records the largest displacements of the two buildings relative to the ground, the number of touches and the largest force.
#[derive(Default)]
struct Watch {
    samples: u32,
    most: [f64; 2],
    touches: usize,
    force: f64,
}

impl Observer for Watch {
    fn next(&self) -> f64 {
        f64::from(self.samples) * 0.005
    }

    fn sample(&mut self, sample: &Sample) {
        self.samples += 1;
        let bodies = sample.world.bodies();
        let ground = bodies.iter().find_map(|body| match &body.mobility {
            Mobility::Driven(path) => {
                path.motions().next().map(|motion| motion.at(sample.time).value)
            }
            _ => None,
        });
        for (most, name) in self.most.iter_mut().zip(["tall", "stiff"]) {
            let Some(index) = bodies.iter().position(|body| body.name == name) else { continue };
            if let Some(pose) = sample.body(index) {
                let moved = pose.position.x - bodies[index].position.x - ground.unwrap_or(0.0);
                *most = most.max(moved.abs());
            }
        }
    }

    fn ended(&mut self, _world: &World, ended: &EndedTouch) {
        self.touches += 1;
        self.force = self.force.max(ended.force_max);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = include_str!("../../../scenes/pounding.toml");
    let record = include_str!("../../../scenes/el-centro-1940-ns.txt");
    println!("| impact element | touches | largest force | tall | stiff |\n|---|--:|--:|--:|--:|");
    let hertz = [("stiffness", "2.75e9 N/m^1.5"), ("exponent", "1.5")];
    for (name, keys) in [
        ("none", vec![("stiffness", "1e-6")]),
        ("anagnostopoulos-1988", vec![]),
        ("jankowski-2005", [&[("law", "jankowski-2005")], &hertz[..]].concat()),
        (
            "muthukumar-desroches-2006",
            [&[("law", "muthukumar-desroches-2006")], &hertz[..]].concat(),
        ),
    ] {
        let changes: Vec<_> =
            keys.into_iter().map(|(key, value)| Change::new("gap", key, value)).collect();
        let scene = Scene::parse_with(text, &|_| Ok(record.to_string()), &changes)?;
        let mut watch = Watch::default();
        Run::new(&scene.world)?.advance_with(scene.duration, &mut watch)?;
        let [tall, stiff] = watch.most.map(|most| 1e3 * most);
        let kilonewtons = 1e-3 * watch.force;
        let touches = if name == "none" { 0 } else { watch.touches };
        println!("| {name} | {touches} | {kilonewtons:.0} kN | {tall:.1} mm | {stiff:.1} mm |");
    }
    Ok(())
}
