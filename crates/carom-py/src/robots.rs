//! Checks of robot files, as JSON.

use crate::error::{Error, raise};
use crate::questions::{read, write};
use carom::robot_file::{self, SIZE_MAX, Spec};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A report; if a restitution is requested, also the fix, the changed text of the file, and the changed included files with their
/// texts.
type Answer = (String, Option<(String, String, Vec<(String, String)>)>);

/// Checks a robot file; included files must be in `root`, by default the folder of the file.
#[pyfunction]
#[pyo3(signature = (path, root, spec))]
pub fn check_robot(
    py: Python<'_>,
    path: PathBuf,
    root: Option<PathBuf>,
    spec: &str,
) -> PyResult<Answer> {
    let spec: Spec = read("the question", spec)?;
    let shown = path.display().to_string();
    let unreadable = |why: String| {
        Error::new_err(format!("cannot read `{shown}`: {why}; name an MJCF, SDF or URDF file"))
    };
    let size = std::fs::metadata(&path).map_err(|why| unreadable(why.to_string()))?.len();
    if size > SIZE_MAX as u64 {
        return Err(unreadable(format!(
            "it has {} MB, more than {} MB",
            size >> 20,
            SIZE_MAX >> 20
        )));
    }
    let text = std::fs::read_to_string(&path).map_err(|why| unreadable(why.to_string()))?;
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    let root = root.unwrap_or_else(|| folder.clone());
    let name = path.file_name().map(|name| name.to_string_lossy().to_string()).unwrap_or_default();
    let answer = py.detach(|| {
        let load = |name: &str| robot_file::included(&folder, &root, name);
        let model = robot_file::read(&name, &text, &load, &spec.question()?)?;
        let fix =
            spec.restitution()?.map(|restitution| model.fix(restitution, &load)).transpose()?;
        Ok((model.check()?, fix))
    });
    let (report, fix) = answer.map_err(raise)?;
    let fix = fix.map(|fix| {
        let included = fix.included.iter().map(|file| (file.name.clone(), file.text.clone()));
        Ok::<_, PyErr>((write(&fix)?, fix.text.clone(), included.collect()))
    });
    let fix = fix.transpose()?;
    Ok((write(&report)?, fix))
}
