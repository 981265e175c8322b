//! Exports tables through the Arrow C stream interface, as one batch of columns, without copying numbers.
//!
//! The interface (Arrow C data interface; its PyCapsule protocol is `__arrow_c_stream__`) consists of three C structures with
//! function pointers that the reader calls: `get_schema`, `get_next`, `release`. All of them are safe Rust: the data to which a
//! structure refers are kept in a static table under a number, its `private_data`, until `release` is called; pointers are only
//! written here, and dereferenced by the reader. NumPy arrays are kept as objects and their memory is shared; texts and booleans
//! are packed as Arrow requires.

use crate::error::Error;
use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int};
use std::mem::MaybeUninit;
use std::ptr::null;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// A pointer as a number, because only the reader dereferences it.
type Address = usize;

/// `struct ArrowSchema` of C.
#[repr(C)]
struct Schema {
    format: Address,
    name: Address,
    metadata: Address,
    flags: i64,
    child_count: i64,
    children: Address,
    dictionary: Address,
    release: Option<extern "C" fn(Option<&mut Schema>)>,
    kept: usize,
}

/// `struct ArrowArray` of C.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    buffer_count: i64,
    child_count: i64,
    buffers: Address,
    children: Address,
    dictionary: Address,
    release: Option<extern "C" fn(Option<&mut Array>)>,
    kept: usize,
}

/// `struct ArrowArrayStream` of C.
#[repr(C)]
struct Stream {
    get_schema: extern "C" fn(Option<&mut Stream>, Option<&mut MaybeUninit<Schema>>) -> c_int,
    get_next: extern "C" fn(Option<&mut Stream>, Option<&mut MaybeUninit<Array>>) -> c_int,
    get_last_error: extern "C" fn(Option<&mut Stream>) -> *const c_char,
    release: Option<extern "C" fn(Option<&mut Stream>)>,
    kept: usize,
}

/// Memory of a buffer of an array.
enum Memory {
    /// Memory of a NumPy array, which is kept alive; the address is that of its first number.
    Lent { _array: Py<PyAny>, address: Address },
    /// Bytes packed by this module.
    Bytes(Vec<u8>),
    /// Offsets at which texts or lists begin and end.
    Offsets(Vec<i64>),
    /// Real numbers, some of which are missing.
    Reals(Vec<f64>),
    /// Integers, some of which are missing.
    Integers(Vec<i64>),
    /// No bitmap, because no value is missing.
    Nothing,
}

impl Memory {
    fn address(&self) -> Address {
        match self {
            Self::Lent { address, .. } => *address,
            Self::Bytes(bytes) => bytes.as_ptr() as Address,
            Self::Offsets(numbers) | Self::Integers(numbers) => numbers.as_ptr() as Address,
            Self::Reals(numbers) => numbers.as_ptr() as Address,
            Self::Nothing => 0,
        }
    }
}

/// A column, or the whole table as a column of structures: its Arrow type and memory.
struct ArrowColumn {
    name: String,
    unit: String,
    format: &'static str,
    length: usize,
    missing: usize,
    memory: Vec<Memory>,
    inner: Vec<ArrowColumn>,
}

/// Data to which an `ArrowSchema` refers.
struct SchemaData {
    format: CString,
    name: CString,
    metadata: Vec<u8>,
    children: Vec<Schema>,
    addresses: Vec<Address>,
}

/// Data to which an `ArrowArray` refers.
struct ArrayData {
    _memory: Vec<Memory>,
    buffers: Vec<Address>,
    children: Vec<Array>,
    addresses: Vec<Address>,
}

/// Data kept for readers, by number, and the last number assigned.
struct Registry<T>(HashMap<usize, T>, usize);

impl<T> Registry<T> {
    /// Keeps data and returns its number. Its heap memory does not move when the table grows.
    fn keep(&mut self, kept: T) -> usize {
        self.1 += 1;
        self.0.insert(self.1, kept);
        self.1
    }
}

static SCHEMAS: LazyLock<Mutex<Registry<SchemaData>>> = LazyLock::new(empty_registry);
static ARRAYS: LazyLock<Mutex<Registry<ArrayData>>> = LazyLock::new(empty_registry);
/// Table of a stream, until it is read.
static STREAMS: LazyLock<Mutex<Registry<ArrowColumn>>> = LazyLock::new(empty_registry);

fn empty_registry<T>() -> Mutex<Registry<T>> {
    Mutex::new(Registry(HashMap::new(), 0))
}

fn lock<T>(table: &Mutex<Registry<T>>) -> MutexGuard<'_, Registry<T>> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a text as a C string, cut at the first zero byte.
fn c_text(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default()
}

/// Returns a text preceded by its length, as in Arrow's metadata.
fn with_length(text: &str) -> Vec<u8> {
    [&(text.len() as i32).to_ne_bytes(), text.as_bytes()].concat()
}

/// Flag of a column that may have missing values (`ARROW_FLAG_NULLABLE`).
const NULLABLE: i64 = 2;

fn schema_of(part: &ArrowColumn) -> Schema {
    let children: Vec<Schema> = part.inner.iter().map(schema_of).collect();
    let metadata = match part.unit.is_empty() {
        true => Vec::new(),
        false => {
            [1i32.to_ne_bytes().to_vec(), with_length("unit"), with_length(&part.unit)].concat()
        }
    };
    let kept = SchemaData {
        format: c_text(part.format),
        name: c_text(&part.name),
        addresses: children.iter().map(|it| &raw const *it as Address).collect(),
        metadata,
        children,
    };
    let mut schema = Schema {
        format: kept.format.as_ptr() as Address,
        name: kept.name.as_ptr() as Address,
        metadata: if kept.metadata.is_empty() { 0 } else { kept.metadata.as_ptr() as Address },
        flags: NULLABLE,
        child_count: kept.children.len() as i64,
        children: kept.addresses.as_ptr() as Address,
        dictionary: 0,
        release: Some(release_schema),
        kept: 0,
    };
    schema.kept = lock(&SCHEMAS).keep(kept);
    schema
}

fn array_of(part: ArrowColumn) -> Array {
    let children: Vec<Array> = part.inner.into_iter().map(array_of).collect();
    let kept = ArrayData {
        buffers: part.memory.iter().map(Memory::address).collect(),
        addresses: children.iter().map(|it| &raw const *it as Address).collect(),
        _memory: part.memory,
        children,
    };
    let mut array = Array {
        length: part.length as i64,
        null_count: part.missing as i64,
        offset: 0,
        buffer_count: kept.buffers.len() as i64,
        child_count: kept.children.len() as i64,
        buffers: kept.buffers.as_ptr() as Address,
        children: kept.addresses.as_ptr() as Address,
        dictionary: 0,
        release: Some(release_array),
        kept: 0,
    };
    array.kept = lock(&ARRAYS).keep(kept);
    array
}

// Children that the reader has moved out no longer have a `release`.
extern "C" fn release_schema(schema: Option<&mut Schema>) {
    if let Some(schema) = schema
        && schema.release.take().is_some()
    {
        let kept = lock(&SCHEMAS).0.remove(&schema.kept);
        kept.into_iter()
            .flat_map(|kept| kept.children)
            .for_each(|mut it| release_schema(Some(&mut it)));
    }
}

extern "C" fn release_array(array: Option<&mut Array>) {
    if let Some(array) = array
        && array.release.take().is_some()
    {
        let kept = lock(&ARRAYS).0.remove(&array.kept);
        if let Some(ArrayData { children, _memory, .. }) = kept {
            children.into_iter().for_each(|mut it| release_array(Some(&mut it)));
        }
    }
}

extern "C" fn release_stream(stream: Option<&mut Stream>) {
    if let Some(stream) = stream
        && stream.release.take().is_some()
    {
        lock(&STREAMS).0.remove(&stream.kept);
    }
}

/// Error code `EINVAL`: a null pointer, or a stream that was released.
const EINVAL: c_int = 22;

extern "C" fn get_schema(
    stream: Option<&mut Stream>,
    out: Option<&mut MaybeUninit<Schema>>,
) -> c_int {
    let (Some(stream), Some(out)) = (stream, out) else { return EINVAL };
    match lock(&STREAMS).0.get(&stream.kept) {
        Some(part) => {
            out.write(schema_of(part));
            0
        }
        None => EINVAL,
    }
}

extern "C" fn get_next(stream: Option<&mut Stream>, out: Option<&mut MaybeUninit<Array>>) -> c_int {
    let (Some(stream), Some(out)) = (stream, out) else { return EINVAL };
    let mut streams = lock(&STREAMS);
    let Some(part) = streams.0.get_mut(&stream.kept) else { return EINVAL };
    // The type is kept for later calls; an array without `release` marks the end of the stream.
    let rest = ArrowColumn {
        memory: Vec::new(),
        inner: types_of(&part.inner),
        name: String::new(),
        unit: String::new(),
        ..*part
    };
    let whole = std::mem::replace(part, rest);
    drop(streams);
    let ended = whole.memory.is_empty();
    let mut array = array_of(whole);
    if ended {
        release_array(Some(&mut array));
    }
    out.write(array);
    0
}

/// Returns the types of columns, without their memory.
fn types_of(parts: &[ArrowColumn]) -> Vec<ArrowColumn> {
    let of = |part: &ArrowColumn| ArrowColumn {
        name: part.name.clone(),
        unit: part.unit.clone(),
        memory: Vec::new(),
        inner: types_of(&part.inner),
        ..*part
    };
    parts.iter().map(of).collect()
}

extern "C" fn get_last_error(_: Option<&mut Stream>) -> *const c_char {
    null()
}

/// Returns the number of missing values, and the validity bitmap if there are any.
fn missing_and_validity<T>(values: &[Option<T>]) -> (usize, Memory) {
    let missing = values.iter().filter(|value| value.is_none()).count();
    match missing {
        0 => (0, Memory::Nothing),
        _ => (missing, bitmap(values.iter().map(Option::is_some))),
    }
}

fn bitmap(values: impl ExactSizeIterator<Item = bool>) -> Memory {
    let mut bytes = vec![0u8; values.len().div_ceil(8)];
    for (i, _) in values.enumerate().filter(|(_, set)| *set) {
        if let Some(byte) = bytes.get_mut(i / 8) {
            *byte |= 1 << (i % 8);
        }
    }
    Memory::Bytes(bytes)
}

/// Returns the cumulative sums of lengths, beginning with 0.
fn offsets(lengths: impl Iterator<Item = usize>) -> Memory {
    let mut ends = vec![0];
    let mut end = 0;
    ends.extend(lengths.map(|length| {
        end += length as i64;
        end
    }));
    Memory::Offsets(ends)
}

/// Creates a column of a type, without a name.
fn of_type(
    format: &'static str,
    length: usize,
    missing: usize,
    memory: Vec<Memory>,
) -> ArrowColumn {
    let (name, unit) = (String::new(), String::new());
    ArrowColumn { name, unit, format, length, missing, memory, inner: Vec::new() }
}

/// Returns a contiguous NumPy array as a column that shares its memory.
fn borrowed_array<T: Element>(
    values: &Bound<'_, PyAny>,
    format: &'static str,
) -> Option<ArrowColumn> {
    let array = values.cast::<PyArray1<T>>().ok()?;
    let numbers = array.try_readonly().ok()?;
    let address = numbers.as_slice().ok()?.as_ptr() as Address;
    let memory = Memory::Lent { _array: values.clone().unbind(), address };
    Some(of_type(format, array.len(), 0, vec![Memory::Nothing, memory]))
}

fn text_column(values: &[Option<String>]) -> ArrowColumn {
    let (missing, present) = missing_and_validity(values);
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let ends = offsets(values.iter().map(|value| value.as_ref().map_or(0, String::len)));
    let letters = Memory::Bytes(values.iter().map(text).collect::<String>().into_bytes());
    of_type("U", values.len(), missing, vec![present, ends, letters])
}

/// Creates a column from a NumPy array or a list.
fn column(name: String, unit: String, values: &Bound<'_, PyAny>) -> PyResult<ArrowColumn> {
    let made = borrowed_array::<f64>(values, "g")
        .or_else(|| borrowed_array::<i64>(values, "l"))
        .or_else(|| borrowed_array::<u64>(values, "L"))
        .or_else(|| borrowed_array::<i32>(values, "i"))
        .or_else(|| borrowed_array::<u32>(values, "I"))
        .or_else(|| borrowed_array::<f32>(values, "f"))
        .or_else(|| list_column(values));
    let Some(made) = made else {
        return Err(Error::new_err(format!(
            "the column {name} has no type in Arrow: columns are numbers, texts, truth values or lists of texts; \
             leave it out"
        )));
    };
    Ok(ArrowColumn { name, unit, ..made })
}

fn list_column(values: &Bound<'_, PyAny>) -> Option<ArrowColumn> {
    if let Ok(found) = values.extract::<Vec<Option<String>>>() {
        return Some(text_column(&found));
    }
    if let Ok(found) = values.extract::<Vec<Option<bool>>>() {
        let (missing, present) = missing_and_validity(&found);
        let set = bitmap(found.iter().map(|value| value.unwrap_or_default()));
        return Some(of_type("b", found.len(), missing, vec![present, set]));
    }
    if let Ok(found) = values.extract::<Vec<Option<i64>>>() {
        let (missing, present) = missing_and_validity(&found);
        let numbers = found.iter().map(|value| value.unwrap_or_default()).collect();
        return Some(of_type("l", found.len(), missing, vec![present, Memory::Integers(numbers)]));
    }
    if let Ok(found) = values.extract::<Vec<Option<f64>>>() {
        let (missing, present) = missing_and_validity(&found);
        let numbers = found.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        return Some(of_type("g", found.len(), missing, vec![present, Memory::Reals(numbers)]));
    }
    let found = values.extract::<Vec<Vec<Option<String>>>>().ok()?;
    let ends = offsets(found.iter().map(Vec::len));
    let mut lists = of_type("+L", found.len(), 0, vec![Memory::Nothing, ends]);
    let all: Vec<Option<String>> = found.into_iter().flatten().collect();
    lists.inner.push(ArrowColumn { name: "item".into(), ..text_column(&all) });
    Some(lists)
}

/// Exports columns, given by their names, units and values, as a capsule `arrow_array_stream`.
#[pyfunction]
pub fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, String, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let inner = columns.into_iter().map(|(name, unit, values)| column(name, unit, &values));
    let inner = inner.collect::<PyResult<Vec<_>>>()?;
    let length = inner.first().map_or(0, |first| first.length);
    if let Some(other) = inner.iter().find(|other| other.length != length) {
        let (name, found) = (&other.name, other.length);
        return Err(Error::new_err(format!("the column {name} has {found} rows, others {length}")));
    }
    let whole = ArrowColumn { inner, ..of_type("+s", length, 0, vec![Memory::Nothing]) };
    let kept = lock(&STREAMS).keep(whole);
    let release = Some(release_stream as extern "C" fn(Option<&mut Stream>));
    let stream = Stream { get_schema, get_next, get_last_error, release, kept };
    let name = c"arrow_array_stream";
    PyCapsule::new_with_value_and_destructor(py, stream, name, |mut stream, _| {
        release_stream(Some(&mut stream));
    })
}
