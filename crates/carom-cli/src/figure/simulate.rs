//! Figures of a run of a scene: energies and their balance, forces over time and over indentation, trajectories, paths of pins in
//! their bores.

use super::scale::finite_bounds;
use super::{Axis, Curves, Figure, Guide, Panel, Series, two_per_row};
use carom_world::record::figure_data::{FigureData, FollowedBody, Orbit, ThinnedSeries};
use carom_world::{Energies, Scene};

/// An energy of the ledger: its column, its name in figures, and the function that returns its value.
type LedgerEntry = (&'static str, &'static str, fn(&Energies) -> f64);

/// The energies of the ledger.
pub const LEDGER: [LedgerEntry; 8] = [
    ("kinetic_J", "kinetic", |e| e.kinetic),
    ("potential_J", "potential", |e| e.potential),
    ("stored_J", "stored in contacts", |e| e.stored),
    ("lost_in_contacts_J", "lost in contacts", |e| e.lost_in_contacts),
    ("lost_to_friction_J", "lost to friction", |e| e.lost_to_friction),
    ("lost_in_dampers_J", "lost in dampers", |e| e.lost_in_dampers),
    ("work_of_forces_J", "work of forces", |e| e.work_of_forces),
    ("work_of_drives_J", "work of drives", |e| e.work_of_drives),
];

/// Returns an overview of a run in one row: energies and forces.
pub fn simulate(scene: &Scene, data: &FigureData) -> Figure {
    let mut row = vec![energy_panel(data)];
    row.extend(force_panel(scene, data));
    let about = scene.about.split_whitespace().collect::<Vec<_>>().join(" ");
    titled_figure(scene, &about, vec![row])
}

/// Returns all figures of a run, by name.
pub fn scene_figures(scene: &Scene, data: &FigureData) -> Vec<(String, Figure)> {
    let mut figures = vec![(
        "energies".to_string(),
        titled_figure(
            scene,
            "the ledger of energy",
            vec![vec![energy_panel(data), residual_panel(data)]],
        ),
    )];
    if let Some(panel) = force_panel(scene, data) {
        let panels: Vec<Panel> =
            [panel].into_iter().chain(indentation_panels(scene, data)).collect();
        let about = "contact forces over time, and over indentation through a touch";
        figures.push(("forces".into(), titled_figure(scene, about, two_per_row(&panels))));
    }
    if !data.followed.is_empty() {
        figures.push(("trajectories".into(), trajectory_figure(scene, data)));
    }
    let orbits: Vec<_> = data.orbits.iter().map(|orbit| orbit_row(scene, orbit)).collect();
    if !orbits.is_empty() {
        let mut figure = titled_figure(scene, "paths in the clearances", orbits);
        figure.caption = "Left: the centre of the pin in the axes of the bore, and the circle that it \
                          touches when the surfaces meet. Right: its distance from the middle; above 1 there \
                          is contact, below it free flight."
            .into();
        figures.push(("orbits".into(), figure));
    }
    figures
}

fn titled_figure(scene: &Scene, subtitle: &str, rows: Vec<Vec<Panel>>) -> Figure {
    Figure::new(scene.title.clone(), subtitle, rows)
}

fn energy_panel(data: &FigureData) -> Panel {
    let columns = LEDGER.map(|(column, name, _)| (column, name));
    time_series_panel(&data.energies, Axis::new("energy", "J"), &columns)
}

/// Plots columns over time, with their names; columns that are zero throughout are left out.
pub fn time_series_panel(rows: &ThinnedSeries, y: Axis, columns: &[(&str, &str)]) -> Panel {
    let time = rows.column("time_s");
    let mut series = Vec::new();
    for (column, name) in columns {
        let values = rows.column(column);
        if values.iter().any(|value| *value != 0.0) {
            series.push(Series::new(*name, &time, &values, series.len()));
        }
    }
    Panel::curves("", Axis::new("time", "s"), y, series)
}

/// Plots the error of the energy balance relative to the largest change of an energy.
fn residual_panel(data: &FigureData) -> Panel {
    let rows = &data.energies;
    let time = rows.column("time_s");
    // Changes are used instead of values, because the zero of the potential energy is arbitrary.
    let changes = LEDGER.iter().map(|(column, ..)| range_of(&rows.column(column)));
    let largest = changes.fold(f64::MIN_POSITIVE, f64::max);
    let error: Vec<f64> = rows.column("error_J").iter().map(|e| e / largest).collect();
    let series = vec![Series::new("", &time, &error, 0)];
    let label = "error of the balance / largest change";
    Panel::curves("", Axis::new("time", "s"), Axis::new(label, ""), series)
}

/// Plots the largest force of every contact in every interval of the run.
fn force_panel(scene: &Scene, data: &FigureData) -> Option<Panel> {
    let series: Vec<Series> = data
        .contacts
        .iter()
        .enumerate()
        .map(|(style, kept)| {
            let peaks = kept.peaks().into_iter();
            let points =
                peaks.map(|(interval, peak)| (data.interval_time(interval), peak)).collect();
            Series::through(contact_name(scene, kept.contact), points, style)
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    Some(Panel::curves("", Axis::new("time", "s"), Axis::new("contact force", "N"), series))
}

fn indentation_panels(scene: &Scene, data: &FigureData) -> Vec<Panel> {
    let panel = |kept: &carom_world::record::figure_data::ContactHistory| {
        let loops = kept.loops();
        let series = loops
            .into_iter()
            .enumerate()
            .map(|(style, (name, points))| Series::through(name, points, style));
        let (x, y) = (Axis::new("indentation", "m"), Axis::new("force", "N"));
        Panel::curves(contact_name(scene, kept.contact), x, y, series.collect())
    };
    data.contacts.iter().map(panel).collect()
}

/// Plots coordinates over time, path and phase portrait, for the two directions with the largest displacements.
fn trajectory_figure(scene: &Scene, data: &FigureData) -> Figure {
    let time = data.energies.column("time_s");
    let position =
        |of: &FollowedBody, axis: usize| of.trajectory.column(["x_m", "y_m", "z_m"][axis]);
    let velocity = |of: &FollowedBody, axis: usize| {
        of.trajectory.column(["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"][axis])
    };
    let bodies = || data.followed.iter();
    let spread =
        |axis: usize| bodies().map(|body| range_of(&position(body, axis))).fold(0.0, f64::max);
    let mut axes = [0usize, 1, 2];
    axes.sort_by(|&a, &b| spread(b).total_cmp(&spread(a)));
    let most = spread(axes[0]);
    let second = spread(axes[1]) > 1e-9 * most;
    let name = |of: &FollowedBody| {
        scene.world.bodies().get(of.body).map_or(String::new(), |body| body.name.clone())
    };
    let label = |axis: usize| ["x", "y", "z"][axis];
    type Column<'a> = &'a dyn Fn(&FollowedBody) -> Vec<f64>;
    let all = |x: Column, y: Column| -> Vec<Series> {
        let series = |(style, body): (usize, &FollowedBody)| {
            Series::new(name(body), &x(body), &y(body), style)
        };
        bodies().enumerate().map(series).collect()
    };
    let over_time = |axis: usize| {
        let series = all(&|_| time.clone(), &|body| position(body, axis));
        Panel::curves("", Axis::new("time", "s"), Axis::new(label(axis), "m"), series)
    };
    let phase = |axis: usize| {
        let series = all(&|body| position(body, axis), &|body| velocity(body, axis));
        let speed = Axis::new(format!("velocity along {}", label(axis)), "m/s");
        Panel::curves("Phase portrait", Axis::new(label(axis), "m"), speed, series)
    };
    let rows = match second {
        false => vec![vec![over_time(axes[0]), phase(axes[0])]],
        true => {
            let (across, up) = (axes[0].min(axes[1]), axes[0].max(axes[1]));
            let path = all(&|body| position(body, across), &|body| position(body, up));
            let (x, y) = (Axis::new(label(across), "m"), Axis::new(label(up), "m"));
            let path = Panel::EqualAspect(Curves::new("Path", x, y, path));
            vec![vec![over_time(across), over_time(up)], vec![path, phase(axes[0])]]
        }
    };
    titled_figure(scene, "trajectories", rows)
}

/// Plots the path of a pin in its bore with the clearance circle, and its distance from the centre over time.
fn orbit_row(scene: &Scene, orbit: &Orbit) -> Vec<Panel> {
    let [time, x, y] = ["time_s", "x_m", "y_m"].map(|name| orbit.path.column(name));
    let clearance = orbit.clearance;
    let circle: Vec<(f64, f64)> = (0..=180)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 180.0;
            (clearance * angle.cos(), clearance * angle.sin())
        })
        .collect();
    let limit = Series::through("clearance", circle, 1);
    let path = Series::new("centre of the pin", &x, &y, 0);
    let far = x.iter().chain(&y).fold(clearance, |far, value| far.max(value.abs())) * 1.1;
    let up = if orbit.sideways { "z in the bore" } else { "y in the bore" };
    let left = Panel::EqualAspect(Curves::new(
        contact_name(scene, orbit.contact),
        Axis::fixed("x in the bore", "m", -far, far),
        Axis::fixed(up, "m", -far, far),
        vec![path, limit],
    ));
    let distance: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x.hypot(*y) / clearance).collect();
    let right = Panel::Curves(Curves {
        x: Axis::new("time", "s"),
        y: Axis::new("distance from the middle / clearance", ""),
        series: vec![Series::new("", &time, &distance, 0)],
        guides: vec![Guide::Horizontal(1.0, String::new())],
        ..Curves::default()
    });
    vec![left, right]
}

fn contact_name(scene: &Scene, contact: usize) -> String {
    scene.world.contacts().get(contact).map_or(String::new(), |c| c.name.clone())
}

/// Returns the difference between the largest and the smallest value.
fn range_of(values: &[f64]) -> f64 {
    let (low, high) = finite_bounds(values.iter().copied());
    high - low
}
