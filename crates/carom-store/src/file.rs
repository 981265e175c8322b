//! Files that are replaced as a whole: a reader sees the old contents or the new, never a part, also after a
//! power failure.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells temporary files of several threads of one process apart.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// The path with something added to the file name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Writes a file as a whole: into a temporary file in the same folder, synchronised with the disk, and then
/// renamed. A failure leaves the old contents and no temporary file.
///
/// # Errors
/// When the system refuses.
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
    let Some(name) = path.file_name() else {
        return Err(io::Error::from(io::ErrorKind::InvalidFilename));
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    hidden.push(format!(".{}-{number}.tmp", std::process::id()));
    let temporary = path.with_file_name(hidden);
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&temporary)
        .and_then(|mut file| file.write_all(contents).and_then(|()| file.sync_all()))
        .and_then(|()| rename(&temporary, path));
    if written.is_err() {
        // It may not exist; the first failure is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    written
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
    // Some systems have no way to open or synchronise a folder; the contents are safe there all the same.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}
