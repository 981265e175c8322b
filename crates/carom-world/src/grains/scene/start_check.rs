//! Checks of the initial positions.
//!
//! A grain whose centre lies behind a wall, or that overlaps another grain or a wall by a large part of its radius, would be
//! ejected by a force far outside the valid range of any law. Such a position is an error in the file (most often in its
//! unit), or comes from a wall that cuts through the lattice. Files of settled beds have small overlaps, which are allowed;
//! lattices have none.

use crate::grains::bed::Bed;
use crate::grains::neighbour_list::Partner;
use crate::math::Vec3;
use carom::{Error, Result};

/// Largest allowed overlap of grains from a file, relative to the smaller radius.
const MAX_OVERLAP_IN_FILE: f64 = 0.1;
/// Largest allowed overlap of grains on a lattice, relative to the smaller radius; it allows for rounding.
const MAX_OVERLAP_ON_LATTICE: f64 = 1e-9;
/// Coordinates larger than this multiple of the width of the box suggest that the file is in another unit.
const WRONG_UNIT_RATIO: f64 = 10.0;

/// File from which positions were read.
pub(super) struct PositionFile {
    pub name: String,
    /// The line of each grain.
    pub lines: Vec<usize>,
    /// Whether the scene gives a unit for the file.
    pub unit: bool,
}

/// Checks that no grain is outside of the box, behind a wall, or inside another grain or a wall.
///
/// # Errors
/// When one is; the error names the grain or the pair, where they are, and how much they overlap.
pub(super) fn check(
    bed: &Bed,
    file: Option<&PositionFile>,
    width: Option<(f64, f64)>,
) -> Result<()> {
    let advice = advice(bed, file, width);
    let behind = |p: &Vec3| bed.walls.iter().position(|w| w.distance(*p) < 0.0);
    let outside = |p: &Vec3| {
        // Positions outside of the first cell are allowed, but not many periods away.
        let away = |x: f64, period: f64| x < -period || x > 2.0 * period;
        let (x, y) = bed.period();
        behind(p).is_some() || away(p.x, x) || away(p.y, y)
    };
    if let Some(i) = bed.position.iter().position(outside) {
        let allowed = match width {
            Some((x, y)) => format!(
                "above the floor z = 0 and in the box, 0 to {x} m along x and 0 to {y} m along y, or in front \
                 of the walls that there are"
            ),
            None => "above the floor z = 0, or in front of the walls that there are".into(),
        };
        let mut found = format_point(bed.position[i]);
        if let Some(number) = behind(&bed.position[i]) {
            found += &format!(", behind {}", describe_wall(bed, number));
        }
        let error = Error::invalid("position", found, allowed, advice);
        return Err(error.at(describe_grain(file, i)));
    }
    let most = if file.is_some() { MAX_OVERLAP_IN_FILE } else { MAX_OVERLAP_ON_LATTICE };
    let Some(Overlap { a, b, depth, relative }) = deepest_overlap(bed, most) else { return Ok(()) };
    let grain_at =
        |i: usize| format!("{} at {}", describe_grain(file, i), format_point(bed.position[i]));
    let other = match b {
        Partner::Grain(b) => grain_at(b as usize),
        Partner::Wall(number) => describe_wall(bed, number as usize),
    };
    let found = format!("{depth:.3e} m into {other}, {relative:.3} of the smaller radius");
    let allowed = match file {
        Some(_) => {
            format!("an overlap of at most {most} of the smaller radius where the run begins")
        }
        None => "no overlap where the run begins".into(),
    };
    let error = Error::invalid("position", found, allowed, advice);
    Err(error.at(grain_at(a as usize)))
}

fn describe_grain(file: Option<&PositionFile>, i: usize) -> String {
    match file {
        Some(file) => {
            let line = file.lines.get(i).copied().unwrap_or_default();
            format!("grain {i}, line {line} of `{}`", file.name)
        }
        None => format!("grain {i}"),
    }
}

fn advice(bed: &Bed, file: Option<&PositionFile>, width: Option<(f64, f64)>) -> &'static str {
    let Some(file) = file else { return "move the wall, or give positions with `file`" };
    let sizes = bed.position.iter().map(|p| p.x.abs().max(p.y.abs()).max(p.z.abs()));
    let largest = sizes.fold(0.0, f64::max);
    match width.is_some_and(|(x, y)| largest > WRONG_UNIT_RATIO * x.max(y)) && !file.unit {
        true => "numbers without a unit are metres: is unit = \"mm\" missing?",
        false => "correct the file, or the box",
    }
}

/// Describes a wall by its number, counted from 0, and its position.
fn describe_wall(bed: &Bed, number: usize) -> String {
    let wall = &bed.walls[number];
    let (point, normal) = (format_point(wall.point), wall.normal);
    format!("wall {number} (through {point}, normal ({}, {}, {}))", normal.x, normal.y, normal.z)
}

fn format_point(p: Vec3) -> String {
    format!("({}, {}, {}) m", p.x, p.y, p.z)
}

/// Two members of a pair that overlap, with grains given by id.
struct Overlap {
    a: u32,
    b: Partner,
    /// Overlap (m), and the overlap relative to the smaller radius.
    depth: f64,
    relative: f64,
}

/// Returns the pair with the largest overlap relative to its smaller radius, if that is larger than `most`.
fn deepest_overlap(bed: &Bed, most: f64) -> Option<Overlap> {
    let mut listed = bed.clone();
    listed.load();
    listed.update_neighbours();
    let overlap = |pair| {
        let (depth, _) = listed.indentation(pair);
        let (a, b) = pair.ids(&listed.order);
        let radius = bed.radius(a as usize);
        match b {
            Partner::Grain(b) => {
                let relative = depth / radius.min(bed.radius(b as usize));
                Overlap { a: a.min(b), b: Partner::Grain(a.max(b)), depth, relative }
            }
            Partner::Wall(_) => Overlap { a, b, depth, relative: depth / radius },
        }
    };
    let overlaps = listed.neighbours.pairs.iter().map(overlap);
    let too_deep = overlaps.filter(|overlap| overlap.depth > 0.0 && overlap.relative > most);
    too_deep.max_by(|one, two| one.relative.total_cmp(&two.relative))
}
