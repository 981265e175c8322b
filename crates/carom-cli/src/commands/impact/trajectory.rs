//! Writes the trajectory of an impact as a file.

use crate::failure::Failure;
use crate::output;
use carom::Error;
use carom::impact::Trajectory;
use carom_store::{Column, Values};
use std::path::Path;

/// Format of the file.
#[derive(Clone, Copy)]
pub enum TrajectoryFormat {
    /// A header row, then one row per instant.
    Csv,
    /// An object of columns.
    Json,
}

impl TrajectoryFormat {
    /// Returns the format that corresponds to the ending of the file name.
    pub fn of_file(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            _ => Err(Error::invalid(
                "trajectory",
                format!("`{}`", path.display()),
                "a file name that ends in .csv or .json",
                "write for example --trajectory impact.csv",
            )
            .into()),
        }
    }

    /// Returns the contents of the file.
    pub fn render(self, trajectory: &Trajectory) -> Result<String, Failure> {
        let columns = columns(trajectory);
        match self {
            Self::Csv => {
                let column = |(name, values): (&str, &[f64])| {
                    Column::new(name, "", Values::Real(values.to_vec()))
                };
                Ok(carom_store::csv::text(&columns.map(column)))
            }
            Self::Json => {
                let object: serde_json::Map<_, _> = columns
                    .map(|(name, values)| (name.to_string(), values.into()))
                    .into_iter()
                    .collect();
                output::json(&object)
            }
        }
    }
}

/// Returns names with units, and values.
fn columns(trajectory: &Trajectory) -> [(&'static str, &[f64]); 7] {
    [
        ("time_s", &trajectory.time),
        ("indentation_m", &trajectory.indentation),
        ("rate_m_per_s", &trajectory.rate),
        ("force_N", &trajectory.force),
        ("kinetic_J", &trajectory.kinetic),
        ("stored_J", &trajectory.stored),
        ("dissipated_J", &trajectory.dissipated),
    ]
}
