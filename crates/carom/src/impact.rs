//! Impacts: the results and the motion that follow from a law and an approach speed.
//!
//! [`collide`] computes the results of an impact, [`trajectory`] its motion. Impacts under power laws without other
//! forces are the dimensionless impact of [`exact`], rescaled, and need no step size. All others (plastic or adhesive
//! laws, laws with an internal state, external forces) are integrated in time with located events
//! (`law/contact_phase.rs`).
//!
//! ```
//! use carom::{Damping, Pair, collide, model};
//! let steel = Pair::new(0.54, 2.4144e10, 1.5)?;
//! let law = model("zhang-sharf-2004")?.law(&steel, Damping::Restitution(0.7568), None, &[])?;
//! let impact = collide(&law, 0.5)?;
//! assert!((impact.restitution.newton - 0.7568).abs() < 1e-12);
//! assert!((impact.force_max - 4447.984).abs() < 1e-3);
//! assert!((impact.duration - 2.102932e-4).abs() < 1e-10);
//! # Ok::<(), carom::Error>(())
//! ```

mod contact_motion;
mod note;
mod result;
mod trajectory;

pub(crate) use contact_motion::{ContactMotion, ContactState};
pub use note::Note;
pub use trajectory::{Trajectory, trajectory};

use crate::error::{Error, Result, check_positive};
use crate::exact::{self, Curve, Exponents, Outcome};
use crate::law::contact_phase::{ContactIntegrator, overflow};
use crate::law::{Exit, Force, Form, Law, Memory, Phases, Power, Work};
use serde::Serialize;

/// Forces on the bodies other than that of the contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Constant force that presses the bodies together (N), such as the weight of a ball on the ground; a negative
    /// force pulls them apart.
    pub external_force: f64,
}

/// Coefficient of restitution by its three definitions. Hedrih's coefficient of rolling balls is
/// [`Restitution::hedrih`].
///
/// The three are equal if no other force acts during contact. The bodies are regarded as rigid outside the contact:
/// none of the definitions includes the energy that elastic waves carry into them, for which Stronge later added a
/// term to his balance. This energy is small if the contact lasts for many passages of a wave through the bodies,
/// which is not the case for long rods, thin plates and very fast impacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Restitution {
    /// Kinematic: rebound speed divided by impact speed.
    pub newton: f64,
    /// Kinetic: impulse of restitution divided by impulse of compression.
    pub poisson: f64,
    /// Energetic: square root of the work of restitution divided by the work of compression.
    pub stronge: f64,
}

/// A ball that rolls along a track without slipping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollingBall {
    /// Mass (kg).
    pub mass: f64,
    /// Rolling radius (m).
    pub radius: f64,
    /// Velocity of the centre along the track before the impact (m/s).
    pub velocity: f64,
}

impl Restitution {
    /// Computes Hedrih's coefficient of restitution of two balls of one kind that roll along one track and collide:
    /// their relative angular velocity after the impact divided by that before, −(ω₂⁺ − ω₁⁺)/(ω₂⁻ − ω₁⁻).
    ///
    /// ω is the velocity divided by the rolling radius. The velocities after the impact follow from Newton's
    /// restitution (rolling increases both masses by the same fraction). For balls of equal radii the coefficient
    /// equals Newton's; for others it depends on masses and velocities too and is no property of the balls. Returns
    /// `None` if both balls have the same angular velocity before the impact. After K. Hedrih (Stevanović): equation
    /// 2.4 of E. Corral and others, Nonlinear phenomena of contact in multibody systems dynamics: a review, Nonlinear
    /// Dyn. 104 (2021) 1269–1295.
    ///
    /// ```
    /// use carom::impact::RollingBall;
    /// use carom::{Damping, Pair, collide, model};
    /// let pair = Pair::new(0.05, 1e9, 1.5)?;
    /// let law = model("hunt-crossley-1975")?.law(&pair, Damping::Exact(0.8), None, &[])?;
    /// let e = collide(&law, 0.8)?.restitution;
    /// let ball = |radius, velocity| RollingBall { mass: 0.1, radius, velocity };
    /// let equal = e.hedrih([ball(0.01, 1.0), ball(0.01, 0.2)]);
    /// assert!((equal.unwrap() - 0.8).abs() < 1e-9);
    /// // A ball of half the radius is pushed off at nine tenths of the speed, and turns twice as fast.
    /// let unequal = e.hedrih([ball(0.01, 1.0), ball(0.005, 0.0)]);
    /// assert!((unequal.unwrap() - (2.0 * 0.9 - 0.1)).abs() < 1e-9);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn hedrih(&self, [first, second]: [RollingBall; 2]) -> Option<f64> {
        let approach = first.velocity - second.velocity;
        let exchanged = (1.0 + self.newton) * approach / (first.mass + second.mass);
        let after =
            [first.velocity - second.mass * exchanged, second.velocity + first.mass * exchanged];
        let turning = |[v1, v2]: [f64; 2]| v2 / second.radius - v1 / first.radius;
        let before = turning([first.velocity, second.velocity]);
        (before != 0.0).then(|| -turning(after) / before)
    }
}

/// Impulses of the contact force (N·s).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Impulse {
    /// From onset to the largest indentation.
    pub compression: f64,
    /// From the largest indentation to the end of contact.
    pub restitution: f64,
}

/// Energies of an impact (J).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Energy {
    /// Kinetic energy of the relative motion at onset (J).
    pub initial: f64,
    /// Energy lost between onset and the largest indentation (J).
    pub lost_in_compression: f64,
    /// Energy lost between the largest indentation and the end of contact (J). It includes the energy that remains
    /// stored in a contact that ends at zero force and then relaxes without a force.
    pub lost_in_restitution: f64,
}

/// The result of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Approach speed at onset (m/s).
    pub speed: f64,
    /// Restitution by its three definitions; 0 if the bodies never separate.
    pub restitution: Restitution,
    /// Duration of the contact (s); infinite if the bodies never separate.
    pub duration: f64,
    /// Largest indentation (m).
    pub indentation_max: f64,
    /// Time of the largest indentation after onset (s).
    pub time_of_indentation_max: f64,
    /// Largest force (N).
    pub force_max: f64,
    /// Time of the largest force after onset (s).
    pub time_of_force_max: f64,
    /// Indentation at the end of contact (m).
    pub residual_indentation: f64,
    /// Impulses of the contact force.
    pub impulse: Impulse,
    /// Initial energy and its losses.
    pub energy: Energy,
    /// Warnings and remarks about this impact.
    pub notes: Vec<Note>,
}

/// Computes the impact of two bodies at `speed` (m/s) without other forces.
pub fn collide(law: &Law, speed: f64) -> Result<Impact> {
    collide_under(law, speed, &Conditions::default())
}

/// Computes the impact of two bodies at `speed` (m/s) under `conditions`.
///
/// If a weight acts during contact, the three restitutions differ:
///
/// ```
/// use carom::impact::{Conditions, collide_under};
/// use carom::law::{Exit, Law, Power};
/// let soft = Law::new(1.0, Exit::ZeroForce, Power::elastic(1e4, 1.5));
/// let weight = Conditions { external_force: 9.81 };
/// let e = collide_under(&soft, 0.3, &weight)?.restitution;
/// assert!((e.stronge - 1.0).abs() < 1e-9); // elastic: no energy is lost
/// let damped = carom::model("hunt-crossley-1975")?
///     .law(&carom::Pair::new(1.0, 1e6, 1.5)?, carom::Damping::Exact(0.6), None, &[])?;
/// let e = collide_under(&damped, 0.3, &weight)?.restitution;
/// assert!((e.newton - e.poisson).abs() > 1e-3 && (e.poisson - e.stronge).abs() > 1e-3);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn collide_under(law: &Law, speed: f64, conditions: &Conditions) -> Result<Impact> {
    check_impact(law, speed, conditions)?;
    if let Form::Power(power) = law.form
        && conditions.external_force == 0.0
        && let Ok(exponents) = Exponents::of(&power)
    {
        return power_impact(law, &power, exponents, speed, |epsilon| match power.phases {
            Phases::Both => exact::outcome(exponents, law.exit, epsilon),
            Phases::Compression => exact::compression_outcome(exponents, epsilon),
        });
    }
    struct Run<'a>(&'a Law, f64, &'a Conditions);
    impl Work for Run<'_> {
        type Output = Result<Impact>;
        fn run<F: Force>(self, form: F) -> Result<Impact> {
            let Run(law, speed, conditions) = self;
            let memory = form.touch(law.mass, speed);
            let external = conditions.external_force;
            let result = match F::INTERNAL {
                true => ContactIntegrator::<F, 3>::new(form, law.mass, law.exit, external)
                    .integrate(memory, None, true),
                false => ContactIntegrator::<F, 2>::new(form, law.mass, law.exit, external)
                    .integrate(memory, None, true),
            };
            result?.impact(law, speed)
        }
    }
    let impact = law.with(Run(law, speed, conditions));
    impact.map_err(|error| ending_spring_error(law, speed).unwrap_or(error))
}

/// Returns the error of an own law whose spring ceases to push before it has absorbed the kinetic energy. The
/// integrator only recognises an impact that does not end.
fn ending_spring_error(law: &Law, speed: f64) -> Option<Error> {
    let Form::Own(own) = &law.form else { return None };
    let energy = 0.5 * law.mass * speed * speed;
    // Indentations from a nanometre to some kilometres, until the spring holds the kinetic energy.
    let end = std::iter::successors(Some(1e-9), |delta| Some(1.2 * delta))
        .take(160)
        .take_while(|delta| !(law.stored(*delta, &Memory::default()) >= energy))
        .find(|delta| !(own.spring(*delta) >= 0.0))?;
    Some(Error::unsupported(
        format!(
            "an impact at {speed} m/s on a spring that gives {} N at delta = {end:.3e} m",
            own.spring(end)
        ),
        "it stops pushing before it has stopped the bodies; check its formula and parameters, or lower the speed",
    ))
}

/// Computes an impact under a power law that is damped in both phases and has the exponents and the exit of contact
/// of `curve`. It is used for batches.
pub(crate) fn collide_on(curve: &Curve, law: &Law, speed: f64) -> Result<Impact> {
    let conditions = Conditions::default();
    match law.form {
        Form::Power(power)
            if power.phases == Phases::Both
                && law.exit == curve.exit()
                && Exponents::of(&power).is_ok_and(|own| own == curve.exponents()) =>
        {
            check_impact(law, speed, &conditions)?;
            power_impact(law, &power, curve.exponents(), speed, |epsilon| curve.outcome(epsilon))
        }
        _ => collide_under(law, speed, &conditions),
    }
}

fn check_impact(law: &Law, speed: f64, conditions: &Conditions) -> Result<()> {
    check_positive("speed", speed, "give the approach speed at touch in m/s, above 0")?;
    check_positive("mass", law.mass, "give the effective mass in kg, m1*m2/(m1+m2)")?;
    let force = conditions.external_force;
    if !force.is_finite() {
        let advice = "give the force that presses the bodies together in N, 0 for none";
        return Err(Error::invalid("external_force", force, "a finite number", advice));
    }
    let energy = 0.5 * law.mass * speed * speed;
    if !energy.is_normal() {
        return Err(overflow(format!("the kinetic energy is {energy:e} J")));
    }
    Ok(())
}

/// Computes the impact of a power law by scaling the dimensionless outcome.
fn power_impact(
    law: &Law,
    power: &Power,
    exponents: Exponents,
    speed: f64,
    outcome: impl FnOnce(f64) -> Result<Option<Outcome>>,
) -> Result<Impact> {
    let mass = law.mass;
    let epsilon = power.epsilon(mass, speed);
    let length = power.length(mass, speed);
    if !(length.is_normal() && epsilon.is_finite()) {
        return Err(overflow(format!("the length scale is {length:e} m and epsilon {epsilon:e}")));
    }
    let Some(outcome) = outcome(epsilon)? else {
        return impact_without_separation(law, exponents, speed, epsilon, length);
    };
    let damped = epsilon > 0.0 && power.phases == Phases::Both;
    let tensile = damped && exponents.m < exponents.n && law.exit == Exit::ZeroIndentation;
    let impact = to_si(&outcome, exponents.n, mass, speed, length, tensile);
    let finite = [impact.duration, impact.force_max, impact.indentation_max];
    if finite.iter().any(|value| !value.is_finite()) {
        return Err(overflow(format!("the largest force is {:e} N", impact.force_max)));
    }
    Ok(impact)
}

/// Converts a dimensionless outcome with the units of length, time and force.
fn to_si(o: &Outcome, n: f64, mass: f64, speed: f64, length: f64, tensile: bool) -> Impact {
    let time = length / speed;
    let initial = 0.5 * mass * speed * speed;
    let e = o.restitution;
    let stored = 2.0 / (n + 1.0) * o.indentation_max.powf(n + 1.0);
    Impact {
        speed,
        restitution: Restitution { newton: e, poisson: e, stronge: e },
        duration: o.duration * time,
        indentation_max: o.indentation_max * length,
        time_of_indentation_max: o.time_of_indentation_max * time,
        force_max: o.force_max * mass * speed / time,
        time_of_force_max: o.time_of_force_max * time,
        residual_indentation: o.residual_indentation * length,
        impulse: Impulse { compression: mass * speed, restitution: mass * speed * e },
        energy: Energy {
            initial,
            lost_in_compression: (initial * (1.0 - stored)).max(0.0),
            lost_in_restitution: (initial * (stored - e * e)).max(0.0),
        },
        notes: if tensile { vec![Note::TensileForce] } else { Vec::new() },
    }
}

/// Computes the impact of bodies that never separate: compression is regular, restitution does not end.
fn impact_without_separation(
    law: &Law,
    exponents: Exponents,
    speed: f64,
    epsilon: f64,
    length: f64,
) -> Result<Impact> {
    let Some(mut outcome) = exact::compression_outcome(exponents, epsilon)? else {
        return Err(overflow(format!("epsilon is {epsilon:e}")));
    };
    outcome.restitution = 0.0;
    outcome.duration = f64::INFINITY;
    let mut impact = to_si(&outcome, exponents.n, law.mass, speed, length, false);
    impact.impulse.restitution = f64::NAN;
    impact.notes = vec![Note::NeverSeparates { epsilon: Some(epsilon), exit: law.exit }];
    Ok(impact)
}
