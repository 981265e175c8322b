//! Random numbers as functions of a key and an index, so that no draw depends on the order of the draws.
//!
//! A case of a sweep or a grain of a bed must be the same in any order of computation, on any thread and after any
//! interruption. A draw is therefore a hash of (key, index). The hash is the finaliser of SplitMix64 (G. L. Steele,
//! D. Lea & C. H. Flood, OOPSLA 2014): over successive indices the draws are exactly those of that generator, started
//! at the key. Where a plain sequence is sufficient, [`Sequence`] counts the index.

/// Computes the finaliser of SplitMix64, a permutation of the 64-bit numbers whose values appear random.
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Increment of SplitMix64: 2⁶⁴ divided by the golden ratio, made odd.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// Computes a key from a seed and a name, so that each name has independent draws.
pub fn key(seed: u64, name: &str) -> u64 {
    let mut key = mix(seed.wrapping_add(INCREMENT));
    for byte in name.bytes() {
        key = mix(key ^ u64::from(byte)).wrapping_add(INCREMENT);
    }
    mix(key)
}

/// Computes a key from a seed and a number, so that each number has independent draws.
pub fn stream(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_mul(INCREMENT)
}

/// Returns the 64 bits of draw number `index`.
pub fn bits(key: u64, index: u64) -> u64 {
    mix(key.wrapping_add(index.wrapping_mul(INCREMENT)).wrapping_add(INCREMENT))
}

/// Returns draw number `index` as a number in (0, 1).
///
/// ```
/// use carom::numeric::random::{key, unit};
/// let mass = key(1, "mass");
/// assert!((0..100).all(|i| unit(mass, i) > 0.0 && unit(mass, i) < 1.0));
/// assert_eq!(unit(mass, 7), unit(mass, 7));
/// ```
pub fn unit(key: u64, index: u64) -> f64 {
    open_fraction(bits(key, index))
}

/// Converts 64 random bits to a number in (0, 1).
fn open_fraction(bits: u64) -> f64 {
    ((bits >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
}

/// Converts 64 random bits to a number in [0, 1).
pub fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// A sequence of successive draws of a key.
///
/// ```
/// use carom::numeric::random::{Sequence, bits};
/// let mut random = Sequence::new(42);
/// assert_eq!([random.bits(), random.bits()], [bits(42, 0), bits(42, 1)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    key: u64,
    index: u64,
}

impl Sequence {
    /// Creates a sequence that begins with draw number 0.
    pub fn new(key: u64) -> Self {
        Self { key, index: 0 }
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let next = bits(self.key, self.index);
        self.index = self.index.wrapping_add(1);
        next
    }

    /// Returns the next number in (0, 1).
    pub fn unit(&mut self) -> f64 {
        open_fraction(self.bits())
    }

    /// Returns the next integer below `count`, which must be at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }
}

/// Computes the position of `index` in a random permutation of 0..`count`, one for each key, without a table: a
/// Feistel network over the next even power of two, repeated if the result is outside the range (J. Black & P.
/// Rogaway, CT-RSA 2002).
pub fn permute(key: u64, index: u64, count: u64) -> u64 {
    if count < 2 {
        return 0;
    }
    let half = (64 - (count - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut position = index;
    loop {
        let (mut left, mut right) = (position >> half, position & mask);
        for round in 0..6u64 {
            (left, right) =
                (right, left ^ (bits(key ^ round.wrapping_mul(INCREMENT), right) & mask));
        }
        position = left << half | right;
        // The network permutes the larger range, so that its repetition leads back into the smaller one.
        if position < count {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // The tolerance is five standard deviations.
        assert!((mean / n as f64 - 0.5).abs() < 5.0 * 0.289 / (n as f64).sqrt());
        assert!((both / n as f64).abs() < 5.0 / 12.0 / (n as f64).sqrt());
    }
}
