//! Sorting bodies by cell in two passes that each work within the cache.
//!
//! First the input is read once, a segment at a time: keys, then records parted by bucket (a run of keys) within the
//! segment's own memory. Then every bucket gathers its records from all segments and spreads them over the columns, a
//! counting sort over the bucket's own keys. Both passes keep the order of the input, so the result does not depend on
//! how the work is cut.

use super::columns::Columns;
use super::kernel::{self, KernelWork};
use super::keys::{KeySpace, LevelGrids};
use crate::grid::{Images, prefetch, stream};
use crate::snapshot::Snapshot;
use crate::threads;

/// Bodies per segment: their records stay in the second-level cache.
const SEGMENT: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 14;

/// Keys per bucket are at least this many (as a power of two): its records are about as much as the first-level cache holds. Half
/// as many take as long, twice as many two percent of a search longer.
const MIN_BUCKET_BITS: u32 = 11;

/// Keys per bucket are at most this many (as a power of two): what a tag has room for.
const MAX_BUCKET_BITS: u32 = u32::BITS - SEGMENT_BITS;

/// Buckets are at most this many (as a power of two), where the keys leave the choice: more would make the runs within a segment too short.
const MAX_BUCKETS_BITS: u32 = 10;

/// Bodies among which those of coarser levels are told apart.
const COARSER: usize = 256;

/// This many records, at least, share a line of the cache.
const RECORDS_PER_LINE: usize = 3;

/// Bodies from which on records are written past the caches: all of them would not stay there anyway.
const MIN_STREAMED: usize = 1 << 18;

#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct SortedBody<const D: usize> {
    position: [f32; D],
    radius: f32,
    /// The key within the bucket, and below it the index within the segment: both are known where the record lies.
    tag: u32,
}

/// The tag of body `k` of a segment; a bucket has `1 << shift` keys.
#[inline(always)]
fn tag(key: u32, shift: u32, k: usize) -> u32 {
    key << (u32::BITS - shift) >> (MAX_BUCKET_BITS - shift) | k as u32
}

impl<const D: usize> SortedBody<D> {
    #[inline(always)]
    fn key(&self) -> u32 {
        self.tag >> SEGMENT_BITS
    }

    #[inline(always)]
    fn index(&self) -> u32 {
        self.tag & (SEGMENT as u32 - 1)
    }
}

/// The memory of a sort, kept for the next.
#[derive(Debug, Clone)]
pub(super) struct Sorter<const D: usize> {
    records: Vec<SortedBody<D>>,
    /// For each segment and bucket, where the bucket's records end within the segment.
    ends: Vec<u32>,
    /// Records of one segment, on their way past the caches.
    stage: Vec<SortedBody<D>>,
}

impl<const D: usize> Sorter<D> {
    pub fn new() -> Self {
        Self { records: Vec::new(), ends: Vec::new(), stage: Vec::new() }
    }

    /// Fills `columns` with the bodies sorted by key and `cell_ends` with where the bodies of each key end.
    pub fn sort(
        &mut self,
        now: &Snapshot<'_, D>,
        target: &SortTarget<'_, D>,
        columns: &mut Columns<D>,
        cell_ends: &mut Vec<u32>,
    ) {
        let keys = target.space.len;
        let shift = keys.max(1).ilog2().saturating_sub(MAX_BUCKETS_BITS - 1).clamp(MIN_BUCKET_BITS, MAX_BUCKET_BITS);
        let buckets = (keys >> shift) + 1;
        columns.resize(now.len());
        self.part(now, target, shift, buckets, &mut columns.keys);
        cell_ends.resize(keys, 0);
        self.spread(shift, buckets, now.len(), columns, cell_ends);
    }

    /// Parts the records of every segment by bucket. `keys` is scratch.
    fn part(
        &mut self,
        now: &Snapshot<'_, D>,
        target: &SortTarget<'_, D>,
        shift: u32,
        buckets: usize,
        keys: &mut [u32],
    ) {
        let empty = SortedBody { position: [0.0; D], radius: 0.0, tag: 0 };
        self.records.resize(now.len(), empty);
        self.ends.clear();
        self.ends.resize(now.len().div_ceil(SEGMENT) * buckets, 0);
        let staged = if now.len() < MIN_STREAMED { 0 } else { SEGMENT };
        let segments = (self.records.chunks_mut(SEGMENT))
            .zip(self.ends.chunks_mut(buckets))
            .zip(keys[..now.len()].chunks_mut(SEGMENT))
            .enumerate()
            .map(|(segment, ((records, ends), keys))| {
                let first = segment * SEGMENT;
                let centers = &now.centers()[first..first + records.len()];
                let radii = &now.radii()[first..first + records.len()];
                let bodies = Bodies { centers, radii, first, images: target.images };
                Segment { bodies, records, ends, keys, target, shift }
            });
        if threads::available() {
            threads::for_each(segments, || vec![empty; staged], |stage, segment| segment.part(stage));
        } else {
            self.stage.resize(staged, empty);
            segments.for_each(|segment| segment.part(&mut self.stage));
        }
    }

    /// Sorts every bucket into its own part of the columns.
    fn spread(&self, shift: u32, buckets: usize, len: usize, columns: &mut Columns<D>, cell_ends: &mut [u32]) {
        let mut rest = Slices::of(columns, len);
        let mut ends = cell_ends;
        let mut first = 0;
        let jobs = (0..buckets).map(|bucket| {
            let count: usize = self.runs(bucket, buckets).map(|(_, run)| run.len()).sum();
            let target = rest.split_off(count);
            let keys = (1 << shift).min(ends.len());
            let (own, others) = std::mem::take(&mut ends).split_at_mut(keys);
            ends = others;
            first += count;
            let (first_key, first) = ((bucket << shift) as u32, (first - count) as u32);
            BucketSort { sorter: self, bucket, buckets, first_key, first, target, ends: own }
        });
        threads::for_each(jobs, || (), |(), job| kernel::run(job));
    }

    /// The records of one bucket, segment after segment, and the place of the first.
    fn runs(&self, bucket: usize, buckets: usize) -> impl Iterator<Item = (u32, &[SortedBody<D>])> {
        let segments = self.records.chunks(SEGMENT).zip(self.ends.chunks(buckets));
        segments.enumerate().map(move |(segment, (records, ends))| {
            let start = if bucket == 0 { 0 } else { ends[bucket - 1] };
            ((segment * SEGMENT) as u32 + start, &records[start as usize..ends[bucket] as usize])
        })
    }
}

/// One segment of the input, and where its records go.
struct Segment<'a, const D: usize> {
    bodies: Bodies<'a, D>,
    records: &'a mut [SortedBody<D>],
    ends: &'a mut [u32],
    keys: &'a mut [u32],
    target: &'a SortTarget<'a, D>,
    shift: u32,
}

impl<const D: usize> Segment<'_, D> {
    /// Finds the keys of the bodies and parts them by bucket; where there is a stage, on it first.
    fn part(self, stage: &mut [SortedBody<D>]) {
        kernel::run(PartSegment { segment: self, stage });
    }
}

/// A call of [`Segment::part`], compiled for the best instructions.
struct PartSegment<'s, 'a, const D: usize> {
    segment: Segment<'a, D>,
    stage: &'s mut [SortedBody<D>],
}

impl<const D: usize> KernelWork for PartSegment<'_, '_, D> {
    #[inline(always)]
    fn run(self) {
        let Segment { bodies, records, ends, keys, target, shift } = self.segment;
        bodies.find_keys(target.grids, target.space, keys);
        match self.stage.get_mut(..records.len()) {
            Some(stage) => {
                bodies.part(target.origin, shift, keys, ends, stage);
                stream(stage, records);
            }
            None => bodies.part(target.origin, shift, keys, ends, records),
        }
    }
}

/// Where bodies go.
pub(super) struct SortTarget<'a, const D: usize> {
    pub images: &'a Images<D>,
    pub grids: &'a LevelGrids<D>,
    pub space: &'a KeySpace<D>,
    /// The corner that stored positions are relative to.
    pub origin: [f64; D],
}

/// The bodies of one segment, as given.
struct Bodies<'a, const D: usize> {
    centers: &'a [[f64; D]],
    radii: &'a [f64],
    /// Index of the first one.
    first: usize,
    images: &'a Images<D>,
}

impl<const D: usize> Bodies<'_, D> {
    #[inline(always)]
    fn find_keys(&self, grids: &LevelGrids<D>, space: &KeySpace<D>, keys: &mut [u32]) {
        let bodies = keys.iter_mut().zip(self.centers).zip(self.radii);
        if self.images.any_outside() {
            for (k, ((key, &center), &radius)) in bodies.enumerate() {
                let center = self.images.stored_center(self.first + k, center);
                *key = space.levels[grids.level_of(radius)].key_of(center);
            }
            return;
        }
        // First as if all were on the finest level, many at once; then those of coarser levels again.
        let finest = space.levels[0];
        for ((key, &center), _) in bodies {
            *key = finest.key_of(center);
        }
        if grids.list.len() == 1 {
            return;
        }
        let mut coarser = [0; COARSER];
        for first in (0..keys.len()).step_by(COARSER) {
            let radii = &self.radii[first..keys.len().min(first + COARSER)];
            let mut count = 0;
            for (k, &radius) in radii.iter().enumerate() {
                coarser[count % COARSER] = k as u32;
                count += usize::from(grids.is_coarser(radius));
            }
            for &k in &coarser[..count] {
                let k = first + k as usize;
                keys[k] = space.levels[grids.level_of(self.radii[k])].key_of(self.centers[k]);
            }
        }
    }

    /// Parts the bodies by bucket into `records`; `ends`, zero at first, becomes where the records of each bucket end.
    #[inline(always)]
    fn part(&self, origin: [f64; D], shift: u32, keys: &[u32], ends: &mut [u32], records: &mut [SortedBody<D>]) {
        for key in keys {
            ends[(key >> shift) as usize] += 1;
        }
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        let any_outside = self.images.any_outside();
        let bodies = keys.iter().zip(self.centers).zip(self.radii).enumerate();
        for (k, ((&key, &center), &radius)) in bodies {
            let i = self.first + k;
            let center = if any_outside { self.images.stored_center(i, center) } else { center };
            let end = &mut ends[(key >> shift) as usize];
            let position = std::array::from_fn(|axis| (center[axis] - origin[axis]) as f32);
            records[*end as usize] = SortedBody { position, radius: radius as f32, tag: tag(key, shift, k) };
            *end += 1;
        }
    }
}

/// One bucket to be sorted.
struct BucketSort<'a, const D: usize> {
    sorter: &'a Sorter<D>,
    bucket: usize,
    buckets: usize,
    first_key: u32,
    /// Bodies in earlier buckets.
    first: u32,
    target: Slices<'a, D>,
    ends: &'a mut [u32],
}

impl<const D: usize> KernelWork for BucketSort<'_, D> {
    #[inline(always)]
    fn run(self) {
        let Self { sorter, bucket, buckets, first_key, first, target, ends } = self;
        ends.fill(0);
        // The runs of the next bucket lie far apart in memory, and are asked for meanwhile: 9.1 -> 8.1 ns a body for the whole
        // sort of 1e6.
        let next = if bucket + 1 < buckets { bucket + 1 } else { bucket };
        for ((_, run), (_, next)) in sorter.runs(bucket, buckets).zip(sorter.runs(next, buckets)) {
            for record in (0..next.len()).step_by(RECORDS_PER_LINE) {
                prefetch(next, record);
            }
            for record in run {
                ends[record.key() as usize] += 1;
            }
        }
        let mut sum = first;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        let Slices { position, radius, ids, keys } = target;
        // First the places of the records in order, then the records in that order: reading from many places waits less
        // than writing to many.
        for (start, run) in sorter.runs(bucket, buckets) {
            for (place, record) in (start..).zip(run) {
                let end = &mut ends[record.key() as usize];
                ids[(*end - first) as usize] = place;
                *end += 1;
            }
        }
        for slot in 0..ids.len() {
            let place = ids[slot];
            let record = &sorter.records[place as usize];
            for axis in 0..D {
                position[axis][slot] = record.position[axis];
            }
            radius[slot] = record.radius;
            ids[slot] = place - place % SEGMENT as u32 + record.index();
            keys[slot] = first_key + record.key();
        }
    }
}

/// Parts of all columns that belong together.
pub(super) struct Slices<'a, const D: usize> {
    pub position: [&'a mut [f32]; D],
    pub radius: &'a mut [f32],
    pub ids: &'a mut [u32],
    pub keys: &'a mut [u32],
}

impl<'a, const D: usize> Slices<'a, D> {
    pub fn of(columns: &'a mut Columns<D>, len: usize) -> Self {
        Self {
            position: columns.position.each_mut().map(|column| &mut column[..len]),
            radius: &mut columns.radius[..len],
            ids: &mut columns.ids[..len],
            keys: &mut columns.keys[..len],
        }
    }

    /// Takes the first `count` of every column.
    pub fn split_off(&mut self, count: usize) -> Self {
        fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
            let (head, tail) = std::mem::take(slice).split_at_mut(count);
            *slice = tail;
            head
        }
        Self {
            position: self.position.each_mut().map(|column| take(column, count)),
            radius: take(&mut self.radius, count),
            ids: take(&mut self.ids, count),
            keys: take(&mut self.keys, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_room_for_the_largest_bucket_and_segment() {
        for shift in [MIN_BUCKET_BITS, 15, MAX_BUCKET_BITS] {
            for key in [0, 1, 4095, 123_456_789, u32::MAX] {
                for k in [0, 1, SEGMENT - 1] {
                    let record = SortedBody { position: [0.0; 3], radius: 0.0, tag: tag(key, shift, k) };
                    assert_eq!((record.key(), record.index()), (key % (1 << shift), k as u32), "{key} {shift}");
                }
            }
        }
    }
}
