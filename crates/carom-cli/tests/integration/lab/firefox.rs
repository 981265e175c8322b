//! A real Firefox, controlled through WebDriver BiDi, which it supports itself: the pages work in a second browser, besides the
//! one in which they are tested in detail.

use super::served::Lab;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A headless Firefox with one page.
struct Firefox {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    context: String,
    last: u64,
    complaints: Vec<String>,
    folder: PathBuf,
}

impl Firefox {
    /// Starts Firefox. Without it the test fails, or is skipped if `CAROM_NO_BROWSER=1`.
    fn start() -> Option<Self> {
        if std::env::var_os("CAROM_NO_BROWSER").is_some_and(|value| value == "1") {
            eprintln!("CAROM_NO_BROWSER=1: the page is not tested");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("carom-firefox-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let start = |name: &str| {
            Command::new(name)
                .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
                .arg(&folder)
                .args(["--width", "1280", "--height", "900", "about:blank"])
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
        };
        let mut child = start("firefox-esr").or_else(|_| start("firefox")).expect(
            "Firefox tests the lab's page beside Chromium: install it (Debian: `apt-get install firefox-esr` as root), or \
             skip these tests with CAROM_NO_BROWSER=1",
        );
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split("WebDriver BiDi listening on ").nth(1).map(str::to_string))
            .expect("Firefox says where it listens");
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(format!("{}/session", address.trim())).unwrap();
        let mut browser =
            Self { child, socket, context: String::new(), last: 0, complaints: Vec::new(), folder };
        browser.call("session.new", json!({"capabilities": {}}));
        browser.call("session.subscribe", json!({"events": ["log.entryAdded"]}));
        let tree = browser.call("browsingContext.getTree", json!({}));
        browser.context = tree["contexts"][0]["context"].as_str().unwrap().to_string();
        Some(browser)
    }

    /// Sends a command and returns its answer; errors reported by pages in the meantime are recorded.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let message = json!({"id": id, "method": method, "params": parameters});
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == id {
                assert_eq!(answer["type"], "success", "{method}: {answer}");
                return answer["result"].clone();
            }
            let entry = &answer["params"];
            if answer["method"] == "log.entryAdded" && entry["level"] == "error" {
                self.complaints.push(entry["text"].to_string());
            }
        }
    }

    fn go(&mut self, url: &str) {
        let context = self.context.clone();
        let asked = json!({"context": context, "url": url, "wait": "complete"});
        self.call("browsingContext.navigate", asked);
    }

    /// Returns the value of an expression, after awaiting promises; null while a page is loading.
    fn eval(&mut self, expression: &str) -> Value {
        let context = self.context.clone();
        let expression = format!("(async () => JSON.stringify((await ({expression})) ?? null))()");
        let asked =
            json!({"expression": expression, "target": {"context": context}, "awaitPromise": true});
        let answer = self.call("script.evaluate", asked);
        let text = answer["result"]["value"].as_str().unwrap_or("null");
        serde_json::from_str(text).unwrap()
    }

    fn until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.eval(&format!("Boolean({expression})")) != Value::Bool(true) {
            if start.elapsed() > Duration::from_secs(60) {
                let page = self.eval("document.body.innerText");
                panic!("never true: {expression}\n{:?}\n{page}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn every_page_works_in_firefox() {
    let lab = Lab::start();
    let Some(mut browser) = Firefox::start() else { return };
    browser.go(&format!("{}#laws=hunt-crossley-1975,tsuji-1992&calibration=exact", lab.url()));
    browser.until("document.querySelectorAll('#results tbody tr').length === 2 && document.querySelectorAll('#plots .plot path.s').length >= 8");
    let delivered = browser
        .eval("document.querySelector('#results tbody tr td:nth-child(2)').firstChild.textContent");
    assert_eq!(delivered, "0.75680");
    // A slider changes the answer.
    browser.eval("(() => { const e = document.getElementById('restitution'); e.value = '0.5'; e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true})); })()");
    browser.until("document.querySelector('#results tbody tr td:nth-child(2)').firstChild.textContent === '0.50000'");
    // A scene of bodies and one of grains are run, drawn and played.
    for scene in ["newtons-cradle", "grains"] {
        browser.go("about:blank");
        browser.go(&format!("{}scenes#scene={scene}", lab.url()));
        browser.until("/steps, computed in/.test(document.getElementById('working').textContent) && document.querySelector('#plots .drawing svg')");
        let colours = "(() => { const canvas = document.getElementById('canvas'); const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height); \
             const seen = new Set(); for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]); return seen.size; })()";
        browser.until(&format!("{colours} > 60"));
        browser.eval("document.getElementById('play').click()");
        browser.until("Number(document.getElementById('scrub').value) > 0.02");
        browser.eval("document.getElementById('play').click()");
    }
    browser.go(&format!("{}api", lab.url()));
    browser.until("document.querySelectorAll('section').length > 10");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
