//! Exports to engines that run the law itself: the arguments of the LAMMPS plugin describe the same law, and the text for
//! DEM-Engine, compiled as C++ with stand-ins for what the engine provides, delivers the same results as `collide`.

use crate::common::Misses;
use crate::common::subjects::{self, SPEED, Subject};
use carom::export::{self, Export, Options};
use carom::impact::Conditions;
use carom::spec::{Case, Quantity, Spec};
use std::fmt::Write as _;
use std::process::Command;

fn case(subject: &Subject) -> Case {
    let Subject { model, pair, damping, set, .. } = subject.clone();
    let conditions = Conditions::default();
    Case { model, pair, damping, exit: None, set, speed: SPEED, conditions }
}

/// Returns the first law of every model that rebounds, with its export.
fn exports(engine: &str) -> Vec<(Subject, Export)> {
    let engine = export::engine(engine).expect("an engine");
    let mut found: Vec<(Subject, Export)> = Vec::new();
    for subject in subjects::all() {
        if found.last().is_some_and(|(last, _)| last.model.id == subject.model.id) {
            continue;
        }
        if let Ok(deck) = export::export(&case(&subject), engine, &Options::default()) {
            found.push((subject, deck));
        }
    }
    let missing: Vec<_> = carom::CATALOGUE
        .iter()
        .filter(|model| !found.iter().any(|(subject, _)| subject.model.id == model.id))
        .map(|model| model.id)
        .collect();
    assert!(missing.is_empty(), "{engine:?}: {missing:?}");
    found
}

/// Returns the description given by the arguments of `pair_coeff`.
fn spec(text: &str) -> Spec {
    let line = text.lines().find(|line| line.starts_with("pair_coeff")).expect("a pair_coeff");
    let mut words = line.split_whitespace().skip(3).map(str::to_string);
    let mut spec = Spec { speed: Some(SPEED.into()), ..Spec::default() };
    while let Some(key) = words.next() {
        let mut value = words.next().expect("a value");
        let number = |value: &str| Some(Quantity::Number(value.parse().expect("a number")));
        match key.as_str() {
            "law" => spec.law = value,
            "calibration" => spec.calibration = Some(value),
            "exit" => spec.exit = Some(value),
            "mass" => spec.mass = number(&value),
            "stiffness" => spec.stiffness = number(&value),
            "exponent" => spec.exponent = number(&value),
            "restitution" => spec.restitution = number(&value),
            "damping" => spec.damping = number(&value),
            "damping_exponent" => spec.damping_exponent = number(&value),
            "rate_exponent" => spec.rate_exponent = number(&value),
            "set" => {
                let name = std::mem::replace(&mut value, words.next().expect("a value"));
                spec.set.extend(number(&value).map(|number| (name, number)));
            }
            other => panic!("`{other}`"),
        }
    }
    spec
}

#[test]
fn words_for_the_plugin_of_lammps_are_the_same_law() {
    let mut misses = Misses::new();
    for (subject, deck) in exports("lammps-plugin") {
        assert!(deck.text.contains("pair_style      carom") && deck.lost.is_empty());
        let again = spec(&deck.text).case().and_then(|case| case.law());
        let again = again.unwrap_or_else(|why| panic!("{subject}: {why}"));
        let (own, other) = (subject.law.touch(SPEED), again.touch(SPEED));
        let depth = deck.delivers.indentation_max.unwrap();
        for (share, rate) in [(0.3, 0.4), (0.9, 0.1), (0.7, -0.2)] {
            let force = subject.law.force(share * depth, rate, &own);
            let found = again.force(share * depth, rate, &other);
            misses.near(&subject, found, force, 1e-12);
        }
        misses.require(again.exit == subject.law.exit, || format!("{subject}: exit"));
    }
    misses.assert_none();
}

/// The environment of a force model in DEM-Engine, for one contact on a processor.
const STAND_IN: &str = r#"
#include <cmath>
#include <cstdio>
#include <initializer_list>
using namespace std;
#define __device__
struct float3 { float x, y, z; };
struct float4 { float x, y, z, w; };
static float3 make_float3(float x, float y, float z) { return {x, y, z}; }
static float3 operator+(float3 a, float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static float3 operator-(float3 a, float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static float3 operator*(float s, float3 a) { return {s * a.x, s * a.y, s * a.z}; }
static void operator+=(float3 &a, float3 b) { a = a + b; }
static float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static float length(float3 a) { return sqrtf(dot(a, a)); }
static float3 cross(float3 a, float3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
namespace deme { typedef float oriQ_t; }
template <typename A, typename B> void applyOriQToVector3(A &, A &, A &, B, B, B, B) {}
static const float E[1] = {1e9f}, nu[1] = {0.3f}, mu[1][1] = {{0.3f}};
static const int bodyAMatType = 0, bodyBMatType = 0;
static const float ARadius = 0.1f, BRadius = 0.1f;
static const float4 AOriQ = {0, 0, 0, 1}, BOriQ = {0, 0, 0, 1};
struct Wild { float carom_speed, carom_damping, carom_peak, carom_time, carom_internal, carom_tx, carom_ty, carom_tz; };
typedef float3 (*Model)(double, float3, float3, float3, float, Wild &);
// The restitution of two bodies that begin a part of a step before they touch.
static double restitution(Model model, double mass, double speed, float ts, int steps) {
    Wild wild = {0, 0, 0, 0, 0, 0, 0, 0};
    double delta = -0.37 * ts * speed, rate = speed;
    for (int k = 0; k < steps; k++) {
        delta += ts * rate;
        // A lies at negative x: the normal from B to A.
        const float3 force = model(delta, {-1, 0, 0}, {(float)(0.5 * rate), 0, 0}, {(float)(-0.5 * rate), 0, 0}, ts, wild);
        rate += ts * force.x / mass;
    }
    return -rate / speed;
}
"#;

#[test]
fn the_text_for_dem_engine_delivers_what_a_collision_says() {
    let steps = 4000;
    let decks = exports("dem-engine");
    let (mut program, mut calls) = (STAND_IN.to_string(), String::new());
    for (i, (subject, deck)) in decks.iter().enumerate() {
        let _ = write!(
            program,
            "static float3 model{i}(double overlapDepth, float3 B2A, float3 ALinVel, float3 BLinVel, float ts, Wild &wild) {{\n\
             float3 force = {{0, 0, 0}}; const float3 ARotVel = {{0, 0, 0}}, BRotVel = ARotVel, locCPA = ARotVel, locCPB = ARotVel;\n"
        );
        for name in ["speed", "damping", "peak", "time", "internal", "tx", "ty", "tz"] {
            let whole = format!("carom_{name}");
            let used = deck.text.contains(&whole);
            let asked = deck.text.contains(&format!("\"{whole}\""));
            assert_eq!(used, asked, "{subject}: {whole}");
            if used {
                let _ = writeln!(program, "float &{whole} = wild.{whole};");
            }
        }
        let _ = writeln!(program, "{{ {} }}\nreturn force; }}", deck.text);
        let _ = writeln!(
            calls,
            "printf(\"%.9g\\n\", restitution(model{i}, {:e}, {SPEED:e}, {:e}, {}));",
            subject.law.mass,
            deck.delivers.duration.unwrap() / f64::from(steps),
            steps * 13 / 10
        );
    }
    let _ = writeln!(program, "int main() {{ {calls} return 0; }}");
    let folder = std::env::temp_dir().join(format!("carom-dem-engine-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join("models.cpp"), folder.join("models"));
    std::fs::write(&source, program).expect("written");
    let compiler = std::env::var("CC").unwrap_or("cc".into());
    let done = Command::new(compiler)
        .args(["-x", "c++", "-std=c++14", "-O0", "-w", "-o"])
        .args([&binary, &source])
        .args(["-lstdc++", "-lm"])
        .output()
        .expect("a compiler");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let printed = Command::new(&binary).output().expect("it runs").stdout;
    let printed = String::from_utf8(printed).expect("text");
    let mut misses = Misses::new();
    assert_eq!(printed.lines().count(), decks.len());
    for (line, (subject, deck)) in printed.lines().zip(&decks) {
        let found: f64 = line.parse().unwrap_or(f64::NAN);
        misses.near(subject, found, deck.delivers.restitution, 1e-3);
    }
    misses.assert_none();
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}
