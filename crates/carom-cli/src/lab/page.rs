//! The embedded files of the page, and the page `/api`, which describes the API.

use super::endpoints::{ENDPOINTS, example_path};
use super::openapi;
use crate::figure::escape;

/// Path, media type, contents.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("page/index.html")),
    ("/scenes", "text/html; charset=utf-8", include_str!("page/scenes.html")),
    ("/drop", "text/html; charset=utf-8", include_str!("page/drop.html")),
    ("/robot", "text/html; charset=utf-8", include_str!("page/robot.html")),
    ("/bench.css", "text/css; charset=utf-8", include_str!("page/bench.css")),
    ("/drop.js", SCRIPT, include_str!("page/drop.js")),
    ("/robot.js", SCRIPT, include_str!("page/robot.js")),
    ("/dropped.js", SCRIPT, include_str!("page/dropped.js")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/impact.css", "text/css; charset=utf-8", include_str!("page/impact.css")),
    ("/app.js", SCRIPT, include_str!("page/app.js")),
    ("/state.js", SCRIPT, include_str!("page/state.js")),
    ("/controls.js", SCRIPT, include_str!("page/controls.js")),
    ("/laws.js", SCRIPT, include_str!("page/laws.js")),
    ("/parameters.js", SCRIPT, include_str!("page/parameters.js")),
    ("/undo.js", SCRIPT, include_str!("page/undo.js")),
    ("/chart.js", SCRIPT, include_str!("page/chart.js")),
    ("/connection.js", SCRIPT, include_str!("page/connection.js")),
    ("/plots.js", SCRIPT, include_str!("page/plots.js")),
    ("/results.js", SCRIPT, include_str!("page/results.js")),
    ("/measured.js", SCRIPT, include_str!("page/measured.js")),
    ("/advice.js", SCRIPT, include_str!("page/advice.js")),
    ("/tools.js", SCRIPT, include_str!("page/tools.js")),
    ("/scenes.css", "text/css; charset=utf-8", include_str!("page/scenes.css")),
    ("/scenes.js", SCRIPT, include_str!("page/scenes.js")),
    ("/record.js", SCRIPT, include_str!("page/record.js")),
    ("/scene_link.js", SCRIPT, include_str!("page/scene_link.js")),
    ("/scene_controls.js", SCRIPT, include_str!("page/scene_controls.js")),
    ("/watch.js", SCRIPT, include_str!("page/watch.js")),
    ("/compare.js", SCRIPT, include_str!("page/compare.js")),
    ("/raster.js", SCRIPT, include_str!("page/raster.js")),
    ("/editor.js", SCRIPT, include_str!("page/editor.js")),
    ("/bed.js", SCRIPT, include_str!("page/bed.js")),
    ("/bed_gl.js", SCRIPT, include_str!("page/bed_gl.js")),
    ("/film.js", SCRIPT, include_str!("page/film.js")),
    ("/player.js", SCRIPT, include_str!("page/player.js")),
    ("/camera.js", SCRIPT, include_str!("page/camera.js")),
    ("/solids.js", SCRIPT, include_str!("page/solids.js")),
    ("/gl.js", SCRIPT, include_str!("page/gl.js")),
    ("/stage.js", SCRIPT, include_str!("page/stage.js")),
    ("/ground.js", SCRIPT, include_str!("page/ground.js")),
    ("/overlay.js", SCRIPT, include_str!("page/overlay.js")),
    ("/strip.js", SCRIPT, include_str!("page/strip.js")),
    ("/space.js", SCRIPT, include_str!("page/space.js")),
    ("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file at a path of the server at this port; `/api` is JSON for those who ask for that.
pub fn find(path: &str, accept: &str, port: u16) -> Option<(&'static str, Vec<u8>)> {
    let readable = !accept.contains("application/json");
    match path.strip_suffix('/').unwrap_or(path) {
        "/api" if readable => return Some(("text/html; charset=utf-8", api(port).into_bytes())),
        "/api" | "/api/openapi.json" => {
            return Some(("application/json", openapi::document().as_bytes().to_vec()));
        }
        _ => {}
    }
    let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == path)?;
    Some((kind, with_header(text, path).into_bytes()))
}

/// A page with the header that all have, in which it is marked.
fn with_header(text: &str, path: &str) -> String {
    let link = format!("<a href=\"{path}\"");
    let header =
        include_str!("page/header.html").replace(&link, &format!("{link} aria-current=\"page\""));
    text.replace("<!-- header -->", &header)
}

/// Escaped text in which words between backticks are code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts
        .map(|(i, part)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part.into() })
        .collect()
}

/// `/api`: every endpoint with an example to copy.
fn api(port: u16) -> String {
    let text = with_header(include_str!("page/api.html"), "/api");
    let mut list = String::new();
    for endpoint in ENDPOINTS {
        let path = example_path(endpoint.path);
        let mut example = escape(&format!("curl http://127.0.0.1:{port}/api/v1/{path}"));
        if endpoint.method == "POST" {
            // Appended after `escape`, which would replace the newline.
            example += &format!(" \\\n  -d '{}'", escape(endpoint.example));
        }
        list += &format!(
            "<section><h2><code>{} /api/v1/{}</code></h2><p>{}</p><pre><code>{}</code></pre></section>\n",
            endpoint.method,
            escape(endpoint.path),
            with_code(&escape(endpoint.about)),
            example
        );
    }
    text.replace("<!-- endpoints -->", &list)
}
