//! The requested law, and the distance of an engine's forms from it.
//!
//! Forms are compared in the order of importance: the exponent n of the spring, the rate exponent and the phases of
//! the damper, its exponent m, whether the restitution keeps its value at other speeds, and finally the exit of
//! contact.

use super::engine::{Form, Viscous};
use crate::exact::Exponents;
use crate::law::{self, Damper, Exit, Law, Phases};
use crate::units::format;
use std::cmp::Ordering;

/// The damper of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// c·δᵐ·|δ̇|^q.
    Power {
        /// Damping exponent m.
        m: f64,
        /// Rate exponent q.
        q: f64,
        /// Phases in which the damper acts.
        phases: Phases,
    },
    /// c·STEP(δ/d)·δ̇.
    Step {
        /// Depth d over which the damper fades in (m).
        depth: f64,
    },
}

/// The requested law, by the properties with which forms are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) stiffness: f64,
    pub(super) n: f64,
    pub(super) c: f64,
    pub(super) damper: Shape,
    pub(super) exit: Exit,
    /// Whether the coefficient is computed at every touch from the approach speed.
    per_touch: bool,
}

impl Wanted {
    /// Returns the properties of a law; `None` if the law is not a spring with a damper.
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

    /// Returns whether the restitution is the same at every speed.
    pub(super) fn speed_independent(&self) -> bool {
        self.c == 0.0 || self.per_touch || velocity_free(self.n, self.damper)
    }

    /// Returns the form with the smallest distance; if several are equally near, the first.
    pub(super) fn nearest<'a>(&self, forms: &'a [Form]) -> Option<&'a Form> {
        let by_distance = |a: &&Form, b: &&Form| {
            self.distance(a).partial_cmp(&self.distance(b)).unwrap_or(Ordering::Equal)
        };
        forms.iter().min_by(by_distance)
    }

    /// Returns the distance of a form from this law, the most important differences first: exponent of the spring,
    /// rate exponent and phases of the damper, whether its damping exponent differs, whether the restitution depends
    /// on the speed in a different way, the difference of the damping exponents, the exit of contact.
    fn distance(&self, form: &Form) -> [f64; 6] {
        let n = form.n(self.n);
        let spring = (n - self.n).abs();
        if self.c == 0.0 {
            return [spring, 0.0, 0.0, 0.0, 0.0, 0.0];
        }
        // A damper that fades in over a depth is not a power of the indentation: it is further away than any power.
        const DISTANCE_OF_OTHER_SHAPE: f64 = 10.0;
        let (rate, indentation) = match self.damper {
            Shape::Power { m, q, phases } => {
                let rate = form.rate_exponent.map_or(0.0, |own| (own - q).abs());
                let other_phases = f64::from(!form.phases.contains(&phases));
                let indentation =
                    form.m(self.n, m).map_or(DISTANCE_OF_OTHER_SHAPE, |own| (own - m).abs());
                (rate + other_phases, indentation)
            }
            Shape::Step { .. } => {
                (0.0, if form.damping == Viscous::Step { 0.0 } else { DISTANCE_OF_OTHER_SHAPE })
            }
        };
        let damper = self.damper_in(form, 0.0);
        let speed_independent = form.per_touch || velocity_free(n, damper);
        // For m ≥ n force and indentation vanish at the same time.
        let exit_matters = match damper {
            Shape::Power { m, .. } => m < n,
            Shape::Step { .. } => true,
        };
        [
            spring,
            rate,
            f64::from(indentation > 0.0),
            f64::from(speed_independent != self.speed_independent()),
            indentation,
            f64::from(exit_matters && !form.exits.contains(&self.exit)),
        ]
    }

    /// Returns whether a form is identical to this law.
    pub(super) fn is_expressed_by(&self, form: &Form) -> bool {
        let [spring, rate, _, _, indentation, exit] = self.distance(form);
        spring + rate + indentation + exit == 0.0
    }

    /// Returns the damper of a form that replaces this one.
    pub(super) fn damper_in(&self, form: &Form, indentation_max: f64) -> Shape {
        let (m, q, phases) = match self.damper {
            Shape::Power { m, q, phases } => (m, q, phases),
            // A damper that fades in over the whole indentation is similar to δⁿ, one that fades in immediately to a
            // constant.
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
                phases: match form.phases.first() {
                    Some(first) if !form.phases.contains(&phases) => *first,
                    _ => phases,
                },
            },
        }
    }
}

/// Returns whether this damper delivers the same restitution at every speed.
pub(super) fn velocity_free(n: f64, damper: Shape) -> bool {
    match damper {
        Shape::Power { m, q, .. } => Exponents::new(n, m, q).is_ok_and(Exponents::is_velocity_free),
        Shape::Step { .. } => false,
    }
}

/// Returns a damper as an ASCII formula.
pub(super) fn ascii_formula(damper: Shape) -> String {
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
