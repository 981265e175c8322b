//! The axes of a study and the order of its cases: lists and ranges that are crossed or advance together, and
//! samples.
//!
//! The first axis changes most slowly and the last one faster; samples change fastest. Case i has the same values
//! wherever and whenever it is computed. This module does not depend on what a case is (an impact, or the run of a
//! scene).

use super::axis::{Axis, Points, Value};
use super::sample::Sampling;
use crate::error::{Error, Result};
use std::ops::Range;

/// Largest number of cases; at a million cases per second they take a million seconds.
pub(super) const CASE_LIMIT: u64 = 1_000_000_000_000;

/// The axes of a study and the order of its cases.
#[derive(Clone, Debug)]
pub struct Variation {
    axes: Vec<Axis>,
    /// For every axis, how its value follows from the number of the case.
    indexing: Vec<Indexing>,
    grid: u64,
    sampling: Sampling,
    /// Number of cases per partition.
    partition_size: u64,
}

/// How the value of an axis follows from the number of a case.
#[derive(Clone, Copy, Debug)]
enum Indexing {
    /// Value number (grid index / stride) mod count.
    Grid { stride: u64, count: u64 },
    /// Coordinate of the sample.
    Sample(usize),
}

impl Variation {
    /// Combines these axes; `partition_size` returns the number of cases per partition for a number of cases.
    ///
    /// # Errors
    /// When axes that advance together have different numbers of values, or there are too many cases.
    pub(super) fn new(
        axes: Vec<Axis>,
        sampling: Sampling,
        partition_size: impl FnOnce(u64) -> u64,
    ) -> Result<Self> {
        // There is one dimension for every list or range, and one for each group of axes that advance together.
        let mut dimensions: Vec<(Option<&str>, u64)> = Vec::new();
        let mut of_axis = Vec::new();
        let mut samples = 0;
        for axis in &axes {
            let Some(count) = axis.count() else {
                of_axis.push(None);
                continue;
            };
            let zip = axis.zip.as_deref();
            let known = dimensions.iter().position(|(name, _)| name.is_some() && *name == zip);
            match known.and_then(|k| dimensions.get(k).map(|d| (k, d.1))) {
                Some((_, other)) if other != count => {
                    return Err(Error::invalid(
                        format!("number of values of {}", axis.name()),
                        count,
                        format!("{other}, as on the other axes of zip `{}`", zip.unwrap_or("")),
                        "axes that advance together have equally many values",
                    ));
                }
                Some((k, _)) => of_axis.push(Some(k)),
                None => {
                    of_axis.push(Some(dimensions.len()));
                    dimensions.push((zip, count));
                }
            }
        }
        let mut grid = 1u64;
        let mut strides = vec![0; dimensions.len()];
        for (stride, (_, count)) in strides.iter_mut().zip(&dimensions).rev() {
            *stride = grid;
            grid = grid.saturating_mul(*count);
        }
        let cases = grid.saturating_mul(sampling.count().max(1));
        if cases > CASE_LIMIT {
            let advice = "give the axes fewer values, or sample them: distribution = \"uniform\"";
            let allowed = format!("at most {CASE_LIMIT}");
            return Err(Error::invalid("number of cases", cases, allowed, advice));
        }
        let indexing = of_axis.iter().map(|dimension| match dimension {
            Some(k) => Indexing::Grid {
                stride: strides.get(*k).copied().unwrap_or(1),
                count: dimensions.get(*k).map_or(1, |d| d.1),
            },
            None => {
                samples += 1;
                Indexing::Sample(samples - 1)
            }
        });
        let indexing = indexing.collect();
        let partition_size = partition_size(cases).max(1);
        Ok(Self { axes, indexing, grid, sampling, partition_size })
    }

    /// Returns the axes.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Returns the sampling of the distributions.
    pub fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    /// Returns the number of cases.
    pub fn cases(&self) -> u64 {
        self.grid * self.sampling.count().max(1)
    }

    /// Returns the number of points of the grid of lists and ranges; each of them is combined with all samples.
    pub fn grid(&self) -> u64 {
        self.grid
    }

    /// Returns the number of partitions.
    pub fn partitions(&self) -> u64 {
        self.cases().div_ceil(self.partition_size)
    }

    /// Returns the case numbers of a partition.
    pub fn partition_cases(&self, partition: u64) -> Range<u64> {
        let start = partition.saturating_mul(self.partition_size).min(self.cases());
        start..start.saturating_add(self.partition_size).min(self.cases())
    }

    /// Refuses a case number that is too large.
    ///
    /// # Errors
    /// When the study has no case of this number.
    pub fn check(&self, index: u64) -> Result<()> {
        if index < self.cases() {
            return Ok(());
        }
        let allowed = format!("below {}, the number of cases", self.cases());
        Err(Error::invalid("case", index, allowed, "cases are counted from 0"))
    }

    /// Returns the values of all axes in a case as text: words, or numbers in SI units.
    pub fn words(&self, index: u64) -> Vec<String> {
        let mut values = Vec::new();
        self.values(index, &mut values);
        let word = |(axis, value): (&Axis, &Value)| match axis.word(*value) {
            Some(word) => word.to_string(),
            None => axis.number(*value).map_or(String::new(), |number| number.to_string()),
        };
        self.axes.iter().zip(&values).map(word).collect()
    }

    /// Returns names and values, as text, of the axes that are lists or ranges at a point of the grid.
    pub(super) fn at_grid(&self, point: u64) -> impl Iterator<Item = (String, String)> {
        let words = self.words(self.first_case(point));
        let named = self.axes.iter().zip(&self.indexing).zip(words);
        named.filter_map(|((axis, indexing), word)| match indexing {
            Indexing::Grid { .. } => Some((axis.name().to_string(), word)),
            Indexing::Sample(_) => None,
        })
    }

    /// Returns the number of the first case at a point of the grid.
    pub(super) fn first_case(&self, point: u64) -> u64 {
        point * self.sampling.count().max(1)
    }

    /// Computes the values of all axes in a case.
    pub fn values(&self, index: u64, values: &mut Vec<Value>) {
        let samples = self.sampling.count().max(1);
        let (point, sample) = (index / samples, index % samples);
        values.clear();
        for (axis, indexing) in self.axes.iter().zip(&self.indexing) {
            values.push(match (*indexing, &axis.points) {
                (Indexing::Sample(k), Points::Random(distribution)) => {
                    Value::Number(distribution.quantile(self.sampling.unit(k, sample)))
                }
                (Indexing::Grid { stride, count }, Points::Numbers(numbers)) => {
                    let k = (point / stride % count) as usize;
                    Value::Number(numbers.get(k).copied().unwrap_or(f64::NAN))
                }
                (Indexing::Grid { stride, count }, _) => {
                    Value::Word((point / stride % count) as u32)
                }
                // This does not occur: axes without a distribution are part of the grid.
                (Indexing::Sample(_), _) => Value::Number(f64::NAN),
            });
        }
    }
}
