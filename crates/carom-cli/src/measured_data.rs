//! Reads tables of measured data from files line by line, and determines which kind of data the columns contain.

mod lines;

use crate::failure::Failure;
use carom::Error;
use carom::drop_test::of_heights;
use carom::fit::table::{Columns, Role, TableReader};
use carom::fit::{Data, Observation};
use lines::Lines;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Returns the columns that the user names: all in their order, or single ones with their roles.
pub fn named_columns<const N: usize>(
    columns: &[String],
    roles: [(Role, &Option<String>); N],
) -> Vec<(Option<Role>, String)> {
    let roles = roles.into_iter().filter_map(|(role, text)| Some((Some(role), text.clone()?)));
    columns.iter().map(|name| (None, name.clone())).chain(roles).collect()
}

/// Reads a table without its first `skip` lines; `-` is standard input.
pub fn read(
    path: &Path,
    wanted: &[(Option<Role>, String)],
    skip: usize,
) -> Result<Columns, Failure> {
    let name = path.display().to_string();
    match path.as_os_str() == "-" {
        true => read_from(io::stdin().lock(), &name, wanted, skip),
        false => match File::open(path) {
            Ok(file) => read_from(file, &name, wanted, skip),
            Err(why) => Err(unreadable(&name, &why)),
        },
    }
}

fn unreadable(name: &str, why: &io::Error) -> Failure {
    Failure::System(format!(
        "cannot read `{name}`: {why}; name a file of measured columns, or - for standard input"
    ))
}

/// Reads a table with bounded memory, however long the table is.
pub fn read_from(
    source: impl Read,
    name: &str,
    wanted: &[(Option<Role>, String)],
    skip: usize,
) -> Result<Columns, Failure> {
    let mut lines = Lines::new(source).map_err(|why| unreadable(name, &why))?;
    let mut table = TableReader::new(wanted).without_lines(skip);
    let mut bytes = Vec::new();
    let mut number = 0usize;
    while lines.next(&mut bytes).map_err(|why| unreadable(name, &why))? {
        number += 1;
        if bytes.contains(&0) {
            return Err(Failure::Input(format!(
                "line {number} of `{name}` is not text: it has zero bytes, as a binary file has; save it as CSV in UTF-8"
            )));
        }
        match std::str::from_utf8(&bytes) {
            Ok(line) => table.line(line)?,
            // Latin-1 characters in a header (µ, °) must not prevent the numbers from being read.
            Err(_) => table.line(&bytes.iter().map(|&b| char::from(b)).collect::<String>())?,
        }
    }
    Ok(table.finish()?)
}

/// Columns of a file, and the impacts if its rows describe impacts.
pub struct Measured {
    columns: Columns,
    rows: Vec<Observation>,
    over_indentation: bool,
}

impl Measured {
    /// Interprets columns. `over_indentation` selects force over indentation if there are times as well.
    pub fn new(columns: Columns, over_indentation: bool) -> Result<Self, Failure> {
        let rows = observations(&columns)?;
        Ok(Self { columns, rows, over_indentation })
    }

    /// Creates a table of impacts that is not from a file.
    pub fn of(rows: Vec<Observation>) -> Self {
        let columns = Columns {
            found: Vec::new(),
            values: Vec::new(),
            rows: rows.len(),
            rows_missing: 0,
            first_missing: None,
            condensed: false,
        };
        Self { columns, rows, over_indentation: false }
    }

    /// Returns the data for a fit. Columns that the user named take precedence over those recognised by the header.
    pub fn data(&self) -> Result<Data<'_>, Failure> {
        let column = |role| self.columns.column(role);
        let named = |role| self.columns.found.iter().any(|one| one.role == role && one.named);
        if named(Role::Force) && named(Role::Acceleration) {
            return Err(Error::unsupported(
                "a fit to a force and an acceleration together",
                "give one of --force and --acceleration",
            )
            .into());
        }
        let time = column(Role::Time);
        let mut force = column(Role::Force);
        let mut over_indentation = self.over_indentation;
        if named(Role::Acceleration) && !over_indentation {
            if time.is_none() {
                let advice = "--acceleration needs a column of times; name it with --time";
                return Err(Error::missing("time", advice).into());
            }
            force = None;
        }
        if named(Role::Indentation) && !named(Role::Time) && force.is_some() {
            over_indentation = true;
        }
        let curves = [Role::Time, Role::Force, Role::Acceleration, Role::Indentation];
        let impacts = named(Role::Speed) || named(Role::Rebound);
        if impacts && !curves.into_iter().any(named) && !self.rows.is_empty() {
            return Ok(Data::Outcomes(&self.rows));
        }
        if let (Some(indentation), Some(force)) = (column(Role::Indentation), force)
            && (over_indentation || time.is_none())
        {
            return Ok(Data::ForceIndentation { indentation, force });
        }
        if over_indentation {
            let advice = "--over-indentation needs columns of indentation and force";
            return Err(Error::missing("indentation", advice).into());
        }
        if let (Some(time), Some(force)) = (time, force) {
            return Ok(Data::ForceTime { time, force });
        }
        if let (Some(time), Some(acceleration)) = (time, column(Role::Acceleration)) {
            return Ok(Data::AccelerationTime { time, acceleration });
        }
        if !self.rows.is_empty() {
            return Ok(Data::Outcomes(&self.rows));
        }
        let found: Vec<_> = self.columns.found.iter().map(ToString::to_string).collect();
        Err(Error::invalid(
            "columns",
            found.join(", "),
            "time and force, time and acceleration, indentation and force, speeds before and after, or heights of drop and bounce",
            "say which column is what with --time, --force, --acceleration, --indentation, --before, --after, or name all with --columns",
        )
        .into())
    }

    /// Returns sentences for the report: the columns that were read, and incomplete rows.
    pub fn read(&self) -> Vec<String> {
        let mut all: Vec<String> = self.columns.found.iter().map(ToString::to_string).collect();
        if self.columns.condensed {
            all.push(format!("{} rows, the quiet ones averaged while reading", self.columns.rows));
        }
        if let (n @ 1.., Some(line)) = (self.columns.rows_missing, self.columns.first_missing) {
            let rows = if n == 1 { "row" } else { "rows" };
            all.push(format!("{n} {rows} with an empty cell, the first in line {line}"));
        }
        all
    }

    /// Returns speeds and restitutions of the impacts that have both.
    pub fn restitutions(&self) -> (Vec<f64>, Vec<f64>) {
        self.rows.iter().filter_map(|row| row.speed.zip(row.restitution)).unzip()
    }

    /// Returns the columns that were read.
    pub fn found(&self) -> &[carom::fit::table::FoundColumn] {
        &self.columns.found
    }
}

/// Returns the rows of a table as impacts; empty if no column is a result of impacts.
fn observations(columns: &Columns) -> Result<Vec<Observation>, Failure> {
    let numbers = [
        Role::Rebound,
        Role::Restitution,
        Role::Duration,
        Role::ForceMax,
        Role::IndentationMax,
        Role::Bounce,
    ];
    if numbers.iter().all(|role| columns.column(*role).is_none()) {
        return Ok(Vec::new());
    }
    let count = columns.values.first().map_or(0, Vec::len);
    let cell = |role: Role, i: usize| {
        columns.column(role).and_then(|c| c.get(i).copied()).filter(|v| v.is_finite())
    };
    let mut rows = Vec::new();
    for i in 0..count {
        let speed = cell(Role::Speed, i);
        // The sign of measured speeds indicates the direction; only their magnitude is used.
        let speed = speed.map(f64::abs);
        let rebound = cell(Role::Rebound, i).map(f64::abs);
        let by_speeds = rebound.zip(speed).map(|(after, before)| after / before);
        let (drop, bounce) = (cell(Role::Drop, i), cell(Role::Bounce, i));
        let by_heights = drop.zip(bounce).map(|(drop, bounce)| of_heights(drop, bounce));
        let speed = speed.or(by_heights.map(|(speed, _)| speed));
        let by_heights = by_heights.map(|(_, restitution)| restitution);
        let row = Observation {
            speed,
            mass: cell(Role::Mass, i),
            restitution: cell(Role::Restitution, i).or(by_speeds).or(by_heights),
            duration: cell(Role::Duration, i),
            force_max: cell(Role::ForceMax, i),
            indentation_max: cell(Role::IndentationMax, i),
            ..Observation::default()
        };
        let measured = [row.restitution, row.duration, row.force_max, row.indentation_max];
        if measured.iter().any(Option::is_some) {
            rows.push(row);
        }
    }
    Ok(rows)
}
