//! Poincaré sections and Lyapunov exponents of a ball on a shaken table, compared with its exact map.
//!
//! A ball that falls on a table z = A·sin ωt and rebounds with restitution e has a map from impact to impact that is known in
//! closed form. Its motion with one impact per turn exists where Γ = Aω²/g > π(1−e)/(1+e), with the phase Γ·cos φ = π(1−e)/(1+e)
//! at impact, and is stable up to Γ² = (π(1−e)/(1+e))² + (2(1+e²)/(1+e)²)², where its period doubles (Luo & Han, Nonlinear
//! Dynamics 10 (1996) 1–18). The determinant of the map of one turn is e², so that the exponent is ω·ln(e)/2π where the
//! multipliers are complex.

use carom::sweep::{Plan, SceneStudy};
use carom_world::bifurcation::{Bifurcation, Section, Settings};
use std::f64::consts::{PI, TAU};

const GRAVITY: f64 = 9.81;
const FREQUENCY: f64 = TAU * 25.0;

/// Returns the scene: a light stiff ball that slides along z and begins on the motion with one impact per turn at this Γ.
fn scene(restitution: f64, gamma: f64) -> String {
    let amplitude = gamma * GRAVITY / FREQUENCY.powi(2);
    let cosine = PI * (1.0 - restitution) / (1.0 + restitution) / gamma;
    // The ball meets the table at the phase φ after a flight of one turn.
    let until = cosine.acos() / FREQUENCY;
    let velocity = GRAVITY * (until - PI / FREQUENCY);
    let height = amplitude * cosine.acos().sin() - velocity * until + 0.5 * GRAVITY * until * until;
    let position = 5e-3 + height;
    format!(
        r#"
        simulation = {{ duration = 1, gravity = {GRAVITY} }}
        body = [
            {{ name = "table", motion = {{ direction = [0, 0, 1], amplitude = {amplitude}, frequency = {FREQUENCY} }},
                shape = "half-space" }},
            {{ name = "ball", shape = "sphere", radius = "5 mm", mass = 0.01, position = [0, 0, {position}],
                velocity = [0, 0, {velocity}] }},
        ]
        joint = [{{ name = "guide", kind = "prismatic", between = ["ball", "ground"], axis = [0, 0, 1] }}]
        contact = [{{ name = "bounce", between = ["ball", "table"], law = "kelvin-voigt", stiffness = "6e7 N/m",
            exponent = 1, restitution = {restitution}, calibration = "exact" }}]
        "#
    )
}

/// Prepares the diagram of a scene over a key.
fn plan(
    text: String,
    over: &str,
    section: Section,
    skip: usize,
    turns: usize,
    phase: f64,
) -> Plan<Bifurcation> {
    let study = SceneStudy::over("ball.toml", &[over.into()], None).unwrap();
    let settings = Settings {
        contact: None,
        body: None,
        section,
        period: None,
        skip,
        turns,
        phase,
        exponent: true,
    };
    Plan::new(Bifurcation::new(&study, settings, text, |_| Err("no files".into())).unwrap())
}

/// Returns the columns of the diagram for these values of Γ.
fn diagram(
    restitution: f64,
    gammas: &[f64],
    section: Section,
    skip: usize,
    turns: usize,
) -> Vec<carom_store::Column> {
    let amplitudes: Vec<String> =
        gammas.iter().map(|gamma| format!("{} m", gamma * GRAVITY / FREQUENCY.powi(2))).collect();
    let over = format!("table.motion.amplitude={}", amplitudes.join(", "));
    let plan = plan(scene(restitution, gammas[0]), &over, section, skip, turns, 0.3);
    plan.cases(0..gammas.len() as u64)
}

/// Returns the numbers of a column in the rows of a case.
fn numbers(columns: &[carom_store::Column], name: &str, case: u64) -> Vec<f64> {
    let column = |name: &str| &carom_store::find(columns, name).unwrap().values;
    let cases = column("case");
    let rows = (0..cases.len()).filter(|&row| cases.real(row) == Some(case as f64));
    rows.map(|row| column(name).real(row).unwrap()).collect()
}

#[test]
fn the_exponent_of_a_periodic_motion_is_that_of_its_multipliers() {
    let columns = diagram(0.5, &[1.16], Section::Turn, 60, 240);
    let exponent = numbers(&columns, "lyapunov_per_s", 0)[0];
    let expected = FREQUENCY / TAU * 0.5f64.ln();
    assert!((exponent / expected - 1.0).abs() < 0.02, "{exponent} instead of {expected}");
    assert_eq!(numbers(&columns, "repeats", 0)[0], 1.0);
    // Phase of the impacts: Γ·cos φ = π(1−e)/(1+e).
    let columns = diagram(0.5, &[1.16], Section::Touch, 60, 10);
    let phase = numbers(&columns, "phase", 0);
    let expected = (PI / 3.0 / 1.16).acos() / TAU;
    assert_eq!(phase.len(), 10);
    assert!(phase.iter().all(|one| (one - expected).abs() < 2e-3), "{phase:?}, {expected}");
}

#[test]
fn the_period_doubles_where_theory_says() {
    // The period doubles at Γ = 1.527 for e = 0.5.
    let doubling = ((PI / 3.0).powi(2) + (2.0 * 1.25 / 2.25f64).powi(2)).sqrt();
    let gammas = [0.985 * doubling, 1.015 * doubling];
    let columns = diagram(0.5, &gammas, Section::Turn, 300, 40);
    let repeats = [0, 1].map(|case| numbers(&columns, "repeats", case)[0]);
    assert_eq!(repeats, [1.0, 2.0]);
    let exponents = [0, 1].map(|case| numbers(&columns, "lyapunov_per_s", case)[0]);
    assert!(exponents.iter().all(|one| *one < 0.0), "{exponents:?}");
}

/// Rigid bodies have the same motion: one impact per turn at Γ·cos φ = π(1−e)/(1+e) with the approach speed gT/(1+e), and a
/// motion that repeats after two turns above the period doubling. An exponent is refused, because both neighbours strike in the
/// same step.
#[test]
fn rigid_bodies_have_the_sections_of_the_exact_map() {
    let doubling = ((PI / 3.0).powi(2) + (2.0 * 1.25 / 2.25f64).powi(2)).sqrt();
    let period = TAU / FREQUENCY;
    let columns = |section, gamma: f64, skip, turns| {
        let over = format!("table.motion.amplitude={} m", gamma * GRAVITY / FREQUENCY.powi(2));
        let mut study = SceneStudy::over("ball.toml", &[over], None).unwrap();
        study.set = vec!["method=nonsmooth".into(), "step=4e-6".into()];
        let settings = Settings {
            contact: None,
            body: None,
            section,
            period: None,
            skip,
            turns,
            phase: 0.3,
            exponent: false,
        };
        let text = scene(0.5, 1.16);
        let refused = Settings { exponent: true, ..settings.clone() };
        let no_files = |_: &str| Err("no files".into());
        let error = Bifurcation::new(&study, refused, text.clone(), no_files).err().unwrap();
        assert!(error.to_string().contains("exponent"), "{error}");
        Plan::new(Bifurcation::new(&study, settings, text, no_files).unwrap()).cases(0..1)
    };
    let touches = columns(Section::Touch, 1.16, 40, 10);
    let (phase, speed) = ((PI / 3.0 / 1.16).acos() / TAU, GRAVITY * period / 1.5);
    let found = numbers(&touches, "phase", 0);
    assert_eq!(found.len(), 10);
    assert!(found.iter().all(|one| (one - phase).abs() < 1e-3), "{found:?}, {phase}");
    let found = numbers(&touches, "speed_m_per_s", 0);
    assert!(found.iter().all(|one| (one / speed - 1.0).abs() < 1e-3), "{found:?}, {speed}");
    let turns = columns(Section::Turn, 1.02 * doubling, 300, 30);
    assert_eq!(numbers(&turns, "repeats", 0)[0], 2.0);
    // In flight only gravity acts.
    assert!(numbers(&turns, "az_m_per_s2", 0).iter().all(|a| (a + GRAVITY).abs() < 1e-9));
}

/// Regression: a neighbour is put back to its small distance by extrapolation. The largest indentations of the two motions were
/// extrapolated too, even if they still differed while the motions had become close; they grew every turn until the contact of
/// the neighbour released 10⁸³ J.
#[test]
fn a_neighbour_remembers_no_indentations_that_never_were() {
    // The scene of the guide, which begins from the same state for all amplitudes.
    let text = r#"
        simulation = { duration = "1 s", gravity = "9.81 m/s^2", tolerance = 1e-8 }
        body = [
            { name = "table", shape = "half-space",
                motion = { direction = [0, 0, 1], amplitude = "0.46 mm", frequency = "157.08 rad/s" } },
            { name = "ball", shape = "sphere", radius = "5 mm", mass = "10 g", position = [0, 0, "5.714 mm"],
                velocity = [0, 0, "-0.168 m/s"] },
        ]
        joint = [{ name = "guide", kind = "prismatic", between = ["ball", "ground"], axis = [0, 0, 1] }]
        contact = [{ name = "bounce", between = ["ball", "table"], law = "kelvin-voigt", stiffness = "6e7 N/m",
            exponent = 1, restitution = 0.5, calibration = "exact" }]
    "#;
    let plan =
        plan(text.into(), "table.motion.amplitude=0.42..0.7 mm:300", Section::Touch, 100, 100, 0.0);
    for case in [279, 281, 284, 288, 289, 291] {
        let columns = plan.cases(case..case + 1);
        let exponents = numbers(&columns, "lyapunov_per_s", case);
        assert!(exponents.first().is_some_and(|one| one.is_finite()), "{case}: {exponents:?}");
    }
}

/// Computes the exponent of the exact map (1/s) from its derivatives along a long motion.
fn exact_exponent(restitution: f64, gamma: f64) -> f64 {
    let (w, g) = (FREQUENCY, GRAVITY);
    let a = gamma * g / (w * w);
    let table = |t: f64| (a * (w * t).sin(), a * w * (w * t).cos(), -a * w * w * (w * t).sin());
    let (mut t, mut v) = (0.013, 0.25);
    // The tangent: variations of the instant of an impact and of the velocity after it.
    let (mut dt, mut dv) = (1e-3, 1.0);
    let (mut sum, mut begun) = (0.0, 0.0);
    for k in 0..20_000 {
        let height = |s: f64| table(t).0 + v * s - 0.5 * g * s * s - table(t + s).0;
        // The first return to the table, found by scanning and then by bisection.
        let (mut low, step) = (0.0, 2e-4);
        while height(low + step) > 0.0 || low == 0.0 {
            low += step;
        }
        let mut high = low + step;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if height(middle) > 0.0 { low = middle } else { high = middle }
        }
        let s = 0.5 * (low + high);
        let (before, after) = (table(t), table(t + s));
        let fall = v - g * s;
        // Variation of the next instant, from height(t, v, s) = 0.
        let by_t = before.1 - after.1;
        let ds = -(by_t * dt + s * dv) / (fall - after.1);
        let dn = dt + ds;
        let dv_next = -restitution * (dv - g * ds) + (1.0 + restitution) * after.2 * dn;
        v = -restitution * fall + (1.0 + restitution) * after.1;
        t += s;
        let size = (dn * g).hypot(dv_next);
        (dt, dv) = (dn / size, dv_next / size);
        if k == 1000 {
            (sum, begun) = (0.0, t);
        }
        sum += size.ln();
    }
    sum / (t - begun)
}

#[test]
fn the_exponent_of_a_chaotic_motion_is_that_of_the_exact_map() {
    // A typical bounce takes three turns, so that none is too short for the scan above.
    let (restitution, gamma) = (0.9, 3.0);
    let expected = exact_exponent(restitution, gamma);
    let columns = diagram(restitution, &[gamma], Section::Turn, 50, 600);
    let exponent = numbers(&columns, "lyapunov_per_s", 0)[0];
    let error = numbers(&columns, "lyapunov_error_per_s", 0)[0];
    assert!(numbers(&columns, "repeats", 0)[0].is_nan());
    assert!(expected > 5.0 && error < 0.2 * expected, "{expected}, ± {error}");
    assert!((exponent - expected).abs() < 4.0 * error, "{exponent} ± {error}, {expected}");
}

#[test]
fn the_exponent_of_a_driven_oscillator_is_half_its_damping_over_its_mass() {
    // The system is linear, so that the exponent is −c/2m for any drive. The distance of the neighbours oscillates with its
    // direction, with a period other than that of the drive. Regression: the mean of the growths had an error of up to 2 %, three
    // hundred times its standard error.
    for (stiffness, damping) in [(200.0, 1.0), (200.0, 3.0), (150.0, 1.0), (300.0, 2.0)] {
        let text = format!(
            r#"
            simulation = {{ duration = 1 }}
            body = [{{ name = "m", mass = 2, inertia = [1, 1, 1] }}]
            joint = [{{ name = "rail", kind = "prismatic", between = ["m", "ground"], axis = [1, 0, 0],
                spring = {{ stiffness = {stiffness}, damping = {damping} }} }}]
            force = [{{ body = "m", direction = [1, 0, 0], amplitude = 5, frequency = 7 }}]
            "#
        );
        let over = format!("rail.spring.damping={damping}");
        let columns = plan(text, &over, Section::Turn, 30, 60, 0.0).cases(0..1);
        let [value, error] =
            ["lyapunov_per_s", "lyapunov_error_per_s"].map(|name| numbers(&columns, name, 0)[0]);
        let expected = -damping / 4.0;
        assert!((value / expected - 1.0).abs() < 0.01, "{value} instead of {expected}");
        assert!((value - expected).abs() < 4.0 * error, "{value} ± {error} instead of {expected}");
    }
}
