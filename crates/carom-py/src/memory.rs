//! Whether results have room, before anything is allocated: what does not fit is a `MemoryError` and not the end of the
//! interpreter.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::fs::read_to_string;

/// Up to so many bytes only the allocator is asked.
const LITTLE: u128 = 1 << 24;

/// Refuses `bytes` that this process cannot have; `what` needs them.
#[pyfunction]
pub fn room(what: &str, bytes: u128) -> PyResult<()> {
    // So little that asking how much there is would cost more than computing it.
    let little = bytes < LITTLE;
    let available = if little { None } else { available() };
    let too_many = available.is_some_and(|available| bytes > u128::from(available));
    if !too_many && usize::try_from(bytes).is_ok_and(can_be_had) {
        return Ok(());
    }
    let has =
        available.map_or_else(String::new, |available| format!(", and {available} are available"));
    Err(PyMemoryError::new_err(format!("{what} needs {bytes} bytes{has}; compute fewer at a time")))
}

/// Whether the system gives so much address space; it is given back at once, unused. Limits of the process (`ulimit -v`)
/// are felt here.
fn can_be_had(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Bytes that can be used without taking them from others; unknown on systems without /proc.
fn available() -> Option<u64> {
    let machine = of_machine(&read_to_string("/proc/meminfo").ok()?)?;
    Some(of_group().map_or(machine, |group| group.min(machine)))
}

/// Of the machine: memory that is free or can be freed, and swap.
fn of_machine(meminfo: &str) -> Option<u64> {
    let field = |name: &str| -> Option<u64> {
        let line = meminfo.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(field("MemAvailable:")?.saturating_add(field("SwapFree:").unwrap_or(0)))
}

/// Of the control group that a container or a batch system puts processes into.
fn of_group() -> Option<u64> {
    let number = |path: String| -> Option<u64> { read_to_string(path).ok()?.trim().parse().ok() };
    let groups = read_to_string("/proc/self/cgroup").ok()?;
    let mine = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/");
    // The group itself, as seen from outside and from inside a container; then the older kind.
    let places = [
        (format!("/sys/fs/cgroup{mine}"), "memory.max", "memory.current"),
        ("/sys/fs/cgroup".into(), "memory.max", "memory.current"),
        ("/sys/fs/cgroup/memory".into(), "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ];
    places.iter().find_map(|(folder, most, used)| {
        let most = number(format!("{folder}/{most}"))?;
        let used = number(format!("{folder}/{used}"))?;
        // Pages of files count as used, and are given up when they are needed.
        let stat = read_to_string(format!("{folder}/memory.stat")).unwrap_or_default();
        let files = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
        let files = files.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(files)))
    })
}
