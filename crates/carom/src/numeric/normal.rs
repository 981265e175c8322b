//! The normal distribution and its inverse.

/// Computes Φ(z), the probability of a value below `z` under the standard normal distribution.
pub fn cumulative(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Computes Φ⁻¹(u), the value below which the probability is `u`, to sixteen digits: M. J. Wichura, Algorithm AS 241,
/// Appl. Statist. 37 (1988) 477–484.
pub fn quantile(u: f64) -> f64 {
    let q = u - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * rational_function(r, &CENTRE);
    }
    let tail = if q < 0.0 { u } else { 1.0 - u };
    let r = (-tail.ln()).sqrt();
    let z = if r <= 5.0 {
        rational_function(r - 1.6, &MIDDLE)
    } else {
        rational_function(r - 5.0, &FAR)
    };
    z.copysign(q)
}

/// Evaluates the quotient of two polynomials with coefficients in descending order.
fn rational_function(r: f64, [above, below]: &[[f64; 8]; 2]) -> f64 {
    let horner = |c: &[f64; 8]| c.iter().fold(0.0, |sum, c| sum * r + c);
    horner(above) / horner(below)
}

#[rustfmt::skip]
const CENTRE: [[f64; 8]; 2] = [
    [
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
        13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608,
    ],
    [
        5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
        5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0,
    ],
];
#[rustfmt::skip]
const MIDDLE: [[f64; 8]; 2] = [
    [
        7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
        1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
        4.6303378461565452959, 1.42343711074968357734,
    ],
    [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
        0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
        2.05319162663775882187, 1.0,
    ],
];
#[rustfmt::skip]
const FAR: [[f64; 8]; 2] = [
    [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
        0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
        5.4637849111641143699, 6.6579046435011037772,
    ],
    [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
        7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
        0.59983220655588793769, 1.0,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_is_the_inverse_of_the_distribution() {
        for u in [1e-12, 1e-6, 0.001, 0.03, 0.0749, 0.0751, 0.3, 0.5, 0.77, 0.95, 0.9999] {
            let back = cumulative(quantile(u));
            assert!((back / u - 1.0).abs() < 1e-12, "{u} {back}");
        }
        // Value of scipy.stats.norm.ppf(0.975).
        assert!((quantile(0.975) - 1.959963984540054).abs() < 1e-14);
    }
}
