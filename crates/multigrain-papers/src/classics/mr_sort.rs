//! MR sort (mr, section 4): brings a list that was sorted a step ago back into order, in one walk.
//!
//! Each body that is now smaller than the one before it is taken out and put back further ahead. Where, is found from a
//! table of places that only ever move forward, so all searching together is a few walks along the list.

use super::body_list::{BodyList, CellMap, Links, Stop};
use super::cell_key::CellKey;
use multigrain::grid::prefetch;

/// Nodes whose cells are worked out together.
const AHEAD: usize = 32;

/// After this many of these it is asked whether to go on.
const BATCHES: u32 = 256;

/// Room for the 3^D pointers of the table, up to four dimensions.
const TABLE: usize = 81;

impl<K: CellKey, L: Links, const D: usize> BodyList<K, L, D> {
    /// Sorts a list that was in order by the cells of the last call. Says whether that worked: not if a body moved so far
    /// that order can only be had by sorting fully, which must then be done. In no order if `stop` says so on the way.
    pub fn follow(&mut self, map: &CellMap<'_, D>, stop: Stop<'_>) -> bool {
        if self.stored { self.follow_from_old_cells(map, stop) } else { self.follow_from_nearest(map, stop) }
    }

    /// The paper's table: one place for each of the 3^D cells that a body can have moved to, around the cell that it had
    /// before. The old cells ascend along the list, so each place moves forward only. Not if a body moved further.
    fn follow_from_old_cells(&mut self, map: &CellMap<'_, D>, stop: Stop<'_>) -> bool {
        let head = self.ids.len() as u32;
        let mut table = [head; TABLE];
        let (mut last, mut last_key) = (head, K::default());
        let mut walked = 0;
        let mut coming = Coming::new(self.links.next(head));
        while coming.look_ahead(self, map, stop) {
            for (node, new, following) in coming.nodes() {
                let old = self.cells.cell(node as usize);
                let Some(moved) = step_between(old, new) else { return false };
                self.cells.set(node as usize, new);
                let key = K::pack(new);
                if key >= last_key {
                    (last, last_key) = (node, key);
                } else {
                    self.links.connect(last, following);
                    let cells = &self.cells;
                    let key_of = |node: u32| cells.key(node as usize);
                    table[moved] = walk(&self.links, table[moved], key, &mut walked, key_of).0;
                    self.put_behind(table[moved], node);
                }
            }
        }
        self.comparisons = u64::from(head) + walked;
        true
    }

    /// Without old cells: from the nearest place before the cell that a table of 3^D places has. If no body moves by more
    /// than one cell, there always is one: kept in order, the k-th place is never ahead of the k-th of the paper's table.
    fn follow_from_nearest(&mut self, map: &CellMap<'_, D>, stop: Stop<'_>) -> bool {
        let head = self.ids.len() as u32;
        // All in ascending order, and they stay so: only the last place that is not too far moves, up to the next.
        let mut table = [(K::default(), head); TABLE];
        let table = &mut table[..3usize.pow(D as u32)];
        let (mut last, mut last_key) = (head, K::default());
        let mut walked = 0;
        let mut coming = Coming::new(self.links.next(head));
        while coming.look_ahead(self, map, stop) {
            for (node, cell, following) in coming.nodes() {
                let key = K::pack(cell);
                if key >= last_key {
                    (last, last_key) = (node, key);
                    continue;
                }
                let Some(nearest) = table.iter().rposition(|&(reached, _)| reached <= key) else { return false };
                self.links.connect(last, following);
                let (from_key, from) = table[nearest];
                let ids = &self.ids;
                let key_of = |node: u32| K::pack(map.cell(ids[node as usize]));
                let (at, at_key) = walk(&self.links, from, key, &mut walked, key_of);
                table[nearest] = (at_key.unwrap_or(from_key), at);
                self.put_behind(at, node);
            }
        }
        self.comparisons = u64::from(head) + walked;
        true
    }

    fn put_behind(&mut self, place: u32, node: u32) {
        let next = self.links.next(place);
        self.links.connect(place, node);
        self.links.connect(node, next);
    }
}

/// The next nodes of the walk with the cells of their bodies, worked out together so that waiting for memory is done for many
/// at once. The walk changes no link between nodes that it has not come to.
struct Coming<const D: usize> {
    nodes: [(u32, [u32; D]); AHEAD],
    count: usize,
    /// The node behind them.
    next: u32,
    /// How often nodes were taken.
    batches: u32,
}

impl<const D: usize> Coming<D> {
    fn new(first: u32) -> Self {
        Self { nodes: [(0, [0; D]); AHEAD], count: 0, next: first, batches: 0 }
    }

    /// Takes the next nodes; says whether there are any, and anybody who wants them.
    #[inline]
    fn look_ahead<K: CellKey, L: Links>(
        &mut self,
        list: &BodyList<K, L, D>,
        map: &CellMap<'_, D>,
        stop: Stop<'_>,
    ) -> bool {
        self.count = 0;
        self.batches = self.batches.wrapping_add(1);
        if self.batches.is_multiple_of(BATCHES) && stop() {
            return false;
        }
        while self.next != list.ids.len() as u32 && self.count < AHEAD {
            self.nodes[self.count] = (self.next, map.cell(list.ids[self.next as usize]));
            self.next = list.links.next(self.next);
            self.count += 1;
        }
        // Those after them are asked for, and walked to again from near memory.
        let mut node = self.next;
        for _ in 0..AHEAD {
            if node == list.ids.len() as u32 {
                break;
            }
            prefetch(map.now.centers(), list.ids[node as usize] as usize);
            node = list.links.next(node);
        }
        self.count > 0
    }

    /// These nodes, each with its cell and the node behind it.
    #[inline]
    fn nodes(&self) -> impl Iterator<Item = (u32, [u32; D], u32)> {
        let nodes = &self.nodes[..self.count];
        let following = nodes.iter().skip(1).map(|&(node, _)| node).chain([self.next]);
        nodes.iter().zip(following).map(|(&(node, cell), following)| (node, cell, following))
    }
}

/// Walks from `place` to the last node whose cell is not behind `key`, and returns its cell unless that is where it started.
/// The list must have a node with a cell behind `key` further on. `walked` counts the nodes that it looked at.
#[inline]
fn walk<K: CellKey, L: Links>(
    links: &L,
    mut place: u32,
    key: K,
    walked: &mut u64,
    key_of: impl Fn(u32) -> K,
) -> (u32, Option<K>) {
    let mut reached = None;
    loop {
        *walked += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classics::body_list::{BothWays, OneWay};
    use crate::classics::row_search::SortedBodies;
    use multigrain::Rng;
    use multigrain::Snapshot;
    use multigrain::grid::{Grid, Images};

    const SIDE: f64 = 9.0;

    /// Lets random bodies walk by up to `speed` cells along each axis and step, within a box, and mends their order; at no
    /// finite speed all change sides. Says how many steps that worked for.
    fn steps_followed<L: Links>(stored: bool, speed: f64) -> usize {
        let mut rng = Rng::new(3);
        let mut centers: Vec<[f64; 3]> = (0..500).map(|_| std::array::from_fn(|_| SIDE * rng.uniform())).collect();
        let radii = vec![0.5; centers.len()];
        let grid = Grid::new([0.0; 3], [SIDE; 3], [1.0; 3], f64::INFINITY);
        let mut list: BodyList<u64, L, 3> = BodyList::new(stored);
        let mut followed = 0;
        for step in 0..40 {
            let now = Snapshot::new(&centers, &radii).unwrap();
            let mut images = Images::default();
            images.update(&now);
            let map = CellMap { now: &now, images: &images, grid: &grid };
            if step > 0 && list.follow(&map, &|| false) {
                followed += 1;
            } else {
                list.sort_all(&map, &|| false);
            }
            let view = list.view(&map);
            let mut seen = vec![false; centers.len()];
            let (mut node, mut last) = (view.first(), 0);
            while node != view.end() {
                let id = view.id(node);
                assert!(!std::mem::replace(&mut seen[id as usize], true), "body {id} twice");
                assert_eq!(view.key(node), u64::pack(map.cell(id)));
                assert!(view.key(node) >= last, "out of order");
                (last, node) = (view.key(node), view.next(node));
            }
            assert!(seen.into_iter().all(|seen| seen), "a body is lost");
            for x in centers.iter_mut().flatten() {
                let step = speed * (2.0 * rng.uniform() - 1.0);
                *x = if speed.is_finite() { (*x + step).clamp(0.0, SIDE) } else { SIDE - *x };
            }
        }
        followed
    }

    #[test]
    fn order_is_mended_after_every_step_of_up_to_a_cell() {
        for stored in [true, false] {
            for speed in [0.0, 0.05, 0.5, 0.999] {
                assert_eq!(steps_followed::<OneWay>(stored, speed), 39, "{stored}, {speed}");
                assert_eq!(steps_followed::<BothWays>(stored, speed), 39, "{stored}, {speed}");
            }
        }
    }

    #[test]
    fn bodies_that_move_further_are_noticed() {
        assert_eq!(steps_followed::<BothWays>(true, 2.5), 0);
        // Without old cells a place is found for many of them, but never a wrong one.
        assert_eq!(steps_followed::<BothWays>(false, f64::INFINITY), 0);
    }

    #[test]
    fn steps_of_one_cell_have_places_of_their_own_and_longer_ones_none() {
        let steps = (0..27).map(|code| [code % 3, code / 3 % 3, code / 9]);
        let mut places: Vec<_> = steps.map(|new| step_between([1, 1, 1], new).unwrap()).collect();
        assert!(places.iter().all(|&place| place < TABLE));
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 27);
        assert_eq!([[3, 1, 1], [1, 7, 1]].map(|new| step_between([1, 1, 1], new)), [None; 2]);
        assert_eq!(step_between([5, 5], [3, 5]), None);
    }
}
