//! From the sizes of the bodies to the levels and cell sizes of a hierarchical grid.

mod appendix_a;
pub(crate) mod occupancy;

pub use appendix_a::{EqualFilling, RadiiSample};
