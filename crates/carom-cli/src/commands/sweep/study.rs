//! The study of a command: a file, a built-in study, or a scene and the keys that vary.

use crate::commands::simulate;
use crate::failure::Failure;
use crate::wording::CommandLine;
use carom::own_law;
use carom::sweep::{AnyStudy, Impacts, Plan, SceneStudy, Study, builtin};
use carom_store::Format;
use carom_world::record::value_text;
use carom_world::sweep::SceneCases;
use clap::Args;
use std::path::{Path, PathBuf};

/// Largest size of a study (bytes).
const STUDY_BYTES_MAX: u64 = 64 << 20;

/// Arguments of a study: a file, the name of a built-in study, or a scene with the keys that vary.
#[derive(Args)]
pub struct StudyArguments {
    /// The study, a TOML file; with --over a scene
    #[arg(value_name = "STUDY", required_unless_present = "builtin")]
    file: Option<PathBuf>,
    /// A study that comes with carom instead: zhang-2022-fig7
    #[arg(long, value_name = "ID", conflicts_with = "file")]
    builtin: Option<String>,
    /// Vary a key of a scene, as in "wrist pin.clearance=0.1..1 mm:10" or "gap.law=hertz, tsuji"; may be repeated
    #[arg(long, value_name = "KEY=VALUES", conflicts_with = "builtin")]
    over: Vec<String>,
    /// A result to keep, as force_max or "last(trajectory.x_m, slider)"; may be repeated
    #[arg(long, value_name = "RESULT", requires = "over")]
    output: Vec<String>,
    /// Change a key of the scene in all cases; may be repeated
    #[arg(long, value_name = "TABLE.KEY=VALUE", requires = "over")]
    set: Vec<String>,
    /// Results before this time do not count, as "0.1 s"
    #[arg(long, value_name = "TIME", requires = "over")]
    from: Option<String>,
}

/// A plan of either kind of study.
pub enum AnyPlan {
    /// Plan of a study of impacts.
    Impacts(Box<Plan<Impacts>>),
    /// Plan of a study of runs of a scene.
    Scene(Box<Plan<SceneCases>>),
}

impl StudyArguments {
    /// Reads the study and prepares to compute it.
    pub fn plan(&self) -> Result<AnyPlan, Failure> {
        match (&self.builtin, &self.file) {
            (Some(id), _) => {
                let study = Study::from_toml(builtin::find(id)?.text)?;
                Ok(AnyPlan::Impacts(Box::new(study.plan())))
            }
            (None, Some(scene)) if !self.over.is_empty() => {
                let mut study = SceneStudy::over(&scene.display().to_string(), &self.over, None)?;
                study.set.clone_from(&self.set);
                study.outputs.clone_from(&self.output);
                if let Some(from) = &self.from {
                    study.from = carom::units::parse("from", from, carom::units::Dimension::TIME)?;
                }
                scene_cases(study, scene).map(Box::new).map(AnyPlan::Scene)
            }
            (None, Some(file)) => self.read(file),
            (None, None) => Err(Failure::Input("no study; name a TOML file".into())),
        }
    }

    fn read(&self, file: &Path) -> Result<AnyPlan, Failure> {
        let name = file.display();
        let refuse =
            |why: std::io::Error| Failure::unreadable("", file, &why, "name a study in TOML");
        if std::fs::metadata(file).map_err(refuse)?.len() > STUDY_BYTES_MAX {
            return Err(Failure::Input(format!(
                "cannot read `{name}`: it is too large for a study; name a study in TOML"
            )));
        }
        let text = std::fs::read_to_string(file).map_err(refuse)?;
        if value_text(&text, &[], "simulation.duration").is_some() {
            return Err(Failure::Input(format!(
                "{name} is a scene, not a study: say what varies, as in --over \"ball.radius=5..10 mm:6\""
            )));
        }
        let study = AnyStudy::from_toml_with(&text, &own_law::name_of)
            .map_err(|error| Failure::Input(format!("{name}, {}", error.worded(&CommandLine))))?;
        match study {
            AnyStudy::Impacts(study) => Ok(AnyPlan::Impacts(Box::new(study.plan()))),
            AnyStudy::Scene(study) => {
                let scene = file.parent().unwrap_or(Path::new("")).join(&study.file);
                scene_cases(*study, &scene).map(Box::new).map(AnyPlan::Scene)
            }
        }
    }
}

/// Returns the title of a study, or else that of its scene.
pub fn study_title(study: &SceneStudy, scene: &str) -> String {
    let of_scene = || value_text(scene, &[], "title").unwrap_or_default();
    if study.title.is_empty() { of_scene() } else { study.title.clone() }
}

/// Returns the plan of the runs of a study of the scene in this file.
fn scene_cases(study: SceneStudy, scene: &Path) -> Result<Plan<SceneCases>, Failure> {
    let text = simulate::read_scene(scene)?;
    let study = SceneStudy { title: study_title(&study, &text), ..study };
    let cases = SceneCases::new(study, text, simulate::files_beside(scene))
        .map_err(|error| Failure::in_file(scene, error))?;
    Ok(Plan::new(cases))
}

/// Returns the format that belongs to the ending of a file name.
pub fn format(path: &Path) -> Result<Format, Failure> {
    Format::of(path).ok_or_else(|| {
        Failure::Input(format!(
            "out = `{}` is not allowed: out must be a file name that ends in .parquet, .csv or .arrow; \
             write for example --out results.parquet",
            path.display()
        ))
    })
}
