//! MR search (mr, section 5): the cells around a cell as rows of consecutive cells, each row a stretch of the sorted list
//! whose beginning and end only move forward while the central cell advances.

use super::cell_array::CellArray;
use super::cell_key::CellKey;
use super::contacts::{Body, Contacts};
use crate::detectors::toolkit::Images;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;

/// Bodies per task of a parallel search.
const TASK: usize = 1 << 13;

/// Bodies that are gathered from the list together.
const GATHERED: usize = 16;

/// Bodies in the order of their cells, as a list.
pub(crate) trait SortedBodies<K: CellKey>: Sync {
    /// Number of bodies.
    fn len(&self) -> usize;

    /// The first node.
    fn first(&self) -> u32;

    /// What stands behind the last node.
    fn end(&self) -> u32;

    /// The node behind this one.
    fn next(&self, node: u32) -> u32;

    /// The cell of a node's body.
    fn key(&self, node: u32) -> K;

    /// The number of a node's body.
    fn id(&self, node: u32) -> u32;
}

/// How the beginning of a row is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    /// By a pointer that moves forward from row to row: MR search.
    Forward,
    /// By binary search among nodes that follow one another in memory.
    Binary,
}

/// The half mask: rows of cells behind the own one, that one aside. One row in 2D, four in 3D; first and last cell of each.
pub(crate) fn rows_of_half_mask<const D: usize>() -> impl Iterator<Item = [[i32; D]; 2]> {
    let is_behind = |row: &[[i32; D]; 2]| row[0][1..].iter().rev().find(|&&step| step != 0) == Some(&1);
    rows_of_full_mask().filter(is_behind)
}

/// The full mask of 3^D cells, as rows: three in 2D, nine in 3D; first and last cell of each.
pub(crate) fn rows_of_full_mask<const D: usize>() -> impl Iterator<Item = [[i32; D]; 2]> {
    (0..3i32.pow(D as u32 - 1)).map(|code| {
        [-1, 1].map(|end| {
            std::array::from_fn(|axis| if axis == 0 { end } else { code / 3i32.pow(axis as u32 - 1) % 3 - 1 })
        })
    })
}

/// Every contact of bodies in the same or in neighbouring cells of one list. Cells are counted as rows that a body is tested
/// against.
pub(crate) fn search_within<K: CellKey, S: PairSink<D>, const D: usize>(
    list: &impl SortedBodies<K>,
    now: &Snapshot<'_, D>,
    images: &Images<D>,
    finding: Finding,
    sink: &mut S,
) {
    let all = Block { start: list.first(), bodies: list.len() };
    let first = if threads::available() && list.len() > TASK { sink.split() } else { None };
    let Some(first) = first else {
        search_block(list, now, images, finding, all, &[], sink);
        return;
    };
    let marks = marks(list);
    let mut parts = vec![first];
    parts.extend((1..marks.len()).map_while(|_| sink.split()));
    parts.par_iter_mut().enumerate().for_each(|(task, part)| {
        let block = Block { start: marks[task].1, bodies: TASK.min(list.len() - task * TASK) };
        search_block(list, now, images, finding, block, &marks, part);
    });
    sink.join(parts);
}

/// Every contact of some bodies, the contactors, with others, the targets, in the same or in neighbouring cells.
pub(crate) fn search_between<K: CellKey, S: PairSink<D>, const D: usize>(
    contactors: &CellArray<K, D>,
    targets: &CellArray<K, D>,
    now: &Snapshot<'_, D>,
    images: &Images<D>,
    sink: &mut S,
) {
    let bodies = contactors.len();
    if targets.len() == 0 {
        return;
    }
    let first = if threads::available() && bodies > TASK { sink.split() } else { None };
    let Some(first) = first else {
        search_from_block(contactors, 0..bodies as u32, targets, now, images, sink);
        return;
    };
    let mut parts = vec![first];
    parts.extend((1..bodies.div_ceil(TASK)).map_while(|_| sink.split()));
    parts.par_iter_mut().enumerate().for_each(|(task, part)| {
        let block = task * TASK..((task + 1) * TASK).min(bodies);
        search_from_block(contactors, block.start as u32..block.end as u32, targets, now, images, part);
    });
    sink.join(parts);
}

fn search_from_block<K: CellKey, S: PairSink<D>, const D: usize>(
    contactors: &CellArray<K, D>,
    block: Range<u32>,
    targets: &CellArray<K, D>,
    now: &Snapshot<'_, D>,
    images: &Images<D>,
    sink: &mut S,
) {
    let mut contacts = Contacts::new(now, images);
    let mut rows: Vec<Row<K, D>> = Vec::new();
    let mut center = None;
    for node in block {
        let key = SortedBodies::key(contactors, node);
        if rows.is_empty() {
            rows.extend(rows_of_full_mask().map(|ends| Row::new(ends, 0)));
            rows.iter_mut().for_each(|row| row.advance(targets, now, key, Finding::Binary));
        } else if center != Some(key) {
            rows.iter_mut().for_each(|row| row.advance(targets, now, key, Finding::Forward));
        }
        center = Some(key);
        let body = Body::of(now, contactors.id(node));
        rows.iter().for_each(|row| row.test(&body, 0, &mut contacts, sink));
        sink.cells(rows.len() as u64);
    }
    contacts.finish(sink);
}

/// Bodies that follow one another in a list.
struct Block {
    start: u32,
    bodies: usize,
}

/// Every [`TASK`]th node with its cell, beginning with the first.
fn marks<K: CellKey>(list: &impl SortedBodies<K>) -> Vec<(K, u32)> {
    let mut marks = Vec::with_capacity(list.len().div_ceil(TASK));
    let mut node = list.first();
    for place in 0..list.len() {
        if place % TASK == 0 {
            marks.push((list.key(node), node));
        }
        node = list.next(node);
    }
    marks
}

/// Searches the neighbourhoods of the bodies of a block. `marks` are places in the list from which its rows may be looked
/// for, or none for a block that begins with the list.
fn search_block<K: CellKey, S: PairSink<D>, const D: usize>(
    list: &impl SortedBodies<K>,
    now: &Snapshot<'_, D>,
    images: &Images<D>,
    finding: Finding,
    block: Block,
    marks: &[(K, u32)],
    sink: &mut S,
) {
    let mut contacts = Contacts::new(now, images);
    // The own row begins with the bodies of the block themselves.
    let mut own_ends = [[0; D]; 2];
    own_ends[1][0] = 1;
    let mut own: Row<K, D> = Row::new(own_ends, block.start);
    let mut rows: Vec<Row<K, D>> = Vec::new();
    let mut left = block.bodies;
    while left > 0 {
        let center = own.next_key(list);
        if rows.is_empty() {
            let start = |row: &Row<K, D>| {
                let before = marks.partition_point(|&(key, _)| key < center.moved(row.first));
                if before == 0 { list.first() } else { marks[before - 1].1 }
            };
            rows.extend(rows_of_half_mask().map(|ends| Row::new(ends, 0)));
            rows.iter_mut().for_each(|row| row.ahead = start(row));
        }
        own.advance(list, now, center, Finding::Forward);
        rows.iter_mut().for_each(|row| row.advance(list, now, center, finding));
        let together = own.bodies().iter().take(left).take_while(|(key, _)| *key == center).count();
        for place in 0..together {
            let body = own.bodies()[place].1;
            own.test(&body, place + 1, &mut contacts, sink);
            rows.iter().for_each(|row| row.test(&body, 0, &mut contacts, sink));
        }
        sink.cells(together as u64 * (1 + rows.len() as u64));
        own.begin += together;
        left -= together;
    }
    contacts.finish(sink);
}

/// The bodies of a row of cells around the central one, gathered from the list.
struct Row<K: CellKey, const D: usize> {
    /// Steps from the central cell to the first and last one of the row.
    first: K,
    last: K,
    /// Bodies in the order of the list: from `begin` on those of the row, from `end` on some that come next, gathered together
    /// so that waiting for memory is done for many at once.
    window: Vec<(K, Body<D>)>,
    begin: usize,
    end: usize,
    /// The first node behind the window.
    ahead: u32,
}

impl<K: CellKey, const D: usize> Row<K, D> {
    fn new([first, last]: [[i32; D]; 2], ahead: u32) -> Self {
        Self { first: K::step(first), last: K::step(last), window: Vec::new(), begin: 0, end: 0, ahead }
    }

    #[inline]
    fn bodies(&self) -> &[(K, Body<D>)] {
        &self.window[self.begin..self.end]
    }

    /// The cell of the first body that has not been left behind.
    fn next_key(&self, list: &impl SortedBodies<K>) -> K {
        self.window.get(self.begin).map_or_else(|| list.key(self.ahead), |&(key, _)| key)
    }

    /// Moves the row to its place around a later central cell.
    #[inline]
    fn advance(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>, center: K, finding: Finding) {
        let (first, last) = (center.moved(self.first), center.moved(self.last));
        match finding {
            Finding::Forward => self.leave_behind(list, first),
            Finding::Binary => {
                (self.begin, self.end) = (0, 0);
                self.window.clear();
                self.ahead = lower_bound(list, 0..list.len() as u32, first);
            }
        }
        loop {
            self.end += self.window[self.end..].iter().take_while(|(key, _)| *key <= last).count();
            let is_over = self.end < self.window.len() || self.ahead == list.end() || list.key(self.ahead) > last;
            if is_over {
                return;
            }
            self.gather(list, now);
        }
    }

    /// Moves the beginning of the row forward to the first body whose cell is not before `first`.
    #[inline]
    fn leave_behind(&mut self, list: &impl SortedBodies<K>, first: K) {
        self.begin += self.window[self.begin..].iter().take_while(|(key, _)| *key < first).count();
        self.end = self.end.max(self.begin);
        if self.begin == self.window.len() {
            self.window.clear();
            (self.begin, self.end) = (0, 0);
            while self.ahead != list.end() && list.key(self.ahead) < first {
                self.ahead = list.next(self.ahead);
            }
        }
    }

    /// Adds the next bodies of the list.
    #[inline(never)]
    fn gather(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>) {
        if 2 * self.begin > self.window.len() {
            self.window.drain(..self.begin);
            (self.begin, self.end) = (0, self.end - self.begin);
        }
        for _ in 0..GATHERED {
            if self.ahead == list.end() {
                return;
            }
            self.window.push((list.key(self.ahead), Body::of(now, list.id(self.ahead))));
            self.ahead = list.next(self.ahead);
        }
    }

    /// Tests a body against those of the row, from a place in it on.
    #[inline]
    fn test<S: PairSink<D>>(&self, body: &Body<D>, from: usize, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        let others = &self.bodies()[from..];
        sink.candidates(others.len() as u64);
        for (_, other) in others {
            contacts.test(body, other, sink);
        }
    }
}

/// The first of nodes that follow one another in memory whose cell is not before `key`.
fn lower_bound<K: CellKey>(list: &impl SortedBodies<K>, mut nodes: Range<u32>, key: K) -> u32 {
    while !nodes.is_empty() {
        let middle = nodes.start + (nodes.end - nodes.start) / 2;
        if list.key(middle) < key {
            nodes.start = middle + 1;
        } else {
            nodes.end = middle;
        }
    }
    nodes.start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_the_rows_of_the_papers() {
        assert_eq!(rows_of_half_mask::<2>().collect::<Vec<_>>(), [[[-1, 1], [1, 1]]]);
        let solid: Vec<_> = rows_of_half_mask::<3>().collect();
        let expected = [[1, 0], [-1, 1], [0, 1], [1, 1]].map(|[y, z]| [[-1, y, z], [1, y, z]]);
        assert_eq!(solid, expected);
        assert_eq!((rows_of_full_mask::<2>().count(), rows_of_full_mask::<3>().count()), (3, 9));
    }
}
