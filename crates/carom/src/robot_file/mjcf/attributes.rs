//! Attributes of MJCF elements with their defaults: the element's own value, otherwise that of its class or of an
//! enclosing class.

use super::super::pose::{
    IDENTITY, Matrix, Pose, axis_angle, euler, from_axes, quaternion, z_onto,
};
use super::super::xml::{Attribute, Element};
use crate::error::{Error, Result};
use std::collections::HashMap;

/// Classes of defaults: for each class the elements `default` from the outermost one to that of the class.
pub struct Classes<'a> {
    chains: HashMap<String, Vec<&'a Element>>,
}

impl<'a> Classes<'a> {
    /// Reads the classes of a model.
    pub fn new(model: &'a Element) -> Self {
        let main: Vec<&Element> = model.all("default").collect();
        let mut classes = Self { chains: HashMap::new() };
        for element in &main {
            if let Some(name) = element.value("class") {
                classes.chains.insert(name.to_string(), main.clone());
            }
        }
        for element in &main {
            classes.collect(element, &main);
        }
        classes.chains.insert("main".into(), main);
        classes
    }

    fn collect(&mut self, around: &'a Element, chain: &[&'a Element]) {
        for inner in around.all("default") {
            let longer: Vec<_> = chain.iter().copied().chain([inner]).collect();
            self.collect(inner, &longer);
            if let Some(name) = inner.value("class") {
                self.chains.insert(name.to_string(), longer);
            }
        }
    }

    /// Returns an element with the defaults of its class, or of the class that its bodies specify.
    pub fn of(&self, element: &'a Element, child_class: Option<&str>) -> Result<Attributes<'a>> {
        let class = element.value("class").or(child_class).unwrap_or("main");
        let Some(chain) = self.chains.get(class) else {
            let known = self.chains.keys().map(String::as_str);
            let error = Error::unknown("default class", class, known, "define it in <default>");
            return Err(error.at(element.line()));
        };
        let defaults = chain.iter().rev().filter_map(|class| class.child(&element.name)).collect();
        Ok(Attributes { own: element, defaults })
    }
}

/// An element and its defaults, from the innermost class outwards.
pub struct Attributes<'a> {
    pub own: &'a Element,
    defaults: Vec<&'a Element>,
}

impl<'a> Attributes<'a> {
    /// Returns an attribute of the element or its default.
    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        let own = self.own.attribute(name);
        own.or_else(|| self.defaults.iter().find_map(|element| element.attribute(name)))
    }

    /// Returns the text of an attribute.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// Returns the numbers of an attribute.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>> {
        self.attribute(name).map(Attribute::numbers).transpose()
    }

    /// Returns the numbers of an attribute, which must be N.
    fn exactly<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>> {
        let exactly = |list: Vec<f64>| {
            list.try_into().map_err(|_| {
                let (found, allowed) = ("another number of values", format!("{N} numbers"));
                Error::invalid(name, found, allowed, "write all of them").at(self.own.line())
            })
        };
        self.numbers(name)?.map(exactly).transpose()
    }

    /// Returns `start` with its first numbers replaced by those that are written. If an element writes fewer numbers,
    /// the others are those of its class and of the enclosing classes.
    pub fn fill<const N: usize>(&self, name: &str, start: [f64; N]) -> Result<[f64; N]> {
        let mut filled = start;
        for element in self.defaults.iter().rev().copied().chain([self.own]) {
            let written = element.numbers(name)?.unwrap_or_default();
            filled.iter_mut().zip(written).for_each(|(to, from)| *to = from);
        }
        Ok(filled)
    }

    /// Returns one number of an attribute, or the default.
    pub fn number(&self, name: &str, default: f64) -> Result<f64> {
        self.fill(name, [default]).map(|[value]| value)
    }

    /// Returns an integer, such as a bit mask.
    pub fn integer(&self, name: &str, default: i64) -> Result<i64> {
        let value = self.number(name, default as f64)?;
        if value.fract() != 0.0 || value.abs() > 4.3e9 {
            let advice = "write a whole number";
            return Err(Error::invalid(name, value, "a whole number", advice).at(self.own.line()));
        }
        Ok(value as i64)
    }
}

/// Units and conventions of angles.
#[derive(Clone)]
pub struct Angles {
    /// Radians per unit of angle in the file.
    pub unit: f64,
    /// Sequence of axes of Euler angles.
    pub sequence: String,
}

impl Angles {
    fn rotation(&self, attributes: &Attributes) -> Result<Matrix> {
        if let Some(parts) = attributes.exactly("quat")? {
            return Ok(quaternion(parts));
        }
        if let Some([x, y, z, angle]) = attributes.exactly("axisangle")? {
            return Ok(axis_angle([x, y, z], angle * self.unit));
        }
        if let Some(angles) = attributes.exactly::<3>("euler")? {
            return Ok(euler(&self.sequence, angles.map(|angle| angle * self.unit)));
        }
        if let Some([a, b, c, d, e, f]) = attributes.exactly("xyaxes")? {
            return Ok(from_axes([a, b, c], [d, e, f]));
        }
        Ok(attributes.exactly("zaxis")?.map_or(IDENTITY, z_onto))
    }

    /// Returns position and rotation of an element.
    pub fn pose(&self, attributes: &Attributes) -> Result<Pose> {
        Ok(Pose {
            position: attributes.fill("pos", [0.0; 3])?,
            rotation: self.rotation(attributes)?,
        })
    }
}
