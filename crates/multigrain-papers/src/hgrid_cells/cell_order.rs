//! Putting bodies in the order of their cells, by one radix sort of 64-bit words.

use multigrain::grid::CellAxis;

/// Bits sorted by in one pass.
const DIGIT: u32 = 11;

/// Bits of a coordinate, from the lowest, that name a cell within its block, and a block within its cube.
const NESTED: [u32; 2] = [1, 2];

/// Fewer words than this are sorted by comparison.
const FEW: usize = 1 << 11;

/// How level and cell of a body are packed above its index into one word: the level first, then the cube of 8 cells along
/// each axis, the block of 2 cells within the cube, the cell within the block. Neighbouring cells so stay close in memory.
///
/// Where that takes more than 64 bits, the lowest bits of the cells are left out, and words are not exact: cells
/// that share a word are sorted apart afterwards.
#[derive(Debug, Clone, Default)]
pub(super) struct CellOrder<const D: usize> {
    index_bits: u32,
    /// Bits of a cell, on the level that needs most.
    cell_bits: u32,
    level_bits: u32,
    levels: Vec<Packing<D>>,
}

/// Bits of the coordinates of a cell on one level.
#[derive(Debug, Clone, Copy)]
struct Packing<const D: usize> {
    bits: [u32; D],
    /// Low bits left out of each coordinate.
    left_out: u32,
}

impl<const D: usize> CellOrder<D> {
    /// Lays out words for `bodies` bodies in cells of these levels.
    pub fn update<'a>(&mut self, bodies: usize, levels: impl ExactSizeIterator<Item = &'a [CellAxis; D]>) {
        self.index_bits = bits_for(bodies as u64);
        self.level_bits = bits_for(levels.len() as u64);
        // One bit is left over, so that no shift is by a whole word.
        let most = u64::BITS - 1 - self.index_bits - self.level_bits;
        self.levels.clear();
        self.levels.extend(levels.map(|axes| {
            let widths = axes.map(|axis| bits_for(axis.count() as u64));
            let mut packing = Packing { bits: widths, left_out: 0 };
            while packing.bits.iter().sum::<u32>() > most {
                packing.left_out += 1;
                packing.bits = widths.map(|width| width.saturating_sub(packing.left_out));
            }
            packing
        }));
        self.cell_bits = self.levels.iter().map(|packing| packing.bits.iter().sum()).max().unwrap_or(0);
    }

    /// Whether a word names the cell.
    pub fn is_exact(&self) -> bool {
        self.levels.iter().all(|packing| packing.left_out == 0)
    }

    /// The word of a body.
    #[inline]
    pub fn word(&self, body: usize, level: usize, cell: [i64; D]) -> u64 {
        let packing = &self.levels[level];
        let mut rest = cell.map(|along| (along >> packing.left_out) as u64);
        let mut key = 0;
        let mut shift = 0;
        packing.for_each_part(|axis, bits| {
            key |= (rest[axis] & ((1 << bits) - 1)) << shift;
            rest[axis] >>= bits;
            shift += bits;
        });
        ((((level as u64) << self.cell_bits) | key) << self.index_bits) | body as u64
    }

    /// The body of a word.
    #[inline]
    pub fn body(&self, word: u64) -> usize {
        (word & ((1 << self.index_bits) - 1)) as usize
    }

    /// The level of a word.
    #[inline]
    pub fn level(&self, word: u64) -> usize {
        ((word >> self.index_bits) >> self.cell_bits) as usize
    }

    /// The cell of a word. Only for exact words.
    #[inline]
    pub fn cell(&self, word: u64) -> [i64; D] {
        let mut key = word >> self.index_bits;
        let mut cell = [0; D];
        let mut have = [0; D];
        self.levels[self.level(word)].for_each_part(|axis, bits| {
            cell[axis] |= ((key & ((1 << bits) - 1)) as i64) << have[axis];
            have[axis] += bits;
            key >>= bits;
        });
        cell
    }

    /// Sorts words by cell, equal ones by body. The words must be in the order of the bodies.
    pub fn sort(&self, words: &mut Vec<u64>, spare: &mut Vec<u64>) {
        if words.len() < FEW {
            words.sort_unstable();
            return;
        }
        spare.resize(words.len(), 0);
        let end = self.index_bits + self.cell_bits + self.level_bits;
        for shift in (self.index_bits..end).step_by(DIGIT as usize) {
            sort_by_digit(words, spare, shift);
            std::mem::swap(words, spare);
        }
    }

    /// Sorts words that are not exact among those they are equal to: by block, then by cell.
    pub fn refine(&self, words: &mut [u64], cell: impl Fn(usize) -> [i64; D]) {
        if self.is_exact() {
            return;
        }
        let key = |word: &u64| {
            let cell = cell(self.body(*word));
            (cell.map(|along| along >> NESTED[0]), number_in_block(cell), *word)
        };
        for equal in words.chunk_by_mut(|a, b| a >> self.index_bits == b >> self.index_bits) {
            if equal.len() < FEW {
                equal.sort_unstable_by_key(key);
            } else {
                equal.sort_by_cached_key(key);
            }
        }
    }
}

impl<const D: usize> Packing<D> {
    /// The parts of a key from the lowest: along which axis, how many bits.
    #[inline]
    fn for_each_part(&self, mut part: impl FnMut(usize, u32)) {
        let mut left = self.bits;
        for nested in NESTED {
            for (axis, left) in left.iter_mut().enumerate() {
                let bits = nested.min(*left);
                part(axis, bits);
                *left -= bits;
            }
        }
        for (axis, bits) in left.into_iter().enumerate() {
            part(axis, bits);
        }
    }
}

/// Number of a cell within its block of two cells along each axis, x fastest.
#[inline]
pub(super) fn number_in_block<const D: usize>(cell: [i64; D]) -> u32 {
    (0..D).map(|axis| ((cell[axis] & 1) as u32) << axis).sum()
}

/// One stable pass of a radix sort.
fn sort_by_digit(words: &[u64], sorted: &mut [u64], shift: u32) {
    const DIGITS: usize = 1 << DIGIT;
    let digit = |word: u64| (word >> shift) as usize % DIGITS;
    let mut starts = [0u32; DIGITS];
    for &word in words {
        starts[digit(word)] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, sum);
    }
    for &word in words {
        let start = &mut starts[digit(word)];
        sorted[*start as usize] = word;
        *start += 1;
    }
}

/// Bits that tell `count` things apart.
fn bits_for(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    #[test]
    fn words_hold_level_cell_and_body() {
        let axes = [[CellAxis::open(1.0, 0.0, 99.0); 3], [CellAxis::open(10.0, 0.0, 99.0); 3]];
        let mut order = CellOrder::default();
        order.update(1000, axes.iter());
        assert!(order.is_exact());
        let word = order.word(999, 1, [9, 0, 5]);
        assert_eq!((order.body(word), order.level(word), order.cell(word)), (999, 1, [9, 0, 5]));
    }

    #[test]
    fn sorts_by_level_then_cell_then_body() {
        for (count, wide) in [(1000, 1e3), (20_000, 1e2), (20_000, 1e9), (3000, 1e9), (20_000, 1e15)] {
            let axes = [[CellAxis::open(1.0, 0.0, wide); 3], [CellAxis::open(2.0, 0.0, wide); 3]];
            let mut rng = Rng::new(5);
            // Half of the bodies crowd into one corner, so that blocks of cells hold many.
            let bodies: Vec<(usize, [i64; 3])> = (0..count)
                .map(|body| {
                    let wide = if body % 2 == 0 { 10 } else { wide as u64 };
                    let level = rng.below(2) as usize;
                    (level, [(); 3].map(|()| rng.below(wide) as i64 >> level))
                })
                .collect();
            let mut order = CellOrder::default();
            order.update(count, axes.iter());
            assert_eq!(order.is_exact(), wide < 1e6);
            let mut words: Vec<u64> = (0..count).map(|k| order.word(k, bodies[k].0, bodies[k].1)).collect();
            order.sort(&mut words, &mut Vec::new());
            order.refine(&mut words, |body| bodies[body].1);
            let sorted: Vec<usize> = words.iter().map(|&word| order.body(word)).collect();
            // Bodies of one cell are together and ascend; levels come one after the other.
            let mut seen = std::collections::HashSet::new();
            for run in sorted.chunk_by(|&a, &b| bodies[a] == bodies[b]) {
                assert!(run.is_sorted(), "{run:?}");
                assert!(seen.insert(bodies[run[0]]), "cell {:?} comes twice", bodies[run[0]]);
            }
            // So are the cells of one block, which come in the order of their numbers.
            let block_of = |body: usize| (bodies[body].0, bodies[body].1.map(|along| along >> 1));
            let mut seen = std::collections::HashSet::new();
            for run in sorted.chunk_by(|&a, &b| block_of(a) == block_of(b)) {
                assert!(run.is_sorted_by_key(|&body| number_in_block(bodies[body].1)));
                assert!(seen.insert(block_of(run[0])), "block {:?} comes twice", block_of(run[0]));
            }
            assert!(sorted.is_sorted_by_key(|&body| bodies[body].0));
        }
    }
}
