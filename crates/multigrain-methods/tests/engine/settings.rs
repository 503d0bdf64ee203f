//! The settings a method takes, found by trying.

use multigrain::{Axes, Detector, Dimension, Direction, Error, LevelChoice, Settings, Snapshot};
use multigrain_methods::Method;

/// Settings worth trying on a snapshot: the method's own choice, then for both directions its own levels, one to five
/// levels, and given cell sizes.
pub fn to_try<const D: usize>(now: Snapshot<'_, D>, more_cell_sizes: &[Vec<f64>]) -> Vec<Settings> {
    let mut levels = vec![LevelChoice::Tuned];
    levels.extend((1..=5).map(LevelChoice::Count));
    levels.extend(cell_sizes_for(now).into_iter().chain(more_cell_sizes.to_vec()).map(LevelChoice::CellSizes));
    let mut all = vec![Settings::default()];
    for direction in Direction::ALL {
        let with = |levels: &LevelChoice| Settings::default().with_direction(direction).with_levels(levels.clone());
        all.extend(levels.iter().map(with));
    }
    all
}

/// Few settings that still differ in every way: for suites that run many snapshots.
pub fn few_to_try<const D: usize>(now: Snapshot<'_, D>) -> Vec<Settings> {
    let sizes = cell_sizes_for(now).pop().unwrap_or_default();
    vec![
        Settings::default(),
        Settings::default().with_direction(Direction::TopDown).with_levels(LevelChoice::CellSizes(sizes)),
        Settings::default().with_direction(Direction::BottomUp).with_levels(LevelChoice::Count(3)),
    ]
}

/// A detector of `method`, or `None` where the method has no such setting. Every method builds with no settings at all.
pub fn build<const D: usize>(method: Method, now: Snapshot<'_, D>, settings: &Settings) -> Option<Box<dyn Detector<D>>>
where
    Axes: Dimension<D>,
{
    match method.build_with(now, settings) {
        Ok(detector) => Some(detector),
        Err(Error::NoSuchSetting { .. }) if *settings != Settings::default() => None,
        Err(error) => panic!("{} with {settings:?}: {error}", method.name()),
    }
}

/// One cell size; sizes that leave a level empty; sizes from the smallest body to the largest; sizes at which bodies
/// fit their cells exactly.
fn cell_sizes_for<const D: usize>(now: Snapshot<'_, D>) -> Vec<Vec<f64>> {
    if now.nothing_can_touch() {
        return vec![vec![1.0], vec![1.0, 2.0]];
    }
    let largest = now.largest_reach();
    let mut diameters: Vec<f64> = now.radii().iter().map(|radius| 2.0 * radius + now.margin()).collect();
    diameters.retain(|&diameter| diameter > 0.0);
    diameters.sort_by(f64::total_cmp);
    let at = |share: f64| diameters[((diameters.len() - 1) as f64 * share) as usize];
    let mut all = vec![
        vec![largest],
        vec![largest / 7.0, largest / 2.5, largest, 1.3 * largest],
        vec![at(0.0), at(0.0).sqrt() * largest.sqrt(), largest],
        vec![at(0.3), at(0.6), at(0.9), largest],
    ];
    for sizes in &mut all {
        sizes.dedup_by(|next, size| *next <= *size);
        // What rounding made too small for the largest body is made to hold it.
        if let Some(last) = sizes.last_mut() {
            *last = last.max(largest);
        }
    }
    all
}
