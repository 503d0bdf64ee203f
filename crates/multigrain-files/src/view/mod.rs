//! Pages that show particles: one self-contained `.html` for each, which needs no network and no other file.
//!
//! A [`Page`] holds frames of grains, their contacts, walls and box, and the table of a run. Its program is `viewer.html`, built from
//! the folder `viewer` of the repository; the numbers are written in planes of bytes, deflated and in base64.
//!
//! ```
//! use multigrain_files::view::{Page, PageFrame};
//! let grains = multigrain::System { centers: vec![[0.0; 3]], radii: vec![1.0], domain: Default::default() };
//! let page = Page::new("one grain", vec![PageFrame::of_particles(&grains)]);
//! assert!(page.html()?.starts_with("<!doctype html>"));
//! # Ok::<(), multigrain_files::Error>(())
//! ```

mod bounds;
mod contacts;
mod encode;
mod frame;
mod html;
mod planes;
mod thin;

pub use contacts::{MAX_WITH_CONTACTS, find_contacts};
pub use frame::{BoxEdges, PageContact, PageFrame, PageWalls};
pub use thin::Thinned;

/// What a page shows.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// 2 or 3.
    pub dimension: usize,
    /// What the number of a contact is.
    pub contact_value: String,
    /// The moments, in order.
    pub frames: Vec<PageFrame>,
    /// The table of a run.
    pub table: Option<PageTable>,
    /// How it opens; by itself by default.
    pub start: PageStart,
}

/// How a page opens.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct PageStart {
    /// The column that colors grains.
    pub column: Option<String>,
    /// The axis that the scene is cut across, in its middle: x, y or z.
    pub cut: Option<char>,
    /// Whether contacts are shown.
    pub contacts: Option<bool>,
    /// Whether it plays.
    pub plays: bool,
}

/// A table of numbers, by column.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct PageTable {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Their values.
    pub columns: Vec<Vec<f64>>,
}

impl Page {
    /// A page of these frames.
    pub fn new(title: impl Into<String>, frames: Vec<PageFrame>) -> Self {
        let dimension = frames.first().map_or(3, |frame| frame.dimension);
        Self { title: title.into(), dimension, contact_value: "overlap".to_owned(), frames, ..Self::default() }
    }

    /// Grains of all frames.
    pub fn grains(&self) -> usize {
        self.frames.iter().map(PageFrame::len).sum()
    }
}
