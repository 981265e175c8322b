//! Runs random collisions of two solids and counts the failures.
//!
//! `random_pairs COUNT [FIRST] [WORD]`: cases FIRST … FIRST + COUNT − 1, of which only those whose name contains WORD. Prints
//! every case that gains energy, exceeds its budget of evaluations or fails, and then the counts. `random_pairs trace SEED
//! [STEPS]`: prints the last steps of one case, or of its first STEPS steps.

#[path = "../tests/integration/common/pairs.rs"]
mod pairs;

use carom_world::Run;
use pairs::{Fault, case, judge};
use rayon::prelude::*;
use std::collections::BTreeMap;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse().ok());
    if arguments.first().is_some_and(|word| word == "trace") {
        return trace(number(1).unwrap_or(0), number(2));
    }
    let (count, first) = (number(0).unwrap_or(1000), number(1).unwrap_or(0));
    let word = arguments.get(2).cloned().unwrap_or_default();
    let cases: Vec<u64> = (first..first + count).collect();
    let results: Vec<_> = cases
        .par_iter()
        .filter_map(|&seed| {
            let case = case(seed);
            if !case.name.contains(&word) {
                return None;
            }
            let outcome = judge(&case);
            if let Some(fault) = &outcome.fault {
                println!("{seed}: {}: {fault}", case.name);
            }
            Some((case.name, outcome))
        })
        .collect();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, outcome) in &results {
        if let Some(fault) = &outcome.fault {
            let kind = match fault {
                Fault::Energy(..) => "make energy or lose it",
                Fault::Hangs(_) => "hang",
                Fault::Fails(_) => "fail",
            };
            *kinds.entry(kind).or_default() += 1;
        }
    }
    let touched = results.iter().filter(|(_, outcome)| outcome.touched).count();
    let most = results.iter().map(|(_, outcome)| outcome.evaluations).max();
    let all: u64 = results.iter().map(|(_, outcome)| outcome.evaluations).sum();
    let off = results.iter().filter(|(_, o)| o.fault.is_none()).map(|(_, o)| o.off);
    println!("{} pairs, {touched} touched; faults: {kinds:?}", results.len());
    println!("evaluations: {all} in all, {most:?} at most");
    println!("largest ledger error of the sound ones: {:.1e}", off.fold(0.0, f64::max));
}

/// Prints the last steps of a case with its touches.
fn trace(seed: u64, steps: Option<u64>) {
    let case = case(seed);
    println!("{}", case.name);
    let Ok(mut run) = Run::new(&case.world) else { return println!("cannot begin") };
    let mut last = std::collections::VecDeque::new();
    let spent = |run: &Run| {
        let counts = run.state().counts;
        counts.evaluations >= pairs::BUDGET || steps.is_some_and(|most| counts.steps >= most)
    };
    while run.state().time < pairs::DURATION && !spent(&run) {
        if let Err(error) = run.step(pairs::DURATION, &mut ()) {
            last.push_back(error.to_string());
            break;
        }
        let state = run.state();
        let touches = state.touches().iter().map(|touch| {
            let (site, slips) = (touch.site(&case.world).1, touch.slipping);
            format!("{site} {:?} {slips} {:.3e} {:.2e}", touch.phase, touch.delta, touch.rate)
        });
        let touches: Vec<String> = touches.collect();
        let counts = (state.counts.steps, state.counts.refused, state.counts.evaluations);
        last.push_back(format!("{:.12e} {counts:?} {}", state.time, touches.join("; ")));
        if last.len() > 40 {
            last.pop_front();
        }
    }
    last.iter().for_each(|line| println!("{line}"));
    println!("{:?}", run.state().energies(&case.world));
}
