//! The description of a study of a scene: the scene, what changes in it, and which results are kept. Scenes are not part
//! of this crate; the crate `carom-world` computes such a study as an [`Evaluate`](super::Evaluate).

use super::{Figure, Variation};

/// A study whose cases are runs of a scene.
#[derive(Clone, Debug)]
pub struct SceneStudy {
    /// Its title; may be empty.
    pub title: String,
    /// The file of the scene, as the study names it.
    pub file: String,
    /// Keys that are changed in all cases, as `TABLE.KEY=VALUE`.
    pub set: Vec<String>,
    /// Results before this time do not count (s).
    pub from: f64,
    /// Names of the results that are kept; empty for the usual ones.
    pub outputs: Vec<String>,
    /// What varies: each axis is a key of the scene.
    pub variation: Variation,
    /// Kind of figure, where the study gives it.
    pub figure: Option<Figure>,
}
