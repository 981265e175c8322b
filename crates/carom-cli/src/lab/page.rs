//! The page's files, built in, and the description of the API.

use super::endpoints::ENDPOINTS;
use crate::figure::escape;

/// Path, media type, contents.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/app.js", SCRIPT, include_str!("page/app.js")),
    ("/state.js", SCRIPT, include_str!("page/state.js")),
    ("/controls.js", SCRIPT, include_str!("page/controls.js")),
    ("/laws.js", SCRIPT, include_str!("page/laws.js")),
    ("/plots.js", SCRIPT, include_str!("page/plots.js")),
    ("/results.js", SCRIPT, include_str!("page/results.js")),
    ("/measured.js", SCRIPT, include_str!("page/measured.js")),
    ("/tools.js", SCRIPT, include_str!("page/tools.js")),
    ("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file at a path.
pub fn find(path: &str) -> Option<(&'static str, Vec<u8>)> {
    if path == "/api" || path == "/api/" {
        return Some(("text/html; charset=utf-8", api().into_bytes()));
    }
    let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == path)?;
    Some((kind, text.as_bytes().to_vec()))
}

/// Words for the examples.
const WORDS: [(&str, &str); 3] =
    [("{svg|png}", "svg"), ("{id}", "hertz-1881"), ("{engine}", "lammps")];

/// `/api`: every endpoint with an example to copy.
fn api() -> String {
    let mut text = String::from(include_str!("page/api.html"));
    let mut list = String::new();
    for endpoint in ENDPOINTS {
        let path =
            WORDS.iter().fold(endpoint.path.to_string(), |path, (any, one)| path.replace(any, one));
        let example = match (endpoint.method, endpoint.example) {
            ("POST", body) => format!("curl http://127.0.0.1:7117/api/v1/{path} \\\n  -d '{body}'"),
            _ => format!(
                "curl http://127.0.0.1:7117/api/v1/{}",
                endpoint.path.replace("{id}", "hertz-1881")
            ),
        };
        list += &format!(
            "<section><h2><code>{} /api/v1/{}</code></h2><p>{}</p><pre><code>{}</code></pre></section>\n",
            endpoint.method,
            escape(endpoint.path),
            escape(endpoint.about),
            escape(&example)
        );
    }
    text = text.replace("<!-- endpoints -->", &list);
    text
}
