//! Reads files that a robot file includes; they must lie in the folder of that file, unless the user permits another
//! folder.

use super::xml::SIZE_MAX;
use crate::error::{Error, Result};
use crate::message::Action;
use std::path::{Component, Path, PathBuf};

/// Returns the text of a file that a robot file in `folder` includes by `name`. The file must lie in the folder
/// `root` after all links and `..` have been resolved.
pub fn included(folder: &Path, root: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    let named = Path::new(name);
    let climbs =
        named.is_absolute() || named.components().any(|part| matches!(part, Component::ParentDir));
    let refuse = |reason: String| Error::unreadable("an included file", reason);
    // A path that leads out of the folder is refused in the same way whether the file exists or not, so that errors
    // do not reveal which files exist outside.
    let inside = match (canonical_path(&path), canonical_path(root)) {
        (Ok(path), Ok(root)) => path.starts_with(root),
        _ if climbs => false,
        (Err(why), _) | (_, Err(why)) => return Err(refuse(format!("`{name}`: {why}"))),
    };
    if !inside {
        let what =
            format!("the included file `{name}`, which lies outside of the folder of the file,");
        let advice = message!["give the folder that holds both: ", Action::give_as("root", "DIR")];
        return Err(Error::unsupported(what, advice));
    }
    let size = std::fs::metadata(&path).map_or(0, |data| data.len());
    if size > SIZE_MAX as u64 {
        return Err(refuse(format!(
            "`{name}` has {} MB, more than {} MB",
            size >> 20,
            SIZE_MAX >> 20
        )));
    }
    std::fs::read_to_string(&path).map_err(|why| refuse(format!("`{name}`: {why}")))
}

fn canonical_path(path: &Path) -> std::io::Result<PathBuf> {
    match path.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => path.canonicalize(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_of_the_folder_are_not_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let whole = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(included(&folder, &folder, "lib.rs").is_ok());
        for name in ["../Cargo.toml", "/etc/hostname", "../../../../../../etc/passwd", "../missing"]
        {
            let error = included(&folder, &folder, name).unwrap_err().to_string();
            assert!(error.contains("outside") && error.contains("root"), "{error}");
        }
        assert!(included(&folder, whole, "../Cargo.toml").is_ok());
        assert!(
            included(&folder, &folder, "missing.xml")
                .unwrap_err()
                .to_string()
                .contains("missing.xml")
        );
    }
}
