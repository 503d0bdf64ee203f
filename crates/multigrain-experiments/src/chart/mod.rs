//! Figures: panels with axes, curves and marks, and how they are drawn.

mod axis;
mod draw;
mod legend;
mod panel;

pub use axis::Axis;
pub use panel::{Look, Panel, Series};

/// A figure in the shape of a paper's.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// Under which conditions.
    pub setting: String,
    /// Its panels, in reading order.
    pub panels: Vec<Panel>,
}

impl Figure {
    /// A figure without panels yet.
    pub fn new(title: impl Into<String>, setting: impl Into<String>) -> Self {
        Self { title: title.into(), setting: setting.into(), panels: Vec::new() }
    }

    /// One more panel.
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }
}
