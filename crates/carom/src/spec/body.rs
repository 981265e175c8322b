//! Description of a body: shape, lengths and material.

use super::Quantity;
use crate::error::{Error, Result};
use crate::message::{Action, Topic};
use crate::pair::{Body, Material, Shape, material};
use crate::units::Dimension;
use serde::{Deserialize, Serialize};

/// Description of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BodySpec {
    /// Shape: `sphere`, `plane`, `socket`, `square-punch`, `cylinder` or `bore`.
    pub shape: String,
    /// Radius of a sphere, socket, cylinder or bore.
    pub radius: Option<Quantity>,
    /// Length of a cylinder or bore.
    pub length: Option<Quantity>,
    /// Half the side of a square punch.
    pub half_side: Option<Quantity>,
    /// Name of a material in the table.
    pub material: Option<String>,
    /// Young's modulus, if no material is named.
    pub youngs: Option<Quantity>,
    /// Poisson's ratio, if no material is named.
    pub poisson: Option<Quantity>,
    /// Density, if no material is named.
    pub density: Option<Quantity>,
    /// Mass, if it does not follow from shape and density.
    pub mass: Option<Quantity>,
}

/// Names of the properties of a body.
const PROPERTIES: [&str; 8] =
    ["radius", "length", "half_side", "material", "youngs", "poisson", "density", "mass"];

#[cold]
fn given_twice_error(key: &str) -> Error {
    Error::unsupported(format!("{key} twice in one body"), "give it once")
}

impl BodySpec {
    /// Reads a text such as `sphere radius=12.7mm material=steel`.
    ///
    /// ```
    /// use carom::spec::BodySpec;
    /// let ball = BodySpec::parse("sphere radius=12.7mm material=steel")?.body("body 1")?;
    /// assert_eq!(ball.shape.radius(), Some(0.0127));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let mut words = text.split_whitespace();
        let shape = words.next().unwrap_or_default().to_string();
        let mut body = Self { shape, ..Self::default() };
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                let advice = "write a shape and then name=value, for example `sphere radius=12.7mm material=steel` (no spaces inside a value)";
                return Err(Error::invalid("body", format!("`{word}`"), "name=value", advice));
            };
            if key == "material" {
                if body.material.replace(value.to_string()).is_some() {
                    return Err(given_twice_error(key));
                }
                continue;
            }
            let Some(property) = body.property(key) else {
                return Err(Error::not_among("property of a body", key, PROPERTIES));
            };
            if property.replace(Quantity::Text(value.to_string())).is_some() {
                return Err(given_twice_error(key));
            }
        }
        Ok(body)
    }

    /// Returns the quantity of this name; `None` if a body has no such property.
    pub(crate) fn property(&mut self, name: &str) -> Option<&mut Option<Quantity>> {
        Some(match name {
            "radius" => &mut self.radius,
            "length" => &mut self.length,
            "half_side" => &mut self.half_side,
            "youngs" => &mut self.youngs,
            "poisson" => &mut self.poisson,
            "density" => &mut self.density,
            "mass" => &mut self.mass,
            _ => return None,
        })
    }

    /// Checks the description and creates the body.
    pub fn body(&self, which: &str) -> Result<Body> {
        let length = |name: &str, value: &Option<Quantity>| match value {
            Some(value) => value.si(&format!("{name} of {which}"), Dimension::LENGTH),
            None => Err(Error::missing(
                format!("{name} of {which}"),
                format!("a {} needs it; write {name}=12.7mm", self.shape),
            )),
        };
        let shape = match self.shape.as_str() {
            "sphere" => Shape::Sphere { radius: length("radius", &self.radius)? },
            "plane" => Shape::Plane,
            "socket" => Shape::Socket { radius: length("radius", &self.radius)? },
            "square-punch" => {
                Shape::SquarePunch { half_side: length("half_side", &self.half_side)? }
            }
            "cylinder" => Shape::Cylinder {
                radius: length("radius", &self.radius)?,
                length: length("length", &self.length)?,
            },
            "bore" => Shape::Bore {
                radius: length("radius", &self.radius)?,
                length: length("length", &self.length)?,
            },
            other => {
                let known = ["sphere", "plane", "socket", "square-punch", "cylinder", "bore"];
                return Err(Error::not_among("shape", other, known));
            }
        };
        self.refuse_superfluous(which)?;
        let body = Body::new(shape, self.material(which)?);
        match &self.mass {
            Some(mass) => {
                Ok(body.with_mass(mass.si(&format!("mass of {which}"), Dimension::MASS)?))
            }
            None => Ok(body),
        }
    }

    /// Returns an error for properties that would be ignored: lengths that the shape does not have, and constants in
    /// addition to a material.
    fn refuse_superfluous(&self, which: &str) -> Result<()> {
        let has: &[&str] = match self.shape.as_str() {
            "sphere" | "socket" => &["radius"],
            "cylinder" | "bore" => &["radius", "length"],
            "square-punch" => &["half_side"],
            _ => &[],
        };
        for (name, value) in
            [("radius", &self.radius), ("length", &self.length), ("half_side", &self.half_side)]
        {
            if value.is_some() && !has.contains(&name) {
                let what = format!("a {name} of {which}, a {}", self.shape);
                return Err(Error::unsupported(what, "leave it out, or choose another shape"));
            }
        }
        let constants = [&self.youngs, &self.poisson, &self.density];
        if self.material.is_some() && constants.iter().any(|constant| constant.is_some()) {
            return Err(Error::unsupported(
                format!("a material of {which} together with constants of its own"),
                "name the material, or give youngs, poisson and density",
            ));
        }
        Ok(())
    }

    fn material(&self, which: &str) -> Result<Material> {
        if let Some(name) = &self.material {
            return material(name).copied();
        }
        let given = |name: &str, value: &Option<Quantity>, dimension| match value {
            Some(value) => value.si(&format!("{name} of {which}"), dimension),
            None => Err(Error::missing(
                format!("material of {which}"),
                sentence!(
                    "name one (see {}) or give youngs, poisson and density",
                    Action::see(Topic::Materials)
                ),
            )),
        };
        Material::of(
            given("youngs", &self.youngs, Dimension::PRESSURE)?,
            given("poisson", &self.poisson, Dimension::NUMBER)?,
            given("density", &self.density, Dimension::DENSITY)?,
        )
    }
}
