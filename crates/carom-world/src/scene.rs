//! Scenes as text: TOML with units, checked with line and suggestion.
//!
//! ```toml
//! title = "A ball that comes to rest"
//!
//! [simulation]
//! duration = "2 s"
//! gravity = "9.81 m/s^2"          # down: along −z, or −y where planar = true
//!
//! [ground]                         # the half-space below z = 0 (y = 0)
//! material = "steel"
//!
//! [[body]]
//! name = "ball"
//! shape = "sphere"
//! radius = "10 mm"
//! material = "steel"
//! position = ["0 m", "0 m", "0.1 m"]
//!
//! [[contact]]
//! between = ["ball", "ground"]
//! law = "hunt-crossley-1975"       # any law of `carom models`
//! restitution = 0.8
//! calibration = "exact"
//! ```
//!
//! A `[[clearance]]` with `ideal = true` is the ideal joint, for comparison. What is driven, and how, is in
//! `docs/scenes.md` under *Motions*.
//!
//! Every number may carry a unit; without one it is SI. Tables: `simulation`, `ground`, `body` (with
//! `body.part` for several shapes), `contact`, `joint`, `clearance`, `spring`, `force`, `drag`, `output`. A key that is
//! not known is an error that names the line and the nearest key.

mod again;
pub(crate) mod bodies;
mod change;
pub(crate) mod laws;
mod links;
mod motions;
pub(crate) mod output;
pub(crate) mod reader;
mod words;

use crate::World;
use crate::math::Vec3;
use carom::units::Dimension;
use carom::{Error, Result};
pub use output::Output;
use reader::{Document, Table};
use std::fmt;

pub use again::{DURATION, TIMES, Timing, duration, essence, said_at};
pub(crate) use change::blame;
pub use change::{Change, repeated};

/// A scene: a world, and for how long it runs.
#[derive(Clone, Debug)]
pub struct Scene {
    /// One line.
    pub title: String,
    /// What is known about it.
    pub about: String,
    /// The world.
    pub world: World,
    /// How long it runs (s).
    pub duration: f64,
    /// Interval of the results (s).
    pub sample: f64,
    /// Share of the energy turned over that may be unaccounted for at the end.
    pub energy_tolerance: f64,
    /// How results are written.
    pub output: Output,
    /// How many `[[clearance]]` there are.
    pub clearances: usize,
}

/// What is wrong with a scene, and where.
#[derive(Clone, PartialEq)]
pub struct SceneError {
    /// Line in the text, from 1; 0 where a change is at fault and not the text.
    pub line: usize,
    /// What is wrong.
    pub error: String,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.error),
            line => write!(f, "line {line}: {}", self.error),
        }
    }
}

impl fmt::Debug for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SceneError({self})")
    }
}

impl std::error::Error for SceneError {}

/// How a scene reads the files that it names: from a name to the text.
pub type Files<'a> = &'a dyn Fn(&str) -> std::result::Result<String, String>;

impl Scene {
    /// Rows of the longest of the tables with equal intervals.
    pub fn rows(&self) -> f64 {
        let world = &self.world;
        let each = world.bodies().len().saturating_sub(1).max(world.contacts().len()).max(1);
        (self.duration / self.sample + 2.0) * each as f64
    }

    /// Reads a scene; `files` gives the text of a file that the scene names.
    ///
    /// # Errors
    /// The line and the sentence for the first thing that is wrong.
    ///
    /// ```
    /// use carom_world::scene::Scene;
    /// let text = "[simulation]\nduration = \"1 s\"\ngravty = 9.81\n";
    /// let error = Scene::parse(text, &|_| Err("no files here".into())).unwrap_err();
    /// assert_eq!(error.to_string(), "line 3: no key `gravty`; did you mean `gravity`?");
    /// ```
    pub fn parse(text: &str, files: Files) -> std::result::Result<Self, SceneError> {
        Self::parse_with(text, files, &[])
    }

    /// Reads a scene and changes some of its keys before they are looked at.
    ///
    /// # Errors
    /// As [`Scene::parse`], and when a change names no table of the scene.
    ///
    /// ```
    /// use carom_world::scene::{Change, Scene};
    /// let text = "[simulation]\nduration = \"1 s\"\n";
    /// let longer = [Change::new("simulation", "duration", "3 s")];
    /// let scene = Scene::parse_with(text, &|_| Err("no files here".into()), &longer)?;
    /// assert_eq!(scene.duration, 3.0);
    /// # Ok::<(), carom_world::SceneError>(())
    /// ```
    pub fn parse_with(
        text: &str,
        files: Files,
        changes: &[Change],
    ) -> std::result::Result<Self, SceneError> {
        let document = Document::changed(text, changes)?;
        Self::read(&document, files).map_err(|error| change::blame(error, changes))
    }

    fn read(document: &Document, files: Files) -> std::result::Result<Self, SceneError> {
        let root = document.root();
        let title = root.text("title")?.unwrap_or_else(|| "scene".into());
        let about = root.text("about")?.unwrap_or_default();
        if root.has("grains") {
            let advice = "run it with `carom simulate`; here there are scenes of bodies only";
            let error = Error::unsupported("[grains] among bodies", advice);
            return Err(root.fail_at("grains", error));
        }
        let simulation = root.table("simulation")?;
        let Some(simulation) = simulation else {
            let missing = Error::missing("[simulation]", "add it with duration = \"1 s\"");
            return Err(root.fail(missing));
        };
        let duration = simulation.needed("duration", Dimension::TIME)?;
        let advice = "how long the scene runs, for example \"2 s\"";
        positive("duration", duration, advice).map_err(|e| simulation.fail_at("duration", e))?;
        let sample = simulation.quantity("sample", Dimension::TIME)?.unwrap_or(duration / 1000.0);
        let advice = "the time between two rows of the results";
        positive("sample", sample, advice).map_err(|error| simulation.fail_at("sample", error))?;
        let mut world =
            World { planar: simulation.flag("planar")?.unwrap_or(false), ..World::default() };
        world.gravity = gravity(&simulation, world.planar)?;
        if let Some(tolerance) = simulation.quantity("tolerance", Dimension::NUMBER)? {
            let allowed = Error::invalid(
                "tolerance",
                tolerance,
                "between 1e-13 and 1e-3",
                "1e-10 is the default",
            );
            if !(1e-13..=1e-3).contains(&tolerance) {
                return Err(simulation.fail_at("tolerance", allowed));
            }
            world.tolerance = tolerance;
        }
        if let Some(slowest) = simulation.quantity("slowest_impact", Dimension::SPEED)? {
            if !(slowest >= 0.0 && slowest.is_finite()) {
                let advice = "it is the least v0 that laws are told, 0 for none; leave it out for one that follows from the weight";
                let allowed = "a finite number of at least 0";
                let error = Error::invalid("slowest_impact", slowest, allowed, advice);
                return Err(simulation.fail_at("slowest_impact", error));
            }
            world.slowest = Some(slowest);
        }
        let energy_tolerance = energy_tolerance(&simulation)?.unwrap_or(1e-6);
        simulation.finish()?;
        let parts = bodies::read(&root, &mut world, files)?;
        laws::read(&root, &mut world, &parts)?;
        links::read(&root, &mut world, &parts, files)?;
        let output = output::read(&root, &world)?;
        root.finish()?;
        let moving = world.bodies().len().saturating_sub(1).max(world.contacts().len()).max(1);
        few_rows("sample", duration / sample * moving as f64, MOST_ROWS)
            .map_err(|error| simulation.fail_at("sample", error))?;
        let clearances = root.tables("clearance")?.len();
        Ok(Self { title, about, world, duration, sample, energy_tolerance, output, clearances })
    }
}

/// Most rows of a table: some hundred gigabytes.
pub(crate) const MOST_ROWS: f64 = 1e9;

/// Refuses a table of more than so many rows, which follow from the interval with this name.
pub(crate) fn few_rows(interval: &str, rows: f64, most: f64) -> Result<()> {
    if rows <= most {
        return Ok(());
    }
    let found = format!("so short that a table would have {rows:.3e} rows");
    let allowed =
        format!("at most {most:e} rows, one for each body, contact or grain every `{interval}`");
    Err(Error::invalid(interval, found, allowed, "take a longer interval, or a shorter run"))
}

pub(crate) fn positive(name: &str, value: f64, advice: &str) -> Result<f64> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Error::invalid(name, value, "a finite number above 0", advice))
}

/// The share of the energy turned over that may be unaccounted for, where it is said.
pub(crate) fn energy_tolerance(table: &Table) -> std::result::Result<Option<f64>, SceneError> {
    let key = "energy_tolerance";
    let Some(share) = table.quantity(key, Dimension::NUMBER)? else { return Ok(None) };
    let advice = "the share of the energy turned over that may be unaccounted for";
    positive(key, share, advice).map(Some).map_err(|error| table.fail_at(key, error))
}

/// A number points down, three are a vector.
pub(crate) fn gravity(table: &Table, planar: bool) -> std::result::Result<Vec3, SceneError> {
    if table.is_list("gravity") {
        return Ok(table.vector("gravity", Dimension::ACCELERATION)?.unwrap_or_default());
    }
    let size = table.quantity("gravity", Dimension::ACCELERATION)?.unwrap_or(0.0);
    Ok(up(planar) * -size)
}

/// Away from the ground.
fn up(planar: bool) -> Vec3 {
    if planar { Vec3::Y } else { Vec3::Z }
}

#[cfg(test)]
mod tests;
