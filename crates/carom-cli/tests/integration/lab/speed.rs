//! Measures the speed of the lab in processor time, which does not depend on other work on the machine. Not run by default:
//!
//!     cargo test --release -p carom-cli --test integration -- --ignored --nocapture lab::speed
//!
//! A frame is timed on the one thread of the page that moves, sorts, sets and copies its pixels, with software graphics; a
//! machine without other work shows that many frames per second.

use super::browser::Browser;
use super::served::{Lab, carom};
use serde_json::{Value, json};

/// Returns the processor time (s) that the page's thread has used for a kind of work.
fn spent(browser: &mut Browser, name: &str) -> f64 {
    let answer = browser.call("Performance.getMetrics", json!({}));
    let metrics = answer["metrics"].as_array().unwrap();
    let found = metrics.iter().find(|metric| metric["name"] == name).unwrap();
    found["value"].as_f64().unwrap()
}

fn count_processor_time(browser: &mut Browser) {
    browser.call("Performance.enable", json!({"timeDomain": "threadTicks"}));
}

/// Returns the processor time of a frame (ms), drawn at times spread over the film.
fn frame(browser: &mut Browser, options: &str) -> f64 {
    const FRAMES: u32 = 40;
    browser.eval(
        "(async () => { if (window.timed) return; const { Film } = await import('/film.js'); const { Stage } = await import('/stage.js'); const { Camera } = await import('/camera.js'); \
         const film = new Film(await (await fetch('/api/v1/run')).json()); const camera = new Camera(); const canvas = document.getElementById('canvas'); \
         const stage = (window.timed = new Stage(canvas, camera)); stage.resize(); camera.flat = film.planar; stage.show(film); stage.fit(); stage.draw(0); })()",
    );
    let before = spent(browser, "TaskDuration");
    browser.eval(&format!(
        "(async () => {{ const stage = window.timed; Object.assign(stage.options, {options}); const pen = stage.canvas.getContext('2d'); \
         for (let i = 0; i < {FRAMES}; i++) {{ stage.camera.orbit(3, 0); stage.draw(((i + 0.5) / {FRAMES}) * stage.film.end); pen.getImageData(0, 0, 1, 1); await new Promise((done) => setTimeout(done, 0)); }} }})()"
    ));
    1e3 * (spent(browser, "TaskDuration") - before) / f64::from(FRAMES)
}

#[test]
#[ignore = "times frames"]
fn frames_of_beds() {
    for (count, width, duration) in [(10_000, 40, 400), (100_000, 90, 400), (1_000_000, 200, 100)] {
        let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("lab-speed-{count}"));
        std::fs::create_dir_all(&folder).unwrap();
        let (scene, out) = (folder.join("scene.toml"), folder.join("run"));
        let text = format!(
            "[simulation]\nduration = \"{duration} us\"\ngravity = 9.81\n[grains]\ncount = {count}\nradii = [\"0.9 mm\", \"1.1 mm\"]\nyoungs = \"5 MPa\"\npoisson = 0.3\n\
             density = 2500\nwidth = [\"{width} mm\", \"{width} mm\"]\nvelocity = [0, 0, \"-1 m/s\"]\nsnapshot = \"50 us\"\n[grains.contact]\nlaw = \"tsuji-1992\"\nrestitution = 0.6\n"
        );
        std::fs::write(&scene, text).unwrap();
        let words = [
            "simulate",
            scene.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
            "--overwrite",
            "--format",
            "parquet",
        ];
        assert_eq!(carom(&words).1, "");
        let lab = Lab::with(&[out.to_str().unwrap()]);
        let Some(mut browser) = Browser::open(&format!("{}scenes#run", lab.url())) else { return };
        browser.size(1280, 720);
        count_processor_time(&mut browser);
        for (what, options) in [
            ("all grains", "{}"),
            ("a slice", "{ slice: { axis: 1, at: 0.5, thickness: 0.1 } }"),
            ("force chains", "{ slice: null, chains: true, colour: 'force' }"),
        ] {
            let took = frame(&mut browser, options);
            eprintln!(
                "{count} grains, {what}: {took:.1} ms a frame, {:.0} frames a second",
                1e3 / took
            );
        }
    }
}

#[test]
#[ignore = "times the round trip of a slider"]
fn a_slider_with_24_laws() {
    let lab = Lab::start();
    let models = lab.get("/api/v1/models").json();
    let takes = |model: &&Value| model["input"] == "restitution";
    let laws: Vec<&str> = models
        .as_array()
        .unwrap()
        .iter()
        .filter(takes)
        .filter_map(|m| m["id"].as_str())
        .take(24)
        .collect();
    let link = format!("{}#laws={}", lab.url(), laws.join(","));
    let Some(mut browser) = Browser::open(&link) else { return };
    browser.size(1280, 720);
    count_processor_time(&mut browser);
    const STEPS: u32 = 40;
    let names = ["TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
    let before = names.map(|name| spent(&mut browser, name));
    let served = lab.processor_time();
    let trips = browser.eval(&format!(
        "(async () => {{ const field = document.getElementById('restitution'); const trips = []; for (let i = 0; i < {STEPS}; i++) {{ const shown = document.body.dataset.shown; const begun = performance.now(); \
         field.value = (0.5 + 0.01 * i).toFixed(3); field.dispatchEvent(new Event('input', {{bubbles: true}})); field.dispatchEvent(new Event('change', {{bubbles: true}})); \
         while (document.body.dataset.shown === shown) await new Promise((done) => setTimeout(done, 1)); await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))); trips.push(performance.now() - begun); }} \
         return trips.sort((a, b) => a - b); }})()"
    ));
    for (name, before) in names.iter().zip(before) {
        let took = 1e3 * (spent(&mut browser, name) - before) / f64::from(STEPS);
        eprintln!("page, {name}: {took:.1} ms a step");
    }
    let served = 1e3 * (lab.processor_time() - served) / f64::from(STEPS);
    eprintln!("server: {served:.1} ms of processor time a step, with {} laws", laws.len());
    eprintln!(
        "round trips on this machine: {:.0} ms the fastest, {:.0} ms half of them",
        trips[0].as_f64().unwrap(),
        trips[20].as_f64().unwrap()
    );
}

#[test]
#[ignore = "times the start of the page"]
fn the_start_of_the_page() {
    let lab = Lab::start();
    let Some(mut browser) = Browser::open(&lab.url()) else { return };
    for _ in 0..5 {
        browser.go(&lab.url());
        let found = browser.eval(
            "(() => { const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime; return [paint, Number(document.body.dataset.plotted)]; })()",
        );
        eprintln!("first content after {} ms, plots after {} ms", found[0], found[1]);
    }
}
