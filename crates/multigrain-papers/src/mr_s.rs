//! MR-S: the sorted list of MR in plain arrays, of which only one changes as bodies move.

use super::classics::{Finding, MrEngine, OneWay, Steps};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::{Layout, Search};

/// Bodies of similar size in five arrays: number, three integer coordinates, and the next body in the order of cells. The
/// first step sorts them by quick sort; later steps mend the order by MR sort, which changes only the last array; the
/// search walks it with row pointers that move forward only.
///
/// 14 bytes per body in 3D: 4 for the number, 3 times 2 for the coordinates, 4 for the next body; 12 in 2D. Coordinates have
/// 4 bytes each, so that it is 20 and 16, where an axis has more than 65,534 cells. Cells are counted as rows of the mask, five
/// per body in 3D and two in 2D.
#[derive(Debug, Clone)]
pub struct MrS<const D: usize>(MrEngine<OneWay, D>);

impl<const D: usize> MrS<D> {
    /// A detector that has seen nothing yet.
    pub fn new() -> Self {
        Self(MrEngine::new(Steps { keeps_order: true, finding: Finding::Forward }, true))
    }
}

impl<const D: usize> Default for MrS<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Search<D> for MrS<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.0.search(now, sink);
    }

    fn layout(&self) -> Layout {
        self.0.layout()
    }

    fn index_bytes(&self) -> Option<usize> {
        Some(self.0.index_bytes())
    }
}
