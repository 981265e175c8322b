//! Random collisions of two solids: every pair of shapes, with any orientation, speed and spin, and several laws.
//!
//! A case is determined by its number, so that a failure can be reproduced. Each run must end within a budget of force
//! evaluations, without an error, and with a closed energy ledger.

use carom::numeric::random::{self, Sequence};
use carom::{Damping, Law, Pair, model};
use carom_world::friction::{Dashpot, Friction, Regularisation, TangentialStiffness};
use carom_world::math::{Quat, Vec3};
use carom_world::{Body, Contact, Placed, Run, Shape, World};
use std::fmt;

/// Admissible error of the ledger, divided by the energy turned over.
pub const ALLOWED: f64 = 1e-6;
/// Largest number of force evaluations of a collision; most need a few thousand.
pub const BUDGET: u64 = 400_000;
/// Duration of a run (s).
pub const DURATION: f64 = 0.12;

/// Generator of reproducible pseudo-random numbers.
pub struct Dice(Sequence);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Sequence::new(random::stream(0xD1B5_4A32_D192_ED03, seed)))
    }
    /// Returns a number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        random::fraction(self.0.bits())
    }
    /// Returns a number in [low, high) whose logarithm is uniformly distributed.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
    /// Returns a number in [−1, 1).
    pub fn roll(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
    pub fn turn(&mut self) -> Quat {
        Quat { w: self.roll(), v: self.vector() }.normalised()
    }
    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }
}

/// Returns the convex hull of points, given by their coordinates one after the other.
fn hull(coordinates: &[f64]) -> Shape {
    let points = coordinates.as_chunks().0.iter().map(|&[x, y, z]| Vec3::new(x, y, z));
    Shape::hull(&points.collect::<Vec<_>>()).unwrap()
}

/// Returns the solids that collide, with names that distinguish the hulls.
pub fn solids() -> Vec<(&'static str, Shape)> {
    let block = |x: f64, y: f64, z: f64| Shape::Box { half: Vec3::new(x, y, z) };
    let sharp = [0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.02, 0.09, 0.0, 0.03, 0.02, 0.08, 0.08, 0.07, 0.06];
    let wedge = [
        0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.06, 0.0, 0.1, 0.06, 0.0, 0.0, 0.0, 0.08, 0.0, 0.06,
        0.08,
    ];
    let roof = [
        -0.04, -0.03, -0.02, 0.05, -0.035, -0.02, 0.04, 0.03, -0.025, -0.03, 0.04, -0.02, 0.0,
        -0.02, 0.04, 0.01, 0.02, 0.035,
    ];
    let regular = [0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.05, 0.0866, 0.0, 0.05, 0.0289, 0.0816];
    let flat = [0.0, 0.0, 0.0, 0.12, 0.0, 0.0, 0.04, 0.08, 0.0, 0.05, 0.03, 0.02];
    vec![
        ("sphere", Shape::Sphere { radius: 0.04 }),
        ("ellipsoid", Shape::Ellipsoid { semi: Vec3::new(0.03, 0.05, 0.04) }),
        ("capsule", Shape::Capsule { radius: 0.02, half: 0.04 }),
        ("cylinder", Shape::Cylinder { radius: 0.04, half: 0.035 }),
        ("disc", Shape::Cylinder { radius: 0.05, half: 0.01 }),
        ("rod", Shape::Cylinder { radius: 0.012, half: 0.06 }),
        ("box", block(0.05, 0.03, 0.04)),
        ("plate", block(0.06, 0.05, 0.012)),
        ("sharp hull", hull(&sharp)),
        ("tetrahedron", hull(&regular)),
        ("wedge", hull(&wedge)),
        ("flat tetrahedron", hull(&flat)),
        ("roof", hull(&roof)),
    ]
}

/// Two solids, or a solid and the ground (a half-space), that approach each other.
pub struct Case {
    pub name: String,
    pub world: World,
}

/// Returns the collision with this number.
pub fn case(seed: u64) -> Case {
    let mut dice = Dice::new(seed);
    let solids = solids();
    let first = dice.below(solids.len());
    // In one of twelve cases the first solid falls on the ground.
    let second = (dice.below(12) > 0).then(|| dice.below(solids.len()));
    let (law_name, law) = law(&mut dice);
    let mut world = World::default();
    let along = dice.vector().unit().unwrap_or(Vec3::X);
    let speed = dice.log(0.2, 3.0);
    let mut shapes = Vec::new();
    let mut names = vec![solids[first].0];
    for (index, sign) in [(Some(first), 1.0), (second, -1.0)] {
        let Some(index) = index else {
            // The surface of the ground faces the first body.
            let turn = Quat::between(Vec3::Z, along);
            let ground = Placed::on(0, Shape::HalfSpace).turned(turn).at(along * -0.02);
            shapes.push(world.add_shape(ground).unwrap());
            names.push("ground");
            continue;
        };
        let (name, shape) = &solids[index];
        if sign < 0.0 {
            names.push(name);
        }
        let aside = dice.vector() * 0.015;
        let body = Body::of(if sign > 0.0 { "one" } else { "two" }, shape, 1500.0).unwrap();
        let body = body
            .at(along * (sign * 0.1) + aside)
            .turned(dice.turn())
            .spinning(dice.vector() * 15.0)
            .moving(along * (-sign * speed));
        let body = world.add_body(body).unwrap();
        let centre = shape.solid(1500.0).unwrap().centre;
        shapes.push(world.add_shape(Placed::on(body, shape.clone()).at(-centre)).unwrap());
    }
    let mut contact = Contact::new(shapes[0], shapes[1], law);
    let friction = match dice.below(4) {
        0 => Some(Friction::Regularised {
            coefficient: dice.unit(),
            speed: 1e-2,
            rise: Regularisation::Tanh,
        }),
        1 => Some(Friction::Spring {
            coefficient: dice.unit(),
            stiffness: TangentialStiffness::Constant(dice.log(1e5, 1e7)),
            damping: Dashpot::Ratio(0.05),
        }),
        _ => None,
    };
    if let Some(friction) = friction {
        contact = contact.with_friction(friction);
    }
    world.add_contact(contact).unwrap();
    let name = format!(
        "{}, {law_name}, {}",
        names.join(" – "),
        match friction {
            None => "no friction",
            Some(Friction::Regularised { .. }) => "regularised friction",
            Some(_) => "spring friction",
        }
    );
    Case { name, world }
}

fn law(dice: &mut Dice) -> (String, Law) {
    let ids = ["kelvin-voigt-1865", "hunt-crossley-1975", "tsuji-1992", "flores-2011"];
    let id = ids[dice.below(ids.len())];
    let linear = id == "kelvin-voigt-1865";
    let (stiffness, exponent) = match linear {
        true => (dice.log(1e5, 1e8), 1.0),
        false => (dice.log(1e7, 1e10), 1.5),
    };
    let restitution = 0.2 + 0.75 * dice.unit();
    let pair = Pair::new(1.0, stiffness, exponent).unwrap();
    let law = model(id).unwrap().law(&pair, Damping::Exact(restitution), None, &[]).unwrap();
    (format!("{id} K = {stiffness:.1e} e = {restitution:.2}"), law)
}

/// The result of a collision.
pub struct Outcome {
    pub touched: bool,
    pub evaluations: u64,
    /// Error of the ledger divided by the energy turned over.
    pub off: f64,
    pub fault: Option<Fault>,
}

#[derive(Debug)]
pub enum Fault {
    /// The ledger does not close (relative error, kinetic energy before and after).
    Energy(f64, f64, f64),
    /// The budget of evaluations was spent at this time.
    Hangs(f64),
    Fails(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Energy(off, before, after) => {
                write!(f, "energy: ledger off by {off:.1e}, kinetic {before:.3} -> {after:.3} J")
            }
            Self::Hangs(time) => write!(f, "hangs at t = {time} s"),
            Self::Fails(error) => write!(f, "fails: {error}"),
        }
    }
}

/// Runs a collision and checks it.
pub fn judge(case: &Case) -> Outcome {
    let world = &case.world;
    let mut outcome = Outcome { touched: false, evaluations: 0, off: 0.0, fault: None };
    let fails = |error: carom::Error| Some(Fault::Fails(error.to_string()));
    let mut run = match Run::new(world) {
        Ok(run) => run,
        Err(error) => return Outcome { fault: fails(error), ..outcome },
    };
    let before = run.state().energies(world).kinetic;
    while run.state().time < DURATION {
        if let Err(error) = run.step(DURATION, &mut ()) {
            outcome.fault = fails(error);
            break;
        }
        if run.state().counts.evaluations > BUDGET {
            outcome.fault = Some(Fault::Hangs(run.state().time));
            break;
        }
    }
    let (state, energies) = (run.state(), run.state().energies(world));
    outcome.touched = !state.touches().is_empty() || state.accounts()[0].ended > 0;
    outcome.evaluations = state.counts.evaluations;
    outcome.off = energies.error.abs() / energies.turned_over(before);
    // Energy that contacts released in excess of what they received counts as an error as well.
    let given = (-energies.lost_in_contacts).max(0.0) / energies.turned_over(before).max(before);
    outcome.off = outcome.off.max(given);
    if outcome.fault.is_none() && !(outcome.off <= ALLOWED) {
        outcome.fault = Some(Fault::Energy(outcome.off, before, energies.kinetic));
    }
    outcome
}
