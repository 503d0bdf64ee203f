//! The kernel in plain Rust: what every other kernel must agree with.

use super::{Hit, Kernel, LANES, Query, Verdict};
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
    fn test(bodies: &Lanes<'_, R, D>, first: usize, query: &Query<Self::Vector, D>) -> Verdict {
        let mut squared = [R::default(); LANES];
        for axis in 0..D {
            let positions = &bodies.position[axis][first..first + LANES];
            for lane in 0..LANES {
                let difference = positions[lane] - query.position[axis][lane];
                squared[lane] = squared[lane] + difference * difference;
            }
        }
        let radii = &bodies.radius[first..first + LANES];
        let mut verdict = Verdict { touching: 0, doubtful: false };
        for lane in 0..LANES {
            let reach = radii[lane] + query.radius[lane];
            let t = squared[lane] - reach * reach;
            verdict.touching |= u32::from(t < R::default()) << lane;
            verdict.doubtful |= t.abs() <= query.band[lane];
        }
        verdict
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
