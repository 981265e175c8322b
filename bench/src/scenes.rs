//! Scenes: one impact in a scene at several tolerances, and beds of spheres of increasing size.

use crate::measure::{self, Table};
use crate::problem::{PROBLEMS, PowerForce, Problem};
use crate::rk4;
use carom::Law;
use carom::law::{Damper, Exit, Power};
use carom_world::grains::{Bed, ContactParameters, Wall};
use carom_world::math::{Mat3, Vec3};
use carom_world::{Body, Contact, EndedTouch, Observer, Placed, Run, Shape, World};
use std::error::Error;
use std::hint::black_box;

const RADIUS: f64 = 0.02;

/// Records the first touch that ended.
#[derive(Default)]
struct FirstTouch(Option<EndedTouch>);

impl Observer for FirstTouch {
    fn ended(&mut self, _world: &World, ended: &EndedTouch) {
        self.0.get_or_insert(*ended);
    }
}

/// Builds a world with a ball that is about to touch a plane.
pub fn world(problem: &Problem, tolerance: f64) -> carom::Result<World> {
    falling_ball(problem.law(), problem.speed, tolerance)
}

/// Builds a world with a ball that is about to touch a plane with the given law.
pub fn falling_ball(law: Law, speed: f64, tolerance: f64) -> carom::Result<World> {
    let mut world = World::default();
    world.tolerance = tolerance;
    let ground = world.add_shape(Placed::on(0, Shape::HalfSpace))?;
    let inertia = Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0) * (0.4 * law.mass * RADIUS * RADIUS));
    let body = Body::new("ball", law.mass, inertia).at(Vec3::Z * RADIUS);
    let body = world.add_body(body.moving(Vec3::Z * -speed))?;
    let shape = world.add_shape(Placed::on(body, Shape::Sphere { radius: RADIUS }))?;
    world.add_contact(Contact::new(shape, ground, law))?;
    Ok(world)
}

/// Simulates the first touch and returns it with the number of force evaluations.
pub fn impact(world: &World) -> carom::Result<Option<(EndedTouch, u64)>> {
    let (mut run, mut first) = (Run::new(world)?, FirstTouch::default());
    while first.0.is_none() {
        run.step(1.0, &mut first)?;
    }
    Ok(first.0.map(|ended| (ended, run.state().counts.evaluations)))
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    out.push_str("### One impact through a scene\n\n");
    out.push_str("With its ledger of energy; the papers' method follows the two bodies' indentation alone.\n\n");
    let head = ["problem, tolerance", "time", "RK4, h = 1e-8 s", "restitution", "peak force"];
    let mut table = Table::new(head);
    for problem in &PROBLEMS {
        let scaled = problem.scaled();
        let pull = PowerForce(scaled);
        let papers = measure::seconds(|| rk4::impact(black_box(&pull), black_box(&scaled), 1e-8));
        let expected = &problem.answer;
        for tolerance in [1e-8, 1e-9, 1e-10] {
            let world = world(problem, tolerance)?;
            let Some((found, _)) = impact(&world)? else { continue };
            let time = measure::seconds(|| impact(black_box(&world)));
            table.row([
                format!("{}, {tolerance:e}", problem.name),
                measure::time(time),
                measure::ratio(papers / time),
                measure::error(found.rebound / found.speed / expected.restitution - 1.0),
                measure::error(found.force_max / expected.force - 1.0),
            ]);
        }
    }
    table.write(out);
    beds(out)
}

/// Builds a lattice of touching spheres, r = 1 mm, that rests on a floor and is periodic sideways.
pub fn bed(side: usize, layers: usize) -> carom::Result<Bed> {
    let (radius, spacing) = (1e-3, 1.999e-3);
    let modulus = 5e6 / (2.0 * (1.0 - 0.09));
    let stiffness = |r: f64| 4.0 / 3.0 * modulus * f64::sqrt(r);
    // Tsuji's exponents with the exact ε for a restitution of 0.7 and an end at δ = 0.
    let exponents = carom::exact::Exponents::new(1.5, 0.25, 1.0)?;
    let ratio = carom::exact::epsilon(exponents, Exit::ZeroIndentation, 0.7)?;
    let law = |r: f64| {
        let power = Power::new(stiffness(r), 1.5, 0.25, 1.0, Damper::Ratio(ratio));
        Law::new(1.0, Exit::ZeroIndentation, power)
    };
    let place = |i: usize| {
        let (x, y, z) = (i % side, i / side % side, i / side / side);
        Vec3::new(x as f64, y as f64, z as f64) * spacing + Vec3::Z * radius
    };
    let count = side * side * layers;
    let material = ContactParameters {
        grains: law(0.5 * radius),
        walls: law(radius),
        friction: 0.5,
        tangential: 2e3,
    };
    let bed = Bed::new((0..count).map(place).collect(), vec![radius; count], 2500.0, material)?;
    let floor = Wall { point: Vec3::ZERO, normal: Vec3::Z };
    let width = side as f64 * spacing;
    let mut bed = bed.with_wall(floor).periodic(width, width)?;
    bed.gravity = Vec3::new(0.0, 0.0, -9.81);
    Ok(bed)
}

fn beds(out: &mut String) -> Result<(), Box<dyn Error>> {
    out.push_str("### Beds of spheres\n\n");
    out.push_str(
        "Hertz with Tsuji's damping, tangential springs, six contacts a grain; all cores.\n\n",
    );
    let mut table =
        Table::new(["grains", "a grain and step", "against 1000", "million grain-steps/s"]);
    let mut least = f64::NAN;
    for (side, layers) in [(10, 10), (25, 16), (50, 40)] {
        let mut bed = bed(side, layers)?;
        let count = (side * side * layers) as f64;
        bed.run(1e-5, 20);
        let time = measure::seconds(|| bed.run(1e-5, 5)) / (5.0 * count);
        if least.is_nan() {
            least = time;
        }
        table.row([
            format!("{count}"),
            measure::time(time),
            measure::ratio(time / least),
            format!("{:.2}", 1e-6 / time),
        ]);
    }
    table.write(out);
    Ok(())
}
