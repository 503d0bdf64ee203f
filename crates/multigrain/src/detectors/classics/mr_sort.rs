//! MR sort (mr, section 4): brings a list that was sorted a step ago back into order, in one walk.
//!
//! Each body that is now smaller than the one before it is taken out and put back further ahead. Where, is found from a
//! table of places that only ever move forward, so all searching together is a few walks along the list.

use super::body_list::{BodyList, CellMap, Links};
use super::cell_key::CellKey;

/// Room for the 3^D pointers of the table, up to four dimensions.
const TABLE: usize = 81;

impl<K: CellKey, L: Links, const D: usize> BodyList<K, L, D> {
    /// Sorts a list that was in order by the cells of the last call. Tells whether that worked: not if a body moved so far
    /// that order can only be had by sorting fully, which must then be done.
    pub fn follow(&mut self, map: &CellMap<'_, D>) -> bool {
        if self.stored { self.follow_from_old_cells(map) } else { self.follow_from_nearest(map) }
    }

    /// The paper's table: one place for each of the 3^D cells that a body can have moved to, around the cell that it had
    /// before. The old cells ascend along the list, so each place moves forward only. Not if a body moved further.
    fn follow_from_old_cells(&mut self, map: &CellMap<'_, D>) -> bool {
        let head = self.ids.len() as u32;
        let mut table = [head; TABLE];
        let (mut last, mut last_key) = (head, K::default());
        let mut node = self.links.next(head);
        while node != head {
            let place = node as usize;
            let old = self.cells.cell(place);
            let new = map.cell(self.ids[place]);
            let Some(moved) = step_between(old, new) else { return false };
            self.cells.set(place, new);
            let key = K::pack(new);
            let following = self.links.next(node);
            if key >= last_key {
                (last, last_key) = (node, key);
            } else {
                self.links.connect(last, following);
                let cells = &self.cells;
                table[moved] = walk(&self.links, table[moved], key, |node| cells.key(node as usize)).0;
                self.put_behind(table[moved], node);
            }
            node = following;
        }
        true
    }

    /// Without old cells: from the nearest place before the cell that a table of 3^D places has. If no body moves by more
    /// than one cell, there always is one: kept in order, the k-th place is never ahead of the k-th of the paper's table.
    fn follow_from_nearest(&mut self, map: &CellMap<'_, D>) -> bool {
        let head = self.ids.len() as u32;
        // All in ascending order, and they stay so: only the last place that is not too far moves, up to the next.
        let mut table = [(K::default(), head); TABLE];
        let table = &mut table[..3usize.pow(D as u32)];
        let (mut last, mut last_key) = (head, K::default());
        let mut node = self.links.next(head);
        while node != head {
            let key = K::pack(map.cell(self.ids[node as usize]));
            let following = self.links.next(node);
            if key >= last_key {
                (last, last_key) = (node, key);
            } else {
                let Some(nearest) = table.iter().rposition(|&(reached, _)| reached <= key) else { return false };
                self.links.connect(last, following);
                let (from_key, from) = table[nearest];
                let ids = &self.ids;
                let (at, at_key) = walk(&self.links, from, key, |node| K::pack(map.cell(ids[node as usize])));
                table[nearest] = (at_key.unwrap_or(from_key), at);
                self.put_behind(at, node);
            }
            node = following;
        }
        true
    }

    fn put_behind(&mut self, place: u32, node: u32) {
        let next = self.links.next(place);
        self.links.connect(place, node);
        self.links.connect(node, next);
    }
}

/// Walks from `place` to the last node whose cell is not behind `key`, and tells its cell unless that is where it started.
/// The list must have a node with a cell behind `key` further on.
#[inline]
fn walk<K: CellKey, L: Links>(links: &L, mut place: u32, key: K, key_of: impl Fn(u32) -> K) -> (u32, Option<K>) {
    let mut reached = None;
    loop {
        let next = links.next(place);
        let next_key = key_of(next);
        if next_key > key {
            return (place, reached);
        }
        (place, reached) = (next, Some(next_key));
    }
}

/// The place in the table of a step by at most one cell along each axis; none for longer ones.
#[inline]
fn step_between<const D: usize>(old: [u32; D], new: [u32; D]) -> Option<usize> {
    let mut place = 0;
    for axis in (0..D).rev() {
        let step = new[axis].wrapping_sub(old[axis]).wrapping_add(1);
        if step > 2 {
            return None;
        }
        place = 3 * place + step as usize;
    }
    Some(place)
}
