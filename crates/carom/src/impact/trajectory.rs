//! Motion of an impact as columns of numbers.

use super::{Conditions, ContactMotion, ContactState, Impact, collide_under};
use crate::error::{Error, Result};
use crate::law::{Force, Law, Work};

/// Motion of an impact in columns of equal length; the rows are equally spaced in time from onset to the end of
/// contact.
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
    /// Time since onset (s).
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

/// Computes an impact and its motion at `points` instants.
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
    /// Computes the motion without the results of the impact.
    pub fn new(law: &Law, speed: f64, conditions: &Conditions, points: usize) -> Result<Self> {
        if !(2..=10_000_000).contains(&points) {
            let advice = "200 draw a smooth curve";
            return Err(Error::invalid("points", points, "between 2 and 10000000", advice));
        }
        let motion = ContactMotion::new(law, speed, conditions)?;
        Ok(law.with(Sample { motion, speed, points }))
    }
}

/// A contact motion that is to be sampled.
struct Sample {
    motion: ContactMotion,
    speed: f64,
    points: usize,
}

impl Work for Sample {
    type Output = Trajectory;
    fn run<F: Force>(self, form: F) -> Trajectory {
        let Self { motion, speed, points } = self;
        let end = match motion.separated {
            true => motion.end,
            false => motion.end.min(3.0 * motion.turn),
        };
        let initial = 0.5 * motion.mass * speed * speed;
        let mut samples = Trajectory::default();
        for row in 0..points {
            let t = end / (points - 1) as f64 * row as f64;
            // An instant that lies beyond the last step because of rounding belongs to that step.
            let Some(point) = motion.within(motion.step_at(t), t) else { break };
            let ContactState { delta, rate, mut memory } = point;
            let force = form.force(delta, rate, &memory);
            form.commit(delta, rate, &mut memory);
            let kinetic = 0.5 * motion.mass * rate * rate;
            let stored = form.stored(delta, &memory);
            samples.time.push(t);
            samples.indentation.push(delta);
            samples.rate.push(rate);
            samples.force.push(force);
            samples.kinetic.push(kinetic);
            samples.stored.push(stored);
            samples.dissipated.push(initial + motion.external * delta - kinetic - stored);
        }
        samples
    }
}
