//! Options that describe an impact, shared by `carom impact`, `export`, `model --code`, `fit` and `advise`.

use crate::failure::Failure;
use carom::spec::{BodySpec, Quantity, Spec};
use carom::units::Dimension;
use carom::{Error, own_law};
use clap::Args;
use std::collections::BTreeMap;

/// Arguments of a law, two bodies, a speed and a dissipation.
#[derive(Args)]
pub struct ImpactArguments {
    /// Law, by id or alias (`carom models` lists them), or a law file of your own, my-law.toml
    #[arg(long, value_name = "ID")]
    law: Option<String>,

    #[command(flatten)]
    numbers: LawArguments,

    /// Constant force that presses the bodies together during contact
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    external_force: Option<Quantity>,
}

/// Arguments of the two bodies: an effective mass and a spring, or shapes and materials.
#[derive(Args)]
pub struct BodyArguments {
    /// Effective mass m1*m2/(m1+m2)
    #[arg(long, allow_hyphen_values = true, help_heading = "Bodies")]
    pub mass: Option<Quantity>,
    /// K of K*delta^n
    #[arg(long, value_name = "K", allow_hyphen_values = true, help_heading = "Bodies")]
    pub stiffness: Option<Quantity>,
    /// n of K*delta^n [default: 1.5, or what follows from the bodies]
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Bodies")]
    pub exponent: Option<Quantity>,
    /// A body, twice: shape (sphere, plane, socket, cylinder, bore, square-punch) and name=value with
    /// radius, length, half_side, material or youngs, poisson, density, and mass
    #[arg(long, value_name = "TEXT", help_heading = "Bodies")]
    body: Vec<String>,
}

/// Numbers that a law needs: two bodies, a speed and a dissipation.
#[derive(Args)]
pub struct LawArguments {
    #[command(flatten)]
    bodies: BodyArguments,

    /// Approach speed at touch
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<Quantity>,
    /// When contact ends: force or indentation [default: what the law was derived for]
    #[arg(long)]
    exit: Option<String>,

    /// Restitution to deliver, above 0 and at most 1
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Dissipation")]
    restitution: Option<Quantity>,
    /// How the damping is found: by the published formula of the law, or exact (delivered = requested)
    /// [default: published]
    #[arg(long, value_name = "HOW", help_heading = "Dissipation")]
    calibration: Option<String>,
    /// Another damper: linear-equivalent (delivers a restitution at every speed, with any spring) [default: that of the law]
    #[arg(long, value_name = "NAME", help_heading = "Dissipation")]
    damper: Option<String>,
    /// The damping coefficient itself, in the unit of the law
    #[arg(long, value_name = "C", allow_hyphen_values = true, help_heading = "Dissipation")]
    damping: Option<Quantity>,
    /// m of c*delta^m*rate^q, for laws that leave it free
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Dissipation")]
    damping_exponent: Option<Quantity>,
    /// q of c*delta^m*rate^q, for laws that leave it free
    #[arg(long, value_name = "Q", allow_hyphen_values = true, help_heading = "Dissipation")]
    rate_exponent: Option<Quantity>,
    /// A parameter of the law or a fact of the pair; may be repeated
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    #[arg(help_heading = "Dissipation")]
    set: Vec<String>,
}

impl ImpactArguments {
    /// Converts the arguments to the description that the library takes.
    pub fn spec(&self) -> Result<Spec, Failure> {
        let Some(law) = self.law.clone() else {
            let advice = "give --law ID; `carom models` lists them all";
            return Err(Error::missing("law", advice).into());
        };
        Ok(Spec { external_force: self.external_force.clone(), ..self.numbers.spec(law)? })
    }
}

impl BodyArguments {
    /// Returns the bodies that are described by shapes and materials.
    pub fn shapes(&self) -> Result<Vec<BodySpec>, Error> {
        self.body.iter().map(|text| BodySpec::parse(text)).collect()
    }
}

impl LawArguments {
    /// Converts the arguments to the description that the library takes, with this law.
    pub fn spec(&self, law: String) -> Result<Spec, Failure> {
        Ok(copied!(self => Spec {
            damper, speed, restitution, calibration, exit, damping, damping_exponent, rate_exponent,
        } and {
            law: own_law::name_of(&law)?,
            mass: self.bodies.mass.clone(),
            stiffness: self.bodies.stiffness.clone(),
            exponent: self.bodies.exponent.clone(),
            bodies: self.bodies.shapes()?,
            set: parse_assignments(&self.set)?,
            ..Spec::default()
        }))
    }
}

/// Returns the SI value of an optional quantity.
pub(super) fn si_value(
    name: &str,
    given: &Option<Quantity>,
    dimension: Dimension,
) -> Result<Option<f64>, Error> {
    given.as_ref().map(|quantity| quantity.si(name, dimension)).transpose()
}

/// Reads `name=value` pairs.
pub(super) fn parse_assignments(texts: &[String]) -> Result<BTreeMap<String, Quantity>, Failure> {
    let mut set = BTreeMap::new();
    for text in texts {
        let advice = "write for example --set work_of_adhesion=0.05N/m";
        let (name, value) = match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => (name.trim(), value.trim()),
            _ => {
                return Err(Error::invalid("set", format!("`{text}`"), "name=value", advice).into());
            }
        };
        if set.insert(name.to_string(), Quantity::Text(value.to_string())).is_some() {
            let advice = "leave one of the two out";
            return Err(Error::invalid(name, value, "set once, and it is set twice", advice).into());
        }
    }
    Ok(set)
}
