//! Thornton: elastic, perfectly plastic spheres.
//!
//! # Equation
//! Loading F = K·δ^(3/2) to δ_y = (π·p_y/(2E*))²·R, then F = P_y + π·p_y·R·(δ − δ_y), P_y =
//! K·δ_y^(3/2); unloading from (δ_m, P*) F = (4/3)·E*·√R_p·(δ − δ_p)^(3/2),
//! R_p = (4E*/(3P*))·[(2P* + P_y)/(2π·p_y)]^(3/2), δ_p = δ_m − [3P*/(4E*·√R_p)]^(2/3);
//! K = (4/3)·E*·√R.
//!
//! # Derivation
//! Hertz's pressure is limited to p_y. Its maximum reaches p_y at P_y; beyond, every additional
//! ring of the contact area carries p_y. Unloading is Hertzian on the surface that was flattened to
//! R_p. Yield begins at the approach speed v_y with v_y² = (4/5)·P_y·δ_y/mₑ. With r = v_y/v₀ < 1
//! the energies give e² = (6√3/5)·(1 − r²/6)·√(r/(r + 2√(6/5 − r²/5))).
//!
//! # Validity
//! Metals; quasi-static plasticity without hardening or rate effects; e decreases as v₀^(−1/4).
//!
//! # Remarks
//! The closed form is the exact energy balance (a test confirms it to 1e-9), so a restitution is
//! delivered exactly; p_y is then computed from the speed at every touch. The law depends on E*, R
//! and p_y; the stiffness and exponent of the pair are not used. The review calls p_y the yield
//! strength. It is the limiting contact pressure, about 1.6 times the yield strength at first yield
//! and up to 2.8 times in the fully plastic range. The review also omits δ_p, which follows from
//! continuity at the peak.
//!
//! # Reference
//! C. Thornton, Coefficient of restitution for collinear collisions of elastic-perfectly plastic
//! spheres, J. Appl. Mech. 64 (1997) 383–386.

use crate::law::Thornton;
use crate::law::plastic::Pressure;
use crate::model::{Coefficient, Input, Model};
use crate::models::shared::{MODULUS, POSITIVE, RADIUS, parameter, refuse_parameter, restitution_by_energy};

pub const MODEL: Model = Model {
    id: "thornton-1997",
    title: "Thornton 1997",
    aliases: &["thornton"],
    year: 1997,
    input: Input::Material,
    parameters: &[
        MODULUS,
        RADIUS,
        parameter("limiting_pressure", "Pa", POSITIVE)
            .help("highest contact pressure, 1.6 to 2.8 yield strengths of the softer body"),
    ],
    doi: Some("10.1115/1.2787319"),
    coefficient: Coefficient::parameter("limiting_pressure", "Pa"),
    build: |inputs| {
        let pressure = match restitution_by_energy(inputs)? {
            Some(e) => {
                refuse_parameter(inputs, "limiting_pressure")?;
                Pressure::delivering(e)
            }
            None => Pressure::Given(inputs.positive("limiting_pressure")?),
        };
        let (modulus, radius) = (inputs.positive("modulus")?, inputs.positive("radius")?);
        Ok(inputs.law(Thornton { modulus, radius, pressure }))
    },
    ..Model::BLANK
};
