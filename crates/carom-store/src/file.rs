//! Files that are replaced as a whole: a reader sees either the old or the new contents, never a part of them, even after a power
//! failure.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Returns the path with `ending` added to the file name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Writes a file as a whole: into a temporary file in the same folder, which is synchronised with the disk and then renamed. A
/// failure leaves the old contents and no temporary file.
///
/// # Errors
/// When the operating system refuses.
///
/// ```
/// let path = std::env::temp_dir().join(format!("whole-{}.txt", std::process::id()));
/// carom_store::file::write(&path, b"one")?;
/// carom_store::file::write(&path, b"two")?;
/// assert_eq!(std::fs::read(&path)?, b"two");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = temporary(path)?;
    let written = file.write_all(contents).and_then(|()| file.sync_all());
    let written = written.and_then(|()| rename(&temporary, path));
    if written.is_err() {
        // The error of the write is reported, not that of the removal.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Creates a temporary file in the folder of `path`. Its name is fixed, so that a process that is killed leaves at most one such
/// file, which the next process replaces. While another process is writing the same file, the name contains the process number
/// instead.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let hidden = |ending: &str| {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(ending);
        path.with_file_name(hidden)
    };
    let usual = hidden(".tmp");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&usual)?;
    match file.try_lock() {
        // If the file no longer exists, another process renamed it before it could be locked here.
        Ok(()) | Err(TryLockError::Error(_)) if usual.exists() => {
            file.set_len(0)?;
            Ok((usual, file))
        }
        _ => {
            let own = hidden(&format!(".{}.tmp", std::process::id()));
            let file = OpenOptions::new().write(true).create_new(true).open(&own)?;
            Ok((own, file))
        }
    }
}

/// Renames a file whose contents are on the disk, and synchronises the folder so that the new name survives a
/// power failure.
///
/// # Errors
/// When the file cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = match to.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // Some systems cannot open or synchronise a folder; the contents of the file are safe there nevertheless.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_file_that_was_left_behind_is_replaced_and_one_in_use_is_not() {
        let folder = std::env::temp_dir().join(format!("carom-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.txt");
        fs::write(folder.join(".a.txt.tmp"), "left by a process that was killed").unwrap();
        write(&path, b"one").unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        // While another writer holds the temporary file, both finish with their own contents.
        let (other, mut file) = temporary(&path).unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        file.write_all(b"three").unwrap();
        rename(&other, &path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
