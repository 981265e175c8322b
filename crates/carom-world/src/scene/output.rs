//! `[output]`: format of the results, and the bodies that figures show.

use super::bodies::find_body;
use super::reader::{Read, SceneTable};
use crate::World;

/// Options for results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Format of the tables, one of [`Output::FORMATS`], if the scene names one.
    pub format: Option<&'static str>,
    /// Bodies shown in figures; empty for all.
    pub follow: Vec<usize>,
}

impl Output {
    /// Names of the formats.
    pub const FORMATS: [&'static str; 3] = super::format::TABLE_FORMATS;
}

/// Reads `[output]`, which is optional.
pub(super) fn read(root: &SceneTable, world: &World) -> Read<Output> {
    let Some(table) = root.table("output")? else { return Ok(Output::default()) };
    let format = format(&table)?;
    let mut follow = Vec::new();
    for name in table.names("follow")? {
        follow.push(table.check_at("follow", find_body(world, &name))?);
    }
    table.finish()?;
    Ok(Output { format, follow })
}

/// Reads the key `format` of a table.
pub(crate) fn format(table: &SceneTable) -> Read<Option<&'static str>> {
    table.choice("format", "format")
}
