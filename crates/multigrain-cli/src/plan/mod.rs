//! What the flags mean: checked, complete, ready to be done.

mod compare;
mod detect;
mod law;
mod pack;
mod space;
mod tune;
mod view;

pub use compare::ComparePlan;
pub use detect::DetectPlan;
pub use law::law;
pub use pack::{Amount, PackPlan, Placement, too_much_for_growth};
pub use space::{Space, corners, periodic_axes};
pub use tune::{LawSizes, Sizes, TunePlan, Way};
pub use view::{ViewPlan, ViewSource};
