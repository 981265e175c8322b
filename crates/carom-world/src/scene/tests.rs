//! Tests of scenes as users write them, with typical mistakes.

use super::*;

const BALL: &str = r#"
title = "ball"
[simulation]
duration = "0.1 s"
gravity = "9.81 m/s^2"
[ground]
material = "steel"
[[body]]
name = "ball"
shape = "sphere"
radius = "10 mm"
material = "steel"
position = ["0 m", "0 m", "2 cm"]
[[contact]]
between = ["ball", "ground"]
law = "hunt-crossley-1975"
restitution = 0.8
calibration = "exact"
"#;

fn parse(text: &str) -> std::result::Result<Scene, SceneError> {
    Scene::parse(text, &|_| Err("no such file".into()))
}

#[test]
fn a_ball_has_the_librarys_stiffness_and_weight() {
    let scene = parse(BALL).unwrap();
    let body = &scene.world.bodies()[1];
    let steel = carom::pair::material("steel").unwrap();
    let expected = steel.density * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
    assert!((body.mass / expected - 1.0).abs() < 1e-14);
    let ball = carom::pair::Body::new(carom::pair::Shape::Sphere { radius: 0.01 }, *steel);
    let ground = carom::pair::Body::new(carom::pair::Shape::Plane, *steel);
    let pair = carom::Pair::of(&ball, &ground).unwrap();
    let law = scene.world.contacts()[0].law_source.law(body.mass, None).unwrap();
    assert!((law.power().unwrap().stiffness / pair.stiffness - 1.0).abs() < 1e-14);
    assert_eq!(scene.world.gravity, Vec3::new(0.0, 0.0, -9.81));
    assert_eq!((scene.duration, scene.sample), (0.1, 1e-4));
}

#[test]
fn mistakes_in_mechanisms_are_found() {
    let base = "[simulation]\nduration = 1\n[[body]]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = \"hinge\"\n\
                kind = \"revolute\"\nbetween = [\"arm\", \"ground\"]\naxis = [0, 0, 1]\n";
    #[rustfmt::skip] // a table is read by rows
    let cases = [
        ("axis = [0, 0, 1]", "axis = [0, 1]", "line 11: axis = 2 numbers is not allowed: axis must be three numbers"),
        ("duration = 1", "duration = 1\ngravity = [0, -9.81]", "line 3: gravity = 2 numbers"),
        ("duration = 1", "duration = 1\nplanar = true\ngravity = [0, -9.81]", ""),
        ("duration = 1\n", "duration = 1\nplanar = true\n[[joint]]\nkind = \"revolute\"\nbetween = [\"arm\", \"ground\"]\naxis = [0, 1, 0]\n", "bodies of a planar scene turn about z"),
        ("duration = 1\n", "duration = 1\nplanar = true\n[[joint]]\nkind = \"prismatic\"\nbetween = [\"arm\", \"ground\"]\n", "do not move along z"),
        ("\"revolute\"", "\"hinge\"", "line 9: no kind of joint `hinge`; use one of fixed, revolute"),
        ("[[joint]]", "[[joint]]\nname = \"hinge\"\nkind = \"fixed\"\nbetween = [\"arm\", \"ground\"]\n[[joint]]", "line 12: name = hinge is not allowed: name must be new"),
        ("axis = [0, 0, 1]", "axis = [0, 0, 1]\nspring = { stiffness = \"1 N/m\" }",
         "stiffness must be an energy or a torque, in J; `N/m` measures a stiffness or surface energy, in N/m; write for example `2.5 N m`"),
        ("axis = [0, 0, 1]", "axis = [0, 0, 1]\nspring = 3", "spring must be a table; write spring = { … } with keys of coordinate, stiffness, damping, rest"),
        ("axis = [0, 0, 1]", "axis = [0, 0, 1]\nsecond_axis = [1, 0, 0]", "line 12: `second_axis` beside the other keys is not supported: allowed here: angle, axis"),
        ("mass = 1", "mass = 1\nmotion = { file = \"quake.csv\", interval = 1 }", "no such file"),
        ("mass = 1", "mass = 1\nfixed = true\nmotion = { rate = 1 }", "line 6: fixed = true together with motion, path or turn"),
        ("[[joint]]", "[[force]]\nbody = \"ground\"\ndirection = [1, 0, 0]\nstart = 1\n[[joint]]", "a force on `ground`, which cannot move,"),
        ("[[joint]]", "[[spring]]\nbetween = [\"arm\", \"arm\"]\nfrom = [1, 0, 0]\nstiffness = 1\n[[joint]]", "a spring between bodies that cannot move against each other"),
        ("[[joint]]", "[[sensor]]\nname = \"s\"\nmeasure = \"slide\"\njoint = \"hinge\"\n[[joint]]", "line 9: `slide` of joint `hinge`, which is revolute,"),
        ("[[joint]]", "[[sensor]]\nname = \"s\"\nmeasure = \"angle\"\njoint = \"hinge\"\naxes = \"body\"\n[[joint]]", "line 11: `axes` beside the other keys is not supported"),
        ("[[joint]]", "[[sensor]]\nname = \"s\"\nmeasure = \"velocity\"\nbody = \"arm\"\nrelative_to = \"arm\"\n[[joint]]", "relative_to must be another body"),
    ];
    for (from, to, expected) in cases {
        let text = base.replacen(from, to, 1);
        match parse(&text) {
            Ok(_) => assert_eq!(expected, "", "{text}"),
            Err(error) => {
                let error = error.to_string();
                assert!(!expected.is_empty() && error.contains(expected), "{error}\n{text}");
            }
        }
    }
}

#[test]
fn mistakes_are_found_with_line_and_suggestion() {
    #[rustfmt::skip] // a table is read by rows
    let cases = [
        ("radius = \"10 mm\"", "raduis = \"10 mm\"", "line 11: no key `raduis`; did you mean `radius`?"),
        ("radius = \"10 mm\"", "radius = \"10 kg\"", "line 11: radius = 10 kg is not allowed"),
        ("radius = \"10 mm\"", "radius = -1", "line 11: radius of the sphere = -1"),
        ("radius = \"10 mm\"", "radius = [1]", "line 11: radius = an array"),
        ("name = \"ball\"", "name = \"ball\"\nnmae = 1", "line 10: no key `nmae`; did you mean `name`?"),
        ("\"hunt-crossley-1975\"", "\"hunt-crosley-1975\"", "did you mean `hunt-crossley-1975`?"),
        ("[\"ball\", \"ground\"]", "[\"bal\", \"ground\"]", "no shape `bal`; did you mean `ball`?"),
        ("[\"ball\", \"ground\"]", "\"ball\"", "between = a string"),
        ("\"sphere\"", "\"shpere\"", "line 10: no shape `shpere`; did you mean `sphere`?"),
        ("duration = \"0.1 s\"", "", "duration is missing"),
        ("duration = \"0.1 s\"", "duration = nan", "duration = NaN"),
        ("material = \"steel\"\nposition", "material = \"stel\"\nposition", "did you mean `steel`?"),
        ("restitution = 0.8", "restitution = 1.8", "line 17: restitution = 1.8 is not allowed"),
        ("restitution = 0.8", "exponent = 1.5", "stiffness is missing"),
        ("restitution = 0.8", "restituton = 0.8", "line 17: no key `restituton`; did you mean `restitution`?"),
        ("restitution = 0.8", "", "a calibration needs one; give restitution = E"),
        ("material = \"steel\"\nposition", "mas = 1\nposition", "line 12: no key `mas`; did you mean `mass`?"),
        ("material = \"steel\"\n[[body]]", "materal = \"steel\"\n[[body]]", "line 7: no key `materal`; did you mean `material`?"),
        ("between = [", "betwen = [", "line 15: no key `betwen`; did you mean `between`?"),
        ("[[contact]]", "[[contact]]\nbetween = [\"ground\", \"ball\"]\nlaw = \"hertz-1881\"\n[[contact]]", "contact 2 between `ball` and `ground`, which contact 1 (`ground-ball`) joins already"),
        ("name = \"ball\"", "name = \"ball\"\nfixed = true\nvelocity = [0, 0, 1]", "line 11: velocity of `ball`, which forces do not move, is not supported"),
        ("name = \"ball\"", "name = \"ball\"\ninertia = 0.02", "inertia = a float is not allowed: inertia must be a list of numbers; for example [\"0.1 kg m^2\", 0.2, 0.3]"),
        ("gravity = \"9.81 m/s^2\"", "planar = true\n[[body]]\nname = \"disc\"\nmass = 1\ninertia = [1, 1, 1]\nspin = [0, 1, 0]", "line 10: spin of `disc` out of the plane"),
        ("[[contact]]", "[[contact]", "this is not TOML"),
    ];
    for (from, to, expected) in cases {
        assert!(BALL.contains(from), "{from}");
        let error = parse(&BALL.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\nnot: {expected}");
        assert!(error.starts_with("line ") && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_misspelt_stiffness_is_not_a_missing_material() {
    let text = HULL.replace("stiffness", "stifness").replace("exponent = 1.5\n", "");
    let error = parse(&text).unwrap_err().to_string();
    assert_eq!(error, "line 18: no key `stifness`; did you mean `stiffness`?");
}

const HULL: &str = r#"
[simulation]
duration = "0.1 s"
[[body]]
name = "wedge"
shape = "hull"
points = [[0, 0, 0], ["60 mm", 0, 0], [0, "60 mm", 0], [0, 0, "60 mm"]]
density = "1000 kg/m^3"
position = [0, 0, 1]
[[body]]
name = "block"
shape = "box"
size = [1, 1, 0.1]
fixed = true
[[contact]]
between = ["wedge", "block"]
law = "hunt-crossley-1975"
stiffness = "1e8 N/m^1.5"
exponent = 1.5
restitution = 0.5
"#;

#[test]
fn mass_and_centre_of_a_hull_follow_from_its_points() {
    let scene = parse(HULL).unwrap();
    let (body, placed) = (&scene.world.bodies()[1], &scene.world.shapes()[1]);
    assert!((body.mass - 1000.0 * 0.06f64.powi(3) / 6.0).abs() < 1e-15);
    assert!((placed.position + Vec3::new(0.015, 0.015, 0.015)).length() < 1e-15);
    assert_eq!(body.position, Vec3::Z);
    // Products of inertia are included: about the centre of a corner tetrahedron they are m·a²/80.
    assert!((body.inertia[0].y - body.mass * 0.06 * 0.06 / 80.0).abs() < 1e-15);
    // The points of a fixed hull are used as written.
    let fixed = HULL.replace("density = \"1000 kg/m^3\"\nposition", "fixed = true\nposition");
    let fixed = fixed.replace("size = [1, 1, 0.1]\nfixed = true", "size = [1, 1, 0.1]\nmass = 1");
    let scene = parse(&fixed).unwrap();
    assert_eq!(scene.world.shapes()[1].position, Vec3::ZERO);
}

#[test]
fn mistakes_in_hulls_are_refused() {
    let points = "points = [[0, 0, 0], [\"60 mm\", 0, 0], [0, \"60 mm\", 0], [0, 0, \"60 mm\"]]";
    let cases = [
        ("", "line 4: points is missing"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]", "line 7: points = 3 points"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "line 7: points = a flat hull"),
        ("points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0]]", "points 3 and 5"),
        (
            "points = [[0, 0, 0], [1, 0], [0, 1, 0], [0, 0, 1]]",
            "line 7: points = a point of 2 numbers",
        ),
        ("points = [0, 0, 0, 1, 0, 0]", "line 7: points = an integer"),
        ("points = [[0, 0, 0], [\"1 kg\", 0, 0], [0, 1, 0], [0, 0, 1]]", "line 7: points = 1 kg"),
        ("points = [[0, 0, nan], [1, 0, 0], [0, 1, 0], [0, 0, 1]]", "line 7: points"),
    ];
    for (with, expected) in cases {
        let text = parse(&HULL.replace(points, with)).unwrap_err().to_string();
        assert!(text.contains(expected), "{text}\nwanted: {expected}");
    }
}

#[test]
fn velocities_that_joints_do_not_allow_are_noted() {
    let notes = |velocity: &str| {
        let text = format!(
            "[simulation]\nduration = 1\n[[body]]\nname = \"p\"\nmass = 1\ninertia = [1e-3, 2e-3, 3e-3]\n\
             position = [0.1, 0, 0]\n{velocity}\n[[joint]]\nkind = \"revolute\"\nbetween = [\"p\", \"ground\"]\n\
             point = [0, 0, 0]\n"
        );
        let scene = parse(&text).unwrap();
        crate::Run::new(&scene.world).unwrap().state().notes().to_vec()
    };
    assert_eq!(notes(""), []);
    assert_eq!(notes("velocity = [0, 1, 0]\nspin = [0, 0, 10]"), []);
    // Of v = (1, 1, 0), the projection leaves the rotation about z, for which m·a·v_y = (I + m·a²)·ω.
    let left = 0.5 * f64::powi(0.1, 2) / (3e-3 + 0.01);
    match notes("velocity = [1, 1, 0]").as_slice() {
        [note @ crate::Note::Start { name, before, after, .. }] => {
            assert_eq!((name.as_str(), *before, note.kind()), ("p", 1.0, "start"));
            assert!((after / left - 1.0).abs() < 1e-12, "{after} {left}");
        }
        other => panic!("{other:?}"),
    }
}

const ROLLER: &str = r#"
[simulation]
duration = "0.05 s"
gravity = 9.81
[ground]
material = "steel"
[[body]]
name = "roller"
shape = "cylinder"
radius = "10 mm"
length = "50 mm"
position = [0, 0, "30 mm"]
material = "steel"
[[contact]]
between = ["roller", "ground"]
law = "tsuji-1992"
restitution = 0.5
"#;

#[test]
fn the_law_of_a_cylinders_side_is_not_used_for_its_end() {
    // The cylinder stands upright and falls 5 mm onto its end.
    let scene = parse(ROLLER).unwrap();
    let error = crate::Run::new(&scene.world).unwrap().advance(0.05).unwrap_err().to_string();
    assert!(error.contains("flat end") && error.contains("give stiffness"), "{error}");
    // The time of the fall is √(2·5 mm/g).
    assert!(error.starts_with("contact `roller-ground` at t = 0.031928 s: "), "{error}");
    let lying = ROLLER
        .replace(
            "length =",
            "rotation = { axis = [1, 0, 0], angle = 1.5707963267948966 }\nlength =",
        )
        .replace("\"30 mm\"", "\"11 mm\"");
    let scene = parse(&lying).unwrap();
    crate::Run::new(&scene.world).unwrap().advance(0.02).unwrap();
    let given = ROLLER.replace("restitution", "stiffness = \"1e8 N/m\"\nexponent = 1\nrestitution");
    let scene = parse(&given).unwrap();
    crate::Run::new(&scene.world).unwrap().advance(0.035).unwrap();
}

#[test]
fn rounding_alone_does_not_open_the_ledger() {
    let text = "[simulation]\nduration = 1\ngravity = 9.81\n[[body]]\nname = \"p\"\nmass = 1\n\
                inertia = [1e-3, 2e-3, 3e-3]\nposition = [0.1, 0, 0]\n[[joint]]\nkind = \"fixed\"\n\
                between = [\"p\", \"ground\"]\npoint = [0, 0, 0]\n";
    let scene = parse(text).unwrap();
    let mut run = crate::Run::new(&scene.world).unwrap();
    run.advance(scene.duration).unwrap();
    let (state, world) = (run.state(), &scene.world);
    let allowed = state.rounding(world);
    // The bound is a billionth of the energy that the body would gain in a fall by its own size.
    assert!(state.energies(world).error.abs() < allowed && allowed < 1e-9 * 9.81 * 0.1);
}

#[test]
fn an_own_law_is_read_beside_the_scene() {
    let files = |name: &str| match name {
        "buffer.toml" => {
            Ok("name = \"scene-buffer\"\nspring = \"K*delta + K3*delta^3\"\n[parameters]\n\
             K = \"1e6 N/m\"\nK3 = \"1e13 N/m^3\"\n"
                .to_string())
        }
        "curve.toml" => Ok("name = \"scene-curve\"\ncurve = \"curve.csv\"\n".to_string()),
        "curve.csv" => Ok("indentation_mm,force_N\n0,0\n0.1,20\n0.5,150\n1,400\n".to_string()),
        _ => Err("no such file".to_string()),
    };
    let scene = |law: &str| {
        BALL.replace("hunt-crossley-1975", law)
            .replace("calibration = \"exact\"", "")
            .replace("9.81 m/s^2", "0 m/s^2")
            .replace(
                "material = \"steel\"\nposition",
                "mass = 0.5\nvelocity = [0, 0, -0.4]\nposition",
            )
    };
    for law in ["buffer.toml", "curve.toml", "buffer.toml+linear-equivalent"] {
        let scene = Scene::parse(&scene(law), &files).unwrap();
        let mut run = crate::Run::new(&scene.world).unwrap();
        run.advance(0.1).unwrap();
        let velocity = run.state().body(&scene.world, 1).unwrap().velocity.z;
        assert!((velocity - 0.4 * 0.8).abs() < 1e-6, "{law}: {velocity}");
    }
    let error = Scene::parse(&scene("missing.toml"), &files).unwrap_err().to_string();
    assert!(error.contains("missing.toml") && error.contains("beside the scene"), "{error}");
}
