//! Lists of neighbours in rows, sorted by (first, second, shift).

use crate::columns::{NeighborColumns, NeighborIndex, NeighborReal, take_front};
use crate::digits::Sorter;
use crate::entry::{Packing, bits};
use crate::found;
use crate::lists::{NeighborOrder, PairView};
use multigrain::Snapshot;
use multigrain::threads;
use std::slice::IterMut;

/// Entries of a bucket, about: together with the memory to sort them they fit the cache of a core.
const BUCKET: usize = 1 << 14;

/// Buckets that pairs are spread over at once. More, and every write would miss the cache.
const MAX_BUCKETS: usize = 1 << 12;

/// Pairs that one task spreads over the buckets.
const TASK: usize = 1 << 20;

/// Tasks, at most: each has a place of its own in every bucket.
const MAX_TASKS: usize = 64;

/// Writes the list. Columns that need places are only there with `now`.
pub(crate) fn write<I: NeighborIndex, F: NeighborReal, const D: usize>(
    pairs: PairView<'_, D>,
    particles: usize,
    now: Option<&Snapshot<'_, D>>,
    order: NeighborOrder,
    mut columns: NeighborColumns<'_, I, F, D>,
) {
    if pairs.list.is_empty() {
        columns.offsets.fill(0);
        return;
    }
    let list = List {
        pairs,
        both: order.directions() == 2,
        packing: Packing::new(particles, row_bits(particles, order.directions() * pairs.list.len()), pairs.shifts),
        has_dense_images: pairs.list.len() as f64 > (particles as f64).powi(2) / 8.0,
        now,
    };
    let (mut own_memory, second) = (Vec::new(), std::mem::take(&mut columns.second));
    let in_place = I::as_entries(&mut []).is_some() && !second.is_empty();
    let entries = if in_place {
        I::as_entries(second).unwrap_or_default()
    } else {
        columns.second = second;
        own_memory.resize(order.directions() * pairs.list.len(), 0);
        &mut own_memory[..]
    };
    let counts = list.spread(particles, entries);
    let rows = 1usize << list.packing.row_bits;
    let (mut rest, mut offsets) = (entries, std::mem::take(&mut columns.offsets));
    if let Some((zero, ends)) = std::mem::take(&mut offsets).split_first_mut() {
        *zero = 0;
        offsets = ends;
    }
    let mut before = 0;
    let buckets = counts.into_iter().enumerate().map(|(bucket, count)| {
        let columns = NeighborColumns { offsets: take_front(&mut offsets, rows), ..columns.take_front(count) };
        let (entries, start) = (take_front(&mut rest, count), before);
        before += count;
        Bucket { first_body: bucket * rows, start, entries, in_place, columns }
    });
    threads::for_each(buckets, Sorter::default, |sorter, bucket| bucket.write(&list, sorter));
}

/// Bits that count the rows of a bucket.
fn row_bits(particles: usize, entries: usize) -> u32 {
    let buckets = entries.div_ceil(BUCKET).min(MAX_BUCKETS);
    bits(particles.div_ceil(buckets))
}

/// What is written.
struct List<'a, const D: usize> {
    pairs: PairView<'a, D>,
    both: bool,
    packing: Packing<D>,
    /// Whether most pairs have several images, so that it pays to sort by shift too.
    has_dense_images: bool,
    now: Option<&'a Snapshot<'a, D>>,
}

impl<const D: usize> List<'_, D> {
    /// Puts entries into their buckets, one bucket after the other; gives the number in each.
    fn spread(&self, particles: usize, mut entries: &mut [i64]) -> Vec<usize> {
        let buckets = self.packing.bucket(particles as u32 - 1) + 1;
        if buckets == 1 {
            let count = entries.len();
            self.spread_pairs(0..self.pairs.list.len(), &mut [entries.iter_mut()]);
            return vec![count];
        }
        let size = match threads::available() {
            true => TASK.max(self.pairs.list.len().div_ceil(MAX_TASKS)),
            false => self.pairs.list.len(),
        };
        let tasks: Vec<_> = threads::blocks(self.pairs.list.len(), size).collect();
        let mut counts = vec![Vec::new(); tasks.len()];
        let jobs = counts.iter_mut().zip(&tasks);
        threads::for_each(jobs, || (), |_, (counts, task)| *counts = self.count(task.clone(), buckets));
        let mut places: Vec<Vec<IterMut<'_, i64>>> = tasks.iter().map(|_| Vec::with_capacity(buckets)).collect();
        for bucket in 0..buckets {
            for (places, counts) in places.iter_mut().zip(&counts) {
                places.push(take_front(&mut entries, counts[bucket]).iter_mut());
            }
        }
        let jobs = tasks.into_iter().zip(places);
        threads::for_each(jobs, || (), |_, (task, mut places)| self.spread_pairs(task, &mut places));
        (0..buckets).map(|bucket| counts.iter().map(|counts| counts[bucket]).sum()).collect()
    }

    /// Entries that these pairs make in each bucket.
    fn count(&self, pairs: std::ops::Range<usize>, buckets: usize) -> Vec<usize> {
        let mut counts = vec![0; buckets];
        for &[i, j] in &self.pairs.list[pairs] {
            counts[self.packing.bucket(i)] += 1;
            if self.both {
                counts[self.packing.bucket(j)] += 1;
            }
        }
        counts
    }

    fn spread_pairs(&self, pairs: std::ops::Range<usize>, places: &mut [IterMut<'_, i64>]) {
        let mut put = |row: u32, partner: u32, code: u64| {
            if let Some(place) = places[self.packing.bucket(row)].next() {
                *place = self.packing.pack(row, partner, code);
            }
        };
        let mut both = |[i, j]: [u32; 2], (there, back): (u64, u64)| {
            put(i, j, there);
            if self.both {
                put(j, i, back);
            }
        };
        let list = &self.pairs.list[pairs.clone()];
        if self.pairs.shifts.is_empty() {
            list.iter().for_each(|&pair| both(pair, (0, 0)));
        } else {
            let shifts = &self.pairs.shifts[pairs];
            list.iter().zip(shifts).for_each(|(&pair, &shift)| both(pair, self.packing.shifts.encode(shift)));
        }
    }
}

/// Consecutive rows, and where they are written.
struct Bucket<'a, I, F, const D: usize> {
    first_body: usize,
    /// Entries of earlier buckets.
    start: usize,
    entries: &'a mut [i64],
    /// Whether the entries lie where partners are to be written.
    in_place: bool,
    /// `offsets` are the ends of the rows.
    columns: NeighborColumns<'a, I, F, D>,
}

impl<I: NeighborIndex, F: NeighborReal, const D: usize> Bucket<'_, I, F, D> {
    fn write(self, list: &List<'_, D>, sorter: &mut Sorter) {
        let packing = &list.packing;
        let pair_bits = packing.pair_bits();
        let from = if list.has_dense_images { 0 } else { pair_bits.start };
        let sorted = sorter.sort(self.entries, from..pair_bits.end);
        if from > 0 {
            insert_neighbors(sorted);
        }
        let first_body = self.first_body as u32;
        let columns = self.columns;
        if self.in_place {
            for (place, &entry) in self.entries.iter_mut().zip(&*sorted) {
                *place = i64::from(packing.partner(entry));
            }
        }
        for (place, &entry) in columns.second.iter_mut().zip(&*sorted) {
            *place = I::of(packing.partner(entry));
        }
        for (place, &entry) in columns.first.iter_mut().zip(&*sorted) {
            *place = I::of(first_body + packing.row(entry));
        }
        for (place, &entry) in columns.shifts.iter_mut().zip(&*sorted) {
            *place = packing.shift(entry);
        }
        if let Some(now) = list.now {
            let entry = |k: usize| {
                let entry = sorted[k];
                (first_body + packing.row(entry), packing.partner(entry), packing.shift(entry))
            };
            found::write_geometry(now, entry, columns.distances, columns.vectors);
        }
        if !columns.offsets.is_empty() {
            columns.offsets.fill(0);
            for &entry in &*sorted {
                columns.offsets[packing.row(entry) as usize] += 1;
            }
            let mut end = self.start;
            for offset in columns.offsets {
                end += *offset;
                *offset = end;
            }
        }
    }
}

/// Brings numbers into order that are nearly so: images of one pair stand together already.
fn insert_neighbors(numbers: &mut [i64]) {
    for k in 1..numbers.len() {
        let mut at = k;
        while at > 0 && numbers[at] < numbers[at - 1] {
            numbers.swap(at, at - 1);
            at -= 1;
        }
    }
}
