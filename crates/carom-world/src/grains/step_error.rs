//! The error of the fixed step: how far it puts a restitution off.
//!
//! A ledger that sums works as the steps make them closes to rounding with any step. What the step does to the results is
//! seen where an impact is known: two grains are marched through each other by the scheme of the bed (`step`, `block`), and
//! what comes out is held against the impact of the library, which has no step. Where within a step the touch falls is
//! chance; the largest difference over all of these phases is located ([`over_phases`]). The fastest impact is the shortest for
//! most laws, and the step is largest against it.

use super::Bed;
use crate::grains::block::signed_load;
use carom::advise::over_phases;
use carom::law::{Exit, Force, Law, Memory, Work};
use carom::{Result, collide};
use serde::Serialize;

/// Phases of the touch at which the search begins: enough for laws with kinks of their own.
const PHASES: usize = 64;
/// Most steps of one impact; a contact that lasts longer has no error of its step to speak of.
const MOST: usize = 20_000;

/// How far the fixed step puts restitutions off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StepError {
    /// Largest difference of a restitution from that of the law, over all phases of the touch, pairs of sizes and walls.
    pub restitution: f64,
    /// The approach speed for which that holds (m/s), the fastest so far.
    pub speed: f64,
}

impl Bed {
    /// The error of a step of length `h` (s) for impacts of a speed (m/s), by laws that have the masses of their pairs; nothing
    /// where the speed is 0.
    ///
    /// # Errors
    /// When the library cannot collide a law at this speed.
    pub(super) fn step_error(&self, h: f64, speed: f64) -> Result<Option<StepError>> {
        if !(speed > 0.0) {
            return Ok(None);
        }
        let mut restitution = 0.0f64;
        for law in &self.laws {
            let expected = collide(law, speed)?.restitution.newton;
            let jumps = law.force(0.0, speed, &law.touch(speed)) != 0.0;
            let found = over_phases(jumps, PHASES, |phase| {
                let march = March { law, speed, slowest: self.slowest, h, share: 1.0 - phase };
                let (found, decisions) = law.with(march);
                Ok(Some((found - expected, decisions)))
            })?;
            restitution = restitution.max(found.map_or(0.0, |found| found.worst));
        }
        Ok(Some(StepError { restitution, speed }))
    }
}

/// One impact by the scheme of the bed, from a touch that lies a share of a step before the first position in contact; gives
/// the restitution, and a number that stands for the decisions on the way: how many steps it took, and at which of
/// them a pull was cut off.
struct March<'a> {
    law: &'a Law,
    speed: f64,
    slowest: f64,
    h: f64,
    share: f64,
}

impl Work for March<'_> {
    type Output = (f64, u64);
    fn run<F: Force>(self, form: F) -> (f64, u64) {
        let Self { law, speed, slowest, h, share } = self;
        let mut memory: Memory = law.touch(speed.max(slowest));
        let (mut delta, mut rate) = (share * speed * h, speed);
        let pulls = law.exit == Exit::ZeroIndentation;
        let mut decisions = 0u64;
        for step in 0..MOST {
            if !(delta > 0.0) {
                break;
            }
            let elapsed = if step == 0 { 0.0 } else { h };
            let load = signed_load(&form, delta, rate, elapsed, &mut memory);
            decisions = decisions.wrapping_mul(31).wrapping_add(1 + u64::from(load < 0.0));
            rate -= h / law.mass * if pulls { load } else { load.max(0.0) };
            delta += h * rate;
        }
        ((-rate / speed).max(0.0), decisions)
    }
}
