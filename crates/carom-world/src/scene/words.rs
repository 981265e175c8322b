//! Wording of scenes: actions that messages of the library advise are expressed as keys.

use carom::message::{Action, Plain, Wording};

/// Expresses actions as keys, such as `exit = "force"` or `set = { radius = VALUE }`.
pub(super) struct SceneKeys;

impl Wording for SceneKeys {
    fn action(&self, action: &Action) -> String {
        match action.assignment() {
            // In a scene, bodies have a shape; if the law lacks properties of the bodies, a material is missing.
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
