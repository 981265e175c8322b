//! Exact statements about published models that are not tested elsewhere: the corrected approximate equation of Zhang et al.
//! 2022, the explicit form of the Hunt–Crossley relation, the tensile part of the rebound, which laws creep, and the accuracy of
//! Eq. 35 when it is divided by R.
//!
//! Similarity in (μ, q, ε̃), the velocity-free line, ε_c, R(n, m, q), Y(n) and the asymptotes of the duration are tested in
//! `exact.rs`.

use crate::common::{Misses, Random};
use carom::exact::{self, Exponents};
use carom::law::{Exit, Law};
use carom::{Damping, Pair, collide, model};

fn exponents(n: f64, m: f64, q: f64) -> Exponents {
    Exponents::new(n, m, q).expect("exponents in range")
}

/// Returns the law of a model with free exponents, whose damping follows from a restitution by the published formula.
fn general(id: &str, pair: &Pair, m: f64, q: f64, e: f64) -> Law {
    let set = [("damping_exponent".to_string(), m), ("rate_exponent".to_string(), q)];
    let law = model(id).and_then(|model| model.law(pair, Damping::Restitution(e), None, &set));
    law.expect("a law")
}

#[test]
fn the_corrected_approximate_equation_knows_nothing_of_n_q_and_speed() {
    // In x = δ/d and τ = t·v₀/d the largest indentation is 1, the rebound speed e, and the duration G(m)·(1 + 1/e).
    let mut random = Random::new(11);
    let mut misses = Misses::new();
    for _ in 0..60 {
        let (n, m) = (random.between(1.0, 4.0), random.between(0.5, 4.0));
        let (q, e) = (random.between(0.3, 2.5), random.between(0.05, 0.98));
        let (mass, stiffness) = (random.decades(1e-3, 1e3), random.decades(1e3, 1e10));
        let speed = random.decades(1e-3, 30.0);
        let pair = Pair::new(mass, stiffness, n).expect("a pair");
        let impact = collide(&general("zhang-2022-approximate", &pair, m, q, e), speed);
        let impact = impact.expect("an impact");
        // Eq. 31 of Zhang et al. 2022.
        let stored = (e * e + e.powf(q)) / (1.0 + e.powf(q));
        let energy = 0.5 * (n + 1.0) * mass * speed * speed / stiffness;
        let depth = (stored * energy).powf(1.0 / (n + 1.0));
        let a = 1.0 / (m + 1.0);
        let gammas = (libm::lgamma(1.0 + a) - libm::lgamma(0.5 + a)).exp();
        let lasts = std::f64::consts::PI.sqrt() * gammas * (1.0 + 1.0 / e);
        let label = format!("n {n} m {m} q {q} e {e}");
        misses.within(format!("{label} restitution"), impact.restitution.newton, e, 1e-9);
        misses.near(format!("{label} turn"), impact.indentation_max, depth, 1e-9);
        misses.near(format!("{label} duration"), impact.duration * speed / depth, lasts, 1e-7);
    }
    misses.assert_none();
}

#[test]
fn the_hunt_crossley_relation_is_explicit_in_its_sum() {
    // With s = ε(1+e): e = [1 − (1+s)·exp(−s)]/[s − 1 + exp(−s)], ε = [s − 1 + exp(−s)]/[1 − exp(−s)].
    let mut misses = Misses::new();
    for i in 1..=80 {
        let s = 0.5 * f64::from(i);
        let decay = (-s).exp();
        let e = (1.0 - (1.0 + s) * decay) / (s - 1.0 + decay);
        let epsilon = (s - 1.0 + decay) / (1.0 - decay);
        misses.near(format!("s {s}"), exact::hunt_crossley(e), epsilon, 1e-10);
        misses.near(format!("s {s}"), exact::hunt_crossley_restitution(epsilon), e, 1e-10);
        misses.near(format!("s {s}"), epsilon * (1.0 + e), s, 1e-12);
    }
    misses.assert_none();
}

#[test]
fn a_contact_would_pull_exactly_when_m_is_below_n() {
    // In the restitution phase F = 0 where x^(n−m) = ε·|x′|^q: for m < n this happens before x = 0, for m ≥ n never.
    let mut misses = Misses::new();
    for (n, m) in [(1.0, 0.0), (1.5, 0.25), (1.5, 1.2), (1.5, 1.4), (2.0, 1.0)] {
        for (q, epsilon) in [(0.9, 0.05), (1.0, 0.5), (1.1, 1.0)] {
            let end = |m: f64| {
                let found = exact::outcome(exponents(n, m, q), Exit::ZeroForce, epsilon);
                found.expect("in range").expect("it separates")
            };
            let early = end(m);
            let left = (epsilon * early.restitution.powf(q)).powf(1.0 / (n - m));
            let label = format!("n {n} m {m} q {q} epsilon {epsilon}");
            misses.require(early.residual_indentation > 0.0, || label.clone());
            misses.near(&label, early.residual_indentation, left, 1e-6);
            for above in [n, n + 0.3] {
                misses.within(
                    format!("{label}, but m {above}"),
                    end(above).residual_indentation,
                    0.0,
                    0.0,
                );
            }
        }
    }
    misses.assert_none();
}

#[test]
fn only_laws_below_the_velocity_free_line_creep() {
    // For q < 2(n−m)/(n+1) no contact separates at δ = 0 once ε exceeds a finite value. Above this line every contact separates.
    for (n, m, q) in [(1.5, 0.25, 0.8), (2.0, 0.25, 0.8), (2.0, 0.25, 1.0), (2.0, 0.5, 0.8)] {
        assert!(exponents(n, m, q).speed_power() < 0.0);
        let found = exact::outcome(exponents(n, m, q), Exit::ZeroIndentation, 20.0);
        assert!(found.expect("in range").is_none(), "{n} {m} {q}");
    }
    for (n, m, q) in [(1.5, 0.25, 1.2), (1.5, 0.5, 1.0), (1.5, 1.0, 1.0), (2.0, 1.5, 0.8)] {
        assert!(exponents(n, m, q).speed_power() > 0.0);
        let found = exact::outcome(exponents(n, m, q), Exit::ZeroIndentation, 20.0);
        let e = found.expect("in range").expect("it separates").restitution;
        assert!(e > 0.0 && e < 0.1, "{n} {m} {q}: {e}");
    }
}

#[test]
fn equation_35_divided_by_r_is_as_good_as_remarked() {
    // Largest relative deviations from the requested restitution over 60 sets of exponents, without and with the division by R.
    for (e, before, after) in [(0.9, 0.033, 2e-4), (0.7, 0.102, 0.0048), (0.5, 0.192, 0.037)] {
        let (mut raw, mut corrected) = (0.0f64, 0.0f64);
        for n in [1.0, 1.5, 2.0] {
            let pair = Pair::new(0.54, 2.4144e10, n).expect("a pair");
            for m in [0.25, 0.5, 1.0, 1.5, 2.0] {
                for q in [0.8, 1.0, 1.2, 1.5] {
                    let off = |id| {
                        let law = general(id, &pair, m, q, e);
                        let impact = collide(&law, 0.5).expect("an impact");
                        (impact.restitution.newton / e - 1.0).abs()
                    };
                    raw = raw.max(off("zhang-2022"));
                    corrected = corrected.max(off("zhang-2022-corrected"));
                }
            }
        }
        assert!(raw < before && raw > 0.5 * before, "{e}: {raw}");
        assert!(corrected < after, "{e}: {corrected}");
    }
}
