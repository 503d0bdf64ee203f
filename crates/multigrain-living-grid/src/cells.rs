//! The occupied cells of one tier of a level.

use multigrain::grid::{HashIndex, hash_cell};

/// No body: the end of a list.
pub(super) const NOBODY: u32 = u32::MAX;

/// A cell has up to four cells of the next finer tier along each axis.
pub(super) const CHILDREN_BITS: u32 = 2;

/// A cell that holds bodies, or has such cells below it.
#[derive(Debug, Clone)]
pub(super) struct Cell<const D: usize> {
    pub place: [i64; D],
    /// First body of its list.
    pub first: u32,
    /// How many bodies are in the list.
    pub count: u32,
    /// A bit for each cell below it that is there.
    pub children: u64,
}

impl<const D: usize> Cell<D> {
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.children == 0
    }
}

/// All cells of a tier that are not empty, by place.
#[derive(Debug, Clone)]
pub(super) struct LivingCells<const D: usize> {
    list: Vec<Cell<D>>,
    index: HashIndex,
}

impl<const D: usize> Default for LivingCells<D> {
    fn default() -> Self {
        Self { list: Vec::new(), index: HashIndex::default() }
    }
}

impl<const D: usize> LivingCells<D> {
    pub fn as_slice(&self) -> &[Cell<D>] {
        &self.list
    }

    fn find(&self, place: [i64; D]) -> Option<u32> {
        self.index.find(hash_cell(0, place), |number| self.list[number as usize].place == place)
    }

    /// The cell at that place, if it is there.
    pub fn get(&self, place: [i64; D]) -> Option<&Cell<D>> {
        self.find(place).map(|number| &self.list[number as usize])
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, place: [i64; D]) -> Option<&mut Cell<D>> {
        self.find(place).map(|number| &mut self.list[number as usize])
    }

    /// The cell at that place, and whether it is new.
    pub fn get_or_add(&mut self, place: [i64; D]) -> (&mut Cell<D>, bool) {
        let found = self.find(place);
        let number = found.unwrap_or(self.list.len() as u32) as usize;
        if found.is_none() {
            self.index.insert(hash_cell(0, place), number as u32);
            self.list.push(Cell { place, first: NOBODY, count: 0, children: 0 });
        }
        (&mut self.list[number], found.is_none())
    }

    /// Removes a cell that is there; the last one takes its number.
    pub fn remove(&mut self, place: [i64; D]) {
        let Some(number) = self.find(place) else { return };
        self.index.remove(hash_cell(0, place), number);
        self.list.swap_remove(number as usize);
        if let Some(moved) = self.list.get(number as usize) {
            self.index.renumber(hash_cell(0, moved.place), self.list.len() as u32, number);
        }
    }
}

/// The cell of the next coarser tier that a cell belongs to.
#[inline]
pub(super) fn parent_of<const D: usize>(place: [i64; D]) -> [i64; D] {
    place.map(|along| along >> CHILDREN_BITS)
}

/// The bit of a cell among those of its parent.
#[inline]
pub(super) fn bit_of<const D: usize>(place: [i64; D]) -> u64 {
    let number = (0..D).fold(0, |number, axis| number | (place[axis] & 3) << (CHILDREN_BITS * axis as u32));
    1 << number
}

/// The bits of those children of a cell whose places are within `first..=last`; in the plane also bits beyond those of
/// children.
#[inline]
pub(super) fn bits_within<const D: usize>(parent: [i64; D], first: [i64; D], last: [i64; D]) -> u64 {
    // Children number k along an axis: those of x are every fourth bit, those of y four neighbours in sixteen, those of z
    // sixteen neighbours.
    const FIRST: [u64; 3] = [0x1111_1111_1111_1111, 0x000f_000f_000f_000f, 0xffff];
    (0..D).fold(u64::MAX, |bits, axis| {
        let from = first[axis].saturating_sub(parent[axis] << CHILDREN_BITS).max(0);
        let to = last[axis].saturating_sub(parent[axis] << CHILDREN_BITS).min(3);
        let along = (from..=to).fold(0, |along, k| along | FIRST[axis] << (k << (CHILDREN_BITS * axis as u32)));
        bits & along
    })
}

/// The child of a cell whose bit has that number.
#[inline]
pub(super) fn child_of<const D: usize>(parent: [i64; D], bit: u32) -> [i64; D] {
    std::array::from_fn(|axis| parent[axis] << CHILDREN_BITS | i64::from(bit >> (CHILDREN_BITS * axis as u32) & 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_name_children() {
        for parent in [[0, 0, 0], [-3, 5, 1 << 40]] {
            for bit in 0..64 {
                let child = child_of::<3>(parent, bit);
                assert_eq!((parent_of(child), bit_of(child)), (parent, 1 << bit));
            }
            for bit in 0..16 {
                let parent = [parent[0], parent[1]];
                let child = child_of::<2>(parent, bit);
                assert_eq!((parent_of(child), bit_of(child)), (parent, 1 << bit));
            }
        }
    }

    #[test]
    fn bits_within_a_box_are_those_of_the_children_in_it() {
        let parent = [-3, 5, 7];
        for (first, last) in
            [([-12, 20, 28], [-9, 23, 31]), ([-11, 0, 30], [-10, 100, 30]), ([-1, 20, 28], [5, 23, 31])]
        {
            let is_within = |child: [i64; 3]| (0..3).all(|axis| (first[axis]..=last[axis]).contains(&child[axis]));
            let bits = (0..64).filter(|&bit| is_within(child_of(parent, bit))).map(|bit| 1u64 << bit).sum::<u64>();
            assert_eq!(bits_within(parent, first, last), bits);
        }
        assert_eq!(bits_within([0, 0], [1, 2], [1, 3]) & 0xffff, 1 << 9 | 1 << 13);
        assert_eq!(bits_within([0, 0], [i64::MIN, i64::MIN], [i64::MAX, i64::MAX]) & 0xffff, 0xffff);
    }
}
