//! The papers' cost model: from the sizes of the bodies to the levels of a hierarchical grid that need the least work.
//!
//! A [`multigrain::tuning::Distribution`] says how sizes are distributed, a [`CostModel`] what given levels cost, and a [`Spacing`] which
//! levels to take.
//!
//! ```
//! use multigrain::sizes::SizeLaw;
//! use multigrain::tuning::Distribution;
//! use multigrain_papers::tuning::{CostModel, Spacing};
//! let sizes = Distribution::of_law(&SizeLaw::power(-3.0, 100.0)?, 3)?;
//! let model = CostModel::packed(&sizes, 3, 0.7)?;
//! let tuning = Spacing::Optimal.tune(&model, None)?;
//! assert_eq!(tuning.cell_sizes.len(), 8);
//! assert!(tuning.work < 11.58 && tuning.linked_cell_work > 10_000.0);
//! # Ok::<(), multigrain::Error>(())
//! ```

mod appendix_a;
mod boundary;
mod candidates;
mod constant_ratio;
mod model;
mod optimal;
mod polish;
mod spacing;

pub(crate) use appendix_a::partition_point;
pub use appendix_a::{EqualFilling, RadiiSample};
pub use model::{CostModel, K_OF_HGRID_CELLS, K_OF_SPHERES, Prediction};
pub use spacing::{Spacing, Tuning};
