//! Shapes of geometries: volume, inertia about the centre, and the number of points at which they rest on a plane.

use super::pose::{IDENTITY, Matrix, Vector, dot};
use std::f64::consts::PI;

/// A shape relative to its own centre; lengths along z are half lengths.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A half-space whose normal is the z axis.
    Plane,
    Sphere {
        radius: f64,
    },
    /// A cylinder with hemispheres at its ends.
    Capsule {
        radius: f64,
        half: f64,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    Ellipsoid {
        half: Vector,
    },
    Box {
        half: Vector,
    },
    /// A mesh, height field or any other shape whose size is not in the file.
    Other,
}

fn diagonal([x, y, z]: Vector) -> Matrix {
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

impl Shape {
    /// Returns the volume (m³); `None` if it is not in the file, and zero for a plane, which has no mass.
    pub fn volume(&self) -> Option<f64> {
        Some(match self {
            Self::Plane => 0.0,
            Self::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
            Self::Capsule { radius, half } => {
                PI * radius * radius * (2.0 * half + 4.0 / 3.0 * radius)
            }
            Self::Cylinder { radius, half } => 2.0 * PI * radius * radius * half,
            Self::Ellipsoid { half: [a, b, c] } => 4.0 / 3.0 * PI * a * b * c,
            Self::Box { half: [a, b, c] } => 8.0 * a * b * c,
            Self::Other => return None,
        })
    }

    /// Returns the inertia about the centre for a mass of 1 kg (m²).
    pub fn inertia(&self) -> Matrix {
        match self {
            Self::Plane | Self::Other => diagonal([0.0; 3]),
            Self::Sphere { radius } => diagonal([0.4 * radius * radius; 3]),
            Self::Cylinder { radius, half } => {
                let across = (3.0 * radius * radius + 4.0 * half * half) / 12.0;
                diagonal([across, across, 0.5 * radius * radius])
            }
            Self::Capsule { radius: r, half } => {
                // Cylinder and two hemispheres, whose centres of mass lie 3r/8 beyond the ends of the cylinder.
                let (cylinder, ball) = (2.0 * half, 4.0 / 3.0 * r);
                let (cylinder, ball) = (cylinder / (cylinder + ball), ball / (cylinder + ball));
                let along = cylinder * 0.5 * r * r + ball * 0.4 * r * r;
                let across = cylinder * (3.0 * r * r + 4.0 * half * half) / 12.0
                    + ball * (0.4 * r * r + half * half + 0.75 * half * r);
                diagonal([across, across, along])
            }
            Self::Ellipsoid { half: [a, b, c] } => {
                diagonal([(b * b + c * c) / 5.0, (a * a + c * c) / 5.0, (a * a + b * b) / 5.0])
            }
            Self::Box { half: [a, b, c] } => {
                diagonal([(b * b + c * c) / 3.0, (a * a + c * c) / 3.0, (a * a + b * b) / 3.0])
            }
        }
    }

    /// Returns the number of points at which the shape meets a plane in this orientation; `normal` is in the axes of
    /// the shape. The number exceeds one only if a flat side or an edge lies on the plane.
    pub fn points_on_plane(&self, normal: Vector) -> usize {
        let along = |axis: Vector| dot(axis, normal).abs();
        let flat = |axis: Vector| along(axis) > 1.0 - 1e-6;
        let edge = |axis: Vector| along(axis) < 1e-3;
        match self {
            Self::Box { .. } if IDENTITY.into_iter().any(flat) => 4,
            Self::Box { .. } if IDENTITY.into_iter().any(edge) => 2,
            Self::Cylinder { .. } if flat(IDENTITY[2]) => 3,
            Self::Cylinder { .. } | Self::Capsule { .. } if edge(IDENTITY[2]) => 2,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_without_length_is_a_ball_and_a_long_one_a_rod() {
        let ball = Shape::Capsule { radius: 0.3, half: 0.0 };
        assert!((ball.inertia()[0][0] - 0.4 * 0.09).abs() < 1e-15);
        assert!(
            (ball.volume().unwrap() - Shape::Sphere { radius: 0.3 }.volume().unwrap()).abs()
                < 1e-15
        );
        let rod = Shape::Capsule { radius: 1e-6, half: 1.5 };
        assert!((rod.inertia()[1][1] - 3.0 * 3.0 / 12.0).abs() < 1e-5);
    }
}
