//! Requirements on results: a finite number, a note or an error message that is a sentence, within a short time.

use super::Misses;
use carom::impact::Impact;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Numbers that are likely to break programs, and a few ordinary ones.
pub const NUMBERS: &[f64] = &[
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    -1.0,
    1.0,
    0.5,
    0.7,
    1.5,
    3.0,
    1e-5,
    1e10,
    1e-300,
    1e300,
    1e308,
    -1e308,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    1.0 + f64::EPSILON,
    1.0 - 1e-16,
];

/// Runs a closure and records a panic, or a run so long that the program seems to hang.
pub fn survive<T>(
    misses: &mut Misses,
    label: impl Fn() -> String,
    run: impl FnOnce() -> T,
) -> Option<T> {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(run));
    let slow = start.elapsed() > Duration::from_secs(30);
    misses.require(!slow, || format!("{} took {:?}", label(), start.elapsed()));
    misses.require(result.is_ok(), || format!("{} panicked", label()));
    result.ok()
}

/// Checks that the text of an error is a sentence.
pub fn sentence(misses: &mut Misses, label: impl Fn() -> String, error: &carom::Error) {
    let text = error.to_string();
    let good = text.len() > 20 && text.len() < 1500 && !text.contains("{}");
    misses.require(good, || format!("{}: `{text}`", label()));
}

/// Checks that every number of an impact is finite or that a note explains why it is not.
pub fn finite(misses: &mut Misses, label: impl Fn() -> String, impact: &Impact) -> bool {
    let numbers = [
        impact.restitution.newton,
        impact.restitution.poisson,
        impact.restitution.stronge,
        impact.duration,
        impact.indentation_max,
        impact.time_of_indentation_max,
        impact.force_max,
        impact.time_of_force_max,
        impact.residual_indentation,
        impact.impulse.compression,
        impact.impulse.restitution,
        impact.energy.initial,
        impact.energy.lost_in_compression,
        impact.energy.lost_in_restitution,
    ];
    let explained =
        impact.notes.iter().any(|n| ["never_separates", "rests", "sticks"].contains(&n.kind()));
    let finite = numbers.iter().all(|x| x.is_finite());
    misses.require(finite || explained, || format!("{}: {impact:?}", label()));
    for note in &impact.notes {
        misses.require(note.to_string().len() > 20, || format!("{}: {note}", label()));
    }
    finite
}

/// Checks that the numbers are finite, the restitution lies between 0 and 1, and the energy ledger closes.
pub fn sound(misses: &mut Misses, label: impl Fn() -> String, impact: &Impact) {
    if finite(misses, &label, impact) {
        let e = impact.restitution.newton;
        misses.require((0.0..=1.0 + 1e-6).contains(&e), || format!("{}: e = {e}", label()));
        let initial = impact.energy.initial;
        let kinetic = initial * e * e;
        let lost = impact.energy.lost_in_compression + impact.energy.lost_in_restitution;
        let off = (lost + kinetic - initial).abs();
        // Adhesive contacts may store far more energy than the impact supplies.
        let scale = initial.max(impact.force_max * impact.indentation_max);
        misses.require(off <= 1e-6 * scale, || format!("{}: ledger off {off:e}", label()));
    }
}
