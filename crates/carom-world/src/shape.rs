//! Shapes: the geometry of bodies in contacts, and their mass properties.
//!
//! A shape has a frame of its own: round shapes are centred at its origin, long ones lie along its third axis, a half-space
//! fills z < 0. [`Placed`] attaches a shape to a body. Sockets and bores are cavities: other bodies touch them from inside.

use crate::check::positive;
use crate::math::{Mat3, Quat, Vec3};
use carom::{Error, Result};
use std::f64::consts::PI;

mod hull;
mod mesh;

pub(crate) use hull::ROUNDING;
pub use hull::{Face, Hull};
pub use mesh::{ConvexPieces, Mesh, file_text};

/// A shape in its own frame, with lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// Everything below the plane z = 0.
    HalfSpace,
    /// A block centred at the origin.
    Box {
        /// Half the edge lengths.
        half: Vec3,
    },
    /// A segment along z, thickened by a radius.
    Capsule {
        /// Radius of the rounded surface.
        radius: f64,
        /// Half the length of the segment.
        half: f64,
    },
    /// A solid cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the length.
        half: f64,
    },
    /// An ellipsoid centred at the origin.
    Ellipsoid {
        /// Semi-axes.
        semi: Vec3,
    },
    /// The convex hull of points.
    Hull {
        /// Corners, edges and faces.
        points: Hull,
    },
    /// A spherical cavity.
    Socket {
        /// Radius.
        radius: f64,
    },
    /// A cylindrical cavity along z, open at both ends.
    Bore {
        /// Radius.
        radius: f64,
        /// Half the length.
        half: f64,
    },
    /// Counterpart of a stop of a joint, in the frame of the joint on its first body.
    Finger {
        /// Length perpendicular to the axis of the joint (m); 0 on a slide.
        arm: f64,
    },
    /// A stop of a joint, in the frame of the joint on its second body.
    Stop(JointStop),
}

/// A stop of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointStop {
    /// Angle (rad) or slide (m) at which the stop limits the motion.
    pub at: f64,
    /// 1 for an upper stop, −1 for a lower one.
    pub side: f64,
    /// Distance from the axis at which the stop acts, for an angle (m); none for a slide.
    pub arm: Option<f64>,
    /// Centre of the interval of length 2π in which the angle is taken (rad).
    pub middle: f64,
}

/// Names of the shapes in scenes.
pub const NAMES: [&str; 9] =
    ["sphere", "half-space", "box", "capsule", "cylinder", "ellipsoid", "hull", "socket", "bore"];

/// Mass, centre of mass and inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Mass (kg).
    pub mass: f64,
    /// Centre of mass, in the frame in which the properties were computed (m).
    pub centre: Vec3,
    /// Inertia about the centre of mass, in the same axes (kg·m²).
    pub inertia: Mat3,
}

impl Shape {
    /// Returns the name of the shape in scenes.
    pub fn name(&self) -> &'static str {
        NAMES[match self {
            Self::Finger { .. } => return "finger",
            Self::Stop(_) => return "stop",
            Self::Sphere { .. } => 0,
            Self::HalfSpace => 1,
            Self::Box { .. } => 2,
            Self::Capsule { .. } => 3,
            Self::Cylinder { .. } => 4,
            Self::Ellipsoid { .. } => 5,
            Self::Hull { .. } => 6,
            Self::Socket { .. } => 7,
            Self::Bore { .. } => 8,
        }]
    }

    /// Creates the convex hull of points (m).
    ///
    /// # Errors
    /// As [`Hull::of`].
    pub fn hull(points: &[Vec3]) -> Result<Self> {
        Ok(Self::Hull { points: Hull::of(points)? })
    }

    /// Returns the shape if its lengths are finite and positive.
    pub fn checked(self) -> Result<Self> {
        let lengths: Vec<(&str, f64)> = match &self {
            Self::Sphere { radius } | Self::Socket { radius } => vec![("radius", *radius)],
            Self::Box { half } => vec![("size", half.x), ("size", half.y), ("size", half.z)],
            Self::Capsule { radius, half }
            | Self::Cylinder { radius, half }
            | Self::Bore { radius, half } => vec![("radius", *radius), ("length", *half)],
            Self::Ellipsoid { semi } => {
                vec![("semi-axis", semi.x), ("semi-axis", semi.y), ("semi-axis", semi.z)]
            }
            // These have no lengths, or were checked when they were created.
            Self::HalfSpace | Self::Hull { .. } | Self::Finger { .. } | Self::Stop(_) => Vec::new(),
        };
        let advice = "give it in m, or with a unit (12.7 mm)";
        for (name, value) in lengths {
            positive(&format!("{name} of the {}", self.name()), value, advice)?;
        }
        Ok(self)
    }

    /// Returns whether the shape is a cavity, which other bodies touch from inside.
    pub(crate) fn is_cavity(&self) -> bool {
        matches!(self, Self::Socket { .. } | Self::Bore { .. })
    }

    /// Returns the difference of the radii of a cavity and of the ball or pin inside (m); none for other shapes.
    pub(crate) fn clearance(&self, other: &Self) -> Option<f64> {
        let (cavity, inside) = if self.is_cavity() { (self, other) } else { (other, self) };
        match (cavity, inside) {
            (
                Self::Socket { radius: outer } | Self::Bore { radius: outer, .. },
                Self::Sphere { radius } | Self::Cylinder { radius, .. },
            ) => Some(outer - radius),
            _ => None,
        }
    }

    /// Returns the largest distance of a point of the surface from the origin (m); infinite for a half-space.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Sphere { radius } | Self::Socket { radius } => *radius,
            Self::HalfSpace | Self::Stop(_) => f64::INFINITY,
            Self::Finger { arm } => *arm,
            Self::Box { half } => half.length(),
            Self::Capsule { radius, half } => radius + half,
            Self::Cylinder { radius, half } | Self::Bore { radius, half } => radius.hypot(*half),
            Self::Ellipsoid { semi } => semi.greatest(),
            Self::Hull { points } => {
                points.corners().iter().map(|p| p.length()).fold(0.0, f64::max)
            }
        }
    }

    /// Computes mass, centre of mass and inertia of the solid shape at a density (kg/m³).
    ///
    /// # Errors
    /// When the shape is a cavity or a half-space, which have no volume.
    ///
    /// ```
    /// use carom_world::Shape;
    /// let ball = Shape::Sphere { radius: 0.1 }.solid(1000.0)?;
    /// assert!((ball.mass - 4.18879).abs() < 1e-5);
    /// assert!((ball.inertia[2].z / (0.4 * ball.mass * 0.01) - 1.0).abs() < 1e-15);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn solid(&self, density: f64) -> Result<MassProperties> {
        positive("density", density, "give it in kg/m^3, or give the mass itself")?;
        let (volume, gyration) = match self {
            Self::Sphere { radius: r } => (4.0 / 3.0 * PI * r.powi(3), Vec3::splat(0.4 * r * r)),
            Self::Box { half: h } => {
                let (x, y, z) = (h.x * h.x, h.y * h.y, h.z * h.z);
                (8.0 * h.x * h.y * h.z, Vec3::new(y + z, x + z, x + y) * (1.0 / 3.0))
            }
            Self::Cylinder { radius: r, half: l } => {
                let across = 0.25 * r * r + l * l / 3.0;
                (2.0 * PI * r * r * l, Vec3::new(across, across, 0.5 * r * r))
            }
            Self::Capsule { radius: r, half: l } => {
                // A cylinder and two half balls, whose centres lie 3r/8 beyond its ends.
                let (middle, ends) = (2.0 * l, 4.0 / 3.0 * r);
                let shift = l + 0.375 * r;
                let half_ball = (0.4 - 0.375 * 0.375) * r * r + shift * shift;
                let across = middle * (0.25 * r * r + l * l / 3.0) + ends * half_ball;
                let along = middle * 0.5 * r * r + ends * 0.4 * r * r;
                let all = middle + ends;
                (PI * r * r * all, Vec3::new(across / all, across / all, along / all))
            }
            Self::Ellipsoid { semi: s } => {
                let (x, y, z) = (s.x * s.x, s.y * s.y, s.z * s.z);
                (4.0 / 3.0 * PI * s.x * s.y * s.z, Vec3::new(y + z, x + z, x + y) * 0.2)
            }
            Self::Hull { points } => return Ok(points.solid(density)),
            _ => {
                let advice =
                    format!("the {} has no volume; give mass and inertia of the body", self.name());
                return Err(Error::missing("mass", advice));
            }
        };
        let mass = density * volume;
        Ok(MassProperties { mass, centre: Vec3::ZERO, inertia: Mat3::diagonal(gyration * mass) })
    }
}

/// A shape attached to a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Number of the body.
    pub body: usize,
    /// Origin of the shape in body coordinates (m).
    pub position: Vec3,
    /// Rotation from shape to body coordinates.
    pub rotation: Quat,
    /// The shape.
    pub shape: Shape,
}

impl Placed {
    /// Returns whether the frame of the shape is that of its body.
    pub(crate) fn is_centred(&self) -> bool {
        self.position == Vec3::ZERO && self.rotation == Quat::IDENTITY
    }

    /// Attaches a shape to a body with its origin at the centre of mass and the axes of the body.
    pub fn on(body: usize, shape: Shape) -> Self {
        Self { body, position: Vec3::ZERO, rotation: Quat::IDENTITY, shape }
    }

    /// Returns this shape with its origin moved to a point of the body (m).
    pub fn at(self, position: Vec3) -> Self {
        Self { position, ..self }
    }

    /// Returns this shape with a rotation relative to the axes of its body.
    pub fn turned(self, rotation: Quat) -> Self {
        Self { rotation, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes volume and second moments numerically, by counting the points of a grid that are inside.
    fn counted(inside: impl Fn(Vec3) -> bool, reach: f64) -> (f64, Vec3) {
        let n = 90;
        let cell = 2.0 * reach / f64::from(n);
        let (mut volume, mut moment) = (0.0, Vec3::ZERO);
        for (i, j, k) in
            (0..n).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k))))
        {
            let at = |i: i32| (f64::from(i) + 0.5) * cell - reach;
            let p = Vec3::new(at(i), at(j), at(k));
            if inside(p) {
                volume += cell.powi(3);
                moment +=
                    Vec3::new(p.y * p.y + p.z * p.z, p.x * p.x + p.z * p.z, p.x * p.x + p.y * p.y)
                        * cell.powi(3);
            }
        }
        (volume, moment)
    }

    #[test]
    fn masses_and_inertias_are_those_of_the_solids() {
        type Case = (Shape, fn(Vec3) -> bool);
        let cases: [Case; 4] = [
            (Shape::Box { half: Vec3::new(0.3, 0.5, 0.8) }, |p| {
                p.x.abs() < 0.3 && p.y.abs() < 0.5 && p.z.abs() < 0.8
            }),
            (Shape::Cylinder { radius: 0.5, half: 0.4 }, |p| {
                p.x.hypot(p.y) < 0.5 && p.z.abs() < 0.4
            }),
            (Shape::Capsule { radius: 0.5, half: 0.4 }, |p| {
                (p - Vec3::Z * p.z.clamp(-0.4, 0.4)).length() < 0.5
            }),
            (Shape::Ellipsoid { semi: Vec3::new(0.4, 0.6, 0.9) }, |p| {
                Vec3::new(p.x / 0.4, p.y / 0.6, p.z / 0.9).length() < 1.0
            }),
        ];
        for (shape, inside) in cases {
            let solid = shape.solid(2.0).unwrap();
            let (volume, moment) = counted(inside, 0.9);
            assert!((solid.mass / (2.0 * volume) - 1.0).abs() < 0.01, "{}", shape.name());
            let diagonal = [solid.inertia[0].x, solid.inertia[1].y, solid.inertia[2].z];
            for (found, counted) in diagonal.iter().zip([moment.x, moment.y, moment.z]) {
                assert!((found / (2.0 * counted) - 1.0).abs() < 0.02, "{}", shape.name());
            }
        }
    }

    #[test]
    fn invalid_lengths_and_densities_are_refused() {
        assert!(Shape::Sphere { radius: -1.0 }.checked().unwrap_err().is_invalid());
        assert!(Shape::hull(&[Vec3::ZERO; 3]).unwrap_err().is_invalid());
        assert!(Shape::Socket { radius: 1.0 }.solid(1.0).unwrap_err().is_missing());
        assert!(Shape::Sphere { radius: 1.0 }.solid(f64::NAN).unwrap_err().is_invalid());
    }
}
