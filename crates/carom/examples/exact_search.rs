//! Searches at random for cases in which exact calibration does not deliver the requested restitution: `cargo run --release -p
//! carom --example exact_search [CASES] [SEED]`.
//!
//! Draws exponents, exits and restitutions at random, calibrates the damping, and computes the delivered restitution in three
//! ways: for the single case (`exact::outcome`), from the tabulated curve (`exact::Curve`) and, for a share of the cases, by
//! integration in time (`trajectory`). Prints the worst cases of each way with their condition number |d ln e/d ln ε|.

use carom::exact::{self, Curve, Exponents};
use carom::impact::{Conditions, Trajectory};
use carom::law::{Damper, Power};
use carom::numeric::random::Sequence;
use carom::{Exit, Law};

/// Computes the restitution by integration in time, with unit mass, stiffness and speed.
fn by_time(exponents: Exponents, exit: Exit, epsilon: f64) -> Option<f64> {
    let Exponents { n, m, q } = exponents;
    let law = Law::new(1.0, exit, Power::new(1.0, n, m, q, Damper::Ratio(epsilon)));
    let course = Trajectory::new(&law, 1.0, &Conditions::default(), 2).ok()?;
    course.rate.last().map(|rate| -rate)
}

/// Returns two restitutions: the one delivered by the ε that the curve finds for `e`, and the one that the curve gives for
/// `epsilon`.
fn by_table(
    exponents: Exponents,
    exit: Exit,
    e: f64,
    epsilon: f64,
) -> Result<[f64; 2], carom::Error> {
    let curve = Curve::new(exponents, exit);
    let found = exact::outcome(exponents, exit, curve.epsilon(e)?)?;
    let read = curve.outcome(epsilon)?;
    Ok([found, read].map(|outcome| outcome.map_or(f64::NAN, |outcome| outcome.restitution)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let cases: usize = arguments.next().map_or(Ok(2000), |text| text.parse())?;
    let mut random = Sequence::new(arguments.next().map_or(Ok(1), |text| text.parse())?);
    let mut found = Vec::new();
    let (mut unreachable, mut never) = (0, 0);
    for i in 0..cases {
        let n = 1.0 + 4.0 * random.unit();
        let n = if random.unit() < 0.2 { n.round() } else { n };
        let m = if random.unit() < 0.2 { 0.0 } else { 5.0 * random.unit() };
        let q = 0.05 * 40f64.powf(random.unit());
        // Restitutions near both ends of the range are drawn often: from 1e-4 to 1/2 and from 1/2 to 0.9999.
        let small = 1e-4 * 5e3f64.powf(random.unit());
        let e = if random.unit() < 0.6 { small } else { 1.0 - small };
        let exit = [Exit::ZeroForce, Exit::ZeroIndentation][i % 2];
        let exponents = Exponents::new(n, m, q)?;
        let Ok(epsilon) = exact::epsilon(exponents, exit, e) else {
            unreachable += 1;
            continue;
        };
        let Some(row) = exact::outcome(exponents, exit, epsilon)? else {
            never += 1;
            println!("never separates: n {n} m {m} q {q} e {e:e} {}", exit.name());
            continue;
        };
        let at = |epsilon: f64| {
            exact::restitution(exponents, exit, epsilon).map_or(f64::NAN, |e| e.ln())
        };
        let condition = ((at(epsilon) - at(epsilon * (1.0 - 1e-9))) / 1e-9).abs();
        // Building a curve takes as long as hundreds of single cases, therefore only one case in ten is compared with it.
        let [table, tabled] = match i % 20 < 2 {
            true => by_table(exponents, exit, e, epsilon)?,
            false => [e, row.restitution],
        };
        let time = match i % 10 < 2 {
            true => by_time(exponents, exit, epsilon).unwrap_or(f64::NAN),
            false => e,
        };
        let off = |value: f64| match value.is_nan() {
            true => f64::INFINITY,
            false => (value - e).abs(),
        };
        let errors =
            [off(row.restitution), off(table), (tabled - row.restitution).abs(), off(time)];
        found.push((errors, condition, exponents, exit, e));
    }
    println!(
        "{cases} cases, {unreachable} unreachable, {never} that never separate after calibration"
    );
    let names = ["row", "table calibrates", "table against row", "time steps"];
    for (which, name) in names.iter().enumerate() {
        found.sort_by(|a, b| b.0[which].total_cmp(&a.0[which]));
        println!("{name}: worst absolute error of e");
        for (errors, condition, Exponents { n, m, q }, exit, e) in found.iter().take(12) {
            println!(
                "  {:.2e}  n {n:.4} m {m:.4} q {q:.4} e {e:.5e} {:<12} condition {condition:.2e}",
                errors[which],
                exit.name()
            );
        }
    }
    Ok(())
}
