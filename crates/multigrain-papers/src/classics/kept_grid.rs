//! A grid that stays where it is from call to call, so that a body at rest keeps its cell.

use multigrain::grid::Grid;

/// Cells are made larger than the largest reach by this factor, so that a last digit more does not shift all of them.
pub(crate) const ROOM_TO_GROW: f64 = 1.001;

/// Cells are made again when they are larger than the largest reach by more than this factor.
const MUCH_TOO_LARGE: f64 = 1.2;

/// How much wider than the bodies the grid is made to either side, beside one cell.
const ROOM_TO_MOVE: f64 = 0.02;

/// The grid of the last call, kept while the bodies fit it.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeptGrid<const D: usize> {
    kept: Option<SizedGrid<D>>,
}

#[derive(Debug, Clone, Copy)]
struct SizedGrid<const D: usize> {
    grid: Grid<D>,
    /// Bodies closer than this along each axis lie in the same or in neighbouring cells.
    sizes: [f64; D],
}

impl<const D: usize> KeptGrid<D> {
    /// A grid for bodies stored within `bounds`, with cells of the sizes `needed` or a little more, and whether it is that of
    /// the last call. Cells are made larger by the factor `room`.
    pub fn update(&mut self, needed: [f64; D], room: f64, bounds: ([f64; D], [f64; D])) -> (Grid<D>, bool) {
        if let Some(kept) = self.kept.filter(|kept| kept.fits(needed, bounds)) {
            return (kept.grid, true);
        }
        let (lo, hi) = bounds;
        let sizes = needed.map(|needed| room * needed);
        let pad = |axis: usize| sizes[axis] + ROOM_TO_MOVE * (hi[axis] - lo[axis]);
        let from = std::array::from_fn(|axis| lo[axis] - pad(axis));
        let to = std::array::from_fn(|axis| hi[axis] + pad(axis));
        let grid = Grid::new(from, to, sizes, f64::INFINITY);
        self.kept = Some(SizedGrid { grid, sizes });
        (grid, false)
    }
}

impl<const D: usize> SizedGrid<D> {
    /// Whether cells are large enough, not much larger (also not because there would have been too many), and cover
    /// all bodies.
    fn fits(&self, needed: [f64; D], (lo, hi): ([f64; D], [f64; D])) -> bool {
        let (from, to) = self.grid.bounds();
        (0..D).all(|axis| {
            needed[axis] <= self.sizes[axis]
                && self.grid.sizes[axis] <= MUCH_TOO_LARGE * needed[axis]
                && from[axis] <= lo[axis]
                && hi[axis] <= to[axis]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Snapshot;

    fn update(kept: &mut KeptGrid<2>, centers: &[[f64; 2]], radius: f64) -> bool {
        let radii = vec![radius; centers.len()];
        let now = Snapshot::new(centers, &radii).unwrap();
        kept.update(now.largest_reach_rounded(), ROOM_TO_GROW, (now.extent().lo, now.extent().hi)).1
    }

    #[test]
    fn cells_stay_while_bodies_move_and_grow_a_little() {
        let mut kept = KeptGrid::default();
        assert!(!update(&mut kept, &[[0.0, 0.0], [10.0, 10.0]], 0.5));
        assert!(update(&mut kept, &[[0.5, -0.5], [10.5, 10.0]], 0.5));
        assert!(update(&mut kept, &[[0.5, -0.5], [10.5, 10.0]], 0.5002));
        assert!(update(&mut kept, &[[0.5, -0.5], [10.5, 10.0]], 0.45));
        assert!(!update(&mut kept, &[[0.5, -0.5], [10.5, 10.0]], 0.6));
        assert!(!update(&mut kept, &[[0.5, -0.5], [10.5, 10.0]], 0.2));
        assert!(!update(&mut kept, &[[0.5, -0.5], [12.5, 10.0]], 0.2));
    }

    #[test]
    fn cells_that_a_stray_made_too_large_are_not_kept() {
        let mut kept = KeptGrid::default();
        assert!(!update(&mut kept, &[[0.0, 0.0], [1e30, 10.0]], 0.5));
        assert!(!update(&mut kept, &[[0.0, 0.0], [10.0, 10.0]], 0.5));
        assert!(update(&mut kept, &[[0.0, 0.0], [10.0, 10.0]], 0.5));
    }
}
