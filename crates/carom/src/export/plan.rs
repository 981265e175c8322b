//! From the law that was asked for to the law that an engine applies.
//!
//! The nearest form of the engine is chosen (`wanted.rs`) and calibrated (`effective.rs`). This file reports the result: the
//! effective law, what is lost, what is delivered.

use super::effective::Effective;
use super::engine::{Engine, Form, Linear};
use super::friction::{Friction, poisson, tangential_ratio};
use super::text::{count, number};
use super::wanted::{Shape, Wanted, phrase, velocity_free};
use super::{AtSpeed, Delivers, Expresses, Match, Step, nearest};
use crate::advise::{AtStep, Integrator, error_at_step, march, over_phases};
use crate::error::{Error, Result};
use crate::impact::{Impact, collide};
use crate::law::{Exit, Law};
use crate::message::Action;
use crate::model::Damping;
use crate::report::{NoteReport, Report};
use crate::robot_file::engine::Meeting;
use crate::robot_file::impact::restitution_at;
use crate::spec::Case;
use crate::units::{Dimension, format};
use std::f64::consts::PI;

/// Density of balls whose radius is not given (kg/m³).
const DEFAULT_DENSITY: f64 = 2500.0;

/// What an engine is to write: the effective law, the impact it makes, and the bodies.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The case that was asked for.
    pub case: &'a Case,
    /// The engine.
    pub engine: &'static Engine,
    /// The form it applies.
    pub form: &'static Form,
    /// The effective law.
    pub law: Law,
    /// K (N/mⁿ).
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
    /// c, in the unit of the form.
    pub damping: f64,
    /// The form of its damper.
    pub damper: Shape,
    /// The impact of the law that was asked for.
    pub asked: Impact,
    /// The impact of the effective law.
    pub impact: Impact,
    /// Effective radius (m): of the bodies where it is known, else of a ball of this mass.
    pub radius: f64,
    /// Time step (s).
    pub step: f64,
    /// The error of the restitution at this step against what is to be delivered, where the engine's scheme is known.
    pub at_step: Option<AtStep>,
    /// Whether the damping was chosen for this step.
    pub calibrated: bool,
    /// Friction to write.
    pub friction: Friction,
    /// Impacts with the step that was asked for, if one was.
    stepped: Option<FixedStep>,
    /// What is to be delivered.
    target: f64,
    wanted: Wanted,
    /// Whether the engine's form is the law that was asked for.
    same: bool,
}

/// The time step that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// The engine's own number of steps in a contact.
    Usual,
    /// This number of steps in a contact.
    PerContact(f64),
    /// A step (s).
    Seconds(f64),
}

impl Size {
    /// This step in s, for a contact of this duration.
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
struct FixedStep {
    engine: &'static Engine,
    form: &'static Form,
    /// Of the ball (m).
    radius: f64,
    speed: f64,
    step: f64,
    /// The restitution to be delivered.
    target: f64,
}

impl FixedStep {
    /// The error of the restitution that a law delivers with this step, against the target; nothing where the engine's scheme is
    /// not known.
    fn error(&self, law: &Law) -> Result<Option<AtStep>> {
        if self.form.one_step.is_some() {
            let found = over_phases(true, 16, |phase| Ok(self.in_own_steps(law, phase)))?;
            let steps_per_contact = collide(law, self.speed)?.duration / self.step;
            let found = found.map(|found| AtStep {
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

    /// The error of the restitution in the engine's own steps, and a number that stands for the branches taken
    /// (see [`over_phases`]).
    fn in_own_steps(&self, law: &Law, phase: f64) -> Option<(f64, u64)> {
        let power = law.power()?;
        let linear = Linear {
            stiffness: power.stiffness,
            damping: law.touch(self.speed).damping,
            radius: self.radius,
        };
        let contact = self.form.one_step?(&linear);
        let meeting = Meeting::central(law.mass);
        let (e, decisions) = restitution_at(&contact, &meeting, self.step, self.speed, phase)?;
        Some((e / self.target - 1.0, decisions))
    }

    /// The mean error over the phases of the touch.
    fn mean_error(&self, law: &Law) -> Result<Option<f64>> {
        match (self.form.one_step, self.engine.integrator) {
            (Some(_), _) => {
                mean_over_phases(|phase| Ok(self.in_own_steps(law, phase).map(|(error, _)| error)))
            }
            (None, Some(scheme)) => mean_error(law, scheme, self.speed, self.step, self.target),
            (None, None) => Ok(None),
        }
    }

    /// The law whose mean over the phases of the touch, with this step, is the target.
    fn calibrated(&self, make: impl Fn(f64) -> Result<Effective>) -> Result<Effective> {
        calibrated(self.target, make, |effective| self.mean_error(&effective.law))?
            .ok_or_else(|| undeliverable(self.engine, self.target, self.step))
    }
}

/// The mean of an error over the phases of the touch, at their midpoints: the bound of [`over_phases`] chooses its phases by where
/// the error is largest, which serves a mean less well.
fn mean_over_phases(error: impl Fn(f64) -> Result<Option<f64>>) -> Result<Option<f64>> {
    const PHASES: i32 = 200;
    let mut sum = 0.0;
    for i in 0..PHASES {
        let Some(error) = error((f64::from(i) + 0.5) / f64::from(PHASES))? else { return Ok(None) };
        sum += error;
    }
    Ok(Some(sum / f64::from(PHASES)))
}

/// The mean error of the restitution over the phases of the touch, with steps of a scheme and against a target; none for laws
/// that are not stepped here.
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

/// What delivers a restitution with a step: its restitution with small steps is corrected by what the step adds in the mean, until
/// that no longer changes. Nothing where it cannot be found.
pub(super) fn calibrated<T>(
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
    // Where the force jumps, so does the mean, by little.
    Ok(best.filter(|(mean, _)| *mean < 1e-4).map(|(_, made)| made))
}

/// The error for a restitution that no damping delivers with a step.
pub(super) fn undeliverable(engine: &Engine, target: f64, step: f64) -> Error {
    let step = format(step, "s");
    Error::unreachable(
        target,
        format!("no damping delivers it in {} with a step of {step}", engine.title),
        "take a smaller step, or leave it out for the engine's own",
    )
}

/// The law of a case and its impact, where an engine can be asked for it.
pub(super) fn rebounding(case: &Case) -> Result<(Law, Impact)> {
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

/// The effective radius of a case (m): of the bodies where it is known, else of a ball of this mass, much larger than its
/// largest indentation.
pub(super) fn radius(case: &Case, law: &Law, impact: &Impact) -> f64 {
    case.pair.fact("radius").unwrap_or_else(|| {
        let ball = (0.75 * law.mass / (PI * DEFAULT_DENSITY)).cbrt();
        ball.max(50.0 * impact.indentation_max)
    })
}

impl<'a> Plan<'a> {
    /// Finds the form and calibrates it; for a step that was asked for, so that the engine delivers what was asked for with
    /// it.
    pub fn new(case: &'a Case, engine: &'static Engine, size: Size) -> Result<Self> {
        let (law, asked) = rebounding(case)?;
        let delivered = asked.restitution.newton;
        let Some(wanted) = Wanted::of(&law, case.speed) else {
            return Err(nearest::refusal(case, engine, delivered));
        };
        let Some(form) = wanted.nearest(engine.forms) else {
            return Err(nearest::refusal(case, engine, delivered));
        };
        let same = wanted.is_expressed_by(form);
        let exit = match form.exits.contains(&wanted.exit) {
            true => wanted.exit,
            false => wanted.exit.other(),
        };
        // A law that the engine has keeps what it delivers.
        let target = match (same, case.damping) {
            (_, Damping::Exact(e)) => e,
            (true, _) => delivered,
            (false, damping) => damping.restitution().unwrap_or(delivered),
        };
        let make = |with_small_steps: f64| match same && with_small_steps == target {
            true => Ok(Effective::same(&wanted, &law, exit)),
            false => Effective::calibrated(&wanted, form, exit, with_small_steps, &law, &asked),
        };
        let usual = make(target)?;
        let first = collide(&usual.law, case.speed)?;
        let (duration, radius) = (first.duration, radius(case, &law, &first));
        let step = size.seconds(engine, duration)?;
        let fixed = FixedStep { engine, form, radius, speed: case.speed, step, target };
        let stepped = engine.integrator.is_some() || form.one_step.is_some();
        let (effective, calibrated) = match (size, stepped, case.damping) {
            // A law that the engine expresses is calibrated for the step only if its calibration is exact: a published formula
            // and a given coefficient are kept.
            (Size::PerContact(_) | Size::Seconds(_), true, damping)
                if wanted.c > 0.0 && (!same || matches!(damping, Damping::Exact(_))) =>
            {
                (fixed.calibrated(make)?, true)
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

    /// The values that most templates need. An engine that writes one of them otherwise puts its own before these.
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

    /// m of the effective law; 0 where its damper is no power.
    pub(super) fn m(&self) -> f64 {
        match self.damper {
            Shape::Power { m, .. } => m,
            Shape::Step { .. } => 0.0,
        }
    }

    /// True where the engine cuts the force at zero.
    pub(super) fn cut(&self) -> bool {
        self.law.exit == Exit::ZeroForce
    }

    /// Dimensionless damping c·L^(m+1)·v₀^(q−2)/mₑ of the effective law.
    pub(super) fn epsilon(&self) -> f64 {
        self.law.power().map_or(0.0, |power| power.epsilon(self.law.mass, self.case.speed))
    }

    /// c/√(mₑK), the damping as a pure number on the line m = (n−1)/2, where it needs no length.
    pub(super) fn ratio(&self) -> f64 {
        self.damping / (self.law.mass * self.stiffness).sqrt()
    }

    /// E* of the point contact K = (4/3)·E*·√R.
    pub(super) fn modulus(&self) -> f64 {
        0.75 * self.stiffness / self.radius.sqrt()
    }

    /// Young's modulus of two equal bodies with this Poisson's ratio and [`Plan::modulus`].
    pub(super) fn youngs(&self, poisson: f64) -> f64 {
        2.0 * (1.0 - poisson * poisson) * self.modulus()
    }

    /// Poisson's ratio of the two equal bodies that are written.
    pub(super) fn poisson(&self) -> f64 {
        poisson(&self.case.pair)
    }

    /// Tangential over normal stiffness of a contact that does not slide.
    pub(super) fn tangential_ratio(&self) -> f64 {
        tangential_ratio(self.poisson())
    }

    /// Stiffness of the contact at its largest indentation (N/m), along the surface.
    pub(super) fn tangential_stiffness(&self) -> f64 {
        let memory = self.law.touch(self.case.speed);
        let normal = self.law.tangent(self.impact.indentation_max, 0.0, &memory).stiffness;
        self.tangential_ratio() * normal
    }

    /// The effective law as the export reports it.
    pub(super) fn expresses(&self) -> Expresses {
        let (m, q, depth) = match self.damper {
            Shape::Power { m, q, .. } => (Some(m), Some(q), None),
            Shape::Step { depth } => (None, None, Some(depth)),
        };
        Expresses {
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
        format!("{spring} + {}, K = {stiffness}, c = {damping}", phrase(self.damper))
    }

    /// The time step and the error of the restitution at it.
    pub(super) fn stepped(&self) -> Step {
        let per_contact = self.impact.duration / self.step;
        // The measured error holds at the engine's own step and below.
        let measured = self.engine.tolerance.filter(|_| per_contact > 0.999 * self.engine.steps);
        Step {
            size: self.step,
            per_contact,
            restitution_error: self.at_step.map_or(measured, |at| at.worst),
            restitution: self.at_step.and_then(|at| Some(self.target * (1.0 + at.mean?))),
            calibrated: self.calibrated,
        }
    }

    /// What the effective law delivers: with the step for which its damping was chosen, or with small ones.
    pub(super) fn delivers(&self) -> Delivers {
        let at_step = self.stepped().restitution.filter(|_| self.calibrated);
        Delivers {
            requested: self.case.damping.restitution(),
            restitution: at_step.unwrap_or(self.impact.restitution.newton),
            duration: Some(self.impact.duration),
            force_max: Some(self.impact.force_max),
            indentation_max: Some(self.impact.indentation_max),
        }
    }

    /// The restitution at these speeds: of the law that was asked for, and of the engine.
    pub(super) fn at_speeds(&self, speeds: &[f64]) -> Result<Vec<AtSpeed>> {
        let law = self.case.law()?;
        let at = |&speed: &f64| {
            let asked = collide(&law, speed)?.restitution.newton;
            let applied = match (self.form.per_touch, self.same) {
                (true, true) => &law,
                // The engine chooses the damping afresh at every touch, by the same ratio.
                (true, false) => {
                    let delivered = self.delivers().restitution;
                    return Ok(AtSpeed { speed, asked, delivered });
                }
                (false, _) => &self.law,
            };
            let delivered = collide(applied, speed)?.restitution.newton;
            let at_step = self.stepped.map(|fixed| FixedStep { speed, target: delivered, ..fixed });
            let error = at_step.map_or(Ok(None), |fixed| fixed.mean_error(applied))?;
            Ok(AtSpeed { speed, asked, delivered: delivered * (1.0 + error.unwrap_or(0.0)) })
        };
        speeds.iter().map(at).collect()
    }

    /// What the engine cannot express.
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
            // Reported above already.
            let forces = match lost.is_empty() {
                true => format!("; {forces}"),
                false => String::new(),
            };
            lost.push(format!(
                "the damper {} becomes {}; c was chosen so that the restitution is {:.6}{forces}",
                phrase(wanted.damper),
                phrase(self.damper),
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

    /// What is lost at other speeds, where only one of the two laws keeps its restitution at every speed.
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

    /// What is worth knowing about the law and about the effective one.
    pub(super) fn notes(&self) -> Vec<NoteReport> {
        let Ok(law) = self.case.law() else { return Vec::new() };
        let mut notes = Report::new(self.case, &law, self.asked.clone()).notes;
        // Leave out what concerns only the law that was asked for: the error of its published formula where the damping was
        // calibrated again, and a tensile force that the effective law does not have.
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
