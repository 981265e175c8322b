//! Tests that the reference implementations of Arrow and Parquet read the files correctly.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};

use carom_store::{Column, Format, Source, Values, write};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use std::fs::File;
use std::path::PathBuf;

/// A table of unusual numbers and words, in partitions of different lengths.
struct Table {
    rows: u64,
    partition: u64,
}

const REALS: [f64; 6] = [0.1, -1e300, f64::INFINITY, f64::NAN, 5e-324, 2.4144e10];
const WORDS: [&str; 5] = ["steel", "", "a \"quoted\", word", "Ümläut", "x"];

impl Source for Table {
    fn partitions(&self) -> u64 {
        self.rows.div_ceil(self.partition)
    }
    fn partition(&self, number: u64) -> Vec<Column> {
        let rows = number * self.partition..((number + 1) * self.partition).min(self.rows);
        let list = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        vec![
            Column::new("case", "", Values::Integer(rows.clone().collect())),
            Column::new(
                "speed",
                "m/s",
                Values::Real(rows.clone().map(|i| REALS[i as usize % 6]).collect()),
            ),
            Column::new(
                "word",
                "",
                Values::Text {
                    list: list(&WORDS),
                    index: rows.clone().map(|i| (i % 5) as u32).collect(),
                },
            ),
            Column::new(
                "same",
                "",
                Values::Text { list: list(&["only"]), index: rows.clone().map(|_| 0).collect() },
            ),
            // This column is constant in most partitions, so that both encodings of indices occur.
            Column::new(
                "status",
                "",
                Values::Text {
                    list: list(&["ok", "invalid", "missing"]),
                    index: rows.map(|i| if i == 1002 { 2 } else { 0 }).collect(),
                },
            ),
        ]
    }
    fn fingerprint(&self) -> String {
        format!("{}-{}", self.rows, self.partition)
    }
}

fn status(row: u64) -> &'static str {
    if row == 1002 { "missing" } else { "ok" }
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for ending in ["", ".partial", ".journal"] {
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    path
}

fn same(a: f64, b: f64) {
    assert!(a == b || (a.is_nan() && b.is_nan()), "{a} {b}");
}

/// Sizes (rows, rows per partition) that give one row, a bit-packed group that is not full, several pages, and more than 15 row
/// groups.
const SIZES: [(u64, u64); 4] = [(1, 10), (1003, 100), (300_000, 200_000), (5000, 100)];

#[test]
fn parquet_reads_what_was_written() {
    for (rows, partition) in SIZES {
        let table = Table { rows, partition };
        let path = file(&format!("table-{rows}.parquet"));
        write(&table, &path, Format::Parquet, 3, |_| {}).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let metadata = reader.metadata();
        assert_eq!(metadata.num_row_groups() as u64, table.partitions());
        assert_eq!(metadata.file_metadata().num_rows() as u64, rows);
        let known = metadata.file_metadata().key_value_metadata().unwrap();
        assert!(known.iter().any(|it| it.key == "unit:speed" && it.value == Some("m/s".into())));
        let mut count = 0;
        for row in reader.get_row_iter(None).unwrap() {
            let row = row.unwrap();
            assert_eq!(row.get_ulong(0).unwrap(), count);
            same(row.get_double(1).unwrap(), REALS[count as usize % 6]);
            assert_eq!(row.get_string(2).unwrap(), WORDS[count as usize % 5]);
            assert_eq!(row.get_string(3).unwrap(), "only");
            assert_eq!(row.get_string(4).unwrap(), status(count));
            count += 1;
        }
        assert_eq!(count, rows);
    }
}

#[test]
fn arrow_reads_what_was_written() {
    for (rows, partition) in SIZES {
        let table = Table { rows, partition };
        let path = file(&format!("table-{rows}.arrow"));
        write(&table, &path, Format::Arrow, 3, |_| {}).unwrap();
        let reader =
            arrow_ipc::reader::FileReader::try_new(File::open(&path).unwrap(), None).unwrap();
        assert_eq!(reader.num_batches() as u64, table.partitions());
        let schema = reader.schema();
        assert_eq!(schema.field(1).metadata()["unit"], "m/s");
        assert_eq!(schema.metadata()["carom:fingerprint"], table.fingerprint());
        let mut count = 0;
        for batch in reader {
            let batch = batch.unwrap();
            let cases = batch.column(0).as_primitive::<UInt64Type>();
            let speeds = batch.column(1).as_primitive::<Float64Type>();
            for row in 0..batch.num_rows() {
                assert_eq!(cases.value(row), count);
                same(speeds.value(row), REALS[count as usize % 6]);
                assert_eq!(
                    batch.column(2).as_string::<i32>().value(row),
                    WORDS[count as usize % 5]
                );
                assert_eq!(batch.column(4).as_string::<i32>().value(row), status(count));
                count += 1;
            }
        }
        assert_eq!(count, rows);
    }
}
