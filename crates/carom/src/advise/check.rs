//! Checks of Hertz's assumptions (elastic, quasi-static, small strain, half-spaces): each compares a number with its
//! limit.
//!
//! | check | number | limit | source |
//! |---|---|---|---|
//! | `yield` | v/v_y, v_y = √((4/5)·P_y·δ_y/mₑ) at p₀ = 1.6·Y | 1 | K. L. Johnson, Contact Mechanics (1985), §11.5 |
//! | `waves` | fraction λ of the energy that elastic waves carry away | 0.02 | Hunter (1957), see below |
//! | `transits` | duration of contact divided by that of a wave forth and back across the body, 4R/c₀ | 3 | Love (1927), see below |
//! | `low_speed` | v/(10⁻⁵·c₀) | 1 | Lankarani & Nikravesh (1990) |
//! | `small_strain` | a/R, contact radius over effective radius | 0.3 | see below |
//! | `half_space` | a over the smallest radius of the bodies | 0.3 | see below |
//!
//! c₀ = √(E/ρ). For a sphere on a half-space with ν = 1/4, λ = 1.04·(v/c₀)^(3/5) (S. C. Hunter, J. Mech. Phys. Solids
//! 5 (1957) 162–171; K. L. Johnson, Contact Mechanics (1985), §11.4). The check `transits` follows Love (1927); its
//! limit is a convention of carom.
//!
//! At the edge of contact the surface of a sphere is R − √(R² − a²) = (a²/2R)·(1 + (a/2R)² + …) below its pole, so
//! that the error of Hertz's paraboloid is (a/2R)² there: 0.25 % at a/R = 0.1 and 2.3 % at 0.3. In a close-fitting
//! cavity the effective radius is large and a/R small, but the contact extends around the inner body: there a/R₁ (and
//! the clearance) shows that the bodies are no half-spaces.

use super::Problem;
use crate::impact::Impact;
use crate::message::{Action, Message, Topic};
use crate::pair::Pair;
use crate::pair::limits::{NOTABLE_WAVE_LOSS, wave_speed};
use crate::units::format;
use serde::Serialize;
use std::f64::consts::PI;

/// Result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Up to a third of the limit.
    Ok,
    /// Between a third of the limit and the limit.
    Near,
    /// Beyond the limit.
    Fails,
    /// A required number is not known.
    Unknown,
}

names! {
    Status { Ok = "ok", Near = "near", Fails = "fails", Unknown = "unknown", }
}

/// A check of one assumption.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// Short name of the check.
    pub name: &'static str,
    /// Result of the check.
    pub status: Status,
    /// Checked number, at the highest speed.
    pub value: Option<f64>,
    /// Limit that the number should not exceed (for `transits`: should reach).
    pub limit: Option<f64>,
    /// The result in a sentence.
    pub message: Message,
}

/// Formats a number with three digits; in scientific notation, with two digits, below 0.001 and from 10 000 on.
fn format_short(value: f64) -> String {
    match value.abs() {
        size if (1e-3..1e4).contains(&size) => {
            let decimals = (2.0 - size.log10().floor()).max(0.0) as usize;
            format!("{value:.decimals$}")
        }
        _ => format!("{value:.1e}"),
    }
}

impl Check {
    fn unknown(name: &'static str, needs: impl Into<Message>) -> Self {
        let message = Message::from("not checked: needs ").and(needs);
        Self { name, status: Status::Unknown, value: None, limit: None, message }
    }

    fn at_most(name: &'static str, value: f64, limit: f64, message: impl Into<Message>) -> Self {
        let status = match value / limit {
            ratio if ratio <= 1.0 / 3.0 => Status::Ok,
            ratio if ratio <= 1.0 => Status::Near,
            _ => Status::Fails,
        };
        Self { name, status, value: Some(value), limit: Some(limit), message: message.into() }
    }
}

/// Performs all checks at the highest speed.
pub fn check_problem(problem: &Problem, elastic: &Impact) -> Vec<Check> {
    let mut checks = vec![check_yield(problem)];
    checks.extend(check_waves(problem, elastic));
    checks.push(check_low_speed(problem));
    checks.extend(contact_size_checks(problem, elastic));
    checks
}

fn check_yield(problem: &Problem) -> Check {
    let Some(limit) = problem.pair.yield_speed() else {
        let needs = sentence!(
            "a circular point contact and a yield strength (a material, see {}, or {})",
            Action::see(Topic::Materials),
            Action::give_entry("yield_1")
        );
        return Check::unknown("yield", needs);
    };
    let ratio = problem.speeds.1 / limit;
    let dent = match ratio > 1.0 {
        true => {
            "; the restitution then falls with speed (about v^-1/4) and a dent remains, which viscous laws \
             do not show"
        }
        false => "",
    };
    let (limit, times) = (format(limit, "m/s"), format_short(ratio));
    let message =
        format!("plastic flow begins at {limit}, the fastest impact is {times} times that{dent}");
    Check::at_most("yield", ratio, 1.0, message)
}

/// Performs the checks `waves` (energy carried away by elastic waves) and `transits` (duration of contact in wave
/// passages).
fn check_waves(problem: &Problem, elastic: &Impact) -> Vec<Check> {
    let pair = &problem.pair;
    let speed = problem.speeds.1;
    let Some(lost) = pair.wave_loss(speed) else {
        let needs = sentence!(
            "Young's modulus and density of a body ({}, or {} and {})",
            Action::give("bodies"),
            Action::give_entry("youngs_1"),
            Action::give_entry("density_1")
        );
        return vec![Check::unknown("waves", needs.clone()), Check::unknown("transits", needs)];
    };
    let (energy, restitution) = (format_short(100.0 * lost), format_short(50.0 * lost));
    let message = format!(
        "elastic waves carry away about {energy} % of the energy, which lowers e by {restitution} %"
    );
    let mut checks = vec![Check::at_most("waves", lost, NOTABLE_WAVE_LOSS, message)];
    match (pair.fact("youngs_1"), pair.fact("density_1"), pair.fact("radius_1")) {
        (Some(youngs), Some(density), Some(radius)) => {
            let transits = elastic.duration * wave_speed(youngs, density) / (4.0 * radius);
            let message = format!(
                "the fastest contact lasts {transits:.1} wave passages there and back through body 1; 3 or \
                 more make it quasi-static"
            );
            let check = Check::at_most("transits", 3.0 / transits, 1.0, message);
            checks.push(Check { value: Some(transits), limit: Some(3.0), ..check });
        }
        _ => checks.push(Check::unknown("transits", "radius, modulus and density of body 1")),
    }
    checks
}

fn check_low_speed(problem: &Problem) -> Check {
    let Some(limit) = problem.pair.low_speed_limit() else {
        return Check::unknown("low_speed", "Young's modulus and density of a body");
    };
    let ratio = problem.speeds.1 / limit;
    let (limit, times) = (format(limit, "m/s"), format_short(ratio));
    let message = format!(
        "1e-5 of the wave speed is {limit}; formulas limited to it are used {times} times as fast"
    );
    Check::at_most("low_speed", ratio, 1.0, message)
}

/// Computes the radius of the contact, or its half width, at the largest indentation of the elastic impact.
///
/// For a circular contact a² = R·δ; for a line contact b² = 4·F·R/(π·L·E*).
fn contact_size(pair: &Pair, elastic: &Impact, radius: f64) -> f64 {
    match pair.fact("length").zip(pair.fact("modulus")) {
        Some((length, modulus)) => {
            (4.0 * elastic.force_max * radius / (PI * length * modulus)).sqrt()
        }
        None => (radius * elastic.indentation_max).sqrt(),
    }
}

/// Computes the contact size divided by the radius of a body that lies in a cavity; `None` for other pairs.
pub fn conformity(pair: &Pair, elastic: &Impact) -> Option<f64> {
    let radius = pair.fact("radius")?;
    let (inner, outer) = (pair.fact("radius_1")?, pair.fact("radius_2")?);
    (radius > inner && outer > inner).then(|| contact_size(pair, elastic, radius) / inner)
}

/// Largest ratio of contact size to radius at which Hertz's theory of small contacts is used.
pub const MAX_SIZE_RATIO: f64 = 0.3;

/// Performs the checks `small_strain` and `half_space`: contact size divided by the radii, for the elastic impact,
/// because damping only reduces the indentation.
fn contact_size_checks(problem: &Problem, elastic: &Impact) -> Vec<Check> {
    let pair = &problem.pair;
    let Some(radius) = pair.fact("radius") else {
        let needs = sentence!(
            "the radius of the contact ({}, or {})",
            Action::give("bodies"),
            Action::give_entry("radius")
        );
        return vec![
            Check::unknown("small_strain", needs.clone()),
            Check::unknown("half_space", needs),
        ];
    };
    let size = contact_size(pair, elastic, radius);
    let what = if pair.fact("length").is_some() { "half width" } else { "contact radius" };
    let (ratio, width) = (size / radius, format(size, "m"));
    // (a/2R)² in per cent; see the module documentation.
    let error = format_short(25.0 * ratio * ratio);
    let message = format!(
        "{what} {width} is {ratio:.4} of the radius: Hertz's parabola is wrong by {error} % at its edge"
    );
    let mut checks = vec![Check::at_most("small_strain", ratio, MAX_SIZE_RATIO, message)];
    let radii = [pair.fact("radius_1"), pair.fact("radius_2")];
    let Some(least) = radii.into_iter().flatten().reduce(f64::min) else {
        checks.push(Check::unknown("half_space", "the radii of the bodies"));
        return checks;
    };
    let fit = match radii {
        [Some(inner), Some(outer)] if conformity(pair, elastic).is_some() => {
            let clearance = outer - inner;
            format!(
                "a cavity with clearance {} ({:.2} % of the radius); ",
                format(clearance, "m"),
                100.0 * clearance / inner
            )
        }
        _ => String::new(),
    };
    let ratio = size / least;
    let wraps = match (fit.is_empty(), ratio > MAX_SIZE_RATIO) {
        (false, true) => sentence!(
            "; the contact is conformal, take a law of the conformal group of {}",
            Action::see(Topic::Laws)
        ),
        (true, true) => "; the bodies are no half-spaces at this size of contact".into(),
        _ => Message::default(),
    };
    let message = sentence!("{fit}{what} over the smallest radius is {ratio:.4}{}", wraps);
    checks.push(Check::at_most("half_space", ratio, MAX_SIZE_RATIO, message));
    checks
}
