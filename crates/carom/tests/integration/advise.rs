//! Advice: every law gets a verdict, recommended laws deliver the wanted restitution, and stated errors of steps are correct.

use carom::advise::{
    Advice, Integrator, Problem, Purpose, Recommendation, RequestedRestitution, Spec, advise, march,
};
use carom::message::{Action, Topic};
use carom::numeric::random::Sequence;
use carom::{CATALOGUE, Damping, Exit, Law, Pair, collide, model};

fn ball() -> Pair {
    Pair::new(0.54, 2.4144e10, 1.5).unwrap()
}

fn ask(e: f64, speeds: (f64, f64), purpose: Purpose) -> Advice {
    advise(&Problem::new(ball(), speeds, Some(RequestedRestitution::one(e).unwrap()), purpose))
        .unwrap()
}

fn reasons(law: &Recommendation) -> Vec<&str> {
    law.reasons.iter().map(|reason| reason.kind).collect()
}

/// Returns the worst, mean, least and largest relative error of the restitution over 16 phases of the touch within a step.
fn errors(law: &Law, speed: f64, how: Integrator, count: f64) -> [f64; 4] {
    let exact = collide(law, speed).unwrap();
    let step = exact.duration / count;
    let mut found = Vec::new();
    for i in 0..16 {
        let phase = (f64::from(i) + 0.5) / 16.0;
        let e = march(law, speed, how, step, phase, exact.duration).unwrap().unwrap();
        found.push(e / exact.restitution.newton - 1.0);
    }
    let low = found.iter().copied().fold(f64::INFINITY, f64::min);
    let high = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    [high.abs().max(low.abs()), found.iter().sum::<f64>() / 16.0, low, high]
}

/// Returns the observed order of convergence: the slope of the worst error between 150 and 1200 steps per contact.
fn order(law: &Law, how: Integrator) -> f64 {
    let [coarse, ..] = errors(law, 0.5, how, 150.0);
    let [fine, ..] = errors(law, 0.5, how, 1200.0);
    (coarse / fine).ln() / 8f64.ln()
}

#[test]
fn every_law_of_the_catalogue_has_a_verdict_and_a_reason() {
    for purpose in Purpose::ALL {
        for e in [1.0, 0.4] {
            let advice = ask(e, (0.1, 2.0), purpose);
            let mut seen: Vec<&str> = advice.recommended.iter().map(|law| law.law).collect();
            assert!((1..=3).contains(&seen.len()), "{purpose:?} {e}");
            seen.extend(advice.against.iter().map(|law| law.law));
            // A law may be listed under its own name or among the laws that have the same force.
            let recommended = advice.recommended.iter().map(|law| &law.same_force);
            let same = recommended.chain(advice.against.iter().map(|law| &law.same_force));
            seen.extend(same.flatten().map(|other| other.law));
            seen.sort_unstable();
            let mut all: Vec<&str> = CATALOGUE.iter().map(|model| model.id).collect();
            all.sort_unstable();
            assert_eq!(seen, all);
            assert!(advice.against.iter().all(|law| !law.reasons.is_empty()));
            assert!(advice.recommended.iter().all(|law| !law.reasons.is_empty()));
        }
    }
}

#[test]
fn what_is_recommended_delivers_what_is_wanted() {
    for purpose in Purpose::ALL {
        for e in [0.9, 0.3] {
            for law in ask(e, (0.1, 2.0), purpose).recommended {
                for at in &law.delivered {
                    let constant = purpose.needs_constant() && purpose != Purpose::Optimisation;
                    let got = if constant { at.constant } else { at.per_impact };
                    let got = got.unwrap();
                    assert!((got / e - 1.0).abs() < 0.05, "{purpose:?} {}: {at:?}", law.law);
                }
                // The numbers that the user is told to enter are those of the law that was evaluated.
                let again = collide(&law.numbers, 0.2f64.sqrt()).unwrap().restitution.newton;
                assert!((again / e - 1.0).abs() < 1e-9, "{}: {again}", law.law);
            }
        }
    }
}

#[test]
fn lasting_contact_gets_velocity_free_damping_and_single_impacts_smooth_force() {
    for purpose in [Purpose::Resting, Purpose::Multiple, Purpose::Granular] {
        let first = &ask(0.5, (0.5, 0.5), purpose).recommended[0];
        assert_eq!(first.speed_power, Some(0.0), "{purpose:?}");
        assert_eq!(first.damping.damping_exponent, Some(0.25));
        assert!(first.error_constant.unwrap() < 1e-9);
    }
    for purpose in [Purpose::Single, Purpose::Optimisation] {
        let first = &ask(0.5, (0.1, 1.0), purpose).recommended[0];
        assert_eq!((first.smoothness, first.speed_power), ("smooth", Some(1.0)), "{purpose:?}");
        assert!(first.error_constant.unwrap() > 0.3);
    }
    let notes = ask(0.5, (0.1, 1.0), Purpose::Optimisation).notes;
    assert!(notes.iter().any(|note| note.kind == "smooth_or_velocity_free"));
}

#[test]
fn for_lasting_contact_the_damper_for_any_spring_is_named_with_its_ratio() {
    let note = |e: f64, purpose| {
        let notes = ask(e, (0.1, 2.0), purpose).notes;
        notes.into_iter().find(|note| note.kind == "linear_equivalent")
    };
    for purpose in [Purpose::Resting, Purpose::Multiple, Purpose::Granular] {
        let note = note(0.5, purpose).unwrap();
        let sentence = note.message.to_string();
        let (_, rest) = sentence.split_once("damping ratio ").unwrap();
        let ratio: f64 = rest.split_whitespace().next().unwrap().parse().unwrap();
        // The stated damping ratio delivers the restitution at three speeds, also with a spring that is not a power law.
        let text = "name = \"advised\"\nspring = \"K*delta + L*delta^3\"\n[parameters]\nK = \"1e6 N/m\"\nL = \"1e14 N/m^3\"";
        let spring = carom::own_law::from_text(text).unwrap();
        let law = spring.law(&ball(), Damping::None, Some(Exit::ZeroForce), &[]).unwrap();
        let law = carom::linear_equivalent::with_damper(&law, ratio).unwrap();
        for speed in [0.01, 0.3, 5.0] {
            let e = collide(&law, speed).unwrap().restitution.newton;
            assert!((e - 0.5).abs() < 1e-5, "{speed}: {e}");
        }
    }
    assert!(note(0.5, Purpose::Single).is_none() && note(1.0, Purpose::Resting).is_none());
}

#[test]
fn a_force_that_jumps_at_touch_is_seen() {
    let spring = Pair::new(1.0, 1e6, 1.0).unwrap();
    let wanted = Some(RequestedRestitution::one(0.5).unwrap());
    let advice = advise(&Problem::new(spring, (0.1, 1.0), wanted, Purpose::Granular)).unwrap();
    let first = &advice.recommended[0];
    assert_eq!(first.smoothness, "jumps");
    // F(0)/F_max of the linear spring and damper: the force at touch is 2ζ·v·√(Km), and the largest force is known in closed
    // form.
    let zeta = 0.5 * first.damping.epsilon.unwrap();
    let turn = (1.0 - zeta * zeta).sqrt();
    // F/(v·√(Km)) = e^(−ζτ)·(2ζ cos ωτ + (1−2ζ²)/ω·sin ωτ) with ω = √(1−ζ²); the largest value is found by search.
    let force = |t: f64| {
        let (sin, cos) = (turn * t).sin_cos();
        (-zeta * t).exp() * (2.0 * zeta * cos + (1.0 - 2.0 * zeta * zeta) / turn * sin)
    };
    let largest = (0..40_000).map(|i| force(f64::from(i) * 1e-4)).fold(0.0, f64::max);
    assert!((first.touch_force / (2.0 * zeta / largest) - 1.0).abs() < 1e-6);
    assert!(reasons(first).contains(&"jump"));
}

#[test]
fn the_other_end_of_contact_has_its_own_numbers() {
    let first = &ask(0.5, (0.5, 0.5), Purpose::Granular).recommended[0];
    let other = first.other_exit.unwrap();
    assert_eq!(other.exit, Exit::ZeroIndentation);
    let law = |c| {
        let tsuji = model("tsuji-1992").unwrap();
        tsuji.law(&ball(), Damping::Coefficient(c), Some(other.exit), &[]).unwrap()
    };
    let e = |c| collide(&law(c), 0.5).unwrap().restitution.newton;
    assert!((e(other.coefficient) - 0.5).abs() < 1e-9);
    assert!((e(first.damping.coefficient.unwrap()) - other.restitution).abs() < 1e-9);
}

#[test]
fn steps_have_the_errors_of_an_independent_program() {
    // The sliotar of the comparison of programs with a Tsuji law: worst and mean error over 16 phases of the touch, computed by
    // an independent program (NumPy, with the implicit steps solved by brentq).
    let pair = Pair::new(0.0896, 3.5e6, 1.5).unwrap();
    let tsuji = model("tsuji-1992").unwrap();
    use Integrator::{ImplicitEuler, ImplicitMidpoint, RungeKutta4, VelocityVerlet};
    let table = [
        (Exit::ZeroIndentation, VelocityVerlet, 20.0, 1.997686e-2, -8.515855e-3),
        (Exit::ZeroIndentation, RungeKutta4, 50.0, 3.246957e-3, 8.112434e-5),
        (Exit::ZeroIndentation, ImplicitEuler, 100.0, 5.775143e-2, -5.585515e-2),
        (Exit::ZeroIndentation, ImplicitMidpoint, 20.0, 1.741224e-2, 3.488358e-3),
        (Exit::ZeroForce, VelocityVerlet, 50.0, 5.405404e-3, -3.077146e-3),
        (Exit::ZeroForce, RungeKutta4, 100.0, 1.031729e-3, -1.070083e-5),
        (Exit::ZeroForce, ImplicitEuler, 20.0, 2.083607e-1, -2.023118e-1),
        (Exit::ZeroForce, ImplicitMidpoint, 100.0, 1.838700e-3, 8.385061e-5),
    ];
    for (exit, how, count, worst, mean) in table {
        let law = tsuji.law(&pair, Damping::Exact(0.527), Some(exit), &[]).unwrap();
        let [found, average, ..] = errors(&law, 15.0, how, count);
        assert!((found / worst - 1.0).abs() < 1e-5, "{exit:?} {how:?}: {found}");
        assert!((average / mean - 1.0).abs() < 1e-4, "{exit:?} {how:?}: {average}");
    }
}

#[test]
fn what_was_measured_of_lammps_lies_within_the_errors_over_the_phases() {
    // The `coeff_restitution` damping of LAMMPS pulls until the indentation vanishes; the measured errors are |error| at one
    // phase.
    let pair = Pair::new(0.0896, 3.5e6, 1.5).unwrap();
    let exit = Some(Exit::ZeroIndentation);
    let law = model("tsuji-1992").unwrap().law(&pair, Damping::Exact(0.527), exit, &[]).unwrap();
    for (count, measured) in [(20.0, 8e-4), (50.0, 2.5e-3), (100.0, 7e-4)] {
        let [worst, _, low, high] = errors(&law, 15.0, Integrator::VelocityVerlet, count);
        assert!(measured <= worst && (-low >= measured || high >= measured), "{count}: {worst}");
        assert!(worst < 30.0 * measured, "{count}: {worst}");
    }
}

#[test]
fn orders_are_those_of_the_scheme_and_of_the_force_at_touch() {
    let law = |id: &str, pair: &Pair| model(id).unwrap().law(pair, Damping::Exact(0.6), None, &[]);
    let hunt_crossley = law("zhang-sharf-2004", &ball()).unwrap();
    let hertz = model("hertz-1881").unwrap().law(&ball(), Damping::None, None, &[]).unwrap();
    let spring = Pair::new(1.0, 1e6, 1.0).unwrap();
    let kelvin_voigt = law("kelvin-voigt-1865", &spring).unwrap();
    for how in Integrator::ALL {
        let first = how == Integrator::ImplicitEuler;
        // Expected orders: 2.5 where the force grows as δ^1.5 from touch, 2 for damped laws with second-order schemes, 1 for
        // implicit Euler.
        let (smooth, damped) = (order(&hertz, how), order(&hunt_crossley, how));
        let expected = if first { 1.0 } else { 2.5 };
        assert!((smooth - expected).abs() < 0.2, "{how:?} on Hertz: {smooth}");
        let lowest = if first { 0.9 } else { 1.9 };
        assert!(damped > lowest && damped < 2.7, "{how:?} on Hunt–Crossley: {damped}");
        // A force that jumps at touch reduces every scheme to first order.
        let jump = order(&kelvin_voigt, how);
        assert!((jump - 1.0).abs() < 0.25, "{how:?} on Kelvin–Voigt: {jump}");
    }
}

#[test]
fn velocity_verlet_with_half_step_damping_is_the_semi_implicit_euler_scheme() {
    let law = model("tsuji-1992").unwrap();
    let law = law.law(&ball(), Damping::Exact(0.4), Some(Exit::ZeroForce), &[]).unwrap();
    for count in [10.0, 33.0, 200.0] {
        let a = errors(&law, 0.5, Integrator::VelocityVerlet, count);
        let b = errors(&law, 0.5, Integrator::SemiImplicitEuler, count);
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
    }
}

#[test]
fn an_implicit_scheme_survives_any_step() {
    let law = model("zhang-sharf-2004").unwrap();
    let law = law.law(&ball(), Damping::Exact(0.5), None, &[]).unwrap();
    let duration = collide(&law, 0.5).unwrap().duration;
    let e = march(&law, 0.5, Integrator::ImplicitEuler, 1e4 * duration, 0.5, duration).unwrap();
    // Even with so large a step the contact either does not end or its rebound is slower than the approach.
    assert!(e.is_none_or(|e| e.abs() < 1.0), "{e:?}");
}

#[test]
fn a_suggested_step_keeps_its_promise_and_rayleigh_limits_granular_ones() {
    let bodies = |purpose: &str| Spec {
        bodies: vec![
            carom::spec::BodySpec::parse("sphere radius=1mm material=glass").unwrap(),
            carom::spec::BodySpec::parse("sphere radius=1mm material=glass").unwrap(),
        ],
        speed: Some("0.01..1 m/s".into()),
        restitution: Some(0.8.into()),
        purpose: Some(purpose.into()),
        tolerance: Some("0.5 %".into()),
        ..Spec::default()
    };
    for purpose in Purpose::ALL {
        let advice = bodies(purpose.name()).run().unwrap();
        let step = advice.step.unwrap();
        let suggested = step.suggested.unwrap();
        let law = &advice.recommended[0].numbers;
        let count = step.contact_time / suggested.step;
        let [worst, ..] = errors(law, 1.0, suggested.integrator, count);
        assert!(worst <= suggested.worst && suggested.worst <= 0.005, "{purpose:?} {worst}");
        let names: Vec<_> = step.criteria.iter().map(|rule| rule.name).collect();
        assert_eq!(names, ["hertz", "rayleigh_1", "rayleigh_2", "contact"]);
        let rule = &step.criteria[1];
        let limited = suggested.limited_by != "accuracy";
        assert_eq!(limited, purpose == Purpose::Granular && suggested.step == rule.step);
        // Time step criterion of particle codes: Hertz's duration 2.87·(m²/(R·E*²·v))^(1/5).
        let pair = bodies("single").problem().unwrap().pair;
        let (r, modulus) = (pair.fact("radius").unwrap(), pair.fact("modulus").unwrap());
        let hertz = 2.87 * (pair.mass.powi(2) / (r * modulus.powi(2))).powf(0.2);
        assert!((step.criteria[0].time / hertz - 1.0).abs() < 2e-3);
    }
}

/// Regression: the worst error of a step was formerly the largest at sixteen phases of the touch. Between these phases the error
/// is larger: a step that was stated to keep within 0.0999 % had an error of 0.169 %. For a force that jumps at touch, the worst
/// phases form an interval of a few per cent of the step, and the stated error was too small by a factor of 25.
#[test]
fn no_phase_of_the_touch_exceeds_the_worst_error_of_a_step() {
    let mut random = Sequence::new(1);
    let spring = Pair::new(1.0, 1e6, 1.0).unwrap();
    // A force that jumps at touch, one that grows as δ^¼, a smooth one, and one that depends on a memory.
    for (pair, purpose) in [
        (spring.clone(), Purpose::Granular),
        (ball(), Purpose::Granular),
        (ball(), Purpose::Single),
        (spring, Purpose::Optimisation),
    ] {
        for exit in [Exit::ZeroForce, Exit::ZeroIndentation] {
            let e = 0.3 + 0.6 * random.unit();
            let wanted = Some(RequestedRestitution::one(e).unwrap());
            let problem =
                Problem { exit, ..Problem::new(pair.clone(), (1.0, 1.0), wanted, purpose) };
            let advice = advise(&problem).unwrap();
            let law = &advice.recommended[0].numbers;
            let exact = collide(law, 1.0).unwrap();
            let step = advice.step.unwrap();
            for one in &step.integrators {
                for at in one.errors.iter().take(6) {
                    let Some(worst) = at.worst else { continue };
                    for _ in 0..60 {
                        let phase = random.unit();
                        let duration = exact.duration;
                        let e = march(law, 1.0, one.integrator, at.step, phase, duration);
                        let error = e.unwrap().unwrap() / exact.restitution.newton - 1.0;
                        assert!(
                            error.abs() <= worst,
                            "{} {exit:?} {:?} T/{} at {phase}: {error:e}, not {worst:e}",
                            advice.recommended[0].law,
                            one.integrator,
                            at.steps_per_contact
                        );
                    }
                }
            }
        }
    }
}

/// Regression: the suggested step was formerly tested at the highest speed only. At lower speeds a contact contains more steps,
/// and its worst error may nevertheless be 50 % larger.
#[test]
fn a_suggested_step_keeps_its_promise_at_all_speeds_of_the_range() {
    let mut random = Sequence::new(5);
    for (purpose, exit, tolerance) in [
        (Purpose::Granular, Exit::ZeroIndentation, 0.01),
        (Purpose::Granular, Exit::ZeroForce, 0.002),
        (Purpose::Single, Exit::ZeroForce, 0.001),
    ] {
        let wanted = Some(RequestedRestitution::one(0.6).unwrap());
        let problem = Problem::new(ball(), (0.1, 1.0), wanted, purpose);
        let advice = advise(&Problem { exit, tolerance, ..problem }).unwrap();
        let law = &advice.recommended[0].numbers;
        let step = advice.step.unwrap().suggested.unwrap();
        assert!(step.worst <= tolerance);
        for _ in 0..2000 {
            let speed = 0.1 * 10f64.powf(random.unit());
            let exact = collide(law, speed).unwrap();
            let phase = random.unit();
            let e = march(law, speed, step.integrator, step.step, phase, exact.duration);
            let error = e.unwrap().unwrap() / exact.restitution.newton - 1.0;
            let worst = step.worst;
            assert!(
                error.abs() <= worst,
                "{purpose:?} {exit:?} {speed} {phase}: {error:e}, {worst:e}"
            );
        }
    }
}

/// Regression: `--step` formerly added only a column to the table of seven integrators, without a verdict on whether the step
/// suffices.
#[test]
fn a_given_step_gets_a_verdict() {
    let ask = |purpose: Purpose, pair: Pair, step: f64| {
        let wanted = Some(RequestedRestitution::one(0.6).unwrap());
        let problem = Problem::new(pair, (0.1, 1.0), wanted, purpose);
        let step = advise(&Problem { step: Some(step), ..problem }).unwrap().step.unwrap();
        (step.suggested.unwrap(), step.verdict.unwrap())
    };
    let (suggested, _) = ask(Purpose::Single, ball(), 1e-6);
    let (_, fine) = ask(Purpose::Single, ball(), 0.5 * suggested.step);
    assert_eq!(fine.verdict, "fine");
    assert!(fine.worst.unwrap() <= 0.01 && fine.message.contains("would do"), "{}", fine.message);
    let (_, same) = ask(Purpose::Single, ball(), suggested.step);
    assert_eq!((same.verdict, same.worst), ("fine", Some(suggested.worst)));
    let (_, coarse) = ask(Purpose::Single, ball(), 10.0 * suggested.step);
    assert_eq!(coarse.verdict, "coarse");
    assert!(
        coarse.worst.unwrap() > 0.01 && coarse.message.contains("or less"),
        "{}",
        coarse.message
    );
    assert_eq!(ask(Purpose::Single, ball(), 0.2).1.verdict, "coarse");
    // For beds, a step above Rayleigh's limit is too coarse, however accurate it is for a single impact.
    let glass = |purpose: &str| Spec {
        bodies: vec![
            carom::spec::BodySpec::parse("sphere radius=1mm material=glass").unwrap(),
            carom::spec::BodySpec::parse("sphere radius=1mm material=glass").unwrap(),
        ],
        speed: Some("0.01 m/s".into()),
        restitution: Some(0.8.into()),
        purpose: Some(purpose.into()),
        step: Some("3e-7 s".into()),
        ..Spec::default()
    };
    let verdict = |purpose: &str| glass(purpose).run().unwrap().step.unwrap().verdict.unwrap();
    assert_eq!(verdict("multiple").verdict, "fine");
    let grains = verdict("granular");
    assert_eq!(grains.verdict, "coarse");
    assert!(grains.message.contains("Rayleigh"), "{}", grains.message);
}

#[test]
fn without_a_restitution_it_says_what_to_measure() {
    let problem = Problem::new(ball(), (0.1, 1.0), None, Purpose::Single);
    let advice = advise(&problem).unwrap();
    let note = advice.notes.iter().find(|note| note.kind == "no_restitution").unwrap();
    assert!(note.message.actions().any(|action| *action == Action::see(Topic::Identification)));
    let viscous = advice.against.iter().find(|law| law.law == "flores-2011").unwrap();
    assert_eq!((viscous.verdict, viscous.reasons[0].kind), ("unusable", "needs_restitution"));
    assert!(advice.step.is_some());
}

#[test]
fn restitutions_at_several_speeds_choose_the_exponents() {
    // These restitutions are computed with a constant coefficient and m = 1, which no velocity-free law can reproduce.
    let power = model("power").unwrap();
    let set = [("damping_exponent".to_string(), 1.0)];
    let law = power.law(&ball(), Damping::Coefficient(5e7), Some(Exit::ZeroForce), &set).unwrap();
    let speeds = [0.1, 0.3, 1.0, 3.0];
    let points = speeds.map(|v| (v, collide(&law, v).unwrap().restitution.newton)).to_vec();
    let wanted = Some(RequestedRestitution::several(points).unwrap());
    let advice = advise(&Problem::new(ball(), (0.1, 3.0), wanted, Purpose::Multiple)).unwrap();
    let first = &advice.recommended[0];
    assert!((first.damping.damping_exponent.unwrap() - 1.0).abs() < 1e-3, "{}", first.law);
    assert!(first.error_constant.unwrap() < 0.05);
    let tsuji = advice.against.iter().find(|law| law.law == "tsuji-1992").unwrap();
    assert_eq!(tsuji.verdict, "against");
}

#[test]
fn a_close_fitting_socket_asks_for_a_conformal_law() {
    let spec = |cavity: &str| Spec {
        bodies: vec![
            carom::spec::BodySpec::parse("sphere radius=50mm material=steel").unwrap(),
            carom::spec::BodySpec::parse(&format!("socket radius={cavity} material=steel"))
                .unwrap(),
        ],
        speed: Some("0.1..1 m/s".into()),
        restitution: Some(0.95.into()),
        ..Spec::default()
    };
    let close = spec("50.05mm").run().unwrap();
    assert_eq!(close.recommended[0].law, "wang-gao-2023");
    let half_space = close.checks.iter().find(|check| check.name == "half_space").unwrap();
    assert_eq!(half_space.status.name(), "fails");
    let wide = spec("100mm").run().unwrap();
    assert_eq!(wide.recommended[0].law, "hunt-crossley-1975");
}

#[test]
fn checks_have_their_numbers() {
    let spec = Spec {
        bodies: vec![
            carom::spec::BodySpec::parse("sphere radius=12.7mm material=steel").unwrap(),
            carom::spec::BodySpec::parse("plane material=steel").unwrap(),
        ],
        speed: Some(1.0.into()),
        restitution: Some(0.8.into()),
        ..Spec::default()
    };
    let problem = spec.problem().unwrap();
    let checks = spec.run().unwrap().checks;
    let value = |name: &str| {
        let check = checks.iter().find(|check| check.name == name).unwrap();
        check.value.unwrap()
    };
    let pair = &problem.pair;
    assert!((value("yield") * pair.yield_speed().unwrap() - 1.0).abs() < 1e-12);
    assert!((value("low_speed") * pair.low_speed_limit().unwrap() - 1.0).abs() < 1e-12);
    let c = 1e5 * pair.low_speed_limit().unwrap();
    assert!((value("waves") / (1.04 * c.powf(-0.6)) - 1.0).abs() < 1e-12);
    // Hertz: T = 2.9432·δ_max/v.
    let depth = (1.25 * pair.mass / pair.stiffness).powf(0.4);
    assert!((value("transits") / (2.9432 * depth * c / (4.0 * 0.0127)) - 1.0).abs() < 1e-4);
    assert!((value("small_strain") - (depth / 0.0127).sqrt()).abs() < 1e-12);
}

#[test]
fn a_spec_is_json_and_so_is_the_advice() {
    let spec: Spec = serde_json::from_str(
        r#"{"mass": "0.54 kg", "stiffness": 2.4144e10, "speed": "10..50 cm/s", "restitution": 0.7,
            "purpose": "resting", "integrator": "runge-kutta-4", "step": "1 us"}"#,
    )
    .unwrap();
    let advice = serde_json::to_value(spec.run().unwrap()).unwrap();
    let keys: Vec<_> = ["problem", "checks", "recommended", "against", "step", "notes"].into();
    assert!(keys.iter().all(|key| !advice[key].is_null()));
    assert_eq!(advice["problem"]["speed_min"], 0.1);
    assert_eq!(advice["step"]["suggested"]["integrator"], "runge-kutta-4");
    assert!(advice["step"]["integrators"][0]["given"]["worst"].is_number());
    assert!(serde_json::from_str::<Spec>(r#"{"sped": 1}"#).is_err());
}

#[test]
fn nonsense_is_refused_in_a_sentence() {
    let base = || Spec {
        mass: Some(0.54.into()),
        stiffness: Some(2.4144e10.into()),
        speed: Some(1.0.into()),
        restitution: Some(0.5.into()),
        ..Spec::default()
    };
    let refused = |spec: Spec, part: &str| {
        let text = spec.run().unwrap_err().to_string();
        assert!(text.contains(part), "`{part}` is not in: {text}");
    };
    refused(Spec { speed: None, ..base() }, "speed is missing");
    refused(Spec { speed: Some("5..1 m/s".into()), ..base() }, "swap the two");
    refused(Spec { speed: Some("1e-4..1e4".into()), ..base() }, "six powers of ten");
    refused(Spec { speed: Some(f64::NAN.into()), ..base() }, "speed = NaN");
    refused(Spec { speed_max: Some((-1.0).into()), ..base() }, "speed_max = -1");
    refused(Spec { restitution: Some(0.0.into()), ..base() }, "restitution = 0");
    refused(Spec { tolerance: Some(0.0.into()), ..base() }, "tolerance = 0");
    refused(Spec { step: Some(1e-30.into()), ..base() }, "step = ");
    refused(Spec { purpose: Some("gran".into()), ..base() }, "did you mean `granular`?");
    refused(Spec { integrator: Some("verlet".into()), ..base() }, "no integrator `verlet`");
    refused(Spec { speeds: vec![1.0.into()], ..base() }, "one restitution beside");
    let set = [("sheer_viscosity".to_string(), 1.0.into())].into();
    refused(Spec { set, ..base() }, "did you mean `shear_viscosity`?");
}
