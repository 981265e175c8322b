//! Determines the quantities and units of the columns of a measured table from their names.

use crate::error::{Error, Result};
use crate::message::Action;
use crate::units::{self, Dimension};
use std::fmt;

/// Quantity in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Time.
    Time,
    /// Force.
    Force,
    /// Indentation.
    Indentation,
    /// Acceleration.
    Acceleration,
    /// Approach speed, before the impact.
    Speed,
    /// Rebound speed, after the impact.
    Rebound,
    /// Restitution.
    Restitution,
    /// Duration of contact.
    Duration,
    /// Largest force.
    ForceMax,
    /// Largest indentation.
    IndentationMax,
    /// Effective mass.
    Mass,
    /// Height from which a ball is dropped.
    Drop,
    /// Height of the bounce after a drop.
    Bounce,
    /// Time between two bounces.
    Interval,
    /// Vertical position.
    Position,
}

/// A role with its name, its dimension, and the names of its columns.
struct KnownColumn {
    role: Role,
    name: &'static str,
    dimension: Dimension,
    /// Complete names in lower case, with words joined by `_`; the names are separated by spaces.
    names: &'static str,
}

impl KnownColumn {
    fn is_called(&self, name: &str) -> bool {
        self.names.split(' ').any(|known| known == name)
    }
}

const fn known_column(
    role: Role,
    name: &'static str,
    dimension: Dimension,
    names: &'static str,
) -> KnownColumn {
    KnownColumn { role, name, dimension, names }
}

#[rustfmt::skip] // a table is read by rows
const KNOWN_COLUMNS: [KnownColumn; 15] = [
    // `x_value` is the name that LabVIEW writes.
    known_column(Role::Time, "time", Dimension::TIME,
        "t time zeit temps tiempo timestamp elapsed elapsed_time x_value"),
    known_column(Role::Force, "force", Dimension::FORCE,
        "f fn fz force load kraft contact_force normal_force fuerza impact_force"),
    known_column(Role::Indentation, "indentation", Dimension::LENGTH,
        "d x delta indentation displacement deformation penetration compression depth weg disp \
         deflection approach"),
    known_column(Role::Acceleration, "acceleration", Dimension::ACCELERATION,
        "a az acc accel acceleration beschleunigung acc_z accelz"),
    known_column(Role::Speed, "speed", Dimension::SPEED,
        "v v0 vi v_i v_in v1 speed velocity impact_speed impact_velocity speed_before \
         velocity_before v_before approach_speed approach before speed_in"),
    known_column(Role::Rebound, "rebound", Dimension::SPEED,
        "vf vr v_f v_r v2 v_out rebound rebound_speed rebound_velocity speed_after velocity_after \
         v_after after speed_out"),
    known_column(Role::Restitution, "restitution", Dimension::NUMBER,
        "e cor cr c_r restitution coefficient_of_restitution"),
    known_column(Role::Duration, "duration", Dimension::TIME,
        "duration contact_time contact_duration tc t_c"),
    known_column(Role::ForceMax, "force_max", Dimension::FORCE,
        "force_max fmax f_max peak_force max_force maximum_force"),
    known_column(Role::IndentationMax, "indentation_max", Dimension::LENGTH,
        "indentation_max dmax d_max delta_max peak_indentation max_indentation maximum_indentation \
         peak_displacement max_displacement"),
    known_column(Role::Mass, "mass", Dimension::MASS,
        "m mass effective_mass"),
    known_column(Role::Drop, "drop", Dimension::LENGTH,
        "drop drop_height h0 fall_height release_height height_drop fallhöhe fallhoehe \
         hauteur_de_chute"),
    known_column(Role::Bounce, "bounce", Dimension::LENGTH,
        "bounce bounce_height rebound_height return_height height_bounce height_rebound h1 \
         sprunghöhe sprunghoehe rücksprunghöhe hauteur_de_rebond"),
    known_column(Role::Interval, "interval", Dimension::TIME,
        "interval flight_time time_of_flight flight time_between_bounces dt"),
    known_column(Role::Position, "position", Dimension::LENGTH,
        "y z position height pos h altitude pos_y pos_z"),
];

impl Role {
    fn known_column(self) -> &'static KnownColumn {
        // The list contains every role in the order of its declaration.
        &KNOWN_COLUMNS[self as usize]
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        self.known_column().name
    }
}

/// A column that was found in the table.
#[derive(Clone, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct FoundColumn {
    /// Quantity in the column.
    pub role: Role,
    /// Number of the column, beginning with 1.
    pub column: usize,
    /// Name in the file; empty if it has none.
    pub name: String,
    /// Unit in which the column was read.
    pub unit: String,
    /// Whether no unit was written, so that SI is assumed.
    pub assumed: bool,
    /// Whether the user selected it by name or number; false if it was recognised by the header.
    pub named: bool,
    /// SI value of one unit.
    #[serde(skip)]
    factor: f64,
}

impl fmt::Display for FoundColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.unit.is_empty() { "1" } else { &self.unit };
        match self.name.is_empty() {
            true => write!(f, "{} from column {}", self.role.name(), self.column)?,
            false => write!(f, "{} from `{}`", self.role.name(), self.name)?,
        }
        if self.role.known_column().dimension == Dimension::NUMBER {
            return Ok(());
        }
        write!(f, " in {unit}{}", if self.assumed { " (assumed)" } else { "" })
    }
}

/// Columns that are read.
#[derive(Debug)]
pub(super) struct Header {
    pub found: Vec<FoundColumn>,
}

/// Splits a text into a name and the unit that is written with it.
fn split_unit(text: &str) -> (String, Option<String>) {
    let text = text.trim().trim_matches('"').trim();
    for (open, close) in [('[', ']'), ('(', ')'), ('{', '}')] {
        if let Some((name, rest)) = text.split_once(open)
            && let Some((unit, _)) = rest.rsplit_once(close)
        {
            return (name.trim().to_string(), Some(unit.trim().to_string()));
        }
    }
    for separator in [" / ", "/", ", ", "_", " ", "."] {
        if let Some((name, unit)) = text.rsplit_once(separator)
            && !name.trim().is_empty()
            && !unit.trim().is_empty()
            && role_of(name).is_some_and(|role| factor(role, unit).is_some())
        {
            return (name.trim().to_string(), Some(unit.trim().to_string()));
        }
    }
    (text.to_string(), None)
}

/// Returns a name in lower case with words joined by `_`.
fn normalise(name: &str) -> String {
    let words = name.to_lowercase();
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn role_of(name: &str) -> Option<Role> {
    let name = match name.trim() {
        "δ" | "Δ" => "delta".to_string(),
        name => normalise(name),
    };
    let known = KNOWN_COLUMNS.iter().find(|known| known.is_called(&name));
    // For names such as `force_1` or `Force sensor A` the first word decides, if it is longer than a symbol.
    let first = || {
        let word = name.split('_').next().unwrap_or_default();
        let long = |known: &&KnownColumn| word.len() > 2 && known.is_called(word);
        KNOWN_COLUMNS.iter().find(long)
    };
    known.or_else(first).map(|known| known.role)
}

/// Returns the role of a name; if a name has two roles (`approach` is a length or a speed), the unit decides.
fn role_with(name: &str, unit: Option<&str>) -> Option<Role> {
    let role = role_of(name)?;
    let fits = |role: Role| unit.is_none_or(|unit| factor(role, unit).is_some());
    let name = normalise(name);
    let other = || KNOWN_COLUMNS.iter().find(|k| k.is_called(&name) && fits(k.role));
    if fits(role) { Some(role) } else { Some(other().map_or(role, |known| known.role)) }
}

/// Returns the SI value of one unit; `None` if it is not a unit of the quantity of the role.
fn factor(role: Role, unit: &str) -> Option<f64> {
    let dimension = role.known_column().dimension;
    let unit = unit.trim().replace("**", "^").replace("sec", "s");
    match (role, unit.as_str()) {
        (_, "" | "-" | "1") => return Some(1.0),
        // In a column of accelerations, g is not a gram.
        (Role::Acceleration, "g" | "G" | "g0" | "gn" | "g's" | "gs") => return Some(9.80665),
        (Role::Acceleration, "m/s2" | "ms-2" | "m/s^2" | "m/s²") => return Some(1.0),
        (Role::Restitution, "%") => return Some(0.01),
        // Tracking programs write positions in pixels; their scale follows from gravity.
        (Role::Position, "px" | "pixel" | "pixels") => return Some(1.0),
        _ => {}
    }
    units::parse("unit", &format!("1 {unit}"), dimension).ok()
}

/// Returns whether at least two cells, or the only one, are names of measured quantities.
pub(super) fn names_something(cells: &[String]) -> bool {
    let known = |cell: &&String| {
        let (name, unit) = split_unit(cell);
        role_with(&name, unit.as_deref()).is_some()
    };
    cells.iter().filter(known).count() >= cells.len().min(2)
}

/// Returns whether all cells are units, as in a line of units below the names.
pub(super) fn are_units(cells: &[String]) -> bool {
    let bare = |cell: &String| cell.trim_matches(['[', ']', '(', ')']).trim().to_string();
    let unit = |cell: &String| {
        let cell = bare(cell);
        cell.is_empty()
            || cell == "-"
            || KNOWN_COLUMNS.iter().any(|k| factor(k.role, &cell).is_some())
    };
    cells.iter().any(|cell| !bare(cell).is_empty()) && cells.iter().all(unit)
}

impl Header {
    /// Determines the columns from names and units, or from the number of columns if there are no names.
    pub fn new(
        names: Option<Vec<String>>,
        units: Option<Vec<String>>,
        count: usize,
        wanted: &[(Option<Role>, String)],
        line: usize,
    ) -> Result<Self> {
        let all: Vec<&String> =
            wanted.iter().filter(|(role, _)| role.is_none()).map(|(_, name)| name).collect();
        let names = match all.is_empty() {
            true => names.unwrap_or_default(),
            false => all.into_iter().cloned().collect(),
        };
        let unit_below = |i: usize| -> Option<String> {
            let unit = units.as_ref()?.get(i)?;
            Some(unit.trim_matches(['[', ']', '(', ')']).trim().to_string())
        };
        let mut found: Vec<FoundColumn> = Vec::new();
        for (role, text) in wanted {
            let Some(role) = *role else { continue };
            found.push(wanted_column(role, text, &names, names.len().max(count), &unit_below)?);
        }
        for (i, text) in names.iter().enumerate() {
            let (name, unit) = split_unit(text);
            let unit = unit.or_else(|| unit_below(i));
            let Some(role) = role_with(&name, unit.as_deref()) else { continue };
            if found.iter().any(|f| f.role == role || f.column == i + 1) {
                continue;
            }
            found.push(found_column(role, i, text, unit)?);
        }
        if found.is_empty() {
            let seen = match names.is_empty() {
                true => format!("{count} columns without names"),
                false => format!("columns {}", names.join(", ")),
            };
            let allowed = "names of measured quantities, such as time_ms or Force [kN]";
            let advice = sentence!(
                "name the columns in their order with {} (- for one to skip)",
                Action::give_as("columns", "time [ms],force [N]")
            );
            return Err(Error::invalid(format!("header, line {line}"), seen, allowed, advice));
        }
        Ok(Self { found })
    }

    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns the index of the column with the signal: force or acceleration, otherwise the first column.
    pub fn signal_index(&self) -> usize {
        let signal = |f: &FoundColumn| matches!(f.role, Role::Force | Role::Acceleration);
        self.found.iter().position(signal).unwrap_or(0)
    }

    /// Iterates over the quantities that are read from a column of the file: their indices in `found`, and the
    /// factors to SI.
    pub fn read_from(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let here = move |(_, found): &(usize, &FoundColumn)| found.column == column + 1;
        self.found.iter().enumerate().filter(here).map(|(i, found)| (i, found.factor))
    }
}

/// Returns a column of the file (counted from 0) with this role, in its unit or in SI.
fn found_column(
    role: Role,
    column: usize,
    name: &str,
    unit: Option<String>,
) -> Result<FoundColumn> {
    let si = role.known_column().dimension.to_string();
    let assumed = unit.is_none();
    let unit = unit.unwrap_or(if si == "1" { String::new() } else { si });
    let Some(factor) = factor(role, &unit) else {
        let parameter = format!("unit of `{name}`");
        let allowed = format!("a unit of {}", role.name());
        let advice = sentence!(
            "write for example {}",
            Action::give_as(
                role.name(),
                format!("{} [{}]", split_unit(name).0, role.known_column().dimension)
            )
        );
        return Err(Error::invalid(parameter, format!("`{unit}`"), allowed, advice));
    };
    let (column, name) = (column + 1, name.to_string());
    Ok(FoundColumn { role, column, name, unit, assumed, named: false, factor })
}

/// Returns a column that was selected by name or number.
fn wanted_column(
    role: Role,
    text: &str,
    names: &[String],
    count: usize,
    unit_below: &impl Fn(usize) -> Option<String>,
) -> Result<FoundColumn> {
    let by_name = |wanted: &str| {
        let same = |name: &String| name == wanted || split_unit(name).0 == wanted;
        let loose = |name: &String| normalise(name) == normalise(wanted);
        names.iter().position(same).or_else(|| names.iter().position(loose))
    };
    let by_number = |wanted: &str| {
        wanted.parse::<usize>().ok().filter(|n| (1..=count).contains(n)).map(|n| n - 1)
    };
    let (name, unit) = split_unit(text);
    // The complete text is tried first, because names in the header may contain brackets.
    let whole = by_name(text).map(|i| (i, None));
    let found = whole.or_else(|| Some((by_name(&name).or_else(|| by_number(&name))?, unit)));
    let Some((i, unit)) = found else {
        let otherwise = match names.is_empty() {
            true => format!("the file has no header; give a number from 1 to {count}"),
            false => format!("the file has {}", names.join(", ")),
        };
        let known = names.iter().map(String::as_str);
        return Err(Error::unknown("column", text, known, &otherwise));
    };
    let name = names.get(i).cloned().unwrap_or_default();
    let unit = unit.or_else(|| split_unit(&name).1).or_else(|| unit_below(i));
    let found = found_column(role, i, &name, unit)?;
    Ok(FoundColumn { named: true, ..found })
}
