//! One impact: carom, the method of the papers and public integrators on the same problems.

use crate::measure::{self, Table};
use crate::problem::{Metrics, PROBLEMS, PowerForce, Problem, RootForce, ScaledForce};
use crate::rk4;
use carom::exact::{self, Exponents};
use carom::impact::{Conditions, trajectory};
use carom::{Exit, collide};
use std::error::Error;
use std::hint::black_box;

const POINTS: usize = 200;
/// Step of the papers (s).
const PAPER_STEP: f64 = 1e-8;

/// A row of the table: a name, and results and time for every problem.
struct MethodRow {
    name: &'static str,
    cells: Vec<Option<(Metrics, f64)>>,
}

type Method<'a> = &'a dyn Fn(&Problem) -> Result<Option<(Metrics, f64)>, Box<dyn Error>>;

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    let mut lines: Vec<MethodRow> = Vec::new();
    let mut add = |name, method: Method| -> Result<(), Box<dyn Error>> {
        eprintln!("  {name}");
        let cells = PROBLEMS.iter().map(method).collect::<Result<_, _>>()?;
        lines.push(MethodRow { name, cells });
        Ok(())
    };
    add("carom `collide`", &|problem| {
        let law = problem.law();
        let metrics = carom_metrics(&law, problem.speed)?;
        let time = measure::seconds(|| collide(black_box(&law), black_box(problem.speed)));
        Ok(Some((metrics, time)))
    })?;
    add("RK4, h = 1e-8 s, `powf`", &|problem| {
        papers_method(problem, &PowerForce(problem.scaled()))
    })?;
    add("RK4, h = 1e-8 s, `sqrt`", &|problem| match problem.is_hertzian() {
        true => papers_method(problem, &RootForce(problem.scaled())),
        false => Ok(None),
    })?;
    #[cfg(feature = "rivals")]
    rivals(&mut add)?;
    write(&lines, out);
    Ok(())
}

fn carom_metrics(law: &carom::Law, speed: f64) -> Result<Metrics, Box<dyn Error>> {
    let impact = collide(law, speed)?;
    Ok(Metrics {
        restitution: impact.restitution.newton,
        duration: impact.duration,
        force: impact.force_max,
        indentation: impact.indentation_max,
    })
}

fn papers_method(
    problem: &Problem,
    pull: &impl ScaledForce,
) -> Result<Option<(Metrics, f64)>, Box<dyn Error>> {
    let scaled = problem.scaled();
    let run = || rk4::impact(black_box(pull), black_box(&scaled), PAPER_STEP);
    Ok(Some((run(), measure::seconds(run))))
}

#[cfg(feature = "rivals")]
fn rivals(
    add: &mut dyn FnMut(&'static str, Method) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    use crate::rivals::{diffsol_problem, dop853, dopri5, tsit45};
    /// Runs the body with the least expensive force that fits the problem.
    macro_rules! with {
        ($problem:ident, |$pull:ident, $scaled:ident| $run:expr) => {{
            let $scaled = $problem.scaled();
            match $problem.is_hertzian() {
                true => {
                    let $pull = RootForce($scaled);
                    $run
                }
                false => {
                    let $pull = PowerForce($scaled);
                    $run
                }
            }
        }};
    }
    /// Checks the result once, then measures the time.
    macro_rules! timed {
        ($run:expr) => {{
            let run = $run;
            let metrics = run()?;
            Ok(Some((metrics, measure::seconds(|| run().ok()))))
        }};
    }
    add("`ode_solvers` Dopri5, 1e-6", &|p| {
        with!(p, |pull, scaled| timed!(|| dopri5(black_box(&pull), &scaled, 1e-6)))
    })?;
    add("`ode_solvers` Dopri5, 1e-9", &|p| {
        with!(p, |pull, scaled| timed!(|| dopri5(black_box(&pull), &scaled, 1e-9)))
    })?;
    add("`ode_solvers` Dop853, 1e-9", &|p| {
        with!(p, |pull, scaled| timed!(|| dop853(black_box(&pull), &scaled, 1e-9)))
    })?;
    add("`ode_solvers` Dop853, 1e-12", &|p| {
        with!(p, |pull, scaled| timed!(|| dop853(black_box(&pull), &scaled, 1e-12)))
    })?;
    add("`diffsol` Tsit45, 1e-6", &|p| {
        with!(p, |pull, scaled| {
            let problem = diffsol_problem(pull, 1e-6)?;
            timed!(|| tsit45(black_box(&problem), &pull, &scaled))
        })
    })?;
    add("`diffsol` Tsit45, 1e-9", &|p| {
        with!(p, |pull, scaled| {
            let problem = diffsol_problem(pull, 1e-9)?;
            timed!(|| tsit45(black_box(&problem), &pull, &scaled))
        })
    })
}

fn write(lines: &[MethodRow], out: &mut String) {
    out.push_str("### One impact\n\n");
    for (i, problem) in PROBLEMS.iter().enumerate() {
        out.push_str(&format!("{}: {}\n\n", problem.name, problem.what));
        let mut table = Table::new([
            "method",
            "time",
            "against carom",
            "restitution",
            "duration",
            "peak force",
            "peak indentation",
        ]);
        let carom = lines.first().and_then(|line| line.cells[i]).map_or(f64::NAN, |(_, t)| t);
        for line in lines {
            let Some((metrics, time)) = line.cells[i] else { continue };
            let answer = &problem.answer;
            let relative = |value: f64, exact: f64| measure::error(value / exact - 1.0);
            table.row([
                line.name.to_string(),
                measure::time(time),
                measure::ratio(time / carom),
                relative(metrics.restitution, answer.restitution),
                relative(metrics.duration, answer.duration),
                relative(metrics.force, answer.force),
                relative(metrics.indentation, answer.indentation),
            ]);
        }
        table.write(out);
    }
}

/// Compares ways to find the damping that delivers a restitution.
pub fn calibration(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  calibration");
    let [steel, .., general] = PROBLEMS;
    let mut table = Table::new(["the damping for a restitution", "time", "error"]);
    let e = steel.answer.restitution;
    let epsilon = steel.scaled().epsilon;
    table.row([
        "carom `exact::hunt_crossley`, m = n, q = 1".into(),
        measure::time(measure::seconds(|| exact::hunt_crossley(black_box(e)))),
        measure::error(exact::hunt_crossley(e) / epsilon - 1.0),
    ]);
    let exponents = Exponents::new(general.n, general.m, general.q)?;
    let find = |e: f64| exact::epsilon(black_box(exponents), Exit::ZeroForce, e);
    let (e, epsilon) = (general.answer.restitution, general.scaled().epsilon);
    table.row([
        "carom `exact::epsilon`, m = 1.2, q = 1.1".into(),
        measure::time(measure::seconds(|| find(black_box(e)))),
        measure::error(find(e)? / epsilon - 1.0),
    ]);
    #[cfg(feature = "rivals")]
    {
        let shoot = |e: f64| shooting(&general, e);
        table.row([
            "secant shooting with `ode_solvers` Dop853 1e-9, m = 1.2, q = 1.1".into(),
            measure::time(measure::seconds(|| shoot(black_box(e)).ok())),
            measure::error(shoot(e)? / epsilon - 1.0),
        ]);
    }
    out.push_str("### Calibration\n\n");
    table.write(out);
    Ok(())
}

/// Finds ε by a straightforward implementation: integrate, compare, correct by the secant method.
#[cfg(feature = "rivals")]
fn shooting(problem: &Problem, e: f64) -> Result<f64, Box<dyn Error>> {
    let miss = |epsilon: f64| -> Result<f64, Box<dyn Error>> {
        let scaled = crate::problem::Scaled { epsilon, ..problem.scaled() };
        Ok(crate::rivals::dop853(&PowerForce(scaled), &scaled, 1e-9)?.restitution - e)
    };
    let (mut a, mut b) = (1.2 * (1.0 - e) / e, 1.5 * (1.0 - e) / e);
    let (mut fa, mut fb) = (miss(a)?, miss(b)?);
    for _ in 0..20 {
        if fb.abs() < 1e-9 || fa == fb {
            break;
        }
        let c = b - fb * (b - a) / (fb - fa);
        (a, fa, b, fb) = (b, fb, c, miss(c)?);
    }
    Ok(b)
}

/// Compares ways to compute the motion of an impact at 200 instants.
pub fn motions(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  courses");
    let [problem, ..] = PROBLEMS;
    let (law, scaled) = (problem.law(), problem.scaled());
    let duration = problem.answer.duration;
    let exact = rk4::motion(&RootForce(scaled), &scaled, duration, POINTS, 2000);
    let deviation = |course: &[f64]| {
        let far = course.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        measure::error(far / problem.answer.indentation)
    };
    let mut table = Table::new(["the course of A1 at 200 instants", "time", "largest error"]);
    let run = || trajectory(black_box(&law), problem.speed, &Conditions::default(), POINTS);
    table.row([
        "carom `trajectory`, 7 columns and the metrics".into(),
        measure::time(measure::seconds(run)),
        deviation(&run()?.1.indentation),
    ]);
    #[cfg(feature = "rivals")]
    {
        let run =
            || crate::rivals::dopri5_motion(black_box(&RootForce(scaled)), &scaled, 1e-9, POINTS);
        table.row([
            "`ode_solvers` Dopri5 1e-9, 1 column".into(),
            measure::time(measure::seconds(|| run().ok())),
            deviation(&run()?),
        ]);
    }
    out.push_str("### Courses\n\n");
    table.write(out);
    Ok(())
}
