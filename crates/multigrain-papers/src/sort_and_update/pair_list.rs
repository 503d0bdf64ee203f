//! The pairs whose boxes overlap, in canonical order, and changes to them.

/// Pairs in ascending order of (i, j, shift), shifts between boxes as kept. What came before does not show.
#[derive(Debug, Clone, Default)]
pub(super) struct PairList<const D: usize> {
    keys: Vec<u64>,
    /// As long as `keys` in domains with images, else empty.
    shifts: Vec<[i32; D]>,
    has_shifts: bool,
}

/// A pair that comes or goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change<const D: usize> {
    key: u64,
    shift: [i32; D],
    comes: bool,
}

impl<const D: usize> Change<D> {
    /// The pair of bodies `i` and `j` begins to overlap.
    #[inline]
    pub fn comes(i: u32, j: u32, shift: [i32; D]) -> Self {
        Self { key: key(i, j), shift, comes: true }
    }

    /// Indices and shift of the pair, and whether it comes.
    pub fn pair(&self) -> ([u32; 2], [i32; D], bool) {
        (indices(self.key), self.shift, self.comes)
    }

    /// The pair of bodies `i` and `j` overlaps no more.
    #[inline]
    pub fn goes(i: u32, j: u32, shift: [i32; D]) -> Self {
        Self { comes: false, ..Self::comes(i, j, shift) }
    }
}

/// Both indices in one number that sorts as they do, the smaller one first.
#[inline]
pub(super) fn key(i: u32, j: u32) -> u64 {
    (u64::from(i.min(j)) << 32) | u64::from(i.max(j))
}

/// The indices in a key.
#[inline]
pub(super) fn indices(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

impl<const D: usize> PairList<D> {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether pairs have shifts other than zero.
    pub fn have_shifts(&self) -> bool {
        self.has_shifts
    }

    /// Indices and shift of a pair.
    #[inline]
    pub fn get(&self, k: usize) -> ([u32; 2], [i32; D]) {
        (indices(self.keys[k]), self.shifts.get(k).copied().unwrap_or([0; D]))
    }

    /// Every pair, with indices and shift.
    pub fn iter(&self) -> impl Iterator<Item = ([u32; 2], [i32; D])> {
        (0..self.len()).map(|k| self.get(k))
    }

    /// Takes over pairs of an open domain, sorted and each once.
    pub fn take_keys(&mut self, keys: Vec<u64>) {
        self.shifts.clear();
        self.has_shifts = false;
        self.keys = keys;
    }

    /// Forgets all pairs and waits for those of a domain with images.
    pub fn clear_for_images(&mut self) {
        self.keys.clear();
        self.shifts.clear();
        self.has_shifts = true;
    }

    /// Appends a pair with an image, which comes after all others.
    pub fn push(&mut self, key: u64, shift: [i32; D]) {
        self.keys.push(key);
        self.shifts.push(shift);
    }

    /// Forgets all pairs with bodies beyond the first `count`.
    pub fn keep_bodies(&mut self, count: usize) {
        // The larger index is the second one.
        self.retain_from(0, |key, _| ((key as u32) as usize) < count);
    }

    /// Moves every body on by whole periods, so that shifts count from where they are now.
    pub fn rebase(&mut self, periods: &[[i32; D]]) {
        for (key, shift) in self.keys.iter().zip(&mut self.shifts) {
            let [i, j] = indices(*key);
            for axis in 0..D {
                shift[axis] += periods[j as usize][axis] - periods[i as usize][axis];
            }
        }
    }

    /// Makes changes, in any order, the same one any number of times. Leaves `changes` sorted and each once.
    pub fn apply(&mut self, changes: &mut Vec<Change<D>>) {
        changes.sort_unstable();
        changes.dedup();
        let entry = |change: &Change<D>| (change.key, change.shift);
        let mut leaving = changes.iter().filter(|change| !change.comes).map(entry).peekable();
        if let Some(&(first, _)) = leaving.peek() {
            let start = self.keys.partition_point(|&key| key < first);
            self.retain_from(start, |key, shift| leaving.next_if_eq(&(key, shift)).is_none());
        }
        debug_assert!(leaving.next().is_none(), "a pair leaves that was not there");
        let coming = changes.iter().filter(|change| change.comes).count();
        self.merge(coming, changes.iter().rev().filter(|change| change.comes).map(entry));
    }

    /// Keeps what `keep` says of the pairs from `start` on.
    fn retain_from(&mut self, start: usize, mut keep: impl FnMut(u64, [i32; D]) -> bool) {
        let mut kept = start;
        for k in start..self.keys.len() {
            let (key, shift) = (self.keys[k], self.shifts.get(k).copied().unwrap_or([0; D]));
            if keep(key, shift) {
                self.keys[kept] = key;
                if self.has_shifts {
                    self.shifts[kept] = shift;
                }
                kept += 1;
            }
        }
        self.keys.truncate(kept);
        self.shifts.truncate(kept);
    }

    /// Merges in `count` pairs that come in descending order.
    fn merge(&mut self, count: usize, coming: impl Iterator<Item = (u64, [i32; D])>) {
        let mut left = self.keys.len();
        let mut slot = left + count;
        self.keys.resize(slot, 0);
        if self.has_shifts {
            self.shifts.resize(slot, [0; D]);
        }
        for (key, shift) in coming {
            let goes_before =
                |k: usize, list: &Self| (key, shift) < (list.keys[k], list.shifts.get(k).copied().unwrap_or([0; D]));
            while left > 0 && goes_before(left - 1, self) {
                (left, slot) = (left - 1, slot - 1);
                self.keys[slot] = self.keys[left];
                if self.has_shifts {
                    self.shifts[slot] = self.shifts[left];
                }
            }
            slot -= 1;
            self.keys[slot] = key;
            if self.has_shifts {
                self.shifts[slot] = shift;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_stay_in_order_through_changes() {
        let mut list = PairList::<2>::default();
        list.clear_for_images();
        for (i, j, shift) in [(0, 1, [0, 0]), (0, 3, [-1, 0]), (0, 3, [0, 0]), (2, 3, [0, 1])] {
            list.push(key(i, j), shift);
        }
        let mut changes = vec![
            Change::comes(0, 3, [0, -1]),
            Change::comes(4, 2, [0, 0]),
            Change::goes(0, 3, [-1, 0]),
            Change::comes(0, 0, [1, 0]),
            Change::goes(2, 3, [0, 1]),
            Change::goes(3, 0, [-1, 0]),
            Change::comes(0, 3, [0, -1]),
        ];
        list.apply(&mut changes);
        assert_eq!(changes.len(), 5, "two were there twice");
        let expected = [(0, 0, [1, 0]), (0, 1, [0, 0]), (0, 3, [0, -1]), (0, 3, [0, 0]), (2, 4, [0, 0])]
            .map(|(i, j, s)| (key(i, j), s));
        let found: Vec<_> = list.keys.iter().copied().zip(list.shifts.iter().copied()).collect();
        assert_eq!(found, expected);
        list.rebase(&[[0, 0], [0, 0], [0, 0], [5, 0], [0, -2]]);
        assert_eq!(list.shifts, [[1, 0], [0, 0], [5, -1], [5, 0], [0, -2]]);
        list.keep_bodies(4);
        assert_eq!(list.len(), 4);
        assert_eq!(list.get(3), ([0, 3], [5, 0]));
    }
}
