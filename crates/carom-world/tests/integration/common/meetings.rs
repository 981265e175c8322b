//! Random scenes in which a body with prescribed motion meets another body, and the time of the first touch from the closed form
//! of the gap.
//!
//! The gap is known as a function of time until the first touch: a ball falls freely or rests, and the driven body follows its
//! prescribed motion. The first root is found by small steps of time and bisection, without any code of a run.

use carom::law::{Exit, Law, Power};
use carom::numeric::random::{self, Sequence};
use carom_world::joint::{Drive, Joint, Kind, Mount};
use carom_world::math::{Mat3, Quat, Vec3};
use carom_world::motion::{Accelerogram, MotionTable};
use carom_world::{
    Body, Contact, Mobility, Motion, Observer, Path, Placed, Run, Shape, Touch, World,
};

/// Generator of reproducible pseudo-random numbers in (0, 1).
pub struct Dice(Sequence);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(Sequence::new(seed))
    }
    pub fn roll(&mut self) -> f64 {
        self.0.unit()
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.roll()
    }
    /// Returns a number whose logarithm is uniformly distributed.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.roll())
    }
}

/// A scene, the duration of its run, the gap over time, and a time step in which the gap changes little.
pub struct Meeting {
    pub what: &'static str,
    pub world: World,
    pub duration: f64,
    pub gap: Box<dyn Fn(f64) -> f64>,
    pub fine: f64,
}

const G: f64 = 9.81;
const RADIUS: f64 = 0.005;

fn law(mass: f64) -> Law {
    Law::new(mass, Exit::ZeroForce, Power::elastic(1e6, 1.0))
}

fn ball(at: Vec3, velocity: Vec3) -> Body {
    let shape = Shape::Sphere { radius: RADIUS };
    Body::of("ball", &shape, 2500.0).unwrap().at(at).moving(velocity)
}

fn driven(motion: Motion) -> Body {
    let still = Body::new("driven", 1.0, Mat3::default());
    Body { mobility: Mobility::Driven(Path::along(Vec3::Z, motion)), ..still }
}

/// Builds a world with a ball above (or at rest in front of) a shape that is driven along z.
fn pair(gravity: f64, at: f64, speed: f64, motion: Motion, shape: Shape) -> World {
    let mut world = World::default().under(Vec3::Z * -gravity);
    let table = world.add_body(driven(motion)).unwrap();
    let table = world.add_shape(Placed::on(table, shape)).unwrap();
    let body = ball(Vec3::Z * at, Vec3::Z * speed);
    let mass = body.mass;
    let body = world.add_body(body).unwrap();
    let own = world.add_shape(Placed::on(body, Shape::Sphere { radius: RADIUS })).unwrap();
    world.add_contact(Contact::new(own, table, law(mass))).unwrap();
    world
}

/// Returns the scene with this number.
pub fn meeting(number: u64) -> Meeting {
    let mut dice = Dice::new(random::stream(0x5DEE_CE66, number));
    let mut meeting = match number % 6 {
        0 => table(&mut dice, false),
        1 => table(&mut dice, true),
        2 => rows(&mut dice),
        3 => record(&mut dice),
        4 => plate(&mut dice),
        _ => arm(&mut dice),
    };
    // A touch must not be missed at any tolerance.
    if number % 12 >= 6 {
        meeting.world.tolerance = dice.scale(1e-12, 1e-4);
    }
    meeting
}

/// Returns a ball that falls on a vibrating table, or rests in front of one.
fn table(dice: &mut Dice, resting: bool) -> Meeting {
    let (amplitude, frequency) = (dice.scale(1e-6, 1e-2), dice.scale(5.0, 5e4));
    let phase = dice.between(0.0, std::f64::consts::TAU);
    let motion = Motion::Sine { offset: 0.0, amplitude, frequency, phase };
    let z = move |t: f64| amplitude * (frequency * t + phase).sin();
    let low = RADIUS + 1.0001 * z(0.0).max(0.0);
    let (gravity, at, speed, duration) = match resting {
        true => (0.0, RADIUS + amplitude * dice.between(0.3, 0.99), 0.0, 7.0 / frequency),
        false => {
            let at = low + dice.scale(0.01 * amplitude, 0.1);
            (G, at.max(low), dice.between(-0.5, 0.5), 1.0)
        }
    };
    let at = at.max(low + 1e-3 * amplitude);
    let world = pair(gravity, at, speed, motion, Shape::HalfSpace);
    let gap = move |t: f64| at + speed * t - 0.5 * gravity * t * t - RADIUS - z(t);
    let what = if resting {
        "a vibrating table meets a ball at rest"
    } else {
        "a drop on a vibrating table"
    };
    Meeting { what, world, duration, gap: Box::new(gap), fine: 0.005 / frequency }
}

/// Returns a ball on a table whose motion is given by rows of times and values.
fn rows(dice: &mut Dice) -> Meeting {
    let (span, amplitude) = (dice.scale(1e-3, 0.1), dice.scale(1e-5, 1e-2));
    let (mut times, mut values, mut t) = (Vec::new(), Vec::new(), dice.between(0.0, 0.1));
    for _ in 0..40 {
        times.push(t);
        values.push(amplitude * dice.between(-1.0, 1.0));
        t += span * dice.between(0.1, 1.0);
    }
    let cubic = dice.roll() < 0.5;
    let made =
        if cubic { MotionTable::cubic(times, values) } else { MotionTable::new(times, values) };
    let motion = Motion::Table(made.unwrap());
    let at = RADIUS + motion.at(0.0).value.max(0.0) + dice.scale(0.01 * amplitude, 0.1);
    let world = pair(G, at, 0.0, motion.clone(), Shape::HalfSpace);
    let gap = move |t: f64| at - 0.5 * G * t * t - RADIUS - motion.at(t).value;
    let what =
        if cubic { "a drop on a cubic table of rows" } else { "a drop on a linear table of rows" };
    Meeting { what, world, duration: 1.0, gap: Box::new(gap), fine: 1e-3 * span }
}

/// Returns a ball on a table that follows an accelerogram.
fn record(dice: &mut Dice) -> Meeting {
    let (interval, hard) = (dice.scale(1e-3, 0.03), dice.scale(0.3, 300.0));
    let samples = (0..60).map(|_| hard * dice.between(-1.0, 1.0)).collect();
    let motion = Motion::Accelerogram(Accelerogram::new(interval, samples).unwrap());
    let at = RADIUS + dice.scale(1e-6, 0.1);
    let world = pair(G, at, 0.0, motion.clone(), Shape::HalfSpace);
    let gap = move |t: f64| at - 0.5 * G * t * t - RADIUS - motion.at(t).value;
    let what = "a drop on a table with an earthquake";
    Meeting { what, world, duration: 1.0, gap: Box::new(gap), fine: 2e-3 * interval }
}

/// Returns a thin plate that oscillates or moves steadily through the position of a ball at rest.
fn plate(dice: &mut Dice) -> Meeting {
    let half = dice.scale(1e-4, 1e-3);
    let shape = Shape::Box { half: Vec3::new(0.05, 0.05, half) };
    let away = RADIUS + half;
    let (motion, fine, duration) = match dice.roll() < 0.5 {
        true => {
            let rate = -dice.scale(1e-3, 300.0);
            let wait = dice.between(0.0, 1.0);
            (Motion::Steady { value: 1.5 * away - wait * rate, rate }, 1e-4 * away / -rate, 1.5)
        }
        false => {
            let (amplitude, frequency) = (dice.scale(0.02, 0.5), dice.scale(1.0, 2e3));
            let phase = dice.between(-1.0, 1.0);
            let from = 1.3 * away + amplitude * phase.sin().abs();
            let offset = dice.between(from, from + 0.3 * amplitude);
            let fine = 1e-3 * (away / amplitude).min(1.0) / frequency;
            (Motion::Sine { offset, amplitude, frequency, phase }, fine, 20.0 / frequency)
        }
    };
    let world = pair(0.0, 0.0, 0.0, motion.clone(), shape);
    let gap = move |t: f64| motion.at(t).value.abs() - away;
    // The touch with the steadily moving plate is searched only where the plate comes near.
    Meeting { what: "a thin plate meets a ball at rest", world, duration, gap: Box::new(gap), fine }
}

/// Returns an arm on a driven joint with a ball at its end, which meets a ball at rest.
fn arm(dice: &mut Dice) -> Meeting {
    let (length, amplitude) = (dice.between(0.05, 0.3), dice.between(0.3, 1.5));
    let (frequency, phase) = (dice.scale(1.0, 1e3), dice.between(-1.0, 1.0));
    let motion = Motion::Sine { offset: 0.0, amplitude, frequency, phase };
    let angle = move |t: f64| amplitude * (frequency * t + phase).sin();
    // The position of the ball is chosen so that the arm starts apart from it and later passes it.
    let sign = if angle(0.0) > 0.0 { -1.0 } else { 1.0 };
    let least = (3.0 * RADIUS / (length * amplitude)).min(0.9);
    let target = sign * amplitude * dice.between(least.max(0.3), 0.95);
    let target = Quat::about(Vec3::Z, target).rotate(Vec3::X);
    let target = target * (length + RADIUS * dice.between(-1.5, 1.5));
    let mut world = World::default();
    let moment = Mat3::diagonal(Vec3::new(1e-3, 1e-3, 1e-3));
    let start = Quat::about(Vec3::Z, angle(0.0));
    let own = world.add_body(Body::new("arm", 1.0, moment).turned(start)).unwrap();
    let tip = Placed::on(own, Shape::Sphere { radius: RADIUS }).at(Vec3::X * length);
    let tip = world.add_shape(tip).unwrap();
    let mount = |body: usize| Mount { body, ..Mount::default() };
    let (a, b) = (mount(own), mount(0));
    let drive = Drive::Angle(motion);
    world
        .add_joint(Joint {
            name: "pivot".into(),
            kind: Kind::Revolute,
            a,
            b,
            drive,
            friction: None,
        })
        .unwrap();
    let body = ball(target, Vec3::ZERO);
    let mass = body.mass;
    let body = world.add_body(body).unwrap();
    let shape = world.add_shape(Placed::on(body, Shape::Sphere { radius: RADIUS })).unwrap();
    world.add_contact(Contact::new(tip, shape, law(mass))).unwrap();
    let gap = move |t: f64| {
        let at = Vec3::new(angle(t).cos(), angle(t).sin(), 0.0) * length;
        (at - target).length() - 2.0 * RADIUS
    };
    let fine = 0.1 * RADIUS / (length * amplitude * frequency);
    Meeting {
        what: "a driven arm meets a ball at rest",
        world,
        duration: 20.0 / frequency,
        gap: Box::new(gap),
        fine,
    }
}

impl Meeting {
    /// Returns the time when the gap first closes, and its smallest local minimum before (infinite if there is none).
    pub fn expected(&self) -> (Option<f64>, f64) {
        let steps = (self.duration / self.fine).ceil().min(5e6) as usize;
        let h = self.duration / steps as f64;
        let mut last = [f64::INFINITY; 2];
        let mut narrowest = f64::INFINITY;
        for i in 0..=steps {
            let t = h * i as f64;
            let now = (self.gap)(t);
            // A minimum of the gap between two of these times.
            if last[1] <= last[0] && last[1] < now {
                narrowest = narrowest.min(last[1]);
            }
            if now <= 0.0 {
                let (mut low, mut high) = (t - h, t);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if (self.gap)(middle) > 0.0 { low = middle } else { high = middle }
                }
                return (Some(high), narrowest);
            }
            last = [last[1], now];
        }
        (None, narrowest)
    }

    /// Returns the time at which a run finds the first touch.
    pub fn found(&self) -> carom::Result<Option<f64>> {
        struct First(Option<f64>);
        impl Observer for First {
            fn began(&mut self, _world: &World, time: f64, _touch: &Touch) {
                self.0.get_or_insert(time);
            }
        }
        let (mut run, mut first) = (Run::new(&self.world)?, First(None));
        while run.state().time < self.duration && first.0.is_none() {
            run.step(self.duration, &mut first)?;
        }
        Ok(first.0)
    }

    /// Returns a description of the error of a run, if there is one.
    pub fn wrong(&self) -> Option<String> {
        let (expected, narrowest) = self.expected();
        // A grazing touch cannot be distinguished from a miss.
        if narrowest < 1e-8 {
            return None;
        }
        let found = match self.found() {
            Ok(found) => found,
            Err(error) => return Some(format!("{}: {error}", self.what)),
        };
        let off = match (found, expected) {
            (None, None) => return None,
            (Some(found), _) => (self.gap)(found).abs(),
            (None, Some(_)) => f64::INFINITY,
        };
        let late = match (found, expected) {
            (Some(found), Some(expected)) => {
                let allowed = (1e-6 + 10.0 * self.world.tolerance) * (1.0 + expected);
                (found - expected).abs() > allowed
            }
            _ => true,
        };
        (off > 1e-9 + 10.0 * self.world.tolerance * RADIUS || late).then(|| {
            let what = self.what;
            format!(
                "{what}: {found:?}, not {expected:?} (gap {off:e}, narrowest before {narrowest:e})"
            )
        })
    }
}
