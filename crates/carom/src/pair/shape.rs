//! Shapes of bodies near the contact, and bodies.

use super::material::Material;
use crate::error::{Error, Result, check_positive};
use std::f64::consts::PI;

/// Shape of a body near the contact. Lengths are in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Radius of the sphere.
        radius: f64,
    },
    /// A flat half-space; it is fixed unless its body has a mass.
    Plane,
    /// A spherical cavity; it is fixed unless its body has a mass.
    Socket {
        /// Radius of the cavity.
        radius: f64,
    },
    /// A flat square face of side 2a that touches a plane or an equal square over its whole area.
    SquarePunch {
        /// Half the side, a.
        half_side: f64,
    },
    /// A cylinder that touches with its lateral surface.
    Cylinder {
        /// Radius of the cylinder.
        radius: f64,
        /// Length of the cylinder.
        length: f64,
    },
    /// A cylindrical bore; it is fixed unless its body has a mass.
    Bore {
        /// Radius of the bore.
        radius: f64,
        /// Length of the bore.
        length: f64,
    },
}

impl Shape {
    /// Returns the name on the command line and in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Plane => "plane",
            Self::Socket { .. } => "socket",
            Self::SquarePunch { .. } => "square-punch",
            Self::Cylinder { .. } => "cylinder",
            Self::Bore { .. } => "bore",
        }
    }

    /// Computes the volume (m³) of a shape that encloses one: a sphere or cylinder.
    ///
    /// ```
    /// use carom::pair::shape::Shape;
    /// assert_eq!(Shape::Plane.volume(), None);
    /// let ball = Shape::Sphere { radius: 0.0127 };
    /// assert!((ball.volume().unwrap() - 8.580e-6).abs() < 1e-9);
    /// ```
    pub fn volume(&self) -> Option<f64> {
        match *self {
            Self::Sphere { radius } => Some(4.0 / 3.0 * PI * radius.powi(3)),
            Self::Cylinder { radius, length } => Some(PI * radius * radius * length),
            _ => None,
        }
    }

    /// Returns the radius, if the shape has one.
    pub fn radius(&self) -> Option<f64> {
        match *self {
            Self::Sphere { radius }
            | Self::Socket { radius }
            | Self::Cylinder { radius, .. }
            | Self::Bore { radius, .. } => Some(radius),
            Self::Plane | Self::SquarePunch { .. } => None,
        }
    }

    /// Returns whether the shape receives another body: a plane, socket or bore, which is fixed unless its body has a
    /// mass.
    pub fn is_seat(&self) -> bool {
        matches!(self, Self::Plane | Self::Socket { .. } | Self::Bore { .. })
    }

    /// Returns the shape if its lengths are finite and positive, otherwise an error.
    pub(super) fn check(&self) -> Result<&Self> {
        let advice = "give it in m, or with a unit (12.7 mm)";
        if let Some(radius) = self.radius() {
            check_positive("radius", radius, advice)?;
        }
        match *self {
            Self::Cylinder { length, .. } | Self::Bore { length, .. } => {
                check_positive("length", length, advice)?;
            }
            Self::SquarePunch { half_side } => {
                check_positive("half_side", half_side, advice)?;
            }
            _ => {}
        }
        Ok(self)
    }
}

/// A body: shape, material and, if it does not follow from these, mass.
///
/// ```
/// use carom::pair::{Body, Shape, material};
/// let ball = Body::new(Shape::Sphere { radius: 0.0127 }, *material("steel-52100")?);
/// assert!((ball.mass()? - 0.06701).abs() < 1e-5);
/// let ground = Body::new(Shape::Plane, *material("steel")?);
/// assert_eq!(ground.mass()?, f64::INFINITY);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Shape near the contact.
    pub shape: Shape,
    /// Material of the body.
    pub material: Material,
    /// Mass (kg), infinite for a fixed body. If it is `None`, the mass is density times volume, and a plane, socket
    /// or bore is fixed.
    pub mass: Option<f64>,
}

impl Body {
    /// Creates a body whose mass follows from its shape and material.
    pub fn new(shape: Shape, material: Material) -> Self {
        Self { shape, material, mass: None }
    }

    /// Sets the mass (kg); infinite for a fixed body.
    pub fn with_mass(self, mass: f64) -> Self {
        Self { mass: Some(mass), ..self }
    }

    /// Computes the mass (kg); infinite for a fixed body.
    ///
    /// # Errors
    /// If the mass is not positive, or is neither given nor determined by volume and density.
    pub fn mass(&self) -> Result<f64> {
        if let Some(mass) = self.mass {
            return positive_mass("mass", mass);
        }
        let name = self.shape.name();
        match self.shape.check()?.volume() {
            Some(_) if self.material.is_rigid() => {
                Err(Error::missing("mass", format!("a rigid {name} has no density; give its mass")))
            }
            Some(volume) => check_positive(
                "mass",
                volume * self.material.density,
                "it follows from radius, length and density: check them, or give the mass",
            ),
            None if self.shape.is_seat() => Ok(f64::INFINITY),
            None => Err(Error::missing("mass", format!("a {name} has no volume; give its mass"))),
        }
    }
}

/// Checks that a mass is positive; it may be infinite.
fn positive_mass(name: &str, mass: f64) -> Result<f64> {
    match mass > 0.0 {
        true => Ok(mass),
        false => {
            Err(Error::invalid(name, mass, "above 0", "give it in kg; infinite means held fast"))
        }
    }
}

/// Computes the effective mass m₁m₂/(m₁+m₂) of the relative motion of two bodies (kg); an infinite mass is a fixed
/// body.
///
/// ```
/// use carom::pair::effective_mass;
/// assert_eq!(effective_mass(2.0, 2.0)?, 1.0);
/// assert_eq!(effective_mass(2.0, f64::INFINITY)?, 2.0);
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// If a mass is not positive or both are infinite.
pub fn effective_mass(mass_1: f64, mass_2: f64) -> Result<f64> {
    positive_mass("mass_1", mass_1)?;
    positive_mass("mass_2", mass_2)?;
    let (light, heavy) = (mass_1.min(mass_2), mass_1.max(mass_2));
    if light == f64::INFINITY {
        let advice = "give the mass of the body that moves";
        return Err(Error::unsupported("an impact between two fixed bodies", advice));
    }
    // The ratio is at most 1, so that nothing can overflow.
    Ok(light / (1.0 + light / heavy))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEEL: Material =
        Material { youngs: 2.1e11, poisson: 0.3, density: 7850.0, ..Material::RIGID };

    #[test]
    fn a_cylinder_weighs_its_volume() {
        let roller = Body::new(Shape::Cylinder { radius: 0.01, length: 0.02 }, STEEL);
        assert!((roller.mass().unwrap() - 7850.0 * PI * 2e-6).abs() < 1e-12);
        assert_eq!(roller.with_mass(3.0).mass().unwrap(), 3.0);
    }

    #[test]
    fn a_mass_that_cannot_be_known_is_asked_for() {
        let punch = Body::new(Shape::SquarePunch { half_side: 0.01 }, STEEL);
        assert!(punch.mass().unwrap_err().is_missing());
        let rigid = Body::new(Shape::Sphere { radius: 0.01 }, Material::RIGID);
        assert!(rigid.mass().unwrap_err().is_missing());
        assert!(punch.with_mass(-1.0).mass().unwrap_err().is_invalid());
        assert!(punch.with_mass(f64::NAN).mass().unwrap_err().is_invalid());
        let ball = Body::new(Shape::Sphere { radius: -1.0 }, STEEL);
        assert!(ball.mass().unwrap_err().is_invalid());
    }

    #[test]
    fn effective_mass_survives_extremes() {
        assert_eq!(effective_mass(1e300, 1e-300).unwrap(), 1e-300);
        assert_eq!(effective_mass(f64::MAX, f64::MAX).unwrap(), f64::MAX / 2.0);
        assert!(effective_mass(f64::INFINITY, f64::INFINITY).unwrap_err().is_unsupported());
        assert!(effective_mass(0.0, 1.0).is_err() && effective_mass(1.0, f64::NAN).is_err());
    }
}
