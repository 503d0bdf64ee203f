//! What a method may be given, and how detectors are made from it.

use crate::detector::{Direction, Search};
use crate::error::Error;
use crate::snapshot::Snapshot;

/// Parameters that a method may take. The default leaves everything to the method.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Settings {
    /// Which of two bodies on different levels searches for the other.
    pub direction: Option<Direction>,
    /// Levels of a hierarchical grid.
    pub levels: LevelChoice,
    /// Factor between groups of sizes.
    pub factor: Option<f64>,
}

impl Settings {
    /// The same with these levels.
    pub fn with_levels(self, levels: LevelChoice) -> Self {
        Self { levels, ..self }
    }

    /// The same with this direction.
    pub fn with_direction(self, direction: impl Into<Option<Direction>>) -> Self {
        Self { direction: direction.into(), ..self }
    }

    /// The same with this factor between groups of sizes.
    pub fn with_factor(self, factor: impl Into<Option<f64>>) -> Self {
        Self { factor: factor.into(), ..self }
    }
}

/// How the levels of a hierarchical grid are chosen.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LevelChoice {
    /// Number and sizes from the bodies.
    #[default]
    Tuned,
    /// The given number of levels, sizes from the bodies.
    Count(usize),
    /// Cell sizes as given, ascending.
    CellSizes(Vec<f64>),
}

/// What makes a detector one of the methods that are built by name.
pub trait Build<const D: usize>: Search<D> + Sized {
    /// A detector for snapshots like `now`; it works for any other snapshot too.
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error>;
}
