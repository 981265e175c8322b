//! Writing files completely or not at all.

use crate::failure::Failure;
use std::path::Path;

/// Writes a file as a whole ([`carom_store::file::write`]).
///
/// # Errors
/// When the system refuses; the old contents are then unchanged.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    carom_store::file::write(path, contents).map_err(|why| Failure::unwritable(path, &why))
}
