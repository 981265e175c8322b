//! Interface of a computation in time that fills tables, as far as files need it.

use crate::Column;
use crate::table::{PendingTable, Tables};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A computation that proceeds step by step and fills tables. It does not handle files: the caller takes the complete pieces of its
/// tables ([`Tables::take`]) and saves a [`Checkpoint`] from time to time.
pub trait Simulation {
    /// Everything that is needed to resume except the tables, as plain data and exact to the last bit.
    type State: Serialize + DeserializeOwned;
    /// Summary of the results.
    type Summary: Serialize;
    /// Error of a step.
    type Error: std::error::Error + Send + Sync + 'static;
    /// Returns the tables.
    fn tables(&self) -> &Tables;
    /// Returns the tables mutably, so that pieces can be taken.
    fn tables_mut(&mut self) -> &mut Tables;
    /// Returns the current time (s).
    fn time(&self) -> f64;
    /// Returns the time at which the computation ends (s).
    fn duration(&self) -> f64;
    /// Takes at least one step and at most `limit` steps (at least 1), and returns how many it took.
    ///
    /// # Errors
    /// When the computation cannot continue.
    fn step(&mut self, limit: u64) -> Result<u64, Self::Error>;
    /// Returns true when the end is reached.
    fn done(&self) -> bool {
        self.time() >= self.duration()
    }
    /// Returns true if the next step may depend on the duration. A state before that step is also a state of every longer run,
    /// which makes it possible to extend a finished run.
    fn end_matters(&self) -> bool;
    /// Called after a step has failed. Returns true if the step changed nothing and the cause lies outside the simulation, so that
    /// the same step may be tried again later.
    fn can_try_again(&self) -> bool {
        false
    }
    /// Called after a step has failed. Writes the reached state as the last rows of the tables, and returns the time up to which
    /// these reach (s).
    fn fail(&mut self) -> f64;
    /// Returns everything that is needed to resume except the tables.
    fn state(&self) -> Self::State;
    /// Returns the summary of the results so far.
    fn summary(&self) -> Self::Summary;
    /// Returns everything that is needed to resume. Complete pieces of the tables are not included and must be taken first.
    fn checkpoint(&self) -> Checkpoint<Self::State> {
        Checkpoint { state: self.state(), pending: self.tables().pending() }
    }
}

/// Everything that is needed to resume a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct Checkpoint<S> {
    /// The state of the simulation.
    pub state: S,
    /// Rows that do not yet fill a piece of their table.
    pub pending: Vec<PendingTable>,
}

/// Runs to the end and returns all tables with their names, kept in memory; `watch` receives the time after every step.
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
