//! The innermost loop: one body against eight neighbours in the sorted arrays, and the writing of pairs.
//!
//! A test computes `t = d² - s²` in the precision of the columns. Its sign is the answer unless `|t|` is within the
//! rounding band for some lane; then the exact test decides all eight (see `search`). Hits are kept as (body, first lane,
//! mask), appended without a branch, and turned into pairs a block at a time.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::{Avx2, with_avx2};
pub(super) use portable::Portable;

use super::columns::Lanes;
use super::real::Real;

/// Runs `work`, which must be inlined, compiled for the best instructions that the processor has.
#[inline]
pub(super) fn optimised(work: impl FnOnce()) {
    #[cfg(target_arch = "x86_64")]
    if Avx2::is_available() {
        return with_avx2(work);
    }
    work();
}

/// Bodies per test.
pub(super) const LANES: usize = 8;

/// Searching bodies per block of hits; their number within the block fits the word of a hit.
pub(super) const BLOCK: usize = 64;

/// How one body is tested against eight, and how hits become pairs. [`Portable`] defines the meaning; others agree.
pub(super) trait Kernel<R: Real, const D: usize>: Copy {
    /// Eight lanes.
    type Vector: Copy;

    fn splat(value: R) -> Self::Vector;

    /// Tests the bodies `first..first + LANES`, lanes past the end of a range included.
    fn test(bodies: &Lanes<'_, R, D>, first: usize, query: &Query<Self::Vector, D>) -> Verdict;

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
    /// How far `|d² - s²|` may be off by rounding.
    pub band: V,
}

/// What a test found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Verdict {
    /// A bit per lane: whether `d² < s²`.
    pub touching: u32,
    /// Whether rounding may have changed any bit.
    pub doubtful: bool,
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
