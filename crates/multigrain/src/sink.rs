//! Where detectors put the pairs they find.

use crate::pairs::{Pair, Pairs};
use crate::snapshot::Groups;
use crate::work::Work;

/// Takes the pairs of a search in batches.
pub trait PairSink<const D: usize>: Send + Sized {
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

    /// A question to ask now and then, on any thread: whether nobody wants the rest. A search may end at once where the answer
    /// is yes; what it hands on is then of no use to anyone.
    fn stop(&self) -> &(dyn Fn() -> bool + Sync) {
        &|| false
    }

    /// Whether nobody wants the rest.
    #[inline]
    fn stop_requested(&self) -> bool {
        (self.stop())()
    }

    /// Called once in a search, when every body is in its cell and the search proper begins.
    fn mapped(&mut self) {}

    /// Whether anybody wants to know the work: a search may count apart from its innermost loop, and not at all if not.
    #[inline]
    fn counts(&self) -> bool {
        false
    }

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

/// The sink of all searches: fills a list or calls a visitor, counts work, says when mapping is over, asks whether to stop.
/// One kind for all of that, because every kind of sink is another copy of every search.
pub(crate) struct Taking<'a, const D: usize> {
    pub pairs: Pairs<D>,
    /// Takes pairs one by one, on the calling thread, instead of the list.
    pub visit: Option<&'a mut (dyn FnMut(Pair<D>) + Send)>,
    pub mapped: Option<&'a mut (dyn FnMut() + Send)>,
    pub stop: &'a (dyn Fn() -> bool + Sync),
    pub groups: Groups<'a>,
    /// Whether `work` will be asked for: searches may count no more than comes by the way where not.
    pub counts: bool,
    pub work: Work,
}

impl<'a, const D: usize> Taking<'a, D> {
    /// One that fills a list, which it takes the memory of, and does nothing else.
    pub fn into_list(pairs: &mut Pairs<D>, groups: Groups<'a>) -> Self {
        let pairs = std::mem::take(pairs);
        Self { pairs, visit: None, mapped: None, stop: &|| false, groups, counts: false, work: Work::default() }
    }
}

impl<const D: usize> PairSink<D> for Taking<'_, D> {
    #[inline]
    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        let Some(visit) = &mut self.visit else {
            return take(&mut self.pairs, self.groups, pairs, shifts);
        };
        for (k, &[i, j]) in pairs.iter().enumerate().filter(|&(_, &pair)| !self.groups.has_both(pair)) {
            visit(Pair { i, j, shift: shifts.get(k).copied().unwrap_or([0; D]) });
        }
    }

    fn taken(&self) -> Option<usize> {
        self.visit.is_none().then(|| self.pairs.len())
    }

    fn expects(&mut self, pairs: usize) {
        self.pairs.reserve(pairs);
    }

    fn split(&mut self) -> Option<Self> {
        if self.visit.is_some() {
            return None;
        }
        Some(Self { pairs: self.pairs.take_part(), visit: None, mapped: None, work: Work::default(), ..*self })
    }

    fn join(&mut self, parts: Vec<Self>) {
        parts.iter().for_each(|part| self.work += part.work);
        self.pairs.append_parts(parts.into_iter().map(|part| part.pairs).collect());
    }

    fn stop(&self) -> &(dyn Fn() -> bool + Sync) {
        self.stop
    }

    fn mapped(&mut self) {
        if let Some(mapped) = &mut self.mapped {
            mapped();
        }
    }

    #[inline]
    fn counts(&self) -> bool {
        self.counts
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

/// Adds pairs to a list, those within a group left out.
#[inline]
fn take<const D: usize>(list: &mut Pairs<D>, groups: Groups<'_>, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
    if groups.is_none() {
        return list.extend(pairs, shifts);
    }
    // Which of them stay nobody can foresee: written in any case, counted if they do.
    let (mut kept, mut kept_shifts) = ([[0; 2]; CHUNK], [[0; D]; CHUNK]);
    for (number, chunk) in pairs.chunks(CHUNK).enumerate() {
        let shifts = shifts.get(number * CHUNK..number * CHUNK + chunk.len()).unwrap_or_default();
        let mut len = 0;
        for (k, &pair) in chunk.iter().enumerate() {
            kept[len] = pair;
            if let Some(&shift) = shifts.get(k) {
                kept_shifts[len] = shift;
            }
            len += usize::from(!groups.has_both(pair));
        }
        list.extend(&kept[..len], if shifts.is_empty() { &[] } else { &kept_shifts[..len] });
    }
}

/// Pairs that are looked at together.
const CHUNK: usize = 64;
