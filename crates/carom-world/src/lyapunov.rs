//! Largest Lyapunov exponent of a run: the rate at which two motions that begin close to each other diverge.
//!
//! # Method
//! Two runs are compared (Benettin, Galgani & Strelcyn, Phys. Rev. A 14 (1976) 2338–2345): the run itself, and a *neighbour*
//! that begins at a distance d₀ from it. Once per turn the distance d is measured, and the neighbour is moved back to the
//! distance d₀ along the same direction. The mean rate of ln(d/d₀) is the exponent: positive in chaotic motion, negative
//! where disturbances decay. Nothing is linearised, so impacts, friction and events need no special treatment.
//!
//! The distance is an energy norm with the angular frequency Ω of the drive: d² = Σ m|Δv|² + Δω·I·Δω + Ω²·(m|Δx|² +
//! Δφ·I·Δφ). In the limit the exponent does not depend on the norm. d₀ is 10⁻⁶ of √(2E) for the largest kinetic energy E so
//! far: well above the errors of the integration (10⁻¹⁰ per step unless a scene specifies otherwise), and small enough that
//! the growth of the distance is proportional to the distance.
//!
//! If the two states have different touches (one impact just before the section, the other just after it), there is no valid
//! state between them; the neighbour is then left unchanged until the next turn. If the distance becomes so large that its
//! growth is no longer proportional to it, a new neighbour is started, and these turns do not count.
//!
//! The exponent is the slope of the straight line (least squares) through ln d over time, with all growths added up. In
//! regular motion the distance oscillates with its direction. The mean of n turns contains the oscillation at its two ends,
//! an error of the order 1/n; the line gives less weight to the ends, and its error is of the order 1/n². In chaotic motion
//! the scatter of the line is larger than that of the mean by a tenth.
//!
//! # Uncertainty
//! The exponent of a finite time scatters. Its standard error is that of the means of about √n batches of n turns, which
//! allows for correlation between successive turns, or that of the line, from the residuals of its points, if that is larger
//! (batches may be as long as a period of the oscillation). It does not contain the effect of transients that last longer.

use crate::checkpoint::TOUCH;
use crate::dynamics::Evaluation;
use crate::input::StepInput;
use crate::math::{Quat, Vec3};
use crate::observe::{Observer, Sample};
use crate::run::Run;
use crate::state::{State, Touch};
use crate::world::World;
use carom::Result;
use carom::numeric::random;
use serde::Serialize;

/// Distance of the neighbour as a fraction of the largest √(2E).
const INITIAL_DISTANCE: f64 = 1e-6;
/// Distance above which growth no longer counts as proportional, as a fraction of the largest √(2E).
const MAX_DISTANCE: f64 = 1e-3;
/// Rounding of the distance as a fraction of the largest √(2E): two motions that have become identical are this far apart.
const DISTANCE_ROUNDING: f64 = 1e-14;
/// Fraction of the turns that is left out, while the neighbour aligns with the direction of fastest growth.
const DISCARDED_FRACTION: f64 = 0.1;

/// Largest Lyapunov exponent of a motion, estimated from a finite time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Exponent {
    /// Exponent (1/s); NaN if no turn counts.
    pub value: f64,
    /// Standard error of the exponent (1/s); NaN for few turns.
    pub error: f64,
    /// Number of turns that count.
    pub turns: usize,
    /// Number of turns that do not count, because the motions had moved too far apart.
    pub dropped: usize,
}

/// Neighbour of a run, and the growth of its distance turn by turn.
pub(crate) struct Neighbour<'w> {
    run: Run<'w>,
    /// Duration of one turn (s).
    period: f64,
    /// Distance to which the neighbour is moved back.
    distance: f64,
    /// Number of turns since it was last moved back.
    turns_since_reset: usize,
    /// ln(d/d₀), and the number of turns in which it was reached.
    growth: Vec<(f64, usize)>,
    dropped: usize,
    /// Number of times that a new neighbour was started.
    begun: u64,
    /// False if there was no valid state at this distance.
    has_distance: bool,
}

impl<'w> Neighbour<'w> {
    /// Creates a neighbour of this state in a random direction, for turns of this period (s).
    pub fn new(world: &'w World, state: &State, period: f64) -> Self {
        let mut neighbour = Self {
            run: Run::resume(world, state.clone()),
            period,
            distance: 0.0,
            turns_since_reset: 0,
            growth: Vec::new(),
            dropped: 0,
            begun: 0,
            has_distance: false,
        };
        neighbour.restart(state);
        neighbour
    }

    /// Starts a new neighbour at the distance from this state.
    fn restart(&mut self, state: &State) {
        let world = self.run.world();
        let mass: f64 = world.free.iter().map(|&body| world.bodies[body].mass).sum();
        let speed = (2.0 * state.largest_kinetic / mass).sqrt();
        // For a motion that begins at rest, the speed of a fall during one turn is used.
        let fall = world.gravity.length() * self.period;
        let speed = if speed > 0.0 { speed } else { fall.max(f64::MIN_POSITIVE.sqrt()) };
        self.distance = INITIAL_DISTANCE * speed * mass.sqrt();
        let mut far = state.clone();
        for (slot, &body) in world.free.iter().enumerate() {
            let part = |k: u64| {
                let number = |axis: u64| {
                    let index = ((self.begun * 4 + k) * 3 + axis) * 1024 + slot as u64;
                    2.0 * random::unit(random::key(0, "neighbour"), index) - 1.0
                };
                Vec3::new(number(0), number(1), number(2))
            };
            let planar = |v: Vec3| if world.planar { Vec3::new(v.x, v.y, 0.0) } else { v };
            let spun = |w: Vec3| if world.planar { Vec3::Z * w.z } else { w };
            let pose = far.layout.pose(&far.y, slot);
            let step = INITIAL_DISTANCE * speed;
            let reach = world.columns.bounding_radius[body].max(f64::MIN_POSITIVE);
            let (turn, length) = (step / reach, step * self.period);
            let rotation = pose.rotation.rotated_by(spun(part(0)) * (turn * self.period));
            let position = pose.position + planar(part(1)) * length;
            far.layout.set_placement(&mut far.y, slot, position, rotation);
            let velocity = pose.velocity + planar(part(3)) * step;
            let spin = pose.spin + spun(part(2)) * turn;
            far.layout.set_velocities(&mut far.y, slot, velocity, spin);
        }
        let mut y = std::mem::take(&mut far.y);
        Evaluation::new(world).project(&StepInput::at(world, state), state.time, &mut y);
        far.y = y;
        self.begun += 1;
        self.turns_since_reset = 0;
        let factor = self.distance / distance(world, state, &far, self.period);
        let start = intermediate_state(world, state, &far, factor);
        self.has_distance = start.is_some();
        self.run = Run::resume(world, start.unwrap_or_else(|| state.clone()));
    }

    /// Advances the neighbour by a turn, to the time of this state of the run.
    ///
    /// # Errors
    /// As for [`Run::step`].
    pub fn advance_turn(&mut self, state: &State) -> Result<()> {
        let world = self.run.world();
        let mut then = StateSampler { time: state.time, state: None };
        // The state is interpolated within a step. A step that is cut short to end at the section might end within a touch,
        // and would be less accurate.
        let own = loop {
            if let Some(found) = then.state.take() {
                break found;
            }
            self.run.step(state.time + 4.0 * self.period, &mut then)?;
        };
        self.turns_since_reset += 1;
        let found = distance(world, state, &own, self.period);
        let limit = self.distance / INITIAL_DISTANCE;
        if !self.has_distance || !(found <= MAX_DISTANCE * limit) {
            self.dropped += self.turns_since_reset;
            self.restart(state);
            return Ok(());
        }
        // If the two motions have become identical, the distance is lost in rounding.
        let lost = found <= DISTANCE_ROUNDING * limit;
        let moved_back = match lost {
            true => None,
            false => intermediate_state(world, state, &own, self.distance / found),
        };
        if moved_back.is_none() && !lost {
            return Ok(());
        }
        let found = found.max(DISTANCE_ROUNDING * limit);
        self.growth.push(((found / self.distance).ln(), self.turns_since_reset));
        self.turns_since_reset = 0;
        match moved_back {
            Some(start) => self.run = Run::resume(world, start),
            None => self.restart(state),
        }
        Ok(())
    }

    /// Returns the exponent so far.
    pub fn exponent(&self) -> Exponent {
        let first = (DISCARDED_FRACTION * self.growth.len() as f64).ceil() as usize;
        let counted = self.growth.get(first..).unwrap_or_default();
        let turns: usize = counted.iter().map(|(_, turns)| turns).sum();
        let rate = |part: &[(f64, usize)]| {
            let (sum, turns) =
                part.iter().fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
            sum / (turns as f64 * self.period)
        };
        let batch = (counted.len() as f64).sqrt().floor().max(1.0) as usize;
        let means: Vec<f64> = counted.chunks_exact(batch).map(rate).collect();
        let count = means.len() as f64;
        let mean = means.iter().sum::<f64>() / count;
        let spread: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        let error = (spread / (count * (count - 1.0))).sqrt();
        let (value, line_error) = fit_line(counted)
            .map_or((rate(counted), 0.0), |(slope, error)| {
                (slope / self.period, error / self.period)
            });
        let error = if means.len() > 2 { error.max(line_error) } else { f64::NAN };
        Exponent { value, error, turns, dropped: self.dropped }
    }
}

/// Returns the slope of the line through the sums of the growths over their turns, and its standard error for points that
/// scatter independently of each other; nothing for fewer than three growths.
fn fit_line(growth: &[(f64, usize)]) -> Option<(f64, f64)> {
    let mut points = vec![(0.0, 0.0)];
    for (growth, turns) in growth {
        let (turn, sum) = points[points.len() - 1];
        points.push((turn + *turns as f64, sum + growth));
    }
    let count = points.len() as f64;
    if count < 4.0 {
        return None;
    }
    let mean = points.iter().fold((0.0, 0.0), |all, point| (all.0 + point.0, all.1 + point.1));
    let mean = (mean.0 / count, mean.1 / count);
    let square: f64 = points.iter().map(|point| (point.0 - mean.0).powi(2)).sum();
    let product: f64 = points.iter().map(|point| (point.0 - mean.0) * (point.1 - mean.1)).sum();
    let slope = product / square;
    let left = |point: &(f64, f64)| (point.1 - mean.1 - slope * (point.0 - mean.0)).powi(2);
    let left: f64 = points.iter().map(left).sum();
    Some((slope, (left / (count - 2.0) / square).sqrt()))
}

/// Observer that takes the state at one time.
struct StateSampler {
    time: f64,
    state: Option<State>,
}

impl Observer for StateSampler {
    fn next(&self) -> f64 {
        if self.state.is_none() { self.time } else { f64::INFINITY }
    }
    fn sample(&mut self, sample: &Sample) {
        self.state = Some(sample.state().clone());
    }
}

/// Returns the distance of two states of a world for turns of this period (s); see the module documentation.
fn distance(world: &World, one: &State, two: &State, period: f64) -> f64 {
    let frequency = std::f64::consts::TAU / period;
    let mut sum = 0.0;
    for (slot, &index) in world.free.iter().enumerate() {
        let (body, layout) = (&world.bodies[index], one.layout);
        let (a, b) = (layout.pose(&one.y, slot), layout.pose(&two.y, slot));
        let turned: Quat = a.rotation.inverse() * b.rotation;
        let sign = if turned.w < 0.0 { -2.0 } else { 2.0 };
        let (angle, spin) = (turned.v * sign, a.rotation.inverse().rotate(b.spin - a.spin));
        let (x, v) = (b.position - a.position, b.velocity - a.velocity);
        sum += body.mass * v.dot(v) + spin.dot(body.inertia.of(spin));
        sum += frequency.powi(2) * (body.mass * x.dot(x) + angle.dot(body.inertia.of(angle)));
    }
    sum.sqrt()
}

/// Returns the state at the fraction `factor` of the way from one state to another at the same time. Returns nothing if the
/// two states have different touches, or if the result would have other touches.
fn intermediate_state(world: &World, from: &State, to: &State, factor: f64) -> Option<State> {
    if !factor.is_finite() || from.touches.len() != to.touches.len() || from.y.len() != to.y.len() {
        return None;
    }
    let mut state = from.clone();
    let moved = |a: f64, b: f64| if a == b { a } else { a + factor * (b - a) };
    state.y.iter_mut().zip(&to.y).for_each(|(y, to)| *y = moved(*y, *to));
    state.layout.normalise_rotations(&mut state.y);
    for (touch, to) in state.touches.iter_mut().zip(&to.touches) {
        let what = |t: &Touch| (t.site, t.phase, t.loading, t.slipping);
        if what(touch) != what(to) {
            return None;
        }
        let mut to = to.clone();
        for (_, number) in TOUCH {
            let target = *number(&mut to);
            let value = number(touch);
            let extrapolated = moved(*value, target);
            // The distance is that of the motions alone. If the motions converge faster than the memories of the touches
            // (for example their largest indentations), extrapolation would move the memory far away, further with every
            // turn.
            if (extrapolated - *value).abs() <= MAX_DISTANCE * value.abs().max(target.abs()) {
                *value = extrapolated;
            }
        }
        touch.curvatures = match (touch.curvatures, to.curvatures) {
            (Some(a), Some(b)) => Some((moved(a.0, b.0), moved(a.1, b.1))),
            (one, _) => one,
        };
        let mass = moved(touch.law.mass, to.law.mass);
        let source = &world.contacts[world.sites[touch.site].contact].law_source;
        touch.law = source.law(mass, touch.curvatures).ok()?;
    }
    let mut evaluation = Evaluation::new(world);
    let input = StepInput::at(world, from);
    let mut gaps = |state: &State| -> Vec<bool> {
        evaluation.kinematics.read(&input, state.time, &state.y);
        let open = |site: usize| {
            from.is_open[site] && evaluation.kinematics.gap(&input, site).gap.distance <= 0.0
        };
        (0..world.sites.len()).map(open).collect()
    };
    (gaps(from) == gaps(&state)).then_some(state)
}
