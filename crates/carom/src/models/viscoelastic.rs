//! Properties that the models of Kuwabara & Kono, Brilliantov et al. and Zheng et al. for viscoelastic spheres share.
//!
//! In a slow impact the stress in the material is the elastic stress of the strain field plus a viscous stress in
//! proportion to its rate. The dissipative force is then A·δ̇·∂F_el/∂δ, where the time A is a property of the
//! material:
//!
//! F = K·δⁿ + n·K·A·δ^(n−1)·δ̇, for spheres K·δ^(3/2) + (3/2)·K·A·δ^(1/2)·δ̇.
//!
//! The models differ in how A follows from the viscosities and the elastic constants. For the Kelvin–Voigt solid,
//! whose viscosities are τ times its moduli, η = τ·G and ξ = τ·K_b, all of them must give A = τ.
//!
//! Conventions: η is the usual shear viscosity (the stress is 2η times the deviatoric strain rate), ξ is the bulk
//! viscosity.

use crate::error::{Error, Result};
use crate::law::{Damper, Law, Power};
use crate::model::{Damping, Inputs, Parameter};
use crate::models::shared::{POSITIVE, parameter, refuse_parameter};

/// A viscoelastic solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    /// Young's modulus E (Pa).
    pub young: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// Shear viscosity η (Pa·s).
    pub shear: f64,
    /// Bulk viscosity ξ (Pa·s).
    pub bulk: f64,
}

impl Solid {
    /// Reads the solid from the parameters with these names.
    fn read(inputs: &Inputs, [shear, bulk, young, poisson]: [&'static str; 4]) -> Result<Self> {
        Ok(Self {
            shear: inputs.parameter(shear)?,
            bulk: inputs.parameter(bulk)?,
            young: inputs.positive(young)?,
            poisson: inputs.parameter(poisson)?,
        })
    }

    /// Reads the solid of body 1.
    fn first(inputs: &Inputs) -> Result<Self> {
        Self::read(inputs, ["shear_viscosity", "bulk_viscosity", "youngs_1", "poisson_1"])
    }

    /// Reads the solid of body 2, if viscosities of its own are given.
    fn second(inputs: &Inputs) -> Result<Option<Self>> {
        let names = ["shear_viscosity_2", "bulk_viscosity_2", "youngs_2", "poisson_2"];
        let given = |name: &&'static str| !matches!(inputs.optional(name), Ok(None));
        names.iter().take(2).any(given).then(|| Self::read(inputs, names)).transpose()
    }

    /// Returns σ = (1−ν²)/E, the compliance of the solid as a half-space (1/Pa).
    fn compliance(self) -> f64 {
        (1.0 - self.poisson * self.poisson) / self.young
    }
}

/// Parameters of a model for bodies of the same material.
pub(crate) const ONE_MATERIAL: &[Parameter] =
    &[DISSIPATION_TIME, SHEAR_VISCOSITY, BULK_VISCOSITY, YOUNGS_1, POISSON_1];

/// Parameters of a model that also admits bodies of different materials.
pub(crate) const TWO_MATERIALS: &[Parameter] = &[
    DISSIPATION_TIME,
    SHEAR_VISCOSITY,
    BULK_VISCOSITY,
    YOUNGS_1,
    POISSON_1,
    SHEAR_VISCOSITY_2,
    BULK_VISCOSITY_2,
    YOUNGS_2,
    POISSON_2,
];

const DISSIPATION_TIME: Parameter = parameter("dissipation_time", "s", POSITIVE)
    .help("A itself, in place of viscosities and elastic constants");

/// Shear viscosity η of body 1, and of body 2 unless that has its own.
pub(crate) const SHEAR_VISCOSITY: Parameter =
    parameter("shear_viscosity", "Pa s", POSITIVE).help("usual shear viscosity of the material");

/// Bulk viscosity ξ of body 1, and of body 2 unless that has its own.
pub(crate) const BULK_VISCOSITY: Parameter =
    parameter("bulk_viscosity", "Pa s", POSITIVE).help("bulk viscosity of the material");

/// Shear viscosity η of body 2.
pub(crate) const SHEAR_VISCOSITY_2: Parameter = parameter("shear_viscosity_2", "Pa s", POSITIVE)
    .help("shear viscosity of body 2, where it differs from body 1");

/// Bulk viscosity ξ of body 2.
pub(crate) const BULK_VISCOSITY_2: Parameter = parameter("bulk_viscosity_2", "Pa s", POSITIVE)
    .help("bulk viscosity of body 2, where it differs from body 1");

const YOUNGS_1: Parameter = parameter("youngs_1", "Pa", POSITIVE).help("Young's modulus of body 1");

const YOUNGS_2: Parameter =
    Parameter { name: "youngs_2", help: "Young's modulus of body 2", ..YOUNGS_1 };

const POISSON_1: Parameter =
    parameter("poisson_1", "", (-0.99, 0.5)).help("Poisson's ratio of body 1");

const POISSON_2: Parameter =
    Parameter { name: "poisson_2", help: "Poisson's ratio of body 2", ..POISSON_1 };

/// Builds the law F = K·δⁿ + n·K·A·δ^(n−1)·δ̇ with A from the model's formula `time`, or with the specified
/// coefficient or restitution.
pub(crate) fn law(inputs: &Inputs, time: fn(Solid) -> f64) -> Result<Law> {
    let (k, n) = (inputs.pair.stiffness, inputs.pair.exponent);
    if inputs.damping != Damping::None {
        for name in ["dissipation_time", "shear_viscosity", "bulk_viscosity"] {
            refuse_parameter(inputs, name)?;
        }
        return inputs.power(n, n - 1.0, 1.0, None);
    }
    let a = match inputs.optional("dissipation_time")? {
        Some(a) => a,
        None => mean_time(inputs, time)?,
    };
    Ok(inputs.law(Power::new(k, n, n - 1.0, 1.0, Damper::Coefficient(n * k * a))))
}

/// Computes A of the pair. The bodies share the indentation in proportion to their compliances σ, and each dissipates
/// in proportion to its share; to first order A = (σ₁A₁ + σ₂A₂)/(σ₁ + σ₂).
fn mean_time(inputs: &Inputs, time: fn(Solid) -> f64) -> Result<f64> {
    let first = Solid::first(inputs)?;
    let a_1 = own_time(inputs, first, time)?;
    match Solid::second(inputs)? {
        None => Ok(a_1),
        Some(second) => {
            let a_2 = own_time(inputs, second, time)?;
            let (s_1, s_2) = (first.compliance(), second.compliance());
            Ok((s_1 * a_1 + s_2 * a_2) / (s_1 + s_2))
        }
    }
}

/// Computes A of one solid; returns an error if the model's formula is singular at its ν.
fn own_time(inputs: &Inputs, solid: Solid, time: fn(Solid) -> f64) -> Result<f64> {
    if solid.shear == 0.0 && solid.bulk == 0.0 {
        return Ok(0.0);
    }
    let a = time(solid);
    if a.is_finite() {
        return Ok(a);
    }
    let advice = format!("`{}` is singular there; use `brilliantov-2015`", inputs.model.id);
    Err(Error::invalid("poisson_1", solid.poisson, "away from 0", advice))
}

#[cfg(test)]
mod tests {
    use crate::law::{Form, Law};
    use crate::models::model;
    use crate::{Damping, Pair};

    const TAU: f64 = 2e-6;
    const YOUNG: f64 = 3e9;
    const RADIUS: f64 = 0.01;

    /// Returns two equal spheres of a Kelvin–Voigt solid with the retardation time `TAU`, and the viscosities of this
    /// solid.
    fn spheres(poisson: f64) -> (Pair, Vec<(String, f64)>) {
        let modulus = YOUNG / (2.0 * (1.0 - poisson * poisson));
        let mut pair = Pair::new(0.1, 4.0 / 3.0 * modulus * RADIUS.sqrt(), 1.5).unwrap();
        pair.facts = vec![
            ("radius", RADIUS),
            ("youngs_1", YOUNG),
            ("poisson_1", poisson),
            ("youngs_2", YOUNG),
            ("poisson_2", poisson),
        ];
        let shear = TAU * YOUNG / (2.0 * (1.0 + poisson));
        let bulk = TAU * YOUNG / (3.0 * (1.0 - 2.0 * poisson));
        (pair, vec![("shear_viscosity".into(), shear), ("bulk_viscosity".into(), bulk)])
    }

    fn coefficient(law: Law) -> f64 {
        let Form::Power(power) = law.form else { panic!("a power law") };
        power.coefficient(law.mass, 1.0)
    }

    #[test]
    fn a_kelvin_voigt_solid_has_its_own_time_in_every_model() {
        let names = ["kuwabara-kono-1987", "brilliantov-1996", "zheng-2012", "brilliantov-2015"];
        for poisson in [0.1, 0.3, 0.45] {
            let (pair, set) = spheres(poisson);
            for name in names {
                let law = model(name).unwrap().law(&pair, Damping::None, None, &set).unwrap();
                let expected = 1.5 * pair.stiffness * TAU;
                let ratio = coefficient(law) / expected;
                assert!((ratio - 1.0).abs() < 1e-12, "{name} at nu = {poisson}: {ratio}");
            }
        }
    }

    #[test]
    fn an_elastic_partner_of_the_same_stiffness_halves_the_time() {
        let (pair, mut set) = spheres(0.3);
        let model = model("brilliantov-2015").unwrap();
        let like = coefficient(model.law(&pair, Damping::None, None, &set).unwrap());
        set.extend([("shear_viscosity_2".into(), 0.0), ("bulk_viscosity_2".into(), 0.0)]);
        let unlike = coefficient(model.law(&pair, Damping::None, None, &set).unwrap());
        assert!((unlike / like - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_time_itself_may_be_given_and_a_singular_ratio_is_refused() {
        let pair = Pair::new(0.1, 1e8, 1.5).unwrap();
        let set = [("dissipation_time".to_string(), TAU)];
        for name in ["brilliantov-1996", "zheng-2012", "brilliantov-2015"] {
            let law = model(name).unwrap().law(&pair, Damping::None, None, &set).unwrap();
            assert!((coefficient(law) / (1.5 * 1e8 * TAU) - 1.0).abs() < 1e-12, "{name}");
        }
        let (pair, set) = spheres(0.0);
        let error = model("brilliantov-1996").unwrap().law(&pair, Damping::None, None, &set);
        assert!(error.is_err_and(|e| e.is_invalid()));
    }
}
