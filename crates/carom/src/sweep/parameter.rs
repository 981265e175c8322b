//! What an axis can vary: everything that a [`Spec`] says.
//!
//! | name | what |
//! |---|---|
//! | `mass`, `stiffness`, `exponent`, `speed`, `restitution`, `damping`, `damping_exponent`, `rate_exponent`, `external_force` | as in `carom impact` |
//! | `law`, `exit`, `calibration` | words |
//! | `body_1.radius`, `body_2.material`, … | a property of a body |
//! | any parameter of a law, any fact of a pair | as in `set` of a description |
//! | `label` | a word that changes nothing, to tell cases apart |

use crate::error::{Error, Result};
use crate::message::{Action, Topic};
use crate::models::CATALOGUE;
use crate::pair::FACTS;
use crate::spec::{BodySpec, Quantity, Spec};
use crate::units::Dimension;

/// A parameter that an axis varies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameter {
    name: String,
    target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Label,
    Word(Word),
    Number(Number),
    /// A property of body 0 or 1, by its place in [`PROPERTIES`].
    Body(usize, usize),
    Set,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    Law,
    Exit,
    Calibration,
}

/// Numbers of a spec.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Mass,
    Stiffness,
    Exponent,
    Speed,
    Restitution,
    Damping,
    DampingExponent,
    RateExponent,
    ExternalForce,
}

const WORDS: [(&str, Word); 3] =
    [("law", Word::Law), ("exit", Word::Exit), ("calibration", Word::Calibration)];

const NUMBERS: [(&str, Number); 9] = [
    ("mass", Number::Mass),
    ("stiffness", Number::Stiffness),
    ("exponent", Number::Exponent),
    ("speed", Number::Speed),
    ("restitution", Number::Restitution),
    ("damping", Number::Damping),
    ("damping_exponent", Number::DampingExponent),
    ("rate_exponent", Number::RateExponent),
    ("external_force", Number::ExternalForce),
];

/// Properties of a body; the first two are words.
const PROPERTIES: [(&str, Dimension); 9] = [
    ("shape", Dimension::NUMBER),
    ("material", Dimension::NUMBER),
    ("radius", Dimension::LENGTH),
    ("length", Dimension::LENGTH),
    ("half_side", Dimension::LENGTH),
    ("youngs", Dimension::PRESSURE),
    ("poisson", Dimension::NUMBER),
    ("density", Dimension::DENSITY),
    ("mass", Dimension::MASS),
];

/// Every name but those of parameters of laws.
fn plain() -> impl Iterator<Item = (String, Target)> {
    let words = WORDS.iter().map(|&(name, word)| (name.to_string(), Target::Word(word)));
    let numbers = NUMBERS.iter().map(|&(name, number)| (name.to_string(), Target::Number(number)));
    let bodies = (0..2).flat_map(|body| {
        let named = PROPERTIES.iter().enumerate();
        named
            .map(move |(k, (name, _))| (format!("body_{}.{name}", body + 1), Target::Body(body, k)))
    });
    std::iter::once(("label".to_string(), Target::Label)).chain(words).chain(numbers).chain(bodies)
}

/// Parameters of laws and facts of pairs.
fn settable() -> impl Iterator<Item = (&'static str, &'static str)> {
    let laws = CATALOGUE.iter().flat_map(|model| model.parameters.iter().map(|p| (p.name, p.unit)));
    laws.chain(FACTS.iter().map(|&(name, unit, _)| (name, unit)))
}

impl Parameter {
    /// Finds a parameter by name.
    pub(super) fn find(name: &str) -> Result<Self> {
        let name = name.trim().replace('-', "_");
        if let Some((_, target)) = plain().find(|(known, _)| *known == name) {
            return Ok(Self { name, target });
        }
        if settable().any(|(known, _)| known == name) {
            return Ok(Self { name, target: Target::Set });
        }
        let known: Vec<String> =
            plain().map(|(name, _)| name).chain(settable().map(|(name, _)| name.into())).collect();
        let otherwise = message![
            "use what an impact takes (mass, speed, restitution, …), body_1.radius, law, or a parameter of the law; see ",
            Action::see(Topic::Law),
        ];
        Err(Error::unknown("parameter", &name, known.iter().map(String::as_str), otherwise))
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// True for parameters whose values are words.
    pub(super) fn is_word(&self) -> bool {
        matches!(self.target, Target::Label | Target::Word(_) | Target::Body(_, 0..=1))
    }

    /// True for a label.
    pub(super) fn is_label(&self) -> bool {
        self.target == Target::Label
    }

    /// The number of a spec that this is, if it is one.
    pub(super) fn number(&self) -> Option<Number> {
        match self.target {
            Target::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The dimension of its values; `None` where it depends on exponents or on the law.
    pub(super) fn dimension(&self, base: &Spec) -> Option<Dimension> {
        Some(match self.target {
            Target::Label | Target::Word(_) => Dimension::NUMBER,
            Target::Number(number) => match number {
                Number::Mass => Dimension::MASS,
                Number::Speed => Dimension::SPEED,
                Number::ExternalForce => Dimension::FORCE,
                Number::Stiffness => {
                    let n = match &base.exponent {
                        Some(n) => n.si("exponent", Dimension::NUMBER).ok()?,
                        None if base.bodies.is_empty() => 1.5,
                        None => return None,
                    };
                    Dimension::stiffness(n)
                }
                // Where the law has a unit of its own; else it follows from exponents that may vary.
                Number::Damping => {
                    Dimension::of(crate::model(&base.law).ok()?.coefficient.unit?).ok()?
                }
                Number::Exponent
                | Number::Restitution
                | Number::DampingExponent
                | Number::RateExponent => Dimension::NUMBER,
            },
            Target::Body(_, property) => PROPERTIES.get(property)?.1,
            Target::Set => {
                let unit = settable().find(|(name, _)| *name == self.name)?.1;
                Dimension::of(unit).unwrap_or(Dimension::NUMBER)
            }
        })
    }

    /// Its SI unit; empty for pure numbers and words.
    pub(super) fn unit(&self, base: &Spec) -> String {
        match self.dimension(base) {
            Some(dimension) if dimension != Dimension::NUMBER => dimension.to_string(),
            _ => String::new(),
        }
    }

    /// Says a number in a spec.
    pub(super) fn put(&self, spec: &mut Spec, value: f64) {
        self.say(spec, Quantity::Number(value));
    }

    /// Says a word in a spec.
    pub(super) fn put_word(&self, spec: &mut Spec, word: &str) {
        match self.target {
            Target::Word(Word::Law) => spec.law = word.to_string(),
            Target::Word(Word::Exit) => spec.exit = Some(word.to_string()),
            Target::Word(Word::Calibration) => spec.calibration = Some(word.to_string()),
            _ => self.say(spec, Quantity::Text(word.to_string())),
        }
    }

    fn say(&self, spec: &mut Spec, value: Quantity) {
        let place = match self.target {
            Target::Label | Target::Word(_) => return,
            Target::Set => {
                spec.set.insert(self.name.clone(), value);
                return;
            }
            Target::Body(body, property) => {
                if spec.bodies.len() <= body {
                    spec.bodies.resize(body + 1, BodySpec::default());
                }
                let Some(body) = spec.bodies.get_mut(body) else { return };
                match (property, value) {
                    (0, Quantity::Text(shape)) => body.shape = shape,
                    (1, Quantity::Text(material)) => body.material = Some(material),
                    (2, value) => body.radius = Some(value),
                    (3, value) => body.length = Some(value),
                    (4, value) => body.half_side = Some(value),
                    (5, value) => body.youngs = Some(value),
                    (6, value) => body.poisson = Some(value),
                    (7, value) => body.density = Some(value),
                    (_, value) => body.mass = Some(value),
                }
                return;
            }
            Target::Number(number) => match number {
                Number::Mass => &mut spec.mass,
                Number::Stiffness => &mut spec.stiffness,
                Number::Exponent => &mut spec.exponent,
                Number::Speed => &mut spec.speed,
                Number::Restitution => &mut spec.restitution,
                Number::Damping => &mut spec.damping,
                Number::DampingExponent => &mut spec.damping_exponent,
                Number::RateExponent => &mut spec.rate_exponent,
                Number::ExternalForce => &mut spec.external_force,
            },
        };
        *place = Some(value);
    }
}
