//! Exit statuses: the same mistake has the same status in every command, and `carom --help` lists them.

use super::{STEEL, carom_with, folder, scene_path, stdout};
use std::fs;
use std::path::PathBuf;

#[test]
fn the_same_mistake_has_the_same_exit_status_in_every_command() {
    // Regression: a missing file had status 1 in `fit`, `sweep` and `sensitivity`, and 2 in `simulate` and `regimes`; an unknown
    // material had 0.
    let folder = folder("statuses");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let (missing, here) = (path("nosuch.toml"), path("."));
    fs::write(path("binary"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    fs::write(path("nonsense"), "what = is this\n").unwrap();
    fs::write(path("there.svg"), "").unwrap();
    let (ball, crank) = (scene_path("bouncing-ball"), scene_path("slider-crank"));
    let impact = format!("--law flores-2011 {STEEL} --restitution 0.5");
    let no_folder = path("nosuch/figure.svg");
    let mut cases: Vec<(i32, String)> = Vec::new();
    let mut add = |status: i32, words: String| cases.push((status, words));
    let of_files = ["simulate", "regimes", "sweep", "sensitivity", "fit --law hertz"];
    for command in
        of_files.into_iter().chain(["bifurcation --over a.b=1..2:3", "sweep --over a.b=1,2"])
    {
        add(1, format!("{command} {missing}"));
        add(1, format!("{command} {here}"));
        add(2, format!("{command} {}", path("binary")));
        add(2, format!("{command} {}", path("nonsense")));
    }
    add(1, format!("lab --no-open {missing}"));
    add(1, "models zzzz".into());
    add(1, "materials zzzz".into());
    // Files that cannot be written.
    add(1, format!("impact {impact} --plot {no_folder}"));
    add(1, format!("impact {impact} --trajectory {}", path("nosuch/course.csv")));
    add(1, format!("compare --plot {no_folder}"));
    add(1, format!("model flores-2011 --plot {no_folder}"));
    add(1, format!("export --to lammps {impact} --out {}", path("nosuch/in.lmp")));
    add(1, format!("simulate {ball} --set simulation.duration=0.01 --out {}", path("binary/run")));
    // Unknown names.
    add(2, "model zzzz".into());
    add(2, "nonsense".into());
    add(2, "compare --laws zzzz".into());
    add(2, format!("impact --law zzzz {STEEL}"));
    add(2, format!("export --to zzzz {impact}"));
    add(2, "reproduce zzzz".into());
    add(2, "fit --example zzzz".into());
    add(2, "sweep --builtin zzzz".into());
    add(2, format!("regimes {crank} --laws zzzz"));
    add(2, format!("simulate {ball} --set zzzz.radius=1"));
    add(2, format!("simulate {ball} --set bead.zzzz=1"));
    add(2, format!("regimes {crank} --set zzzz.radius=1"));
    add(2, format!("simulate {ball} --format zzzz --out {}", path("run")));
    // Invalid numbers and units.
    for command in ["impact --law hertz", "identify --speed 1 --restitution 0.5 --duration 1ms"] {
        add(2, format!("{command} --mass 3parsec"));
        add(2, format!("{command} --mass -1"));
        add(2, format!("{command} --mass 12.7mm"));
    }
    add(2, format!("simulate {ball} --set simulation.duration=3kg"));
    add(2, format!("regimes {crank} --turns 0"));
    // Unknown options.
    for command in ["models", "simulate", "impact", "lab", "export"] {
        add(2, format!("{command} --nosuchflag"));
    }
    add(2, format!("impact {impact} --plot figure.bmp"));
    for (status, words) in cases {
        let output = carom_with(&words.split_whitespace().collect::<Vec<_>>());
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(status), "carom {words}: {said}");
        assert!(said.starts_with("error: ") && output.stdout.is_empty(), "carom {words}: {said}");
    }
    let help = stdout("--help");
    for line in ["  0    done", "  1    valid", "  2    invalid", "  130  stopped"] {
        assert!(help.contains(line), "{line}");
    }
}

#[test]
fn what_is_in_the_way_has_one_exit_status() {
    // Regression: for an existing table `sweep` had status 1 and `simulate` 2; `export` replaced it silently.
    let folder = folder("statuses-in-the-way");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let impact = format!("--law flores-2011 {STEEL} --restitution 0.5");
    let words = [
        format!("sweep --builtin zhang-2022-fig7 --out {}", path("there.csv")),
        format!("export --to lammps {impact} --out {}", path("in.lmp")),
        format!("simulate {} --out {}", scene_path("bouncing-ball"), path("run")),
    ];
    fs::write(path("there.csv"), "mine").unwrap();
    fs::write(path("in.lmp"), "mine").unwrap();
    fs::create_dir(path("run")).unwrap();
    fs::write(path("run/summary.json"), "mine").unwrap();
    for words in words {
        let output = carom_with(&words.split_whitespace().collect::<Vec<_>>());
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(2), "carom {words}: {said}");
        assert!(said.contains("--overwrite"), "{said}");
    }
    for file in ["there.csv", "in.lmp", "run/summary.json"] {
        assert_eq!(fs::read_to_string(path(file)).unwrap(), "mine");
    }
}

#[test]
fn a_folder_for_an_export_is_a_folder_and_nothing_is_replaced_silently() {
    // Regression: `--out folder` wrote a file called `folder`.
    let folder = folder("statuses-export");
    let out = folder.join("deck");
    let words = format!("export --to lammps --law flores-2011 {STEEL} --restitution 0.5 --out");
    let run = |more: &[&str]| {
        let mut words: Vec<&str> =
            words.split_whitespace().chain([out.to_str().unwrap()]).collect();
        words.extend(more);
        carom_with(&words)
    };
    assert!(run(&[]).status.success());
    let files: Vec<PathBuf> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty() && files.iter().all(|file| file.is_file()), "{files:?}");
    fs::write(&files[0], "mine").unwrap();
    assert_eq!(run(&[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), "mine");
    assert!(run(&["--overwrite"]).status.success());
    assert_ne!(fs::read_to_string(&files[0]).unwrap(), "mine");
}
