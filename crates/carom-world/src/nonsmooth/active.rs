//! Contacts that act in a step of the nonsmooth method.

use super::rows::{BodyVelocity, ContactRows, Local, Sides, velocity};
use crate::dynamics::{BodyResponse, Evaluation};
use crate::gap::Gap;
use crate::impact_class::ImpactClass;
use crate::input::StepInput;
use crate::joint::BodyMotion;
use crate::kinematics::{Kinematics, SiteGap};
use crate::math::Vec3;
use crate::world::World;
use carom::{Error, Result};

/// Change of a unit normal in half a step beyond which its motion cannot be extrapolated: the contact has passed to another
/// feature of a body.
const MAX_TURN: f64 = 0.1;

/// A contact that acts in a step: its geometry, its impact law and its impulse.
#[derive(Clone, Debug)]
pub(super) struct ActiveContact {
    pub site: usize,
    pub at: SiteGap,
    /// Unit normal, and two unit tangents along the principal axes of the tangential response.
    axes: [Vec3; 3],
    pub restitution: f64,
    /// Work of prescribed motions during a unit impulse along each axis (J/(N·s)).
    pub drive_work: Local,
    /// Positions of the centres of mass of the two bodies (m).
    centres: [Vec3; 2],
    /// Rows of H in the middle of the step, along which the impulse acts, and at its end.
    pub sides: Sides,
    pub end_sides: Sides,
    /// Relative velocity at the contact point for the velocities of the bodies at the beginning of the step (m/s).
    pub before: Local,
    /// Largest velocity at the contacts of the same island, at the beginning of the step and without impulses (m/s).
    pub scale: f64,
    /// Impulse over the whole step (N·s).
    pub total: Local,
}

/// Creates the contact at a site and computes its rows, at the state at which the equations of motion were last evaluated.
/// `rows` is a buffer that is used again.
///
/// # Errors
/// When joints prevent any relative motion of the bodies along the normal.
pub(super) fn act(
    world: &World,
    evaluation: &mut Evaluation,
    (site, at, beginning): (usize, SiteGap, Option<BeginningOfStep>),
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
        // The responding bodies are found in the same order for every axis.
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
        // The tangents are rotated to the principal axes of the tangential response. Responses are linear and rotate with
        // them.
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
    // The rows change from the middle to the end of the step as they changed from the beginning to the middle.
    let mut end_sides = rows.sides;
    if let Some(beginning) = beginning.filter(|one| one.normal_turns_little(&at.gap)) {
        let [_, first, second] = axes;
        let earlier =
            sides(&beginning.at, &[beginning.at.gap.normal, first, second], &beginning.centres());
        for ((_, rows), (_, earlier)) in end_sides.iter_mut().zip(earlier) {
            for (value, earlier) in rows.as_flattened_mut().iter_mut().zip(earlier.as_flattened()) {
                *value += *value - earlier;
            }
        }
    }
    Ok(ActiveContact {
        site,
        at,
        axes,
        restitution,
        drive_work,
        centres,
        sides: rows.sides,
        end_sides,
        before: [0.0; 3],
        scale: 0.0,
        total: [0.0; 3],
    })
}

/// Combines velocity and angular velocity into one row.
pub(super) fn joined(velocity: Vec3, spin: Vec3) -> BodyVelocity {
    [velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z]
}

/// Splits a row into velocity and angular velocity.
pub(super) fn parts([x, y, z, a, b, c]: BodyVelocity) -> (Vec3, Vec3) {
    (Vec3::new(x, y, z), Vec3::new(a, b, c))
}

/// Returns the rows that give, from the velocities of the two bodies, the relative velocity of the second body at the
/// contact point along the axes: d·(v + ω × r) = d·v + (r × d)·ω, with the opposite sign for the first body.
fn sides(at: &SiteGap, axes: &[Vec3; 3], centres: &[Vec3; 2]) -> Sides {
    [(at.a, centres[0], -1.0), (at.b, centres[1], 1.0)].map(|(body, centre, sign)| {
        let arm = at.gap.point - centre;
        (body, axes.map(|axis| joined(axis * sign, arm.cross(axis) * sign)))
    })
}

/// A site at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeginningOfStep {
    at: SiteGap,
    /// Motion of the two bodies.
    bodies: [BodyMotion; 2],
}

impl BeginningOfStep {
    /// Returns a site with the bodies as they are at the beginning of the step; none if both are at rest.
    pub fn of(kinematics: &Kinematics, input: &StepInput, site: usize) -> Option<Self> {
        let (a, b) = input.world.bodies_at(site);
        let bodies = [a, b].map(|body| kinematics.bodies[body]);
        if bodies.iter().all(|body| body.v == Vec3::ZERO && body.w == Vec3::ZERO) {
            return None;
        }
        Some(Self { at: kinematics.gap(input, site), bodies })
    }

    /// Returns the change of the gap rate until the middle of the step with unchanged velocities of the bodies (m/s); `at` is
    /// the gap there.
    pub fn change_of_gap_rate(&self, middle: &Kinematics, at: &SiteGap) -> f64 {
        let [one, two] = self.bodies;
        let later = [(one, at.a), (two, at.b)];
        let [later_one, later_two] =
            later.map(|(motion, body)| BodyMotion { x: middle.bodies[body].x, ..motion });
        at.gap.opening_rate(&later_one, &later_two) - self.at.gap.opening_rate(&one, &two)
    }

    fn normal_turns_little(&self, middle: &Gap) -> bool {
        (self.at.gap.normal - middle.normal).length() <= MAX_TURN
    }

    fn centres(&self) -> [Vec3; 2] {
        self.bodies.map(|body| body.x)
    }
}

impl ActiveContact {
    /// Returns the velocity at the contact point in the middle of the step.
    pub fn velocity(&self, bodies: &[BodyVelocity]) -> Local {
        velocity(&self.sides, bodies)
    }

    /// Returns the class of the impact with which the contact begins.
    pub fn class(&self, world: &World) -> ImpactClass {
        let sides = [(self.at.a, self.centres[0]), (self.at.b, self.centres[1])];
        ImpactClass::of(world, &self.at.gap, sides, self.in_world(self.before))
    }

    /// Converts a vector from the axes of the contact to those of the world.
    pub fn in_world(&self, local: Local) -> Vec3 {
        self.axes[0] * local[0] + self.axes[1] * local[1] + self.axes[2] * local[2]
    }

    /// Converts a vector from the axes of the world to those of the contact.
    pub fn along_axes(&self, vector: Vec3) -> Local {
        self.axes.map(|axis| axis.dot(vector))
    }
}
