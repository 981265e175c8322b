//! Forces of the contacts of a bed, by one form of law.

use super::ledger::Book;
use super::{Bed, Near, Push, TASK, WALL};
use crate::math::Vec3;
use carom::law::{Exit, Force, Law, Work};
use carom::{Error, Result};
use rayon::prelude::*;

/// Contacts that share a law, in parallel; one dispatch for each task.
pub(super) fn forces(
    bed: &Bed,
    law: Law,
    near: &mut [Near],
    push: &mut [Push],
    books: &mut [Book],
    h: f64,
) {
    let pulls = law.exit == Exit::ZeroIndentation;
    let tasks = near.par_chunks_mut(TASK).zip(push.par_chunks_mut(TASK));
    if books.is_empty() {
        tasks.for_each(|(near, push)| law.with(Task { bed, near, push, books: &mut [], h, pulls }));
    } else {
        tasks
            .zip(books.par_chunks_mut(TASK))
            .for_each(|((near, push), books)| law.with(Task { bed, near, push, books, h, pulls }));
    }
}

/// Contacts of one task.
struct Task<'a> {
    bed: &'a Bed,
    near: &'a mut [Near],
    push: &'a mut [Push],
    /// As many as contacts, or none.
    books: &'a mut [Book],
    h: f64,
    /// A force may pull while surfaces overlap: the law ends where the indentation does.
    pulls: bool,
}

impl Work for Task<'_> {
    type Output = ();
    fn run<F: Force>(self, form: F) {
        let (bed, h, pulls) = (self.bed, self.h, self.pulls);
        if self.books.is_empty() {
            for (pair, push) in self.near.iter_mut().zip(self.push) {
                *push = one(bed, &form, pair, h, pulls).0;
            }
            return;
        }
        let books = self.near.iter_mut().zip(self.push).zip(self.books);
        for ((pair, push), book) in books {
            let was = pair.touching;
            let seen;
            (*push, seen) = one(bed, &form, pair, h, pulls);
            let Some(seen) = seen else {
                if was {
                    // Its last force acted half a step with what the grains do now.
                    let Seen { rate, slip, spin, .. } = sight(bed, pair, way(bed, pair));
                    book.act((0.0, Vec3::ZERO, Vec3::ZERO), rate, slip, spin, h);
                }
                continue;
            };
            let couple = bed.resistance.map_or(Vec3::ZERO, |resistance| {
                let couple = resistance.couple(seen.load.max(0.0), seen.normal, seen.spin);
                // At most half of the spin in a step; the lighter of the two grains decides.
                let most = 0.5 * seen.inertia / h;
                let against = seen.spin.length() * most;
                let size = couple.length();
                // The couple is that on b; a feels the opposite.
                -couple * if size > against { against / size } else { 1.0 }
            });
            book.act((seen.load, seen.spring, couple), seen.rate, seen.slip, seen.spin, h);
        }
    }
}

/// What a contact sees, and what came of it.
#[derive(Clone, Copy)]
struct Seen {
    delta: f64,
    /// From a to b.
    normal: Vec3,
    mass: f64,
    rate: f64,
    /// Velocity of b against a along the surfaces.
    slip: Vec3,
    /// Angular velocity of b against a.
    spin: Vec3,
    /// The smaller moment of inertia.
    inertia: f64,
    load: f64,
    spring: Vec3,
}

/// From a to b, where b is a grain.
#[inline]
fn way(bed: &Bed, pair: &Near) -> Vec3 {
    match pair.b & WALL == 0 {
        true => Bed::apart(&bed.position, bed.period, pair.a as usize, pair.b as usize),
        false => Vec3::ZERO,
    }
}

/// What a contact sees, with the way between the centres.
#[inline]
fn sight(bed: &Bed, pair: &Near, way: Vec3) -> Seen {
    let a = pair.a as usize;
    let inertia = |i: usize| 0.4 * bed.mass[i] * bed.radius[i] * bed.radius[i];
    let (delta, normal, mass, v, arms, spin, inertia) = if pair.b & WALL != 0 {
        let wall = &bed.walls[(pair.b & !WALL) as usize];
        let distance = wall.normal.dot(bed.position[a] - wall.point);
        let arms = bed.spin[a] * bed.radius[a];
        let delta = bed.radius[a] - distance;
        (delta, -wall.normal, bed.mass[a], -bed.velocity[a], arms, -bed.spin[a], inertia(a))
    } else {
        let b = pair.b as usize;
        let reach = bed.radius[a] + bed.radius[b];
        let length = way.length();
        let normal = if length > 0.0 { way * (1.0 / length) } else { Vec3::X };
        let mass = bed.mass[a] * bed.mass[b] / (bed.mass[a] + bed.mass[b]);
        let arms = bed.spin[a] * bed.radius[a] + bed.spin[b] * bed.radius[b];
        let v = bed.velocity[b] - bed.velocity[a];
        let spin = bed.spin[b] - bed.spin[a];
        (reach - length, normal, mass, v, arms, spin, inertia(a).min(inertia(b)))
    };
    let rate = -normal.dot(v);
    // Slip of b against a at the contact: v + ω_a·R_a × … with arms along the normal.
    let slip = (v + normal * rate) - arms.cross(normal);
    Seen { delta, normal, mass, rate, slip, spin, inertia, load: 0.0, spring: Vec3::ZERO }
}

/// The force of a pair; what it saw where it touches.
#[inline]
fn one<F: Force>(
    bed: &Bed,
    form: &F,
    pair: &mut Near,
    h: f64,
    pulls: bool,
) -> (Push, Option<Seen>) {
    let way = way(bed, pair);
    if pair.b & WALL == 0 {
        // Most neighbours do not touch: told without a square root.
        let reach = bed.radius[pair.a as usize] + bed.radius[pair.b as usize];
        if way.dot(way) >= reach * reach {
            return (part(pair), None);
        }
    }
    let mut seen = sight(bed, pair, way);
    let Seen { delta, normal, mass, rate, slip, .. } = seen;
    if delta <= 0.0 {
        return (part(pair), None);
    }
    if !pair.touching {
        pair.touching = true;
        pair.memory = form.touch(mass, rate.max(bed.slowest));
    } else {
        pair.memory.time += h;
        pair.memory.internal += h * form.internal_rate(delta, rate, &pair.memory);
    }
    let force = form.force(delta, rate, &pair.memory);
    let load = if pulls { force } else { force.max(0.0) };
    form.commit(delta, rate, &mut pair.memory);
    let stiffness = match bed.mindlin {
        true => {
            let of = |i: usize| 1.0 / bed.radius[i];
            let own = of(pair.a as usize);
            let curvature = if pair.b & WALL != 0 { own } else { own + of(pair.b as usize) };
            bed.material.tangential * (delta / curvature).sqrt()
        }
        false => bed.material.tangential,
    };
    let mut spring = pair.spring.across(normal) + slip * (stiffness * h);
    let limit = bed.material.friction * load.max(0.0);
    let size = spring.length();
    if size > limit {
        spring = if size > 0.0 { spring * (limit / size) } else { Vec3::ZERO };
    }
    pair.spring = spring;
    (seen.load, seen.spring) = (load, spring);
    let force = normal * -load + spring;
    (Push { force, turn: normal.cross(spring) }, Some(seen))
}

fn part(pair: &mut Near) -> Push {
    pair.touching = false;
    pair.spring = Vec3::ZERO;
    Push::default()
}

/// Whether a law can act in a bed: contact exists there while surfaces overlap, so a law must neither pull
/// across a gap nor pull where surfaces just touch.
///
/// # Errors
/// The sentence that says what to use instead.
///
/// ```
/// use carom::{Damping, Pair, model};
/// let pair = Pair::new(1e-5, 1e7, 1.5)?;
/// let law = model("tsuji-1992")?.law(&pair, Damping::Exact(0.8), None, &[])?;
/// carom_world::grains::suits(&law)?;
/// # Ok::<(), carom::Error>(())
/// ```
pub fn suits(law: &Law) -> Result<()> {
    struct Pulls(f64);
    impl Work for Pulls {
        type Output = bool;
        fn run<F: Force>(self, form: F) -> bool {
            let memory = form.touch(self.0, 1.0);
            form.release() < 0.0 || form.signed(1e-15, 0.0, &memory) < 0.0
        }
    }
    if law.with(Pulls(law.mass)) {
        return Err(Error::unsupported(
            "a bed of grains with a law that pulls where surfaces do not overlap",
            "use a law without adhesion, or a scene of bodies, which follows necks",
        ));
    }
    Ok(())
}
