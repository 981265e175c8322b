//! Functions that take a description as JSON and return the report that `--json` of the command prints.

use crate::error::{Error, raise, unreadable};
use carom::batch::{IMPACT_OUTPUTS, OUTPUTS, numbers};
use carom::impact::collide_under;
use carom::measured_table::TableReader;
use carom::pair::{FACTS, MATERIALS};
use carom::report::{Page, Report};
use carom::spec::{BodySpec, Quantity, Spec};
use carom::units::Dimension;
use carom::{CATALOGUE, Law};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub fn read<T: DeserializeOwned>(what: &str, json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|why| unreadable(what, why))
}

pub fn write(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|why| Error::new_err(format!("cannot write JSON: {why}")))
}

/// Returns the version of the package.
#[pyfunction]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns the name and SI unit of each result that every impact has.
#[pyfunction]
pub fn outputs() -> Vec<(&'static str, &'static str)> {
    OUTPUTS.iter().take(IMPACT_OUTPUTS).map(|output| (output.name, output.unit)).collect()
}

/// Returns the facts that a pair may have: name, SI unit, meaning.
#[pyfunction]
pub fn facts() -> Vec<(&'static str, &'static str, &'static str)> {
    FACTS.to_vec()
}

/// Returns the allowed words of choices, by the name of their type in Python.
#[pyfunction]
pub fn choices() -> Vec<(&'static str, Vec<&'static str>)> {
    use carom::{advise, code, export, fit, linear_equivalent};
    let engines = export::engines().flat_map(|it| [&[it.id], it.aliases].concat());
    let groups = CATALOGUE.iter().map(|model| model.group.name());
    let mut known_groups: Vec<&str> = Vec::new();
    groups.for_each(|group| {
        if !known_groups.contains(&group) {
            known_groups.push(group);
        }
    });
    vec![
        ("Exit", [carom::Exit::ZeroForce, carom::Exit::ZeroIndentation].map(|it| it.name()).into()),
        ("Calibration", vec!["published", "exact"]),
        ("Damper", vec![linear_equivalent::NAME]),
        ("Group", known_groups),
        ("Input", vec!["elastic", "restitution", "coefficient", "material"]),
        ("Engine", engines.collect()),
        (
            "Output",
            ["restitution"].into_iter().chain(outputs().into_iter().map(|it| it.0)).collect(),
        ),
        ("Language", code::Language::ALL.map(|it| it.name()).into()),
        ("Loss", fit::Loss::ALL.map(|it| it.name()).into()),
        ("Purpose", advise::Purpose::ALL.map(|it| it.name()).into()),
        ("Integrator", advise::Integrator::ALL.map(|it| it.name()).into()),
        ("Format", carom_world::scene::Output::FORMATS.into()),
    ]
}

/// Returns one law as JSON, given by its id or alias, a law file or the text of one; without a name, all laws of the catalogue.
#[pyfunction]
#[pyo3(signature = (name=None))]
pub fn catalogue(name: Option<&str>) -> PyResult<String> {
    match name {
        Some(name) => {
            let model = carom::own_law::name_of(name).and_then(|name| carom::model(&name));
            write(&Page::of(model.map_err(raise)?))
        }
        None => write(&CATALOGUE.iter().map(Page::of).collect::<Vec<_>>()),
    }
}

/// Returns requested and delivered restitutions of a law, as JSON.
#[pyfunction]
pub fn deliveries(name: &str) -> PyResult<String> {
    write(&carom::compare::deliveries(carom::model(name).map_err(raise)?))
}

/// Returns the measured impacts, as JSON.
#[pyfunction]
pub fn experiments() -> PyResult<String> {
    write(&carom::problems::EXPERIMENTS)
}

/// Compares laws with a measured impact, as JSON: all laws of the catalogue unless some are named.
#[pyfunction]
#[pyo3(signature = (experiment, laws, calibration, exit))]
pub fn compare(
    py: Python<'_>,
    experiment: &str,
    laws: Vec<String>,
    calibration: Option<&str>,
    exit: Option<&str>,
) -> PyResult<String> {
    use carom::compare::{Request, compare};
    let experiment = carom::problems::experiment(experiment).map_err(raise)?;
    let request = match calibration {
        None => Request::Usual,
        Some("published") => Request::Published,
        Some("exact") => Request::Exact,
        Some(other) => {
            let known = ["published", "exact"];
            let otherwise = "use `published` or `exact`, or leave it out";
            return Err(raise(carom::Error::unknown("calibration", other, known, otherwise)));
        }
    };
    let exit = exit.map(str::parse).transpose().map_err(raise)?;
    let models: carom::Result<Vec<_>> = match laws.is_empty() {
        true => Ok(CATALOGUE.iter().collect()),
        false => laws.iter().map(|law| carom::model(&carom::own_law::name_of(law)?)).collect(),
    };
    let models = models.map_err(raise)?;
    let rows = py.detach(|| compare(experiment, models, request, exit));
    write(&serde_json::json!({ "experiment": experiment, "rows": rows }))
}

/// Returns the force of a described law, or of a law whose numbers are arguments, as functions in a language.
#[pyfunction]
pub fn code(spec: &str, language: &str) -> PyResult<String> {
    let spec: Spec = read("the law", spec)?;
    let language = language.parse().map_err(raise)?;
    carom::code::described(&spec, language).map_err(raise)
}

/// Returns the materials, as JSON.
#[pyfunction]
pub fn materials() -> PyResult<String> {
    write(&MATERIALS)
}

/// Returns a material by id or alias, as JSON.
#[pyfunction]
pub fn material(name: &str) -> PyResult<String> {
    write(carom::pair::material(name).map_err(raise)?)
}

/// Returns a body described by a text, as JSON.
#[pyfunction]
pub fn body(text: &str) -> PyResult<String> {
    write(&BodySpec::parse(text).map_err(raise)?)
}

/// Returns two bodies as JSON: mass, stiffness, exponent and facts.
#[pyfunction]
pub fn pair(bodies: &str) -> PyResult<String> {
    let bodies: Vec<BodySpec> = read("the bodies", bodies)?;
    // Hertz's law is used because it needs nothing but the pair.
    let spec =
        Spec { law: "hertz-1881".into(), bodies, speed: Some(1.0.into()), ..Spec::default() };
    let pair = spec.case().map_err(raise)?.pair;
    let facts: serde_json::Map<_, _> =
        pair.facts.iter().map(|&(name, value)| (name.to_string(), value.into())).collect();
    write(&serde_json::json!({
        "mass": pair.mass, "stiffness": pair.stiffness, "exponent": pair.exponent, "facts": facts,
    }))
}

/// Computes one impact; returns the report as JSON and the numbers in the order of `outputs()`.
#[pyfunction]
pub fn impact(py: Python<'_>, spec: &str) -> PyResult<(String, Vec<f64>)> {
    let spec: Spec = read("the impact", spec)?;
    let (report, found) = py
        .detach(|| {
            let case = spec.case()?;
            let law = case.law()?;
            let impact = collide_under(&law, case.speed, &case.conditions)?;
            let found = numbers(&impact);
            Ok((Report::new(&case, &law, impact), found))
        })
        .map_err(raise)?;
    Ok((write(&report)?, found.to_vec()))
}

/// Returns the law of a description that has no speed yet.
fn law(spec: &str) -> PyResult<Law> {
    let mut spec: Spec = read("the law", spec)?;
    spec.speed = Some(1.0.into());
    spec.case().and_then(|case| case.law()).map_err(raise)
}

/// Refuses a description that is not a valid law.
#[pyfunction]
pub fn check(spec: &str) -> PyResult<()> {
    law(spec).map(|_| ())
}

/// Returns whether the force of this law depends on the speed at first touch.
#[pyfunction]
pub fn needs_speed(spec: &str) -> PyResult<bool> {
    let law = law(spec)?;
    // The speed may act through the damping fixed at touch or through the memory, so forces are compared at a few points.
    let depends = |delta: f64, rate: f64| {
        let at = |speed: f64| law.force(delta, rate, &law.touch(speed));
        let (slow, fast) = (at(0.5), at(2.0));
        !((slow - fast).abs() <= 1e-9 * slow.abs().max(fast.abs()))
    };
    Ok([(1e-6, 0.3), (1e-4, 0.1), (1e-4, -0.1), (1e-2, 0.7)]
        .into_iter()
        .any(|(delta, rate)| depends(delta, rate)))
}

/// Computes stiffness and damping from two measured numbers.
#[pyfunction]
pub fn identify(py: Python<'_>, spec: &str) -> PyResult<String> {
    let spec: carom::identify::Spec = read("the measurement", spec)?;
    write(&py.detach(|| spec.run()).map_err(raise)?)
}

/// Determines which exponents fit restitutions at several speeds.
#[pyfunction]
pub fn speeds(py: Python<'_>, spec: &str) -> PyResult<String> {
    let spec: carom::identify::Spec = read("the measurement", spec)?;
    write(&py.detach(|| spec.run_speeds()).map_err(raise)?)
}

/// Computes restitution over speed from a drop test. `record` contains the bytes of a recording or of a table, `columns` the names
/// of all columns of the table if its header does not give them, and `skip` the number of lines to leave out before it. If an
/// engine is given, the answer contains its input as well.
#[pyfunction]
pub fn drop_test(
    py: Python<'_>,
    spec: &str,
    record: Option<&[u8]>,
    columns: Vec<String>,
    skip: usize,
    engine: Option<(&str, &str)>,
) -> PyResult<String> {
    use carom::drop_test::{Record, Sound, Spec};
    let spec: Spec = read("the drop test", spec)?;
    let engine = engine
        .map(|(engine, options)| {
            Ok::<_, PyErr>((engine, read::<ExportOptions>("the export", options)?))
        })
        .transpose()?;
    let run = || {
        let engine = engine
            .map(|(name, options)| {
                Ok::<_, carom::Error>((carom::export::engine(name)?, options.checked()?))
            })
            .transpose()?;
        let record = match record {
            None => None,
            Some(bytes) if Sound::is_wav(bytes) => Some(Record::Sound(Sound::from_wav(bytes)?)),
            Some(bytes) => {
                let named: Vec<_> = columns.into_iter().map(|name| (None, name)).collect();
                let mut table = TableReader::new(&named).without_lines(skip);
                String::from_utf8_lossy(bytes).lines().try_for_each(|line| table.line(line))?;
                Some(Record::Table(table.finish()?))
            }
        };
        let report = spec.run(record.as_ref())?;
        let input = engine
            .map(|(engine, options)| spec.engine_input(&report, engine, &options))
            .transpose()?;
        Ok((report, input))
    };
    let (report, engine_input) = py.detach(run).map_err(raise)?;
    write(&Evaluated { report, engine_input })
}

/// A drop test, and the input for an engine if one was requested, as `carom drop --json` writes them.
#[derive(Serialize)]
struct Evaluated {
    #[serde(flatten)]
    report: carom::drop_test::DropReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_input: Option<carom::drop_test::EngineInput>,
}

/// Recommends a law, its parameters and a time step.
#[pyfunction]
pub fn advise(py: Python<'_>, spec: &str) -> PyResult<String> {
    let spec: carom::advise::Spec = read("the problem", spec)?;
    write(&py.detach(|| spec.run()).map_err(raise)?)
}

/// Options of an export.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ExportOptions {
    steps: Option<Quantity>,
    step: Option<Quantity>,
    strict: bool,
    friction: Option<Quantity>,
    rolling_friction: Option<Quantity>,
}

impl ExportOptions {
    fn checked(&self) -> carom::Result<carom::export::Options> {
        let number = |name, value: &Option<Quantity>, dimension| {
            value.as_ref().map(|value| value.si(name, dimension)).transpose()
        };
        Ok(carom::export::Options {
            steps: number("steps", &self.steps, Dimension::NUMBER)?,
            step: number("step", &self.step, Dimension::TIME)?,
            strict: self.strict,
            friction: number("friction", &self.friction, Dimension::NUMBER)?,
            rolling_friction: number(
                "rolling_friction",
                &self.rolling_friction,
                Dimension::NUMBER,
            )?,
            speeds: None,
        })
    }
}

/// Writes an impact as input for another program.
#[pyfunction]
pub fn export(py: Python<'_>, spec: &str, engine: &str, options: &str) -> PyResult<String> {
    let spec: Spec = read("the impact", spec)?;
    let options: ExportOptions = read("the export", options)?;
    let deck = py.detach(|| {
        // The name of the engine is checked first.
        let engine = carom::export::engine(engine)?;
        carom::export::run_with(&spec, engine, &options.checked()?)
    });
    write(&deck.map_err(raise)?)
}

/// Returns the programs to which carom can export, as JSON.
#[pyfunction]
pub fn engines() -> PyResult<String> {
    write(&carom::export::engines().collect::<Vec<_>>())
}
