//! The detectors, one method per file or folder, and the grid toolkit they share.

mod auto;
mod brute_force;
mod hgrid;
mod hgrid_cells;
mod linked_cell;
mod sort_and_update;
pub(crate) mod toolkit;
mod with_skin;

pub use auto::Auto;
pub use brute_force::BruteForce;
pub use hgrid::HierarchicalGrid;
pub use hgrid_cells::HGridCells;
pub use linked_cell::LinkedCell;
pub use sort_and_update::SortAndUpdate;
pub use with_skin::WithSkin;
