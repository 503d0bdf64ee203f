//! What the flags mean: checked, complete, ready to be done.

mod compare;
mod detect;
mod pack;
mod space;

pub use compare::ComparePlan;
pub use detect::DetectPlan;
pub use pack::{PackPlan, Placement};
pub use space::{Space, periodic_axes};
