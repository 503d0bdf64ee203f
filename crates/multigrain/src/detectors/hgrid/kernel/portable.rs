//! The kernel in plain Rust: what every other kernel must agree with. Lanes are arrays of fixed size, without branches, so that
//! the compiler makes vectors of them (SSE2 on every x86-64, NEON on every ARM of 64 bits).
//!
//! GAIN: signs as bits by an instruction that every x86-64 has, pairs by set bits, masks by whole words; 1e6 bodies, one thread,
//! in turns with plain loops: searching takes 49 ns a body instead of 70 on `mono`, 40 instead of 109 on `us50`, 51 instead of 67
//! on `uv50`.
#![allow(unsafe_code)]

use super::{Kernel, KernelWork, LANES, MAX_WIDTH, Query};
use crate::detectors::hgrid::columns::Lanes;
use crate::detectors::hgrid::hits::CHUNK;

/// Runs anywhere.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Portable;

impl<const D: usize> Kernel<D> for Portable {
    type Vector = [f32; LANES];

    #[inline(never)]
    fn run(self, work: impl KernelWork) {
        work.run();
    }

    const MAX_LEFT: usize = usize::MAX;

    #[inline(always)]
    fn splat(value: f32) -> Self::Vector {
        [value; LANES]
    }

    #[inline(always)]
    fn load(values: [f32; LANES]) -> Self::Vector {
        values
    }

    #[inline(always)]
    fn test(bodies: &Lanes<'_, D>, first: usize, query: &Query<Self::Vector, D>) -> Self::Vector {
        <Self as Kernel<D>>::wide_test(&<Self as Kernel<D>>::wide_load(bodies, first), query)
    }

    #[inline(always)]
    fn negative(lanes: Self::Vector) -> u32 {
        signs(lanes)
    }

    #[inline(always)]
    fn size(lanes: Self::Vector) -> Self::Vector {
        lanes.map(f32::abs)
    }

    #[inline(always)]
    fn smaller(a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn within(lanes: Self::Vector, band: Self::Vector) -> u32 {
        signs(at_most(lanes, band))
    }

    #[inline(always)]
    fn lanes_left(mask: u32, left: usize) -> u32 {
        mask & !(u32::MAX << left.min(LANES))
    }

    #[inline(always)]
    fn keep(values: [u32; LANES], mask: u32) -> [u32; LANES] {
        let mut kept = [0; LANES];
        let mut count = 0;
        for (lane, value) in values.into_iter().enumerate() {
            kept[count % LANES] = value;
            count += (mask >> lane & 1) as usize;
        }
        kept
    }

    #[inline(always)]
    fn touching(masks: &[u8; CHUNK]) -> u64 {
        // Eight masks are a word. Adding carries into the top bit of every byte that is not zero; a product brings these bits
        // together.
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let (words, _) = masks.as_chunks::<8>();
        words.iter().enumerate().fold(0, |touching, (k, &word)| {
            let word = u64::from_le_bytes(word);
            let top = (((word & LOW) + LOW) | word) & !LOW;
            touching | ((top >> 7).wrapping_mul(GATHER) >> 56) << (8 * k)
        })
    }

    #[inline(always)]
    fn write(ids: &[u32], p: usize, first: usize, mask: u8, pairs: &mut [[u32; 2]], count: usize) -> usize {
        write::<LANES>(ids, p, first, u32::from(mask), pairs, count)
    }

    type Wide = [f32; LANES];

    const WIDTH: usize = LANES;

    type WideLanes = u32;

    #[inline(always)]
    fn wide_splat(value: f32) -> Self::Wide {
        [value; LANES]
    }

    #[inline(always)]
    fn wide_load(bodies: &Lanes<'_, D>, first: usize) -> Query<Self::Wide, D> {
        let load = |column: &[f32]| {
            let mut lanes = [0.0; LANES];
            lanes.copy_from_slice(&column[first..first + LANES]);
            lanes
        };
        Query { position: bodies.position.map(load), radius: load(bodies.radius) }
    }

    #[inline(always)]
    fn wide_test(bodies: &Query<Self::Wide, D>, query: &Query<Self::Wide, D>) -> Self::Wide {
        std::array::from_fn(|lane| {
            let squared = (0..D).fold(0.0, |sum, axis| {
                let difference = query.position[axis][lane] - bodies.position[axis][lane];
                sum + difference * difference
            });
            let reach = bodies.radius[lane] + query.radius[lane];
            squared - reach * reach
        })
    }

    #[inline(always)]
    fn wide_nearer(a: Self::Wide, b: Self::Wide) -> Self::Wide {
        <Self as Kernel<D>>::smaller(a, <Self as Kernel<D>>::size(b))
    }

    #[inline(always)]
    fn wide_without(lanes: Self::Wide, skipped: usize) -> Self::Wide {
        std::array::from_fn(|lane| if lane < skipped { f32::INFINITY } else { lanes[lane] })
    }

    #[inline(always)]
    fn wide_lanes(left: usize, skipped: usize) -> u32 {
        !(u32::MAX << left.min(LANES)) & u32::MAX << skipped
    }

    #[inline(always)]
    fn wide_negative(lanes: Self::Wide, of: u32) -> u16 {
        (signs(lanes) & of) as u16
    }

    #[inline(always)]
    fn wide_within(lanes: Self::Wide, band: Self::Wide, of: u32) -> u16 {
        (signs(at_most(<Self as Kernel<D>>::size(lanes), band)) & of) as u16
    }

    #[inline(always)]
    fn wide_touching(masks: &[u16; CHUNK]) -> u64 {
        // As for masks of eight bits, four to a word.
        const LOW: u64 = 0x7fff_7fff_7fff_7fff;
        const GATHER: u64 = 0x0001_0002_0004_0008;
        let (words, _) = masks.as_chunks::<4>();
        words.iter().enumerate().fold(0, |touching, (k, &[a, b, c, d])| {
            let word = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48;
            let top = (((word & LOW) + LOW) | word) & !LOW;
            touching | ((top >> 15).wrapping_mul(GATHER) >> 48 & 0xf) << (4 * k)
        })
    }

    #[inline(always)]
    fn wide_write(ids: &[u32], p: usize, first: usize, mask: u16, pairs: &mut [[u32; 2]], count: usize) -> usize {
        write::<MAX_WIDTH>(ids, p, first, u32::from(mask), pairs, count)
    }
}

/// For each lane a value with its sign set where that of `lanes` is at most that of `band`.
#[inline(always)]
fn at_most(lanes: [f32; LANES], band: [f32; LANES]) -> [f32; LANES] {
    std::array::from_fn(|lane| f32::from_bits(if lanes[lane] <= band[lane] { u32::MAX } else { 0 }))
}

/// A bit per lane: whether its sign is set.
#[inline(always)]
fn signs(lanes: [f32; LANES]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has SSE2; both halves of the lanes are inside.
    unsafe {
        use std::arch::x86_64::{_mm_loadu_ps, _mm_movemask_ps};
        let half = |k| _mm_movemask_ps(_mm_loadu_ps(lanes.as_ptr().add(k))) as u32;
        half(0) | half(4) << 4
    }
    #[cfg(not(target_arch = "x86_64"))]
    plain_signs(lanes)
}

/// The same on any processor: each lane keeps a bit of its own, and all bits are brought together.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn plain_signs(lanes: [f32; LANES]) -> u32 {
    let bits: [u32; LANES] = std::array::from_fn(|lane| (lanes[lane].to_bits() as i32 >> 31) as u32 & 1 << lane);
    bits.into_iter().fold(0, |all, bit| all | bit)
}

/// Writes the pairs of body `p` and those of `N` bodies from `first` on whose bit is set.
#[inline(always)]
fn write<const N: usize>(
    ids: &[u32],
    p: usize,
    first: usize,
    mut mask: u32,
    pairs: &mut [[u32; 2]],
    count: usize,
) -> usize {
    let own = ids[p];
    let others = &ids[first..first + N];
    let place = &mut pairs[count..count + N];
    let mut found = 0;
    // As many steps as there are pairs: mostly one or two.
    while mask != 0 {
        let other = others[mask.trailing_zeros() as usize % N];
        mask &= mask - 1;
        place[found % N] = [own.min(other), own.max(other)];
        found += 1;
    }
    count + found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_become_bits_on_every_processor() {
        let values = [1.0, -1.0, -f32::INFINITY, f32::INFINITY, -1e-40, 0.0, f32::from_bits(u32::MAX), 3.0];
        for turn in 0..LANES {
            let mut lanes = values;
            lanes.rotate_left(turn);
            let expected = (0..LANES).filter(|&lane| lanes[lane].is_sign_negative()).map(|lane| 1 << lane).sum::<u32>();
            assert_eq!((signs(lanes), plain_signs(lanes)), (expected, expected), "{lanes:?}");
        }
    }
}
