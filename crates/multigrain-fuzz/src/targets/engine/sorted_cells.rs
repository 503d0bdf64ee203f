//! The answer for many bodies: those of like size in cells, sorted, and each body looked for among those of its size and larger ones. It shares
//! nothing with the grids of the engine but the test of two bodies.

use super::oracle::Reciprocal;
use multigrain::pairs::is_positive;
use multigrain::{Pair, Snapshot};
use std::collections::HashMap;
use std::ops::Range;

/// Tests that one answer may take.
const MAX_TESTS: u64 = 20_000_000;

/// Contacts that one answer may have.
const MAX_CONTACTS: usize = 300_000;

/// Images that bodies may have, their own places among them.
const MAX_COPIES: usize = 600_000;

/// Classes of size: each down to a fourth of the one before, the last down to nothing.
const CLASSES: usize = 9;

/// Bodies as they are wrapped into the periodic cell.
struct Wrapped<const D: usize> {
    places: Vec<[f64; D]>,
    /// How many periods lie between them and where they are.
    periods: Vec<[i64; D]>,
}

/// Images of bodies of one class of size.
struct Class<const D: usize> {
    largest: f64,
    cell_size: f64,
    /// How far rounding may move a place.
    slack: f64,
    /// Each body and periods of its image, by the cell of its place, sorted.
    images: Vec<([i64; D], u32, [i64; D])>,
    /// Where each row of cells along the last axis stands among them, by its cell number 0.
    rows: HashMap<[i64; D], Range<usize>>,
}

/// Every contact, sorted; none where that takes too long.
pub fn oracle_by_cells<const D: usize>(now: Snapshot<'_, D>) -> Option<Vec<Pair<D>>> {
    if now.is_empty() {
        return Some(Vec::new());
    }
    let classes = classes_of(&now);
    let wrapped = Wrapped::of(&now);
    let mut grids = grids(&now, &classes, &wrapped)?;
    grids.iter_mut().for_each(Class::sort);
    let (mut found, mut tests) = (Vec::new(), 0);
    for home in 0..now.len() {
        for (number, class) in grids.iter().enumerate().take(classes[home] + 1) {
            let is_own = number == classes[home];
            class.visit(&now, home, &wrapped, |partner, shift| {
                tests += 1;
                // Within a class each of the two finds the other: it counts once.
                let is_first = home < partner || (home == partner && is_positive(shift));
                let pair = Pair::canonical(home as u32, partner as u32, shift);
                if (is_first || !is_own)
                    && !now.groups().has_both([pair.i, pair.j])
                    && now.overlaps(pair.i as usize, pair.j as usize, pair.shift)
                {
                    found.push(pair);
                }
            });
            if tests > MAX_TESTS || found.len() > MAX_CONTACTS {
                return None;
            }
        }
    }
    found.sort_unstable();
    Some(found)
}

/// The class of each body: 0 for the largest.
fn classes_of<const D: usize>(now: &Snapshot<'_, D>) -> Vec<usize> {
    let largest = now.radii().iter().copied().fold(0.0, f64::max);
    let class = |radius: f64| (1..CLASSES).find(|&k| radius > largest * 0.25f64.powi(k as i32)).unwrap_or(CLASSES) - 1;
    now.radii().iter().map(|&radius| class(radius)).collect()
}

/// How far rounding may move a place.
fn slack<const D: usize>(now: &Snapshot<'_, D>) -> f64 {
    let edges = now.domain().edges();
    let numbers = now.centers().as_flattened().iter().chain(edges.as_flattened());
    1e-14 * numbers.fold(0.0, |most: f64, x| most.max(x.abs())) + 1e-9 * now.largest_reach()
}

impl<const D: usize> Wrapped<D> {
    fn of(now: &Snapshot<'_, D>) -> Self {
        let cell = now.domain().has_images().then(|| Reciprocal::of(now));
        let periods = |center: &[f64; D]| -> [i64; D] {
            std::array::from_fn(|k| match &cell {
                Some(cell) if now.domain().is_periodic(k) => -(cell.along(k, center).floor() as i64),
                _ => 0,
            })
        };
        let periods: Vec<[i64; D]> = now.centers().iter().map(periods).collect();
        let places = now.centers().iter().zip(&periods).map(|(center, by)| moved(now, center, by)).collect();
        Self { places, periods }
    }
}

fn moved<const D: usize>(now: &Snapshot<'_, D>, place: &[f64; D], by: &[i64; D]) -> [f64; D] {
    let edges = now.domain().edges();
    std::array::from_fn(|axis| {
        place[axis] + (0..D).filter(|&k| by[k] != 0).map(|k| by[k] as f64 * edges[k][axis]).sum::<f64>()
    })
}

/// Images of all bodies that anything within the cell could touch, by class; none where they are too many.
fn grids<const D: usize>(now: &Snapshot<'_, D>, classes: &[usize], wrapped: &Wrapped<D>) -> Option<Vec<Class<D>>> {
    let slack = slack(now);
    let (mut lo, mut hi) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for place in &wrapped.places {
        lo = std::array::from_fn(|axis| lo[axis].min(place[axis]));
        hi = std::array::from_fn(|axis| hi[axis].max(place[axis]));
    }
    let mut grids: Vec<Class<D>> = (0..CLASSES)
        .map(|_| Class { largest: 0.0, cell_size: 0.0, slack, images: Vec::new(), rows: HashMap::new() })
        .collect();
    for (&radius, &class) in now.radii().iter().zip(classes) {
        grids[class].largest = grids[class].largest.max(radius);
    }
    // Points need cells of some size, too.
    let width = (0..D).fold(now.largest_reach(), |most, axis| most.max(1e-6 * (hi[axis] - lo[axis])));
    let least = if width > 0.0 { 1e-3 * width } else { 1.0 };
    for class in &mut grids {
        class.cell_size = (2.0 * class.largest + now.margin()).max(least).max(4.0 * slack);
    }
    let cell = now.domain().has_images().then(|| Reciprocal::of(now));
    let mut count = 0;
    for (body, place) in wrapped.places.iter().enumerate() {
        let reach = now.radii()[body] + 0.5 * now.largest_reach() + 0.5 * now.margin() + slack;
        let (lo, hi) = (lo.map(|x| x - reach), hi.map(|x| x + reach));
        let range: [[i64; 2]; D] = std::array::from_fn(|k| match &cell {
            Some(cell) if now.domain().is_periodic(k) => {
                let [first, last] = cell.range_along(k, &lo, &hi).map(|end| end - cell.along(k, place));
                [(first - 1e-6).ceil() as i64, (last + 1e-6).floor() as i64]
            }
            _ => [0, 0],
        });
        count += range.iter().map(|[first, last]| (last - first + 1).clamp(0, 1000) as usize).product::<usize>();
        if count > MAX_COPIES {
            return None;
        }
        for_each_in(range.map(|[first, _]| first), range.map(|[_, last]| last), D, |by| {
            let image = moved(now, place, &by);
            if (0..D).all(|axis| lo[axis] <= image[axis] && image[axis] <= hi[axis]) {
                let class = &mut grids[classes[body]];
                let periods = std::array::from_fn(|k| wrapped.periods[body][k] + by[k]);
                class.images.push((image.map(|x| (x / class.cell_size).floor() as i64), body as u32, periods));
            }
        });
    }
    Some(grids)
}

impl<const D: usize> Class<D> {
    fn sort(&mut self) {
        self.images.sort_unstable();
        let mut start = 0;
        for row in self.images.chunk_by(|(a, ..), (b, ..)| a[..D - 1] == b[..D - 1]) {
            self.rows.insert(row_of(row[0].0), start..start + row.len());
            start += row.len();
        }
    }

    /// Bodies and images of this class that may touch a body, with how many periods they lie from where they are.
    fn visit(&self, now: &Snapshot<'_, D>, home: usize, wrapped: &Wrapped<D>, mut visit: impl FnMut(usize, [i32; D])) {
        if self.images.is_empty() {
            return;
        }
        let reach = now.radii()[home] + self.largest + now.margin();
        let reach = reach + 1e-9 * (reach + self.cell_size) + 2.0 * self.slack;
        let ends = [-reach, reach].map(|by| wrapped.places[home].map(|x| ((x + by) / self.cell_size).floor() as i64));
        for_each_in(ends[0], ends[1], D - 1, |first| {
            let Some(row) = self.rows.get(&row_of(first)) else { return };
            let row = &self.images[row.clone()];
            let start = row.partition_point(|(cell, ..)| cell[D - 1] < first[D - 1]);
            let row = row[start..].iter().take_while(|(cell, ..)| cell[D - 1] <= ends[1][D - 1]);
            for (_, partner, periods) in row {
                let shift = std::array::from_fn(|k| (periods[k] - wrapped.periods[home][k]) as i32);
                visit(*partner as usize, shift);
            }
        });
    }
}

/// The first cell of a row.
fn row_of<const D: usize>(mut cell: [i64; D]) -> [i64; D] {
    cell[D - 1] = 0;
    cell
}

/// Every cell from one to another; along the axes from `axes` on, the first alone.
fn for_each_in<const D: usize>(lo: [i64; D], hi: [i64; D], axes: usize, mut visit: impl FnMut([i64; D])) {
    if (0..axes).any(|axis| lo[axis] > hi[axis]) {
        return;
    }
    let mut cell = lo;
    loop {
        visit(cell);
        let Some(axis) = (0..axes).find(|&axis| cell[axis] < hi[axis]) else { return };
        cell[axis] += 1;
        cell[..axis].copy_from_slice(&lo[..axis]);
    }
}
