//! `carom fit`: measured files as input, parameters as output, and common mistakes.

use super::{STEEL, carom_with, csv, folder, json, near, refused, stdout};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a file with the force of the steel ball by Hunt and Crossley's law, e = 0.7, and returns its path and rows.
fn measured(name: &str) -> (PathBuf, Vec<(f64, f64)>) {
    let path = folder(name).join("course.csv");
    let words = format!(
        "impact --law hunt-crossley-1975 {STEEL} --restitution 0.7 --calibration exact --points 300 --trajectory"
    );
    let mut arguments: Vec<_> = words.split_whitespace().collect();
    arguments.push(path.to_str().unwrap());
    assert!(carom_with(&arguments).status.success());
    let text = fs::read_to_string(&path).unwrap();
    let (header, rows) = csv(&text);
    assert_eq!((header[0], header[3]), ("time_s", "force_N"));
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    // With quiet parts before and after the contact.
    let course: Vec<_> = rows.iter().map(|row| (number(row[0]), number(row[3]))).collect();
    let step = course[1].0;
    let quiet = |from: f64| (0..60).map(move |i| (from + f64::from(i) * step, 0.0));
    let end = course[course.len() - 1].0 + step;
    let all = quiet(-60.0 * step).chain(course).chain(quiet(end)).collect();
    (path, all)
}

fn write(path: &Path, header: &str, rows: impl Iterator<Item = String>) -> String {
    let file = path.with_file_name("data.csv");
    fs::write(&file, rows.fold(header.to_string() + "\n", |text, row| text + &row + "\n")).unwrap();
    file.to_str().unwrap().to_string()
}

/// Returns the fit of a file as JSON.
fn fit(file: &str, more: &str) -> Value {
    json(&format!("fit {file} --law hunt-crossley-1975 --mass 0.54kg {more}"))
}

fn refusal(file: &str, more: &str) -> String {
    let words = format!("fit {file} --law hunt-crossley-1975 --mass 0.54kg {more}");
    let arguments: Vec<_> = words.split_whitespace().collect();
    refused(carom_with(&arguments), 2)
}

fn kinds(found: &Value) -> Vec<&str> {
    found["notes"].as_array().unwrap().iter().filter_map(|note| note["kind"].as_str()).collect()
}

#[test]
fn a_course_gives_its_own_parameters_back_in_the_keys_of_an_impact() {
    let (path, rows) = measured("fit-own");
    let course = fit(path.to_str().unwrap(), "--speed 0.5m/s");
    near(&course["pair"]["stiffness"], 2.4144e10, 1e-5);
    near(&course["restitution"]["newton"], 0.7, 1e-5);
    assert_eq!(course["columns"][0]["role"], "time");
    let rows = rows.iter().map(|(t, f)| format!("{},{}", 1e3 * t, 1e-3 * f));
    let file = write(&path, "time_ms,Force [kN]", rows);
    let found = fit(&file, "");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-4);
    near(&found["speed"], 0.5, 1e-4);
    let names: Vec<_> = found["parameters"].as_array().unwrap().iter().collect();
    let names: Vec<_> = names.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["damping", "stiffness", "speed", "touch", "offset"]);
    assert_eq!(found["correlation"].as_array().unwrap().len(), 5);
    for key in ["aicc", "bic", "r_squared", "durbin_watson", "iterations"] {
        assert!(found["statistics"][key].is_number(), "{key}");
    }
    assert_eq!(found["columns"][1]["unit"], "kN");
}

#[test]
fn headers_separators_and_decimal_commas_are_found_out() {
    let (path, rows) = measured("fit-formats");
    let comma = |x: f64| format!("{x}").replace('.', ",");
    let semicolons = rows.iter().map(|(t, f)| format!("{};{}", comma(1e3 * t), comma(1e-3 * f)));
    let file = write(&path, "\u{feff}Zeit [ms];Kraft [kN]", semicolons);
    near(&fit(&file, "--speed 0.5m/s")["pair"]["stiffness"], 2.4144e10, 1e-4);
    // Units in a line of their own, a column to ignore, tabs as separators.
    let tabs = rows.iter().enumerate().map(|(i, (t, f))| format!("{i}\t{}\t{f}", 1e6 * t));
    let file = write(&path, "n\tt\tload\n-\tus\tN", tabs);
    near(&fit(&file, "--speed 0.5m/s")["pair"]["stiffness"], 2.4144e10, 1e-4);
    // Quotes around commas, and units in brackets.
    let file =
        write(&path, "\"Time, s\",\"Force, N\"", rows.iter().map(|(t, f)| format!("{t},{f}")));
    near(&fit(&file, "--speed 0.5m/s")["pair"]["stiffness"], 2.4144e10, 1e-4);
    let bare = || rows.iter().map(|(t, f)| format!("{t} {f}"));
    let file = write(&path, "t [s]  F [N]", bare());
    near(&fit(&file, "--speed 0.5m/s")["pair"]["stiffness"], 2.4144e10, 1e-4);
    // Without a header.
    let file = write(&path, "# nothing said", bare());
    assert!(refusal(&file, "--speed 0.5").contains("--columns"));
    let found = fit(&file, "--speed 0.5 --columns t,force");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-4);
    let found = fit(&file, "--speed 0.5 --time 1 --force 2");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-4);
}

#[test]
fn offsets_gaps_disorder_and_signs_are_repaired_and_said() {
    let (path, rows) = measured("fit-repair");
    let text = |(i, (t, f)): (usize, &(f64, f64))| match i % 50 {
        7 => format!("{t},"),
        9 => format!("{t},NaN"),
        // A repeating scatter of up to 2 N, and an offset of −120 N.
        k => format!("{t},{}", -f - 120.0 + [2.0, -1.0, 0.5, -2.0, 0.5][k % 5]),
    };
    let mut lines: Vec<_> = rows.iter().enumerate().map(text).collect();
    lines.swap(20, 200);
    let file = write(&path, "t (s),F (N)", lines.into_iter());
    let found = fit(&file, "--speed 0.5m/s");
    near(&found["pair"]["stiffness"], 2.4144e10, 2e-3);
    let kinds = kinds(&found);
    for kind in ["rows_left_out", "sorted", "sign_turned", "offset_subtracted"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    near(&found["data"]["baseline"], 120.0, 0.02);
}

#[test]
fn accelerations_become_forces_by_the_mass() {
    let (path, rows) = measured("fit-drop");
    let g = |(t, f): &(f64, f64)| format!("{},{}", 1e3 * t, (f / 0.54 - 9.80665) / 9.80665);
    let file = write(&path, "t (ms),a (g)", rows.iter().map(g));
    let found = fit(&file, "--speed 0.5m/s");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-3);
    assert_eq!(found["data"]["kind"], "acceleration-time");
    assert!(kinds(&found).contains(&"offset_subtracted"));
}

#[test]
fn a_loop_over_indentation_gives_the_same_law() {
    let (path, _) = measured("fit-loop");
    let found = fit(path.to_str().unwrap(), "--speed 0.5m/s --over-indentation");
    assert_eq!(found["data"]["kind"], "force-indentation");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-3);
    near(&found["restitution"]["newton"], 0.7, 1e-3);
}

#[test]
fn speeds_before_and_after_give_the_damping() {
    let path = folder("fit-speeds").join("x");
    let mut rows = Vec::new();
    for v in [0.1, 0.2, 0.4, 0.8] {
        let words = format!(
            "impact --law tsuji-1992 --mass 0.54 --stiffness 2.4144e10 --damping 3e6 --exit force --speed {v}"
        );
        let e = json(&words)["restitution"]["newton"].as_f64().unwrap();
        rows.push(format!("{v},{}", -e * v));
    }
    let file = write(&path, "v_in (m/s),v_out (m/s)", rows.into_iter());
    let words =
        format!("fit {file} --law tsuji-1992 --exit force --mass 0.54 --stiffness 2.4144e10");
    let found = json(&words);
    assert_eq!(found["parameters"][0]["name"], "damping");
    near(&found["parameters"][0]["value"], 3e6, 1e-5);
    let lost =
        carom_with(&words.split(" --stiffness").next().unwrap().split(' ').collect::<Vec<_>>());
    assert!(refused(lost, 2).contains("stiffness is missing"));
}

#[test]
fn two_impacts_and_none_are_told_apart() {
    let (path, rows) = measured("fit-two");
    let later = rows.iter().map(|(t, f)| (t + 1e-3, 0.5 * f));
    let both: Vec<_> = rows.iter().copied().chain(later).collect();
    let file = write(&path, "t (s),F (N)", both.iter().map(|(t, f)| format!("{t},{f}")));
    let sentence = refusal(&file, "--speed 0.5m/s");
    assert!(sentence.contains("2 impacts") && sentence.contains("--impact"), "{sentence}");
    near(&fit(&file, "--speed 0.5m/s --impact 1")["pair"]["stiffness"], 2.4144e10, 1e-3);
    near(&fit(&file, "--speed 0.5m/s --to 0.4ms")["pair"]["stiffness"], 2.4144e10, 1e-3);
    assert!(refusal(&file, "--impact 3").contains("between 1 and 2"));
    let mut state = 1u64;
    let noise = (0..400).map(|i| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        format!("{},{}", i, (state >> 40) as f64 / 1e6)
    });
    let file = write(&path, "t (s),F (N)", noise);
    assert!(refusal(&file, "--speed 0.5").contains("a curve with an impact in it"));
}

#[test]
fn mistakes_are_answered_with_a_sentence_and_the_line() {
    let (path, rows) = measured("fit-mistakes");
    let lines = |unit: f64| rows.iter().map(move |(t, f)| format!("{},{}", t, unit * f));
    let file = write(&path, "t (s),F (N)", lines(1.0).chain(["0.001,abc".to_string()]));
    let sentence = refusal(&file, "--speed 0.5");
    assert!(sentence.contains("line 422") && sentence.contains("`abc`"), "{sentence}");
    // Values in kilonewtons labelled as newtons, which the impulse reveals.
    let file = write(&path, "t (s),F (N)", lines(1e-3));
    let sentence = refusal(&file, "--speed 0.5");
    assert!(sentence.contains("1e-3") && sentence.contains("prefix"), "{sentence}");
    let file = write(&path, "t (s),F (parsec)", lines(1.0));
    let sentence = refusal(&file, "--speed 0.5");
    assert!(sentence.contains("`parsec`") && sentence.contains("--force \"F [N]\""), "{sentence}");
    let advised = ["fit", &file, "--law", "power", "--mass", "0.54", "--force", "F [N]"];
    assert!(carom_with(&advised).status.success());
    // Decimal commas in values separated by commas.
    let commas = lines(1.0).map(|line| line.replacen('.', ",", 1));
    let file = write(&path, "t (s),F (N)", commas.skip(1));
    let sentence = refusal(&file, "--speed 0.5");
    assert!(sentence.contains("line 2 = ") && sentence.contains("decimal"), "{sentence}");
    let file = write(&path, "", std::iter::empty());
    assert!(refusal(&file, "--speed 0.5").contains("without a row of numbers"));
    let none = carom_with(&["fit", "no-such-file.csv", "--law", "power", "--mass", "1"]);
    assert!(refused(none, 1).contains("cannot read"));
    let file = write(&path, "t (s),F (N)", lines(1.0));
    assert!(refusal(&file, "--speed 0.5 --free stifness").contains("did you mean `stiffness`"));
    assert!(refusal(&file, "--speed 0.5 --loss huge").contains("huber"));
    assert!(refusal(&file, "--speed 0.5 --stiffness 1e10 --damping 1e9").contains("nothing free"));
    let words = ["fit", &file, "--law", "hertz-1881", "--speed", "1"];
    assert!(refused(carom_with(&words), 2).contains("mass is missing"));
}

#[test]
fn outliers_move_squares_and_not_a_robust_loss() {
    let (path, rows) = measured("fit-outliers");
    let spoilt = |(i, (t, f)): (usize, &(f64, f64))| {
        let hum = [3.0, -2.0, 1.0, -3.0, 1.0][i % 5];
        format!("{t},{}", f + hum + if i % 23 == 11 && *f > 0.0 { 2500.0 } else { 0.0 })
    };
    let file = write(&path, "t (s),F (N)", rows.iter().enumerate().map(spoilt));
    let off = |loss: &str| {
        let found = fit(&file, &format!("--speed 0.5m/s --loss {loss}"));
        (found["pair"]["stiffness"].as_f64().unwrap() / 2.4144e10 - 1.0).abs()
    };
    let squares = off("squares");
    for loss in ["huber", "soft-l1", "cauchy"] {
        assert!(off(loss) < 0.2 * squares, "{loss}: {} against {squares}", off(loss));
    }
}

#[test]
fn repeats_are_the_same_for_the_same_seed() {
    let (path, rows) = measured("fit-repeats");
    let noisy = |(i, (t, f)): (usize, &(f64, f64))| format!("{t},{}", f + ((i * 7919) % 13) as f64);
    let file = write(&path, "t (s),F (N)", rows.iter().enumerate().map(noisy));
    let run = |seed: u32| fit(&file, &format!("--speed 0.5 --bootstrap 20 --seed {seed}"));
    let (a, b, c) = (run(1), run(1), run(2));
    assert_eq!(a["parameters"], b["parameters"]);
    assert_ne!(a["parameters"], c["parameters"]);
    let p = &a["parameters"][1];
    let (low, high) = (&p["bootstrap"]["low"], &p["bootstrap"]["high"]);
    assert!(low.as_f64().unwrap() < high.as_f64().unwrap());
}

#[test]
fn the_catalogue_is_ranked_and_the_true_law_is_best() {
    let (path, rows) = measured("fit-rank");
    let noisy = |(i, (t, f)): (usize, &(f64, f64))| {
        format!("{t},{}", f + 4.0 * (((i * 7919) % 17) as f64 - 8.0))
    };
    let file = write(&path, "t (s),F (N)", rows.iter().enumerate().map(noisy));
    let plot = path.with_file_name("ranking.svg");
    let words = format!(
        "fit {file} --laws base,simplified --mass 0.54 --speed 0.5 --plot {}",
        plot.display()
    );
    let found = json(&words);
    let laws = found["laws"].as_array().unwrap();
    let hunt_crossley = laws.iter().find(|law| law["law"] == "hunt-crossley-1975").unwrap();
    assert_eq!(hunt_crossley["rank"], 1);
    assert!(laws.iter().any(|law| law["same_as"] == laws[0]["law"]));
    assert!(laws.windows(2).all(|two| two[0]["delta"].as_f64() <= two[1]["delta"].as_f64()));
    assert!(fs::read_to_string(&plot).unwrap().contains("Which law explains the data"));
    let text = stdout(&words);
    assert!(text.contains("Δ AICc") && text.contains("with the same force"), "{text}");
    let table = stdout(&format!("{words} --csv"));
    assert_eq!(table.lines().count(), laws.len() + 1);
}

/// Writes a file with restitutions of the steel ball at a few speeds by Hunt and Crossley's law with a constant coefficient.
fn drops(name: &str, speeds: &[f64]) -> String {
    let mut text = String::from("v0 (m/s),e\n");
    for (i, v) in speeds.iter().enumerate() {
        let words = format!(
            "impact --law hunt-crossley-1975 --mass 0.54 --stiffness 2.4144e10 --speed {v} --damping 2e10"
        );
        let e = json(&words)["restitution"]["newton"].as_f64().unwrap();
        // Measured with an error of 0.1 %.
        writeln!(text, "{v},{}", e * (1.0 + 1e-3 * [1.0, -1.0, 0.5][i % 3])).unwrap();
    }
    let file = folder(name).join("drops.csv");
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_string()
}

/// Regression: with three drops and two free parameters AICc is undefined. It was taken as infinite for all laws, so that the
/// first law of the catalogue was ranked best: `hertz-1881`, with errors of 22.7 %, had all the weight, although other laws
/// reproduced every drop to 0.1 %.
#[test]
fn three_drops_are_ranked_by_a_criterion_that_exists() {
    let file = drops("fit-drops", &[0.2, 0.5, 1.2]);
    let words = format!("fit {file} --laws all --mass 0.54 --stiffness 2.4144e10");
    let found = json(&words);
    assert_eq!(found["criterion"], "leave_one_out");
    let note = found["notes"][0]["message"].as_str().unwrap();
    assert!(note.contains("3 measured numbers are too few for AICc"), "{note}");
    let laws = found["laws"].as_array().unwrap();
    assert!(laws.iter().all(|law| law["weight"].is_null() && law["delta"].is_null()));
    // The best law predicts the drops that it was not fitted to.
    assert!(laws[0]["leave_one_out"].as_f64().unwrap() < 0.01, "{}", laws[0]);
    let hunt_crossley = laws.iter().find(|law| law["law"] == "hunt-crossley-1975").unwrap();
    assert!(hunt_crossley["leave_one_out"].as_f64().unwrap() < 0.005, "{hunt_crossley}");
    let hertz = laws.iter().find(|law| law["law"] == "hertz-1881").unwrap();
    assert!(hertz["rank"].as_u64() > hunt_crossley["rank"].as_u64(), "{hertz}");
    let order: Vec<_> = laws.iter().filter_map(|law| law["leave_one_out"].as_f64()).collect();
    let firsts = laws.iter().filter(|law| law["same_as"].is_null());
    let ranks: Vec<_> = firsts.filter_map(|law| law["leave_one_out"].as_f64()).collect();
    assert!(ranks.windows(2).all(|two| two[0] <= two[1]) && order.len() >= ranks.len());
    let text = stdout(&words.replace("all", "hertz-1881,hunt-crossley-1975,tsuji-1992"));
    assert!(text.contains("leave-one-out %") && text.contains("too few for AICc"), "{text}");
    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
}

/// With as many free parameters as measurements, every law reproduces the data, and the laws cannot be ranked.
#[test]
fn what_cannot_be_ranked_is_said_to_be_so() {
    let file = drops("fit-few", &[0.5]);
    let words = format!(
        "fit {file} --laws hunt-crossley-1975,tsuji-1992 --mass 0.54 --stiffness 2.4144e10"
    );
    let found = json(&words);
    assert_eq!(found["criterion"], "none");
    assert!(found["laws"].as_array().unwrap().iter().all(|law| law["rank"].is_null()));
    let text = stdout(&words);
    assert!(text.contains("cannot be ranked") && !text.contains("Best:"), "{text}");
}

/// Regression: twenty-nine laws with the same force had a weight of 0.9999 each.
#[test]
fn the_names_of_a_force_share_one_weight() {
    let (path, _) = measured("fit-weights");
    let file = path.to_str().unwrap();
    let found = json(&format!("fit {file} --laws all --mass 0.54 --speed 0.5"));
    assert_eq!(found["criterion"], "aicc");
    let laws = found["laws"].as_array().unwrap();
    let sum: f64 = laws.iter().filter_map(|law| law["weight"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    for law in laws {
        assert_eq!(law["weight"].is_null(), !law["same_as"].is_null(), "{law}");
    }
    // The force is listed under its best-known name.
    assert_eq!(laws[0]["law"], "hunt-crossley-1975");
    assert!(laws.iter().filter(|law| law["same_as"] == "hunt-crossley-1975").count() > 20);
}

/// Regression: `--acceleration COLUMN` was ignored if another column looked like a force.
#[test]
fn a_column_that_is_named_goes_before_one_that_is_guessed() {
    let (path, rows) = measured("fit-named");
    // The column labelled as force contains something else.
    let rows = rows.iter().map(|(t, f)| format!("{t},{},{},{}", f * 3.7, f / 0.54 / 9.80665, 1e-5));
    let file = write(&path, "t (s),force (N),ch1,depth (m)", rows);
    let found = fit(&file, "--speed 0.5m/s --acceleration ch1[g]");
    assert_eq!(found["data"]["kind"], "acceleration-time");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-3);
    let named: Vec<_> = found["columns"].as_array().unwrap().iter().collect();
    assert!(named.iter().any(|column| column["role"] == "acceleration" && column["named"] == true));
    assert!(named.iter().any(|column| column["role"] == "force" && column["named"] == false));
    let both = refusal(&file, "--speed 0.5m/s --acceleration ch1[g] --force force");
    assert!(both.contains("one of --force and --acceleration"), "{both}");
    // The same for outcomes of impacts beside a curve.
    let table = "time (s),force (N),in,out\n0,1,0.5,0.35\n1,2,0.6,0.4\n2,3,0.7,0.45\n3,1,0.8,0.5\n";
    let file = path.with_file_name("impacts.csv");
    fs::write(&file, table).unwrap();
    let found = fit(file.to_str().unwrap(), "--stiffness 2.4144e10 --before in --after out");
    assert_eq!(found["data"]["kind"], "outcomes");
}

/// Regression: with two bodies, `--gravity` required `--mass`, but with `--mass` the bodies were refused.
#[test]
fn two_bodies_and_gravity_can_be_fitted() {
    let bodies =
        ["--body", "sphere radius=25.4mm material=steel", "--body", "plane material=steel"];
    let path = folder("fit-bodies").join("course.csv");
    let name = path.to_str().unwrap();
    let run = |words: &str, more: &[&str]| {
        let mut all: Vec<&str> = words.split_whitespace().collect();
        all.extend(bodies);
        all.extend(more);
        let output = carom_with(&all);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let law = "--law hunt-crossley-1975 --speed 0.02 --json";
    let made = run(&format!("impact {law} --restitution 0.7"), &[]);
    let weight = format!("{}", 9.80665 * made["pair"]["mass"].as_f64().unwrap());
    let more = ["--external-force", weight.as_str(), "--points", "300", "--trajectory", name];
    run(&format!("impact {law} --restitution 0.7"), &more);
    let found = run(&format!("fit {name} {law} --gravity"), &[]);
    let same = run(&format!("fit {name} {law}"), &["--external-force", &weight]);
    assert_eq!(found["parameters"], same["parameters"]);
    let damping = &found["parameters"][0];
    assert_eq!(damping["name"], "damping");
    near(&damping["value"], made["damping"]["coefficient"].as_f64().unwrap(), 1e-3);
}

#[test]
fn the_sliotar_has_better_exponents_than_the_papers() {
    let found = json("fit --example sliotar");
    let reference = &found["reference"];
    let (theirs, ours) = (&reference["residual_rms"], &found["statistics"]["residual_rms"]);
    assert!(ours.as_f64().unwrap() < 0.9 * theirs.as_f64().unwrap(), "{ours} {theirs}");
    assert_eq!(found["outcomes"].as_array().unwrap().len(), 8);
    assert!(stdout("fit --example sliotar").contains("1.25"));
    assert!(stdout("fit --example steel-ball").contains("stiffness"));
}

#[test]
fn a_long_record_is_read_in_bounded_memory() {
    let (path, rows) = measured("fit-long");
    let mut text = String::from("t (s),F (N)\n");
    let step = rows[1].0 - rows[0].0;
    let quiet = |text: &mut String, from: f64, count: u32| {
        for i in 0..count {
            let hum = f64::from((i * 7) % 5) - 2.0;
            writeln!(text, "{:.9},{hum}", from + f64::from(i) * step).unwrap();
        }
    };
    quiet(&mut text, rows[0].0 - 9e5 * step, 900_000);
    rows.iter().for_each(|(t, f)| writeln!(text, "{t:.9},{f:.3}").unwrap());
    quiet(&mut text, rows[rows.len() - 1].0 + step, 300_000);
    let file = path.with_file_name("long.csv");
    fs::write(&file, text).unwrap();
    let found = fit(file.to_str().unwrap(), "--speed 0.5m/s");
    near(&found["pair"]["stiffness"], 2.4144e10, 1e-3);
    fs::remove_file(&file).unwrap();
}

/// Writes files of a ball with the same c at three speeds, each with its own origin of time.
fn three_speeds(name: &str) -> Vec<String> {
    let folder = folder(name);
    let mut files = Vec::new();
    for speed in ["0.3", "0.5", "0.9"] {
        let path = folder.join(format!("at-{speed}.csv"));
        let words = format!(
            "impact --law hunt-crossley-1975 --mass 0.54 --stiffness 2.4144e10 --damping 2e10 --speed {speed} --points 150 --trajectory"
        );
        let mut arguments: Vec<_> = words.split_whitespace().collect();
        arguments.push(path.to_str().unwrap());
        assert!(carom_with(&arguments).status.success());
        files.push(path.to_str().unwrap().to_string());
    }
    files
}

#[test]
fn several_files_are_fitted_together_with_what_they_share() {
    let files = three_speeds("together");
    let all = files.join(" ");
    let known = "--law hunt-crossley-1975 --mass 0.54kg --speed 0.3,0.5,0.9m/s";
    let found = json(&format!("fit {all} {known} --time time_s --force force_N"));
    let value = |list: &Value, name: &str| {
        let all = list.as_array().unwrap();
        all.iter().find(|p| p["name"] == name).unwrap()["value"].clone()
    };
    near(&value(&found["shared"], "stiffness"), 2.4144e10, 1e-5);
    near(&value(&found["shared"], "damping"), 2e10, 1e-4);
    let records = found["records"].as_array().unwrap();
    assert_eq!(records.len(), 3);
    assert!(records[2]["name"].as_str().unwrap().ends_with("at-0.9.csv"));
    near(&records[2]["speed"], 0.9, 1e-12);
    // Only the stiffness is shared: three values of the damping.
    let own = json(&format!("fit {all} {known} --shared stiffness --time time_s --force force_N"));
    assert_eq!(own["shared"].as_array().unwrap().len(), 1);
    for record in own["records"].as_array().unwrap() {
        near(&value(&record["parameters"], "damping"), 2e10, 1e-3);
    }
    // Text output and figure.
    let plot = folder("together-plot").join("fit.svg");
    let path = plot.to_str().unwrap();
    let text = stdout(&format!("fit {all} {known} --time time_s --force force_N --plot {path}"));
    assert!(text.contains("3 records together") && text.contains("Shared"), "{text}");
    let drawn = fs::read_to_string(&plot).unwrap();
    assert!(drawn.contains("time since touch") && drawn.contains("alone − shared"));
}

#[test]
fn several_files_rank_laws_together() {
    let all = three_speeds("together-ranked").join(" ");
    let words = format!(
        "fit {all} --laws hertz-1881,hunt-crossley-1975,tsuji-1992,flores-2011 --mass 0.54kg --speed 0.3,0.5,0.9m/s --time time_s \
         --force force_N"
    );
    let found = json(&words);
    assert_eq!(found["criterion"], "aicc");
    assert_eq!(found["laws"][0]["law"], "hunt-crossley-1975");
    assert_eq!(found["laws"][1]["same_as"], "hunt-crossley-1975");
    assert_eq!(found["best"]["records"].as_array().unwrap().len(), 3);
    let text = stdout(&words);
    assert!(text.contains("hunt-crossley-1975 and 1 with the same force"), "{text}");
    assert!(text.contains("3 records together"), "{text}");
}

#[test]
fn mistakes_with_several_files_are_told() {
    let files = three_speeds("together-mistakes");
    let all = files.join(" ");
    let refusal = |more: &str| {
        let words = format!("fit {all} --time time_s --force force_N --mass 0.54kg {more}");
        let arguments: Vec<_> = words.split_whitespace().collect();
        refused(carom_with(&arguments), 2)
    };
    let law = "--law hunt-crossley-1975";
    assert!(refusal(&format!("{law} --speed 0.3,0.5m/s")).contains("one for each"));
    let three = format!("{law} --speed 0.3,0.5,0.9m/s");
    assert!(refusal(&format!("{three} --shared stifness")).contains("stiffness"));
    assert!(refusal(&format!("{three} --shared touch")).contains("clock"));
    assert!(refusal("--speed 0.3,0.5,0.9m/s").contains("--law"));
    assert!(refusal("--laws no-such-law --speed 0.3,0.5,0.9m/s").contains("no-such-law"));
    let one = format!("fit {} {law} --mass 0.54kg --speed 0.3m/s --shared stiffness", files[0]);
    let arguments: Vec<_> = one.split_whitespace().collect();
    assert!(refused(carom_with(&arguments), 2).contains("several files"));
}
