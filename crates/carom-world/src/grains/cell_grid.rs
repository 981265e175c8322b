//! Grid of cells that is used to find neighbours. A cell is at least as wide as the largest distance of the centres of two
//! neighbours, so all neighbours of a grain are in its own cell or in the adjacent ones.

use super::boundary::PeriodicImages;
use super::cell_order::Sphere;
use crate::math::Vec3;

/// Largest number of cells along one direction: more cells would only use memory.
const MAX_CELLS_ALONG: f64 = 512.0;
/// Number of cells along an edge of a brick, a block of cells with consecutive indices. A chunk of grains fills a few
/// bricks.
const BRICK_EDGE: usize = 4;

/// A grid of cells over all grains.
pub(super) struct CellGrid {
    low: Vec3,
    width: Vec3,
    cells: [usize; 3],
    /// Whether, along x and y, the cells at one end are adjacent to those at the other end.
    periodic: [bool; 2],
    /// Numbers of cells along the edges of a brick.
    brick: [usize; 3],
}

impl CellGrid {
    /// Creates a grid of cells no narrower than `reach` (m). Returns nothing if there are no grains.
    pub fn new(spheres: &[Sphere], images: &PeriodicImages, reach: f64) -> Option<Self> {
        let first = spheres.first()?.centre;
        let (mut low, mut high) = (first, first);
        for p in spheres.iter().map(|sphere| sphere.centre) {
            (low, high) = (low.min(p), high.max(p));
        }
        let (x, y) = images.period;
        let periodic = [x.is_finite(), y.is_finite()];
        if periodic[0] {
            (low.x, high.x) = (0.0, x);
        }
        if periodic[1] {
            (low.y, high.y) = (0.0, y);
        }
        let size = high - low;
        let count = |length: f64| (length / reach).floor().clamp(1.0, MAX_CELLS_ALONG);
        let mut cells = [count(size.x), count(size.y), count(size.z)];
        // If a grain has flown away, cells are widened, so that memory stays proportional to the number of grains.
        let most = 1024.0 + 8.0 * spheres.len() as f64;
        while cells.iter().product::<f64>() > most {
            let largest = cells.iter_mut().max_by(|a, b| a.total_cmp(b));
            let Some(largest) = largest else { break };
            *largest = (0.5 * *largest).ceil();
        }
        let width = |length: f64, count: f64| (length / count).max(f64::MIN_POSITIVE);
        let [x, y, z] = cells;
        Some(Self {
            low,
            width: Vec3::new(width(size.x, x), width(size.y, y), width(size.z, z)),
            cells: cells.map(|c| c as usize),
            periodic,
            brick: cells.map(|c| BRICK_EDGE.min(c as usize)),
        })
    }

    /// Returns the numbers of bricks along the three directions; the last bricks may extend beyond the grid.
    fn bricks(&self) -> [usize; 3] {
        std::array::from_fn(|axis| self.cells[axis].div_ceil(self.brick[axis]))
    }

    /// Returns one more than the largest index of a cell.
    pub fn count(&self) -> usize {
        self.bricks().iter().chain(&self.brick).product()
    }

    /// Returns the cell that contains a point; points outside of the grid belong to the nearest cell.
    pub fn cell(&self, p: Vec3) -> [usize; 3] {
        let along = |x: f64, low: f64, width: f64, count: usize| {
            (((x - low) / width).max(0.0) as usize).min(count - 1)
        };
        [
            along(p.x, self.low.x, self.width.x, self.cells[0]),
            along(p.y, self.low.y, self.width.y, self.cells[1]),
            along(p.z, self.low.z, self.width.z, self.cells[2]),
        ]
    }

    /// Returns the index of a cell. Cells are numbered brick by brick, so that cells that are close in space along any
    /// direction are close in memory.
    pub fn index(&self, cell: [usize; 3]) -> usize {
        let flat = |[x, y, z]: [usize; 3], [nx, ny, _]: [usize; 3]| (z * ny + y) * nx + x;
        let brick = std::array::from_fn(|axis| cell[axis] / self.brick[axis]);
        let within = std::array::from_fn(|axis| cell[axis] % self.brick[axis]);
        let size: usize = self.brick.iter().product();
        flat(brick, self.bricks()) * size + flat(within, self.brick)
    }

    /// Calls `visit` once with the index of the cell and of each adjacent cell.
    pub fn visit_around(&self, cell: [usize; 3], mut visit: impl FnMut(usize)) {
        let periodic = [self.periodic[0], self.periodic[1], false];
        let near = |axis: usize| {
            let (count, at) = (self.cells[axis], cell[axis]);
            // With three cells or fewer in a period, all of them are adjacent to each other.
            let (low, high) = match periodic[axis] {
                true if count <= 3 => (0, count as isize - 1),
                true => (at as isize - 1, at as isize + 1),
                false => ((at as isize - 1).max(0), (at as isize + 1).min(count as isize - 1)),
            };
            (low..=high).map(move |i| i.rem_euclid(count as isize) as usize)
        };
        for z in near(2) {
            for y in near(1) {
                for x in near(0) {
                    visit(self.index([x, y, z]));
                }
            }
        }
    }
}
