//! Which bodies must look across periodic borders.

use super::real::Real;
use super::search::View;

/// Where images begin to matter, relative to the origin of the columns.
pub(super) struct Border<R, const D: usize> {
    lo: [R; D],
    hi: [R; D],
}

impl<R: Real, const D: usize> Border<R, D> {
    pub fn new<I>(view: &View<'_, I, R, D>) -> Self {
        let mut border = Self { lo: [R::from_f64(f64::NEG_INFINITY); D], hi: [R::from_f64(f64::INFINITY); D] };
        let bounds = view.grids.iter().map(|level| level.grid.bounds());
        let (lo, hi) = bounds
            .reduce(|a, b| {
                let smaller = std::array::from_fn(|axis| a.0[axis].min(b.0[axis]));
                (smaller, std::array::from_fn(|axis| a.1[axis].max(b.1[axis])))
            })
            .unwrap_or(([0.0; D], [0.0; D]));
        for axis in 0..D {
            if let Some(length) = view.images.period(axis) {
                border.lo[axis] = R::from_f64(hi[axis] - length - view.origin[axis]);
                border.hi[axis] = R::from_f64(lo[axis] + length - view.origin[axis]);
            }
        }
        border
    }

    /// Whether an image of a body may be within `reach` of `position`.
    #[inline(always)]
    pub fn is_near(&self, position: [R; D], reach: R) -> bool {
        (0..D).any(|axis| position[axis] - reach <= self.lo[axis] || position[axis] + reach >= self.hi[axis])
    }
}
