//! Random pairs of solids thrown at each other; `examples/random_pairs.rs` runs as many as one likes.

use crate::common::pairs::{Outcome, case, judge};

/// What went wrong in the cases of these numbers.
fn faults(seeds: impl IntoIterator<Item = u64>) -> Vec<String> {
    let fault = |seed: u64| {
        let case = case(seed);
        judge(&case).fault.map(|fault| format!("{seed}: {}: {fault}", case.name))
    };
    seeds.into_iter().filter_map(fault).collect()
}

/// The same for one, which must be sound.
fn sound(seed: u64) -> Outcome {
    let case = case(seed);
    let outcome = judge(&case);
    assert!(outcome.touched, "{seed}: {} does not touch", case.name);
    assert!(outcome.fault.is_none(), "{seed}: {}: {:?}", case.name, outcome.fault);
    outcome
}

#[test]
fn random_pairs_of_solids_neither_make_energy_nor_hang() {
    // Two edges of hulls were found 14 mm deep in each other, and a hundred times the kinetic energy came out of that;
    // cylinders on edges of boxes stood still in time.
    let faults = faults((0..160).filter(|&seed| {
        // Steps of springs at their limit are short; of these a few suffice.
        !case(seed).name.contains("spring friction") || seed % 8 == 0
    }));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_gap_that_jumps_within_an_accepted_step_gives_no_energy() {
    // The gap of a cylinder and a disc jumped by 12 mm within 1e-12 s. The step was so short that the jump of the force made
    // no error, so it was accepted, and the touch went on with an indentation that nothing had done work for.
    sound(873);
    // A disc on a flat tetrahedron: 99.8 J more were given than taken.
    sound(3142);
}

#[test]
fn a_gap_that_jumps_shut_begins_no_touch_before_it_is_closed() {
    // The contact of a disc and a flat tetrahedron began 1 mm before the gap jumped shut. The law has no force there but NaN, which
    // passed for a small error where the step was cut at an event; from then on every step was refused.
    sound(942);
}

#[test]
fn features_that_take_turns_begin_no_touches_without_end() {
    // A place of a cylinder and a disc that overlapped at a depth had two normals in turn, one closing with 5.65 m/s and the other
    // opening with 5.70 m/s. Touches began and ended there every 1e-12 s.
    sound(1884);
}

#[test]
fn springs_at_their_limit_neither_stick_and_slip_without_end_nor_take_short_steps() {
    // Without a damper: stick and slip followed each other without end (2113), or took more than 400 000 evaluations.
    for seed in [2113, 3111, 3210, 3808, 3818] {
        assert!(sound(seed).evaluations < 100_000, "{seed}");
    }
    // An edge of a box that slides over a disc. The direction of the slip was known to 1e-9, and steps were held to 1e-10
    // of the friction: 304 749 evaluations.
    assert!(sound(3026).evaluations < 200_000);
}
