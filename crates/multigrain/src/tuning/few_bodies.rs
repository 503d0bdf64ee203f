//! Levels of the fast grid for few bodies: from a table, as finding the best ones would take longer than the search.

use crate::error::Error;
use crate::levels::{Level, Levels};
use crate::snapshot::Snapshot;

/// Up to this many bodies the table is used.
pub(super) const MAX_BODIES: usize = 3000;

/// Bodies looked at.
const SAMPLED: usize = 64;

/// Bodies per cell up to which one level for all is best.
const ONE_LEVEL: f64 = 8.0;

/// Bodies per cell of the finest level, otherwise.
const FINEST: f64 = 1.3;

/// Levels by the ratio of the largest radius to the largest on the finest level.
const LEVELS_BY_RATIO: [(f64, usize); 4] = [(1.2, 1), (6.0, 2), (30.0, 3), (f64::INFINITY, 4)];

/// Levels for the bodies of `now`.
pub(super) fn levels<const D: usize>(now: &Snapshot<'_, D>) -> Result<Levels, Error> {
    let largest = now.largest_reach() / 2.0;
    if now.is_empty() || largest == 0.0 {
        return Levels::from_cell_sizes(&[1.0]);
    }
    let extent = now.extent();
    // A product of ratios: volumes of the largest boxes would overflow.
    let cells_of = |radius: f64| -> f64 {
        (0..D).map(|axis| ((extent.hi[axis] - extent.lo[axis]) / (2.0 * radius)).max(1.0)).product()
    };
    let bodies = now.len() as f64;
    if bodies <= ONE_LEVEL * cells_of(largest) {
        return Levels::new(vec![Level { max_radius: largest, cell_size: 2.0 * largest }]);
    }
    let half_margin = now.margin() / 2.0;
    let stride = now.len().div_ceil(SAMPLED);
    let mut radii: Vec<f64> = now.radii().iter().step_by(stride).map(|radius| radius + half_margin).collect();
    radii.sort_unstable_by(f64::total_cmp);
    let share = |rank: usize| (rank + 1) as f64 / radii.len() as f64;
    let fits = |rank: usize| bodies * share(rank) <= FINEST * cells_of(radii[rank]);
    let last = (0..radii.len()).take_while(|&rank| radii[rank] == 0.0 || fits(rank)).last().unwrap_or(0);
    let finest = if radii[last] > 0.0 { radii[last] } else { largest };
    let ratio = largest / finest;
    let count = LEVELS_BY_RATIO.iter().find(|(most, _)| ratio <= *most).map_or(1, |&(_, count)| count);
    let radius = |level: usize| match level + 1 == count {
        true => largest,
        false => finest * ratio.powf(level as f64 / (count - 1) as f64),
    };
    Levels::new((0..count).map(|level| Level { max_radius: radius(level), cell_size: 2.0 * radius(level) }).collect())
}
