//! Writes figures as files: `--plot FILE` and its options.

use super::Figure;
#[cfg(feature = "png")]
use super::font;
use super::options::{self, FigureOptions};
use crate::failure::Failure;
use crate::output;
use carom::Error;
use clap::Args;
use std::path::{Path, PathBuf};

/// Options of figures in all commands.
#[derive(Args, Clone)]
#[command(next_help_heading = "Output")]
pub struct Plot {
    /// Also draw it, into an .svg, .pdf or .png file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Size on paper, as 85mm or 170x120mm [default: 254mm wide, as high as needed]
    #[arg(long, value_name = "SIZE", requires = "plot", hide_short_help = true)]
    plot_size: Option<String>,
    /// Size of the numbers at the axes, in points [default: 8.25]
    #[arg(long, value_name = "POINTS", requires = "plot", hide_short_help = true)]
    plot_text: Option<f64>,
    /// Font of the figure: a .ttf or .otf file
    #[arg(long, value_name = "FILE", requires = "plot", hide_short_help = true)]
    plot_font: Option<PathBuf>,
    /// Another title; `none` leaves out title, conditions and caption
    #[arg(long, value_name = "TEXT", requires = "plot", hide_short_help = true)]
    plot_title: Option<String>,
    /// Only these panels, counted row by row, as 1 or 2,4
    #[arg(long, value_name = "N", requires = "plot", hide_short_help = true)]
    #[arg(value_delimiter = ',')]
    plot_panel: Vec<usize>,
}

impl Plot {
    /// Checks the options and returns the file to draw into. Call it before any computation, so that errors appear at once.
    pub fn target(&self) -> Result<Target<'_>, Failure> {
        let Some(path) = self.plot.as_deref() else { return Ok(Target(None)) };
        let kind = FigureFormat::of_file(path)?;
        let options = FigureOptions {
            size: self.plot_size.as_deref().map(options::parse_size).transpose()?,
            text: self.plot_text.map(options::check_text_size).transpose()?,
            title: self.plot_title.as_deref().map(|title| match title {
                "none" => String::new(),
                title => title.to_string(),
            }),
            panels: self.plot_panel.clone(),
            font: self.plot_font.as_deref().map(font_file).transpose()?,
        };
        Ok(Target(Some((path, kind, options))))
    }
}

/// Reads and checks a font file.
fn font_file(path: &Path) -> Result<Vec<u8>, Failure> {
    const ADVICE: &str = "leave --plot-font out for the font that is built in";
    let unreadable = |why| Failure::unreadable("the font ", path, &why, ADVICE);
    let data = std::fs::read(path).map_err(unreadable)?;
    #[cfg(feature = "png")]
    let usable = font::is_usable(&data);
    #[cfg(not(feature = "png"))]
    let usable = false;
    match usable {
        true => Ok(data),
        false => Err(Error::invalid(
            "plot-font",
            format!("`{}`", path.display()),
            "a TrueType or OpenType font file (.ttf or .otf) with Latin letters",
            ADVICE,
        )
        .into()),
    }
}

/// File formats of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureFormat {
    Svg,
    Png,
    Pdf,
}

impl FigureFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Svg, Self::Pdf, Self::Png];

    /// Returns the ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }

    /// Returns the format with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn from_name(name: &str) -> Result<Self, String> {
        let built_in = |kind: &Self| cfg!(feature = "png") || *kind == Self::Svg;
        let found = Self::ALL.into_iter().find(|kind| built_in(kind) && kind.ending() == name);
        found.ok_or_else(|| "use svg, pdf or png".to_string())
    }

    /// Returns the format that corresponds to the ending of the file name.
    fn of_file(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let named = ending.as_ref().and_then(|ending| ending.to_str()).map(Self::from_name);
        let endings = if cfg!(feature = "png") { ".svg, .pdf or .png" } else { ".svg" };
        named.and_then(Result::ok).ok_or_else(|| {
            let given = format!("`{}`", path.display());
            let allowed = format!("a file name that ends in {endings}");
            Error::invalid("plot", given, allowed, "write for example --plot figure.svg").into()
        })
    }
}

impl Figure {
    /// Returns the figure as the bytes of a file.
    pub fn render(&self, kind: FigureFormat, options: &FigureOptions) -> Result<Vec<u8>, Failure> {
        let svg = self.svg_as(options)?;
        match kind {
            FigureFormat::Svg => Ok(svg.into_bytes()),
            #[cfg(feature = "png")]
            FigureFormat::Png => super::png::rasterise(&svg, options),
            #[cfg(feature = "png")]
            FigureFormat::Pdf => super::pdf::from_svg(&svg, &self.title, options),
            #[cfg(not(feature = "png"))]
            FigureFormat::Png | FigureFormat::Pdf => Err(Failure::Input(
                "this carom was built without PNG and PDF; ask for svg, or build it with the feature png"
                    .into(),
            )),
        }
    }
}

/// The file to draw into, with its format and options, if the user has named one.
pub struct Target<'a>(Option<(&'a Path, FigureFormat, FigureOptions)>);

impl Target<'_> {
    /// Returns whether a figure is requested.
    pub fn is_requested(&self) -> bool {
        self.0.is_some()
    }

    /// Creates and writes the figure if it is requested; the file is written either completely or not at all.
    pub fn draw(&self, make: impl FnOnce() -> Result<Figure, Failure>) -> Result<(), Failure> {
        let Some((path, kind, options)) = &self.0 else { return Ok(()) };
        output::write_file(path, &make()?.render(*kind, options)?)
    }
}
