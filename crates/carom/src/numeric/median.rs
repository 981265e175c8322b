//! The median.

/// Sorts the values and returns their median; NaN if there are none.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match (values.get(n / 2), n % 2) {
        (None, _) => f64::NAN,
        (Some(&high), 1) => high,
        (Some(&high), _) => 0.5 * (high + values[n / 2 - 1]),
    }
}
