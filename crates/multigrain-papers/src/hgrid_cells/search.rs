//! The search of one block of bodies, cell by cell.

use super::blocks::{LookUps, for_each_image};
use super::map::{LevelMap, MappedBody, OccupiedCells};
use crate::tuning::partition_point;
use multigrain::Direction;
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::Work;
use multigrain::grid::{Batch, Span};
use multigrain::overlap::{contact_vector, reach, touches};
use multigrain::pairs::is_positive;
use std::ops::Range;

/// Searches the partners of bodies one after the other, in the order of their slots.
pub(super) struct BlockSearch<'a, const D: usize> {
    map: &'a OccupiedCells<D>,
    direction: Direction,
    margin: f64,
    lengths: [f64; D],
    /// Neighbours of the current cell that its bodies search.
    neighbors: Vec<Neighbor<D>>,
    batch: Batch<D>,
    work: Work,
    looked: LookUps,
    looked_on_other_levels: LookUps,
}

/// The bodies of an occupied cell next to another, `shift` periods away.
#[derive(Clone)]
struct Neighbor<const D: usize> {
    slots: Range<usize>,
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
    pub fn new(map: &'a OccupiedCells<D>, now: &Snapshot<'_, D>, direction: Direction) -> Self {
        Self {
            map,
            direction,
            margin: now.margin(),
            lengths: now.domain().lengths(),
            neighbors: Vec::new(),
            batch: Batch::new(map.images.are_periodic()),
            work: Work::default(),
            looked: LookUps::default(),
            looked_on_other_levels: LookUps::default(),
        }
    }

    /// Searches for the bodies in `slots`, and says which blocks of cells that took, and which of them on other levels.
    pub fn search<S: PairSink<D>>(&mut self, slots: Range<usize>, sink: &mut S) -> [LookUps; 2] {
        let blocks = &self.map.blocks;
        let mut cell = partition_point(0, blocks.cells(), |cell| blocks.slots(cell).end <= slots.start);
        let mut slot = slots.start;
        while slot < slots.end {
            let own = slot..blocks.slots(cell).end;
            let (level, home) = self.map.cell_of(slot);
            self.find_neighbors(level, home);
            for slot in slot..own.end.min(slots.end) {
                if sink.stop_requested() {
                    break;
                }
                self.search_from(level, home, slot..own.end, sink);
            }
            slot = own.end;
            cell += 1;
        }
        self.batch.flush(sink);
        let work = std::mem::take(&mut self.work);
        sink.candidates(work.candidates);
        sink.cells(work.cells);
        [std::mem::take(&mut self.looked), std::mem::take(&mut self.looked_on_other_levels)]
    }

    /// All partners of the first of `slots`, which are what is left of its cell.
    #[inline]
    fn search_from<S: PairSink<D>>(&mut self, level: usize, home: [i64; D], slots: Range<usize>, sink: &mut S) {
        let map = self.map;
        let MappedBody { center, radius, id } = map.bodies[slots.start];
        let body = Searcher { id, center, stored: map.images.stored_center(id as usize, center), radius };
        self.count_cells(1 + neighbors::<D>());
        self.test(&body, slots.start + 1..slots.end, [0; D], sink);
        for k in 0..self.neighbors.len() {
            let Neighbor { slots, shift } = self.neighbors[k].clone();
            self.test(&body, slots, shift, sink);
        }
        let reach = reach(body.radius, map.levels[level].largest, self.margin);
        if reach > map.levels[level].stencil_reach {
            self.search_beyond_neighbors(&body, level, home, reach, sink);
        }
        for partner in self.direction.partners(level, map.levels.len()) {
            self.search_level(&body, partner, sink);
        }
    }

    /// Collects the occupied neighbours of a cell: in the box those behind it, so that their bodies need not search it;
    /// beyond periodic borders, for the same reason, those with a positive shift.
    fn find_neighbors(&mut self, level: usize, home: [i64; D]) {
        let (map, neighbors, looked) = (self.map, &mut self.neighbors, &mut self.looked);
        neighbors.clear();
        let around = home.map(|along| Span { first: along - 1, last: along + 1 });
        for_each_image(&map.levels[level].axes, around, |shift, mut spans| {
            let is_home = shift == [0; D];
            if is_home {
                // Nothing below the cell along the last axis comes behind it.
                spans[D - 1].first = home[D - 1];
            } else if !is_positive(shift) {
                return;
            }
            *looked += map.blocks.visit(level, &map.levels[level].blocks, spans, |place, slots| {
                if !is_home || is_behind(place, home) {
                    neighbors.push(Neighbor { slots, shift });
                }
            });
        });
    }

    /// Partners on the same level beyond the neighbouring cells: where rounding puts a reach of a whole cell two cells
    /// away, and where a periodic box is smaller than the bodies.
    #[cold]
    fn search_beyond_neighbors<S: PairSink<D>>(
        &mut self,
        body: &Searcher<D>,
        level: usize,
        home: [i64; D],
        reach: f64,
        sink: &mut S,
    ) {
        let map = self.map;
        let axes = &map.levels[level].axes;
        let spans: [Span; D] =
            std::array::from_fn(|axis| self.span_of(&map.levels[level], axis, body.stored[axis], reach).1);
        if (0..D).all(|axis| spans[axis].first >= home[axis] - 1 && spans[axis].last <= home[axis] + 1) {
            return;
        }
        for_each_image(axes, spans, |shift, spans| {
            let is_home = shift == [0; D];
            if !is_home && !is_positive(shift) {
                return;
            }
            let looked = map.blocks.visit(level, &map.levels[level].blocks, spans, |place, slots| {
                let place: [i64; D] =
                    std::array::from_fn(|axis| place[axis] + i64::from(shift[axis]) * axes[axis].count());
                let is_neighbor = (0..D).all(|axis| place[axis].abs_diff(home[axis]) <= 1);
                if !is_neighbor && (!is_home || is_behind(place, home)) {
                    self.test(body, slots, shift, sink);
                }
            });
            self.looked += looked;
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
        self.count_cells(count);
        if partners.bodies == 0 {
            return;
        }
        for_each_image(&partners.axes, spans, |shift, spans| {
            let test = |_, slots| self.test(body, slots, shift, sink);
            let looked = map.blocks.visit(level, &partners.blocks, spans, test);
            self.looked += looked;
            self.looked_on_other_levels += looked;
        });
    }

    /// Counts cells; one huge body may cover more than 64 bits can count.
    #[inline]
    fn count_cells(&mut self, count: u64) {
        self.work.cells = self.work.cells.saturating_add(count);
    }

    /// The cells within `a` of `x` along an axis, and the same with the slack that images and stored centers need.
    #[inline]
    fn span_of(&self, level: &LevelMap<D>, axis: usize, x: f64, a: f64) -> (Span, Span) {
        let (axis, slack) = (&level.axes[axis], self.map.slack[axis]);
        let (from, to) = (x - a, x + a);
        let range = axis.span(from, to);
        if !axis.is_periodic() {
            return (range, range);
        }
        if self.map.slack_inside {
            return (range, axis.span(from - slack, to + slack));
        }
        (range, axis.across_borders(range, from, to, slack))
    }

    /// Tests a body against the bodies in `candidates`, `shift` periods away as stored.
    ///
    /// The papers test bounding boxes before spheres. A box that is tested first saves six multiplications and costs branches
    /// that nobody can foresee, which is slower: see `tests of a couple` in the experiment `hgrid-overhead`.
    #[inline]
    fn test<S: PairSink<D>>(&mut self, body: &Searcher<D>, candidates: Range<usize>, shift: [i32; D], sink: &mut S) {
        let map = self.map;
        self.work.candidates = self.work.candidates.saturating_add(candidates.len() as u64);
        if shift == [0; D] && !map.slack_inside {
            // All bodies are stored where they are given.
            for other in &map.bodies[candidates] {
                let vector: [f64; D] = std::array::from_fn(|axis| other.center[axis] - body.center[axis]);
                if touches(vector, reach(body.radius, other.radius, self.margin)) {
                    self.batch.push(body.id, other.id, shift, sink);
                }
            }
            return;
        }
        for other in &map.bodies[candidates] {
            let shift = map.images.reported_shift(body.id as usize, other.id as usize, shift);
            let vector = contact_vector(body.center, other.center, shift, self.lengths);
            if touches(vector, reach(body.radius, other.radius, self.margin)) {
                self.batch.push(body.id, other.id, shift, sink);
            }
        }
    }
}

/// Whether `place` comes after `home` in the order of cells, x fastest: true for one of any two.
#[inline]
fn is_behind<const D: usize>(place: [i64; D], home: [i64; D]) -> bool {
    place.iter().rev().gt(home.iter().rev())
}

/// Half of the neighbours of a cell: those that its bodies search.
const fn neighbors<const D: usize>() -> u64 {
    (3u64.pow(D as u32) - 1) / 2
}
