//! One impact as simulators compute it: with a fixed step and without locating onset and separation.
//!
//! A simulator advances mₑ·δ̈ = −F(δ, δ̇) with a step h. Onset and separation lie *within* steps. In addition to the
//! error of the scheme there is therefore an error from the ends of contact, which depends on the position of the
//! onset in its step. [`march`] reproduces this. It starts in free flight with the onset at a given phase of the
//! first step, applies the force where δ > 0 at the instants at which the scheme evaluates it, limits it to
//! non-negative values if contact must not pull, and returns the rebound speed divided by the impact speed.
//! [`Integrator`] lists the schemes and the programs that use them.
//!
//! Orders: if F ∝ δⁿ near onset, an end of contact within a step causes an error O(hⁿ⁺¹), which dominates if n + 1 is
//! less than the order of the scheme. A damping ∝ δᵐ causes an error O(h^(m+1)); if the force jumps at onset (m = 0),
//! every scheme has order one. For this reason a Runge–Kutta scheme does not reach its order 4 here. See also R.
//! Tuley et al. (2010) and Danby, Shrimpton & Palmer (2013) on the loss of order at the ends of contact.

use crate::error::{Error, Result, check_positive, check_range};
use crate::law::{Exit, Force, Law, Memory, Work};
use crate::numeric::random;
use crate::numeric::root::Bracket;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// Fixed-step schemes that contact programs use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Integrator {
    /// Velocity update v += h·a(x, v), followed by x += h·v.
    SemiImplicitEuler,
    /// Half of the change of velocity, change of position, force from the *half-step* velocity, and the other half of
    /// the change of velocity. The half-step velocities are those of [`Integrator::SemiImplicitEuler`], so that both
    /// deliver the same restitution.
    VelocityVerlet,
    /// Velocity Verlet with the force from the velocity predicted for the *end* of the step.
    PredictedVerlet,
    /// The classical Runge–Kutta scheme of order 4.
    #[serde(rename = "runge-kutta-4")]
    RungeKutta4,
    /// Velocity update v += h·a(x′, v′) with the state at the end of the step.
    ImplicitEuler,
    /// Velocity update v += h·a with the state in the middle of the step.
    ImplicitMidpoint,
    /// The trapezoidal rule, v += h/2·(a + a′): Newmark's scheme with γ = 1/2, β = 1/4.
    Newmark,
}

names! {
    Integrator {
        VelocityVerlet = "velocity-verlet",
        SemiImplicitEuler = "semi-implicit-euler",
        PredictedVerlet = "predicted-verlet",
        RungeKutta4 = "runge-kutta-4",
        ImplicitMidpoint = "implicit-midpoint",
        Newmark = "newmark",
        ImplicitEuler = "implicit-euler",
    }
    parsed as "integrator"
}

impl Integrator {
    /// Returns the programs that use the scheme.
    pub fn used_by(self) -> &'static str {
        match self {
            Self::SemiImplicitEuler => "Yade's leapfrog, game engines, MuJoCo's Euler",
            Self::VelocityVerlet => "LAMMPS, LIGGGHTS: damping sees the half-step speed",
            Self::PredictedVerlet => "Verlet codes that predict the speed before the force",
            Self::RungeKutta4 => "programs written by hand, MuJoCo's RK4",
            Self::ImplicitEuler => "discrete-time multibody and robotics codes",
            Self::ImplicitMidpoint => "energy-keeping multibody codes",
            Self::Newmark => "finite elements; generalised-alpha without numerical damping",
        }
    }
}

/// Largest number of steps in one contact; finer steps are rejected.
const MAX_STEPS: f64 = 2e6;
/// Number of contact durations after which the run is ended because the bodies stick.
const MAX_DURATIONS: f64 = 20.0;

/// Computes the restitution of one impact at `speed`, integrated with `step`; onset is at the fraction `phase` of the
/// first step, from 0 to 1. Returns `None` if the bodies do not separate within 20 times the duration of the contact
/// `duration`.
///
/// ```
/// use carom::advise::{Integrator, march};
/// use carom::{Damping, Pair, collide, model};
/// let steel = Pair::new(0.54, 2.4144e10, 1.5)?;
/// let law = model("tsuji-1992")?.law(&steel, Damping::Exact(0.7568), None, &[])?;
/// let duration = collide(&law, 0.5)?.duration;
/// let e = march(&law, 0.5, Integrator::VelocityVerlet, duration / 100.0, 0.5, duration)?;
/// assert!((e.unwrap() / 0.7568 - 1.0).abs() < 2e-3);
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// For a law with an internal state or a dependence on time, which these schemes do not integrate, and for a step
/// that is not positive or would require more than two million steps.
pub fn march(
    law: &Law,
    speed: f64,
    integrator: Integrator,
    step: f64,
    phase: f64,
    duration: f64,
) -> Result<Option<f64>> {
    check_positive("speed", speed, "give the approach speed at touch in m/s, above 0")?;
    let rebound = march_from(law, law.touch(speed), (speed, integrator, step, phase, duration))?;
    Ok(rebound.map(|rebound| rebound.restitution))
}

/// Result of an impact integrated with a fixed step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rebound {
    /// Rebound speed divided by approach speed.
    pub restitution: f64,
    /// Hash of all branches of the run: at each force evaluation whether there is contact and whether a tensile force
    /// is suppressed, and after each step whether the motion has turned and whether the largest indentation has
    /// increased. Between phases with the same decisions the restitution is a smooth function of the phase.
    pub decisions: u64,
}

/// Does the same as [`march`] from a given memory at onset, because another calibration of the damping would take
/// longer than the impact.
pub(super) fn march_from(
    law: &Law,
    memory: Memory,
    (speed, integrator, step, phase, duration): (f64, Integrator, f64, f64, f64),
) -> Result<Option<Rebound>> {
    check_positive("step", step, "give the time step in s, above 0")?;
    check_positive("duration", duration, "give the time of contact in s, from `collide`")?;
    check_range("phase", phase, 0.0, 1.0, "the part of a step before the touch")?;
    if law.has_state_or_clock() {
        let what = "a fixed-step integration of a law with an internal state or a clock";
        let advice = "choose a law that is a function of indentation and rate";
        return Err(Error::unsupported(what, advice));
    }
    if duration / step > MAX_STEPS {
        let advice = "take a step of at least a two-millionth of the contact";
        let allowed = format!("at least {:e} s here", duration / MAX_STEPS);
        return Err(Error::invalid("step", step, allowed, advice));
    }
    let max_steps = (MAX_DURATIONS * duration / step) as usize + 20;
    Ok(law.with(March { law, memory, speed, integrator, step, phase, max_steps }))
}

struct March<'a> {
    law: &'a Law,
    memory: Memory,
    speed: f64,
    integrator: Integrator,
    step: f64,
    phase: f64,
    max_steps: usize,
}

impl Work for March<'_> {
    type Output = Option<Rebound>;

    fn run<F: Force>(self, form: F) -> Option<Rebound> {
        let mut memory = self.memory;
        let clip = self.law.exit == Exit::ZeroForce;
        let release = form.release().min(0.0);
        // If a force jumps at onset or at the turn, an implicit step may end at the jump, on either side of it
        // because of rounding. Points this close are regarded as being at the jump, so that rounding has no
        // influence.
        let surface = release + 1e-10 * self.speed * self.step;
        let at_rest = 1e-10 * self.speed;
        let mass = self.law.mass;
        let contact = Contact { form, mass, clip, release, surface, decisions: Cell::new(0) };
        let (mut x, mut v) = (-self.speed * self.phase * self.step, self.speed);
        // Acceleration that Verlet schemes carry over to the next step; 0 in free flight.
        let mut acceleration = 0.0;
        for _ in 0..self.max_steps {
            (x, v) =
                contact.advance(self.integrator, (x, v), self.step, &memory, &mut acceleration);
            if !(x.is_finite() && v.is_finite()) {
                return None;
            }
            if v.abs() < at_rest {
                v = 0.0;
            }
            let peak = memory.peak;
            if x > 0.0 {
                form.commit(x, v, &mut memory);
            }
            let (turned, deeper) = (v < 0.0, memory.peak > peak);
            contact.decide(4 + u64::from(turned) + 2 * u64::from(deeper));
            if turned && x <= surface {
                let restitution = -v / self.speed;
                return Some(Rebound { restitution, decisions: contact.decisions.get() });
            }
        }
        None
    }
}

struct Contact<F> {
    form: F,
    mass: f64,
    /// Whether a tensile force is replaced by zero.
    clip: bool,
    /// Indentation up to which there is no force.
    release: f64,
    /// `release` plus a tolerance for rounding, used for accepted points.
    surface: f64,
    decisions: Cell<u64>,
}

impl<F: Force> Contact<F> {
    /// Computes δ̈ as a simulator does: 0 without overlap, and 0 for a tensile force that is suppressed.
    fn acceleration(&self, x: f64, v: f64, memory: &Memory) -> f64 {
        if x <= self.release {
            return 0.0;
        }
        let force = self.form.force(x, v, memory);
        let force = if self.clip { force.max(0.0) } else { force };
        -force / self.mass
    }

    /// Computes the acceleration at a point that belongs to the step, and records the decisions. Trial points of an
    /// implicit equation are not recorded.
    fn recorded_acceleration(&self, x: f64, v: f64, memory: &Memory) -> f64 {
        if x <= self.surface {
            self.decide(1);
            return 0.0;
        }
        let acceleration = self.acceleration(x, v, memory);
        self.decide(if acceleration == 0.0 { 2 } else { 3 });
        if !F::FROZEN {
            // The side of the kinks of a plastic law on which the point lies.
            let beyond = |loading: bool| u64::from(x > self.form.kink(loading, memory));
            let loads = u64::from(x >= memory.peak);
            self.decide(8 + beyond(true) + 2 * beyond(false) + 4 * loads);
        }
        acceleration
    }

    /// Adds a decision to the hash.
    fn decide(&self, decision: u64) {
        self.decisions.set(random::bits(self.decisions.get(), decision));
    }

    fn advance(
        &self,
        integrator: Integrator,
        (x, v): (f64, f64),
        h: f64,
        memory: &Memory,
        carried: &mut f64,
    ) -> (f64, f64) {
        let a = |x: f64, v: f64| self.recorded_acceleration(x, v, memory);
        let trial = |x: f64, v: f64| self.acceleration(x, v, memory);
        match integrator {
            Integrator::SemiImplicitEuler => {
                let v = v + h * a(x, v);
                (x + h * v, v)
            }
            Integrator::VelocityVerlet => {
                let half = v + 0.5 * h * *carried;
                let x = x + h * half;
                *carried = a(x, half);
                (x, half + 0.5 * h * *carried)
            }
            Integrator::PredictedVerlet => {
                let half = v + 0.5 * h * *carried;
                let x = x + h * half;
                *carried = a(x, half + 0.5 * h * *carried);
                (x, half + 0.5 * h * *carried)
            }
            Integrator::RungeKutta4 => {
                let (k1, l1) = (v, a(x, v));
                let (k2, l2) = (v + 0.5 * h * l1, a(x + 0.5 * h * k1, v + 0.5 * h * l1));
                let (k3, l3) = (v + 0.5 * h * l2, a(x + 0.5 * h * k2, v + 0.5 * h * l2));
                let (k4, l4) = (v + h * l3, a(x + h * k3, v + h * l3));
                let sum = |k1, k2, k3, k4| h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
                (x + sum(k1, k2, k3, k4), v + sum(l1, l2, l3, l4))
            }
            Integrator::ImplicitEuler => {
                let v = fixed_point(v, |new| v + h * trial(x + h * new, new));
                a(x + h * v, v);
                (x + h * v, v)
            }
            Integrator::ImplicitMidpoint => {
                let middle = |new: f64| (x + 0.25 * h * (v + new), 0.5 * (v + new));
                let new = fixed_point(v, |new| {
                    let (x, v_middle) = middle(new);
                    v + h * trial(x, v_middle)
                });
                let (x_middle, v_middle) = middle(new);
                a(x_middle, v_middle);
                (x + 0.5 * h * (v + new), new)
            }
            Integrator::Newmark => {
                let before = a(x, v);
                let new = fixed_point(v, |new| {
                    v + 0.5 * h * (before + trial(x + 0.5 * h * (v + new), new))
                });
                (x + 0.5 * h * (v + new), new)
            }
        }
    }
}

/// Finds the fixed point of `next`, which computes the velocity after a step from a guess of it. The root is
/// bracketed, so that no tangent of the law is needed, and kinks and large steps cause no difficulties.
///
/// The residual r(v) = next(v) − v decreases at least as fast as −v, because the force increases with indentation and
/// rate. The root therefore lies between the guess g and g + r(g).
fn fixed_point(guess: f64, next: impl Fn(f64) -> f64) -> f64 {
    let residual = |v: f64| next(v) - v;
    let mut a = (guess, residual(guess));
    if a.1 == 0.0 {
        return guess;
    }
    let mut b = (guess + a.1, residual(guess + a.1));
    // A tensile force decreases in magnitude as the contact opens: then the root lies further away.
    for _ in 0..60 {
        if !(a.1 * b.1 > 0.0) {
            break;
        }
        let further = b.0 + 2.0 * (b.0 - guess);
        (a, b) = (b, (further, residual(further)));
    }
    let width = 1e-15 * (guess.abs() + b.0.abs()).min(1e3 * guess.abs() + f64::MIN_POSITIVE);
    Bracket::new(a, b).map_or(b.0, |bracket| bracket.narrow(width, residual).best())
}
