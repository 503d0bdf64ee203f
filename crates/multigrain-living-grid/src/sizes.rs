//! Which sizes the bodies of a level have, so that a query looks no farther than they reach.

/// Classes of radii: class `k` has those above `max_radius / 2^(k + 1)`, the last one all that are smaller.
const CLASSES: usize = 64;

/// How many bodies are in each class.
#[derive(Debug, Clone)]
pub(super) struct SizeClasses {
    counts: [u32; CLASSES],
    /// Bit `k` is set where class `k` has bodies.
    occupied: u64,
}

impl Default for SizeClasses {
    fn default() -> Self {
        Self { counts: [0; CLASSES], occupied: 0 }
    }
}

impl SizeClasses {
    pub fn add(&mut self, class: usize) {
        self.counts[class] += 1;
        self.occupied |= 1 << class;
    }

    pub fn remove(&mut self, class: usize) {
        self.counts[class] -= 1;
        if self.counts[class] == 0 {
            self.occupied &= !(1 << class);
        }
    }

    /// The class of the largest bodies, if there are any.
    pub fn largest(&self) -> Option<usize> {
        (self.occupied != 0).then(|| self.occupied.trailing_zeros() as usize)
    }
}

/// The class of a radius up to `max_radius`.
pub(super) fn class_of(radius: f64, max_radius: f64) -> usize {
    // At least 1, and infinite for points, so that its exponent is the class. Where rounding has made it a power of two,
    // the bound tells.
    let exponent = ((max_radius / radius).to_bits() >> 52) as usize - 1023;
    let class = exponent.min(CLASSES - 1);
    if bound_of(class, max_radius) < radius { class - 1 } else { class }
}

/// What no radius of a class exceeds.
pub(super) fn bound_of(class: usize, max_radius: f64) -> f64 {
    max_radius / (1u64 << class) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_bound_their_radii_within_a_factor_of_two() {
        for max_radius in [1.0, 1500.0, 0.3, 1e150, 1e-140] {
            for k in 0..2000 {
                let exact = max_radius * 0.5f64.powi(k % 60);
                for radius in [exact, exact.next_down(), exact * (1.0 - 2e-4 * f64::from(k)).max(0.51)] {
                    let bound = bound_of(class_of(radius, max_radius), max_radius);
                    assert!(
                        radius <= bound && bound < 2.0 * radius * (1.0 + 1e-12),
                        "{radius} of {max_radius}: {bound}"
                    );
                }
            }
            assert_eq!(class_of(0.0, max_radius), CLASSES - 1);
        }
    }
}
