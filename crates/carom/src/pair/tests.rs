//! Tests of pairs that are created from bodies.

use super::*;

fn steel() -> Material {
    *material("steel").unwrap()
}

fn body(shape: Shape) -> Body {
    Body::new(shape, steel())
}

const BALL: Shape = Sphere { radius: 0.0127 };

#[test]
fn a_ball_on_a_plane_has_hertz_numbers_and_all_facts() {
    let pair = Pair::of(&body(BALL), &body(Plane)).unwrap();
    let modulus = 210e9 / (2.0 * 0.91);
    assert!((pair.fact("modulus").unwrap() / modulus - 1.0).abs() < 1e-15);
    assert!((pair.stiffness / (4.0 / 3.0 * modulus * 0.0127f64.sqrt()) - 1.0).abs() < 1e-15);
    assert!((pair.mass / (7850.0 * BALL.volume().unwrap()) - 1.0).abs() < 1e-15);
    for (name, value) in [
        ("radius", Some(0.0127)),
        ("radius_1", Some(0.0127)),
        ("radius_2", None),
        ("youngs_1", Some(210e9)),
        ("poisson_2", Some(0.30)),
        ("density_1", Some(7850.0)),
        ("yield_2", Some(235e6)),
        ("length", None),
    ] {
        assert_eq!(pair.fact(name), value, "{name}");
    }
}

#[test]
fn facts_are_those_that_are_declared() {
    let roller = body(Cylinder { radius: 0.005, length: 0.01 });
    for pair in [Pair::of(&body(BALL), &body(BALL)), Pair::of(&roller, &roller)] {
        for (name, value) in pair.unwrap().facts {
            assert!(FACTS.iter().any(|fact| fact.0 == name) && value.is_finite(), "{name}");
        }
    }
}

#[test]
fn the_order_of_the_bodies_does_not_matter() {
    let glass = *material("glass").unwrap();
    let ball = Body::new(BALL, glass);
    for seat in [Plane, Socket { radius: 0.02 }, Bore { radius: 0.02, length: 0.1 }] {
        assert_eq!(Pair::of(&ball, &body(seat)).unwrap(), Pair::of(&body(seat), &ball).unwrap());
    }
    let pair = Pair::of(&body(Socket { radius: 0.02 }), &ball).unwrap();
    assert_eq!((pair.fact("radius_1"), pair.fact("radius_2")), (Some(0.0127), Some(0.02)));
    assert_eq!(pair.fact("youngs_1"), Some(69e9));
    let roller = body(Cylinder { radius: 0.005, length: 0.01 });
    let (one, two) = (Pair::of(&ball, &roller).unwrap(), Pair::of(&roller, &ball).unwrap());
    assert_eq!((one.stiffness, one.mass), (two.stiffness, two.mass));
    assert_eq!(one.fact("radius"), None, "an ellipse has no single radius");
}

#[test]
fn a_ball_on_a_wide_cylinder_is_a_ball_on_a_plane() {
    let plane = Pair::of(&body(BALL), &body(Plane)).unwrap().stiffness;
    let wide = body(Cylinder { radius: 1e9, length: 1.0 }).with_mass(f64::INFINITY);
    let k = Pair::of(&body(BALL), &wide).unwrap().stiffness;
    assert!((k / plane - 1.0).abs() < 1e-8);
    // The surface of a cylinder curves away from the ball, that of a bore towards it.
    let shaft = body(Cylinder { radius: 0.02, length: 1.0 });
    let bore = body(Bore { radius: 0.02, length: 1.0 });
    assert!(Pair::of(&body(BALL), &shaft).unwrap().stiffness < plane);
    assert!(Pair::of(&body(BALL), &bore).unwrap().stiffness > plane);
}

#[test]
fn a_line_contact_is_as_long_as_the_shorter_body() {
    let roller = body(Cylinder { radius: 0.005, length: 0.01 });
    let race = body(Bore { radius: 0.05, length: 0.012 });
    let pair = Pair::of(&race, &roller).unwrap();
    assert_eq!(pair.exponent, 10.0 / 9.0);
    assert_eq!((pair.fact("length"), pair.fact("radius_2")), (Some(0.01), Some(0.05)));
    assert!((pair.fact("radius").unwrap() - 0.05 / 9.0).abs() < 1e-15);
    assert_eq!(pair.stiffness, Pair::of(&roller, &body(Plane)).unwrap().stiffness);
}

#[test]
fn a_rigid_partner_halves_the_compliance_and_has_no_facts() {
    let rigid = Body::new(Plane, Material::RIGID);
    let soft = Pair::of(&body(BALL), &body(Plane)).unwrap();
    let hard = Pair::of(&body(BALL), &rigid).unwrap();
    assert!((hard.stiffness / soft.stiffness - 2.0).abs() < 1e-14);
    for name in ["youngs_2", "poisson_2", "density_2", "yield_2"] {
        assert_eq!(hard.fact(name), None);
    }
    let hammer = Body::new(BALL, Material::RIGID);
    assert!(Pair::of(&hammer, &body(Plane)).unwrap_err().is_missing());
    assert!(Pair::of(&hammer.with_mass(1.0), &body(Plane)).is_ok());
    assert!(Pair::of(&hammer.with_mass(1.0), &rigid).unwrap_err().is_unsupported());
}

#[test]
fn a_held_body_and_a_moving_ground_count_as_such() {
    let ball = body(BALL).with_mass(2.0);
    assert_eq!(Pair::of(&ball, &body(BALL).with_mass(2.0)).unwrap().mass, 1.0);
    assert_eq!(Pair::of(&ball, &body(BALL).with_mass(f64::INFINITY)).unwrap().mass, 2.0);
    assert_eq!(Pair::of(&ball, &body(Plane).with_mass(2.0)).unwrap().mass, 1.0);
}

#[test]
fn a_square_punch_is_linear() {
    let punch = body(SquarePunch { half_side: 0.01 }).with_mass(0.3);
    let pair = Pair::of(&punch, &body(Plane)).unwrap();
    assert_eq!(pair.exponent, 1.0);
    let uniform = 0.01 * pair.fact("modulus").unwrap() / 0.473_201_004_409_338_5;
    assert!((pair.stiffness / uniform - 1.0).abs() < 1e-15);
    assert!(Pair::of(&punch, &punch).is_ok());
    let other = body(SquarePunch { half_side: 0.02 }).with_mass(0.3);
    assert!(Pair::of(&punch, &other).unwrap_err().is_unsupported());
}

#[test]
fn what_does_not_fit_is_refused() {
    let ball = body(BALL);
    assert!(Pair::of(&ball, &body(Socket { radius: 0.0127 })).unwrap_err().is_invalid());
    assert!(Pair::of(&ball, &body(Bore { radius: 0.01, length: 0.1 })).unwrap_err().is_invalid());
    assert!(Pair::of(&body(Plane), &body(Plane)).unwrap_err().is_unsupported());
    let error = Pair::of(&ball, &body(SquarePunch { half_side: 0.1 })).unwrap_err();
    assert!(error.to_string().contains("contact of a sphere and a square-punch"), "{error}");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Pair::of(&body(Sphere { radius: bad }), &body(Plane)).is_err());
        let roller = body(Cylinder { radius: 0.01, length: bad });
        assert!(Pair::of(&roller, &body(Plane)).is_err());
        let material = Material { youngs: bad, ..steel() };
        assert!(
            Pair::of(&Body::new(BALL, material), &body(Plane)).is_err() || bad == f64::INFINITY
        );
        let material = Material { yield_strength: Some(bad), ..steel() };
        assert!(Pair::of(&Body::new(BALL, material), &body(Plane)).is_err());
        let material = Material { poisson: bad, ..steel() };
        assert!(Pair::of(&Body::new(BALL, material), &body(Plane)).is_err() || bad == 0.0);
    }
}
