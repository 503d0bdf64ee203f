//! Periodic images, for every method: bodies are stored once, wrapped into the box; a searching body repeats its search
//! once per image that its reach touches. Nothing is copied, so one huge body costs no more than its contacts.

use crate::domain::along::{less_along, periods_along, translation_along};
use crate::pairs::is_positive;
use crate::snapshot::Snapshot;

/// Wraps bodies into the periodic box and finds the images a search must visit. Free of cost in open domains.
#[derive(Debug, Clone)]
pub struct Images<const D: usize> {
    lo: [f64; D],
    lengths: [f64; D],
    /// Whether any axis is periodic.
    periodic: bool,
    /// Periods between each body as given and as stored; empty where all bodies lie inside the box.
    wraps: Vec<[i32; D]>,
    any_outside: bool,
}

impl<const D: usize> Default for Images<D> {
    fn default() -> Self {
        Self { lo: [0.0; D], lengths: [0.0; D], periodic: false, wraps: Vec::new(), any_outside: false }
    }
}

impl<const D: usize> Images<D> {
    /// Takes over the domain of a snapshot and finds out which bodies lie outside it.
    pub fn update(&mut self, now: &Snapshot<'_, D>) {
        let domain = now.domain();
        self.periodic = domain.has_images();
        self.any_outside = false;
        self.wraps.clear();
        for axis in 0..D {
            self.lengths[axis] = domain.length(axis);
            self.lo[axis] = if domain.is_periodic(axis) { domain.lo()[axis] } else { 0.0 };
            if domain.is_periodic(axis) {
                let extent = now.extent();
                self.any_outside |= extent.lo[axis] < domain.lo()[axis] || extent.hi[axis] >= domain.hi()[axis];
            }
        }
        if self.any_outside {
            self.wraps.extend(now.centers().iter().map(|center| wraps_of(center, &self.lo, &self.lengths)));
        }
    }

    /// Whether any axis is periodic, so that pairs carry shifts.
    #[inline]
    pub fn are_periodic(&self) -> bool {
        self.periodic
    }

    /// The length of a periodic axis.
    pub fn period(&self, axis: usize) -> Option<f64> {
        (self.lengths[axis] > 0.0).then_some(self.lengths[axis])
    }

    /// Whether any body is stored elsewhere than given, so that its stored center is rounded.
    pub fn any_outside(&self) -> bool {
        self.any_outside
    }

    /// Where body `i`, given at `center`, is stored: inside the box along periodic axes, up to rounding.
    #[inline]
    pub fn stored_center(&self, i: usize, center: [f64; D]) -> [f64; D] {
        if !self.any_outside {
            return center;
        }
        let wrap = self.wraps[i];
        std::array::from_fn(|axis| less_along(center[axis], wrap[axis], self.lengths[axis]))
    }

    /// The point from which a body stored at `center` sees the image `shift` as if it were stored: `center - shift * L`.
    #[inline]
    pub fn seen_from(&self, center: [f64; D], shift: [i32; D]) -> [f64; D] {
        std::array::from_fn(|axis| center[axis] - translation_along(shift[axis], self.lengths[axis]))
    }

    /// The shift to report for bodies `i` and `j`, found with `shift` between their stored positions.
    #[inline]
    pub fn reported_shift(&self, i: usize, j: usize, shift: [i32; D]) -> [i32; D] {
        if !self.any_outside {
            return shift;
        }
        let (a, b) = (self.wraps[i], self.wraps[j]);
        std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis])
    }

    /// All shifts that bring a body stored within `lo..hi` into `reach` of one stored at `center`. The reach includes the
    /// slack for rounding.
    pub fn shifts(&self, center: [f64; D], reach: [f64; D], lo: [f64; D], hi: [f64; D]) -> ShiftRange<D> {
        let mut range = ShiftRange { first: [0; D], last: [0; D] };
        for axis in 0..D {
            let length = self.lengths[axis];
            if length > 0.0 {
                range.first[axis] = ((center[axis] - reach[axis] - hi[axis]) / length).ceil() as i32;
                range.last[axis] = ((center[axis] + reach[axis] - lo[axis]) / length).floor() as i32;
            }
        }
        range
    }

    /// Bounds of all bodies as stored.
    pub fn stored_extent(&self, now: &Snapshot<'_, D>) -> ([f64; D], [f64; D]) {
        let extent = now.extent();
        if !self.any_outside {
            return (extent.lo, extent.hi);
        }
        let (mut lo, mut hi) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
        for (i, &center) in now.centers().iter().enumerate() {
            let center = self.stored_center(i, center);
            for axis in 0..D {
                lo[axis] = lo[axis].min(center[axis]);
                hi[axis] = hi[axis].max(center[axis]);
            }
        }
        (lo, hi)
    }
}

fn wraps_of<const D: usize>(center: &[f64; D], lo: &[f64; D], lengths: &[f64; D]) -> [i32; D] {
    std::array::from_fn(|axis| periods_along(center[axis], lo[axis], lengths[axis]))
}

/// A box of image shifts, borders included; empty where a `first` is above its `last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShiftRange<const D: usize> {
    pub first: [i32; D],
    pub last: [i32; D],
}

impl<const D: usize> ShiftRange<D> {
    /// Whether the only shift is none at all: the common case, away from periodic borders.
    #[inline]
    pub fn is_home_only(&self) -> bool {
        self.first == [0; D] && self.last == [0; D]
    }

    /// Whether this is one of the shifts.
    #[inline]
    pub fn contains(&self, shift: [i32; D]) -> bool {
        (0..D).all(|axis| (self.first[axis]..=self.last[axis]).contains(&shift[axis]))
    }

    /// Every shift.
    pub fn iter(self) -> impl Iterator<Item = [i32; D]> {
        let mut next = (0..D).all(|axis| self.first[axis] <= self.last[axis]).then_some(self.first);
        std::iter::from_fn(move || {
            let current = next?;
            next = (0..D).find(|&axis| current[axis] < self.last[axis]).map(|axis| {
                let mut following = current;
                following[axis] += 1;
                following[..axis].copy_from_slice(&self.first[..axis]);
                following
            });
            Some(current)
        })
    }

    /// One of each pair of opposite shifts, and not zero: for searches among equals, where the partner does the rest.
    pub fn positive_half(self) -> impl Iterator<Item = [i32; D]> {
        self.iter().filter(|&shift| is_positive(shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shift_ranges_list_every_shift_once() {
        let range = ShiftRange { first: [-1, 0], last: [1, 1] };
        let mut all: Vec<_> = range.iter().collect();
        all.sort_unstable();
        assert_eq!(all, [[-1, 0], [-1, 1], [0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(range.positive_half().count(), 3);
        assert_eq!(ShiftRange { first: [1, 0], last: [0, 0] }.iter().count(), 0);
    }
}
