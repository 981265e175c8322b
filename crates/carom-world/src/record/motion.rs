//! A scene of bodies that runs and writes down what happens.
//!
//! Samples come at equal intervals. An impact is much shorter than that, so when a touch begins its duration
//! is estimated (δ/v₀ for the indentation δ at which the law has stored the energy of the impact, times π,
//! as for a linear spring) and its forces are sampled some forty times, and then once more at an interval
//! that grows with the age of the touch, so that a contact that lasts costs little.

use super::gallery::Gallery;
use super::rows::{Rows, SavedRows};
use super::summary::Summary;
use super::{Simulation, tables};
use crate::world::Mobility;
use crate::{
    ContactForce, Ended, Energies, Observer, Piece, Run, Saved, Scene, State, Touch, World,
};
use carom::message::Action;
use carom::sweep::Column;
use carom::{Error, Result};
use serde::{Deserialize, Serialize};

/// Samples through an impact.
const THROUGH: f64 = 40.0;

/// A touch whose forces are sampled more often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Dense {
    contact: usize,
    place: usize,
    /// When it began, by the bits.
    begun: u64,
    /// An interval that resolves it, by the bits.
    interval: u64,
    /// Samples so far.
    samples: u64,
}

impl Dense {
    /// At touch, where some laws push at once; then close together, then at equal intervals; in a touch that
    /// lasts each interval is a twentieth of its age.
    fn next(&self) -> f64 {
        let (begun, interval) = (f64::from_bits(self.begun), f64::from_bits(self.interval));
        let (number, through) = (self.samples as f64, 1.5 * THROUGH);
        let age = if number < 4.0 {
            0.125 * number * number
        } else if number < through {
            number - 2.0
        } else {
            (through - 2.0) * 1.05f64.powf(number - through)
        };
        begun + interval * age
    }
}

/// Who watches a run and writes it down.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    interval: f64,
    duration: f64,
    samples: u64,
    /// Time of the last regular row (s).
    reached: f64,
    /// Largest kinetic and stored energy seen (J).
    pub largest: f64,
    rows: [Rows; 7],
    dense: Vec<Dense>,
    pub gallery: Gallery,
}

/// A run as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedRun {
    state: Saved,
    samples: u64,
    largest: u64,
    rows: Vec<SavedRows>,
    dense: Vec<Dense>,
    gallery: Gallery,
}

/// The simulation of a scene.
#[derive(Clone, Debug)]
pub struct Recorded<'s> {
    pub(super) scene: &'s Scene,
    pub(super) run: Run<'s>,
    pub(super) recorder: Recorder,
}

impl Recorder {
    fn new(scene: &Scene) -> Self {
        let world = &scene.world;
        let bodies: Vec<String> = world.bodies().iter().map(|b| b.name.clone()).collect();
        let contacts: Vec<String> = world.contacts().iter().map(|c| c.name.clone()).collect();
        let events = vec!["touch".to_string(), "part".to_string()];
        Self {
            interval: scene.sample,
            duration: scene.duration,
            samples: 0,
            reached: f64::NEG_INFINITY,
            largest: 0.0,
            rows: [
                Rows::new(&tables::TRAJECTORY, vec![bodies.clone()]),
                Rows::new(&tables::CONTACTS, vec![contacts.clone()]),
                Rows::new(&tables::ENERGIES, Vec::new()),
                Rows::new(&tables::EVENTS, vec![events, contacts.clone()]),
                Rows::new(&tables::LEDGER, vec![contacts]),
                Rows::new(&tables::TRAJECTORY_BETWEEN, vec![bodies]),
                Rows::new(&tables::ENERGIES_BETWEEN, Vec::new()),
            ],
            dense: Vec::new(),
            gallery: Gallery::new(world, &scene.output.follow),
        }
    }

    /// The next regular sample (s).
    fn regular(&self) -> f64 {
        let next = self.samples as f64 * self.interval;
        // The end is always sampled, also where the interval does not divide the duration.
        let last = ((self.samples.max(1) - 1) as f64) * self.interval;
        match next > self.duration && last < self.duration * (1.0 - 1e-12) {
            true => self.duration,
            false => next,
        }
    }

    fn body(&mut self, piece: &Piece, index: usize, table: usize) {
        let mut pose = piece.state().place(piece.world, index);
        match &piece.world.bodies()[index].mobility {
            Mobility::Fixed => return,
            Mobility::Free => {}
            Mobility::Driven { direction, motion } => {
                pose.v = *direction * motion.at(piece.time).rate;
            }
        }
        let (x, q, v, w) = (pose.x, pose.q, pose.v, pose.w);
        let place = [x.x, x.y, x.z, q.w, q.v.x, q.v.y, q.v.z];
        let motion = [v.x, v.y, v.z, w.x, w.y, w.z];
        let row: Vec<f64> =
            [piece.time, index as f64].into_iter().chain(place).chain(motion).collect();
        self.rows[table].push(&row);
    }

    /// All bodies and the ledgers.
    fn regularly(&mut self, piece: &Piece) {
        (0..piece.world.bodies().len()).for_each(|index| self.body(piece, index, 0));
        self.ledgers(piece);
        self.reached = piece.time;
    }

    /// Whoever touches between two samples, and the ledger: an impact is over before the next one.
    fn between(&mut self, piece: &Piece, forces: &[ContactForce]) {
        let world = piece.world;
        let pairs = forces.iter().map(|force| &world.contacts()[force.contact]);
        let bodies =
            pairs.flat_map(|pair| [pair.a, pair.b]).map(|shape| world.shapes()[shape].body);
        let mut bodies: Vec<usize> = bodies.collect();
        bodies.sort_unstable();
        bodies.dedup();
        for body in bodies {
            self.body(piece, body, 5);
        }
        if !forces.is_empty() {
            let energies = ledger(&piece.state().energies(world));
            self.rows[6].push(&[&[piece.time][..], &energies].concat());
        }
    }

    fn forces(&mut self, piece: &Piece, forces: &[ContactForce]) {
        for f in forces {
            let (p, n, s) = (f.point, f.normal, f.normal * f.force + f.friction);
            self.rows[1].push(&[
                piece.time,
                f.contact as f64,
                f.place as f64,
                f.indentation,
                f.rate,
                f.force,
                f.friction.length(),
                p.x,
                p.y,
                p.z,
                n.x,
                n.y,
                n.z,
                s.x,
                s.y,
                s.z,
            ]);
        }
        self.gallery.forces(piece, forces);
    }

    fn ledgers(&mut self, piece: &Piece) {
        let (t, world, state) = (piece.time, piece.world, piece.state());
        let e = state.energies(world);
        self.largest = self.largest.max(e.kinetic + e.stored);
        let energies = ledger(&e);
        self.rows[2].push(&[&[t][..], &energies].concat());
        self.gallery.sample(piece, &energies);
        let mut touching = vec![0usize; world.contacts().len()];
        for touch in state.touches() {
            touching[touch.site(world).0] += 1;
        }
        for (index, (account, held)) in state.accounts().iter().zip(state.held(world)).enumerate() {
            self.rows[4].push(&[
                t,
                index as f64,
                (account.ended + touching[index]) as f64,
                touching[index] as f64,
                held.stored,
                account.normal + held.account.normal,
                account.friction + held.account.friction,
            ]);
        }
    }
}

/// A run that is to end before where it is.
pub(crate) fn too_short(duration: f64, reached: f64) -> Error {
    let allowed = format!("at least {reached} s, which the run has reached");
    Error::invalid(
        "duration",
        format!("{duration} s"),
        allowed,
        carom::message!["give a longer one, or begin anew with ", Action::set("overwrite", true)],
    )
}

/// The nine energies of a row.
fn ledger(e: &Energies) -> [f64; 9] {
    [
        e.kinetic,
        e.potential,
        e.stored,
        e.lost_in_contacts,
        e.lost_to_friction,
        e.lost_in_dampers,
        e.work_of_forces,
        e.work_of_drives,
        e.error,
    ]
}

impl Observer for Recorder {
    fn next(&self) -> f64 {
        self.dense.iter().map(Dense::next).fold(self.regular(), f64::min)
    }

    fn sample(&mut self, piece: &Piece) {
        let regular = piece.time >= self.regular();
        for dense in &mut self.dense {
            dense.samples += u64::from(dense.next() <= piece.time);
        }
        let forces = piece.forces();
        match regular {
            true => {
                self.samples += 1;
                self.regularly(piece);
            }
            false => self.between(piece, &forces),
        }
        self.forces(piece, &forces);
    }

    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        let (contact, place) = touch.site(world);
        let nothing = [f64::NAN; 5];
        let row = [time, 0.0, contact as f64, place as f64, touch.speed];
        self.rows[3].push(&[&row[..], &nothing].concat());
        // A touch begins with a tenth of the expected indentation as its scale.
        let expected = 10.0 * touch.indentation_scale;
        let interval = std::f64::consts::PI * expected / touch.memory.speed / THROUGH;
        if interval > 0.0 && interval.is_finite() {
            let (begun, interval) = (time.to_bits(), interval.to_bits());
            self.dense.push(Dense { contact, place, begun, interval, samples: 0 });
        }
    }

    fn ended(&mut self, _: &World, ended: &Ended) {
        self.dense.retain(|d| (d.contact, d.place) != (ended.contact, ended.place));
        self.rows[3].push(&[
            ended.ended,
            1.0,
            ended.contact as f64,
            ended.place as f64,
            ended.rebound,
            ended.begun,
            ended.indentation_max,
            ended.force_max,
            ended.lost,
            ended.friction,
        ]);
        self.gallery.ended(ended);
    }
}

impl<'s> Recorded<'s> {
    /// From the start.
    ///
    /// # Errors
    /// As [`Run::new`].
    pub fn new(scene: &'s Scene) -> Result<Self> {
        Ok(Self { scene, run: Run::new(&scene.world)?, recorder: Recorder::new(scene) })
    }

    /// From where it was saved, exactly as it would have gone on.
    ///
    /// # Errors
    /// When what was saved is of another scene.
    pub fn resume(scene: &'s Scene, saved: SavedRun) -> Result<Self> {
        let other = || {
            let advice = "resume with the scene that was stopped, unchanged";
            Error::unsupported("a checkpoint of another scene", advice)
        };
        let state = State::restore(&scene.world, &saved.state)?;
        if state.time > scene.duration {
            return Err(too_short(scene.duration, state.time));
        }
        let mut recorder = Recorder::new(scene);
        if saved.rows.len() != recorder.rows.len() || !recorder.gallery.alike(&saved.gallery) {
            return Err(other());
        }
        for (rows, saved) in recorder.rows.iter_mut().zip(&saved.rows) {
            *rows = rows.clone().restored(saved).ok_or_else(other)?;
        }
        recorder.samples = saved.samples;
        // Never later than the state, so that a last row may follow.
        recorder.reached = recorder.regular() - recorder.interval;
        recorder.largest = f64::from_bits(saved.largest);
        recorder.dense = saved.dense;
        recorder.gallery = saved.gallery;
        // Looking at the state once more on resuming is no work of the run.
        let counts = state.counts;
        let mut run = Run::resume(&scene.world, state);
        run.state.counts = counts;
        Ok(Self { scene, run, recorder })
    }

    /// What figures are drawn from.
    pub fn gallery(&self) -> &Gallery {
        &self.recorder.gallery
    }
}

impl Simulation for Recorded<'_> {
    type Saved = SavedRun;
    type Summary = Summary;

    fn tables(&self) -> Vec<(&'static str, Vec<Column>)> {
        self.recorder.rows.iter().map(|rows| (rows.name(), rows.empty())).collect()
    }
    fn time(&self) -> f64 {
        self.run.state().time
    }
    fn duration(&self) -> f64 {
        self.scene.duration
    }
    fn step(&mut self, _: u64) -> Result<u64> {
        let samples = self.recorder.samples;
        self.run.step(self.scene.duration, &mut self.recorder)?;
        if self.recorder.samples != samples || self.done() {
            let (largest, allowed) = (self.recorder.largest, self.scene.energy_tolerance);
            self.run.state().audit(&self.scene.world, Some(largest), allowed)?;
        }
        Ok(1)
    }
    fn end_matters(&self) -> bool {
        self.run.end_matters(self.scene.duration)
    }
    fn ready(&mut self, end: bool) -> Vec<(usize, Vec<Column>)> {
        let rows = self.recorder.rows.iter_mut().enumerate();
        rows.flat_map(|(k, rows)| rows.take(end).into_iter().map(move |p| (k, p))).collect()
    }
    fn fail(&mut self) -> f64 {
        let piece = Piece::of(&self.scene.world, self.run.state());
        let time = piece.time;
        if self.recorder.reached < time {
            let forces = piece.forces();
            self.recorder.regularly(&piece);
            self.recorder.forces(&piece, &forces);
        }
        time
    }
    fn save(&self) -> SavedRun {
        SavedRun {
            state: self.run.state().save(),
            samples: self.recorder.samples,
            largest: self.recorder.largest.to_bits(),
            rows: self.recorder.rows.iter().map(Rows::save).collect(),
            dense: self.recorder.dense.clone(),
            gallery: self.recorder.gallery.clone(),
        }
    }
    fn summary(&self) -> Summary {
        Summary::new(self)
    }
}
