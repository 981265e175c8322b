//! Corners of a contact law that can be foreseen.
//!
//! A contact ends with a corner: F ∝ δ^(3/2), say, has no second derivative at δ = 0. A step across it sees its own
//! error there, is refused, shortened, refused again. A step that ends *on* the corner, or before it, sees only what the
//! corner does from one side, and that can be foreseen: over the way τ to a corner where a force F vanishes as (time left)^p,
//! a step that leaves the fraction l of the way has the error estimate
//!
//! c(p)·e^(−18.5·(l − 1/4))·F·τ/m,  l > 1/20;    320/p·c(p)·F·τ/m,  l = 0;    c(p) = 1.7e-8·|p(p−1)…(p−7)|·0.376^p
//!
//! (the estimate of the Runge–Kutta pair for (1 − (1 − l)·s)^p on 0 … 1, computed from its coefficients and fitted for p up to
//! 2.5 to about a third). So corners are approached by steps that leave a fifth to a half of the way, and the last but one leaves
//! so much that the step onto the corner is accurate.
//!
//! Where the corner lies follows from indentation, rate and acceleration at the state: with an acceleration that fades as
//! (1 − s/τ)^(3/2), the way is δ = v·τ + a·τ²/3.5 and the speed at the end v + a·τ/2.5; the end of contact by a force
//! that vanishes is found on that path from the law alone, without a single step. The turn is a corner for dampers with
//! |δ̇|^q, q ≠ 1, and for laws of two branches: δ̇ + δ̈·s + ½·δ⃛·s² = 0.
//!
//! A corner behind is felt less and less: with s the time since then, the error of a step from s to s + h goes as
//! s^(p+1)·(h/s)⁹, so that steps may grow with s where the usual rule, h⁹ alone, would hold them back.
//!
//! All of this is a proposal: the step's own error and its events decide.

use super::{Event, Scratch};
use crate::contact::ContactEvaluation;
use crate::input::StepInput;
use crate::state::{Phase, Touch};
use carom::Exit;
use carom::law::{Exponent, Memory, Power};
use carom::numeric::root::Bracket;

/// A corner ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    pub event: Event,
    /// Time until then (s).
    pub time: f64,
    /// A good step: to the corner where it is near enough, else most of the way (s).
    pub step: f64,
}

/// A corner behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind {
    /// Time since then (s), infinite where there is none.
    pub time: f64,
    /// The power of that time with which forces grow.
    pub power: f64,
}

/// Parts of a [`Corner`] where no force vanishes with a corner: no force, which has the power 1.
const SMOOTH: [(f64, f64); 2] = [(0.0, 1.0); 2];

/// The nearest corner that a step of this length from the state would come near. One that two such steps would not reach is
/// ignored.
pub(crate) fn nearest_ahead(input: &StepInput, scratch: &Scratch, length: f64) -> Option<Ahead> {
    let touches = 0..input.state.touches.len();
    let ahead = touches.filter_map(|index| ahead_of(input, scratch, index, length));
    ahead.reduce(|nearest, other| if other.time < nearest.time { other } else { nearest })
}

/// The nearest corner behind the state that touches still feel.
pub(crate) fn nearest_behind(input: &StepInput, scratch: &Scratch) -> Behind {
    let (state, evaluation) = (input.state, &scratch.start.evaluation);
    let mut nearest = Behind { time: f64::INFINITY, power: HERTZ };
    for (index, touch) in state.touches.iter().enumerate() {
        if touch.phase != Phase::Active {
            continue;
        }
        let contact = evaluation.contact(input, index, state.time, &state.y);
        let since_onset = state.time - touch.begun;
        if touch.loading && touch.rate > 0.95 * touch.speed && since_onset < nearest.time {
            nearest = Behind { time: since_onset, power: onset_power(touch, &contact) };
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
                let power = if power < 1.0 { power } else { HERTZ };
                nearest = Behind { time: since_turn, power };
            }
        }
    }
    nearest
}

/// The corner ahead of one touch.
fn ahead_of(input: &StepInput, scratch: &Scratch, index: usize, length: f64) -> Option<Ahead> {
    let (state, evaluation) = (input.state, &scratch.start.evaluation);
    let touch = &state.touches[index];
    if touch.phase == Phase::Asleep {
        return None;
    }
    let contact = evaluation.contact(input, index, state.time, &state.y);
    let unloading = touch.phase == Phase::Active && !touch.loading;
    // A linear spring and damper end without a corner: the step that passes their end is as accurate as any, and is cut there.
    if unloading && touch.law.power().is_some_and(begins_smoothly) {
        return None;
    }
    if unloading && touch.is_history_free() {
        // Far ahead: no force that acts now brings the touch there in the step.
        let way = contact.delta - touch.separation_indentation();
        let speed = contact.rate.abs() + contact.force.abs() * length / touch.law.mass;
        if way > 4.0 * length * speed {
            return None;
        }
    }
    let memory = touch.memory_at(state.time, state.touch(index).internal);
    let acceleration = evaluation.approach_acceleration(&contact.site_gap());
    let now = TouchNow { touch, index, contact, memory, acceleration, far: 2.0 * length };
    let Corner { event, time, corner_time, parts } = match touch.loading {
        _ if touch.phase == Phase::Released => now.separation()?,
        true if touch.turns_smoothly() => return None,
        true => now.turn()?,
        false => now.end()?,
    };
    // Too close to aim at; `crossings` will find it.
    if !(time > 1e-9 * touch.indentation_scale / touch.speed.max(contact.rate.abs())) {
        return None;
    }
    let speed = if touch.loading { touch.speed } else { contact.rate.abs() };
    let relative = corner_time / (touch.law.mass * input.world.tolerance * speed);
    let left = fraction_left(parts.map(|(force, power)| ((force * relative).abs(), power)));
    Some(Ahead { event, time, step: time.min((1.0 - left) * corner_time) })
}

/// A touch at the state.
struct TouchNow<'a> {
    touch: &'a Touch,
    index: usize,
    contact: ContactEvaluation,
    memory: Memory,
    /// Acceleration of its approach (m/s²).
    acceleration: f64,
    /// Corners later than this are ignored (s).
    far: f64,
}

/// A corner of the law ahead, and the event before or at it.
#[derive(Clone, Copy, Debug)]
struct Corner {
    event: Event,
    /// Time until the event (s), and until the corner, which may lie after it.
    time: f64,
    corner_time: f64,
    /// Forces that vanish there, and with which powers of the time left.
    parts: [(f64, f64); 2],
}

/// The fraction of the way to a corner that a step should leave, given what vanishes there: changes of speed F·τ/m over what
/// is allowed, and powers of the time left. 0 where a step onto the corner is accurate; else what the last step but one
/// should leave, where its own error allows, or as much as keeps the error of this one.
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

/// The power that stands for all from 1 on: their corners fade so fast that other errors dominate.
const HERTZ: f64 = 1.5;

/// The power of time with which most of the force of a touch grew at its onset.
fn onset_power(touch: &Touch, contact: &ContactEvaluation) -> f64 {
    match touch.law.power() {
        Some(law) if law.damping.value() < 1.0 && !is_smooth(law.damping) => {
            let elastic = touch.signed_force(contact.delta, 0.0, &touch.memory);
            let viscous = (contact.force - elastic).abs() > 0.5 * contact.force.abs();
            if viscous { law.damping.value() } else { HERTZ }
        }
        _ => HERTZ,
    }
}

/// Whether a power law has no corner at δ = 0.
pub(super) fn begins_smoothly(power: &Power) -> bool {
    is_smooth(power.elastic) && is_smooth(power.damping)
}

/// True for powers that have no corner at zero, or one that the integrator does not see.
fn is_smooth(exponent: Exponent) -> bool {
    matches!(exponent, Exponent::Zero | Exponent::One | Exponent::Two)
}

impl TouchNow<'_> {
    /// The separation of a touch whose force has vanished.
    fn separation(&self) -> Option<Corner> {
        let way = self.contact.delta - self.touch.separation_indentation();
        let speed = -self.contact.rate;
        let root = speed * speed - 2.0 * self.acceleration * way;
        let time = 2.0 * way / (speed + root.sqrt());
        let event = Event::Separation(self.index);
        let found = Corner { event, time, corner_time: time, parts: SMOOTH };
        (way > 0.0 && speed > 0.0 && root > 0.0).then_some(found)
    }

    /// The force before it is limited to pushing, at another indentation and rate.
    fn force_at(&self, delta: f64, rate: f64) -> f64 {
        self.touch.signed_force(delta, rate, &self.memory)
    }

    /// The turn, the time until then, and the force that vanishes there with a corner; nothing where it is far.
    fn turn(&self) -> Option<Corner> {
        let Self { touch, contact, acceleration, .. } = self;
        let root =
            acceleration * acceleration + 2.0 * touch.force_rate / touch.law.mass * contact.rate;
        let time = 2.0 * contact.rate / (root.max(0.0).sqrt() - acceleration);
        if !(time < self.far) {
            return None;
        }
        let parts = match touch.law.power() {
            Some(law) if !is_smooth(law.rate) => {
                [(contact.force - self.force_at(contact.delta, 0.0), law.rate.value()), SMOOTH[1]]
            }
            _ => SMOOTH,
        };
        Some(Corner { event: Event::Turn(self.index), time, corner_time: time, parts })
    }

    /// The end of the contact, the time until then, and the force that vanishes there with a corner; nothing where it is far.
    fn end(&self) -> Option<Corner> {
        let Self { touch, contact, far, .. } = self;
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
            None => [(contact.force, 1.5), SMOOTH[1]],
        };
        if *far < time && (touch.law.exit == Exit::ZeroIndentation || force(*far) > 0.0) {
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
        // The force vanishes on the way, where it crosses zero like any other value. It nearly vanishes at the end of the way
        // too, so that the bracket begins at the first halving of what is left at which the force pulls.
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
        // A step lands on the event from there (`locate.rs`).
        let time_of_release = Bracket { a: begin, b: until }.narrow(1e-6 * time, force).b.0;
        Some(Corner {
            event: Event::Release(self.index),
            time: time_of_release,
            corner_time: time,
            parts,
        })
    }
}
