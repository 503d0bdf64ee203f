//! Cutting work by the data, never by the number of threads, so that results stay the same.

use rayon::prelude::*;

/// Fewest particles in a block: enough to hide what a task costs.
const MIN_BITS: u32 = 11;

/// Most blocks: tables of blocks against blocks stay small.
pub(crate) const MAX_BLOCKS: usize = 512;

/// The same where each particle takes far more work.
const MIN_SHAPED_BITS: u32 = 7;

/// Blocks hold `2^bits` particles each, the last one fewer.
pub(crate) fn block_bits(particles: usize) -> u32 {
    bits_from(MIN_BITS, particles)
}

/// The same for polygons.
pub(crate) fn shaped_block_bits(particles: usize) -> u32 {
    bits_from(MIN_SHAPED_BITS, particles)
}

fn bits_from(smallest: u32, particles: usize) -> u32 {
    let mut bits = smallest;
    while particles >> bits >= MAX_BLOCKS {
        bits += 1;
    }
    bits
}

/// Whether this many particles make more than one block, and there is more than one thread.
pub(crate) fn shares_work(particles: usize, is_shaped: bool) -> bool {
    let bits = if is_shaped { shaped_block_bits(particles) } else { block_bits(particles) };
    particles > 1 << bits && rayon::current_num_threads() > 1
}

/// Does `work` on every item, on all threads if there is more than one item and one thread. Items are large: each is a task of
/// its own, so that no thread waits long for another's last ones.
pub(crate) fn for_each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    if items.len() > 1 && rayon::current_num_threads() > 1 {
        items.par_iter_mut().enumerate().with_max_len(1).for_each(|(k, item)| work(k, item));
    } else {
        items.iter_mut().enumerate().for_each(|(k, item)| work(k, item));
    }
}

/// A list of so many items, made on all threads if there are many and more than one thread.
pub(crate) fn list<T: Send>(count: usize, item: impl Fn(usize) -> T + Send + Sync) -> Vec<T> {
    if shares_work(count, false) {
        (0..count).into_par_iter().with_min_len(1 << MIN_BITS).map(item).collect()
    } else {
        (0..count).map(item).collect()
    }
}

/// Empties a list and gives it room for this many items. One that has to grow grows by a sixteenth more than it must: twice as
/// much, as lists grow by themselves, is too much of millions of contacts.
pub(crate) fn make_room<T>(list: &mut Vec<T>, length: usize) {
    list.clear();
    if list.capacity() < length {
        list.reserve_exact(length + length / 16);
    }
}

/// Lets a list have this length. What it held means nothing afterwards; where it is new there are fillers.
pub(crate) fn set_length<T: Copy>(list: &mut Vec<T>, length: usize, filler: T) {
    if list.capacity() < length {
        make_room(list, length);
    }
    list.resize(length, filler);
}

/// This many fillers, to be overwritten.
pub(crate) fn refill<T: Copy>(list: &mut Vec<T>, length: usize, filler: T) {
    make_room(list, length);
    list.resize(length, filler);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_stay_few_for_any_number_of_particles() {
        for particles in [0, 1, 2048, 100_000, 10_000_000, u32::MAX as usize] {
            assert!(particles >> block_bits(particles) < MAX_BLOCKS);
        }
    }
}
