//! The detectors, one method per file or folder.

mod auto;
mod between;
mod brute_force;
mod compiled;
mod hgrid;
mod with_changes;
mod with_skin;

pub use auto::{Auto, find_pairs};
pub use between::{Between, PairsBetween, find_pairs_between};
pub use brute_force::BruteForce;
pub use hgrid::HierarchicalGrid;
pub use with_changes::{PairChanges, WithChanges};
pub use with_skin::WithSkin;
