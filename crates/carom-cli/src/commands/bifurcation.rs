//! `carom bifurcation`: computes the Poincaré section of a scene over a key that varies, and the largest Lyapunov exponent.

use super::sweep::{self, RunOptions, study, text};
use super::{simulate, thread_count};
use crate::failure::Failure;
use crate::figure::{self, Diagram, DiagramCase, Plot};
use crate::output::Format;
use crate::output::report::note;
use crate::output::style::{self, paint};
use crate::output::table::TextTable;
use carom::sweep::{Evaluate, Plan, Points, SceneStudy};
use carom::units::{Dimension, format, parse};
use carom_store::{Column, Reader, Source};
use carom_world::bifurcation::{Bifurcation, Section, Settings, coordinates};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;

const EXAMPLES: &str = r#"
For every value of the key the scene runs from its start. After --skip turns of the drive, points
are recorded once a turn or at every touch: a motion that repeats after p turns gives p points, a
chaotic one a cloud. The largest Lyapunov exponent is computed from a neighbouring run (Benettin):
below 0 disturbances decay, above 0 they grow.

A turn is that of the first joint that is driven at a steady rate, or a period of the first
harmonic motion or force. Columns are those of --csv; --show names the one that is drawn.

Examples:
  carom bifurcation scenes/slider-crank.toml --over "wrist pin.clearance=0.05..0.5 mm:100" --plot clearance.svg
  carom bifurcation scenes/slider-crank.toml --over "crank.angle.rate=100..600 rad/s:200" --out speed.parquet
  carom bifurcation shaker.toml --over "bounce.restitution=0.3..0.9:60" --section touch --show phase"#;

/// Number of values of a range without a count.
const DEFAULT_VALUE_COUNT: u64 = 200;
/// Limit on the number of turns for one value, which bounds the computing time.
const MAX_TURNS_PER_VALUE: usize = 1_000_000;
/// Largest number of rows of the table on the screen.
const SHOWN_ROWS: usize = 40;

/// Draw Poincaré sections and Lyapunov exponents of a scene over a key
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct BifurcationDiagram {
    /// The scene, a TOML file
    scene: PathBuf,
    /// The key that varies and its values: "KEY=FROM..TO:COUNT", or a list
    #[arg(long, value_name = "KEY=VALUES")]
    over: String,
    /// When points are taken: turn (once a turn of the drive) or touch (at every touch of the joint)
    #[arg(long, value_name = "WHEN", default_value = "turn", value_parser = ["turn", "touch"])]
    section: String,
    /// The joint, by the name of its [[clearance]] or [[contact]] [default: the first]
    #[arg(long, value_name = "NAME")]
    joint: Option<String>,
    /// The body whose motion is recorded [default: the first of the joint]
    #[arg(long, value_name = "NAME")]
    body: Option<String>,
    /// Turns in which points are recorded
    #[arg(long, value_name = "N", default_value_t = 100)]
    turns: usize,
    /// Turns to leave out before them, until the transient of the start has decayed
    #[arg(long, value_name = "N", default_value_t = 100)]
    skip: usize,
    /// Angle of the drive at which the section is taken, in degrees from where it starts
    #[arg(long, value_name = "DEG", default_value_t = 0.0)]
    at: f64,
    /// Duration of a turn, as "40 ms" [default: that of the drive]
    #[arg(long, value_name = "TIME")]
    period: Option<String>,
    /// Leave out the Lyapunov exponent, which takes as long as the section
    #[arg(long)]
    no_exponent: bool,
    /// Change a key of the scene for all values; may be repeated
    #[arg(long, value_name = "TABLE.KEY=VALUE")]
    set: Vec<String>,
    /// Write all points into this file: .parquet, .csv or .arrow; repeat the command to continue after an interruption
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    cases: RunOptions,
    /// The column that is drawn [default: the offset that moves most; at touches the approach speed]
    #[arg(long, value_name = "COLUMN", requires = "plot", help_heading = "Output")]
    show: Option<String>,
    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

impl BifurcationDiagram {
    /// Computes the diagram, draws it if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let target = self.plot.target()?;
        let section = if self.section == "touch" { Section::Touch } else { Section::Turn };
        self.check(section)?;
        let text = simulate::read_scene(&self.scene)?;
        let file = self.scene.display().to_string();
        let mut chosen =
            SceneStudy::over(&file, std::slice::from_ref(&self.over), Some(DEFAULT_VALUE_COUNT))?;
        chosen.set.clone_from(&self.set);
        chosen.title = study::study_title(&chosen, &text);
        let axis = chosen.variation.axes().first();
        if axis.is_some_and(|axis| matches!(axis.points(), Points::Words(_))) {
            let advice = "give it numbers, as in \"wrist pin.clearance=0.1..1 mm:100\"; `carom sweep` varies words";
            let error = carom::Error::invalid("over", &self.over, "a key with numbers", advice);
            return Err(error.into());
        }
        let period = self.period.as_ref();
        let settings = Settings {
            contact: self.joint.clone(),
            body: self.body.clone(),
            section,
            period: period.map(|text| parse("period", text, Dimension::TIME)).transpose()?,
            skip: self.skip,
            turns: self.turns,
            phase: (self.at / 360.0).rem_euclid(1.0),
            exponent: !self.no_exponent,
        };
        let made = Bifurcation::new(&chosen, settings, text, simulate::files_beside(&self.scene))
            .map_err(|error| Failure::in_file(&self.scene, error))?;
        let plan = Plan::new(made);
        let threads = thread_count(self.cases.threads);
        let (columns, done) = match &self.out {
            Some(path) => {
                let format = study::format(path)?;
                let done = sweep::write(&plan, path, format, threads, self.cases.existing_file())?;
                (Reader::table(plan.fields(), path, format)?, Some(done))
            }
            None => (sweep::compute_in_memory(&plan, threads)?, None),
        };
        let diagram = self.diagram(&plan, &columns, section);
        target.draw(|| Ok(figure::bifurcation(&diagram)))?;
        if self.format.is_csv() {
            return Ok(carom_store::csv::text(&columns));
        }
        let example = sweep::failure_example(&plan, &columns);
        self.format.render(&diagram, &diagram.cases, || {
            let written =
                done.map_or(String::new(), |done| text::written_report(&done, "values") + "\n");
            written + &report(&diagram) + &example.map_or(String::new(), |why| note(&why))
        })
    }

    fn check(&self, section: Section) -> Result<(), Failure> {
        if self.turns == 0 || self.turns + self.skip > MAX_TURNS_PER_VALUE || !self.at.is_finite() {
            let given = format!("{} after {}, at {} degrees", self.turns, self.skip, self.at);
            let allowed = format!("from 1 to {MAX_TURNS_PER_VALUE} in all, at a finite angle");
            let advice = "100 turns after 100 show a section";
            return Err(carom::Error::invalid("turns", given, allowed, advice).into());
        }
        let Some(show) = &self.show else { return Ok(()) };
        let known = || coordinates(section).into_iter().map(|(name, _)| name);
        if known().any(|name| name == show) {
            return Ok(());
        }
        Err(carom::Error::not_among("column", show, known()).into())
    }

    fn diagram(&self, plan: &Plan<Bifurcation>, columns: &[Column], section: Section) -> Diagram {
        let number = |name: &str, row: usize| {
            let column = carom_store::find(columns, name);
            column.and_then(|column| column.values.real(row)).filter(|value| value.is_finite())
        };
        let names = coordinates(section);
        let axis = plan.variation().axes().first();
        let (parameter, unit) = axis.map_or(("", ""), |axis| (axis.name(), axis.unit()));
        let mut cases: Vec<DiagramCase> = Vec::new();
        let mut last = None;
        for row in 0..carom_store::row_count(columns) {
            let case = number("case", row);
            if case != last {
                let status = carom_store::find(columns, "status");
                cases.push(DiagramCase {
                    value: number(parameter, row).unwrap_or(f64::NAN),
                    status: status.and_then(|it| it.values.text(row)).unwrap_or("").to_string(),
                    period: number("period_s", row),
                    repeats: number("repeats", row).map(|turns| turns as usize),
                    lyapunov: number("lyapunov_per_s", row),
                    lyapunov_error: number("lyapunov_error_per_s", row),
                    points: BTreeMap::new(),
                });
            }
            last = case;
            let Some(found) = cases.last_mut() else { continue };
            if number("time_s", row).is_some() {
                for (name, _) in &names {
                    let points = found.points.entry(name.to_string()).or_default();
                    points.push(number(name, row).unwrap_or(f64::NAN));
                }
            }
        }
        let spread = |name: &str| {
            let rows = 0..carom_store::row_count(columns);
            let (low, high) = figure::finite_bounds(rows.filter_map(|row| number(name, row)));
            high - low
        };
        let offsets = ["offset_x_m", "offset_y_m", "offset_z_m"];
        let widest = offsets.into_iter().max_by(|a, b| spread(a).total_cmp(&spread(b)));
        let shown = match (&self.show, section) {
            (Some(show), _) => show.clone(),
            (None, Section::Touch) => "speed_m_per_s".to_string(),
            (None, Section::Turn) => widest.unwrap_or("offset_x_m").to_string(),
        };
        let shown_unit = names.iter().find(|(name, _)| *name == shown).map_or("", |(_, unit)| unit);
        Diagram {
            title: plan.evaluator().title().to_string(),
            parameter: parameter.to_string(),
            unit: unit.to_string(),
            section: self.section.clone(),
            skip: self.skip,
            turns: self.turns,
            shown_unit: shown_unit.to_string(),
            shown,
            cases,
        }
    }
}

/// Returns the diagram as text; consecutive values with the same period share a line.
fn report(diagram: &Diagram) -> String {
    let mut text = format!("{}\n\n", paint(style::STRONG, &diagram.title));
    let mut table = TextTable::new().shrinkable(diagram.parameter.clone()).right([
        "values",
        "repeats after",
        "Lyapunov exponent",
    ]);
    let same = |a: &DiagramCase, b: &DiagramCase| (a.repeats, &a.status) == (b.repeats, &b.status);
    let groups: Vec<&[DiagramCase]> = diagram.cases.chunk_by(same).collect();
    for group in groups.iter().take(SHOWN_ROWS) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let value = |case: &DiagramCase| format(case.value, &diagram.unit);
        let values = match group.len() {
            1 => value(first),
            _ => format!("{} … {}", value(first), value(last)),
        };
        let repeats = match (first.repeats, first.status.as_str()) {
            (Some(1), _) => "1 turn".to_string(),
            (Some(turns), _) => format!("{turns} turns"),
            (None, "ok") => "–".to_string(),
            (None, status) => status.to_string(),
        };
        table.row([
            values.into(),
            group.len().to_string().into(),
            repeats.into(),
            exponent_range(group).into(),
        ]);
    }
    text += &table.render(2);
    if groups.len() > SHOWN_ROWS {
        text +=
            &format!("  … and {} more lines; --csv prints all points\n", groups.len() - SHOWN_ROWS);
    }
    text
}

/// Returns the exponent of one value with its standard error, or the range of the exponents of several.
fn exponent_range(group: &[DiagramCase]) -> String {
    let (low, high) = figure::finite_bounds(group.iter().filter_map(|case| case.lyapunov));
    let [only] = group else {
        return if low <= high { format!("{low:.3} … {high:.3} 1/s") } else { "–".to_string() };
    };
    match (only.lyapunov, only.lyapunov_error) {
        (Some(value), Some(error)) => format!("{value:.3} ± {error:.3} 1/s"),
        (Some(value), None) => format!("{value:.3} 1/s"),
        (None, _) => "–".to_string(),
    }
}
