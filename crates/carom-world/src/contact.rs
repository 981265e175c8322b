//! A touch at one instant: gap, contact law and friction together.

use crate::friction::{FrictionForce, SlidingState};
use crate::gap::Gap;
use crate::input::StepInput;
use crate::kinematics::{Kinematics, SiteGap};
use crate::math::Vec3;
use crate::state::{Touch, TouchVariables};
use crate::world::Contact;
use carom::Exit;
use carom::law::{Force, Memory, Phases, Work};

/// Square of the turn of a normal within a step below which its path does not matter, over the tolerance: the area beside the
/// shortest way is a hundredth of this square where the direction of the path turns by a tenth in the step.
const SMALLEST_TURN: f64 = 1.0;

/// Indentation, forces and rates of a touch at one instant; all zero where its law does not act and it is not evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactEvaluation {
    pub gap: Gap,
    pub a: usize,
    pub b: usize,
    /// Indentation and its rate.
    pub delta: f64,
    pub rate: f64,
    /// Normal force of the law; negative where the law pulls.
    pub force: f64,
    /// Friction or rolling resistance: without them only the rate of the internal state may differ from zero below.
    pub has_friction: bool,
    /// Tangential velocity and angular velocity of b relative to a.
    pub velocity: Vec3,
    pub spin: Vec3,
    /// Friction force and resisting couple on b.
    pub friction: Vec3,
    pub couple: Vec3,
    /// Force that the tangential spring would carry if its slider stuck.
    pub sticking_force: f64,
    pub internal_rate: f64,
    /// Rate of what friction remembers.
    pub friction_rate: Vec3,
}

/// Force and rate of the internal state, by one dispatch over the form of the law.
pub(crate) struct ForceAndInternalRate<'a>(pub f64, pub f64, pub &'a Memory);

impl Work for ForceAndInternalRate<'_> {
    type Output = (f64, f64);
    #[inline]
    fn run<F: Force>(self, form: F) -> (f64, f64) {
        let Self(delta, rate, memory) = self;
        (form.force(delta, rate, memory), form.internal_rate(delta, rate, memory))
    }
}

/// The force before it is limited to pushing.
struct SignedForce<'a>(f64, f64, &'a Memory);

impl Work for SignedForce<'_> {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.signed(self.0, self.1, self.2)
    }
}

/// The indentation at which a law has a kink.
struct Kink<'a>(bool, &'a Memory);

impl Work for Kink<'_> {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.kink(self.0, self.1)
    }
}

impl Touch {
    /// What the law remembers at a time, given its internal state there.
    #[inline]
    pub(crate) fn memory_at(&self, t: f64, internal: f64) -> Memory {
        Memory { time: t - self.begun, internal, ..self.memory }
    }

    /// True when nothing about the law changes where the rate changes sign, so that the turn need not lie
    /// at the end of a step: power laws with a damper that is smooth there and acts in both phases.
    pub(crate) fn turns_smoothly(&self) -> bool {
        self.law
            .power()
            .is_some_and(|power| power.phases == Phases::Both && power.rate.value() == 1.0)
    }

    /// True for laws that do not depend on the history of the indentation.
    pub(crate) fn is_history_free(&self) -> bool {
        self.law.power().is_some()
    }

    /// Force of the law and rate of its internal state.
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

    /// The force before it is limited to pushing.
    pub(crate) fn signed_force(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        self.law.with(SignedForce(delta, rate, memory))
    }

    /// The force before it is limited to pushing, where the touch has been evaluated. Power laws are not limited.
    pub(crate) fn signed_force_of(&self, contact: &ContactEvaluation, memory: &Memory) -> f64 {
        match self.law.power() {
            Some(_) => contact.force,
            None => self.signed_force(contact.delta, contact.rate, memory),
        }
    }

    /// The largest normal force so far, or what is expected (N): a scale for friction, which begins with no load.
    pub(crate) fn load_scale(&self) -> f64 {
        self.strongest.value.max(self.law.force(self.indentation_scale, 0.0, &self.memory))
    }

    /// Indentation at which the bodies separate.
    pub(crate) fn separation_indentation(&self) -> f64 {
        self.law.release()
    }

    /// Indentation at which the law has a kink, in the direction in which the touch moves.
    pub(crate) fn kink_indentation(&self) -> f64 {
        self.law.with(Kink(self.loading, &self.memory))
    }
}

/// How the two bodies of a touch move against each other at the contact point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchMotion {
    /// Indentation and its rate.
    pub delta: f64,
    pub rate: f64,
    /// Unit normal.
    pub normal: Vec3,
    /// Tangential velocity of b relative to a.
    pub velocity: Vec3,
}

/// Friction of a touch under a load, with what it remembers.
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

/// What friction of a touch remembers after its bodies have moved so slowly that only springs and bristles resist, to where the kinematics
/// have them and by as much as their velocities say in a unit of time; across the normal of the touch.
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
    let stretched =
        friction.stretched(before, way.across(gap.normal), &touch.spring, delta, load.max(0.0));
    turned_with_normal(stretched, gap.normal, touch.normal)
}

impl ContactEvaluation {
    /// Evaluates a touch (kinematics, variables) → (indentation, forces, rates), whether or not its law acts.
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
                kinematics.friction_turning(input, touch, gap.normal, variables.friction);
        }
        found
    }

    /// Adds friction and rolling resistance under the force of the law.
    #[inline(always)]
    fn add_friction(&mut self, contact: &Contact, touch: &Touch, remembered: Vec3) {
        let &mut Self { delta, rate, force, velocity, spin, .. } = self;
        let normal = self.gap.normal;
        let motion = TouchMotion { delta, rate, normal, velocity };
        // A law that does not pull is released where its force vanishes. Until that has been located, friction goes on smoothly past
        // it, like the law, so that a step across the release is as accurate as any other.
        let load = if touch.law.exit == Exit::ZeroForce { force } else { force.max(0.0) };
        let held = touch_friction(contact, touch, &motion, load, remembered);
        if let Some(resistance) = &contact.resistance {
            self.couple = resistance.couple(load, normal, spin);
        }
        (self.friction, self.sticking_force) = (held.force, held.trial);
        self.friction_rate = turned_with_normal(held.rate, normal, touch.normal);
    }

    /// The gap with its bodies.
    pub fn site_gap(&self) -> SiteGap {
        SiteGap { gap: self.gap, a: self.a, b: self.b }
    }
}

impl Kinematics {
    /// The rate at which what friction remembers turns about the normal where the step began, because the normal does not take the
    /// shortest way from there.
    ///
    /// Remembered is the vector m, perpendicular to n₀, of which the shortest rotation R from n₀ to n makes what acts. It has to be
    /// carried along the path of the normal without turning about it, whatever steps the path is cut into. R turns about n with
    /// −s, s = (n₀ × n)·ṅ/(1 + n₀·n) being the rate of the area between the path and the shortest way on the unit sphere, and m against it:
    ///
    /// ṁ = s·n₀ × m.
    ///
    /// Left out, it is an error of the square of the steps. In the plane every path is the shortest way. Small turns are left out
    /// ([`SMALLEST_TURN`]): the rate of the normal takes a second evaluation of the gap.
    #[inline]
    fn friction_turning(
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
        let least = SMALLEST_TURN * input.world.tolerance;
        if !(across.dot(across) > least && cosine > -0.999) {
            return Vec3::ZERO;
        }
        let area_rate = across.dot(self.normal_rate(input, touch.site, normal)) / (1.0 + cosine);
        from.cross(remembered) * area_rate
    }
}

/// A vector perpendicular to the unit normal `from`, turned by the shortest rotation that takes that normal to `to`.
///
/// What friction remembers is perpendicular to the normal as it was when the step began, and turns with it: a pin that rolls
/// in its bore takes its friction along.
#[inline]
pub(crate) fn turned_with_normal(vector: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let sum = from + to;
    let cosine = from.dot(to);
    if vector == Vec3::ZERO || cosine >= 1.0 || !(cosine > -0.999) {
        return vector;
    }
    vector - sum * (to.dot(vector) / (1.0 + cosine))
}
