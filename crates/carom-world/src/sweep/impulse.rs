//! Impulse of contacts, ∫F dt, from samples of the force; for rigid bodies, from the sum of their impulses.
//!
//! A touch is sampled about forty times during its impact, including its beginning; at its end the force is 0. Between two
//! samples the force is approximated by the mean of the two parabolas through them and the neighbour on either side. This is
//! exact for a parabola, and the error for an impact is about 10⁻⁴ of the impulse.

use super::row_filter::{WordFilter, find_table, row_matches, word_filters};
use crate::state::State;
use crate::world::World;
use carom::{Error, Result};
use carom_store::{Column, Values};

/// Samples and end times of the touches of one contact, or of all.
pub(super) struct Impulse {
    contacts: TouchColumns,
    events: TouchColumns,
    /// Time (s) and force (N) of every sample.
    samples: Vec<(ContactSite, f64, f64)>,
    /// Begin and end times (s) of every touch that has ended.
    ended: Vec<(ContactSite, f64, f64)>,
}

/// Indices of a contact and of one of its sites.
type ContactSite = (u32, u64);

/// Columns of a table of touches: contact, site and two numbers.
struct TouchColumns {
    /// Index of the table.
    table: usize,
    filters: Vec<WordFilter>,
    contact: usize,
    site: usize,
    first: usize,
    second: usize,
}

impl TouchColumns {
    fn new(
        tables: &[(&'static str, Vec<Column>)],
        name: &str,
        numbers: [&str; 2],
        words: &[String],
    ) -> Result<Self> {
        let (table, columns) = find_table(tables, name)?;
        let at = |name: &str| {
            let found = columns.iter().position(|column| column.name == name);
            let known = || columns.iter().map(|column| column.name.as_str());
            found.ok_or_else(|| Error::unknown("column", name, known(), "it is not recorded"))
        };
        let filters = word_filters(name, columns, words)?;
        let (first, second) = (at(numbers[0])?, at(numbers[1])?);
        Ok(Self { table, filters, contact: at("contact")?, site: at("site")?, first, second })
    }

    fn row(&self, table: usize, columns: &[Column], row: usize) -> Option<(ContactSite, f64, f64)> {
        if table != self.table || !row_matches(columns, &self.filters, row) {
            return None;
        }
        let number = |column: usize| columns.get(column)?.values.real(row);
        let contact = match &columns.get(self.contact)?.values {
            Values::Text { index, .. } => *index.get(row)?,
            _ => return None,
        };
        let site = (contact, number(self.site)? as u64);
        Some((site, number(self.first)?, number(self.second)?))
    }
}

impl Impulse {
    /// Creates the sum for the contact with this name, or for all contacts.
    ///
    /// # Errors
    /// When there is no such contact.
    pub fn new(contact: Option<&String>, tables: &[(&'static str, Vec<Column>)]) -> Result<Self> {
        let of_contact: Vec<String> = contact.into_iter().cloned().collect();
        let ends: Vec<String> = of_contact.iter().cloned().chain(["part".to_string()]).collect();
        Ok(Self {
            contacts: TouchColumns::new(tables, "contacts", ["time_s", "force_N"], &of_contact)?,
            events: TouchColumns::new(tables, "events", ["begun_s", "time_s"], &ends)?,
            samples: Vec::new(),
            ended: Vec::new(),
        })
    }

    /// Adds a row of a table.
    pub fn add(&mut self, table: usize, columns: &[Column], row: usize) {
        self.samples.extend(self.contacts.row(table, columns, row));
        self.ended.extend(self.events.row(table, columns, row));
    }

    /// Returns ∫F dt over all touches (N s).
    pub fn value(&self) -> f64 {
        let mut samples = self.samples.clone();
        // The sort is stable, so samples of a site remain in order of time.
        samples.sort_by_key(|(site, ..)| *site);
        let mut sum = 0.0;
        for touches in samples.chunk_by(|a, b| a.0 == b.0) {
            let site = touches.first().map(|(site, ..)| *site);
            let mut rest: Vec<(f64, f64)> = touches.iter().map(|(_, t, f)| (*t, *f)).collect();
            for (_, begun, end) in self.ended.iter().filter(|(of, ..)| Some(*of) == site) {
                let within = |(time, _): &(f64, f64)| *time >= *begun && *time < *end;
                let mut touch: Vec<(f64, f64)> = rest.iter().copied().filter(within).collect();
                rest.retain(|sample| !within(sample));
                touch.push((*end, 0.0));
                sum += integral(&touch);
            }
            // What remains belongs to a touch in progress; samples at the very end of another touch have no force.
            rest.retain(|(time, _)| {
                !self.ended.iter().any(|(of, _, end)| Some(*of) == site && time <= end)
            });
            sum += integral(&rest);
        }
        sum
    }
}

/// Impulses of rigid bodies, at one contact or at all. The impulse of an impact does not appear in any sample, but every
/// touch records its own.
pub(super) struct RigidImpulse {
    pub contact: Option<usize>,
    /// Time before which impulses are not counted (s).
    pub from: f64,
    /// Impulse of the touches that have ended (N·s).
    pub ended: f64,
    /// Impulse of all touches before `from` (N·s), once that time is reached.
    pub before: Option<f64>,
}

impl RigidImpulse {
    pub fn includes(&self, contact: usize) -> bool {
        self.contact.is_none_or(|of| of == contact)
    }

    /// Returns the time at which the state has to be sampled.
    pub fn next(&self) -> f64 {
        if self.before.is_none() { self.from } else { f64::INFINITY }
    }

    /// Returns the impulse of all touches up to a state (N·s).
    pub fn impulse_until(&self, world: &World, state: &State) -> f64 {
        let last = state.rigid_touches().iter().filter(|touch| self.includes(touch.site(world).0));
        self.ended + last.map(|touch| touch.impulse).sum::<f64>()
    }

    /// Returns the impulse in a run that has reached its end (N·s).
    pub fn finish(&self, world: &World, state: &State) -> f64 {
        self.impulse_until(world, state) - self.before.unwrap_or(0.0)
    }
}

/// Returns the integral of samples at increasing times. Between two samples the integrand is the mean of the two parabolas
/// through them and the neighbour on either side.
fn integral(samples: &[(f64, f64)]) -> f64 {
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(samples.len());
    for sample in samples {
        if points.last().is_none_or(|last| sample.0 > last.0) {
            points.push(*sample);
        }
    }
    let mut sum = 0.0;
    for (i, two) in points.windows(2).enumerate() {
        let (a, b) = (two[0], two[1]);
        let h = b.0 - a.0;
        let trapezoid = 0.5 * h * (a.1 + b.1);
        // The integral of a parabola through a, b and c differs from that of the chord by −h³/6 times half its second
        // derivative.
        let bend = |c: &(f64, f64)| {
            let (u, v) = ((b.1 - a.1) / h, (c.1 - a.1) / (c.0 - a.0));
            -(v - u) / (c.0 - b.0) * h.powi(3) / 6.0
        };
        let before = i.checked_sub(1).and_then(|k| points.get(k)).map(&bend);
        let after = points.get(i + 2).map(&bend);
        let correction = match (before, after) {
            (Some(one), Some(two)) => 0.5 * (one + two),
            (one, two) => one.or(two).unwrap_or(0.0),
        };
        sum += trapezoid + correction;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::integral;

    #[test]
    fn a_parabola_on_uneven_samples_is_integrated_exactly() {
        let samples: Vec<(f64, f64)> =
            [0.0, 0.1, 0.25, 0.6, 1.0].map(|t| (t, t * (1.0 - t) + 0.5)).to_vec();
        assert!((integral(&samples) - (1.0 / 6.0 + 0.5)).abs() < 1e-14);
    }
}
