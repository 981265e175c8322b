//! Free parameters of a fit and their start values, determined without guesses by the user.
//!
//! The data contain the peak force, the impulse or the work. With mass and speed, the restitution follows from
//! m·v₀·(1 + e) = ∫F dt, or from e² = work of unloading over work of loading. Peak force and restitution suffice for
//! [`identify`](crate::identify) to find K and c of a power law exactly; a law of another form begins with the K of a
//! Hunt–Crossley law. Parameters of the law itself (a yield depth, a relaxation time) begin at a value computed from
//! the scales of the impact according to their unit; values over several powers of ten are then tried.
//!
//! Free parameters are those that the user names, and all that are needed and not given: the stiffness, the
//! dissipation in the form that the law takes (a coefficient, otherwise a restitution, otherwise its own parameters),
//! the speed, and the time of touch of a curve over time.

use super::probe;
use super::subject::{
    FreeParameter, Role, RowValues, Subject, find_parameter, lacks_dissipation, role_of_name,
};
use crate::error::{Error, Result};
use crate::exact::Exponents;
use crate::identify::{Measure, Measured, Method, Setup, identify};
use crate::impact::ContactState;
use crate::law::{Damper, Exit, Memory, Power};
use crate::message::Action;
use crate::model::{Damping, Input};
use crate::pair::{FACTS, Pair};
use crate::spec::{Case, missing_speed_error};

/// Estimates from the data before the fit.
#[derive(Clone, Debug, Default)]
pub(super) struct Scales {
    /// Pairs of speed (m/s) and restitution for the start, the most likely one first.
    pub impacts: Vec<(f64, f64)>,
    pub force: Option<f64>,
    pub indentation: Option<f64>,
    pub duration: Option<f64>,
    /// Mean time of the force (s), for curves over time.
    pub centre: Option<f64>,
}

/// Quantities that the user gave; these are not fitted.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub stiffness: bool,
    pub exponent: bool,
    pub speed: bool,
    /// Time of touch (s), if it was given.
    pub touch: Option<f64>,
    /// Names of parameters that the user wants to be free.
    pub named: Vec<String>,
    /// Whether the weight acts during contact.
    pub gravity: bool,
    /// Whether the zero of the signal is fitted.
    pub zero: bool,
}

/// Free parameters, the start vectors to try, and the indices of the parameters whose start values are guesses.
pub(super) struct Start {
    pub subject: Subject,
    pub candidates: Vec<Vec<f64>>,
    pub guesses: Vec<usize>,
}

/// Parameters that determine the stiffness in laws that do not use K.
const STIFFNESS_PARAMETERS: [&str; 4] =
    ["modulus", "volume_stiffness", "equilibrium_shear_modulus", "youngs_1"];

/// Prepares a fit of the described impact.
pub(super) fn start(case: &Case, given: &Given, scales: &Scales) -> Result<Start> {
    let mut case = case.clone();
    let Some(&(speed, e)) = scales.impacts.first() else {
        return Err(missing_speed_error("the approach speed at touch"));
    };
    if !given.speed {
        case.speed = speed;
    }
    use_accepted_exponent(&mut case, given);
    let seed = Seed::new(&case, given, scales, speed, e)?;
    case.pair.stiffness = seed.stiffness;
    let mut subject = Subject { case, free: Vec::new(), gravity: given.gravity };
    for name in &given.named {
        let role = role_of_name(&subject.case, name)?;
        subject.add(role);
    }
    if subject.position(&Role::Damping).is_some() && subject.position(&Role::Restitution).is_some()
    {
        let advice = "each determines the other; name one of them";
        return Err(Error::unsupported("damping and restitution free together", advice));
    }
    let mut guesses: Vec<(Role, f64)> = Vec::new();
    free_dissipation(&mut subject, &seed, &mut guesses)?;
    free_stiffness(&mut subject, given, &seed, &mut guesses);
    if !given.speed {
        subject.add(Role::Speed);
    }
    match (given.touch, scales.centre) {
        (None, Some(_)) => subject.add(Role::Touch),
        _ => subject.free.retain(|free| free.role != Role::Touch),
    }
    if given.zero {
        subject.add(Role::Offset);
    }
    limit_rates(&mut subject, &seed);
    let mut candidates = Vec::new();
    for &(speed, e) in &scales.impacts {
        candidates.push(start_vector(&subject, given, scales, &guesses, speed, e)?);
    }
    let index = |(role, _): &(Role, f64)| subject.position(role);
    let guesses = guesses.iter().filter_map(index).collect();
    Ok(Start { subject, candidates, guesses })
}

/// Largest value that is tried for a parameter in 1/s, multiplied by the duration of contact.
const MAX_RATE: f64 = 500.0;

/// Limits rates (1/s) to [`MAX_RATE`] divided by the duration of contact: larger values hardly change the curve, and
/// the number of integration steps increases with them. The limit rejects trial values; it is not a bound of the
/// search, because the search would end at a bound.
fn limit_rates(subject: &mut Subject, seed: &Seed) {
    for free in subject.free.iter_mut().filter(|free| free.unit == "1/s") {
        free.limit = MAX_RATE / seed.time;
    }
}

/// Sets n = 1 for linear laws that do not accept the default of 3/2, if no exponent was given.
fn use_accepted_exponent(case: &mut Case, given: &Given) {
    if given.exponent {
        return;
    }
    let dampings =
        [case.damping, Damping::Coefficient(1.0), Damping::Exact(0.7), Damping::Restitution(0.7)];
    let builds = |case: &Case| dampings.iter().any(|&d| can_be_built(case, d));
    if !builds(case) {
        let linear = Case { pair: Pair { exponent: 1.0, ..case.pair.clone() }, ..case.clone() };
        if builds(&linear) {
            *case = linear;
        }
    }
}

/// Returns whether the law can be built, or lacks only parameters of its own.
fn can_be_built(case: &Case, damping: Damping) -> bool {
    match case.model.law(&case.pair, damping, case.exit, &case.set) {
        Ok(_) => true,
        Err(error) => {
            error.missing_parameter().is_some_and(|name| find_parameter(case, name).is_some())
        }
    }
}

/// Estimates of the impact by the exact identification of a power law.
struct Seed {
    stiffness: f64,
    /// Damping coefficient of the power law.
    coefficient: f64,
    /// Largest indentation (m).
    depth: f64,
    /// Duration of contact (s).
    time: f64,
    force: f64,
    speed: f64,
    restitution: f64,
}

impl Seed {
    fn new(case: &Case, given: &Given, scales: &Scales, speed: f64, e: f64) -> Result<Self> {
        let n = case.pair.exponent;
        let fallback = Exponents::new(n, n, 1.0)?;
        let dampings = [Damping::Coefficient(1.0), case.damping, Damping::Exact(0.7)];
        let power = dampings.iter().find_map(|&damping| {
            let law = case.model.law(&case.pair, damping, case.exit, &case.set).ok()?;
            Exponents::of(law.power()?).ok()
        });
        let setup = Setup::new(case.pair.mass, speed, power.unwrap_or(fallback), Exit::ZeroForce)?;
        if given.stiffness {
            return Self::from_stiffness(&setup, case.pair.stiffness, e);
        }
        let second = [
            (Measure::Force, scales.force),
            (Measure::Indentation, scales.indentation),
            (Measure::Duration, scales.duration),
        ];
        let Some((what, value)) = second.into_iter().find_map(|(what, value)| Some((what, value?)))
        else {
            let advice = sentence!(
                "restitutions alone do not show it; give {}, or measure a force, a duration or an \
                 indentation as well",
                Action::give_as("stiffness", "K")
            );
            return Err(Error::missing("stiffness", advice));
        };
        let e = Measured::new(Measure::Restitution, e.clamp(0.02, 0.9999))?;
        let solution = identify(&setup, [e, Measured::new(what, value)?], Method::Exact)?.solution;
        Ok(Self {
            stiffness: solution.pair.stiffness,
            coefficient: solution.damping.coefficient.unwrap_or(0.0),
            depth: solution.predicted.indentation_max,
            time: solution.predicted.duration,
            force: solution.predicted.force_max,
            speed,
            restitution: e.value,
        })
    }

    /// Estimates the impact if K is known; the damping follows from the restitution.
    fn from_stiffness(setup: &Setup, stiffness: f64, e: f64) -> Result<Self> {
        let Setup { mass, speed, exponents, .. } = *setup;
        let Exponents { n, m, q } = exponents;
        let e = e.clamp(0.02, 0.9999);
        let epsilon = crate::exact::epsilon(exponents, Exit::ZeroForce, e)?;
        let power = Power::new(stiffness, n, m, q, Damper::Ratio(epsilon));
        let length = power.length(mass, speed);
        Ok(Self {
            stiffness,
            coefficient: power.coefficient(mass, speed),
            depth: length,
            time: 3.0 * length / speed,
            force: mass * speed * speed / length,
            speed,
            restitution: e,
        })
    }
}

/// Frees the dissipation if it was not given, in the form that the law takes, and the other parameters that it lacks.
fn free_dissipation(
    subject: &mut Subject,
    seed: &Seed,
    guesses: &mut Vec<(Role, f64)>,
) -> Result<()> {
    let by_restitution = subject.position(&Role::Restitution).is_some();
    if subject.position(&Role::Damping).is_some() {
        return free_coefficient(subject, seed, guesses);
    }
    if by_restitution && subject.case.damping.restitution().is_none() {
        subject.case.damping = Damping::Exact(seed.restitution);
    }
    let stands_in = |free: &FreeParameter| match free.role {
        Role::Own(name) => subject.case.model.stands_in.contains(&name),
        _ => false,
    };
    let has_dissipation = by_restitution || subject.free.iter().any(stands_in);
    if has_dissipation || !lacks_dissipation(&subject.case) {
        return free_missing(subject, seed, guesses);
    }
    let (mut trial, mut found) = (subject.clone(), Vec::new());
    trial.add(Role::Damping);
    let coefficient = free_coefficient(&mut trial, seed, &mut found);
    if coefficient.is_ok() && affects_touch(&trial, &start_values(&trial, &found, seed)) {
        (*subject, *guesses) = (trial, found);
        return Ok(());
    }
    if subject.case.model.input == Input::Restitution {
        subject.case.damping = Damping::Exact(seed.restitution);
        subject.add(Role::Restitution);
    }
    // The parameters that the law reports as missing are freed; if it cannot be built for another reason, its own
    // error is returned.
    free_missing(subject, seed, guesses)
}

/// Sets the damping as a coefficient and frees the parameters that the law still lacks.
fn free_coefficient(
    subject: &mut Subject,
    seed: &Seed,
    guesses: &mut Vec<(Role, f64)>,
) -> Result<()> {
    subject.case.damping = Damping::Coefficient(seed.coefficient);
    free_missing(subject, seed, guesses)?;
    let mut case = subject.case(&start_values(subject, guesses, seed), RowValues::default()).0;
    case.damping = Damping::None;
    subject.case.damping = Damping::Coefficient(first_coefficient(&case, seed));
    Ok(())
}

/// Returns whether the coefficient changes the memory that the law initialises at touch.
fn affects_touch(subject: &Subject, x: &[f64]) -> bool {
    let touch = |factor: f64| -> Option<Memory> {
        let (case, ..) = subject.case(x, RowValues::default());
        let Damping::Coefficient(c) = case.damping else { return None };
        let case = Case { damping: Damping::Coefficient(factor * c), ..case };
        Some(case.law().ok()?.touch(case.speed))
    };
    touch(1.0).is_some() && touch(1.0) != touch(2.0)
}

/// Returns the coefficient, in the unit of the law, that delivers the restitution of the data.
fn first_coefficient(case: &Case, seed: &Seed) -> f64 {
    let law = |damping| case.model.law(&case.pair, damping, case.exit, &case.set).ok();
    let Some(unit) = law(Damping::Coefficient(1.0)) else { return seed.coefficient };
    let one = unit.touch(seed.speed).damping;
    let c = match unit.power() {
        Some(_) => seed.coefficient / one,
        None => match law(Damping::Exact(seed.restitution)) {
            Some(exact) => exact.touch(seed.speed).damping / one,
            None => f64::NAN,
        },
    };
    if c.is_finite() && c > 0.0 { c } else { seed.force / seed.speed }
}

/// Frees the parameters that the law reports as missing, except properties of the bodies.
fn free_missing(subject: &mut Subject, seed: &Seed, guesses: &mut Vec<(Role, f64)>) -> Result<()> {
    for _ in 0..12 {
        let x = start_values(subject, guesses, seed);
        let error = match subject.trial(&x, RowValues::default()) {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        let name = error.missing_parameter().unwrap_or_default();
        let Some(parameter) = find_parameter(&subject.case, name) else { return Err(error) };
        let of_bodies = FACTS.iter().any(|(fact, ..)| *fact == name);
        let value = match (name, known_value(&subject.case, "radius")) {
            ("modulus", Some(radius)) => 0.75 * seed.stiffness / radius.sqrt(),
            _ if of_bodies => return Err(error),
            _ => guess_from_unit(&subject.case, parameter.name, parameter.unit, seed),
        };
        guesses.push((Role::Own(parameter.name), value));
        subject.add(Role::Own(parameter.name));
    }
    Ok(())
}

/// Frees the stiffness, or the parameter that determines it in this law, unless it was given.
fn free_stiffness(
    subject: &mut Subject,
    given: &Given,
    seed: &Seed,
    guesses: &mut Vec<(Role, f64)>,
) {
    if given.stiffness || subject.position(&Role::Stiffness).is_some() {
        return;
    }
    let x = start_values(subject, guesses, seed);
    let force = |subject: &Subject| -> Option<f64> {
        let trial = subject.trial(&x, RowValues::default()).ok()?;
        let memory = trial.law.touch(trial.speed);
        let point = ContactState { delta: 0.3 * seed.depth, rate: 0.7 * seed.speed, memory };
        let timed = Memory { time: 0.3 * seed.time, ..point.memory };
        let points = [point, ContactState { memory: timed, ..point }];
        Some(probe::forces(&trial.law, &points).iter().sum())
    };
    let mut stiffer = subject.clone();
    stiffer.case.pair.stiffness *= 1.1;
    let (before, after) = (force(subject), force(&stiffer));
    if before.is_none() || before != after {
        subject.add(Role::Stiffness);
        return;
    }
    let parameters = subject.case.model.parameters;
    let own =
        STIFFNESS_PARAMETERS.iter().find_map(|name| parameters.iter().find(|p| p.name == *name));
    if let Some(parameter) = own {
        let value = known_value(&subject.case, parameter.name);
        let guessed = || guess_from_unit(&subject.case, parameter.name, parameter.unit, seed);
        guesses.push((Role::Own(parameter.name), value.unwrap_or_else(guessed)));
        subject.add(Role::Own(parameter.name));
    }
}

/// Returns the value of a parameter that was set, or of a property of the pair.
fn known_value(case: &Case, name: &str) -> Option<f64> {
    let set = case.set.iter().find(|(set, _)| set == name).map(|set| set.1);
    set.or_else(|| case.pair.fact(name))
}

/// Returns a first value of a parameter, computed from its unit and the scales of the impact.
fn guess_from_unit(case: &Case, name: &str, unit: &str, seed: &Seed) -> f64 {
    let radius = known_value(case, "radius").or_else(|| known_value(case, "radius_1"));
    let radius = radius.unwrap_or(30.0 * seed.depth);
    let pressure = seed.force / (std::f64::consts::PI * radius * seed.depth);
    match (name, unit) {
        ("limiting_pressure", _) => pressure,
        ("unloading_stiffness", _) => 2.0 * seed.stiffness,
        ("equilibrium_shear_modulus", _) => 0.5 * seed.stiffness / radius.sqrt(),
        ("work_of_adhesion", _) => 0.005 * seed.force / radius,
        (_, "Pa") => seed.stiffness / radius.sqrt(),
        (_, "Pa s" | "Pa*s") => pressure * seed.time,
        (_, "N/m") => seed.force / seed.depth,
        (_, "N/m^3") => seed.force / (radius * seed.depth * seed.depth),
        (_, "m") => 0.3 * seed.depth,
        (_, "m^2") => seed.depth * radius,
        (_, "s") => 0.1 * seed.time,
        (_, "1/s") => 3.0 / seed.time,
        (_, "1/m") => 1.0 / seed.depth,
        (_, "m/s") => seed.speed,
        (_, "s/m") => 0.3 / seed.speed,
        _ => 0.5,
    }
}

/// Returns the start values of all free parameters, in the form in which they are searched.
fn start_values(subject: &Subject, guesses: &[(Role, f64)], seed: &Seed) -> Vec<f64> {
    let case = &subject.case;
    let value = |free: &FreeParameter| match &free.role {
        Role::Stiffness => seed.stiffness,
        Role::Exponent => case.pair.exponent,
        Role::Damping => match case.damping {
            Damping::Coefficient(c) => c,
            _ => seed.coefficient,
        },
        Role::Restitution => case.damping.restitution().unwrap_or(seed.restitution),
        Role::Speed => seed.speed,
        Role::Touch | Role::Offset | Role::Drift => 0.0,
        Role::Own(name) => {
            let guessed = guesses.iter().find(|(role, _)| *role == free.role);
            let known = known_value(case, name).or(guessed.map(|g| g.1));
            let parameter = find_parameter(case, name);
            let default = parameter.and_then(|p| p.default);
            match (known.or(default), *name) {
                (Some(value), _) => value,
                (None, "damping_exponent") => case.pair.exponent,
                (None, _) => guess_from_unit(case, name, parameter.map_or("", |p| p.unit), seed),
            }
        }
    };
    let start = |free: &FreeParameter| {
        let (low, high) = free.range;
        let mut value = value(free);
        // A start value is not placed at a bound, because the derivative may vanish there.
        if !free.logarithmic && high - low <= 1.0 {
            value = value.clamp(low + 0.1 * (high - low), high - 0.02 * (high - low));
        }
        free.to_search_variable(value.clamp(low, high))
    };
    subject.free.iter().map(start).collect()
}

/// Returns a start vector for one speed and restitution.
fn start_vector(
    subject: &Subject,
    given: &Given,
    scales: &Scales,
    guesses: &[(Role, f64)],
    speed: f64,
    e: f64,
) -> Result<Vec<f64>> {
    let mut seeded = subject.clone();
    let seed = Seed::new(&subject.case, given, scales, speed, e)?;
    if subject.position(&Role::Speed).is_some() {
        seeded.case.speed = speed;
    }
    if subject.position(&Role::Damping).is_some() {
        let mut case = subject.case(&start_values(&seeded, guesses, &seed), RowValues::default()).0;
        case.damping = Damping::None;
        seeded.case.damping = Damping::Coefficient(first_coefficient(&case, &seed));
    }
    let mut x = start_values(&seeded, guesses, &seed);
    if let (Some(index), Some(centre)) = (subject.position(&Role::Touch), scales.centre) {
        x[index] = centre - mean_force_time(&seeded, &x).unwrap_or(0.5 * seed.time);
    }
    Ok(x)
}

/// Returns the mean time of the force of a law, ∫tF dt/∫F dt (s).
pub(super) fn mean_force_time(subject: &Subject, x: &[f64]) -> Option<f64> {
    let (trial, motion) = subject.motion(x)?;
    let times: Vec<f64> = (0..=64).map(|i| motion.end * f64::from(i) / 64.0).collect();
    let points: Vec<ContactState> = times.iter().filter_map(|&t| motion.at(t)).collect();
    let forces = probe::forces(&trial.law, &points);
    let moment: f64 = times.iter().zip(&forces).map(|(t, f)| t * f).sum();
    Some(moment / forces.iter().sum::<f64>())
}
