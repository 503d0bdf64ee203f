//! The order of the columns: by cells of space, so that neighbours in space are neighbours in memory.

use super::State;
use crate::threads;
use multigrain::{Axes, Dimension};
use rayon::prelude::*;

/// Cells along each axis are a power of two, so that their numbers interleave into one key.
const MAX_BITS: u32 = 20;

impl<const D: usize> State<D>
where
    Axes: Dimension<D>,
{
    /// The order of cells, ties by id: what each place should hold, as [`take`](Self::take) wants it. It looks at positions
    /// and ids alone. Guests stay behind, in the order in which they are.
    pub(crate) fn cell_order(&self) -> Vec<u32> {
        let mut lo = [f64::INFINITY; D];
        let mut hi = [f64::NEG_INFINITY; D];
        let own = self.own();
        for position in &self.positions[..own] {
            for axis in 0..D {
                lo[axis] = lo[axis].min(position[axis]);
                hi[axis] = hi[axis].max(position[axis]);
            }
        }
        // About one particle in a cell, and cells of equal sides.
        let width = (0..D).map(|axis| hi[axis] - lo[axis]).fold(0.0, f64::max);
        let bits = ((own as f64).log2() / D as f64).ceil().clamp(1.0, f64::from(MAX_BITS)) as u32;
        let scale = if width > 0.0 { f64::from(1u32 << bits) / width } else { 0.0 };
        let key = |place: u32| {
            let position = self.positions[place as usize];
            let cells: [u64; D] = std::array::from_fn(|axis| ((position[axis] - lo[axis]) * scale) as u64);
            (interleaved(cells, bits + 1), self.ids[place as usize])
        };
        let mut keyed: Vec<((u64, u64), u32)> = threads::list(own, |place| (key(place as u32), place as u32));
        if threads::shares_work(own, false) {
            keyed.par_sort_unstable()
        } else {
            keyed.sort_unstable()
        }
        keyed.into_iter().map(|(_, place)| place).chain(own as u32..self.len() as u32).collect()
    }
}

/// Bits of all numbers, taken in turn from the highest: the Morton key.
fn interleaved<const D: usize>(numbers: [u64; D], bits: u32) -> u64 {
    let mut key = 0;
    for bit in (0..bits).rev() {
        for axis in (0..D).rev() {
            key = key << 1 | (numbers[axis] >> bit & 1);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grain::Grain;
    use crate::state::Columns;

    #[test]
    fn keys_interleave_bits_from_the_highest() {
        assert_eq!(interleaved([0b101, 0b010], 3), 0b01_10_01);
        assert_eq!(interleaved([1, 0, 1], 1), 0b101);
    }

    #[test]
    fn the_order_does_not_depend_on_the_order_before() {
        let mut state = State::<2>::new();
        for k in 0..500 {
            let position = [f64::from(k * 37 % 101), f64::from(k * 53 % 97)];
            let there = Columns { periodic: false, gear: false, shaped: false, clumped: false, heated: false };
            state.push(k as u64, &Grain::at(position, 1.0), 1.0, None, there).unwrap();
            state.next_id += 1;
        }
        let order = state.cell_order();
        state.take(&order);
        let sorted = state.clone();
        let shuffled: Vec<u32> = (0..500).map(|k| k * 7 % 500).collect();
        state.take(&shuffled);
        assert_ne!(state.ids, sorted.ids);
        assert_eq!(state, sorted, "the same particles in another order");
        let order = state.cell_order();
        state.take(&order);
        assert_eq!(state.ids, sorted.ids);
    }
}
