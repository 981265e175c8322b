//! Dimensions of units: powers of mass, length and time.

use std::fmt;
use std::ops::{Div, Mul};

/// Powers of mass, length and time. They may be fractions: K of K·δ^(3/2) is in N/m^(3/2).
///
/// ```
/// use carom::units::Dimension;
/// assert_eq!(Dimension::FORCE / Dimension::LENGTH, Dimension::stiffness(1.0));
/// assert_eq!(Dimension::stiffness(1.5).to_string(), "N/m^1.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    /// Power of kg.
    pub mass: f64,
    /// Power of m.
    pub length: f64,
    /// Power of s.
    pub time: f64,
}

const fn new(mass: f64, length: f64, time: f64) -> Dimension {
    Dimension { mass, length, time }
}

impl Dimension {
    /// A pure number (also an angle).
    pub const NUMBER: Self = new(0.0, 0.0, 0.0);
    /// Mass, in kg.
    pub const MASS: Self = new(1.0, 0.0, 0.0);
    /// Length, in m.
    pub const LENGTH: Self = new(0.0, 1.0, 0.0);
    /// Time, in s.
    pub const TIME: Self = new(0.0, 0.0, 1.0);
    /// Area, in m².
    pub const AREA: Self = new(0.0, 2.0, 0.0);
    /// Volume, in m³.
    pub const VOLUME: Self = new(0.0, 3.0, 0.0);
    /// Frequency or angular speed, in 1/s.
    pub const FREQUENCY: Self = new(0.0, 0.0, -1.0);
    /// Speed, in m/s.
    pub const SPEED: Self = new(0.0, 1.0, -1.0);
    /// Inverse speed, in s/m: the dimension of Hunt–Crossley's dissipation.
    pub const SLOWNESS: Self = new(0.0, -1.0, 1.0);
    /// Acceleration, in m/s².
    pub const ACCELERATION: Self = new(0.0, 1.0, -2.0);
    /// Force, in N.
    pub const FORCE: Self = new(1.0, 1.0, -2.0);
    /// Impulse, in N·s.
    pub const IMPULSE: Self = new(1.0, 1.0, -1.0);
    /// Energy in J, or moment in N·m.
    pub const ENERGY: Self = new(1.0, 2.0, -2.0);
    /// Power, in W.
    pub const POWER: Self = new(1.0, 2.0, -3.0);
    /// Pressure, in Pa.
    pub const PRESSURE: Self = new(1.0, -1.0, -2.0);
    /// Density, in kg/m³.
    pub const DENSITY: Self = new(1.0, -3.0, 0.0);
    /// Viscosity, in Pa·s.
    pub const VISCOSITY: Self = new(1.0, -1.0, -1.0);
    /// Surface energy in J/m², or linear stiffness in N/m.
    pub const SURFACE_ENERGY: Self = new(1.0, 0.0, -2.0);
    /// Moment of inertia, in kg·m².
    pub const INERTIA: Self = new(1.0, 2.0, 0.0);

    /// Returns N/mⁿ, the dimension of K in K·δⁿ.
    pub const fn stiffness(n: f64) -> Self {
        new(1.0, 1.0 - n, -2.0)
    }

    /// Returns N/(mᵐ·(m/s)^q), the dimension of c in c·δᵐ·|δ̇|^q.
    pub const fn damping(m: f64, q: f64) -> Self {
        new(1.0, 1.0 - m - q, q - 2.0)
    }

    /// Returns the unit of K in K·δⁿ, always as N over a power of m: N/m^2 for n = 2 instead of Pa.
    ///
    /// ```
    /// use carom::units::Dimension;
    /// assert_eq!(Dimension::stiffness_unit(2.0), "N/m^2");
    /// assert_eq!(Dimension::stiffness_unit(1.0), "N/m");
    /// ```
    pub fn stiffness_unit(n: f64) -> String {
        Self::stiffness(n).over_force()
    }

    /// Returns the unit of c in c·δᵐ·|δ̇|^q, always as N with powers of m and s: N s/m^2 for m = 1, q = 1 instead of
    /// Pa s.
    ///
    /// ```
    /// use carom::units::Dimension;
    /// assert_eq!(Dimension::damping_unit(0.0, 1.0), "N s/m");
    /// assert_eq!(Dimension::damping_unit(1.0, 1.0), "N s/m^2");
    /// assert_eq!(Dimension::damping_unit(2.0, 2.0), "N s^2/m^4");
    /// ```
    pub fn damping_unit(m: f64, q: f64) -> String {
        Self::damping(m, q).over_force()
    }

    /// Returns this dimension raised to a power.
    pub fn powf(self, power: f64) -> Self {
        new(self.mass * power, self.length * power, self.time * power)
    }

    /// Returns whether two dimensions are equal up to rounding errors of fractional exponents.
    pub fn same(self, other: Self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        near(self.mass, other.mass)
            && near(self.length, other.length)
            && near(self.time, other.time)
    }

    /// Returns whether the dimension is N/mⁿ for some n, excluding a force (n = 0) and an energy.
    pub(super) fn is_stiffness(self) -> bool {
        self.same(new(1.0, self.length, -2.0)) && self.length < 0.9
    }

    /// Returns the kind of quantity for messages: "a mass", "a pressure", ….
    pub(super) fn kind(self) -> &'static str {
        match self.named_dimension() {
            Some(named) => named.kind,
            None if self.is_stiffness() => "a stiffness",
            None => "a quantity",
        }
    }

    /// Returns a text of this dimension that [`super::parse`] accepts.
    pub(super) fn example(self) -> String {
        match self.named_dimension() {
            Some(named) => named.example.to_string(),
            None => format!("{} {self}", if self.is_stiffness() { "2.4e10" } else { "1.5" }),
        }
    }

    /// Returns the unit as a force times powers of length and time, for dimensions with the first power of mass.
    pub(crate) fn over_force(self) -> String {
        products([("N", 1.0), ("m", self.length - 1.0), ("s", self.time + 2.0)])
    }

    fn named_dimension(self) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.dimension.same(self))
    }
}

/// A dimension with its own name, for messages.
struct Named {
    dimension: Dimension,
    unit: &'static str,
    kind: &'static str,
    example: &'static str,
}

const fn named_dimension(
    dimension: Dimension,
    unit: &'static str,
    kind: &'static str,
    example: &'static str,
) -> Named {
    Named { dimension, unit, kind, example }
}

const NAMED: &[Named] = &[
    named_dimension(Dimension::NUMBER, "1", "a pure number", "0.3"),
    named_dimension(Dimension::MASS, "kg", "a mass", "0.54 kg"),
    named_dimension(Dimension::LENGTH, "m", "a length", "12.7 mm"),
    named_dimension(Dimension::TIME, "s", "a time", "250 us"),
    named_dimension(Dimension::AREA, "m^2", "an area", "12 mm^2"),
    named_dimension(Dimension::VOLUME, "m^3", "a volume", "8 cm^3"),
    named_dimension(Dimension::FREQUENCY, "1/s", "a frequency or angular speed", "50 Hz"),
    named_dimension(Dimension::SPEED, "m/s", "a speed", "0.5 m/s"),
    named_dimension(Dimension::SLOWNESS, "s/m", "an inverse speed", "0.2 s/m"),
    named_dimension(Dimension::ACCELERATION, "m/s^2", "an acceleration", "9.81 m/s^2"),
    named_dimension(Dimension::FORCE, "N", "a force", "1.2 kN"),
    named_dimension(Dimension::IMPULSE, "N s", "an impulse", "0.3 N s"),
    named_dimension(Dimension::ENERGY, "J", "an energy or a torque", "2.5 N m"),
    named_dimension(Dimension::POWER, "W", "a power", "40 W"),
    named_dimension(Dimension::PRESSURE, "Pa", "a pressure", "210 GPa"),
    named_dimension(Dimension::DENSITY, "kg/m^3", "a density", "7850 kg/m^3"),
    named_dimension(Dimension::VISCOSITY, "Pa s", "a viscosity", "1.2 Pa s"),
    named_dimension(Dimension::SURFACE_ENERGY, "N/m", "a stiffness or surface energy", "2.5e6 N/m"),
    named_dimension(Dimension::INERTIA, "kg m^2", "a moment of inertia", "1e-4 kg m^2"),
    named_dimension(Dimension::damping(0.0, 1.0), "N s/m", "a damping coefficient", "12 N s/m"),
];

impl Mul for Dimension {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        new(self.mass + other.mass, self.length + other.length, self.time + other.time)
    }
}

impl Div for Dimension {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        new(self.mass - other.mass, self.length - other.length, self.time - other.time)
    }
}

impl fmt::Display for Dimension {
    /// Writes the SI unit in the notation that [`super::parse`] reads: `Pa`, `N/m^1.5`, `kg m^-1 s^-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(named) = self.named_dimension() {
            return f.write_str(named.unit);
        }
        // A force with powers of length and time is easiest to read if the power of mass is 1, as in a force.
        f.write_str(&match (self.mass - 1.0).abs() < 1e-6 {
            true => self.over_force(),
            false => products([("kg", self.mass), ("m", self.length), ("s", self.time)]),
        })
    }
}

/// Returns the product of units with their powers, those with negative powers in the denominator.
fn products(parts: [(&str, f64); 3]) -> String {
    let (above, below): (Vec<_>, Vec<_>) =
        parts.iter().filter(|part| part.1.abs() >= 1e-6).partition(|part| part.1 > 0.0);
    let join = |parts: &[&(&str, f64)]| {
        let words: Vec<_> = parts.iter().map(|(unit, p)| power(unit, p.abs())).collect();
        words.join(" ")
    };
    let above = match above.is_empty() {
        true => "1".to_string(),
        false => join(&above),
    };
    match below.len() {
        0 => above,
        1 => format!("{above}/{}", join(&below)),
        _ => format!("{above}/({})", join(&below)),
    }
}

fn power(unit: &str, power: f64) -> String {
    // Rounded to six decimals, the accuracy of `same`.
    let rounded = (power * 1e6).round() / 1e6;
    match rounded == 1.0 {
        true => unit.to_string(),
        false => format!("{unit}^{rounded}"),
    }
}
