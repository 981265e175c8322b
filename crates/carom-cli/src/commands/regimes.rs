//! `carom regimes`: compares laws in a joint with clearance over many turns of the drive.

use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::output::Format;
use crate::output::progress::Progress;
use crate::output::report::{labelled, notes};
use crate::output::style::{self, paint};
use crate::output::table::TextTable;
use carom::units::format;
use carom_world::regimes::{
    IDEAL, Instant, LawRegimes, LawStudy, LawStudyError, RegimeStudy, Regimes,
};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = r#"
A touch begins with an impact, which lasts as long as the same impact with nothing else acting;
the remainder of the touch is contact, and the time between touches free flight. The section is
taken once a turn of the drive. `ideal` among the laws is the mechanism without any clearance.

Examples:
  carom regimes scenes/slider-crank.toml --turns 20
  carom regimes scenes/slider-crank.toml --laws ideal,flores-2011,tsuji --plot joint.svg
  carom regimes scenes/four-bar.toml --joint "rocker pin" --set "rocker pin.clearance=0.1 mm""#;

/// Width of the labels of the report.
const LABEL_WIDTH: usize = 7;

/// Compare laws in a joint with clearance: flight, impact, contact, and Poincaré sections
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct CompareRegimes {
    /// The scene, a TOML file
    scene: PathBuf,
    /// The joint, by the name of its [[clearance]] or [[contact]] [default: the first]
    #[arg(long, value_name = "NAME")]
    joint: Option<String>,
    /// Laws for it, separated by commas; `ideal` for none [default: the scene's own]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    laws: Vec<String>,
    /// Calibration of the laws: published or exact [default: that of the scene]
    #[arg(long, value_name = "HOW")]
    calibration: Option<String>,
    /// Turns to evaluate
    #[arg(long, value_name = "N", default_value_t = 20)]
    turns: usize,
    /// Turns to leave out before them, until the transient of the start has decayed
    #[arg(long, value_name = "N", default_value_t = 5)]
    skip: usize,
    /// Angle of the drive at which the section is taken, in degrees from where it starts
    #[arg(long, value_name = "DEG", default_value_t = 0.0)]
    at: f64,
    /// The body whose acceleration is recorded [default: the first of the joint]
    #[arg(long, value_name = "NAME")]
    body: Option<String>,
    /// Change a key of the scene, as in "wrist pin.clearance=0.1 mm"; may be repeated
    #[arg(long, value_name = "TABLE.KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

/// A row of CSV: fractions of the time, largest values, and the section as lists.
#[derive(Serialize)]
struct CsvRow<'a> {
    law: &'a str,
    joint: &'a str,
    clearance_m: Option<f64>,
    flight: f64,
    impact: f64,
    contact: f64,
    touches_per_turn: f64,
    rebounds_per_turn: f64,
    #[serde(rename = "force_max_N")]
    force_max: f64,
    speed_max_m_per_s: f64,
    body: &'a str,
    acceleration_max_m_per_s2: f64,
    repeats_after_turns: Option<usize>,
    section_time_s: Vec<f64>,
    section_offset_x_m: Vec<f64>,
    section_offset_y_m: Vec<f64>,
    section_offset_z_m: Vec<f64>,
    section_rate_x_m_per_s: Vec<f64>,
    section_rate_y_m_per_s: Vec<f64>,
    section_rate_z_m_per_s: Vec<f64>,
}

impl<'a> CsvRow<'a> {
    fn of(found: &'a RegimeStudy, row: &'a LawRegimes) -> Self {
        let Regimes { flight, impact, contact, touches, rebounds, force_max, speed_max } =
            row.results.regimes;
        let section = |of: fn(&Instant) -> f64| row.results.section.iter().map(of).collect();
        Self {
            law: &row.law,
            joint: &found.joint,
            clearance_m: found.clearance,
            flight,
            impact,
            contact,
            touches_per_turn: touches,
            rebounds_per_turn: rebounds,
            force_max,
            speed_max_m_per_s: speed_max,
            body: &found.body,
            acceleration_max_m_per_s2: row.results.acceleration_max,
            repeats_after_turns: row.repeats,
            section_time_s: section(|now| now.time),
            section_offset_x_m: section(|now| now.offset.x),
            section_offset_y_m: section(|now| now.offset.y),
            section_offset_z_m: section(|now| now.offset.z),
            section_rate_x_m_per_s: section(|now| now.rate.x),
            section_rate_y_m_per_s: section(|now| now.rate.y),
            section_rate_z_m_per_s: section(|now| now.rate.z),
        }
    }
}

impl CompareRegimes {
    /// Runs the scene with every law and reports.
    pub fn run(self) -> Result<String, Failure> {
        let target = self.plot.target()?;
        let text = super::simulate::read_scene(&self.scene)?;
        let changes = super::simulate::parse_changes(&self.set)?;
        super::simulate::note_replaced_changes(&text, &changes);
        let files = super::simulate::files_beside(&self.scene);
        let bar = Progress::new(1000, "{bar:24} {wide_msg}");
        let study = LawStudy {
            joint: self.joint,
            laws: self.laws,
            calibration: self.calibration,
            turns: self.turns,
            skip: self.skip,
            at: self.at,
            body: self.body,
        };
        let found = study.run(&text, &files, &changes, |law, share| {
            if share == 0.0 {
                bar.message(law);
            }
            bar.show((1e3 * share) as u64);
            Ok(())
        });
        let found = found.map_err(|error| match error {
            LawStudyError::Scene(error) => Failure::in_file(&self.scene, error),
            // A run that cannot continue is not an error in the request.
            LawStudyError::Study(error) if ["numerical", "unsupported"].contains(&error.kind()) => {
                Failure::internal(&error)
            }
            LawStudyError::Study(error) => Failure::from(error),
        })?;
        bar.end();
        target.draw(|| Ok(figure::regimes(&found)))?;
        let lines: Vec<CsvRow> = found.laws.iter().map(|row| CsvRow::of(&found, row)).collect();
        self.format.render(&found, &lines, || regimes_report(&found))
    }
}

/// Returns the study as text.
fn regimes_report(found: &RegimeStudy) -> String {
    let mut text = format!("{}\n\n", paint(style::STRONG, &found.title));
    let mut line = |name: &str, value: String| text += &labelled(LABEL_WIDTH, name, value);
    let play = found.clearance.map(|play| format!(", clearance {}", format(play, "m")));
    line("joint", found.joint.clone() + &play.unwrap_or_default());
    let turn = format(found.period, "s");
    line("turns", format!("{} after {} left out, {turn} each", found.turns, found.skip));
    line("section", format!("at {}°", found.at));
    let mut table = TextTable::new()
        .shrinkable("law")
        .right(["flight", "impact", "contact", "touches/turn", "force max"])
        .right([format!("{} max", found.body)])
        .right(["repeats after"]);
    for row in &found.laws {
        let (r, ideal) = (&row.results.regimes, row.law == IDEAL);
        let or = |cell: String| if ideal { "–".to_string() } else { cell };
        let share = |value: f64| or(format!("{:.1} %", 100.0 * value));
        let turns = |p: usize| if p == 1 { "1 turn".into() } else { format!("{p} turns") };
        table.row([
            row.law.as_str().into(),
            share(r.flight).into(),
            share(r.impact).into(),
            share(r.contact).into(),
            or(format!("{:.1}", r.touches)).into(),
            or(format(r.force_max, "N")).into(),
            format(row.results.acceleration_max, "m/s^2").into(),
            row.repeats.map_or("–".to_string(), turns).into(),
        ]);
    }
    text += "\n";
    text += &table.render(2);
    let messages = found.laws.iter().flat_map(|LawRegimes { law, results, .. }| {
        results.notes.iter().map(move |note| format!("{law}: {note}"))
    });
    text + &notes(LABEL_WIDTH, messages)
}
