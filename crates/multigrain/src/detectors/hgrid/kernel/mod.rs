//! The innermost loop: one body against eight neighbours in the sorted arrays, and the writing of pairs.
//!
//! A test computes `t = d² - s²` in the precision of the columns. Its sign is the answer unless `|t|` is within the
//! rounding band for some lane; then the exact test decides all eight (see `search`). Hits are kept as (body, first lane,
//! mask), appended without a branch, and turned into pairs a block at a time.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
pub(super) use portable::Portable;

use super::columns::Lanes;
use super::real::Real;

/// Bodies per test.
pub(super) const LANES: usize = 8;

/// Searching bodies per block of hits; their number within the block fits the word of a hit.
pub(super) const BLOCK: usize = 64;

/// How one body is tested against eight, and how hits become pairs. [`Portable`] defines the meaning; others agree.
pub(super) trait Kernel<R: Real, const D: usize>: Copy {
    /// Eight lanes.
    type Vector: Copy;

    fn splat(value: R) -> Self::Vector;

    /// `d² - s²` between the query and each of the bodies `first..first + LANES`: negative where they touch. Lanes past
    /// the end of a range are computed too.
    fn test(bodies: &Lanes<'_, R, D>, first: usize, query: &Query<Self::Vector, D>) -> Self::Vector;

    /// A bit per lane: whether it is negative.
    fn negative(lanes: Self::Vector) -> u32;

    /// Lane by lane, how far from zero.
    fn size(lanes: Self::Vector) -> Self::Vector;

    /// Lane by lane, the smaller of both.
    fn smaller(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// Whether any lane is at most `band`.
    fn any_within(lanes: Self::Vector, band: Self::Vector) -> bool;

    /// Writes the pairs of `hits` in canonical order of indices to `pairs`; returns how many. `pairs` has room for all
    /// and [`LANES`] more.
    fn emit(ids: &[u32], block: usize, hits: &[Hit], pairs: &mut [[u32; 2]]) -> usize;
}

/// The searching body, spread over the lanes.
#[derive(Clone, Copy)]
pub(super) struct Query<V, const D: usize> {
    pub position: [V; D],
    /// Radius plus margin.
    pub radius: V,
}

/// Up to eight touching neighbours of one body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    first: u32,
    /// A bit per touching lane; above it the body's number in its block.
    lanes: u32,
}

impl Hit {
    /// Body number `own` of its block touches those bodies of `first..first + LANES` whose bit is set in `mask`.
    #[inline(always)]
    pub fn new(own: usize, first: usize, mask: u32) -> Self {
        debug_assert!(own < BLOCK && first <= u32::MAX as usize && mask <= 0xff);
        Self { first: first as u32, lanes: mask | (own as u32) << LANES }
    }

    #[inline(always)]
    pub fn own(self) -> usize {
        (self.lanes >> LANES) as usize
    }

    #[inline(always)]
    pub fn first(self) -> usize {
        self.first as usize
    }

    #[inline(always)]
    pub fn mask(self) -> u32 {
        self.lanes & 0xff
    }
}

/// Those bits of `mask` that belong to a range with `left` bodies still to test, at most [`LANES`].
#[inline(always)]
pub(super) fn lanes_left(mask: u32, left: usize) -> u32 {
    debug_assert!(left <= LANES);
    mask & !(u32::MAX << left)
}
