//! Checks whether results fit into memory before anything is allocated, so that a lack of memory raises `MemoryError` instead of
//! killing the interpreter.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::fs::read_to_string;

/// Size up to which the available memory is not checked, because that would take longer than computing the results.
const UNCHECKED_BYTES: u128 = 1 << 24;

/// Refuses a size of `bytes` that is not available to this process; `what` describes what needs them.
#[pyfunction]
pub fn room(what: &str, bytes: u128) -> PyResult<()> {
    let available = if bytes < UNCHECKED_BYTES { None } else { available() };
    let too_many = available.is_some_and(|available| bytes > u128::from(available));
    if !too_many && usize::try_from(bytes).is_ok_and(can_be_reserved) {
        return Ok(());
    }
    let has =
        available.map_or_else(String::new, |available| format!(", and {available} are available"));
    Err(PyMemoryError::new_err(format!("{what} needs {bytes} bytes{has}; compute fewer at a time")))
}

/// Returns whether this much address space can be reserved, which respects limits of the process (`ulimit -v`); it is released at
/// once.
fn can_be_reserved(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Returns the available memory (bytes); `None` on systems without /proc.
fn available() -> Option<u64> {
    let machine = available_in_machine(&read_to_string("/proc/meminfo").ok()?)?;
    Some(available_in_control_group().map_or(machine, |group| group.min(machine)))
}

/// Returns the available memory and swap of the machine.
fn available_in_machine(meminfo: &str) -> Option<u64> {
    let field = |name: &str| -> Option<u64> {
        let line = meminfo.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(field("MemAvailable:")?.saturating_add(field("SwapFree:").unwrap_or(0)))
}

/// Returns the available memory of the control group to which containers and batch systems assign processes.
fn available_in_control_group() -> Option<u64> {
    let number = |path: String| -> Option<u64> { read_to_string(path).ok()?.trim().parse().ok() };
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let mine = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    // The group itself, as seen from outside and from inside a container; then the path of control groups version 1.
    let places = [
        (format!("/sys/fs/cgroup{mine}"), "memory.max", "memory.current"),
        ("/sys/fs/cgroup".into(), "memory.max", "memory.current"),
        ("/sys/fs/cgroup/memory".into(), "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ];
    places.iter().find_map(|(folder, most, used)| {
        let most = number(format!("{folder}/{most}"))?;
        let used = number(format!("{folder}/{used}"))?;
        // Cached pages of files count as used, but are freed when memory is needed.
        let stat = read_to_string(format!("{folder}/memory.stat")).unwrap_or_default();
        let files = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
        let files = files.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(files)))
    })
}
