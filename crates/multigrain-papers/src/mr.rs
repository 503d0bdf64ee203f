//! MR, Munjiza-Rougier: a closed, doubly linked list of all bodies in the order of their cells.

use super::classics::{BothWays, Finding, MrEngine, Steps};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::{Layout, Search};

/// Bodies of similar size in a list sorted by cell. The first step sorts it by quick sort, whose pivot is the cell half-way
/// between the smallest and the largest; later steps mend the order by MR sort, linear in the number of bodies; the search
/// walks the list with row pointers that move forward only. A body that moves by more than one cell in a step is noticed,
/// and the list sorted fully.
///
/// 18 bytes per body in 3D: two links of 4, the body's number, and three coordinates of 2 bytes (4 where an axis has more than
/// 65,534 cells); 12 where coordinates are not stored. The papers count (2 + d) integers per body, or 2, for lists whose links
/// stand in the bodies themselves, and 26 bytes with 64-bit links and a number. Cells are counted as rows of the mask, five
/// per body in 3D and two in 2D.
#[derive(Debug, Clone)]
pub struct Mr<const D: usize>(MrEngine<BothWays, D>);

/// The variants of MR that its paper compares. The default is MR itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct MrOptions {
    /// Whether the list stores coordinates of cells.
    pub coordinates: MrCoordinates,
    /// How the list is sorted and searched in each step.
    pub steps: MrSteps,
}

/// Where the integer coordinates of a body's cell come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MrCoordinates {
    /// Stored with the links: faster.
    #[default]
    Stored,
    /// Computed from the body's center whenever they are needed: smaller.
    Computed,
}

/// What MR does in each step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MrSteps {
    /// MR sort, then MR search: linear in the number of bodies.
    #[default]
    MrSortAndMrSearch,
    /// Quick sort every step, then MR search: the paper's figure 21.
    QuickSortAndMrSearch,
    /// Quick sort every step, then a binary search for every row: the paper's figure 22.
    QuickSortAndBinarySearch,
}

impl MrSteps {
    /// All three.
    pub const ALL: [Self; 3] = [Self::MrSortAndMrSearch, Self::QuickSortAndMrSearch, Self::QuickSortAndBinarySearch];
}

impl<const D: usize> Mr<D> {
    /// A detector that has seen nothing yet.
    pub fn new(options: MrOptions) -> Self {
        let steps = Steps {
            keeps_order: options.steps == MrSteps::MrSortAndMrSearch,
            finding: match options.steps {
                MrSteps::QuickSortAndBinarySearch => Finding::Binary,
                MrSteps::MrSortAndMrSearch | MrSteps::QuickSortAndMrSearch => Finding::Forward,
            },
        };
        Self(MrEngine::new(steps, options.coordinates == MrCoordinates::Stored))
    }

    /// How many times the sort of the last step compared two cells: 0 before the first.
    pub fn sort_comparisons(&self) -> u64 {
        self.0.comparisons()
    }
}

impl<const D: usize> Default for Mr<D> {
    fn default() -> Self {
        Self::new(MrOptions::default())
    }
}

impl<const D: usize> Search<D> for Mr<D> {
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
