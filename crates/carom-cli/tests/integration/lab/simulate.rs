//! Scenes over HTTP: the numbers of `carom simulate`, reduced to what a page can show, within limits.

use super::served::{Lab, carom};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

fn scene(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap()
}

/// Returns the rows of a CSV file, by the names of their columns.
fn rows(text: &str) -> Vec<HashMap<String, String>> {
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').map(|cell| cell.trim_matches('"').to_string());
        heads.iter().map(|head| (*head).to_string()).zip(cells).collect()
    };
    lines.map(row).collect()
}

fn number(row: &HashMap<String, String>, name: &str) -> f64 {
    row[name].parse().unwrap()
}

/// Compares two numbers up to the last digits, which this JSON reader may round differently.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 2.0 * f64::EPSILON * b.abs()
}

/// Returns a text for a time, to look it up in a map.
fn key(time: f64) -> String {
    format!("{time:.13e}")
}

const BOUNCE: &str = "[simulation]\nduration = DURATION\ngravity = 9.81\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\n\
    radius = 0.02\ndensity = 7850\nposition = [0, 0, 0.1]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
    law = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\ncalibration = \"exact\"\n";

#[test]
fn a_film_has_the_numbers_of_the_command() {
    let lab = Lab::start();
    for name in ["newtons-cradle", "oblique-impact", "pounding"] {
        let out =
            std::env::temp_dir().join(format!("carom-lab-film-{}-{name}", std::process::id()));
        let file = format!("{}/../../scenes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        carom(&["simulate", &file, "--out", out.to_str().unwrap()]);
        let read = |name: &str| rows(&std::fs::read_to_string(out.join(name)).unwrap());
        let (trajectory, energies, pushes, events) = (
            read("trajectory.csv"),
            read("energies.csv"),
            read("contacts.csv"),
            read("events.csv"),
        );
        let _ = std::fs::remove_dir_all(&out);
        let answer = lab.post("/api/v1/simulate", &json!({"scene": scene(name)}).to_string());
        assert_eq!(answer.status, 200, "{}", answer.text());
        let film = answer.json();
        assert_eq!(film["finished"], true);
        let bodies: Vec<&str> = film["bodies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| b["name"].as_str().unwrap())
            .collect();
        let moving: Vec<usize> = film["moving"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| b.as_u64().unwrap() as usize)
            .collect();
        // The frames at the times of the command agree in every digit of every pose, force and energy.
        let mut at: HashMap<String, usize> = HashMap::new();
        for (frame, time) in film["frames"]["time"].as_array().unwrap().iter().enumerate() {
            at.insert(key(time.as_f64().unwrap()), frame);
        }
        let frame_of = |row: &HashMap<String, String>| at.get(&key(number(row, "time_s")));
        let mut met = 0;
        for row in &trajectory {
            let Some(&frame) = frame_of(row) else { continue };
            let slot = moving.iter().position(|&body| bodies[body] == row["body"]).unwrap();
            for (i, column) in ["x_m", "y_m", "z_m", "qw", "qx", "qy", "qz"].iter().enumerate() {
                let shown = film["frames"]["poses"][frame][7 * slot + i].as_f64().unwrap();
                assert!(same(shown, number(row, column)), "{name} frame {frame} {column}");
            }
            met += 1;
        }
        assert!(met > 200, "{name}: {met} frames at the times of the command");
        for row in &energies {
            let Some(&frame) = frame_of(row) else { continue };
            for (i, column) in ["kinetic_J", "potential_J", "stored_J"].iter().enumerate() {
                let shown = film["frames"]["energies"][i][1][frame].as_f64().unwrap();
                assert!(same(shown, number(row, column)), "{name} frame {frame} {column}");
            }
        }
        let mut pushed = 0;
        for row in &pushes {
            let Some(&frame) = frame_of(row) else { continue };
            let touches = film["frames"]["contacts"][frame].as_array().unwrap();
            let found = touches.iter().find(|touch| {
                let contact = touch[0].as_f64().unwrap() as usize;
                film["contacts"][contact]["name"] == row["contact"].as_str()
                    && touch[1].as_f64() == Some(number(row, "site"))
            });
            let columns = ["x_m", "y_m", "z_m", "fx_N", "fy_N", "fz_N", "force_N", "indentation_m"];
            for (i, column) in columns.iter().enumerate() {
                let shown = found.unwrap()[i + 2].as_f64().unwrap();
                assert!(same(shown, number(row, column)), "{name} frame {frame} {column}");
            }
            pushed += 1;
        }
        assert!(name != "oblique-impact" || pushed > 10, "{name}: {pushed} forces compared");
        // Touches and separations, in the order of their times.
        let column = |name: &str, of: &str| -> Vec<f64> {
            let found = events.iter().filter(|row| row["event"] == of);
            found.map(|row| number(row, name)).collect()
        };
        let shown = film["events"].as_array().unwrap();
        let mut parts: Vec<f64> = shown.iter().filter_map(|e| e["part"].as_f64()).collect();
        parts.sort_by(f64::total_cmp);
        let touches: Vec<f64> = shown.iter().map(|e| e["touch"].as_f64().unwrap()).collect();
        for (shown, of) in [(&touches, "touch"), (&parts, "part")] {
            let told = column("time_s", of);
            assert_eq!(shown.len(), told.len(), "{name} {of}");
            assert!(shown.iter().zip(told).all(|(a, b)| same(*a, b)), "{name} {of}");
        }
        assert_eq!(film["touches"], touches.len());
    }
}

#[test]
fn frames_lie_where_much_happens_and_are_as_few_as_asked() {
    let lab = Lab::start();
    let asked = json!({"scene": scene("bouncing-ball"), "frames": 800});
    let film = lab.post("/api/v1/simulate", &asked.to_string()).json();
    let times: Vec<f64> =
        film["frames"]["time"].as_array().unwrap().iter().map(|t| t.as_f64().unwrap()).collect();
    assert!(times.len() <= 800 && times.len() > 400, "{} frames", times.len());
    assert!(times.windows(2).all(|two| two[0] <= two[1]));
    assert_eq!((times[0], times[times.len() - 1]), (0.0, 3.2));
    // Impacts of about 30 µs in 3.2 s: each of the first ones has frames within it, and its beginning and end are frames.
    for event in film["events"].as_array().unwrap().iter().take(8) {
        let (touch, part) = (event["touch"].as_f64().unwrap(), event["part"].as_f64().unwrap());
        assert!(part - touch < 1e-4);
        let within = times.iter().filter(|t| (touch..=part).contains(t)).count();
        assert!(within >= 5, "{within} frames in the impact at {touch} s");
        assert!(times.contains(&touch) && times.contains(&part));
    }
}

#[test]
fn what_is_wrong_with_a_scene_is_said_with_its_line() {
    let lab = Lab::start();
    let refusal = |request: Value| {
        let answer = lab.post("/api/v1/simulate", &request.to_string());
        assert_eq!(answer.status, 400, "{}", answer.text());
        answer.json()["error"].as_str().unwrap().to_string()
    };
    let text = scene("newtons-cradle").replace("gravity =", "gravty =");
    let line = 1 + text.lines().position(|line| line.starts_with("gravty")).unwrap();
    let said = refusal(json!({ "scene": text }));
    assert_eq!(said, format!("line {line}: no key `gravty`; did you mean `gravity`?"));
    assert!(refusal(json!({"scene": ""})).contains("[simulation]"));
    assert!(refusal(json!({"scene": "a = ["})).starts_with("line 1: "));
    assert!(refusal(json!({"scen": ""})).contains("/api"));
    // Only files sent with the request are read, never those of the machine.
    let shaken = "[simulation]\nduration = 1\n[[body]]\nname = \"street\"\n\
        motion = { direction = [1, 0, 0], file = \"/etc/passwd\", interval = \"1 s\" }\n";
    let said = refusal(json!({ "scene": shaken }));
    assert!(said.contains("reads no files"), "{said}");
    // Too large, too long, too many: each refusal states what is allowed.
    let many: String =
        (0..600).map(|i| format!("[[body]]\nname = \"b{i}\"\nfixed = true\n")).collect();
    let said = refusal(json!({"scene": format!("[simulation]\nduration = 1\n{many}")}));
    assert!(said.contains("bodies = 600") && said.contains("at most 500"), "{said}");
    let said = refusal(json!({"scene": "[simulation]\nduration = 1\n[grains]\ncount = 10\n"}));
    assert!(said.starts_with("line 3: ") && said.contains("density"), "{said}");
    let said = refusal(json!({"scene": "#".repeat(2 << 20)}));
    assert!(said.contains("at most 1048576"), "{said}");
    let bounce = BOUNCE.replace("DURATION", "0.1");
    assert!(refusal(json!({"scene": bounce, "frames": 1_000_000})).contains("at most 4000"));
    assert!(refusal(json!({"scene": bounce, "seconds": 3600})).contains("between 0 and 100"));
    assert!(refusal(json!({"scene": bounce, "seconds": -1})).contains("between 0 and 100"));
}

#[test]
fn a_run_that_takes_too_long_answers_what_it_reached() {
    let lab = Lab::start();
    let endless = BOUNCE.replace("DURATION", "1e6").replace("tsuji-1992", "hertz-1881");
    let endless = endless.replace("restitution = 0.8\ncalibration = \"exact\"\n", "");
    let asked = json!({"scene": endless, "seconds": 0.4});
    let film = lab.post("/api/v1/simulate", &asked.to_string()).json();
    assert_eq!(film["finished"], false);
    let said = film["stopped"].as_str().unwrap();
    assert!(said.contains("after 0.4 s") && said.contains("allow more computing time"), "{said}");
    assert_eq!(film["out_of_time"], true);
    let frames = film["frames"]["time"].as_array().unwrap();
    assert!(frames.len() > 100 && frames.len() <= 4000);
    assert_eq!(frames.last().unwrap(), &film["time"]);
    assert!(film["events"].as_array().unwrap().len() <= 2001);
    // The initial state alone.
    let start = lab.post("/api/v1/simulate", &json!({"scene": endless, "seconds": 0}).to_string());
    assert_eq!(start.json()["frames"]["time"], json!([0.0]));
}

#[test]
fn many_touches_at_once_keep_within_the_limits() {
    let lab = Lab::start();
    let mut text = String::from(
        "[simulation]\nduration = 1\nsample = 1e-4\n[[body]]\nname = \"mat\"\nmass = 1\ninertia = [1, 1, 1]\n\
         position = [0, 0, 0.0099]\n",
    );
    let count = 700;
    for i in 0..count {
        let (x, y) = (0.02 * f64::from(i % 30), 0.02 * f64::from(i / 30));
        text += &format!(
            "[[body.part]]\nname = \"p{i}\"\nshape = \"sphere\"\nradius = 0.01\nposition = [{x}, {y}, 0]\n"
        );
    }
    for i in 0..count {
        text += &format!(
            "[[contact]]\nbetween = [\"mat/p{i}\", \"ground\"]\nlaw = \"hertz-1881\"\nstiffness = 1e6\n"
        );
    }
    let asked = json!({"scene": text, "seconds": 2});
    let answer = lab.post("/api/v1/simulate", &asked.to_string());
    // The limit applies to all of the work: the longer limit of the server itself is not reached.
    assert_eq!(answer.status, 200, "{}", answer.text());
    let film = answer.json();
    let touches = film["frames"]["contacts"].as_array().unwrap();
    let most = touches.iter().map(|frame| frame.as_array().unwrap().len()).max();
    assert!(most > Some(count as usize / 2), "{most:?} touches at once");
    let numbers: usize = touches.iter().map(|frame| 10 * frame.as_array().unwrap().len()).sum();
    assert!(numbers <= 400_000, "{numbers} numbers in {} frames", touches.len());
}

/// Returns the processor time of a process so far, in ticks.
fn ticks(id: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
    let after: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    after[11].parse::<u64>().unwrap() + after[12].parse::<u64>().unwrap()
}

/// Returns a scene that would run without end.
fn endless() -> String {
    let scene = BOUNCE.replace("DURATION", "1e6").replace("tsuji-1992", "hertz-1881");
    scene.replace("restitution = 0.8\ncalibration = \"exact\"\n", "")
}

/// Sends a request without waiting for the answer.
fn ask(lab: &Lab, path: &str, body: &str) -> std::net::TcpStream {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", lab.port)).unwrap();
    let head = lab.head("POST", path, &format!("Content-Length: {}\r\n", body.len()));
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    stream
}

#[test]
fn work_ends_when_nobody_waits_for_it() {
    ends_when_dropped("/api/v1/simulate", &json!({ "scene": endless() }).to_string());
}

/// Regression: a fit ran to its end, with all of its laws, although the page that had requested it was closed.
#[test]
fn a_fit_ends_when_nobody_waits_for_it() {
    let mut csv = String::from("time_s,force_N\n");
    for i in 0..4000 {
        let t = 0.25 * f64::from(i) / 4000.0;
        let noise = (1e4 * t * t).sin() + (77.7 * f64::from(i)).sin();
        csv += &format!("{:.9},{:.6}\n", 1e-3 * t, 4e3 * (12.56 * t).sin() + 200.0 * noise);
    }
    let laws = ["xiong-2014", "yigit-2011"];
    let laws: Vec<&str> = laws.into_iter().cycle().take(100).collect();
    let body = json!({
        "csv": csv, "spec": {"mass": 0.54, "speed": 0.5}, "laws": laws, "free": ["exponent"], "loss": "cauchy",
    });
    ends_when_dropped("/api/v1/fit", &body.to_string());
}

/// Regression: a request that waited for a free core was stopped after that wait, with the message that it had computed for so
/// long.
#[test]
fn waiting_for_a_free_core_is_not_computing() {
    let lab = Lab::start();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let body = json!({ "scene": endless(), "seconds": 4 }).to_string();
    let _busy: Vec<_> = (0..cores).map(|_| ask(&lab, "/api/v1/simulate", &body)).collect();
    let begun = ticks(lab.id());
    while ticks(lab.id()) < begun + 10 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let quick = BOUNCE.replace("DURATION", "0.01");
    let asked = json!({ "scene": quick, "seconds": 2.5 }).to_string();
    let film = lab.post("/api/v1/simulate", &asked).json();
    assert_eq!((&film["finished"], &film["stopped"]), (&json!(true), &Value::Null));
    assert!(film["computed"].as_f64().unwrap() < 2.5, "{}", film["computed"]);
}

fn ends_when_dropped(path: &str, body: &str) {
    let lab = Lab::start();
    let stream = ask(&lab, path, body);
    let begun = ticks(lab.id());
    let start = std::time::Instant::now();
    while ticks(lab.id()) < begun + 10 {
        assert!(start.elapsed() < Duration::from_secs(60), "it never began");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(stream);
    // Measured in processor time, which does not depend on the load of the machine: the request would use all of it.
    let dropped = ticks(lab.id());
    loop {
        let before = ticks(lab.id());
        std::thread::sleep(Duration::from_millis(500));
        if ticks(lab.id()) <= before + 1 {
            break;
        }
        assert!(ticks(lab.id()) < dropped + 500, "it goes on though nobody waits");
    }
    assert_eq!(lab.get("/scenes").status, 200);
}

#[test]
fn every_shape_joint_and_spring_comes_with_what_a_page_needs() {
    let lab = Lab::start();
    let cube: Vec<String> =
        (0..8).map(|i| format!("[{}, {}, {}]", i & 1, i >> 1 & 1, i >> 2)).collect();
    let shapes = [
        "shape = \"sphere\"\nradius = 1".to_string(),
        "shape = \"half-space\"".into(),
        "shape = \"box\"\nsize = [1, 2, 3]".into(),
        "shape = \"capsule\"\nradius = 1\nlength = 2".into(),
        "shape = \"cylinder\"\nradius = 1\nlength = 2".into(),
        "shape = \"ellipsoid\"\nsemi_axes = [1, 2, 3]".into(),
        format!("shape = \"hull\"\npoints = [{}]", cube.join(", ")),
        "shape = \"socket\"\nradius = 1".into(),
        "shape = \"bore\"\nradius = 1\nlength = 2".into(),
    ];
    let mut text = String::from("[simulation]\nduration = 0.01\n");
    for (i, shape) in shapes.iter().enumerate() {
        text += &format!(
            "[[body]]\nname = \"b{i}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [{}, 0, 0]\n{shape}\n",
            10 * i
        );
    }
    text += "[[joint]]\nkind = \"revolute\"\nbetween = [\"b0\", \"ground\"]\npoint = [1, 2, 3]\naxis = [1, 0, 0]\n";
    text += "[[spring]]\nbetween = [\"b2\", \"b3\"]\nfrom = [20, 0, 0]\nto = [30, 0, 0]\nstiffness = 1\n";
    let film = lab.post("/api/v1/simulate", &json!({ "scene": text }).to_string()).json();
    let solid = |i: usize| &film["bodies"][i + 1]["shapes"][0];
    assert_eq!(solid(2)["halves"], json!([0.5, 1.0, 1.5]));
    assert_eq!((&solid(4)["radius"], &solid(4)["half"]), (&json!(1.0), &json!(1.0)));
    assert_eq!(solid(6)["faces"].as_array().unwrap().len(), 12);
    assert_eq!(film["joints"][0]["a"]["point"], json!([1.0, 2.0, 3.0]));
    let axis = &film["joints"][0]["b"]["axis"];
    assert!((axis[0].as_f64().unwrap() - 1.0).abs() < 1e-12, "{axis}");
    assert_eq!(film["springs"][0]["b"]["body"], 4);
    assert_eq!(film["moving"].as_array().unwrap().len(), shapes.len());
}

#[test]
fn columns_are_drawn_and_what_cannot_be_drawn_is_refused() {
    let lab = Lab::start();
    let asked = |change: &dyn Fn(&mut Value)| {
        let mut request = json!({"width": 400, "panels": [{"x": {"label": "time", "unit": "s", "range": [0, 2e-3]},
            "y": {"label": "<force>", "unit": "N"}, "series": [{"name": "a&b", "x": [0, 1e-3, 2e-3], "y": [0, null, 3]}]}]});
        change(&mut request);
        lab.post("/api/v1/plot", &request.to_string())
    };
    let answer = asked(&|_| {});
    assert_eq!(answer.status, 200, "{}", answer.text());
    let svg = answer.json()[0]["svg"].as_str().unwrap().to_string();
    assert!(
        svg.contains("&lt;force&gt; (N)") && svg.contains("a&amp;b") && svg.contains("time (ms)")
    );
    assert_eq!(answer.json()[0]["frame"]["x"], json!([0.0, 2e-3]));
    type Change = fn(&mut Value);
    let wrong: [(Change, &str); 5] = [
        (|r| r["width"] = json!(1e9), "width"),
        (|r| r["panels"][0]["series"][0]["y"] = json!([1]), "equal length"),
        (|r| r["panels"][0]["x"]["range"] = json!([1, 1]), "range"),
        (|r| r["panels"] = json!(vec![r["panels"][0].clone(); 9]), "panels"),
        (|r| r["panels"][0]["series"][0]["x"] = json!(["a"]), "/api"),
    ];
    for (change, word) in wrong {
        let answer = asked(&change);
        let said = answer.text();
        assert!(answer.status == 400 && said.contains(word), "{word}: {said}");
    }
}

#[test]
fn a_film_whose_ledger_does_not_close_is_stopped() {
    let elastic = BOUNCE.replace("0.8", "1").replace("DURATION", "30\ntolerance = 1e-3");
    let body = json!({ "scene": elastic, "seconds": 15 }).to_string();
    let film = Lab::start().post("/api/v1/simulate", &body).json();
    assert_eq!(film["finished"], false, "{film}");
    let stopped = film["stopped"].as_str().unwrap_or_default();
    assert!(stopped.contains("the energy ledger does not close"), "{film}");
}
