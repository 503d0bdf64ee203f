//! Where detectors put the pairs they find.

use crate::pairs::{Pair, Pairs};
use crate::work::Work;

/// Takes the pairs of a search in batches. Counting hooks cost nothing where they are not overridden.
pub trait PairSink<const D: usize>: Send + Sized {
    /// Whether the counting hooks do anything: a search may count apart from its innermost loop, and not at all if this
    /// is not set.
    const COUNTS: bool = false;

    /// Takes touching pairs in canonical form; `shifts` is empty in open domains, else as long as `pairs`.
    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]);

    /// A sink for one block of a parallel search, or `None` if this sink wants a serial search.
    fn split(&mut self) -> Option<Self>;

    /// Takes back all sinks that came from [`split`](Self::split), in the order of their blocks.
    fn join(&mut self, parts: Vec<Self>);

    /// How many pairs it has taken so far, where it knows.
    fn taken(&self) -> Option<usize> {
        None
    }

    /// How many pairs there will be in all, about: to make room for them at once.
    fn expects(&mut self, _pairs: usize) {}

    /// Called once in a search, when every body is in its cell and the search proper begins.
    fn mapped(&mut self) {}

    /// Counts candidate pairs tested.
    #[inline]
    fn candidates(&mut self, _count: u64) {}

    /// Counts cells, or ranges of cells, looked up.
    #[inline]
    fn cells(&mut self, _count: u64) {}
}

impl<const D: usize> PairSink<D> for Pairs<D> {
    #[inline]
    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        self.extend(pairs, shifts);
    }

    fn split(&mut self) -> Option<Self> {
        Some(self.take_part())
    }

    fn taken(&self) -> Option<usize> {
        Some(self.len())
    }

    fn expects(&mut self, pairs: usize) {
        self.reserve(pairs);
    }

    fn join(&mut self, parts: Vec<Self>) {
        self.append_parts(parts);
    }
}

/// A list of pairs that also counts work.
#[derive(Default)]
pub(crate) struct Counted<const D: usize> {
    pub pairs: Pairs<D>,
    pub work: Work,
}

impl<const D: usize> PairSink<D> for Counted<D> {
    const COUNTS: bool = true;

    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        self.pairs.extend(pairs, shifts);
    }

    fn taken(&self) -> Option<usize> {
        Some(self.pairs.len())
    }

    fn expects(&mut self, pairs: usize) {
        self.pairs.reserve(pairs);
    }

    fn split(&mut self) -> Option<Self> {
        Some(Self { pairs: self.pairs.take_part(), work: Work::default() })
    }

    fn join(&mut self, parts: Vec<Self>) {
        let lists = parts
            .into_iter()
            .map(|part| {
                self.work += part.work;
                part.pairs
            })
            .collect();
        self.pairs.append_parts(lists);
    }

    #[inline]
    fn candidates(&mut self, count: u64) {
        self.work += Work { candidates: count, cells: 0 };
    }

    #[inline]
    fn cells(&mut self, count: u64) {
        self.work += Work { candidates: 0, cells: count };
    }
}

/// Hands every pair to a closure, one after the other, on the calling thread, and tells another that the search goes on.
pub(crate) struct Visit<'a, const D: usize> {
    pub visit: &'a mut (dyn FnMut(Pair<D>) + Send),
    pub goes_on: &'a mut (dyn FnMut() + Send),
    /// Candidates and cells since `goes_on` was last called.
    pub since: u64,
}

impl<const D: usize> Visit<'_, D> {
    /// Work between two calls of `goes_on`: a fraction of a millisecond.
    const QUIET: u64 = 1 << 16;

    #[inline]
    fn count(&mut self, work: u64) {
        self.since = self.since.saturating_add(work);
        if self.since >= Self::QUIET {
            self.since = 0;
            (self.goes_on)();
        }
    }
}

impl<const D: usize> PairSink<D> for Visit<'_, D> {
    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        for (k, &[i, j]) in pairs.iter().enumerate() {
            (self.visit)(Pair { i, j, shift: shifts.get(k).copied().unwrap_or([0; D]) });
        }
    }

    #[inline]
    fn candidates(&mut self, count: u64) {
        self.count(count);
    }

    #[inline]
    fn cells(&mut self, count: u64) {
        self.count(count);
    }

    fn split(&mut self) -> Option<Self> {
        None
    }

    fn join(&mut self, _parts: Vec<Self>) {}
}

/// A list of pairs that tells when mapping is over and the search begins.
pub(crate) struct Phased<'a, const D: usize> {
    pub pairs: Pairs<D>,
    pub mapped: Option<&'a mut (dyn FnMut() + Send)>,
}

impl<const D: usize> PairSink<D> for Phased<'_, D> {
    #[inline]
    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        self.pairs.extend(pairs, shifts);
    }

    fn taken(&self) -> Option<usize> {
        Some(self.pairs.len())
    }

    fn expects(&mut self, pairs: usize) {
        self.pairs.reserve(pairs);
    }

    fn split(&mut self) -> Option<Self> {
        Some(Self { pairs: self.pairs.take_part(), mapped: None })
    }

    fn join(&mut self, parts: Vec<Self>) {
        self.pairs.append_parts(parts.into_iter().map(|part| part.pairs).collect());
    }

    fn mapped(&mut self) {
        if let Some(mapped) = &mut self.mapped {
            mapped();
        }
    }
}
