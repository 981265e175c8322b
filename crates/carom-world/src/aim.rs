//! Aim: corners of a law that are foreseen.
//!
//! A contact ends with a corner: F ∝ δ^(3/2), say, has no second derivative at δ = 0. A step across it sees its own
//! error there, is refused, shortened, refused again. A step that ends *on* the corner sees only what the corner
//! does from one side. With h the length of the step, F its force at the start, and F ∝ (time left)^p, the pair of
//! order 8(5,3) is off by c·F·h in momentum, c ≤ 1.2e-4 for p from 1.1 to 1.5 (its quadrature of s^p on 0 … 1; 0 for
//! p = 1 and 2). So corners are approached by steps that leave a quarter to two fifths of the way, until
//! c·F·h/m is below the tolerance, and then the step goes to the corner.
//!
//! Where the corner lies follows from indentation, rate and acceleration at the state: with an acceleration that fades as
//! (1 − s/τ)^(3/2), the way is δ = v·τ + a·τ²/3.5, the speed at the end v + a·τ/2.5; the end of contact by a force
//! that vanishes is found on that path by the law alone, without a single step. A turn is a corner for dampers with
//! |δ̇|^q, q ≠ 1, and laws of two branches: δ̇ + δ̈·s + ½·δ⃛·s² = 0.
//!
//! A corner behind is felt less and less: with s the time since then, the error of a step from s to s + h goes as
//! s^(5/2)·(h/s)⁹, so that steps may grow with s where the usual rule, h⁹ alone, would hold them back.
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

/// Change of speed that a step onto a corner may have from what vanishes there, over tolerance and speed.
const MOST: f64 = 7e3;

impl Run<'_> {
    /// The nearest corner of the touches that a step of this length would come near; the slope must have been
    /// evaluated at the state.
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

    /// Time since the nearest corner behind that the touches still feel; infinite where there is none.
    pub(crate) fn since(&self) -> f64 {
        let mut least = f64::INFINITY;
        for (touch, pushed) in self.state.touches.iter().zip(&self.dynamics.pushed) {
            if touch.phase == Phase::Idle {
                continue;
            }
            if touch.loading && touch.rate > 0.95 * touch.speed {
                least = least.min(self.state.time - touch.begun);
            }
            let bent = touch.law.power().is_some_and(|power| !whole(power.rate));
            if bent && !touch.loading && pushed.rate > -0.1 * touch.speed {
                let pressing = self.dynamics.pressing(&pushed.gap, pushed.a, pushed.b);
                least = least.min((pushed.rate / pressing).max(0.0));
            }
        }
        least
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
        let (event, time, fading) = match touch.loading {
            _ if touch.phase == Phase::Idle => flight(touch, index, &pushed, pressing)?,
            true if touch.turns_smoothly() => return None,
            true => turn(touch, index, &pushed, pressing, &memory)?,
            false => end(touch, index, &pushed, pressing, &memory)?,
        };
        // One so near is as good as here: it is found after the step.
        if !(time > 1e-9 * touch.scale / touch.speed.max(pushed.rate.abs())) {
            return None;
        }
        let speed = if touch.loading { touch.speed } else { pushed.rate.abs() };
        let change = fading.abs() * time / touch.law.mass;
        let share = change / (MOST * self.world.tolerance * speed);
        // Shares of the way that are left to the next step; its error goes with h over what is left.
        let left = match share {
            ..1.0 => 0.0,
            1.0..250.0 => share.powf(-0.4).clamp(0.25, 0.5),
            250.0..1e3 => 0.33,
            _ => 0.4,
        };
        Some(Aim { event, time, step: (1.0 - left) * time })
    }
}

/// The way out of a touch that no longer pushes.
fn flight(
    touch: &Touch,
    index: usize,
    pushed: &Pushed,
    pressing: f64,
) -> Option<(Event, f64, f64)> {
    let (release, _) = touch.marks();
    let (way, speed) = (pushed.delta - release, -pushed.rate);
    let root = speed * speed - 2.0 * pressing * way;
    let time = 2.0 * way / (speed + root.sqrt());
    (way > 0.0 && speed > 0.0 && root > 0.0).then_some((Event::Part(index), time, 0.0))
}

/// True for powers that an integrator sees no corner of.
fn whole(exponent: Exponent) -> bool {
    matches!(exponent, Exponent::Zero | Exponent::One | Exponent::Two)
}

/// The turn, the time until then, and the force that vanishes there with a corner.
fn turn(
    touch: &Touch,
    index: usize,
    pushed: &Pushed,
    pressing: f64,
    memory: &Memory,
) -> Option<(Event, f64, f64)> {
    let root = pressing * pressing + 2.0 * touch.trend / touch.law.mass * pushed.rate;
    let time = 2.0 * pushed.rate / (root.max(0.0).sqrt() - pressing);
    let viscous = match touch.law.power() {
        Some(power) if !whole(power.rate) => pushed.force - touch.signed(pushed.delta, 0.0, memory),
        _ => 0.0,
    };
    time.is_finite().then_some((Event::Turn(index), time, viscous))
}

/// The end of the contact, the time until then, and the force that vanishes there with a corner.
fn end(
    touch: &Touch,
    index: usize,
    pushed: &Pushed,
    pressing: f64,
    memory: &Memory,
) -> Option<(Event, f64, f64)> {
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
    let corner = match touch.law.power() {
        Some(power) if whole(power.elastic) && whole(power.damping) => 0.0,
        _ => pushed.force,
    };
    if touch.law.exit == Exit::ZeroIndentation || force((1.0 - 1e-7) * time) > 0.0 {
        return Some((Event::Part(index), time, corner));
    }
    // The force vanishes on the way; there it crosses zero like any other value.
    let (mut a, mut fa, mut b, mut fb) = (0.0, force(0.0), time, force(time));
    if !(fa > 0.0) {
        return None;
    }
    for _ in 0..12 {
        let x = if fb < 0.0 { (a * fb - b * fa) / (fb - fa) } else { 0.5 * (a + b) };
        let fx = force(x);
        let done = fx.abs() < 1e-6 * pushed.force;
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
    // The corner at the end of the way is felt where the way is mostly gone.
    let near = pushed.delta - (speed + pull * b / 3.5) * b - release < 0.3 * way;
    Some((Event::Vanish(index), b, if near { corner } else { 0.0 }))
}
