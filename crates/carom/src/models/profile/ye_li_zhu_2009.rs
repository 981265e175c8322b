//! Ye, Li & Zhu: Hertz contact with nonlinear damping for pounding, from a parabolic velocity
//! profile.
//!
//! # Equation
//! F = K·δⁿ·(1 + ε·δ̇/v₀), ε = 8(1−e)/(5e).
//!
//! # Derivation
//! With the assumed rate |δ̇| = v·√(1−(δ/δ_max)²), where v = v₀ in compression and v = e·v₀ in
//! restitution, the losses of the two phases have the ratio 1 : e, and the energy mₑ·v₀²·e/2 is
//! stored at δ_max. With n = 3/2 and I = ∫₀¹ z^(3/2)·√(1−z²) dz = 0.2497 ≈ 1/4 the energy balance
//! gives ε = (2/5)(1−e)/(e·I).
//!
//! # Validity
//! According to the authors all restitutions; pounding of adjacent buildings.
//!
//! # Remarks
//! The paper corrects the formula that was then used for pounding (that of Lankarani & Nikravesh).
//! Two years later Flores and co-authors published the same formula. Near e = 1 the damping is
//! about 7 % too large (dε/d(1−e) is 1.6, the exact value is 3/2). For a specified restitution of
//! 0.9 the formula delivers 0.894, for 0.5 it delivers 0.470 and for 0.1 it delivers 0.069.
//!
//! # Reference
//! K. Ye, L. Li, H. Zhu, A note on the Hertz contact model with nonlinear damping for pounding
//! simulation, Earthq. Eng. Struct. Dyn. 38 (2009) 1135–1142.

use crate::model::{Input, Model};
use crate::models::profile::flores_2011;

pub const MODEL: Model = Model {
    id: "ye-li-zhu-2009",
    title: "Ye, Li & Zhu 2009",
    aliases: &["ye"],
    year: 2009,
    input: Input::Restitution,
    doi: Some("10.1002/eqe.883"),
    // The two papers have the same formula.
    build: flores_2011::MODEL.build,
    ..Model::BLANK
};
