//! Quick sort with the cell half-way between the smallest and the largest as pivot (mr, section 3).

use super::body_list::Stop;
use super::cell_key::CellKey;
use std::ops::Range;

/// Ranges up to this length are sorted by insertion.
const SHORT: usize = 8;

/// Ranges from this length on are worth a question whether to go on.
const LONG: usize = 1 << 14;

/// Bodies that can be exchanged, each with a cell.
pub(crate) trait Exchange<K: CellKey> {
    /// The cell of the body at a place.
    fn key(&self, place: usize) -> K;

    /// Exchanges two bodies.
    fn swap(&mut self, a: usize, b: usize);
}

/// Sorts bodies `0..len` by cell, in place; `counts` are the cells along each axis. No range is halved more often than the
/// number of cells can be, whatever the order before. Returns how many times a cell was compared with another. Where `stop` says so, they are left as they
/// are.
pub(crate) fn quick_sort<K: CellKey, const D: usize>(
    bodies: &mut impl Exchange<K>,
    len: usize,
    counts: [u32; D],
    stop: Stop<'_>,
) -> u64 {
    let mut keys = (0..len).map(|place| bodies.key(place));
    let Some(first) = keys.next() else { return 0 };
    let (smallest, largest) =
        keys.fold((first, first), |(smallest, largest), key| (smallest.min(key), largest.max(key)));
    len as u64 + sort(bodies, 0..len, smallest, largest, &|range| range.len() >= LONG && stop(), counts)
}

/// The cell half-way between two, equations 13 and 14: cells as numbers whose digits have the bases `counts`. The last axis
/// has the leading digit, so its base is never used.
pub(crate) fn middle_cell<const D: usize>(smallest: [u32; D], largest: [u32; D], counts: [u32; D]) -> [u32; D] {
    let mut sum = [0u64; D];
    let mut carry = 0;
    for axis in 0..D {
        let digits = u64::from(smallest[axis]) + u64::from(largest[axis]) + carry;
        let base = if axis + 1 == D { u64::MAX } else { u64::from(counts[axis]) };
        (sum[axis], carry) = (digits % base, digits / base);
    }
    let mut middle = [0; D];
    let mut odd = 0;
    for axis in (0..D).rev() {
        // What is left over by halving one digit is worth the whole base of the next.
        let digit = sum[axis] + odd * u64::from(counts[axis]);
        middle[axis] = (digit / 2) as u32;
        odd = digit % 2;
    }
    middle
}

/// Sorts a range whose smallest and largest cells are known.
fn sort<K: CellKey, const D: usize>(
    bodies: &mut impl Exchange<K>,
    mut range: Range<usize>,
    mut smallest: K,
    largest: K,
    stops: &dyn Fn(&Range<usize>) -> bool,
    counts: [u32; D],
) -> u64 {
    let mut comparisons = 0;
    while smallest != largest {
        if range.len() <= SHORT {
            return comparisons + insert(bodies, range);
        }
        if stops(&range) {
            return comparisons;
        }
        comparisons += range.len() as u64;
        // Coordinates of keys count from 1, digits from 0.
        let digits = |key: K| key.unpack().map(|value| value - 1);
        let middle = middle_cell::<D>(digits(smallest), digits(largest), counts);
        let pivot = K::pack(middle.map(|value| value + 1));
        let (cut, below, above) = partition(bodies, range.clone(), pivot, smallest, largest);
        comparisons += sort(bodies, range.start..cut, smallest, below, stops, counts);
        (range.start, smallest) = (cut, above);
    }
    comparisons
}

/// Brings bodies up to the pivot before those behind it. Gives the first place behind, the largest cell before it and the
/// smallest from there on.
#[inline]
fn partition<K: CellKey>(
    bodies: &mut impl Exchange<K>,
    range: Range<usize>,
    pivot: K,
    smallest: K,
    largest: K,
) -> (usize, K, K) {
    let (mut low, mut high) = (range.start, range.end);
    let (mut below, mut above) = (smallest, largest);
    while low < high {
        let key = bodies.key(low);
        if key <= pivot {
            below = below.max(key);
            low += 1;
            continue;
        }
        above = above.min(key);
        loop {
            high -= 1;
            if low == high {
                break;
            }
            let key = bodies.key(high);
            if key <= pivot {
                below = below.max(key);
                bodies.swap(low, high);
                low += 1;
                break;
            }
            above = above.min(key);
        }
    }
    (low, below, above)
}

fn insert<K: CellKey>(bodies: &mut impl Exchange<K>, range: Range<usize>) -> u64 {
    let mut comparisons = 0;
    for place in range.start + 1..range.end {
        let key = bodies.key(place);
        let mut at = place;
        while at > range.start && bodies.key(at - 1) > key {
            bodies.swap(at - 1, at);
            at -= 1;
        }
        comparisons += (place - at + 1) as u64;
    }
    comparisons
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    impl Exchange<u64> for Vec<u64> {
        fn key(&self, place: usize) -> u64 {
            self[place]
        }

        fn swap(&mut self, a: usize, b: usize) {
            self.as_mut_slice().swap(a, b);
        }
    }

    #[test]
    fn the_middle_of_the_papers_figure_is_cell_1_5_1() {
        // The paper writes z, y, x: m = 022, M = 321, n_x = 5, n_y = 6, middle 151.
        assert_eq!(middle_cell([2, 2, 0], [1, 2, 3], [5, 6, 4]), [1, 5, 1]);
    }

    #[test]
    fn the_middle_lies_half_way_for_all_pairs_of_cells() {
        let counts = [3, 4, 5];
        let number = |cell: [u32; 3]| (cell[2] * counts[1] + cell[1]) * counts[0] + cell[0];
        let cell = |number: u32| [number % 3, number / 3 % 4, number / 12];
        for smallest in 0..60 {
            for largest in smallest..60 {
                let middle = middle_cell(cell(smallest), cell(largest), counts);
                assert_eq!(number(middle), (smallest + largest) / 2, "{smallest}, {largest}");
            }
        }
    }

    #[test]
    fn sorts_any_order_of_cells() {
        let mut rng = Rng::new(1);
        for (count, side) in [(0, 1), (1, 1), (2, 3), (9, 1), (1000, 4), (1000, 50), (3000, 65_534)] {
            let cell = |_| u64::pack(std::array::from_fn::<u32, 3, _>(|_| 1 + rng.below(side) as u32));
            let mut keys: Vec<u64> = (0..count).map(cell).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            quick_sort(&mut keys, count, [side as u32; 3], &|| false);
            assert_eq!(keys, expected, "{count} bodies, {side} cells along each axis");
            keys.reverse();
            quick_sort(&mut keys, count, [side as u32; 3], &|| false);
            assert_eq!(keys, expected, "reversed");
        }
    }

    #[test]
    fn a_long_sort_ends_when_asked_and_loses_nothing() {
        let mut keys: Vec<u64> = (1..=4 * LONG as u32).rev().map(|x| u64::pack([x % 60_000 + 1, 1, 1])).collect();
        let (before, asked) = (keys.clone(), AtomicUsize::new(0));
        let stop = || asked.fetch_add(1, Relaxed) > 0;
        let count = keys.len();
        let compared = quick_sort(&mut keys, count, [60_000, 1, 1], &stop);
        assert!(compared < 4 * count as u64, "{compared} comparisons of {count} bodies after a stop");
        assert!(!keys.is_sorted());
        keys.sort_unstable();
        assert_eq!(keys, {
            let mut all = before;
            all.sort_unstable();
            all
        });
    }
}
