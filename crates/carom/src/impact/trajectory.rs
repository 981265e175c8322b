//! The motion of an impact as columns of numbers.

use super::{Conditions, Impact, check, collide_under};
use crate::error::{Error, Result};
use crate::law::contact_phase::{ContactIntegrator, DenseStep, internal};
use crate::law::{Force, Law, Work};

/// Columns of equal length, one row a point, equally spaced in time from touch to the end of contact.
///
/// ```
/// use carom::impact::{Conditions, trajectory};
/// use carom::law::{Exit, Law, Power};
/// let hertz = Law::new(0.54, Exit::ZeroForce, Power::elastic(2.4144e10, 1.5));
/// let (impact, motion) = trajectory(&hertz, 0.5, &Conditions::default(), 200)?;
/// assert_eq!(motion.time.len(), 200);
/// assert!((motion.time[199] - impact.duration).abs() < 1e-12);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Time since touch (s).
    pub time: Vec<f64>,
    /// Indentation (m).
    pub indentation: Vec<f64>,
    /// Indentation rate (m/s), positive while approaching.
    pub rate: Vec<f64>,
    /// Contact force (N), positive when it pushes.
    pub force: Vec<f64>,
    /// Kinetic energy of the relative motion (J).
    pub kinetic: Vec<f64>,
    /// Energy stored in the contact (J).
    pub stored: Vec<f64>,
    /// Energy dissipated so far (J).
    pub dissipated: Vec<f64>,
}

/// An impact and its motion at `points` instants.
///
/// A contact that never ends is sampled up to three times the time of its largest indentation.
pub fn trajectory(
    law: &Law,
    speed: f64,
    conditions: &Conditions,
    points: usize,
) -> Result<(Impact, Trajectory)> {
    let motion = Trajectory::new(law, speed, conditions, points)?;
    Ok((collide_under(law, speed, conditions)?, motion))
}

impl Trajectory {
    /// The motion alone, without the numbers of the impact.
    pub fn new(law: &Law, speed: f64, conditions: &Conditions, points: usize) -> Result<Self> {
        check(law, speed, conditions)?;
        if !(2..=10_000_000).contains(&points) {
            let advice = "200 draw a smooth curve";
            return Err(Error::invalid("points", points, "between 2 and 10000000", advice));
        }
        struct Run<'a>(&'a Law, f64, &'a Conditions, usize);
        impl Work for Run<'_> {
            type Output = Result<Trajectory>;
            fn run<F: Force>(self, form: F) -> Result<Trajectory> {
                match F::INTERNAL {
                    true => self.integrate::<F, 3>(form),
                    false => self.integrate::<F, 2>(form),
                }
            }
        }
        impl Run<'_> {
            fn integrate<F: Force, const N: usize>(self, form: F) -> Result<Trajectory> {
                let Run(law, speed, conditions, points) = self;
                let memory = form.touch(law.mass, speed);
                let integrator =
                    ContactIntegrator::new(form, law.mass, law.exit, conditions.external_force);
                let mut steps: Vec<DenseStep<N>> = Vec::with_capacity(64);
                let result = integrator.integrate(memory, Some(&mut steps), false)?;
                let end = match result.duration.is_finite() {
                    true => result.duration,
                    // The contact comes to rest under a force without a turn: up to the last step.
                    false if result.time_of_turn().is_infinite() => {
                        steps.last().map_or(0.0, |step| step.end)
                    }
                    false => 3.0 * result.time_of_turn(),
                };
                Ok(sample(form, law.mass, speed, result.external(), &steps, end, points))
            }
        }
        law.with(Run(law, speed, conditions, points))
    }
}

fn sample<F: Force, const N: usize>(
    form: F,
    mass: f64,
    speed: f64,
    external: f64,
    steps: &[DenseStep<N>],
    end: f64,
    points: usize,
) -> Trajectory {
    let column = || vec![0.0; points];
    let mut samples = Trajectory {
        time: column(),
        indentation: column(),
        rate: column(),
        force: column(),
        kinetic: column(),
        stored: column(),
        dissipated: column(),
    };
    let initial = 0.5 * mass * speed * speed;
    let between = end / (points - 1) as f64;
    let mut row = 0;
    for (k, DenseStep { end, dense, memory }) in steps.iter().enumerate() {
        // All remaining instants belong to the last step: they lie beyond its end by rounding, or in a contact that
        // creeps, which stays where this step ended.
        let last = *end;
        let end = if k + 1 == steps.len() { f64::INFINITY } else { last };
        while row < points {
            let t = between * row as f64;
            if t > end {
                break;
            }
            let y = dense.at(t.min(last));
            let mut memory = *memory;
            memory.time = t;
            memory.internal = internal(&y, &memory);
            let force = form.force(y[0], y[1], &memory);
            form.commit(y[0], y[1], &mut memory);
            let kinetic = 0.5 * mass * y[1] * y[1];
            let stored = form.stored(y[0], &memory);
            samples.time[row] = t;
            samples.indentation[row] = y[0];
            samples.rate[row] = y[1];
            samples.force[row] = force;
            samples.kinetic[row] = kinetic;
            samples.stored[row] = stored;
            samples.dissipated[row] = initial + external * y[0] - kinetic - stored;
            row += 1;
        }
    }
    samples
}
