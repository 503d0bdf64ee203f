//! Tuning: from the sizes of the bodies to the levels of the hierarchical grid that need the least work.
//!
//! A [`Distribution`] says how sizes are distributed, a [`BodySample`] what a snapshot holds, and a [`RowModel`] what given
//! levels cost the fast grid.

mod atoms;
mod coefficients;
mod distribution;
mod erf;
mod few_bodies;
mod log_normal;
mod power_law;
mod row_levels;
mod row_model;
mod row_settings;
mod sampled;

#[doc(hidden)]
pub use atoms::Atoms;
pub use coefficients::{Coefficients, Measured};
pub use distribution::{Distribution, Moments};
#[doc(hidden)]
pub use distribution::{Side, Split};
pub use row_levels::RowTuning;
pub(crate) use row_levels::choose;
pub use row_model::{RowModel, RowPrediction, RowWork};
pub use row_settings::RowSetting;
pub use sampled::BodySample;
