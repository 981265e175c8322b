//! The command called from a shell: the time a script needs for one impact.

use crate::measure::{self, Table};
use std::process::{Command, Stdio};
use std::time::Instant;

const COMMAND: &str = "../target/release/carom";
const RUNS: usize = 20;
const ARGUMENTS: &[&[&str]] = &[
    &[
        "impact",
        "--law",
        "flores-2011",
        "--mass",
        "0.54",
        "--stiffness",
        "2.4144e10",
        "--speed",
        "0.5",
        "--restitution",
        "0.7568",
    ],
    &["models"],
];

pub fn run(out: &mut String) {
    eprintln!("  shell");
    if !std::path::Path::new(COMMAND).exists() {
        eprintln!("    no {COMMAND}: run `cargo build --release` at the top first");
        return;
    }
    let mut table = Table::new(["from the shell, 20 runs", "time"]);
    for arguments in ARGUMENTS {
        let once = |_| {
            let start = Instant::now();
            let status = Command::new(COMMAND).args(*arguments).stdout(Stdio::null()).status();
            status.is_ok_and(|status| status.success()).then(|| start.elapsed().as_secs_f64())
        };
        let name = format!("`carom {}`", arguments.join(" "));
        let times: Option<Vec<f64>> = (0..RUNS).map(once).collect();
        table.row([
            name,
            times.map_or("failed".into(), |times| measure::time(measure::median(times))),
        ]);
    }
    out.push_str("### The command\n\n");
    table.write(out);
}
