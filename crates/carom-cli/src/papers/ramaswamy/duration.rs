//! Figs. 3 to 5: the dimensionless duration Δτ(ε, n), its limits and its fit.
//!
//! - no damping: Y(n) = 2·((n+1)/2)^(1/(n+1))·√π·Γ(1+1/(n+1))/Γ(½+1/(n+1)),
//! - little damping: ∂Δτ/∂ε = Y(n)·(n−1)/(3(n+1)),
//! - much damping: Δτ → (n+1)^(1/(n+1))·ε^(n/(n+1)).
//!
//! Eq. 23 has ten constants over 0 ≤ ε ≤ 10, 1 ≤ n ≤ 5. They are fitted again, to the relative error.

use super::printed::{DURATION, DURATION_ERROR};
use crate::figure::{Axis, Figure, Panel, Series};
use crate::papers::fit::{self, Fit};
use crate::papers::{Reproduction, linspace, outcome, points};
use carom::Result;

/// Exponents whose curves are drawn.
const DRAWN_EXPONENTS: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0];
/// Range of ε over which the slope of Fig. 4 (a) is computed; the paper calls Δτ linear beyond ε = 3.
const LINEAR_RANGE: (f64, f64) = (3.0, 10.0);

/// Computes the slope of Eq. 21.
fn printed_slope(n: f64, c: &[f64; 10]) -> f64 {
    c[2] - c[3] * (-c[4] * n).exp()
}

/// Computes the intercept of Eq. 22.
fn printed_intercept(n: f64, c: &[f64; 10]) -> f64 {
    (c[5] * n - c[6]) * (-c[7] * n).exp() - c[8] * n + c[9]
}

/// Computes the fitted Δτ of Eq. 23.
fn printed_duration(epsilon: f64, n: f64, c: &[f64; 10]) -> f64 {
    c[0] * (-c[1] * epsilon).exp() + printed_slope(n, c) * epsilon + printed_intercept(n, c)
}

/// Computes the exact Δτ.
fn exact_duration(epsilon: f64, n: f64) -> Result<f64> {
    Ok(outcome(n, n, 1.0, epsilon)?.duration)
}

/// Computes the points (ε, n, Δτ) over the range of the fit.
fn duration_grid(dampings: usize, exponents: usize) -> Result<Vec<(f64, f64, f64)>> {
    let mut points = Vec::with_capacity(dampings * exponents);
    for n in linspace(1.0, 5.0, exponents) {
        for epsilon in linspace(0.0, 10.0, dampings) {
            points.push((epsilon, n, exact_duration(epsilon, n)?));
        }
    }
    Ok(points)
}

struct Fits {
    /// ‖fit − exact‖₂/‖exact‖₂ for the printed constants.
    norm: f64,
    printed: Fit<10>,
    squares: Fit<10>,
    minimax: Fit<10>,
    /// Largest error of the minimax fit at the points to which it was fitted.
    minimax_error: f64,
}

fn fits() -> Result<Fits> {
    let coarse = duration_grid(21, 17)?;
    // The fine grid has steps of 0.1 in ε and in n.
    let fine = duration_grid(101, 41)?;
    let on = |points: &[(f64, f64, f64)], c: &[f64; 10], i: usize| {
        let (epsilon, n, exact) = points[i];
        printed_duration(epsilon, n, c) / exact - 1.0
    };
    let r = |c: &[f64; 10], i: usize| on(&coarse, c, i);
    let judged =
        |c: [f64; 10]| fit::evaluate(c, fine.len(), &|c: &[f64; 10], i: usize| on(&fine, c, i));
    let squares = fit::least_squares(DURATION, coarse.len(), &r);
    let minimax = fit::minimax(squares.constants, coarse.len(), &r);
    let size: f64 = fine.iter().map(|p| p.2 * p.2).sum();
    let miss: f64 =
        fine.iter().map(|p| (printed_duration(p.0, p.1, &DURATION) - p.2).powi(2)).sum();
    Ok(Fits {
        norm: (miss / size).sqrt(),
        printed: judged(DURATION),
        squares: judged(squares.rounded(coarse.len(), &r).constants),
        minimax: judged(minimax.rounded(coarse.len(), &r).constants),
        minimax_error: minimax.largest,
    })
}

/// Computes the least-squares slope of Δτ over [`LINEAR_RANGE`].
fn mean_slope(n: f64) -> Result<f64> {
    let points = points(linspace(LINEAR_RANGE.0, LINEAR_RANGE.1, 29), |x| exact_duration(x, n))?;
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let (up, down) = points
        .iter()
        .fold((0.0, 0.0), |(up, down), p| (up + (p.0 - x) * (p.1 - y), down + (p.0 - x).powi(2)));
    Ok(up / down)
}

/// Adds Figs. 3, 4 and 5 and the numbers.
pub fn figures(out: &mut Reproduction) -> Result<()> {
    let fits = fits()?;
    out.check(
        "Sect. 4.1",
        "relative error of Eq. 23 (%), largest over ε ≤ 10, n ≤ 5",
        DURATION_ERROR,
        100.0 * fits.printed.largest,
        Some(100.0 * fits.norm),
        format!(
            "an average: ‖fit − exact‖/‖exact‖ = {:.3} % in steps of 0.1 (0.233 to 0.245 % on other grids), mean \
             {:.3} %; in K the error is n+1 times as large",
            100.0 * fits.norm,
            100.0 * fits.printed.mean
        ),
    );
    tables(out, &fits)?;
    duration_surface(out)?;
    slope_and_intercept(out)?;
    errors(out, &fits)
}

fn tables(out: &mut Reproduction, fits: &Fits) -> Result<()> {
    let row = |name: &str, fit: &Fit<10>, digits: usize| {
        let mut cells = vec![name.to_string()];
        cells.extend(fit.constants.iter().map(|c| format!("{c:.digits$}")));
        cells.push(format!("{:.3}", 100.0 * fit.largest));
        cells.push(format!("{:.3}", 100.0 * fit.mean));
        cells
    };
    let title = format!(
        "Δτ(ε, n), Eq. 23: constants and relative error over 0 ≤ ε ≤ 10, 1 ≤ n ≤ 5, judged in steps of 0.1; the \
         minimax fit is level to {:.3} % at the 357 points it was made for",
        100.0 * fits.minimax_error
    );
    let rows = vec![
        row("printed", &fits.printed, 3),
        row("least squares", &fits.squares, 4),
        row("minimax", &fits.minimax, 4),
    ];
    let columns =
        "fit | a | b | c | d | f | g | h | i | j | k | largest error (%) | mean error (%)";
    out.table(title, columns, rows);
    let mut rows = Vec::new();
    let mut far = Vec::new();
    for n in DRAWN_EXPONENTS {
        let (none, much) = (exact_duration(0.0, n)?, exact_duration(100.0, n)?);
        let a = 1.0 / (n + 1.0);
        let limit = (n + 1.0).powf(a) * 100f64.powf(n * a);
        let step = 1e-4;
        let begins = (exact_duration(step, n)? - exact_duration(0.0, n)?) / step;
        let off = 100.0 * (printed_duration(100.0, n, &DURATION) / much - 1.0);
        far.push(off);
        rows.push(vec![
            n.to_string(),
            format!("{none:.6}"),
            format!("{:+.2}", 100.0 * (printed_duration(0.0, n, &DURATION) / none - 1.0)),
            format!("{begins:.4}"),
            format!("{:.4}", none * (n - 1.0) / (3.0 * (n + 1.0))),
            format!("{much:.4}"),
            format!("{limit:.4}"),
            format!("{off:+.0}"),
        ]);
    }
    let columns = "n | Δτ at ε = 0: Y(n) | Eq. 23 there (%) | ∂Δτ/∂ε at 0 | Y(n)(n−1)/(3(n+1)) | \
                   Δτ at ε = 100 | (n+1)^(1/(n+1)) ε^(n/(n+1)) | Eq. 23 there (%)";
    out.table("Limits of Δτ", columns, rows);
    let (first, last) = (mean_between(1.0, 3.0, 5.0)?, mean_between(1.0, 50.0, 100.0)?);
    out.claim(
        "Sect. 4.1",
        "for n = 1 the duration grows linearly beyond ε = 3",
        (last / first - 1.0).abs() < 0.01,
        format!(
            "mean slope {first:.3} between 3 and 5, {last:.3} between 50 and 100; at ε = 100 Eq. 23 is off by {:+.0} %",
            far.first().copied().unwrap_or(f64::NAN)
        ),
    );
    Ok(())
}

fn mean_between(n: f64, from: f64, to: f64) -> Result<f64> {
    Ok((exact_duration(to, n)? - exact_duration(from, n)?) / (to - from))
}

/// Computes a curve over ε for each exponent.
fn series_over_damping(f: &dyn Fn(f64, f64) -> Result<f64>, to: f64) -> Result<Vec<Series>> {
    let mut series = Vec::new();
    for (style, n) in DRAWN_EXPONENTS.into_iter().enumerate() {
        let points = points(linspace(0.0, to, 121), |epsilon| f(epsilon, n))?;
        series.push(Series::through(format!("n = {n}"), points, style));
    }
    Ok(series)
}

fn duration_surface(out: &mut Reproduction) -> Result<()> {
    let panel =
        |title: &str, series| Panel::curves(title, Axis::new("ε", ""), Axis::new("Δτ", ""), series);
    let near = series_over_damping(&exact_duration, 10.0)?;
    let far = series_over_damping(&exact_duration, 100.0)?;
    out.draw(
        "ramaswamy-humbert-fig-3",
        "Fig. 3: the surface Δτ(ε, n) as curves, and where it goes beyond the range of the fit.",
        Figure::new(
            "Ramaswamy & Humbert, Fig. 3: dimensionless duration",
            "Exact duration of x″ + xⁿ(1 + εx′) = 0, in units of L/v₀.",
            vec![vec![panel("0 ≤ ε ≤ 10, as in the paper", near), panel("0 ≤ ε ≤ 100", far)]],
        ),
    );
    Ok(())
}

/// Adds Fig. 4.
fn slope_and_intercept(out: &mut Reproduction) -> Result<()> {
    let exponents = linspace(1.0, 5.0, 41);
    let slopes = points(exponents.clone(), mean_slope)?;
    let undamped = points(exponents.clone(), |n| exact_duration(0.0, n))?;
    let over = |f: &dyn Fn(f64) -> f64| exponents.clone().map(|n| (n, f(n))).collect::<Vec<_>>();
    let panel = |title: &str, y, exact: Vec<(f64, f64)>, name: &str, fit: Vec<(f64, f64)>| {
        Panel::curves(
            title,
            Axis::fixed("n", "", 1.0, 5.0),
            Axis::new(y, ""),
            vec![Series::through("exact", exact, 0), Series::through(name, fit, 1)],
        )
    };
    let left = panel(
        "(a) mean slope for 3 ≤ ε ≤ 10",
        "S",
        slopes,
        "Eq. 21, printed",
        over(&|n| printed_slope(n, &DURATION)),
    );
    let right = panel(
        "(b) duration without damping",
        "Y",
        undamped,
        "Eq. 23 at ε = 0, printed",
        over(&|n| printed_duration(0.0, n, &DURATION)),
    );
    out.draw(
        "ramaswamy-humbert-fig-4",
        "Fig. 4: slope and intercept. Y(n) is known in closed form.",
        Figure::new(
            "Ramaswamy & Humbert, Fig. 4: slope S(n) and intercept Y(n)",
            "Y(n) = 2((n+1)/2)^(1/(n+1)) √π Γ(1+1/(n+1))/Γ(1/2+1/(n+1)).",
            vec![vec![left, right]],
        ),
    );
    Ok(())
}

/// Adds Fig. 5, and the errors that it cannot show.
fn errors(out: &mut Reproduction, fits: &Fits) -> Result<()> {
    let panel =
        |title: &str, y, series| Panel::curves(title, Axis::new("ε", ""), Axis::new(y, ""), series);
    let printed = series_over_damping(&|x, n| Ok(printed_duration(x, n, &DURATION)), 10.0)?;
    let error = |c: &[f64; 10]| {
        series_over_damping(
            &|x, n| Ok(100.0 * (printed_duration(x, n, c) / exact_duration(x, n)? - 1.0)),
            10.0,
        )
    };
    let name = "Δτ/exact − 1 (%)";
    out.draw(
        "ramaswamy-humbert-fig-5",
        "Fig. 5: Eq. 23, and its error with the printed constants and with those fitted again.",
        Figure::new(
            "Ramaswamy & Humbert, Fig. 5: the fit of the duration",
            "Eq. 23 with ten constants.",
            vec![
                vec![
                    panel("Eq. 23, printed constants", "Δτ", printed),
                    panel("Error, printed constants", name, error(&DURATION)?),
                ],
                vec![
                    panel("Error, least squares", name, error(&fits.squares.constants)?),
                    panel("Error, minimax", name, error(&fits.minimax.constants)?),
                ],
            ],
        ),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_fit_is_the_one_that_identification_offers() {
        for (e, n) in [(0.9, 1.0), (0.5, 1.5), (0.2, 3.0)] {
            let spec = carom::identify::Spec {
                mass: Some(1.0.into()),
                speed: Some(1.0.into()),
                exponent: Some(n.into()),
                restitution: Some(e.into()),
                duration: Some(1.0.into()),
                published: true,
                ..Default::default()
            };
            let found = spec.run().unwrap().solution;
            // ω·Δt = Δτ, and the duration is 1 s.
            let expected = printed_duration(found.damping.epsilon.unwrap(), n, &DURATION);
            assert!((found.natural_frequency / expected - 1.0).abs() < 1e-12, "{e} {n}");
        }
    }

    #[test]
    fn the_printed_fit_is_as_far_off_as_recomputed_and_the_refits_are_better() {
        let fits = fits().unwrap();
        assert!((fits.printed.largest - 0.0151).abs() < 5e-5, "{:?}", fits.printed);
        assert!(fits.squares.mean < fits.printed.mean, "{:?}", fits.squares);
        assert!(fits.minimax.largest < 0.7 * fits.printed.largest, "{:?}", fits.minimax);
        assert!(fits.minimax.largest < fits.squares.largest);
        // Sequential linear programs (SciPy) on the same points converge to 0.5828 %.
        assert!((0.5828..0.5870).contains(&(100.0 * fits.minimax_error)), "{}", fits.minimax_error);
        assert!((fits.norm - 0.002363).abs() < 1e-6, "{}", fits.norm);
    }
}
