//! The reference of the API, from the list of endpoints.

use super::endpoints::ENDPOINTS;

/// Every endpoint with what it answers and a request to try, as Markdown.
pub fn reference() -> String {
    let mut page = String::from(
        "# HTTP API of the lab\n\n`carom lab` listens on `http://127.0.0.1:7117/` and answers only programs on the same machine. \
         A request that makes no sense is answered with status 400 and the sentence that the command would print. Limits and \
         examples with `curl` are in [The lab](../how-to/lab.md); a running lab lists the same under `/api`.\n",
    );
    for endpoint in ENDPOINTS {
        page +=
            &format!("\n## {} /api/v1/{}\n\n{}\n", endpoint.method, endpoint.path, endpoint.about);
        if !endpoint.example.is_empty() {
            page += &format!("\n```json\n{}\n```\n", endpoint.example);
        }
    }
    page
}
