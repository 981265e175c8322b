//! The description of an engine: its names, the forms of law it can apply, and how its input is run.

use super::{File, Setting};
use crate::advise::Integrator;
use crate::law::{Exit, Phases};
use crate::robot_file::engine::Contact;
use serde::Serialize;

/// A program for which carom writes input, as constant data; see [`ENGINES`](super::ENGINES).
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Engine {
    /// Id by which the engine is chosen.
    pub id: &'static str,
    /// Full name.
    pub title: &'static str,
    /// Other names by which it can be chosen.
    pub aliases: &'static [&'static str],
    /// Version whose formulas were checked.
    pub version: &'static str,
    /// How the formulas were checked.
    pub check: Check,
    /// Forms that it can apply; if two are equally suitable, the first is used.
    pub forms: &'static [Form],
    /// Number of steps per contact in the input.
    pub steps: f64,
    /// Relative error of the restitution measured with this number of steps; the error of the peak force is within
    /// twice this value.
    pub tolerance: Option<f64>,
    /// Scheme with a fixed step, by which errors at a step are computed; none if the engine controls its error
    /// itself, or if its scheme is not an [`Integrator`].
    pub integrator: Option<Integrator>,
    /// Kinds of friction that can be written for it.
    pub friction: FrictionKinds,
    /// How it is installed for `make test-engines`.
    pub install: Install,
    /// Command that runs the input; `FILE` stands for the name of the file.
    pub command: &'static [&'static str],
    /// Sentences on peculiarities that often surprise users.
    pub traps: &'static [&'static str],
}

impl Engine {
    /// Defaults of the fields that the description of an engine leaves out: a Python script that is run, 1000 steps
    /// per contact.
    pub(super) const BLANK: Self = Self {
        id: "",
        title: "",
        aliases: &[],
        version: "",
        check: Check::Run,
        forms: &[],
        steps: 1000.0,
        tolerance: None,
        integrator: None,
        friction: FrictionKinds::Nothing,
        install: Install::Elsewhere,
        command: &["python", "FILE"],
        traps: &[],
    };
}

/// Kinds of resistance to tangential motion that carom can write for an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FrictionKinds {
    /// No friction.
    Nothing,
    /// Sliding friction.
    Sliding,
    /// Sliding and rolling friction.
    SlidingAndRolling,
}

/// How the formulas of an engine were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// By simulations with it in `make test-engines`.
    Run,
    /// By reading its source or manual, because it is not available from a public registry.
    Read,
}

/// Source from which an engine is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "from", content = "packages", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Install {
    /// Packages of the Python package index.
    Pip(&'static [&'static str]),
    /// Packages of the registry of Node.js.
    Npm(&'static [&'static str]),
    /// Packages of Debian; installation needs root.
    Apt(&'static [&'static str]),
    /// Any other source.
    Elsewhere,
}

/// Dependence of the damper of a form on the indentation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viscous {
    /// δᵐ with this fixed m.
    Power(f64),
    /// δⁿ with the exponent of the spring.
    Elastic,
    /// δ^((n−1)/2), for which the restitution does not depend on the speed.
    VelocityFree,
    /// δᵐ with any m.
    Any,
    /// STEP(δ/d), which fades in over a depth d.
    Step,
}

/// A form of law that an engine can apply.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Form {
    /// Name of the form in the engine's documentation.
    pub name: &'static str,
    /// Stiffness exponent n, if only one value is possible.
    pub exponent: Option<f64>,
    /// Dependence of the damper on the indentation.
    pub damping: Viscous,
    /// Rate exponent q, if only one value is possible.
    pub rate_exponent: Option<f64>,
    /// Exits of contact that it offers.
    pub exits: &'static [Exit],
    /// Phases in which its damper can act; the first is used if those of the law are not among them.
    pub phases: &'static [Phases],
    /// Whether the engine computes the coefficient at every touch from the approach speed.
    pub per_touch: bool,
    /// One step of a contact of this form as the engine computes it, if its scheme is not an [`Integrator`].
    #[serde(skip)]
    pub(super) step_contact: Option<fn(&Linear) -> Contact>,
}

/// A linear spring and damper that an engine integrates by its own scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    /// Stiffness (N/m).
    pub stiffness: f64,
    /// Damping coefficient (N s/m).
    pub damping: f64,
    /// Radius of the ball (m).
    pub radius: f64,
}

/// Either exit of contact.
pub(super) const EITHER_EXIT: &[Exit] = &[Exit::ZeroForce, Exit::ZeroIndentation];
/// Exit at zero force: the force is limited to repulsion.
pub(super) const ZERO_FORCE: &[Exit] = &[Exit::ZeroForce];
/// Exit at zero indentation: contact lasts as long as the bodies overlap.
pub(super) const ZERO_INDENTATION: &[Exit] = &[Exit::ZeroIndentation];

impl Form {
    /// Common form: any spring, a linear damper with a fixed coefficient, either exit of contact.
    pub(super) const BLANK: Self = Self {
        name: "",
        exponent: None,
        damping: Viscous::Power(0.0),
        rate_exponent: Some(1.0),
        exits: EITHER_EXIT,
        phases: &[Phases::Both],
        per_touch: false,
        step_contact: None,
    };

    /// Returns the stiffness exponent of this form for a law with exponent `wanted`.
    pub(super) fn n(&self, wanted: f64) -> f64 {
        self.exponent.unwrap_or(wanted)
    }

    /// Returns the damping exponent of this form for a law with exponent `wanted`, if its damper is a power.
    pub(super) fn m(&self, n: f64, wanted: f64) -> Option<f64> {
        match self.damping {
            Viscous::Power(m) => Some(m),
            Viscous::Elastic => Some(self.n(n)),
            Viscous::VelocityFree => Some(0.5 * (self.n(n) - 1.0)),
            Viscous::Any => Some(wanted),
            Viscous::Step => None,
        }
    }
}

/// Files and parameters written for an engine.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Files; the one to run is the first.
    pub files: Vec<File>,
    /// Parameters as the engine names them.
    pub settings: Vec<Setting>,
}
