//! A contact at one instant: gap, law and friction together.

use crate::dynamics::Dynamics;
use crate::friction::{FrictionForce, SlidingState};
use crate::gap::Gap;
use crate::math::Vec3;
use crate::state::{TOUCH, Touch};
use crate::world::World;
use carom::law::{Force, Memory, Phases, Work};

/// What a touch does at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pushed {
    pub gap: Gap,
    pub a: usize,
    pub b: usize,
    /// −gap and its rate.
    pub delta: f64,
    pub rate: f64,
    /// Normal force; the law's, whatever its sign.
    pub force: f64,
    /// Neither friction nor resistance: what follows but the internal state is zero.
    pub smooth: bool,
    /// Tangential velocity and spin of b against a.
    pub velocity: Vec3,
    pub spin: Vec3,
    /// Friction and resisting couple on b.
    pub tangential: Vec3,
    pub couple: Vec3,
    /// What a tangential spring would carry if it stuck.
    pub trial: f64,
    pub internal_rate: f64,
    pub memory_rate: Vec3,
}

/// Force and rate of the internal state, by one dispatch.
struct Answer<'a>(f64, f64, &'a Memory);

impl Work for Answer<'_> {
    type Output = (f64, f64);
    #[inline]
    fn run<F: Force>(self, form: F) -> (f64, f64) {
        let Answer(delta, rate, memory) = self;
        (form.force(delta, rate, memory), form.internal_rate(delta, rate, memory))
    }
}

/// The force before it is held at zero.
struct Signed<'a>(f64, f64, &'a Memory);

impl Work for Signed<'_> {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        form.signed(self.0, self.1, self.2)
    }
}

/// What a law declares about itself: release and kink.
struct Marks<'a>(bool, &'a Memory);

impl Work for Marks<'_> {
    type Output = (f64, f64);
    fn run<F: Force>(self, form: F) -> (f64, f64) {
        (form.release(), form.kink(self.0, self.1))
    }
}

impl Touch {
    /// What the law remembers at an instant.
    #[inline]
    pub(crate) fn memory_at(&self, t: f64, slots: &[f64]) -> Memory {
        Memory { time: t - self.begun, internal: slots[0], ..self.memory }
    }

    /// True when nothing about the law changes where the rate changes sign, so that the turn need not lie
    /// at the end of a step: power laws with a damper that is smooth there and acts in both phases.
    pub(crate) fn turns_smoothly(&self) -> bool {
        self.law
            .power()
            .is_some_and(|power| power.phases == Phases::Both && power.rate.value() == 1.0)
    }

    /// The same force after an accepted step as before: the law has no running maximum.
    pub(crate) fn forgets(&self) -> bool {
        self.law.power().is_some()
    }

    pub(crate) fn signed(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        self.law.with(Signed(delta, rate, memory))
    }

    /// The largest load so far, or what it is expected to be (N): a scale for friction, which begins with no load.
    pub(crate) fn load(&self) -> f64 {
        self.strongest.0.max(self.law.force(self.scale, 0.0, &self.memory))
    }

    /// The same where it is known what the touch does: power laws are not held at zero.
    pub(crate) fn signed_as(&self, pushed: &Pushed, t: f64, slots: &[f64]) -> f64 {
        match self.law.power() {
            Some(_) => pushed.force,
            None => self.signed(pushed.delta, pushed.rate, &self.memory_at(t, slots)),
        }
    }

    /// Indentation at which the bodies lose touch, and at which the law bends on its way.
    pub(crate) fn marks(&self) -> (f64, f64) {
        self.law.with(Marks(self.loading, &self.memory))
    }
}

impl Pushed {
    /// A touch that does nothing.
    pub const IDLE: Self = Self {
        gap: Gap { distance: 0.0, normal: Vec3::X, point: Vec3::ZERO },
        a: 0,
        b: 0,
        delta: 0.0,
        rate: 0.0,
        force: 0.0,
        smooth: true,
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        tangential: Vec3::ZERO,
        couple: Vec3::ZERO,
        trial: 0.0,
        internal_rate: 0.0,
        memory_rate: Vec3::ZERO,
    };

    /// How a touch pushes, with the bodies as they were last read.
    #[inline(always)]
    pub fn of(world: &World, dynamics: &Dynamics, touch: &Touch, t: f64, slots: &[f64]) -> Self {
        debug_assert_eq!(slots.len(), TOUCH);
        let (gap, a, b) = dynamics.gap(world, touch.site);
        let (one, two) = (&dynamics.moving[a], &dynamics.moving[b]);
        let relative = two.velocity_at(gap.point) - one.velocity_at(gap.point);
        let approach = -gap.normal.dot(relative);
        let (delta, rate) = (-gap.distance - touch.offset, approach);
        let memory = touch.memory_at(t, slots);
        let (force, internal_rate) = touch.law.with(Answer(delta, rate, &memory));
        let contact = &world.contacts[world.sites[touch.site].contact];
        if contact.friction.is_none() && contact.resistance.is_none() {
            return Self { gap, a, b, delta, rate, force, internal_rate, ..Self::IDLE };
        }
        let velocity = relative + gap.normal * approach;
        let spin = two.w - one.w;
        let load = force.max(0.0);
        let held = match &contact.friction {
            Some(friction) => friction.force(&SlidingState {
                load,
                delta,
                rate,
                normal: gap.normal,
                velocity,
                memory: carried_over(Vec3::read(slots, 1), touch.normal, gap.normal),
                spring: touch.spring,
                slipping: touch.slipping,
                depth: touch.scale,
                largest: if touch.slipping { touch.load() } else { touch.strongest.0 },
            }),
            None => FrictionForce::default(),
        };
        let couple = match &contact.resistance {
            Some(resistance) => resistance.couple(load, gap.normal, spin),
            None => Vec3::ZERO,
        };
        Self {
            gap,
            a,
            b,
            delta,
            rate,
            force,
            smooth: false,
            velocity,
            spin,
            tangential: held.force,
            couple,
            trial: held.trial,
            internal_rate,
            memory_rate: carried_over(held.rate, gap.normal, touch.normal),
        }
    }
}

/// A vector across the unit normal `from`, turned as the shortest turn takes that normal to `to`.
///
/// What friction remembers lies across the normal as it was when the step began, and turns with it: a pin that rolls
/// in its bore takes its friction along.
#[inline]
pub(crate) fn carried_over(vector: Vec3, from: Vec3, to: Vec3) -> Vec3 {
    let sum = from + to;
    let cosine = from.dot(to);
    if vector == Vec3::ZERO || cosine >= 1.0 || !(cosine > -0.999) {
        return vector;
    }
    vector - sum * (to.dot(vector) / (1.0 + cosine))
}
