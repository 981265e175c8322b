//! Quantities that can be measured at an instant: accelerations, reactions of joints, contact forces, and readings of
//! sensors.
//!
//! All of them follow from the state by one evaluation of the equations of motion, whose buffers are kept from one instant
//! to the next.

use crate::actuator::Coordinate;
use crate::dynamics::Evaluation;
use crate::element::Anchor;
use crate::input::StepInput;
use crate::joint::JointCoordinate;
use crate::kinematics::Kinematics;
use crate::math::Vec3;
use crate::motion::SidedTime;
use crate::observe::{ContactForce, Sample};
use crate::sensor::{Measure, Order, Sensor};
use crate::world::World;

/// Accelerations, reactions and forces of a world at one instant.
#[derive(Clone, Debug)]
pub struct Instant {
    evaluation: Evaluation,
    slope: Vec<f64>,
    forces: Vec<ContactForce>,
}

/// Coordinates and reactions of a joint at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotion {
    /// Angle of the first body about the axis of the second, counted beyond full turns (rad); NaN if the joint has no angle.
    pub angle: f64,
    /// Rate of the angle (rad/s).
    pub angle_rate: f64,
    /// Displacement of the first body along the axis of the second (m); NaN if the joint has no slide.
    pub slide: f64,
    /// Rate of the slide (m/s).
    pub slide_rate: f64,
    /// Force on the first body, including that of a drive and of friction (N).
    pub force: Vec3,
    /// Moment on the first body about the point of the joint on that body (N·m).
    pub moment: Vec3,
}

/// The reading of a sensor: a vector, or a single number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// A vector.
    Vector(Vec3),
    /// A number.
    Number(f64),
}

impl Reading {
    /// Returns three numbers; those after a single number are NaN.
    pub fn numbers(self) -> [f64; 3] {
        match self {
            Self::Vector(vector) => vector.into(),
            Self::Number(number) => [number, f64::NAN, f64::NAN],
        }
    }

    /// Returns the length of the vector, or the absolute value of the number.
    pub fn size(self) -> f64 {
        match self {
            Self::Vector(vector) => vector.length(),
            Self::Number(number) => number.abs(),
        }
    }
}

impl Instant {
    /// Creates the buffers for a world.
    pub fn new(world: &World) -> Self {
        Self { evaluation: Evaluation::new(world), slope: Vec::new(), forces: Vec::new() }
    }

    /// Evaluates the equations of motion at a sample with these contact forces.
    pub fn evaluate(&mut self, sample: &Sample, forces: &[ContactForce]) {
        let (world, state) = (sample.world, sample.state());
        let input = StepInput::at(world, state);
        self.slope.resize(state.y.len(), 0.0);
        self.evaluation.evaluate(&input, state.time, &state.y, &mut self.slope);
        if !state.rigid_touches().is_empty() {
            // Rigid contacts have no law that could be evaluated: their forces are the means over the last step.
            let given = forces.iter().map(|touch| {
                let contact = &world.contacts[touch.contact];
                let [a, b] = [contact.a, contact.b].map(|shape| world.shapes[shape].body);
                ((a, b), touch.total(), touch.point)
            });
            self.evaluation.add_given_forces(&input, state.time, given);
        }
        self.forces.clear();
        self.forces.extend_from_slice(forces);
    }

    /// Returns positions and velocities of the bodies.
    pub(crate) fn kinematics(&self) -> &Kinematics {
        &self.evaluation.kinematics
    }

    /// Returns the acceleration of the centre of mass (m/s²) and the angular acceleration (rad/s²) of a body, in world axes.
    pub fn acceleration(&self, body: usize) -> (Vec3, Vec3) {
        self.evaluation.acceleration.get(body).copied().unwrap_or_default()
    }

    /// Returns the coordinates and the reactions of a joint.
    pub fn joint(&self, sample: &Sample, joint: usize) -> JointMotion {
        let (world, memory) = (sample.world, &sample.state().joints[joint]);
        let coordinate = |which: JointCoordinate| {
            if !world.joints[joint].kind.coordinates().contains(&which) {
                return (f64::NAN, f64::NAN);
            }
            let bodies = &self.kinematics().bodies;
            let (value, row) = world.joints[joint].coordinate_value(which, bodies, memory, 0.0);
            (value, row.rate_of(bodies))
        };
        let (angle, angle_rate) = coordinate(JointCoordinate::Angle);
        let (slide, slide_rate) = coordinate(JointCoordinate::Slide);
        let (force, moment) = self.evaluation.reaction(world, memory, joint);
        JointMotion { angle, angle_rate, slide, slide_rate, force, moment }
    }

    /// Returns the reading of a sensor at the sample that was evaluated.
    pub fn read(&self, sample: &Sample, sensor: &Sensor) -> Reading {
        let vector = match &sensor.measure {
            Measure::Point { at, relative_to, order } => self.point(at, *relative_to, *order),
            Measure::Rotation { body, relative_to, order } => {
                self.rotation(*body, *relative_to, *order)
            }
            Measure::Joint { joint, coordinate, order } => {
                let at = self.joint(sample, *joint);
                return Reading::Number(match (coordinate, order) {
                    (JointCoordinate::Angle, Order::Value) => at.angle,
                    (JointCoordinate::Angle, _) => at.angle_rate,
                    (JointCoordinate::Slide, Order::Value) => at.slide,
                    (JointCoordinate::Slide, _) => at.slide_rate,
                });
            }
            Measure::Effort(actuator) => {
                return Reading::Number(self.effort(sample, *actuator));
            }
            Measure::ReactionForce(joint) => self.joint(sample, *joint).force,
            Measure::ReactionMoment(joint) => self.joint(sample, *joint).moment,
            Measure::ContactForce(contacts) => self.contact_wrench(sample.world, contacts).0,
            Measure::ContactMoment(contacts) => self.contact_wrench(sample.world, contacts).1,
        };
        Reading::Vector(match sensor.axes {
            Some(body) => self.kinematics().bodies[body].q.inverse().rotate(vector),
            None => vector,
        })
    }

    fn point(&self, at: &Anchor, relative_to: usize, order: Order) -> Vec3 {
        let [body, observer] = [at.body, relative_to].map(|body| &self.kinematics().bodies[body]);
        let arm = body.q.rotate(at.point);
        let apart = body.x + arm - observer.x;
        let velocity = body.v + body.w.cross(arm) - observer.v - observer.w.cross(apart);
        match order {
            Order::Value => apart,
            Order::Rate => velocity,
            Order::Acceleration => {
                let ((a, alpha), (a_b, alpha_b)) =
                    (self.acceleration(at.body), self.acceleration(relative_to));
                a + alpha.cross(arm) + body.w.cross(body.w.cross(arm))
                    - a_b
                    - alpha_b.cross(apart)
                    - observer.w.cross(observer.w.cross(apart))
                    - observer.w.cross(velocity) * 2.0
            }
        }
    }

    fn rotation(&self, body: usize, relative_to: usize, order: Order) -> Vec3 {
        let [own, other] = [body, relative_to].map(|body| &self.kinematics().bodies[body]);
        let spin = own.w - other.w;
        match order {
            Order::Acceleration => {
                let change = self.acceleration(body).1 - self.acceleration(relative_to).1;
                change - other.w.cross(spin)
            }
            _ => spin,
        }
    }

    fn effort(&self, sample: &Sample, actuator: usize) -> f64 {
        let (world, state) = (sample.world, sample.state());
        let bodies = &self.kinematics().bodies;
        let actuator = &world.actuators[actuator];
        let at = actuator.on.motion(&world.joints, bodies, &state.joints, 0.0);
        let clock = SidedTime::at(sample.time);
        at.map_or(0.0, |at| actuator.effort.value(&at, clock, &state.held_efforts))
    }

    /// Returns the force of contacts on their second bodies, and its moment about their centres of mass.
    fn contact_wrench(&self, world: &World, contacts: &[usize]) -> (Vec3, Vec3) {
        let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
        for touch in self.forces.iter().filter(|touch| contacts.contains(&touch.contact)) {
            let body = world.shapes[world.contacts[touch.contact].b].body;
            let total = touch.total();
            let arm = touch.point - self.kinematics().bodies[body].x;
            force += total;
            moment += arm.cross(total) + touch.couple;
        }
        (force, moment)
    }
}

impl Measure {
    /// Returns the unit of the measured quantity.
    pub(crate) fn unit(&self, world: &World) -> &'static str {
        let of = |order: Order, units: [&'static str; 3]| match order {
            Order::Value => units[0],
            Order::Rate => units[1],
            Order::Acceleration => units[2],
        };
        match self {
            Self::Point { order, .. } => of(*order, ["m", "m/s", "m/s^2"]),
            Self::Rotation { order, .. }
            | Self::Joint { order, coordinate: JointCoordinate::Angle, .. } => {
                of(*order, ["rad", "rad/s", "rad/s^2"])
            }
            Self::Joint { order, .. } => of(*order, ["m", "m/s", "m/s^2"]),
            Self::ReactionForce(_) | Self::ContactForce(_) => "N",
            Self::ReactionMoment(_) | Self::ContactMoment(_) => "N m",
            Self::Effort(actuator) => match world.actuators[*actuator].on {
                Coordinate::Joint(_, JointCoordinate::Angle) => "N m",
                _ => "N",
            },
        }
    }
}
