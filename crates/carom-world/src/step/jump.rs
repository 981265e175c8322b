//! Jumps of a gap: sites whose features change at a depth.
//!
//! Gaps are continuous as long as indentations are smaller than the rounding of edges (`gap/features.rs`). Deeper, the
//! features of a site may change from one instant to the next: an edge that was pressed past another slides off its
//! end, a corner leaves through another face. The gap then jumps, and with it the force. That must not create energy, so
//!
//! - a touch whose gap jumps to another overlap continues with the indentation that it had: the change goes into its offset;
//! - a touch whose gap jumps open ends there, and what it had stored is lost;
//! - a site that is found overlapping has no touch; when it closes further, a touch begins with no indentation
//!   ([`Event::OverlapOnset`], `onset.rs`).
//!
//! A gap has jumped where it changes by ten times more than the bodies move. A step across a jump is mostly refused however
//! short it is. So where a step has been refused several times, and is so short that no body moves by more than 1e-10 of its
//! size, it is taken all the same ([`in_refused_step`]). One so short that the jump of the force makes no error is accepted, and
//! the jump found there ([`in_accepted_step`]).

use super::{Event, Probe, Scratch, trial};
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap, smaller_body, smallest_jump};
use crate::state::Phase;

/// Steps in which bodies move by less than this fraction of their size may be taken across a jump.
const SHORT_TRAVEL: f64 = 1e-10;

/// What becomes of a touch whose gap jumped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GapJump {
    pub touch: usize,
    pub to: JumpTo,
}

/// Where a gap jumped to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JumpTo {
    /// To another overlap, larger by so much (m).
    Overlap(f64),
    /// Open.
    Open,
}

/// The least change of a gap that is a jump.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threshold {
    /// More than motion and rounding explain.
    Motion,
    /// And more than [`smallest_jump`].
    SmallestJump,
}

/// Whether the step that was just refused is short and gaps jump in it, which are then listed: the step can be taken.
pub(crate) fn in_refused_step(input: &StepInput, scratch: &mut Scratch) -> bool {
    let Scratch { trial, probe, jumps, .. } = scratch;
    let (world, length) = (input.world, trial.stepper.length());
    let kinematics = &mut probe.evaluation.kinematics;
    kinematics.read(input, trial.end_time(), trial.stepper.end());
    let short = input.state.touches.iter().all(|touch| {
        let (a, b) = world.bodies_at(touch.site);
        let travel = kinematics.speed_bound(world, touch.site) * length;
        travel <= SHORT_TRAVEL * smaller_body(world, a, b)
    });
    jumps.clear();
    if short {
        let gap_of = |touch: usize| kinematics.gap(input, input.state.touches[touch].site);
        find(input, kinematics, gap_of, length, Threshold::Motion, jumps);
    }
    !jumps.is_empty()
}

/// Whether gaps jump in a step that was accepted, whose end has been evaluated; they are then listed.
pub(crate) fn in_accepted_step(input: &StepInput, scratch: &mut Scratch) -> bool {
    let Scratch { trial, jumps, .. } = scratch;
    jumps.clear();
    let evaluation = &trial.at_end.evaluation;
    let gap_of = |touch: usize| evaluation.contact(input, touch, 0.0, &[]).site_gap();
    let (kinematics, length) = (&evaluation.kinematics, trial.stepper.length());
    find(input, kinematics, gap_of, length, Threshold::SmallestJump, jumps);
    !jumps.is_empty()
}

/// Lists the active touches whose gap, `gap_of` at the end of the step, changed in the step by more than its bodies moved.
fn find(
    input: &StepInput,
    at_end: &Kinematics,
    gap_of: impl Fn(usize) -> SiteGap,
    length: f64,
    threshold: Threshold,
    jumps: &mut Vec<GapJump>,
) {
    let (world, state) = (input.world, input.state);
    for (index, touch) in state.touches.iter().enumerate() {
        if touch.phase != Phase::Active {
            continue;
        }
        let found = gap_of(index);
        // Where a step ends at a turn the bodies are at rest, and have moved.
        let speed = at_end.speed_bound(world, touch.site);
        let travel = speed.max(2.0 * state.largest_speed) * length;
        let change = -found.gap.distance - touch.offset - touch.delta;
        let rounding = 8.0 * at_end.gap_rounding(world, found.a, found.b);
        let least = match threshold {
            Threshold::Motion => 0.0,
            Threshold::SmallestJump => smallest_jump(world, found.a, found.b),
        };
        if change.abs() > 10.0 * travel + rounding + least {
            let open = found.gap.distance > 0.0;
            let to = if open { JumpTo::Open } else { JumpTo::Overlap(change) };
            jumps.push(GapJump { touch: index, to });
        }
    }
}

/// Of the overlapping sites that close where the step ends, keeps those that continue to close: their overlap grows by at least
/// half of what its rate says while the bodies move on by 1e-6 of their size. Where the features of a site alternate
/// from one instant to the next, one of them closing and the other opening, touches would begin and end without end.
pub(crate) fn keep_lasting_onsets(input: &StepInput, scratch: &mut Scratch) {
    let Scratch { trial, probe, crossings, .. } = scratch;
    let (world, end) = (input.world, trial.end_time());
    let at_end = &trial.at_end.evaluation.kinematics;
    let Probe { y: soon, evaluation, .. } = probe;
    crossings.events.retain(|event| {
        let Event::OverlapOnset(site) = *event else { return true };
        let now = at_end.gap(input, site);
        let closing = -at_end.opening_rate(&now);
        let size = smaller_body(world, now.a, now.b);
        let time = 1e-6 * size / at_end.speed_bound(world, site);
        soon.clear();
        let rates = trial.end.iter().zip(&trial.at_end.slope);
        soon.extend(rates.map(|(y, rate)| y + time * rate));
        evaluation.kinematics.read(input, end + time, soon);
        let later = evaluation.kinematics.gap(input, site).gap.distance;
        now.gap.distance - later > 0.5 * closing * time
    });
}

/// By how much the overlap at a site jumped up at the very end of the step (m); 0 where it moved there.
pub(crate) fn overlap_jump_at_end(input: &StepInput, scratch: &mut Scratch, site: usize) -> f64 {
    trial::interpolate(input, scratch);
    let Scratch { trial, probe, .. } = scratch;
    let (world, h) = (input.world, trial.stepper.length());
    let at_end = &trial.at_end.evaluation.kinematics;
    let now = at_end.gap(input, site);
    let travel = 1e-6 * at_end.speed_bound(world, site) * h;
    let before = trial.stepper.begun() + (1.0 - 1e-6) * h;
    let kinematics = &mut probe.evaluation.kinematics;
    kinematics.read_site(input, &trial.stepper, before, (site, None), &mut probe.y);
    let jumped = kinematics.gap(input, site).gap.distance - now.gap.distance;
    let least = smallest_jump(world, now.a, now.b) + 2.0 * travel;
    if jumped > least { jumped } else { 0.0 }
}

/// Whether a site is closed, up to what is not distinguished from closed.
pub(crate) fn is_closed(input: &StepInput, kinematics: &Kinematics, site: usize) -> bool {
    let found = kinematics.gap(input, site);
    found.gap.distance < smallest_jump(input.world, found.a, found.b)
}
