//! Runs advanced in pieces that end within touches, compared with runs in one piece.

use crate::common::{logged, parse, pose_of, ran};
use carom_world::Scene;

/// Returns a scene with a ball that falls on a table which moves up and down.
fn ball_on_table(law: &str, velocity: f64, amplitude: f64, exit: &str, friction: &str) -> Scene {
    parse(&format!(
        r#"
        simulation = {{ duration = 1, gravity = 9.81, tolerance = 1e-10 }}
        body = [
            {{ name = "table", shape = "half-space",
                motion = {{ direction = [0, 0, 1], amplitude = {amplitude}, frequency = 157.08 }} }},
            {{ name = "ball", shape = "sphere", radius = "5 mm", mass = 0.01, position = [0, 0, "5.714 mm"],
                velocity = [{velocity}, 0, -0.168] }},
        ]
        contact = [{{ between = ["ball", "table"], {law}, calibration = "exact", exit = "{exit}", {friction} }}]
        "#
    ))
}

/// Returns the difference of the ball between a run divided at a time and the run in one piece, relative to 1 mm and 0.3 m/s.
fn difference(scene: &Scene, cut: f64, until: f64) -> f64 {
    let whole = ran(&scene.world, until);
    let mut run = ran(&scene.world, cut);
    assert_eq!(run.state().time, cut);
    run.advance(until).unwrap();
    let (one, other) = (pose_of(&whole, 2), pose_of(&run, 2));
    let position = (one.position - other.position).length() / 1e-3;
    position.max((one.velocity - other.velocity).length() / 0.3)
}

#[test]
fn a_step_that_lands_on_an_event_behind_the_end_of_the_run_was_dated_at_that_end() {
    // A step that aims at a turn or at the end of a touch is repeated until it ends there. If this event was beyond the time up
    // to which the run had to advance, the state at the event was taken for the state at that time, with an error of 1 mm/s in
    // the last case.
    let laws = [
        r#"law = "tsuji-1992", stiffness = "4.4e4 N/m^1.5", restitution = 0.69"#,
        r#"law = "kelvin-voigt", stiffness = "1e6 N/m", exponent = 1, restitution = 0.5"#,
        r#"law = "jankowski-2005", stiffness = "1e6 N/m^1.5", restitution = 0.8"#,
    ];
    let mut cuts = 0;
    for (law, exit) in laws.iter().flat_map(|law| [(law, "force"), (law, "indentation")]) {
        let scene = ball_on_table(law, 0.1, 1.9e-4, exit, "friction = { coefficient = 0.3 }");
        let (_, touches) = logged(&scene.world, 0.12);
        let touch = touches[0];
        // Runs are compared in flight, before other touches amplify the difference.
        let until = 0.5 * (touch.ended + touches[1].begun);
        let duration = touch.ended - touch.begun;
        let ends = [(touch.begun, 1.0), (touch.ended, -1.0), (touch.ended, 1.0)];
        let around = ends.iter().flat_map(|(end, sign)| {
            (1..13).map(move |digits| end + sign * duration * 10f64.powi(-digits))
        });
        let within = (1..25).map(|k| touch.begun + duration * f64::from(k) / 25.0);
        for cut in around.chain(within) {
            let found = difference(&scene, cut, until);
            assert!(
                found < 1e-8,
                "{law}, {exit}: cut {:e} s after onset: {found:e}",
                cut - touch.begun
            );
            cuts += 1;
        }
    }
    assert_eq!(cuts, 6 * 60);
}

#[test]
fn a_force_that_returned_and_vanished_again_within_a_step_was_missed() {
    // A ball rebounds repeatedly from the table without leaving the contact. After one of its small rebounds a step went from the
    // release to the end of the touch and missed that the force had returned in between, so that the ball penetrated the table by
    // 0.3 µm without force.
    let law = r#"law = "walton-braun-1986", stiffness = "50832981.86120187 N/m", exponent = 1,
        restitution = 0.19976974376146384"#;
    let friction =
        r#"friction = { coefficient = 0.3, stiffness = "1e6 N/m", damping_ratio = 0.1 }"#;
    let scene = ball_on_table(law, 0.1043109859425503, 0.5092781549563669e-3, "force", friction);
    let found = difference(&scene, 4.549204475754012e-2, 0.06);
    assert!(found < 1e-5, "{found:e}");
}
