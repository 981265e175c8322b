//! Fast evaluation in batches and sweeps: power laws with fixed exponents on prepared curves.
//!
//! The impact of a power law with fixed exponents depends only on ε ([`Curve`], accurate to 2e-11), so all of its
//! impacts can be interpolated on one curve. Exact calibrations use the same curve, for models whose calibration
//! agrees with `exact::epsilon` ([`calibrates_by_theory`]). The exponents for which curves are prepared are chosen
//! before the first case is computed, so that a result never depends on the preceding cases.

use super::output::EvaluatedCase;
use crate::error::Result;
use crate::exact::{self, Curve, Exponents};
use crate::impact::{Impact, collide_on, collide_under};
use crate::law::{Damper, Exit, Form, Law, Phases};
use crate::model::{Damping, Model};
use crate::spec::Case;

/// The exponents n, m and q as bit patterns, and whether the contact ends at zero force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CurveKey([u64; 3], bool);

impl CurveKey {
    /// Returns the key of a law, or `None` if there can be no curve for it.
    pub(crate) fn of(law: &Law) -> Option<Self> {
        let power = law.power().filter(|power| power.phases == Phases::Both)?;
        let exponents = [power.elastic.value(), power.damping.value(), power.rate.value()];
        Some(Self(exponents.map(f64::to_bits), law.exit == Exit::ZeroForce))
    }

    fn exponents(&self) -> Result<Exponents> {
        let [n, m, q] = self.0.map(f64::from_bits);
        Exponents::new(n, m, q)
    }

    fn exit(&self) -> Exit {
        if self.1 { Exit::ZeroForce } else { Exit::ZeroIndentation }
    }
}

/// Prepared curves.
#[derive(Default)]
pub(crate) struct Curves {
    /// The curves, sorted by their keys.
    curves: Vec<(CurveKey, Curve)>,
    /// Models whose exact calibration uses the curve.
    calibrated: Vec<&'static Model>,
    /// Whether all cases have the exponents of the only curve, so that no search is needed.
    same_exponents: bool,
}

impl Curves {
    /// Prepares curves for these exponents, and for the exact calibrations of these models.
    pub(crate) fn new(
        keys: impl IntoIterator<Item = CurveKey>,
        calibrated: impl IntoIterator<Item = &'static Model>,
    ) -> Self {
        let curve = |key: CurveKey| Some((key, Curve::new(key.exponents().ok()?, key.exit())));
        let mut curves: Vec<_> = keys.into_iter().filter_map(curve).collect();
        curves.sort_unstable_by_key(|(key, _)| *key);
        Self { curves, calibrated: calibrated.into_iter().collect(), same_exponents: false }
    }

    /// Prepares the curve of cases that all have the same exponents.
    pub(crate) fn for_all(key: Option<CurveKey>, calibrated: Option<&'static Model>) -> Self {
        Self { same_exponents: true, ..Self::new(key, calibrated) }
    }

    #[inline]
    fn find(&self, law: &Law) -> Option<&Curve> {
        let place = match self.same_exponents {
            true => 0,
            false => {
                let key = CurveKey::of(law)?;
                self.curves.binary_search_by_key(&key, |(key, _)| *key).ok()?
            }
        };
        self.curves.get(place).map(|(_, curve)| curve)
    }

    /// Computes the impact, on a curve if there is one.
    pub(crate) fn collide(&self, case: &Case) -> Result<EvaluatedCase> {
        self.run(case, |law, impact| (case.model, *law, impact))
    }

    /// Computes the impact, on a curve if there is one; `keep` selects what is needed of the law and the impact.
    #[inline]
    pub(crate) fn run<T>(&self, case: &Case, keep: impl FnOnce(&Law, Impact) -> T) -> Result<T> {
        let without_curve = |law: &Law| collide_under(law, case.speed, &case.conditions);
        if case.conditions.external_force != 0.0 || self.curves.is_empty() {
            let law = case.law()?;
            return Ok(keep(&law, without_curve(&law)?));
        }
        let exact = match case.damping {
            Damping::Exact(e) if self.calibrated.iter().any(|it| std::ptr::eq(*it, case.model)) => {
                Some(e)
            }
            _ => None,
        };
        let mut law = match exact {
            Some(_) => elastic(case)?,
            None => case.law()?,
        };
        let Some(curve) = self.find(&law) else {
            let law = if exact.is_some() { case.law()? } else { law };
            return Ok(keep(&law, without_curve(&law)?));
        };
        if let (Some(e), Form::Power(power)) = (exact, &mut law.form) {
            power.damper = Damper::Ratio(curve.epsilon(e)?);
        }
        let impact = collide_on(curve, &law, case.speed)?;
        Ok(keep(&law, impact))
    }
}

/// Returns the law of a case for an exact restitution of 1. It has the exponents of the law but needs no search for
/// ε.
pub(crate) fn elastic(case: &Case) -> Result<Law> {
    case.model.law(&case.pair, Damping::Exact(1.0), case.exit, &case.set)
}

/// Returns whether the model calibrates this case by the theory of power laws, with exponents that do not depend on
/// the restitution.
pub(crate) fn calibrates_by_theory(case: &Case) -> bool {
    let damped = case.model.law(&case.pair, Damping::Exact(0.5), case.exit, &case.set);
    let (Ok(elastic), Ok(damped)) = (elastic(case), damped) else { return false };
    let (Some(a), Some(b)) = (CurveKey::of(&elastic), CurveKey::of(&damped)) else { return false };
    let Some(Damper::Ratio(epsilon)) = damped.power().map(|power| power.damper) else {
        return false;
    };
    let theory = b.exponents().and_then(|exponents| exact::epsilon(exponents, b.exit(), 0.5));
    a == b && theory.is_ok_and(|theory| (theory / epsilon - 1.0).abs() < 1e-12)
}
