//! Sizes by powers of two: what keeps one boulder from widening every halo.

use crate::transport::Transport;

/// Octaves that are told apart; larger bodies are all in the last one.
const COUNT: usize = 64;

/// The largest radius of every octave, as all ranks know it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Octaves {
    /// Binary exponent of the smallest radius above zero.
    first: u64,
    largest: [f64; COUNT],
}

/// The exponent, from the bits: ranks must agree, and logarithms may not.
fn exponent(radius: f64) -> u64 {
    radius.to_bits() >> 52
}

impl Octaves {
    /// Of the bodies of all ranks, of which these are this rank's.
    pub(crate) fn agree(transport: &mut dyn Transport, radii: &[f64]) -> Self {
        let smallest = radii.iter().filter(|&&radius| radius > 0.0).map(|&radius| exponent(radius)).min();
        let mut first = [!smallest.unwrap_or(u64::MAX)];
        transport.all_max(&mut first);
        let mut octaves = Self { first: !first[0], largest: [0.0; COUNT] };
        // Floats that are not negative compare as their bits do.
        let mut words = [0; COUNT];
        for &radius in radii {
            let word = &mut words[octaves.of(radius)];
            *word = (*word).max(radius.to_bits());
        }
        transport.all_max(&mut words);
        octaves.largest = words.map(f64::from_bits);
        octaves
    }

    /// The largest radius of the octave that the middle one of all bodies is in; collective.
    pub(crate) fn middle(&self, transport: &mut dyn Transport, radii: &[f64]) -> f64 {
        let mut counts = [0; COUNT];
        radii.iter().for_each(|&radius| counts[self.of(radius)] += 1);
        transport.all_sum(&mut counts);
        let half = counts.iter().sum::<u64>() / 2;
        let mut below = 0;
        for (count, largest) in counts.iter().zip(self.largest) {
            below += count;
            if below > half {
                return largest;
            }
        }
        0.0
    }

    /// The octave of a radius.
    #[inline]
    pub fn of(&self, radius: f64) -> usize {
        (exponent(radius).saturating_sub(self.first) as usize).min(COUNT - 1)
    }

    /// The largest radius in the octave of this one.
    #[inline]
    pub fn largest_beside(&self, radius: f64) -> f64 {
        self.largest[self.of(radius)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread_rank::run_ranks;

    #[test]
    fn ranks_agree_on_octaves() {
        let radii = [[0.0, 1.0, 1.5], [3.0, 2.0, 900.0], [1e30, 0.0, 2.5]];
        let seen = run_ranks(4, |transport| {
            let rank = transport.rank();
            Octaves::agree(transport, radii.get(rank).map_or(&[], |radii| &radii[..]))
        });
        assert!(seen.iter().all(|octaves| *octaves == seen[0]));
        let octaves = &seen[0];
        assert_eq!([0.0, 1.0, 1.999, 2.0, 900.0, 1e30].map(|radius| octaves.of(radius)), [0, 0, 0, 1, 9, 63]);
        assert_eq!([0.5, 2.0, 900.0].map(|radius| octaves.largest_beside(radius)), [1.5, 3.0, 900.0]);
    }
}
