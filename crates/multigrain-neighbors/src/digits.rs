//! Sorting numbers by their digits, without comparisons.

use std::cell::Cell;
use std::ops::Range;

/// Sorts with memory that each thread keeps from list to list: to ask the system for it again would take longer than to sort a
/// short list.
#[derive(Debug)]
pub(crate) struct Sorter {
    memory: DigitMemory,
}

#[derive(Debug, Default)]
struct DigitMemory {
    from: Vec<i64>,
    to: Vec<i64>,
    /// Counts of every digit, then where the next number with it goes.
    counts: Vec<u32>,
}

/// Numbers for which memory is kept, at most: half a megabyte in all.
const MAX_KEPT: usize = 1 << 15;

thread_local! {
    static KEPT: Cell<Option<DigitMemory>> = const { Cell::new(None) };
}

impl Default for Sorter {
    fn default() -> Self {
        Self { memory: KEPT.take().unwrap_or_default() }
    }
}

impl Drop for Sorter {
    fn drop(&mut self) {
        if self.memory.from.capacity() <= MAX_KEPT && self.memory.to.capacity() <= MAX_KEPT {
            // A thread that ends keeps nothing.
            let _ = KEPT.try_with(|kept| kept.set(Some(std::mem::take(&mut self.memory))));
        }
    }
}

/// Digits that a number may be cut into, and bits that one may have.
const MAX_PASSES: u32 = 6;
const MAX_BITS: u32 = 12;

impl Sorter {
    /// The numbers in the order of these bits; equal ones as they came.
    pub fn sort(&mut self, numbers: &[i64], bits: Range<u32>) -> &mut [i64] {
        assert!(u32::try_from(numbers.len()).is_ok(), "a bucket has {} entries, too many to count", numbers.len());
        let length = bits.len() as u32;
        let width = length.div_ceil(passes(numbers.len(), length)).max(1);
        let passes = length.div_ceil(width).max(1);
        let digits = 1usize << width;
        let mask = digits as i64 - 1;
        let shift = |pass: usize| bits.start + pass as u32 * width;
        // What lies above the last digit belongs to nobody.
        let mask = |pass: usize| mask & ((1i64 << (bits.end - shift(pass)).min(width)) - 1);
        let DigitMemory { from, to, counts: all_counts } = &mut self.memory;
        all_counts.clear();
        all_counts.resize(passes as usize * digits, 0);
        for (pass, counts) in all_counts.chunks_exact_mut(digits).enumerate() {
            let (shift, mask) = (shift(pass), mask(pass));
            for &number in numbers {
                counts[((number >> shift) & mask) as usize] += 1;
            }
            let mut before = 0;
            for count in counts {
                before += std::mem::replace(count, before);
            }
        }
        for memory in [&mut *from, &mut *to] {
            if memory.len() < numbers.len() {
                memory.resize(numbers.len(), 0);
            }
        }
        for (pass, next) in all_counts.chunks_exact_mut(digits).enumerate() {
            let source = if pass == 0 { numbers } else { &from[..numbers.len()] };
            spread(source, &mut to[..numbers.len()], next, shift(pass), mask(pass));
            std::mem::swap(from, to);
        }
        &mut from[..numbers.len()]
    }
}

/// Puts every number where its digit says.
fn spread(from: &[i64], to: &mut [i64], next: &mut [u32], shift: u32, mask: i64) {
    for &number in from {
        let next = &mut next[((number >> shift) & mask) as usize];
        to[*next as usize] = number;
        *next += 1;
    }
}

/// How many digits are best for this many numbers: every pass visits all numbers and all values of a digit.
fn passes(numbers: usize, bits: u32) -> u32 {
    let fewest = bits.div_ceil(MAX_BITS).max(1);
    let cost = |passes: u32| passes as usize * (4 * numbers + (1 << bits.div_ceil(passes)));
    (fewest..=MAX_PASSES.max(fewest)).min_by_key(|&passes| cost(passes)).unwrap_or(fewest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    #[test]
    fn sorts_by_the_bits_asked_for_and_keeps_the_order_of_equals() {
        let mut random = Rng::new(1);
        let mut sorter = Sorter::default();
        for count in [0, 1, 2, 10, 1000, 5000] {
            for bits in [0..0, 0..1, 3..17, 5..63, 0..63, 20..33] {
                let numbers: Vec<i64> = (0..count).map(|_| (random.next_u64() >> 1) as i64).collect();
                let mut wanted = numbers.clone();
                let mask = (1i64 << (bits.end - bits.start)).wrapping_sub(1);
                wanted.sort_by_key(|number| (number >> bits.start) & mask);
                assert_eq!(sorter.sort(&numbers, bits), wanted);
            }
        }
    }
}
