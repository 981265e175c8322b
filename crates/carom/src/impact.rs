//! Impacts. For now only the signature that forms call when a restitution must be found by
//! shooting.

use crate::law::{Exit, Force};

/// The value of `memory.damping` with which `form` delivers `restitution` in an impact.
pub(crate) fn shoot<F: Force>(
    _form: F,
    _mass: f64,
    _speed: f64,
    _exit: Exit,
    _restitution: f64,
) -> f64 {
    f64::NAN
}
