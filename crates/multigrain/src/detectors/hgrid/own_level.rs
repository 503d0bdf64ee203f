//! Neighbours on a body's own level: first by the kernel alone; what that leaves undecided, by the exact test.

use super::columns::{Lanes, ROUNDING};
use super::emit::MIN_EMITTED;
use super::index::Stencil;
use super::kernel::{Kernel, MAX_WIDTH, Query};
use super::memory::Memory;
use super::rows::RangeVisitor;
use super::search::{BLOCK, BlockSearch, View, band};
use super::waiting::Gather;
use crate::grid::{FULL_VECTOR, prefetch};
use crate::overlap::{reach, touches, translated_vector};
use crate::sink::PairSink;
use std::ops::Range;

/// Bodies that are asked, in every job, how many neighbours there are, at most.
const MAX_SAMPLED: usize = 16;

/// Distance between them, at least, so that asking stays cheap.
const MIN_STEP: usize = 24;

impl<K: Kernel<D>, const D: usize> BlockSearch<'_, K, D> {
    /// What the search of some bodies of level `h` among themselves needs.
    pub(super) fn own_level(&self, h: usize, bodies: Range<usize>) -> OwnLevel {
        let view = &self.view;
        let level = &view.grids[h];
        let reach = (2.0 * level.max_radius * (1.0 + 8.0 * ROUNDING)) as f32;
        let stencil = view.index.stencil(h);
        let mut ranges = Lengths::default();
        if K::WIDTH < MAX_WIDTH {
            for p in bodies.clone().step_by(bodies.len().div_ceil(MAX_SAMPLED).max(MIN_STEP)) {
                view.index.visit_own(&stencil, p, view.bodies.keys[p], &mut ranges);
            }
        }
        OwnLevel {
            stencil,
            band: band(reach, level.blur),
            margin: level.margin as f32,
            two_vectors: ranges.bodies as f64 > FULL_VECTOR * f64::from(ranges.count),
        }
    }

    /// Tests the bodies of a block against later bodies of their own level.
    #[inline(always)]
    pub(super) fn search_own_level<S: PairSink<D>>(&mut self, level: &OwnLevel, block: Range<usize>, sink: &mut S) {
        let view = self.view;
        if sink.counts() {
            view.count_own(&level.stencil, block.clone(), sink);
        }
        self.memory.left_over.clear();
        if K::WIDTH == MAX_WIDTH {
            self.search_quickly::<4, 1>(level, block.clone());
        } else if level.two_vectors {
            self.search_quickly::<2, 2>(level, block.clone());
        } else {
            self.search_quickly::<2, 1>(level, block.clone());
        }
        self.emit_quick(block, sink);
        for k in 0..self.memory.left_over.len() {
            let LeftOver { p, quick } = self.memory.left_over[k];
            let position = view.bodies.position_of(p);
            let tested = quick.map_or([0; MAX_ROWS], |k| {
                self.memory.quick.starts.map(|starts| starts[k] as usize + DEPTH * MAX_WIDTH)
            });
            self.memory.waiting.seek(p, position, view.bodies.radius[p] + level.margin, level.band);
            let gather = Gather { search: self, shift: [0; D], sink };
            view.index.visit_own(&level.stencil, p, view.bodies.keys[p], &mut Rest { tested, row: 0, gather });
        }
    }

    /// Tests the bodies in every range by the kernel alone: `B` bodies of the block together where they are close, and the
    /// first `V` vectors of every range without asking how long it is. What lies far behind in longer ranges is left over, and
    /// what rounding could change waits for the exact test.
    #[inline(always)]
    fn search_quickly<const B: usize, const V: usize>(&mut self, level: &OwnLevel, block: Range<usize>) {
        let keys = &self.view.bodies.keys[block.clone()];
        let apart = level.stencil.apart();
        for k in (0..keys.len()).step_by(B) {
            let own = &keys[k..keys.len().min(k + B)];
            if own.len() == B && own[B - 1] - own[0] < apart {
                self.search_together::<B, V>(level, block.start, k);
            } else {
                for k in k..k + own.len() {
                    self.search_together::<1, V>(level, block.start, k);
                }
            }
        }
        for masks in self.memory.quick.masks.as_flattened_mut() {
            masks[keys.len()..].fill(0);
        }
    }

    /// Tests the bodies `k..k + B` of the block that begins with body `start`; `k` is a multiple of `B`.
    #[inline(always)]
    fn search_together<const B: usize, const V: usize>(&mut self, level: &OwnLevel, start: usize, k: usize) {
        let view = self.view;
        let own = view.bodies.of(start + k..start + k + B);
        let far = K::wide_splat(f32::INFINITY);
        let queries = queries::<K, D, B>(&own, level.margin);
        let (bodies, quick, place) = (&view.bodies, &mut *self.memory.quick, k / B % (BLOCK / B));
        let mut together =
            Together::<K, D, B, V> { bodies, queries, nearest: [far; B], quick, place, row: 0, long: 0, longest: 0 };
        view.index.visit_together(&level.stencil, start + k, own.keys[0], own.keys[B - 1], &mut together);
        let Together { mut nearest, mut long, longest, .. } = together;
        while long != 0 {
            let row = long.trailing_zeros() as usize % MAX_ROWS;
            long &= long - 1;
            nearest = self.search_further::<B, V>(level, start, nearest, place, row);
        }
        let mut least = nearest[0];
        for b in 1..B {
            least = K::wide_nearer(least, nearest[b]);
        }
        if K::wide_within(least, K::wide_splat(level.band), K::wide_lanes(K::WIDTH, 0)) != 0 {
            self.doubt::<B>(level, start, k);
        }
        if longest > DEPTH * MAX_WIDTH {
            self.leave(start, k..k + B, longest > K::MAX_LEFT);
        }
    }

    /// Tests the bodies `k..k + B` of the block that begins with body `start` once more, against what was tested last: where
    /// rounding could matter the exact test will decide.
    #[inline(always)]
    fn doubt<const B: usize>(&mut self, level: &OwnLevel, start: usize, k: usize) {
        let Self { view: View { bodies, .. }, memory: Memory { quick, .. }, .. } = self;
        let queries = queries::<K, D, B>(&bodies.of(start + k..start + k + B), level.margin);
        let band = K::wide_splat(level.band);
        let place = k / B % (BLOCK / B);
        quick.any_doubts = true;
        for row in 0..rows::<D>() {
            let (begin, end) = (quick.starts[row][place * B] as usize, quick.ends[row] as usize);
            for v in 0..(end - begin).min(DEPTH * MAX_WIDTH).div_ceil(K::WIDTH) {
                let first = begin + v * K::WIDTH;
                let lanes = K::wide_load(bodies, first);
                let (depth, shift) = (v * K::WIDTH / MAX_WIDTH % DEPTH, v * K::WIDTH % MAX_WIDTH);
                let touching = &mut quick.masks[depth][row].as_chunks_mut::<B>().0[place];
                let doubtful = &mut quick.doubts[depth][row].as_chunks_mut::<B>().0[place];
                for b in 0..B {
                    let of = K::wide_lanes((end - first).min(K::WIDTH), if row + v == 0 { b } else { 0 });
                    let within = K::wide_within(K::wide_test(&lanes, &queries[b]), band, of) << shift;
                    touching[b] &= !within;
                    doubtful[b] |= within;
                }
            }
        }
    }

    /// Tests what lies behind the first `V` vectors of a range, as far as there are masks for it.
    #[inline(always)]
    fn search_further<const B: usize, const V: usize>(
        &mut self,
        level: &OwnLevel,
        start: usize,
        mut nearest: [K::Wide; B],
        place: usize,
        row: usize,
    ) -> [K::Wide; B] {
        let own = start + place * B;
        // Made again, so that they need not be kept.
        let queries = queries::<K, D, B>(&self.view.bodies.of(own..own + B), level.margin);
        let (start, end) = (self.memory.quick.starts[row][place * B] as usize, self.memory.quick.ends[row] as usize);
        for v in V..(end - start).min(DEPTH * MAX_WIDTH).div_ceil(K::WIDTH) {
            let first = start + v * K::WIDTH;
            let left = (end - first).min(K::WIDTH);
            let found = test::<K, D, B>(&self.view.bodies, &queries, &mut nearest, first, left, false);
            let (depth, shift) = (v * K::WIDTH / MAX_WIDTH, v * K::WIDTH % MAX_WIDTH);
            self.memory.quick.is_deep |= depth > 0;
            let masks = &mut self.memory.quick.masks[depth % DEPTH][row].as_chunks_mut::<B>().0[place];
            for b in 0..B {
                masks[b] |= found[b] << shift;
            }
        }
        nearest
    }

    /// Leaves bodies of the block that begins with `start` to the thorough search; all of it, if ranges were too long for masks.
    #[cold]
    #[inline(never)]
    fn leave(&mut self, start: usize, bodies: Range<usize>, is_lost: bool) {
        let Memory { quick, left_over, .. } = &mut self.memory;
        if is_lost {
            for masks in quick.masks.iter_mut().chain(&mut quick.doubts).flatten() {
                masks[bodies.clone()].fill(0);
            }
        }
        left_over.extend(bodies.map(|k| LeftOver { p: start + k, quick: (!is_lost).then_some(k) }));
    }

    /// Turns what the quick search found into pairs.
    #[inline(always)]
    fn emit_quick<S: PairSink<D>>(&mut self, block: Range<usize>, sink: &mut S) {
        self.emit_masks(&block, |quick| &quick.masks, |_, _, count| count, sink);
        if self.memory.quick.any_doubts {
            self.emit_masks(&block, |quick| &quick.doubts, keep_touching, sink);
            self.memory.quick.any_doubts = false;
            self.memory.quick.doubts.as_flattened_mut().fill([0; BLOCK]);
        }
        let quick = &mut self.memory.quick;
        if quick.is_deep {
            quick.is_deep = false;
            quick.masks[1..].as_flattened_mut().fill([0; BLOCK]);
        }
    }

    /// Turns some masks into pairs, of which as many as `keep` says are handed on.
    #[inline(always)]
    fn emit_masks<S: PairSink<D>>(
        &mut self,
        block: &Range<usize>,
        masks: impl Fn(&QuickMasks) -> &Masks,
        keep: impl Fn(&View<'_, D>, &mut [[u32; 2]], usize) -> usize,
        sink: &mut S,
    ) {
        let ids = self.view.bodies.ids;
        let mut count = 0;
        for depth in 0..if self.memory.quick.is_deep { DEPTH } else { 1 } {
            for row in 0..rows::<D>() {
                let Memory { quick, pairs, .. } = &mut self.memory;
                let masks = &masks(quick)[depth][row];
                let mut touching = K::wide_touching(masks);
                while touching != 0 {
                    let k = touching.trailing_zeros() as usize % BLOCK;
                    touching &= touching - 1;
                    let first = quick.starts[row][k] as usize + depth * MAX_WIDTH;
                    count = K::wide_write(ids, block.start + k, first, masks[k], pairs, count);
                }
                if count > MIN_EMITTED {
                    let kept = keep(&self.view, pairs, count);
                    self.hand_on(kept, sink);
                    count = 0;
                }
            }
        }
        let kept = keep(&self.view, &mut self.memory.pairs, count);
        self.hand_on(kept, sink);
    }

    /// Hands on the first `count` pairs, all found within the box.
    #[inline(always)]
    fn hand_on<S: PairSink<D>>(&mut self, count: usize, sink: &mut S) {
        let Self { view, memory: Memory { pairs, batch, .. }, .. } = self;
        let images = view.images;
        if images.any_outside() {
            for &[i, j] in &pairs[..count] {
                batch.push(i, j, images.reported_shift(i as usize, j as usize, [0; D]), sink);
            }
        } else {
            sink.pairs(&pairs[..count], Self::no_shifts(view, count));
        }
    }
}

/// Ranges of a body on its own level, at most.
const MAX_ROWS: usize = 5;

/// Ranges of a body on its own level.
const fn rows<const D: usize>() -> usize {
    if D == 2 { 2 } else { MAX_ROWS }
}

/// Wide masks for every range.
const DEPTH: usize = 2;

/// Pairs that the quick search of a block finds in one range of every body, at most, and room for what is written behind them.
pub(super) const MAX_ROW_PAIRS: usize = BLOCK * MAX_WIDTH + MAX_WIDTH;

/// What the quick search of a block found.
pub(super) struct QuickMasks {
    /// Who touches.
    masks: Masks,
    /// Who may touch; all zero without `any_doubts`.
    doubts: Masks,
    /// Row by row, for each body of the block, where the range begins that was tested.
    starts: [[u32; BLOCK]; MAX_ROWS],
    /// Where the ranges end that were tested last.
    ends: [u32; MAX_ROWS],
    /// Whether any but the first masks may be set.
    is_deep: bool,
    any_doubts: bool,
}

/// For the first sixteen of every range, then for the next: row by row, for each body of the block, a bit for each.
type Masks = [[[u16; BLOCK]; MAX_ROWS]; DEPTH];

impl QuickMasks {
    pub fn new() -> Box<Self> {
        Box::new(Self {
            masks: [[[0; BLOCK]; MAX_ROWS]; DEPTH],
            doubts: [[[0; BLOCK]; MAX_ROWS]; DEPTH],
            starts: [[0; BLOCK]; MAX_ROWS],
            ends: [0; MAX_ROWS],
            is_deep: false,
            any_doubts: false,
        })
    }
}

/// Keeps those of the first `count` pairs that touch, by the exact test; returns how many.
#[inline(always)]
fn keep_touching<const D: usize>(view: &View<'_, D>, pairs: &mut [[u32; 2]], count: usize) -> usize {
    let (now, images) = (&view.now, view.images);
    for &body in pairs[..count].as_flattened() {
        // They lie anywhere in memory.
        prefetch(now.centers(), body as usize);
        prefetch(now.radii(), body as usize);
    }
    let (centers, radii, margin) = (now.centers(), now.radii(), now.margin());
    let mut kept = 0;
    for k in 0..count {
        let [i, j] = pairs[k].map(|body| body as usize);
        let touch = if images.any_outside() {
            now.overlaps(i, j, images.reported_shift(i, j, [0; D]))
        } else {
            let vector = translated_vector(centers[i], centers[j], [0.0; D]);
            touches(vector, reach(radii[i], radii[j], margin))
        };
        pairs[kept] = pairs[k];
        kept += usize::from(touch);
    }
    kept
}

/// How long ranges are.
#[derive(Default)]
struct Lengths {
    count: u32,
    bodies: usize,
}

impl RangeVisitor for Lengths {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        self.count += 1;
        self.bodies += bodies.end.saturating_sub(bodies.start);
    }
}

/// A level that is searched among itself.
pub(super) struct OwnLevel {
    stencil: Stencil,
    band: f32,
    margin: f32,
    two_vectors: bool,
}

/// A body whose own level is not fully searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftOver {
    p: usize,
    /// Its number in the block, if it was tested against all that wide masks have bits for.
    quick: Option<usize>,
}

/// Tests `B` bodies together by the kernel alone and keeps in mind how sure that was: the first `V` vectors of bodies in each
/// range. Nothing is called and nothing allocated, so that all of it stays in registers.
struct Together<'a, K: Kernel<D>, const D: usize, const B: usize, const V: usize> {
    bodies: &'a Lanes<'a, D>,
    queries: [Query<K::Wide, D>; B],
    nearest: [K::Wide; B],
    quick: &'a mut QuickMasks,
    /// Number of the first of them in the block, over `B`.
    place: usize,
    /// Ranges tested.
    row: usize,
    /// A bit for each range that is not fully tested.
    long: u32,
    longest: usize,
}

impl<K: Kernel<D>, const D: usize, const B: usize, const V: usize> RangeVisitor for Together<'_, K, D, B, V> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        let (row, count) = (self.row, bodies.end - bodies.start);
        let mut found = [0; B];
        for v in 0..V {
            let left = if v == 0 { count } else { count.saturating_sub(v * K::WIDTH) };
            let (first, is_own) = (bodies.start + v * K::WIDTH, row == 0 && v == 0);
            let touching = test::<K, D, B>(self.bodies, &self.queries, &mut self.nearest, first, left, is_own);
            for b in 0..B {
                found[b] |= touching[b] << (v * K::WIDTH);
            }
        }
        self.quick.masks[0][row].as_chunks_mut::<B>().0[self.place] = found;
        self.quick.starts[row].as_chunks_mut::<B>().0[self.place] = [bodies.start as u32; B];
        self.quick.ends[row] = bodies.end as u32;
        // The last range is where no body has searched before: its ids are fetched in time for those who hit.
        if row + 1 == rows::<D>() {
            prefetch(self.bodies.ids, bodies.start);
        }
        self.long |= u32::from(count > V * K::WIDTH) << row;
        self.longest = self.longest.max(count);
        self.row += 1;
    }
}

/// `B` bodies as they search.
#[inline(always)]
fn queries<K: Kernel<D>, const D: usize, const B: usize>(own: &Lanes<'_, D>, margin: f32) -> [Query<K::Wide, D>; B] {
    let nothing = K::wide_splat(0.0);
    let mut queries = [Query { position: [nothing; D], radius: nothing }; B];
    for b in 0..B {
        queries[b].radius = K::wide_splat(own.radius[b] + margin);
        for axis in 0..D {
            queries[b].position[axis] = K::wide_splat(own.position[axis][b]);
        }
    }
    queries
}

/// Tests bodies against a vector of others, where `left` are left of a range. Returns who touches. With `is_own`, it is the
/// row of the bodies themselves, behind the first of them: the others skip those up to themselves.
#[inline(always)]
fn test<K: Kernel<D>, const D: usize, const B: usize>(
    bodies: &Lanes<'_, D>,
    queries: &[Query<K::Wide, D>; B],
    nearest: &mut [K::Wide; B],
    first: usize,
    left: usize,
    is_own: bool,
) -> [u16; B] {
    let lanes = K::wide_load(bodies, first);
    let mut found = [0; B];
    for b in 0..B {
        let test = K::wide_test(&lanes, &queries[b]);
        // A body is always close to itself.
        let others = if is_own && b > 0 { K::wide_without(test, b) } else { test };
        nearest[b] = K::wide_nearer(nearest[b], others);
        found[b] = K::wide_negative(test, K::wide_lanes(left, if is_own { b } else { 0 }));
    }
    found
}

/// Puts what is not yet tested of ranges among those that wait.
struct Rest<G> {
    /// For each range, up to where bodies are tested.
    tested: [usize; MAX_ROWS],
    row: usize,
    gather: G,
}

impl<G: RangeVisitor> RangeVisitor for Rest<G> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        let tested = self.tested[self.row.min(MAX_ROWS - 1)];
        self.row += 1;
        self.gather.range(bodies.start.max(tested)..bodies.end);
    }
}

#[cfg(test)]
mod tests {
    use crate::Rng;
    use crate::detector::{Direction, Search};
    use crate::detectors::BruteForce;
    use crate::detectors::hgrid::index::Index;
    #[cfg(target_arch = "x86_64")]
    use crate::detectors::hgrid::kernel;
    use crate::detectors::hgrid::kernel::{Kernel, Portable};
    use crate::detectors::hgrid::memory::Memories;
    use crate::detectors::hgrid::search::{self, View};
    use crate::detectors::hgrid::{HierarchicalGrid, Stored};
    use crate::dimension::{Axes, Dimension};
    use crate::levels::Levels;
    use crate::pairs::Pairs;
    use crate::snapshot::Snapshot;

    /// The pairs that a kernel finds once the bodies are mapped.
    fn pairs_by<const D: usize>(
        kernel: impl Kernel<D>,
        grid: &mut HierarchicalGrid<D>,
        now: Snapshot<'_, D>,
    ) -> Pairs<D> {
        assert!(matches!(grid.stored, Some(Stored::OneGrid)));
        let grids = &grid.grids.list[..];
        let view = View {
            now,
            images: &grid.images,
            grids,
            bodies: grid.columns.view(),
            index: Index::new(&grid.space.levels, grids, &grid.ends),
            rows: &grid.rows,
            direction: grid.direction,
            origin: grid.origin,
        };
        let mut pairs = Pairs::new();
        search::run(kernel, view, &grid.schedule, &Memories::default(), &mut pairs);
        pairs
    }

    /// Crowds of every size in some cells, few or none in others, rows of one cell and of many.
    fn every_kernel_finds_all<const D: usize>()
    where
        Axes: Dimension<D>,
    {
        let mut rng = Rng::new(D as u64);
        for crowd in [1, 3, 8, 9, 16, 17, 31, 33, 40, 64, 129, 257, 300] {
            for row in [1, 2, 4, 13] {
                let places = (0..crowd * 8).map(|k| (k / crowd * 3 % row, k / crowd * 3 / row % 3, k / crowd % 2));
                let centers: Vec<[f64; D]> = places
                    .map(|(x, y, z)| [x, y, z])
                    .map(|cell| std::array::from_fn(|axis| f64::from(cell[axis]) + rng.uniform()))
                    .collect();
                let radii: Vec<f64> = centers.iter().map(|_| 0.01 + 0.05 * rng.uniform()).collect();
                let now = Snapshot::new(&centers, &radii).unwrap();
                let mut all = Pairs::new();
                BruteForce.search(now, &mut all);
                let levels = Levels::from_cell_sizes(&[1.0]).unwrap();
                let mut grid = HierarchicalGrid::with_levels(levels, Direction::TopDown);
                let mut found = Pairs::new();
                grid.search(now, &mut found);
                let mut lists = vec![found, pairs_by(Portable, &mut grid, now)];
                #[cfg(target_arch = "x86_64")]
                if let Some(kernel) = kernel::Avx2::new() {
                    lists.push(pairs_by(kernel, &mut grid, now));
                }
                for mut list in lists {
                    assert_eq!(list.len(), all.len(), "crowds of {crowd} in rows of {row}");
                    list.sort();
                    all.sort();
                    assert_eq!(list.as_slice(), all.as_slice(), "crowds of {crowd} in rows of {row}");
                }
                assert!(crowd < 16 || !all.is_empty());
            }
        }
    }

    #[test]
    fn ranges_of_any_length_are_searched_to_their_end_by_every_kernel() {
        every_kernel_finds_all::<2>();
        every_kernel_finds_all::<3>();
    }
}
