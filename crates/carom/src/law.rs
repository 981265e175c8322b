//! Contact laws as numbers: force as a function of indentation and indentation rate.
//!
//! A [`Law`] contains numbers only; names, units and references belong to the models. It is plain data: an enum of
//! forms for storage, and [`Law::with`], which matches the form once, outside the loop, and runs generic code with
//! the concrete form. The force is a pure function. What a contact must remember is stored in a [`Memory`] that
//! belongs to the caller:
//!
//! - the values fixed at onset (the approach speed v₀ and the damping coefficient that follows from it),
//! - the largest indentation so far, updated on accepted steps only,
//! - the time since onset and one internal state, which is integrated with the motion.
//!
//! The force of each form is implemented once, generically over [`Scalar`] ([`Response`]): evaluated with `f64` it
//! gives the force, with dual numbers also its tangents, and with a recorder its formula as code ([`crate::code`]).
//!
//! Sign convention, used everywhere: δ > 0 in contact, δ̇ > 0 while approaching, F > 0 repulsive. The caller decides
//! whether a contact exists; a law only computes the force. In particular, the force need not be 0 at δ = 0, because
//! some laws already push there (Kelvin–Voigt).

/// Implements `Over` and `over` for a form or curve whose numbers are scalars and exponents. The arguments are its
/// numbers, in the order of the arguments of the generated functions, each followed by its name there if that differs
/// from the field name. Fields after `;` are copied without conversion.
macro_rules! over {
    ($form:ident { $($number:ident $(as $name:literal)?),+ $(; $($kept:ident),+)? }) => {
        type Over<S: Scalar> = $form<S>;

        #[inline(always)]
        fn over<S: Scalar>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> $form<S> {
            use $crate::law::Number;
            $form {
                $($number: self.$number.converted(over!(@name $number $($name)?), &mut convert),)+
                $($($kept: self.$kept,)+)?
            }
        }
    };
    (@name $number:ident) => { stringify!($number) };
    (@name $number:ident $name:literal) => { $name };
}

pub mod adhesive;
pub mod conformal;
pub(crate) mod contact_phase;
pub mod curve;
pub mod exponent;
pub mod floored;
pub mod internal;
pub mod own;
pub mod plastic;
pub mod power;
pub mod punch;
mod shoot;
pub mod smooth_step;
pub mod two_stiffness;
pub mod volumetric;

#[cfg(test)]
pub(crate) mod check;

use crate::error::{Error, Result};
use crate::scalar::{Dual, Scalar};
pub use adhesive::{Dmt, Jkr};
pub use conformal::{Journal, Socket};
pub use curve::{CoefficientSource, Curve, Curved, DampingShape, Elastic};
pub use exponent::Exponent;
pub use floored::Floored;
pub use internal::{HalfSine, Jian, Xiong};
pub use own::Own;
pub use plastic::{
    Bilinear, Cohesive, JacksonGreen, LinearCohesive, Mdr, Permanent, Regimes, Thornton, Yielding,
    Yigit,
};
pub use power::{Damper, Phases, Power};
pub use smooth_step::SmoothStep;
pub use two_stiffness::TwoStiffness;
pub use volumetric::Lens;

/// Condition for the end of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// The force returns to zero while the bodies separate, because a contact cannot pull. This is the physical
    /// condition.
    #[serde(rename = "force")]
    ZeroForce,
    /// The indentation returns to zero; the force may be tensile before that. Many published calibrations assume this
    /// condition.
    #[serde(rename = "indentation")]
    ZeroIndentation,
}

impl Exit {
    /// Returns the other condition.
    pub fn other(self) -> Self {
        match self {
            Self::ZeroForce => Self::ZeroIndentation,
            Self::ZeroIndentation => Self::ZeroForce,
        }
    }
}

names! {
    Exit { ZeroForce = "force", ZeroIndentation = "indentation", }
}

impl std::str::FromStr for Exit {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|exit| exit.name() == text).ok_or_else(|| {
            let advice = "use `force` (contacts do not pull) or `indentation`";
            Error::unknown("exit", text, Self::ALL.map(Self::name), advice)
        })
    }
}

/// What the law of one contact remembers from onset to separation. The order of the fields in memory is part of the
/// interface: C programs read and write them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Memory<S = f64> {
    /// Approach speed v₀ at onset (m/s).
    pub speed: S,
    /// Damping coefficient that follows from v₀, in the unit of the law. Some forms store another number here
    /// (`Force::FIXED_AT_TOUCH`).
    pub damping: S,
    /// Largest indentation so far (m), or the value that a law stores instead; see [`Response::peak_after`].
    pub peak: S,
    /// Time since onset (s).
    pub time: S,
    /// Internal state, in laws that have one.
    pub internal: S,
}

impl Memory {
    /// Converts the numbers to another kind of scalar; `convert` receives the name and the value of each.
    pub fn over<S>(&self, mut convert: impl FnMut(&'static str, f64) -> S) -> Memory<S> {
        Memory {
            speed: convert("speed", self.speed),
            damping: convert("damping", self.damping),
            peak: convert("peak", self.peak),
            time: convert("time", self.time),
            internal: convert("internal", self.internal),
        }
    }
}

/// Tangents of the force, used by implicit integrators, fits and exports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent {
    /// ∂F/∂δ (N/m).
    pub stiffness: f64,
    /// ∂F/∂δ̇ (N·s/m).
    pub damping: f64,
}

impl Tangent {
    /// Tangents of a constant force.
    pub const NONE: Self = Self { stiffness: 0.0, damping: 0.0 };
}

/// The force of a form and the evolution of its memory, generic over the scalar. This is the only implementation of a
/// law.
///
/// Every form implements it for all scalars, as in `impl<S: Scalar> Response<S> for Power<S>`; [`Force::over`]
/// converts a form to numbers of another kind. Implementations must not use `if` on the arguments (see
/// [`Scalar::choose`]) and must be one-sided from the right at δ = 0 ([`Scalar::positive_part`]), so that the
/// tangents there are those of a contact that begins.
pub trait Response<S: Scalar>: Copy {
    /// Computes the force (N) at this indentation and rate, without side effects.
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S;

    /// Computes the force before it is limited to non-negative values. Its change of sign shows when the force
    /// vanishes.
    #[inline(always)]
    fn signed(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        self.force(delta, rate, memory)
    }

    /// Computes [`Memory::peak`] after an accepted step to this indentation: the larger of the two. A cohesive law
    /// also lowers it while the contact follows its cohesive limit.
    #[inline(always)]
    fn peak_after(&self, delta: S, _rate: S, memory: &Memory<S>) -> S {
        memory.peak.max(delta)
    }

    /// Computes the rate of the internal state, in laws that have one ([`Force::INTERNAL`]).
    #[inline(always)]
    fn internal_rate(&self, _delta: S, _rate: S, _memory: &Memory<S>) -> S {
        S::of(0.0)
    }

    /// Computes [`Memory::damping`] for bodies of this effective mass and approach speed. Returns `None` if there is
    /// no formula and the value must be found by a search.
    fn damping_at_touch(&self, _mass: S, _speed: S) -> Option<S> {
        Some(S::of(0.0))
    }
}

/// A number of a form that [`Force::over`] can convert to another kind of scalar.
trait Number {
    type Over<S: Scalar>;
    fn converted<S: Scalar>(
        self,
        name: &'static str,
        convert: &mut impl FnMut(&'static str, f64) -> S,
    ) -> Self::Over<S>;
}

impl Number for f64 {
    type Over<S: Scalar> = S;
    #[inline(always)]
    fn converted<S: Scalar>(
        self,
        name: &'static str,
        convert: &mut impl FnMut(&'static str, f64) -> S,
    ) -> S {
        convert(name, self)
    }
}

impl Number for Exponent {
    type Over<S: Scalar> = Exponent<S>;
    #[inline(always)]
    fn converted<S: Scalar>(
        self,
        name: &'static str,
        convert: &mut impl FnMut(&'static str, f64) -> S,
    ) -> Exponent<S> {
        self.over(|value| convert(name, value))
    }
}

/// Interface of a form of the force. Each form implements it once; it is called through [`Law::with`].
///
/// All quantities are in SI units. The module documentation defines the signs.
pub trait Force: Response<f64> {
    /// Type of the form with numbers of another kind of scalar.
    type Over<S: Scalar>: Response<S>;

    /// Converts the form to another kind of scalar; `convert` receives the name and the value of each number. Numbers
    /// that only determine the damping are not converted, because the resulting coefficient is in [`Memory`].
    fn over<S: Scalar>(&self, convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S>;

    /// Returns the form with all exponents as plain numbers, none of them recognised (see [`Exponent`]), so that
    /// derivatives with respect to an exponent can be computed.
    fn with_plain_exponents(&self) -> Self {
        *self
    }

    /// Whether the form has an internal state that is integrated with the motion.
    const INTERNAL: bool = false;

    /// Whether the force and the stored energy are independent of everything that changes after onset: the largest
    /// indentation, the time and the internal state. Callers with many contacts then need not store these.
    const FROZEN: bool = false;

    /// Meaning of [`Memory::damping`] in this form, printed as a comment in generated code.
    const FIXED_AT_TOUCH: &'static str = "damping coefficient";

    /// Returns the calibration, in forms whose damping is determined by a search at onset.
    fn calibration(&self) -> Option<Calibration> {
        None
    }

    /// Creates the memory at onset, for bodies of effective mass `mass` (kg) and approach speed `speed` (m/s). The
    /// damping is NaN if no value delivers the requested restitution.
    fn touch(&self, mass: f64, speed: f64) -> Memory {
        let searched =
            || self.calibration().map_or(f64::NAN, |it| it.coefficient(*self, mass, speed));
        let damping = self.damping_at_touch(mass, speed).unwrap_or_else(searched);
        Memory { speed, damping, ..Memory::default() }
    }

    /// Computes the forces of many contacts, with the same results as [`Response::force`]. A form that can decide
    /// between its cases before the loop overrides this method.
    #[inline(always)]
    fn forces(&self, delta: &[f64], rate: &[f64], memory: &[Memory], force: &mut [f64]) {
        force_of_each(*self, delta, rate, memory, force);
    }

    /// Computes ∂F/∂δ and ∂F/∂δ̇ of [`Response::force`] at this indentation and rate with dual numbers; they are
    /// one-sided where the law has a kink.
    ///
    /// The result is always finite. A term with a power below 1 (a damper δ^¼·δ̇ at onset, |δ̇|^q with q < 1 at rest)
    /// has an infinite slope at 0; that slope is replaced by 0, see [`Dual`].
    #[inline]
    fn tangent(&self, delta: f64, rate: f64, memory: &Memory) -> Tangent {
        let form = self.over(|_, value| Dual::<2>::of(value));
        let memory = memory.over(|_, value| Dual::of(value));
        let force = form.force(Dual::variable(delta, 0), Dual::variable(rate, 1), &memory);
        // A slope is 0/0 if a permanent indentation is so small that its powers underflow.
        let finite = |slope: f64| if slope.is_finite() { slope } else { 0.0 };
        Tangent { stiffness: finite(force.slopes[0]), damping: finite(force.slopes[1]) }
    }

    /// Computes the energy (J) that the contact would return in an infinitely slow unloading from this indentation.
    fn stored(&self, delta: f64, memory: &Memory) -> f64;

    /// Updates the memory after an accepted step. A law changes its largest indentation nowhere else.
    fn commit(&self, delta: f64, rate: f64, memory: &mut Memory) {
        memory.peak = self.peak_after(delta, rate, memory);
    }

    /// Returns the restitution for which `touch` searches the damping, if it does so.
    fn requested(&self) -> Option<f64> {
        self.calibration().and_then(Calibration::requested)
    }

    /// Returns the indentation at which the force has a kink while loading or unloading (NaN if there is none).
    /// Integrators end a step there.
    fn kink(&self, _loading: bool, _memory: &Memory) -> f64 {
        f64::NAN
    }

    /// Returns the next kink in the direction of motion from an indentation; this is the method that integrators
    /// call. Forms with one kink in each direction implement [`Force::kink`] only.
    fn next_kink(&self, _delta: f64, loading: bool, memory: &Memory) -> f64 {
        self.kink(loading, memory)
    }

    /// Returns the factor on the error that an integrator allows in a step. It is below 1 if the force has a singular
    /// slope at onset, which requires small steps there.
    fn tolerance_factor(&self) -> f64 {
        1.0
    }

    /// Returns the indentation (m) at which the bodies lose contact: 0, or a negative value for adhesive necks.
    fn release(&self) -> f64 {
        0.0
    }
}

/// Computes the force of each contact in a loop.
#[inline(always)]
fn force_of_each<F: Force>(
    form: F,
    delta: &[f64],
    rate: &[f64],
    memory: &[Memory],
    force: &mut [f64],
) {
    let seen = delta.iter().zip(rate).zip(memory);
    for (force, ((delta, rate), memory)) in force.iter_mut().zip(seen) {
        *force = form.force(*delta, *rate, memory);
    }
}

/// How the damping coefficient is determined in forms that are not power laws.
///
/// In a power law a restitution determines one number ε before any speed is known. A form with a length or a
/// threshold of its own has no such number: its coefficient depends on the mass and the speed of the impact. The
/// request is therefore stored and resolved at onset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// The given coefficient, in the unit of the form.
    Coefficient(f64),
    /// The coefficient that delivers this restitution with this exit of contact, computed at onset.
    Delivered {
        /// Requested restitution, in (0, 1].
        restitution: f64,
        /// Exit of contact for which the restitution is requested.
        exit: Exit,
    },
}

impl Calibration {
    /// Returns the requested restitution, if there is one.
    pub(crate) fn requested(self) -> Option<f64> {
        match self {
            Self::Coefficient(_) => None,
            Self::Delivered { restitution, .. } => Some(restitution),
        }
    }

    /// Returns the coefficient if it is known without a search.
    pub(crate) fn known<S: Scalar>(self) -> Option<S> {
        match self {
            Self::Coefficient(c) => Some(S::of(c)),
            // A restitution of 1 requires zero damping.
            Self::Delivered { restitution: 1.0, .. } => Some(S::of(0.0)),
            Self::Delivered { .. } => None,
        }
    }

    /// Returns the coefficient for an impact of `form` with effective mass `mass` at `speed`.
    pub(crate) fn coefficient<F: Force>(self, form: F, mass: f64, speed: f64) -> f64 {
        match self {
            Self::Coefficient(c) => c,
            Self::Delivered { restitution, exit } => {
                self.known().unwrap_or_else(|| shoot::shoot(form, mass, speed, exit, restitution))
            }
        }
    }
}

/// Declares all forms in one place: [`Form`], the conversions into it, `with_form!` and [`Law::with`]. The first
/// argument is a dollar sign, which `with_form!` needs in its own pattern.
macro_rules! forms {
    ($dollar:tt $($(#[$doc:meta])* $name:ident($form:ty),)*) => {
        /// Forms of the force. There is one variant per mathematical form, not per model: most models of the
        /// catalogue are [`Power`] with different numbers.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum Form {
            $($(#[$doc])* $name($form),)*
        }

        $(impl From<$form> for Form {
            fn from(form: $form) -> Self {
                Self::$name(form)
            }
        })*

        /// Evaluates an expression with the concrete form of a law.
        macro_rules! with_form {
            ($dollar law:expr, $dollar form:ident => $dollar value:expr) => {
                match $dollar law.form {
                    $(Form::$name($dollar form) => $dollar value,)*
                }
            };
        }

        impl Law {
            /// Matches the form once and runs `work` with it, so that the loops inside `work` are compiled for each
            /// form without a branch. Scenes call this once per evaluation of a contact; beds of grains group their
            /// contacts by law first.
            #[inline]
            pub fn with<W: Work>(&self, work: W) -> W::Output {
                with_form!(self, form => work.run(form))
            }
        }
    };
}

forms! { $
    /// K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇.
    Power(Power),
    /// K·δⁿ + c·STEP(δ/d)·δ̇: the damper increases smoothly from zero to its full value at the depth d.
    SmoothStep(SmoothStep),
    /// The power law, limited to at least R·K·δⁿ while separating.
    Floored(Floored),
    /// Hertzian loading and elastic recovery to a permanent indentation.
    Permanent(Permanent),
    /// Elastic-perfectly plastic spheres.
    Thornton(Thornton),
    /// Hertzian loading that becomes linear at yield, and Hertzian unloading.
    Yigit(Yigit),
    /// Hertz's law, followed by fitted powers and a fully plastic line.
    Regimes(Yielding<Regimes>),
    /// A single elastic-plastic fit, with a hardness that decreases with the contact radius.
    JacksonGreen(Yielding<JacksonGreen>),
    /// A truncated sphere that recovers as a half-ellipse (method of dimensionality reduction).
    Mdr(Yielding<Mdr>),
    /// A bilinear hysteresis loop.
    Bilinear(Bilinear),
    /// Power-law loading and unloading with a cohesive branch.
    Cohesive(Cohesive),
    /// Linear loading and unloading with a cohesive branch.
    LinearCohesive(LinearCohesive),
    /// Adhesion inside the contact area, with a neck at separation.
    Jkr(Jkr),
    /// Adhesion outside the contact area.
    Dmt(Dmt),
    /// A force proportional to the volume of interference.
    Lens(Curved<Lens>),
    /// A ball in a spherical socket.
    Socket(Curved<Socket>),
    /// Parallel cylinders: a pin in a bore.
    Journal(Curved<Journal>),
    /// An internal state that relaxes.
    Xiong(Xiong),
    /// Viscoelastic spheres with a relaxation time.
    Jian(Jian),
    /// A force that depends on time only.
    HalfSine(HalfSine),
    /// A stiff spring in compression and a softer one in restitution.
    TwoStiffness(TwoStiffness),
    /// Formulas defined by the user.
    Own(Own<false>),
    /// Formulas defined by the user, with an internal state.
    OwnWithState(Own<true>),
}

/// A contact law: a form, the effective mass and the exit of contact.
///
/// It is created by [`Model::law`](crate::Model::law), or directly:
///
/// ```
/// use carom::law::{Exit, Law, Power};
/// let hertz = Law::new(0.54, Exit::ZeroForce, Power::elastic(2.4144e10, 1.5));
/// let memory = hertz.touch(0.5);
/// assert!((hertz.force(1e-5, 0.0, &memory) - 763.5).abs() < 0.1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Effective mass m₁m₂/(m₁+m₂) (kg).
    pub mass: f64,
    /// Condition for the end of the contact.
    pub exit: Exit,
    /// Form of the force.
    pub form: Form,
}

/// A computation that runs with the concrete form of a law; see [`Law::with`].
pub trait Work {
    /// Type of the result.
    type Output;
    /// Runs the computation; it is compiled once per form.
    fn run<F: Force>(self, form: F) -> Self::Output;
}

impl Law {
    /// Creates a law from its parts.
    pub fn new(mass: f64, exit: Exit, form: impl Into<Form>) -> Self {
        Self { mass, exit, form: form.into() }
    }

    /// Returns whether the law has an internal state that is integrated with the motion.
    pub fn has_internal(&self) -> bool {
        fn internal<F: Force>(_: F) -> bool {
            F::INTERNAL
        }
        with_form!(self, form => internal(form))
    }

    /// Returns whether the force depends on an internal state or on the time since onset, so that indentation, rate
    /// and largest indentation do not determine it.
    pub(crate) fn has_state_or_clock(&self) -> bool {
        match self.form {
            Form::Jian(_) | Form::HalfSine(_) => true,
            Form::Own(own) => own.uses_time(),
            _ => self.has_internal(),
        }
    }

    /// Returns the power law, if this is one.
    pub fn power(&self) -> Option<&Power> {
        match &self.form {
            Form::Power(power) => Some(power),
            _ => None,
        }
    }

    /// Creates the memory at onset with this approach speed (m/s).
    pub fn touch(&self, speed: f64) -> Memory {
        with_form!(self, form => form.touch(self.mass, speed))
    }

    /// Returns the number that determines the dissipation of an impact at `speed`, in the unit of the form: c of a
    /// damper, or the viscosity, pressure or indentation that takes its place. Returns `None` if the form has no such
    /// number.
    pub fn coefficient(&self, speed: f64) -> Option<f64> {
        let number = match &self.form {
            Form::Power(power) => return Some(power.coefficient(self.mass, speed)),
            Form::HalfSine(curve) => curve.viscosity,
            // In these forms `Memory::damping` holds a length or a stiffness, which is not a parameter of the law.
            Form::Permanent(_)
            | Form::Bilinear(_)
            | Form::Cohesive(_)
            | Form::LinearCohesive(_)
            | Form::TwoStiffness(_) => return None,
            _ => self.touch(speed).damping,
        };
        (number.is_finite() && number != 0.0).then_some(number)
    }

    /// Returns m and q of a damper c·δᵐ·|δ̇|^q.
    pub fn damper_exponents(&self) -> Option<(f64, f64)> {
        match &self.form {
            Form::Power(power) => Some((power.damping.value(), power.rate.value())),
            Form::Floored(floored) => Some(floored.damper_exponents()),
            _ => None,
        }
    }

    /// Computes the force (N). Use [`Law::with`] in loops.
    pub fn force(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        with_form!(self, form => form.force(delta, rate, memory))
    }

    /// Computes the tangents ∂F/∂δ and ∂F/∂δ̇. They are finite everywhere, and 0 where the bodies do not touch (δ <
    /// [`Law::release`]), although a law with a constant damper has a force there. They are one-sided at kinks; see
    /// [`Force::tangent`] for infinite slopes.
    pub fn tangent(&self, delta: f64, rate: f64, memory: &Memory) -> Tangent {
        with_form!(self, form => match delta < form.release() {
            true => Tangent::NONE,
            false => form.tangent(delta, rate, memory),
        })
    }

    /// Returns the indentation (m) at which the bodies lose contact: 0, or a negative value for adhesive necks.
    pub fn release(&self) -> f64 {
        with_form!(self, form => form.release())
    }

    /// Updates the memory after an accepted step; see [`Force::commit`].
    pub fn commit(&self, delta: f64, rate: f64, memory: &mut Memory) {
        with_form!(self, form => form.commit(delta, rate, memory));
    }

    /// Computes the rate of the internal state; 0 in laws that have none.
    pub fn internal_rate(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        with_form!(self, form => form.internal_rate(delta, rate, memory))
    }

    /// Computes the recoverable energy (J).
    pub fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        with_form!(self, form => form.stored(delta, memory))
    }
}
