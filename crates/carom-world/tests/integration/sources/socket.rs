//! A ball in its socket compared with an independent integration of the models that S. Wang & P. Gao compute (Actuators 12 (2023)
//! 89).

use super::common::{Log, close};
use super::scene;
use carom_world::Run;

#[test]
fn the_struck_socket_has_the_recomputed_force_indentation_and_duration() {
    // Law, parameter, restitution, largest force (N), indentation (m), duration (s), for e = 0.9 at 0.3 m/s and 1 kg: the
    // published formulas, integrated by two programs other than carom.
    for (law, set, e, force, depth, time) in [
        ("lankarani-nikravesh-1990", "", 0.913177, 10527.3, 9.8437e-6, 10.1098e-5),
        ("flores-2011", "", 0.893921, 10438.0, 9.7623e-6, 10.1353e-5),
        ("wang-gao-2023", "{ index = 1 }", 0.896833, 11920.1, 8.5402e-6, 8.8600e-5),
        ("wang-gao-2023", "{ index = 8 }", 0.896931, 13696.2, 7.4367e-6, 7.7138e-5),
    ] {
        let mut changes = vec![
            ("ball", "velocity", "[0.3, 0, 0]".to_string()),
            ("simulation", "gravity", "0".to_string()),
            ("cup-ball", "law", law.to_string()),
            ("cup-ball", "restitution", "0.9".to_string()),
            ("cup-ball", "calibration", "published".to_string()),
        ];
        if !set.is_empty() {
            changes.push(("cup-ball", "set", set.to_string()));
        }
        let scene = scene("ball-in-socket", &changes);
        let mut log = Log::default();
        // The ball crosses a clearance of 0.5 mm at 0.3 m/s before the contact.
        Run::new(&scene.world).unwrap().advance_with(1.9e-3, &mut log).unwrap();
        let [touch] = log.0.as_slice() else { panic!("{law}: {} touches", log.0.len()) };
        close(touch.rebound / touch.speed, e, 2e-6, law);
        close(touch.force_max, force, 1e-5, law);
        close(touch.indentation_max, depth, 1e-4, law);
        close(touch.ended - touch.begun, time, 1e-4, law);
    }
}
