//! Counted work: exact on any machine.

use std::ops::AddAssign;

/// What a search did, counted. Equal for any number of threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Work {
    /// Candidate pairs tested (the papers' T_cd for `hgrid-cells`).
    pub candidates: u64,
    /// Cells or ranges of cells looked up (the papers' T_ca for `hgrid-cells`).
    pub cells: u64,
}

impl AddAssign for Work {
    /// Sums stop at the largest number: a body over more cells than 64 bits can count is still ordinary input.
    fn add_assign(&mut self, other: Self) {
        self.candidates = self.candidates.saturating_add(other.candidates);
        self.cells = self.cells.saturating_add(other.cells);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stop_at_the_largest_number() {
        let mut work = Work { candidates: 3, cells: u64::MAX };
        work += Work { candidates: 4, cells: 2 };
        assert_eq!(work, Work { candidates: 7, cells: u64::MAX });
    }
}
