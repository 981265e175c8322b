//! Similarity: how results change with masses, stiffnesses and speeds, and agreement of the two methods of integration.

use crate::common::subjects::{self, SPEED};
use crate::common::{Misses, Random};
use carom::exact::{self, Exponents};
use carom::impact::{Conditions, Impact, collide_under, trajectory};
use carom::law::{Damper, Exit, Law, Phases, Power};
use carom::{Damping, collide};

const EXITS: [Exit; 2] = [Exit::ZeroForce, Exit::ZeroIndentation];

/// An external force so small that it does not change the result, but makes the library integrate in time.
const NEGLIGIBLE: Conditions = Conditions { external_force: 1e-300 };

/// Returns a random power law with its damping as ε, and its restitution.
fn random_law(random: &mut Random, exit: Exit) -> (Power, f64) {
    let (n, m) = (random.between(1.0, 3.0), random.between(0.0, 3.0));
    let (q, e) = (random.between(0.5, 2.5), random.between(0.05, 0.99));
    let exponents = Exponents::new(n, m, q).expect("exponents in range");
    let epsilon = exact::epsilon(exponents, exit, e).expect("reachable");
    (Power::new(1.0, n, m, q, Damper::Ratio(epsilon)), e)
}

#[test]
fn at_a_fixed_ratio_restitution_knows_no_mass_stiffness_or_speed() {
    let mut random = Random::new(1);
    let mut misses = Misses::new();
    for i in 0..200 {
        let exit = EXITS[i % 2];
        let (power, e) = random_law(&mut random, exit);
        for _ in 0..3 {
            let (mass, stiffness) = (random.decades(1e-9, 1e6), random.decades(1.0, 1e15));
            let speed = random.decades(1e-5, 1e3);
            let law = Law::new(mass, exit, Power { stiffness, ..power });
            let label = format!("{power:?} mass {mass:e} stiffness {stiffness:e} speed {speed:e}");
            match collide(&law, speed) {
                Ok(impact) => misses.within(label, impact.restitution.newton, e, 1e-10),
                Err(error) => misses.require(false, || format!("{label}: {error}")),
            }
        }
    }
    misses.assert_none();
}

#[test]
fn times_lengths_and_forces_scale_with_their_units() {
    let mut random = Random::new(2);
    let mut misses = Misses::new();
    for i in 0..200 {
        let exit = EXITS[i % 2];
        let (power, _) = random_law(&mut random, exit);
        let unit = collide(&Law::new(1.0, exit, power), 1.0).expect("an impact");
        let (mass, stiffness) = (random.decades(1e-9, 1e6), random.decades(1.0, 1e15));
        let speed = random.decades(1e-5, 1e3);
        let scaled = Power { stiffness, ..power };
        let impact = collide(&Law::new(mass, exit, scaled), speed).expect("an impact");
        let n = power.elastic.value();
        let length = (mass * speed * speed / stiffness).powf(1.0 / (n + 1.0));
        let (time, force) = (length / speed, mass * speed * speed / length);
        let energy = mass * speed * speed;
        let label = format!("{power:?}");
        for (found, expected) in [
            (impact.duration, unit.duration * time),
            (impact.time_of_indentation_max, unit.time_of_indentation_max * time),
            (impact.indentation_max, unit.indentation_max * length),
            (impact.force_max, unit.force_max * force),
            (impact.impulse.compression, unit.impulse.compression * mass * speed),
            (impact.impulse.restitution, unit.impulse.restitution * mass * speed),
        ] {
            misses.near(&label, found, expected, 1e-9);
        }
        let (rest, deepest) = (impact.residual_indentation, 1e-9 * impact.indentation_max);
        misses.within(&label, rest, unit.residual_indentation * length, deepest);
        let lost = [impact.energy.lost_in_compression, impact.energy.lost_in_restitution];
        let unit = [unit.energy.lost_in_compression, unit.energy.lost_in_restitution];
        for (lost, unit) in lost.into_iter().zip(unit) {
            misses.within(&label, lost, unit * energy, 1e-9 * energy);
        }
    }
    misses.assert_none();
}

#[test]
fn restitution_based_power_laws_of_the_catalogue_deliver_the_same_at_every_scale() {
    let mut misses = Misses::new();
    for subject in subjects::all() {
        let by_restitution = matches!(subject.damping, Damping::Restitution(_) | Damping::Exact(_));
        let Some(power) = subject.law.power().filter(|_| by_restitution) else { continue };
        let nominal = collide(&subject.law, SPEED).expect("an impact").restitution.newton;
        for (mass, stiffness, speed) in [(1e-6, 1.0, 1e-3), (1e3, 1e-3, 20.0), (1e-3, 1e4, 1e2)] {
            let scaled = Power { stiffness: stiffness * power.stiffness, ..*power };
            let law = Law::new(mass * subject.law.mass, subject.law.exit, scaled);
            let e = collide(&law, speed).expect("an impact").restitution.newton;
            misses.within(format!("{subject}"), e, nominal, 1e-12);
        }
    }
    misses.assert_none();
}

#[test]
fn other_laws_deliver_the_same_at_every_scale_when_they_are_calibrated_for_it() {
    let mut misses = Misses::new();
    for subject in subjects::all() {
        if subject.law.power().is_some() || !matches!(subject.damping, Damping::Exact(_)) {
            continue;
        }
        for speed in [0.05, 0.2, 1.0] {
            match collide(&subject.law, speed) {
                Ok(impact) => misses.within(
                    format!("{subject} {speed}"),
                    impact.restitution.newton,
                    0.7,
                    1e-9,
                ),
                // At another speed another range of restitutions may be reachable.
                Err(error) => misses.require(error.is_unreachable(), || {
                    format!("{subject} at {speed} m/s: {error}")
                }),
            }
        }
    }
    misses.assert_none();
}

/// Compares every number of two impacts.
fn compare(misses: &mut Misses, label: &str, a: &Impact, b: &Impact) {
    let (e, f) = (a.restitution, b.restitution);
    misses.within(format!("{label} Newton"), e.newton, f.newton, 1e-8);
    misses.within(format!("{label} Poisson"), e.poisson, f.poisson, 1e-8);
    misses.within(format!("{label} Stronge"), e.stronge, f.stronge, 1e-8);
    misses.near(format!("{label} duration"), a.duration, b.duration, 1e-8);
    misses.near(format!("{label} depth"), a.indentation_max, b.indentation_max, 1e-8);
    let (turn, other) = (a.time_of_indentation_max, b.time_of_indentation_max);
    misses.near(format!("{label} turn"), turn, other, 1e-8);
    misses.near(format!("{label} force"), a.force_max, b.force_max, 1e-8);
    // Near its maximum the force is flat, therefore the time of the maximum has a larger tolerance.
    let (peak, other) = (a.time_of_force_max, b.time_of_force_max);
    misses.within(format!("{label} peak"), peak, other, 1e-4 * a.duration);
    let (rest, other) = (a.residual_indentation, b.residual_indentation);
    misses.within(format!("{label} rest"), rest, other, 1e-8 * a.indentation_max);
    let (x, y) = (a.energy, b.energy);
    let room = 1e-8 * x.initial;
    misses.within(format!("{label} lost"), x.lost_in_compression, y.lost_in_compression, room);
    misses.within(format!("{label} lost"), x.lost_in_restitution, y.lost_in_restitution, room);
}

#[test]
fn the_engine_without_time_and_the_engine_in_time_agree() {
    let mut random = Random::new(3);
    let mut misses = Misses::new();
    for i in 0..300 {
        let exit = EXITS[i % 2];
        let (mut power, _) = random_law(&mut random, exit);
        if i % 5 == 0 {
            power.phases = Phases::Compression;
        }
        let (mass, stiffness) = (random.decades(1e-3, 1e2), random.decades(1e3, 1e11));
        let speed = random.decades(1e-3, 1e2);
        let law = Law::new(mass, exit, Power { stiffness, ..power });
        let metrics = collide(&law, speed).expect("an impact");
        let label = format!(
            "n {} m {} q {} e {:.4} {:?} {exit:?}",
            power.elastic.value(),
            power.damping.value(),
            power.rate.value(),
            metrics.restitution.newton,
            power.phases
        );
        match collide_under(&law, speed, &NEGLIGIBLE) {
            Ok(timed) => compare(&mut misses, &label, &timed, &metrics),
            Err(error) => misses.require(false, || format!("{label}: {error}")),
        }
    }
    misses.assert_none();
}

#[test]
fn the_engines_agree_for_every_power_law_of_the_catalogue() {
    let mut misses = Misses::new();
    for subject in subjects::all().iter().filter(|subject| subject.law.power().is_some()) {
        for exit in EXITS {
            let law = Law { exit, ..subject.law };
            let metrics = collide(&law, SPEED).expect("an impact");
            let timed = collide_under(&law, SPEED, &NEGLIGIBLE).expect("an impact");
            compare(&mut misses, &format!("{subject} {exit:?}"), &timed, &metrics);
            let (_, course) = trajectory(&law, SPEED, &NEGLIGIBLE, 2).expect("a course");
            let e = -course.rate[1] / SPEED;
            misses.within(format!("{subject} {exit:?}"), e, metrics.restitution.newton, 1e-8);
        }
    }
    misses.assert_none();
}

#[test]
fn only_the_effective_mass_matters_and_a_light_partner_halves_it() {
    use carom::pair::{Body, Material, Pair, Shape};
    let steel = Material::of(2.1e11, 0.3, 7850.0).expect("steel");
    let ball = Body::new(Shape::Sphere { radius: 0.01 }, steel);
    let twins = Pair::of(&ball, &ball).expect("a pair");
    let wall = Pair::of(&ball, &Body::new(Shape::Plane, steel)).expect("a pair");
    assert!((twins.mass / wall.mass - 0.5).abs() < 1e-12);
    assert!((twins.stiffness / wall.stiffness - 0.5f64.sqrt()).abs() < 1e-12);
}
