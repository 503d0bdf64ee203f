//! The answer, from the test of two bodies alone: every pair with every image that could matter, and some more.

use multigrain::pairs::is_positive;
use multigrain::{Pair, Snapshot};

/// Tests that one answer may take.
const MAX_TESTS: f64 = 4e4;

/// How a vector is made of the edges of a cell: along each edge, the vector whose product with it tells how much.
pub struct Reciprocal<const D: usize>([[f64; D]; D]);

impl<const D: usize> Reciprocal<D> {
    pub fn of(now: &Snapshot<'_, D>) -> Self {
        let edges = now.domain().edges();
        // In units of the longest component, so that products stay finite.
        let unit = edges.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut rows: [[f64; D]; D] = edges.map(|edge| edge.map(|x| x / unit));
        let mut inverse: [[f64; D]; D] =
            std::array::from_fn(|k| std::array::from_fn(|axis| f64::from(u8::from(k == axis))));
        for column in 0..D {
            let pivot = (column..D).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
            let pivot = pivot.unwrap_or(column);
            rows.swap(column, pivot);
            inverse.swap(column, pivot);
            let factor = 1.0 / rows[column][column];
            rows[column] = rows[column].map(|x| x * factor);
            inverse[column] = inverse[column].map(|x| x * factor);
            for row in (0..D).filter(|&row| row != column) {
                let factor = rows[row][column];
                for k in 0..D {
                    rows[row][k] -= factor * rows[column][k];
                    inverse[row][k] -= factor * inverse[column][k];
                }
            }
        }
        // The inverse of the edges in rows has the reciprocal vectors in columns.
        Self(std::array::from_fn(|k| std::array::from_fn(|axis| inverse[axis][k] / unit)))
    }

    /// How many periods a vector lies along an edge.
    pub fn along(&self, k: usize, way: &[f64; D]) -> f64 {
        (0..D).map(|axis| way[axis] * self.0[k][axis]).sum()
    }

    /// Between which numbers of periods a box lies along an edge.
    pub fn range_along(&self, k: usize, lo: &[f64; D], hi: &[f64; D]) -> [f64; 2] {
        let end = |from: &[f64; D], to: &[f64; D]| -> f64 {
            (0..D).map(|axis| self.0[k][axis] * if self.0[k][axis] > 0.0 { to[axis] } else { from[axis] }).sum()
        };
        [end(hi, lo), end(lo, hi)]
    }

    /// How many periods a distance spans along an edge.
    fn spanned(&self, k: usize, distance: f64) -> f64 {
        let longest = self.0[k].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let length = self.0[k].iter().map(|x| (x / longest) * (x / longest)).sum::<f64>().sqrt();
        distance * longest * length
    }
}

/// Whether the answer takes too many tests.
pub fn is_too_long<const D: usize>(now: &Snapshot<'_, D>) -> bool {
    let pairs = 0.5 * (now.len() as f64).powi(2);
    if !now.domain().has_images() {
        return pairs > MAX_TESTS;
    }
    let cell = Reciprocal::of(now);
    let images = |k: usize| match now.domain().is_periodic(k) {
        true => 2.0 * cell.spanned(k, now.largest_reach()) + 3.0,
        false => 1.0,
    };
    let tests = pairs * (0..D).map(images).product::<f64>();
    // What is no number is too much, too.
    !matches!(tests.partial_cmp(&MAX_TESTS), Some(std::cmp::Ordering::Less))
}

/// Every contact, sorted.
pub fn oracle<const D: usize>(now: Snapshot<'_, D>) -> Vec<Pair<D>> {
    let mut found = Vec::new();
    let cell = now.domain().has_images().then(|| Reciprocal::of(&now));
    for i in 0..now.len() {
        for j in i..now.len() {
            if now.groups().has_both([i as u32, j as u32]) {
                continue;
            }
            for_each_image(&now, cell.as_ref(), i, j, |shift| {
                if (i != j || is_positive(shift)) && now.overlaps(i, j, shift) {
                    found.push(Pair { i: i as u32, j: j as u32, shift });
                }
            });
        }
    }
    found.sort_unstable();
    found
}

fn for_each_image<const D: usize>(
    now: &Snapshot<'_, D>,
    cell: Option<&Reciprocal<D>>,
    i: usize,
    j: usize,
    mut visit: impl FnMut([i32; D]),
) {
    let Some(cell) = cell else { return visit([0; D]) };
    let reach = now.radii()[i] + now.radii()[j] + now.margin();
    let way: [f64; D] = std::array::from_fn(|axis| now.centers()[j][axis] - now.centers()[i][axis]);
    let range: [(i32, i32); D] = std::array::from_fn(|k| {
        if !now.domain().is_periodic(k) {
            return (0, 0);
        }
        let along = cell.along(k, &way);
        // One more than could matter: rounding hides nothing.
        let spanned = cell.spanned(k, reach) + 1e-9 * along.abs();
        (((-spanned - along).ceil() as i32).saturating_sub(1), ((spanned - along).floor() as i32).saturating_add(1))
    });
    let mut shift = range.map(|(first, _)| first);
    loop {
        visit(shift);
        let Some(axis) = (0..D).find(|&axis| shift[axis] < range[axis].1) else { return };
        shift[axis] += 1;
        for lower in 0..axis {
            shift[lower] = range[lower].0;
        }
    }
}
