//! The outputs of a run as its tables grow: statistics row by row, so that no table is kept.

use super::choice::{Chosen, choose, has};
use super::impulse::{Impulse, RigidImpulse};
use super::output::{ColumnStatistic, Kind, Output, Statistic};
use crate::check::place;
use crate::observe::{EndedTouch, Observer, Sample};
use crate::record::BodySimulation;
use crate::regimes::{self, JointObserver, Study, StudyResults};
use crate::scene::Scene;
use crate::state::Touch;
use crate::world::{ContactMethod, World};
use carom::{Error, Result};
use carom_store::Column;
use carom_store::table::Tables;

/// Samples of a turn for regimes and recurrence.
const SAMPLES: usize = 72;

/// A statistic as rows come in.
struct RunningStatistic {
    table: usize,
    column: Option<usize>,
    chosen: Vec<Chosen>,
    statistic: Statistic,
    count: u64,
    first: f64,
    last: f64,
    min: f64,
    max: f64,
    sum: f64,
    squares: f64,
}

impl RunningStatistic {
    fn new(of: &ColumnStatistic, tables: &[(&'static str, Vec<Column>)]) -> Result<Self> {
        let found = tables.iter().position(|(name, _)| *name == of.table);
        let missing =
            || Error::missing(format!("table {}", of.table), "this scene does not have it");
        let table = found.ok_or_else(missing)?;
        let columns = tables.get(table).map_or(&[][..], |(_, columns)| columns.as_slice());
        let position = |name: &str| columns.iter().position(|column| column.name == name);
        Ok(Self {
            table,
            column: of.column.as_deref().and_then(position),
            chosen: choose(&of.table, columns, &of.words)?,
            statistic: of.statistic,
            count: 0,
            first: f64::NAN,
            last: f64::NAN,
            min: f64::NAN,
            max: f64::NAN,
            sum: 0.0,
            squares: 0.0,
        })
    }

    fn add(&mut self, columns: &[Column], row: usize) {
        if !has(columns, &self.chosen, row) {
            return;
        }
        let value = match self.column {
            Some(column) => columns.get(column).and_then(|column| column.values.real(row)),
            None => Some(1.0),
        };
        let Some(value) = value.filter(|value| !value.is_nan()) else { return };
        if self.count == 0 {
            self.first = value;
        }
        self.count += 1;
        self.last = value;
        // `f64::min` and `max` ignore the NaN that they begin with.
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sum += value;
        self.squares += value * value;
    }

    fn value(&self) -> f64 {
        let count = self.count as f64;
        match self.statistic {
            Statistic::Max => self.max,
            Statistic::Min => self.min,
            Statistic::Mean => self.sum / count,
            Statistic::Rms => (self.squares / count).sqrt(),
            Statistic::First => self.first,
            Statistic::Last => self.last,
            Statistic::Change => self.last - self.first,
            Statistic::Sum => self.sum,
            Statistic::Count => count,
        }
    }
}

enum Part {
    Largest(Vec<RunningStatistic>, f64),
    Impulse(Impulse),
    /// Number among the impulses of rigid bodies.
    RigidImpulse(usize),
    /// Number of the joint, and what is taken of it.
    Joint(usize, fn(&StudyResults) -> f64),
    /// The method has no such number.
    Missing,
}

/// The outputs of a run as its tables grow.
pub(super) struct Results {
    parts: Vec<Part>,
    /// Column of time of each table.
    times: Vec<Option<usize>>,
    from: f64,
}

impl Results {
    /// Of a run with these tables, of `rigid` bodies or of others; rows before `from` do not count.
    ///
    /// # Errors
    /// When an output names a body or contact that there is not.
    pub fn new(outputs: &[Output], tables: &Tables, from: f64, rigid: bool) -> Result<Self> {
        let tables = tables.empty();
        let (mut joints, mut impulses) = (0, 0);
        let mut parts = Vec::new();
        for output in outputs {
            parts.push(match &output.kind {
                _ if rigid && output.smooth_only => Part::Missing,
                Kind::Largest(all, none) => {
                    let growing = all.iter().map(|of| RunningStatistic::new(of, &tables));
                    Part::Largest(growing.collect::<Result<_>>()?, *none)
                }
                Kind::Impulse(_) if rigid => {
                    impulses += 1;
                    Part::RigidImpulse(impulses - 1)
                }
                Kind::Impulse(contact) => Part::Impulse(Impulse::new(contact.as_ref(), &tables)?),
                Kind::Joint(_, value) => {
                    joints += 1;
                    Part::Joint(joints - 1, *value)
                }
            });
        }
        let time = |(_, columns): &(&str, Vec<Column>)| {
            columns.iter().position(|column| column.name == "time_s")
        };
        let times = tables.iter().map(time).collect();
        Ok(Self { parts, times, from })
    }

    /// Adds pieces of tables, each with the number of its table.
    pub fn add(&mut self, pieces: Vec<(usize, Vec<Column>)>) {
        for (table, columns) in pieces {
            let time = self.times.get(table).copied().flatten();
            for row in 0..carom_store::row_count(&columns) {
                let at = time.and_then(|time| columns.get(time)?.values.real(row));
                if at.is_some_and(|at| at < self.from) {
                    continue;
                }
                for part in &mut self.parts {
                    match part {
                        Part::Largest(all, _) => {
                            all.iter_mut()
                                .filter(|growing| growing.table == table)
                                .for_each(|growing| growing.add(&columns, row));
                        }
                        Part::Impulse(impulse) => impulse.add(table, &columns, row),
                        Part::Joint(..) | Part::RigidImpulse(_) | Part::Missing => {}
                    }
                }
            }
        }
    }

    /// The numbers, in the order of the outputs.
    pub fn finish(self, observed: &Observed) -> Vec<f64> {
        let value = |part: &Part| match part {
            Part::Largest(all, none) => {
                let largest = all.iter().map(RunningStatistic::value).fold(f64::NAN, f64::max);
                if largest.is_nan() { *none } else { largest }
            }
            Part::Impulse(impulse) => impulse.value(),
            Part::RigidImpulse(k) => observed.impulses.get(*k).copied().unwrap_or(f64::NAN),
            Part::Joint(k, value) => observed.joints.get(*k).map_or(f64::NAN, value),
            Part::Missing => f64::NAN,
        };
        self.parts.iter().map(value).collect()
    }
}

/// What outputs need that is in no table.
#[derive(Default)]
pub(super) struct Observed {
    joints: Vec<StudyResults>,
    /// Impulses of rigid bodies (N·s).
    impulses: Vec<f64>,
}

/// Observes what outputs need that is in no table.
pub(super) struct Observers {
    joints: Vec<JointObserver>,
    impulses: Vec<RigidImpulse>,
}

impl Observers {
    /// For the outputs that are numbers of a joint, or impulses of rigid bodies, from a time on.
    ///
    /// # Errors
    /// When a contact has no such name.
    pub fn new(outputs: &[Output], scene: &Scene, from: f64) -> Result<Self> {
        let window = scene.duration - from;
        // Without a drive there are no turns: the whole time is one.
        let period = regimes::period(&scene.world).ok().filter(|period| *period <= window);
        let period = period.unwrap_or(window);
        let turns = (window / period * (1.0 + 1e-9)).floor().max(1.0) as usize;
        let rigid = scene.world.method != ContactMethod::Smooth;
        let contact = |name: &String| place("contact", name, scene.world.contact_names());
        let (mut joints, mut impulses) = (Vec::new(), Vec::new());
        for output in outputs.iter().filter(|output| !(rigid && output.smooth_only)) {
            match &output.kind {
                Kind::Joint(name, _) => joints.push(JointObserver::new(Study {
                    contact: Some(contact(name)?),
                    body: 0,
                    period,
                    skip: 0,
                    turns,
                    phase: from / period,
                    samples: SAMPLES,
                })),
                Kind::Impulse(name) if rigid => impulses.push(RigidImpulse {
                    contact: name.as_ref().map(contact).transpose()?,
                    from,
                    ended: 0.0,
                    before: None,
                }),
                Kind::Impulse(_) | Kind::Largest(..) => {}
            }
        }
        Ok(Self { joints, impulses })
    }

    /// Touches that the scene begins with.
    pub fn begin(&mut self, run: &BodySimulation) {
        let (world, state) = (run.run.world(), run.run.state());
        for touch in state.touches() {
            self.began(world, state.time, touch);
        }
    }

    /// The results of all of them.
    pub fn finish(self, run: &BodySimulation) -> Observed {
        let (world, state) = (run.run.world(), run.run.state());
        Observed {
            joints: self.joints.into_iter().map(|joint| joint.finish(&run.run)).collect(),
            impulses: self.impulses.iter().map(|impulse| impulse.finish(world, state)).collect(),
        }
    }
}

impl Observer for Observers {
    fn next(&self) -> f64 {
        let joints = self.joints.iter().map(Observer::next);
        joints.chain(self.impulses.iter().map(RigidImpulse::next)).fold(f64::INFINITY, f64::min)
    }
    fn sample(&mut self, sample: &Sample) {
        for joint in self.joints.iter_mut().filter(|joint| joint.next() <= sample.time) {
            joint.sample(sample);
        }
        for impulse in self.impulses.iter_mut().filter(|impulse| impulse.next() <= sample.time) {
            impulse.before = Some(impulse.so_far(sample.world, sample.state()));
        }
    }
    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        self.joints.iter_mut().for_each(|joint| joint.began(world, time, touch));
    }
    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.joints.iter_mut().for_each(|joint| joint.ended(world, ended));
        for impulse in self.impulses.iter_mut().filter(|impulse| impulse.counts(ended.contact)) {
            impulse.ended += ended.impulse;
        }
    }
}
