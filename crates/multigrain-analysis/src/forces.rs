//! How forces are distributed among contacts.

use crate::Contact;
use crate::tensors::normal_force;

/// Normal forces of contacts, by their mean.
#[derive(Debug, Clone, PartialEq)]
pub struct ForceStatistics {
    /// Mean of the normal forces.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// Share of contacts with more than the mean: those of force chains.
    pub strong_share: f64,
    /// Density of probability of f / mean, up to six: the middle of each bin, and the density there.
    pub density: Vec<(f64, f64)>,
}

/// Forces above this many times the mean are in no bin.
const MAX_FORCE: f64 = 6.0;

/// Statistics of normal forces, in `bins` bins up to six times the mean; none where forces are not known or all vanish.
pub fn force_statistics<const D: usize>(contacts: &[Contact<D>], bins: usize) -> Option<ForceStatistics> {
    let forces: Vec<f64> = contacts.iter().map(normal_force).collect::<Option<_>>()?;
    let mean = forces.iter().sum::<f64>() / forces.len().max(1) as f64;
    if mean <= 0.0 || !mean.is_finite() || bins == 0 {
        return None;
    }
    let width = MAX_FORCE / bins as f64;
    let mut counts = vec![0u64; bins];
    for force in &forces {
        if let Some(count) = counts.get_mut((force / mean / width).max(0.0) as usize) {
            *count += 1;
        }
    }
    let density = |(k, &count): (usize, &u64)| ((k as f64 + 0.5) * width, count as f64 / (forces.len() as f64 * width));
    Some(ForceStatistics {
        mean,
        max: forces.iter().copied().fold(0.0, f64::max),
        strong_share: forces.iter().filter(|&&force| force > mean).count() as f64 / forces.len() as f64,
        density: counts.iter().enumerate().map(density).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushing(force: f64) -> Contact<2> {
        Contact { pair: [0, 1], branch: [2.0, 0.0], overlap: 0.0, force: Some([force, 7.0]) }
    }

    #[test]
    fn forces_are_counted_by_their_mean() {
        let found = force_statistics(&[1.0, 1.0, 4.0].map(pushing), 12).unwrap();
        assert_eq!((found.mean, found.max, found.strong_share), (2.0, 4.0, 1.0 / 3.0));
        assert_eq!(found.density[1], (0.75, 2.0 / 3.0 / 0.5));
        let area: f64 = found.density.iter().map(|(_, density)| density * 0.5).sum();
        assert!((area - 1.0).abs() < 1e-12);
        assert_eq!(force_statistics::<2>(&[], 12), None);
        assert_eq!(force_statistics(&[Contact { force: None, ..pushing(1.0) }], 12), None);
    }
}
