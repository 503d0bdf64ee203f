//! One key space for the cells of all levels.

use crate::detectors::toolkit::Grid;
use crate::levels::Levels;
use crate::snapshot::Snapshot;

/// The cells of one level within the key space.
///
/// Keys run along x within a row, rows along y, planes along z. Behind every row, plane and level are cells that stay
/// empty, so that a search of neighbouring cells needs no test for the border.
#[derive(Debug, Clone)]
pub(super) struct LevelKeys<const D: usize> {
    pub grid: Grid<D>,
    /// Key of the first cell.
    pub base: u32,
    /// Distance of keys between neighbouring cells along each axis; 1 along x.
    pub strides: [u32; D],
    /// Cells along x that together are as long as a reach within the level: neighbours lie at most so many cells away.
    pub reach_cells: u32,
    /// Largest radius of a body on the level, half the margin included.
    pub max_radius: f64,
    /// One past the last key of the level.
    pub end: u32,
}

impl<const D: usize> LevelKeys<D> {
    #[inline]
    pub fn key(&self, cell: [u32; D]) -> u32 {
        let mut key = self.base + cell[0];
        for axis in 1..D {
            key += cell[axis] * self.strides[axis];
        }
        key
    }
}

/// All levels, fine to coarse, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct KeySpace<const D: usize> {
    pub levels: Vec<LevelKeys<D>>,
    /// Radii, half the margin included, up to which bodies belong to each level but the last.
    limits: Vec<f64>,
    half_margin: f64,
    /// Number of keys.
    pub len: usize,
}

impl<const D: usize> KeySpace<D> {
    /// Lays out levels for the bodies of a snapshot, with at most about `cells_per_body` cells per body in all.
    pub fn new(levels: &Levels, now: &Snapshot<'_, D>, bounds: ([f64; D], [f64; D]), plan: &Plan) -> Self {
        let half_margin = now.contact_margin() / 2.0;
        let largest = now.extent().max_radius + half_margin;
        let mut space = Self { half_margin, ..Self::default() };
        let most_cells = plan.cells_per_body * now.len() as f64 + 64.0;
        let mut base = 0u32;
        for level in levels.as_slice() {
            let max_radius = level.max_radius.min(largest);
            let size = level.cell_size.max(2.0 * max_radius) + now.rounding_slack();
            let mut sizes = [size; D];
            sizes[0] = size / f64::from(plan.columns_per_cell);
            let (lo, hi) = bounds;
            let grid = Grid::new(lo, hi, sizes, most_cells / levels.as_slice().len() as f64);
            let reach_cells = plan.columns_per_cell;
            let mut strides = [1; D];
            let mut span = grid.counts[0] + reach_cells;
            for axis in 1..D {
                strides[axis] = span;
                span *= grid.counts[axis] + 1;
            }
            let last_stride = strides[D - 1];
            base += reach_cells + 1;
            let end = base + span + last_stride + reach_cells + 1;
            space.levels.push(LevelKeys { grid, base, strides, reach_cells, max_radius, end });
            base = end;
            space.limits.push(level.max_radius);
            if max_radius == largest {
                break;
            }
        }
        space.limits.pop();
        space.len = base as usize;
        space
    }

    /// The key of the cell of a body stored at `center`.
    #[inline(always)]
    pub fn key_of(&self, center: [f64; D], radius: f64) -> u32 {
        let level = &self.levels[self.level_of(radius)];
        level.key(level.grid.cell_of(center))
    }

    #[inline(always)]
    fn level_of(&self, radius: f64) -> usize {
        let radius = radius + self.half_margin;
        if self.limits.len() <= 8 {
            self.limits.iter().map(|&limit| usize::from(radius > limit)).sum()
        } else {
            self.limits.partition_point(|&limit| limit < radius)
        }
    }
}

/// How finely the key space is cut.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Cells along x per cell of the level.
    pub columns_per_cell: u32,
    /// Most cells per body, all levels together.
    pub cells_per_body: f64,
}
