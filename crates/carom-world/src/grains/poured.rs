//! A bed of grains that runs and writes down what happens.

use super::bed::Bed;
use super::energy::{BedContact, BedEnergies};
use super::neighbour_list::Partner;
use super::save::SavedBed;
use super::scene::GranularScene;
use super::step_error::StepError;
use crate::record::gallery::Course;
use crate::record::motion::too_short;
use crate::record::{NoteSummary, Rows, SavedRows, Simulation, tables};
use carom::sweep::Column;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Steps between two looks at whether to go on.
const AT_ONCE: u64 = 32;
/// Most threads.
const MOST_THREADS: usize = 1024;
/// Rows of the course that figures are drawn from.
const ROWS: usize = 2048;
/// Overlap, as a share of the radius, above which laws of small indentations are asked too much.
const DEEP: f64 = 0.1;
/// Error of a restitution by the fixed step above which there is a note.
const COARSE: f64 = 0.02;

/// The simulation of a bed.
#[derive(Clone)]
pub struct Poured<'s> {
    scene: &'s GranularScene,
    bed: Bed,
    done: u64,
    begun: bool,
    rows: [Rows; 3],
    course: Course,
    largest: f64,
    deepest: f64,
    /// Time of the last row of the ledger (s).
    reached: f64,
    /// The error of the step at the fastest touch so far, as of the last row.
    step_error: Option<StepError>,
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// A bed on its way, as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedPour {
    /// Nothing before the first step.
    bed: Option<SavedBed>,
    done: u64,
    largest: u64,
    deepest: u64,
    /// Restitution and speed of the error of the step.
    step_error: Option<[u64; 2]>,
    rows: Vec<SavedRows>,
    course: Course,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct BedSummary {
    /// Title of the scene.
    pub title: String,
    /// Time reached (s).
    pub time: f64,
    /// Whether that is the end.
    pub finished: bool,
    /// Steps taken.
    pub steps: u64,
    /// Length of a step (s).
    pub step: f64,
    /// Lists of neighbours made.
    pub lists: u64,
    /// How many grains.
    pub grains: usize,
    /// The ledger, and how dense the bed is.
    pub energy: BedEnergies,
    /// Energy that went through the bed (J).
    pub turned: f64,
    /// How far the fixed step puts restitutions off; nothing before anything has touched.
    pub step_error: Option<StepError>,
    /// What is worth knowing.
    pub notes: Vec<NoteSummary>,
}

impl<'s> Poured<'s> {
    /// From the start.
    pub fn new(scene: &'s GranularScene) -> Self {
        let with = vec!["grain".to_string(), "wall".to_string()];
        Self {
            scene,
            bed: scene.bed.clone(),
            done: 0,
            begun: false,
            rows: [
                Rows::new(&tables::SNAPSHOTS, Vec::new()),
                Rows::new(&tables::TOUCHES, vec![with]),
                Rows::new(&tables::BED, Vec::new()),
            ],
            course: Course::new(WIDTH, ROWS),
            largest: 0.0,
            deepest: 0.0,
            reached: 0.0,
            step_error: None,
            pool: None,
        }
    }

    /// From where it was saved, exactly as it would have gone on.
    ///
    /// # Errors
    /// When what was saved is of another bed.
    pub fn resume(scene: &'s GranularScene, saved: &SavedPour) -> Result<Self> {
        let other = || {
            let advice = "resume with the scene that was stopped, unchanged";
            Error::unsupported("a checkpoint of another bed", advice)
        };
        let mut poured = Self::new(scene);
        if saved.rows.len() != poured.rows.len() || !poured.course.alike(&saved.course) {
            return Err(other());
        }
        for (rows, saved) in poured.rows.iter_mut().zip(&saved.rows) {
            *rows = rows.clone().restored(saved).ok_or_else(other)?;
        }
        if let Some(bed) = &saved.bed {
            poured.bed = poured.bed.restored(bed)?;
            poured.begun = true;
        }
        if saved.done > scene.steps {
            return Err(too_short(scene.duration, saved.done as f64 * scene.step()));
        }
        poured.done = saved.done;
        poured.largest = f64::from_bits(saved.largest);
        poured.deepest = f64::from_bits(saved.deepest);
        poured.step_error = saved.step_error.map(|bits| {
            let [restitution, speed] = bits.map(f64::from_bits);
            StepError { restitution, speed }
        });
        poured.course = saved.course.clone();
        let rows = saved.done / scene.every.0;
        poured.reached = (rows * scene.every.0) as f64 * scene.step();
        Ok(poured)
    }

    /// The same on so many threads; the results are the same bits for any number.
    ///
    /// # Errors
    /// When the system has no threads to give.
    pub fn on_threads(mut self, threads: usize) -> Result<Self> {
        if threads > MOST_THREADS {
            let allowed = format!("at most {MOST_THREADS}");
            let advice = "as many as there are cores serve best";
            return Err(Error::invalid("threads", threads, allowed, advice));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|why| {
            Error::numerical("the threads", why.to_string(), "ask for fewer with --threads")
        })?;
        self.pool = Some(Arc::new(pool));
        Ok(self)
    }

    /// The bed now.
    pub fn bed(&self) -> &Bed {
        &self.bed
    }

    /// Time, the seven energies of the ledger, coordination and height: what figures are drawn from.
    pub fn course(&self) -> &Course {
        &self.course
    }

    fn run(&mut self, steps: u64) {
        let (bed, h) = (&mut self.bed, self.scene.step());
        match &self.pool {
            Some(pool) => pool.install(|| bed.run(h, steps as usize)),
            None => bed.run(h, steps as usize),
        }
    }

    fn ledger(&mut self) -> Result<()> {
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
                format!("a grain is nowhere at t = {t} s"),
                "take a shorter step, or a law whose damping exists at every speed; check units",
            ));
        }
        self.measure_step(e.fastest)?;
        let off = self.step_error.map_or(0.0, |error| error.restitution);
        let dense =
            [e.pairs as f64, e.wall_contacts as f64, e.coordination, e.overlap_max, e.height, off];
        self.rows[2].push(&[&[t][..], &all, &dense].concat());
        self.reached = t;
        self.course.push(&[&[t][..], &all, &[e.coordination, e.height]].concat());
        self.largest = self.largest.max(e.kinetic + e.stored);
        self.deepest = self.deepest.max(e.overlap_max);
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

    /// Energy that went through the bed (J).
    fn turned(&self, e: &BedEnergies) -> f64 {
        self.largest + e.lost_in_contacts.abs() + e.lost_to_friction.abs() + e.lost_to_rolling.abs()
    }

    /// The error of the step, measured again where touches got faster.
    fn measure_step(&mut self, fastest: f64) -> Result<()> {
        // A law whose damping is searched for is asked seldom.
        if fastest > 1.01 * self.step_error.map_or(0.0, |error| error.speed) {
            self.step_error = self.bed.step_error(self.scene.step(), fastest)?;
        }
        Ok(())
    }

    fn snapshot(&mut self) {
        let t = self.time();
        for (i, x) in self.bed.position.iter().enumerate() {
            let (v, w, r) = (self.bed.velocity[i], self.bed.spin[i], self.bed.radius[i]);
            let row = [t, i as f64, r, x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z];
            self.rows[0].push(&row);
        }
        for BedContact { a, b, delta, load, force } in self.bed.contacts() {
            // What is not along the normal is friction.
            let friction = (force.dot(force) - load * load).max(0.0).sqrt();
            let (b, with) = match b {
                Partner::Grain(b) => (b, 0.0),
                Partner::Wall(wall) => (wall, 1.0),
            };
            let ids = [t, f64::from(a), f64::from(b), with, delta, load, friction];
            self.rows[1].push(&[&ids[..], &[force.x, force.y, force.z]].concat());
        }
    }
}

/// Numbers of a row of the course.
const WIDTH: usize = 10;

impl Simulation for Poured<'_> {
    type Saved = SavedPour;
    type Summary = BedSummary;

    fn tables(&self) -> Vec<(&'static str, Vec<Column>)> {
        self.rows.iter().map(|rows| (rows.name(), rows.empty())).collect()
    }
    fn time(&self) -> f64 {
        match self.done >= self.scene.steps {
            true => self.scene.duration,
            false => self.done as f64 * self.scene.step(),
        }
    }
    fn duration(&self) -> f64 {
        self.scene.duration
    }
    fn step(&mut self, most: u64) -> Result<u64> {
        if !self.begun {
            self.run(0);
            self.begun = true;
            self.ledger()?;
            self.snapshot();
        }
        let (ledger, snapshot) = self.scene.every;
        let to = |every: u64| every - self.done % every;
        let at_once = AT_ONCE.min(most.max(1));
        let steps = at_once.min(to(ledger)).min(to(snapshot)).min(self.scene.steps - self.done);
        self.run(steps);
        self.done += steps;
        let last = self.done >= self.scene.steps;
        if last || self.done.is_multiple_of(ledger) {
            self.ledger()?;
        }
        if last || self.done.is_multiple_of(snapshot) {
            self.snapshot();
        }
        Ok(steps)
    }
    fn fail(&mut self) -> f64 {
        // Where a grain is nowhere there is nothing to write down.
        self.reached
    }
    fn end_matters(&self) -> bool {
        self.scene.steps - self.done.min(self.scene.steps) <= AT_ONCE
    }
    fn ready(&mut self, end: bool) -> Vec<(usize, Vec<Column>)> {
        let rows = self.rows.iter_mut().enumerate();
        rows.flat_map(|(k, rows)| rows.take(end).into_iter().map(move |p| (k, p))).collect()
    }
    fn save(&self) -> SavedPour {
        SavedPour {
            bed: self.begun.then(|| self.bed.save()),
            done: self.done,
            largest: self.largest.to_bits(),
            deepest: self.deepest.to_bits(),
            step_error: self.step_error.map(|e| [e.restitution, e.speed].map(f64::to_bits)),
            rows: self.rows.iter().map(Rows::save).collect(),
            course: self.course.clone(),
        }
    }
    fn summary(&self) -> BedSummary {
        let energy = self.bed.energies();
        let turned = self.turned(&energy);
        let mut notes = self.scene.notes.clone();
        if let Some(StepError { restitution, speed }) = self.step_error
            && restitution > COARSE
        {
            let step = self.scene.step();
            notes.push(NoteSummary {
                kind: "step".into(),
                message: format!(
                    "steps of {step:.3e} s put the restitution of impacts at {speed:.3} m/s, the fastest of this run, off by \
                     up to {restitution:.3}: take a shorter `step`, or say with `speed` how fast grains will hit each other"
                ),
            });
        }
        if self.deepest > DEEP {
            notes.push(NoteSummary {
                kind: "overlap".into(),
                message: format!(
                    "grains overlapped by up to {:.0} % of their radius; contact laws are meant for less: take a \
                     larger stiffness, and move grains apart that overlap where the scene begins",
                    100.0 * self.deepest
                ),
            });
        }
        BedSummary {
            title: self.scene.title.clone(),
            time: self.time(),
            finished: self.done >= self.scene.steps,
            steps: self.done,
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
