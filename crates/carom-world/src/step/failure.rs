//! Errors of a run that cannot continue: the step shrinks to zero, or events follow each other without end.

use super::Event;
use crate::gap;
use crate::input::StepInput;
use crate::state::{State, Touch};
use crate::world::World;
use carom::Error;

/// Error for a step that would have to be too short to meet the tolerance.
pub(crate) fn step_too_short(input: &StepInput, length: f64) -> Error {
    Error::numerical(
        "the step",
        format!("it shrank to {length:e} s at t = {} s", input.state.time),
        "a contact is too stiff or too strongly damped for its bodies: check stiffness, damping and units",
    )
}

/// Error for events that follow each other without time passing. The most likely cause is a contact whose indentation exceeds the
/// rounding of its edges, where gaps are not smooth.
pub(crate) fn events_without_end(world: &World, state: &State, event: Option<Event>) -> Error {
    let of = |touch: &Touch| {
        let (contact, [a, b]) = (world.contact_at(touch.site), world.shapes_at(touch.site));
        (contact.name.as_str(), touch.delta, gap::smooth_depth(a, b))
    };
    let when = format!("events follow each other without end at t = {} s", state.time);
    let deep = state.touches.iter().map(of).filter(|(_, delta, smooth)| delta > smooth);
    if let Some((name, delta, smooth)) = deep.max_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2))) {
        let what = format!(
            "{when}: contact `{name}` is {delta:.3e} m deep, and its edges are rounded for {smooth:.3e} m only"
        );
        let advice = "use a stiffer contact, or larger bodies, whose edges are rounder";
        return Error::numerical("the run", what, advice);
    }
    let touch = event.and_then(Event::touch).and_then(|index| state.touches.get(index));
    let what = match touch.map(of) {
        Some((name, delta, _)) => {
            format!("{when}, at contact `{name}`, which is {delta:.3e} m deep")
        }
        None => when,
    };
    Error::numerical("the run", what, "another law or friction of this contact may go on")
}
