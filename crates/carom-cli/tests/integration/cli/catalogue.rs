//! `carom models`, `carom model` and `carom materials`, which must agree with the lists of the library.

use super::{json, refused, stdout};
use carom::CATALOGUE;
use carom::pair::MATERIALS;
use serde_json::Value;

fn ids(words: &str) -> Vec<String> {
    let list = json(words);
    list.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_string()).collect()
}

#[test]
fn every_model_is_listed_in_every_format() {
    let all: Vec<_> = CATALOGUE.iter().map(|model| model.id).collect();
    assert_eq!(ids("models"), all);
    let (text, csv) = (stdout("models"), stdout("models --csv"));
    assert_eq!(csv.lines().count(), all.len() + 1);
    for id in all {
        assert!(text.lines().any(|line| line.split(' ').next() == Some(id)), "{id}");
        assert!(csv.lines().any(|line| line.split(',').next() == Some(id)), "{id}");
    }
}

#[test]
fn filters_keep_what_they_say_and_nothing_else() {
    for (words, field, value) in [
        ("models --group profile", "group", Value::from("profile")),
        ("models --input coefficient", "input", Value::from("coefficient")),
        ("models --velocity-free", "velocity_free", Value::from(true)),
        ("models --velocity-dependent", "velocity_free", Value::from(false)),
    ] {
        let found = json(words);
        let found = found.as_array().unwrap();
        let all = json("models");
        let expected = all.as_array().unwrap().iter().filter(|entry| entry[field] == value).count();
        assert!(found.iter().all(|entry| entry[field] == value), "{words}");
        assert!(found.len() == expected && expected > 0, "{words}");
    }
}

#[test]
fn names_in_lists_are_the_names_of_the_json() {
    for model in CATALOGUE {
        assert_eq!(serde_json::to_value(model.group).unwrap(), model.group.name());
        assert_eq!(serde_json::to_value(model.input).unwrap(), model.input.name());
        assert_eq!(serde_json::to_value(model.exit).unwrap(), model.exit.name());
    }
}

#[test]
fn velocity_free_laws_are_known_by_their_exponents() {
    let free = ids("models --velocity-free");
    for id in ["tsuji-1992", "kelvin-voigt-1865", "hertz-1881", "walton-braun-1986"] {
        assert!(free.iter().any(|known| known == id), "{id}");
    }
    let dependent = ids("models --velocity-dependent");
    for id in ["hunt-crossley-1975", "flores-2011", "lankarani-nikravesh-1990"] {
        assert!(dependent.iter().any(|known| known == id), "{id}");
    }
}

#[test]
fn a_search_finds_authors_and_aliases() {
    assert!(ids("models antypov").contains(&"tsuji-1992".to_string()));
    assert!(ids("models CROSSLEY").contains(&"hunt-crossley-1975".to_string()));
    assert!(refused(super::carom("models quaternion"), 1).contains("no law matches"));
}

#[test]
fn every_model_has_a_page_with_all_its_parts() {
    for model in CATALOGUE {
        let text = stdout(&format!("model {}", model.id));
        for heading in ["Equation", "Derivation", "Validity", "Remarks", "Reference"] {
            assert!(text.lines().any(|line| line == heading), "{}: {heading}", model.id);
        }
        assert!(text.starts_with(model.title), "{}", model.id);
        assert!(model.doi.is_none_or(|doi| text.contains(doi)), "{}", model.id);
        for parameter in model.parameters {
            assert!(text.contains(parameter.name), "{}: {}", model.id, parameter.name);
        }
    }
}

#[test]
fn a_page_shows_requested_against_delivered() {
    let page = json("model flores-2011");
    let rows = page["deliveries"]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 11);
    let half = rows.iter().find(|row| row["requested"] == 0.5).unwrap();
    assert!((half["published_force"].as_f64().unwrap() - 0.4704).abs() < 1e-4);
    assert!((half["exact_force_epsilon"].as_f64().unwrap() - 1.43275).abs() < 1e-4);
    let text = stdout("model flores-2011");
    assert!(text.contains("0.4704") && text.contains("-5.91") && text.contains("1.4328"));
    assert_eq!(stdout("model flores-2011 --csv").lines().count(), 12);
}

#[test]
fn an_alias_is_as_good_as_an_id() {
    assert_eq!(stdout("model tsuji"), stdout("model tsuji-1992"));
}

#[test]
fn the_markdown_page_holds_every_model() {
    let page = stdout("models --markdown");
    for model in CATALOGUE {
        assert!(page.contains(&format!("### {}\n", model.title)), "{}", model.id);
        assert!(page.contains(&format!("`{}`", model.id)), "{}", model.id);
    }
    assert!(page.lines().filter(|line| line.starts_with("## ")).count() >= 6);
    assert!(!page.contains("\u{1b}["));
}

#[test]
fn every_material_is_listed_and_found() {
    assert_eq!(ids("materials").len(), MATERIALS.len());
    assert_eq!(stdout("materials").lines().count(), MATERIALS.len() + 1);
    assert_eq!(stdout("materials --csv").lines().count(), MATERIALS.len() + 1);
    assert_eq!(ids("materials bearing-steel"), ["steel-52100"]);
}
