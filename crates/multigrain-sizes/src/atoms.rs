//! Radii that are single values: samples, tables, one or two sizes.

use crate::distribution::{Moments, Side, Split};

/// Radii per block of stored sums: a query adds up less than this many by itself.
const BLOCK: usize = 64;

/// Sorted radii with sums of their powers, from either end and by block, so that a sum over any interval is a binary
/// search, a few dozen additions, and free of cancellation.
#[derive(Debug, Clone, PartialEq)]
pub struct Atoms {
    radii: Vec<f64>,
    /// Share of each radius; without, all have the same.
    weights: Option<Vec<f64>>,
    total: f64,
    blocks: Vec<Moments>,
    /// Sums over the blocks before each one, and over all.
    before: Vec<Moments>,
    /// Sums over the blocks from each one on, and 0.
    from: Vec<Moments>,
}

impl Atoms {
    /// A sample: every radius counts once. Radii are finite, at least one, not negative.
    pub fn sample(radii: impl Iterator<Item = f64>) -> Self {
        // The bits of numbers that are not negative sort as the numbers do, and integers sort faster.
        let mut bits: Vec<u64> = radii.map(|radius| (radius + 0.0).to_bits()).collect();
        bits.sort_unstable();
        Self::new(bits.into_iter().map(f64::from_bits).collect(), None)
    }

    /// Ascending radii with positive weights.
    pub fn weighted(radii: Vec<f64>, weights: Vec<f64>) -> Self {
        Self::new(radii, Some(weights))
    }

    fn new(radii: Vec<f64>, weights: Option<Vec<f64>>) -> Self {
        let mut atoms = Self { radii, weights, total: 1.0, blocks: vec![], before: vec![], from: vec![] };
        let starts = (0..atoms.radii.len()).step_by(BLOCK);
        atoms.blocks = starts.map(|start| atoms.sum(start, atoms.radii.len().min(start + BLOCK))).collect();
        atoms.before = running_sums(atoms.blocks.iter());
        atoms.from = running_sums(atoms.blocks.iter().rev());
        atoms.from.reverse();
        atoms.total = atoms.from[0][0];
        atoms
    }

    /// The smallest radius that is not zero.
    pub fn smallest_above_zero(&self) -> f64 {
        let zeros = self.radii.partition_point(|&radius| radius == 0.0);
        self.radii.get(zeros).copied().unwrap_or(0.0)
    }

    /// The largest radius.
    pub fn largest(&self) -> f64 {
        self.radii.last().copied().unwrap_or(0.0)
    }

    /// The radius at or next below `radius`, if there is one.
    pub fn at_or_below(&self, radius: f64) -> Option<f64> {
        self.rank(radius).checked_sub(1).map(|last| self.radii[last])
    }

    /// The largest radius above `radius` up to which `fits` holds, or, if for none, the smallest above it. `fits` must
    /// hold up to some radius and for none beyond. There must be a radius above.
    pub fn last_above(&self, radius: f64, fits: impl Fn(f64) -> bool) -> f64 {
        let first = self.rank(radius).min(self.radii.len() - 1);
        let fitting = self.radii[first..].partition_point(|&radius| fits(radius));
        self.radii[first + fitting.saturating_sub(1)]
    }

    /// The distinct radii if they are no more than `most`.
    pub fn distinct(&self, most: usize) -> Option<Vec<f64>> {
        let mut distinct = Vec::new();
        let mut rank = 0;
        while rank < self.radii.len() {
            if distinct.len() == most {
                return None;
            }
            distinct.push(self.radii[rank]);
            rank = self.rank(self.radii[rank]);
        }
        Some(distinct)
    }

    /// Moments of the radii above `a` and up to `b`.
    pub fn between(&self, a: f64, b: f64) -> Moments {
        let (from, to) = (self.rank(a), self.rank(b));
        if from >= to {
            return [0.0; 4];
        }
        let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
        if first >= last {
            return self.normalized(self.sum(from, to));
        }
        let ends = [self.sum(from, first * BLOCK), self.sum(last * BLOCK, to)];
        let sums = running_sums(self.blocks[first..last].iter().chain(&ends));
        self.normalized(sums[sums.len() - 1])
    }

    /// Share of the radii above `a` and up to `b`: of a sample, without any sum.
    pub fn share(&self, a: f64, b: f64) -> f64 {
        if self.weights.is_some() {
            return self.between(a, b)[0];
        }
        self.rank(b).saturating_sub(self.rank(a)) as f64 / self.total
    }

    /// Shares on both sides of `radius`, and the moments of one.
    pub fn split(&self, radius: f64, side: Side) -> Split {
        let rank = self.rank(radius);
        let block = rank / BLOCK;
        let end = self.radii.len().min((block + 1) * BLOCK);
        let below = || add(self.before[block], self.sum(block * BLOCK, rank));
        let above = || add(self.from[(block + 1).min(self.blocks.len())], self.sum(rank, end));
        let moments = self.normalized(if side == Side::Below { below() } else { above() });
        if self.weights.is_none() {
            let share = |count: usize| count as f64 / self.total;
            return Split { share_below: share(rank), share_above: share(self.radii.len() - rank), moments };
        }
        Split { share_below: below()[0] / self.total, share_above: above()[0] / self.total, moments }
    }

    /// How many radii are not above `radius`.
    fn rank(&self, radius: f64) -> usize {
        self.radii.partition_point(|&other| other <= radius)
    }

    fn sum(&self, from: usize, to: usize) -> Moments {
        let mut sum = [0.0; 4];
        for rank in from..to {
            let radius = self.radii[rank];
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights[rank]);
            let square = radius * radius;
            sum = add(sum, [weight, weight * radius, weight * square, weight * square * radius]);
        }
        sum
    }

    fn normalized(&self, sums: Moments) -> Moments {
        sums.map(|sum| sum / self.total)
    }
}

fn add(a: Moments, b: Moments) -> Moments {
    std::array::from_fn(|k| a[k] + b[k])
}

/// 0 and the sums of the first, the first two, ... parts, with what rounding takes kept aside and given back.
fn running_sums<'a>(parts: impl Iterator<Item = &'a Moments>) -> Vec<Moments> {
    let (mut sum, mut lost) = ([0.0f64; 4], [0.0f64; 4]);
    let mut sums = vec![sum];
    for part in parts {
        for k in 0..4 {
            let next = sum[k] + part[k];
            let (large, small) = if sum[k] >= part[k] { (sum[k], part[k]) } else { (part[k], sum[k]) };
            lost[k] += (large - next) + small;
            sum[k] = next;
        }
        sums.push(add(sum, lost));
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_any_interval_are_those_over_its_radii() {
        let radii: Vec<f64> = (0..1000u32).map(|i| f64::from(i.wrapping_mul(2_654_435_761) % 997) / 100.0).collect();
        let atoms = Atoms::sample(radii.iter().copied());
        let borders = [-1.0, 0.0, 0.005, 0.63, 0.64, 5.0, 5.5, 9.96, 20.0];
        for a in borders {
            for b in borders {
                assert_eq!(atoms.share(a, b), atoms.between(a, b)[0]);
                let chosen: Vec<f64> = radii.iter().copied().filter(|&radius| a < radius && radius <= b).collect();
                for (k, moment) in atoms.between(a, b).into_iter().enumerate() {
                    let expected = chosen.iter().map(|radius| radius.powi(k as i32)).sum::<f64>() / 1000.0;
                    assert!((moment - expected).abs() <= 1e-14 * expected, "({a}, {b}] {k}: {moment} {expected}");
                }
            }
            for (side, from, to) in [(Side::Below, f64::NEG_INFINITY, a), (Side::Above, a, f64::INFINITY)] {
                let split = atoms.split(a, side);
                assert_eq!(split.share_above, atoms.share(a, f64::INFINITY));
                assert_eq!(split.share_below, atoms.share(f64::NEG_INFINITY, a));
                for (moment, expected) in split.moments.into_iter().zip(atoms.between(from, to)) {
                    assert!((moment - expected).abs() <= 1e-14 * expected, "{a}: {moment} {expected}");
                }
            }
        }
    }

    #[test]
    fn counts_on_a_border_are_exact() {
        let atoms = Atoms::sample([1.0; 100].into_iter().chain([3.0; 28]));
        let share = |a: f64, b: f64| atoms.between(a, b)[0] * 128.0;
        assert_eq!(share(0.0, 1.0), 100.0);
        assert_eq!(share(1.0, 3.0), 28.0);
        assert_eq!(share(1.0, 3.0f64.next_down()), 0.0);
        assert_eq!(atoms.at_or_below(2.9), Some(1.0));
        assert_eq!(atoms.at_or_below(0.9), None);
        assert_eq!(atoms.distinct(2), Some(vec![1.0, 3.0]));
        assert_eq!(atoms.distinct(1), None);
    }

    #[test]
    fn small_radii_are_not_lost_beside_large_ones() {
        let atoms = Atoms::sample(std::iter::repeat_n(1e-5, 1_000_000).chain([1e5]));
        let below = atoms.split(1.0, Side::Below).moments;
        assert!((below[3] * 1_000_001.0 / 1e-9 - 1.0).abs() < 1e-14, "{below:?}");
        let table = Atoms::weighted(vec![1.0, 2.0], vec![3.0, 1.0]);
        let split = table.split(1.0, Side::Above);
        assert_eq!(split, Split { share_below: 0.75, share_above: 0.25, moments: [0.25, 0.5, 1.0, 2.0] });
    }
}
