//! Times a batch of a million impacts given as columns: `cargo run --release -p carom --example million [REPEATS]`.
//!
//! Prints the seconds of every repeat, one on each line. `bench/python.py` compares them with the same call from Python.

use carom::batch::{Batch, Broadcast, OnFailure};
use carom::spec::Spec;
use std::time::Instant;

const ROWS: usize = 1_000_000;

/// Returns the next uniform random number in [low, high), from the same generator that `bench/python.py` uses.
fn uniform(seed: &mut u64, low: f64, high: f64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    low + (high - low) * (*seed >> 11) as f64 / (1u64 << 53) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let repeats = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut seed = 1;
    let speeds: Vec<f64> = (0..ROWS).map(|_| uniform(&mut seed, 0.1, 0.6)).collect();
    let restitutions: Vec<f64> = (0..ROWS).map(|_| uniform(&mut seed, 0.5, 0.95)).collect();
    let spec = Spec {
        law: "flores-2011".into(),
        mass: Some(0.54.into()),
        stiffness: Some(2.4144e10.into()),
        calibration: Some("exact".into()),
        ..Spec::default()
    };
    for _ in 0..repeats {
        let start = Instant::now();
        let batch = Batch::new(&spec, &["restitution", "speed"], ROWS)?;
        let columns = [Broadcast::new(&restitutions, ROWS)?, Broadcast::new(&speeds, ROWS)?];
        let found = batch
            .collide(&columns, ROWS, threads, OnFailure::Stop)
            .map_err(|failed| failed.error)?;
        let seconds = start.elapsed().as_secs_f64();
        let sum: f64 = found[0].iter().sum();
        println!("{seconds} {sum}");
    }
    Ok(())
}
