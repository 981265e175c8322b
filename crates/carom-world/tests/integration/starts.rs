//! Contacts between all bodies, meshes, assembly from joints, starts in equilibrium, and controllers.

use crate::common::{close, parse};
use carom_store::{collect, find};
use carom_world::math::Vec3;
use carom_world::measure::Reading;
use carom_world::record::BodySimulation;
use carom_world::{Note, Run, Scene};

fn refusal(text: &str) -> String {
    Scene::parse(text, &|_| Err("none".into())).unwrap_err().to_string()
}

const PILE: &str = r#"
    simulation = { duration = 0.3, gravity = 9.81, contact = "auto" }
    ground = { material = "steel" }
    body = [
        { name = "steel", shape = "sphere", radius = "1 cm", material = "steel", position = [0, 0, 0.1] },
        { name = "rubber", shape = "sphere", radius = "1 cm", material = "rubber", position = [0.1, 0, 0.1] },
        { name = "frame", mass = 1, inertia = [1, 1, 1], shape = "box", size = [0.1, 0.1, 0.1], position = [5, 0, 1] },
    ]
    joint = [{ kind = "fixed", between = ["frame", "ground"] }]
"#;

#[test]
fn all_bodies_touch_with_the_law_of_their_materials() {
    let pairs = r#"
        [[pair]]
        materials = ["steel", "steel"]
        law = "hunt-crossley-1975"
        restitution = 0.9
        calibration = "exact"
        [[pair]]
        law = "tsuji-1992"
        stiffness = "1e5 N/m^1.5"
        restitution = 0.5
        calibration = "exact"
        friction = { coefficient = 0.4 }
    "#;
    let scene = parse(&format!("{PILE}{pairs}"));
    let names: Vec<_> = scene.world.contacts().iter().map(|c| c.name.as_str()).collect();
    // Without the contact of the frame and the ground, which are connected by a joint.
    let expected = ["ground-steel", "ground-rubber", "steel-rubber", "steel-frame", "rubber-frame"];
    assert_eq!(names, expected);
    assert!(scene.world.contacts()[0].friction.is_none());
    assert!(scene.world.contacts()[1].friction.is_some());
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(0.2).unwrap();
    // Each ball has bounced once with its own restitution; the rebound differs slightly because the weight acts during the
    // contact.
    let rebounds = [1, 2].map(|body| run.state().body(&scene.world, body).unwrap());
    let drop = (2.0f64 * 9.81 * 0.09).sqrt();
    let fall = (2.0f64 * 0.09 / 9.81).sqrt();
    for (pose, restitution) in rebounds.iter().zip([0.9, 0.5]) {
        let speed = restitution * drop - 9.81 * (0.2 - fall);
        assert!((pose.velocity.z - speed).abs() < 0.05 * drop, "{pose:?} {speed}");
    }
    // A contact listed explicitly takes precedence.
    let listed =
        "[[contact]]\nbetween = [\"ground\", \"steel\"]\nname = \"own\"\nlaw = \"hertz-1881\"\n";
    let scene = parse(&format!("{PILE}{pairs}{listed}"));
    let names: Vec<_> = scene.world.contacts().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names[0], "own");
    assert_eq!(names.len(), 5);
}

#[test]
fn pairs_without_a_law_are_named() {
    let steel = "[[pair]]\nmaterials = [\"steel\", \"steel\"]\nlaw = \"hertz-1881\"\n";
    let error = refusal(&format!("{PILE}{steel}"));
    assert!(error.contains("`ground` (steel) and `rubber` (rubber)"), "{error}");
    let error = refusal(&format!(
        "{PILE}{}",
        steel.replace("\"steel\", \"steel\"", "\"steel\", \"ruber\"")
    ));
    assert!(error.contains("did you mean `rubber`"), "{error}");
    let error = refusal(&format!("{PILE}{steel}{steel}"));
    assert!(error.contains("second [[pair]]"), "{error}");
    let error =
        refusal(&format!("{}{steel}", PILE.replace("contact = \"auto\"", "planar = false")));
    assert!(error.contains("where contacts are listed"), "{error}");
}

/// Returns a bracket of two legs as OBJ text: 3 × 1 and 1 × 1, each 1 thick.
fn bracket() -> String {
    let outline = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)];
    let mut text = String::new();
    for z in [0, 1] {
        for (x, y) in outline {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    for i in 0..6 {
        let (a, b) = (i + 1, (i + 1) % 6 + 1);
        text += &format!("f {a} {b} {} {}\n", b + 6, a + 6);
    }
    text + "f 10 11 12\nf 10 12 7\nf 10 7 8\nf 10 8 9\nf 4 6 5\nf 4 1 6\nf 4 2 1\nf 4 3 2\n"
}

#[test]
fn a_concave_mesh_falls_into_the_plane_with_both_legs() {
    let text = r#"
        simulation = { duration = 1, gravity = 9.81, tolerance = 1e-6, start = "equilibrium" }
        body = [{ name = "bracket", shape = "mesh", file = "bracket.obj", unit = "1 cm", density = 2000, position = [0, 0, 0.01],
            rotation = { axis = [1, 0, 0], angle = "90 deg" } }]
        contact = [{ between = ["bracket", "ground"], law = "kelvin-voigt-1865", stiffness = "1e6 N/m", exponent = 1,
            restitution = 0.3, calibration = "exact" }]
        sensor = [{ name = "floor", measure = "contact_force", contact = "bracket-ground" }]
    "#;
    let files = |_: &str| Ok(bracket());
    let scene = Scene::parse(text, &files).unwrap();
    let body = &scene.world.bodies()[1];
    close(body.mass, 4e-6 * 2000.0, 1e-9, "mass");
    // The moment of inertia about the axis normal to the plane of the L, from its two legs (cm, then kg m²).
    let (legs, centre) = ([(3.0, 1.0, 1.5, 0.5), (1.0, 1.0, 0.5, 1.5)], (1.25, 0.75));
    let moment: f64 = legs
        .iter()
        .map(|(w, h, x, y): &(f64, f64, f64, f64)| {
            w * h * ((w * w + h * h) / 12.0 + (x - centre.0).powi(2) + (y - centre.1).powi(2))
        })
        .sum();
    close(body.inertia[2].z, moment * 1e-6 * 2000.0 * 1e-4, 1e-9, "inertia");
    assert_eq!(scene.world.contacts().len(), 2);
    // The bracket rests on the long leg; the sum of the forces of both pieces is its weight.
    let tables = collect(&mut BodySimulation::new(&scene).unwrap(), |_| Ok(())).unwrap();
    let sensors = &tables.iter().find(|(name, _)| *name == "sensors").unwrap().1;
    let force = &find(sensors, "z").unwrap().values;
    for row in 0..force.len() {
        close(-force.real(row).unwrap(), body.mass * 9.81, 1e-5, "weight");
    }
    // A missing mesh file is an error.
    let error = Scene::parse(text, &|_| Err("gone".into())).unwrap_err().to_string();
    assert!(error.contains("readable (gone)"), "{error}");
}

#[test]
fn a_linkage_is_assembled_from_points_of_its_bodies() {
    // Four bars of lengths 1 (ground), 0.4, 1.1 and 0.7, placed approximately: assembly closes the joints to rounding.
    let text = |bound: &str| {
        format!(
            r#"
            simulation = {{ duration = 0.1, planar = true, assemble = "{bound}" }}
            body = [
                {{ name = "crank", mass = 1, inertia = [1, 1, 0.02], position = [0, 0.2], rotation = {{ angle = 1.5 }} }},
                {{ name = "coupler", mass = 2, inertia = [1, 1, 0.2], position = [0.5, 0.5], rotation = {{ angle = 0.3 }} }},
                {{ name = "rocker", mass = 1, inertia = [1, 1, 0.1], position = [1.05, 0.35], rotation = {{ angle = 1.5 }} }},
            ]
            joint = [
                {{ name = "a", kind = "revolute", between = ["crank", "ground"], points = [[-0.2, 0, 0], [0, 0, 0]] }},
                {{ name = "b", kind = "revolute", between = ["coupler", "crank"], points = [[-0.55, 0, 0], [0.2, 0, 0]] }},
                {{ name = "c", kind = "revolute", between = ["rocker", "coupler"], points = [[0.35, 0, 0], [0.55, 0, 0]] }},
                {{ name = "d", kind = "revolute", between = ["rocker", "ground"], points = [[-0.35, 0, 0], [1, 0, 0]] }},
            ]
            "#
        )
    };
    let scene = parse(&text("30 cm"));
    let run = Run::new(&scene.world).unwrap();
    let end = |body: usize, x: f64| {
        let pose = run.state().body(&scene.world, body).unwrap();
        pose.position + pose.rotation.rotate(carom_world::math::Vec3::new(x, 0.0, 0.0))
    };
    let [a, b, c, d] = [end(1, -0.2), end(1, 0.2), end(3, 0.35), end(3, -0.35)];
    assert!(a.length() < 1e-12 && (d - carom_world::math::Vec3::X).length() < 1e-12);
    assert!((end(2, -0.55) - b).length() < 1e-12 && (end(2, 0.55) - c).length() < 1e-12);
    // The triangle of c, d and b closes with the lengths of the bars.
    assert!(((b - c).length() - 1.1).abs() < 1e-12 && ((c - d).length() - 0.7).abs() < 1e-12);
    let refused = |text: &str| Run::new(&parse(text).world).err().unwrap().to_string();
    let error = refused(&text("1 cm"));
    assert!(error.contains("has to be moved by") && error.contains("assemble"), "{error}");
    // These bars are too far apart to be connected.
    let short = text("50 m").replace("[[0.35, 0, 0], [0.55, 0, 0]]", "[[0.35, 0, 0], [12, 0, 0]]");
    let error = refused(&short);
    assert!(error.contains("off its joints, most of all at `"), "{error}");
    let error = refusal(&text("1 cm").replace(", assemble = \"1 cm\"", ""));
    assert!(error.contains("assemble"), "{error}");
}

#[test]
fn a_ball_begins_where_its_contact_carries_it() {
    let text = r#"
        simulation = { duration = 1, gravity = 9.81, start = "equilibrium" }
        body = [{ name = "ball", shape = "sphere", radius = "1 cm", mass = 0.1, position = [0, 0, 0.0101] }]
        contact = [{ between = ["ball", "ground"], law = "hunt-crossley-1975", stiffness = "1e8 N/m^1.5", exponent = 1.5, restitution = 0.5 }]
    "#;
    let scene = parse(text);
    let mut run = Run::new(&scene.world).unwrap();
    let depth = 0.01 - run.state().body(&scene.world, 1).unwrap().position.z;
    close(depth, (0.981f64 / 1e8).powf(2.0 / 3.0), 1e-6, "indentation");
    let notes = run.state().notes();
    assert!(notes.iter().any(|note| matches!(note, Note::Equilibrium { .. })), "{notes:?}");
    assert!(!notes.iter().any(|note| matches!(note, Note::Overlap { .. })), "{notes:?}");
    run.advance(1.0).unwrap();
    let pose = run.state().body(&scene.world, 1).unwrap();
    assert!(pose.velocity.length() < 1e-8 && (0.01 - pose.position.z - depth).abs() < 1e-10);
    // On a slope the ball would roll.
    let slope = text.replace("gravity = 9.81", "gravity = [1, 0, -9.81]");
    let error = Run::new(&parse(&slope).world).err().unwrap().to_string();
    assert!(error.contains("start in equilibrium") && error.contains("roll"), "{error}");
}

/// Returns a scene with a block of 2 kg on the ground, with an oblique direction of gravity.
fn block_on_a_slope(friction: &str) -> Scene {
    parse(&format!(
        r#"
        simulation = {{ duration = 0.5, gravity = [1.7, 0.6, -9.5], start = "equilibrium" }}
        body = [{{ name = "block", shape = "box", size = [0.1, 0.08, 0.04], mass = 2, position = [0, 0, 0.0205],
            rotation = {{ axis = [0, 0, 1], angle = 0.4 }} }}]
        contact = [{{ between = ["block", "ground"], law = "kelvin-voigt-1865", stiffness = "1e6 N/m", exponent = 1, restitution = 0.4,
            calibration = "exact", friction = {friction} }}]
        "#
    ))
}

#[test]
fn a_block_begins_at_rest_on_a_slope_where_friction_holds_it() {
    let laws = [
        "{ coefficient = 0.3 }",
        r#"{ law = "lugre", static = 0.4, dynamic = 0.3, speed = "10 mm/s", stiffness = "1e5 1/m", damping = "50 s/m" }"#,
    ];
    for friction in laws {
        let scene = block_on_a_slope(friction);
        let mut run = Run::new(&scene.world).unwrap();
        let start = run.state().body(&scene.world, 1).unwrap();
        let force = |run: &Run| {
            let sample = carom_world::Sample::of(&scene.world, run.state());
            let on_ground = |one: &carom_world::ContactForce| one.normal * one.force + one.friction;
            sample.forces().iter().map(on_ground).fold(carom_world::math::Vec3::ZERO, |a, b| a + b)
        };
        // The ground is the second body and carries the weight.
        let weight = scene.world.gravity * 2.0;
        assert!((force(&run) - weight).length() < 1e-7, "{friction}: {:?}", force(&run));
        let energies = run.state().energies(&scene.world);
        run.advance(0.5).unwrap();
        let end = run.state().body(&scene.world, 1).unwrap();
        assert!((end.position - start.position).length() < 1e-10, "{friction}");
        assert!((force(&run) - weight).length() < 1e-7, "{friction}");
        let lost = run.state().energies(&scene.world).lost_to_friction - energies.lost_to_friction;
        assert!(energies.lost_to_friction == 0.0 && lost.abs() < 1e-12, "{friction}: {lost}");
    }
    // tan 10.7° = 0.19: the first friction is too small, the second cannot carry a load at rest.
    for friction in ["{ coefficient = 0.15 }", r#"{ law = "regularised", coefficient = 0.5 }"#] {
        let scene = block_on_a_slope(friction);
        let error = Run::new(&scene.world).err().unwrap().to_string();
        assert!(error.contains("start in equilibrium") && error.contains("slide"), "{error}");
    }
}

#[test]
fn a_beam_on_a_hinge_and_a_spring_begins_level_with_its_load() {
    // A torsion spring k carries the moment m·g·l·cos θ of the weight: k·θ = −m·g·l·cos θ (downwards).
    let scene = parse(
        r#"
        simulation = { duration = 1, gravity = 9.81, planar = true, start = "equilibrium" }
        body = [{ name = "beam", mass = 2, inertia = [1, 1, 0.1], position = [0.5, 0] }]
        joint = [{ name = "hinge", kind = "revolute", between = ["beam", "ground"], point = [0, 0], spring = { stiffness = "30 N m" } }]
        "#,
    );
    let mut run = Run::new(&scene.world).unwrap();
    let angle = |run: &Run| {
        let at = run.state().body(&scene.world, 1).unwrap().position;
        at.y.atan2(at.x)
    };
    let found = angle(&run);
    assert!((30.0 * found + 9.81 * found.cos()).abs() < 1e-7, "{found}");
    run.advance(1.0).unwrap();
    assert!((angle(&run) - found).abs() < 1e-8);
}

/// The search used to wander across the joints and to end without a result, also for two levers with a spring each.
#[test]
fn a_chain_of_levers_on_torsion_springs_begins_where_the_moments_balance() {
    let scene = parse(
        r#"
        simulation = { duration = 1, gravity = 9.81, planar = true, start = "equilibrium" }
        body = [
            { name = "upper", mass = 2, inertia = [0.02, 0.02, 0.02], position = [0.2, 1] },
            { name = "lower", mass = 1, inertia = [0.01, 0.01, 0.01], position = [0.6, 1] },
        ]
        motor = [{ joint = "shoulder", effort = { start = 1.5 } }]
        [[joint]]
        name = "shoulder"
        kind = "revolute"
        between = ["upper", "ground"]
        point = [0, 1]
        spring = { stiffness = "40 N m", rest = 0.3 }
        [[joint]]
        name = "elbow"
        kind = "revolute"
        between = ["lower", "upper"]
        point = [0.4, 1]
        spring = { stiffness = "25 N m", rest = 0.2 }
        "#,
    );
    let run = Run::new(&scene.world).unwrap();
    let turned = |body: usize| {
        let q = run.state().body(&scene.world, body).unwrap().rotation;
        2.0 * q.v.z.atan2(q.w)
    };
    let (one, both) = (turned(1), turned(2));
    // The moments about the elbow and about the shoulder.
    let elbow = -25.0 * (both - one - 0.2) - 9.81 * 0.2 * both.cos();
    let levers = 2.0 * 0.2 * one.cos() + 0.4 * one.cos() + 0.2 * both.cos();
    let shoulder = 1.5 - 40.0 * (one - 0.3) - 9.81 * levers;
    assert!(elbow.abs() < 1e-8 && shoulder.abs() < 1e-8, "{one} {both}: {elbow} {shoulder}");
}

#[test]
fn a_controller_is_asked_at_its_instants_and_its_answer_held() {
    // θ'' = u/I with u held over 0.1 s: the exact recursion of a sampled double integrator with u = −4·θ − 3·θ'.
    let text = r#"
        simulation = { duration = 1, sample = 0.1, control_interval = "100 ms" }
        body = [{ name = "rotor", mass = 1, inertia = [1, 1, 2] }]
        joint = [{ name = "axle", kind = "revolute", between = ["rotor", "ground"], spring = { rest = 0 } }]
        motor = [{ name = "m", joint = "axle", controller = true }]
        sensor = [
            { name = "angle", measure = "angle", joint = "axle" },
            { name = "rate", measure = "angle_rate", joint = "axle" },
            { name = "spin", measure = "angular_velocity", body = "rotor" },
        ]
    "#;
    let scene = parse(text);
    let mut times = Vec::new();
    let mut simulation = BodySimulation::new(&scene)
        .unwrap()
        .controlled(Box::new(|time, readings| {
            times.push(time);
            let number = |name: &str| {
                let (_, reading) = readings.iter().find(|(one, _)| *one == name).unwrap();
                reading.numbers()[0]
            };
            assert!(matches!(readings[2].1, Reading::Vector(_)));
            let effort = 4.0 * (1.0 - number("angle")) - 3.0 * number("rate");
            Ok(vec![("m".to_string(), effort)])
        }))
        .unwrap();
    let tables = collect(&mut simulation, |_| Ok(())).unwrap();
    drop(simulation);
    assert_eq!(times.len(), 10, "{times:?}");
    let joints = &tables.iter().find(|(name, _)| *name == "joints").unwrap().1;
    let angles = &find(joints, "angle_rad").unwrap().values;
    let (mut angle, mut rate) = (0.0, 0.0);
    for row in 0..=10 {
        let found = angles.real(row).unwrap();
        assert!((found - angle).abs() < 1e-9, "{row}: {found} {angle}");
        let acceleration = (4.0 * (1.0 - angle) - 3.0 * rate) / 2.0;
        angle += 0.1 * rate + 0.005 * acceleration;
        rate += 0.1 * acceleration;
    }
    // No controller is given.
    let error = collect(&mut BodySimulation::new(&scene).unwrap(), |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("motor `m` without a controller"), "{error}");
    let error = refusal(&text.replace(", control_interval = \"100 ms\"", ""));
    assert!(error.contains("control_interval"), "{error}");
}

#[test]
fn a_spatial_linkage_is_assembled_from_points_of_its_bodies() {
    // A crank about z and a rocker about x, connected by a rod with two ball joints, all placed approximately. The joints must
    // close, and the angle of the rocker is the one at which the distance of the two tips equals the length of the rod, found by
    // bisection.
    let (pivot, length) = (Vec3::new(0.6, 0.1, 0.0), 0.586_f64);
    let scene = parse(&format!(
        r#"
        simulation = {{ duration = 0.1, assemble = 0.2 }}
        body = [
            {{ name = "crank", mass = 1, inertia = [0.01, 0.011, 0.012], position = [0.08, 0.07, 0.01], rotation = {{ axis = [0.05, 0, 1], angle = 0.7 }} }},
            {{ name = "rod", mass = 0.6, inertia = [0.002, 0.02, 0.02], position = [0.38, 0.06, 0.14], rotation = {{ axis = [0, -1, -0.2], angle = 0.5 }} }},
            {{ name = "rocker", mass = 1.5, inertia = [0.02, 0.02, 0.01], position = [0.61, 0.05, 0.14], rotation = {{ axis = [1, 0.03, 0], angle = 0.35 }} }},
        ]
        joint = [
            {{ kind = "revolute", between = ["crank", "ground"], points = [[-0.1, 0, 0], [0, 0, 0]], axes = [[0, 0, 1], [0, 0, 1]] }},
            {{ kind = "spherical", between = ["rod", "crank"], points = [[{:?}, 0, 0], [0.1, 0, 0]] }},
            {{ kind = "spherical", between = ["rod", "rocker"], points = [[{:?}, 0, 0], [0, 0, 0.15]] }},
            {{ kind = "revolute", between = ["rocker", "ground"], points = [[0, 0, -0.15], [0.6, 0.1, 0]], axes = [[1, 0, 0], [1, 0, 0]] }},
        ]
        "#,
        -length / 2.0,
        length / 2.0
    ));
    let run = Run::new(&scene.world).unwrap();
    let pose = |body: usize| run.state().body(&scene.world, body).unwrap();
    let point = |body: usize, x: f64, z: f64| {
        pose(body).position + pose(body).rotation.rotate(Vec3::new(x, 0.0, z))
    };
    assert!(
        point(1, -0.1, 0.0).length() < 1e-12 && (point(3, 0.0, -0.15) - pivot).length() < 1e-12
    );
    assert!((point(2, -length / 2.0, 0.0) - point(1, 0.1, 0.0)).length() < 1e-12);
    assert!((point(2, length / 2.0, 0.0) - point(3, 0.0, 0.15)).length() < 1e-12);
    assert!((pose(1).rotation.rotate(Vec3::Z) - Vec3::Z).length() < 1e-12);
    assert!((pose(3).rotation.rotate(Vec3::X) - Vec3::X).length() < 1e-12);
    // The ends of the rod as functions of the two angles.
    let crank = point(1, 0.1, 0.0);
    let theta = crank.y.atan2(crank.x);
    let tip = |phi: f64| pivot + Vec3::new(0.0, -phi.sin(), phi.cos()) * 0.3;
    let gap =
        |phi: f64| (tip(phi) - Vec3::new(theta.cos(), theta.sin(), 0.0) * 0.2).length() - length;
    let arm = point(3, 0.0, 0.15) - pivot;
    let phi = (-arm.y).atan2(arm.z);
    let (mut low, mut high) = (phi - 0.2, phi + 0.2);
    assert!(gap(low) * gap(high) < 0.0, "{} {}", gap(low), gap(high));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gap(low) * gap(middle) <= 0.0 { high = middle } else { low = middle }
    }
    assert!((low - phi).abs() < 1e-12, "{phi} instead of {low}");
}

#[test]
fn bodies_moved_with_a_driven_body_at_the_start_are_noted() {
    // The motion of the hook begins at 5 cm, so that the rod attached to it is moved to that position.
    let text = |motion: &str| {
        format!(
            r#"
            simulation = {{ duration = 0.1, gravity = 9.81 }}
            body = [
                {{ name = "hook", position = [0, 0, 1], motion = {{ direction = [1, 0, 0], {motion} }} }},
                {{ name = "rod", mass = 1, inertia = [0.1, 0.1, 0.1], position = [0, 0, 0.8] }},
            ]
            joint = [{{ kind = "spherical", between = ["rod", "hook"], point = [0, 0, 1] }}]
            "#
        )
    };
    let moved = parse(&text("amplitude = 0.05, frequency = 10, phase = 1.5707963267948966"));
    let run = Run::new(&moved.world).unwrap();
    match run.state().notes() {
        [note @ Note::MovedAlong { name, other, distance, angle, .. }] => {
            assert_eq!((name.as_str(), other.as_str()), ("hook", "rod"));
            assert!((distance - 0.05).abs() < 1e-12 && *angle == 0.0, "{note}");
            assert!(note.to_string().contains("not 0 at t = 0"), "{note}");
        }
        other => panic!("{other:?}"),
    }
    // The joint holds the rod: its upper end is at the hook.
    let rod = run.state().body(&moved.world, 2).unwrap();
    let end = rod.position + rod.rotation.rotate(Vec3::new(0.0, 0.0, 0.2));
    assert!((end - Vec3::new(0.05, 0.0, 1.0)).length() < 1e-9, "{end:?}");
    let begins_at_0 = parse(&text("amplitude = 0.05, frequency = 10"));
    assert!(Run::new(&begins_at_0.world).unwrap().state().notes().is_empty());
}

#[test]
fn mistakes_that_were_silent_are_refused() {
    let scene = |simulation: &str, more: &str| {
        format!(
            "simulation = {{ duration = 1, {simulation} }}\nbody = [{{ name = \"b\", mass = 1, inertia = [1, 1, 1] }}]\n{more}"
        )
    };
    let cases = [
        (
            scene("gravity = -9.81", ""),
            vec!["gravity = -9.81", "a number points down", "[0, 0, 9.81]"],
        ),
        (scene("gravity = -9.81, planar = true", ""), vec!["gravity = -9.81", "[0, 9.81]"]),
        (
            scene("", "force = [{ body = \"b\", direction = [1, 0, 0] }]"),
            vec!["a value over time is missing", "give start"],
        ),
        (
            scene(
                "",
                "force = [{ body = \"b\", direction = [1, 0, 0], amplitude = 1, frequency = \"5 Hz\" }]",
            ),
            vec!["frequency = 5 Hz", "in rad/s", "31.4159"],
        ),
        (scene("", "[[bodies]]\nname = \"c\"\n"), vec!["no key `bodies`", "body"]),
        (
            scene("", "sensor = [{ name = \"s\", measure = \"contact_force\", contact = \"c\" }]"),
            vec!["no contact `c`; there are none"],
        ),
        (
            scene("", "").replace("mass = 1, inertia = [1, 1, 1]", "path = { times = [0, 1] }"),
            vec!["points is missing"],
        ),
        (
            scene("", "")
                .replace("mass = 1, inertia = [1, 1, 1]", "motion = { direction = [1, 0, 0] }"),
            vec!["a value over time is missing"],
        ),
    ];
    for (text, words) in cases {
        let error = refusal(&text);
        for word in words {
            assert!(error.contains(word), "{error}: no `{word}`");
        }
    }
}

#[test]
fn a_universal_joint_is_assembled_from_points_and_axes_of_its_bodies() {
    // Two shafts at the angle β, the second placed and turned approximately. Each arm of the cross is given in the axes of its
    // shaft: ω₂/ω₁ = cos β/(1 − sin²β·cos²φ), where φ is the angle of the driving arm from the plane of the shafts.
    let (bend, rate) = (0.6f64, 5.0);
    let text = |axes: &str| {
        format!(
            r#"
            simulation = {{ duration = 0.3, assemble = 0.1 }}
            body = [
                {{ name = "in", mass = 1, inertia = [0.02, 0.02, 0.01], position = [0, 0, -0.5] }},
                {{ name = "out", mass = 1, inertia = [0.02, 0.02, 0.01], position = [0.31, 0.01, 0.39], rotation = {{ axis = [0, 1, 0], angle = 0.57 }} }},
            ]
            joint = [
                {{ kind = "revolute", between = ["in", "ground"], angle = {{ rate = {rate} }} }},
                {{ kind = "universal", between = ["out", "in"], points = [[0, 0, -0.5], [0, 0, 0.5]], {axes} }},
                {{ kind = "revolute", between = ["out", "ground"], points = [[0, 0, -0.5], [0, 0, 0]], axes = [[0, 0, 1], [{}, 0, {}]] }},
            ]
            "#,
            bend.sin(),
            bend.cos(),
        )
    };
    let scene = parse(&text("axes = [[0, 1, 0], [1, 0, 0]]"));
    let mut run = Run::new(&scene.world).unwrap();
    for time in [0.0, 0.1, 0.3] {
        run.advance(time).unwrap();
        let (s, c) = (bend.sin(), (rate * time).cos());
        let expected = rate * bend.cos() / (1.0 - s * s * c * c);
        let spin = run.state().body(&scene.world, 2).unwrap().spin;
        close(spin.length(), expected, 1e-8, "rate of the driven shaft");
        assert!((spin.unit().unwrap() - Vec3::new(s, 0.0, bend.cos())).length() < 1e-9, "{spin:?}");
    }
    let error = refusal(&text(""));
    assert!(error.contains("axes is missing") && error.contains("universal"), "{error}");
}
