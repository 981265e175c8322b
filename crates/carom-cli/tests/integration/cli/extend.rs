//! Stopping and resuming a run: Ctrl-C, and a finished run that is extended.

use super::{CAROM, done, folder, plain, refused, scene, simulate};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Returns all files that a run leaves, including figures, except those that record its arguments.
fn results(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in [path.to_path_buf(), path.join("figures")] {
        for entry in fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path())
        {
            let name = entry.strip_prefix(path).unwrap().to_string_lossy().to_string();
            // The recorded arguments differ: all at once here, in several parts there.
            if entry.is_file() && name != "scene.json" && name != "extend.json" {
                found.insert(name, fs::read(&entry).unwrap());
            }
        }
    }
    found
}

fn same(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

#[test]
fn a_finished_run_goes_on_for_longer_as_if_it_had_been_longer_from_the_start() {
    // Regression: a finished run could not be extended. Its last steps end at the end of the run and would be different in a
    // longer one, so that continuing from its end would have been another run.
    let folder = folder("extend-bodies");
    for (name, first, longer, format) in [
        ("bouncing-ball", "0.31 s", "0.55 s", "parquet"),
        ("slider-crank", "3.3 ms", "7 ms", "csv"),
        ("four-bar", "11.1 ms", "20 ms", "arrow"),
    ] {
        let (whole, pieces) = (folder.join(format!("{name}-whole")), folder.join(name));
        let set = |duration: &str| format!("simulation.duration={duration}");
        let sample = "simulation.sample=0.1 ms";
        let common = |duration: &str| {
            let words = ["--figures", "--format", format, "--set", sample, "--set"];
            words.into_iter().map(String::from).chain([set(duration)]).collect::<Vec<_>>()
        };
        let words = |words: &[String], more: &[&str]| {
            words
                .iter()
                .map(String::as_str)
                .chain(more.iter().copied())
                .map(String::from)
                .collect::<Vec<_>>()
        };
        let go = |out: &Path, list: Vec<String>| {
            done(simulate(&scene(name), out, &list.iter().map(String::as_str).collect::<Vec<_>>()));
        };
        go(&whole, words(&common(longer), &[]));
        go(&pieces, words(&common(first), &[]));
        // The extension may itself be stopped and resumed.
        go(&pieces, words(&common(longer), &["--resume", "--steps", "7"]));
        go(&pieces, words(&common(longer), &["--resume"]));
        same(&whole, &pieces);
        // The run can be extended again; the same or a shorter duration is refused.
        let text = refused(
            simulate(&scene(name), &pieces, &["--resume", "--set", sample, "--set", &set(longer)]),
            2,
        );
        assert!(text.contains("has ended") && text.contains("longer duration"), "{text}");
        let text = refused(
            simulate(&scene(name), &pieces, &["--resume", "--set", sample, "--set", &set("1 us")]),
            2,
        );
        assert!(text.contains("duration"), "{text}");
        assert!(pieces.join("summary.json").exists(), "what is refused changes nothing");
        same(&whole, &pieces);
    }
}

const GRAINS: &str = r#"
[simulation]
duration = "4 ms"
gravity = 9.81
[grains]
count = 30
radii = ["1 mm", "1.2 mm"]
youngs = "5 MPa"
poisson = 0.3
density = 2500
width = ["9 mm", "9 mm"]
velocity = [0, 0, -1]
[grains.contact]
law = "tsuji-1992"
restitution = 0.6
friction = { coefficient = 0.4 }
"#;

#[test]
fn a_bed_goes_on_for_longer_with_the_steps_and_intervals_that_it_had() {
    // If a scene does not define them, step, samples and snapshots follow from the duration and would be different in a longer
    // run. In an extended run they remain, and `scene.json` records it.
    let folder = folder("extend-grains");
    let file = folder.join("bed.toml");
    fs::write(&file, GRAINS).unwrap();
    let (whole, pieces) = (folder.join("whole"), folder.join("pieces"));
    done(simulate(&file, &pieces, &["--figures"]));
    let longer = ["--set", "simulation.duration=7.13 ms"];
    done(simulate(
        &file,
        &pieces,
        &[&longer[..], &["--resume", "--steps", "10", "--figures"]].concat(),
    ));
    done(simulate(&file, &pieces, &[&longer[..], &["--resume", "--figures"]].concat()));
    let told: serde_json::Value =
        serde_json::from_slice(&fs::read(pieces.join("scene.json")).unwrap()).unwrap();
    let set: Vec<String> = serde_json::from_value(told["set"].clone()).unwrap();
    assert!(set.iter().any(|change| change.starts_with("simulation.step=")), "{set:?}");
    // A run with the same settings from the start.
    let mut words = vec!["--figures"];
    words.extend(set.iter().flat_map(|change| ["--set", change]));
    done(simulate(&file, &whole, &words));
    same(&whole, &pieces);
}

#[test]
fn a_scene_that_has_changed_otherwise_does_not_go_on() {
    let out = folder("extend-changed").join("run");
    let ball = scene("bouncing-ball");
    done(simulate(&ball, &out, &["--set", "simulation.duration=0.05 s"]));
    let other = ["--resume", "--set", "simulation.duration=0.1 s", "--set", "bead.radius=3 mm"];
    let text = refused(simulate(&ball, &out, &other), 2);
    assert!(text.contains("the scene has changed"), "{text}");
    fs::remove_file(out.join("extend.json")).unwrap();
    let text = refused(simulate(&ball, &out, &other[..3]), 2);
    assert!(text.contains("extend.json"), "{text}");
}

/// Returns whether a process handles Ctrl-C itself.
#[cfg(target_os = "linux")]
fn handles_interrupt(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // Signal 2 is the second bit of the mask.
    mask.unwrap_or(0) & 2 != 0
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_run_and_says_how_to_go_on() {
    // Regression: Ctrl-C ended the run without a message.
    let folder = folder("extend-interrupted");
    let (ball, out) = (scene("bouncing-ball"), folder.join("a run"));
    // A duration that the run cannot reach during the test.
    let set = "simulation.duration=1e6 s";
    let words = ["simulate", ball.to_str().unwrap(), "--out", out.to_str().unwrap(), "--set", set];
    let interrupted = |words: &[&str]| {
        // A process that a script starts in the background ignores Ctrl-C, and so do all of its children, unless the signal is
        // reset.
        let child = plain("env")
            .args(["--default-signal=INT", CAROM])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let id = child.id().to_string();
        while !(out.join("checkpoint.json").exists() && handles_interrupt(&id)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert!(output.stdout.is_empty());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = interrupted(&words);
    assert!(said.starts_with("stopped: at t = "), "{said}");
    let (ball, out) = (ball.display(), out.display());
    let command = format!("`carom simulate {ball} --out '{out}' --resume --set '{set}'`");
    assert!(said.contains(&command), "{said}");
    // The command in the message works.
    let said = interrupted(&[&words[..], &["--resume"]].concat());
    assert!(said.contains("--resume"), "{said}");
}
