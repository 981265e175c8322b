//! Notes about a fit: parameters that the data do not determine, systematic residuals, a search that did not converge.

use super::least_squares::{EndReason, Minimum};
use super::prepare::Prepared;
use super::series::Kind;
use super::statistics::{Statistics, Uncertainty};
use super::subject::Subject;
use crate::message::{Action, Message};
use crate::report::NoteReport;

/// Adds notes on the fit to its report.
pub(super) fn add_notes(
    subject: &Subject,
    minimum: &Minimum,
    uncertainty: &Uncertainty,
    statistics: &Statistics,
    prepared: &Prepared,
    notes: &mut Vec<NoteReport>,
) {
    let mut note = |kind, message: Message| notes.push(NoteReport::new(kind, message));
    let names = |places: &[usize]| {
        let names: Vec<_> = places.iter().map(|&i| subject.free[i].name.as_str()).collect();
        names.join(", ")
    };
    for part in &uncertainty.undetermined {
        let (subject, advice) = match part.len() {
            0 | 1 => ("the data do not determine", "it does not change the fit; fix its value"),
            _ => (
                "the data determine only a combination of",
                "fix one of them, or measure at other speeds",
            ),
        };
        note("not_identifiable", format!("{subject} {}: {advice}", names(part)).into());
    }
    for (i, free) in subject.free.iter().enumerate().filter(|(_, free)| !free.is_nuisance()) {
        let (x, error) = (minimum.parameters[i], uncertainty.errors[i]);
        let (low, high) = free.bounds();
        if !free.logarithmic && (x <= low || x >= high) {
            let (name, value) = (&free.name, free.value(x));
            note(
                "at_bound",
                sentence!(
                    "{name} ended at the edge of its range, {value}: the law wants to go beyond, or another \
                     law fits better"
                ),
            );
        }
        let relative = if free.logarithmic { error } else { error / x.abs().max(1e-3) };
        if error.is_finite() && relative > 0.5 {
            let (name, percent) = (&free.name, 100.0 * relative);
            note(
                "hardly_identifiable",
                sentence!(
                    "{name} is hardly determined by the data (standard error {percent:.0} %): fix it, or \
                     measure at other speeds"
                ),
            );
        }
    }
    for (i, row) in uncertainty.correlation.iter().enumerate() {
        for (j, &c) in row.iter().enumerate().skip(i + 1) {
            let lost = uncertainty.undetermined.iter().any(|part| part.contains(&i));
            if c.abs() > 0.995 && !lost {
                let both = names(&[i, j]);
                note(
                    "correlated",
                    sentence!(
                        "{both} move together (correlation {c:.4}): the data tell a combination of them, \
                         hardly each; fix one of them"
                    ),
                );
            }
        }
    }
    let independence = statistics.durbin_watson;
    if prepared.kind != Kind::Outcomes && independence < 1.0 && statistics.points > 20 {
        note(
            "systematic_residuals",
            sentence!(
                "the residuals are not random (Durbin-Watson {independence:.2}, 2 for noise): the law misses \
                 the curve in a systematic way, or the sensor does, and the standard errors are too small; try \
                 {} and {}",
                Action::set("laws", "all"),
                Action::set("bootstrap", 200)
            ),
        );
    }
    if prepared.kind != Kind::Outcomes && statistics.r_squared < 0.9 {
        let explained = 100.0 * statistics.r_squared.max(0.0);
        note(
            "poor_fit",
            sentence!(
                "the law explains only {explained:.1} % of the curve: check mass, speed and units, or try {}",
                Action::set("laws", "all")
            ),
        );
    }
    if minimum.ended == EndReason::MostIterations {
        note("not_converged", "the search ran out of iterations; the numbers may still improve: fix one that is hardly determined".into());
    }
}
