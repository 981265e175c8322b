//! Where a scene begins: what of it could not be as it was written, and touches that exist already.
//!
//! Velocities are moved onto the joints before anything else, to the nearest ones in the metric of the masses.
//! Bodies at rest that a drive sets in motion are meant that way; a velocity that was given and is not kept is
//! told, because energy goes with it.

use crate::commit::deepen;
use crate::detect::hair;
use crate::onset;
use crate::run::Run;
use crate::state::Pose;
use crate::{Body, Note};
use carom::Result;

/// Share of the energy that rounded velocities may be off by (a thousandth of the speed).
const ROUNDED: f64 = 1e-6;

/// Notes what was changed, and makes the touches that exist.
pub(crate) fn begin(run: &mut Run) -> Result<()> {
    changed(run);
    overlaps(run)
}

/// Kinetic energy of a body (J) with velocities of its own or others.
fn kinetic(body: &Body, pose: &Pose) -> f64 {
    let spin = pose.rotation.inverse().turn(pose.spin);
    0.5 * body.mass * pose.velocity.dot(pose.velocity) + 0.5 * spin.dot(body.inertia.of(spin))
}

/// Notes velocities that were given and that joints or the plane do not allow.
fn changed(run: &mut Run) {
    let (mut before, mut after, mut off) = (0.0, 0.0, 0.0);
    let mut most: Option<(f64, usize)> = None;
    for (slot, &index) in run.world.free.iter().enumerate() {
        let body = &run.world.bodies[index];
        let now = Pose::read(&run.state.y, run.state.layout, slot);
        let written = Pose { velocity: body.velocity, spin: body.spin, ..now };
        let given = kinetic(body, &written);
        if given == 0.0 {
            continue;
        }
        let (velocity, spin) = (now.velocity - body.velocity, now.spin - body.spin);
        let change = kinetic(body, &Pose { velocity, spin, ..now });
        (before, after, off) = (before + given, after + kinetic(body, &now), off + change);
        if most.is_none_or(|(largest, _)| change > largest) {
            most = Some((change, index));
        }
    }
    if let Some((_, body)) = most.filter(|_| off > ROUNDED * before) {
        let name = run.world.bodies[body].name.clone();
        run.state.note(Note::Start { body, name, before, after });
    }
}

/// Touches that exist where the scene begins.
fn overlaps(run: &mut Run) -> Result<()> {
    for site in 0..run.world.sites.len() {
        let (gap, a, b) = run.dynamics.gap(run.world, site);
        let (one, two) = (&run.dynamics.moving[a], &run.dynamics.moving[b]);
        let apart = gap.opening_rate(one, two);
        // Bodies that were placed to touch overlap by rounding; that is no overlap.
        let hair = hair(run.world, &run.dynamics, a, b);
        if gap.distance < -hair || (gap.distance <= hair && apart < 0.0) {
            let h = onset::touch(run.world, &mut run.dynamics, &mut run.state, site)?;
            run.state.step = if run.state.step > 0.0 { run.state.step.min(h) } else { h };
            let contact = run.world.sites[site].contact;
            if gap.distance < -hair {
                let index = run.state.touches.len() - 1;
                let deepest = std::mem::take(&mut run.state.touches[index].deepest);
                deepen(run.world, &mut run.state, index, deepest);
                let name = run.world.contacts[contact].name.clone();
                run.state.note(Note::Overlap { contact, name, indentation: -gap.distance });
            }
        }
    }
    Ok(())
}
