//! How sizes of grains are distributed: laws, samples of them, and exact moments over any interval.
//!
//! ```
//! use multigrain_sizes::{Distribution, SizeLaw};
//! let law = SizeLaw::uniform(5.0)?;
//! assert_eq!(law.sample(4, 3), [1.5, 2.5, 3.5, 4.5]);
//! let share = Distribution::of_law(&law, 3)?.between(2.0, 3.0)[0];
//! assert!((share - 0.25).abs() < 1e-15);
//! # Ok::<(), multigrain_sizes::Error>(())
//! ```

mod atoms;
mod distribution;
mod erf;
mod error;
mod law;
mod law_text;
mod log_normal;
mod normal;
mod power_law;
mod rng;

#[doc(hidden)]
pub use atoms::Atoms;
pub use distribution::{Distribution, Moments};
#[doc(hidden)]
pub use distribution::{Side, Split};
pub use error::Error;
#[doc(hidden)]
pub use error::number;
pub use law::{SizeLaw, ball_volume};
pub use rng::Rng;

/// Largest radius: squares of differences of numbers of this size stay finite.
pub const MAX_LENGTH: f64 = 1e150;

/// Smallest radius other than 0: its square stays above zero.
pub const MIN_LENGTH: f64 = 1e-150;

/// The example of the README, run as a doc-test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
