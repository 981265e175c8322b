//! The time step: contact time, the usual rules, and what common integrators make of it, measured.
//!
//! - **Contact time** T of the recommended law at the highest speed, where it is shortest (T ∝ v^((1−n)/(1+n))).
//! - **Hertz time** T_H: the same without damping; for spheres 2.87·(mₑ²/(R·E*²·v))^(1/5).
//! - **Rayleigh time** T_R = π·R·√(ρ/G)/(0.1631·ν + 0.8766) per body, the time of a Rayleigh wave around a
//!   hemisphere, G = E/(2(1+ν)). The documentation of LIGGGHTS (`fix check/timestep/gran`) gives both times and
//!   shows a tenth of each as limits; MercuryDPM and MFiX take T/50 by habit.
//! - **Measured**: [`march`] integrates the impact with each scheme at T/10 … T/1000, the touch at
//!   [`PHASES`] places within the step. What is reported is the worst and the mean error of the
//!   restitution over these; the step for 1 % and 0.1 % is the largest from which on no finer one misses it.
//!
//! For power laws the error depends on h/T, exponents and ε alone, so that one speed tells all; slower
//! impacts last longer and have more steps.

use super::march::march_from;
use super::{Integrator, Problem, Purpose, march};
use crate::error::Result;
use crate::impact::{Impact, collide};
use crate::law::{Law, Memory};
use serde::Serialize;
use std::f64::consts::PI;

/// Places of the touch within a step.
pub const PHASES: usize = 16;

/// Steps per contact that are tried.
const COUNTS: [f64; 15] = [
    10.0, 14.0, 20.0, 30.0, 40.0, 50.0, 70.0, 100.0, 140.0, 200.0, 300.0, 400.0, 500.0, 700.0,
    1000.0,
];

/// What to know about the step.
#[derive(Clone, Debug, Serialize)]
pub struct StepAdvice {
    /// The law that was integrated; `undamped` where none is recommended that can be stepped.
    pub law: &'static str,
    /// Its speed (m/s), the highest.
    pub speed: f64,
    /// Contact time there (s).
    pub contact_time: f64,
    /// Contact time at the lowest speed (s).
    pub contact_time_slowest: f64,
    /// Hertz and Rayleigh times, and their usual fractions.
    pub criteria: Vec<Criterion>,
    /// The step to take; none where the scheme does not reach the tolerance.
    pub suggested: Option<Suggested>,
    /// Errors in restitution, by scheme.
    pub integrators: Vec<Measured>,
    /// The step that was given (s).
    pub given: Option<f64>,
}

/// A rule of thumb.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Criterion {
    /// `hertz`, `rayleigh_1`, `rayleigh_2`, `contact`.
    pub name: &'static str,
    /// The time itself (s).
    pub time: f64,
    /// The fraction of it that is commonly allowed.
    pub fraction: f64,
    /// That fraction (s).
    pub step: f64,
    /// Who says so.
    pub source: &'static str,
}

/// The step to take.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Suggested {
    /// The step (s).
    pub step: f64,
    /// The scheme it is for.
    pub integrator: Integrator,
    /// Contact time over step.
    pub steps_per_contact: f64,
    /// Worst relative error of the restitution there.
    pub worst: f64,
    /// The tolerance that was asked for.
    pub tolerance: f64,
    /// `accuracy`, or the criterion that is stricter.
    pub limited_by: &'static str,
}

/// One scheme.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The scheme.
    pub integrator: Integrator,
    /// Where it is met.
    pub used_by: &'static str,
    /// Largest step for 1 % in restitution, whatever the phase (s).
    pub step_1_percent: Option<f64>,
    /// Largest step for 0.1 % (s).
    pub step_01_percent: Option<f64>,
    /// Observed order: slope of the worst error between T/100 and T/1000.
    pub order: Option<f64>,
    /// At the step that was given.
    pub given: Option<AtStep>,
    /// At T/10 … T/1000.
    pub errors: Vec<AtStep>,
}

/// Errors of one scheme at one step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtStep {
    /// Contact time over step.
    pub steps_per_contact: f64,
    /// The step (s).
    pub step: f64,
    /// Worst |e/e_exact − 1| over the phases of the touch; none where the bodies did not part.
    pub worst: Option<f64>,
    /// Mean of e/e_exact − 1 over the phases.
    pub mean: Option<f64>,
}

/// Rules and measurements; none where no contact ends.
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
    let probe = |law: &Law| {
        march(law, speed, Integrator::RungeKutta4, elastic.duration / 10.0, 0.5, elastic.duration)
    };
    // A law with an internal state is not stepped here; the elastic contact stands for it.
    let (law, name) = match recommended {
        Some((name, law)) if probe(law).is_ok() => (*law, name),
        _ => (undamped(), "undamped"),
    };
    let fastest = collide(&law, speed)?;
    let (time, exact) = (fastest.duration, fastest.restitution.newton);
    if !(time.is_finite() && exact > 0.0) {
        return Ok(None);
    }
    let bench = Bench { law: &law, touched: law.touch(speed), speed, time, exact };
    let mut integrators = Vec::new();
    for integrator in Integrator::ALL {
        integrators.push(bench.measure(integrator, problem.step)?);
    }
    let mut criteria = criteria(problem, elastic);
    let source = "habit of MercuryDPM and MFiX: 1/50";
    criteria.push(Criterion { name: "contact", time, fraction: 0.02, step: 0.02 * time, source });
    let chosen = integrators.iter().find(|one| one.integrator == problem.integrator);
    let suggested = match chosen {
        Some(one) => suggest(problem, &bench, one, &criteria)?,
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
    }))
}

struct Bench<'a> {
    law: &'a Law,
    touched: Memory,
    speed: f64,
    time: f64,
    exact: f64,
}

impl Bench<'_> {
    fn at(&self, integrator: Integrator, step: f64) -> Result<AtStep> {
        let (mut worst, mut sum) = (Some(0f64), 0.0);
        for i in 0..PHASES {
            let phase = (i as f64 + 0.5) / PHASES as f64;
            let course = (self.speed, integrator, step, phase, self.time);
            let e = march_from(self.law, self.touched, course)?;
            let error = e.map(|e| e / self.exact - 1.0);
            worst = worst.zip(error).map(|(worst, error)| worst.max(error.abs()));
            sum += error.unwrap_or(0.0);
        }
        let mean = worst.map(|_| sum / PHASES as f64);
        Ok(AtStep { steps_per_contact: self.time / step, step, worst, mean })
    }

    fn measure(&self, integrator: Integrator, given: Option<f64>) -> Result<Measured> {
        let mut errors = Vec::new();
        for count in COUNTS {
            let at = self.at(integrator, self.time / count)?;
            errors.push(AtStep { steps_per_contact: count, ..at });
        }
        Ok(Measured {
            integrator,
            used_by: integrator.used_by(),
            step_1_percent: largest(&errors, 0.01).map(|at| at.step),
            step_01_percent: largest(&errors, 0.001).map(|at| at.step),
            order: order(&errors),
            given: given.map(|step| self.at(integrator, step)).transpose()?,
            errors,
        })
    }
}

/// The coarsest step from which on no finer one misses the tolerance.
fn largest(errors: &[AtStep], tolerance: f64) -> Option<AtStep> {
    let good = |at: &&AtStep| at.worst.is_some_and(|worst| worst <= tolerance);
    errors.iter().rev().take_while(good).last().copied()
}

/// Slope of log(worst error) over log(step), by least squares from T/100 on; none where rounding is all that is left.
fn order(errors: &[AtStep]) -> Option<f64> {
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

/// Hertz's and Rayleigh's times.
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

/// How long a surface wave takes around a grain: π·R·√(ρ/G)/(0.1631·ν + 0.8766) (s). Steps of granular
/// simulations are kept to a fraction of it.
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

/// The step for the tolerance; where many particles pass waves on, not above Rayleigh's fraction either.
fn suggest(
    problem: &Problem,
    bench: &Bench,
    one: &Measured,
    criteria: &[Criterion],
) -> Result<Option<Suggested>> {
    let Some(accurate) = largest(&one.errors, problem.tolerance) else { return Ok(None) };
    let rayleigh = criteria.iter().filter(|rule| rule.name.starts_with("rayleigh"));
    let strictest = rayleigh.min_by(|a, b| a.step.total_cmp(&b.step));
    let (at, limited_by) = match strictest {
        Some(rule) if problem.purpose == Purpose::Granular && rule.step < accurate.step => {
            // A step that no machine could take says nothing about accuracy.
            let measured = bench.at(one.integrator, rule.step).ok();
            (measured.unwrap_or(AtStep { step: rule.step, ..accurate }), rule.name)
        }
        _ => (accurate, "accuracy"),
    };
    Ok(at.worst.map(|worst| Suggested {
        step: at.step,
        integrator: one.integrator,
        steps_per_contact: bench.time / at.step,
        worst,
        tolerance: problem.tolerance,
        limited_by,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rayleigh_wave_takes_its_time() {
        // Glass bead of 1 mm: G = 26.2 GPa, c_R ≈ 0.92·√(G/ρ); the wave runs πR.
        let (e, nu, rho) = (6.4e10f64, 0.22, 2500.0);
        let shear = (e / (2.0 * (1.0 + nu)) / rho).sqrt();
        let time = rayleigh(1e-3, e, nu, rho);
        // Viktorov's approximation (0.87 + 1.12ν)/(1 + ν) of c_R/c_S.
        let viktorov = PI * 1e-3 / (shear * (0.87 + 1.12 * nu) / (1.0 + nu));
        assert!((time / viktorov - 1.0).abs() < 0.01, "{time} {viktorov}");
    }
}
