//! `carom simulate`: a scene from a file, results into a folder.

mod progress;
mod recorder;
mod store;
mod summary;

use crate::failure::Failure;
use crate::figure::{self, Plot};
use crate::output::Format;
use carom_world::scene::Change;
use carom_world::{Run, Scene, State};
use clap::Args;
use progress::Progress;
use recorder::Recorder;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::{Checkpoint, Store};
use summary::Summary;

const EXAMPLES: &str = r#"
The folder receives trajectory.csv (where every body is), contacts.csv (every contact force), energies.csv
(the ledger), events.csv (touches and separations) and summary.json. While it runs, a checkpoint is kept
there; a run that was killed goes on exactly where it was with --resume.

Examples:
  carom simulate scenes/bouncing-ball.toml
  carom simulate scenes/newtons-cradle.toml --out run --plot cradle.svg
  carom simulate scenes/newtons-cradle.toml --out run --resume
  carom simulate scenes/pounding.toml --set "gap.law=jankowski-2006" --set "gap.stiffness=2.75e9 N/m^1.5" \
      --set gap.exponent=1.5"#;

/// Run a scene of bodies that touch
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Simulate {
    /// The scene, a TOML file
    scene: PathBuf,
    /// Folder for the results; made if need be
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run that was stopped in the folder
    #[arg(long, requires = "out")]
    resume: bool,
    /// Stop after so many steps, ready to be resumed
    #[arg(long, value_name = "N", requires = "out")]
    steps: Option<u64>,
    /// Change a key of the scene, as in "bead.radius=3 mm"; may be repeated
    #[arg(long, value_name = "TABLE.KEY=VALUE")]
    set: Vec<String>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    checkpoint: f64,
    #[command(flatten)]
    plot: Plot,
    #[command(flatten)]
    format: Format,
}

impl Simulate {
    /// Runs the scene and reports.
    pub fn run(self) -> Result<String, Failure> {
        let target = self.plot.target()?;
        if !(self.checkpoint > 0.0) {
            let advice = "give the seconds between two checkpoints";
            let error = carom::Error::invalid("checkpoint", self.checkpoint, "above 0", advice);
            return Err(error.into());
        }
        let text = read(&self.scene)?;
        let folder = self.scene.parent().unwrap_or(Path::new("")).to_path_buf();
        let files =
            |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|why| why.to_string());
        let changes: Vec<Change> =
            self.set.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let scene = Scene::parse_with(&text, &files, &changes)
            .map_err(|error| Failure::Input(format!("{}: {error}", self.scene.display())))?;
        // A run is resumed with the same changes or not at all.
        let text = self.set.iter().fold(text, |text, change| text + "\n# --set " + change);
        let mut store = Store::open(self.out.as_deref(), self.resume)?;
        let (mut run, mut recorder) = match store.checkpoint(&text)? {
            Some(checkpoint) => {
                let state = State::restore(&scene.world, &checkpoint.state)?;
                let recorder = Recorder::resume(&scene, &checkpoint);
                (Run::resume(&scene.world, state), recorder)
            }
            None => (Run::new(&scene.world)?, Recorder::new(&scene)),
        };
        let finished = self.advance(&scene, &text, &mut run, &mut recorder, &mut store)?;
        let summary = Summary::new(&scene, &run, &recorder, finished);
        recorder.flush(&mut store)?;
        if let Some(target) = target {
            target.draw(&figure::simulate(
                &scene,
                &store.text("energies")?,
                &store.text("contacts")?,
            ))?;
        }
        if finished {
            store.finish(&crate::output::json(&summary)?)?;
        }
        self.format.render(&summary, &summary.contacts, || summary.text())
    }

    /// Steps until the end, or until it is told to stop; true when the end was reached.
    fn advance(
        &self,
        scene: &Scene,
        text: &str,
        run: &mut Run,
        recorder: &mut Recorder,
        store: &mut Store,
    ) -> Result<bool, Failure> {
        let mut progress = Progress::new(&scene.title, scene.duration);
        let mut last = Instant::now();
        let mut steps = 0u64;
        while run.state().time < scene.duration {
            let stopped = self.steps.is_some_and(|most| steps >= most);
            let due = last.elapsed() > Duration::from_secs_f64(self.checkpoint.min(1e9));
            if stopped || (due && self.out.is_some()) {
                recorder.flush(store)?;
                store.save(&Checkpoint::new(text, run.state(), recorder, store))?;
                last = Instant::now();
            }
            if stopped {
                return Ok(false);
            }
            run.step(scene.duration, recorder)?;
            steps += 1;
            if steps.is_multiple_of(64) {
                progress.show(run.state().time);
            }
        }
        progress.done();
        Ok(true)
    }
}

/// The text of a scene.
pub fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|why| {
        Failure::Input(format!(
            "cannot read the scene `{}`: {why}; name a TOML file, such as those in scenes/",
            path.display()
        ))
    })
}
