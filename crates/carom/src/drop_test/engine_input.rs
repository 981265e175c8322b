//! From a drop test to the input of another program: the law that was found, as that program expresses it, and how high the
//! ball will rise there.
//!
//! A drop test says how high a ball rises, h′ = (e·v)²/2g, so that is what the engine is held against, bounce by bounce. Most engines
//! have one restitution for all speeds, or a dependence on speed of their own; where the measured restitution changes with speed they are right at
//! one of them, and a note says by how much they are off at the others.

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

/// Input for an engine, with the bounces that it will deliver.
#[derive(Clone, Debug, Serialize)]
pub struct EngineInput {
    /// The input and what the engine makes of the law.
    pub export: Export,
    /// Every measured bounce beside the engine's.
    pub bounces: Vec<EngineBounce>,
    /// Largest error of a height against the measured one.
    pub worst_height_error: f64,
    /// What the engine cannot deliver, and what was assumed.
    pub notes: Vec<NoteReport>,
}

/// A measured bounce beside that of the engine; heights without air.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EngineBounce {
    /// Approach speed (m/s).
    pub speed: f64,
    /// Measured restitution.
    pub measured: f64,
    /// Restitution at this speed by the fitted dependence.
    pub fitted: f64,
    /// What the engine delivers, with its step where its scheme is known, on average over where within a step the touch falls.
    pub delivered: f64,
    /// Height of the bounce as it was measured (m).
    pub height_measured: f64,
    /// Height of the bounce that the engine delivers (m).
    pub height_delivered: f64,
    /// Delivered height over the measured one, less 1.
    pub height_error: f64,
    /// Standard error of the measured height, over it.
    pub height_doubt: f64,
}

/// Heights that are off by more than this share, and by more than two standard errors of the measurement, are worth a note.
const NOTED_HEIGHT_ERROR: f64 = 0.01;

impl Spec {
    /// Writes the law of a drop test for an engine.
    ///
    /// The stiffness is that of the measured time of contact. Without one, a step and a number of steps in a contact together say how
    /// long it lasts: bounce heights do not depend on it.
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
        let known = self.circumstances()?;
        let Some(mass) = known.mass else {
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
                soft(law, mass.value, steps * step)?
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
        let case = impact(law, mass.value, stiffness).case()?;
        // The speed of the law last: there the mean at the step is known.
        let speeds: Vec<f64> =
            report.impacts.iter().map(|impact| impact.speed).chain([law.speed]).collect();
        let mut export = export_at(&case, engine, &options, &speeds)?;
        let over_speeds = std::mem::take(&mut export.over_speeds);
        let at_step = match (export.step.restitution, over_speeds.last()) {
            (Some(mean), Some(small_steps)) => mean / small_steps.delivered,
            _ => 1.0,
        };
        let height = |speed: f64, e: f64| (e * speed).powi(2) / (2.0 * known.gravity.value);
        let asked = case.law()?;
        let mut bounces = Vec::new();
        for (i, impact) in report.impacts.iter().enumerate() {
            let (speed, measured) = (impact.speed, impact.restitution);
            let fitted = report.dependence.at(speed).0;
            // An engine that runs the law itself delivers what the law does.
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

/// The impact at the speed of the law.
fn impact(law: &DropLaw, mass: f64, stiffness: f64) -> ImpactSpec {
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

/// The stiffness with which a contact under this law lasts so long (s).
fn soft(law: &DropLaw, mass: f64, contact: f64) -> Result<f64> {
    let exponents = Exponents::new(law.exponent, law.damping_exponent, law.rate_exponent)?;
    let setup = Setup::new(mass, law.speed, exponents, Exit::ZeroForce)?;
    let e = Measured::new(Measure::Restitution, law.restitution)?;
    let t = Measured::new(Measure::Duration, contact)?;
    Ok(identify(&setup, [e, t], Method::Exact)?.solution.pair.stiffness)
}
