//! Groups of keys that scenes of bodies and beds of grains share.

use super::{
    Key, Unit, Value, choice, direction, quantity_in_words, length, list, number, quantity, text, vector,
};
use carom::units::Dimension;

/// Keys for the material of a body.
pub(super) const MATERIAL: &[Key] = &[
    text("material", "a material of `carom materials`"),
    quantity("youngs", Dimension::PRESSURE, "Young's modulus, instead of a material").absent_means("contacts need a stiffness"),
    number("poisson", "Poisson's ratio, with `youngs`"),
    quantity("density", Dimension::DENSITY, "density, with `youngs` or alone"),
];

/// Keys for the law of a contact, as in `carom impact`.
pub(super) const LAW: &[Key] = &[
    text("law", "a law of `carom models`, or the path of your own law file, relative to the scene").required("name a law; `carom models` lists them"),
    text("damper", "`linear-equivalent` delivers a restitution at every speed, with any spring").absent_means("that of the law"),
    quantity_in_words("restitution", "1", "coefficient of restitution that is asked for"),
    text("calibration", "`exact` delivers the restitution, `published` uses the formula of the source").absent_means("`published`, where the source has a formula"),
    text("exit", "contact ends at zero `force` or at zero `indentation`").absent_means("that of the law's source"),
    quantity_in_words("stiffness", "N/m^n", "K of K·δⁿ, at each contact point").absent_means("from materials and shapes"),
    quantity_in_words("exponent", "1", "n of K·δⁿ, with `stiffness`").absent_means("1.5"),
    quantity_in_words("damping", "N s^q/m^(m+q)", "damping coefficient, instead of a restitution"),
    quantity_in_words("damping_exponent", "1", "m of c·δᵐ·|δ̇|^q").absent_means("that of the law"),
    quantity_in_words("rate_exponent", "1", "q of c·δᵐ·|δ̇|^q").absent_means("that of the law"),
    Key::new("set", Value::Parameters, "more parameters of the law, as `carom model ID` lists them"),
];

/// Keys for the lever arms of rolling resistance.
pub(super) const ARMS: &[Key] = &[
    length("arm", "arm of the couple against rolling").with_default("0"),
    length("spinning_arm", "arm of the couple against spinning about the normal").with_default("0"),
];

/// Keys for a function of time.
pub(super) const MOTION: &[Key] = &[
    of_motion("start", 0, "value at the start, or about which a sine goes").with_default("0"),
    of_motion("rate", 1, "steady: start + rate·t"),
    of_motion("amplitude", 0, "sine: start + amplitude·sin(frequency·t + phase)"),
    quantity("frequency", Dimension::FREQUENCY, "sine: angular frequency, in rad/s"),
    number("phase", "sine: phase in rad").with_default("0"),
    list("times", Dimension::TIME, "table: times, increasing; the value is constant outside"),
    Key::new("values", Value::List(Unit::OfMotion(0)), "table: one value for each time"),
    choice("interpolation", || vec!["linear", "cubic"], "table: `cubic` has a continuous velocity and does not overshoot").with_default("\"linear\""),
    Key::new("accelerations", Value::List(Unit::OfMotion(2)), "record: the accelerations, from rest"),
    text("file", "record: a file of accelerations; lines that begin with # are comments"),
    quantity("interval", Dimension::TIME, "record: time between two accelerations"),
    number("scale", "record: factor of all accelerations").with_default("1"),
];

pub(super) const fn of_motion(name: &'static str, per_time: u8, meaning: &'static str) -> Key {
    Key::new(name, Value::Quantity(Unit::OfMotion(per_time)), meaning)
}

pub(super) const NAME: Key = text("name", "by which results and changes call it");

pub(super) const BETWEEN: Key = Key::new("between", Value::Pair, "the two that it joins")
    .required("name two bodies, for example [\"crank\", \"ground\"]");

pub(super) const fn kind(names: fn() -> Vec<&'static str>) -> Key {
    choice("kind", names, "which joint").required("")
}

/// Keys for the position of a joint.
pub(super) const MOUNT: &[Key] = &[
    vector("point", Dimension::LENGTH, "where it stands, in the world").absent_means("the position of the first body"),
    direction("axis", "its axis, in the world").with_default("[0, 0, 1]"),
];
