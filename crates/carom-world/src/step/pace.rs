//! Pace: choice between the explicit and the implicit integrator for the next step.
//!
//! The length of an explicit step does not tell whether accuracy or stability limits it: it is the same while the oscillation of
//! a contact is resolved and after that oscillation has died out. The implicit pair is therefore tried from time to time. After
//! more steps in contact than an impact takes, one implicit step is tried that is [`TRIAL_LENGTH_RATIO`] times longer. If its error is
//! small enough, the implicit pair continues. If it has to be shortened to less than [`IMPLICIT_COST`] explicit steps, which is
//! the cost of an implicit step, the explicit pair continues and the next attempt follows after twice as many steps. This longer
//! wait is kept while the bodies are apart: the journal of a mechanism touches and leaves its bearing again and again, and each
//! contact is similar to the previous one. Both pairs meet the tolerance, so the choice affects only the computing time.
//!
//! The explicit length is that of the last explicit step and may be out of date: while a lightly damped friction spring slips,
//! its force relaxes within microseconds; once it sticks, it oscillates for milliseconds. The implicit pair would then resolve
//! the oscillation, at order 4. Therefore, after [`STEPS_BEFORE_EXPLICIT_TRY`] implicit steps that did not grow, one step of the
//! same length is tried with the explicit pair, which continues if that step is accurate.
//!
//! The choice is part of the state, because a resumed run has to make the same choices.

use super::{Event, Located};
use crate::integrator::Method;
use crate::state::{Pace, Phase, State};

/// Largest number of steps between attempts; the wait doubles with every failed attempt. An attempt costs a few steps, so at this
/// number it is less than one per cent of the work.
const MAX_STEPS_BETWEEN_TRIES: u32 = 768;
/// Length of an implicit step that is tried, in units of the explicit length: well above the cost of the step.
const TRIAL_LENGTH_RATIO: f64 = 8.0;
/// Ratio of successive step lengths above which the length is not limited by the frequency of the contact.
const UNLIMITED_GROWTH: f64 = 1.5;
/// Length of an implicit step, in units of the explicit length, that confirms the change to the implicit pair: the next wait is
/// then the shortest again.
const CONFIRMING_LENGTH_RATIO: f64 = 32.0;
/// Number of successive implicit steps without growth after which a step of the same length is tried with the explicit pair; if
/// that fails, it has cost about as much as one of them.
const STEPS_BEFORE_EXPLICIT_TRY: u32 = 60;
/// Cost of an implicit step in explicit ones of 12 evaluations: its iterations need evaluations and solutions of linear systems.
const IMPLICIT_COST: f64 = 3.0;

impl Pace {
    /// Returns whether an implicit step of this length costs less than explicit steps over the same time.
    pub fn is_cheaper(&self, length: f64) -> bool {
        length >= IMPLICIT_COST * self.explicit_length
    }

    /// Returns the integrator with which the next step is tried first.
    pub fn tried_first(&self) -> Method {
        match self.method {
            Method::Implicit if self.steps_since_try >= STEPS_BEFORE_EXPLICIT_TRY => {
                Method::Explicit
            }
            method => method,
        }
    }

    /// Returns to the explicit pair, with a longer wait before the next attempt.
    fn give_up(&mut self) {
        self.method = Method::Explicit;
        self.steps_since_try = 0;
        self.steps_before_try = (2 * self.steps_before_try).min(MAX_STEPS_BETWEEN_TRIES);
    }
}

/// Chooses the integrator of the next step, after a step was accepted. The length of the next step is already in the state and
/// may be changed.
pub(crate) fn choose_method(state: &mut State, located: &Located) {
    let touching = state.touches.iter().any(|touch| touch.phase == Phase::Active);
    let pace = &mut state.pace;
    if !touching {
        (pace.method, pace.steps_since_try) = (Method::Explicit, 0);
        return;
    }
    // Impacts are resolved by explicit steps. When a touch ends, the lengths of earlier steps are no guide any more.
    let changed = matches!(
        located.event,
        Some(Event::Onset(_) | Event::OverlapOnset(_) | Event::Separation(_))
    );
    match pace.method {
        Method::Explicit if changed => pace.steps_since_try = 0,
        Method::Explicit if state.step > UNLIMITED_GROWTH * located.length => {}
        Method::Explicit => {
            pace.steps_since_try += 1;
            if pace.steps_since_try >= pace.steps_before_try {
                pace.method = Method::Implicit;
                pace.steps_since_try = 0;
                pace.explicit_length = state.step.max(located.length);
                state.step = TRIAL_LENGTH_RATIO * pace.explicit_length;
            }
        }
        Method::Implicit if changed => {
            pace.method = Method::Explicit;
            pace.steps_since_try = 0;
            state.step = state.step.min(pace.explicit_length);
        }
        Method::Implicit if located.method == Method::Explicit => pace.give_up(),
        Method::Implicit if !pace.is_cheaper(state.step) => {
            state.step = state.step.max(located.length).min(pace.explicit_length);
            pace.give_up();
        }
        Method::Implicit => {
            let growing = state.step > UNLIMITED_GROWTH * located.length;
            let was_tried = pace.tried_first() == Method::Explicit;
            pace.steps_since_try = if growing || was_tried { 0 } else { pace.steps_since_try + 1 };
            if state.step > CONFIRMING_LENGTH_RATIO * pace.explicit_length {
                pace.steps_before_try = Pace::default().steps_before_try;
            }
        }
    }
}
