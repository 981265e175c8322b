//! Every law evaluated with every scalar type (numbers, SIMD lanes, dual numbers, the recorder) and by the code generated from
//! it.

use crate::common::subjects::{self, SPEED, Subject};
use crate::common::{Misses, Random};
use carom::CATALOGUE;
use carom::code::{self, Formulas, Language, Numbers};
use carom::law::{Force, Memory, Response, Work};
use carom::scalar::{Dual, Lanes, Scalar};
use carom::spec::Spec;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// Number of states at which laws are compared.
const POINTS: usize = 10_000;

/// A state in multiples of the scales of an impact: δ, largest indentation so far, δ̇, time, internal state.
type Shares = [f64; 5];

fn shares() -> Vec<Shares> {
    let mut random = Random::new(15);
    let mut share = |low: f64, high: f64| random.between(low, high);
    (0..POINTS)
        .map(|_| {
            let delta = share(-0.1, 1.3);
            let peak = if share(0.0, 1.0) < 0.3 { delta.max(0.0) } else { share(0.0, 1.3) };
            [delta, peak, share(-1.5, 1.5), share(0.0, 2.5), share(0.0, 1.0)]
        })
        .collect()
}

/// Returns the scales of an impact: indentation, time, internal state.
fn scales(subject: &Subject) -> [f64; 3] {
    let (depth, time) = match carom::collide(&subject.law, SPEED) {
        Ok(impact) if impact.indentation_max > 0.0 && impact.indentation_max.is_finite() => {
            (impact.indentation_max, impact.time_of_indentation_max)
        }
        _ => (3e-5, 1e-4),
    };
    [depth, time, depth.powf(subject.pair.exponent)]
}

fn state(touch: &Memory, [depth, time, internal]: [f64; 3], share: &Shares) -> (f64, f64, Memory) {
    let memory = Memory {
        peak: share[1] * depth,
        time: share[3] * time,
        internal: share[4] * internal,
        ..*touch
    };
    (share[0] * depth, share[2] * SPEED, memory)
}

/// Returns the laws whose damping is finite.
fn sound() -> Vec<Subject> {
    let finite = |subject: &Subject| subject.law.touch(SPEED).damping.is_finite();
    subjects::all().into_iter().filter(finite).collect()
}

/// Results of a law: force, force before it is limited to zero, next peak, rate of the internal state, damping at touch (0 where
/// it has to be found by a search).
type Answers<S> = [S; 5];

fn answers<S: Scalar>(
    form: &impl Response<S>,
    mass: f64,
    (delta, rate): (S, S),
    memory: &Memory<S>,
) -> Answers<S> {
    [
        form.force(delta, rate, memory),
        form.signed(delta, rate, memory),
        form.peak_after(delta, rate, memory),
        form.internal_rate(delta, rate, memory),
        form.damping_at_touch(S::of(mass), memory.speed).unwrap_or(S::of(0.0)),
    ]
}

/// Evaluates a law with this mass (first field) with SIMD lanes and with dual numbers at the given states.
struct Others<'a>(f64, &'a [(f64, f64, Memory)]);

impl Work for Others<'_> {
    type Output = Vec<[Answers<f64>; 2]>;
    fn run<F: Force>(self, form: F) -> Self::Output {
        let Others(mass, points) = self;
        let lanes = form.over(|_, value| Lanes::<4>::of(value));
        let dual = form.over(|_, value| Dual::<2>::of(value));
        let at = |points: &[(f64, f64, Memory)]| {
            let column = |of: &dyn Fn(&(f64, f64, Memory)) -> f64| {
                Lanes(std::array::from_fn(|i| of(&points[i])))
            };
            let memory = Memory {
                speed: column(&|p| p.2.speed),
                damping: column(&|p| p.2.damping),
                peak: column(&|p| p.2.peak),
                time: column(&|p| p.2.time),
                internal: column(&|p| p.2.internal),
            };
            let motion = (column(&|p| p.0), column(&|p| p.1));
            let side = answers(&lanes, mass, motion, &memory);
            let one = |(i, (d, v, memory)): (usize, &(f64, f64, Memory))| {
                let memory = memory.over(|_, value| Dual::of(value));
                let motion = (Dual::variable(*d, 0), Dual::variable(*v, 1));
                let duals = answers(&dual, mass, motion, &memory);
                [side.map(|lanes| lanes.0[i]), duals.map(|dual| dual.value)]
            };
            points.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        points.chunks_exact(4).flat_map(at).collect()
    }
}

/// Evaluates a law with this mass (first field) with plain numbers.
struct Plain(f64, f64, f64, Memory);

impl Work for Plain {
    type Output = Answers<f64>;
    fn run<F: Force>(self, form: F) -> Answers<f64> {
        let Plain(mass, d, v, memory) = self;
        answers(&form, mass, (d, v), &memory)
    }
}

/// Returns the arguments of a recorded function, found by their names.
fn arguments(names: &[String], formulas: &Formulas, (d, v, m): &(f64, f64, Memory)) -> Vec<f64> {
    let number = |name: &str| formulas.numbers.iter().find(|(known, _)| *known == name);
    let of = |name: &String| match name.as_str() {
        "delta" => *d,
        "rate" => *v,
        "speed" => m.speed,
        "damping" => m.damping,
        "peak" => m.peak,
        "time" => m.time,
        "internal" => m.internal,
        other => number(other).unwrap_or_else(|| panic!("no number {other}")).1,
    };
    names.iter().map(of).collect()
}

/// Compares two results up to rounding: an inner iteration may take one step more in a SIMD lane because of another lane, and
/// recorded formulas contain the largest number of steps.
fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-14 * b.abs())
}

#[test]
fn every_law_is_the_same_through_every_scalar() {
    let shares: Vec<_> = shares().into_iter().take(200).collect();
    let mut misses = Misses::new();
    for subject in sound() {
        let (touch, scales) = (subject.law.touch(SPEED), scales(&subject));
        let points: Vec<_> = shares.iter().map(|share| state(&touch, scales, share)).collect();
        let mass = subject.law.mass;
        let others = subject.law.with(Others(mass, &points));
        let formulas = Formulas::of(&subject.law);
        for (point, [lanes, duals]) in points.iter().zip(others) {
            let plain = subject.law.with(Plain(mass, point.0, point.1, point.2));
            misses.require(same(&lanes, &plain) && same(&duals, &plain), || {
                format!("{subject} at {point:?}: {plain:?}, lanes {lanes:?}, duals {duals:?}")
            });
            let recorded = |function: &carom::scalar::expression::Function| {
                function.evaluate(&arguments(&function.inputs, &formulas, point))[0]
            };
            let force = recorded(&formulas.force);
            let peak = formulas.peak.as_ref().map_or(plain[2], recorded);
            let rate = formulas.internal_rate.as_ref().map_or(plain[3], recorded);
            misses.require(same(&[force, peak, rate], &[plain[0], plain[2], plain[3]]), || {
                format!("{subject} at {point:?}: {plain:?}, recorded {force}, {peak}, {rate}")
            });
        }
        if let Some(function) = &formulas.touch {
            let at = (0.0, 0.0, Memory { speed: 1.3 * SPEED, ..touch });
            let damping = function.evaluate(&arguments(&function.inputs, &formulas, &at))[0];
            let expected = subject.law.touch(1.3 * SPEED).damping;
            misses.require(damping == expected, || format!("{subject}: {damping} {expected}"));
        }
    }
    misses.assert_none();
}

/// The C code of every law, compiled with the C compiler that links Rust programs, agrees with Rust at 10⁴ states.
#[test]
fn printed_c_agrees_with_the_library() {
    let (subjects, shares) = (sound(), shares());
    let mut source = String::from("#include <math.h>\n#include <stdio.h>\n\n");
    let mut calls = String::new();
    for (k, subject) in subjects.iter().enumerate() {
        source += &code::law(&format!("law{k}"), &subject.law, Language::C);
        let formulas = Formulas::of(&subject.law);
        let [depth, time, internal] = scales(subject);
        let touch = subject.law.touch(SPEED);
        let Memory { speed, damping, .. } = touch;
        let call = |suffix: &str, names: &[String]| {
            let numbers: Vec<_> = formulas.numbers.iter().map(|(name, _)| *name).collect();
            let given = names.iter().filter(|name| !numbers.contains(&name.as_str()));
            format!("law{k}_{suffix}({})", given.cloned().collect::<Vec<_>>().join(", "))
        };
        let peak = formulas.peak.as_ref().map(|f| call("peak", &f.inputs));
        let rate = formulas.internal_rate.as_ref().map(|f| call("internal_rate", &f.inputs));
        let zero = || "0.0".to_string();
        write!(
            calls,
            "    for (int i = 0; i < POINTS; i++) {{\n\
             \x20       const double *s = shares[i];\n\
             \x20       const double delta = s[0] * {depth:?}, peak = s[1] * {depth:?}, rate = s[2] * {SPEED:?};\n\
             \x20       const double time = s[3] * {time:?}, internal = s[4] * {internal:?};\n\
             \x20       const double speed = {speed:?}, damping = {damping:?};\n\
             \x20       (void)delta; (void)peak; (void)rate; (void)time; (void)internal; (void)speed; (void)damping;\n\
             \x20       const double out[3] = {{ {}, {}, {} }};\n\
             \x20       fwrite(out, sizeof(double), 3, stdout);\n\
             \x20   }}\n",
            call("force", &formulas.force.inputs),
            peak.unwrap_or_else(zero),
            rate.unwrap_or_else(zero),
        )
        .expect("text");
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join("laws.c"), folder.join("laws"));
    write!(
        source,
        "#define POINTS {POINTS}\nstatic double shares[POINTS][5];\n\nint main(void)\n{{\n    \
         if (fread(shares, sizeof shares, 1, stdin) != 1) return 1;\n{calls}    return 0;\n}}\n"
    )
    .expect("text");
    std::fs::write(&file, source).expect("the C source");
    let flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"];
    let mut compiler = Command::new("cc");
    compiler.args(flags).arg("-o").arg(&program).arg(&file).arg("-lm");
    let output = compiler.output().expect("cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let input = folder.join("shares.bin");
    let bytes: Vec<u8> = shares.iter().flatten().flat_map(|x| x.to_ne_bytes()).collect();
    std::fs::write(&input, bytes).expect("the points");
    let output = Command::new(&program)
        .stdin(std::fs::File::open(&input).expect("the points"))
        .output()
        .expect("the program");
    assert!(output.status.success());
    let numbers: Vec<f64> =
        output.stdout.as_chunks().0.iter().map(|b| f64::from_ne_bytes(*b)).collect();
    assert_eq!(numbers.len(), 3 * POINTS * subjects.len());
    let mut misses = Misses::new();
    for (subject, answers) in subjects.iter().zip(numbers.chunks_exact(3 * POINTS)) {
        let (touch, scales) = (subject.law.touch(SPEED), scales(subject));
        let formulas = Formulas::of(&subject.law);
        let asked = [true, formulas.peak.is_some(), formulas.internal_rate.is_some()];
        for (share, found) in shares.iter().zip(answers.chunks_exact(3)) {
            let (d, v, memory) = state(&touch, scales, share);
            let [force, _, peak, rate, _] = subject.law.with(Plain(subject.law.mass, d, v, memory));
            let expected = [force, peak, rate];
            for ((expected, found), asked) in expected.iter().zip(found).zip(asked) {
                let near = (expected - found).abs() <= 1e-13 * expected.abs();
                misses.require(!asked || near, || {
                    format!("{subject} at {d:e}, {v:e}: {expected:e}, C {found:e}")
                });
            }
        }
    }
    misses.assert_none();
}

#[test]
fn printed_code_reads_like_the_law() {
    let hertz = carom::Law::new(
        0.5,
        carom::Exit::ZeroForce,
        carom::law::Power::new(2e9, 1.5, 1.5, 1.0, carom::law::Damper::Ratio(0.3)),
    );
    let python = code::law("hunt_crossley", &hertz, Language::Python);
    assert!(python.contains("def hunt_crossley_touch(speed):"), "{python}");
    assert!(python.contains("def hunt_crossley_force(delta, rate, damping):"), "{python}");
    let cuda = code::law("hunt_crossley", &hertz, Language::Cuda);
    assert!(cuda.contains("__host__ __device__ inline double hunt_crossley_force("), "{cuda}");
    let latex = code::law("hunt_crossley", &hertz, Language::Latex);
    assert!(latex.contains(r"\dot\delta"), "{latex}");
    println!("{python}\n{cuda}\n{latex}");
}

/// Compiles a source with the given flags.
fn compile(name: &str, source: &str, flags: &[&str]) {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, source).expect("the source");
    let output = Command::new("cc").args(flags).arg(&file).output().expect("cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the generated text of every law with its comment, once with the numbers as constants and once as arguments.
fn listings(language: Language) -> Vec<String> {
    let mut texts = Vec::new();
    for subject in sound() {
        let numbers = Numbers::Constants(Some(SPEED));
        texts.push(code::listing(subject.model, &subject.law, numbers, language));
    }
    let mut lacking = Vec::new();
    for model in CATALOGUE {
        match code::described(&Spec { law: model.id.into(), ..Spec::default() }, language) {
            Ok(text) => texts.push(text),
            Err(why) if why.is_missing() => lacking.push(model.id),
            Err(why) => panic!("{}: {why}", model.id),
        }
    }
    // The moduli of this model have no nominal values.
    assert_eq!(lacking, ["jian-sinusoidal-2019"]);
    texts
}

/// This test needs no GPU: the CUDA additions to C++ are defined as empty macros, and the remainder is the C code that is run
/// above.
#[test]
fn printed_cuda_is_cpp_and_the_same_as_c() {
    let (cuda, c) = (listings(Language::Cuda), listings(Language::C));
    assert!(cuda.len() > 150 && cuda.len() == c.len());
    let mut source = String::from("#include <math.h>\n#define __host__\n#define __device__\n");
    for (k, (cuda, c)) in cuda.iter().zip(&c).enumerate() {
        assert_eq!(cuda.replace("__host__ __device__ inline", "static inline"), *c);
        write!(source, "namespace law{k} {{\n{cuda}}}\n").expect("text");
    }
    let flags = ["-x", "c++", "-std=c++11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"];
    compile("laws.cpp", &source, &flags);
}

#[test]
fn every_listing_says_how_to_use_it() {
    for (language, mark) in
        [(Language::C, "// "), (Language::Python, "# "), (Language::Latex, "% ")]
    {
        for text in listings(language) {
            let comment: Vec<_> =
                text.lines().take_while(|line| line.starts_with(mark.trim())).collect();
            for needed in ["Equation", "Reference", "Units and signs"] {
                let line = format!("{mark}{needed}");
                assert!(comment.contains(&line.as_str()), "no {needed}: {text}");
            }
            // Every argument that is neither part of the motion nor a number of the law is explained.
            for name in ["speed", "damping", "peak", "time", "internal"] {
                let force = text.lines().find(|line| line.contains("_force(")).unwrap_or_default();
                let force = force.split('(').nth(1).unwrap_or_default();
                let taken = force.split([',', ')']).any(|part| part.ends_with(&format!(" {name}")));
                let explained = format!("{mark}  {name}: ");
                let told = comment.iter().any(|line| line.starts_with(&explained));
                assert!(!taken || told, "{name} is not explained: {text}");
            }
        }
    }
}
