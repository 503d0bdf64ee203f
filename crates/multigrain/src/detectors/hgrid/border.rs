//! Which bodies must look across periodic borders.

use super::columns::Lanes;
use super::hits::CHUNK;
use super::kernel::Kernel;
use super::search::{BLOCK, View};

/// Where images begin to matter, relative to the origin of the columns.
pub(super) struct Border<const D: usize> {
    lo: [f32; D],
    hi: [f32; D],
}

impl<const D: usize> Border<D> {
    pub fn new(view: &View<'_, D>) -> Self {
        let mut border = Self { lo: [f32::NEG_INFINITY; D], hi: [f32::INFINITY; D] };
        let bounds = view.grids.iter().map(|level| level.grid.bounds());
        let (lo, hi) = bounds
            .reduce(|a, b| {
                let smaller = std::array::from_fn(|axis| a.0[axis].min(b.0[axis]));
                (smaller, std::array::from_fn(|axis| a.1[axis].max(b.1[axis])))
            })
            .unwrap_or(([0.0; D], [0.0; D]));
        for axis in 0..D {
            if let Some(length) = view.images.period(axis) {
                border.lo[axis] = (hi[axis] - length - view.origin[axis]) as f32;
                border.hi[axis] = (lo[axis] + length - view.origin[axis]) as f32;
            }
        }
        border
    }

    /// A bit for each of up to [`BLOCK`] bodies: whether an image of a body may be within reach, which is `factor` times the
    /// radius plus `constant`. With `half`, only images beyond the upper borders count: among equals, the partner sees the
    /// others.
    #[inline(always)]
    pub fn near<K: Kernel<D>>(&self, bodies: &Lanes<'_, D>, factor: f32, constant: f32, half: bool) -> u64 {
        let mut near = [0; CHUNK];
        for (k, near) in near.iter_mut().enumerate().take(bodies.radius.len()) {
            let reach = bodies.radius[k] * factor + constant;
            for axis in 0..D {
                let x = bodies.position[axis][k];
                *near |= u8::from(x + reach >= self.hi[axis]) | u8::from(!half & (x - reach <= self.lo[axis]));
            }
        }
        K::touching(&near)
    }
}

// A bit for each body of a block.
const _: () = assert!(BLOCK == CHUNK);
