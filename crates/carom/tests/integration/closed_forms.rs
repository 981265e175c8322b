//! Plastic impacts whose motion is known in closed form: duration and permanent indentation are checked, not only the rebound.

use carom::{Damping, Pair, collide, model};
use std::f64::consts::PI;

/// Duration of one phase of a Hertzian impact divided by indentation_max/speed: √π·Γ(7/5)/Γ(9/10).
const HERTZ_HALF: f64 = 1.471_637_592_162_5;

#[track_caller]
fn near(found: f64, exact: f64, tolerance: f64, what: &str) {
    assert!((found / exact - 1.0).abs() < tolerance, "{what}: {found:e} is not {exact:e}");
}

#[test]
fn two_springs_of_walton_and_braun_last_as_long_as_their_quarter_periods() {
    for e in [0.95, 0.5, 0.2, 0.05] {
        let (mass, stiffness, speed) = (0.37, 1e7, 0.7);
        let pair = Pair::new(mass, stiffness, 1.0).unwrap();
        let law = model("walton-braun-1986").unwrap();
        let law = law.law(&pair, Damping::Restitution(e), None, &[]).unwrap();
        let impact = collide(&law, speed).unwrap();
        let quarter = (mass / stiffness).sqrt();
        let depth = speed * quarter;
        near(impact.restitution.newton, e, 1e-9, "restitution");
        near(impact.duration, 0.5 * PI * quarter * (1.0 + e), 1e-9, "duration");
        near(impact.indentation_max, depth, 1e-10, "depth");
        near(impact.residual_indentation, depth * (1.0 - e * e), 1e-9, "dent");
    }
}

#[test]
fn goldsmiths_recovery_is_a_hertzian_rebound_from_the_dent() {
    for e in [0.9, 0.6, 0.3] {
        let (mass, stiffness, speed) = (0.54, 2.4144e10, 0.5);
        let pair = Pair::new(mass, stiffness, 1.5).unwrap();
        let law = model("goldsmith-1960").unwrap();
        let law = law.law(&pair, Damping::Restitution(e), None, &[]).unwrap();
        let impact = collide(&law, speed).unwrap();
        let depth = (1.25 * mass * speed * speed / stiffness).powf(0.4);
        near(impact.duration, HERTZ_HALF * depth / speed * (1.0 + e), 1e-8, "duration");
        near(impact.residual_indentation, depth * (1.0 - e * e), 1e-8, "dent");
        near(impact.force_max, stiffness * depth.powf(1.5), 1e-9, "force");
    }
}

#[test]
fn a_law_too_stiff_to_follow_is_an_error_and_not_a_contact_that_never_ends() {
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    let set = [("b1".to_string(), 1e-5), ("relaxation".to_string(), 1e12)];
    let law = model("xiong-2014").unwrap().law(&pair, Damping::None, None, &set).unwrap();
    let error = collide(&law, 0.5).unwrap_err().to_string();
    assert!(error.contains("too stiff"), "{error}");
}

#[test]
fn a_law_that_makes_energy_says_how_much() {
    let pair = Pair::new(1.0, 1e6, 1.5).unwrap();
    let impact = |b2: f64| {
        let set = [("relaxation", 100.0), ("b1", 1e-3), ("b2", b2)];
        let set = set.map(|(name, value)| (name.to_string(), value));
        let law = model("xiong-2014").unwrap().law(&pair, Damping::None, None, &set).unwrap();
        collide(&law, 1.0).unwrap()
    };
    assert!(impact(1.0).notes.is_empty());
    let made = impact(1e6);
    let e = made.restitution.newton;
    match made.notes.as_slice() {
        [note @ carom::impact::Note::Gain { gained }] => {
            near(*gained, 0.5 * (e * e - 1.0), 1e-8, "energy gained");
            assert_eq!(note.kind(), "gain");
        }
        other => panic!("{other:?} at e = {e}"),
    }
}
