//! Plots, one per file: SVG, or PNG with a font of its own, so that they look the same everywhere.

mod style;
mod tuning;

pub use style::write;
pub use tuning::{Curve, TuningPlot};

use crate::failure::hinted;
use anyhow::Result;
use multigrain_files::Target;
use std::path::Path;

/// A format of plots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotFormat {
    /// Lines and text.
    Svg,
    /// Pixels.
    Png,
}

impl PlotFormat {
    /// Where and how to draw, by extension; an error if that cannot be written.
    pub fn for_path(path: &Path) -> Result<(Target, Self)> {
        let target = Target::File(path.to_owned());
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let format = match extension.as_str() {
            "svg" => Self::Svg,
            "png" => Self::Png,
            _ => {
                let message = format!("cannot tell the format of {} by its extension", path.display());
                return Err(hinted(message, "plots are written as .svg or .png"));
            }
        };
        target.check()?;
        Ok((target, format))
    }
}
