//! Random numbers as functions of an index: no generator has a state.
//!
//! A case of a sweep must have the same result on every machine, in any order, on any thread, after any
//! interruption. So a draw is a hash of (seed, name of the axis, index). The hash is the finaliser of
//! SplitMix64 (G. L. Steele, D. Lea & C. H. Flood, OOPSLA 2014): over successive indices it *is* that
//! generator, started at a point which seed and name decide. The name, not the position: an axis more
//! in a study does not change the draws of the others.
//!
//! A permutation without a table, for the Latin hypercube: a Feistel network over the next even power of
//! two, walked again where it leads outside the range (J. Black & P. Rogaway, CT-RSA 2002).

/// The finaliser of SplitMix64.
pub(super) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The golden ratio in 64 bits, SplitMix64's step.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A key from seed and name.
pub(super) fn key(seed: u64, name: &str) -> u64 {
    let mut key = mix(seed.wrapping_add(STEP));
    for byte in name.bytes() {
        key = mix(key ^ u64::from(byte)).wrapping_add(STEP);
    }
    mix(key)
}

/// Draw number `index`, 64 bits.
pub(super) fn bits(key: u64, index: u64) -> u64 {
    mix(key.wrapping_add(index.wrapping_mul(STEP)).wrapping_add(STEP))
}

/// Draw number `index`, in (0, 1).
pub(super) fn unit(key: u64, index: u64) -> f64 {
    ((bits(key, index) >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
}

/// The image of `index` of 0..`count` under the permutation of this key.
pub(super) fn permute(key: u64, index: u64, count: u64) -> u64 {
    if count < 2 {
        return 0;
    }
    let half = (64 - (count - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut place = index;
    loop {
        let (mut left, mut right) = (place >> half, place & mask);
        for round in 0..6u64 {
            (left, right) = (right, left ^ (bits(key ^ round.wrapping_mul(STEP), right) & mask));
        }
        place = left << half | right;
        // The network is a permutation of the larger range, so the walk comes back.
        if place < count {
            return place;
        }
    }
}

/// Φ, the normal distribution.
pub(super) fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Φ⁻¹: M. J. Wichura, Algorithm AS 241, Appl. Statist. 37 (1988) 477–484, to sixteen digits.
pub(super) fn normal_quantile(u: f64) -> f64 {
    let q = u - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * ratio(r, &CENTRE);
    }
    let tail = if q < 0.0 { u } else { 1.0 - u };
    let r = (-tail.ln()).sqrt();
    let z = if r <= 5.0 { ratio(r - 1.6, &MIDDLE) } else { ratio(r - 5.0, &FAR) };
    z.copysign(q)
}

/// Quotient of two polynomials, coefficients from the highest power down.
fn ratio(r: f64, [above, below]: &[[f64; 8]; 2]) -> f64 {
    let horner = |c: &[f64; 8]| c.iter().fold(0.0, |sum, c| sum * r + c);
    horner(above) / horner(below)
}

const CENTRE: [[f64; 8]; 2] = [
    [
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ],
    [
        5226.495278852854561,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ],
];
const MIDDLE: [[f64; 8]; 2] = [
    [
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ],
    [
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ],
];
const FAR: [[f64; 8]; 2] = [
    [
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ],
    [
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_is_the_inverse_of_the_distribution() {
        for u in [1e-12, 1e-6, 0.001, 0.03, 0.0749, 0.0751, 0.3, 0.5, 0.77, 0.95, 0.9999] {
            let back = normal(normal_quantile(u));
            assert!((back / u - 1.0).abs() < 1e-12, "{u} {back}");
        }
        // scipy.stats.norm.ppf(0.975)
        assert!((normal_quantile(0.975) - 1.959963984540054).abs() < 1e-14);
    }

    #[test]
    fn a_permutation_meets_every_place_once() {
        for count in [1, 2, 3, 10, 64, 1000, 4097] {
            for key in [0, 99] {
                let mut seen = vec![false; count as usize];
                for index in 0..count {
                    seen[permute(key, index, count) as usize] = true;
                }
                assert!(seen.iter().all(|&it| it), "{count} {key}");
            }
        }
        assert!((0..100).any(|i| permute(1, i, 100) != permute(2, i, 100)));
    }

    #[test]
    fn draws_are_even_and_axes_independent() {
        let (a, b) = (key(1, "mass"), key(1, "speed"));
        let n = 20_000;
        let (mut mean, mut both) = (0.0, 0.0);
        for i in 0..n {
            mean += unit(a, i);
            both += (unit(a, i) - 0.5) * (unit(b, i) - 0.5);
        }
        // Five standard deviations.
        assert!((mean / n as f64 - 0.5).abs() < 5.0 * 0.289 / (n as f64).sqrt());
        assert!((both / n as f64).abs() < 5.0 / 12.0 / (n as f64).sqrt());
    }
}
