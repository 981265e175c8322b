//! Figs. 5, 7, 8 and 9: damping factor, delivered restitution, dissipation and motion.

use super::printed::{ERROR, INTEGRAL, RESTITUTION, SOCKET, SOCKETS, SPAN, SPEED};
use super::{law, pair};
use crate::figure::{Axis, Curves, Figure, Guide, Panel, Series, finite_bounds};
use crate::papers::{Reproduction, linspace, points, simpson};
use carom::impact::{Conditions, Trajectory};
use carom::{Damping, Impact, Law, Result, collide};

/// Laws of Fig. 9: name, id and Steuermann's index.
const LAWS: [(&str, &str, Option<f64>); 11] = [
    ("n = 1", "wang-gao-2023", Some(1.0)),
    ("n = 2", "wang-gao-2023", Some(2.0)),
    ("n = 3", "wang-gao-2023", Some(3.0)),
    ("n = 4", "wang-gao-2023", Some(4.0)),
    ("n = 5", "wang-gao-2023", Some(5.0)),
    ("n = 6", "wang-gao-2023", Some(6.0)),
    ("n = 7", "wang-gao-2023", Some(7.0)),
    ("n = 8", "wang-gao-2023", Some(8.0)),
    ("Hertz", "hertz-internal", None),
    ("Lankarani & Nikravesh", "lankarani-nikravesh-1990", None),
    ("Flores", "flores-2011", None),
];
/// Positions in `LAWS` of the laws that are drawn.
const DRAWN_LAWS: [usize; 6] = [0, 1, 7, 8, 9, 10];

fn law_of((_, id, index): (&str, &str, Option<f64>), socket: f64, e: f64) -> Result<Law> {
    let damping = if id == "hertz-internal" { Damping::None } else { Damping::Restitution(e) };
    law(id, socket, index, damping)
}

/// Computes the energy dissipated by an impact (J).
fn energy_lost(impact: &Impact) -> f64 {
    impact.energy.lost_in_compression + impact.energy.lost_in_restitution
}

/// Computes ∫₀¹ x^(3/2)·√(1−xᵏ) dx with the substitution x = sin²φ and 400 Simpson steps in φ.
fn loss_integral(k: f64) -> f64 {
    simpson(std::f64::consts::FRAC_PI_2, 400, |phi| {
        let (sine, cosine) = phi.sin_cos();
        let x = sine * sine;
        x.powf(1.5) * (1.0 - x.powf(k)).max(0.0).sqrt() * 2.0 * sine * cosine
    })
}

/// Computes `integral(2.0)` with √(1−x²) replaced by its Taylor polynomial of this degree, term by term: 2/5 − Σ c_k/(2k + 5/2)
/// with c_1 = 1/2, c_(k+1) = c_k·(2k−1)/(2k+2).
fn series_integral(degree: u32) -> f64 {
    let (mut sum, mut coefficient) = (0.4, 0.5);
    for k in (1..=degree / 2).map(f64::from) {
        sum -= coefficient / (2.0 * k + 2.5);
        coefficient *= (2.0 * k - 1.0) / (2.0 * k + 2.0);
    }
    sum
}

/// Returns the damping coefficient c of a law at the impact speed v₀; c·v₀ is the damping factor of the figure (N/m^(3/2)).
fn coefficient(law: &Law) -> f64 {
    law.touch(SPEED).damping
}

/// Adds Figs. 5 and 7.
pub fn restitution(out: &mut Reproduction) -> Result<()> {
    let exact = loss_integral(2.0);
    out.check(
        "Eq. 22",
        "∫ x^(3/2)·√(1−x²) dx",
        INTEGRAL,
        exact,
        Some(series_integral(6)),
        format!(
            "the abstract says that a Taylor expansion was used: √(1−x²) cut after x⁶ gives {:.4}, after x⁸ {:.4}; \
             exactly it is B(5/4, 3/2)/2, and 4/15 = {:.5} with the profile that fits δ^(5/2), √(1−x^(5/2))",
            series_integral(6),
            series_integral(8),
            loss_integral(2.5)
        ),
    );
    let compared = [
        ("new, n = 1", "wang-gao-2023", Some(1.0)),
        ("new, n = 2", "wang-gao-2023", Some(2.0)),
        ("new, n = 8", "wang-gao-2023", Some(8.0)),
        ("Gonthier", "gonthier-2004", None),
        ("Flores", "flores-2011", None),
        ("Hu & Guo", "hu-guo-2015", None),
        ("Lankarani & Nikravesh", "lankarani-nikravesh-1990", None),
        ("Hunt & Crossley", "hunt-crossley-1975", None),
    ];
    let mut factors = Vec::new();
    for (style, entry) in compared.into_iter().enumerate() {
        let points =
            points(linspace(0.1, 1.0, 91), |e| Ok(coefficient(&law_of(entry, SOCKET, e)?)))?;
        factors.push(Series::through(entry.0, points, style));
    }
    let hertz = pair(SOCKET)?.stiffness;
    let e = 0.5;
    let ratio =
        |entry| -> Result<f64> { Ok(coefficient(&law_of(entry, SOCKET, e)?) * SPEED / hertz) };
    let [new, .., gonthier, flores, guo, _, _] = compared.map(ratio);
    let (new, flores, guo, gonthier) = (new?, flores?, guo?, gonthier?);
    let evidence = format!(
        "χv₀/K_h at e = 0.5: new (n = 1) {new:.4} = √2·{:.4}, Flores {flores:.4}, Hu & Guo {guo:.4}, Gonthier {gonthier:.4}",
        new / 2f64.sqrt()
    );
    out.claim(
        "Fig. 5",
        "the new factor is larger than those of Gonthier, Flores and Hu & Guo",
        new > gonthier && new > flores && new > guo,
        format!("{evidence}; without the √2 it lies between Hu & Guo and Flores"),
    );
    out.check(
        "Eq. 28",
        "χv₀/K₀ at e = 0.5, K₀ = 5H/2: 20/13",
        "1.5385",
        new / 2f64.sqrt(),
        None,
        "",
    );
    // A factor ∝ 1/e² near zero would quadruple when e is halved.
    let growth = |id| -> Result<f64> {
        let at = |e| -> Result<f64> { Ok(coefficient(&law_of(("", id, None), SOCKET, e)?)) };
        Ok(at(0.005)? / at(0.01)?)
    };
    let grown = [growth("flores-2011")?, growth("hu-guo-2015")?, growth("gonthier-2004")?];
    out.claim(
        "Sect. 3.2",
        "the factors of Gonthier, Flores and Hu & Guo have e² in the denominator",
        grown.iter().all(|growth| (growth - 4.0).abs() < 0.2),
        format!(
            "halving e near 0 multiplies them by {:.2}, {:.2} and {:.2}: it is e",
            grown[0], grown[1], grown[2]
        ),
    );
    errors(out, factors)
}

/// Adds Fig. 7, together with Fig. 5.
fn errors(out: &mut Reproduction, factors: Vec<Series>) -> Result<()> {
    let mut series = Vec::new();
    let mut rows = Vec::new();
    let entries = [LAWS[0], LAWS[1], LAWS[7], LAWS[9], LAWS[10]];
    let deliver = |entry, socket, e: f64| -> Result<f64> {
        Ok(collide(&law_of(entry, socket, e)?, SPEED)?.restitution.newton)
    };
    let error = |entry, socket, e: f64| -> Result<f64> {
        Ok(100.0 * (deliver(entry, socket, e)? / e - 1.0).abs())
    };
    for (style, entry) in entries.into_iter().enumerate() {
        let points = points(linspace(0.1, 0.99, 90), |e| error(entry, SOCKET, e))?;
        series.push(Series::through(entry.0, points, style));
    }
    for e in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99] {
        let mut row = vec![e.to_string()];
        for entry in entries {
            let delivered = deliver(entry, SOCKET, e)?;
            row.push(format!("{delivered:.4} ({:.2} %)", 100.0 * (delivered / e - 1.0).abs()));
        }
        rows.push(row);
    }
    out.table(
        "Restitution delivered (error), clearance 0.5 mm",
        "e asked for | n = 1 | n = 2 | n = 8 | Lankarani & Nikravesh | Flores",
        rows,
    );
    let mut worst: f64 = 0.0;
    for socket in SOCKETS {
        for entry in [LAWS[0], LAWS[7]] {
            for e in [0.9, 0.93, 0.96, 0.99] {
                worst = worst.max(error(entry, socket, e)?);
            }
        }
    }
    let already = error(LAWS[0], SOCKET, 0.6)?;
    out.claim(
        "Sect. 4.1, Fig. 7",
        "the error of the restitution is below 2.5 % above e = 0.9, for every index",
        worst < ERROR,
        format!(
            "at most {worst:.2} % over all clearances of Table 1; {already:.2} % already at e = 0.6"
        ),
    );
    let axis = || Axis::new("restitution asked for", "");
    let panel = |title: &str, y, series, guides| {
        Panel::Curves(Curves { title: title.to_string(), x: axis(), y, series, guides })
    };
    let limit = vec![Guide::Horizontal(ERROR, "2.5 %".to_string())];
    out.draw(
        "wang-gao-2023-fig-5-7",
        "Figs. 5 and 7: damping factors, and the error of the restitution that they deliver.",
        Figure {
            title: "Wang & Gao 2023, Figs. 5 and 7: damping factor and restitution".to_string(),
            subtitle: "Clearance 0.5 mm, 1 kg at 0.3 m/s.".to_string(),
            rows: vec![vec![
                panel("Fig. 5: damping factor χ", Axis::new("χ", "N s/m^2.5"), factors, Vec::new()),
                panel(
                    "Fig. 7: error of the restitution",
                    Axis::fixed("|error| (%)", "", 0.0, 40.0),
                    clip(series, 40.0),
                    limit,
                ),
            ]],
            caption: "Lankarani & Nikravesh leave the panel below e = 0.53.".to_string(),
        },
    );
    Ok(())
}

/// Interrupts curves where they exceed `top`.
fn clip(mut series: Vec<Series>, top: f64) -> Vec<Series> {
    for (_, y) in series.iter_mut().flat_map(|series| &mut series.points) {
        if *y > top {
            *y = f64::NAN;
        }
    }
    series
}

/// Adds Figs. 8 and 9 for e = 0.9.
pub fn motion(out: &mut Reproduction) -> Result<()> {
    let mut rows = Vec::new();
    let mut impacts = Vec::new();
    for entry in LAWS {
        let impact = collide(&law_of(entry, SOCKET, RESTITUTION)?, SPEED)?;
        rows.push(vec![
            entry.0.to_string(),
            format!("{:.6}", impact.restitution.newton),
            format!("{:.1}", impact.force_max),
            format!("{:.4}", 1e6 * impact.indentation_max),
            format!("{:.3}", 1e6 * impact.duration),
            format!("{:.3}", 1e6 * impact.time_of_indentation_max),
            format!("{:.4}", 1e3 * energy_lost(&impact)),
        ]);
        impacts.push(impact);
    }
    let columns = "law | e delivered | peak force (N) | peak indentation (µm) | duration (µs) | \
                   time of peak indentation (µs) | loss (mJ)";
    out.table(
        "Impacts at e = 0.9, 0.3 m/s, 1 kg, clearance 0.5 mm; the ideal loss is 8.55 mJ",
        columns,
        rows,
    );
    let trajectories = DRAWN_LAWS.iter().enumerate().map(|(style, &i)| {
        let law = law_of(LAWS[i], SOCKET, RESTITUTION)?;
        let trajectory = Trajectory::new(&law, SPEED, &Conditions::default(), 400)?;
        Ok((LAWS[i].0, trajectory, style))
    });
    let trajectories: Vec<(&str, Trajectory, usize)> = trajectories.collect::<Result<_>>()?;
    type Column = fn(&Trajectory) -> &Vec<f64>;
    let panel = |title: &str, (x_axis, x): (Axis, Column), (y_axis, y): (Axis, Column)| {
        let series = trajectories.iter().map(|(name, trajectory, style)| {
            Series::new(*name, x(trajectory), y(trajectory), *style)
        });
        Panel::curves(title, x_axis, y_axis, series.collect())
    };
    let depth = || -> (Axis, Column) { (Axis::new("indentation", "m"), |c| &c.indentation) };
    let force = || -> (Axis, Column) { (Axis::new("force", "N"), |c| &c.force) };
    let (energy, rate) = (Axis::new("energy", "J"), Axis::new("rate", "m/s"));
    out.draw(
        "wang-gao-2023-fig-8-9",
        "Figs. 8 and 9: dissipation and motion at e = 0.9. The paper integrates 100 µs, in which \
         Hertz, Lankarani–Nikravesh and Flores do not finish.",
        Figure::new(
            "Wang & Gao 2023, Figs. 8 and 9: dissipation and motion",
            "Clearance 0.5 mm, 1 kg at 0.3 m/s, e = 0.9; published damping factors.",
            vec![
                vec![
                    panel("Fig. 8: dissipated energy", depth(), (energy, |c| &c.dissipated)),
                    panel(
                        "Fig. 9 (a): force over time",
                        (Axis::new("time", "s"), |c| &c.time),
                        force(),
                    ),
                ],
                vec![
                    panel("Fig. 9 (b): rate over indentation", depth(), (rate, |c| &c.rate)),
                    panel("Fig. 9 (c): force over indentation", depth(), force()),
                ],
            ],
        ),
    );
    claims(out, &impacts);
    Ok(())
}

fn claims(out: &mut Reproduction, impacts: &[Impact]) {
    let [new @ .., hertz, lankarani, flores] = impacts else { return };
    let losses: Vec<f64> = new.iter().map(|impact| 1e3 * energy_lost(impact)).collect();
    let (low, high) = finite_bounds(losses.iter().copied());
    let listed = format!("{low:.4} to {high:.4} mJ, {:.2} %", 100.0 * (high / low - 1.0));
    out.claim(
        "Sect. 4.1, Fig. 8",
        "the loss grows with the index",
        losses.windows(2).all(|two| two[1] > two[0]) && high / low > 1.002,
        format!("{listed}, and it falls; Sect. 4.2 says the opposite"),
    );
    out.claim("Sect. 4.2", "the loss does not depend on the index", high / low < 1.002, listed);
    // Change of a quantity when the index increases by one, in %, from index 1 on.
    let steps = |of: fn(&Impact) -> f64| -> Vec<f64> {
        new.windows(2).map(|two| 100.0 * (of(&two[1]) / of(&two[0]) - 1.0)).collect()
    };
    let steps = [steps(|i| i.force_max), steps(|i| i.indentation_max), steps(|i| i.duration)];
    let list = |steps: &[f64]| {
        steps.iter().map(|step| format!("{step:+.1}")).collect::<Vec<_>>().join(", ")
    };
    let largest_after = |index: usize| {
        steps.iter().flat_map(|of| of.iter().skip(index - 1)).fold(0.0f64, |l, x| l.max(x.abs()))
    };
    out.claim(
        "Sect. 5",
        "the index matters from 1 to 3 and hardly beyond",
        largest_after(3) < 2.0 && largest_after(1) > 5.0,
        format!(
            "each further index changes the peak force by {} %, the indentation by {} %, the duration by {} %",
            list(&steps[0]), list(&steps[1]), list(&steps[2])
        ),
    );
    let (theirs, others) = (high, [lankarani, flores].map(|impact| 1e3 * energy_lost(impact)));
    out.claim(
        "Sect. 4.2, Fig. 9 (c)",
        "the loop of the new law is larger than those of Lankarani–Nikravesh and Flores",
        low > others[0] && low > others[1],
        format!("{theirs:.3} mJ against {:.3} and {:.3} mJ", others[0], others[1]),
    );
    let slowest = new.iter().map(|impact| impact.time_of_indentation_max).fold(0.0, f64::max);
    let fastest = [hertz, lankarani, flores].map(|impact| impact.time_of_indentation_max);
    let (fastest, _) = finite_bounds(fastest.into_iter());
    out.claim(
        "Sect. 4.2",
        "the new law reaches its largest indentation first",
        slowest < fastest,
        format!("{:.2} µs at most, the others {:.2} µs at least", 1e6 * slowest, 1e6 * fastest),
    );
    let last = [hertz, lankarani, flores].map(|impact| 1e6 * impact.duration);
    out.claim(
        "Table 2",
        "100 µs are enough for the compared impacts",
        last.iter().all(|duration| *duration < 1e6 * SPAN),
        format!(
            "Hertz {:.2}, Lankarani & Nikravesh {:.2}, Flores {:.2} µs",
            last[0], last[1], last[2]
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impacts_are_those_of_an_independent_integration() {
        // Index in `LAWS`, e, peak force, peak indentation (µm), duration (1e-5 s), loss (mJ).
        for (law, e, force, depth, duration, loss) in [
            (0, 0.896833, 11920.1, 8.5402, 8.8600, 8.8061),
            (1, 0.896887, 12828.6, 7.9377, 8.2342, 8.8018),
            (7, 0.896931, 13696.2, 7.4367, 7.7138, 8.7982),
            (9, 0.913177, 10527.3, 9.8437, 10.1098, 7.4749),
            (10, 0.893921, 10438.0, 9.7623, 10.1353, 9.0408),
        ] {
            let impact = collide(&law_of(LAWS[law], SOCKET, RESTITUTION).unwrap(), SPEED).unwrap();
            assert!((impact.restitution.newton - e).abs() < 6e-7, "{law}: {impact:?}");
            assert!((impact.force_max / force - 1.0).abs() < 6e-6, "{law}: {impact:?}");
            assert!((1e6 * impact.indentation_max / depth - 1.0).abs() < 1e-5, "{law}: {impact:?}");
            assert!((1e5 * impact.duration / duration - 1.0).abs() < 1e-5, "{law}: {impact:?}");
            assert!((1e3 * energy_lost(&impact) / loss - 1.0).abs() < 1e-5, "{law}: {impact:?}");
        }
        assert!((loss_integral(2.0) - 0.2497197671).abs() < 1e-9, "{}", loss_integral(2.0));
        assert!((loss_integral(2.5) - 4.0 / 15.0).abs() < 1e-9, "{}", loss_integral(2.5));
        // The truncated sums are compared with 2/5 − 1/9 − 1/52 − 1/136 − 5/1344 computed by hand, and the long series with the
        // integral.
        assert!((series_integral(6) - 0.262305).abs() < 1e-6, "{}", series_integral(6));
        assert!((series_integral(8) - 0.258585).abs() < 1e-6, "{}", series_integral(8));
        assert!((series_integral(200_000) - loss_integral(2.0)).abs() < 1e-6);
    }
}
