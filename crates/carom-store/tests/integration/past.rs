//! Runs that stand in a folder, read back: finished, stopped, failed, damaged.

use carom::sweep::Column;
use carom_store::Format;
use carom_store::folder::{self, Folder, Limits, Past, Told, Wanted};
use carom_world::Scene;
use carom_world::record::{Recorded, Table, collect, tables};
use std::fs;
use std::path::{Path, PathBuf};

/// Names that a table must quote, impacts shorter than a sample, more than one piece of rows.
const SCENE: &str = "[simulation]\nduration = 0.5\nsample = 4e-5\ngravity = 9.81\n[[body]]\nname = 'ball, \"red\"'\n\
    shape = \"sphere\"\nradius = 0.02\ndensity = 7850\nposition = [0, 0, 0.05]\n[[contact]]\n\
    between = ['ball, \"red\"', \"ground\"]\nlaw = \"tsuji-1992\"\nstiffness = 1e9\nrestitution = 0.8\n";

fn scene() -> Scene {
    Scene::parse(SCENE, &|_| Err("no files".into())).unwrap()
}

fn told() -> Told {
    Told { scene: SCENE.into(), ..Told::default() }
}

fn place(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Runs into a folder, for so many steps or to the end.
fn run(path: &Path, format: Format, steps: Option<u64>) {
    let scene = scene();
    let wanted = Wanted { format: Some(format), ..Wanted::default() };
    let found = folder::look(path, &told(), wanted).unwrap();
    let mut run = Recorded::new(&scene).unwrap();
    let folder = Folder::open(path, &told(), &run, &found).unwrap();
    let limits = Limits { steps, ..Limits::default() };
    folder.run(&mut run, limits, |_| true, |_, _| Ok(())).unwrap();
}

/// All rows of a table, as text: NaN is equal to itself there.
fn rows(past: &Past, table: &'static Table) -> Result<Vec<String>, String> {
    let scene = scene();
    let bodies = scene.world.bodies().iter().map(|body| body.name.clone()).collect::<Vec<_>>();
    let contacts = scene.world.contacts().iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    let words = match table.name {
        "events" => vec![vec!["touch".into(), "part".into()], contacts],
        "contacts" | "ledger" => vec![contacts],
        _ => vec![bodies],
    };
    let mut reader = past.table(table, words).map_err(|why| why.to_string())?;
    let mut found = Vec::new();
    while let Some(piece) = reader.rows().map_err(|why| why.to_string())? {
        found.extend(text(&piece));
    }
    Ok(found)
}

fn text(columns: &[Column]) -> Vec<String> {
    let cell = |column: &Column, row: usize| match column.values.word(row) {
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
    let whole = collect(&mut Recorded::new(&scene).unwrap(), |_| Ok(())).unwrap();
    assert!(whole[0].1[0].values.len() > 4096, "several pieces");
    for format in FORMATS {
        let path = place(&format!("past-whole-{}", format.name()));
        run(&path, format, None);
        let past = Past::look(&path).unwrap();
        assert!(past.ended() && past.summary.as_ref().unwrap()["finished"] == true);
        assert_eq!(past.told.scene, SCENE);
        for (table, (name, columns)) in tables::BODIES.iter().zip(&whole) {
            assert_eq!(table.name, *name);
            assert!(rows(&past, table).unwrap() == text(columns), "{name} {format:?}");
        }
    }
}

#[test]
fn a_run_that_was_stopped_is_read_up_to_its_checkpoint() {
    let scene = scene();
    let whole = collect(&mut Recorded::new(&scene).unwrap(), |_| Ok(())).unwrap();
    for format in FORMATS {
        let path = place(&format!("past-stopped-{}", format.name()));
        run(&path, format, Some(120));
        // What was written after the checkpoint does not count.
        let part = path.join(format!("trajectory.{}.partial", format.name()));
        let mut bytes = fs::read(&part).unwrap();
        bytes.extend_from_slice(b"0.5,b");
        fs::write(&part, bytes).unwrap();
        let past = Past::look(&path).unwrap();
        assert!(!past.ended() && past.summary.is_none());
        let mut ends = Vec::new();
        for (table, (name, columns)) in tables::BODIES.iter().zip(&whole) {
            let (found, all) = (rows(&past, table).unwrap(), text(columns));
            assert!(!found.is_empty() && found.len() < all.len(), "{name} {format:?}");
            assert!(all.starts_with(&found), "{name} {format:?}");
            let time = found.last().unwrap().split('|').next().unwrap().to_string();
            ends.push((*name, time));
        }
        assert_eq!(ends[0].1, ends[2].1, "tables reach equally far: {ends:?}");
    }
}

#[test]
fn what_is_damaged_is_said_and_nothing_breaks() {
    for format in FORMATS {
        let path = place(&format!("past-damaged-{}", format.name()));
        run(&path, format, None);
        let file = path.join(format!("contacts.{}", format.name()));
        let whole = fs::read(&file).unwrap();
        let damaged = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            rows(&Past::look(&path).unwrap(), &tables::CONTACTS)
        };
        let right = damaged(&whole).unwrap();
        for cut in [0, 3, 17, whole.len() / 3 + 1, whole.len() - 1] {
            let why = damaged(&whole[..cut]).err().unwrap_or_default();
            assert!(why.contains("is damaged") && why.contains("--overwrite"), "{cut}: {why}");
        }
        // A byte that is another is seen, or is another number: it never brings the program down.
        for k in 0..200 {
            let mut bytes = whole.clone();
            let at = (k * 7919 + k * k * 31) % bytes.len();
            bytes[at] ^= 0x55;
            let _ = damaged(&bytes).map(|rows| assert!(rows.len() <= right.len() + 1));
        }
        fs::remove_file(&file).unwrap();
        let why = rows(&Past::look(&path).unwrap(), &tables::CONTACTS).unwrap_err();
        assert!(why.contains("is missing"), "{why}");
        // Another table under this name.
        fs::copy(path.join(format!("events.{}", format.name())), &file).unwrap();
        let why = rows(&Past::look(&path).unwrap(), &tables::CONTACTS).unwrap_err();
        assert!(why.contains("columns of this table"), "{why}");
    }
}

#[test]
fn what_is_no_run_is_refused_with_what_to_do() {
    let path = place("past-nothing");
    let refused = |path: &Path| Past::look(path).unwrap_err().to_string();
    assert!(refused(&path).contains("there is no folder"));
    fs::create_dir_all(&path).unwrap();
    assert!(refused(&path).contains("holds no run; `carom simulate"));
    fs::write(path.join("notes.txt"), "").unwrap();
    assert!(refused(&path.join("notes.txt")).contains("is a file"));
    run(&path.join("run"), Format::Csv, None);
    fs::remove_file(path.join("run/scene.json")).unwrap();
    assert!(refused(&path.join("run")).contains("has no `scene.json`"));
    fs::write(path.join("run/scene.json"), "{").unwrap();
    assert!(refused(&path.join("run")).contains("damaged"));
}
