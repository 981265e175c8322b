//! `carom regimes`: what a joint with clearance does over many turns, law by law.

use crate::failure::Failure;
use crate::figure::{self, LawRegimes, Plot, RegimeStudy};
use crate::output::style::{self, paint};
use crate::output::table::{Column, Table};
use crate::output::{Format, terminal_width, text_width, wrap};
use crate::wording::CommandLine;
use carom::units::format;
use carom_world::record::value_text;
use carom_world::regimes::{Instant, Regimes, Study, period, study};
use carom_world::scene::Change;
use carom_world::{Scene, Shape};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = r#"
A touch begins with an impact, as long as the same impact with nothing else acting; what is
left of it is contact, the rest of the time is free flight. The section is taken once a turn
of the drive. `ideal` among the laws is the mechanism without any clearance.

Examples:
  carom regimes scenes/slider-crank.toml --turns 20
  carom regimes scenes/slider-crank.toml --laws ideal,flores-2011,tsuji --plot joint.svg
  carom regimes scenes/four-bar.toml --joint "rocker pin" --set "rocker pin.clearance=0.1 mm""#;

/// The name that stands for an ideal joint, without clearance and law.
const IDEAL: &str = "ideal";

/// Compare laws in a joint with clearance: flight, impact, contact, and Poincaré sections
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Compare {
    /// The scene, a TOML file
    scene: PathBuf,
    /// The joint, by the name of its [[clearance]] or [[contact]] [default: the first]
    #[arg(long, value_name = "NAME")]
    joint: Option<String>,
    /// Laws for it, separated by commas; `ideal` for none [default: the scene's own]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    laws: Vec<String>,
    /// How the laws get their damping: published or exact [default: as the scene says]
    #[arg(long, value_name = "HOW")]
    calibration: Option<String>,
    /// Turns to look at
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

/// A line of CSV: shares of the time, largest values, and the section as lists.
#[derive(Serialize)]
struct Line<'a> {
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

impl<'a> Line<'a> {
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

/// Samples of a turn: a tenth of a degree, which a contact of a few degrees needs to show its peak.
const SAMPLES: usize = 3600;
/// Limit on the turns of one law, which bounds the computing time.
const MAX_TURNS: usize = 100_000;

impl Compare {
    /// Runs the scene with every law and reports.
    pub fn run(self) -> Result<String, Failure> {
        let target = self.plot.target()?;
        if self.turns == 0 || self.turns + self.skip > MAX_TURNS || !self.at.is_finite() {
            let given = format!("{} after {}, at {} degrees", self.turns, self.skip, self.at);
            let allowed = format!("from 1 to {MAX_TURNS} in all, at a finite angle");
            let advice = "20 turns after 5 show the regimes, 200 a section";
            return Err(carom::Error::invalid("turns", given, allowed, advice).into());
        }
        let text = super::simulate::read(&self.scene)?;
        let changes = super::simulate::changes(&self.set)?;
        super::simulate::repeated(&text, &changes);
        let scene = self.parse(&text, &changes)?;
        let contact = self.joint(&scene)?;
        let joint = scene.world.contacts()[contact].name.clone();
        let first = scene.world.shapes()[scene.world.contacts()[contact].a].body;
        let body = match &self.body {
            None => scene.world.bodies()[first].name.clone(),
            Some(name) => name.clone(),
        };
        if !scene.world.bodies().iter().any(|known| known.name == body) {
            let known = scene.world.bodies().iter().map(|body| body.name.as_str());
            let all: Vec<_> = known.clone().collect();
            let otherwise = format!("there are {}", all.join(", "));
            return Err(carom::Error::unknown("body", &body, known, &otherwise).into());
        }
        let mut found = RegimeStudy {
            title: scene.title.clone(),
            clearance: clearance(&scene, contact),
            clearances: scene.clearances,
            body,
            period: period(&scene.world)?,
            skip: self.skip,
            turns: self.turns,
            at: self.at,
            laws: Vec::new(),
            joint,
        };
        let own = vec![String::new()];
        for law in if self.laws.is_empty() { &own } else { &self.laws } {
            let row = self.row(law.trim(), &text, &changes, &found)?;
            found.laws.push(row);
        }
        if let Some(target) = target {
            target.draw(&figure::regimes(&found))?;
        }
        let lines: Vec<Line> = found.laws.iter().map(|row| Line::of(&found, row)).collect();
        self.format.render(&found, &lines, || report(&found))
    }

    fn parse(&self, text: &str, changes: &[Change]) -> Result<Scene, Failure> {
        let folder = self.scene.parent().unwrap_or(Path::new("")).to_path_buf();
        let files = |name: &str| {
            let bytes = std::fs::read(folder.join(name)).map_err(|why| why.to_string())?;
            carom_world::shape::file_text(bytes)
        };
        Scene::parse_with(text, &files, changes)
            .map_err(|error| Failure::Input(format!("{}: {error}", self.scene.display())))
    }

    /// The contact that is asked for.
    fn joint(&self, scene: &Scene) -> Result<usize, Failure> {
        let contacts = scene.world.contacts();
        let known = || contacts.iter().map(|contact| contact.name.as_str());
        if contacts.is_empty() {
            let advice = "add a [[clearance]] or a [[contact]] to the scene";
            return Err(carom::Error::missing("a contact", advice).into());
        }
        let Some(name) = &self.joint else { return Ok(0) };
        known().position(|contact| contact == name).ok_or_else(|| {
            let otherwise = format!("there are {}", known().collect::<Vec<_>>().join(", "));
            carom::Error::unknown("joint", name, known(), &otherwise).into()
        })
    }

    /// One law; the empty name is the scene's own.
    fn row(
        &self,
        law: &str,
        text: &str,
        changes: &[Change],
        found: &RegimeStudy,
    ) -> Result<LawRegimes, Failure> {
        let law = &carom::own_law::name_of(law)?;
        let mut changes = changes.to_vec();
        let ideal = law == IDEAL;
        if ideal {
            // All of them: an ideal joint beside one with clearance is not the ideal mechanism.
            let all = 0..found.clearances;
            changes.extend(all.map(|k| Change::new(format!("clearance.{k}"), "ideal", "true")));
        } else if !law.is_empty() {
            changes.push(Change::new(&found.joint, "law", carom::model(law)?.id));
        }
        if let Some(how) = &self.calibration {
            changes.push(Change::new(&found.joint, "calibration", how));
        }
        let scene = self.parse(text, &changes)?;
        let contacts = scene.world.contacts().iter();
        let contact = contacts.map(|contact| &contact.name).position(|name| *name == found.joint);
        let body = scene.world.bodies().iter().position(|body| body.name == found.body);
        let looked = Study {
            contact,
            body: body.unwrap_or(0),
            period: found.period,
            skip: found.skip,
            turns: found.turns,
            phase: (found.at / 360.0).rem_euclid(1.0),
            samples: SAMPLES,
        };
        let law = match law.as_str() {
            // The scene's own, by the name that the catalogue gives it.
            "" => match value_text(text, &changes, &format!("{}.law", found.joint)) {
                Some(own) => carom::model(&own)?.id.to_string(),
                None => "as in the scene".to_string(),
            },
            IDEAL => IDEAL.to_string(),
            known => carom::model(known)?.id.to_string(),
        };
        let bar = ProgressBar::new(1000);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_message(law.clone());
        let results = study(&scene.world, &looked, |share| bar.set_position((1e3 * share) as u64));
        let results = results.map_err(|error| match error.kind() {
            // A run that cannot go on is no mistake of who asked.
            "numerical" | "unsupported" => Failure::System(error.worded(&CommandLine)),
            _ => Failure::from(error),
        })?;
        bar.finish_and_clear();
        Ok(LawRegimes { law, repeats: results.repeats(), results })
    }
}

/// The difference of the radii.
fn clearance(scene: &Scene, contact: usize) -> Option<f64> {
    let contact = &scene.world.contacts()[contact];
    let radius = |shape: usize| match scene.world.shapes()[shape].shape {
        Shape::Sphere { radius } | Shape::Cylinder { radius, .. } => Some(-radius),
        Shape::Bore { radius, .. } | Shape::Socket { radius } => Some(radius),
        _ => None,
    };
    let (a, b) = (radius(contact.a)?, radius(contact.b)?);
    (a * b < 0.0 && a + b > 0.0).then_some(a + b)
}

/// For people.
fn report(found: &RegimeStudy) -> String {
    let mut text = format!("{}\n\n", paint(style::STRONG, &found.title));
    let mut line = |name: &str, value: String| {
        text += &format!("  {}  {value}\n", paint(style::FAINT, format!("{name:<7}")));
    };
    let play = found.clearance.map(|play| format!(", clearance {}", format(play, "m")));
    line("joint", found.joint.clone() + &play.unwrap_or_default());
    let turn = format(found.period, "s");
    line("turns", format!("{} after {} left out, {turn} each", found.turns, found.skip));
    line("section", format!("at {}°", found.at));
    let mut table = Table::new(vec![
        Column::left("law").gives_way(),
        Column::right("flight"),
        Column::right("impact"),
        Column::right("contact"),
        Column::right("touches/turn"),
        Column::right("force max"),
        Column::right(format!("{} max", found.body)),
        Column::right("repeats after"),
    ]);
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
    text += &table.render(2, terminal_width());
    let notes = found.laws.iter().flat_map(|row| row.results.notes.iter().map(|n| (&row.law, n)));
    for (i, (law, note)) in notes.enumerate() {
        let label = paint(style::NOTE, "note");
        let message = wrap::fill(&format!("{law}: {note}"), 11, 11, text_width());
        let gap = if i == 0 { "\n" } else { "" };
        text += &format!("{gap}  {label}     {}", message.trim_start());
    }
    text
}
