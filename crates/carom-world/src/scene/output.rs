//! `[output]`: how results are written, and which bodies figures follow.

use super::bodies::body;
use super::reader::{Read, SceneTable};
use crate::World;

/// How results are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The format of the tables: one of [`Output::FORMATS`], where the scene names one.
    pub format: Option<&'static str>,
    /// Bodies that figures follow; empty for all.
    pub follow: Vec<usize>,
}

impl Output {
    /// Names of formats.
    pub const FORMATS: [&'static str; 3] = super::format::TABLE_FORMATS;
}

/// Reads `[output]`, which a scene may leave out.
pub(super) fn read(root: &SceneTable, world: &World) -> Read<Output> {
    let Some(table) = root.table("output")? else { return Ok(Output::default()) };
    let format = format(&table)?;
    let mut follow = Vec::new();
    for name in table.names("follow")? {
        follow.push(table.check_at("follow", body(world, &name))?);
    }
    table.finish()?;
    Ok(Output { format, follow })
}

/// The format that a table asks for.
pub(crate) fn format(table: &SceneTable) -> Read<Option<&'static str>> {
    table.choice("format", "format")
}
