//! Table 3 and Fig. 6: sliotar cores at 15 m/s.
//!
//! The experiment was published as curves, and Zhang et al. state only errors, each for two laws at once. Interpreted as the error
//! of the mean of the two laws, the errors imply the same measured force to 0.15 % for every core, and the same indentation for all
//! cores except D; those values are carom's experiments `sliotar-a` to `-d`. Therefore the errors are tested for consistency and
//! not against a measurement: of the three errors stated for a peak, one (that which fits best) is used to determine the peak and
//! carries no information, and the other two are tests.

use super::printed::{SLIOTAR, TableLaw};
use super::steel::{complex_impact, law};
use crate::figure::{
    Axis, Curves, Figure, Guide, Panel, Series, finite_bounds, force_loop, two_per_row,
};
use crate::papers::Reproduction;
use carom::problems::{Experiment, experiment};
use carom::{Result, collide};

/// The laws, in the order of the stated errors.
const LAWS: [(&str, TableLaw); 5] = [
    ("Hunt & Crossley", TableLaw::Known("hunt-crossley-1975")),
    ("Lankarani & Nikravesh", TableLaw::Known("lankarani-nikravesh-1990")),
    ("Zhang 2020", TableLaw::Known("zhang-2020")),
    ("new model, m = 1.5, q = 1", TableLaw::New(1.5, 1.0)),
    ("new model, m = 1.1, q = 1.25", TableLaw::New(1.1, 1.25)),
];

/// Laws to which the stated errors refer.
const ERROR_SOURCES: [&str; 3] =
    ["H–C and L–N", "m = 1.5, q = 1 and Zhang 2020", "m = 1.1, q = 1.25"];

const SECTION: &str = "Sect. 3.3.2";

/// Checks the stated errors of a core. `reached` contains the relative errors of peak force and peak indentation, law by law.
fn stated_errors(
    out: &mut Reproduction,
    on: &Experiment,
    stated: [[&'static str; 2]; 3],
    reached: &[[f64; 2]],
) {
    // Each stated error is the mean over these laws.
    let members: [&[usize]; 3] = [&[0, 1], &[2, 3], &[4]];
    let used = [on.force_max, on.indentation_max].map(|peak| peak.unwrap_or(f64::NAN));
    for (what, (name, unit, scale)) in
        [("peak force", "N", 1.0), ("peak indentation", "mm", 1e3)].into_iter().enumerate()
    {
        let mean = |members: &[usize]| {
            let sum: f64 = members.iter().filter_map(|&i| reached.get(i)).map(|r| r[what]).sum();
            sum / members.len() as f64
        };
        let pairs = || {
            let printed = stated.map(|error| error[what].parse::<f64>().unwrap_or(f64::NAN));
            members.iter().map(|members| mean(members)).zip(printed)
        };
        let used = scale * used[what];
        let implied = pairs().map(|(found, printed)| used * (1.0 + found) / (1.0 + 0.01 * printed));
        let (low, high) = finite_bounds(implied);
        let why = format!(
            "the three stated errors imply {low:.4} to {high:.4} {unit}; {used:.4} is used"
        );
        let chosen = format!(
            "the measured {name} is not printed; {used:.4} {unit} is derived from the three stated errors"
        );
        let misses = pairs().map(|(found, printed)| (100.0 * found - printed).abs());
        let fitted = misses.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
        for (i, ((members, printed), read)) in
            members.into_iter().zip(stated).zip(ERROR_SOURCES).enumerate()
        {
            let quantity = format!("{}: error of the {name}, {read} (%)", on.id);
            let (printed, found) = (printed[what], 100.0 * mean(members));
            let check = out.check(SECTION, quantity, printed, found, None, &*why);
            if Some(i) == fitted {
                check.chosen_to_match(&*chosen);
            }
        }
    }
}

/// Adds errors, numbers and loops.
pub fn comparison(out: &mut Reproduction) -> Result<()> {
    let mut rows = Vec::new();
    let mut panels = Vec::new();
    for (id, stated) in SLIOTAR {
        let on = experiment(id)?;
        let force = on.force_max.unwrap_or(f64::NAN);
        let depth = on.indentation_max.unwrap_or(f64::NAN);
        let mut reached = Vec::new();
        let mut series = Vec::new();
        for (style, (name, row)) in LAWS.into_iter().enumerate() {
            let law = law(row, on)?;
            let impact = collide(&law, on.speed)?;
            series.push(Series::through(name, force_loop(&law, on.speed, 500)?, style));
            reached.push([impact.force_max / force - 1.0, impact.indentation_max / depth - 1.0]);
            let e = impact.restitution.newton;
            let complex = match row {
                TableLaw::New(_, q) if q != 1.0 => complex_impact(&law, on.speed)?.map(|end| end.0),
                _ => None,
            };
            rows.push(vec![
                id.to_string(),
                name.to_string(),
                format!("{:.3}", on.restitution),
                format!("{e:.4}"),
                complex.map_or(String::new(), |e| format!("{e:.4}")),
                format!("{:.2}", impact.force_max),
                format!("{:.4}", 1e3 * impact.indentation_max),
                format!("{:.4}", 1e3 * impact.duration),
            ]);
        }
        stated_errors(out, on, stated, &reached);
        panels.push(Panel::Curves(Curves {
            title: on.title.to_string(),
            x: Axis::new("indentation", "m"),
            y: Axis::new("force", "N"),
            series,
            guides: vec![
                Guide::Horizontal(force, format!("implied peak {force:.0} N")),
                Guide::Vertical(depth, format!("implied {:.2} mm", 1e3 * depth)),
            ],
        }));
    }
    let columns = "core | law | e asked for | e delivered | e by complex power | peak force (N) | \
                   peak indentation (mm) | duration (ms)";
    out.table("Sliotar cores, computed", columns, rows);
    out.draw(
        "zhang-2022-fig-6",
        "Fig. 6: force over indentation of the sliotar cores. The measured curves are not \
         available; the dashed lines are the peaks that the stated errors imply.",
        Figure::new(
            "Zhang et al. 2022, Fig. 6: sliotar cores at 15 m/s",
            "Published damping factors; |rate|^q sgn rate in restitution.",
            two_per_row(&panels),
        ),
    );
    Ok(())
}
