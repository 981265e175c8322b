//! Figures of a bed of grains: energies and their balance, coordination number and height, final positions.

use super::simulate::over_time;
use super::{Axis, Curves, Figure, Panel, Series};
use carom_world::grains::GranularScene;
use carom_world::record::GrainSimulation;

/// Columns of the ledger of a bed and their names in figures.
pub const LEDGER: [(&str, &str); 6] = [
    ("kinetic_J", "kinetic"),
    ("potential_J", "potential"),
    ("stored_J", "stored in contacts"),
    ("lost_in_contacts_J", "lost in contacts"),
    ("lost_to_friction_J", "lost to friction"),
    ("lost_to_rolling_J", "lost to rolling"),
];

/// Largest number of grains drawn.
const MAX_DRAWN: usize = 20_000;

/// Returns an overview of a bed in one row: energies and coordination number.
pub fn grains(scene: &GranularScene, run: &GrainSimulation) -> Figure {
    let about = scene.about.split_whitespace().collect::<Vec<_>>().join(" ");
    titled(scene, &about, vec![vec![energies(run), coordination(run)]])
}

/// Returns all figures of a bed, by name.
pub fn grain_figures(scene: &GranularScene, run: &GrainSimulation) -> Vec<(String, Figure)> {
    let ledger = vec![vec![energies(run), residual(run)]];
    let settling =
        vec![vec![coordination(run), height(run)], vec![side_view(run, 0), side_view(run, 1)]];
    vec![
        ("energies".into(), titled(scene, "the ledger of energy", ledger)),
        (
            "bed".into(),
            titled(scene, "how it settles, and where the grains are in the end", settling),
        ),
    ]
}

fn titled(scene: &GranularScene, subtitle: &str, rows: Vec<Vec<Panel>>) -> Figure {
    Figure::new(scene.title.clone(), subtitle, rows)
}

fn energies(run: &GrainSimulation) -> Panel {
    over_time(run.energies(), Axis::new("energy", "J"), &LEDGER)
}

fn residual(run: &GrainSimulation) -> Panel {
    over_time(run.energies(), Axis::new("error of the balance", "J"), &[("error_J", "")])
}

fn coordination(run: &GrainSimulation) -> Panel {
    over_time(run.energies(), Axis::new("coordination number", ""), &[("coordination", "")])
}

fn height(run: &GrainSimulation) -> Panel {
    over_time(run.energies(), Axis::new("mean height", "m"), &[("height_m", "")])
}

/// Plots the centres of the grains in a side view along y (axis 0) or x (axis 1).
fn side_view(run: &GrainSimulation, axis: usize) -> Panel {
    let centres = run.bed().position.iter().take(MAX_DRAWN);
    let points = centres.map(|p| (if axis == 0 { p.x } else { p.y }, p.z)).collect();
    let label = ["x", "y"][axis.min(1)];
    let series = vec![Series::through("", points, axis).scattered()];
    let (x, y) = (Axis::new(label, "m"), Axis::new("z", "m"));
    Panel::EqualAspect(Curves::new(format!("Centres of the grains over {label}"), x, y, series))
}
