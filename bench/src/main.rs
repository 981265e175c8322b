//! Times and errors of carom compared with the method of the papers, public integrators and plain loops.
//!
//! `cargo run --release` prints Markdown; `-- --record FILE` also replaces the part of FILE below its line `## Last run`; `--
//! own` prints only the table of own laws, `-- coverage` how often the stated errors of drop tests and fits contain the true
//! values, `-- cones` the solvers of contact problems with friction.

// Without the feature `rivals` some helpers are unused.
#![cfg_attr(not(feature = "rivals"), allow(dead_code))]

mod batch;
#[cfg(feature = "rivals")]
mod cones;
mod coverage;
mod crank;
mod drop;
mod fits;
mod measure;
mod own;
mod problem;
#[cfg(feature = "rivals")]
mod rivals;
mod rk4;
mod scenes;
mod settled;
mod shell;
mod single;

use std::error::Error;

const HEADING: &str = "## Last run";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let record = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => None,
        ["--record", file] => Some(file.to_string()),
        ["own"] => {
            let mut out = String::new();
            own::run(&mut out)?;
            print!("{out}");
            return Ok(());
        }
        ["coverage"] => {
            let mut out = String::new();
            drop::run(&mut out)?;
            coverage::run(&mut out)?;
            print!("{out}");
            return Ok(());
        }
        #[cfg(feature = "rivals")]
        ["cones"] => {
            cones::run();
            return Ok(());
        }
        ["answer", ref words @ ..] => return settled::run_measurement(words),
        _ => return Err("usage: carom-bench [--record FILE | own | coverage | cones]".into()),
    };
    let mut out = format!("{}\n\n", machine());
    single::run(&mut out)?;
    single::calibration(&mut out)?;
    single::motions(&mut out)?;
    batch::run(&mut out)?;
    fits::run(&mut out)?;
    own::run(&mut out)?;
    drop::run(&mut out)?;
    coverage::run(&mut out)?;
    scenes::run(&mut out)?;
    shell::run(&mut out);
    let out = out.trim_end();
    println!("{out}");
    if let Some(file) = record {
        let text = std::fs::read_to_string(&file)?;
        let Some((above, _)) = text.split_once(HEADING) else {
            return Err(format!("{file} has no line `{HEADING}` to write below").into());
        };
        std::fs::write(&file, format!("{above}{HEADING}\n\n{out}\n"))?;
    }
    Ok(())
}

/// Describes the machine, as far as the system provides this information.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler = std::process::Command::new("rustc").arg("--version").output();
    let compiler = compiler.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string());
    format!(
        "{}, {cores} cores, {}, {}; single-threaded, medians of nine.",
        model.unwrap_or("An unknown processor"),
        std::env::consts::OS,
        compiler.unwrap_or_else(|_| "an unknown compiler".into()),
    )
}
