//! Joints with springs, motors, friction and stops, and the readings of sensors, compared with closed forms.

use crate::common::{close, parse};
use carom_store::{Column, collect, find};
use carom_world::record::BodySimulation;
use carom_world::{Note, Run, Scene};

/// Returns a scene with a rotor of 0.2 kg m² about the fixed axis y, with further keys of its joint and further tables.
fn rotor(duration: f64, joint: &str, more: &str) -> Scene {
    parse(&format!(
        r#"
        simulation = {{ duration = {duration}, sample = {sample}, gravity = 9.81 }}
        [[body]]
        name = "rotor"
        mass = 3
        inertia = [0.3, 0.2, 0.25]
        position = [0, 0, 1]
        [[joint]]
        name = "axle"
        kind = "revolute"
        between = ["rotor", "ground"]
        axis = [0, 1, 0]
        {joint}
        [[sensor]]
        name = "angle"
        measure = "angle"
        joint = "axle"
        [[sensor]]
        name = "rate"
        measure = "angle_rate"
        joint = "axle"
        {more}
        "#,
        sample = duration / 100.0
    ))
}

const INERTIA: f64 = 0.2;

/// Returns a scene with a cart of 2 kg on a slide along x, with further keys of its joint and further tables.
fn cart(duration: f64, joint: &str, more: &str) -> Scene {
    parse(&format!(
        r#"
        simulation = {{ duration = {duration}, sample = {sample}, gravity = 9.81 }}
        [[body]]
        name = "cart"
        mass = 2
        inertia = [0.1, 0.1, 0.1]
        position = [0, 0, 1]
        velocity = [3, 0, 0]
        [[joint]]
        name = "rail"
        kind = "prismatic"
        between = ["cart", "ground"]
        axis = [1, 0, 0]
        {joint}
        [[sensor]]
        name = "slide"
        measure = "slide"
        joint = "rail"
        [[sensor]]
        name = "rate"
        measure = "slide_rate"
        joint = "rail"
        {more}
        "#,
        sample = duration / 100.0
    ))
}

/// Returns all tables of a scene that is run to its end.
fn tables(scene: &Scene) -> Vec<(&'static str, Vec<Column>)> {
    collect(&mut BodySimulation::new(scene).unwrap(), |_| Ok(())).unwrap()
}

/// Returns the times and readings of a sensor.
fn readings(tables: &[(&'static str, Vec<Column>)], name: &str) -> Vec<(f64, [f64; 3])> {
    let columns = &tables.iter().find(|(table, _)| *table == "sensors").unwrap().1;
    let column = |name: &str| &find(columns, name).unwrap().values;
    let rows = 0..column("time_s").len();
    let own = rows.filter(|&row| column("sensor").text(row) == Some(name));
    let real = |name: &str, row: usize| column(name).real(row).unwrap_or(f64::NAN);
    own.map(|row| (real("time_s", row), ["x", "y", "z"].map(|axis| real(axis, row)))).collect()
}

/// Compares the readings of a sensor with a function of time.
fn follows(scene: &Scene, sensor: &str, allowed: f64, expected: impl Fn(f64) -> f64) {
    let found = readings(&tables(scene), sensor);
    assert!(found.len() > 50, "{}", found.len());
    for (t, [value, ..]) in found {
        let expected = expected(t);
        assert!((value - expected).abs() < allowed, "{sensor} at {t}: {value}, not {expected}");
    }
}

#[test]
fn a_torsion_pendulum_swings_through_several_turns() {
    // θ'' = −k/I·(θ − θ₀), from rest at 0: up to 40 rad, more than six turns.
    let scene = rotor(3.0, "spring = { stiffness = \"5 N m\", rest = 20 }", "");
    let omega = (5.0 / INERTIA).sqrt();
    follows(&scene, "angle", 1e-6, |t| 20.0 * (1.0 - (omega * t).cos()));
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(3.0).unwrap();
    let energies = run.state().energies(&scene.world);
    assert!(energies.error.abs() < 1e-6 && energies.potential > 100.0, "{energies:?}");
}

#[test]
fn a_damper_on_a_joint_takes_what_it_should() {
    let scene = cart(2.0, "spring = { damping = \"4 N s/m\" }", "");
    follows(&scene, "rate", 1e-9, |t| 3.0 * (-2.0 * t).exp());
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(2.0).unwrap();
    let lost = run.state().energies(&scene.world).lost_in_dampers;
    assert!((lost - 9.0 * (1.0 - (-8.0f64).exp())).abs() < 1e-8, "{lost}");
}

#[test]
fn motors_follow_torque_speed_and_position() {
    let motor = |duration: f64, keys: &str| {
        rotor(
            duration,
            "",
            &format!(
                "[[motor]]\nname = \"m\"\njoint = \"axle\"\n{keys}\n[[sensor]]\nname = \"torque\"\nmeasure = \"effort\"\nmotor = \"m\"\n"
            ),
        )
    };
    let constant = motor(2.0, "effort = { start = \"0.5 N m\" }");
    follows(&constant, "angle", 1e-9, |t| 0.25 / INERTIA * t * t);
    follows(&constant, "torque", 1e-15, |_| 0.5);
    let servo = motor(2.0, "speed = { start = \"10 rad/s\" }\ngain = \"0.8 N m s\"");
    follows(&servo, "rate", 1e-8, |t| 10.0 * (1.0 - (-0.8 / INERTIA * t).exp()));
    // Critically damped: k = I·ω², c = 2·I·ω.
    let position = motor(2.0, "position = { start = 1.5 }\nstiffness = 5\ndamping = 2");
    follows(&position, "angle", 1e-8, |t| 1.5 * (1.0 - (1.0 + 5.0 * t) * (-5.0 * t).exp()));
    // At first the torque is limited: θ = ½·L/I·t² until 5·(1.5 − θ) = 2.
    let limited = motor(0.6, "position = { start = 1.5 }\nstiffness = 5\nlimit = 2");
    let end = (2.0 * 1.1 * INERTIA / 2.0f64).sqrt();
    let omega = 5.0;
    follows(&limited, "angle", 1e-7, |t| match t < end {
        true => t * t / INERTIA,
        false => {
            let (rate, late) = (2.0 * end / INERTIA, omega * (t - end));
            1.5 - 0.4 * late.cos() + rate / omega * late.sin()
        }
    });
    let mut run = Run::new(&limited.world).unwrap();
    run.advance(0.6).unwrap();
    assert!(run.state().energies(&limited.world).error.abs() < 1e-7);
}

#[test]
fn a_motor_between_two_points_pushes_them_apart() {
    let scene = parse(
        r#"
        simulation = { duration = 1, sample = 0.01 }
        body = [
            { name = "a", mass = 1, inertia = [1, 1, 1], position = [0, 0, 1] },
            { name = "b", mass = 3, inertia = [1, 1, 1], position = [2, 0, 1] },
        ]
        motor = [{ name = "ram", between = ["a", "b"], effort = { times = [0, 1], values = [0, 6] } }]
        sensor = [{ name = "apart", measure = "position", body = "b", relative_to = "a" }]
        "#,
    );
    // Reduced mass 0.75 kg, force 6t: r = 2 + 6/0.75·t³/6.
    follows(&scene, "apart", 1e-9, |t| 2.0 + 8.0 * t * t * t / 6.0);
}

#[test]
fn friction_stops_a_joint_at_the_right_time_and_holds_it() {
    let scene = cart(2.0, "friction = { coulomb = \"4 N\" }", "");
    // Initial speed 3 m/s, deceleration 2 m/s²: the cart stops after 1.5 s at 2.25 m.
    follows(&scene, "slide", 1e-9, |t| match t < 1.5 {
        true => 3.0 * t - t * t,
        false => 2.25,
    });
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(2.0).unwrap();
    let energies = run.state().energies(&scene.world);
    assert!((energies.lost_in_dampers - 9.0).abs() < 1e-8, "{energies:?}");
    assert!(energies.error.abs() < 1e-9, "{energies:?}");
    // With viscous friction as well: v' = −2 − v, so v = 5·e^(−t) − 2 until t = ln 2.5.
    let both = cart(2.0, "friction = { coulomb = \"4 N\", viscous = \"2 N s/m\" }", "");
    follows(&both, "rate", 1e-8, |t| (5.0 * (-t).exp() - 2.0).max(0.0));
}

#[test]
fn friction_holds_a_joint_until_it_is_overcome() {
    // A torque of 1.5·t N m against 0.6 N m: friction holds until 0.4 s, then I·θ'' = 1.5·(t − 0.4).
    let motor = "[[motor]]\njoint = \"axle\"\neffort = { rate = 1.5 }\n[[sensor]]\nname = \"hold\"\nmeasure = \"reaction_moment\"\njoint = \"axle\"\n";
    let scene = rotor(1.0, "friction = { coulomb = \"0.6 N m\" }", motor);
    follows(&scene, "angle", 1e-8, |t| 1.5 * (t - 0.4).max(0.0).powi(3) / (6.0 * INERTIA));
    // While friction holds, the moment of the joint is that of friction.
    for (t, moment) in readings(&tables(&scene), "hold").into_iter().filter(|(t, _)| *t < 0.399) {
        assert!((moment[1] + 1.5 * t).abs() < 1e-9, "{t}: {moment:?}");
    }
    // The rotor is stopped by friction, and a smaller opposite torque does not move it.
    let held = rotor(
        1.0,
        "friction = { coulomb = 0.6 }",
        "[[motor]]\njoint = \"axle\"\neffort = { times = [0, 0.2, 0.201], values = [2, 2, -0.5] }\n",
    );
    let last = readings(&tables(&held), "rate").pop().unwrap();
    assert!(last.1[0].abs() < 1e-12, "{last:?}");
    // An opposite torque larger than friction reverses the motion.
    let back = rotor(
        1.0,
        "friction = { coulomb = 0.6 }",
        "[[motor]]\njoint = \"axle\"\neffort = { times = [0, 0.2, 0.201], values = [2, 2, -1] }\n",
    );
    let last = readings(&tables(&back), "rate").pop().unwrap();
    assert!(last.1[0] < -0.1, "{last:?}");
}

#[test]
fn stops_deliver_their_restitution() {
    let law = "law = \"hunt-crossley-1975\", stiffness = \"1e6 N/m^1.5\", exponent = 1.5, restitution = 0.6, calibration = \"exact\"";
    let scene = cart(1.0, &format!("stops = {{ lower = -0.2, upper = \"0.3 m\", {law} }}"), "");
    let end = readings(&tables(&scene), "rate").pop().unwrap();
    // Three impacts: at the upper stop, the lower one, and the upper one again.
    assert!((end.1[0] + 3.0 * 0.6f64.powi(3)).abs() < 1e-7, "{end:?}");
    let turning = rotor(
        2.0,
        &format!("stops = {{ lower = \"-30 deg\", upper = \"200 deg\", arm = \"5 cm\", {law} }}"),
        "[[motor]]\njoint = \"axle\"\neffort = { times = [0, 0.1, 0.1001], values = [8, 8, 0] }\n",
    );
    let rates: Vec<f64> = readings(&tables(&turning), "rate").iter().map(|row| row.1[0]).collect();
    let fastest = rates.iter().copied().fold(0.0, f64::max);
    let back = rates.iter().copied().fold(0.0, f64::min);
    assert!((back / fastest + 0.6).abs() < 1e-6, "{fastest} {back}");
    let names: Vec<_> = turning.world.contacts().iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["axle lower", "axle upper"]);
}

#[test]
fn a_pin_of_a_pendulum_carries_weight_and_centripetal_force() {
    // For a rod about its end, with I = 4/3·m·l², the pin carries m·(g·cos θ + l·θ'²) along the rod and m·g·sin θ/4 across it.
    let (m, l, g) = (1.5, 0.4, 9.81);
    let scene = parse(&format!(
        r#"
        simulation = {{ duration = 2, sample = 0.02, gravity = {g}, planar = true }}
        body = [{{ name = "rod", mass = {m}, inertia = [1, 1, {}], position = [{l}, 0] }}]
        joint = [{{ name = "pin", kind = "revolute", between = ["rod", "ground"], point = [0, 0] }}]
        sensor = [
            {{ name = "pin", measure = "reaction_force", joint = "pin", axes = "body" }},
            {{ name = "angle", measure = "angle", joint = "pin" }},
            {{ name = "tip", measure = "acceleration", body = "rod", point = [0.8, 0], axes = "body" }},
        ]
        "#,
        m * l * l / 3.0
    ));
    let tables = tables(&scene);
    let angles = readings(&tables, "angle");
    for (((_, force), (_, angle)), (_, tip)) in
        readings(&tables, "pin").iter().zip(&angles).zip(&readings(&tables, "tip"))
    {
        // The rod is released horizontally: θ' follows from the energy; the rod's x axis points away from the pin.
        let below = -angle[0];
        let square = 1.5 * g * below.sin() / l;
        let along = -m * (g * below.sin() + l * square);
        let across = m * g * below.cos() / 4.0;
        assert!((force[0] - along).abs() < 1e-7, "{force:?} {along}");
        assert!((force[1] - across).abs() < 1e-7, "{force:?} {across}");
        let fall = 1.5 * g * below.cos();
        assert!(
            (tip[0] + 2.0 * l * square).abs() < 1e-7 && (tip[1] + fall).abs() < 1e-7,
            "{tip:?}"
        );
    }
    // The table of joints has the same values.
    let joints = &tables.iter().find(|(name, _)| *name == "joints").unwrap().1;
    let row = joints[0].values.len() - 1;
    let real = |name: &str| find(joints, name).unwrap().values.real(row).unwrap();
    let size = real("fx_N").hypot(real("fy_N"));
    let last = readings(&tables, "pin").pop().unwrap().1;
    assert!((size - last[0].hypot(last[1])).abs() < 1e-12);
}

#[test]
fn a_universal_joint_turns_unevenly_as_cardan_said() {
    // With the angle β between the shafts: ω₂/ω₁ = cos β/(1 − sin²β·cos²φ), where φ is the angle of the driving arm from the
    // plane of the shafts.
    let (bend, rate) = (0.6f64, 5.0);
    let scene = parse(&format!(
        r#"
        simulation = {{ duration = 1.2, sample = 0.012 }}
        body = [
            {{ name = "in", mass = 1, inertia = [0.02, 0.02, 0.01], position = [0, 0, -0.5] }},
            {{ name = "out", mass = 1, inertia = [0.02, 0.02, 0.01], position = [{x}, 0, {z}] }},
        ]
        joint = [
            {{ name = "drive", kind = "revolute", between = ["in", "ground"], angle = {{ rate = {rate} }} }},
            {{ name = "cross", kind = "universal", between = ["out", "in"], point = [0, 0, 0], axis = [0, 1, 0], second_axis = [1, 0, 0] }},
            {{ name = "driven", kind = "revolute", between = ["out", "ground"], axis = [{ax}, 0, {az}] }},
        ]
        sensor = [{{ name = "out", measure = "angle_rate", joint = "driven" }}]
        "#,
        x = 0.5 * bend.sin(),
        z = 0.5 * bend.cos(),
        ax = bend.sin(),
        az = bend.cos(),
    ));
    follows(&scene, "out", 1e-7, |t| {
        let (s, c) = (bend.sin(), (rate * t).cos());
        rate * bend.cos() / (1.0 - s * s * c * c)
    });
}

#[test]
fn a_planar_joint_keeps_a_body_on_its_plane() {
    let tilt = 0.4f64;
    let scene = parse(&format!(
        r#"
        simulation = {{ duration = 1, sample = 0.01, gravity = 10 }}
        body = [{{ name = "puck", mass = 2, inertia = [0.1, 0.2, 0.1], velocity = [0, 1, 0], spin = [{sx}, 0, {sz}] }}]
        joint = [{{ name = "slope", kind = "planar", between = ["puck", "ground"], axis = [{x}, 0, {z}] }}]
        sensor = [
            {{ name = "puck", measure = "position", body = "puck" }},
            {{ name = "slope", measure = "reaction_force", joint = "slope" }},
        ]
        "#,
        x = tilt.sin(),
        z = tilt.cos(),
        sx = 3.0 * tilt.sin(),
        sz = 3.0 * tilt.cos(),
    ));
    follows(&scene, "puck", 1e-9, |t| 5.0 * tilt.sin() * tilt.cos() * t * t);
    follows(&scene, "slope", 1e-7, |_| 20.0 * tilt.cos() * tilt.sin());
}

#[test]
fn a_bead_on_a_rotating_rod_flies_outwards() {
    // r'' = ω²·r; relative to the rod the bead has the velocity r' and the acceleration ω²·r along it, and the rod pushes it with
    // 2mω·r'.
    let scene = parse(
        r#"
        simulation = { duration = 1, sample = 0.01 }
        body = [
            { name = "rod", turn = { rate = 2, point = [0, 0, 1] }, position = [0, 0, 1] },
            { name = "bead", mass = 0.5, inertia = [1e-3, 1e-3, 1e-3], position = [0.1, 0, 1], velocity = [0, 0.2, 0], spin = [0, 0, 2] },
        ]
        joint = [{ name = "slide", kind = "prismatic", between = ["bead", "rod"], axis = [1, 0, 0] }]
        sensor = [
            { name = "way", measure = "slide", joint = "slide" },
            { name = "seen", measure = "velocity", body = "bead", relative_to = "rod", axes = "body" },
            { name = "thrown", measure = "acceleration", body = "bead", relative_to = "rod", axes = "body" },
            { name = "push", measure = "reaction_force", joint = "slide", axes = "body" },
            { name = "spin", measure = "angular_velocity", body = "bead", relative_to = "rod" },
        ]
        "#,
    );
    let (sinh, cosh) = (|t: f64| (2.0 * t).sinh(), |t: f64| (2.0 * t).cosh());
    follows(&scene, "way", 1e-9, |t| 0.1 * cosh(t) - 0.1);
    follows(&scene, "seen", 1e-9, |t| 0.2 * sinh(t));
    follows(&scene, "thrown", 1e-8, |t| 0.4 * cosh(t));
    follows(&scene, "spin", 1e-9, |_| 0.0);
    for (t, push) in readings(&tables(&scene), "push") {
        assert!((push[1] - 2.0 * 0.5 * 2.0 * 0.2 * sinh(t)).abs() < 1e-8, "{t}: {push:?}");
    }
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(1.0).unwrap();
    assert!(run.state().energies(&scene.world).error.abs() < 1e-9);
}

#[test]
fn a_path_leads_through_its_points() {
    let scene = parse(
        r#"
        simulation = { duration = 3, sample = 0.03, planar = true }
        body = [{ name = "tool", position = [1, 2], path = { times = [0, 1, 3], points = [[0, 0, 0], [1, 0, 0], [1, 2, 0]], interpolation = "linear" },
            turn = { rate = 0.5 } }]
        sensor = [{ name = "tool", measure = "position", body = "tool" }]
        "#,
    );
    follows(&scene, "tool", 1e-12, |t| 1.0 + t.min(1.0));
    let last = readings(&tables(&scene), "tool").pop().unwrap();
    assert!((last.1[1] - 4.0).abs() < 1e-12);
}

#[test]
fn a_follower_force_turns_with_its_body() {
    // A force of 3 N along the x axis of the body, 0.1 m off its centre of mass: the angle is ½·α·t², and the velocity follows by
    // integration.
    let scene = parse(
        r#"
        simulation = { duration = 2, sample = 0.02, planar = true }
        body = [{ name = "rocket", mass = 2, inertia = [1, 1, 0.5], position = [0, 0], rotation = { angle = "30 deg" } }]
        force = [{ body = "rocket", direction = [0.8660254037844387, 0.5, 0], point = [0.05, -0.08660254037844387], start = 3, follows = true }]
        sensor = [{ name = "speed", measure = "velocity", body = "rocket" }]
        "#,
    );
    let angle = |t: f64| 30f64.to_radians() + 0.5 * 0.3 / 0.5 * t * t;
    // Simpson's rule.
    let speed = |t: f64| {
        let (n, f) = (2000, |s: f64| 1.5 * angle(s).cos());
        let h = t / f64::from(n);
        let inner = (1..n).map(|i| f(h * f64::from(i)) * if i % 2 == 1 { 4.0 } else { 2.0 });
        h / 3.0 * (f(0.0) + f(t) + inner.sum::<f64>())
    };
    follows(&scene, "speed", 1e-9, speed);
}

#[test]
fn an_inertia_of_six_numbers_is_that_of_turned_axes() {
    // Moments 1, 2, 2.5 along axes turned by 40° about z.
    let (s, c) = 40f64.to_radians().sin_cos();
    let (xx, yy, xy) = (c * c + 2.0 * s * s, s * s + 2.0 * c * c, -s * c);
    let full = format!(
        "{{ name = \"body\", mass = 1, inertia = [{xx}, {yy}, 2.5, {xy}, 0, 0], spin = [1, 2, 0.3] }}"
    );
    let turned = "{ name = \"body\", mass = 1, inertia = [1, 2, 2.5], rotation = { angle = \"40 deg\" }, spin = [1, 2, 0.3] }";
    let spins = [&full[..], turned].map(|body| {
        let scene = parse(&format!("simulation = {{ duration = 5 }}\nbody = [{body}]"));
        let mut run = Run::new(&scene.world).unwrap();
        run.advance(5.0).unwrap();
        run.state().body(&scene.world, 1).unwrap().spin
    });
    assert!((spins[0] - spins[1]).length() < 1e-8, "{spins:?}");
    // No body can have these moments: the principal moments are 1, 3 and 5.
    let text = "simulation = { duration = 1 }\nbody = [{ name = \"b\", mass = 1, inertia = [3, 3, 3, 2, 0, 0] }]";
    let error = Scene::parse(text, &|_| Err("none".into())).unwrap_err().to_string();
    assert!(error.contains("sum of the other two"), "{error}");
}

/// Returns a scene without gravity, with a rod of 2 kg and 0.02 kg m² about z on a joint along z, with further keys of its joint
/// and further tables.
fn rod(kind: &str, joint: &str, more: &str) -> String {
    format!(
        r#"
        simulation = {{ duration = 1, sample = 0.01 }}
        [[body]]
        name = "rod"
        mass = 2
        inertia = [0.1, 0.1, 0.02]
        velocity = [0, 0, 0.5]
        spin = [0, 0, 3]
        [[joint]]
        name = "sleeve"
        kind = "{kind}"
        between = ["rod", "ground"]
        axis = [0, 0, 1]
        {joint}
        [[sensor]]
        name = "angle"
        measure = "angle"
        joint = "sleeve"
        [[sensor]]
        name = "slide"
        measure = "slide"
        joint = "sleeve"
        {more}
        "#
    )
}

#[test]
fn a_cylindrical_joint_has_springs_motors_friction_and_stops_on_either_coordinate() {
    let spring = |coordinate: &str, stiffness: &str| {
        parse(&rod(
            "cylindrical",
            &format!("spring = {{ coordinate = \"{coordinate}\", stiffness = \"{stiffness}\" }}"),
            "",
        ))
    };
    // φ̈ = −k·φ/I, z̈ = −k·z/m; the other coordinate continues at constant rate.
    let twisted = spring("angle", "0.5 N m");
    follows(&twisted, "angle", 1e-8, |t| 3.0 / 5.0 * (5.0 * t).sin());
    follows(&twisted, "slide", 1e-8, |t| 0.5 * t);
    let pulled = spring("slide", "32 N/m");
    follows(&pulled, "angle", 1e-8, |t| 3.0 * t);
    follows(&pulled, "slide", 1e-8, |t| 0.5 / 4.0 * (4.0 * t).sin());
    // A motor on the slide of a joint whose rotation is braked by friction and stops after ω·I/T = 0.6 s.
    let driven = parse(&rod(
        "cylindrical",
        r#"friction = { coordinate = "angle", coulomb = "0.1 N m" }"#,
        "[[motor]]\njoint = \"sleeve\"\ncoordinate = \"slide\"\neffort = { start = \"4 N\" }",
    ));
    follows(&driven, "slide", 1e-8, |t| 0.5 * t + t * t);
    follows(&driven, "angle", 1e-8, |t| 3.0 * t.min(0.6) - 2.5 * t.min(0.6).powi(2));
    // A stop on the slide reflects it with the restitution of the stop; the contact lasts 0.4 ms.
    let stopped = parse(&rod(
        "cylindrical",
        r#"stops = { coordinate = "slide", upper = "0.2 m", law = "kelvin-voigt", stiffness = "1e8 N/m", exponent = 1,
            restitution = 0.6, calibration = "exact" }"#,
        "",
    ));
    follows(&stopped, "slide", 2e-4, |t| if t < 0.4 { 0.5 * t } else { 0.2 - 0.3 * (t - 0.4) });
    follows(&stopped, "angle", 1e-8, |t| 3.0 * t);
}

#[test]
fn a_planar_joint_has_springs_motors_and_friction_on_its_angle() {
    let planar = |joint: &str| {
        let text = rod("planar", joint, "");
        let text = text.replace("velocity = [0, 0, 0.5]", "velocity = [0.5, 0.2, 0]");
        // A planar scene has no slide to measure.
        let slide = "[[sensor]]\n        name = \"slide\"\n        measure = \"slide\"\n        joint = \"sleeve\"";
        parse(&text.replace(slide, ""))
    };
    follows(&planar(r#"spring = { stiffness = "0.5 N m" }"#), "angle", 1e-8, |t| {
        3.0 / 5.0 * (5.0 * t).sin()
    });
    let braked = planar(r#"friction = { coulomb = "0.1 N m" }"#);
    follows(&braked, "angle", 1e-8, |t| 3.0 * t.min(0.6) - 2.5 * t.min(0.6).powi(2));
}

#[test]
fn elements_on_a_coordinate_that_a_joint_lacks_are_refused_with_advice() {
    let spring = r#"spring = { stiffness = "1 N m" }"#;
    let refused = |kind: &str, joint: &str| {
        let found = Scene::parse(&rod(kind, joint, ""), &|_| Err("no files".into()));
        found.unwrap_err().to_string()
    };
    assert!(refused("spherical", spring).contains("a spring on a spherical joint"));
    assert!(refused("spherical", spring).contains("between two points"));
    assert!(refused("cylindrical", spring).contains("\"angle\" or \"slide\""));
    let slide = r#"spring = { coordinate = "slide", stiffness = "1 N/m" }"#;
    assert!(refused("revolute", slide).contains("a revolute joint has its angle alone"));
    let stop =
        r#"stops = { upper = 1, arm = 1, law = "tsuji-1992", stiffness = 1e6, restitution = 0.5 }"#;
    assert!(refused("planar", stop).contains("a stop on a planar joint"));
}

/// Returns a table of a scene that is run to its end.
fn table_of(scene: &Scene, name: &str) -> Vec<Column> {
    let tables = collect(&mut BodySimulation::new(scene).unwrap(), |_| Ok(())).unwrap();
    tables.into_iter().find(|(one, _)| *one == name).unwrap().1
}

#[test]
fn reactions_have_the_friction_of_a_joint_that_slides_as_of_one_that_is_held() {
    // Coulomb friction of 2 N m stops a flywheel of 0.5 kg m² at 0.5 s; a torque of 1 N m then does not move it.
    let scene = parse(
        r#"
        simulation = { duration = 1, sample = 0.1 }
        body = [{ name = "wheel", mass = 3, inertia = [0.5, 0.3, 0.3], spin = [3, 0, 0] }]
        joint = [{ name = "axle", kind = "revolute", between = ["wheel", "ground"], axis = [1, 0, 0], friction = { coulomb = "2 N m" } }]
        force = [{ body = "wheel", axis = [1, 0, 0], start = -1 }]
        "#,
    );
    let joints = table_of(&scene, "joints");
    let moment = &find(&joints, "mx_N_m").unwrap().values;
    for row in (0..5).chain(6..=10) {
        let expected = if row < 5 { -2.0 } else { 1.0 };
        close(moment.real(row).unwrap(), expected, 1e-9, "moment about the axle");
    }
    // Columns that a revolute joint does not have are empty.
    assert!(find(&joints, "slide_m").unwrap().values.real(3).is_none_or(f64::is_nan));
}

#[test]
fn the_angle_of_a_joint_by_points_is_0_where_the_bodies_start() {
    // The two bodies are rotated and have different axes of the joint; the spring is nevertheless at rest.
    let scene = parse(
        r#"
        simulation = { duration = 0.5, sample = 0.1, assemble = "1 mm" }
        body = [{ name = "arm", mass = 1, inertia = [0.02, 0.03, 0.04], position = [0.3, 0, 0],
            rotation = { axis = [0, 0, 1], angle = "90 deg" } }]
        joint = [{ name = "hinge", kind = "revolute", between = ["arm", "ground"], points = [[0, 0.3, 0], [0, 0, 0]],
            axes = [[1, 0, 0], [0, 1, 0]], spring = { stiffness = "3 N m" } }]
        "#,
    );
    let joints = table_of(&scene, "joints");
    let angle = &find(&joints, "angle_rad").unwrap().values;
    for row in 0..=5 {
        assert!(angle.real(row).unwrap().abs() < 1e-12, "{row}");
    }
}

#[test]
fn a_mass_on_a_spring_from_a_moving_body_follows_the_closed_form() {
    // A mass on a spring of zero length is attached to a body that moves through given points in space with linear interpolation.
    // Each component is an oscillator whose support moves at piecewise constant velocity, solved in closed form. The note on the
    // first jump of velocity states its magnitude in space.
    let times = [0.0, 0.4, 1.0, 1.3, 2.5];
    let points =
        [[0.0, 0.0, 0.0], [0.3, -0.1, 0.0], [0.5, 0.2, 0.4], [0.5, 0.1, 0.6], [0.1, 0.4, 0.2]];
    let (m, k, start, placed) = (0.7, 35.0, [0.4, 0.2, 0.1], [0.1, 0.2, 0.3]);
    let scene = parse(&format!(
        r#"
        simulation = {{ duration = 3, sample = 0.03, tolerance = 1e-11 }}
        body = [
            {{ name = "hook", position = {placed:?}, path = {{ times = {times:?}, points = {points:?}, interpolation = "linear" }} }},
            {{ name = "bob", mass = {m}, inertia = [1, 1, 1], position = {start:?} }},
        ]
        spring = [{{ between = ["bob", "hook"], from = {start:?}, to = {placed:?}, stiffness = {k}, length = 0 }}]
        sensor = [{{ name = "bob", measure = "position", body = "bob" }}]
        "#
    ));
    let omega = f64::sqrt(k / m);
    // From rest at `start`: x = p(t) + a·cos ω(t−t₀) + b·sin ω(t−t₀) in each piece, in which p has a constant slope.
    let expected = |t: f64, axis: usize| {
        let (mut x, mut v) = (start[axis], 0.0);
        for i in 0..times.len() {
            let (from, end) = (times[i], times.get(i + 1).copied().unwrap_or(f64::INFINITY));
            let slope =
                points.get(i + 1).map_or(0.0, |next| (next[axis] - points[i][axis]) / (end - from));
            let support = |s: f64| placed[axis] + points[i][axis] + slope * (s - from);
            let (a, b) = (x - support(from), (v - slope) / omega);
            let until = t.min(end);
            let (sin, cos) = (omega * (until - from)).sin_cos();
            x = support(until) + a * cos + b * sin;
            v = slope + omega * (b * cos - a * sin);
            if t <= end {
                break;
            }
        }
        x
    };
    let found = readings(&tables(&scene), "bob");
    assert_eq!(found.len(), 101);
    for (t, position) in found {
        for (axis, value) in position.into_iter().enumerate() {
            let expected = expected(t, axis);
            assert!((value - expected).abs() < 1e-9, "{axis} at {t}: {value}, not {expected}");
        }
    }
    let mut run = Run::new(&scene.world).unwrap();
    run.advance(0.5).unwrap();
    let change =
        [1.0f64 / 3.0 - 0.75, 0.5 + 0.25, 2.0 / 3.0].map(|x| x * x).iter().sum::<f64>().sqrt();
    match run.state().notes() {
        [Note::Jump { change: noted, .. }] => {
            assert!((noted - change).abs() < 1e-12, "{noted}, not {change}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_torque_given_by_a_table_turns_a_rotor_by_its_double_integral() {
    // Linear between (0.1, 0.5), (0.4, 2), (1, −1), constant outside. The rate is the integral of the torque divided by the
    // inertia.
    let motor =
        "[[motor]]\njoint = \"axle\"\neffort = { times = [0.1, 0.4, 1], values = [0.5, 2, -1] }\n";
    let scene = rotor(2.0, "", motor);
    let torque = |t: f64| match t {
        t if t < 0.1 => 0.5,
        t if t < 0.4 => 0.5 + 5.0 * (t - 0.1),
        t if t < 1.0 => 2.0 - 5.0 * (t - 0.4),
        _ => -1.0,
    };
    let area = |t: f64| {
        let mut sum = 0.0;
        for (from, to) in [(0.0, 0.1), (0.1, 0.4), (0.4, 1.0), (1.0, 2.0)] {
            let to = f64::min(to, t);
            if to > from {
                sum += torque(0.5 * (from + to)) * (to - from);
            }
        }
        sum
    };
    follows(&scene, "rate", 1e-9, |t| area(t) / INERTIA);
    // The angle by Simpson's rule, which is exact for the piecewise quadratic rate as no interval crosses a row of the table.
    let angle = |t: f64| {
        let mut sum = 0.0;
        for (from, to) in [(0.0, 0.1), (0.1, 0.4), (0.4, 1.0), (1.0, 2.0)] {
            let to = f64::min(to, t);
            if to > from {
                sum += (area(from) + 4.0 * area(0.5 * (from + to)) + area(to)) * (to - from) / 6.0;
            }
        }
        sum / INERTIA
    };
    follows(&scene, "angle", 1e-9, angle);
}

#[test]
fn a_stop_between_two_free_bodies_acts_on_their_reduced_mass() {
    // Two free bodies on a slide: a hits the stop of b at 2 m/s. The relative speed is multiplied by the restitution, the
    // momentum is conserved, and nothing rotates although the slide is far from both centres of mass. The contact with an
    // undamped linear stop lasts π·√(μ/k), with the reduced mass μ.
    let scene = |stop: &str| {
        parse(&format!(
            r#"
            simulation = {{ duration = 1, sample = 0.01 }}
            body = [
                {{ name = "a", mass = 1.2, inertia = [0.03, 0.03, 0.05], position = [0.3, 0.1, 0], velocity = [2, 0, 0] }},
                {{ name = "b", mass = 0.8, inertia = [0.02, 0.02, 0.03], position = [0, 0.1, 0] }},
            ]
            joint = [{{ name = "rail", kind = "prismatic", between = ["a", "b"], axis = [1, 0, 0], point = [0, -0.4, 0.2], stops = {{ upper = 0.2, {stop} }} }}]
            "#
        ))
    };
    let ended = |scene: &Scene| {
        let (run, ended) = crate::common::logged(&scene.world, scene.duration);
        let [a, b] = [1, 2].map(|body| crate::common::pose_of(&run, body));
        (a, b, ended)
    };
    let damped = scene(
        "law = \"tsuji-1992\", stiffness = \"1e7 N/m^1.5\", restitution = 0.35, calibration = \"exact\"",
    );
    let (a, b, touches) = ended(&damped);
    assert_eq!(touches.len(), 1);
    let (va, vb) = (a.velocity.x, b.velocity.x);
    assert!(((vb - va) / 2.0 - 0.35).abs() < 1e-8, "{va} {vb}");
    assert!((1.2 * va + 0.8 * vb - 2.4).abs() < 1e-12, "{va} {vb}");
    assert!(a.spin.length() < 1e-9 && b.spin.length() < 1e-9, "{a:?} {b:?}");
    let (_, _, touches) =
        ended(&scene("law = \"hertz-1881\", stiffness = \"1e5 N/m\", exponent = 1"));
    let reduced = 1.2 * 0.8 / 2.0;
    let (begun, lasts) = (0.1, std::f64::consts::PI * f64::sqrt(reduced / 1e5));
    assert!((touches[0].begun - begun).abs() < 1e-10, "{touches:?}");
    assert!((touches[0].ended - begun - lasts).abs() < 1e-8, "{touches:?}, {lasts}");
    let force = 2.0 * f64::sqrt(reduced * 1e5);
    assert!((touches[0].force_max / force - 1.0).abs() < 1e-8, "{touches:?}, {force}");
}

#[test]
fn the_moment_of_a_contact_is_that_of_its_force_about_the_centre_of_mass() {
    // A ball at rest on a plate, off the centre of the plate: its moment is (x, y, h)×(0, 0, −m·g); the joint of the plate
    // carries the moment about its own point.
    let scene = parse(
        r#"
        simulation = { duration = 0.1, sample = 0.001, gravity = 9.81, start = "equilibrium" }
        body = [
            { name = "plate", shape = "box", size = [0.6, 0.4, 0.04], mass = 3, position = [0.2, 0.1, 0.5] },
            { name = "ball", shape = "sphere", radius = 0.03, mass = 0.25, position = [0.35, 0.02, 0.55] },
        ]
        joint = [{ name = "clamp", kind = "fixed", between = ["plate", "ground"], point = [0, 0, 0] }]
        contact = [{ name = "seat", between = ["ball", "plate"], law = "hunt-crossley-1975", stiffness = "1e6 N/m^1.5", restitution = 0.5 }]
        sensor = [
            { name = "force", measure = "contact_force", contact = "seat" },
            { name = "moment", measure = "contact_moment", contact = "seat" },
            { name = "clamp", measure = "reaction_moment", joint = "clamp" },
        ]
        "#,
    );
    let tables = tables(&scene);
    let weight = 0.25 * 9.81;
    let last = |name: &str| readings(&tables, name).pop().unwrap().1;
    let near = |found: [f64; 3], expected: [f64; 3]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found}, not {expected}");
        }
    };
    near(last("force"), [0.0, 0.0, -weight]);
    near(last("moment"), [0.08 * weight, 0.15 * weight, 0.0]);
    near(last("clamp"), [0.02 * weight + 0.1 * 3.0 * 9.81, -0.35 * weight - 0.2 * 3.0 * 9.81, 0.0]);
}

#[test]
fn a_single_stop_holds_at_a_large_angle_of_indentation() {
    // I·ω² = (k·arm²)·δ² without damping: 0.2 kg·m² at 4 rad/s turn 0.5 rad into a stop of 12.5 N·m/rad, here a little less.
    let law = "law = \"hunt-crossley-1975\", stiffness = \"5e3 N/m\", exponent = 1, restitution = 0.6, calibration = \"exact\"";
    for (stop, sign) in [("upper = 0.5", 1.0), ("lower = -0.5", -1.0)] {
        let torque = 8.0 * sign;
        let scene = rotor(
            0.6,
            &format!("stops = {{ {stop}, arm = \"5 cm\", {law} }}"),
            &format!(
                "[[motor]]\njoint = \"axle\"\neffort = {{ times = [0, 0.1, 0.1001], values = [{torque}, {torque}, 0] }}\n"
            ),
        );
        let tables = tables(&scene);
        let largest =
            readings(&tables, "angle").iter().fold(0.0, |most, row| row.1[0].abs().max(most));
        assert!((0.8..1.14).contains(&largest), "{stop}: {largest}");
        let rates: Vec<f64> = readings(&tables, "rate").iter().map(|row| sign * row.1[0]).collect();
        let fastest = rates.iter().copied().fold(0.0, f64::max);
        assert!((rates[rates.len() - 1] / fastest + 0.6).abs() < 1e-6, "{stop}: {rates:?}");
    }
}

#[test]
fn bodies_placed_beyond_the_stops_of_an_angle_are_refused() {
    // Regression: an angle is known only up to full turns, so that such a stop had no effect.
    for (stops, named) in
        [("lower = \"10 deg\"", "lower = 0.174"), ("lower = -2, upper = -1", "upper = -1")]
    {
        let text = format!(
            r#"
            simulation = {{ duration = 1 }}
            body = [{{ name = "arm", mass = 1, inertia = [1, 1, 1] }}]
            joint = [{{ kind = "revolute", between = ["arm", "ground"], stops = {{ {stops}, arm = 0.1, law = "tsuji-1992", stiffness = 1e6, restitution = 0.5 }} }}]
            "#
        );
        let error = Scene::parse(&text, &|_| Err(String::new())).unwrap_err().to_string();
        assert!(
            error.contains(named) && error.contains("0 where the bodies are placed"),
            "{error}"
        );
    }
}
