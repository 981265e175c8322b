//! Scales, which map values to pixels linearly or logarithmically; range, SI prefix and ticks of an axis.

use super::Axis;
use super::style::{SMALL_TEXT_SIZE, text_width};

/// SI prefixes by power of ten.
const SI_PREFIXES: [(i32, &str); 9] =
    [(-12, "p"), (-9, "n"), (-6, "µ"), (-3, "m"), (0, ""), (3, "k"), (6, "M"), (9, "G"), (12, "T")];

/// Map from an axis to an interval of pixels.
#[derive(Clone, Debug)]
pub struct Scale {
    /// Axis label: name and unit with its prefix.
    pub label: String,
    /// Ticks: pixel and label.
    pub ticks: Vec<(f64, String)>,
    log: bool,
    /// Bounds of the range in display units; their decimal logarithms on a logarithmic scale.
    low: f64,
    high: f64,
    /// Display unit in SI units.
    unit: f64,
    /// Pixels of `low` and `high`.
    from: f64,
    to: f64,
}

impl Scale {
    /// Maps an axis to an interval of pixels, with ticks about `spacing` px apart.
    pub fn new(
        axis: &Axis,
        data: impl Iterator<Item = f64>,
        pixels: (f64, f64),
        spacing: f64,
    ) -> Self {
        Self::with_prefix(axis, data, pixels, spacing, None)
    }

    /// Maps an axis like [`Scale::new`]; if `largest` is given, the SI prefix is chosen for that value instead of the range of the
    /// axis.
    fn with_prefix(
        axis: &Axis,
        data: impl Iterator<Item = f64>,
        (from, to): (f64, f64),
        spacing: f64,
        largest: Option<f64>,
    ) -> Self {
        let data: Vec<f64> = data.filter(|value| value.is_finite()).collect();
        let log = axis.log && data.iter().all(|&value| value > 0.0) && !data.is_empty();
        let (low, high) = axis.range.unwrap_or_else(|| match log {
            true => data.iter().fold((f64::MAX, 0.0), |(l, h), &v| (v.min(l), v.max(h))),
            false => range_with_margin(data.into_iter()),
        });
        let (unit, symbol) =
            prefixed_unit(largest.unwrap_or(low.abs().max(high.abs())), &axis.unit);
        let label = match symbol.is_empty() {
            true => axis.label.to_string(),
            false => format!("{} ({symbol})", axis.label),
        };
        let (low, high) = (low / unit, high / unit);
        let count = ((to - from).abs() / spacing).max(2.0);
        let mut scale = Self { label, ticks: Vec::new(), log, low, high, unit, from, to };
        if log {
            let room = 0.02 * (high / low).log10().max(0.1);
            (scale.low, scale.high) = (low.log10() - room, high.log10() + room);
        }
        let found =
            if log { log_ticks(scale.low, scale.high) } else { linear_ticks(low, high, count) };
        scale.ticks =
            found.into_iter().map(|(value, label)| (scale.pixel_of_scaled(value), label)).collect();
        scale
    }

    /// Maps a horizontal axis, with as many ticks as there is space for their labels.
    pub fn horizontal(axis: &Axis, data: &[f64], pixels: (f64, f64)) -> Self {
        Self::horizontal_with_prefix(axis, data, pixels, None)
    }

    /// Maps two axes of spatial coordinates with a common prefix and the same number of pixels per metre. To achieve this, the
    /// range of one axis is widened on both sides.
    pub fn equal_aspect(
        (x, y): (&Axis, &Axis),
        data: &[(f64, f64)],
        x_pixels: (f64, f64),
        y_pixels: (f64, f64),
    ) -> (Self, Self) {
        let bounds = |axis: &Axis, of: fn(&(f64, f64)) -> f64| {
            axis.range.unwrap_or_else(|| range_with_margin(data.iter().map(of)))
        };
        let (wide, high) = (bounds(x, |p| p.0), bounds(y, |p| p.1));
        let length = |(from, to): (f64, f64)| (to - from).abs();
        let metre =
            ((wide.1 - wide.0) / length(x_pixels)).max((high.1 - high.0) / length(y_pixels));
        let widened = |(low, high): (f64, f64), room: f64| {
            let (middle, half) = (0.5 * (low + high), 0.5 * metre * room);
            (middle - half, middle + half)
        };
        let (wide, high) = (widened(wide, length(x_pixels)), widened(high, length(y_pixels)));
        let largest =
            [wide.0, wide.1, high.0, high.1].into_iter().fold(0.0, |l: f64, v| l.max(v.abs()));
        let fixed = |axis: &Axis, range| Axis { range: Some(range), log: false, ..axis.clone() };
        (
            Self::horizontal_with_prefix(&fixed(x, wide), &[], x_pixels, Some(largest)),
            Self::with_prefix(&fixed(y, high), [].into_iter(), y_pixels, 54.0, Some(largest)),
        )
    }

    fn horizontal_with_prefix(
        axis: &Axis,
        data: &[f64],
        pixels: (f64, f64),
        largest: Option<f64>,
    ) -> Self {
        let mut spacing = 50.0;
        loop {
            let scale = Self::with_prefix(axis, data.iter().copied(), pixels, spacing, largest);
            let widest = scale
                .ticks
                .iter()
                .map(|(_, label)| text_width(label, SMALL_TEXT_SIZE))
                .fold(0.0, f64::max);
            let crowded =
                scale.ticks.windows(2).any(|two| two[1].0 - two[0].0 < 1.7 * widest + 8.0);
            if !crowded || spacing > 400.0 {
                return scale;
            }
            spacing *= 1.3;
        }
    }

    /// Returns the pixel of a value in SI units.
    pub fn pixel(&self, value: f64) -> f64 {
        self.pixel_of_scaled(value / self.unit)
    }

    /// Returns the values at the two ends, in SI units.
    pub fn bounds(&self) -> (f64, f64) {
        let value = |end: f64| if self.log { 10f64.powf(end) } else { end };
        (value(self.low) * self.unit, value(self.high) * self.unit)
    }

    /// Returns whether a value in SI units is within the range.
    pub fn contains(&self, value: f64) -> bool {
        let value = value / self.unit;
        (self.low..=self.high).contains(&if self.log { value.log10() } else { value })
    }

    /// Returns the pixel of a value in display units.
    fn pixel_of_scaled(&self, value: f64) -> f64 {
        let value = if self.log { value.log10() } else { value };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }
}

/// Returns the smallest and the largest finite value; (∞, −∞) if there is none.
pub fn finite_bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// Returns the range of the data with a margin of 5 % on each side; there is no margin at an end that is zero.
fn range_with_margin(data: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut low, high) = finite_bounds(data);
    // There are no data, or only zeros.
    if low > high || low.abs().max(high.abs()) < 1e-280 {
        return (0.0, 1.0);
    }
    if low > 0.0 && low < 0.3 * high {
        low = 0.0;
    }
    let span = high - low;
    // Data that are constant up to rounding get a margin in proportion to their size.
    let span = match span > 1e-9 * low.abs().max(high.abs()) && span.is_normal() {
        true => span,
        false => low.abs().max(high.abs()),
    };
    // The value is negative only because of rounding.
    let low = if low < 0.0 && -low < 1e-6 * high { 0.0 } else { low };
    let below = if low == 0.0 { 0.0 } else { 0.05 * span };
    let above = if high == 0.0 { 0.0 } else { 0.05 * span };
    (low - below, high + above)
}

/// Returns the display unit for a largest value: its size in SI units, and its symbol with the prefix.
fn prefixed_unit(largest: f64, unit: &str) -> (f64, String) {
    let power = largest.log10().floor();
    if unit.is_empty() || !power.is_finite() {
        return (1.0, unit.to_string());
    }
    let power = power as i32;
    // 0.5 m/s is preferred to 500 mm/s, and seconds to kiloseconds.
    let group = match power {
        -1..=2 => 0,
        3.. if unit == "s" => 0,
        _ => power.div_euclid(3) * 3,
    };
    let factor = 10f64.powi(group);
    match SI_PREFIXES.iter().find(|(known, _)| *known == group) {
        Some((_, prefix)) => (factor, format!("{prefix}{unit}")),
        None if factor.is_normal() => (factor, format!("10^{group} {unit}")),
        None => (1.0, unit.to_string()),
    }
}

/// Returns the powers of ten between 10^low and 10^high; also 2 and 5 times these if they are few.
fn log_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let few = high - low < 2.5;
    // Some powers are skipped if there are very many decades.
    let step = ((high - low) / 8.0).ceil().max(1.0) as i32;
    let (first, last) = (low.floor() as i32, high.floor() as i32);
    let powers = (first..=last).filter(|power| power.rem_euclid(step) == 0);
    powers
        .flat_map(|power| [1.0, 2.0, 5.0].map(|times| (times, power)))
        .filter(|&(times, _)| few || times == 1.0)
        .map(|(times, power)| (times * 10f64.powi(power), times, power))
        .filter(|(value, ..)| (low..=high).contains(&value.log10()))
        .map(|(value, times, power)| match power {
            -4..=4 => (value, format!("{value:.*}", (-power).max(0) as usize)),
            _ => (value, power_of_ten(times, power)),
        })
        .collect()
}

/// Returns 5·10^−7 for 5·10⁻⁷: `Svg::text` sets what follows the caret as a superscript.
fn power_of_ten(times: f64, power: i32) -> String {
    let text = match times {
        1.0 => format!("10^{power}"),
        -1.0 => format!("-10^{power}"),
        _ => format!("{times}·10^{power}"),
    };
    text.replace('-', "−")
}

/// Returns multiples of 1, 2 or 5 times a power of ten within the range, about `count` of them.
fn linear_ticks(low: f64, high: f64, count: f64) -> Vec<(f64, String)> {
    let target_step = (high - low) / count;
    let power = target_step.log10().floor();
    let base = 10f64.powf(power);
    if !(base.is_normal() && target_step.is_normal()) {
        return Vec::new();
    }
    let step = base
        * match target_step / base {
            ..=1.4 => 1.0,
            ..=3.2 => 2.0,
            ..=7.0 => 5.0,
            _ => 10.0,
        };
    let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
    let slack = 1e-9 * (high - low);
    let (first, last) = (((low - slack) / step).ceil(), ((high + slack) / step).floor());
    if !(last - first <= 100.0) {
        return Vec::new();
    }
    // Labels with a power of ten have two digits, too few for a narrow range far from zero.
    let largest = low.abs().max(high.abs());
    let label = |value: f64| match (decimals > 6 && largest < 0.01) || value.abs() >= 1e7 {
        true if value == 0.0 => "0".into(),
        true => {
            let text = format!("{value:.1e}").replace(".0e", "e");
            let (times, power) = text.split_once('e').unwrap_or((&text, "0"));
            power_of_ten(times.parse().unwrap_or(f64::NAN), power.parse().unwrap_or(0))
        }
        false => format!("{:.decimals$}", value + 0.0).replace('-', "−"),
    };
    let count = (last - first).max(-1.0) as i32;
    (0..=count).map(|i| (first + f64::from(i)) * step).map(|value| (value, label(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        linear_ticks(low, high, 5.0).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 4.9), ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(-0.42, 0.5), ["−0.4", "−0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(0.5, 1.02), ["0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]);
        assert_eq!(labels(0.0, 220.0), ["0", "50", "100", "150", "200"]);
        let near = labels(0.229_187, 0.229_187_4);
        assert_eq!(near, ["0.2291870", "0.2291871", "0.2291872", "0.2291873", "0.2291874"]);
        assert!(labels(1.0, 1.0).is_empty() && labels(f64::NAN, 1.0).is_empty());
    }

    #[test]
    fn equal_ratios_are_equal_distances() {
        let axis = Axis { log: true, ..Axis::new("speed", "m/s") };
        let scale = Scale::new(&axis, [0.01, 0.1, 10.0].into_iter(), (0.0, 300.0), 50.0);
        let [a, b, c, d] = [0.01, 0.1, 1.0, 10.0].map(|value| scale.pixel(value));
        assert!((b - a - (c - b)).abs() < 1e-9 && (d - c - (c - b)).abs() < 1e-9);
        let labels: Vec<&str> = scale.ticks.iter().map(|(_, label)| label.as_str()).collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10"]);
        assert!(
            scale.contains(0.01)
                && scale.contains(10.0)
                && !scale.contains(0.0)
                && !scale.contains(20.0)
        );
        let one = Scale::new(&axis, [0.02, 0.3].into_iter(), (0.0, 300.0), 50.0);
        assert_eq!(one.ticks.len(), 4, "0.02, 0.05, 0.1, 0.2: {:?}", one.ticks);
        // Zero has no logarithm, so the axis is linear.
        let zero = Scale::new(&axis, [0.0, 1.0].into_iter(), (0.0, 300.0), 50.0);
        assert!(zero.pixel(0.0).is_finite());
    }

    #[test]
    fn a_circle_in_a_wide_panel_is_round_and_has_one_unit() {
        // Guards against two errors: a clearance circle appeared as an ellipse, and a path had metres on one axis and millimetres
        // on the other.
        let axes = (Axis::new("x", "m"), Axis::new("y", "m"));
        let path = [(0.0, 0.0), (1.2, 0.004)];
        let (x, y) = Scale::equal_aspect((&axes.0, &axes.1), &path, (44.0, 430.0), (250.0, 20.0));
        assert_eq!((x.label.as_str(), y.label.as_str()), ("x (m)", "y (m)"));
        let (right, up) = (x.pixel(0.1) - x.pixel(0.0), y.pixel(0.0) - y.pixel(0.1));
        assert!((right - up).abs() < 1e-9 && right > 0.0, "{right} {up}");
        for (place, scale, ends) in [(path[1].0, &x, (44.0, 430.0)), (path[1].1, &y, (20.0, 250.0))]
        {
            assert!((ends.0..=ends.1).contains(&scale.pixel(place)), "{place}");
        }
    }

    #[test]
    fn prefixes_fit_the_data() {
        for (largest, unit, expected) in [
            (2.6e-5, "m", "µm"),
            (4600.0, "N", "kN"),
            (460.0, "N", "N"),
            (0.5, "m/s", "m/s"),
            (0.05, "m/s", "mm/s"),
            (5000.0, "s", "s"),
            (0.7, "", ""),
            (1e17, "N", "10^15 N"),
            (0.0, "N", "N"),
        ] {
            assert_eq!(prefixed_unit(largest, unit).1, expected, "{largest} {unit}");
        }
    }

    #[test]
    fn ranges_begin_at_zero_where_they_should() {
        assert_eq!(range_with_margin([0.0, 10.0].into_iter()), (0.0, 10.5));
        assert_eq!(range_with_margin([1.0, 10.0].into_iter()).0, 0.0);
        assert!(range_with_margin([0.7, 1.0].into_iter()).0 > 0.6);
        assert!(range_with_margin([3.0, 3.0].into_iter()).1 > 3.0);
        assert_eq!(range_with_margin([f64::NAN].into_iter()), (0.0, 1.0));
        for extreme in [f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.0] {
            let scale =
                Scale::new(&Axis::new("F", "N"), [0.0, extreme].into_iter(), (0.0, 1.0), 0.2);
            assert!(scale.pixel(0.0).is_finite() && scale.pixel(extreme).is_finite(), "{extreme}");
        }
    }
}
