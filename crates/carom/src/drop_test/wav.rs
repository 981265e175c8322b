//! Reads sound from the bytes of a WAV file.
//!
//! The format consists of RIFF chunks "fmt " and "data" as defined by Microsoft and IBM (Multimedia Programming
//! Interface and Data Specifications 1.0, 1991), with WAVE_FORMAT_EXTENSIBLE: integers of 8 to 32 bits and floats of
//! 32 or 64 bits, any rate and number of channels. Interrupted recorders, and programs that write into a pipe, leave
//! sizes of 0 or 2³² − 1 in the file; the data then extend to its end. No crate is used for this, because the format
//! is a simple table of chunks and the wrong sizes that recorders write must be accepted.

use crate::error::{Error, Result};

/// A recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// Samples per second (Hz).
    pub rate: f64,
    /// Samples of each channel; full scale is 1.
    pub channels: Vec<Vec<f64>>,
}

impl Sound {
    /// Returns whether these bytes begin like a WAV file.
    pub fn is_wav(bytes: &[u8]) -> bool {
        bytes.get(..4) == Some(b"RIFF") && bytes.get(8..12) == Some(b"WAVE")
    }

    /// Reads the bytes of a WAV file.
    ///
    /// ```
    /// use carom::drop_test::Sound;
    /// let error = Sound::from_wav(b"time,force\n").unwrap_err().to_string();
    /// assert!(error.contains("no WAV file"));
    /// ```
    ///
    /// # Errors
    /// When the bytes are not a WAV file, when its samples are compressed, or when it contains no samples.
    pub fn from_wav(bytes: &[u8]) -> Result<Self> {
        if !Self::is_wav(bytes) {
            let reason = "it is no WAV file (one begins with RIFF and WAVE); save the recording as WAV without compression";
            return Err(Error::unreadable("the recording", reason));
        }
        let mut rest = bytes.get(12..).unwrap_or_default();
        let mut format = None;
        while let (Some(name), Some(size)) = (rest.get(..4), number(rest, 4, 4)) {
            let body = rest.get(8..).unwrap_or_default();
            let size = size as usize;
            match name {
                b"fmt " => format = Some(Format::read(body.get(..size).unwrap_or(body))?),
                b"data" => {
                    let Some(format) = format else {
                        let reason = "the samples come before their format";
                        return Err(Error::unreadable("the recording", reason));
                    };
                    let known = (1..u32::MAX as usize).contains(&size);
                    let samples = if known { body.get(..size).unwrap_or(body) } else { body };
                    return format.sound(samples);
                }
                _ => {}
            }
            // Chunks begin at even offsets.
            rest = body.get(size + size % 2..).unwrap_or_default();
        }
        Err(Error::unreadable(
            "the recording",
            "the file ends before its samples begin; record it again",
        ))
    }
}

/// Reads a little-endian number of `length` bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
}

/// Encoding of the samples.
#[derive(Clone, Copy)]
struct Format {
    float: bool,
    channels: usize,
    rate: f64,
    /// Bytes per sample.
    bytes: usize,
}

impl Format {
    fn read(chunk: &[u8]) -> Result<Self> {
        let field = |at: usize, length: usize| number(chunk, at, length).unwrap_or(0);
        let tag = match field(0, 2) {
            // In the extensible format the first two bytes of the subformat identifier are the tag.
            0xfffe => field(24, 2),
            tag => tag,
        };
        let (channels, rate, block, bits) = (field(2, 2), field(4, 4), field(12, 2), field(14, 2));
        // The container of a sample may be wider than its valid bits, for example 32 bits for 24.
        let bytes = block.checked_div(channels).unwrap_or(0);
        let plain = tag == 1 && (1..=4).contains(&bytes);
        let float = tag == 3 && (bytes == 4 || bytes == 8);
        if !plain && !float {
            return Err(Error::unsupported(
                format!("a WAV file with format {tag} of {bits} bits"),
                "save the recording as WAV without compression: PCM of 8 to 32 bits, or float",
            ));
        }
        if !(100..=10_000_000).contains(&rate) {
            let found = format!("{rate} Hz");
            let advice = "the file is damaged, or is no recording of sound; save it again";
            return Err(Error::invalid("sampling rate", found, "100 Hz to 10 MHz", advice));
        }
        Ok(Self { float, channels: channels as usize, rate: rate as f64, bytes: bytes as usize })
    }

    fn sound(self, samples: &[u8]) -> Result<Sound> {
        let frames = samples.len() / (self.bytes * self.channels);
        let mut channels = vec![Vec::with_capacity(frames); self.channels];
        for frame in samples.chunks_exact(self.bytes * self.channels) {
            for (channel, sample) in channels.iter_mut().zip(frame.chunks_exact(self.bytes)) {
                channel.push(self.value(sample));
            }
        }
        if frames == 0 {
            let reason = "it has no samples; record it again";
            return Err(Error::unreadable("the recording", reason));
        }
        Ok(Sound { rate: self.rate, channels })
    }

    /// Returns a sample, full scale 1; values that are not finite are replaced by 0.
    fn value(self, bytes: &[u8]) -> f64 {
        let bits = number(bytes, 0, self.bytes).unwrap_or(0);
        let value = match (self.float, self.bytes) {
            (true, 4) => f64::from(f32::from_bits(bits as u32)),
            (true, _) => f64::from_bits(bits),
            // Samples of 8 bits are unsigned, all others are signed.
            (false, 1) => (bits as f64 - 128.0) / 128.0,
            (false, n) => {
                let unused = 64 - 8 * n as u32;
                ((bits << unused) as i64 >> unused) as f64 / (1u64 << (8 * n - 1)) as f64
            }
        };
        if value.is_finite() { value } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a file with this format tag, this number of bytes per sample, and samples of two channels.
    fn file(tag: u16, bytes: u16, samples: &[u8], data_size: u32) -> Vec<u8> {
        let mut file = b"RIFF\0\0\0\0WAVE".to_vec();
        // A chunk of odd length precedes the format.
        file.extend(b"LIST\x03\0\0\0abc\0fmt \x10\0\0\0");
        file.extend(tag.to_le_bytes());
        file.extend(2u16.to_le_bytes());
        file.extend(44_100u32.to_le_bytes());
        file.extend((44_100 * 2 * u32::from(bytes)).to_le_bytes());
        file.extend((2 * bytes).to_le_bytes());
        file.extend((8 * bytes).to_le_bytes());
        file.extend(b"data");
        file.extend(data_size.to_le_bytes());
        file.extend(samples);
        file
    }

    #[test]
    fn every_depth_gives_the_same_sound() {
        let half = |bytes: &[&[u8]]| bytes.concat();
        for (tag, depth, samples) in [
            (1, 1, half(&[&[192], &[64]])),
            (1, 2, half(&[&0x4000i16.to_le_bytes(), &(-0x4000i16).to_le_bytes()])),
            (1, 3, half(&[&[0, 0, 0x40], &[0, 0, 0xc0]])),
            (1, 4, half(&[&(1i32 << 30).to_le_bytes(), &(-(1i32 << 30)).to_le_bytes()])),
            (3, 4, half(&[&0.5f32.to_le_bytes(), &(-0.5f32).to_le_bytes()])),
            (3, 8, half(&[&0.5f64.to_le_bytes(), &(-0.5f64).to_le_bytes()])),
        ] {
            for size in [samples.len() as u32, 0, u32::MAX] {
                let sound = Sound::from_wav(&file(tag, depth, &samples, size)).unwrap();
                assert_eq!(sound.channels, [[0.5], [-0.5]], "{tag} {depth}");
                assert_eq!(sound.rate, 44_100.0);
            }
        }
    }

    #[test]
    fn what_is_no_sound_is_refused_in_a_sentence() {
        let whole = file(1, 2, &[0; 4], 4);
        for length in 0..whole.len() {
            // A file that is cut at any place must yield an error or a shorter sound, never a panic.
            let _ = Sound::from_wav(&whole[..length]);
        }
        let compressed = Sound::from_wav(&file(0x55, 2, &[0; 4], 4)).unwrap_err().to_string();
        assert!(compressed.contains("format 85") && compressed.contains("without compression"));
        let empty = Sound::from_wav(&file(1, 2, &[], 0)).unwrap_err().to_string();
        assert!(empty.contains("no samples"), "{empty}");
    }
}
