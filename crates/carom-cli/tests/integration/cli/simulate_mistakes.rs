//! `carom simulate`: messages about changes, existing folders and files of grains.

use super::{carom_with, folder, refused, scene, simulate};
use std::fs;
use std::path::Path;

#[test]
fn notes_are_the_same_after_a_stop() {
    let (whole, pieces) = (folder("simulate-noted"), folder("simulate-noted-pieces"));
    let (scene, short) = (scene("slider-crank"), ["--set", "simulation.duration=15 ms"]);
    assert!(simulate(&scene, &whole, &short).status.success());
    for more in [&["--steps", "400"][..], &["--resume", "--steps", "300"], &["--resume"]] {
        assert!(simulate(&scene, &pieces, &[&short[..], more].concat()).status.success());
    }
    let read = |folder: &Path| fs::read_to_string(folder.join("summary.json")).unwrap();
    assert!(read(&whole).contains("speed_floor"), "the scene has a note to lose");
    assert_eq!(read(&whole), read(&pieces));
}

#[test]
fn so_many_steps_are_so_many_and_files_of_others_stay() {
    let out = folder("simulate-in-the-way");
    let grains = out.join("grains.toml");
    let text = "[simulation]\nduration = \"2 ms\"\ngravity = 9.81\n[grains]\ncount = 8\n\
                radius = \"1 mm\"\nmaterial = \"glass\"\nwidth = [0.01, 0.01]\n\
                [grains.contact]\nlaw = \"tsuji-1992\"\nrestitution = 0.8\n";
    fs::write(&grains, text).unwrap();
    let run_of = |name: &str, more: &[&str]| simulate(&grains, &out.join(name), more);
    let output = run_of("pieces", &["--steps", "101"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("in 101 steps"), "{output:?}");
    assert!(run_of("pieces", &["--resume"]).status.success());
    assert!(run_of("whole", &[]).status.success());
    for name in ["grains.csv", "contacts.csv", "energies.csv", "summary.json"] {
        let read = |folder: &str| fs::read(out.join(folder).join(name)).unwrap();
        assert!(read("whole") == read("pieces"), "{name}");
    }
    for (name, more) in [("trajectory.parquet", &[][..]), ("figures/mine.svg", &["--figures"])] {
        let own = out.join(name.replace(['.', '/'], "-"));
        fs::create_dir_all(own.join("figures")).unwrap();
        fs::write(own.join(name), "mine").unwrap();
        let sentence = refused(simulate(&grains, &own, more), 2);
        assert!(sentence.contains("--overwrite"), "{sentence}");
        assert_eq!(fs::read_to_string(own.join(name)).unwrap(), "mine");
    }
}

#[test]
fn changes_are_named_as_such() {
    let ball = scene("bouncing-ball");
    let said = |change: &str| {
        refused(carom_with(&["simulate", ball.to_str().unwrap(), "--set", change]), 2)
    };
    for (change, parts) in [
        ("bed.radius=3 mm", &["no table `bed`"][..]),
        ("bead.radius=3 kg", &["radius"]),
        ("bead.radius=[1]", &["an array"]),
        ("bead.radus=3 mm", &["did you mean `radius`?"]),
        ("simulation.energy_tolerance=-1", &["energy_tolerance = -1", "above 0"]),
        ("bead-ground.friction=1", &["friction", "an integer"]),
    ] {
        let sentence = said(change);
        assert!(sentence.contains(&format!("toml: change '{change}': ")), "{sentence}");
        assert!(parts.iter().all(|part| sentence.contains(part)), "{sentence}");
        assert!(!sentence.contains("line "), "{sentence}");
    }
    let sentence = refused(carom_with(&["regimes", ball.to_str().unwrap()]), 2);
    assert!(sentence.contains("angle = { rate = ") && sentence.contains("[[joint]]"), "{sentence}");
}

#[test]
fn a_contact_that_makes_energy_is_named() {
    let out = folder("simulate-gain");
    let scene = out.join("gain.toml");
    let said = |b2: &str| {
        let text = format!(
            "[simulation]\nduration = \"5 ms\"\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.05\nmass = 1\n\
             position = [0, 0, 0.0501]\nvelocity = [0, 0, -1]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
             law = \"xiong-2014\"\nstiffness = 1e6\nset = {{ relaxation = 100, b1 = 1e-3, b2 = {b2} }}\n"
        );
        fs::write(&scene, text).unwrap();
        let output = carom_with(&["simulate", scene.to_str().unwrap(), "--json"]);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        summary["notes"].as_array().unwrap().iter().map(|n| n["kind"].to_string()).collect()
    };
    let (kept, made): (Vec<String>, Vec<String>) = (said("1"), said("1e6"));
    assert_eq!((kept, made), (vec![], vec!["\"gain\"".to_string()]));
}

#[test]
fn a_run_that_replaces_another_leaves_nothing_of_it() {
    let out = folder("simulate-replaced").join("run");
    let ball = scene("bouncing-ball");
    let short = ["--set", "simulation.duration=0.3 s"];
    let names = || {
        let mut names = Vec::new();
        for folder in [out.clone(), out.join("figures")] {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        names
    };
    assert!(simulate(&ball, &out, &[&short[..], &["--figures"]].concat()).status.success());
    fs::write(out.join("notes.txt"), "mine").unwrap();
    assert!(names().iter().any(|name| name.ends_with(".svg")));
    // The run is stopped at once: the folder contains only files of the new run, which is not finished.
    let cradle = scene("newtons-cradle");
    let more = ["--overwrite", "--steps", "20", "--format", "parquet"];
    assert!(simulate(&cradle, &out, &more).status.success());
    let stand = names();
    assert!(!stand.contains(&"summary.json".to_string()), "{stand:?}");
    let old = |name: &&String| name.ends_with(".csv") || name.ends_with(".svg");
    assert_eq!(stand.iter().find(old), None, "{stand:?}");
    // Replaced by a finished run of another kind and format, which cannot be resumed.
    let grains = scene("grains");
    let few = ["--set", "simulation.duration=1 ms", "--overwrite"];
    assert!(simulate(&grains, &out, &few).status.success());
    let expected = [
        "contacts.csv",
        "energies.csv",
        "extend.json",
        "grains.csv",
        "notes.txt",
        "scene.json",
        "summary.json",
    ];
    assert_eq!(names(), expected);
    let sentence = refused(simulate(&grains, &out, &["--set", few[1], "--resume"]), 2);
    assert!(sentence.contains("has ended"), "{sentence}");
}

#[test]
fn an_exponent_alone_says_nothing_of_grains_either() {
    let out = folder("simulate-lone-exponent");
    let file = out.join("grains.toml");
    let text = |law: &str, walls: &str| {
        format!(
            "[simulation]\nduration = \"1 ms\"\n[grains]\ncount = 8\nradius = \"1 mm\"\nmaterial = \"glass\"\n\
             width = [0.01, 0.01]\n[grains.contact]\nlaw = \"tsuji-1992\"\nrestitution = 0.8\n{law}\n{walls}"
        )
    };
    let walls = "[grains.wall_contact]\nlaw = \"tsuji-1992\"\nrestitution = 0.8\nexponent = 7\n";
    for (text, line) in [(text("exponent = -7", ""), "line 11"), (text("", walls), "line 15")] {
        fs::write(&file, &text).unwrap();
        let sentence = refused(carom_with(&["simulate", file.to_str().unwrap()]), 2);
        assert!(
            sentence.contains(line)
                && sentence.contains("an exponent has no meaning without a stiffness"),
            "{sentence}"
        );
    }
}

#[test]
fn of_two_changes_of_one_key_the_last_counts_and_that_is_told() {
    // Regression: the first change was ignored silently.
    let ball = scene("bouncing-ball");
    let set = ["--set", "simulation.duration=0.2", "--set", "simulation.duration=0.1 s", "--json"];
    let output = carom_with(&[&["simulate", ball.to_str().unwrap()], &set[..]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "note: `simulation.duration` is set 2 times; the last counts: 0.1 s\n");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["time"], 0.1);
}

#[test]
fn count_and_file_together_are_said_to_be_that() {
    // Regression: both keys were reported as missing.
    let out = folder("simulate-count-and-file");
    let file = out.join("grains.toml");
    let text = "[simulation]\nduration = \"1 ms\"\n[grains]\ncount = 8\nfile = \"bed.txt\"\nradius = \"1 mm\"\n\
                material = \"glass\"\nwidth = [0.01, 0.01]\n[grains.contact]\nlaw = \"tsuji-1992\"\n\
                restitution = 0.8\n";
    fs::write(&file, text).unwrap();
    let run = || refused(carom_with(&["simulate", file.to_str().unwrap()]), 2);
    let sentence = run();
    assert!(sentence.contains("line 5: count and file together"), "{sentence}");
    assert!(!sentence.contains("missing"), "{sentence}");
    // Mistakes in the law of the walls are reported with their line.
    let walls = "[grains.wall_contact]\nlaw = \"tsuji-1992\"\nrestitution = 7\n";
    fs::write(&file, text.replace("file = \"bed.txt\"\n", "") + walls).unwrap();
    let sentence = run();
    assert!(sentence.contains("line 13: restitution = 7"), "{sentence}");
}

/// A ball that bounces without end, computed so coarsely that the relative error of the energy exceeds 0.1 %.
const COARSE: &str = "[simulation]\nduration = 400\ngravity = 9.81\ntolerance = 1e-3\n[[body]]\nname = \"ball\"\n\
    shape = \"sphere\"\nradius = 0.02\ndensity = 1000\nposition = [0, 0, 0.0201]\nvelocity = [0, 0, -1]\n\
    [[contact]]\nbetween = [\"ball\", \"ground\"]\nlaw = \"kelvin-voigt-1865\"\nstiffness = 1e5\nexponent = 1\n";

#[test]
fn a_ledger_that_does_not_close_ends_with_a_status_of_its_own() {
    // Regression: a scene whose energy had grown a hundredfold ended with status 0 and a note.
    let out = folder("simulate-ledger");
    let broken = out.join("broken.toml");
    fs::write(&broken, format!("{COARSE}restitution = 1\ncalibration = \"exact\"\n")).unwrap();
    let plain = refused(carom_with(&["simulate", broken.to_str().unwrap()]), 1);
    let kept = refused(simulate(&broken, &out.join("run"), &[]), 1);
    for sentence in [plain, kept] {
        assert!(sentence.contains("the energy ledger does not close"), "{sentence}");
    }
    // With a finer tolerance the same scene closes its ledger.
    let fine = ["--set", "simulation.tolerance=1e-10"];
    assert!(simulate(&broken, &out.join("fine"), &fine).status.success());
}

#[test]
fn a_damper_that_would_make_energy_is_refused() {
    let out = folder("simulate-negative-damping");
    let scene = out.join("gains.toml");
    for (written, allowed) in [
        ("damping = -2.0", "damping must be a finite number of at least 0"),
        ("restitution = 1.2\ncalibration = \"exact\"", "restitution must be above 0 and at most 1"),
    ] {
        fs::write(&scene, format!("{COARSE}{written}\n")).unwrap();
        let sentence = refused(carom_with(&["simulate", scene.to_str().unwrap()]), 2);
        assert!(sentence.contains(allowed), "{sentence}");
    }
}
