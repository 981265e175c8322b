//! The study of a command: a file, or one that comes with carom.

use crate::failure::Failure;
use crate::wording::CommandLine;
use carom::own_law;
use carom::sweep::{Study, builtin};
use carom_store::Format;
use clap::Args;
use std::path::{Path, PathBuf};

/// Largest size of a study (bytes).
const SIZE_LIMIT: u64 = 64 << 20;

/// A file, or the name of a built-in study.
#[derive(Args)]
pub struct Chosen {
    /// The study, a TOML file
    #[arg(value_name = "STUDY", required_unless_present = "builtin")]
    file: Option<PathBuf>,
    /// A study that comes with carom instead: zhang-2022-fig7
    #[arg(long, value_name = "ID", conflicts_with = "file")]
    builtin: Option<String>,
}

impl Chosen {
    /// Reads the study.
    pub fn study(&self) -> Result<Study, Failure> {
        match (&self.builtin, &self.file) {
            (Some(id), _) => Ok(Study::from_toml(builtin::find(id)?.text)?),
            (None, Some(file)) => {
                let name = file.display();
                let refuse = |why: std::io::Error| {
                    Failure::unreadable("", file, &why, "name a study in TOML")
                };
                if std::fs::metadata(file).map_err(refuse)?.len() > SIZE_LIMIT {
                    return Err(Failure::Input(format!(
                        "cannot read `{name}`: it is too large for a study; name a study in TOML"
                    )));
                }
                let text = std::fs::read_to_string(file).map_err(refuse)?;
                Study::from_toml_with(&text, &own_law::name_of).map_err(|error| {
                    Failure::Input(format!("{name}, {}", error.worded(&CommandLine)))
                })
            }
            (None, None) => Err(Failure::Input("no study; name a TOML file".into())),
        }
    }
}

/// The format that a file name asks for.
pub fn format(path: &Path) -> Result<Format, Failure> {
    Format::of(path).ok_or_else(|| {
        Failure::Input(format!(
            "out = `{}` is not allowed: out must be a file name that ends in .parquet, .csv or .arrow; \
             write for example --out results.parquet",
            path.display()
        ))
    })
}
