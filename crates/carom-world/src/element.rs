//! Force elements: springs and dampers between points, drag, and forces given over time.

use crate::math::Vec3;
use crate::motion::Motion;

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body.
    pub body: usize,
    /// The point, in body coordinates (m).
    pub point: Vec3,
}

/// A force on bodies other than weight, contacts and joints.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Element {
    /// A spring and a damper along the line of two points: F = k·(l − l₀) + c·l̇, pulling.
    Spring {
        /// One end.
        a: Anchor,
        /// The other end.
        b: Anchor,
        /// k (N/m).
        stiffness: f64,
        /// c (N·s/m).
        damping: f64,
        /// l₀ (m).
        length: f64,
    },
    /// A force at a point, direction·magnitude(t), its direction fixed in the world or in the body.
    Force {
        /// Where it acts.
        at: Anchor,
        /// Direction (its length counts).
        direction: Vec3,
        /// Magnitude over time (N).
        magnitude: Motion,
        /// The direction is given in the axes of the body and turns with it.
        follows: bool,
    },
    /// A couple on a body, axis·magnitude(t), its axis fixed in the world or in the body.
    Couple {
        /// The body.
        body: usize,
        /// Axis (its length counts).
        axis: Vec3,
        /// Magnitude over time (N·m).
        magnitude: Motion,
        /// The axis is given in the axes of the body and turns with it.
        follows: bool,
    },
    /// Resistance of a medium at rest: −c₁·v − c₂·|v|·v at the centre of mass.
    Drag {
        /// The body.
        body: usize,
        /// c₁ (N·s/m).
        linear: f64,
        /// c₂ (N·s²/m²).
        quadratic: f64,
    },
}

impl Element {
    /// The bodies it acts on.
    pub fn bodies(&self) -> (usize, usize) {
        match self {
            Self::Spring { a, b, .. } => (a.body, b.body),
            Self::Force { at, .. } => (at.body, at.body),
            Self::Couple { body, .. } | Self::Drag { body, .. } => (*body, *body),
        }
    }

    /// Its parameters, all of which must be finite, each with whether it must not be negative.
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
