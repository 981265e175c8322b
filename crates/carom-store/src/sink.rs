//! Writes fragments in order to one file, which can be resumed after the process is killed.
//!
//! `results.parquet` grows as `results.parquet.partial`, with `results.parquet.journal` beside it. When everything is written, the
//! partial file is synchronised with the disk and renamed, so the file exists either completely or not at all. Every byte is
//! written once; nothing is copied at the end.

use crate::file::{self, beside};
use crate::{Failure, Field, Format, Fragment, Kept, Source, encode, footer, header, journal};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A growing file.
pub struct Sink {
    path: PathBuf,
    partial: PathBuf,
    log_path: PathBuf,
    file: File,
    log: File,
    format: Format,
    fingerprint: String,
    fields: Vec<Field>,
    /// Number of partitions of the table; `None` for a table that grows during a run.
    partitions: Option<u64>,
    /// Number of bytes in the file.
    end: u64,
    /// Offset in the file and sizes of every fragment.
    fragments: Vec<(u64, Vec<u64>)>,
}

/// Options for existing files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Existing {
    /// Replace a finished file of another table.
    pub overwrite: bool,
    /// Discard an unfinished file and begin again.
    pub restart: bool,
}

impl Sink {
    /// Opens the file of a table, to begin it or to resume it after an interruption; returns `None` if it is complete.
    ///
    /// # Errors
    /// When the operating system refuses, the file is of another table, or another process writes it.
    pub fn open(
        source: &impl Source,
        path: &Path,
        format: Format,
        existing: Existing,
    ) -> Result<Option<Self>, Failure> {
        let partitions = Some(source.partitions());
        let (partial, log_path) = (beside(path, ".partial"), beside(path, ".journal"));
        let fingerprint = source.fingerprint();
        let started = partial.exists();
        if path.exists() && !started {
            if is_result(source, path, format).map_err(|why| Failure::unwritable(path, why))? {
                // A process was killed before it removed the journal, or the same command was given again.
                let _ = fs::remove_file(&log_path);
                return Ok(None);
            }
            if !existing.overwrite {
                return Err(Failure::Exists(path.into()));
            }
        }
        let mut sink =
            Self::open_locked(path, format, source.fields(), fingerprint, partitions, true)?;
        let opened = match existing.restart {
            true => sink.begin(),
            false => sink.resume(source.partitions()),
        };
        match opened {
            Ok(Some(kept)) => Err(Failure::Changed { partial: sink.partial, kept }),
            Ok(None) => Ok(Some(sink)),
            Err(why) => {
                let failure = sink.failure(why);
                if !started {
                    sink.discard();
                }
                Err(failure)
            }
        }
    }

    /// Opens the file of a table whose number of fragments is not known beforehand: new, or cut back to `kept`
    /// fragments to resume from a checkpoint.
    ///
    /// # Errors
    /// When the system refuses, another process writes the file, or fewer fragments are intact.
    ///
    /// ```
    /// use carom_store::{Column, Format, Sink, Values, encode};
    /// let column = |values| vec![Column::new("time_s", "s", Values::Real(values))];
    /// let fields = [column(vec![])[0].field()];
    /// let path = std::env::temp_dir().join(format!("grown-{}.csv", std::process::id()));
    /// let mut sink = Sink::grow(&fields, "run", &path, Format::Csv, None)?;
    /// sink.append(encode(&column(vec![0.0]), Format::Csv))?;
    /// sink.append(encode(&column(vec![9.0]), Format::Csv))?;
    /// drop(sink);
    /// let mut sink = Sink::grow(&fields, "run", &path, Format::Csv, Some(1))?;
    /// sink.append(encode(&column(vec![1.0]), Format::Csv))?;
    /// sink.finish()?;
    /// assert_eq!(std::fs::read_to_string(&path)?, "time_s\n0\n1\n");
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grow(
        fields: &[Field],
        fingerprint: &str,
        path: &Path,
        format: Format,
        kept: Option<u64>,
    ) -> Result<Self, Failure> {
        let (fingerprint, new) = (fingerprint.to_string(), kept.is_none());
        let mut sink = Self::open_locked(path, format, fields.to_vec(), fingerprint, None, new)?;
        let opened = match kept {
            None => sink.begin(),
            Some(kept) => sink.resume(kept),
        };
        match opened {
            Ok(None) if kept.is_none_or(|kept| sink.next() == kept) => {}
            Ok(_) => return Err(Failure::Damaged(sink.partial)),
            Err(why) if kept.is_none() => {
                sink.discard();
                return Err(Failure::unwritable(path, why));
            }
            Err(why) => return Err(sink.failure(why)),
        }
        Ok(sink)
    }

    /// Opens the two files and locks them for this process; creates them if `new`. Nothing is read or written yet.
    fn open_locked(
        path: &Path,
        format: Format,
        fields: Vec<Field>,
        fingerprint: String,
        partitions: Option<u64>,
        new: bool,
    ) -> Result<Self, Failure> {
        let open = |path: &Path| {
            OpenOptions::new().read(true).write(true).create(new).truncate(false).open(path)
        };
        let (partial, log_path) = (beside(path, ".partial"), beside(path, ".journal"));
        let file = open(&partial).map_err(|why| Failure::unwritable(path, why))?;
        // On a file system without locks a second process cannot be excluded.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Failure::Busy(path.into()));
        }
        let log = open(&log_path).map_err(|why| Failure::unwritable(path, why))?;
        Ok(Self {
            path: path.into(),
            partial,
            log_path,
            file,
            log,
            format,
            fingerprint,
            fields,
            partitions,
            end: 0,
            fragments: Vec::new(),
        })
    }

    /// Waits until everything that was written is on the disk.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn sync(&self) -> Result<(), Failure> {
        let done = self.file.sync_data().and_then(|()| self.log.sync_data());
        done.map_err(|why| self.failure(why))
    }

    /// Returns the number of the next fragment.
    pub fn next(&self) -> u64 {
        self.fragments.len() as u64
    }

    /// Returns the number of bytes so far.
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Begins an empty file.
    fn begin(&mut self) -> io::Result<Option<u64>> {
        let header = header(&self.fields, self.format, &self.fingerprint);
        let first = self.journal_header();
        // The journal is written first, because an old journal must never describe new bytes.
        self.log.set_len(0)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(&header)?;
        self.log.rewind()?;
        self.log.write_all(first.as_bytes())?;
        self.end = header.len() as u64;
        self.fragments.clear();
        Ok(None)
    }

    /// Returns the first line of the journal; its number of partitions is 0 for a table that grows.
    fn journal_header(&self) -> String {
        journal::header(self.format, &self.fingerprint, self.partitions.unwrap_or(0))
    }

    /// Continues after the last intact fragment, or after the first `max_fragments` fragments. Returns the number of fragments if they
    /// belong to another table or were written by another version of carom.
    fn resume(&mut self, max_fragments: u64) -> io::Result<Option<u64>> {
        let mut text = Vec::new();
        self.log.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        if let Some(fragments) = journal::fragments_of_other_version(&text) {
            return Ok(Some(fragments));
        }
        let Some((first, entries)) = journal::read(&text) else { return self.begin() };
        if first != self.journal_header() {
            return match entries.is_empty() {
                true => self.begin(),
                false => Ok(Some(entries.len() as u64)),
            };
        }
        let header = header(&self.fields, self.format, &self.fingerprint);
        let mut log_end = first.len() as u64;
        let mut bytes = vec![0; header.len()];
        self.file.rewind()?;
        if self.file.read_exact(&mut bytes).is_err() || bytes != header {
            return self.begin();
        }
        self.end = header.len() as u64;
        let length = self.file.metadata()?.len();
        for entry in entries {
            if self.end + entry.length > length || self.next() >= max_fragments {
                break;
            }
            bytes.resize(entry.length as usize, 0);
            self.file.read_exact(&mut bytes)?;
            if !journal::matches_entry(&bytes, &entry) {
                break;
            }
            self.fragments.push((self.end, entry.sizes));
            self.end += entry.length;
            log_end += entry.line;
        }
        self.log.set_len(log_end)?;
        self.log.seek(SeekFrom::Start(log_end))?;
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(None)
    }

    /// Writes the next fragment.
    ///
    /// # Errors
    /// When the operating system refuses; the fragments before are safe.
    pub fn append(&mut self, fragment: Fragment) -> Result<(), Failure> {
        let line = journal::line(self.next(), &fragment);
        let written =
            self.file.write_all(&fragment.body).and_then(|()| self.log.write_all(line.as_bytes()));
        match written {
            Ok(()) => {
                self.fragments.push((self.end, fragment.sizes));
                self.end += fragment.body.len() as u64;
                Ok(())
            }
            Err(why) => {
                // An incomplete fragment is cut off; if this fails, the next run does it.
                let _ = self.file.set_len(self.end);
                Err(self.failure(why))
            }
        }
    }

    /// Ends the file and gives it its final name; returns its size in bytes.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn finish(mut self) -> Result<u64, Failure> {
        let footer = footer(&self.fields, self.format, &self.fingerprint, &self.fragments);
        let done = self
            .file
            .write_all(&footer)
            .and_then(|()| self.file.sync_all())
            .and_then(|()| file::rename(&self.partial, &self.path));
        done.map_err(|why| {
            let _ = self.file.set_len(self.end);
            self.failure(why)
        })?;
        let _ = fs::remove_file(&self.log_path);
        Ok(self.end + footer.len() as u64)
    }

    fn failure(&self, why: io::Error) -> Failure {
        let kept = match self.partitions {
            None => Kept::Checkpoint,
            Some(_) if self.next() == 0 => Kept::Nothing,
            Some(of) => Kept::Partitions { count: self.next(), of },
        };
        Failure::System { path: self.path.clone(), why, kept }
    }

    /// Removes the files of a table that could not be begun.
    fn discard(&self) {
        let _ = fs::remove_file(&self.partial);
        let _ = fs::remove_file(&self.log_path);
    }
}

/// Returns whether a finished file is the result of this table.
///
/// Arrow and Parquet files contain the fingerprint near their end. CSV has no place for it, so the first and last partitions are
/// computed again and compared.
fn is_result(source: &impl Source, path: &Path, format: Format) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let fingerprint = source.fingerprint();
    let mut end_of = |bytes: u64| -> io::Result<Vec<u8>> {
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
        Read::by_ref(&mut file).take(bytes).read_to_end(&mut end)?;
        Ok(end)
    };
    if format != Format::Csv {
        // After the schema, the footer of an Arrow file has 24 bytes for every batch.
        let end = end_of(65_536 + 32 * source.partitions())?;
        let text = fingerprint.as_bytes();
        return Ok(end.windows(text.len().max(1)).any(|window| window == text));
    }
    let last = encode(&source.partition(source.partitions().saturating_sub(1)), format).body;
    if end_of(last.len() as u64)? != last {
        return Ok(false);
    }
    let mut first = header(&source.fields(), format, &fingerprint);
    first.extend(encode(&source.partition(0), format).body);
    let mut begin = vec![0; first.len()];
    file.rewind()?;
    Ok(file.read_exact(&mut begin).is_ok() && begin == first)
}
