//! The search of one block of bodies, cell by cell.

use super::map::{Body, CellMap, LevelCells, LevelMap, stencil_cells, stencil_step};
use crate::detector::Direction;
use crate::detectors::toolkit::{Batch, Span, visit_cells};
use crate::overlap::{contact_vector, reach, touches};
use crate::pairs::is_positive;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::work::Work;
use std::ops::Range;

/// Searches the partners of bodies one after the other, in the order of their slots.
pub(super) struct BlockSearch<'a, const D: usize> {
    map: &'a CellMap<D>,
    direction: Direction,
    margin: f64,
    lengths: [f64; D],
    /// Occupied neighbours of the current cell that its bodies search.
    neighbors: Vec<Neighbor<D>>,
    batch: Batch<D>,
    work: Work,
}

/// An occupied cell next to another, `shift` periods away.
#[derive(Clone, Copy)]
struct Neighbor<const D: usize> {
    cell: u32,
    shift: [i32; D],
}

/// A body that searches.
struct Searcher<const D: usize> {
    id: u32,
    /// As given, and as stored.
    center: [f64; D],
    stored: [f64; D],
    radius: f64,
}

impl<'a, const D: usize> BlockSearch<'a, D> {
    pub fn new(map: &'a CellMap<D>, now: &Snapshot<'_, D>, direction: Direction) -> Self {
        Self {
            map,
            direction,
            margin: now.contact_margin(),
            lengths: now.domain().lengths(),
            neighbors: Vec::new(),
            batch: Batch::new(map.images.are_periodic()),
            work: Work::default(),
        }
    }

    /// Searches for the bodies in `slots`.
    pub fn search<S: PairSink<D>>(mut self, slots: Range<usize>, sink: &mut S) {
        let map = self.map;
        let occupied = map.cells.len() - 1;
        let mut cell = map.cells[..occupied].partition_point(|cell| cell.start as usize <= slots.start) - 1;
        let mut slot = slots.start;
        while slot < slots.end {
            let level = map.levels.partition_point(|level| level.cells.end as usize <= cell);
            let end = map.cells[cell + 1].start as usize;
            self.find_neighbors(level, cell);
            for slot in slot..end.min(slots.end) {
                self.search_from(level, cell, slot, end, sink);
            }
            slot = end;
            cell += 1;
        }
        self.batch.flush(sink);
        sink.candidates(self.work.candidates);
        sink.cells(self.work.cells);
    }

    /// All partners of the body in `slot`, in `cell` of `level`, whose bodies end at `end`.
    #[inline]
    fn search_from<S: PairSink<D>>(&mut self, level: usize, cell: usize, slot: usize, end: usize, sink: &mut S) {
        let map = self.map;
        let Body { center, radius, id } = map.bodies[slot];
        let body = Searcher { id, center, stored: map.images.stored_center(id as usize, center), radius };
        self.work.cells += 1 + stencil_cells::<D>() / 2;
        self.test(&body, slot + 1..end, [0; D], sink);
        for k in 0..self.neighbors.len() {
            let Neighbor { cell, shift } = self.neighbors[k];
            self.test(&body, map.bodies_of(cell), shift, sink);
        }
        let reach = reach(body.radius, map.levels[level].largest, self.margin);
        if reach > map.levels[level].stencil_reach {
            self.search_beyond_stencil(&body, level, cell, reach, sink);
        }
        for partner in self.direction.partners(level, map.levels.len()) {
            self.search_level(&body, partner, sink);
        }
    }

    /// Collects the occupied neighbours of a cell: in the box those behind it, so that their bodies need not search it;
    /// beyond periodic borders, for the same reason, those with a positive shift.
    fn find_neighbors(&mut self, level: usize, cell: usize) {
        let map = self.map;
        self.neighbors.clear();
        let axes = &map.levels[level].axes;
        let home = map.cells[cell].place.map(i64::from);
        if (0..D).all(|axis| home[axis] > 0 && home[axis] < axes[axis].count() - 1) {
            self.neighbors.extend(map.forward.iter().filter_map(|step| {
                let cell = map.find(level, std::array::from_fn(|axis| home[axis] + step[axis]))?;
                Some(Neighbor { cell, shift: [0; D] })
            }));
            return;
        }
        let middle = stencil_cells::<D>() / 2;
        for number in (0..stencil_cells::<D>()).filter(|&number| number != middle) {
            let step = stencil_step::<D>(number);
            let along: [i64; D] = std::array::from_fn(|axis| home[axis] + step[axis]);
            if (0..D).any(|axis| !axes[axis].has(along[axis])) {
                continue;
            }
            let place = std::array::from_fn(|axis| axes[axis].split(along[axis]).0);
            let shift = std::array::from_fn(|axis| axes[axis].split(along[axis]).1);
            if if shift == [0; D] { number > middle } else { is_positive(shift) } {
                self.neighbors.extend(map.find(level, place).map(|cell| Neighbor { cell, shift }));
            }
        }
    }

    /// Partners on the same level beyond the neighbouring cells: where rounding puts a reach of a whole cell two cells
    /// away, and where a periodic box is smaller than the bodies.
    #[cold]
    fn search_beyond_stencil<S: PairSink<D>>(
        &mut self,
        body: &Searcher<D>,
        level: usize,
        cell: usize,
        reach: f64,
        sink: &mut S,
    ) {
        let map = self.map;
        let axes = &map.levels[level].axes;
        let home = map.cells[cell].place.map(i64::from);
        let spans: [Span; D] = std::array::from_fn(|axis| {
            let span = self.span_of(&map.levels[level], axis, body.stored[axis], reach).1;
            Span { first: span.first.min(home[axis] - 1), last: span.last.max(home[axis] + 1) }
        });
        if (0..D).all(|axis| spans[axis] == Span { first: home[axis] - 1, last: home[axis] + 1 }) {
            return;
        }
        let cells = LevelCells { map, level };
        visit_cells(axes, spans, &cells, |found, shift| {
            let found = cells.first() + found;
            let mut offset = [0; D];
            for axis in 0..D {
                let along =
                    i64::from(map.cells[found as usize].place[axis]) + i64::from(shift[axis]) * axes[axis].count();
                offset[axis] = along - home[axis];
            }
            let behind = offset.iter().rev().find(|&&step| step != 0).is_some_and(|&step| step > 0);
            let is_mine = if shift == [0; D] { behind } else { is_positive(shift) };
            if is_mine && offset.iter().any(|step| step.abs() > 1) {
                self.test(body, map.bodies_of(found), shift, sink);
            }
        });
    }

    /// Partners on another level: all cells from `x - a` to `x + a`, a = r + s/2 + margin/2.
    #[inline]
    fn search_level<S: PairSink<D>>(&mut self, body: &Searcher<D>, level: usize, sink: &mut S) {
        let map = self.map;
        let partners = &map.levels[level];
        // The papers' range, in exact arithmetic never less than what the overlap test reaches.
        let least = reach(body.radius, partners.largest, self.margin);
        let radius = body.radius + self.margin / 2.0;
        let mut count = 1u64;
        let spans: [Span; D] = std::array::from_fn(|axis| {
            let a = (radius + partners.axes[axis].size() / 2.0).max(least);
            let (range, search) = self.span_of(partners, axis, body.stored[axis], a);
            count = count.saturating_mul(range.cells());
            search
        });
        self.work.cells = self.work.cells.saturating_add(count);
        if partners.bodies == 0 {
            return;
        }
        let cells = LevelCells { map, level };
        visit_cells(&partners.axes, spans, &cells, |found, shift| {
            self.test(body, map.bodies_of(cells.first() + found), shift, sink);
        });
    }

    /// The cells within `a` of `x` along an axis, and the same with the slack that images and stored centers need.
    #[inline]
    fn span_of(&self, level: &LevelMap<D>, axis: usize, x: f64, a: f64) -> (Span, Span) {
        let axis = &level.axes[axis];
        let (from, to) = (x - a, x + a);
        let range = axis.span(from, to);
        if !axis.is_periodic() {
            return (range, range);
        }
        if self.map.slack_inside > 0.0 {
            return (range, axis.span(from - self.map.slack, to + self.map.slack));
        }
        (range, axis.across_borders(range, from, to, self.map.slack))
    }

    /// Tests a body against the bodies in `candidates`, `shift` periods away as stored: boxes first, then spheres.
    #[inline]
    fn test<S: PairSink<D>>(&mut self, body: &Searcher<D>, candidates: Range<usize>, shift: [i32; D], sink: &mut S) {
        let map = self.map;
        self.work.candidates += candidates.len() as u64;
        for other in &map.bodies[candidates] {
            let shift = map.images.reported_shift(body.id as usize, other.id as usize, shift);
            let vector = contact_vector(body.center, other.center, shift, self.lengths);
            let reach = reach(body.radius, other.radius, self.margin);
            if boxes_overlap(vector, reach) & touches(vector, reach) {
                self.batch.push(body.id, other.id, shift, sink);
            }
        }
    }
}

/// Whether the bounding boxes of two spheres overlap that touch within `reach`: never false where [`touches`] is true.
#[inline]
fn boxes_overlap<const D: usize>(vector: [f64; D], reach: f64) -> bool {
    vector.into_iter().fold(true, |overlap, component| overlap & (component.abs() < reach))
}
