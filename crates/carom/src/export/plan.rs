//! Determines the law that an engine applies for the requested law.
//!
//! The nearest form of the engine is chosen (`wanted.rs`) and calibrated (`effective.rs`). This file reports the
//! result: the effective law, the losses, and the delivered restitution.

use super::effective::EffectiveLaw;
use super::engine::{Engine, Form, Linear};
use super::friction::{Friction, poisson, tangential_ratio};
use super::text::{count, number};
use super::wanted::{Shape, Wanted, ascii_formula, velocity_free};
use super::{AppliedLaw, DeliveredImpact, Match, RestitutionAtSpeed, Step, nearest};
use crate::advise::{ErrorAtStep, Integrator, error_at_step, march, over_phases};
use crate::error::{Error, Result};
use crate::impact::{Impact, collide};
use crate::law::{Exit, Law};
use crate::message::Action;
use crate::model::Damping;
use crate::report::{NoteReport, Report};
use crate::robot_file::engine::Mechanics;
use crate::robot_file::impact::restitution_at;
use crate::spec::Case;
use crate::units::{Dimension, format};
use std::f64::consts::PI;

/// Density of balls whose radius is not given (kg/m³).
const DEFAULT_DENSITY: f64 = 2500.0;

/// Data from which the input of an engine is written: the effective law, its impact, and the bodies.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// Requested case.
    pub case: &'a Case,
    /// The engine.
    pub engine: &'static Engine,
    /// Form that the engine applies.
    pub form: &'static Form,
    /// Effective law.
    pub law: Law,
    /// Stiffness K (N/mⁿ).
    pub stiffness: f64,
    /// Stiffness exponent n.
    pub exponent: f64,
    /// Damping coefficient c, in the unit of the form.
    pub damping: f64,
    /// Form of the damper.
    pub damper: Shape,
    /// Impact of the requested law.
    pub asked: Impact,
    /// Impact of the effective law.
    pub impact: Impact,
    /// Effective radius (m): that of the bodies if it is known, otherwise that of a ball of this mass.
    pub radius: f64,
    /// Time step (s).
    pub step: f64,
    /// Error of the restitution at this step relative to the target, if the engine's scheme is known.
    pub at_step: Option<ErrorAtStep>,
    /// Whether the damping was calibrated for this step.
    pub calibrated: bool,
    /// Friction to be written.
    pub friction: Friction,
    /// Impacts with the requested step, if there is one.
    stepped: Option<FixedStepImpacts>,
    /// Restitution to be delivered.
    target: f64,
    wanted: Wanted,
    /// Whether the engine's form is the requested law.
    same: bool,
}

/// Requested time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// The engine's own number of steps per contact.
    Usual,
    /// This number of steps per contact.
    PerContact(f64),
    /// A step (s).
    Seconds(f64),
}

impl Size {
    /// Returns this step in s, for a contact of this duration.
    pub(super) fn seconds(self, engine: &Engine, duration: f64) -> Result<f64> {
        let step = match self {
            Self::Usual => duration / engine.steps,
            Self::PerContact(steps) => duration / steps,
            Self::Seconds(step) => step,
        };
        match step < 0.2 * duration {
            true => Ok(step),
            false => {
                let allowed = format!("less than a fifth of the contact time, {duration:.3e} s");
                let advice = "take a smaller step, or a softer contact";
                Err(Error::invalid("step", step, allowed, advice))
            }
        }
    }
}

/// Impacts in an engine with a fixed step.
#[derive(Clone, Copy, Debug)]
struct FixedStepImpacts {
    engine: &'static Engine,
    form: &'static Form,
    /// Radius of the ball (m).
    radius: f64,
    speed: f64,
    step: f64,
    /// Restitution to be delivered.
    target: f64,
}

impl FixedStepImpacts {
    /// Returns the error of the restitution that a law delivers with this step, relative to the target; `None` if
    /// the engine's scheme is not known.
    fn error(&self, law: &Law) -> Result<Option<ErrorAtStep>> {
        if self.form.step_contact.is_some() {
            let found = over_phases(true, 16, |phase| Ok(self.error_in_engine_steps(law, phase)))?;
            let steps_per_contact = collide(law, self.speed)?.duration / self.step;
            let found = found.map(|found| ErrorAtStep {
                step: self.step,
                steps_per_contact,
                worst: Some(found.worst),
                mean: Some(found.mean),
            });
            return Ok(found);
        }
        let Some(integrator) = self.engine.integrator else { return Ok(None) };
        error_at_step(law, self.speed, integrator, self.step, Some(self.target))
    }

    /// Returns the error of the restitution with the engine's own update formula, and a number that identifies the
    /// branches taken (see [`over_phases`]).
    fn error_in_engine_steps(&self, law: &Law, phase: f64) -> Option<(f64, u64)> {
        let power = law.power()?;
        let linear = Linear {
            stiffness: power.stiffness,
            damping: law.touch(self.speed).damping,
            radius: self.radius,
        };
        let contact = self.form.step_contact?(&linear);
        let mechanics = Mechanics::central(law.mass);
        let (e, decisions) = restitution_at(&contact, &mechanics, self.step, self.speed, phase)?;
        Some((e / self.target - 1.0, decisions))
    }

    /// Returns the mean error over the phases of the touch.
    fn mean_error(&self, law: &Law) -> Result<Option<f64>> {
        match (self.form.step_contact, self.engine.integrator) {
            (Some(_), _) => mean_over_phases(|phase| {
                Ok(self.error_in_engine_steps(law, phase).map(|(error, _)| error))
            }),
            (None, Some(scheme)) => mean_error(law, scheme, self.speed, self.step, self.target),
            (None, None) => Ok(None),
        }
    }

    /// Returns the law whose mean restitution over the phases of the touch, with this step, is the target.
    fn calibrate(&self, make: impl Fn(f64) -> Result<EffectiveLaw>) -> Result<EffectiveLaw> {
        calibrate(self.target, make, |effective| self.mean_error(&effective.law))?
            .ok_or_else(|| unreachable_at_step(self.engine, self.target, self.step))
    }
}

/// Returns the mean of an error over the phases of the touch, evaluated at equally spaced midpoints. [`over_phases`]
/// chooses its phases for a bound, close to the largest error, which is less suitable for a mean.
fn mean_over_phases(error: impl Fn(f64) -> Result<Option<f64>>) -> Result<Option<f64>> {
    const PHASES: i32 = 200;
    let mut sum = 0.0;
    for i in 0..PHASES {
        let Some(error) = error((f64::from(i) + 0.5) / f64::from(PHASES))? else { return Ok(None) };
        sum += error;
    }
    Ok(Some(sum / f64::from(PHASES)))
}

/// Returns the mean error of the restitution over the phases of the touch, with steps of a scheme and relative to a
/// target; `None` for laws that are not integrated with fixed steps here.
pub(super) fn mean_error(
    law: &Law,
    scheme: Integrator,
    speed: f64,
    step: f64,
    target: f64,
) -> Result<Option<f64>> {
    let duration = collide(law, speed)?.duration;
    mean_over_phases(|phase| {
        let e = march(law, speed, scheme, step, phase, duration)?;
        Ok(e.map(|e| e / target - 1.0))
    })
}

/// Returns the result of `make` that delivers a restitution with a step: its restitution with small steps is
/// corrected by the mean error of the step until the error no longer changes. `None` if no such restitution is
/// found.
pub(super) fn calibrate<T>(
    target: f64,
    make: impl Fn(f64) -> Result<T>,
    mean_error: impl Fn(&T) -> Result<Option<f64>>,
) -> Result<Option<T>> {
    let mut with_small_steps = target;
    let mut best: Option<(f64, T)> = None;
    for _ in 0..20 {
        let made = make(with_small_steps)?;
        let Some(mean) = mean_error(&made)? else { break };
        if best.as_ref().is_none_or(|(least, _)| mean.abs() < *least) {
            best = Some((mean.abs(), made));
        }
        with_small_steps /= 1.0 + mean;
        if mean.abs() < 1e-9 || !(with_small_steps > 0.0 && with_small_steps <= 1.0) {
            break;
        }
    }
    // If the force jumps, the mean jumps as well, by a small amount.
    Ok(best.filter(|(mean, _)| *mean < 1e-4).map(|(_, made)| made))
}

/// Returns the error for a restitution that no damping delivers with a step.
pub(super) fn unreachable_at_step(engine: &Engine, target: f64, step: f64) -> Error {
    let step = format(step, "s");
    Error::unreachable(
        target,
        format!("no damping delivers it in {} with a step of {step}", engine.title),
        "take a smaller step, or leave it out for the engine's own",
    )
}

/// Returns the law of a case and its impact, if they can be exported.
pub(super) fn law_and_impact(case: &Case) -> Result<(Law, Impact)> {
    if case.conditions.external_force != 0.0 {
        return Err(Error::unsupported(
            "an external force in an export",
            message![
                "leave out ",
                Action::leave_out("external_force"),
                ", and give the engine its gravity or load in its own terms"
            ],
        ));
    }
    let law = case.law()?;
    let asked = collide(&law, case.speed)?;
    if !(asked.duration.is_finite() && asked.restitution.newton > 0.0) {
        return Err(Error::unsupported(
            "an export of an impact that does not rebound",
            "there is no restitution to deliver; ask for a restitution above 0 or less damping",
        ));
    }
    Ok((law, asked))
}

/// Returns the effective radius of a case (m): that of the bodies if it is known, otherwise that of a ball of this
/// mass, but at least fifty times the largest indentation.
pub(super) fn radius(case: &Case, law: &Law, impact: &Impact) -> f64 {
    case.pair.fact("radius").unwrap_or_else(|| {
        let ball = (0.75 * law.mass / (PI * DEFAULT_DENSITY)).cbrt();
        ball.max(50.0 * impact.indentation_max)
    })
}

impl<'a> Plan<'a> {
    /// Finds the form and calibrates it; if a step is requested, such that the engine delivers the requested
    /// restitution with this step.
    pub fn new(case: &'a Case, engine: &'static Engine, size: Size) -> Result<Self> {
        let (law, asked) = law_and_impact(case)?;
        let delivered = asked.restitution.newton;
        let Some(wanted) = Wanted::of(&law, case.speed) else {
            return Err(nearest::unsupported_law_error(case, engine, delivered));
        };
        let Some(form) = wanted.nearest(engine.forms) else {
            return Err(nearest::unsupported_law_error(case, engine, delivered));
        };
        let same = wanted.is_expressed_by(form);
        let exit = match form.exits.contains(&wanted.exit) {
            true => wanted.exit,
            false => wanted.exit.other(),
        };
        // If the engine applies the requested law, the target is the restitution that this law delivers.
        let target = match (same, case.damping) {
            (_, Damping::Exact(e)) => e,
            (true, _) => delivered,
            (false, damping) => damping.restitution().unwrap_or(delivered),
        };
        let make = |with_small_steps: f64| match same && with_small_steps == target {
            true => Ok(EffectiveLaw::with_fixed_coefficient(&wanted, &law, exit)),
            false => EffectiveLaw::calibrate(&wanted, form, exit, with_small_steps, &law, &asked),
        };
        let usual = make(target)?;
        let first = collide(&usual.law, case.speed)?;
        let (duration, radius) = (first.duration, radius(case, &law, &first));
        let step = size.seconds(engine, duration)?;
        let fixed = FixedStepImpacts { engine, form, radius, speed: case.speed, step, target };
        let stepped = engine.integrator.is_some() || form.step_contact.is_some();
        let (effective, calibrated) = match (size, stepped, case.damping) {
            // A law that the engine expresses is calibrated for the step only if its calibration is exact: a
            // published formula or a given coefficient remains unchanged.
            (Size::PerContact(_) | Size::Seconds(_), true, damping)
                if wanted.c > 0.0 && (!same || matches!(damping, Damping::Exact(_))) =>
            {
                (fixed.calibrate(make)?, true)
            }
            _ => (usual, false),
        };
        let mut at_step = fixed.error(&effective.law)?;
        if let (true, Some(at)) = (calibrated, &mut at_step) {
            at.mean = fixed.mean_error(&effective.law)?;
        }
        let impact = collide(&effective.law, case.speed)?;
        Ok(Self {
            case,
            engine,
            form,
            law: effective.law,
            stiffness: effective.stiffness,
            exponent: effective.n,
            damping: effective.c,
            damper: effective.damper,
            step,
            at_step,
            calibrated,
            friction: Friction::default(),
            stepped: Some(fixed).filter(|_| stepped && size != Size::Usual),
            target,
            asked,
            impact,
            radius,
            wanted,
            same,
        })
    }

    /// Returns the values that most templates need. If an engine needs a different value for one of them, it is
    /// placed before these.
    pub(super) fn values(&self) -> Vec<(&'static str, String)> {
        let (mass, radius, end) = (self.law.mass, self.radius, 1.2 * self.impact.duration);
        vec![
            ("mass", number(mass)),
            ("radius", number(radius)),
            ("inertia", number(0.4 * mass * radius * radius)),
            ("speed", number(self.case.speed)),
            ("minus_speed", number(-self.case.speed)),
            ("stiffness", number(self.stiffness)),
            ("exponent", number(self.exponent)),
            ("damping", number(self.damping)),
            ("friction", number(self.friction.sliding)),
            ("step", number(self.step)),
            ("end", number(end)),
            ("steps", count(end / self.step)),
        ]
    }

    /// Returns the damping exponent of the effective law; 0 if its damper is not a power.
    pub(super) fn m(&self) -> f64 {
        match self.damper {
            Shape::Power { m, .. } => m,
            Shape::Step { .. } => 0.0,
        }
    }

    /// Returns whether the engine limits the force to repulsion.
    pub(super) fn clamps_force(&self) -> bool {
        self.law.exit == Exit::ZeroForce
    }

    /// Returns the dimensionless damping ε = c·L^(m+1)·v₀^(q−2)/mₑ of the effective law.
    pub(super) fn epsilon(&self) -> f64 {
        self.law.power().map_or(0.0, |power| power.epsilon(self.law.mass, self.case.speed))
    }

    /// Returns c/√(mₑK), which is a dimensionless measure of the damping for m = (n−1)/2.
    pub(super) fn ratio(&self) -> f64 {
        self.damping / (self.law.mass * self.stiffness).sqrt()
    }

    /// Returns E* of the point contact K = (4/3)·E*·√R.
    pub(super) fn modulus(&self) -> f64 {
        0.75 * self.stiffness / self.radius.sqrt()
    }

    /// Returns Young's modulus of two equal bodies with this Poisson's ratio and the effective modulus
    /// [`Plan::modulus`].
    pub(super) fn youngs(&self, poisson: f64) -> f64 {
        2.0 * (1.0 - poisson * poisson) * self.modulus()
    }

    /// Returns Poisson's ratio of the two equal bodies that are written.
    pub(super) fn poisson(&self) -> f64 {
        poisson(&self.case.pair)
    }

    /// Returns the ratio of tangential to normal stiffness of a contact that does not slide.
    pub(super) fn tangential_ratio(&self) -> f64 {
        tangential_ratio(self.poisson())
    }

    /// Returns the tangential stiffness of the contact at its largest indentation (N/m).
    pub(super) fn tangential_stiffness(&self) -> f64 {
        let memory = self.law.touch(self.case.speed);
        let normal = self.law.tangent(self.impact.indentation_max, 0.0, &memory).stiffness;
        self.tangential_ratio() * normal
    }

    /// Returns the effective law in the form of the export.
    pub(super) fn expresses(&self) -> AppliedLaw {
        let (m, q, depth) = match self.damper {
            Shape::Power { m, q, .. } => (Some(m), Some(q), None),
            Shape::Step { depth } => (None, None, Some(depth)),
        };
        AppliedLaw {
            form: self.form.name,
            equation: self.equation(),
            matches: match (self.same, self.exponent == self.wanted.n) {
                (true, _) => Match::Exact,
                (false, true) => Match::Damping,
                (false, false) => Match::Spring,
            },
            mass: self.law.mass,
            stiffness: Some(self.stiffness),
            exponent: Some(self.exponent),
            damping: Some(self.damping),
            damping_exponent: m,
            rate_exponent: q,
            full_damping_depth: depth,
            exit: Some(self.law.exit),
        }
    }

    fn equation(&self) -> String {
        let unit = Dimension::stiffness_unit(self.exponent);
        let spring = match self.exponent == 1.0 {
            true => "K*delta".to_string(),
            false => format!("K*delta^{}", self.exponent),
        };
        let stiffness = format(self.stiffness, &unit);
        if self.damping == 0.0 {
            return format!("{spring}, K = {stiffness}");
        }
        let unit = match self.damper {
            Shape::Power { m, q, .. } => Dimension::damping_unit(m, q),
            Shape::Step { .. } => "N*s/m".to_string(),
        };
        let damping = format(self.damping, &unit);
        format!("{spring} + {}, K = {stiffness}, c = {damping}", ascii_formula(self.damper))
    }

    /// Returns the time step and the error of the restitution with it.
    pub(super) fn stepped(&self) -> Step {
        let per_contact = self.impact.duration / self.step;
        // The measured error is valid for the engine's own step and shorter ones.
        let measured = self.engine.tolerance.filter(|_| per_contact > 0.999 * self.engine.steps);
        Step {
            size: self.step,
            per_contact,
            restitution_error: self.at_step.map_or(measured, |at| at.worst),
            restitution: self.at_step.and_then(|at| Some(self.target * (1.0 + at.mean?))),
            calibrated: self.calibrated,
        }
    }

    /// Returns the results of the effective law: with the step for which its damping was calibrated, or with small
    /// steps.
    pub(super) fn delivers(&self) -> DeliveredImpact {
        let at_step = self.stepped().restitution.filter(|_| self.calibrated);
        DeliveredImpact {
            requested: self.case.damping.restitution(),
            restitution: at_step.unwrap_or(self.impact.restitution.newton),
            duration: Some(self.impact.duration),
            force_max: Some(self.impact.force_max),
            indentation_max: Some(self.impact.indentation_max),
        }
    }

    /// Returns the restitutions at these speeds: that of the requested law and that of the engine.
    pub(super) fn at_speeds(&self, speeds: &[f64]) -> Result<Vec<RestitutionAtSpeed>> {
        let law = self.case.law()?;
        let at = |&speed: &f64| {
            let asked = collide(&law, speed)?.restitution.newton;
            let applied = match (self.form.per_touch, self.same) {
                (true, true) => &law,
                // The engine computes the damping at every touch, from the same dimensionless number.
                (true, false) => {
                    let delivered = self.delivers().restitution;
                    return Ok(RestitutionAtSpeed { speed, asked, delivered });
                }
                (false, _) => &self.law,
            };
            let delivered = collide(applied, speed)?.restitution.newton;
            let at_step =
                self.stepped.map(|fixed| FixedStepImpacts { speed, target: delivered, ..fixed });
            let error = at_step.map_or(Ok(None), |fixed| fixed.mean_error(applied))?;
            Ok(RestitutionAtSpeed {
                speed,
                asked,
                delivered: delivered * (1.0 + error.unwrap_or(0.0)),
            })
        };
        speeds.iter().map(at).collect()
    }

    /// Returns sentences on what the engine cannot express.
    pub(super) fn lost(&self) -> Vec<String> {
        let mut lost = Vec::new();
        let wanted = &self.wanted;
        let forces = format!(
            "the peak force is {} instead of {}",
            format(self.impact.force_max, "N"),
            format(self.asked.force_max, "N")
        );
        if self.exponent != wanted.n {
            lost.push(format!(
                "the exponent {} of the spring becomes {}; K was chosen so that contact lasts as long; {forces}",
                wanted.n, self.exponent,
            ));
        }
        if wanted.c > 0.0 && self.damper != wanted.damper {
            // The forces have been stated in a previous sentence.
            let forces = match lost.is_empty() {
                true => format!("; {forces}"),
                false => String::new(),
            };
            lost.push(format!(
                "the damper {} becomes {}; c was chosen so that the restitution is {:.6}{forces}",
                ascii_formula(wanted.damper),
                ascii_formula(self.damper),
                self.delivers().restitution,
            ));
        }
        if !self.same && wanted.c > 0.0 && self.law.exit != wanted.exit {
            lost.push(format!(
                "contact ends at zero {} instead of zero {}; c was chosen for that",
                self.law.exit.name(),
                wanted.exit.name()
            ));
        }
        lost.extend(self.at_other_speeds());
        lost
    }

    /// Returns a sentence on deviations at other speeds, if only one of the two laws has the same restitution at
    /// every speed.
    fn at_other_speeds(&self) -> Option<String> {
        let speed_independent = self.form.per_touch || velocity_free(self.exponent, self.damper);
        if self.wanted.c == 0.0 || speed_independent == self.wanted.speed_independent() {
            return None;
        }
        if speed_independent {
            return Some(
                "a damping that is the same at every speed: the engine delivers this restitution at every speed"
                    .to_string(),
            );
        }
        let at = |speed: f64| {
            collide(&self.law, speed).map_or("none".to_string(), |impact| {
                format!("{:.4} at {}", impact.restitution.newton, format(speed, "m/s"))
            })
        };
        let (half, twice) = (at(0.5 * self.case.speed), at(2.0 * self.case.speed));
        Some(format!(
            "a restitution that is the same at every speed: c is fixed for {}, and delivers {half} and {twice}",
            format(self.case.speed, "m/s")
        ))
    }

    /// Returns notes on the requested and on the effective law.
    pub(super) fn notes(&self) -> Vec<NoteReport> {
        let Ok(law) = self.case.law() else { return Vec::new() };
        let mut notes = Report::new(self.case, &law, self.asked.clone()).notes;
        // Notes that concern only the requested law are left out: the error of its published formula if the damping
        // was calibrated again, and a tensile force that the effective law does not have.
        let tensile =
            self.impact.notes.iter().map(NoteReport::from).any(|n| n.kind == "tensile_force");
        notes.retain(|note| match note.kind {
            "restitution_missed" | "other_exit" => self.same,
            "tensile_force" => tensile,
            _ => true,
        });
        notes
    }
}
