//! Impacts that are close to creeping, or pressed by an external force, and therefore end late or not at all.

use crate::common::{Misses, Random};
use carom::exact::{self, Curve, Exponents};
use carom::impact::{Conditions, Note, Trajectory, collide_under};
use carom::law::{Damper, Exit, Law, Power};
use carom::spec::Spec;
use carom::{Damping, Pair, model};

/// Regression: with n = 5, m = 0, q = 0.1 and an end at zero indentation, a requested restitution of 0.001 was delivered as
/// 0.00099969, because the series near separation was used where damping was no longer small compared with the remaining inertia.
/// The reference values are from extrapolated midpoint steps with 34 digits (mpmath).
#[test]
fn next_to_creeping_the_restitution_is_the_true_one() {
    let mut misses = Misses::new();
    for (n, epsilon, e) in [
        (5.0, 2.505_781_087_212_978_21e-1, 9.996_854_709_611_769_5e-4),
        (5.0, 2.505_781_083_692_590_34e-1, 1.000_000_019_510_337_8e-3),
        (3.0, 2.706_323_496_344_555_93e-1, 1.000_001_009_660_032_75e-4),
    ] {
        let exponents = Exponents::new(n, 0.0, 0.1).unwrap();
        let exit = Exit::ZeroIndentation;
        let found = exact::restitution(exponents, exit, epsilon).unwrap();
        let condition = exact::sensitivity(exponents, exit, epsilon).unwrap().abs();
        misses.near(format!("n = {n}, epsilon {epsilon}"), found, e, 1e-12 * condition);
        let outcome = exact::outcome(exponents, exit, epsilon).unwrap().unwrap();
        misses.near(format!("outcome at {epsilon}"), outcome.restitution, e, 1e-12 * condition);
        // The damping that delivers the restitution is nevertheless accurate to twelve digits.
        let again = exact::epsilon(exponents, exit, e).unwrap();
        misses.near(format!("n = {n}, e {e}"), again, epsilon, 1e-12);
    }
    misses.assert_none();
}

#[test]
fn every_corner_delivers_what_is_asked_within_its_condition() {
    let mut random = Random::new(11);
    let mut misses = Misses::new();
    for i in 0..200 {
        let (n, m) = (random.between(1.0, 5.0), random.between(0.0, 5.0));
        let m = if i % 5 == 0 { 0.0 } else { m };
        let exponents = Exponents::new(n, m, random.decades(0.05, 2.0)).unwrap();
        let exit = [Exit::ZeroForce, Exit::ZeroIndentation][i % 2];
        let e = random.decades(1e-4, 0.9999);
        let label = format!("{exponents:?} {exit:?} e {e:e}");
        let Ok(epsilon) = exact::epsilon(exponents, exit, e) else {
            misses.require(false, || format!("{label}: unreachable"));
            continue;
        };
        let condition = exact::sensitivity(exponents, exit, epsilon).unwrap().abs();
        let outcome = exact::outcome(exponents, exit, epsilon).unwrap();
        let found = outcome.map_or(f64::NAN, |outcome| outcome.restitution);
        misses.near(&label, found, e, 1e-12 * condition.max(1.0) + 1e-11);
        // Integration in time is an independent method; it is used where the equation is not too stiff for it.
        if condition < 1e3 && e > 0.05 && m <= n {
            let law =
                Law::new(1.0, exit, Power::new(1.0, n, m, exponents.q, Damper::Ratio(epsilon)));
            let course = Trajectory::new(&law, 1.0, &Conditions::default(), 2).unwrap();
            misses.within(
                format!("{label} in time"),
                -course.rate[1],
                e,
                1e-9 * condition.max(1.0),
            );
        }
    }
    misses.assert_none();
}

/// Regression: the curve differed from single impacts by up to 8e-11 in times, where 2e-11 was stated: the single impacts
/// themselves lacked a term at the turn, and the pieces of the curve were checked at five points only.
#[test]
fn the_table_is_as_good_as_it_says() {
    let mut random = Random::new(12);
    let mut misses = Misses::new();
    let known =
        [(4.0465, 0.0, 0.37447), (4.2852, 0.64072, 0.51953), (1.5, 0.25, 1.0), (1.5, 0.5, 1.0)];
    for i in 0..16 {
        let drawn = (random.between(1.0, 5.0), random.between(0.0, 3.0), random.decades(0.1, 2.0));
        let (n, m, q) = known.get(i).copied().unwrap_or(drawn);
        let exponents = Exponents::new(n, m, q).unwrap();
        let exit = [Exit::ZeroForce, Exit::ZeroIndentation][i % 4 / 2];
        let curve = Curve::new(exponents, exit);
        let around = exact::epsilon(exponents, exit, 0.04).unwrap();
        for _ in 0..12 {
            let epsilon = around * random.decades(0.4, 1.0);
            let [row, table] = [exact::outcome(exponents, exit, epsilon), curve.outcome(epsilon)];
            let (row, table) = (row.unwrap().unwrap(), table.unwrap().unwrap());
            for (what, table, row, size) in [
                ("restitution", table.restitution, row.restitution, row.restitution),
                ("duration", table.duration, row.duration, row.duration),
                ("depth", table.indentation_max, row.indentation_max, row.indentation_max),
                ("force", table.force_max, row.force_max, row.force_max),
                ("turn", table.time_of_indentation_max, row.time_of_indentation_max, row.duration),
            ] {
                let label = format!("{exponents:?} {exit:?} epsilon {epsilon}: {what}");
                misses.within(label, table, row, 2e-11 * size);
            }
        }
    }
    misses.assert_none();
}

#[test]
fn a_restitution_that_hangs_on_the_last_digits_of_the_damping_says_so() {
    let spec = |exit: &str, e: f64| Spec {
        law: "power".into(),
        mass: Some(1.0.into()),
        stiffness: Some(1e6.into()),
        exponent: Some(5.0.into()),
        damping_exponent: Some(0.0.into()),
        rate_exponent: Some(0.1.into()),
        speed: Some(1.0.into()),
        restitution: Some(e.into()),
        calibration: Some("exact".into()),
        exit: Some(exit.into()),
        ..Spec::default()
    };
    let noted = |exit: &str, e: f64| {
        let report = spec(exit, e).case().unwrap().run().unwrap();
        assert!((report.restitution.newton - e).abs() < 1e-9, "{exit} {e}");
        report.notes.iter().any(|note| note.kind == "sensitive")
    };
    assert!(noted("indentation", 0.001));
    assert!(!noted("indentation", 0.5) && !noted("force", 0.001));
}

/// Regression: the polynomial of the last step was formerly evaluated at times long after that step, so that the trajectory of a
/// creeping contact had rates of 1e65 m/s.
#[test]
fn the_course_of_a_contact_that_creeps_stays_where_it_creeps() {
    for (n, m, q, e) in [(1.9649, 4.0546, 0.0758, 1.75e-4), (1.1485, 2.8569, 0.2884, 2.3e-4)] {
        let exponents = Exponents::new(n, m, q).unwrap();
        let epsilon = exact::epsilon(exponents, Exit::ZeroIndentation, e).unwrap();
        let power = Power::new(1.0, n, m, q, Damper::Ratio(epsilon));
        let law = Law::new(1.0, Exit::ZeroIndentation, power);
        let Ok(course) = Trajectory::new(&law, 1.0, &Conditions::default(), 50) else { continue };
        assert!(course.rate.iter().all(|rate| rate.abs() <= 1.0), "{:?}", course.rate);
        assert!(course.indentation.iter().all(|delta| delta.abs() < 3.0), "{n} {m} {q}");
    }
}

/// Regression: `impact --external-force 1e5` at a restitution of 0.01 reported that the law is too stiff. The external force
/// presses the bodies together, and strong damping only makes this slow: they come to rest where K·δⁿ equals the external force.
#[test]
fn a_load_keeps_a_strongly_damped_contact_closed() {
    let mut misses = Misses::new();
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    for id in
        ["hunt-crossley-1975", "tsuji-1992", "kuwabara-kono-1987", "choi-2010", "lee-herrmann-1993"]
    {
        for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
            for (e, load) in [(0.01, 1e5), (0.01, 1e4), (0.01, 1e7), (0.001, 1e5), (0.1, 1e6)] {
                let label = format!("{id} {exit:?} e {e} under {load} N");
                let Ok(law) = model(id).unwrap().law(&pair, Damping::Exact(e), Some(exit), &[])
                else {
                    continue;
                };
                let conditions = Conditions { external_force: load };
                let impact = match collide_under(&law, 0.5, &conditions) {
                    Ok(impact) => impact,
                    Err(error) => {
                        misses.require(false, || format!("{label}: {error}"));
                        continue;
                    }
                };
                let rests = impact.notes.iter().find_map(|note| match note {
                    Note::Rests { indentation } => Some(*indentation),
                    _ => None,
                });
                let expected = (load / 2.4144e10f64).powf(1.0 / 1.5);
                misses.near(&label, rests.unwrap_or(f64::NAN), expected, 0.01);
                misses
                    .require(impact.force_max >= load * (1.0 - 1e-9), || format!("{label}: force"));
                misses.require(impact.indentation_max >= 0.99 * expected, || {
                    format!("{label}: depth")
                });
                if load != 1e5 {
                    continue;
                }
                let course = Trajectory::new(&law, 0.5, &conditions, 20);
                let finite = |course: &Trajectory| course.indentation.iter().all(|x| x.is_finite());
                misses
                    .require(course.as_ref().is_ok_and(finite), || format!("{label}: {course:?}"));
            }
        }
    }
    misses.assert_none();
}
