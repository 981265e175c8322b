//! Beds of grains in the lab, run in the page and read from a folder; and runs that fail before their end.

use super::browser::Browser;
use super::served::{Lab, carom};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-beds-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Returns a scene with `count` grains that fall into a box.
fn bed(count: usize, width: &str, duration: &str, more: &str) -> String {
    format!(
        "title = \"Grains that fall\"\n[simulation]\nduration = \"{duration}\"\ngravity = 9.81\n[grains]\ncount = {count}\n\
         radii = [\"0.9 mm\", \"1.1 mm\"]\nyoungs = \"5 MPa\"\npoisson = 0.3\ndensity = 2500\nwidth = [\"{width}\", \"{width}\"]\n\
         velocity = [0, 0, \"-1 m/s\"]\n{more}\n[grains.contact]\nlaw = \"tsuji-1992\"\nrestitution = 0.6\n\
         friction = {{ coefficient = 0.4 }}\n"
    )
}

fn simulate(folder: &Path, text: &str, more: &[&str]) -> (PathBuf, String) {
    let (scene, out) = (folder.join("scene.toml"), folder.join("run"));
    std::fs::write(&scene, text).unwrap();
    let words = ["simulate", scene.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let said = carom(&[&words[..], more].concat()).1;
    (out, said)
}

/// Decodes a text in base64.
fn bytes(text: &Value) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let text = text.as_str().unwrap().trim_end_matches('=').as_bytes();
    let bits: Vec<u8> =
        text.iter().flat_map(|&letter| (0..6).rev().map(move |k| value(letter) >> k & 1)).collect();
    bits.chunks_exact(8).map(|eight| eight.iter().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

/// Returns the position of a grain in a snapshot of a film (m).
fn at(grains: &Value, places: &[u8], snapshot: usize, grain: usize) -> [f64; 3] {
    let count = grains["count"].as_u64().unwrap() as usize;
    [0, 1, 2].map(|axis| {
        let k = 2 * (3 * (snapshot * count + grain) + axis);
        let part = f64::from(u16::from_le_bytes([places[k], places[k + 1]])) / 65535.0;
        let edge = |name: &str| grains[name][axis].as_f64().unwrap();
        edge("low") + part * (edge("high") - edge("low"))
    })
}

#[test]
fn a_bed_that_is_read_has_the_places_of_its_tables() {
    for format in ["csv", "parquet"] {
        let folder = place(&format!("read-{format}"));
        let text = bed(60, "8 mm", "12 ms", "snapshot = \"1 ms\"");
        let (out, said) = simulate(&folder, &text, &["--format", format]);
        assert_eq!(said, "");
        let lab = Lab::with(&[out.to_str().unwrap()]);
        let film = lab.get("/api/v1/run").json();
        assert_eq!((&film["finished"], &film["title"]), (&json!(true), &json!("Grains that fall")));
        let grains = &film["grains"];
        assert_eq!((&grains["count"], &grains["every"]), (&json!(60), &json!(1)));
        assert_eq!(grains["box"][1][0], json!(0.008));
        let snapshots = grains["time"].as_array().unwrap();
        // One snapshot at every millisecond, and one at the end if no step ends there.
        let count = snapshots.len();
        assert!((13..=14).contains(&count), "{count}");
        let places = bytes(&grains["places"]);
        assert_eq!(places.len(), count * 60 * 6);
        assert_eq!(film["frames"]["energies"][0][0], "kinetic");
        let rows = film["frames"]["time"].as_array().unwrap().len();
        assert!(rows > 500 && rows < 600, "{rows}");
        if format == "csv" {
            let table = std::fs::read_to_string(out.join("grains.csv")).unwrap();
            for (row, line) in table.lines().skip(1).enumerate() {
                let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
                // This JSON reader may round the last digit differently.
                let apart = cells[0] - snapshots[row / 60].as_f64().unwrap();
                assert!(apart.abs() < 1e-15, "{row}: {apart}");
                let shown = at(grains, &places, row / 60, cells[1] as usize);
                for (axis, x) in shown.iter().enumerate() {
                    assert!((x - cells[3 + axis]).abs() < 1e-6, "{row}: {shown:?} {cells:?}");
                }
            }
        }
        if format == "csv" {
            chains_are_those_of_the_table(grains, &out);
        }
        // The same bed run in the lab: more snapshots, the same final state.
        let made = lab.post("/api/v1/simulate", &json!({ "scene": text }).to_string()).json();
        assert_eq!((&made["finished"], &made["steps"]), (&json!(true), &film["steps"]));
        let more = made["grains"]["time"].as_array().unwrap();
        assert!(more.len() > 100 && more.last() == snapshots.last(), "{} snapshots", more.len());
        let all = bytes(&made["grains"]["places"]);
        for grain in 0..60 {
            let (a, b) = (
                at(grains, &places, count - 1, grain),
                at(&made["grains"], &all, more.len() - 1, grain),
            );
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{grain}: {a:?} {b:?}");
        }
        assert_eq!(made["frames"]["energies"], film["frames"]["energies"]);
        // A grain is missing from one snapshot.
        if format == "csv" {
            let table = std::fs::read_to_string(out.join("grains.csv")).unwrap();
            let lines = table.lines().enumerate().filter(|(number, _)| *number != 100);
            let less: String = lines.map(|(_, line)| format!("{line}\n")).collect();
            std::fs::write(out.join("grains.csv"), less).unwrap();
            let (_, said) = carom(&["lab", out.to_str().unwrap(), "--no-open", "--port", "0"]);
            assert!(said.contains("damaged near t = ") && said.contains("59 rows"), "{said}");
        }
    }
}

/// Compares force chains, coordination and largest forces of the last snapshot with the table of contacts.
fn chains_are_those_of_the_table(grains: &Value, out: &Path) {
    let table = std::fs::read_to_string(out.join("contacts.csv")).unwrap();
    let rows: Vec<Vec<&str>> =
        table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let last = rows.last().unwrap()[0];
    let rows: Vec<_> = rows.iter().filter(|row| row[0] == last).collect();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let mean = rows.iter().map(|row| number(row[5])).sum::<f64>() / rows.len() as f64;
    let strong: Vec<_> = rows.iter().filter(|row| number(row[5]) > mean).collect();
    let with_walls = strong.iter().filter(|row| row[3] == "wall").count();
    assert!(with_walls > 0, "grains that fall press on the floor");
    let strong = strong.len();
    let chains = &grains["chains"];
    let counts: Vec<usize> =
        chains["count"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
    let snapshots = grains["time"].as_array().unwrap().len();
    assert_eq!((counts.len(), counts[snapshots - 1]), (snapshots, strong));
    assert!(strong > 0 && bytes(&chains["pairs"]).len() == 8 * counts.iter().sum::<usize>());
    // The second member of a pair is a wall if its highest bit is set, and every wall has a position.
    let pairs = bytes(&chains["pairs"]);
    let last_pairs = pairs.chunks_exact(8).skip(counts[..snapshots - 1].iter().sum());
    let seconds = last_pairs.map(|p| u32::from_le_bytes([p[4], p[5], p[6], p[7]]));
    let walls: Vec<u32> = seconds.filter(|b| b >> 31 == 1).map(|b| b & !(1 << 31)).collect();
    assert_eq!(walls.len(), with_walls);
    let places = chains["walls"].as_array().unwrap().len() as u32;
    assert!(walls.iter().all(|wall| *wall < places), "{walls:?} of {places}");
    let told = chains["mean"][snapshots - 1].as_f64().unwrap();
    assert!((told / mean - 1.0).abs() < 1e-5, "{told} {mean}");
    let value = |name: &str| {
        let values = grains["values"].as_array().unwrap();
        let value = values.iter().find(|value| value["name"] == name).unwrap();
        (value["largest"].as_f64().unwrap(), bytes(&value["levels"]))
    };
    let ((most, touching), (largest, forces)) = (value("coordination"), value("force"));
    for grain in 0..60 {
        let of: Vec<_> = rows
            .iter()
            .filter(|row| {
                number(row[1]) as usize == grain
                    || (row[3] == "grain" && number(row[2]) as usize == grain)
            })
            .collect();
        let at = (snapshots - 1) * 60 + grain;
        assert_eq!((f64::from(touching[at]) / 255.0 * most).round() as usize, of.len(), "{grain}");
        let force = of.iter().map(|row| number(row[5])).fold(0.0, f64::max);
        // Forces are encoded as four decades in 255 levels.
        let level =
            if force > 0.0 { (1.0 + (force / largest).log10() / 4.0).max(0.0) } else { 0.0 };
        assert!((f64::from(forces[at]) / 255.0 - level).abs() < 3e-3, "{grain}: {force}");
    }
}

#[test]
fn a_bed_in_the_page_has_limits_that_it_says() {
    let lab = Lab::start();
    let asked = |scene: &str, seconds: f64| {
        lab.post("/api/v1/simulate", &json!({"scene": scene, "seconds": seconds}).to_string())
    };
    let answer = asked(&bed(20_001, "60 mm", "1 s", ""), 1.0);
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("at most 20000") && answer.text().contains("carom lab DIR"));
    // Only the initial state; then what was reached in a short time.
    let start = asked(&bed(400, "12 mm", "1 s", ""), 0.0).json();
    assert_eq!(start["grains"]["time"], json!([0.0]));
    assert_eq!(bytes(&start["grains"]["places"]).len(), 400 * 6);
    let film = asked(&bed(400, "12 mm", "1000 s", ""), 0.3).json();
    assert_eq!(film["finished"], false);
    assert!(film["stopped"].as_str().unwrap().contains("after 0.3 s of computing"), "{film}");
    let said = asked(&bed(4, "12 mm", "1 s", "sed = 1"), 1.0).text();
    assert!(said.contains("line ") && said.contains("seed"), "{said}");
}

#[test]
fn ten_thousand_grains_are_drawn_followed_and_picked() {
    let folder = place("many");
    let (out, said) =
        simulate(&folder, &bed(10_000, "40 mm", "400 us", "snapshot = \"50 us\""), &[]);
    assert_eq!(said, "");
    let lab = Lab::with(&[out.to_str().unwrap()]);
    let Some(mut browser) = Browser::open(&format!("{}scenes#run", lab.url())) else { return };
    browser.size(1280, 1280);
    assert_eq!(
        browser.eval("getComputedStyle(document.getElementById('grain-field')).display === 'none'"),
        false
    );
    assert_eq!(
        browser.eval("getComputedStyle(document.getElementById('follow').parentElement).display"),
        "none"
    );
    browser.until("document.querySelectorAll('#plots .plot').length === 1");
    browser.eval("document.activeElement.blur()");
    browser.press("End");
    browser.until("/frame [0-9]+ of [0-9]+/.test(document.getElementById('clock').textContent) && Number(document.getElementById('scrub').value) === 1");
    browser.settle();
    browser.picture("beds-many");
    // A grain selected by its number, and one selected by the pointer.
    browser.eval("(() => { const e = document.getElementById('grain'); e.value = '4711'; e.dispatchEvent(new Event('change', {bubbles: true})); })()");
    browser.until("document.getElementById('numbers').innerText.includes('grain 4711 at')");
    browser.drag("#canvas", (0.5, 0.6), (0.5, 0.6));
    browser.until("!['', '4711'].includes(document.getElementById('grain').value)");
    browser.settle();
    browser.picture("beds-followed");
    let (took, covered) = drawn(&mut browser);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    // Without WebGL the same pixels are covered.
    let Some(mut flat) = Browser::open_without_webgl(&format!("{}scenes#run", lab.url())) else {
        return;
    };
    flat.size(1280, 1280);
    let (took_flat, covered_flat) = drawn(&mut flat);
    flat.picture("beds-flat");
    eprintln!("10 000 grains are drawn in {took} ms, without WebGL in {took_flat} ms");
    assert!((covered_flat / covered - 1.0).abs() < 0.02, "{covered_flat} and {covered} pixels");
    assert!(flat.complaints.is_empty(), "{:?}", flat.complaints);
}

/// Draws the film of the run several times; returns the time of a frame (ms), and the number of covered pixels in the last one.
fn drawn(browser: &mut Browser) -> (f64, f64) {
    let found = browser.eval(
        "(async () => { const { Film } = await import('/film.js'); const { Stage } = await import('/stage.js'); const { Camera } = await import('/camera.js'); \
         const film = new Film(await (await fetch('/api/v1/run')).json()); const camera = new Camera(); const canvas = document.getElementById('canvas'); \
         const stage = new Stage(canvas, camera); if (stage.painter) stage.painter.fast = true; stage.resize(); stage.show(film); stage.fit(); const pen = canvas.getContext('2d'); const begun = performance.now(); \
         for (let i = 0; i < 10; i++) { stage.draw((i / 10) * film.end); pen.getImageData(0, 0, 1, 1); } \
         const took = (performance.now() - begun) / 10; const { data } = pen.getImageData(0, 0, canvas.width, canvas.height); let covered = 0; \
         for (let i = 0; i < data.length; i += 4) if (data[i] < 250 || data[i + 1] < 250 || data[i + 2] < 250) covered++; \
         return [took, covered]; })()",
    );
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

const FAILS: &str = "title = \"A hammer that meets what cannot give way\"\n[simulation]\nduration = 1\ngravity = 9.81\n\
    [[body]]\nname = \"hammer\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, 0, 0.5]\n\
    motion = { direction = [0, 0, -1], rate = \"1 m/s\" }\n[[body]]\nname = \"cart\"\nshape = \"sphere\"\nradius = 0.1\n\
    density = 1000\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.02\ndensity = 7850\nposition = [0.4, 0, 0.1]\n\
    [[joint]]\nkind = \"prismatic\"\nbetween = [\"cart\", \"ground\"]\npoint = [0, 0, 0]\naxis = [1, 0, 0]\n\
    [[contact]]\nbetween = [\"ball\", \"ground\"]\nlaw = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\n\
    [[contact]]\nbetween = [\"hammer\", \"cart\"]\nlaw = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\n";

#[test]
fn a_run_that_fails_half_way_is_played_up_to_there() {
    let folder = place("fails");
    let (out, said) = simulate(&folder, FAILS, &[]);
    assert!(
        said.contains("joints hold along its normal") && said.contains("end at t = 300 ms"),
        "{said}"
    );
    let lab = Lab::with(&[out.to_str().unwrap()]);
    let read = lab.get("/api/v1/run").json();
    // The same scene, run by the lab, fails in the same way.
    let made = lab.post("/api/v1/simulate", &json!({ "scene": FAILS }).to_string()).json();
    for film in [&read, &made] {
        assert_eq!(film["finished"], false);
        assert!(film["stopped"].as_str().unwrap().contains("joints hold along its normal"));
        let end = film["frames"]["time"].as_array().unwrap().last().unwrap().as_f64().unwrap();
        assert!((end - 0.3).abs() < 1e-9, "{end}");
        assert_eq!(film["touches"], made["touches"]);
    }
    let Some(mut browser) = Browser::open(&format!("{}scenes#run", lab.url())) else { return };
    browser.until("!document.getElementById('problem').hidden");
    let problem = "document.getElementById('problem').innerText";
    assert!(browser.text(problem).contains("could not go on after t = 300 ms"));
    browser.eval("document.activeElement.blur()");
    browser.press("End");
    browser.until("document.getElementById('clock').textContent.startsWith('t = 300.0')");
    browser.settle();
    browser.picture("runs-failed");
    browser.eval("document.getElementById('run').click()");
    browser.until(&format!("/steps/.test(document.getElementById('working').textContent) && {problem}.startsWith('contact `hammer-cart`')"));
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
