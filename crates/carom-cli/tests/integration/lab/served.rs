//! A lab for a test, and a client that sends exactly the given bytes.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running lab; it ends with the test.
pub struct Lab {
    child: Child,
    pub port: u16,
    /// The link printed by the lab.
    pub link: String,
}

/// An answer: status, headers, body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.text()))
    }
}

impl Lab {
    pub fn start() -> Self {
        Self::with(&[])
    }

    /// Starts a lab with further arguments and access for every program of this machine.
    pub fn with(more: &[&str]) -> Self {
        Self::at(0, &[&["--no-token"], more].concat())
    }

    /// Starts a lab with these arguments at a port that another one has released.
    pub fn at(port: u16, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["lab", "--no-open", "--port", &port.to_string()])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next());
        let link = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
        Self { child, port: port.unwrap().parse().unwrap(), link: link.to_string() }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the resident memory (kB).
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Returns the processor time so far (s), with a resolution of 0.01 s.
    pub fn processor_time(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        [11, 12].iter().map(|&i| fields[i].parse::<f64>().unwrap() / 100.0).sum()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(&self.head("GET", path, ""), b"")
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        let length = format!("Content-Length: {}\r\n", body.len());
        self.send(&self.head("POST", path, &length), body.as_bytes())
    }

    pub fn head(&self, method: &str, path: &str, more: &str) -> String {
        let port = self.port;
        format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{more}\r\n"
        )
    }

    /// Sends these bytes and reads until the server closes the connection.
    pub fn send(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses early may not read everything.
        let _ = stream.write_all(body);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an HTTP answer");
        let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: bytes[split + 4..].to_vec() }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the standard output and standard error of the command.
pub fn carom(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}
