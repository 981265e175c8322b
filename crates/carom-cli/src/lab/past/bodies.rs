//! The film of a scene of bodies, from its tables.
//!
//! From sample to sample: where the bodies are at both ends and, for those that touch, at instants between. A
//! frame is made at every such instant, at every touch and separation, and, where samples are few, between
//! them. What is not known at an instant follows from what is known before and after: positions as cubics from
//! positions and velocities, the rest on straight lines.

use super::Cursor;
use crate::commands::simulate::failure;
use crate::failure::Failure;
use crate::lab::film::{Film, Frame, Push, Touched};
use crate::lab::simulate::{MAX_FRAMES, MAX_NUMBERS, RunFilm, film_with_contacts};
use crate::lab::stop::Stop;
use carom_store::folder::Past;
use carom_world::math::Vec3;
use carom_world::record::tables;
use carom_world::{Energies, Scene};
use std::collections::{BTreeMap, HashMap};

/// x, y, z, the quaternion, velocity and angular velocity.
type Course = [f64; 13];
/// Contact and place.
type Site = (usize, usize);

/// All bodies that move, at a sample.
struct Sample {
    time: f64,
    bodies: Vec<Course>,
    energies: Energies,
    pushes: Vec<Push>,
}

/// What is known at an instant between two samples.
#[derive(Default)]
struct Instant {
    pushes: Vec<Push>,
    /// Whether all touches are among them.
    told: bool,
    energies: Option<Energies>,
    event: bool,
    even: bool,
}

/// A touch that lasts.
struct Open {
    begun: f64,
    speed: f64,
    largest: (f64, f64),
}

struct Tables {
    trajectory: Cursor,
    between: Cursor,
    contacts: Cursor,
    energies: Cursor,
    energies_between: Cursor,
    events: Cursor,
    /// Slots of the bodies that move, and numbers of the contacts, by name.
    slots: HashMap<String, usize>,
    sites: HashMap<String, usize>,
    open: BTreeMap<Site, Open>,
    closed: BTreeMap<Site, f64>,
}

/// Makes the film.
pub fn read(scene: &Scene, past: &Past) -> Result<RunFilm, Failure> {
    let world = &scene.world;
    let mut film = Film::empty(scene, (MAX_FRAMES, MAX_NUMBERS));
    let bodies: Vec<String> = world.bodies().iter().map(|body| body.name.clone()).collect();
    let contacts: Vec<String> = world.contacts().iter().map(|c| c.name.clone()).collect();
    let kinds = vec!["touch".to_string(), "part".to_string()];
    let table = |table, words| past.table(table, words).map(Cursor::new).map_err(failure);
    let slot = |(slot, &body): (usize, &usize)| Some((bodies.get(body)?.clone(), slot));
    let mut tables = Tables {
        slots: film.moving().iter().enumerate().filter_map(slot).collect(),
        sites: contacts.iter().cloned().enumerate().map(|(k, name)| (name, k)).collect(),
        trajectory: table(&tables::TRAJECTORY, vec![bodies.clone()])?,
        between: table(&tables::TRAJECTORY_BETWEEN, vec![bodies])?,
        contacts: table(&tables::CONTACTS, vec![contacts.clone()])?,
        energies: table(&tables::ENERGIES, Vec::new())?,
        energies_between: table(&tables::ENERGIES_BETWEEN, Vec::new())?,
        events: table(&tables::EVENTS, vec![kinds, contacts])?,
        open: BTreeMap::new(),
        closed: BTreeMap::new(),
    };
    let (mut before, mut number): (Option<Sample>, u64) = (None, 0);
    while let Some(mut sample) = tables.sample(before.as_ref())? {
        let (every, within) = film.stride();
        let from = before.as_ref().map_or(f64::NEG_INFINITY, |before| before.time);
        let mut instants = BTreeMap::new();
        let knots = tables.gather(&mut film, &mut instants, &mut sample)?;
        // Negative times there are none, so the bits of a time are in its order.
        let last = instants.remove(&sample.time.to_bits());
        let event = last.is_some_and(|instant: Instant| instant.event);
        if let Some(before) = &before {
            if instants.is_empty() && within > 1 {
                let share = |k: u64| k as f64 / within as f64;
                let at = |k: u64| from + share(k) * (sample.time - from);
                let even = || Instant { even: true, ..Instant::default() };
                instants.extend((1..within).map(|k| (at(k).to_bits(), even())));
            }
            between(&mut film, before, &sample, instants, &knots);
        }
        film.put(frame(&sample, event, number.is_multiple_of(every)));
        number += 1;
        before = Some(sample);
    }
    if film.frames.is_empty() {
        film.put(start(scene, film.moving()));
    }
    let (stop, _waiting) = Stop::new();
    film.close(&stop);
    let lasting = tables.open.into_iter().map(|(site, open)| Touched {
        site,
        span: (open.begun, None),
        speeds: (open.speed, None),
        largest: open.largest,
    });
    Ok(film_with_contacts(scene, film, lasting.collect()))
}

impl Tables {
    /// The next sample of all bodies, with the ledger.
    fn sample(&mut self, before: Option<&Sample>) -> Result<Option<Sample>, Failure> {
        let energies_time = self.energies.time()?;
        // A scene in which nothing moves has a ledger all the same.
        let time = if self.slots.is_empty() { energies_time } else { self.trajectory.time()? };
        let Some(time) = time else {
            return match energies_time {
                Some(_) => Err(damaged("`trajectory` ends before `energies`")),
                None => Ok(None),
            };
        };
        let nowhere = [f64::NAN; 13];
        let none = || vec![nowhere; self.slots.len()];
        let mut bodies = before.map_or_else(none, |before| before.bodies.clone());
        while self.trajectory.time()? == Some(time) {
            let slot = slot(&self.slots, self.trajectory.word(1))?;
            if let Some(place) = bodies.get_mut(slot) {
                *place = self.trajectory.reals(2);
            }
            self.trajectory.step();
        }
        let energies = match energies_time == Some(time) {
            true => energies(&self.energies),
            false => return Err(damaged("`trajectory` and `energies` have other times")),
        };
        self.energies.step();
        if bodies.iter().flatten().any(|number| !number.is_finite()) {
            return Err(damaged("a body is missing in `trajectory`, or nowhere"));
        }
        Ok(Some(Sample { time, bodies, energies, pushes: Vec::new() }))
    }

    /// What is known up to a sample; the courses of bodies that touched, slot by slot.
    fn gather(
        &mut self,
        film: &mut Film,
        instants: &mut BTreeMap<u64, Instant>,
        sample: &mut Sample,
    ) -> Result<Vec<Vec<(f64, Course)>>, Failure> {
        let mut knots = vec![Vec::new(); self.slots.len()];
        let end = sample.time;
        while let Some(time) = self.between.before(end)? {
            let slot = slot(&self.slots, self.between.word(1))?;
            if let Some(knots) = knots.get_mut(slot) {
                knots.push((time, self.between.reals(2)));
            }
            self.between.step();
        }
        while let Some(time) = self.energies_between.before(end)? {
            let known = Some(energies(&self.energies_between));
            instants.entry(time.to_bits()).or_default().energies = known;
            self.energies_between.step();
        }
        loop {
            let event = self.events.time()?.filter(|time| *time <= end);
            let row = self.contacts.time()?.filter(|time| *time <= end);
            match (event, row) {
                (None, None) => break,
                (Some(event), row) if row.is_none_or(|row| event <= row) => {
                    instants.entry(event.to_bits()).or_default().event = true;
                    self.event(film, event)?;
                }
                (_, row) => {
                    let time = row.unwrap_or(end);
                    let push = self.push(time)?;
                    match time < end {
                        false => sample.pushes.push(push),
                        true => {
                            let instant = instants.entry(time.to_bits()).or_default();
                            instant.pushes.push(push);
                            instant.told = true;
                        }
                    }
                }
            }
        }
        sample.pushes.sort_unstable_by_key(|push| push.site);
        Ok(knots)
    }

    fn site(&self, cursor: &Cursor, column: usize) -> Result<Site, Failure> {
        let contact = self.sites.get(cursor.word(column)).copied();
        let contact =
            contact.ok_or_else(|| damaged("a table names a contact that is not in the scene"))?;
        Ok((contact, cursor.real(column + 1) as usize))
    }

    /// A touch or its end.
    fn event(&mut self, film: &mut Film, time: f64) -> Result<(), Failure> {
        let (site, speed) = (self.site(&self.events, 2)?, self.events.real(4));
        match self.events.word(1) {
            "touch" => {
                self.open.insert(site, Open { begun: time, speed, largest: (0.0, 0.0) });
            }
            _ => {
                let known = self.open.remove(&site).map_or(0.0, |open| open.speed);
                let [begun, depth, force] = self.events.reals(5);
                let (span, speeds) = ((begun, Some(time)), (known, Some(speed)));
                film.touched(Touched { site, span, speeds, largest: (force, depth) });
                self.closed.insert(site, time);
            }
        }
        self.events.step();
        Ok(())
    }

    /// A row of `contacts`.
    fn push(&mut self, time: f64) -> Result<Push, Failure> {
        let (row, site) = (&self.contacts, self.site(&self.contacts, 1)?);
        let [indentation, _, force] = row.reals(3);
        let three = |from| {
            let [x, y, z] = row.reals(from);
            Vec3::new(x, y, z)
        };
        let push = Push { site, point: three(7), vector: three(13), force, indentation };
        if self.closed.get(&site) != Some(&time) {
            // One that is there from the start begins without an event.
            let new = || Open { begun: time, speed: 0.0, largest: (0.0, 0.0) };
            let largest = &mut self.open.entry(site).or_insert_with(new).largest;
            *largest = (largest.0.max(force), largest.1.max(indentation));
        }
        self.contacts.step();
        Ok(push)
    }
}

fn slot(slots: &HashMap<String, usize>, name: &str) -> Result<usize, Failure> {
    let slot = slots.get(name).copied();
    slot.ok_or_else(|| damaged("a table names a body that is not in the scene, or does not move"))
}

fn damaged(why: &str) -> Failure {
    Failure::Input(format!("the tables are damaged: {why}; run the scene again with --overwrite"))
}

fn energies(row: &Cursor) -> Energies {
    let [kinetic, potential, stored, lost_in_contacts, lost_to_friction, lost_in_dampers] =
        row.reals(1);
    let [work_of_forces, work_of_drives, error] = row.reals(7);
    Energies {
        kinetic,
        potential,
        stored,
        lost_in_contacts,
        lost_to_friction,
        lost_in_dampers,
        work_of_forces,
        work_of_drives,
        error,
    }
}

fn frame(sample: &Sample, event: bool, even: bool) -> Frame {
    let (poses, spin) = poses(sample.bodies.iter());
    let (time, pushes, energies) = (sample.time, sample.pushes.clone(), sample.energies);
    Frame { time, poses, pushes, energies, event, even, spin }
}

/// Poses, and the largest angular speed.
fn poses<'a>(courses: impl Iterator<Item = &'a Course>) -> (Vec<f64>, f64) {
    let (mut poses, mut spin) = (Vec::new(), 0.0f64);
    for [pose @ .., _, _, _, a, b, c] in courses {
        poses.extend::<[f64; 7]>(*pose);
        spin = spin.max(Vec3::new(*a, *b, *c).length());
    }
    (poses, spin)
}

/// Where the scene begins, of a run that has no rows.
fn start(scene: &Scene, moving: &[usize]) -> Frame {
    let bodies = moving.iter().filter_map(|&body| scene.world.bodies().get(body));
    let pose = |body: &carom_world::Body| {
        let (x, q) = (body.position, body.rotation);
        [x.x, x.y, x.z, q.w, q.v.x, q.v.y, q.v.z]
    };
    let (poses, energies) = (bodies.flat_map(pose).collect(), Energies::default());
    Frame { time: 0.0, poses, pushes: Vec::new(), energies, event: true, even: true, spin: 0.0 }
}

/// Frames at instants between two samples.
fn between(
    film: &mut Film,
    a: &Sample,
    b: &Sample,
    instants: BTreeMap<u64, Instant>,
    knots: &[Vec<(f64, Course)>],
) {
    let share = |from: f64, t: f64, to: f64| if to > from { (t - from) / (to - from) } else { 0.0 };
    let known: Vec<(f64, Energies)> = std::iter::once((a.time, a.energies))
        .chain(instants.iter().filter_map(|(t, i)| Some((f64::from_bits(*t), i.energies?))))
        .chain([(b.time, b.energies)])
        .collect();
    let told: Vec<(f64, Vec<Push>)> = instants
        .iter()
        .filter(|(_, instant)| instant.told)
        .map(|(time, instant)| (f64::from_bits(*time), instant.pushes.clone()))
        .chain([(b.time, b.pushes.clone())])
        .collect();
    let mut at = vec![0usize; knots.len()];
    let mut last: (f64, Vec<Push>) = (a.time, a.pushes.clone());
    for (bits, instant) in instants {
        let time = f64::from_bits(bits);
        if !(a.time < time && time < b.time) {
            continue;
        }
        let courses = a.bodies.iter().zip(&b.bodies).zip(knots).zip(&mut at);
        let courses = courses.map(|(((first, end), knots), at)| {
            while knots.get(*at).is_some_and(|(knot, _)| *knot <= time) {
                *at += 1;
            }
            let from = at.checked_sub(1).and_then(|k| knots.get(k)).copied();
            let to = knots.get(*at).copied().unwrap_or((b.time, *end));
            course(from.unwrap_or((a.time, *first)), to, time)
        });
        let courses: Vec<Course> = courses.collect();
        let (poses, spin) = poses(courses.iter());
        let energies = instant.energies.unwrap_or_else(|| {
            let after = known.partition_point(|(t, _)| *t <= time).clamp(1, known.len() - 1);
            let ((from, one), (to, two)) = (known[after - 1], known[after]);
            mixed(&one, &two, share(from, time, to))
        });
        let mut pushes = instant.pushes;
        match instant.told {
            true => last = (time, pushes.clone()),
            false => {
                let next = told.partition_point(|(t, _)| *t <= time);
                pushes = told.get(next).map_or(Vec::new(), |(to, next)| {
                    lasting(&last.1, next, share(last.0, time, *to))
                });
            }
        }
        pushes.sort_unstable_by_key(|push| push.site);
        let Instant { event, even, .. } = instant;
        film.put(Frame { time, poses, pushes, energies, event, even, spin });
    }
}

/// Touches that are there before and after, between the two.
fn lasting(before: &[Push], after: &[Push], share: f64) -> Vec<Push> {
    let mix = |a: f64, b: f64| a + share * (b - a);
    let both = before.iter().filter_map(|a| {
        let b = after.iter().find(|b| b.site == a.site)?;
        Some(Push {
            site: a.site,
            point: a.point + (b.point - a.point) * share,
            vector: a.vector + (b.vector - a.vector) * share,
            force: mix(a.force, b.force),
            indentation: mix(a.indentation, b.indentation),
        })
    });
    both.collect()
}

fn mixed(a: &Energies, b: &Energies, share: f64) -> Energies {
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

/// Where a body is between two instants at which it is known.
fn course((from, a): (f64, Course), (to, b): (f64, Course), time: f64) -> Course {
    let h = to - from;
    if !(h > 0.0) {
        return b;
    }
    let s = (time - from) / h;
    let mut course: Course = std::array::from_fn(|k| a[k] + s * (b[k] - a[k]));
    // Hermite's cubic: the place and the velocity at both ends.
    let (p, q) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
    for k in 0..3 {
        let (v, w) = (a[k + 7] * h, b[k + 7] * h);
        course[k] = a[k] + p * (b[k] - a[k]) + q * ((1.0 - s) * v - s * w);
    }
    // The same rotation has two signs.
    let dot: f64 = (3..7).map(|k| a[k] * b[k]).sum();
    (3..7).for_each(|k| course[k] = (1.0 - s) * a[k] + s * dot.signum() * b[k]);
    let length = (3..7).map(|k| course[k] * course[k]).sum::<f64>().sqrt();
    (3..7).for_each(|k| course[k] /= length.max(f64::MIN_POSITIVE));
    course
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thrown_body_is_on_its_parabola_between_two_samples() {
        let at = |t: f64| {
            let mut course = [0.0; 13];
            (course[0], course[2]) = (2.0 * t, 3.0 * t - 4.905 * t * t);
            (course[7], course[9]) = (2.0, 3.0 - 9.81 * t);
            (course[3], course[6]) = ((0.5 * t).cos(), (0.5 * t).sin());
            course
        };
        for t in [0.1, 0.123, 0.15, 0.2] {
            let found = course((0.1, at(0.1)), (0.2, at(0.2)), t);
            let right = at(t);
            for k in [0, 1, 2, 3, 6, 7, 9] {
                assert!((found[k] - right[k]).abs() < 1e-9 + 1e-5 * f64::from(k > 2), "{k} {t}");
            }
        }
    }
}
