//! Access control: only the server's own pages and programs on this machine receive answers.
//!
//! Any page on the web can make a browser send requests to loopback (visible in `Origin`), or make its own host name resolve to
//! loopback (DNS rebinding, visible in `Host`). The port is not checked, because `ssh -L` may forward from another one.

/// Accepts a request from the server's own page or from a program on this machine, judged by its headers.
pub fn admits(host: Option<&str>, origin: Option<&str>, port: u16) -> Result<(), String> {
    let host = host.unwrap_or_default();
    if !is_loopback(host) {
        return Err(format!(
            "the request is for host `{host}`, and the lab answers only as 127.0.0.1:{port} or localhost:{port}; open it under that name"
        ));
    }
    match origin {
        None => Ok(()),
        // The origin of a page of this server is the host to which it sends requests.
        Some(origin) => match origin.strip_prefix("http://") {
            Some(from) if from.eq_ignore_ascii_case(host) => Ok(()),
            _ => Err(format!(
                "the request comes from `{origin}`, and the lab answers only its own page; open http://127.0.0.1:{port}"
            )),
        },
    }
}

/// Returns whether a host is a loopback name with a port.
fn is_loopback(host: &str) -> bool {
    let Some((name, port)) = host.rsplit_once(':') else { return false };
    let name_is_ours =
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|ours| name.eq_ignore_ascii_case(ours));
    name_is_ours && port.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_admitted() {
        for (host, origin, fine) in [
            (Some("127.0.0.1:80"), None, true),
            (Some("LOCALHOST:80"), Some("http://localhost:80"), true),
            (Some("[::1]:80"), Some("http://[::1]:80"), true),
            // Requests through `ssh -L 8000:localhost:80`.
            (Some("localhost:8000"), Some("http://localhost:8000"), true),
            // Requests from another server of this machine.
            (Some("127.0.0.1:80"), Some("http://127.0.0.1:81"), false),
            (Some("127.0.0.1"), None, false),
            (Some("127.0.0.1:x"), None, false),
            (Some("evil.example:80"), None, false),
            (Some("evil.example:80"), Some("http://evil.example:80"), false),
            (Some("127.0.0.1.evil.example:80"), None, false),
            (None, None, false),
            (Some("127.0.0.1:80"), Some("http://evil.example"), false),
            (Some("127.0.0.1:80"), Some("https://127.0.0.1:80"), false),
            (Some("127.0.0.1:80"), Some("null"), false),
        ] {
            assert_eq!(admits(host, origin, 80).is_ok(), fine, "{host:?} {origin:?}");
        }
    }
}
