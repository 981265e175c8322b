//! Selection of the sites that can act, because their features are close enough to each other.
//!
//! Most sites of two boxes, or of a box and a cylinder, are far from touching at any time, and their gaps need not be computed:
//! boxes around their features (`gap/bounds.rs`) give a lower bound of each gap, and the site cannot act if this bound exceeds
//! the possible displacement of the bodies.

use crate::gap::{RelativeFrame, SiteBoxes, site_boxes};
use crate::kinematics::Kinematics;
use crate::world::World;

/// Bounding boxes of the features of all sites, which follow from the world; none for shapes without bounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct FeatureBoxes(Vec<Option<SiteBoxes>>);

impl FeatureBoxes {
    pub fn new(world: &World) -> Self {
        let of = |site: usize| {
            let [a, b] = world.shapes_at(site);
            site_boxes(a, b, world.sites[site].number)
        };
        Self((0..world.sites.len()).map(of).collect())
    }
}

/// Lower bounds of the gaps at one instant. The sites of a contact should be queried one after the other, since values common to
/// them are kept.
pub(crate) struct GapBounds<'a> {
    world: &'a World,
    boxes: &'a FeatureBoxes,
    kinematics: &'a Kinematics,
    /// The last contact that was queried, the relative placement of its shapes, and the rounding error of their gaps (m).
    last: Option<(usize, RelativeFrame, f64)>,
}

impl<'a> GapBounds<'a> {
    pub fn new(world: &'a World, boxes: &'a FeatureBoxes, kinematics: &'a Kinematics) -> Self {
        Self { world, boxes, kinematics, last: None }
    }

    /// Returns whether the gap at a site is certainly larger than a length (m), which must not be negative.
    pub fn exceeds(&mut self, site: usize, length: f64) -> bool {
        let Some(boxes) = &self.boxes.0[site] else { return false };
        let contact = self.world.sites[site].contact;
        let (relative, rounding) = match &self.last {
            Some((last, relative, rounding)) if *last == contact => (relative, *rounding),
            _ => {
                let (a, b) = self.world.bodies_at(site);
                let rounding = self.kinematics.gap_rounding(self.world, a, b);
                let relative = self.kinematics.relative_frame(self.world, contact);
                let (_, relative, rounding) = self.last.insert((contact, relative, rounding));
                (&*relative, *rounding)
            }
        };
        relative.gap_bound(boxes) > length + rounding
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::{Body, Contact, Placed, Run, Shape};
    use carom::law::{Exit, Law, Power};

    /// Two boxes, one on the other and shifted by `shift` along x and y, that move by 0.1 mm in a step: returns the number of
    /// sites whose gaps are computed, and of all sites.
    fn sites_that_can_act(shift: f64) -> (usize, usize) {
        let law = Law::new(1.0, Exit::ZeroForce, Power::elastic(1e6, 1.0));
        let mut world = World::default();
        let shape = Shape::Box { half: Vec3::new(0.05, 0.05, 0.05) };
        let mut shapes = Vec::new();
        for at in [Vec3::ZERO, Vec3::new(shift, shift, 0.1001)] {
            let body = world.add_body(Body::of("box", &shape, 1000.0).unwrap().at(at)).unwrap();
            shapes.push(world.add_shape(Placed::on(body, shape.clone())).unwrap());
        }
        world.add_contact(Contact::new(shapes[0], shapes[1], law)).unwrap();
        let run = Run::new(&world).unwrap();
        let mut kinematics = Kinematics::new(&world);
        let input = crate::input::StepInput::at(&world, run.state());
        kinematics.read(&input, 0.0, &run.state().y);
        let boxes = FeatureBoxes::new(&world);
        let mut bounds = GapBounds::new(&world, &boxes, &kinematics);
        let sites = world.sites.len();
        ((0..sites).filter(|&site| !bounds.exceeds(site, 1e-4)).count(), sites)
    }

    /// Of 160 sites, at most those of the two faces that meet can act: 8 corners, 12 pairs of edges, and the ends of vertical
    /// edges on the opposite face.
    #[test]
    fn few_of_the_sites_of_two_boxes_can_act() {
        let (aligned, sites) = sites_that_can_act(0.0);
        let (shifted, _) = sites_that_can_act(5e-3);
        assert_eq!(sites, 160);
        assert!(aligned <= 40 && shifted <= 16, "{aligned} and {shifted} of {sites}");
    }
}
