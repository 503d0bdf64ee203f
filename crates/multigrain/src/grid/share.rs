//! Tasks of a search shared by all threads, with the pairs in the order of the tasks.

use crate::sink::PairSink;
use crate::threads;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
    let parts: Option<Vec<S>> =
        if count > 1 && threads::available() { (0..count).map(|_| sink.split()).collect() } else { None };
    let Some(parts) = parts else {
        let mut worker = start();
        for task in tasks {
            if sink.stop_requested() {
                return;
            }
            run(&mut worker, task, sink);
        }
        return;
    };
    let waiting: Mutex<VecDeque<(usize, T)>> = Mutex::new(tasks.enumerate().collect());
    let (spare, done) = (Mutex::new(parts), Mutex::new(Vec::with_capacity(count)));
    rayon::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| {
                let mut worker = None;
                while let Some((number, task)) = last(&waiting)
                    && let Some(mut part) = lock(&spare).pop()
                {
                    if !part.stop_requested() {
                        run(worker.get_or_insert_with(&start), task, &mut part);
                    }
                    lock(&done).push((number, part));
                }
            });
        }
        let mut worker = start();
        while let Some((_, task)) = first(&waiting)
            && !sink.stop_requested()
        {
            run(&mut worker, task, sink);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|&(number, _)| number);
    let mut parts: Vec<S> = done.into_iter().map(|(_, part)| part).collect();
    // Those that were not needed bring their memory back.
    parts.append(&mut lock(&spare));
    sink.join(parts);
}

fn first<T>(queue: &Mutex<VecDeque<T>>) -> Option<T> {
    lock(queue).pop_front()
}

fn last<T>(queue: &Mutex<VecDeque<T>>) -> Option<T> {
    lock(queue).pop_back()
}

/// A panic in a task ends the search anyway, so that nobody sees what it left behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
