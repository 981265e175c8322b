//! Figures of a bed of grains: energies and their balance, coordination number and height, final positions.

use super::{Axis, Curves, Figure, Panel, Series};
use carom_world::grains::GranularScene;
use carom_world::record::GrainSimulation;

/// Names of the energies of a bed, in the order of its columns after the time.
pub const LEDGER: [&str; 6] = [
    "kinetic",
    "potential",
    "stored in contacts",
    "lost in contacts",
    "lost to friction",
    "lost to rolling",
];

/// Largest number of grains drawn.
const MAX_DRAWN: usize = 20_000;

/// Overview of a bed in one row: energies and coordination number.
pub fn grains(scene: &GranularScene, run: &GrainSimulation) -> Figure {
    let about = scene.about.split_whitespace().collect::<Vec<_>>().join(" ");
    titled(scene, &about, vec![vec![energies(run), coordination(run)]])
}

/// All figures of a bed, by name.
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
    Figure { title: scene.title.clone(), subtitle: subtitle.into(), rows, caption: String::new() }
}

fn over_time(run: &GrainSimulation, y: Axis, columns: &[(&str, usize)]) -> Panel {
    let time = run.course().column(0);
    let mut series = Vec::new();
    for (name, column) in columns {
        let values = run.course().column(*column);
        if values.iter().any(|value| *value != 0.0) {
            series.push(Series::new(*name, &time, &values, series.len()));
        }
    }
    Panel::curves("", Axis::new("time", "s"), y, series)
}

fn energies(run: &GrainSimulation) -> Panel {
    let columns: Vec<_> = LEDGER.iter().enumerate().map(|(k, name)| (*name, k + 1)).collect();
    over_time(run, Axis::new("energy", "J"), &columns)
}

fn residual(run: &GrainSimulation) -> Panel {
    over_time(run, Axis::new("unaccounted for", "J"), &[("", 7)])
}

fn coordination(run: &GrainSimulation) -> Panel {
    over_time(run, Axis::new("coordination number", ""), &[("", 8)])
}

fn height(run: &GrainSimulation) -> Panel {
    over_time(run, Axis::new("mean height", "m"), &[("", 9)])
}

/// Centres of the grains in a side view along y (axis 0) or x (axis 1).
fn side_view(run: &GrainSimulation, axis: usize) -> Panel {
    let centres = run.bed().position.iter().take(MAX_DRAWN);
    let points = centres.map(|p| (if axis == 0 { p.x } else { p.y }, p.z)).collect();
    let label = ["x", "y"][axis.min(1)];
    let series = vec![Series::through("", points, axis).scattered()];
    let (x, y) = (Axis::new(label, "m"), Axis::new("z", "m"));
    Panel::EqualAspect(Curves::new(format!("Centres of the grains over {label}"), x, y, series))
}
