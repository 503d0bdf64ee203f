//! The detectors, one method per file or folder.

mod auto;
mod brute_force;
mod compiled;
mod hgrid;
mod with_changes;
mod with_skin;

pub use auto::Auto;
pub use brute_force::BruteForce;
#[doc(hidden)]
pub use compiled::Compiled;
pub use hgrid::HierarchicalGrid;
pub use with_changes::{PairChanges, WithChanges};
pub use with_skin::WithSkin;
