//! `--plot FILE`: figures as files.

use super::Figure;
use crate::failure::Failure;
use crate::output;
use carom::Error;
use clap::Args;
use std::path::{Path, PathBuf};

/// The option, the same in every command that can draw.
#[derive(Args, Clone)]
#[command(next_help_heading = "Output")]
pub struct Plot {
    /// Also draw it, into an .svg or .png file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Plot {
    /// The file to draw into, if one is asked for and carom can; to be called before anything runs.
    pub fn target(&self) -> Result<Option<Target<'_>>, Failure> {
        self.plot.as_deref().map(Target::of).transpose()
    }
}

/// A file that a figure can be drawn into.
pub struct Target<'a> {
    path: &'a Path,
    render: fn(&Figure) -> Result<Vec<u8>, Failure>,
}

impl<'a> Target<'a> {
    /// By the ending of the name.
    fn of(path: &'a Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let endings = if cfg!(feature = "png") { ".svg or .png" } else { ".svg" };
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Self { path, render: |figure| Ok(figure.svg().into_bytes()) }),
            #[cfg(feature = "png")]
            Some("png") => Ok(Self { path, render: |figure| super::png::paint(&figure.svg()) }),
            _ => Err(Error::invalid(
                "plot",
                format!("`{}`", path.display()),
                format!("a file name that ends in {endings}"),
                "write for example --plot figure.svg",
            )
            .into()),
        }
    }

    /// Draws, whole or not at all.
    pub fn draw(&self, figure: &Figure) -> Result<(), Failure> {
        output::file::write(self.path, &(self.render)(figure)?)
    }
}
