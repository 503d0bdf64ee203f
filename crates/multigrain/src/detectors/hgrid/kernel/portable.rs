//! The kernel in plain Rust: what every other kernel must agree with.

use super::{Kernel, LANES, MAX_WIDTH, Query, Work};
use crate::detectors::hgrid::columns::Lanes;
use crate::detectors::hgrid::hits::CHUNK;

/// Runs anywhere.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Portable;

impl<const D: usize> Kernel<D> for Portable {
    type Vector = [f32; LANES];

    #[inline(never)]
    fn run(work: impl Work) {
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
        let mut squared = [0.0; LANES];
        for axis in 0..D {
            let positions = &bodies.position[axis][first..first + LANES];
            for lane in 0..LANES {
                let difference = query.position[axis][lane] - positions[lane];
                squared[lane] += difference * difference;
            }
        }
        let radii = &bodies.radius[first..first + LANES];
        std::array::from_fn(|lane| {
            let reach = radii[lane] + query.radius[lane];
            squared[lane] - reach * reach
        })
    }

    #[inline(always)]
    fn negative(lanes: Self::Vector) -> u32 {
        lanes.iter().enumerate().fold(0, |mask, (lane, &t)| mask | u32::from(t < 0.0) << lane)
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
        (0..LANES).fold(0, |mask, lane| mask | u32::from(lanes[lane] <= band[lane]) << lane)
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
        masks.iter().enumerate().fold(0, |touching, (test, &mask)| touching | u64::from(mask != 0) << test)
    }

    #[inline(always)]
    fn write(ids: &[u32], p: usize, first: usize, mask: u8, pairs: &mut [[u32; 2]], count: usize) -> usize {
        let own = ids[p];
        let mut count = count;
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            let other = ids[first + lane];
            pairs[count] = [own.min(other), own.max(other)];
            count += 1;
        }
        count
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
        let load = |column: &[f32]| std::array::from_fn(|lane| column[first..first + LANES][lane]);
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
        std::array::from_fn(|lane| if a[lane] < b[lane].abs() { a[lane] } else { b[lane].abs() })
    }

    #[inline(always)]
    fn wide_without(lanes: Self::Wide, skipped: usize) -> Self::Wide {
        std::array::from_fn(|lane| if lane < skipped { f32::INFINITY } else { lanes[lane] })
    }

    #[inline(always)]
    fn wide_any_within(lanes: Self::Wide, band: Self::Wide) -> bool {
        (0..LANES).fold(false, |any, lane| any | (lanes[lane] <= band[lane]))
    }

    #[inline(always)]
    fn wide_lanes(left: usize, skipped: usize) -> u32 {
        !(u32::MAX << left.min(LANES)) & u32::MAX << skipped
    }

    #[inline(always)]
    fn wide_negative(lanes: Self::Wide, of: u32) -> u16 {
        (<Self as Kernel<D>>::negative(lanes) & of) as u16
    }

    #[inline(always)]
    fn wide_touching(masks: &[u16; CHUNK]) -> u64 {
        masks.iter().enumerate().fold(0, |touching, (test, &mask)| touching | u64::from(mask != 0) << test)
    }

    #[inline(always)]
    fn wide_write(ids: &[u32], p: usize, first: usize, mask: u16, pairs: &mut [[u32; 2]], count: usize) -> usize {
        let own = ids[p];
        let mut count = count;
        for lane in (0..MAX_WIDTH).filter(|lane| mask >> lane & 1 == 1) {
            let other = ids[first + lane];
            pairs[count] = [own.min(other), own.max(other)];
            count += 1;
        }
        count
    }
}
