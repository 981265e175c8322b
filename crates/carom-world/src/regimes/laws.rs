//! Study of a joint with several laws: the scene is read again with each law, and simulated.

use super::{Study, StudyResults, period, study};
use crate::check::index_by_name;
use crate::record::value_text;
use crate::scene::{Change, Files, Scene, SceneError};
use carom::Error;
use serde::Serialize;
use std::fmt;

/// Name that stands for an ideal joint, without clearance and law.
pub const IDEAL: &str = "ideal";

/// Number of samples per turn. A tenth of a degree is needed to resolve the peak of a contact that lasts a few degrees.
const SAMPLES_PER_TURN: usize = 3600;
/// Largest number of turns with one law, which limits the computing time.
const MAX_TURNS: usize = 100_000;

/// Choice of a joint of a scene and of the laws with which it is studied.
#[derive(Clone, Debug, PartialEq)]
pub struct LawStudy {
    /// Joint, by the name of its `[[clearance]]` or `[[contact]]`; the first one if none is given.
    pub joint: Option<String>,
    /// Laws of the joint, with [`IDEAL`] for an ideal joint; that of the scene if the list is empty.
    pub laws: Vec<String>,
    /// Calibration of the laws; as in the scene if none is given.
    pub calibration: Option<String>,
    /// Number of turns that are analysed.
    pub turns: usize,
    /// Number of turns before them that are left out.
    pub skip: usize,
    /// Angle of the drive at which the section is taken (°).
    pub at: f64,
    /// Body whose acceleration is recorded; the first body of the joint if none is given.
    pub body: Option<String>,
}

impl Default for LawStudy {
    fn default() -> Self {
        let (joint, laws, calibration, body) = (None, Vec::new(), None, None);
        Self { joint, laws, calibration, turns: 20, skip: 5, at: 0.0, body }
    }
}

/// Regimes of a joint with clearance, law by law.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RegimeStudy {
    /// Title of the scene.
    pub title: String,
    /// Name of the joint.
    pub joint: String,
    /// Largest distance of the centre of the pin from the middle without contact, for a pin in a bore or a ball in a socket
    /// (m).
    pub clearance: Option<f64>,
    /// Number of joints with clearance in the scene.
    #[serde(skip)]
    pub clearances: usize,
    /// Body whose motion is recorded.
    pub body: String,
    /// Duration of one turn (s).
    pub period: f64,
    /// Number of turns left out at the start.
    pub skip: usize,
    /// Number of turns analysed.
    pub turns: usize,
    /// Angle of the drive at which the Poincaré section is taken (°).
    pub at: f64,
    /// Results by law.
    pub laws: Vec<LawRegimes>,
}

/// Results with one law.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LawRegimes {
    /// Law, or `ideal` for the joint without clearance.
    pub law: String,
    /// Regimes, path and section.
    #[serde(flatten)]
    pub results: StudyResults,
    /// Number of turns after which the section repeats.
    pub repeats: Option<usize>,
}

/// Reason why a study failed.
#[derive(Clone, Debug, PartialEq)]
pub enum LawStudyError {
    /// The scene cannot be read.
    Scene(SceneError),
    /// The joint, body or drive does not exist, the study is invalid, or a run failed.
    Study(Error),
}

impl fmt::Display for LawStudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(error) => error.fmt(f),
            Self::Study(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LawStudyError {}

impl From<Error> for LawStudyError {
    fn from(error: Error) -> Self {
        Self::Study(error)
    }
}

impl From<SceneError> for LawStudyError {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

impl LawStudy {
    /// Runs the scene with every law. `progress` is called with the law and the fraction of its turns that has been
    /// simulated; it may end the study by returning an error.
    ///
    /// # Errors
    /// When the scene cannot be read, has no such joint or body or no driven joint, or when a run fails.
    pub fn run(
        &self,
        text: &str,
        files: Files<'_>,
        changes: &[Change],
        mut progress: impl FnMut(&str, f64) -> carom::Result<()>,
    ) -> Result<RegimeStudy, LawStudyError> {
        let turns = self.turns.saturating_add(self.skip);
        if self.turns == 0 || turns > MAX_TURNS || !self.at.is_finite() {
            let given = format!("{} after {}, at {} degrees", self.turns, self.skip, self.at);
            let allowed = format!("from 1 to {MAX_TURNS} in all, at a finite angle");
            let advice = "20 turns after 5 show the regimes, 200 a section";
            return Err(Error::invalid("turns", given, allowed, advice).into());
        }
        let scene = Scene::parse_with(text, files, changes)?;
        let contact = self.joint(&scene)?;
        let joint = scene.world.contacts()[contact].name.clone();
        let body = match &self.body {
            Some(name) => index_by_name("body", name, scene.world.body_names())?,
            None => scene.world.shapes()[scene.world.contacts()[contact].a].body,
        };
        let body = scene.world.bodies()[body].name.clone();
        let mut found = RegimeStudy {
            title: scene.title.clone(),
            clearance: scene.world.clearance(contact),
            clearances: scene.clearances,
            body,
            period: period(&scene.world)?,
            skip: self.skip,
            turns: self.turns,
            at: self.at,
            laws: Vec::new(),
            joint,
        };
        let own = vec![String::new()];
        for law in if self.laws.is_empty() { &own } else { &self.laws } {
            let row = self.study_law(law.trim(), text, files, changes, &found, &mut progress)?;
            found.laws.push(row);
        }
        Ok(found)
    }

    /// Returns the index of the requested contact.
    fn joint(&self, scene: &Scene) -> carom::Result<usize> {
        if scene.world.contacts().is_empty() {
            let advice = "add a [[clearance]] or a [[contact]] to the scene";
            return Err(Error::missing("a contact", advice));
        }
        let found = self
            .joint
            .as_ref()
            .map(|name| index_by_name("joint", name, scene.world.contact_names()));
        found.unwrap_or(Ok(0))
    }

    /// Studies one law; an empty name stands for the law of the scene.
    fn study_law(
        &self,
        law: &str,
        text: &str,
        files: Files<'_>,
        changes: &[Change],
        found: &RegimeStudy,
        progress: &mut impl FnMut(&str, f64) -> carom::Result<()>,
    ) -> Result<LawRegimes, LawStudyError> {
        let law = &carom::own_law::name_of(law)?;
        let mut changes = changes.to_vec();
        if law == IDEAL {
            // All joints with clearance become ideal: with another clearance left, the mechanism would not be the ideal one.
            let all = 0..found.clearances;
            changes.extend(all.map(|k| Change::new(format!("clearance.{k}"), "ideal", "true")));
        } else if !law.is_empty() {
            changes.push(Change::new(&found.joint, "law", carom::model(law)?.id));
        }
        if let Some(how) = &self.calibration {
            changes.push(Change::new(&found.joint, "calibration", how));
        }
        let scene = Scene::parse_with(text, files, &changes)?;
        let contact = scene.world.contact_names().position(|name| name == found.joint);
        let body = scene.world.body_names().position(|name| name == found.body);
        let looked = Study {
            contact,
            body: body.unwrap_or(0),
            period: found.period,
            skip: found.skip,
            turns: found.turns,
            phase: (found.at / 360.0).rem_euclid(1.0),
            samples: SAMPLES_PER_TURN,
        };
        let law = match law.as_str() {
            // The law of the scene itself, by its name in the catalogue.
            "" => match value_text(text, &changes, &format!("{}.law", found.joint)) {
                Some(own) => carom::model(&own)?.id.to_string(),
                None => "as in the scene".to_string(),
            },
            IDEAL => IDEAL.to_string(),
            known => carom::model(known)?.id.to_string(),
        };
        progress(&law, 0.0)?;
        let results = study(&scene.world, &looked, |share| progress(&law, share))?;
        Ok(LawRegimes { law, repeats: results.repeats(), results })
    }
}
