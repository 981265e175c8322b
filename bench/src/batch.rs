//! Many impacts: 100 000 of one pair, each with its own speed and restitution, on one core.

use crate::measure::{self, Table};
use crate::problem::PROBLEMS;
use crate::rk4::{self, LANE_COUNT};
use carom::Exit;
use carom::exact::{self, Curve, Exponents};
use carom::sweep::{Impacts, Plan, Study};
use carom_store::{Column, Values};
use std::error::Error;
use std::hint::black_box;

const IMPACTS: usize = 100_000;

/// The requested impacts. The exact damping and duration of each are used by the Runge–Kutta loops only, which get them without
/// cost.
struct Batch {
    speed: Vec<f64>,
    restitution: Vec<f64>,
    epsilon: Vec<f64>,
    duration: Vec<f64>,
    force: Vec<f64>,
}

impl Batch {
    fn new(exponents: Exponents) -> Result<Self, Box<dyn Error>> {
        let mut seed = 0x2545_f491_4f6c_dd1du64;
        let mut uniform = |low: f64, high: f64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            low + (high - low) * (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        let [mut speed, mut restitution, mut epsilon, mut duration, mut force] =
            [const { Vec::new() }; 5];
        for _ in 0..IMPACTS {
            speed.push(uniform(0.1, 0.6));
            let e = uniform(0.5, 0.95);
            let outcome = exact::outcome(exponents, Exit::ZeroForce, exact::hunt_crossley(e))?;
            let outcome = outcome.ok_or("an impact without end")?;
            restitution.push(e);
            epsilon.push(exact::hunt_crossley(e));
            duration.push(outcome.duration);
            force.push(outcome.force_max);
        }
        Ok(Self { speed, restitution, epsilon, duration, force })
    }
}

impl Batch {
    /// Returns the batch as a study.
    fn study(&self) -> Result<Study, Box<dyn Error>> {
        let [steel, ..] = PROBLEMS;
        let axis = |name: &str, values: &[f64]| {
            format!("[[axis]]\nparameter = \"{name}\"\nzip = \"impact\"\nvalues = {values:?}\n")
        };
        Ok(Study::from_toml(&format!(
            "[impact]\nlaw = \"hunt-crossley-1975\"\nmass = {:?}\nstiffness = {:?}\ncalibration = \"exact\"\n{}{}",
            steel.mass,
            steel.stiffness,
            axis("speed", &self.speed),
            axis("restitution", &self.restitution),
        ))?)
    }
}

/// Dimensionless restitution and largest force as computed by a method.
struct BatchResults {
    restitution: Vec<f64>,
    force: Vec<f64>,
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  batch");
    let exponents = Exponents::new(1.5, 1.5, 1.0)?;
    let batch = Batch::new(exponents)?;
    let mut table =
        Table::new(["100 000 impacts, one core", "per impact", "restitution", "peak force"]);
    let mut add = |name: &str, time: f64, found: BatchResults| {
        let worst = |found: &[f64], exact: &[f64]| {
            found.iter().zip(exact).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max)
        };
        table.row([
            name.to_string(),
            measure::time(time / IMPACTS as f64),
            measure::error(worst(&found.restitution, &batch.restitution)),
            measure::error(worst(&found.force, &batch.force)),
        ]);
    };
    let run = || by_collide(exponents, &batch.speed, &batch.restitution);
    add("carom `exact::outcome`, one by one", measure::seconds(run), run());
    let run = || by_curve(exponents, &batch.speed, &batch.restitution, |curve, e| curve.epsilon(e));
    add("carom `exact::Curve`", measure::seconds(run), run());
    let run = || by_curve(exponents, &batch.speed, &batch.epsilon, |_, epsilon| Ok(epsilon));
    add("carom `exact::Curve`, damping given", measure::seconds(run), run());
    let plan = batch.study()?.plan();
    let run = || by_sweep(&plan, &batch.speed);
    add("carom `sweep::Plan`, columns in SI units", measure::seconds(run), run());
    for (name, steps) in [("RK4, 20 steps a contact", 20), ("RK4, 100 steps a contact", 100)] {
        let run = || runge_kutta(black_box(&batch), steps);
        add(name, measure::seconds(run), run());
    }
    out.push_str("### Many impacts\n\n");
    table.write(out);
    Ok(())
}

/// Computes the impacts one by one by the complete exact method, from speed and restitution to results in SI units.
fn by_collide(exponents: Exponents, speed: &[f64], restitution: &[f64]) -> BatchResults {
    let mut found = BatchResults::default();
    for (&speed, &e) in speed.iter().zip(restitution) {
        let epsilon = exact::hunt_crossley(e);
        if let Ok(Some(outcome)) = exact::outcome(exponents, Exit::ZeroForce, epsilon) {
            black_box(dimensional_force(outcome.force_max, speed));
            found.restitution.push(outcome.restitution);
            found.force.push(outcome.force_max);
        }
    }
    found
}

/// Computes the same impacts from the dimensionless curve, including the construction of the curve.
///
/// `epsilon` computes the damping from the requested quantity.
fn by_curve(
    exponents: Exponents,
    speed: &[f64],
    restitution: &[f64],
    epsilon: impl Fn(&Curve, f64) -> carom::Result<f64>,
) -> BatchResults {
    let curve = Curve::new(exponents, Exit::ZeroForce);
    let mut found = BatchResults::default();
    for (&speed, &restitution) in speed.iter().zip(restitution) {
        let outcome = epsilon(&curve, restitution).and_then(|epsilon| curve.outcome(epsilon));
        if let Ok(Some(outcome)) = outcome {
            black_box(dimensional_force(outcome.force_max, speed));
            found.restitution.push(outcome.restitution);
            found.force.push(outcome.force_max);
        }
    }
    found
}

/// Computes the same impacts as a sweep: every case is built from its number, with all four results as columns.
fn by_sweep(plan: &Plan<Impacts>, speed: &[f64]) -> BatchResults {
    let columns = plan.cases(0..IMPACTS as u64);
    let column = |name: &str| match columns.iter().find(|column| column.name == name) {
        Some(Column { values: Values::Real(values), .. }) => values.clone(),
        _ => Vec::new(),
    };
    let force = column("force_max").into_iter().zip(speed);
    BatchResults {
        restitution: column("restitution_newton"),
        force: force.map(|(force, &speed)| force / dimensional_force(1.0, speed)).collect(),
    }
}

/// Converts a dimensionless force to newtons.
fn dimensional_force(force: f64, speed: f64) -> f64 {
    let [steel, ..] = PROBLEMS;
    let energy = steel.mass * speed * speed;
    force * energy / (energy / steel.stiffness).powf(0.4)
}

fn runge_kutta(batch: &Batch, steps: usize) -> BatchResults {
    let mut found = BatchResults::default();
    for (epsilon, duration) in
        batch.epsilon.chunks(LANE_COUNT).zip(batch.duration.chunks(LANE_COUNT))
    {
        // The last chunk may be incomplete; its spare lanes repeat an undamped impact.
        let (mut a, mut b) = ([0.0; LANE_COUNT], [3.2; LANE_COUNT]);
        a[..epsilon.len()].copy_from_slice(epsilon);
        b[..duration.len()].copy_from_slice(duration);
        let [restitution, force, _] = rk4::lanes(&a, &b, steps);
        found.restitution.extend_from_slice(&restitution[..epsilon.len()]);
        found.force.extend_from_slice(&force[..epsilon.len()]);
    }
    found
}

impl Default for BatchResults {
    fn default() -> Self {
        Self { restitution: Vec::with_capacity(IMPACTS), force: Vec::with_capacity(IMPACTS) }
    }
}
