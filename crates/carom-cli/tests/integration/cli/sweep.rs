//! `carom sweep` and `carom sensitivity`.

use super::{carom, carom_with, command, csv, folder, near, refusal, refused, scene_path, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

/// A study of many inexpensive cases in small partitions.
const MANY: &str = r#"
partition = 500
[impact]
law = "hunt-crossley-1975"
mass = "0.54 kg"
stiffness = "2.4144e10 N/m^1.5"
calibration = "exact"
[sampling]
count = 60000
seed = 3
[[axis]]
parameter = "speed"
distribution = "uniform"
from = "5 cm/s"
to = "60 cm/s"
[[axis]]
parameter = "restitution"
distribution = "normal"
mean = 0.9
deviation = 0.05
"#;

/// A study with two axes of two samples each.
const SMALL_STUDY: &str = r#"
title = "A few"
[impact]
law = "flores-2011"
mass = 0.54
stiffness = 2.4144e10
[[axis]]
parameter = "speed"
from = 0.1
to = 0.5
count = 5
[[axis]]
parameter = "restitution"
values = [0.5, 0.7, 0.9]
"#;

fn written(folder: &Path, text: &str) -> String {
    let path = folder.join("study.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn sweep(study: &str, out: &Path, more: &[&str]) -> Output {
    let mut words = vec!["sweep", study, "--out", out.to_str().unwrap()];
    words.extend(more);
    carom_with(&words)
}

fn done(output: Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(output.status.success(), "{error}");
    // If standard error is not a terminal, only the result is printed.
    assert_eq!(error, "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn killed_at_any_moment_it_goes_on_and_ends_with_the_same_bytes() {
    let folder = folder("sweep-kill");
    let study = written(&folder, MANY);
    for ending in ["parquet", "csv", "arrow"] {
        let whole = folder.join(format!("whole.{ending}"));
        done(sweep(&study, &whole, &["--threads", "1"]));
        let expected = fs::read(&whole).unwrap();
        let path = folder.join(format!("killed.{ending}"));
        let (mut interrupted, mut went_on) = (0, 0);
        // Moments that differ between runs, from the first instructions to the last bytes.
        let mut moment = u64::from(std::process::id()) * 7919 + expected.len() as u64;
        for round in 0..25 {
            moment = moment.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut child = command()
                .args([
                    "sweep",
                    &study,
                    "--threads",
                    "2",
                    "--json",
                    "--out",
                    path.to_str().unwrap(),
                ])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_micros((moment >> 33) % (4000 * (round + 1))));
            let _ = child.kill();
            child.wait().unwrap();
            if path.exists() {
                break;
            }
            interrupted += 1;
            let journal = fs::read_to_string(format!("{}.journal", path.display()));
            went_on += usize::from(journal.is_ok_and(|text| text.lines().count() > 1));
        }
        let last: Value = serde_json::from_str(&done(sweep(&study, &path, &["--json"]))).unwrap();
        assert!(fs::read(&path).unwrap() == expected, "{ending}");
        assert!(interrupted > 0, "{ending}: no run was interrupted");
        assert!(went_on == 0 || last["bytes"] == 0 || last["resumed"].as_u64().unwrap() > 0);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "something was left behind");
        fs::remove_file(&path).unwrap();
        fs::remove_file(&whole).unwrap();
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let folder = folder("sweep-threads");
    let study = written(&folder, &MANY.replace("60000", "7000"));
    for ending in ["parquet", "csv", "arrow"] {
        let files: Vec<Vec<u8>> = ["1", "2", "7"]
            .iter()
            .map(|threads| {
                let path = folder.join(format!("{threads}.{ending}"));
                done(sweep(&study, &path, &["--threads", threads]));
                fs::read(path).unwrap()
            })
            .collect();
        assert!(files[0] == files[1] && files[0] == files[2], "{ending}");
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_loses_nothing() {
    let folder = folder("sweep-full");
    let study = written(&folder, MANY);
    let whole = folder.join("whole.csv");
    done(sweep(&study, &whole, &[]));
    let path = folder.join("full.csv");
    // A limit on the size of files simulates a full disk: writing fails in the middle.
    let script = format!(
        "trap '' XFSZ; ulimit -f 2000; exec {} sweep {study} --out {}",
        env!("CARGO_BIN_EXE_carom"),
        path.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let sentence = refused(output, 1);
    assert!(sentence.contains("partitions are safe") && sentence.contains("again"), "{sentence}");
    assert!(!path.exists());
    let last: Value = serde_json::from_str(&done(sweep(&study, &path, &["--json"]))).unwrap();
    assert!(last["resumed"].as_u64().unwrap() > 1000, "{last}");
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn paths_and_changes_that_cannot_be_are_refused_and_nothing_is_lost() {
    let folder = folder("sweep-refused");
    let study = written(&folder, SMALL_STUDY);
    let nowhere = folder.join("missing").join("a.csv");
    assert!(refused(sweep(&study, &nowhere, &[]), 1).contains("cannot write"));
    let unknown = refused(sweep(&study, &folder.join("a.xls"), &[]), 2);
    assert!(unknown.contains(".parquet, .csv or .arrow"), "{unknown}");
    // A part of a larger study, then another study.
    let path = folder.join("a.csv");
    let many = written(&folder, &MANY.replace("60000", "4000000"));
    let mut child = command()
        .args(["sweep", &many, "--threads", "1", "--out", path.to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = format!("{}.journal", path.display());
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 4 {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read(&journal).unwrap();
    let few = written(&folder, SMALL_STUDY);
    let changed = refused(sweep(&few, &path, &[]), 2);
    assert!(changed.contains("another study") && changed.contains("--restart"), "{changed}");
    assert_eq!(fs::read(&journal).unwrap(), before);
    done(sweep(&few, &path, &["--restart"]));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 16);
    // A complete study is requested again; then another file is in its place.
    assert!(done(sweep(&few, &path, &[])).contains("is complete"));
    fs::write(&path, "precious").unwrap();
    assert!(refused(sweep(&few, &path, &[]), 2).contains("--overwrite"));
    done(sweep(&few, &path, &["--overwrite"]));
}

#[test]
fn a_small_study_is_printed() {
    let folder = folder("sweep-printed");
    let study = written(&folder, SMALL_STUDY);
    let text = stdout(&format!("sweep {study} --csv"));
    let (head, rows) = csv(&text);
    assert_eq!(head[..4], ["case", "speed", "restitution", "restitution_newton"]);
    assert_eq!(rows.len(), 15);
    let file = folder.join("few.csv");
    done(sweep(&study, &file, &[]));
    let kept = fs::read_to_string(&file).unwrap();
    let (_, kept) = csv(&kept);
    for (printed, kept) in rows.iter().zip(&kept) {
        for (a, b) in printed.iter().zip(kept).take(7) {
            assert_eq!(a.parse::<f64>().unwrap(), b.parse::<f64>().unwrap());
        }
    }
    let text = stdout(&format!("sweep {study}"));
    assert!(
        text.starts_with("A few\n") && text.contains("500 mm/s") || text.contains("0.5 m/s"),
        "{text}"
    );
    let one: Value =
        serde_json::from_str(&stdout(&format!("sweep {study} --case 14 --json"))).unwrap();
    near(&one["report"]["speed"], 0.5, 1e-12);
    let shown = stdout(&format!("sweep {study} --case 14"));
    assert!(shown.starts_with("case 14\n") && shown.contains("restitution"), "{shown}");
    let expected: Value =
        serde_json::from_str(&stdout(&format!("sweep {study} --dry-run --json"))).unwrap();
    assert_eq!(expected["cases"], 15);
    assert!(
        expected["seconds"].as_f64().unwrap() < 10.0 && expected["bytes"].as_f64().unwrap() > 0.0
    );
}

#[test]
fn mistakes_name_the_file_and_the_line() {
    let folder = folder("sweep-mistakes");
    let study = written(&folder, &SMALL_STUDY.replace("speed", "sped"));
    let sentence = refused(carom(&format!("sweep {study}")), 2);
    assert!(sentence.contains("study.toml, line 7") && sentence.contains("`speed`"), "{sentence}");
    let many = written(&folder, &MANY.replace("60000", "600000"));
    assert!(refused(carom(&format!("sweep {many}")), 2).contains("--out"));
    for words in ["sweep missing.toml", "sensitivity missing.toml"] {
        let sentence = refused(carom(words), 1);
        assert!(sentence.contains("cannot read `missing.toml`"), "{sentence}");
    }
    for (words, part) in [
        ("sweep", "STUDY"),
        ("sweep --builtin zhang", "no built-in study `zhang`"),
        ("sensitivity --builtin zhang-2022-fig7", "distribution is missing"),
    ] {
        let sentence = refused(carom(words), 2);
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn a_printed_table_says_why_a_case_has_no_result() {
    let folder = folder("sweep-reason");
    let study = written(&folder, &SMALL_STUDY.replace("[0.5, 0.7, 0.9]", "[0.5, 1.5]"));
    let text = stdout(&format!("sweep {study}")).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("case 1: restitution = 1.5 is not allowed"), "{text}");
}

/// Regression: `calibration = "exakt"` resulted in a table in which every row had the status `unknown`, and in exit status 0.
#[test]
fn a_word_that_no_case_knows_is_a_mistake_of_the_study() {
    let folder = folder("sweep-word");
    let study =
        written(&folder, &SMALL_STUDY.replace("[impact]", "[impact]\ncalibration = \"exakt\""));
    let sentence = refused(carom(&format!("sweep {study}")), 2);
    assert!(sentence.contains("no calibration `exakt`; did you mean `exact`?"), "{sentence}");
}

/// Regression: the first and the last partition are compared with an existing file, and were counted twice because of that.
#[test]
fn cases_are_counted_once_where_a_file_is_replaced() {
    let folder = folder("sweep-counts");
    let study = written(&folder, SMALL_STUDY);
    let out = folder.join("few.csv");
    done(sweep(&study, &out, &[]));
    let study = written(&folder, &SMALL_STUDY.replace("[0.5, 0.7, 0.9]", "[0.5, 1.5]"));
    let text = done(sweep(&study, &out, &["--overwrite"]));
    assert!(text.contains("ok: 5\n") && text.contains("invalid: 5\n"), "{text}");
}

#[test]
fn figures_of_every_kind_are_drawn() {
    let folder = folder("sweep-figures");
    let file = folder.join("f.svg");
    let drawn = |words: &str| {
        stdout(&format!("{words} --plot {}", file.display()));
        fs::read_to_string(&file).unwrap()
    };
    assert!(drawn("sweep --builtin zhang-2022-fig7").contains("(g)  n = 1.5, e = 0.3"));
    let map = written(&folder, SMALL_STUDY);
    assert!(drawn(&format!("sweep {map}")).matches("<rect").count() > 4 * 15);
    let lines = written(&folder, &format!("figure = \"lines\"\n{SMALL_STUDY}"));
    assert!(drawn(&format!("sweep {lines}")).contains("restitution 0.9"));
    let spread = written(&folder, &MANY.replace("60000", "1000"));
    assert!(drawn(&format!("sweep {spread}")).contains("share of cases below"));
    assert!(drawn(&format!("sensitivity {spread} --samples 64")).contains("share of the variance"));
}

#[test]
fn sensitivity_names_the_input_that_matters() {
    let folder = folder("sensitivity");
    let study = written(&folder, &MANY.replace("mean = 0.9", "mean = 0.8").replace("0.05", "0.01"));
    let text = stdout(&format!("sensitivity {study} --samples 256 --csv"));
    let (head, rows) = csv(&text);
    assert!(head.contains(&"first") && head.contains(&"total_high"), "{head:?}");
    let total = head.iter().position(|name| *name == "total").unwrap();
    for row in rows {
        // The delivered restitution depends on the requested one, force and indentation on the speed.
        let blamed = (row[0] == "restitution_newton") == (row[1] == "restitution");
        let share: f64 = row[total].parse().unwrap();
        assert!(if blamed { share > 0.9 } else { share < 0.1 }, "{row:?}");
    }
    let text = stdout(&format!("sensitivity {study} --samples 64"));
    assert!(text.contains("first order") && text.contains("force max"), "{text}");
    let sentence = refused(carom(&format!("sensitivity {study} --samples 3")), 2);
    assert!(sentence.contains("samples = 3"), "{sentence}");
}

#[test]
fn a_scene_without_what_varies_is_no_study() {
    let sentence = refusal(&format!("sweep {}", scene_path("bouncing-ball")));
    assert!(sentence.contains("is a scene, not a study: say what varies"), "{sentence}");
}
