//! Cells along one axis, at the places the papers give them: cell `floor(x / size)`, counted from the border of the box
//! on periodic axes.

use crate::domain::along::{less_along, periods_along};
use crate::limits::{MAX_CELLS_PER_AXIS, MAX_CELLS_PER_OPEN_AXIS};

/// Cells along one axis. The cell never decreases with the coordinate, so every search range found with it is right
/// whatever rounding does inside an open axis; ranges that leave a periodic box need slack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellAxis {
    origin: f64,
    size: f64,
    /// What is taken from `floor((x - origin) / size)`, so that cells count from 0.
    base: i64,
    lowest: i64,
    highest: i64,
    /// Period of the axis; 0 if it is open.
    length: f64,
}

/// First and last cell of a search, both included. On periodic axes cells beyond the box are images of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub first: i64,
    pub last: i64,
}

/// Indices beyond this belong to the border cells. Differences of two indices stay within 64 bits.
const FARTHEST: f64 = (1u64 << 61) as f64;

impl CellAxis {
    /// An open axis whose bodies may come to lie anywhere.
    ///
    /// Indices have 64 bits, so that bodies share a border cell only where cells are far finer than the distance between
    /// neighbouring floating point numbers.
    pub fn unbounded(size: f64) -> Self {
        let farthest = FARTHEST as i64;
        Self { origin: 0.0, size, base: 0, lowest: -farthest, highest: farthest, length: 0.0 }
    }

    /// An open axis for bodies within `lo..=hi`: cells of `size`, grown where there would be too many.
    pub fn open(mut size: f64, lo: f64, hi: f64) -> Self {
        loop {
            let cells = (hi / size).floor() - (lo / size).floor() + 1.0;
            if cells <= MAX_CELLS_PER_OPEN_AXIS {
                break;
            }
            size *= 1.02 * cells / MAX_CELLS_PER_OPEN_AXIS;
        }
        let mut axis = Self { lowest: 0, ..Self::unbounded(size) };
        axis.base = axis.index(lo);
        axis.highest = axis.index(hi);
        axis
    }

    /// A periodic axis: as many cells of at least `size` as fit the box, at least one, stretched to fill it. Searches may
    /// reach as many periods away as a body may lie.
    pub fn periodic(size: f64, lo: f64, length: f64) -> Self {
        Self::filled(size, lo, length, MAX_CELLS_PER_AXIS)
    }

    /// As [`periodic`](Self::periodic), for searches that reach at most this many `periods` away: it may have more cells.
    pub fn periodic_nearby(size: f64, lo: f64, length: f64, periods: f64) -> Self {
        // Rounding of a position stays below a tenth of a cell, and numbers of cells well within 64 bits.
        const MAX_CELLS: f64 = (1u64 << 44) as f64;
        Self::filled(size, lo, length, (0.25 * FARTHEST / (periods + 2.0)).min(MAX_CELLS))
    }

    fn filled(size: f64, lo: f64, length: f64, max_cells: f64) -> Self {
        let count = (length / size).min(max_cells).floor().max(1.0);
        Self { origin: lo, size: length / count, base: 0, lowest: 0, highest: count as i64 - 1, length }
    }

    /// The same axis with each cell cut into four: cell `k` becomes the cells from `4 k` to `4 k + 3`. Not for axes whose cells
    /// count from the first body on.
    pub fn quartered(self) -> Self {
        debug_assert_eq!(self.base, 0);
        let (lowest, highest) = match self.is_periodic() {
            true => (0, 4 * self.highest + 3),
            false => (self.lowest, self.highest),
        };
        Self { size: self.size / 4.0, lowest, highest, ..self }
    }

    /// Length of a cell.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Number of cells.
    pub fn count(&self) -> i64 {
        self.highest - self.lowest + 1
    }

    /// Whether cells beyond the box are images.
    #[inline]
    pub fn is_periodic(&self) -> bool {
        self.length > 0.0
    }

    /// The cell in which a body at `x` is kept.
    #[inline]
    pub fn cell_of(&self, x: f64) -> i64 {
        self.index(x).clamp(self.lowest, self.highest)
    }

    /// The cells from `from` to `to`, also those beyond the axis' own.
    #[inline]
    pub fn span(&self, from: f64, to: f64) -> Span {
        Span { first: self.index(from), last: self.index(to) }
    }

    /// The span from `from` to `to`, widened by `slack` where it comes so close to the border of a periodic box that
    /// rounding may decide on which side an image lies.
    #[inline]
    pub fn across_borders(&self, mut span: Span, from: f64, to: f64, slack: f64) -> Span {
        if self.is_periodic() {
            if from - slack < self.origin {
                span.first = self.index(from - slack);
            }
            if to + slack >= self.origin + self.length {
                span.last = self.index(to + slack);
            }
        }
        span
    }

    /// What of a span can hold bodies: everything on a periodic axis. May be empty.
    #[inline]
    pub fn clipped(&self, span: Span) -> Span {
        if self.is_periodic() {
            return span;
        }
        Span { first: span.first.max(self.lowest), last: span.last.min(self.highest) }
    }

    /// The cell that `index` stands for, and how many periods away it lies.
    #[inline]
    pub fn split(&self, index: i64) -> (i64, i32) {
        if (self.lowest..=self.highest).contains(&index) || !self.is_periodic() {
            return (index, 0);
        }
        (index.rem_euclid(self.count()), index.div_euclid(self.count()) as i32)
    }

    /// The part of a span that lies `shift` periods away, moved into the box. May be empty.
    #[inline]
    pub fn part(&self, span: Span, shift: i32) -> Span {
        let moved = if shift == 0 { 0 } else { i64::from(shift) * self.count() };
        Span { first: (span.first - moved).max(self.lowest), last: (span.last - moved).min(self.highest) }
    }

    /// How many periods a body at `x` lies from the box; 0 on an open axis.
    #[inline]
    pub fn wrap_of(&self, x: f64) -> i32 {
        if self.is_periodic() { periods_along(x, self.origin, self.length) } else { 0 }
    }

    /// Where a body at `x`, `wrap` periods from the box, is kept: inside it, up to rounding.
    #[inline]
    pub fn stored(&self, x: f64, wrap: i32) -> f64 {
        less_along(x, wrap, self.length)
    }

    /// `floor((x - origin) / size)`, counted from the first cell.
    #[inline]
    fn index(&self, x: f64) -> i64 {
        let quotient = ((x - self.origin) / self.size).clamp(-FARTHEST, FARTHEST);
        let truncated = quotient as i64;
        truncated - i64::from(truncated as f64 > quotient) - self.base
    }
}

impl Span {
    /// Number of cells.
    #[inline]
    pub fn cells(&self) -> u64 {
        (self.last - self.first + 1).max(0) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_BOXES_AWAY;

    #[test]
    fn cells_of_an_open_axis_are_those_of_the_papers() {
        let axis = CellAxis::unbounded(3.0);
        for (x, cell) in
            [(0.0, 0), (-0.0, 0), (2.9, 0), (3.0, 1), (-4e-52, -1), (-3.0, -1), (-3.1, -2), (1e18, 333333333333333312)]
        {
            assert_eq!(axis.cell_of(x), cell, "{x}");
        }
        assert_eq!(axis.span(-1.0, 7.0), Span { first: -1, last: 2 });
        assert_eq!(CellAxis::unbounded(1e-150).cell_of(1e150), 1 << 61);
    }

    #[test]
    fn cells_grow_until_their_number_fits() {
        let axis = CellAxis::open(1e-150, -1e150, 1e150);
        assert!(axis.count() > 1 << 50 && axis.count() <= 1 << 52, "{}", axis.count());
        assert_eq!((axis.cell_of(-1e150), axis.cell_of(1e150)), (0, axis.count() - 1));
        let axis = CellAxis::open(1e-6, 1e9, 1e9 + 1.0);
        assert!((999_000..1_002_000).contains(&axis.count()), "{}", axis.count());
        assert_eq!(CellAxis::periodic(1e-150, 0.0, 1.0).count(), 1 << 30);
        assert_eq!(CellAxis::periodic_nearby(1e-150, 0.0, 1.0, 1.0).count(), 1 << 44);
        let axis = CellAxis::periodic_nearby(1e-150, 0.0, 1.0, MAX_BOXES_AWAY);
        assert!(axis.count() > 1 << 29 && axis.span(0.0, MAX_BOXES_AWAY).last < FARTHEST as i64);
    }

    #[test]
    fn periodic_axes_are_filled_by_a_whole_number_of_cells() {
        let axis = CellAxis::periodic(3.0, -5.0, 10.0);
        assert_eq!((axis.count(), axis.size()), (3, 10.0 / 3.0));
        assert_eq!([-5.0, 0.0, 5.0 - 1e-9, 5.0].map(|x| axis.cell_of(x)), [0, 1, 2, 2]);
        assert_eq!(CellAxis::periodic(30.0, -5.0, 10.0).count(), 1);
        assert_eq!([-1, 0, 2, 3, 7].map(|index| axis.split(index)), [(2, -1), (0, 0), (2, 0), (0, 1), (1, 2)]);
        let span = Span { first: -4, last: 7 };
        assert_eq!(axis.part(span, -2), Span { first: 2, last: 2 });
        assert_eq!(axis.part(span, 1), Span { first: 0, last: 2 });
        assert_eq!([-5.1, -5.0, 4.9, 5.0, 25.0].map(|x| axis.wrap_of(x)), [-1, 0, 0, 1, 3]);
    }

    #[test]
    fn quarters_of_a_cell_lie_in_it() {
        for axis in [CellAxis::unbounded(0.3), CellAxis::periodic(0.3, -1.1, 7.0)] {
            let mut finer = axis;
            for depth in 1..12 {
                finer = finer.quartered();
                for k in -2000..9000 {
                    let x = f64::from(k) * 0.00077 - 1.1;
                    assert_eq!(finer.cell_of(x) >> (2 * depth), axis.cell_of(x), "{x} in {finer:?}");
                }
            }
        }
    }

    #[test]
    fn spans_widen_only_at_the_border_of_the_box() {
        let axis = CellAxis::periodic(1.0, 0.0, 10.0);
        let widened = |axis: CellAxis, from, to| axis.across_borders(axis.span(from, to), from, to, 1e-9);
        assert_eq!(widened(axis, 2.0, 3.0), Span { first: 2, last: 3 });
        assert_eq!(widened(axis, 0.0, 10.0 - 1e-12), Span { first: -1, last: 10 });
        assert_eq!(widened(CellAxis::unbounded(1.0), 0.0, 1.0), Span { first: 0, last: 1 });
    }
}
