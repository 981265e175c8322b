//! Figs. 3 and 4: static force and strain energy, and the truncation error of the series of Eq. 17.

use super::printed::{SOCKET, SOCKETS};
use super::{BALL, effective_modulus, effective_radius, law, pair};
use crate::figure::{Axis, Figure, Panel, Series, finite_bounds};
use crate::papers::{Reproduction, difference_text, linspace, simpson};
use carom::{Damping, Law, Result};

/// Computes the static force.
fn force(law: &Law, depth: f64) -> f64 {
    law.force(depth, 0.0, &law.touch(1.0))
}

/// Computes ∫F dδ by Simpson's rule in √δ, in which the integrand is smooth.
fn energy(law: &Law, depth: f64) -> f64 {
    simpson(depth.sqrt(), 200, |root| 2.0 * root * force(law, root * root))
}

/// Computes H of Eq. 18: U ≈ H·δ^(5/2).
fn leading_coefficient(socket: f64, index: f64) -> f64 {
    8.0 * 2f64.sqrt() * index * effective_modulus() * effective_radius(socket).sqrt()
        / (5.0 * (2.0 * index + 1.0))
}

fn new(socket: f64, index: f64) -> Result<Law> {
    law("wang-gao-2023", socket, Some(index), Damping::Coefficient(0.0))
}

/// Computes the relative error of δ·sin θ from the expanded root of Eq. 16, compared with Eq. 8.
fn expansion_error(socket: f64, d: f64) -> f64 {
    let (s, b) = (socket, BALL);
    let root = 8.0 * s * s * b * d.powi(3) - 4.0 * s * s * d.powi(4) - 8.0 * s * b * b * d.powi(3)
        + 12.0 * s * b * d.powi(4)
        - 4.0 * s * d.powi(5)
        - 4.0 * b * b * d.powi(4)
        + 4.0 * b * d.powi(5)
        - d.powi(6);
    let expanded = root.sqrt() / (2.0 * (s - b + d) * s);
    let cosine = ((s - b + d).powi(2) + s * s - b * b) / (2.0 * (s - b + d) * s);
    expanded / (d * (1.0 - cosine * cosine).sqrt()) - 1.0
}

/// Adds both figures, the series of Eq. 17 and the claims.
pub fn figures(out: &mut Reproduction) -> Result<()> {
    let off = [1e-5, 1e-4, 1e-3].map(|depth| expansion_error(SOCKET, depth).abs());
    let off = off.into_iter().fold(0.0, f64::max);
    out.claim(
        "Eq. 16",
        "the root of Eq. 16 is the sine of the angle of Eq. 8, expanded",
        off < 1e-6,
        format!(
            "relative difference {} for indentations of 10 µm to 1 mm",
            difference_text(off, 1e-6)
        ),
    );
    static_force(out)?;
    strain_energy(out)
}

/// Computes the curve of a law over indentation.
fn curve(name: String, law: &Law, deepest: f64, style: usize, f: fn(&Law, f64) -> f64) -> Series {
    let points = linspace(0.0, deepest, 81).map(|depth| (depth, f(law, depth))).collect();
    Series::through(name, points, style)
}

fn panel(title: &str, y: Axis, series: Vec<Series>) -> Panel {
    let x = Axis::new("indentation", "m");
    Panel::curves(title, x, y, series)
}

fn static_force(out: &mut Reproduction) -> Result<()> {
    const DEEPEST: f64 = 1e-4;
    let mut by_index = Vec::new();
    for (i, index) in [1.0, 2.0, 4.0, 8.0].into_iter().enumerate() {
        let name = format!("new, n = {index}");
        by_index.push(curve(name, &new(SOCKET, index)?, DEEPEST, 2 * i, force));
        let liu = law("liu-2006", SOCKET, Some(index), Damping::None)?;
        by_index.push(curve(format!("Liu, n = {index}"), &liu, DEEPEST, 2 * i + 1, force));
    }
    let mut by_clearance = Vec::new();
    for (i, socket) in [SOCKETS[0], SOCKETS[2], SOCKETS[5]].into_iter().enumerate() {
        let mm = 1e3 * (socket - BALL);
        let hertz = law("hertz-internal", socket, None, Damping::None)?;
        let liu = law("liu-2006", socket, Some(2.0), Damping::None)?;
        for (j, (name, law)) in
            [("new", new(socket, 2.0)?), ("Liu", liu), ("Hertz", hertz)].iter().enumerate()
        {
            let name = format!("{name}, ΔR = {mm:.1} mm");
            by_clearance.push(curve(name, law, DEEPEST, 3 * i + j, force));
        }
    }
    let axis = || Axis::new("force", "N");
    out.draw(
        "wang-gao-2023-fig-3",
        "Fig. 3: static force over indentation for several indices and clearances. The finite \
         elements of the paper are not available as numbers.",
        Figure::new(
            "Wang & Gao 2023, Fig. 3: static force",
            "Ball of 50 mm in a socket, both of steel; n is the index of the profile.",
            vec![vec![
                panel("Indices, clearance 0.5 mm", axis(), by_index),
                panel("Clearances, n = 2", axis(), by_clearance),
            ]],
        ),
    );
    let mut rows = Vec::new();
    let (mut ratios, mut forces) = (Vec::new(), Vec::new());
    for socket in SOCKETS {
        let (ours, liu) = (new(socket, 1.0)?, law("liu-2006", socket, Some(1.0), Damping::None)?);
        let hertz = law("hertz-internal", socket, None, Damping::None)?;
        let at = |depth: f64| force(&ours, depth) / force(&liu, depth);
        ratios.push((at(1e-6), at(1e-4)));
        forces.push(force(&ours, 1e-5));
        rows.push(vec![
            format!("{:.1}", 1e3 * (socket - BALL)),
            format!("{:.1}", force(&ours, 1e-5)),
            format!("{:.5}", at(1e-6)),
            format!("{:.5}", at(1e-4)),
            format!("{:.5}", force(&ours, 1e-7) / force(&hertz, 1e-7)),
        ]);
    }
    out.table(
        "Static force with the index 1 for each clearance",
        "ΔR (mm) | F at 10 µm (N) | K/K of Liu at 1 µm | K/K of Liu at 0.1 mm | F/Hertz as δ → 0",
        rows,
    );
    let (low, high) = finite_bounds(ratios.iter().map(|ratio| ratio.0));
    let drift = ratios.iter().map(|r| (r.1 / r.0 - 1.0).abs()).fold(0.0, f64::max);
    out.claim(
        "Sect. 2.4",
        "the stiffness is almost Liu's",
        low > 0.98 && high < 1.02,
        format!("ratio {low:.4} to {high:.4} over the clearances"),
    );
    out.claim(
        "Sect. 2.4",
        "the error between the two grows with indentation",
        drift > 0.01,
        format!(
            "the ratio moves by {:.3} % between 1 µm and 0.1 mm; only the difference in N grows",
            100.0 * drift
        ),
    );
    out.claim(
        "Sect. 2.4",
        "the force falls with a smaller clearance",
        forces.windows(2).all(|two| two[1] > two[0]),
        format!(
            "at 10 µm {:.0} N with 0.1 mm and {:.0} N with 1 mm of clearance",
            forces.first().copied().unwrap_or(f64::NAN),
            forces.last().copied().unwrap_or(f64::NAN)
        ),
    );
    let small = force(&new(SOCKET, 1.0)?, 1e-8) / (pair(SOCKET)?.stiffness * 1e-12);
    out.claim(
        "Eqs. 5 to 11",
        "the index 1 is a sphere, so that Hertz's force comes out",
        (small - 1.0).abs() < 0.01,
        format!("F/Hertz → {small:.4} = √2 as δ → 0: the overlap circle is not the contact circle"),
    );
    Ok(())
}

fn strain_energy(out: &mut Reproduction) -> Result<()> {
    const DEEPEST: f64 = 1e-4;
    let mut series = Vec::new();
    for (i, index) in [1.0, 2.0, 8.0].into_iter().enumerate() {
        let series_of = linspace(0.0, DEEPEST, 81)
            .map(|d| (d, leading_coefficient(SOCKET, index) * d.powf(2.5)));
        let name = format!("Eq. 18, n = {index}");
        series.push(Series::through(name, series_of.collect(), 2 * i));
        let name = format!("integral of Eq. 15, n = {index}");
        series.push(curve(name, &new(SOCKET, index)?, DEEPEST, 2 * i + 1, energy));
    }
    let hertz = law("hertz-internal", SOCKET, None, Damping::None)?;
    // Coefficients of E*·√R·δ^(5/2), at an indentation for which the next term is 1e-5 of the first.
    let unit = effective_modulus() * effective_radius(SOCKET).sqrt() * 1e-8f64.powf(2.5);
    let ours = energy(&new(SOCKET, 1.0)?, 1e-8) / unit;
    out.check(
        "Eq. 18",
        "coefficient of the strain energy, n = 1: 8√2/15",
        "0.7542",
        ours,
        None,
        "",
    );
    let plate = energy(&new(SOCKET, 1e6)?, 1e-8) / unit;
    out.check("Eq. 18", "coefficient for n → ∞: 4√2/5", "1.1314", plate, None, "");
    let theirs = energy(&hertz, 1e-8) / unit;
    out.check("Eq. 19", "coefficient of Hertz's strain energy: 8/15", "0.5333", theirs, None, "");
    series.push(curve("Hertz".to_string(), &hertz, DEEPEST, 6, energy));
    let law = new(SOCKET, 1.0)?;
    let error = |depth: f64| {
        100.0 * (leading_coefficient(SOCKET, 1.0) * depth.powf(2.5) / energy(&law, depth) - 1.0)
    };
    let excess = Series::through(
        "",
        linspace(1e-7, DEEPEST, 61).map(|depth| (depth, error(depth))).collect(),
        0,
    );
    out.draw(
        "wang-gao-2023-fig-4",
        "Fig. 4: strain energy by the leading term of the paper and by the integral it stands for.",
        Figure::new(
            "Wang & Gao 2023, Fig. 4: strain energy",
            "Clearance 0.5 mm.",
            vec![vec![
                panel("Strain energy", Axis::new("strain energy", "J"), series),
                panel(
                    "Error of Eq. 18, any n",
                    Axis::new("Eq. 18/integral − 1 (%)", ""),
                    vec![excess],
                ),
            ]],
        ),
    );
    let rows = [1e-6, 1e-5, 5e-5, 1e-4, 5e-4].map(|depth: f64| {
        vec![
            format!("{:.0}", 1e6 * depth),
            format!("{:.3}", depth / (SOCKET - BALL)),
            format!("{:+.2}", error(depth)),
        ]
    });
    out.table(
        "Eq. 18 against the integral it approximates, clearance 0.5 mm",
        "δ (µm) | δ/ΔR | error (%)",
        rows.to_vec(),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leading_term_errs_as_recomputed() {
        let law = new(SOCKET, 1.0).unwrap();
        for (depth, percent) in
            [(1e-6, 0.11), (1e-5, 1.07), (5e-5, 5.3), (1e-4, 10.3), (5e-4, 45.5)]
        {
            let error = 100.0
                * (leading_coefficient(SOCKET, 1.0) * f64::powf(depth, 2.5) / energy(&law, depth)
                    - 1.0);
            assert!((error - percent).abs() < 0.06, "{depth}: {error}");
        }
    }
}
