//! The tabulated curve yields the same impacts as the direct computation, in any order and from any thread.

use crate::common::answers::{NUMBERS, sentence, survive};
use crate::common::{Misses, Random};
use carom::Exit;
use carom::exact::{self, Curve, Exponents, Outcome};

const EXITS: [Exit; 2] = [Exit::ZeroForce, Exit::ZeroIndentation];

fn quantities(o: &Outcome) -> [(&'static str, f64); 7] {
    [
        ("restitution", o.restitution),
        ("duration", o.duration),
        ("depth", o.indentation_max),
        ("turn", o.time_of_indentation_max),
        ("force", o.force_max),
        ("peak", o.time_of_force_max),
        ("rest", o.residual_indentation),
    ]
}

fn sets(random: &mut Random, count: usize) -> Vec<Exponents> {
    let known =
        [(1.5, 1.5, 1.0), (1.5, 0.25, 1.0), (1.0, 0.0, 1.0), (1.5, 0.5, 1.0), (2.0, 0.5, 0.8)];
    let mut sets: Vec<_> = known.map(|(n, m, q)| Exponents::new(n, m, q)).into_iter().collect();
    for _ in 0..count {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        sets.push(Exponents::new(n, m, random.between(0.4, 3.0)));
    }
    sets.into_iter().map(|set| set.expect("exponents in range")).collect()
}

#[test]
fn the_curve_gives_the_impacts_of_the_direct_path() {
    let mut random = Random::new(1);
    let mut misses = Misses::new();
    for exponents in sets(&mut random, 6) {
        for exit in EXITS {
            let curve = Curve::new(exponents, exit);
            for _ in 0..60 {
                let epsilon = random.decades(1e-10, 1e4);
                let label = format!("{exponents:?} {exit:?} epsilon {epsilon:e}");
                let direct = exact::outcome(exponents, exit, epsilon).expect("in range");
                let table = curve.outcome(epsilon).expect("in range");
                match (&table, &direct) {
                    (Some(table), Some(direct)) => {
                        let depth = 1e-10 * direct.indentation_max;
                        for ((what, a), (_, b)) in
                            quantities(table).into_iter().zip(quantities(direct))
                        {
                            // A residual indentation near zero has no relative error.
                            let room = if what == "rest" { depth + 1e-9 * b } else { 1e-9 * b };
                            misses.within(format!("{label} {what}"), a, b, room);
                        }
                    }
                    _ => misses.require(table.is_none() && direct.is_none(), || {
                        format!("{label}: {table:?} but {direct:?}")
                    }),
                }
            }
        }
    }
    misses.assert_none();
}

#[test]
fn the_curve_delivers_what_is_asked_for() {
    let mut random = Random::new(2);
    let mut misses = Misses::new();
    for exponents in sets(&mut random, 12) {
        for exit in EXITS {
            let curve = Curve::new(exponents, exit);
            for _ in 0..20 {
                let e = random.between(0.01, 1.0);
                let label = format!("{exponents:?} {exit:?} e {e}");
                let delivered = curve
                    .epsilon(e)
                    .and_then(|epsilon| exact::restitution(exponents, exit, epsilon));
                match delivered {
                    Ok(found) => misses.within(label, found, e, 1e-10),
                    Err(error) => misses.require(false, || format!("{label}: {error}")),
                }
            }
            let none = curve.epsilon(1.0).expect("elastic");
            misses.within(format!("{exponents:?} at 1"), none, 0.0, 0.0);
        }
    }
    misses.assert_none();
}

#[test]
fn the_curve_does_not_depend_on_who_asks_first() {
    let exponents = Exponents::new(1.5, 0.65, 1.0).expect("in range");
    let asked: Vec<f64> = (0..400).map(|i| 1e-6 * 1.05f64.powi(i)).collect();
    let one = Curve::new(exponents, Exit::ZeroForce);
    let ahead: Vec<_> = asked.iter().map(|&x| one.outcome(x).expect("in range")).collect();
    let two = Curve::new(exponents, Exit::ZeroForce);
    let back: Vec<_> = asked.iter().rev().map(|&x| two.outcome(x).expect("in range")).collect();
    assert!(ahead.iter().eq(back.iter().rev()));
    let shared = Curve::new(exponents, Exit::ZeroForce);
    std::thread::scope(|scope| {
        let ask =
            || asked.iter().map(|&x| shared.outcome(x).expect("in range")).collect::<Vec<_>>();
        let threads = [scope.spawn(ask), scope.spawn(ask)];
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), ahead);
        }
    });
}

#[test]
fn the_curve_answers_any_number() {
    let mut misses = Misses::new();
    for (n, m, q) in [(1.5, 1.5, 1.0), (1.5, 0.25, 1.0), (2.0, 0.3, 0.8), (1.0, 5.0, 3.0)] {
        let exponents = Exponents::new(n, m, q).expect("in range");
        for exit in EXITS {
            let curve = Curve::new(exponents, exit);
            for &value in NUMBERS.iter().chain(&[1e-9, 1e-8, 1e34, 1e36, 1e59]) {
                let label = || format!("{exponents:?} {exit:?} {value:e}");
                match survive(&mut misses, label, || curve.outcome(value)) {
                    Some(Ok(Some(o))) => misses.require(
                        quantities(&o).iter().all(|(_, x)| x.is_finite() && *x >= 0.0),
                        || format!("{}: {o:?}", label()),
                    ),
                    Some(Err(error)) => sentence(&mut misses, label, &error),
                    _ => {}
                }
                match survive(&mut misses, label, || curve.epsilon(value)) {
                    Some(Ok(epsilon)) => {
                        // For values below 1e-100 the damping itself may not be representable.
                        let good = epsilon.is_finite() && epsilon >= 0.0 || value < 1e-100;
                        misses.require(good, || format!("{}: {epsilon}", label()));
                    }
                    Some(Err(error)) => sentence(&mut misses, label, &error),
                    None => {}
                }
            }
        }
    }
    misses.assert_none();
}
