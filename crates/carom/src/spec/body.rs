//! A body in words: shape, lengths, material.

use super::Quantity;
use crate::error::{Error, Result};
use crate::pair::{Body, Material, Shape, material};
use crate::units::Dimension;
use serde::{Deserialize, Serialize};

/// A body as it was described.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BodySpec {
    /// `sphere`, `plane`, `socket`, `square-punch`, `cylinder` or `bore`.
    pub shape: String,
    /// Radius of a sphere, socket, cylinder or bore.
    pub radius: Option<Quantity>,
    /// Length of a cylinder or bore.
    pub length: Option<Quantity>,
    /// Half the side of a square punch.
    pub half_side: Option<Quantity>,
    /// A material of the table, by name.
    pub material: Option<String>,
    /// Young's modulus, where no material is named.
    pub youngs: Option<Quantity>,
    /// Poisson's ratio, where no material is named.
    pub poisson: Option<Quantity>,
    /// Density, where no material is named.
    pub density: Option<Quantity>,
    /// Mass, where it does not follow from shape and density.
    pub mass: Option<Quantity>,
}

impl BodySpec {
    /// Reads `sphere radius=12.7mm material=steel`.
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
            let value = value.to_string();
            match key {
                "radius" => body.radius = Some(Quantity::Text(value)),
                "length" => body.length = Some(Quantity::Text(value)),
                "half_side" => body.half_side = Some(Quantity::Text(value)),
                "material" => body.material = Some(value),
                "youngs" => body.youngs = Some(Quantity::Text(value)),
                "poisson" => body.poisson = Some(Quantity::Text(value)),
                "density" => body.density = Some(Quantity::Text(value)),
                "mass" => body.mass = Some(Quantity::Text(value)),
                _ => {
                    let known = [
                        "radius",
                        "length",
                        "half_side",
                        "material",
                        "youngs",
                        "poisson",
                        "density",
                        "mass",
                    ];
                    return Err(Error::unknown(
                        "property of a body",
                        key,
                        known,
                        "use radius, length, half_side, material, youngs, poisson, density or mass",
                    ));
                }
            }
        }
        Ok(body)
    }

    /// The body, checked.
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
                let otherwise = "use sphere, plane, socket, square-punch, cylinder or bore";
                return Err(Error::unknown("shape", other, known, otherwise));
            }
        };
        let body = Body::new(shape, self.material(which)?);
        match &self.mass {
            Some(mass) => {
                Ok(body.with_mass(mass.si(&format!("mass of {which}"), Dimension::MASS)?))
            }
            None => Ok(body),
        }
    }

    fn material(&self, which: &str) -> Result<Material> {
        if let Some(name) = &self.material {
            return material(name).copied();
        }
        let given = |name: &str, value: &Option<Quantity>, dimension| match value {
            Some(value) => value.si(&format!("{name} of {which}"), dimension),
            None => Err(Error::missing(
                format!("material of {which}"),
                "name one (`carom materials` lists them) or give youngs, poisson and density",
            )),
        };
        Material::of(
            given("youngs", &self.youngs, Dimension::PRESSURE)?,
            given("poisson", &self.poisson, Dimension::NUMBER)?,
            given("density", &self.density, Dimension::DENSITY)?,
        )
    }
}
