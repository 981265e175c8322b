//! A real browser, controlled through its debugging protocol.

use super::served::Lab;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A headless Chromium with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    last: u64,
    /// Errors reported by the page, and addresses it requested.
    pub complaints: Vec<String>,
    pub requests: Vec<String>,
    folder: PathBuf,
}

/// Returns the name of the browser on this machine.
fn program() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let probe = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        probe.is_ok_and(|status| status.success())
    })
}

impl Browser {
    /// Opens a page. Without a browser the test fails, or is skipped if `CAROM_NO_BROWSER=1`.
    pub fn open(url: &str) -> Option<Self> {
        Self::with(url, &["--disable-gpu", "--enable-unsafe-swiftshader"])
    }

    /// Opens a page in a browser that has no WebGL.
    pub fn open_without_webgl(url: &str) -> Option<Self> {
        Self::with(url, &["--disable-gpu", "--disable-3d-apis"])
    }

    fn with(url: &str, graphics: &[&str]) -> Option<Self> {
        if std::env::var_os("CAROM_NO_BROWSER").is_some_and(|value| value == "1") {
            eprintln!("CAROM_NO_BROWSER=1: the page is not tested");
            return None;
        }
        let program = program().expect(
            "Chromium tests the lab's page: install it (Debian: `apt-get install chromium` as root), or skip these \
             tests with CAROM_NO_BROWSER=1",
        );
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("carom-lab-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut child = Command::new(program)
            .args(["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run"])
            .args([
                "--disable-background-networking",
                // Without this option, Chromium silently ignores changes of the address after about 200 in ten seconds, and tests
                // follow links faster than people do.
                "--disable-ipc-flooding-protection",
                "--remote-debugging-port=0",
                "--window-size=1280,900",
            ])
            .args(graphics)
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_string))
            .expect("Chromium says where it listens");
        // All further output is read, so that the process never blocks on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let (socket, _) = tungstenite::connect(&address).unwrap();
        let mut browser = Self {
            child,
            socket,
            session: String::new(),
            last: 0,
            complaints: Vec::new(),
            requests: Vec::new(),
            folder,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let id = target["targetId"].clone();
        let session =
            browser.call("Target.attachToTarget", json!({"targetId": id, "flatten": true}));
        browser.session = session["sessionId"].as_str().unwrap().to_string();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.go(url);
        Some(browser)
    }

    /// Opens an address and waits until the page shows its plots.
    pub fn go(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.call("Page.navigate", json!({"url": url}));
        // The blank page may still be loaded, and is complete itself.
        self.until("location.href !== 'about:blank' && document.readyState === 'complete'");
        let page = url.rsplit('/').next().unwrap_or_default();
        let shown = match page {
            page if page.starts_with("scenes") => "document.querySelector('#plots .drawing svg')",
            page if page.starts_with("drop") || page.starts_with("robot") => "true",
            // This page shows a list and no plots.
            "api" => return self.until("document.querySelector('section')"),
            _ => {
                "document.querySelector('#results td') && document.querySelectorAll('#engine option').length > 5"
            }
        };
        self.until(shown);
        self.settle();
    }

    /// Reloads the page and waits until the old one is gone.
    pub fn reload(&mut self) {
        self.eval("window.leaving = true");
        self.call("Page.reload", json!({}));
        self.until("!window.leaving && document.readyState === 'complete'");
    }

    /// Sends a command and returns its answer, which must not be an error.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.ask(method, parameters).unwrap_or_else(|why| panic!("{method}: {why}"))
    }

    /// Sends a command and returns its answer or error; events received in the meantime are recorded.
    fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.last += 1;
        let id = self.last;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == id {
                return match &answer["error"] {
                    Value::Null => Ok(answer["result"].clone()),
                    why => Err(why.to_string()),
                };
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let about = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(about["exceptionDetails"].to_string())
            }
            Some("Log.entryAdded") if about["entry"]["level"] == "error" => {
                self.complaints.push(about["entry"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                self.requests
                    .push(about["request"]["url"].as_str().unwrap_or_default().to_string());
            }
            _ => {}
        }
    }

    /// Returns the value of an expression, after awaiting promises.
    pub fn eval(&mut self, expression: &str) -> Value {
        self.value(expression).unwrap_or_else(|why| panic!("{expression}: {why}"))
    }

    fn value(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.ask("Runtime.evaluate", asked)?;
        match &answer["exceptionDetails"] {
            Value::Null => Ok(answer["result"]["value"].clone()),
            why => Err(why.to_string()),
        }
    }

    pub fn text(&mut self, expression: &str) -> String {
        self.eval(expression).as_str().unwrap_or_default().to_string()
    }

    /// Waits until an expression is true. While a page is loading, missing elements and errors count as not yet true.
    pub fn until(&mut self, expression: &str) {
        let start = Instant::now();
        loop {
            let now = self.value(&format!("Boolean({expression})"));
            if now == Ok(Value::Bool(true)) {
                return;
            }
            if start.elapsed() > Duration::from_secs(60) {
                let page = self.text("document.body.innerText");
                panic!("never true: {expression}\n{now:?}\n{:?}\n{page}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Checks that everything was loaded from the lab itself.
    pub fn asked_only(&self, lab: &Lab) {
        let other = self.requests.iter().find(|url| {
            !url.starts_with(&lab.url()) && !url.starts_with("about:") && !url.starts_with("blob:")
        });
        assert_eq!(other, None, "everything comes from the lab itself");
    }

    /// Waits until the page has not been redrawn for a while.
    pub fn settle(&mut self) {
        let mut shown = Value::Null;
        loop {
            std::thread::sleep(Duration::from_millis(150));
            let now = self.eval("document.body?.dataset.shown ?? ''");
            if now == shown && now != "" {
                return;
            }
            shown = now;
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            " " => (32, " "),
            "ArrowLeft" => (37, ""),
            "ArrowRight" => (39, ""),
            "Home" => (36, ""),
            "End" => (35, ""),
            _ => (0, key),
        };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            event["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", event);
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", up);
    }

    pub fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(&letter.to_string());
        }
    }

    /// Moves the pointer to a position in an element, given as fractions of its size.
    pub fn hover(&mut self, selector: &str, across: f64, down: f64) {
        let found = self.eval(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()"
        ));
        let at = |i: usize| found[i].as_f64().unwrap();
        let (x, y) = (at(0) + across * at(2), at(1) + down * at(3));
        self.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}));
    }

    /// Presses the button, drags to another position in the element, and releases the button.
    pub fn drag(&mut self, selector: &str, from: (f64, f64), to: (f64, f64)) {
        self.hover(selector, from.0, from.1);
        let found = self.eval(&format!(
            "(() => {{ const b = document.querySelector({selector:?}).getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()"
        ));
        let at = |i: usize| found[i].as_f64().unwrap();
        let place = |(x, y): (f64, f64)| (at(0) + x * at(2), at(1) + y * at(3));
        for (kind, point) in [("mousePressed", from), ("mouseMoved", to), ("mouseReleased", to)] {
            let (x, y) = place(point);
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Drops a file with this name and text on the page.
    pub fn drop_file(&mut self, name: &str, text: &str) {
        self.eval(&format!(
            "(() => {{ const t = new DataTransfer(); t.items.add(new File([{text:?}], {name:?})); \
             document.dispatchEvent(new DragEvent('drop', {{dataTransfer: t, bubbles: true, cancelable: true}})); }})()"
        ));
    }

    pub fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.settle();
    }

    pub fn dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Saves a picture of the whole page in target/screenshots.
    pub fn picture(&mut self, name: &str) {
        let asked = json!({"format": "png", "captureBeyondViewport": true});
        let answer = self.call("Page.captureScreenshot", asked);
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let bytes = decode(answer["data"].as_str().unwrap());
        std::fs::write(folder.join(format!("{name}.png")), bytes).unwrap();
    }

    /// Returns the folder for downloads and enables them.
    pub fn downloads(&mut self) -> PathBuf {
        let folder = self.folder.join("downloads");
        std::fs::create_dir_all(&folder).unwrap();
        let asked = json!({"behavior": "allow", "downloadPath": folder});
        self.call("Page.setDownloadBehavior", asked);
        folder
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Decodes base64, in which the protocol sends pictures.
fn decode(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => u32::from(letter - b'A'),
        b'a'..=b'z' => u32::from(letter - b'a') + 26,
        b'0'..=b'9' => u32::from(letter - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = four.iter().fold(0, |bits, &letter| bits << 6 | value(letter))
            << (6 * (4 - four.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}
