//! Visiting the occupied cells of a box of cells, images included.

use super::cell_axis::{CellAxis, Span};
use super::images::ShiftRange;

/// Cells of one level that hold bodies, numbered from 0.
pub trait OccupiedCells<const D: usize> {
    /// How many there are.
    fn occupied(&self) -> usize;

    /// Number of the cell at that place, if it holds bodies.
    fn find(&self, cell: [i64; D]) -> Option<u32>;

    /// Place of the cell of that number.
    fn place(&self, number: usize) -> [i64; D];
}

/// Visits every occupied cell of a box of cells with its number and image shift, each image once.
///
/// Looks the cells up one by one, or walks the occupied ones where those are fewer: a box may have more cells than an
/// integer can count.
#[inline]
pub fn visit_cells<const D: usize>(
    axes: &[CellAxis; D],
    spans: [Span; D],
    level: &impl OccupiedCells<D>,
    mut visit: impl FnMut(u32, [i32; D]),
) {
    let mut cells = 1.0;
    let mut images = 1.0;
    let spans: [Span; D] = std::array::from_fn(|axis| axes[axis].clipped(spans[axis]));
    for axis in 0..D {
        let Span { first, last } = spans[axis];
        if first > last {
            return;
        }
        cells *= (last - first + 1) as f64;
        if axes[axis].is_periodic() {
            images *= f64::from(axes[axis].split(last).1 - axes[axis].split(first).1 + 1);
        }
    }
    if cells <= level.occupied() as f64 * images {
        look_up(axes, spans, level, &mut visit);
    } else {
        walk(axes, spans, level, &mut visit);
    }
}

#[inline]
fn look_up<const D: usize>(
    axes: &[CellAxis; D],
    spans: [Span; D],
    level: &impl OccupiedCells<D>,
    visit: &mut impl FnMut(u32, [i32; D]),
) {
    let first: [(i64, i32); D] = std::array::from_fn(|axis| axes[axis].split(spans[axis].first));
    let mut index = spans.map(|span| span.first);
    let mut cell = first.map(|(cell, _)| cell);
    let mut shift = first.map(|(_, shift)| shift);
    loop {
        for _ in spans[0].first..=spans[0].last {
            if let Some(number) = level.find(cell) {
                visit(number, shift);
            }
            step(&axes[0], &mut cell[0], &mut shift[0]);
        }
        (cell[0], shift[0]) = first[0];
        // On to the next row.
        let Some(axis) = (1..D).find(|&axis| index[axis] < spans[axis].last) else { return };
        index[axis] += 1;
        step(&axes[axis], &mut cell[axis], &mut shift[axis]);
        for lower in 1..axis {
            index[lower] = spans[lower].first;
            (cell[lower], shift[lower]) = first[lower];
        }
    }
}

/// On to the next cell along an axis, into the next period behind the last one.
#[inline]
fn step(axis: &CellAxis, cell: &mut i64, shift: &mut i32) {
    *cell += 1;
    if axis.is_periodic() && *cell == axis.count() {
        *cell = 0;
        *shift += 1;
    }
}

fn walk<const D: usize>(
    axes: &[CellAxis; D],
    spans: [Span; D],
    level: &impl OccupiedCells<D>,
    visit: &mut impl FnMut(u32, [i32; D]),
) {
    for number in 0..level.occupied() {
        let cell = level.place(number);
        let mut shifts = ShiftRange { first: [0; D], last: [0; D] };
        for axis in 0..D {
            (shifts.first[axis], shifts.last[axis]) = axes[axis].images_of(cell[axis], spans[axis]);
        }
        for shift in shifts.iter() {
            visit(number as u32, shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells in a plain list, that may claim to be more than they are so that they are looked up.
    struct List(Vec<[i64; 2]>, usize);

    impl OccupiedCells<2> for List {
        fn occupied(&self) -> usize {
            self.0.len().max(self.1)
        }

        fn find(&self, cell: [i64; 2]) -> Option<u32> {
            self.0.iter().position(|&other| other == cell).map(|number| number as u32)
        }

        fn place(&self, number: usize) -> [i64; 2] {
            self.0[number]
        }
    }

    fn visited(axes: [CellAxis; 2], spans: [Span; 2], level: &List) -> Vec<(u32, [i32; 2])> {
        let mut all = Vec::new();
        visit_cells(&axes, spans, level, |number, shift| all.push((number, shift)));
        all.sort_unstable();
        all
    }

    #[test]
    fn looking_up_and_walking_see_the_same_cells_and_images() {
        let axes = [CellAxis::periodic(1.0, 0.0, 3.0), CellAxis::open(1.0, 0.0, 5.0)];
        let cells = vec![[0, 0], [2, 1], [1, 5]];
        let spans = [Span { first: -2, last: 5 }, Span { first: -7, last: 4 }];
        let walked = visited(axes, spans, &List(cells.clone(), 0));
        assert_eq!(walked, visited(axes, spans, &List(cells, 1000)));
        assert_eq!(walked, [(0, [0, 0]), (0, [1, 0]), (1, [-1, 0]), (1, [0, 0]), (1, [1, 0])]);
    }

    #[test]
    fn boxes_beyond_counting_are_walked() {
        let axes = [CellAxis::unbounded(1e-3); 2];
        let spans = [Span { first: -(1 << 61), last: 1 << 61 }; 2];
        assert_eq!(visited(axes, spans, &List(vec![[5, -5], [0, 0]], 0)).len(), 2);
        let nowhere = [Span { first: 7, last: 9 }, Span { first: 0, last: 0 }];
        assert!(visited(axes, nowhere, &List(vec![[5, -5], [0, 0]], 1000)).is_empty());
    }
}
