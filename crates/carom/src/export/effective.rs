//! Calibrates the law that an engine applies.
//!
//! If the engine's form is the law itself, its numbers are those of the law. If it is not:
//!
//! - ε follows from the restitution by [`exact::epsilon`], for the exponents and the exit of contact of the engine:
//!   it is the damping that delivers the restitution in *this* form.
//! - If n changes to n′, the stiffnesses have different units. K′ is chosen such that the duration of contact is the
//!   same: with the dimensionless duration Δτ′ of the new form, L′ = T·v₀/Δτ′ and K′ = mₑv₀²/L′^(n′+1).
//! - A damper that fades in over a depth d has d = δ_max·m/n (from 5 % to 100 % of the largest indentation), so that
//!   it acts at small indentations like the damper of the law; its c is found by trial impacts.

use super::engine::Form;
use super::wanted::{Shape, Wanted};
use crate::error::{Error, Result};
use crate::exact::{self, Exponents};
use crate::impact::Impact;
use crate::law::{Calibration, Damper, Exit, Exponent, Law, Phases, Power, SmoothStep};

/// Numbers of an effective law.
pub(super) struct EffectiveLaw {
    pub(super) law: Law,
    pub(super) stiffness: f64,
    pub(super) n: f64,
    pub(super) c: f64,
    pub(super) damper: Shape,
}

impl EffectiveLaw {
    /// Returns the law itself with its coefficient fixed.
    pub(super) fn with_fixed_coefficient(wanted: &Wanted, law: &Law, exit: Exit) -> Self {
        Self::new(wanted.stiffness, wanted.n, wanted.c, wanted.damper, law.mass, exit)
    }

    fn new(stiffness: f64, n: f64, c: f64, damper: Shape, mass: f64, exit: Exit) -> Self {
        let law = match damper {
            Shape::Power { m, q, phases } => {
                let power = Power::new(stiffness, n, m, q, Damper::Coefficient(c));
                Law::new(mass, exit, Power { phases, ..power })
            }
            Shape::Step { depth } => Law::new(
                mass,
                exit,
                SmoothStep {
                    stiffness,
                    elastic: Exponent::new(n),
                    depth,
                    calibration: Calibration::Coefficient(c),
                },
            ),
        };
        Self { law, stiffness, n, c, damper }
    }

    /// Returns the form with the coefficient that delivers `target` and, if its stiffness exponent differs, the
    /// stiffness for which the duration of contact is the same.
    pub(super) fn calibrate(
        wanted: &Wanted,
        form: &Form,
        exit: Exit,
        target: f64,
        law: &Law,
        asked: &Impact,
    ) -> Result<Self> {
        let (mass, speed) = (law.mass, asked.speed);
        let n = form.n(wanted.n);
        let damper = wanted.damper_in(form, asked.indentation_max);
        match damper {
            Shape::Step { depth } => {
                let calibration = Calibration::Delivered { restitution: target, exit };
                let elastic = Exponent::new(n);
                let step = SmoothStep { stiffness: wanted.stiffness, elastic, depth, calibration };
                let c = Law::new(mass, exit, step).touch(speed).damping;
                if !c.is_finite() {
                    return Err(Error::unreachable(
                        target,
                        "no damper of this engine's form delivers it at this depth",
                        "ask for a higher restitution",
                    ));
                }
                Ok(Self::new(wanted.stiffness, n, c, damper, mass, exit))
            }
            Shape::Power { m, q, phases } => {
                let exponents = Exponents::new(n, m, q)?;
                let epsilon = match (wanted.c > 0.0, phases) {
                    (false, _) => 0.0,
                    (true, Phases::Both) => exact::epsilon(exponents, exit, target)?,
                    (true, Phases::Compression) => exact::compression_epsilon(exponents, target)?,
                };
                let outcome = match phases {
                    Phases::Both => exact::outcome(exponents, exit, epsilon)?,
                    Phases::Compression => exact::compression_outcome(exponents, epsilon)?,
                };
                let stiffness = match outcome {
                    Some(outcome) if n != wanted.n => {
                        let length = asked.duration * speed / outcome.duration;
                        Power::stiffness_for_length(n, mass, speed, length)
                    }
                    _ => wanted.stiffness,
                };
                let power = Power::new(stiffness, n, m, q, Damper::Ratio(epsilon));
                let c = power.coefficient(mass, speed);
                Ok(Self::new(stiffness, n, c, damper, mass, exit))
            }
        }
    }
}
