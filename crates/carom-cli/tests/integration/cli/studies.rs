//! Studies of scenes: `carom sweep --over`, `carom bifurcation`, `carom simulate --laws` and figures in all formats.

use super::{carom_with, csv, done, folder, refused, scene_path};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const BALL: &str = r#"
    title = "Ball"
    simulation = { duration = 0.12, gravity = 9.81 }
    ground = { material = "steel" }
    body = [{ name = "ball", shape = "sphere", radius = "10 mm", material = "steel", position = [0, 0, 0.03] }]
    contact = [{ between = ["ball", "ground"], law = "hunt-crossley-1975", restitution = 0.8, calibration = "exact" }]
"#;

/// A ball on a shaken table, with one impact per turn.
const SHAKER: &str = r#"
    title = "Shaker"
    simulation = { duration = 1, gravity = 9.81, tolerance = 1e-8 }
    body = [
        { name = "table", shape = "half-space", motion = { direction = [0, 0, 1], amplitude = "0.46 mm", frequency = 157.08 } },
        { name = "ball", shape = "sphere", radius = "5 mm", mass = 0.01, position = [0, 0, 5.714e-3], velocity = [0, 0, -0.168] },
    ]
    joint = [{ kind = "prismatic", between = ["ball", "ground"], axis = [0, 0, 1] }]
    contact = [{ name = "bounce", between = ["ball", "table"], law = "kelvin-voigt", stiffness = "6e7 N/m", exponent = 1,
        restitution = 0.5, calibration = "exact" }]
"#;

fn written(folder: &Path, text: &str) -> (PathBuf, String) {
    let path = folder.join("scene.toml");
    fs::write(&path, text).unwrap();
    (path.clone(), path.to_str().unwrap().to_string())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Returns a tetrahedron as a binary STL file: 80 bytes of text, the number of triangles, and normal and corners of each.
fn binary_tetrahedron() -> Vec<u8> {
    let corners = [[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut bytes = vec![b' '; 80];
    bytes.extend(4u32.to_le_bytes());
    for face in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
        let normal = [0.0f32; 3];
        let numbers = normal.into_iter().chain(face.into_iter().flat_map(|k: usize| corners[k]));
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([0, 0]);
    }
    bytes
}

#[test]
fn a_scene_with_a_binary_mesh_can_be_swept() {
    // Regression: only `carom simulate` and `carom regimes` could read binary files of a scene; sweeps refused them as not being
    // text.
    let folder = folder("binary-mesh");
    fs::write(folder.join("stone.stl"), binary_tetrahedron()).unwrap();
    let (_, scene) = written(
        &folder,
        r#"
        simulation = { duration = 0.1, gravity = 10 }
        body = [{ name = "stone", shape = "mesh", file = "stone.stl", unit = "1 cm", density = 1000, position = [0, 0, 1] }]
        "#,
    );
    let answer = done(carom_with(&[
        "sweep",
        &scene,
        "--over",
        "stone.density=1000, 2000",
        "--output",
        "last(trajectory.z_m, stone)",
        "--json",
    ]));
    let rows: Vec<Value> = serde_json::from_str(&answer).unwrap();
    let height = |row: &Value| row["last(trajectory.z_m, stone)"].as_f64().unwrap();
    let heights: Vec<f64> = rows.iter().map(height).collect();
    assert!(heights.len() == 2 && heights.iter().all(|z| (z - 0.95).abs() < 1e-9), "{heights:?}");
}

#[test]
fn a_sweep_of_a_scene_is_the_same_file_on_any_number_of_threads_and_goes_on() {
    let folder = folder("scene-sweep");
    let (_, scene) = written(&folder, BALL);
    let over = ["--over", "ball-ground.restitution=0.5..0.9:5", "--over", "ball.radius=5, 10 mm"];
    let sweep = |out: &Path, more: &[&str]| {
        let mut words = vec!["sweep", scene.as_str(), "--out", text(out)];
        words.extend(over.iter().chain(more));
        done(carom_with(&words))
    };
    let (one, two) = (folder.join("one.csv"), folder.join("two.csv"));
    let figure = folder.join("figure.svg");
    let told = sweep(&one, &["--threads", "1"]);
    assert!(told.contains("10 cases") && told.contains("runs/s"), "{told}");
    sweep(&two, &["--threads", "2", "--plot", text(&figure)]);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    assert!(fs::read_to_string(&figure).unwrap().contains("force max"));
    assert!(sweep(&one, &[]).contains("is complete"));
    // The printed table equals the written one.
    let mut words = vec!["sweep", scene.as_str(), "--csv"];
    words.extend(over);
    assert_eq!(done(carom_with(&words)), fs::read_to_string(&one).unwrap());
    // A different study does not continue this table.
    let words = ["sweep", &scene, "--over", "ball.radius=5, 10 mm", "--out", text(&one)];
    refused(carom_with(&words), 2);
    let words = ["sweep", &scene, "--over", "ball.radius=-1, 10 mm", "--case", "0"];
    assert!(done(carom_with(&words)).contains("radius"));
}

#[test]
fn a_study_names_its_scene_beside_it() {
    let folder = folder("scene-study");
    written(&folder, BALL);
    let study = folder.join("study.toml");
    let said = "outputs = [\"touches\"]\n[scene]\nfile = \"scene.toml\"\n[[axis]]\n\
                parameter = \"ball-ground.law\"\nvalues = [\"tsuji-1992\", \"flores-2011\"]\n";
    fs::write(&study, said).unwrap();
    let told = done(carom_with(&["sweep", text(&study), "--csv"]));
    let (header, rows) = csv(&told);
    assert_eq!(header, ["case", "ball-ground.law", "touches", "status"]);
    assert_eq!((rows[0][1], rows[1][2]), ("tsuji-1992", "1"));
}

#[test]
fn a_bifurcation_diagram_has_points_exponents_and_figures() {
    let folder = folder("bifurcation");
    let (_, scene) = written(&folder, SHAKER);
    let over = "table.motion.amplitude=0.46, 0.5 mm";
    let short = ["--skip", "40", "--turns", "12"];
    let (svg, pdf) = (folder.join("d.svg"), folder.join("d.pdf"));
    let mut words =
        vec!["bifurcation", scene.as_str(), "--over", over, "--json", "--plot", text(&svg)];
    words.extend(short);
    let found: Value = serde_json::from_str(&done(carom_with(&words))).unwrap();
    for case in found["cases"].as_array().unwrap() {
        assert_eq!(case["repeats"], 1);
        assert!(case["lyapunov"].as_f64().unwrap() < -10.0, "{case}");
        assert_eq!(case["points"]["offset_z_m"].as_array().unwrap().len(), 12);
    }
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("Poincaré section") && drawn.contains("Largest Lyapunov exponent"));
    let out = folder.join("d.parquet");
    let mut words =
        vec!["bifurcation", scene.as_str(), "--over", over, "--section", "touch", "--no-exponent"];
    words.extend(["--out", text(&out), "--plot", text(&pdf), "--show", "phase"]);
    words.extend(short);
    let told = done(carom_with(&words));
    assert!(told.contains("2 cases") && told.contains("1 turn"), "{told}");
    assert!(fs::read(&pdf).unwrap().starts_with(b"%PDF"));
    for (more, word) in [
        (["--show", "speed"], "speed_m_per_s"),
        (["--joint", "bounc"], "bounce"),
        (["--over", "table.motion.amplitude"], "KEY"),
    ] {
        let mut words =
            vec!["bifurcation", scene.as_str(), "--section", "touch", "--plot", text(&svg)];
        if more[0] != "--over" {
            words.extend(["--over", over]);
        }
        words.extend(more);
        let sentence = refused(carom_with(&words), 2);
        assert!(sentence.contains(word), "{sentence}");
    }
}

#[test]
fn forces_of_several_laws_are_in_one_figure() {
    let folder = folder("simulate-laws");
    let (_, scene) = written(&folder, BALL);
    let svg = folder.join("forces.svg");
    let laws = "hunt-crossley-1975,tsuji-1992";
    let words = ["simulate", &scene, "--laws", laws, "--csv", "--plot", text(&svg)];
    let told = done(carom_with(&words));
    let (_, rows) = csv(&told);
    assert_eq!((rows[0][0], rows[1][0]), ("hunt-crossley-1975", "tsuji-1992"));
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("tsuji-1992") && drawn.contains("Hardest touch"));
    let sentence =
        refused(carom_with(&["simulate", &scene, "--laws", laws, "--joint", "floor"]), 2);
    assert!(sentence.contains("ball-ground"), "{sentence}");
}

#[test]
fn figures_of_a_run_are_svg_pdf_or_png() {
    let folder = folder("figure-kinds");
    let (_, scene) = written(&folder, BALL);
    for (kind, begins) in [("pdf", &b"%PDF"[..]), ("png", b"\x89PNG")] {
        let out = folder.join(kind);
        let figures = format!("--figures={kind}");
        done(carom_with(&["simulate", &scene, "--out", text(&out), &figures]));
        let forces = fs::read(out.join(format!("figures/forces.{kind}"))).unwrap();
        assert!(forces.starts_with(begins), "{kind}");
    }
    let words = ["simulate", &scene_path("bouncing-ball"), "--out", "x", "--figures=gif"];
    let output = carom_with(&words);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("pdf"));
}
