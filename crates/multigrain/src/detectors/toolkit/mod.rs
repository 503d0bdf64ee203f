//! What several detectors share: periodic images, uniform grids, batches of pairs.

mod batch;
mod grid;
mod images;

pub(crate) use batch::Batch;
pub(crate) use grid::Grid;
pub(crate) use images::{Images, ShiftRange};
