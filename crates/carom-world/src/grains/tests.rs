//! Tests of beds against the library, against a plain loop over all pairs, and with different numbers of threads.

use super::bed::DEFAULT_MIN_ONSET_SPEED;
use super::neighbour_list::NeighbourPair;
use super::*;
use crate::friction::RollingResistance;
use crate::math::Vec3;
use carom::law::{Exit, Law, Power};
use carom::numeric::random::Sequence;
use carom::{Damping, Pair, collide, model};

fn elastic(stiffness: f64) -> Law {
    Law::new(1.0, Exit::ZeroForce, Power::elastic(stiffness, 1.5))
}

fn parameters(grains: Law, walls: Law, friction: f64) -> ContactParameters {
    ContactParameters { grains, walls, friction, tangential: 1e4 }
}

const FLOOR: Wall = Wall { point: Vec3::ZERO, normal: Vec3::Z };

/// A grain of radius 10 mm above a floor at z = 0, with its centre at this height (m).
fn one_grain(height: f64, law: Law, friction: f64) -> Bed {
    let bed = Bed::new(vec![Vec3::Z * height], vec![0.01], 2500.0, parameters(law, law, friction));
    bed.unwrap().with_wall(FLOOR).with_ledger()
}

/// Pseudo-random points that are the same in every run.
fn scattered(count: usize) -> Vec<Vec3> {
    let mut random = Sequence::new(1);
    (0..count).map(|_| Vec3::new(random.unit(), random.unit(), random.unit())).collect()
}

fn falling(count: usize, friction: f64) -> Bed {
    let pair = Pair::new(1.0, 1e6, 1.5).unwrap();
    let law = model("tsuji-1992").unwrap().law(&pair, Damping::Exact(0.7), None, &[]).unwrap();
    // The grains are on a lattice with random offsets so small that none overlap.
    let side = (count as f64).cbrt().ceil() as usize;
    let place = |(i, shake): (usize, Vec3)| {
        let (x, y, z) = (i % side, i / side % side, i / side / side);
        (Vec3::new(x as f64, y as f64, z as f64) + shake * 0.1) * 0.025 + Vec3::Z * 0.011
    };
    let position = scattered(count).into_iter().enumerate().map(place).collect();
    let radius = (0..count).map(|i| if i % 3 == 0 { 0.008 } else { 0.01 }).collect();
    let bed = Bed::new(position, radius, 2500.0, parameters(law, law, friction)).unwrap();
    let width = 0.025 * side as f64;
    let mut bed = bed.with_wall(FLOOR).periodic(width, width).unwrap();
    bed.gravity = Vec3::new(0.0, 0.0, -9.81);
    bed
}

#[test]
fn elastic_grains_keep_energy_and_momentum() {
    let count = 60;
    let position: Vec<_> = (0..count).map(|i| Vec3::X * (0.021 * f64::from(i))).collect();
    let law = elastic(1e7);
    let bed = Bed::new(position, vec![0.01; 60], 2500.0, parameters(law, law, 0.0));
    let mut bed = bed.unwrap();
    for (v, r) in bed.velocity.iter_mut().zip(scattered(60)) {
        *v = (r - Vec3::new(0.5, 0.5, 0.5)) * 2.0;
    }
    let sum = |bed: &Bed| bed.velocity.iter().fold(Vec3::ZERO, |a, v| a + *v);
    let (before, energy) = (sum(&bed), bed.kinetic());
    let h = bed.suggested_step(1.0).unwrap();
    bed.run(0.5 * h, 8000);
    assert!((sum(&bed) - before).length() < 1e-11);
    assert!((bed.kinetic() / energy - 1.0).abs() < 2e-3, "{}", bed.kinetic() / energy);
}

/// A bed with several chunks, two sizes with their own laws, rolling resistance, a ledger, and ids that do not follow the
/// positions.
fn mixed() -> Bed {
    let bed = falling(1500, 0.4);
    let law = |stiffness: f64| {
        let pair = Pair::new(1.0, stiffness, 1.5).unwrap();
        model("tsuji-1992").unwrap().law(&pair, Damping::Exact(0.7), None, &[]).unwrap()
    };
    let size = (0..1500).map(|i| u8::from(i % 3 != 0)).collect();
    let laws = [law(0.8e6), law(0.9e6), law(1e6)];
    let resistance = RollingResistance { rolling: 1e-4, spinning: 1e-5, speed: 0.1 };
    let bed = bed.with_sizes(size, &laws, &[law(1.1e6), law(1.2e6)]).unwrap();
    let mut bed = bed.with_resistance(resistance).unwrap().with_ledger().with_mindlin();
    let position = bed.position.clone();
    for (i, (position, random)) in position.into_iter().zip(scattered(1500)).enumerate() {
        // 7 and 1500 have no common factor, so no two grains get the same position.
        bed.position[i * 7 % 1500] = position;
        bed.velocity[i] = random * 2.0 - Vec3::new(1.0, 1.0, 1.0);
    }
    bed
}

#[test]
fn a_bed_of_several_chunks_goes_on_where_it_was_saved() {
    let run = |threads: usize, every: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut bed = mixed();
            for _ in 0..400 / every {
                bed.run(5e-5, every);
                bed = mixed().restored(&bed.save()).unwrap();
            }
            let (lists, contacts) = (bed.lists, bed.contact_count());
            assert!(lists > 3 && contacts > 100, "{lists} {contacts}");
            let error = bed.energies().error.abs() / bed.energies().kinetic;
            assert!(error < 0.01, "{error}");
            bed.save()
        })
    };
    let whole = run(1, 400);
    assert!(whole == run(5, 400) && whole == run(2, 20));
}

#[test]
fn forces_are_those_of_a_plain_loop_over_all_pairs() {
    let (mut bed, h) = (mixed(), 1e-5);
    (bed.resistance, bed.mindlin) = (None, false);
    for position in &mut bed.position {
        // The bed is compressed, so that every grain touches others.
        *position = *position * 0.7;
    }
    let width = bed.period().0 * 0.7;
    bed = bed.periodic(width, width).unwrap();
    let (positions, velocities) = (bed.position.clone(), bed.velocity.clone());
    bed.run(h, 0);
    let mut expected = vec![bed.gravity; 1500];
    let push = |law: Law, mass: f64, delta: f64, n: Vec3, v: Vec3| {
        let rate = -n.dot(v);
        let memory = Law { mass, ..law }.touch(rate.max(DEFAULT_MIN_ONSET_SPEED));
        // The contacts of this law (Tsuji) end at zero indentation, and the force may be negative before.
        let load = law.force(delta, rate, &memory);
        let spring = (v + n * rate) * (1e4 * h);
        let limit = 0.4 * load.max(0.0) / spring.length();
        n * -load + spring * limit.min(1.0)
    };
    for a in 0..1500 {
        let delta = bed.radius[a] - positions[a].z;
        if delta > 0.0 {
            let law = *bed.laws.law(bed.laws.index_at_wall(a as u32)).0;
            let force = push(law, bed.mass[a], delta, -Vec3::Z, -velocities[a]);
            expected[a] += force * (1.0 / bed.mass[a]);
        }
        for b in a + 1..1500 {
            let way = bed.images.shortest(positions[b] - positions[a]);
            let delta = bed.radius[a] + bed.radius[b] - way.length();
            if delta > 0.0 {
                // Sizes 0 and 1 as assigned in `mixed`.
                let law = bed.laws.laws()[usize::from(a % 3 != 0) + usize::from(b % 3 != 0)];
                let mass = bed.mass[a] * bed.mass[b] / (bed.mass[a] + bed.mass[b]);
                let n = way * (1.0 / way.length());
                let force = push(law, mass, delta, n, velocities[b] - velocities[a]);
                expected[a] += force * (1.0 / bed.mass[a]);
                expected[b] += -force * (1.0 / bed.mass[b]);
            }
        }
    }
    let found = bed.order.by_id(&bed.order.accelerations, |acceleration| acceleration.linear);
    let largest = expected.iter().map(|a| a.length()).fold(0.0, f64::max);
    assert!(bed.contact_count() > 1500 && largest > 1e3, "{} {largest}", bed.contact_count());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((*found - *expected).length() < 1e-11 * largest, "{found:?} {expected:?}");
    }
}

#[test]
fn no_pair_is_missed_by_the_cells() {
    let mut bed = falling(700, 0.0);
    bed.load();
    bed.update_neighbours();
    let mut count = 0;
    for a in 0..700 {
        for b in a + 1..700 {
            let way = bed.separation(a, b);
            count += usize::from(way.length() < bed.radius[a] + bed.radius[b] + bed.skin);
        }
    }
    let grains = |pair: &&NeighbourPair| pair.second().is_some();
    let listed = bed.neighbours.pairs.iter().filter(grains).count();
    assert_eq!(listed, count);
}

#[test]
fn a_sliding_grain_rolls_at_five_sevenths() {
    let pair = Pair::new(1.0, 1e7, 1.5).unwrap();
    let law = model("tsuji-1992").unwrap().law(&pair, Damping::Exact(0.5), None, &[]).unwrap();
    let sunk = (2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 9.81 / 1e7f64).powf(2.0 / 3.0);
    let mut bed = one_grain(0.01 - sunk, law, 0.3);
    bed.gravity = Vec3::new(0.0, 0.0, -9.81);
    bed.velocity[0] = Vec3::X;
    bed.run(1e-5, 30_000);
    assert!((bed.velocity[0].x - 5.0 / 7.0).abs() < 0.01, "{}", bed.velocity[0].x);
    assert!((bed.spin[0].y * 0.01 - 5.0 / 7.0).abs() < 0.02, "{}", bed.spin[0].y);
}

#[test]
fn invalid_radii_and_periods_are_refused() {
    let of = |radius: f64| {
        let law = elastic(1e7);
        Bed::new(vec![Vec3::ZERO], vec![radius], 2500.0, parameters(law, law, 0.0))
    };
    assert!(of(-1.0).is_err() && of(f64::NAN).is_err());
    assert!(of(0.01).unwrap().periodic(0.01, 1.0).is_err());
}

/// Regression test: friction acted on each grain at its own radius, so that with an overlap the two friction forces acted at
/// different points, and every sliding contact created angular momentum.
#[test]
fn friction_of_grains_keeps_angular_momentum_to_rounding() {
    let law = elastic(1e8);
    // The grains have different sizes, collide obliquely, spin, and overlap by up to a tenth of a radius.
    let position = vec![
        Vec3::new(0.3, -0.2, 0.5),
        Vec3::new(0.3115, -0.191, 0.498),
        Vec3::new(0.295, -0.2095, 0.5135),
    ];
    let bed = Bed::new(position, vec![0.01, 0.006, 0.008], 2500.0, parameters(law, law, 0.5));
    let mut bed = bed.unwrap().with_ledger();
    let resistance = RollingResistance { rolling: 1e-4, spinning: 1e-4, speed: 0.1 };
    bed = bed.with_resistance(resistance).unwrap();
    bed.velocity =
        vec![Vec3::new(1.0, 0.5, 0.0), Vec3::new(-2.0, -1.5, 0.7), Vec3::new(1.0, 2.0, -3.0)];
    bed.spin = vec![
        Vec3::new(90.0, -50.0, 200.0),
        Vec3::new(-300.0, 80.0, 10.0),
        Vec3::new(5.0, 400.0, -30.0),
    ];
    let about = |bed: &Bed| {
        (0..3).fold(Vec3::ZERO, |sum, i| {
            let orbit = bed.position[i].cross(bed.velocity[i]) * bed.mass[i];
            sum + orbit + bed.spin[i] * (0.4 * bed.mass[i] * bed.radius[i] * bed.radius[i])
        })
    };
    let before = about(&bed);
    let (mut touched, mut deepest) = (0, 0.0f64);
    for _ in 0..400 {
        bed.run(2e-7, 10);
        touched += bed.contact_count();
        deepest = deepest.max(bed.energies().overlap_max);
    }
    assert!(touched > 20 && deepest > 0.05, "{touched} {deepest}");
    // The change is compared with the size of the individual terms, which nearly cancel in the sum.
    let size: f64 =
        (0..3).map(|i| bed.position[i].length() * bed.velocity[i].length() * bed.mass[i]).sum();
    let change = (about(&bed) - before).length() / size;
    assert!(change < 1e-13, "{change:e}");
    assert!(bed.energies().lost_to_friction > 0.0);
}

/// Regression test: the energy stored in the tangential springs was counted as lost to friction.
#[test]
fn energy_in_tangential_springs_of_grains_is_stored() {
    let law = elastic(1e7);
    let mut bed = one_grain(0.0098, law, 10.0);
    bed.gravity = Vec3::Z * -(1e7 * 0.0002f64.powf(1.5) / bed.mass[0]);
    bed.velocity[0] = Vec3::X * 0.01;
    let (mut held, mut lost) = (0.0f64, 0.0f64);
    let start = bed.kinetic();
    bed.run(1e-6, 0);
    let stored = bed.energies().stored;
    for _ in 0..500 {
        bed.run(1e-6, 10);
        let now = bed.energies();
        held = held.max(now.stored - stored);
        lost = lost.max(now.lost_to_friction.abs());
        assert!(now.error.abs() < 1e-12 * (stored + now.potential), "{now:?}");
    }
    assert!(held > 0.9 * start * 2.0 / 7.0, "{held} of {start}");
    assert!(lost < 1e-3 * start, "{lost} of {start}");
}

/// The ledger of a bed closes to rounding for any step, so it cannot show the error of the step. The error that is reported
/// instead must agree with that of impacts simulated by the bed itself.
#[test]
fn the_error_of_the_step_is_that_of_simulated_impacts() {
    for (id, e, exponent) in
        [("hertz-1881", 1.0, 1.5), ("tsuji-1992", 0.7, 1.5), ("kelvin-voigt-1865", 0.5, 1.0)]
    {
        let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
        let pair = Pair::new(mass, if exponent == 1.0 { 1e6 } else { 1e8 }, exponent).unwrap();
        let asked = if e < 1.0 { Damping::Exact(e) } else { Damping::None };
        let law = model(id).unwrap().law(&pair, asked, None, &[]).unwrap();
        let duration = 2.0 * collide(&law, 1.0).unwrap().time_of_indentation_max;
        for steps in [20.0, 50.0, 200.0] {
            let h = duration / steps;
            let bed = |start: f64| {
                let mut bed = one_grain(start, law, 0.0);
                bed.velocity[0] = Vec3::Z * -1.0;
                bed
            };
            let told = bed(0.011).step_error(h, 1.0).unwrap().unwrap().restitution;
            let mut off = 0.0f64;
            for phase in 0..40 {
                let mut bed = bed(0.01 + h * (2.0 + f64::from(phase) / 40.0));
                bed.run(h, 2 * steps as usize + 20);
                let energies = bed.energies();
                assert!(energies.error.abs() < 1e-14 * mass && energies.fastest == 1.0);
                off = off.max((bed.velocity[0].z - e).abs());
            }
            assert!(told > 0.9 * off && told < 1.2 * off + 1e-12, "{id} {steps}: {told:e} {off:e}");
        }
    }
}

/// Regression test: a grain that came to rest on a wall oscillated on its tangential spring for ever.
#[test]
fn tangential_springs_of_grains_stop_ringing() {
    let swing = |ratio: f64| {
        let law = elastic(1e7);
        let mut bed = one_grain(0.0098, law, 10.0).with_tangential_damping(ratio).unwrap();
        bed.gravity = Vec3::Z * -(1e7 * 0.0002f64.powf(1.5) / bed.mass[0]);
        bed.velocity[0] = Vec3::X * 0.01;
        let mut largest = 0.0f64;
        for step in 0..400 {
            bed.run(1e-6, 50);
            if step > 300 {
                // At the contact point the velocities of translation and rotation must cancel.
                largest = largest.max((bed.velocity[0].x - bed.spin[0].y * 0.0099).abs());
            }
            let now = bed.energies();
            assert!(now.error.abs() < 1e-12 * (now.stored + now.potential), "{now:?}");
            assert!(now.lost_to_friction > -1e-12, "{now:?}");
        }
        largest
    };
    assert!(swing(0.0) > 9e-3, "{}", swing(0.0));
    // Expected decay v·e^(−ζωt) with ω² = k/m, where m is 2/7 of the mass, at t = 15.05 ms.
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 2.0 / 7.0;
    let left = 0.01 * (-0.05 * (1e4 / mass).sqrt() * 0.01505).exp();
    assert!((swing(0.05) / left - 1.0).abs() < 0.1, "{} {left}", swing(0.05));
    assert!(swing(0.5) < 1e-6, "{}", swing(0.5));
}
