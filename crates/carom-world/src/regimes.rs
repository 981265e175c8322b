//! Regimes of a joint with clearance over many turns (free flight, impact and lasting contact), its Poincaré section, and
//! the path of its pin.
//!
//! # Regimes
//! A pin in a bore flies freely, strikes the wall, and rebounds or stays on it: the modes of Miedema & Mansour (J. Eng. Ind.
//! 98 (1976) 1319–1323), as in later studies of clearance joints. Free flight is the time without contact. A contact begins
//! with an *impact*, which lasts as long as it would without any other force (for the law, effective mass and approach speed
//! of that contact, by `carom::impact`), or until separation; the rest of it is lasting *contact*. This duration is the only
//! time scale of an impact, so no threshold is needed for soft or stiff contacts and slow or fast impacts.
//!
//! # Section
//! The section is taken once per turn, at one angle of the drive: the position of the pin in the bore and the motion of a
//! body. A motion that repeats after p turns has p points; a cloud of points is a motion that does not repeat.
//!
//! Recurrence is decided from the whole state, not from the points that are drawn: positions, rotations and velocities of
//! all bodies, the pins of all joints with clearance, and which contacts touch (`regimes/recurrence.rs`). A pin that passes
//! the same point in alternating directions repeats after two turns.

use crate::joint::Drive;
use crate::math::Vec3;
use crate::measure;
use crate::motion::Motion;
use crate::observe::{ContactForce, EndedTouch, Observer, Sample};
use crate::run::Run;
use crate::state::Touch;
use crate::world::{ContactMethod, World};
use carom::{Error, Result};
use serde::Serialize;

mod laws;
mod recurrence;

pub use laws::{IDEAL, LawRegimes, LawStudy, LawStudyError, RegimeStudy};

use recurrence::Recurrence;

/// The joint to study, and the duration of the study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Study {
    /// Contact of the world that represents the joint; none if the joint is ideal.
    pub contact: Option<usize>,
    /// Body whose motion is recorded.
    pub body: usize,
    /// Duration of one turn of the drive (s).
    pub period: f64,
    /// Number of turns left out at the start, while the transient decays.
    pub skip: usize,
    /// Number of turns that are studied.
    pub turns: usize,
    /// Phase at which the section is taken and the studied turns begin, as a fraction of a turn.
    pub phase: f64,
    /// Number of samples per turn.
    pub samples: usize,
}

/// Fractions of time in each regime, and statistics of the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Regimes {
    /// Fraction of the time without contact.
    pub flight: f64,
    /// Fraction of the time in impacts.
    pub impact: f64,
    /// Fraction of the time in lasting contact.
    pub contact: f64,
    /// Number of contacts per turn.
    pub touches: f64,
    /// Number of contacts per turn that ended with their impact: rebounds.
    pub rebounds: f64,
    /// Largest normal force (N): located for contacts that began in the studied time, otherwise the largest sample.
    pub force_max: f64,
    /// Largest approach speed at an onset (m/s).
    pub speed_max: f64,
}

/// State of the joint and the body at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Instant {
    /// Time (s).
    pub time: f64,
    /// Centre of the first shape of the contact relative to that of the second (m); 0 for an ideal joint.
    pub offset: Vec3,
    /// Rate of the offset (m/s).
    pub rate: Vec3,
    /// Position of the body (m).
    pub position: Vec3,
    /// Velocity of the body (m/s).
    pub velocity: Vec3,
    /// Acceleration of the body (m/s²).
    pub acceleration: Vec3,
}

/// Results of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StudyResults {
    /// Fractions of time in each regime.
    pub regimes: Regimes,
    /// Largest acceleration of the body in any sample (m/s²).
    pub acceleration_max: f64,
    /// State at the section, once per turn.
    pub section: Vec<Instant>,
    /// Samples of the last turn.
    pub path: Vec<Instant>,
    /// Notes of the run.
    pub notes: Vec<String>,
    #[serde(skip)]
    recurrence: Recurrence,
}

impl StudyResults {
    /// Returns the number of turns after which the motion repeats: the smallest after which the whole state at the section
    /// is the same, each component to a hundredth of its range. Returns nothing if there is no such number up to a third of
    /// the turns.
    pub fn repeats(&self) -> Option<usize> {
        self.recurrence.turns()
    }
}

/// Returns the duration of a turn of the first joint that is driven at a constant rate, or otherwise the period of the first
/// harmonic motion, force or couple (s).
///
/// # Errors
/// When there is neither.
pub fn period(world: &World) -> Result<f64> {
    let turning = world.joints().iter().filter_map(|joint| match joint.drive {
        Drive::Angle(Motion::Steady { rate, .. }) => Some(rate),
        _ => None,
    });
    let harmonic = world.motions().filter_map(|motion| match motion {
        Motion::Sine { amplitude, frequency, .. } if *amplitude != 0.0 => Some(*frequency),
        _ => None,
    });
    let advice = "turns are counted by it: give a [[joint]] of the scene angle = { rate = \"100 rad/s\" }, or a body, joint \
                  or force a motion with amplitude and frequency, or use `carom simulate`, which needs none";
    let rate = turning.chain(harmonic).find(|rate| *rate != 0.0).ok_or_else(|| {
        Error::missing("a joint that is driven at a steady rate, or a harmonic motion", advice)
    })?;
    Ok(std::f64::consts::TAU / rate.abs())
}

/// Simulates a world and studies one joint of it. `progress` is called with the fraction of the time that has been
/// simulated; it may end the study by returning an error.
///
/// # Errors
/// As for [`Run::advance`], those of `progress`, and when the study has no turns, no samples or no period.
///
/// ```
/// use carom_world::regimes::{Study, study};
/// use carom_world::{Body, Contact, Placed, Shape, World, math::Vec3};
/// // A ball that bounces off the ground once in the first half second, elastically.
/// let mut world = World::default().under(Vec3::new(0.0, 0.0, -9.81));
/// let ground = world.add_shape(Placed::on(0, Shape::HalfSpace))?;
/// let ball = Shape::Sphere { radius: 0.02 };
/// let body = world.add_body(Body::of("ball", &ball, 1000.0)?.at(Vec3::new(0.0, 0.0, 0.32)))?;
/// let shape = world.add_shape(Placed::on(body, ball))?;
/// let pair = carom::Pair::new(0.0335, 1e8, 1.5)?;
/// let law = carom::model("hertz-1881")?.law(&pair, carom::Damping::None, None, &[])?;
/// let contact = world.add_contact(Contact::new(shape, ground, law))?;
/// let looked = Study { contact: Some(contact), body, period: 0.5, skip: 0, turns: 1, phase: 0.0, samples: 10 };
/// let found = study(&world, &looked, |_| Ok(()))?;
/// assert_eq!((found.regimes.touches, found.regimes.rebounds), (1.0, 1.0));
/// assert!(found.regimes.flight > 0.99 && found.regimes.contact < 1e-5);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn study(
    world: &World,
    study: &Study,
    mut progress: impl FnMut(f64) -> Result<()>,
) -> Result<StudyResults> {
    let mut observer = JointObserver::new(*study);
    let end = observer.from + study.turns as f64 * study.period;
    if !(end > 0.0 && end.is_finite()) || study.turns == 0 || study.samples == 0 {
        return Err(Error::invalid(
            "turns",
            study.turns,
            "one turn or more, of a finite period above 0, with samples",
            "give the number of turns to look at",
        ));
    }
    world.check_motors()?;
    if world.method != ContactMethod::Smooth {
        let advice =
            "use method = \"smooth\": an impact of rigid bodies takes no time and has no force";
        return Err(Error::unsupported("regimes of contact with the nonsmooth method", advice));
    }
    let mut run = Run::new(world)?;
    run.show_touches(&mut observer);
    let mut steps = 0u64;
    while run.state().time < end {
        run.step(end, &mut observer)?;
        steps += 1;
        if steps.is_multiple_of(64) {
            progress(run.state().time / end)?;
        }
        if steps.is_multiple_of(1024) {
            run.state().audit(world, None, 0.0)?;
        }
    }
    run.state().audit(world, None, 0.0)?;
    Ok(observer.finish(&run))
}

/// A contact counts as a rebound if it lasts no longer than this multiple of its impact without any other force; other
/// forces change the duration slightly.
const MAX_REBOUND_DURATION: f64 = 1.1;

/// Times of a finished contact (s).
#[derive(Clone, Copy, Debug)]
struct ContactSpan {
    onset: f64,
    impact_end: f64,
    separation: f64,
}

/// A contact in progress.
#[derive(Clone, Copy, Debug)]
struct OpenContact {
    /// Indices of the contact and the site.
    site: (usize, usize),
    onset: f64,
    /// Duration of the impact without any other force (s).
    impact: f64,
}

/// Observer of the joint during a run.
pub(crate) struct JointObserver {
    pub study: Study,
    /// Time at which the studied turns begin (s).
    pub from: f64,
    /// Number of samples so far.
    taken: usize,
    open: Vec<OpenContact>,
    spans: Vec<ContactSpan>,
    results: StudyResults,
}

impl JointObserver {
    pub(crate) fn new(study: Study) -> Self {
        let from = (study.skip as f64 + study.phase) * study.period;
        Self {
            study,
            from,
            taken: 0,
            open: Vec::new(),
            spans: Vec::new(),
            results: StudyResults::default(),
        }
    }

    fn end_contact(&mut self, site: (usize, usize), separation: f64) {
        let Some(at) = self.open.iter().position(|contact| contact.site == site) else { return };
        let OpenContact { onset, impact, .. } = self.open.remove(at);
        if separation > self.from {
            let impact_end = (onset + impact).min(separation).max(self.from);
            self.spans.push(ContactSpan { onset: onset.max(self.from), impact_end, separation });
            if separation - onset <= MAX_REBOUND_DURATION * impact {
                self.results.regimes.rebounds += 1.0;
            }
        }
    }

    fn record_force(&mut self, onset: f64, force: f64) {
        if onset >= self.from {
            let regimes = &mut self.results.regimes;
            regimes.force_max = regimes.force_max.max(force);
        }
    }

    /// Returns the results after the end of the run.
    pub(crate) fn finish(mut self, run: &Run) -> StudyResults {
        let (world, end) = (run.world(), run.state().time);
        for touch in run.state().touches() {
            if Some(touch.site(world).0) == self.study.contact {
                self.end_contact(touch.site(world), end);
                self.record_force(touch.begun, touch.strongest.value);
            }
        }
        self.results.notes = run.state().notes().iter().map(ToString::to_string).collect();
        if self.study.contact.is_none() {
            // An ideal joint is always in contact.
            self.results.regimes.contact = 1.0;
            return self.results;
        }
        let window = end - self.from;
        let turns = self.study.turns as f64;
        let touching = union_length(self.spans.iter().map(|span| (span.onset, span.separation)));
        let contact =
            union_length(self.spans.iter().map(|span| (span.impact_end, span.separation)));
        let regimes = &mut self.results.regimes;
        regimes.flight = 1.0 - touching / window;
        regimes.contact = contact / window;
        regimes.impact = (touching - contact) / window;
        regimes.touches = self.spans.len() as f64 / turns;
        regimes.rebounds /= turns;
        self.results
    }
}

/// Returns the length of the union of intervals of time.
fn union_length(spans: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut spans: Vec<_> = spans.collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut reached) = (0.0, f64::NEG_INFINITY);
    for (begun, ended) in spans {
        sum += (ended - begun.max(reached)).max(0.0);
        reached = reached.max(ended);
    }
    sum
}

impl Observer for JointObserver {
    fn next(&self) -> f64 {
        let samples = self.study.turns * self.study.samples;
        // The section is the first sample of a turn.
        let share = self.taken as f64 / self.study.samples as f64;
        if self.taken < samples { self.from + share * self.study.period } else { f64::INFINITY }
    }

    fn sample(&mut self, sample: &Sample) {
        let forces = sample.forces();
        let now = sample.instant(self.study.contact, self.study.body, &forces);
        let results = &mut self.results;
        results.acceleration_max = results.acceleration_max.max(now.acceleration.length());
        let of_joint = forces.iter().filter(|force| Some(force.contact) == self.study.contact);
        let largest = &mut results.regimes.force_max;
        *largest = of_joint.map(|force| force.force).fold(*largest, f64::max);
        let at_section = self.taken.is_multiple_of(self.study.samples);
        results.recurrence.add(sample, at_section);
        if at_section {
            results.section.push(now);
        }
        if self.taken >= (self.study.turns - 1) * self.study.samples {
            results.path.push(now);
        }
        self.taken += 1;
    }

    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        let site = touch.site(world);
        if Some(site.0) != self.study.contact {
            return;
        }
        // A contact that would never end by itself has no impact.
        let impact = carom::impact::collide(&touch.law, touch.memory.speed);
        let impact = impact.map_or(0.0, |impact| impact.duration);
        let impact = if impact.is_finite() { impact } else { 0.0 };
        self.open.push(OpenContact { site, onset: time, impact });
        if time >= self.from {
            let regimes = &mut self.results.regimes;
            regimes.speed_max = regimes.speed_max.max(touch.speed);
        }
    }

    fn ended(&mut self, _world: &World, ended: &EndedTouch) {
        if Some(ended.contact) != self.study.contact {
            return;
        }
        self.end_contact((ended.contact, ended.site), ended.released);
        self.record_force(ended.begun, ended.force_max);
    }
}

impl Sample<'_> {
    /// Returns the state of the joint and the body at this instant; `forces` are the contact forces at the instant.
    fn instant(&self, contact: Option<usize>, body: usize, forces: &[ContactForce]) -> Instant {
        let world = self.world;
        let mut measured = measure::Instant::new(world);
        measured.evaluate(self, forces);
        let kinematics = measured.kinematics();
        let (offset, rate) = match contact.and_then(|index| world.contacts.get(index)) {
            Some(contact) => {
                let centre = |shape: usize| {
                    let moving = &kinematics.bodies[world.shapes[shape].body];
                    let at = kinematics.frame(world, shape).origin;
                    (at, moving.velocity_at(at))
                };
                let ((a, va), (b, vb)) = (centre(contact.a), centre(contact.b));
                (a - b, va - vb)
            }
            None => (Vec3::ZERO, Vec3::ZERO),
        };
        let pose = self.body(body);
        Instant {
            time: self.time,
            offset,
            rate,
            position: pose.map_or(Vec3::ZERO, |pose| pose.position),
            velocity: pose.map_or(Vec3::ZERO, |pose| pose.velocity),
            acceleration: measured.acceleration(body).0,
        }
    }
}
