//! Writes the result of a drop test as input for another program: the fitted law in the form of that program, and the
//! heights to which the ball will rise in it.
//!
//! A drop test measures bounce heights, h′ = (e·v)²/2g, so the engine is compared with these, bounce by bounce. Most
//! engines use one restitution for all speeds, or have their own dependence on speed. If the measured restitution
//! changes with speed, they agree with it at one speed only, and a note states the errors at the others.

use super::law::DropLaw;
use super::measured::DropReport;
use super::spec::Spec;
use crate::error::{Error, Result};
use crate::exact::Exponents;
use crate::export::{Engine, Export, Options, export_at};
use crate::identify::{Measure, Measured, Method, Setup, identify};
use crate::law::Exit;
use crate::message::Action;
use crate::report::NoteReport;
use crate::spec::Spec as ImpactSpec;
use serde::Serialize;

/// Input for an engine, with the bounces that the engine will produce.
#[derive(Clone, Debug, Serialize)]
pub struct EngineInput {
    /// Input, with the restitution that the engine delivers.
    pub export: Export,
    /// Every measured bounce together with that of the engine.
    pub bounces: Vec<EngineBounce>,
    /// Largest relative error of a bounce height of the engine.
    pub worst_height_error: f64,
    /// Notes on deviations of the engine and on assumptions that were made.
    pub notes: Vec<NoteReport>,
}

/// A measured bounce and that of the engine; heights are those without drag.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EngineBounce {
    /// Approach speed (m/s).
    pub speed: f64,
    /// Measured restitution.
    pub measured: f64,
    /// Restitution at this speed by the fitted dependence.
    pub fitted: f64,
    /// Restitution that the engine delivers. If the integration scheme of the engine is known, the effect of its step
    /// is included, as the mean over the position of the onset within a step.
    pub delivered: f64,
    /// Measured height of the bounce (m).
    pub height_measured: f64,
    /// Height of the bounce that the engine delivers (m).
    pub height_delivered: f64,
    /// Relative error of the engine's height: height of the engine over measured height, minus 1.
    pub height_error: f64,
    /// Relative standard error of the measured height.
    pub height_doubt: f64,
}

/// Relative height error above which a note is written, if the error also exceeds two standard errors of the
/// measurement.
const NOTED_HEIGHT_ERROR: f64 = 0.01;

impl Spec {
    /// Writes the law of a drop test for an engine.
    ///
    /// The stiffness follows from the measured time of contact. If that is missing, the duration of contact is the
    /// time step multiplied by the number of steps per contact, both from the options: bounce heights do not depend
    /// on it.
    ///
    /// ```
    /// use carom::drop_test::Spec;
    /// use carom::export::{Options, engine};
    /// let text = r#"{"drop": "50mm", "bounce": "32mm", "mass": "67.4g", "contact_time": "110us"}"#;
    /// let spec: Spec = serde_json::from_str(text).map_err(|why| carom::Error::missing("json", why.to_string()))?;
    /// let report = spec.run(None)?;
    /// let options = Options { steps: Some(20.0), ..Options::default() };
    /// let input = spec.engine_input(&report, engine("mujoco")?, &options)?;
    /// assert!((input.bounces[0].height_delivered - 0.032).abs() < 1e-5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// When no law was found, when the mass or the time of contact is missing, or when the engine cannot express the law.
    pub fn engine_input(
        &self,
        report: &DropReport,
        engine: &'static Engine,
        options: &Options,
    ) -> Result<EngineInput> {
        let Some(law) = &report.law else {
            let advice = "a restitution of 1 or more has no damping; check the heights";
            return Err(Error::unsupported("an export without a law", advice));
        };
        let circumstances = self.circumstances()?;
        let Some(mass) = circumstances.mass else {
            let advice =
                sentence!("give the mass of the ball with {}", Action::give_as("mass", "58g"));
            return Err(Error::missing("mass", advice));
        };
        let mut notes = Vec::new();
        let mut options = *options;
        let stiffness = match (&law.identified, options.steps, options.step) {
            (Some(found), ..) => found.solution.pair.stiffness,
            (None, Some(steps), Some(step)) => {
                options.step = None;
                let message = format!(
                    "no time of contact was measured: it was chosen as {steps} steps of {}, and the stiffness follows from it",
                    crate::units::format(step, "s")
                );
                notes.push(NoteReport::new("contact_time_chosen", message));
                stiffness_for_duration(law, mass.value, steps * step)?
            }
            (None, ..) => {
                let advice = sentence!(
                    "give {}, or both {} and {}: the contact then lasts that long, and bounces as high",
                    Action::give_as("contact_time", "5ms"),
                    Action::give_as("step", "0.1ms"),
                    Action::give_as("steps", "20")
                );
                return Err(Error::missing("contact_time", advice));
            }
        };
        let case = impact_spec(law, mass.value, stiffness).case()?;
        // The speed of the law comes last: the mean restitution at the given step is known for it.
        let speeds: Vec<f64> =
            report.impacts.iter().map(|impact| impact.speed).chain([law.speed]).collect();
        let mut export = export_at(&case, engine, &options, &speeds)?;
        let over_speeds = std::mem::take(&mut export.over_speeds);
        let at_step = match (export.step.restitution, over_speeds.last()) {
            (Some(mean), Some(small_steps)) => mean / small_steps.delivered,
            _ => 1.0,
        };
        let height = |speed: f64, e: f64| (e * speed).powi(2) / (2.0 * circumstances.gravity.value);
        let asked = case.law()?;
        let mut bounces = Vec::new();
        for (i, impact) in report.impacts.iter().enumerate() {
            let (speed, measured) = (impact.speed, impact.restitution);
            let fitted = report.dependence.at(speed).0;
            // An engine that evaluates the law itself delivers the restitution of the law.
            let delivered = match over_speeds.get(i) {
                Some(at) => at_step * at.delivered,
                None => crate::impact::collide(&asked, speed)?.restitution.newton,
            };
            bounces.push(EngineBounce {
                speed,
                measured,
                fitted,
                delivered,
                height_measured: height(speed, measured),
                height_delivered: height(speed, delivered),
                height_error: (delivered / measured).powi(2) - 1.0,
                height_doubt: 2.0 * impact.restitution_error / measured,
            });
        }
        let over = |bounce: &&EngineBounce| {
            bounce.height_error.abs() > NOTED_HEIGHT_ERROR.max(2.0 * bounce.height_doubt)
        };
        let worst =
            bounces.iter().max_by(|a, b| a.height_error.abs().total_cmp(&b.height_error.abs()));
        let worst_height_error = worst.map_or(0.0, |worst| worst.height_error.abs());
        if let Some(worst) = worst.filter(over) {
            let delivered = |bounce: &EngineBounce| bounce.delivered;
            let least = bounces.iter().map(delivered).fold(f64::INFINITY, f64::min);
            let most = bounces.iter().map(delivered).fold(0.0, f64::max);
            let how = match most - least < 1e-6 {
                true => format!("delivers one restitution, {most:.4}, at every speed"),
                false => format!("delivers {least:.4} to {most:.4} over these speeds"),
            };
            let message = format!(
                "{} {how}, and the measured one changes with speed: bounce heights are right near {} and off by {:+.1} % at {}; \
                 give only the drops near the speed that matters",
                engine.title,
                crate::units::format(law.speed, "m/s"),
                100.0 * worst.height_error,
                crate::units::format(worst.speed, "m/s"),
            );
            notes.push(NoteReport::new("one_speed", message));
        }
        Ok(EngineInput { export, bounces, worst_height_error, notes })
    }
}

/// Describes the impact at the speed at which the law is given.
fn impact_spec(law: &DropLaw, mass: f64, stiffness: f64) -> ImpactSpec {
    let own = law.law == "power";
    ImpactSpec {
        law: law.law.into(),
        mass: Some(mass.into()),
        stiffness: Some(stiffness.into()),
        exponent: Some(law.exponent.into()),
        speed: Some(law.speed.into()),
        restitution: Some(law.restitution.into()),
        calibration: Some("exact".into()),
        damping_exponent: own.then(|| law.damping_exponent.into()),
        rate_exponent: own.then(|| law.rate_exponent.into()),
        exit: Some("force".into()),
        ..ImpactSpec::default()
    }
}

/// Returns the stiffness for which a contact under this law lasts for the given time (s).
fn stiffness_for_duration(law: &DropLaw, mass: f64, contact: f64) -> Result<f64> {
    let exponents = Exponents::new(law.exponent, law.damping_exponent, law.rate_exponent)?;
    let setup = Setup::new(mass, law.speed, exponents, Exit::ZeroForce)?;
    let e = Measured::new(Measure::Restitution, law.restitution)?;
    let t = Measured::new(Measure::Duration, contact)?;
    Ok(identify(&setup, [e, t], Method::Exact)?.solution.pair.stiffness)
}
