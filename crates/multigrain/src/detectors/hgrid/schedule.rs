//! In which order bodies search: level by level, but in step through space, so that a body that searches a finer level
//! finds it in the cache.

use super::columns::Lanes;
use super::real::Real;
use super::rows::RowIndex;
use std::ops::Range;

/// Bodies of the finest level per task.
const FINE_TASK: usize = 1 << 12;

/// Bodies of a coarser level per task; each of them searches much more.
const COARSE_TASK: usize = 1 << 8;

/// Some consecutive bodies of one level.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Task {
    pub level: usize,
    pub bodies: Range<usize>,
    /// Where the last of them is stored, along the axis that changes slowest from body to body.
    at: f64,
}

/// Cuts the bodies of all levels into tasks and orders these along the slowest axis. Only the data decide: the same
/// bodies are always searched in the same order.
pub(super) fn schedule<R: Real, const D: usize>(
    index: &impl RowIndex<D>,
    bodies: &Lanes<'_, R, D>,
    levels: usize,
    tasks: &mut Vec<Task>,
) {
    tasks.clear();
    for level in 0..levels {
        let all = index.level(level);
        let size = if level == 0 { FINE_TASK } else { COARSE_TASK };
        tasks.extend(all.clone().step_by(size).map(|first| {
            let bodies_of_task = first..(first + size).min(all.end);
            let at = bodies.position[D - 1][bodies_of_task.end - 1].to_f64();
            Task { level, bodies: bodies_of_task, at }
        }));
    }
    tasks.sort_by(|a, b| a.at.total_cmp(&b.at));
}
