//! Whether grains of a file can begin where it says.
//!
//! A grain whose centre lies behind a wall is thrown out by a force that no law means, and two grains in one
//! place have no direction in which to push: both are mistakes of the file, most often of its unit. Grains that
//! overlap are none, a settled bed does; how much is noted when it runs.

use crate::grains::Bed;
use crate::math::Vec3;
use carom::{Error, Result};
use std::collections::HashMap;

/// Centres nearer than this share of the smallest radius are one place.
const SAME: f64 = 0.01;
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

impl Source {
    /// Refuses grains outside of the box, behind walls or in one place.
    ///
    /// # Errors
    /// Names the grain, its line, its place, and the box.
    pub fn check(&self, bed: &Bed, width: Option<(f64, f64)>) -> Result<()> {
        let advice = self.advice(bed, width);
        let outside = |p: &Vec3| {
            let behind = bed.walls.iter().any(|w| (*p - w.point).dot(w.normal) < 0.0);
            // A period may begin anywhere, but not be many periods away.
            let away = |x: f64, period: f64| x < -period || x > 2.0 * period;
            behind || away(p.x, bed.period.0) || away(p.y, bed.period.1)
        };
        if let Some(i) = bed.position.iter().position(outside) {
            let allowed = match width {
                Some((x, y)) => format!(
                    "above the floor z = 0 and in the box, 0 to {x} m along x and 0 to {y} m along y, or in front \
                     of the walls that there are"
                ),
                None => "above the floor z = 0, or in front of the walls that there are".into(),
            };
            let error = Error::invalid("position", place(bed.position[i]), allowed, advice);
            return Err(error.at(self.grain(i)));
        }
        if let Some((a, b)) = coincident(bed) {
            let allowed = format!("another place than that of {}", self.grain(a));
            let error = Error::invalid("position", place(bed.position[b]), allowed, advice);
            return Err(error.at(self.grain(b)));
        }
        Ok(())
    }

    fn grain(&self, i: usize) -> String {
        let line = self.lines.get(i).copied().unwrap_or_default();
        format!("grain {i}, line {line} of `{}`", self.name)
    }

    fn advice(&self, bed: &Bed, width: Option<(f64, f64)>) -> &'static str {
        let sizes = bed.position.iter().map(|p| p.x.abs().max(p.y.abs()).max(p.z.abs()));
        let largest = sizes.fold(0.0, f64::max);
        match width.is_some_and(|(x, y)| largest > FAR * x.max(y)) && !self.unit {
            true => "numbers without a unit are metres: is unit = \"mm\" missing?",
            false => "correct the file, or the box",
        }
    }
}

fn place(p: Vec3) -> String {
    format!("({}, {}, {}) m", p.x, p.y, p.z)
}

/// Two grains in one place: a table of cells as wide as the smallest grain's radius, of which a grain looks into
/// those that [`SAME`] reaches, nearly always its own.
fn coincident(bed: &Bed) -> Option<(usize, usize)> {
    let cell = bed.radius.iter().copied().fold(f64::INFINITY, f64::min);
    let near = SAME * cell;
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (i, p) in bed.position.iter().enumerate() {
        let at = |by: f64| [p.x, p.y, p.z].map(|x| ((x + by) / cell).floor() as i64);
        let (low, high) = (at(-near), at(near));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let known = cells.get(&[x, y, z]).into_iter().flatten();
                    let mut known = known.copied();
                    if let Some(j) = known.find(|&j| (bed.position[j] - *p).length() <= near) {
                        return Some((j, i));
                    }
                }
            }
        }
        cells.entry(at(0.0)).or_default().push(i);
    }
    None
}
