//! `carom sweep`: many impacts from one study, into a file that survives interruptions.

mod dry_run;
mod progress;
pub mod study;
mod text;

use super::threads;
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::interrupt::Interrupt;
use crate::output::{self, Format};
use crate::wording::CommandLine;
use carom::report::Report;
use carom::sweep::Plan;
use carom_store::{Column, Existing, Field, Source, Values};
use clap::Args;
use progress::Bar;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use study::Chosen;

const EXAMPLES: &str = r#"
A study is a TOML file: [impact] says what does not vary, in the words of `carom impact`; every
[[axis]] varies a parameter as a list, a range or a distribution. `carom reference study` lists every key.

The result is the same for any number of threads and after any interruption: a run that was
killed goes on where it was when the same command is given again.

Examples:
  carom sweep study.toml --dry-run
  carom sweep study.toml --out results.parquet
  carom sweep study.toml --case 17
  carom sweep --builtin zhang-2022-fig7 --plot fig7.svg"#;

/// Largest number of cases that are printed instead of written to a file.
const PRINTED_LIMIT: u64 = 100_000;

/// Compute many impacts from one study
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Sweep {
    #[command(flatten)]
    chosen: Chosen,
    /// Write all cases into this file: .parquet, .csv or .arrow
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Say how many cases there are, how long they take and how large they are, and stop
    #[arg(long)]
    dry_run: bool,
    /// Show one case, counted from 0, in full
    #[arg(long, value_name = "N", conflicts_with_all = ["out", "dry_run"])]
    case: Option<u64>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Replace FILE if it exists and is something else
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Throw away what an interrupted run left behind
    #[arg(long, requires = "out")]
    restart: bool,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

impl Sweep {
    /// Runs a study.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let study = self.chosen.study()?;
        let threads = threads(self.threads);
        if let Some(index) = self.case {
            return one(&study, index, self.format);
        }
        let plan = study.plan();
        if self.dry_run {
            let format = self.out.as_deref().map(study::format).transpose()?;
            let expected = dry_run::measure(&plan, format, threads);
            return self
                .format
                .render(&expected, &[&expected], || text::expected(&study, &expected));
        }
        let Some(path) = &self.out else {
            if study.cases() > PRINTED_LIMIT {
                return Err(Failure::Input(format!(
                    "{} cases are too many to print: give --out FILE.parquet, .csv or .arrow, or --dry-run",
                    study.cases()
                )));
            }
            let columns = plan.cases(0..study.cases());
            if let Some(plot) = plot {
                plot.draw(&figure::sweep(&plan)?)?;
            }
            if self.format.is_csv() {
                return Ok(carom_store::csv::text(&columns));
            }
            let rows = rows(&columns);
            return self
                .format
                .render(&rows, &rows, || text::table(&study, &columns, example(&plan, &columns)));
        };
        let format = study::format(path)?;
        // Draw first: an error of the figure should not come after hours of computing.
        if let Some(plot) = plot {
            plot.draw(&figure::sweep(&plan)?)?;
        }
        let counted = Counted::new(&plan);
        let bar = Bar::new(&study);
        let existing = Existing { overwrite: self.overwrite, restart: self.restart };
        let start = Instant::now();
        let interrupt = Interrupt::listen();
        let mut resumed = 0;
        let bytes =
            carom_store::write_with(&counted, path, format, threads, existing, |progress| {
                resumed = study.partition_cases(progress.resumed).start;
                let done = study.partition_cases(progress.done).start;
                bar.show(done);
                if interrupt.pressed() {
                    bar.end();
                    // The partial file stays, and the same command resumes it.
                    let cases = study.cases();
                    let advice = "the same command goes on from there";
                    let sentence = format!("after {done} of {cases} cases; {advice}");
                    output::report(Failure::Stopped(sentence));
                    std::process::exit(130);
                }
            });
        bar.end();
        let bytes = bytes?;
        let done = text::Done {
            path: path.display().to_string(),
            cases: study.cases(),
            resumed,
            bytes,
            seconds: start.elapsed().as_secs_f64(),
            status: counted.counts(),
            example: counted.example(),
        };
        self.format.render(&done, &[&done], || text::done(&done))
    }
}

/// One case of a study.
#[derive(Serialize)]
struct OneCase<'a> {
    /// Number of the case.
    case: u64,
    /// The impact, in the words of `[impact]` of a study.
    impact: &'a Value,
    /// Its result.
    report: CaseResult<'a>,
}

/// The result of a case, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum CaseResult<'a> {
    /// As from `carom impact`.
    Report(&'a Report),
    /// Without a result.
    Refused {
        /// Why there is none.
        error: String,
        /// The kind of error, as in the column `status`.
        status: &'static str,
    },
}

/// One case in the words of `carom impact`, and its result.
fn one(study: &carom::sweep::Study, index: u64, format: Format) -> Result<String, Failure> {
    let spec = study.spec(index)?;
    let case = spec.case();
    let found = case.as_ref().map_err(Clone::clone).and_then(|case| Ok((case.model, case.run()?)));
    let report = match &found {
        Ok((_, report)) => CaseResult::Report(report),
        Err(error) => CaseResult::Refused { error: error.to_string(), status: error.kind() },
    };
    // Leave out what the case does not set.
    let mut said = json!(spec);
    if let Value::Object(said) = &mut said {
        said.retain(|_, value| !value.is_null() && *value != json!([]) && *value != json!({}));
    }
    let all = OneCase { case: index, impact: &said, report };
    let mut row = json!(all);
    if let Ok((_, report)) = &found {
        // As in the row of `carom impact --csv`.
        row["report"]["notes"] = report.notes.iter().map(|note| note.kind).collect();
    }
    format.render(&all, &[row], || {
        let title = format!("case {index}");
        match &found {
            Ok((model, report)) => text::one(&title, &said) + &super::impact::shown(model, report),
            Err(error) => text::one(&title, &said) + &text::note(&error.worded(&CommandLine)),
        }
    })
}

/// Columns as rows of JSON.
fn rows(columns: &[Column]) -> Vec<Value> {
    let count = columns.first().map_or(0, |column| column.values.len());
    let cell = |column: &Column, row: usize| match (&column.values, column.values.text(row)) {
        (_, Some(text)) => json!(text),
        (Values::Integer(values), _) => json!(values.get(row)),
        _ => json!(column.values.real(row)),
    };
    (0..count)
        .map(|row| {
            let cells = columns.iter().map(|column| (column.name.clone(), cell(column, row)));
            Value::Object(cells.collect::<Map<_, _>>())
        })
        .collect()
}

/// A plan that counts the cases of each status.
struct Counted<'a> {
    plan: &'a Plan,
    /// Number of cases of each status, and the first of them (`u64::MAX` where there is none).
    status: [(AtomicU64, AtomicU64); 16],
    /// Partitions counted already: the first and the last are computed twice to recognise a finished file.
    counted: Mutex<BTreeSet<u64>>,
}

impl Source for Counted<'_> {
    fn partitions(&self) -> u64 {
        self.plan.partitions()
    }

    fn partition(&self, number: u64) -> Vec<Column> {
        let columns = self.plan.partition(number);
        let first = self.plan.study().partition_cases(number).start;
        let new = self.counted.lock().is_ok_and(|mut counted| counted.insert(number));
        if !new {
            return columns;
        }
        if let Some(Values::Text { index, .. }) = status(&columns) {
            for (row, &status) in index.iter().enumerate() {
                if let Some((count, example)) = self.status.get(status as usize) {
                    count.fetch_add(1, Ordering::Relaxed);
                    example.fetch_min(first + row as u64, Ordering::Relaxed);
                }
            }
        }
        columns
    }

    fn fingerprint(&self) -> String {
        self.plan.fingerprint()
    }

    fn fields(&self) -> Vec<Field> {
        self.plan.fields()
    }
}

impl<'a> Counted<'a> {
    fn new(plan: &'a Plan) -> Self {
        let status = std::array::from_fn(|_| (AtomicU64::new(0), AtomicU64::new(u64::MAX)));
        Self { plan, status, counted: Mutex::default() }
    }

    /// Number of cases of each status, of those computed now.
    fn counts(&self) -> BTreeMap<String, u64> {
        let columns = self.plan.cases(0..0);
        let Some(Values::Text { list, .. }) = status(&columns) else { return BTreeMap::new() };
        let counts = self.status.iter().map(|(count, _)| count.load(Ordering::Relaxed));
        list.iter().cloned().zip(counts).filter(|(_, count)| *count > 0).collect()
    }

    /// The first case that has no result, and why.
    fn example(&self) -> Option<String> {
        // Cases of the first two statuses have a result.
        let cases = self.status.iter().skip(2).map(|(_, case)| case.load(Ordering::Relaxed));
        sentence(self.plan, cases.min().filter(|&case| case != u64::MAX)?)
    }
}

/// The first case that has no result, and why.
fn example(plan: &Plan, columns: &[Column]) -> Option<String> {
    let Values::Text { index, .. } = status(columns)? else { return None };
    sentence(plan, index.iter().position(|&status| status > 1)? as u64)
}

/// The column of statuses.
fn status(columns: &[Column]) -> Option<&Values> {
    Some(&carom_store::find(columns, "status")?.values)
}

fn sentence(plan: &Plan, case: u64) -> Option<String> {
    Some(format!("case {case}: {}", plan.error(case)?))
}
