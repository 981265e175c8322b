//! Prediction of corners of contact laws.
//!
//! A contact ends at a corner of its force: F ∝ δ^(3/2), for example, has no finite second derivative at δ = 0. A step across the
//! corner has a large error estimate and is rejected, shortened and rejected again. A step that ends *on* the corner or before it
//! is affected from one side only, and this effect can be predicted. Let τ be the time to a corner at which a force F vanishes as
//! (time left)^p. A step that leaves the fraction l of τ has the error estimate
//!
//! c(p)·e^(−18.5·(l − 1/4))·F·τ/m,  l > 1/20;    320/p·c(p)·F·τ/m,  l = 0;    c(p) = 1.7e-8·|p(p−1)…(p−7)|·0.376^p
//!
//! This is the estimate of the Runge–Kutta pair for (1 − (1 − l)·s)^p on 0 … 1, computed from the coefficients of the pair and
//! fitted, with an error of about a third, for p up to 2.5. Corners are therefore approached by steps that leave a fifth to a
//! half of the time to the corner, and the last step but one leaves so much that the step onto the corner is accurate.
//!
//! The time to the corner follows from indentation, rate and acceleration at the state. If the acceleration decays as
//! (1 − s/τ)^(3/2), the displacement until the corner is δ = v·τ + a·τ²/3.5 and the speed there is v + a·τ/2.5. If the contact
//! ends because its force vanishes, the instant is found along this assumed motion by evaluating the law alone, without any step.
//! The turn is a corner for dampers with |δ̇|^q, q ≠ 1, and for laws with two branches; its time follows from
//! δ̇ + δ̈·s + ½·δ⃛·s² = 0.
//!
//! The effect of a corner that has been passed fades: if it lies a time s in the past, the error of a step from s to s + h is
//! proportional to s^(p+1)·(h/s)⁹, so steps may grow with s, where the usual rule, error ∝ h⁹, would keep them short.
//!
//! These predictions only affect the proposed length: the error of the step and the events found in it decide.

use super::{Event, Scratch};
use crate::contact::ContactEvaluation;
use crate::input::StepInput;
use crate::state::{Phase, Touch};
use carom::Exit;
use carom::law::{Exponent, Memory, Power};
use carom::numeric::root::Bracket;

/// A corner that lies ahead of the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CornerAhead {
    pub event: Event,
    /// Time until the corner (s).
    pub time: f64,
    /// Recommended length of the step (s): to the corner where that is accurate, otherwise most of the way to it.
    pub step: f64,
}

/// A corner that the motion has passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PastCorner {
    /// Time since the corner (s); infinite if there was none.
    pub time: f64,
    /// Power of the time since the corner with which the force grows.
    pub power: f64,
}

/// Value of `Corner::parts` where no force has a corner: a force of 0 with the power 1.
const NO_CORNERS: [(f64, f64); 2] = [(0.0, 1.0); 2];

/// Returns the nearest corner that a step of this length from the state would come close to. Corners further away than two such
/// steps are ignored.
pub(crate) fn nearest_corner_ahead(
    input: &StepInput,
    scratch: &Scratch,
    length: f64,
) -> Option<CornerAhead> {
    let touches = 0..input.state.touches.len();
    let ahead = touches.filter_map(|index| corner_ahead_of(input, scratch, index, length));
    ahead.reduce(|nearest, other| if other.time < nearest.time { other } else { nearest })
}

/// Returns the nearest corner in the past that still affects the error of a step.
pub(crate) fn nearest_past_corner(input: &StepInput, scratch: &Scratch) -> PastCorner {
    let (state, evaluation) = (input.state, &scratch.start.evaluation);
    let mut nearest = PastCorner { time: f64::INFINITY, power: HERTZ_EXPONENT };
    for (index, touch) in state.touches.iter().enumerate() {
        if touch.phase != Phase::Active {
            continue;
        }
        let contact = evaluation.contact(input, index, state.time, &state.y);
        let since_onset = state.time - touch.begun;
        if touch.loading && touch.rate > 0.95 * touch.speed && since_onset < nearest.time {
            nearest = PastCorner { time: since_onset, power: onset_power(touch, &contact) };
        }
        let corner_at_turn = touch.law.power().filter(|power| !is_smooth(power.rate));
        if let Some(law) = corner_at_turn
            && !touch.loading
            && contact.rate > -0.1 * touch.speed
        {
            let acceleration = evaluation.approach_acceleration(&contact.site_gap());
            let since_turn = (contact.rate / acceleration).max(0.0);
            if since_turn < nearest.time {
                let power = law.rate.value();
                let power = if power < 1.0 { power } else { HERTZ_EXPONENT };
                nearest = PastCorner { time: since_turn, power };
            }
        }
    }
    nearest
}

/// Returns the next corner of one touch.
fn corner_ahead_of(
    input: &StepInput,
    scratch: &Scratch,
    index: usize,
    length: f64,
) -> Option<CornerAhead> {
    let (state, evaluation) = (input.state, &scratch.start.evaluation);
    let touch = &state.touches[index];
    if touch.phase == Phase::Asleep {
        return None;
    }
    let contact = evaluation.contact(input, index, state.time, &state.y);
    let unloading = touch.phase == Phase::Active && !touch.loading;
    // The force of a linear spring and damper ends without a corner: a step across the end is accurate, and is cut there
    // afterwards.
    if unloading && touch.law.power().is_some_and(begins_smoothly) {
        return None;
    }
    if unloading && touch.is_history_free() {
        // The end is far away: no force of the present size brings the touch there within the step.
        let way = contact.delta - touch.separation_indentation();
        let speed = contact.rate.abs() + contact.force.abs() * length / touch.law.mass;
        if way > 4.0 * length * speed {
            return None;
        }
    }
    let memory = touch.memory_at(state.time, state.touch(index).internal);
    let acceleration = evaluation.approach_acceleration(&contact.site_gap());
    let now = TouchAtState { touch, index, contact, memory, acceleration, latest: 2.0 * length };
    let Corner { event, time, corner_time, parts } = match touch.loading {
        _ if touch.phase == Phase::Released => now.separation()?,
        true if touch.turns_smoothly() => return None,
        true => now.turn()?,
        false => now.end()?,
    };
    // A corner this close is not worth a step of its own; `crossings.rs` finds it.
    if !(time > 1e-9 * touch.indentation_scale / touch.speed.max(contact.rate.abs())) {
        return None;
    }
    let speed = if touch.loading { touch.speed } else { contact.rate.abs() };
    let relative = corner_time / (touch.law.mass * input.world.tolerance * speed);
    let left = fraction_left(parts.map(|(force, power)| ((force * relative).abs(), power)));
    Some(CornerAhead { event, time, step: time.min((1.0 - left) * corner_time) })
}

/// A touch evaluated at the state.
struct TouchAtState<'a> {
    touch: &'a Touch,
    index: usize,
    contact: ContactEvaluation,
    memory: Memory,
    /// Acceleration of its approach (m/s²).
    acceleration: f64,
    /// Time beyond which corners are ignored (s).
    latest: f64,
}

/// A corner of the law that lies ahead, and the event before or at it.
#[derive(Clone, Copy, Debug)]
struct Corner {
    event: Event,
    /// Time until the event and until the corner (s). The corner may lie after the event.
    time: f64,
    corner_time: f64,
    /// Forces that vanish at the corner (N), each with the power of the time left with which it vanishes.
    parts: [(f64, f64); 2],
}

/// Returns the fraction of the time to a corner that a step should leave. `parts` are the forces that vanish there, as changes of
/// speed F·τ/m in units of the allowed error, each with its power of the time left. The result is 0 if a step onto the corner is
/// accurate. Otherwise it is the fraction that the last step but one should leave, provided that the error of that step is small
/// enough, or else the smallest fraction with which it is.
fn fraction_left(parts: [(f64, f64); 2]) -> f64 {
    let (mut near, mut onto, mut sharp) = (0.0, [0.0; 2], 1.0);
    for (i, (change, p)) in parts.into_iter().enumerate() {
        let bends = (0..8).fold(1.7e-8, |product, j| product * (p - f64::from(j)).abs());
        let error = change * bends * 0.376f64.powf(p);
        near += error;
        onto[i] = error * 320.0 / p.max(0.05);
        if i == 0 || onto[1] > onto[0] {
            sharp = p;
        }
    }
    let onto = onto[0] + onto[1];
    if !(onto > 0.7) {
        return 0.0;
    }
    let least = |error: f64| 0.25 + (near / error).ln() / 18.5;
    let last = (0.65 / onto).powf(1.0 / (1.0 + sharp));
    let left = if last > least(0.6) { last } else { least(0.4) };
    left.clamp(0.08, 0.5)
}

/// Power that represents all powers from 1 on: such corners fade so quickly that other errors dominate.
const HERTZ_EXPONENT: f64 = 1.5;

/// Returns the power of time with which most of the force of a touch grew after its onset.
fn onset_power(touch: &Touch, contact: &ContactEvaluation) -> f64 {
    match touch.law.power() {
        Some(law) if law.damping.value() < 1.0 && !is_smooth(law.damping) => {
            let elastic = touch.signed_force(contact.delta, 0.0, &touch.memory);
            let viscous = (contact.force - elastic).abs() > 0.5 * contact.force.abs();
            if viscous { law.damping.value() } else { HERTZ_EXPONENT }
        }
        _ => HERTZ_EXPONENT,
    }
}

/// Returns whether a power law has no corner at δ = 0.
pub(super) fn begins_smoothly(power: &Power) -> bool {
    is_smooth(power.elastic) && is_smooth(power.damping)
}

/// Returns whether x^p has no corner at x = 0, or none that affects the integrator.
fn is_smooth(exponent: Exponent) -> bool {
    matches!(exponent, Exponent::Zero | Exponent::One | Exponent::Two)
}

impl TouchAtState<'_> {
    /// Returns the separation of a touch whose force has vanished.
    fn separation(&self) -> Option<Corner> {
        let way = self.contact.delta - self.touch.separation_indentation();
        let speed = -self.contact.rate;
        let root = speed * speed - 2.0 * self.acceleration * way;
        let time = 2.0 * way / (speed + root.sqrt());
        let event = Event::Separation(self.index);
        let found = Corner { event, time, corner_time: time, parts: NO_CORNERS };
        (way > 0.0 && speed > 0.0 && root > 0.0).then_some(found)
    }

    /// Returns the force, not limited to pushing, at another indentation and rate (N).
    fn force_at(&self, delta: f64, rate: f64) -> f64 {
        self.touch.signed_force(delta, rate, &self.memory)
    }

    /// Returns the turn, and the force that has a corner there; nothing if the turn is too late.
    fn turn(&self) -> Option<Corner> {
        let Self { touch, contact, acceleration, .. } = self;
        let root =
            acceleration * acceleration + 2.0 * touch.force_rate / touch.law.mass * contact.rate;
        let time = 2.0 * contact.rate / (root.max(0.0).sqrt() - acceleration);
        if !(time < self.latest) {
            return None;
        }
        let parts = match touch.law.power() {
            Some(law) if !is_smooth(law.rate) => [
                (contact.force - self.force_at(contact.delta, 0.0), law.rate.value()),
                NO_CORNERS[1],
            ],
            _ => NO_CORNERS,
        };
        Some(Corner { event: Event::Turn(self.index), time, corner_time: time, parts })
    }

    /// Returns the end of the contact and the forces that have a corner there; nothing if the end is too late.
    fn end(&self) -> Option<Corner> {
        let Self { touch, contact, latest, .. } = self;
        let release = touch.separation_indentation();
        let (way, speed, pull) = (contact.delta - release, -contact.rate, -self.acceleration);
        let root = speed * speed + 4.0 / 3.5 * pull * way;
        if !(way > 0.0 && speed > 0.0 && root > 0.0) {
            return None;
        }
        let time = 2.0 * way / (speed + root.sqrt());
        let force = |s: f64| {
            let delta = contact.delta - (speed + pull * s / 3.5) * s;
            self.force_at(delta.max(release), -(speed + pull * s / 2.5))
        };
        let parts = match touch.law.power() {
            Some(law) => {
                let elastic = self.force_at(contact.delta, 0.0);
                [(elastic, law.elastic.value()), (contact.force - elastic, law.damping.value())]
            }
            None => [(contact.force, 1.5), NO_CORNERS[1]],
        };
        if *latest < time && (touch.law.exit == Exit::ZeroIndentation || force(*latest) > 0.0) {
            return None;
        }
        if touch.law.exit == Exit::ZeroIndentation || force((1.0 - 1e-7) * time) > 0.0 {
            return Some(Corner {
                event: Event::Separation(self.index),
                time,
                corner_time: time,
                parts,
            });
        }
        // The force vanishes before separation, where it crosses zero with a slope. It is nearly zero at separation too, so the
        // bracket ends at the first instant at which the force pulls, while the remaining time is halved again and again.
        let (mut begin, mut until) = ((0.0, force(0.0)), (time, 0.0));
        if !(begin.1 > 0.0) {
            return None;
        }
        for halvings in 1..12 {
            let x = time * (1.0 - 0.5f64.powi(halvings));
            let value = force(x);
            if value <= 0.0 {
                until = (x, value);
                break;
            }
            begin = (x, value);
        }
        // The step is then brought to the exact instant of the event (`locate.rs`).
        let time_of_release = Bracket { a: begin, b: until }.narrow(1e-6 * time, force).b.0;
        Some(Corner {
            event: Event::Release(self.index),
            time: time_of_release,
            corner_time: time,
            parts,
        })
    }
}
