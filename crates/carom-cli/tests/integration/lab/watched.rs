//! Runs that are followed: films while they are computed, folders while `carom simulate` writes them, and keys that become
//! sliders.

use super::browser::Browser;
use super::served::{Lab, carom};
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-watched-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A ball that bounces for a very long time.
const LONG: &str = "title = \"A ball\"\n[simulation]\nduration = 1e5\nsample = 1\ngravity = 9.81\n[[body]]\nname = \"ball\"\n\
    shape = \"sphere\"\nradius = \"2 cm\"\ndensity = 7850\nposition = [0, 0, 0.1]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
    law = \"hunt-crossley-1975\"\nstiffness = 1e9\nrestitution = 1\ncalibration = \"exact\"\n\
    [[control]]\nkeys = [\"ball-ground.restitution\"]\nfrom = 0.1\nto = 1\n";

/// A double pendulum that swings for longer and is sampled rarely, so that its folder remains small and is read quickly.
const PENDULUM: &str = "title = \"A double pendulum\"\n[simulation]\nduration = 1e6\nsample = 20\ngravity = 9.81\nplanar = true\n\
    [[body]]\nname = \"upper\"\nmass = 1\ninertia = [0.02, 0.02, 0.02]\nposition = [0.25, 0]\n\
    [[body]]\nname = \"lower\"\nmass = 1\ninertia = [0.02, 0.02, 0.02]\nposition = [0.75, 0]\n\
    [[joint]]\nkind = \"revolute\"\nbetween = [\"upper\", \"ground\"]\npoint = [0, 0]\n\
    [[joint]]\nkind = \"revolute\"\nbetween = [\"lower\", \"upper\"]\npoint = [0.5, 0]\n";

/// Waits until a value is available.
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_film_is_there_while_it_is_computed_and_forgotten_when_the_client_leaves() {
    let lab = Lab::start();
    assert_eq!(lab.get("/api/v1/film/mine").json(), Value::Null);
    let body = json!({"scene": LONG, "job": "mine"}).to_string();
    let head = lab.head("POST", "/api/v1/simulate", &format!("Content-Length: {}\r\n", body.len()));
    let mut client = TcpStream::connect(("127.0.0.1", lab.port)).unwrap();
    client.write_all((head + &body).as_bytes()).unwrap();
    let progress = || {
        Some(lab.get("/api/v1/progress/mine").json()).filter(|it| it["done"].as_f64() > Some(0.0))
    };
    let first = until("progress", progress);
    assert_eq!(first["of"], 1e5);
    assert!(first["left"].as_f64().unwrap() > 0.0, "{first}");
    let film = || Some(lab.get("/api/v1/film/mine").json()).filter(|film| !film.is_null());
    let one = until("a film", film);
    assert_eq!((&one["finished"], &one["title"]), (&json!(false), &json!("A ball")));
    let two =
        until("a longer film", || film().filter(|two| two["time"].as_f64() > one["time"].as_f64()));
    let frames = two["frames"]["time"].as_array().unwrap();
    assert_eq!(frames.len(), two["frames"]["poses"].as_array().unwrap().len());
    drop(client);
    until("forgotten", || lab.get("/api/v1/progress/mine").json().is_null().then_some(()));
}

#[test]
fn a_run_on_its_way_is_followed_until_it_ends() {
    let folder = place("folder");
    let (scene, out) = (folder.join("scene.toml"), folder.join("run"));
    std::fs::write(&scene, PENDULUM).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args([
            "simulate",
            scene.to_str().unwrap(),
            "--checkpoint",
            "0.2",
            "--out",
            out.to_str().unwrap(),
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("a checkpoint with rows", || {
        let size = std::fs::metadata(out.join("checkpoint.json")).ok()?.len();
        (size > 2000).then_some(())
    });
    std::thread::sleep(Duration::from_millis(600));
    let lab = Lab::with(&[out.to_str().unwrap()]);
    let state = |lab: &Lab| lab.get("/api/v1/run/state").json();
    let (first, film) = (state(&lab), lab.get("/api/v1/run").json());
    assert_eq!((&first["ended"], &film["running"]), (&json!(false), &json!(true)), "{first}");
    assert_eq!(film["stopped"], Value::Null);
    until("more", || (state(&lab)["written"] != first["written"]).then_some(()));
    let more = until("a longer film", || {
        Some(lab.get("/api/v1/run").json())
            .filter(|more| more["time"].as_f64() > film["time"].as_f64())
    });
    assert!(more["left"].as_f64().unwrap() > 0.0);
    // The run is shown in the page.
    if let Some(mut browser) = Browser::open(&format!("{}scenes#run", lab.url())) {
        let told = "document.getElementById('working').textContent";
        browser.until(&format!("/is being computed: .* of 1 Ms/.test({told})"));
        let before = browser.text(told);
        browser.until(&format!("{told} !== {before:?} && /left/.test({told})"));
        browser.picture("watched-folder");
        assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    }
    // The run is killed, which the next request reports.
    run.kill().unwrap();
    run.wait().unwrap();
    let lab = Lab::with(&[out.to_str().unwrap()]);
    let film = lab.get("/api/v1/run").json();
    assert_eq!((&film["running"], &state(&lab)["ended"]), (&json!(false), &json!(false)));
    assert!(film["stopped"].as_str().unwrap().contains("this run is not finished"));
}

#[test]
fn keys_are_answered_as_controls() {
    let lab = Lab::start();
    let ask = |more: Value| {
        let mut body = json!({"scene": LONG, "seconds": 0});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        lab.post("/api/v1/simulate", &body.to_string())
    };
    let film = ask(json!({"controls": ["ball.radius", "ball-ground.restitution"], "set": ["ball-ground.restitution=0.4"]})).json();
    let controls = film["controls"].as_array().unwrap();
    assert_eq!(controls.len(), 2);
    assert_eq!((&controls[0]["value"], &controls[0]["to"]), (&json!(0.4), &json!(1.0)));
    assert_eq!((&controls[1]["value"], &controls[1]["unit"]), (&json!(2.0), &json!("cm")));
    let slip = ask(json!({"controls": ["ball.radus"]}));
    assert_eq!(slip.status, 400);
    assert!(slip.text().contains("`ball.radus`"), "{}", slip.text());
    // The command reads the same file and ignores the controls.
    let folder = place("controls");
    let path = folder.join("scene.toml");
    std::fs::write(&path, LONG.replace("1e5", "0.1")).unwrap();
    assert_eq!(carom(&["simulate", path.to_str().unwrap()]).1, "");
}

#[test]
fn sliders_of_a_scene_run_it_again_and_runs_are_compared() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&format!("{}scenes#scene=bouncing-ball", lab.url()))
    else {
        return;
    };
    let ran = "document.getElementById('run').textContent === 'Run' && /steps, computed/.test(document.getElementById('working').textContent)";
    browser.until(ran);
    browser.eval("document.getElementById('keep').click()");
    browser.until("!document.getElementById('kept').hidden && document.getElementById('kept-canvas').width > 100");
    browser.eval("(() => { const s = document.querySelector('#scene-controls input[type=range]'); s.value = 0; s.dispatchEvent(new Event('input', {bubbles: true})); })()");
    browser.until(&format!(
        "document.getElementById('stage-caption').textContent === 'restitution = 0.5' && {ran}"
    ));
    browser.until("location.hash.includes('set=bead-ground.restitution')");
    // A key for which the scene declares no control, one that is set, and one that does not exist.
    let add = |browser: &mut Browser, text: &str| {
        browser.eval(&format!("(() => {{ document.getElementById('control-key').value = {text:?}; document.getElementById('control-add').click(); }})()"));
    };
    add(&mut browser, "bead.radius");
    browser.until("document.querySelectorAll('.scene-control').length === 2 && document.querySelectorAll('.scene-control input[type=text]')[1].value === '4 mm'");
    add(&mut browser, "simulation.duration=0.5 s");
    browser.until(&format!("document.querySelectorAll('#changes li').length === 2 && {ran}"));
    add(&mut browser, "bead.radus");
    browser.until("document.getElementById('text-problem').textContent.includes('bead.radus')");
    add(&mut browser, "simulation.duration=0.4 s");
    browser.until(&format!("document.getElementById('text-problem').hidden && {ran}"));
    browser.settle();
    browser.picture("watched-compared");
    // The link contains all of these settings.
    let link = browser.text("location.href");
    browser.go(&link);
    browser.until("document.querySelectorAll('#changes li').length === 2 && document.querySelectorAll('.scene-control').length === 2");
    assert!(browser.complaints.iter().all(|it| it.contains("400")), "{:?}", browser.complaints);
}
