//! What tests found, until it is turned into pairs.

use super::kernel::LANES;

/// Tests looked through at a time for those that found something.
pub(super) const CHUNK: usize = 64;

/// Tests that are kept, at most.
pub(super) const MAX_TESTS: usize = 64 * CHUNK;

/// The outcome of tests in their order: for each, who searched, the first of eight bodies tested, and which of these touch.
///
/// Tests that found nothing are kept too. So the place of an outcome is known before the test, and the processor can
/// begin many tests at once; placing only hits, one after the other, took twice as long.
#[derive(Debug, Clone)]
pub(super) struct Hits {
    owners: Box<[u32; MAX_TESTS]>,
    firsts: Box<[u32; MAX_TESTS]>,
    masks: Box<[u8; MAX_TESTS]>,
    count: usize,
}

/// Some of the tests.
pub(super) struct Chunk<'a> {
    /// The searching body of each.
    pub owners: &'a [u32; CHUNK],
    /// The first body tested in each.
    pub firsts: &'a [u32; CHUNK],
    /// A bit per lane that touches.
    pub masks: &'a [u8; CHUNK],
    /// Which of the tests there are at all: all but in the last chunk.
    pub valid: u64,
}

impl Hits {
    pub fn new() -> Self {
        let words = || Box::new([0; MAX_TESTS]);
        Self { owners: words(), firsts: words(), masks: Box::new([0; MAX_TESTS]), count: 0 }
    }

    /// Number of tests kept.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Keeps the first `count` tests that were written.
    #[inline(always)]
    pub fn set_len(&mut self, count: usize) {
        debug_assert!(count <= MAX_TESTS);
        self.count = count;
    }

    /// Writes the outcome of test number `at`: body `owner` touches those of `first..first + LANES` whose bit is set in
    /// `mask`.
    #[inline(always)]
    pub fn write(&mut self, at: usize, owner: usize, first: usize, mask: u32) {
        debug_assert!(at < MAX_TESTS && mask < 1 << LANES);
        // The remainder changes nothing but tells that the place exists.
        let at = at % MAX_TESTS;
        self.owners[at] = owner as u32;
        self.firsts[at] = first as u32;
        self.masks[at] = mask as u8;
    }

    /// All tests kept, some at a time.
    #[inline(always)]
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'_>> + use<'_> {
        let starts = (0..self.count).step_by(CHUNK);
        let owners = self.owners.as_chunks().0.iter();
        let firsts = self.firsts.as_chunks().0.iter();
        let masks = self.masks.as_chunks().0.iter();
        starts.zip(owners).zip(firsts).zip(masks).map(|(((start, owners), firsts), masks)| {
            let valid = u64::MAX >> (CHUNK - (self.count - start).min(CHUNK));
            Chunk { owners, firsts, masks, valid }
        })
    }
}

/// One test.
pub(super) struct Test {
    pub owner: usize,
    pub first: usize,
    pub mask: u8,
}

impl Chunk<'_> {
    /// Test number `k`.
    #[inline(always)]
    pub fn test(&self, k: usize) -> Test {
        let k = k % CHUNK;
        Test { owner: self.owners[k] as usize, first: self.firsts[k] as usize, mask: self.masks[k] }
    }
}
