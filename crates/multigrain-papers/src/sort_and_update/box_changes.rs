//! Which pairs of boxes began and ended to overlap: what exchanges say, noted on the way.

use super::pair_list::{Change, PairList};
use multigrain::Pair;
use multigrain::pairs::differences;

/// Changes of the last call, with shifts between bodies as given.
#[derive(Debug, Clone, Default)]
pub(super) struct BoxChanges<const D: usize> {
    pub begun: Vec<Pair<D>>,
    pub ended: Vec<Pair<D>>,
    /// Periods between bodies as given and as kept, in the call before.
    wraps_before: Vec<[i32; D]>,
}

impl<const D: usize> BoxChanges<D> {
    /// Begins a call; `wraps` are those of the call before.
    pub fn begin(&mut self, wraps: &[[i32; D]]) {
        self.begun.clear();
        self.ended.clear();
        self.wraps_before.clear();
        self.wraps_before.extend_from_slice(wraps);
    }

    /// Notes the pairs of bodies beyond the first `known`, which are gone.
    pub fn end_beyond(&mut self, known: usize, pairs: &PairList<D>) {
        let gone = pairs.iter().filter(|&([_, j], _)| j as usize >= known);
        self.ended.extend(gone.map(|([i, j], shift)| reported(&self.wraps_before, i, j, shift)));
    }

    /// Notes changes that exchanges have reported.
    pub fn note(&mut self, changes: &[Change<D>], wraps: &[[i32; D]]) {
        for ([i, j], shift, comes) in changes.iter().map(Change::pair) {
            let pair = reported(wraps, i, j, shift);
            if comes { self.begun.push(pair) } else { self.ended.push(pair) }
        }
    }

    /// The pairs of before, as they were reported: `rebased` says whether their shifts count from the places of now.
    pub fn before(&self, pairs: &PairList<D>, wraps: &[[i32; D]], rebased: bool) -> Vec<Pair<D>> {
        sorted(pairs, if rebased { wraps } else { &self.wraps_before })
    }

    /// Notes what differs between the pairs of before and those of a new start.
    pub fn compare(&mut self, before: &[Pair<D>], pairs: &PairList<D>, wraps: &[[i32; D]]) {
        let now = sorted(pairs, wraps);
        differences(now.iter().copied(), before.iter().copied(), &mut self.begun, &mut self.ended);
    }

    /// Ends a call.
    pub fn end(&mut self) {
        self.begun.sort_unstable();
        self.ended.sort_unstable();
    }
}

fn sorted<const D: usize>(pairs: &PairList<D>, wraps: &[[i32; D]]) -> Vec<Pair<D>> {
    let mut list: Vec<Pair<D>> = pairs.iter().map(|([i, j], shift)| reported(wraps, i, j, shift)).collect();
    list.sort_unstable();
    list
}

/// The pair with the shift between bodies as given, from that between their boxes as kept.
fn reported<const D: usize>(wraps: &[[i32; D]], i: u32, j: u32, shift: [i32; D]) -> Pair<D> {
    if wraps.is_empty() {
        return Pair { i, j, shift };
    }
    let (a, b) = (wraps[i as usize], wraps[j as usize]);
    Pair { i, j, shift: std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis]) }
}
