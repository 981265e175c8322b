//! Beds of grains as text: scenes with `[grains]`, such as `scene/format/example-grains.toml`.

mod contact_table;
mod population;
mod start_check;
mod walls;

use super::bed::Bed;
use crate::math::Vec3;
use crate::note::NoteSummary;
use crate::scene::document::Document;
use crate::scene::reader::{Read, SceneTable};
use crate::scene::{
    Change, Control, Files, check_row_count, controls, gravity, name_change, output,
};
use carom::law::{Force, Work};
use contact_table::ContactTable;
use population::Population;

/// A bed of grains described by a scene, and the settings of its run.
#[derive(Clone, Debug)]
pub struct GranularScene {
    /// Title, a single line.
    pub title: String,
    /// Description.
    pub about: String,
    /// Bed in its initial state.
    pub bed: Bed,
    /// Duration of the run (s).
    pub duration: f64,
    /// Number of steps of the whole run.
    pub steps: u64,
    /// Steps between two rows of the energy table, and steps between two snapshots.
    pub every: (u64, u64),
    /// Largest accepted error of the energy ledger, relative to the energy turned over (the largest kinetic and stored energy, and
    /// all losses).
    pub energy_tolerance: f64,
    /// Warnings and advice found while reading the scene.
    pub notes: Vec<NoteSummary>,
    /// Format of the tables, if the scene gives one.
    pub format: Option<&'static str>,
    /// Keys that are meant to be varied.
    pub controls: Vec<Control>,
    /// Length of a step (s).
    step: f64,
}

/// Largest number of steps of a run: more would take months even for a single grain.
const MAX_STEPS: f64 = 1e12;
/// Largest number of grains: a grain takes about 300 bytes, and more grains would not fit into the memory of common
/// machines.
pub const MAX_GRAINS: usize = 10_000_000;
/// Relative tolerance within which a step counts as dividing the duration exactly.
const WHOLE_STEP_TOLERANCE: f64 = 1e-9;
/// Lower bound of the expected impact speed from which the step is chosen (m/s), for beds that start at rest without
/// falling.
const MIN_EXPECTED_SPEED: f64 = 0.01;

impl GranularScene {
    /// Returns whether a text is a scene of grains.
    pub fn recognizes(text: &str) -> bool {
        Document::parse(text).is_ok_and(|document| document.root().has("grains"))
    }

    /// Returns the length of a step (s).
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Reads a scene of grains; `files` returns the text of a file that the scene names.
    ///
    /// # Errors
    /// When something is wrong; the error has the line and the description of the first problem.
    ///
    /// ```
    /// let text = "[simulation]\nduration = \"1 ms\"\ngravity = 9.81\n[grains]\ncount = 8\n\
    ///             radius = \"1 mm\"\nmaterial = \"glass\"\nwidth = [0.01, 0.01]\n\
    ///             [grains.contact]\nlaw = \"tsuji-1992\"\nrestitution = 0.8\n";
    /// let scene = carom_world::grains::GranularScene::parse(text, &|_| Err("no files".into()))?;
    /// assert_eq!(scene.bed.position.len(), 8);
    /// assert!(scene.step() < 1e-6);
    /// # Ok::<(), carom_world::SceneError>(())
    /// ```
    pub fn parse(text: &str, files: Files) -> Read<Self> {
        Self::parse_with(text, files, &[])
    }

    /// Reads a scene with some of its keys changed.
    ///
    /// # Errors
    /// As for [`GranularScene::parse`], and when a change does not name a table of the scene.
    pub fn parse_with(text: &str, files: Files, changes: &[Change]) -> Read<Self> {
        Self::parse_few(text, files, changes, MAX_GRAINS)
    }

    /// Reads a scene of at most `most` grains; a scene with more is rejected before memory is allocated for them.
    ///
    /// # Errors
    /// As for [`GranularScene::parse_with`], and when there are more grains.
    pub fn parse_few(text: &str, files: Files, changes: &[Change], most: usize) -> Read<Self> {
        let document = Document::parse_with(text, changes)?;
        Self::read(&document, files, most).map_err(|error| name_change(error, changes))
    }

    /// Returns the number of rows of the longest table, that of the grains at snapshots, plus those of the energy table.
    pub fn rows(&self) -> f64 {
        let rows = |every: u64| (self.steps / every + 2) as f64;
        self.bed.position.len() as f64 * rows(self.every.1) + rows(self.every.0)
    }

    fn read(document: &Document, files: Files, most: usize) -> Read<Self> {
        let root = document.root();
        for other in ["body", "contact", "joint", "clearance", "spring", "force", "drag", "ground"]
        {
            if root.has(other) {
                let what = format!("[{other}] in a scene of grains");
                let advice =
                    "grains touch grains, the box and [[grains.wall]] only; make two scenes";
                return root.unsupported(other, what, advice);
            }
        }
        let title = root.text("title")?.unwrap_or_else(|| "grains".into());
        let about = root.text("about")?.unwrap_or_default();
        let simulation = root.required_table("simulation")?;
        let duration = simulation.required_quantity("duration")?;
        let sample = simulation.quantity("sample")?.unwrap_or(duration / 500.0);
        let given = simulation.quantity("step")?;
        let gravity = gravity(&simulation, false)?;
        let min_onset_speed = simulation.quantity("slowest_impact")?;
        let tolerance = simulation.quantity("energy_tolerance")?;
        simulation.finish()?;
        let grains = root.table("grains")?;
        let grains = root.or_missing("[grains]", grains, "add it with count and radius")?;
        let snapshot = grains.quantity("snapshot")?.unwrap_or(duration / 20.0);
        let population = Population::read(&grains, files, most)?;
        let contact = ContactTable::read(&grains, &population, files)?;
        let mut bed = walls::bed(&grains, &population, &contact)?;
        bed.gravity = gravity;
        if let Some(speed) = min_onset_speed {
            bed = grains.check(bed.with_min_onset_speed(speed))?;
        }
        let speed = expected_speed(&grains, &bed)?;
        grains.finish()?;
        let format = match root.table("output")? {
            Some(table) => {
                let format = output::format(&table)?;
                table.finish()?;
                format
            }
            None => None,
        };
        let controls = controls::read(document, &root)?;
        root.finish()?;
        let (step, mut notes) = grains.check(contact.step(&population, speed, given))?;
        // A step that divides the duration, up to rounding, is kept to the last bit, so that a run of twice the duration
        // takes the same steps. Any other step is shortened so that it divides the duration.
        let (steps, is_whole) = whole_steps(duration, step);
        let exact = if is_whole { step } else { duration / steps };
        if steps > MAX_STEPS {
            let advice = "take softer or larger grains, or a shorter run";
            return simulation.invalid(
                "step",
                step,
                format!("above duration/{MAX_STEPS:e}"),
                advice,
            );
        }
        if contact.laws.iter().any(|law| law.with(SearchesDamping)) {
            notes.push(NoteSummary::new(
                "search",
                "this law has no formula from restitution to damping: the damping is searched for at every \
                 onset, which is slow with many grains; use a power law such as `tsuji-1992`",
            ));
        }
        let (stiffness, friction) = grains.check(contact.tangential(speed))?;
        bed.parameters.tangential = stiffness;
        bed.parameters.friction = friction;
        if contact.mindlin {
            bed = bed.with_mindlin();
        }
        bed = grains.check(bed.with_tangential_damping(contact.damping_ratio))?;
        let every = |interval: f64| (interval / duration * steps).round().clamp(1.0, steps) as u64;
        let count = bed.position.len() as f64;
        for (key, table, interval, each) in
            [("sample", &simulation, sample, 1.0), ("snapshot", &grains, snapshot, count)]
        {
            let rows = (duration / interval).min(steps) * each;
            table.check_at(key, check_row_count(key, rows))?;
        }
        Ok(Self {
            title,
            about,
            bed,
            duration,
            steps: steps as u64,
            every: (every(sample), every(snapshot)),
            energy_tolerance: tolerance.unwrap_or(0.01),
            notes,
            format,
            controls,
            step: exact,
        })
    }
}

/// Returns the number of steps of a length in a duration, rounded up, and whether the step divides the duration up to
/// rounding.
pub(crate) fn whole_steps(duration: f64, step: f64) -> (f64, bool) {
    let ratio = duration / step;
    let nearest = ratio.round().max(1.0);
    let is_whole = (ratio - nearest).abs() <= WHOLE_STEP_TOLERANCE.max(4.0 * f64::EPSILON * ratio);
    (if is_whole { nearest } else { ratio.ceil().max(1.0) }, is_whole)
}

/// Returns the largest expected impact speed (m/s): as given, or that of a fall through the height of the bed.
fn expected_speed(table: &SceneTable, bed: &Bed) -> Read<f64> {
    if let Some(speed) = table.quantity("speed")? {
        return Ok(speed);
    }
    let down = bed.gravity.length();
    let up = bed.gravity.unit().map_or(Vec3::Z, |down| -down);
    let heights = bed.position.iter().map(|p| p.dot(up));
    let (low, high) =
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), h| (a.min(h), b.max(h)));
    let fall = if high > low { high - low } else { 0.0 };
    let start = bed.velocity.iter().map(|v| v.dot(*v)).fold(0.0, f64::max);
    Ok((start + 2.0 * down * fall).sqrt().max(MIN_EXPECTED_SPEED))
}

/// Tests whether a law has to search for its damping numerically at every onset.
struct SearchesDamping;

impl Work for SearchesDamping {
    type Output = bool;
    fn run<F: Force>(self, form: F) -> bool {
        form.requested().is_some()
    }
}
