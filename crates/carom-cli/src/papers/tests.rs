//! Tests of properties that every reproduction must have, and of the results of each paper.

use super::{PAPERS, Reproduction, Verdict};
use std::sync::LazyLock;

/// The reproductions of all papers, computed once for all tests.
static REPRODUCTIONS: LazyLock<Vec<Reproduction>> = LazyLock::new(|| {
    let reproduced = PAPERS.iter().map(|paper| {
        let mut found = paper.begin();
        paper.parts.iter().for_each(|(_, part)| part(&mut found).unwrap());
        found
    });
    reproduced.collect()
});

fn run(id: &str) -> &'static Reproduction {
    REPRODUCTIONS.iter().find(|found| found.paper == id).unwrap()
}

#[test]
fn verdicts_and_claims_are_as_counted() {
    // Numbers of the verdicts agrees, explained, differs, no information; numbers of claims, and of those that hold. Eight of
    // Zhang's numbers without information are errors of sliotar cores whose measured peaks were derived from these same errors.
    for (id, verdicts, claims) in [
        ("zhang-2022", [68, 40, 2, 10], (16, 9)),
        ("ramaswamy-humbert", [3, 3, 0, 1], (4, 2)),
        ("wang-gao-2023", [4, 1, 0, 0], (14, 7)),
        ("review-2021", [8, 2, 0, 0], (8, 4)),
    ] {
        let found = run(id);
        assert_eq!(Verdict::ALL.map(|verdict| found.count(verdict)), verdicts, "{id}");
        assert_eq!((found.claims.len(), found.claims_that_hold()), claims, "{id}");
    }
    assert_eq!(PAPERS.len(), 4);
}

#[test]
fn one_of_three_errors_of_a_sliotar_core_is_used_up_by_its_peak() {
    // The 24 stated errors are compared with peaks that were derived from them. A peak is one free number for three errors, so one
    // of the three agrees by construction; of the others, only those of core D's indentation fail.
    let found = run("zhang-2022");
    let sliotar: Vec<_> =
        found.checks.iter().filter(|check| check.quantity.starts_with("sliotar")).collect();
    assert_eq!(sliotar.len(), 24);
    for three in sliotar.chunks(3) {
        let count = |verdict| three.iter().filter(|check| check.verdict == verdict).count();
        assert_eq!(count(Verdict::NoInformation), 1, "{}", three[0].quantity);
        let odd = three[0].quantity.starts_with("sliotar-d: error of the peak indentation");
        assert_eq!(count(Verdict::Agrees), if odd { 0 } else { 2 }, "{}", three[0].quantity);
    }
}

#[test]
fn the_row_of_zhang_2020_follows_from_two_damping_ratios() {
    // The row has twelve numbers, two of which determine the two damping ratios.
    let found = run("zhang-2022");
    let row: Vec<_> =
        found.checks.iter().filter(|check| check.quantity.starts_with("zhang-2020")).collect();
    assert_eq!(row.len(), 12);
    for check in &row {
        let value = check.variant.unwrap();
        let unit = 10f64.powi(-(check.decimals as i32));
        assert!(
            (value - check.printed).abs() <= unit * (1.0 + 1e-9),
            "{}: {value}",
            check.quantity
        );
    }
    assert_eq!(row.iter().filter(|check| check.verdict == Verdict::NoInformation).count(), 2);
}

#[test]
fn the_tables_of_zhang_are_reproduced_or_explained() {
    let found = run("zhang-2022");
    let tables = found.checks.iter().filter(|check| check.place.starts_with("Table"));
    let tables: Vec<_> = tables.collect();
    assert_eq!(tables.len(), 96);
    for check in &tables {
        assert!(check.verdict != Verdict::Differs, "{}", check.quantity);
    }
    let count = |what: &str, verdict| {
        tables.iter().filter(|c| c.quantity.contains(what) && c.verdict == verdict).count()
    };
    // Eight restitutions with q ≠ 1, none of which the real-valued law yields.
    assert_eq!(count(": restitution", Verdict::Explained), 8);
    // Fourteen peak forces of known laws.
    assert_eq!(count(": peak force", Verdict::Agrees), 14);
    // Ten durations of the new model; with sampling every printed digit is reproduced.
    let sampled = tables.iter().filter(|check| {
        check.quantity.starts_with("m = ") && check.quantity.contains(": duration")
    });
    let exact = sampled.filter(|check| (check.variant.unwrap() - check.printed).abs() < 1e-6);
    assert_eq!(exact.count(), 10);
}

#[test]
fn every_number_is_finite_and_every_difference_has_a_reason() {
    for paper in PAPERS {
        let found = run(paper.id);
        for check in &found.checks {
            let name = format!("{} {} {}", paper.id, check.place, check.quantity);
            assert!(check.printed.is_finite() && check.recomputed.is_finite(), "{name}");
            assert!(check.verdict == Verdict::Agrees || !check.why.is_empty(), "{name}");
        }
        for table in &found.tables {
            for row in &table.rows {
                assert_eq!(row.len(), table.columns.len(), "{}: {row:?}", table.title);
                assert!(!row.iter().any(|cell| cell.contains("NaN")), "{row:?}");
            }
        }
        for claim in &found.claims {
            assert!(!claim.evidence.contains("NaN"), "{}", claim.evidence);
        }
        for drawing in &found.figures {
            // The size of the thinned curves is tested; the font and the style precede them in the file.
            let svg = drawing.figure.svg();
            let body = svg.split("</style>").nth(1).unwrap();
            assert!(
                body.contains("<path") && body.len() < 140_000,
                "{}: {}",
                drawing.file,
                body.len()
            );
        }
    }
}
