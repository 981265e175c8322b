//! The contacts that act in a step.

use super::rows::Local;
use super::rows::{BodyVelocity, ContactRows};
use crate::dynamics::{BodyResponse, Evaluation};
use crate::impact_class::ImpactClass;
use crate::kinematics::SiteGap;
use crate::math::Vec3;
use crate::world::World;
use carom::{Error, Result};

/// A contact that acts: where it is, and what happens there in the step.
#[derive(Clone, Debug)]
pub(super) struct ActiveContact {
    pub site: usize,
    pub at: SiteGap,
    /// Normal, and two tangents along the axes of the tangential response.
    axes: [Vec3; 3],
    pub restitution: f64,
    /// Work that drives do while a unit impulse acts along each axis (J/(N·s)).
    pub drive_work: Local,
    /// Where the bodies are.
    centres: [Vec3; 2],
    /// Velocity at the contact point when the step begins (m/s).
    pub before: Local,
    /// The largest velocity at the contacts of its island, when the step begins and without impulses (m/s).
    pub scale: f64,
    /// The impulse of the whole step (N·s).
    pub total: Local,
}

/// Rows of a contact at a site, and the contact itself, where the equations of motion have been evaluated. `rows` has room that was
/// used before.
///
/// # Errors
/// When joints hold the bodies along the normal.
pub(super) fn act(
    world: &World,
    evaluation: &mut Evaluation,
    (site, at): (usize, SiteGap),
    (restitution, friction): (f64, f64),
    rows: &mut ContactRows,
    found: &mut Vec<BodyResponse>,
) -> Result<ActiveContact> {
    let bodies = &evaluation.kinematics.bodies;
    let centres = [bodies[at.a].x, bodies[at.b].x];
    let (first, second) = at.gap.normal.frame();
    let mut axes = [at.gap.normal, first, second];
    let mut drive_work = [0.0; 3];
    rows.responses.clear();
    rows.friction = friction;
    // Without friction the tangents are not needed.
    let count = if friction > 0.0 { 3 } else { 1 };
    for i in 0..count {
        drive_work[i] = evaluation.impulse_response(world, &at, axes[i], found);
        if i == 0 {
            rows.responses.extend(found.iter().map(|one| (one.body, [[0.0; 6]; 3])));
        }
        // Bodies are found in the same order for every axis.
        for ((_, columns), one) in rows.responses.iter_mut().zip(&*found) {
            columns[i] = joined(one.velocity, one.spin);
        }
    }
    rows.sides = sides(&at, &axes, &centres);
    rows.find_response();
    if !(rows.response[0][0] > 0.0) {
        let name = &world.contact_at(site).name;
        return Err(Error::unsupported(
            format!("contact `{name}` between bodies that joints hold along its normal"),
            "let one of them move along the normal, or leave the contact out",
        ));
    }
    let [_, [_, one, both], [_, _, two]] = rows.response;
    if both != 0.0 || one < two {
        // Tangents are turned to the axes of the tangential response. Responses are linear, and turn with them.
        let (s, c) = (0.5 * (2.0 * both).atan2(one - two)).sin_cos();
        (axes[1], axes[2]) = (first * c + second * s, second * c - first * s);
        let [_, w1, w2] = drive_work;
        (drive_work[1], drive_work[2]) = (w1 * c + w2 * s, w2 * c - w1 * s);
        for (_, [_, one, two]) in &mut rows.responses {
            for (one, two) in one.iter_mut().zip(two) {
                (*one, *two) = (*one * c + *two * s, *two * c - *one * s);
            }
        }
        rows.sides = sides(&at, &axes, &centres);
        rows.find_response();
    }
    let (before, scale, total) = ([0.0; 3], 0.0, [0.0; 3]);
    Ok(ActiveContact { site, at, axes, restitution, drive_work, centres, before, scale, total })
}

/// Velocity and angular velocity in one row.
pub(super) fn joined(velocity: Vec3, spin: Vec3) -> BodyVelocity {
    [velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z]
}

/// Velocity and angular velocity of one row.
pub(super) fn parts([x, y, z, a, b, c]: BodyVelocity) -> (Vec3, Vec3) {
    (Vec3::new(x, y, z), Vec3::new(a, b, c))
}

/// Velocities at the contact point along axes, of the second body and against those of the first, as rows for the velocities of the bodies:
/// d·(v + ω × r) = d·v + (r × d)·ω.
fn sides(at: &SiteGap, axes: &[Vec3; 3], centres: &[Vec3; 2]) -> [(usize, [BodyVelocity; 3]); 2] {
    [(at.a, centres[0], -1.0), (at.b, centres[1], 1.0)].map(|(body, centre, sign)| {
        let arm = at.gap.point - centre;
        (body, axes.map(|axis| joined(axis * sign, arm.cross(axis) * sign)))
    })
}

impl ActiveContact {
    /// The class of its impact.
    pub fn class(&self, world: &World) -> ImpactClass {
        let sides = [(self.at.a, self.centres[0]), (self.at.b, self.centres[1])];
        ImpactClass::of(world, &self.at.gap, sides, self.in_world(self.before))
    }

    /// A local vector in the axes of the world.
    pub fn in_world(&self, local: Local) -> Vec3 {
        self.axes[0] * local[0] + self.axes[1] * local[1] + self.axes[2] * local[2]
    }

    /// A vector of the world along the axes of the contact.
    pub fn along_axes(&self, vector: Vec3) -> Local {
        self.axes.map(|axis| axis.dot(vector))
    }
}
