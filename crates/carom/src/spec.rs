//! Description of an impact, as a command line, a file or a request gives it, and its conversion to a law.
//!
//! A [`Spec`] contains the description, with quantities as numbers (SI) or as texts with units. [`Spec::case`] checks
//! it and creates a [`Case`]: a model, a pair and numbers. [`Case::run`] computes the impact and creates a report.
//! The command, the lab and the Python package all use it.
//!
//! ```
//! use carom::spec::Spec;
//! let spec = Spec {
//!     law: "hunt-crossley-1975".into(),
//!     mass: Some("0.54 kg".into()),
//!     stiffness: Some(2.4144e10.into()),
//!     speed: Some("50 cm/s".into()),
//!     restitution: Some(0.7568.into()),
//!     calibration: Some("exact".into()),
//!     ..Spec::default()
//! };
//! let report = spec.case()?.run()?;
//! assert!((report.restitution.newton - 0.7568).abs() < 1e-10);
//! # Ok::<(), carom::Error>(())
//! ```

mod body;

pub use body::BodySpec;

use crate::error::{Error, Result, check_positive};
use crate::impact::Conditions;
use crate::law::{Exit, Law};
use crate::linear_equivalent;
use crate::message::Action;
use crate::model::{Damping, Model, Parameter};
use crate::models::model;
use crate::own_law::unit_with;
use crate::pair::{FACTS, Pair};
use crate::units::Dimension;
pub use crate::units::Quantity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Description of an impact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// Id or alias of the law, or the path or the text of an own law.
    pub law: String,
    /// Damper: the law's own, or `linear-equivalent` for the one that delivers a restitution with any spring.
    pub damper: Option<String>,
    /// Effective mass (kg), if no bodies are given.
    pub mass: Option<Quantity>,
    /// K of K·δⁿ (N/mⁿ), if no bodies are given.
    pub stiffness: Option<Quantity>,
    /// n of K·δⁿ; 3/2 unless it is given or follows from the bodies.
    pub exponent: Option<Quantity>,
    /// Two bodies with shape, lengths and material, instead of mass, stiffness and exponent.
    pub bodies: Vec<BodySpec>,
    /// Approach speed at onset (m/s).
    pub speed: Option<Quantity>,
    /// Requested restitution.
    pub restitution: Option<Quantity>,
    /// Calibration: `published` (the law's own formula) or `exact` (the delivered restitution equals the requested
    /// one).
    pub calibration: Option<String>,
    /// Exit of contact, `force` or `indentation`; that of the law unless given.
    pub exit: Option<String>,
    /// Damping coefficient, in the unit of the law.
    pub damping: Option<Quantity>,
    /// m of c·δᵐ·|δ̇|^q, for laws in which it is free.
    pub damping_exponent: Option<Quantity>,
    /// q of c·δᵐ·|δ̇|^q, for laws in which it is free.
    pub rate_exponent: Option<Quantity>,
    /// Constant force that presses the bodies together during contact (N); 0 unless given.
    pub external_force: Option<Quantity>,
    /// Parameters of the law and facts of the pair, by name.
    pub set: BTreeMap<String, Quantity>,
}

/// A checked description of an impact: a model, a pair and numbers.
#[derive(Clone, Debug)]
pub struct Case {
    /// The model.
    pub model: &'static Model,
    /// The two bodies.
    pub pair: Pair,
    /// How the dissipation is specified.
    pub damping: Damping,
    /// Exit of contact, if it was given; otherwise that of the law is used.
    pub exit: Option<Exit>,
    /// Parameters that were set.
    pub set: Vec<(String, f64)>,
    /// Approach speed (m/s).
    pub speed: f64,
    /// Forces other than that of the contact.
    pub conditions: Conditions,
}

impl Spec {
    /// Returns the model with the requested damper.
    ///
    /// # Errors
    /// If there is no such law or damper.
    pub fn model(&self) -> Result<&'static Model> {
        let model = model(&self.law)?;
        match self.damper.as_deref() {
            None => Ok(model),
            Some(linear_equivalent::NAME) if model.base.is_some() => Ok(model),
            Some(linear_equivalent::NAME) => Ok(linear_equivalent::derived(model)),
            Some(other) => Err(Error::unknown(
                "damper",
                other,
                [linear_equivalent::NAME],
                "use `linear-equivalent` (an exact restitution for any spring), or leave it out for the law's own",
            )),
        }
    }

    /// Checks the description and converts it to a case.
    pub fn case(&self) -> Result<Case> {
        let model = self.model()?;
        let speed = match &self.speed {
            Some(speed) => speed.si("speed", Dimension::SPEED)?,
            None => {
                return Err(missing_speed_error("the approach speed at touch, for example 0.5m/s"));
            }
        };
        check_positive("speed", speed, "give the approach speed at touch in m/s, above 0")?;
        let mut pair = self.pair(model)?;
        let mut set = Vec::new();
        for (name, value) in
            [("damping_exponent", &self.damping_exponent), ("rate_exponent", &self.rate_exponent)]
        {
            if let Some(value) = value {
                set.push((name.to_string(), value.si(name, Dimension::NUMBER)?));
            }
        }
        for (name, value) in &self.set {
            let declared = model.parameters.iter().find(|p| p.name == name);
            let fact = FACTS.iter().find(|(fact, ..)| fact == name);
            match (declared, fact) {
                (Some(p), _) => {
                    let dimension = Dimension::of(&self.unit_of(model, p, pair.exponent))?;
                    set.push((name.clone(), value.si(name, dimension)?));
                }
                (None, Some((fact, unit, _))) => {
                    let value = value.si(name, Dimension::of(unit)?)?;
                    if !fact.starts_with("poisson") {
                        check_positive(name, value, "it describes a body")?;
                    }
                    pair.facts.retain(|(known, _)| known != fact);
                    pair.facts.push((fact, value));
                }
                // `Model::law` rejects the name and lists the known ones.
                (None, None) => set.push((name.clone(), 0.0)),
            }
        }
        let external_force =
            Quantity::si_if_given(&self.external_force, "external_force", Dimension::FORCE)?
                .unwrap_or(0.0);
        let exit = self.exit.as_deref().map(str::parse).transpose()?;
        let damping = self.damping(model, &pair, &set)?;
        let conditions = Conditions { external_force };
        Ok(Case { model, pair, damping, exit, set, speed, conditions })
    }

    /// Returns the SI unit of a parameter. The units of own laws may have exponents that are parameters themselves.
    fn unit_of(&self, model: &Model, parameter: &Parameter, exponent: f64) -> String {
        let value_of = |name: &str| {
            let given = self.set.get(name).and_then(|value| value.si(name, Dimension::NUMBER).ok());
            given.or_else(|| model.parameters.iter().find(|p| p.name == name)?.default)
        };
        match model.own {
            Some(_) => unit_with(parameter.unit, &value_of),
            None => parameter.unit_at(exponent),
        }
    }

    /// Creates the pair from numbers or from bodies.
    fn pair(&self, model: &Model) -> Result<Pair> {
        let exponent = Quantity::si_if_given(&self.exponent, "exponent", Dimension::NUMBER)?;
        let mass = Quantity::si_if_given(&self.mass, "mass", Dimension::MASS)?;
        match self.bodies.as_slice() {
            [] => {
                let Some(mass) = mass else {
                    let advice = sentence!(
                        "give {}, the effective mass m1*m2/(m1+m2), or describe both bodies with {}",
                        Action::give_as("mass", "M"),
                        Action::give("bodies")
                    );
                    return Err(Error::missing("mass", advice));
                };
                let n = exponent.unwrap_or(1.5);
                if model.own.is_some_and(|own| !own.takes_stiffness()) && self.stiffness.is_none() {
                    // This own law does not use the stiffness of the pair.
                    return Pair::new(mass, 1.0, n);
                }
                let Some(stiffness) = &self.stiffness else {
                    let advice = sentence!(
                        "give {} of F = K*delta^n, or describe both bodies with {}",
                        Action::give_as("stiffness", "K"),
                        Action::give("bodies")
                    );
                    return Err(Error::missing("stiffness", advice));
                };
                crate::error::check_range(
                    "exponent",
                    n,
                    1.0,
                    5.0,
                    "3/2 is Hertz's point contact, 1 a linear spring",
                )?;
                Pair::new(mass, stiffness.si("stiffness", Dimension::stiffness(n))?, n)
            }
            [a, b] => {
                let mut pair = Pair::of(&a.body("body 1")?, &b.body("body 2")?)?;
                if let Some(stiffness) = &self.stiffness {
                    pair.exponent = exponent.unwrap_or(pair.exponent);
                    pair.stiffness =
                        stiffness.si("stiffness", Dimension::stiffness(pair.exponent))?;
                } else if exponent.is_some_and(|n| n != pair.exponent) {
                    let found = exponent.unwrap_or(1.5);
                    let allowed = format!("{}, which follows from the bodies", pair.exponent);
                    let advice = sentence!(
                        "leave out {}, or give {} with it",
                        Action::leave_out("exponent"),
                        Action::give("stiffness")
                    );
                    return Err(Error::invalid("exponent", found, allowed, advice));
                }
                if mass.is_some() {
                    return Err(Error::unsupported(
                        "an effective mass together with two bodies",
                        sentence!(
                            "it follows from them; leave out {}, and give the mass of a body with that body",
                            Action::leave_out("mass")
                        ),
                    ));
                }
                Pair::new(pair.mass, pair.stiffness, pair.exponent)?;
                Ok(pair)
            }
            bodies => Err(Error::invalid(
                "bodies",
                bodies.len(),
                "none or two",
                sentence!(
                    "`{}` is a law between two bodies; describe both with {}",
                    model.id,
                    Action::give("bodies")
                ),
            )),
        }
    }

    /// Checks only the words of the description: law, calibration and exit. [`Spec::case`] also checks the numbers.
    ///
    /// ```
    /// use carom::spec::Spec;
    /// let spec = Spec { law: "tsuji-1992".into(), calibration: Some("exakt".into()), ..Spec::default() };
    /// assert!(spec.words().unwrap_err().is_unknown());
    /// ```
    pub fn words(&self) -> Result<()> {
        self.model()?;
        self.calibration()?;
        self.exit.as_deref().map(str::parse::<Exit>).transpose()?;
        Ok(())
    }

    /// Returns the calibration, `published` or `exact`, if given.
    fn calibration(&self) -> Result<Option<&str>> {
        match self.calibration.as_deref() {
            None => Ok(None),
            Some(name @ ("published" | "exact")) => Ok(Some(name)),
            Some(other) => Err(Error::unknown(
                "calibration",
                other,
                ["published", "exact"],
                "use `published` (the law's own formula) or `exact` (delivered = requested)",
            )),
        }
    }

    /// Returns how the dissipation is specified.
    fn damping(&self, model: &Model, pair: &Pair, set: &[(String, f64)]) -> Result<Damping> {
        let restitution =
            Quantity::si_if_given(&self.restitution, "restitution", Dimension::NUMBER)?;
        let calibration = self.calibration()?;
        match (restitution, &self.damping) {
            (Some(_), Some(_)) => Err(Error::unsupported(
                "a restitution and a damping coefficient together",
                sentence!(
                    "each determines the other; leave out {} or {}",
                    Action::leave_out("restitution"),
                    Action::leave_out("damping")
                ),
            )),
            (None, Some(_)) if calibration.is_some() => Err(Error::unsupported(
                "a calibration of a damping coefficient",
                sentence!(
                    "a calibration finds the damping for a restitution; leave out {} or {}",
                    Action::leave_out("calibration"),
                    Action::leave_out("damping")
                ),
            )),
            (None, None) if calibration.is_some() => Err(Error::missing(
                "restitution",
                sentence!("a calibration needs one; give {}", Action::give_as("restitution", "E")),
            )),
            (None, None) => Ok(Damping::None),
            (Some(e), None) => {
                crate::error::check_restitution(e)?;
                Ok(match calibration {
                    Some("exact") => Damping::Exact(e),
                    _ => Damping::Restitution(e),
                })
            }
            (None, Some(c)) => {
                // The unit of c is that of the law, or follows from its exponents.
                let dimension = match c {
                    Quantity::Number(_) => Dimension::NUMBER,
                    Quantity::Text(_) => {
                        let probe = model.law(pair, Damping::Coefficient(1.0), None, set)?;
                        Dimension::of(&model.coefficient_unit(&probe))?
                    }
                };
                Ok(Damping::Coefficient(c.si("damping", dimension)?))
            }
        }
    }
}

impl Case {
    /// Creates the law.
    pub fn law(&self) -> Result<Law> {
        self.model.law(&self.pair, self.damping, self.exit, &self.set)
    }
}

/// Creates the error for a description without a speed; `what` says what the speed is, or how else to give it.
#[cold]
pub(crate) fn missing_speed_error(what: &str) -> Error {
    Error::missing("speed", sentence!("give {}, {what}", Action::give_as("speed", "V")))
}
