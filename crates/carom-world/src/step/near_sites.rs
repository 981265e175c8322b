//! Sites that can act: those whose features are near enough to each other.
//!
//! Most sites of two boxes, or of a box and a cylinder, are far from touching at any time. Their gaps need not be computed: boxes around
//! their features (`gap/bounds.rs`) give a bound of each gap, and one that is larger than what the bodies can move is enough.

use crate::gap::{RelativeFrame, SiteBoxes, site_boxes};
use crate::kinematics::Kinematics;
use crate::world::World;

/// Boxes around the features of all sites, none for shapes without bounds; they follow from the world.
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

/// Bounds of gaps at one instant, for sites that are asked in order.
pub(crate) struct GapBounds<'a> {
    world: &'a World,
    boxes: &'a FeatureBoxes,
    kinematics: &'a Kinematics,
    /// The last contact, how its shapes lie to each other, and what rounding may make of their gaps (m).
    last: Option<(usize, RelativeFrame, f64)>,
}

impl<'a> GapBounds<'a> {
    pub fn new(world: &'a World, boxes: &'a FeatureBoxes, kinematics: &'a Kinematics) -> Self {
        Self { world, boxes, kinematics, last: None }
    }

    /// Whether the gap at a site is certainly larger than a length (m), which is not negative.
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
        relative.apart(boxes) > length + rounding
    }
}
