//! Tests over the whole catalogue: derivatives are compared with differences of the residuals, and parameters are
//! recovered from noisy data.

use super::curve::CurveProblem;
use super::least_squares::Problem;
use super::series::Series;
use super::start::{Given, Scales, Start, start};
use super::subject::{Role, RowValues, Subject};
use super::*;
use crate::model::Model;
use crate::numeric::random::Sequence;
use crate::problems::STEEL_BALL;
use crate::spec::Spec;
use crate::{CATALOGUE, Exit};

const SPEED: f64 = 0.5;

/// Standard normal random numbers, the same on every machine.
struct Noise(Sequence);

impl Noise {
    fn new(seed: u64) -> Self {
        Self(Sequence::new(seed))
    }

    /// Returns the next number by the method of Box and Muller.
    fn next(&mut self) -> f64 {
        let radius = (-2.0 * self.0.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.0.unit()).cos()
    }
}

/// Returns a description of the steel ball as a user would write it for this law, without K and damping.
fn spec_of(model: &'static Model) -> Spec {
    let pair = STEEL_BALL.pair();
    let mut spec = Spec {
        law: model.id.into(),
        mass: Some(pair.mass.into()),
        speed: Some(SPEED.into()),
        ..Spec::default()
    };
    // Properties of the bodies that the law may use are given; parameters of its loss and of its own times are to be
    // found.
    let of_bodies =
        |name: &str| crate::pair::FACTS.iter().any(|(fact, ..)| *fact == name) || name == "depth_2";
    for (name, value) in pair.facts {
        let own = model.parameters.iter().any(|p| p.name == name);
        if own && of_bodies(name) && name != "length" {
            spec.set.insert(name.to_string(), value.into());
        }
    }
    // A conformal law needs the radii of ball and socket, except one that uses a volume of interference.
    if model.group == crate::model::Group::Conformal {
        spec.set.insert("radius_1".into(), 0.0254.into());
        spec.set.insert("radius_2".into(), 0.0256.into());
        if model.parameters.iter().any(|p| p.name == "length") {
            spec.set.insert("length".into(), 0.02.into());
        }
    }
    spec
}

/// A law of the catalogue with parameters for which its impact is similar to that of the steel ball.
struct Truth {
    spec: Spec,
    subject: Subject,
    x: Vec<f64>,
}

fn truth(model: &'static Model) -> crate::Result<Truth> {
    let spec = spec_of(model);
    let filled = Spec { stiffness: Some(1.0.into()), ..spec.clone() };
    let case = filled.case()?;
    let given = Given { speed: true, ..Given::default() };
    let scales = Scales {
        impacts: vec![(SPEED, 0.7)],
        force: Some(4400.0),
        centre: Some(1e-4),
        ..Scales::default()
    };
    let Start { subject, candidates, .. } = start(&case, &given, &scales)?;
    let x = candidates.into_iter().next().unwrap_or_default();
    Ok(Truth { spec, subject, x })
}

impl Truth {
    /// Returns the force at `count` equally spaced times, from before touch until after the end of contact.
    fn curve(&self, count: usize) -> (Vec<f64>, Vec<f64>) {
        let (trial, motion) = self.subject.motion(&self.x).unwrap();
        let time = |i: usize| motion.end * (1.4 * i as f64 / count as f64 - 0.2);
        let force = |t: f64| match motion.at(t) {
            Some(p) => trial.law.force(p.delta, p.rate, &p.memory),
            None => 0.0,
        };
        let times: Vec<f64> = (0..count).map(time).collect();
        let forces = times.iter().map(|&t| force(t)).collect();
        (times.iter().map(|t| t + trial.sensor.touch).collect(), forces)
    }
}

/// Returns every law that has its own response, with the parameters that it would otherwise lack.
fn truths() -> Vec<(&'static Model, Truth)> {
    let mut all = Vec::new();
    let mut lacking = Vec::new();
    for model in CATALOGUE {
        match truth(model) {
            Ok(truth) => all.push((model, truth)),
            Err(error) => lacking.push(format!("{}: {error}", model.id)),
        }
    }
    assert!(lacking.is_empty(), "{lacking:#?}");
    all
}

#[test]
fn derivatives_are_those_of_the_whole_response() {
    let mut worst = Vec::new();
    for (model, truth) in truths() {
        let (x, force) = truth.curve(150);
        let series = Series { span: (0.0, 1.0), x, force, ..Series::default() };
        let problem = CurveProblem {
            subject: &truth.subject,
            series: &series,
            over_indentation: false,
            stop: &Stop::default(),
        };
        let (_, columns) = problem.jacobian(&truth.x).unwrap();
        let peak = series.peak();
        for (i, free) in truth.subject.free.iter().enumerate() {
            let scale = if free.role == Role::Touch { 2e-4 } else { 1.0 };
            let Some(mut off) = off(&problem, &truth.x, i, &columns[i], 1e-4 * scale) else {
                continue;
            };
            off.sort_by(f64::total_cmp);
            // A force that jumps at touch or release has no derivative with respect to time there.
            let jumps = 6;
            let most = off[off.len() - 1 - jumps] * scale / peak;
            if !(most < 5e-5) {
                worst.push(format!("{} by {}: {most:.1e} of the peak", model.id, free.name));
            }
        }
    }
    assert!(worst.is_empty(), "{} are wrong: {worst:#?}", worst.len());
}

#[test]
fn known_parameters_are_found_again_in_noisy_data() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (number, (model, truth)) in truths().into_iter().enumerate() {
        let (time, mut force) = truth.curve(400);
        let mut noise = Noise::new(number as u64 + 1);
        let sigma = 0.005 * force.iter().copied().fold(0.0, f64::max);
        force.iter_mut().for_each(|f| *f += sigma * noise.next());
        let data = Data::ForceTime { time: &time, force: &force };
        let found = match fit(&data, &truth.spec, &Options::default()) {
            Ok(found) => found,
            Err(error) => {
                wrong.push(format!("{}: {error}", model.id));
                continue;
            }
        };
        let rms = found.statistics.residual_rms / sigma;
        if !(0.85..1.15).contains(&rms) {
            wrong.push(format!(
                "{}: residuals are {rms:.3} of the noise {:?}",
                model.id, found.parameters
            ));
            continue;
        }
        for (free, (fitted, &x)) in
            truth.subject.free.iter().zip(found.parameters.iter().zip(&truth.x))
        {
            let (expected, error) = (free.value(x), fitted.standard_error);
            checked += 1;
            let off = (fitted.value - expected).abs() / error;
            // A parameter that the data do not determine is reported as such and does not count as wrong.
            let determined = error.is_finite();
            if fitted.name != free.name || off.is_nan() || (determined && off > 4.5) {
                wrong.push(format!(
                    "{}: {} is {:.5e} ± {error:.1e}, not {expected:.5e} ({off:.1} errors)",
                    model.id, free.name, fitted.value
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {checked}: {wrong:#?}", wrong.len());
    assert!(checked > 200, "{checked}");
}

/// Returns the difference between a column of the Jacobian and central differences of the residuals over `h`; `None` if
/// these cannot be computed.
fn off(problem: &dyn Problem, x: &[f64], place: usize, column: &[f64], h: f64) -> Option<Vec<f64>> {
    let at = |step: f64| {
        let mut x = x.to_vec();
        x[place] += step;
        problem.residuals(&x)
    };
    let differences =
        at(h)?.into_iter().zip(at(-h)?).map(|(plus, minus)| (plus - minus) / (2.0 * h));
    Some(differences.zip(column).map(|(slope, column)| (slope - column).abs()).collect())
}

#[test]
fn derivatives_of_whole_impacts_are_those_of_their_numbers() {
    let numbers = ["restitution", "duration", "force_max", "indentation_max"];
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (model, truth) in truths() {
        let mut subject = truth.subject.clone();
        subject.free.retain(|free| free.role != Role::Touch);
        subject.add(Role::Speed);
        let mut x: Vec<f64> = truth.x[..subject.free.len() - 1].to_vec();
        x.push(SPEED.ln());
        for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
            subject.case.exit = Some(exit);
            // The force of an adhesive neck is tensile before the end of contact, so an exit at zero force is
            // refused.
            if subject.trial(&x, RowValues::default()).is_err() {
                continue;
            }
            let rows = [Observation {
                restitution: Some(0.7),
                duration: Some(2e-4),
                force_max: Some(4400.0),
                indentation_max: Some(3e-5),
                ..Observation::default()
            }];
            let problem =
                outcomes::OutcomeProblem { subject: &subject, rows: &rows, stop: &Stop::default() };
            let (_, columns) = problem.jacobian(&x).unwrap();
            for (i, free) in subject.free.iter().enumerate() {
                let off = off(&problem, &x, i, &columns[i], 1e-4).unwrap();
                for (k, off) in off.into_iter().enumerate() {
                    checked += 1;
                    if !(off < 2e-5) {
                        let (id, name, number) = (model.id, &free.name, numbers[k]);
                        wrong.push(format!("{id}, {exit:?}: {number} by {name}: {off:.1e}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong: {wrong:#?}", wrong.len());
    assert!(checked > 1800, "{checked}");
}

#[test]
fn derivatives_of_loops_are_those_of_the_distance() {
    let mut wrong = Vec::new();
    for (model, truth) in truths() {
        let (trial, motion) = truth.subject.motion(&truth.x).unwrap();
        let mut noise = Noise::new(5);
        let mut series = Series { span: (0.0, 3e-5), ..Series::default() };
        for i in 3..98 {
            let p = motion.at(motion.end * f64::from(i) / 100.0).unwrap();
            series.x.push(p.delta + 1e-7 * noise.next());
            series.force.push(trial.law.force(p.delta, p.rate, &p.memory) + 10.0 * noise.next());
        }
        let mut subject = truth.subject.clone();
        subject.free.retain(|free| free.role != Role::Touch);
        let x = &truth.x[..subject.free.len()];
        let problem = CurveProblem {
            subject: &subject,
            series: &series,
            over_indentation: true,
            stop: &Stop::default(),
        };
        let (_, columns) = problem.jacobian(x).unwrap();
        for (i, free) in subject.free.iter().enumerate() {
            let mut off = off(&problem, x, i, &columns[i], 1e-4).unwrap();
            off.sort_by(f64::total_cmp);
            // The distance has a kink where noise places a point equally close to both branches, or beyond the end of
            // the loop; this happens to a few points.
            let kinks = 4;
            let most = off[off.len() - 1 - kinks] / series.peak();
            if !(most < 1e-5) {
                wrong.push(format!("{}, {}: {most:.1e}", model.id, free.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong: {wrong:#?}", wrong.len());
}

#[test]
fn what_only_occurs_as_a_product_is_said_to_be_undetermined() {
    // The stiffness of the element is n·K·δ_yⁿ⁻¹: the curve depends only on this product, not on K and δ_y
    // separately.
    let model = crate::model("yigit-linear-2011").unwrap();
    let truth = truth(model).unwrap();
    let (time, force) = truth.curve(200);
    let data = Data::ForceTime { time: &time, force: &force };
    let found = fit(&data, &truth.spec, &Options::default()).unwrap();
    let note = found.impact.notes.iter().find(|note| note.kind == "not_identifiable").unwrap();
    let message = note.message.to_string();
    assert!(message.contains("stiffness") && message.contains("yield_indentation"));
    assert!(found.parameters.iter().any(|p| p.standard_error.is_infinite()));
}

#[test]
fn no_table_makes_it_panic() {
    let pieces = [
        "1", "-2,5", ";", ",", "\t", " ", "t", "time_ms", "[", "]", "(", "F [kN]", "NaN", "\"",
        "#", "é", "\u{feff}", "1e999", "/", "_", "a (g)", "\u{0}", "force", "%", "0.1", "\r",
    ];
    let mut random = Sequence::new(9);
    for _ in 0..3000 {
        let mut table = table::TableReader::new(&[]);
        for _ in 0..random.below(12) {
            let line: String =
                (0..random.below(9)).map(|_| pieces[random.below(pieces.len())]).collect();
            if table.line(&line).is_err() {
                break;
            }
        }
        if let Ok(columns) = table.finish() {
            assert_eq!(columns.found.len(), columns.values.len());
            let time = columns.values[0].clone();
            let last = columns.values[columns.values.len() - 1].clone();
            let spec = Spec { law: "power".into(), mass: Some(1.0.into()), ..Spec::default() };
            let data = Data::ForceTime { time: &time, force: &last };
            let _ = fit(&data, &spec, &Options::default());
        }
    }
}
