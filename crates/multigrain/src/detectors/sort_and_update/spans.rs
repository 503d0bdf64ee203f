//! Where the bounding box of every body begins and ends along every axis, and which of them overlap.

use crate::detectors::toolkit::ShiftRange;
use crate::domain::Domain;

/// Lower and upper end along every axis.
pub(super) type Ends<const D: usize> = [[f64; 2]; D];

/// Lower and upper ends of all bodies. On a periodic axis an end is a place within one period, counted from the border of
/// the box, and a number of whole turns around it, so that whole periods are exact.
#[derive(Debug, Clone, Default)]
pub(super) struct Spans<const D: usize> {
    ends: Vec<Ends<D>>,
    /// Whole periods before each end; empty in open domains, 0 on open axes.
    turns: Vec<[[i32; 2]; D]>,
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
        self.ends.len()
    }

    /// Forgets all bodies.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.turns.clear();
    }

    /// Keeps the first `count` bodies.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.turns.truncate(count);
    }

    /// Adds a body; its turns only count where the domain `has_images`.
    #[inline]
    pub fn push(&mut self, body: &Placed<D>, has_images: bool) {
        // Adding zero makes -0.0 and 0.0 the same, as the sort by bits needs it.
        self.ends.push(body.ends.map(|ends| ends.map(|end| end + 0.0)));
        if has_images {
            self.turns.push(body.turns);
        }
    }

    /// Whether body `i` is kept at `place`.
    #[inline]
    pub fn is_at(&self, i: usize, place: &Placed<D>) -> bool {
        self.ends[i] == place.ends && self.turns.get(i).is_none_or(|turns| *turns == place.turns)
    }

    /// The end of body `id` along `axis`: the lower one at `side` 0, the upper one at 1.
    #[inline]
    pub fn end(&self, id: usize, axis: usize, side: usize) -> f64 {
        self.ends[id][axis][side]
    }

    /// Whole periods before that end.
    #[inline]
    pub fn turn(&self, id: usize, axis: usize, side: usize) -> i32 {
        self.turns[id][axis][side]
    }

    /// Whether turns are kept.
    #[inline]
    pub fn have_turns(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Counts the turns of body `id` from a point `periods` further on.
    pub fn rebase(&mut self, id: usize, periods: [i32; D]) {
        for axis in 0..D {
            for turn in &mut self.turns[id][axis] {
                *turn -= periods[axis];
            }
        }
    }

    /// Whether two boxes overlap in an open domain. Boxes that touch do.
    #[inline]
    pub fn overlap(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.ends[i], &self.ends[j]);
        (0..D).all(|axis| a[axis][0] <= b[axis][1] && b[axis][0] <= a[axis][1])
    }

    /// Every shift that brings an image of box `j` onto box `i`, between boxes as kept.
    #[inline]
    pub fn images(&self, i: usize, j: usize) -> ShiftRange<D> {
        let mut range = ShiftRange { first: [0; D], last: [0; D] };
        for axis in 0..D {
            range.last[axis] = self.last_image(i, j, axis);
            range.first[axis] = -self.last_image(j, i, axis);
        }
        range
    }

    /// The largest shift at which box `j` still begins before box `i` ends.
    #[inline]
    fn last_image(&self, i: usize, j: usize, axis: usize) -> i32 {
        let turns = self.turns[i][axis][1] - self.turns[j][axis][0];
        turns - i32::from(self.ends[i][axis][1] < self.ends[j][axis][0])
    }
}

/// The axes that boxes are put on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame<const D: usize> {
    origin: [f64; D],
    /// Period; 0 along open axes.
    pub lengths: [f64; D],
    /// Whether any axis is periodic.
    pub has_images: bool,
}

impl<const D: usize> Frame<D> {
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
                let wrap = (lo / length).floor();
                let begin = (lo - wrap * length).clamp(0.0, most);
                let rest = hi - wrap * length;
                let turn = (rest / length).floor().max(0.0);
                let mut end = (rest - turn * length).clamp(0.0, most);
                if turn == 0.0 && end < begin {
                    end = begin;
                }
                placed.ends[axis] = [begin, end];
                placed.turns[axis] = [0, turn as i32];
                placed.wrap[axis] = wrap as i32;
            }
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(domain: &Domain<1>, boxes: &[[f64; 2]]) -> Spans<1> {
        let frame = Frame::of(domain);
        let mut spans = Spans::default();
        for &ends in boxes {
            spans.push(&frame.place([ends]), frame.has_images);
        }
        spans
    }

    #[test]
    fn every_image_that_overlaps_is_in_the_range() {
        let domain = Domain::periodic([-1.0], [3.0]).unwrap();
        let boxes = [[0.0, 1.0], [2.0, 3.5], [-13.0, -3.0], [100.0, 100.0], [0.5, 0.75]];
        let spans = spans(&domain, &boxes);
        let frame = Frame::of(&domain);
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
