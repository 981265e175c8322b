//! One file from many fragments, in order, that survives being killed.
//!
//! `results.parquet` grows as `results.parquet.partial`, with `results.parquet.journal` beside it. When all is
//! written, the partial file is flushed to the disk and renamed: the file exists whole or not at all. Bytes
//! are written once; nothing is copied at the end.

use crate::journal::{self, checksum};
use crate::{Failure, Field, Format, Fragment, Source, encode, fields, head, tail};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file as it grows.
pub struct Sink {
    path: PathBuf,
    partial: PathBuf,
    log_path: PathBuf,
    file: File,
    log: File,
    format: Format,
    fingerprint: String,
    fields: Vec<Field>,
    partitions: u64,
    /// What the journal says in their place: 0 where nobody knows.
    declared: u64,
    end: u64,
    /// Place and sizes of every fragment.
    fragments: Vec<(u64, Vec<u64>)>,
}

/// What becomes of files that are already there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Existing {
    /// Replace a finished file that is something else.
    pub overwrite: bool,
    /// Throw away a part that was begun.
    pub restart: bool,
}

/// A path with something added to its name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Sink {
    /// Opens the file of a table, going on where an earlier run was stopped; `None` if it is complete.
    pub fn open(
        source: &impl Source,
        path: &Path,
        format: Format,
        existing: Existing,
    ) -> Result<Option<Self>, Failure> {
        let partitions = source.partitions();
        let refuse = |why| Failure::System { path: path.into(), why, kept: 0, partitions };
        let (partial, log_path) = (beside(path, ".partial"), beside(path, ".journal"));
        let empty = source.empty();
        let fingerprint = source.fingerprint();
        let started = partial.exists();
        if path.exists() && !started {
            if is_result(source, path, format).map_err(refuse)? {
                // Killed after the last byte, or asked once more.
                let _ = fs::remove_file(&log_path);
                return Ok(None);
            }
            if !existing.overwrite {
                return Err(Failure::Exists(path.into()));
            }
        }
        let open = |path: &Path| {
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
        };
        let file = open(&partial).map_err(refuse)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Failure::Busy(path.into())),
            // A file system without locks: two writers at once are the user's business.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let log = open(&log_path).map_err(refuse)?;
        let mut sink = Self {
            path: path.into(),
            partial,
            log_path,
            file,
            log,
            format,
            fingerprint,
            fields: fields(&empty),
            partitions,
            declared: partitions,
            end: 0,
            fragments: Vec::new(),
        };
        let opened = match existing.restart {
            true => sink.begin(),
            false => sink.resume(),
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

    /// The file of a table that grows while something runs, so that nobody knows how many fragments there
    /// will be: begun anew, or cut back to `kept` fragments to go on from a checkpoint.
    ///
    /// # Errors
    /// When the system refuses, another process writes the file, or fewer fragments are intact.
    ///
    /// ```
    /// use carom::sweep::{Column, Values};
    /// use carom_store::{Format, Sink, encode};
    /// let column = |values| vec![Column::new("time_s", "s", Values::Real(values))];
    /// let path = std::env::temp_dir().join(format!("grown-{}.csv", std::process::id()));
    /// let mut sink = Sink::grow(&column(vec![]), "run", &path, Format::Csv, None)?;
    /// sink.append(encode(&column(vec![0.0]), Format::Csv))?;
    /// sink.append(encode(&column(vec![9.0]), Format::Csv))?;
    /// drop(sink);
    /// let mut sink = Sink::grow(&column(vec![]), "run", &path, Format::Csv, Some(1))?;
    /// sink.append(encode(&column(vec![1.0]), Format::Csv))?;
    /// sink.finish()?;
    /// assert_eq!(std::fs::read_to_string(&path)?, "time_s\n0\n1\n");
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn grow(
        empty: &[carom::sweep::Column],
        fingerprint: &str,
        path: &Path,
        format: Format,
        kept: Option<u64>,
    ) -> Result<Self, Failure> {
        let partitions = u64::MAX;
        let refuse = |why| Failure::System { path: path.into(), why, kept: 0, partitions };
        let (partial, log_path) = (beside(path, ".partial"), beside(path, ".journal"));
        let open = |path: &Path| {
            let new = kept.is_none();
            OpenOptions::new().read(true).write(true).create(new).truncate(false).open(path)
        };
        let file = open(&partial).map_err(refuse)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Failure::Busy(path.into()));
        }
        let log = open(&log_path).map_err(refuse)?;
        let mut sink = Self {
            path: path.into(),
            partial,
            log_path,
            file,
            log,
            format,
            fingerprint: fingerprint.to_string(),
            fields: fields(empty),
            partitions: kept.unwrap_or(partitions),
            declared: 0,
            end: 0,
            fragments: Vec::new(),
        };
        let opened = match kept {
            None => sink.begin(),
            Some(_) => sink.resume(),
        };
        match opened {
            Ok(None) if kept.is_none_or(|kept| sink.next() == kept) => {}
            Ok(_) => return Err(Failure::Damaged(sink.partial)),
            Err(why) if kept.is_none() => {
                sink.discard();
                return Err(refuse(why));
            }
            Err(why) => return Err(sink.failure(why)),
        }
        sink.partitions = partitions;
        Ok(sink)
    }

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn sync(&self) -> Result<(), Failure> {
        let done = self.file.sync_data().and_then(|()| self.log.sync_data());
        done.map_err(|why| self.failure(why))
    }

    /// Number of the fragment that comes next.
    pub fn next(&self) -> u64 {
        self.fragments.len() as u64
    }

    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Starts from nothing.
    fn begin(&mut self) -> io::Result<Option<u64>> {
        let head = head(&self.fields, self.format, &self.fingerprint);
        let first = journal::head(self.format, &self.fingerprint, self.declared);
        // The journal first: a stale one must never describe new bytes.
        self.log.set_len(0)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(&head)?;
        self.log.rewind()?;
        self.log.write_all(first.as_bytes())?;
        self.end = head.len() as u64;
        self.fragments.clear();
        Ok(None)
    }

    /// Goes on after the last fragment that is intact; the number of those kept if they belong to
    /// another table.
    fn resume(&mut self) -> io::Result<Option<u64>> {
        let mut text = Vec::new();
        self.log.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let Some((first, entries)) = journal::read(&text) else { return self.begin() };
        let expected = journal::head(self.format, &self.fingerprint, self.declared);
        if first != expected {
            return match entries.is_empty() {
                true => self.begin(),
                false => Ok(Some(entries.len() as u64)),
            };
        }
        let head = head(&self.fields, self.format, &self.fingerprint);
        let mut log_end = first.len() as u64;
        let mut bytes = vec![0; head.len()];
        self.file.rewind()?;
        if self.file.read_exact(&mut bytes).is_err() || bytes != head {
            return self.begin();
        }
        self.end = head.len() as u64;
        let length = self.file.metadata()?.len();
        for entry in entries {
            if self.end + entry.length > length || self.next() >= self.partitions {
                break;
            }
            bytes.resize(entry.length as usize, 0);
            self.file.read_exact(&mut bytes)?;
            if checksum(&bytes) != entry.checksum {
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
                // What was half written is cut off by the next run, if not now.
                let _ = self.file.set_len(self.end);
                Err(self.failure(why))
            }
        }
    }

    /// Ends the file and puts it into its place; its size in bytes.
    pub fn finish(mut self) -> Result<u64, Failure> {
        let tail = tail(&self.fields, self.format, &self.fingerprint, &self.fragments);
        let done = self
            .file
            .write_all(&tail)
            .and_then(|()| self.file.sync_all())
            .and_then(|()| fs::rename(&self.partial, &self.path));
        done.map_err(|why| {
            let _ = self.file.set_len(self.end);
            self.failure(why)
        })?;
        let _ = fs::remove_file(&self.log_path);
        Ok(self.end + tail.len() as u64)
    }

    fn failure(&self, why: io::Error) -> Failure {
        // A table that grows has a checkpoint to go on from, whatever it holds.
        let kept = self.next().max(u64::from(self.declared == 0));
        Failure::System { path: self.path.clone(), why, kept, partitions: self.partitions }
    }

    /// Leaves nothing behind where nothing was begun.
    fn discard(&self) {
        let _ = fs::remove_file(&self.partial);
        let _ = fs::remove_file(&self.log_path);
    }
}

/// Whether a finished file is the result of this table.
///
/// Arrow and Parquet say so near their end. CSV has no place for it: its first and last partitions are
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
        // The footer of an Arrow file has 24 bytes a batch behind the schema.
        let end = end_of(65_536 + 32 * source.partitions())?;
        let text = fingerprint.as_bytes();
        return Ok(end.windows(text.len().max(1)).any(|window| window == text));
    }
    let last = encode(&source.partition(source.partitions().saturating_sub(1)), format).body;
    if end_of(last.len() as u64)? != last {
        return Ok(false);
    }
    let mut first = head(&fields(&source.empty()), format, &fingerprint);
    first.extend(encode(&source.partition(0), format).body);
    let mut begin = vec![0; first.len()];
    file.rewind()?;
    Ok(file.read_exact(&mut begin).is_ok() && begin == first)
}
