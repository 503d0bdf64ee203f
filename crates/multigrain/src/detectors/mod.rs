//! The detectors, one method per file or folder, and the grid toolkit they share.

mod auto;
mod bbts;
mod brute_force;
mod classics;
mod hgrid;
mod hgrid_cells;
mod linked_cell;
mod mmr;
mod mr;
mod mr_s;
mod nbs;
mod sort_and_update;
pub(crate) mod toolkit;
mod with_skin;

pub use auto::Auto;
pub use bbts::Bbts;
pub use brute_force::BruteForce;
pub use hgrid::HierarchicalGrid;
pub use hgrid_cells::HGridCells;
pub use linked_cell::LinkedCell;
pub use mmr::{Mmr, MmrLists};
pub use mr::{Mr, MrCoordinates, MrOptions, MrSteps};
pub use mr_s::MrS;
pub use nbs::Nbs;
pub use sort_and_update::SortAndUpdate;
pub use with_skin::WithSkin;
