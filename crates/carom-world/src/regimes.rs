//! What a joint with clearance does over many turns: free flight, impact, lasting contact; its Poincaré
//! section; its path.
//!
//! # Regimes
//! A pin in a bore flies freely, strikes, and leaves or stays on the wall: the modes of Miedema & Mansour (J. Eng. Ind.
//! 98 (1976) 1319–1323), which studies of clearance joints follow since. Free flight is the time without any touch. A
//! touch begins with an *impact*, which takes as long as it would with nothing else acting (law, effective mass and
//! speed of that touch, by `carom::impact`), or until the touch ends; what is left of the touch is lasting *contact*.
//! An impact has no scale of time but this one, so that no threshold is needed for soft or stiff, slow or fast.
//!
//! # Section
//! Once a turn, at one angle of the drive, the place of the pin in the bore and the motion of a body. A motion that
//! repeats after p turns is p points; a cloud is a motion that does not repeat.
//!
//! Whether it repeats is asked of the whole state, not of the points that are drawn: positions, rotations and velocities of
//! all bodies, the pins of all joints with clearance, and which contacts touch (`regimes/whole.rs`). A pin that
//! passes the same place in two directions, turn about, repeats after two turns.

use crate::dynamics::Evaluation;
use crate::input::StepInput;
use crate::joint::Drive;
use crate::math::Vec3;
use crate::motion::Motion;
use crate::observe::{Ended, Observer, Piece};
use crate::run::Run;
use crate::state::Touch;
use crate::world::World;
use carom::{Error, Result};
use serde::Serialize;

mod whole;

use whole::Whole;

/// What is looked at, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Study {
    /// The contact of the world that is the joint; none where the joint is ideal.
    pub contact: Option<usize>,
    /// The body whose motion is recorded.
    pub body: usize,
    /// One turn of the drive (s).
    pub period: f64,
    /// Turns that are left out at the start: what began with the start must have died away.
    pub skip: usize,
    /// Turns that are looked at.
    pub turns: usize,
    /// Where in a turn the section is, and the turns that are looked at begin, as a share of a turn.
    pub phase: f64,
    /// Samples of a turn.
    pub samples: usize,
}

/// Shares of the time, and what happened in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Regimes {
    /// Share of the time without touch.
    pub flight: f64,
    /// Share of the time in impacts.
    pub impact: f64,
    /// Share of the time in contact after them.
    pub contact: f64,
    /// Touches a turn.
    pub touches: f64,
    /// Touches a turn that ended with their impact: rebounds.
    pub rebounds: f64,
    /// Largest normal force (N): located in touches that began in this time, among the samples in others.
    pub force_max: f64,
    /// Fastest approach at a touch (m/s).
    pub speed_max: f64,
}

/// The joint and the body at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Instant {
    /// When (s).
    pub time: f64,
    /// Centre of the first shape of the contact from that of the second (m); 0 for an ideal joint.
    pub offset: Vec3,
    /// How fast that changes (m/s).
    pub rate: Vec3,
    /// Where the body is (m).
    pub position: Vec3,
    /// How fast it moves (m/s).
    pub velocity: Vec3,
    /// How it accelerates (m/s²).
    pub acceleration: Vec3,
}

/// What a study found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Course {
    /// Shares of the time.
    pub regimes: Regimes,
    /// Largest acceleration of the body among all samples (m/s²).
    pub acceleration_max: f64,
    /// One instant a turn.
    pub section: Vec<Instant>,
    /// The last turn, sample by sample.
    pub path: Vec<Instant>,
    /// What is worth knowing about the run.
    pub notes: Vec<String>,
    /// The whole state, once a turn.
    #[serde(skip)]
    whole: Whole,
}

impl Course {
    /// After how many turns the motion repeats: the smallest number after which the whole state at the section is the same,
    /// each part of it to a hundredth of the range that it has; none where it is not within a third of the turns.
    pub fn repeats(&self) -> Option<usize> {
        self.whole.repeats()
    }
}

/// One turn of the first joint that is driven at a steady rate (s).
///
/// # Errors
/// When no joint is.
pub fn period(world: &World) -> Result<f64> {
    let rates = world.joints().iter().filter_map(|joint| match joint.drive {
        Drive::Angle(Motion::Steady { rate, .. }) if rate != 0.0 => Some(rate.abs()),
        _ => None,
    });
    let advice = "turns are counted by it: give a [[joint]] of the scene angle = { rate = \"100 rad/s\" }, or use \
                  `carom simulate`, which needs none";
    let rate = rates
        .into_iter()
        .next()
        .ok_or_else(|| Error::missing("a joint that is driven at a steady rate", advice))?;
    Ok(std::f64::consts::TAU / rate)
}

/// Runs a world and looks at one joint of it.
///
/// # Errors
/// As [`Run::advance`], and when the study has no turns, no samples or no period.
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
/// let found = study(&world, &looked, |_| ())?;
/// assert_eq!((found.regimes.touches, found.regimes.rebounds), (1.0, 1.0));
/// assert!(found.regimes.flight > 0.99 && found.regimes.contact < 1e-5);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn study(world: &World, study: &Study, mut progress: impl FnMut(f64)) -> Result<Course> {
    let mut watch = Watch::new(*study);
    let whole = watch.from + study.turns as f64 * study.period;
    if !(whole > 0.0 && whole.is_finite()) || study.turns == 0 || study.samples == 0 {
        return Err(Error::invalid(
            "turns",
            study.turns,
            "one turn or more, of a finite period above 0, with samples",
            "give the number of turns to look at",
        ));
    }
    let mut run = Run::new(world)?;
    for touch in run.state().touches() {
        watch.began(world, 0.0, touch);
    }
    let mut steps = 0u64;
    while run.state().time < whole {
        run.step(whole, &mut watch)?;
        steps += 1;
        if steps.is_multiple_of(64) {
            progress(run.state().time / whole);
        }
        if steps.is_multiple_of(1024) {
            run.state().audit(world, None, 0.0)?;
        }
    }
    run.state().audit(world, None, 0.0)?;
    for touch in run.state().touches() {
        if Some(touch.site(world).0) == study.contact {
            watch.close(touch.site(world), whole);
            watch.pushed(touch.begun, touch.strongest.value);
        }
    }
    watch.course.notes = run.state().notes().iter().map(ToString::to_string).collect();
    Ok(watch.course(whole))
}

/// A touch: when it began, when its impact was over, when it ended.
#[derive(Clone, Copy, Debug)]
struct Span {
    begun: f64,
    struck: f64,
    ended: f64,
}

/// Watches a run.
struct Watch {
    study: Study,
    from: f64,
    taken: usize,
    /// Touches that are happening: place, when it began, how long the bare impact would last.
    open: Vec<((usize, usize), f64, f64)>,
    spans: Vec<Span>,
    course: Course,
}

impl Watch {
    fn new(study: Study) -> Self {
        let from = (study.skip as f64 + study.phase) * study.period;
        Self {
            study,
            from,
            taken: 0,
            open: Vec::new(),
            spans: Vec::new(),
            course: Course::default(),
        }
    }

    fn close(&mut self, site: (usize, usize), ended: f64) {
        let Some(at) = self.open.iter().position(|(place, ..)| *place == site) else { return };
        let (_, begun, bare) = self.open.remove(at);
        if ended > self.from {
            let struck = (begun + bare).min(ended).max(self.from);
            self.spans.push(Span { begun: begun.max(self.from), struck, ended });
            // What else acts makes an impact a little longer or shorter.
            if ended - begun <= 1.1 * bare {
                self.course.regimes.rebounds += 1.0;
            }
        }
    }

    fn pushed(&mut self, begun: f64, force: f64) {
        if begun >= self.from {
            let regimes = &mut self.course.regimes;
            regimes.force_max = regimes.force_max.max(force);
        }
    }

    fn course(mut self, whole: f64) -> Course {
        if self.study.contact.is_none() {
            // An ideal joint never leaves.
            self.course.regimes.contact = 1.0;
            return self.course;
        }
        let window = whole - self.from;
        let turns = self.study.turns as f64;
        let touching = covered(self.spans.iter().map(|span| (span.begun, span.ended)));
        let contact = covered(self.spans.iter().map(|span| (span.struck, span.ended)));
        let regimes = &mut self.course.regimes;
        regimes.flight = 1.0 - touching / window;
        regimes.contact = contact / window;
        regimes.impact = (touching - contact) / window;
        regimes.touches = self.spans.len() as f64 / turns;
        regimes.rebounds /= turns;
        self.course
    }
}

/// Length of the union of spans of time.
fn covered(spans: impl Iterator<Item = (f64, f64)>) -> f64 {
    let mut spans: Vec<_> = spans.collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut reached) = (0.0, f64::NEG_INFINITY);
    for (begun, ended) in spans {
        sum += (ended - begun.max(reached)).max(0.0);
        reached = reached.max(ended);
    }
    sum
}

impl Observer for Watch {
    fn next(&self) -> f64 {
        let whole = self.study.turns * self.study.samples;
        // The section is at the first sample of a turn.
        let share = self.taken as f64 / self.study.samples as f64;
        if self.taken < whole { self.from + share * self.study.period } else { f64::INFINITY }
    }

    fn sample(&mut self, piece: &Piece) {
        let now = piece.instant(self.study.contact, self.study.body);
        let course = &mut self.course;
        course.acceleration_max = course.acceleration_max.max(now.acceleration.length());
        let forces = piece.forces().into_iter().filter(|f| Some(f.contact) == self.study.contact);
        let largest = &mut course.regimes.force_max;
        *largest = forces.map(|force| force.force).fold(*largest, f64::max);
        let at_section = self.taken.is_multiple_of(self.study.samples);
        course.whole.sample(piece, at_section);
        if at_section {
            course.section.push(now);
        }
        if self.taken >= (self.study.turns - 1) * self.study.samples {
            course.path.push(now);
        }
        self.taken += 1;
    }

    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        let site = touch.site(world);
        if Some(site.0) != self.study.contact {
            return;
        }
        let bare = carom::impact::collide(&touch.law, touch.memory.speed);
        // A touch that would never end by itself has no impact of its own.
        let bare = bare.map_or(0.0, |impact| impact.duration);
        let bare = if bare.is_finite() { bare } else { 0.0 };
        self.open.push((site, time, bare));
        if time >= self.from {
            let regimes = &mut self.course.regimes;
            regimes.speed_max = regimes.speed_max.max(touch.speed);
        }
    }

    fn ended(&mut self, _world: &World, ended: &Ended) {
        if Some(ended.contact) != self.study.contact {
            return;
        }
        self.close((ended.contact, ended.place), ended.released);
        self.pushed(ended.begun, ended.force_max);
    }
}

impl Piece<'_> {
    /// A joint and a body at this instant, with accelerations.
    fn instant(&self, contact: Option<usize>, body: usize) -> Instant {
        let (world, state) = (self.world, self.state);
        let mut evaluation = Evaluation::new(world);
        let mut slope = vec![0.0; state.y.len()];
        evaluation.evaluate(&StepInput::at(world, state), state.time, &state.y, &mut slope);
        let (offset, rate) = match contact.and_then(|index| world.contacts.get(index)) {
            Some(contact) => {
                let centre = |shape: usize| {
                    let moving = &evaluation.kinematics.bodies[world.shapes[shape].body];
                    let at = evaluation.kinematics.frame(world, shape).origin;
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
            acceleration: evaluation.acceleration.get(body).map_or(Vec3::ZERO, |a| a.0),
        }
    }
}
