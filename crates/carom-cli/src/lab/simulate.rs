//! Runs a scene and answers with a film of it.
//!
//! The run has the same steps as that of `carom simulate`; only the recorded data differ (`film.rs`). The size of the scene and the
//! computing time are limited. A run that reaches the time limit is answered up to that time, with the reason; a run whose client
//! disconnects is stopped. The answer for a bed of grains has the same form, with the grains in columns of their own (`bed.rs`).

use super::bed;
use super::film::{Film, TouchSpan};
use super::library::file_of_library;
use super::limits::check_at_most;
use super::progress::Job;
use super::run_film::{RunFilm, film_with_contacts, too_long};
use super::stop::Stop;
use crate::failure::Failure;
use carom::Error;
use carom_world::grains::GranularScene;
use carom_world::record::NoteSummary;
use carom_world::scene::{Change, Control};
use carom_world::{Note, Run, Scene};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Longest computing time (s), without the wait for a free core.
const MAX_SECONDS: f64 = 100.0;
/// Default computing time (s).
const DEFAULT_SECONDS: f64 = 15.0;
/// Limits on the size of a scene: bytes of text, number of bodies, number of contacts.
const MAX_TEXT_BYTES: usize = 1 << 20;
const MAX_BODIES: usize = 500;
const MAX_CONTACTS: usize = 5000;
/// Largest number of controls that a request may define.
const MAX_CONTROLS: usize = 50;
/// Largest number of frames, and of numbers in all of them together.
pub const MAX_FRAMES: usize = 4000;
pub const MAX_NUMBERS: usize = 400_000;

/// A request to run a scene.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Scene as TOML.
    scene: String,
    /// Contents of files that the scene names, by name.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Keys to change, as `carom simulate --set` does.
    #[serde(default)]
    set: Vec<String>,
    /// Ignored; accepted because `scene.json`, which contains it, may be sent unchanged.
    #[serde(default, rename = "pins")]
    _pins: usize,
    /// Limit on the computing time (s); with 0 only the initial state is returned.
    seconds: Option<f64>,
    /// Largest number of frames.
    frames: Option<usize>,
    /// Keys to return as controls, in addition to those of the scene.
    #[serde(default)]
    controls: Vec<String>,
    /// Name under which `progress/{job}` reports the progress of the run and `film/{job}` its film so far.
    #[serde(default)]
    job: Option<String>,
}

/// Runs a scene and measures the computing time.
pub fn simulate(request: &Request, stop: &Stop) -> Result<RunFilm, Failure> {
    let mut film = film(request, stop)?;
    film.controls.extend(requested_controls(request, &film.controls)?);
    Ok(RunFilm { computed: stop.computing_time().as_secs_f64(), ..film })
}

/// Returns controls for the keys of the request for which the scene has none.
fn requested_controls(request: &Request, known: &[Control]) -> Result<Vec<Control>, Failure> {
    check_at_most("the number of controls", request.controls.len(), MAX_CONTROLS, "ask for fewer")?;
    let changes = changes(request)?;
    let new = request.controls.iter().filter(|key| !known.iter().any(|c| c.keys == [key.as_str()]));
    let made: Result<Vec<Control>, _> =
        new.map(|key| Control::of_key(&request.scene, &changes, key)).collect();
    made.map_err(|why| Failure::Input(why.to_string()))
}

fn changes(request: &Request) -> Result<Vec<Change>, Error> {
    request.set.iter().map(|change| change.parse()).collect()
}

fn film(request: &Request, stop: &Stop) -> Result<RunFilm, Failure> {
    let size = request.scene.len();
    check_at_most("bytes of the scene", size, MAX_TEXT_BYTES, "use `carom simulate`")?;
    let (seconds, frames) =
        (request.seconds.unwrap_or(DEFAULT_SECONDS), request.frames.unwrap_or(MAX_FRAMES));
    check_at_most("frames", frames, MAX_FRAMES, "ask for fewer; they are put where much happens")?;
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        let (allowed, advice) =
            (format!("between 0 and {MAX_SECONDS}"), "use `carom simulate` for longer runs");
        return Err(Error::invalid("seconds", seconds, allowed, advice).into());
    }
    let files = |name: &str| match request.files.get(name) {
        Some(text) => Ok(text.clone()),
        None => file_of_library(name),
    };
    let changes = changes(request)?;
    let wrong = |wrong: carom_world::SceneError| Failure::Input(wrong.to_string());
    if GranularScene::recognizes(&request.scene) {
        let most = bed::MAX_GRAINS_RUN;
        let scene =
            GranularScene::parse_few(&request.scene, &files, &changes, most).map_err(wrong)?;
        let mut job = Job::begin(request.job.as_deref(), scene.duration);
        return bed::run(scene, seconds, &mut job, stop);
    }
    let scene = Scene::parse_with(&request.scene, &files, &changes).map_err(wrong)?;
    let world = &scene.world;
    let advice = "use `carom simulate` for scenes this large";
    // The ground is not counted.
    check_at_most(
        "the number of bodies",
        world.bodies().len().saturating_sub(1),
        MAX_BODIES,
        advice,
    )?;
    check_at_most("the number of contacts", world.contacts().len(), MAX_CONTACTS, advice)?;
    world.check_motors()?;
    let mut run = Run::new(world)?;
    let mut film = Film::new(&scene, &run, (frames, MAX_NUMBERS));
    let mut job = Job::begin(request.job.as_deref(), scene.duration);
    let stopped = advance(&scene, &mut run, &mut film, seconds, &mut job, stop);
    let out_of_time = stopped.is_some() && stop.computing_time().as_secs_f64() >= seconds;
    film.finish(&run, stop);
    Ok(RunFilm { out_of_time, ..finished_film(&scene, &run, film, stopped) })
}

/// Runs to the end; otherwise returns the reason why the end was not reached.
fn advance(
    scene: &Scene,
    run: &mut Run,
    film: &mut Film,
    seconds: f64,
    job: &mut Job,
    stop: &Stop,
) -> Option<String> {
    let most = Duration::from_secs_f64(seconds);
    let mut audited = 0;
    while run.state().time < scene.duration {
        if stop.is_cancelled() {
            return Some("the client has disconnected".into());
        }
        if stop.computing_time() >= most {
            let advice = "choose a larger `tolerance`";
            return Some(too_long(seconds, run.state().time, scene.duration, advice));
        }
        if let Err(error) = run.step(scene.duration, film) {
            return Some(error.to_string());
        }
        if job.update_is_due() {
            job.done(run.state().time);
            if job.film_requested() {
                let mut so_far = film.clone();
                so_far.finish(run, stop);
                let shown = finished_film(scene, run, so_far, None);
                job.store_film(&RunFilm { finished: false, ..shown });
            }
        }
        let steps = run.state().counts.steps;
        if steps >= audited + 256 || run.state().time >= scene.duration {
            audited = steps;
            let audit =
                run.state().audit(&scene.world, Some(film.energy_max), scene.energy_tolerance);
            if let Err(error) = audit {
                return Some(error.to_string());
            }
        }
    }
    None
}

fn finished_film(scene: &Scene, run: &Run, film: Film, stopped: Option<String>) -> RunFilm {
    let (world, state) = (&scene.world, run.state());
    let mut notes: Vec<Note> = state.notes().to_vec();
    let energies = state.energies(world);
    let allowed = state.allowed_error(world, &energies, scene.energy_tolerance, film.energy_max);
    if energies.error.abs() > allowed {
        notes.push(Note::Energy { error: energies.error, allowed });
    }
    let lasting = state.touches().iter().map(|touch| TouchSpan {
        site: touch.site(world),
        span: (touch.begun, None),
        speeds: (touch.speed, None),
        largest: (touch.strongest.value, touch.deepest.value),
        class: Some(touch.class),
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
