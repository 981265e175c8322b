//! Runs a scene and answers with a film of it.
//!
//! The run has the same steps as that of `carom simulate`; only what is recorded differs (`film.rs`). The size of the
//! scene and the computing time are limited. A run that reaches the time limit is answered up to that time, with the
//! reason; one whose client disconnects is stopped. The answer for a bed of grains has the same form, with the grains
//! in columns of their own (`bed.rs`).

use super::bed::{self, Grains};
use super::film::{Film, Frame, Touched};
use super::library::file_of_library;
use super::solids::{self, Body, Joint, Spring, triple};
use super::stop::Stop;
use crate::failure::Failure;
use carom::Error;
use carom_world::grains::GranularScene;
use carom_world::record::{NoteSummary, SceneSource};
use carom_world::scene::Change;
use carom_world::{Note, Run, Scene};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Longest computing time (s), without the wait for a free core.
const MAX_SECONDS: f64 = 15.0;
/// Largest scene: bytes of text, bodies, contacts.
const MAX_TEXT_BYTES: usize = 1 << 20;
const MAX_BODIES: usize = 500;
const MAX_CONTACTS: usize = 5000;
/// Largest number of frames, and of numbers in all of them together.
pub const MAX_FRAMES: usize = 4000;
pub const MAX_NUMBERS: usize = 400_000;

/// A request to run a scene.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The scene, TOML.
    scene: String,
    /// Contents of files that the scene names, by name.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Keys to change, as `carom simulate --set` does.
    #[serde(default)]
    set: Vec<String>,
    /// Ignored: `scene.json` contains it, and may be sent unchanged.
    #[serde(default, rename = "pins")]
    _pins: usize,
    /// Limit of the computing time (s); 0 returns the initial state only.
    #[serde(default = "default_seconds")]
    seconds: f64,
    /// Largest number of frames.
    #[serde(default = "default_frames")]
    frames: usize,
}

fn default_seconds() -> f64 {
    MAX_SECONDS
}

fn default_frames() -> usize {
    MAX_FRAMES
}

/// The answer: scene, film and results of a run.
#[derive(Debug, Default, Serialize)]
pub struct RunFilm {
    pub title: String,
    pub about: String,
    pub planar: bool,
    pub gravity: [f64; 3],
    /// Duration of the scene, and time reached (s).
    pub duration: f64,
    pub time: f64,
    pub finished: bool,
    /// Why it did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    pub steps: u64,
    /// Computing time (s), without the wait for a free core.
    pub computed: f64,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub springs: Vec<Spring>,
    pub contacts: Vec<Pair>,
    /// Indices of the bodies whose poses are in the frames.
    pub moving: Vec<usize>,
    pub frames: Frames,
    pub events: Vec<Event>,
    /// Number of all contacts that occurred; if they are very many, `events` has only the strongest.
    pub touches: usize,
    pub notes: Vec<NoteSummary>,
    /// The grains of a bed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grains: Option<Grains>,
    /// For a run read from a folder: its scene, and the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SceneSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// The bodies of a contact.
#[derive(Debug, Serialize)]
pub struct Pair {
    name: String,
    a: usize,
    b: usize,
}

/// The film, in columns.
#[derive(Debug, Default, Serialize)]
pub struct Frames {
    pub time: Vec<f64>,
    /// For every frame x, y, z, qw, qx, qy, qz of every moving body.
    pub poses: Vec<Vec<f64>>,
    /// For every frame its contacts: contact, site, point (3), force on the second body (3), normal force,
    /// indentation.
    pub contacts: Vec<Vec<[f64; 10]>>,
    pub energies: Vec<(&'static str, Vec<f64>)>,
}

/// A contact from onset to separation.
#[derive(Debug, Serialize)]
pub struct Event {
    contact: usize,
    place: usize,
    touch: f64,
    /// Separation; none if contact lasts to the end of the film.
    part: Option<f64>,
    speed: f64,
    rebound: Option<f64>,
    force_max: f64,
    indentation_max: f64,
}

/// Runs a scene and measures the computing time.
pub fn simulate(request: &Request, stop: &Stop) -> Result<RunFilm, Failure> {
    let film = film(request, stop)?;
    Ok(RunFilm { computed: stop.since().as_secs_f64(), ..film })
}

fn film(request: &Request, stop: &Stop) -> Result<RunFilm, Failure> {
    let size = request.scene.len();
    limit("bytes of the scene", size, MAX_TEXT_BYTES, "use `carom simulate`")?;
    limit("frames", request.frames, MAX_FRAMES, "ask for fewer; they are put where much happens")?;
    if !(0.0..=MAX_SECONDS).contains(&request.seconds) {
        let (allowed, advice) =
            (format!("between 0 and {MAX_SECONDS}"), "use `carom simulate` for longer runs");
        return Err(Error::invalid("seconds", request.seconds, allowed, advice).into());
    }
    let files = |name: &str| match request.files.get(name) {
        Some(text) => Ok(text.clone()),
        None => file_of_library(name),
    };
    let changes: Result<Vec<Change>, Error> =
        request.set.iter().map(|change| change.parse()).collect();
    let changes = changes?;
    let wrong = |wrong: carom_world::SceneError| Failure::Input(wrong.to_string());
    if GranularScene::recognizes(&request.scene) {
        let most = bed::RUN_LIMIT;
        let scene =
            GranularScene::parse_few(&request.scene, &files, &changes, most).map_err(wrong)?;
        return bed::run(scene, request.seconds, stop);
    }
    let scene = Scene::parse_with(&request.scene, &files, &changes).map_err(wrong)?;
    let world = &scene.world;
    let advice = "use `carom simulate` for scenes this large";
    // Not counting the ground.
    limit("the number of bodies", world.bodies().len().saturating_sub(1), MAX_BODIES, advice)?;
    limit("the number of contacts", world.contacts().len(), MAX_CONTACTS, advice)?;
    let mut run = Run::new(world)?;
    let mut film = Film::new(&scene, &run, (request.frames, MAX_NUMBERS));
    let stopped = advance(&scene, &mut run, &mut film, request.seconds, stop);
    film.finish(&run, stop);
    Ok(finished_film(&scene, &run, film, stopped))
}

/// Runs to the end; otherwise returns the reason why not.
fn advance(
    scene: &Scene,
    run: &mut Run,
    film: &mut Film,
    seconds: f64,
    stop: &Stop,
) -> Option<String> {
    let most = Duration::from_secs_f64(seconds);
    while run.state().time < scene.duration {
        if stop.gone() {
            return Some("the client has disconnected".into());
        }
        if stop.since() >= most {
            let advice = "choose a larger `tolerance`";
            return Some(too_long(seconds, run.state().time, scene.duration, advice));
        }
        if let Err(error) = run.step(scene.duration, film) {
            return Some(error.to_string());
        }
        film.step(run);
        let audit_due = run.state().counts.steps.is_multiple_of(256);
        if audit_due || run.state().time >= scene.duration {
            let audit = run.state().audit(&scene.world, Some(film.largest), scene.energy_tolerance);
            if let Err(error) = audit {
                return Some(error.to_string());
            }
        }
    }
    None
}

/// The message that a run reached the time limit, and what to do.
pub fn too_long(seconds: f64, reached: f64, duration: f64, advice: &str) -> String {
    let [reached, duration] = [reached, duration].map(|time| carom::units::format(time, "s"));
    format!(
        "the run was stopped after {seconds} s of computing, at t = {reached} of {duration}; shorten `duration`, \
         {advice}, or use `carom simulate`, which has no limit, and then `carom lab DIR`"
    )
}

pub fn limit(name: &str, given: usize, most: usize, advice: &str) -> Result<(), Error> {
    match given > most {
        true => Err(Error::invalid(name, given, format!("at most {most}"), advice)),
        false => Ok(()),
    }
}

/// The part of the answer that depends on the scene alone.
pub fn scene_film(scene: &Scene) -> RunFilm {
    let world = &scene.world;
    let of = |shape: usize| world.shapes().get(shape).map_or(0, |placed| placed.body);
    let pair = |c: &carom_world::Contact| Pair { name: c.name.clone(), a: of(c.a), b: of(c.b) };
    RunFilm {
        title: scene.title.clone(),
        about: scene.about.clone(),
        planar: world.planar,
        gravity: triple(world.gravity),
        duration: scene.duration,
        bodies: solids::bodies(world),
        joints: solids::joints(world),
        springs: solids::springs(world),
        contacts: world.contacts().iter().map(pair).collect(),
        ..RunFilm::default()
    }
}

/// The answer for a film, with the contacts that last to its end.
pub fn film_with_contacts(scene: &Scene, film: Film, lasting: Vec<Touched>) -> RunFilm {
    let touches = film.ended + lasting.len();
    let moving = film.moving().to_vec();
    let mut events: Vec<Event> = film.touches.into_iter().chain(lasting).map(Event::of).collect();
    events.sort_by(|a, b| a.touch.total_cmp(&b.touch));
    let frames = Frames::of(film.frames);
    RunFilm { moving, frames, events, touches, ..scene_film(scene) }
}

fn finished_film(scene: &Scene, run: &Run, film: Film, stopped: Option<String>) -> RunFilm {
    let (world, state) = (&scene.world, run.state());
    let mut notes: Vec<Note> = state.notes().to_vec();
    let energies = state.energies(world);
    let allowed = state.allowed(world, &energies, scene.energy_tolerance, film.largest);
    if energies.error.abs() > allowed {
        notes.push(Note::Energy { error: energies.error, allowed });
    }
    let lasting = state.touches().iter().map(|touch| Touched {
        site: touch.site(world),
        span: (touch.begun, None),
        speeds: (touch.speed, None),
        largest: (touch.strongest.value, touch.deepest.value),
    });
    let lasting = lasting.collect();
    RunFilm {
        time: state.time,
        finished: stopped.is_none(),
        stopped,
        steps: state.counts.steps,
        notes: notes.iter().map(NoteSummary::of).collect(),
        ..film_with_contacts(scene, film, lasting)
    }
}

impl Event {
    fn of(touched: Touched) -> Self {
        let Touched { site: (contact, place), span, speeds, largest } = touched;
        Self {
            contact,
            place,
            touch: span.0,
            part: span.1,
            speed: speeds.0,
            rebound: speeds.1,
            force_max: largest.0,
            indentation_max: largest.1,
        }
    }
}

impl Frames {
    fn of(frames: Vec<Frame>) -> Self {
        let column = |of: fn(&Frame) -> f64| frames.iter().map(of).collect::<Vec<f64>>();
        let time = column(|frame| frame.time);
        let energies = vec![
            ("kinetic", column(|f| f.energies.kinetic)),
            ("potential", column(|f| f.energies.potential)),
            ("stored in contacts", column(|f| f.energies.stored)),
            ("lost in contacts", column(|f| f.energies.lost_in_contacts)),
            ("lost to friction", column(|f| f.energies.lost_to_friction)),
            ("lost in dampers", column(|f| f.energies.lost_in_dampers)),
            ("work of forces", column(|f| f.energies.work_of_forces)),
            ("work of drives", column(|f| f.energies.work_of_drives)),
        ];
        let row = |push: &super::film::Push| {
            let (p, f) = (push.point, push.vector);
            let (contact, place) = (push.site.0 as f64, push.site.1 as f64);
            [contact, place, p.x, p.y, p.z, f.x, f.y, f.z, push.force, push.indentation]
        };
        let contacts = frames.iter().map(|f| f.pushes.iter().map(row).collect()).collect();
        let poses = frames.into_iter().map(|frame| frame.poses).collect();
        Self { time, poses, contacts, energies }
    }
}
