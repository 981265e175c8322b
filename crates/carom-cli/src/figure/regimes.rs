//! A joint with clearance, law by law: acceleration over a turn, path of the pin, Poincaré sections, regimes.

use super::{Axis, Curves, Dot, Dots, Figure, Mark, Panel, Series};
use crate::commands::regimes::{LawRegimes as Row, RegimesReport as Found};
use carom_world::regimes::Instant;

/// The figure of a study.
pub fn regimes(found: &Found) -> Figure {
    let laws = || found.laws.iter().enumerate();
    let over_turn = |what: fn(&Instant) -> f64| {
        laws()
            .map(|(style, row)| {
                let path = &row.course.path;
                let count = path.len().max(1) as f64;
                let angle = |i: usize| found.at + 360.0 * i as f64 / count;
                let points = path.iter().enumerate().map(|(i, p)| (angle(i), what(p)));
                Series { name: row.law.clone(), points: points.collect(), style, scattered: false }
            })
            .collect::<Vec<_>>()
    };
    let acceleration = Curves {
        title: format!("Acceleration of the {} along x, last turn", found.body),
        x: Axis::fixed("angle of the drive (°)", "", found.at, found.at + 360.0),
        y: Axis::new("acceleration", "m/s²"),
        series: over_turn(|p| p.acceleration.x),
        ..Curves::default()
    };
    let real =
        || laws().filter(|(_, row)| !row.course.path.iter().all(|p| p.offset.length() == 0.0));
    let reach = real().flat_map(|(_, row)| &row.course.path).map(|p| p.offset.length());
    let reach = 1.1 * reach.fold(f64::MIN_POSITIVE, f64::max);
    // What the bore leaves to the pin's centre.
    let circle = found.clearance.map(|play| {
        let at = |i: i32| f64::from(i).to_radians().sin_cos();
        let points = (0..=360).map(|i| (play * at(i).1, play * at(i).0)).collect();
        let (name, style) = ("clearance".to_string(), found.laws.len());
        Series { name, points, style, scattered: false }
    });
    let pin = |title: String, points: &dyn Fn(&Row) -> Vec<(f64, f64)>, scattered: bool| Curves {
        title,
        x: Axis::fixed("pin in the bore, x", "m", -reach, reach),
        y: Axis::fixed("y", "m", -reach, reach),
        series: real()
            .map(|(style, row)| Series {
                name: row.law.clone(),
                points: points(row),
                style,
                scattered,
            })
            .chain(circle.clone())
            .collect(),
        ..Curves::default()
    };
    let place = |p: &Instant| (p.offset.x, p.offset.y);
    let path = pin(
        "Path of the pin, last turn".into(),
        &|row| row.course.path.iter().map(place).collect(),
        false,
    );
    let motion = Curves {
        title: format!("Section: the {} at {}°", found.body, found.at),
        x: Axis::new("speed along x", "m/s"),
        y: Axis::new("acceleration along x", "m/s²"),
        series: laws()
            .map(|(style, row)| {
                let points = row.course.section.iter().map(|p| (p.velocity.x, p.acceleration.x));
                let points = points.collect();
                Series { name: row.law.clone(), points, style, scattered: true }
            })
            .collect(),
        ..Curves::default()
    };
    let section = pin(
        format!("Section: the pin at {}°, {} turns", found.at, found.turns),
        &|row| row.course.section.iter().map(place).collect(),
        true,
    );
    let share = |title: &str, of: fn(&Row) -> f64| {
        Panel::Dots(Dots {
            title: title.into(),
            axis: Axis::new("share of the time", ""),
            rows: real()
                .map(|(style, row)| Dot {
                    label: row.law.clone(),
                    about: String::new(),
                    value: of(row),
                    remark: format!("{:.1} %", 100.0 * of(row)),
                    mark: Mark::Plain,
                    style: Some(style),
                })
                .collect(),
            ..Dots::default()
        })
    };
    Figure {
        title: found.title.clone(),
        subtitle: format!("{}, {} turns after {} left out", found.joint, found.turns, found.skip),
        rows: vec![
            vec![Panel::Curves(acceleration), Panel::Space(path)],
            vec![Panel::Curves(motion), Panel::Space(section)],
            vec![
                share("Free flight", |row| row.course.regimes.flight),
                share("Impact", |row| row.course.regimes.impact),
            ],
        ],
        caption: "The rest of the time the pin stays on the wall after an impact.".into(),
    }
}
