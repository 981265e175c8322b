//! A touch of rigid bodies, which the nonsmooth method (`nonsmooth.rs`) keeps instead of a [`Touch`](super::Touch).

use crate::bits::{Number, numbers};
use crate::impact_class::ImpactClass;
use crate::math::Vec3;
use crate::world::World;

/// A contact of rigid bodies in progress, which has impulses instead of an indentation and a law.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RigidTouch {
    pub(crate) site: usize,
    /// Class of the impact with which the touch began.
    pub class: ImpactClass,
    /// Start of the step in which it began (s).
    pub begun: f64,
    /// Approach speed at onset (m/s).
    pub speed: f64,
    /// Normal impulse so far (N·s).
    pub impulse: f64,
    /// Sum of the magnitudes of the tangential impulses so far (N·s).
    pub friction_impulse: f64,
    /// Mean normal force over the last step (N).
    pub load: f64,
    /// Mean force on the second body over the last step, including friction (N).
    pub force: Vec3,
    /// Energy lost in the normal direction so far (J).
    pub lost: f64,
    /// Energy lost to friction so far (J).
    pub lost_to_friction: f64,
}

impl RigidTouch {
    /// Returns the index of the contact in the world, and the number of the site within the contact.
    pub fn site(&self, world: &World) -> (usize, usize) {
        let site = world.sites[self.site];
        (site.contact, site.number)
    }
}

/// The numbers of a rigid touch that a checkpoint contains.
pub(crate) const RIGID_TOUCH: &[Number<RigidTouch>] = numbers! {
    begun, speed, impulse, friction_impulse, load, force.x, force.y, force.z, lost, lost_to_friction
};
