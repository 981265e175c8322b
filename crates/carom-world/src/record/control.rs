//! Motors whose force or torque is set by an external controller.
//!
//! The controller is called at the times 0, T, 2T, … of a fixed interval T with the readings of the sensors. The forces and
//! torques that it returns are held until the next call (zero-order hold). Steps end at these times, so no step extends
//! across a jump of a force.

use crate::measure::{Instant, Reading};
use crate::{Run, Sample, Scene};
use carom::{Error, Result};
use std::fmt;

/// A controller: a function of the time (s) and the readings of all sensors by name that returns the forces or torques of
/// motors by name (N or N·m). A motor that is not named keeps its value.
pub type Controller<'c> =
    Box<dyn FnMut(f64, &[(&str, Reading)]) -> Result<Vec<(String, f64)>> + Send + Sync + 'c>;

/// A controller with its interval and its last call.
pub(super) struct ActiveController<'c> {
    controller: Controller<'c>,
    interval: f64,
    /// Number of the last control instant at which the controller was called.
    last_call: Option<f64>,
    instant: Instant,
}

impl fmt::Debug for ActiveController<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a controller every {} s", self.interval)
    }
}

impl<'c> ActiveController<'c> {
    pub fn new(scene: &Scene, controller: Controller<'c>) -> Result<Self> {
        let interval = scene.control_interval.filter(|_| scene.world.check_motors().is_err());
        let Some(interval) = interval else {
            let advice =
                "give controller = true to a [[motor]], and control_interval in [simulation]";
            return Err(Error::missing("a motor with a controller", advice));
        };
        Ok(Self { controller, interval, last_call: None, instant: Instant::new(&scene.world) })
    }

    /// Calls the controller if the run has reached a control instant, and returns the next control instant (s).
    pub fn act(&mut self, run: &mut Run) -> Result<f64> {
        let time = run.state().time;
        let number = (time / self.interval * (1.0 + 1e-12)).floor();
        let at_instant = number * self.interval >= time;
        if at_instant && self.last_call != Some(number) {
            let efforts = self.call(run)?;
            self.last_call = Some(number);
            run.set_efforts(&efforts);
        }
        Ok((number + 1.0) * self.interval)
    }

    fn call(&mut self, run: &Run) -> Result<Vec<f64>> {
        let (world, state) = (run.world(), run.state());
        let sample = Sample::of(world, state);
        self.instant.evaluate(&sample, &sample.forces());
        let read = |sensor: &crate::sensor::Sensor| self.instant.read(&sample, sensor);
        let readings: Vec<(&str, Reading)> =
            world.sensors.iter().map(|sensor| (sensor.name.as_str(), read(sensor))).collect();
        let answer = (self.controller)(state.time, &readings)?;
        let mut efforts = state.held_efforts.clone();
        for (name, value) in answer {
            let known = || world.held_motors().map(|motor| motor.name.as_str());
            let Some(number) = known().position(|motor| motor == name) else {
                let all: Vec<_> = known().collect();
                let otherwise = format!("motors with a controller are {}", all.join(", "));
                return Err(Error::unknown("motor", &name, known(), otherwise));
            };
            if !value.is_finite() {
                let (what, advice) =
                    (format!("the effort of motor `{name}`"), "check the controller");
                return Err(Error::invalid(what, value, "a finite number", advice));
            }
            efforts[number] = value;
        }
        Ok(efforts)
    }
}
