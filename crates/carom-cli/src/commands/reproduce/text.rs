//! Renders reproductions as text.

use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use crate::output::wrap;
use crate::papers::page::signed;
use crate::papers::{Check, Reproduction, Verdict};
use anstyle::Style;
use std::path::Path;

fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Agrees => style::GOOD,
        Verdict::Explained => style::FAIR,
        Verdict::Differs => style::POOR,
        Verdict::NoInformation => style::FAINT,
    }
}

/// Returns a table with one row per paper.
pub fn summary_table(found: &[&Reproduction]) -> String {
    let mut table = TextTable::new().left(["paper"]).shrinkable("").right([
        "numbers",
        "agree",
        "explained",
        "differ",
        "no information",
        "claims",
        "hold",
    ]);
    for found in found {
        let count =
            |verdict| Cell::styled(found.count(verdict).to_string(), verdict_style(verdict));
        table.row([
            Cell::styled(found.paper, style::NAME),
            found.title.into(),
            found.checks.len().to_string().into(),
            count(Verdict::Agrees),
            count(Verdict::Explained),
            count(Verdict::Differs),
            count(Verdict::NoInformation),
            found.claims.len().to_string().into(),
            found.claims_that_hold().to_string().into(),
        ]);
    }
    let hint = "`carom reproduce PAPER` shows every number, --out DIR writes a page with figures.";
    format!("{}\n{}\n", table.render(0), paint(style::FAINT, hint))
}

/// Returns every number and claim of a paper.
pub fn paper_report(found: &Reproduction) -> String {
    let mut text = paint(style::STRONG, found.title) + "\n";
    text += &paint(style::FAINT, wrap::fill(found.citation, 0, 0));
    if !found.checks.is_empty() {
        text.push('\n');
        text += &number_table(&found.checks);
    }
    if !found.claims.is_empty() {
        text += &format!("\n{}\n", paint(style::STRONG, "Claims"));
    }
    for claim in &found.claims {
        let verdict = match claim.holds {
            true => paint(style::GOOD, "holds"),
            false => paint(style::POOR, "fails"),
        };
        text += &format!("  {verdict}  {}  ({})\n", claim.claim, paint(style::FAINT, claim.place));
        text += &wrap::fill(&claim.evidence, 9, 9);
    }
    for grid in &found.tables {
        let mut table = TextTable::new().left(grid.columns.iter().copied());
        for row in &grid.rows {
            let cells: Vec<Cell> = row.iter().map(|text| text.replace('`', "").into()).collect();
            table.row(cells);
        }
        let title = wrap::fill(&grid.title, 0, 0);
        text += &format!("\n{}{}", paint(style::STRONG, title), table.render_within(None, 2));
    }
    text
}

fn number_table(checks: &[Check]) -> String {
    let mut table = TextTable::new()
        .left(["quantity"])
        .right(["printed", "recomputed", "difference", "variant"])
        .left(["verdict"])
        .shrinkable("why");
    let mut place = "";
    for check in checks {
        if check.place != place {
            place = check.place;
            table.heading(place, "");
        }
        let digits = check.decimals + 1;
        table.row([
            Cell::from(check.quantity.as_str()),
            format!("{:.*}", check.decimals, check.printed).into(),
            format!("{:.digits$}", check.recomputed).into(),
            signed(check.difference, digits).into(),
            check
                .variant_of_disagreement()
                .map_or(String::new(), |value| format!("{value:.digits$}"))
                .into(),
            Cell::styled(check.verdict.name(), verdict_style(check.verdict)),
            Cell::styled(check.why.as_str(), style::FAINT),
        ]);
    }
    table.render(0)
}

/// Returns a report on the files that were written.
pub fn files_written(folder: &Path, names: &[String]) -> String {
    let figures = names.iter().filter(|name| name.ends_with(".svg")).count();
    let page = names.iter().find(|name| name.ends_with(".md")).map_or("", String::as_str);
    format!("\nWritten: {} and {figures} figures.\n", folder.join(page).display())
}
