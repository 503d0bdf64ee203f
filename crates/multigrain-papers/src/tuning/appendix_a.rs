//! Levels with the same number of particles per cell, from a sample of radii: appendix A of Ogarko and Luding, and their
//! quick rule for the number of levels.

use super::model::CostModel;
use multigrain::Error;
use multigrain::Levels;
use multigrain::Snapshot;
use multigrain::limits::MAX_LEVELS;

/// A sorted sample of the radii of particles in a box. Half the margin belongs to a radius.
#[derive(Debug, Clone, PartialEq)]
pub struct RadiiSample {
    /// Ascending, the largest radius of all particles last.
    radii: Vec<f64>,
    /// How many of the radii, the smallest ones, stand for `weight` particles each; the others stand for themselves.
    sampled: usize,
    weight: f64,
    /// Sides of the box.
    sides: Vec<f64>,
}

/// Levels filled one after the other up to the same number of particles per cell.
#[derive(Debug, Clone, PartialEq)]
pub struct EqualFilling {
    /// Particles per cell of the fullest level: m(L) of the paper, for the number of levels here. Above the paper's value
    /// where bodies of one radius, or a single large body, fill a level alone.
    pub particles_per_cell: f64,
    /// Cell size of each level, ascending; the last is the largest diameter.
    pub cell_sizes: Vec<f64>,
}

/// Most radii that [`RadiiSample::of`] takes by chance, and about how many of the largest it takes one by one.
const MAX_SAMPLED: usize = 1 << 13;
const MAX_TAKEN: usize = 1 << 12;

/// How many levels without gain the quick rule tries beyond twice the best number.
const PATIENCE: usize = 8;

/// Relative precision to which the smallest filling is bracketed. The paper scans in steps of 1e-3.
const PRECISION: f64 = 1e-6;

impl RadiiSample {
    /// The overhead K of the quick rule, as the paper sets it.
    pub const PAPER_K: f64 = 0.3;

    /// All particles of a box of the given sides.
    pub fn new(mut radii: Vec<f64>, sides: &[f64]) -> Self {
        radii.sort_unstable_by(f64::total_cmp);
        Self { radii, sampled: 0, weight: 1.0, sides: sides.to_vec() }
    }

    /// A sample of the bodies of a snapshot: all of them where they are few, else about 12,000. The box is the periodic
    /// one; on open axes, the extent of the centers.
    ///
    /// The few largest bodies may need levels of their own that no small sample would show, so these are all taken.
    pub fn of<const D: usize>(now: &Snapshot<'_, D>) -> Self {
        let count = now.len();
        let half_margin = now.margin() / 2.0;
        let sides: [f64; D] = std::array::from_fn(|axis| match now.domain().is_periodic(axis) {
            true => now.domain().length(axis),
            false => (now.extent().hi[axis] - now.extent().lo[axis]).max(0.0),
        });
        if count <= MAX_SAMPLED + MAX_TAKEN {
            return Self::new(now.radii().iter().map(|radius| radius + half_margin).collect(), &sides);
        }
        // One body of every stretch, its place scattered so that no regular order of sizes can fool the sample.
        let stretch = count.div_ceil(MAX_SAMPLED);
        let scattered = |start: usize| start + (start.wrapping_mul(0x9e37_79b9) >> 16) % stretch.min(count - start);
        let sample = (0..count).step_by(stretch).map(|start| now.radii()[scattered(start)]).collect();
        let mut sample = Self::new(sample, &sides);
        let threshold = sample.radii[sample.radii.len() - 1 - MAX_TAKEN / stretch];
        sample.sampled = sample.radii.partition_point(|&radius| radius <= threshold);
        sample.radii.truncate(sample.sampled);
        sample.radii.extend(now.radii().iter().filter(|&&radius| radius > threshold));
        let largest = sample.radii.len() - sample.sampled;
        sample.weight = (count - largest) as f64 / sample.sampled as f64;
        sample.radii[sample.sampled..].sort_unstable_by(f64::total_cmp);
        for radius in &mut sample.radii {
            *radius += half_margin;
        }
        sample
    }

    /// The filling that minimises L (m(L) + K), the paper's estimate of the time. `None` if all radii are 0 or there are
    /// none.
    pub fn quick_rule(&self, k: f64) -> Option<EqualFilling> {
        let cost = |filling: &EqualFilling| filling.cell_sizes.len() as f64 * (filling.particles_per_cell + k);
        let mut filling = self.fill(f64::INFINITY)?;
        let mut best = filling.clone();
        let possible = self.fill(0.0).map_or(MAX_LEVELS, |finest| finest.cell_sizes.len());
        for count in 2..=possible {
            // Every level costs at least K, whatever it saves; and beyond many levels without gain there is none.
            if count as f64 * k >= cost(&best) || count > 2 * best.cell_sizes.len() + PATIENCE {
                break;
            }
            (filling, _) = self.around(count, filling);
            if cost(&filling) < cost(&best) {
                best = filling.clone();
            }
        }
        Some(best)
    }

    /// The filling, of those with the fewest particles per cell for each number of levels, that needs the least work by a
    /// cost model. `None` if all radii are 0 or there are none.
    pub fn least_work(&self, model: &CostModel) -> Result<Option<EqualFilling>, Error> {
        let Some(mut filling) = self.fill(f64::INFINITY) else { return Ok(None) };
        let work = |filling: &EqualFilling| model.predict(&filling.cell_sizes).map(|predicted| predicted.work);
        let mut best = (work(&filling)?, filling.clone());
        for count in 2..=MAX_LEVELS {
            let levels = filling.cell_sizes.len();
            (filling, _) = self.around(count, filling);
            if filling.cell_sizes.len() > levels {
                let work = work(&filling)?;
                if work < best.0 {
                    best = (work, filling.clone());
                }
            }
        }
        Ok(Some(best.1))
    }

    /// The filling with `count` levels and the fewest particles per cell; where no filling has that many levels, one with
    /// the nearest number. `None` if all radii are 0 or there are none.
    pub fn with_levels(&self, count: usize) -> Result<Option<EqualFilling>, Error> {
        if !(1..=MAX_LEVELS).contains(&count) {
            return Err(Error::LevelCount { count });
        }
        let Some(coarsest) = self.fill(f64::INFINITY) else { return Ok(None) };
        let (fewer, more) = self.around(count, coarsest);
        Ok(Some(match more {
            Some(more) if more.cell_sizes.len() - count < count - fewer.cell_sizes.len() => more,
            _ => fewer,
        }))
    }

    /// The filling with the fewest particles per cell and at most `count` levels, found from one with no more levels,
    /// and the next one with more levels, if such a one exists and has no more levels than a grid can have.
    ///
    /// Fewer particles per cell never need fewer levels, so that bisection finds what the paper's scan finds.
    fn around(&self, count: usize, mut fewer: EqualFilling) -> (EqualFilling, Option<EqualFilling>) {
        let mut high = fewer.particles_per_cell;
        let mut low = 0.0;
        let mut more = match self.fill(low) {
            Some(finest) if finest.cell_sizes.len() <= count => return (finest, None),
            finest => finest,
        };
        while high - low > PRECISION * high {
            let middle = 0.5 * (low + high);
            match self.fill(middle) {
                Some(filling) if filling.cell_sizes.len() <= count => {
                    high = middle.min(filling.particles_per_cell);
                    fewer = filling;
                }
                filling => {
                    low = middle;
                    more = filling;
                }
            }
        }
        (fewer, more)
    }

    /// Fills level after level: the body that would lift its level above `most_per_cell` opens the next one. `None` if
    /// that takes more levels than a grid can have, or no radius is above 0.
    ///
    /// Bodies of the same radius always share a level, and every level has a body of some size, also where that lifts
    /// the level above the limit.
    fn fill(&self, most_per_cell: f64) -> Option<EqualFilling> {
        let mut filling = EqualFilling { particles_per_cell: 0.0, cell_sizes: Vec::new() };
        let mut first = 0;
        while first < self.radii.len() {
            if filling.cell_sizes.len() == MAX_LEVELS {
                return None;
            }
            // Particles per cell rise with every body, so the last one kept is found by halving.
            let fits = |body: usize| self.per_cell(first, body) <= most_per_cell;
            let end = self.radii.len();
            let mut kept = partition_point(first, end, fits).max(first + 1) - 1;
            if self.radii[kept] == 0.0 {
                kept = partition_point(kept, end - 1, |body| self.radii[body] == 0.0);
            }
            let radius = self.radii[kept];
            if radius == 0.0 {
                return None;
            }
            kept = partition_point(kept, end, |body| self.radii[body] <= radius) - 1;
            filling.particles_per_cell = filling.particles_per_cell.max(self.per_cell(first, kept));
            filling.cell_sizes.push(2.0 * radius);
            first = kept + 1;
        }
        (!filling.cell_sizes.is_empty()).then_some(filling)
    }

    /// Particles per cell of a level that holds the bodies `first..=last`. An axis has at least one cell.
    fn per_cell(&self, first: usize, last: usize) -> f64 {
        let diameter = 2.0 * self.radii[last];
        let cells: f64 = self.sides.iter().map(|side| (side / diameter).max(1.0)).product();
        let sampled = (last + 1).min(self.sampled).saturating_sub(first);
        ((last - first + 1 - sampled) as f64 + sampled as f64 * self.weight) / cells
    }
}

impl EqualFilling {
    /// The levels of a grid with these cell sizes.
    pub fn levels(&self) -> Result<Levels, Error> {
        Levels::from_cell_sizes(&self.cell_sizes)
    }
}

/// The first of `from..to` that is not `good`, if all good ones come first.
pub(crate) fn partition_point(from: usize, to: usize, good: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (from, to);
    while low < high {
        let middle = low + (high - low) / 2;
        if good(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uniform volume, size ratio `w`, by systematic sampling, in a cube that they fill to 0.62.
    fn uniform_volume(count: usize, w: f64) -> (Vec<f64>, f64) {
        let share = |k: usize| (k as f64 + 0.5) / count as f64;
        let radii: Vec<f64> = (0..count).map(|k| (1.0 - share(k) * (1.0 - w.powi(-2))).powf(-0.5)).collect();
        let volume: f64 = radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3)).sum();
        (radii, (volume / 0.62).cbrt())
    }

    fn paper_sample() -> RadiiSample {
        let (radii, side) = uniform_volume(125_001, 50.0);
        RadiiSample::new(radii, &[side; 3])
    }

    #[test]
    fn quick_rule_gives_the_papers_seven_levels() {
        let best = paper_sample().quick_rule(RadiiSample::PAPER_K).unwrap();
        assert_eq!(best.cell_sizes.len(), 7, "{best:?}");
    }

    #[test]
    fn seven_levels_are_filled_equally_to_two_percent() {
        let sample = paper_sample();
        let filling = sample.with_levels(7).unwrap().unwrap();
        assert_eq!(filling.cell_sizes.len(), 7);
        let mut first = 0;
        let mut per_cell = Vec::new();
        for size in &filling.cell_sizes {
            let after = sample.radii.partition_point(|radius| 2.0 * radius <= *size);
            per_cell.push(sample.per_cell(first, after - 1));
            first = after;
        }
        assert_eq!(first, sample.radii.len());
        let (least, most) = per_cell.iter().fold((f64::MAX, 0.0f64), |(low, high), &m| (low.min(m), high.max(m)));
        assert_eq!(most, filling.particles_per_cell);
        assert!((most - least) / (most + least) < 0.02, "{per_cell:?}");
    }

    /// The paper's own way: m from 0 in steps of 1e-3, every particle in turn.
    #[test]
    fn finds_what_the_papers_scan_finds() {
        let (radii, side) = uniform_volume(2000, 20.0);
        let sample = RadiiSample::new(radii.clone(), &[side; 3]);
        // With more levels the largest bodies fill a level each, above any m.
        let mut seen = [false; 16];
        for step in 1..4000 {
            let m = f64::from(step) * 1e-3;
            let (mut levels, mut on_level) = (1, 0.0);
            for radius in &radii {
                on_level += 1.0;
                if on_level / (side / (2.0 * radius)).powi(3) > m {
                    levels += 1;
                    on_level = 1.0;
                }
            }
            if levels < seen.len() && !std::mem::replace(&mut seen[levels], true) {
                let filling = sample.with_levels(levels).unwrap().unwrap();
                assert_eq!(filling.cell_sizes.len(), levels, "m = {m}");
                assert!((filling.particles_per_cell - m).abs() <= 1.01e-3, "{levels}: {m} and {filling:?}");
            }
        }
        assert!(seen[3..].iter().all(|&seen| seen), "{seen:?}");
    }

    #[test]
    fn bodies_of_one_size_share_a_level() {
        let sample = RadiiSample::new(vec![1.0; 1000], &[20.0; 3]);
        for count in [1, 2, 5] {
            let filling = sample.with_levels(count).unwrap().unwrap();
            assert_eq!(filling, EqualFilling { particles_per_cell: 1.0, cell_sizes: vec![2.0] });
        }
        let mut radii = vec![1.0; 1000];
        radii.extend([10.0; 3]);
        let sample = RadiiSample::new(radii, &[50.0; 2]);
        assert_eq!(sample.quick_rule(0.3).unwrap().cell_sizes, [2.0, 20.0]);
        assert_eq!(sample.with_levels(9).unwrap().unwrap().cell_sizes, [2.0, 20.0]);
    }

    #[test]
    fn hostile_samples_have_levels_too() {
        assert_eq!(RadiiSample::new(vec![], &[1.0; 3]).quick_rule(0.3), None);
        assert_eq!(RadiiSample::new(vec![0.0; 9], &[1.0; 3]).with_levels(2), Ok(None));
        let points = RadiiSample::new(vec![0.0, 0.0, 1.0, 2.0], &[10.0; 2]);
        assert!(points.quick_rule(0.3).unwrap().levels().is_ok());
        assert_eq!(points.with_levels(2).unwrap().unwrap().cell_sizes, [2.0, 4.0]);
        let spot = RadiiSample::new((1..2000).map(f64::from).collect(), &[0.0; 3]);
        assert_eq!(spot.quick_rule(0.3).unwrap().cell_sizes.len(), 1);
        let wide = RadiiSample::new((0..300).map(|k| 10f64.powi(k - 150)).collect(), &[1e150; 3]);
        assert!(wide.quick_rule(0.3).unwrap().levels().is_ok());
        assert!(wide.with_levels(MAX_LEVELS).unwrap().unwrap().levels().is_ok());
        assert_eq!(wide.with_levels(0), Err(Error::LevelCount { count: 0 }));
        assert_eq!(wide.with_levels(MAX_LEVELS + 1), Err(Error::LevelCount { count: MAX_LEVELS + 1 }));
    }

    #[test]
    fn samples_of_snapshots_keep_the_largest_bodies_and_see_every_size() {
        let sizes = |k: usize| if k < 20 { 50.0 + k as f64 } else { [1.0, 2.0][k % 2] };
        let radii: Vec<f64> = (0..100_000).map(sizes).collect();
        let centers: Vec<[f64; 2]> = (0..radii.len()).map(|k| [k as f64, 3.0]).collect();
        let sample = RadiiSample::of(&Snapshot::new(&centers, &radii).unwrap().with_margin(1.0).unwrap());
        assert!(sample.radii.len() < MAX_SAMPLED + MAX_TAKEN && sample.radii.is_sorted());
        assert_eq!(sample.radii[sample.sampled..], (0..20).map(|k| 50.5 + k as f64).collect::<Vec<_>>());
        assert_eq!(sample.sides, [99_999.0, 0.0]);
        let share = |radius: f64| sample.radii.iter().filter(|&&other| other == radius).count() as f64 * sample.weight;
        assert!((share(1.5) - 5e4).abs() < 5e3, "{}", share(1.5));
        assert!((share(1.5) + share(2.5) - 99_980.0).abs() < 1e-6);
    }

    #[test]
    fn a_sample_gives_nearly_the_levels_of_all_bodies() {
        for ratio in [50.0, 1000.0] {
            let (radii, side) = uniform_volume(200_000, ratio);
            let all = RadiiSample::new(radii.clone(), &[side; 3]).quick_rule(0.3).unwrap();
            let mut centers = vec![[0.0; 3]; radii.len()];
            centers[0] = [side; 3];
            let sampled = RadiiSample::of(&Snapshot::new(&centers, &radii).unwrap()).quick_rule(0.3).unwrap();
            assert!(sampled.cell_sizes.len().abs_diff(all.cell_sizes.len()) <= 1, "{sampled:?} {all:?}");
            assert_eq!(sampled.cell_sizes.last(), all.cell_sizes.last());
            let change = sampled.particles_per_cell / all.particles_per_cell;
            assert!((0.75..1.33).contains(&change), "{sampled:?} {all:?}");
        }
    }
}
