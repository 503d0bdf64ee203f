//! The innermost loop: one body against eight neighbours in the sorted arrays, and the writing of pairs.
//!
//! A test computes `t = d² - s²` in the precision of the columns. Its sign is the answer unless `|t|` is within the
//! rounding band; then the exact test decides (see `search`). Outcomes are kept (see `hits`) and turned into pairs many at
//! a time.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
pub(super) use portable::Portable;

use super::columns::Lanes;
use super::hits::CHUNK;

/// Bodies per test.
pub(super) const LANES: usize = 8;

/// Lanes of a wide vector, at most, and bits of a wide mask.
pub(super) const MAX_WIDTH: usize = 16;

/// How one body is tested against eight, and how hits become pairs. [`Portable`] defines the meaning; others agree.
pub(super) trait Kernel<const D: usize>: Copy + Send + Sync {
    /// Eight lanes.
    type Vector: Copy;

    /// Runs work as a function of its own, compiled for the instructions of the kernel. A value of the kernel is the proof that
    /// the processor has them. Everything else that uses the kernel must be inlined into such work.
    fn run(self, work: impl KernelWork);

    fn splat(value: f32) -> Self::Vector;

    fn load(values: [f32; LANES]) -> Self::Vector;

    /// `d² - s²` between the query and each of the bodies `first..first + LANES`: negative where they touch. Lanes past
    /// the end of a range are computed too.
    fn test(bodies: &Lanes<'_, D>, first: usize, query: &Query<Self::Vector, D>) -> Self::Vector;

    /// A bit per lane: whether it is negative.
    fn negative(lanes: Self::Vector) -> u32;

    /// Lane by lane, how far from zero.
    fn size(lanes: Self::Vector) -> Self::Vector;

    /// Lane by lane, the smaller of both.
    fn smaller(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// A bit per lane: whether it is at most that of `band`.
    fn within(lanes: Self::Vector, band: Self::Vector) -> u32;

    /// Longest range that [`lanes_left`](Self::lanes_left) copes with.
    const MAX_LEFT: usize;

    /// Those bits of a mask that belong to a range with `left` bodies still to test.
    fn lanes_left(mask: u32, left: usize) -> u32;

    /// The values whose bit is set in `mask`, in order, in the first lanes; the others are of no meaning.
    fn keep(values: [u32; LANES], mask: u32) -> [u32; LANES];

    /// A bit per mask: whether any of its bits is set.
    fn touching(masks: &[u8; CHUNK]) -> u64;

    /// Writes the pairs of body `p` and those of the bodies `first..first + LANES` whose bit is set in `mask`, each with the
    /// smaller index first, behind the first `count` of `pairs`; returns how many there are then. `pairs` has room for
    /// [`LANES`] more.
    fn write(ids: &[u32], p: usize, first: usize, mask: u8, pairs: &mut [[u32; 2]], count: usize) -> usize;

    /// The widest vector, for bodies that are searched together.
    type Wide: Copy;

    /// Its lanes: at most [`MAX_WIDTH`].
    const WIDTH: usize;

    /// Some lanes of a wide vector.
    type WideLanes: Copy;

    fn wide_splat(value: f32) -> Self::Wide;

    /// The bodies `first..first + WIDTH`.
    fn wide_load(bodies: &Lanes<'_, D>, first: usize) -> Query<Self::Wide, D>;

    /// As [`test`](Self::test), against bodies that are loaded already.
    fn wide_test(bodies: &Query<Self::Wide, D>, query: &Query<Self::Wide, D>) -> Self::Wide;

    /// Lane by lane, the smaller of `a`, which is not negative, and how far `b` is from zero.
    fn wide_nearer(a: Self::Wide, b: Self::Wide) -> Self::Wide;

    /// The same lanes, the first `skipped` at infinity.
    fn wide_without(lanes: Self::Wide, skipped: usize) -> Self::Wide;

    /// Lanes of a range with `left` bodies still to test, without the first `skipped`. `left` is at most
    /// [`MAX_LEFT`](Self::MAX_LEFT).
    fn wide_lanes(left: usize, skipped: usize) -> Self::WideLanes;

    /// A bit for each of these lanes: whether it is negative.
    fn wide_negative(lanes: Self::Wide, of: Self::WideLanes) -> u16;

    /// A bit for each of these lanes: whether it is no farther from zero than that of `band`.
    fn wide_within(lanes: Self::Wide, band: Self::Wide, of: Self::WideLanes) -> u16;

    /// As [`touching`](Self::touching) for wide masks.
    fn wide_touching(masks: &[u16; CHUNK]) -> u64;

    /// As [`write`](Self::write) for a wide mask; `pairs` has room for [`MAX_WIDTH`] more.
    fn wide_write(ids: &[u32], p: usize, first: usize, mask: u16, pairs: &mut [[u32; 2]], count: usize) -> usize;
}

/// A kernel that this processor can run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chosen {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Chosen {
    /// The names of all kernels, from the slowest to the fastest.
    const NAMES: [&'static str; 3] = ["portable", "avx2", "avx512"];

    /// The kernel of that name, if this processor can run it.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "portable" => Some(Self::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::new().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::new().map(Self::Avx512),
            _ => None,
        }
    }

    /// The fastest one.
    #[inline]
    pub fn best() -> Self {
        Self::NAMES.into_iter().rev().find_map(Self::named).unwrap_or(Self::Portable(Portable))
    }
}

/// Runs work that needs no kernel, compiled for the best instructions of this processor.
pub(super) fn run(work: impl KernelWork) {
    match Chosen::best() {
        #[cfg(target_arch = "x86_64")]
        Chosen::Avx512(kernel) => Kernel::<3>::run(kernel, work),
        #[cfg(target_arch = "x86_64")]
        Chosen::Avx2(kernel) => Kernel::<3>::run(kernel, work),
        Chosen::Portable(kernel) => Kernel::<3>::run(kernel, work),
    }
}

/// Something to be run; `run` is to be inlined.
pub(super) trait KernelWork {
    fn run(self);
}

/// The searching body, spread over the lanes; or bodies, one in each lane.
#[derive(Clone, Copy)]
pub(super) struct Query<V, const D: usize> {
    pub position: [V; D],
    /// Radius plus margin.
    pub radius: V,
}

#[cfg(test)]
mod tests;
