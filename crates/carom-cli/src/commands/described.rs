//! One impact in words: the flags that `carom impact` and `carom export` share, and `carom model --code` with them.

use crate::failure::Failure;
use carom::spec::{BodySpec, Quantity, Spec};
use carom::{Error, own_law};
use clap::Args;
use std::collections::BTreeMap;

/// A law, two bodies, a speed and a dissipation.
#[derive(Args)]
pub struct Described {
    /// Law, by id or alias (`carom models` lists them), or a law file of your own, my-law.toml
    #[arg(long, value_name = "ID")]
    law: Option<String>,

    #[command(flatten)]
    numbers: LawNumbers,

    /// Constant force that presses the bodies together during contact
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    external_force: Option<String>,
}

/// What makes numbers of a law: two bodies, a speed and a dissipation.
#[derive(Args)]
pub struct LawNumbers {
    /// Effective mass m1*m2/(m1+m2)
    #[arg(long, allow_hyphen_values = true, help_heading = "Bodies")]
    mass: Option<String>,
    /// K of K*delta^n
    #[arg(long, value_name = "K", allow_hyphen_values = true, help_heading = "Bodies")]
    stiffness: Option<String>,
    /// n of K*delta^n [default: 1.5, or what follows from the bodies]
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Bodies")]
    exponent: Option<String>,
    /// A body, twice: shape (sphere, plane, socket, cylinder, bore, square-punch) and name=value with
    /// radius, length, half_side, material or youngs, poisson, density, and mass
    #[arg(long, value_name = "TEXT", help_heading = "Bodies")]
    body: Vec<String>,

    /// Approach speed at touch
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    speed: Option<String>,
    /// When contact ends: force or indentation [default: what the law was derived for]
    #[arg(long)]
    exit: Option<String>,

    /// The restitution asked for, above 0 and at most 1
    #[arg(long, value_name = "E", allow_hyphen_values = true, help_heading = "Dissipation")]
    restitution: Option<String>,
    /// How it is met: published (the law's own formula) or exact (delivered = requested)
    /// [default: published]
    #[arg(long, value_name = "HOW", help_heading = "Dissipation")]
    calibration: Option<String>,
    /// The damper: linear-equivalent (delivers a restitution at every speed, with any spring) [default: the law's own]
    #[arg(long, value_name = "NAME", help_heading = "Dissipation")]
    damper: Option<String>,
    /// The damping coefficient itself, in the unit of the law
    #[arg(long, value_name = "C", allow_hyphen_values = true, help_heading = "Dissipation")]
    damping: Option<String>,
    /// m of c*delta^m*rate^q, for laws that leave it free
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Dissipation")]
    damping_exponent: Option<String>,
    /// q of c*delta^m*rate^q, for laws that leave it free
    #[arg(long, value_name = "Q", allow_hyphen_values = true, help_heading = "Dissipation")]
    rate_exponent: Option<String>,
    /// A parameter of the law or a fact of the pair; may be repeated
    #[arg(
        long,
        value_name = "NAME=VALUE",
        allow_hyphen_values = true,
        help_heading = "Dissipation"
    )]
    set: Vec<String>,
}

impl Described {
    /// The description, as the library takes it.
    pub fn spec(&self) -> Result<Spec, Failure> {
        let Some(law) = self.law.clone() else {
            let advice = "give --law ID; `carom models` lists them all";
            return Err(Error::missing("law", advice).into());
        };
        let external_force = self.external_force.clone().map(Quantity::Text);
        Ok(Spec { external_force, ..self.numbers.spec(law)? })
    }
}

impl LawNumbers {
    /// The description with this law, as the library takes it.
    pub fn spec(&self, law: String) -> Result<Spec, Failure> {
        let quantity = |text: &Option<String>| text.clone().map(Quantity::Text);
        let bodies: Result<_, _> = self.body.iter().map(|text| BodySpec::parse(text)).collect();
        Ok(Spec {
            law: own_law::name_of(&law)?,
            damper: self.damper.clone(),
            mass: quantity(&self.mass),
            stiffness: quantity(&self.stiffness),
            exponent: quantity(&self.exponent),
            bodies: bodies?,
            speed: quantity(&self.speed),
            restitution: quantity(&self.restitution),
            calibration: self.calibration.clone(),
            exit: self.exit.clone(),
            damping: quantity(&self.damping),
            damping_exponent: quantity(&self.damping_exponent),
            rate_exponent: quantity(&self.rate_exponent),
            set: assignments(&self.set)?,
            ..Spec::default()
        })
    }
}

/// Reads `name=value` pairs.
pub(super) fn assignments(texts: &[String]) -> Result<BTreeMap<String, Quantity>, Failure> {
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
