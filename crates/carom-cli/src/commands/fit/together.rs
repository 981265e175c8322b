//! Fits several files together, and renders the report.

use super::text::{RankedRow, data_line, joint_ranking_report, notes, parameter_table};
use super::{Fit, no_fitted_law, rank_with_progress, require_law};
use crate::failure::Failure;
use crate::figure;
use crate::measured_data::Measured;
use crate::output::report::line;
use crate::output::style::{self, paint};
use crate::output::table::{Cell, TextTable};
use carom::fit::{FittedParameter, JointReport, Record, fit_together, rank_together};
use carom::units::format;

impl Fit {
    /// Fits one law to all files, or ranks several laws.
    pub(super) fn run_together(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let (options, models) = (self.options(None)?, self.ranked_models()?);
        let measured: Vec<Measured> =
            self.files.iter().map(|file| self.read_file(file)).collect::<Result<_, _>>()?;
        let mut records = Vec::new();
        for (i, (file, measured)) in self.files.iter().zip(&measured).enumerate() {
            let spec = self.spec(None, i)?;
            if models.is_empty() {
                require_law(&spec)?;
            }
            records.push(Record { name: file.display().to_string(), data: measured.data()?, spec });
        }
        if !models.is_empty() {
            let ranking = rank_with_progress(models.len(), |finished| {
                rank_together(&records, &self.shared, &options, &models, finished)
            })?;
            let best = ranking.best.as_ref().ok_or_else(|| no_fitted_law(&ranking.failed))?;
            plot.draw(|| Ok(figure::fit_together(best)))?;
            let rows: Vec<_> = ranking.laws.iter().map(RankedRow::from).collect();
            return self.format.render(&ranking, &rows, || {
                joint_ranking_report(&ranking, &joint_report(best, &measured))
            });
        }
        let found = fit_together(&records, &self.shared, &options)?;
        plot.draw(|| Ok(figure::fit_together(&found)))?;
        self.format.render(&found, &found.shared, || joint_report(&found, &measured))
    }
}

fn joint_report(found: &JointReport, measured: &[Measured]) -> String {
    let title = carom::model(found.law).map_or(found.law, |model| model.title);
    let count = found.records.len();
    let mut text = paint(style::STRONG, format!("{title}: {count} records together")) + "\n\n";
    for (record, measured) in found.records.iter().zip(measured) {
        text += &line(&record.name, measured.read().join("; "));
        text += &line("", data_line(&record.fit));
    }
    let s = &found.statistics;
    let aicc = s.aicc.map_or(String::new(), |aicc| format!(", AICc {aicc:.1}"));
    text += &line(
        "fit",
        format!("{} points, {} free numbers{aicc}, {} iterations", s.points, s.free, s.iterations),
    );
    text +=
        &format!("\n  {}\n\n{}", paint(style::STRONG, "Shared"), parameter_table(&found.shared));
    text += &format!("\n  {}\n\n{}", paint(style::STRONG, "Records"), record_table(found));
    text += &notes(&found.notes);
    for record in &found.records {
        let own = notes(&record.fit.impact.notes);
        if !own.is_empty() {
            text += &format!("\n  {}", paint(style::STRONG, &record.name));
            text += &own;
        }
    }
    text
}

/// Returns for each record its impact, the parameters that are fitted to it alone, and the shared ones as this record alone
/// determines them.
fn record_table(found: &JointReport) -> String {
    let mut table = TextTable::new().shrinkable("record").left([
        "number",
        "value",
        "standard error",
        "alone",
        "standard error",
    ]);
    for record in &found.records {
        let impact = &record.fit.impact;
        table.row(vec![
            Cell::styled(record.name.clone(), style::NAME),
            Cell::from("impact"),
            Cell::from(format!(
                "{}, e = {:.4}",
                format(impact.speed, "m/s"),
                impact.restitution.newton
            )),
            Cell::from(format!("rms {:.2} %", 100.0 * record.fit.statistics.relative_rms)),
            Cell::from(""),
            Cell::from(""),
        ]);
        for p in &record.fit.parameters {
            let alone = record.alone.iter().find(|alone| alone.name == p.name);
            let both = |p: &FittedParameter| {
                [format(p.value, &p.unit), super::text::uncertainty(p.standard_error, &p.unit)]
            };
            let empty = || [String::new(), String::new()];
            // The values of shared parameters are in the table above.
            let [value, error] = if alone.is_some() { empty() } else { both(p) };
            let [value_alone, error_alone] = alone.map_or_else(empty, both);
            let mut cells = vec![Cell::from(""), Cell::from(p.name.replace('_', "-"))];
            cells.extend([value, error, value_alone, error_alone].map(Cell::from));
            table.row(cells);
        }
    }
    table.render(2)
}
