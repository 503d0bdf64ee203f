//! Counted work: exact on any machine.

use std::ops::AddAssign;

/// What a search did, counted. Equal for any number of threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Candidate pairs tested (the papers' T_cd for `hgrid-cells`).
    pub candidates: u64,
    /// Cells or ranges of cells looked up (the papers' T_ca for `hgrid-cells`).
    pub cells: u64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.candidates += other.candidates;
        // One huge body may cover more cells than 64 bits can count.
        self.cells = self.cells.saturating_add(other.cells);
    }
}
