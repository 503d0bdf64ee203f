//! The contract of every detector.

use crate::error::Error;
use crate::pairs::{Pair, Pairs};
use crate::sheared;
use crate::sink::{PairSink, Taking};
use crate::snapshot::Snapshot;
use crate::work::Work;
use std::fmt::{Display, Formatter};
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What authors of a detector write: one generic search.
///
/// The contract: every pair that [`Snapshot::overlaps`] confirms, each exactly once and in canonical form, and no other,
/// for any snapshot after any other: no required call order, nothing to announce. What a detector remembers is only an
/// index that makes the next call faster. Pairs and their order do not depend on the number of threads.
pub trait Search<const D: usize>: Send {
    /// Whether [`search`](Self::search) takes sheared cells. Where it does not, it only ever sees boxes along the axes and open
    /// space, with images put around sheared cells beforehand.
    const TAKES_SHEARED: bool = false;

    /// Finds every touching pair of `now` and hands them to `sink`.
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S);

    /// How the bodies of the last search were laid out.
    fn layout(&self) -> Layout {
        Layout::default()
    }

    /// Bytes that the index of the last search takes; `None` for methods that do not report it.
    fn index_bytes(&self) -> Option<usize> {
        None
    }

    /// Gives memory back that the next search can do without, however long it is until then.
    fn release(&mut self) {}
}

/// A contact detector: turns a snapshot into pairs and knows nothing else.
pub trait Detector<const D: usize>: Send {
    /// Clears `pairs` and fills it with every touching pair. Runs on the caller's rayon pool.
    fn find_pairs(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>);

    /// Hands every touching pair to `visit`, serially, without a list.
    fn visit_pairs(&mut self, now: Snapshot<'_, D>, visit: &mut (dyn FnMut(Pair<D>) + Send)) {
        let mut visit = |pair| {
            visit(pair);
            ControlFlow::Continue(())
        };
        self.visit_pairs_until(now, &mut visit, &|| false);
    }

    /// As [`visit_pairs`](Self::visit_pairs), until `visit` breaks, after which it is not called again, or `stop` says yes, which
    /// is asked now and then. Whether it went through to the end.
    fn visit_pairs_until(
        &mut self,
        now: Snapshot<'_, D>,
        visit: &mut (dyn FnMut(Pair<D>) -> ControlFlow<()> + Send),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool;

    /// As [`find_pairs`](Self::find_pairs), but asks `stop` now and then, on any thread, and ends soon after it says yes. Whether it
    /// went through to the end; where it did not, `pairs` is empty.
    fn find_pairs_until(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool;

    /// As [`find_pairs`](Self::find_pairs), and counts the work done.
    fn count_work(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) -> Work;

    /// As [`count_work`](Self::count_work), but it ends soon after `stop` says so; then nothing of what it gives is whole.
    fn count_work_until(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Work;

    /// As [`find_pairs_until`](Self::find_pairs_until), and calls `mapped` once between mapping and search.
    fn find_pairs_in_phases(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        mapped: &mut (dyn FnMut() + Send),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool;

    /// How the bodies of the last search were laid out.
    fn layout(&self) -> Layout;

    /// Bytes that the detector keeps to find bodies by their place, after its last search; `None` for methods that do not
    /// report it.
    fn index_bytes(&self) -> Option<usize>;

    /// Gives memory back that the next call can do without. Worth its while where calls are rare.
    fn release(&mut self) {}
}

/// How a detector laid out the bodies of its last search. Methods without levels leave it empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// Which of two bodies on different levels searches for the other.
    pub direction: Option<Direction>,
    /// Cell size of each level, ascending.
    pub cell_sizes: Vec<f64>,
    /// Number of bodies on each level.
    pub particles_per_level: Vec<u64>,
    /// Regions of space with grids of their own, where bodies are spread unevenly; 0 where one grid serves all. Cell sizes are
    /// then the largest of each level.
    pub regions: usize,
}

/// Which of two bodies on different levels searches for the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Direction {
    /// The larger body searches all finer levels.
    #[default]
    TopDown,
    /// The smaller body searches all coarser levels.
    BottomUp,
}

impl Direction {
    /// Both directions.
    pub const ALL: [Self; 2] = [Self::TopDown, Self::BottomUp];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TopDown => "top-down",
            Self::BottomUp => "bottom-up",
        }
    }

    /// The levels that a body of `level` searches, out of `levels`, its own apart.
    #[doc(hidden)]
    pub fn partners(self, level: usize, levels: usize) -> std::ops::Range<usize> {
        match self {
            Self::TopDown => 0..level,
            Self::BottomUp => level + 1..levels,
        }
    }
}

impl Display for Direction {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Direction {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let direction = Self::ALL.into_iter().find(|direction| direction.name() == name);
        direction.ok_or_else(|| Error::NoSuchDirection { name: name.to_owned() })
    }
}

/// A detector behind a pointer, so that decorators take the detectors of the registry too.
impl<const D: usize> Detector<D> for Box<dyn Detector<D>> {
    fn find_pairs(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) {
        (**self).find_pairs(now, pairs);
    }

    fn visit_pairs_until(
        &mut self,
        now: Snapshot<'_, D>,
        visit: &mut (dyn FnMut(Pair<D>) -> ControlFlow<()> + Send),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        (**self).visit_pairs_until(now, visit, stop)
    }

    fn find_pairs_until(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        (**self).find_pairs_until(now, pairs, stop)
    }

    fn count_work(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) -> Work {
        (**self).count_work(now, pairs)
    }

    fn count_work_until(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Work {
        (**self).count_work_until(now, pairs, stop)
    }

    fn find_pairs_in_phases(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        mapped: &mut (dyn FnMut() + Send),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        (**self).find_pairs_in_phases(now, pairs, mapped, stop)
    }

    fn layout(&self) -> Layout {
        (**self).layout()
    }

    fn index_bytes(&self) -> Option<usize> {
        (**self).index_bytes()
    }

    fn release(&mut self) {
        (**self).release();
    }
}

impl<const D: usize, T: Search<D>> Detector<D> for T {
    fn find_pairs(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) {
        fill(self, now, pairs, &mut || (), &|| false, false);
    }

    fn visit_pairs_until(
        &mut self,
        now: Snapshot<'_, D>,
        visit: &mut (dyn FnMut(Pair<D>) -> ControlFlow<()> + Send),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        if now.nothing_can_touch() {
            return !stop();
        }
        if now.domain().has_sheared_images() && !T::TAKES_SHEARED {
            let mut pairs = Pairs::new();
            return self.find_pairs_until(now, &mut pairs, stop) && pairs.iter().try_for_each(visit).is_continue();
        }
        // The search is asked to stop by the same question, whoever wants it to.
        let is_broken = AtomicBool::new(false);
        let mut visit = |pair: Pair<D>| {
            if !is_broken.load(Relaxed) && visit(pair).is_break() {
                is_broken.store(true, Relaxed);
            }
        };
        let stop = || is_broken.load(Relaxed) || stop();
        let (visit, groups): (&mut (dyn FnMut(Pair<D>) + Send), _) = (&mut visit, now.groups());
        let mut sink = Taking { visit: Some(visit), stop: &stop, ..Taking::into_list(&mut Pairs::new(), groups) };
        self.search(now, &mut sink);
        !stop()
    }

    fn find_pairs_until(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        self.find_pairs_in_phases(now, pairs, &mut || (), stop)
    }

    fn count_work(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) -> Work {
        self.count_work_until(now, pairs, &|| false)
    }

    fn count_work_until(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Work {
        fill(self, now, pairs, &mut || (), stop, true)
    }

    fn find_pairs_in_phases(
        &mut self,
        now: Snapshot<'_, D>,
        pairs: &mut Pairs<D>,
        mapped: &mut (dyn FnMut() + Send),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        fill(self, now, pairs, mapped, stop, false);
        let is_whole = !stop();
        if !is_whole {
            pairs.clear();
        }
        is_whole
    }

    fn layout(&self) -> Layout {
        Search::layout(self)
    }

    fn index_bytes(&self) -> Option<usize> {
        Search::index_bytes(self)
    }

    fn release(&mut self) {
        Search::release(self);
    }
}

/// Clears `pairs` and fills it; what that took, in full if it is to be counted.
#[inline(never)]
fn fill<T: Search<D>, const D: usize>(
    detector: &mut T,
    now: Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
    mapped: &mut (dyn FnMut() + Send),
    stop: &(dyn Fn() -> bool + Sync),
    counts: bool,
) -> Work {
    if now.nothing_can_touch() {
        mapped();
    }
    let mut work = Work::default();
    in_open_space(now, pairs, T::TAKES_SHEARED, &mut |now, pairs| {
        let mut sink = Taking { mapped: Some(&mut *mapped), stop, counts, ..Taking::into_list(pairs, now.groups()) };
        detector.search(now, &mut sink);
        *pairs = sink.pairs;
        work = sink.work;
    });
    work
}

/// Clears `pairs` and has it filled by `search`, which sees sheared cells only if it takes them.
fn in_open_space<const D: usize>(
    now: Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
    takes_sheared: bool,
    search: &mut dyn FnMut(Snapshot<'_, D>, &mut Pairs<D>),
) {
    pairs.clear();
    if now.nothing_can_touch() {
        return;
    }
    if now.domain().has_sheared_images() && !takes_sheared {
        sheared::find_pairs(&now, pairs, search);
    } else {
        search(now, pairs);
    }
}
