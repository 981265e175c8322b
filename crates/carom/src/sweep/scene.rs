//! Description of a study of a scene: the scene, its changes, and the results that are kept. Scenes are not part of
//! this crate; the crate `carom-world` computes such a study as an [`Evaluate`](super::Evaluate).

use super::{Figure, Variation};

/// A study whose cases are runs of a scene.
#[derive(Clone, Debug)]
pub struct SceneStudy {
    /// Title of the study; may be empty.
    pub title: String,
    /// File of the scene, as the study names it.
    pub file: String,
    /// Keys that are changed in all cases, as `TABLE.KEY=VALUE`.
    pub set: Vec<String>,
    /// Time before which results are ignored (s).
    pub from: f64,
    /// Names of the results that are kept; if empty, the usual ones.
    pub outputs: Vec<String>,
    /// Axes, each of which is a key of the scene, and the order of cases.
    pub variation: Variation,
    /// Kind of figure, if the study specifies one.
    pub figure: Option<Figure>,
}
