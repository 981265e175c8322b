//! Stored runs in the lab: `carom simulate --out run`, then `carom lab run`.

use super::browser::Browser;
use super::served::{Lab, carom};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Returns a path of this test's own that does not exist yet.
fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-runs-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn library(name: &str) -> String {
    format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// Runs a scene into a folder and returns the output on standard error.
fn simulate(scene: &str, out: &Path, more: &[&str]) -> String {
    let words = ["simulate", scene, "--out", out.to_str().unwrap()];
    carom(&[&words[..], more].concat()).1
}

fn times(film: &Value) -> Vec<f64> {
    film["frames"]["time"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Returns the index of the frame before a time, and the fraction of the interval to the next one.
fn around(times: &[f64], t: f64) -> (usize, f64) {
    let i = times.partition_point(|time| *time <= t).clamp(1, times.len() - 1) - 1;
    (i, (t - times[i]) / (times[i + 1] - times[i]).max(f64::MIN_POSITIVE))
}

#[test]
fn a_run_that_is_read_is_the_film_of_the_run_that_is_made() {
    for (name, format) in
        [("newtons-cradle", "csv"), ("oblique-impact", "parquet"), ("pounding", "arrow")]
    {
        let out = place(&format!("film-{name}"));
        simulate(&library(name), &out, &["--format", format]);
        let lab = Lab::with(&[out.to_str().unwrap()]);
        let read = lab.get("/api/v1/run").json();
        let text = std::fs::read_to_string(library(name)).unwrap();
        let made = lab.post("/api/v1/simulate", &json!({ "scene": text }).to_string()).json();
        for key in ["title", "bodies", "joints", "springs", "contacts", "moving", "notes", "steps"]
        {
            assert_eq!(read[key], made[key], "{name} {key}");
        }
        assert_eq!((&read["finished"], &read["time"]), (&json!(true), &made["time"]));
        // Compares the touches one by one.
        let events = |film: &Value| film["events"].as_array().unwrap().clone();
        assert_eq!(events(&read).len(), events(&made).len(), "{name}");
        for (a, b) in events(&read).iter().zip(events(&made)) {
            for key in ["contact", "site", "class"] {
                assert_eq!(a[key], b[key], "{name} {key}");
            }
            assert!(a["class"].is_string(), "{name}");
            for key in ["touch", "part", "speed", "rebound", "force_max", "indentation_max"] {
                let (a, b) = (a[key].as_f64(), b[key].as_f64());
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs() + 1e-15;
                assert!(
                    a.is_none() == b.is_none() && a.zip(b).is_none_or(|(a, b)| near(a, b)),
                    "{name} {key}"
                );
            }
        }
        // Compares the poses at every frame of one film with the interpolated frames of the other: they differ by at most the
        // tolerance of the selection of frames, relative to the size of the scene.
        let (at, size) = (times(&made), 0.5);
        let (mut most, mut within) = (0.0f64, 0);
        for (frame, t) in times(&read).into_iter().enumerate() {
            let (i, share) = around(&at, t);
            let poses = |film: &Value, frame: usize| numbers(&film["frames"]["poses"][frame]);
            let (a, b, here) = (poses(&made, i), poses(&made, i + 1), poses(&read, frame));
            for ((a, b), c) in a.iter().zip(&b).zip(&here) {
                most = most.max((a + share * (b - a) - c).abs());
            }
            within +=
                usize::from(!read["frames"]["contacts"][frame].as_array().unwrap().is_empty());
        }
        assert!(most < 2e-3 * size, "{name}: {most} m or rad apart");
        assert!(within > 30, "{name}: {within} frames with forces");
        // Each touch has its largest force in the frames, and its energies are transferred during the touch.
        let pushed = |film: &Value| {
            let frames = film["frames"]["contacts"].as_array().unwrap().clone();
            let rows = frames.iter().flat_map(|frame| frame.as_array().unwrap().clone());
            rows.map(|row| row[8].as_f64().unwrap()).fold(0.0, f64::max)
        };
        assert!((pushed(&read) / pushed(&made) - 1.0).abs() < 0.02, "{name}");
        let stored = |film: &Value| {
            numbers(&film["frames"]["energies"][2][1]).into_iter().fold(0.0, f64::max)
        };
        assert!((stored(&read) / stored(&made) - 1.0).abs() < 0.02, "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_folder_is_said_at_once() {
    let out = place("wrong");
    let refused = |path: &Path, status: i32| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["lab", "--no-open", "--port", "0", path.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A lab that prints its address has started and would run without end.
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if !line.is_empty() {
            let _ = child.kill();
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), line.as_str()), (Some(status), ""));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.trim().lines().count(), 1, "{said}");
        said
    };
    assert!(refused(&out, 1).contains("there is no folder"));
    assert!(
        refused(Path::new(&library("grains")), 2).contains("is a file, not the folder of a run")
    );
    std::fs::create_dir_all(&out).unwrap();
    assert!(refused(&out, 2).contains(
        "holds no run; simulate a scene into a folder with `carom simulate SCENE --out DIR`"
    ));
    let run = out.join("run");
    simulate(&library("oblique-impact"), &run, &[]);
    // Reading from a pipe would block without end.
    let pipe = run.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(refused(&run, 2).contains("is not a file but a pipe"));
    std::fs::remove_file(&pipe).unwrap();
    let damage = |name: &str, change: &dyn Fn(String) -> String| {
        let path = run.join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, change(text.clone())).unwrap();
        let said = refused(&run, 2);
        std::fs::write(&path, text).unwrap();
        said
    };
    let said = damage("contacts.csv", &|text| text.replacen("0,", "zero,", 1));
    assert!(
        said.contains("contacts.csv` is damaged: line 2") && said.contains("--overwrite"),
        "{said}"
    );
    let half = |text: String| text.lines().take(200).map(|line| line.to_string() + "\n").collect();
    let said = damage("trajectory.csv", &half);
    assert!(said.contains("damaged") && said.contains("--overwrite"), "{said}");
    let said = damage("events.csv", &|text| text.replace("sphere-ground", "sphere-moon"));
    assert!(said.contains("a contact that is not in the scene"), "{said}");
    std::fs::remove_file(run.join("energies.csv")).unwrap();
    assert!(refused(&run, 2).contains("is missing"));
}

fn set(browser: &mut Browser, id: &str, value: &str, event: &str) {
    browser.eval(&format!(
        "(() => {{ const e = document.getElementById({id:?}); e.value = {value:?}; e.dispatchEvent(new Event({event:?}, {{bubbles: true}})); }})()"
    ));
}

fn clock(browser: &mut Browser) -> String {
    browser.text("document.getElementById('clock').textContent")
}

/// Returns a number that changes with the picture of the scene.
fn pixels(browser: &mut Browser) -> Value {
    browser.eval(
        "(async () => { for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); \
         const c = document.getElementById('canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
         let h = 7; for (let i = 0; i < d.length; i += 4) h = (31 * h + d[i] + 3 * d[i + 1] + 5 * d[i + 2]) % 1000003; return h; })()",
    )
}

#[test]
fn a_run_is_played_scrubbed_and_followed_in_the_page() {
    let out = place("page");
    let changed = ["--set", "simulation.duration=0.5 s", "--format", "parquet"];
    simulate(&library("newtons-cradle"), &out, &changed);
    let lab = Lab::with(&[out.to_str().unwrap()]);
    let Some(mut browser) = Browser::open(&format!("{}scenes#run", lab.url())) else { return };
    browser.size(1280, 1330);
    let text = browser.text("document.getElementById('working').textContent");
    assert!(text.contains("read from") && text.contains("lab-runs-page"), "{text}");
    assert_eq!(browser.text("document.getElementById('library').value"), "the run");
    assert_eq!(browser.eval("document.getElementById('problem').hidden"), true);
    let start = pixels(&mut browser);
    // Play, pause, ends, events.
    browser.eval("document.activeElement.blur()");
    browser.press(" ");
    browser.until("Number(document.getElementById('scrub').value) > 0.02");
    browser.press(" ");
    assert_ne!(pixels(&mut browser), start);
    browser.press("End");
    assert!(clock(&mut browser).starts_with("t = 500.0"), "{}", clock(&mut browser));
    browser.press("Home");
    browser.eval("document.getElementById('event-forth').click()");
    for _ in 0..3 {
        browser.eval("document.getElementById('closer').click()");
    }
    browser.until("document.querySelectorAll('#plots .plot').length === 2");
    // Through the impact frame by frame: forces are shown as arrows with numbers.
    for _ in 0..20 {
        browser.press("ArrowRight");
    }
    browser.until("/N at/.test(document.getElementById('numbers').innerText)");
    browser.settle();
    browser.picture("runs-impact");
    set(&mut browser, "follow", "5", "change");
    browser.until("document.getElementById('numbers').innerText.includes('ball 5 at')");
    // The text is that of the run and can be run again with the changes made to it.
    let changes = browser.text("document.getElementById('changes').textContent");
    assert!(changes.contains("simulation.duration=0.5 s"), "{changes}");
    browser.eval("document.getElementById('run').click()");
    browser.until("/steps/.test(document.getElementById('working').textContent)");
    browser.eval("document.getElementById('play').textContent.includes('Pause') && document.getElementById('play').click()");
    browser.press("End");
    assert!(clock(&mut browser).starts_with("t = 500.0"), "{}", clock(&mut browser));
    // Another scene and back.
    set(&mut browser, "library", "oblique-impact", "change");
    browser.until("/steps/.test(document.getElementById('working').textContent) && location.hash.includes('oblique')");
    set(&mut browser, "library", "the run", "change");
    browser.until("/read from/.test(document.getElementById('working').textContent) && location.hash === '#run'");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_run_that_was_stopped_is_played_as_far_as_it_came() {
    let out = place("stopped");
    simulate(&library("bouncing-ball"), &out, &["--steps", "400"]);
    let lab = Lab::with(&[out.to_str().unwrap()]);
    let film = lab.get("/api/v1/run").json();
    let said = film["stopped"].as_str().unwrap();
    // The page shows this message, so that it contains no words of a command line.
    assert!(said.contains("is not finished") && said.contains("when it is resumed"), "{said}");
    assert_eq!(film["finished"], false);
    let end = *times(&film).last().unwrap();
    assert!(end > 0.3 && end < 3.0 && times(&film).len() > 100, "{end}");
    let Some(mut browser) = Browser::open(&format!("{}scenes", lab.url())) else { return };
    browser.until("!document.getElementById('problem').hidden");
    assert!(browser.text("document.getElementById('problem').innerText").contains("not finished"));
    browser.picture("runs-stopped");
    // The lab has not changed the stored run.
    let (_, said) =
        carom(&["simulate", &library("bouncing-ball"), "--out", out.to_str().unwrap(), "--resume"]);
    assert_eq!(said, "");
}
