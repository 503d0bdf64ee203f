//! Multi-step MR's search between groups of bodies (mr, section 7): one list sorted by cell, whose bodies are the contactors here,
//! and the targets of another in any order in which neighbours come one after the other. Which of them are the larger does
//! not matter.

use super::body_list::{CellMap, Links, OneWay};
use super::cell_key::CellKey;
use super::contacts::{Body, Contacts};
use super::near::NearBodies;
use super::row_search::{SortedBodies, rows_of_full_mask};
use multigrain::PairSink;
use multigrain::grid::{prefetch, share};
use multigrain::threads;

/// Targets per task of a parallel search.
const TASK: usize = 1 << 13;

/// One node of the contactors' list is marked in this many.
const BETWEEN_MARKS: usize = 32;

/// Targets that are asked for together, before those at hand are searched from.
const TOGETHER: usize = 16;

/// The list of contactors, with marks from which a row of cells is found without walking all of the list.
pub(crate) struct Contactors<'a, L, const D: usize> {
    list: L,
    map: &'a CellMap<'a, D>,
    marks: &'a [u32],
}

impl<'a, L, const D: usize> Contactors<'a, L, D> {
    /// Contactors in the order of the cells of `map`. `marks` is memory for the marks.
    pub fn new<K: CellKey>(list: L, map: &'a CellMap<'a, D>, marks: &'a mut Vec<u32>) -> Self
    where
        L: SortedBodies<K>,
    {
        marks.clear();
        marks.reserve_exact(list.len().div_ceil(BETWEEN_MARKS));
        let mut node = list.first();
        for place in 0..list.len() {
            if place.is_multiple_of(BETWEEN_MARKS) {
                marks.push(node);
            }
            node = list.next(node);
        }
        Self { list, map, marks }
    }

    /// The first node whose cell is not before `key`, looked for from a mark.
    fn find<K: CellKey>(&self, key: K) -> u32
    where
        L: SortedBodies<K>,
    {
        let before = self.marks.partition_point(|&node| self.list.key(node) < key);
        let mut node = self.marks[before.saturating_sub(1)];
        while node != self.list.end() && self.list.key(node) < key {
            node = self.list.next(node);
        }
        node
    }
}

/// Targets in the order of a list.
#[derive(Clone, Copy)]
pub(crate) struct Targets<'a> {
    pub ids: &'a [u32],
    pub links: &'a OneWay,
}

/// Targets that follow one another.
#[derive(Clone, Copy)]
struct TargetBlock {
    /// The node before the first, unless that is the head of the list.
    before: Option<u32>,
    start: u32,
    targets: usize,
}

impl Targets<'_> {
    /// All targets in blocks of up to `size`.
    fn blocks(&self, size: usize) -> Vec<TargetBlock> {
        let len = self.ids.len();
        let start = self.links.next(len as u32);
        let mut blocks = vec![TargetBlock { before: None, start, targets: len.min(size) }];
        let mut node = start;
        for place in 1..if len > size { len } else { 0 } {
            let next = self.links.next(node);
            if place.is_multiple_of(size) {
                blocks.push(TargetBlock { before: Some(node), start: next, targets: size.min(len - place) });
            }
            node = next;
        }
        blocks
    }

    /// Takes the next targets of a block, and asks for their centers.
    #[inline]
    fn take<const D: usize>(
        &self,
        block: &mut TargetBlock,
        map: &CellMap<'_, D>,
        taken: &mut [u32; TOGETHER],
    ) -> usize {
        let count = block.targets.min(TOGETHER);
        for id in &mut taken[..count] {
            *id = self.ids[block.start as usize];
            prefetch(map.now.centers(), *id as usize);
            block.start = self.links.next(block.start);
        }
        block.targets -= count;
        count
    }
}

/// Every contact of contactors with targets, bodies of another list, in the same or in neighbouring cells of the contactors' grid. Cells
/// are counted as rows that are looked for: once for all targets of a cell that follow one another.
pub(crate) fn search_from_targets<K: CellKey, L: SortedBodies<K>, S: PairSink<D>, const D: usize>(
    contactors: &Contactors<'_, L, D>,
    targets: Targets<'_>,
    sink: &mut S,
) {
    if targets.ids.is_empty() {
        return;
    }
    let size = if threads::available() { TASK } else { targets.ids.len() };
    let blocks = targets.blocks(size).into_iter();
    share(blocks, sink, || Around::new(contactors), |around, block, sink| search_block(around, targets, block, sink));
}

fn search_block<K: CellKey, L: SortedBodies<K>, S: PairSink<D>, const D: usize>(
    around: &mut Around<'_, K, L, D>,
    targets: Targets<'_>,
    mut block: TargetBlock,
    sink: &mut S,
) {
    let map = around.contactors.map;
    let mut contacts = Contacts::new(map.now, map.images);
    let mut center = None;
    // Rows that the block before has looked for are not counted again.
    let mut counted = block.before.map(|node| K::pack(map.cell(targets.ids[node as usize])));
    let mut coming = [0; TOGETHER];
    let mut count = targets.take(&mut block, map, &mut coming);
    while count > 0 {
        let (together, number) = (coming, count);
        count = targets.take(&mut block, map, &mut coming);
        if sink.stop_requested() {
            return;
        }
        for &id in &together[..number] {
            let key = K::pack(map.cell(id));
            if center != Some(key) {
                around.move_to(key);
                center = Some(key);
            }
            if counted != Some(key) {
                sink.cells(around.rows.len() as u64);
                counted = Some(key);
            }
            if around.near.len() > 0 {
                sink.candidates(around.near.len() as u64);
                around.near.test(0..around.near.len(), &Body::of(map.now, id), &mut contacts, sink);
            }
        }
    }
    contacts.finish(sink);
}

/// The contactors of a linked list around a cell, gathered.
struct Around<'a, K, L, const D: usize> {
    contactors: &'a Contactors<'a, L, D>,
    rows: Vec<TargetRow<K>>,
    near: NearBodies<D>,
}

/// A row of cells around the central one.
struct TargetRow<K> {
    /// Steps from the central cell to the first and last one of the row.
    first: K,
    last: K,
    /// The first node not before the cell that was looked for, with its cell; none behind the last node.
    found: Option<(u32, K)>,
    /// The cell that was looked for.
    begin: Option<K>,
}

impl<'a, K: CellKey, L: SortedBodies<K>, const D: usize> Around<'a, K, L, D> {
    fn new(contactors: &'a Contactors<'a, L, D>) -> Self {
        let row = |ends: [[i32; D]; 2]| TargetRow {
            first: K::step(ends[0]),
            last: K::step(ends[1]),
            found: None,
            begin: None,
        };
        Self { contactors, rows: rows_of_full_mask().map(row).collect(), near: NearBodies::default() }
    }

    /// Takes the bodies around a cell.
    #[inline]
    fn move_to(&mut self, center: K) {
        self.near.clear();
        let Contactors { list, map, .. } = self.contactors;
        for row in &mut self.rows {
            row.look_for(self.contactors, center.moved(row.first));
            let last = center.moved(row.last);
            let mut place = row.found;
            while let Some((node, key)) = place
                && key <= last
            {
                self.near.push(map.now, list.id(node));
                place = with_key(list, list.next(node));
            }
        }
        self.near.fill_up();
    }
}

impl<K: CellKey> TargetRow<K> {
    /// Moves to the first node whose cell is not before `begin`: forward from the last place if it lies a few nodes ahead.
    #[inline]
    fn look_for<L: SortedBodies<K>, const D: usize>(&mut self, contactors: &Contactors<'_, L, D>, begin: K) {
        let list = &contactors.list;
        let last = self.begin.replace(begin);
        if last.is_some_and(|last| last <= begin) {
            for _ in 0..BETWEEN_MARKS {
                match self.found {
                    Some((node, key)) if key < begin => self.found = with_key(list, list.next(node)),
                    _ => return,
                }
            }
        }
        self.found = with_key(list, contactors.find(begin));
    }
}

#[inline]
fn with_key<K: CellKey>(list: &impl SortedBodies<K>, node: u32) -> Option<(u32, K)> {
    (node != list.end()).then(|| (node, list.key(node)))
}
