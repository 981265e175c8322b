//! `carom reproduce`.

use super::{carom, csv, folder, json, near, refusal, refused, stdout};
use std::fs;

#[test]
fn every_paper_is_listed_with_its_counts() {
    let text = stdout("reproduce");
    for paper in ["zhang-2022", "ramaswamy-humbert", "wang-gao-2023", "review-2021"] {
        assert!(text.lines().any(|line| line.starts_with(paper)), "{text}");
    }
    let papers = json("reproduce zhang-2022");
    assert_eq!(papers.as_array().unwrap().len(), 1);
    let checks = papers[0]["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 120);
    for check in checks {
        let verdict = check["verdict"].as_str().unwrap();
        assert!(["agrees", "explained", "differs", "no-information"].contains(&verdict), "{check}");
        let number = |key: &str| check[key].as_f64().unwrap();
        let difference = number("recomputed") - number("printed");
        assert!((difference - number("difference")).abs() < 1e-12, "{check}");
    }
}

#[test]
fn a_printed_number_stands_beside_the_recomputed_one_and_its_variant() {
    let found = json("reproduce zhang-2022");
    let checks = found[0]["checks"].as_array().unwrap();
    let row = checks
        .iter()
        .find(|c| c["place"] == "Table 2" && c["quantity"] == "m = 1.2, q = 1.1: restitution")
        .unwrap();
    near(&row["printed"], 0.7540, 1e-12);
    near(&row["recomputed"], 0.74796, 1e-5);
    near(&row["variant"], 0.75395, 1e-5);
    assert_eq!(row["verdict"], "explained");
    assert!(row["why"].as_str().unwrap().contains("complex power"));
    let text = stdout("reproduce zhang-2022 --csv");
    let (header, rows) = csv(&text);
    assert_eq!(header[..4], ["paper", "place", "quantity", "printed"]);
    assert_eq!(rows.len(), 120);
}

#[test]
fn the_page_and_its_figures_are_written_and_belong_together() {
    let place = folder("reproduce");
    let out = place.join("new/report");
    let text = stdout(&format!("reproduce --out {}", out.display()));
    assert!(text.contains("papers.md and 15 figures"), "{text}");
    let page = fs::read_to_string(out.join("papers.md")).unwrap();
    let mut figures = 0;
    for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        if link.ends_with(".svg") {
            let svg = fs::read_to_string(out.join(link)).unwrap();
            // The embedded font before it may contain any letters.
            let body = svg.split("</style>").nth(1).unwrap();
            assert!(svg.starts_with("<svg") && !body.contains("NaN"), "{link}");
            figures += 1;
        }
    }
    assert_eq!(figures, 15);
    assert_eq!(fs::read_dir(out.join("figures/papers")).unwrap().count(), 15);
    // Computing one paper alone does not change the page of all papers.
    stdout(&format!("reproduce wang-gao-2023 --out {}", out.display()));
    assert_eq!(fs::read_to_string(out.join("papers.md")).unwrap(), page);
    assert!(out.join("wang-gao-2023.md").exists());
}

#[test]
fn mistakes_are_refused_in_one_sentence() {
    let sentence = refusal("reproduce zhang-2023");
    assert!(sentence.contains("zhang-2022"), "{sentence}");
    assert!(refusal("reproduce zhang-2022 --json --csv").contains("cannot be used with"));
    let file = folder("reproduce-file").join("taken");
    fs::write(&file, "text").unwrap();
    let sentence = refused(carom(&format!("reproduce wang-gao-2023 --out {}", file.display())), 1);
    assert!(sentence.contains("cannot write"), "{sentence}");
}

#[test]
fn no_bar_is_drawn_into_a_pipe() {
    let output = carom("reproduce wang-gao-2023");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
