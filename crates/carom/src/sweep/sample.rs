//! Points in the unit cube, each a function of its index: random, Latin hypercube or Sobol' points.

use super::sobol::{DIMENSIONS, Sequence};
use crate::error::{Error, Result};
use crate::numeric::random;

/// Sampling method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Independent random points.
    Random,
    /// Latin hypercube: on every axis, one point in each of as many equal intervals as there are samples.
    LatinHypercube,
    /// A Sobol' sequence, which is evenly distributed in all low-dimensional projections.
    #[default]
    Sobol,
}

names! {
    Method { Sobol = "sobol", LatinHypercube = "latin-hypercube", Random = "random", }
    parsed as "sampling method"
}

/// A set of points in the unit cube.
#[derive(Clone, Debug, Default)]
pub struct Sampling {
    method: Method,
    count: u64,
    seed: u64,
    axes: Vec<Coordinate>,
}

/// Method by which one coordinate is drawn.
#[derive(Clone, Debug)]
enum Coordinate {
    /// Random number with this key.
    Random(u64),
    /// One point per interval: keys of the permutation of the intervals and of the position within an interval.
    Slices {
        permutation: u64,
        within: u64,
    },
    Sobol(Box<Sequence>),
}

impl Sampling {
    /// Creates `count` points with one coordinate for every name.
    pub(super) fn new(
        method: Method,
        count: u64,
        seed: u64,
        scramble: bool,
        names: &[&str],
    ) -> Result<Self> {
        if method == Method::Sobol && count > 1 << 32 {
            let advice = "use method = \"latin-hypercube\" or \"random\" for more";
            return Err(Error::invalid("count", count, "at most 2^32 with method `sobol`", advice));
        }
        let coordinate = |(dimension, name): (usize, &&str)| {
            let key = random::key(seed, name);
            match method {
                Method::Random => Ok(Coordinate::Random(key)),
                Method::LatinHypercube => {
                    Ok(Coordinate::Slices { permutation: key, within: random::mix(!key) })
                }
                Method::Sobol => Sequence::new(dimension, scramble.then_some(key))
                    .map(|sequence| Coordinate::Sobol(Box::new(sequence)))
                    .ok_or_else(|| {
                        Error::unsupported(
                            format!("a Sobol' sequence over {} numbers", names.len()),
                            format!(
                                "{DIMENSIONS} are known; use method = \"latin-hypercube\" or \"random\""
                            ),
                        )
                    }),
            }
        };
        let axes = names.iter().enumerate().map(coordinate).collect::<Result<_>>()?;
        Ok(Self { method, count, seed, axes })
    }

    /// Returns the sampling method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the number of points; 0 if nothing is sampled.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns coordinate `axis` of point `index`, in (0, 1).
    pub(super) fn unit(&self, axis: usize, index: u64) -> f64 {
        match self.axes.get(axis) {
            Some(Coordinate::Random(key)) => random::unit(*key, index),
            Some(Coordinate::Slices { permutation, within }) => {
                let slice = random::permute(*permutation, index, self.count);
                (slice as f64 + random::unit(*within, index)) / self.count as f64
            }
            Some(Coordinate::Sobol(sequence)) => sequence.unit(index),
            None => 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slice_of_a_latin_hypercube_holds_one_sample() {
        let sampling =
            Sampling::new(Method::LatinHypercube, 1000, 5, true, &["mass", "speed"]).unwrap();
        for axis in 0..2 {
            let mut seen = vec![0; 1000];
            (0..1000).for_each(|i| seen[(sampling.unit(axis, i) * 1000.0) as usize] += 1);
            assert!(seen.iter().all(|&n| n == 1));
        }
    }

    #[test]
    fn another_axis_does_not_change_the_draws_of_the_first() {
        for method in [Method::Random, Method::LatinHypercube, Method::Sobol] {
            let one = Sampling::new(method, 64, 5, true, &["mass"]).unwrap();
            let two = Sampling::new(method, 64, 5, true, &["mass", "speed"]).unwrap();
            let other = Sampling::new(method, 64, 6, true, &["mass"]).unwrap();
            assert!((0..64).all(|i| one.unit(0, i) == two.unit(0, i)));
            assert!((0..64).any(|i| one.unit(0, i) != other.unit(0, i)));
        }
    }
}
