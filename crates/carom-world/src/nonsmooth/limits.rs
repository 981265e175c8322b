//! Properties of a contact that the nonsmooth method uses, and those that it does not support.
//!
//! A contact of rigid bodies has a restitution and a coefficient of friction only; the stiffness, the exponent and the form
//! of the damping have no effect. The restitution must be given in the scene, unless the law is elastic. If a property is
//! ignored although it would change the motion, there is a note.

use crate::friction::Friction;
use crate::law_source::LawSource;
use crate::note::Note;
use crate::world::{Contact, ContactMethod, World};
use carom::{Error, Law, Result};

/// Returns the restitution of a contact.
///
/// # Errors
/// When the scene gives no restitution and the law dissipates energy.
pub(crate) fn restitution(contact: &Contact) -> Result<f64> {
    if let Some(restitution) = contact.restitution {
        return Ok(restitution);
    }
    if law(contact).is_some_and(|law| law.power().is_some() && law.touch(1.0).damping == 0.0) {
        return Ok(1.0);
    }
    Err(Error::missing(
        "restitution",
        "the nonsmooth method has no other number for what an impact loses, and this law was not asked for one: give the contact \
         a restitution, or use method = \"smooth\"",
    ))
}

/// Returns the law of a contact for a unit mass, where this is possible without curvatures that are not yet known.
fn law(contact: &Contact) -> Option<Law> {
    match &contact.law_source {
        LawSource::Given(law) | LawSource::CylinderSide(law) => Some(*law),
        hertzian => hertzian.law(1.0, Some((1.0, 1.0))).ok(),
    }
}

/// Returns Coulomb's coefficient of friction of a contact.
pub(super) fn friction(contact: &Contact) -> f64 {
    match contact.friction {
        None => 0.0,
        Some(Friction::Regularised { coefficient, .. } | Friction::Spring { coefficient, .. }) => {
            coefficient
        }
        Some(
            Friction::BrownMcPhee { dynamic_coefficient, .. }
            | Friction::LuGre { dynamic_coefficient, .. },
        ) => dynamic_coefficient,
    }
}

/// Checks whether a scene can be simulated with its method, and returns notes on properties that are ignored.
///
/// # Errors
/// When the nonsmooth method does not support the scene; the error names the reason.
pub(crate) fn check(world: &World) -> Result<Vec<Note>> {
    let mut notes = Vec::new();
    if !matches!(world.method, ContactMethod::Nonsmooth { .. }) {
        return Ok(notes);
    }
    for (index, contact) in world.contacts.iter().enumerate() {
        restitution(contact).map_err(|error| error.at(format!("contact `{}`", contact.name)))?;
        for what in left_out(contact) {
            let (name, what) = (contact.name.clone(), what.to_string());
            notes.push(Note::LeftOut { contact: index, name, what });
        }
    }
    Ok(notes)
}

/// Returns the properties of a contact that rigid bodies with Coulomb friction do not have.
fn left_out(contact: &Contact) -> Vec<&'static str> {
    let mut found = Vec::new();
    if contact.resistance.is_some() {
        found.push("resistance to rolling");
    }
    if law(contact).is_some_and(|law| law.release() < 0.0) {
        found.push("adhesion");
    }
    let (ratio, viscous) = match contact.friction {
        Some(
            Friction::BrownMcPhee { static_coefficient, dynamic_coefficient, viscous, .. }
            | Friction::LuGre { static_coefficient, dynamic_coefficient, viscous, .. },
        ) => (static_coefficient != dynamic_coefficient, viscous != 0.0),
        _ => (false, false),
    };
    if ratio {
        found.push("the coefficient of static friction (the dynamic one holds throughout)");
    }
    if viscous {
        found.push("viscous friction");
    }
    found
}
