//! What `carom simulate --out` leaves behind: formats, figures, kills, full disks.

use crate::{carom_with, command, csv, folder, refused};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

fn scene(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{name}.toml"))
}

/// A ball that bounces for so long: many impacts, many rows.
fn bouncing(folder: &Path, seconds: f64) -> PathBuf {
    let text = fs::read_to_string(scene("bouncing-ball")).unwrap();
    let text = text.replace("3.2 s", &format!("{seconds} s")).replace("1 ms", "0.2 ms");
    let path = folder.join("scene.toml");
    fs::write(&path, text).unwrap();
    path
}

fn arguments<'a>(scene: &'a Path, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["simulate", scene.to_str().unwrap(), "--out", out.to_str().unwrap()];
    words.iter().copied().chain(more.iter().copied()).collect()
}

fn run(scene: &Path, out: &Path, more: &[&str]) -> Output {
    carom_with(&arguments(scene, out, more))
}

fn done(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Every file below a folder, by name.
fn contents(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().to_string();
        match entry.is_dir() {
            true => {
                let below = contents(&entry).into_iter();
                found.extend(below.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
            }
            false => {
                found.insert(name, fs::read(&entry).unwrap());
            }
        }
    }
    found
}

/// Kills a run at moments that differ from time to time, goes on until it is finished, and compares.
fn killed_at_any_moment(folder: &Path, scene: &Path, more: &[&str]) {
    let (whole, pieces) = (folder.join("whole"), folder.join("pieces"));
    done(run(scene, &whole, more));
    let (mut interrupted, mut finished) = (0, false);
    let mut moment = u64::from(std::process::id()) * 7919;
    for round in 0..30u64 {
        moment = moment.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let resumes = pieces.exists() && fs::read_dir(&pieces).unwrap().count() > 0;
        let mut words = arguments(scene, &pieces, more);
        words.extend(["--checkpoint", "0.002"]);
        if resumes {
            words.push("--resume");
        }
        let child = command().args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.unwrap();
        std::thread::sleep(Duration::from_micros((moment >> 33) % (8000 * (round + 1))));
        let _ = child.kill();
        child.wait().unwrap();
        interrupted += 1;
        let names = contents(&pieces);
        finished = names.contains_key("summary.json") && !names.contains_key("checkpoint.json");
        if finished {
            break;
        }
    }
    if !finished {
        done(run(scene, &pieces, &[more, &["--resume"]].concat()));
    }
    assert!(interrupted > 1, "it was never interrupted");
    let (whole, pieces) = (contents(&whole), contents(&pieces));
    assert!(whole.keys().eq(pieces.keys()), "{:?} {:?}", whole.keys(), pieces.keys());
    for (name, bytes) in &whole {
        assert!(pieces[name] == *bytes, "{name} differs");
    }
}

#[test]
fn a_run_killed_at_any_moment_goes_on_and_leaves_the_same_bytes() {
    for format in ["csv", "parquet"] {
        let folder = folder(&format!("runs-killed-{format}"));
        let scene = bouncing(&folder, 1.5);
        killed_at_any_moment(&folder, &scene, &["--format", format, "--figures"]);
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_nothing_half_written_and_the_run_goes_on() {
    let folder = folder("runs-full");
    let scene = bouncing(&folder, 1.5);
    let (whole, out) = (folder.join("whole"), folder.join("out"));
    done(run(&scene, &whole, &[]));
    // A limit on the size of files stands for a disk without room: in the middle of a table, and at the
    // very start.
    for (blocks, begun) in [(500, true), (0, false)] {
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec {} simulate {} --overwrite --out {}",
            env!("CARGO_BIN_EXE_carom"),
            scene.display(),
            out.display()
        );
        let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
        let sentence = refused(output, 1);
        assert!(sentence.contains("cannot write"), "{sentence}");
        assert!(!out.join("trajectory.csv").exists() && !out.join("summary.json").exists());
        assert_eq!(sentence.contains("--resume"), begun, "{sentence}");
        if begun {
            done(run(&scene, &out, &["--resume"]));
            assert!(contents(&out) == contents(&whole));
            fs::remove_dir_all(&out).unwrap();
        } else {
            assert!(contents(&out).is_empty(), "{:?}", contents(&out).keys());
        }
    }
}

#[test]
fn results_are_not_lost_by_accident() {
    let folder = folder("runs-again");
    let scene = scene("oblique-impact");
    let out = folder.join("out");
    done(run(&scene, &out, &["--format", "parquet"]));
    let sentence = refused(run(&scene, &out, &[]), 2);
    assert!(sentence.contains("--overwrite"), "{sentence}");
    done(run(&scene, &out, &["--overwrite", "--steps", "20"]));
    // What was there stays until the new run has ended.
    assert!(out.join("trajectory.parquet").exists());
    let sentence = refused(run(&scene, &out, &["--resume", "--format", "parquet"]), 2);
    assert!(sentence.contains("writes csv"), "{sentence}");
    done(run(&scene, &out, &["--resume"]));
    let names: Vec<_> = contents(&out).into_keys().collect();
    let expected = ["contacts", "energies", "events", "ledger", "summary", "trajectory"];
    let ending = |name: &str| if name == "summary" { "json" } else { "csv" };
    let expected: Vec<_> = expected.iter().map(|name| format!("{name}.{}", ending(name))).collect();
    assert_eq!(names, expected);
    let sentence = refused(run(&scene, &folder.join("new"), &["--format", "xls"]), 2);
    assert!(sentence.contains("csv, parquet, arrow"), "{sentence}");
    assert!(!folder.join("new").exists());
}

#[test]
fn an_impact_that_is_shorter_than_a_sample_leaves_its_force_curve_and_its_ledger() {
    let out = folder("runs-curve");
    done(run(&scene("bouncing-ball"), &out, &[]));
    let text = fs::read_to_string(out.join("contacts.csv")).unwrap();
    let (header, rows) = csv(&text);
    let column = |name: &str| header.iter().position(|head| *head == name).unwrap();
    let number = |row: &[&str], name: &str| row[column(name)].parse::<f64>().unwrap();
    let events = fs::read_to_string(out.join("events.csv")).unwrap();
    let (_, events) = csv(&events);
    let first = events.iter().find(|row| row[1] == "part").unwrap();
    let (end, begun, deepest, lost) = (first[0], first[5], first[6], first[8]);
    let [end, begun, deepest, lost] =
        [end, begun, deepest, lost].map(|x| x.parse::<f64>().unwrap());
    let within: Vec<_> =
        rows.iter().filter(|row| (begun..=end).contains(&number(row, "time_s"))).collect();
    assert!(within.len() > 25, "{} rows in {} s", within.len(), end - begun);
    let most = within.iter().map(|row| number(row, "indentation_m")).fold(0.0, f64::max);
    assert!((most / deepest - 1.0).abs() < 0.01, "{most} {deepest}");
    // The area of the loop is what the ledger says was lost; by trapezes over some forty points.
    let mut area = 0.0;
    for pair in within.windows(2) {
        let of = |name: &str| [pair[0], pair[1]].map(|row| number(row, name));
        let (force, depth) = (of("force_N"), of("indentation_m"));
        area += 0.5 * (force[0] + force[1]) * (depth[1] - depth[0]);
    }
    assert!((area / lost - 1.0).abs() < 0.05, "{area} {lost}");
    let ledger = fs::read_to_string(out.join("ledger.csv")).unwrap();
    let energies = fs::read_to_string(out.join("energies.csv")).unwrap();
    let (ledger, energies) = (csv(&ledger).1, csv(&energies).1);
    assert_eq!(ledger.last().unwrap()[5], energies.last().unwrap()[4]);
}

#[test]
fn figures_show_paths_forces_and_the_error() {
    let out = folder("runs-figures");
    done(run(&scene("slider-crank"), &out, &["--figures"]));
    let figure = |name: &str| fs::read_to_string(out.join("figures").join(name)).unwrap();
    for (name, words) in [
        ("energies.svg", &["kinetic", "unaccounted for"][..]),
        ("forces.svg", &["contact force", "hardest touch", "wrist pin"]),
        ("trajectories.svg", &["Phase portrait", "slider", "Path"]),
        ("orbits.svg", &["centre of the pin", "clearance"]),
    ] {
        let text = figure(name);
        words.iter().for_each(|word| assert!(text.contains(word), "{name}: {word}"));
    }
}

#[test]
fn the_columns_are_documented() {
    let output = carom_with(&["simulate", "--columns"]);
    let columns = String::from_utf8(output.stdout).unwrap();
    assert!(columns.contains("| `force_N` | N | normal force, positive when it pushes |"));
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    let document = fs::read_to_string(path).unwrap();
    assert!(
        document.contains(columns.trim()),
        "put `carom simulate --columns` into docs/scenes.md"
    );
}
