//! `carom check`: computes what the contacts of a robot file deliver in their engine.

mod text;

use crate::failure::Failure;
use crate::output::{Format, write_file};
use carom::robot_file::{self, Fix, PairReport, Report, SIZE_MAX, Spec};
use carom::spec::Quantity;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = r#"
FILE is MJCF (MuJoCo), SDF (Gazebo) or URDF (Drake, Gazebo, PyBullet). Every pair of geometries
that can touch is stepped through an impact with its engine's own contact, integrator and step;
--json has all numbers and how the parameters of the two sides are combined. Findings name the
line of the file.

With --restitution the parameters that deliver it are searched for, and --fix writes them into a
copy of the file in which nothing else changes.

Examples:
  carom check robot.xml
  carom check robot.xml --pair ball,floor --speed 0.1,1,3
  carom check robot.xml --restitution 0.7 --fix bouncing.xml
  carom check world.sdf --engine dart --json
  carom check arm.urdf --engine drake --step 1ms --mass 2kg"#;

/// Compute what the contacts of a robot file (MJCF, SDF, URDF) deliver, and write parameters for a restitution
#[derive(Args)]
#[command(after_help = EXAMPLES.trim_start())]
pub struct Check {
    /// The file
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// A pair of geometries, by their names [default: all that can touch]
    #[arg(long, value_name = "A,B")]
    pair: Vec<String>,
    /// Approach speeds, separated by commas
    #[arg(long, value_name = "V,…", default_value = "1", allow_hyphen_values = true)]
    speed: String,
    /// Effective mass [default: that of the bodies with their joints, at the zero pose]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    mass: Option<Quantity>,
    /// Engine: mujoco, ode, bullet, dart or drake [default: that of the file]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Time step [default: that of the file, or else the engine's]
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    step: Option<Quantity>,
    /// Folder from which files may be included [default: that of the file]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Search for parameters that deliver this restitution
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    #[arg(help_heading = "Another restitution")]
    restitution: Option<Quantity>,
    /// Write a copy of the file with these parameters
    #[arg(long, value_name = "FILE", requires = "restitution")]
    #[arg(help_heading = "Another restitution")]
    fix: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "fix", help_heading = "Another restitution")]
    overwrite: bool,

    #[command(flatten)]
    format: Format,
}

/// A row of CSV: one pair at one speed.
#[derive(Serialize)]
struct PairRow<'a> {
    geometry_1: &'a str,
    geometry_2: &'a str,
    speed: f64,
    restitution: Option<f64>,
    restitution_min: Option<f64>,
    restitution_max: Option<f64>,
    duration: Option<f64>,
    penetration: Option<f64>,
    force_max: Option<f64>,
    mass: Option<f64>,
}

/// The answer with parameters for a restitution, as JSON.
#[derive(Serialize)]
struct Fixed<'a> {
    /// The results for the unchanged file.
    #[serde(flatten)]
    report: &'a Report,
    /// The file with the parameters that deliver the restitution.
    fix: &'a Fix,
}

impl Check {
    /// Checks the file, writes the fixed copy if requested, and reports.
    pub fn run(self) -> Result<String, Failure> {
        let spec = self.spec();
        let question = spec.question()?;
        if let Some(path) = &self.fix
            && path.exists()
            && !self.overwrite
        {
            let path = path.display();
            return Err(Failure::Input(format!(
                "`{path}` exists: name another file, or replace it with --overwrite"
            )));
        }
        let text = read(&self.path)?;
        let folder = self.path.parent().unwrap_or(Path::new("")).to_path_buf();
        let root = self.root.clone().unwrap_or_else(|| folder.clone());
        let load = |name: &str| robot_file::included(&folder, &root, name);
        let name = self.path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let model = robot_file::read(&name, &text, &load, &question)?;
        let report = model.check()?;
        let Some(restitution) = spec.restitution()? else {
            return self.format.render(&report, &csv_rows(&report), || text::render(&report));
        };
        let fix = model.fix(restitution, &load)?;
        if let Some(path) = &self.fix {
            self.write(path, &fix)?;
        }
        let answer = Fixed { report: &report, fix: &fix };
        self.format
            .render(&answer, &csv_rows(&fix.report), || text::fix_report(&fix, self.fix.as_deref()))
    }

    /// Writes the file, and beside it the included files that were changed.
    fn write(&self, path: &Path, fix: &Fix) -> Result<(), Failure> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let included: Vec<(PathBuf, &str)> = fix
            .included
            .iter()
            .map(|changed| (folder.join(&changed.name), changed.text.as_str()))
            .collect();
        if let Some((there, _)) = included.iter().find(|(file, _)| file.exists() && !self.overwrite)
        {
            let there = there.display();
            return Err(Failure::Input(format!(
                "the parameters are in an included file, and `{there}` exists: give --fix a file in another folder, where the \
                 included one is written as well, or replace both with --overwrite"
            )));
        }
        for (file, text) in &included {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(|why| Failure::unwritable(folder, &why))?;
            }
            write_file(file, text.as_bytes())?;
        }
        write_file(path, fix.text.as_bytes())
    }

    /// Converts the arguments to the description that the library takes.
    fn spec(&self) -> Spec {
        copied!(self => Spec { pair, mass, engine, step, restitution } and {
            speed: self.speed.split(',').map(|one| Quantity::from(one.trim())).collect(),
        })
    }
}

/// Reads a file, unless it is too large.
fn read(path: &Path) -> Result<String, Failure> {
    let advice = "name an MJCF, SDF or URDF file";
    let failed = |why: std::io::Error| Failure::unreadable("", path, &why, advice);
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > SIZE_MAX as u64 {
        let (path, size, most) = (path.display(), size >> 20, SIZE_MAX >> 20);
        return Err(Failure::Input(format!(
            "`{path}` has {size} MB, more than {most} MB: robot files are small, {advice}"
        )));
    }
    std::fs::read_to_string(path).map_err(failed)
}

fn csv_rows(report: &Report) -> Vec<PairRow<'_>> {
    report.pairs.iter().map(row).collect()
}

fn row(pair: &PairReport) -> PairRow<'_> {
    let [a, b] = &pair.geometries;
    copied!(pair => PairRow { speed, restitution, duration, penetration, force_max, mass } and {
        geometry_1: a,
        geometry_2: b,
        restitution_min: pair.restitution_range.map(|[low, _]| low),
        restitution_max: pair.restitution_range.map(|[_, high]| high),
    })
}
