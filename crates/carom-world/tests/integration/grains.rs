//! Beds of grains as scenes: compared with impacts of the library, with statics, and with repeated runs.

use crate::common::subjects;
use carom::law::{Law, Power};
use carom::{Exit, collide};
use carom_store::{Simulation, collect, find};
use carom_world::grains::{Bed, ContactParameters, GranularScene, Wall, check_law};
use carom_world::math::Vec3;
use carom_world::record::GrainSimulation;

const POURED: &str = r#"
    title = "A few grains"
    [simulation]
    duration = "60 ms"
    sample = "1 ms"
    gravity = 9.81
    [grains]
    count = 60
    radii = ["1 mm", "1.5 mm"]
    youngs = "2 MPa"
    poisson = 0.3
    density = 2500
    width = ["9 mm", "9 mm"]
    snapshot = "10 ms"
    [grains.contact]
    law = "tsuji-1992"
    restitution = 0.4
    calibration = "exact"
    friction = { coefficient = 0.4 }
    rolling = { arm = "20 um" }
"#;

fn parsed(text: &str) -> GranularScene {
    GranularScene::parse(text, &|_| Err("no files".into())).unwrap()
}

fn refusal(text: &str) -> String {
    GranularScene::parse(text, &|_| Err("no files".into())).unwrap_err().to_string()
}

#[test]
fn every_law_acts_in_a_bed_as_in_the_library_or_is_refused() {
    let (mut seen, mut refused, mut off) = (0, Vec::new(), Vec::new());
    for subject in subjects::all() {
        let law = subject.law;
        if let Err(error) = check_law(&law) {
            assert!(error.is_unsupported(), "{subject}: {error}");
            refused.push(subject.to_string());
            continue;
        }
        let expected = collide(&law, subjects::SPEED).unwrap();
        if !expected.duration.is_finite() {
            continue;
        }
        let radius: f64 = 0.02;
        let density = law.mass / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3));
        let material =
            ContactParameters { grains: law, walls: law, friction: 0.0, tangential: 0.0 };
        let h = expected.duration / 2000.0;
        let start = Vec3::Z * (radius + 0.5 * h * subjects::SPEED);
        let bed = Bed::new(vec![start], vec![radius], density, material).unwrap().with_ledger();
        let mut bed = bed.with_wall(Wall { point: Vec3::ZERO, normal: Vec3::Z });
        bed.velocity[0] = Vec3::Z * -subjects::SPEED;
        bed.run(h, 2600);
        let found = bed.velocity[0].z / subjects::SPEED;
        let error = bed.energies().error / (0.5 * law.mass * subjects::SPEED * subjects::SPEED);
        if (found - expected.restitution.newton).abs() > 5e-3 || !(error.abs() < 5e-3) {
            let wanted = expected.restitution.newton;
            off.push(format!("{subject}: {found}, not {wanted}; ledger {error}"));
        }
        seen += 1;
    }
    assert!(off.is_empty(), "{off:#?}");
    assert!(seen > 60, "{seen}");
    // Only adhesive laws are refused.
    assert!(!refused.is_empty() && refused.len() < 12, "{refused:#?}");
}

#[test]
fn the_floor_carries_the_weight_and_the_ledger_closes() {
    // Grains roll over each other for about 250 ms.
    let scene = parsed(&POURED.replace("60 ms", "400 ms"));
    let mut poured = GrainSimulation::new(&scene);
    let tables = collect(&mut poured, |_| Ok(())).unwrap();
    let e = poured.bed().energies();
    let turned = poured.summary().turned;
    assert!(e.error.abs() < 1e-12 * turned, "{} of {turned}", e.error);
    assert!(e.kinetic < 1e-4 * turned && e.lost_to_rolling > 0.0, "{e:?}");
    let (name, contacts) = &tables[1];
    assert_eq!(*name, "contacts");
    let column = |name: &str| &find(contacts, name).unwrap().values;
    let (time, with, force) = (column("time_s"), column("with"), column("fz_N"));
    let on_floor = (0..time.len())
        .filter(|&row| time.real(row) == Some(scene.duration) && with.text(row) == Some("wall"));
    // The first wall is the floor; the sides may carry some of the weight by friction.
    let carried: f64 = on_floor.map(|row| force.real(row).unwrap()).sum();
    let radius = &find(&tables[0].1, "radius_m").unwrap().values;
    let weight: f64 = (0..60)
        .map(|i| radius.real(i).unwrap().powi(3))
        .map(|cube| 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * cube * 9.81)
        .sum();
    assert!((carried / weight - 1.0).abs() < 0.01, "{carried} {weight}");
}

#[test]
fn a_bed_stopped_anywhere_and_on_any_threads_is_the_same() {
    let scene = parsed(POURED);
    let run = |threads: usize, saves: bool| {
        let mut poured = GrainSimulation::new(&scene).on_threads(threads).unwrap();
        let (mut pieces, mut count) = (Vec::new(), 0);
        while !poured.done() {
            // The bed is stopped after any number of steps, also within a block of steps that is normally taken at once.
            let most = if saves { 7 } else { u64::MAX };
            assert!(poured.step(most).unwrap() <= most);
            pieces.extend(poured.tables_mut().take(false));
            count += 1;
            if saves && count % 97 == 0 {
                let saved = poured.checkpoint();
                poured =
                    GrainSimulation::resume(&scene, &saved).unwrap().on_threads(threads).unwrap();
            }
        }
        pieces.extend(poured.tables_mut().take(true));
        (pieces, poured.bed().save())
    };
    let whole = run(1, false);
    assert!(whole == run(3, false));
    assert!(whole == run(2, true));
}

#[test]
fn several_sizes_have_hertzs_stiffness_of_their_own() {
    // A large grain on a small one, and each on the floor: K is proportional to the square root of the effective radius.
    let scene = parsed(&POURED.replace("restitution = 0.4", "restitution = 1"));
    let mut bed = scene.bed.clone();
    let speed = 0.1;
    let (mut small, mut large) = (None, None);
    bed.gravity = Vec3::ZERO;
    for i in 0..bed.position.len() {
        let known = if bed.radius(i) < 1.2e-3 { &mut small } else { &mut large };
        known.get_or_insert(i);
        bed.position[i] = Vec3::new(1.0 + i as f64, 1.0, 1.0);
    }
    for (grain, radius) in [(small.unwrap(), 1e-3f64), (large.unwrap(), 1.5e-3)] {
        let modulus = 2e6 / (2.0 * (1.0 - 0.09));
        let k = 4.0 / 3.0 * modulus * radius.sqrt();
        let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        let law = Law::new(mass, Exit::ZeroForce, Power::elastic(k, 1.5));
        let expected = collide(&law, speed).unwrap();
        let mut bed = bed.clone();
        bed.position[grain] = Vec3::new(4.5e-3, 4.5e-3, radius);
        bed.velocity[grain] = Vec3::Z * -speed;
        let h = expected.duration / 1000.0;
        bed.run(h, 500);
        let deepest = radius - bed.position[grain].z;
        assert!((deepest / expected.indentation_max - 1.0).abs() < 2e-3, "{deepest}");
    }
}

#[test]
fn mindlins_springs_stiffen_with_the_contact() {
    let text =
        POURED.replace("coefficient = 0.4", "coefficient = 1e9, mindlin = true, damping_ratio = 0");
    let mut bed = parsed(&text).bed.clone();
    bed.gravity = Vec3::ZERO;
    for i in 0..bed.position.len() {
        bed.position[i] = Vec3::new(1.0 + i as f64, 1.0, 1.0);
    }
    let (radius, speed, depth) = (bed.radius(0), 1e-3, 1e-5);
    bed.position[0] = Vec3::new(4.5e-3, 4.5e-3, radius - depth);
    bed.velocity[0] = Vec3::X * speed;
    // k = 8·G*·√(Rδ). The spring is stretched by v·h before each of two half steps of the force: v decreases by (1 +
    // 2)/2·k·v·h²/m.
    let shear = 2e6 / (2.0 * 1.3) / (2.0 * 1.7);
    let stiffness = 8.0 * shear * (radius * depth).sqrt();
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let h = 1e-3 * (mass / stiffness).sqrt();
    bed.run(h, 1);
    let braking = (speed - bed.velocity[0].x) / (speed * stiffness * h * h / mass);
    assert!((braking - 1.5).abs() < 1e-3, "{braking}");
    let both =
        POURED.replace("coefficient = 0.4", "coefficient = 0.4, mindlin = true, stiffness = 1");
    assert!(refusal(&both).contains("mindlin and stiffness"), "{}", refusal(&both));
}

#[test]
fn steps_are_chosen_and_long_ones_noted() {
    let chosen = parsed(POURED);
    assert!(chosen.notes.is_empty());
    let with = |step: &str| {
        let line = format!("gravity = 9.81\n step = \"{step}\"");
        parsed(&POURED.replace("gravity = 9.81", &line))
    };
    let given = with("1 us");
    assert!(given.notes.is_empty() && (given.step() / 1e-6 - 1.0).abs() < 1e-3);
    let kinds: Vec<_> = with("0.1 ms").notes.into_iter().map(|note| note.kind).collect();
    assert_eq!(kinds, ["step", "step"]);
}

#[test]
fn mistakes_in_a_bed_name_line_and_remedy() {
    #[rustfmt::skip] // tables are formatted by rows
    let cases = [
        ("count = 60", "count = 0.5", "count = 0.5"),
        ("count = 60", "", "count or file is missing"),
        ("count = 60", "file = \"bed.txt\"", "no files"),
        ("radii = [\"1 mm\", \"1.5 mm\"]", "", "radius is missing"),
        ("radii = [\"1 mm\", \"1.5 mm\"]", "radius = \"1 kg\"", "radius"),
        ("width = [\"9 mm\", \"9 mm\"]", "width = [0.001, 1]", "width = 0.001"),
        ("width = [\"9 mm\", \"9 mm\"]", "widht = [0.1, 1]", "widht"),
        ("density = 2500", "", "density is missing"),
        ("law = \"tsuji-1992\"\n    restitution = 0.4\n    calibration = \"exact\"", "law = \"jkr-1971\"\n    set = { work_of_adhesion = 0.05 }", "without adhesion"),
        ("law = \"tsuji-1992\"", "", "law is missing"),
        ("coefficient = 0.4", "coefficient = -1", "coefficient = -1"),
        ("arm = \"20 um\"", "arm = \"-20 um\"", "rolling arm"),
        ("[grains.contact]", "[[body]]\nname = \"b\"\n[grains.contact]", "[body] in a scene of grains"),
        ("gravity = 9.81", "gravity = 9.81\nstep = 0", "step = 0"),
        ];
    for (from, to, expected) in cases {
        let sentence = refusal(&POURED.replace(from, to));
        assert!(sentence.starts_with("line ") && sentence.contains(expected), "{to}: {sentence}");
    }
    let bodies = carom_world::Scene::parse(POURED, &|_| Err("no files".into())).unwrap_err();
    assert!(
        bodies.to_string().starts_with("line 7: ") && bodies.to_string().contains("carom simulate"),
        "{bodies}"
    );
}

#[test]
fn grains_outside_the_box_or_in_one_place_are_refused_with_their_line() {
    let scene = POURED
        .replace("count = 60", "file = \"bed.txt\"")
        .replace("radii = [\"1 mm\", \"1.5 mm\"]", "radius = \"1 mm\"");
    let read = |scene: &str, file: &str| {
        let file = file.to_string();
        GranularScene::parse(scene, &|_| Ok(file.clone())).map_err(|error| error.to_string())
    };
    // A settled bed has small overlaps with walls and between grains.
    let settled = read(&scene, "0.00098 0.004 0.00099\n0.00294 0.004 0.00099\n");
    assert_eq!(settled.unwrap().bed.position.len(), 2);
    for (file, parts) in [
        (
            "0.004 0.004 0.002\n0.004 0.004 -0.002",
            &["grain 1, line 2 of `bed.txt`", "-0.002) m"][..],
        ),
        ("# x y z\n0.004 0.0095 0.002", &["grain 0, line 2", "0 to 0.009 m along y"]),
        ("4 4 2\n4 4 6", &["grain 0, line 1", "(4, 4, 2) m", "unit = \"mm\""]),
        (
            "0.004 0.004 0.002\n0.002 0.002 0.002\n0.004 0.004 0.002",
            &["grain 2, line 3 of `bed.txt`", "grain 0, line 1 of `bed.txt`"],
        ),
    ] {
        let sentence = read(&scene, file).unwrap_err();
        assert!(parts.iter().all(|part| sentence.contains(part)), "{sentence}");
        assert_eq!(sentence.contains("unit"), file.starts_with('4'), "{sentence}");
    }
    let periodic = scene.replace("snapshot", "periodic = true\n    snapshot");
    assert!(read(&periodic, "-0.004 0.004 0.002").is_ok());
    assert!(read(&periodic, "4 4 2").unwrap_err().contains("unit = \"mm\""));
    let millimetres = scene.replace("snapshot", "unit = \"mm\"\n    snapshot");
    assert!(read(&millimetres, "4 4 2\n4 4 6").is_ok());
}

/// Regression: walls that cut through the initial lattice left grains inside of them, by several radii. These grains were
/// ejected, the error of the ledger was as large as the energy, and the run ended without an error.
#[test]
fn grains_that_begin_inside_walls_or_each_other_are_refused_with_the_pair() {
    let bed = |walls: &str| {
        format!("{POURED}{walls}")
            .replace("friction = { coefficient = 0.4 }", "")
            .replace("rolling = { arm = \"20 um\" }", "")
    };
    let wall = |point: &str, normal: &str| {
        format!("[[grains.wall]]\npoint = {point}\nnormal = {normal}\n")
    };
    // Two slopes that meet in the middle of the box.
    let slopes =
        wall("[\"4.5 mm\", 0, 0]", "[1, 0, 1]") + &wall("[\"4.5 mm\", 0, 0]", "[-1, 0, 1]");
    let message = refusal(&bed(&slopes));
    assert!(message.contains("grain ") && message.contains("behind wall"), "{message}");
    // A wall behind the centres of the grains that nevertheless cuts into them.
    let message = refusal(&bed(&wall("[\"2 mm\", 0, 0]", "[1, 0, 0]")));
    assert!(message.contains("grain ") && message.contains("wall"), "{message}");
    let file = |lines: &'static str| {
        let text = POURED
            .replace("count = 60", "file = \"g.txt\"\nunit = \"mm\"")
            .replace("radii = [\"1 mm\", \"1.5 mm\"]", "radius = \"1 mm\"");
        GranularScene::parse(&text, &move |_| Ok(lines.into()))
    };
    // A settled bed has small overlaps.
    assert!(file("2 2 2\n2 2 3.95\n6 6 6\n").is_ok());
    let message = file("6 6 6\n2 2 2\n2 2.1 3.5\n").unwrap_err().to_string();
    for part in ["grain 1, line 2", "grain 2, line 3", "of the smaller radius"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let message = file("2 2 0.5\n").unwrap_err().to_string();
    assert!(message.contains("grain 0, line 1") && message.contains("wall 0"), "{message}");
}

/// Regression: ten million grains were placed, in three gigabytes and eleven seconds, before a page limited to twenty thousand
/// refused them.
#[test]
fn too_many_grains_and_rows_are_refused_before_memory_is_allocated() {
    let many = POURED.replace("count = 60", "count = 10000000");
    let few = GranularScene::parse_few(&many, &|_| Err("no files".into()), &[], 20_000);
    let message = few.unwrap_err().to_string();
    assert!(message.contains("10000000") && message.contains("20000"), "{message}");
    let message = refusal(&POURED.replace("count = 60", "count = 10000001"));
    assert!(message.contains("10000000"), "{message}");
    // More than a billion rows.
    let finer = POURED.replace("snapshot = \"10 ms\"", "snapshot = \"1 ns\"");
    let message = refusal(&finer.replace("gravity", "step = \"1 ns\"\n    gravity"));
    assert!(message.contains("snapshot") && message.contains("rows"), "{message}");
    let text = "[simulation]\nduration = 1\nsample = 1e-12\n[[body]]\nname = \"b\"\nmass = 1\n\
                inertia = [1, 1, 1]\n";
    let message = carom_world::Scene::parse(text, &|_| Err("none".into())).unwrap_err().to_string();
    assert!(message.contains("sample") && message.contains("rows"), "{message}");
}

/// The ledger of an elastic gas closes to rounding, and the summary states the error that the step causes in its impacts.
#[test]
fn the_error_of_the_step_stands_in_the_summary_and_the_ledger() {
    let gas = r#"
        simulation = { duration = "20 ms", gravity = 0, sample = "1 ms" }
        grains = { count = 200, radius = "1 mm", youngs = "100 MPa", poisson = 0.25, density = 2500,
            width = ["15 mm", "15 mm"], periodic = true, floor = false, shake = "0.5 m/s", seed = 3,
            contact = { law = "hertz-1881" } }
    "#;
    let scene = parsed(gas);
    let mut poured = GrainSimulation::new(&scene);
    let tables = collect(&mut poured, |_| Ok(())).unwrap();
    let summary = poured.summary();
    let told = summary.step_error.unwrap();
    assert!(summary.energy.error.abs() < 1e-13 * summary.turned, "{:?}", summary.energy);
    assert!(told.restitution > 1e-6 && told.restitution < 1e-3, "{told:?}");
    assert!(told.speed > 0.5 && told.speed < 2.0, "{told:?}");
    // In a gas without dampers, collisions lose no more energy than this error.
    assert!(summary.energy.lost_in_contacts.abs() < told.restitution * summary.turned);
    let (_, ledger) = tables.iter().find(|(name, _)| *name == "energies").unwrap();
    let column = ledger.iter().find(|c| c.name == "restitution_error").unwrap();
    assert_eq!(column.values.real(column.values.len() - 1), Some(told.restitution));
    assert_eq!(column.values.real(0), Some(0.0));
}
