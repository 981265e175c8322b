//! Zhang, Huang, Zhao et al.: a damping factor for any exponent of the indentation.
//!
//! # Equation
//! F = K·δⁿ + c·δᵐ·δ̇ with ε = c·L^(m+1)/(mₑ·v₀) = (3/4)(m+1)(1−e)·[(n+1)·e/2]^(−(m+1)/(n+1)); m is
//! the parameter `damping_exponent` (n unless it is set).
//!
//! # Derivation
//! An energy balance with the assumed rate |δ̇| = v·√(1−(δ/δ_max)^(m+1)). The losses of the two
//! phases have the ratio 1 : e, so mₑ·v₀²·e/2 = K·δ_max^(n+1)/(n+1) is stored at δ_max. Their sum,
//! c·v₀·(1+e)·δ_max^(m+1)·2/[3(m+1)], equals mₑ·v₀²·(1−e²)/2.
//!
//! # Validity
//! Single impacts, damping linear in the rate, arbitrary m. Accurate for m = n.
//!
//! # Remarks
//! This is the special case q = 1 of Zhang et al. 2022, as stated there, and is computed as such;
//! for m = n it is the formula of Hu & Guo. For m ≠ n the damping is wrong by the factor B(μ,
//! 3/2)·3μ/2, μ = (m+1)/(n+1), as e → 1: for n = 3/2 it is 18 % too large for m = ¼ and 14 % for
//! m = ½. The form is taken from the later paper, not from this one. For m < n the force becomes
//! tensile before δ = 0.
//!
//! # Reference
//! J. Zhang, C. Huang, L. Zhao et al., Continuous contact force model with an arbitrary damping
//! term exponent: model and discussion, Mech. Syst. Signal Process. 159 (2021) 107808.

use crate::model::Model;
use crate::models::general::zhang_2022;
use crate::models::shared;

pub const MODEL: Model = Model {
    id: "zhang-huang-2021",
    title: "Zhang, Huang, Zhao et al. 2021",
    aliases: &["zhang-arbitrary-m"],
    year: 2021,
    parameters: &[shared::DAMPING_EXPONENT],
    doi: Some("10.1016/j.ymssp.2021.107808"),
    // The law of that model with q = 1, because this model does not declare q.
    ..zhang_2022::MODEL
};
