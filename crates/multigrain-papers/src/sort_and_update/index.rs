//! What is kept from call to call: sorted ends along every axis, and the pairs of overlapping boxes.

use super::box_changes::BoxChanges;
use super::end_list::{EndList, EndStep, Progress};
use super::pair_list::{Change, PairList, indices};
use super::spans::{Ends, Placed, SpanFrame, Spans};
use super::sweep;
use crate::classics::Stop;
use multigrain::Domain;
use multigrain::limits::MAX_BODIES_WITH_ENDS;
use multigrain::pairs::is_positive;
use multigrain::threads;
use rayon::prelude::*;

/// Exchanges per body and binary digit of their number, after which a call starts afresh.
const MAX_EXCHANGES: f64 = 8.0;

/// Bodies from which on the axes are worth a thread each.
const WORTH_A_THREAD: usize = 1 << 10;

/// Ends and pairs of the last call. A call brings them up to date by the exchanges of ends that its motion needs.
#[derive(Debug, Clone)]
pub(super) struct Index<const D: usize> {
    /// The axes of the last call; `None` before the first.
    frame: Option<SpanFrame<D>>,
    spans: Spans<D>,
    lists: [EndList; D],
    pairs: PairList<D>,
    /// Periods between bodies as given and as kept; empty in open domains.
    wraps: Vec<[i32; D]>,
    /// Room for the spans of a call until they become those of the last one.
    next: Spans<D>,
    /// Room for the periods that bodies move on by when they are wrapped.
    periods: Vec<[i32; D]>,
    /// Room for what the exchanges along each axis change.
    changes: [Vec<Change<D>>; D],
    exchanges: u64,
    compared: u64,
    started_afresh: bool,
    /// What began and ended, where that is wanted.
    pub box_changes: Option<Box<BoxChanges<D>>>,
    /// Whether the shifts of pairs count from where bodies are in the call that is under way.
    is_rebased: bool,
}

impl<const D: usize> Default for Index<D> {
    fn default() -> Self {
        Self {
            frame: None,
            spans: Spans::default(),
            lists: std::array::from_fn(|_| EndList::default()),
            pairs: PairList::default(),
            wraps: Vec::new(),
            next: Spans::default(),
            periods: Vec::new(),
            changes: std::array::from_fn(|_| Vec::new()),
            exchanges: 0,
            compared: 0,
            started_afresh: false,
            box_changes: None,
            is_rebased: false,
        }
    }
}

impl<const D: usize> Index<D> {
    /// Brings everything up to the boxes of `count` bodies that `box_of` gives, unless it is asked to stop on the way: then it
    /// knows nothing.
    pub fn update(
        &mut self,
        count: usize,
        domain: &Domain<D>,
        box_of: impl Fn(usize) -> Ends<D> + Sync,
        stop: Stop<'_>,
    ) {
        assert!(count <= MAX_BODIES_WITH_ENDS, "sort-and-update takes at most {MAX_BODIES_WITH_ENDS} bodies");
        let frame = SpanFrame::of(domain);
        let place = |i: usize| frame.place(box_of(i));
        (self.exchanges, self.compared, self.started_afresh) = (0, 0, false);
        if let Some(changes) = &mut self.box_changes {
            changes.begin(&self.wraps);
        }
        self.is_rebased = false;
        self.wraps.clear();
        if frame.has_images {
            self.wraps.extend((0..count).map(|i| place(i).wrap));
        }
        let known = if self.frame == Some(frame) { self.spans.len() } else { 0 };
        if self.frame == Some(frame) && known == count && self.is_at_rest(place) {
            return;
        }
        if has_work_for_threads(count) && !frame.has_images {
            self.next.fill_in_parallel(count, place);
        } else {
            self.next.fill(count, frame.has_images, place);
        }
        if !self.follow(&frame, known.min(count), stop) {
            self.start_afresh(&frame, stop);
        }
        if stop() {
            *self = Self { box_changes: self.box_changes.take().map(|_| Box::default()), ..Self::default() };
            return;
        }
        if let Some(changes) = &mut self.box_changes {
            changes.end();
        }
        std::mem::swap(&mut self.spans, &mut self.next);
        self.frame = Some(frame);
    }

    /// The pairs of overlapping boxes.
    pub fn pairs(&self) -> &PairList<D> {
        &self.pairs
    }

    /// The shift between two bodies as given, from that between their boxes as kept.
    #[inline]
    pub fn reported_shift(&self, i: usize, j: usize, shift: [i32; D]) -> [i32; D] {
        if self.wraps.is_empty() {
            return shift;
        }
        let (a, b) = (self.wraps[i], self.wraps[j]);
        std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis])
    }

    /// Exchanges of neighbours in the lists by the last call.
    pub fn exchanges(&self) -> u64 {
        self.exchanges
    }

    /// Boxes that the last call compared with one another, other than by exchanges.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Whether the last call sorted and swept from scratch.
    pub fn started_afresh(&self) -> bool {
        self.started_afresh
    }

    /// Whether no box has changed since the last call, which had as many.
    fn is_at_rest(&self, place: impl Fn(usize) -> Placed<D> + Sync) -> bool {
        let blocks = threads::map_blocks(self.spans.len(), |mut range| range.all(|i| self.spans.is_at(i, &place(i))));
        blocks.into_iter().all(|at_rest| at_rest)
    }

    /// Follows the first `known` bodies from where they were to where they are, and adds the others. Gives up where that
    /// takes too many exchanges, or where it is asked to stop.
    fn follow(&mut self, frame: &SpanFrame<D>, known: usize, stop: Stop<'_>) -> bool {
        let count = self.next.len();
        let most_exchanges = most_exchanges(count);
        let added = (count - known) as u64;
        // Every body that comes is compared with all others, as if it came past them from far away.
        if known == 0 || added.saturating_mul(count as u64) > most_exchanges {
            return false;
        }
        if self.spans.len() > known {
            if let Some(changes) = &mut self.box_changes {
                changes.end_beyond(known, &self.pairs);
            }
            self.spans.truncate(known);
            self.lists.iter_mut().for_each(|list| list.keep_bodies(known));
            self.pairs.keep_bodies(known);
        }
        if frame.has_images {
            self.rebase(frame);
            self.is_rebased = true;
        }
        if !self.exchange(most_exchanges, stop) || stop() {
            return false;
        }
        if added > 0 {
            for (axis, list) in self.lists.iter_mut().enumerate() {
                list.add_bodies(&self.next, axis, known);
            }
            self.add_pairs_of(known);
        }
        let mut changes = std::mem::take(&mut self.changes[0]);
        for more in &mut self.changes[1..] {
            changes.append(more);
        }
        self.pairs.apply(&mut changes);
        if let Some(noted) = &mut self.box_changes {
            noted.note(&changes, &self.wraps);
        }
        changes.clear();
        self.changes[0] = changes;
        true
    }

    /// A body that crosses a periodic border is kept a period away from where it was: counts turns and shifts of before
    /// from there, so that before and after are next to each other.
    fn rebase(&mut self, frame: &SpanFrame<D>) {
        self.periods.clear();
        let mut any = false;
        for id in 0..self.spans.len() {
            let periods: [i32; D] = std::array::from_fn(|axis| {
                let length = frame.lengths[axis];
                let moved = self.next.along(axis)[id][0] - self.spans.along(axis)[id][0];
                i32::from(length > 0.0 && moved < -0.5 * length) - i32::from(length > 0.0 && moved > 0.5 * length)
            });
            any |= periods != [0; D];
            self.periods.push(periods);
        }
        if any {
            for (id, &periods) in self.periods.iter().enumerate() {
                self.spans.rebase(id, periods);
            }
            self.pairs.rebase(&self.periods);
        }
    }

    /// Sorts the ends of all known bodies along every axis, each axis on its own, and notes what changes.
    fn exchange(&mut self, most_exchanges: u64, stop: Stop<'_>) -> bool {
        let (before, after) = (&self.spans, &self.next);
        let sort = |axis: usize, list: &mut EndList, changes: &mut Vec<Change<D>>| {
            changes.clear();
            list.update(&EndStep { axis, before, after, most_exchanges, stop }, changes)
        };
        let axes = self.lists.iter_mut().zip(&mut self.changes).enumerate();
        let mut done = [Progress::NONE; D];
        if has_work_for_threads(before.len()) {
            let axes: Vec<_> = axes.zip(&mut done).collect();
            axes.into_par_iter().for_each(|((axis, (list, changes)), done)| *done = sort(axis, list, changes));
        } else {
            axes.zip(&mut done).for_each(|((axis, (list, changes)), done)| *done = sort(axis, list, changes));
        }
        self.exchanges = done.iter().map(|progress| progress.exchanges).sum();
        self.exchanges <= most_exchanges && done.iter().all(|progress| progress.complete)
    }

    /// Compares the bodies from `first` on with all before them.
    fn add_pairs_of(&mut self, first: usize) {
        let next = &self.next;
        let changes = &mut self.changes[0];
        for j in first..next.len() {
            self.compared += j as u64;
            if !next.have_turns() {
                let partners = (0..j).filter(|&i| next.overlap(i, j));
                changes.extend(partners.map(|i| Change::comes(i as u32, j as u32, [0; D])));
                continue;
            }
            for i in 0..=j {
                let shifts = next.images(i, j).iter().filter(|&shift| i != j || is_positive(shift));
                changes.extend(shifts.map(|shift| Change::comes(i as u32, j as u32, shift)));
            }
        }
    }

    /// Sorts and sweeps from scratch.
    fn start_afresh(&mut self, frame: &SpanFrame<D>, stop: Stop<'_>) {
        self.started_afresh = true;
        self.changes.iter_mut().for_each(Vec::clear);
        let (pairs, wraps, rebased) = (&self.pairs, &self.wraps, self.is_rebased);
        let before = self.box_changes.as_ref().map(|changes| changes.before(pairs, wraps, rebased));
        self.find_all(frame, stop);
        if let Some((changes, before)) = self.box_changes.as_mut().zip(before) {
            changes.compare(&before, &self.pairs, &self.wraps);
        }
    }

    fn find_all(&mut self, frame: &SpanFrame<D>, stop: Stop<'_>) {
        for (axis, list) in self.lists.iter_mut().enumerate() {
            if stop() {
                return;
            }
            list.sort(&self.next, axis);
        }
        let found = sweep::overlapping_boxes(&self.lists, &self.next, stop);
        self.compared += found.compared;
        if !frame.has_images {
            self.pairs.take_keys(found.keys);
            return;
        }
        self.pairs.clear_for_images();
        let mut shifts = Vec::new();
        for key in found.keys {
            let [i, j] = indices(key);
            shifts
                .extend(self.next.images(i as usize, j as usize).iter().filter(|&shift| i != j || is_positive(shift)));
            shifts.sort_unstable();
            shifts.drain(..).for_each(|shift| self.pairs.push(key, shift));
        }
    }
}

/// Whether the axes of this many bodies are worth a thread each, and threads are there.
fn has_work_for_threads(bodies: usize) -> bool {
    bodies >= WORTH_A_THREAD && threads::available()
}

/// Exchanges after which a call with this many bodies starts afresh: 8 N log2 N.
fn most_exchanges(count: usize) -> u64 {
    (MAX_EXCHANGES * count as f64 * (count.max(2) as f64).log2()) as u64
}
