//! Expresses the advice in messages of the libraries as options of the command.

use carom::message::{Action, Topic, Wording};
use carom_store::Advice;

/// Wording that expresses actions as options and commands: `--exit force`, `--set radius=VALUE`, `carom models`.
pub struct CommandLine;

impl Wording for CommandLine {
    fn action(&self, action: &Action) -> String {
        let (parameter, value) = match action {
            Action::Set { parameter, value } => (parameter, Some(value).filter(|v| *v != "true")),
            Action::Give { parameter, example } => (parameter, example.as_ref()),
            Action::LeaveOut { parameter } => (parameter, None),
            Action::See { topic: Topic::Laws } => return "`carom models`".into(),
            Action::See { topic: Topic::Law } => return "`carom model ID`".into(),
            Action::See { topic: Topic::Materials } => return "`carom materials`".into(),
            Action::See { topic: Topic::Identification } => return "`carom identify`".into(),
            other => return carom::message::Plain.action(other),
        };
        if let Some(name) = parameter.strip_prefix("set.") {
            return format!("--set {name}={}", value.map_or("VALUE", String::as_str));
        }
        let option = match parameter.as_str() {
            "bodies" => "--body".to_string(),
            name => format!("--{}", name.replace('_', "-")),
        };
        match value {
            Some(value) if value.contains(' ') => format!("{option} \"{value}\""),
            Some(value) => format!("{option} {value}"),
            None => option,
        }
    }
}

/// Expresses advice about files as an option.
pub fn option(advice: Advice) -> String {
    match (advice, advice.parameter()) {
        (_, Some((name, _))) => format!("--{name}"),
        (Advice::Simulate, _) => "`carom simulate SCENE --out DIR`".into(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_options() {
        for (action, option) in [
            (Action::set("exit", "force"), "--exit force"),
            (Action::set("overwrite", true), "--overwrite"),
            (Action::give_as("rate_exponent", "Q"), "--rate-exponent Q"),
            (
                Action::give_as("columns", "time [ms],force [N]"),
                "--columns \"time [ms],force [N]\"",
            ),
            (Action::give_entry("radius"), "--set radius=VALUE"),
            (Action::give("bodies"), "--body"),
            (Action::leave_out("published"), "--published"),
            (Action::see(Topic::Laws), "`carom models`"),
        ] {
            assert_eq!(CommandLine.action(&action), option);
        }
    }
}
