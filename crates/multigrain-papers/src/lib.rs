//! The methods of the papers behind multigrain, and their model of what levels cost.
//!
//! For everyday use take [`multigrain::find_pairs`]: it is faster than all of these. They are here to be compared with, to
//! redraw the papers' figures, and for those who want exactly these algorithms. All of them find the same pairs.
//!
//! ```
//! use multigrain::{Detector, Pairs, Snapshot};
//! use multigrain_papers::MrS;
//! let (centers, radii) = ([[0.0, 0.0], [1.5, 0.0]], [1.0, 0.8]);
//! let mut pairs = Pairs::new();
//! MrS::default().find_pairs(Snapshot::new(&centers, &radii)?, &mut pairs);
//! assert_eq!(pairs.as_slice(), [[0, 1]]);
//! # Ok::<(), multigrain::Error>(())
//! ```

mod bbts;
mod boxes;
mod classics;
mod hgrid_cells;
mod linked_cell;
mod mmr;
mod mr;
mod mr_s;
mod nbs;
mod sort_and_update;
pub mod tuning;

pub use bbts::Bbts;
pub use boxes::Boxes;
pub use hgrid_cells::{HGridCells, LookUps};
pub use linked_cell::LinkedCell;
pub use mmr::{Mmr, MmrLists};
pub use mr::{Mr, MrCoordinates, MrOptions, MrSteps};
pub use mr_s::MrS;
pub use nbs::{Nbs, NbsLists};
pub use sort_and_update::SortAndUpdate;
