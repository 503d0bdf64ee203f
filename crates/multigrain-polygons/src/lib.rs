//! Convex polygons in the plane: shapes, moving frames, closest features, overlap. See `docs/polygons.md`.

mod bounds;
mod build;
mod clip;
mod closest;
mod common;
mod convex;
mod crossing;
mod error;
mod exhaustive;
mod facing;
mod features;
mod frame;
mod full_check;
mod lens;
pub mod limits;
mod moments;
mod outline;
mod overlap;
mod regions;
mod ring;
mod round;
#[cfg(test)]
mod tests;
mod vector;

pub use bounds::Extremes;
pub use closest::{Closest, Contact, closest_features, closest_features_by_walk};
pub use convex::{ConvexPolygon, Placed};
pub use error::PolygonError;
pub use exhaustive::{distance_from_boundary, exhaustive_distance, exhaustive_overlap};
pub use features::{Feature, Features};
pub use frame::Frame;
pub use moments::{Moments, moments};
pub use outline::{Outline, outline_overlap};
pub use overlap::{Overlap, Shrinking, overlap};
pub use round::{Ellipse, PlacedEllipse, RoundDistance, Support, round_distance};
