//! Which points are measured beside which: those that are timed one after another, those that are only counted beside them.
//!
//! The first lane measures what is timed, so that no two timed points share the machine. Further lanes prepare points (grow
//! their packings) and measure those whose result is a count, which nothing beside them can change. What wants the machine for itself comes at the
//! end, when all lanes have ended. What is found does not depend on the number of lanes.

use crate::experiment::Kind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What a lane does with a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Makes what takes long and is not timed.
    Prepare,
    /// Measures it.
    Measure,
}

/// Where a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Unprepared,
    Preparing,
    Ready,
    /// Being measured, measured, or failed.
    Gone,
}

/// The points of a run, and where they are.
struct Board<'a> {
    kinds: &'a [Kind],
    stages: Mutex<Vec<Stage>>,
    changed: Condvar,
}

/// Prepares and measures points of these kinds in this many lanes; `is_prepared` says which need no preparation. `work` is told the
/// point, what to do, and whether this is the first lane, and returns whether it succeeded.
pub fn run_in_lanes(
    kinds: &[Kind],
    is_prepared: impl Fn(usize) -> bool,
    lanes: usize,
    work: &(dyn Fn(usize, Work, bool) -> bool + Sync),
) {
    let stage = |point| if is_prepared(point) { Stage::Ready } else { Stage::Unprepared };
    let board = Board { kinds, stages: Mutex::new((0..kinds.len()).map(stage).collect()), changed: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 1..lanes {
            scope.spawn(|| board.walk(false, work));
        }
        board.walk(true, work);
    });
    for (point, &kind) in kinds.iter().enumerate() {
        if kind == Kind::Alone && board.stages()[point] == Stage::Ready {
            work(point, Work::Measure, true);
        }
    }
}

impl Board<'_> {
    fn stages(&self) -> MutexGuard<'_, Vec<Stage>> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes work until there is none for this lane.
    fn walk(&self, is_first: bool, work: &(dyn Fn(usize, Work, bool) -> bool + Sync)) {
        while let Some((point, what)) = self.take(is_first) {
            // Whoever waits for this point must hear of it even if the work panics.
            let mut done = Done { board: self, point, stage: Stage::Gone };
            if work(point, what, is_first) && what == Work::Prepare {
                done.stage = Stage::Ready;
            }
        }
    }

    /// The next work of a lane; the first lane waits for preparations that others are at.
    fn take(&self, is_first: bool) -> Option<(usize, Work)> {
        let mut stages = self.stages();
        loop {
            let first = |wanted: Stage, kinds: &[Kind]| {
                (0..stages.len()).find(|&point| stages[point] == wanted && kinds.contains(&self.kinds[point]))
            };
            let unprepared = || first(Stage::Unprepared, &[Kind::Timed, Kind::Alone, Kind::Counted]);
            let timed = if is_first { first(Stage::Ready, &[Kind::Timed]) } else { None };
            let taken = match (timed, unprepared()) {
                (Some(point), _) => Some((point, Work::Measure)),
                (None, Some(point)) => Some((point, Work::Prepare)),
                (None, None) => first(Stage::Ready, &[Kind::Counted]).map(|point| (point, Work::Measure)),
            };
            if let Some((point, what)) = taken {
                stages[point] = if what == Work::Prepare { Stage::Preparing } else { Stage::Gone };
                return taken;
            }
            if !is_first || !stages.contains(&Stage::Preparing) {
                return None;
            }
            stages = self.changed.wait(stages).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Says where a point is when its work ends, however it ends.
struct Done<'a> {
    board: &'a Board<'a>,
    point: usize,
    stage: Stage,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.board.stages()[self.point] = self.stage;
        self.board.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    const KINDS: [Kind; 7] =
        [Kind::Alone, Kind::Timed, Kind::Counted, Kind::Timed, Kind::Counted, Kind::Timed, Kind::Counted];

    fn walked(lanes: usize, fails: Option<usize>) -> Vec<(usize, Work)> {
        let all = Mutex::new(Vec::new());
        let (timed, running) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run_in_lanes(&KINDS, |point| point % 2 == 0 && point > 0, lanes, &|point, what, is_first| {
            let is_timed = what == Work::Measure && KINDS[point] != Kind::Counted;
            assert!(is_first || !is_timed);
            running.fetch_add(1, SeqCst);
            if is_timed {
                assert_eq!(timed.fetch_add(1, SeqCst), 0, "two timed points at once");
                assert!(KINDS[point] != Kind::Alone || running.load(SeqCst) == 1);
                std::thread::yield_now();
                timed.fetch_sub(1, SeqCst);
            }
            running.fetch_sub(1, SeqCst);
            all.lock().unwrap().push((point, what));
            fails != Some(point)
        });
        all.into_inner().unwrap()
    }

    #[test]
    fn every_point_is_prepared_then_measured_once_and_no_two_are_timed_at_once() {
        for lanes in [1, 2, 4] {
            let walked = walked(lanes, None);
            for point in 0..KINDS.len() {
                let works: Vec<Work> = walked.iter().filter(|entry| entry.0 == point).map(|entry| entry.1).collect();
                let is_prepared = point % 2 == 0 && point > 0;
                let expected = if is_prepared { vec![Work::Measure] } else { vec![Work::Prepare, Work::Measure] };
                assert_eq!(works, expected, "point {point} in {lanes} lanes");
            }
            assert_eq!(walked.last(), Some(&(0, Work::Measure)), "what wants the machine for itself comes last");
        }
    }

    #[test]
    fn a_point_whose_preparation_fails_is_not_measured() {
        for lanes in [1, 2] {
            let walked = walked(lanes, Some(3));
            assert!(walked.contains(&(3, Work::Prepare)) && !walked.contains(&(3, Work::Measure)));
            assert_eq!(walked.len(), 7 + 3, "{walked:?}");
        }
    }

    #[test]
    fn a_lane_that_panics_does_not_leave_the_first_one_waiting() {
        let attempt = std::panic::catch_unwind(|| {
            run_in_lanes(&[Kind::Timed; 4], |_| false, 3, &|point, _, _| {
                assert!(point != 1, "stopped");
                true
            });
        });
        assert!(attempt.is_err());
    }
}
