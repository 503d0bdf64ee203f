//! Work that can take minutes, and ends when nobody waits for it any more.

use crate::threads::Stop;
use multigrain::detectors::BruteForce;
use multigrain::{Detector, PairSink, Pairs, Search, Snapshot};
use multigrain_methods::Method;
use multigrain_papers::{Bbts, LinkedCell, Mmr, Mr, MrS, Nbs};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Carried out of work that was asked to stop.
struct Stopped;

/// What `work` makes, or nothing if it was asked to stop on the way: it looks at `stop` now and then.
pub fn until_asked<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(made) => Some(made),
        Err(cause) if cause.is::<Stopped>() => None,
        Err(cause) => resume_unwind(cause),
    }
}

/// Leaves the work of [`until_asked`] if it was asked to stop.
pub fn look(stop: &Stop) {
    if stop.is_asked() {
        // Unwinding is the one way out of work that knows of no stopping. It passes by the hook that reports panics.
        resume_unwind(Box::new(Stopped));
    }
}

/// Sizes may differ by so much before methods made for one size test very many candidates.
const ALIKE: f64 = 4.0;

/// Fills `pairs`, on all threads where the method shares its work. Searches that may take quadratic time look at `stop` on
/// the way; what they found until then is of no use to anyone. The others are done in moments: `detector` does them.
pub fn find_pairs<const D: usize>(
    method: Method,
    detector: &mut dyn Detector<D>,
    now: Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
    stop: &Stop,
) {
    let largest = now.extent().max_radius;
    let sizes_differ = || now.radii().iter().any(|radius| radius * ALIKE < largest);
    match method {
        Method::BruteForce => search(BruteForce, now, pairs, stop),
        Method::LinkedCell => search(LinkedCell::default(), now, pairs, stop),
        Method::Nbs if sizes_differ() => search(Nbs::default(), now, pairs, stop),
        Method::Mr => search(Mr::default(), now, pairs, stop),
        Method::MrS if sizes_differ() => search(MrS::default(), now, pairs, stop),
        Method::Mmr => search(Mmr::default(), now, pairs, stop),
        Method::Bbts => search(Bbts::default(), now, pairs, stop),
        _ => detector.find_pairs(now, pairs),
    }
}

fn search<const D: usize>(mut detector: impl Search<D>, now: Snapshot<'_, D>, pairs: &mut Pairs<D>, stop: &Stop) {
    pairs.clear();
    if !now.nothing_can_touch() {
        let mut sink = Stoppable { pairs: std::mem::take(pairs), stop, since: 0 };
        if until_asked(|| detector.search(now, &mut sink)).is_some() {
            *pairs = sink.pairs;
        }
    }
}

/// A list of pairs that looks at `stop` now and then, on every thread of the search.
struct Stoppable<'a, const D: usize> {
    pairs: Pairs<D>,
    stop: &'a Stop,
    /// Candidates and cells since it last looked.
    since: u64,
}

impl<const D: usize> Stoppable<'_, D> {
    /// Work between two looks: a fraction of a millisecond.
    const QUIET: u64 = 1 << 16;

    #[inline]
    fn count(&mut self, work: u64) {
        self.since = self.since.saturating_add(work);
        if self.since >= Self::QUIET {
            self.since = 0;
            look(self.stop);
        }
    }
}

impl<const D: usize> PairSink<D> for Stoppable<'_, D> {
    #[inline]
    fn pairs(&mut self, pairs: &[[u32; 2]], shifts: &[[i32; D]]) {
        self.pairs.extend(pairs, shifts);
    }

    fn taken(&self) -> Option<usize> {
        self.pairs.taken()
    }

    fn split(&mut self) -> Option<Self> {
        Some(Self { pairs: self.pairs.split()?, stop: self.stop, since: 0 })
    }

    fn join(&mut self, parts: Vec<Self>) {
        self.pairs.join(parts.into_iter().map(|part| part.pairs).collect());
    }

    #[inline]
    fn candidates(&mut self, count: u64) {
        self.count(count);
    }

    #[inline]
    fn cells(&mut self, count: u64) {
        self.count(count);
    }
}
