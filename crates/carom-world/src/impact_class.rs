//! Classes of impact, by the position of the centres of mass and by the relative motion.
//!
//! Two criteria define four classes (G. Gilardi & I. Sharf, Literature survey of contact dynamics modelling, Mechanism and
//! Machine Theory 37 (2002) 1213–1239). The *line of impact* is the common normal through the contact point.
//!
//! - *Central*: the centres of mass of both bodies lie on the line of impact. *Eccentric*: one of them does not, so that the
//!   normal force changes the rotation of its body. A body that is fixed or driven is not considered, because forces do not
//!   turn it.
//! - *Collinear* (also called direct): the surfaces approach each other along the line of impact. *Oblique*: at the contact
//!   point they also slide, so that friction matters.
//!
//! Only central collinear impacts are equivalent to impacts of two points on a line, for which the restitutions of Newton,
//! Poisson and Stronge are the same number. Computed numbers are never exactly zero. An offset below a thousandth of the
//! bounding radius of the body, and a sliding speed below a thousandth of the relative speed (0.06°), are therefore considered
//! zero.

use crate::gap::Gap;
use crate::math::Vec3;
use crate::world::World;

/// Offset from the line of impact divided by the size of the body, and sliding speed divided by relative speed, up to which
/// they are considered zero.
const NEGLIGIBLE_RATIO: f64 = 1e-3;

/// Class of an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpactClass {
    /// A centre of mass is off the line of impact.
    pub eccentric: bool,
    /// The surfaces slide on each other.
    pub oblique: bool,
}

impl ImpactClass {
    /// Names of all classes, in the order of [`ImpactClass::number`].
    pub const NAMES: [&'static str; 4] =
        ["central collinear", "central oblique", "eccentric collinear", "eccentric oblique"];

    /// Determines the class of a touch at its onset; `sides` are the two bodies with their centres of mass, and `relative` is
    /// the velocity of the second surface relative to the first.
    pub(crate) fn of(world: &World, gap: &Gap, sides: [(usize, Vec3); 2], relative: Vec3) -> Self {
        let off_line = |(body, centre): (usize, Vec3)| {
            let arm = (gap.point - centre).perpendicular_to(gap.normal);
            world.columns.free_index[body].is_some()
                && arm.length() > NEGLIGIBLE_RATIO * world.columns.bounding_radius[body]
        };
        Self {
            eccentric: sides.into_iter().any(off_line),
            oblique: relative.perpendicular_to(gap.normal).length()
                > NEGLIGIBLE_RATIO * relative.length(),
        }
    }

    /// Returns the position in [`ImpactClass::NAMES`].
    pub fn number(self) -> usize {
        2 * usize::from(self.eccentric) + usize::from(self.oblique)
    }

    /// Returns the class with a [name](ImpactClass::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(Self::numbered)
    }

    /// Returns the class with a number; central for numbers out of range.
    pub(crate) fn numbered(number: usize) -> Self {
        Self { eccentric: number / 2 == 1, oblique: number % 2 == 1 }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.number()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Placed, Shape};

    /// A ball above the ground, hit at a point below its centre or beside that, at a right angle or obliquely.
    #[test]
    fn offset_and_sliding_make_four_classes() {
        let ball = Shape::Sphere { radius: 0.1 };
        let mut world = World::default();
        let body = world.add_body(Body::of("ball", &ball, 1000.0).unwrap()).unwrap();
        world.add_shape(Placed::on(body, ball)).unwrap();
        let class = |aside: f64, velocity: Vec3, spin: Vec3| {
            let (centre, point) = (Vec3::Z * 0.1, Vec3::X * aside);
            let gap = Gap { distance: 0.0, normal: Vec3::Z, point };
            let relative = velocity + spin.cross(point - centre);
            ImpactClass::of(&world, &gap, [(0, Vec3::ZERO), (body, centre)], relative).name()
        };
        let (down, slanting) = (Vec3::Z * -1.0, Vec3::new(1.0, 0.0, -1.0));
        assert_eq!(class(0.0, down, Vec3::ZERO), "central collinear");
        assert_eq!(class(0.0, slanting, Vec3::ZERO), "central oblique");
        assert_eq!(class(0.0, down, Vec3::Y), "central oblique", "spin slides the surface");
        assert_eq!(class(0.05, down, Vec3::ZERO), "eccentric collinear");
        assert_eq!(class(0.05, slanting, Vec3::ZERO), "eccentric oblique");
        assert_eq!(class(5e-5, down, Vec3::ZERO), "central collinear", "rounding is no offset");
        for number in 0..4 {
            assert_eq!(ImpactClass::numbered(number).number(), number);
        }
    }
}
