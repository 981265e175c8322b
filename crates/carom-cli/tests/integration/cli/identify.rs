//! `carom identify`.

use super::{DAMPING, csv, fields, json, near, refusal, stdout};

/// The steel ball of Zhang & Sharf at 0.5 m/s, without its stiffness and restitution.
const BALL: &str = "identify --mass 0.54kg --speed 0.5m/s --exponent 1.5";

#[test]
fn the_json_has_the_fields_of_the_contract() {
    let found = json(&format!("{BALL} --restitution 0.7568 --duration 207us"));
    let predicted = [
        "restitution",
        "duration",
        "force_max",
        "indentation_max",
        "time_of_force_max",
        "time_of_indentation_max",
    ];
    assert_eq!(fields(&found["pair"]), ["mass", "stiffness", "exponent"]);
    assert_eq!(fields(&found["damping"]), DAMPING);
    assert_eq!(fields(&found["predicted"]), predicted);
    assert_eq!(fields(&found["sensitivity"]), ["restitution", "duration", "mass", "speed"]);
    assert!(found["natural_frequency"].is_number() && found["notes"].is_array());
    assert!(found["uncertainty"].is_null());
    near(&found["sensitivity"]["duration"]["stiffness"], -2.5, 1e-9);
}

#[test]
fn an_impact_and_its_identification_are_inverse() {
    let law = "--damping-exponent 0.5 --rate-exponent 0.8 --exit indentation";
    let impact = json(&format!(
        "impact --law power --mass 0.54 --stiffness 2.4144e10 --exponent 1.5 --speed 0.5 {law} \
         --restitution 0.6 --calibration exact"
    ));
    let found = json(&format!("{BALL} {law} --restitution 0.6 --duration {}", impact["duration"]));
    assert_eq!(fields(&found["damping"]), fields(&impact["damping"]));
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-9);
    for field in ["force_max", "indentation_max", "time_of_force_max", "time_of_indentation_max"] {
        near(&found["predicted"][field], impact[field].as_f64().unwrap(), 1e-9);
    }
    for field in ["epsilon", "coefficient"] {
        near(&found["damping"][field], impact["damping"][field].as_f64().unwrap(), 1e-9);
    }
}

#[test]
fn units_and_plain_numbers_mean_the_same() {
    let plain = "identify --mass 0.54 --speed 0.5 --force 4400 --restitution 0.8 --force-error 44";
    let units = "identify --mass 540g --speed 50cm/s --force 4.4kN --restitution 80% \
                 --force-error 44N";
    assert_eq!(json(plain), json(units));
}

#[test]
fn two_dampings_that_fit_are_both_shown() {
    let words = format!("{BALL} --damping-exponent 0.25 --duration 207us --force 4.36kN");
    let found = json(&words);
    assert_eq!(found["others"].as_array().unwrap().len(), 1);
    near(&found["predicted"]["restitution"], 0.89439, 1e-4);
    near(&found["others"][0]["predicted"]["restitution"], 0.07902, 1e-3);
    assert_eq!(found["notes"][0]["kind"], "several_solutions");
    let text = stdout(&words);
    assert!(text.contains("solution 2") && text.contains("restitution would decide"), "{text}");
    let text = stdout(&format!("{words} --csv"));
    let (header, rows) = csv(&text);
    assert!(rows.len() == 2 && rows.iter().all(|row| row.len() == header.len()));
}

#[test]
fn uncertainties_are_propagated_and_shown() {
    let words = format!("{BALL} --restitution 0.7568 --duration 207us --duration-error 2.07us");
    let found = json(&words);
    let expected = 0.025 * found["pair"]["stiffness"].as_f64().unwrap();
    near(&found["uncertainty"]["stiffness"], expected, 1e-9);
    let text = stdout(&words);
    assert!(text.contains("uncertainty  K ± 6.3e8 N/m^1.5"), "{text}");
    assert!(text.contains("1 % more"), "{text}");
}

#[test]
fn the_published_fit_says_what_it_misses() {
    let words = format!("{BALL} --restitution 0.5 --duration 207us");
    let fit = json(&format!("{words} --published"));
    assert_eq!(fit["damping"]["calibration"], "published");
    assert_eq!(fit["notes"][0]["kind"], "published_missed");
    let exact = json(&words);
    assert!(exact["notes"].as_array().unwrap().is_empty());
    near(&fit["pair"]["stiffness"], exact["pair"]["stiffness"].as_f64().unwrap(), 0.05);
}

#[test]
fn several_speeds_rank_the_exponents() {
    let words = "identify --speeds 0.1,50cm/s,1,2 --restitutions 0.95,0.79,0.655,0.495";
    let fit = json(words);
    assert_eq!(fit["velocity_free"], false);
    assert_eq!(fit["candidates"][0]["name"], "fitted");
    assert!(fit["candidates"][0]["restitution_rms"].as_f64().unwrap() < 0.01);
    let text = stdout(words);
    assert!(text.contains("velocity-free damping is excluded"), "{text}");
    let text = stdout(&format!("{words} --mass 1kg --stiffness 1e9 --rate-exponent 0.8 --csv"));
    assert!(text.lines().any(|line| line.starts_with("given,")), "{text}");
}

#[test]
fn bad_input_is_one_sentence() {
    for (words, parts) in [
        ("", &["mass is missing", "give --mass"][..]),
        ("--mass 1", &["speed is missing", "give --speed"]),
        ("--mass 1 --speed 1", &["a measured number is missing", "give two of"]),
        ("--mass 1 --speed 1 --force 1", &["a measured number is missing"]),
        ("--mass 1 --speed 1 --force 1 --duration 1 --restitution 0.5", &["from 3 numbers", "two"]),
        ("--mass 1 --speed 1 --force -1 --restitution 0.5", &["force = -1", "above 0"]),
        ("--mass 1 --speed 1 --force 1s --restitution 0.5", &["force = 1s", "a force, in N"]),
        ("--mass 1 --speed 1 --force 1 --restitution 1.5", &["restitution = 1.5"]),
        ("--mass 1 --speed 0 --force 1 --restitution 0.5", &["speed = 0", "above 0"]),
        (
            "--mass 1 --speed 1 --force 1 --restitution 0.5 --force-error -1",
            &["force_error = -1", "absolute uncertainty"],
        ),
        (
            "--mass 1 --speed 1 --force 1 --restitution 0.5 --duration-error 1",
            &["duration is missing", "--duration-error"],
        ),
        ("--mass 1 --speed 1 --force 1 --restitution 0.5 --stiffness 1", &["stiffness", "leave"]),
        ("--mass 1 --speed 1 --force 1 --restitution 0.5 --published", &["published fit"]),
        ("--mass 1 --speed 1 --force 1e300 --restitution 0.5", &["check the units"]),
        ("--mass 1 --speed 1 --force 9 --indentation 9", &["= 81", "between", "other exponents"]),
        ("--mass 1 --speed 1 --force 1 --restitution 0.5 --exit side", &["no exit `side`"]),
        ("--mass 1 --speed 1 --force 1 --restitution 0.5 --exponent 9", &["exponent = 9"]),
        ("--speeds 1,2", &["restitutions = 0 numbers", "as many as speeds"]),
        ("--speeds 1 --restitutions 0.5", &["speeds = 1", "two or more"]),
        ("--speeds 1,2 --restitutions 0.5,1", &["restitution = 1", "below 1"]),
        ("--speeds 1,x --restitutions 0.5,0.4", &["speeds = x"]),
        (
            "--speeds 1,2 --restitutions 0.5,0.4 --speed 1",
            &["`speed` beside speeds", "leave out --speed"],
        ),
        ("--speeds 1,2 --restitutions 0.5,0.4 --mass 1", &["stiffness is missing"]),
    ] {
        let sentence = refusal(&format!("identify {words}"));
        for part in parts {
            assert!(sentence.contains(part), "`{part}` is not in: {sentence}");
        }
    }
}
