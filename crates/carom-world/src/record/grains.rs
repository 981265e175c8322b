//! Simulation of a bed of grains, with its tables.

use super::bodies::shorter_than_reached;
use super::figure_data::ThinnedSeries;
use super::tables::{self, BedRow, GrainContactRow, GrainRow, PARTNERS};
use crate::checkpoint::another_scene;
use crate::grains::{Bed, BedEnergies, GranularScene, SavedBed, StepError};
use crate::note::NoteSummary;
use carom::message::Action;
use carom::{Error, Result};
use carom_store::table::Tables;
use carom_store::{Checkpoint, Simulation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Largest number of steps in one call of `step`, so that a run can be stopped in between.
const STEPS_PER_CALL: u64 = 32;
/// Largest number of threads.
const THREADS_LIMIT: usize = 1024;
/// Largest number of rows of the series from which figures are drawn.
const FIGURE_ROWS: usize = 2048;
/// Overlap relative to the radius above which contact laws for small indentations are not valid.
const OVERLAP_LIMIT: f64 = 0.1;
/// A note is given if the fixed step changes a restitution by more than this.
const RESTITUTION_ERROR_LIMIT: f64 = 0.02;

/// Simulation of a bed of grains.
#[derive(Clone)]
pub struct GrainSimulation<'s> {
    scene: &'s GranularScene,
    bed: Bed,
    /// Number of steps taken.
    steps: u64,
    begun: bool,
    tables: Tables,
    energies: ThinnedSeries,
    /// Largest sum of kinetic and stored energy so far (J).
    energy_max: f64,
    /// Largest indentation so far, relative to the smaller radius.
    overlap_max: f64,
    /// Time of the last row of the ledger (s).
    reached: f64,
    /// Error of the step at the fastest onset so far, as of the last row.
    step_error: Option<StepError>,
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// State of a simulation without its tables, as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GrainSimulationState {
    /// State of the bed; none before the first step.
    bed: Option<SavedBed>,
    steps: u64,
    #[serde(with = "crate::bits")]
    energy_max: f64,
    #[serde(with = "crate::bits")]
    overlap_max: f64,
    /// Restitution and speed of the step error, as bits.
    step_error: Option<[u64; 2]>,
    energies: ThinnedSeries,
}

/// Results of the simulation of a bed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct BedSummary {
    /// Title of the scene.
    pub title: String,
    /// Time reached (s).
    pub time: f64,
    /// Whether the end of the run is reached.
    pub finished: bool,
    /// Number of steps taken.
    pub steps: u64,
    /// Length of a step (s).
    pub step: f64,
    /// Number of times that neighbour lists were built.
    pub lists: u64,
    /// Number of grains.
    pub grains: usize,
    /// Energy ledger and packing of the bed.
    pub energy: BedEnergies,
    /// Energy turned over in the bed (J): the largest kinetic and stored energy, and all losses.
    pub turned: f64,
    /// Error of restitutions due to the fixed step; none before the first contact.
    pub step_error: Option<StepError>,
    /// Warnings.
    pub notes: Vec<NoteSummary>,
}

impl<'s> GrainSimulation<'s> {
    /// Creates the simulation at the start of the scene.
    pub fn new(scene: &'s GranularScene) -> Self {
        let partners = PARTNERS.map(String::from).to_vec();
        Self {
            scene,
            bed: scene.bed.clone(),
            steps: 0,
            begun: false,
            tables: Tables::default()
                .with(&tables::GRAINS, [])
                .with(&tables::GRAIN_CONTACTS, [("with", partners)])
                .with(&tables::BED_ENERGIES, []),
            energies: ThinnedSeries::of(&tables::BED_ENERGIES, FIGURE_ROWS),
            energy_max: 0.0,
            overlap_max: 0.0,
            reached: 0.0,
            step_error: None,
            pool: None,
        }
    }

    /// Creates the simulation from a checkpoint. Its results are the same as those of a run that was never stopped.
    ///
    /// # Errors
    /// When the checkpoint belongs to another bed.
    pub fn resume(
        scene: &'s GranularScene,
        checkpoint: &Checkpoint<GrainSimulationState>,
    ) -> Result<Self> {
        let Checkpoint { state: saved, pending } = checkpoint;
        let mut run = Self::new(scene);
        if !run.energies.has_same_layout(&saved.energies) {
            return Err(another_scene());
        }
        run.tables = run.tables.restored(pending).ok_or_else(another_scene)?;
        if let Some(bed) = &saved.bed {
            run.bed = run.bed.restored(bed)?;
            run.begun = true;
        }
        if saved.steps > scene.steps {
            return Err(shorter_than_reached(scene.duration, saved.steps as f64 * scene.step()));
        }
        run.steps = saved.steps;
        run.energy_max = saved.energy_max;
        run.overlap_max = saved.overlap_max;
        run.step_error = saved.step_error.map(|bits| {
            let [restitution, speed] = bits.map(f64::from_bits);
            StepError { restitution, speed }
        });
        run.energies = saved.energies.clone();
        let rows = saved.steps / scene.every.0;
        run.reached = (rows * scene.every.0) as f64 * scene.step();
        Ok(run)
    }

    /// Returns this simulation on a number of threads; the results are identical to the last bit for any number.
    ///
    /// # Errors
    /// When the operating system cannot provide the threads.
    pub fn on_threads(mut self, threads: usize) -> Result<Self> {
        if threads > THREADS_LIMIT {
            let allowed = format!("at most {THREADS_LIMIT}");
            let advice = "as many as there are cores serve best";
            return Err(Error::invalid("threads", threads, allowed, advice));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|why| {
            let advice = carom::message!["ask for fewer with ", Action::give("threads")];
            Error::numerical("the threads", why.to_string(), advice)
        })?;
        self.pool = Some(Arc::new(pool));
        Ok(self)
    }

    /// Returns the bed in its present state.
    pub fn bed(&self) -> &Bed {
        &self.bed
    }

    /// Returns the data from which figures are drawn: the columns of [`tables::BED_ENERGIES`].
    pub fn energies(&self) -> &ThinnedSeries {
        &self.energies
    }

    fn run_steps(&mut self, steps: u64) {
        let (bed, h) = (&mut self.bed, self.scene.step());
        match &self.pool {
            Some(pool) => pool.install(|| bed.run(h, steps as usize)),
            None => bed.run(h, steps as usize),
        }
    }

    fn record_ledger(&mut self) -> Result<()> {
        let (t, e) = (self.time(), self.bed.energies());
        let all = [
            e.kinetic,
            e.potential,
            e.stored,
            e.lost_in_contacts,
            e.lost_to_friction,
            e.lost_to_rolling,
            e.error,
        ];
        if !all.iter().all(|value| value.is_finite()) {
            return Err(Error::numerical(
                "the bed",
                format!("the position of a grain is not finite at t = {t} s"),
                "take a shorter step, or a law whose damping exists at every speed; check units",
            ));
        }
        self.measure_step(e.fastest)?;
        let restitution_error = self.step_error.map_or(0.0, |error| error.restitution);
        let row = BedRow { time: t, bed: e, restitution_error };
        self.tables.rows(&tables::BED_ENERGIES).push(&row);
        self.reached = t;
        self.energies.push(|column| tables::BED_ENERGIES.number(column, &row));
        self.energy_max = self.energy_max.max(e.kinetic + e.stored);
        self.overlap_max = self.overlap_max.max(e.overlap_max);
        let (share, turned) = (self.scene.energy_tolerance, self.turned(&e));
        if e.error.abs() > share * turned {
            return Err(Error::numerical(
                "the bed",
                format!(
                    "the energy ledger does not close: at t = {t} s it is off by {:.3e} J, where {:.3e} J ({share} of the \
                     energy turned over) are allowed",
                    e.error,
                    share * turned
                ),
                "check units, stiffness and the step; `energy_tolerance` is the share that is allowed",
            ));
        }
        Ok(())
    }

    /// Returns the energy turned over in the bed (J).
    fn turned(&self, e: &BedEnergies) -> f64 {
        self.energy_max
            + e.lost_in_contacts.abs()
            + e.lost_to_friction.abs()
            + e.lost_to_rolling.abs()
    }

    /// Computes the error of the step again if the largest approach speed has increased.
    fn measure_step(&mut self, fastest: f64) -> Result<()> {
        // Not at every increase, because this takes long for a law whose damping must be searched for.
        if fastest > 1.01 * self.step_error.map_or(0.0, |error| error.speed) {
            self.step_error = self.bed.step_error(self.scene.step(), fastest)?;
        }
        Ok(())
    }

    fn record_snapshot(&mut self) {
        let (time, bed) = (self.time(), &self.bed);
        let mut rows = self.tables.rows(&tables::GRAINS);
        for (grain, &position) in bed.position.iter().enumerate() {
            let (velocity, spin, radius) =
                (bed.velocity[grain], bed.spin[grain], bed.radius[grain]);
            rows.push(&GrainRow { time, grain, radius, position, velocity, spin });
        }
        let mut rows = self.tables.rows(&tables::GRAIN_CONTACTS);
        for contact in bed.contacts() {
            rows.push(&GrainContactRow { time, contact });
        }
    }
}

impl Simulation for GrainSimulation<'_> {
    type State = GrainSimulationState;
    type Summary = BedSummary;
    type Error = Error;

    fn tables(&self) -> &Tables {
        &self.tables
    }
    fn tables_mut(&mut self) -> &mut Tables {
        &mut self.tables
    }
    fn time(&self) -> f64 {
        match self.steps >= self.scene.steps {
            true => self.scene.duration,
            false => self.steps as f64 * self.scene.step(),
        }
    }
    fn duration(&self) -> f64 {
        self.scene.duration
    }
    fn step(&mut self, limit: u64) -> Result<u64> {
        if !self.begun {
            self.run_steps(0);
            self.begun = true;
            self.record_ledger()?;
            self.record_snapshot();
        }
        let (ledger, snapshot) = self.scene.every;
        let to = |every: u64| every - self.steps % every;
        let most = STEPS_PER_CALL.min(limit.max(1));
        let steps = most.min(to(ledger)).min(to(snapshot)).min(self.scene.steps - self.steps);
        self.run_steps(steps);
        self.steps += steps;
        let last = self.steps >= self.scene.steps;
        if last || self.steps.is_multiple_of(ledger) {
            self.record_ledger()?;
        }
        if last || self.steps.is_multiple_of(snapshot) {
            self.record_snapshot();
        }
        Ok(steps)
    }
    fn fail(&mut self) -> f64 {
        // A state with positions that are not finite is not recorded, so the results reach only to the last row.
        self.reached
    }
    fn end_matters(&self) -> bool {
        self.scene.steps - self.steps.min(self.scene.steps) <= STEPS_PER_CALL
    }
    fn state(&self) -> GrainSimulationState {
        GrainSimulationState {
            bed: self.begun.then(|| self.bed.save()),
            steps: self.steps,
            energy_max: self.energy_max,
            overlap_max: self.overlap_max,
            step_error: self.step_error.map(|e| [e.restitution, e.speed].map(f64::to_bits)),
            energies: self.energies.clone(),
        }
    }
    fn summary(&self) -> BedSummary {
        let energy = self.bed.energies();
        let turned = self.turned(&energy);
        let mut notes = self.scene.notes.clone();
        if let Some(StepError { restitution, speed }) = self.step_error
            && restitution > RESTITUTION_ERROR_LIMIT
        {
            let step = self.scene.step();
            notes.push(NoteSummary::new(
                "step",
                format!(
                    "steps of {step:.3e} s put the restitution of impacts at {speed:.3} m/s, the fastest of this run, off by \
                     up to {restitution:.3}: take a shorter `step`, or say with `speed` how fast grains will hit each other"
                ),
            ));
        }
        if self.overlap_max > OVERLAP_LIMIT {
            notes.push(NoteSummary::new(
                "overlap",
                format!(
                    "grains overlapped by up to {:.0} % of their radius; contact laws are meant for less: take a \
                     larger stiffness, and move grains apart that overlap where the scene begins",
                    100.0 * self.overlap_max
                ),
            ));
        }
        BedSummary {
            title: self.scene.title.clone(),
            time: self.time(),
            finished: self.steps >= self.scene.steps,
            steps: self.steps,
            step: self.scene.step(),
            lists: self.bed.lists,
            grains: self.bed.position.len(),
            energy,
            turned,
            step_error: self.step_error,
            notes,
        }
    }
}
