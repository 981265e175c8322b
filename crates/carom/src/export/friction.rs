//! Friction in addition to the normal law: a coefficient of sliding and one of rolling friction, converted to the
//! parameters of each engine.
//!
//! A central impact without spin and without tangential velocity does not slide, so friction does not change the
//! results of an export; it is written so that the parameters can be used in simulations in which bodies slide and
//! roll.
//!
//! - *Sliding*: Coulomb's coefficient μ. Engines with a tangential spring are given Mindlin's stiffness,
//!   kₜ/kₙ = 2(1−ν)/(2−ν) for two bodies of the same material (R. D. Mindlin, J. Appl. Mech. 16 (1949) 259–268); the
//!   same ratio is used for linear springs.
//! - *Rolling*: the rolling resistance couple divided by the normal force and the effective radius, a dimensionless
//!   number. For engines that take a length it is multiplied by that radius.

use super::engine::{Engine, FrictionKinds};
use crate::error::{Error, Result, check_range};
use crate::message::Action;
use crate::pair::Pair;
use crate::pair::stiffness::mindlin_ratio;

/// Poisson's ratio that is assumed if that of the bodies is not known.
const DEFAULT_POISSON: f64 = 0.3;

/// Coefficients of sliding and rolling friction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// Coulomb's coefficient of friction.
    pub sliding: f64,
    /// Rolling resistance couple divided by normal force and effective radius.
    pub rolling: f64,
}

impl Friction {
    /// Returns the requested friction, if the engine has it.
    pub(super) fn new(sliding: Option<f64>, rolling: Option<f64>, engine: &Engine) -> Result<Self> {
        let advice = "a coefficient of friction is a number, 0.5 for example";
        let read =
            |name, value: Option<f64>| check_range(name, value.unwrap_or(0.0), 0.0, 100.0, advice);
        let friction = Self {
            sliding: read("friction", sliding)?,
            rolling: read("rolling_friction", rolling)?,
        };
        let missing = match engine.friction {
            FrictionKinds::Nothing if friction.sliding > 0.0 => Some("friction"),
            FrictionKinds::Nothing | FrictionKinds::Sliding if friction.rolling > 0.0 => {
                Some("rolling_friction")
            }
            _ => None,
        };
        match missing {
            None => Ok(friction),
            Some(name) => Err(Error::unsupported(
                format!("{} in an export to {}", name.replace('_', " "), engine.title),
                message![
                    "leave out ",
                    Action::leave_out(name),
                    "; what carom writes for this engine has none"
                ],
            )),
        }
    }

    /// Returns whether there is any friction.
    pub(super) fn acts(&self) -> bool {
        self.sliding > 0.0 || self.rolling > 0.0
    }
}

/// Returns Poisson's ratio of two equal bodies that have the effective moduli E* and G* of a pair; if both bodies are
/// of one material, it is that of the material.
pub(super) fn poisson(pair: &Pair) -> f64 {
    let poisson_of = |i: usize| {
        let name = |what: &str| format!("{what}_{i}");
        Some((pair.fact(&name("youngs"))?, pair.fact(&name("poisson"))?))
    };
    let (Some(one), Some(two)) = (poisson_of(1), poisson_of(2)) else { return DEFAULT_POISSON };
    match mindlin_ratio([one, two]) {
        // For equal bodies the ratio is 2(1 − ν)/(2 − ν).
        Some(ratio) if one.1 != two.1 => (1.0 - ratio) / (1.0 - 0.5 * ratio),
        _ => one.1,
    }
}

/// Returns Mindlin's kₜ/kₙ for two bodies with this Poisson's ratio.
pub(super) fn tangential_ratio(poisson: f64) -> f64 {
    2.0 * (1.0 - poisson) / (2.0 - poisson)
}

#[cfg(test)]
mod tests {
    use super::poisson;
    use crate::pair::Pair;

    fn pair(facts: Vec<(&'static str, f64)>) -> Pair {
        Pair { facts, ..Pair::new(1.0, 1e6, 1.5).unwrap() }
    }

    #[test]
    fn equal_bodies_stand_for_two_materials_with_the_same_moduli() {
        let (youngs, nus): ([f64; 2], [f64; 2]) = ([210e9, 3e9], [0.28, 0.42]);
        let found = poisson(&pair(vec![
            ("youngs_1", youngs[0]),
            ("youngs_2", youngs[1]),
            ("poisson_1", nus[0]),
            ("poisson_2", nus[1]),
        ]));
        let sum = |of: &dyn Fn(usize) -> f64| 1.0 / (of(0) + of(1));
        let modulus = sum(&|i| (1.0 - nus[i] * nus[i]) / youngs[i]);
        let shear = sum(&|i| 2.0 * (2.0 - nus[i]) * (1.0 + nus[i]) / youngs[i]);
        // Two bodies, each with this E and ν.
        let each = 2.0 * modulus * (1.0 - found * found);
        let again = each / (4.0 * (2.0 - found) * (1.0 + found));
        assert!((again / shear - 1.0).abs() < 1e-12 && (0.28..0.42).contains(&found), "{found}");
    }

    #[test]
    fn one_material_keeps_its_own_ratio() {
        let same =
            [("youngs_1", 7e10), ("youngs_2", 7e10), ("poisson_1", 0.22), ("poisson_2", 0.22)];
        assert_eq!(poisson(&pair(same.to_vec())), 0.22);
        assert_eq!(poisson(&pair(Vec::new())), 0.3);
    }
}
