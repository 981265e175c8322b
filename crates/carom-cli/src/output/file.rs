//! Files, whole or not at all.

use crate::failure::Failure;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file beside its final place and then moves it there, so that a reader never sees half of
/// it and a failure leaves nothing behind.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let refuse = |why: io::Error| Failure::unwritable(path, &why);
    let Some(name) = path.file_name() else {
        return Err(refuse(io::Error::from(io::ErrorKind::InvalidFilename)));
    };
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(hidden);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)
        .and_then(|mut file| file.write_all(contents));
    written.and_then(|()| fs::rename(&beside, path)).map_err(|why| {
        // It may not exist; the first failure is the one to report.
        let _ = fs::remove_file(&beside);
        refuse(why)
    })
}
