//! Jumps of a gap: sites whose features change at a depth.
//!
//! Gaps are continuous as long as indentations are smaller than the rounding of edges (`gap/features.rs`). At larger depths the
//! features of a site may change from one instant to the next: an edge that was pressed past another slides off its end, or a
//! corner leaves through another face. The gap then jumps, and the force with it. This must not create energy, so
//!
//! - a touch whose gap jumps to another overlap continues with its previous indentation: the difference is added to its offset;
//! - a touch whose gap jumps open ends there, and its stored energy is lost;
//! - an open site whose gap jumps to an overlap gets no touch at first. When it closes further, a touch begins with zero
//!   indentation ([`Event::OverlapOnset`], `onset.rs`).
//!
//! A gap has jumped if it changes by ten times more than the bodies move. A step across a jump is usually rejected, however short
//! it is. A step that was rejected before, and in which no body moves by more than 1e-10 of its size, is therefore accepted
//! nevertheless ([`find_in_rejected_step`]). A step so short that the jump of the force causes no noticeable error is accepted as
//! usual, and the jump is found afterwards ([`find_in_accepted_step`]).

use super::{Event, Probe, Scratch, trial};
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap, smaller_body_size, smallest_jump};
use crate::state::Phase;

/// Steps in which bodies move by less than this fraction of their size may be accepted across a jump.
const SHORT_TRAVEL: f64 = 1e-10;

/// A touch whose gap jumped, and the result of the jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GapJump {
    pub touch: usize,
    pub to: JumpTo,
}

/// Result of a jump of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum JumpTo {
    /// The gap jumped to another overlap, larger by this amount (m).
    Overlap(f64),
    /// The gap jumped open.
    Open,
}

/// Returns whether the step that was just rejected is short enough and contains jumps of gaps, which are then listed: it may be
/// accepted.
pub(crate) fn find_in_rejected_step(input: &StepInput, scratch: &mut Scratch) -> bool {
    let Scratch { trial, probe, jumps, .. } = scratch;
    let (world, length) = (input.world, trial.stepper.length());
    let kinematics = &mut probe.evaluation.kinematics;
    kinematics.read(input, trial.end_time(), trial.stepper.end());
    let short = input.state.touches.iter().all(|touch| {
        let (a, b) = world.bodies_at(touch.site);
        let travel = kinematics.speed_bound(world, touch.site) * length;
        travel <= SHORT_TRAVEL * smaller_body_size(world, a, b)
    });
    jumps.clear();
    if short {
        let gap_of = |touch: usize| kinematics.gap(input, input.state.touches[touch].site);
        find_jumps(input, kinematics, gap_of, length, |_| 0.0, jumps);
    }
    !jumps.is_empty()
}

/// Returns whether gaps jump in an accepted step whose end has been evaluated; the jumps are then listed.
pub(crate) fn find_in_accepted_step(input: &StepInput, scratch: &mut Scratch) -> bool {
    let Scratch { trial, jumps, .. } = scratch;
    jumps.clear();
    let evaluation = &trial.at_end.evaluation;
    let gap_of = |touch: usize| evaluation.active_contact(touch).site_gap();
    let (kinematics, length) = (&evaluation.kinematics, trial.stepper.length());
    let smallest = |found: &SiteGap| smallest_jump(input.world, found.a, found.b);
    find_jumps(input, kinematics, gap_of, length, smallest, jumps);
    !jumps.is_empty()
}

/// Lists the active touches whose gap changed by more in the step than motion and rounding can explain. `gap_of` returns the gap
/// at the end of the step, `smallest` the excess over these from which a change counts as a jump (m).
fn find_jumps(
    input: &StepInput,
    at_end: &Kinematics,
    gap_of: impl Fn(usize) -> SiteGap,
    length: f64,
    smallest: impl Fn(&SiteGap) -> f64,
    jumps: &mut Vec<GapJump>,
) {
    let (world, state) = (input.world, input.state);
    for (index, touch) in state.touches.iter().enumerate() {
        if touch.phase != Phase::Active {
            continue;
        }
        let found = gap_of(index);
        // At a turn, where the step may end, the relative speed is zero although the bodies have moved.
        let speed = at_end.speed_bound(world, touch.site);
        let travel = speed.max(2.0 * state.largest_speed) * length;
        let change = -found.gap.distance - touch.offset - touch.delta;
        let rounding = 8.0 * at_end.gap_rounding(world, found.a, found.b);
        if change.abs() > 10.0 * travel + rounding + smallest(&found) {
            let open = found.gap.distance > 0.0;
            let to = if open { JumpTo::Open } else { JumpTo::Overlap(change) };
            jumps.push(GapJump { touch: index, to });
        }
    }
}

/// Of the overlapping sites that close further at the end of the step, keeps those that continue to close: their overlap must
/// grow by at least half of what its rate predicts while the bodies move by 1e-6 of their size. Otherwise, where the features of
/// a site alternate from one instant to the next, and one of them closes and the other opens, touches would begin and end without
/// end.
pub(crate) fn keep_lasting_onsets(input: &StepInput, scratch: &mut Scratch) {
    let Scratch { trial, probe, crossings, .. } = scratch;
    let (world, end) = (input.world, trial.end_time());
    let at_end = &trial.at_end.evaluation.kinematics;
    let Probe { y: soon, evaluation, .. } = probe;
    crossings.events.retain(|event| {
        let Event::OverlapOnset(site) = *event else { return true };
        let now = at_end.gap(input, site);
        let closing = -at_end.opening_rate(&now);
        let size = smaller_body_size(world, now.a, now.b);
        let time = 1e-6 * size / at_end.speed_bound(world, site);
        soon.clear();
        let rates = trial.end.iter().zip(&trial.at_end.slope);
        soon.extend(rates.map(|(y, rate)| y + time * rate));
        evaluation.kinematics.read(input, end + time, soon);
        let later = evaluation.kinematics.gap(input, site).gap.distance;
        now.gap.distance - later > 0.5 * closing * time
    });
}

/// Returns the increase by which the overlap at a site jumped at the very end of the step (m); 0 if it changed continuously
/// there.
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

/// Returns whether a site is closed, or so nearly closed that the difference is below the smallest jump.
pub(crate) fn is_closed(input: &StepInput, kinematics: &Kinematics, site: usize) -> bool {
    let found = kinematics.gap(input, site);
    found.gap.distance < smallest_jump(input.world, found.a, found.b)
}
