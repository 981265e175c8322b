//! Fig. 7: the effect of m and q on force and indentation, and the claims about it.

use super::printed::{FIG_7, PAIRS};
use super::{damping, stiffness, system};
use crate::figure::{Axis, Figure, Panel, Series, finite_bounds, force_loop, two_per_row};
use crate::papers::{Reproduction, complex, outcome};
use carom::exact::{self, Exponents, Outcome};
use carom::{Exit, Result};

/// An impact of Eq. 35 in two systems of units.
struct Impact {
    /// Results in units of L and mₑv₀²/L, which do not depend on m and q.
    plain: Outcome,
    /// Peak indentation and force in units of δ_max (Eq. 31).
    scaled: (f64, f64),
    /// Dimensionless damping ε.
    epsilon: f64,
}

fn impact(n: f64, m: f64, q: f64, e: f64) -> Result<Impact> {
    let (k, lambda) = (stiffness(n, q, e), damping(m, q, e));
    // δ_max of Eq. 31 in units of L is k^(1/(n+1)).
    let unit = k.powf(1.0 / (n + 1.0));
    let epsilon = lambda * unit.powf(-(m + 1.0));
    let plain = outcome(n, m, q, epsilon)?;
    let scaled = (plain.indentation_max / unit, plain.force_max * unit);
    Ok(Impact { plain, scaled, epsilon })
}

/// Adds seven panels, one for the complex power, the numbers, and the claims.
pub fn figure(out: &mut Reproduction) -> Result<()> {
    let mut panels = Vec::new();
    let mut rows = Vec::new();
    for (letter, n, e, pairs) in FIG_7 {
        let mut series = Vec::new();
        for (style, (m, q)) in pairs.into_iter().enumerate() {
            let points = force_loop(&system(n, m, q, e), 1.0, 400)?;
            series.push(Series::through(format!("m = {m}, q = {q:.1}"), points, style));
            let found = impact(n, m, q, e)?;
            rows.push(vec![
                letter.to_string(),
                n.to_string(),
                e.to_string(),
                m.to_string(),
                format!("{q:.1}"),
                format!("{:.5}", found.scaled.0),
                format!("{:.5}", found.scaled.1),
                format!("{:.5}", found.plain.indentation_max),
                format!("{:.5}", found.plain.force_max),
                format!("{:.5}", found.plain.restitution),
            ]);
        }
        panels.push(panel(format!("({letter}) n = {n}, e = {e}"), series));
    }
    panels
        .push(panel("(a) again, with complex powers in restitution".to_string(), complex_loops()?));
    let title = "Fig. 7, computed with Eq. 35. x and f in the paper's units, δ_max (Eq. 31) and mₑv₀²/δ_max, \
         which change with q; X and F in units of L = (mₑv₀²/K)^(1/(n+1)) and mₑv₀²/L, which do not";
    let columns = "panel | n | e | m | q | x max | f max | X max | F max | e delivered";
    out.table(title, columns, rows);
    out.draw(
        "zhang-2022-fig-7",
        "Fig. 7: force over indentation, in the paper's units. The last panel shows what a complex \
         power makes of the restitution branches of (a): the less damping, the farther q is from 1.",
        Figure::new(
            "Zhang et al. 2022, Fig. 7: what the exponents do",
            "x = δ/δ_max, force over mₑv₀²/δ_max, δ_max of Eq. 31; damping by Eq. 35.",
            two_per_row(&panels),
        ),
    );
    claims(out)
}

fn panel(title: String, series: Vec<Series>) -> Panel {
    Panel::curves(title, Axis::new("x", ""), Axis::new("force", ""), series)
}

/// Computes Fig. 7 (a) with the negative rate raised to a complex power; the real parts are drawn.
fn complex_loops() -> Result<Vec<Series>> {
    let [(_, n, e, pairs), ..] = FIG_7;
    let mut series = Vec::new();
    for (style, (m, q)) in pairs.into_iter().enumerate() {
        let found = impact(n, m, q, e)?;
        let unit = found.scaled.0 / found.plain.indentation_max;
        let mut points = force_loop(&system(n, m, q, e), 1.0, 400)?;
        let turn =
            points.iter().enumerate().max_by(|a, b| a.1.0.total_cmp(&b.1.0)).map_or(0, |(i, _)| i);
        points.truncate(turn + 1);
        let mut delivered = f64::NAN;
        if let Some(end) = complex::impact(Exponents::new(n, m, q)?, found.epsilon)? {
            points.extend(end.unloading.into_iter().map(|(x, force)| (unit * x, force / unit)));
            delivered = end.restitution;
        }
        series.push(Series::through(format!("q = {q:.1}: |e| = {delivered:.3}"), points, style));
    }
    Ok(series)
}

/// Computes peak forces with the exact damping for a restitution, for m = n = 3/2 and several q.
fn exact_forces(e: f64) -> Result<Vec<(f64, f64, f64)>> {
    let mut found = Vec::new();
    for q in [0.6, 0.9, 1.0, 1.1, 1.5] {
        let exponents = Exponents::new(1.5, 1.5, q)?;
        let epsilon = exact::epsilon(exponents, Exit::ZeroIndentation, e)?;
        let impact = outcome(1.5, 1.5, q, epsilon)?;
        found.push((q, impact.force_max, impact.indentation_max));
    }
    Ok(found)
}

/// Computes peak forces for these pairs (m, q), in units that do not depend on them.
fn peak_forces(n: f64, e: f64, pairs: &[(f64, f64)]) -> Result<Vec<f64>> {
    pairs.iter().map(|&(m, q)| Ok(impact(n, m, q, e)?.plain.force_max)).collect()
}

fn claims(out: &mut Reproduction) -> Result<()> {
    let [(_, n, e, rates), (_, _, _, powers), ..] = FIG_7;
    let by_m = peak_forces(n, e, &powers)?;
    let evidence = format!("F max for m = 0.8 to 2.2: {}", three_decimals(&by_m));
    out.claim(
        "Sect. 3.4, Fig. 7 (b)",
        "a smaller m gives a larger force",
        by_m.is_sorted_by(|a, b| a > b),
        evidence.clone(),
    );
    out.claim(
        "Sect. 4",
        "a larger m gives a larger force",
        by_m.is_sorted_by(|a, b| a < b),
        evidence,
    );
    let by_q = peak_forces(n, e, &rates)?;
    let evidence = format!("at e = 0.6, F max for q = 0.6 to 1.5: {}", three_decimals(&by_q));
    out.claim(
        "Sect. 3.4, Fig. 7 (a)",
        "a smaller q gives a larger force (e = 0.6)",
        by_q.is_sorted_by(|a, b| a > b),
        evidence,
    );
    let by_n = [1.0, 1.5, 2.0].map(|n| Ok(impact(n, n, 1.0, 0.6)?.plain.force_max));
    let by_n = by_n.into_iter().collect::<Result<Vec<_>>>()?;
    let evidence = format!("F max for m = n = 1, 1.5, 2, q = 1: {}", three_decimals(&by_n));
    out.claim(
        "Sect. 3.4, Fig. 7 (d), (e)",
        "a larger n gives a larger force",
        by_n.is_sorted_by(|a, b| a < b),
        evidence,
    );
    let mut spreads = Vec::new();
    for e in [0.9, 0.6, 0.3] {
        let (low, high) = finite_bounds(peak_forces(1.5, e, &PAIRS)?.into_iter());
        spreads.push(100.0 * (high - low) / low);
    }
    out.claim(
        "Sect. 3.4, Fig. 7 (c), (f), (g)",
        "the smaller e, the more m and q matter to the force",
        spreads.is_sorted_by(|a, b| a < b),
        format!("spread of F max in % at e = 0.9, 0.6, 0.3: {}", three_decimals(&spreads)),
    );
    force_over_rate(out)?;
    indentation(out)
}

/// Adds the claim "a larger m and a smaller q correspond to a larger force", which is stated without restrictions.
fn force_over_rate(out: &mut Reproduction) -> Result<()> {
    // The paper's own parameters come first: Fig. 7 (g), in units that do not change with q.
    let [low, high] = [impact(1.5, 1.8, 0.9, 0.3)?, impact(1.5, 1.8, 1.1, 0.3)?];
    let mut always = low.plain.force_max > high.plain.force_max;
    let mut evidence = Vec::new();
    for e in [0.9, 0.6, 0.3, 0.1] {
        let forces: Vec<f64> = exact_forces(e)?.iter().map(|row| row.1).collect();
        always &= forces.is_sorted_by(|a, b| a > b);
        evidence.push(format!("e = {e}: {}", three_decimals(&forces)));
    }
    let evidence = format!(
        "Fig. 7 (g), m = 1.8: {:.5} for q = 0.9, {:.5} for q = 1.1; m = n with the exact damping, F max for q = 0.6 \
         to 1.5, {}",
        low.plain.force_max,
        high.plain.force_max,
        evidence.join("; ")
    );
    out.claim("Sect. 4", "a smaller q gives a larger force (any e)", always, evidence);
    Ok(())
}

/// Adds claims about the peak indentation, for the parameters of the panels of Fig. 7.
fn indentation(out: &mut Reproduction) -> Result<()> {
    let spread = |values: &[f64]| {
        let (low, high) = finite_bounds(values.iter().copied());
        100.0 * (high / low - 1.0)
    };
    let mut panels = Vec::new();
    for (letter, n, e, pairs) in FIG_7 {
        let mut found = [Vec::new(), Vec::new(), Vec::new()];
        for (m, q) in pairs {
            let impact = impact(n, m, q, e)?;
            found[0].push(impact.scaled.0);
            found[1].push(impact.plain.indentation_max);
            found[2].push(impact.plain.force_max);
        }
        panels.push((letter, found.map(|values| spread(&values))));
    }
    let column = |i: usize| {
        let cells = panels.iter().map(|(letter, spreads)| format!("{:.1} ({letter})", spreads[i]));
        cells.collect::<Vec<_>>().join(", ")
    };
    let mut beyond = Vec::new();
    for e in [0.3, 0.1] {
        let reach: Vec<f64> = exact_forces(e)?.iter().map(|row| row.2).collect();
        beyond.push(format!("{:.0} % at e = {e}", spread(&reach)));
    }
    out.claim(
        "Sect. 3.4, Fig. 7",
        "the effect of m and q on the peak indentation is almost negligible (as far as it is shown)",
        panels.iter().all(|(_, spreads)| spreads[0] < 5.0 && spreads[1] < 5.0),
        format!(
            "spread in %, panel by panel: {} in the paper's units, {} in units of L; of the force {}. Not shown in the \
             paper: m = n, q = 0.6 to 1.5 with the exact damping, {}",
            column(0),
            column(1),
            column(2),
            beyond.join(", ")
        ),
    );
    Ok(())
}

/// Formats numbers with three digits after the decimal point.
fn three_decimals(values: &[f64]) -> String {
    values.iter().map(|v| format!("{v:.3}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_seven_is_that_of_an_independent_integration() {
        // n, e, m, q, x max, f max, X max, F max, delivered e.
        for row in [
            [1.5, 0.6, 1.5, 0.6, 1.00340, 1.01303, 0.91273, 1.11366, 0.59517],
            [1.5, 0.6, 0.8, 1.0, 0.99914, 0.84505, 0.89053, 0.94811, 0.56730],
            [1.0, 0.6, 1.5, 1.1, 1.02163, 0.80113, 0.78632, 1.04088, 0.61127],
            [2.0, 0.6, 2.5, 0.9, 1.00930, 1.17766, 0.97863, 1.21457, 0.60519],
            [1.5, 0.9, 1.8, 1.1, 1.00186, 1.13787, 1.04996, 1.08575, 0.90300],
            [1.5, 0.3, 1.2, 0.9, 1.02389, 0.79043, 0.70977, 1.14024, 0.25178],
        ] {
            let [n, e, m, q, expected @ ..] = row;
            let found = impact(n, m, q, e).unwrap();
            let plain = found.plain;
            let found = [
                found.scaled.0,
                found.scaled.1,
                plain.indentation_max,
                plain.force_max,
                plain.restitution,
            ];
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 6e-6, "{row:?}: {found:?}");
            }
        }
    }
}
