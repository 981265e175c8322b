//! A bed of grains: energies with their ledger, how it settles, and how it looks in the end.

use super::{Axis, Curves, Figure, Panel, Series};
use carom_world::grains::{GranularScene, Poured};

/// Columns of a bed's ledger after the time, in words.
pub const LEDGER: [&str; 6] = [
    "kinetic",
    "potential",
    "stored in contacts",
    "lost in contacts",
    "lost to friction",
    "lost to rolling",
];

/// Most grains that are drawn.
const MOST: usize = 20_000;

/// The figure of a bed in one row: energies and how it settles.
pub fn grains(scene: &GranularScene, run: &Poured) -> Figure {
    let about = scene.about.split_whitespace().collect::<Vec<_>>().join(" ");
    titled(scene, &about, vec![vec![energies(run), coordination(run)]])
}

/// All figures of a bed, by name.
pub fn grain_figures(scene: &GranularScene, run: &Poured) -> Vec<(String, Figure)> {
    let ledger = vec![vec![energies(run), residual(run)]];
    let settling = vec![vec![coordination(run), height(run)], vec![seen(run, 0), seen(run, 1)]];
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

fn over_time(run: &Poured, y: Axis, columns: &[(&str, usize)]) -> Panel {
    let time = run.course().column(0);
    let mut series = Vec::new();
    for (name, column) in columns {
        let values = run.course().column(*column);
        if values.iter().any(|value| *value != 0.0) {
            series.push(Series::new(*name, &time, &values, series.len()));
        }
    }
    Panel::Curves(Curves { x: Axis::new("time", "s"), y, series, ..Curves::default() })
}

fn energies(run: &Poured) -> Panel {
    let columns: Vec<_> = LEDGER.iter().enumerate().map(|(k, name)| (*name, k + 1)).collect();
    over_time(run, Axis::new("energy", "J"), &columns)
}

fn residual(run: &Poured) -> Panel {
    over_time(run, Axis::new("unaccounted for", "J"), &[("", 7)])
}

fn coordination(run: &Poured) -> Panel {
    over_time(run, Axis::new("coordination number", ""), &[("", 8)])
}

fn height(run: &Poured) -> Panel {
    over_time(run, Axis::new("mean height", "m"), &[("", 9)])
}

/// Centres of the grains, seen from the side.
fn seen(run: &Poured, axis: usize) -> Panel {
    let centres = run.bed().position.iter().take(MOST);
    let points = centres.map(|p| (if axis == 0 { p.x } else { p.y }, p.z)).collect();
    let label = ["x", "y"][axis.min(1)];
    let series = vec![Series { name: String::new(), points, style: axis, scattered: true }];
    let (x, y) = (Axis::new(label, "m"), Axis::new("z", "m"));
    Panel::Space(Curves {
        title: format!("Centres of the grains over {label}"),
        x,
        y,
        series,
        ..Curves::default()
    })
}
