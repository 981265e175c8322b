//! Runs stored in a folder and read back: finished, stopped, failed and damaged ones.

use carom_store::folder::{self, Limits, Options, RunFolder};
use carom_store::table::{Schema, Table, Tables, integer, real, text};
use carom_store::{Column, Format, collect, find};
use carom_world::Scene;
use carom_world::record::{BodySimulation, SceneSource, tables};
use std::fs;
use std::path::{Path, PathBuf};

/// This scene has names that must be quoted in tables, impacts shorter than a sample, and more than one piece of rows.
const SCENE: &str = "[simulation]\nduration = 0.5\nsample = 4e-5\ngravity = 9.81\n[[body]]\nname = 'ball, \"red\"'\n\
    shape = \"sphere\"\nradius = 0.02\ndensity = 7850\nposition = [0, 0, 0.05]\n[[contact]]\n\
    between = ['ball, \"red\"', \"ground\"]\nlaw = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\n";

fn scene() -> Scene {
    Scene::parse(SCENE, &|_| Err("no files".into())).unwrap()
}

fn source() -> SceneSource {
    SceneSource { scene: SCENE.into(), ..SceneSource::default() }
}

type StoredRun = folder::StoredRun<SceneSource>;

fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Runs the scene into a folder, for a number of steps or to the end.
fn run_into(path: &Path, format: Format, steps: Option<u64>) {
    let scene = scene();
    let options = Options { format: Some(format), ..Options::default() };
    let start = folder::inspect(path, &source(), options).unwrap();
    let mut run = BodySimulation::new(&scene).unwrap();
    let folder = RunFolder::open(path, &source(), &run, &start).unwrap();
    let limits = Limits { steps, ..Limits::default() };
    folder.run(&mut run, limits, |_| true, |_, _| Ok(())).unwrap();
}

/// Returns all rows of a table as text, so that NaN compares equal to NaN.
fn rows(run: &StoredRun, table: Schema) -> Result<Vec<String>, String> {
    let mut reader = run.table(table).map_err(|why| why.to_string())?;
    let mut found = Vec::new();
    while let Some(piece) = reader.rows().map_err(|why| why.to_string())? {
        found.extend(lines(&piece));
    }
    Ok(found)
}

fn lines(columns: &[Column]) -> Vec<String> {
    let cell = |column: &Column, row: usize| match column.values.text(row) {
        Some(word) => word.to_string(),
        None => format!("{:?}", column.values.real(row)),
    };
    let count = columns.first().map_or(0, |column| column.values.len());
    let row = |row| columns.iter().map(|c| cell(c, row)).collect::<Vec<_>>().join("|");
    (0..count).map(row).collect()
}

const FORMATS: [Format; 3] = [Format::Csv, Format::Arrow, Format::Parquet];

#[test]
fn tables_are_read_as_they_were_written() {
    let scene = scene();
    let whole = collect(&mut BodySimulation::new(&scene).unwrap(), |_| Ok(())).unwrap();
    assert!(whole[0].1[0].values.len() > 4096, "several pieces");
    for format in FORMATS {
        let path = place(&format!("stored-whole-{}", format.name()));
        run_into(&path, format, None);
        let run = StoredRun::open(&path).unwrap();
        assert!(run.ended() && run.summary.as_ref().unwrap()["finished"] == true);
        assert_eq!(run.what.scene, SCENE);
        for (table, (name, columns)) in tables::of_bodies().into_iter().zip(&whole) {
            assert_eq!(table.name, *name);
            assert!(rows(&run, table).unwrap() == lines(columns), "{name} {format:?}");
        }
    }
}

#[test]
fn a_run_that_was_stopped_is_read_up_to_its_checkpoint() {
    let scene = scene();
    let whole = collect(&mut BodySimulation::new(&scene).unwrap(), |_| Ok(())).unwrap();
    for format in FORMATS {
        let path = place(&format!("stored-stopped-{}", format.name()));
        run_into(&path, format, Some(120));
        // Rows written after the checkpoint are ignored.
        let part = path.join(format!("trajectory.{}.partial", format.name()));
        let mut bytes = fs::read(&part).unwrap();
        bytes.extend_from_slice(b"0.5,b");
        fs::write(&part, bytes).unwrap();
        let run = StoredRun::open(&path).unwrap();
        assert!(!run.ended() && run.summary.is_none());
        let mut ends = Vec::new();
        for (table, (name, columns)) in tables::of_bodies().into_iter().zip(&whole) {
            let (found, all) = (rows(&run, table).unwrap(), lines(columns));
            if all.is_empty() {
                // The scene has no joints and no sensors.
                assert!(found.is_empty() && ["joints", "sensors"].contains(name), "{name}");
                continue;
            }
            assert!(!found.is_empty() && found.len() < all.len(), "{name} {format:?}");
            assert!(all.starts_with(&found), "{name} {format:?}");
            let time = found.last().unwrap().split('|').next().unwrap().to_string();
            ends.push((*name, time));
        }
        assert_eq!(ends[0].1, ends[2].1, "tables reach equally far: {ends:?}");
    }
}

#[test]
fn damaged_files_are_named_in_errors() {
    for format in FORMATS {
        let path = place(&format!("stored-damaged-{}", format.name()));
        run_into(&path, format, None);
        let file = path.join(format!("contacts.{}", format.name()));
        let whole = fs::read(&file).unwrap();
        let damaged = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            rows(&StoredRun::open(&path).unwrap(), tables::CONTACTS.schema())
        };
        let right = damaged(&whole).unwrap();
        for cut in [0, 3, 17, whole.len() / 3 + 1, whole.len() - 1] {
            let why = damaged(&whole[..cut]).err().unwrap_or_default();
            assert!(
                why.contains("is damaged") && why.contains("with overwrite = true"),
                "{cut}: {why}"
            );
        }
        // A changed byte is either detected or read as another number; it never causes a panic.
        for k in 0..200 {
            let mut bytes = whole.clone();
            let at = (k * 7919 + k * k * 31) % bytes.len();
            bytes[at] ^= 0x55;
            let _ = damaged(&bytes).map(|rows| assert!(rows.len() <= right.len() + 1));
        }
        fs::remove_file(&file).unwrap();
        let why = rows(&StoredRun::open(&path).unwrap(), tables::CONTACTS.schema()).unwrap_err();
        assert!(why.contains("is missing"), "{why}");
        // Another table is stored under this name.
        fs::copy(path.join(format!("events.{}", format.name())), &file).unwrap();
        let why = rows(&StoredRun::open(&path).unwrap(), tables::CONTACTS.schema()).unwrap_err();
        assert!(why.contains("columns of this table"), "{why}");
    }
}

#[test]
fn folders_without_a_run_are_refused_with_advice() {
    let path = place("stored-nothing");
    let refused = |path: &Path| StoredRun::open(path).unwrap_err().to_string();
    assert!(refused(&path).contains("there is no folder"));
    fs::create_dir_all(&path).unwrap();
    assert!(refused(&path).contains("holds no run; simulate a scene"));
    fs::write(path.join("notes.txt"), "").unwrap();
    assert!(refused(&path.join("notes.txt")).contains("is a file"));
    run_into(&path.join("run"), Format::Csv, None);
    fs::remove_file(path.join("run/scene.json")).unwrap();
    assert!(refused(&path.join("run")).contains("has no `scene.json`"));
    fs::write(path.join("run/scene.json"), "{").unwrap();
    assert!(refused(&path.join("run")).contains("damaged"));
}

/// The table of trajectories with columns added before, between and after its own columns.
#[test]
fn a_column_that_is_added_to_a_table_breaks_nothing() {
    struct Row {
        number: u64,
        time: f64,
        z: f64,
    }
    const EXTENDED: Table<Row> = Table {
        name: "trajectory",
        about: "",
        columns: &[
            integer("number", "added", |row| row.number),
            real("z_m", "m", "", |row| row.z),
            text("remark", "added", |row| (row.number % 2) as u32),
            real("time_s", "s", "", |row| row.time),
            real("added_N", "N", "added", |row| -row.z),
        ],
    };
    const PLAIN: Table<Row> = Table {
        name: "trajectory",
        about: "",
        columns: &[real("time_s", "s", "", |row| row.time), real("z_m", "m", "", |row| row.z)],
    };
    let scene = scene();
    for format in FORMATS {
        // The file of a real run is replaced by one with more columns in another order.
        let path = place(&format!("stored-added-{}", format.name()));
        run_into(&path, format, None);
        let before = rows(&StoredRun::open(&path).unwrap(), PLAIN.schema()).unwrap();
        let whole = collect(&mut BodySimulation::new(&scene).unwrap(), |_| Ok(())).unwrap();
        let column = |name: &str| &find(&whole[0].1, name).unwrap().values;
        let (time, z) = (column("time_s"), column("z_m"));
        let remarks = vec!["a, b".to_string(), "c".to_string()];
        let mut tables = Tables::default().with(&EXTENDED, [("remark", remarks)]);
        for row in 0..time.len() {
            let (time, z) = (time.real(row).unwrap(), z.real(row).unwrap());
            tables.rows(&EXTENDED).push(&Row { number: row as u64, time, z });
        }
        let file = path.join(format!("trajectory.{}", format.name()));
        let fields = EXTENDED.schema().fields;
        let mut sink = carom_store::Sink::grow(&fields, "added", &file, format, None).unwrap();
        for (_, piece) in tables.take(true) {
            sink.append(carom_store::encode(&piece, format)).unwrap();
        }
        sink.finish().unwrap();
        let run = StoredRun::open(&path).unwrap();
        assert!(rows(&run, PLAIN.schema()).unwrap() == before, "{format:?}");
        // The error names a column that is missing.
        let why = rows(&run, tables::TRAJECTORY.schema()).unwrap_err();
        assert!(why.contains("`body`"), "{why}");
    }
}
