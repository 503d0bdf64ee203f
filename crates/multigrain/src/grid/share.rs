//! Tasks of a search shared by all threads, with the pairs in the order of the tasks.

use crate::sink::PairSink;
use crate::threads::{self, lock};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Does all tasks, on all threads where there are several and `sink` splits. Every thread begins with `start` and does its
/// tasks with what that gave. Pairs come out in the order of the tasks, however many threads there are.
///
/// One thread takes tasks from the front and writes straight into `sink`; the others take them from the back, each into a
/// part of its own. So only what the others found has to be moved to its place in the end.
pub fn share<T: Send, W, S: PairSink<D>, const D: usize>(
    tasks: impl ExactSizeIterator<Item = T>,
    sink: &mut S,
    start: impl Fn() -> W + Sync,
    run: impl Fn(&mut W, T, &mut S) + Sync,
) {
    let count = tasks.len();
    let mut first_tasks = FirstTasks::new(count, sink.taken());
    let parts: Option<Vec<S>> =
        if count > 1 && threads::available() { (0..count).map(|_| sink.split()).collect() } else { None };
    let Some(parts) = parts else {
        let mut worker = start();
        for task in tasks {
            if sink.stop_requested() {
                return;
            }
            run(&mut worker, task, sink);
            first_tasks.count(sink);
        }
        return;
    };
    let places: Vec<_> = tasks.zip(parts).map(|(task, part)| Mutex::new((Some(task), part))).collect();
    let waiting = Mutex::new(0..count);
    let others = || {
        let mut worker = None;
        while let Some(number) = last(&waiting) {
            let (task, part) = &mut *lock(&places[number]);
            if let Some(task) = task.take()
                && !part.stop_requested()
            {
                run(worker.get_or_insert_with(&start), task, part);
            }
        }
    };
    let mut own = || {
        let mut worker = start();
        while let Some(number) = first(&waiting)
            && !sink.stop_requested()
        {
            let task = lock(&places[number]).0.take();
            task.into_iter().for_each(|task| run(&mut worker, task, sink));
            first_tasks.count(sink);
        }
    };
    threads::beside_others(count, &others, &mut own);
    let done_here = lock(&waiting).start;
    let mut parts: Vec<S> =
        places.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner).1).collect();
    // Those that were not needed, at the end, bring their memory back.
    parts.rotate_left(done_here);
    sink.join(parts);
}

/// The first tasks of a search, which show how many pairs there will be in all.
struct FirstTasks {
    /// All there are.
    tasks: usize,
    /// Done so far.
    done: usize,
    /// Pairs that were there before.
    before: usize,
}

impl FirstTasks {
    /// One task in this many is waited for; fewer tasks than that show nothing.
    const ONE_IN: usize = 16;

    fn new(tasks: usize, taken: Option<usize>) -> Self {
        Self { tasks, done: 0, before: taken.unwrap_or(0) }
    }

    /// Counts a task that is done.
    fn count<S: PairSink<D>, const D: usize>(&mut self, sink: &mut S) {
        self.done += 1;
        if self.done != self.tasks / Self::ONE_IN {
            return;
        }
        if let Some(taken) = sink.taken() {
            let found = (taken - self.before) as f64;
            // One in sixteen more, as tasks differ.
            let expected = found * self.tasks as f64 / self.done as f64 * (1.0 + 1.0 / 16.0);
            sink.expects(self.before + expected as usize);
        }
    }
}

fn first(waiting: &Mutex<Range<usize>>) -> Option<usize> {
    lock(waiting).next()
}

fn last(waiting: &Mutex<Range<usize>>) -> Option<usize> {
    lock(waiting).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detector::Detector;
    use crate::pairs::Pairs;
    use crate::samples::mixture;
    use crate::threads::on_this_thread;

    /// Counts pairs, and keeps what it was to expect.
    #[derive(Default)]
    struct Expecting {
        taken: usize,
        expected: Vec<usize>,
    }

    impl PairSink<3> for Expecting {
        fn pairs(&mut self, pairs: &[[u32; 2]], _: &[[i32; 3]]) {
            self.taken += pairs.len();
        }

        fn taken(&self) -> Option<usize> {
            Some(self.taken)
        }

        fn expects(&mut self, pairs: usize) {
            self.expected.push(pairs);
        }

        fn split(&mut self) -> Option<Self> {
            None
        }

        fn join(&mut self, _: Vec<Self>) {}
    }

    #[test]
    fn a_sink_learns_once_how_many_pairs_to_expect() {
        for (tasks, expected) in [(64, vec![100 + 10 * 64 * 17 / 16]), (FirstTasks::ONE_IN - 1, vec![])] {
            let mut sink = Expecting { taken: 100, ..Expecting::default() };
            share(0..tasks, &mut sink, || (), |(), _, sink| sink.pairs(&[[0, 1]; 10], &[]));
            assert_eq!((sink.taken, sink.expected), (100 + 10 * tasks, expected));
        }
    }

    #[test]
    fn the_first_list_of_a_search_has_little_room_to_spare() {
        let mut pairs = Pairs::new();
        for set in [1.0, 50.0] {
            let system = mixture(0.0, set, 0.62, false, 100_000, 1);
            let now = system.snapshot().unwrap();
            let mut grid = crate::detectors::HierarchicalGrid::tuned_for(now).unwrap();
            let mut pairs = Pairs::new();
            on_this_thread(|| grid.find_pairs(now, &mut pairs));
            let bytes = pairs.len() * size_of::<[u32; 2]>();
            assert!(pairs.memory_bytes() < bytes * 5 / 4, "{set}: {} for {bytes}", pairs.memory_bytes());
        }
        pairs.extend(&[[0u32, 1]], &[[0i32; 3]]);
        pairs.reserve(1000);
        assert!(pairs.memory_bytes() >= 1000 * (size_of::<[u32; 2]>() + size_of::<[i32; 3]>()));
        assert_eq!(pairs.as_slice(), [[0, 1]]);
    }
}
