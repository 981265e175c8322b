//! The class `Contact`: a law with the memory of one contact, from touch to separation.

use crate::c_function::CFunction;
use crate::columns::{Arrays, arrays, broadcast, force, force_and_tangents, row_count};
use crate::error::{Error, raise};
use crate::questions::read;
use carom::batch::OnFailure;
use carom::law::{Law, Memory};
use carom::spec::Spec;
use carom::{Stop, batch};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyList, PyTuple};

/// A contact: a law with the quantities that were fixed when the bodies touched, for use in any integrator.
///
/// Made by `Law.touch(speed)`. `force` and `tangent` change nothing. A law that depends on the largest indentation (plastic laws)
/// obtains it from `commit`, which is called once for every accepted step and never for a trial. A law with an internal state has
/// `has_internal` set: integrate `internal` with `internal_rate` and keep `time` up to date.
#[pyclass(module = "carom")]
pub struct Contact {
    law: Law,
    /// Number that determines the dissipation, as the model defines it.
    coefficient: Option<f64>,
    memory: Memory,
    /// Description and the `carom.Law` from which the contact was made, for pickling.
    spec: String,
    made_by: Option<Py<PyAny>>,
}

/// A plain number in SI units. A quantity with a unit is refused, because its unit would be lost.
struct PlainNumber(f64);

impl<'a, 'py> FromPyObject<'a, 'py> for PlainNumber {
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
    #[pyo3(signature = (spec, made_by=None))]
    fn new(spec: &str, made_by: Option<Py<PyAny>>) -> PyResult<Self> {
        let described: Spec = read("the law", spec)?;
        let case = described.case().map_err(raise)?;
        let law = case.law().map_err(raise)?;
        let coefficient = case.model.written_coefficient(&law, case.speed);
        let memory = law.touch(case.speed);
        Ok(Self { law, coefficient, memory, spec: spec.to_string(), made_by })
    }

    /// Returns the contact force (N), positive when it pushes; 0 where the bodies do not touch (delta < release).
    ///
    /// The arguments are numbers, or arrays that broadcast.
    fn force<'py>(
        &self,
        delta: &Bound<'py, PyAny>,
        rate: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if are_floats(delta, rate) {
            let found = force(&self.law, &self.memory, delta.extract()?, rate.extract()?);
            return Ok(PyFloat::new(delta.py(), found).into_any());
        }
        let [force] = self.evaluate(delta, Some(rate), |[force, ..]| [force])?;
        Ok(force)
    }

    /// Returns the tangents (dF/ddelta in N/m, dF/drate in N s/m): finite everywhere, 0 where the bodies do not touch.
    ///
    /// The arguments are numbers, or arrays that broadcast.
    fn tangent<'py>(
        &self,
        delta: &Bound<'py, PyAny>,
        rate: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let found =
            self.evaluate(delta, Some(rate), |[_, by_delta, by_rate, _]| [by_delta, by_rate])?;
        PyTuple::new(delta.py(), found)
    }

    /// Returns the energy (J) that an infinitely slow unloading from this indentation would return, for a number or an array.
    fn stored<'py>(&self, delta: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let [stored] = self.evaluate(delta, None, |[.., stored]| [stored])?;
        Ok(stored)
    }

    /// Returns the force of this contact with its present memory, which does not change, as a C function for compiled loops:
    /// `force`, `stiffness` and `damping` are `double (double delta, double rate, void *contact)`, `force_at_rest` is `double
    /// (double delta, void *contact)`.
    #[pyo3(signature = (what="force"))]
    fn c_function(&self, what: &str) -> PyResult<CFunction> {
        CFunction::new(what, self.law, self.memory)
    }

    /// Returns how to make the same contact with the same memory, for pickling and copying.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = py.import("carom._contact")?.getattr("restore_contact")?;
        let me = slf.borrow();
        let Memory { peak, time, internal, .. } = me.memory;
        let law = me.made_by.as_ref().map(|law| law.clone_ref(py));
        let arguments =
            (&me.spec, law, me.memory.speed, (peak, time, internal)).into_pyobject(py)?;
        PyTuple::new(py, [restore, arguments.into_any()])
    }

    /// Sets the memory of a contact that is unpickled.
    fn _remember(&mut self, peak: f64, time: f64, internal: f64) {
        self.memory = Memory { peak, time, internal, ..self.memory };
    }

    /// Updates the memory after an accepted step.
    fn commit(&mut self, delta: PlainNumber, rate: PlainNumber) {
        self.law.commit(delta.0, rate.0, &mut self.memory);
    }

    /// Returns the rate of the internal state; 0 for laws that have none.
    fn internal_rate(&self, delta: PlainNumber, rate: PlainNumber) -> f64 {
        self.law.internal_rate(delta.0, rate.0, &self.memory)
    }

    /// Whether the law has an internal state that is integrated with the motion.
    #[getter]
    fn has_internal(&self) -> bool {
        self.law.has_internal()
    }

    /// Indentation (m) at which the bodies lose touch: 0, or below 0 for adhesive necks.
    #[getter]
    fn release(&self) -> f64 {
        self.law.release()
    }

    /// End of contact: at zero `force` or zero `indentation`.
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

    /// Damping coefficient that was fixed at first touch, in the unit of the law. For laws without one it is the parameter that
    /// takes its place (a limiting pressure, …), or 0 if there is none.
    #[getter]
    fn damping(&self) -> f64 {
        self.coefficient.unwrap_or(0.0)
    }

    /// Largest indentation so far (m), or the quantity that the law stores in its place.
    #[getter]
    fn peak(&self) -> f64 {
        self.memory.peak
    }

    /// Time since first touch (s); must be set for laws that depend on it.
    #[getter]
    fn time(&self) -> f64 {
        self.memory.time
    }

    #[setter]
    fn set_time(&mut self, time: PlainNumber) {
        self.memory.time = time.0;
    }

    /// Internal state of the law.
    #[getter]
    fn internal(&self) -> f64 {
        self.memory.internal
    }

    #[setter]
    fn set_internal(&mut self, internal: PlainNumber) {
        self.memory.internal = internal.0;
    }

    fn __repr__(&self) -> String {
        let Memory { speed, peak, .. } = self.memory;
        let damping = self.damping();
        format!("<carom.Contact speed={speed} damping={damping} peak={peak}>")
    }
}

/// Returns whether both are plain floats, which need no conversion.
fn are_floats(delta: &Bound<'_, PyAny>, rate: &Bound<'_, PyAny>) -> bool {
    delta.is_exact_instance_of::<PyFloat>() && rate.is_exact_instance_of::<PyFloat>()
}

impl Contact {
    /// Computes some of force, ∂F/∂δ, ∂F/∂δ̇ and stored energy, at a point or at all points of arrays that broadcast.
    fn evaluate<'py, const N: usize>(
        &self,
        delta: &Bound<'py, PyAny>,
        rate: Option<&Bound<'py, PyAny>>,
        choose: impl Fn([f64; 4]) -> [f64; N] + Sync,
    ) -> PyResult<[Bound<'py, PyAny>; N]> {
        let py = delta.py();
        let is_array = |given: &Bound<'py, PyAny>| -> PyResult<bool> {
            if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
                return Ok(true);
            }
            Ok(given.hasattr("shape")? && given.getattr("shape")?.len().is_ok_and(|axes| axes > 0))
        };
        let resting = PyFloat::new(py, 0.0).into_any();
        let rate = rate.unwrap_or(&resting);
        if !is_array(delta)? && !is_array(rate)? {
            let (delta, rate): (PlainNumber, PlainNumber) = (delta.extract()?, rate.extract()?);
            let found = choose(force_and_tangents(&self.law, &self.memory, delta.0, rate.0));
            return Ok(found.map(|number| PyFloat::new(py, number).into_any()));
        }
        let motion = py.import("carom._contact")?.getattr("motion_arrays")?;
        let (values, shape): (Arrays<'py>, Vec<usize>) = motion.call1((delta, rate))?.extract()?;
        let names = ["delta", "rate"].map(String::from);
        let columns = broadcast(&names, &values, &shape)?;
        let (law, memory) = (self.law, self.memory);
        let stop = Stop::default();
        let found = batch::each(
            &columns,
            row_count(&shape)?,
            (1, OnFailure::Stop, &stop),
            |_: &mut (), values: &[f64], found: &mut [f64; N]| {
                if let [delta, rate] = *values {
                    *found = choose(force_and_tangents(&law, &memory, delta, rate));
                }
                Ok(())
            },
        );
        let found = arrays(py, found.map_err(|failed| raise(failed.error))?, &shape)?;
        let found: Result<[Bound<'py, PyAny>; N], _> =
            found.into_iter().map(Bound::into_any).collect::<Vec<_>>().try_into();
        found.map_err(|_| Error::new_err("a contact has no such numbers"))
    }
}
