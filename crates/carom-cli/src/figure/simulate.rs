//! A run in two panels: the ledger of energy and the contact forces over time.

use super::{Axis, Curves, Figure, Panel, Series};
use carom_world::Scene;

/// Most contacts that are drawn one by one.
const MOST: usize = 6;

/// The figure of a run, from its energies and contact forces as CSV.
pub fn simulate(scene: &Scene, energies: &str, contacts: &str) -> Figure {
    let (time, columns) = columns(energies);
    let drawn = [
        ("kinetic", 0),
        ("potential", 1),
        ("stored in contacts", 2),
        ("lost in contacts", 3),
        ("lost to friction", 4),
        ("lost in dampers", 5),
        ("work of forces", 6),
        ("work of drives", 7),
    ];
    let mut series = Vec::new();
    for (name, column) in drawn {
        let values = columns.get(column).map_or(&[][..], |c| c.as_slice());
        if values.iter().any(|value| *value != 0.0) {
            series.push(Series::new(name, &time, values, series.len()));
        }
    }
    let energy = Panel::Curves(Curves {
        x: Axis::new("time", "s"),
        y: Axis::new("energy", "J"),
        series,
        ..Curves::default()
    });
    let mut row = vec![energy];
    let forces = forces(scene, contacts, &time);
    if !forces.is_empty() {
        row.push(Panel::Curves(Curves {
            x: Axis::new("time", "s"),
            y: Axis::new("contact force", "N"),
            series: forces,
            ..Curves::default()
        }));
    }
    Figure {
        title: scene.title.clone(),
        subtitle: scene.about.split_whitespace().collect::<Vec<_>>().join(" "),
        rows: vec![row],
        caption: String::new(),
    }
}

/// The first column and the others.
fn columns(text: &str) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut time = Vec::new();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for line in text.lines().skip(1) {
        let mut cells = line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN));
        time.push(cells.next().unwrap_or(f64::NAN));
        for (i, value) in cells.enumerate() {
            match columns.get_mut(i) {
                Some(column) => column.push(value),
                None => columns.push(vec![value]),
            }
        }
    }
    (time, columns)
}

/// The sum of the forces of each contact at every sample, 0 where it does not touch.
fn forces(scene: &Scene, text: &str, time: &[f64]) -> Vec<Series> {
    let names: Vec<&str> = scene.world.contacts().iter().map(|c| c.name.as_str()).collect();
    let mut sums = vec![vec![0.0; time.len()]; names.len()];
    let mut at = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [stamp, name, _, _, _, force, ..] = cells.as_slice() else { continue };
        let (Ok(stamp), Ok(force)) = (stamp.parse::<f64>(), force.parse::<f64>()) else { continue };
        while at + 1 < time.len() && time[at] < stamp {
            at += 1;
        }
        let contact = names.iter().position(|known| *known == name.trim_matches('"'));
        if let Some(sum) = contact.and_then(|i| sums[i].get_mut(at)) {
            *sum += force;
        }
    }
    let touched = sums.iter().enumerate().filter(|(_, sum)| sum.iter().any(|f| *f != 0.0));
    touched
        .take(MOST)
        .enumerate()
        .map(|(style, (i, sum))| Series::new(names[i], time, sum, style))
        .collect()
}
