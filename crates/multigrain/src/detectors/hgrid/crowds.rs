//! Whether one grid for all bodies is good enough: counted, not guessed.

use super::columns::Lanes;
use super::keys::{LevelGrids, LevelKeys};

/// Bodies in the cell of a body, on average, up to which one grid for all is faster than one for each region of space.
const MAX_CROWDED: f64 = 16.0;

/// How many times smaller than their cells, by volume, bodies in crowded cells are on average where smaller cells would help. If
/// they are as large as their cells they touch each other, and no grid makes that less.
const MIN_FINER: f64 = 6.0;

/// Whether the cells of bodies hold too many bodies on average, as the bodies see it, though smaller cells would do. `ends` are
/// where the bodies of each key of the levels `keys` end.
pub(super) fn are_crowded<const D: usize>(
    keys: &[LevelKeys<D>],
    grids: &LevelGrids<D>,
    ends: &[u32],
    bodies: Lanes<'_, D>,
) -> bool {
    let mut start = 0;
    let mut seen = 0.0;
    for &end in ends {
        let bodies = f64::from(end - start);
        seen += bodies * bodies;
        start = end;
    }
    seen > MAX_CROWDED * f64::from(start) && seen > MIN_FINER * touching(keys, grids, ends, bodies)
}

/// The bodies in the cell of a body that it would touch if they were as large as itself, summed over all bodies.
#[cold]
fn touching<const D: usize>(keys: &[LevelKeys<D>], grids: &LevelGrids<D>, ends: &[u32], bodies: Lanes<'_, D>) -> f64 {
    let mut touching = 0.0;
    let mut start = 0;
    for (level, grid) in keys.iter().zip(&grids.list) {
        let per_cell = grid.grid.sizes.map(|size| 2.0 / size).into_iter().product::<f64>();
        let half_margin = grid.margin / 2.0;
        for &end in &ends[start..level.end as usize] {
            let first = if start == 0 { 0 } else { ends[start - 1] };
            start += 1;
            let radii = &bodies.radius[first as usize..end as usize];
            let volumes = radii.iter().map(|&radius| (f64::from(radius) + half_margin).powi(D as i32)).sum::<f64>();
            touching += radii.len() as f64 * volumes * per_cell;
        }
    }
    touching
}

#[cfg(test)]
mod tests {
    use crate::Rng;
    use crate::detector::{Detector, Layout};
    use crate::detectors::HierarchicalGrid;
    use crate::pairs::Pairs;
    use crate::snapshot::Snapshot;

    fn layout(centers: &[[f64; 3]], radii: &[f64]) -> (Layout, usize) {
        let now = Snapshot::new(centers, radii).unwrap();
        let mut grid = HierarchicalGrid::tuned_for(now).unwrap();
        let mut pairs = Pairs::new();
        grid.find_pairs(now, &mut pairs);
        (Detector::layout(&grid), pairs.len())
    }

    #[test]
    fn many_contacts_are_no_reason_to_cut_space() {
        let mut rng = Rng::new(1);
        let centers: Vec<[f64; 3]> = (0..4000).map(|_| std::array::from_fn(|_| rng.uniform())).collect();
        let (layout, contacts) = layout(&centers, &[0.1; 4000]);
        assert!(contacts > 50 * 1000, "{contacts}");
        assert_eq!(layout.regions, 0);
    }

    #[test]
    fn a_heap_of_small_bodies_among_large_ones_is() {
        let mut rng = Rng::new(2);
        let mut centers: Vec<[f64; 3]> = (0..4000).map(|_| std::array::from_fn(|_| 16.0 * rng.uniform())).collect();
        centers.extend((0..4000).map(|_| -> [f64; 3] { std::array::from_fn(|_| 0.16 * rng.uniform()) }));
        let radii: Vec<f64> = (0..8000).map(|k| if k < 4000 { 0.5 } else { 0.005 }).collect();
        let (layout, contacts) = layout(&centers, &radii);
        assert!(layout.regions > 1, "{layout:?}");
        assert!(contacts > 0);
    }
}
