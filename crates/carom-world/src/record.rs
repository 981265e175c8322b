//! What a simulation leaves behind: tables that grow, a summary, and everything that is needed to go on.
//!
//! A [`Simulation`] is something that runs step by step and fills tables on its way. It knows nothing of
//! files: whoever drives it takes the pieces of tables that are complete ([`Simulation::ready`]), puts them
//! where they belong, and keeps [`Simulation::save`] from time to time. Where a piece ends depends on the rows
//! alone and never on when they were taken or saved, so a run that is stopped and resumed leaves the same
//! pieces, and the same bytes, as one that was not.
//!
//! [`Recorded`] is the simulation of a scene of bodies; [`crate::grains::Poured`] that of a bed of grains.

pub mod gallery;
pub(crate) mod motion;
mod rows;
mod summary;
pub mod tables;

pub use gallery::Gallery;
pub use motion::{Recorded, SavedRun};
pub use rows::{Field, Kind, Rows, SavedRows, Table};
pub use summary::{ContactSummary, NoteSummary, Summary};

use carom::Result;
use carom::sweep::{Column, Values};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Something that runs and fills tables.
pub trait Simulation {
    /// Everything that is needed to go on, as plain data, exact to the last bit.
    type Saved: Serialize + DeserializeOwned;
    /// What came of it.
    type Summary: Serialize;
    /// The tables: their names, and their columns without rows.
    fn tables(&self) -> Vec<(&'static str, Vec<Column>)>;
    /// The time now (s).
    fn time(&self) -> f64;
    /// The time at which it ends (s).
    fn duration(&self) -> f64;
    /// One step, or a few but at most so many (at least 1); how many it took.
    ///
    /// # Errors
    /// When it cannot go on.
    fn step(&mut self, most: u64) -> Result<u64>;
    /// True when the end is reached.
    fn done(&self) -> bool {
        self.time() >= self.duration()
    }
    /// True where the next step may depend on where the run ends. What was saved before is also that of a run that goes
    /// on for longer, which is how a finished run is extended.
    fn end_matters(&self) -> bool;
    /// After a step that was refused: writes down where it stands, as the last rows of its tables, and says up
    /// to which time these reach (s).
    fn fail(&mut self) -> f64;
    /// Pieces of tables that are complete, each with the number of its table; at the end the rest as well.
    /// They are handed out once.
    fn ready(&mut self, end: bool) -> Vec<(usize, Vec<Column>)>;
    /// Everything that is needed to go on. Pieces that are ready are not part of it: take them first.
    fn save(&self) -> Self::Saved;
    /// What came of it so far.
    fn summary(&self) -> Self::Summary;
}

/// Runs to the end and keeps all tables in memory.
///
/// # Errors
/// When the simulation cannot go on.
///
/// ```
/// use carom_world::record::{Recorded, collect};
/// use carom_world::Scene;
/// let text = "[simulation]\nduration = \"1 s\"\nsample = \"0.5 s\"\ngravity = 10\n\
///             [[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1]\n";
/// let scene = Scene::parse(text, &|_| Err("no files".into()))?;
/// let tables = collect(&mut Recorded::new(&scene)?, |_| Ok(()))?;
/// let (name, columns) = &tables[0];
/// assert_eq!((*name, columns[0].values.len()), ("trajectory", 3));
/// assert!((columns[4].values.real(2).unwrap() + 5.0).abs() < 1e-12); // z = -g t^2/2
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collect<S: Simulation>(
    simulation: &mut S,
    mut watch: impl FnMut(f64) -> Result<()>,
) -> Result<Vec<(&'static str, Vec<Column>)>> {
    let mut tables = simulation.tables();
    let mut put = |pieces: Vec<(usize, Vec<Column>)>| {
        for (number, piece) in pieces {
            let Some((_, columns)) = tables.get_mut(number) else { continue };
            columns.iter_mut().zip(piece).for_each(|(column, more)| append(column, more));
        }
    };
    while !simulation.done() {
        simulation.step(u64::MAX)?;
        put(simulation.ready(false));
        watch(simulation.time())?;
    }
    put(simulation.ready(true));
    Ok(tables)
}

/// Adds the rows of one column to another of the same kind.
fn append(column: &mut Column, more: Column) {
    match (&mut column.values, more.values) {
        (Values::Real(a), Values::Real(b)) => a.extend(b),
        (Values::Whole(a), Values::Whole(b)) => a.extend(b),
        (Values::Word { index: a, .. }, Values::Word { index: b, .. }) => a.extend(b),
        _ => {}
    }
}
