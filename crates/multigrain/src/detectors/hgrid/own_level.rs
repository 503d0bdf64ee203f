//! Neighbours on a body's own level: quickly by the kernel alone, and what that leaves thoroughly.

use super::columns::Lanes;
use super::hits::{CHUNK, MOST_TESTS};
use super::kernel::{Kernel, LANES, Query};
use super::real::Real;
use super::rows::{RangeVisitor, RowIndex};
use super::search::{BLOCK, BlockSearch, Count, band};
use super::waiting::Gather;
use crate::detectors::toolkit::{FULL_VECTOR, prefetch};
use crate::sink::PairSink;
use std::ops::Range;

/// Most bodies that are asked, in every job, how many neighbours there are.
const SAMPLED: usize = 16;

/// Least distance between them, so that asking stays cheap.
const LEAST_STEP: usize = 24;

impl<K: Kernel<R, D>, I: RowIndex<D> + Copy, R: Real, const D: usize> BlockSearch<'_, K, I, R, D> {
    /// What the search of some bodies of level `h` among themselves needs.
    pub(super) fn own_level(&self, h: usize, bodies: Range<usize>) -> OwnLevel<I::Stencil, R> {
        let view = &self.view;
        let level = &view.grids[h];
        let reach = R::from_f64(2.0 * level.max_radius * (1.0 + 8.0 * R::ROUNDING));
        let stencil = view.index.stencil(h);
        let mut ranges = Lengths::default();
        if I::DENSE {
            for p in bodies.clone().step_by(bodies.len().div_ceil(SAMPLED).max(LEAST_STEP)) {
                view.index.visit_own(&stencil, p, view.bodies.keys[p], &mut ranges);
            }
        }
        OwnLevel {
            stencil,
            band: band(reach, level.blur),
            margin: R::from_f64(level.margin),
            two_vectors: ranges.bodies as f64 > FULL_VECTOR * f64::from(ranges.count),
        }
    }

    /// Tests the bodies of a block against later bodies of their own level.
    #[inline(always)]
    pub(super) fn search_own_level<S: PairSink<D>>(
        &mut self,
        level: &OwnLevel<I::Stencil, R>,
        block: Range<usize>,
        sink: &mut S,
    ) {
        let view = self.view;
        if S::COUNTS {
            for p in block.clone() {
                view.index.visit_own(&level.stencil, p, view.bodies.keys[p], &mut Count { sink });
            }
        }
        self.left_over.clear();
        if !I::DENSE {
            self.left_over.extend(block.map(|p| LeftOver { p, tested: 0 }));
        } else if level.two_vectors {
            self.search_quickly::<2>(level, block.clone());
            self.emit_quick::<2, S>(&level.stencil, block, sink);
        } else {
            self.search_quickly::<1>(level, block.clone());
            self.emit_quick::<1, S>(&level.stencil, block, sink);
        }
        for k in 0..self.left_over.len() {
            let LeftOver { p, tested } = self.left_over[k];
            let position = view.bodies.position_of(p);
            self.waiting.seek(p, position, view.bodies.radius[p] + level.margin, level.band);
            let gather = Gather { search: self, shift: [0; D], sink };
            view.index.visit_own(&level.stencil, p, view.bodies.keys[p], &mut Rest { tested, gather });
        }
    }

    /// Tests the first `V` vectors of bodies in every range by the kernel alone. What lies behind in longer ranges, and all
    /// ranges of bodies for which rounding could matter, are left over.
    #[inline(always)]
    fn search_quickly<const V: usize>(&mut self, level: &OwnLevel<I::Stencil, R>, block: Range<usize>) {
        let view = self.view;
        let band = K::splat(level.band);
        let own = view.bodies.of(block.clone());
        for k in 0..own.radius.len() {
            let p = block.start + k;
            let query =
                Query { position: own.position_of(k).map(K::splat), radius: K::splat(own.radius[k] + level.margin) };
            let nearest = K::splat(R::from_f64(f64::INFINITY));
            let (bodies, masks) = (&view.bodies, &mut *self.quick);
            let mut quick = Quick::<K, R, D, V> { bodies, query, nearest, masks, k, ranges: 0, longest: 0 };
            view.index.visit_own(&level.stencil, p, own.keys[k], &mut quick);
            if (quick.longest > V * LANES) | (K::within(quick.nearest, band) != 0) {
                let sure = quick.longest <= K::MOST_LEFT && K::within(quick.nearest, band) == 0;
                if !sure {
                    for v in 0..V {
                        self.quick[v][k] = [0; 8];
                    }
                }
                self.left_over.push(LeftOver { p, tested: if sure { V * LANES } else { 0 } });
            }
        }
        for v in 0..V {
            self.quick[v][own.radius.len()..].fill([0; 8]);
        }
    }

    /// Turns what the quick search found into pairs; in periodic domains, into hits like others.
    #[inline(always)]
    fn emit_quick<const V: usize, S: PairSink<D>>(&mut self, stencil: &I::Stencil, block: Range<usize>, sink: &mut S) {
        let bodies = self.view.bodies;
        let periodic = self.view.images.are_periodic();
        if periodic && self.hits.len() > MOST_TESTS - BLOCK * CHUNK / 8 * V {
            self.emit([0; D], sink);
        }
        let mut at = self.hits.len();
        let mut count = 0;
        for v in 0..V {
            for (k, masks) in (block.start..).step_by(8).zip(self.quick[v].as_flattened().as_chunks::<CHUNK>().0) {
                let mut touching = K::touching(masks);
                while touching != 0 {
                    let test = touching.trailing_zeros() as usize % CHUNK;
                    touching &= touching - 1;
                    let p = k + test / 8;
                    let first = self.view.index.start_of(stencil, p, bodies.keys[p], test % 8) + v * LANES;
                    if periodic {
                        self.hits.write(at, p, first, u32::from(masks[test]));
                        at += 1;
                    } else {
                        count = K::write(bodies.ids, p, first, masks[test], &mut self.pairs, count);
                    }
                }
            }
        }
        self.hits.set_len(at);
        sink.pairs(&self.pairs[..count], &[]);
    }
}

/// For the first and for the next eight of every range: for each body of a block and each of its ranges, who touches.
pub(super) type QuickMasks = [[[u8; 8]; BLOCK]; 2];

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
pub(super) struct OwnLevel<T, R> {
    stencil: T,
    band: R,
    margin: R,
    two_vectors: bool,
}

/// A body whose own level is not fully searched: how much of each range is.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftOver {
    p: usize,
    tested: usize,
}

/// Tests the first `V` vectors of bodies in each range by the kernel alone and keeps in mind how sure that was. Nothing is
/// called and nothing allocated, so that all of it stays in registers.
struct Quick<'a, K: Kernel<R, D>, R: Real, const D: usize, const V: usize> {
    bodies: &'a Lanes<'a, R, D>,
    query: Query<K::Vector, D>,
    nearest: K::Vector,
    /// For each range of body `k` of the block, who touches.
    masks: &'a mut QuickMasks,
    k: usize,
    /// Ranges tested.
    ranges: usize,
    /// The lengths of all ranges, bit by bit: at least the longest.
    longest: usize,
}

impl<K: Kernel<R, D>, R: Real, const D: usize, const V: usize> Quick<'_, K, R, D, V> {
    /// Number of the last range of a body.
    const LAST: usize = if D == 2 { 1 } else { 4 };
}

impl<K: Kernel<R, D>, R: Real, const D: usize, const V: usize> RangeVisitor for Quick<'_, K, R, D, V> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        let left = bodies.end - bodies.start;
        for v in 0..V {
            let lanes = K::test(self.bodies, bodies.start + v * LANES, &self.query);
            self.nearest = K::smaller(self.nearest, K::size(lanes));
            let left = if v == 0 { left } else { left.saturating_sub(v * LANES) };
            let mask = K::lanes_left(K::negative(lanes), left);
            self.masks[v][self.k][self.ranges] = mask as u8;
        }
        // The last range is where no body has searched before: its ids are fetched in time for those who hit.
        if self.ranges == Self::LAST {
            prefetch(self.bodies.ids, bodies.start);
        }
        self.ranges += 1;
        self.longest |= left;
    }
}

/// Puts what is not yet tested of ranges among those that wait.
struct Rest<G> {
    tested: usize,
    gather: G,
}

impl<G: RangeVisitor> RangeVisitor for Rest<G> {
    #[inline(always)]
    fn range(&mut self, bodies: Range<usize>) {
        self.gather.range(bodies.start + self.tested..bodies.end);
    }
}
