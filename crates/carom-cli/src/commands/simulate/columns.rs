//! Lists the columns of all tables, for `carom simulate --columns --json` and `--csv`.

use carom_store::Field;
use carom_store::table::Schema;
use carom_world::record::tables;
use serde::Serialize;

/// One column of one table.
#[derive(Clone, Serialize)]
pub struct TableColumn {
    /// Kind of scene that has the table: `bodies` or `grains`.
    scene: &'static str,
    /// Name of the table.
    table: &'static str,
    /// Name of the column.
    column: String,
    /// SI unit; empty for pure numbers and text.
    unit: String,
    /// Type of the values.
    #[serde(rename = "type")]
    kind: carom_store::Kind,
    /// Meaning; empty where it follows from the column before.
    about: String,
}

/// Returns the columns of all tables.
pub fn table_columns() -> Vec<TableColumn> {
    let of_table = |scene: &'static str, table: Schema| {
        let column = move |Field { name, unit, kind, about }: Field| TableColumn {
            scene,
            table: table.name,
            column: name,
            unit,
            kind,
            about,
        };
        table.fields.into_iter().map(column)
    };
    let bodies = tables::of_bodies().into_iter().flat_map(|table| of_table("bodies", table));
    let grains = tables::of_grains().into_iter().flat_map(|table| of_table("grains", table));
    bodies.chain(grains).collect()
}
