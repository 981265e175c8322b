//! Sobol' sequences: points that fill a cube more evenly than random ones, each a function of its index.
//!
//! Coordinate j of point i is ⊕ᵦ iᵦ·v(j, b): bit b of the index includes the direction number v(j, b). The direction
//! numbers follow from a primitive polynomial over GF(2) of degree s and s odd starting values,
//!
//! mₖ = 2a₁mₖ₋₁ ⊕ 4a₂mₖ₋₂ ⊕ … ⊕ 2ˢmₖ₋ₛ ⊕ mₖ₋ₛ,   v(k) = mₖ/2ᵏ.
//!
//! Polynomials and starting values are those of S. Joe and F. Y. Kuo, Constructing Sobol sequences with better
//! two-dimensional projections, SIAM J. Sci. Comput. 30 (2008) 2635–2654 (their list for criterion D⁽⁶⁾). With 32
//! bits there are 2³² points, far more than the cases of a study.
//!
//! Scrambling is of the type introduced by A. B. Owen (1995): every bit is flipped depending on a hash of the more
//! significant bits. The points remain as evenly distributed as before, their errors for different seeds become
//! independent, and no point lies at the corner of the cube. The hash is that of S. Laine and T. Karras (Comput.
//! Graph. Forum 30 (2011) 1265–1276), applied to reversed bits, because sums and products with even numbers affect
//! only more significant bits. B. Burley (J. Comput. Graph. Tech. 9 (2020) 1–20) made it practical; the constants are
//! those of N. Vegdahl. The number of samples should be a power of two; with other numbers the points are less even.

/// Largest number of coordinates of a point.
pub(super) const DIMENSIONS: usize = POLYNOMIALS.len() + 1;

/// Number of bits of a coordinate.
const BITS: usize = 32;

/// One coordinate of the sequence.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    directions: [u32; BITS],
    scramble: Option<u64>,
}

impl Sequence {
    /// Creates coordinate `dimension`; `scramble` is the key of its scrambling.
    pub(super) fn new(dimension: usize, scramble: Option<u64>) -> Option<Self> {
        let mut directions = [0u32; BITS];
        match dimension.checked_sub(1) {
            // The first coordinate is van der Corput's sequence.
            None => {
                for (b, direction) in directions.iter_mut().enumerate() {
                    *direction = 1 << (BITS - 1 - b);
                }
            }
            Some(row) => {
                let (polynomial, start) = POLYNOMIALS.get(row)?;
                let degree = start.len();
                for b in 0..BITS {
                    directions[b] = match start.get(b) {
                        Some(m) => m << (BITS - 1 - b),
                        None => {
                            let far = directions[b - degree];
                            let mut value = far ^ (far >> degree);
                            for k in 1..degree {
                                if (polynomial >> (degree - k)) & 1 == 1 {
                                    value ^= directions[b - k];
                                }
                            }
                            value
                        }
                    };
                }
            }
        }
        Some(Self { directions, scramble })
    }

    /// Returns the coordinate of point `index`, in (0, 1).
    pub(super) fn unit(&self, index: u64) -> f64 {
        let (mut bits, mut left) = (0u32, index);
        while left != 0 {
            bits ^= self.directions.get(left.trailing_zeros() as usize).copied().unwrap_or(0);
            left &= left - 1;
        }
        if let Some(key) = self.scramble {
            bits = owen(bits, key);
        }
        // The middle of the cell is returned, which is never 0 or 1, whose quantiles may be infinite.
        (f64::from(bits) + 0.5) / (1u64 << BITS) as f64
    }
}

/// Applies Owen's scrambling: every bit is flipped depending on a hash of the key and the more significant bits.
fn owen(bits: u32, key: u64) -> u32 {
    let (add, times) = (key as u32, (key >> 32) as u32);
    let mut x = bits.reverse_bits();
    x ^= x.wrapping_mul(0x3d20_adea);
    x = x.wrapping_add(add);
    x = x.wrapping_mul(times | 1);
    x ^= x.wrapping_mul(0x0552_6c56);
    x ^= x.wrapping_mul(0x53a2_2864);
    x.reverse_bits()
}

/// Primitive polynomials (coefficients as bits, the highest first) and starting values, beginning with the second
/// coordinate.
const POLYNOMIALS: &[(u32, &[u32])] = &[
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]),
    (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]),
    (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]),
    (213, &[1, 3, 7, 3, 13, 59, 17]),
    (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]),
    (241, &[1, 1, 7, 7, 1, 61, 123]),
    (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (355, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (357, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (361, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (369, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (391, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (397, &[1, 3, 7, 11, 15, 39, 119, 27]),
    (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]),
    (463, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (487, &[1, 3, 1, 5, 27, 63, 123, 213]),
    (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]),
    (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]),
    (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]),
    (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]),
    (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]),
    (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_are_those_of_other_implementations() {
        // Values of scipy.stats.qmc.Sobol(5, scramble=False), which enumerates the points in the order of Gray codes.
        let expected = [
            [0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25, 0.25, 0.75],
            [0.25, 0.75, 0.75, 0.75, 0.25],
            [0.375, 0.375, 0.625, 0.875, 0.375],
            [0.875, 0.875, 0.125, 0.375, 0.875],
            [0.625, 0.125, 0.875, 0.625, 0.625],
            [0.125, 0.625, 0.375, 0.125, 0.125],
        ];
        let sequences: Vec<_> = (0..5).map(|d| Sequence::new(d, None).unwrap()).collect();
        for i in 0..8u64 {
            let gray = i ^ (i >> 1);
            for (sequence, expected) in sequences.iter().zip(expected[i as usize]) {
                assert!((sequence.unit(gray) - expected).abs() < 1e-9, "{i}");
            }
        }
    }

    #[test]
    fn every_coordinate_puts_one_point_into_each_cell() {
        for dimension in 0..DIMENSIONS {
            for scramble in [None, Some(42)] {
                let sequence = Sequence::new(dimension, scramble).unwrap();
                let mut seen = [false; 256];
                for i in 0..256 {
                    seen[(sequence.unit(i) * 256.0) as usize] = true;
                }
                assert!(seen.iter().all(|&cell| cell), "{dimension} {scramble:?}");
            }
        }
        assert!(Sequence::new(DIMENSIONS, None).is_none());
    }

    #[test]
    fn a_product_is_integrated_far_better_than_by_chance() {
        // The integral of ∏ (1 + (2u−1)/2) over eight coordinates is 1.
        for scramble in [None, Some(7)] {
            let sequences: Vec<_> =
                (0..8).map(|d| Sequence::new(d, scramble.map(|s| s + d as u64)).unwrap()).collect();
            let sum: f64 =
                (0..4096).map(|i| sequences.iter().map(|s| 0.5 + s.unit(i)).product::<f64>()).sum();
            // For random points the standard error is ((1 + 1/12)^8 − 1)^½/64 = 0.015.
            assert!((sum / 4096.0 - 1.0).abs() < 3e-3, "{scramble:?} {}", sum / 4096.0);
        }
    }
}
