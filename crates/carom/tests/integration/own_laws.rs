//! Own laws and the linear-equivalent damper: the requested restitution is delivered with any spring.

use carom::advise::{Integrator, march};
use carom::law::{Exit, Force, Law, Work};
use carom::numeric::random::{key, unit};
use carom::spec::Spec;
use carom::{CATALOGUE, Damping, Pair, collide, model, own_law};

const EXITS: [Exit; 2] = [Exit::ZeroForce, Exit::ZeroIndentation];

fn own(text: &str) -> &'static carom::Model {
    own_law::from_text(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn pair(mass: f64) -> Pair {
    Pair::new(mass, 1.0, 1.5).unwrap()
}

/// Returns a spring of random terms, in units in which the impact is about 1 m deep at 1 m/s.
fn random_spring(seed: u64) -> String {
    let mut draws = 0;
    let mut draw = || {
        draws += 1;
        unit(key(seed, "spring"), draws)
    };
    let count = 1 + (3.0 * draw()) as usize;
    let term = |draw: &mut dyn FnMut() -> f64| {
        let (a, b) = (0.1 + 3.0 * draw(), 0.1 + 2.0 * draw());
        match (12.0 * draw()) as usize {
            0 => format!("{a}*K*delta"),
            1 => format!("{a}*K*L*(delta/L)^{}", 1.0 + 2.0 * draw()),
            2 => format!("{a}*K*L*(exp({b}*delta/L) - 1)"),
            3 => format!("{a}*K*L*sinh({b}*delta/L)"),
            4 => format!("{a}*K*L*tanh({b}*delta/L)"),
            5 => format!("{a}*K*delta/(1 + {b}*delta/L)"),
            6 => format!("{a}*K*L*ln(1 + {b}*delta/L)"),
            7 => format!("{a}*K*delta + {b}*K*delta^3/L^2"),
            8 => format!("{a}*K*max(0, delta - {}*L)", 0.3 * draw()),
            9 => format!("if(delta < {b}*L/4, {a}*K*delta, {a}*K*{b}*L/4 + K*(delta - {b}*L/4))"),
            10 => format!("{a}*K*delta*sqrt(1 + (delta/L)^2)"),
            _ => format!("{a}*K*L*atan({b}*delta/L)"),
        }
    };
    // At least one term that pushes from the start and has no end.
    let mut terms = vec![format!("{}*K*L*(delta/L)^{}", 0.2 + draw(), 1.0 + draw())];
    terms.extend((0..count).map(|_| term(&mut draw)));
    terms.join(" + ")
}

#[test]
fn any_spring_delivers_the_restitution_asked_for_at_any_speed_and_either_exit() {
    let mut worst: f64 = 0.0;
    for seed in 0..200 {
        let spring = random_spring(seed);
        let text = format!(
            "name = \"random-{seed}\"\nspring = \"{spring}\"\n[parameters]\nK = \"1 N/m\"\nL = \"1 m\"\n"
        );
        let model = own(&text);
        let e = 0.1 + 0.85 * unit(key(seed, "e"), 1);
        let mass = 0.2 + 3.0 * unit(key(seed, "mass"), 1);
        for exit in EXITS {
            let law = model.law(&pair(mass), Damping::Exact(e), Some(exit), &[]).unwrap();
            for speed in [0.03, 0.3, 3.0] {
                let delivered = collide(&law, speed).unwrap().restitution.newton;
                let error = (delivered - e).abs();
                worst = worst.max(error);
                assert!(error < 1e-10, "{spring}: {delivered} for {e} at {speed} m/s, {exit:?}");
            }
        }
    }
    assert!(worst > 0.0);
}

#[test]
fn every_elastic_force_of_the_catalogue_takes_the_linear_equivalent_damper() {
    let steel = Pair {
        facts: vec![
            ("radius_1", 0.01),
            ("radius_2", 0.0101),
            ("modulus", 1.1e11),
            ("radius", 1.0),
            ("length", 0.02),
            ("youngs_1", 2e11),
            ("youngs_2", 2e11),
            ("poisson_1", 0.3),
            ("poisson_2", 0.3),
        ],
        ..Pair::new(0.05, 1e9, 1.5).unwrap()
    };
    let linear = Pair { exponent: 1.0, ..steel.clone() };
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    for base in CATALOGUE {
        let name = format!("{}+linear-equivalent", base.id);
        let derived = model(&name).unwrap();
        assert_eq!(derived.id, name);
        let set: &[(String, f64)] = match base.id {
            "gonthier-volumetric-2004" => &[("volume_stiffness".to_string(), 1e12)],
            _ => &[],
        };
        let law = [&steel, &linear]
            .map(|pair| derived.law(pair, Damping::Exact(0.6), Some(Exit::ZeroForce), set))
            .into_iter()
            .find_map(Result::ok);
        let Some(law) = law else {
            refused.push(base.id);
            continue;
        };
        taken.push(base.id);
        for exit in EXITS {
            let on = if law.power().is_some_and(|power| power.elastic.value() == 1.0) {
                &linear
            } else {
                &steel
            };
            for e in [0.05, 0.6, 0.97] {
                let law = derived.law(on, Damping::Exact(e), Some(exit), set).unwrap();
                for speed in [0.01, 0.1, 1.0] {
                    let delivered = collide(&law, speed).unwrap().restitution.newton;
                    assert!((delivered - e).abs() < 1e-9, "{name}: {delivered} for {e} at {speed}");
                }
                // The reported damping ratio, used as input, yields the same law.
                let ratio = derived.written_coefficient(&law, 0.3).unwrap();
                let again = derived.law(on, Damping::Coefficient(ratio), Some(exit), set).unwrap();
                let delivered = collide(&again, 0.3).unwrap().restitution.newton;
                assert!((delivered - e).abs() < 1e-9, "{name}: {delivered}");
            }
        }
    }
    for id in [
        "hertz-1881",
        "liu-2006",
        "wang-gao-2023",
        "johnson-cylinder-1985",
        "gonthier-volumetric-2004",
    ] {
        assert!(taken.contains(&id), "{id}: taken {taken:?}, refused {refused:?}");
    }
    for id in ["jkr-1971", "dmt-1975", "thornton-1997", "xiong-2014"] {
        assert!(refused.contains(&id), "{id}");
    }
}

#[test]
fn adhesive_and_plastic_laws_say_why_they_refuse_the_damper() {
    let pair = Pair { facts: vec![("radius", 0.01), ("modulus", 1e9)], ..pair(0.05) };
    let set = [("work_of_adhesion".to_string(), 0.1)];
    let error =
        model("dmt-1975+linear-equivalent").unwrap().law(&pair, Damping::Exact(0.5), None, &set);
    assert!(error.unwrap_err().to_string().contains("adhesive"));
}

#[test]
fn a_law_written_again_is_the_law_of_the_catalogue() {
    let pair = Pair::new(0.54, 2.4144e10, 1.5).unwrap();
    let hunt_crossley = own(
        "name = \"hunt-crossley-again\"\nspring = \"K*delta^n\"\ndamper = \"c*delta^n*rate\"\n\
         damping = \"3/2*(1 - restitution)*K/speed\"\n[parameters]\nK = \"2.4144e10 N/m^1.5\"\nn = 1.5\n",
    );
    let built_in = model("hunt-crossley-1975").unwrap();
    for damping in [Damping::Exact(0.7), Damping::Restitution(0.7), Damping::Coefficient(1e9)] {
        let (own, known) = (
            hunt_crossley.law(&pair, damping, None, &[]).unwrap(),
            built_in.law(&pair, damping, None, &[]).unwrap(),
        );
        let (own, known) = (collide(&own, 0.5).unwrap(), collide(&known, 0.5).unwrap());
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{damping:?}: {a} {b}");
        near(own.restitution.newton, known.restitution.newton);
        near(own.force_max, known.force_max);
        near(own.duration, known.duration);
    }
}

#[test]
fn unloading_and_state_give_a_restitution_of_their_own() {
    // Walton and Braun: unloading along a stiffer line, e = sqrt(k1/k2).
    let plastic = own(
        "name = \"two-lines\"\nspring = \"k1*delta\"\nunloading = \"force_max - k2*(delta_max - delta)\"\n\
         [parameters]\nk1 = \"1e5 N/m\"\nk2 = \"4e5 N/m\"\n",
    );
    let law = plastic.law(&pair(1.0), Damping::None, None, &[]).unwrap();
    for speed in [0.01, 1.0] {
        let e = collide(&law, speed).unwrap().restitution.newton;
        assert!((e - 0.5).abs() < 1e-8, "{e}");
    }
    // A Maxwell element parallel to a spring: its dashpot dissipates energy.
    let maxwell = own(
        "name = \"standard-solid\"\nspring = \"k*delta + k2*(delta - state)\"\nstate = \"(delta - state)/tau\"\n\
         [parameters]\nk = \"1e4 N/m\"\nk2 = \"1e4 N/m\"\ntau = \"0.02 s\"\n",
    );
    let law = maxwell.law(&pair(1.0), Damping::None, None, &[]).unwrap();
    let e = collide(&law, 1.0).unwrap().restitution.newton;
    assert!(e > 0.3 && e < 0.95, "{e}");
}

/// Regression: integration with fixed steps supports neither an internal state nor the time since touch, but accepted own laws
/// that use them, with both at 0, so that a Maxwell element was integrated as an elastic spring.
#[test]
fn own_laws_with_a_state_or_a_clock_are_not_integrated_with_fixed_steps() {
    let springs = [
        ("spring = \"k*delta + k*(delta - state)\"\nstate = \"(delta - state)/tau\"", true),
        ("spring = \"k*delta\"\ndamper = \"k*tau*rate*exp(-time/tau)\"", true),
        ("spring = \"k*delta\"\ndamper = \"0.1*k*tau*rate\"", false),
    ];
    for (k, (formulas, refused)) in springs.into_iter().enumerate() {
        let parameters = "[parameters]\nk = \"1e4 N/m\"\ntau = \"0.02 s\"\n";
        let law = own(&format!("name = \"stepped-{k}\"\n{formulas}\n{parameters}"))
            .law(&pair(1.0), Damping::None, None, &[])
            .unwrap();
        let duration = collide(&law, 1.0).unwrap().duration;
        let stepped = march(&law, 1.0, Integrator::RungeKutta4, 1e-3 * duration, 0.5, duration);
        assert_eq!(stepped.is_err(), refused, "{formulas}: {stepped:?}");
        assert!(stepped.is_ok() || stepped.is_err_and(|error| error.is_unsupported()));
    }
}

#[test]
fn a_measured_curve_is_a_spring_and_with_unloading_a_lossy_one() {
    let points: Vec<String> = (0..=60)
        .map(|i| f64::from(i) * 1e-5)
        .map(|d| format!("[{d}, {}]", 1e8 * d.powf(1.5)))
        .collect();
    let text = format!("name = \"tabulated\"\ncurve = [{}]\n", points.join(", "));
    let law = own(&text).law(&pair(0.1), Damping::Exact(0.6), None, &[]).unwrap();
    for speed in [0.05, 0.5] {
        let impact = collide(&law, speed).unwrap();
        // The second derivative of the interpolated curve jumps at its points, therefore steps end there.
        assert!((impact.restitution.newton - 0.6).abs() < 1e-10, "{}", impact.restitution.newton);
    }
    // The same curve as the text of a CSV file, in other units.
    let rows: String = (0..=60)
        .map(|i| f64::from(i) * 1e-2)
        .map(|d| format!("{d},{}\n", 1e5 * (1e-3 * d).powf(1.5)))
        .collect();
    let inline =
        format!("name = \"inline\"\ncurve = \"\"\"\nindentation (mm),force (kN)\n{rows}\"\"\"\n");
    let again = own(&inline).law(&pair(0.1), Damping::Exact(0.6), None, &[]).unwrap();
    let forces = [&law, &again].map(|law| collide(law, 0.5).unwrap().force_max);
    assert!((forces[0] / forces[1] - 1.0).abs() < 1e-9, "{forces:?}");
    let elastic = own(&text).law(&pair(0.1), Damping::None, None, &[]).unwrap();
    let hertz = model("hertz-1881")
        .unwrap()
        .law(&Pair::new(0.1, 1e8, 1.5).unwrap(), Damping::None, None, &[])
        .unwrap();
    let (a, b) = (collide(&elastic, 0.5).unwrap(), collide(&hertz, 0.5).unwrap());
    assert!(
        (a.force_max / b.force_max - 1.0).abs() < 2e-3
            && (a.restitution.newton - 1.0).abs() < 1e-10
    );
    let down: Vec<String> = (0..=60)
        .rev()
        .map(|i| f64::from(i) / 60.0)
        .map(|s| {
            format!("[{}, {}]", 6e-4 * (0.6 + 0.4 * s), 1e8 * (6e-4f64).powf(1.5) * s.powf(1.5))
        })
        .collect();
    let text = format!("name = \"lossy\"\ncurve = [{}, {}]\n", points.join(", "), down.join(", "));
    let law = own(&text).law(&pair(0.1), Damping::None, None, &[]).unwrap();
    // The unloading curve has the same shape over 0.4 of the depth, so that e² = 0.4.
    let e = collide(&law, 0.5).unwrap().restitution.newton;
    assert!((e * e - 0.4).abs() < 2e-3, "{}", e * e);
}

#[test]
fn a_default_in_the_unit_of_another_exponent_is_noted() {
    let text = "name = \"x\"\nspring = \"K*delta^n + L*delta^3\"\n[parameters]\nK = { unit = \"N/m^n\", default = 1e6 }\nn = 1.3\nL = \"1e9 N/m^3\"";
    let notes = |set: &[(&str, f64)]| {
        let set = set.iter().map(|(name, value)| (name.to_string(), (*value).into())).collect();
        let spec = Spec { law: text.into(), mass: Some(1.0.into()), set, ..Spec::default() };
        let report = Spec { speed: Some(1.0.into()), ..spec }.case().unwrap().run().unwrap();
        report.notes.iter().filter(|note| note.message.to_string().contains("default")).count()
    };
    assert_eq!([notes(&[]), notes(&[("n", 1.3)]), notes(&[("n", 1.5)])], [0, 0, 1]);
    assert_eq!(notes(&[("n", 1.5), ("K", 1e7)]), 0);
}

#[test]
fn hostile_laws_get_one_sentence() {
    let long = format!("name = \"x\"\nspring = \"{}\"", "delta+".repeat(200_000));
    let deep = format!("name = \"x\"\nspring = \"{}delta{}\"", "(".repeat(1500), ")".repeat(1500));
    let nan = "name = \"x\"\nspring = \"K*delta\"\n[parameters]\nK = nan";
    let doubling = format!(
        "name = \"x\"\nspring = \"{}K*delta{}\"\n[parameters]\nK = \"1 N/m\"",
        "max(".repeat(60),
        ", K*delta)".repeat(60)
    );
    for (text, words) in [
        ("name = \"x\"\nspring = \"K/delta\"\n[parameters]\nK = \"1 N m\"", "first touch"),
        ("name = \"x\"\nspring = \"-K*delta\"\n[parameters]\nK = \"1 N/m\"", "pushes back"),
        (
            "name = \"x\"\nspring = \"K*(d - delta)\"\n[parameters]\nK = \"1 N/m\"\nd = \"1 mm\"",
            "delta = 0",
        ),
        ("name = \"x\"\nspring = \"spring + K*delta\"\n[parameters]\nK = \"1 N/m\"", "spring"),
        (
            "name = \"x\"\nspring = \"K*delta^n + c\"\n[parameters]\nK = \"N/m^1.5\"\nn = 1.5",
            "no name `c`",
        ),
        (
            "name = \"x\"\nspring = \"K*delta^n + c\"\ndamper = \"c*delta*rate\"\n[parameters]\nK = \"N/m^1.5\"\nn = 1.5",
            "adds `K*delta^n` in N and `c` in Pa s",
        ),
        (
            "name = \"x\"\nspring = \"K*delta^n + c\"\n[parameters]\nK = \"N/m^1.5\"\nn = 1.5\nc = \"2 N s/m\"",
            "adds",
        ),
        (
            "name = \"x\"\nspring = \"K*delta^n + F\"\n[parameters]\nK = \"N/m^1.5\"\nn = 1.5\nF = \"3 kg\"",
            "adds",
        ),
        ("name = \"x\"\nspring = \"K*delta^2\"\n[parameters]\nK = \"N/m\"", "N"),
        ("name = \"x\"\nspring = \"K*delta\"\n[parameters]\nK = \"1 furlong\"", "furlong"),
        ("name = \"x\"\nspring = \"K*delta\"\n[parameters]\nK = \"1 N/m\"\nrate = 3", "rate"),
        ("name = \"x\"\nspring = \"K*delta\"", "K"),
        ("name = \"x\"", "spring"),
        ("spring = \"1\"", "name"),
        ("name = \"x y\"\nspring = \"1\"", "letters"),
        ("name = \"x\"\nsprnig = \"delta\"", "sprnig"),
        ("name = \"x\"\nspring = \"delta", "line 2"),
        ("name = \"x\"\ncurve = \"/etc/passwd\"", "text"),
        ("name = \"x\"\ncurve = [[0, 0], [1e-3, nan]]", "finite"),
        (
            "name = \"x\"\nspring = \"K*delta\"\ndamper = \"c*delta\"\n[parameters]\nK = \"1 N/m\"",
            "rate",
        ),
        (nan, "finite"),
        (&long, "bytes"),
        (&deep, "levels"),
        (&doubling, "operations"),
    ] {
        let law = model(text).and_then(|model| model.law(&pair(1.0), Damping::None, None, &[]));
        let error =
            law.map(|_| ()).expect_err(text.get(..text.len().min(200)).unwrap()).to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(error.len() < 700 && !error.contains('\n'), "{error}");
    }
    let missing = own_law::name_of("no-such-law.toml").unwrap_err().to_string();
    assert!(missing.contains("no-such-law.toml") && missing.contains("path"), "{missing}");
    // A server looks up models by names from its clients; this must not give access to files.
    assert!(model("Cargo.toml").unwrap_err().to_string().contains("text"));
    for hostile in ["/dev/zero", ".", "tests"] {
        assert!(own_law::from_file(std::path::Path::new(hostile)).is_err());
    }
}

#[test]
fn a_spring_that_stops_pushing_is_named_as_the_reason() {
    let text = "name = \"soft\"\nspring = \"K*delta*(1 - delta/d)\"\n[parameters]\nK = \"1e5 N/m\"\nd = \"1 mm\"\n";
    let law = own(text).law(&pair(1.0), Damping::None, None, &[]).unwrap();
    assert!((collide(&law, 0.05).unwrap().restitution.newton - 1.0).abs() < 1e-9);
    let error = collide(&law, 5.0).unwrap_err().to_string();
    assert!(error.contains("stops pushing"), "{error}");
}

#[test]
fn many_contacts_at_once_have_the_forces_of_each() {
    struct Compare;
    impl Work for Compare {
        type Output = ();
        fn run<F: Force>(self, form: F) {
            let memory = form.touch(1.0, 0.3);
            let delta: Vec<f64> = (0..37).map(|i| 1e-3 * f64::from(i)).collect();
            let rate: Vec<f64> = (0..37).map(|i| 0.3 - 0.01 * f64::from(i)).collect();
            let mut force = vec![0.0; 37];
            form.forces(&delta, &rate, &vec![memory; 37], &mut force);
            for i in 0..37 {
                assert_eq!(force[i], form.force(delta[i], rate[i], &memory));
            }
        }
    }
    let text = "name = \"lanes\"\nspring = \"K*delta + K*L*(exp(delta/L) - 1)\"\n[parameters]\nK = \"1 N/m\"\nL = \"1 cm\"\n";
    let law: Law = own(text).law(&pair(1.0), Damping::Exact(0.5), None, &[]).unwrap();
    law.with(Compare);
}
