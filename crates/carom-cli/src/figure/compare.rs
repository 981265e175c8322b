//! Laws beside a measurement: a readable choice of loops, and what every law delivered.

use super::{Axis, Curves, Dot, Dots, Figure, Guide, Mark, Panel, Series};
use carom::compare::LawComparison as Row;
use carom::impact::{Conditions, Trajectory};
use carom::problems::Experiment;
use carom::units::{Dimension, format};
use carom::{Damping, model};

/// Loops that can be told apart in one panel.
const LOOPS: usize = 7;
/// Up to so many laws, all loops are drawn.
const ALL_LOOPS: usize = 10;
/// Up to so many laws, each has a row of its own.
const ALL_ROWS: usize = 24;
/// Drawn first, because readers look for them.
const WELL_KNOWN: [&str; 4] =
    ["hertz-1881", "hunt-crossley-1975", "lankarani-nikravesh-1990", "flores-2011"];
/// Loops closer than this in every number would lie on each other.
const DIFFERENT: f64 = 0.017;
const INSTANTS: usize = 2000;

/// An experiment and what laws made of it.
pub type Compared<'a> = (&'static Experiment, &'a [Row]);

/// The figure of some comparisons, one below the other.
pub fn compare(comparisons: &[Compared<'_>]) -> Figure {
    let mut figure = Figure::default();
    let several = comparisons.len() > 1;
    let mut captions: Vec<String> = Vec::new();
    // A law that is met again looks as before.
    let mut looks = Looks::default();
    for (experiment, rows) in comparisons {
        let ran: Vec<&Row> = rows.iter().filter(|row| row.restitution.is_some()).collect();
        let shown = choose(&ran);
        looks.add(&shown);
        figure.rows.push(vec![
            Panel::Curves(loops(experiment, &shown, &looks, several)),
            Panel::Dots(delivered(experiment, &ran, &shown, &looks)),
        ]);
        let caption = caption(&ran, &shown, rows.len());
        if !captions.contains(&caption) {
            captions.push(caption);
        }
    }
    if let [(experiment, _)] = comparisons {
        figure.title = format!("{}: laws and measurement", experiment.title);
        figure.subtitle = format!(
            "m = {}, K = {}, n = {}. {}.",
            format(experiment.mass, "kg"),
            format(experiment.stiffness, &Dimension::stiffness_unit(experiment.exponent)),
            format(experiment.exponent, ""),
            experiment.source
        );
    } else {
        figure.title = "Laws and measurements".to_string();
    }
    figure.caption = captions.join(" ");
    figure
}

/// Colours and dashes of laws, by number.
#[derive(Default)]
struct Looks(Vec<(&'static str, usize)>);

impl Looks {
    /// Gives those that have none yet the first that is free among the laws of a panel.
    fn add(&mut self, panel: &[&Row]) {
        for row in panel {
            if self.of(row).is_none() {
                let taken: Vec<_> = panel.iter().filter_map(|row| self.of(row)).collect();
                let free = (0..).find(|style| !taken.contains(style));
                self.0.push((row.law, free.unwrap_or(0)));
            }
        }
    }

    fn of(&self, row: &Row) -> Option<usize> {
        self.0.iter().find(|(law, _)| *law == row.law).map(|(_, style)| *style)
    }
}

/// All laws where there are few; else the well-known ones, then the best that differ from those chosen.
fn choose<'a>(ran: &[&'a Row]) -> Vec<&'a Row> {
    if ran.len() <= ALL_LOOPS {
        return ran.to_vec();
    }
    let mut best = ran.to_vec();
    best.sort_by(|a, b| {
        let score = |row: &Row| (1e4 * row.score.unwrap_or(f64::INFINITY)).round();
        let rank = |row: &Row| (kind(row) as u8, age(row));
        score(a).total_cmp(&score(b)).then_with(|| rank(a).cmp(&rank(b)))
    });
    let known = WELL_KNOWN.iter().filter_map(|id| ran.iter().copied().find(|row| row.law == *id));
    let mut chosen: Vec<&Row> = known.collect();
    for row in best {
        if chosen.len() < LOOPS && !chosen.iter().any(|other| alike(row, other)) {
            chosen.push(row);
        }
    }
    chosen.sort_by(|a, b| b.restitution.unwrap_or(0.0).total_cmp(&a.restitution.unwrap_or(0.0)));
    chosen
}

/// Whether two loops would lie on each other.
fn alike(a: &Row, b: &Row) -> bool {
    let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => !((a - b).abs() > DIFFERENT * b.abs()),
        _ => true,
    };
    near(a.restitution, b.restitution)
        && near(a.force_max, b.force_max)
        && near(a.indentation_max, b.indentation_max)
        && near(a.duration, b.duration)
}

/// For sorting: the year and the name.
fn age(row: &Row) -> (u16, &'static str) {
    (model(row.law).map_or(u16::MAX, |model| model.year), row.law)
}

fn loops(experiment: &Experiment, shown: &[&Row], looks: &Looks, several: bool) -> Curves {
    let series = shown.iter().map(|row| {
        let style = looks.of(row).unwrap_or(0);
        let points = course(experiment, row).unwrap_or_default();
        Series { name: row.law.to_string(), points, style, ..Series::default() }
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

/// The loop of a row, run again as it was run for the table.
fn course(experiment: &Experiment, row: &Row) -> carom::Result<Vec<(f64, f64)>> {
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
    let course = Trajectory::new(&law, experiment.speed, &Conditions::default(), INSTANTS)?;
    Ok(course.indentation.iter().copied().zip(course.force.iter().copied()).collect())
}

/// Every law that ran, by what it delivered; where there are many, those that agree share a row.
fn delivered(experiment: &Experiment, ran: &[&Row], shown: &[&Row], looks: &Looks) -> Dots {
    let drawn = |row: &Row| shown.iter().any(|other| other.law == row.law);
    let grouped = ran.len() > ALL_ROWS;
    let mut rows: Vec<&Row> = ran.to_vec();
    let place = |row: &Row| (-1e4 * row.restitution.unwrap_or(0.0)).round();
    rows.sort_by(|a, b| {
        let rank = |row: &Row| (kind(row) as u8, !drawn(row), age(row));
        place(a).total_cmp(&place(b)).then_with(|| rank(a).cmp(&rank(b)))
    });
    let groups: Vec<&[&Row]> = match grouped {
        // A law whose loop is drawn has a row of its own.
        true => rows
            .chunk_by(|a, b| place(a) == place(b) && kind(a) == kind(b) && !drawn(a) && !drawn(b))
            .collect(),
        false => rows.chunks(1).collect(),
    };
    let asked = experiment.restitution;
    Dots {
        title: match ran.len() {
            0 => format!("Asked for {asked}: no law ran"),
            1 => format!("Asked for {asked}: what one law delivers"),
            n => format!("Asked for {asked}: what {n} laws deliver"),
        },
        axis: Axis::new("delivered restitution", ""),
        target: Some((asked, format!("measured {asked}"))),
        rows: groups.iter().map(|group| dot(group, looks, &drawn)).collect(),
        legend: true,
    }
}

/// A row, under the name of its oldest law.
fn dot(group: &[&Row], looks: &Looks, drawn: &impl Fn(&Row) -> bool) -> Dot {
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
        mark: first.map_or(Mark::Full, kind),
        style: first.filter(|row| drawn(row)).and_then(|row| looks.of(row)),
    }
}

fn kind(row: &Row) -> Mark {
    match row.calibration {
        "published" => Mark::Full,
        "exact" => Mark::Open,
        _ => Mark::Diamond,
    }
}

fn caption(ran: &[&Row], shown: &[&Row], asked: usize) -> String {
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
    if ran.len() > ALL_ROWS {
        sentences.push("Other laws that deliver the same share a row.".to_string());
    }
    if ran.len() < asked {
        let missing = asked - ran.len();
        let laws = if missing == 1 { "law needs" } else { "laws need" };
        sentences.push(format!("{missing} {laws} facts that were not measured and did not run."));
    }
    sentences.join(" ")
}
