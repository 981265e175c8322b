//! Extreme numbers and scales, in the exact theory and with every law.

use crate::common::answers::{NUMBERS, finite, sentence, sound, survive};
use crate::common::subjects::{self, SPEED};
use crate::common::{Misses, Random};
use carom::exact::{self, Exponents};
use carom::impact::{Conditions, collide_under, trajectory};
use carom::law::{Damper, Exit, Law, Memory, Power};
use carom::model::Damping;
use carom::{CATALOGUE, Pair, collide};

const EXITS: [Exit; 2] = [Exit::ZeroForce, Exit::ZeroIndentation];

#[test]
fn exponents_of_any_numbers_are_made_or_refused_by_name() {
    let mut misses = Misses::new();
    for &n in NUMBERS {
        for &m in NUMBERS {
            for &q in NUMBERS {
                let label = || format!("{n} {m} {q}");
                let Some(made) = survive(&mut misses, label, || Exponents::new(n, m, q)) else {
                    continue;
                };
                let allowed =
                    (1.0..=5.0).contains(&n) && (0.0..=5.0).contains(&m) && q > 0.0 && q <= 3.0;
                misses.require(made.is_ok() == allowed, || format!("{}: {made:?}", label()));
                if let Err(error) = made {
                    let text = error.to_string();
                    let named = text.contains("exponent") && error.is_invalid();
                    misses.require(named, || format!("{}: {text}", label()));
                }
            }
        }
    }
    misses.assert_none();
}

/// Checks that results are finite and not negative, and that errors are sentences.
fn numbers(
    misses: &mut Misses,
    label: impl Fn() -> String + Copy,
    answers: [Option<carom::Result<f64>>; 2],
) {
    for (i, answer) in answers.into_iter().flatten().enumerate() {
        match answer {
            Ok(found) => misses.require(found.is_finite() && found >= 0.0, || {
                format!("{} #{i}: {found}", label())
            }),
            Err(error) => sentence(misses, label, &error),
        }
    }
}

#[test]
fn the_exact_theory_answers_any_number() {
    let mut misses = Misses::new();
    let sets = [
        (1.5, 1.5, 1.0),
        (1.0, 0.0, 1.0),
        (1.5, 0.25, 1.0),
        (1.5, 0.5, 0.8),
        (5.0, 0.0, 3.0),
        (1.0, 5.0, 3.0),
        (5.0, 0.0, 0.3),
        (2.0, 1.0, 1e-3),
        (1.0, 5.0, 5e-324),
        (3.0, 0.2, f64::MIN_POSITIVE),
    ];
    for (n, m, q) in sets {
        let x = Exponents::new(n, m, q).expect("in range");
        for &value in NUMBERS.iter().chain(&[1e-16, 1e-9, 0.001, 0.999, 20.0, 1e5, 1e20, 1e59]) {
            for exit in EXITS {
                let label = || format!("n {n} m {m} q {q:e} {exit:?} {value:e}");
                let answers = [
                    survive(&mut misses, label, || exact::epsilon(x, exit, value)),
                    survive(&mut misses, label, || exact::restitution(x, exit, value)),
                ];
                numbers(&mut misses, label, answers);
                let found = survive(&mut misses, label, || exact::outcome(x, exit, value));
                match found {
                    Some(Ok(Some(o))) => {
                        let all = [o.restitution, o.duration, o.indentation_max, o.force_max];
                        let good = all.iter().all(|x| x.is_finite() && *x >= 0.0);
                        misses.require(good, || format!("{}: {o:?}", label()));
                    }
                    Some(Err(error)) => sentence(&mut misses, label, &error),
                    _ => {}
                }
            }
            // The compression phase does not depend on the exit.
            let label = || format!("n {n} m {m} q {q:e} compression {value:e}");
            let answers = [
                survive(&mut misses, label, || exact::compression_epsilon(x, value)),
                survive(&mut misses, label, || exact::compression_restitution(x, value)),
            ];
            numbers(&mut misses, label, answers);
            survive(&mut misses, label, || exact::compression_outcome(x, value).is_ok());
        }
        misses.require(x.speed_power().is_finite(), || format!("{x:?}"));
    }
    for &value in NUMBERS {
        let label = || format!("closed forms of {value}");
        survive(&mut misses, label, || {
            exact::hunt_crossley(value)
                + exact::hunt_crossley_restitution(value)
                + exact::damping_ratio_zero_force(value)
                + exact::damping_ratio_zero_indentation(value)
                + exact::damping_ratio_compression(value)
        });
    }
    misses.assert_none();
}

#[test]
fn a_damping_that_is_given_delivers() {
    let mut random = Random::new(3);
    let mut misses = Misses::new();
    for _ in 0..150 {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        let (q, e) = (random.decades(1e-3, 3.0), random.decades(1e-6, 1.0));
        let x = Exponents::new(n, m, q).expect("in range");
        for exit in EXITS {
            // A restitution may be unreachable, but a damping that is returned must deliver it.
            let Ok(epsilon) = exact::epsilon(x, exit, e) else { continue };
            let label = format!("n {n} m {m} q {q:e} e {e:e} {exit:?} epsilon {epsilon:e}");
            match exact::restitution(x, exit, epsilon) {
                Ok(found) => misses.within(label, found, e, 1e-9),
                Err(error) => misses.require(false, || format!("{label}: {error}")),
            }
        }
    }
    misses.assert_none();
}

#[test]
fn laws_of_any_numbers_collide_or_are_refused() {
    let mut random = Random::new(1);
    let mut misses = Misses::new();
    for i in 0..600 {
        let mut number = |sensible: f64| match random.unit() < 0.7 {
            true => sensible,
            false => random.pick(NUMBERS),
        };
        let (stiffness, n, m, q) = (number(1e9), number(1.5), number(0.5), number(1.0));
        let damper =
            if i % 2 == 0 { Damper::Ratio(number(0.3)) } else { Damper::Coefficient(number(1e4)) };
        let power = Power::new(stiffness, n, m, q, damper);
        let (mass, speed, external_force) = (number(1.0), number(1.0), number(0.0));
        let law = Law::new(mass, EXITS[i / 2 % 2], power);
        let label = || format!("{law:?} {speed} {external_force}");
        let conditions = Conditions { external_force };
        match survive(&mut misses, label, || collide_under(&law, speed, &conditions)) {
            Some(Err(error)) => sentence(&mut misses, label, &error),
            // A law built from arbitrary numbers may be meaningless, for example with a damper that drives the motion. Then any
            // result or error suffices; laws that make sense must have sound results.
            Some(Ok(impact)) => {
                let coefficient = power.coefficient(mass, speed);
                let meant = stiffness > 0.0 && coefficient >= 0.0 && external_force == 0.0;
                if meant && Exponents::new(n, m, q).is_ok() {
                    sound(&mut misses, label, &impact);
                }
            }
            None => {}
        }
    }
    misses.assert_none();
}

/// Every law of the catalogue is tested with pairs of any scale, at any speed.
#[test]
fn every_law_answers_at_every_scale() {
    let mut misses = Misses::new();
    let mut random = Random::new(2);
    for subject in subjects::all() {
        // Calibration by shooting costs hundreds of impacts.
        let trial = subject.law.power().is_none() && matches!(subject.damping, Damping::Exact(_));
        for i in 0..if trial { 3 } else { 12 } {
            let mass = random.decades(1e-18, 1e9);
            let stiffness = random.decades(1.0, 1e18);
            let speed = random.decades(1e-6, 1e4);
            let Ok(pair) = Pair::new(mass, stiffness, subject.pair.exponent) else { continue };
            let pair = Pair { facts: subject.pair.facts.clone(), ..pair };
            let exit = [None, Some(EXITS[0]), Some(EXITS[1])][i % 3];
            let label = || {
                format!(
                    "{subject} {:?} mass {mass:e} stiffness {stiffness:e} speed {speed:e} {exit:?}",
                    subject.set
                )
            };
            let answer = survive(&mut misses, label, || {
                let law = subject.model.law(&pair, subject.damping, exit, &subject.set)?;
                let impact = collide(&law, speed)?;
                Ok::<_, carom::Error>((law, impact))
            });
            match answer {
                Some(Err(error)) => sentence(&mut misses, label, &error),
                Some(Ok((law, impact))) => {
                    let nature = subjects::nature(&law, impact.indentation_max, impact.duration);
                    if !nature.blind {
                        sound(&mut misses, label, &impact);
                    }
                    let exact = matches!(subject.damping, Damping::Exact(_));
                    let stuck = !impact.duration.is_finite();
                    if exact && !stuck {
                        let e = impact.restitution.newton;
                        misses.within(label(), e, 0.7, 1e-6);
                    }
                }
                None => {}
            }
        }
    }
    misses.assert_none();
}

#[test]
fn every_parameter_is_answered_from_end_to_end_of_its_range() {
    let mut misses = Misses::new();
    for model in CATALOGUE {
        let subjects = subjects::of(model);
        for p in model.parameters {
            let (low, high) = (p.range.0.max(-1e300), p.range.1.min(1e300));
            let values = [low, high, 1e-300, 1e-12, 1e-3, 1.0, 1e12];
            let allowed = values.into_iter().filter(|v| (low..=high).contains(v));
            for value in allowed {
                for subject in subjects.iter().take(2) {
                    let mut set = subject.set.clone();
                    set.retain(|(name, _)| name != p.name);
                    set.push((p.name.to_string(), value));
                    for damping in [subject.damping, Damping::None] {
                        let label = || format!("{} {damping:?} {set:?}", model.id);
                        let answer = survive(&mut misses, label, || {
                            let law = model.law(&subject.pair, damping, None, &set)?;
                            Ok::<_, carom::Error>((law, collide(&law, SPEED)?))
                        });
                        match answer {
                            Some(Err(error)) => sentence(&mut misses, label, &error),
                            Some(Ok((law, impact))) => {
                                let time = impact.time_of_indentation_max;
                                let nature = subjects::nature(&law, impact.indentation_max, time);
                                // An internal state that stiffens while it is strained can supply energy, as with Xiong's b2. For
                                // a force that is a function of time alone no energy balance holds.
                                if nature.blind || nature.internal {
                                    finite(&mut misses, label, &impact);
                                } else {
                                    sound(&mut misses, label, &impact);
                                }
                            }
                            None => {}
                        }
                    }
                }
            }
        }
    }
    misses.assert_none();
}

#[test]
fn forces_of_any_state_are_numbers() {
    let mut misses = Misses::new();
    let states = [0.0f64, -1.0, 1e-300, 1e-30, 1e-9, 1e-5, 1e-2, 1.0, 1e6];
    for subject in subjects::all() {
        let touch = subject.law.touch(SPEED);
        if !touch.damping.is_finite() {
            continue;
        }
        for delta in states {
            for rate in states.into_iter().flat_map(|v| [v, -v]) {
                for peak in [0.0, 1e-5, delta.max(0.0)] {
                    let memory = Memory { peak, time: 1e-5, internal: 0.0, ..touch };
                    let label = || format!("{subject} at {delta:e} {rate:e} peak {peak:e}");
                    let found = survive(&mut misses, label, || {
                        let tangent = subject.law.tangent(delta, rate, &memory);
                        [
                            subject.law.force(delta, rate, &memory),
                            subject.law.stored(delta, &memory),
                            tangent.stiffness,
                            tangent.damping,
                        ]
                    });
                    let Some(numbers) = found else { continue };
                    misses.require(numbers.iter().all(|number| number.is_finite()), || {
                        format!("{}: force, energy, tangents {numbers:?}", label())
                    });
                }
            }
        }
    }
    misses.assert_none();
}

#[test]
fn trajectories_of_any_length_are_drawn_or_refused() {
    let mut misses = Misses::new();
    for model in CATALOGUE {
        let Some(subject) = subjects::of(model).into_iter().next() else { continue };
        for points in [0, 1, 2, 3, 1000] {
            let label = || format!("{subject} {points}");
            let free = Conditions::default();
            match survive(&mut misses, label, || trajectory(&subject.law, SPEED, &free, points)) {
                Some(Ok((_, course))) => {
                    let columns = [
                        &course.time,
                        &course.indentation,
                        &course.rate,
                        &course.force,
                        &course.kinetic,
                        &course.stored,
                        &course.dissipated,
                    ];
                    let full = columns.iter().all(|column| column.len() == points);
                    misses.require(full && points >= 2, || format!("{}: {course:?}", label()));
                    let finite = columns.iter().all(|column| column.iter().all(|x| x.is_finite()));
                    misses.require(finite, || format!("{}: not finite", label()));
                }
                Some(Err(error)) => {
                    sentence(&mut misses, label, &error);
                    let named = points >= 2 || error.to_string().contains("points");
                    misses.require(named, || format!("{}: {error}", label()));
                }
                None => {}
            }
        }
    }
    misses.assert_none();
}
