//! Advice on the time step: duration of contact, the usual rules, and the errors of common integrators.
//!
//! - **Duration of contact** T of the recommended law at the highest speed, where it is shortest (T ∝
//!   v^((1−n)/(1+n))).
//! - **Hertz time** T_H: the same without damping; for spheres 2.87·(mₑ²/(R·E*²·v))^(1/5).
//! - **Rayleigh's time** T_R = π·R·√(ρ/G)/(0.1631·ν + 0.8766) of each body, the travel time of a Rayleigh wave over
//!   half the circumference, G = E/(2(1+ν)). The documentation of LIGGGHTS (`fix check/timestep/gran`) gives both
//!   times and shows a tenth of each as a limit; T/50 is customary in MercuryDPM and MFiX.
//! - **Computed errors**: [`march`] integrates the impact with each scheme at T/10 … T/1000. The results are an upper
//!   bound of the error of the restitution over all phases of the onset within the step (`advise/phase.rs`), and the
//!   mean error. The step for 1 % or 0.1 % is the largest one for which the errors of this step and of all finer
//!   steps tried are within that limit.
//!
//! The table holds for the highest speed. Slower impacts last longer and have more steps per contact, but the error
//! does not decrease monotonically with the number of steps. The suggested step, and the verdict on a given one, are
//! therefore based on the largest error over the range of speeds.

use super::march::march_from;
use super::phase::{INTERVALS, INTERVALS_WITH_KINKS, over_phases};
use super::{Integrator, Problem, Purpose, march};
use crate::error::Result;
use crate::impact::{Impact, collide};
use crate::law::{Law, Memory};
use crate::units::format;
use serde::Serialize;
use std::f64::consts::PI;

/// Number of speeds in the range at which a step is tried.
const SPEEDS_TRIED: i32 = 9;

/// Numbers of steps per contact that are tried.
const STEPS_PER_CONTACT: [f64; 15] = [
    10.0, 14.0, 20.0, 30.0, 40.0, 50.0, 70.0, 100.0, 140.0, 200.0, 300.0, 400.0, 500.0, 700.0,
    1000.0,
];

/// Advice on the time step.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StepAdvice {
    /// Law that was integrated; `undamped` if no recommended law can be integrated with fixed steps.
    pub law: &'static str,
    /// Speed of the impact (m/s), the highest of the range.
    pub speed: f64,
    /// Duration of contact at this speed (s).
    pub contact_time: f64,
    /// Duration of contact at the lowest speed (s).
    pub contact_time_slowest: f64,
    /// Hertz time and Rayleigh's times, with the customary fractions.
    pub criteria: Vec<Criterion>,
    /// Suggested step; absent if the scheme does not reach the tolerance.
    pub suggested: Option<SuggestedStep>,
    /// Errors in restitution for each scheme.
    pub integrators: Vec<SchemeErrors>,
    /// Given step (s).
    pub given: Option<f64>,
    /// Verdict on the given step.
    pub verdict: Option<StepVerdict>,
}

/// Verdict on whether a given step is fine enough.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct StepVerdict {
    /// The step (s).
    pub step: f64,
    /// Integration scheme to which the verdict applies.
    pub integrator: Integrator,
    /// `fine`, `coarse` (exceeds the tolerance, or a limit that applies here), or `sticks` (the bodies do not
    /// separate with this step).
    pub verdict: &'static str,
    /// Duration of contact divided by the step, at the highest speed.
    pub steps_per_contact: f64,
    /// Largest relative error of the restitution over the range of speeds; absent if the bodies stick.
    pub worst: Option<f64>,
    /// Requested tolerance.
    pub tolerance: f64,
    /// The verdict in a sentence, with advice.
    pub message: String,
}

/// A rule for the step.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Criterion {
    /// Name: `hertz`, `rayleigh_1`, `rayleigh_2` or `contact`.
    pub name: &'static str,
    /// Characteristic time (s).
    pub time: f64,
    /// Fraction of the time that is commonly allowed as a step.
    pub fraction: f64,
    /// Step that the rule allows (s).
    pub step: f64,
    /// Source of the rule.
    pub source: &'static str,
}

/// Suggested step.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct SuggestedStep {
    /// The step (s).
    pub step: f64,
    /// Integration scheme for which the step is suggested.
    pub integrator: Integrator,
    /// Duration of contact divided by the step.
    pub steps_per_contact: f64,
    /// Largest relative error of the restitution over the phases of the onset and the range of speeds.
    pub worst: f64,
    /// Requested tolerance.
    pub tolerance: f64,
    /// `accuracy`, or the name of the criterion that is stricter.
    pub limited_by: &'static str,
}

/// Errors of one integration scheme.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SchemeErrors {
    /// Integration scheme.
    pub integrator: Integrator,
    /// Programs that use it.
    pub used_by: &'static str,
    /// Largest step for an error of 1 % in restitution at every phase (s).
    pub step_1_percent: Option<f64>,
    /// Largest step for an error of 0.1 % in restitution at every phase (s).
    pub step_01_percent: Option<f64>,
    /// Observed order: slope of the largest error between T/100 and T/1000.
    pub order: Option<f64>,
    /// Errors at the given step.
    pub given: Option<ErrorAtStep>,
    /// Errors at T/10 … T/1000.
    pub errors: Vec<ErrorAtStep>,
}

/// Errors of one scheme with one step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ErrorAtStep {
    /// Duration of contact divided by the step.
    pub steps_per_contact: f64,
    /// The step (s).
    pub step: f64,
    /// Upper bound of |e/e_exact − 1| over all phases of the onset; absent if the bodies did not separate.
    pub worst: Option<f64>,
    /// Mean of e/e_exact − 1 over the phases.
    pub mean: Option<f64>,
}

/// Computes the rules and the errors; `None` if the bodies do not separate at the highest speed.
pub fn advise(
    problem: &Problem,
    recommended: Option<(&'static str, &Law)>,
    elastic: &Impact,
) -> Result<Option<StepAdvice>> {
    let pair = &problem.pair;
    let undamped = || {
        let form = crate::law::Power::elastic(pair.stiffness, pair.exponent);
        Law::new(pair.mass, problem.exit, form)
    };
    let speed = problem.speeds.1;
    // `march` rejects laws with an internal state; the step is then that for the undamped contact.
    let can_be_stepped = |law: &Law| {
        march(law, speed, Integrator::RungeKutta4, elastic.duration / 10.0, 0.5, elastic.duration)
            .is_ok()
    };
    let (law, name) = match recommended {
        Some((name, law)) if can_be_stepped(law) => (*law, name),
        _ => (undamped(), "undamped"),
    };
    let mut speeds = problem.sampled_speeds(SPEEDS_TRIED);
    speeds.reverse();
    // Speeds at which the bodies stick are omitted, because there is no restitution for comparison.
    let impacts: Vec<ReferenceImpact> =
        speeds.into_iter().filter_map(|speed| ReferenceImpact::new(&law, speed)).collect();
    let Some(fastest) = impacts.first().filter(|impact| impact.speed == speed) else {
        return Ok(None);
    };
    let time = fastest.time;
    let mut integrators: Vec<SchemeErrors> = Vec::new();
    for integrator in Integrator::ALL {
        // The half-step velocities of velocity Verlet are the velocities of semi-implicit Euler, so that the errors
        // are the same.
        let twin = (integrator == Integrator::SemiImplicitEuler)
            .then(|| integrators.iter().find(|one| one.integrator == Integrator::VelocityVerlet))
            .flatten();
        integrators.push(match twin {
            Some(twin) => {
                SchemeErrors { integrator, used_by: integrator.used_by(), ..twin.clone() }
            }
            None => fastest.measure(integrator, problem.step)?,
        });
    }
    let mut criteria = criteria(problem, elastic);
    let source = "habit of MercuryDPM and MFiX: 1/50";
    criteria.push(Criterion { name: "contact", time, fraction: 0.02, step: 0.02 * time, source });
    let chosen = integrators.iter().find(|one| one.integrator == problem.integrator);
    let suggested = match chosen {
        Some(one) => suggest_step(problem, &impacts, one, &criteria)?,
        None => None,
    };
    let verdict = match problem.step {
        Some(step) => Some(judge_step(problem, &impacts, step, suggested, &criteria)?),
        None => None,
    };
    Ok(Some(StepAdvice {
        law: name,
        speed,
        contact_time: time,
        contact_time_slowest: collide(&law, problem.speeds.0)?.duration,
        criteria,
        suggested,
        integrators,
        given: problem.step,
        verdict,
    }))
}

/// An impact with its exact restitution, with which the schemes are compared.
struct ReferenceImpact<'a> {
    law: &'a Law,
    /// Memory at onset.
    touched: Memory,
    speed: f64,
    /// Duration of contact (s).
    time: f64,
    /// Exact restitution.
    exact: f64,
    /// Whether the force jumps at onset or at the turn.
    jumps: bool,
}

impl<'a> ReferenceImpact<'a> {
    /// Creates the reference impact; `None` if the bodies do not separate.
    fn new(law: &'a Law, speed: f64) -> Option<Self> {
        let impact = collide(law, speed).ok()?;
        let (time, exact) = (impact.duration, impact.restitution.newton);
        let touched = law.touch(speed);
        let deepest = impact.indentation_max;
        let at_touch = law.force(1e-9 * deepest, speed, &touched);
        let at_turn = |rate: f64| law.force(deepest, rate, &Memory { peak: deepest, ..touched });
        let turn = at_turn(1e-9 * speed) - at_turn(-1e-9 * speed);
        let jumps = at_touch.abs().max(turn.abs()) > 0.01 * impact.force_max;
        let parts = time.is_finite() && exact > 0.0;
        parts.then_some(Self { law, touched, speed, time, exact, jumps })
    }

    /// Computes the error of a scheme with this step.
    fn error_at(&self, integrator: Integrator, step: f64) -> Result<ErrorAtStep> {
        let first = if self.law.power().is_some() { INTERVALS } else { INTERVALS_WITH_KINKS };
        let found = over_phases(self.jumps, first, |phase| {
            let run = (self.speed, integrator, step, phase, self.time);
            let rebound = march_from(self.law, self.touched, run)?;
            Ok(rebound.map(|end| (end.restitution / self.exact - 1.0, end.decisions)))
        })?;
        let (worst, mean) = (found.map(|found| found.worst), found.map(|found| found.mean));
        Ok(ErrorAtStep { steps_per_contact: self.time / step, step, worst, mean })
    }

    /// Computes the errors of a scheme with all steps tried, and with the given one.
    fn measure(&self, integrator: Integrator, given: Option<f64>) -> Result<SchemeErrors> {
        let mut errors = Vec::new();
        for count in STEPS_PER_CONTACT {
            let at = self.error_at(integrator, self.time / count)?;
            errors.push(ErrorAtStep { steps_per_contact: count, ..at });
        }
        Ok(SchemeErrors {
            integrator,
            used_by: integrator.used_by(),
            step_1_percent: largest_step(&errors, 0.01).map(|at| at.step),
            step_01_percent: largest_step(&errors, 0.001).map(|at| at.step),
            order: order_of_convergence(&errors),
            given: given.map(|step| self.error_at(integrator, step)).transpose()?,
            errors,
        })
    }
}

/// Computes an upper bound of the relative error in restitution that a scheme causes with this step, over all phases
/// of the onset; `None` if the bodies do not separate, either with this step or under the law itself.
///
/// ```
/// use carom::advise::{Integrator, worst_error};
/// use carom::{Damping, Pair, collide, model};
/// let steel = Pair::new(0.54, 2.4144e10, 1.5)?;
/// let law = model("tsuji-1992")?.law(&steel, Damping::Exact(0.7568), None, &[])?;
/// let step = collide(&law, 0.5)?.duration / 100.0;
/// let worst = worst_error(&law, 0.5, Integrator::VelocityVerlet, step)?;
/// assert!(worst.is_some_and(|worst| worst < 0.005));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// As for [`march`].
pub fn worst_error(
    law: &Law,
    speed: f64,
    integrator: Integrator,
    step: f64,
) -> Result<Option<f64>> {
    Ok(error_at_step(law, speed, integrator, step, None)?.and_then(|at| at.worst))
}

/// Computes the error in restitution that a scheme causes with this step: its upper bound and its mean over all
/// phases of the onset, relative to the restitution of the law itself or to `against`; `None` if the bodies stick
/// under the law itself.
///
/// # Errors
/// As for [`march`].
pub fn error_at_step(
    law: &Law,
    speed: f64,
    integrator: Integrator,
    step: f64,
    against: Option<f64>,
) -> Result<Option<ErrorAtStep>> {
    let Some(impact) = ReferenceImpact::new(law, speed) else { return Ok(None) };
    let exact = against.unwrap_or(impact.exact);
    ReferenceImpact { exact, ..impact }.error_at(integrator, step).map(Some)
}

/// Computes an upper bound of the error of a step over the range of speeds; `None` if the bodies stick at one of
/// them.
///
/// A slower impact lasts longer. The fraction of a step at which its contact ends depends on the fractional part of
/// T/h, so that the error oscillates with a period of one step per contact while it decreases. All fractional parts
/// occur in a range of speeds. The largest error over one period is therefore located at the highest speed, by
/// reducing the step. All other influences change slowly with the speed and are evaluated at [`SPEEDS_TRIED`] speeds.
fn worst_over_speeds(
    impacts: &[ReferenceImpact],
    integrator: Integrator,
    step: f64,
) -> Result<Option<f64>> {
    let [fastest, slower @ ..] = impacts else { return Ok(None) };
    let count = fastest.time / step;
    let longest = slower.iter().map(|impact| impact.time).fold(fastest.time, f64::max);
    let added = (longest / step - count).min(1.0);
    let mut worst = match added > 1e-3 {
        true => {
            let found = over_phases(false, INTERVALS, |part| {
                let finer = fastest.error_at(integrator, fastest.time / (count + part * added))?;
                Ok(finer.worst.map(|worst| (worst, 0)))
            })?;
            found.map(|found| found.worst)
        }
        false => fastest.error_at(integrator, step)?.worst,
    };
    for impact in slower {
        worst = worst.zip(impact.error_at(integrator, step)?.worst).map(|(a, b)| a.max(b));
    }
    Ok(worst)
}

/// Formats an error in per cent with two digits, rounded up, so that the printed number is also a bound.
///
/// ```
/// assert_eq!(carom::advise::at_most(0.001691), "0.17 %");
/// assert_eq!(carom::advise::at_most(0.0301), "3.1 %");
/// ```
pub fn at_most(error: f64) -> String {
    let percent = 100.0 * error;
    if !(percent > 0.0) {
        return "0 %".to_string();
    }
    let power = percent.log10().floor();
    let up = |power: f64| (percent / 10f64.powf(power) - 1e-9).ceil() * 10f64.powf(power);
    match percent {
        ..0.001 => format!("{:.0e} %", up(power)),
        10.0..1000.0 => format!("{:.0} %", up(0.0)),
        1000.0.. => "> 1000 %".to_string(),
        _ => format!("{:.*} %", (1.0 - power).max(0.0) as usize, up(power - 1.0)),
    }
}

/// Returns the largest step for which this and all finer steps are within the tolerance; `errors` are in order of
/// decreasing step.
fn largest_step(errors: &[ErrorAtStep], tolerance: f64) -> Option<ErrorAtStep> {
    let good = |at: &&ErrorAtStep| at.worst.is_some_and(|worst| worst <= tolerance);
    errors.iter().rev().take_while(good).last().copied()
}

/// Computes the slope of log(largest error) over log(step) by least squares, for steps of T/100 and less; `None` if
/// errors are due to rounding only.
fn order_of_convergence(errors: &[ErrorAtStep]) -> Option<f64> {
    let points: Vec<(f64, f64)> = errors
        .iter()
        .filter(|at| at.steps_per_contact > 99.0)
        .map(|at| Some((at.step.ln(), at.worst.filter(|worst| *worst > 1e-11)?.ln())))
        .collect::<Option<_>>()?;
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>()
        / points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum::<f64>();
    Some(slope).filter(|slope| slope.is_finite())
}

/// Returns the criteria of the Hertz time and of Rayleigh's times.
fn criteria(problem: &Problem, elastic: &Impact) -> Vec<Criterion> {
    let source = "LIGGGHTS, fix check/timestep/gran: 0.1 in its example";
    let mut found = Vec::new();
    let mut add = |name, time: f64| {
        let fraction = 0.1;
        found.push(Criterion { name, time, fraction, step: fraction * time, source });
    };
    add("hertz", elastic.duration);
    let fact = |name| problem.pair.fact(name);
    for (name, [radius, youngs, poisson, density]) in [
        ("rayleigh_1", ["radius_1", "youngs_1", "poisson_1", "density_1"]),
        ("rayleigh_2", ["radius_2", "youngs_2", "poisson_2", "density_2"]),
    ] {
        if let (Some(radius), Some(youngs), Some(poisson), Some(density)) =
            (fact(radius), fact(youngs), fact(poisson), fact(density))
        {
            add(name, rayleigh(radius, youngs, poisson, density));
        }
    }
    found
}

/// Computes Rayleigh's time, the travel time of a surface wave over half the circumference of a grain:
/// π·R·√(ρ/G)/(0.1631·ν + 0.8766) (s). The steps of granular simulations are limited to a fraction of it.
///
/// ```
/// // A millimetre of glass: about two microseconds.
/// let time = carom::advise::rayleigh(1e-3, 70e9, 0.25, 2500.0);
/// assert!((1e-6..3e-6).contains(&time));
/// ```
pub fn rayleigh(radius: f64, youngs: f64, poisson: f64, density: f64) -> f64 {
    let shear = 0.5 * youngs / (1.0 + poisson);
    PI * radius * (density / shear).sqrt() / (0.1631 * poisson + 0.8766)
}

/// Returns the stricter Rayleigh limit, for granular media only, where waves travel from particle to particle.
fn rayleigh_limit<'a>(problem: &Problem, criteria: &'a [Criterion]) -> Option<&'a Criterion> {
    let rules = criteria.iter().filter(|rule| rule.name.starts_with("rayleigh"));
    let strictest = rules.min_by(|a, b| a.step.total_cmp(&b.step));
    strictest.filter(|_| problem.purpose == Purpose::Granular)
}

/// Finds the largest step that is within the tolerance at all speeds and not above [`rayleigh_limit`].
fn suggest_step(
    problem: &Problem,
    impacts: &[ReferenceImpact],
    one: &SchemeErrors,
    criteria: &[Criterion],
) -> Result<Option<SuggestedStep>> {
    let Some(accurate) = largest_step(&one.errors, problem.tolerance) else { return Ok(None) };
    let mut steps: Vec<f64> =
        one.errors.iter().map(|at| at.step).filter(|step| *step <= accurate.step).collect();
    let mut limited_by = "accuracy";
    if let Some(rule) = rayleigh_limit(problem, criteria)
        && rule.step < accurate.step
    {
        limited_by = rule.name;
        steps.retain(|step| *step < rule.step);
        steps.insert(0, rule.step);
    }
    for (i, step) in steps.into_iter().enumerate() {
        let worst = worst_over_speeds(impacts, one.integrator, step)?;
        if let Some(worst) = worst.filter(|worst| *worst <= problem.tolerance) {
            return Ok(Some(SuggestedStep {
                step,
                integrator: one.integrator,
                steps_per_contact: impacts.first().map_or(f64::NAN, |impact| impact.time / step),
                worst,
                tolerance: problem.tolerance,
                limited_by: if i == 0 { limited_by } else { "accuracy" },
            }));
        }
    }
    Ok(None)
}

/// Judges whether a given step is within the tolerance at all speeds.
fn judge_step(
    problem: &Problem,
    impacts: &[ReferenceImpact],
    step: f64,
    suggested: Option<SuggestedStep>,
    criteria: &[Criterion],
) -> Result<StepVerdict> {
    let (integrator, tolerance) = (problem.integrator, problem.tolerance);
    let worst = worst_over_speeds(impacts, integrator, step)?;
    let steps_per_contact = impacts.first().map_or(f64::NAN, |impact| impact.time / step);
    let instead = match suggested {
        Some(better) => format!("take {} or less", format(better.step, "s")),
        None => format!(
            "no step down to a thousandth of the contact reaches it with {}: take another integrator",
            integrator.name()
        ),
    };
    let above = rayleigh_limit(problem, criteria).filter(|rule| step > rule.step);
    let (verdict, message) = match (worst, above) {
        (None, _) => {
            ("sticks", format!("too coarse: the bodies do not separate with it; {instead}"))
        }
        (Some(worst), _) if worst > tolerance => {
            let message = format!(
                "too coarse: the restitution may be off by {}, more than the {} allowed; {instead}",
                at_most(worst),
                at_most(tolerance)
            );
            ("coarse", message)
        }
        (Some(worst), Some(rule)) => {
            let message = format!(
                "too coarse: it keeps the restitution within {}, but is above {} of the Rayleigh time, {}; {instead}",
                at_most(worst),
                rule.fraction,
                format(rule.step, "s")
            );
            ("coarse", message)
        }
        (Some(worst), None) => {
            let larger = suggested.filter(|other| other.step > 1.2 * step);
            let room = larger
                .map_or(String::new(), |other| format!("; {} would do", format(other.step, "s")));
            let message = format!(
                "fine enough: the restitution is within {}, and {} is allowed{room}",
                at_most(worst),
                at_most(tolerance)
            );
            ("fine", message)
        }
    };
    Ok(StepVerdict { step, integrator, verdict, steps_per_contact, worst, tolerance, message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rayleigh_wave_takes_its_time() {
        // A glass bead of radius 1 mm: G = 26.2 GPa, c_R ≈ 0.92·√(G/ρ); the wave travels the distance πR.
        let (e, nu, rho) = (6.4e10f64, 0.22, 2500.0);
        let shear = (e / (2.0 * (1.0 + nu)) / rho).sqrt();
        let time = rayleigh(1e-3, e, nu, rho);
        // Viktorov's approximation of c_R/c_S, (0.87 + 1.12ν)/(1 + ν).
        let viktorov = PI * 1e-3 / (shear * (0.87 + 1.12 * nu) / (1.0 + nu));
        assert!((time / viktorov - 1.0).abs() < 0.01, "{time} {viktorov}");
    }
}
