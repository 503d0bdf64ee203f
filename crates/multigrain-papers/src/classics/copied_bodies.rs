//! Bodies copied in the order of their cells: a row of cells is then a part of an array, and whoever searches or is searched for is
//! read from one end of memory to the other.

use super::body_list::CellMap;
use super::cell_key::CellKey;
use super::contacts::{Body, Contacts};
use super::near::NearBodies;
use super::row_search::{SortedBodies, rows_of_full_mask, rows_of_half_mask};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::share;
use multigrain::threads::{self, blocks};
use std::ops::Range;

/// Steps by which the beginning of a row moves forward before it is looked for by halving.
const STEPS: usize = 32;

/// Cells that are looked at together.
const TOGETHER: usize = 4;

/// Bodies that are asked for together while they are copied.
const AHEAD: usize = 16;

/// Bodies per task of a parallel search.
const TASK: usize = 1 << 13;

/// The bodies, and the cell of each.
#[derive(Debug, Clone)]
pub(crate) struct CopiedBodies<K, const D: usize> {
    keys: Vec<K>,
    bodies: NearBodies<D>,
}

impl<K, const D: usize> Default for CopiedBodies<K, D> {
    fn default() -> Self {
        Self { keys: Vec::new(), bodies: NearBodies::default() }
    }
}

impl<K: CellKey, const D: usize> CopiedBodies<K, D> {
    /// Copies the bodies of a list.
    pub fn fill(&mut self, list: &impl SortedBodies<K>, now: &Snapshot<'_, D>) {
        self.keys.clear();
        self.bodies.clear();
        self.keys.reserve_exact(list.len());
        self.bodies.reserve_exact(list.len());
        let mut node = list.first();
        let mut ids = [0; AHEAD];
        while node != list.end() {
            let mut count = 0;
            while count < AHEAD && node != list.end() {
                ids[count] = list.id(node);
                Body::prefetch(now, ids[count]);
                self.keys.push(list.key(node));
                node = list.next(node);
                count += 1;
            }
            ids[..count].iter().for_each(|&id| self.bodies.push(now, id));
        }
        self.bodies.fill_up();
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<K>() + self.bodies.bytes()
    }

    /// The bodies, in the order of their cells.
    pub fn bodies(&self) -> &NearBodies<D> {
        &self.bodies
    }

    /// Every contact of bodies in the same or in neighbouring cells: MR search, with rows whose ends only move forward. Cells are
    /// counted as rows that a body is tested against.
    pub fn search_within<S: PairSink<D>>(&self, map: &CellMap<'_, D>, sink: &mut S) {
        let size = if threads::available() { TASK } else { self.bodies.len() };
        share(blocks(self.bodies.len(), size), sink, || (), |(), block, sink| self.search_block(block, map, sink));
    }

    fn search_block<S: PairSink<D>>(&self, block: Range<usize>, map: &CellMap<'_, D>, sink: &mut S) {
        let mut contacts = Contacts::new(map.now, map.images);
        let mut own = [[0; D]; 2];
        own[1][0] = 1;
        // The own row begins with the body itself, the others behind it.
        let mut rows: Vec<CopiedRow<K>> = [own].into_iter().chain(rows_of_half_mask()).map(CopiedRow::new).collect();
        let start = self.keys.get(block.start).copied().unwrap_or_default();
        for row in &mut rows {
            row.begin = self.keys.partition_point(|&key| key < start.moved(row.first));
            row.end = row.begin;
        }
        let mut place = block.start;
        while place < block.end {
            if sink.stop_requested() {
                return;
            }
            let center = self.keys[place];
            rows.iter_mut().for_each(|row| row.advance(&self.keys, center));
            let together = self.keys[place..block.end].iter().take_while(|&&key| key == center).count();
            let mut tested = 0;
            for body in place..place + together {
                let other = self.bodies.body(body);
                self.bodies.test(body + 1..rows[0].end, &other, &mut contacts, sink);
                tested += rows[0].end - (body + 1);
                for row in &rows[1..] {
                    self.bodies.test(row.begin..row.end, &other, &mut contacts, sink);
                    tested += row.end - row.begin;
                }
            }
            sink.candidates(tested as u64);
            sink.cells((together * rows.len()) as u64);
            place += together;
        }
        contacts.finish(sink);
    }

    /// Every contact with targets, smaller bodies in any order in which neighbours come one after the other, in the same or in
    /// neighbouring cells of this list's grid. Cells are counted as rows that are looked for: once for all targets of a cell that
    /// follow one another.
    pub fn search_from<S: PairSink<D>>(&self, targets: &NearBodies<D>, map: &CellMap<'_, D>, sink: &mut S) {
        if targets.len() == 0 {
            return;
        }
        let size = if threads::available() { TASK } else { targets.len() };
        share(
            blocks(targets.len(), size),
            sink,
            || rows_of_full_mask::<D>().map(CopiedRow::new).collect::<Vec<_>>(),
            |rows, block, sink| self.search_from_block(rows, targets, block, map, sink),
        );
    }

    fn search_from_block<S: PairSink<D>>(
        &self,
        rows: &mut [CopiedRow<K>],
        targets: &NearBodies<D>,
        block: Range<usize>,
        map: &CellMap<'_, D>,
        sink: &mut S,
    ) {
        let mut contacts = Contacts::new(map.now, map.images);
        let key_of = |target: &Body<D>| K::pack(map.cell_of(target.id, target.center));
        let mut center = None;
        // Rows that the block before has looked for are not counted again.
        let mut counted = block.start.checked_sub(1).map(|before| key_of(&targets.body(before)));
        let mut around = 0;
        for place in block {
            let target = targets.body(place);
            let key = key_of(&target);
            if center != Some(key) {
                if sink.stop_requested() {
                    return;
                }
                rows.iter_mut().for_each(|row| row.look_for(&self.keys, key));
                around = rows.iter().map(|row| row.end - row.begin).sum();
                center = Some(key);
                if counted != Some(key) {
                    sink.cells(rows.len() as u64);
                    counted = Some(key);
                }
            }
            if around > 0 {
                sink.candidates(around as u64);
                for row in &*rows {
                    self.bodies.test(row.begin..row.end, &target, &mut contacts, sink);
                }
            }
        }
        contacts.finish(sink);
    }
}

/// A row of cells around the central one, and its bodies.
struct CopiedRow<K> {
    /// Steps from the central cell to the first and last one of the row.
    first: K,
    last: K,
    /// The cell that it begins with, where it has been looked for.
    from: Option<K>,
    /// The first cell of this line along x that it has begun with, and where: targets come back to it line by line.
    home: Option<(K, usize)>,
    begin: usize,
    end: usize,
}

impl<K: CellKey> CopiedRow<K> {
    fn new<const D: usize>(ends: [[i32; D]; 2]) -> Self {
        Self { first: K::step(ends[0]), last: K::step(ends[1]), from: None, home: None, begin: 0, end: 0 }
    }

    /// Moves to the place around a later central cell.
    #[inline]
    fn advance(&mut self, keys: &[K], center: K) {
        let (first, last) = (center.moved(self.first), center.moved(self.last));
        self.begin = forward(keys, self.begin, |key| key < first);
        self.end = forward(keys, self.end.max(self.begin), |key| key <= last);
    }

    /// Moves to the place around any central cell: forward if it lies a few bodies ahead of the last place, or of where its line
    /// was begun.
    #[inline]
    fn look_for(&mut self, keys: &[K], center: K) {
        let from = center.moved(self.first);
        if self.from.replace(from).is_none_or(|old| old > from) {
            let home = self.home.filter(|(home, _)| home.line() == from.line() && *home <= from);
            let begin = home.map_or_else(|| keys.partition_point(|&key| key < from), |(_, begin)| begin);
            if home.is_none() {
                self.home = Some((from, begin));
            }
            (self.begin, self.end) = (begin, begin);
        }
        self.advance(keys, center);
    }
}

/// The first place from `start` on whose cell is not `before`, which those of lower places are. Cells are looked at a few at a time,
/// all of them: how many there are in a row nobody can foresee.
#[inline(always)]
fn forward<K: CellKey>(keys: &[K], start: usize, before: impl Fn(K) -> bool) -> usize {
    let mut place = start;
    for _ in 0..STEPS / TOGETHER {
        let Some(next) = keys[place..].first_chunk::<TOGETHER>() else { break };
        let passed: usize = next.iter().map(|&key| usize::from(before(key))).sum();
        place += passed;
        if passed < TOGETHER {
            return place;
        }
    }
    place + keys[place..].partition_point(|&key| before(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_forward_ends_where_halving_does() {
        // Up to seven of each, and gaps.
        let keys: Vec<u64> = (0..300u64).flat_map(|key| (0..key * 7 % 8).map(move |_| key + key / 9)).collect();
        for start in [0, 1, 5, keys.len() - 3, keys.len()] {
            for step in [0, 1, 2, 3, 17, 200] {
                let first = keys.get(start).copied().unwrap_or(u64::MAX - 200) + step;
                let expected = start + keys[start..].partition_point(|&key| key < first);
                assert_eq!(forward(&keys, start, |key| key < first), expected, "{start}, {step}");
            }
        }
    }

    #[test]
    fn rows_are_found_wherever_the_central_cell_goes() {
        let mut rng = multigrain::Rng::new(8);
        let mut cell = || u64::pack([(); 3].map(|()| 1 + rng.below(9) as u32));
        let mut keys: Vec<u64> = (0..700).map(|_| cell()).collect();
        keys.sort_unstable();
        let mut rows: Vec<CopiedRow<u64>> = rows_of_full_mask::<3>().map(CopiedRow::new).collect();
        // Along lines, as targets come, and then anywhere.
        let lines = (1..10).flat_map(|y| (1..10).map(move |x| u64::pack([x, y, 4])));
        for center in lines.chain((0..500).map(|_| cell())) {
            for row in &mut rows {
                row.look_for(&keys, center);
                let bounds = [row.first, row.last].map(|step| center.moved(step));
                let expected =
                    [keys.partition_point(|&key| key < bounds[0]), keys.partition_point(|&key| key <= bounds[1])];
                assert_eq!([row.begin, row.end], expected, "{:?}", center.unpack::<3>());
            }
        }
    }
}
