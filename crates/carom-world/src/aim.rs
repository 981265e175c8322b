//! Aim: corners of a law that are foreseen.
//!
//! A contact ends with a corner: F ∝ δ^(3/2), say, has no second derivative at δ = 0. A step across it sees its own
//! error there, is refused, shortened, refused again. A step that ends *on* the corner, or before it, sees only what the
//! corner does from one side, and that can be foreseen: over the way τ to a corner where a force F vanishes as (time left)^p,
//! a step that leaves the share l has the error estimate
//!
//! c(p)·e^(−18.5·(l − 1/4))·F·τ/m,  l > 1/20;    320/p·c(p)·F·τ/m,  l = 0;    c(p) = 1.7e-8·|p(p−1)…(p−7)|·0.376^p
//!
//! (the pair's estimate for (1 − (1 − l)·s)^p on 0 … 1, computed from its coefficients and fitted for p up to 2.5 to
//! about a third). So corners are approached by steps that leave a fifth to a half of the way, and the last of them
//! what the step onto the corner may have.
//!
//! Where the corner lies follows from indentation, rate and acceleration at the state: with an acceleration that fades as
//! (1 − s/τ)^(3/2), the way is δ = v·τ + a·τ²/3.5, the speed at the end v + a·τ/2.5; the end of contact by a force
//! that vanishes is found on that path by the law alone, without a single step. A turn is a corner for dampers with
//! |δ̇|^q, q ≠ 1, and laws of two branches: δ̇ + δ̈·s + ½·δ⃛·s² = 0.
//!
//! A corner behind is felt less and less: with s the time since then, the error of a step from s to s + h goes as
//! s^(p+1)·(h/s)⁹, so that steps may grow with s where the usual rule, h⁹ alone, would hold them back.
//!
//! All of this is a proposal: the step's own error and its events decide.

use crate::contact::Pushed;
use crate::detect::Event;
use crate::run::Run;
use crate::state::{Phase, TOUCH, Touch};
use carom::Exit;
use carom::law::{Exponent, Memory};

/// A corner ahead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub event: Event,
    /// Time until then.
    pub time: f64,
    /// A good step: to the corner where it is near enough, else most of the way.
    pub step: f64,
}

/// Nothing that vanishes with a corner.
const SMOOTH: [(f64, f64); 2] = [(0.0, 1.0); 2];

impl Run<'_> {
    /// The nearest corner of the touches that a step of this length would come near; the slope must have been
    /// evaluated at the state. One that two such steps would not reach changes nothing.
    pub(crate) fn aim(&self, h: f64) -> Option<Aim> {
        let mut nearest: Option<Aim> = None;
        for index in 0..self.state.touches.len() {
            if let Some(aim) = self.aim_of(index, h)
                && nearest.is_none_or(|other| aim.time < other.time)
            {
                nearest = Some(aim);
            }
        }
        nearest
    }

    /// Time since the nearest corner behind that the touches still feel, and with which power of that time; infinite where
    /// there is none.
    pub(crate) fn since(&self) -> (f64, f64) {
        let mut nearest = (f64::INFINITY, HERTZ);
        for (index, touch) in self.state.touches.iter().enumerate() {
            let Some(pushed) = self.dynamics.pushed.get(index) else { continue };
            if touch.phase == Phase::Idle {
                continue;
            }
            let begun = self.state.time - touch.begun;
            if touch.loading && touch.rate > 0.95 * touch.speed && begun < nearest.0 {
                nearest = (begun, began(touch, pushed));
            }
            let bent = touch.law.power().filter(|power| !whole(power.rate));
            if let Some(law) = bent
                && !touch.loading
                && pushed.rate > -0.1 * touch.speed
            {
                let pressing = self.dynamics.pressing(&pushed.gap, pushed.a, pushed.b);
                let turned = (pushed.rate / pressing).max(0.0);
                if turned < nearest.0 {
                    let power = law.rate.value();
                    nearest = (turned, if power < 1.0 { power } else { HERTZ });
                }
            }
        }
        nearest
    }

    fn aim_of(&self, index: usize, h: f64) -> Option<Aim> {
        let touch = &self.state.touches[index];
        let at = self.state.layout.touch(index);
        let slots = &self.state.y[at..at + TOUCH];
        let pushed = match touch.phase {
            Phase::Pushing => *self.dynamics.pushed.get(index)?,
            Phase::Idle => Pushed::of(self.world, &self.dynamics, touch, self.state.time, slots),
        };
        // Far ahead: not even as fast as this would it be reached.
        let (release, _) = touch.marks();
        let unloads = touch.phase == Phase::Pushing && !touch.loading;
        let quick = pushed.rate.abs() + pushed.force.abs() * h / touch.law.mass;
        if unloads && touch.forgets() && pushed.delta - release > 4.0 * h * quick {
            return None;
        }
        let memory = touch.memory_at(self.state.time, slots);
        let pressing = self.dynamics.pressing(&pushed.gap, pushed.a, pushed.b);
        let Corner { event, time, corner, parts } = match touch.loading {
            _ if touch.phase == Phase::Idle => flight(touch, index, &pushed, pressing)?,
            true if touch.turns_smoothly() => return None,
            true => turn(touch, index, &pushed, pressing, &memory, 2.0 * h)?,
            false => end(touch, index, &pushed, pressing, &memory, 2.0 * h)?,
        };
        // One so near is as good as here: it is found after the step.
        if !(time > 1e-9 * touch.scale / touch.speed.max(pushed.rate.abs())) {
            return None;
        }
        let speed = if touch.loading { touch.speed } else { pushed.rate.abs() };
        let by = corner / (touch.law.mass * self.world.tolerance * speed);
        let left = left(parts.map(|(force, power)| ((force * by).abs(), power)));
        Some(Aim { event, time, step: time.min((1.0 - left) * corner) })
    }
}

/// A corner of the law ahead.
#[derive(Clone, Copy, Debug)]
struct Corner {
    event: Event,
    /// Time until the event, and until the corner, which may lie after it.
    time: f64,
    corner: f64,
    /// Forces that vanish there, and with which powers of the time left.
    parts: [(f64, f64); 2],
}

/// The share of the way to a corner that a step should leave, given what vanishes there: changes of speed F·τ/m over what
/// is allowed, and powers of the time left. 0 where a step onto the corner is good; else what the last step but one
/// should leave, where its own error allows, or as much as keeps the error of this one.
fn left(parts: [(f64, f64); 2]) -> f64 {
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

/// The way out of a touch that no longer pushes.
fn flight(touch: &Touch, index: usize, pushed: &Pushed, pressing: f64) -> Option<Corner> {
    let (release, _) = touch.marks();
    let (way, speed) = (pushed.delta - release, -pushed.rate);
    let root = speed * speed - 2.0 * pressing * way;
    let time = 2.0 * way / (speed + root.sqrt());
    (way > 0.0 && speed > 0.0 && root > 0.0).then_some(Corner {
        event: Event::Part(index),
        time,
        corner: time,
        parts: SMOOTH,
    })
}

/// Powers from 1 on are taken for this one: their corners fade so fast that other errors grow meanwhile.
const HERTZ: f64 = 1.5;

/// The power of time with which most of the force of a touch began.
fn began(touch: &Touch, pushed: &Pushed) -> f64 {
    match touch.law.power() {
        Some(law) if law.damping.value() < 1.0 && !whole(law.damping) => {
            let elastic = touch.signed(pushed.delta, 0.0, &touch.memory);
            let viscous = (pushed.force - elastic).abs() > 0.5 * pushed.force.abs();
            if viscous { law.damping.value() } else { HERTZ }
        }
        _ => HERTZ,
    }
}

/// True for powers that an integrator sees no corner of.
fn whole(exponent: Exponent) -> bool {
    matches!(exponent, Exponent::Zero | Exponent::One | Exponent::Two)
}

/// The turn, the time until then, and the force that vanishes there with a corner; nothing where it is `far`.
fn turn(
    touch: &Touch,
    index: usize,
    pushed: &Pushed,
    pressing: f64,
    memory: &Memory,
    far: f64,
) -> Option<Corner> {
    let root = pressing * pressing + 2.0 * touch.trend / touch.law.mass * pushed.rate;
    let time = 2.0 * pushed.rate / (root.max(0.0).sqrt() - pressing);
    if !(time < far) {
        return None;
    }
    let parts = match touch.law.power() {
        Some(law) if !whole(law.rate) => {
            let viscous = pushed.force - touch.signed(pushed.delta, 0.0, memory);
            [(viscous, law.rate.value()), SMOOTH[1]]
        }
        _ => SMOOTH,
    };
    Some(Corner { event: Event::Turn(index), time, corner: time, parts })
}

/// The end of the contact, the time until then, and the force that vanishes there with a corner; nothing where it
/// is `far`.
fn end(
    touch: &Touch,
    index: usize,
    pushed: &Pushed,
    pressing: f64,
    memory: &Memory,
    far: f64,
) -> Option<Corner> {
    let (release, _) = touch.marks();
    let (way, speed, pull) = (pushed.delta - release, -pushed.rate, -pressing);
    let root = speed * speed + 4.0 / 3.5 * pull * way;
    if !(way > 0.0 && speed > 0.0 && root > 0.0) {
        return None;
    }
    let time = 2.0 * way / (speed + root.sqrt());
    let force = |s: f64| {
        let delta = pushed.delta - (speed + pull * s / 3.5) * s;
        touch.signed(delta.max(release), -(speed + pull * s / 2.5), memory)
    };
    let parts = match touch.law.power() {
        Some(law) if whole(law.elastic) && whole(law.damping) => SMOOTH,
        Some(law) => {
            let elastic = touch.signed(pushed.delta, 0.0, memory);
            [(elastic, law.elastic.value()), (pushed.force - elastic, law.damping.value())]
        }
        None => [(pushed.force, 1.5), SMOOTH[1]],
    };
    if far < time && (touch.law.exit == Exit::ZeroIndentation || force(far) > 0.0) {
        return None;
    }
    if touch.law.exit == Exit::ZeroIndentation || force((1.0 - 1e-7) * time) > 0.0 {
        return Some(Corner { event: Event::Part(index), time, corner: time, parts });
    }
    // The force vanishes on the way; there it crosses zero like any other value, but it is next to nothing at the end of
    // the way too, which a secant must not start from.
    let (mut a, mut fa, mut b, mut fb) = (0.0, force(0.0), time, 0.0);
    if !(fa > 0.0) {
        return None;
    }
    for halvings in 1..12 {
        let x = time * (1.0 - 0.5f64.powi(halvings));
        let fx = force(x);
        if fx <= 0.0 {
            (b, fb) = (x, fx);
            break;
        }
        (a, fa) = (x, fx);
    }
    for _ in 0..12 {
        let x = if fb < 0.0 { (a * fb - b * fa) / (fb - fa) } else { 0.5 * (a + b) };
        let fx = force(x);
        let done = fx.abs() < 1e-5 * pushed.force;
        if fx > 0.0 {
            (a, fa) = (x, fx);
            fb *= 0.5;
        } else {
            (b, fb) = (x, fx);
            fa *= 0.5;
        }
        if done {
            b = x;
            break;
        }
    }
    Some(Corner { event: Event::Vanish(index), time: b, corner: time, parts })
}
