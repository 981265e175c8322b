//! Identification inverts impacts: a law collides, two of its numbers are "measured", and the law comes
//! back.

use carom::exact::{self, Exponents};
use carom::identify::{Measure, Measured, Method, Setup, Solution, identify};
use carom::law::{Damper, Exit, Law, Power};
use carom::{Impact, collide};

const MASS: f64 = 0.54;
const SPEED: f64 = 0.5;

fn exits() -> [Exit; 2] {
    [Exit::ZeroForce, Exit::ZeroIndentation]
}

fn measure(impact: &Impact, what: Measure) -> Measured {
    let value = match what {
        Measure::Restitution => impact.restitution.newton,
        Measure::Duration => impact.duration,
        Measure::Force => impact.force_max,
        Measure::Indentation => impact.indentation_max,
    };
    Measured::new(what, value).unwrap()
}

/// Every pair of different measures, in both orders where it matters.
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

#[test]
fn every_pair_of_numbers_gives_the_law_back() {
    let stiffness = 2.4144e10;
    let mut worst = [0.0f64; 6];
    let (mut several, mut turning) = (0, 0);
    for exponents in grid() {
        let Exponents { n, m, q } = exponents;
        for exit in exits() {
            let setup = Setup::new(MASS, SPEED, exponents, exit).unwrap();
            for e in [0.99, 0.7, 0.3, 0.05] {
                let epsilon = exact::epsilon(exponents, exit, e).unwrap();
                let power = Power::new(stiffness, n, m, q, Damper::Ratio(epsilon));
                let impact = collide(&Law::new(MASS, exit, power), SPEED).unwrap();
                for (kind, pair) in pairs().into_iter().enumerate() {
                    let place = format!("n={n} m={m} q={q} e={e} {exit:?} {pair:?}");
                    let measured = pair.map(|what| measure(&impact, what));
                    let found = identify(&setup, measured, Method::Exact)
                        .unwrap_or_else(|why| panic!("{place}: {why}"));
                    several += usize::from(!found.others.is_empty());
                    let all = || std::iter::once(&found.solution).chain(&found.others);
                    // Every solution gives the measured numbers, whatever else it is.
                    for solution in all() {
                        for m in measured {
                            let miss = relative(solution.predicted.of(m.what), m.value);
                            assert!(miss < 1e-9, "{place}: {miss:e}");
                        }
                    }
                    let miss = |s: &Solution| {
                        relative(s.pair.stiffness, stiffness)
                            .max(relative(s.damping.epsilon.unwrap(), epsilon))
                    };
                    let nearest = all().min_by(|a, b| miss(a).total_cmp(&miss(b))).unwrap();
                    // Where two dampings nearly coincide, the numbers themselves have too few digits.
                    let condition = pair
                        .iter()
                        .map(|what| nearest.sensitivity.of(what.name()).unwrap())
                        .flat_map(|effect| [effect.stiffness.abs(), effect.epsilon.abs()])
                        .fold(0.0, f64::max);
                    if condition > 3e4 {
                        turning += 1;
                        assert!(miss(nearest) < 1e-5, "{place}: {:e}", miss(nearest));
                        continue;
                    }
                    worst[kind] = worst[kind].max(miss(nearest));
                    assert!(miss(nearest) < 1e-9, "{place}: {:e} {condition:e}", miss(nearest));
                }
            }
        }
    }
    println!("worst {worst:?}, several {several}, turning {turning}");
    assert!(several > 0 && turning < 20, "{several} {turning}");
}
