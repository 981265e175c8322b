//! Differentiable impacts: derivatives of restitution, duration and peak values with respect to quantities of the
//! description.
//!
//! The derivatives are exact derivatives of the solution instead of differences between two solutions: the
//! variational equations are integrated along the motion (`fit/sensitivity.rs`), the shift of the end of contact
//! follows from them (`fit/ending.rs`), and the law is differentiated with dual numbers. Finite differences are used
//! only for the numbers of the law (a damping that follows from a restitution, a stiffness that follows from a
//! radius), because they are computed from the description by formulas and searches.

use super::impact_numbers::ImpactNumbers;
use super::slopes::{ChangedLaw, Variation};
use super::subject::DIFFERENCE_STEP;
use crate::batch::Batch;
use crate::error::{Error, Result};
use crate::law::Law;
use crate::spec::Case;

/// Results of an impact and their derivatives.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Gradient {
    /// Results in the order of [`GRADIENT_OUTPUTS`](super::GRADIENT_OUTPUTS). A contact that never ends has the
    /// restitution 0 and an infinite duration.
    pub values: [f64; 4],
    /// Derivatives with respect to each requested quantity, in SI units; NaN for an infinite duration.
    pub by: Vec<[f64; 4]>,
}

/// Computes the results of the impact of one row of a batch, and their derivatives with respect to some of the
/// quantities that vary: `by` contains their indices among the names of the batch.
///
/// If a quantity is at the limit of its range (a restitution of 1), the derivative is one-sided. If a result has a
/// kink at the point (a plastic law at its yield speed), the derivative is that of the side on which the motion lies.
///
/// ```
/// use carom::batch::Batch;
/// use carom::fit::gradient;
/// use carom::spec::Spec;
/// let spec = Spec { law: "hertz-1881".into(), mass: Some(0.54.into()), ..Spec::default() };
/// let batch = Batch::new(&spec, &["stiffness", "speed"], 1)?;
/// let found = gradient(&batch, &[2.4144e10, 0.5], &[0, 1])?;
/// // Hertz: the duration goes as K^(-2/5) v^(-1/5).
/// let [_, duration, ..] = found.values;
/// assert!((found.by[0][1] * 2.4144e10 / duration + 0.4).abs() < 1e-8);
/// assert!((found.by[1][1] * 0.5 / duration + 0.2).abs() < 1e-8);
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Errors
/// When the row does not describe an impact, and when a quantity with a unit is 0, because there is no scale for its
/// increment.
pub fn gradient(batch: &Batch, values: &[f64], by: &[usize]) -> Result<Gradient> {
    let case = batch.case(values)?;
    let law = case.law()?;
    let variations =
        by.iter().map(|&index| variation(batch, values, index)).collect::<Result<Vec<_>>>()?;
    let found = ImpactNumbers::new(&law, case.speed, &case.conditions, &variations)?;
    let mut gradient = Gradient { values: found.values, by: found.by };
    if !found.separated {
        gradient.values[1] = f64::INFINITY;
        gradient.by.iter_mut().for_each(|slopes| slopes[1] = f64::NAN);
    }
    Ok(gradient)
}

/// Returns the law with one quantity changed in both directions, and the derivatives of speed, mass and external
/// force with respect to it.
fn variation(batch: &Batch, values: &[f64], index: usize) -> Result<Variation> {
    let here = values.get(index).copied().unwrap_or(f64::NAN);
    let step = match here {
        0.0 if batch.needs_scale(index) => {
            let advice = "a derivative there has no scale for a change of the law: give a small number instead of 0";
            return Err(Error::invalid(batch.name(index), here, "another number than 0", advice));
        }
        0.0 => DIFFERENCE_STEP,
        _ => DIFFERENCE_STEP * here.abs(),
    };
    let moved = |step: f64| -> Result<(Case, Law)> {
        let mut values = values.to_vec();
        if let Some(value) = values.get_mut(index) {
            *value += step;
        }
        let case = batch.case(&values)?;
        let law = case.law()?;
        Ok((case, law))
    };
    let (plus, minus) = (moved(step), moved(-step));
    if let (Err(error), Err(_)) = (&plus, &minus) {
        return Err(error.clone());
    }
    let (plus, minus) = (plus.ok(), minus.ok());
    let unmoved = batch.case(values)?;
    let width = step * [&plus, &minus].into_iter().flatten().count() as f64;
    let slope = |of: fn(&Case) -> f64| {
        let at = |side: &Option<(Case, Law)>| of(side.as_ref().map_or(&unmoved, |(case, _)| case));
        (at(&plus) - at(&minus)) / width
    };
    let (speed, mass) = (slope(|case| case.speed), slope(|case| case.pair.mass));
    let external = slope(|case| case.conditions.external_force);
    let changed = |side: Option<(Case, Law)>| {
        side.map(|(case, law)| ChangedLaw { law, touch: law.touch(case.speed) })
    };
    Ok(Variation { plus: changed(plus), minus: changed(minus), step, speed, mass, external })
}
