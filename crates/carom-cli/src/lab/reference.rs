//! The reference manual of the API, generated from the list of endpoints.

use super::endpoints::ENDPOINTS;
use crate::output;
use serde_json::Value;

/// Returns every endpoint with its description and an example of a request, as Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "# HTTP API of the lab\n\n`carom lab` listens on `http://127.0.0.1:7117/` and answers only programs on the same machine. \
         An invalid request is answered with status 400 and the error message that the command would print. Limits and \
         examples with `curl` are in [The lab](../how-to/lab.md); a running lab lists the same under `/api`.\n",
    );
    for endpoint in ENDPOINTS {
        let (method, path) = (endpoint.method, endpoint.path);
        page += &format!("\n## `{method} /api/v1/{path}`\n\n{}\n", endpoint.about);
        let example = serde_json::from_str(endpoint.example).ok();
        if let Some(example) = example.and_then(|example: Value| output::json(&example).ok()) {
            page += &format!("\n```json\n{}\n```\n", example.trim_end());
        }
    }
    page
}
