//! The API returns the same bytes as the command and refuses unauthorised access.

use super::served::{Lab, carom};
use serde_json::json;

#[test]
fn an_impact_has_the_bytes_of_the_command() {
    let lab = Lab::start();
    for (law, more, flags) in [
        ("flores-2011", json!({}), vec![]),
        (
            "tsuji-1992",
            json!({"calibration": "exact", "exit": "force"}),
            vec!["--calibration", "exact", "--exit", "force"],
        ),
        (
            "power",
            json!({"calibration": "exact", "damping_exponent": 0.5, "rate_exponent": "0.8"}),
            vec!["--calibration", "exact", "--damping-exponent", "0.5", "--rate-exponent", "0.8"],
        ),
    ] {
        let mut spec = json!({"law": law, "mass": "540 g", "stiffness": 2.4144e10, "speed": "0.5 m/s", "restitution": 0.7});
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = lab.post("/api/v1/impact", &spec.to_string());
        let mut arguments =
            vec!["impact", "--law", law, "--mass", "540 g", "--stiffness", "2.4144e10"];
        arguments.extend(["--speed", "0.5 m/s", "--restitution", "0.7", "--json"]);
        arguments.extend(flags);
        assert_eq!((answer.status, answer.text()), (200, carom(&arguments).0), "{law}");
    }
    for (path, arguments) in [
        ("models", vec!["models", "--json"]),
        ("models/hertz-1881", vec!["model", "hertz-1881", "--json"]),
        ("materials", vec!["materials", "--json"]),
        ("engines", vec!["export", "--list", "--json"]),
    ] {
        assert_eq!(lab.get(&format!("/api/v1/{path}")).text(), carom(&arguments).0, "{path}");
    }
}

#[test]
fn bad_input_is_refused_with_the_sentence_of_the_command_and_the_server_lives_on() {
    let lab = Lab::start();
    let good = [
        ("--law", "flores-2011"),
        ("--mass", "0.54"),
        ("--stiffness", "2.4144e10"),
        ("--speed", "0.5"),
        ("--restitution", "0.7"),
    ];
    for (name, value) in [
        ("--restitution", "0"),
        ("--restitution", "1.5"),
        ("--restitution", "nan"),
        ("--mass", "-1"),
        ("--mass", "1e400"),
        ("--speed", "0"),
        ("--speed", "3 kg"),
        ("--law", "flores-2"),
        ("--stiffness", "1e-320 N"),
    ] {
        let mut arguments = vec!["impact"];
        let mut spec = serde_json::Map::new();
        for (known, usual) in good {
            let said = if known == name { value } else { usual };
            arguments.extend([known, said]);
            spec.insert(known[2..].to_string(), said.into());
        }
        let answer = lab.post("/api/v1/impact", &json!(spec).to_string());
        let (_, refusal) = carom(&arguments);
        let sentence = refusal.trim_end().strip_prefix("error: ").unwrap();
        assert_eq!(answer.status, 400, "{name} {value}: {}", answer.text());
        assert_eq!(answer.json()["error"], sentence, "{name} {value}");
    }
    for (path, body, status) in [
        ("/api/v1/impact", "", 400),
        ("/api/v1/impact", "{", 400),
        ("/api/v1/impact", "[1,2]", 400),
        ("/api/v1/impact", r#"{"low": "hertz-1881"}"#, 400),
        ("/api/v1/view", r#"{"laws": [], "points": 99999999}"#, 400),
        ("/api/v1/view", r#"{"laws": ["hertz-1881"], "width": 1e9}"#, 400),
        (
            "/api/v1/view",
            r#"{"laws": ["hertz-1881"], "measured": {"time": [1], "force": []}}"#,
            400,
        ),
        ("/api/v1/fit", r#"{"csv": "a,b\n1,2\n", "laws": ["hertz-1881"]}"#, 400),
        ("/api/v1/fit", r#"{"csv": "", "laws": []}"#, 400),
        ("/api/v1/export/nothing", r#"{"law": "hertz-1881"}"#, 404),
        ("/api/v1/export/lammps", r#"{"law": "nothing"}"#, 400),
        ("/api/v1/figure/gif", r#"{"laws": []}"#, 404),
        ("/api/v1/nothing", "{}", 404),
        ("/api/v2/impact", "{}", 404),
        ("/api/v1/models", "{}", 405),
        ("/../../etc/passwd", "", 404),
        ("/api/v1/models/..%2f..%2fetc%2fpasswd", "", 404),
    ] {
        let answer = lab.post(path, body);
        let refused =
            if path.contains("etc") { answer.status >= 400 } else { answer.status == status };
        assert!(
            refused && answer.json()["error"].is_string(),
            "{path} {body}: {} {}",
            answer.status,
            answer.text()
        );
    }
    let laws = vec!["hertz-1881"; 101];
    assert_eq!(lab.post("/api/v1/view", &json!({"laws": laws}).to_string()).status, 400);
    assert_eq!(lab.get("/").status, 200);
}

#[test]
fn other_origins_and_floods_of_requests_are_refused() {
    let lab = Lab::start();
    let port = lab.port;
    for (host, more, status) in [
        (format!("127.0.0.1:{port}"), String::new(), 200),
        (format!("localhost:{port}"), format!("Origin: http://localhost:{port}\r\n"), 200),
        ("evil.example".to_string(), String::new(), 403),
        (format!("evil.example:{port}"), String::new(), 403),
        (format!("127.0.0.1:{port}"), "Origin: http://evil.example\r\n".to_string(), 403),
        (format!("127.0.0.1:{port}"), "Origin: null\r\n".to_string(), 403),
    ] {
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
        assert_eq!(lab.send(&head, b"").status, status, "{host} {more}");
    }
    // More bytes than allowed, with and without a header that announces them.
    let flood = vec![b' '; 17 << 20];
    let head = lab.head("POST", "/api/v1/impact", &format!("Content-Length: {}\r\n", flood.len()));
    assert_eq!(lab.send(&head, &flood).status, 413);
    let answer = lab.get("/");
    assert!(answer.head.contains("content-security-policy: default-src 'none'"), "{}", answer.head);
    // Other machines cannot connect: the server listens only on the loopback interface.
    let listening = std::fs::read_to_string(format!("/proc/{}/net/tcp", lab.id())).unwrap();
    let entry = format!("{port:04X}");
    let ours: Vec<&str> =
        listening.lines().filter(|line| line.contains(&format!(":{entry} 00000000"))).collect();
    assert!(!ours.is_empty() && ours.iter().all(|line| line.contains("0100007F:")), "{ours:?}");
}

#[test]
fn the_examples_of_the_page_work_where_they_are_pasted() {
    let lab = Lab::start();
    let page = lab.get("/api").text();
    let server = format!("http://127.0.0.1:{}", lab.port);
    let mut tried = 0;
    for example in page.split("<pre><code>curl ").skip(1) {
        let shown = [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
        let example = example.split("</code>").next().unwrap().to_string();
        let example = shown.iter().fold(example, |text, (code, letter)| text.replace(code, letter));
        let path = example.split_whitespace().next().unwrap().strip_prefix(&server).unwrap();
        let answer = match example.split_once(" \\\n  -d '") {
            Some((_, body)) => lab.post(path, body.strip_suffix('\'').unwrap()),
            None => lab.get(path),
        };
        assert_eq!(answer.status, 200, "{example}");
        tried += 1;
    }
    assert!(tried > 5, "{page}");
}

#[test]
fn requests_without_the_token_are_refused() {
    let lab = Lab::at(0, &[]);
    let token = lab.link.split("token=").nth(1).unwrap().to_string();
    let ask = |path: &str, more: &str| lab.send(&lab.head("GET", path, more), b"");
    for path in ["/", "/scenes", "/app.js", "/api", "/api/v1/models", "/api/v1/run"] {
        assert_eq!(ask(path, "").status, 401, "{path}");
        assert_eq!(ask(path, "Authorization: Bearer 0123\r\n").status, 401, "{path}");
        assert_eq!(ask(path, &format!("Authorization: Bearer {token}\r\n")).status, 200, "{path}");
    }
    // The link sets a cookie and redirects to the page without the token.
    let answer = ask(&format!("/scenes?token={token}"), "");
    assert_eq!(answer.status, 303);
    assert!(answer.head.contains("location: /scenes\r\n"), "{}", answer.head);
    let cookie = answer.head.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
    assert_eq!(ask("/api/v1/models", &format!("Cookie: other=1; {cookie}\r\n")).status, 200);
    assert_eq!(ask("/api/v1/models", &format!("Cookie: {cookie}0\r\n")).status, 401);
    // Through `ssh -L 8000:localhost:PORT` the browser connects to another port and sends the same cookie.
    let head = format!(
        "GET / HTTP/1.1\r\nHost: localhost:8000\r\nOrigin: http://localhost:8000\r\nConnection: close\r\nCookie: {cookie}\r\n\r\n"
    );
    assert_eq!(lab.send(&head, b"").status, 200);
}

#[test]
fn methods_caches_and_the_machine_form_are_as_http_wants_them() {
    let lab = Lab::start();
    for (method, path, status, allow) in [
        ("HEAD", "/", 200, ""),
        ("HEAD", "/api/v1/models", 200, ""),
        ("PUT", "/", 405, "GET, HEAD"),
        ("DELETE", "/api/v1/models", 405, "GET, HEAD"),
        ("GET", "/api/v1/impact", 405, "POST"),
        ("OPTIONS", "/api/v1/impact", 405, "POST"),
        ("GET", "/api/v1/models/nothing", 404, ""),
        ("GET", "/api/v1/models/", 404, ""),
        ("GET", "/nothing", 404, ""),
    ] {
        let answer = lab.send(&lab.head(method, path, ""), b"");
        assert_eq!(answer.status, status, "{method} {path}");
        let allowed = answer.head.lines().find_map(|line| line.strip_prefix("allow: "));
        assert_eq!(allowed.unwrap_or(""), allow, "{method} {path}");
        assert_eq!(method == "HEAD", answer.body.is_empty(), "{method} {path}");
    }
    for path in ["/app.js", "/api/v1/models", "/api/v1/models/tsuji-1992"] {
        let answer = lab.get(path);
        let tag = answer.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
        let again = lab.send(&lab.head("GET", path, &format!("If-None-Match: {tag}\r\n")), b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(lab.get(path).text(), answer.text());
    }
    let machine = lab.get("/api/openapi.json");
    assert_eq!(machine.json()["openapi"], "3.1.0");
    let asked = lab.send(&lab.head("GET", "/api", "Accept: application/json\r\n"), b"");
    assert_eq!(asked.text(), machine.text());
    assert!(lab.get("/api").text().starts_with("<!doctype html>"));
}

/// A scene that runs for as long as allowed.
const ENDLESS: &str = "[simulation]\nduration = 1e6\ngravity = 9.81\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\n\
    radius = 0.02\ndensity = 7850\nposition = [0, 0, 0.1]\n[[contact]]\nbetween = [\"ball\", \"ground\"]\n\
    law = \"hunt-crossley-1975\"\nstiffness = 1e9\nrestitution = 1.0\ncalibration = \"exact\"\n";

#[test]
fn quick_requests_do_not_wait_for_long_ones_and_stalled_bodies_take_no_memory() {
    let lab = Lab::start();
    let open = |head: &str, body: &[u8]| {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", lab.port)).unwrap();
        std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
        let _ = std::io::Write::write_all(&mut stream, body);
        stream
    };
    let body = json!({"scene": ENDLESS, "seconds": 15}).to_string();
    let head = lab.head("POST", "/api/v1/simulate", &format!("Content-Length: {}\r\n", body.len()));
    // More scenes than there are cores.
    let scenes: Vec<_> = (0..20).map(|_| open(&head, body.as_bytes())).collect();
    std::thread::sleep(std::time::Duration::from_millis(200));
    let view = json!({"spec": {"mass": 0.54, "stiffness": 2.4144e10, "speed": 0.5, "restitution": 0.7}, "laws": ["tsuji-1992"]});
    let start = std::time::Instant::now();
    assert_eq!(lab.post("/api/v1/view", &view.to_string()).status, 200);
    let waited = start.elapsed().as_secs_f64();
    assert!(waited < 10.0, "{waited} s behind scenes that take 15 s");
    // When their clients disconnect the scenes end, so that a new one runs at once.
    drop(scenes);
    let short = json!({"scene": ENDLESS, "seconds": 0}).to_string();
    let start = std::time::Instant::now();
    assert_eq!(lab.post("/api/v1/simulate", &short).status, 200);
    let waited = start.elapsed().as_secs_f64();
    assert!(waited < 10.0, "{waited} s behind scenes of clients that left");
    // Sixty uploads that stop just before their end.
    let before = lab.memory();
    let head = lab.head("POST", "/api/v1/fit", &format!("Content-Length: {}\r\n", 15 << 20));
    let part = vec![b' '; 1 << 20];
    let stalled: Vec<_> = (0..60)
        .map(|_| {
            let mut stream = open(&head, &[]);
            stream.set_nonblocking(true).unwrap();
            for _ in 0..14 {
                let _ = std::io::Write::write(&mut stream, &part);
            }
            stream
        })
        .collect();
    assert_eq!(lab.post("/api/v1/view", &view.to_string()).status, 200);
    let grown = lab.memory().saturating_sub(before);
    assert!(grown < 100_000, "{grown} kB for sixty stalled uploads");
    drop(stalled);
}
