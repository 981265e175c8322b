//! `carom simulate --columns` for programs.

use carom_world::record::{Table, tables};
use serde::Serialize;

/// One column of one table.
#[derive(Clone, Serialize)]
pub struct Row {
    /// What leaves the table: a scene of `bodies`, or of `grains`.
    scene: &'static str,
    table: &'static str,
    column: &'static str,
    unit: &'static str,
    about: &'static str,
}

/// The columns of all tables.
pub fn all() -> Vec<Row> {
    let of = |scene: &'static str, tables: &[&'static Table]| {
        let fields = tables.iter().flat_map(|table| table.fields.iter().map(move |f| (table, f)));
        let row = |(table, field): (&&'static Table, &'static carom_world::record::Field)| Row {
            scene,
            table: table.name,
            column: field.name,
            unit: field.unit,
            about: field.about,
        };
        fields.map(row).collect::<Vec<_>>()
    };
    [of("bodies", &tables::BODIES), of("grains", &tables::GRAINS)].concat()
}
