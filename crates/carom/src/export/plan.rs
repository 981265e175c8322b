//! From the law that was asked for to the law that an engine applies.
//!
//! Forms are compared in the order of what matters most: the exponent n of the spring, the rate
//! exponent and the phases of the damper, its exponent m, whether the restitution keeps its value at
//! other speeds, and last the end of contact. The nearest form is taken; where it is the law itself,
//! the numbers are the law's own. Where it is not:
//!
//! - ε follows from the restitution by [`exact::epsilon`], for the exponents and the end of contact of
//!   the engine: the damping that delivers it in *this* form.
//! - Where n changes to n′, stiffnesses have no common unit. K′ is chosen so that the contact lasts as
//!   long: with the dimensionless duration Δτ′ of the new form, L′ = T·v₀/Δτ′ and K′ = mₑv₀²/L′^(n′+1).
//! - A damper that fades in over a depth d gets d = δ_max·m/n (from 5 % to all of the largest
//!   indentation), so that it acts early where the law's damper does, and its c by shooting.

use super::engine::{Engine, Form, Viscous};
use super::{Delivers, Expresses, Match, nearest};
use crate::error::{Error, Result};
use crate::exact::{self, Exponents};
use crate::impact::{Impact, collide};
use crate::law::{self, Calibration, Damper, Exit, Exponent, Law, Phases, Power, SmoothStep};
use crate::report::{NoteReport, Report};
use crate::spec::Case;
use crate::units::{Dimension, format};
use std::f64::consts::PI;

/// Density of the balls whose size nobody said (kg/m³).
const DENSITY: f64 = 2500.0;

/// What an engine is to write: the effective law, the impact it makes, and the bodies.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The case that was asked for.
    pub case: &'a Case,
    /// The engine.
    pub engine: &'static Engine,
    /// The form it applies.
    pub form: &'static Form,
    /// The effective law.
    pub law: Law,
    /// K (N/mⁿ).
    pub stiffness: f64,
    /// n.
    pub exponent: f64,
    /// c, in the unit of the form.
    pub damping: f64,
    /// What the damper is.
    pub damper: Shape,
    /// What the law that was asked for does.
    pub asked: Impact,
    /// What the effective law does.
    pub impact: Impact,
    /// Effective radius (m): of the bodies where it is known, else of a ball of this mass.
    pub radius: f64,
    /// Time step (s).
    pub step: f64,
    wanted: Wanted,
    same: bool,
}

/// The damper of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// c·δᵐ·|δ̇|^q.
    Power {
        /// m.
        m: f64,
        /// q.
        q: f64,
        /// In which phases it acts.
        phases: Phases,
    },
    /// c·STEP(δ/d)·δ̇.
    Step {
        /// d (m).
        depth: f64,
    },
}

/// The law that was asked for, as far as forms are compared by it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    stiffness: f64,
    n: f64,
    c: f64,
    damper: Shape,
    exit: Exit,
    per_touch: bool,
}

impl Wanted {
    /// What is wanted, or nothing where the law is no spring with a damper.
    pub(super) fn of(law: &Law, speed: f64) -> Option<Self> {
        let c = law.touch(speed).damping;
        match law.form {
            law::Form::Power(power) => Some(Self {
                stiffness: power.stiffness,
                n: power.elastic.value(),
                c,
                damper: Shape::Power {
                    m: power.damping.value(),
                    q: power.rate.value(),
                    phases: power.phases,
                },
                exit: law.exit,
                per_touch: !matches!(power.damper, Damper::Coefficient(_)),
            }),
            law::Form::SmoothStep(step) => Some(Self {
                stiffness: step.stiffness,
                n: step.elastic.value(),
                c,
                damper: Shape::Step { depth: step.depth },
                exit: law.exit,
                per_touch: step.calibration.requested().is_some(),
            }),
            _ => None,
        }
    }

    /// Whether the restitution is the same at every speed.
    fn steady(&self) -> bool {
        self.c == 0.0 || self.per_touch || velocity_free(self.n, self.damper)
    }

    /// How far a form is from this law, what matters most first.
    pub(super) fn distance(&self, form: &Form) -> [f64; 6] {
        let n = form.n(self.n);
        let spring = (n - self.n).abs();
        if self.c == 0.0 {
            return [spring, 0.0, 0.0, 0.0, 0.0, 0.0];
        }
        let (flow, depth) = match self.damper {
            Shape::Power { m, q, phases } => {
                let half = phases == Phases::Compression && !form.compression_only;
                let rate = form.rate_exponent.map_or(0.0, |own| (own - q).abs());
                // A step is no power; nearer powers are nearer.
                (rate + f64::from(half), form.m(self.n, m).map_or(10.0, |own| (own - m).abs()))
            }
            Shape::Step { .. } => (0.0, if form.damping == Viscous::Step { 0.0 } else { 10.0 }),
        };
        let own = self.damper_in(form, 0.0);
        let steady = form.per_touch || velocity_free(n, own);
        let matters = match own {
            Shape::Power { m, .. } => m < n,
            Shape::Step { .. } => true,
        };
        let end = matters && !form.exits.contains(&self.exit);
        [
            spring,
            flow,
            f64::from(depth > 0.0),
            f64::from(steady != self.steady()),
            depth,
            f64::from(end),
        ]
    }

    /// Whether a form is this law, at this speed.
    pub(super) fn is(&self, form: &Form) -> bool {
        let [spring, flow, _, _, depth, end] = self.distance(form);
        spring + flow + depth + end == 0.0
    }

    /// The damper that a form has in place of this one.
    fn damper_in(&self, form: &Form, indentation_max: f64) -> Shape {
        let (m, q, phases) = match self.damper {
            Shape::Power { m, q, phases } => (m, q, phases),
            // Shallow, the step grows with the square of the indentation; deep, it is constant.
            Shape::Step { depth } => {
                ((depth / indentation_max).min(1.0) * self.n, 1.0, Phases::Both)
            }
        };
        match (form.m(self.n, m), self.damper) {
            (None, step @ Shape::Step { .. }) => step,
            (None, Shape::Power { .. }) => {
                Shape::Step { depth: indentation_max * (m / self.n).clamp(0.05, 1.0) }
            }
            (Some(m), _) => Shape::Power {
                m,
                q: form.rate_exponent.unwrap_or(q),
                phases: if form.compression_only { phases } else { Phases::Both },
            },
        }
    }
}

/// Whether the damping of these exponents needs no speed.
fn velocity_free(n: f64, damper: Shape) -> bool {
    match damper {
        Shape::Power { m, q, .. } => Exponents::new(n, m, q).is_ok_and(Exponents::is_velocity_free),
        Shape::Step { .. } => false,
    }
}

impl<'a> Plan<'a> {
    /// Finds the form and calibrates it, for so many steps in a contact.
    pub fn new(case: &'a Case, engine: &'static Engine, steps: f64) -> Result<Self> {
        if case.conditions.external_force != 0.0 {
            return Err(Error::unsupported(
                "an external force in an export",
                "leave it out, and give the engine its gravity or load in its own terms",
            ));
        }
        let law = case.law()?;
        let asked = collide(&law, case.speed)?;
        let delivered = asked.restitution.newton;
        if !(asked.duration.is_finite() && delivered > 0.0) {
            return Err(Error::unsupported(
                "an export of an impact that does not rebound",
                "there is no restitution to deliver; ask for a restitution above 0 or less damping",
            ));
        }
        let Some(wanted) = Wanted::of(&law, case.speed) else {
            return Err(nearest::refusal(case, engine, delivered));
        };
        let by_distance =
            |a: &&Form, b: &&Form| wanted.distance(a).partial_cmp(&wanted.distance(b));
        let form = engine
            .forms
            .iter()
            .min_by(|a, b| by_distance(a, b).unwrap_or(std::cmp::Ordering::Equal));
        let Some(form) = form else {
            return Err(nearest::refusal(case, engine, delivered));
        };
        let same = wanted.is(form);
        let exit = match form.exits.contains(&wanted.exit) {
            true => wanted.exit,
            false => wanted.exit.other(),
        };
        let target = case.damping.restitution().unwrap_or(delivered);
        let effective = match same {
            true => Effective::same(&wanted, &law, exit),
            false => Effective::calibrated(&wanted, form, exit, target, &law, &asked)?,
        };
        let impact = collide(&effective.law, case.speed)?;
        let radius = case.pair.fact("radius").unwrap_or_else(|| {
            let ball = (0.75 * law.mass / (PI * DENSITY)).cbrt();
            ball.max(50.0 * impact.indentation_max)
        });
        Ok(Self {
            case,
            engine,
            form,
            law: effective.law,
            stiffness: effective.stiffness,
            exponent: effective.n,
            damping: effective.c,
            damper: effective.damper,
            step: impact.duration / steps,
            asked,
            impact,
            radius,
            wanted,
            same,
        })
    }

    /// m of the effective law; 0 where its damper is no power.
    pub(super) fn m(&self) -> f64 {
        match self.damper {
            Shape::Power { m, .. } => m,
            Shape::Step { .. } => 0.0,
        }
    }

    /// True where the engine cuts the force at zero.
    pub(super) fn cut(&self) -> bool {
        self.law.exit == Exit::ZeroForce
    }

    /// Dimensionless damping c·L^(m+1)·v₀^(q−2)/mₑ of the effective law.
    pub(super) fn epsilon(&self) -> f64 {
        self.law.power().map_or(0.0, |power| power.epsilon(self.law.mass, self.case.speed))
    }

    /// c/√(mₑK), the damping as a pure number on the line m = (n−1)/2, where it needs no length.
    pub(super) fn ratio(&self) -> f64 {
        self.damping / (self.law.mass * self.stiffness).sqrt()
    }

    /// E* of the point contact K = (4/3)·E*·√R.
    pub(super) fn modulus(&self) -> f64 {
        0.75 * self.stiffness / self.radius.sqrt()
    }

    /// Young's modulus of two equal bodies with this Poisson's ratio and that E*.
    pub(super) fn youngs(&self, poisson: f64) -> f64 {
        2.0 * (1.0 - poisson * poisson) * self.modulus()
    }

    /// What the export says of the effective law.
    pub(super) fn expresses(&self) -> Expresses {
        let (m, q, depth) = match self.damper {
            Shape::Power { m, q, .. } => (Some(m), Some(q), None),
            Shape::Step { depth } => (None, None, Some(depth)),
        };
        Expresses {
            form: self.form.name,
            equation: self.equation(),
            matches: match (self.same, self.exponent == self.wanted.n) {
                (true, _) => Match::Exact,
                (false, true) => Match::Damping,
                (false, false) => Match::Spring,
            },
            mass: self.law.mass,
            stiffness: self.stiffness,
            exponent: self.exponent,
            damping: self.damping,
            damping_exponent: m,
            rate_exponent: q,
            full_damping_depth: depth,
            exit: self.law.exit,
        }
    }

    fn equation(&self) -> String {
        let unit = Dimension::stiffness(self.exponent).to_string();
        let spring = format!("K*delta^{}", self.exponent);
        let stiffness = format(self.stiffness, &unit);
        if self.damping == 0.0 {
            return format!("{spring}, K = {stiffness}");
        }
        let unit = match self.damper {
            Shape::Power { m, q, .. } => Dimension::damping(m, q).to_string(),
            Shape::Step { .. } => "N*s/m".to_string(),
        };
        let damping = format(self.damping, &unit);
        format!("{spring} + {}, K = {stiffness}, c = {damping}", phrase(self.damper))
    }

    /// What the effective law delivers.
    pub(super) fn delivers(&self) -> Delivers {
        Delivers {
            requested: self.case.damping.restitution(),
            restitution: self.impact.restitution.newton,
            duration: self.impact.duration,
            force_max: self.impact.force_max,
            indentation_max: self.impact.indentation_max,
        }
    }

    /// What the engine cannot express.
    pub(super) fn lost(&self) -> Vec<String> {
        let mut lost = Vec::new();
        let wanted = &self.wanted;
        let forces = format!(
            "the peak force is {} instead of {}",
            format(self.impact.force_max, "N"),
            format(self.asked.force_max, "N")
        );
        if self.exponent != wanted.n {
            lost.push(format!(
                "the exponent {} of the spring becomes {}; K was chosen so that contact lasts as long; {forces}",
                wanted.n, self.exponent,
            ));
        }
        if wanted.c > 0.0 && self.damper != wanted.damper {
            // Said once.
            let forces = match lost.is_empty() {
                true => format!("; {forces}"),
                false => String::new(),
            };
            lost.push(format!(
                "the damper {} becomes {}; c was chosen so that the restitution is {:.6}{forces}",
                phrase(wanted.damper),
                phrase(self.damper),
                self.impact.restitution.newton,
            ));
        }
        if !self.same && wanted.c > 0.0 && self.law.exit != wanted.exit {
            lost.push(format!(
                "contact ends at zero {} instead of zero {}; c was chosen for that",
                self.law.exit.name(),
                wanted.exit.name()
            ));
        }
        lost.extend(self.at_other_speeds());
        lost
    }

    /// What changes at other speeds, where the law that was asked for behaves otherwise.
    fn at_other_speeds(&self) -> Option<String> {
        let steady = self.form.per_touch || velocity_free(self.exponent, self.damper);
        if self.wanted.c == 0.0 || steady == self.wanted.steady() {
            return None;
        }
        if steady {
            return Some(
                "a damping that is the same at every speed: the engine delivers this restitution at every speed"
                    .to_string(),
            );
        }
        let at = |speed: f64| {
            collide(&self.law, speed).map_or("none".to_string(), |impact| {
                format!("{:.4} at {}", impact.restitution.newton, format(speed, "m/s"))
            })
        };
        let (half, twice) = (at(0.5 * self.case.speed), at(2.0 * self.case.speed));
        Some(format!(
            "a restitution that is the same at every speed: c is fixed for {}, and delivers {half} and {twice}",
            format(self.case.speed, "m/s")
        ))
    }

    /// What is worth knowing about the law and about the effective one.
    pub(super) fn notes(&self) -> Vec<NoteReport> {
        let Ok(law) = self.case.law() else { return Vec::new() };
        let mut notes = Report::new(self.case, &law, self.asked.clone()).notes;
        // What the published formula misses is of no concern where the damping was chosen anew, nor is
        // a pull where there is none.
        let tensile =
            self.impact.notes.iter().map(NoteReport::from).any(|n| n.kind == "tensile_force");
        notes.retain(|note| match note.kind {
            "restitution_missed" | "other_exit" => self.same,
            "tensile_force" => tensile,
            _ => true,
        });
        notes
    }
}

/// A damper in plain letters.
fn phrase(damper: Shape) -> String {
    match damper {
        Shape::Step { depth } => format!("c*STEP(delta/{})*rate", format(depth, "m")),
        Shape::Power { m, q, phases } => {
            let depth = if m == 0.0 { String::new() } else { format!("*delta^{m}") };
            let rate = if q == 1.0 { "*rate".to_string() } else { format!("*rate^{q}") };
            let when = if phases == Phases::Both { "" } else { " in compression only" };
            format!("c{depth}{rate}{when}")
        }
    }
}

/// The numbers of an effective law.
struct Effective {
    law: Law,
    stiffness: f64,
    n: f64,
    c: f64,
    damper: Shape,
}

impl Effective {
    /// The law itself, its coefficient fixed.
    fn same(wanted: &Wanted, law: &Law, exit: Exit) -> Self {
        Self::new(wanted.stiffness, wanted.n, wanted.c, wanted.damper, law.mass, exit)
    }

    fn new(stiffness: f64, n: f64, c: f64, damper: Shape, mass: f64, exit: Exit) -> Self {
        let law = match damper {
            Shape::Power { m, q, phases } => {
                let power = Power::new(stiffness, n, m, q, Damper::Coefficient(c));
                Law::new(mass, exit, Power { phases, ..power })
            }
            Shape::Step { depth } => Law::new(
                mass,
                exit,
                SmoothStep {
                    stiffness,
                    elastic: Exponent::new(n),
                    depth,
                    calibration: Calibration::Coefficient(c),
                },
            ),
        };
        Self { law, stiffness, n, c, damper }
    }

    /// The form with the coefficient (and, for another exponent, the stiffness) that keeps what can
    /// be kept.
    fn calibrated(
        wanted: &Wanted,
        form: &Form,
        exit: Exit,
        target: f64,
        law: &Law,
        asked: &Impact,
    ) -> Result<Self> {
        let (mass, speed) = (law.mass, asked.speed);
        let n = form.n(wanted.n);
        let damper = wanted.damper_in(form, asked.indentation_max);
        match damper {
            Shape::Step { depth } => {
                let calibration = Calibration::Delivered { restitution: target, exit };
                let elastic = Exponent::new(n);
                let step = SmoothStep { stiffness: wanted.stiffness, elastic, depth, calibration };
                let c = Law::new(mass, exit, step).touch(speed).damping;
                if !c.is_finite() {
                    return Err(Error::unreachable(
                        target,
                        "no damper of this engine's form delivers it at this depth",
                        "ask for a higher restitution",
                    ));
                }
                Ok(Self::new(wanted.stiffness, n, c, damper, mass, exit))
            }
            Shape::Power { m, q, phases } => {
                let exponents = Exponents::new(n, m, q)?;
                let epsilon = match (wanted.c > 0.0, phases) {
                    (false, _) => 0.0,
                    (true, Phases::Both) => exact::epsilon(exponents, exit, target)?,
                    (true, Phases::Compression) => exact::compression_epsilon(exponents, target)?,
                };
                let outcome = match phases {
                    Phases::Both => exact::outcome(exponents, exit, epsilon)?,
                    Phases::Compression => exact::compression_outcome(exponents, epsilon)?,
                };
                let stiffness = match outcome {
                    Some(outcome) if n != wanted.n => {
                        let length = asked.duration * speed / outcome.duration;
                        mass * speed * speed * length.powf(-(n + 1.0))
                    }
                    _ => wanted.stiffness,
                };
                let power = Power::new(stiffness, n, m, q, Damper::Ratio(epsilon));
                let c = power.coefficient(mass, speed);
                Ok(Self::new(stiffness, n, c, damper, mass, exit))
            }
        }
    }
}
