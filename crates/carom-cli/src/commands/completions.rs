//! `carom completions` and `carom man`: shell completions and manual pages, generated from the definitions of the arguments.

use crate::failure::Failure;
use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

const SHELLS: &str = "Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom         # a folder of $fpath
  carom completions fish > ~/.config/fish/completions/carom.fish";

/// Print a script that completes commands and options in a shell
#[derive(Args)]
#[command(after_help = SHELLS)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Returns the script.
    pub fn run(self) -> Result<String, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::definition(), "carom", &mut script);
        String::from_utf8(script)
            .map_err(|why| Failure::System(format!("the script is not UTF-8: {why}")))
    }
}

/// Write the manual pages carom.1, carom-impact.1, … into a folder
#[derive(Args)]
pub struct Man {
    /// The folder; created if necessary
    folder: PathBuf,
}

impl Man {
    /// Writes the pages and returns instructions for reading them.
    pub fn run(self) -> Result<String, Failure> {
        let folder = &self.folder;
        std::fs::create_dir_all(folder).map_err(|why| Failure::unwritable(folder, &why))?;
        clap_mangen::generate_to(super::definition(), folder)
            .map_err(|why| Failure::unwritable(folder, &why))?;
        Ok(format!(
            "manual pages are in {0}; read one with `man -l {0}/carom.1`\n",
            folder.display()
        ))
    }
}
