//! Renders the reproductions as one Markdown page, and writes it to files in a folder.

use super::{Check, PAPERS, Paper, Reproduction, ResultTable, Verdict};
use crate::failure::Failure;
use crate::output;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Folder of the figures, relative to the page.
const FIGURES: &str = "figures/papers";

const INTRODUCTION: &str = "\
What four papers on contact laws print, computed again. For every printed number there is the
recomputed one and a verdict:

- **agrees**: within one unit of the last printed digit, which covers rounding and truncation;
- **explained**: it differs, and when the error of the source is committed on purpose (the *variant*) the
  printed number comes out;
- **differs**: nothing that was tried yields the printed number;
- **no-information**: something that the paper does not print (a measured peak, a damping factor, the spacing of a
  grid) was chosen so that this number comes out. It could not have disagreed and is counted apart; what is
  tested are the other numbers that follow from the same choice.

Statements in words are listed as claims with the numbers that decide them. Sampling rules, norms and complex
powers were inferred from the printed digits; no source code was seen, and figures were compared through
what the texts say about them. `carom reproduce` writes this page; `carom reproduce PAPER --csv` gives the numbers in
full precision.
";

/// Returns a page with these papers.
pub fn render(done: &[(&Paper, Reproduction)]) -> String {
    let mut page = String::from("# Papers, number by number\n\n");
    page += "<!-- Written by `carom reproduce --out docs`; do not edit. -->\n\n";
    page += INTRODUCTION;
    page += "\n| paper | printed numbers | agree | explained | differ | no information | claims | hold |\n";
    page += "|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for (paper, reproduction) in done {
        let [agree, explained, differ, chosen] =
            Verdict::ALL.map(|verdict| reproduction.count(verdict));
        let link = format!("[{}](#{})", paper.title, paper.id);
        let (claims, hold) = (reproduction.claims.len(), reproduction.claims_that_hold());
        let numbers = reproduction.checks.len();
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| {link} | {numbers} | {agree} | {explained} | {differ} | {chosen} | {claims} | {hold} |"
        );
    }
    for (paper, reproduction) in done {
        page += &paper_section(paper, reproduction);
    }
    page
}

fn paper_section(paper: &Paper, reproduction: &Reproduction) -> String {
    let mut text = format!("\n## {}\n\n{}.", paper.id, paper.citation);
    if let Some(doi) = paper.doi {
        let _ = write!(text, " <https://doi.org/{doi}>");
    }
    let _ = write!(text, "\n\n{}\n", paper.verdict);
    if !reproduction.claims.is_empty() {
        text += "\n### Claims\n\n| where | claim | | evidence |\n|---|---|---|---|\n";
        for claim in &reproduction.claims {
            let verdict = if claim.holds { "holds" } else { "**fails**" };
            let evidence = escape_bars(&claim.evidence);
            let _ =
                writeln!(text, "| {} | {} | {verdict} | {evidence} |", claim.place, claim.claim);
        }
    }
    if !reproduction.checks.is_empty() {
        text += "\n### Printed numbers\n\n";
        text += "| where | quantity | printed | recomputed | difference | variant | verdict |\n";
        text += "|---|---|---:|---:|---:|---:|---|\n";
        for check in &reproduction.checks {
            text += &check_row(check);
        }
    }
    if !reproduction.tables.is_empty() {
        text += "\n### Computed tables\n";
        for table in &reproduction.tables {
            text += &result_table(table);
        }
    }
    if !reproduction.figures.is_empty() {
        text += "\n### Figures\n";
        for drawing in &reproduction.figures {
            let (caption, file) = (drawing.caption, drawing.file);
            let _ = write!(text, "\n{caption}\n\n![{caption}]({FIGURES}/{file}.svg)\n");
        }
    }
    text
}

fn check_row(check: &Check) -> String {
    let digits = check.decimals + 1;
    let number = |value: f64, digits: usize| format!("{value:.digits$}");
    let variant =
        check.variant_of_disagreement().map_or(String::new(), |value| number(value, digits));
    let verdict = match (check.verdict, check.why.as_str()) {
        (verdict, "") => verdict.name().to_string(),
        (Verdict::Differs, why) => format!("**differs**: {}", escape_bars(why)),
        (verdict, why) => format!("{}: {}", verdict.name(), escape_bars(why)),
    };
    format!(
        "| {} | {} | {} | {} | {} | {variant} | {verdict} |\n",
        check.place,
        escape_bars(&check.quantity),
        number(check.printed, check.decimals),
        number(check.recomputed, digits),
        signed(check.difference, digits),
    )
}

/// Formats a number with its sign; zero has none.
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    match text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        true => text,
        false => format!("{:.digits$}", 0.0),
    }
}

fn result_table(table: &ResultTable) -> String {
    let mut text = format!("\n{}:\n\n", table.title);
    let _ = writeln!(text, "| {} |", table.columns.join(" | "));
    let _ = writeln!(text, "|{}", "---|".repeat(table.columns.len()));
    for row in &table.rows {
        let cells: Vec<_> = row.iter().map(|text| escape_bars(text)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// Returns the text of a cell of a Markdown table, with escaped bars, which would end the cell.
fn escape_bars(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Writes the page and its figures into a folder, which is created if necessary; returns the names of the files.
pub fn write(done: &[(&Paper, Reproduction)], folder: &Path) -> Result<Vec<String>, Failure> {
    let figures = folder.join(FIGURES);
    fs::create_dir_all(&figures).map_err(|why| Failure::unwritable(&figures, &why))?;
    let mut names = Vec::new();
    for drawing in done.iter().flat_map(|(_, reproduction)| &reproduction.figures) {
        let name = format!("{FIGURES}/{}.svg", drawing.file);
        output::write_file(&folder.join(&name), drawing.figure.svg().as_bytes())?;
        names.push(name);
    }
    // The page of a single paper does not replace the page of all papers.
    let page = match done {
        [(paper, _)] if PAPERS.len() > 1 => format!("{}.md", paper.id),
        _ => "papers.md".to_string(),
    };
    output::write_file(&folder.join(&page), render(done).as_bytes())?;
    names.push(page);
    Ok(names)
}
