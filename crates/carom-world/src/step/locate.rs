//! Event location: the step is made to end on its first event.
//!
//! Most ends of contacts are predicted (`corner.rs`). A step is then aimed at the predicted instant, and the short remaining time
//! is bridged by linear extrapolation with the slope at the end of the step ([`land_on_corner`]). All other events are found
//! after the step that contains them (`crossings.rs`), and the step is cut or repeated ([`locate`]).

use super::dense::DenseStep;
use super::event::event_function;
use super::jump::{JumpTo, is_closed, overlap_jump_at_end};
use super::{Crossing, Event, Scratch, error, trial};
use crate::input::StepInput;
use crate::integrator::Method;
use crate::state::Phase;
use carom::Exit;
use carom::ode::events::{self, Corrections, Retake};

/// End of a step that was found but not applied, and the event there. The trial is this step, evaluated at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located {
    /// Event at the end of the step.
    pub event: Option<Event>,
    /// Time at the end of the step (s).
    pub time: f64,
    /// Time from the end of the trial to the end of the step (s), so short that linear extrapolation bridges it.
    pub shift: f64,
    /// Increase by which the overlap at a site jumped at the end of the step, if its force returns there (m).
    pub overlap_jump: f64,
    /// Length of the next step (s).
    pub next_length: f64,
    /// Integrator that took the step, and the length of the step (s).
    pub method: Method,
    pub length: f64,
    /// Time before which the prescribed motions are evaluated (s), so that a step that ends at a breakpoint is unaffected by what
    /// follows.
    pub horizon: f64,
}

/// Outcome of a step that was aimed at a corner.
pub(crate) enum Landing {
    /// The step ends on the corner, after this remaining time, which linear extrapolation bridges (s).
    Reached(f64),
    /// The corner is not near the end of the step.
    Missed,
    /// The step became inaccurate when it was repeated.
    Inaccurate,
}

impl Located {
    /// Creates a located step that ends `shift` after the end of its trial (s), but not later than `until`.
    pub fn new(
        input: &StepInput,
        scratch: &Scratch,
        until: f64,
        event: Option<Event>,
        shift: f64,
        next_length: f64,
    ) -> Self {
        let stepper = &scratch.trial.stepper;
        // The end of the run must be reached exactly, without rounding errors.
        let time = match stepper.length() >= until - stepper.begun() {
            true => until,
            false => (stepper.begun() + (stepper.length() + shift).max(0.0)).min(until),
        };
        let (method, length, horizon) = (stepper.method(), stepper.length(), input.horizon);
        Self { event, time, shift, overlap_jump: 0.0, next_length, method, length, horizon }
    }

    /// Creates a located step that ends where gaps jump. A touch whose gap jumps open separates; if several do, the others are
    /// found by the next step.
    pub fn at_jump(input: &StepInput, scratch: &Scratch, until: f64, next_length: f64) -> Self {
        let opened = scratch.jumps.iter().find(|jump| jump.to == JumpTo::Open);
        let event = opened.map(|jump| Event::Separation(jump.touch));
        Self::new(input, scratch, until, event, 0.0, next_length)
    }
}

/// Moves the end of the step, which has been evaluated, to the corner that it was aimed at. If the corner turns out to lie later
/// than `until`, where the step has to end, it is missed.
pub(crate) fn land_on_corner(
    input: &StepInput,
    scratch: &mut Scratch,
    event: Event,
    until: f64,
) -> Landing {
    for attempt in 0..3 {
        let length = scratch.trial.stepper.length();
        let Some((left, bridged)) = time_left(input, scratch, event) else {
            return Landing::Missed;
        };
        if length + left > until - input.state.time {
            return Landing::Missed;
        }
        if bridged {
            return Landing::Reached(left);
        }
        if left.abs() > 0.1 * length || attempt == 2 {
            return Landing::Missed;
        }
        trial::retake(input, scratch, length + left);
        if !(error::relative_error(input, scratch) <= 1.0) {
            return Landing::Inaccurate;
        }
        trial::evaluate_end(input, scratch);
    }
    Landing::Missed
}

/// Returns the time from the end of the step to an event near it (s), and whether linear extrapolation bridges this time.
fn time_left(input: &StepInput, scratch: &Scratch, event: Event) -> Option<(f64, bool)> {
    let index = event.touch()?;
    let trial = &scratch.trial;
    let (touch, end) = (&input.state.touches[index], trial.end_time());
    let (y, evaluation) = (&trial.end, &trial.at_end.evaluation);
    let contact = evaluation.contact(input, index, end, y);
    let memory = touch.memory_at(end, input.layout().touch(y, index).internal);
    let acceleration = evaluation.approach_acceleration(&contact.site_gap());
    let left = match event {
        Event::Turn(_) => -contact.rate / acceleration,
        Event::Separation(_) => {
            let release = touch.separation_indentation();
            // If the force vanishes before the separation, the event is a release and not this one.
            let near = release - 1e-7 * contact.rate * trial.stepper.length();
            let pushes = touch.law.exit != Exit::ZeroForce
                || touch.phase == Phase::Released
                || touch.signed_force(near, contact.rate, &memory) > 0.0;
            if !(pushes && contact.rate < 0.0) {
                return None;
            }
            (release - contact.delta) / contact.rate
        }
        Event::Release(_) => {
            let tangent = touch.law.tangent(contact.delta, contact.rate, &memory);
            let force_rate = tangent.stiffness * contact.rate + tangent.damping * acceleration;
            -touch.signed_force(contact.delta, contact.rate, &memory) / force_rate
        }
        _ => return None,
    };
    // Errors of linear extrapolation in indentation and in speed: the terms of second order.
    let square = 0.5 * left * left;
    let (way, change) = (acceleration * square, touch.force_rate / touch.law.mass * square);
    let allowed = 0.01 * input.world.tolerance;
    let bridged = way.abs() <= allowed * touch.indentation_scale
        && change.abs() <= allowed * touch.speed
        && left.abs() < 0.01 * trial.stepper.length();
    left.is_finite().then_some((left, bridged))
}

/// An explicit step whose error is below this fraction of the allowed error may end on its dense output, which is one order less
/// accurate than the step but still accurate enough. In piles most events occur in steps that other events have kept short.
const MAX_CUT_ERROR: f64 = 0.02;

/// Makes the step end on a crossing, and evaluates that end. Returns nothing if the step has become inaccurate. `proposed` is the
/// length that was proposed, `error` the error of the step with that length, `until` the latest end of the step (s).
pub(crate) fn locate(
    input: &StepInput,
    scratch: &mut Scratch,
    crossing: Crossing,
    (proposed, error): (f64, f64),
    until: f64,
) -> Option<Located> {
    let event = crossing.event;
    let (shift, next_length) = end_on(input, scratch, crossing, proposed, error)?;
    let overlap_jump = match event {
        Event::Reload(index) => {
            overlap_jump_at_end(input, scratch, input.state.touches[index].site)
        }
        _ => 0.0,
    };
    let located = Located::new(input, scratch, until, Some(event), shift, next_length);
    Some(Located { overlap_jump, ..located })
}

/// Makes the step end on a crossing, and evaluates that end. Returns the time from the end of the step to the event, so short that
/// linear extrapolation bridges it, and the length of the next step (s).
///
/// An accurate explicit step is cut at the crossing; other steps are repeated.
///
/// The next step may be as long as this one was before it was shortened, because a slider that slips or sticks and a touch that
/// begins, is released or separates do not change how fast the motion varies. Only after an event at which the law has a corner
/// must the next step be short.
fn end_on(
    input: &StepInput,
    scratch: &mut Scratch,
    crossing: Crossing,
    proposed: f64,
    error: f64,
) -> Option<(f64, f64)> {
    let corner = matches!(crossing.event, Event::Turn(_) | Event::Kink(_));
    let stepper = &mut scratch.trial.stepper;
    if stepper.method() == Method::Explicit && error <= MAX_CUT_ERROR && !corner {
        stepper.cut(crossing.fraction * stepper.length());
        let next_length = length_after_event(stepper.length(), proposed);
        trial::evaluate_end(input, scratch);
        return Some((0.0, next_length));
    }
    let at_end = matches!(crossing.event, Event::OverlapOnset(_)) && crossing.fraction == 1.0;
    let shift = if at_end { 0.0 } else { retake_to_event(input, scratch, crossing) };
    let error = error::relative_error(input, scratch);
    let length = scratch.trial.stepper.length();
    if error.is_nan() || (error > 1.0 && length > 1e-3 * proposed) {
        return None;
    }
    if !at_end {
        trial::evaluate_end(input, scratch);
    }
    let next_length = match corner {
        true => length.max(1e-3 * proposed),
        false => length_after_event(length, proposed),
    };
    Some((shift, next_length))
}

/// Returns the length of the step after an event without a corner, given the length of the step that ended on the event and the
/// proposed length. The next step is shorter after a very short step, because an event at the beginning of a step may be found
/// again by rounding until steps are short enough.
fn length_after_event(length: f64, proposed: f64) -> f64 {
    if length < 1e-3 * proposed { 1e-3 * proposed } else { proposed }
}

/// Repeats the step until the event function vanishes at its end. Returns the remaining time to the event (s), which linear
/// extrapolation bridges: even if everything changes by its own size in the step, the square of the remaining time, relative to
/// the step, is a hundredth of the allowed error.
fn retake_to_event(
    input: &StepInput,
    scratch: &mut Scratch,
    Crossing { event, fraction }: Crossing,
) -> f64 {
    let whole = scratch.trial.stepper.length();
    // Rate of the event function, from the dense output.
    let rate = {
        let Scratch { trial, probe, crossings, .. } = &mut *scratch;
        let intervals = &mut crossings.intervals;
        let mut dense = DenseStep { input, stepper: &trial.stepper, probe, intervals };
        let back = (fraction - 1e-6).max(0.0);
        (dense.value(event, fraction) - dense.value(event, back)) / ((fraction - back) * whole)
    };
    let bridged = (0.01 * input.world.tolerance).sqrt().min(1e-4) * fraction;
    let mut step = StepToEvent { input, scratch: &mut *scratch, event, rate };
    let ending = events::locate(&mut step, whole, fraction, Corrections::estimated_rate(bridged));
    // A gap that jumps shut cannot be extrapolated linearly: the step then ends where the gap was found to be closed.
    if let Event::Onset(site) = event
        && ending.length != fraction * whole
    {
        let Scratch { trial, probe, .. } = &mut *scratch;
        let kinematics = &mut probe.evaluation.kinematics;
        kinematics.read(input, trial.end_time(), trial.stepper.end());
        if !is_closed(input, kinematics, site) {
            trial::retake(input, scratch, fraction * whole);
            return 0.0;
        }
    }
    ending.left
}

/// A step that is repeated until it ends on an event.
struct StepToEvent<'a> {
    input: &'a StepInput<'a>,
    scratch: &'a mut Scratch,
    event: Event,
    rate: f64,
}

impl Retake for StepToEvent<'_> {
    fn retake(&mut self, length: f64) {
        trial::retake(self.input, self.scratch, length);
    }

    fn value_and_rate(&mut self) -> (f64, f64) {
        let Scratch { trial, probe, .. } = &mut *self.scratch;
        let (end, y) = (trial.end_time(), trial.stepper.end());
        match self.event.needs_accelerations(self.input.state) {
            true => {
                probe.slope.resize(y.len(), 0.0);
                probe.evaluation.evaluate(self.input, end, y, &mut probe.slope);
            }
            false => probe.evaluation.kinematics.read(self.input, end, y),
        }
        (event_function(self.input, &probe.evaluation, self.event, end, y), self.rate)
    }
}
