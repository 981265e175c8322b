//! The command as a user calls it: arguments as input, text and exit status as output.

mod advise;
mod bad_input;
mod catalogue;
mod check;
mod compare;
mod drop;
mod export;
mod extend;
mod figures;
mod fit;
mod formats;
mod identify;
mod impact;
mod manual;
mod regimes;
mod reproduce;
mod runs;
mod simulate;
mod simulate_mistakes;
mod statuses;
mod streams;
mod studies;
mod sweep;
mod trajectory;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The steel ball of Zhang & Sharf at 0.5 m/s.
const STEEL: &str = "--mass 0.54kg --stiffness 2.4144e10 --exponent 1.5 --speed 0.5m/s";

const CAROM: &str = env!("CARGO_BIN_EXE_carom");

/// Returns the command without the environment variables that affect colours and widths.
fn command() -> Command {
    plain(CAROM)
}

/// Returns a program without the environment variables that affect colours and widths.
fn plain(program: &str) -> Command {
    let mut command = Command::new(program);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Runs `carom` with words separated by spaces.
fn carom(words: &str) -> Output {
    command().args(words.split_whitespace()).output().unwrap()
}

/// Runs `carom` with these arguments.
fn carom_with(arguments: &[&str]) -> Output {
    command().args(arguments).output().unwrap()
}

/// Returns the output of a successful run.
fn stdout(words: &str) -> String {
    let output = carom(words);
    let error = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(output.status.success(), "carom {words}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the JSON that a successful run prints.
fn json(words: &str) -> Value {
    serde_json::from_str(&stdout(&format!("{words} --json"))).unwrap()
}

/// Returns the message of a refusal; nothing else may have been printed, and the exit status is 2.
fn refusal(words: &str) -> String {
    refused(carom(words), 2)
}

/// Returns the path of a scene of the repository.
fn scene(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"))
}

/// Returns the path of a scene of the repository as text.
fn scene_path(name: &str) -> String {
    scene(name).to_str().unwrap().to_string()
}

/// Returns the arguments that run a scene into a folder.
fn simulation<'a>(scene: &'a Path, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["simulate", scene.to_str().unwrap(), "--out", out.to_str().unwrap()];
    words.iter().copied().chain(more.iter().copied()).collect()
}

/// Runs a scene into a folder.
fn simulate(scene: &Path, out: &Path, more: &[&str]) -> Output {
    carom_with(&simulation(scene, out, more))
}

/// Returns the output of a run, which must have succeeded.
fn done(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the names of the fields of an object.
fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Fields of the damping in JSON answers.
const DAMPING: [&str; 7] = [
    "calibration",
    "coefficient",
    "unit",
    "parameter",
    "epsilon",
    "damping_exponent",
    "rate_exponent",
];

/// Returns the message of a failure; nothing else may have been printed.
fn refused(output: Output, status: i32) -> String {
    assert_eq!(output.status.code(), Some(status));
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "more than one sentence: {text}");
    text.strip_prefix("error: ").unwrap().trim_end().to_string()
}

/// Returns header and cells of a CSV without quoted commas.
fn csv(text: &str) -> (Vec<&str>, Vec<Vec<&str>>) {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

fn near(found: &Value, expected: f64, relative: f64) {
    let found = found.as_f64().unwrap();
    assert!((found / expected - 1.0).abs() < relative, "{found}, not {expected}");
}

/// Returns a new empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
