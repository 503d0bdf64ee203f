//! What detectors, the living grid and tuning share: periodic images, uniform grids, hashed cells, batches of pairs, listed
//! candidates, a tree of bodies, bodies brought into a periodic cell, tasks shared by threads, memory asked for early or written
//! past the caches.
//!
//! For detectors of other crates of this workspace; not part of the stable interface.

mod batch;
mod body_tree;
mod cell_axis;
mod dense_cells;
mod every_image;
mod hash_index;
mod images;
mod lattice;
mod listed;
mod prefetch;
mod share;
mod stream;
mod uniform;

pub use crate::domain::along::{less_along, periods_along, translation_along};
pub use batch::Batch;
pub use body_tree::BodyTree;
pub use cell_axis::{CellAxis, Span};
pub use dense_cells::{DenseCells, FULL_VECTOR};
pub use every_image::{test_every_image, test_every_image_but};
pub use hash_index::{HashIndex, hash_cell, hash_id};
pub use images::{Images, ShiftRange};
pub use lattice::Lattice;
pub use listed::emit_confirmed;
pub use prefetch::prefetch;
pub use share::share;
pub use stream::stream;
pub use uniform::Grid;
