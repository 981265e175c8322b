//! The contacts that act in a step, and how the bodies answer their impulses.

use super::cone::{Local, LocalProblem};
use crate::dynamics::{BodyResponse, Evaluation};
use crate::impact_class::ImpactClass;
use crate::kinematics::SiteGap;
use crate::math::Vec3;
use crate::world::World;
use carom::{Error, Result};

/// Velocity and angular velocity of a body.
pub(super) type Velocity = (Vec3, Vec3);

/// A contact that acts, with the response of all bodies to a unit impulse along each of its axes.
#[derive(Clone, Debug)]
pub(super) struct ActiveContact {
    pub site: usize,
    pub at: SiteGap,
    /// Normal, and two tangents along the axes of the tangential response.
    axes: [Vec3; 3],
    /// Its restitution.
    pub restitution: f64,
    friction: f64,
    /// Changes of the velocities of the bodies that answer, for each axis.
    responses: [Vec<BodyResponse>; 3],
    /// The same at its own contact point.
    response: [Local; 3],
    /// Work that drives do while a unit impulse acts along each axis (J/(N·s)).
    pub drive_work: Local,
    /// Where the bodies are, to find velocities at the contact point.
    centres: (Vec3, Vec3),
    /// The impulse.
    pub impulse: Local,
}

impl ActiveContact {
    /// A contact at a site, where the equations of motion have been evaluated.
    ///
    /// # Errors
    /// When joints hold the bodies along the normal.
    pub fn new(
        world: &World,
        evaluation: &mut Evaluation,
        site: usize,
        at: SiteGap,
        restitution: f64,
        friction: f64,
    ) -> Result<Self> {
        let bodies = &evaluation.kinematics.bodies;
        let centres = (bodies[at.a].x, bodies[at.b].x);
        let (first, second) = at.gap.normal.frame();
        let mut contact = Self {
            site,
            at,
            axes: [at.gap.normal, first, second],
            restitution,
            friction,
            responses: [Vec::new(), Vec::new(), Vec::new()],
            response: [[0.0; 3]; 3],
            drive_work: [0.0; 3],
            centres,
            impulse: [0.0; 3],
        };
        // Without friction the tangents are not needed.
        let count = if friction > 0.0 { 3 } else { 1 };
        for i in 0..count {
            let (axis, found) = (contact.axes[i], &mut contact.responses[i]);
            contact.drive_work[i] = evaluation.impulse_response(world, &at, axis, found);
        }
        contact.find_own_response();
        if !(contact.response[0][0] > 0.0) {
            let name = &world.contact_at(site).name;
            return Err(Error::unsupported(
                format!("contact `{name}` between bodies that joints hold along its normal"),
                "let one of them move along the normal, or leave the contact out",
            ));
        }
        let [_, [_, one, both], [_, _, two]] = contact.response;
        if both != 0.0 || one < two {
            contact.turn_tangents(0.5 * (2.0 * both).atan2(one - two));
        }
        Ok(contact)
    }

    /// Turns the tangents by an angle about the normal. Responses are linear, and turn with them.
    fn turn_tangents(&mut self, angle: f64) {
        let (c, s) = (angle.cos(), angle.sin());
        let [_, first, second] = self.axes;
        (self.axes[1], self.axes[2]) = (first * c + second * s, second * c - first * s);
        let [_, first, second] = self.drive_work;
        (self.drive_work[1], self.drive_work[2]) = (first * c + second * s, second * c - first * s);
        let [_, first, second] = &mut self.responses;
        for (one, two) in first.iter_mut().zip(second) {
            let (a, b) = (*one, *two);
            one.velocity = a.velocity * c + b.velocity * s;
            one.spin = a.spin * c + b.spin * s;
            two.velocity = b.velocity * c - a.velocity * s;
            two.spin = b.spin * c - a.spin * s;
        }
        self.find_own_response();
    }

    /// The response at its own contact point.
    fn find_own_response(&mut self) {
        for i in 0..3 {
            let of = |body: usize| {
                let one = self.responses[i].iter().find(|one| one.body == body);
                one.map_or((Vec3::ZERO, Vec3::ZERO), |one| (one.velocity, one.spin))
            };
            let moved = self.relative(of(self.at.a), of(self.at.b));
            for (row, moved) in self.response.iter_mut().zip(moved) {
                row[i] = moved;
            }
        }
        // Symmetric up to rounding.
        let both = 0.5 * (self.response[1][2] + self.response[2][1]);
        (self.response[1][2], self.response[2][1]) = (both, both);
    }

    /// Velocity of the second body against the first at the contact point, along the axes.
    fn relative(&self, (va, wa): Velocity, (vb, wb): Velocity) -> Local {
        let point = self.at.gap.point;
        let one = va + wa.cross(point - self.centres.0);
        let two = vb + wb.cross(point - self.centres.1);
        self.axes.map(|axis| axis.dot(two - one))
    }

    /// The same, of the velocities of all bodies.
    pub fn velocity(&self, bodies: &[Velocity]) -> Local {
        self.relative(bodies[self.at.a], bodies[self.at.b])
    }

    /// Changes the impulse, and with it the velocities of the bodies.
    pub fn push(&mut self, change: Local, bodies: &mut [Velocity]) {
        for (i, found) in self.responses.iter().enumerate() {
            if change[i] == 0.0 {
                continue;
            }
            for one in found {
                bodies[one.body].0 += one.velocity * change[i];
                bodies[one.body].1 += one.spin * change[i];
            }
        }
        for (p, change) in self.impulse.iter_mut().zip(change) {
            *p += change;
        }
    }

    /// The problem of this contact alone: `bias` is added to the velocity along the normal, `floor` is the least normal impulse.
    pub fn problem(&self, bodies: &[Velocity], bias: f64, floor: f64) -> LocalProblem {
        let mut velocity = self.velocity(bodies);
        for (i, q) in velocity.iter_mut().enumerate() {
            let [a, b, c] = self.response[i];
            *q -= a * self.impulse[0] + b * self.impulse[1] + c * self.impulse[2];
        }
        velocity[0] += bias;
        LocalProblem { response: self.response, velocity, friction: self.friction, floor }
    }

    /// The class of an impact with this velocity.
    pub fn class(&self, world: &World, velocity: Local) -> ImpactClass {
        let sides = [(self.at.a, self.centres.0), (self.at.b, self.centres.1)];
        ImpactClass::of(world, &self.at.gap, sides, self.in_world(velocity))
    }

    /// A local vector in the axes of the world.
    pub fn in_world(&self, local: Local) -> Vec3 {
        self.axes[0] * local[0] + self.axes[1] * local[1] + self.axes[2] * local[2]
    }

    /// A vector of the world along the axes of the contact.
    pub fn along_axes(&self, vector: Vec3) -> Local {
        self.axes.map(|axis| axis.dot(vector))
    }

    /// How much a change of impulse changes the velocity at the contact point (m/s), at most.
    pub fn effect(&self, change: Local) -> f64 {
        (0..3).map(|i| (self.response[i][i] * change[i]).abs()).fold(0.0, f64::max)
    }
}
