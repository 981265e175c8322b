//! Arrays that broadcast to the rows of a table, and work done row by row on several threads.
//!
//! The rules are NumPy's: shapes are aligned at their last axis, an axis of length 1 is repeated. An array is read
//! in place; it is repeated by a stride of 0, not by a copy.

use crate::error::{Error, Result};
use crate::stop::Stop;
use std::sync::{Mutex, PoisonError};

/// Rows that a thread takes at a time.
const CHUNK_ROWS: usize = 2048;

/// Numbers for the rows of a table: one for all rows, one for each, or an array that broadcasts to its shape.
#[derive(Clone, Debug)]
pub struct Broadcast<'a> {
    data: &'a [f64],
    /// Length and stride in `data` of every axis of the table.
    axes: Vec<(usize, usize)>,
}

impl<'a> Broadcast<'a> {
    /// One number for all rows, or as many numbers as there are rows.
    pub fn new(data: &'a [f64], rows: usize) -> Result<Self> {
        Self::to_shape("column", data, &[data.len()], &[rows])
    }

    /// Numbers of shape `own` in a table of shape `shape`, the last axis changing fastest.
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
        // Merge axes that are contiguous in memory: most arrays end with one or two.
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (length, stride) in axes {
            match merged.last_mut() {
                Some(outer) if outer.1 == stride * length => *outer = (outer.0 * length, stride),
                _ => merged.push((length, stride)),
            }
        }
        Ok(Self { data, axes: merged })
    }

    /// The number in a row; NaN beyond the last.
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
pub struct Failed {
    /// Number of the row, from 0.
    pub row: usize,
    /// Its error.
    pub error: Error,
}

/// What to do with a row that fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Failing {
    /// Stop and return its error.
    #[default]
    Stop,
    /// Continue; its results are NaN.
    Nan,
}

/// Bytes of `columns` columns of `rows` results; `usize::MAX` where that overflows.
pub fn needed(rows: usize, columns: usize) -> usize {
    rows.saturating_mul(columns).saturating_mul(size_of::<f64>())
}

#[cold]
fn too_large(rows: usize, columns: usize) -> Error {
    let what = format!("{rows} rows of {columns} results need {} bytes", needed(rows, columns));
    Error::numerical("the allocation", what, "compute fewer rows at a time")
}

/// Calls `work` for every row on `threads` threads, with data that its thread reuses, the numbers of the row and
/// room for `N` results. Returns the results as columns.
///
/// The results do not depend on the number of threads if `work` does not depend on the reused data, and neither
/// does the error: it is that of the first row that fails.
///
/// # Errors
/// The first row that fails, unless such rows are to be NaN. Row 0 stands for errors that concern no row: when there is no
/// memory for the results ([`needed`]), and when `stop` was raised.
pub fn each<S: Default, const N: usize>(
    columns: &[Broadcast],
    rows: usize,
    way: (usize, Failing, &Stop),
    work: impl Fn(&mut S, &[f64], &mut [f64; N]) -> Result<()> + Sync,
) -> std::result::Result<[Vec<f64>; N], Failed> {
    each_of(columns, rows, way, [true; N], work)
}

/// As [`each`] for the results that are wanted; the columns of the others stay empty and take no memory.
///
/// # Errors
/// As [`each`].
pub(super) fn each_of<S: Default, const N: usize>(
    columns: &[Broadcast],
    rows: usize,
    (threads, failing, stop): (usize, Failing, &Stop),
    wanted: [bool; N],
    work: impl Fn(&mut S, &[f64], &mut [f64; N]) -> Result<()> + Sync,
) -> std::result::Result<[Vec<f64>; N], Failed> {
    let mut results: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for column in
        results.iter_mut().zip(wanted).filter_map(|(column, wanted)| wanted.then_some(column))
    {
        if column.try_reserve_exact(rows).is_err() {
            let count = wanted.iter().filter(|wanted| **wanted).count();
            return Err(Failed { row: 0, error: too_large(rows, count) });
        }
        // Within what was reserved.
        column.resize(rows, 0.0);
    }
    let pieces = results.each_mut().map(|column| column.chunks_mut(CHUNK_ROWS));
    let queue = Mutex::new((0, pieces));
    let first: Mutex<Option<Failed>> = Mutex::new(None);
    let note_failure = |failed: Failed| {
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
            // Pieces are handed out in order, so the first row that fails is always computed.
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
                    if failing == Failing::Stop {
                        note_failure(Failed { row, error });
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
            // Where the system refuses another thread, the threads so far do all of the work.
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    stop.check().map_err(|error| Failed { row: 0, error })?;
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(failed) => Err(failed),
        None => Ok(results),
    }
}
