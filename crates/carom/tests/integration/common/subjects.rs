//! Every law that the catalogue can make for a few nominal pairs; tests over all models use them.

use carom::law::{Force, Law, Memory, Work};
use carom::model::{Damping, Model, Parameter};
use carom::pair::{Body, Material, Pair, Shape};
use carom::{CATALOGUE, Exit};
use std::sync::OnceLock;

/// The impact speed of the nominal cases (m/s).
pub const SPEED: f64 = 0.5;

/// A law of a model, and the pair, damping and parameters it was made from.
#[derive(Clone)]
pub struct Subject {
    pub model: &'static Model,
    pub pair: Pair,
    pub damping: Damping,
    pub set: Vec<(String, f64)>,
    pub law: Law,
}

impl Subject {
    /// Returns the same law with another damping or exit, if the model accepts it.
    pub fn with(&self, damping: Damping, exit: Option<Exit>) -> carom::Result<Law> {
        self.model.law(&self.pair, damping, exit, &self.set)
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = self.pair.exponent;
        write!(f, "{} (n = {n}, {:?}, {:?} exit)", self.model.id, self.damping, self.law.exit)
    }
}

/// Returns steel pairs: a ball on a plane and in a socket, a flat punch, a roller on a plane and in a bore.
pub fn pairs() -> Vec<Pair> {
    let steel = Material::of(2.06e11, 0.3, 7850.0).and_then(|steel| steel.with_yield(1.03e9));
    let steel = steel.expect("steel is a material");
    let of = |a: Shape, b: Shape| {
        Pair::of(&Body::new(a, steel).with_mass(0.54), &Body::new(b, steel)).expect("a pair")
    };
    let roller = Shape::Cylinder { radius: 0.01, length: 0.02 };
    vec![
        of(Shape::Sphere { radius: 0.02 }, Shape::Plane),
        of(Shape::SquarePunch { half_side: 0.005 }, Shape::Plane),
        of(Shape::Sphere { radius: 0.02 }, Shape::Socket { radius: 0.0202 }),
        of(roller, Shape::Plane),
        of(roller, Shape::Bore { radius: 0.0102, length: 0.02 }),
    ]
}

/// Returns a plausible value for a parameter without default, for steel at 0.5 m/s: the contact lasts 0.2 ms, the indentation is
/// 30 µm and the force 4 kN.
fn sensible(parameter: &Parameter, pair: &Pair) -> f64 {
    let value = match (parameter.name, parameter.unit) {
        ("unloading_stiffness", _) => 2.0 * pair.stiffness,
        ("permanent_indentation" | "yield_indentation", _) => 3e-6,
        ("equilibrium_shear_modulus", _) => 8e10,
        // Much larger than for any steel, so that adhesion has a noticeable effect.
        ("work_of_adhesion", _) => 1e4,
        ("poisson_1" | "poisson_2", _) => 0.3,
        (_, "Pa s" | "Pa*s") => 2e5,
        (_, "Pa") => 1.5e9,
        (_, "m/s") => SPEED,
        (_, "s/m") => 0.3,
        (_, "m") => 1e-3,
        (_, "m^2") => 1e-4,
        (_, "N/m^3") => 1e15,
        (_, "1/m") => 3e4,
        (_, "s") => 1e-5,
        (_, "1/s") => 3e4,
        _ => 0.5,
    };
    value.clamp(parameter.range.0, parameter.range.1)
}

/// Returns the sets of parameters to try: none; every parameter that has neither a default nor a value from the pair; all of
/// these but one (because a parameter that determines the loss excludes a restitution).
fn settings(model: &Model, pair: &Pair) -> Vec<Vec<(String, f64)>> {
    let open = |p: &&Parameter| p.default.is_none() && pair.fact(p.name).is_none();
    let all: Vec<_> = model
        .parameters
        .iter()
        .filter(open)
        .map(|p| (p.name.to_string(), sensible(p, pair)))
        .collect();
    let mut settings = vec![vec![]];
    if !all.is_empty() {
        settings.push(all.clone());
    }
    for leave in (0..all.len()).filter(|_| all.len() > 1) {
        let mut some = all.clone();
        some.remove(leave);
        settings.push(some);
    }
    settings
}

/// Returns a damping coefficient with which the law loses a moderate part of its energy at [`SPEED`].
fn coefficient(model: &Model, pair: &Pair, set: &[(String, f64)]) -> Option<f64> {
    let probe = model.law(pair, Damping::Coefficient(1.0), None, set).ok()?;
    let c = match probe.power() {
        Some(power) => 0.3 / power.epsilon(probe.mass, SPEED),
        None => {
            let exact = model.law(pair, Damping::Exact(0.7), None, set).ok()?;
            exact.touch(SPEED).damping / probe.touch(SPEED).damping
        }
    };
    (c.is_finite() && c > 0.0).then_some(c)
}

/// Returns every law of this model that one of the nominal pairs admits.
pub fn of(model: &'static Model) -> Vec<Subject> {
    let mut subjects: Vec<Subject> = Vec::new();
    for pair in pairs() {
        for set in settings(model, &pair) {
            let mut dampings = vec![Damping::Restitution(0.7), Damping::Exact(0.7), Damping::None];
            dampings.extend(coefficient(model, &pair, &set).map(Damping::Coefficient));
            for damping in dampings {
                if let Ok(law) = model.law(&pair, damping, None, &set) {
                    let (pair, set) = (pair.clone(), set.clone());
                    subjects.push(Subject { model, pair, damping, set, law });
                }
            }
        }
    }
    subjects
}

/// Returns one or more laws of every model: each kind of damping once, with and without parameters, for the first pair that
/// admits it.
pub fn all() -> Vec<Subject> {
    static CHOSEN: OnceLock<Vec<Subject>> = OnceLock::new();
    CHOSEN.get_or_init(choose).clone()
}

fn choose() -> Vec<Subject> {
    let mut chosen: Vec<Subject> = Vec::new();
    for model in CATALOGUE {
        let first = chosen.len();
        for subject in of(model) {
            let known = chosen[first..].iter().any(|other| {
                other.damping.name() == subject.damping.name()
                    && other.set.is_empty() == subject.set.is_empty()
            });
            if !known {
                chosen.push(subject);
            }
        }
    }
    chosen
}

/// Properties of a law besides its force: where contact ends and what the force depends on.
#[derive(Clone, Copy, Debug)]
pub struct Nature {
    /// Indentation at which the force of the contact ends.
    pub release: f64,
    /// True where an internal state is integrated with the motion.
    pub internal: bool,
    /// True where the force is a function of time alone and does not depend on the motion.
    pub blind: bool,
    /// True where the law pulls at rest.
    pub adhesive: bool,
}

/// Determines the nature of a law from its forces at indentations up to `depth` and times up to `time`.
pub fn nature(law: &Law, depth: f64, time: f64) -> Nature {
    struct Ask(Law, f64, f64);
    impl Work for Ask {
        type Output = Nature;
        fn run<F: Force>(self, form: F) -> Nature {
            let Ask(law, depth, time) = self;
            let memory = Memory { time: 0.3 * time, ..form.touch(law.mass, SPEED) };
            let force = |share: f64, rate: f64| form.force(share * depth, rate, &memory);
            let moved = [force(0.2, SPEED), force(0.5, 0.0), force(0.9, -SPEED)];
            let dented = Memory { peak: depth, ..memory };
            let pull = |share: f64| form.force(share * depth, 0.0, &dented) < 0.0;
            Nature {
                release: form.release(),
                internal: form.internal_rate(0.5 * depth, SPEED, &memory) != 0.0,
                blind: moved[0] == moved[1] && moved[1] == moved[2],
                adhesive: (0..20).any(|i| pull(0.05 * i as f64)),
            }
        }
    }
    law.with(Ask(*law, depth, time))
}
