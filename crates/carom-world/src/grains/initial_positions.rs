//! Initial positions of grains: read from a file, or on a lattice with random offsets from which the grains fall.

use crate::math::Vec3;
use carom::numeric::random;
use carom::{Error, Result};

/// Advice for a scene with too many grains.
pub(super) const ADVICE_ON_TOO_MANY: &str = "take fewer grains; `carom simulate` runs up to 10 million, the lab 20000 (it plays larger runs: `carom lab DIR`)";

/// Spacing of the lattice, in diameters of the largest grain.
const LATTICE_SPACING: f64 = 1.15;

/// Returns a random number, uniform in [0, 1), that is a function of seed, stream and index.
pub(super) fn uniform(seed: u64, stream: u64, index: u64) -> f64 {
    let key = random::bits(random::stream(seed, stream).wrapping_add(index), 0);
    random::fraction(random::bits(key, 0))
}

/// Returns positions on a cubic lattice over a rectangle of these widths (m), in as many layers as needed, with random
/// offsets so small that no two grains are in contact.
///
/// # Errors
/// When a width is too small for one grain.
pub(super) fn lattice(
    count: usize,
    radius: f64,
    width: (f64, f64),
    seed: u64,
) -> Result<Vec<Vec3>> {
    let step = 2.0 * LATTICE_SPACING * radius;
    let along = |width: f64| (width / step).floor();
    let (nx, ny) = (along(width.0), along(width.1));
    if !(nx >= 1.0 && ny >= 1.0) {
        let allowed =
            format!("at least {step} m, {LATTICE_SPACING} diameters of the largest grain");
        let narrow = width.0.min(width.1);
        return Err(Error::invalid("width", narrow, allowed, "take a wider box or smaller grains"));
    }
    // The columns are spread over the width, so that the distances from both walls are equal.
    let (sx, sy) = (width.0 / nx, width.1 / ny);
    // The offset of a grain has a length of at most √3·`offset_max`, and two neighbours may approach each other by twice
    // that.
    let offset_max = (step - 2.0 * radius) / (2.0 * 3f64.sqrt());
    let (nx, ny) = (nx as usize, ny as usize);
    let position = |i: usize| {
        let (x, y, z) = (i % nx, i / nx % ny, i / nx / ny);
        let offset = |stream: u64| offset_max * (2.0 * uniform(seed, stream, i as u64) - 1.0);
        Vec3::new(
            sx * (x as f64 + 0.5) + offset(0),
            sy * (y as f64 + 0.5) + offset(1),
            step * (z as f64 + 0.5) + offset(2),
        )
    };
    Ok((0..count).map(position).collect())
}

/// Grains read from a file: positions (m), radii (m) if the file has them, and the line of each grain.
#[derive(Debug)]
pub(super) struct PositionList {
    pub position: Vec<Vec3>,
    pub radius: Vec<f64>,
    pub lines: Vec<usize>,
}

/// Reads positions, and radii if there is a fourth column, in multiples of `unit` (m). Columns are separated by spaces,
/// tabs, commas or semicolons. Lines that begin with # and a header line of names are skipped.
///
/// # Errors
/// When a line does not consist of three or four numbers, or there are more than `most` grains; the error names the
/// line.
pub(super) fn read(name: &str, text: &str, unit: f64, most: usize) -> Result<PositionList> {
    let (mut position, mut radius, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut width = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let cells: Vec<&str> =
            line.split([',', ' ', '\t', ';']).filter(|cell| !cell.is_empty()).collect();
        if cells.is_empty() || line.starts_with('#') {
            continue;
        }
        let numbers: Vec<f64> = cells.iter().map_while(|cell| cell.parse().ok()).collect();
        if numbers.is_empty() && position.is_empty() {
            continue;
        }
        let fits = numbers.len() == cells.len()
            && numbers.iter().all(|number| number.is_finite())
            && matches!(numbers.len(), 3 | 4)
            && width.is_none_or(|width| width == numbers.len());
        if !fits {
            return Err(Error::invalid(
                format!("line {} of `{name}`", at + 1),
                format!("`{}`", line.chars().take(60).collect::<String>()),
                "x y z, or x y z radius, and the same in all lines",
                "write one grain a line, numbers with spaces or commas between them",
            ));
        }
        if position.len() >= most {
            let line = format!("line {} of `{name}`", at + 1);
            return Err(Error::invalid(
                line,
                "one grain more",
                format!("at most {most}"),
                ADVICE_ON_TOO_MANY,
            ));
        }
        width = Some(numbers.len());
        lines.push(at + 1);
        position.push(Vec3::new(numbers[0], numbers[1], numbers[2]) * unit);
        radius.extend(numbers.get(3).map(|r| r * unit));
    }
    if position.is_empty() {
        let advice = "write one grain a line: x y z, or x y z radius";
        return Err(Error::invalid(format!("`{name}`"), "no grains", "at least one", advice));
    }
    Ok(PositionList { position, radius, lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_keeps_grains_apart_and_inside() {
        let (count, radius, width) = (700, 1e-3, (0.021, 0.017));
        let position = lattice(count, radius, width, 7).unwrap();
        assert_eq!(position.len(), count);
        for (i, a) in position.iter().enumerate() {
            assert!(a.x > radius && a.x < width.0 - radius, "{a:?}");
            assert!(a.y > radius && a.y < width.1 - radius && a.z > radius, "{a:?}");
            assert!(position[..i].iter().all(|b| (*a - *b).length() > 2.0 * radius));
        }
        assert_ne!(position, lattice(count, radius, width, 8).unwrap());
        assert!(lattice(1, radius, (1e-3, 1.0), 1).is_err());
    }

    #[test]
    fn files_of_positions_are_read_or_refused_with_their_line() {
        let read = |name: &str, text: &str, unit: f64| read(name, text, unit, 100);
        let listed = read("f", "# bed\nx,y,z\n1,2,3\n\n4 5 6\n", 1e-3).unwrap();
        assert_eq!((listed.lines, listed.radius.len()), (vec![3, 5], 0));
        assert_eq!(listed.position[1], Vec3::new(4e-3, 5e-3, 6e-3));
        assert_eq!(read("f", "1 2 3 4", 1.0).unwrap().radius, [4.0]);
        for (text, line) in [("1 2 3\n1 2", 2), ("1 2 3\n1 2 nan", 2), ("1 2 3\n1 2 3 4", 2)] {
            let sentence = read("f", text, 1.0).unwrap_err().to_string();
            assert!(sentence.contains(&format!("line {line} of `f`")), "{sentence}");
        }
        assert!(read("f", "# nothing\n", 1.0).is_err());
        let many = super::read("f", "1 2 3\n1 2 4\n1 2 5\n", 1.0, 2).unwrap_err().to_string();
        assert!(many.contains("line 3 of `f`") && many.contains("at most 2"), "{many}");
    }
}
