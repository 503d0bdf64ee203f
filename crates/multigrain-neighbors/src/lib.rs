//! Neighbours: lists of them in rows, from the pairs of any detector; and questions about places, answered by a tree.

mod columns;
mod digits;
mod entry;
mod found;
mod lists;
mod nearest;
mod queries;
mod rows;

pub use columns::{NeighborColumns, NeighborIndex, NeighborReal};
pub use lists::{NeighborOrder, NeighborTable, PairView};
pub use nearest::{DistanceTo, Nearest, NearestOptions};
pub use queries::{Answers, Hit, Queries};

/// The example of the README, run as a doc-test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
