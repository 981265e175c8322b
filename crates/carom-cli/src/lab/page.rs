//! The pages of the lab and the files that they load, embedded in the program, and the page `/api`.

use super::endpoints::{ENDPOINTS, example_path};
use super::openapi;
use crate::figure::escape;

/// Names and contents of the files in `lab/page`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Paths of the pages and their files. Other files are found by their names.
const PAGES: [(&str, &str); 4] = [
    ("/", "index.html"),
    ("/scenes", "scenes.html"),
    ("/drop", "drop.html"),
    ("/robot", "robot.html"),
];

/// Media types by the ending of a name. Files of other types are parts of pages and have no address.
const MEDIA_TYPES: [(&str, &str); 3] = [
    (".css", "text/css; charset=utf-8"),
    (".js", "text/javascript; charset=utf-8"),
    (".svg", "image/svg+xml"),
];

const HTML_TYPE: &str = "text/html; charset=utf-8";

/// Returns the media type and contents at a path of the server at this port; `/api` is JSON for clients that accept it.
pub fn find(path: &str, accept: &str, port: u16) -> Option<(&'static str, Vec<u8>)> {
    let readable = !accept.contains("application/json");
    match path.strip_suffix('/').unwrap_or(path) {
        "/api" if readable => return Some((HTML_TYPE, api_page(port).into_bytes())),
        "/api" | "/api/openapi.json" => {
            return Some(("application/json", openapi::document().as_bytes().to_vec()));
        }
        _ => {}
    }
    if let Some((_, name)) = PAGES.iter().find(|(page, _)| *page == path) {
        return Some((HTML_TYPE, complete_page(embedded_file(name)?, path).into_bytes()));
    }
    let name = path.strip_prefix('/')?;
    let (_, kind) = MEDIA_TYPES.iter().find(|(ending, _)| name.ends_with(ending))?;
    Some((kind, embedded_file(name)?.as_bytes().to_vec()))
}

/// Returns an embedded file.
fn embedded_file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Returns a page with the head and the header that all pages share; the link to the page in the header is marked.
fn complete_page(text: &str, path: &str) -> String {
    let link = format!("<a href=\"{path}\"");
    let header =
        include_str!("page/header.html").replace(&link, &format!("{link} aria-current=\"page\""));
    let text = text.replace("<!-- head -->\n", include_str!("page/head.html"));
    text.replace("<!-- header -->", &header)
}

/// Returns escaped text in which words between backticks are code.
fn code_markup(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(i, part)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part.into() })
        .collect()
}

/// Returns the page `/api`: every endpoint with an example to copy.
fn api_page(port: u16) -> String {
    let text = complete_page(include_str!("page/api.html"), "/api");
    let mut list = String::new();
    for endpoint in ENDPOINTS {
        let path = example_path(endpoint.path);
        let mut example = escape(&format!("curl http://127.0.0.1:{port}/api/v1/{path}"));
        if endpoint.method == "POST" {
            // The body is appended after `escape`, which would replace the newline.
            example += &format!(" \\\n  -d '{}'", escape(endpoint.example));
        }
        list += &format!(
            "<section><h2><code>{} /api/v1/{}</code></h2><p>{}</p><pre><code>{}</code></pre></section>\n",
            endpoint.method,
            escape(endpoint.path),
            code_markup(&escape(endpoint.about)),
            example
        );
    }
    text.replace("<!-- endpoints -->", &list)
}
