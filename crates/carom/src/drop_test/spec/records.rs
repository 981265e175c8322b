//! Evaluates records: selects the requested part of a recording, a table or a track, and computes the report from it.

use super::super::flight;
use super::super::measured::{Circumstances, DropReport, finish};
use super::super::sound::find_bounces;
use super::super::track::fit_track;
use super::super::wav::Sound;
use super::{Spec, contact_note, si_values};
use crate::error::{Error, Result};
use crate::measured_table::{Columns, Role};
use crate::message::Action;
use crate::report::NoteReport;
use crate::units::{Dimension, Quantity};

impl Spec {
    pub(super) fn sound(&self, known: &Circumstances, sound: &Sound) -> Result<DropReport> {
        let cut = self.window(sound)?;
        let found = find_bounces(&cut.0)?;
        let delay = known.wander / flight::sound_speed(known.temperature);
        let shift = cut.1;
        let instants: Vec<f64> = found.onsets.iter().map(|onset| onset.time + shift).collect();
        let errors: Vec<f64> = found.onsets.iter().map(|onset| onset.error.hypot(delay)).collect();
        let mut notes = found.notes;
        let mean = 1e3 * errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let count = instants.len();
        let message =
            format!("{count} bounces were found, their beginnings to ± {mean:.2} ms each");
        notes.insert(0, NoteReport::new("bounces", message));
        let mut wave = found.wave;
        wave.parts.iter_mut().for_each(|part| part.0 += shift);
        wave.bounces.iter_mut().chain(&mut wave.others).for_each(|t| *t += shift);
        let report = self.instants(known, &instants, &errors, notes, "sound")?;
        Ok(DropReport { wave: Some(wave), ..report })
    }

    /// Returns the requested part of a recording, and the instant at which it begins (s).
    fn window(&self, sound: &Sound) -> Result<(Sound, f64)> {
        let [from, to] = self.limits()?;
        let length = sound.channels.first().map_or(0, Vec::len);
        let place = |t: f64| ((t * sound.rate).max(0.0) as usize).min(length);
        let (first, last) = (from.map_or(0, place), to.map_or(length, place));
        if first >= last {
            let whole = crate::units::format(length as f64 / sound.rate, "s");
            let allowed = format!("before the end, within the {whole} of the recording");
            let advice = "choose a part that has the bounces";
            return Err(Error::invalid("from", from.map_or(0.0, |t| t), allowed, advice));
        }
        let part = |channel: &Vec<f64>| channel.get(first..last).unwrap_or_default().to_vec();
        let channels = sound.channels.iter().map(part).collect();
        Ok((Sound { rate: sound.rate, channels }, first as f64 / sound.rate))
    }

    fn limits(&self) -> Result<[Option<f64>; 2]> {
        let read = |name, value| Quantity::si_if_given(value, name, Dimension::TIME);
        Ok([read("from", &self.from)?, read("to", &self.to)?])
    }

    pub(super) fn table(&self, known: &Circumstances, columns: &Columns) -> Result<DropReport> {
        let column = |role| columns.column(role);
        let finite_values = |values: &[f64]| -> Vec<f64> {
            values.iter().copied().filter(|v| v.is_finite()).collect()
        };
        // A column `bounce` without a unit next to a column of times contains the number of the bounce.
        let is_count = columns.found.iter().any(|one| one.role == Role::Bounce && one.assumed)
            && [Role::Time, Role::Interval].into_iter().any(|role| column(role).is_some())
            && column(Role::Drop).is_none()
            && self.drop.is_empty();
        if let Some(bounce) = column(Role::Bounce).filter(|_| !is_count) {
            let drop = match column(Role::Drop) {
                Some(drop) => drop.to_vec(),
                None => si_values("drop", &self.drop, Dimension::LENGTH)?,
            };
            // Rows in which a height is missing are ignored.
            let (drop, bounce): (Vec<f64>, Vec<f64>) = match drop.len() == bounce.len() {
                true => {
                    drop.iter().zip(bounce).filter(|(a, b)| a.is_finite() && b.is_finite()).unzip()
                }
                false => (drop, finite_values(bounce)),
            };
            return self.heights(known, &drop, &bounce);
        }
        if let Some(times) = column(Role::Interval) {
            return self.intervals(known, &finite_values(times));
        }
        // The times of a force, acceleration or indentation are samples of one contact, not instants of bounces.
        let is_sampled = [Role::Force, Role::Acceleration, Role::Indentation]
            .into_iter()
            .any(|role| column(role).is_some());
        match (column(Role::Time), column(Role::Position)) {
            (Some(time), Some(position)) => self.track(known, time, position),
            (Some(time), None) if !is_sampled => {
                self.instants(known, &finite_values(time), &[], Vec::new(), "times")
            }
            _ => {
                let found: Vec<_> = columns.found.iter().map(ToString::to_string).collect();
                let allowed = "drop and bounce (heights), interval (times between bounces), time (instants of bounces), or time and position (a track)";
                let advice = sentence!(
                    "name the columns in the header, or with {}",
                    Action::give_as("columns", "drop [m],bounce [m]")
                );
                Err(Error::invalid("columns", found.join(", "), allowed, advice))
            }
        }
    }

    fn track(&self, known: &Circumstances, time: &[f64], position: &[f64]) -> Result<DropReport> {
        let [from, to] = self.limits()?;
        let inside = |t: f64| from.is_none_or(|from| t >= from) && to.is_none_or(|to| t <= to);
        let (time, position): (Vec<f64>, Vec<f64>) =
            time.iter().zip(position).filter(|(t, _)| inside(**t)).unzip();
        let Some(fit) = fit_track(&time, &position, known.contact.unwrap_or_default()) else {
            let allowed = "two free flights or more, each of four points or more, with an impact between them";
            let advice =
                "check which columns are time and height, and film with more frames a second";
            return Err(Error::invalid("track", format!("{} points", time.len()), allowed, advice));
        };
        let (points, flights) = (fit.points, fit.times.len() + 1);
        let scatter = crate::units::format(fit.scatter, "m");
        let message = format!(
            "{points} points scatter by {scatter} about {flights} flights, which sets the errors; points of a \
             contact and neighbours of it are left out"
        );
        let mut notes = vec![NoteReport::new("limit", message)];
        if fit.outliers > 0 {
            let message =
                format!("{} points lie far from their flight and were left out", fit.outliers);
            notes.push(NoteReport::new("outliers", message));
        }
        let (g, seen) = (known.gravity.value, fit.acceleration);
        let off = seen.value / g - 1.0;
        let (mut results, mut covariance) = (fit.results, fit.covariance);
        let impacts = fit.times.len();
        if off.abs() > (4.0 * seen.error / g).max(0.02) {
            let message = format!(
                "the ball falls with {:.4} ± {:.2} m/s^2 in the track, not {g:.3}: its scale or its frame rate is wrong; speeds were scaled to gravity, restitutions do not depend on it",
                seen.value, seen.error
            );
            notes.push(NoteReport::new("scale", message));
            let scale = g / seen.value;
            for (i, value) in results.iter_mut().enumerate().take(impacts) {
                *value *= scale;
                covariance.iter_mut().filter_map(|row| row.get_mut(i)).for_each(|c| *c *= scale);
                covariance.get_mut(i).into_iter().flatten().for_each(|c| *c *= scale);
            }
        }
        // Relative change of the restitution per second of contact: (G/(1 + e))·(1/u − e/v), with u = e·v.
        let effect = |(v, e): (&f64, &f64)| g / (v * (1.0 + e)) * (1.0 / e - e);
        let effects = results.iter().zip(results.iter().skip(impacts)).map(effect);
        contact_note(known, effects, &mut notes);
        if results.iter().skip(impacts).any(|e| *e > 1.0) {
            let message = "an impact has a restitution above 1: the track is not that of a ball that bounces freely, or its time runs backwards";
            notes.push(NoteReport::new("rises", message));
        }
        finish("track", known, (results, covariance), Some(fit.times), notes)
    }
}
