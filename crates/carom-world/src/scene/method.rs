//! The method of a scene: smooth (by forces), or nonsmooth (by impulses with a fixed step).

use super::reader::{Read, SceneTable};
use crate::World;
use crate::actuator::{Command, Coordinate, Effort};
use crate::element::Element;
use crate::joint::{Joint, JointCoordinate, Mount};
use crate::ledger::MAX_ERROR_FRACTION;
use crate::math::Vec3;
use crate::world::{ContactMethod, ImpactLaw};
use carom::Error;

/// Number of steps in which a body moves or falls by its own size, if no step is given.
const STEPS_PER_SIZE: f64 = 1000.0;
/// Largest number of steps of a run; it would take hours.
const MAX_STEPS: f64 = 1e10;

/// The method as given by its keys; the step may follow from the bodies, which are read later.
pub(super) struct MethodTable {
    pub method: ContactMethod,
    /// The step, if one is given (s).
    step: Option<f64>,
}

/// Reads the keys of the method.
pub(super) fn read(simulation: &SceneTable) -> Read<MethodTable> {
    let method = simulation.required_choice("method", "method")?;
    let step = simulation.quantity("step")?;
    let given = simulation.has("impact_law");
    let law = simulation.required_one_of("impact_law", "impact law", &ImpactLaw::ALL)?;
    if method == "smooth" {
        // Keys without effect are refused rather than ignored.
        if given {
            let advice = "contact laws say what an impact loses; leave it out, or give method = \"nonsmooth\"";
            return simulation.unsupported("impact_law", "impact_law of the smooth method", advice);
        }
        if step.is_some() {
            let advice =
                "it chooses its steps by `tolerance`; leave it out, or give method = \"nonsmooth\"";
            return simulation.unsupported("step", "step of the smooth method", advice);
        }
        return Ok(MethodTable { method: ContactMethod::Smooth, step: None });
    }
    Ok(MethodTable { method: ContactMethod::Nonsmooth { step: step.unwrap_or(0.0), law }, step })
}

impl MethodTable {
    /// Returns the accepted error of the energy ledger, divided by the energy turned over, if the scene does not give it. A
    /// fixed step is not adapted to its error, so more is accepted there.
    pub fn energy_tolerance(&self) -> f64 {
        match self.method {
            ContactMethod::Smooth => 1e-6,
            ContactMethod::Nonsmooth { .. } => MAX_ERROR_FRACTION,
        }
    }

    /// Chooses the step of a world so that every sample lies at the end of a step.
    pub fn choose_step(
        &self,
        simulation: &SceneTable,
        world: &mut World,
        (sample, duration): (f64, f64),
    ) -> Read<()> {
        let ContactMethod::Nonsmooth { law, .. } = self.method else { return Ok(()) };
        let longest = self.step.unwrap_or_else(|| default_step(world)).min(sample);
        let step = sample / (sample / longest * (1.0 - 1e-12)).ceil();
        if !(duration / step <= MAX_STEPS) {
            let found = format!("{longest:e} s, {:.1e} steps", duration / step);
            let allowed = format!("at most {MAX_STEPS:e} steps");
            let error =
                Error::invalid("step", found, allowed, "take a longer one, or a shorter run");
            return simulation.check_at("step", Err(error));
        }
        world.method = ContactMethod::Nonsmooth { step, law };
        Ok(())
    }
}

/// Returns the default step (s): a thousandth of the shortest of the times in which a body moves, turns or falls by its own
/// size, or in which a spring, damper, motor or viscous friction moves it.
fn default_step(world: &World) -> f64 {
    let least_mass = |bodies: [usize; 2]| {
        let free = bodies.into_iter().filter(|&body| world.columns.free_index[body].is_some());
        free.map(|body| world.columns.mass[body]).fold(f64::INFINITY, f64::min)
    };
    let times = world.free.iter().map(|&body| {
        let (size, body) = (world.columns.bounding_radius[body], &world.bodies[body]);
        let speed = body.velocity.length() + body.spin.length() * size;
        (size / speed).min((2.0 * size / world.gravity.length()).sqrt())
    });
    let sprung = world.elements.iter().flat_map(|element| {
        let (stiffness, damping) = match *element {
            Element::Spring { stiffness, damping, .. } => (stiffness, damping),
            Element::Drag { linear, .. } => (0.0, linear),
            Element::Force { .. } | Element::Couple { .. } => (0.0, 0.0),
        };
        let mass = least_mass(element.bodies().into());
        [(mass / stiffness).sqrt(), mass / damping]
    });
    let acted = world.actuators.iter().flat_map(|actuator| {
        let (stiffness, damping) = match actuator.effort {
            Effort::Spring { stiffness, damping, .. }
            | Effort::Motor { command: Command::Position { stiffness, damping, .. }, .. } => {
                (stiffness, damping)
            }
            Effort::Motor { command: Command::Speed { gain, .. }, .. } => (0.0, gain),
            Effort::Motor { .. } => (0.0, 0.0),
        };
        let mass = match actuator.on {
            Coordinate::Joint(joint, which) => smallest_inertia(world, &world.joints[joint], which),
            Coordinate::Distance(a, b) => least_mass([a.body, b.body]),
        };
        [(mass / stiffness).sqrt(), mass / damping]
    });
    let rubbed = world.joints.iter().filter_map(|joint| {
        let friction = joint.friction?;
        Some(smallest_inertia(world, joint, friction.coordinate) / friction.viscous)
    });
    let times = times.chain(sprung).chain(acted).chain(rubbed).filter(|time| *time > 0.0);
    times.fold(f64::INFINITY, f64::min) / STEPS_PER_SIZE
}

/// Returns the smallest mass of the free bodies of a joint, or the smallest of their moments of inertia about the axis of the
/// joint.
fn smallest_inertia(world: &World, joint: &Joint, coordinate: JointCoordinate) -> f64 {
    let free = |mount: &&Mount| world.columns.free_index[mount.body].is_some();
    let of = |mount: &Mount| {
        let mass = world.columns.mass[mount.body];
        match coordinate {
            JointCoordinate::Slide => mass,
            JointCoordinate::Angle => {
                let axis = mount.rotation.rotate(Vec3::Z);
                let arm = mount.point.cross(axis).length();
                axis.dot(world.columns.inertia[mount.body].of(axis)) + mass * arm * arm
            }
        }
    };
    [&joint.a, &joint.b].into_iter().filter(free).map(of).fold(f64::INFINITY, f64::min)
}
