//! `carom advise`.

use super::{
    DAMPING, carom, carom_with, csv, fields, folder, json, near, refusal, refused, stdout,
};
use serde_json::Value;

/// The steel ball of Zhang & Sharf.
const BALL: &str = "advise --mass 0.54kg --stiffness 2.4144e10";

#[test]
fn the_json_has_the_fields_of_the_contract() {
    let advice = json(&format!("{BALL} --speed 0.1..1m/s --restitution 0.7568 --purpose granular"));
    assert_eq!(fields(&advice), ["problem", "checks", "recommended", "against", "step", "notes"]);
    let law = &advice["recommended"][0];
    for field in ["law", "pair", "exit", "damping", "delivered", "reasons", "other_exit", "fastest"]
    {
        assert!(!law[field].is_null(), "{field}");
    }
    assert_eq!(fields(&law["damping"]), DAMPING);
    assert_eq!(law["damping"]["calibration"], "exact");
    assert_eq!(fields(&advice["checks"][0]), ["name", "status", "value", "limit", "message"]);
    assert_eq!(
        fields(&advice["step"]["integrators"][0]),
        ["integrator", "used_by", "step_1_percent", "step_01_percent", "order", "given", "errors"]
    );
    for verdict in advice["against"].as_array().unwrap() {
        assert!(!verdict["reasons"].as_array().unwrap().is_empty(), "{verdict}");
    }
}

#[test]
fn its_numbers_deliver_when_typed_into_impact() {
    let advice = json(&format!("{BALL} --speed 0.1..1m/s --restitution 0.6 --purpose resting"));
    let damping = &advice["recommended"][0]["damping"];
    for speed in ["0.1", "0.4", "1"] {
        let impact = json(&format!(
            "impact --law power --mass 0.54 --stiffness 2.4144e10 --speed {speed} --exit force \
             --damping {} --damping-exponent {} --rate-exponent {}",
            damping["coefficient"], damping["damping_exponent"], damping["rate_exponent"]
        ));
        near(&impact["restitution"]["newton"], 0.6, 1e-9);
    }
}

#[test]
fn the_answer_comes_first_and_the_reasons_follow() {
    let words = format!("{BALL} --speed 0.1..1m/s --restitution 0.7");
    let text = stdout(&words);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no `{part}` in: {text}"));
    let parts =
        ["Advice: single", "law  ", "step  ", "1. hunt-cr", "\nStep", "\nChecks", "\nOther laws"];
    assert!(parts.windows(2).all(|two| at(two[0]) < at(two[1])));
    assert!(text.contains("the same force: ") && text.contains("--all shows"), "{text}");
    let brief = stdout(&format!("{words} --brief"));
    assert!(text.starts_with(&brief) && brief.lines().count() < 12, "{brief}");
    let all = stdout(&format!("{words} --all"));
    assert!(all.contains("its own formula delivers"), "{all}");
    for model in ["hunt-crossley-1975", "jkr-1971", "adams-impact"] {
        assert!(all.contains(model));
    }
}

/// Regression: a recommendation was named after the law whose formula was nearest to exact, and a dozen laws with the same force
/// appeared in the list of other laws.
#[test]
fn a_force_is_one_entry_under_its_best_known_name() {
    let advice = json(&format!("{BALL} --speed 0.1..1m/s --restitution 0.7"));
    let entries: Vec<&Value> = ["recommended", "against"]
        .iter()
        .flat_map(|list| advice[list].as_array().unwrap())
        .collect();
    let first = entries[0];
    assert_eq!(first["law"], "hunt-crossley-1975");
    let others: Vec<_> = first["same_force"]
        .as_array()
        .unwrap()
        .iter()
        .map(|other| other["law"].as_str().unwrap())
        .collect();
    assert_eq!(others[0], "lankarani-nikravesh-1990");
    assert!(others.contains(&"zhang-sharf-2004") && others.contains(&"flores-2011"));
    // No law is listed twice.
    for other in others {
        assert!(entries.iter().all(|entry| entry["law"] != other), "{other}");
    }
}

#[test]
fn the_same_question_has_the_same_answer_and_units_do_not_matter() {
    let one = json(&format!("{BALL} --speed 0.1..1m/s --restitution 0.7 --step 2us"));
    let two = json(
        "advise --mass 540g --stiffness 2.4144e10 --speed 10cm/s --speed-max 1 --restitution 70% \
         --step 2e-6",
    );
    assert_eq!(one, two);
}

/// Regression: `--step` only added a column to the table of integrators.
#[test]
fn a_given_step_is_judged_in_the_answer() {
    let words = format!("{BALL} --speed 0.1..1m/s --restitution 0.7 --brief");
    let fine = stdout(&format!("{words} --step 1us"));
    assert!(fine.contains("your step") && fine.contains("is fine enough"), "{fine}");
    let coarse = stdout(&format!("{words} --step 20us --tolerance 0.1%"));
    assert!(coarse.contains("is too coarse") && coarse.contains("or less"), "{coarse}");
    let words = format!("{BALL} --speed 0.1..1m/s --restitution 0.7 --step 20us --tolerance 0.1%");
    let verdict = &json(&words)["step"]["verdict"];
    assert_eq!(verdict["verdict"], "coarse");
    assert!(verdict["worst"].as_f64().unwrap() > 0.001);
}

#[test]
fn csv_has_a_row_for_every_law() {
    let text = stdout(&format!("{BALL} --speed 1m/s --restitution 0.7 --csv"));
    let count = stdout("models --csv").lines().count();
    assert_eq!(text.lines().count(), count);
    let (header, _) = csv(&text);
    assert_eq!(header[..3], ["law", "verdict", "instead"]);
    assert!(text.lines().nth(1).unwrap().contains("recommended"));
}

#[test]
fn a_figure_is_drawn_or_nothing_is_left_behind() {
    let path = folder("advise").join("advice.svg");
    let drawn = |words: &str| {
        let mut all: Vec<&str> = words.split_whitespace().collect();
        let name = path.to_str().unwrap();
        all.extend(["--plot", name]);
        carom_with(&all)
    };
    for words in [
        "--speed 0.1..1m/s --restitution 0.7",
        "--speed 1m/s",
        "--speeds 0.1,1 --restitutions 0.9,0.7",
    ] {
        assert!(drawn(&format!("{BALL} {words}")).status.success(), "{words}");
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.contains("Error of the restitution by step"));
        // Regression: errors over several decades were drawn as logarithms on linear axes, with labels such as log₁₀.
        assert!(!svg.contains("log₁₀") && svg.contains("steps per contact T/h"), "{words}");
        for tick in [">10<", ">100<", ">1000<", ">0.01<"] {
            assert!(svg.contains(tick), "{words}: no tick {tick}");
        }
        std::fs::remove_file(&path).unwrap();
    }
    assert!(!drawn(&format!("{BALL} --speed 0")).status.success() && !path.exists());
    let words = format!("{BALL} --speed 1 --restitution 0.5 --plot no-such-folder/x.svg");
    assert!(refused(carom(&words), 1).contains("cannot write"));
}

#[test]
fn help_lists_purposes_and_integrators() {
    let help = stdout("advise --help");
    for part in ["single", "resting", "multiple", "granular", "optimisation", "runge-kutta-4"] {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn bad_input_is_one_sentence() {
    for (words, parts) in [
        ("", &["speed is missing", "0.1..5m/s"][..]),
        ("--speed 1", &["mass is missing", "--body"]),
        ("--mass 1 --speed 1", &["stiffness is missing"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --restitution 2", &["restitution = 2"]),
        ("--mass 1 --stiffness 1e6 --speed 1kg", &["speed = 1kg", "a speed, in m/s"]),
        ("--mass 1 --stiffness 1e6 --speed 2..1", &["swap the two"]),
        ("--mass 1 --stiffness 1e6 --speed ..1", &["speed = "]),
        ("--mass 1 --stiffness 1e6 --speed nan", &["speed = nan"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --purpose rest", &["no purpose `rest`"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --integrator rk", &["no integrator `rk`", "newmark"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --tolerance 5", &["tolerance = 5", "0.01 or 1%"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --step -1", &["step = -1", "above 0"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --set x", &["set = `x`", "name=value"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --exit x", &["no exit `x`"]),
        ("--mass 1 --stiffness 1e6 --speeds 1,2 --restitutions 0.5", &["as many as speeds"]),
        ("--mass 1 --stiffness 1e6 --speed 1 --plot x.eps", &[".svg"]),
        ("--mass 1e308 --stiffness 1e6 --speed 1e300", &["check the units"]),
    ] {
        let sentence = refusal(&format!("advise {words}"));
        for part in parts {
            assert!(sentence.contains(part), "`{part}` is not in: {sentence}");
        }
    }
}
