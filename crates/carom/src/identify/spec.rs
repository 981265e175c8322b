//! Description of an identification, as a command line or a file gives it.

use super::{
    Identification, Measure, Measured, Method, Observed, Setup, SpeedFit, Speeds, fit_speeds,
    identify,
};
use crate::error::{Error, Result};
use crate::exact::Exponents;
use crate::identify::speeds::several_speeds;
use crate::law::Exit;
use crate::message::Action;
use crate::spec::{Quantity, missing_speed_error};
use crate::units::Dimension;
use serde::{Deserialize, Serialize};

/// Description of an identification.
///
/// ```
/// use carom::identify::Spec;
/// let spec = Spec {
///     mass: Some("0.54 kg".into()),
///     speed: Some("0.5 m/s".into()),
///     restitution: Some(0.7568.into()),
///     duration: Some("207 us".into()),
///     ..Spec::default()
/// };
/// let found = spec.run()?.solution;
/// assert!((found.predicted.duration - 207e-6).abs() < 1e-14);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// Effective mass.
    pub mass: Option<Quantity>,
    /// Approach speed at onset.
    pub speed: Option<Quantity>,
    /// Stiffness exponent n; 3/2 unless given.
    pub exponent: Option<Quantity>,
    /// Damping exponent m; equal to n unless given.
    pub damping_exponent: Option<Quantity>,
    /// Rate exponent q; 1 unless given.
    pub rate_exponent: Option<Quantity>,
    /// Exit of contact: `force` (unless given) or `indentation`.
    pub exit: Option<String>,
    /// Measured restitution.
    pub restitution: Option<Quantity>,
    /// Measured duration of the contact.
    pub duration: Option<Quantity>,
    /// Measured largest force.
    pub force: Option<Quantity>,
    /// Measured largest indentation.
    pub indentation: Option<Quantity>,
    /// Absolute uncertainty of the mass.
    pub mass_error: Option<Quantity>,
    /// Absolute uncertainty of the speed.
    pub speed_error: Option<Quantity>,
    /// Absolute uncertainty of the restitution.
    pub restitution_error: Option<Quantity>,
    /// Absolute uncertainty of the duration.
    pub duration_error: Option<Quantity>,
    /// Absolute uncertainty of the force.
    pub force_error: Option<Quantity>,
    /// Absolute uncertainty of the indentation.
    pub indentation_error: Option<Quantity>,
    /// Whether the fits of Ramaswamy & Humbert are used instead of the exact impact.
    pub published: bool,
    /// Several speeds, each with a restitution.
    pub speeds: Vec<Quantity>,
    /// Restitutions at these speeds.
    pub restitutions: Vec<Quantity>,
    /// Stiffness K, with which damping coefficients are computed from restitutions at several speeds.
    pub stiffness: Option<Quantity>,
}

impl Spec {
    /// Returns whether restitutions at several speeds are given, which [`Spec::run_speeds`] evaluates.
    pub fn has_speeds(&self) -> bool {
        !self.speeds.is_empty() || !self.restitutions.is_empty()
    }

    /// Identifies stiffness and damping from two measured numbers.
    pub fn run(&self) -> Result<Identification> {
        let mass = Quantity::si_if_given(&self.mass, "mass", Dimension::MASS)?;
        let Some(mass) = mass else {
            let advice = sentence!(
                "give {}, the effective mass m1*m2/(m1+m2)",
                Action::give_as("mass", "M")
            );
            return Err(Error::missing("mass", advice));
        };
        let Some(speed) = Quantity::si_if_given(&self.speed, "speed", Dimension::SPEED)? else {
            return Err(missing_speed_error("the approach speed at touch, for example 0.5m/s"));
        };
        if self.stiffness.is_some() {
            let advice = sentence!(
                "the stiffness is what is identified; leave it out, or give {} and {}",
                Action::give("speeds"),
                Action::give("restitutions")
            );
            return Err(Error::unsupported("a stiffness beside two measured numbers", advice));
        }
        let mass_error = Quantity::si_if_given(&self.mass_error, "mass_error", Dimension::MASS)?;
        let speed_error =
            Quantity::si_if_given(&self.speed_error, "speed_error", Dimension::SPEED)?;
        let setup = Setup::new(mass, speed, self.exponents()?, self.exit()?)?
            .with_errors(mass_error.unwrap_or(0.0), speed_error.unwrap_or(0.0))?;
        let method = if self.published { Method::Published } else { Method::Exact };
        identify(&setup, self.measured()?, method)
    }

    /// Determines which exponents fit restitutions at several speeds.
    pub fn run_speeds(&self) -> Result<SpeedFit> {
        self.refuse_beside_speeds()?;
        let observed = observed_restitutions(&self.speeds, &self.restitutions)?;
        let Exponents { n, m, q } = self.exponents()?;
        let given = self.damping_exponent.is_some() || self.rate_exponent.is_some();
        let mass = Quantity::si_if_given(&self.mass, "mass", Dimension::MASS)?;
        let stiffness =
            Quantity::si_if_given(&self.stiffness, "stiffness", Dimension::stiffness(n))?;
        let pair = match (mass, stiffness) {
            (Some(mass), Some(stiffness)) => Some((mass, stiffness)),
            (None, None) => None,
            _ => {
                return Err(Error::missing(
                    if mass.is_none() { "mass" } else { "stiffness" },
                    sentence!(
                        "damping coefficients from several speeds need {} and {}; give both or none",
                        Action::give("mass"),
                        Action::give("stiffness")
                    ),
                ));
            }
        };
        let candidate = given.then_some((m, q));
        fit_speeds(&Speeds { observed, exponent: n, exit: self.exit()?, candidate, pair })
    }

    fn exponents(&self) -> Result<Exponents> {
        let n =
            Quantity::si_if_given(&self.exponent, "exponent", Dimension::NUMBER)?.unwrap_or(1.5);
        let m =
            Quantity::si_if_given(&self.damping_exponent, "damping_exponent", Dimension::NUMBER)?;
        let q = Quantity::si_if_given(&self.rate_exponent, "rate_exponent", Dimension::NUMBER)?;
        Exponents::new(n, m.unwrap_or(n), q.unwrap_or(1.0))
    }

    fn exit(&self) -> Result<Exit> {
        self.exit.as_deref().map_or(Ok(Exit::ZeroForce), str::parse)
    }

    /// Returns the two measured numbers.
    fn measured(&self) -> Result<[Measured; 2]> {
        let mut found = Vec::new();
        for what in Measure::ALL {
            let (value, error, dimension) = match what {
                Measure::Restitution => {
                    (&self.restitution, &self.restitution_error, Dimension::NUMBER)
                }
                Measure::Duration => (&self.duration, &self.duration_error, Dimension::TIME),
                Measure::Force => (&self.force, &self.force_error, Dimension::FORCE),
                Measure::Indentation => {
                    (&self.indentation, &self.indentation_error, Dimension::LENGTH)
                }
            };
            let name = what.name();
            let error = Quantity::si_if_given(error, &format!("{name}_error"), dimension)?;
            match Quantity::si_if_given(value, name, dimension)? {
                Some(value) => {
                    found.push(Measured::new(what, value)?.with_error(error.unwrap_or(0.0))?)
                }
                None if error.is_some() => {
                    let advice = sentence!(
                        "{} needs it; give {} or leave both out",
                        Action::give(format!("{name}_error")),
                        Action::give(name)
                    );
                    return Err(Error::missing(name, advice));
                }
                None => {}
            }
        }
        match found[..] {
            [first, second] => Ok([first, second]),
            [] | [_] => Err(Error::missing(
                "a measured number",
                sentence!(
                    "give two of {}, {}, {} and {}, or {} and {}",
                    Action::give("restitution"),
                    Action::give("duration"),
                    Action::give("force"),
                    Action::give("indentation"),
                    Action::give("speeds"),
                    Action::give("restitutions")
                ),
            )),
            _ => Err(Error::unsupported(
                format!("identification from {} numbers", found.len()),
                "two determine everything; give two and compare the others with what is predicted",
            )),
        }
    }

    /// Returns an error for keys that have no meaning together with several speeds.
    fn refuse_beside_speeds(&self) -> Result<()> {
        let given = [
            ("speed", self.speed.is_some()),
            ("restitution", self.restitution.is_some()),
            ("duration", self.duration.is_some()),
            ("force", self.force.is_some()),
            ("indentation", self.indentation.is_some()),
            ("published", self.published),
            ("mass_error", self.mass_error.is_some()),
            ("speed_error", self.speed_error.is_some()),
            ("restitution_error", self.restitution_error.is_some()),
            ("duration_error", self.duration_error.is_some()),
            ("force_error", self.force_error.is_some()),
            ("indentation_error", self.indentation_error.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Error::unsupported(
                format!("`{name}` beside speeds and restitutions"),
                sentence!(
                    "identify from one impact or from several speeds; leave out {} or {} and {}",
                    Action::leave_out(*name),
                    Action::leave_out("speeds"),
                    Action::leave_out("restitutions")
                ),
            )),
            None => Ok(()),
        }
    }
}

/// Reads the lists `speeds` and `restitutions`, which must have the same length.
pub(crate) fn observed_restitutions(
    speeds: &[Quantity],
    restitutions: &[Quantity],
) -> Result<Vec<Observed>> {
    if speeds.len() != restitutions.len() {
        let found = format!("{} numbers", restitutions.len());
        let allowed = format!("as many as speeds, which are {}", speeds.len());
        let advice = several_speeds("write for example ");
        return Err(Error::invalid("restitutions", found, allowed, advice));
    }
    let observed = speeds.iter().zip(restitutions).map(|(speed, restitution)| {
        let speed = speed.si("speeds", Dimension::SPEED)?;
        Ok(Observed { speed, restitution: restitution.si("restitutions", Dimension::NUMBER)? })
    });
    observed.collect()
}
