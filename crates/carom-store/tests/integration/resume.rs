//! Tests of interruptions: whatever remains of a file, the next run ends with the same bytes.

use carom_store::{
    Advice, Column, Existing, Failure, Format, Sink, Source, Values, encode, write, write_with,
};
use std::fs;
use std::path::{Path, PathBuf};

struct Table(&'static str);

impl Source for Table {
    fn partitions(&self) -> u64 {
        20
    }
    fn partition(&self, k: u64) -> Vec<Column> {
        let list = vec!["a".to_string(), "b".to_string()];
        vec![
            Column::new(
                "x",
                "m",
                Values::Real((0..50).map(|i| 1.0 / (k * 50 + i + 1) as f64).collect()),
            ),
            Column::new(
                "w",
                "",
                Values::Text { list, index: (0..50).map(|i| (i / 7 + k as u32) % 2).collect() },
            ),
        ]
    }
    fn fingerprint(&self) -> String {
        self.0.into()
    }
}

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    PathBuf::from(format!("{}{ending}", path.display()))
}

const FORMATS: [Format; 3] = [Format::Csv, Format::Arrow, Format::Parquet];

fn whole(folder: &Path, format: Format) -> Vec<u8> {
    let path = folder.join(format!("whole.{}", format.name()));
    write(&Table("one"), &path, format, 1, |_| {}).unwrap();
    fs::read(path).unwrap()
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = folder("threads");
    for format in FORMATS {
        let expected = whole(&folder, format);
        for threads in [2, 3, 16] {
            let path = folder.join(format!("{threads}.{}", format.name()));
            write(&Table("one"), &path, format, threads, |_| {}).unwrap();
            assert!(fs::read(&path).unwrap() == expected);
            assert!(!beside(&path, ".partial").exists() && !beside(&path, ".journal").exists());
        }
    }
}

#[test]
fn a_part_cut_anywhere_is_completed_to_the_same_bytes() {
    let folder = folder("cut");
    for format in FORMATS {
        let expected = whole(&folder, format);
        let path = folder.join(format!("cut.{}", format.name()));
        let (partial, journal) = (beside(&path, ".partial"), beside(&path, ".journal"));
        // Writes eight fragments; then the states follow that a killed process, a power failure or a faulty disk may leave.
        let eight = || {
            let mut sink =
                Sink::open(&Table("one"), &path, format, Existing::default()).unwrap().unwrap();
            (0..8).for_each(|k| sink.append(encode(&Table("one").partition(k), format)).unwrap());
        };
        for step in 0..40 {
            eight();
            let (data, log) = (fs::read(&partial).unwrap(), fs::read(&journal).unwrap());
            let cut = |length: usize| length * (step * 7 % 40) / 40;
            match step % 4 {
                0 => fs::write(&partial, &data[..cut(data.len())]).unwrap(),
                1 => fs::write(&journal, &log[..cut(log.len())]).unwrap(),
                2 => {
                    let mut data = data.clone();
                    let place = cut(data.len());
                    data[place] ^= 0x10;
                    fs::write(&partial, data).unwrap();
                }
                _ => fs::write(&partial, [data.as_slice(), b"half a fragment"].concat()).unwrap(),
            }
            let mut kept = None;
            write(&Table("one"), &path, format, 2, |p| {
                kept.get_or_insert(p.resumed);
            })
            .unwrap();
            assert!(fs::read(&path).unwrap() == expected, "{format:?} {step}");
            assert!(kept.unwrap() <= 8 && (step % 4 != 3 || kept == Some(8)), "{step} {kept:?}");
            fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn a_finished_file_is_recognised_and_another_one_is_not_replaced() {
    let folder = folder("finished");
    for format in FORMATS {
        let expected = whole(&folder, format);
        let path = folder.join(format!("whole.{}", format.name()));
        assert_eq!(write(&Table("one"), &path, format, 1, |_| {}).unwrap(), 0);
        fs::write(&path, "precious").unwrap();
        let failure = write(&Table("one"), &path, format, 1, |_| {}).unwrap_err();
        assert!(
            matches!(failure, Failure::Exists(_))
                && failure.problem().advice.contains(&Advice::Overwrite)
        );
        assert_eq!(fs::read(&path).unwrap(), b"precious");
        let existing = Existing { overwrite: true, ..Existing::default() };
        write_with(&Table("one"), &path, format, 1, existing, |_| {}).unwrap();
        assert!(fs::read(&path).unwrap() == expected);
    }
}

#[test]
fn a_part_of_another_table_is_not_touched_unless_asked() {
    let folder = folder("changed");
    let path = folder.join("t.csv");
    let mut sink =
        Sink::open(&Table("one"), &path, Format::Csv, Existing::default()).unwrap().unwrap();
    sink.append(encode(&Table("one").partition(0), Format::Csv)).unwrap();
    // While one process writes, another is refused.
    let failure = write(&Table("one"), &path, Format::Csv, 1, |_| {}).unwrap_err();
    assert!(matches!(failure, Failure::Busy(_)), "{failure}");
    drop(sink);
    let before = fs::read(beside(&path, ".partial")).unwrap();
    let failure = write(&Table("two"), &path, Format::Csv, 1, |_| {}).unwrap_err();
    assert!(matches!(failure, Failure::Changed { kept: 1, .. }), "{failure}");
    assert!(fs::read(beside(&path, ".partial")).unwrap() == before);
    let existing = Existing { restart: true, ..Existing::default() };
    write_with(&Table("two"), &path, Format::Csv, 1, existing, |_| {}).unwrap();
    assert!(path.exists());
}

#[test]
fn a_folder_that_is_not_there_leaves_nothing_behind() {
    let folder = folder("nowhere");
    let path = folder.join("missing").join("t.csv");
    let failure = write(&Table("one"), &path, Format::Csv, 1, |_| {}).unwrap_err();
    assert!(failure.to_string().contains("cannot write"), "{failure}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
