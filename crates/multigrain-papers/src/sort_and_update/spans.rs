//! Where the bounding box of every body begins and ends along every axis, and which of them overlap.

use multigrain::Domain;
use multigrain::grid::{ShiftRange, less_along, periods_along};
use rayon::prelude::*;

/// Lower and upper end along every axis.
pub(super) type Ends<const D: usize> = [[f64; 2]; D];

/// Lower and upper ends of all bodies. On a periodic axis an end is a place within one period, counted from the border of
/// the box, and a number of whole turns around it, so that whole periods are exact.
///
/// Each axis has arrays of its own: most boxes that pass each other along one axis are told apart by a look at the next.
#[derive(Debug, Clone)]
pub(super) struct Spans<const D: usize> {
    ends: [Vec<[f64; 2]>; D],
    /// Whole periods before each end; empty in open domains, 0 on open axes.
    turns: [Vec<[i32; 2]>; D],
}

impl<const D: usize> Default for Spans<D> {
    fn default() -> Self {
        Self { ends: std::array::from_fn(|_| Vec::new()), turns: std::array::from_fn(|_| Vec::new()) }
    }
}

/// A box put into the frame of a domain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placed<const D: usize> {
    ends: Ends<D>,
    turns: [[i32; 2]; D],
    /// Periods between the box as given and as kept, where its lower end is within the first period.
    pub wrap: [i32; D],
}

impl<const D: usize> Spans<D> {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.ends[0].len()
    }

    /// Takes the places of `count` bodies instead of what was there.
    pub fn fill(&mut self, count: usize, has_images: bool, place: impl Fn(usize) -> Placed<D>) {
        self.truncate(0);
        self.ends.iter_mut().for_each(|ends| ends.reserve(count));
        for body in (0..count).map(place) {
            for axis in 0..D {
                self.ends[axis].push(without_sign_of_zero(body.ends[axis]));
                if has_images {
                    self.turns[axis].push(body.turns[axis]);
                }
            }
        }
    }

    /// The same in an open domain, an axis on each thread.
    pub fn fill_in_parallel(&mut self, count: usize, place: impl Fn(usize) -> Placed<D> + Sync) {
        self.truncate(0);
        self.ends.par_iter_mut().enumerate().for_each(|(axis, ends)| {
            ends.extend((0..count).map(|i| without_sign_of_zero(place(i).ends[axis])));
        });
    }

    /// Keeps the first `count` bodies.
    pub fn truncate(&mut self, count: usize) {
        self.ends.iter_mut().for_each(|ends| ends.truncate(count));
        self.turns.iter_mut().for_each(|turns| turns.truncate(count));
    }

    /// Whether body `i` is kept at `place`.
    #[inline]
    pub fn is_at(&self, i: usize, place: &Placed<D>) -> bool {
        (0..D).all(|axis| self.ends[axis][i] == place.ends[axis])
            && (!self.have_turns() || (0..D).all(|axis| self.turns[axis][i] == place.turns[axis]))
    }

    /// Lower and upper ends of all bodies along `axis`.
    #[inline]
    pub fn along(&self, axis: usize) -> &[[f64; 2]] {
        &self.ends[axis]
    }

    /// Whole periods before the ends of a body along `axis`.
    #[inline]
    pub fn turns(&self, id: usize, axis: usize) -> [i32; 2] {
        self.turns[axis][id]
    }

    /// Whether turns are kept.
    #[inline]
    pub fn have_turns(&self) -> bool {
        !self.turns[0].is_empty()
    }

    /// Counts the turns of body `id` from a point `periods` further on.
    pub fn rebase(&mut self, id: usize, periods: [i32; D]) {
        for axis in 0..D {
            for turn in &mut self.turns[axis][id] {
                *turn -= periods[axis];
            }
        }
    }

    /// Whether two boxes overlap along an open axis. Boxes that touch do.
    #[inline]
    pub fn overlap_along(&self, axis: usize, i: usize, j: usize) -> bool {
        let ([a_lo, a_hi], [b_lo, b_hi]) = (self.ends[axis][i], self.ends[axis][j]);
        (a_lo <= b_hi) & (b_lo <= a_hi)
    }

    /// Whether two boxes overlap in an open domain. Boxes that touch do.
    #[inline]
    pub fn overlap(&self, i: usize, j: usize) -> bool {
        (0..D).all(|axis| self.overlap_along(axis, i, j))
    }

    /// Whether any images of two boxes overlap along an axis, whole periods away or not.
    #[inline]
    pub fn images_overlap_along(&self, axis: usize, i: usize, j: usize) -> bool {
        self.last_image(axis, i, j) + self.last_image(axis, j, i) >= 0
    }

    /// Every shift that brings an image of box `j` onto box `i`, between boxes as kept.
    #[inline]
    pub fn images(&self, i: usize, j: usize) -> ShiftRange<D> {
        let mut range = ShiftRange { first: [0; D], last: [0; D] };
        for axis in 0..D {
            range.last[axis] = self.last_image(axis, i, j);
            range.first[axis] = -self.last_image(axis, j, i);
        }
        range
    }

    /// The largest shift at which box `j` still begins before box `i` ends.
    #[inline]
    fn last_image(&self, axis: usize, i: usize, j: usize) -> i32 {
        let turns = self.turns[axis][i][1] - self.turns[axis][j][0];
        turns - i32::from(self.ends[axis][i][1] < self.ends[axis][j][0])
    }
}

/// Makes -0.0 and 0.0 the same, as the sort by bits needs it.
#[inline]
fn without_sign_of_zero(ends: [f64; 2]) -> [f64; 2] {
    ends.map(|end| end + 0.0)
}

/// The axes that boxes are put on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SpanFrame<const D: usize> {
    origin: [f64; D],
    /// Period; 0 along open axes.
    pub lengths: [f64; D],
    /// Whether any axis is periodic.
    pub has_images: bool,
}

impl<const D: usize> SpanFrame<D> {
    /// The axes of a domain.
    pub fn of(domain: &Domain<D>) -> Self {
        let lo = domain.lo();
        Self {
            origin: std::array::from_fn(|axis| if domain.is_periodic(axis) { lo[axis] } else { 0.0 }),
            lengths: domain.lengths(),
            has_images: domain.has_images(),
        }
    }

    /// Puts a box on the axes.
    #[inline]
    pub fn place(&self, ends: Ends<D>) -> Placed<D> {
        let mut placed = Placed { ends, turns: [[0; 2]; D], wrap: [0; D] };
        if !self.has_images {
            return placed;
        }
        for axis in 0..D {
            let length = self.lengths[axis];
            if length > 0.0 {
                // Rounding may put a place just outside the period; the slack in the ends covers the step back.
                let most = length.next_down();
                let [lo, hi] = ends[axis].map(|end| end - self.origin[axis]);
                let wrap = periods_along(lo, 0.0, length);
                let begin = less_along(lo, wrap, length).clamp(0.0, most);
                let rest = less_along(hi, wrap, length);
                let turn = periods_along(rest, 0.0, length).max(0);
                let mut end = less_along(rest, turn, length).clamp(0.0, most);
                if turn == 0 && end < begin {
                    end = begin;
                }
                placed.ends[axis] = [begin, end];
                placed.turns[axis] = [0, turn];
                placed.wrap[axis] = wrap;
            }
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(domain: &Domain<1>, boxes: &[[f64; 2]]) -> Spans<1> {
        let frame = SpanFrame::of(domain);
        let mut spans = Spans::default();
        spans.fill(boxes.len(), frame.has_images, |i| frame.place([boxes[i]]));
        spans
    }

    #[test]
    fn every_image_that_overlaps_is_in_the_range() {
        let domain = Domain::periodic([-1.0], [3.0]).unwrap();
        let boxes = [[0.0, 1.0], [2.0, 3.5], [-13.0, -3.0], [100.0, 100.0], [0.5, 0.75]];
        let spans = spans(&domain, &boxes);
        let frame = SpanFrame::of(&domain);
        let wraps = boxes.map(|ends| frame.place([ends]).wrap[0]);
        for i in 0..boxes.len() {
            for j in 0..boxes.len() {
                let shifts = (-60..60).filter(|&shift| {
                    let moved = boxes[j].map(|x| x + 4.0 * f64::from(shift));
                    boxes[i][0] <= moved[1] && moved[0] <= boxes[i][1]
                });
                let found: Vec<i32> = spans.images(i, j).iter().map(|[s]| s - wraps[j] + wraps[i]).collect();
                assert_eq!(found, shifts.collect::<Vec<_>>(), "{i} {j}");
            }
        }
    }

    #[test]
    fn boxes_in_open_space_overlap_where_they_touch() {
        let spans = spans(&Domain::open(), &[[0.0, 1.0], [1.0, 2.0], [1.5, 1.5], [-0.0, -0.0]]);
        assert!(spans.overlap(0, 1) && spans.overlap(1, 2) && spans.overlap(0, 3));
        assert!(!spans.overlap(0, 2) && !spans.overlap(1, 3));
    }
}
