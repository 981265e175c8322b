//! `carom simulate`: runs a scene, and writes its results to a folder.

mod columns;
mod laws;
mod summary;

use crate::failure::Failure;
use crate::figure::{self, Figure, Plot, Target};
use crate::interrupt::Interrupt;
use crate::output::progress::Progress;
use crate::output::{Format, style};
use carom_store::Simulation;
use carom_store::folder::{self, Limits, Options, RunFolder, Start};
use carom_world::grains::GranularScene;
use carom_world::record::{BodySimulation, ContactSummary, GrainSimulation, SceneSource, tables};
use carom_world::scene::{self, Change, Scene};
use carom_world::shape::file_text;
use clap::Args;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = r#"
`carom reference scene` prints every table and key of a scene.

A scene of bodies writes these tables to the folder (`carom simulate --columns` lists their
columns with units):
  trajectory  where every body is and how it moves
  accelerations, joints, sensors
              accelerations of bodies, reactions of joints, readings of [[sensor]]s
  contacts    contact forces, also during impacts
  energies    the energy ledger with its error
  ledger      the energy ledger of each contact
  events      beginning and end of contacts
  trajectory_between, energies_between
              rows between two samples while bodies touch
and a bed of grains (a scene with [grains]):
  grains      where every grain is, at intervals
  contacts    the forces between them
  energies    the ledger, coordination number and height
The folder also has summary.json, scene.json (what was run) and, with --figures, a folder of
figures. `carom lab DIR` plays the run.

A checkpoint is written to the folder at intervals; a run that was killed or stopped with Ctrl-C,
at any moment, continues with --resume and produces the same bytes as one that was not. --resume
with a longer duration extends a finished run. A run that cannot continue keeps its tables up to
that time, and summary.json says why.

--set changes any key: TABLE is the name of a body, contact, joint, ... or a heading, nested keys
are separated by dots, and tables of a list without names are numbered from 0.

Examples:
  carom simulate scenes/bouncing-ball.toml
  carom simulate scenes/slider-crank.toml --out run --format parquet --figures
  carom simulate scenes/slider-crank.toml --out run --resume
  carom simulate scenes/slider-crank.toml --out run --resume --set "simulation.duration=0.2 s"
  carom simulate scenes/grains.toml --set grains.contact.friction.coefficient=0.2
  carom simulate scenes/newtons-cradle.toml --plot cradle.svg
  carom simulate scenes/slider-crank.toml --laws flores-2011,tsuji-1992,hertz-1881 --plot forces.pdf
  carom simulate scenes/pounding.toml --set "gap.law=jankowski-2006" --set "gap.stiffness=2.75e9 N/m^1.5" \
      --set gap.exponent=1.5
  carom simulate scenes/grains.toml --out bed --threads 2"#;

/// Number of parts into which the progress bar divides the duration of a run.
const PROGRESS_PARTS: f64 = 10_000.0;

/// Run a scene of bodies that touch, or of many grains
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Simulate {
    /// The scene, a TOML file
    #[arg(required_unless_present = "columns")]
    scene: Option<PathBuf>,
    /// Folder for the results; created if necessary
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Format of the tables: csv, parquet or arrow [default: as the scene says, or csv]
    #[arg(long = "format", value_name = "FORMAT", requires = "out")]
    tables: Option<String>,
    /// Also draw figures into DIR/figures, as svg, pdf or png
    #[arg(long, value_name = "FORMAT", requires = "out", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "svg", value_parser = figure::FigureFormat::from_name)]
    figures: Option<figure::FigureFormat>,
    /// Continue a stopped run in the folder, or extend a finished one
    #[arg(long, requires = "out")]
    resume: bool,
    /// Replace what is in the folder
    #[arg(long, requires = "out", conflicts_with = "resume")]
    overwrite: bool,
    /// Stop after N steps or a few more; the run can be resumed
    #[arg(long, value_name = "N", requires = "out")]
    steps: Option<u64>,
    /// Change a key of the scene, as in "bead.radius=3 mm" or "crank.angle.rate=10 rad/s"; may be repeated
    #[arg(long, value_name = "TABLE.KEY=VALUE")]
    set: Vec<String>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    checkpoint: f64,
    /// Threads for a bed of grains; the results do not depend on it [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Run the scene once with each of these laws of a contact, and draw their forces in one figure
    #[arg(long, value_name = "ID", value_delimiter = ',', conflicts_with_all = ["out", "figure"])]
    laws: Vec<String>,
    /// The contact that gets the laws [default: the first]
    #[arg(long, value_name = "NAME", requires = "laws")]
    joint: Option<String>,
    /// Calibration of the laws: published or exact [default: that of the scene]
    #[arg(long, value_name = "HOW", requires = "laws")]
    calibration: Option<String>,
    /// Describe the columns of all tables, and stop
    #[arg(long)]
    columns: bool,
    /// Which figure --plot draws [default: an overview]
    #[arg(long, value_name = "NAME", requires = "plot", help_heading = "Output")]
    #[arg(value_parser = ["energies", "forces", "trajectories", "orbits", "bed"])]
    figure: Option<String>,
    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

impl Simulate {
    /// Runs the scene and reports.
    pub fn run(self) -> Result<String, Failure> {
        if self.columns {
            let columns = columns::table_columns();
            return self.format.render(&columns, &columns, tables::markdown);
        }
        if !self.laws.is_empty() {
            return laws::run(&self);
        }
        let target = self.plot.target()?;
        if !(self.checkpoint > 0.0) {
            let advice = "give the seconds between two checkpoints";
            let error = carom::Error::invalid("checkpoint", self.checkpoint, "above 0", advice);
            return Err(error.into());
        }
        let path = self.scene.clone().unwrap_or_default();
        let text = read_scene(&path)?;
        // Files that the scene names are stored with its results.
        let (kept, beside) = (RefCell::new(BTreeMap::new()), files_beside(&path));
        let files = |name: &str| {
            let text = beside(name)?;
            kept.borrow_mut().insert(name.to_string(), text.clone());
            Ok(text)
        };
        let wrong = |error| Failure::in_file(&path, error);
        let mut source =
            SceneSource { scene: text, set: self.set.clone(), ..SceneSource::default() };
        note_replaced_changes(&source.scene, &parse_changes(&source.set)?);
        if let (Some(out), true) = (&self.out, self.resume) {
            source = source.continuing(folder::description(out)?);
        }
        let changes = parse_changes(&source.set)?;
        if GranularScene::recognizes(&source.scene) {
            let scene =
                GranularScene::parse_with(&source.scene, &files, &changes).map_err(wrong)?;
            source.files = kept.take();
            return self.run_bed(&source, &scene, &target);
        }
        let scene = Scene::parse_with(&source.scene, &files, &changes).map_err(wrong)?;
        source.files = kept.take();
        let mut start = self.inspect_folder(&source, scene.output.format)?;
        let mut run = match start.as_mut().and_then(|start| start.checkpoint.take()) {
            Some(checkpoint) => BodySimulation::resume(&scene, checkpoint)?,
            None => BodySimulation::new(&scene)?,
        };
        let overview = |run: &BodySimulation| figure::simulate(&scene, run.figure_data());
        let figures = |run: &BodySimulation| figure::scene_figures(&scene, run.figure_data());
        self.run_to_end(&source, &scene.title, &mut run, start.as_ref(), figures)?;
        self.draw(&target, || overview(&run), || figures(&run))?;
        let summary = run.summary();
        let text = || summary::scene_summary(&summary) + &summary::play_line(self.out.as_deref());
        self.format.render_like(&summary, &summary.contacts, &ContactSummary::default(), text)
    }

    /// Runs a bed of grains and reports.
    fn run_bed(
        &self,
        source: &SceneSource,
        scene: &GranularScene,
        target: &Target,
    ) -> Result<String, Failure> {
        let mut start = self.inspect_folder(source, scene.format)?;
        let run = match start.as_mut().and_then(|start| start.checkpoint.take()) {
            Some(checkpoint) => GrainSimulation::resume(scene, &checkpoint)?,
            None => GrainSimulation::new(scene),
        };
        let mut run = run.on_threads(super::thread_count(self.threads))?;
        let figures = |run: &GrainSimulation| figure::grain_figures(scene, run);
        self.run_to_end(source, &scene.title, &mut run, start.as_ref(), figures)?;
        self.draw(target, || figure::grains(scene, &run), || figures(&run))?;
        let summary = run.summary();
        let text = || summary::bed_summary(&summary) + &summary::play_line(self.out.as_deref());
        self.format.render(&summary, &[&summary], text)
    }

    /// Draws the requested figure into its file.
    fn draw(
        &self,
        target: &Target,
        overview: impl FnOnce() -> Figure,
        figures: impl FnOnce() -> Vec<(String, Figure)>,
    ) -> Result<(), Failure> {
        let Some(requested) = &self.figure else { return target.draw(|| Ok(overview())) };
        target.draw(|| {
            let mut all = figures();
            if let Some(index) = all.iter().position(|(name, _)| name == requested) {
                return Ok(all.swap_remove(index).1);
            }
            let names: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
            let allowed = format!("{}, which this scene has", names.join(", "));
            let advice = "leave --figure out for an overview";
            Err(carom::Error::invalid("figure", format!("`{requested}`"), allowed, advice).into())
        })
    }

    /// Inspects the folder, if one is given, and returns whether a run starts there or continues.
    fn inspect_folder<T: serde::de::DeserializeOwned>(
        &self,
        source: &SceneSource,
        default: Option<&'static str>,
    ) -> Result<Option<Start<T>>, Failure> {
        let Some(out) = &self.out else { return Ok(None) };
        // A run that is resumed keeps its format, whichever the scene names.
        let default = if self.resume { None } else { default };
        let name = self.tables.as_deref().or(default);
        let format = match name {
            None => None,
            Some(name) => match carom_store::Format::of(Path::new(&format!("table.{name}"))) {
                Some(format) => Some(format),
                None => {
                    let known = scene::Output::FORMATS;
                    let otherwise = format!("use one of {}", known.join(", "));
                    return Err(carom::Error::unknown("format", name, known, &otherwise).into());
                }
            },
        };
        let drawn = out.join("figures");
        if self.figures.is_some() && !self.resume && !self.overwrite && holds_figures(&drawn) {
            return Err(Failure::Input(format!(
                "`{}` holds figures: name another folder, or replace them with --overwrite",
                drawn.display()
            )));
        }
        let options = Options { format, resume: self.resume, overwrite: self.overwrite };
        folder::inspect(out, source, options).map(Some).map_err(Failure::from)
    }

    /// Runs the simulation until it ends or Ctrl-C is pressed.
    fn run_to_end<S: Simulation<Error = carom::Error>>(
        &self,
        source: &SceneSource,
        title: &str,
        run: &mut S,
        start: Option<&Start<S::State>>,
        figures: impl Fn(&S) -> Vec<(String, Figure)>,
    ) -> Result<(), Failure> {
        let template = "{msg} {wide_bar} {percent:>3} %  {eta} left";
        let progress = Progress::new(PROGRESS_PARTS as u64, template);
        progress.message(&title.chars().take(30).collect::<String>());
        let duration = run.duration();
        let mut steps = 0u64;
        let interrupt = Interrupt::listen();
        let mut watch = |time: f64| {
            steps += 1;
            if steps.is_multiple_of(16) {
                progress.show((PROGRESS_PARTS * (time / duration).clamp(0.0, 1.0)) as u64);
            }
        };
        let done = match (&self.out, start) {
            (Some(out), Some(start)) => {
                let checkpoint = Duration::from_secs_f64(self.checkpoint.min(1e9));
                let limits = Limits { checkpoint, steps: self.steps };
                let folder = RunFolder::open(out, source, run, start)?;
                let watch = |run: &S| {
                    watch(run.time());
                    !interrupt.pressed()
                };
                let last = |run: &S, path: &Path| match self.figures {
                    Some(kind) => write_figures(path, &figures(run), kind),
                    None => Ok(()),
                };
                folder.run(run, limits, watch, last).map_err(Failure::from)
            }
            _ => loop {
                if run.done() {
                    break Ok(true);
                }
                if interrupt.pressed() {
                    break Ok(false);
                }
                if let Err(error) = run.step(u64::MAX) {
                    break Err(Failure::internal(&error));
                }
                run.tables_mut().take(false);
                watch(run.time());
            },
        };
        progress.end();
        match done? {
            false if interrupt.pressed() => Err(self.interrupted(run.time())),
            _ => Ok(()),
        }
    }

    /// Returns the failure after Ctrl-C: the time reached, and the command that continues the run.
    fn interrupted(&self, time: f64) -> Failure {
        let at = format!("at t = {}", carom::units::format(time, "s"));
        let Some(out) = &self.out else {
            let advice = "with --out DIR a run is kept and can go on";
            return Failure::Stopped(format!("{at}; nothing is kept, {advice}"));
        };
        let scene = self.scene.clone().unwrap_or_default();
        let quoted = |path: &Path| summary::shell_quoted(&path.display().to_string());
        let set = self.set.iter().map(|set| format!(" --set {}", summary::shell_quoted(set)));
        let more = match self.figures {
            Some(figure::FigureFormat::Svg) => " --figures".to_string(),
            Some(kind) => format!(" --figures={}", kind.ending()),
            None => String::new(),
        };
        Failure::Stopped(format!(
            "{at}; go on with `carom simulate {} --out {} --resume{more}{}`",
            quoted(&scene),
            quoted(out),
            set.collect::<String>()
        ))
    }
}

/// Parses changes of a scene.
pub fn parse_changes(texts: &[String]) -> Result<Vec<Change>, Failure> {
    Ok(texts.iter().map(|text| text.parse()).collect::<Result<_, _>>()?)
}

/// Prints a note for every change that a later one of the same key replaces.
pub fn note_replaced_changes(scene: &str, changes: &[Change]) {
    for sentence in scene::repeated_keys(scene, changes) {
        let label = style::NOTE;
        anstream::eprintln!("{label}note:{label:#} {sentence}");
    }
}

/// Returns whether the folder contains figures.
fn holds_figures(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let drawn = |path: PathBuf| {
        path.extension()
            .is_some_and(|end| figure::FigureFormat::ALL.iter().any(|kind| end == kind.ending()))
    };
    entries.into_iter().any(|entry| drawn(entry.path()))
}

/// Writes all figures into a folder of their own.
fn write_figures(
    path: &Path,
    figures: &[(String, Figure)],
    kind: figure::FigureFormat,
) -> Result<(), carom_store::Failure> {
    let folder = path.join("figures");
    let refuse = |why: String| carom_store::Failure::System {
        path: folder.clone(),
        why: std::io::Error::other(why),
        kept: carom_store::Kept::Checkpoint,
    };
    std::fs::create_dir_all(&folder).map_err(|why| refuse(why.to_string()))?;
    for (name, figure) in figures {
        let file = folder.join(format!("{name}.{}", kind.ending()));
        let bytes = figure.render(kind, &figure::FigureOptions::default());
        let bytes = bytes.map_err(|failure| refuse(failure.sentence().to_string()))?;
        carom_store::file::write(&file, &bytes)
            .map_err(|why| refuse(format!("`{}`: {why}", file.display())))?;
    }
    Ok(())
}

/// Returns a function that reads the files that a scene names, from the folder of the scene.
pub fn files_beside(
    scene: &Path,
) -> impl Fn(&str) -> Result<String, String> + Send + Sync + 'static + use<> {
    let folder = scene.parent().unwrap_or(Path::new("")).to_path_buf();
    move |name: &str| file_text(std::fs::read(folder.join(name)).map_err(|why| why.to_string())?)
}

/// Reads the text of a scene.
pub fn read_scene(path: &Path) -> Result<String, Failure> {
    let advice = "name a TOML file, such as those in scenes/";
    std::fs::read_to_string(path)
        .map_err(|why| Failure::unreadable("the scene ", path, &why, advice))
}
