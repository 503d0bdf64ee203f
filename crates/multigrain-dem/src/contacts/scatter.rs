//! Items sorted by particle on all threads, with no thread writing where another may: first each chunk of items by block
//! of particles, then each block by particle.

use crate::threads;

/// Chunks of items, each sorted by the block of particles that its items belong to.
#[derive(Debug, Clone)]
pub(super) struct Scatter<T> {
    chunks: Vec<Chunk<T>>,
    used: usize,
}

#[derive(Debug, Clone)]
struct Chunk<T> {
    /// Where the items of each block begin; one more than there are blocks.
    starts: Vec<u32>,
    items: Vec<T>,
}

/// What is sorted: an item that knows the place of its particle.
pub(super) trait Item: Copy + Send + Sync {
    /// Fills places that will be overwritten.
    const FILLER: Self;

    /// Place of the particle that it is sorted by.
    fn place(&self) -> u32;
}

impl<T> Default for Scatter<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), used: 0 }
    }
}

impl<T: Item> Scatter<T> {
    /// Takes `chunks` chunks: chunk `c` has `length(c)` items, the `k`th of them is `item(c, k)`. There are `blocks` blocks of
    /// `2^bits` particles.
    pub fn fill(
        &mut self,
        chunks: usize,
        blocks: usize,
        bits: u32,
        length: impl Fn(usize) -> usize + Sync,
        item: impl Fn(usize, usize) -> T + Sync,
    ) {
        if self.chunks.len() < chunks {
            self.chunks.resize_with(chunks, || Chunk { starts: Vec::new(), items: Vec::new() });
        }
        self.used = chunks;
        threads::for_each(&mut self.chunks[..chunks], |c, chunk| {
            let count = length(c);
            let Chunk { starts, items } = chunk;
            starts.clear();
            starts.resize(blocks + 1, 0);
            items.clear();
            if blocks <= 1 {
                items.extend((0..count).map(|k| item(c, k)));
                starts[blocks] = count as u32;
                return;
            }
            threads::refill(items, count, T::FILLER);
            let block = |item: &T| (item.place() >> bits) as usize;
            for k in 0..count {
                starts[block(&item(c, k))] += 1;
            }
            let mut sum = 0;
            for start in starts.iter_mut() {
                sum += std::mem::replace(start, sum);
            }
            for k in 0..count {
                let item = item(c, k);
                let next = &mut starts[block(&item)];
                items[*next as usize] = item;
                *next += 1;
            }
            // Every start has become the next block's; move them back.
            starts.copy_within(0..blocks, 1);
            starts[0] = 0;
        });
    }

    /// Sorts the items of one block by particle: `rows[k]..rows[k + 1]` of `sorted` belong to the particle `first + k`, in the
    /// order of chunks.
    pub fn sort_block(&self, block: usize, first: u32, particles: usize, rows: &mut Vec<u32>, sorted: &mut Vec<T>) {
        rows.clear();
        rows.resize(particles + 1, 0);
        let mut count = 0;
        for item in self.parts(block).flatten() {
            rows[(item.place() - first) as usize] += 1;
            count += 1;
        }
        sorted.clear();
        if count == 0 {
            return;
        }
        threads::refill(sorted, count, T::FILLER);
        let mut sum = 0;
        for row in rows.iter_mut() {
            sum += std::mem::replace(row, sum);
        }
        for item in self.parts(block).flatten() {
            let next = &mut rows[(item.place() - first) as usize];
            sorted[*next as usize] = *item;
            *next += 1;
        }
        rows.copy_within(0..particles, 1);
        rows[0] = 0;
    }

    fn parts(&self, block: usize) -> impl Iterator<Item = &[T]> {
        self.chunks[..self.used].iter().map(move |chunk| {
            let (start, end) = (chunk.starts[block], chunk.starts[block + 1]);
            &chunk.items[start as usize..end as usize]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Item for (u32, usize) {
        const FILLER: Self = (0, 0);

        fn place(&self) -> u32 {
            self.0
        }
    }

    #[test]
    fn items_come_out_by_particle_in_the_order_given() {
        for (particles, bits) in [(10u32, 2), (10, 8), (64, 2), (1, 2)] {
            let blocks = (particles as usize).div_ceil(1 << bits);
            let place = |c: usize, k: usize| ((c * 31 + k * 17) as u32) % particles;
            let mut scatter = Scatter::default();
            for chunks in [7, 3] {
                scatter.fill(chunks, blocks, bits, |c| 5 + c, |c, k| (place(c, k), c * 100 + k));
                let mut expected: Vec<_> =
                    (0..chunks).flat_map(|c| (0..5 + c).map(move |k| (place(c, k), c * 100 + k))).collect();
                expected.sort();
                let (mut rows, mut sorted, mut found) = (Vec::new(), Vec::new(), Vec::new());
                for block in 0..blocks {
                    let first = (block << bits) as u32;
                    let inside = (particles - first).min(1 << bits) as usize;
                    scatter.sort_block(block, first, inside, &mut rows, &mut sorted);
                    for k in 0..inside {
                        let row = &sorted[rows[k] as usize..rows[k + 1] as usize];
                        assert!(row.iter().all(|item| item.0 == first + k as u32));
                    }
                    found.extend_from_slice(&sorted);
                }
                assert_eq!(found, expected);
            }
        }
    }
}
