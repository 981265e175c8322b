//! A law: numbers that turn indentation and rate into force.
//!
//! A [`Law`] has numbers only, no names, units or references. It is plain data: an enum of forms for storage, and
//! [`Law::with`], which matches the form once, outside the loop, and runs generic code with the concrete form. `force` is
//! pure; what a contact must remember lives in a [`Memory`] that belongs to the caller:
//!
//! - what was frozen at first touch (speed v₀, the damping coefficient that follows from it),
//! - the largest indentation so far, committed on accepted steps only,
//! - the time since touch and one internal state, integrated with the motion.
//!
//! The force itself is written once, over any [`Scalar`] ([`Response`]): with `f64` it is a number, with dual
//! numbers its tangents, with a recorder its formula as code ([`crate::code`]).
//!
//! Signs, everywhere: δ > 0 in contact, δ̇ > 0 while approaching, F > 0 repulsive. Whether a
//! contact exists is the caller's question; the law only answers how hard. In particular a law does
//! not return 0 at δ = 0, where some laws already push (Kelvin–Voigt).

/// Writes `Over` and `over` of a form or curve whose numbers are scalars and exponents: its numbers, in the order of the arguments of
/// printed functions, each with its name there where that is not the name of the field; after `;` what is not converted.
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
pub use curve::{Curve, Curved, Elastic, Shape, Source};
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

/// When a contact ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// When the force returns to zero while separating: contacts do not pull. The physical choice.
    #[serde(rename = "force")]
    ZeroForce,
    /// When the indentation returns to zero; the force may be tensile before. What many published
    /// calibrations assume.
    #[serde(rename = "indentation")]
    ZeroIndentation,
}

impl Exit {
    /// The other exit.
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

/// What one contact remembers, from first touch to separation. Its fields lie in memory as they stand here: programs in C
/// read and write them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Memory<S = f64> {
    /// Approach speed at first touch v₀ (m/s).
    pub speed: S,
    /// The damping coefficient that follows from v₀, in the unit of the law.
    pub damping: S,
    /// Largest indentation so far (m), or what a law keeps in its place; see [`Response::peak_after`].
    pub peak: S,
    /// Time since first touch (s).
    pub time: S,
    /// Internal state, for laws that have one.
    pub internal: S,
}

impl Memory {
    /// These numbers as another kind of scalar; `convert` maps each from its name and value.
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

/// Tangents of the force, for implicit integrators, fitting and export.
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

/// The force of a form and how its memory changes, over any scalar: the only place where a law is written.
///
/// Implemented by every form for all scalars, `impl<S: Scalar> Response<S> for Power<S>`; a form with numbers of
/// another kind is made by [`Force::over`]. Written without `if` on the arguments (see [`Scalar::choose`]), and one-sided
/// from the right at δ = 0 ([`Scalar::positive_part`]), so that tangents there are those of a contact that begins.
pub trait Response<S: Scalar>: Copy {
    /// The force at this indentation and rate. Pure.
    fn force(&self, delta: S, rate: S, memory: &Memory<S>) -> S;

    /// The force before it is held at zero: what tells when it vanishes.
    #[inline(always)]
    fn signed(&self, delta: S, rate: S, memory: &Memory<S>) -> S {
        self.force(delta, rate, memory)
    }

    /// [`Memory::peak`] after an accepted step to this indentation: the larger of both. A cohesive law also lowers it
    /// while its limit is followed back.
    #[inline(always)]
    fn peak_after(&self, delta: S, _rate: S, memory: &Memory<S>) -> S {
        memory.peak.max(delta)
    }

    /// Rate of the internal state, for laws that have one ([`Force::INTERNAL`]).
    #[inline(always)]
    fn internal_rate(&self, _delta: S, _rate: S, _memory: &Memory<S>) -> S {
        S::of(0.0)
    }

    /// [`Memory::damping`] when bodies of this effective mass touch at this speed; nothing where it is not a formula but
    /// found by a search.
    fn damping_at_touch(&self, _mass: S, _speed: S) -> Option<S> {
        Some(S::of(0.0))
    }
}

/// A number of a form that [`Force::over`] converts to another kind of scalar.
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

/// What a form of the force provides; implemented once per form, called through [`Law::with`].
///
/// All quantities SI; see the module comment for the signs.
pub trait Force: Response<f64> {
    /// The form over another kind of scalar.
    type Over<S: Scalar>: Response<S>;

    /// The form over another kind of scalar; `convert` maps each number from its name and value. Numbers that only
    /// determine the damping are not converted: the coefficient that follows from them is in [`Memory`].
    fn over<S: Scalar>(&self, convert: impl FnMut(&'static str, f64) -> S) -> Self::Over<S>;

    /// The form with exponents that are plain numbers, none of them recognised ([`Exponent`]): for derivatives by an
    /// exponent.
    fn with_plain_exponents(&self) -> Self {
        *self
    }

    /// Whether the form has an internal state that is integrated with the motion.
    const INTERNAL: bool = false;

    /// Whether force and stored energy depend on nothing that changes after the touch: not on the largest indentation,
    /// the time or an internal state. Callers with many contacts need not store these then.
    const FROZEN: bool = false;

    /// What [`Memory::damping`] is in this form: for the comment of printed code.
    const FIXED_AT_TOUCH: &'static str = "damping coefficient";

    /// The calibration of forms that search their damping at touch; none for the others.
    fn calibration(&self) -> Option<Calibration> {
        None
    }

    /// The memory at first touch of bodies of effective mass `mass` at `speed`. The damping is NaN where none delivers
    /// the restitution requested.
    fn touch(&self, mass: f64, speed: f64) -> Memory {
        let searched =
            || self.calibration().map_or(f64::NAN, |it| it.coefficient(*self, mass, speed));
        let damping = self.damping_at_touch(mass, speed).unwrap_or_else(searched);
        Memory { speed, damping, ..Memory::default() }
    }

    /// The forces of many contacts, each as [`Response::force`] has it. A form whose cases can be told apart before
    /// the loop does so here.
    #[inline(always)]
    fn forces(&self, delta: &[f64], rate: &[f64], memory: &[Memory], force: &mut [f64]) {
        force_of_each(*self, delta, rate, memory, force);
    }

    /// ∂F/∂δ and ∂F/∂δ̇ of [`Response::force`] at this indentation and rate, one-sided where the law has a kink:
    /// the force evaluated with dual numbers.
    ///
    /// Always finite. A term with a power below 1 (a damper δ^¼·δ̇ at touch, |δ̇|^q with q < 1 at rest) has an infinite
    /// slope at 0 itself: there it counts as 0, see [`Dual`].
    #[inline]
    fn tangent(&self, delta: f64, rate: f64, memory: &Memory) -> Tangent {
        let form = self.over(|_, value| Dual::<2>::of(value));
        let memory = memory.over(|_, value| Dual::of(value));
        let force = form.force(Dual::variable(delta, 0), Dual::variable(rate, 1), &memory);
        // Slopes are 0/0 where a permanent indentation is so small that its powers underflow.
        let finite = |slope: f64| if slope.is_finite() { slope } else { 0.0 };
        Tangent { stiffness: finite(force.slopes[0]), damping: finite(force.slopes[1]) }
    }

    /// Energy the contact would give back in an infinitely slow unloading from here (J).
    fn stored(&self, delta: f64, memory: &Memory) -> f64;

    /// Updates the memory after an accepted step: the only place where a law changes its running maximum.
    fn commit(&self, delta: f64, rate: f64, memory: &mut Memory) {
        memory.peak = self.peak_after(delta, rate, memory);
    }

    /// The restitution for which `touch` searches the damping, if it does.
    fn requested(&self) -> Option<f64> {
        self.calibration().and_then(Calibration::requested)
    }

    /// Indentation at which the force bends while loading or unloading (NaN: nowhere). Integrators put
    /// the end of a step there.
    fn kink(&self, _loading: bool, _memory: &Memory) -> f64 {
        f64::NAN
    }

    /// The next kink on the way from an indentation; integrators ask for this one. Forms with one kink in each direction
    /// have it in [`Force::kink`].
    fn next_kink(&self, _delta: f64, loading: bool, memory: &Memory) -> f64 {
        self.kink(loading, memory)
    }

    /// The error that an integrator allows in a step, over that which it allows for other forms: below 1 where the force
    /// has a singular slope at first touch, so that small steps are needed there.
    fn tolerance_factor(&self) -> f64 {
        1.0
    }

    /// Indentation at which the bodies lose touch: 0, or below 0 for adhesive necks.
    fn release(&self) -> f64 {
        0.0
    }
}

/// The force of each contact, one after the other.
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

/// How the damping coefficient is determined in forms that are no power laws.
///
/// A power law turns a restitution into one number ε before any speed is known. A form with a length
/// or a threshold of its own has no such number: its coefficient must be found for the mass and the
/// speed of the impact, so the request is kept and answered at first touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// The coefficient is given, in the unit of the form.
    Coefficient(f64),
    /// The coefficient that delivers this restitution under this exit, solved at touch.
    Delivered {
        /// The restitution asked for, in (0, 1].
        restitution: f64,
        /// The end of contact it is asked for.
        exit: Exit,
    },
}

impl Calibration {
    /// The restitution to be delivered, if one is.
    pub(crate) fn requested(self) -> Option<f64> {
        match self {
            Self::Coefficient(_) => None,
            Self::Delivered { restitution, .. } => Some(restitution),
        }
    }

    /// The coefficient where it needs no search.
    pub(crate) fn known<S: Scalar>(self) -> Option<S> {
        match self {
            Self::Coefficient(c) => Some(S::of(c)),
            // A restitution of 1 is delivered by no damping.
            Self::Delivered { restitution: 1.0, .. } => Some(S::of(0.0)),
            Self::Delivered { .. } => None,
        }
    }

    /// The coefficient for an impact of `form` at `speed`.
    pub(crate) fn coefficient<F: Force>(self, form: F, mass: f64, speed: f64) -> f64 {
        match self {
            Self::Coefficient(c) => c,
            Self::Delivered { restitution, exit } => {
                self.known().unwrap_or_else(|| shoot::shoot(form, mass, speed, exit, restitution))
            }
        }
    }
}

/// Declares every form once: [`Form`], the conversions into it, `with_form!` and [`Law::with`]. The first argument is a dollar
/// sign, which `with_form!` needs in its own pattern.
macro_rules! forms {
    ($dollar:tt $($(#[$doc:meta])* $name:ident($form:ty),)*) => {
        /// The forms a force can take. One variant per mathematical form, not per model: most models of the
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

        /// The value of an expression of the concrete form of a law.
        macro_rules! with_form {
            ($dollar law:expr, $dollar form:ident => $dollar value:expr) => {
                match $dollar law.form {
                    $(Form::$name($dollar form) => $dollar value,)*
                }
            };
        }

        impl Law {
            /// Matches the form once and runs `work` with it, so that loops inside `work` are compiled for each form without a
            /// branch. Scenes dispatch here once per evaluation of a contact; beds of grains group contacts by law first.
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
    /// K·δⁿ + c·STEP(δ/d)·δ̇, a damper that fades in over a depth.
    SmoothStep(SmoothStep),
    /// The power form, not below R·K·δⁿ while separating.
    Floored(Floored),
    /// Hertzian loading, elastic recovery to a permanent indentation.
    Permanent(Permanent),
    /// Elastic, perfectly plastic spheres.
    Thornton(Thornton),
    /// Hertzian, then linear loading; Hertzian unloading.
    Yigit(Yigit),
    /// Hertz's law, fitted powers and a fully plastic line.
    Regimes(Yielding<Regimes>),
    /// One elastic-plastic fit with a hardness that falls.
    JacksonGreen(Yielding<JacksonGreen>),
    /// A truncated sphere that rebounds as a half-ellipse.
    Mdr(Yielding<Mdr>),
    /// A bilinear loop.
    Bilinear(Bilinear),
    /// Power-law loading and unloading with a cohesive branch.
    Cohesive(Cohesive),
    /// Linear loading and unloading with a cohesive branch.
    LinearCohesive(LinearCohesive),
    /// Adhesion inside the contact, with a neck.
    Jkr(Jkr),
    /// Adhesion outside the contact.
    Dmt(Dmt),
    /// A force by the volume of interference.
    Lens(Curved<Lens>),
    /// A ball in a spherical socket.
    Socket(Curved<Socket>),
    /// Parallel cylinders, a pin in a bore.
    Journal(Curved<Journal>),
    /// An internal state that relaxes.
    Xiong(Xiong),
    /// Viscoelastic spheres with a relaxation time.
    Jian(Jian),
    /// A force by time alone.
    HalfSine(HalfSine),
    /// A stiff spring in compression, a soft one in restitution.
    TwoStiffness(TwoStiffness),
    /// Formulas that a user wrote.
    Own(Own<false>),
    /// Formulas that a user wrote, with an internal state.
    OwnWithState(Own<true>),
}

/// A law: a form, the effective mass it acts on and the end of contact.
///
/// Made by [`Model::law`](crate::Model::law), or by hand:
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
    /// When contact ends.
    pub exit: Exit,
    /// The force.
    pub form: Form,
}

/// A computation with the concrete form of a law; see [`Law::with`].
pub trait Work {
    /// The type of the result.
    type Output;
    /// Runs the computation; compiled once per form.
    fn run<F: Force>(self, form: F) -> Self::Output;
}

impl Law {
    /// A law from its parts.
    pub fn new(mass: f64, exit: Exit, form: impl Into<Form>) -> Self {
        Self { mass, exit, form: form.into() }
    }

    /// Whether it has an internal state that is integrated with the motion.
    pub fn has_internal(&self) -> bool {
        fn internal<F: Force>(_: F) -> bool {
            F::INTERNAL
        }
        with_form!(self, form => internal(form))
    }

    /// Whether the force depends on an internal state or on the time since touch, so that indentation, rate and largest
    /// indentation at an instant do not determine it.
    pub(crate) fn has_state_or_clock(&self) -> bool {
        match self.form {
            Form::Jian(_) | Form::HalfSine(_) => true,
            Form::Own(own) => own.uses_time(),
            _ => self.has_internal(),
        }
    }

    /// The numbers of a power law, if it is one.
    pub fn power(&self) -> Option<&Power> {
        match &self.form {
            Form::Power(power) => Some(power),
            _ => None,
        }
    }

    /// What is frozen at first touch with this speed.
    pub fn touch(&self, speed: f64) -> Memory {
        with_form!(self, form => form.touch(self.mass, speed))
    }

    /// The number that sets the dissipation of an impact at `speed`, in the unit of the form: c of a damper, the
    /// viscosity, pressure or indentation that stands for it. None where the form has no such number.
    pub fn coefficient(&self, speed: f64) -> Option<f64> {
        let number = match &self.form {
            Form::Power(power) => return Some(power.coefficient(self.mass, speed)),
            Form::HalfSine(curve) => curve.viscosity,
            // These keep a length or a stiffness in `Memory::damping`, which is no parameter of the law.
            Form::Permanent(_)
            | Form::Bilinear(_)
            | Form::Cohesive(_)
            | Form::LinearCohesive(_)
            | Form::TwoStiffness(_) => return None,
            _ => self.touch(speed).damping,
        };
        (number.is_finite() && number != 0.0).then_some(number)
    }

    /// m and q of a damper c·δᵐ·|δ̇|^q.
    pub fn damper_exponents(&self) -> Option<(f64, f64)> {
        match &self.form {
            Form::Power(power) => Some((power.damping.value(), power.rate.value())),
            Form::Floored(floored) => Some(floored.damper_exponents()),
            _ => None,
        }
    }

    /// The force (N). For loops use [`Law::with`].
    pub fn force(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        with_form!(self, form => form.force(delta, rate, memory))
    }

    /// The tangents ∂F/∂δ and ∂F/∂δ̇: finite everywhere, and 0 where the bodies do not touch (δ < [`Law::release`]), though
    /// a law with a constant damper has a force there. One-sided at kinks; see [`Force::tangent`] for infinite slopes.
    pub fn tangent(&self, delta: f64, rate: f64, memory: &Memory) -> Tangent {
        with_form!(self, form => match delta < form.release() {
            true => Tangent::NONE,
            false => form.tangent(delta, rate, memory),
        })
    }

    /// The indentation (m) at which the bodies lose touch: 0, or below 0 for adhesive necks.
    pub fn release(&self) -> f64 {
        with_form!(self, form => form.release())
    }

    /// Updates the memory after an accepted step; see [`Force::commit`].
    pub fn commit(&self, delta: f64, rate: f64, memory: &mut Memory) {
        with_form!(self, form => form.commit(delta, rate, memory));
    }

    /// The rate of the internal state; 0 for laws that have none.
    pub fn internal_rate(&self, delta: f64, rate: f64, memory: &Memory) -> f64 {
        with_form!(self, form => form.internal_rate(delta, rate, memory))
    }

    /// The recoverable energy (J).
    pub fn stored(&self, delta: f64, memory: &Memory) -> f64 {
        with_form!(self, form => form.stored(delta, memory))
    }
}
