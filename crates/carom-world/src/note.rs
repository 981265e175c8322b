//! Notes of a run: warnings as values, each with advice.

use carom::message;
use carom::message::{Action, Message, WordedAction};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A warning about a run. It is never an error: the results are those of the scene as given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Note {
    /// A law used a v₀ larger than the approach speed.
    SpeedFloor {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Approach speed (m/s).
        #[serde(with = "crate::bits")]
        speed: f64,
        /// v₀ that the law used (m/s).
        #[serde(with = "crate::bits")]
        floor: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// Some constraints are redundant.
    Redundant {
        /// Number of redundant constraint rows.
        rows: usize,
    },
    /// The energy ledger does not close.
    Energy {
        /// Energy missing from the balance (J).
        #[serde(with = "crate::bits")]
        error: f64,
        /// What was allowed (J).
        #[serde(with = "crate::bits")]
        allowed: f64,
    },
    /// A contact has returned more energy than it absorbed, because of its law.
    Gain {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Excess energy (J).
        #[serde(with = "crate::bits")]
        gained: f64,
    },
    /// Bodies overlap at the start of the scene.
    Overlap {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Overlap (m).
        #[serde(with = "crate::bits")]
        indentation: f64,
    },
    /// A mesh is represented in contacts by convex pieces that do not fill it exactly.
    Mesh {
        /// Index of the body in the world.
        body: usize,
        /// Name of the mesh.
        name: String,
        /// Number of pieces.
        pieces: usize,
        /// Ratio of the volume of the pieces to that of the mesh, minus 1.
        #[serde(with = "crate::bits")]
        volume_error: f64,
    },
    /// The scene begins in equilibrium.
    Equilibrium {
        /// Largest remaining acceleration (m/s²).
        #[serde(with = "crate::bits")]
        residual: f64,
        /// Number of steps of the search.
        steps: usize,
    },
    /// The given initial velocities are not compatible with the joints.
    Start {
        /// Index of the body whose velocity changed most.
        body: usize,
        /// Name of the body.
        name: String,
        /// Kinetic energy of the bodies with a given velocity, as specified (J).
        #[serde(with = "crate::bits")]
        before: f64,
        /// Their kinetic energy at the start of the run (J).
        #[serde(with = "crate::bits")]
        after: f64,
    },
    /// A driven body begins at another pose than specified, and bodies that joints connect to it have been moved with it.
    MovedAlong {
        /// Index of the driven body in the world.
        body: usize,
        /// Name of the driven body.
        name: String,
        /// Distance of its initial position from the specified one (m).
        #[serde(with = "crate::bits")]
        distance: f64,
        /// Angle between its initial and the specified orientation (rad).
        #[serde(with = "crate::bits")]
        angle: f64,
        /// Name of the body that was moved farthest.
        other: String,
        /// Distance by which that body was moved (m).
        #[serde(with = "crate::bits")]
        moved: f64,
    },
    /// A prescribed velocity jumps.
    Jump {
        /// Whether it is the velocity of a driven joint, or otherwise of a driven body.
        joint: bool,
        /// Index of the joint or body in the world.
        index: usize,
        /// Name of the joint or body.
        name: String,
        /// Size of the jump (m/s or rad/s).
        #[serde(with = "crate::bits")]
        change: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// The indentation at edges is larger than the radius by which they are rounded.
    Deep {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Indentation (m).
        #[serde(with = "crate::bits")]
        indentation: f64,
        /// Largest indentation at which gaps are smooth (m).
        #[serde(with = "crate::bits")]
        smooth: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// The nonsmooth method ignores a property of a contact.
    LeftOut {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Property that is ignored.
        what: String,
    },
    /// Bodies move past each other in one step of the nonsmooth method by more than their thickness.
    SteppedOver {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Relative displacement of the bodies in the step (m).
        #[serde(with = "crate::bits")]
        way: f64,
        /// Sum of half their thicknesses (m).
        #[serde(with = "crate::bits")]
        thickness: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// Rigid bodies overlap by more than the nonsmooth method can correct.
    RigidOverlap {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Overlap (m).
        #[serde(with = "crate::bits")]
        overlap: f64,
        /// Largest overlap at which gap and normal are valid (m).
        #[serde(with = "crate::bits")]
        limit: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// Bodies that friction wedges between several contacts cannot rebound with the restitutions of all of them.
    NoRebound {
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// The impulses of a step were not found to the required accuracy.
    Unsolved {
        /// Residual of the conditions of contact, relative to the largest velocity.
        #[serde(with = "crate::bits")]
        residual: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
    /// An indentation is no longer small relative to the bodies.
    Through {
        /// Index of the contact in the world.
        contact: usize,
        /// Name of the contact.
        name: String,
        /// Indentation (m).
        #[serde(with = "crate::bits")]
        indentation: f64,
        /// Half of the radius or half thickness of the smaller body (m).
        #[serde(with = "crate::bits")]
        limit: f64,
        /// Time of the first occurrence (s).
        #[serde(with = "crate::bits")]
        time: f64,
    },
}

impl Note {
    /// Returns a short name of the kind of note, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::SpeedFloor { .. } => "speed_floor",
            Self::Redundant { .. } => "redundant_constraints",
            Self::Energy { .. } => "energy",
            Self::Gain { .. } => "gain",
            Self::Overlap { .. } => "overlap",
            Self::Mesh { .. } => "mesh",
            Self::Equilibrium { .. } => "equilibrium",
            Self::Start { .. } => "start",
            Self::MovedAlong { .. } => "moved_along",
            Self::Jump { .. } => "jump",
            Self::Deep { .. } => "deep",
            Self::Through { .. } => "through",
            Self::LeftOut { .. } => "left_out",
            Self::RigidOverlap { .. } => "rigid_overlap",
            Self::SteppedOver { .. } => "stepped_over",
            Self::NoRebound { .. } => "no_rebound",
            Self::Unsolved { .. } => "unsolved",
        }
    }

    /// Returns true if the other note is of the same kind about the same contact, joint or body.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.subject() == other.subject()
    }

    /// Returns the subject of the note among notes of its kind: an index, and a word that distinguishes several notes with
    /// the same index.
    fn subject(&self) -> (usize, &str) {
        match self {
            Self::SpeedFloor { contact, .. }
            | Self::Overlap { contact, .. }
            | Self::Gain { contact, .. }
            | Self::Deep { contact, .. }
            | Self::RigidOverlap { contact, .. }
            | Self::SteppedOver { contact, .. }
            | Self::Through { contact, .. } => (*contact, ""),
            Self::LeftOut { contact, what, .. } => (*contact, what),
            Self::Mesh { name, .. } => (0, name),
            Self::Jump { joint, index, .. } => (*index, if *joint { "joint" } else { "body" }),
            Self::Redundant { .. }
            | Self::Energy { .. }
            | Self::Equilibrium { .. }
            | Self::Start { .. }
            | Self::MovedAlong { .. }
            | Self::NoRebound { .. }
            | Self::Unsolved { .. } => (0, ""),
        }
    }

    /// Returns the note as a sentence whose advice is data.
    pub fn message(&self) -> Message {
        match self {
            Self::SpeedFloor { name, speed, floor, time, .. } => message![
                format!(
                    "contact `{name}` began at {speed:.3e} m/s (first at {time:.6} s), too slow for a law that \
                     divides by the impact speed; the law used {floor:.3e} m/s instead: use a velocity-free law for lasting \
                     contact, or give the lowest speed that laws are to use, "
                ),
                Action::set("simulation.slowest_impact", format!("{floor:.1e} m/s")),
                " (0: the actual speed, however low)",
            ],
            Self::Redundant { rows } => message![format!(
                "{rows} constraint equations are redundant; the motion is unique, the reactions of these joints are not: use joints with more degrees of freedom"
            )],
            Self::Energy { error, allowed } => message![format!(
                "the energy ledger is off by {error:.3e} J where {allowed:.3e} J are allowed; use a smaller tolerance, or with the nonsmooth method a shorter step"
            )],
            Self::Gain { name, gained, .. } => message![format!(
                "contact `{name}` has given {gained:.3e} J more than it took: its law generates energy under these conditions \
                 (a force that follows time, an indentation beyond what the law is for, or Newton's restitution where friction acts in an \
                 eccentric impact); use another law, or impact_law = \"poisson\" with the nonsmooth method"
            )],
            Self::Overlap { name, indentation, .. } => message![format!(
                "the bodies of contact `{name}` overlap by {indentation:.3e} m where the scene begins; the energy stored there is released: move them apart unless that is meant"
            )],
            Self::Mesh { name, pieces, volume_error, .. } => message![format!(
                "mesh `{name}` touches as {pieces} convex pieces, whose volume is off by {:.2} %; mass and inertia are those of the mesh itself",
                100.0 * volume_error
            )],
            Self::Equilibrium { residual, steps } => message![format!(
                "the scene begins in an equilibrium that was found in {steps} steps; the largest acceleration left is {residual:.1e} m/s²"
            )],
            Self::Start { name, before, after, .. } => message![format!(
                "the velocities at the start do not fit the joints (most: `{name}`) and were changed to the nearest that do: \
                 {after:.3e} J of kinetic energy instead of {before:.3e} J; give velocities that the joints allow"
            )],
            Self::MovedAlong { name, distance, angle, other, moved, .. } => message![format!(
                "the prescribed motion of body `{name}` is not 0 at t = 0: the body begins {distance:.3e} m and {angle:.3e} rad from where it \
                 is placed, and what joints hold to it was moved along (`{other}` by {moved:.3e} m); place the body where its motion begins, \
                 or let the motion begin at 0"
            )],
            Self::Jump { joint, name, change, time, .. } => {
                let (what, unit) = if *joint { ("joint", "rad/s or m/s") } else { ("body", "m/s") };
                format!(
                    "the prescribed velocity of {what} `{name}` jumps by {change:.3e} {unit} at t = {time:.6} s, the first of \
                     its jumps: its table is linear between the rows, and what it drives changes its velocity at once, by whatever \
                     force that takes; for a velocity without jumps give interpolation = \"cubic\" beside times and values"
                )
                .into()
            }
            Self::Deep { name, indentation, smooth, time, .. } => message![format!(
                "contact `{name}` is {indentation:.3e} m deep (first at {time:.6} s), where edges of its bodies are \
                 rounded for {smooth:.3e} m only; they are pushed apart, but not smoothly: use a stiffer contact or larger bodies"
            )],
            Self::LeftOut { name, what, .. } => message![format!(
                "the nonsmooth method leaves out {what} of contact `{name}`: bodies are rigid, with a restitution and Coulomb's friction"
            )],
            Self::RigidOverlap { name, overlap, limit, time, .. } => message![
                format!(
                    "rigid bodies of contact `{name}` overlap by {overlap:.3e} m (first at {time:.6} s), where {limit:.3e} m are small \
                     enough for a sound normal: they were placed so, or the step is too long for their speed; shorten it with "
                ),
                Action::give("simulation.step"),
            ],
            Self::SteppedOver { name, way, thickness, time, .. } => message![
                format!(
                    "the bodies of contact `{name}` move past each other by {way:.3e} m in one step (first at {time:.6} s), and are only \
                     {thickness:.3e} m thick: they may go through each other unnoticed; shorten the step with "
                ),
                Action::give("simulation.step"),
            ],
            Self::NoRebound { time } => message![format!(
                "an impact was taken without rebound (first at {time:.6} s): friction holds bodies between several contacts, and no \
                 impulses give all of these the restitution that was asked for"
            )],
            Self::Unsolved { residual, time } => message![format!(
                "velocities after a step miss the conditions of contact by {residual:.1e} of the largest velocity (first at {time:.6} s): \
                 many contacts share a load, or bodies of very different masses rest on each other"
            )],
            Self::Through { name, indentation, limit, time, .. } => message![format!(
                "contact `{name}` is {indentation:.3e} m deep (first at {time:.6} s), more than half of the smaller \
                 body's radius or half thickness ({limit:.3e} m): no contact law holds there, and the bodies may pass \
                 through each other; the stiffness is too small for this speed, or a unit is wrong"
            )],
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

/// A note as text, with its advice as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteSummary {
    /// Short name of the kind of note.
    pub kind: String,
    /// The note as a sentence.
    pub message: String,
    /// Possible remedies, each with its text in the message.
    #[serde(default)]
    pub advice: Vec<WordedAction>,
}

impl NoteSummary {
    /// Creates a note with this message; the actions of the message are the advice.
    pub fn new(kind: &str, message: impl Into<Message>) -> Self {
        let message = message.into();
        Self { kind: kind.into(), message: message.to_string(), advice: message.advice() }
    }

    /// Creates the summary of a note of a run.
    pub fn of(note: &Note) -> Self {
        Self::new(note.kind(), note.message())
    }
}
