//! Groups of keys that scenes of bodies and beds of grains share.

use super::{Key, Unit, Value, length, number, quantity, text};
use carom::units::Dimension;

/// What a body is made of.
pub(super) const MATERIAL: &[Key] = &[
    text("material", "a material of `carom materials`"),
    quantity("youngs", Dimension::PRESSURE, "Young's modulus, instead of a material").otherwise("contacts need a stiffness"),
    number("poisson", "Poisson's ratio, with `youngs`"),
    quantity("density", Dimension::DENSITY, "density, with `youngs` or alone"),
];

/// The law of a contact, as `carom impact` takes it.
pub(super) const LAW: &[Key] = &[
    text("law", "a law of `carom models`, or a law file of your own beside the scene").required("name a law; `carom models` lists them"),
    text("damper", "`linear-equivalent` delivers a restitution at every speed, with any spring").otherwise("that of the law"),
    of_law("restitution", "1", "coefficient of restitution that is asked for"),
    text("calibration", "`exact` delivers the restitution, `published` uses the formula of the source").otherwise("`published`, where the source has a formula"),
    text("exit", "contact ends at zero `force` or at zero `indentation`").otherwise("that of the law's source"),
    of_law("stiffness", "N/m^n", "K of K·δⁿ, at each contact point").otherwise("from materials and shapes"),
    of_law("exponent", "1", "n of K·δⁿ, with `stiffness`").otherwise("1.5"),
    of_law("damping", "N s^q/m^(m+q)", "damping coefficient, instead of a restitution"),
    of_law("damping_exponent", "1", "m of c·δᵐ·|δ̇|^q").otherwise("that of the law"),
    of_law("rate_exponent", "1", "q of c·δᵐ·|δ̇|^q").otherwise("that of the law"),
    Key::new("set", Value::Parameters, "more parameters of the law, as `carom model ID` lists them"),
];

const fn of_law(name: &'static str, unit: &'static str, meaning: &'static str) -> Key {
    Key::new(name, Value::Quantity(Unit::OfLaw(unit)), meaning)
}

/// Arms of rolling resistance.
pub(super) const ARMS: &[Key] = &[
    length("arm", "arm of the couple against rolling").or("0"),
    length("spinning_arm", "arm of the couple against spinning about the normal").or("0"),
];
