//! The API: the same bytes as the command, and no way in for strangers.

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
        ("/api/v1/export/nothing", r#"{"law": "hertz-1881"}"#, 400),
        ("/api/v1/figure/gif", r#"{"laws": []}"#, 400),
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
fn strangers_and_floods_are_turned_away() {
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
    // Announced and unannounced, more than is allowed.
    let flood = vec![b' '; 17 << 20];
    let head = lab.head("POST", "/api/v1/impact", &format!("Content-Length: {}\r\n", flood.len()));
    assert_eq!(lab.send(&head, &flood).status, 413);
    let answer = lab.get("/");
    assert!(answer.head.contains("content-security-policy: default-src 'none'"), "{}", answer.head);
    // Nobody else can connect: the server listens on loopback and nowhere else.
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
        let example = example.split("</code>").next().unwrap().replace("&quot;", "\"");
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
