//! Bifurcation diagrams: the Poincaré section of a scene, and its largest Lyapunov exponent, as functions of a key.
//!
//! For every value of the key the scene runs from its start. After a number of turns, in which the transient decays, points
//! are taken once per turn of the drive ([`Section::Turn`]) or at every touch of a contact ([`Section::Touch`]). A motion
//! that repeats after p turns has p points at its value of the key, a chaotic motion a cloud of points. Because every run
//! begins at the start of the scene, cases are independent of each other (in any order, on any thread). If several motions
//! coexist, the diagram shows the one to which this start leads.
//!
//! A case has one row for every point; numbers of the whole case (exponent, recurrence) are repeated in all its rows.

use crate::check::index_by_name;
use crate::lyapunov::{Exponent, Neighbour};
use crate::observe::{EndedTouch, Observer, Sample};
use crate::regimes::{self, Instant, JointObserver, Study};
use crate::run::Run;
use crate::scene::{Scene, SceneError};
use crate::state::{RigidTouch, State, Touch};
use crate::sweep::{AnyScene, CaseSource};
use crate::world::{ContactMethod, World};
use carom::sweep::{Evaluate, Figure, SceneStudy, Value, Variation, fingerprint};
use carom::{Error, Result};

/// Number of samples per turn, from which the ranges for the recurrence are found.
const SAMPLES_PER_TURN: usize = 72;

/// Instants at which points are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Once per turn.
    Turn,
    /// At every touch of the contact.
    Touch,
}

/// Settings of a bifurcation diagram: what is recorded, and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Contact, by name; the first one by default.
    pub contact: Option<String>,
    /// Body whose motion is recorded, by name; the first body of the contact by default.
    pub body: Option<String>,
    /// Instants at which points are taken.
    pub section: Section,
    /// Duration of a turn (s); that of the drive by default.
    pub period: Option<f64>,
    /// Number of turns left out at the start.
    pub skip: usize,
    /// Number of turns in which points are taken.
    pub turns: usize,
    /// Phase of the section, as a fraction of a turn.
    pub phase: f64,
    /// Whether the Lyapunov exponent is computed, which doubles the computing time.
    pub exponent: bool,
}

/// A coordinate of the points of a section: name, unit and value.
type Coordinate<P> = (&'static str, &'static str, fn(&P) -> f64);

/// Coordinates of a point per turn: the first shape of the contact relative to the second, and the body.
const TURN_COORDINATES: [Coordinate<Instant>; 16] = [
    ("time_s", "s", |p| p.time),
    ("offset_x_m", "m", |p| p.offset.x),
    ("offset_y_m", "m", |p| p.offset.y),
    ("offset_z_m", "m", |p| p.offset.z),
    ("rate_x_m_per_s", "m/s", |p| p.rate.x),
    ("rate_y_m_per_s", "m/s", |p| p.rate.y),
    ("rate_z_m_per_s", "m/s", |p| p.rate.z),
    ("x_m", "m", |p| p.position.x),
    ("y_m", "m", |p| p.position.y),
    ("z_m", "m", |p| p.position.z),
    ("vx_m_per_s", "m/s", |p| p.velocity.x),
    ("vy_m_per_s", "m/s", |p| p.velocity.y),
    ("vz_m_per_s", "m/s", |p| p.velocity.z),
    ("ax_m_per_s2", "m/s^2", |p| p.acceleration.x),
    ("ay_m_per_s2", "m/s^2", |p| p.acceleration.y),
    ("az_m_per_s2", "m/s^2", |p| p.acceleration.z),
];

/// Onset of a touch of the contact.
#[derive(Clone, Copy)]
struct OnsetPoint {
    time: f64,
    /// Phase as a fraction of a turn.
    phase: f64,
    speed: f64,
}

/// Coordinates of a point per touch.
const TOUCH_COORDINATES: [Coordinate<OnsetPoint>; 3] = [
    ("time_s", "s", |p| p.time),
    ("phase", "", |p| p.phase),
    ("speed_m_per_s", "m/s", |p| p.speed),
];

/// Names and units of the numbers of a whole case.
const CASE_NUMBERS: [(&str, &str); 4] = [
    ("period_s", "s"),
    ("repeats", ""),
    ("lyapunov_per_s", "1/s"),
    ("lyapunov_error_per_s", "1/s"),
];

/// Returns the names and units of the coordinates of a section.
pub fn coordinates(section: Section) -> Vec<(&'static str, &'static str)> {
    match section {
        Section::Turn => TURN_COORDINATES.iter().map(|(name, unit, _)| (*name, *unit)).collect(),
        Section::Touch => TOUCH_COORDINATES.iter().map(|(name, unit, _)| (*name, *unit)).collect(),
    }
}

/// Evaluation of the sections of a study.
pub struct Bifurcation {
    source: CaseSource,
    title: String,
    settings: Settings,
}

impl Bifurcation {
    /// Creates the sections of a study of the scene with this text; `files` returns the text of a file that the scene names.
    ///
    /// # Errors
    /// When no case is a scene of bodies, or the contact or body of the settings does not exist.
    pub fn new(
        study: &SceneStudy,
        settings: Settings,
        text: String,
        files: impl Fn(&str) -> std::result::Result<String, String> + Send + Sync + 'static,
    ) -> std::result::Result<Self, SceneError> {
        let source = CaseSource::new(study, text, files)?;
        let bifurcation = Self { source, title: study.title.clone(), settings };
        // A name that is wrong in the first case is wrong in all cases. Other errors of a case are reported in its row.
        let checked = match bifurcation.source.first_scene().and_then(scene_of_bodies) {
            Ok(scene) => bifurcation.study(&scene).map(|_| ()),
            Err(error) if error.is_unsupported() => Err(error),
            Err(_) => Ok(()),
        };
        checked.map(|()| bifurcation).map_err(SceneError::of_scene)
    }

    /// Returns the study of a scene according to the settings.
    fn study(&self, scene: &Scene) -> Result<Study> {
        let (world, settings) = (&scene.world, &self.settings);
        let contact = match &settings.contact {
            Some(name) => Some(index_by_name("contact", name, world.contact_names())?),
            None => (!world.contacts().is_empty()).then_some(0),
        };
        let body = match (&settings.body, contact) {
            (Some(name), _) => index_by_name("body", name, world.body_names())?,
            (None, Some(contact)) => world.shapes()[world.contacts()[contact].a].body,
            (None, None) => world.free.first().copied().unwrap_or(0),
        };
        if contact.is_none() && settings.section == Section::Touch {
            let advice = "add a [[contact]] to the scene, or take the section once a turn";
            return Err(Error::missing("a contact", advice));
        }
        if settings.exponent && world.method != ContactMethod::Smooth {
            let advice = "leave out the exponent, or use method = \"smooth\": with a fixed step, neighbouring motions \
                          strike in the same step, so that the difference of their impact times is not resolved";
            return Err(Error::unsupported(
                "the Lyapunov exponent with the nonsmooth method",
                advice,
            ));
        }
        let period = settings.period.map_or_else(|| regimes::period(world), Ok)?;
        let &Settings { skip, turns, phase, .. } = settings;
        if turns == 0 || !(period > 0.0 && period.is_finite()) {
            let found = format!("{turns} turns of {period} s");
            let allowed = "one turn or more, of a finite period above 0";
            return Err(Error::invalid("turns", found, allowed, "50 turns show a section"));
        }
        Ok(Study { contact, body, period, skip, turns, phase, samples: SAMPLES_PER_TURN })
    }

    /// Runs a scene, and returns the recorder, the run, and the Lyapunov exponent if it is requested.
    fn run<'s>(
        &self,
        scene: &'s Scene,
        study: &Study,
    ) -> Result<(SectionRecorder, Run<'s>, Option<Exponent>)> {
        let world = &scene.world;
        let mut recorder = SectionRecorder {
            joint: JointObserver::new(*study),
            onsets: Vec::new(),
            samples: 0,
            states: Vec::new(),
        };
        let mut run = Run::new(world)?;
        run.show_touches(&mut recorder.joint);
        let end = recorder.joint.from + study.turns as f64 * study.period;
        let mut neighbour: Option<Neighbour> = None;
        while run.state().time < end {
            run.step(end, &mut recorder)?;
            for state in recorder.states.drain(..).filter(|_| self.settings.exponent) {
                match &mut neighbour {
                    Some(neighbour) => neighbour.advance_turn(&state)?,
                    None => neighbour = Some(Neighbour::new(world, &state, study.period)),
                }
            }
        }
        run.state().audit(world, None, 0.0)?;
        Ok((recorder, run, neighbour.map(|neighbour| neighbour.exponent())))
    }
}

/// Returns the scene if it is a scene of bodies.
fn scene_of_bodies(scene: AnyScene) -> Result<Scene> {
    match scene {
        AnyScene::Bodies(scene) => Ok(*scene),
        AnyScene::Grains(_) => Err(Error::unsupported(
            "the section of a bed of grains",
            "take a scene of bodies; a sweep has results of beds",
        )),
    }
}

/// Observer of a joint and of the onsets of its contact.
struct SectionRecorder {
    joint: JointObserver,
    onsets: Vec<OnsetPoint>,
    /// Number of samples so far; the first of each turn is the section.
    samples: usize,
    /// States at sections to which the neighbour has not been advanced yet.
    states: Vec<State>,
}

impl SectionRecorder {
    fn record_onset(&mut self, contact: usize, time: f64, speed: f64) {
        let JointObserver { study, from, .. } = &self.joint;
        if Some(contact) == study.contact && time >= *from {
            let phase = (time / study.period).rem_euclid(1.0);
            self.onsets.push(OnsetPoint { time, phase, speed });
        }
    }
}

impl Observer for SectionRecorder {
    fn next(&self) -> f64 {
        self.joint.next()
    }
    fn sample(&mut self, sample: &Sample) {
        self.joint.sample(sample);
        if self.samples.is_multiple_of(SAMPLES_PER_TURN) {
            self.states.push(sample.state().clone());
        }
        self.samples += 1;
    }
    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        self.joint.began(world, time, touch);
        self.record_onset(touch.site(world).0, time, touch.speed);
    }
    fn began_rigid(&mut self, world: &World, touch: &RigidTouch) {
        self.record_onset(touch.site(world).0, touch.begun, touch.speed);
    }
    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.joint.ended(world, ended);
    }
}

impl Evaluate for Bifurcation {
    type Scratch = ();

    fn variation(&self) -> &Variation {
        &self.source.variation
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn figure(&self) -> Option<Figure> {
        None
    }

    fn outputs(&self) -> Vec<(String, String)> {
        let all = coordinates(self.settings.section).into_iter().chain(CASE_NUMBERS);
        all.map(|(name, unit)| (name.to_string(), unit.to_string())).collect()
    }

    fn evaluate(&self, values: &[Value], _: &mut (), rows: &mut Vec<f64>) -> Result<&'static str> {
        let scene = scene_of_bodies(self.source.scene(values)?)?;
        let study = self.study(&scene)?;
        let (recorder, run, exponent) = self.run(&scene, &study)?;
        let onsets = recorder.onsets;
        let found = recorder.joint.finish(&run);
        let repeats = found.repeats().map_or(f64::NAN, |turns| turns as f64);
        let (value, error) = exponent.map_or((f64::NAN, f64::NAN), |it| (it.value, it.error));
        let of_case = [study.period, repeats, value, error];
        let mut point = |numbers: &mut dyn Iterator<Item = f64>| {
            rows.extend(numbers);
            rows.extend(of_case);
        };
        match self.settings.section {
            Section::Turn => {
                for at in &found.section {
                    point(&mut TURN_COORDINATES.iter().map(|(_, _, value)| value(at)));
                }
            }
            Section::Touch => {
                for at in &onsets {
                    point(&mut TOUCH_COORDINATES.iter().map(|(_, _, value)| value(at)));
                }
                // A case without touches has one row without a point.
                if onsets.is_empty() {
                    point(&mut TOUCH_COORDINATES.iter().map(|_| f64::NAN));
                }
            }
        }
        Ok("ok")
    }

    fn fingerprint(&self) -> String {
        fingerprint(&format!("{} {:?}", self.source.identity, self.settings))
    }
}
