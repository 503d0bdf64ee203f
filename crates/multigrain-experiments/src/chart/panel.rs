//! One panel of a figure.

use super::axis::Axis;

/// Curves over two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What it shows, above it.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, in order.
    pub series: Vec<Series>,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend; none where empty. Series of one name look alike.
    pub name: String,
    /// The number of its colour.
    pub color: usize,
    /// How it is drawn.
    pub look: Look,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A line with a dot at every point: what was measured.
    Curve,
    /// A line without dots: what was computed.
    Line,
    /// A dashed line: a reference.
    Dashed,
    /// Dots alone.
    Dots,
    /// Circles alone, as papers draw a second kind of dots.
    Circles,
    /// A cross: a value that the paper's text gives.
    Paper,
}

impl Panel {
    /// A panel without series yet.
    pub fn new(caption: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { caption: caption.into(), x, y, series: Vec::new() }
    }

    /// One more series.
    pub fn series(mut self, name: impl Into<String>, color: usize, look: Look, points: Vec<(f64, f64)>) -> Self {
        self.series.push(Series { name: name.into(), color, look, points });
        self
    }

    /// An entry of the legend for a look that series of several colours share.
    pub fn explain(self, name: impl Into<String>, look: Look) -> Self {
        const GREY: usize = 3;
        self.series(name, GREY, look, Vec::new())
    }

    /// Values that the paper's text gives.
    pub fn paper(self, points: Vec<(f64, f64)>) -> Self {
        self.series("value in the paper", 0, Look::Paper, points)
    }
}
