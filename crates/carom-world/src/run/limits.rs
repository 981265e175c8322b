//! Where a run can do no better: steps without length, events without end.

use super::Run;
use crate::detect::Event;
use crate::gap;
use crate::state::Touch;
use carom::Error;

impl Run<'_> {
    /// What there is to say where no step is short enough.
    pub(super) fn shrank(&self, h: f64) -> Error {
        Error::numerical(
            "the step",
            format!("it shrank to {h:e} s at t = {} s", self.state.time),
            "a contact is too stiff or too strongly damped for its bodies: check stiffness, damping and units",
        )
    }

    /// What there is to say where events follow each other without end: most likely a contact that is pressed in deeper than
    /// its edges are rounded, where they have no smooth way out.
    pub(super) fn endless(&self, event: Option<Event>) -> Error {
        let (world, state) = (self.world, &self.state);
        let of = |touch: &Touch| {
            let contact = &world.contacts[world.sites[touch.site].contact];
            let [a, b] = [contact.a, contact.b].map(|index| &world.shapes[index].shape);
            (contact.name.as_str(), touch.delta, gap::smooth_depth(a, b))
        };
        let when = format!("events follow each other without end at t = {} s", state.time);
        let deep = state.touches.iter().map(of).filter(|(_, delta, smooth)| delta > smooth);
        if let Some((name, delta, smooth)) = deep.max_by(|a, b| (a.1 / a.2).total_cmp(&(b.1 / b.2)))
        {
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
}
