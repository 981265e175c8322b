//! What every reproduction must be like.

use super::{PAPERS, Reproduction, Verdict};

fn run(id: &str) -> Reproduction {
    let paper = PAPERS.iter().find(|paper| paper.id == id).unwrap();
    let mut found = paper.begin();
    for (_, part) in paper.parts {
        part(&mut found).unwrap();
    }
    found
}

#[test]
fn the_tables_of_zhang_are_reproduced_or_explained_except_for_another_formula() {
    let found = run("zhang-2022");
    let tables = found.checks.iter().filter(|check| check.place.starts_with("Table"));
    let tables: Vec<_> = tables.collect();
    assert_eq!(tables.len(), 96);
    for check in &tables {
        let unknown = check.quantity.starts_with("zhang-2020");
        assert!(unknown || check.verdict != Verdict::Differs, "{}", check.quantity);
    }
    let count = |what: &str, verdict| {
        tables.iter().filter(|c| c.quantity.contains(what) && c.verdict == verdict).count()
    };
    // Eight restitutions with q ≠ 1, none of which the real law yields.
    assert_eq!(count(": restitution", Verdict::Explained), 8);
    // Fourteen peak forces of laws that are known.
    assert_eq!(count(": peak force", Verdict::Agrees), 14);
    // Ten durations of the new model: sampling yields every printed digit.
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
            let svg = drawing.figure.svg();
            assert!(
                svg.contains("<path") && svg.len() < 120_000,
                "{}: {}",
                drawing.file,
                svg.len()
            );
        }
    }
}
