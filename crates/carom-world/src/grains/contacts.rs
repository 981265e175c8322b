//! Forces of the contacts of a bed, by one form of law.

use super::{Bed, Near, Push, TASK, WALL};
use crate::math::Vec3;
use carom::law::{Force, Law, Work};
use rayon::prelude::*;

/// Contacts that share a law, in parallel; one dispatch for each task.
pub(super) fn forces(bed: &Bed, law: Law, near: &mut [Near], push: &mut [Push], h: f64) {
    let tasks = near.par_chunks_mut(TASK).zip(push.par_chunks_mut(TASK));
    tasks.for_each(|(near, push)| law.with(Task { bed, near, push, h }));
}

/// Contacts of one task.
struct Task<'a> {
    bed: &'a Bed,
    near: &'a mut [Near],
    push: &'a mut [Push],
    h: f64,
}

/// The least approach speed that laws are told at touch (m/s): contacts that begin slower are resting ones.
const SLOWEST: f64 = 1e-3;

impl Work for Task<'_> {
    type Output = ();
    fn run<F: Force>(self, form: F) {
        for (pair, push) in self.near.iter_mut().zip(self.push) {
            *push = one(self.bed, &form, pair, self.h);
        }
    }
}

fn one<F: Force>(bed: &Bed, form: &F, pair: &mut Near, h: f64) -> Push {
    let a = pair.a as usize;
    let wall = pair.b & WALL != 0;
    let (delta, normal, mass, v, spin) = if wall {
        let wall = &bed.walls[(pair.b & !WALL) as usize];
        let distance = wall.normal.dot(bed.position[a] - wall.point);
        let spin = bed.spin[a] * bed.radius[a];
        (bed.radius[a] - distance, -wall.normal, bed.mass[a], -bed.velocity[a], spin)
    } else {
        let b = pair.b as usize;
        let way = Bed::apart(&bed.position, bed.period, a, b);
        let reach = bed.radius[a] + bed.radius[b];
        let square = way.dot(way);
        if square >= reach * reach {
            return part(pair);
        }
        let length = square.sqrt();
        let normal = if length > 0.0 { way * (1.0 / length) } else { Vec3::X };
        let mass = bed.mass[a] * bed.mass[b] / (bed.mass[a] + bed.mass[b]);
        let spin = bed.spin[a] * bed.radius[a] + bed.spin[b] * bed.radius[b];
        (reach - length, normal, mass, bed.velocity[b] - bed.velocity[a], spin)
    };
    if delta <= 0.0 {
        return part(pair);
    }
    let rate = -normal.dot(v);
    if !pair.touching {
        pair.touching = true;
        pair.memory = form.touch(mass, rate.max(SLOWEST));
    } else {
        pair.memory.time += h;
        pair.memory.internal += h * form.internal_rate(delta, rate, &pair.memory);
    }
    let load = form.force(delta, rate, &pair.memory).max(0.0);
    form.commit(delta, rate, &mut pair.memory);
    // Slip of b against a at the contact: v + ω_a·R_a × … with arms along the normal.
    let slip = (v + normal * rate) - spin.cross(normal);
    let stiffness = match bed.mindlin {
        true => {
            let of = |i: usize| 1.0 / bed.radius[i];
            let curvature = if wall { of(a) } else { of(a) + of(pair.b as usize) };
            bed.material.tangential * (delta / curvature).sqrt()
        }
        false => bed.material.tangential,
    };
    let mut spring = pair.spring.across(normal) + slip * (stiffness * h);
    let limit = bed.material.friction * load;
    let size = spring.length();
    if size > limit {
        spring = if size > 0.0 { spring * (limit / size) } else { Vec3::ZERO };
    }
    pair.spring = spring;
    let force = normal * -load + spring;
    Push { force, turn: normal.cross(spring) }
}

fn part(pair: &mut Near) -> Push {
    pair.touching = false;
    pair.spring = Vec3::ZERO;
    Push::default()
}
