//! The boundary to C: status codes, error messages, conversion of pointers to references, and catching of panics.

use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Success.
pub const CAROM_OK: c_int = 0;
/// The description or a number is not allowed; the message states what is allowed.
pub const CAROM_REFUSED: c_int = 1;
/// A pointer is NULL or not aligned, or a text is not UTF-8.
pub const CAROM_INVALID: c_int = 2;
/// Defect of the library: please report it.
pub const CAROM_DEFECT: c_int = 3;

/// Contact ends when the force returns to zero during separation; contacts do not pull.
pub const CAROM_EXIT_FORCE: c_int = 0;
/// Contact ends when the indentation returns to zero (or to carom_law_release, where that is less).
pub const CAROM_EXIT_INDENTATION: c_int = 1;

/// Reason why a call failed.
pub(crate) enum Failure {
    /// The library refused the request; the text gives the reason.
    Refused(String),
    /// An argument is unusable.
    Invalid(&'static str),
}

impl From<carom::Error> for Failure {
    fn from(error: carom::Error) -> Self {
        Self::Refused(error.to_string())
    }
}

/// Runs a call and converts a failure or a panic to a status code and a message.
///
/// # Safety
/// `error` is NULL or can be written.
pub(crate) unsafe fn status_and_message(
    error: *mut *mut c_char,
    call: impl FnOnce() -> Result<(), Failure>,
) -> c_int {
    let (status, message) = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => (CAROM_OK, None),
        Ok(Err(Failure::Refused(sentence))) => (CAROM_REFUSED, Some(sentence)),
        Ok(Err(Failure::Invalid(what))) => (CAROM_INVALID, Some(what.to_string())),
        Err(_) => (CAROM_DEFECT, Some("a defect of carom: please report the description".into())),
    };
    if !error.is_null() && error.is_aligned() {
        let text = message.and_then(|message| CString::new(message.replace('\0', " ")).ok());
        // SAFETY: not NULL, and writable as the caller promises.
        unsafe { error.write(text.map_or(std::ptr::null_mut(), CString::into_raw)) };
    }
    status
}

/// Runs a call and converts a failure or a panic to a status code.
pub(crate) fn status(call: impl FnOnce() -> Result<(), Failure>) -> c_int {
    // SAFETY: NULL is allowed.
    unsafe { status_and_message(std::ptr::null_mut(), call) }
}

/// Runs a call that returns a number; returns NaN if it fails.
pub(crate) fn value_or_nan(call: impl FnOnce() -> Result<f64, Failure>) -> f64 {
    catch_unwind(AssertUnwindSafe(call)).ok().and_then(Result::ok).unwrap_or(f64::NAN)
}

/// Checks that a number is finite and above 0, and returns it.
pub(crate) fn check_positive(name: &str, value: f64) -> Result<f64, Failure> {
    match value > 0.0 && value < f64::INFINITY {
        true => Ok(value),
        false => Err(Failure::Refused(format!("{name} is {value}: it must be above 0 and finite"))),
    }
}

const INVALID_POINTER: Failure = Failure::Invalid("a pointer is NULL or not aligned");

/// Refuses a pointer that is NULL, misaligned, or whose `count` values would not fit into the address space.
fn check_pointer<T>(pointer: *const T, count: usize) -> Result<(), Failure> {
    let fits = count <= isize::MAX as usize / size_of::<T>();
    if !pointer.is_null() && pointer.is_aligned() && fits { Ok(()) } else { Err(INVALID_POINTER) }
}

/// Returns a reference to the value of a pointer.
///
/// # Safety
/// The pointer is NULL, or it points to a value that nobody changes during `'a`.
pub(crate) unsafe fn borrow<'a, T>(pointer: *const T) -> Result<&'a T, Failure> {
    check_pointer(pointer, 1)?;
    // SAFETY: checked for NULL and alignment; the caller guarantees the rest.
    Ok(unsafe { &*pointer })
}

/// Returns a mutable reference to the value of a pointer.
///
/// # Safety
/// The pointer is NULL, or it points to a value that nobody else uses during `'a`.
pub(crate) unsafe fn borrow_mut<'a, T>(pointer: *mut T) -> Result<&'a mut T, Failure> {
    check_pointer(pointer, 1)?;
    // SAFETY: checked for NULL and alignment; the caller guarantees the rest.
    Ok(unsafe { &mut *pointer })
}

/// Returns a column of `count` values as a slice.
///
/// # Safety
/// As [`borrow`], for all of the values.
pub(crate) unsafe fn borrow_column<'a, T>(
    pointer: *const T,
    count: usize,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check_pointer(pointer, count)?;
    // SAFETY: checked for NULL, alignment and size; the caller guarantees the rest.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Returns a column of `count` values as a mutable slice.
///
/// # Safety
/// As [`borrow_mut`], for all of the values.
pub(crate) unsafe fn borrow_column_mut<'a, T>(
    pointer: *mut T,
    count: usize,
) -> Result<&'a mut [T], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_pointer(pointer, count)?;
    // SAFETY: checked for NULL, alignment and size; the caller guarantees the rest.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Returns a text that ends with a zero byte.
///
/// # Safety
/// The pointer is NULL or points to such a text.
pub(crate) unsafe fn borrow_text<'a>(pointer: *const c_char) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(INVALID_POINTER);
    }
    // SAFETY: checked for NULL; the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::Invalid("the text is not UTF-8"))
}

/// Returns the version of the library, for example "0.2.0". The text is valid as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn carom_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Frees a message. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn carom_string_free(message: *mut c_char) {
    if !message.is_null() {
        // SAFETY: the caller received it from this library, which made it with `CString::into_raw`.
        drop(unsafe { CString::from_raw(message) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        assert_eq!(status(|| panic!("on purpose, for a test")), CAROM_DEFECT);
        assert!(value_or_nan(|| panic!("on purpose, for a test")).is_nan());
        let mut message = std::ptr::null_mut();
        // SAFETY: `message` can be written, and what it receives is freed below.
        let reason =
            unsafe { status_and_message(&raw mut message, || panic!("on purpose, for a test")) };
        assert_eq!(reason, CAROM_DEFECT);
        // SAFETY: it was written by `status_and_message`.
        assert!(unsafe { borrow_text(message) }.is_ok_and(|text| text.contains("defect")));
        // SAFETY: as above.
        unsafe { carom_string_free(message) };
    }

    #[test]
    fn columns_that_cannot_be_are_refused() {
        let value = 1.0f64;
        let place: *const f64 = &raw const value;
        // SAFETY: only `value` is read; the other columns are refused.
        unsafe {
            assert!(borrow_column(place, 1).is_ok());
            assert!(borrow_column::<f64>(std::ptr::null(), 0).is_ok());
            assert!(borrow_column::<f64>(std::ptr::null(), 1).is_err());
            assert!(borrow_column(place.byte_add(1), 1).is_err());
            assert!(borrow_column(place, usize::MAX).is_err());
            assert!(borrow_column_mut::<f64>(std::ptr::null_mut(), 3).is_err());
        }
    }
}
