//! Tests that the reference agrees with the reader, and that its examples are valid scenes.

use super::reference::EXAMPLES;
use super::*;
use crate::grains::GranularScene;
use crate::scene::Scene;
use toml::de::{DeTable, DeValue};

fn files(name: &str) -> Result<String, String> {
    match name {
        "quake.txt" => Ok("# m/s²\n0 1 -1 0\n".into()),
        "bracket.obj" => {
            Ok("v 0 0 0\nv 60 0 0\nv 0 60 0\nv 0 0 60\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n".into())
        }
        "bed.txt" => Ok("5 5 2\n5 5 5\n".into()),
        _ => Err("no such file".into()),
    }
}

/// The examples parse, so every key in them is read, because the reader refuses a key that is declared but not read.
#[test]
fn examples_are_scenes() {
    let [bodies, grains] = EXAMPLES;
    Scene::parse(bodies, &files).unwrap();
    GranularScene::parse(grains, &files).unwrap();
    // Keys that cannot be combined with those of the example.
    let from_file = grains
        .replace("count = 12\n", "file = \"bed.txt\"\nunit = \"mm\"\n")
        .replace("radii = [\"0.8 mm\", \"1 mm\"]\nshares = [1, 2]\n", "radius = \"1 mm\"\n")
        .replace("mindlin = true", "stiffness = \"1 kN/m\"");
    GranularScene::parse(&from_file, &files).unwrap();
    let damped = "damping = \"1e6 N s/m^2\"\ndamping_exponent = 1\nrate_exponent = 1\n";
    let nonsmooth = bodies
        .replace("method = \"smooth\"\n", "method = \"nonsmooth\"\nimpact_law = \"poisson\"\n")
        .replace("law = \"power\"", "law = \"tsuji-1992\"")
        .replace(damped, "restitution = 0.5\n");
    Scene::parse(&nonsmooth, &files).unwrap();
}

/// Every key is used by an example; keys that several tables share are used in at least one of them.
#[test]
fn every_key_has_an_example() {
    type Keys = std::collections::BTreeSet<(&'static str, &'static str)>;
    fn visit(format: &'static TableFormat, tables: &[&DeTable], all: &mut Keys, used: &mut Keys) {
        for key in format.keys() {
            all.insert((key.name, key.meaning));
            let found: Vec<&DeValue> =
                tables.iter().filter_map(|table| Some(table.get(key.name)?.get_ref())).collect();
            if !found.is_empty() {
                used.insert((key.name, key.meaning));
            }
            if let Value::Table(inner) | Value::Tables(inner) = key.value {
                let below = found.iter().flat_map(|value| match value {
                    DeValue::Array(items) => items.iter().map(|item| item.get_ref()).collect(),
                    other => vec![*other],
                });
                let below: Vec<&DeTable> = below.filter_map(DeValue::as_table).collect();
                visit(inner, &below, all, used);
            }
        }
    }
    let texts: Vec<_> = EXAMPLES.iter().map(|text| DeTable::parse(text).unwrap()).collect();
    let roots: Vec<&DeTable> = texts.iter().map(|text| text.get_ref()).collect();
    let (mut all, mut used) = (Keys::new(), Keys::new());
    visit(&SCENE, &roots, &mut all, &mut used);
    let missing: Vec<_> = all.difference(&used).map(|(name, _)| *name).collect();
    // Alternatives that `examples_are_scenes` inserts.
    assert_eq!(missing, ["file", "impact_law", "radius", "stiffness", "unit"]);
}

/// Every default is valid TOML, and the reader treats it as if it had been written.
#[test]
fn defaults_can_be_written() {
    fn visit(format: &'static TableFormat, depth: usize) {
        for key in format.keys() {
            if let Absent::Is(default) = key.absent {
                let value = DeValue::parse(default);
                assert!(value.is_ok(), "{} = {default}", key.name);
                if let Value::Choice(names) = key.value {
                    assert!(names().contains(&default.trim_matches('"')), "{default}");
                }
            }
            if let (Value::Table(inner) | Value::Tables(inner), true) = (key.value, depth < 9) {
                visit(inner, depth + 1);
            }
        }
    }
    visit(&SCENE, 0);
    let explicit = "[simulation]\nduration = 1\ngravity = 0\nplanar = false\n[[body]]\nname = \"a\"\nfixed = false\n\
                    position = [0, 0, 0]\nmotion = { rate = 1, start = 0, direction = [1, 0, 0] }\n";
    let plain = "[simulation]\nduration = 1\n[[body]]\nname = \"a\"\nmotion = { rate = 1 }\n";
    let [explicit, plain] = [explicit, plain].map(|text| Scene::parse(text, &files).unwrap().world);
    // Compared as text, because the masses of driven bodies are NaN.
    assert_eq!(format!("{:?}", explicit.bodies()), format!("{:?}", plain.bodies()));
    assert_eq!(explicit.gravity, plain.gravity);
}

#[test]
fn a_key_outside_its_range_is_refused_with_its_meaning() {
    for (line, expected) in [
        ("duration = 0", "line 2: duration = 0 is not allowed"),
        ("duration = 1\ntolerance = 1", "between 1e-13 and 1e-3"),
        ("duration = 1\nslowest_impact = -1", "a finite number of at least 0"),
        ("duration = 1\nstep = 1", "line 3: step of the smooth method"),
        ("duration = 1\nstep = 0", "a finite number above 0"),
    ] {
        let error = Scene::parse(&format!("[simulation]\n{line}\n"), &files).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
