//! Table 1: the restitution that every law of the review delivers, compared with the requested one.

use crate::figure::{Axis, Curves, Figure, Guide, Panel, Series, SteelBallImpacts};
use crate::output::report::decimals;
use crate::papers::{Reproduction, linspace};
use carom::compare::{Delivery, deliveries};
use carom::exact::{hunt_crossley, hunt_crossley_restitution};
use carom::model::{Group, Input};
use carom::{CATALOGUE, Damping, Exit, Model, Result};

/// Restitutions whose loops are drawn.
const LOOP_RESTITUTIONS: [f64; 3] = [0.9, 0.5, 0.2];
/// Largest difference between requested and delivered restitution that counts as delivered.
const DELIVERED_TOLERANCE: f64 = 0.01;

/// Groups of the review, with their names in the catalogue.
const REVIEWED_GROUPS: [Group; 6] = [
    Group::Base,
    Group::Empirical,
    Group::ExactEquation,
    Group::Simplified,
    Group::Profile,
    Group::Alternative,
];

/// Panels of the figures: the groups that have formulas for a restitution.
const PANELS: [(&str, &[Group]); 3] = [
    ("exact equation", &[Group::ExactEquation]),
    ("simplified factors", &[Group::Simplified]),
    ("velocity profile, plastic", &[Group::Profile, Group::Base, Group::Alternative]),
];

/// Returns the laws of the review in these groups, without those that the catalogue adds.
fn laws(groups: &'static [Group]) -> impl Iterator<Item = &'static Model> {
    const LATER: [&str; 2] = ["thornton-cummins-cleary-2013", "mueller-poeschel-2011"];
    CATALOGUE
        .iter()
        .filter(move |model| groups.contains(&model.group) && !LATER.contains(&model.id))
}

/// Returns those laws that have a formula from the restitution to the damping.
fn formulas(groups: &'static [Group]) -> impl Iterator<Item = &'static Model> {
    laws(groups).filter(|model| model.input == Input::Restitution)
}

/// Returns the restitution that the formula delivers for the end of contact for which it was derived.
fn delivered(model: &Model, row: &Delivery) -> Option<f64> {
    match model.exit {
        Exit::ZeroForce => row.published_force,
        Exit::ZeroIndentation => row.published_indentation,
    }
}

/// Returns the ranges next to 0 and next to 1 in which all requested restitutions are delivered.
fn delivered_ranges(model: &Model, rows: &[Delivery]) -> String {
    let near = |row: &&Delivery| {
        delivered(model, row).is_some_and(|e| (e - row.requested).abs() <= DELIVERED_TOLERANCE)
    };
    let above = rows.iter().rev().take_while(near).last().map(|row| row.requested);
    let below = rows.iter().take_while(near).last().map(|row| row.requested);
    match (below, above) {
        (None, None) => "nowhere".to_string(),
        (Some(below), None) => format!("to {below}"),
        (None, Some(above)) => format!("from {above}"),
        (Some(below), Some(above)) if below >= above => format!("from {above}"),
        (Some(below), Some(above)) => format!("to {below}, from {above}"),
    }
}

/// Adds a table with one row per law.
pub fn table(out: &mut Reproduction) -> Result<()> {
    let mut rows = Vec::new();
    let mut at_half: Vec<(f64, &str)> = Vec::new();
    for model in laws(&REVIEWED_GROUPS) {
        let table = deliveries(model);
        let find = |e: f64| table.rows.iter().find(|row| row.requested == e);
        let at = |e: f64| find(e).and_then(|row| delivered(model, row));
        let show = |value: Option<f64>| decimals(value, 4);
        let by_formula = model.input == Input::Restitution;
        if let (true, Some(e)) = (by_formula, at(0.5)) {
            at_half.push((e, model.id));
        }
        let from = delivered_ranges(model, &table.rows);
        let (low, high) = model.restitution;
        let loss = decimals(at(0.5).map(|e| 100.0 * (1.0 - e * e)), 1);
        let other = find(0.5).and_then(|row| match model.exit {
            Exit::ZeroForce => row.published_indentation,
            Exit::ZeroIndentation => row.published_force,
        });
        rows.push(vec![
            format!("`{}`", model.id),
            model.group.name().to_string(),
            model.input.name().to_string(),
            model.exit.name().to_string(),
            show(at(0.9)),
            show(at(0.5)),
            show(at(0.2)),
            show(other),
            loss,
            if by_formula { format!("{low} to {high}") } else { "-".to_string() },
            if by_formula { from } else { "-".to_string() },
        ]);
    }
    let title = "Table 1 of the review: restitution delivered by the published formulas on the steel ball at 0.5 m/s, \
                 contact ended as the formula assumes. Ideal loss at 0.5: 75 % of the energy. Good: within 0.01, from 0.1 to \
                 0.99. Laws without a formula deliver every restitution by exact calibration";
    let columns = "law | group | takes | ends at zero | 0.9 | 0.5 | 0.2 | 0.5, other end | \
                   loss at 0.5 (%) | meant for | good";
    out.table(title, columns, rows);
    at_half.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let [(least, lowest), .., (most, highest)] = at_half.as_slice() {
        out.claim(
            "Table 1",
            "a law that takes a restitution delivers it",
            most - least < 2.0 * DELIVERED_TOLERANCE,
            format!("asked for 0.5: {least:.4} ({lowest}) to {most:.4} ({highest})"),
        );
    }
    let at_tenth = |model: &'static Model| {
        let found = deliveries(model).rows.first().and_then(|row| delivered(model, row));
        (found.unwrap_or(f64::NAN), model.id)
    };
    let group: Vec<_> = formulas(&[Group::Profile]).map(at_tenth).collect();
    let consistent = group.iter().all(|(e, _)| (e - 0.1).abs() <= DELIVERED_TOLERANCE);
    let group: Vec<_> = group.iter().map(|(e, id)| format!("{e:.4} ({id})")).collect();
    out.claim(
        "Sect. 5.4",
        "the laws of group 4 are consistent for any impact",
        consistent,
        format!("asked for 0.1: {}", group.join(", ")),
    );
    let roots = [0.25, 0.1, 0.01].map(|e| (e, hunt_crossley(e)));
    let solved =
        |(e, epsilon): &(f64, f64)| (hunt_crossley_restitution(*epsilon) - e).abs() < 1e-12;
    out.claim(
        "Sect. 5.2",
        "the exact equation cannot be solved below about e = 0.25",
        !roots.iter().all(solved),
        format!(
            "ε = {:.6}, {:.6} and {:.6} deliver 0.25, 0.1 and 0.01",
            roots[0].1, roots[1].1, roots[2].1
        ),
    );
    figure(out)
}

/// Adds a figure of delivered over requested restitution, by group.
fn figure(out: &mut Reproduction) -> Result<()> {
    let mut panels = Vec::new();
    for (title, groups) in PANELS {
        let mut series = Vec::new();
        for (style, model) in formulas(groups).enumerate() {
            let on = SteelBallImpacts::new(model, &deliveries(model))?;
            let deliver = |e: f64| on.restitution(Damping::Restitution(e), None);
            let points = linspace(0.02, 1.0, 50).map(|e| (e, deliver(e).unwrap_or(f64::NAN)));
            series.push(Series::through(model.id, points.collect(), style));
        }
        panels.push(Panel::Curves(Curves {
            title: title.to_string(),
            x: Axis::fixed("requested", "", 0.0, 1.0),
            y: Axis::fixed("delivered", "", 0.0, 1.0),
            series,
            guides: vec![Guide::Diagonal("as asked for".to_string())],
        }));
    }
    out.draw(
        "review-2021-delivered",
        "Requested against delivered restitution of every formula in the review's Table 1.",
        Figure::new(
            "The review's Table 1: requested and delivered restitution",
            "Steel ball of 0.54 kg at 0.5 m/s; published formulas, contact ended as they assume.",
            vec![panels],
        ),
    );
    Ok(())
}

/// Adds loops at three restitutions.
pub fn loops(out: &mut Reproduction) -> Result<()> {
    let mut rows = Vec::new();
    for e in LOOP_RESTITUTIONS {
        let mut row = Vec::new();
        for (title, groups) in PANELS {
            let mut series = Vec::new();
            for (style, model) in formulas(groups).enumerate() {
                let on = SteelBallImpacts::new(model, &deliveries(model))?;
                if let Ok(points) = on.force_loop(Damping::Restitution(e), 400) {
                    series.push(Series::through(model.id, points, style));
                }
            }
            row.push(Panel::curves(
                format!("e = {e}: {title}"),
                Axis::new("indentation", "m"),
                Axis::new("force", "N"),
                series,
            ));
        }
        rows.push(row);
    }
    let subtitle = "Steel ball of 0.54 kg at 0.5 m/s; published formulas for e; linear laws with the \
                    spring of equal energy.";
    out.draw(
        "review-2021-loops",
        "Hysteresis loops of the same formulas at 0.9, 0.5 and 0.2.",
        Figure::new("The review's Table 1: hysteresis loops", subtitle, rows),
    );
    Ok(())
}
