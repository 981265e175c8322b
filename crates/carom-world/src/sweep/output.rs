//! Output numbers of a run: statistics of the columns of its tables, and some numbers that have names.
//!
//! `max(contacts.force_N, wrist pin)` is the largest number of a column among the rows of one contact. Statistics are `max`,
//! `min`, `mean`, `rms` (over the rows, as they are in the table), `first`, `last`, `change` (last − first), `sum` and
//! `count`. Words after the column select rows: names of bodies and contacts, and kinds of events. Any column of any table
//! can be used, because all tables are declared in one place (`record/tables.rs`).
//!
//! Named numbers are composed of these: `force_max` is the largest of the located peaks of touches that have ended and of
//! all samples, `touches` the number of touches that begin, `lost` and `friction` the energy lost to contact laws and to
//! friction (to which wear is proportional in Archard's law), `impulse` is ∫F dt (`sweep/impulse.rs`). `flight`, `impact`
//! and `contact` are the fractions of time in each regime of a contact, and `repeats` is the number of turns after which the
//! whole state repeats (`regimes.rs`). The nonsmooth method has neither a largest force nor regimes.

use super::statistic::{COUNT, ColumnStatistic, STATISTICS};
use crate::regimes::StudyResults;
use carom::{Error, Result};
use carom_store::table::Schema;

/// An output number of a run.
pub(super) struct Output {
    /// The text by which it was requested.
    pub name: String,
    /// SI unit; empty for pure numbers.
    pub unit: String,
    /// Whether it has no value with the nonsmooth method, because impacts of rigid bodies take no time and have no force.
    pub smooth_only: bool,
    /// How it is computed.
    pub kind: OutputKind,
}

pub(super) enum OutputKind {
    /// Largest of several statistics, and the value if none of them has one.
    Largest(Vec<ColumnStatistic>, f64),
    /// ∫F dt of one contact or of all.
    Impulse(Option<String>),
    /// A number of a joint.
    Joint(String, JointNumber),
}

/// Function that returns a number from the results of a joint.
pub(super) type JointNumber = fn(&StudyResults) -> f64;

/// Names of the numbers of a joint.
const JOINT_NUMBERS: [(&str, JointNumber); 4] = [
    ("flight", |found| found.regimes.flight),
    ("impact", |found| found.regimes.impact),
    ("contact", |found| found.regimes.contact),
    ("repeats", |found| found.repeats().map_or(f64::NAN, |turns| turns as f64)),
];

impl Output {
    /// Reads an output from its text; `schemas` are the tables that exist.
    pub fn read(text: &str, schemas: &[Schema]) -> Result<Self> {
        let text = text.trim();
        let (name, arguments) = match text.strip_suffix(')').and_then(|it| it.split_once('(')) {
            Some((name, arguments)) => (name.trim(), arguments.split(',').map(str::trim).collect()),
            None => (text, Vec::new()),
        };
        let contact = arguments.first().map(|contact| contact.to_string());
        let of = |name, table: &str, column: Option<&str>, word: Option<&str>| {
            let words = word.map(str::to_string).into_iter().chain(contact.clone());
            ColumnStatistic {
                name,
                table: table.to_string(),
                column: column.map(str::to_string),
                words: words.collect(),
            }
        };
        let grains = schemas.iter().any(|table| table.name == "grains");
        let only_bodies = || match grains {
            false => Ok(()),
            true => Err(Error::unsupported(
                format!("`{name}` of a bed of grains"),
                "take a column of its tables, as in max(energies.kinetic_J)",
            )),
        };
        let joint = JOINT_NUMBERS.iter().find(|(known, _)| *known == name);
        let smooth_only = ["force_max", "flight", "impact", "contact"].contains(&name);
        let (kind, unit) = match name {
            "force_max" => {
                let mut all = vec![of("max", "contacts", Some("force_N"), None)];
                if !grains {
                    all.push(of("max", "events", Some("force_max_N"), None));
                }
                (OutputKind::Largest(all, 0.0), "N".to_string())
            }
            "touches" => {
                only_bodies()?;
                let all = of(COUNT, "events", None, Some("touch"));
                (OutputKind::Largest(vec![all], 0.0), String::new())
            }
            "lost" | "friction" => {
                if contact.is_some() {
                    only_bodies()?;
                }
                let (table, column) = match (name, &contact) {
                    ("lost", None) => ("energies", "lost_in_contacts_J"),
                    ("lost", Some(_)) => ("ledger", "lost_J"),
                    (_, None) => ("energies", "lost_to_friction_J"),
                    (_, Some(_)) => ("ledger", "friction_J"),
                };
                let change = of("change", table, Some(column), None);
                (OutputKind::Largest(vec![change], 0.0), "J".to_string())
            }
            "impulse" => {
                only_bodies()?;
                (OutputKind::Impulse(contact), "N s".to_string())
            }
            _ if joint.is_some() => {
                only_bodies()?;
                let contact = contact.ok_or_else(|| {
                    let advice = format!("write its name: {name}(wrist pin)");
                    Error::missing(format!("the contact of `{name}`"), advice)
                })?;
                let value = joint.map_or(JOINT_NUMBERS[0].1, |(_, value)| *value);
                (OutputKind::Joint(contact, value), String::new())
            }
            _ => {
                let statistic = ColumnStatistic::read(text, schemas)?;
                let unit = statistic.unit(schemas);
                (OutputKind::Largest(vec![statistic], f64::NAN), unit)
            }
        };
        Ok(Self { name: text.to_string(), unit, smooth_only, kind })
    }
}

impl ColumnStatistic {
    /// Reads a statistic such as `max(contacts.force_N, wrist pin)`.
    fn read(text: &str, schemas: &[Schema]) -> Result<Self> {
        let named = ["force_max", "touches", "lost", "friction", "impulse"];
        let known = || {
            let joint = JOINT_NUMBERS.iter().map(|(name, _)| *name);
            STATISTICS.iter().map(|(name, _)| *name).chain(named).chain(joint)
        };
        let otherwise = "use force_max, touches, lost, friction, impulse, flight(CONTACT), impact(CONTACT), \
                         contact(CONTACT) or repeats(CONTACT), or max, min, mean, rms, first, last, change, sum or count of \
                         a column, as in max(contacts.force_N, CONTACT) or last(trajectory.x_m, BODY)";
        let split = text.trim().strip_suffix(')').and_then(|text| text.split_once('('));
        let Some((name, arguments)) = split else {
            return Err(Error::unknown("output", text, known(), otherwise));
        };
        let statistic = STATISTICS.iter().find(|(known, _)| *known == name.trim());
        let Some(&(statistic, _)) = statistic else {
            return Err(Error::unknown("output", name, known(), otherwise));
        };
        let mut arguments = arguments.split(',').map(str::trim);
        let place = arguments.next().unwrap_or_default();
        let (table, column) = match place.split_once('.') {
            Some((table, column)) => (table, Some(column)),
            None => (place, None),
        };
        let Some(schema) = schemas.iter().find(|schema| schema.name == table) else {
            let names = schemas.iter().map(|schema| schema.name);
            return Err(Error::not_among("table", table, names));
        };
        let mut fields = schema.fields.iter().map(|field| field.name.as_str());
        if let Some(column) = column.filter(|column| schema.position(column).is_none()) {
            let all: Vec<&str> = fields.clone().collect();
            let otherwise = format!("`{table}` has {}", all.join(", "));
            return Err(Error::unknown("column", column, fields, &otherwise));
        }
        if column.is_none() && statistic != COUNT {
            let advice =
                format!("write for example {name}({table}.{})", fields.next_back().unwrap_or(""));
            return Err(Error::missing(format!("the column of `{text}`"), advice));
        }
        Ok(Self {
            name: statistic,
            table: table.to_string(),
            column: column.map(str::to_string),
            words: arguments.map(str::to_string).collect(),
        })
    }

    fn unit(&self, schemas: &[Schema]) -> String {
        if self.name == COUNT {
            return String::new();
        }
        let schema = schemas.iter().find(|schema| schema.name == self.table);
        let field = schema
            .zip(self.column.as_deref())
            .and_then(|(schema, column)| schema.fields.iter().find(|field| field.name == column));
        field.map_or(String::new(), |field| field.unit.clone())
    }
}
