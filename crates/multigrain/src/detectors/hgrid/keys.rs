//! Levels laid out over the bodies, and one key space for the cells of all of them.

use crate::grid::{DenseCells, Grid};
use crate::levels::Levels;
use crate::snapshot::Snapshot;

/// Limits of levels that are compared all at once.
const FEW: usize = 4;

/// The levels laid out over the bodies of one snapshot.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelGrid<const D: usize> {
    pub grid: Grid<D>,
    /// Cells along x that together are as long as a cell of the level: bodies of the level that touch lie at most so
    /// many cells apart.
    pub reach_cells: u32,
    /// Largest radius of a body on the level, half the margin included.
    pub max_radius: f64,
    /// Size of the level's cells along the last axis, as asked for.
    pub asked_size: f64,
    /// Bound on the error of a difference of stored coordinates.
    pub blur: f64,
    /// The margin, in the units of the columns.
    pub margin: f64,
}

impl<const D: usize> LevelGrid<D> {
    /// Distance, beyond its own radius, within which a body may touch bodies of the level.
    pub fn reach_beyond(&self) -> f64 {
        self.max_radius + self.margin / 2.0
    }
}

/// All levels that bodies of a snapshot can be on, fine to coarse.
#[derive(Debug, Clone, Default)]
pub(super) struct LevelGrids<const D: usize> {
    pub list: Vec<LevelGrid<D>>,
    /// Radii, half the margin included, up to which bodies belong to each level but the last.
    limits: Vec<f64>,
    /// The first few of them, filled up with infinity: levels are told without a branch where these suffice.
    first_limits: [f64; FEW],
    half_margin: f64,
}

impl<const D: usize> LevelGrids<D> {
    /// Lays out levels over `bounds`. Bodies too large for every level make the coarsest one grow. Cells grow until there
    /// are few enough for an array of all cells.
    pub fn lay_out(&mut self, levels: &Levels, now: &Snapshot<'_, D>, bounds: ([f64; D], [f64; D]), blur: f64) {
        let half_margin = now.margin() / 2.0;
        let largest = now.extent().max_radius + half_margin;
        let grids = self;
        grids.half_margin = half_margin;
        grids.list.clear();
        grids.limits.clear();
        let mut cells = DenseCells::new(now.len() as f64);
        let ((lo, hi), slack) = (bounds, now.image_slack());
        let levels = levels.as_slice();
        for (k, level) in levels.iter().enumerate() {
            let max_radius = if k + 1 == levels.len() { largest } else { level.max_radius.min(largest) };
            let size = level.cell_size.max(2.0 * max_radius);
            let sizes = slack.map(|slack| size + slack);
            let (grid, reach_cells) = cells.next(lo, hi, sizes);
            let margin = now.margin();
            grids.list.push(LevelGrid { grid, reach_cells, max_radius, asked_size: sizes[D - 1], blur, margin });
            grids.limits.push(level.max_radius);
            if max_radius == largest {
                break;
            }
        }
        grids.limits.pop();
        grids.first_limits = std::array::from_fn(|k| grids.limits.get(k).copied().unwrap_or(f64::INFINITY));
    }

    /// Whether a body is on a coarser level than the finest.
    #[inline(always)]
    pub fn is_coarser(&self, radius: f64) -> bool {
        radius + self.half_margin > self.first_limits[0]
    }

    /// The level of a body.
    #[inline(always)]
    pub fn level_of(&self, radius: f64) -> usize {
        let radius = radius + self.half_margin;
        if self.limits.len() <= FEW {
            self.first_limits.iter().map(|&limit| u32::from(radius > limit)).sum::<u32>() as usize
        } else {
            self.limits.partition_point(|&limit| limit < radius)
        }
    }
}

/// The cells of one level within the key space.
///
/// Keys run along x within a row, rows along y, planes along z. Behind every row, plane and level are cells that stay
/// empty, so that a search of neighbouring cells needs no test for the border.
#[derive(Debug, Clone, Copy)]
pub(super) struct LevelKeys<const D: usize> {
    pub grid: Grid<D>,
    /// Key of the first cell.
    pub base: u32,
    /// Distance of keys between neighbouring cells along each axis; 1 along x.
    pub strides: [u32; D],
    /// One past the last key of the level.
    pub end: u32,
}

impl<const D: usize> LevelKeys<D> {
    /// Keys from `first` on for all cells of a grid, if they fit 32 bits; bodies that touch lie at most `reach_cells` apart
    /// along x.
    pub fn new(grid: &Grid<D>, reach_cells: u32, first: u32) -> Option<Self> {
        let mut strides = [1; D];
        let mut span = grid.counts[0].checked_add(reach_cells)?;
        for axis in 1..D {
            strides[axis] = span;
            span = span.checked_mul(grid.counts[axis] + 1)?;
        }
        let base = first.checked_add(reach_cells + 1)?;
        let end = base.checked_add(span)?.checked_add(strides[D - 1])?.checked_add(reach_cells + 1)?;
        Some(Self { grid: *grid, base, strides, end })
    }

    /// The key of the cell that holds `center`.
    #[inline(always)]
    pub fn key_of(&self, center: [f64; D]) -> u32 {
        let cell = self.grid.cell_of(center);
        let mut key = self.base + cell[0];
        for axis in 1..D {
            key += cell[axis] * self.strides[axis];
        }
        key
    }
}

/// The keys of all levels, one level after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct KeySpace<const D: usize> {
    pub levels: Vec<LevelKeys<D>>,
    /// Number of keys.
    pub len: usize,
}

impl<const D: usize> KeySpace<D> {
    /// Gives keys to all cells of all levels; `false` if they do not fit 32 bits.
    pub fn fill(&mut self, grids: &LevelGrids<D>) -> bool {
        let mut base = 0u32;
        self.levels.clear();
        for LevelGrid { grid, reach_cells, .. } in &grids.list {
            let Some(level) = LevelKeys::new(grid, *reach_cells, base) else { return false };
            base = level.end;
            self.levels.push(level);
        }
        self.len = base as usize;
        true
    }

    /// Rows that hold bodies, by where the bodies of each key end.
    pub fn occupied_rows(&self, ends: &[u32]) -> usize {
        let mut occupied = 0;
        for level in &self.levels {
            let counts = level.grid.counts;
            let planes = if D == 3 { counts[D - 1] } else { 1 };
            for plane in 0..planes {
                for row in 0..counts[1] {
                    let key =
                        level.base + row * level.strides[1] + if D == 3 { plane * level.strides[D - 1] } else { 0 };
                    occupied += usize::from(ends[(key + counts[0] - 1) as usize] > ends[key as usize - 1]);
                }
            }
        }
        occupied
    }
}
