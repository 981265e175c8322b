//! Many simultaneous requests: no errors, and no growth of memory.

use super::served::Lab;
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Returns the duration of the load (s); `CAROM_LOAD_SECONDS=30` for the complete test.
fn seconds() -> u64 {
    std::env::var("CAROM_LOAD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

#[test]
fn two_hundred_clients_get_their_answers_and_memory_is_flat() {
    let lab = Lab::start();
    let body = json!({
        "spec": {"mass": 0.54, "stiffness": 2.4144e10, "speed": 0.5, "restitution": 0.7568},
        "laws": ["flores-2011", "hunt-crossley-1975", "tsuji-1992"], "points": 100,
    })
    .to_string();
    let (answered, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let round = |until: Instant| {
        std::thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(|| {
                    while Instant::now() < until {
                        let count = match lab.post("/api/v1/view", &body).status {
                            200 => &answered,
                            _ => &failed,
                        };
                        count.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
    };
    round(Instant::now() + Duration::from_secs(1));
    let before = lab.memory();
    round(Instant::now() + Duration::from_secs(seconds()));
    let after = lab.memory();
    let (answered, failed) = (answered.into_inner(), failed.into_inner());
    println!("{answered} answers, {failed} failures, {before} kB before and {after} kB after");
    assert!(answered > 200 && failed == 0, "{answered} answers, {failed} failures");
    assert!(after < before + 30_000, "{before} kB grew to {after} kB");
}
