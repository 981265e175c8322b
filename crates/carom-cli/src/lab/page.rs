//! The embedded files of the page, and the page `/api`, which describes the API.

use super::endpoints::ENDPOINTS;
use crate::figure::escape;

/// Path, media type, contents.
const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("page/index.html")),
    ("/scenes", "text/html; charset=utf-8", include_str!("page/scenes.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/app.js", SCRIPT, include_str!("page/app.js")),
    ("/state.js", SCRIPT, include_str!("page/state.js")),
    ("/controls.js", SCRIPT, include_str!("page/controls.js")),
    ("/laws.js", SCRIPT, include_str!("page/laws.js")),
    ("/plots.js", SCRIPT, include_str!("page/plots.js")),
    ("/results.js", SCRIPT, include_str!("page/results.js")),
    ("/measured.js", SCRIPT, include_str!("page/measured.js")),
    ("/advice.js", SCRIPT, include_str!("page/advice.js")),
    ("/tools.js", SCRIPT, include_str!("page/tools.js")),
    ("/scenes.css", "text/css; charset=utf-8", include_str!("page/scenes.css")),
    ("/scenes.js", SCRIPT, include_str!("page/scenes.js")),
    ("/editor.js", SCRIPT, include_str!("page/editor.js")),
    ("/bed.js", SCRIPT, include_str!("page/bed.js")),
    ("/film.js", SCRIPT, include_str!("page/film.js")),
    ("/player.js", SCRIPT, include_str!("page/player.js")),
    ("/camera.js", SCRIPT, include_str!("page/camera.js")),
    ("/solids.js", SCRIPT, include_str!("page/solids.js")),
    ("/stage.js", SCRIPT, include_str!("page/stage.js")),
    ("/overlay.js", SCRIPT, include_str!("page/overlay.js")),
    ("/strip.js", SCRIPT, include_str!("page/strip.js")),
    ("/space.js", SCRIPT, include_str!("page/space.js")),
    ("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file at a path of the server at this port.
pub fn find(path: &str, port: u16) -> Option<(&'static str, Vec<u8>)> {
    if path == "/api" || path == "/api/" {
        return Some(("text/html; charset=utf-8", api(port).into_bytes()));
    }
    let (_, kind, text) = FILES.iter().find(|(known, ..)| *known == path)?;
    Some((kind, text.as_bytes().to_vec()))
}

/// Path parameters and their values in the examples.
const EXAMPLE_VALUES: [(&str, &str); 3] =
    [("{svg|pdf|png}", "svg"), ("{id}", "hertz-1881"), ("{engine}", "lammps")];

/// `/api`: every endpoint with an example to copy.
fn api(port: u16) -> String {
    let mut text = String::from(include_str!("page/api.html"));
    let mut list = String::new();
    for endpoint in ENDPOINTS {
        let path = EXAMPLE_VALUES
            .iter()
            .fold(endpoint.path.to_string(), |path, (any, one)| path.replace(any, one));
        let mut example = escape(&format!("curl http://127.0.0.1:{port}/api/v1/{path}"));
        if endpoint.method == "POST" {
            // Appended after `escape`, which would replace the newline.
            example += &format!(" \\\n  -d '{}'", escape(endpoint.example));
        }
        list += &format!(
            "<section><h2><code>{} /api/v1/{}</code></h2><p>{}</p><pre><code>{}</code></pre></section>\n",
            endpoint.method,
            escape(endpoint.path),
            escape(endpoint.about),
            example
        );
    }
    text = text.replace("<!-- endpoints -->", &list);
    text
}
