//! Estimates the time and size of a sweep from measurements of a few cases spread over the study.

use super::has_result;
use carom::sweep::{Evaluate, Plan};
use carom_store::{Format, encode};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Time spent on measuring.
const MEASURING_TIME: Duration = Duration::from_millis(300);
/// Number of places in the study from which cases are taken.
const BLOCKS_MEASURED: u64 = 16;

/// Expected time and size of a sweep.
#[derive(Serialize)]
pub struct Expected {
    /// Number of cases.
    pub cases: u64,
    /// Number of points of the grid of lists and ranges.
    pub grid: u64,
    /// Number of samples at each grid point.
    pub samples: u64,
    /// Number of partitions.
    pub partitions: u64,
    /// Number of threads.
    pub threads: usize,
    /// Format of the file.
    pub format: &'static str,
    /// Expected time (s), without writing.
    pub seconds: f64,
    /// Expected size of the file (bytes).
    pub bytes: f64,
    /// Number of cases that were measured.
    pub measured: u64,
    /// Number of the measured cases without a result.
    pub failed: u64,
    /// Reason why the first of them has no result.
    pub example: Option<String>,
}

/// Measures a few cases.
pub fn measure<E: Evaluate>(plan: &Plan<E>, format: Option<Format>, threads: usize) -> Expected {
    let study = plan.variation();
    let format = format.unwrap_or(Format::Parquet);
    let cases = study.cases();
    let begin = Instant::now();
    let (mut block, mut spent) = (1u64, Duration::ZERO);
    let (mut measured, mut bytes) = (0u64, 0.0);
    let (mut failed, mut example) = (0u64, None);
    // Longer and longer blocks are measured; the last one is used, because by then curves and caches are warm.
    while begin.elapsed() < MEASURING_TIME && measured < cases {
        (measured, bytes, failed) = (0, 0.0, 0);
        let start = Instant::now();
        for place in 0..BLOCKS_MEASURED.min(cases) {
            // A run of a scene may take seconds; then a single case must suffice for the estimate.
            if measured > 0 && begin.elapsed() > 2 * MEASURING_TIME {
                break;
            }
            let first = (place * (cases / BLOCKS_MEASURED.min(cases))).min(cases);
            let columns = plan.cases(first..(first + block).min(cases));
            let rows = columns.first().map_or(0, |column| column.values.len());
            for row in 0..rows {
                let status = carom_store::find(&columns, "status")
                    .and_then(|column| column.values.text(row));
                if !status.is_some_and(has_result) {
                    failed += 1;
                    example.get_or_insert(first + row as u64);
                }
            }
            measured += rows as u64;
            bytes += encode(&columns, format).body.len() as f64;
        }
        spent = start.elapsed();
        block = block.saturating_mul(2);
    }
    let each = spent.as_secs_f64() / measured.max(1) as f64;
    Expected {
        cases,
        grid: study.grid(),
        samples: study.sampling().count(),
        partitions: study.partitions(),
        threads,
        format: format.name(),
        seconds: each * cases as f64 / threads.max(1) as f64,
        bytes: bytes / measured.max(1) as f64 * cases as f64,
        measured,
        failed,
        example: example
            .and_then(|case| plan.error(case).map(|error| format!("case {case}: {error}"))),
    }
}
