//! Results of `carom simulate --out`: formats, figures, killed runs, full disks.

use super::{carom_with, command, csv, done, folder, refused, scene, simulate, simulation};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Writes a scene with a ball that bounces for a time, with many impacts and rows.
fn bouncing(folder: &Path, seconds: f64) -> PathBuf {
    let text = fs::read_to_string(scene("bouncing-ball")).unwrap();
    let text = text.replace("3.2 s", &format!("{seconds} s")).replace("1 ms", "0.2 ms");
    let path = folder.join("scene.toml");
    fs::write(&path, text).unwrap();
    path
}

/// Returns the contents of every file below a folder, by name.
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

/// Kills a run at varying moments, resumes it until it is finished, and compares the results with those of an uninterrupted run.
fn killed_at_any_moment(folder: &Path, scene: &Path, more: &[&str]) {
    let (whole, pieces) = (folder.join("whole"), folder.join("pieces"));
    done(simulate(scene, &whole, more));
    let (mut interrupted, mut finished) = (0, false);
    let mut moment = u64::from(std::process::id()) * 7919;
    for round in 0..30u64 {
        moment = moment.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let resumes = pieces.exists() && fs::read_dir(&pieces).unwrap().count() > 0;
        let mut words = simulation(scene, &pieces, more);
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
        done(simulate(scene, &pieces, &[more, &["--resume"]].concat()));
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
    done(simulate(&scene, &whole, &[]));
    // A limit on the size of files simulates a full disk: in the middle of a table, and at the very beginning.
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
            done(simulate(&scene, &out, &["--resume"]));
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
    done(simulate(&scene, &out, &["--format", "parquet"]));
    let sentence = refused(simulate(&scene, &out, &[]), 2);
    assert!(sentence.contains("--overwrite"), "{sentence}");
    done(simulate(&scene, &out, &["--overwrite", "--steps", "20"]));
    // Existing results are removed when the new run begins, because parts of two runs would be taken for one.
    assert!(!out.join("trajectory.parquet").exists() && !out.join("summary.json").exists());
    let sentence = refused(simulate(&scene, &out, &["--resume", "--format", "parquet"]), 2);
    assert!(sentence.contains("writes csv"), "{sentence}");
    done(simulate(&scene, &out, &["--resume"]));
    let names: Vec<_> = contents(&out).into_keys().collect();
    let expected = [
        "accelerations",
        "contacts",
        "energies",
        "energies_between",
        "events",
        "extend",
        "joints",
        "ledger",
        "scene",
        "sensors",
        "summary",
        "trajectory",
        "trajectory_between",
    ];
    let ending =
        |name: &str| if matches!(name, "summary" | "scene" | "extend") { "json" } else { "csv" };
    let expected: Vec<_> = expected.iter().map(|name| format!("{name}.{}", ending(name))).collect();
    assert_eq!(names, expected);
    let sentence = refused(simulate(&scene, &folder.join("new"), &["--format", "xls"]), 2);
    assert!(sentence.contains("csv, parquet, arrow"), "{sentence}");
    assert!(!folder.join("new").exists());
}

/// A driven hammer meets a body held by a joint at t = 0.3 s; before that a ball bounces.
const FAILS: &str = "[simulation]\nduration = 1\nsample = 0.04\ngravity = 9.81\n[[body]]\nname = \"hammer\"\n\
    shape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0.5]\nmotion = { direction = [0, 0, -1], rate = \"1 m/s\" }\n\
    [[body]]\nname = \"cart\"\nshape = \"sphere\"\nradius = 0.1\ndensity = 1000\n[[body]]\nname = \"ball\"\n\
    shape = \"sphere\"\nradius = 0.02\ndensity = 7850\nposition = [0.4, 0, 0.1]\n[[joint]]\nkind = \"prismatic\"\n\
    between = [\"cart\", \"ground\"]\npoint = [0, 0, 0]\naxis = [1, 0, 0]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
    law = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\n[[contact]]\nbetween = [\"hammer\", \"cart\"]\n\
    law = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\n";

#[test]
fn a_run_that_cannot_go_on_keeps_its_tables_up_to_there() {
    let folder = folder("runs-fails");
    let (scene, out) = (folder.join("scene.toml"), folder.join("out"));
    fs::write(&scene, FAILS).unwrap();
    let sentence = refused(simulate(&scene, &out, &["--figures"]), 1);
    assert!(sentence.contains("between bodies that joints hold"), "{sentence}");
    assert!(sentence.contains("end at t = 300 ms and are marked as unfinished"), "{sentence}");
    let names: Vec<_> = contents(&out).into_keys().collect();
    assert!(names.contains(&"trajectory.csv".into()), "{names:?}");
    assert!(!names.iter().any(|n| n.ends_with("partial") || n.starts_with("check")), "{names:?}");
    // The last row is the state at the failure, between two samples.
    let text = fs::read_to_string(out.join("energies.csv")).unwrap();
    let times: Vec<f64> = csv(&text).1.iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(times.len(), 9);
    assert!((times[8] - 0.3).abs() < 1e-9 && (times[7] - 0.28).abs() < 1e-12, "{times:?}");
    let summary: serde_json::Value =
        serde_json::from_slice(&contents(&out)["summary.json"]).unwrap();
    assert_eq!(summary["finished"], false);
    assert!(summary["failed"].as_str().unwrap().contains("hammer-cart"), "{summary}");
    // A run that is stopped before the failure and resumed yields the same bytes.
    let pieces = folder.join("pieces");
    done(simulate(&scene, &pieces, &["--figures", "--steps", "20"]));
    refused(simulate(&scene, &pieces, &["--figures", "--resume"]), 1);
    assert!(contents(&pieces) == contents(&out));
    let sentence = refused(simulate(&scene, &out, &["--resume"]), 2);
    assert!(sentence.contains("has ended"), "{sentence}");
    // A run that cannot begin leaves no files.
    fs::write(&scene, FAILS.replace("0.5]", "0.19]")).unwrap();
    refused(simulate(&scene, &folder.join("nothing"), &[]), 2); // the scene is invalid from its start
    assert!(contents(&folder.join("nothing")).is_empty());
}

#[test]
fn an_impact_that_is_shorter_than_a_sample_leaves_its_force_curve_and_its_ledger() {
    let out = folder("runs-curve");
    done(simulate(&scene("bouncing-ball"), &out, &[]));
    let text = fs::read_to_string(out.join("contacts.csv")).unwrap();
    let (header, rows) = csv(&text);
    let column = |name: &str| header.iter().position(|head| *head == name).unwrap();
    let number = |row: &[&str], name: &str| row[column(name)].parse::<f64>().unwrap();
    let events = fs::read_to_string(out.join("events.csv")).unwrap();
    let (names, events) = csv(&events);
    let first = events.iter().find(|row| row[1] == "part").unwrap();
    let [end, begun, deepest, lost] =
        ["time_s", "begun_s", "indentation_max_m", "lost_J"].map(|name| {
            let place = names.iter().position(|head| *head == name).unwrap();
            first[place].parse::<f64>().unwrap()
        });
    let within: Vec<_> =
        rows.iter().filter(|row| (begun..=end).contains(&number(row, "time_s"))).collect();
    assert!(within.len() > 25, "{} rows in {} s", within.len(), end - begun);
    let most = within.iter().map(|row| number(row, "indentation_m")).fold(0.0, f64::max);
    assert!((most / deepest - 1.0).abs() < 0.01, "{most} {deepest}");
    // The area of the loop equals the loss in the ledger; trapezoidal rule with about forty points.
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
    done(simulate(&scene("slider-crank"), &out, &["--figures"]));
    let figure = |name: &str| fs::read_to_string(out.join("figures").join(name)).unwrap();
    for (name, words) in [
        ("energies.svg", &["kinetic", "error of the balance"][..]),
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
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/tables.md");
    let document = fs::read_to_string(path).unwrap();
    assert!(
        document.contains(columns.trim()),
        "put `carom simulate --columns` into docs/reference/tables.md"
    );
}

const GRAINS: &str = r#"
title = "A handful of grains"
[simulation]
duration = "40 ms"
gravity = 9.81
[grains]
count = 80
radii = ["1 mm", "1.2 mm"]
youngs = "5 MPa"
poisson = 0.3
density = 2500
width = ["9 mm", "9 mm"]
[grains.contact]
law = "tsuji-1992"
restitution = 0.6
friction = { coefficient = 0.4 }
rolling = { arm = "10 um" }
"#;

#[test]
fn a_bed_killed_at_any_moment_and_on_any_threads_leaves_the_same_bytes() {
    let folder = folder("runs-grains");
    let scene = folder.join("scene.toml");
    fs::write(&scene, GRAINS).unwrap();
    killed_at_any_moment(&folder, &scene, &["--figures"]);
    let (one, three) = (folder.join("one"), folder.join("three"));
    done(simulate(&scene, &one, &["--format", "parquet", "--threads", "1"]));
    done(simulate(&scene, &three, &["--format", "parquet", "--threads", "3"]));
    assert!(contents(&one) == contents(&three));
    let summary: serde_json::Value =
        serde_json::from_slice(&contents(&one)["summary.json"]).unwrap();
    assert_eq!(summary["grains"], 80);
    assert_eq!(summary["notes"].as_array().unwrap().len(), 0, "{summary}");
}

#[test]
fn the_scene_of_grains_is_as_it_says() {
    let out = folder("runs-scene-grains");
    // A smaller bed with a shorter fall, because the scene itself takes seconds.
    let text = fs::read_to_string(scene("grains")).unwrap();
    let text = text.replace("count = 500", "count = 120").replace("\"14 mm\"", "\"9 mm\"");
    let path = out.join("scene.toml");
    fs::write(&path, text).unwrap();
    done(simulate(&path, &out.join("run"), &[]));
    let energies = fs::read_to_string(out.join("run/energies.csv")).unwrap();
    let (header, rows) = csv(&energies);
    let last = |name: &str| {
        let column = header.iter().position(|head| *head == name).unwrap();
        rows.last().unwrap()[column].parse::<f64>().unwrap()
    };
    let fallen = rows[0][2].parse::<f64>().unwrap() - last("potential_J");
    assert!(last("kinetic_J") < 1e-5 * fallen && last("error_J").abs() < 5e-3 * fallen);
    let lost = last("lost_in_contacts_J") + last("lost_to_friction_J") + last("lost_to_rolling_J");
    assert!((lost / fallen - 1.0).abs() < 0.02, "{lost} {fallen}");
    assert!((2.5..6.0).contains(&last("coordination")), "{}", last("coordination"));
    // The force of the floor is the weight, less what friction at the sides carries.
    let contacts = fs::read_to_string(out.join("run/contacts.csv")).unwrap();
    let (_, contacts) = csv(&contacts);
    let end = contacts.last().unwrap()[0].to_string();
    let of_walls = contacts.iter().filter(|row| row[0] == end && row[3] == "wall");
    let carried: f64 = of_walls.map(|row| row[9].parse::<f64>().unwrap()).sum();
    let grains = fs::read_to_string(out.join("run/grains.csv")).unwrap();
    let (_, grains) = csv(&grains);
    let cubes = grains.iter().take(120).map(|row| row[2].parse::<f64>().unwrap().powi(3));
    let weight = cubes.sum::<f64>() * 4.0 / 3.0 * std::f64::consts::PI * 2500.0 * 9.81;
    assert!((carried / weight - 1.0).abs() < 0.01, "{carried} {weight}");
}
