//! Choi, Ryu, Kim et al.: free exponents, and a lower limit of the force in restitution.
//!
//! # Equation
//! F = K·δⁿ + c·δᵐ·|δ̇|^q·sgn δ̇, but F ≥ R·K·δⁿ while separating, 0 ≤ R ≤ 1.
//!
//! # Derivation
//! A law for meshes, in which regions of contact appear and disappear. The exponents of the spring,
//! of the indentation and of the rate can be chosen by the user. In restitution, a lower limit of
//! the force, a fixed fraction of the elastic force, prevents tension.
//!
//! # Validity
//! General multibody simulation; all parameters are numerical. This is the contact force of
//! RecurDyn.
//!
//! # Remarks
//! The law does not take a restitution by a published formula; if an exact one is specified, c is
//! found at onset. R = 0 only removes tension; with R = 1 the damper acts in compression only, as
//! in Jankowski's law. Since the force cannot be tensile, contact ends at zero indentation. The
//! review writes the damper with |δ̇|^q/|δ̇|, which is 0/0 at rest; here it is |δ̇|^q·sgn δ̇. The
//! lower limit in the review applies for δ̇ < 0 only. Unless they are set, m is the exponent of the
//! pair, q is 1 and R is 0; c is in N/(mᵐ·(m/s)^q).
//!
//! # Reference
//! J. Choi, H. S. Ryu, C. W. Kim, J. H. Choi, An efficient and robust contact algorithm for a
//! compliant contact force model between bodies of complex geometry, Multibody Syst. Dyn. 23 (2010)
//! 99–120.

use crate::exact::Exponents;
use crate::law::{Exit, Floored};
use crate::model::{Input, Model};
use crate::models::shared::{calibration, parameter};

pub const MODEL: Model = Model {
    id: "choi-2010",
    title: "Choi, Ryu, Kim & Choi 2010",
    aliases: &["choi", "recurdyn"],
    year: 2010,
    input: Input::Coefficient,
    exit: Exit::ZeroIndentation,
    parameters: &[
        parameter("floor", "", (0.0, 1.0))
            .help("R, the least force while separating as a share of the elastic force")
            .with_default(0.0),
        parameter("damping_exponent", "", (0.0, 5.0))
            .help("m, exponent of the indentation in the damper; n of the pair unless set"),
        parameter("rate_exponent", "", (1e-3, 3.0))
            .help("q, exponent of the rate in the damper")
            .with_default(1.0),
    ],
    doi: Some("10.1007/s11044-009-9173-3"),
    build: |inputs| {
        let n = inputs.pair.exponent;
        let m = inputs.optional("damping_exponent")?.unwrap_or(n);
        let Exponents { n, m, q } = Exponents::new(n, m, inputs.parameter("rate_exponent")?)?;
        let floor = inputs.parameter("floor")?;
        let form = Floored::new(inputs.pair.stiffness, (n, m, q), floor, calibration(inputs)?);
        Ok(inputs.law(form))
    },
    ..Model::BLANK
};
