//! The linear-equivalent damper: an exact restitution for any spring.
//!
//! Any model can be combined with this damper instead of its own: by the name `hertz-1881+linear-equivalent`, or by
//! the model and [`Spec::damper`](crate::spec::Spec::damper). For a spring F(δ) ≥ 0 with the energy U(δ) = ∫₀^δ F the
//! law is
//!
//! F·(1 + 2ζ·√m·δ̇/√(2U)).
//!
//! With w = √(2U/m) and dτ = F/(m·w)·dt the equation of motion m·δ̈ = −F·(1 + 2ζ·δ̇/w) becomes
//!
//! w′ = δ̇,  δ̇′ = −2ζ·δ̇ − w,
//!
//! a linear oscillator with the damping ratio ζ that starts at w = 0 with δ̇ = v₀. Zero indentation is w = 0, and
//! zero force is w = −2ζ·δ̇. The restitution is therefore that of the linear oscillator, for both exits of contact,
//! independent of the spring and the speed, and ζ follows from it in closed form ([`damping_ratio`]). No memory is
//! needed. For K·δⁿ the damper is c·δ^((n−1)/2)·δ̇ with c = 2ζ·√(m·K·(n+1)/2), which is that of Tsuji, Tanaka &
//! Ishida for n = 3/2 and of Kelvin and Voigt for n = 1.
//!
//! # Where it does not hold
//!
//! - Adhesive springs (F < 0 somewhere). If the energy is counted from the equilibrium F(δ₀) = 0, the motion is a
//!   linear oscillator again, with w = ±√(2U/m) and the sign of δ − δ₀. But contact then begins at
//!   w₀ = −√(2U(0)/m) < 0 and ends at the pull-off, so the restitution depends on w₀/v₀ and thus on the speed, and
//!   below some speed the bodies stick together. No ζ delivers one restitution at all speeds, so the damper is
//!   refused; an adhesive law is calibrated at one speed.
//! - Laws whose loading and unloading differ (plastic laws). The motion is that of one oscillator during loading and
//!   of another during unloading, so e = e(ζ)·√(U_unloading/U_loading), a product that in general depends on the
//!   depth. These laws have their own parameters for the loss.
//! - Forces that depend on time or on an internal state, for which there is no U(δ).

use crate::error::{Error, Result, check_coefficient, check_restitution};
use crate::exact::{damping_ratio_zero_force, damping_ratio_zero_indentation};
use crate::law::{CoefficientSource, Curved, Damper, DampingShape, Exit, Form, Law, Phases, Power};
use crate::model::{Coefficient, Damping, Input, Inputs, Model};
use std::sync::Mutex;

/// Suffix of the name of a model that is combined with this damper.
pub const SUFFIX: &str = "+linear-equivalent";

/// Name of the damper in descriptions.
pub const NAME: &str = "linear-equivalent";

/// The damping ratio ζ, as the number that sets the dissipation of a model.
pub const RATIO: Coefficient = Coefficient { read: ratio_of, ..Coefficient::in_unit("") };

/// Returns the damping ratio ζ that delivers this restitution, in (0, 1], with this exit of contact.
///
/// ```
/// use carom::{Exit, linear_equivalent::damping_ratio};
/// let ratio = damping_ratio(Exit::ZeroIndentation, 0.5);
/// let decay = std::f64::consts::PI * ratio / (1.0 - ratio * ratio).sqrt();
/// assert!(((-decay).exp() - 0.5).abs() < 1e-15);
/// ```
pub fn damping_ratio(exit: Exit, restitution: f64) -> f64 {
    match exit {
        Exit::ZeroForce => damping_ratio_zero_force(restitution),
        Exit::ZeroIndentation => damping_ratio_zero_indentation(restitution),
    }
}

/// Returns the ratio ε/ζ of a power law with stiffness exponent n and the linear-equivalent damper.
fn epsilon_per_ratio(n: f64) -> f64 {
    2.0 * ((n + 1.0) / 2.0).sqrt()
}

/// Returns the law with its spring and the linear-equivalent damper with this damping ratio; `None` if the elastic
/// force is not a function F(δ) ≥ 0 of the indentation alone.
pub fn with_damper(law: &Law, ratio: f64) -> Option<Law> {
    let power = |power: &Power| {
        let n = power.elastic.value();
        let damper = Damper::Ratio(epsilon_per_ratio(n) * ratio);
        Form::Power(Power {
            phases: Phases::Both,
            ..Power::new(power.stiffness, n, 0.5 * (n - 1.0), 1.0, damper)
        })
    };
    fn curved_with_ratio<C: Copy>(form: &Curved<C>, ratio: f64) -> Curved<C> {
        let source = CoefficientSource::DampingRatio(ratio);
        Curved { curve: form.curve, shape: DampingShape::LinearEquivalent, source }
    }
    let form = match &law.form {
        Form::Power(spring) => power(spring),
        Form::Floored(form) => power(form.power()),
        Form::SmoothStep(form) => power(&Power::elastic(form.stiffness, form.elastic.value())),
        Form::Lens(form) => curved_with_ratio(form, ratio).into(),
        Form::Socket(form) => curved_with_ratio(form, ratio).into(),
        Form::Journal(form) => curved_with_ratio(form, ratio).into(),
        Form::Own(form) => Form::Own(form.with_equivalent_damper(ratio)?),
        _ => return None,
    };
    Some(Law { form, ..*law })
}

/// Returns ζ of a law that has this damper.
fn ratio_of(law: &Law, speed: f64) -> Option<f64> {
    match &law.form {
        Form::Power(power) => {
            Some(power.epsilon(law.mass, speed) / epsilon_per_ratio(power.elastic.value()))
        }
        _ => Some(law.touch(speed).damping / (2.0 * law.mass.sqrt())),
    }
}

/// Returns the model with the linear-equivalent damper instead of its own. It is made once for each model and kept.
pub fn derived(base: &'static Model) -> &'static Model {
    static DERIVED: Mutex<Vec<&'static Model>> = Mutex::new(Vec::new());
    let mut known = DERIVED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let same = |model: &&&'static Model| model.base.is_some_and(|other| std::ptr::eq(other, base));
    if let Some(model) = known.iter().find(same) {
        return model;
    }
    let model = Box::leak(Box::new(Model {
        id: Box::leak(format!("{}{SUFFIX}", base.id).into_boxed_str()),
        title: Box::leak(format!("{}, linear-equivalent damper", base.title).into_boxed_str()),
        aliases: &[],
        input: Input::Restitution,
        restitution: (0.0, 1.0),
        coefficient: RATIO,
        stands_in: &[],
        build: build_law,
        text: Box::leak(documentation(base).into_boxed_str()),
        base: Some(base),
        ..*base
    }));
    known.push(model);
    model
}

fn build_law(inputs: &Inputs) -> Result<Law> {
    let Some(base) = inputs.model.base else { return (inputs.model.build)(inputs) };
    let ratio = match inputs.damping {
        Damping::None => 0.0,
        Damping::Coefficient(ratio) => check_coefficient(ratio)?,
        Damping::Restitution(e) | Damping::Exact(e) => {
            damping_ratio(inputs.exit, check_restitution(e)?)
        }
    };
    let refused = |reason: &str| {
        let what = format!("the linear-equivalent damper in `{}`", base.id);
        Error::unsupported(
            what,
            format!("{reason}; see `hertz-1881+linear-equivalent` for one that has it"),
        )
    };
    // The spring alone is the undamped law.
    let elastic = Inputs { model: base, damping: Damping::Exact(1.0), ..*inputs };
    let spring = match base.input {
        Input::Elastic => (base.build)(&Inputs { damping: Damping::None, ..elastic }),
        _ => (base.build)(&elastic),
    }?;
    with_damper(&spring, ratio).ok_or_else(|| {
        refused(match spring.form {
            Form::Jkr(_) | Form::Dmt(_) => {
                "an adhesive spring pulls, so that no damping ratio gives one restitution at all speeds"
            }
            Form::Xiong(_) | Form::Jian(_) | Form::HalfSine(_) => {
                "its force is no function of the indentation alone"
            }
            _ => "its loading and unloading differ, and the loss is set by its own parameters",
        })
    })
}

/// Returns the text of the model's file, with the equation of the damper and its source.
fn documentation(base: &Model) -> String {
    let validity = base.section("Validity");
    let reference = base.section("Reference");
    let sections = format!(
        "{} with the linear-equivalent damper.\n\n\
         # Equation\n\
         F = f(δ)·(1 + 2ζ·√m·δ̇/√(2U(δ))), U = ∫₀^δ f, with the spring f of `{}`.\n\n\
         # Derivation\n\
         With w = √(2U/m) and dτ = f/(m·w)·dt the impact is the linear oscillator w′ = δ̇, δ̇′ = −2ζ·δ̇ − w: \
         its restitution is that of the oscillator, for both ends of contact, at every speed.\n\n\
         # Validity\n{validity}\n\n\
         # Remarks\n\
         The damping is the ratio ζ, a pure number. The restitution asked for is delivered exactly.\n\n\
         # Reference\n\
         Spring: {reference}\n\
         Damper: for power laws Y. Feng, arXiv:2603.27764 and arXiv:2604.02533.",
        base.title, base.id,
    );
    sections.lines().map(|line| format!("//! {line}\n")).collect()
}
