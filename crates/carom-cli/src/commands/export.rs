//! `carom export`: the same impact as input for another program.

mod text;

use super::described::Described;
use crate::failure::Failure;
use crate::output::{file, json};
use carom::Error;
use carom::export::{self, ENGINES, Options};
use carom::spec::Quantity;
use carom::units::Dimension;
use clap::Args;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = r#"
The law, the bodies and the dissipation are described as for `carom impact`. The input goes to
standard output, or with --out to a file (a folder for all files), and what the engine will do with
it is reported. What an engine cannot express is said; --strict refuses it.

Examples:
  carom export --list
  carom export --to lammps --law tsuji-1992 --mass 0.54kg --stiffness 2.4144e10 \
      --speed 0.5m/s --restitution 0.7568 --calibration exact --out in.impact.lmp
  carom export --to mujoco --law kelvin-voigt-1865 --mass 1kg --stiffness 1e6 --exponent 1 \
      --speed 1m/s --restitution 0.5 --calibration exact --exit force --json"#;

/// Write input for another simulator, and say which restitution it will deliver
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Export {
    /// Engine to write for; --list shows them
    #[arg(long, value_name = "ENGINE")]
    to: Option<String>,
    /// List the engines and what they can express
    #[arg(long, conflicts_with_all = ["to", "out", "strict", "steps"])]
    list: bool,
    /// Refuse what the engine cannot express without loss
    #[arg(long)]
    strict: bool,
    /// Steps in one contact [default: what the engine needs, see docs/engines.md]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    steps: Option<String>,

    #[command(flatten)]
    described: Described,

    /// Write the input to this file, or all files into this folder, and print a report
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Export {
    /// Exports, writes files where they are asked for, and prints the input or a report.
    pub fn run(self) -> Result<String, Failure> {
        if self.list {
            return match self.json {
                true => json(&ENGINES),
                false => Ok(text::list()),
            };
        }
        let Some(name) = &self.to else {
            let ids: Vec<_> = ENGINES.iter().map(|engine| engine.id).collect();
            let advice = format!("give --to with one of {}", ids.join(", "));
            return Err(Error::missing("to", advice).into());
        };
        let engine = export::engine(name)?;
        let case = self.described.spec()?.case()?;
        let steps = match &self.steps {
            Some(text) => Some(Quantity::from(text.as_str()).si("steps", Dimension::NUMBER)?),
            None => None,
        };
        let deck = export::export(&case, engine, &Options { steps, strict: self.strict })?;
        let written = match &self.out {
            Some(path) => Some(write(path, &deck)?),
            None => None,
        };
        match (self.json, written) {
            (true, _) => json(&deck),
            (false, None) => Ok(deck.text),
            (false, Some(paths)) => Ok(text::render(engine, &deck, &paths)),
        }
    }
}

/// Writes the input to a file, or every file into a folder; the paths written.
fn write(path: &Path, deck: &export::Export) -> Result<Vec<PathBuf>, Failure> {
    let folder = path.is_dir() || path.to_string_lossy().ends_with('/');
    if !folder {
        file::write(path, deck.text.as_bytes())?;
        return Ok(vec![path.to_path_buf()]);
    }
    std::fs::create_dir_all(path).map_err(|why| Failure::unwritable(path, &why))?;
    let mut written = Vec::new();
    for one in &deck.files {
        let path = path.join(&one.name);
        file::write(&path, one.text.as_bytes())?;
        written.push(path);
    }
    Ok(written)
}
