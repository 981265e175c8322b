//! What a robot file says about contacts, whatever its format.

use super::bodies::Bodies;
use super::engine::{Contact, Engine};
use super::pose::{Pose, Vector};
use super::solid::Shape;
use super::xml::{Attribute, Element, Place};
use crate::error::{Error, Result};
use crate::message::{Action, Message};
use serde::Serialize;
use std::ops::Range;

/// More pairs than this are refused.
const PAIRS_MAX: usize = 50_000;

/// So many geometries or links are read; every two of them are compared.
pub const GEOMETRIES_MAX: usize = 5_000;

/// Refuses a file with too many of something.
pub fn limit(count: usize, what: &str) -> Result<()> {
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
    /// Its name in the file, or `geom#3` where it has none.
    pub name: String,
    /// The body that carries it.
    pub body: usize,
    pub shape: Shape,
    /// Its frame in the world at the zero pose.
    pub pose: Pose,
    pub place: Place,
}

/// A parameter of a pair: what both sides say and what the engine makes of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Combined {
    /// Its name in the file.
    pub name: &'static str,
    /// The numbers of the two geometries; empty where the pair itself gives them.
    pub of: [Vec<f64>; 2],
    /// The numbers that count.
    pub used: Vec<f64>,
    /// How they follow.
    pub rule: &'static str,
}

impl Combined {
    /// One number of each geometry, and the one that counts.
    pub fn number(name: &'static str, of: [f64; 2], used: f64, rule: &'static str) -> Self {
        Self { name, of: of.map(|one| vec![one]), used: vec![used], rule }
    }
}

/// Two geometries that can touch, with the contact that the engine will make of them.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Numbers of the geometries.
    pub geometries: [usize; 2],
    pub contact: Contact,
    pub parameters: Vec<Combined>,
    /// Where the numbers stand that decide.
    pub place: Place,
    /// Where numbers that deliver another restitution would be written; empty where the file does not say them.
    pub writes: Vec<Write>,
}

/// Where a number of a file would be written: bytes to replace, with what stands around the new text.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// The parameter.
    pub parameter: &'static str,
    pub place: Place,
    pub range: Range<usize>,
    pub before: String,
    pub after: String,
}

impl Write {
    /// New text in the place of these bytes.
    pub fn replace(parameter: &'static str, place: Place, range: &Range<usize>) -> Self {
        let (before, after) = (String::new(), String::new());
        Self { parameter, place, range: range.clone(), before, after }
    }

    /// New text at the beginning of an element, between two others; none in an element that is closed at once.
    pub fn insert(
        parameter: &'static str,
        parent: &Element,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Option<Self> {
        let (at, place) = (parent.content_start?, parent.place);
        Some(Self { parameter, place, range: at..at, before: before.into(), after: after.into() })
    }

    /// The value of an attribute, or a new attribute of the element.
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

/// Something worth knowing about the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// What kind, in one or two words.
    pub kind: &'static str,
    /// The file, where it is an included one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line in the file.
    pub line: Option<u32>,
    /// What is so, and why it matters.
    pub message: String,
    /// What to do.
    pub advice: Message,
}

/// All that a file says about contacts.
#[derive(Clone, Debug)]
pub struct Description {
    pub engine: Engine,
    /// The engine's time step (s).
    pub step: f64,
    /// Where the step is written.
    pub step_place: Option<Place>,
    pub gravity: Vector,
    pub bodies: Bodies,
    pub geometries: Vec<Geometry>,
    pub touches: Vec<Touch>,
    /// What the reader found: place, kind, what is so, what to do.
    pub findings: Vec<(Place, &'static str, String, Message)>,
}

impl Description {
    /// The name of a geometry.
    pub fn name(&self, geometry: usize) -> &str {
        self.geometries.get(geometry).map_or("?", |one| one.name.as_str())
    }

    /// Why two geometries cannot move against each other; `None` where they can.
    pub fn rigid(&self, [a, b]: [usize; 2]) -> Option<&'static str> {
        let body = |i: usize| Some(self.bodies.fixed_to(self.geometries.get(i)?.body));
        match (body(a)?, body(b)?) {
            (0, 0) => Some("neither can move"),
            (one, other) if one == other => Some("they are on the same rigid body"),
            _ => None,
        }
    }

    /// All pairs that can touch, or where some are `wanted` those; `refusal` says why an engine does not test two geometries.
    ///
    /// # Errors
    /// When there are too many, or a pair that is wanted is not tested.
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

    /// Notes a finding.
    pub fn find(
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
