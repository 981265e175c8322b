//! The largest Lyapunov exponent of a run: how fast two motions that begin close to each other move apart.
//!
//! # Method
//! Two runs (Benettin, Galgani & Strelcyn, Phys. Rev. A 14 (1976) 2338–2345): beside the run itself, a *neighbour* that begins at
//! a distance d₀ from it. Once a turn the distance d is measured and the neighbour is put back to d₀ along the same direction.
//! The rate at which ln(d/d₀) adds up is the exponent: positive in chaotic motion, negative where disturbances
//! decay. Nothing is linearised, so impacts, friction and events need no treatment of their own.
//!
//! The distance is that of the energy, with the angular frequency Ω of the drive:
//! d² = Σ m|Δv|² + Δω·I·Δω + Ω²·(m|Δx|² + Δφ·I·Δφ). An exponent does not depend on it in the limit. d₀ is 10⁻⁶ of √(2E) for the
//! largest kinetic energy E so far: well above the errors of the integration (10⁻¹⁰ per step unless a scene says otherwise),
//! and small enough that the distance grows in proportion to itself.
//!
//! Where the two states have different touches (one strikes just before the section, the other just behind it) no state lies between
//! them; the neighbour is then left alone until the next turn. Where they moved so far apart that the growth is no longer
//! proportional to the distance, a neighbour begins anew, and these turns do not count.
//!
//! The exponent is the slope of the straight line through ln d over time, with all growths added up (least squares). The distance of regular
//! motions swings with its direction, and the mean of n turns keeps what the swing is at its two ends, an error of the order 1/n; the
//! line gives less weight to the ends, which leaves 1/n². In chaotic motion the line scatters by a tenth more than the mean.
//!
//! # Uncertainty
//! The exponent of a finite time scatters. Its standard error is that of the means of about √n batches of n turns, which allows
//! for neighbouring turns being alike, or that of the line, from the distances of its points, where that is larger (batches may be as
//! long as a swing). It does not contain what longer transients would change.

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

/// Distance of the neighbour as a share of the largest √(2E).
const DISTANCE: f64 = 1e-6;
/// Distance beyond which growth is not taken for proportional any more, as the same share.
const MAX_DISTANCE: f64 = 1e-3;
/// Rounding of the distance, as the same share: two motions that have become one are this far apart.
const ROUNDING: f64 = 1e-14;
/// Share of the turns that is left out, while the neighbour turns into the direction that grows fastest.
const LEFT_OUT: f64 = 0.1;

/// The largest exponent of a motion, from a finite time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Exponent {
    /// The exponent (1/s); NaN where no turn counts.
    pub value: f64,
    /// Its standard error (1/s); NaN for few turns.
    pub error: f64,
    /// Turns that count.
    pub turns: usize,
    /// Turns that do not, because the motions had moved too far apart.
    pub dropped: usize,
}

/// A run's neighbour, and how far it has moved away turn by turn.
pub(crate) struct Neighbour<'w> {
    run: Run<'w>,
    /// One turn (s).
    period: f64,
    /// The distance that it is put back to.
    distance: f64,
    /// Turns since then.
    waiting: usize,
    /// ln(d/d₀), and the turns that it took.
    growth: Vec<(f64, usize)>,
    dropped: usize,
    /// How often it began anew.
    begun: u64,
    /// False where there was no state at this distance.
    placed: bool,
}

impl<'w> Neighbour<'w> {
    /// A neighbour of this state, in a random direction, for turns of this period (s).
    pub fn new(world: &'w World, state: &State, period: f64) -> Self {
        let mut neighbour = Self {
            run: Run::resume(world, state.clone()),
            period,
            distance: 0.0,
            waiting: 0,
            growth: Vec::new(),
            dropped: 0,
            begun: 0,
            placed: false,
        };
        neighbour.begin(state);
        neighbour
    }

    /// Begins anew, at a distance from this state.
    fn begin(&mut self, state: &State) {
        let world = self.run.world();
        let mass: f64 = world.free.iter().map(|&body| world.bodies[body].mass).sum();
        let speed = (2.0 * state.largest_kinetic / mass).sqrt();
        // A motion that begins at rest has the speed of a fall of one turn.
        let fall = world.gravity.length() * self.period;
        let speed = if speed > 0.0 { speed } else { fall.max(f64::MIN_POSITIVE.sqrt()) };
        self.distance = DISTANCE * speed * mass.sqrt();
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
            let step = DISTANCE * speed;
            let reach = world.columns.reach[body].max(f64::MIN_POSITIVE);
            let (turn, length) = (step / reach, step * self.period);
            let rotation = pose.rotation.spun(spun(part(0)) * (turn * self.period));
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
        self.waiting = 0;
        let factor = self.distance / distance(world, state, &far, self.period);
        let placed = between(world, state, &far, factor);
        self.placed = placed.is_some();
        self.run = Run::resume(world, placed.unwrap_or_else(|| state.clone()));
    }

    /// Follows the run for a turn, to this state.
    ///
    /// # Errors
    /// As [`Run::step`].
    pub fn follow(&mut self, state: &State) -> Result<()> {
        let world = self.run.world();
        let mut then = StateAt { time: state.time, state: None };
        // The state is interpolated within a step: a step cut short to end at the section might end within a touch, and would be
        // less accurate.
        let own = loop {
            if let Some(found) = then.state.take() {
                break found;
            }
            self.run.step(state.time + 4.0 * self.period, &mut then)?;
        };
        self.waiting += 1;
        let found = distance(world, state, &own, self.period);
        let limit = self.distance / DISTANCE;
        if !self.placed || !(found <= MAX_DISTANCE * limit) {
            self.dropped += self.waiting;
            self.begin(state);
            return Ok(());
        }
        // Two motions that have become one: the distance is lost in rounding.
        let lost = found <= ROUNDING * limit;
        let placed = match lost {
            true => None,
            false => between(world, state, &own, self.distance / found),
        };
        if placed.is_none() && !lost {
            return Ok(());
        }
        let found = found.max(ROUNDING * limit);
        self.growth.push(((found / self.distance).ln(), self.waiting));
        self.waiting = 0;
        match placed {
            Some(placed) => self.run = Run::resume(world, placed),
            None => self.begin(state),
        }
        Ok(())
    }

    /// The exponent so far.
    pub fn exponent(&self) -> Exponent {
        let first = (LEFT_OUT * self.growth.len() as f64).ceil() as usize;
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
        let (value, line_error) = slope(counted).map_or((rate(counted), 0.0), |(slope, error)| {
            (slope / self.period, error / self.period)
        });
        let error = if means.len() > 2 { error.max(line_error) } else { f64::NAN };
        Exponent { value, error, turns, dropped: self.dropped }
    }
}

/// The slope of the line through the sums of growths over the turns that they took, and its standard error as that of points which
/// scatter independently of each other; nothing for fewer than three.
fn slope(growth: &[(f64, usize)]) -> Option<(f64, f64)> {
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

/// Takes the state at one time.
struct StateAt {
    time: f64,
    state: Option<State>,
}

impl Observer for StateAt {
    fn next(&self) -> f64 {
        if self.state.is_none() { self.time } else { f64::INFINITY }
    }
    fn sample(&mut self, sample: &Sample) {
        self.state = Some(sample.state().clone());
    }
}

/// Distance of two states of a world, for turns of this period (s); see the module comment.
fn distance(world: &World, one: &State, two: &State, period: f64) -> f64 {
    let frequency = std::f64::consts::TAU / period;
    let mut sum = 0.0;
    for (slot, &index) in world.free.iter().enumerate() {
        let (body, layout) = (&world.bodies[index], one.layout);
        let (a, b) = (layout.pose(&one.y, slot), layout.pose(&two.y, slot));
        let turned: Quat = a.rotation.inverse() * b.rotation;
        let sign = if turned.w < 0.0 { -2.0 } else { 2.0 };
        let (angle, spin) = (turned.v * sign, a.rotation.inverse().turn(b.spin - a.spin));
        let (x, v) = (b.position - a.position, b.velocity - a.velocity);
        sum += body.mass * v.dot(v) + spin.dot(body.inertia.of(spin));
        sum += frequency.powi(2) * (body.mass * x.dot(x) + angle.dot(body.inertia.of(angle)));
    }
    sum.sqrt()
}

/// The state at `factor` of the way from one state to another at the same time; nothing where they have different touches, or
/// where there would be other touches there.
fn between(world: &World, from: &State, to: &State, factor: f64) -> Option<State> {
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
            // The distance is that of the motions alone. Where these approach each other faster than what the touches remember does
            // (their largest indentations, say), extrapolation would take the memory far away, and further every turn.
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
