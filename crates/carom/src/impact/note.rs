//! Notes of an impact: warnings as values, each with advice.

use crate::law::Exit;
use crate::message::{Action, Message};
use std::fmt;

/// A warning about an impact. It is never an error: the results are those of the law as given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// The force was tensile before contact ended.
    TensileForce,
    /// The bodies creep and never separate.
    NeverSeparates {
        /// Dimensionless damping ε, for power laws.
        epsilon: Option<f64>,
        /// Exit of contact that is never reached.
        exit: Exit,
    },
    /// An external force presses the bodies together permanently.
    Rests {
        /// Indentation at rest (m).
        indentation: f64,
    },
    /// Adhesion holds the bodies together: the impact was too slow to separate them.
    Sticks,
    /// The law returned more energy than it absorbed.
    Gain {
        /// Excess of energy (J).
        gained: f64,
    },
    /// The delivered restitution differs from the requested one.
    RestitutionMissed {
        /// Requested restitution.
        requested: f64,
        /// Restitution that the published formula delivers.
        delivered: f64,
    },
    /// The law is used outside its range of validity.
    OutsideValidity {
        /// The quantity and the range that it leaves.
        what: String,
    },
    /// The formula was derived for the other exit of contact.
    OtherExit {
        /// Exit of contact that the formula assumes.
        derived_for: Exit,
    },
    /// The contact stress exceeds the elastic limit of the material.
    Yield {
        /// Impact speed (m/s).
        speed: f64,
        /// Speed at which yield begins in the weaker body (m/s).
        limit: f64,
    },
    /// Elastic waves carry away part of the energy; no law includes this loss.
    WaveLoss {
        /// Fraction of the kinetic energy at onset.
        share: f64,
    },
    /// The bodies almost creep, so that the restitution depends on the last digits of the damping.
    Sensitive {
        /// Condition number |∂ln e/∂ln c|.
        condition: f64,
    },
    /// An external force acts during contact, which calibrations do not take into account.
    ExternalForce {
        /// Requested restitution.
        requested: f64,
        /// Restitution that is delivered under this force.
        delivered: f64,
    },
}

impl Note {
    /// Returns a short name of the kind of note, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::TensileForce => "tensile_force",
            Self::NeverSeparates { .. } => "never_separates",
            Self::Rests { .. } => "rests",
            Self::Sticks => "sticks",
            Self::Gain { .. } => "gain",
            Self::RestitutionMissed { .. } => "restitution_missed",
            Self::OutsideValidity { .. } => "outside_validity",
            Self::OtherExit { .. } => "other_exit",
            Self::Yield { .. } => "yield",
            Self::WaveLoss { .. } => "wave_loss",
            Self::Sensitive { .. } => "sensitive",
            Self::ExternalForce { .. } => "external_force",
        }
    }

    /// Returns the sentence of the note, with its advice as data.
    pub fn message(&self) -> Message {
        match self {
            Self::TensileForce => sentence!(
                "the contact pulls before it ends (zero indentation); contacts without adhesion do not: use {}",
                end_at_zero_force()
            ),
            Self::NeverSeparates { epsilon, exit } => {
                let name = exit.name();
                let epsilon = epsilon.map_or(String::new(), |e| format!(" (epsilon = {e:.4})"));
                let advice = match exit {
                    Exit::ZeroIndentation => sentence!("{} or less damping", end_at_zero_force()),
                    Exit::ZeroForce => "less damping or a smaller pressing force".into(),
                };
                sentence!(
                    "the bodies creep and never separate when contact ends at zero {name}{epsilon}; use {}",
                    advice
                )
            }
            Self::Rests { indentation } => sentence!(
                "the force that presses the bodies together keeps them in contact, at rest near {indentation:.4e} m; a faster impact, less damping or less force lets them part"
            ),
            Self::Sticks => {
                "adhesion holds the bodies together at this speed; a faster impact tears them apart"
                    .into()
            }
            Self::Gain { gained } => sentence!(
                "the law gives {gained:.4e} J more than it takes, which no passive contact does; its parameters are outside what it was made for"
            ),
            Self::RestitutionMissed { requested, delivered } => sentence!(
                "the published formula delivers {delivered:.4} for {requested}; use {} to get {requested}",
                exact_damping()
            ),
            Self::OutsideValidity { what } => sentence!("outside the validity of the law: {what}"),
            Self::OtherExit { derived_for } => sentence!(
                "the formula was derived for an end of contact at zero {}; use {} or {}",
                derived_for.name(),
                Action::set("exit", derived_for.name()),
                exact_damping()
            ),
            Self::Yield { speed, limit } => sentence!(
                "at {speed} m/s the weaker body yields (onset at {limit:.3e} m/s), so elastic laws overestimate the force; consider thornton-1997 or another plastic law"
            ),
            Self::WaveLoss { share } => {
                let (energy, restitution) = (100.0 * share, 50.0 * share);
                sentence!(
                    "elastic waves carry away about {energy:.1} % of the energy (Hunter 1957, a sphere on a \
                     half-space), which is not in the law and lowers a restitution that follows from material \
                     properties by about {restitution:.1} %; a measured restitution has it included"
                )
            }
            Self::Sensitive { condition } => {
                let (percent, error) = (condition * 1e-4, condition * 1e-12);
                sentence!(
                    "the bodies almost creep when contact ends at zero indentation: a change of the damping by \
                     one part in a million changes the restitution by {percent:.2} %, and it is computed to \
                     about {error:.0e} of its value only; use {}, which is not so sensitive",
                    end_at_zero_force()
                )
            }
            Self::ExternalForce { requested, delivered } => sentence!(
                "the force that acts during contact turns {requested} into {delivered:.4}; a calibration knows \
                 the bare impact only, so ask for more or leave out {}",
                Action::leave_out("external_force")
            ),
        }
    }
}

fn end_at_zero_force() -> Action {
    Action::set("exit", Exit::ZeroForce.name())
}

fn exact_damping() -> Action {
    Action::set("calibration", "exact")
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}
