//! The film of a scene of bodies, made from its tables.
//!
//! The tables are read from sample to sample. They contain the poses of all bodies at the samples and, for bodies that touch, at
//! instants in between. A frame is made at every such instant, at every touch and separation and, where samples are few, between
//! them. Values that are not known at an instant are interpolated: positions by cubics from positions and velocities, everything
//! else linearly.

use super::Cursor;
use crate::failure::Failure;
use crate::lab::film::{Film, Frame, TouchForce, TouchSpan};
use crate::lab::run_film::{RunFilm, film_with_contacts};
use crate::lab::simulate::{MAX_FRAMES, MAX_NUMBERS};
use crate::lab::stop::Stop;
use carom_store::folder::StoredRun;
use carom_world::math::Vec3;
use carom_world::record::{SceneSource, tables};
use carom_world::{Energies, ImpactClass, Scene};
use std::collections::{BTreeMap, HashMap};

/// Position, quaternion, velocity and angular velocity of a body, in the order of [`MOTION`].
type Motion = [f64; 13];

const MOTION: [&str; 13] = [
    "x_m",
    "y_m",
    "z_m",
    "qw",
    "qx",
    "qy",
    "qz",
    "vx_m_per_s",
    "vy_m_per_s",
    "vz_m_per_s",
    "wx_rad_per_s",
    "wy_rad_per_s",
    "wz_rad_per_s",
];

/// Index of the contact, and site of the contact.
type Site = (usize, usize);

/// State of all moving bodies at a sample.
struct Sample {
    time: f64,
    bodies: Vec<Motion>,
    energies: Energies,
    forces: Vec<TouchForce>,
}

/// Values that are known at an instant between two samples.
#[derive(Default)]
struct InstantValues {
    forces: Vec<TouchForce>,
    /// Whether `forces` contains all touches at the instant.
    complete: bool,
    energies: Option<Energies>,
    event: bool,
    regular: bool,
}

/// A touch that has not ended.
struct OpenTouch {
    begun: f64,
    speed: f64,
    largest: (f64, f64),
    class: Option<ImpactClass>,
}

/// Reads slot and motion of a body from a row of a trajectory, and advances to the next row.
fn take_motion(
    rows: &mut Cursor,
    slots: &HashMap<String, usize>,
) -> Result<(usize, Motion), Failure> {
    let slot = slots.get(rows.text("body")).copied();
    let slot = slot.ok_or_else(|| {
        damaged("a table names a body that is not in the scene, or does not move")
    })?;
    let motion = MOTION.map(|column| rows.real(column));
    rows.step();
    Ok((slot, motion))
}

/// Reads the energies in a row of a ledger, and advances to the next row.
fn take_energies(rows: &mut Cursor) -> Energies {
    let energies = Energies {
        kinetic: rows.real("kinetic_J"),
        potential: rows.real("potential_J"),
        stored: rows.real("stored_J"),
        lost_in_contacts: rows.real("lost_in_contacts_J"),
        lost_to_friction: rows.real("lost_to_friction_J"),
        lost_in_dampers: rows.real("lost_in_dampers_J"),
        work_of_forces: rows.real("work_of_forces_J"),
        work_of_drives: rows.real("work_of_drives_J"),
        error: rows.real("error_J"),
    };
    rows.step();
    energies
}

struct Tables {
    trajectory: Cursor,
    between: Cursor,
    contacts: Cursor,
    energies: Cursor,
    energies_between: Cursor,
    events: Cursor,
    /// Slots of the moving bodies, and indices of the contacts, by name.
    slots: HashMap<String, usize>,
    sites: HashMap<String, usize>,
    open: BTreeMap<Site, OpenTouch>,
    closed: BTreeMap<Site, f64>,
}

/// Makes the film.
pub fn read(scene: &Scene, run: &StoredRun<SceneSource>) -> Result<RunFilm, Failure> {
    let world = &scene.world;
    let mut film = Film::empty(scene, (MAX_FRAMES, MAX_NUMBERS));
    let name = |body: usize| Some(world.bodies().get(body)?.name.clone());
    let slot = |(slot, &body): (usize, &usize)| Some((name(body)?, slot));
    let contacts = world.contacts().iter().enumerate();
    let table = |table| Cursor::open(run, table);
    let mut tables = Tables {
        slots: film.moving_bodies().iter().enumerate().filter_map(slot).collect(),
        sites: contacts.map(|(k, contact)| (contact.name.clone(), k)).collect(),
        trajectory: table(tables::TRAJECTORY.schema())?,
        between: table(tables::TRAJECTORY_BETWEEN.schema())?,
        contacts: table(tables::CONTACTS.schema())?,
        energies: table(tables::ENERGIES.schema())?,
        energies_between: table(tables::ENERGIES_BETWEEN.schema())?,
        events: table(tables::EVENTS.schema())?,
        open: BTreeMap::new(),
        closed: BTreeMap::new(),
    };
    let (mut before, mut number): (Option<Sample>, u64) = (None, 0);
    while let Some(mut sample) = tables.next_sample(before.as_ref())? {
        let (every, within) = film.stride();
        let from = before.as_ref().map_or(f64::NEG_INFINITY, |before| before.time);
        let mut instants = BTreeMap::new();
        let knots = tables.read_until(&mut film, &mut instants, &mut sample)?;
        // Times are not negative, so the order of their bit patterns is that of the times.
        let last = instants.remove(&sample.time.to_bits());
        let event = last.is_some_and(|instant: InstantValues| instant.event);
        if let Some(before) = &before {
            if instants.is_empty() && within > 1 {
                let share = |k: u64| k as f64 / within as f64;
                let at = |k: u64| from + share(k) * (sample.time - from);
                let regular = || InstantValues { regular: true, ..InstantValues::default() };
                instants.extend((1..within).map(|k| (at(k).to_bits(), regular())));
            }
            add_frames_between(&mut film, before, &sample, instants, &knots);
        }
        film.add_frame(frame(&sample, event, number.is_multiple_of(every)));
        number += 1;
        before = Some(sample);
    }
    if film.frames.is_empty() {
        film.add_frame(initial_frame(scene, film.moving_bodies()));
    }
    let (stop, _waiting) = Stop::new();
    film.drop_to_limit(&stop);
    let lasting = tables.open.into_iter().map(|(site, open)| TouchSpan {
        site,
        span: (open.begun, None),
        speeds: (open.speed, None),
        largest: open.largest,
        class: open.class,
    });
    Ok(film_with_contacts(scene, film, lasting.collect()))
}

impl Tables {
    /// Reads the next sample of all bodies, with the ledger.
    fn next_sample(&mut self, before: Option<&Sample>) -> Result<Option<Sample>, Failure> {
        let energies_time = self.energies.time()?;
        let time = match self.slots.is_empty() {
            // A scene in which nothing moves has a ledger, too.
            true => energies_time,
            false => self.trajectory.time()?,
        };
        let Some(time) = time else {
            return match energies_time {
                Some(_) => Err(damaged("`trajectory` ends before `energies`")),
                None => Ok(None),
            };
        };
        let none = || vec![[f64::NAN; 13]; self.slots.len()];
        let mut bodies = before.map_or_else(none, |before| before.bodies.clone());
        while self.trajectory.time()? == Some(time) {
            let (slot, motion) = take_motion(&mut self.trajectory, &self.slots)?;
            if let Some(body) = bodies.get_mut(slot) {
                *body = motion;
            }
        }
        if energies_time != Some(time) {
            return Err(damaged("`trajectory` and `energies` have different times"));
        }
        let energies = take_energies(&mut self.energies);
        if bodies.iter().flatten().any(|number| !number.is_finite()) {
            return Err(damaged(
                "a body is missing in `trajectory`, or its position is not finite",
            ));
        }
        Ok(Some(Sample { time, bodies, energies, forces: Vec::new() }))
    }

    /// Reads the values known up to a sample; returns the motions of bodies that touched, by slot.
    fn read_until(
        &mut self,
        film: &mut Film,
        instants: &mut BTreeMap<u64, InstantValues>,
        sample: &mut Sample,
    ) -> Result<Vec<Vec<(f64, Motion)>>, Failure> {
        let mut knots = vec![Vec::new(); self.slots.len()];
        let end = sample.time;
        while let Some(time) = self.between.time_before(end)? {
            let (slot, motion) = take_motion(&mut self.between, &self.slots)?;
            if let Some(knots) = knots.get_mut(slot) {
                knots.push((time, motion));
            }
        }
        while let Some(time) = self.energies_between.time_before(end)? {
            let known = Some(take_energies(&mut self.energies_between));
            instants.entry(time.to_bits()).or_default().energies = known;
        }
        loop {
            let event = self.events.time()?.filter(|time| *time <= end);
            let row = self.contacts.time()?.filter(|time| *time <= end);
            match (event, row) {
                (None, None) => break,
                (Some(event), row) if row.is_none_or(|row| event <= row) => {
                    instants.entry(event.to_bits()).or_default().event = true;
                    self.read_event(film, event)?;
                }
                (_, row) => {
                    let time = row.unwrap_or(end);
                    let push = self.read_force(time)?;
                    match time < end {
                        false => sample.forces.push(push),
                        true => {
                            let instant = instants.entry(time.to_bits()).or_default();
                            instant.forces.push(push);
                            instant.complete = true;
                        }
                    }
                }
            }
        }
        sample.forces.sort_unstable_by_key(|push| push.site);
        Ok(knots)
    }

    fn read_site(&self, rows: &Cursor) -> Result<Site, Failure> {
        let contact = self.sites.get(rows.text("contact")).copied();
        let contact =
            contact.ok_or_else(|| damaged("a table names a contact that is not in the scene"))?;
        Ok((contact, rows.real("site") as usize))
    }

    /// Reads a touch or its end.
    fn read_event(&mut self, film: &mut Film, time: f64) -> Result<(), Failure> {
        let rows = &self.events;
        let (site, speed) = (self.read_site(rows)?, rows.real("speed_m_per_s"));
        let class = ImpactClass::named(rows.text("class"));
        match rows.text("event") {
            "touch" => {
                self.open
                    .insert(site, OpenTouch { begun: time, speed, largest: (0.0, 0.0), class });
            }
            _ => {
                let known = self.open.remove(&site).map_or(0.0, |open| open.speed);
                let span = (rows.real("begun_s"), Some(time));
                let largest = (rows.real("force_max_N"), rows.real("indentation_max_m"));
                film.add_touch(TouchSpan {
                    site,
                    span,
                    speeds: (known, Some(speed)),
                    largest,
                    class,
                });
                self.closed.insert(site, time);
            }
        }
        self.events.step();
        Ok(())
    }

    /// Reads a row of `contacts`.
    fn read_force(&mut self, time: f64) -> Result<TouchForce, Failure> {
        let rows = &self.contacts;
        let (site, indentation) = (self.read_site(rows)?, rows.real("indentation_m"));
        let force = rows.real("force_N");
        let vector = |x, y, z| Vec3::new(rows.real(x), rows.real(y), rows.real(z));
        let (point, vector) = (vector("x_m", "y_m", "z_m"), vector("fx_N", "fy_N", "fz_N"));
        if self.closed.get(&site) != Some(&time) {
            // A touch that exists from the start has no event for its beginning.
            let new = || OpenTouch { begun: time, speed: 0.0, largest: (0.0, 0.0), class: None };
            let largest = &mut self.open.entry(site).or_insert_with(new).largest;
            *largest = (largest.0.max(force), largest.1.max(indentation));
        }
        self.contacts.step();
        Ok(TouchForce { site, point, vector, force, indentation })
    }
}

fn damaged(why: &str) -> Failure {
    Failure::Input(format!("the tables are damaged: {why}; run the scene again with --overwrite"))
}

fn frame(sample: &Sample, event: bool, regular: bool) -> Frame {
    let (poses, spin) = poses(sample.bodies.iter());
    let (time, forces, energies) = (sample.time, sample.forces.clone(), sample.energies);
    Frame { time, poses, forces, energies, event, regular, spin }
}

/// Returns poses, and the largest angular speed (rad/s).
fn poses<'a>(motions: impl Iterator<Item = &'a Motion>) -> (Vec<f64>, f64) {
    let (mut poses, mut spin) = (Vec::new(), 0.0f64);
    for [pose @ .., _, _, _, a, b, c] in motions {
        poses.extend::<[f64; 7]>(*pose);
        spin = spin.max(Vec3::new(*a, *b, *c).length());
    }
    (poses, spin)
}

/// Returns the first frame of a run that has no rows: the initial positions of the bodies in the scene.
fn initial_frame(scene: &Scene, moving: &[usize]) -> Frame {
    let bodies = moving.iter().filter_map(|&body| scene.world.bodies().get(body));
    let pose = |body: &carom_world::Body| {
        let (x, q) = (body.position, body.rotation);
        [x.x, x.y, x.z, q.w, q.v.x, q.v.y, q.v.z]
    };
    let (poses, energies) = (bodies.flat_map(pose).collect(), Energies::default());
    Frame { time: 0.0, poses, forces: Vec::new(), energies, event: true, regular: true, spin: 0.0 }
}

/// Adds frames at instants between two samples.
fn add_frames_between(
    film: &mut Film,
    a: &Sample,
    b: &Sample,
    instants: BTreeMap<u64, InstantValues>,
    knots: &[Vec<(f64, Motion)>],
) {
    let share = |from: f64, t: f64, to: f64| if to > from { (t - from) / (to - from) } else { 0.0 };
    let known: Vec<(f64, Energies)> = std::iter::once((a.time, a.energies))
        .chain(instants.iter().filter_map(|(t, i)| Some((f64::from_bits(*t), i.energies?))))
        .chain([(b.time, b.energies)])
        .collect();
    let complete: Vec<(f64, Vec<TouchForce>)> = instants
        .iter()
        .filter(|(_, instant)| instant.complete)
        .map(|(time, instant)| (f64::from_bits(*time), instant.forces.clone()))
        .chain([(b.time, b.forces.clone())])
        .collect();
    let mut at = vec![0usize; knots.len()];
    let mut last: (f64, Vec<TouchForce>) = (a.time, a.forces.clone());
    for (bits, instant) in instants {
        let time = f64::from_bits(bits);
        if !(a.time < time && time < b.time) {
            continue;
        }
        let motions = a.bodies.iter().zip(&b.bodies).zip(knots).zip(&mut at);
        let motions = motions.map(|(((first, end), knots), at)| {
            while knots.get(*at).is_some_and(|(knot, _)| *knot <= time) {
                *at += 1;
            }
            let from = at.checked_sub(1).and_then(|k| knots.get(k)).copied();
            let to = knots.get(*at).copied().unwrap_or((b.time, *end));
            interpolate_motion(from.unwrap_or((a.time, *first)), to, time)
        });
        let motions: Vec<Motion> = motions.collect();
        let (poses, spin) = poses(motions.iter());
        let energies = instant.energies.unwrap_or_else(|| {
            let after = known.partition_point(|(t, _)| *t <= time).clamp(1, known.len() - 1);
            let ((from, one), (to, two)) = (known[after - 1], known[after]);
            interpolate_energies(&one, &two, share(from, time, to))
        });
        let mut forces = instant.forces;
        match instant.complete {
            true => last = (time, forces.clone()),
            false => {
                let next = complete.partition_point(|(t, _)| *t <= time);
                forces = complete.get(next).map_or(Vec::new(), |(to, next)| {
                    interpolate_touches(&last.1, next, share(last.0, time, *to))
                });
            }
        }
        forces.sort_unstable_by_key(|push| push.site);
        let InstantValues { event, regular, .. } = instant;
        film.add_frame(Frame { time, poses, forces, energies, event, regular, spin });
    }
}

/// Interpolates the touches that exist both before and after.
fn interpolate_touches(before: &[TouchForce], after: &[TouchForce], share: f64) -> Vec<TouchForce> {
    let mix = |a: f64, b: f64| a + share * (b - a);
    let both = before.iter().filter_map(|a| {
        let b = after.iter().find(|b| b.site == a.site)?;
        Some(TouchForce {
            site: a.site,
            point: a.point + (b.point - a.point) * share,
            vector: a.vector + (b.vector - a.vector) * share,
            force: mix(a.force, b.force),
            indentation: mix(a.indentation, b.indentation),
        })
    });
    both.collect()
}

fn interpolate_energies(a: &Energies, b: &Energies, share: f64) -> Energies {
    let mix = |of: fn(&Energies) -> f64| of(a) + share * (of(b) - of(a));
    Energies {
        kinetic: mix(|e| e.kinetic),
        potential: mix(|e| e.potential),
        stored: mix(|e| e.stored),
        lost_in_contacts: mix(|e| e.lost_in_contacts),
        lost_to_friction: mix(|e| e.lost_to_friction),
        lost_in_dampers: mix(|e| e.lost_in_dampers),
        work_of_forces: mix(|e| e.work_of_forces),
        work_of_drives: mix(|e| e.work_of_drives),
        error: mix(|e| e.error),
    }
}

/// Interpolates the motion of a body between two instants at which it is known.
fn interpolate_motion((from, a): (f64, Motion), (to, b): (f64, Motion), time: f64) -> Motion {
    let h = to - from;
    if !(h > 0.0) {
        return b;
    }
    let s = (time - from) / h;
    let mut motion: Motion = std::array::from_fn(|k| a[k] + s * (b[k] - a[k]));
    // Cubic Hermite interpolation from position and velocity at both ends.
    let (p, q) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
    for k in 0..3 {
        let (v, w) = (a[k + 7] * h, b[k + 7] * h);
        motion[k] = a[k] + p * (b[k] - a[k]) + q * ((1.0 - s) * v - s * w);
    }
    // q and −q are the same rotation; the nearer one is used.
    let dot: f64 = (3..7).map(|k| a[k] * b[k]).sum();
    (3..7).for_each(|k| motion[k] = (1.0 - s) * a[k] + s * dot.signum() * b[k]);
    let length = (3..7).map(|k| motion[k] * motion[k]).sum::<f64>().sqrt();
    (3..7).for_each(|k| motion[k] /= length.max(f64::MIN_POSITIVE));
    motion
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thrown_body_is_on_its_parabola_between_two_samples() {
        let at = |t: f64| {
            let mut motion = [0.0; 13];
            (motion[0], motion[2]) = (2.0 * t, 3.0 * t - 4.905 * t * t);
            (motion[7], motion[9]) = (2.0, 3.0 - 9.81 * t);
            (motion[3], motion[6]) = ((0.5 * t).cos(), (0.5 * t).sin());
            motion
        };
        for t in [0.1, 0.123, 0.15, 0.2] {
            let found = interpolate_motion((0.1, at(0.1)), (0.2, at(0.2)), t);
            let right = at(t);
            for k in [0, 1, 2, 3, 6, 7, 9] {
                assert!((found[k] - right[k]).abs() < 1e-9 + 1e-5 * f64::from(k > 2), "{k} {t}");
            }
        }
    }
}
