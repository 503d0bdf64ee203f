//! What can be wrong with sizes. Every message names the particle or parameter and its value.

use crate::{MAX_LENGTH, MIN_LENGTH};

/// Sizes that cannot be worked with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A radius is NaN or infinite.
    #[error("radius of particle {particle} is {value}, must be finite", value = number(*value))]
    RadiusNotFinite {
        /// Index of the particle.
        particle: usize,
        /// The offending value.
        value: f64,
    },
    /// A radius is below zero.
    #[error("radius of particle {particle} is {value}, must not be negative", value = number(*value))]
    RadiusNegative {
        /// Index of the particle.
        particle: usize,
        /// The offending value.
        value: f64,
    },
    /// A radius whose square over- or underflows.
    #[error("radius of particle {particle} is {value:e}, must be 0 or between {MIN_LENGTH:e} and {MAX_LENGTH:e}")]
    RadiusOutOfRange {
        /// Index of the particle.
        particle: usize,
        /// The offending value.
        value: f64,
    },
    /// A parameter of a law that cannot be met.
    #[error("{what} is {value}, {must}", value = number(*value))]
    Parameter {
        /// Name of the parameter.
        what: &'static str,
        /// The offending value.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// Text that is no law.
    #[error(
        "`{text}` is no law of sizes: write mono, uniform(5), power(-2, 10), bidisperse(10), log-normal(0.3, 5) or table(1: 0.75, 2: 0.25)"
    )]
    NotALaw {
        /// The text given.
        text: String,
    },
}

/// A number as short as it can be read: with an exponent where it would have many zeros.
pub fn number(value: f64) -> String {
    let is_short = value == 0.0 || !value.is_finite() || (1e-5..1e16).contains(&value.abs());
    if is_short { value.to_string() } else { format!("{value:e}") }
}
