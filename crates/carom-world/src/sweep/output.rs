//! Numbers of a run: statistics of the columns of its tables, and some that have names.
//!
//! `max(contacts.force_N, wrist pin)` is the largest number of a column among the rows of one contact. Statistics are
//! `max`, `min`, `mean`, `rms` (of the rows, as the tables have them), `first`, `last`, `change` (last − first), `sum` and
//! `count`. Words behind the column choose rows: names of bodies and contacts, kinds of events. Any column of any table
//! can be named, because the tables are declared once (`record/tables.rs`).
//!
//! Named numbers are made of these: `force_max` is the larger of the located peaks of touches that have ended and of all
//! samples, `touches` the number of touches that begin, `lost` and `friction` what contact laws and friction took (the latter
//! is the work that wears surfaces, Archard's law aside), `impulse` ∫F dt (`sweep/impulse.rs`). `flight`, `impact` and
//! `contact` are shares of the time in each regime of a contact and `repeats` the number of turns after which the whole state
//! repeats (`regimes.rs`).

use super::impulse::Impulse;
use crate::observe::{EndedTouch, Observer, Sample};
use crate::record::BodySimulation;
use crate::regimes::{self, JointObserver, Study, StudyResults};
use crate::scene::Scene;
use crate::state::Touch;
use crate::world::World;
use carom::{Error, Result};
use carom_store::table::{Schema, Tables};
use carom_store::{Column, Values};

/// Samples of a turn for regimes and recurrence.
const SAMPLES: usize = 72;

/// A number that is kept of every run.
pub(super) struct Output {
    /// As it was asked for.
    pub name: String,
    /// SI unit; empty for pure numbers.
    pub unit: String,
    kind: Kind,
}

enum Kind {
    /// The largest of some statistics, and what it is where none has a value.
    Largest(Vec<ColumnStatistic>, f64),
    /// ∫F dt, of one contact or of all.
    Impulse(Option<String>),
    /// A number of a joint.
    Joint(String, fn(&StudyResults) -> f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statistic {
    Max,
    Min,
    Mean,
    Rms,
    First,
    Last,
    Change,
    Sum,
    Count,
}

const STATISTICS: [(&str, Statistic); 9] = [
    ("max", Statistic::Max),
    ("min", Statistic::Min),
    ("mean", Statistic::Mean),
    ("rms", Statistic::Rms),
    ("first", Statistic::First),
    ("last", Statistic::Last),
    ("change", Statistic::Change),
    ("sum", Statistic::Sum),
    ("count", Statistic::Count),
];

/// Numbers of a joint.
const JOINT: [(&str, fn(&StudyResults) -> f64); 4] = [
    ("flight", |found| found.regimes.flight),
    ("impact", |found| found.regimes.impact),
    ("contact", |found| found.regimes.contact),
    ("repeats", |found| found.repeats().map_or(f64::NAN, |turns| turns as f64)),
];

/// A statistic of a column, of the rows that have some words.
#[derive(Clone, Debug)]
struct ColumnStatistic {
    statistic: Statistic,
    table: String,
    /// None for `count`, which needs no column.
    column: Option<String>,
    words: Vec<String>,
}

impl Output {
    /// Reads an output, whose tables are among these.
    pub fn read(text: &str, schemas: &[Schema]) -> Result<Self> {
        let text = text.trim();
        let (name, arguments) = match text.strip_suffix(')').and_then(|it| it.split_once('(')) {
            Some((name, arguments)) => (name.trim(), arguments.split(',').map(str::trim).collect()),
            None => (text, Vec::new()),
        };
        let of_contact = |of_all: &str, of_one: &str| match arguments.as_slice() {
            [] => of_all.to_string(),
            [contact, ..] => format!("{of_one}, {contact}"),
        };
        let parse = |texts: &[String]| -> Result<Vec<ColumnStatistic>> {
            texts.iter().map(|text| ColumnStatistic::read(text, schemas)).collect()
        };
        let grains = schemas.iter().any(|table| table.name == "grains");
        let only_bodies = || match grains {
            false => Ok(()),
            true => Err(Error::unsupported(
                format!("`{name}` of a bed of grains"),
                "take a column of its tables, as in max(energies.kinetic_J)",
            )),
        };
        let joint = JOINT.iter().find(|(known, _)| *known == name);
        let (kind, unit) = match name {
            "force_max" => {
                let samples = of_contact("max(contacts.force_N", "max(contacts.force_N") + ")";
                let peaks = of_contact("max(events.force_max_N", "max(events.force_max_N") + ")";
                let all = if grains { vec![samples] } else { vec![samples, peaks] };
                (Kind::Largest(parse(&all)?, 0.0), "N".to_string())
            }
            "touches" => {
                only_bodies()?;
                let all = of_contact("count(events, touch", "count(events, touch") + ")";
                (Kind::Largest(parse(&[all])?, 0.0), String::new())
            }
            "lost" | "friction" => {
                let (of_all, of_one) = match name {
                    "lost" => ("lost_in_contacts_J", "lost_J"),
                    _ => ("lost_to_friction_J", "friction_J"),
                };
                let (of_all, of_one) =
                    (format!("change(energies.{of_all}"), format!("change(ledger.{of_one}"));
                let text = of_contact(&of_all, &of_one) + ")";
                (Kind::Largest(parse(&[text])?, 0.0), "J".to_string())
            }
            "impulse" => {
                only_bodies()?;
                let contact = arguments.first().map(|contact| contact.to_string());
                (Kind::Impulse(contact), "N s".to_string())
            }
            _ if joint.is_some() => {
                only_bodies()?;
                let contact = arguments.first().copied().ok_or_else(|| {
                    Error::missing(
                        format!("the contact of `{name}`"),
                        format!("write its name: {name}(wrist pin)"),
                    )
                })?;
                let value = joint.map_or(JOINT[0].1, |(_, value)| *value);
                (Kind::Joint(contact.to_string(), value), String::new())
            }
            _ => {
                let statistic = ColumnStatistic::read(text, schemas)?;
                let unit = statistic.unit(schemas);
                (Kind::Largest(vec![statistic], f64::NAN), unit)
            }
        };
        Ok(Self { name: text.to_string(), unit, kind })
    }
}

impl ColumnStatistic {
    /// Reads `max(contacts.force_N, wrist pin)`.
    fn read(text: &str, schemas: &[Schema]) -> Result<Self> {
        let named = ["force_max", "touches", "lost", "friction", "impulse"];
        let known = || {
            let joint = JOINT.iter().map(|(name, _)| *name);
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
        let Some((_, statistic)) = statistic else {
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
            let all: Vec<&str> = names.clone().collect();
            let otherwise = format!("there are {}", all.join(", "));
            return Err(Error::unknown("table", table, names, &otherwise));
        };
        let fields = schema.fields.iter().map(|field| field.name.as_str());
        if let Some(column) = column.filter(|column| schema.position(column).is_none()) {
            let all: Vec<&str> = fields.clone().collect();
            let otherwise = format!("`{table}` has {}", all.join(", "));
            return Err(Error::unknown("column", column, fields, &otherwise));
        }
        if column.is_none() && *statistic != Statistic::Count {
            let advice =
                format!("write for example {name}({table}.{})", fields.last().unwrap_or(""));
            return Err(Error::missing(format!("the column of `{text}`"), advice));
        }
        Ok(Self {
            statistic: *statistic,
            table: table.to_string(),
            column: column.map(str::to_string),
            words: arguments.map(str::to_string).collect(),
        })
    }

    fn unit(&self, schemas: &[Schema]) -> String {
        if self.statistic == Statistic::Count {
            return String::new();
        }
        let schema = schemas.iter().find(|schema| schema.name == self.table);
        let field = schema
            .zip(self.column.as_deref())
            .and_then(|(schema, column)| schema.fields.iter().find(|field| field.name == column));
        field.map_or(String::new(), |field| field.unit.clone())
    }
}

/// A column of text and the place of a word in its list.
pub(super) type Chosen = (usize, u32);

/// Finds words among the texts of a table.
///
/// # Errors
/// When a word is in no column of text.
pub(super) fn choose(table: &str, columns: &[Column], words: &[String]) -> Result<Vec<Chosen>> {
    let lists = || {
        columns.iter().enumerate().filter_map(|(i, column)| match &column.values {
            Values::Text { list, .. } => Some((i, list)),
            _ => None,
        })
    };
    let find = |word: &String| {
        let place = |(i, list): (usize, &Vec<String>)| {
            Some((i, list.iter().position(|known| known == word)? as u32))
        };
        lists().find_map(place).ok_or_else(|| {
            let known = || lists().flat_map(|(_, list)| list.iter().map(String::as_str));
            let all: Vec<&str> = known().collect();
            let otherwise = format!("`{table}` has {}", all.join(", "));
            Error::unknown("name", word, known(), &otherwise)
        })
    };
    words.iter().map(find).collect()
}

/// Whether a row has these words.
pub(super) fn has(columns: &[Column], chosen: &[Chosen], row: usize) -> bool {
    chosen.iter().all(|(column, word)| match columns.get(*column).map(|column| &column.values) {
        Some(Values::Text { index, .. }) => index.get(row) == Some(word),
        _ => false,
    })
}

/// A statistic as rows come in.
struct Growing {
    table: usize,
    column: Option<usize>,
    chosen: Vec<Chosen>,
    statistic: Statistic,
    count: u64,
    first: f64,
    last: f64,
    min: f64,
    max: f64,
    sum: f64,
    squares: f64,
}

impl Growing {
    fn new(of: &ColumnStatistic, tables: &[(&'static str, Vec<Column>)]) -> Result<Self> {
        let found = tables.iter().position(|(name, _)| *name == of.table);
        let missing =
            || Error::missing(format!("table {}", of.table), "this scene does not have it");
        let table = found.ok_or_else(missing)?;
        let columns = tables.get(table).map_or(&[][..], |(_, columns)| columns.as_slice());
        let position = |name: &str| columns.iter().position(|column| column.name == name);
        Ok(Self {
            table,
            column: of.column.as_deref().and_then(position),
            chosen: choose(&of.table, columns, &of.words)?,
            statistic: of.statistic,
            count: 0,
            first: f64::NAN,
            last: f64::NAN,
            min: f64::NAN,
            max: f64::NAN,
            sum: 0.0,
            squares: 0.0,
        })
    }

    fn add(&mut self, columns: &[Column], row: usize) {
        if !has(columns, &self.chosen, row) {
            return;
        }
        let value = match self.column {
            Some(column) => columns.get(column).and_then(|column| column.values.real(row)),
            None => Some(1.0),
        };
        let Some(value) = value.filter(|value| !value.is_nan()) else { return };
        if self.count == 0 {
            self.first = value;
        }
        self.count += 1;
        self.last = value;
        // `f64::min` and `max` ignore the NaN that they begin with.
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sum += value;
        self.squares += value * value;
    }

    fn value(&self) -> f64 {
        let count = self.count as f64;
        match self.statistic {
            Statistic::Max => self.max,
            Statistic::Min => self.min,
            Statistic::Mean => self.sum / count,
            Statistic::Rms => (self.squares / count).sqrt(),
            Statistic::First => self.first,
            Statistic::Last => self.last,
            Statistic::Change => self.last - self.first,
            Statistic::Sum => self.sum,
            Statistic::Count => count,
        }
    }
}

enum Part {
    Largest(Vec<Growing>, f64),
    Impulse(Impulse),
    /// Number of the joint, and what is taken of it.
    Joint(usize, fn(&StudyResults) -> f64),
}

/// The outputs of a run as its tables grow.
pub(super) struct Results {
    parts: Vec<Part>,
    /// Column of time of each table.
    times: Vec<Option<usize>>,
    from: f64,
}

impl Results {
    /// Of a run with these tables; rows before `from` do not count.
    ///
    /// # Errors
    /// When an output names a body or contact that there is not.
    pub fn new(outputs: &[Output], tables: &Tables, from: f64) -> Result<Self> {
        let tables = tables.empty();
        let mut joints = 0;
        let mut parts = Vec::new();
        for output in outputs {
            parts.push(match &output.kind {
                Kind::Largest(all, none) => {
                    let growing = all.iter().map(|of| Growing::new(of, &tables));
                    Part::Largest(growing.collect::<Result<_>>()?, *none)
                }
                Kind::Impulse(contact) => Part::Impulse(Impulse::new(contact.as_ref(), &tables)?),
                Kind::Joint(_, value) => {
                    joints += 1;
                    Part::Joint(joints - 1, *value)
                }
            });
        }
        let time = |(_, columns): &(&str, Vec<Column>)| {
            columns.iter().position(|column| column.name == "time_s")
        };
        let times = tables.iter().map(time).collect();
        Ok(Self { parts, times, from })
    }

    /// Adds pieces of tables, each with the number of its table.
    pub fn add(&mut self, pieces: Vec<(usize, Vec<Column>)>) {
        for (table, columns) in pieces {
            let time = self.times.get(table).copied().flatten();
            for row in 0..carom_store::row_count(&columns) {
                let at = time.and_then(|time| columns.get(time)?.values.real(row));
                if at.is_some_and(|at| at < self.from) {
                    continue;
                }
                for part in &mut self.parts {
                    match part {
                        Part::Largest(all, _) => {
                            all.iter_mut()
                                .filter(|growing| growing.table == table)
                                .for_each(|growing| growing.add(&columns, row));
                        }
                        Part::Impulse(impulse) => impulse.add(table, &columns, row),
                        Part::Joint(..) => {}
                    }
                }
            }
        }
    }

    /// The numbers, in the order of the outputs; `joints` are the results of the joints in that order.
    pub fn finish(self, joints: &[StudyResults]) -> Vec<f64> {
        let value = |part: &Part| match part {
            Part::Largest(all, none) => {
                let largest = all.iter().map(Growing::value).fold(f64::NAN, f64::max);
                if largest.is_nan() { *none } else { largest }
            }
            Part::Impulse(impulse) => impulse.value(),
            Part::Joint(k, value) => joints.get(*k).map_or(f64::NAN, value),
        };
        self.parts.iter().map(value).collect()
    }
}

/// Observers of the joints that outputs ask for.
pub(super) struct Joints(Vec<JointObserver>);

impl Joints {
    /// For the outputs that are numbers of a joint, from a time on.
    ///
    /// # Errors
    /// When a contact has no such name.
    pub fn new(outputs: &[Output], scene: &Scene, from: f64) -> Result<Self> {
        let contacts = scene.world.contacts();
        let window = scene.duration - from;
        // Without a drive there are no turns: the whole time is one.
        let period = regimes::period(&scene.world).ok().filter(|period| *period <= window);
        let period = period.unwrap_or(window);
        let turns = (window / period * (1.0 + 1e-9)).floor().max(1.0) as usize;
        let mut all = Vec::new();
        for output in outputs {
            let Kind::Joint(name, _) = &output.kind else { continue };
            let known = || contacts.iter().map(|contact| contact.name.as_str());
            let found = known().position(|contact| contact == name).ok_or_else(|| {
                let otherwise = format!("there are {}", known().collect::<Vec<_>>().join(", "));
                Error::unknown("contact", name, known(), &otherwise)
            })?;
            all.push(JointObserver::new(Study {
                contact: Some(found),
                body: 0,
                period,
                skip: 0,
                turns,
                phase: from / period,
                samples: SAMPLES,
            }));
        }
        Ok(Self(all))
    }

    /// Touches that the scene begins with.
    pub fn begin(&mut self, run: &BodySimulation) {
        let (world, state) = (run.run.world(), run.run.state());
        for touch in state.touches() {
            self.began(world, state.time, touch);
        }
    }

    /// The results of all joints.
    pub fn finish(self, run: &BodySimulation) -> Vec<StudyResults> {
        self.0.into_iter().map(|joint| joint.finish(&run.run)).collect()
    }
}

impl Observer for Joints {
    fn next(&self) -> f64 {
        self.0.iter().map(Observer::next).fold(f64::INFINITY, f64::min)
    }
    fn sample(&mut self, sample: &Sample) {
        self.0
            .iter_mut()
            .filter(|joint| joint.next() <= sample.time)
            .for_each(|j| j.sample(sample));
    }
    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        self.0.iter_mut().for_each(|joint| joint.began(world, time, touch));
    }
    fn ended(&mut self, world: &World, ended: &EndedTouch) {
        self.0.iter_mut().for_each(|joint| joint.ended(world, ended));
    }
}
