//! Computes the properties of a law for one problem: the restitutions that it delivers, the continuity of its force,
//! and what it must remember.

use super::Problem;
use super::report::{Delivered, Published};
use crate::error::Result;
use crate::exact::Exponents;
use crate::impact::{Impact, collide};
use crate::law::{Damper, Exit, Form, Law, Memory, Power};
use crate::model::{Damping, Input, Model};

/// A law that can be used, with its computed properties.
#[derive(Clone, Debug)]
pub struct ExaminedLaw {
    pub model: &'static Model,
    pub law: Law,
    /// Specification of its damping.
    pub damping: Damping,
    /// Parameters with which the law was created.
    pub set: Vec<(String, f64)>,
    /// Impact at the reference speed, followed by that at the highest speed.
    pub reference: Impact,
    pub fastest: Impact,
    pub delivered: Vec<Delivered>,
    pub published: Option<Published>,
    /// Restitution at the reference speed from the constants of the material alone, without calibration.
    pub by_material: Option<f64>,
    pub properties: ForceProperties,
}

/// Continuity of the force at the reference speed, and its dependence on anything other than indentation and rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceProperties {
    /// |F| at onset divided by the largest force.
    pub touch_force: f64,
    /// Jump of the force at the turn divided by the largest force.
    pub turn_force: f64,
    /// ∂F/∂δ for δ → 0, divided by F_max/δ_max.
    pub touch_stiffness: f64,
    /// Jump or growth of the tangents at the turn, divided by F_max/δ_max and F_max/v.
    pub turn_tangent: f64,
    /// Whether the force depends on the largest indentation so far.
    pub remembers_peak: bool,
    /// Whether the force depends on an internal state or on the time since onset.
    pub has_state: bool,
}

/// Fraction of the largest force up to which a jump of the force is regarded as continuous.
const NEGLIGIBLE_FORCE_JUMP: f64 = 0.01;
/// Fraction of F_max/δ_max or F_max/v up to which a jump of the tangents is regarded as continuous.
const NEGLIGIBLE_TANGENT_JUMP: f64 = 0.05;

/// Smoothness of a force, beginning with the smoothest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothness {
    /// Force and tangents are continuous.
    Smooth,
    /// The force is continuous, a tangent is not.
    Continuous,
    /// The force jumps.
    Jumps,
}

impl Smoothness {
    /// Returns the name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smooth => "smooth",
            Self::Continuous => "continuous",
            Self::Jumps => "jumps",
        }
    }
}

impl ForceProperties {
    /// Returns the smoothness of the force at onset and at the turn.
    pub fn smoothness(&self) -> Smoothness {
        if self.touch_force.max(self.turn_force) > NEGLIGIBLE_FORCE_JUMP {
            Smoothness::Jumps
        } else if self.touch_stiffness.max(self.turn_tangent) > NEGLIGIBLE_TANGENT_JUMP {
            Smoothness::Continuous
        } else {
            Smoothness::Smooth
        }
    }
}

/// Computes the undamped impact under K·δⁿ at the highest speed.
pub fn elastic_impact(problem: &Problem) -> Result<Impact> {
    let pair = &problem.pair;
    let form = Power::elastic(pair.stiffness, pair.exponent);
    collide(&Law::new(pair.mass, Exit::ZeroForce, form), problem.speeds.1)
}

/// Returns those of the given parameters that this model has.
fn accepted_parameters(model: &Model, problem: &Problem) -> Vec<(String, f64)> {
    let takes = |name: &str| model.parameters.iter().any(|p| p.name == name);
    problem.set.iter().filter(|(name, _)| takes(name)).cloned().collect()
}

/// Number of speeds at which every law is judged.
const SPEEDS_JUDGED: i32 = 7;
/// Number of speeds at which a recommended law is shown.
pub const SPEEDS_SHOWN: i32 = 25;

/// Creates a law for the problem and computes its properties; the error says why the law cannot be used.
pub fn examine(model: &'static Model, problem: &Problem) -> Result<ExaminedLaw> {
    let speed = problem.reference_speed();
    let set = accepted_parameters(model, problem);
    let build = |damping| model.law(&problem.pair, damping, Some(problem.exit), &set);
    let tried = |damping| {
        let law = build(damping)?;
        let impact = collide(&law, speed)?;
        Ok((law, damping, impact))
    };
    let by_constants = tried(Damping::None);
    let (law, damping, reference) = match (model.input, problem.restitution()) {
        (Input::Elastic, _) | (_, None) => by_constants.clone()?,
        // Some of these laws cannot be calibrated: their constants determine the dissipation.
        (Input::Material, Some(e)) => tried(Damping::Exact(e)).or(by_constants.clone())?,
        (_, Some(e)) => tried(Damping::Exact(e))?,
    };
    let by_material = match (model.input, by_constants) {
        (Input::Material, Ok((_, _, impact))) => Some(impact.restitution.newton),
        _ => None,
    };
    let published = problem.restitution().filter(|_| model.input == Input::Restitution);
    let published = published.and_then(|e| {
        let (_, _, impact) = tried(Damping::Restitution(e)).ok()?;
        let restitution = impact.restitution.newton;
        Some(Published { restitution, error: restitution / e - 1.0 })
    });
    let fastest = collide(&law, problem.speeds.1)?;
    let properties = force_properties(&law, &reference, speed);
    let mut found = ExaminedLaw {
        model,
        law,
        damping,
        set,
        reference,
        fastest,
        delivered: Vec::new(),
        published,
        by_material,
        properties,
    };
    found.delivered = found.delivered_restitutions(problem, SPEEDS_JUDGED);
    Ok(found)
}

/// Returns the law with the damping coefficient that it has at the reference speed, used at all speeds; `None` if the
/// model cannot be given that coefficient.
fn with_constant_coefficient(
    model: &Model,
    problem: &Problem,
    law: &Law,
    set: &[(String, f64)],
) -> Option<Law> {
    let speed = problem.reference_speed();
    if let Form::Power(power) = law.form {
        let damper = Damper::Coefficient(power.coefficient(law.mass, speed));
        return Some(Law { form: Form::Power(Power { damper, ..power }), ..*law });
    }
    let damping = law.touch(speed).damping;
    // Nothing is calibrated at onset: the coefficients of the law are already constant.
    if damping == 0.0 {
        return Some(*law);
    }
    let coefficient = Damping::Coefficient(damping);
    let constant = model.law(&problem.pair, coefficient, Some(problem.exit), set).ok()?;
    // Some models have a coefficient in another unit than that of `Memory::damping`; the result would then be a
    // different law.
    let same = (constant.touch(speed).damping / damping - 1.0).abs() < 1e-9;
    same.then_some(constant)
}

/// Computes the continuity of force and tangents at onset and at the turn.
fn force_properties(law: &Law, impact: &Impact, speed: f64) -> ForceProperties {
    let (depth, peak) = (impact.indentation_max, impact.force_max);
    let memory = law.touch(speed);
    let turned = Memory { peak: depth, ..memory };
    let force = |delta: f64, rate: f64, memory: &Memory| law.force(delta, rate, memory) / peak;
    // At 1e-18 of the largest indentation even δ^(1/9), the tangent of a line contact (F ∝ δ^(10/9)), has decreased
    // to 1 %.
    let near = law.tangent(1e-18 * depth, speed, &memory);
    let slow = |rate: f64| law.tangent(depth, rate * speed, &turned);
    let stiffness = |delta: f64, rate: f64| {
        law.tangent(delta * depth, rate * speed, &turned).stiffness * depth / peak
    };
    // Tangent with respect to the rate on both sides of the turn, and whether it grows towards the turn (q < 1).
    let rates = [slow(1e-6), slow(1e-9), slow(-1e-9)].map(|t| t.damping * speed / peak);
    let turn_rate = (rates[1] - rates[2]).abs().max((rates[1] - 1.5 * rates[0]).max(0.0));
    let bend = stiffness(1.0 + 1e-9, 1e-9) - stiffness(1.0 - 1e-9, -1e-9);
    let finite = |value: f64| if value.is_finite() { value.abs() } else { f64::MAX };
    let half = |peak: f64| force(0.5 * depth, -0.4 * speed, &Memory { peak, ..memory });
    ForceProperties {
        touch_force: finite(force(0.0, speed, &memory)),
        turn_force: finite(
            force(depth, 1e-9 * speed, &memory) - force(depth, -1e-9 * speed, &turned),
        ),
        touch_stiffness: finite(near.stiffness * depth / peak),
        turn_tangent: finite(turn_rate.max(bend.abs())),
        remembers_peak: (half(depth) - half(0.5 * depth)).abs() > 1e-9,
        has_state: law.has_state_or_clock(),
    }
}

impl ExaminedLaw {
    /// Computes the restitution at `points` speeds over the range.
    pub fn delivered_restitutions(&self, problem: &Problem, points: i32) -> Vec<Delivered> {
        let constant_law = with_constant_coefficient(self.model, problem, &self.law, &self.set);
        let at = |law: &Law, speed| Some(collide(law, speed).ok()?.restitution.newton);
        let varies = problem.wanted.as_ref().is_some_and(|wanted| wanted.range().is_some());
        let per_impact = |speed| match (self.model.input, self.damping, &problem.wanted) {
            // A calibrated constant of the material is not determined anew for each impact.
            (Input::Material, Damping::Exact(_), _) => None,
            (_, Damping::Exact(_), Some(wanted)) if varies => {
                let damping = Damping::Exact(wanted.at(speed));
                let exit = Some(problem.exit);
                at(&self.model.law(&problem.pair, damping, exit, &self.set).ok()?, speed)
            }
            _ => at(&self.law, speed),
        };
        let deliver = |speed| Delivered {
            speed,
            wanted: problem.wanted.as_ref().map(|wanted| wanted.at(speed)),
            per_impact: per_impact(speed),
            constant: constant_law.as_ref().and_then(|law| at(law, speed)),
        };
        problem.sampled_speeds(points).into_iter().map(deliver).collect()
    }

    /// Returns the largest relative error of the delivered restitution, per impact or with a constant coefficient.
    pub fn delivered_error(&self, constant: bool) -> Option<f64> {
        let mut worst = 0f64;
        for at in &self.delivered {
            let delivered = if constant { at.constant? } else { at.per_impact? };
            worst = worst.max((delivered / at.wanted? - 1.0).abs());
        }
        Some(worst)
    }

    /// Computes q − 2(n−m)/(n+1) of a damped power law.
    pub fn speed_power(&self) -> Option<f64> {
        let power = self.law.power()?;
        let exponents = Exponents::of(power).ok()?;
        let p = if exponents.is_velocity_free() { 0.0 } else { exponents.speed_power() };
        (power.epsilon(self.law.mass, self.reference.speed) > 0.0).then_some(p)
    }
}
