//! Outputs of a run, computed while its tables grow: statistics are updated row by row, so that no table has to be kept.

use super::impulse::{Impulse, RigidImpulse};
use super::is_rigid;
use super::output::{JointNumber, Output, OutputKind};
use super::statistic::RunningStatistic;
use crate::check::index_by_name;
use crate::observe::{EndedTouch, Observer, Sample};
use crate::regimes::{self, JointObserver, Study};
use crate::run::Run;
use crate::scene::Scene;
use crate::state::Touch;
use crate::world::World;
use carom::Result;
use carom_store::Column;
use carom_store::table::Tables;

/// Number of samples per turn for regimes and recurrence.
const SAMPLES_PER_TURN: usize = 72;

enum RunningOutput {
    Largest(Vec<RunningStatistic>, f64),
    Impulse(Impulse),
    RigidImpulse(RigidImpulse),
    /// Observer of a joint, and the function that returns the number from its results.
    Joint(Box<JointObserver>, JointNumber),
    /// The number does not exist for this method or scene.
    Missing,
}

/// Outputs of a run, from its growing tables and from observations of what no table contains.
pub(super) struct Results {
    parts: Vec<RunningOutput>,
    /// Index of the time column of each table.
    times: Vec<Option<usize>>,
    from: f64,
}

impl Results {
    /// Creates the outputs of a run with these tables, of a scene of bodies (`scene`) or of grains; rows before the time
    /// `from` are ignored.
    ///
    /// # Errors
    /// When an output names a body or contact that does not exist.
    pub fn new(
        outputs: &[Output],
        tables: &Tables,
        scene: Option<&Scene>,
        from: f64,
    ) -> Result<Self> {
        let tables = tables.empty();
        let mut parts = Vec::new();
        for output in outputs {
            parts.push(match (&output.kind, scene) {
                (_, Some(scene)) if output.smooth_only && is_rigid(scene) => RunningOutput::Missing,
                (OutputKind::Largest(all, none), _) => {
                    let growing = all.iter().map(|of| RunningStatistic::new(of, &tables));
                    RunningOutput::Largest(growing.collect::<Result<_>>()?, *none)
                }
                (OutputKind::Impulse(name), Some(scene)) if is_rigid(scene) => {
                    let contact =
                        name.as_ref().map(|name| find_contact(scene, name)).transpose()?;
                    RunningOutput::RigidImpulse(RigidImpulse {
                        contact,
                        from,
                        ended: 0.0,
                        before: None,
                    })
                }
                (OutputKind::Impulse(name), _) => {
                    RunningOutput::Impulse(Impulse::new(name.as_ref(), &tables)?)
                }
                (OutputKind::Joint(name, value), Some(scene)) => {
                    let observer = JointObserver::new(joint_study(scene, name, from)?);
                    RunningOutput::Joint(Box::new(observer), *value)
                }
                // Beds of grains have no joints.
                (OutputKind::Joint(..), None) => RunningOutput::Missing,
            });
        }
        let time = |(_, columns): &(&str, Vec<Column>)| {
            columns.iter().position(|column| column.name == "time_s")
        };
        let times = tables.iter().map(time).collect();
        Ok(Self { parts, times, from })
    }

    /// Adds pieces of tables, each with the index of its table.
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
                        RunningOutput::Largest(all, _) => {
                            all.iter_mut()
                                .filter(|growing| growing.table == table)
                                .for_each(|growing| growing.add(&columns, row));
                        }
                        RunningOutput::Impulse(impulse) => impulse.add(table, &columns, row),
                        RunningOutput::Joint(..)
                        | RunningOutput::RigidImpulse(_)
                        | RunningOutput::Missing => {}
                    }
                }
            }
        }
    }

    /// Returns the numbers in the order of the outputs. For a scene of bodies, `run` is the run at its end.
    pub fn finish(self, run: Option<&Run>) -> Vec<f64> {
        let value = |part: RunningOutput| match part {
            RunningOutput::Largest(all, none) => {
                let largest = all.iter().map(RunningStatistic::value).fold(f64::NAN, f64::max);
                if largest.is_nan() { none } else { largest }
            }
            RunningOutput::Impulse(impulse) => impulse.value(),
            RunningOutput::RigidImpulse(impulse) => {
                run.map_or(f64::NAN, |run| impulse.finish(run.world(), run.state()))
            }
            RunningOutput::Joint(joint, value) => {
                run.map_or(f64::NAN, |run| value(&joint.finish(run)))
            }
            RunningOutput::Missing => f64::NAN,
        };
        self.parts.into_iter().map(value).collect()
    }

    fn joints(&mut self) -> impl Iterator<Item = &mut JointObserver> {
        self.parts.iter_mut().filter_map(|part| match part {
            RunningOutput::Joint(joint, _) => Some(&mut **joint),
            _ => None,
        })
    }

    fn impulses(&mut self) -> impl Iterator<Item = &mut RigidImpulse> {
        self.parts.iter_mut().filter_map(|part| match part {
            RunningOutput::RigidImpulse(impulse) => Some(impulse),
            _ => None,
        })
    }
}

fn find_contact(scene: &Scene, name: &str) -> Result<usize> {
    index_by_name("contact", name, scene.world.contact_names())
}

/// Returns the study of the regimes of a contact from a time on, turn by turn of the drive. Without a drive, the whole time
/// counts as one turn.
fn joint_study(scene: &Scene, name: &str, from: f64) -> Result<Study> {
    let window = scene.duration - from;
    let period = regimes::period(&scene.world).ok().filter(|period| *period <= window);
    let period = period.unwrap_or(window);
    let turns = (window / period * (1.0 + 1e-9)).floor().max(1.0) as usize;
    let (contact, phase) = (Some(find_contact(scene, name)?), from / period);
    Ok(Study { contact, body: 0, period, skip: 0, turns, phase, samples: SAMPLES_PER_TURN })
}

impl Observer for Results {
    fn next(&self) -> f64 {
        let next = |part: &RunningOutput| match part {
            RunningOutput::Joint(joint, _) => joint.next(),
            RunningOutput::RigidImpulse(impulse) => impulse.next(),
            _ => f64::INFINITY,
        };
        self.parts.iter().map(next).fold(f64::INFINITY, f64::min)
    }
    fn sample(&mut self, sample: &Sample) {
        for joint in self.joints().filter(|joint| joint.next() <= sample.time) {
            joint.sample(sample);
        }
        for impulse in self.impulses().filter(|impulse| impulse.next() <= sample.time) {
            impulse.before = Some(impulse.impulse_until(sample.world, sample.state()));
        }
    }
    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        self.joints().for_each(|joint| joint.began(world, time, touch));
    }
    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.joints().for_each(|joint| joint.ended(world, ended));
        for impulse in self.impulses().filter(|impulse| impulse.includes(ended.contact)) {
            impulse.ended += ended.impulse;
        }
    }
}
