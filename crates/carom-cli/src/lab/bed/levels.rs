//! Encodes numbers of many grains compactly: positions with 2 bytes per coordinate, as fractions of the box around all positions of
//! the run; other numbers with 1 byte, as fractions of the largest.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Number of decades below the largest value on the logarithmic scale.
pub const LOGARITHMIC_DECADES: f32 = 4.0;

/// Returns the box around all positions, and the positions as fractions of it (base64, u16).
pub fn box_and_fractions<'a>(
    snapshots: impl Iterator<Item = &'a [[f32; 3]]> + Clone,
) -> ([f32; 3], [f32; 3], String) {
    let positions = || snapshots.clone().flatten();
    let edge = |from: f32, pick: fn(f32, f32) -> f32| {
        [0, 1, 2].map(|k| positions().map(|p| p[k]).fold(from, pick))
    };
    let (low, high) = (edge(f32::INFINITY, f32::min), edge(f32::NEG_INFINITY, f32::max));
    let part = |p: &[f32; 3], k: usize| {
        let share = (p[k] - low[k]) / (high[k] - low[k]).max(f32::MIN_POSITIVE);
        (share * 65535.0).round() as u16
    };
    let bytes: Vec<u8> = positions()
        .flat_map(|p| [0, 1, 2].map(|k| part(p, k)))
        .flat_map(u16::to_le_bytes)
        .collect();
    (low, high, STANDARD.encode(bytes))
}

/// Returns the level of a value on a linear scale, which is its ratio to the largest value.
pub fn linear(share: f32) -> f32 {
    share
}

/// Returns the level of a ratio on a logarithmic scale of [`LOGARITHMIC_DECADES`] decades; smaller values have level 0.
pub fn logarithmic(share: f32) -> f32 {
    if share > 0.0 { (1.0 + share.log10() / LOGARITHMIC_DECADES).max(0.0) } else { 0.0 }
}

/// Returns the largest value, and all values as levels (base64, u8).
pub fn levels(
    columns: impl Iterator<Item = Vec<f32>> + Clone,
    scale: fn(f32) -> f32,
) -> (f64, String) {
    let largest = columns.clone().flatten().fold(0.0, f32::max);
    let level = |value: f32| (255.0 * scale(value / largest.max(f32::MIN_POSITIVE))).round() as u8;
    (f64::from(largest), STANDARD.encode(columns.flatten().map(level).collect::<Vec<u8>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_shares_of_the_largest() {
        let columns = [vec![0.0, 1.0], vec![2.0, 0.0002]];
        let bytes = |text: &str| STANDARD.decode(text).unwrap();
        let (largest, text) = levels(columns.clone().into_iter(), linear);
        assert_eq!((largest, bytes(&text)), (2.0, vec![0, 128, 255, 0]));
        let (_, text) = levels(columns.into_iter(), logarithmic);
        // Half of the largest value is log10(2)/4 of the scale below it; a ten-thousandth has level 0.
        assert_eq!(bytes(&text), [0, 236, 255, 0]);
        let (low, high, text) =
            box_and_fractions([&[[0.0, 1.0, 5.0], [2.0, 1.0, 6.0]][..]].into_iter());
        assert_eq!((low, high), ([0.0, 1.0, 5.0], [2.0, 1.0, 6.0]));
        assert_eq!(bytes(&text), [0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 255]);
    }
}
