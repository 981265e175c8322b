//! Identification is the inverse of an impact: a law collides, two of its results are used as measurements, and the same law must
//! be found.

use carom::exact::{self, Exponents};
use carom::identify::{
    Measure, Measured, Method, Observed, Setup, Solution, Speeds, fit_speeds, identify,
};
use carom::law::{Damper, Exit, Law, Power};
use carom::{Impact, collide};

const MASS: f64 = 0.54;
const SPEED: f64 = 0.5;

fn measure(impact: &Impact, what: Measure) -> Measured {
    let value = match what {
        Measure::Restitution => impact.restitution.newton,
        Measure::Duration => impact.duration,
        Measure::Force => impact.force_max,
        Measure::Indentation => impact.indentation_max,
    };
    Measured::new(what, value).unwrap()
}

/// Returns every pair of different measures.
fn pairs() -> [[Measure; 2]; 6] {
    use Measure::{Duration, Force, Indentation, Restitution};
    [
        [Restitution, Duration],
        [Force, Restitution],
        [Restitution, Indentation],
        [Duration, Force],
        [Force, Indentation],
        [Indentation, Duration],
    ]
}

fn grid() -> Vec<Exponents> {
    let mut all = Vec::new();
    for n in [1.0, 1.5, 2.0, 3.0, 5.0] {
        let mut dampings = vec![0.0, 0.25, 0.5, n, n + 1.0];
        dampings.retain(|m| *m <= 5.0);
        for m in dampings {
            for q in [0.5, 1.0, 1.5, 2.0] {
                all.push(Exponents::new(n, m, q).unwrap());
            }
        }
    }
    all
}

fn relative(a: f64, b: f64) -> f64 {
    (a / b - 1.0).abs()
}

/// The result of a round trip over the grid.
#[derive(Default)]
struct Trip {
    worst: f64,
    several: usize,
}

/// Computes the impact of every law of the grid under one exit, takes its results as measurements and identifies the law.
fn round_trip(exit: Exit) -> Trip {
    let stiffness = 2.4144e10;
    let mut trip = Trip::default();
    for exponents in grid() {
        let Exponents { n, m, q } = exponents;
        let setup = Setup::new(MASS, SPEED, exponents, exit).unwrap();
        for e in [0.99, 0.7, 0.3, 0.05] {
            let epsilon = exact::epsilon(exponents, exit, e).unwrap();
            let power = Power::new(stiffness, n, m, q, Damper::Ratio(epsilon));
            let impact = collide(&Law::new(MASS, exit, power), SPEED).unwrap();
            for pair in pairs() {
                let place = format!("n={n} m={m} q={q} e={e} {exit:?} {pair:?}");
                let measured = pair.map(|what| measure(&impact, what));
                let found = identify(&setup, measured, Method::Exact)
                    .unwrap_or_else(|why| panic!("{place}: {why}"));
                let all: Vec<_> = std::iter::once(&found.solution).chain(&found.others).collect();
                trip.several += usize::from(all.len() > 1);
                // Every solution reproduces the measured numbers, and no two solutions are equal.
                for solution in &all {
                    for m in measured {
                        let miss = relative(solution.predicted.of(m.what), m.value);
                        assert!(miss < 1e-9, "{place}: {miss:e}");
                    }
                }
                for two in all.windows(2) {
                    let [a, b] = [two[0], two[1]].map(|s| s.damping.epsilon.unwrap());
                    assert!(b > a * (1.0 + 1e-6), "{place}: {a} {b}");
                }
                let miss = |s: &Solution| {
                    relative(s.pair.stiffness, stiffness)
                        .max(relative(s.damping.epsilon.unwrap(), epsilon))
                        .max(relative(s.predicted.restitution, e))
                };
                let nearest = all.iter().map(|s| miss(s)).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-9, "{place}: {nearest:e}");
                trip.worst = trip.worst.max(nearest);
            }
        }
    }
    trip
}

#[test]
fn every_pair_of_numbers_gives_the_law_back_at_zero_force() {
    let trip = round_trip(Exit::ZeroForce);
    assert!(trip.worst < 1e-9 && trip.several > 0);
}

#[test]
fn every_pair_of_numbers_gives_the_law_back_at_zero_indentation() {
    let trip = round_trip(Exit::ZeroIndentation);
    assert!(trip.worst < 1e-9 && trip.several > 0);
}

/// The steel ball of Zhang & Sharf 2009 at 0.5 m/s.
fn steel() -> Setup {
    let hunt_crossley = Exponents::new(1.5, 1.5, 1.0).unwrap();
    Setup::new(MASS, SPEED, hunt_crossley, Exit::ZeroForce).unwrap()
}

fn measured(a: (Measure, f64), b: (Measure, f64)) -> [Measured; 2] {
    [a, b].map(|(what, value)| Measured::new(what, value).unwrap())
}

#[test]
fn the_steel_ball_has_the_numbers_of_the_recomputed_paper() {
    // Largest force, indentation and duration of the exact law at e = 0.7568, K = 2.4144e10.
    let numbers = [
        (Measure::Restitution, 0.7568),
        (Measure::Duration, 2.10293204e-4),
        (Measure::Force, 4447.98443),
        (Measure::Indentation, 3.09771928e-5),
    ];
    for (i, &a) in numbers.iter().enumerate() {
        for &b in &numbers[i + 1..] {
            let found = identify(&steel(), measured(a, b), Method::Exact).unwrap();
            let all = std::iter::once(&found.solution).chain(&found.others);
            let misses = all.map(|s| {
                relative(s.pair.stiffness, 2.4144e10)
                    .max(relative(s.damping.coefficient.unwrap(), 0.95665717 * 2.4144e10))
            });
            let nearest = misses.fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-6, "{a:?} {b:?}: {nearest:e}");
        }
    }
}

#[test]
fn a_linear_spring_and_damper_by_hand() {
    // m = 2 kg, k = 800 N/m, ζ = 0.1: ω₀ = 20 rad/s, half a period of ω₀√(1−ζ²), e = e^(−πζ/√(1−ζ²)).
    let root = (1.0f64 - 0.01).sqrt();
    let (e, duration) =
        ((-std::f64::consts::PI * 0.1 / root).exp(), std::f64::consts::PI / (20.0 * root));
    let kelvin_voigt = Exponents::new(1.0, 0.0, 1.0).unwrap();
    let setup = Setup::new(2.0, 3.0, kelvin_voigt, Exit::ZeroIndentation).unwrap();
    let numbers = measured((Measure::Restitution, e), (Measure::Duration, duration));
    let found = identify(&setup, numbers, Method::Exact).unwrap().solution;
    assert!(relative(found.pair.stiffness, 800.0) < 1e-11);
    assert!(relative(found.damping.coefficient.unwrap(), 2.0 * 0.1 * 20.0 * 2.0) < 1e-11);
    assert!(relative(found.natural_frequency, 20.0) < 1e-11);
}

#[test]
fn an_elastic_impact_has_no_damping_and_finite_uncertainties() {
    let numbers = [
        Measured::new(Measure::Restitution, 1.0).unwrap().with_error(0.01).unwrap(),
        Measured::new(Measure::Duration, 207e-6).unwrap(),
    ];
    let found = identify(&steel(), numbers, Method::Exact).unwrap().solution;
    assert_eq!(found.damping.epsilon, Some(0.0));
    assert!(!found.sensitivity.of("restitution").unwrap().epsilon.is_finite());
    // 1 − e = 2ε/3 (Hunt–Crossley).
    let uncertainty = found.uncertainty.unwrap();
    assert!(relative(uncertainty.epsilon, 0.015) < 1e-4, "{uncertainty:?}");
    // The same from force and indentation, a combination that is either elastic or has no solution.
    let numbers = measured(
        (Measure::Force, found.predicted.force_max),
        (Measure::Indentation, found.predicted.indentation_max),
    );
    let again = identify(&steel(), numbers, Method::Exact).unwrap().solution;
    assert!(again.damping.epsilon.unwrap() < 1e-12);
    assert!(relative(again.pair.stiffness, found.pair.stiffness) < 1e-12);
}

#[test]
fn numbers_that_no_damping_gives_are_refused_with_the_range() {
    let numbers = measured((Measure::Force, 4447.98), (Measure::Indentation, 1e-4));
    let error = identify(&steel(), numbers, Method::Exact).unwrap_err();
    assert!(error.is_invalid());
    let text = error.to_string();
    for part in ["force*indentation/(mass*speed^2) = 3.29", "between", "n = 1.5", "other exponents"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let twice = measured((Measure::Force, 1.0), (Measure::Force, 2.0));
    assert!(identify(&steel(), twice, Method::Exact).unwrap_err().is_invalid());
}

/// Computes ∂ln(result)/∂ln(given number) by differences of repeated identifications, for the solution nearest to this one.
fn again(setup: Setup, numbers: [Measured; 2], method: Method, which: usize) -> [f64; 8] {
    const STEP: f64 = 1e-5;
    let base = identify(&setup, numbers, method).unwrap().solution;
    let [low, high] = [-STEP, STEP].map(|h: f64| {
        let (mut setup, mut numbers) = (setup, numbers);
        match which {
            0 | 1 => numbers[which].value *= h.exp(),
            2 => setup.mass *= h.exp(),
            _ => setup.speed *= h.exp(),
        }
        let found = identify(&setup, numbers, method).unwrap();
        let all = std::iter::once(found.solution).chain(found.others);
        let far = |s: &Solution| relative(s.pair.stiffness, base.pair.stiffness);
        let s = all.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap();
        let (d, p) = (&s.damping, &s.predicted);
        let frequency = s.natural_frequency;
        [s.pair.stiffness, d.coefficient.unwrap(), d.epsilon.unwrap(), frequency, p.restitution]
            .into_iter()
            .chain([p.duration, p.force_max, p.indentation_max])
            .map(f64::ln)
            .collect::<Vec<_>>()
    });
    std::array::from_fn(|i| (high[i] - low[i]) / (2.0 * STEP))
}

#[test]
fn sensitivities_are_what_identifying_again_shows() {
    for (n, m, q, exit) in [
        (1.5, 1.5, 1.0, Exit::ZeroForce),
        (1.5, 0.25, 1.0, Exit::ZeroIndentation),
        (2.0, 3.0, 1.5, Exit::ZeroForce),
        (1.0, 0.0, 0.5, Exit::ZeroForce),
    ] {
        let exponents = Exponents::new(n, m, q).unwrap();
        let setup = Setup::new(MASS, SPEED, exponents, exit).unwrap();
        let epsilon = exact::epsilon(exponents, exit, 0.6).unwrap();
        let power = Power::new(2.4144e10, n, m, q, Damper::Ratio(epsilon));
        let impact = collide(&Law::new(MASS, exit, power), SPEED).unwrap();
        for pair in pairs() {
            let numbers = pair.map(|what| measure(&impact, what));
            let found = identify(&setup, numbers, Method::Exact).unwrap().solution;
            for (which, (name, effect)) in found.sensitivity.0.iter().enumerate() {
                let seen = again(setup, numbers, Method::Exact, which);
                for (a, b) in effect.values().into_iter().zip(seen) {
                    let size = 1.0 + b.abs();
                    assert!((a - b).abs() < 1e-5 * size, "{n} {m} {q} {pair:?} {name}: {a} {b}");
                }
            }
        }
    }
    let numbers = measured((Measure::Restitution, 0.6), (Measure::Duration, 207e-6));
    let found = identify(&steel(), numbers, Method::Published).unwrap().solution;
    for (which, (name, effect)) in found.sensitivity.0.iter().enumerate() {
        let seen = again(steel(), numbers, Method::Published, which);
        for (a, b) in effect.values().into_iter().zip(seen) {
            assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{name}: {a} {b}");
        }
    }
}

#[test]
fn uncertainties_add_in_squares() {
    let mut numbers = measured((Measure::Restitution, 0.7568), (Measure::Duration, 207e-6));
    numbers[1] = numbers[1].with_error(2.07e-6).unwrap();
    let setup = steel().with_errors(0.0054, 0.0).unwrap();
    let found = identify(&setup, numbers, Method::Exact).unwrap().solution;
    let uncertainty = found.uncertainty.unwrap();
    // K ∝ mₑ·T^−2.5 at fixed e: contributions of 1 % from the mass and 2.5 % from the duration.
    let expected = found.pair.stiffness * (0.01f64.powi(2) + 0.025f64.powi(2)).sqrt();
    assert!(relative(uncertainty.stiffness, expected) < 1e-9);
    assert!(uncertainty.restitution == 0.0 && relative(uncertainty.duration, 2.07e-6) < 1e-9);
    let plain = measured((Measure::Restitution, 0.7568), (Measure::Duration, 207e-6));
    let found = identify(&steel(), plain, Method::Exact).unwrap().solution;
    assert!(found.uncertainty.is_none());
}

#[test]
fn the_published_fit_misses_as_much_as_it_does_and_says_so() {
    // At e = 1 the fitted formula for Δτ is 0.85 % high for n = 1.5. K ∝ Δτ^2.5 is therefore 2.14 % high.
    let numbers = measured((Measure::Restitution, 1.0), (Measure::Duration, 207e-6));
    let exact = identify(&steel(), numbers, Method::Exact).unwrap();
    let fit = identify(&steel(), numbers, Method::Published).unwrap();
    let ratio = fit.solution.pair.stiffness / exact.solution.pair.stiffness;
    assert!((ratio - 1.0085f64.powf(2.5)).abs() < 3e-4, "{ratio}");
    assert_eq!(fit.solution.damping.calibration, "published");
    assert_eq!(fit.notes[0].kind, "published_missed");
    // For ε above 10 the formula is outside its range of validity.
    let numbers = measured((Measure::Restitution, 0.05), (Measure::Duration, 207e-6));
    let fit = identify(&steel(), numbers, Method::Published).unwrap();
    assert!(fit.notes.iter().any(|note| note.kind == "outside_validity"));
    // The formula applies to no other measures or exponents.
    let numbers = measured((Measure::Restitution, 0.5), (Measure::Force, 4e3));
    assert!(identify(&steel(), numbers, Method::Published).unwrap_err().is_unsupported());
    let tsuji = Exponents::new(1.5, 0.25, 1.0).unwrap();
    let setup = Setup::new(MASS, SPEED, tsuji, Exit::ZeroForce).unwrap();
    let numbers = measured((Measure::Restitution, 0.5), (Measure::Duration, 207e-6));
    assert!(identify(&setup, numbers, Method::Published).unwrap_err().is_unsupported());
}

#[test]
fn speeds_tell_the_exponents_that_made_the_restitutions() {
    let speeds = [0.1, 0.3, 0.7, 1.5, 2.0];
    for (m, name) in [
        (0.25, "velocity-free, as tsuji-1992"),
        (0.5, "viscoelastic, as kuwabara-kono-1987"),
        (1.5, "hunt-crossley-1975"),
        (0.0, "viscous"),
    ] {
        let exponents = Exponents::new(1.5, m, 1.0).unwrap();
        let observed: Vec<_> = speeds
            .iter()
            .map(|&speed: &f64| {
                let epsilon = 0.3 * speed.powf(exponents.speed_power());
                let restitution = exact::restitution(exponents, Exit::ZeroForce, epsilon).unwrap();
                Observed { speed, restitution }
            })
            .collect();
        let exit = Exit::ZeroForce;
        let pair = Some((0.54, 2.4144e10));
        let fit =
            fit_speeds(&Speeds { observed, exponent: 1.5, exit, candidate: None, pair }).unwrap();
        let best: Vec<_> = fit.candidates.iter().filter(|c| c.restitution_rms < 1e-9).collect();
        let found = best.iter().find(|c| c.name == name).unwrap();
        let expected = 0.3 * fit.reference_speed.powf(exponents.speed_power());
        assert!(relative(found.epsilon, expected) < 1e-9, "{name}");
        assert!(best.iter().all(|c| (c.damping_exponent - m).abs() < 1e-8), "{name}");
        assert!((fit.speed_power.value - exponents.speed_power()).abs() < 1e-8, "{name}");
        assert_eq!(fit.velocity_free, Some(m == 0.25), "{name}: {:?}", fit.speed_power);
        // The damping coefficient c is the same at every speed.
        let law =
            Power::new(2.4144e10, 1.5, m, 1.0, Damper::Coefficient(found.coefficient.unwrap()));
        assert!(relative(law.epsilon(0.54, 1.0), 0.3) < 1e-9);
    }
}

#[test]
fn speeds_that_say_nothing_are_refused() {
    let fit = |observed: &[(f64, f64)]| {
        let observed =
            observed.iter().map(|&(speed, restitution)| Observed { speed, restitution }).collect();
        let exit = Exit::ZeroForce;
        fit_speeds(&Speeds { observed, exponent: 1.5, exit, candidate: None, pair: None })
    };
    for bad in [
        &[][..],
        &[(1.0, 0.5)],
        &[(1.0, 0.5), (1.0, 0.6)],
        &[(1.0, 0.5), (2.0, 1.0)],
        &[(1.0, 0.5), (-2.0, 0.4)],
        &[(1.0, f64::NAN), (2.0, 0.4)],
    ] {
        assert!(fit(bad).unwrap_err().is_invalid(), "{bad:?}");
    }
    let two = fit(&[(1.0, 0.5), (2.0, 0.4)]).unwrap();
    assert!(two.velocity_free.is_none() && two.notes[0].kind == "two_speeds");
}

#[test]
fn any_exponents_come_back_and_any_numbers_are_answered() {
    let mut seed = 11u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    for i in 0..120 {
        let (n, m, q) = (1.0 + 4.0 * random(), 5.0 * random(), 0.2 + 2.8 * random());
        let exit = if i % 2 == 0 { Exit::ZeroForce } else { Exit::ZeroIndentation };
        let exponents = Exponents::new(n, m, q).unwrap();
        let e = 0.02 + 0.97 * random();
        let epsilon = exact::epsilon(exponents, exit, e).unwrap();
        let power = Power::new(1e8, n, m, q, Damper::Ratio(epsilon));
        let impact = collide(&Law::new(2.0, exit, power), 3.0).unwrap();
        let setup = Setup::new(2.0, 3.0, exponents, exit).unwrap();
        let pair = pairs()[i % 6];
        let numbers = pair.map(|what| measure(&impact, what));
        let found = identify(&setup, numbers, Method::Exact)
            .unwrap_or_else(|why| panic!("{n} {m} {q} {exit:?} {e} {pair:?}: {why}"));
        let all = std::iter::once(&found.solution).chain(&found.others);
        let miss = all.map(|s| relative(s.predicted.restitution, e)).fold(1.0, f64::min);
        assert!(miss < 1e-8, "{n} {m} {q} {exit:?} {e} {pair:?}: {miss:e}");
        // Inconsistent measurements yield an error that is a sentence, or a finite result.
        let wild = pair.map(|what| {
            let value = 1e-280f64.powf(random()) * 1e280f64.powf(random());
            let value = if what == Measure::Restitution { value.min(1.0) } else { value };
            Measured::new(what, value).unwrap()
        });
        if let Ok(found) = identify(&setup, wild, Method::Exact) {
            assert!(found.solution.pair.stiffness.is_finite());
        }
    }
}
