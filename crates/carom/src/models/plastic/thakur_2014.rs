//! Thakur, Morrissey, Sun, Chen & Ooi: the Edinburgh elasto-plastic adhesion law (EEPA).
//!
//! # Equation
//! Loading F = k₁·δⁿ − f₀; unloading and reloading F = k₂·(δⁿ − δ_pⁿ) − f₀, δ_pⁿ = (1 −
//! k₁/k₂)·δ_maxⁿ, but not below −k_adh·δⁿ − f₀, along which the contact opens.
//!
//! # Derivation
//! Luding's law with an exponent: a compacted contact is stiffer on the way out and holds on where
//! it was flattened. With r = k₂/k₁, κ = k_adh/k₁ and c = ((r−1)/(r+κ))^(1/n) the energies of the
//! branches give e² = r − (r−1)·(n + 1 − n·c) for contact that ends at δ = 0, and the same with κ =
//! 0 for contact that ends at zero force; r is its root.
//!
//! # Validity
//! Cohesive powders and soils; fitted to bulk tests rather than derived from a material. K and n of
//! the pair are k₁ and n: 3/2 for spheres, 1 as in the source's own calculations.
//!
//! # Remarks
//! `contact_plasticity` is λ = 1 − k₁/k₂; exact calibration finds it for a restitution, the same at
//! every speed. The source puts the restitution into a linear dashpot that it adds, as do the
//! programs that have the law; carom has the hysteretic spring. LIGGGHTS can make k_adh follow from
//! a surface energy and the flattened area; here k_adh is a number, its `fixKc`. For n ≠ 1 LIGGGHTS
//! lowers the remembered peak along the adhesive branch as if n were 1, which lets the force jump
//! when the contact closes again; here the branch is left along the unloading curve through the
//! point. Read in LIGGGHTS-PUBLIC (normal_model_edinburgh.h) and in the manual of LAMMPS (granular
//! normal models, epa_nonlinear).
//!
//! # Reference
//! S. C. Thakur, J. P. Morrissey, J. Sun, J. F. Chen, J. Y. Ooi, Micromechanical analysis of
//! cohesive granular materials using the discrete element method with an adhesive elasto-plastic
//! contact model, Granul. Matter 16 (2014) 383–400.

use crate::error::Error;
use crate::law::{Cohesive, Exit, Exponent};
use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, exactly, instead, parameter};

pub const MODEL: Model = Model {
    id: "thakur-2014",
    title: "Thakur, Morrissey, Sun, Chen & Ooi 2014",
    aliases: &["eepa", "edinburgh-elasto-plastic-adhesion"],
    year: 2014,
    input: Input::Material,
    exit: Exit::ZeroIndentation,
    parameters: &[
        parameter("adhesion_stiffness", "N/m^lambda", POSITIVE)
            .help("k_adh of the limit -k_adh*delta^n")
            .or(0.0),
        parameter("constant_pull", "N", POSITIVE)
            .help("f0, a pull as long as the bodies touch")
            .or(0.0),
        parameter("contact_plasticity", "", (0.0, 0.999_999))
            .help("lambda = 1 - k1/k2 of the stiffer unloading, instead of a restitution"),
    ],
    doi: Some("10.1007/s10035-014-0506-4"),
    build: |inputs| {
        let (loading, n) = (inputs.pair.stiffness, inputs.pair.exponent);
        let cohesion = inputs.parameter("adhesion_stiffness")?;
        let pull = inputs.parameter("constant_pull")?;
        if pull > 0.0 && inputs.exit == Exit::ZeroForce {
            return Err(Error::unsupported(
                format!("constant_pull with exit `force` in `{}`", inputs.model.id),
                "the pull still holds there; use exit `indentation`",
            ));
        }
        if let Some(e) = exactly(inputs)? {
            instead(inputs, "contact_plasticity")?;
            if pull > 0.0 {
                return Err(Error::unsupported(
                    format!("a restitution together with constant_pull in `{}`", inputs.model.id),
                    "the pull makes it depend on the speed; set contact_plasticity, or leave out constant_pull",
                ));
            }
            return Ok(inputs.law(Cohesive::delivering(loading, cohesion, n, inputs.exit, e)));
        }
        let plasticity = inputs.optional("contact_plasticity")?.unwrap_or(0.0);
        let unloading = loading / (1.0 - plasticity);
        let exponent = Exponent::new(n);
        let form: Cohesive = Cohesive { loading, unloading, cohesion, exponent, pull };
        Ok(inputs.law(form))
    },
    ..Model::BLANK
};
