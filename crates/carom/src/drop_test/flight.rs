//! Vertical free flight of a ball in still air.
//!
//! With drag proportional to the square of the speed, (m + mₐ/2)·z̈ = −(m − mₐ)·g ∓ ½·ρ·C·A·ż², where mₐ is the mass
//! of the displaced air: its weight is the buoyancy, and half of it is the added mass (H. Lamb, Hydrodynamics, 6th
//! ed., § 92). With g′ = g·(m − mₐ)/(m + mₐ/2) and the terminal speed V, V² = 2·(m − mₐ)·g/(ρ·C·A),
//!
//! - a fall from rest through h ends with v = V·√(1 − exp(−2·g′·h/V²)),
//! - a rise to h begins with u = V·√(exp(2·g′·h/V²) − 1),
//! - a rise that begins with u and the subsequent fall together take (V/g′)·(arctan x + arsinh x), x = u/V, and end
//!   with u/√(1 + x²).
//!
//! Without drag these are √(2gh), √(2gh) and 2u/g. To first order in x² a flight of duration t begins with
//! (g·t/2)·(1 + x²/4) and ends with (g·t/2)·(1 − x²/4).

/// Drag coefficient of a sphere for Reynolds numbers from 10³ to 2·10⁵ (H. Schlichting, Boundary-Layer Theory, fig.
/// 1.5).
pub const DRAG_COEFFICIENT: f64 = 0.47;
/// Relative standard uncertainty of the drag coefficient: from roughness, spin, and the uncertainty of the published
/// curve.
pub const DRAG_UNCERTAINTY: f64 = 0.15;

/// Returns the density of dry air (kg/m³) at 1013 hPa and a temperature in °C.
pub fn air_density(celsius: f64) -> f64 {
    101_325.0 / (287.05 * (celsius + 273.15))
}

/// Returns the speed of sound in dry air (m/s) at a temperature in °C.
pub fn sound_speed(celsius: f64) -> f64 {
    (1.4 * 287.05 * (celsius + 273.15)).sqrt()
}

/// Effective gravity and drag of a ball in flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Effective gravity g′ (m/s²).
    gravity: f64,
    /// Terminal speed V (m/s); infinite without drag.
    terminal: f64,
}

impl Air {
    /// Returns flight without air: neither drag nor buoyancy.
    pub fn none(gravity: f64) -> Self {
        Self { gravity, terminal: f64::INFINITY }
    }

    /// Returns air of this density (kg/m³) around a sphere of this mass (kg) and diameter (m) with this drag
    /// coefficient.
    pub fn around(gravity: f64, mass: f64, diameter: f64, density: f64, coefficient: f64) -> Self {
        let area = std::f64::consts::PI / 4.0 * diameter * diameter;
        let displaced = density * area * diameter * 2.0 / 3.0;
        let heavy = (mass - displaced).max(f64::MIN_POSITIVE);
        Self {
            gravity: gravity * heavy / (mass + 0.5 * displaced),
            terminal: (2.0 * heavy * gravity / (density * coefficient * area)).sqrt(),
        }
    }

    /// Returns the terminal speed (m/s).
    pub fn terminal(&self) -> f64 {
        self.terminal
    }

    /// Returns the speed (m/s) after a fall from rest through a height (m).
    pub fn fall(&self, height: f64) -> f64 {
        let energy = 2.0 * self.gravity * height.max(0.0);
        match self.terminal.is_finite() {
            true => self.terminal * (-(-energy / self.terminal.powi(2)).exp_m1()).sqrt(),
            false => energy.sqrt(),
        }
    }

    /// Returns the speed (m/s) at the beginning of a rise to a height (m).
    pub fn rise(&self, height: f64) -> f64 {
        let energy = 2.0 * self.gravity * height.max(0.0);
        match self.terminal.is_finite() {
            true => self.terminal * (energy / self.terminal.powi(2)).exp_m1().sqrt(),
            false => energy.sqrt(),
        }
    }

    /// Returns the speeds (m/s) at the beginning and at the end of a flight of this duration (s) that ends at the
    /// height at which it began.
    pub fn flight(&self, duration: f64) -> (f64, f64) {
        let plain = 0.5 * self.gravity * duration.max(0.0);
        if !self.terminal.is_finite() {
            return (plain, plain);
        }
        // Newton's method for arctan x + arsinh x = 2·plain/V; the left side is concave, so the iteration converges
        // from below.
        let wanted = 2.0 * plain / self.terminal;
        let mut x = 0.5 * wanted;
        for _ in 0..60 {
            let slope = 1.0 / (1.0 + x * x) + 1.0 / (1.0 + x * x).sqrt();
            let step = (wanted - x.atan() - x.asinh()) / slope;
            x += step;
            if step.abs() <= 1e-15 * x {
                break;
            }
        }
        (self.terminal * x, self.terminal * x / (1.0 + x * x).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares rise, time and speed of return of a table-tennis ball with small steps of a Runge–Kutta method.
    #[test]
    fn a_flight_agrees_with_its_equation_of_motion() {
        let (g, mass, diameter, density, coefficient) = (9.81, 2.7e-3, 0.04, 1.2, 0.5);
        let air = Air::around(g, mass, diameter, density, coefficient);
        let area = std::f64::consts::PI * diameter * diameter / 4.0;
        let displaced = density * std::f64::consts::PI * diameter.powi(3) / 6.0;
        let acceleration = |v: f64| {
            let drag = 0.5 * density * coefficient * area * v * v.abs();
            (-(mass - displaced) * g - drag) / (mass + 0.5 * displaced)
        };
        let (start, h) = (5.0, 1e-5);
        let (mut v, mut z, mut t, mut top) = (start, 0.0_f64, 0.0, 0.0_f64);
        while z >= 0.0 {
            let a = acceleration(v);
            let b = acceleration(v + 0.5 * h * a);
            z += h * (v + 0.5 * h * a);
            v += h * b;
            t += h;
            top = top.max(z);
        }
        assert!((air.rise(top) / start - 1.0).abs() < 1e-4, "{}", air.rise(top));
        assert!((air.fall(top) / -v - 1.0).abs() < 1e-3);
        let (up, down) = air.flight(t);
        assert!((up / start - 1.0).abs() < 1e-3 && (down / -v - 1.0).abs() < 1e-3, "{up} {down}");
    }

    #[test]
    fn little_air_is_no_air() {
        let (thin, none) = (Air::around(9.81, 1.0, 0.01, 1e-9, 0.5), Air::none(9.81));
        assert!((thin.fall(1.0) / none.fall(1.0) - 1.0).abs() < 1e-9);
        assert!((thin.flight(0.5).1 / none.flight(0.5).1 - 1.0).abs() < 1e-9);
        assert_eq!(none.flight(1.0), (4.905, 4.905));
        assert!(
            (sound_speed(20.0) - 343.2).abs() < 0.3 && (air_density(20.0) - 1.204).abs() < 2e-3
        );
    }
}
