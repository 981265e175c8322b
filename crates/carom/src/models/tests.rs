//! Tests of the laws with special forms: what they deliver, by plain integration of the impact.

use std::f64::consts::PI;

use crate::law::check::{impact, near};
use crate::law::{Exit, Force, Law, Work};
use crate::model::{Damping, Input};
use crate::{Pair, model};

/// Returns a pair with all properties that the laws need; `exponent` is 1 for the linear laws.
fn steel(exponent: f64) -> Pair {
    let facts = vec![
        ("radius", 0.01),
        ("modulus", 1.129e11),
        ("radius_1", 0.02),
        ("radius_2", 0.0205),
        ("youngs_1", 2.07e11),
        ("youngs_2", 2.07e11),
        ("poisson_1", 0.29),
        ("length", 0.01),
    ];
    Pair { facts, ..Pair::new(0.5, if exponent == 1.0 { 1e8 } else { 2.4e10 }, exponent).unwrap() }
}

fn set(values: &[(&str, f64)]) -> Vec<(String, f64)> {
    values.iter().map(|&(name, value)| (name.to_string(), value)).collect()
}

type Values = &'static [(&'static str, f64)];

/// Parameters that each law needs in addition to the pair if no restitution is specified.
const ALONE: &[(&str, f64, Values)] = &[
    ("goldsmith-1960", 1.5, &[("permanent_indentation", 1e-5)]),
    ("lankarani-nikravesh-1994", 1.5, &[]),
    ("thornton-1997", 1.5, &[("limiting_pressure", 2e9)]),
    ("yigit-2011", 1.5, &[("yield_indentation", 1e-6)]),
    ("yigit-linear-2011", 1.5, &[("yield_indentation", 1e-6)]),
    ("gonthier-volumetric-2004", 1.5, &[("volume_stiffness", 1e14)]),
    ("roy-carretero-2012", 1.5, &[("damping_modulus_1", 1e5), ("damping_modulus_2", 1e5)]),
    ("xiong-2014", 1.5, &[("relaxation", 1e5), ("b1", 1e-5)]),
    (
        "jian-2019",
        1.5,
        &[("equilibrium_shear_modulus", 1e10), ("viscosity", 1e5), ("relaxation_time", 1e-5)],
    ),
    (
        "jian-sinusoidal-2019",
        1.5,
        &[("equilibrium_shear_modulus", 1e10), ("viscosity", 1e5), ("relaxation_time", 1e-5)],
    ),
    ("zhang-2022-approximate", 1.5, &[]),
    ("hertz-internal", 1.5, &[]),
    ("johnson-cylinder-1985", 1.5, &[]),
    ("liu-2006", 1.5, &[]),
    ("wang-gao-2023", 1.5, &[]),
    ("jkr-1971", 1.5, &[("work_of_adhesion", 1.0)]),
    ("dmt-1975", 1.5, &[("work_of_adhesion", 1.0)]),
    ("walton-braun-1986", 1.0, &[("stiffness_slope", 1e3)]),
    ("luding-2008", 1.0, &[("cohesion_stiffness", 1e7), ("unloading_stiffness", 1.5e8)]),
    ("johnson-1985", 1.5, &[("dynamic_pressure", 2e9)]),
    ("kogut-etsion-2002", 1.5, &[("yield_strength", 7e8)]),
    ("jackson-green-2005", 1.5, &[("yield_strength", 7e8)]),
    ("zunker-kamrin-2024", 1.5, &[("yield_strength", 7e8)]),
    ("thakur-2014", 1.5, &[("adhesion_stiffness", 1e9), ("contact_plasticity", 0.3)]),
    ("steuermann-1939", 1.5, &[]),
    ("muthukumar-desroches-2006", 1.5, &[]),
];

struct Bounce(f64, f64, Exit);
impl Work for Bounce {
    type Output = f64;
    fn run<F: Force>(self, form: F) -> f64 {
        impact(form, self.0, self.1, self.2, 1e-4)[0]
    }
}

fn bounce(law: &Law) -> f64 {
    law.with(Bounce(law.mass, 0.4, law.exit))
}

#[test]
fn every_law_stands_alone_and_pushes() {
    for &(id, exponent, values) in ALONE {
        let model = model(id).unwrap();
        let stands_in = values.iter().any(|(name, _)| model.stands_in.contains(name));
        let damping = match model.input == Input::Restitution && !stands_in {
            true => Damping::Restitution(0.7),
            false => Damping::None,
        };
        let law = model.law(&steel(exponent), damping, None, &set(values)).unwrap();
        let e = bounce(&law);
        assert!((0.05..=1.2).contains(&e), "{id} returns {e}");
        // With a pair without properties the law is either built, or the error says which property is missing.
        let bare = Pair { facts: Vec::new(), ..steel(exponent) };
        if let Err(error) = model.law(&bare, damping, None, &set(values)) {
            assert!(error.is_missing(), "{id}: {error}");
        }
    }
}

#[test]
fn laws_that_balance_energy_deliver_what_is_asked_either_way() {
    for (id, exponent) in [
        ("goldsmith-1960", 1.5),
        ("lankarani-nikravesh-1994", 1.5),
        ("thornton-1997", 1.5),
        ("yigit-linear-2011", 1.5),
        ("zhang-2022-approximate", 1.5),
        ("walton-braun-1986", 1.0),
    ] {
        let values =
            if id == "yigit-linear-2011" { set(&[("yield_indentation", 1e-6)]) } else { vec![] };
        let model = model(id).unwrap();
        for damping in [Damping::Restitution(0.6), Damping::Exact(0.6)] {
            let law = model.law(&steel(exponent), damping, None, &values).unwrap();
            near(bounce(&law), 0.6, 1e-5);
        }
        let error =
            model.law(&steel(exponent), Damping::Coefficient(1.0), None, &values).unwrap_err();
        assert!(error.is_unsupported(), "{error}");
    }
    for id in [
        "yigit-2011",
        "muthukumar-desroches-2006",
        "johnson-1985",
        "kogut-etsion-2002",
        "jackson-green-2005",
        "zunker-kamrin-2024",
    ] {
        let law = model(id).unwrap().law(&steel(1.5), Damping::Exact(0.6), None, &[]);
        near(bounce(&law.unwrap()), 0.6, 1e-5);
    }
    for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
        for (id, exponent, cohesion) in [
            ("luding-2008", 1.0, ("cohesion_stiffness", 2e7)),
            ("thakur-2014", 1.5, ("adhesion_stiffness", 4e9)),
        ] {
            let (model, values) = (model(id).unwrap(), set(&[cohesion]));
            let law = model.law(&steel(exponent), Damping::Exact(0.6), Some(exit), &values);
            near(bounce(&law.unwrap()), 0.6, 1e-5);
        }
    }
}

#[test]
fn wang_and_gao_deliver_what_the_table_says() {
    let facts = vec![("modulus", 112894420788.29565), ("radius_1", 0.05), ("radius_2", 0.0505)];
    let pair = Pair { facts, ..Pair::new(1.0, 1.0, 1.5).unwrap() };
    let law = |e| model("wang-gao-2023").unwrap().law(&pair, Damping::Restitution(e), None, &[]);
    let post = |e| law(e).unwrap().with(Bounce(1.0, 0.3, Exit::ZeroForce));
    near(post(0.5), 0.479388, 1e-5);
    near(post(0.9), 0.896887, 1e-5);
}

#[test]
fn areas_and_profiles_of_a_sphere_give_hertz() {
    let (pair, radius) = (steel(1.5), 0.01_f64);
    let hertz = 4.0 / 3.0 * 1.129e11 * radius.sqrt();
    let growing =
        [("area_growth", 2.0 * PI * radius), ("case_coefficient", 4.0 * 2f64.sqrt() / (3.0 * PI))];
    for (id, damping, values) in [
        ("luo-nahon-2011", Damping::Exact(0.7), &growing[..]),
        ("steuermann-1939", Damping::None, &[("index", 1.0)]),
    ] {
        let law = model(id).unwrap().law(&pair, damping, None, &set(values)).unwrap();
        let power = law.power().unwrap();
        near(power.stiffness, hertz, 1e-12);
        assert_eq!(power.elastic.value(), 1.5);
    }
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let refused = |id: &str, exponent, damping, exit, values: &[(&str, f64)]| {
        model(id).unwrap().law(&steel(exponent), damping, exit, &set(values)).unwrap_err()
    };
    let e = Damping::Exact(0.5);
    for (id, name) in [
        ("goldsmith-1960", "permanent_indentation"),
        ("thornton-1997", "limiting_pressure"),
        ("yigit-2011", "yield_indentation"),
        ("johnson-1985", "dynamic_pressure"),
        ("kogut-etsion-2002", "yield_strength"),
        ("jackson-green-2005", "yield_strength"),
        ("xiong-2014", "b1"),
        ("jian-2019", "viscosity"),
        ("roy-carretero-2012", "damping_modulus_2"),
    ] {
        let error = refused(id, 1.5, e, None, &[(name, 1e-6)]);
        assert!(error.is_unsupported() && error.to_string().contains(name), "{error}");
    }
    for id in ["liu-2006", "hertz-internal", "johnson-cylinder-1985", "jkr-1971", "dmt-1975"] {
        assert!(refused(id, 1.5, e, None, &[]).is_unsupported());
    }
    for id in ["jkr-1971", "dmt-1975"] {
        let exit = Some(Exit::ZeroForce);
        assert!(refused(id, 1.5, Damping::None, exit, &[]).is_unsupported());
    }
    for id in ["walton-braun-1986", "luding-2008"] {
        assert!(refused(id, 1.5, e, None, &[]).is_invalid());
    }
    let published = Damping::Restitution(0.5);
    for id in ["yigit-2011", "xiong-2014", "jian-2019", "roy-carretero-2012"] {
        assert!(refused(id, 1.5, published, None, &[]).is_unsupported());
    }
    assert!(refused("wang-gao-2023", 1.5, e, None, &[("radius_2", 0.019)]).is_invalid());
    assert!(
        refused("luding-2008", 1.0, Damping::None, None, &[("unloading_stiffness", 1.0)])
            .is_invalid()
    );
    assert!(
        refused("muthukumar-desroches-2006", 1.5, Damping::Exact(0.1), None, &[]).is_unreachable()
    );
    assert!(refused("goldsmith-1960", 1.5, Damping::Exact(0.0), None, &[]).is_invalid());
    let pull = [("constant_pull", 1.0)];
    assert!(refused("thakur-2014", 1.5, e, None, &pull).is_unsupported());
    let exit = Some(Exit::ZeroForce);
    assert!(refused("thakur-2014", 1.5, Damping::None, exit, &pull).is_unsupported());
    let between = [("index", 1.5)];
    assert!(refused("steuermann-1939", 1.5, Damping::None, None, &between).is_invalid());
    let areas = [("contact_area", 1e-4), ("patch_integral", 0.03), ("area_growth", 0.06)];
    assert!(refused("luo-nahon-2011", 1.5, published, None, &areas).is_unsupported());
}
