//! The result of a detection: touching pairs, each once, with image shifts in periodic domains.

use crate::refilled::Refilled;
use rayon::prelude::*;

/// One contact. In an open domain `shift` is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(serialize = "[i32; D]: serde::Serialize", deserialize = "[i32; D]: serde::Deserialize<'de>"))
)]
pub struct Pair<const D: usize> {
    /// The body with the smaller index.
    pub i: u32,
    /// The body with the larger index; equal to `i` for a contact with an own image.
    pub j: u32,
    /// How many periods the image of `j` lies from `j`. For `i = j` the first non-zero component is positive.
    pub shift: [i32; D],
}

impl<const D: usize> Pair<D> {
    /// The same contact as seen from the body with the smaller index; from an own image, with positive shift.
    #[inline]
    pub fn canonical(i: u32, j: u32, shift: [i32; D]) -> Self {
        if i < j || (i == j && is_positive(shift)) {
            Self { i, j, shift }
        } else {
            Self { i: j, j: i, shift: shift.map(|component| -component) }
        }
    }
}

/// Whether the first non-zero component is positive: one half of all shifts but zero.
#[inline]
pub fn is_positive<const D: usize>(shift: [i32; D]) -> bool {
    shift.into_iter().find(|&component| component != 0).is_some_and(|component| component > 0)
}

/// A list of touching pairs. Detectors clear and refill it, so that a warm list does not allocate.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "crate::written::WrittenPairs<D>",
        into = "crate::written::WrittenPairs<D>",
        bound(serialize = "[i32; D]: serde::Serialize", deserialize = "[i32; D]: serde::Deserialize<'de>")
    )
)]
pub struct Pairs<const D: usize> {
    list: Refilled<[u32; 2]>,
    /// As long as `list` in periodic domains, empty in open ones.
    shifts: Refilled<[i32; D]>,
    /// Emptied lists of earlier parallel searches, kept for their memory.
    spare: Vec<Pairs<D>>,
}

impl<const D: usize> Pairs<D> {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Bytes that the list takes, those included that it keeps to be filled again.
    pub fn memory_bytes(&self) -> usize {
        let spare: usize = self.spare.iter().map(Self::memory_bytes).sum();
        self.list.memory_bytes() + self.shifts.memory_bytes() + spare
    }

    /// Indices `[i, j]` of every contact, `i < j`, or `i = j` for an own image.
    pub fn as_slice(&self) -> &[[u32; 2]] {
        &self.list
    }

    /// Image shifts, one per contact in periodic domains; empty in open ones.
    pub fn shifts(&self) -> &[[i32; D]] {
        &self.shifts
    }

    /// The list itself, taken apart: indices and shifts.
    pub fn into_parts(self) -> (Vec<[u32; 2]>, Vec<[i32; D]>) {
        (self.list.into_vec(), self.shifts.into_vec())
    }

    /// All contacts, shift zero in open domains.
    pub fn iter(&self) -> PairIter<'_, D> {
        PairIter { list: self.list.iter(), shifts: self.shifts.iter() }
    }

    /// Removes all contacts, keeps the memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.shifts.clear();
    }

    /// Adds contacts. `shifts` is empty in open domains, else as long as `pairs`.
    #[inline]
    pub fn extend(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        debug_assert!(shifts.is_empty() || shifts.len() == pairs.len());
        debug_assert!(pairs.iter().all(|[i, j]| i < j || (i == j && !shifts.is_empty())));
        self.list.extend_from_slice(pairs);
        self.shifts.extend_from_slice(shifts);
    }

    /// Sorts by (i, j, shift): the order of written files, the same for every method.
    pub fn sort(&mut self) {
        if self.shifts.is_empty() {
            self.list.change(|list| sort_by_first(list, |&[i, _]| i));
            return;
        }
        let mut all: Vec<Pair<D>> = self.iter().collect();
        sort_by_first(&mut all, |pair| pair.i);
        self.clear();
        for pair in all {
            self.list.extend_from_slice(&[[pair.i, pair.j]]);
            self.shifts.extend_from_slice(&[pair.shift]);
        }
    }

    /// A hash of the set of contacts, whatever their order: equal sets have equal fingerprints.
    pub fn fingerprint(&self) -> u64 {
        self.iter().fold(self.len() as u64, |sum, pair| {
            let mut hash = mix((u64::from(pair.i) << 32) | u64::from(pair.j));
            for component in pair.shift {
                hash = mix(hash ^ (component as u32 as u64));
            }
            sum.wrapping_add(hash)
        })
    }

    /// Leaves out contacts that `keep` does not want.
    pub fn retain(&mut self, keep: impl Fn(Pair<D>) -> bool) {
        let kept: Vec<bool> = self.iter().map(keep).collect();
        let mut flags = kept.iter();
        self.list.change(|list| list.retain(|_| flags.next() == Some(&true)));
        let mut flags = kept.iter();
        self.shifts.change(|shifts| shifts.retain(|_| flags.next() == Some(&true)));
    }

    /// Leaves out contacts among bodies from number `own` on: guests, whose contacts with each other are others' work.
    pub fn keep_first(&mut self, own: u32) {
        self.retain(|pair| pair.i < own);
    }

    /// Makes room for this many contacts in all, in the domain of those that are there.
    pub(crate) fn reserve(&mut self, contacts: usize) {
        self.list.reserve(contacts);
        if !self.shifts.is_empty() {
            self.shifts.reserve(contacts);
        }
    }

    /// Gives the bodies of all pairs other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn([u32; 2]) -> [u32; 2]) {
        self.list.change(|list| list.iter_mut().for_each(|pair| *pair = number(*pair)));
    }

    /// An empty list for one block of a parallel search.
    pub(crate) fn take_part(&mut self) -> Self {
        self.spare.pop().unwrap_or_default()
    }

    /// Appends lists of blocks in their order; keeps their memory for the next search.
    pub(crate) fn append_parts(&mut self, parts: Vec<Self>) {
        self.list.append_all(parts.iter().map(|part| part.as_slice()));
        self.shifts.append_all(parts.iter().map(|part| part.shifts()));
        self.spare.extend(parts.into_iter().map(|mut part| {
            part.clear();
            part
        }));
    }
}

/// The same contacts in the same order; sort both to compare sets.
impl<const D: usize> PartialEq for Pairs<D> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice() && self.shifts() == other.shifts()
    }
}

impl<const D: usize> Eq for Pairs<D> {}

/// Goes through the contacts of a list.
#[derive(Debug, Clone)]
pub struct PairIter<'a, const D: usize> {
    list: std::slice::Iter<'a, [u32; 2]>,
    shifts: std::slice::Iter<'a, [i32; D]>,
}

impl<const D: usize> Iterator for PairIter<'_, D> {
    type Item = Pair<D>;

    #[inline]
    fn next(&mut self) -> Option<Pair<D>> {
        let &[i, j] = self.list.next()?;
        Some(Pair { i, j, shift: self.shifts.next().copied().unwrap_or([0; D]) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.list.size_hint()
    }
}

impl<const D: usize> ExactSizeIterator for PairIter<'_, D> {}

impl<'a, const D: usize> IntoIterator for &'a Pairs<D> {
    type Item = Pair<D>;
    type IntoIter = PairIter<'a, D>;

    fn into_iter(self) -> PairIter<'a, D> {
        self.iter()
    }
}

/// Appends what only the new list has to `begun`, and what only the old one has to `ended`. Both lists are sorted.
pub fn differences<const D: usize>(
    new: impl Iterator<Item = Pair<D>>,
    old: impl Iterator<Item = Pair<D>>,
    begun: &mut Vec<Pair<D>>,
    ended: &mut Vec<Pair<D>>,
) {
    let mut old = old.peekable();
    for pair in new {
        while let Some(gone) = old.next_if(|&before| before < pair) {
            ended.push(gone);
        }
        if old.next_if_eq(&pair).is_none() {
            begun.push(pair);
        }
    }
    ended.extend(old);
}

/// Sorts pairs, which compare by their first body: a counting sort by it where bodies are about as many as pairs, then
/// each short run.
fn sort_by_first<T: Copy + Ord + Send>(list: &mut Vec<T>, first: impl Fn(&T) -> u32) {
    let bodies = list.iter().map(|pair| first(pair) as usize + 1).max().unwrap_or(0);
    if bodies > 4 * list.len() + 1024 || list.len() > u32::MAX as usize {
        list.par_sort_unstable();
        return;
    }
    let mut ends = vec![0u32; bodies + 1];
    for pair in list.iter() {
        ends[first(pair) as usize + 1] += 1;
    }
    for body in 0..bodies {
        ends[body + 1] += ends[body];
    }
    let mut sorted = list.clone();
    for &pair in list.iter() {
        let slot = &mut ends[first(&pair) as usize];
        sorted[*slot as usize] = pair;
        *slot += 1;
    }
    let mut start = 0;
    for &end in &ends[..bodies] {
        sorted[start as usize..end as usize].sort_unstable();
        start = end;
    }
    *list = sorted;
}

/// Finaliser of splitmix64.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Pairs<2> {
        let mut pairs = Pairs::new();
        pairs.extend(&[[1, 2], [0, 2], [0, 1], [1, 1]], &[[0, 0], [1, -1], [0, 0], [0, 1]]);
        pairs
    }

    #[test]
    fn canonical_pairs_name_the_smaller_index_first() {
        assert_eq!(Pair::canonical(5, 2, [1, 0]), Pair { i: 2, j: 5, shift: [-1, 0] });
        assert_eq!(Pair::canonical(3, 3, [0, -1]), Pair { i: 3, j: 3, shift: [0, 1] });
    }

    #[test]
    fn sorts_by_indices_then_shift() {
        let mut pairs = sample();
        pairs.sort();
        assert_eq!(pairs.as_slice(), [[0, 1], [0, 2], [1, 1], [1, 2]]);
        assert_eq!(pairs.shifts(), [[0, 0], [1, -1], [0, 1], [0, 0]]);
        let mut open = Pairs::<2>::new();
        open.extend(&[[7, 9], [0, 3], [7, 8], [0, 1], [2, 5]], &[]);
        open.sort();
        assert_eq!(open.as_slice(), [[0, 1], [0, 3], [2, 5], [7, 8], [7, 9]]);
    }

    #[test]
    fn fingerprint_ignores_order_and_sees_shifts() {
        let mut sorted = sample();
        sorted.sort();
        assert_eq!(sample().fingerprint(), sorted.fingerprint());
        let mut other = sample();
        other.shifts.change(|shifts| shifts[1] = [-1, -1]);
        assert_ne!(sample().fingerprint(), other.fingerprint());
    }

    #[test]
    fn lists_are_compared_and_gone_through() {
        let (mut a, b) = (sample(), sample());
        assert_eq!(a, b);
        assert_eq!((&a).into_iter().len(), 4);
        assert_eq!((&a).into_iter().nth(1), Some(Pair { i: 0, j: 2, shift: [1, -1] }));
        a.sort();
        assert_ne!(a, b, "the order counts");
        let open = Pairs { shifts: Refilled::default(), ..sample() };
        assert_ne!(open, b, "shifts count");
    }

    #[test]
    fn contacts_can_be_left_out() {
        let mut pairs = sample();
        pairs.retain(|pair| pair.j == 2);
        assert_eq!(pairs.as_slice(), [[1, 2], [0, 2]]);
        assert_eq!(pairs.shifts(), [[0, 0], [1, -1]]);
        pairs.keep_first(1);
        assert_eq!(pairs.as_slice(), [[0, 2]]);
    }

    #[test]
    fn parts_join_in_order() {
        let mut pairs = Pairs::<2>::new();
        let parts = [[[0, 1]], [[1, 2]], [[2, 3]]].map(|list| {
            let mut part = pairs.take_part();
            part.extend(&list, &[]);
            part
        });
        pairs.append_parts(parts.into());
        assert_eq!(pairs.as_slice(), [[0, 1], [1, 2], [2, 3]]);
        assert!(pairs.memory_bytes() >= 6 * size_of::<[u32; 2]>(), "{} bytes", pairs.memory_bytes());
    }
}
