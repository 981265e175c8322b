//! Figure of a joint with clearance under several laws: acceleration over a turn, path of the pin, Poincaré sections, regimes.

use super::{Axis, Curves, Dot, DotPlot, Figure, Marker, Panel, Series};
use carom_world::regimes::{Instant, LawRegimes, RegimeStudy};

/// Returns the figure of a study.
pub fn regimes(study: &RegimeStudy) -> Figure {
    let laws = || study.laws.iter().enumerate();
    let over_turn = |what: fn(&Instant) -> f64| {
        laws()
            .map(|(style, law)| {
                let path = &law.results.path;
                let count = path.len().max(1) as f64;
                let angle = |i: usize| study.at + 360.0 * i as f64 / count;
                let points = path.iter().enumerate().map(|(i, p)| (angle(i), what(p)));
                Series::through(law.law.clone(), points.collect(), style)
            })
            .collect::<Vec<_>>()
    };
    let acceleration = Curves::new(
        format!("Acceleration of the {} along x, last turn", study.body),
        Axis::fixed("angle of the drive (°)", "", study.at, study.at + 360.0),
        Axis::new("acceleration", "m/s²"),
        over_turn(|p| p.acceleration.x),
    );
    let with_clearance =
        || laws().filter(|(_, law)| !law.results.path.iter().all(|p| p.offset.length() == 0.0));
    let reach = with_clearance().flat_map(|(_, law)| &law.results.path).map(|p| p.offset.length());
    let reach = 1.1 * reach.fold(f64::MIN_POSITIVE, f64::max);
    // The circle on which the centre of the pin lies when the surfaces touch.
    let circle = study.clearance.map(|clearance| {
        let at = |i: i32| f64::from(i).to_radians().sin_cos();
        let points = (0..=360).map(|i| (clearance * at(i).1, clearance * at(i).0)).collect();
        let (name, style) = ("clearance".to_string(), study.laws.len());
        Series::through(name, points, style)
    });
    let pin = |title: String, points: &dyn Fn(&LawRegimes) -> Vec<(f64, f64)>, scattered: bool| {
        Curves::new(
            title,
            Axis::fixed("pin in the bore, x", "m", -reach, reach),
            Axis::fixed("y", "m", -reach, reach),
            with_clearance()
                .map(|(style, law)| Series {
                    name: law.law.clone(),
                    points: points(law),
                    style,
                    scattered,
                    ..Series::default()
                })
                .chain(circle.clone())
                .collect(),
        )
    };
    let offset = |p: &Instant| (p.offset.x, p.offset.y);
    let path = pin(
        "Path of the pin, last turn".into(),
        &|law| law.results.path.iter().map(offset).collect(),
        false,
    );
    let motion = Curves::new(
        format!("Section: the {} at {}°", study.body, study.at),
        Axis::new("speed along x", "m/s"),
        Axis::new("acceleration along x", "m/s²"),
        laws()
            .map(|(style, law)| {
                let points = law.results.section.iter().map(|p| (p.velocity.x, p.acceleration.x));
                let points = points.collect();
                Series::through(law.law.clone(), points, style).scattered()
            })
            .collect(),
    );
    let section = pin(
        format!("Section: the pin at {}°, {} turns", study.at, study.turns),
        &|law| law.results.section.iter().map(offset).collect(),
        true,
    );
    let share = |title: &str, of: fn(&LawRegimes) -> f64| {
        Panel::DotPlot(DotPlot {
            title: title.into(),
            axis: Axis::new("share of the time", ""),
            dots: with_clearance()
                .map(|(style, law)| Dot {
                    label: law.law.clone(),
                    about: String::new(),
                    value: of(law),
                    remark: format!("{:.1} %", 100.0 * of(law)),
                    marker: Marker::Plain,
                    style: Some(style),
                })
                .collect(),
            ..DotPlot::default()
        })
    };
    Figure {
        title: study.title.clone(),
        subtitle: format!("{}, {} turns after {} left out", study.joint, study.turns, study.skip),
        rows: vec![
            vec![Panel::Curves(acceleration), Panel::EqualAspect(path)],
            vec![Panel::Curves(motion), Panel::EqualAspect(section)],
            vec![
                share("Free flight", |law| law.results.regimes.flight),
                share("Impact", |law| law.results.regimes.impact),
            ],
        ],
        caption: "The rest of the time the pin stays on the wall after an impact.".into(),
    }
}
