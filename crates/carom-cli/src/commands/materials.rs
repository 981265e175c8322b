//! `carom materials`: lists the materials of bodies.

use crate::failure::Failure;
use crate::output::table::{Cell, TextTable};
use crate::output::{Format, style};
use carom::pair::{MATERIALS, Material};
use carom::units::format;
use clap::Args;

const HELP: &str = r#"Typical values at room temperature, for a first estimate. Give measured ones where you have them:
  carom impact --body "sphere radius=5mm youngs=70GPa poisson=0.33 density=2700" ..."#;

/// List the materials that bodies can be made of
#[derive(Args)]
#[command(after_help = HELP)]
pub struct Materials {
    /// Only those whose name or alias contains this
    search: Option<String>,

    #[command(flatten)]
    format: Format,
}

impl Materials {
    /// Returns the list.
    pub fn run(self) -> Result<String, Failure> {
        let text_sought = self.search.unwrap_or_default().to_lowercase();
        let found: Vec<&Material> =
            MATERIALS.iter().filter(|material| matches(material, &text_sought)).collect();
        let nothing =
            || format!("no material matches `{text_sought}`; `carom materials` lists them all");
        self.format.search(&found, &&MATERIALS[0], nothing, || material_table(&found))
    }
}

fn matches(material: &Material, text_sought: &str) -> bool {
    let names = [material.id, material.name].into_iter().chain(material.aliases.iter().copied());
    names.map(str::to_lowercase).any(|name| name.contains(text_sought))
}

fn material_table(materials: &[&Material]) -> String {
    let mut table =
        TextTable::new().left(["id"]).shrinkable("material").right(["E", "ν", "kg/m³", "yield"]);
    for material in materials {
        let strength = material.yield_strength.map(|strength| format(strength, "Pa"));
        table.row([
            Cell::styled(material.id, style::NAME),
            material.name.into(),
            format(material.youngs, "Pa").into(),
            format(material.poisson, "").into(),
            format(material.density, "").into(),
            strength.unwrap_or("-".to_string()).into(),
        ]);
    }
    table.render(0)
}
