//! Random collisions of two solids; `examples/random_pairs.rs` runs any number of them.

use crate::common::pairs::{Outcome, case, judge};

/// Returns the failures of the cases with these numbers.
fn faults(seeds: impl IntoIterator<Item = u64>) -> Vec<String> {
    let fault = |seed: u64| {
        let case = case(seed);
        judge(&case).fault.map(|fault| format!("{seed}: {}: {fault}", case.name))
    };
    seeds.into_iter().filter_map(fault).collect()
}

/// Runs one case, which must touch and have no failure.
fn sound(seed: u64) -> Outcome {
    let case = case(seed);
    let outcome = judge(&case);
    assert!(outcome.touched, "{seed}: {} does not touch", case.name);
    assert!(outcome.fault.is_none(), "{seed}: {}: {:?}", case.name, outcome.fault);
    outcome
}

#[test]
fn random_pairs_of_solids_gain_no_energy_and_finish() {
    // Regression: two edges of hulls were found with an indentation of 14 mm, which released a hundred times the kinetic energy,
    // and runs with cylinders on edges of boxes did not advance in time.
    let faults = faults((0..160).filter(|&seed| {
        // Friction springs at their limit need short steps, therefore only some of these cases are run.
        !case(seed).name.contains("spring friction") || seed % 8 == 0
    }));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_gap_that_jumps_within_an_accepted_step_gives_no_energy() {
    // Regression: the gap of a cylinder and a disc jumped by 12 mm within 1e-12 s. The step was so short that the jump of the
    // force caused no error, so that it was accepted, and the touch continued with an indentation for which no work had been
    // done.
    sound(873);
    // A disc on a flat tetrahedron: contacts released 99.8 J more than they received.
    sound(3142);
}

#[test]
fn a_gap_that_jumps_shut_begins_no_touch_before_it_is_closed() {
    // Regression: the contact of a disc and a flat tetrahedron began 1 mm before the gap jumped to closed. The force of the law
    // is NaN there, which was taken for a small error where the step ended at an event; from then on every step was rejected.
    sound(942);
}

#[test]
fn alternating_features_do_not_begin_touches_without_end() {
    // Regression: a site of a cylinder and a disc with a deep overlap alternated between two normals, one closing at 5.65 m/s and
    // the other opening at 5.70 m/s, so that touches began and ended every 1e-12 s.
    sound(1884);
}

#[test]
fn springs_at_their_limit_neither_stick_and_slip_without_end_nor_take_short_steps() {
    // Friction springs without a damper: stick and slip alternated without end (2113), or needed more than 400 000 evaluations.
    for seed in [2113, 3111, 3210, 3808, 3818] {
        assert!(sound(seed).evaluations < 100_000, "{seed}");
    }
    // An edge of a box slides over a disc. Regression: the direction of the slip was known to 1e-9, but steps were controlled to
    // 1e-10 of the friction, which needed 304 749 evaluations.
    assert!(sound(3026).evaluations < 200_000);
}
