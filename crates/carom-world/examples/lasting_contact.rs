//! Runs scenes and prints their costs as one line of JSON each: `lasting_contact [--limit SECONDS] FILE...`.
//!
//! Times are processor times of this thread. A run that takes longer than the limit is stopped, and `time` is the simulated time
//! that it reached. `bench/lasting.py` makes scenes of lasting contact, runs them with this program and writes a table.

use carom_world::{Run, Scene};
use std::time::Instant;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut limit = f64::INFINITY;
    if arguments.first().is_some_and(|word| word == "--limit") {
        limit = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(limit);
        arguments.drain(..2.min(arguments.len()));
    }
    let begun = Instant::now();
    for file in arguments {
        let line = run(&file, limit, begun);
        println!("{}", line.unwrap_or_else(|why| format!("{{\"error\": {why:?}}}")));
    }
}

/// Runs a scene for at most `limit` seconds of processor time.
fn run(file: &str, limit: f64, begun: Instant) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|why| format!("{file}: {why}"))?;
    let scene = Scene::parse(&text, &|_| Err("scenes without files only".into()))
        .map_err(|why| format!("{file}: {why}"))?;
    let start = processor(begun);
    let mut run = Run::new(&scene.world).map_err(|why| why.to_string())?;
    for call in 1u64.. {
        if run.state().time >= scene.duration {
            break;
        }
        if let Err(why) = run.step(scene.duration, &mut ()) {
            return Err(format!("{file} at t = {} s: {why}", run.state().time));
        }
        // The clock is read at every 16th call only, because reading it takes longer than a step.
        if call % 16 == 0 && processor(begun) - start > limit {
            break;
        }
    }
    let seconds = processor(begun) - start;
    let (state, energies) = (run.state(), run.state().energies(&scene.world));
    let counts = state.counts;
    let positions: Vec<_> = (1..=scene.world.bodies().len())
        .filter_map(|body| state.body(&scene.world, body))
        .map(|pose| [pose.position.x, pose.position.y, pose.position.z])
        .collect();
    Ok(format!(
        "{{\"file\": {file:?}, \"seconds\": {seconds}, \"time\": {}, \"finished\": {}, \"steps\": {}, \"refused\": {}, \
         \"evaluations\": {}, \"body_evaluations\": {}, \"mechanical\": {:e}, \"ledger\": {:e}, \"positions\": {positions:?}}}",
        state.time,
        state.time >= scene.duration,
        counts.steps,
        counts.refused,
        counts.evaluations,
        counts.body_evaluations,
        energies.kinetic + energies.potential,
        energies.error,
    ))
}

/// Returns the processor time of this thread (s) where Linux provides it, otherwise the elapsed time.
fn processor(begun: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match text.split(' ').next().and_then(|number| number.parse::<f64>().ok()) {
        Some(nanoseconds) => nanoseconds * 1e-9,
        None => begun.elapsed().as_secs_f64(),
    }
}
