//! Computes the parameters that deliver a restitution and writes them into the file; the rest of the file is
//! unchanged.
//!
//! The parameters are: for MuJoCo `solref`, with the present stiffness unless a contact would then last fewer than
//! twenty steps; for Drake the dissipation; for ODE, Bullet and DART the restitution, together with the parameters
//! that would prevent it from being applied. The value is searched with the contact, step and gravity of the engine,
//! such that the mean over all pairs that share it and over the speeds is the requested restitution.

use super::description::{Edit, Touch};
use super::engine::{Contact, Engine, Mechanics, bullet, dart, mujoco, ode};
use super::impact::impact;
use super::{Model, PairReport, Report};
use crate::error::{Error, Result, check_range};
use crate::message::Action;
use crate::numeric::root;
use serde::Serialize;
use std::f64::consts::PI;

/// A file with changed parameters.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Fix {
    /// Requested restitution.
    pub requested: f64,
    /// Mean restitution over pairs and speeds that the new file delivers.
    pub delivered: f64,
    /// Text of the new file.
    #[serde(skip)]
    pub text: String,
    /// Included files in which parameters were changed.
    pub included: Vec<ChangedFile>,
    /// Changes that were made.
    pub changes: Vec<Change>,
    /// Sentences on what cannot be achieved with this engine and step; empty if everything can.
    pub shortfall: Vec<String>,
    /// Results of the new file.
    pub report: Report,
}

/// An included file with changed parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedFile {
    /// Name of the file as written in the file that includes it.
    pub name: String,
    /// Text of the file.
    #[serde(skip)]
    pub text: String,
}

/// A change of a parameter in the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// Included file that was changed; none for the main file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line number in the original file.
    pub line: u32,
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Previous text; `null` if the parameter was not written.
    pub before: Option<String>,
    /// New text.
    pub after: String,
}

/// Largest difference of a restitution from the requested one that counts as delivered.
const DELIVERED_TOLERANCE: f64 = 0.005;
/// Smallest number of steps per contact in a changed file, if the stiffness can be chosen.
const MIN_STEPS_PER_CONTACT: f64 = 20.0;
/// Largest number of pairs from which a common parameter is computed.
const CONTACTS_MAX: usize = 24;

/// The unknown x that determines the rebound, and the parameters of its search.
struct ReboundSearch {
    engine: Engine,
    step: f64,
    /// Natural frequency (1/s) of MuJoCo's contacts in the changed file.
    frequency: f64,
    /// Values of x for the largest and the smallest rebound.
    range: (f64, f64),
    /// Whether the logarithm of x is searched.
    logarithmic: bool,
    limit: &'static str,
}

impl Model {
    /// Returns the file with the parameters that deliver a restitution; `load` returns the text of an included file.
    ///
    /// # Errors
    /// When no pair can touch, or the decisive parameters are not in any file.
    pub fn fix(&self, restitution: f64, load: &dyn Fn(&str) -> Result<String>) -> Result<Fix> {
        let requested =
            check_range("restitution", restitution, 0.0, 1.0, "a restitution, 0.7 for example")?;
        let touches = &self.description.touches;
        if touches.is_empty() {
            return Err(Error::unsupported(
                "a file in which nothing touches",
                "check the file without a restitution first",
            ));
        }
        let mut cases: Vec<(Contact, Mechanics)> = Vec::new();
        for touch in touches {
            let line = self.impact_line(touch)?;
            if !line.blocked {
                self.require_parameters_in_file(touch)?;
                cases.push((touch.contact.clone(), line.mechanics));
            }
        }
        if cases.is_empty() {
            return Err(Error::unsupported(
                "a file in which joints allow no impact",
                message!["give the effective mass, ", Action::give_as("mass", "M")],
            ));
        }
        // If there are many pairs, a selection with equal spacing is used.
        let every = cases.len().div_ceil(CONTACTS_MAX).max(1);
        let cases: Vec<(Contact, Mechanics)> = cases.into_iter().step_by(every).collect();
        let step = self.description.step;
        let search = ReboundSearch::new(self.description.engine, &cases, step);
        let speeds = self.speeds();
        let mean = |x: f64| -> f64 {
            let each = cases.iter().flat_map(|(contact, mechanics)| {
                let changed = search.contact(contact, x);
                speeds
                    .iter()
                    .map(move |&speed| impact(&changed, mechanics, step, speed).restitution)
            });
            let (sum, count) = each.fold((0.0, 0.0), |(sum, count), e| (sum + e, count + 1.0));
            sum / count
        };
        let at = |u: f64| if search.logarithmic { u.exp() } else { u };
        let ends = if search.logarithmic {
            (search.range.0.ln(), search.range.1.ln())
        } else {
            search.range
        };
        let (most, least) = (mean(at(ends.0)), mean(at(ends.1)));
        let best = match requested {
            e if e >= most => at(ends.0),
            e if e <= least => at(ends.1),
            e => {
                at(root::find(ends.0, ends.1, 1e-5 * (ends.1 - ends.0).abs(), |u| mean(at(u)) - e)
                    .unwrap_or(ends.0))
            }
        };
        let (text, included, changes) = self.texts_with(&search, best, load)?;
        let name = self.source.names.first().map_or("", String::as_str);
        let load = |name: &str| match included.iter().find(|file: &&ChangedFile| file.name == name)
        {
            Some(file) => Ok(file.text.clone()),
            None => load(name),
        };
        let report = super::read(name, &text, &load, &self.question)?.check()?;
        let found: Vec<f64> = report.pairs.iter().filter_map(|pair| pair.restitution).collect();
        let delivered = found.iter().sum::<f64>() / found.len().max(1) as f64;
        let reachable = (least..=most).contains(&requested);
        let shortfall =
            shortfall_sentences(requested, delivered, reachable, &report.pairs, &search, step);
        Ok(Fix { requested, delivered, text, included, changes, shortfall, report })
    }

    /// Refuses a pair whose parameters are not in the file.
    fn require_parameters_in_file(&self, touch: &Touch) -> Result<()> {
        if touch.edits.is_empty() {
            let [a, b] = touch.geometries.map(|i| self.description.name(i));
            let what = format!(
                "the restitution of `{a}` and `{b}`: what decides about it is not in this file"
            );
            return Err(Error::unsupported(
                what,
                "change it in the program that loads the file, or name other pairs",
            ));
        }
        Ok(())
    }

    /// Returns the text with the parameters of a design, and the texts of included files that change.
    fn texts_with(
        &self,
        search: &ReboundSearch,
        x: f64,
        load: &dyn Fn(&str) -> Result<String>,
    ) -> Result<(String, Vec<ChangedFile>, Vec<Change>)> {
        let mut edits: Vec<(&Edit, String)> = Vec::new();
        for write in self.description.touches.iter().flat_map(|touch| &touch.edits) {
            let same = |other: &Edit| {
                other.place.file == write.place.file
                    && other.range == write.range
                    && other.parameter == write.parameter
            };
            if !edits.iter().any(|(other, _)| same(other)) {
                edits.push((write, search.value(write.parameter, x)));
            }
        }
        edits.sort_by_key(|(write, _)| (write.place.file, write.range.start));
        let (mut main, mut included, mut changes) = (self.text.clone(), Vec::new(), Vec::new());
        for edits in edits.chunk_by(|(a, _), (b, _)| a.place.file == b.place.file) {
            let number = edits.first().map_or(0, |(write, _)| write.place.file);
            let name = self.source.names.get(number).filter(|_| number > 0);
            let original = match name {
                Some(name) => load(name)?,
                None => self.text.clone(),
            };
            let text = apply_edits(&original, edits, name, &mut changes)?;
            match name {
                Some(name) => included.push(ChangedFile { name: name.clone(), text }),
                None => main = text,
            }
        }
        Ok((main, included, changes))
    }
}

/// Returns a text with these edits, which are ordered and belong to one file.
fn apply_edits(
    original: &str,
    edits: &[(&Edit, String)],
    file: Option<&String>,
    changes: &mut Vec<Change>,
) -> Result<String> {
    let (mut text, mut done) = (String::new(), 0);
    let damaged = || Error::numerical("the changes", "two of them overlap", "report the file");
    for (write, value) in edits {
        let kept = original.get(done..write.range.start).ok_or_else(damaged)?;
        let before = original.get(write.range.clone()).ok_or_else(damaged)?.trim();
        text.extend([kept, &write.before, value, &write.after]);
        done = write.range.end;
        let before = Some(before.to_string()).filter(|before| !before.is_empty());
        let (line, after) = (write.place.line, value.clone());
        changes.push(Change {
            file: file.cloned(),
            line,
            parameter: write.parameter,
            before,
            after,
        });
    }
    text.push_str(original.get(done..).ok_or_else(damaged)?);
    Ok(text)
}

/// Formats a number with six significant digits.
fn format_number(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    format!("{rounded}")
}

impl ReboundSearch {
    fn new(engine: Engine, cases: &[(Contact, Mechanics)], step: f64) -> Self {
        let (range, logarithmic, limit) = match engine {
            Engine::Mujoco => ((1e-5, 3.0), true, "solref with solimp as it is"),
            Engine::Drake => (
                (1e-6, 1e4),
                true,
                "hunt_crossley_dissipation with the stiffness as it is; implicit steps lose energy by themselves",
            ),
            Engine::Ode => ((1.0, 0.0), false, "restitution_coefficient"),
            Engine::Bullet | Engine::Dart => {
                ((1.0, 0.0), false, "the restitutions of the two sides, which are multiplied")
            }
        };
        // The natural frequency is the present one, or that of a contact of [`MIN_STEPS_PER_CONTACT`] steps if
        // that is lower.
        let frequencies = cases.iter().filter_map(|(contact, _)| match contact {
            Contact::Mujoco(one) => Some(one.stiffness.sqrt() * one.impedance[1].min(0.9999)),
            _ => None,
        });
        let frequency = frequencies.fold(PI / (MIN_STEPS_PER_CONTACT * step), f64::min);
        Self { engine, step, frequency, range, logarithmic, limit }
    }

    /// Returns MuJoCo's `solref` for this damping ratio.
    fn solref(&self, ratio: f64) -> [String; 2] {
        [1.0 / (ratio * self.frequency), ratio].map(format_number)
    }

    /// Returns a contact for another x.
    fn contact(&self, contact: &Contact, x: f64) -> Contact {
        match contact {
            Contact::Mujoco(one) => {
                let solref = self.solref(x).map(|text| text.parse().unwrap_or(0.0));
                let (stiffness, damping) =
                    mujoco::spring_damper(solref, one.impedance[1], Some(self.step));
                Contact::Mujoco(mujoco::Contact { stiffness, damping, ..*one })
            }
            Contact::Drake(one) => Contact::Drake(one.with_dissipation(x)),
            Contact::Ode(one) => {
                let (threshold, speed_max) = (0.01, 100.0);
                Contact::Ode(ode::Contact { restitution: x, threshold, speed_max, ..*one })
            }
            Contact::Bullet(one) => Contact::Bullet(bullet::Contact { restitution: x, ..*one }),
            Contact::Dart(_) => Contact::Dart(dart::Contact { restitution: x }),
        }
    }

    /// Returns the text of a parameter for x.
    fn value(&self, parameter: &str, x: f64) -> String {
        match (self.engine, parameter) {
            (Engine::Mujoco, _) => self.solref(x).join(" "),
            (Engine::Ode, "threshold") => "0.01".into(),
            (Engine::Ode, "max_vel") => "100".into(),
            (Engine::Ode | Engine::Drake, _) => format_number(x),
            // The values of the two sides are multiplied, and both are set to the same value.
            (Engine::Bullet | Engine::Dart, _) => format_number(x.max(0.0).sqrt()),
        }
    }
}

/// Returns sentences on what is not delivered.
fn shortfall_sentences(
    requested: f64,
    delivered: f64,
    reachable: bool,
    pairs: &[PairReport],
    search: &ReboundSearch,
    step: f64,
) -> Vec<String> {
    let mut sentences = Vec::new();
    if !reachable && (delivered - requested).abs() > DELIVERED_TOLERANCE {
        sentences.push(format!(
            "a restitution of {requested} cannot be delivered with {} and a step of {step} s; the nearest is {delivered:.3}",
            search.limit
        ));
    }
    let off = |pair: &&PairReport| pair.restitution.is_some_and(|e| (e - delivered).abs() > 0.02);
    if let Some(pair) = pairs.iter().find(off) {
        let count = pairs.iter().filter(off).count();
        sentences.push(format!(
            "one number does not do for all: `{}` and `{}` deliver {:.3} at {} m/s ({count} of {} pairs and speeds are further \
             off than 0.02); ask for pairs or speeds one by one",
            pair.geometries[0],
            pair.geometries[1],
            pair.restitution.unwrap_or_default(),
            pair.speed,
            pairs.len()
        ));
    }
    let spread =
        |pair: &&PairReport| pair.restitution_range.is_some_and(|[low, high]| high - low > 0.1);
    if let Some([low, high]) = pairs.iter().find(spread).and_then(|pair| pair.restitution_range) {
        sentences.push(format!(
            "it is a mean: depending on where within a step the touch falls, {low:.3} to {high:.3} comes out; a shorter step \
             narrows that"
        ));
    }
    sentences
}
