//! What can be wrong with a shape. Every message names the corner or parameter and its value.

use super::limits::{MAX_SIZE, MIN_SIZE};

/// A shape or place that cannot be worked with. Only constructors return errors.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PolygonError {
    /// Fewer than three corners, or more than indices can name.
    #[error("{count} corners given: a polygon has at least 3 and here at most 1,000,000")]
    CornerCount {
        /// Number of corners given.
        count: usize,
    },
    /// A corner with a coordinate that is NaN or infinite.
    #[error("corner {corner} is ({x}, {y}): both coordinates must be finite")]
    CornerNotFinite {
        /// Index of the corner.
        corner: usize,
        /// Its x.
        x: f64,
        /// Its y.
        y: f64,
    },
    /// A corner so far out that squares of lengths overflow.
    #[error("corner {corner} is ({x:e}, {y:e}): coordinates must lie within ±{MAX_SIZE:e}")]
    CornerTooFar {
        /// Index of the corner.
        corner: usize,
        /// Its x.
        x: f64,
        /// Its y.
        y: f64,
    },
    /// Two corners that follow one another at the same place.
    #[error("corner {corner} at ({x}, {y}) repeats the corner before it: leave one of them out")]
    CornerRepeated {
        /// Index of the later corner.
        corner: usize,
        /// Its x.
        x: f64,
        /// Its y.
        y: f64,
    },
    /// A corner where the boundary turns the wrong way, or straight back.
    #[error("corner {corner} at ({x}, {y}) turns inwards: corners must go round a convex polygon, in either sense")]
    NotConvex {
        /// Index of the corner.
        corner: usize,
        /// Its x.
        x: f64,
        /// Its y.
        y: f64,
    },
    /// Corners that go round more than once, as in a star.
    #[error("the corners go round {turns} times: they must go round a convex polygon once")]
    Winding {
        /// How often they go round.
        turns: usize,
    },
    /// Corners on one line.
    #[error("the corners lie on one line: a polygon needs an area")]
    NoArea,
    /// A polygon too small or too large for its moments to be computed.
    #[error("the corners lie {size:e} around their centroid: must be between {MIN_SIZE:e} and {MAX_SIZE:e}")]
    Size {
        /// Distance of the furthest corner from the centroid.
        size: f64,
    },
    /// A radius or half axis out of range.
    #[error("{what} is {value}, must be between {MIN_SIZE:e} and {MAX_SIZE:e}")]
    Length {
        /// Name of the parameter.
        what: &'static str,
        /// The offending value.
        value: f64,
    },
    /// A position or angle that is not finite or too large.
    #[error("{what} is {value}, must be finite and within ±{most:e}")]
    Place {
        /// Name of the parameter.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// Its bound.
        most: f64,
    },
}
