//! Powers that are cheap when they can be.
//!
//! The power is what a contact law costs: x·√x takes about a nanosecond, `powf` ten to twenty-five.
//! The exponents of the literature (0, ¼, ½, 1, 3/2, 2) are therefore recognised when a law is made.

/// An exponent ≥ 0, recognised once and raised often.
///
/// ```
/// use carom::law::Exponent;
/// let p = Exponent::new(1.5);
/// assert_eq!(p.of(4.0), 8.0);
/// assert_eq!(p.value(), 1.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exponent {
    /// x⁰ = 1, also at x = 0.
    Zero,
    /// x^¼.
    Quarter,
    /// √x.
    Half,
    /// x.
    One,
    /// x·√x, Hertz.
    ThreeHalves,
    /// x².
    Two,
    /// Any other power.
    Any(f64),
}

/// How close to x = 0 the slope of a power below 1 is still evaluated. No length or speed of a contact comes near it, and
/// times a large coefficient the slope is still a number.
pub const NEAREST: f64 = 1e-100;

impl Exponent {
    /// Recognises the exponent.
    pub fn new(value: f64) -> Self {
        match value {
            0.0 => Self::Zero,
            0.25 => Self::Quarter,
            0.5 => Self::Half,
            1.0 => Self::One,
            1.5 => Self::ThreeHalves,
            2.0 => Self::Two,
            _ => Self::Any(value),
        }
    }

    /// The exponent as a number.
    pub fn value(self) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::Quarter => 0.25,
            Self::Half => 0.5,
            Self::One => 1.0,
            Self::ThreeHalves => 1.5,
            Self::Two => 2.0,
            Self::Any(value) => value,
        }
    }

    /// x to this power, for x ≥ 0; below 0, where integrators probe, the value at 0.
    #[inline(always)]
    pub fn of(self, x: f64) -> f64 {
        // Not `max`, which would spend four instructions on a NaN that becomes 0 here as well.
        let x = if x > 0.0 { x } else { 0.0 };
        match self {
            Self::Zero => 1.0,
            Self::Quarter => x.sqrt().sqrt(),
            Self::Half => x.sqrt(),
            Self::One => x,
            Self::ThreeHalves => x * x.sqrt(),
            Self::Two => x * x,
            Self::Any(value) => x.powf(value),
        }
    }

    /// The slope d(x^p)/dx of [`Exponent::of`]: 0 below x = 0, and from the right at x = 0.
    ///
    /// It is finite everywhere, since a matrix with an infinite entry is of no use to an implicit solver. Powers below 1
    /// rise infinitely steeply at x = 0: there their slope counts as 0, and closer to it than [`NEAREST`] as at that
    /// distance.
    #[inline]
    pub fn slope(self, x: f64) -> f64 {
        if x < 0.0 {
            return 0.0;
        }
        match self {
            Self::Zero => 0.0,
            Self::One => 1.0,
            Self::ThreeHalves => 1.5 * x.sqrt(),
            Self::Two => 2.0 * x,
            _ if x == 0.0 => 0.0,
            _ => self.value() * x.max(NEAREST).powf(self.value() - 1.0),
        }
    }
}
