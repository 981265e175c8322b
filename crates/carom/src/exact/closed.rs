//! Exact relations in closed form: Hunt–Crossley laws (m = n, q = 1) and linear-equivalent laws (m = (n−1)/2, q = 1),
//! damped in both phases or in compression only.
//!
//! **m = n, q = 1.** Separation of the variables, v dv/(1+εv) = −xⁿ dx, and equality of both phases give ε(1+e) =
//! ln[(1+ε)/(1−εe)] for every n. With s = ε(1+e) it is explicit in both directions,
//!
//! e = [1−(1+s)e⁻ˢ]/[s−1+e⁻ˢ],  ε = [s−1+e⁻ˢ]/[1−e⁻ˢ],
//!
//! so that a Newton iteration for s inverts it. Damped in compression only: e = √(2[ε − ln(1+ε)])/ε.
//!
//! **m = (n−1)/2, q = 1.** As a function of τ with dτ = x^((n−1)/2) dt, y = x^((n+1)/2) is a linear oscillator with
//! the damping ratio ζ = ε/√(2(n+1)). If contact ends at zero indentation, ln e = −πζ/√(1−ζ²); at zero force, ln e =
//! −2ζh(ζ); with damping in compression only, ln e = −ζh(ζ). Here h(ζ) = arccos ζ/√(1−ζ²), continued as arcosh
//! ζ/√(ζ²−1) for ζ > 1.

use std::f64::consts::PI;

/// Computes [1−(1+s)e⁻ˢ]/s², [s−1+e⁻ˢ]/s² and 1−e⁻ˢ without cancellation.
fn hunt_crossley_terms(s: f64) -> (f64, f64, f64) {
    if s > 1.0 {
        let decay = (-s).exp();
        let inverse = 1.0 / (s * s);
        return ((1.0 - (1.0 + s) * decay) * inverse, (s - 1.0 + decay) * inverse, 1.0 - decay);
    }
    // Series Σ (−s)ᵏ(k+1)/(k+2)! and Σ (−s)ᵏ/(k+2)!.
    let (mut a, mut b) = (0.0, 0.0);
    for k in (0..SERIES_TERMS).rev() {
        a = a * -s + INVERSE_FACTORIALS[k] * (k + 1) as f64;
        b = b * -s + INVERSE_FACTORIALS[k];
    }
    (a, b, s - s * s * b)
}

/// Number of terms of the series for s ≤ 1; the next term would be 2e-18.
const SERIES_TERMS: usize = 16;

/// Coefficients 1/(k+2)!.
const INVERSE_FACTORIALS: [f64; SERIES_TERMS] = {
    let mut out = [0.5; SERIES_TERMS];
    let mut k = 1;
    while k < SERIES_TERMS {
        out[k] = out[k - 1] / (k + 2) as f64;
        k += 1;
    }
    out
};

/// Computes the ε with which a Hunt–Crossley law (m = n, q = 1) delivers `e` in (0, 1].
///
/// ```
/// // 0.5 needs 1.43275…, not the 0.75 of the original formula.
/// assert!((carom::exact::hunt_crossley(0.5) - 1.43275053327137502805).abs() < 1e-14);
/// ```
pub fn hunt_crossley(e: f64) -> f64 {
    let p = 1.0 - e;
    if p < 1e-4 {
        // Series ε = (3/2)p + (3/2)p² + (27/20)p³ + (6/5)p⁴ + ….
        return p.max(0.0) * (1.5 + p * (1.5 + p * (1.35 + p * 1.2)));
    }
    if e < 0.02 {
        // Here 1 − εe = (1 + 1/e)·exp(−1 − 1/e) is less than 4e-21.
        return 1.0 / e;
    }
    // The unknown is s = ε(1+e); the start has a relative error of about two parts in a thousand.
    let start = match e < 0.08 {
        true => 1.0 + 1.0 / e,
        false => {
            p * (1.0 + e) / e
                * START_COEFFICIENTS.iter().rev().fold(0.0, |sum, term| sum * e + term)
        }
    };
    // Halley's iteration: the second derivative needs no further evaluation, and the error after a step is of the
    // order of the cube of the change.
    let s = iterate(start, 3e-6, |s| {
        let (a, b, grown) = hunt_crossley_terms(s);
        let slope = s * (1.0 - grown) - e * grown;
        let newton = s * s * (a - e * b) / slope;
        let bend = 0.5 * (1.0 - grown) * (1.0 - s - e) / slope;
        newton / (1.0 - newton * bend)
    });
    s / (1.0 + e)
}

/// Subtracts changes from a positive number until the change is below `tolerance` times the number. Beyond a maximum
/// of the residual a change may be too large; the number is therefore kept positive.
#[inline]
fn iterate(start: f64, tolerance: f64, change: impl Fn(f64) -> f64) -> f64 {
    let mut x = start;
    for _ in 0..60 {
        let change = change(x);
        x = (x - change).max(0.1 * x);
        if change.abs() <= tolerance * x {
            break;
        }
    }
    x
}

/// Coefficients of s·e/(1 − e²) as a polynomial in e, the start of the iteration for s; fitted to the exact values.
const START_COEFFICIENTS: [f64; 6] = [0.97152, 1.4835, -0.64497, -2.1604, 3.0095, -1.1598];

/// Computes the restitution e of a Hunt–Crossley law (m = n, q = 1).
///
/// ```
/// assert!((carom::exact::hunt_crossley_restitution(0.75) - 0.6629622).abs() < 1e-7);
/// ```
pub fn hunt_crossley_restitution(epsilon: f64) -> f64 {
    if epsilon <= 0.0 {
        return 1.0;
    }
    // Solves ε = s²B/(1−e⁻ˢ) for s, which is between 2ε (weak damping) and 1+ε (strong damping).
    let start = if epsilon < 0.7 { 2.0 * epsilon * (1.0 - epsilon / 3.0) } else { 1.0 + epsilon };
    let s = iterate(start, 2e-16, |s| {
        let (_, b, grown) = hunt_crossley_terms(s);
        let value = s * s * b / grown;
        (value - epsilon) / (1.0 - value * (1.0 - grown) / grown)
    });
    let (a, b, _) = hunt_crossley_terms(s);
    a / b
}

/// Computes h(ζ) = arccos ζ/√(1−ζ²) and its continuation beyond ζ = 1.
fn arc_ratio(zeta: f64) -> f64 {
    let u = 1.0 - zeta;
    if u.abs() < 0.1 {
        let (mut sum, mut term) = (1.0, 1.0);
        for k in 0..18 {
            term *= u * (k + 1) as f64 / (2 * k + 3) as f64;
            sum += term;
        }
        return sum;
    }
    match zeta < 1.0 {
        true => zeta.acos() / (u * (1.0 + zeta)).sqrt(),
        false => zeta.acosh() / (-u * (1.0 + zeta)).sqrt(),
    }
}

/// Computes the ζ with ζ·h(ζ) = `target`, for target ≥ 0.
fn inverse_arc_ratio(target: f64) -> f64 {
    // For weak damping ζ·h ≈ ζ·π/2; for strong damping ζ·h ≈ ln(2ζ), hence ζ ≈ e^target/2.
    let start = if target < 1.0 { target / (0.5 * PI - 0.57 * target) } else { 0.5 * target.exp() };
    iterate(start, 4e-16, |zeta| {
        let h = arc_ratio(zeta);
        // (ζh)′ = (h − ζ)/(1−ζ²), which is 2/3 at ζ = 1.
        let slope = match (zeta - 1.0).abs() < 1e-4 {
            true => 2.0 / 3.0,
            false => (h - zeta) / (1.0 - zeta * zeta),
        };
        (zeta * h - target) / slope
    })
}

/// Computes the damping ratio ζ with which a linear-equivalent law delivers `e` if contact ends at zero indentation.
pub fn damping_ratio_zero_indentation(e: f64) -> f64 {
    let loss = -e.ln();
    loss / (PI * PI + loss * loss).sqrt()
}

/// Computes the damping ratio ζ with which a linear-equivalent law delivers `e` if contact ends at zero force.
pub fn damping_ratio_zero_force(e: f64) -> f64 {
    inverse_arc_ratio(-0.5 * e.ln())
}

/// Computes the damping ratio ζ with which a linear-equivalent law that is damped in compression only delivers `e`.
pub fn damping_ratio_compression(e: f64) -> f64 {
    inverse_arc_ratio(-e.ln())
}

/// Computes ε of a Hunt–Crossley law that is damped in compression only, as the inverse of e = √(2[ε − ln(1+ε)])/ε.
pub(super) fn hunt_crossley_compression(e: f64) -> f64 {
    // y = 2[ε − ln(1+ε)]/ε² decreases from 1, as 1 − 2ε/3 for small ε and as 2/ε for large ε.
    let y = e * e;
    let start = if y > 0.6 { 1.5 * (1.0 - y) * (1.0 + 0.6 * (1.0 - y)) } else { 2.0 / y };
    iterate(start, 4e-16, |epsilon| {
        let value = 2.0 * epsilon_minus_ln_1p(epsilon) / (epsilon * epsilon);
        // The slope is d(value)/dε = 2/(ε(1+ε)) − 2·value/ε.
        let slope = 2.0 / (epsilon * (1.0 + epsilon)) - 2.0 * value / epsilon;
        (value - y) / slope
    })
}

/// Computes ε − ln(1+ε) without cancellation.
fn epsilon_minus_ln_1p(epsilon: f64) -> f64 {
    if epsilon > 0.1 {
        return epsilon - epsilon.ln_1p();
    }
    let (mut sum, mut power) = (0.0, epsilon);
    for k in 2..22 {
        power *= -epsilon;
        sum -= power / k as f64;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs (e, ε) of the exact Hunt–Crossley relation, computed with 80 digits.
    const REFERENCE: [(f64, f64); 14] = [
        (0.01, 100.0),
        (0.05, 19.9999996815323603646),
        (0.1, 9.99815939749566781786),
        (0.2, 4.91916671579078650872),
        (0.3, 3.08708198112962423755),
        (0.4, 2.08249816414700698138),
        (0.5, 1.43275053327137502805),
        (0.6, 0.974871710813265287282),
        (0.7, 0.634828281266416742716),
        (0.8, 0.373146203365053667923),
        (0.9, 0.166481950685308104887),
        (0.95, 0.0789266052874152312202),
        (0.99, 0.0151513621094410051305),
        (0.999, 0.00150150135120108528952),
    ];

    #[test]
    fn the_hunt_crossley_relation_matches_its_reference_values() {
        for (e, epsilon) in REFERENCE {
            let computed = hunt_crossley(e);
            // Near e = 1 the rounding of e itself dominates the error.
            let tolerance = 1e-14 + 4e-16 / (1.0 - e);
            assert!((computed / epsilon - 1.0).abs() < tolerance, "{e}: {computed} {epsilon}");
            let back = hunt_crossley_restitution(epsilon);
            assert!((back / e - 1.0).abs() < 1e-14, "{e}: back {back}");
        }
    }

    #[test]
    fn the_ends_of_the_hunt_crossley_relation_are_its_asymptotes() {
        for e in [1e-300, 1e-155, 1e-9, 0.019] {
            assert!((hunt_crossley(e) * e - 1.0).abs() < 1e-15, "{e:e}");
        }
        for p in [1e-16, 1e-12, 1e-8] {
            let e: f64 = 1.0 - p;
            assert!((hunt_crossley(e) / (1.5 * (1.0 - e)) - 1.0).abs() < 2.0 * p + 1e-15, "{p}");
        }
        let (below, above) = (hunt_crossley(0.0199999999), hunt_crossley(0.02));
        assert!((below / above - 1.0).abs() < 1e-8);
    }

    #[test]
    fn every_closed_form_inverts_over_the_whole_range() {
        for i in 1..4000 {
            let e = 1e-3f64.powf(i as f64 / 4000.0);
            assert!((hunt_crossley_restitution(hunt_crossley(e)) / e - 1.0).abs() < 1e-12, "{e}");
            for (zeta, factor) in
                [(damping_ratio_zero_force(e), 2.0), (damping_ratio_compression(e), 1.0)]
            {
                let back = (-factor * zeta * arc_ratio(zeta)).exp();
                assert!((back / e - 1.0).abs() < 1e-12, "{e} {zeta} {back}");
            }
            let epsilon = hunt_crossley_compression(e);
            let back = (2.0 * epsilon_minus_ln_1p(epsilon)).sqrt() / epsilon;
            assert!((back / e - 1.0).abs() < 1e-12, "{e} {epsilon} {back}");
        }
    }
}
