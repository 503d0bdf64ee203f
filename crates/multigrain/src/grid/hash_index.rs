//! A hash table that finds things kept elsewhere by number: cells by their place, bodies by their id.

/// Open addressing with linear probing. A slot holds the hash and the number plus one, and is 0 when empty; deletion
/// shifts later entries back, so nothing is ever left behind and any sequence of changes stays O(1) per change.
#[derive(Debug, Clone, Default)]
pub struct HashIndex {
    /// A power of two of slots, or none; at most half of them in use.
    slots: Vec<u64>,
    len: usize,
}

/// Fewest slots of a table that is not empty.
const MIN_SLOTS: usize = 8;

impl HashIndex {
    /// Empties the table and makes room for `len` entries.
    pub fn clear_for(&mut self, len: usize) {
        self.len = 0;
        self.slots.clear();
        self.slots.resize((2 * len).next_power_of_two().max(MIN_SLOTS), 0);
    }

    /// The number stored under `hash` that `is_it`.
    #[inline]
    pub fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if hash_in(slot) == hash && is_it(number_in(slot)) {
                return Some(number_in(slot));
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a number that is not there yet.
    pub fn insert(&mut self, hash: u32, number: u32) {
        if 2 * (self.len + 1) > self.slots.len() {
            self.grow();
        }
        self.len += 1;
        self.put(slot_of(hash, number));
    }

    /// Removes `number`, stored under `hash`.
    pub fn remove(&mut self, hash: u32, number: u32) {
        let mut hole = self.position(slot_of(hash, number));
        let mask = self.slots.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            // An entry may fill the hole unless its home lies behind the hole.
            let from_home = at.wrapping_sub(hash_in(slot) as usize) & mask;
            if from_home >= at.wrapping_sub(hole) & mask {
                self.slots[hole] = slot;
                hole = at;
            }
        }
        self.slots[hole] = 0;
        self.len -= 1;
    }

    /// Changes `old`, stored under `hash`, to `new`.
    pub fn renumber(&mut self, hash: u32, old: u32, new: u32) {
        let at = self.position(slot_of(hash, old));
        self.slots[at] = slot_of(hash, new);
    }

    fn grow(&mut self) {
        let slots = std::mem::take(&mut self.slots);
        self.slots.resize((2 * slots.len()).max(MIN_SLOTS), 0);
        for slot in slots.into_iter().filter(|&slot| slot != 0) {
            self.put(slot);
        }
    }

    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = hash_in(slot) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Where an entry is that must be there.
    fn position(&self, slot: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash_in(slot) as usize & mask;
        while self.slots[at] != slot {
            assert!(self.slots[at] != 0, "entry {slot:#x} is not in the table");
            at = (at + 1) & mask;
        }
        at
    }
}

/// Hash of a cell. Blocks of eight neighbouring cells share a cache line of slots, so that the cells of a stencil cost
/// few misses. `seed` tells levels apart.
#[inline]
pub fn hash_cell<const D: usize>(seed: u64, cell: [i64; D]) -> u32 {
    // A sum of products, so that what stays the same along a row of cells is computed once.
    let mut block = seed.wrapping_mul(0x94d0_49bb_1331_11eb);
    let mut within = 0;
    for (axis, &along) in cell.iter().enumerate() {
        // Three bits name a cell of the block: one per axis in 3D, two and one in 2D.
        let bits = (2 + D - axis) / D;
        within = (within << bits) | (along & ((1 << bits) - 1)) as u32;
        let factor = 0x9e37_79b9_7f4a_7c15_u64.rotate_left(21 * axis as u32) | 1;
        block = block.wrapping_add(((along >> bits) as u64).wrapping_mul(factor));
    }
    (mix(block) & !7) | within
}

/// Hash of an id.
#[inline]
pub fn hash_id(id: u32) -> u32 {
    mix(u64::from(id))
}

/// Spreads what differs anywhere over all bits.
#[inline]
fn mix(value: u64) -> u32 {
    ((value ^ (value >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as u32
}

#[inline]
fn slot_of(hash: u32, number: u32) -> u64 {
    (u64::from(hash) << 32) | (u64::from(number) + 1)
}

#[inline]
fn hash_in(slot: u64) -> u32 {
    (slot >> 32) as u32
}

#[inline]
fn number_in(slot: u64) -> u32 {
    (slot as u32).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn agrees_with_the_standard_map_through_any_changes() {
        for hash_bits in [2, 6, 32] {
            let hash = |number: u32| hash_id(number) >> (32 - hash_bits);
            let mut index = HashIndex::default();
            let mut expected = HashSet::new();
            let mut state = 1u64;
            for _ in 0..20_000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let number = (state >> 33) as u32 % 200;
                if expected.remove(&number) {
                    index.remove(hash(number), number);
                } else {
                    index.insert(hash(number), number);
                    expected.insert(number);
                }
                let probe = (state >> 20) as u32 % 200;
                assert_eq!(index.find(hash(probe), |found| found == probe).is_some(), expected.contains(&probe));
            }
            for number in 0..200 {
                assert_eq!(index.find(hash(number), |found| found == number).is_some(), expected.contains(&number));
            }
        }
    }

    #[test]
    fn renumbered_entries_are_found_under_their_new_number() {
        let mut index = HashIndex::default();
        index.insert(7, 3);
        index.insert(7, 4);
        index.renumber(7, 3, 9);
        assert_eq!(index.find(7, |number| number == 3), None);
        assert_eq!(index.find(7, |number| number == 9), Some(9));
        assert_eq!(index.find(7, |number| number == 4), Some(4));
    }

    #[test]
    fn cells_spread_evenly_and_neighbours_share_a_line() {
        let mut lines: HashMap<u32, u32> = HashMap::new();
        for x in -20i64..20 {
            for y in -20..20 {
                for z in -20..20 {
                    *lines.entry((hash_cell(5, [x, y, z]) & 0xffff) >> 3).or_default() += 1;
                }
            }
        }
        // 8,000 whole blocks of eight cells on 8,192 lines: nearly 1 - 1/e of the lines are in use.
        assert!(lines.values().all(|count| count % 8 == 0), "a block is not whole");
        assert!((4900..5500).contains(&lines.len()), "{}", lines.len());
        assert_ne!(hash_cell(1, [0, 0]), hash_cell(2, [0, 0]));
    }
}
