//! Description of a problem, as a command line, a page or a file gives it.

use super::{Advice, Integrator, Problem, Purpose, RequestedRestitution, advise};
use crate::error::{Error, Result, check_positive};
use crate::identify::observed_restitutions;
use crate::message::{Action, Topic};
use crate::models::CATALOGUE;
use crate::pair::FACTS;
use crate::spec::{self, BodySpec, Quantity};
use crate::units::Dimension;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Description of a problem for which advice is requested.
///
/// ```
/// use carom::advise::Spec;
/// let spec = Spec {
///     mass: Some("0.54 kg".into()),
///     stiffness: Some(2.4144e10.into()),
///     speed: Some("0.1..1 m/s".into()),
///     restitution: Some(0.7568.into()),
///     purpose: Some("granular".into()),
///     ..Spec::default()
/// };
/// let advice = spec.run()?;
/// let first = &advice.recommended[0];
/// assert_eq!(first.damping.damping_exponent, Some(0.25));
/// assert!(first.delivered.iter().all(|at| (at.constant.unwrap() - 0.7568).abs() < 1e-9));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// Effective mass, if no bodies are given.
    pub mass: Option<Quantity>,
    /// Stiffness K, if no bodies are given.
    pub stiffness: Option<Quantity>,
    /// Stiffness exponent n; 3/2 unless it is given or follows from the bodies.
    pub exponent: Option<Quantity>,
    /// Two bodies, instead of mass, stiffness and exponent.
    pub bodies: Vec<BodySpec>,
    /// Approach speed at onset, or a range such as `0.1..5 m/s`.
    pub speed: Option<Quantity>,
    /// Upper end of the range, if `speed` is the lower one.
    pub speed_max: Option<Quantity>,
    /// Requested restitution at all speeds.
    pub restitution: Option<Quantity>,
    /// Several speeds, each with a restitution, instead of one restitution.
    pub speeds: Vec<Quantity>,
    /// Restitutions at these speeds.
    pub restitutions: Vec<Quantity>,
    /// Purpose, one of [`Purpose`]; `single` unless given.
    pub purpose: Option<String>,
    /// Exit of contact: `force` (unless given) or `indentation`.
    pub exit: Option<String>,
    /// Integration scheme, one of [`Integrator`]; `velocity-verlet` unless given.
    pub integrator: Option<String>,
    /// Relative error in restitution that the step may cause; 0.01 unless given.
    pub tolerance: Option<Quantity>,
    /// Step to be judged.
    pub step: Option<Quantity>,
    /// Parameters of laws and facts of the pair, by name.
    pub set: BTreeMap<String, Quantity>,
}

impl Spec {
    /// Checks the description and computes the advice.
    pub fn run(&self) -> Result<Advice> {
        advise(&self.problem()?)
    }

    /// Checks the description and creates the problem.
    pub fn problem(&self) -> Result<Problem> {
        let wanted = self.wanted()?;
        let speeds = self.speed_range(wanted.as_ref())?;
        let mut facts = BTreeMap::new();
        let mut set = Vec::new();
        for (name, value) in &self.set {
            if FACTS.iter().any(|(fact, ..)| fact == name) {
                facts.insert(name.clone(), value.clone());
            } else {
                set.push((name.clone(), parameter(name, value)?));
            }
        }
        // The pair is read like that of an impact with Hertz's law, which needs no other parameters.
        let pair = spec::Spec {
            law: "hertz-1881".into(),
            mass: self.mass.clone(),
            stiffness: self.stiffness.clone(),
            exponent: self.exponent.clone(),
            bodies: self.bodies.clone(),
            speed: Some(speeds.1.into()),
            set: facts,
            ..spec::Spec::default()
        }
        .case()?
        .pair;
        let tolerance = Quantity::si_if_given(&self.tolerance, "tolerance", Dimension::NUMBER)?;
        let tolerance = tolerance.unwrap_or(0.01);
        if !(1e-6..=0.5).contains(&tolerance) {
            let advice = "give the relative error in restitution that the step may cause, such as 0.01 or 1%";
            return Err(Error::invalid("tolerance", tolerance, "between 1e-6 and 0.5", advice));
        }
        let step = Quantity::si_if_given(&self.step, "step", Dimension::TIME)?;
        let step =
            step.map(|step| check_positive("step", step, "give a time step in s")).transpose()?;
        Ok(Problem {
            pair,
            speeds,
            wanted,
            purpose: self.purpose.as_deref().map_or(Ok(Purpose::default()), str::parse)?,
            exit: self.exit.as_deref().map_or(Ok(crate::Exit::ZeroForce), str::parse)?,
            integrator: (self.integrator.as_deref())
                .map_or(Ok(Integrator::VelocityVerlet), str::parse)?,
            tolerance,
            step,
            set,
        })
    }

    /// Returns the requested restitution: one for all speeds, or several with their speeds.
    fn wanted(&self) -> Result<Option<RequestedRestitution>> {
        let several = !self.speeds.is_empty() || !self.restitutions.is_empty();
        let Some(restitution) = &self.restitution else {
            if !several {
                return Ok(None);
            }
            let observed = observed_restitutions(&self.speeds, &self.restitutions)?;
            let points = observed.into_iter().map(|at| (at.speed, at.restitution)).collect();
            return RequestedRestitution::several(points).map(Some);
        };
        if several {
            return Err(Error::unsupported(
                "one restitution beside speeds and restitutions",
                sentence!(
                    "give one for all speeds or one for each; leave out {} or {} and {}",
                    Action::leave_out("restitution"),
                    Action::leave_out("speeds"),
                    Action::leave_out("restitutions")
                ),
            ));
        }
        RequestedRestitution::one(restitution.si("restitution", Dimension::NUMBER)?).map(Some)
    }

    /// Returns the lowest and the highest speed.
    fn speed_range(&self, wanted: Option<&RequestedRestitution>) -> Result<(f64, f64)> {
        let read = |name: &str, value: &Quantity| {
            let advice = "give the approach speed at touch in m/s, above 0";
            check_positive(name, value.si(name, Dimension::SPEED)?, advice)
        };
        let (low, high) =
            match (&self.speed, &self.speed_max, wanted.and_then(RequestedRestitution::range)) {
                (None, None, Some(range)) => range,
                (None, ..) => {
                    let what = "the approach speed at touch, or a range such as 0.1..5m/s";
                    return Err(spec::missing_speed_error(what));
                }
                (Some(speed), max, _) if let Some((low, high)) = speed.range() => {
                    if max.is_some() {
                        return Err(Error::unsupported(
                            "a range of speeds together with a highest speed",
                            sentence!(
                                "write {}, or {} and {}",
                                Action::give_as("speed", "0.1..5m/s"),
                                Action::give_as("speed", "0.1m/s"),
                                Action::give_as("speed_max", "5m/s")
                            ),
                        ));
                    }
                    (read("speed", &low)?, read("speed", &high)?)
                }
                (Some(speed), None, _) => {
                    let speed = read("speed", speed)?;
                    (speed, speed)
                }
                (Some(low), Some(high), _) => (read("speed", low)?, read("speed_max", high)?),
            };
        if low > high {
            let allowed = "a range from the lower to the higher speed";
            return Err(Error::invalid("speed", format!("{low}..{high}"), allowed, "swap the two"));
        }
        if high / low > 1e6 {
            let allowed = "a range of at most six powers of ten";
            let advice = "ask for the slow and the fast impacts one after the other";
            return Err(Error::invalid("speed", format!("{low}..{high}"), allowed, advice));
        }
        Ok((low, high))
    }
}

/// Reads the value of a parameter that at least one law of the catalogue declares.
fn parameter(name: &str, value: &Quantity) -> Result<f64> {
    let declared = || CATALOGUE.iter().flat_map(|model| model.parameters);
    match declared().find(|p| p.name == name) {
        // A unit that depends on an exponent has no fixed dimension: a plain number in SI units is expected.
        Some(p) => value.si(name, Dimension::of(p.unit).unwrap_or(Dimension::NUMBER)),
        None => {
            let known = declared().map(|p| p.name).chain(FACTS.iter().map(|(fact, ..)| *fact));
            let otherwise = sentence!(
                "no law of the catalogue takes it; see {} for what it takes",
                Action::see(Topic::Law)
            );
            Err(Error::unknown("parameter", name, known, otherwise))
        }
    }
}
