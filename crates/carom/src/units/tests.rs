//! Tests of the texts that are accepted and rejected, and of the absence of panics.

use super::*;
use crate::numeric::random::{Sequence, fraction};

fn si(text: &str, dimension: Dimension) -> f64 {
    parse("x", text, dimension).unwrap()
}

fn refusal(text: &str, dimension: Dimension) -> String {
    parse("x", text, dimension).unwrap_err().to_string()
}

#[test]
fn every_usual_way_to_write_a_quantity_is_read() {
    let d = Dimension::damping(0.0, 1.0);
    let cases: &[(&str, Dimension, f64)] = &[
        ("210 GPa", Dimension::PRESSURE, 210e9),
        ("210GPa", Dimension::PRESSURE, 210e9),
        ("  210e9  ", Dimension::PRESSURE, 210e9),
        ("450 MPa", Dimension::PRESSURE, 450e6),
        ("2 bar", Dimension::PRESSURE, 2e5),
        ("13 mbar", Dimension::PRESSURE, 1300.0),
        ("1 N/mm^2", Dimension::PRESSURE, 1e6),
        ("12.7 mm", Dimension::LENGTH, 0.0127),
        ("12.7mm", Dimension::LENGTH, 0.0127),
        (".5 m", Dimension::LENGTH, 0.5),
        ("5. m", Dimension::LENGTH, 5.0),
        ("+3 µm", Dimension::LENGTH, 3e-6),
        ("3 μm", Dimension::LENGTH, 3e-6),
        ("3um", Dimension::LENGTH, 3e-6),
        ("\u{2212}3 um", Dimension::LENGTH, -3e-6),
        ("0.54kg", Dimension::MASS, 0.54),
        ("28 g", Dimension::MASS, 0.028),
        ("1.5 t", Dimension::MASS, 1500.0),
        ("15 m/s", Dimension::SPEED, 15.0),
        ("54 km/h", Dimension::SPEED, 15.0),
        ("9.81 m/s^2", Dimension::ACCELERATION, 9.81),
        ("9.81 m/s²", Dimension::ACCELERATION, 9.81),
        ("9.81 m s⁻²", Dimension::ACCELERATION, 9.81),
        ("2.4144e10 N/m^1.5", Dimension::stiffness(1.5), 2.4144e10),
        ("2.4144e10 N/m^(3/2)", Dimension::stiffness(1.5), 2.4144e10),
        ("2.4144e10 N m^-1.5", Dimension::stiffness(1.5), 2.4144e10),
        ("2.4144E10N/m**1.5", Dimension::stiffness(1.5), 2.4144e10),
        ("1 N/m^(10/9)", Dimension::stiffness(10.0 / 9.0), 1.0),
        ("5 N/mm", Dimension::stiffness(1.0), 5000.0),
        ("1.2e-3 N s/m", d, 1.2e-3),
        ("1.2e-3 N·s/m", d, 1.2e-3),
        ("1.2e-3 N*s/m", d, 1.2e-3),
        ("1.2e-3 N/(m/s)", d, 1.2e-3),
        ("1.2e-3 kg/s", d, 1.2e-3),
        ("7850 kg/m^3", Dimension::DENSITY, 7850.0),
        ("7.85 g/cm³", Dimension::DENSITY, 7850.0),
        ("250 µs", Dimension::TIME, 250e-6),
        ("250us", Dimension::TIME, 250e-6),
        ("2 min", Dimension::TIME, 120.0),
        ("2 rad/s", Dimension::FREQUENCY, 2.0),
        ("50 Hz", Dimension::FREQUENCY, 50.0),
        ("50 1/s", Dimension::FREQUENCY, 50.0),
        ("50 /s", Dimension::FREQUENCY, 50.0),
        ("30 %", Dimension::NUMBER, 0.3),
        ("30%", Dimension::NUMBER, 0.3),
        ("180 deg", Dimension::NUMBER, std::f64::consts::PI),
        ("0.05 J/m^2", Dimension::SURFACE_ENERGY, 0.05),
        ("1.2 Pa s", Dimension::VISCOSITY, 1.2),
        ("1 cP", Dimension::VISCOSITY, 1e-3),
        ("10 daN", Dimension::FORCE, 100.0),
        ("0.1 s/m", Dimension::SLOWNESS, 0.1),
        ("0", Dimension::MASS, 0.0),
        ("0e99999999999999999999 kg", Dimension::MASS, 0.0),
        ("-1.5", Dimension::NUMBER, -1.5),
    ];
    for &(text, dimension, value) in cases {
        let found = si(text, dimension);
        assert!((found - value).abs() <= 1e-15 * value.abs(), "{text}: {found} is not {value}");
    }
}

#[test]
fn prefixes_do_not_cost_a_bit() {
    assert_eq!(si("12.7 mm", Dimension::LENGTH), 0.0127);
    assert_eq!(si("0.1 µm", Dimension::LENGTH), 1e-7);
    assert_eq!(si("206.8 GPa", Dimension::PRESSURE), 2.068e11);
    assert_eq!(si("7.83 g/cm^3", Dimension::DENSITY), 7830.0);
}

#[test]
fn imperial_units_have_their_defined_values() {
    for (text, dimension, value) in [
        ("1 in", Dimension::LENGTH, 0.0254),
        ("1 ft", Dimension::LENGTH, 0.3048),
        ("1 lb", Dimension::MASS, 0.45359237),
        ("1 lbf", Dimension::FORCE, 4.4482216152605),
        ("1 psi", Dimension::PRESSURE, 6894.757293168),
        ("1 lbf/in^2", Dimension::PRESSURE, 6894.757293168),
        ("30000 ksi", Dimension::PRESSURE, 2.0684271879504e11),
        ("0.283 lb/in^3", Dimension::DENSITY, 7833.413),
        ("1 slug ft/s^2", Dimension::FORCE, 4.4482216152605),
        ("1 lbf/in^1.5", Dimension::stiffness(1.5), 1098.8434941),
    ] {
        assert!((si(text, dimension) / value - 1.0).abs() < 1e-7, "{text}");
    }
}

#[test]
fn a_wrong_dimension_names_parameter_text_unit_and_example() {
    let text = parse("youngs", "210 mm", Dimension::PRESSURE).unwrap_err().to_string();
    for part in
        ["youngs = 210 mm", "a pressure, in Pa", "`mm` measures a length, in m", "`210 GPa`"]
    {
        assert!(text.contains(part), "{text}");
    }
    let text = refusal("2.4e10 N/m", Dimension::stiffness(1.5));
    assert!(text.contains("N/m^1.5") && text.contains("follows the exponent n"), "{text}");
    let text = refusal("3 kg", Dimension::NUMBER);
    assert!(text.contains("must be a pure number"), "{text}");
    assert!(parse("x", "1 N s/m", Dimension::damping(1.5, 1.0)).unwrap_err().is_invalid());
}

#[test]
fn what_is_no_number_is_refused() {
    for text in [
        "",
        "  ",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "infinity",
        "GPa",
        "e5",
        ".",
        "-",
        "+-3",
        "1e400",
        "-1e400",
        "1e300 Gm",
        "1e-400",
        "1e-320 nm",
        "1,5",
        "1,500.0",
        "0x10",
        "\u{2212}",
    ] {
        assert!(parse("x", text, Dimension::LENGTH).is_err(), "{text}");
    }
    assert!(refusal("1,5 m", Dimension::LENGTH).contains("decimal point"));
    assert!(refusal("", Dimension::LENGTH).contains("x = (nothing)"));
}

#[test]
fn what_cannot_be_read_as_a_unit_is_refused_with_advice() {
    for (text, advice) in [
        ("1 N/m^3/2", "m^(3/2)"),
        ("1 kg/m3", "`m^3`"),
        ("1 N/", "missing at its end"),
        ("1 N/(m", "closing parenthesis is missing"),
        ("1 N)", "parenthesis too many"),
        ("1 m^", "exponent is a number"),
        ("1 m^x", "exponent is a number"),
        ("1 m^(1/0)", "out of range"),
        ("1 m^999", "out of range"),
        ("1 m//s", "cannot stand there"),
        ("1 2 m", "number inside the unit"),
        ("1 m & s", "`&` cannot stand there"),
        ("1 ((((((((((m))))))))))", "nested"),
    ] {
        let found = refusal(text, Dimension::LENGTH);
        assert!(found.contains(advice), "{text}: {found}");
    }
}

#[test]
fn an_unknown_unit_suggests_the_one_that_was_meant() {
    for (text, meant) in [
        ("210 gpa", "`GPa`"),
        ("210 mpa", "`MPa`"),
        ("210 GPA", "`GPa`"),
        ("1 KG", "`kg`"),
        ("1 LBF", "`lbf`"),
        ("1 Ns/m", "`N s`"),
        ("1 Nm", "`N m`"),
        ("1 Pas", "`Pa s`"),
        ("1 lbs", "`lb`"),
        ("1 inch", "`in`"),
        ("1 khz", "`kHz`"),
        ("1 KPSI", "`psi`"),
    ] {
        let error = parse("x", text, Dimension::NUMBER).unwrap_err();
        assert!(error.is_unknown(), "{text}");
        assert!(error.to_string().contains(&format!("did you mean {meant}?")), "{text}: {error}");
    }
    let error = refusal("1 parsec", Dimension::LENGTH);
    assert!(error.contains("carom knows m, g, s"), "{error}");
}

#[test]
fn dimensions_are_written_the_way_they_are_read() {
    for dimension in [
        Dimension::stiffness(1.0),
        Dimension::stiffness(1.5),
        Dimension::stiffness(10.0 / 9.0),
        Dimension::stiffness(0.5),
        Dimension::damping(0.0, 1.0),
        Dimension::damping(1.5, 1.0),
        Dimension::damping(0.25, 1.0),
        Dimension::damping(0.5, 0.8),
        Dimension::INERTIA,
        Dimension::SLOWNESS,
        Dimension::MASS.powf(0.5),
        Dimension::NUMBER / Dimension::MASS,
    ] {
        let text = dimension.to_string();
        assert!(Dimension::of(&text).unwrap().same(dimension), "{text}");
        let example = dimension.example();
        assert!(parse("x", &example, dimension).is_ok(), "{example}");
    }
    assert_eq!(Dimension::damping(1.5, 1.0).to_string(), "N s/m^2.5");
    assert_eq!(Dimension::NUMBER.to_string(), "1");
}

#[test]
fn the_units_of_all_facts_are_known() {
    for (name, unit, _) in crate::pair::FACTS {
        assert!(Dimension::of(unit).is_ok(), "{name}: {unit}");
    }
}

#[test]
fn numbers_are_shown_with_five_digits_and_a_fitting_prefix() {
    for (value, unit, text) in [
        (2.6174e-4, "s", "261.74 µs"),
        (9.99996e-4, "s", "1 ms"),
        (0.0127, "m", "12.7 mm"),
        (-0.0127, "m", "-12.7 mm"),
        (1.0, "m", "1 m"),
        (12345.6, "N", "12.346 kN"),
        (2.068e11, "Pa", "206.8 GPa"),
        (3.2e13, "Pa", "32 TPa"),
        (3.2e17, "Pa", "3.2e17 Pa"),
        (1.5e-15, "m", "1.5e-15 m"),
        (3600.0, "s", "3600 s"),
        (0.54, "kg", "540 g"),
        (2.5e-7, "kg", "250 µg"),
        (1250.0, "kg", "1250 kg"),
        (0.02, "g", "20 g"),
        (2.4144e10, "N/m^1.5", "2.4144e10 N/m^1.5"),
        (15.0, "m/s", "15 m/s"),
        (0.0012345678, "m/s", "0.0012346 m/s"),
        (7850.0, "kg/m^3", "7850 kg/m^3"),
        (1.2e-5, "N s/m", "1.2e-5 N s/m"),
        (0.05, "%", "5 %"),
        (std::f64::consts::PI, "deg", "180 deg"),
        (2.6174e-4, "ms", "0.26174 ms"),
        (0.75684, "", "0.75684"),
        (12.0, "widgets", "12 widgets"),
        (0.0, "s", "0 s"),
        (-0.0, "s", "0 s"),
        (f64::INFINITY, "s", "∞ s"),
        (f64::NEG_INFINITY, "", "-∞"),
        (f64::NAN, "s", "NaN"),
        (f64::MIN_POSITIVE, "m", "2.2251e-308 m"),
        (f64::MAX, "N", "1.7977e308 N"),
        (5e-324, "kg", "4.9407e-324 kg"),
    ] {
        assert_eq!(format(value, unit), text);
    }
}

#[test]
fn what_format_writes_parse_reads() {
    let mut random = Sequence::new(7);
    for _ in 0..2000 {
        let value = 10f64.powf(fraction(random.bits()) * 26.0 - 13.0);
        for (unit, dimension) in [
            ("s", Dimension::TIME),
            ("kg", Dimension::MASS),
            ("Pa", Dimension::PRESSURE),
            ("N/m^1.5", Dimension::stiffness(1.5)),
            ("mm", Dimension::LENGTH),
        ] {
            let text = format(value, unit);
            assert!((si(&text, dimension) / value - 1.0).abs() < 6e-5, "{text}");
        }
    }
}

#[test]
fn no_text_makes_it_panic() {
    let mut random = Sequence::new(1);
    let alphabet: Vec<char> =
        "0123456789..eE+-−^^**//··() \tmkgsNPahzµuμradbin%°²³⁻¹ftlbJ,_\u{0}é🦀∞".chars().collect();
    for round in 0..6000 {
        let length = random.below(24);
        let text = match round % 2 {
            0 => {
                let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect(),
        };
        if let Ok(value) = parse("x", &text, Dimension::LENGTH) {
            assert!(value.is_finite(), "{text}");
        }
        let _ = parse("x", &format!("1 {text}"), Dimension::stiffness(1.5));
        let _ = Dimension::of(&text).map(|d| d.to_string());
        let _ = format(fraction(random.bits()), &text);
    }
    let long = format!("1 {}", "(".repeat(100_000));
    assert!(refusal(&long, Dimension::LENGTH).len() < 500);
    assert!(parse("x", &format!("1 {}", "m ".repeat(50_000)), Dimension::LENGTH).is_err());
    assert!(parse("x", &"9".repeat(100_000), Dimension::LENGTH).is_err());
}
