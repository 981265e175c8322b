//! `carom check`.

use super::{carom_with, folder, near};
use serde_json::Value;
use std::fs;
use std::path::Path;

const BALL: &str = "<mujoco>\n  <worldbody>\n    <geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>\n    <body pos=\"0 0 1\">\n      \
    <freejoint/>\n      <geom name=\"ball\" size=\"0.05\" mass=\"1\"/>  <!-- kept -->\n    </body>\n  </worldbody>\n</mujoco>\n";

fn answer(path: &Path, arguments: &[&str]) -> Value {
    let all: Vec<&str> =
        ["check", path.to_str().unwrap(), "--json"].iter().chain(arguments).copied().collect();
    let output = carom_with(&all);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(path: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let all: Vec<&str> =
        ["check", path.to_str().unwrap()].iter().chain(arguments).copied().collect();
    let output = carom_with(&all);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_robot_file_is_checked_and_fixed() {
    let folder = folder("check");
    let (ball, fixed) = (folder.join("ball.xml"), folder.join("fixed.xml"));
    fs::write(&ball, BALL).unwrap();
    let found = answer(&ball, &["--speed", "0.5,20 cm/s"]);
    let pairs = found["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 2);
    near(&pairs[1]["speed"], 0.2, 1e-12);
    for key in ["geometries", "speed", "restitution", "duration", "penetration", "force_max"] {
        assert!(pairs[0].get(key).is_some(), "{key}");
    }
    assert!(found["findings"].is_array());
    let out = fixed.to_str().unwrap();
    let fix = answer(&ball, &["--restitution", "0.7", "--fix", out]);
    near(&fix["fix"]["delivered"], 0.7, 0.01);
    near(&answer(&fixed, &[])["pairs"][0]["restitution"], 0.7, 0.01);
    assert!(fs::read_to_string(&fixed).unwrap().contains("<!-- kept -->\n"));
    // An existing file is replaced only on request.
    assert!(refused(&ball, &["--restitution", "0.7", "--fix", out]).1.contains("--overwrite"));
    let text = carom_with(&["check", ball.to_str().unwrap()]);
    assert!(String::from_utf8(text.stdout).unwrap().contains("floor, ball"));
}

#[test]
fn hostile_files_get_one_sentence() {
    let folder = folder("check-hostile");
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let bomb = write(
        "bomb.xml",
        b"<!DOCTYPE m [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><mujoco>&b;</mujoco>",
    );
    let circle = write("circle.xml", b"<mujoco><include file=\"circle.xml\"/></mujoco>");
    let climb =
        write("climb.xml", b"<mujoco>\n<include file=\"../../../../../../etc/passwd\"/></mujoco>");
    let big = write("big.xml", &vec![b' '; 33 << 20]);
    let binary = write("binary.xml", &[0xff, 0xfe, 0x00]);
    for (path, code, says) in [
        (&bomb, 2, "DOCTYPE"),
        (&circle, 2, "circle"),
        (&climb, 2, "--root DIR"),
        (&big, 2, "32 MB"),
        (&binary, 2, "cannot read"),
        (&folder.join("missing.xml"), 1, "cannot read"),
    ] {
        let (status, sentence) = refused(path, &[]);
        assert_eq!(status, Some(code), "{sentence}");
        assert!(sentence.contains(says) && sentence.lines().count() == 1, "{sentence}");
    }
}

#[test]
fn wrong_options_are_refused() {
    let folder = folder("check-options");
    let ball = folder.join("ball.xml");
    fs::write(&ball, BALL).unwrap();
    for (arguments, says) in [
        (["--speed", "0"], "speed"),
        (["--speed", "1 kg"], "speed"),
        (["--pair", "ball"], "A,B"),
        (["--pair", "bal,floor"], "did you mean `ball`"),
        (["--engine", "mujco"], "did you mean `mujoco`"),
        (["--engine", "ode"], "--engine"),
        (["--restitution", "1.5"], "restitution"),
    ] {
        let (status, sentence) = refused(&ball, &arguments);
        assert_eq!(status, Some(2));
        assert!(sentence.contains(says), "{sentence}");
    }
}
