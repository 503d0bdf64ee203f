//! Contacts as the particle with the higher id finds them.

use super::push::Push;
use super::rows::RowBlock;
use super::scatter::{Link, Scatter};
use super::table::ContactTable;
use crate::state::State;
use crate::threads;
use std::ops::Range;

/// Contacts of the particles of one block that belong to the rows of others.
#[derive(Debug, Clone, Default)]
pub(crate) struct MateBlock<const D: usize> {
    /// Where the mates of each particle begin; one more than the block has particles.
    rows: Vec<u32>,
    mates: Vec<Link>,
    /// Pushes of the mates that were fetched last, and which is the first of them.
    fetched: Vec<Push<D>>,
    first: usize,
}

impl<const D: usize> ContactTable<D> {
    /// Lets every particle find the contacts that it does not own, sorted by the id of the owner.
    pub(super) fn find_mates(&mut self, state: &State<D>, blocks: usize) {
        let (particles, bits) = (state.len(), self.bits);
        let rows = &self.blocks;
        let mates = |b: usize, slot: usize| {
            let Link { place: owner, other: partner, .. } = rows[b].links[slot];
            Link { place: partner, other: owner, other_id: state.ids[owner as usize], at: slot as u32 }
        };
        self.scatter.fill(blocks, blocks, bits, |b| rows[b].links.len(), mates);
        self.mates.resize_with(blocks, MateBlock::default);
        let links: &Scatter = &self.scatter;
        threads::for_each(&mut self.mates, |b, block| {
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            links.sort_block(b, first as u32, inside, &mut block.rows, &mut block.mates);
            if block.mates.is_empty() {
                return;
            }
            for row in block.rows.windows(2).filter(|row| row[1] - row[0] > 1) {
                // Several images of one owner are in the order of their images, which is that of their slots.
                block.mates[row[0] as usize..row[1] as usize].sort_unstable_by_key(|mate| (mate.other_id, mate.at));
            }
        });
    }
}

impl<const D: usize> MateBlock<D> {
    /// Brings the pushes of all mates of these particles of the block together. They lie anywhere: fetched one after the other
    /// with nothing in between, memory is waited for once for many.
    pub fn fetch(&mut self, particles: Range<usize>, blocks: &[RowBlock<D>], bits: u32) {
        self.fetched.clear();
        if self.mates.is_empty() {
            return;
        }
        let (first, end) = (self.rows[particles.start] as usize, self.rows[particles.end] as usize);
        self.first = first;
        let pushes = self.mates[first..end].iter();
        self.fetched.extend(pushes.map(|mate| blocks[(mate.other >> bits) as usize].pushes[mate.at as usize]));
    }

    /// Pushes of the mates of this particle of the block, one of those that were fetched for last.
    #[inline]
    pub fn pushes(&self, particle: usize) -> &[Push<D>] {
        if self.mates.is_empty() {
            return &[];
        }
        &self.fetched[self.rows[particle] as usize - self.first..self.rows[particle + 1] as usize - self.first]
    }
}
