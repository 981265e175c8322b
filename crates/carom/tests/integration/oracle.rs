//! Impacts of the reference data, on which two independent methods agree to 1e-11, computed through every interface of the
//! library.

use crate::common::Misses;
use carom::exact::{self, Exponents};
use carom::impact::{Impact, trajectory};
use carom::law::{Damper, Exit, Law, Power};
use carom::{Damping, Pair, collide, model};
use serde_json::Value;

const TOLERANCE: f64 = 1e-10;

fn cases() -> Vec<Value> {
    let oracle: Value =
        serde_json::from_str(include_str!("../data/oracle.json")).expect("the oracle is JSON");
    oracle["cases"].as_array().expect("cases").clone()
}

fn number(value: &Value, path: &str) -> f64 {
    let found = path.split('/').fold(value, |value, key| &value[key]);
    found.as_f64().unwrap_or_else(|| panic!("no {path} in {}", value["name"]))
}

fn name(case: &Value) -> &str {
    case["name"].as_str().unwrap_or_default()
}

fn is_power(case: &Value) -> bool {
    case.get("wang_gao").is_none()
}

fn exponents(case: &Value) -> Exponents {
    let of = |key: &str| number(case, &format!("inputs/{key}"));
    Exponents::new(of("n"), of("m"), of("q")).expect("exponents in range")
}

/// Returns the law of a case, with its damping as λ or as ε.
fn law(case: &Value, exit: Exit, damper: Damper) -> Law {
    let Exponents { n, m, q } = exponents(case);
    Law::new(number(case, "inputs/m0"), exit, Power::new(number(case, "inputs/k"), n, m, q, damper))
}

/// Compares every number that the reference data contain for an impact.
fn compare(misses: &mut Misses, case: &Value, end: &str, impact: &Impact) {
    let label = |what: &str| format!("{} {end}: {what}", name(case));
    let expected = &case[end];
    let initial = impact.energy.initial;
    let table = [
        ("post_cr", impact.restitution.newton),
        ("post_cr", impact.restitution.poisson),
        ("post_cr", impact.restitution.stronge),
        ("duration_s", impact.duration),
        ("max_force_N", impact.force_max),
        ("max_indentation_m", impact.indentation_max),
        ("time_of_max_indentation_s", impact.time_of_indentation_max),
        ("time_of_max_force_s", impact.time_of_force_max),
        ("residual_indentation_m", impact.residual_indentation),
    ];
    for (key, found) in table {
        if let Some(value) = expected[key].as_f64() {
            // The reference data located the largest force by its value, which is flat there, so that its time has fewer digits.
            let tolerance = if key == "time_of_max_force_s" { 1e-9 } else { TOLERANCE };
            misses.near(label(key), found, value, tolerance);
        }
    }
    // Energy still stored where the force vanishes is not returned to the motion, and carom counts it as lost.
    let kept = expected["residual_elastic_energy_J"].as_f64().unwrap_or(0.0);
    let energies = [
        ("energy_dissipated_compression_J", impact.energy.lost_in_compression),
        ("energy_dissipated_restitution_J", impact.energy.lost_in_restitution - kept),
    ];
    for (key, found) in energies {
        if let Some(value) = expected[key].as_f64() {
            misses.within(label(key), found, value, 1e-9 * initial);
        }
    }
}

#[test]
fn the_dimensionless_impact_is_the_oracles() {
    let mut misses = Misses::new();
    for case in cases().iter().filter(|case| is_power(case)) {
        let epsilon = number(case, "inputs/eps");
        let found = exact::outcome(exponents(case), Exit::ZeroIndentation, epsilon);
        let found = found.expect("in range").expect("the bodies separate");
        let n = number(case, "inputs/n");
        let stored = found.indentation_max.powf(n + 1.0) / (n + 1.0);
        let table = [
            ("post_cr", found.restitution),
            ("tau_total", found.duration),
            ("x_max", found.indentation_max),
            ("tau_m", found.time_of_indentation_max),
            ("f_max", found.force_max),
        ];
        for (key, value) in table {
            let expected = number(case, &format!("dimensionless/{key}"));
            misses.near(format!("{} {key}", name(case)), value, expected, TOLERANCE);
        }
        // In units of m0·v0², in which the energy at touch is 1/2.
        let lost = [("Ec", 0.5 - stored), ("Er", stored - 0.5 * found.restitution.powi(2))];
        for (key, value) in lost {
            let expected = number(case, &format!("dimensionless/{key}"));
            misses.within(format!("{} {key}", name(case)), value, expected, 5e-10);
        }
    }
    misses.assert_none();
}

#[test]
fn collisions_in_si_units_are_the_oracles_at_both_ends_of_contact() {
    let mut misses = Misses::new();
    let ends =
        [("outputs_end_at_X0", Exit::ZeroIndentation), ("outputs_end_at_F0", Exit::ZeroForce)];
    for case in cases().iter().filter(|case| is_power(case)) {
        let speed = number(case, "inputs/v0");
        for (end, exit) in ends {
            // Where the force never pulls, the two exits coincide.
            let end = if case.get(end).is_some() { end } else { "outputs_end_at_X0" };
            for damper in [
                Damper::Coefficient(number(case, "inputs/lambda")),
                Damper::Ratio(number(case, "inputs/eps")),
            ] {
                let impact = collide(&law(case, exit, damper), speed).expect("an impact");
                compare(&mut misses, case, end, &impact);
            }
        }
    }
    misses.assert_none();
}

#[test]
fn the_oracles_tensile_cases_are_noted_as_such() {
    for case in cases().iter().filter(|case| is_power(case)) {
        let damper = Damper::Ratio(number(case, "inputs/eps"));
        let law = law(case, Exit::ZeroIndentation, damper);
        let impact = collide(&law, number(case, "inputs/v0")).expect("an impact");
        let noted = impact.notes.iter().any(|note| note.kind() == "tensile_force");
        assert_eq!(Some(noted), case["tensile_tail"].as_bool(), "{}", name(case));
    }
}

#[test]
fn the_exact_damping_of_what_the_oracle_delivers_is_the_oracles() {
    let mut misses = Misses::new();
    for case in cases().iter().filter(|case| is_power(case)) {
        for (end, exit) in
            [("outputs_end_at_X0", Exit::ZeroIndentation), ("outputs_end_at_F0", Exit::ZeroForce)]
        {
            if let Some(e) = case[end]["post_cr"].as_f64() {
                let found = exact::epsilon(exponents(case), exit, e.min(1.0)).expect("reachable");
                // Near e = 1 an error of 1e-12 in e causes a relative error of 1e-12/(1−e) in ε.
                let distance = 1e-9 * number(case, "inputs/eps") + 1e-11;
                misses.within(name(case), found, number(case, "inputs/eps"), distance);
            }
        }
    }
    misses.assert_none();
}

#[test]
fn the_time_domain_agrees_with_the_oracle() {
    let mut misses = Misses::new();
    for case in cases().iter().filter(|case| is_power(case)) {
        let speed = number(case, "inputs/v0");
        let damper = Damper::Ratio(number(case, "inputs/eps"));
        for (end, exit) in
            [("outputs_end_at_X0", Exit::ZeroIndentation), ("outputs_end_at_F0", Exit::ZeroForce)]
        {
            if case.get(end).is_none() {
                continue;
            }
            let law = law(case, exit, damper);
            let (_, course) = trajectory(&law, speed, &Default::default(), 50).expect("a course");
            let e = number(case, &format!("{end}/post_cr"));
            let label = format!("{} {end}", name(case));
            misses.near(&label, -course.rate[49] / speed, e, 1e-8);
            misses.near(&label, course.time[49], number(case, &format!("{end}/duration_s")), 1e-8);
        }
    }
    misses.assert_none();
}

#[test]
fn wang_and_gaos_socket_is_the_oracles() {
    let model = model("wang-gao-2023").expect("the model");
    let mut misses = Misses::new();
    for case in cases().iter().filter(|case| !is_power(case)) {
        let of = |key: &str| number(case, &format!("wang_gao/{key}"));
        let (cavity, ball, modulus) = (of("R1"), of("R2"), of("E_star"));
        let radius = cavity * ball / (cavity - ball);
        let hertz = 4.0 / 3.0 * modulus * f64::sqrt(radius);
        let mut pair = Pair::new(number(case, "inputs/m0"), hertz, 1.5).expect("a pair");
        pair.facts = vec![
            ("radius", radius),
            ("modulus", modulus),
            ("radius_1", ball),
            ("radius_2", cavity),
        ];
        // The order n of the pressure polynomial is the only parameter of the model that does not follow from the pair.
        let order = model.parameters.iter().find(|p| pair.fact(p.name).is_none());
        let order = order.expect("the pressure polynomial has an order").name;
        let set = [(order.to_string(), of("poly_index"))];
        let law = model.law(&pair, Damping::Restitution(of("c_r")), None, &set).expect("a law");
        let impact = collide(&law, number(case, "inputs/v0")).expect("an impact");
        let table = [
            ("post_cr", impact.restitution.newton),
            ("duration_s", impact.duration),
            ("max_force_N", impact.force_max),
            ("max_indentation_m", impact.indentation_max),
            ("time_of_max_indentation_s", impact.time_of_indentation_max),
        ];
        for (key, found) in table {
            let expected = number(case, &format!("outputs_end_at_X0/{key}"));
            misses.near(format!("{} {key}", name(case)), found, expected, 1e-8);
        }
    }
    misses.assert_none();
}
