//! A run that stands in a folder, as a film: read from its tables, computed anew nothing.
//!
//! The folder is read once, when the lab starts, so that what is wrong with it is said there; tables of any
//! size pass piece by piece and leave no more than a film may hold.

mod bodies;

use super::bed;
use super::simulate::RunFilm;
use crate::commands::simulate::failure;
use crate::failure::Failure;
use carom_store::Reader;
use carom_store::folder::{Past, Told};
use carom_world::Scene;
use carom_world::grains::Granular;
use carom_world::scene::Change;
use std::path::Path;
use std::sync::OnceLock;

/// The film of the run that the lab was given, as JSON.
static SHOWN: OnceLock<Vec<u8>> = OnceLock::new();

/// The film, or `null` where no run was given.
pub fn shown() -> &'static [u8] {
    SHOWN.get().map_or(b"null", Vec::as_slice)
}

/// Opens the folder of a run and keeps its film.
///
/// # Errors
/// When it is not one, or cannot be read.
pub fn open(path: &Path) -> Result<(), Failure> {
    let seen = film(path)?;
    let body = serde_json::to_vec(&seen);
    let body = body.map_err(|why| Failure::System(format!("cannot write the film: {why}")))?;
    SHOWN.get_or_init(|| body);
    Ok(())
}

/// The film of a run in a folder.
fn film(path: &Path) -> Result<RunFilm, Failure> {
    let past = Past::look(path).map_err(failure)?;
    let Told { scene: text, set, files, .. } = &past.told;
    let of = |name: &str| {
        let text = files.get(name).cloned();
        text.ok_or_else(|| "`scene.json` does not hold it".to_string())
    };
    let scene = path.join("scene.json");
    let wrong = |why: String| {
        let (scene, again) = (scene.display(), "run the scene again with --overwrite");
        Failure::Input(format!("`{scene}` holds no scene that can be read ({why}); {again}"))
    };
    let changes: Result<Vec<Change>, _> = set.iter().map(|change| change.parse()).collect();
    let changes = changes.map_err(|why: carom::Error| wrong(why.to_string()))?;
    let mut seen = match Granular::is(text) {
        true => {
            let scene = Granular::parse_with(text, &of, &changes);
            bed::read(&scene.map_err(|why| wrong(why.to_string()))?, &past)?
        }
        false => {
            let scene = Scene::parse_with(text, &of, &changes);
            bodies::read(&scene.map_err(|why| wrong(why.to_string()))?, &past)?
        }
    };
    seen.time = seen.frames.time.last().copied().unwrap_or(0.0);
    ended(&mut seen, &past, path)?;
    seen.folder = Some(path.display().to_string());
    seen.source = Some(past.told);
    Ok(seen)
}

/// How it ended, and what was said about it.
fn ended(seen: &mut RunFilm, past: &Past, path: &Path) -> Result<(), Failure> {
    let (shown, at) = (path.display(), carom::units::format(seen.time, "s"));
    let Some(summary) = &past.summary else {
        let of = carom::units::format(seen.duration, "s");
        seen.stopped = Some(format!(
            "this run is not finished: its last checkpoint is at t = {at} of {of}; go on with `carom simulate SCENE \
             --out {shown} --resume`"
        ));
        return Ok(());
    };
    let notes = summary.get("notes").cloned().unwrap_or_default();
    seen.notes = serde_json::from_value(notes).unwrap_or_default();
    seen.steps = summary.get("steps").and_then(serde_json::Value::as_u64).unwrap_or(0);
    seen.finished = summary.get("finished") == Some(&true.into());
    if let Some(why) = summary.get("failed").and_then(serde_json::Value::as_str) {
        seen.stopped = Some(format!("this run could not go on after t = {at}: {why}"));
    }
    // A table that lost its last lines shows no other sign of it.
    let reached = summary.get("time").and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    match seen.finished && seen.time < reached * (1.0 - 1e-9) {
        true => Err(Failure::Input(format!(
            "the tables in `{shown}` are damaged: they end at t = {at} and the run at t = {}; run the scene again \
             with --overwrite",
            carom::units::format(reached, "s")
        ))),
        false => Ok(()),
    }
}

/// A table, row by row.
struct Cursor {
    reader: Reader,
    piece: Vec<carom::sweep::Column>,
    row: usize,
}

impl Cursor {
    fn new(reader: Reader) -> Self {
        Self { reader, piece: Vec::new(), row: 0 }
    }

    /// The time of the row, or nothing after the last.
    fn time(&mut self) -> Result<Option<f64>, Failure> {
        while self.piece.first().is_none_or(|column| self.row >= column.values.len()) {
            match self.reader.rows().map_err(failure)? {
                Some(piece) => (self.piece, self.row) = (piece, 0),
                None => return Ok(None),
            }
        }
        Ok(Some(self.real(0)))
    }

    /// The same before a time.
    fn before(&mut self, end: f64) -> Result<Option<f64>, Failure> {
        Ok(self.time()?.filter(|time| *time < end))
    }

    fn real(&self, column: usize) -> f64 {
        let column = self.piece.get(column);
        column.and_then(|column| column.values.real(self.row)).unwrap_or(f64::NAN)
    }

    /// Numbers of so many columns from one on.
    fn reals<const N: usize>(&self, from: usize) -> [f64; N] {
        std::array::from_fn(|k| self.real(from + k))
    }

    fn word(&self, column: usize) -> &str {
        let column = self.piece.get(column);
        column.and_then(|column| column.values.word(self.row)).unwrap_or_default()
    }

    fn step(&mut self) {
        self.row += 1;
    }
}
