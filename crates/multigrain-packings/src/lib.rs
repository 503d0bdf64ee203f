//! Seeded particle systems: random and on lattices, and the named data sets of tests and benches.
//!
//! ```
//! use multigrain::{find_pairs, sizes::SizeLaw};
//! let radii = SizeLaw::power(-3.0, 50.0)?.sample(1000, 3);
//! let system = multigrain_packings::random(radii, 0.62, [true; 3], 1)?;
//! assert!(!find_pairs(system.snapshot()?).is_empty());
//! # Ok::<(), multigrain::Error>(())
//! ```

mod boxes;
mod growth;
mod lattice;
mod random;
mod sets;

pub use growth::{Grown, GrowthProgress, growth, growth_within, scattered};
pub use lattice::{lattice, lattice_at_packing_fraction};
pub use random::random;
pub use sets::DataSet;
