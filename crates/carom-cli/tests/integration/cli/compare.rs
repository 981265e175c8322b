//! `carom compare`.

use super::{csv, json, stdout};
use carom::CATALOGUE;
use carom::problems::EXPERIMENTS;
use serde_json::Value;

fn rows(comparison: &Value) -> &Vec<Value> {
    comparison["rows"].as_array().unwrap()
}

#[test]
fn without_arguments_all_laws_run_on_both_steel_balls() {
    let comparisons = json("compare");
    let comparisons = comparisons.as_array().unwrap();
    let ids: Vec<_> = comparisons.iter().map(|c| c["experiment"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["steel-ball-0.15", "steel-ball-0.5"]);
    let text = stdout("compare");
    for comparison in comparisons {
        assert_eq!(rows(comparison).len(), CATALOGUE.len());
        for model in CATALOGUE {
            let row = rows(comparison).iter().find(|row| row["law"] == model.id).unwrap();
            assert!(row["restitution"].is_number() || row["reason"].is_string(), "{row}");
        }
    }
    for model in CATALOGUE {
        // Each law has a line of its own, or one below the law that has the same force here.
        let shown = |line: &&str| line.trim_start_matches("= ").split(' ').next() == Some(model.id);
        assert_eq!(text.lines().filter(shown).count(), 2, "{}", model.id);
    }
}

#[test]
fn errors_are_relative_to_the_experiment() {
    let comparison = json("compare --experiment steel-ball-0.5 --laws zhang-sharf-2004");
    let row = &comparison[0]["rows"][0];
    for (field, measured) in [("restitution", 0.7568), ("duration", 2.07e-4), ("force_max", 4364.6)]
    {
        let error = row[format!("{field}_error")].as_f64().unwrap();
        let value = row[field].as_f64().unwrap();
        assert!((value / measured - 1.0 - error).abs() < 1e-12, "{field}");
    }
    assert!((row["score"].as_f64().unwrap() - 0.01436).abs() < 1e-4);
}

#[test]
fn rows_are_sorted_by_what_is_asked() {
    for (by, field) in [
        ("score", "score"),
        ("restitution", "restitution_error"),
        ("duration", "duration_error"),
        ("force", "force_max_error"),
    ] {
        let comparison = json(&format!("compare --experiment steel-ball-0.5 --sort {by}"));
        let errors: Vec<_> = rows(&comparison[0])
            .iter()
            .filter_map(|row| Some(row[field].as_f64()?.abs()))
            .collect();
        assert!(errors.windows(2).all(|pair| pair[0] <= pair[1] + 1e-8), "{by}: {errors:?}");
    }
    let comparison =
        json("compare --experiment steel-ball-0.5 --sort name --laws tsuji,flores-2011,hertz");
    let laws: Vec<_> =
        rows(&comparison[0]).iter().map(|row| row["law"].as_str().unwrap()).collect();
    assert_eq!(laws, ["flores-2011", "hertz-1881", "tsuji-1992"]);
}

#[test]
fn exact_calibration_puts_every_law_on_the_measured_restitution() {
    let comparison = json("compare --experiment sliotar-a --calibration exact --group profile");
    for row in rows(&comparison[0]) {
        assert!(row["restitution_error"].as_f64().unwrap().abs() < 1e-9, "{row}");
    }
}

#[test]
fn linear_laws_are_marked_and_explained() {
    let text = stdout("compare --experiment steel-ball-0.5 --laws hooke-1678,hertz-1881");
    let line = |law: &str| text.lines().find(|line| line.starts_with(law)).unwrap();
    assert!(line("hooke-1678").contains("none*") && !line("hertz-1881").contains('*'));
    assert!(text.contains("*: a linear law"));
    let plain = stdout("compare --experiment steel-ball-0.5 --laws hertz-1881");
    assert!(!plain.contains("*: a linear law"));
}

#[test]
fn a_law_that_misses_a_fact_says_which() {
    let text = stdout("compare --experiment steel-ball-0.5 --laws wang-gao-2023");
    assert!(text.contains("not run") && text.contains("radius_2 is missing"), "{text}");
}

#[test]
fn every_experiment_can_be_compared() {
    let comparisons = json("compare --experiment all");
    assert_eq!(comparisons.as_array().unwrap().len(), EXPERIMENTS.len());
    for experiment in EXPERIMENTS {
        let text = stdout(&format!("compare --experiment {} --group profile", experiment.id));
        assert!(text.contains(experiment.title), "{text}");
    }
}

#[test]
fn csv_has_one_row_a_law_and_experiment() {
    let text = stdout("compare --csv --group profile");
    let (header, rows) = csv(&text);
    assert_eq!(header[..2], ["experiment", "law"]);
    let laws = CATALOGUE.iter().filter(|model| model.group.name() == "profile").count();
    assert_eq!(rows.len(), 2 * laws);
    assert!(rows.iter().all(|row| row.len() == header.len()));
}

/// Regression: laws with the same force appeared in separate rows with the same numbers, without any indication that they
/// coincide.
#[test]
fn laws_with_one_force_are_one_entry_with_all_its_names() {
    let words = "compare --experiment steel-ball-0.5 --calibration exact --exit force \
                 --laws zhang-sharf-2004,tsuji-1992,flores-2011,hunt-crossley-1975";
    let comparison = json(words);
    for row in rows(&comparison[0]) {
        let lead = row["same_force"].as_str();
        match row["law"].as_str().unwrap() {
            "zhang-sharf-2004" | "flores-2011" => assert_eq!(lead, Some("hunt-crossley-1975")),
            _ => assert_eq!(lead, None, "{row}"),
        }
    }
    let text = stdout(words);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no `{part}` in: {text}"));
    assert!(
        at("hunt-crossley-1975") < at("= flores-2011")
            && at("= flores-2011") < at("= zhang-sharf-2004")
    );
    assert!(text.contains("the same force as the law above"), "{text}");
}
