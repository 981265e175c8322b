//! A computation in time that fills tables, as far as files must know it.

use crate::Column;
use crate::table::{PendingTable, Tables};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A computation that goes step by step and fills tables. It knows nothing of files: whoever drives it takes the
/// complete pieces of its tables ([`Tables::take`]) and keeps a [`Checkpoint`] from time to time.
pub trait Simulation {
    /// Everything that is needed to resume except the tables, as plain data, exact to the last bit.
    type State: Serialize + DeserializeOwned;
    /// The results in short.
    type Summary: Serialize;
    /// Why a step fails.
    type Error: std::error::Error + Send + Sync + 'static;
    /// The tables.
    fn tables(&self) -> &Tables;
    /// The tables, to take pieces of.
    fn tables_mut(&mut self) -> &mut Tables;
    /// The current time (s).
    fn time(&self) -> f64;
    /// The time at which it ends (s).
    fn duration(&self) -> f64;
    /// Takes one step or a few, but at most `limit` (at least 1), and returns how many it took.
    ///
    /// # Errors
    /// When the computation cannot continue.
    fn step(&mut self, limit: u64) -> Result<u64, Self::Error>;
    /// True when the end is reached.
    fn done(&self) -> bool {
        self.time() >= self.duration()
    }
    /// True when the next step may depend on the duration. A state before that is also a state of every longer
    /// run, which is how a finished run is extended.
    fn end_matters(&self) -> bool;
    /// After a step has failed: true when nothing has changed by it, and the reason lies outside the simulation, so that the
    /// same step may be tried again later.
    fn can_try_again(&self) -> bool {
        false
    }
    /// After a step has failed: writes the state reached as the last rows of the tables, and returns the time up
    /// to which these reach (s).
    fn fail(&mut self) -> f64;
    /// Everything that is needed to resume except the tables.
    fn state(&self) -> Self::State;
    /// The results so far, in short.
    fn summary(&self) -> Self::Summary;
    /// Everything that is needed to resume. Complete pieces of tables are not part of it: take these first.
    fn checkpoint(&self) -> Checkpoint<Self::State> {
        Checkpoint { state: self.state(), pending: self.tables().pending() }
    }
}

/// Everything that is needed to resume a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct Checkpoint<S> {
    /// The state of the simulation.
    pub state: S,
    /// Rows that do not fill a piece of their table yet.
    pub pending: Vec<PendingTable>,
}

/// Runs to the end and keeps all tables in memory, with their names; `watch` is given the time after every step.
///
/// # Errors
/// When the simulation cannot continue, or `watch` ends it.
pub fn collect<S: Simulation>(
    simulation: &mut S,
    mut watch: impl FnMut(f64) -> Result<(), S::Error>,
) -> Result<Vec<(&'static str, Vec<Column>)>, S::Error> {
    let mut tables = simulation.tables().empty();
    let mut append = |pieces: Vec<(usize, Vec<Column>)>| {
        for (number, piece) in pieces {
            let Some((_, columns)) = tables.get_mut(number) else { continue };
            let pairs = columns.iter_mut().zip(piece);
            pairs.for_each(|(column, more)| column.values.append(more.values));
        }
    };
    while !simulation.done() {
        simulation.step(u64::MAX)?;
        append(simulation.tables_mut().take(false));
        watch(simulation.time())?;
    }
    append(simulation.tables_mut().take(true));
    Ok(tables)
}
