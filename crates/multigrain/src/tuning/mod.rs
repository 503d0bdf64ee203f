//! Tuning: from the sizes of the bodies to the levels of the hierarchical grid that need the least work.
//!
//! A [`Distribution`] says how sizes are distributed, a [`CostModel`] what given levels cost (the papers' model), and a
//! [`Spacing`] which levels to take.
//!
//! ```
//! use multigrain::{sizes::SizeLaw, tuning::{CostModel, Distribution, Spacing}};
//! let sizes = Distribution::of_law(&SizeLaw::power(-3.0, 100.0)?, 3)?;
//! let model = CostModel::packed(&sizes, 3, 0.7)?;
//! let tuning = Spacing::Optimal.tune(&model, None)?;
//! assert_eq!(tuning.cell_sizes.len(), 8);
//! assert!(tuning.work < 11.58 && tuning.linked_cell_work > 10_000.0);
//! # Ok::<(), multigrain::Error>(())
//! ```

mod appendix_a;
mod atoms;
mod boundary;
mod candidates;
mod coefficients;
mod constant_ratio;
mod distribution;
mod erf;
mod few_bodies;
mod log_normal;
mod model;
mod optimal;
mod polish;
mod power_law;
mod row_levels;
mod row_model;
mod row_settings;
mod sampled;
mod spacing;

pub use appendix_a::{EqualFilling, RadiiSample};
pub use coefficients::{Coefficients, Measured};
pub use distribution::{Distribution, Moments};
pub use model::{CostModel, K_OF_HGRID_CELLS, K_OF_SPHERES, Prediction};
pub use row_levels::RowTuning;
pub(crate) use row_levels::choose;
pub use row_model::{RowModel, RowPrediction, RowWork};
pub use row_settings::RowSetting;
pub use sampled::BodySample;
pub use spacing::{Spacing, Tuning};
