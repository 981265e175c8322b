//! Simulation of a scene of bodies, with its tables.
//!
//! Samples are taken at equal intervals. An impact is much shorter than these, so its duration is estimated when a touch
//! begins: π·δ/v₀ as for a linear spring, with the indentation δ at which the law has stored the energy of the impact. The
//! forces of the touch are sampled about forty times during this time, and afterwards at intervals that grow with the age of
//! the touch, so that a lasting contact needs few samples.

use super::control::{ActiveController, Controller};
use super::figure_data::FigureData;
use super::summary::Summary;
use super::tables::{self, ContactRow, EVENT_KINDS, EnergyRow, EventRow, Row};
use crate::checkpoint::another_scene;
use crate::measure::Instant;
use crate::world::Mobility;
use crate::{
    ContactForce, EndedTouch, ImpactClass, Observer, Pose, RigidTouch, Run, Sample, Saved, Scene,
    State, Touch, World,
};
use carom::message::Action;
use carom::{Error, Result};
use carom_store::table::{Table, Tables};
use carom_store::{Checkpoint, Simulation};
use serde::{Deserialize, Serialize};

/// Number of samples during an impact.
const IMPACT_SAMPLES: f64 = 40.0;

/// A touch whose forces are sampled between the regular samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct DenseSampling {
    contact: usize,
    site: usize,
    /// Time at which the touch began (s).
    #[serde(with = "crate::bits")]
    begun: f64,
    /// Interval that resolves the impact (s).
    #[serde(with = "crate::bits")]
    interval: f64,
    /// Number of samples so far.
    samples: u64,
}

impl DenseSampling {
    /// Returns the time of the next sample (s). The first sample is at the beginning of the touch, where some laws have a
    /// force at once; the next ones are close together, the following at equal intervals. In a lasting touch each interval
    /// is a twentieth of its age.
    fn next(&self) -> f64 {
        let (number, through) = (self.samples as f64, 1.5 * IMPACT_SAMPLES);
        let age = if number < 4.0 {
            0.125 * number * number
        } else if number < through {
            number - 2.0
        } else {
            (through - 2.0) * 1.05f64.powf(number - through)
        };
        self.begun + self.interval * age
    }
}

/// Observer that samples a run and fills the tables.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    /// Time between two regular samples (s).
    interval: f64,
    duration: f64,
    /// Number of regular samples so far.
    samples: u64,
    /// Time of the last regular sample (s).
    reached: f64,
    /// Largest sum of kinetic and stored energy so far (J).
    pub energy_max: f64,
    tables: Tables,
    dense: Vec<DenseSampling>,
    pub figure_data: FigureData,
    instant: Instant,
}

/// State of a simulation without its tables, as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BodySimulationState {
    state: Saved,
    samples: u64,
    #[serde(with = "crate::bits")]
    energy_max: f64,
    dense: Vec<DenseSampling>,
    figure_data: FigureData,
}

/// Simulation of a scene of bodies.
#[derive(Debug)]
pub struct BodySimulation<'s> {
    pub(super) scene: &'s Scene,
    pub(crate) run: Run<'s>,
    pub(super) recorder: Recorder,
    control: Option<ActiveController<'s>>,
    /// Whether the last step was not taken because the controller returned an error.
    controller_failed: bool,
}

impl Recorder {
    fn new(scene: &Scene) -> Self {
        let world = &scene.world;
        let bodies: Vec<String> = world.bodies().iter().map(|b| b.name.clone()).collect();
        let contacts: Vec<String> = world.contacts().iter().map(|c| c.name.clone()).collect();
        let joints = world.joints().iter().map(|joint| joint.name.clone()).collect();
        let sensors = world.sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let units = world.sensors.iter().map(|sensor| sensor.measure.unit(world).into()).collect();
        let events = EVENT_KINDS.map(String::from).to_vec();
        let classes = ImpactClass::NAMES.map(String::from).to_vec();
        let tables = Tables::default()
            .with(&tables::TRAJECTORY, [("body", bodies.clone())])
            .with(&tables::CONTACTS, [("contact", contacts.clone())])
            .with(&tables::ENERGIES, [])
            .with(
                &tables::EVENTS,
                [("event", events), ("contact", contacts.clone()), ("class", classes)],
            )
            .with(&tables::LEDGER, [("contact", contacts)])
            .with(&tables::TRAJECTORY_BETWEEN, [("body", bodies.clone())])
            .with(&tables::ENERGIES_BETWEEN, [])
            .with(&tables::JOINTS, [("joint", joints)])
            .with(&tables::ACCELERATIONS, [("body", bodies)])
            .with(&tables::SENSORS, [("sensor", sensors), ("unit", units)]);
        Self {
            interval: scene.sample,
            duration: scene.duration,
            samples: 0,
            reached: f64::NEG_INFINITY,
            energy_max: 0.0,
            tables,
            dense: Vec::new(),
            figure_data: FigureData::new(world, &scene.output.follow),
            instant: Instant::new(world),
        }
    }

    /// Returns the time of the next regular sample (s).
    fn next_regular(&self) -> f64 {
        let next = self.samples as f64 * self.interval;
        // The end is always sampled, even if the interval does not divide the duration.
        let last = ((self.samples.max(1) - 1) as f64) * self.interval;
        match next > self.duration && last < self.duration * (1.0 - 1e-12) {
            true => self.duration,
            false => next,
        }
    }

    fn body(&mut self, sample: &Sample, body: usize, table: &'static Table<Row<Pose>>) {
        if sample.world.bodies()[body].mobility != Mobility::Fixed
            && let Some(pose) = sample.pose(body)
        {
            self.tables.rows(table).push(&Row { time: sample.time, index: body, value: pose });
        }
    }

    /// Records a regular sample: all bodies and joints, and the ledgers. `instant` must have been evaluated.
    fn record_regular_sample(&mut self, sample: &Sample) {
        let (world, time) = (sample.world, sample.time);
        for (body, of) in world.bodies().iter().enumerate() {
            self.body(sample, body, &tables::TRAJECTORY);
            if of.mobility != Mobility::Fixed {
                let row = Row { time, index: body, value: self.instant.acceleration(body) };
                self.tables.rows(&tables::ACCELERATIONS).push(&row);
            }
        }
        let mut rows = self.tables.rows(&tables::JOINTS);
        for joint in 0..world.joints().len() {
            rows.push(&Row { time, index: joint, value: self.instant.joint(sample, joint) });
        }
        self.record_ledgers(sample);
        self.reached = sample.time;
    }

    /// Records a sample between two regular ones: the bodies that touch, and the ledger.
    fn record_sample_between(&mut self, sample: &Sample, forces: &[ContactForce]) {
        let world = sample.world;
        let pairs = forces.iter().map(|force| &world.contacts()[force.contact]);
        let bodies =
            pairs.flat_map(|pair| [pair.a, pair.b]).map(|shape| world.shapes()[shape].body);
        let mut bodies: Vec<usize> = bodies.collect();
        bodies.sort_unstable();
        bodies.dedup();
        for body in bodies {
            self.body(sample, body, &tables::TRAJECTORY_BETWEEN);
        }
        if !forces.is_empty() {
            let (time, energies) = (sample.time, sample.state().energies(world));
            self.tables.rows(&tables::ENERGIES_BETWEEN).push(&EnergyRow { time, energies });
        }
    }

    /// Records the readings of the sensors. `instant` must have been evaluated.
    fn sensors(&mut self, sample: &Sample) {
        let mut rows = self.tables.rows(&tables::SENSORS);
        for (index, sensor) in sample.world.sensors.iter().enumerate() {
            let value = self.instant.read(sample, sensor);
            rows.push(&Row { time: sample.time, index, value });
        }
    }

    fn forces(&mut self, sample: &Sample, forces: &[ContactForce]) {
        let mut rows = self.tables.rows(&tables::CONTACTS);
        for &force in forces {
            rows.push(&ContactRow { time: sample.time, force });
        }
        self.figure_data.forces(sample, forces);
    }

    /// Records the row of a touch that begins.
    fn record_onset(
        &mut self,
        time: f64,
        speed: f64,
        (contact, site): (usize, usize),
        class: ImpactClass,
    ) {
        let touch = EndedTouch { contact, site, class, ..EndedTouch::UNKNOWN };
        self.tables.rows(&tables::EVENTS).push(&EventRow { kind: 0, time, speed, touch });
    }

    fn record_ledgers(&mut self, sample: &Sample) {
        let (time, world, state) = (sample.time, sample.world, sample.state());
        let energies = state.energies(world);
        self.energy_max = self.energy_max.max(energies.kinetic + energies.stored);
        let row = EnergyRow { time, energies };
        self.tables.rows(&tables::ENERGIES).push(&row);
        self.figure_data.sample(sample, &row);
        let mut rows = self.tables.rows(&tables::LEDGER);
        for (index, value) in state.contact_energies(world).into_iter().enumerate() {
            rows.push(&Row { time, index, value });
        }
    }
}

/// Returns the error for a duration shorter than the time that a run has already reached.
pub(crate) fn shorter_than_reached(duration: f64, reached: f64) -> Error {
    let allowed = format!("at least {reached} s, which the run has reached");
    Error::invalid(
        "duration",
        format!("{duration} s"),
        allowed,
        carom::message!["give a longer one, or begin anew with ", Action::set("overwrite", true)],
    )
}

impl Observer for Recorder {
    fn next(&self) -> f64 {
        self.dense.iter().map(DenseSampling::next).fold(self.next_regular(), f64::min)
    }

    fn sample(&mut self, sample: &Sample) {
        let regular = sample.time >= self.next_regular();
        for dense in &mut self.dense {
            dense.samples += u64::from(dense.next() <= sample.time);
        }
        let forces = sample.forces();
        if regular || !sample.world.sensors.is_empty() {
            self.instant.evaluate(sample, &forces);
        }
        match regular {
            true => {
                self.samples += 1;
                self.record_regular_sample(sample);
            }
            false => self.record_sample_between(sample, &forces),
        }
        self.sensors(sample);
        self.forces(sample, &forces);
    }

    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        let (contact, site) = touch.site(world);
        self.record_onset(time, touch.speed, (contact, site), touch.class);
        // The indentation scale of a touch is initially a tenth of the expected indentation.
        let expected = 10.0 * touch.indentation_scale;
        let interval = std::f64::consts::PI * expected / touch.memory.speed / IMPACT_SAMPLES;
        if interval > 0.0 && interval.is_finite() {
            self.dense.push(DenseSampling { contact, site, begun: time, interval, samples: 0 });
        }
    }

    fn began_rigid(&mut self, world: &World, touch: &RigidTouch) {
        self.record_onset(touch.begun, touch.speed, touch.site(world), touch.class);
    }

    fn ended(&mut self, _: &World, ended: &EndedTouch) {
        self.dense.retain(|d| (d.contact, d.site) != (ended.contact, ended.site));
        let (time, speed) = (ended.ended, ended.rebound);
        let row = EventRow { kind: 1, time, speed, touch: *ended };
        self.tables.rows(&tables::EVENTS).push(&row);
        self.figure_data.ended(ended);
    }
}

impl<'s> BodySimulation<'s> {
    /// Creates the simulation at the start of the scene.
    ///
    /// # Errors
    /// As for [`Run::new`].
    pub fn new(scene: &'s Scene) -> Result<Self> {
        Ok(Self {
            scene,
            run: Run::new(&scene.world)?,
            recorder: Recorder::new(scene),
            control: None,
            controller_failed: false,
        })
    }

    /// Returns the simulation with a controller for those motors of the scene that need one.
    ///
    /// # Errors
    /// When no motor of the scene has a controller.
    pub fn controlled(self, controller: Controller<'s>) -> Result<Self> {
        Ok(Self { control: Some(ActiveController::new(self.scene, controller)?), ..self })
    }

    /// Calls the controller if a control instant is reached, and returns the time at which the next step has to end (s).
    fn control(&mut self) -> Result<f64> {
        let until = match &mut self.control {
            Some(control) => control.act(&mut self.run),
            None => self.scene.world.check_motors().map(|()| self.scene.duration),
        };
        self.controller_failed = until.is_err();
        until.map(|until| until.min(self.scene.duration))
    }

    /// Creates the simulation from a checkpoint. Its results are the same as those of a run that was never stopped.
    ///
    /// # Errors
    /// When the checkpoint belongs to another scene.
    pub fn resume(scene: &'s Scene, checkpoint: Checkpoint<BodySimulationState>) -> Result<Self> {
        let Checkpoint { state: saved, pending } = checkpoint;
        let state = State::restore(&scene.world, &saved.state)?;
        if state.time > scene.duration {
            return Err(shorter_than_reached(scene.duration, state.time));
        }
        let mut recorder = Recorder::new(scene);
        if !recorder.figure_data.has_same_layout(&saved.figure_data) {
            return Err(another_scene());
        }
        recorder.tables = recorder.tables.restored(&pending).ok_or_else(another_scene)?;
        recorder.samples = saved.samples;
        // Not later than the time of the state, so that a last sample may be recorded if the next step fails.
        recorder.reached = recorder.next_regular() - recorder.interval;
        recorder.energy_max = saved.energy_max;
        recorder.dense = saved.dense;
        recorder.figure_data = saved.figure_data;
        // `Run::resume` evaluates the forces once more, which must not be counted as work of the run.
        let counts = state.counts;
        let mut run = Run::resume(&scene.world, state);
        run.state.counts = counts;
        Ok(Self { scene, run, recorder, control: None, controller_failed: false })
    }

    /// Takes a step with an additional observer.
    pub(crate) fn step_observed(&mut self, other: &mut impl Observer) -> Result<()> {
        let samples = self.recorder.samples;
        let until = self.control()?;
        self.run.step(until, &mut (&mut self.recorder, other))?;
        if self.recorder.samples != samples || self.done() {
            let (largest, allowed) = (self.recorder.energy_max, self.scene.energy_tolerance);
            self.run.state().audit(&self.scene.world, Some(largest), allowed)?;
        }
        Ok(())
    }

    /// Returns the data from which figures are drawn.
    pub fn figure_data(&self) -> &FigureData {
        &self.recorder.figure_data
    }
}

impl Simulation for BodySimulation<'_> {
    type State = BodySimulationState;
    type Summary = Summary;
    type Error = Error;

    fn tables(&self) -> &Tables {
        &self.recorder.tables
    }
    fn tables_mut(&mut self) -> &mut Tables {
        &mut self.recorder.tables
    }
    fn time(&self) -> f64 {
        self.run.state().time
    }
    fn duration(&self) -> f64 {
        self.scene.duration
    }
    fn step(&mut self, _: u64) -> Result<u64> {
        self.step_observed(&mut ())?;
        Ok(1)
    }
    fn end_matters(&self) -> bool {
        self.run.end_matters(self.scene.duration)
    }
    fn can_try_again(&self) -> bool {
        self.controller_failed
    }
    fn fail(&mut self) -> f64 {
        let sample = Sample::of(&self.scene.world, self.run.state());
        let time = sample.time;
        if self.recorder.reached < time {
            let forces = sample.forces();
            self.recorder.instant.evaluate(&sample, &forces);
            self.recorder.record_regular_sample(&sample);
            self.recorder.sensors(&sample);
            self.recorder.forces(&sample, &forces);
        }
        time
    }
    fn state(&self) -> BodySimulationState {
        BodySimulationState {
            state: self.run.state().save(),
            samples: self.recorder.samples,
            energy_max: self.recorder.energy_max,
            dense: self.recorder.dense.clone(),
            figure_data: self.recorder.figure_data.clone(),
        }
    }
    fn summary(&self) -> Summary {
        Summary::new(self.scene, self.run.state(), self.recorder.energy_max)
    }
}
