//! Plots, one per file.

mod tuning;

pub use multigrain_experiments::drawing::{PlotFormat, write};
pub use tuning::{Curve, TuningPlot};
