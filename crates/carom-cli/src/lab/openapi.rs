//! The OpenAPI 3.1 description of the API, made from the list of endpoints.
//!
//! Schemas are derived from the example requests and the answers to them, which are computed when the document is first requested,
//! so that they always agree with what the server answers.

use super::endpoints::{Answer, ENDPOINTS, Endpoint, PICTURES, example_path};
use super::progress::Progress;
use super::stop::Stop;
use super::stored::RunState;
use carom::CATALOGUE;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

static DOCUMENT: OnceLock<String> = OnceLock::new();

/// Returns the document as JSON.
pub fn document() -> &'static str {
    DOCUMENT.get_or_init(|| {
        let mut paths = Map::new();
        for endpoint in ENDPOINTS {
            let path = format!("/api/v1/{}", plain_path(endpoint.path));
            let entry = paths.entry(path).or_insert_with(|| json!({}));
            entry[endpoint.method.to_lowercase()] = operation(endpoint);
        }
        let document = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "carom lab",
                "version": "1",
                "description": "Contact and impact laws: quantities are SI numbers or text with a unit, such as \"12.7 mm\". \
                                Within version 1 names keep their meaning; new ones may come.",
            },
            "servers": [{"url": "/"}],
            "security": [{"token": []}, {"cookie": []}],
            "paths": paths,
            "components": {
                "securitySchemes": {
                    "token": {"type": "http", "scheme": "bearer", "description": "the token in the link that `carom lab` prints"},
                    "cookie": {"type": "apiKey", "in": "cookie", "name": "carom_lab_PORT", "description": "set by that link"},
                },
                "schemas": {"Refusal": refusal()},
            },
        });
        document.to_string() + "\n"
    })
}

fn refusal() -> Value {
    json!({
        "type": "object",
        "required": ["error", "advice", "parameter"],
        "properties": {
            "error": {"type": "string", "description": "the sentence that the command line prints"},
            "advice": {"type": "array", "items": {"type": "object"}, "description": "what can be done, as data"},
            "parameter": {"type": ["string", "null"], "description": "what the error is about"},
        },
    })
}

fn operation(endpoint: &Endpoint) -> Value {
    let refused = |why: &str| {
        json!({
            "description": why,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
        })
    };
    let mut responses = json!({
        "200": example_response(endpoint),
        "401": refused("no token, or not the one of this lab"),
        "403": refused("the request comes from another page or host"),
        "503": refused("the machine is busy, or computing takes too long"),
    });
    let mut operation = json!({
        "operationId": format!("{}_{}", endpoint.method.to_lowercase(), plain_path(endpoint.path).replace(['/', '{', '}'], "_")),
        "summary": endpoint.about.split_inclusive(['.', ':']).next().unwrap_or_default().trim_end_matches(':'),
        "description": endpoint.about,
    });
    if let Some((_, word)) = endpoint.path.split_once('{') {
        let word = word.trim_end_matches('}');
        let choices: Vec<&str> = word.split('|').collect();
        let schema = match choices.len() > 1 {
            true => json!({"type": "string", "enum": choices}),
            false => json!({"type": "string"}),
        };
        let name = parameter_name(word);
        operation["parameters"] =
            json!([{"name": name, "in": "path", "required": true, "schema": schema}]);
        responses["404"] = refused("there is nothing of this name");
    }
    if endpoint.method == "POST" {
        let example: Value = serde_json::from_str(endpoint.example).unwrap_or(Value::Null);
        operation["requestBody"] = json!({
            "required": true,
            "content": {"application/json": {"schema": nulls_unrestricted(request_schema(&example)), "example": example}},
        });
        responses["400"] = refused("the request is invalid; the sentence says what is allowed");
        responses["408"] = refused("the body did not arrive in time");
        responses["413"] = refused("the body is too large");
    }
    operation["responses"] = responses;
    operation
}

/// Returns the response to the example of an endpoint: its media type and, for JSON, its schema.
fn example_response(endpoint: &Endpoint) -> Value {
    let path = example_path(endpoint.path);
    let words = match endpoint.path {
        // Some laws lack numbers that others have; the schema covers all laws.
        "models/{id}" => CATALOGUE.iter().map(|model| model.id).collect(),
        _ => vec![path.rsplit('/').next().unwrap_or_default()],
    };
    let answer = |word: &str| {
        let (stop, _waiting) = Stop::new();
        (endpoint.run)(word, endpoint.example.as_bytes(), &stop).ok()
    };
    let answers: Vec<Answer> = words.into_iter().filter_map(answer).collect();
    let Some(answer) = answers.first() else {
        return json!({"description": "the answer"});
    };
    let form =
        |answer: &Answer| serde_json::from_slice(&answer.body).ok().map(|value| schema(&value));
    let content = match serde_json::from_slice::<Value>(&answer.body) {
        Ok(Value::Null) => {
            json!({ answer.kind: {"schema": {"anyOf": [schema_when_present(endpoint.path), {"type": "null"}]}} })
        }
        Ok(_) => {
            let form = answers.iter().filter_map(form).reduce(merge).unwrap_or_default();
            json!({ answer.kind: {"schema": nulls_unrestricted(form)} })
        }
        // Pictures have one media type for each choice in the path.
        Err(_) => {
            let kinds = PICTURES.iter().map(|(_, kind, _)| (*kind).to_string());
            kinds
                .map(|kind| (kind, json!({"schema": {"type": "string"}})))
                .collect::<Map<_, _>>()
                .into()
        }
    };
    json!({"description": "the answer", "content": content})
}

/// Returns the schema of an answer that is null in the example because there is no job and no run.
fn schema_when_present(path: &str) -> Value {
    let example = match path {
        "progress/{job}" => serde_json::to_value(Progress::EXAMPLE),
        "run/state" => serde_json::to_value(RunState::EXAMPLE),
        // Films have the schema of the answer of `simulate`.
        _ => {
            let scene = ENDPOINTS.iter().find(|endpoint| endpoint.path == "simulate");
            let content = scene.map(|scene| example_response(scene)["content"].clone());
            let schema = content.map(|content| content["application/json"]["schema"].clone());
            return schema.unwrap_or_default();
        }
    };
    nulls_unrestricted(schema(&example.unwrap_or_default()))
}

/// Returns a path in the notation of OpenAPI, in which a parameter with choices has a name.
fn plain_path(path: &str) -> String {
    match path.split_once('{') {
        Some((stem, word)) => format!("{stem}{{{}}}", parameter_name(word.trim_end_matches('}'))),
        None => path.to_string(),
    }
}

fn parameter_name(word: &str) -> &str {
    if word.contains('|') { "kind" } else { word }
}

/// Returns the schema of a value; that of an array covers all its items.
fn schema(value: &Value) -> Value {
    match value {
        Value::Null => json!({"type": "null"}),
        Value::Bool(_) => json!({"type": "boolean"}),
        Value::Number(_) => json!({"type": "number"}),
        Value::String(_) => json!({"type": "string"}),
        Value::Array(items) => {
            let nothing = || json!({"type": "null"});
            let form = items.iter().map(schema).reduce(merge).unwrap_or_else(nothing);
            json!({"type": "array", "items": form})
        }
        Value::Object(fields) => {
            let properties: Map<String, Value> =
                fields.iter().map(|(name, value)| (name.clone(), schema(value))).collect();
            json!({"type": "object", "properties": properties})
        }
    }
}

/// Returns a schema that covers two schemas: nullable if one of them is null, and unrestricted where they differ otherwise.
fn merge(a: Value, b: Value) -> Value {
    let (one, first) = without_null(a);
    let (two, second) = without_null(b);
    let form = match (one, two) {
        (None, form) | (form, None) => form,
        (Some(a), Some(b)) => Some(merge_forms(a, b)),
    };
    match form {
        None => json!({"type": "null"}),
        Some(mut form) if (first || second) && form["type"].is_string() => {
            form["type"] = json!([form["type"], "null"]);
            form
        }
        Some(form) => form,
    }
}

/// Returns a schema without `null` (`None` if it is only null), and whether it allowed null.
fn without_null(mut form: Value) -> (Option<Value>, bool) {
    match form["type"].clone() {
        Value::String(kind) if kind == "null" => (None, true),
        Value::Array(kinds) => {
            form["type"] = kinds.first().cloned().unwrap_or_default();
            (Some(form), true)
        }
        _ => (Some(form), false),
    }
}

fn merge_forms(a: Value, b: Value) -> Value {
    match (a["type"].as_str(), b["type"].as_str()) {
        _ if a == b => a,
        (Some("array"), Some("array")) => {
            json!({"type": "array", "items": merge(a["items"].clone(), b["items"].clone())})
        }
        (Some("object"), Some("object")) => {
            let mut fields = a["properties"].as_object().cloned().unwrap_or_default();
            for (name, form) in b["properties"].as_object().into_iter().flatten() {
                let form = match fields.remove(name) {
                    Some(known) => merge(known, form.clone()),
                    None => form.clone(),
                };
                fields.insert(name.clone(), form);
            }
            json!({"type": "object", "properties": fields})
        }
        _ => json!({}),
    }
}

/// Returns a schema in which parts that were null in all examples are unrestricted.
fn nulls_unrestricted(form: Value) -> Value {
    match form {
        Value::Object(fields) if fields.get("type") == Some(&json!("null")) => json!({}),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, form)| (name, nulls_unrestricted(form)))
            .collect::<Map<_, _>>()
            .into(),
        other => other,
    }
}

/// Returns the schema of a request: that of its example, except that quantities may be numbers or text with a unit, and laws may be
/// names or complete specs.
fn request_schema(example: &Value) -> Value {
    match example {
        Value::Object(fields) => {
            let spec = ["law", "mass", "speed", "bounce", "drop"]
                .iter()
                .any(|key| fields.contains_key(*key));
            let form = |(name, value): (&String, &Value)| {
                let form = match value {
                    Value::Number(_) | Value::String(_) if spec => {
                        json!({"type": ["number", "string", "null"]})
                    }
                    Value::Array(_) if name == "laws" => {
                        json!({"type": "array", "items": {"type": ["string", "object"]}})
                    }
                    value => request_schema(value),
                };
                (name.clone(), form)
            };
            json!({"type": "object", "properties": fields.iter().map(form).collect::<Map<_, _>>()})
        }
        value => schema(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_is_described_with_its_statuses_and_the_form_of_its_answer() {
        let document: Value = serde_json::from_str(document()).unwrap();
        assert_eq!(document["openapi"], "3.1.0");
        let mut described = 0;
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                let content = operation["responses"]["200"]["content"].as_object().unwrap();
                let has_schema =
                    |kind: &Value| kind["schema"].as_object().is_some_and(|s| !s.is_empty());
                assert!(content.values().all(has_schema), "{method} {path}");
                assert_eq!(operation["requestBody"].is_object(), method == "post", "{path}");
                assert_eq!(operation["parameters"].is_array(), path.contains('{'), "{path}");
                described += 1;
            }
        }
        assert_eq!(described, ENDPOINTS.len());
        let run = &document["paths"]["/api/v1/run"]["get"]["responses"]["200"]["content"];
        let film = &run["application/json"]["schema"]["anyOf"][0]["properties"];
        assert_eq!(film["frames"]["properties"]["time"]["items"]["type"], "number", "{film}");
        // A law may deliver nothing for a restitution, and the media type of a figure depends on the path.
        let answer =
            |path: &str| document["paths"][path]["post"]["responses"]["200"]["content"].clone();
        let delivered = &answer("/api/v1/delivered")["application/json"]["schema"]["properties"];
        let form = &delivered["laws"]["items"]["properties"]["delivered"]["items"]["type"];
        assert_eq!(*form, json!(["number", "null"]), "{delivered}");
        let kinds = answer("/api/v1/figure/{kind}");
        assert_eq!(kinds.as_object().unwrap().len(), 3, "{kinds}");
        let body = &document["paths"]["/api/v1/impact"]["post"]["requestBody"]["content"];
        let mass = &body["application/json"]["schema"]["properties"]["mass"]["type"];
        assert_eq!(*mass, json!(["number", "string", "null"]), "{body}");
        let impact = &document["paths"]["/api/v1/impact"]["post"]["responses"]["200"];
        let form = &impact["content"]["application/json"]["schema"]["properties"];
        assert_eq!(form["restitution"]["properties"]["newton"]["type"], "number", "{form}");
    }
}
