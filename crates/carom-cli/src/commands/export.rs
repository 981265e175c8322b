//! `carom export`: writes an impact as input for another simulator.

pub(super) mod text;

use super::described::{ImpactArguments, si_value};
use crate::failure::Failure;
use crate::output::{Format, write_file};
use carom::Error;
use carom::export::{self, Engine, Form, Options};
use carom::spec::Quantity;
use carom::units::Dimension;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = r#"
The law, the bodies and the dissipation are described as for `carom impact`. The input is written
to standard output, or with --out to a file (or all files to a folder) with a report of what the
engine will deliver. The report lists what the engine cannot express; --strict refuses to lose
anything.

Examples:
  carom export --list
  carom export --to lammps --law tsuji-1992 --mass 0.54kg --stiffness 2.4144e10 \
      --speed 0.5m/s --restitution 0.7568 --calibration exact --out in.impact.lmp
  carom export --to mujoco --law kelvin-voigt-1865 --mass 1kg --stiffness 1e6 --exponent 1 \
      --speed 1m/s --restitution 0.5 --calibration exact --exit force --json
  carom export --to lammps --plugin --law thornton-1997 --body "sphere radius=5mm material=steel" \
      --body "plane material=steel" --set limiting_pressure=1.5GPa --speed 0.5m/s --out in.impact.lmp"#;

/// Write input for another simulator, with the restitution that it will deliver
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Export {
    /// Engine to write for; --list shows them
    #[arg(long, value_name = "ENGINE")]
    to: Option<String>,
    /// List the engines and what they can express
    #[arg(long, conflicts_with_all = ["to", "out", "strict", "steps", "step", "friction", "rolling_friction"])]
    list: bool,
    /// Fail if the engine cannot express the law without loss
    #[arg(long)]
    strict: bool,
    /// Write input for carom's plugin for the engine, which runs any law (lammps)
    #[arg(long, requires = "to")]
    plugin: bool,
    /// Steps in one contact, for which the damping is then chosen [default: what the engine needs, see docs/engines.md]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    steps: Option<Quantity>,
    /// Time step, for which the damping is then chosen, in place of --steps
    #[arg(long, value_name = "TIME", conflicts_with = "steps", allow_hyphen_values = true)]
    step: Option<Quantity>,
    /// Coefficient of friction to write, where the engine has one
    #[arg(long, value_name = "MU", allow_hyphen_values = true)]
    friction: Option<Quantity>,
    /// Rolling friction to write: couple over normal force and effective radius
    #[arg(long, value_name = "MU", allow_hyphen_values = true)]
    rolling_friction: Option<Quantity>,

    #[command(flatten)]
    described: ImpactArguments,

    /// Write the input to this file, or all files into this folder (a name without an ending), and print a report
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out", help_heading = "Output")]
    overwrite: bool,
    #[command(flatten)]
    format: Format,
}

/// A row of CSV: a setting of the engine.
#[derive(Serialize)]
struct SettingRow<'a> {
    engine: &'static str,
    setting: &'a str,
    value: f64,
    unit: &'a str,
}

/// A row of CSV: a force law that an engine has.
#[derive(Serialize)]
struct FormRow {
    engine: &'static str,
    version: &'static str,
    #[serde(flatten)]
    form: &'static Form,
}

impl Export {
    /// Writes the files if requested and returns a report; otherwise returns the input itself.
    pub fn run(self) -> Result<String, Failure> {
        if self.list {
            let all: Vec<_> = export::engines().collect();
            let rows: Vec<FormRow> = all
                .iter()
                .flat_map(|engine| engine.forms.iter().map(move |form| (*engine, form)))
                .map(|(Engine { id: engine, version, .. }, form)| FormRow { engine, version, form })
                .collect();
            return self.format.render(&all, &rows, text::engine_table);
        }
        let Some(name) = &self.to else {
            let ids: Vec<_> = export::engines().map(|engine| engine.id).collect();
            let advice = format!("give --to with one of {}", ids.join(", "));
            return Err(Error::missing("to", advice).into());
        };
        let engine = match (export::engine(name)?, self.plugin) {
            (engine, false) => engine,
            (Engine { id: "lammps" | "lammps-plugin", .. }, true) => {
                export::engine("lammps-plugin")?
            }
            (engine, true) => {
                let advice = "leave out --plugin, or give --to lammps";
                return Err(
                    Error::unsupported(format!("a plugin for {}", engine.id), advice).into()
                );
            }
        };
        let spec = self.described.spec()?;
        let options = Options {
            steps: si_value("steps", &self.steps, Dimension::NUMBER)?,
            step: si_value("step", &self.step, Dimension::TIME)?,
            strict: self.strict,
            friction: si_value("friction", &self.friction, Dimension::NUMBER)?,
            rolling_friction: si_value(
                "rolling_friction",
                &self.rolling_friction,
                Dimension::NUMBER,
            )?,
            ..Options::default()
        };
        let deck = export::run_with(&spec, engine, &options)?;
        let written = match &self.out {
            Some(path) => Some(write(path, &deck, self.overwrite)?),
            None => None,
        };
        let settings = deck.settings.iter();
        let rows: Vec<SettingRow> = settings
            .map(|s| SettingRow {
                engine: engine.id,
                setting: s.name,
                value: s.value,
                unit: &s.unit,
            })
            .collect();
        self.format.render(&deck, &rows, || match &written {
            None => deck.text.clone(),
            Some(paths) => text::render(engine, &deck, paths),
        })
    }
}

/// Writes the input to a file, or every file into a folder; returns the paths written.
pub(super) fn write(
    path: &Path,
    deck: &export::Export,
    overwrite: bool,
) -> Result<Vec<PathBuf>, Failure> {
    let folder =
        path.is_dir() || path.to_string_lossy().ends_with('/') || path.extension().is_none();
    let files: Vec<(PathBuf, &str)> = match folder {
        false => vec![(path.to_path_buf(), deck.text.as_str())],
        true => deck.files.iter().map(|one| (path.join(&one.name), one.text.as_str())).collect(),
    };
    if let Some((there, _)) = files.iter().find(|(file, _)| !overwrite && file.exists()) {
        return Err(Failure::Input(format!(
            "`{}` exists: name another file or folder, or replace it with --overwrite",
            there.display()
        )));
    }
    if folder {
        std::fs::create_dir_all(path).map_err(|why| Failure::unwritable(path, &why))?;
    }
    for (file, text) in &files {
        write_file(file, text.as_bytes())?;
    }
    Ok(files.into_iter().map(|(file, _)| file).collect())
}
