//! Drop tests with known parameters: how often the stated errors contain the true values, over 200 records of each kind.
//!
//! Every record has a ball (height, restitution and its power of the speed, duration of contact), noise and sounds of its own.
//! Counted are the restitutions whose true value lies within one and within 1.96 standard errors, and the bounces that were found
//! but do not exist.

use crate::measure::Table;
use carom::drop_test::synthesis::{Bouncing, Microphone, Timbre, TrueBounce, wav};
use carom::drop_test::{Air, DropReport, MeasuredImpact, Record, Sound, Spec, quantities};
use carom::measured_table::TableReader;
use carom::numeric::normal::quantile;
use carom::numeric::random::{key, unit};
use std::error::Error;

/// Seeds other than those from which the errors of instants were derived (`drop_test/onset.rs`).
const SEEDS: std::ops::Range<u64> = 400_000..400_200;

/// Comparison of the stated errors with the true values.
#[derive(Default)]
struct Coverage {
    records: usize,
    failed: usize,
    bounces: usize,
    possible: usize,
    false_ones: usize,
    /// Number of records in which a second ball was evaluated instead.
    other_ball: usize,
    one: usize,
    two: usize,
    errors: Vec<f64>,
}

impl Coverage {
    fn add(&mut self, report: &DropReport, truth: &[TrueBounce], start: Option<f64>) {
        self.records += 1;
        for (i, impact) in report.impacts.iter().enumerate() {
            // Bounces are matched by their time if it is known, otherwise by their order.
            let found = match start {
                Some(start) => matching_bounce(impact, truth, start),
                None => truth.get(i),
            };
            let Some(truth) = found else {
                self.false_ones += 1;
                continue;
            };
            let off = (impact.restitution - truth.restitution).abs() / impact.restitution_error;
            self.bounces += 1;
            self.one += usize::from(off <= 1.0);
            self.two += usize::from(off <= 1.96);
            self.errors.push(impact.restitution_error / impact.restitution);
        }
    }

    fn row(mut self, name: &str) -> [String; 6] {
        self.errors.sort_by(f64::total_cmp);
        let median = self.errors.get(self.errors.len() / 2).copied().unwrap_or(f64::NAN);
        let percent = |n: usize, of: usize| format!("{:.1} %", 100.0 * n as f64 / of.max(1) as f64);
        [
            name.to_string(),
            format!("{} of {}", self.records, self.records + self.failed),
            format!("{} of {}, {} false", self.bounces, self.possible, self.false_ones),
            format!("{:.3} %", 100.0 * median),
            percent(self.one, self.bounces),
            percent(self.two, self.bounces),
        ]
    }
}

/// Returns a ball of its own for each record.
fn ball(seed: u64, air: Option<Air>) -> Bouncing {
    let draw = |i: u64| unit(key(seed, "ball"), i);
    let restitution = 0.6 + 0.3 * draw(0);
    let bounces = 3 + (0.2_f64.ln() / restitution.ln()) as usize;
    Bouncing {
        height: 0.4 + draw(1),
        restitution,
        exponent: -0.06 * draw(2),
        contact_time: 1e-4 + 4e-4 * draw(3),
        bounces,
        ..match air {
            Some(air) => Bouncing { air, ..Bouncing::new(1.0, 0.5, 1) },
            None => Bouncing::new(1.0, 0.5, 1),
        }
    }
}

fn contact(ball: &Bouncing) -> Spec {
    Spec { contact_time: Some(ball.contact_time.into()), ..Spec::default() }
}

/// Evaluates sound recordings with one kind of disturbance.
fn sound_coverage(
    name: &str,
    first: usize,
    change: impl Fn(&mut Microphone, f64),
    second: bool,
) -> [String; 6] {
    let mut coverage = Coverage::default();
    for seed in SEEDS {
        let ball = ball(seed, None);
        let truth = &ball.bounces()[first..];
        let start = 0.4 + unit(key(seed, "start"), 0) * 1e-3 - truth[0].time;
        let mut sounds: Vec<(f64, f64)> = truth.iter().map(|b| (b.time + start, b.speed)).collect();
        let duration = sounds.last().map_or(1.0, |b| b.0) + 0.5;
        let other = self::ball(seed + 10_000, None).bounces();
        let shift = 0.4 + 0.31 * unit(key(seed, "second"), 0) - other[0].time;
        if second {
            sounds.extend(other.iter().map(|b| (b.time + shift, 0.4 * b.speed)));
            sounds.retain(|b| b.0 < duration - 0.1);
        }
        let mut microphone = Microphone { duration, seed, ..Microphone::default() };
        change(&mut microphone, unit(key(seed, "change"), 0));
        let bytes = wav(&microphone.record(&sounds, ball.contact_time), microphone.rate as u32);
        coverage.possible += truth.len().saturating_sub(2);
        let run = || contact(&ball).run(Some(&Record::Sound(Sound::from_wav(&bytes)?)));
        match run() {
            Ok(report) => {
                // The evaluated ball is the one with most of the bounces found: the second ball may be the clearer one.
                let of = |truth: &[TrueBounce], start: f64| {
                    report
                        .impacts
                        .iter()
                        .filter(|one| matching_bounce(one, truth, start).is_some())
                        .count()
                };
                if second && of(&other, shift) > of(truth, start) {
                    coverage.other_ball += 1;
                    coverage.add(&report, &other, Some(shift));
                } else {
                    coverage.add(&report, truth, Some(start));
                }
            }
            Err(_) => coverage.failed += 1,
        }
    }
    if coverage.other_ball > 0 {
        eprintln!("    {name}: the second ball was taken in {} records", coverage.other_ball);
    }
    coverage.row(name)
}

/// Returns the true bounce that corresponds to one found, by its time.
fn matching_bounce<'a>(
    impact: &MeasuredImpact,
    truth: &'a [TrueBounce],
    start: f64,
) -> Option<&'a TrueBounce> {
    truth.iter().find(|b| impact.time.is_some_and(|time| (b.time + start - time).abs() < 8e-3))
}

/// Evaluates heights with normally distributed errors of 5 mm.
fn height_coverage() -> Result<[String; 6], Box<dyn Error>> {
    let mut coverage = Coverage::default();
    for seed in SEEDS {
        let noise = |i: u64| 5e-3 * quantile(unit(key(seed, "heights"), i));
        let e = 0.6 + 0.25 * unit(key(seed, "ball"), 0);
        let (mut drop, mut bounce, mut truth) = (vec![], vec![], vec![]);
        for (i, height) in [0.3, 0.6, 0.9, 1.2].into_iter().enumerate() {
            let speed = f64::sqrt(2.0 * 9.80665 * height);
            let restitution = e * speed.powf(-0.05);
            truth.push(TrueBounce { time: 0.0, speed, restitution });
            drop.push((height + noise(2 * i as u64)).into());
            bounce.push((height * restitution.powi(2) + noise(2 * i as u64 + 1)).into());
        }
        coverage.possible += truth.len();
        let error = Some("5mm".into());
        let report = Spec { drop, bounce, height_error: error, ..Spec::default() }.run(None)?;
        coverage.add(&report, &truth, None);
    }
    Ok(coverage.row("heights ± 5 mm"))
}

/// Evaluates times between bounces, with drag, read to ± 2 ms.
fn interval_coverage() -> Result<[String; 6], Box<dyn Error>> {
    let mut coverage = Coverage::default();
    for seed in SEEDS {
        let drag = 0.47 * (1.0 + 0.15 * quantile(unit(key(seed, "drag"), 0)));
        let ball = ball(seed, Some(Air::around(9.80665, 2.7e-3, 0.04, 1.2041, drag)));
        let truth = ball.bounces();
        let noise = |i: usize| 2e-3 * quantile(unit(key(seed, "times"), i as u64));
        let times = truth.windows(2).enumerate().map(|(i, w)| w[1].time - w[0].time + noise(i));
        let times: Vec<f64> = times.take(5).collect();
        if times.is_sorted_by(|a, b| a > b) {
            let spec = Spec {
                drop: quantities(&format!("{}m", ball.height)),
                height_error: Some("1um".into()),
                times: times.iter().map(|t| (*t).into()).collect(),
                time_error: Some("2ms".into()),
                mass: Some("2.7g".into()),
                diameter: Some("40mm".into()),
                gravity: Some(9.80665.into()),
                ..contact(&ball)
            };
            coverage.possible += times.len();
            coverage.add(&spec.run(None)?, &truth, None);
        }
    }
    Ok(coverage.row("times ± 2 ms, table-tennis ball in air"))
}

/// Evaluates tracks of a film, with normally distributed errors of 2 mm.
fn track_coverage(rate: f64) -> Result<[String; 6], Box<dyn Error>> {
    let mut coverage = Coverage::default();
    for seed in SEEDS {
        let ball = ball(seed, None);
        let truth = ball.bounces();
        let duration = truth.last().map_or(1.0, |b| b.time);
        let (time, height) = ball.track(rate, duration, 2e-3, seed);
        let mut table = TableReader::new(&[]);
        table.line("t,y")?;
        for (t, y) in time.iter().zip(&height) {
            table.line(&format!("{t},{y}"))?;
        }
        coverage.possible += truth.len() - 1;
        match contact(&ball).run(Some(&Record::Table(table.finish()?))) {
            Ok(report) => coverage.add(&report, &truth, Some(0.0)),
            Err(_) => coverage.failed += 1,
        }
    }
    Ok(coverage.row(&format!("track of {rate} frames/s ± 2 mm")))
}

pub fn run(out: &mut String) -> Result<(), Box<dyn Error>> {
    eprintln!("  drop tests");
    let mut table = Table::new([
        "drop tests, 200 records each",
        "evaluated",
        "bounces found",
        "median error of e",
        "within 1 σ",
        "within 1.96 σ",
    ]);
    table.row(height_coverage()?);
    table.row(interval_coverage()?);
    table.row(track_coverage(60.0)?);
    table.row(track_coverage(240.0)?);
    table.row(sound_coverage("sound, 44.1 kHz", 0, |_, _| {}, false));
    table.row(sound_coverage("sound, 8 kHz", 0, |m, _| m.rate = 8000.0, false));
    table.row(sound_coverage(
        "noise of 1 to 5 % of the peak",
        0,
        |m, x| m.noise = 0.01 + 0.04 * x,
        false,
    ));
    table.row(sound_coverage(
        "two echoes",
        0,
        |m, x| m.echoes = vec![(0.011 + 0.02 * x, 0.5), (0.05 + 0.03 * x, 0.3)],
        false,
    ));
    table.row(sound_coverage("reverberation", 0, |m, x| m.reverberation = 0.05 + 0.1 * x, false));
    table.row(sound_coverage(
        "clipped at 5 to 50 % of the peak",
        0,
        |m, x| m.clip = 0.05 + 0.45 * x,
        false,
    ));
    table.row(sound_coverage("first bounce missing", 1, |_, _| {}, false));
    table.row(sound_coverage("a second ball", 0, |_, _| {}, true));
    let dull = |m: &mut Microphone| m.timbre = Timbre::Dull;
    table.row(sound_coverage("another sound: a dull floor", 0, |m, _| dull(m), false));
    table.row(sound_coverage(
        "a dull floor, noise of 1 to 5 %",
        0,
        |m, x| {
            dull(m);
            m.noise = 0.01 + 0.04 * x;
        },
        false,
    ));
    out.push_str("### Drop tests\n\n");
    table.write(out);
    Ok(())
}
