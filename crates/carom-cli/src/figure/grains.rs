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
    let row = vec![energy_panel(run), ledger_panel(run, "coordination number", "", "coordination")];
    Figure::new(scene.title.clone(), about, vec![row])
}

/// Returns all figures of a bed, by name.
pub fn grain_figures(scene: &GranularScene, run: &GrainSimulation) -> Vec<(String, Figure)> {
    let ledger = vec![energy_panel(run), ledger_panel(run, "error of the balance", "J", "error_J")];
    let settling = vec![
        vec![
            ledger_panel(run, "coordination number", "", "coordination"),
            ledger_panel(run, "mean height", "m", "height_m"),
        ],
        vec![side_view_panel(run, 0), side_view_panel(run, 1)],
    ];
    let figure = |about: &str, rows| Figure::new(scene.title.clone(), about, rows);
    vec![
        ("energies".into(), figure("the ledger of energy", vec![ledger])),
        ("bed".into(), figure("how it settles, and where the grains are in the end", settling)),
    ]
}

fn energy_panel(run: &GrainSimulation) -> Panel {
    time_series_panel(run.energies(), Axis::new("energy", "J"), &LEDGER)
}

/// Plots one column of the ledger over time.
fn ledger_panel(
    run: &GrainSimulation,
    label: &'static str,
    unit: &'static str,
    column: &str,
) -> Panel {
    time_series_panel(run.energies(), Axis::new(label, unit), &[(column, "")])
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
