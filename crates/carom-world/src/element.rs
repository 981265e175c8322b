//! Force elements: springs and dampers between points, drag, and forces given as functions of time.

use crate::math::Vec3;
use crate::motion::Motion;

/// A point fixed to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Index of the body.
    pub body: usize,
    /// Position of the point in body coordinates (m).
    pub point: Vec3,
}

/// A force on bodies that is not weight, contact or joint.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Element {
    /// A spring and a damper along the line between two points: F = k·(l − l₀) + c·l̇, positive in tension.
    Spring {
        /// One end.
        a: Anchor,
        /// The other end.
        b: Anchor,
        /// Stiffness k (N/m).
        stiffness: f64,
        /// Damping coefficient c (N·s/m).
        damping: f64,
        /// Unstretched length l₀ (m).
        length: f64,
    },
    /// A force at a point, direction·magnitude(t), with a direction fixed in the world or in the body.
    Force {
        /// Point at which the force acts.
        at: Anchor,
        /// Direction; its length is a factor of the force.
        direction: Vec3,
        /// Magnitude as a function of time (N).
        magnitude: Motion,
        /// Whether the direction is given in the axes of the body and rotates with it.
        follows: bool,
    },
    /// A couple on a body, axis·magnitude(t), with an axis fixed in the world or in the body.
    Couple {
        /// Index of the body.
        body: usize,
        /// Axis; its length is a factor of the couple.
        axis: Vec3,
        /// Magnitude as a function of time (N·m).
        magnitude: Motion,
        /// Whether the axis is given in the axes of the body and rotates with it.
        follows: bool,
    },
    /// Resistance of a medium at rest: the force −c₁·v − c₂·|v|·v at the centre of mass.
    Drag {
        /// Index of the body.
        body: usize,
        /// Linear coefficient c₁ (N·s/m).
        linear: f64,
        /// Quadratic coefficient c₂ (N·s²/m²).
        quadratic: f64,
    },
}

impl Element {
    /// Returns the bodies on which the element acts.
    pub fn bodies(&self) -> (usize, usize) {
        match self {
            Self::Spring { a, b, .. } => (a.body, b.body),
            Self::Force { at, .. } => (at.body, at.body),
            Self::Couple { body, .. } | Self::Drag { body, .. } => (*body, *body),
        }
    }

    /// Returns the parameters, which must be finite, each with its name and whether it must not be negative.
    pub(crate) fn numbers(&self) -> Vec<(&'static str, f64, bool)> {
        match self {
            Self::Spring { a, b, stiffness, damping, length } => vec![
                ("stiffness of the spring", *stiffness, true),
                ("damping of the spring", *damping, true),
                ("length of the spring", *length, true),
                ("end of the spring", a.point.length() + b.point.length(), false),
            ],
            Self::Force { at, direction, .. } => {
                vec![("force", direction.length() + at.point.length(), false)]
            }
            Self::Couple { axis, .. } => vec![("couple", axis.length(), false)],
            Self::Drag { linear, quadratic, .. } => {
                vec![("linear drag", *linear, true), ("quadratic drag", *quadratic, true)]
            }
        }
    }
}
