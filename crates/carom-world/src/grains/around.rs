//! What is around a bed, for whoever draws it.

use super::{Bed, Wall};

impl Bed {
    /// The planes that grains stay above.
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// Periods along x and y (m); infinite for none.
    pub fn period(&self) -> (f64, f64) {
        self.period
    }
}
