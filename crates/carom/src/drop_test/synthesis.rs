//! Synthetic sounds and tracks of a ball of known restitution, for tests of the evaluation.
//!
//! The ball falls from rest, and the restitution of each bounce depends on its speed. The sound of a bounce consists
//! of a few modes of ball and plate that build up during the time of contact and decay; their amplitudes differ from
//! bounce to bounce. Noise, echoes, reverberation and clipping can be added. All random numbers follow from the seed.

use super::GRAVITY;
use super::flight::Air;
use crate::numeric::normal::quantile;
use crate::numeric::random::{key, unit};

/// A ball that is dropped.
#[derive(Clone, Debug)]
pub struct Bouncing {
    /// Height of the drop (m).
    pub height: f64,
    /// Restitution at a speed of 1 m/s.
    pub restitution: f64,
    /// Exponent of the speed in the restitution.
    pub exponent: f64,
    /// Time of contact (s).
    pub contact_time: f64,
    /// Number of bounces.
    pub bounces: usize,
    /// Air around the ball.
    pub air: Air,
}

/// True values of a bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrueBounce {
    /// Instant at which contact begins (s), counted from the release.
    pub time: f64,
    /// Approach speed (m/s).
    pub speed: f64,
    /// Restitution.
    pub restitution: f64,
}

impl Bouncing {
    /// Returns a ball without drag and with constant restitution.
    pub fn new(height: f64, restitution: f64, bounces: usize) -> Self {
        let air = Air::none(GRAVITY);
        Self { height, restitution, exponent: 0.0, contact_time: 0.0, bounces, air }
    }

    /// Computes the bounces.
    pub fn bounces(&self) -> Vec<TrueBounce> {
        let mut speed = self.air.fall(self.height);
        // The time of the first fall is computed without drag: an error of this instant shifts all bounces alike.
        let mut time = (2.0 * self.height / GRAVITY).sqrt();
        let mut all = Vec::new();
        for _ in 0..self.bounces {
            let restitution = (self.restitution * speed.powf(self.exponent)).clamp(0.0, 0.999);
            all.push(TrueBounce { time, speed, restitution });
            let up = restitution * speed;
            // The duration of the flight that begins with this speed is found by bisection.
            let (mut low, mut high) = (0.0, 10.0 * up / GRAVITY + 1e-9);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if self.air.flight(middle).0 < up { low = middle } else { high = middle }
            }
            speed = self.air.flight(low).1;
            time += self.contact_time + low;
        }
        all
    }

    /// Returns instants, at this number per second, and heights of the lowest point of the ball, with normally
    /// distributed errors.
    pub fn track(&self, rate: f64, duration: f64, noise: f64, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let (key, bounces) = (key(seed, "track"), self.bounces());
        let count = (rate * duration) as usize;
        let time: Vec<f64> = (0..count).map(|i| i as f64 / rate).collect();
        let height = |i: usize| {
            let t = time[i];
            let exact = match bounces.iter().rev().find(|bounce| bounce.time <= t) {
                None => self.height - 0.5 * GRAVITY * t * t,
                Some(b) => {
                    let t = (t - b.time - self.contact_time).max(0.0);
                    b.restitution * b.speed * t - 0.5 * GRAVITY * t * t
                }
            };
            exact.max(0.0) + noise * quantile(unit(key, i as u64))
        };
        let heights = (0..count).map(height).collect();
        (time, heights)
    }
}

/// Character of the sound of a bounce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timbre {
    /// Decaying modes of ball and plate.
    #[default]
    Ringing,
    /// A dull floor: a pulse as long as the contact, and noise below 6 kHz that decays within milliseconds.
    Dull,
}

/// Properties of a recording of bouncing balls.
#[derive(Clone, Debug)]
pub struct Microphone {
    /// Samples per second (Hz).
    pub rate: f64,
    /// Length (s).
    pub duration: f64,
    /// Root mean square of the noise; the first bounce has a peak of about 1.
    pub noise: f64,
    /// Delays (s) and gains of echoes.
    pub echoes: Vec<(f64, f64)>,
    /// Gain of a diffuse reverberation that lasts a quarter of a second.
    pub reverberation: f64,
    /// Amplitude at which samples are clipped.
    pub clip: f64,
    /// Character of the sound of a bounce.
    pub timbre: Timbre,
    /// Seed of the random numbers by which the bounces and the noise differ.
    pub seed: u64,
}

impl Default for Microphone {
    fn default() -> Self {
        Self {
            rate: 44_100.0,
            duration: 4.0,
            noise: 0.003,
            echoes: Vec::new(),
            reverberation: 0.0,
            clip: f64::INFINITY,
            timbre: Timbre::default(),
            seed: 1,
        }
    }
}

impl Microphone {
    /// Returns the recorded samples, full scale 1, of bounces with these instants (s) and speeds (m/s).
    pub fn record(&self, bounces: &[(f64, f64)], rise: f64) -> Vec<f64> {
        let count = (self.rate * self.duration) as usize;
        let mut samples = vec![0.0; count];
        let loudest = bounces.iter().map(|b| b.1).fold(f64::MIN_POSITIVE, f64::max);
        for (number, &(time, speed)) in bounces.iter().enumerate() {
            let amplitude = (speed / loudest).powf(1.2);
            let draw = |i: u64| unit(key(self.seed, "modes"), 16 * number as u64 + i);
            let direct = [(0.0, 1.0)];
            for &(delay, gain) in direct.iter().chain(&self.echoes) {
                let begin = time + delay;
                let first = (begin * self.rate).ceil().max(0.0) as usize;
                for (i, sample) in samples.iter_mut().enumerate().skip(first) {
                    let t = i as f64 / self.rate - begin;
                    if t > 0.08 {
                        break;
                    }
                    let sound = match self.timbre {
                        Timbre::Ringing => ring(t, rise, &draw),
                        Timbre::Dull => thud(t, rise, key(self.seed, "thud") ^ number as u64),
                    };
                    *sample += gain * amplitude * sound;
                }
            }
            if self.reverberation > 0.0 {
                let first = (time * self.rate).ceil().max(0.0) as usize;
                let key = key(self.seed, "reverberation") ^ number as u64;
                for (i, sample) in samples.iter_mut().enumerate().skip(first) {
                    let t = i as f64 / self.rate - time;
                    // The reverberation builds up as the first reflections arrive.
                    let envelope = (1.0 - (-t / 0.01).exp()) * (-t / 0.08).exp();
                    *sample +=
                        self.reverberation * amplitude * envelope * quantile(unit(key, i as u64));
                }
            }
        }
        let key = key(self.seed, "noise");
        for (i, sample) in samples.iter_mut().enumerate() {
            *sample += self.noise * quantile(unit(key, i as u64));
            *sample = sample.clamp(-self.clip, self.clip);
        }
        samples
    }
}

/// Returns the sum of modes that build up over the time `rise` (s) and then decay.
fn ring(t: f64, rise: f64, draw: &dyn Fn(u64) -> f64) -> f64 {
    let modes = [(900.0, 0.012, 0.5), (2300.0, 0.006, 0.6), (3600.0, 0.003, 0.4)];
    let mut sum = 0.0;
    for (i, (frequency, decay, amplitude)) in modes.iter().enumerate() {
        // The amplitudes vary by ±25 % from bounce to bounce.
        let amplitude = amplitude * (0.75 + 0.5 * draw(i as u64));
        sum += amplitude * (-t / decay).exp() * (2.0 * std::f64::consts::PI * frequency * t).sin();
    }
    let envelope = if t < rise { (0.5 * std::f64::consts::PI * t / rise).sin() } else { 1.0 };
    sum * envelope
}

/// Returns the pulse of the contact force with noise that builds up after it and decays.
fn thud(t: f64, contact: f64, key: u64) -> f64 {
    const MAX_FREQUENCY: f64 = 6000.0;
    let phase = std::f64::consts::PI * t / contact;
    let pulse = if phase < std::f64::consts::PI { phase.sin() } else { 0.0 };
    // Linear interpolation between independent values has little energy above half of their rate.
    let position = 2.0 * MAX_FREQUENCY * t;
    let value = |i: f64| quantile(unit(key, i as u64));
    let share = position.fract();
    let noise = (1.0 - share) * value(position.floor()) + share * value(position.floor() + 1.0);
    let envelope = (1.0 - (-t / contact).exp()) * (-t / 4e-3).exp();
    0.5 * pulse + 0.35 * noise * envelope
}

/// Returns the bytes of a WAV file with 16 bits and one channel.
pub fn wav(samples: &[f64], rate: u32) -> Vec<u8> {
    let size = 2 * samples.len() as u32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(rate.to_le_bytes());
    bytes.extend((2 * rate).to_le_bytes());
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    for sample in samples {
        bytes.extend(((sample * 32_767.0).round().clamp(-32_768.0, 32_767.0) as i16).to_le_bytes());
    }
    bytes
}
