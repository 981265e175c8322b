//! An impact in a scene agrees with the impact of the library, for every law of the catalogue.

use crate::common::{Log, above_ground, subjects};
use carom::collide;

#[test]
fn every_law_of_the_catalogue_gives_the_librarys_numbers_through_a_scene() {
    let (mut seen, mut off) = (0, Vec::new());
    for subject in subjects::all() {
        let expected = collide(&subject.law, subjects::SPEED).unwrap();
        if !expected.duration.is_finite() {
            continue;
        }
        let world = above_ground(subject.law, 0.02, subjects::SPEED);
        let mut run = carom_world::Run::new(&world).unwrap();
        let mut log = Log::default();
        let most = 2e-4 + 3.0 * expected.duration + 1e-3;
        // The number of steps is limited, so that a law with poor step control fails instead of running without end.
        let mut failed = None;
        while run.state().time < most && run.state().counts.steps < 5000 {
            if let Err(error) = run.step(most, &mut log) {
                failed = Some(error.to_string());
                break;
            }
        }
        if let Some(error) = failed {
            off.push(format!("{subject}: {error}"));
            continue;
        }
        let Some(found) = log.0.first() else {
            off.push(format!("{subject}: it never ended"));
            continue;
        };
        let pairs = [
            ("restitution", found.rebound / found.speed, expected.restitution.newton),
            ("duration", found.released - found.begun, expected.duration),
            ("indentation", found.indentation_max, expected.indentation_max),
            ("force", found.force_max, expected.force_max),
        ];
        for (name, found, expected) in pairs {
            let error = (found / expected - 1.0).abs();
            if !(error < 1e-8) {
                off.push(format!("{subject}: {name} {found:e}, not {expected:e} ({error:.1e})"));
            }
        }
        let energies = run.state().energies(&world);
        if energies.error.abs() > 1e-8 * expected.energy.initial {
            off.push(format!("{subject}: energy {:.1e}", energies.error / expected.energy.initial));
        }
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
    assert!(off.is_empty(), "{} of {seen}\n{}", off.len(), off.join("\n"));
}
