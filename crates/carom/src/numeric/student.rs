//! Student's distribution, with any number of degrees of freedom.
//!
//! P(|t| < q) = 1 − I(ν/2, ½; ν/(ν + q²)) with the regularised incomplete beta function I, by its continued fraction
//! (NIST Handbook of Mathematical Functions, 8.17.22, evaluated by Lentz's method).

use super::root;

/// Computes the probability of a value below `t` with `freedom` degrees of freedom.
///
/// ```
/// use carom::numeric::student::cumulative;
/// // With one degree of freedom it is Cauchy's: 1/2 + atan(t)/π.
/// assert!((cumulative(1.0, 1.0) - 0.75).abs() < 1e-14);
/// ```
pub fn cumulative(t: f64, freedom: f64) -> f64 {
    if freedom.is_infinite() {
        return super::normal::cumulative(t);
    }
    let square = t * t;
    // The form of the beta function is chosen such that 1 − x has no cancellation.
    let tail = match square < freedom {
        true => 1.0 - incomplete_beta(0.5, 0.5 * freedom, square / (freedom + square)),
        false => incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + square)),
    };
    if t > 0.0 { 1.0 - 0.5 * tail } else { 0.5 * tail }
}

/// Computes the value below which the probability is `u`; NaN if `u` is not between 0 and 1, and infinite if there is
/// no degree of freedom.
///
/// ```
/// use carom::numeric::student::quantile;
/// assert!((quantile(0.975, 4.0) - 2.7764451052).abs() < 1e-9);
/// ```
pub fn quantile(u: f64, freedom: f64) -> f64 {
    if !(u > 0.0 && u < 1.0) {
        return f64::NAN;
    }
    if !(freedom > 0.0) {
        return f64::INFINITY.copysign(u - 0.5);
    }
    if freedom.is_infinite() {
        return super::normal::quantile(u);
    }
    if u < 0.5 {
        return -quantile(1.0 - u, freedom);
    }
    let missing = |t: f64| cumulative(t, freedom) - u;
    let mut high = 2.0;
    while missing(high) < 0.0 && high < 1e150 {
        high *= 4.0;
    }
    root::find(0.0, high, 0.0, missing).unwrap_or(0.0)
}

/// Computes I(a, b; x), the regularised incomplete beta function.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let logarithm =
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (-x).ln_1p();
    logarithm.exp() / a * fraction(a, b, x)
}

/// Evaluates the continued fraction 1/(1 + d₁/(1 + d₂/(1 + …))) of the incomplete beta function.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    // Lentz's method replaces a denominator of zero by a tiny number.
    const TINY: f64 = 1e-300;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..1000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for coefficient in [even, odd] {
            d = 1.0 / nonzero(1.0 + coefficient * d);
            c = nonzero(1.0 + coefficient / c);
            change = c * d;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the closed forms for ν = 1 (Cauchy) and ν = 2, q = √2·p/√(1 − p²) with p = P(|t| < q), and with
    /// printed tables for the others.
    #[test]
    fn quantiles_are_those_of_closed_forms_and_tables() {
        for u in [0.6, 0.9, 0.975, 0.9995] {
            let cauchy = (std::f64::consts::PI * (u - 0.5)).tan();
            assert!((quantile(u, 1.0) / cauchy - 1.0).abs() < 1e-11, "{u}");
            let p: f64 = 2.0 * u - 1.0;
            let two = std::f64::consts::SQRT_2 * p / (1.0 - p * p).sqrt();
            assert!((quantile(u, 2.0) / two - 1.0).abs() < 1e-11, "{u}");
            assert!((quantile(1.0 - u, 5.0) + quantile(u, 5.0)).abs() < 1e-11);
        }
        for (freedom, printed) in [(3.0, 3.182), (10.0, 2.228), (30.0, 2.042), (120.0, 1.980)] {
            assert!((quantile(0.975, freedom) - printed).abs() < 6e-4, "{freedom}");
        }
        // For large ν the quantile is the normal one plus the leading term z·(z² + 1)/4ν of its expansion; the
        // logarithms of large gamma functions lose digits.
        let z = super::super::normal::quantile(0.975);
        let expanded = z + z * (z * z + 1.0) / 4e6;
        assert!((quantile(0.975, 1e6) - expanded).abs() < 1e-7);
        assert!(quantile(1.5, 3.0).is_nan() && quantile(0.9, 0.0) == f64::INFINITY);
    }
}
