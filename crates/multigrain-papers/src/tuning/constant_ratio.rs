//! Levels whose numbers of bodies per cell stand in a constant ratio (optimal-hgrid, eq. 37 and 38; fast-multilevel).

use super::boundary::sign_change;
use super::model::CostModel;

/// At most `levels` cell sizes with `m_(h+1) = ratio m_h`, in the distribution's unit.
///
/// With a limit on the bodies per cell of the finest level, and so on every other, levels are filled one after another:
/// each takes all bodies up to the size where its limit is reached. The smallest limit with which the given number of
/// levels is enough fills the last one too. Bodies of single sizes jump the limit instead of reaching it: there the last
/// size before it ends the level, and every level takes at least one.
pub(super) fn constant_ratio(model: &CostModel, ratio: f64, levels: usize) -> Vec<f64> {
    const CLOSENESS: f64 = 1e-14;
    let (bottom, top) = (2.0 * model.sizes().scaled_smallest(), 2.0 * model.sizes().scaled_largest());
    let filling = Filling { model, ratio, levels, bottom, top };
    // One level alone holds this many per cell; with that limit on the finest, any number of levels is enough.
    let enough = model.bodies_per_cell(f64::NEG_INFINITY, filling.top).ln();
    let mut too_low = enough - 1.0;
    while filling.excess(too_low) <= 0.0 {
        too_low = enough - 2.0 * (enough - too_low);
        if too_low < enough - 1000.0 {
            return filling.fill(too_low);
        }
    }
    // The sign is turned: below the limit sought the last level overflows.
    let (_, limit) = sign_change(too_low, enough, CLOSENESS * (1.0 + enough.abs()), |limit| {
        let excess = filling.excess(limit);
        if excess > 0.0 { -excess } else { (-excess).max(f64::MIN_POSITIVE) }
    });
    filling.fill(limit)
}

struct Filling<'a> {
    model: &'a CostModel<'a>,
    ratio: f64,
    levels: usize,
    /// The smallest and the largest diameter.
    bottom: f64,
    top: f64,
}

impl Filling<'_> {
    /// Logarithm of the bodies per cell that the last level has over those it may have; `limit` is the logarithm of the
    /// finest level's. Minus infinity if nothing is left for it.
    fn excess(&self, limit: f64) -> f64 {
        let full = self.fill_full_levels(limit);
        if full.len() < self.levels - 1 {
            return f64::NEG_INFINITY;
        }
        let below = full.last().map_or(f64::NEG_INFINITY, |size| 0.5 * size);
        self.model.bodies_per_cell(below, self.top).ln() - self.limit_of(self.levels - 1, limit)
    }

    fn fill(&self, limit: f64) -> Vec<f64> {
        let mut sizes = self.fill_full_levels(limit);
        sizes.push(self.top);
        sizes
    }

    /// The sizes of all levels but the last; fewer if bodies run out.
    fn fill_full_levels(&self, limit: f64) -> Vec<f64> {
        let mut sizes = Vec::with_capacity(self.levels);
        let (mut below, mut step) = (f64::NEG_INFINITY, 0.1);
        for level in 0..self.levels - 1 {
            let size = self.end_of_level(below, self.limit_of(level, limit), 2.0 * step);
            if size >= self.top {
                break;
            }
            step = (size / below.max(self.bottom)).ln();
            below = size;
            sizes.push(size);
        }
        sizes
    }

    fn limit_of(&self, level: usize, limit: f64) -> f64 {
        limit + level as f64 * self.ratio.ln()
    }

    /// The largest cell size with which the level above the one of size `below` stays within its limit. `guess` is a
    /// guess of the logarithm of their ratio.
    fn end_of_level(&self, below: f64, limit: f64, guess: f64) -> f64 {
        let over = |size: f64| self.model.bodies_per_cell(0.5 * below, size).ln() - limit;
        if over(self.top) <= 0.0 {
            return self.top;
        }
        if let Some(atoms) = self.model.sizes().atoms() {
            // The finest level takes at least the smallest size above zero, and all points with it.
            let from = 0.5 * below.max(self.bottom.next_down());
            return 2.0 * atoms.last_above(from, |radius| over(2.0 * radius) <= 0.0);
        }
        let lowest = below.max(self.bottom);
        let highest = (self.top / lowest).ln();
        let (mut within, mut beyond) = (0.0, guess.clamp(1e-9 * highest, highest));
        while beyond < highest && over(lowest * f64::exp(beyond)) <= 0.0 {
            (within, beyond) = (beyond, highest.min(3.0 * beyond));
        }
        let (end, _) = sign_change(within, beyond, 1e-15 * highest, |step| over(lowest * step.exp()));
        (lowest * end.exp()).max(lowest.next_up())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::sizes::SizeLaw;
    use multigrain::tuning::Distribution;

    #[test]
    fn bodies_per_cell_stand_in_the_ratio_asked_for() {
        for law in [
            SizeLaw::power(-3.0, 100.0),
            SizeLaw::power(-1.0, 1e6),
            SizeLaw::power(4.0, 20.0),
            SizeLaw::power(-3.0, 1.0 + 1e-6),
            SizeLaw::log_normal(0.5),
        ] {
            let sizes = Distribution::of_law(&law.unwrap(), 3).unwrap();
            let model = CostModel::packed(&sizes, 3, 0.7).unwrap();
            for (ratio, levels) in [(1.0, 1), (1.0, 2), (1.0, 12), (0.3, 5), (2.0, 5), (5.0, 4), (1.0, 60)] {
                let found = constant_ratio(&model, ratio, levels);
                assert_eq!(found.len(), levels);
                let per_cell = model.predict_scaled(&found).particles_per_cell;
                for pair in per_cell.windows(2) {
                    assert!((pair[1] / pair[0] / ratio - 1.0).abs() < 1e-6, "{sizes:?} {ratio} {levels}: {per_cell:?}");
                }
            }
        }
    }

    #[test]
    fn single_sizes_are_never_cut_and_never_counted_twice() {
        let radii = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 8.0];
        let sizes = Distribution::of_radii(&radii).unwrap();
        let model = CostModel::packed(&sizes, 3, 0.7).unwrap();
        for levels in 1..9 {
            let found = constant_ratio(&model, 1.0, levels);
            assert!(found.len() <= levels && found.is_sorted(), "{levels}: {found:?}");
            assert!(found.iter().all(|size| radii.contains(&(0.5 * size * sizes.unit()))), "{levels}: {found:?}");
        }
        assert_eq!(constant_ratio(&model, 1.0, 20).len(), 5);
    }
}
