//! Figure of a comparison of laws with a measurement: force–indentation loops of some laws, restitution of all.

use super::impact::pair_text;
use super::{Axis, Curves, Dot, DotPlot, Figure, Guide, Marker, Panel, Series, force_loop};
use carom::compare::LawComparison;
use carom::problems::Experiment;
use carom::units::format;
use carom::{Damping, model};

/// Largest number of loops in a panel that can be distinguished.
const MAX_LOOPS: usize = 7;
/// Largest number of laws for which the loops of all are drawn.
const ALL_LOOPS_UP_TO: usize = 10;
/// Largest number of laws for which each has a row of its own.
const ALL_ROWS_UP_TO: usize = 24;
/// Laws whose loops are always drawn.
const WELL_KNOWN: [&str; 4] =
    ["hertz-1881", "hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011"];
/// Relative difference of the results below which two loops would coincide.
const VISIBLE_DIFFERENCE: f64 = 0.017;
/// Number of points of a loop.
const LOOP_POINTS: usize = 2000;

/// An experiment and the results of the laws.
pub type LawsOnExperiment<'a> = (&'static Experiment, &'a [LawComparison]);

/// Returns the figure of comparisons with one or more experiments, one below the other.
pub fn compare(comparisons: &[LawsOnExperiment<'_>]) -> Figure {
    let mut figure = Figure::default();
    let several = comparisons.len() > 1;
    let mut captions: Vec<String> = Vec::new();
    // A law has the same style in all panels.
    let mut styles = LawStyles::default();
    for (experiment, rows) in comparisons {
        let ran: Vec<&LawComparison> =
            rows.iter().filter(|row| row.restitution.is_some()).collect();
        let shown = choose_loops(&ran);
        styles.add(&shown);
        figure.rows.push(vec![
            Panel::Curves(loop_panel(experiment, &shown, &styles, several)),
            Panel::DotPlot(restitution_plot(experiment, &ran, &shown, &styles)),
        ]);
        let caption = caption(&ran, &shown, rows.len());
        if !captions.contains(&caption) {
            captions.push(caption);
        }
    }
    if let [(experiment, _)] = comparisons {
        figure.title = format!("{}: laws and measurement", experiment.title);
        figure.subtitle = format!(
            "{}. {}.",
            pair_text(experiment.mass, experiment.stiffness, experiment.exponent),
            experiment.source
        );
    } else {
        figure.title = "Laws and measurements".to_string();
    }
    figure.caption = captions.join(" ");
    figure
}

/// Styles of laws.
#[derive(Default)]
struct LawStyles(Vec<(&'static str, usize)>);

impl LawStyles {
    /// Gives every law of a panel that has no style yet the first style that is free in the panel.
    fn add(&mut self, panel: &[&LawComparison]) {
        for row in panel {
            if self.of(row).is_none() {
                let taken: Vec<_> = panel.iter().filter_map(|row| self.of(row)).collect();
                let free = (0..).find(|style| !taken.contains(style));
                self.0.push((row.law, free.unwrap_or(0)));
            }
        }
    }

    fn of(&self, row: &LawComparison) -> Option<usize> {
        self.0.iter().find(|(law, _)| *law == row.law).map(|(_, style)| *style)
    }
}

/// Chooses the laws whose loops are drawn: all if they are few; otherwise the well-known ones, then the best ones whose loops do
/// not coincide with those already chosen.
fn choose_loops<'a>(ran: &[&'a LawComparison]) -> Vec<&'a LawComparison> {
    if ran.len() <= ALL_LOOPS_UP_TO {
        return ran.to_vec();
    }
    let mut best = ran.to_vec();
    best.sort_by(|a, b| {
        let score = |row: &LawComparison| (1e4 * row.score.unwrap_or(f64::INFINITY)).round();
        let rank = |row: &LawComparison| (marker_of(row) as u8, year_and_name(row));
        score(a).total_cmp(&score(b)).then_with(|| rank(a).cmp(&rank(b)))
    });
    let known = WELL_KNOWN.iter().filter_map(|id| ran.iter().copied().find(|row| row.law == *id));
    let mut chosen: Vec<&LawComparison> = known.collect();
    for row in best {
        if chosen.len() < MAX_LOOPS && !chosen.iter().any(|other| coincide(row, other)) {
            chosen.push(row);
        }
    }
    chosen.sort_by(|a, b| b.restitution.unwrap_or(0.0).total_cmp(&a.restitution.unwrap_or(0.0)));
    chosen
}

/// Returns whether two loops would coincide.
fn coincide(a: &LawComparison, b: &LawComparison) -> bool {
    let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => !((a - b).abs() > VISIBLE_DIFFERENCE * b.abs()),
        _ => true,
    };
    near(a.restitution, b.restitution)
        && near(a.force_max, b.force_max)
        && near(a.indentation_max, b.indentation_max)
        && near(a.duration, b.duration)
}

/// Returns the sort key of a law: its year and its name.
fn year_and_name(row: &LawComparison) -> (u16, &'static str) {
    (model(row.law).map_or(u16::MAX, |model| model.year), row.law)
}

fn loop_panel(
    experiment: &Experiment,
    shown: &[&LawComparison],
    styles: &LawStyles,
    several: bool,
) -> Curves {
    let series = shown.iter().map(|row| {
        let style = styles.of(row).unwrap_or(0);
        let points = loop_points(experiment, row).unwrap_or_default();
        Series::through(row.law, points, style)
    });
    let mut guides = Vec::new();
    if let Some(force) = experiment.force_max {
        let label = format!("measured peak {}", format(force, "N"));
        guides.push(Guide::Horizontal(force, label));
    }
    if let Some(depth) = experiment.indentation_max {
        let label = format!("measured {}", format(depth, "m"));
        guides.push(Guide::Vertical(depth, label));
    }
    Curves {
        title: match several {
            true => experiment.title.to_string(),
            false => "Force over indentation".to_string(),
        },
        x: Axis::new("indentation", "m"),
        y: Axis::new("force", "N"),
        series: series.collect(),
        guides,
    }
}

/// Computes force over indentation with the damping and the exit of contact of the table.
fn loop_points(experiment: &Experiment, row: &LawComparison) -> carom::Result<Vec<(f64, f64)>> {
    let damping = match (row.calibration, row.requested) {
        ("published", Some(e)) => Damping::Restitution(e),
        ("exact", Some(e)) => Damping::Exact(e),
        _ => Damping::None,
    };
    let pair = match row.linear_equivalent {
        true => experiment.pair().linear_equivalent(experiment.speed),
        false => experiment.pair(),
    };
    let law = model(row.law)?.law(&pair, damping, Some(row.exit), &[])?;
    force_loop(&law, experiment.speed, LOOP_POINTS)
}

/// Plots the restitutions of all laws that ran; if there are many, laws with equal restitutions share a row.
fn restitution_plot(
    experiment: &Experiment,
    ran: &[&LawComparison],
    shown: &[&LawComparison],
    styles: &LawStyles,
) -> DotPlot {
    let drawn = |row: &LawComparison| shown.iter().any(|other| other.law == row.law);
    let grouped = ran.len() > ALL_ROWS_UP_TO;
    let mut rows: Vec<&LawComparison> = ran.to_vec();
    let rounded = |row: &LawComparison| (-1e4 * row.restitution.unwrap_or(0.0)).round();
    rows.sort_by(|a, b| {
        let rank = |row: &LawComparison| (marker_of(row) as u8, !drawn(row), year_and_name(row));
        rounded(a).total_cmp(&rounded(b)).then_with(|| rank(a).cmp(&rank(b)))
    });
    let groups: Vec<&[&LawComparison]> = match grouped {
        // Laws whose loops are drawn have rows of their own.
        true => rows
            .chunk_by(|a, b| {
                rounded(a) == rounded(b) && marker_of(a) == marker_of(b) && !drawn(a) && !drawn(b)
            })
            .collect(),
        false => rows.chunks(1).collect(),
    };
    let requested = experiment.restitution;
    DotPlot {
        title: match ran.len() {
            0 => format!("Asked for {requested}: no law ran"),
            1 => format!("Asked for {requested}: what one law delivers"),
            n => format!("Asked for {requested}: what {n} laws deliver"),
        },
        axis: Axis::new("delivered restitution", ""),
        target: Some((requested, format!("measured {requested}"))),
        dots: groups.iter().map(|group| restitution_dot(group, styles, &drawn)).collect(),
        legend: true,
    }
}

/// Returns a row, labelled with the name of the oldest law of the group.
fn restitution_dot(
    group: &[&LawComparison],
    styles: &LawStyles,
    drawn: &impl Fn(&LawComparison) -> bool,
) -> Dot {
    let first = group.first().copied();
    let names: Vec<_> = group.iter().map(|row| row.law).collect();
    let label = match (first, group.len()) {
        (None, _) => String::new(),
        (Some(first), 1) => first.law.to_string(),
        (Some(first), n) => format!("{} + {} more", first.law, n - 1),
    };
    let error = first.and_then(|row| row.restitution_error).unwrap_or(f64::NAN);
    let remark = match 100.0 * error {
        p if !p.is_finite() => String::new(),
        p if p.abs() < 0.05 => "0.0 %".to_string(),
        p => format!("{p:+.1} %").replace('-', "−"),
    };
    Dot {
        label,
        about: names.join(", "),
        value: first.and_then(|row| row.restitution).unwrap_or(f64::NAN),
        remark,
        marker: first.map_or(Marker::Filled, marker_of),
        style: first.filter(|row| drawn(row)).and_then(|row| styles.of(row)),
    }
}

fn marker_of(row: &LawComparison) -> Marker {
    match row.calibration {
        "published" => Marker::Filled,
        "exact" => Marker::Open,
        _ => Marker::Diamond,
    }
}

fn caption(ran: &[&LawComparison], shown: &[&LawComparison], total: usize) -> String {
    let mut sentences = Vec::new();
    if shown.len() < ran.len() {
        sentences.push(format!(
            "Loops of {} of {} laws: hertz-1881, hunt-crossley-1975, lankarani-nikravesh-1990 and \
             flores-2011 where they ran, then the best by all errors that differ from those shown. \
             Coloured dots belong to the loops.",
            shown.len(),
            ran.len()
        ));
    }
    if ran.len() > ALL_ROWS_UP_TO {
        sentences.push("Other laws that deliver the same share a row.".to_string());
    }
    if ran.len() < total {
        let missing = total - ran.len();
        let laws = if missing == 1 { "law needs" } else { "laws need" };
        sentences.push(format!("{missing} {laws} facts that were not measured and did not run."));
    }
    sentences.join(" ")
}
