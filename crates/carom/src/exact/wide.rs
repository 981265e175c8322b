//! Exponentials and logarithms of a whole row of numbers.
//!
//! A call of `f64::exp` processes one number; a loop without branches over a row of [`POINTS`] numbers lets the
//! compiler use the widest vector registers. Results are the same on every machine and accurate to one unit in the
//! last place.

use super::gauss::{NodeValues, POINTS};

/// ln 2 in two parts; the low bits of the first part are zero, so that its products with small integers are exact.
const LN_2_HIGH: f64 = 6.93147180369123816490e-01;
const LN_2_LOW: f64 = 1.90821492927058770002e-10;

/// Coefficients 1/k!.
const INVERSE_FACTORIALS: [f64; 14] = {
    let (mut out, mut factorial, mut k) = ([1.0; 14], 1.0, 1);
    while k < 14 {
        factorial *= k as f64;
        out[k] = 1.0 / factorial;
        k += 1;
    }
    out
};

/// Replaces every x of the row by e^x, with x limited to ±700 so that the result is a normal number.
#[inline(always)]
pub(super) fn exp(row: &mut NodeValues) {
    // Adding and subtracting 1.5·2⁵² rounds to an integer, which is in the low bits of the sum before the
    // subtraction.
    const ROUND: f64 = 6755399441055744.0;
    for x in row.iter_mut() {
        let y = x.clamp(-700.0, 700.0);
        let shifted = y * std::f64::consts::LOG2_E + ROUND;
        let k = shifted - ROUND;
        let r = (y - k * LN_2_HIGH) - k * LN_2_LOW;
        // Taylor series for |r| ≤ ln 2/2, where 13 terms leave an error of 4e-18.
        let mut sum = INVERSE_FACTORIALS[13];
        for k in (0..13).rev() {
            sum = sum * r + INVERSE_FACTORIALS[k];
        }
        let power = (shifted.to_bits() << 52).wrapping_add(1023 << 52);
        *x = sum * f64::from_bits(power);
    }
}

/// Computes ln x for every x ≥ 1 of the row.
#[inline(always)]
pub(super) fn ln(row: &NodeValues) -> NodeValues {
    // x = 2ᵏ·f with f in [√½, √2), both obtained from the bits of x. Placing the bits of k into those of 2⁵² and
    // subtracting 2⁵² converts k to a number.
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const SHIFT: f64 = 4503599627370496.0;
    let mut out = [0.0; POINTS];
    for (x, out) in row.iter().zip(&mut out) {
        let bits = x.to_bits();
        let above = bits.wrapping_sub(ROOT_HALF);
        let k = f64::from_bits((above >> 52) | SHIFT.to_bits()) - SHIFT;
        let f = f64::from_bits(bits.wrapping_sub(above & (0xfff << 52)));
        // ln f = 2·artanh s with |s| ≤ 0.172, where 10 terms leave an error of 1e-17.
        let s = (f - 1.0) / (f + 1.0);
        let s2 = s * s;
        let mut sum = 2.0 / 19.0;
        for odd in [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
            sum = sum * s2 + 2.0 / odd;
        }
        *out = k * LN_2_HIGH + (k * LN_2_LOW + (2.0 * s + s * s2 * sum));
    }
    out
}

/// Computes e^values(j) for every j of a row.
#[inline(always)]
pub(super) fn exp_of(values: impl Fn(usize) -> f64) -> NodeValues {
    let mut row = [0.0; POINTS];
    for (j, x) in row.iter_mut().enumerate() {
        *x = values(j);
    }
    exp(&mut row);
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_agree_with_the_standard_library_to_the_last_digit() {
        for i in 0..20_000 {
            let x = 1.0 + 1e-6 * 1e14f64.powf(i as f64 / 20_000.0);
            let mut row = [x; POINTS];
            row[3] = 1.0;
            let values = ln(&row);
            assert!((values[0] - x.ln()).abs() < 2.5e-16 * (1.0 + x.ln()), "{x}: {}", values[0]);
            assert_eq!(values[3], 0.0);
        }
    }

    #[test]
    fn exponentials_agree_with_the_standard_library_to_the_last_digit() {
        for i in 0..20_000 {
            let x = -690.0 + 0.069 * i as f64;
            let row = exp_of(|j| x + 1e-3 * j as f64);
            for (j, value) in row.iter().enumerate() {
                let exact = (x + 1e-3 * j as f64).exp();
                assert!((value / exact - 1.0).abs() < 3e-16, "{x}: {value} {exact}");
            }
        }
        assert!(exp_of(|_| -1e9)[0] < 1e-300 && exp_of(|_| 0.0)[3] == 1.0);
    }
}
