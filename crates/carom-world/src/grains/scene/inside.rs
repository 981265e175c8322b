//! Whether grains can begin where they are.
//!
//! A grain whose centre lies behind a wall, or that overlaps another or a wall by a good part of its radius, is thrown out by
//! a force that no law means. It is a mistake of the file (most often of its unit), or of a wall that cuts through the
//! lattice. A settled bed overlaps a little, so files may; grains that carom places itself must not.

use crate::grains::{Bed, WALL};
use crate::math::Vec3;
use carom::{Error, Result};

/// Largest overlap of grains of a file, as a share of the smaller radius, and of grains on a lattice, where it is rounding.
const MOST_OVERLAP: (f64, f64) = (0.1, 1e-9);
/// Numbers so many times the width of the box are of another unit.
const FAR: f64 = 10.0;

/// A file of grains.
pub(super) struct Source {
    pub name: String,
    /// The line of each grain.
    pub lines: Vec<usize>,
    /// Whether a unit was said.
    pub unit: bool,
}

/// Refuses grains outside of the box, behind walls, or inside each other or a wall.
///
/// # Errors
/// Names the grain or the pair, where they are, and how much they overlap.
pub(super) fn check(bed: &Bed, source: Option<&Source>, width: Option<(f64, f64)>) -> Result<()> {
    let advice = advice(bed, source, width);
    let behind = |p: &Vec3| bed.walls.iter().position(|w| (*p - w.point).dot(w.normal) < 0.0);
    let outside = |p: &Vec3| {
        // A period may begin anywhere, but not be many periods away.
        let away = |x: f64, period: f64| x < -period || x > 2.0 * period;
        behind(p).is_some() || away(p.x, bed.period.0) || away(p.y, bed.period.1)
    };
    if let Some(i) = bed.position.iter().position(outside) {
        let allowed = match width {
            Some((x, y)) => format!(
                "above the floor z = 0 and in the box, 0 to {x} m along x and 0 to {y} m along y, or in front \
                 of the walls that there are"
            ),
            None => "above the floor z = 0, or in front of the walls that there are".into(),
        };
        let mut found = place(bed.position[i]);
        if let Some(number) = behind(&bed.position[i]) {
            found += &format!(", behind {}", wall(bed, number));
        }
        let error = Error::invalid("position", found, allowed, advice);
        return Err(error.at(grain(source, i)));
    }
    let most = if source.is_some() { MOST_OVERLAP.0 } else { MOST_OVERLAP.1 };
    let Some((a, b, depth)) = deepest(bed, most) else { return Ok(()) };
    let other = match b & WALL == 0 {
        true => format!("{} at {}", grain(source, b as usize), place(bed.position[b as usize])),
        false => wall(bed, (b & !WALL) as usize),
    };
    let found = format!(
        "{depth:.3e} m into {other}, {:.3} of the smaller radius",
        depth / bed.smaller(a, b)
    );
    let allowed = match source {
        Some(_) => {
            format!("an overlap of at most {most} of the smaller radius where the run begins")
        }
        None => "no overlap where the run begins".into(),
    };
    let error = Error::invalid("position", found, allowed, advice);
    Err(error.at(format!("{} at {}", grain(source, a as usize), place(bed.position[a as usize]))))
}

fn grain(source: Option<&Source>, i: usize) -> String {
    match source {
        Some(source) => {
            let line = source.lines.get(i).copied().unwrap_or_default();
            format!("grain {i}, line {line} of `{}`", source.name)
        }
        None => format!("grain {i}"),
    }
}

fn advice(bed: &Bed, source: Option<&Source>, width: Option<(f64, f64)>) -> &'static str {
    let Some(source) = source else { return "move the wall, or give positions with `file`" };
    let sizes = bed.position.iter().map(|p| p.x.abs().max(p.y.abs()).max(p.z.abs()));
    let largest = sizes.fold(0.0, f64::max);
    match width.is_some_and(|(x, y)| largest > FAR * x.max(y)) && !source.unit {
        true => "numbers without a unit are metres: is unit = \"mm\" missing?",
        false => "correct the file, or the box",
    }
}

/// A wall by its number, from 0, and where it is.
fn wall(bed: &Bed, number: usize) -> String {
    let wall = &bed.walls[number];
    let (point, normal) = (place(wall.point), wall.normal);
    format!("wall {number} (through {point}, normal ({}, {}, {}))", normal.x, normal.y, normal.z)
}

fn place(p: Vec3) -> String {
    format!("({}, {}, {}) m", p.x, p.y, p.z)
}

/// The pair that overlaps most, as a share of its smaller radius and by more than `most`, and its overlap (m).
fn deepest(bed: &Bed, most: f64) -> Option<(u32, u32, f64)> {
    let mut listed = bed.clone();
    let pairs = listed.overlaps();
    let share = |&(a, b, depth): &(u32, u32, f64)| depth / bed.smaller(a, b);
    let too_deep = pairs.into_iter().filter(|pair| share(pair) > most);
    too_deep.max_by(|one, two| share(one).total_cmp(&share(two)))
}
