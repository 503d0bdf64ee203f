//! Bodies that crowd a few cells, as clustered ones do: levels for them.

use multigrain::Direction;
use multigrain::Levels;
use multigrain::Snapshot;
use std::collections::HashMap;

/// Bodies that a body shares its cell with, itself included, over what they would be if bodies were spread evenly, up to which
/// levels are good.
const MAX_CROWDING: f64 = 2.0;

/// So many bodies in a cell are no crowd, however few there would be.
const NO_CROWD: f64 = 16.0;

/// Levels of sizes a factor of two apart reach over this many; beyond, the factor is larger.
const MAX_LEVELS: usize = 56;

/// Other levels if bodies crowd the cells of these: sizes a factor of two apart from the smallest body to the largest, so
/// that bodies that share a cell mostly touch, and the direction in which no body searches cells smaller than itself.
///
/// Spread evenly, the bodies of these levels would be so many to a cell: `particles_per_cell`.
pub(super) fn levels_for_crowds<const D: usize>(
    now: &Snapshot<'_, D>,
    levels: &Levels,
    particles_per_cell: f64,
) -> Option<(Levels, Direction)> {
    if now.nothing_can_touch() {
        return None;
    }
    let crowd = mean_crowd(now, levels);
    if crowd <= (MAX_CROWDING * (1.0 + particles_per_cell)).max(NO_CROWD) {
        return None;
    }
    let half_margin = now.margin() / 2.0;
    let radii = now.radii().iter().map(|radius| radius + half_margin).filter(|&radius| radius > 0.0);
    let (smallest, largest) = radii.fold((f64::INFINITY, 0f64), |(lo, hi), radius| (lo.min(radius), hi.max(radius)));
    let octaves = (largest / smallest).log2();
    let count = (octaves.ceil() as usize).min(MAX_LEVELS) + 1;
    let factor = (octaves / (count - 1).max(1) as f64).exp2();
    let mut sizes: Vec<f64> = (0..count).map(|level| 2.0 * smallest * factor.powi(level as i32)).collect();
    sizes[count - 1] = 2.0 * largest;
    sizes.dedup_by(|next, size| *next <= *size);
    let finer = Levels::from_cell_sizes(&sizes).ok()?;
    (2.0 * mean_crowd(now, &finer) < crowd).then_some((finer, Direction::BottomUp))
}

/// How many bodies share the cell of a body, itself included, on average.
fn mean_crowd<const D: usize>(now: &Snapshot<'_, D>, levels: &Levels) -> f64 {
    let half_margin = now.margin() / 2.0;
    let mut crowds: HashMap<(usize, [i64; D]), u64> = HashMap::new();
    for (center, radius) in now.centers().iter().zip(now.radii()) {
        let level = levels.level_of(radius + half_margin);
        let size = levels.as_slice()[level].cell_size;
        *crowds.entry((level, center.map(|x| (x / size).floor() as i64))).or_default() += 1;
    }
    crowds.values().map(|&crowd| crowd as f64 * crowd as f64).sum::<f64>() / now.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    /// Bodies of radius 1 in a cube of side 40, and as many of radius `small` in one corner of it, equally dense.
    fn beside(small: f64) -> (Vec<[f64; 3]>, Vec<f64>) {
        let mut rng = Rng::new(3);
        let radii: Vec<f64> = (0..4000).map(|body| if body % 2 == 0 { 1.0 } else { small }).collect();
        (radii.iter().map(|radius| [(); 3].map(|()| 40.0 * radius * rng.uniform())).collect(), radii)
    }

    #[test]
    fn crowded_bodies_get_levels_a_factor_of_two_apart() {
        for small in [1e-2, 1e-9, 1e-30] {
            let (centers, radii) = beside(small);
            let now = Snapshot::new(&centers, &radii).unwrap();
            let one = Levels::from_cell_sizes(&[2.0]).unwrap();
            let (levels, direction) = levels_for_crowds(&now, &one, 0.1).unwrap();
            let sizes: Vec<f64> = levels.as_slice().iter().map(|level| level.cell_size).collect();
            assert_eq!((sizes[0], sizes[sizes.len() - 1], direction), (2.0 * small, 2.0, Direction::BottomUp));
            let most = if small < 1e-16 { 4.0 } else { 2.0 + 1e-9 };
            assert!(sizes.windows(2).all(|two| two[1] / two[0] <= most), "{sizes:?}");
            assert!(mean_crowd(&now, &levels) < 3.0);
        }
    }

    #[test]
    fn full_cells_are_no_crowd_where_bodies_are_spread_evenly() {
        let mut rng = Rng::new(4);
        let centers: Vec<[f64; 3]> = (0..4000).map(|_| [(); 3].map(|()| 40.0 * rng.uniform())).collect();
        let radii: Vec<f64> = (0..4000).map(|body| if body % 2 == 0 { 5.0 } else { 0.01 }).collect();
        let now = Snapshot::new(&centers, &radii).unwrap();
        let one = Levels::from_cell_sizes(&[10.0]).unwrap();
        let in_a_cell = 4000.0 / 64.0;
        assert!(levels_for_crowds(&now, &one, 0.1).is_some());
        assert_eq!(levels_for_crowds(&now, &one, in_a_cell), None);
    }

    #[test]
    fn others_keep_their_levels() {
        let (centers, radii) = beside(1.0);
        let now = Snapshot::new(&centers, &radii).unwrap();
        assert_eq!(levels_for_crowds(&now, &Levels::from_cell_sizes(&[2.0]).unwrap(), 0.1), None);
        // No levels help where all bodies are points, or lie on one spot.
        let now = Snapshot::new(&centers, &[0.0; 4000]).unwrap();
        assert_eq!(levels_for_crowds(&now, &Levels::from_cell_sizes(&[1e3]).unwrap(), 0.1), None);
        let spot = vec![[0.5; 3]; 100];
        let now = Snapshot::new(&spot, &[1.0; 100]).unwrap();
        assert_eq!(levels_for_crowds(&now, &Levels::from_cell_sizes(&[2.0]).unwrap(), 0.1), None);
    }
}
