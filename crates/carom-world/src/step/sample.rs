//! Samples: states within a step, at the times that an observer requests.

use super::{Located, Scratch, joint_friction, trial};
use crate::input::StepInput;
use crate::observe::{Observer, sample_until};
use crate::state::State;

/// Passes the states within the step that the observer requests to the observer.
pub(crate) fn sample(
    input: &StepInput,
    scratch: &mut Scratch,
    located: &Located,
    observer: &mut impl Observer,
) {
    sample_until(input.world, located.time, observer, |time| state_at(input, scratch, time));
}

/// Returns the state at a time within the step or at its beginning.
pub(crate) fn state_at(input: &StepInput, scratch: &mut Scratch, time: f64) -> State {
    let mut state = input.state.clone();
    if time > input.state.time {
        trial::interpolate(input, scratch);
        scratch.trial.stepper.at(time, &mut state.y);
        state.time = time;
        let kinematics = &mut scratch.probe.evaluation.kinematics;
        kinematics.read(input, time, &state.y);
        let since = time - input.state.time;
        joint_friction::record_angles(input.world, &mut state, &kinematics.bodies, since);
        for touch in &mut state.touches {
            let found = kinematics.gap(input, touch.site);
            touch.delta = -found.gap.distance - touch.offset;
            touch.rate = -kinematics.opening_rate(&found);
        }
    }
    state
}
