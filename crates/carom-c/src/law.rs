//! Laws: creation from a description, properties, and deallocation.

use crate::boundary::{
    CAROM_EXIT_FORCE, CAROM_EXIT_INDENTATION, Failure, borrow, borrow_mut, borrow_text,
    status_and_message, value_or_nan,
};
use carom::code::Formulas;
use carom::law::{Exit, Law};
use carom::own_law;
use carom::spec::Spec;
use std::ffi::{c_char, c_int};
use std::panic::catch_unwind;

/// A contact law with its parameter values.
pub struct carom_law {
    pub(crate) law: Law,
    /// How many numbers of the memory the law uses, from the first on.
    memory_size: usize,
}

/// Makes a law from a description: a JSON object with the names of `carom impact`, quantities as numbers in SI units or as text
/// with units, for example {"law": "tsuji-1992", "mass": 0.54, "stiffness": "2.4144e10 N/m^1.5", "restitution": 0.75,
/// "calibration": "exact"}. Bodies may replace mass and stiffness: "bodies": [{"shape": "sphere", "radius": "2 mm", "material":
/// "steel"}, ...]. The law is the id of a law of the catalogue, or the path or the text of a law file. No speed is needed. On
/// success *law must be freed with carom_law_free; on failure it is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_law_new(
    json: *const c_char,
    law: *mut *mut carom_law,
    error: *mut *mut c_char,
) -> c_int {
    let make = || {
        // SAFETY: the rules for pointers in lib.rs.
        let output = unsafe { borrow_mut(law) }?;
        *output = std::ptr::null_mut();
        // SAFETY: as above.
        let law = law_from_json(unsafe { borrow_text(json) }?)?;
        *output = Box::into_raw(Box::new(carom_law { memory_size: memory_size(&law), law }));
        Ok(())
    };
    // SAFETY: as above.
    unsafe { status_and_message(error, make) }
}

/// Returns the law of a description.
fn law_from_json(json: &str) -> Result<Law, Failure> {
    let mut spec: Spec = serde_json::from_str(json).map_err(|why| {
        Failure::Refused(format!("the description of the law cannot be read: {why}"))
    })?;
    spec.law = own_law::name_of(&spec.law)?;
    // A law does not depend on the speed; only the damping that some laws determine at touch does. Any speed completes the
    // description.
    spec.speed = spec.speed.or(Some(1.0.into()));
    Ok(spec.case()?.law()?)
}

/// Returns how many numbers of the memory a law uses, from the first on: the values fixed at touch, the peak, the time and the
/// internal state.
fn memory_size(law: &Law) -> usize {
    let force = Formulas::of(law).force;
    match (law.has_internal() || force.takes("time"), force.takes("peak")) {
        (true, _) => 5,
        (false, true) => 3,
        (false, false) => 2,
    }
}

/// Frees a law. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_law_free(law: *mut carom_law) {
    if !law.is_null() {
        // SAFETY: the caller received it from `carom_law_new`, which made it with `Box::into_raw`.
        drop(unsafe { Box::from_raw(law) });
    }
}

/// Returns how many of the 5 numbers of a carom_memory the law uses, from the first on: 2 if it needs only the values fixed at
/// touch (speed, damping), 3 if it needs the peak too, 5 if it needs time or internal state. The others need not be kept between
/// steps and may be 0. Returns 0 if law is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_law_memory_size(law: *const carom_law) -> usize {
    // SAFETY: the rules for pointers in lib.rs.
    unsafe { borrow(law) }.map_or(0, |law| law.memory_size)
}

/// Returns the effective mass m1*m2/(m1+m2) (kg) for which the law was made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_law_mass(law: *const carom_law) -> f64 {
    // SAFETY: the rules for pointers in lib.rs.
    value_or_nan(|| Ok(unsafe { borrow(law) }?.law.mass))
}

/// Returns the indentation (m) at which the bodies lose touch: 0, or below 0 for adhesive necks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_law_release(law: *const carom_law) -> f64 {
    // SAFETY: the rules for pointers in lib.rs.
    value_or_nan(|| Ok(unsafe { borrow(law) }?.law.release()))
}

/// Returns when contact ends: CAROM_EXIT_FORCE or CAROM_EXIT_INDENTATION; -1 if law is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_law_exit(law: *const carom_law) -> c_int {
    // SAFETY: the rules for pointers in lib.rs.
    match catch_unwind(|| unsafe { borrow(law) }.map(|law| law.law.exit)) {
        Ok(Ok(Exit::ZeroForce)) => CAROM_EXIT_FORCE,
        Ok(Ok(Exit::ZeroIndentation)) => CAROM_EXIT_INDENTATION,
        _ => -1,
    }
}

/// Returns the exit of contact that a number stands for.
pub(crate) fn exit_from_c(number: c_int) -> Result<Exit, Failure> {
    match number {
        CAROM_EXIT_FORCE => Ok(Exit::ZeroForce),
        CAROM_EXIT_INDENTATION => Ok(Exit::ZeroIndentation),
        other => Err(Failure::Refused(format!(
            "exit is {other}: it must be CAROM_EXIT_FORCE ({CAROM_EXIT_FORCE}) or CAROM_EXIT_INDENTATION \
             ({CAROM_EXIT_INDENTATION})"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::CAROM_INVALID;

    fn shared<T: Send + Sync>() {}

    #[test]
    fn laws_may_be_shared_between_threads() {
        shared::<carom_law>();
    }

    #[test]
    fn memory_sizes_follow_from_the_forces() {
        let size = |json: &str| law_from_json(json).map_or(0, |law| memory_size(&law));
        let spheres = r#""bodies": [{"shape": "sphere", "radius": 0.01, "material": "steel"},
            {"shape": "sphere", "radius": 0.01, "material": "steel"}]"#;
        assert_eq!(size(&format!(r#"{{"law": "hertz-1881", {spheres}}}"#)), 2);
        assert_eq!(
            size(&format!(
                r#"{{"law": "thornton-1997", {spheres}, "set": {{"limiting_pressure": 1e9}}}}"#
            )),
            3
        );
        let numbers = r#""mass": 1, "stiffness": 1e6, "restitution": 0.7, "calibration": "exact", "set": {"relaxation": 1e3}"#;
        assert_eq!(size(&format!(r#"{{"law": "xiong-2014", {numbers}}}"#)), 5);
    }

    #[test]
    fn wrong_pointers_are_answered() {
        // SAFETY: all pointers are NULL or valid; NULL is what this test tries.
        unsafe {
            let mut law = std::ptr::null_mut();
            assert_eq!(
                carom_law_new(std::ptr::null(), &raw mut law, std::ptr::null_mut()),
                CAROM_INVALID
            );
            assert_eq!(
                carom_law_new(c"{}".as_ptr(), std::ptr::null_mut(), std::ptr::null_mut()),
                CAROM_INVALID
            );
            assert_eq!(
                carom_law_new(c"\xff".as_ptr(), &raw mut law, std::ptr::null_mut()),
                CAROM_INVALID
            );
            assert!(law.is_null());
            assert_eq!(carom_law_memory_size(std::ptr::null()), 0);
            assert!(carom_law_mass(std::ptr::null()).is_nan());
            assert!(carom_law_release(std::ptr::null()).is_nan());
            assert_eq!(carom_law_exit(std::ptr::null()), -1);
            carom_law_free(std::ptr::null_mut());
        }
    }
}
