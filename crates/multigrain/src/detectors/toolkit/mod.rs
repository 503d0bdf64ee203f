//! What several detectors share: periodic images, uniform grids, hashed cells, batches of pairs, listed candidates,
//! strays, tasks shared by threads, memory asked for early or written past the caches.

mod batch;
mod cell_axis;
mod dense_cells;
mod every_image;
mod grid;
mod hash_index;
mod images;
mod listed;
mod prefetch;
mod share;
mod strays;
mod stream;

pub(crate) use batch::Batch;
pub(crate) use cell_axis::{CellAxis, Span};
pub(crate) use dense_cells::{DenseCells, FULL_VECTOR};
pub(crate) use every_image::test_every_image;
pub(crate) use grid::Grid;
pub(crate) use hash_index::{HashIndex, hash_cell, hash_id};
pub(crate) use images::{Images, ShiftRange};
pub(crate) use listed::hand_on_listed;
pub(crate) use prefetch::prefetch;
pub(crate) use share::share;
pub(crate) use strays::strays_apart;
pub(crate) use stream::stream;
