//! Figures of a bed of grains: energies and their balance, coordination number and height, final positions.

use super::simulate::time_series_panel;
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
    titled_figure(scene, &about, vec![vec![energy_panel(run), coordination_panel(run)]])
}

/// Returns all figures of a bed, by name.
pub fn grain_figures(scene: &GranularScene, run: &GrainSimulation) -> Vec<(String, Figure)> {
    let ledger = vec![vec![energy_panel(run), residual_panel(run)]];
    let settling = vec![
        vec![coordination_panel(run), height_panel(run)],
        vec![side_view_panel(run, 0), side_view_panel(run, 1)],
    ];
    vec![
        ("energies".into(), titled_figure(scene, "the ledger of energy", ledger)),
        (
            "bed".into(),
            titled_figure(scene, "how it settles, and where the grains are in the end", settling),
        ),
    ]
}

fn titled_figure(scene: &GranularScene, subtitle: &str, rows: Vec<Vec<Panel>>) -> Figure {
    Figure::new(scene.title.clone(), subtitle, rows)
}

fn energy_panel(run: &GrainSimulation) -> Panel {
    time_series_panel(run.energies(), Axis::new("energy", "J"), &LEDGER)
}

fn residual_panel(run: &GrainSimulation) -> Panel {
    time_series_panel(run.energies(), Axis::new("error of the balance", "J"), &[("error_J", "")])
}

fn coordination_panel(run: &GrainSimulation) -> Panel {
    time_series_panel(run.energies(), Axis::new("coordination number", ""), &[("coordination", "")])
}

fn height_panel(run: &GrainSimulation) -> Panel {
    time_series_panel(run.energies(), Axis::new("mean height", "m"), &[("height_m", "")])
}

/// Plots the centres of the grains in a side view along y (axis 0) or x (axis 1).
fn side_view_panel(run: &GrainSimulation, axis: usize) -> Panel {
    let centres = run.bed().position.iter().take(MAX_DRAWN);
    let points = centres.map(|p| (if axis == 0 { p.x } else { p.y }, p.z)).collect();
    let label = ["x", "y"][axis.min(1)];
    let series = vec![Series::through("", points, axis).scattered()];
    let (x, y) = (Axis::new(label, "m"), Axis::new("z", "m"));
    Panel::EqualAspect(Curves::new(format!("Centres of the grains over {label}"), x, y, series))
}
