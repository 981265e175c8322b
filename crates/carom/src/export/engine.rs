//! The description of an engine: its names, the forms of law it can apply, and how its input is run.

use super::{File, Setting};
use crate::advise::Integrator;
use crate::law::{Exit, Phases};
use crate::robot_file::engine::Contact;
use serde::Serialize;

/// A program that carom writes input for, as constant data; see [`ENGINES`](super::ENGINES).
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Engine {
    /// Its name, by which it is chosen.
    pub id: &'static str,
    /// Its full name.
    pub title: &'static str,
    /// Other names it is found under.
    pub aliases: &'static [&'static str],
    /// The version whose formulas were checked.
    pub version: &'static str,
    /// How they were checked.
    pub check: Check,
    /// The forms it can apply; of two that serve equally well the first is taken.
    pub forms: &'static [Form],
    /// Steps per contact in the input.
    pub steps: f64,
    /// The relative error of the restitution that was measured at that step; the peak force is within
    /// twice that.
    pub tolerance: Option<f64>,
    /// Its scheme with a fixed step, by which errors at a step are computed; none where it controls its error itself, or
    /// its scheme is not among those of [`Integrator`].
    pub integrator: Option<Integrator>,
    /// What of friction can be written for it.
    pub friction: Resists,
    /// How it is installed for `make test-engines`.
    pub install: Install,
    /// The command that runs the input, `FILE` standing for it.
    pub command: &'static [&'static str],
    /// What surprises its users, a sentence each.
    pub traps: &'static [&'static str],
}

impl Engine {
    /// Defaults of the fields that the description of an engine leaves out: a Python script that is run, 1000 steps a contact.
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
        friction: Resists::Nothing,
        install: Install::Elsewhere,
        command: &["python", "FILE"],
        traps: &[],
    };
}

/// What an engine resists besides approach, as far as carom writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resists {
    /// Nothing.
    Nothing,
    /// Sliding.
    Sliding,
    /// Sliding and rolling.
    SlidingAndRolling,
}

/// How the formulas of an engine were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// `make test-engines` runs it.
    Run,
    /// Its source or manual was read; it is not to be had from a public registry.
    Read,
}

/// Where an engine comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "from", content = "packages", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Install {
    /// Packages of the Python package index.
    Pip(&'static [&'static str]),
    /// Packages of the registry of Node.js.
    Npm(&'static [&'static str]),
    /// Packages of Debian; needs root.
    Apt(&'static [&'static str]),
    /// Neither.
    Elsewhere,
}

/// How the damper of a form depends on the indentation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Viscous {
    /// δᵐ with this m.
    Power(f64),
    /// δⁿ, the exponent of the spring.
    Elastic,
    /// δ^((n−1)/2), for which the restitution does not depend on the speed.
    VelocityFree,
    /// δᵐ with any m.
    Any,
    /// STEP(δ/d), fading in over a depth.
    Step,
}

/// A form of law that an engine can apply.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Form {
    /// The engine's own words for it.
    pub name: &'static str,
    /// n, where only one is possible.
    pub exponent: Option<f64>,
    /// How the damper depends on the indentation.
    pub damping: Viscous,
    /// q, where only one is possible.
    pub rate_exponent: Option<f64>,
    /// The ends of contact it offers.
    pub exits: &'static [Exit],
    /// The phases in which its damper can act; the first is taken where the law's own are not among them.
    pub phases: &'static [Phases],
    /// True where the engine computes the coefficient afresh at every touch from the approach speed.
    pub per_touch: bool,
    /// One step of a contact of this form as the engine computes it, where its scheme is none of [`Integrator`].
    #[serde(skip)]
    pub(super) one_step: Option<fn(&Linear) -> Contact>,
}

/// A linear spring and damper that an engine applies in steps of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Linear {
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
    /// Of the ball (m).
    pub radius: f64,
}

/// Both ends of contact.
pub(super) const EITHER: &[Exit] = &[Exit::ZeroForce, Exit::ZeroIndentation];
/// The force is cut at zero.
pub(super) const CUT: &[Exit] = &[Exit::ZeroForce];
/// Contact lasts as long as the bodies overlap.
pub(super) const OVERLAP: &[Exit] = &[Exit::ZeroIndentation];

impl Form {
    /// The usual form: any spring, a linear damper with a fixed coefficient, either end of contact.
    pub(super) const BLANK: Self = Self {
        name: "",
        exponent: None,
        damping: Viscous::Power(0.0),
        rate_exponent: Some(1.0),
        exits: EITHER,
        phases: &[Phases::Both],
        per_touch: false,
        one_step: None,
    };

    /// n of this form for a law with exponent `wanted`.
    pub(super) fn n(&self, wanted: f64) -> f64 {
        self.exponent.unwrap_or(wanted)
    }

    /// m of this form for a law with exponent `wanted`, where its damper is a power.
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

/// What an engine writes.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Files, the one to run first.
    pub files: Vec<File>,
    /// The numbers in its own terms.
    pub settings: Vec<Setting>,
}
