//! Links sorted by particle on all threads, with no thread writing where another may: first each chunk of links by block
//! of particles, then each block by particle.

use crate::threads;

/// A contact as one of its two particles finds it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Link {
    /// Place of the particle.
    pub place: u32,
    /// Place of the other.
    pub other: u32,
    /// What grows with the id of the other.
    pub other_order: u32,
    /// Where more is known of the contact: in the detector's list for the particle that owns it, in the owner's block for the
    /// other.
    pub at: u32,
}

/// Chunks of links, each sorted by the block of particles that its links belong to.
#[derive(Debug, Clone, Default)]
pub(super) struct Scatter {
    chunks: Vec<Chunk>,
    used: usize,
}

#[derive(Debug, Clone, Default)]
struct Chunk {
    /// Where the links of each block begin; one more than there are blocks.
    starts: Vec<u32>,
    links: Vec<Link>,
}

impl Scatter {
    /// Takes `chunks` chunks: chunk `c` has `length(c)` links, the `k`th of them is `link(c, k)`. There are `blocks` blocks of
    /// `2^bits` particles.
    pub fn fill(
        &mut self,
        chunks: usize,
        blocks: usize,
        bits: u32,
        length: impl Fn(usize) -> usize + Sync,
        link: impl Fn(usize, usize) -> Link + Sync,
    ) {
        if self.chunks.len() < chunks {
            self.chunks.resize_with(chunks, Chunk::default);
        }
        self.used = chunks;
        threads::for_each(&mut self.chunks[..chunks], |c, chunk| {
            let count = length(c);
            let Chunk { starts, links } = chunk;
            starts.clear();
            starts.resize(blocks + 1, 0);
            if blocks <= 1 {
                threads::make_room(links, count);
                links.extend((0..count).map(|k| link(c, k)));
                starts[blocks] = count as u32;
                return;
            }
            threads::refill(links, count, Link::default());
            let block = |link: &Link| (link.place >> bits) as usize;
            for k in 0..count {
                starts[block(&link(c, k))] += 1;
            }
            let mut sum = 0;
            for start in starts.iter_mut() {
                sum += std::mem::replace(start, sum);
            }
            for k in 0..count {
                let link = link(c, k);
                let next = &mut starts[block(&link)];
                links[*next as usize] = link;
                *next += 1;
            }
            // Every start has become the next block's; move them back.
            starts.copy_within(0..blocks, 1);
            starts[0] = 0;
        });
    }

    /// Sorts the links of one block by particle: `rows[k]..rows[k + 1]` of `sorted` belong to the particle `first + k`, in the
    /// order of chunks.
    pub fn sort_block(&self, block: usize, first: u32, particles: usize, rows: &mut Vec<u32>, sorted: &mut Vec<Link>) {
        rows.clear();
        rows.resize(particles + 1, 0);
        let mut count = 0;
        for link in self.parts(block).flatten() {
            rows[(link.place - first) as usize] += 1;
            count += 1;
        }
        sorted.clear();
        if count == 0 {
            return;
        }
        threads::refill(sorted, count, Link::default());
        let mut sum = 0;
        for row in rows.iter_mut() {
            sum += std::mem::replace(row, sum);
        }
        for link in self.parts(block).flatten() {
            let next = &mut rows[(link.place - first) as usize];
            sorted[*next as usize] = *link;
            *next += 1;
        }
        rows.copy_within(0..particles, 1);
        rows[0] = 0;
    }

    fn parts(&self, block: usize) -> impl Iterator<Item = &[Link]> {
        self.chunks[..self.used].iter().map(move |chunk| {
            let (start, end) = (chunk.starts[block], chunk.starts[block + 1]);
            &chunk.links[start as usize..end as usize]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_come_out_by_particle_in_the_order_given() {
        for (particles, bits) in [(10u32, 2), (10, 8), (64, 2), (1, 2)] {
            let blocks = (particles as usize).div_ceil(1 << bits);
            let place = |c: usize, k: usize| ((c * 31 + k * 17) as u32) % particles;
            let mut scatter = Scatter::default();
            for chunks in [7, 3] {
                scatter.fill(
                    chunks,
                    blocks,
                    bits,
                    |c| 5 + c,
                    |c, k| Link { place: place(c, k), at: (c * 100 + k) as u32, ..Link::default() },
                );
                let mut expected: Vec<_> =
                    (0..chunks).flat_map(|c| (0..5 + c).map(move |k| (place(c, k), (c * 100 + k) as u32))).collect();
                expected.sort();
                let (mut rows, mut sorted, mut found) = (Vec::new(), Vec::new(), Vec::new());
                for block in 0..blocks {
                    let first = (block << bits) as u32;
                    let inside = (particles - first).min(1 << bits) as usize;
                    scatter.sort_block(block, first, inside, &mut rows, &mut sorted);
                    for k in 0..inside {
                        let row = &sorted[rows[k] as usize..rows[k + 1] as usize];
                        assert!(row.iter().all(|link| link.place == first + k as u32));
                    }
                    found.extend(sorted.iter().map(|link| (link.place, link.at)));
                }
                assert_eq!(found, expected);
            }
        }
    }
}
