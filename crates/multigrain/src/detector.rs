//! The contract of every detector.

use crate::pairs::{Pair, Pairs};
use crate::sheared;
use crate::sink::{Counted, PairSink, Phased, Visit};
use crate::snapshot::Snapshot;
use crate::work::Work;

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

    /// Bytes that the index of the last search takes; `None` for methods that do not tell.
    fn index_bytes(&self) -> Option<usize> {
        None
    }
}

/// A contact detector: turns a snapshot into pairs and knows nothing else.
pub trait Detector<const D: usize>: Send {
    /// Clears `pairs` and fills it with every touching pair. Runs on the caller's rayon pool.
    fn find_pairs(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>);

    /// Hands every touching pair to `visit`, serially, without a list.
    fn visit_pairs(&mut self, now: Snapshot<'_, D>, visit: &mut (dyn FnMut(Pair<D>) + Send));

    /// As [`visit_pairs`](Self::visit_pairs), and calls `goes_on` now and then while a search counts candidates or cells:
    /// a place to look at a clock or a flag. Methods that only count when asked do not call it.
    fn visit_pairs_patiently(
        &mut self,
        now: Snapshot<'_, D>,
        visit: &mut (dyn FnMut(Pair<D>) + Send),
        goes_on: &mut (dyn FnMut() + Send),
    );

    /// As [`find_pairs`](Self::find_pairs), and counts the work done.
    fn count_work(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) -> Work;

    /// As [`find_pairs`](Self::find_pairs), and calls `mapped` once between mapping and search.
    fn find_pairs_in_phases(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>, mapped: &mut (dyn FnMut() + Send));

    /// How the bodies of the last search were laid out.
    fn layout(&self) -> Layout;

    /// Bytes that the detector keeps to find bodies by their place, after its last search; `None` for methods that do not
    /// tell.
    fn index_bytes(&self) -> Option<usize>;
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

/// A detector behind a pointer, so that decorators take the detectors of the registry too.
impl<const D: usize> Detector<D> for Box<dyn Detector<D>> {
    fn find_pairs(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) {
        (**self).find_pairs(now, pairs);
    }

    fn visit_pairs(&mut self, now: Snapshot<'_, D>, visit: &mut (dyn FnMut(Pair<D>) + Send)) {
        (**self).visit_pairs(now, visit);
    }

    fn visit_pairs_patiently(
        &mut self,
        now: Snapshot<'_, D>,
        visit: &mut (dyn FnMut(Pair<D>) + Send),
        goes_on: &mut (dyn FnMut() + Send),
    ) {
        (**self).visit_pairs_patiently(now, visit, goes_on);
    }

    fn count_work(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) -> Work {
        (**self).count_work(now, pairs)
    }

    fn find_pairs_in_phases(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>, mapped: &mut (dyn FnMut() + Send)) {
        (**self).find_pairs_in_phases(now, pairs, mapped);
    }

    fn layout(&self) -> Layout {
        (**self).layout()
    }

    fn index_bytes(&self) -> Option<usize> {
        (**self).index_bytes()
    }
}

impl<const D: usize, T: Search<D>> Detector<D> for T {
    fn find_pairs(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) {
        // The same sink as for phases: every kind of sink is another copy of every search.
        self.find_pairs_in_phases(now, pairs, &mut || ());
    }

    fn visit_pairs(&mut self, now: Snapshot<'_, D>, visit: &mut (dyn FnMut(Pair<D>) + Send)) {
        self.visit_pairs_patiently(now, visit, &mut || ());
    }

    fn visit_pairs_patiently(
        &mut self,
        now: Snapshot<'_, D>,
        visit: &mut (dyn FnMut(Pair<D>) + Send),
        goes_on: &mut (dyn FnMut() + Send),
    ) {
        if now.nothing_can_touch() {
            return;
        }
        if now.domain().is_sheared() && !T::TAKES_SHEARED {
            let mut pairs = Pairs::new();
            self.find_pairs(now, &mut pairs);
            pairs.iter().for_each(visit);
            return;
        }
        self.search(now, &mut Visit { visit, goes_on, since: 0 });
    }

    fn count_work(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>) -> Work {
        pairs.clear();
        let mut work = Work::default();
        if now.nothing_can_touch() {
            return work;
        }
        let mut search = |now: Snapshot<'_, D>, pairs: &mut Pairs<D>| {
            let mut sink = Counted { pairs: std::mem::take(pairs), work: Work::default() };
            self.search(now, &mut sink);
            *pairs = sink.pairs;
            work = sink.work;
        };
        if now.domain().is_sheared() && !T::TAKES_SHEARED {
            sheared::find_pairs(&now, pairs, search);
        } else {
            search(now, pairs);
        }
        work
    }

    fn find_pairs_in_phases(&mut self, now: Snapshot<'_, D>, pairs: &mut Pairs<D>, mapped: &mut (dyn FnMut() + Send)) {
        pairs.clear();
        if now.nothing_can_touch() {
            mapped();
            return;
        }
        let mut search = |now: Snapshot<'_, D>, pairs: &mut Pairs<D>| {
            let mut sink = Phased { pairs: std::mem::take(pairs), mapped: Some(mapped) };
            self.search(now, &mut sink);
            *pairs = sink.pairs;
        };
        if now.domain().is_sheared() && !T::TAKES_SHEARED {
            sheared::find_pairs(&now, pairs, search);
        } else {
            search(now, pairs);
        }
    }

    fn layout(&self) -> Layout {
        Search::layout(self)
    }

    fn index_bytes(&self) -> Option<usize> {
        Search::index_bytes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::BruteForce;

    #[test]
    fn a_long_search_tells_that_it_goes_on_though_it_finds_nothing() {
        let centers: Vec<[f64; 2]> = (0..1000).map(|k| [f64::from(k), 0.0]).collect();
        let radii = vec![0.25; 1000];
        let now = Snapshot::new(&centers, &radii).unwrap();
        let (mut found, mut calls) = (0, 0);
        BruteForce.visit_pairs_patiently(now, &mut |_| found += 1, &mut || calls += 1);
        assert_eq!((found, calls), (0, 1000 * 999 / 2 / (1 << 16)));
    }
}
