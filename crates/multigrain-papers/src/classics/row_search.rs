//! MR search (mr, section 5): the cells around a cell as rows of consecutive cells, each row a stretch of the sorted list
//! whose beginning and end only move forward while the central cell advances.

use super::cell_key::CellKey;
use super::contacts::{Body, Contacts};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::{Images, share};
use multigrain::threads::{self, blocks};
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
    if list.len() <= TASK || !threads::available() {
        let all = ListBlock { start: list.first(), bodies: list.len() };
        search_block(list, now, images, finding, all, &[], sink);
        return;
    }
    let marks = marks(list);
    share(
        blocks(list.len(), TASK),
        sink,
        || (),
        |(), bodies, sink| {
            let block = ListBlock { start: marks[bodies.start / TASK].1, bodies: bodies.len() };
            search_block(list, now, images, finding, block, &marks, sink);
        },
    );
}

/// Bodies that follow one another in a list.
struct ListBlock {
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
    block: ListBlock,
    marks: &[(K, u32)],
    sink: &mut S,
) {
    let mut contacts = Contacts::new(now, images);
    let (mut own, mut others) = windows::<K, D>(finding, block.start);
    let rows = own.rows.len() + others.iter().map(|window| window.rows.len()).sum::<usize>();
    let mut left = block.bodies;
    let mut is_first = true;
    while left > 0 {
        let center = own.next_key(list);
        if std::mem::take(&mut is_first) {
            for window in &mut others {
                let before = marks.partition_point(|&(key, _)| key < center.moved(window.rows[0].first));
                window.ahead = if before == 0 { list.first() } else { marks[before - 1].1 };
            }
        }
        own.advance(list, now, center);
        match finding {
            Finding::Forward => others.iter_mut().for_each(|window| window.advance(list, now, center)),
            Finding::Binary => others.iter_mut().for_each(|window| window.find(list, now, center)),
        }
        let together = own.row(0).iter().take(left).take_while(|(key, _)| *key == center).count();
        for place in 0..together {
            if sink.stop_requested() {
                return;
            }
            let body = own.row(0)[place].1;
            test(&body, &own.row(0)[place + 1..], &mut contacts, sink);
            own.test(&body, 1, &mut contacts, sink);
            others.iter().for_each(|window| window.test(&body, 0, &mut contacts, sink));
        }
        sink.cells((together * rows) as u64);
        own.rows[0].begin += together;
        left -= together;
    }
    contacts.finish(sink);
}

/// The window that begins with the own row, whose first bodies are those of the block themselves, and the other windows of the
/// half mask. Rows of a layer share a window, so that their bodies are gathered once; binary search finds every row alone.
fn windows<K: CellKey, const D: usize>(finding: Finding, start: u32) -> (Window<K, D>, Vec<Window<K, D>>) {
    let mut own = [[0; D]; 2];
    own[1][0] = 1;
    let rows: Vec<_> = [own].into_iter().chain(rows_of_half_mask()).collect();
    let is_shared = |a: &[[i32; D]; 2], b: &[[i32; D]; 2]| match finding {
        Finding::Forward => a[0][1..].iter().skip(1).eq(b[0][1..].iter().skip(1)),
        Finding::Binary => false,
    };
    let mut windows = rows.chunk_by(is_shared).map(|rows| Window::new(rows, start));
    let first = windows.next().unwrap_or_else(|| Window::new(&rows, start));
    // What binary search finds is not looked at again in the next cell: none more than needed.
    let gathered = if finding == Finding::Binary { 1 } else { GATHERED };
    (first, windows.map(|window| Window { gathered, ..window }).collect())
}

/// A row of cells around the central one, as a part of a window on the list. Both ends only move forward.
struct SearchedRow<K> {
    /// Steps from the central cell to the first and last one of the row.
    first: K,
    last: K,
    /// Places of its bodies in the window.
    begin: usize,
    end: usize,
}

/// A window on the list: the bodies from the beginning of its first row to the end of its last, and some that come next,
/// gathered together so that waiting for memory is done for many at once. Those after them have been asked for.
struct Window<K: CellKey, const D: usize> {
    rows: Vec<SearchedRow<K>>,
    bodies: Vec<(K, Body<D>)>,
    /// Cells and numbers of the bodies behind those that have been asked for.
    coming: Vec<(K, u32)>,
    /// The first node behind all these.
    ahead: u32,
    /// How many bodies are gathered together.
    gathered: usize,
}

impl<K: CellKey, const D: usize> Window<K, D> {
    /// A window for rows that come in the order of the list.
    fn new(rows: &[[[i32; D]; 2]], ahead: u32) -> Self {
        let row =
            |ends: &[[i32; D]; 2]| SearchedRow { first: K::step(ends[0]), last: K::step(ends[1]), begin: 0, end: 0 };
        let rows = rows.iter().map(row).collect();
        Self { rows, bodies: Vec::new(), coming: Vec::new(), ahead, gathered: GATHERED }
    }

    /// The bodies of a row.
    #[inline]
    fn row(&self, number: usize) -> &[(K, Body<D>)] {
        &self.bodies[self.rows[number].begin..self.rows[number].end]
    }

    /// The cell of the first body of the first row that has not been left behind.
    fn next_key(&self, list: &impl SortedBodies<K>) -> K {
        let gathered = self.bodies.get(self.rows[0].begin).map(|&(key, _)| key);
        gathered.or_else(|| self.key_behind(list)).unwrap_or_default()
    }

    /// The cell of the first body that is not gathered.
    #[inline]
    fn key_behind(&self, list: &impl SortedBodies<K>) -> Option<K> {
        let coming = self.coming.first().map(|&(key, _)| key);
        coming.or_else(|| (self.ahead != list.end()).then(|| list.key(self.ahead)))
    }

    /// Moves the rows to their places around a later central cell.
    #[inline]
    fn advance(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>, center: K) {
        self.leave_behind(list, center.moved(self.rows[0].first));
        let last = center.moved(self.rows[self.rows.len() - 1].last);
        while self.bodies.last().is_none_or(|(key, _)| *key <= last)
            && self.key_behind(list).is_some_and(|key| key <= last)
        {
            self.gather(list, now);
        }
        for row in &mut self.rows {
            let (first, last) = (center.moved(row.first), center.moved(row.last));
            row.begin += self.bodies[row.begin..].iter().take_while(|(key, _)| *key < first).count();
            row.end = row.end.max(row.begin);
            row.end += self.bodies[row.end..].iter().take_while(|(key, _)| *key <= last).count();
        }
    }

    /// Moves the only row to its place around a central cell, found by binary search.
    fn find(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>, center: K) {
        self.forget_bodies();
        self.coming.clear();
        self.ahead = lower_bound(list, 0..list.len() as u32, center.moved(self.rows[0].first));
        self.advance(list, now, center);
    }

    /// Moves the beginning of the first row forward to the first body whose cell is not before `first`.
    #[inline]
    fn leave_behind(&mut self, list: &impl SortedBodies<K>, first: K) {
        let begin = &mut self.rows[0].begin;
        *begin += self.bodies[*begin..].iter().take_while(|(key, _)| *key < first).count();
        if *begin == self.bodies.len() {
            self.forget_bodies();
            let left = self.coming.iter().take_while(|(key, _)| *key < first).count();
            self.coming.drain(..left);
            while self.coming.is_empty() && self.ahead != list.end() && list.key(self.ahead) < first {
                self.ahead = list.next(self.ahead);
            }
        }
    }

    fn forget_bodies(&mut self) {
        self.bodies.clear();
        self.rows.iter_mut().for_each(|row| (row.begin, row.end) = (0, 0));
    }

    /// Adds the next bodies of the list.
    #[inline(never)]
    fn gather(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>) {
        let left_behind = self.rows[0].begin;
        if 2 * left_behind > self.bodies.len() {
            self.bodies.drain(..left_behind);
            for row in &mut self.rows {
                (row.begin, row.end) = (row.begin.saturating_sub(left_behind), row.end.saturating_sub(left_behind));
            }
        }
        if self.coming.is_empty() {
            self.look_ahead(list, now);
        }
        self.bodies.extend(self.coming.drain(..).map(|(key, id)| (key, Body::of(now, id))));
        if self.gathered > 1 {
            self.look_ahead(list, now);
        }
    }

    /// Asks for the bodies that will be gathered next.
    #[inline]
    fn look_ahead(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>) {
        while self.coming.len() < self.gathered && self.ahead != list.end() {
            let id = list.id(self.ahead);
            Body::prefetch(now, id);
            self.coming.push((list.key(self.ahead), id));
            self.ahead = list.next(self.ahead);
        }
    }

    /// Tests a body against those of all rows but the first `skipped`.
    #[inline]
    fn test<S: PairSink<D>>(&self, body: &Body<D>, skipped: usize, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        for row in skipped..self.rows.len() {
            test(body, self.row(row), contacts, sink);
        }
    }
}

#[inline]
fn test<K, S: PairSink<D>, const D: usize>(
    body: &Body<D>,
    others: &[(K, Body<D>)],
    contacts: &mut Contacts<'_, D>,
    sink: &mut S,
) {
    sink.candidates(others.len() as u64);
    for (_, other) in others {
        contacts.test(body, other, sink);
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
