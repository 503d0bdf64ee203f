//! The kernel in plain Rust: what every other kernel must agree with.

use super::{Hit, Kernel, LANES, Query};
use crate::detectors::hgrid::columns::Lanes;
use crate::detectors::hgrid::real::Real;

/// Runs anywhere, in either precision.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Portable;

impl<R: Real, const D: usize> Kernel<R, D> for Portable {
    type Vector = [R; LANES];

    #[inline(always)]
    fn splat(value: R) -> Self::Vector {
        [value; LANES]
    }

    #[inline(always)]
    fn test(bodies: &Lanes<'_, R, D>, first: usize, query: &Query<Self::Vector, D>) -> Self::Vector {
        let mut squared = [R::default(); LANES];
        for axis in 0..D {
            let positions = &bodies.position[axis][first..first + LANES];
            for lane in 0..LANES {
                let difference = query.position[axis][lane] - positions[lane];
                squared[lane] = squared[lane] + difference * difference;
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
        lanes.iter().enumerate().fold(0, |mask, (lane, &t)| mask | u32::from(t < R::default()) << lane)
    }

    #[inline(always)]
    fn size(lanes: Self::Vector) -> Self::Vector {
        lanes.map(R::abs)
    }

    #[inline(always)]
    fn smaller(a: Self::Vector, b: Self::Vector) -> Self::Vector {
        std::array::from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn any_within(lanes: Self::Vector, band: Self::Vector) -> bool {
        (0..LANES).fold(false, |any, lane| any | (lanes[lane] <= band[lane]))
    }

    #[inline(always)]
    fn emit(ids: &[u32], block: usize, hits: &[Hit], pairs: &mut [[u32; 2]]) -> usize {
        let mut count = 0;
        for hit in hits {
            let own = ids[block + hit.own()];
            let mut mask = hit.mask();
            while mask != 0 {
                let other = ids[hit.first() + mask.trailing_zeros() as usize];
                pairs[count] = [own.min(other), own.max(other)];
                count += 1;
                mask &= mask - 1;
            }
        }
        count
    }
}
