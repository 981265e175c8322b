//! Studies of scenes: a case is the run of a scene with some keys changed.
//!
//! The variation is described as for impacts ([`carom::sweep`]): lists, ranges and distributions, either crossed or in
//! parallel. Each axis is a key of the scene, in a table of any depth, set as by a [`Change`]. Results are numbers that are
//! computed from the tables of a run while these grow (`sweep/output.rs`). Therefore no run has to be kept, and any column
//! of any table can be used. Threads, files and interruptions are handled as in all sweeps ([`carom::sweep::Plan`]).
//!
//! ```
//! use carom::sweep::{Plan, SceneStudy};
//! use carom_world::sweep::SceneCases;
//! let text = "[simulation]\nduration = \"1 s\"\ngravity = 10\n\
//!             [[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1]\n";
//! let mut study = SceneStudy::over("stone.toml", &["stone.velocity.2=0..10 m/s:3".into()], None)?;
//! study.set = vec!["stone.velocity=[0, 0, 0]".into()];
//! study.outputs = vec!["last(trajectory.z_m, stone)".into(), "max(trajectory.z_m)".into()];
//! let plan = Plan::new(SceneCases::new(study, text.into(), |_| Err("no files".into()))?);
//! let columns = plan.cases(0..3);
//! let heights: Vec<f64> = (0..3).filter_map(|case| columns[2].values.real(case)).collect();
//! assert!(heights.iter().zip([-5.0, 0.0, 5.0]).all(|(found, expected)| (found - expected).abs() < 1e-9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod impulse;
mod output;
mod results;
mod row_filter;
mod statistic;

use crate::grains::GranularScene;
use crate::record::{BodySimulation, GrainSimulation, canonical_text, tables};
use crate::scene::{Change, Location, Scene, SceneError};
use crate::world::ContactMethod;
use carom::sweep::{Evaluate, Figure, SceneStudy, Value, Variation, fingerprint};
use carom::{Error, Result};
use carom_store::Simulation;
use carom_store::table::Schema;
use output::Output;
use results::Results;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Function that returns the text of a file that the scene names, from its name.
pub type SharedFiles = dyn Fn(&str) -> std::result::Result<String, String> + Send + Sync;

/// Number of cases that are read before the first is computed, to find errors that occur in all of them.
const PROBE_CASES: u64 = 16;
/// Default outputs of a scene of bodies; below, those with the nonsmooth method and those of a bed of grains.
const DEFAULT_OUTPUTS: [&str; 4] = ["force_max", "touches", "lost", "friction"];
const DEFAULT_OUTPUTS_OF_RIGID_BODIES: [&str; 4] = ["impulse", "touches", "lost", "friction"];
const DEFAULT_OUTPUTS_OF_GRAINS: [&str; 4] = [
    "last(energies.kinetic_J)",
    "last(energies.height_m)",
    "last(energies.coordination)",
    "max(energies.overlap_max)",
];

/// The scene of a study, and the changes from which each case is made.
pub(crate) struct CaseSource {
    text: String,
    /// Changes that apply to all cases.
    set: Vec<Change>,
    files: Box<SharedFiles>,
    pub variation: Variation,
    /// Text of everything that the runs depend on, but not of the outputs computed from them.
    pub identity: String,
}

/// A scene of either kind.
pub(crate) enum AnyScene {
    /// Rigid bodies.
    Bodies(Box<Scene>),
    /// A bed of grains.
    Grains(Box<GranularScene>),
}

impl CaseSource {
    /// Reads some cases, to find errors that occur in all of them and the files that they name.
    ///
    /// # Errors
    /// When none of these cases is a valid scene.
    pub(crate) fn new(
        study: &SceneStudy,
        text: String,
        files: impl Fn(&str) -> std::result::Result<String, String> + Send + Sync + 'static,
    ) -> std::result::Result<Self, SceneError> {
        let set = study.set.iter().map(|text| text.parse()).collect::<Result<_>>();
        let mut source = Self {
            text,
            set: set.map_err(SceneError::of_scene)?,
            files: Box::new(files),
            variation: study.variation.clone(),
            identity: String::new(),
        };
        let named = Mutex::new(BTreeMap::new());
        let mut refused = None;
        let mut readable = false;
        for values in source.probe_values() {
            match source.read_scene(&source.changes(&values), Some(&named)) {
                Ok(_) => readable = true,
                Err(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        if let (Some(error), false) = (refused, readable) {
            return Err(error);
        }
        let scene = canonical_text(&source.text, &source.set, &[])?;
        let named = named.into_inner().unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        source.identity = format!("{version} {scene} {named:?} {:?}", source.variation);
        Ok(source)
    }

    /// Returns the first case with each word of the axes, and cases distributed over the study.
    fn probe_values(&self) -> Vec<Vec<Value>> {
        let cases = self.variation.cases();
        let mut all = Vec::new();
        let first = self.first_values();
        for (i, axis) in self.variation.axes().iter().enumerate() {
            for word in 1..axis.count().unwrap_or(0).min(1000) as u32 {
                let mut values = first.clone();
                match values.get_mut(i) {
                    Some(value @ Value::Word(_)) => *value = Value::Word(word),
                    _ => break,
                }
                all.push(values);
            }
        }
        for k in 0..PROBE_CASES.min(cases) {
            let mut values = Vec::new();
            self.variation.values(k * (cases / PROBE_CASES.min(cases)), &mut values);
            all.push(values);
        }
        all
    }

    /// Returns the changes of the scene in a case.
    pub(crate) fn changes(&self, values: &[Value]) -> Vec<Change> {
        let axes = self.variation.axes().iter().zip(values);
        let changes = axes.filter(|(axis, _)| axis.name() != "label").map(|(axis, value)| {
            let value = match axis.number(*value) {
                Some(number) => format!("{number} {}", axis.unit()).trim().to_string(),
                None => axis.word(*value).unwrap_or_default().to_string(),
            };
            Change { place: axis.name().to_string(), value }
        });
        self.set.iter().cloned().chain(changes).collect()
    }

    fn read_scene(
        &self,
        changes: &[Change],
        named: Option<&Mutex<BTreeMap<String, String>>>,
    ) -> std::result::Result<AnyScene, SceneError> {
        let files = |name: &str| {
            let text = (self.files)(name)?;
            if let Some(mut named) = named.and_then(|named| named.lock().ok()) {
                named.insert(name.to_string(), fingerprint(&text));
            }
            Ok(text)
        };
        if GranularScene::recognizes(&self.text) {
            let scene = GranularScene::parse_with(&self.text, &files, changes)?;
            return Ok(AnyScene::Grains(Box::new(scene)));
        }
        Ok(AnyScene::Bodies(Box::new(Scene::parse_with(&self.text, &files, changes)?)))
    }

    /// Returns the scene of a case.
    ///
    /// # Errors
    /// When the changed text is not a valid scene.
    pub(crate) fn scene(&self, values: &[Value]) -> Result<AnyScene> {
        self.read_scene(&self.changes(values), None).map_err(|found| match found.location {
            Location::Line(line) => found.error.at(format!("line {line} of the scene")),
            Location::Change(_) | Location::Scene => found.error,
        })
    }

    /// Returns the scene of the first case, which represents all cases when names are checked.
    pub(crate) fn first_scene(&self) -> Result<AnyScene> {
        self.scene(&self.first_values())
    }

    fn first_values(&self) -> Vec<Value> {
        let mut values = Vec::new();
        self.variation.values(0, &mut values);
        values
    }
}

/// Evaluation of the runs of a study.
pub struct SceneCases {
    source: CaseSource,
    title: String,
    from: f64,
    figure: Option<Figure>,
    outputs: Vec<Output>,
}

impl SceneCases {
    /// Creates the cases of a study of the scene with this text; `files` returns the text of a file that the scene names.
    ///
    /// # Errors
    /// When no case is a valid scene, or an output does not exist.
    pub fn new(
        study: SceneStudy,
        text: String,
        files: impl Fn(&str) -> std::result::Result<String, String> + Send + Sync + 'static,
    ) -> std::result::Result<Self, SceneError> {
        let source = CaseSource::new(&study, text, files)?;
        let SceneStudy { title, from, figure, outputs, .. } = study;
        let grains = GranularScene::recognizes(&source.text);
        let schemas: Vec<Schema> = match grains {
            true => tables::of_grains().into(),
            false => tables::of_bodies().into(),
        };
        // The first case is used to find outputs that do not exist for the method, and wrong names of bodies and contacts.
        let first = match source.first_scene() {
            Ok(AnyScene::Bodies(scene)) => Some(scene),
            _ => None,
        };
        let rigid = first.as_ref().is_some_and(|scene| is_rigid(scene));
        let default = match (grains, rigid) {
            (true, _) => DEFAULT_OUTPUTS_OF_GRAINS,
            (false, true) => DEFAULT_OUTPUTS_OF_RIGID_BODIES,
            (false, false) => DEFAULT_OUTPUTS,
        };
        let names = if outputs.is_empty() { default.map(String::from).to_vec() } else { outputs };
        let outputs = names.iter().map(|name| Output::read(name, &schemas)).collect::<Result<_>>();
        let outputs: Vec<Output> = outputs.map_err(SceneError::of_scene)?;
        if let Some(output) = outputs.iter().find(|output| rigid && output.smooth_only) {
            return Err(SceneError::of_scene(Error::unsupported(
                format!("`{}` with the nonsmooth method", output.name),
                "impacts of rigid bodies take no time and have no force: take their impulse, or use method = \"smooth\"",
            )));
        }
        if let Some(scene) = &first
            && let Ok(run) = BodySimulation::new(scene)
        {
            let checked = Results::new(&outputs, run.tables(), Some(scene), from);
            checked.map_err(SceneError::of_scene)?;
        }
        Ok(Self { source, title, from, figure, outputs })
    }

    /// Returns the changes of the scene in a case.
    pub fn changes(&self, values: &[Value]) -> Vec<Change> {
        self.source.changes(values)
    }

    fn check_window(&self, duration: f64) -> Result<()> {
        if self.from < duration && self.from >= 0.0 {
            return Ok(());
        }
        let allowed = format!("from 0 to less than {duration} s, the duration of the scene");
        Err(Error::invalid("from", self.from, allowed, "results before this time do not count"))
    }
}

fn is_rigid(scene: &Scene) -> bool {
    scene.world.method != ContactMethod::Smooth
}

impl Evaluate for SceneCases {
    type Scratch = ();

    fn variation(&self) -> &Variation {
        &self.source.variation
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn figure(&self) -> Option<Figure> {
        self.figure
    }

    fn outputs(&self) -> Vec<(String, String)> {
        self.outputs.iter().map(|output| (output.name.clone(), output.unit.clone())).collect()
    }

    fn evaluate(&self, values: &[Value], _: &mut (), rows: &mut Vec<f64>) -> Result<&'static str> {
        match self.source.scene(values)? {
            AnyScene::Bodies(scene) => {
                self.check_window(scene.duration)?;
                let mut run = BodySimulation::new(&scene)?;
                let mut results =
                    Results::new(&self.outputs, run.tables(), Some(&scene), self.from)?;
                run.run.show_touches(&mut results);
                while !run.done() {
                    run.step_observed(&mut results)?;
                    results.add(run.tables_mut().take(false));
                }
                results.add(run.tables_mut().take(true));
                rows.extend(results.finish(Some(&run.run)));
            }
            AnyScene::Grains(scene) => {
                self.check_window(scene.duration)?;
                let mut run = GrainSimulation::new(&scene).on_threads(1)?;
                let mut results = Results::new(&self.outputs, run.tables(), None, self.from)?;
                while !run.done() {
                    run.step(u64::MAX)?;
                    results.add(run.tables_mut().take(false));
                }
                results.add(run.tables_mut().take(true));
                rows.extend(results.finish(None));
            }
        }
        Ok("ok")
    }

    fn fingerprint(&self) -> String {
        let outputs: Vec<&str> = self.outputs.iter().map(|output| output.name.as_str()).collect();
        fingerprint(&format!("{} {outputs:?} {}", self.source.identity, self.from))
    }
}
