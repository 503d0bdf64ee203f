//! Which pairs are new and which are gone since the last call.

use crate::detector::Detector;
use crate::pairs::{Pair, Pairs, differences};
use crate::snapshot::Snapshot;

/// Any detector, and what changed from call to call. Body `i` is taken to be body `i` of the last call.
///
/// Pairs are distinguished by their two bodies and the shift between them. In a periodic domain a body that is brought back into the
/// box changes the shifts of its pairs; where that should not count, give positions that are not wrapped.
///
/// ```
/// use multigrain::detectors::{BruteForce, WithChanges};
/// use multigrain::Snapshot;
/// let mut contacts = WithChanges::new(BruteForce);
/// contacts.update(Snapshot::new(&[[0.0, 0.0], [1.5, 0.0], [4.0, 0.0]], &[1.0; 3])?);
/// assert_eq!(contacts.begun().len(), 1);
/// contacts.update(Snapshot::new(&[[0.0, 0.0], [2.5, 0.0], [4.0, 0.0]], &[1.0; 3])?);
/// let numbers = |pairs: &[multigrain::Pair<2>]| pairs.iter().map(|pair| [pair.i, pair.j]).collect::<Vec<_>>();
/// assert_eq!(numbers(contacts.begun()), [[1, 2]]);
/// assert_eq!(numbers(contacts.ended()), [[0, 1]]);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WithChanges<T, const D: usize> {
    detector: T,
    changes: PairChanges<D>,
}

/// What changed from one list of pairs to the next, whoever makes the lists.
#[derive(Debug, Clone, Default)]
pub struct PairChanges<const D: usize> {
    /// Sorted.
    pairs: Pairs<D>,
    before: Pairs<D>,
    begun: Vec<Pair<D>>,
    ended: Vec<Pair<D>>,
}

impl<T: Detector<D>, const D: usize> WithChanges<T, D> {
    /// Watches the pairs of `detector`.
    pub fn new(detector: T) -> Self {
        Self { detector, changes: PairChanges::default() }
    }

    /// Finds the pairs of `now`, and what changed since the last call.
    pub fn update(&mut self, now: Snapshot<'_, D>) {
        self.update_until(now, &|| false);
    }

    /// As [`update`](Self::update), but asks `stop` now and then, on any thread, and ends soon after it says yes. Whether it went
    /// through to the end; where it did not, this call has not been: the next one compares with the one before.
    pub fn update_until(&mut self, now: Snapshot<'_, D>, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        self.changes.try_update(|pairs| self.detector.find_pairs_until(now, pairs, stop))
    }

    /// All pairs of the last call, sorted by (i, j, shift).
    pub fn pairs(&self) -> &Pairs<D> {
        self.changes.pairs()
    }

    /// Pairs that the call before did not have, sorted.
    pub fn begun(&self) -> &[Pair<D>] {
        self.changes.begun()
    }

    /// Pairs of the call before that are gone, sorted.
    pub fn ended(&self) -> &[Pair<D>] {
        self.changes.ended()
    }

    /// The detector inside.
    pub fn detector(&self) -> &T {
        &self.detector
    }
}

impl<const D: usize> PairChanges<D> {
    /// Takes the next list, which `fill` puts into an empty one, in any order.
    pub fn update(&mut self, fill: impl FnOnce(&mut Pairs<D>)) {
        self.try_update(|pairs| {
            fill(pairs);
            true
        });
    }

    /// Takes the next list if `fill` says that it is whole; else nothing changes. Whether it was.
    fn try_update(&mut self, fill: impl FnOnce(&mut Pairs<D>) -> bool) -> bool {
        // The list before the last is of no use any more.
        self.before.clear();
        if !fill(&mut self.before) {
            return false;
        }
        std::mem::swap(&mut self.pairs, &mut self.before);
        self.pairs.sort();
        self.begun.clear();
        self.ended.clear();
        differences(self.pairs.iter(), self.before.iter(), &mut self.begun, &mut self.ended);
        true
    }

    /// All pairs of the last list, sorted by (i, j, shift).
    pub fn pairs(&self) -> &Pairs<D> {
        &self.pairs
    }

    /// Pairs that the list before did not have, sorted.
    pub fn begun(&self) -> &[Pair<D>] {
        &self.begun
    }

    /// Pairs of the list before that are gone, sorted.
    pub fn ended(&self) -> &[Pair<D>] {
        &self.ended
    }
}
