//! Finds the bounces of a ball in a recording.

use super::consistency::{remove_inconsistent_ends, with_consistent_errors};
use super::measured::Wave;
use super::onset::{DetectedSounds, Onset, onsets};
use super::sequence::{Sequence, best_sequence, echo_delay};
use super::wav::Sound;
use crate::error::{Error, Result};
use crate::message::Action;
use crate::report::NoteReport;

/// Number of parts into which a wave is divided for a figure.
const FIGURE_PARTS: usize = 1500;
/// Largest number of channels that are examined.
const MAX_CHANNELS: usize = 8;

/// The bounces of one ball in a recording.
pub struct Bounces {
    /// Beginnings of the bounces, in the order of time.
    pub onsets: Vec<Onset>,
    /// The recording, for a figure.
    pub wave: Wave,
    /// Notes on what else was found.
    pub notes: Vec<NoteReport>,
}

/// Finds the bounces of a ball in the channel in which they are clearest.
pub fn find_bounces(sound: &Sound) -> Result<Bounces> {
    let mut best: Option<(usize, DetectedSounds, Sequence)> = None;
    for (i, channel) in sound.channels.iter().take(MAX_CHANNELS).enumerate() {
        let heard = onsets(channel, sound.rate);
        let sequence = best_sequence(&heard.onsets, &[]);
        if best.as_ref().is_none_or(|(_, _, known)| sequence.score > known.score) {
            best = Some((i, heard, sequence));
        }
    }
    let Some((channel, heard, mut sequence)) = best else { return Err(silence_error()) };
    while ends_with_an_echo(&heard.onsets, &sequence.members) {
        sequence.members.pop();
    }
    remove_inconsistent_ends(&heard.onsets, &mut sequence.members);
    let samples = &sound.channels[channel];
    if samples.iter().all(|x| *x == samples[0]) {
        return Err(silence_error());
    }
    if sequence.members.len() < 2 {
        let found = match heard.onsets.len() {
            1 => "one sound".to_string(),
            n => format!("{n} sounds, none of which follow each other as bounces do"),
        };
        let allowed = "two bounces of a ball or more, 12 ms to 4 s apart, clearly louder than what is before them";
        let advice = "record nearer to the ball, on a hard floor, without speaking; the picture shows what was heard";
        return Err(Error::invalid("recording", found, allowed, advice));
    }
    let mut notes = Vec::new();
    let found = with_consistent_errors(&heard.onsets, &sequence.members);
    let others = other_sounds(&heard, &sequence, &mut notes);
    if heard.clipped > 0.2 {
        let message = "the recording is clipped; instants do not suffer from that, loudness does, which tells bounces from other sounds";
        notes.push(NoteReport::new("clipped", message));
    }
    if found.len() == 3 {
        let message = "any three sounds that come closer together look like bounces: see whether the picture shows the ball";
        notes.push(NoteReport::new("few_bounces", message));
    }
    if sound.channels.len() > 1 {
        let (number, count) = (channel + 1, sound.channels.len());
        let message =
            format!("channel {number} of {count} was used, where the bounces are clearest");
        notes.push(NoteReport::new("channel", message));
    }
    let wave = Wave {
        parts: figure_parts(samples, sound.rate),
        bounces: found.iter().map(|onset| onset.time).collect(),
        others,
    };
    Ok(Bounces { onsets: found, wave, notes })
}

fn silence_error() -> Error {
    Error::invalid(
        "recording",
        "silence",
        "the sound of a bouncing ball",
        "check the microphone and its level, and record again",
    )
}

/// Returns whether the last sound follows the one before it with the delay at which other sounds follow the other
/// bounces. Such a sound is an echo that the search accepted, because after the last bounce no other sound competes
/// with it.
fn ends_with_an_echo(onsets: &[Onset], members: &[usize]) -> bool {
    let [before @ .., previous, last] = members else { return false };
    let delay = onsets[*last].time - onsets[*previous].time;
    let followed = |i: &&usize| {
        let later = &onsets[**i + 1..];
        later.iter().any(|o| (o.time - onsets[**i].time - delay).abs() < 1.5e-3)
    };
    let count = before.iter().filter(followed).count();
    count >= 2 && 2 * count >= before.len()
}

/// Returns the instants of the sounds that are not bounces, and adds notes on echoes and a second ball.
fn other_sounds(
    heard: &DetectedSounds,
    sequence: &Sequence,
    notes: &mut Vec<NoteReport>,
) -> Vec<f64> {
    let mut taken = sequence.members.clone();
    for _ in 0..3 {
        let next_sequence = best_sequence(&heard.onsets, &taken);
        if next_sequence.members.len() < 4 {
            break;
        }
        match echo_delay(&heard.onsets, &sequence.members, &next_sequence.members) {
            Some(delay) => notes.push(NoteReport::new(
                "echo",
                format!("an echo follows {:.0} ms after the bounces; it was left out", 1e3 * delay),
            )),
            None if next_sequence.score > 0.4 * sequence.score => notes.push(NoteReport::new(
                "second_ball",
                sentence!(
                    "{} other sounds follow each other as the bounces of a second ball do; the clearer \
                     sequence was taken, cut the recording with {} and {} to choose",
                    next_sequence.members.len().to_string(),
                    Action::give("from"),
                    Action::give("to")
                ),
            )),
            None => break,
        }
        taken.extend(&next_sequence.members);
    }
    let free = |(i, onset): (usize, &Onset)| (!sequence.members.contains(&i)).then_some(onset.time);
    heard.onsets.iter().enumerate().filter_map(free).collect()
}

/// Returns the middle instant, the smallest and the largest sample of parts of equal length.
fn figure_parts(samples: &[f64], rate: f64) -> Vec<(f64, f64, f64)> {
    let length = samples.len().div_ceil(FIGURE_PARTS).max(1);
    let part = |(i, part): (usize, &[f64])| {
        let low = part.iter().copied().fold(f64::INFINITY, f64::min);
        let high = part.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (((i * length) as f64 + 0.5 * part.len() as f64) / rate, low, high)
    };
    samples.chunks(length).enumerate().map(part).collect()
}
