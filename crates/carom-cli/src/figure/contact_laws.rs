//! Figure of the forces of one contact of a scene under several laws: over time, and over indentation for single touches.

use super::{Axis, Figure, Panel, Series, two_per_row};
use carom_world::record::FigureData;

/// Forces of a contact under one law.
pub struct ContactForces {
    law: String,
    /// Largest force in each interval of the run: time (s) and force (N).
    over_time: Vec<(f64, f64)>,
    /// Touches by name (the first, the hardest): indentation (m) and force (N).
    touches: Vec<(&'static str, Vec<(f64, f64)>)>,
}

impl ContactForces {
    /// Collects the forces of a contact in a run under this law.
    pub fn of(law: &str, contact: usize, data: &FigureData) -> Self {
        let kept = data.contacts.iter().find(|kept| kept.contact == contact);
        let over_time = kept.map_or(Vec::new(), |kept| {
            let peaks = kept.peaks().into_iter();
            peaks.map(|(interval, peak)| (data.interval_time(interval), peak)).collect()
        });
        let touches = kept.map_or(Vec::new(), |kept| kept.loops());
        Self { law: law.to_string(), over_time, touches }
    }

    /// Returns the largest force (N).
    pub fn largest(&self) -> f64 {
        self.over_time.iter().map(|(_, force)| *force).fold(0.0, f64::max)
    }
}

/// Returns the figure of a contact under several laws.
pub fn contact_laws(title: &str, contact: &str, laws: &[ContactForces]) -> Figure {
    let over_time = laws
        .iter()
        .enumerate()
        .map(|(style, law)| Series::through(law.law.clone(), law.over_time.clone(), style));
    let mut panels = vec![Panel::curves(
        "Largest force in every interval of the run",
        Axis::new("time", "s"),
        Axis::new("force", "N"),
        over_time.collect(),
    )];
    for which in ["hardest touch", "first touch", "touch that lasts"] {
        let series: Vec<Series> = laws
            .iter()
            .enumerate()
            .filter_map(|(style, law)| {
                let (_, points) = law.touches.iter().find(|(name, _)| *name == which)?;
                Some(Series::through(law.law.clone(), points.clone(), style))
            })
            .collect();
        if !series.is_empty() {
            let (first, rest) = which.split_at(1);
            let name = first.to_uppercase() + rest;
            let (x, y) = (Axis::new("indentation", "m"), Axis::new("force", "N"));
            panels.push(Panel::curves(name, x, y, series));
        }
    }
    Figure::new(title, format!("forces of {contact} under each law"), two_per_row(&panels))
}
