//! Studies of scenes: results of runs compared with closed forms, impossible cases, and studies that are refused at the
//! beginning.

use carom::sweep::{AnyStudy, Plan, SceneStudy};
use carom_store::{Column, find};
use carom_world::sweep::SceneCases;

/// A ball dropped on a plate from rest.
const DROP: &str = r#"
    simulation = { duration = 0.12, gravity = 9.81 }
    ground = { material = "steel" }
    body = [{ name = "ball", shape = "sphere", radius = "10 mm", youngs = "210 GPa", poisson = 0.3,
        mass = 0.033, position = [0, 0, 0.03] }]
    contact = [{ between = ["ball", "ground"], law = "hunt-crossley-1975", restitution = 0.8, calibration = "exact" }]
"#;

fn plan(study: SceneStudy, text: &str) -> Plan<SceneCases> {
    Plan::new(SceneCases::new(study, text.into(), |_| Err("no files".into())).unwrap())
}

fn over(axes: &[&str], outputs: &[&str]) -> SceneStudy {
    let axes: Vec<String> = axes.iter().map(|axis| axis.to_string()).collect();
    let outputs = outputs.iter().map(|output| output.to_string()).collect();
    SceneStudy { outputs, ..SceneStudy::over("drop.toml", &axes, None).unwrap() }
}

fn numbers(columns: &[Column], name: &str) -> Vec<f64> {
    let column = &find(columns, name).unwrap().values;
    (0..column.len()).map(|row| column.real(row).unwrap()).collect()
}

#[test]
fn results_of_a_drop_are_those_of_the_closed_form() {
    let names = [
        "force_max",
        "touches",
        "lost(ball-ground)",
        "impulse(ball-ground)",
        "max(events.speed_m_per_s, touch)",
        "last(trajectory.vz_m_per_s, ball)",
        "count(events, part)",
        "flight(ball-ground)",
    ];
    let columns = plan(over(&["ball-ground.restitution=0.5..0.9:3"], &names), DROP).cases(0..3);
    let (speed, mass) = ((2.0f64 * 9.81 * 0.02).sqrt(), 0.033);
    for (case, restitution) in [0.5, 0.7, 0.9].into_iter().enumerate() {
        let found = |name: &str| numbers(&columns, name)[case];
        let near = |name: &str, expected: f64, tolerance: f64| {
            let value = found(name);
            assert!((value / expected - 1.0).abs() < tolerance, "{name}: {value}, {expected}");
        };
        assert_eq!((found("touches"), found("count(events, part)")), (1.0, 1.0));
        near("max(events.speed_m_per_s, touch)", speed, 1e-9);
        let energy = 0.5 * mass * speed * speed;
        // In so short an impact the contribution of the weight is small.
        near("lost(ball-ground)", energy * (1.0 - restitution * restitution), 2e-3);
        near("impulse(ball-ground)", mass * speed * (1.0 + restitution), 2e-3);
        // Gravity acts during the contact as well, for less than 0.1 ms.
        let fallen = (2.0f64 * 0.02 / 9.81).sqrt();
        let velocity = restitution * speed - 9.81 * (0.12 - fallen);
        assert!((found("last(trajectory.vz_m_per_s, ball)") - velocity).abs() < 2e-3);
        assert!(found("flight(ball-ground)") > 0.999 && found("force_max") > 100.0);
    }
}

/// For rigid bodies, the impulse follows from the momentum of the ball, ∫F dt = m·(g·T + v(T) − v(0)), whether it bounces or
/// rests, and from any time on.
#[test]
fn impulses_of_rigid_bodies_balance_their_momentum() {
    let names =
        ["impulse", "touches", "lost", "last(trajectory.vz_m_per_s)", "count(events, part)"];
    for (duration, from) in [(0.12, 0.0), (0.12, 0.1), (1.0, 0.0), (1.0, 0.2)] {
        let mut study = over(&["ball-ground.restitution=0, 0.5, 0.8"], &names);
        study.set =
            vec!["method=nonsmooth".into(), "step=1e-4".into(), format!("duration={duration} s")];
        study.from = from;
        let columns = plan(study, DROP).cases(0..3);
        // Within 0.2 s the bounces with e = 0 and 0.5 are over; within 0.1 s there was one bounce, at 0.0639 s.
        let fallen = (2.0f64 * 0.02 / 9.81).sqrt();
        for (case, restitution) in [0.0, 0.5, 0.8].into_iter().enumerate() {
            let found = |name: &str| numbers(&columns, name)[case];
            let velocity = match (from > 0.0, duration > 0.5) {
                (false, _) => 0.0,
                (true, false) => restitution * 9.81 * fallen - 9.81 * (from - fallen),
                (true, true) if case < 2 => 0.0,
                (true, true) => continue,
            };
            let velocity = if restitution == 0.0 { 0.0 } else { velocity };
            let change = found("last(trajectory.vz_m_per_s)") - velocity;
            let expected = 0.033 * (9.81 * (duration - from) + change);
            // The instant of a bounce has an error of one step h, so that the velocity after it has an error of g·h, and more
            // after several bounces.
            let within = if from > 0.0 { 0.033 * 9.81 * 4e-4 } else { 1e-12 };
            assert!(
                (found("impulse") - expected).abs() < within,
                "{duration} {from} {case}: {columns:?}"
            );
        }
    }
    let contact = over(&["ball-ground.restitution=0, 0.5"], &["impulse(ball-ground)"]);
    let columns =
        plan(SceneStudy { set: vec!["method=nonsmooth".into()], ..contact }, DROP).cases(0..2);
    assert!(numbers(&columns, "impulse(ball-ground)").iter().all(|impulse| *impulse > 0.02));
}

/// Rigid impacts have no force and no duration: such outputs are an error, and where the method varies these cases have no
/// number.
#[test]
fn rigid_bodies_have_no_largest_force_and_no_regimes() {
    for output in
        ["force_max", "flight(ball-ground)", "impact(ball-ground)", "contact(ball-ground)"]
    {
        let mut study = over(&["ball-ground.restitution=0.5, 0.8"], &[output]);
        study.set = vec!["method=nonsmooth".into()];
        let error = SceneCases::new(study, DROP.into(), |_| Err("no files".into())).err().unwrap();
        assert!(error.to_string().contains("impulse"), "{error}");
        let study = over(&["simulation.method=smooth, nonsmooth"], &[output, "lost"]);
        let columns = plan(study, DROP).cases(0..2);
        let found = numbers(&columns, output);
        assert!(found[0].is_finite() && found[1].is_nan(), "{output}: {found:?}");
        let lost = numbers(&columns, "lost");
        assert!((lost[1] / lost[0] - 1.0).abs() < 0.02, "{lost:?}");
    }
    let study = SceneStudy {
        set: vec!["method=nonsmooth".into()],
        ..over(&["ball-ground.restitution=0.5, 0.8"], &[])
    };
    let columns = plan(study, DROP).cases(0..2);
    assert!(numbers(&columns, "impulse").iter().all(|impulse| *impulse > 0.03), "{columns:?}");
}

#[test]
fn lists_of_laws_and_nested_keys_vary_and_every_case_is_its_own() {
    let study = over(
        &["ball-ground.law=flores-2011, tsuji-1992", "ball.position.2=2..4 cm:3"],
        &["max(contacts.indentation_m)"],
    );
    let plan = plan(study, DROP);
    let all = plan.cases(0..6);
    assert_eq!(find(&all, "ball-ground.law").unwrap().values.text(5), Some("tsuji-1992"));
    assert_eq!(numbers(&all, "ball.position.2"), [0.02, 0.03, 0.04, 0.02, 0.03, 0.04]);
    for case in (0..6).rev() {
        let alone = plan.cases(case..case + 1);
        let name = "max(contacts.indentation_m)";
        assert_eq!(numbers(&alone, name)[0], numbers(&all, name)[case as usize]);
    }
}

#[test]
fn an_invalid_case_is_a_row_with_its_status() {
    let plan = plan(over(&["ball.radius=-1, 10 mm"], &["touches"]), DROP);
    let columns = plan.cases(0..2);
    let status = &find(&columns, "status").unwrap().values;
    assert_eq!((status.text(0), status.text(1)), (Some("invalid"), Some("ok")));
    assert!(numbers(&columns, "touches")[0].is_nan());
    assert!(plan.error(0).unwrap().to_string().contains("radius"), "{:?}", plan.error(0));
}

#[test]
fn an_error_of_all_cases_is_an_error_of_the_study() {
    for (axis, output, words) in [
        ("ball.raduis=1, 2", "touches", &["raduis", "radius"][..]),
        ("bal.radius=1, 2", "touches", &["bal", "ball"]),
        ("ball.radius=1..2 kg:3", "touches", &["ball.radius", "kg"]),
        ("ball.radius=1, 2", "maximum(contacts.force_N)", &["maximum", "max"]),
        ("ball.radius=1, 2", "max(contact.force_N)", &["contact", "contacts"]),
        ("ball.radius=1, 2", "max(contacts.force)", &["force", "force_N"]),
        ("ball.radius=1, 2", "max(contacts.force_N, bal)", &["bal", "ball-ground"]),
        ("ball.radius=1, 2", "flight", &["flight(wrist pin)"]),
        ("ball.radius=1, 2", "flight(floor)", &["floor", "ball-ground"]),
    ] {
        let study = over(&[axis], &[output]);
        let Err(error) = SceneCases::new(study, DROP.into(), |_| Err("none".into())) else {
            panic!("{axis}, {output} is accepted");
        };
        let sentence = error.to_string();
        assert!(words.iter().all(|word| sentence.contains(word)), "{sentence}");
    }
    for axis in ["ball.radius", "=1..2:3", "ball.radius=", "ball.radius=1..2"] {
        assert!(SceneStudy::over("drop.toml", &[axis.to_string()], None).is_err(), "{axis}");
    }
}

#[test]
fn a_study_in_toml_has_distributions_and_a_window() {
    let text = r#"
        outputs = ["touches", "lost"]
        [scene]
        file = "drop.toml"
        set = ["simulation.duration=0.3 s"]
        from = "0.1 s"
        [sampling]
        method = "latin-hypercube"
        count = 4
        [[axis]]
        parameter = "ball-ground.restitution"
        distribution = "uniform"
        from = 0.6
        to = 0.8
    "#;
    let read = AnyStudy::from_toml_with(text, &|law| Ok(law.into())).unwrap();
    let AnyStudy::Scene(study) = read else { panic!("a study of a scene") };
    let study = *study;
    let found = plan(study.clone(), DROP).cases(0..4);
    // The first touch, at 64 ms, is before the window; later ones are within it.
    let touches = numbers(&found, "touches");
    assert!(touches.iter().all(|count| *count >= 1.0), "{touches:?}");
    let whole = plan(SceneStudy { from: 0.0, ..study }, DROP).cases(0..4);
    for (some, all) in touches.iter().zip(numbers(&whole, "touches")) {
        assert_eq!(some + 1.0, all);
    }
    let lost = numbers(&found, "lost").into_iter().zip(numbers(&whole, "lost"));
    assert!(lost.into_iter().all(|(some, all)| some < all));
}

#[test]
fn shares_of_the_regimes_are_those_of_the_closed_form() {
    // A ball on a linear spring without damping is in flight for 2v/g and in contact for 2(π − atan(vω/g))/ω. Of the latter, π/ω,
    // the duration without weight, counts as impact and the rest as lasting contact.
    let (m, k, g, v) = (0.2, 2e5, 9.81, 0.5);
    let omega = f64::sqrt(k / m);
    let (flight, pressed) =
        (2.0 * v / g, 2.0 * (std::f64::consts::PI - f64::atan(v * omega / g)) / omega);
    let (period, impact) = (flight + pressed, std::f64::consts::PI / omega);
    let text = format!(
        r#"
        simulation = {{ duration = {}, gravity = {g} }}
        body = [{{ name = "ball", shape = "sphere", radius = 0.01, mass = {m}, position = [0, 0, {}] }}]
        contact = [{{ name = "floor", between = ["ball", "ground"], law = "hertz-1881", stiffness = {k}, exponent = 1 }}]
        "#,
        12.0 * period,
        0.01 + v * v / (2.0 * g)
    );
    let outputs = ["flight(floor)", "impact(floor)", "contact(floor)", "touches"];
    let columns = plan(over(&["ball.mass=0.2"], &outputs), &text).cases(0..1);
    let value = |name: &str| numbers(&columns, name)[0];
    for (name, expected) in [
        ("flight(floor)", flight / period),
        ("impact(floor)", impact / period),
        ("contact(floor)", (pressed - impact) / period),
    ] {
        assert!(
            (value(name) - expected).abs() < 1e-9,
            "{name}: {} instead of {expected}",
            value(name)
        );
    }
    assert_eq!(value("touches"), 12.0);
}
