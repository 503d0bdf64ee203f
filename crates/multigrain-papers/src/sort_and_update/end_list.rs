//! The sorted ends of all boxes along one axis, kept in order from call to call by insertion. Every exchange of a lower
//! with an upper end is a pair that begins or ceases to overlap along the axis: the rules of the paper's tables 1 and 3.

use super::pair_list::Change;
use super::spans::Spans;
use crate::classics::Stop;
use multigrain::grid::ShiftRange;
use multigrain::pairs::is_positive;
use multigrain::threads;
use rayon::prelude::*;

/// Marks the upper end of a body; the rest of a tag is its index. Of ends at one place lower ones come first, so that
/// boxes that touch overlap.
const UPPER: u32 = 1 << 31;

/// Tags of all ends in ascending order; on periodic axes in the order of their places within the period.
#[derive(Debug, Clone, Default)]
pub(super) struct EndList {
    tags: Vec<u32>,
    /// Room for where the ends are now, in the order of the tags.
    places: Vec<f64>,
    /// The same where there are images, and ends may have crossed the border.
    crossings: Vec<(i32, f64)>,
    passes: Passes,
}

/// The bodies before and after a step, those that are in both.
pub(super) struct EndStep<'a, const D: usize> {
    pub axis: usize,
    pub before: &'a Spans<D>,
    pub after: &'a Spans<D>,
    /// Exchanges after which to give up.
    pub most_exchanges: u64,
    /// Whether nobody wants the rest: then to give up too.
    pub stop: Stop<'a>,
}

/// When an update gives up.
#[derive(Clone, Copy)]
struct Limits<'a> {
    most_exchanges: u64,
    stop: Stop<'a>,
}

/// Exchanges between two questions whether to go on.
const EXCHANGES_PER_ASK: u64 = 1 << 16;

impl<const D: usize> EndStep<'_, D> {
    fn limits(&self) -> Limits<'_> {
        Limits { most_exchanges: self.most_exchanges, stop: self.stop }
    }
}

/// How far an update came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Progress {
    /// Exchanges of neighbours in the list.
    pub exchanges: u64,
    /// Whether the list is in order; if not, neither it nor the changes are of any use.
    pub complete: bool,
}

impl Progress {
    /// Nothing done yet.
    pub const NONE: Self = Self { exchanges: 0, complete: false };
}

impl EndList {
    /// Sorts all ends from scratch.
    pub fn sort<const D: usize>(&mut self, spans: &Spans<D>, axis: usize) {
        let count = spans.len() as u32;
        let ends = spans.along(axis);
        let keyed = |tag: u32| (ordered_bits(ends[id_of(tag)][side_of(tag)]), tag);
        let mut sorted: Vec<(u64, u32)> = (0..count).map(keyed).chain((0..count).map(|id| keyed(id | UPPER))).collect();
        if threads::available() {
            sorted.par_sort_unstable();
        } else {
            sorted.sort_unstable();
        }
        self.tags.clear();
        self.tags.extend(sorted.iter().map(|&(_, tag)| tag));
    }

    /// The body and the side, 0 for lower and 1 for upper, of every end in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (usize, usize)> + '_ {
        self.tags.iter().map(|&tag| (id_of(tag), side_of(tag)))
    }

    /// Forgets the bodies beyond the first `count`.
    pub fn keep_bodies(&mut self, count: usize) {
        self.tags.retain(|&tag| id_of(tag) < count);
    }

    /// Brings the ends of all bodies of the list in order and says which pairs change, some of them perhaps twice. Other
    /// axes are looked at before and after the step as a whole, so that all axes can do this at the same time.
    pub fn update<const D: usize>(&mut self, step: &EndStep<'_, D>, changes: &mut Vec<Change<D>>) -> Progress {
        if step.after.have_turns() { self.update_with_images(step, changes) } else { self.update_open(step, changes) }
    }

    fn update_open<const D: usize>(&mut self, step: &EndStep<'_, D>, changes: &mut Vec<Change<D>>) -> Progress {
        let ends = step.after.along(step.axis);
        let place_of = |tag: u32| ends[id_of(tag)][side_of(tag)];
        let passes = &mut self.passes;
        let progress = insert_all(&mut self.tags, &mut self.places, step.limits(), place_of, |moving, passed| {
            if passes.note(moving, passed) {
                passes.judge(step, changes);
            }
        });
        passes.judge(step, changes);
        progress
    }

    /// The list is one turn of an endless, periodic row of ends. An end that crosses the border of the box leaves at one
    /// end of the list and comes back at the other, which changes nothing by itself.
    fn update_with_images<const D: usize>(&mut self, step: &EndStep<'_, D>, changes: &mut Vec<Change<D>>) -> Progress {
        let EndStep { axis, before, after, most_exchanges, .. } = *step;
        let ends = after.along(axis);
        let place_of = |tag: u32| {
            let (id, side) = (id_of(tag), side_of(tag));
            (after.turns(id, axis)[side] - before.turns(id, axis)[side], ends[id][side])
        };
        let passes = &mut self.passes;
        let mut exchanged = |a: u32, b: u32| {
            if passes.note(a, b) {
                passes.judge_images(step, changes);
            }
        };
        let mut progress = insert_all(&mut self.tags, &mut self.crossings, step.limits(), place_of, &mut exchanged);
        let lowest = self.crossings.first().map_or(0, |&(crossing, _)| crossing);
        let highest = self.crossings.last().map_or(0, |&(crossing, _)| crossing);
        // After more than a whole turn in one step the places alone do not show what was passed.
        progress.complete &= lowest >= -1 && highest <= 1;
        if progress.complete && (lowest, highest) != (0, 0) {
            let down = self.crossings.partition_point(|&(crossing, _)| crossing < 0);
            let up = self.tags.len() - self.crossings.partition_point(|&(crossing, _)| crossing <= 0);
            progress.exchanges = progress.exchanges.saturating_add((down as u64).saturating_mul(up as u64));
            if progress.exchanges > most_exchanges {
                passes.len = 0;
                return Progress { complete: false, ..progress };
            }
            // Those that cross the border in opposite directions pass each other there.
            let (head, tail) = self.tags.split_at(self.tags.len() - up);
            for &b in tail {
                head[..down].iter().for_each(|&a| exchanged(a, b));
            }
            self.tags.rotate_right(up);
            self.tags[up..].rotate_left(down);
            let place_of = |tag: u32| (0, ends[id_of(tag)][side_of(tag)]);
            let left = Limits { most_exchanges: most_exchanges - progress.exchanges, ..step.limits() };
            let rest = insert_all(&mut self.tags, &mut self.crossings, left, place_of, &mut exchanged);
            progress = Progress { exchanges: progress.exchanges + rest.exchanges, complete: rest.complete };
        }
        passes.judge_images(step, changes);
        progress
    }

    /// Adds the ends of bodies that were not there, those from `first` on, to a list in order.
    pub fn add_bodies<const D: usize>(&mut self, spans: &Spans<D>, axis: usize, first: usize) {
        let ends = spans.along(axis);
        let place_of = |tag: u32| (ends[id_of(tag)][side_of(tag)], side_of(tag));
        let count = spans.len() as u32;
        let mut new: Vec<u32> = (first as u32..count).chain((first as u32..count).map(|id| id | UPPER)).collect();
        new.sort_unstable_by(|&a, &b| place_of(a).partial_cmp(&place_of(b)).expect("places are numbers"));
        let mut left = self.tags.len();
        let mut slot = left + new.len();
        self.tags.resize(slot, 0);
        for &tag in new.iter().rev() {
            while left > 0 && place_of(tag) < place_of(self.tags[left - 1]) {
                (left, slot) = (left - 1, slot - 1);
                self.tags[slot] = self.tags[left];
            }
            slot -= 1;
            self.tags[slot] = tag;
        }
    }
}

/// Insertion sort of ends by their new places, which it leaves in `places`. Calls `exchanged` with the end that moves down
/// and the one that it passes.
#[inline]
fn insert_all<P: PartialOrd + Copy + Default>(
    tags: &mut [u32],
    places: &mut Vec<P>,
    limits: Limits<'_>,
    place_of: impl Fn(u32) -> P,
    mut exchanged: impl FnMut(u32, u32),
) -> Progress {
    // Apart from the sort, whose branches nobody can foresee, the look-ups overlap.
    places.clear();
    places.extend(tags.iter().map(|&tag| place_of(tag)));
    let places = &mut places[..tags.len()];
    let mut exchanges = 0;
    let mut ask_at = EXCHANGES_PER_ASK;
    for k in 1..tags.len() {
        let (tag, place) = (tags[k], places[k]);
        let mut slot = k;
        while slot > 0 {
            let (other, other_place) = (tags[slot - 1], places[slot - 1]);
            let passes = place < other_place || (place == other_place && tag < UPPER && other >= UPPER);
            if !passes {
                break;
            }
            tags[slot] = other;
            places[slot] = other_place;
            slot -= 1;
            exchanged(tag, other);
        }
        if slot < k {
            tags[slot] = tag;
            places[slot] = place;
            exchanges += (k - slot) as u64;
            if exchanges > limits.most_exchanges {
                return Progress { exchanges, complete: false };
            }
            if exchanges >= ask_at {
                if (limits.stop)() {
                    return Progress { exchanges, complete: false };
                }
                ask_at = exchanges + EXCHANGES_PER_ASK;
            }
        }
    }
    Progress { exchanges, complete: true }
}

/// Exchanges of a lower with an upper end: noted while sorting, judged some hundreds at a time, so that the look-ups of
/// many overlap.
#[derive(Debug, Clone)]
struct Passes {
    /// The end that moved down and the one it passed.
    list: Box<[(u32, u32); PASSES]>,
    len: usize,
}

/// Exchanges judged at a time.
const PASSES: usize = 1 << 10;

impl Default for Passes {
    fn default() -> Self {
        Self { list: Box::new([(0, 0); PASSES]), len: 0 }
    }
}

impl Passes {
    /// Notes an exchange, if it is of a lower with an upper end: whether there is no room for another one.
    #[inline]
    fn note(&mut self, moving: u32, passed: u32) -> bool {
        // Which it is cannot be foreseen: written in any case, counted if it is one.
        self.list[self.len] = (moving, passed);
        self.len += ((moving ^ passed) >> 31) as usize;
        self.len == PASSES
    }

    /// Forgets all that was noted but what `matters`: those are left.
    #[inline]
    fn drain(&mut self, matters: impl Fn(u32, u32) -> bool) -> &[(u32, u32)] {
        let mut left = 0;
        for k in 0..self.len {
            let (moving, passed) = self.list[k];
            self.list[left] = (moving, passed);
            left += usize::from(matters(moving, passed));
        }
        self.len = 0;
        &self.list[..left]
    }

    /// Applies the rules of exchange in an open domain.
    fn judge<const D: usize>(&mut self, step: &EndStep<'_, D>, changes: &mut Vec<Change<D>>) {
        let next_axis = (step.axis + 1) % D;
        let left = self.drain(|moving, passed| {
            let spans = if passed >= UPPER { step.after } else { step.before };
            spans.overlap_along(next_axis, id_of(moving), id_of(passed))
        });
        for &(moving, passed) in left {
            let (m, n) = (moving & !UPPER, passed & !UPPER);
            if passed >= UPPER {
                // e_m b_n -> b_n e_m: overlap along this axis, along the others as after the step.
                if step.after.overlap(m as usize, n as usize) {
                    changes.push(Change::comes(m, n, [0; D]));
                }
            } else if step.before.overlap(m as usize, n as usize) {
                // b_m e_n -> e_n b_m: no overlap any more. Only pairs that were there leave.
                changes.push(Change::goes(m, n, [0; D]));
            }
        }
    }

    /// Applies them to all images of two bodies: those that overlap after the step but not before it come, those that
    /// overlapped before but not after it go.
    fn judge_images<const D: usize>(&mut self, step: &EndStep<'_, D>, changes: &mut Vec<Change<D>>) {
        let next_axis = (step.axis + 1) % D;
        let left = self.drain(|moving, passed| {
            let (m, n) = (id_of(moving), id_of(passed));
            step.after.images_overlap_along(next_axis, m, n) | step.before.images_overlap_along(next_axis, m, n)
        });
        for &(moving, passed) in left {
            let (m, n) = (moving & !UPPER, passed & !UPPER);
            let (i, j) = (m.min(n), m.max(n));
            let [old, new] = [step.before, step.after].map(|spans| spans.images(i as usize, j as usize));
            if old == new {
                continue;
            }
            let counts = |shift: &[i32; D]| i != j || is_positive(*shift);
            let only_in = |range: ShiftRange<D>, other: ShiftRange<D>| {
                range.iter().filter(move |&shift| !other.contains(shift)).filter(counts)
            };
            changes.extend(only_in(new, old).map(|shift| Change::comes(i, j, shift)));
            changes.extend(only_in(old, new).map(|shift| Change::goes(i, j, shift)));
        }
    }
}

#[inline]
fn id_of(tag: u32) -> usize {
    (tag & !UPPER) as usize
}

#[inline]
fn side_of(tag: u32) -> usize {
    (tag >> 31) as usize
}

/// Bits that sort as the numbers do; of 0.0 and -0.0 only the first may come.
#[inline]
fn ordered_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | (1 << 63) }
}
