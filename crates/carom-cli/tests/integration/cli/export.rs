//! `carom export`.

use super::{STEEL, carom, carom_with, folder, json, near, refusal, stdout};
use serde_json::Value;
use std::fs;

const TSUJI: &str = "--law tsuji-1992 --restitution 0.7568 --calibration exact";

/// Returns the engines that the command lists.
fn engines() -> Vec<Value> {
    json("export --list").as_array().unwrap().clone()
}

#[test]
fn the_list_names_every_engine_and_form() {
    let text = stdout("export --list");
    for engine in engines() {
        for key in ["id", "title", "version"] {
            assert!(text.contains(engine[key].as_str().unwrap()), "{}", engine[key]);
        }
        for form in engine["forms"].as_array().unwrap() {
            assert!(text.contains(form["name"].as_str().unwrap()));
        }
        // The information needed by the tests in `engines/` to install and run the engine.
        assert!(engine["install"]["from"].is_string() && engine["command"].is_array());
    }
}

#[test]
fn the_json_has_the_fields_of_the_contract() {
    for engine in engines() {
        let id = engine["id"].as_str().unwrap();
        let deck = json(&format!("export --to {id} {TSUJI} {STEEL}"));
        let keys: Vec<_> = deck.as_object().unwrap().keys().cloned().collect();
        let contract = [
            "engine",
            "law",
            "text",
            "files",
            "expresses",
            "lost",
            "settings",
            "delivers",
            "step",
            "over_speeds",
            "notes",
        ];
        assert_eq!(keys, contract);
        assert_eq!(deck["engine"], id);
        assert_eq!(deck["text"], deck["files"][0]["text"]);
        near(&deck["delivers"]["restitution"], 0.7568, 1e-6);
        let rigid = deck["expresses"]["match"] == "restitution";
        assert!(deck["delivers"]["duration"].is_number() != rigid, "{id}");
        assert!(deck["step"]["size"].is_number(), "{id}");
    }
}

#[test]
fn a_plastic_law_goes_to_engines_that_run_any_law() {
    let thornton = format!(
        "--law thornton-1997 --set radius=0.02 --set modulus=1e11 --set limiting_pressure=1.5GPa {STEEL}"
    );
    refusal(&format!("export --to lammps {thornton}"));
    let deck = json(&format!("export --to lammps --plugin {thornton}"));
    assert_eq!(deck["engine"], "lammps-plugin");
    let text = deck["text"].as_str().unwrap();
    for words in ["pair_style      carom", "law thornton-1997", "set limiting_pressure 1.5e9"] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(refusal(&format!("export --to drake --plugin {thornton}")).contains("--to lammps"));
    let model = stdout(&format!("export --to dem-engine {thornton}"));
    assert!(model.contains("\"carom_peak\"") && model.contains("carom_law::law_peak("), "{model}");
}

#[test]
fn the_effective_law_is_one_that_carom_impact_agrees_with() {
    let deck = json(&format!(
        "export --to lammps --law hunt-crossley-1975 {STEEL} --restitution 0.5 --calibration exact"
    ));
    let law = &deck["expresses"];
    assert_eq!(law["match"], "damping");
    let impact = json(&format!(
        "impact --law power --mass {} --stiffness {} --exponent {} --damping {} --damping-exponent {} \
         --rate-exponent {} --exit {} --speed 0.5",
        law["mass"],
        law["stiffness"],
        law["exponent"],
        law["damping"],
        law["damping_exponent"],
        law["rate_exponent"],
        law["exit"].as_str().unwrap(),
    ));
    near(&deck["delivers"]["restitution"], impact["restitution"]["newton"].as_f64().unwrap(), 1e-9);
    near(&deck["delivers"]["force_max"], impact["force_max"].as_f64().unwrap(), 1e-9);
    near(&deck["delivers"]["duration"], impact["duration"].as_f64().unwrap(), 1e-9);
}

#[test]
fn the_input_goes_to_standard_output_or_to_a_file() {
    let words = format!("export --to lammps {TSUJI} {STEEL}");
    let text = stdout(&words);
    assert!(text.starts_with("# carom: tsuji-1992 for LAMMPS"), "{text}");
    assert!(text.contains("damping coeff_restitution"));
    let path = folder("export-file").join("in.lmp");
    let mut arguments: Vec<_> = words.split_whitespace().collect();
    arguments.extend(["--out", path.to_str().unwrap()]);
    let output = carom_with(&arguments);
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let report = String::from_utf8(output.stdout).unwrap();
    for part in ["in.lmp", "the law asked for", "0.75680 delivered, 0.7568 requested", "step"] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_folder_gets_every_file() {
    let folder = folder("export-folder").join("new");
    let path = format!("{}/", folder.display());
    let words = format!("export --to drake {TSUJI} {STEEL}");
    let mut arguments: Vec<_> = words.split_whitespace().collect();
    arguments.extend(["--out", &path]);
    let output = carom_with(&arguments);
    assert!(output.status.success());
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("another spring and damper") && report.contains("lost"), "{report}");
    for name in ["impact_drake.py", "impact.sdf"] {
        assert!(
            fs::read_to_string(folder.join(name)).unwrap().contains("hunt_crossley_dissipation")
        );
    }
}

#[test]
fn a_file_that_cannot_be_written_is_status_one() {
    let output = carom(&format!("export --to lammps {TSUJI} {STEEL} --out no/such/folder/in.lmp"));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was left behind"));
}

#[test]
fn bad_input_is_one_sentence() {
    for (words, parts) in [
        (String::new(), &["to is missing", "lammps, liggghts"][..]),
        ("--to lamps".into(), &["did you mean `lammps`?"]),
        ("--to lammps".into(), &["law is missing"]),
        (format!("--to lammps {STEEL} --law tsuji-1992"), &["restitution is missing"]),
        (format!("--to lammps {STEEL} {TSUJI} --steps 1"), &["steps = 1", "between 6 and"]),
        (format!("--to lammps {STEEL} {TSUJI} --steps many"), &["steps = many"]),
        (format!("--to mujoco {STEEL} {TSUJI} --strict"), &["without loss", "leave out --strict"]),
        (format!("--to lammps {STEEL} {TSUJI} --external-force 5N"), &["gravity or load"]),
        ("--list --to lammps".into(), &["cannot be used with"]),
    ] {
        let sentence = refusal(&format!("export {words}"));
        for part in parts {
            assert!(sentence.contains(part), "`{part}` is not in: {sentence}");
        }
    }
}

#[test]
fn a_way_out_is_advised_only_where_the_engine_has_it() {
    let words = "--law flores-2011 --restitution 0.001 --calibration exact";
    let advice = "--exit indentation";
    assert!(refusal(&format!("export --to lammps {words} {STEEL}")).contains(advice));
    let chrono = refusal(&format!("export --to chrono {words} {STEEL}"));
    assert!(!chrono.contains(advice) && chrono.contains("higher restitution"), "{chrono}");
}
