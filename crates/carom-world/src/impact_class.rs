//! Classes of impact, by where the bodies are hit and how they move.
//!
//! Two questions make four classes (G. Gilardi & I. Sharf, Literature survey of contact dynamics modelling, Mechanism and
//! Machine Theory 37 (2002) 1213–1239). The *line of impact* is the common normal through the contact point.
//!
//! - *central*: the centres of mass of both bodies lie on the line of impact; *eccentric*: one of them does not, so that
//!   the normal force turns its body. A body that is fixed or driven does not count: forces do not turn it.
//! - *collinear* (also called direct): the surfaces approach each other along the line of impact; *oblique*: at the contact
//!   point they also slide, so that friction matters.
//!
//! Only central collinear impacts are those of two points on a line, for which Newton's, Poisson's and Stronge's restitution
//! are the same number. Numbers that are computed are never exactly zero: an offset below a thousandth of the size of the body, and a
//! sliding speed below a thousandth of the relative speed (0.06°), count as none.

use crate::gap::Gap;
use crate::math::Vec3;
use crate::world::World;

/// Offset from the line of impact over the size of the body, and sliding over relative speed, up to which there is none.
const NEGLIGIBLE: f64 = 1e-3;

/// Where two bodies are hit, and how they move against each other there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImpactClass {
    /// A centre of mass is off the line of impact.
    pub eccentric: bool,
    /// The surfaces slide on each other.
    pub oblique: bool,
}

impl ImpactClass {
    /// All classes, by [`ImpactClass::number`].
    pub const NAMES: [&'static str; 4] =
        ["central collinear", "central oblique", "eccentric collinear", "eccentric oblique"];

    /// The class of a touch as it begins: of two bodies with their centres of mass, and the velocity of the second surface against
    /// the first.
    pub(crate) fn of(world: &World, gap: &Gap, sides: [(usize, Vec3); 2], relative: Vec3) -> Self {
        let off_line = |(body, centre): (usize, Vec3)| {
            let arm = (gap.point - centre).across(gap.normal);
            world.columns.slot[body].is_some()
                && arm.length() > NEGLIGIBLE * world.columns.reach[body]
        };
        Self {
            eccentric: sides.into_iter().any(off_line),
            oblique: relative.across(gap.normal).length() > NEGLIGIBLE * relative.length(),
        }
    }

    /// Its place in [`ImpactClass::NAMES`].
    pub fn number(self) -> usize {
        2 * usize::from(self.eccentric) + usize::from(self.oblique)
    }

    /// The class of a [name](ImpactClass::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|known| *known == name).map(Self::numbered)
    }

    /// The class of a number; the first where there is none.
    pub(crate) fn numbered(number: usize) -> Self {
        Self { eccentric: number / 2 == 1, oblique: number % 2 == 1 }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self.number()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Placed, Shape};

    /// A ball above the ground, hit at a point beside its centre or below it, straight or slanting.
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
