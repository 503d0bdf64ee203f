//! The memory of a search, kept from call to call. Else every search of a few bodies would ask the system for it, which
//! takes longer than the search itself where the system gives pages of it back each time.

use super::emit::{MAX_EMITTED, MIN_EMITTED};
use super::hits::Hits;
use super::kernel::Kernel;
use super::own_level::{LeftOver, MAX_ROW_PAIRS, QuickMasks};
use super::search::{BLOCK, BlockSearch, Shifted, View};
use super::waiting::Waiting;
use crate::grid::Batch;
use std::sync::{Mutex, PoisonError};

/// Pairs of a block on their way to the sink, at most.
pub(super) const MAX_PAIRS: usize =
    if MAX_EMITTED > MIN_EMITTED + MAX_ROW_PAIRS { MAX_EMITTED } else { MIN_EMITTED + MAX_ROW_PAIRS };

/// What a thread needs to search block after block.
pub(super) struct Memory<const D: usize> {
    pub hits: Hits,
    pub waiting: Waiting<D>,
    /// Bodies of a block that the quick search leaves to the thorough one.
    pub left_over: Vec<LeftOver>,
    /// What the quick search of a block found.
    pub quick: Box<QuickMasks>,
    /// Room for [`MAX_PAIRS`].
    pub pairs: Vec<[u32; 2]>,
    /// Room for the shifts of [`MAX_EMITTED`] pairs across borders; none in open domains.
    pub shifts: Vec<[i32; D]>,
    pub batch: Batch<D>,
    /// Bodies near a periodic border, and their images.
    pub near: Vec<u32>,
    pub shifted: Shifted<D>,
}

impl<const D: usize> Memory<D> {
    fn new() -> Self {
        Self {
            hits: Hits::new(),
            waiting: Waiting::new(),
            left_over: Vec::with_capacity(BLOCK),
            quick: QuickMasks::new(),
            pairs: vec![[0; 2]; MAX_PAIRS],
            shifts: Vec::new(),
            batch: Batch::new(false),
            near: Vec::new(),
            shifted: Shifted::default(),
        }
    }
}

/// The memories of as many searches as there were at once.
#[derive(Default)]
pub(super) struct Memories<const D: usize>(Mutex<Vec<Memory<D>>>);

impl<const D: usize> Memories<D> {
    /// A search, which gives its memory back when it ends.
    pub fn start<'a, K: Kernel<D>>(&'a self, kernel: K, view: View<'a, D>) -> Lent<'a, K, D> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut memory = kept.unwrap_or_else(Memory::new);
        let is_periodic = view.images.are_periodic();
        memory.batch.set_periodic(is_periodic);
        memory.shifts.resize(if is_periodic { MAX_EMITTED } else { 0 }, [0; D]);
        Lent { search: Some(BlockSearch::new(kernel, view, memory)), home: self }
    }
}

/// A copy of a detector gets memory of its own when it searches.
impl<const D: usize> Clone for Memories<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<const D: usize> std::fmt::Debug for Memories<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memories").finish_non_exhaustive()
    }
}

/// A search whose memory belongs to a detector.
pub(super) struct Lent<'a, K: Kernel<D>, const D: usize> {
    /// There until the end.
    search: Option<BlockSearch<'a, K, D>>,
    home: &'a Memories<D>,
}

impl<'a, K: Kernel<D>, const D: usize> Lent<'a, K, D> {
    /// Goes on with the search.
    pub fn go_on(&mut self, with: impl FnOnce(&mut BlockSearch<'a, K, D>)) {
        if let Some(search) = &mut self.search {
            with(search);
        }
    }
}

impl<K: Kernel<D>, const D: usize> Drop for Lent<'_, K, D> {
    fn drop(&mut self) {
        // After a panic the memory may hold half of what was found.
        if let Some(search) = self.search.take().filter(|_| !std::thread::panicking()) {
            self.home.0.lock().unwrap_or_else(PoisonError::into_inner).push(search.memory);
        }
    }
}
