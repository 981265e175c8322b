//! Compares errors at random phases of the touch within a step with the worst errors that `advise` states, for the laws of the
//! whole catalogue.
//!
//! `cargo run --release --example phases -- [phases per step, 2000] [seed, 1]`
//!
//! For pairs, restitutions and exits drawn at random, every law is given the damping that delivers the restitution. Its stated
//! worst error with every integrator at steps of T/10 … T/100 (T: duration) is compared with the errors of runs at random phases.
//! Prints how many runs exceed the stated error (there should be none), and by how much it exceeds the largest error found.

use carom::advise::{Integrator, march, worst_error};
use carom::numeric::random::Sequence;
use carom::{CATALOGUE, Damping, Exit, Pair, collide};

fn main() -> carom::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().unwrap_or(1));
    let phases = arguments.next().unwrap_or(2000);
    let mut random = Sequence::new(arguments.next().unwrap_or(1));
    let (mut bounds, mut runs, mut exceeded, mut furthest) = (0u64, 0u64, 0u64, 0f64);
    let mut above = Vec::new();
    for model in CATALOGUE {
        let linear = random.unit() < 0.3;
        let pair = match linear {
            true => Pair::new(1.0, 1e6, 1.0)?,
            false => Pair::new(0.54, 2.4144e10, 1.5)?,
        };
        let e = 0.2 + 0.75 * random.unit();
        let exit = if random.unit() < 0.5 { Exit::ZeroForce } else { Exit::ZeroIndentation };
        let damped = model.law(&pair, Damping::Exact(e), Some(exit), &[]);
        let Ok(law) = damped.or_else(|_| model.law(&pair, Damping::None, None, &[])) else {
            continue;
        };
        let speed = 10f64.powf(-2.0 + 2.0 * random.unit());
        let Ok(exact) = collide(&law, speed) else { continue };
        if !(exact.restitution.newton > 0.0) {
            continue;
        }
        for how in Integrator::ALL {
            let step = exact.duration / 10f64.powf(1.0 + random.unit());
            let Ok(Some(worst)) = worst_error(&law, speed, how, step) else { continue };
            bounds += 1;
            let mut largest = 0f64;
            for _ in 0..phases {
                let phase = random.unit();
                let Some(found) = march(&law, speed, how, step, phase, exact.duration)? else {
                    continue;
                };
                runs += 1;
                let error = (found / exact.restitution.newton - 1.0).abs();
                largest = largest.max(error);
                if error > worst {
                    exceeded += 1;
                    if error / worst > furthest {
                        furthest = error / worst;
                        let count = exact.duration / step;
                        let (id, how) = (model.id, how.name());
                        println!(
                            "{id} {exit:?} e {e:.3} {how} T/{count:.1} at {phase}: {error:e}, not {worst:e}"
                        );
                    }
                }
            }
            above.push(worst / largest);
        }
    }
    above.sort_by(f64::total_cmp);
    let middle = above.get(above.len() / 2).copied().unwrap_or(f64::NAN);
    let most = above.last().copied().unwrap_or(f64::NAN);
    println!("{bounds} bounds, {runs} runs, {exceeded} above their bound");
    println!("bound over largest error seen: {middle:.4} in the middle, {most:.4} at most");
    Ok(())
}
