//! Options of a figure: size on paper, text size, title, selected panels, font.

use super::Figure;
use crate::failure::Failure;
use carom::Error;

/// Width of a figure without a given size, in units of 1/96 inch.
pub const WIDTH: f64 = 960.0;
/// Points (1/72 inch) per unit, and the resulting size of small text (tick labels, legends) in points.
const POINTS_PER_UNIT: f64 = 0.75;
const SMALL_TEXT_POINTS: f64 = super::style::SMALL_TEXT_SIZE * POINTS_PER_UNIT;
/// Sizes of the units of length, in points.
const LENGTH_UNITS: [(&str, f64); 5] =
    [("mm", 72.0 / 25.4), ("cm", 720.0 / 25.4), ("in", 72.0), ("pt", 1.0), ("px", POINTS_PER_UNIT)];
/// Smallest and largest allowed width and height in points: 21 mm and 5 m.
const SIDE_MIN_POINTS: f64 = 60.0;
const SIDE_MAX_POINTS: f64 = 14_400.0;

/// Options of a figure; by default the usual size, title, panels and font.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureOptions {
    /// Width and height on paper, in points.
    pub size: Option<(f64, Option<f64>)>,
    /// Size of small text, in points.
    pub text: Option<f64>,
    /// Title that replaces that of the figure; an empty title leaves out subtitle and caption as well.
    pub title: Option<String>,
    /// Numbers of the selected panels in reading order, from 1; all panels if empty.
    pub panels: Vec<usize>,
    /// Contents of a font file that replaces the built-in font.
    pub font: Option<Vec<u8>>,
}

impl FigureOptions {
    /// Returns the number of points on paper per unit of the drawing.
    pub fn scale(&self) -> f64 {
        POINTS_PER_UNIT * self.text.map_or(1.0, |points| points / SMALL_TEXT_POINTS)
    }

    /// Returns the width, and the height if it is given, in units of the drawing.
    pub fn size_in_units(&self) -> (f64, Option<f64>) {
        let units = |points: f64| points / self.scale();
        match self.size {
            Some((width, height)) => (units(width), height.map(units)),
            None => (units(WIDTH * POINTS_PER_UNIT), None),
        }
    }

    /// Returns the figure with the title and the panels selected by the options.
    pub fn apply(&self, figure: &Figure) -> Result<Figure, Failure> {
        let mut figure = figure.clone();
        if let Some(title) = &self.title {
            figure.title.clone_from(title);
            // Intended for papers, whose own caption gives the conditions.
            if title.is_empty() {
                figure.subtitle.clear();
                figure.caption.clear();
            }
        }
        if !self.panels.is_empty() {
            let all: Vec<_> = figure.rows.iter().flatten().cloned().collect();
            let mut chosen = Vec::new();
            for &number in &self.panels {
                let panel = number.checked_sub(1).and_then(|i| all.get(i)).cloned();
                chosen.push(panel.ok_or_else(|| {
                    Error::invalid(
                        "plot-panel",
                        number.to_string(),
                        format!("the number of a panel, 1 to {}", all.len()),
                        "panels are counted row by row from the upper left",
                    )
                })?);
            }
            let columns = figure.rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
            figure.rows = chosen.chunks(columns).map(<[_]>::to_vec).collect();
        }
        Ok(figure)
    }
}

/// Parses `85mm`, `170x120mm`, `3.5in` or `8.5cmx6cm` to width and height in points.
pub fn parse_size(text: &str) -> Result<(f64, Option<f64>), Error> {
    let refuse = || {
        Error::invalid(
            "plot-size",
            format!("`{text}`"),
            "a width, or width x height, from 21 mm to 5 m, in mm, cm, in, pt or px",
            "write for example --plot-size 85mm or --plot-size 170x120mm",
        )
    };
    let bare = text.replace(' ', "").to_lowercase().replace('×', "x");
    // The x of `px` must not separate width from height.
    let bare = bare.replace("px", "p");
    let (width, height) = match bare.split_once('x') {
        Some((width, height)) => (width, Some(height)),
        None => (bare.as_str(), None),
    };
    let number = |text: &str| -> (Option<f64>, Option<f64>) {
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let unit = if unit == "p" { "px" } else { unit };
        let known = LENGTH_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, points)| *points);
        (digits.parse().ok(), known)
    };
    let last = height.and_then(|height| number(height).1);
    let points = |text: &str| -> Result<f64, Error> {
        let (value, unit) = number(text);
        let plain = text.chars().all(|c| !c.is_ascii_alphabetic());
        // In 170x120mm the unit applies to both numbers.
        let unit = if plain { last } else { unit };
        let points = value.zip(unit).map(|(value, unit)| value * unit);
        points
            .filter(|points| (SIDE_MIN_POINTS..=SIDE_MAX_POINTS).contains(points))
            .ok_or_else(refuse)
    };
    Ok((points(width)?, height.map(points).transpose()?))
}

/// Checks the size of small text in points.
pub fn check_text_size(points: f64) -> Result<f64, Error> {
    match (3.0..=72.0).contains(&points) {
        true => Ok(points),
        false => Err(Error::invalid(
            "plot-text",
            points.to_string(),
            "3 to 72 points",
            "write for example --plot-text 8, the size of the numbers at the axes",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curves, Panel};

    #[test]
    fn sizes_are_read_with_one_unit_or_two() {
        let mm = 72.0 / 25.4;
        for (text, width, height) in [
            ("85mm", 85.0 * mm, None),
            ("170x120mm", 170.0 * mm, Some(120.0 * mm)),
            ("170 mm x 12 cm", 170.0 * mm, Some(120.0 * mm)),
            ("3.5in", 252.0, None),
            ("400px×300px", 300.0, Some(225.0)),
            ("240pt", 240.0, None),
        ] {
            let (w, h) = parse_size(text).unwrap();
            assert!((w - width).abs() < 1e-9, "{text}: {w}");
            assert!((h.unwrap_or(0.0) - height.unwrap_or(0.0)).abs() < 1e-9, "{text}: {h:?}");
        }
        for wrong in
            ["", "85", "x", "85mmx", "1mm", "85furlong", "-85mm", "1e9mm", "NaNmm", "85mmx2"]
        {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn panels_are_chosen_in_their_order_and_words_left_out() {
        let named =
            |title: &str| Panel::Curves(Curves { title: title.to_string(), ..Curves::default() });
        let figure = Figure {
            title: "T".to_string(),
            subtitle: "S".to_string(),
            rows: vec![vec![named("a"), named("b")], vec![named("c"), named("d")]],
            caption: "C".to_string(),
        };
        let options = FigureOptions {
            panels: vec![4, 1, 2],
            title: Some(String::new()),
            ..FigureOptions::default()
        };
        let drawn = options.apply(&figure).unwrap();
        let titles: Vec<Vec<_>> = drawn
            .rows
            .iter()
            .map(|row| row.iter().map(|panel| panel.title().to_string()).collect())
            .collect();
        assert_eq!(titles, [vec!["d", "a"], vec!["b"]]);
        assert!(drawn.title.is_empty() && drawn.subtitle.is_empty() && drawn.caption.is_empty());
        for wrong in [0, 5] {
            assert!(
                FigureOptions { panels: vec![wrong], ..FigureOptions::default() }
                    .apply(&figure)
                    .is_err()
            );
        }
    }
}
