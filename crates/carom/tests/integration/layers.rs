//! The rules of the code as tests: which modules may refer to which, how long a file may be, what no line may contain.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of this crate.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every file below a folder with this ending, with its path relative to the folder.
fn files(folder: &Path, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        let entries = fs::read_dir(&next).unwrap_or_else(|_| panic!("no folder {next:?}"));
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == ending) {
                let name = path.strip_prefix(folder).expect("below").to_string_lossy().to_string();
                found.push((name, fs::read_to_string(&path).expect("text")));
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    files(&root().join("src"), "rs")
}

/// Returns the sources of every crate of the workspace.
fn all_sources() -> Vec<(String, String)> {
    let crates = root().join("..");
    let mut found = Vec::new();
    for entry in fs::read_dir(&crates).expect("the crates") {
        let path = entry.expect("an entry").path();
        if path.join("src").is_dir() {
            let name = path.file_name().expect("a name").to_string_lossy().to_string();
            for (file, text) in files(&path.join("src"), "rs") {
                found.push((format!("{name}/{file}"), text));
            }
        }
    }
    assert!(found.len() > 50);
    found
}

/// Returns the code of a file without comments, code compiled for tests only, and strings.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let mut code = String::new();
    for line in text.lines() {
        // The content of string literals is removed, because it may contain any text.
        let plain: String = line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
        code.push_str(plain.split("//").next().unwrap_or(""));
        code.push('\n');
    }
    code
}

/// Returns the files of the library whose path begins with one of these names.
fn layer(names: &[&str]) -> Vec<(String, String)> {
    let within = |file: &str| {
        names
            .iter()
            .any(|name| file == format!("{name}.rs") || file.starts_with(&format!("{name}/")))
    };
    // Files that serve tests only may refer to everything.
    let real = |file: &str| !file.ends_with("tests.rs") && file != "law/check.rs";
    sources().into_iter().filter(|(file, _)| within(file) && real(file)).collect()
}

/// Returns true if a file refers to a module as `crate::…` or, one level up, as `super::…`.
fn refers(code: &str, module: &str) -> bool {
    let plain = code.contains(&format!("crate::{module}::"))
        || code.contains(&format!("crate::{module};"))
        || code.contains(&format!("crate::{module} "));
    let grouped =
        code.split("use crate::{").skip(1).filter_map(|rest| rest.split("};").next()).any(
            |group| group.split(',').any(|item| item.trim().split("::").next() == Some(module)),
        );
    plain || grouped
}

#[test]
fn numbers_do_not_know_names() {
    let below = ["law", "ode", "exact", "impact"];
    let above = ["model", "models", "spec", "report", "pair", "units"];
    let mut broken = Vec::new();
    for (file, text) in layer(&below) {
        let code = code(&text);
        broken.extend(above.iter().filter(|m| refers(&code, m)).map(|m| format!("{file} -> {m}")));
        for name in ["crate::Model", "crate::Damping", "crate::CATALOGUE", "crate::Pair"] {
            if code.contains(name) {
                broken.push(format!("{file} -> {name}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn layers_point_one_way() {
    // Each entry: a layer, and the modules that it must not refer to.
    let rules: &[(&[&str], &[&str])] = &[
        (
            &["error"],
            &["law", "exact", "impact", "pair", "model", "models", "spec", "report", "units"],
        ),
        (&["units"], &["law", "exact", "impact", "pair", "model", "models", "spec", "report"]),
        (
            &["ode"],
            &["law", "exact", "impact", "pair", "model", "models", "spec", "report", "error"],
        ),
        (
            &["numeric"],
            &[
                "law", "ode", "exact", "impact", "pair", "model", "models", "spec", "report",
                "units", "error",
            ],
        ),
        (&["law"], &["exact", "impact"]),
        (&["exact"], &["impact"]),
        (&["pair"], &["law", "exact", "impact", "model", "models", "spec", "report"]),
        (&["model", "models"], &["spec", "report", "impact", "ode"]),
    ];
    let mut broken = Vec::new();
    for (below, above) in rules {
        for (file, text) in layer(below) {
            let code = code(&text);
            let wrong = above.iter().filter(|module| refers(&code, module));
            broken.extend(wrong.map(|module| format!("{file} -> {module}")));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn no_force_is_called_through_a_pointer() {
    for (file, text) in layer(&["law"]) {
        assert!(!code(&text).contains("dyn "), "{file}");
    }
}

#[test]
fn every_crate_has_the_lints_against_panics() {
    // Clippy checks these lints, but a new crate must enable them. Clippy has no lint against assertions.
    let lints = ["unwrap_used", "expect_used", "panic", "unreachable", "todo", "string_slice"];
    let mut count = 0;
    for (name, text) in all_sources() {
        if name.ends_with("/lib.rs") || name.ends_with("/main.rs") {
            count += 1;
            for lint in lints {
                assert!(text.contains(&format!("clippy::{lint}")), "{name}: no {lint}");
            }
            let folder = root().join("..").join(name.split('/').next().unwrap_or_default());
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
            // One of these lints forbids `unsafe`; only the interface to C has its own table of lints.
            let own = name.starts_with("carom-c/") && manifest.contains("[lints.rust]");
            assert!(own || manifest.contains("[lints]\nworkspace = true"), "{name}");
        }
    }
    assert!(count >= 5, "{count}");
    for (file, text) in sources() {
        let tests = file == "law/check.rs" || file.ends_with("tests.rs");
        assert!(tests || !code(&text).contains("assert!("), "{file}");
    }
}

/// Advice is data ([`carom::message`]): each front end has its own wording, and the libraries use none of them.
#[test]
fn the_libraries_name_no_option_of_the_command() {
    let mut broken = Vec::new();
    let libraries = ["carom/", "carom-store/", "carom-world/"];
    for (file, text) in all_sources() {
        if !libraries.iter().any(|name| file.starts_with(name)) || file.ends_with("tests.rs") {
            continue;
        }
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text);
        for (i, line) in text.lines().enumerate() {
            let mut options = line.split("--").skip(1);
            if options.any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())) {
                broken.push(format!("{file}:{}: {}", i + 1, line.trim()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn files_are_short() {
    let long: Vec<_> = all_sources()
        .into_iter()
        .chain(files(&root().join("tests"), "rs"))
        .map(|(file, text)| (text.lines().count(), file))
        // Files should be divided by subject. One longer than this usually contains two subjects.
        .filter(|(lines, _)| *lines > 700)
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn lines_are_short() {
    let mut long = Vec::new();
    for (file, text) in all_sources() {
        for (i, line) in text.lines().enumerate() {
            if line.chars().count() > 200 {
                long.push(format!("{file}:{}", i + 1));
            }
        }
    }
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn every_model_file_is_in_the_catalogue_under_its_own_name() {
    let mut count = 0;
    for (file, text) in files(&root().join("src/models"), "rs") {
        // Files in a group's folder are models; the others are helpers.
        let Some((_, name)) = file.split_once('/') else { continue };
        count += 1;
        let id = name.trim_end_matches(".rs").replace('_', "-");
        let found = carom::CATALOGUE.iter().find(|model| model.id == id);
        let found = found.unwrap_or_else(|| panic!("{file}: no model {id} in the list"));
        assert_eq!(found.text, text, "{file}");
    }
    assert_eq!(count, carom::CATALOGUE.len());
}

#[test]
fn no_file_knows_where_it_lies() {
    let mut broken = Vec::new();
    let tests = files(&root().join("tests"), "rs");
    let data = ["csv", "json"].iter().flat_map(|ending| files(&root().join("tests/data"), ending));
    for (file, text) in all_sources().into_iter().chain(tests).chain(data) {
        for folder in ["work", "home", "root", "tmp", "Users", "mnt"] {
            if text.contains(&format!("/{folder}/")) {
                broken.push(format!("{file}: /{folder}/…"));
            }
        }
        if text.contains(&format!("..{}shared", '/')) {
            broken.push(format!("{file} reads from outside the repository"));
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_data_file_says_what_it_is() {
    let data = root().join("tests/data");
    for (file, text) in files(&data, "csv") {
        assert!(text.starts_with("# ") && text.contains("# Origin: "), "{file}");
    }
    for (file, text) in files(&data, "json") {
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let description = value["description"].as_str().unwrap_or_default();
        assert!(description.contains("Origin: "), "{file}");
    }
}

/// Finds statements of a file that compute with a stiffness as a force law does: a power or a root together with an indentation,
/// a length or a speed, or the product of a stiffness and an indentation.
fn force_formulas(text: &str) -> Vec<String> {
    const STIFFNESS: [&str; 3] = ["stiffness", "modulus", "spring"];
    const INDENTATION: [&str; 4] = ["delta", "indentation", "overlap", "depth"];
    const POWERS: [&str; 11] = [
        ".powf(",
        ".powi(",
        ".sqrt(",
        ".cbrt(",
        ".raise(",
        ".raise_all(",
        ".of(",
        "Math.pow(",
        "Math.sqrt(",
        "np.power(",
        "np.sqrt(",
    ];
    let is_name = |c: char| c.is_alphanumeric() || "_.()[]".contains(c);
    let holds = |name: &str, some: &[&str]| some.iter().any(|part| name.contains(part));
    let is_formula = |statement: &str| {
        let names: Vec<&str> =
            statement.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let has = |some: &[&str]| names.iter().any(|name| holds(name, some));
        // The power operator of JavaScript and Python, but not the `**` of keyword arguments.
        let raised = statement.match_indices("**").any(|(at, _)| {
            statement[..at].trim_end().ends_with(|c: char| c.is_alphanumeric() || ")]".contains(c))
        });
        let power = raised || POWERS.iter().any(|power| statement.contains(power));
        let lengths = has(&INDENTATION) || has(&["length", "speed"]);
        let product = statement.match_indices(" * ").any(|(at, _)| {
            let left = statement[..at].rsplit(|c| !is_name(c)).next().unwrap_or_default();
            let right = statement[at + 3..].split(|c| !is_name(c)).next().unwrap_or_default();
            let pair = |a: &str, b: &str| holds(a, &STIFFNESS) && holds(b, &INDENTATION);
            pair(left, right) || pair(right, left)
        });
        product || (power && has(&STIFFNESS) && lengths)
    };
    let statements = text.split([';', '{', '}']);
    let plain = statements.map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    plain.filter(|statement| is_formula(statement)).collect()
}

/// Other formulas with a stiffness and a length, with the reason why each of them is not a force law.
const OTHER_FORMULAS: [(&str, &str, &str); 7] = [
    ("carom/advise/check.rs", "4.0 * elastic.force_max * radius", "half the width of a contact"),
    ("carom/advise/examine.rs", ".stiffness * depth / peak", "tangents of a law over its scales"),
    ("carom/compare.rs", "order", "the linear spring of equal energy, a pair"),
    ("carom/fit/start.rs", "seed.stiffness / radius.sqrt()", "first values of moduli"),
    ("carom/pair/", "modulus", "stiffnesses of bodies"),
    ("carom-world/friction/", "self.stiffness(delta).sqrt()", "a tangential spring and its damper"),
    ("carom-world/grains/contact_block.rs", "self.radius[k]", "a tangential spring"),
];

/// No law is written twice: formulas of forces are in `law/` and `models/` only. Exceptions are the recomputed papers, which
/// contain their own errors on purpose, and `export/templates`, which contains text in the languages of engines.
#[test]
fn no_law_is_written_twice() {
    assert_eq!(force_formulas("let f = k.stiffness * delta * delta.sqrt();").len(), 1);
    assert_eq!(force_formulas("const force = stiffness * depth + damping * rate;").len(), 1);
    assert_eq!(force_formulas("return stiffness * overlap ** 1.5").len(), 1);
    let mut pages = files(&root().join("../carom-cli/src/lab/page"), "js");
    let python = files(&root().join("../carom-py/python"), "py");
    assert!(pages.len() > 10 && python.len() > 10);
    // Python without docstrings and comments, one statement on each line.
    pages.extend(python.into_iter().map(|(file, text)| {
        let plain: Vec<_> = text.split("\"\"\"").step_by(2).collect();
        let lines = plain
            .join("")
            .lines()
            .map(|it| it.split('#').next().unwrap_or("").to_string() + ";\n")
            .collect();
        (file, lines)
    }));
    let (mut found, mut known, mut in_laws) = (Vec::new(), [0; OTHER_FORMULAS.len()], 0);
    let rust = all_sources().into_iter().filter(|(file, _)| !file.ends_with("tests.rs"));
    for (file, text) in rust.chain(pages) {
        for formula in force_formulas(&code(&text)) {
            let law = ["carom/law/", "carom/models/", "carom-cli/papers"];
            let other = OTHER_FORMULAS
                .iter()
                .position(|(place, part, _)| file.starts_with(place) && formula.contains(part));
            match other {
                _ if law.iter().any(|folder| file.starts_with(folder)) => in_laws += 1,
                Some(other) => known[other] += 1,
                None => found.push(format!("{file}: {formula}")),
            }
        }
    }
    assert!(found.is_empty(), "use `carom::law` instead of {found:#?}");
    assert!(in_laws > 20, "{in_laws}: the formulas of laws are not recognised");
    let gone = OTHER_FORMULAS.iter().zip(known).filter(|(_, count)| *count == 0);
    assert_eq!(gone.count(), 0, "some of the other formulas are gone: {known:?}");
}
