//! Effect of the uncertainty of a measured number on the results.
//!
//! With p = ∂ln a/∂ln ε of the dimensionless measures and k, α, β the exponents of L, mₑ and v₀ in their scales, two
//! measured numbers M₁ and M₂ satisfy
//!
//! d ln Mᵢ = pᵢ·d ln ε + kᵢ·d ln L + αᵢ·d ln mₑ + βᵢ·d ln v₀,
//!
//! which are two equations for d ln ε and d ln L. All results follow from these, such as K = mₑv₀²/Lⁿ⁺¹. The slopes p
//! are computed as differences of the exact impact in ε, so that no root has to be found again and the elastic limit,
//! where ln ε does not exist, is an ordinary point.

use super::curves::{logarithms, slopes};
use super::measured::{Measure, Measured, Method, Setup};
use super::published;
use crate::error::Result;
use crate::exact::Exponents;
use serde::{Serialize, Serializer};

/// Value of ε below which the derivatives are taken at this ε and scaled in proportion.
const MIN_EPSILON: f64 = 1e-6;

/// One number for each result: a sensitivity in % per %, or an absolute uncertainty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Effect {
    /// Effect on the stiffness K.
    pub stiffness: f64,
    /// Effect on the damping coefficient c.
    pub coefficient: f64,
    /// Effect on ε.
    pub epsilon: f64,
    /// Effect on the frequency ω.
    pub natural_frequency: f64,
    /// Effect on the restitution.
    pub restitution: f64,
    /// Effect on the duration.
    pub duration: f64,
    /// Effect on the largest force.
    pub force_max: f64,
    /// Effect on the largest indentation.
    pub indentation_max: f64,
}

impl Effect {
    /// Returns the values in the order of the fields.
    pub fn values(&self) -> [f64; 8] {
        [
            self.stiffness,
            self.coefficient,
            self.epsilon,
            self.natural_frequency,
            self.restitution,
            self.duration,
            self.force_max,
            self.indentation_max,
        ]
    }

    fn from_values(v: [f64; 8]) -> Self {
        let [stiffness, coefficient, epsilon, natural_frequency, restitution, duration, f, x] = v;
        Self {
            stiffness,
            coefficient,
            epsilon,
            natural_frequency,
            restitution,
            duration,
            force_max: f,
            indentation_max: x,
        }
    }
}

/// Sensitivities ∂ln(result)/∂ln(given number): the change of each result, in %, for a change of each given number by
/// 1 %.
///
/// Values that do not exist (that of ε at e = 1) are not finite, and `null` in JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity(pub Vec<(&'static str, Effect)>);

impl Sensitivity {
    /// Returns the effects of one given number: a measure, `mass` or `speed`.
    pub fn of(&self, given: &str) -> Option<&Effect> {
        self.0.iter().find(|(name, _)| *name == given).map(|(_, effect)| effect)
    }

    /// Returns the largest effect of a measured number on K or the restitution. The effect on ε is ignored, because
    /// near e = 1 it is large but has little influence.
    pub(super) fn worst(&self) -> f64 {
        let measured = self.0.iter().filter(|(name, _)| !["mass", "speed"].contains(name));
        measured.fold(0.0, |worst: f64, (_, effect)| {
            worst.max(effect.stiffness.abs()).max(effect.restitution.abs())
        })
    }
}

impl Serialize for Sensitivity {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, effect)| (name, effect)))
    }
}

/// Data of a solution whose sensitivities are to be computed.
pub(super) struct Inputs<'a> {
    pub setup: &'a Setup,
    pub measured: [Measured; 2],
    pub method: Method,
    pub epsilon: f64,
    pub values: Effect,
}

impl Inputs<'_> {
    /// Computes the sensitivities and, if any uncertainty is given, the absolute uncertainties; `unit` is c/ε.
    pub fn propagate(&self, unit: f64) -> Result<(Sensitivity, Option<Effect>)> {
        let Setup { exponents, exit, .. } = *self.setup;
        let near_epsilon = self.epsilon.max(MIN_EPSILON);
        let exact = slopes(near_epsilon, |epsilon| logarithms(exponents, exit, epsilon))?;
        let given = match self.method {
            Method::Exact => exact,
            Method::Published => {
                let e = self.measured.iter().find(|m| m.what == Measure::Restitution);
                published::slopes(exponents.n, e.map_or(f64::NAN, |e| e.value), near_epsilon)?
            }
        };
        let [first, second] = self.measured;
        let columns = [
            (first.what.name(), [1.0, 0.0], [0.0, 0.0], first.error / first.value),
            (second.what.name(), [0.0, 1.0], [0.0, 0.0], second.error / second.value),
            ("mass", [0.0, 0.0], [1.0, 0.0], self.setup.mass_error / self.setup.mass),
            ("speed", [0.0, 0.0], [0.0, 1.0], self.setup.speed_error / self.setup.speed),
        ];
        // These factors convert relative effects into absolute ones: they are the results, and for ε and c their
        // values where the slopes were taken.
        let mut scale = self.values.values();
        (scale[1], scale[2]) = (near_epsilon * unit, near_epsilon);
        let mut rows = Vec::new();
        let mut squares = [0.0; 8];
        for (name, measured, known, error) in columns {
            let effect = self.logarithmic_effect(&given, &exact, measured, known);
            for i in 0..8 {
                let part = effect[i] * scale[i] * error;
                // An effect that is not finite is only used if the number is uncertain.
                if error > 0.0 {
                    squares[i] += part * part;
                }
            }
            rows.push((name, Effect::from_values(self.at_actual_epsilon(effect, near_epsilon))));
        }
        let uncertain = columns.iter().any(|(.., error)| *error > 0.0);
        let uncertainty = uncertain.then(|| Effect::from_values(squares.map(f64::sqrt)));
        Ok((Sensitivity(rows), uncertainty))
    }

    /// Computes the logarithmic changes of all results for those of the measured numbers, mass and speed.
    fn logarithmic_effect(
        &self,
        given: &[f64; 4],
        exact: &[f64; 4],
        measured: [f64; 2],
        known: [f64; 2],
    ) -> [f64; 8] {
        let Exponents { n, m, q } = self.setup.exponents;
        let [mass, speed] = known;
        let [first, second] = self.measured.map(|m| m.what);
        let ([k1, a1, b1], [k2, a2, b2]) = (first.scale(), second.scale());
        let (p1, p2) = (given[first as usize], given[second as usize]);
        let r1 = measured[0] - a1 * mass - b1 * speed;
        let r2 = measured[1] - a2 * mass - b2 * speed;
        let determinant = p1 * k2 - p2 * k1;
        let epsilon = (r1 * k2 - r2 * k1) / determinant;
        let length = (p1 * r2 - p2 * r1) / determinant;
        let effect_of = |what: Measure| {
            let [k, a, b] = what.scale();
            exact[what as usize] * epsilon + k * length + a * mass + b * speed
        };
        let [restitution, duration, force, indentation] = Measure::ALL.map(effect_of);
        [
            mass + 2.0 * speed - (n + 1.0) * length,
            epsilon + mass + (2.0 - q) * speed - (m + 1.0) * length,
            epsilon,
            speed - length,
            restitution,
            duration,
            force,
            indentation,
        ]
        // Rounding errors and −0 are set to 0.
        .map(|value| if value.abs() < 1e-12 { 0.0 } else { value })
    }

    /// Converts the effects on ε and c, which are relative to `near`, where the slopes were taken, to the actual ε.
    fn at_actual_epsilon(&self, mut effect: [f64; 8], near: f64) -> [f64; 8] {
        if self.epsilon < near {
            let rest = effect[1] - effect[2];
            effect[2] *= near / self.epsilon;
            effect[1] = effect[2] + rest;
        }
        effect
    }
}
