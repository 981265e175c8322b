//! Error of the fixed step: the change of a restitution that it causes.
//!
//! The energy ledger closes to rounding for any step, so it does not show this error. Instead, impacts of two grains are
//! integrated with the scheme and step of the bed and compared with the library's impact, whose error is controlled. The
//! position of the onset within a step is arbitrary, so the largest difference over all such phases is searched for
//! ([`over_phases`]). The fastest impact is used, because for most laws it is the shortest and is resolved by the fewest
//! steps.

use super::bed::Bed;
use super::contact_block::signed_load;
use carom::advise::over_phases;
use carom::law::{Exit, Force, Law, Memory, Work};
use carom::numeric::random;
use carom::{Result, collide};
use serde::Serialize;

/// Number of onset phases at which the search starts; enough for laws that have kinks themselves.
const INITIAL_PHASES: usize = 64;
/// Largest number of steps of one impact: if a contact takes more, the error of the step is negligible.
const MAX_STEPS: usize = 20_000;

/// Largest change of a restitution that the fixed step causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StepError {
    /// Largest difference from the restitution of the law, over all onset phases, pairs of sizes and walls.
    pub restitution: f64,
    /// Approach speed for which this was computed (m/s), the fastest one so far.
    pub speed: f64,
}

impl Bed {
    /// Computes the error of a step of length `h` (s) for impacts at an approach speed (m/s); the laws must have the
    /// effective masses of their pairs. Returns nothing if the speed is 0.
    ///
    /// # Errors
    /// When the library cannot compute an impact of a law at this speed.
    pub(crate) fn step_error(&self, h: f64, speed: f64) -> Result<Option<StepError>> {
        if !(speed > 0.0) {
            return Ok(None);
        }
        let mut restitution = 0.0f64;
        for law in self.laws.laws() {
            let expected = collide(law, speed)?.restitution.newton;
            let jumps = law.force(0.0, speed, &law.touch(speed)) != 0.0;
            let found = over_phases(jumps, INITIAL_PHASES, |phase| {
                let min_onset_speed = self.min_onset_speed;
                let impact = FixedStepImpact { law, speed, min_onset_speed, h, share: 1.0 - phase };
                let (found, decisions) = law.with(impact);
                Ok(Some((found - expected, decisions)))
            })?;
            restitution = restitution.max(found.map_or(0.0, |found| found.worst));
        }
        Ok(Some(StepError { restitution, speed }))
    }
}

/// One impact integrated with the scheme of the bed. The onset lies the fraction `share` of a step before the first position
/// in contact. Returns the restitution and a hash of the decisions on the way: the number of steps, and at which of them a
/// tensile force was cut off. Between phases with equal hashes the restitution is a smooth function of the phase.
struct FixedStepImpact<'a> {
    law: &'a Law,
    speed: f64,
    min_onset_speed: f64,
    h: f64,
    share: f64,
}

impl Work for FixedStepImpact<'_> {
    type Output = (f64, u64);
    fn run<F: Force>(self, form: F) -> (f64, u64) {
        let Self { law, speed, min_onset_speed, h, share } = self;
        let mut memory: Memory = law.touch(speed.max(min_onset_speed));
        let (mut delta, mut rate) = (share * speed * h, speed);
        let may_pull = law.exit == Exit::ZeroIndentation;
        let mut decisions = 0u64;
        for step in 0..MAX_STEPS {
            if !(delta > 0.0) {
                break;
            }
            let elapsed = if step == 0 { 0.0 } else { h };
            let load = signed_load(&form, delta, rate, elapsed, &mut memory);
            decisions = random::bits(decisions, u64::from(load < 0.0));
            rate -= h / law.mass * if may_pull { load } else { load.max(0.0) };
            delta += h * rate;
        }
        ((-rate / speed).max(0.0), decisions)
    }
}
