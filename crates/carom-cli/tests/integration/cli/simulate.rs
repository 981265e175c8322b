//! `carom simulate SCENE`.

use super::{carom_with, csv, done, folder, refused, scene, simulate};
use std::fs;
use std::path::Path;

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

const FILES: [&str; 13] = [
    "trajectory.csv",
    "contacts.csv",
    "energies.csv",
    "events.csv",
    "ledger.csv",
    "trajectory_between.csv",
    "energies_between.csv",
    "joints.csv",
    "accelerations.csv",
    "sensors.csv",
    "extend.json",
    "scene.json",
    "summary.json",
];

#[test]
fn a_run_leaves_its_files_and_nothing_else() {
    let out = folder("simulate-files");
    let output = simulate(&scene("oblique-impact"), &out, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut found: Vec<_> = fs::read_dir(&out)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut expected = FILES.map(String::from).to_vec();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    let text = read(&out, "energies.csv");
    let (header, rows) = csv(&text);
    assert_eq!((header[0], header[9]), ("time_s", "error_J"));
    assert_eq!(rows.len(), 1001);
    let text = read(&out, "events.csv");
    let (_, events) = csv(&text);
    assert_eq!(events.iter().map(|row| row[1]).collect::<Vec<_>>(), ["touch", "part"]);
    let speeds: Vec<f64> = events.iter().map(|row| row[4].parse().unwrap()).collect();
    assert!((speeds[1] / speeds[0] - 0.98).abs() < 1e-6, "{speeds:?}");
    let summary: serde_json::Value = serde_json::from_str(&read(&out, "summary.json")).unwrap();
    assert_eq!(summary["contacts"][0]["touches"], 1);
}

#[test]
fn a_run_that_is_stopped_and_resumed_writes_the_same_bytes() {
    let (whole, pieces) = (folder("simulate-whole"), folder("simulate-pieces"));
    let scene = scene("four-bar");
    assert!(simulate(&scene, &whole, &[]).status.success());
    let first = simulate(&scene, &pieces, &["--steps", "300"]);
    assert!(first.status.success());
    assert!(String::from_utf8_lossy(&first.stdout).contains("--resume"));
    // Rows written after the checkpoint, as by a killed run, are removed.
    let part = pieces.join("trajectory.csv.partial");
    fs::write(&part, fs::read_to_string(&part).unwrap() + "0.1,cra").unwrap();
    let sentence = refused(simulate(&scene, &pieces, &[]), 2);
    assert!(sentence.contains("--resume"), "{sentence}");
    assert!(simulate(&scene, &pieces, &["--resume", "--steps", "500"]).status.success());
    assert!(simulate(&scene, &pieces, &["--resume"]).status.success());
    for name in &FILES {
        assert!(read(&whole, name) == read(&pieces, name), "{name} differs");
    }
    assert_eq!(fs::read_dir(&pieces).unwrap().count(), FILES.len());
    let sentence = refused(simulate(&scene, &pieces, &["--resume"]), 2);
    assert!(sentence.contains("has ended"), "{sentence}");
}

#[test]
fn a_changed_scene_is_not_resumed() {
    let out = folder("simulate-changed");
    let copy = out.join("scene.toml");
    let text = fs::read_to_string(scene("oblique-impact")).unwrap();
    fs::write(&copy, &text).unwrap();
    let results = out.join("run");
    assert!(simulate(&copy, &results, &["--steps", "5"]).status.success());
    fs::write(&copy, text.replace("0.092", "0.1")).unwrap();
    let sentence = refused(simulate(&copy, &results, &["--resume"]), 2);
    assert!(sentence.contains("the scene has changed"), "{sentence}");
}

#[test]
fn a_scene_whose_law_file_changed_is_not_resumed() {
    let out = folder("simulate-changed-law");
    let [copy, law, results] = ["scene.toml", "law.toml", "run"].map(|name| out.join(name));
    let text = fs::read_to_string(scene("oblique-impact")).unwrap();
    let given = text.lines().find(|line| line.trim_start().starts_with("law = ")).unwrap();
    fs::write(&copy, text.replace(given, "law = \"law.toml\"")).unwrap();
    let buffer = "name = \"buffer\"\nspring = \"K*delta + L*delta^3\"\n[parameters]\nK = \"1e7 N/m\"\nL = \"1e15 N/m^3\"\n";
    fs::write(&law, buffer).unwrap();
    assert!(simulate(&copy, &results, &["--steps", "5"]).status.success());
    fs::write(&law, buffer.replace("1e7", "2e7")).unwrap();
    let sentence = refused(simulate(&copy, &results, &["--resume"]), 2);
    assert!(sentence.contains("the scene has changed"), "{sentence}");
    fs::write(&law, buffer).unwrap();
    assert!(simulate(&copy, &results, &["--resume"]).status.success());
}

#[test]
fn mistakes_name_file_line_and_remedy() {
    let out = folder("simulate-mistakes");
    let copy = out.join("scene.toml");
    let text = fs::read_to_string(scene("oblique-impact")).unwrap();
    fs::write(&copy, text.replace("restitution = 0.98", "restituton = 0.98")).unwrap();
    let sentence = refused(simulate(&copy, &out.join("run"), &[]), 2);
    assert!(sentence.contains("scene.toml: line "), "{sentence}");
    assert!(sentence.contains("restitution"), "{sentence}");
    let sentence = refused(simulate(&out.join("nothing.toml"), &out.join("run"), &[]), 1);
    assert!(sentence.contains("cannot read the scene"), "{sentence}");
    let sentence = refused(simulate(&copy, &out.join("run"), &["--checkpoint", "0"]), 2);
    assert!(sentence.contains("checkpoint = 0"), "{sentence}");
    fs::write(&copy, "").unwrap();
    let sentence = refused(simulate(&copy, &out.join("run"), &[]), 2);
    assert!(sentence.contains("[simulation] is missing"), "{sentence}");
    fs::write(out.join("file"), "").unwrap();
    refused(simulate(&scene("oblique-impact"), &out.join("file"), &[]), 1);
}

#[test]
fn a_figure_shows_energies_and_forces() {
    let out = folder("simulate-figure");
    let path = out.join("run.svg");
    let scene = scene("oblique-impact");
    let arguments =
        ["simulate", scene.to_str().unwrap(), "--plot", path.to_str().unwrap(), "--json"];
    let output = carom_with(&arguments);
    assert!(output.status.success());
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["finished"], true);
    let svg = fs::read_to_string(&path).unwrap();
    for word in ["kinetic", "lost to friction", "contact force", "sphere-ground"] {
        assert!(svg.contains(word), "{word}");
    }
}

/// The laws of a stop could not be compared: its contact has a name, but no table of this name.
#[test]
fn the_laws_of_a_stop_are_compared() {
    let door = scene("door");
    let words = ["simulate", door.to_str().unwrap(), "--laws", "tsuji-1992,hunt-crossley-1975"];
    let text = done(carom_with(&words));
    assert!(text.contains("hinge lower") && text.contains("hunt-crossley-1975"), "{text}");
}

/// Bodies that begin at rest in equilibrium turn over no energy: the report said "closes to 1e0 of the energy turned over".
#[test]
fn the_ledger_of_a_scene_at_rest_closes_to_rounding() {
    let at = folder("simulate-at-rest").join("levers.toml");
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    let text = r#"
        simulation = { duration = 0.1, gravity = 9.81, planar = true, start = "equilibrium" }
        body = [{ name = "lever", mass = 2, inertia = [0.02, 0.02, 0.02], position = [0.2, 1] }]
        [[joint]]
        kind = "revolute"
        between = ["lever", "ground"]
        point = [0, 1]
        spring = { stiffness = "40 N m" }
        "#;
    fs::write(&at, text).unwrap();
    let text = done(carom_with(&["simulate", at.to_str().unwrap()]));
    assert!(text.contains("closes to rounding"), "{text}");
}
