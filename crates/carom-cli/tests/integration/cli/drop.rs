//! `carom drop`.

use super::*;

/// Writes a recording of a ball with known restitution into a folder of its own and returns its path.
fn recording(name: &str) -> PathBuf {
    use carom::drop_test::synthesis::{Bouncing, Microphone, wav};
    let bounces = Bouncing::new(0.8, 0.75, 7).bounces();
    let heard: Vec<_> = bounces.iter().map(|b| (b.time, b.speed)).collect();
    let microphone = Microphone { rate: 8000.0, duration: 3.0, ..Microphone::default() };
    let path = std::env::temp_dir().join(format!("carom-drop-{name}-{}.wav", std::process::id()));
    std::fs::write(&path, wav(&microphone.record(&heard, 3e-4), 8000)).unwrap();
    path
}

#[test]
fn json_has_the_impacts_the_dependence_and_notes() {
    let text =
        stdout("drop --drop 0.3,0.6,1.2m --bounce 0.21,0.40,0.76m --height-error 5mm --json");
    let value: Value = serde_json::from_str(&text).unwrap();
    let impacts = value["impacts"].as_array().unwrap();
    assert_eq!(impacts.len(), 3);
    let number = |key: &str| impacts[0][key].as_f64().unwrap();
    assert!((number("speed") - (2.0 * 9.80665 * 0.3_f64).sqrt()).abs() < 1e-9);
    assert!((number("restitution") - 0.7_f64.sqrt()).abs() < 1e-9);
    // Relative error: ½·√((5/300)² + (5/210)²).
    let expected = 0.7_f64.sqrt() * 0.5 * (5.0f64 / 300.0).hypot(5.0 / 210.0);
    assert!((number("restitution_error") / expected - 1.0).abs() < 1e-3);
    assert!(number("speed_error") > 0.0);
    assert_eq!(value["dependence"]["form"], "power");
    assert!(value["dependence"]["parameters"]["restitution"].as_f64().unwrap() > 0.8);
    assert!(!value["notes"].as_array().unwrap().is_empty());
}

#[test]
fn a_recording_is_heard_and_drawn() {
    let (wav, plot) = (recording("heard"), recording("plot").with_extension("svg"));
    let output =
        carom_with(&["drop", wav.to_str().unwrap(), "--plot", plot.to_str().unwrap(), "--csv"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let csv = String::from_utf8(output.stdout).unwrap();
    assert!(csv.starts_with("speed,speed_error,restitution,restitution_error"), "{csv}");
    assert!(csv.lines().count() >= 5, "{csv}");
    let drawn = std::fs::read_to_string(&plot).unwrap();
    assert!(drawn.contains("The bounces that were found") && drawn.contains("impact speed"));
}

#[test]
fn a_table_of_heights_goes_to_drop_identify_and_fit() {
    let path = std::env::temp_dir().join(format!("carom-drops-{}.csv", std::process::id()));
    std::fs::write(&path, "drop_cm;bounce_cm\n20;12,5\n80;46\n180;97\n").unwrap();
    let file = path.to_str().unwrap();
    let value = |arguments: &[&str]| -> Value {
        let output = carom_with(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let dropped = value(&["drop", file, "--json"]);
    let e = dropped["impacts"][0]["restitution"].as_f64().unwrap();
    let identified = value(&["identify", file, "--json"]);
    assert!((identified["observed"][0]["restitution"].as_f64().unwrap() / e - 1.0).abs() < 1e-9);
    let fitted = value(&[
        "fit",
        file,
        "--law",
        "hunt-crossley-1975",
        "--mass",
        "0.1kg",
        "--stiffness",
        "1e7",
        "--json",
    ]);
    assert_eq!(fitted["statistics"]["points"], 3);
}

#[test]
fn mistakes_are_one_sentence() {
    let text = std::env::temp_dir().join(format!("carom-no-{}.wav", std::process::id()));
    std::fs::write(&text, "time,force\n1,2\n").unwrap();
    let empty = text.with_extension("csv");
    std::fs::write(&empty, "").unwrap();
    // A record of a force was read as the instants of its samples, each of them a bounce.
    let force = text.with_extension("force.csv");
    std::fs::write(&force, "time_s,force_N\n0,0\n1e-5,80\n2e-5,100\n3e-5,80\n4e-5,0\n").unwrap();
    for (arguments, status, part) in [
        (vec!["drop"], 2, "a measurement is missing: give --drop 0.3,0.6,1.2m"),
        (vec!["drop", "no-such-file.wav"], 1, "cannot read"),
        (vec!["drop", text.to_str().unwrap()], 2, "no WAV file"),
        (vec!["drop", empty.to_str().unwrap()], 2, "is empty"),
        (vec!["drop", force.to_str().unwrap()], 2, "force from `force_N` in N is not allowed"),
        (vec!["drop", "--drop", "1m", "--bounce", "1.2m"], 2, "does not rise higher"),
        (vec!["drop", "--drop", "300", "--bounce", "200"], 2, "300mm"),
        (vec!["drop", "--times", "0.5s"], 2, "three or more"),
        (vec!["drop", "--times", "0.5,0.6s"], 2, "--instants"),
        (vec!["drop", "--drop", "1kg", "--bounce", "1m"], 2, "length"),
    ] {
        let output = carom_with(&arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{arguments:?}: {error}");
    }
}

#[test]
fn a_drop_test_goes_to_an_engine_in_one_command() {
    let folder = folder("drop-export");
    let out = folder.join("ball");
    let measured =
        "drop --drop 50mm --bounce 32mm --height-error 0.5mm --mass 67.4g --contact-time 110us";
    let out = out.to_str().unwrap();
    let text = stdout(&format!("{measured} --export mujoco --steps 20 --out {out}"));
    assert!(text.contains("32.0 mm") && text.contains("solref"), "{text}");
    let written = std::fs::read_to_string(format!("{out}/impact_mujoco.py")).unwrap();
    assert!(written.contains("0.800000 (asked for 0.8)"), "{written}");
    let value = json(&format!("{measured} --export lammps --steps 20"));
    let bounce = &value["engine_input"]["bounces"][0];
    near(&bounce["height_delivered"], 0.032, 1e-3);
    assert!(value["engine_input"]["export"]["text"].as_str().unwrap().contains("pair_coeff"));
    // Mistakes: existing files, an unknown engine, a step without an engine, no mass.
    let refusal = |words: String| {
        let arguments: Vec<_> = words.split_whitespace().collect();
        refused(carom_with(&arguments), 2)
    };
    assert!(refusal(format!("{measured} --export mujoco --out {out}")).contains("--overwrite"));
    assert!(refusal(format!("{measured} --export mujuco")).contains("mujoco"));
    assert!(refusal(format!("{measured} --steps 20")).contains("--export"));
    let light = measured.replace("--mass 67.4g", "");
    assert!(refusal(format!("{light} --export mujoco")).contains("--mass"));
}
