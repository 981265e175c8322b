//! Sect. 5.5: five claims of the review about the parameters of Xiong's law.
//!
//! Mass, stiffness and impact speed are 1 and λ = 3/2, so that lengths, times and forces are those of the elastic impact; γ, b₁ and
//! b₂ are then pure numbers.

use crate::papers::Reproduction;
use carom::impact::{Conditions, Trajectory};
use carom::{Damping, Pair, Result, model};

const SECTION: &str = "Sect. 5.5 (Xiong)";
const POINTS: usize = 2000;

/// Properties of a force–indentation curve.
struct Curve {
    restitution: f64,
    /// Indentation at the end of the force over the largest indentation.
    residual: f64,
    /// Force divided by δ^λ at a very small indentation.
    first_stiffness: f64,
    /// Indentation at the largest force, divided by the largest indentation; 1 means a pointed curve.
    peak: f64,
    /// Area of the loop divided by that of its bounding rectangle.
    area: f64,
}

fn curve(gamma: f64, b1: f64, b2: f64) -> Result<Curve> {
    let set =
        [("relaxation", gamma), ("b1", b1), ("b2", b2)].map(|(name, x)| (name.to_string(), x));
    let law = model("xiong-2014")?.law(&Pair::new(1.0, 1.0, 1.5)?, Damping::None, None, &set)?;
    let trajectory = Trajectory::new(&law, 1.0, &Conditions::default(), POINTS)?;
    let deepest = trajectory.indentation.iter().copied().fold(0.0, f64::max);
    let force_max = trajectory.force.iter().copied().fold(0.0, f64::max);
    let points = || trajectory.indentation.iter().copied().zip(trajectory.force.iter().copied());
    let peak = points().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(f64::NAN, |point| point.0);
    let area: f64 = points()
        .zip(points().skip(1))
        .map(|((x0, f0), (x1, f1))| 0.5 * (f0 + f1) * (x1 - x0))
        .sum();
    let small = 1e-6f64;
    let touch = law.touch(1.0);
    Ok(Curve {
        restitution: -trajectory.rate.last().copied().unwrap_or(f64::NAN),
        residual: trajectory.indentation.last().copied().unwrap_or(f64::NAN) / deepest,
        first_stiffness: law.force(small, 1.0, &touch) / small.powf(1.5),
        peak: peak / deepest,
        area: area / (force_max * deepest),
    })
}

/// Computes curves for several values of one parameter.
fn family(values: &[f64], of: impl Fn(f64) -> Result<Curve>) -> Result<Vec<Curve>> {
    values.iter().map(|&value| of(value)).collect()
}

fn three_decimals(curves: &[Curve], number: fn(&Curve) -> f64) -> String {
    curves.iter().map(|curve| format!("{:.3}", number(curve))).collect::<Vec<_>>().join(", ")
}

/// Adds the five statements.
pub fn claims(out: &mut Reproduction) -> Result<()> {
    let first = family(&[0.05, 0.1, 0.2, 0.5, 1.0], |b1| curve(10.0, b1, 0.0))?;
    let second = family(&[0.0, 0.1, 0.2, 0.5, 1.0], |b2| curve(10.0, 0.1, b2))?;
    let rates = family(&[0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0], |g| curve(g, 0.1, 0.1))?;
    let rising = first.windows(2).all(|two| two[1].residual > two[0].residual);
    // With γ = 10 the initial stiffness is 1 + 10·b₁ = 2 for all curves of the second family.
    let alone = second.iter().all(|curve| (curve.first_stiffness - 2.0).abs() < 1e-3);
    out.claim(
        SECTION,
        "b₁ sets the residual indentation and how steeply the force begins",
        rising && alone,
        format!(
            "γ = 10, b₁ = 0.05 to 1: residual over largest indentation {}, F/Kδ^λ at touch {} = 1 + γb₁; b₂ = 0 to 1 \
             (b₁ = 0.1): {} and {}",
            three_decimals(&first, |c| c.residual),
            three_decimals(&first, |c| c.first_stiffness),
            three_decimals(&second, |c| c.residual),
            three_decimals(&second, |c| c.first_stiffness)
        ),
    );
    out.claim(
        SECTION,
        "b₂ rounds the force–indentation curve",
        second.is_sorted_by(|a, b| a.peak > b.peak),
        format!(
            "γ = 10, b₁ = 0.1, b₂ = 0 to 1: the force is largest at {} of the largest indentation",
            three_decimals(&second, |c| c.peak)
        ),
    );
    out.claim(
        SECTION,
        "γ changes the whole shape of the curve",
        rates.windows(2).all(|two| two[1].area > two[0].area),
        format!(
            "b₁ = b₂ = 0.1, γ = 0.1 to 300: area of the loop over the rectangle around it {}",
            three_decimals(&rates, |c| c.area)
        ),
    );
    let wide_first = family(&[0.1, 1.0, 3.0, 10.0, 100.0], |b1| curve(3.2, b1, 0.0))?;
    let wide_second = family(&[0.1, 1.0, 10.0, 100.0], |b2| curve(10.0, 0.1, b2))?;
    out.claim(
        SECTION,
        "the restitution falls as b₁ and b₂ grow",
        wide_first.is_sorted_by(|a, b| a.restitution > b.restitution) && wide_second.is_sorted_by(|a, b| a.restitution > b.restitution),
        format!(
            "it has a least value: γ = 3.2, b₁ = 0.1, 1, 3, 10, 100: {}; γ = 10, b₂ = 0.1, 1, 10, 100: {}. A very \
             strong damper makes the contact stiff, and it is over before the state has moved",
            three_decimals(&wide_first, |c| c.restitution),
            three_decimals(&wide_second, |c| c.restitution)
        ),
    );
    let settled =
        matches!(rates.as_slice(), [.., a, b] if (a.restitution - b.restitution).abs() < 1e-3);
    out.claim(
        SECTION,
        "the restitution falls as γ grows and then hardly depends on it",
        rates.is_sorted_by(|a, b| a.restitution > b.restitution) && settled,
        format!("b₁ = b₂ = 0.1, γ = 0.1 to 300: {}", three_decimals(&rates, |c| c.restitution)),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_those_of_an_independent_integration() {
        // γ, b₁, b₂; restitution, residual, peak, area (SciPy, LSODA).
        for (gamma, b1, b2, expected) in [
            (10.0, 0.1, 0.1, [0.7942, 0.1594, 0.9849, 0.1722]),
            (3.2, 3.0, 0.0, [0.2683, 0.8389, 0.8961, 0.5211]),
            (3.2, 100.0, 0.0, [0.6251, 0.5574, 0.9837, 0.2786]),
        ] {
            let found = curve(gamma, b1, b2).unwrap();
            let found = [found.restitution, found.residual, found.peak, found.area];
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1.5e-3, "{gamma} {b1} {b2}: {found:?}");
            }
        }
    }
}
