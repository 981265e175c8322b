//! Data for the input of an engine that can evaluate any law.

use super::friction::Friction;
use crate::impact::Impact;
use crate::law::Law;
use crate::spec::Case;

/// Data to be written: the law, its impact, and two equal spheres that perform it.
pub(super) struct LawPlan<'a> {
    pub case: &'a Case,
    pub law: Law,
    pub impact: Impact,
    /// Effective radius (m).
    pub radius: f64,
    /// Time step (s).
    pub step: f64,
    pub friction: Friction,
}
