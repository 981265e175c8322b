//! Evaluation of a touch at one instant: gap, contact law and friction.

use crate::friction::{FrictionForce, SlidingState};
use crate::gap::Gap;
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap};
use crate::math::Vec3;
use crate::state::{Touch, TouchVariables};
use crate::world::Contact;
use carom::Exit;
use carom::law::{Force, Memory, Phases, Work};

/// Square of the rotation of a normal within a step, in units of the tolerance, below which the path of the normal is neglected:
/// the area between the path and the shortest arc is a hundredth of this square if the direction of the path changes by a tenth
/// in the step.
const MIN_TURN_SQUARE: f64 = 1.0;

/// Indentation, forces and rates of a touch at one instant. All values are zero for touches that are not evaluated, because their
/// law does not act.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactEvaluation {
    pub gap: Gap,
    pub a: usize,
    pub b: usize,
    /// Indentation (m) and its rate (m/s).
    pub delta: f64,
    pub rate: f64,
    /// Normal force of the law (N); negative if the law pulls.
    pub force: f64,
    /// Whether there is friction or rolling resistance. Without them, of the following values only the rate of the internal state
    /// may differ from zero.
    pub has_friction: bool,
    /// Tangential velocity (m/s) and angular velocity (rad/s) of b relative to a.
    pub velocity: Vec3,
    pub spin: Vec3,
    /// Friction force (N) and couple of the rolling resistance (N·m) on b.
    pub friction: Vec3,
    pub couple: Vec3,
    /// Force that the tangential spring would carry if its slider stuck (N).
    pub sticking_force: f64,
    pub internal_rate: f64,
    /// Rate of the friction memory.
    pub friction_rate: Vec3,
}

/// Computes the force and the rate of the internal state with one dispatch over the form of the law.
pub(crate) struct ForceAndInternalRate<'a>(pub f64, pub f64, pub &'a Memory);

impl Work for ForceAndInternalRate<'_> {
    type Output = (f64, f64);
    #[inline]
    fn run<F: Force>(self, form: F) -> (f64, f64) {
        let Self(delta, rate, memory) = self;
        (form.force(delta, rate, memory), form.internal_rate(delta, rate, memory))
    }
}

/// Computes the force, not limited to pushing.
struct SignedForce<'a>(f64, f64, &'a Memory);

impl Work for SignedForce<'_> {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.signed(self.0, self.1, self.2)
    }
}

/// Computes the indentation at which a law has a kink.
struct Kink<'a>(bool, &'a Memory);

impl Work for Kink<'_> {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.kink(self.0, self.1)
    }
}

impl Touch {
    /// Returns the memory of the law at a time, given its internal state there.
    #[inline]
    pub(crate) fn memory_at(&self, t: f64, internal: f64) -> Memory {
        Memory { time: t - self.begun, internal, ..self.memory }
    }

    /// Returns whether the law does not change where the rate changes sign, so that no step has to end at the turn: this holds
    /// for power laws with a damper that is linear in the rate and acts in both phases.
    pub(crate) fn turns_smoothly(&self) -> bool {
        self.law
            .power()
            .is_some_and(|power| power.phases == Phases::Both && power.rate.value() == 1.0)
    }

    /// Returns whether the law does not depend on the history of the indentation.
    pub(crate) fn is_history_free(&self) -> bool {
        self.law.power().is_some()
    }

    /// Returns the force of the law and the rate of its internal state.
    #[inline(always)]
    pub(crate) fn force_and_internal_rate(
        &self,
        (delta, rate): (f64, f64),
        t: f64,
        internal: f64,
    ) -> (f64, f64) {
        let memory = self.memory_at(t, internal);
        self.law.with(ForceAndInternalRate(delta, rate, &memory))
    }

    /// Returns the force, not limited to pushing (N).
    pub(crate) fn signed_force(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        self.law.with(SignedForce(delta, rate, memory))
    }

    /// Returns the force, not limited to pushing, of a touch that has been evaluated (N). Power laws are never limited, so their
    /// force is reused.
    pub(crate) fn signed_force_of(&self, contact: &ContactEvaluation, memory: &Memory) -> f64 {
        match self.law.power() {
            Some(_) => contact.force,
            None => self.signed_force(contact.delta, contact.rate, memory),
        }
    }

    /// Returns the largest normal force so far or the expected one (N): a scale for friction, which begins without load.
    pub(crate) fn load_scale(&self) -> f64 {
        self.strongest.value.max(self.law.force(self.indentation_scale, 0.0, &self.memory))
    }

    /// Returns the indentation at which the bodies separate (m).
    pub(crate) fn separation_indentation(&self) -> f64 {
        self.law.release()
    }

    /// Returns the indentation at which the law has a kink (m), for the present direction of motion.
    pub(crate) fn kink_indentation(&self) -> f64 {
        self.law.with(Kink(self.loading, &self.memory))
    }
}

/// Relative motion of the two bodies of a touch at the contact point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchMotion {
    /// Indentation (m) and its rate (m/s).
    pub delta: f64,
    pub rate: f64,
    /// Unit normal.
    pub normal: Vec3,
    /// Tangential velocity of b relative to a (m/s).
    pub velocity: Vec3,
}

/// Returns the friction of a touch under a load (N), given the friction memory.
#[inline(always)]
pub(crate) fn touch_friction(
    contact: &Contact,
    touch: &Touch,
    motion: &TouchMotion,
    load: f64,
    remembered: Vec3,
) -> FrictionForce {
    let Some(friction) = &contact.friction else { return FrictionForce::default() };
    let &TouchMotion { delta, rate, normal, velocity, .. } = motion;
    friction.force(&SlidingState {
        load,
        delta,
        rate,
        normal,
        velocity,
        memory: turned_with_normal(remembered, touch.normal, normal),
        spring: touch.spring,
        slipping: touch.slipping,
        depth: touch.indentation_scale,
        largest: if touch.slipping { touch.load_scale() } else { touch.strongest.value },
    })
}

/// Returns the friction memory of a touch after a motion so slow that only springs and bristles resist. The kinematics have the
/// placements after the motion; their velocities, times one second, are the displacements. The result is perpendicular to the
/// normal of the touch.
pub(crate) fn friction_after_slow_motion(
    input: &StepInput,
    kinematics: &Kinematics,
    touch: &Touch,
    variables: &TouchVariables,
) -> Vec3 {
    let Some(friction) = &input.world.contact_at(touch.site).friction else { return Vec3::ZERO };
    let SiteGap { gap, a, b } = kinematics.gap(input, touch.site);
    let way =
        kinematics.bodies[b].velocity_at(gap.point) - kinematics.bodies[a].velocity_at(gap.point);
    let delta = -gap.distance - touch.offset;
    let load =
        touch.law.force(delta, 0.0, &Memory { internal: variables.internal, ..touch.memory });
    let before = turned_with_normal(variables.friction, touch.normal, gap.normal);
    let stretched = friction.stretched(
        before,
        way.perpendicular_to(gap.normal),
        &touch.spring,
        delta,
        load.max(0.0),
    );
    turned_with_normal(stretched, gap.normal, touch.normal)
}

impl ContactEvaluation {
    /// Evaluates a touch from kinematics and integrated variables, whether or not its law acts.
    #[inline(always)]
    pub fn of(
        input: &StepInput,
        kinematics: &Kinematics,
        touch: &Touch,
        t: f64,
        variables: &TouchVariables,
    ) -> Self {
        let SiteGap { gap, a, b } = kinematics.gap(input, touch.site);
        let (one, two) = (&kinematics.bodies[a], &kinematics.bodies[b]);
        let relative = two.velocity_at(gap.point) - one.velocity_at(gap.point);
        let approach = -gap.normal.dot(relative);
        let (delta, rate) = (-gap.distance - touch.offset, approach);
        let contact = input.world.contact_at(touch.site);
        let (force, internal_rate) =
            touch.force_and_internal_rate((delta, rate), t, variables.internal);
        let has_friction = contact.friction.is_some() || contact.resistance.is_some();
        let zero = Vec3::ZERO;
        let mut found = Self {
            gap,
            a,
            b,
            delta,
            rate,
            force,
            has_friction,
            velocity: zero,
            spin: zero,
            friction: zero,
            couple: zero,
            sticking_force: 0.0,
            internal_rate,
            friction_rate: zero,
        };
        if has_friction {
            (found.velocity, found.spin) = (relative + gap.normal * approach, two.w - one.w);
            found.add_friction(contact, touch, variables.friction);
            found.friction_rate +=
                kinematics.friction_turn_rate(input, touch, gap.normal, variables.friction);
        }
        found
    }

    /// Adds friction and rolling resistance, with the force of the law as load.
    #[inline(always)]
    fn add_friction(&mut self, contact: &Contact, touch: &Touch, remembered: Vec3) {
        let &mut Self { delta, rate, force, velocity, spin, .. } = self;
        let normal = self.gap.normal;
        let motion = TouchMotion { delta, rate, normal, velocity };
        // A law that does not pull is released where its force vanishes. Until this event has been located, friction is continued
        // smoothly beyond it, like the law, so that a step across the release is as accurate as any other.
        let load = if touch.law.exit == Exit::ZeroForce { force } else { force.max(0.0) };
        let held = touch_friction(contact, touch, &motion, load, remembered);
        if let Some(resistance) = &contact.resistance {
            self.couple = resistance.couple(load, normal, spin);
        }
        (self.friction, self.sticking_force) = (held.force, held.trial);
        self.friction_rate = turned_with_normal(held.rate, normal, touch.normal);
    }

    /// Returns the gap with its bodies.
    pub fn site_gap(&self) -> SiteGap {
        SiteGap { gap: self.gap, a: self.a, b: self.b }
    }
}

impl Kinematics {
    /// Returns the rate at which the friction memory rotates about the normal at the beginning of the step, because the normal
    /// does not move along the shortest arc.
    ///
    /// The friction memory is the vector m, perpendicular to the normal n₀ at the beginning of the step; the force follows from
    /// it by the shortest rotation R from n₀ to n. The memory must be transported along the path of the normal without rotation
    /// about the normal, independently of the division of the path into steps. R rotates about n at the rate −s, where
    /// s = (n₀ × n)·ṅ/(1 + n₀·n) is the rate of the area between the path and the shortest arc on the unit sphere, so m has to
    /// rotate by the opposite rate:
    ///
    /// ṁ = s·n₀ × m.
    ///
    /// Without this term there is an error of second order in the length of the steps. In planar motion every path is the
    /// shortest one. Small rotations are neglected ([`MIN_TURN_SQUARE`]), because the rate of the normal requires a second
    /// evaluation of the gap.
    #[inline]
    fn friction_turn_rate(
        &self,
        input: &StepInput,
        touch: &Touch,
        normal: Vec3,
        remembered: Vec3,
    ) -> Vec3 {
        if input.world.planar || remembered == Vec3::ZERO {
            return Vec3::ZERO;
        }
        let (from, across) = (touch.normal, touch.normal.cross(normal));
        let cosine = from.dot(normal);
        let least = MIN_TURN_SQUARE * input.world.tolerance;
        if !(across.dot(across) > least && cosine > -0.999) {
            return Vec3::ZERO;
        }
        let area_rate = across.dot(self.normal_rate(input, touch.site, normal)) / (1.0 + cosine);
        from.cross(remembered) * area_rate
    }
}

/// Returns a vector perpendicular to the unit normal `from` after the shortest rotation from that normal to `to`.
///
/// The friction memory is perpendicular to the normal at the beginning of the step and rotates with it: a pin that rolls in its
/// bore carries its friction force with it.
#[inline]
pub(crate) fn turned_with_normal(vector: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let sum = from + to;
    let cosine = from.dot(to);
    if vector == Vec3::ZERO || cosine >= 1.0 || !(cosine > -0.999) {
        return vector;
    }
    vector - sum * (to.dot(vector) / (1.0 + cosine))
}
