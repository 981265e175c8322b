//! Scenes as text: TOML with units, checked, with errors that name the line and suggest a correction.
//!
//! Every number may have a unit; without one it is in SI units. A key that is not known is an error that names the line and the
//! most similar key. All tables and keys are declared in [`mod@format`], and `carom reference scene` prints these declarations;
//! `format/example-bodies.toml` uses every one of them.

mod auto_contacts;
pub(crate) mod bodies;
mod change;
pub(crate) mod controls;
pub(crate) mod document;
pub mod format;
mod joints;
pub(crate) mod laws;
mod links;
mod method;
pub(crate) mod motions;
mod motors;
mod mounts;
pub(crate) mod output;
pub(crate) mod reader;
mod sensors;
mod words;

use crate::World;
use crate::math::Vec3;
use carom::{Error, Result};
use document::Document;
pub use output::Output;
use reader::{Read, SceneTable};
use std::fmt;

pub use change::{Change, repeated_keys};
pub(crate) use change::{name_change, value_at};
pub use controls::Control;

/// A scene: a world, and the data of its simulation.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Title, one line.
    pub title: String,
    /// Description.
    pub about: String,
    /// The world.
    pub world: World,
    /// Duration of the simulation (s).
    pub duration: f64,
    /// Sampling interval of the results (s).
    pub sample: f64,
    /// Largest error of the energy ledger at the end, divided by the energy turned over, that is accepted.
    pub energy_tolerance: f64,
    /// Format of the results.
    pub output: Output,
    /// Number of `[[clearance]]` tables.
    pub clearances: usize,
    /// Time between two calls of a controller (s), if there is one.
    pub control_interval: Option<f64>,
    /// Controls: keys that are meant to be varied.
    pub controls: Vec<Control>,
}

/// An error in a scene, with its location. Its advice is worded in keys of scenes.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// Location of the error.
    pub location: Location,
    /// What is wrong.
    pub error: Error,
}

/// Location of an error in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A line of the text, counted from 1.
    Line(usize),
    /// One of the changes of keys, counted from 0.
    Change(usize),
    /// The scene as a whole.
    Scene,
}

impl SceneError {
    /// Creates an error that concerns the scene as a whole.
    pub(crate) fn of_scene(error: Error) -> Self {
        Self { location: Location::Scene, error }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentence = self.error.worded(&words::SceneKeys);
        match self.location {
            Location::Line(line) => write!(f, "line {line}: {sentence}"),
            Location::Change(_) | Location::Scene => f.write_str(&sentence),
        }
    }
}

impl std::error::Error for SceneError {}

/// Function that returns the text of a file that a scene names.
pub type Files<'a> = &'a dyn Fn(&str) -> std::result::Result<String, String>;

impl Scene {
    /// Estimates the number of rows of the longest of the tables with equal intervals, and thus the size of the results.
    pub fn rows(&self) -> f64 {
        (self.duration / self.sample + 2.0) * rows_per_sample(&self.world)
    }

    /// Reads a scene; `files` returns the text of a file that the scene names.
    ///
    /// The first error in the text, with its line.
    ///
    /// ```
    /// use carom_world::scene::Scene;
    /// let text = "[simulation]\nduration = \"1 s\"\ngravty = 9.81\n";
    /// let error = Scene::parse(text, &|_| Err("no files here".into())).unwrap_err();
    /// assert_eq!(error.to_string(), "line 3: no key `gravty`; did you mean `gravity`?");
    /// ```
    pub fn parse(text: &str, files: Files) -> Read<Self> {
        Self::parse_with(text, files, &[])
    }

    /// Reads a scene in which some keys are first set to other values.
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
    pub fn parse_with(text: &str, files: Files, changes: &[Change]) -> Read<Self> {
        let document = Document::parse_with(text, changes)?;
        Self::read(&document, files).map_err(|error| change::name_change(error, changes))
    }

    fn read(document: &Document, files: Files) -> Read<Self> {
        let root = document.root();
        root.refuse_unknown_keys()?;
        let title = root.text("title")?.unwrap_or_else(|| "scene".into());
        let about = root.text("about")?.unwrap_or_default();
        if root.has("grains") {
            let advice = "run it with `carom simulate`; here there are scenes of bodies only";
            return root.unsupported("grains", "[grains] among bodies", advice);
        }
        let simulation = root.required_table("simulation")?;
        let duration = simulation.required_quantity("duration")?;
        let sample = simulation.quantity("sample")?.unwrap_or(duration / 1000.0);
        let mut world = World { planar: simulation.flag("planar")?, ..World::default() };
        world.gravity = gravity(&simulation, world.planar)?;
        world.tolerance = simulation.quantity("tolerance")?.unwrap_or(world.tolerance);
        world.min_onset_speed = simulation.quantity("slowest_impact")?;
        world.assemble = simulation.quantity("assemble")?;
        world.in_equilibrium = simulation.required_choice("start", "start")? == "equilibrium";
        let control_interval = simulation.quantity("control_interval")?;
        simulation.choice("contact", "contact")?;
        let rigid = method::read(&simulation)?;
        world.method = rigid.method;
        let energy_tolerance = simulation.quantity("energy_tolerance")?;
        let energy_tolerance = energy_tolerance.unwrap_or(rigid.energy_tolerance());
        simulation.finish()?;
        let parts = bodies::read(&root, &mut world, files)?;
        laws::read(&root, &mut world, &parts, files)?;
        links::read(&root, &mut world, &parts, files)?;
        auto_contacts::read(&root, &simulation, &mut world, &parts, files)?;
        motors::read(&root, &mut world, files)?;
        if control_interval.is_none() && world.held_motors().next().is_some() {
            let advice = "give the time between two calls of the controller, in [simulation]";
            return simulation.missing("control_interval", advice);
        }
        sensors::read(&root, &mut world)?;
        let output = output::read(&root, &world)?;
        let controls = controls::read(document, &root)?;
        root.finish()?;
        rigid.choose_step(&simulation, &mut world, (sample, duration))?;
        let rows = check_row_count("sample", duration / sample * rows_per_sample(&world));
        simulation.check_at("sample", rows)?;
        let clearances = root.tables("clearance")?.len();
        Ok(Self {
            title,
            about,
            world,
            duration,
            sample,
            energy_tolerance,
            output,
            clearances,
            control_interval,
            controls,
        })
    }
}

/// Returns the number of rows of the longest table for each sample: one for each body or contact.
fn rows_per_sample(world: &World) -> f64 {
    world.bodies().len().saturating_sub(1).max(world.contacts().len()).max(1) as f64
}

/// Largest number of rows of a table, which corresponds to some hundred gigabytes.
const MAX_ROWS: f64 = 1e9;

/// Refuses an output interval, given by its key, that would make a table of more than [`MAX_ROWS`] rows.
pub(crate) fn check_row_count(interval: &str, rows: f64) -> Result<()> {
    if rows <= MAX_ROWS {
        return Ok(());
    }
    let found = format!("so short that a table would have {rows:.3e} rows");
    let each = "one for each body, contact or grain every";
    let allowed = format!("at most {MAX_ROWS:e} rows, {each} `{interval}`");
    Err(Error::invalid(interval, found, allowed, "take a longer interval, or a shorter run"))
}

/// Reads gravity: a number is the magnitude of a downward vector, a list of numbers is a vector.
pub(crate) fn gravity(table: &SceneTable, planar: bool) -> Read<Vec3> {
    if table.is_list("gravity") {
        return Ok(table.vector("gravity")?.unwrap_or_default());
    }
    let size: f64 = table.required_quantity("gravity")?;
    if size < 0.0 {
        let upwards = if planar { "[0, 9.81]" } else { "[0, 0, 9.81]" };
        let advice = format!(
            "leave out the sign, or give a vector for another direction, such as {upwards} for upwards"
        );
        return table.invalid("gravity", size, "at least 0, because a number points down", &advice);
    }
    Ok(up(planar) * -size)
}

/// Returns the upward direction.
fn up(planar: bool) -> Vec3 {
    if planar { Vec3::Y } else { Vec3::Z }
}

#[cfg(test)]
mod tests;
