//! `carom regimes SCENE`.

use super::{carom_with, csv, folder, refused, scene_path};

fn regimes(arguments: &[&str]) -> std::process::Output {
    carom_with(
        &[&["regimes", &scene_path("slider-crank"), "--turns", "1", "--skip", "1"], arguments]
            .concat(),
    )
}

#[test]
fn laws_are_compared_with_the_ideal_mechanism() {
    let out = folder("regimes").join("joint.svg");
    std::fs::create_dir_all(out.parent().unwrap()).unwrap();
    let laws = "ideal,lankarani-nikravesh,flores-2011";
    let output = regimes(&["--laws", laws, "--csv", "--plot", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let (header, rows) = csv(&text);
    let column = |name: &str| header.iter().position(|known| *known == name).unwrap();
    let number = |row: usize, name: &str| rows[row][column(name)].parse::<f64>().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1][0], "lankarani-nikravesh-1990");
    // Every turn has a point of the Poincaré section.
    assert!(
        (number(1, "section_time_s") - 0.012).abs() < 1e-3
            && number(1, "section_offset_x_m") != 0.0
    );
    // Acceleration at the dead centre: r·ω²·(1 + r/l).
    let most = 523.5987755982989f64.powi(2) * 0.05 * (1.0 + 0.05 / 0.12);
    assert!((number(0, "acceleration_max_m_per_s2") / most - 1.0).abs() < 1e-6);
    for row in [1, 2] {
        let shares = ["flight", "impact", "contact"].map(|name| number(row, name));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
        assert!(shares[2] > 0.5 && number(row, "force_max_N") > 0.14 * most);
    }
    let figure = std::fs::read_to_string(out).unwrap();
    assert!(figure.contains("Path of the pin") && figure.contains("clearance"));
}

/// Regression: `ideal` removed the clearance of the joint under study but not that of the other one, so that the "ideal"
/// mechanism had impacts.
#[test]
fn the_ideal_mechanism_has_no_clearance_in_any_joint() {
    let largest = |clearance: &str| {
        let set = format!("rocker pin.clearance={clearance}");
        let scene = scene_path("four-bar");
        let words = ["regimes", &scene, "--laws", "ideal", "--turns", "1", "--skip", "1", "--csv"];
        let output = carom_with(&[&words[..], &["--set", &set]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let (header, rows) = csv(&text);
        let at = header.iter().position(|name| *name == "acceleration_max_m_per_s2").unwrap();
        rows[0][at].parse::<f64>().unwrap()
    };
    let (narrow, wide) = (largest("0.1 mm"), largest("0.5 mm"));
    assert!((narrow / wide - 1.0).abs() < 1e-9, "{narrow} {wide}");
}

#[test]
fn the_scenes_own_law_has_its_name() {
    // Regression: the law was called `as in the scene`.
    let output = regimes(&["--csv"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let (header, rows) = csv(&text);
    assert_eq!(rows[0][0], "lankarani-nikravesh-1990");
    assert_eq!((header[1], rows[0][1]), ("joint", "wrist pin"));
}

#[test]
fn what_is_wrong_is_said() {
    for (arguments, expected) in [
        (&["--laws", "florres-2011"][..], "flores-2011"),
        (&["--joint", "wrist"], "wrist pin"),
        (&["--body", "piston"], "slider"),
        (&["--set", "wrist pin.clearence=1 mm"], "clearance"),
        (&["--set", "wrst pin.clearance=1 mm"], "wrist pin"),
        (&["--set", "clearance"], "TABLE.KEY=VALUE"),
        (&["--set", "wrist pin.clearance=1 kg"], "m"),
        (&["--turns", "0"], "turns"),
        (&["--laws", "hertz"], "elastic"),
        (&["--calibration", "roughly"], "published"),
    ] {
        // A later --turns overrides the one that all cases have.
        let mut words = vec!["regimes".to_string(), scene_path("slider-crank")];
        words.extend(arguments.iter().map(|word| word.to_string()));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let message = refused(carom_with(&words), 2);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    let message = refused(carom_with(&["regimes", &scene_path("bouncing-ball")]), 2);
    assert!(message.contains("driven"), "{message}");
}

#[test]
fn changes_reach_a_run_and_belong_to_it() {
    let out = folder("simulate-changed");
    let oblique = scene_path("oblique-impact");
    let with = |change: &str, more: &[&str]| {
        let first = ["simulate", &oblique, "--out", out.to_str().unwrap(), "--set", change];
        carom_with(&[&first[..], more].concat())
    };
    let output = with("sphere.velocity=[0, 0, -3.9]", &["--steps", "5"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Another change is another run, which is refused.
    let message = refused(with("sphere.velocity=[0, 0, -2]", &["--resume"]), 2);
    assert!(message.contains("changed"), "{message}");
    let output = with("sphere.velocity=[0, 0, -3.9]", &["--resume", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["contacts"][0]["friction"], 0.0, "straight down, nothing slides");
    assert_eq!(found["contacts"][0]["touches"], 1);
}
