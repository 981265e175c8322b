//! `POST check`: computes what the contacts of a robot file deliver, findings, and the file with changed parameters.

use crate::failure::Failure;
use carom::Error;
use carom::robot_file::{self, Fix, Report, Spec};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Body of the request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Texts by name: the file and the files that it includes.
    files: BTreeMap<String, String>,
    /// Name of the robot file among them; optional if there is only one.
    #[serde(default)]
    name: Option<String>,
    /// Options of `carom check`.
    #[serde(default)]
    spec: Spec,
}

/// The report and, if a restitution is requested, the fix and the changed text.
#[derive(Debug, Serialize)]
pub struct Checked {
    #[serde(flatten)]
    report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Fixed>,
}

#[derive(Debug, Serialize)]
struct Fixed {
    #[serde(flatten)]
    fix: Fix,
    text: String,
    /// Included files that were changed, by name.
    texts: BTreeMap<String, String>,
}

/// Reads the file as its engine does, and integrates impacts of its contacts with the steps of the engine.
pub fn check(request: &Request) -> Result<Checked, Failure> {
    let files = &request.files;
    let name = match (&request.name, files.keys().next()) {
        (Some(name), _) => name.clone(),
        (None, Some(only)) if files.len() == 1 => only.clone(),
        (None, _) => {
            let advice = "name the file that includes the others";
            return Err(Error::missing("name", advice).into());
        }
    };
    let Some(text) = files.get(&name) else {
        return Err(Error::not_among("file", &name, files.keys().map(String::as_str)).into());
    };
    // The page does not know the folders of files, so included files are found by the last part of their names.
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_string();
    let load = |wanted: &str| {
        let found = files.iter().find(|(name, _)| last(name) == last(wanted));
        found
            .map(|(_, text)| text.clone())
            .ok_or_else(|| Error::missing(last(wanted), "the file includes it: drop both together"))
    };
    let spec = &request.spec;
    let model = robot_file::read(&name, text, &load, &spec.question()?)?;
    let report = model.check()?;
    let fix = match spec.restitution()? {
        Some(restitution) => {
            let fix = model.fix(restitution, &load)?;
            let included = fix.included.iter().map(|file| (file.name.clone(), file.text.clone()));
            Some(Fixed { text: fix.text.clone(), texts: included.collect(), fix })
        }
        None => None,
    };
    Ok(Checked { report, fix })
}
