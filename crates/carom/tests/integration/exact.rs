//! Exact restitution: delivered equals requested, and the limits that are known in closed form.

use crate::common::reference;
use crate::common::{Misses, Random};
use carom::exact::{self, Exponents};
use carom::law::{Damper, Exit, Law, Power};
use carom::{Damping, Pair, collide, model};
use std::f64::consts::PI;

const EXITS: [Exit; 2] = [Exit::ZeroForce, Exit::ZeroIndentation];

fn exponents(n: f64, m: f64, q: f64) -> Exponents {
    Exponents::new(n, m, q).expect("exponents in range")
}

fn restitution(n: f64, m: f64, q: f64, exit: Exit, epsilon: f64) -> f64 {
    exact::restitution(exponents(n, m, q), exit, epsilon).expect("it separates")
}

fn outcome(n: f64, m: f64, q: f64, exit: Exit, epsilon: f64) -> exact::Outcome {
    let found = exact::outcome(exponents(n, m, q), exit, epsilon);
    found.expect("in range").expect("it separates")
}

fn beta(a: f64, b: f64) -> f64 {
    (libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b)).exp()
}

/// Requests `count` random restitutions and compares the delivered ones.
fn round_trip(seed: u64, count: usize, q: (f64, f64), tolerance: f64) {
    let mut random = Random::new(seed);
    let mut misses = Misses::new();
    for _ in 0..count {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        let q = random.decades(q.0, q.1);
        // Half of the restitutions are uniformly distributed, the other half logarithmically, to obtain many low ones.
        let e = match random.unit() < 0.5 {
            true => random.between(0.001, 1.0),
            false => random.decades(0.001, 1.0),
        };
        for exit in EXITS {
            let label = format!("n {n} m {m} q {q} e {e} {exit:?}");
            match exact::epsilon(exponents(n, m, q), exit, e) {
                Err(error) => misses.require(false, || format!("{label}: {error}")),
                Ok(epsilon) => {
                    match exact::restitution(exponents(n, m, q), exit, epsilon) {
                        Ok(found) => misses.within(&label, found, e, tolerance),
                        Err(error) => misses.require(false, || format!("{label}: {error}")),
                    }
                    match exact::outcome(exponents(n, m, q), exit, epsilon) {
                        Ok(Some(found)) => misses.within(&label, found.restitution, e, tolerance),
                        other => misses.require(false, || format!("{label}: {other:?}")),
                    }
                }
            }
        }
    }
    misses.assert_none();
}

#[test]
fn a_requested_restitution_is_delivered_for_any_exponents() {
    round_trip(1, 2000, (0.3, 3.0), 1e-10);
}

#[test]
fn a_requested_restitution_is_delivered_for_nearly_dry_damping() {
    round_trip(2, 500, (0.05, 0.3), 1e-10);
}

#[test]
fn the_lowest_restitutions_are_delivered_too() {
    let mut misses = Misses::new();
    for e in [1e-4, 1e-6] {
        for (n, m, q) in [(1.5, 1.5, 1.0), (1.0, 0.0, 1.0), (1.5, 0.25, 1.0), (1.5, 0.5, 1.0)] {
            for exit in EXITS {
                let label = format!("n {n} m {m} q {q} e {e} {exit:?}");
                let epsilon = exact::epsilon(exponents(n, m, q), exit, e).expect("reachable");
                misses.near(label, outcome(n, m, q, exit, epsilon).restitution, e, 1e-8);
            }
        }
    }
    misses.assert_none();
}

#[test]
fn damping_in_compression_only_delivers_what_is_asked_for() {
    let mut random = Random::new(3);
    let mut misses = Misses::new();
    for _ in 0..500 {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        let (q, e) = (random.between(0.3, 3.0), random.between(0.01, 1.0));
        let label = format!("n {n} m {m} q {q} e {e}");
        let found = exact::compression_epsilon(exponents(n, m, q), e).and_then(|epsilon| {
            let outcome = exact::compression_outcome(exponents(n, m, q), epsilon)?;
            let e = exact::compression_restitution(exponents(n, m, q), epsilon)?;
            Ok((e, outcome.map_or(f64::NAN, |outcome| outcome.restitution)))
        });
        match found {
            Ok((a, b)) => {
                misses.within(&label, a, e, 1e-10);
                misses.within(&label, b, e, 1e-10);
            }
            Err(error) => misses.require(false, || format!("{label}: {error}")),
        }
    }
    misses.assert_none();
}

#[test]
fn restitution_falls_as_damping_grows() {
    let mut random = Random::new(4);
    let mut misses = Misses::new();
    for _ in 0..60 {
        let (n, m) = (random.between(1.0, 4.0), random.between(0.0, 4.0));
        let q = random.between(0.5, 2.5);
        for exit in EXITS {
            let mut last = 1.0;
            for i in 0..25 {
                let epsilon = 1e-3 * 1.8f64.powi(i);
                let Ok(e) = exact::restitution(exponents(n, m, q), exit, epsilon) else { break };
                let label = format!("n {n} m {m} q {q} eps {epsilon} {exit:?}");
                misses.require(e < last, || format!("{label}: {e} after {last}"));
                last = e;
            }
        }
    }
    misses.assert_none();
}

#[test]
fn restitution_depends_on_mu_q_and_the_reduced_damping_alone() {
    let mut random = Random::new(5);
    let mut misses = Misses::new();
    let mut pairs = 0;
    while pairs < 300 {
        let (n, m, q) =
            (random.between(1.0, 5.0), random.between(0.0, 5.0), random.between(0.4, 3.0));
        let (mu, n2) = ((m + 1.0) / (n + 1.0), random.between(1.0, 5.0));
        let m2 = mu * (n2 + 1.0) - 1.0;
        if !(0.0..=5.0).contains(&m2) {
            continue;
        }
        pairs += 1;
        let reduced = random.decades(1e-3, 10.0);
        let damping = |n: f64, m: f64| reduced * (n + 1.0).powf((n - m) / (n + 1.0));
        for exit in EXITS {
            let first = exact::restitution(exponents(n, m, q), exit, damping(n, m));
            let second = exact::restitution(exponents(n2, m2, q), exit, damping(n2, m2));
            let label = format!("n {n} m {m} q {q} n2 {n2} m2 {m2} reduced {reduced} {exit:?}");
            match (first, second) {
                (Ok(a), Ok(b)) => misses.within(label, a, b, 1e-12),
                (a, b) => {
                    misses.require(a.is_err() && b.is_err(), || format!("{label}: {a:?} but {b:?}"))
                }
            }
        }
    }
    misses.assert_none();
}

#[test]
fn on_the_velocity_free_line_speed_does_not_matter() {
    let mut random = Random::new(6);
    let mut misses = Misses::new();
    for _ in 0..40 {
        let n = random.between(1.0, 5.0);
        let q = random.between(0.3, 2.0 * n / (n + 1.0));
        let m = n - 0.5 * q * (n + 1.0);
        assert!(exponents(n, m, q).is_velocity_free());
        let coefficient = 1e3 * random.unit();
        let speeds = [1e-4, 1e-2, 1.0, 30.0];
        for exit in EXITS {
            let damper = Damper::Coefficient(coefficient);
            let law = Law::new(0.7, exit, Power::new(1e7, n, m, q, damper));
            let e = speeds.map(|v| collide(&law, v).expect("an impact").restitution.newton);
            for other in e {
                misses.within(format!("n {n} m {m} q {q} {exit:?}"), other, e[0], 1e-11);
            }
        }
    }
    misses.assert_none();
    assert!(!exponents(1.5, 1.5, 1.0).is_velocity_free());
}

#[test]
fn beyond_the_critical_damping_of_the_velocity_free_line_nothing_separates() {
    for (n, q) in [(1.0, 1.0f64), (1.5, 1.0), (1.5, 0.8), (2.0, 1.0), (3.0, 0.6), (3.0, 1.4)] {
        let m = n - 0.5 * q * (n + 1.0);
        let critical = 2.0 / (2.0 - q) * (2.0 * q / ((n + 1.0) * (2.0 - q))).powf(-0.5 * q);
        let at = |share: f64, exit| {
            exact::outcome(exponents(n, m, q), exit, share * critical).expect("in range")
        };
        assert!(at(0.98, Exit::ZeroIndentation).is_some(), "n {n} q {q}");
        assert!(at(1.001, Exit::ZeroIndentation).is_none(), "n {n} q {q}");
        let error = exact::restitution(exponents(n, m, q), Exit::ZeroIndentation, 1.01 * critical);
        let text = error.expect_err("it never separates").to_string();
        assert!(text.contains("never separate") && text.contains("exit = \"force\""), "{text}");
        // With contacts that do not pull (exit at zero force) the impact nevertheless ends.
        assert!(at(10.0, Exit::ZeroForce).is_some(), "n {n} q {q}");
    }
}

#[test]
fn undamped_impacts_last_as_long_as_the_gamma_function_says() {
    let mut misses = Misses::new();
    for n in [1.0f64, 1.2, 1.5, 2.0, 3.0, 4.4, 5.0] {
        let inverse = 1.0 / (n + 1.0);
        let deepest = (0.5 * (n + 1.0)).powf(inverse);
        let gammas = libm::tgamma(1.0 + inverse) / libm::tgamma(0.5 + inverse);
        let time = 2.0 * deepest * PI.sqrt() * gammas;
        for (m, q) in [(n, 1.0), (0.0, 1.0), (2.5, 0.5)] {
            for exit in EXITS {
                let found = outcome(n, m, q, exit, 0.0);
                let label = format!("n {n} m {m} q {q}");
                misses.near(&label, found.duration, time, 1e-12);
                misses.near(&label, found.time_of_indentation_max, 0.5 * time, 1e-12);
                misses.near(&label, found.time_of_force_max, 0.5 * time, 1e-12);
                misses.near(&label, found.indentation_max, deepest, 1e-12);
                misses.near(&label, found.force_max, deepest.powf(n), 1e-12);
                misses.near(&label, found.restitution, 1.0, 1e-12);
                misses.within(&label, found.residual_indentation, 0.0, 1e-12);
            }
        }
    }
    misses.assert_none();
}

#[test]
fn durations_start_and_end_as_theory_says() {
    let mut misses = Misses::new();
    for n in [1.0, 1.5, 2.0, 3.0, 5.0] {
        let time = |epsilon: f64| outcome(n, n, 1.0, Exit::ZeroForce, epsilon).duration;
        // Richardson extrapolation of the secant, accurate to second order.
        let secant = |h: f64| (time(h) - time(0.0)) / h;
        let slope = 2.0 * secant(5e-4) - secant(1e-3);
        let expected = time(0.0) * (n - 1.0) / (3.0 * (n + 1.0));
        misses.within(format!("n {n}: slope at no damping"), slope, expected, 1e-6);
        for epsilon in [1e3, 1e5, 1e7f64] {
            let asymptote = (n + 1.0).powf(1.0 / (n + 1.0)) * epsilon.powf(n / (n + 1.0));
            let room = 2.0 * epsilon.ln() / epsilon;
            misses.near(format!("n {n}: epsilon {epsilon}"), time(epsilon), asymptote, room);
        }
    }
    misses.assert_none();
}

#[test]
fn small_losses_follow_the_beta_function() {
    let mut random = Random::new(7);
    let mut misses = Misses::new();
    for _ in 0..100 {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        let q = random.between(0.3, 3.0);
        let (mu, half) = ((m + 1.0) / (n + 1.0), 1.0 + 0.5 * q);
        let slope = (0.5 * (n + 1.0)).powf(mu - 1.0) * beta(mu, half);
        for exit in EXITS {
            // An end at zero force leaves out the last part of the motion. This changes the result in a power of the damping that
            // is higher than the first, but not by much.
            let spared = match exit == Exit::ZeroForce && m < n {
                true => (1e-5 / slope).powf((m + 1.0) / (n - m)),
                false => 0.0,
            };
            let label = format!("n {n} m {m} q {q} {exit:?}");
            let lost = 1.0 - restitution(n, m, q, exit, 1e-5 / slope);
            misses.near(&label, lost / 1e-5, 1.0, 1e-4 + spared);
            let epsilon = exact::epsilon(exponents(n, m, q), exit, 1.0 - 1e-5).expect("reachable");
            misses.near(&label, epsilon * slope / 1e-5, 1.0, 1e-4 + spared);
            let none = exact::epsilon(exponents(n, m, q), exit, 1.0).expect("elastic");
            misses.within("an elastic impact needs no damping", none, 0.0, 0.0);
        }
    }
    misses.assert_none();
}

#[test]
fn equation_35_is_too_large_by_the_factor_r_near_elastic_impacts() {
    let mut misses = Misses::new();
    let e = 1.0 - 1e-6;
    for (n, m, q) in
        [(1.5, 0.25, 1.0), (1.5, 0.5, 1.0), (1.5, 1.5, 0.7), (1.0, 2.0, 1.3), (2.0, 0.5, 1.0)]
    {
        let set = [("damping_exponent".to_string(), m), ("rate_exponent".to_string(), q)];
        let pair = Pair::new(0.54, 2.4e10, n).expect("a pair");
        let law =
            model("zhang-2022").and_then(|m| m.law(&pair, Damping::Restitution(e), None, &set));
        let published = law.expect("a law").power().expect("a power law").epsilon(0.54, 0.5);
        let exact =
            exact::epsilon(exponents(n, m, q), Exit::ZeroIndentation, e).expect("reachable");
        let (mu, half) = ((m + 1.0) / (n + 1.0), 1.0 + 0.5 * q);
        misses.near(format!("{n} {m} {q}"), published / exact, half * mu * beta(mu, half), 1e-5);
    }
    misses.assert_none();
}

#[test]
fn kelvin_voigt_and_tsuji_are_the_linear_oscillator() {
    let mut misses = Misses::new();
    for n in [1.0, 1.5, 2.0, 3.0] {
        let m = 0.5 * (n - 1.0);
        for zeta in [0.01, 0.1, 0.3, 0.6, 0.9, 0.999, 1.001, 1.5, 5.0] {
            let epsilon = zeta * f64::sqrt(2.0 * (n + 1.0));
            let root = (1.0 - zeta * zeta).abs().sqrt();
            let arc = if zeta < 1.0 { zeta.acos() } else { zeta.acosh() } / root;
            let label = format!("n {n} zeta {zeta}");
            let by_force = outcome(n, m, 1.0, Exit::ZeroForce, epsilon);
            misses.near(&label, by_force.restitution.ln(), -2.0 * zeta * arc, 1e-10);
            let compression = exact::compression_restitution(exponents(n, m, 1.0), epsilon);
            misses.near(&label, compression.expect("separates").ln(), -zeta * arc, 1e-10);
            if n == 1.0 {
                // With ω₀ = 1 the force vanishes at ωt = 2 arccos ζ and the rate at half of that.
                misses.near(&label, by_force.duration, 2.0 * arc, 1e-10);
                misses.near(&label, by_force.time_of_indentation_max, arc, 1e-10);
                let largest = if zeta < 0.5 { None } else { Some(2.0 * zeta) };
                if let Some(force) = largest {
                    misses.near(&label, by_force.force_max, force, 1e-12);
                    misses.within(&label, by_force.time_of_force_max, 0.0, 1e-12);
                }
            }
            // Close to ζ = 1 the rebound speed at zero indentation is below e^−60.
            if zeta < 0.95 {
                let e = restitution(n, m, 1.0, Exit::ZeroIndentation, epsilon);
                misses.near(&label, e.ln(), -PI * zeta / root, 1e-9);
            }
        }
    }
    misses.assert_none();
}

#[test]
fn hunt_crossley_impacts_are_as_deep_and_as_strong_as_their_closed_form() {
    let mut misses = Misses::new();
    for n in [1.0, 1.5, 2.0, 3.0, 5.0] {
        for epsilon in [1e-3, 0.1, 0.5, 2.0, 10.0, 300.0f64] {
            let label = format!("n {n} eps {epsilon}");
            let found = outcome(n, n, 1.0, Exit::ZeroForce, epsilon);
            let stored = (epsilon - epsilon.ln_1p()) / (epsilon * epsilon);
            misses.near(&label, found.indentation_max.powf(n + 1.0) / (n + 1.0), stored, 1e-9);
            let e = found.restitution;
            let balance = ((1.0 + epsilon) / (1.0 - epsilon * e)).ln();
            // For large ε, e → 1/ε, and rounding dominates 1 − εe.
            if epsilon < 9.0 {
                misses.near(&label, epsilon * (1.0 + e), balance, 1e-9);
            }
            misses.near(&label, exact::hunt_crossley_restitution(epsilon), e, 1e-11);
            let compression = exact::compression_restitution(exponents(n, n, 1.0), epsilon);
            misses.near(&label, compression.expect("separates").powi(2), 2.0 * stored, 1e-9);
        }
    }
    misses.assert_none();
}

#[test]
fn a_plain_integration_of_the_equation_of_motion_finds_the_same_impacts() {
    let mut random = Random::new(8);
    let mut misses = Misses::new();
    for i in 0..150 {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        let q = random.between(0.4, 3.0);
        let e = if i % 6 == 0 { 0.01 } else { random.between(0.03, 0.99) };
        for exit in EXITS {
            let label = format!("n {n} m {m} q {q} e {e} {exit:?}");
            let epsilon = exact::epsilon(exponents(n, m, q), exit, e).expect("reachable");
            let found = outcome(n, m, q, exit, epsilon);
            let plain = reference::Impact { n, m, q, epsilon };
            // Where the force never pulls it vanishes together with the indentation.
            let Some(plain) = plain.run(exit == Exit::ZeroForce && m < n) else {
                misses.require(false, || format!("{label}: the reference did not finish"));
                continue;
            };
            misses.near(&label, e, plain.restitution, 1e-9);
            misses.near(&label, found.duration, plain.duration, 1e-9);
            misses.near(&label, found.indentation_max, plain.indentation_max, 1e-9);
            let (a, b) = (found.time_of_indentation_max, plain.time_of_indentation_max);
            misses.near(&label, a, b, 1e-9);
            let deepest = 1e-9 * plain.indentation_max;
            misses.within(&label, found.residual_indentation, plain.residual_indentation, deepest);
        }
    }
    misses.assert_none();
}
