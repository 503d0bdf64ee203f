//! The one overlap test. Every detector decides as these functions do, so agreement is set equality.

use crate::domain::along::translation_along;
use crate::snapshot::Snapshot;

/// The vector from a body at `a` to the image of a body at `b` that lies `shift` periods away: `(b - a) + shift * L`,
/// with positions as given.
#[inline]
pub fn contact_vector<const D: usize>(a: [f64; D], b: [f64; D], shift: [i32; D], lengths: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| {
        let difference = b[axis] - a[axis];
        match shift[axis] {
            0 => difference,
            shift => difference + translation_along(shift, lengths[axis]),
        }
    })
}

/// The same across any translation: `(b - a) + translation`.
#[inline]
pub fn translated_vector<const D: usize>(a: [f64; D], b: [f64; D], translation: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| (b[axis] - a[axis]) + translation[axis])
}

/// Distance below which bodies of these radii touch.
#[inline]
pub fn reach(radius_a: f64, radius_b: f64, margin: f64) -> f64 {
    (radius_a + radius_b) + margin
}

/// Whether bodies that touch within `reach` do so across `vector`. Touching exactly is no contact.
#[inline]
pub fn touches<const D: usize>(vector: [f64; D], reach: f64) -> bool {
    squared(vector) < reach * reach
}

/// Squared length, summed from left to right without fused multiply-add.
#[inline]
fn squared<const D: usize>(vector: [f64; D]) -> f64 {
    let mut sum = vector[0] * vector[0];
    for component in &vector[1..] {
        sum += component * component;
    }
    sum
}

impl<const D: usize> Snapshot<'_, D> {
    /// The vector from body `i` to the image of body `j` that `shift` names: `(x_j - x_i) + shift * L`, with positions
    /// as given.
    #[inline(always)]
    pub fn contact_vector(&self, i: usize, j: usize, shift: [i32; D]) -> [f64; D] {
        let (a, b) = (self.centers()[i], self.centers()[j]);
        match self.domain().cell() {
            None => contact_vector(a, b, shift, self.domain().lengths()),
            Some(cell) => translated_vector(a, b, cell.translation(shift)),
        }
    }

    /// Whether body `i` touches the image of body `j` that `shift` names. Touching exactly is no contact.
    #[inline(always)]
    pub fn overlaps(&self, i: usize, j: usize, shift: [i32; D]) -> bool {
        let reach = reach(self.radii()[i], self.radii()[j], self.margin());
        touches(self.contact_vector(i, j, shift), reach)
    }

    /// How deep two bodies overlap: `r_i + r_j - distance`; negative for a gap.
    pub fn overlap_depth(&self, i: usize, j: usize, shift: [i32; D]) -> f64 {
        self.radii()[i] + self.radii()[j] - squared(self.contact_vector(i, j, shift)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Domain, Snapshot};

    #[test]
    fn touching_exactly_is_no_contact() {
        let centers = [[0.0, 0.0], [2.0, 0.0], [2.0 - f64::EPSILON, 0.0]];
        let now = Snapshot::new(&centers, &[1.0; 3]).unwrap();
        assert!(!now.overlaps(0, 1, [0, 0]));
        assert!(now.overlaps(0, 2, [0, 0]));
        assert!(now.with_margin(0.5).unwrap().overlaps(0, 1, [0, 0]));
    }

    #[test]
    fn shift_moves_the_second_body_by_whole_periods() {
        let centers = [[0.5, 0.0], [9.5, 0.0]];
        let now = Snapshot::new(&centers, &[1.0; 2]).unwrap();
        let now = now.within(Domain::new([0.0; 2], [10.0; 2], [true, false]).unwrap()).unwrap();
        assert_eq!(now.contact_vector(0, 1, [-1, 0]), [-1.0, 0.0]);
        assert!(now.overlaps(0, 1, [-1, 0]));
        assert_eq!(now.overlap_depth(0, 1, [-1, 0]), 1.0);
    }
}
