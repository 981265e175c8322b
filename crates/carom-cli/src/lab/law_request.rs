//! A law in a request: a name, to which the common spec applies, or a complete spec of its own.

use carom::spec::Spec;
use serde::Deserialize;
use serde_json::Value;

/// One of the laws of a request.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub struct LawRequest {
    law: String,
    own: Option<Box<Spec>>,
}

impl TryFrom<Value> for LawRequest {
    type Error = serde_json::Error;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        if let Value::String(law) = value {
            return Ok(Self { law, own: None });
        }
        let own: Spec = serde_json::from_value(value)?;
        Ok(Self { law: own.law.clone(), own: Some(Box::new(own)) })
    }
}

impl LawRequest {
    /// Returns the spec to run; `common` applies to all laws without a spec of their own.
    pub fn spec(&self, common: &Spec) -> Spec {
        match &self.own {
            Some(own) => Spec::clone(own),
            None => Spec { law: self.law.clone(), ..common.clone() },
        }
    }

    /// Returns the law as it was given: an id, an alias, or the text of an own law.
    pub fn text(&self) -> &str {
        &self.law
    }

    /// Returns the law as it is displayed; an own law, which is given as text, is displayed by its name.
    pub fn name(&self) -> String {
        match carom::model(&self.law) {
            Ok(model) if model.own.is_some() => model.id.to_string(),
            Err(_) if carom::own_law::is_text(&self.law) => "own law".to_string(),
            _ => self.law.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_takes_the_common_spec_and_a_spec_replaces_it() {
        let common: Spec = serde_json::from_value(json!({"mass": 1, "restitution": 0.5})).unwrap();
        let name: LawRequest = serde_json::from_value(json!("tsuji-1992")).unwrap();
        let spec = name.spec(&common);
        assert_eq!((spec.law.as_str(), spec.restitution.is_some()), ("tsuji-1992", true));
        let own = json!({"law": "hertz-1881", "mass": 2});
        let own: LawRequest = serde_json::from_value(own).unwrap();
        let spec = own.spec(&common);
        assert_eq!((spec.law.as_str(), spec.restitution.is_none()), ("hertz-1881", true));
        let slip = serde_json::from_value::<LawRequest>(json!({"low": 1})).unwrap_err();
        assert!(slip.to_string().contains("unknown field `low`"), "{slip}");
    }
}
