//! Johnson: fully plastic impact, from which e ∝ v₀^(−1/4) follows.
//!
//! # Equation
//! Loading F = min((4/3)·E*·√R·δ^(3/2), 2π·R·p_d·δ); unloading from (δ_m, F_m) of the plastic line
//! F = F_m·(1 − (δ_m − δ)/w)^(3/2), w = 3F_m/(4E*·a), a² = 2R·δ_m; from Hertz's curve along Hertz's
//! curve.
//!
//! # Derivation
//! In a fully plastic contact the mean pressure is the dynamic yield pressure p_d, and the edge
//! neither sinks in nor piles up, so δ = a²/(2R). The energy ½mₑv₀² = π·p_d·a⁴/(4R) produces a
//! crater of radius a; the elastic rebound from it returns the energy 3F_m²/(10·a·E*). Hence e² =
//! (6π/5)·p_d·R/(E*·a), which is (3·π^(5/4)·4^(3/4)/10)·(p_d/E*)·(mₑv₀²/(2p_d·R³))^(−1/4).
//!
//! # Validity
//! Metals at speeds well beyond first yield, where the whole contact flows plastically; otherwise
//! quasi-static.
//!
//! # Remarks
//! e·v₀^(1/4) is constant when Hertz's part of the energy is small; the law then delivers what
//! `law::plastic::johnson_plastic_restitution` predicts. There is no transition between elastic and
//! plastic: where the two curves intersect, the contact radius grows by √2, and the restitution
//! falls abruptly from 1 to 0.841, so that no value between these can be specified.
//! kogut-etsion-2002 has the transition, and thornton-1997 a different one. Exact calibration finds
//! p_d at every touch. p_d is about 3 yield strengths. The energies are those of Johnson's section
//! 11.5 in the form of the prediction in `law::plastic`; the force law is the one that has these
//! energies. The stiffness and exponent of the pair are not used.
//!
//! # Reference
//! K. L. Johnson, Contact Mechanics, Cambridge University Press 1985, section 11.5.

use crate::law::Regimes;
use crate::model::{Coefficient, Input, Model, Parameter};
use crate::models::shared::{MODULUS, POSITIVE, RADIUS, parameter, yielding};

/// The dynamic yield pressure p_d.
const PRESSURE: Parameter = parameter("dynamic_pressure", "Pa", POSITIVE)
    .help("mean pressure p_d of the fully plastic contact, about 3 yield strengths");

pub const MODEL: Model = Model {
    id: "johnson-1985",
    title: "Johnson 1985, plastic impact",
    aliases: &["johnson-plastic"],
    year: 1985,
    input: Input::Material,
    parameters: &[MODULUS, RADIUS, PRESSURE],
    coefficient: Coefficient::parameter(PRESSURE.name, PRESSURE.unit),
    build: |inputs| {
        let (modulus, radius) = (inputs.positive("modulus")?, inputs.positive("radius")?);
        let curve = Regimes { modulus, radius, first_yield: 1.0, hardness: 1.0, transition: false };
        Ok(inputs.law(yielding(inputs, PRESSURE.name, curve)?))
    },
    ..Model::BLANK
};
