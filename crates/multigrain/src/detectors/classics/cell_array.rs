//! Bodies in the order of their cells, in memory: a sorted list that needs no links.

use super::body_list::CellMap;
use super::cell_key::{CellKey, Columns};
use super::quick_sort::{Exchange, quick_sort};
use super::row_search::SortedBodies;

/// Bodies with their cells, an array for each.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellArray<K: CellKey, const D: usize> {
    ids: Vec<u32>,
    cells: Columns<K, D>,
}

impl<K: CellKey, const D: usize> CellArray<K, D> {
    /// The bodies.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Takes other bodies in place of these, without cells yet, and gives the vector that held these.
    pub fn replace(&mut self, ids: Vec<u32>) -> Vec<u32> {
        std::mem::replace(&mut self.ids, ids)
    }

    /// Gives every body its cell and sorts them.
    pub fn sort(&mut self, map: &CellMap<'_, D>) {
        self.cells.resize(self.ids.len());
        for (place, &id) in self.ids.iter().enumerate() {
            self.cells.set(place, map.cell(id));
        }
        quick_sort(self, self.ids.len(), map.grid.counts);
    }

    /// Moves the bodies that are `meant` to `others`, in place of those; both keep the order.
    pub fn move_to(&mut self, others: &mut Self, meant: impl Fn(u32) -> bool) {
        let count = self.ids.iter().filter(|&&id| meant(id)).count();
        if count == self.ids.len() {
            std::mem::swap(self, others);
            self.truncate(0);
            return;
        }
        others.ids.clear();
        others.ids.reserve_exact(count);
        others.cells.resize(count);
        let mut kept = 0;
        for place in 0..self.ids.len() {
            let (id, cell) = (self.ids[place], self.cells.cell(place));
            if meant(id) {
                others.cells.set(others.ids.len(), cell);
                others.ids.push(id);
            } else {
                self.ids[kept] = id;
                self.cells.set(kept, cell);
                kept += 1;
            }
        }
        self.truncate(kept);
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.ids.capacity() * size_of::<u32>() + self.cells.bytes()
    }

    fn truncate(&mut self, len: usize) {
        self.ids.truncate(len);
        self.cells.truncate(len);
    }
}

impl<K: CellKey, const D: usize> Exchange<K> for CellArray<K, D> {
    #[inline]
    fn key(&self, place: usize) -> K {
        self.cells.key(place)
    }

    #[inline]
    fn swap(&mut self, a: usize, b: usize) {
        self.ids.swap(a, b);
        self.cells.swap(a, b);
    }
}

impl<K: CellKey, const D: usize> SortedBodies<K> for CellArray<K, D> {
    fn len(&self) -> usize {
        self.ids.len()
    }

    fn first(&self) -> u32 {
        0
    }

    #[inline]
    fn end(&self) -> u32 {
        self.ids.len() as u32
    }

    #[inline]
    fn next(&self, node: u32) -> u32 {
        node + 1
    }

    #[inline]
    fn key(&self, node: u32) -> K {
        self.cells.key(node as usize)
    }

    #[inline]
    fn id(&self, node: u32) -> u32 {
        self.ids[node as usize]
    }
}
