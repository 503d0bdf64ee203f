//! Contacts across periodic borders, the same for every classic method: the papers know open space only.
//!
//! Only bodies near a border take part, so the index here is a small one beside that of the method: their cells, sorted.

use super::contacts::{Body, Contacts};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Grid, Images, ShiftRange};
use std::cmp::Ordering;
use std::ops::Range;

/// The bodies near periodic borders, sorted by cell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Borders<const D: usize> {
    entries: Vec<BorderEntry<D>>,
}

#[derive(Debug, Clone, Copy)]
struct BorderEntry<const D: usize> {
    cell: [u32; D],
    id: u32,
}

/// What a search across borders needs to know of a step.
#[derive(Clone, Copy)]
pub(crate) struct BorderFrame<'a, const D: usize> {
    pub now: &'a Snapshot<'a, D>,
    pub images: &'a Images<D>,
    pub grid: &'a Grid<D>,
    /// Bounds of all bodies as stored.
    pub bounds: ([f64; D], [f64; D]),
    /// Largest radius of a body searched for.
    pub largest: f64,
}

impl<const D: usize> BorderFrame<'_, D> {
    fn stored(&self, id: u32) -> [f64; D] {
        self.images.stored_center(id as usize, self.now.centers()[id as usize])
    }

    /// Distance along each axis within which a body of `radius` may touch another, with room for rounding.
    fn reach(&self, radius: f64) -> [f64; D] {
        self.now.rounding_slack().map(|slack| radius + self.largest + self.now.margin() + slack)
    }

    fn shifts(&self, stored: [f64; D], reach: [f64; D]) -> ShiftRange<D> {
        self.images.shifts(stored, reach, self.bounds.0, self.bounds.1)
    }
}

impl<const D: usize> Borders<D> {
    /// Takes over those of the bodies `ids` that bodies of radius `searching` may touch across a border.
    pub fn fill(&mut self, frame: &BorderFrame<'_, D>, ids: impl Iterator<Item = u32>, searching: f64) {
        self.entries.clear();
        if !frame.images.are_periodic() {
            return;
        }
        // Twice the slack: a body must be here if any partner's search, which has its own slack, may reach it.
        let (reach, slack) = (frame.reach(searching), frame.now.rounding_slack());
        let reach = std::array::from_fn(|axis| reach[axis] + slack[axis]);
        for id in ids {
            let stored = frame.stored(id);
            if !frame.shifts(stored, reach).is_home_only() {
                self.entries.push(BorderEntry { cell: frame.grid.cell_of(stored), id });
            }
        }
        self.entries.sort_unstable_by(|a, b| order(a.cell, b.cell).then(a.id.cmp(&b.id)));
    }

    /// Finds every contact across borders among the bodies taken over.
    pub fn search_among<S: PairSink<D>>(
        &self,
        frame: &BorderFrame<'_, D>,
        contacts: &mut Contacts<'_, D>,
        sink: &mut S,
    ) {
        for entry in &self.entries {
            if sink.stop_requested() {
                return;
            }
            let body = Body::of(frame.now, entry.id);
            let (stored, reach) = (frame.stored(entry.id), frame.reach(body.radius));
            for shift in frame.shifts(stored, reach).positive_half() {
                self.search_image(frame, &body, frame.images.seen_from(stored, shift), shift, contacts, sink);
            }
        }
    }

    /// Finds every contact across borders of other bodies, `ids`, with those taken over.
    pub fn search_from<S: PairSink<D>>(
        &self,
        frame: &BorderFrame<'_, D>,
        ids: impl Iterator<Item = u32>,
        contacts: &mut Contacts<'_, D>,
        sink: &mut S,
    ) {
        if self.entries.is_empty() {
            return;
        }
        for id in ids {
            if sink.stop_requested() {
                return;
            }
            let body = Body::of(frame.now, id);
            let (stored, reach) = (frame.stored(id), frame.reach(body.radius));
            for shift in frame.shifts(stored, reach).iter().filter(|&shift| shift != [0; D]) {
                self.search_image(frame, &body, frame.images.seen_from(stored, shift), shift, contacts, sink);
            }
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<BorderEntry<D>>()
    }

    fn search_image<S: PairSink<D>>(
        &self,
        frame: &BorderFrame<'_, D>,
        body: &Body<D>,
        seen_from: [f64; D],
        shift: [i32; D],
        contacts: &mut Contacts<'_, D>,
        sink: &mut S,
    ) {
        let Some((first, last)) = frame.grid.cells_within(seen_from, frame.reach(body.radius)) else { return };
        let mut row = first;
        loop {
            let mut end = row;
            end[0] = last[0];
            let range = self.between(row, end);
            sink.cells(1);
            sink.candidates(range.len() as u64);
            for entry in &self.entries[range] {
                contacts.test_image(body, &Body::of(frame.now, entry.id), shift, sink);
            }
            let Some(axis) = (1..D).find(|&axis| row[axis] < last[axis]) else { return };
            row[axis] += 1;
            row[1..axis].copy_from_slice(&first[1..axis]);
        }
    }

    /// The entries of a row of cells, both ends included.
    fn between(&self, first: [u32; D], last: [u32; D]) -> Range<usize> {
        let start = self.entries.partition_point(|entry| order(entry.cell, first).is_lt());
        let length = self.entries[start..].partition_point(|entry| order(entry.cell, last).is_le());
        start..start + length
    }
}

/// Order of cells: along the last axis first, x last.
fn order<const D: usize>(a: [u32; D], b: [u32; D]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}
