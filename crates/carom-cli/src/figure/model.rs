//! Figure of a model: delivered over requested restitution, and force–indentation loops.

use super::{Axis, Curves, Figure, Guide, Panel, Series, force_loop};
use carom::compare::Deliveries;
use carom::model::Input;
use carom::problems::{Experiment, experiment};
use carom::{Damping, Error, Exit, Law, Model, Result, collide};

/// Restitutions whose loops are drawn.
const LOOP_RESTITUTIONS: [f64; 3] = [0.9, 0.5, 0.2];

/// Returns the figure of a model on the steel ball, with the nominal parameter values of `deliveries`.
pub fn model(model: &'static Model, deliveries: &Deliveries) -> Result<Figure> {
    let on = SteelBallImpacts::new(model, deliveries)?;
    // The user cannot supply missing parameters here, so the advice in the library's error would mislead.
    let (loops, title) = on.loop_series().map_err(|why| match why.is_missing() {
        true => Error::unsupported(
            format!("a figure of `{}` on the steel ball, without facts it needs,", model.id),
            format!(
                "draw an impact with carom impact --law {} … --set NAME=VALUE --plot FILE",
                model.id
            ),
        ),
        false => why,
    })?;
    let mut panels = Vec::new();
    let delivered = on.restitution_series();
    if !delivered.is_empty() {
        panels.push(Panel::Curves(Curves {
            title: "Asked for and delivered (published formula)".to_string(),
            x: Axis::fixed("requested restitution", "", 0.0, 1.0),
            y: Axis::fixed("delivered restitution", "", 0.0, 1.0),
            series: delivered,
            guides: vec![Guide::Diagonal("as asked for".to_string())],
        }));
    }
    panels.push(Panel::curves(
        title,
        Axis::new("indentation", "m"),
        Axis::new("force", "N"),
        loops,
    ));
    let mut caption = "Steel ball of 0.54 kg at 0.5 m/s".to_string();
    for (name, value) in &deliveries.nominal {
        caption += &format!(", nominal {name} = {value:e}");
    }
    Ok(Figure {
        title: model.title.to_string(),
        subtitle: format!("{}, contact ends at zero {}", model.id, model.exit.name()),
        rows: vec![panels],
        caption: caption + ".",
    })
}

/// A model on the steel ball at 0.5 m/s.
pub struct SteelBallImpacts {
    model: &'static Model,
    ball: &'static Experiment,
    /// Values of parameters that the experiment with the ball does not provide.
    set: Vec<(String, f64)>,
}

impl SteelBallImpacts {
    /// Creates the model with the nominal parameter values of `deliveries`.
    pub fn new(model: &'static Model, deliveries: &Deliveries) -> Result<Self> {
        let nominal = deliveries.nominal.iter();
        let set = nominal.map(|&(name, value)| (name.to_string(), value)).collect();
        Ok(Self { model, ball: experiment("steel-ball-0.5")?, set })
    }

    /// Returns the delivered restitution; `None` if the law fails.
    pub fn restitution(&self, damping: Damping, exit: Option<Exit>) -> Option<f64> {
        let law = self.law(damping, exit).ok()?;
        Some(collide(&law, self.ball.speed).ok()?.restitution.newton)
    }

    /// Computes force over indentation at this number of instants.
    pub fn force_loop(&self, damping: Damping, instants: usize) -> Result<Vec<(f64, f64)>> {
        force_loop(&self.law(damping, None)?, self.ball.speed, instants)
    }

    /// Returns the law; linear laws use the equivalent linear stiffness.
    pub fn law(&self, damping: Damping, exit: Option<Exit>) -> Result<Law> {
        let pair = self.ball.pair();
        match self.model.law(&pair, damping, exit, &self.set) {
            Err(why) if why.is_invalid() => {
                let linear = pair.linear_equivalent(self.ball.speed);
                self.model.law(&linear, damping, exit, &self.set).map_err(|_| why)
            }
            other => other,
        }
    }

    /// Computes the restitutions that the published formula delivers, for both ends of contact; one curve if they agree.
    fn restitution_series(&self) -> Vec<Series> {
        if self.model.input == Input::Elastic {
            return Vec::new();
        }
        let curve = |exit| -> Vec<(f64, f64)> {
            let deliver = |e: f64| self.restitution(Damping::Restitution(e), Some(exit));
            (1..=100)
                .map(|i| f64::from(i) / 100.0)
                .map(|e| (e, deliver(e).unwrap_or(f64::NAN)))
                .collect()
        };
        let [force, indentation] = [Exit::ZeroForce, Exit::ZeroIndentation].map(curve);
        let shown = |curve: &[(f64, f64)]| curve.iter().any(|(_, e)| e.is_finite());
        let same = force.iter().zip(&indentation).all(|(a, b)| !((a.1 - b.1).abs() > 1e-6));
        let named = |name: &str, points, style| Series::through(name, points, style);
        match (shown(&force), shown(&indentation)) {
            (false, false) => Vec::new(),
            (true, true) if same => {
                vec![named("contact ends at zero force or indentation", force, 0)]
            }
            _ => [("contact ends at F = 0", force, 0), ("at δ = 0", indentation, 1)]
                .into_iter()
                .filter(|(_, points, _)| shown(points))
                .map(|(name, points, style)| named(name, points, style))
                .collect(),
        }
    }

    /// Computes force–indentation loops; also returns a title that names the calibration.
    fn loop_series(&self) -> Result<(Vec<Series>, &'static str)> {
        let published = (
            Damping::Restitution as fn(f64) -> Damping,
            "Force over indentation (published formula)",
        );
        let exact =
            (Damping::Exact as fn(f64) -> Damping, "Force over indentation (exact calibration)");
        let calibrations: &[_] = match self.model.input {
            Input::Elastic => &[],
            Input::Restitution => &[published, exact],
            Input::Coefficient | Input::Material => &[exact, published],
        };
        for &(damping, how) in calibrations {
            let loops: Vec<Series> = LOOP_RESTITUTIONS
                .iter()
                .enumerate()
                .filter_map(|(style, &e)| {
                    let (points, delivered) = self.trajectory(damping(e)).ok()?;
                    let name = format!("{e} asked for, {delivered:.4} delivered");
                    Some(Series::through(name, points, style))
                })
                .collect();
            if !loops.is_empty() {
                return Ok((loops, how));
            }
        }
        let (points, delivered) = self.trajectory(Damping::None)?;
        let name = format!("e = {delivered:.4}");
        Ok((vec![Series::through(name, points, 0)], "Force over indentation"))
    }

    fn trajectory(&self, damping: Damping) -> Result<(Vec<(f64, f64)>, f64)> {
        let law = self.law(damping, None)?;
        let delivered = collide(&law, self.ball.speed)?.restitution.newton;
        Ok((force_loop(&law, self.ball.speed, 4000)?, delivered))
    }
}
