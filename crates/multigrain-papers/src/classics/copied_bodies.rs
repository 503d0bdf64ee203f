//! Bodies copied in the order of their cells: a row of cells is then a part of an array.

use super::cell_key::CellKey;
use super::contacts::{Body, Contacts};
use super::row_search::{SortedBodies, rows_of_full_mask};
use super::targets::Neighborhood;
use multigrain::PairSink;
use multigrain::Snapshot;

/// Steps by which the beginning of a row moves forward before it is looked for by halving.
const STEPS: usize = 32;

/// The bodies, each with its cell.
#[derive(Debug, Clone)]
pub(crate) struct CopiedBodies<K, const D: usize> {
    bodies: Vec<(K, Body<D>)>,
}

impl<K, const D: usize> Default for CopiedBodies<K, D> {
    fn default() -> Self {
        Self { bodies: Vec::new() }
    }
}

impl<K: CellKey, const D: usize> CopiedBodies<K, D> {
    /// Copies the bodies of a list.
    pub fn fill(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>) {
        self.bodies.clear();
        self.bodies.reserve_exact(list.len());
        let mut node = list.first();
        while node != list.end() {
            let next = list.next(node);
            if next != list.end() {
                Body::prefetch(now, list.id(next));
            }
            self.bodies.push((list.key(node), Body::of(now, list.id(node))));
            node = next;
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.bodies.capacity() * size_of::<(K, Body<D>)>()
    }

    /// The bodies around a cell, none yet.
    pub fn around(&self) -> CopiedAround<'_, K, D> {
        let row = |ends: [[i32; D]; 2]| CopiedRow {
            first: K::step(ends[0]),
            last: K::step(ends[1]),
            from: None,
            begin: 0,
            end: 0,
        };
        CopiedAround { bodies: &self.bodies, rows: rows_of_full_mask().map(row).collect(), len: 0 }
    }
}

/// The bodies around a cell, row by row.
pub(crate) struct CopiedAround<'a, K, const D: usize> {
    bodies: &'a [(K, Body<D>)],
    rows: Vec<CopiedRow<K>>,
    len: usize,
}

/// A row of cells around the central one, and its bodies.
struct CopiedRow<K> {
    /// Steps from the central cell to the first and last one of the row.
    first: K,
    last: K,
    /// The cell that it begins with, where it has been looked for.
    from: Option<K>,
    begin: usize,
    end: usize,
}

impl<K: CellKey, const D: usize> Neighborhood<K, D> for CopiedAround<'_, K, D> {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    fn move_to(&mut self, center: K) {
        self.len = 0;
        for row in &mut self.rows {
            let (from, last) = (center.moved(row.first), center.moved(row.last));
            let is_ahead = row.from.replace(from).is_some_and(|old| old <= from);
            let near = if is_ahead { STEPS } else { 0 };
            let ahead = &self.bodies[row.begin..(row.begin + near).min(self.bodies.len())];
            row.begin = match ahead.iter().position(|(key, _)| *key >= from) {
                Some(steps) => row.begin + steps,
                None => self.bodies.partition_point(|(key, _)| *key < from),
            };
            let behind = self.bodies[row.begin..].iter().position(|(key, _)| *key > last);
            row.end = behind.map_or(self.bodies.len(), |count| row.begin + count);
            self.len += row.end - row.begin;
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn test<S: PairSink<D>>(&self, target: &Body<D>, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        for row in &self.rows {
            contacts.test_all(&self.bodies[row.begin..row.end], target, sink);
        }
    }
}
