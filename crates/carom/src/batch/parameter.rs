//! Quantities that can vary from case to case: every quantity of a [`Spec`], by its name.
//!
//! | name | meaning |
//! |---|---|
//! | `mass`, `stiffness`, `exponent`, `speed`, `restitution` | as in `carom impact` |
//! | `damping`, `damping_exponent`, `rate_exponent`, `external_force` | as in `carom impact` |
//! | `law`, `exit`, `calibration` | words |
//! | `body_1.radius`, `body_2.material`, … | a property of a body |
//! | any parameter of a law, any property of a pair | as in `set` of a description |
//! | `label` | a word without effect, to distinguish cases |
//!
//! Hyphens are accepted in place of underscores, and `body1.radius` in place of `body_1.radius`. This is implemented
//! only in [`Parameter::find`].

use crate::error::{Error, Result};
use crate::message::{Action, Topic};
use crate::model::{Damping, Model};
use crate::models::CATALOGUE;
use crate::own_law;
use crate::pair::FACTS;
use crate::spec::{BodySpec, Case, Quantity, Spec};
use crate::units::Dimension;

/// A quantity that varies from case to case.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    name: String,
    target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Label,
    Word(Word),
    Number(Number),
    /// A property of body 0 or 1.
    Body(usize, Property),
    /// A parameter of the law or a property of the pair.
    Set,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Property {
    Shape,
    Material,
    /// A quantity, by its name in [`BodySpec`].
    Quantity(&'static str, Dimension),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    Law,
    Exit,
    Calibration,
}

/// Numbers of a description.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
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

const PROPERTIES: [(&str, Property); 9] = [
    ("shape", Property::Shape),
    ("material", Property::Material),
    quantity_property("radius", Dimension::LENGTH),
    quantity_property("length", Dimension::LENGTH),
    quantity_property("half_side", Dimension::LENGTH),
    quantity_property("youngs", Dimension::PRESSURE),
    quantity_property("poisson", Dimension::NUMBER),
    quantity_property("density", Dimension::DENSITY),
    quantity_property("mass", Dimension::MASS),
];

const fn quantity_property(name: &'static str, dimension: Dimension) -> (&'static str, Property) {
    (name, Property::Quantity(name, dimension))
}

/// Returns all parameters except those of laws and pairs.
fn general_parameters() -> impl Iterator<Item = (String, Target)> {
    let words = WORDS.iter().map(|&(name, word)| (name.to_string(), Target::Word(word)));
    let numbers = NUMBERS.iter().map(|&(name, number)| (name.to_string(), Target::Number(number)));
    let bodies = (0..2).flat_map(|body| {
        let target = move |property| Target::Body(body, property);
        let named = PROPERTIES.iter();
        named.map(move |&(name, it)| (format!("body_{}.{name}", body + 1), target(it)))
    });
    std::iter::once(("label".to_string(), Target::Label)).chain(words).chain(numbers).chain(bodies)
}

/// Returns the parameters of laws, including own laws that have been read, and the properties of pairs, with their
/// units.
fn parameters_of_laws_and_pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let models = CATALOGUE.iter().chain(own_law::all());
    let laws = models.flat_map(|model| model.parameters.iter().map(|p| (p.name, p.unit)));
    laws.chain(FACTS.iter().map(|&(name, unit, _)| (name, unit)))
}

impl Parameter {
    /// Finds a parameter by its name.
    ///
    /// # Errors
    /// When there is no such parameter; the error contains the most similar name.
    pub fn find(name: &str) -> Result<Self> {
        let mut name = name.trim().replace('-', "_");
        for body in ["1", "2"] {
            if let Some(property) = name.strip_prefix(&format!("body{body}.")) {
                name = format!("body_{body}.{property}");
            }
        }
        if let Some((_, target)) = general_parameters().find(|(known, _)| *known == name) {
            return Ok(Self { name, target });
        }
        if parameters_of_laws_and_pairs().any(|(known, _)| known == name) {
            return Ok(Self { name, target: Target::Set });
        }
        let known: Vec<String> = general_parameters()
            .map(|(name, _)| name)
            .chain(parameters_of_laws_and_pairs().map(|(name, _)| name.into()))
            .collect();
        let otherwise = sentence!(
            "use what an impact takes (mass, speed, restitution, …), body_1.radius, law, or a parameter of the \
             law; see {}",
            Action::see(Topic::Law)
        );
        Err(Error::unknown("parameter", &name, known.iter().map(String::as_str), otherwise))
    }

    /// Returns the name of the parameter.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the parameter in errors of a case: `radius of body 1`.
    pub fn name_in_errors(&self) -> String {
        match (self.target, self.name.split_once('.')) {
            (Target::Body(body, _), Some((_, property))) => {
                format!("{property} of body {}", body + 1)
            }
            _ => self.name.clone(),
        }
    }

    /// Returns whether the values of the parameter are words.
    pub(crate) fn is_word(&self) -> bool {
        use Property::{Material, Shape};
        matches!(self.target, Target::Label | Target::Word(_) | Target::Body(_, Shape | Material))
    }

    /// Returns whether the parameter is a label.
    pub(crate) fn is_label(&self) -> bool {
        self.target == Target::Label
    }

    /// Returns whether a value of the parameter is a number in a finished [`Case`] and changes nothing else in it, so
    /// that [`Parameter::put_into_case`] can be used.
    pub(crate) fn is_number_of_case(&self) -> bool {
        use Number::{Damping, ExternalForce, Mass, Restitution, Speed, Stiffness};
        let numbers = [Mass, Stiffness, Speed, Restitution, Damping, ExternalForce];
        matches!(self.target, Target::Number(number) if numbers.contains(&number))
    }

    /// Returns a value that is valid for every law, for building a template.
    pub(crate) fn placeholder(&self) -> f64 {
        match self.target {
            Target::Number(Number::ExternalForce) => 0.0,
            Target::Number(Number::Restitution) => 0.5,
            _ => 1.0,
        }
    }

    /// Inserts a number into a finished case. Returns `None` if the value is not valid, or if its meaning depends on
    /// the [`Spec`].
    pub(crate) fn put_into_case(&self, case: &mut Case, value: f64) -> Option<()> {
        let positive = value.is_finite() && value > 0.0;
        let Target::Number(number) = self.target else { return None };
        match number {
            Number::Speed if positive => case.speed = value,
            Number::Mass if positive => case.pair.mass = value,
            Number::Stiffness if positive => case.pair.stiffness = value,
            Number::ExternalForce if value.is_finite() => case.conditions.external_force = value,
            Number::Damping if value.is_finite() => case.damping = Damping::Coefficient(value),
            Number::Restitution if positive && value <= 1.0 => {
                case.damping = match case.damping {
                    Damping::Restitution(_) => Damping::Restitution(value),
                    Damping::Exact(_) => Damping::Exact(value),
                    Damping::None | Damping::Coefficient(_) => return None,
                };
            }
            _ => return None,
        }
        Some(())
    }

    /// Returns the dimension of the values, or `None` if it depends on exponents or on the law.
    pub(crate) fn dimension(&self, base: &Spec) -> Option<Dimension> {
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
                // Known only if the law has a unit of its own; otherwise the unit depends on exponents, which may
                // vary.
                Number::Damping => Dimension::of(base.model().ok()?.coefficient.unit?).ok()?,
                Number::Exponent
                | Number::Restitution
                | Number::DampingExponent
                | Number::RateExponent => Dimension::NUMBER,
            },
            Target::Body(_, Property::Quantity(_, dimension)) => dimension,
            Target::Body(..) => Dimension::NUMBER,
            Target::Set => {
                let declared = |model: &'static Model| {
                    model.parameters.iter().find(|p| p.name == self.name).map(|p| p.unit)
                };
                let of_law = base.model().ok().and_then(declared);
                let any = || {
                    parameters_of_laws_and_pairs()
                        .find(|(name, _)| *name == self.name)
                        .map(|found| found.1)
                };
                let unit = of_law.or_else(any)?;
                Dimension::of(unit).unwrap_or(Dimension::NUMBER)
            }
        })
    }

    /// Returns the SI unit of the values; empty for pure numbers and words.
    pub(crate) fn unit(&self, base: &Spec) -> String {
        match self.dimension(base) {
            Some(dimension) if dimension != Dimension::NUMBER => dimension.to_string(),
            _ => String::new(),
        }
    }

    /// Returns the value (SI) of this parameter in a description of an impact. Mass, stiffness and exponent are those
    /// of the pair, even if they follow from the bodies.
    ///
    /// # Errors
    /// When the description is not that of an impact, or contains no such number.
    pub fn value_in(&self, spec: &Spec) -> Result<f64> {
        let case = spec.case()?;
        let listed = |name: &str| {
            let own = case.set.iter().find(|(known, _)| known == name).map(|&(_, value)| value);
            let fact = || case.pair.facts.iter().find(|(known, _)| *known == name);
            own.or_else(|| fact().map(|&(_, value)| value))
        };
        let found = match self.target {
            Target::Label | Target::Word(_) => None,
            Target::Set => listed(&self.name),
            Target::Body(body, Property::Quantity(name, dimension)) => {
                let said = spec.bodies.get(body).cloned();
                let said = said.and_then(|mut body| body.property(name).and_then(Option::take));
                said.map(|value| value.si(&self.name_in_errors(), dimension)).transpose()?
            }
            Target::Body(..) => None,
            Target::Number(number) => match number {
                Number::Mass => Some(case.pair.mass),
                Number::Stiffness => Some(case.pair.stiffness),
                Number::Exponent => Some(case.pair.exponent),
                Number::Speed => Some(case.speed),
                Number::Restitution => case.damping.restitution(),
                Number::Damping => match case.damping {
                    Damping::Coefficient(coefficient) => Some(coefficient),
                    _ => None,
                },
                Number::DampingExponent | Number::RateExponent => listed(&self.name),
                Number::ExternalForce => Some(case.conditions.external_force),
            },
        };
        found.ok_or_else(|| {
            Error::missing(&self.name, sentence!("give {}, a number", Action::give(&self.name)))
        })
    }

    /// Sets the value of a word in a description.
    pub(crate) fn put_word(&self, spec: &mut Spec, word: &str) {
        match self.target {
            Target::Word(Word::Law) => spec.law = word.to_string(),
            Target::Word(Word::Exit) => spec.exit = Some(word.to_string()),
            Target::Word(Word::Calibration) => spec.calibration = Some(word.to_string()),
            _ => self.put(spec, Quantity::Text(word.to_string())),
        }
    }

    /// Sets the value of a quantity in a description.
    pub fn put(&self, spec: &mut Spec, value: Quantity) {
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
                    (Property::Shape, Quantity::Text(shape)) => body.shape = shape,
                    (Property::Material, Quantity::Text(material)) => {
                        body.material = Some(material);
                    }
                    (Property::Quantity(name, _), value) => {
                        if let Some(place) = body.property(name) {
                            *place = Some(value);
                        }
                    }
                    _ => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_not_known_is_refused_with_the_nearest() {
        for (name, nearest) in [
            ("body1.raduis", "body_1.radius"),
            ("body-2.yuongs", "body_2.youngs"),
            ("spede", "speed"),
        ] {
            let why = Parameter::find(name).unwrap_err().to_string();
            assert!(why.contains(nearest), "{why}");
        }
        let found = Parameter::find("body1.radius").unwrap();
        assert_eq!(found.name(), "body_1.radius");
        assert_eq!(found.name_in_errors(), "radius of body 1");
    }

    #[test]
    fn every_property_of_a_body_has_its_place() {
        for (name, property) in PROPERTIES {
            if let Property::Quantity(quantity, _) = property {
                assert!(BodySpec::default().property(quantity).is_some(), "{name}");
            }
        }
    }
}
