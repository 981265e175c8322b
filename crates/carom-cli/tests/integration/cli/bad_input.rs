//! Invalid input: the error is one sentence that names the parameter, its value, the allowed values and a remedy.

use super::{STEEL, carom_with, refusal, refused};

fn says(words: &str, parts: &[&str]) {
    let sentence = refusal(words);
    for part in parts {
        assert!(sentence.contains(part), "`{part}` is not in: {sentence}");
    }
}

fn restitution_is_refused(value: &str, parts: &[&str]) {
    says(&format!("impact --law flores-2011 {STEEL} --restitution {value}"), parts);
}

#[test]
fn a_restitution_of_zero_is_refused() {
    restitution_is_refused("0", &["restitution = 0", "above 0 and at most 1", "give the ratio"]);
}

#[test]
fn a_restitution_above_one_is_refused() {
    restitution_is_refused("1.2", &["restitution = 1.2", "above 0 and at most 1"]);
}

#[test]
fn a_negative_restitution_is_refused() {
    restitution_is_refused("-0.5", &["restitution = -0.5", "above 0 and at most 1"]);
}

#[test]
fn a_restitution_that_is_not_a_number_is_refused() {
    restitution_is_refused("NaN", &["restitution = NaN", "a finite number", "write for example"]);
}

#[test]
fn a_negative_mass_is_refused() {
    says(
        "impact --law hertz-1881 --mass -1 --stiffness 1e9 --speed 1",
        &["mass = -1", "a finite number above 0", "effective mass in kg"],
    );
}

#[test]
fn a_negative_mass_with_a_unit_is_refused() {
    says("impact --law hertz-1881 --mass -1kg --stiffness 1e9 --speed 1", &["mass = -1"]);
}

#[test]
fn an_exponent_below_its_range_is_refused() {
    says(
        "impact --law hertz-1881 --mass 1 --stiffness 1e9 --exponent 0.5 --speed 1",
        &["exponent = 0.5", "between 1 and 5", "Hertz"],
    );
}

#[test]
fn a_damping_exponent_below_its_range_is_refused() {
    says(
        "impact --law power --mass 1 --stiffness 1e9 --speed 1 --restitution 0.5 --calibration exact --damping-exponent -1",
        &["damping_exponent = -1", "between 0 and 5"],
    );
}

#[test]
fn a_rate_exponent_of_zero_is_refused() {
    says(
        "impact --law power --mass 1 --stiffness 1e9 --speed 1 --restitution 0.5 --calibration exact --rate-exponent 0",
        &["rate_exponent = 0"],
    );
}

#[test]
fn a_speed_of_zero_is_refused() {
    says(
        "impact --law hertz-1881 --mass 1 --stiffness 1e9 --speed 0",
        &["speed = 0", "above 0", "give the approach speed"],
    );
}

#[test]
fn an_unknown_law_is_refused_and_the_nearest_named() {
    says("impact --law flores-2 --mass 1", &["no law `flores-2`", "did you mean `flores-2011`?"]);
    says("impact --law nonsense --mass 1", &["no law `nonsense`", "`carom models`"]);
    says("model flores-2", &["did you mean `flores-2011`?"]);
    says("compare --laws hertz-1881,flores-2", &["did you mean `flores-2011`?"]);
}

#[test]
fn an_unknown_parameter_is_refused() {
    let words = format!("impact --law falcon-1998 {STEEL} --damping 1 --set gama=0.3");
    says(&words, &["no parameter `gama`", "did you mean `gamma`?"]);
    let words = format!("impact --law flores-2011 {STEEL} --restitution 0.5 --damping-exponent 1");
    says(&words, &["no parameter `damping_exponent`", "takes no parameters"]);
}

#[test]
fn a_missing_law_is_named() {
    says("impact --mass 1", &["law is missing", "give --law"]);
}

#[test]
fn a_missing_speed_mass_stiffness_or_restitution_is_named() {
    let words = "impact --law flores-2011";
    says(words, &["speed is missing", "give --speed"]);
    says(&format!("{words} --speed 1"), &["mass is missing", "give --mass", "--body"]);
    says(&format!("{words} --speed 1 --mass 1"), &["stiffness is missing", "give --stiffness"]);
    let words = format!("{words} --speed 1 --mass 1 --stiffness 1e9");
    says(&words, &["restitution is missing", "give --restitution"]);
}

#[test]
fn a_missing_parameter_of_a_law_is_named() {
    let words = "impact --law thornton-1997 --mass 1 --stiffness 1e9 --speed 1";
    says(words, &["limiting_pressure is missing", "--set limiting_pressure=VALUE"]);
}

#[test]
fn a_unit_of_the_wrong_dimension_is_refused() {
    says(
        "impact --law hertz-1881 --mass 12.7mm --stiffness 1e9 --speed 1",
        &["mass = 12.7mm", "a mass, in kg", "`0.54 kg`"],
    );
    let words = ["impact", "--law", "hertz-1881", "--mass", "1", "--speed", "1", "--stiffness"];
    let sentence = refused(carom_with(&[&words[..], &["2e10 N/m^2"]].concat()), 2);
    assert!(sentence.contains("stiffness = 2e10 N/m^2"), "{sentence}");
}

#[test]
fn a_number_that_overflows_is_refused() {
    let words = "impact --law hertz-1881 --stiffness 1e9 --speed 1 --mass 1e400";
    says(words, &["mass = 1e400", "64-bit", "check"]);
}

#[test]
fn a_result_that_overflows_is_refused() {
    let words = "impact --law hertz-1881 --stiffness 1e9 --speed 1e200 --mass 1e10";
    says(words, &["kinetic energy is inf", "check the units"]);
}

#[test]
fn an_unknown_exit_or_calibration_is_refused() {
    let words = format!("impact --law flores-2011 {STEEL} --restitution 0.5");
    says(&format!("{words} --exit side"), &["no exit `side`", "`force`", "`indentation`"]);
    says(&format!("{words} --calibration exat"), &["no calibration `exat`", "`exact`"]);
}

#[test]
fn an_assignment_without_a_value_is_refused() {
    let words = format!("impact --law falcon-1998 {STEEL} --damping 1 --set gamma");
    says(&words, &["set = `gamma`", "name=value"]);
}

#[test]
fn a_parameter_that_is_set_twice_is_refused() {
    let words = format!("impact --law falcon-1998 {STEEL} --damping 1 --set gamma=1 --set gamma=2");
    says(&words, &["gamma = 2", "set twice", "leave one"]);
}

#[test]
fn one_body_is_not_enough() {
    let words = ["impact", "--law", "hertz-1881", "--speed", "1", "--body"];
    let body = ["sphere radius=12.7mm material=steel"];
    let sentence = refused(carom_with(&[&words[..], &body[..]].concat()), 2);
    assert!(sentence.contains("describe both with --body"), "{sentence}");
}

#[test]
fn a_published_formula_that_does_not_exist_is_not_replaced() {
    let words = format!("impact --law power {STEEL} --restitution 0.5");
    says(&words, &["published formula in `power` is not supported", "--calibration exact"]);
}

#[test]
fn what_clap_refuses_has_exit_status_two_and_no_output() {
    for words in ["impact --colour red", "nonsense", "compare --sort weight", "models --group x"] {
        let output = super::carom(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{words}");
    }
}
