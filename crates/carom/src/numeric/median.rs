//! The median.

/// The median; NaN where there are no values. Sorts them.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match (values.get(n / 2), n % 2) {
        (None, _) => f64::NAN,
        (Some(&high), 1) => high,
        (Some(&high), _) => 0.5 * (high + values[n / 2 - 1]),
    }
}
