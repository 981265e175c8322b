//! `carom impact --trajectory FILE`.

use super::{STEEL, carom_with, csv, folder, refused};
use std::fs;
use std::path::Path;
use std::process::Output;

const COLUMNS: [&str; 7] =
    ["time_s", "indentation_m", "rate_m_per_s", "force_N", "kinetic_J", "stored_J", "dissipated_J"];

fn run(path: &Path, more: &str) -> Output {
    let words = format!("impact --law tsuji-1992 {STEEL} --restitution 0.7 {more}");
    let mut arguments: Vec<_> = words.split_whitespace().collect();
    arguments.extend(["--trajectory", path.to_str().unwrap()]);
    carom_with(&arguments)
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn csv_has_the_columns_and_as_many_rows_as_asked() {
    let path = folder("columns").join("impact.csv");
    assert!(run(&path, "--points 50").status.success());
    let text = fs::read_to_string(&path).unwrap();
    let (header, rows) = csv(&text);
    assert_eq!(header, COLUMNS);
    assert_eq!(rows.len(), 50);
    assert_eq!(entries(path.parent().unwrap()), 1, "only the file itself is left");
}

#[test]
fn json_has_the_same_columns_of_two_hundred_points() {
    let path = folder("json").join("impact.json");
    assert!(run(&path, "").status.success());
    let course: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(course.as_object().unwrap().keys().collect::<Vec<_>>(), COLUMNS);
    assert!(COLUMNS.iter().all(|name| course[name].as_array().unwrap().len() == 200));
}

#[test]
fn the_energies_close_and_the_course_ends_with_the_impact() {
    let path = folder("energies").join("impact.csv");
    let output = run(&path, "--json");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let (_, rows) = csv(&text);
    let numbers = |row: &[&str]| row.iter().map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>();
    let initial = report["energy"]["initial"].as_f64().unwrap();
    let mut dissipated = 0.0;
    for row in &rows {
        let row = numbers(row);
        assert!((row[4] + row[5] + row[6] - initial).abs() < 1e-9 * initial);
        assert!(row[6] >= dissipated - 1e-6 * initial, "energy is never gained");
        dissipated = row[6];
    }
    let last = numbers(&rows[rows.len() - 1]);
    let duration = report["duration"].as_f64().unwrap();
    let newton = report["restitution"]["newton"].as_f64().unwrap();
    assert!((last[0] / duration - 1.0).abs() < 1e-9);
    assert!((last[2] / (-0.5 * newton) - 1.0).abs() < 1e-6, "{} {newton}", last[2]);
}

#[test]
fn another_ending_is_refused_before_anything_runs() {
    let path = folder("ending").join("impact.txt");
    let sentence = refused(run(&path, ""), 2);
    assert!(sentence.contains("impact.txt") && sentence.contains(".csv or .json"), "{sentence}");
    assert_eq!(entries(path.parent().unwrap()), 0);
}

#[test]
fn a_folder_that_does_not_exist_is_a_failure_of_the_system() {
    let path = folder("missing").join("nowhere").join("impact.csv");
    let sentence = refused(run(&path, ""), 1);
    assert!(sentence.contains("cannot write") && sentence.contains("impact.csv"), "{sentence}");
}

#[test]
fn nothing_is_left_behind_where_the_file_cannot_be_put() {
    let folder = folder("occupied");
    let path = folder.join("impact.csv");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("keep"), "").unwrap();
    refused(run(&path, ""), 1);
    assert_eq!(entries(&folder), 1);
    assert!(path.join("keep").exists());
}

#[test]
fn bad_input_leaves_an_older_file_as_it_was() {
    let path = folder("older").join("impact.csv");
    fs::write(&path, "old").unwrap();
    refused(run(&path, "--points 1"), 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(entries(path.parent().unwrap()), 1);
}
