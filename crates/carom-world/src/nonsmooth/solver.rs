//! All contacts together: Gauss–Seidel over contacts, each solved exactly.
//!
//! One contact after the other gets the impulse that satisfies Signorini and Coulomb with those of the others as they are
//! (`cone.rs`), until nothing changes: the nonsmooth contact dynamics of M. Jean, Computer Methods in Applied Mechanics and
//! Engineering 177 (1999) 235–257. Anderson's acceleration makes it ten to a thousand times faster in stacks (`anderson.rs`). Joints
//! do not take part: responses of bodies hold them exactly (`active.rs`). Impulses of the last step are where it begins, so that
//! bodies at rest take a few sweeps.
//!
//! Where many contacts share a load (a box on more corners than it needs) impulses are not unique; velocities are, without friction.

use super::active::{ActiveContact, Velocity};
use super::anderson::Acceleration;
use super::cone::Local;

/// Velocities change by no more than this share of their scale in the last sweep.
const TOLERANCE: f64 = 1e-11;
/// Sweeps after which a solution that still changes is taken as it is.
const MAX_SWEEPS: usize = 2_000;

/// What the contacts are asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// Velocity that is added along the normal: Newton's e·uₙ⁻.
    pub bias: f64,
    /// Least normal impulse: Poisson's e times the impulse of compression.
    pub floor: f64,
}

/// Finds the impulses of all contacts: (velocities without them, requests) → velocities with them. Impulses that the contacts
/// have already are part of the velocities. Gives the change of velocities in the last sweep over their scale, 0 where it converged.
pub(super) fn solve(
    contacts: &mut [ActiveContact],
    requests: &[Request],
    bodies: &mut [Velocity],
) -> f64 {
    let size = |u: Local| u.iter().fold(0.0f64, |most, u| most.max(u.abs()));
    let mut scale = f64::MIN_POSITIVE;
    for (contact, request) in contacts.iter().zip(requests) {
        let without = contact.problem(bodies, 0.0, 0.0).velocity;
        scale = scale.max(size(without)).max(request.bias.abs());
    }
    let mut residual = 0.0;
    let mut acceleration = Acceleration::default();
    for _ in 0..MAX_SWEEPS {
        let begun = impulses(contacts);
        residual = 0.0f64;
        for (contact, request) in contacts.iter_mut().zip(requests) {
            let wanted = contact.problem(bodies, request.bias, request.floor).solve();
            let change: Local = std::array::from_fn(|i| wanted[i] - contact.impulse[i]);
            residual = residual.max(contact.effect(change) / scale);
            contact.push(change, bodies);
        }
        // A single contact is solved by the first sweep.
        if residual <= TOLERANCE || contacts.len() == 1 {
            return 0.0;
        }
        let next = acceleration.next(&begun, &impulses(contacts));
        for (contact, next) in contacts.iter_mut().zip(next.as_chunks::<3>().0) {
            let change: Local = std::array::from_fn(|i| next[i] - contact.impulse[i]);
            contact.push(change, bodies);
        }
    }
    residual
}

/// The impulses of all contacts in one row.
fn impulses(contacts: &[ActiveContact]) -> Vec<f64> {
    contacts.iter().flat_map(|contact| contact.impulse).collect()
}
