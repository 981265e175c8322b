//! `carom drop`: finds the restitution as a function of speed from a drop test, and a law with that restitution.

mod text;

use super::described::si_value;
use super::export::{text as engine_text, write};
use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::measured_data;
use crate::output::Format;
use carom::drop_test::{DropReport, EngineInput, Record, Sound, Spec, quantities};
use carom::export::{self, Options};
use carom::measured_table::Role;
use carom::spec::Quantity;
use carom::units::Dimension;
use clap::Args;
use serde::Serialize;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = r#"
FILE is a recording (WAV) of a bouncing ball, or a table (CSV) with drop and bounce heights, times
between bounces (interval), instants of bounces (time), or a track (time and height). Names and
units are read from the header.

Errors are standard errors (one sigma), given and reported. In a list the unit of the last number
is that of those before it; numbers without any unit are SI.

Examples:
  carom drop --drop 0.3,0.6,1.2m --bounce 0.21,0.40,0.76m --height-error 5mm
  carom drop --drop 1.2m --bounce 0.76,0.49,0.31m --successive
  carom drop --times 0.64,0.57,0.51s --time-error 5ms --mass 2.7g --diameter 40mm
  carom drop ball.wav --drop 1m --height-error 5mm --plot ball.png
  carom drop track.csv --contact-time 5ms --mass 58g --json
  carom drop --drop 50mm --bounce 32mm --mass 67.4g --contact-time 110us \
      --export mujoco --steps 20 --out ball"#;

/// Find the restitution of a bouncing ball from heights, times, sound or a track
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Drop {
    /// A recording (WAV) or a table (CSV); - for a table from standard input
    file: Option<PathBuf>,

    /// Heights of the drops; with times or a recording, the height of the first drop
    #[arg(long, value_name = "H,…", allow_hyphen_values = true, help_heading = "Measured")]
    drop: Option<String>,
    /// Heights of the bounces after them
    #[arg(long, value_name = "H,…", allow_hyphen_values = true, help_heading = "Measured")]
    bounce: Option<String>,
    /// The bounces follow each other after one drop
    #[arg(long, help_heading = "Measured")]
    successive: bool,
    /// Times between bounces that follow each other
    #[arg(long, alias = "intervals", value_name = "T,…", allow_hyphen_values = true)]
    #[arg(help_heading = "Measured")]
    times: Option<String>,
    /// Instants of bounces on a clock
    #[arg(long, value_name = "T,…", allow_hyphen_values = true, help_heading = "Measured")]
    instants: Option<String>,
    /// Standard error of each height [default: that of the last digit]
    #[arg(long, value_name = "H", allow_hyphen_values = true, help_heading = "Measured")]
    height_error: Option<Quantity>,
    /// Standard error of each time [default: that of the last digit]
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Measured")]
    time_error: Option<Quantity>,

    /// Mass of the ball, for drag and for stiffness
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Known")]
    mass: Option<Quantity>,
    /// Its standard error
    #[arg(long, value_name = "M", allow_hyphen_values = true, help_heading = "Known")]
    mass_error: Option<Quantity>,
    /// Diameter of the ball, for drag
    #[arg(long, value_name = "D", allow_hyphen_values = true, help_heading = "Known")]
    diameter: Option<Quantity>,
    /// Duration of contact, subtracted from the flights; with --mass it determines the stiffness
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Known")]
    contact_time: Option<Quantity>,
    /// Its standard error
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "Known")]
    contact_time_error: Option<Quantity>,
    /// Acceleration of free fall [default: 9.80665 m/s^2, to 0.02]
    #[arg(long, value_name = "G", allow_hyphen_values = true, help_heading = "Known")]
    gravity: Option<Quantity>,
    /// Temperature of the air in degrees Celsius, for drag and the speed of sound [default: 20]
    #[arg(long, value_name = "C", allow_hyphen_values = true, help_heading = "Known")]
    temperature: Option<Quantity>,
    /// Variation of the distance to the microphone from bounce to bounce [default: 0]
    #[arg(long, value_name = "D", allow_hyphen_values = true, help_heading = "Known")]
    wander: Option<Quantity>,
    /// n of K*delta^n of the law [default: 1.5]
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Known")]
    exponent: Option<Quantity>,

    /// Names of all columns in their order, with units: "drop [m],bounce [cm],-"
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "File")]
    columns: Vec<String>,
    /// Lines at the beginning of the file to leave out
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "File")]
    skip: usize,
    /// Column of the time: name or number, with its unit in brackets
    #[arg(long, value_name = "COLUMN", help_heading = "File")]
    time: Option<String>,
    /// Column of the height in a track
    #[arg(long, value_name = "COLUMN", help_heading = "File")]
    position: Option<String>,
    /// Leave out what was recorded before this time
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "File")]
    from: Option<Quantity>,
    /// Leave out what was recorded after this time
    #[arg(long, value_name = "T", allow_hyphen_values = true, help_heading = "File")]
    to: Option<Quantity>,

    /// Write the law as input for another simulator: mujoco, lammps, … (`carom export --list`)
    #[arg(long, value_name = "ENGINE", help_heading = "Export")]
    export: Option<String>,
    /// Steps in one contact, for which the damping is then chosen
    #[arg(long, value_name = "N", requires = "export", help_heading = "Export")]
    steps: Option<Quantity>,
    /// Time step; together with --steps, and without --contact-time, it says how long a contact lasts
    #[arg(long, value_name = "TIME", requires = "export", help_heading = "Export")]
    step: Option<Quantity>,
    /// Write the input to this file, or all files into this folder
    #[arg(long, value_name = "FILE", requires = "export", help_heading = "Export")]
    out: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long, requires = "out", help_heading = "Export")]
    overwrite: bool,

    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

/// A drop test, and the input for an engine if one was requested.
#[derive(Serialize)]
struct Evaluated<'a> {
    #[serde(flatten)]
    report: &'a DropReport,
    /// The input for the engine, with the bounces that it delivers; present only with `--export`.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_input: Option<&'a EngineInput>,
}

impl Drop {
    /// Evaluates the test, draws and exports if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let plot = self.plot.target()?;
        let record = self.file.as_deref().map(|file| self.record(file)).transpose()?;
        let spec = self.spec();
        let report = spec.run(record.as_ref())?;
        let engine = self.export.as_deref().map(export::engine).transpose()?;
        let input = engine
            .map(|engine| Ok::<_, Failure>(spec.engine_input(&report, engine, &self.options()?)?))
            .transpose()?;
        let written = match (&input, &self.out) {
            (Some(input), Some(path)) => write(path, &input.export, self.overwrite)?,
            _ => Vec::new(),
        };
        plot.draw(|| Ok(figure::drop(&report)))?;
        let all = Evaluated { report: &report, engine_input: input.as_ref() };
        self.format.render(&all, &report.impacts, || {
            let mut text = text::render(&report);
            if let (Some(engine), Some(input)) = (engine, &input) {
                text += "\n";
                text += &engine_text::render(engine, &input.export, &written);
                text += &text::bounce_table(input);
                if written.is_empty() {
                    text += &format!("\n{}", input.export.text);
                }
            }
            text
        })
    }

    fn options(&self) -> Result<Options, Failure> {
        Ok(Options {
            steps: si_value("steps", &self.steps, Dimension::NUMBER)?,
            step: si_value("step", &self.step, Dimension::TIME)?,
            ..Options::default()
        })
    }

    fn spec(&self) -> Spec {
        let list = |text: &Option<String>| text.as_deref().map(quantities).unwrap_or_default();
        copied!(self => Spec {
            successive, height_error, time_error, gravity, mass, mass_error, diameter, contact_time,
            contact_time_error, temperature, wander, from, to, exponent,
        } and {
            drop: list(&self.drop),
            bounce: list(&self.bounce),
            times: list(&self.times),
            instants: list(&self.instants),
        })
    }

    /// Reads a recording, recognised by its first bytes, or a table.
    fn record(&self, path: &Path) -> Result<Record, Failure> {
        let named_wav = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("wav"));
        if path.as_os_str() != "-" {
            let advice = "name a recording (WAV) or a table (CSV)";
            let unreadable = |why| Failure::unreadable("", path, &why, advice);
            let mut file = File::open(path).map_err(unreadable)?;
            let mut start = Vec::new();
            (&mut file).take(12).read_to_end(&mut start).map_err(unreadable)?;
            if start.is_empty() {
                let name = path.display();
                return Err(Failure::Input(format!(
                    "`{name}` is empty; {advice} with something in it"
                )));
            }
            if named_wav || Sound::is_wav(&start) {
                file.read_to_end(&mut start).map_err(unreadable)?;
                let sound = Sound::from_wav(&start);
                return Ok(Record::Sound(
                    sound.map_err(|error| error.at(path.display().to_string()))?,
                ));
            }
        }
        let roles = [(Role::Time, &self.time), (Role::Position, &self.position)];
        let wanted = measured_data::named_columns(&self.columns, roles);
        Ok(Record::Table(measured_data::read(path, &wanted, self.skip)?))
    }
}
