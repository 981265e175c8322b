//! `--plot FILE` on `impact`, `compare` and `model`.

use crate::{STEEL, carom_with, folder, refused};
use std::fs;
use std::path::Path;
use std::process::Output;

const FLORES: &str = "impact --law flores-2011 --restitution 0.5";
const COMPARE: &str = "compare --experiment steel-ball-0.5";

fn run(words: &str, path: &Path) -> Output {
    let words = match words.starts_with("impact") {
        true => format!("{words} {STEEL}"),
        false => words.to_string(),
    };
    let mut arguments: Vec<_> = words.split_whitespace().collect();
    arguments.extend(["--plot", path.to_str().unwrap()]);
    carom_with(&arguments)
}

fn svg(words: &str, path: &Path) -> String {
    let output = run(words, path);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.stdout.is_empty(), "the report is printed as well");
    fs::read_to_string(path).unwrap()
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// Tags are closed in order, attributes quoted, nothing is bare that XML reserves.
fn well_formed(text: &str) {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let before = &rest[..start];
        for part in before.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;"].iter().any(|name| part.starts_with(name));
            assert!(known, "a bare & in {before}");
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(tag.matches('"').count().is_multiple_of(2) && !tag.contains('<'), "<{tag}>");
        match (tag.strip_prefix('/'), tag.ends_with('/')) {
            (Some(name), _) => assert_eq!(open.pop(), Some(name), "</{name}>"),
            (None, true) => {}
            (None, false) => open.push(tag.split_whitespace().next().unwrap()),
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
}

/// Coordinates are numbers and lie on the page.
fn drawn_on_its_page(text: &str) {
    for word in ["NaN", "inf\"", "inf ", "e-", "e+"] {
        let body = text.split("</style>").nth(1).unwrap();
        let attributes = body.split('"').skip(1).step_by(2);
        assert!(!attributes.clone().any(|value| value.contains(word)), "{word}");
    }
    let page: Vec<f64> = ["width=\"", "height=\""]
        .iter()
        .map(|name| text.split(name).nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
        .collect();
    for (names, size) in [
        (["x1=\"", "x2=\"", " x=\"", "cx=\""], page[0]),
        (["y1=\"", "y2=\"", " y=\"", "cy=\""], page[1]),
    ] {
        for name in names {
            for value in text.split(name).skip(1) {
                let value: f64 = value.split('"').next().unwrap().parse().unwrap();
                assert!((0.0..=size).contains(&value), "{name}{value} on a page of {size}");
            }
        }
    }
}

#[test]
fn an_impact_has_four_panels_with_prefixes() {
    let path = folder("figure-impact").join("impact.svg");
    let text = svg(FLORES, &path);
    well_formed(&text);
    drawn_on_its_page(&text);
    for words in [
        "Flores, Machado, Silva &amp; Martins",
        "force (kN)",
        "time (µs)",
        "indentation (µm)",
        "indentation rate (m/s)",
        "energy (mJ)",
        "kinetic",
        "stored",
        "dissipated",
        "0.4704",
    ] {
        assert!(text.contains(words), "{words}");
    }
    assert!(text.len() < 30_000, "curves are thinned: {} bytes", text.len());
    assert_eq!(entries(path.parent().unwrap()), 1);
}

#[test]
fn a_comparison_names_every_law_that_ran() {
    let path = folder("figure-compare").join("compare.svg");
    let text = svg(COMPARE, &path);
    well_formed(&text);
    drawn_on_its_page(&text);
    let rows = crate::json(COMPARE);
    let mut ran = 0;
    for row in rows[0]["rows"].as_array().unwrap() {
        if row["restitution"].is_number() {
            ran += 1;
            assert!(text.contains(row["law"].as_str().unwrap()), "{}", row["law"]);
        }
    }
    assert!(text.contains(&format!("what {ran} laws deliver")));
    for law in ["hertz-1881", "hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011"] {
        assert!(text.matches(&format!(">{law}</text>")).count() == 2, "{law} has a loop and a row");
    }
    assert!(text.contains("prefers-color-scheme:dark"));
}

#[test]
fn few_laws_are_all_drawn_and_several_experiments_stand_below_each_other() {
    let folder = folder("figure-few");
    let few = svg(&format!("{COMPARE} --laws tsuji-1992,kelvin-voigt-1865"), &folder.join("a.svg"));
    for law in ["tsuji-1992", "kelvin-voigt-1865"] {
        assert_eq!(few.matches(&format!(">{law}</text>")).count(), 2, "{law}");
    }
    let all = svg("compare --experiment all", &folder.join("b.svg"));
    well_formed(&all);
    drawn_on_its_page(&all);
    assert!(all.contains("Sliotar core D") && all.contains("measured peak"));
}

#[test]
fn every_model_has_a_figure_or_says_what_to_do() {
    let folder = folder("figure-models");
    let mut drawn = 0;
    for model in carom::CATALOGUE {
        let path = folder.join(format!("{}.svg", model.id));
        let output = run(&format!("model {}", model.id), &path);
        if output.status.success() {
            let text = fs::read_to_string(&path).unwrap();
            well_formed(&text);
            drawn_on_its_page(&text);
            assert!(text.contains(model.id) && text.contains("force (kN)"), "{}", model.id);
            drawn += 1;
        } else {
            let sentence = refused(output, 2);
            assert!(sentence.contains("carom impact --law"), "{sentence}");
            assert!(!path.exists());
        }
    }
    assert!(10 * drawn > 8 * carom::CATALOGUE.len(), "only {drawn} drawn");
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let folder = folder("figure-again");
    for (i, words) in [FLORES, COMPARE, "model tsuji-1992"].iter().enumerate() {
        let [a, b] = ["a", "b"].map(|name| svg(words, &folder.join(format!("{name}{i}.svg"))));
        assert_eq!(a, b, "{words}");
    }
}

#[cfg(feature = "png")]
#[test]
fn png_is_the_same_picture() {
    let path = folder("figure-png").join("impact.PNG");
    assert!(run(FLORES, &path).status.success());
    let bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(number(16), 1920, "twice the width of the SVG");
    assert!(number(20) > 1000 && bytes.len() > 30_000);
}

#[test]
fn another_ending_is_refused_before_anything_runs() {
    let folder = folder("figure-ending");
    for name in ["figure.pdf", "figure", "svg"] {
        for words in [FLORES, COMPARE, "model tsuji-1992", "model nonsense"] {
            let sentence = refused(run(words, &folder.join(name)), 2);
            assert!(sentence.contains(name) && sentence.contains(".svg"), "{sentence}");
        }
    }
    assert_eq!(entries(&folder), 0);
}

#[test]
fn nothing_is_left_behind_where_the_file_cannot_be_put() {
    let folder = folder("figure-occupied");
    let path = folder.join("figure.svg");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("keep"), "").unwrap();
    for words in [FLORES, COMPARE, "model tsuji-1992"] {
        let sentence = refused(run(words, &path), 1);
        assert!(sentence.contains("cannot write") && sentence.contains("figure.svg"), "{sentence}");
        refused(run(words, &folder.join("nowhere").join("figure.svg")), 1);
    }
    assert_eq!(entries(&folder), 1);
}

#[test]
fn contacts_without_end_and_extreme_numbers_are_drawn() {
    let folder = folder("figure-extreme");
    for (i, words) in [
        "--law kelvin-voigt-1865 --mass 1 --stiffness 1e6 --exponent 1 --speed 1 --damping 1e5 --exit indentation",
        "--law hunt-crossley-1975 --mass 1e-18 --stiffness 1e3 --speed 1e-6 --restitution 0.01 --calibration exact",
        "--law hertz-1881 --mass 1e15 --stiffness 1e3 --speed 1e5",
    ]
    .iter()
    .enumerate()
    {
        let path = folder.join(format!("{i}.svg"));
        let words = format!("impact {words} --plot {}", path.display());
        let output = carom_with(&words.split_whitespace().collect::<Vec<_>>());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&path).unwrap();
        well_formed(&text);
        drawn_on_its_page(&text);
    }
}
