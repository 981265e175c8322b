//! One contact from touch to separation: a law and what it remembers.

use crate::columns::at;
use crate::error::{Error, raise};
use crate::questions::read;
use carom::law::{Force, Law, Memory, Work};
use carom::spec::Spec;
use pyo3::prelude::*;
use pyo3::types::PyFloat;

/// A contact: a law with what was frozen when the bodies touched, for use in any integrator.
///
/// Made by `Law.touch(speed)`. `force` and `tangent` are pure. A law that remembers the largest
/// indentation (plastic laws) learns it from `commit`, which is called once for every accepted step and never
/// for a trial. A law with an internal state has `has_internal` set: integrate `internal` with
/// `internal_rate` and keep `time` up to date.
#[pyclass(module = "carom")]
pub struct Contact {
    law: Law,
    /// The number that sets the dissipation, as the model writes it.
    coefficient: Option<f64>,
    memory: Memory,
}

/// A plain number in SI units. One with a unit is refused: it would lose it here.
struct Plain(f64);

impl<'a, 'py> FromPyObject<'a, 'py> for Plain {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let plain = given.is_exact_instance_of::<PyFloat>();
        if !plain && (given.hasattr("units")? || given.hasattr("unit")?) {
            return Err(Error::new_err(format!(
                "{} is not allowed: a contact takes plain numbers in SI units; convert it first, for example to m or m/s",
                given.str()?
            )));
        }
        given.extract().map(Self)
    }
}

#[pymethods]
impl Contact {
    #[new]
    fn new(spec: &str) -> PyResult<Self> {
        let spec: Spec = read("the law", spec)?;
        let case = spec.case().map_err(raise)?;
        let law = case.law().map_err(raise)?;
        let coefficient = case.model.written_coefficient(&law, case.speed);
        Ok(Self { law, coefficient, memory: law.touch(case.speed) })
    }

    /// The contact force (N), positive when it pushes; 0 where the bodies do not touch (delta < release).
    fn force(&self, delta: Plain, rate: Plain) -> f64 {
        at(&self.law, &self.memory, delta.0, rate.0)[0]
    }

    /// The tangents (dF/ddelta in N/m, dF/drate in N s/m): finite everywhere, 0 where the bodies do not touch.
    fn tangent(&self, delta: Plain, rate: Plain) -> (f64, f64) {
        let [_, stiffness, damping, _] = at(&self.law, &self.memory, delta.0, rate.0);
        (stiffness, damping)
    }

    /// The energy (J) that an infinitely slow unloading from here would give back.
    fn stored(&self, delta: Plain) -> f64 {
        at(&self.law, &self.memory, delta.0, 0.0)[3]
    }

    /// Remember an accepted step.
    fn commit(&mut self, delta: Plain, rate: Plain) {
        struct Commit(f64, f64, Memory);
        impl Work for Commit {
            type Output = Memory;
            fn run<F: Force>(self, form: F) -> Memory {
                let Commit(delta, rate, mut memory) = self;
                form.commit(delta, rate, &mut memory);
                memory
            }
        }
        self.memory = self.law.with(Commit(delta.0, rate.0, self.memory));
    }

    /// The rate of the internal state, 0 for laws that have none.
    fn internal_rate(&self, delta: Plain, rate: Plain) -> f64 {
        struct Rate(f64, f64, Memory);
        impl Work for Rate {
            type Output = f64;
            fn run<F: Force>(self, form: F) -> f64 {
                form.internal_rate(self.0, self.1, &self.2)
            }
        }
        self.law.with(Rate(delta.0, rate.0, self.memory))
    }

    /// Whether the law has an internal state that is integrated with the motion.
    #[getter]
    fn has_internal(&self) -> bool {
        struct Has;
        impl Work for Has {
            type Output = bool;
            fn run<F: Force>(self, _: F) -> bool {
                F::INTERNAL
            }
        }
        self.law.with(Has)
    }

    /// The indentation (m) at which the bodies lose touch: 0, or below 0 for adhesive necks.
    #[getter]
    fn release(&self) -> f64 {
        self.law.release()
    }

    /// When contact ends: `force` or `indentation`.
    #[getter]
    fn exit(&self) -> &'static str {
        self.law.exit.name()
    }

    /// Effective mass (kg).
    #[getter]
    fn mass(&self) -> f64 {
        self.law.mass
    }

    /// Approach speed at first touch (m/s).
    #[getter]
    fn speed(&self) -> f64 {
        self.memory.speed
    }

    /// The damping coefficient that was frozen at first touch, in the unit in which the law takes it; for laws
    /// without one the parameter that stands for it (a limiting pressure, …), and 0 where there is none.
    #[getter]
    fn damping(&self) -> f64 {
        self.coefficient.unwrap_or(0.0)
    }

    /// The largest indentation so far (m), or what the law keeps in its place.
    #[getter]
    fn peak(&self) -> f64 {
        self.memory.peak
    }

    /// Time since first touch (s); to be set for laws that depend on it.
    #[getter]
    fn time(&self) -> f64 {
        self.memory.time
    }

    #[setter]
    fn set_time(&mut self, time: Plain) {
        self.memory.time = time.0;
    }

    /// The internal state of the law.
    #[getter]
    fn internal(&self) -> f64 {
        self.memory.internal
    }

    #[setter]
    fn set_internal(&mut self, internal: Plain) {
        self.memory.internal = internal.0;
    }

    fn __repr__(&self) -> String {
        let Memory { speed, peak, .. } = self.memory;
        let damping = self.damping();
        format!("<carom.Contact speed={speed} damping={damping} peak={peak}>")
    }
}
