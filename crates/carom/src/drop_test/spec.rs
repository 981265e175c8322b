//! Description of a drop test: lists of quantities with units, or a record, and further known quantities.

mod records;

use super::GRAVITY;
use super::measured::{Circumstances, DropReport, Problem, SHARED_INPUTS};
use super::propagate::Uncertain;
use super::wav::Sound;
use crate::error::{Error, Result, check_positive, check_range};
use crate::measured_table::{Columns, TableReader};
use crate::message::Action;
use crate::report::NoteReport;
use crate::units::{self, Dimension, Quantity};
use serde::{Deserialize, Serialize};

/// Description of a drop test, as the user gives it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// Heights from which the ball is dropped; together with times, instants or a sound, the height of the first
    /// drop.
    #[serde(deserialize_with = "list")]
    pub drop: Vec<Quantity>,
    /// Heights of the bounces after the drops; one drop height may serve for all of them.
    #[serde(deserialize_with = "list")]
    pub bounce: Vec<Quantity>,
    /// Whether the bounces follow each other after one drop.
    pub successive: bool,
    /// Times between successive bounces.
    #[serde(deserialize_with = "list")]
    pub times: Vec<Quantity>,
    /// Instants of successive bounces.
    #[serde(deserialize_with = "list")]
    pub instants: Vec<Quantity>,
    /// Standard uncertainty of each height.
    pub height_error: Option<Quantity>,
    /// Standard uncertainty of each time or instant.
    pub time_error: Option<Quantity>,
    /// Acceleration of free fall, 9.80665 m/s² ± 0.02 unless given.
    pub gravity: Option<Quantity>,
    /// Mass of the ball, for drag and for stiffness.
    pub mass: Option<Quantity>,
    /// Standard uncertainty of the mass.
    pub mass_error: Option<Quantity>,
    /// Diameter of the ball, for drag.
    pub diameter: Option<Quantity>,
    /// Time of contact.
    pub contact_time: Option<Quantity>,
    /// Standard uncertainty of the time of contact.
    pub contact_time_error: Option<Quantity>,
    /// Temperature of the air in °C, 20 unless given.
    pub temperature: Option<Quantity>,
    /// Standard deviation, from bounce to bounce, of the distance that the sound travels to the microphone.
    pub wander: Option<Quantity>,
    /// Beginning of the evaluated part of the record.
    pub from: Option<Quantity>,
    /// End of the evaluated part of the record.
    pub to: Option<Quantity>,
    /// Stiffness exponent n of the law, 3/2 unless given.
    pub exponent: Option<Quantity>,
}

/// A record of a drop test.
#[derive(Clone, Debug)]
pub enum Record {
    /// Columns of a table: drop and bounce heights, times between bounces, instants, or a track.
    Table(Columns),
    /// Recording of the sound.
    Sound(Sound),
}

/// Splits a text into quantities at its commas; a number without a unit has the unit of the next one that has a unit.
///
/// ```
/// use carom::drop_test::quantities;
/// let heights = quantities("0.3,0.6,1.2m");
/// assert_eq!(heights, ["0.3 m".into(), "0.6 m".into(), "1.2m".into()]);
/// ```
pub fn quantities(text: &str) -> Vec<Quantity> {
    let mut unit = "";
    let mut all: Vec<Quantity> = Vec::new();
    for part in text.split(',').rev() {
        let (_, own) = units::split(part);
        unit = if own.is_empty() { unit } else { own };
        all.push(Quantity::Text(units::with_unit(part, unit)));
    }
    all.reverse();
    all
}

impl Record {
    /// Reads a recording, or the text of a table.
    ///
    /// ```
    /// use carom::drop_test::{Record, Spec};
    /// let record = Record::from_bytes(b"drop_cm,bounce_cm\n50,32\n")?;
    /// assert!((Spec::default().run(Some(&record))?.impacts[0].restitution - 0.8).abs() < 1e-12);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the bytes are neither a WAV file nor a table.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        if Sound::is_wav(bytes) {
            return Ok(Self::Sound(Sound::from_wav(bytes)?));
        }
        let mut table = TableReader::new(&[]);
        for line in String::from_utf8_lossy(bytes).lines() {
            table.line(line)?;
        }
        Ok(Self::Table(table.finish()?))
    }
}

/// Accepts a list, one text with commas, or one number.
fn list<'de, D: serde::Deserializer<'de>>(
    source: D,
) -> std::result::Result<Vec<Quantity>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Text(String),
        Number(f64),
        Many(Vec<Quantity>),
    }
    Ok(match Given::deserialize(source)? {
        Given::Text(text) => quantities(&text),
        Given::Number(value) => vec![Quantity::Number(value)],
        Given::Many(many) => many,
    })
}

impl Spec {
    /// Computes restitutions, their dependence on speed, and a law, from lists or from a record.
    ///
    /// # Errors
    /// When there is no measurement, when it is given twice, when a bounce is higher than its drop, when too few
    /// bounces are found, or when a quantity has the wrong unit.
    pub fn run(&self, record: Option<&Record>) -> Result<DropReport> {
        let circumstances = self.circumstances()?;
        let lists = [!self.bounce.is_empty(), !self.times.is_empty(), !self.instants.is_empty()];
        match (lists.iter().filter(|given| **given).count(), record) {
            (0, None) => Err(Error::missing(
                "a measurement",
                sentence!(
                    "give {} and {}, or {} between bounces, or a recording (WAV) or table (CSV)",
                    Action::give_as("drop", "0.3,0.6,1.2m"),
                    Action::give_as("bounce", "0.21,0.40,0.76m"),
                    Action::give_as("times", "0.64,0.57,0.51s")
                ),
            )),
            (0, Some(Record::Sound(sound))) => self.sound(&circumstances, sound),
            (0, Some(Record::Table(columns))) => self.table(&circumstances, columns),
            (1, None) => {
                let list =
                    |name: &str, list: &[Quantity], dimension| si_values(name, list, dimension);
                if !self.bounce.is_empty() {
                    let drop = list("drop", &self.drop, Dimension::LENGTH)?;
                    let bounce = list("bounce", &self.bounce, Dimension::LENGTH)?;
                    return self.heights(&circumstances, &drop, &bounce);
                }
                if !self.times.is_empty() {
                    let times = list("times", &self.times, Dimension::TIME)?;
                    return self.intervals(&circumstances, &times);
                }
                let instants = list("instants", &self.instants, Dimension::TIME)?;
                self.instants(&circumstances, &instants, &[], Vec::new(), "times")
            }
            _ => Err(Error::unsupported(
                "more than one kind of measurement at once",
                "evaluate heights, times, instants and files one after the other",
            )),
        }
    }

    pub(super) fn circumstances(&self) -> Result<Circumstances> {
        let read = |name, value, dimension| Quantity::si_if_given(value, name, dimension);
        let temperature = match &self.temperature {
            None => 20.0,
            Some(Quantity::Number(value)) => *value,
            Some(Quantity::Text(text)) => {
                let plain = text.trim().trim_end_matches('C').trim_end_matches('°');
                Quantity::from(plain).si("temperature", Dimension::NUMBER)?
            }
        };
        if !(-90.0..=60.0).contains(&temperature) {
            let advice = "give the temperature of the air in °C";
            return Err(Error::invalid("temperature", temperature, "-90 to 60 °C", advice));
        }
        let gravity = read("gravity", &self.gravity, Dimension::ACCELERATION)?;
        Ok(Circumstances {
            // Gravity varies from 9.780 m/s² at the equator to 9.832 m/s² at the poles.
            gravity: match gravity {
                Some(g) => Uncertain::new(check_positive("gravity", g, "give it in m/s^2")?, 0.0),
                None => Uncertain::new(GRAVITY, 0.02),
            },
            mass: uncertain_value(
                "mass",
                [&self.mass, &self.mass_error],
                Dimension::MASS,
                "give the mass of the ball",
            )?,
            diameter: uncertain_value(
                "diameter",
                [&self.diameter, &None],
                Dimension::LENGTH,
                "give the diameter of the ball",
            )?,
            contact: uncertain_value(
                "contact_time",
                [&self.contact_time, &self.contact_time_error],
                Dimension::TIME,
                "give the time of contact, or leave it out",
            )?,
            temperature,
            wander: uncertainty("wander", &self.wander, Dimension::LENGTH)?.unwrap_or(0.0),
            exponent: read("exponent", &self.exponent, Dimension::NUMBER)?.unwrap_or(1.5),
        })
    }

    /// Returns the standard uncertainty of each height or time: the given one, or that of rounding to the last digit.
    fn reading_error(
        &self,
        (given, name, dimension, unit): (&Option<Quantity>, &str, Dimension, &str),
        values: &[f64],
        notes: &mut Vec<NoteReport>,
    ) -> Result<f64> {
        if let Some(error) = uncertainty(name, given, dimension)? {
            return Ok(error);
        }
        let (digit, error) = (last_digit(values), digit_error(values));
        let (digit, shown) = (units::format(digit, unit), units::format(error, unit));
        let message = sentence!(
            "no error was given; the last digit ({digit}) makes ± {shown}, which is the least there can \
             be; give {}",
            Action::give(name)
        );
        notes.push(NoteReport::new("no_error_given", message));
        Ok(error)
    }

    fn heights(&self, known: &Circumstances, drop: &[f64], bounce: &[f64]) -> Result<DropReport> {
        let mut notes = Vec::new();
        let chain: Vec<f64>;
        let drop = match (drop, self.successive) {
            ([], _) => {
                let advice = sentence!(
                    "give the heights that the ball fell from: {}",
                    Action::give_as("drop", "0.3,0.6,1.2m")
                );
                return Err(Error::missing("drop", advice));
            }
            // The height of each bounce is the drop height of the next one.
            ([first], true) => {
                chain = std::iter::once(*first)
                    .chain(bounce.iter().copied())
                    .take(bounce.len())
                    .collect();
                &chain
            }
            ([first], false) if bounce.len() > 1 => {
                if bounce.len() > 2 && bounce.is_sorted_by(|a, b| a > b) {
                    let message = sentence!(
                        "the bounces were taken as those of one drop height, repeated; where they follow \
                         each other after one drop, use {}",
                        Action::set("successive", true)
                    );
                    notes.push(NoteReport::new("repeated_drop", message));
                }
                chain = vec![*first; bounce.len()];
                &chain
            }
            (_, true) => {
                let advice = "give one drop height, and the heights of the bounces after it";
                let found = format!("{} heights", drop.len());
                let allowed = "one height with successive bounces";
                return Err(Error::invalid("drop", found, allowed, advice));
            }
            (drop, false) => drop,
        };
        if drop.len() != bounce.len() {
            let found = format!("{} heights", bounce.len());
            let allowed = format!("as many as drop heights, which are {}", drop.len());
            let advice = sentence!(
                "write for example {} and {}",
                Action::give_as("drop", "0.3,0.6,1.2m"),
                Action::give_as("bounce", "0.21,0.40,0.76m")
            );
            return Err(Error::invalid("bounce", found, allowed, advice));
        }
        for (i, (&from, &to)) in drop.iter().zip(bounce).enumerate() {
            check_positive("drop", from, "give the height that the ball fell from")?;
            check_positive("bounce", to, "leave out drops without a bounce")?;
            let unit = |h: f64| units::format(h, "m");
            if to > from {
                let allowed = format!("at most the drop height, {}", unit(from));
                let advice = "a ball does not rise higher than it fell: check the order of the columns and their units";
                return Err(Error::invalid(format!("bounce {}", i + 1), unit(to), allowed, advice));
            }
            if from > 50.0 {
                let parameter = format!("drop {}", i + 1);
                let advice = "numbers without a unit are metres; write for example 300mm";
                return Err(Error::invalid(parameter, unit(from), "at most 50 m", advice));
            }
        }
        let all_heights: Vec<f64> = drop.iter().chain(bounce).copied().collect();
        let error = (&self.height_error, "height_error", Dimension::LENGTH, "m");
        let error = self.reading_error(error, &all_heights, &mut notes)?;
        let count = bounce.len();
        let mut inputs = known.inputs();
        let successive = self.successive;
        // In successive bounces each height is an input only once.
        let heights: Vec<f64> = match successive {
            true => drop.iter().take(1).chain(bounce).copied().collect(),
            false => all_heights,
        };
        inputs.extend(heights.iter().map(|h| Uncertain::new(*h, error)));
        let groups = match successive {
            true => vec![("the heights", inputs.len())],
            false => {
                vec![
                    ("the drop heights", SHARED_INPUTS + count),
                    ("the bounce heights", inputs.len()),
                ]
            }
        };
        let (source, times) = ("heights", None);
        let problem = Problem { source, circumstances: known, count, inputs, groups, times, notes };
        problem.report(|x| {
            let air = known.air(x).0;
            let heights = x.get(SHARED_INPUTS..).unwrap_or_default();
            let (down, up) = match successive {
                true => (heights, heights.get(1..).unwrap_or_default()),
                false => heights.split_at(count),
            };
            let speeds: Vec<f64> = down.iter().take(count).map(|h| air.fall(*h)).collect();
            let restitutions: Vec<f64> =
                up.iter().zip(&speeds).map(|(h, v)| air.rise(*h) / v).collect();
            [speeds, restitutions].concat()
        })
    }

    fn intervals(&self, known: &Circumstances, times: &[f64]) -> Result<DropReport> {
        for time in times {
            check_positive(
                "times",
                *time,
                "give the times between bounces that follow each other",
            )?;
        }
        let mut pairs = times.iter().zip(times.iter().skip(1));
        if let Some((before, after)) = pairs.find(|(before, after)| after > before) {
            let [before, after] = [before, after].map(|time| units::format(*time, "s"));
            let allowed = "times between bounces, which become shorter";
            let advice =
                sentence!("where these are instants on a clock, use {}", Action::give("instants"));
            return Err(Error::invalid(
                "times",
                format!("{after} after {before}"),
                allowed,
                advice,
            ));
        }
        let mut notes = Vec::new();
        let error = (&self.time_error, "time_error", Dimension::TIME, "s");
        let error = self.reading_error(error, times, &mut notes)?;
        let own: Vec<Uncertain> = times.iter().map(|t| Uncertain::new(*t, error)).collect();
        let group = ("times", "the times between bounces");
        self.flights(known, own, |own| own.to_vec(), group, None, notes)
    }

    fn instants(
        &self,
        known: &Circumstances,
        instants: &[f64],
        errors: &[f64],
        mut notes: Vec<NoteReport>,
        source: &'static str,
    ) -> Result<DropReport> {
        if instants.windows(2).any(|w| matches!(w, [a, b] if b <= a)) {
            let advice = sentence!(
                "give them in their order; for times between bounces use {}",
                Action::give("times")
            );
            return Err(Error::invalid("instants", "a list that does not grow", "growing", advice));
        }
        let own: Vec<Uncertain> = match errors {
            [] => {
                let error = (&self.time_error, "time_error", Dimension::TIME, "s");
                let error = self.reading_error(error, instants, &mut notes)?;
                instants.iter().map(|t| Uncertain::new(*t, error)).collect()
            }
            errors => instants.iter().zip(errors).map(|(t, e)| Uncertain::new(*t, *e)).collect(),
        };
        let differences =
            |t: &[f64]| t.iter().zip(t.iter().skip(1)).map(|(a, b)| b - a).collect::<Vec<f64>>();
        let group = (source, "the instants of the bounces");
        self.flights(known, own, differences, group, Some(instants.to_vec()), notes)
    }

    /// Computes the restitutions of successive flights: one for each bounce between two flights, and that of the
    /// first bounce if the height of the drop is known.
    fn flights(
        &self,
        known: &Circumstances,
        own: Vec<Uncertain>,
        durations: impl Fn(&[f64]) -> Vec<f64>,
        (source, group): (&'static str, &'static str),
        instants: Option<Vec<f64>>,
        mut notes: Vec<NoteReport>,
    ) -> Result<DropReport> {
        let values: Vec<f64> = own.iter().map(|one| one.value).collect();
        let between = durations(&values);
        let drop = si_values("drop", &self.drop, Dimension::LENGTH)?;
        let drop = match drop[..] {
            [] => None,
            [height] => {
                Some(check_positive("drop", height, "give the height that the ball fell from")?)
            }
            _ => {
                let advice =
                    "give the height of the first drop only: the bounces follow each other";
                let found = format!("{} heights", drop.len());
                return Err(Error::invalid("drop", found, "one height", advice));
            }
        };
        if between.len() + usize::from(drop.is_some()) < 2 {
            let allowed = "three or more, or two and the height of the drop";
            let advice = sentence!(
                "a restitution is the quotient of two flights that follow each other; give the height of \
                 the first drop, {}, or a longer record",
                Action::give_as("drop", "1m")
            );
            return Err(Error::invalid("bounces", between.len() + 1, allowed, advice));
        }
        let mut inputs = known.inputs();
        let mut groups = Vec::new();
        if let Some(height) = drop {
            let error = uncertainty("height_error", &self.height_error, Dimension::LENGTH)?
                .unwrap_or_else(|| digit_error(&[height]));
            inputs.push(Uncertain::new(height, error));
            groups.push(("the drop height", inputs.len()));
        }
        inputs.extend(own);
        groups.push((group, inputs.len()));
        let first = SHARED_INPUTS + usize::from(drop.is_some());
        let results = |x: &[f64]| {
            let (air, contact) = known.air(x);
            let flights = durations(x.get(first..).unwrap_or_default());
            let speeds: Vec<(f64, f64)> = flights.iter().map(|t| air.flight(t - contact)).collect();
            let mut before: Vec<f64> = speeds.iter().map(|flight| flight.1).collect();
            if let Some(height) = x.get(SHARED_INPUTS).filter(|_| drop.is_some()) {
                before.insert(0, air.fall(*height));
            }
            let after = speeds.iter().skip(usize::from(drop.is_none()));
            let restitutions: Vec<f64> =
                after.zip(&before).map(|(flight, v)| flight.0 / v).collect();
            before.truncate(restitutions.len());
            [before, restitutions].concat()
        };
        let count = between.len() - usize::from(drop.is_none());
        if drop.is_some() {
            let values: Vec<f64> = inputs.iter().map(|input| input.value).collect();
            self.check_first(&results(&values), count, &mut notes)?;
        }
        let pairs = between.iter().zip(between.iter().skip(1));
        contact_note(known, pairs.map(|(a, b)| 1.0 / b - 1.0 / a), &mut notes);
        let times =
            instants.map(|t| t.into_iter().skip(usize::from(drop.is_none())).take(count).collect());
        let problem = Problem { source, circumstances: known, count, inputs, groups, times, notes };
        problem.report(results)
    }

    /// Checks whether the first bounce of the record can be the one after the drop.
    fn check_first(
        &self,
        results: &[f64],
        count: usize,
        notes: &mut Vec<NoteReport>,
    ) -> Result<()> {
        let e = |i: usize| results.get(count + i).copied();
        let Some(first) = e(0) else { return Ok(()) };
        if first > 1.0 {
            return Err(Error::invalid(
                "drop",
                format!("a height after which the first bounce has a restitution of {first:.3}"),
                "at least the height that the ball rises to after its first bounce",
                "check the unit of the drop height, or leave it out",
            ));
        }
        if let Some(second) = e(1)
            && (first.ln() - 2.0 * second.ln()).abs() < (first.ln() - second.ln()).abs()
        {
            let message = sentence!(
                "the first restitution ({first:.3}) is about the square of the next ({second:.3}): is the \
                 first bounce missing in the record? If so, leave out {}",
                Action::leave_out("drop")
            );
            notes.push(NoteReport::new("first_bounce_missing", message));
        }
        Ok(())
    }
}

/// Returns the values of a list in SI units.
fn si_values(name: &str, list: &[Quantity], dimension: Dimension) -> Result<Vec<f64>> {
    list.iter().map(|one| one.si(name, dimension)).collect()
}

/// Returns a number above 0 with its standard uncertainty, if it was given.
fn uncertain_value(
    name: &str,
    [value, error]: [&Option<Quantity>; 2],
    dimension: Dimension,
    advice: &str,
) -> Result<Option<Uncertain>> {
    let error = uncertainty(&format!("{name}_error"), error, dimension)?.unwrap_or(0.0);
    let Some(value) = Quantity::si_if_given(value, name, dimension)? else { return Ok(None) };
    Ok(Some(Uncertain::new(check_positive(name, value, advice)?, error)))
}

/// Returns a standard uncertainty, if it was given.
fn uncertainty(name: &str, given: &Option<Quantity>, dimension: Dimension) -> Result<Option<f64>> {
    let error = Quantity::si_if_given(given, name, dimension)?;
    error
        .map(|error| check_range(name, error, 0.0, f64::MAX, "give one standard deviation"))
        .transpose()
}

/// Returns the unit of the last digit to which all these numbers are given.
fn last_digit(values: &[f64]) -> f64 {
    let mut digit = 1e3;
    while digit > 1e-9 {
        let whole =
            |v: &f64| ((v / digit) - (v / digit).round()).abs() < 1e-6 * (v / digit).abs().max(1.0);
        if values.iter().all(whole) {
            break;
        }
        digit *= 0.1;
    }
    digit
}

/// Returns the standard uncertainty of numbers that are rounded to their last digit.
fn digit_error(values: &[f64]) -> f64 {
    last_digit(values) / 12.0_f64.sqrt()
}

/// Adds a note on the effect of an unknown time of contact; `effects` are relative changes of restitutions per second
/// of contact.
fn contact_note(
    known: &Circumstances,
    effects: impl Iterator<Item = f64>,
    notes: &mut Vec<NoteReport>,
) {
    let worst = effects.fold(0.0, f64::max);
    if known.contact.is_some() || worst <= 0.0 {
        return;
    }
    let percent = 0.1 * worst;
    let message = sentence!(
        "the time of contact is not taken off the flights: each millisecond of it makes a restitution up \
         to {percent:.2} % too high (steel balls touch for 0.1 ms, tennis balls for 5 ms); give {}",
        Action::give("contact_time")
    );
    notes.push(NoteReport::new("contact_time", message));
}
