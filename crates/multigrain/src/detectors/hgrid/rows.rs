//! Which ranges of the sorted bodies a search looks at. A row of cells is one contiguous range: one look-up.

use super::index::Index;
use super::kernel::{Kernel, LANES};
use super::keys::LevelGrid;
use super::schedule::Window;
use std::ops::{Range, RangeInclusive};

/// Takes the ranges of bodies that a search must test.
pub(super) trait RangeVisitor {
    fn range(&mut self, bodies: Range<usize>);
}

/// Takes the rows that a search must look at, before their bodies are looked up.
pub(super) trait RowVisitor {
    /// Takes those of the rows whose bit is set in `wanted`.
    fn rows(&mut self, rows: &Rows, wanted: u32);
}

/// A row of cells as the index looks it up: the key before that of its first cell, and the key of its last.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row(pub u32, pub u32);

/// Some rows, as [`Row`] has one.
pub(super) struct Rows(pub [u32; LANES], pub [u32; LANES]);

impl Rows {
    /// Those whose bit is set in `wanted`.
    pub fn wanted(&self, wanted: u32) -> impl Iterator<Item = Row> {
        (0..LANES).filter(move |lane| wanted >> lane & 1 == 1).map(|lane| Row(self.0[lane], self.1[lane]))
    }
}

/// Geometry of one level's cells in the precision of the columns.
#[derive(Debug, Clone)]
pub(super) struct LevelRows<const D: usize> {
    /// Lower corner of the grid, relative to the origin of the columns.
    lo: [f32; D],
    sizes: [f32; D],
    inverse: [f32; D],
    /// The middle of the last cell, in cells.
    top: [f32; D],
    counts: [f64; D],
}

impl<const D: usize> LevelRows<D> {
    pub fn new(level: &LevelGrid<D>, origin: [f64; D]) -> Self {
        let (lo, _) = level.grid.bounds();
        Self {
            lo: std::array::from_fn(|axis| (lo[axis] - origin[axis]) as f32),
            sizes: level.grid.sizes.map(|size| size as f32),
            inverse: level.grid.sizes.map(|size| (1.0 / size) as f32),
            top: level.grid.counts.map(|count| (f64::from(count) - 0.5) as f32),
            counts: level.grid.counts.map(f64::from),
        }
    }

    /// From where to where a window lies along each axis, and a little farther, so that no row of it is missed by rounding.
    /// Rows at the border hold all that lies beyond, too.
    pub fn edges(&self, window: Window) -> ([f32; D], [f32; D]) {
        let (mut lo, mut hi) = ([f32::NEG_INFINITY; D], [f32::INFINITY; D]);
        for axis in 1..D {
            let (first, last) = (window.first[axis - 1], window.last[axis - 1]);
            let slack = self.sizes[axis] / 16.0;
            let edge = |cell: u32| self.lo[axis] + from_cell(cell) * self.sizes[axis];
            if first > 0 {
                lo[axis] = edge(first) - slack;
            }
            if f64::from(last) + 1.0 < self.counts[axis] {
                hi[axis] = edge(last + 1) + slack;
            }
        }
        (lo, hi)
    }

    /// Visits all rows of the level in a window that a probe may touch, each clipped to the probe.
    #[inline(always)]
    pub fn visit_within<K: Kernel<D>, V: RowVisitor>(
        &self,
        index: &Index<'_, D>,
        window: Window,
        probe: Probe<D>,
        visitor: &mut V,
    ) {
        let Probe { position, reach, .. } = probe;
        let outer = D - 1;
        let planes = if D == 3 { self.cells(outer, position[outer], reach) } else { 0..=0 };
        let planes = window.clip(1, planes);
        let rows = window.clip(0, self.cells(1, position[1], reach));
        let width = rows.clone().count();
        // As many rows and planes at once as there are lanes; most spheres touch few.
        let across = width.min(LANES);
        let Some(shape) = SHAPES.get(across) else { return };
        for plane in planes.clone().step_by(shape.planes_at_once) {
            let planes_left = (*planes.end() - plane) as usize + 1;
            for row in rows.clone().step_by(across.max(1)) {
                let rows_left = (*rows.end() - row) as usize + 1;
                let mut cells = [[0; LANES]; D];
                cells[outer] = lanes(|lane| (plane + shape.planes[lane]).min(*planes.end()));
                cells[1] = lanes(|lane| (row + shape.rows[lane]).min(*rows.end()));
                let inside = across.min(rows_left) * shape.planes_at_once.min(planes_left);
                self.visit_lanes::<K, V>(index, probe, cells, inside, visitor);
            }
        }
    }

    /// Visits as many rows as there are lanes, as far as the probe may touch them; only the first `inside` count. All are
    /// clipped at once, without a branch.
    #[inline(always)]
    fn visit_lanes<K: Kernel<D>, V: RowVisitor>(
        &self,
        index: &Index<'_, D>,
        Probe { h, position, reach }: Probe<D>,
        cells: [[u32; LANES]; D],
        inside: usize,
        visitor: &mut V,
    ) {
        // By how much the square of the distance to the row exceeds that of the reach.
        let excess: [f32; LANES] = lanes(|lane| {
            let gaps = (1..D).fold(0.0, |sum, axis| {
                let gap = self.gap(axis, cells[axis][lane], position[axis]);
                sum + gap * gap
            });
            gaps - reach * reach
        });
        let half_widths: [f32; LANES] = lanes(|lane| (if excess[lane] < 0.0 { -excess[lane] } else { 0.0 }).sqrt());
        let firsts = lanes(|lane| self.cell(0, position[0] - half_widths[lane]));
        let lasts = lanes(|lane| self.cell(0, position[0] + half_widths[lane]));
        let wanted = K::lanes_left(K::negative(K::load(excess)), inside);
        visitor.rows(&index.rows(h, cells, firsts, lasts), wanted);
    }

    /// First and last cell along `axis` within `half_width` of `x`.
    #[inline(always)]
    fn cells(&self, axis: usize, x: f32, half_width: f32) -> RangeInclusive<u32> {
        self.cell(axis, x - half_width)..=self.cell(axis, x + half_width)
    }

    /// The cell along `axis` that holds `x`, or the nearest one.
    #[inline(always)]
    fn cell(&self, axis: usize, x: f32) -> u32 {
        let position = (x - self.lo[axis]) * self.inverse[axis];
        let top = self.top[axis];
        let position = if position < top { position } else { top };
        to_cell(if position > 0.0 { position } else { 0.0 })
    }

    /// Distance along `axis` from `x` to the cells number `cell`.
    #[inline(always)]
    fn gap(&self, axis: usize, cell: u32, x: f32) -> f32 {
        let below = self.lo[axis] + from_cell(cell) * self.sizes[axis] - x;
        let above = -(below + self.sizes[axis]);
        let gap = if below > above { below } else { above };
        if gap > 0.0 { gap } else { 0.0 }
    }
}

/// What is searched: level `h`, around a place.
#[derive(Clone, Copy)]
pub(super) struct Probe<const D: usize> {
    pub h: usize,
    pub position: [f32; D],
    /// How far, slack for rounding included.
    pub reach: f32,
}

/// Where each lane looks, as rows and planes behind the first ones.
struct Shape {
    rows: [u32; LANES],
    planes: [u32; LANES],
    planes_at_once: usize,
}

/// The shape where this many rows are looked at across: as many planes as fit are looked at together.
static SHAPES: [Shape; LANES + 1] = {
    let mut shapes = [const { Shape { rows: [0; LANES], planes: [0; LANES], planes_at_once: LANES } }; LANES + 1];
    let mut across = 1;
    while across <= LANES {
        shapes[across].planes_at_once = LANES / across;
        let mut lane = 0;
        while lane < LANES {
            shapes[across].rows[lane] = (lane % across) as u32;
            shapes[across].planes[lane] = (lane / across) as u32;
            lane += 1;
        }
        across += 1;
    }
    shapes
};

/// Rounded down, of a value that is not negative and below 2^22, more than there are cells along an axis; a whole number may
/// give the one before. Adding a large number leaves the whole part in the low bits: no slow conversion.
#[inline(always)]
fn to_cell(value: f32) -> u32 {
    const WHOLE: f32 = 1.5 * (1u32 << 23) as f32;
    ((value - 0.5) + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits())
}

/// The number of a cell as a coordinate; signed numbers are converted faster.
#[inline(always)]
fn from_cell(cell: u32) -> f32 {
    cell as i32 as f32
}

/// A value for each lane. A plain loop, which is inlined and vectorised wherever it is used; `from_fn` is not always.
#[inline(always)]
pub(super) fn lanes<T: Copy + Default>(value: impl Fn(usize) -> T) -> [T; LANES] {
    let mut lanes = [T::default(); LANES];
    for (lane, place) in lanes.iter_mut().enumerate() {
        *place = value(lane);
    }
    lanes
}
