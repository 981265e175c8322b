//! `carom sweep`: computes all cases of a study, and writes them to a file that can be resumed after an interruption.

mod dry_run;
pub mod study;
pub mod text;

use super::thread_count;
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::interrupt::Interrupt;
use crate::output::progress::Progress;
use crate::output::report::note;
use crate::output::{self, Format};
use crate::wording::CommandLine;
use carom::report::Report;
use carom::sweep::{Evaluate, Plan};
use carom_store::{Column, Existing, Field, Source, Values};
use carom_world::sweep::SceneCases;
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use study::{AnyPlan, StudyArguments};

const EXAMPLES: &str = r#"
A study is a TOML file: [impact] says what does not vary, in the words of `carom impact`, or
[scene] names a scene; every [[axis]] varies a parameter as a list, a range or a distribution.
`carom reference study` lists every key. With --over no study is needed for a scene: lists, and
ranges FROM..TO:COUNT (:log for equal ratios).

Results of a scene are force_max, touches, lost, friction and impulse, of all contacts or of one,
as lost(gap); flight, impact, contact (shares of the time) and repeats (turns) of a contact; and
max, min, mean, rms, first, last, change, sum and count of any column of `carom simulate
--columns`, as max(contacts.force_N, wrist pin). With the nonsmooth method impacts have an impulse,
and no force_max, flight, impact or contact.

The result does not depend on the number of threads or on interruptions: after a sweep was killed,
the same command continues it.

Examples:
  carom sweep study.toml --dry-run
  carom sweep study.toml --out results.parquet
  carom sweep study.toml --case 17
  carom sweep --builtin zhang-2022-fig7 --plot fig7.svg
  carom sweep scenes/slider-crank.toml --over "wrist pin.clearance=0.1..0.5 mm:5" --output "force_max(wrist pin)"
  carom sweep scenes/newtons-cradle.toml --over "first.velocity.0=0.1..1 m/s:10:log" --out results.parquet"#;

/// Largest number of cases that are printed instead of written to a file.
const PRINTED_LIMIT: u64 = 100_000;

/// Compute many impacts, or runs of a scene, from one study
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Sweep {
    #[command(flatten)]
    chosen: StudyArguments,
    /// Write all cases into this file: .parquet, .csv or .arrow
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the number of cases, the expected time and the size of the file, and stop
    #[arg(long)]
    dry_run: bool,
    /// Show one case, counted from 0, in full
    #[arg(long, value_name = "N", conflicts_with_all = ["out", "dry_run"])]
    case: Option<u64>,
    #[command(flatten)]
    cases: RunOptions,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

/// Options for the computation of the cases and for an existing file.
#[derive(Args)]
pub struct RunOptions {
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Replace FILE if it exists and is something else
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Discard the files of an interrupted run
    #[arg(long, requires = "out")]
    restart: bool,
}

impl RunOptions {
    /// Returns the options for an existing file.
    pub fn existing_file(&self) -> Existing {
        Existing { overwrite: self.overwrite, restart: self.restart }
    }
}

impl Sweep {
    /// Runs a study.
    pub fn run(self) -> Result<String, Failure> {
        match self.chosen.plan()? {
            AnyPlan::Impacts(plan) => match self.case {
                Some(index) => one_impact(plan.study(), index, self.format),
                None => self.run_all(&plan, "impacts", figure::sweep),
            },
            AnyPlan::Scene(plan) => match self.case {
                Some(index) => one_run(&plan, index, self.format),
                None => self.run_all(&plan, "runs", figure::sweep_of),
            },
        }
    }

    /// Computes all cases, which are called `name` in messages; `draw` makes a figure of their columns.
    fn run_all<E: Evaluate>(
        &self,
        plan: &Plan<E>,
        name: &str,
        draw: fn(&Plan<E>, Vec<Column>) -> carom::Result<figure::Figure>,
    ) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let (cases, threads) = (plan.variation().cases(), thread_count(self.cases.threads));
        if self.dry_run {
            let format = self.out.as_deref().map(study::format).transpose()?;
            let expected = dry_run::measure(plan, format, threads);
            return self
                .format
                .render(&expected, &[&expected], || text::expected_report(plan, &expected));
        }
        if plot.is_requested() {
            // Errors of the figure are reported before hours of computing.
            draw(plan, plan.cases(0..0))?;
        }
        let Some(path) = &self.out else {
            if cases > PRINTED_LIMIT {
                return Err(Failure::Input(format!(
                    "{cases} cases are too many to print: give --out FILE.parquet, .csv or .arrow, or --dry-run"
                )));
            }
            let columns = compute_in_memory(plan, threads)?;
            let output = match self.format.is_csv() {
                true => carom_store::csv::text(&columns),
                false => {
                    let rows = json_rows(&columns);
                    self.format.render(&rows, &rows, || {
                        text::table(plan, &columns, failure_example(plan, &columns))
                    })?
                }
            };
            plot.draw(|| Ok(draw(plan, columns)?))?;
            return Ok(output);
        };
        let format = study::format(path)?;
        let done = write(plan, path, format, threads, self.cases.existing_file())?;
        let columns = || carom_store::Reader::table(plan.fields(), path, format);
        plot.draw(|| Ok(draw(plan, columns()?)?))?;
        self.format.render(&done, &[&done], || text::written_report(&done, name))
    }
}

/// Creates a progress bar for this number of cases, with rate and remaining time.
fn progress(cases: u64) -> Progress {
    let template = "{wide_bar} {percent:>3} %  {human_pos}/{human_len}  {per_sec}  {eta} left";
    Progress::new(cases, template)
}

/// Computes all cases of a plan in memory, with a progress bar.
pub fn compute_in_memory<E: Evaluate>(
    plan: &Plan<E>,
    threads: usize,
) -> Result<Vec<Column>, Failure> {
    let variation = plan.variation();
    let bar = progress(variation.cases());
    let interrupt = Interrupt::listen();
    let columns = carom_store::gather(plan, threads, |done| {
        bar.show(variation.partition_cases(done).start);
        !interrupt.pressed()
    });
    bar.end();
    columns.ok_or_else(|| match interrupt.pressed() {
        true => Failure::Stopped(
            "nothing is kept; with --out FILE a sweep is kept and can go on".into(),
        ),
        false => Failure::System("a thread that computes cases failed".into()),
    })
}

/// Writes all cases of a plan to a file, or continues an unfinished one.
pub fn write<E: Evaluate>(
    plan: &Plan<E>,
    path: &Path,
    format: carom_store::Format,
    threads: usize,
    existing: Existing,
) -> Result<text::Done, Failure> {
    let study = plan.variation();
    let counted = CountingPlan { plan, tally: Mutex::default() };
    let bar = progress(study.cases());
    let start = Instant::now();
    let interrupt = Interrupt::listen();
    let mut resumed = 0;
    let bytes = carom_store::write_with(&counted, path, format, threads, existing, |progress| {
        resumed = study.partition_cases(progress.resumed).start;
        let done = study.partition_cases(progress.done).start;
        bar.show(done);
        if interrupt.pressed() {
            bar.end();
            // The partial file remains, and the same command resumes it.
            let cases = study.cases();
            let advice = "the same command goes on from there";
            let sentence = format!("after {done} of {cases} cases; {advice}");
            output::report(Failure::Stopped(sentence));
            std::process::exit(130);
        }
    });
    bar.end();
    let bytes = bytes?;
    let statuses = counted.tally.into_inner().unwrap_or_else(PoisonError::into_inner).statuses;
    Ok(text::Done {
        path: path.display().to_string(),
        cases: study.cases(),
        resumed,
        bytes,
        seconds: start.elapsed().as_secs_f64(),
        example: first_error(plan, &statuses),
        status: statuses.into_iter().map(|(status, (count, _))| (status, count)).collect(),
    })
}

/// One run of a study of a scene.
#[derive(Serialize)]
struct OneRun {
    /// Number of the case.
    case: u64,
    /// Keys that the case changes, in the form of `carom simulate --set`.
    set: Vec<String>,
    /// Results by name; empty if there are none.
    results: BTreeMap<String, f64>,
    /// `ok`, or the kind of error, as in the column `status`.
    status: String,
    /// Reason why there is no result.
    error: Option<String>,
}

/// Computes one run of a study of a scene, and shows the changes with which `carom simulate` repeats it.
fn one_run(plan: &Plan<SceneCases>, index: u64, format: Format) -> Result<String, Failure> {
    plan.variation().check(index)?;
    let mut values = Vec::new();
    plan.variation().values(index, &mut values);
    let changes = plan.evaluator().changes(&values);
    let mut numbers = Vec::new();
    let found = plan.evaluator().evaluate(&values, &mut (), &mut numbers);
    let names = plan.evaluator().outputs();
    let results = names.iter().map(|(name, _)| name.clone()).zip(numbers.clone());
    let run = OneRun {
        case: index,
        set: changes.iter().map(|change| format!("{}={}", change.place, change.value)).collect(),
        results: if found.is_ok() { results.collect() } else { BTreeMap::new() },
        status: match &found {
            Ok(status) => status.to_string(),
            Err(error) => error.kind().to_string(),
        },
        error: found.err().map(|error| error.worded(&CommandLine)),
    };
    format.render(&run, &[&run], || {
        let mut description = Map::new();
        for change in &changes {
            description.insert(change.place.clone(), json!(change.value));
        }
        let mut text =
            text::case_description(&format!("case {index}"), &Value::Object(description));
        match &run.error {
            Some(error) => text += &note(error),
            None => {
                for ((name, unit), number) in names.iter().zip(&numbers) {
                    text += &text::result_line(name, *number, unit);
                }
            }
        }
        text
    })
}

/// One case of a study.
#[derive(Serialize)]
struct OneCase<'a> {
    /// Number of the case.
    case: u64,
    /// Description of the impact, with the keys of `[impact]` of a study.
    impact: &'a Value,
    /// Result of the case.
    report: CaseResult<'a>,
}

/// Result of a case, or the reason why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum CaseResult<'a> {
    /// The report as `carom impact` gives it.
    Report(&'a Report),
    /// A case without a result.
    Refused {
        /// Reason why there is no result.
        error: String,
        /// Kind of error, as in the column `status`.
        status: &'static str,
    },
}

/// Computes one impact of a study, and shows its description with the names of the options of `carom impact`.
fn one_impact(study: &carom::sweep::Study, index: u64, format: Format) -> Result<String, Failure> {
    let spec = study.spec(index)?;
    let case = spec.case();
    let found = case.as_ref().map_err(Clone::clone).and_then(|case| Ok((case.model, case.run()?)));
    let report = match &found {
        Ok((_, report)) => CaseResult::Report(report),
        Err(error) => CaseResult::Refused { error: error.to_string(), status: error.kind() },
    };
    // Values that the case does not set are left out.
    let mut description = json!(spec);
    if let Value::Object(description) = &mut description {
        description
            .retain(|_, value| !value.is_null() && *value != json!([]) && *value != json!({}));
    }
    let all = OneCase { case: index, impact: &description, report };
    let mut row = json!(all);
    if let Ok((_, report)) = &found {
        // Notes are represented by their kinds, as in the row of `carom impact --csv`.
        row["report"]["notes"] = report.notes.iter().map(|note| note.kind).collect();
    }
    format.render(&all, &[row], || {
        let title = format!("case {index}");
        match &found {
            Ok((model, report)) => {
                text::case_description(&title, &description)
                    + &super::impact::text::render(model, report)
            }
            Err(error) => {
                text::case_description(&title, &description) + &note(&error.worded(&CommandLine))
            }
        }
    })
}

/// Returns the rows of columns as JSON.
pub fn json_rows(columns: &[Column]) -> Vec<Value> {
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

/// A plan that counts the cases of each status while they are written.
struct CountingPlan<'a, E> {
    plan: &'a Plan<E>,
    tally: Mutex<StatusCounts>,
}

/// Numbers of cases by status.
#[derive(Default)]
struct StatusCounts {
    /// Partitions that are already counted: the first and the last are computed twice to recognise a finished file.
    partitions: BTreeSet<u64>,
    /// Number of cases of each status, and the first case of each.
    statuses: BTreeMap<String, (u64, u64)>,
}

impl<E: Evaluate> Source for CountingPlan<'_, E> {
    fn partitions(&self) -> u64 {
        self.plan.partitions()
    }

    fn partition(&self, number: u64) -> Vec<Column> {
        let columns = self.plan.partition(number);
        let found = count_statuses(&columns);
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        if tally.partitions.insert(number) {
            for (status, (count, first)) in found {
                let known = tally.statuses.entry(status).or_insert((0, first));
                *known = (known.0 + count, known.1.min(first));
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

/// Returns the number of cases of each status in columns, and the first case of each. A case may have several consecutive rows.
fn count_statuses(columns: &[Column]) -> BTreeMap<String, (u64, u64)> {
    let values = |name: &str| carom_store::find(columns, name).map(|column| &column.values);
    let (Some(Values::Integer(cases)), Some(Values::Text { list, index })) =
        (values("case"), values("status"))
    else {
        return BTreeMap::new();
    };
    let mut found = vec![None; list.len()];
    let mut last = None;
    for (&case, &status) in cases.iter().zip(index) {
        if last != Some(case)
            && let Some(found) = found.get_mut(status as usize)
        {
            let (count, first) = found.unwrap_or((0, case));
            *found = Some((count + 1, first));
        }
        last = Some(case);
    }
    list.iter().cloned().zip(found).filter_map(|(status, found)| Some((status, found?))).collect()
}

/// Returns whether cases with this status have a result.
fn has_result(status: &str) -> bool {
    matches!(status, "ok" | "never_separates")
}

/// Returns the first case without a result and the reason.
pub fn failure_example<E: Evaluate>(plan: &Plan<E>, columns: &[Column]) -> Option<String> {
    first_error(plan, &count_statuses(columns))
}

fn first_error<E: Evaluate>(
    plan: &Plan<E>,
    statuses: &BTreeMap<String, (u64, u64)>,
) -> Option<String> {
    let failed = statuses.iter().filter(|(status, _)| !has_result(status));
    let case = failed.map(|(_, (_, first))| *first).min()?;
    Some(format!("case {case}: {}", plan.error(case)?))
}
