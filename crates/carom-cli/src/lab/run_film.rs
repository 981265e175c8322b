//! The film of a run in the form in which the page receives it: of bodies, or of a bed of grains.

use super::film::{Film, Frame, TouchForce, TouchSpan};
use super::solids::{self, Body, Joint, Spring, triple};
use crate::figure::LEDGER;
use carom_world::record::{NoteSummary, SceneSource};
use carom_world::scene::Control;
use carom_world::{Energies, ImpactClass, Scene};
use serde::Serialize;

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
    /// Whether the run was read from a folder in which `carom simulate` is still running.
    pub running: bool,
    /// Remaining computing time at the rate since the folder was first read (s), if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<f64>,
    /// Reason why the run did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Whether the limit on the computing time stopped the run.
    pub out_of_time: bool,
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
    /// Number of all contacts that occurred; if there are very many, `events` contains only the strongest.
    pub touches: usize,
    pub notes: Vec<NoteSummary>,
    /// Keys that the scene or the request declares as adjustable.
    pub controls: Vec<Control>,
    /// Grains of a bed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grains: Option<Grains>,
    /// Scene and folder of a run that was read from a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SceneSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// Bodies of a contact.
#[derive(Debug, Serialize)]
pub struct Pair {
    name: String,
    a: usize,
    b: usize,
}

/// Film, in columns.
#[derive(Debug, Default, Serialize)]
pub struct Frames {
    pub time: Vec<f64>,
    /// For every frame x, y, z, qw, qx, qy, qz of every moving body.
    pub poses: Vec<Vec<f64>>,
    /// For every frame its contacts: contact, site, point (3), force on the second body (3), normal force, indentation.
    pub contacts: Vec<Vec<[f64; 10]>>,
    pub energies: Vec<(&'static str, Vec<f64>)>,
}

/// A contact from onset to separation.
#[derive(Debug, Serialize)]
pub struct Event {
    contact: usize,
    site: usize,
    touch: f64,
    /// Time of separation; null if contact lasts to the end of the film.
    part: Option<f64>,
    speed: f64,
    rebound: Option<f64>,
    force_max: f64,
    indentation_max: f64,
    /// Class of the impact with which the contact began; null if it is not known.
    class: Option<&'static str>,
}

/// Grains of a bed; arrays of numbers are bytes (base64, little-endian).
#[derive(Debug, Default, Serialize)]
pub struct Grains {
    /// Number of grains; one of every `every` grains is displayed.
    pub count: usize,
    pub every: usize,
    /// Radii, f32.
    pub radius: String,
    /// Times of the frames (s).
    pub time: Vec<f64>,
    /// Corners of the box around all positions (m).
    pub low: [f64; 3],
    pub high: [f64; 3],
    /// x, y, z of every grain at every time, as u16 fractions of the box.
    pub places: String,
    /// Quantities by which grains can be coloured.
    pub values: Vec<GrainValue>,
    /// Contacts that carry more than the mean force.
    pub chains: Chains,
    /// Periods along x and y (m).
    pub period: [Option<f64>; 2],
    /// Two corners of the box, if there is one.
    #[serde(rename = "box")]
    pub sides: Option<[[f64; 3]; 2]>,
}

/// A quantity of every grain at every time.
#[derive(Debug, Serialize)]
pub struct GrainValue {
    /// `speed`, `force` (the largest normal force on the grain), `coordination` or `energy` (kinetic).
    pub name: &'static str,
    pub unit: &'static str,
    /// Whether levels are logarithmic, from four decades below the largest value, instead of linear from 0.
    pub logarithmic: bool,
    pub largest: f64,
    /// u8 fractions of the scale up to the largest value.
    pub levels: String,
}

/// Force chains: contacts between grains, or of a grain with a wall, with more than the mean force of their frame, the strongest
/// first.
#[derive(Debug, Default, Serialize)]
pub struct Chains {
    /// Number of contacts in each frame.
    pub count: Vec<usize>,
    /// Mean force of all contacts, frame by frame (N).
    pub mean: Vec<f64>,
    /// The two grains, u32; a second number with the highest bit set is the number of a wall.
    pub pairs: String,
    /// Forces, as u8 fractions of six times the mean, at most 1.
    pub levels: String,
    /// A point of every wall, and its normal.
    pub walls: Vec<[[f64; 3]; 2]>,
}

/// Returns the message that a run reached the time limit, and what to do.
pub fn too_long(seconds: f64, reached: f64, duration: f64, advice: &str) -> String {
    let [reached, duration] = [reached, duration].map(|time| carom::units::format(time, "s"));
    format!(
        "the run was stopped after {seconds} s of computing, at t = {reached} of {duration}; shorten `duration`, \
         {advice}, or allow more computing time"
    )
}

/// Returns the part of the answer that depends only on the scene.
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
        controls: scene.controls.clone(),
        ..RunFilm::default()
    }
}

/// Returns the answer for a film, with the contacts that last to its end.
pub fn film_with_contacts(scene: &Scene, film: Film, lasting: Vec<TouchSpan>) -> RunFilm {
    let touches = film.ended + lasting.len();
    let moving = film.moving_bodies().to_vec();
    let mut events: Vec<Event> = film.touches.into_iter().chain(lasting).map(Event::of).collect();
    events.sort_by(|a, b| a.touch.total_cmp(&b.touch));
    let frames = Frames::of(film.frames);
    RunFilm { moving, frames, events, touches, ..scene_film(scene) }
}

impl Event {
    fn of(touched: TouchSpan) -> Self {
        let TouchSpan { site: (contact, site), span, speeds, largest, class } = touched;
        Self {
            contact,
            site,
            touch: span.0,
            part: span.1,
            speed: speeds.0,
            rebound: speeds.1,
            force_max: largest.0,
            indentation_max: largest.1,
            class: class.map(ImpactClass::name),
        }
    }
}

impl Frames {
    fn of(frames: Vec<Frame>) -> Self {
        let time = frames.iter().map(|frame| frame.time).collect();
        let value = |of: fn(&Energies) -> f64| frames.iter().map(|f| of(&f.energies)).collect();
        let energies = LEDGER.map(|(_, name, of)| (name, value(of))).to_vec();
        let row = |push: &TouchForce| {
            let (p, f) = (push.point, push.vector);
            let (contact, site) = (push.site.0 as f64, push.site.1 as f64);
            [contact, site, p.x, p.y, p.z, f.x, f.y, f.z, push.force, push.indentation]
        };
        let contacts = frames.iter().map(|f| f.forces.iter().map(row).collect()).collect();
        let poses = frames.into_iter().map(|frame| frame.poses).collect();
        Self { time, poses, contacts, energies }
    }
}
