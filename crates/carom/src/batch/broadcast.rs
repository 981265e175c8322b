//! Arrays that are broadcast to the rows of a table, and computations row by row on several threads.
//!
//! The rules are those of NumPy: shapes are aligned at their last axis, and an axis of length 1 is repeated. An array
//! is read in place; repetition is implemented by a stride of 0 instead of a copy.

use crate::error::{Error, Result};
use crate::stop::Stop;
use std::sync::{Mutex, PoisonError};

/// Number of rows that a thread takes at a time.
const CHUNK_ROWS: usize = 2048;

/// Numbers for the rows of a table: one for all rows, one for each row, or an array that is broadcast to its shape.
#[derive(Clone, Debug)]
pub struct Broadcast<'a> {
    data: &'a [f64],
    /// Length of every axis of the table and its stride in `data`.
    axes: Vec<(usize, usize)>,
}

impl<'a> Broadcast<'a> {
    /// Creates a column from one number for all rows, or from as many numbers as there are rows.
    pub fn new(data: &'a [f64], rows: usize) -> Result<Self> {
        Self::to_shape("column", data, &[data.len()], &[rows])
    }

    /// Creates a column from numbers of shape `own` in a table of shape `shape`; the last axis varies fastest.
    ///
    /// ```
    /// use carom::batch::Broadcast;
    /// let column = Broadcast::to_shape("speed", &[0.1, 0.5], &[2, 1], &[2, 3])?;
    /// assert_eq!((0..6).map(|row| column.at(row)).collect::<Vec<_>>(), [0.1, 0.1, 0.1, 0.5, 0.5, 0.5]);
    /// assert!(Broadcast::to_shape("speed", &[0.1, 0.5], &[2], &[3]).unwrap_err().is_invalid());
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn to_shape(name: &str, data: &'a [f64], own: &[usize], shape: &[usize]) -> Result<Self> {
        let refuse = || {
            Error::invalid(
                format!("shape of {name}"),
                format!("{own:?}"),
                format!("one that broadcasts to {shape:?}"),
                "axes are aligned at the last one; each is as long as the others or 1",
            )
        };
        let size = own.iter().try_fold(1usize, |size, &length| size.checked_mul(length));
        if own.len() > shape.len() || size != Some(data.len()) {
            return Err(refuse());
        }
        let missing = shape.len() - own.len();
        let mut axes = vec![(1, 0); shape.len()];
        let mut stride = 1;
        for (k, (axis, &length)) in axes.iter_mut().zip(shape).enumerate().rev() {
            *axis = match k.checked_sub(missing).and_then(|k| own.get(k)) {
                None | Some(1) => (length, 0),
                Some(&mine) if mine == length => {
                    let step = stride;
                    stride *= mine;
                    (length, step)
                }
                Some(_) => return Err(refuse()),
            };
        }
        // Axes that are contiguous in memory are merged, so that most arrays have only one or two.
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (length, stride) in axes {
            match merged.last_mut() {
                Some(outer) if outer.1 == stride * length => *outer = (outer.0 * length, stride),
                _ => merged.push((length, stride)),
            }
        }
        Ok(Self { data, axes: merged })
    }

    /// Returns the number in a row, or NaN beyond the last row.
    #[inline]
    pub fn at(&self, row: usize) -> f64 {
        let place = match self.axes[..] {
            [] => 0,
            [(_, stride)] => row * stride,
            _ => {
                let (mut rest, mut place) = (row, 0);
                for &(length, stride) in self.axes.iter().rev() {
                    place += rest % length.max(1) * stride;
                    rest /= length.max(1);
                }
                place
            }
        };
        self.data.get(place).copied().unwrap_or(f64::NAN)
    }
}

/// The error of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRow {
    /// Index of the row, from 0.
    pub row: usize,
    /// Error of the row.
    pub error: Error,
}

/// What happens with a row that fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// The computation stops and returns the error.
    #[default]
    Stop,
    /// The computation continues; the results of the row are NaN.
    Nan,
}

/// Returns the number of bytes of `columns` columns of `rows` results, or `usize::MAX` if this overflows.
pub fn needed(rows: usize, columns: usize) -> usize {
    rows.saturating_mul(columns).saturating_mul(size_of::<f64>())
}

#[cold]
fn too_large(rows: usize, columns: usize) -> Error {
    let what = format!("{rows} rows of {columns} results need {} bytes", needed(rows, columns));
    Error::numerical("the allocation", what, "compute fewer rows at a time")
}

/// Calls `work` for every row on `threads` threads. Its arguments are data that the thread reuses, the numbers of the
/// row and an array for `N` results. Returns the results as columns.
///
/// If `work` does not depend on the contents of the reused data, the results do not depend on the number of threads.
/// Neither does the error, which is that of the first row that fails.
///
/// # Errors
/// When a row fails, unless its results are to be NaN. Errors that do not belong to a row have the index 0:
/// insufficient memory for the results ([`needed`]), and `stop` having been raised.
pub fn each<S: Default, const N: usize>(
    columns: &[Broadcast],
    rows: usize,
    way: (usize, OnFailure, &Stop),
    work: impl Fn(&mut S, &[f64], &mut [f64; N]) -> Result<()> + Sync,
) -> std::result::Result<[Vec<f64>; N], FailedRow> {
    evaluate_wanted(columns, rows, way, [true; N], work)
}

/// Works like [`each`] but stores only the wanted results; the columns of the others are empty and use no memory.
///
/// # Errors
/// The same as for [`each`].
pub(super) fn evaluate_wanted<S: Default, const N: usize>(
    columns: &[Broadcast],
    rows: usize,
    (threads, failing, stop): (usize, OnFailure, &Stop),
    wanted: [bool; N],
    work: impl Fn(&mut S, &[f64], &mut [f64; N]) -> Result<()> + Sync,
) -> std::result::Result<[Vec<f64>; N], FailedRow> {
    let mut results: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for column in
        results.iter_mut().zip(wanted).filter_map(|(column, wanted)| wanted.then_some(column))
    {
        if column.try_reserve_exact(rows).is_err() {
            let count = wanted.iter().filter(|wanted| **wanted).count();
            return Err(FailedRow { row: 0, error: too_large(rows, count) });
        }
        // This does not allocate, because the memory is reserved.
        column.resize(rows, 0.0);
    }
    let pieces = results.each_mut().map(|column| column.chunks_mut(CHUNK_ROWS));
    let queue = Mutex::new((0, pieces));
    let first: Mutex<Option<FailedRow>> = Mutex::new(None);
    let note_failure = |failed: FailedRow| {
        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|known| failed.row < known.row) {
            *first = Some(failed);
        }
    };
    let run = || {
        let mut scratch = S::default();
        let mut values = vec![0.0; columns.len()];
        let mut found = [f64::NAN; N];
        loop {
            // Chunks are assigned in order, so the first row that fails is always computed.
            let (start, mut piece) = {
                let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                let start = queue.0;
                let piece: [&mut [f64]; N] =
                    queue.1.each_mut().map(|column| column.next().unwrap_or_default());
                queue.0 += CHUNK_ROWS;
                (start, piece)
            };
            if start >= rows {
                return;
            }
            for offset in 0..CHUNK_ROWS.min(rows - start) {
                if stop.raised() {
                    return;
                }
                let row = start + offset;
                for (value, column) in values.iter_mut().zip(columns) {
                    *value = column.at(row);
                }
                if let Err(error) = work(&mut scratch, &values, &mut found) {
                    if failing == OnFailure::Stop {
                        note_failure(FailedRow { row, error });
                        let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                        queue.0 = rows;
                        return;
                    }
                    found = [f64::NAN; N];
                }
                for (column, value) in piece.iter_mut().zip(found) {
                    if let Some(place) = column.get_mut(offset) {
                        *place = value;
                    }
                }
            }
        }
    };
    let threads = threads.clamp(1, rows.div_ceil(CHUNK_ROWS).max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // If the system cannot start another thread, the existing threads do all of the work.
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    stop.check().map_err(|error| FailedRow { row: 0, error })?;
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failed) => Err(failed),
        None => Ok(results),
    }
}
