//! How scenes write what a message of the library advises: as keys.

use carom::message::{Action, Plain, Wording};

/// `exit = "force"`, `set = { radius = VALUE }`.
pub(super) struct SceneKeys;

impl Wording for SceneKeys {
    fn action(&self, action: &Action) -> String {
        match action.assignment() {
            // Bodies have their shape from the scene; what they lack for a contact is a material.
            Some(("bodies", _)) => "material = NAME".into(),
            Some((parameter, Some(value))) => match parameter.strip_prefix("set.") {
                Some(name) => format!("set = {{ {name} = {value} }}"),
                None => Plain.action(action),
            },
            _ => Plain.action(action),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SceneKeys;
    use carom::message;
    use carom::message::Action;

    #[test]
    fn actions_are_keys() {
        for (action, key) in [
            (Action::give_as("restitution", "E"), "restitution = E"),
            (Action::set("exit", "force"), "exit = \"force\""),
            (Action::leave_out("calibration"), "calibration"),
            (Action::give_entry("pi"), "set = { pi = VALUE }"),
            (Action::give("bodies"), "material = NAME"),
        ] {
            assert_eq!(message!["give ", action].worded(&SceneKeys), format!("give {key}"));
        }
    }
}
