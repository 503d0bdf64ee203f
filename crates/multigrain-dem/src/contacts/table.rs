//! All contacts between particles, in rows of the one with the lower id, sorted by the id of the other.

use super::mates::MateBlock;
use super::rows::{Former, Kept, RowBlock, Saved};
use super::scatter::{Link, Scatter};
use crate::state::{NOBODY, State};
use crate::threads;
use multigrain::{Domain, Pairs};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pairs that are sorted as one chunk.
const CHUNK: usize = 1 << 13;

/// All contacts between particles.
///
/// A contact belongs to the row of its particle with the lower id, its owner. Rows are sorted by the id of the partner, and by
/// image where there are several. The other particle finds it through its mates. So whatever is summed over the contacts of a
/// particle, first over mates and then over its own row, is summed by the id of the neighbour.
#[derive(Debug, Default)]
pub(crate) struct ContactTable<const D: usize> {
    /// Blocks have `2^bits` particles.
    pub bits: u32,
    pub blocks: Vec<RowBlock<D>>,
    pub mates: Vec<MateBlock<D>>,
    /// Memory to sort in.
    pub(super) scatter: Scatter,
    /// Memory for what is remembered of the last step, one for each thread that arranges blocks.
    formers: Mutex<Vec<Former<D>>>,
}

impl<const D: usize> ContactTable<D> {
    /// Brings the pairs of a detector into canonical order, whatever order they came in, and carries over what contacts
    /// remember from the last step if `keeps_springs`.
    pub fn arrange(&mut self, state: &State<D>, domain: &Domain<D>, pairs: &Pairs<D>, keeps_springs: bool) {
        let particles = state.len();
        self.bits = threads::block_bits(particles);
        let (bits, blocks) = (self.bits, particles.div_ceil(1 << self.bits));
        let (ids, list) = (&state.ids, pairs.as_slice());
        let chunks = list.len().div_ceil(CHUNK);
        let length = |c: usize| (list.len() - c * CHUNK).min(CHUNK);
        self.scatter.fill(chunks, blocks, bits, length, |c, k| {
            let pair = c * CHUNK + k;
            let [i, j] = list[pair];
            let (a, b) = (ids[i as usize], ids[j as usize]);
            let (place, other, other_id) = if a <= b { (i, j, b) } else { (j, i, a) };
            Link { place, other, other_id, at: pair as u32 }
        });
        self.blocks.resize_with(blocks, RowBlock::default);
        let (links, formers, has_images) = (&self.scatter, &self.formers, domain.has_images());
        threads::for_each(&mut self.blocks, |b, block| {
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            let former = keeps_springs.then(|| {
                let mut former = lock(formers).pop().unwrap_or_default();
                block.remember(&mut former);
                former
            });
            links.sort_block(b, first as u32, inside, &mut block.rows, &mut block.links);
            block.sort_rows(state, pairs, has_images);
            if let Some(former) = former {
                block.recall(&former, inside);
                lock(formers).push(former);
            }
        });
        self.find_mates(state, blocks);
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.links.len()).sum()
    }

    /// Every contact with all that it carries, by place of the owner.
    pub fn saved(&self) -> impl Iterator<Item = Saved<D>> {
        self.blocks.iter().flat_map(|block| (0..block.links.len()).map(|slot| block.saved(slot)))
    }

    /// Takes `count` contacts, sorted by place of the owner and in the order of rows, as `next` gives them. Nothing if they are
    /// not all there, not sorted, or of particles that do not exist.
    pub fn fill(
        &mut self,
        state: &State<D>,
        kept: Kept,
        count: u64,
        mut next: impl FnMut() -> Option<Saved<D>>,
    ) -> Option<()> {
        let particles = state.len();
        self.bits = threads::block_bits(particles);
        let blocks = particles.div_ceil(1 << self.bits);
        self.blocks.clear();
        self.blocks.resize_with(blocks, RowBlock::default);
        let mut left = count;
        let mut waiting = None;
        for (b, block) in self.blocks.iter_mut().enumerate() {
            let first = b << self.bits;
            let inside = (particles - first).min(1 << self.bits);
            block.rows.push(0);
            for place in first..first + inside {
                loop {
                    if waiting.is_none() && left > 0 {
                        waiting = Some(next()?);
                        left -= 1;
                    }
                    let Some(contact) = waiting.take_if(|contact| contact.owner as usize == place) else { break };
                    let partner_id = *state.ids.get(contact.partner as usize)?;
                    block.push_saved(&contact, partner_id, kept);
                }
                block.rows.push(block.links.len() as u32);
            }
        }
        (left == 0 && waiting.is_none()).then_some(())
    }

    /// Follows the particles into another order: `from[k]` is the place so far of what is in place `k` now, and `to` the other
    /// way round, or nobody.
    pub fn reorder(&mut self, from: &[u32], to: &[u32], kept: Kept) {
        // What is not needed any more makes room for the copy.
        self.scatter = Scatter::default();
        if !kept.pushes {
            self.blocks.iter_mut().for_each(|block| block.pushes = Vec::new());
        }
        let (old, old_bits) = (std::mem::take(&mut self.blocks), self.bits);
        self.bits = threads::block_bits(from.len());
        self.blocks.resize_with(from.len().div_ceil(1 << self.bits), RowBlock::default);
        let size = 1 << self.bits;
        threads::for_each(&mut self.blocks, |b, block| {
            let places = b * size..((b + 1) * size).min(from.len());
            let old_row = |place: usize| {
                let before = from[place] as usize;
                let row = old.get(before >> old_bits)?;
                Some((row, row.row(before & ((1 << old_bits) - 1))))
            };
            let contacts = places.clone().filter_map(old_row).map(|(_, slots)| slots.len()).sum();
            block.make_room(contacts, kept);
            threads::make_room(&mut block.rows, places.len() + 1);
            block.rows.push(0);
            for place in places {
                if let Some((row, slots)) = old_row(place) {
                    // Rows stay as they are, for they are sorted by id.
                    for slot in slots {
                        let contact = row.saved(slot);
                        let partner = to[contact.partner as usize];
                        if partner != NOBODY {
                            let contact = Saved { owner: place as u32, partner, ..contact };
                            block.push_saved(&contact, row.links[slot].other_id, kept);
                        }
                    }
                }
                block.rows.push(block.links.len() as u32);
            }
        });
    }
}

/// A panic while memory was lent out ends the step anyway.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
