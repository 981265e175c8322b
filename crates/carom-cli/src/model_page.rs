//! All information on a model: its page in the catalogue, and the restitution that it delivers.

use carom::Model;
use carom::compare::{Deliveries, deliveries};
use carom::report::Page;
use serde::Serialize;

/// All information on a model.
#[derive(Serialize)]
pub struct ModelPage {
    #[serde(flatten)]
    pub page: Page,
    /// Restitution that it delivers.
    pub deliveries: Deliveries,
}

impl ModelPage {
    /// Collects all information on this model.
    pub fn of(model: &'static Model) -> Self {
        Self { page: Page::of(model), deliveries: deliveries(model) }
    }
}
