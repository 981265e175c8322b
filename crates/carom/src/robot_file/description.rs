//! Contacts described by a robot file, independent of its format.

use super::bodies::Bodies;
use super::engine::{Contact, Engine};
use super::pose::{Pose, Vector};
use super::solid::Shape;
use super::xml::{Attribute, Element, Place};
use crate::error::{Error, Result};
use crate::message::{Action, Message};
use serde::Serialize;
use std::ops::Range;

/// Largest number of pairs; a file with more is refused.
const PAIRS_MAX: usize = 50_000;

/// Largest number of geometries or links that are read; every two of them are compared.
pub const GEOMETRIES_MAX: usize = 5_000;

/// Refuses a file with more than [`GEOMETRIES_MAX`] items of a kind.
pub fn check_count(count: usize, what: &str) -> Result<()> {
    match count > GEOMETRIES_MAX {
        true => Err(Error::unsupported(
            format!("a file with {count} {what}, more than {GEOMETRIES_MAX},"),
            "check a file with a part of them",
        )),
        false => Ok(()),
    }
}

/// A geometry that can touch others.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Name in the file, or `geom#3` if it has none.
    pub name: String,
    /// Index of the body to which it belongs.
    pub body: usize,
    pub shape: Shape,
    /// Frame of the geometry in the world at the zero pose.
    pub pose: Pose,
    pub place: Place,
}

/// A contact parameter of a pair: the values of both geometries and the value that the engine uses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Combined {
    /// Name in the file.
    pub name: &'static str,
    /// Values of the two geometries; empty if the pair itself defines them.
    pub of: [Vec<f64>; 2],
    /// Values that the engine uses.
    pub used: Vec<f64>,
    /// Rule by which they follow.
    pub rule: &'static str,
}

impl Combined {
    /// Returns a parameter with one value of each geometry and the value that is used.
    pub fn number(name: &'static str, of: [f64; 2], used: f64, rule: &'static str) -> Self {
        Self { name, of: of.map(|one| vec![one]), used: vec![used], rule }
    }
}

/// Two geometries that can touch, with the contact that the engine creates between them.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Indices of the geometries.
    pub geometries: [usize; 2],
    pub contact: Contact,
    pub parameters: Vec<Combined>,
    /// Place in the file of the decisive parameters.
    pub place: Place,
    /// Places where parameters for another restitution would be written; empty if the file does not contain them.
    pub edits: Vec<Edit>,
}

/// A place where a number of a file would be written: the bytes to replace, and the text around the new number.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// Name of the parameter.
    pub parameter: &'static str,
    pub place: Place,
    pub range: Range<usize>,
    pub before: String,
    pub after: String,
}

impl Edit {
    /// Returns a write that replaces these bytes by new text.
    pub fn replace(parameter: &'static str, place: Place, range: &Range<usize>) -> Self {
        let (before, after) = (String::new(), String::new());
        Self { parameter, place, range: range.clone(), before, after }
    }

    /// Returns a write that inserts new text at the beginning of an element, between `before` and `after`; `None` for
    /// an empty-element tag.
    pub fn insert(
        parameter: &'static str,
        parent: &Element,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Option<Self> {
        let (at, place) = (parent.content_start?, parent.place);
        Some(Self { parameter, place, range: at..at, before: before.into(), after: after.into() })
    }

    /// Returns a write of the value of an attribute, or of a new attribute of the element.
    pub fn attribute(
        parameter: &'static str,
        there: Option<&Attribute>,
        element: &Element,
    ) -> Self {
        match there {
            Some(attribute) => Self::replace(parameter, attribute.place, &attribute.range),
            None => Self {
                parameter,
                place: element.place,
                range: element.attributes_end..element.attributes_end,
                before: format!(" {parameter}=\""),
                after: "\"".into(),
            },
        }
    }
}

/// A finding about the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the finding, in one or two words.
    pub kind: &'static str,
    /// Name of the file, if it is an included one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in the file.
    pub line: Option<u32>,
    /// Description of the finding and its consequence.
    pub message: String,
    /// Advice on what to do.
    pub advice: Message,
}

/// All that a file specifies about contacts.
#[derive(Clone, Debug)]
pub struct Description {
    pub engine: Engine,
    /// Time step of the engine (s).
    pub step: f64,
    /// Place where the step is written.
    pub step_place: Option<Place>,
    pub gravity: Vector,
    pub bodies: Bodies,
    pub geometries: Vec<Geometry>,
    pub touches: Vec<Touch>,
    /// Findings of the reader: place, kind, message and advice.
    pub findings: Vec<(Place, &'static str, String, Message)>,
}

impl Description {
    /// Returns the name of a geometry.
    pub fn name(&self, geometry: usize) -> &str {
        self.geometries.get(geometry).map_or("?", |one| one.name.as_str())
    }

    /// Returns why two geometries cannot move relative to each other; `None` if they can.
    pub fn why_rigid(&self, [a, b]: [usize; 2]) -> Option<&'static str> {
        let body = |i: usize| Some(self.bodies.fixed_to(self.geometries.get(i)?.body));
        match (body(a)?, body(b)?) {
            (0, 0) => Some("neither can move"),
            (one, other) if one == other => Some("they are on the same rigid body"),
            _ => None,
        }
    }

    /// Returns all pairs that can touch, or those in `wanted` if there are any; `refusal` returns why an engine does
    /// not test two geometries.
    ///
    /// # Errors
    /// When there are too many pairs, or a requested pair is not tested.
    pub fn pairs(
        &self,
        wanted: &[[usize; 2]],
        refusal: impl Fn([usize; 2]) -> Option<&'static str>,
    ) -> Result<Vec<[usize; 2]>> {
        for &[a, b] in wanted {
            if let Some(reason) = refusal([a, b]) {
                let (a, b) = (self.name(a), self.name(b));
                let what = format!("`{a}` and `{b}` cannot touch: {reason}");
                return Err(Error::unsupported(what, "name another pair, or change the file"));
            }
        }
        let mut pairs = wanted.to_vec();
        let count = if wanted.is_empty() { self.geometries.len() } else { 0 };
        for a in 0..count {
            pairs.extend((a + 1..count).map(|b| [a, b]).filter(|&pair| refusal(pair).is_none()));
            if pairs.len() > PAIRS_MAX {
                let what = format!("more than {PAIRS_MAX} pairs of geometries can touch");
                let advice = message!["name those that matter: ", Action::give_as("pair", "A,B")];
                return Err(Error::unsupported(what, advice));
            }
        }
        Ok(pairs)
    }

    /// Adds a finding.
    pub fn add_finding(
        &mut self,
        place: Place,
        kind: &'static str,
        message: impl Into<String>,
        advice: impl Into<Message>,
    ) {
        let finding = (place, kind, message.into(), advice.into());
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}
