//! Many impacts at once: one description, columns of numbers.
//!
//! A [`Batch`] is a [`Spec`] some of whose quantities differ from row to row. What is the same in all rows
//! is read and checked once; numbers that leave the exponents alone (mass, stiffness, speed, restitution,
//! damping, external force) are put into the finished case, everything else goes through the description
//! again. A power law at fixed exponents is a function of ε alone, so its impacts are read from one
//! [`Curve`], good to 2e-11, where there are rows enough to make it worth while.
//!
//! Which way a row goes depends on the description and the number of rows, never on what came before:
//! results are the same on any number of threads.
//!
//! ```
//! use carom::batch::{Batch, Column, Failing, OUTPUTS};
//! use carom::spec::Spec;
//! let spec = Spec {
//!     law: "flores-2011".into(),
//!     mass: Some("0.54 kg".into()),
//!     stiffness: Some(2.4144e10.into()),
//!     calibration: Some("exact".into()),
//!     ..Spec::default()
//! };
//! let batch = Batch::new(&spec, &["speed", "restitution"], 3)?;
//! let columns = [Column::new(&[0.5], 3)?, Column::new(&[0.6, 0.7, 0.8], 3)?];
//! let found = batch.collide(&columns, 3, 2, Failing::Stop).map_err(|failed| failed.error)?;
//! assert_eq!(OUTPUTS[0].0, "restitution_newton");
//! assert!((found[0][2] - 0.8).abs() < 1e-10);
//! # Ok::<(), carom::Error>(())
//! ```

mod rows;

pub use rows::{Column, Failed, Failing, each, needed};

use crate::error::Result;
use crate::exact::{Curve, Exponents};
use crate::impact::{Impact, collide_on, collide_under};
use crate::law::{Damper, Exit, Form, Law, Phases};
use crate::model::Damping;
use crate::spec::{Case, Quantity, Spec};
use crate::stop::Stop;
use crate::sweep::calibrates_by_theory;

/// A curve is made for at least so many rows.
const WORTH: usize = 256;

/// What is computed of every impact: name, as in a [report](crate::report::Report) with nested names joined by `_`, and SI unit.
pub const OUTPUTS: [(&str, &str); 14] = [
    ("restitution_newton", ""),
    ("restitution_poisson", ""),
    ("restitution_stronge", ""),
    ("duration", "s"),
    ("indentation_max", "m"),
    ("time_of_indentation_max", "s"),
    ("force_max", "N"),
    ("time_of_force_max", "s"),
    ("residual_indentation", "m"),
    ("impulse_compression", "N s"),
    ("impulse_restitution", "N s"),
    ("energy_initial", "J"),
    ("energy_lost_in_compression", "J"),
    ("energy_lost_in_restitution", "J"),
];

/// The numbers of an impact in the order of [`OUTPUTS`].
pub fn numbers(impact: &Impact) -> [f64; OUTPUTS.len()] {
    [
        impact.restitution.newton,
        impact.restitution.poisson,
        impact.restitution.stronge,
        impact.duration,
        impact.indentation_max,
        impact.time_of_indentation_max,
        impact.force_max,
        impact.time_of_force_max,
        impact.residual_indentation,
        impact.impulse.compression,
        impact.impulse.restitution,
        impact.energy.initial,
        impact.energy.lost_in_compression,
        impact.energy.lost_in_restitution,
    ]
}

/// A description some of whose quantities differ from row to row; see the module comment.
pub struct Batch {
    spec: Spec,
    places: Vec<Place>,
    /// The case of the description, where rows only change its numbers.
    template: Option<Case>,
    curve: Option<Curve>,
    /// Whether an exact calibration may be read from the curve.
    calibrated: bool,
    /// Ends [`Batch::collide`] when it is raised.
    pub stop: Stop,
}

/// Where the number of a column goes.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    Mass,
    Stiffness,
    Speed,
    Restitution,
    Damping,
    ExternalForce,
    Exponent,
    DampingExponent,
    RateExponent,
    /// A property of one of the bodies: `body1.radius`.
    Body(usize, String),
    /// A parameter of the law or a fact of the pair.
    Set(String),
}

impl Place {
    fn of(name: &str) -> Self {
        match name {
            "mass" => Self::Mass,
            "stiffness" => Self::Stiffness,
            "speed" => Self::Speed,
            "restitution" => Self::Restitution,
            "damping" => Self::Damping,
            "external_force" => Self::ExternalForce,
            "exponent" => Self::Exponent,
            "damping_exponent" => Self::DampingExponent,
            "rate_exponent" => Self::RateExponent,
            other => match other.split_once('.') {
                Some(("body1", property)) => Self::Body(0, property.to_string()),
                Some(("body2", property)) => Self::Body(1, property.to_string()),
                _ => Self::Set(other.to_string()),
            },
        }
    }

    /// Whether it leaves everything but numbers of the case as it is.
    fn is_number(&self) -> bool {
        !matches!(
            self,
            Self::Exponent
                | Self::DampingExponent
                | Self::RateExponent
                | Self::Body(..)
                | Self::Set(_)
        )
    }

    fn put(&self, spec: &mut Spec, value: Quantity) {
        match self {
            Self::Mass => spec.mass = Some(value),
            Self::Stiffness => spec.stiffness = Some(value),
            Self::Speed => spec.speed = Some(value),
            Self::Restitution => spec.restitution = Some(value),
            Self::Damping => spec.damping = Some(value),
            Self::ExternalForce => spec.external_force = Some(value),
            Self::Exponent => spec.exponent = Some(value),
            Self::DampingExponent => spec.damping_exponent = Some(value),
            Self::RateExponent => spec.rate_exponent = Some(value),
            Self::Body(which, property) => {
                if let Some(body) = spec.bodies.get_mut(*which)
                    && let Some(place) = body.property(property)
                {
                    *place = Some(value);
                }
            }
            Self::Set(name) => {
                spec.set.insert(name.clone(), value);
            }
        }
    }

    /// Puts a number into a finished case; `None` where only the description can tell what it means.
    fn put_number(&self, case: &mut Case, value: f64) -> Option<()> {
        let positive = value.is_finite() && value > 0.0;
        match self {
            Self::Speed if positive => case.speed = value,
            Self::Mass if positive => case.pair.mass = value,
            Self::Stiffness if positive => case.pair.stiffness = value,
            Self::ExternalForce if value.is_finite() => case.conditions.external_force = value,
            Self::Damping if value.is_finite() => case.damping = Damping::Coefficient(value),
            Self::Restitution if positive && value <= 1.0 => {
                case.damping = match case.damping {
                    Damping::Restitution(_) => Damping::Restitution(value),
                    Damping::Exact(_) => Damping::Exact(value),
                    Damping::None | Damping::Coefficient(_) => return None,
                };
            }
            _ => return None,
        }
        Some(())
    }

    /// A value that is allowed everywhere.
    fn any(&self) -> f64 {
        match self {
            Self::ExternalForce => 0.0,
            Self::Restitution => 0.5,
            _ => 1.0,
        }
    }
}

/// What one thread keeps from row to row.
#[derive(Default)]
pub struct Scratch(Option<Case>);

impl Batch {
    /// A batch of about `rows` rows in which the quantities of these names differ from row to row:
    /// fields of [`Spec`], `body1.radius` and the like, parameters of the law or facts of the pair.
    ///
    /// # Errors
    /// When the name of the law is unknown. Everything else is said of the row it concerns.
    pub fn new(spec: &Spec, varying: &[&str], rows: usize) -> Result<Self> {
        crate::model(&spec.law)?;
        let places: Vec<Place> = varying.iter().map(|name| Place::of(name)).collect();
        let mut batch = Self {
            spec: spec.clone(),
            template: None,
            curve: None,
            calibrated: false,
            places,
            stop: Stop::default(),
        };
        if batch.places.iter().all(Place::is_number) {
            let mut spec = spec.clone();
            batch.places.iter().for_each(|place| place.put(&mut spec, place.any().into()));
            batch.template = spec.case().ok();
        }
        if let Some(case) = &batch.template
            && rows >= WORTH
        {
            let undamped = match case.damping {
                Damping::Exact(_) => Damping::Exact(1.0),
                other => other,
            };
            let law = case.model.law(&case.pair, undamped, case.exit, &case.set);
            let exponents = law.as_ref().ok().and_then(exponents);
            batch.curve = exponents.map(|(exponents, exit)| Curve::new(exponents, exit));
            batch.calibrated = calibrates_by_theory(case);
        }
        Ok(batch)
    }

    /// A description with one more quantity said, by the name that a column would have.
    pub fn said(spec: &Spec, name: &str, value: Quantity) -> Spec {
        let mut spec = spec.clone();
        Place::of(name).put(&mut spec, value);
        spec
    }

    /// The finished case with the numbers of a row; `None` where only the description can tell.
    fn short_way<'k>(&self, kept: &'k mut Scratch, values: &[f64]) -> Option<&'k Case> {
        let template = self.template.as_ref()?;
        let case = kept.0.get_or_insert_with(|| template.clone());
        for (place, &value) in self.places.iter().zip(values) {
            place.put_number(case, value)?;
        }
        Some(case)
    }

    /// The impact of a row; `values` in the order of the names.
    fn impact(&self, kept: &mut Scratch, values: &[f64]) -> Result<Impact> {
        // What goes wrong on the short way is computed again on the long one, whose error counts.
        match self.short_way(kept, values).map(|case| self.run(case)) {
            Some(Ok(impact)) => Ok(impact),
            _ => self.run(&self.case(values)?),
        }
    }

    /// The case of a row by its description.
    pub fn case(&self, values: &[f64]) -> Result<Case> {
        let mut spec = self.spec.clone();
        for (place, &value) in self.places.iter().zip(values) {
            place.put(&mut spec, value.into());
        }
        spec.case()
    }

    /// The law of a row and its speed.
    pub fn law(&self, kept: &mut Scratch, values: &[f64]) -> Result<(Law, f64)> {
        let short = self.short_way(kept, values).map(|case| (case.law(), case.speed));
        if let Some((Ok(law), speed)) = short {
            return Ok((law, speed));
        }
        let case = self.case(values)?;
        Ok((case.law()?, case.speed))
    }

    /// Collides all rows: one column of results for each of [`OUTPUTS`].
    ///
    /// # Errors
    /// As [`each`]; a row fails where it is not an impact.
    pub fn collide(
        &self,
        columns: &[Column],
        rows: usize,
        threads: usize,
        failing: Failing,
    ) -> std::result::Result<[Vec<f64>; OUTPUTS.len()], Failed> {
        let way = (threads, failing, &self.stop);
        each(columns, rows, way, |kept: &mut Scratch, values, found| {
            *found = numbers(&self.impact(kept, values)?);
            Ok(())
        })
    }

    /// Collides, along the curve where there is one.
    fn run(&self, case: &Case) -> Result<Impact> {
        let Some(curve) = self.curve.as_ref().filter(|_| case.conditions.external_force == 0.0)
        else {
            return collide_under(&case.law()?, case.speed, &case.conditions);
        };
        let law = match case.damping {
            Damping::Exact(e) if self.calibrated => {
                let mut law =
                    case.model.law(&case.pair, Damping::Exact(1.0), case.exit, &case.set)?;
                if let Form::Power(power) = &mut law.form {
                    power.damper = Damper::Ratio(curve.epsilon(e)?);
                }
                law
            }
            _ => case.law()?,
        };
        collide_on(curve, &law, case.speed)
    }
}

/// The exponents and exit of a law that can have a curve.
fn exponents(law: &Law) -> Option<(Exponents, Exit)> {
    let power = law.power().filter(|power| power.phases == Phases::Both)?;
    let (n, m, q) = (power.elastic.value(), power.damping.value(), power.rate.value());
    Some((Exponents::new(n, m, q).ok()?, law.exit))
}
