//! Measurements for `bench/scenes.py`: one at a time, printed as one line of JSON, so that the time of every program can be taken
//! from outside with the same clock.

use crate::crank;
use crate::measure;
use crate::problem::PROBLEMS;
use crate::scenes::{bed, impact, world};
use carom::Law;
use carom::law::{Damper, Exit, Power};
use carom_world::Run;
use carom_world::grains::{Bed, ContactParameters, Wall};
use carom_world::math::Vec3;
use std::error::Error;
use std::hint::black_box;

/// Runs the measurement that the arguments name.
pub fn run_measurement(words: &[&str]) -> Result<(), Box<dyn Error>> {
    match words {
        ["impacts"] => impacts(),
        ["grains"] => grains(),
        ["bed", file, steps] => settled_bed(file, steps.parse()?),
        ["slider", tolerance, duration] => slider_crank(tolerance.parse()?, duration.parse()?),
        _ => Err("ask for impacts, grains, bed FILE STEPS, or slider TOLERANCE SECONDS".into()),
    }
}

/// Measures impacts in a scene: time, evaluations, errors.
fn impacts() -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    for problem in &PROBLEMS {
        for tolerance in [1e-6, 1e-8, 1e-10] {
            let world = world(problem, tolerance)?;
            let Some((found, evaluations)) = impact(&world)? else { continue };
            let time = measure::processor_seconds(|| impact(black_box(&world)));
            let answer = &problem.answer;
            rows.push(format!(
                r#"{{"problem":"{}","what":"{}","tolerance":{tolerance:e},"time":{time:e},"evaluations":{evaluations},"restitution":{:e},"duration":{:e},"force":{:e},"indentation":{:e}}}"#,
                problem.name,
                problem.what,
                found.rebound / found.speed / answer.restitution - 1.0,
                (found.released - found.begun) / answer.duration - 1.0,
                found.force_max / answer.force - 1.0,
                found.indentation_max / answer.indentation - 1.0,
            ));
        }
    }
    println!("[{}]", rows.join(","));
    Ok(())
}

/// Measures beds of increasing size: time per contact and step with all threads, and the effect of halving the step.
fn grains() -> Result<(), Box<dyn Error>> {
    let mut rows = Vec::new();
    for (side, layers) in [(10, 10), (18, 10), (25, 16), (40, 20), (50, 40)] {
        let mut whole = bed(side, layers)?;
        let mut half = whole.clone();
        whole.run(1e-5, 20);
        half.run(5e-6, 40);
        let apart = whole.position.iter().zip(&half.position).map(|(a, b)| (*a - *b).length());
        let error = apart.fold(0.0, f64::max) / 1e-3;
        let contacts = whole.contact_count() as f64;
        let time = measure::processor_seconds(|| whole.run(1e-5, 5)) / 5.0;
        rows.push(format!(
            r#"{{"grains":{},"contacts":{contacts},"a_step":{time:e},"half_step":{error:e}}}"#,
            side * side * layers,
        ));
    }
    println!("[{}]", rows.join(","));
    Ok(())
}

/// Runs the settled bed. The file has x y z in nm on each line; r = 1 mm, 40 mm by 40 mm, periodic, Hertz with Tsuji's damping
/// for e = 0.7, Mindlin's tangential springs, μ = 0.5.
fn settled_bed(file: &str, steps: usize) -> Result<(), Box<dyn Error>> {
    let (radius, young, poisson) = (1e-3, 5e6, 0.3);
    let mut places = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let numbers: Vec<f64> =
            line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [x, y, z] = numbers[..] else { return Err(format!("not x y z: `{line}`").into()) };
        places.push(Vec3::new(x, y, z) * 1e-9);
    }
    let modulus = young / (2.0 * (1.0 - poisson * poisson));
    let exponents = carom::exact::Exponents::new(1.5, 0.25, 1.0)?;
    let ratio = carom::exact::epsilon(exponents, Exit::ZeroIndentation, 0.7)?;
    let law = |r: f64| {
        let stiffness = 4.0 / 3.0 * modulus * f64::sqrt(r);
        let power = Power::new(stiffness, 1.5, 0.25, 1.0, Damper::Ratio(ratio));
        Law::new(1.0, Exit::ZeroIndentation, power)
    };
    let tangential = 8.0 * young / (4.0 * (1.0 + poisson) * (2.0 - poisson));
    let (grains, walls) = (law(0.5 * radius), law(radius));
    let material = ContactParameters { grains, walls, friction: 0.5, tangential };
    let count = places.len();
    let bed = Bed::new(places, vec![radius; count], 2500.0, material)?.with_mindlin();
    let floor = Wall { point: Vec3::ZERO, normal: Vec3::Z };
    let mut bed = bed.with_wall(floor).periodic(0.04, 0.04)?;
    bed.gravity = Vec3::new(0.0, 0.0, -9.81);
    bed.run(1e-5, steps);
    let height = bed.position.iter().map(|p| p.z).sum::<f64>() / count as f64;
    let on_floor = bed.position.iter().filter(|p| p.z < radius).count();
    println!(
        r#"{{"kinetic":{:e},"grains_touching":{},"height":{height:e},"lists":{}}}"#,
        bed.kinetic(),
        bed.contact_count() - on_floor,
        bed.lists
    );
    Ok(())
}

/// Runs the slider-crank at a tolerance and prints the final position of the slider and the processor time.
fn slider_crank(tolerance: f64, duration: f64) -> Result<(), Box<dyn Error>> {
    let world = crank::world(tolerance)?;
    let once = || -> carom::Result<Run> {
        let mut run = Run::new(&world)?;
        run.advance(duration)?;
        Ok(run)
    };
    let run = once()?;
    let time = measure::processor_seconds(once);
    let state = run.state();
    let Some(slider) = state.body(&world, crank::SLIDER) else {
        return Err("the slider is held".into());
    };
    let energies = state.energies(&world);
    println!(
        r#"{{"time":{time:e},"x":{:e},"v":{:e},"steps":{},"evaluations":{},"touches":{},"ledger":{:e}}}"#,
        slider.position.x,
        slider.velocity.x,
        state.counts.steps,
        state.counts.evaluations,
        state.accounts()[0].ended,
        energies.error / energies.kinetic,
    );
    Ok(())
}
