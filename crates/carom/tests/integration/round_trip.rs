//! Printed results can be used as input: every number of a report, in the unit printed with it, yields the same impact again.

use crate::common::Misses;
use crate::common::subjects::{self, SPEED, Subject};
use carom::impact::{Conditions, Trajectory};
use carom::law::{Damper, Exit, Law, Power};
use carom::report::Report;
use carom::spec::{Case, Quantity, Spec};
use carom::units::Dimension;
use carom::{CATALOGUE, Damping, Pair, collide, model};
use serde_json::{Value, json};

/// Parameters that determine the loss and therefore exclude a damping coefficient.
const LOSS: &[&str] = &[
    "alpha",
    "b1",
    "bulk_viscosity",
    "bulk_viscosity_2",
    "damping_modulus_1",
    "damping_modulus_2",
    "dissipation",
    "dissipation_time",
    "k_star",
    "limiting_pressure",
    "shear_viscosity",
    "shear_viscosity_2",
    "viscosity",
    "yield_indentation",
];

fn report(subject: &Subject) -> carom::Result<Report> {
    let case = Case {
        model: subject.model,
        pair: subject.pair.clone(),
        damping: subject.damping,
        exit: Some(subject.law.exit),
        set: subject.set.clone(),
        speed: SPEED,
        conditions: Conditions::default(),
    };
    case.run()
}

/// Returns a number with its unit, to the last digit.
fn text(value: &Value, unit: &str) -> Value {
    json!(format!("{:e} {unit}", value.as_f64().unwrap()))
}

/// Builds a description from the JSON of a report, with units (`written`) or as numbers, and from the parameters that do not
/// determine the loss.
fn given_back(subject: &Subject, report: &Value, written: bool) -> Value {
    let quantity = |value: &Value, unit: &str| match written {
        true => text(value, unit),
        false => value.clone(),
    };
    let (pair, damping) = (&report["pair"], &report["damping"]);
    let name = damping["parameter"].as_str().unwrap();
    let mut set = serde_json::Map::new();
    for (fact, unit) in subject.pair.facts.iter().filter_map(|(fact, value)| {
        let unit = carom::pair::FACTS.iter().find(|known| known.0 == *fact)?.1;
        Some(((*fact, json!(value)), unit))
    }) {
        set.insert(fact.0.to_string(), quantity(&fact.1, unit));
    }
    for (known, value) in subject.set.iter().filter(|(known, _)| !LOSS.contains(&known.as_str())) {
        let parameter = subject.model.parameters.iter().find(|p| p.name == known).unwrap();
        set.insert(
            known.clone(),
            quantity(&json!(value), &parameter.unit_at(subject.pair.exponent)),
        );
    }
    let coefficient = quantity(&damping["coefficient"], damping["unit"].as_str().unwrap());
    let exponent = pair["exponent"].as_f64().unwrap();
    let mut spec = json!({
        "law": report["law"],
        "mass": quantity(&pair["mass"], "kg"),
        "stiffness": quantity(&pair["stiffness"], &Dimension::stiffness_unit(exponent)),
        "exponent": pair["exponent"],
        "speed": quantity(&report["speed"], "m/s"),
        "exit": report["exit"],
    });
    match name {
        "damping" => spec["damping"] = coefficient,
        name => drop(set.insert(name.to_string(), coefficient)),
    }
    spec["set"] = Value::Object(set);
    spec
}

/// Regression: for `ristow-1992`, `lee-herrmann-1993`, `alizadeh-2013` and `roy-carretero-2012`, c of the force was printed (in
/// N·s/m or similar), but a part of it was expected as input (a rate, a viscosity, a bracket of the formula). The printed c for a
/// restitution of 0.6 then gave 0.849, 0.849, 0.070 and 1.000, and the unit of the documentation was refused. Other laws printed
/// a pressure or an indentation as a damping coefficient, which could not be used as input.
#[test]
fn a_printed_coefficient_given_back_makes_the_same_impact() {
    let mut misses = Misses::new();
    let mut seen = Vec::new();
    for subject in subjects::all() {
        let Ok(first) = report(&subject) else { continue };
        if first.damping.coefficient.is_none() {
            continue;
        }
        // An elastic law accepts no damping coefficient, not even zero.
        if subject.model.input == carom::model::Input::Elastic {
            continue;
        }
        seen.push(subject.model.id);
        let first = serde_json::to_value(&first).unwrap();
        for written in [true, false] {
            let spec = given_back(&subject, &first, written);
            let again = serde_json::from_value::<Spec>(spec.clone())
                .map_err(|error| error.to_string())
                .and_then(|spec| {
                    spec.case().and_then(|case| case.run()).map_err(|e| e.to_string())
                });
            let again = match again {
                Ok(again) => serde_json::to_value(&again).unwrap(),
                Err(error) => {
                    misses.require(false, || format!("{subject}: {error} from {spec}"));
                    continue;
                }
            };
            for (group, name) in [("restitution", "newton"), ("damping", "coefficient")] {
                let (found, expected) = (&again[group][name], &first[group][name]);
                let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
                misses.near(format!("{subject} {name}"), found, expected, 1e-12);
            }
            for name in ["duration", "force_max", "indentation_max"] {
                let (Some(found), Some(expected)) = (again[name].as_f64(), first[name].as_f64())
                else {
                    misses.require(again[name] == first[name], || format!("{subject} {name}"));
                    continue;
                };
                misses.near(format!("{subject} {name}"), found, expected, 1e-12);
            }
            for name in ["unit", "parameter", "damping_exponent", "rate_exponent"] {
                let (found, expected) = (&again["damping"][name], &first["damping"][name]);
                misses.require(found == expected, || {
                    format!("{subject} {name}: {found}, {expected}")
                });
            }
        }
    }
    misses.assert_none();
    for id in
        ["ristow-1992", "lee-herrmann-1993", "alizadeh-2013", "roy-carretero-2012", "thornton-1997"]
    {
        assert!(seen.contains(&id), "{id}");
    }
}

/// Regression: K for n = 2 was printed in kPa, and c for m = 1, q = 1 as a viscosity.
#[test]
fn stiffness_and_damping_are_newtons_over_lengths_whatever_the_exponent() {
    for (n, unit) in
        [(1.0, "N/m"), (1.5, "N/m^1.5"), (2.0, "N/m^2"), (3.0, "N/m^3"), (4.0, "N/m^4")]
    {
        assert_eq!(Dimension::stiffness_unit(n), unit);
        assert!(Dimension::of(unit).unwrap().same(Dimension::stiffness(n)));
    }
    for (m, q, unit) in [
        (0.0, 0.0, "N"),
        (0.0, 1.0, "N s/m"),
        (1.0, 1.0, "N s/m^2"),
        (2.0, 0.0, "N/m^2"),
        (1.0, 0.0, "N/m"),
        (2.0, 2.0, "N s^2/m^4"),
        (0.0, 3.0, "N s^3/m^3"),
        (1.5, 1.0, "N s/m^2.5"),
    ] {
        assert_eq!(Dimension::damping_unit(m, q), unit);
        assert!(Dimension::of(unit).unwrap().same(Dimension::damping(m, q)), "{unit}");
    }
}

/// Regression: `b2` of xiong-2014, whose unit depends on the exponent (s/m^1.5 for spheres), was refused with its own unit.
#[test]
fn every_parameter_takes_its_own_unit() {
    for model in CATALOGUE {
        for parameter in model.parameters {
            for n in [1.0, 1.5] {
                let unit = parameter.unit_at(n);
                assert!(
                    Dimension::of(&unit).is_ok(),
                    "{}: {} in `{unit}`",
                    model.id,
                    parameter.name
                );
            }
        }
    }
    let set = [("relaxation", "3e4 1/s"), ("b1", "2 us"), ("b2", "0.5 s/m^1.5")];
    let spec = Spec {
        law: "xiong-2014".into(),
        mass: Some(0.54.into()),
        stiffness: Some(2.4144e10.into()),
        speed: Some(0.5.into()),
        set: set.map(|(name, value)| (name.to_string(), Quantity::from(value))).into(),
        ..Spec::default()
    };
    assert!(spec.case().unwrap().run().is_ok());
}

#[test]
fn a_unit_that_is_not_the_laws_own_is_refused() {
    for (law, wrong) in [
        ("ristow-1992", "3 N s/m"),
        ("hunt-crossley-1975", "3 N s/m"),
        ("wang-gao-2023", "3 N s/m"),
        ("jian-2019", "3 1/s"),
    ] {
        let set = [
            ("radius", 0.02),
            ("radius_1", 0.02),
            ("radius_2", 0.0202),
            ("modulus", 1.1e11),
            ("equilibrium_shear_modulus", 8e10),
            ("poisson_1", 0.3),
            ("relaxation_time", 1e-5),
        ];
        let known = model(law).unwrap().parameters;
        let set = set.iter().filter(|(name, _)| known.iter().any(|p| p.name == *name));
        let spec = Spec {
            law: law.into(),
            mass: Some(0.54.into()),
            stiffness: Some(2.4144e10.into()),
            speed: Some(0.5.into()),
            damping: Some(wrong.into()),
            set: set.map(|(name, value)| (name.to_string(), (*value).into())).collect(),
            ..Spec::default()
        };
        let error = spec.case().unwrap_err().to_string();
        assert!(error.contains("damping = 3"), "{law}: {error}");
    }
}

/// Regression: `fit --law ristow-1992` printed its rate in N·s/m.
#[test]
fn a_fitted_coefficient_is_that_of_the_law_in_its_unit() {
    use carom::fit::{Data, Options, fit};
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    for (id, unit) in
        [("ristow-1992", "1/s"), ("alizadeh-2013", "N s/m^2"), ("tsuji-1992", "N s/m^1.25")]
    {
        let law = model(id).unwrap();
        let exact = law.law(&pair, Damping::Exact(0.6), None, &[]).unwrap();
        let given = law.written_coefficient(&exact, 0.5).unwrap();
        let numbers = law.law(&pair, Damping::Coefficient(given), None, &[]).unwrap();
        let course = Trajectory::new(&numbers, 0.5, &Conditions::default(), 200).unwrap();
        let spec = Spec {
            law: id.into(),
            mass: Some(0.54.into()),
            speed: Some(0.5.into()),
            ..Spec::default()
        };
        let data = Data::ForceTime { time: &course.time, force: &course.force };
        let found = fit(&data, &spec, &Options::default()).unwrap();
        let damping = found.parameters.iter().find(|p| p.name == "damping").unwrap();
        assert_eq!(damping.unit, unit, "{id}");
        assert!((damping.value / given - 1.0).abs() < 1e-3, "{id}: {} for {given}", damping.value);
        assert_eq!(found.impact.damping.unit.as_deref(), Some(unit));
    }
}

#[test]
fn an_export_is_the_same_by_restitution_and_by_the_coefficient_it_prints() {
    for id in ["ristow-1992", "lee-herrmann-1993", "alizadeh-2013", "tsuji-1992"] {
        let spec = |damping: Option<Quantity>| Spec {
            law: id.into(),
            mass: Some(0.54.into()),
            stiffness: Some(2.4144e10.into()),
            speed: Some(0.5.into()),
            restitution: damping.is_none().then(|| 0.6.into()),
            calibration: damping.is_none().then(|| "exact".into()),
            damping,
            ..Spec::default()
        };
        let report = spec(None).case().unwrap().run().unwrap();
        let (c, unit) = (report.damping.coefficient.unwrap(), report.damping.unit.unwrap());
        let given = spec(Some(format!("{c:e} {unit}").as_str().into()));
        let mut compared = 0;
        for engine in ["chrono", "lammps", "mbdyn", "adams", "yade"] {
            let exports = [spec(None), given.clone()].map(|spec| carom::export::run(&spec, engine));
            let [Ok(asked), Ok(back)] = exports else { continue };
            compared += 1;
            // A restitution at every speed and a constant coefficient may need different forms of the engine.
            if back.expresses.form == asked.expresses.form {
                let of = |deck: &carom::export::Export| deck.expresses.damping.unwrap();
                let off = of(&back) / of(&asked) - 1.0;
                assert!(off.abs() < 1e-9, "{id} to {engine}: {off}");
            }
            let off = back.delivers.restitution - asked.delivers.restitution;
            assert!(off.abs() < 1e-9, "{id} to {engine}: {off}");
        }
        assert!(compared > 0, "{id}");
    }
}

#[test]
fn identified_numbers_make_the_impact_they_were_identified_from() {
    for (n, m, q) in [(2.0, 1.0, 1.0), (1.5, 0.0, 1.0), (3.0, 2.0, 2.0), (1.0, 2.0, 0.5)] {
        let power = Power::new(3e8, n, m, q, Damper::Ratio(0.4));
        let impact = collide(&Law::new(0.3, Exit::ZeroForce, power), 0.7).unwrap();
        let spec = carom::identify::Spec {
            mass: Some(0.3.into()),
            speed: Some(0.7.into()),
            exponent: Some(n.into()),
            damping_exponent: Some(m.into()),
            rate_exponent: Some(q.into()),
            restitution: Some(impact.restitution.newton.into()),
            force: Some(impact.force_max.into()),
            ..Default::default()
        };
        let found = spec.run().unwrap().solution;
        let (c, unit) = (found.damping.coefficient.unwrap(), found.damping.unit.unwrap());
        let stiffness = format!("{:e} {}", found.pair.stiffness, Dimension::stiffness_unit(n));
        let again = Spec {
            law: "power".into(),
            mass: Some(0.3.into()),
            stiffness: Some(stiffness.as_str().into()),
            exponent: Some(n.into()),
            damping_exponent: Some(m.into()),
            rate_exponent: Some(q.into()),
            damping: Some(format!("{c:e} {unit}").as_str().into()),
            speed: Some(0.7.into()),
            ..Spec::default()
        };
        let report = again.case().unwrap().run().unwrap();
        let off = report.restitution.newton / impact.restitution.newton - 1.0;
        assert!(off.abs() < 1e-9, "{n} {m} {q}: {off}");
        assert!((report.force_max / impact.force_max - 1.0).abs() < 1e-9, "{n} {m} {q}");
    }
}
