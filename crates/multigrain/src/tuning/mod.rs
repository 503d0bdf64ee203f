//! Tuning: from the sizes of the bodies to the levels of the hierarchical grid that need the least work.
//!
//! A [`Distribution`] says how sizes are distributed, a [`BodySample`] what a snapshot holds, and a [`RowModel`] what given
//! levels cost the fast grid.

mod coefficients;
mod few_bodies;
mod row_levels;
mod row_model;
mod row_settings;
mod sampled;

pub use coefficients::{Coefficients, Measured};
#[doc(hidden)]
pub use multigrain_sizes::{Atoms, Side, Split};
pub use multigrain_sizes::{Distribution, Moments};
pub use row_levels::RowTuning;
pub(crate) use row_levels::choose;
pub use row_model::{RowModel, RowPrediction, RowWork};
pub use row_settings::RowSetting;
pub use sampled::BodySample;
