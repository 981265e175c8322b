//! Public integrators, each used as its documentation suggests, for the dimensionless problem.

use crate::problem::{Metrics, Scaled, ScaledForce};
use diffsol::{
    NalgebraMat, OdeBuilder, OdeEquations, OdeSolverMethod, OdeSolverProblem, OdeSolverStopReason,
};
use ode_solvers::continuous_output_model::ContinuousOutputModel;
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dop853, Dopri5, System, Vector2};
use std::error::Error;

/// End time, longer than any of the contacts, in units of L/v₀.
const END_TIME: f64 = 6.0;

/// Finds a sign change of `f` between `a` and `b` by regula falsi with Illinois weights.
fn root(mut a: f64, mut b: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..60 {
        let t = (a * fb - b * fa) / (fb - fa);
        let ft = f(t);
        if ft == 0.0 || (b - a).abs() < 1e-13 {
            return t;
        }
        if (ft > 0.0) == (fb > 0.0) {
            fa *= 0.5;
        } else {
            (a, fa) = (b, fb);
        }
        (b, fb) = (t, ft);
    }
    b
}

#[derive(Clone, Copy)]
struct MotionUntilSeparation<P>(P);

impl<P: ScaledForce> System<f64, Vector2<f64>> for MotionUntilSeparation<P> {
    fn system(&self, _: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        dy[0] = y[1];
        dy[1] = -self.0.force(y[0], y[1]);
    }

    fn solout(&mut self, _: f64, y: &Vector2<f64>, _: &Vector2<f64>) -> bool {
        y[1] < 0.0 && self.0.force(y[0], y[1]) <= 0.0
    }
}

/// Computes the impact with `ode_solvers::Dopri5`, using its continuous output to locate the end of contact and the largest
/// values.
pub fn dopri5(
    pull: &impl ScaledForce,
    scaled: &Scaled,
    tolerance: f64,
) -> Result<Metrics, Box<dyn Error>> {
    let (model, times, states) = integrate(pull, tolerance)?;
    let at = |t: f64| model.evaluate(t).unwrap_or_else(Vector2::zeros);
    let mut turn = None;
    let mut peak = None;
    let mut before = (0.0, Vector2::new(0.0, 1.0));
    for (&t, y) in times.iter().zip(&states) {
        if before.1[1] > 0.0 && y[1] <= 0.0 {
            turn = Some(root(before.0, t, |t| at(t)[1]));
        }
        let rises = |y: &Vector2<f64>| pull.force_rate_sign(y[0], y[1]);
        if peak.is_none() && rises(&before.1) > 0.0 && rises(y) <= 0.0 {
            peak = Some(root(before.0, t, |t| rises(&at(t))));
        }
        before = (t, *y);
    }
    let start = times.len().checked_sub(2).map_or(0.0, |i| times[i]);
    let end = root(start, before.0, |t| pull.end(at(t)[0], at(t)[1]));
    let peak = at(peak.ok_or("no largest force")?);
    let deepest = at(turn.ok_or("no turn")?)[0];
    Ok(scaled.metrics(-at(end)[1], end, pull.force(peak[0], peak[1]), deepest))
}

/// Computes the motion at `points` equally spaced instants with `ode_solvers::Dopri5`.
pub fn dopri5_motion(
    pull: &impl ScaledForce,
    scaled: &Scaled,
    tolerance: f64,
    points: usize,
) -> Result<Vec<f64>, Box<dyn Error>> {
    let (model, times, _) = integrate(pull, tolerance)?;
    let at = |t: f64| model.evaluate(t).unwrap_or_else(Vector2::zeros);
    let [.., start, last] = times[..] else { return Err("no steps".into()) };
    let end = root(start, last, |t| pull.end(at(t)[0], at(t)[1]));
    let point = |i| at(end * i as f64 / (points - 1) as f64)[0] * scaled.length;
    Ok((0..points).map(point).collect())
}

type DenseMotion = (ContinuousOutputModel<f64, Vector2<f64>>, Vec<f64>, Vec<Vector2<f64>>);

fn integrate(pull: &impl ScaledForce, tolerance: f64) -> Result<DenseMotion, Box<dyn Error>> {
    let start = Vector2::new(0.0, 1.0);
    let mut solver = Dopri5::new(
        MotionUntilSeparation(*pull),
        0.0,
        END_TIME,
        END_TIME,
        start,
        tolerance,
        tolerance,
    );
    let mut model = ContinuousOutputModel::default();
    solver.integrate_with_continuous_output_model(&mut model)?;
    Ok((model, solver.x_out().clone(), solver.y_out().clone()))
}

/// Computes the impact with `ode_solvers::Dop853`, which has no continuous output: the end of contact is found by repeating the
/// last step with other lengths, and the largest values are those at the steps.
pub fn dop853(
    pull: &impl ScaledForce,
    scaled: &Scaled,
    tolerance: f64,
) -> Result<Metrics, Box<dyn Error>> {
    let start = Vector2::new(0.0, 1.0);
    let mut solver = solver_of_steps(MotionUntilSeparation(*pull), END_TIME, start, tolerance);
    solver.integrate()?;
    let (times, states) = (solver.x_out(), solver.y_out());
    let deepest = states.iter().map(|y| y[0]).fold(0.0, f64::max);
    let strongest = states.iter().map(|y| pull.force(y[0], y[1])).fold(0.0, f64::max);
    let ([.., t, last], [.., y, _]) = (&times[..], &states[..]) else {
        return Err("no steps".into());
    };
    let after = |h: f64| match h {
        0.0 => *y,
        _ => {
            let mut solver = solver_of_steps(MotionWithoutEnd(*pull), h, *y, tolerance);
            let done = solver.integrate().ok();
            done.and_then(|_| solver.y_out().last().copied()).unwrap_or_else(Vector2::zeros)
        }
    };
    let h = root(0.0, last - t, |h| pull.end(after(h)[0], after(h)[1]));
    Ok(scaled.metrics(-after(h)[1], t + h, strongest, deepest))
}

/// Returns a solver from time 0 to `end` that stores its steps only.
fn solver_of_steps<S: System<f64, Vector2<f64>>>(
    system: S,
    end: f64,
    start: Vector2<f64>,
    tolerance: f64,
) -> Dop853<f64, Vector2<f64>, S> {
    // The defaults of `Dop853::new`, except for the output.
    let (safety, beta, least, most) = (0.9, 0.0, 0.333, 6.0);
    Dop853::from_param(
        system,
        0.0,
        end,
        end,
        start,
        tolerance,
        tolerance,
        safety,
        beta,
        least,
        most,
        end,
        0.0,
        100_000,
        1000,
        OutputType::Sparse,
    )
}

/// Like [`MotionUntilSeparation`], but not stopped at the end of contact.
#[derive(Clone, Copy)]
struct MotionWithoutEnd<P>(P);

impl<P: ScaledForce> System<f64, Vector2<f64>> for MotionWithoutEnd<P> {
    fn system(&self, t: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        MotionUntilSeparation(self.0).system(t, y, dy);
    }
}

/// Builds the problem for `diffsol`; this is not included in the time.
pub fn diffsol_problem<P: ScaledForce + 'static>(
    pull: P,
    tolerance: f64,
) -> Result<
    OdeSolverProblem<
        impl OdeEquations<
            M = NalgebraMat<f64>,
            V = diffsol::NalgebraVec<f64>,
            T = f64,
            C = diffsol::NalgebraContext,
        >,
    >,
    Box<dyn Error>,
> {
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .rtol(tolerance)
        .atol([tolerance, tolerance])
        .h0(1e-3)
        .rhs(move |y: &[f64], _: &[f64], _, dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = -pull.force(y[0], y[1]);
        })
        .init(|_: &[f64], _, y: &mut [f64]| y.copy_from_slice(&[0.0, 1.0]), 2)
        // During approach a constant is added, because the function is zero at the beginning, which is not the end of contact.
        .root(
            move |y: &[f64], _: &[f64], _, g: &mut [f64]| {
                g[0] = pull.end(y[0], y[1]) + f64::from(u8::from(y[1] > 0.0));
            },
            1,
        )
        .build()?;
    Ok(problem)
}

/// Computes the impact with `diffsol`'s explicit method, Tsitouras 4(5), using its root finder for the end of contact.
pub fn tsit45<E>(
    problem: &OdeSolverProblem<E>,
    pull: &impl ScaledForce,
    scaled: &Scaled,
) -> Result<Metrics, Box<dyn Error>>
where
    E: OdeEquations<
            M = NalgebraMat<f64>,
            V = diffsol::NalgebraVec<f64>,
            T = f64,
            C = diffsol::NalgebraContext,
        >,
{
    let mut solver = problem.tsit45()?;
    let mut before = (0.0, [0.0, 1.0]);
    let (mut deepest, mut strongest) = (0.0, 0.0);
    loop {
        let reason = solver.step()?;
        let state = solver.state();
        let (t, y) = (state.t, [state.y[0], state.y[1]]);
        let at = |t: f64| solver.interpolate(t).map_or([f64::NAN; 2], |y| [y[0], y[1]]);
        if before.1[1] > 0.0 && y[1] <= 0.0 {
            deepest = at(root(before.0, t, |t| at(t)[1]))[0];
        }
        let rises = |y: [f64; 2]| pull.force_rate_sign(y[0], y[1]);
        if strongest == 0.0 && rises(before.1) > 0.0 && rises(y) <= 0.0 {
            let y = at(root(before.0, t, |t| rises(at(t))));
            strongest = pull.force(y[0], y[1]);
        }
        if let OdeSolverStopReason::RootFound(t, _) = reason {
            return Ok(scaled.metrics(-at(t)[1], t, strongest, deepest));
        }
        if t > END_TIME {
            return Err("diffsol found no end of contact".into());
        }
        before = (t, y);
    }
}
