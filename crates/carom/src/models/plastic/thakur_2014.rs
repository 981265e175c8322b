//! Thakur, Morrissey, Sun, Chen & Ooi: the Edinburgh elasto-plastic adhesion law (EEPA).
//!
//! # Equation
//! Loading F = k₁·δⁿ − f₀; unloading and reloading F = k₂·(δⁿ − δ_pⁿ) − f₀, δ_pⁿ = (1 −
//! k₁/k₂)·δ_maxⁿ, but not below −k_adh·δⁿ − f₀, along which the contact opens.
//!
//! # Derivation
//! This is Luding's law with an exponent: a compacted contact is stiffer during unloading, and
//! adheres where it was flattened. With r = k₂/k₁, κ = k_adh/k₁ and c = ((r−1)/(r+κ))^(1/n) the
//! energies of the branches give e² = r − (r−1)·(n + 1 − n·c) if contact ends at δ = 0. The same
//! equation with κ = 0 holds if contact ends at zero force. r is its root.
//!
//! # Validity
//! Cohesive powders and soils; fitted to bulk tests rather than derived from material properties. K
//! and n of the pair are k₁ and n: n = 3/2 for spheres, n = 1 in the source's own calculations.
//!
//! # Remarks
//! `contact_plasticity` is λ = 1 − k₁/k₂. For a specified restitution, exact calibration determines
//! it; it is the same at every speed. In the source, and in the programs that implement the law,
//! the restitution belongs to a linear dashpot in parallel; carom has only the hysteretic spring.
//! LIGGGHTS can compute k_adh from a surface energy and the flattened area; here k_adh is a number,
//! as is `fixKc` there. For n ≠ 1 LIGGGHTS lowers the stored largest indentation along the adhesive
//! branch as if n were 1, so that the force jumps when the contact closes again; here the branch is
//! left along the unloading curve through the current point. The equations were taken from
//! LIGGGHTS-PUBLIC (normal_model_edinburgh.h) and from the manual of LAMMPS (granular normal
//! models, epa_nonlinear).
//!
//! # Reference
//! S. C. Thakur, J. P. Morrissey, J. Sun, J. F. Chen, J. Y. Ooi, Micromechanical analysis of
//! cohesive granular materials using the discrete element method with an adhesive elasto-plastic
//! contact model, Granul. Matter 16 (2014) 383–400.

use crate::error::Error;
use crate::law::{Cohesive, Exit, Exponent};
use crate::model::{Input, Model};
use crate::models::shared::{POSITIVE, exact_restitution, parameter, refuse_parameter};

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
            .with_default(0.0),
        parameter("constant_pull", "N", POSITIVE)
            .help("f0, a pull as long as the bodies touch")
            .with_default(0.0),
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
        if let Some(e) = exact_restitution(inputs)? {
            refuse_parameter(inputs, "contact_plasticity")?;
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
