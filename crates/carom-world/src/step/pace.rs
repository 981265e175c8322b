//! Pace: which of the two pairs takes the next step.
//!
//! The length of an explicit step does not tell whether accuracy or stability limits it: it is the same while a contact's own oscillation is
//! resolved and after that oscillation has died out. So the implicit pair is tried. After more steps in contact than an impact takes, one
//! implicit step is tried that is [`TRIED_LENGTH`] times longer. If its error is small enough, the implicit pair continues. If it has to be
//! shortened to less than [`IMPLICIT_COST`] explicit steps, which is what an implicit step costs, the explicit pair continues and the next
//! trial follows after twice as many steps. That longer wait is kept while the bodies are apart: the journal of a mechanism touches and leaves its
//! bearing again and again, and each contact is like the last one. Both pairs meet the tolerance, so the choice affects time only.
//!
//! The explicit length is that of the last explicit step and may be out of date: while a lightly damped friction spring slips, its force
//! relaxes within microseconds; once it sticks, it oscillates for milliseconds. The implicit pair would then resolve the oscillation, at
//! order 4. So after [`STEPS_BEFORE_EXPLICIT_TRY`] implicit steps that did not grow, one step of the same length is tried with the explicit
//! pair, which continues if that step is accurate.
//!
//! The choice is part of the state, because a run that is resumed has to make the same.

use super::{Event, Located};
use crate::integrator::Method;
use crate::state::{Pace, Phase, State};

/// The wait doubles with every try in vain, up to so many steps: a try, which costs a few steps, is then less than a percent of the work.
const MAX_STEPS_BETWEEN_TRIES: u32 = 768;
/// Length of the implicit step that is tried, in explicit ones: well above what it costs.
const TRIED_LENGTH: f64 = 8.0;
/// A step that is longer than the one before by this factor is not limited by the contact's frequency.
const GROWING: f64 = 1.5;
/// An implicit step that is longer than this many explicit ones shows that the change was right: the next wait is the shortest again.
const CONFIRMED_LENGTH: f64 = 32.0;
/// Implicit steps that did not grow, after which one of the same length is tried explicitly: a try in vain costs as much as one of them.
const STEPS_BEFORE_EXPLICIT_TRY: u32 = 60;
/// What an implicit step costs, in explicit ones of 12 evaluations: its iterations need evaluations and solutions of linear systems.
const IMPLICIT_COST: f64 = 3.0;

impl Pace {
    /// Whether an implicit step of this length costs less than the explicit ones.
    pub fn is_worth(&self, length: f64) -> bool {
        length >= IMPLICIT_COST * self.explicit_length
    }

    /// The pair with which the next step is tried first.
    pub fn tried_first(&self) -> Method {
        match self.method {
            Method::Implicit if self.since >= STEPS_BEFORE_EXPLICIT_TRY => Method::Explicit,
            method => method,
        }
    }

    /// Goes back to the explicit pair, and waits for longer before the next try.
    fn give_up(&mut self) {
        self.method = Method::Explicit;
        self.since = 0;
        self.patience = (2 * self.patience).min(MAX_STEPS_BETWEEN_TRIES);
    }
}

/// Chooses the pair for the next step, after one that has been taken; the length of the next step is in the state.
pub(crate) fn choose(state: &mut State, located: &Located) {
    let touching = state.touches.iter().any(|touch| touch.phase == Phase::Active);
    let pace = &mut state.pace;
    if !touching {
        (pace.method, pace.since) = (Method::Explicit, 0);
        return;
    }
    // An impact is resolved by explicit steps, and the end of a touch changes what the lengths of past steps say.
    let changed = matches!(
        located.event,
        Some(Event::Onset(_) | Event::OverlapOnset(_) | Event::Separation(_))
    );
    match pace.method {
        Method::Explicit if changed => pace.since = 0,
        Method::Explicit if state.step > GROWING * located.length => {}
        Method::Explicit => {
            pace.since += 1;
            if pace.since >= pace.patience {
                pace.method = Method::Implicit;
                pace.since = 0;
                pace.explicit_length = state.step.max(located.length);
                state.step = TRIED_LENGTH * pace.explicit_length;
            }
        }
        Method::Implicit if changed => {
            pace.method = Method::Explicit;
            pace.since = 0;
            state.step = state.step.min(pace.explicit_length);
        }
        Method::Implicit if located.method == Method::Explicit => pace.give_up(),
        Method::Implicit if !pace.is_worth(state.step) => {
            state.step = state.step.max(located.length).min(pace.explicit_length);
            pace.give_up();
        }
        Method::Implicit => {
            let growing = state.step > GROWING * located.length;
            let was_tried = pace.tried_first() == Method::Explicit;
            pace.since = if growing || was_tried { 0 } else { pace.since + 1 };
            if state.step > CONFIRMED_LENGTH * pace.explicit_length {
                pace.patience = Pace::default().patience;
            }
        }
    }
}
