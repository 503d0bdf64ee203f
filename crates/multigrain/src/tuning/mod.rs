//! From the sizes of the bodies to the cell sizes of a hierarchical grid.

mod appendix_a;

pub use appendix_a::{EqualFilling, RadiiSample};
