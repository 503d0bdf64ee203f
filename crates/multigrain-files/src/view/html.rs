//! The page as text.

use super::bounds::{Grid, shown};
use super::encode::{ArrayMeta, Encoder};
use super::frame::BoxEdges;
use super::{Page, PageStart, PageTable};
use crate::error::{Context, Result};
use crate::formats::base64;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;

/// The page without data: its program and style, built from the folder `viewer`.
const TEMPLATE: &str = include_str!("viewer.html");

/// Bytes of a page without data.
pub const PROGRAM: usize = TEMPLATE.len();

/// The version of the form that data are written in; the page's program knows one.
const VERSION: u32 = 1;

/// Effort of deflating.
const EFFORT: u32 = 6;

/// Frames that are held before they are deflated, all at once.
const AT_ONCE: usize = 16;

#[derive(Serialize)]
struct PageMeta<'a> {
    version: u32,
    program: &'static str,
    title: &'a str,
    dimension: usize,
    shape: &'static str,
    notes: &'a [String],
    contact_value: &'a str,
    lo: [f64; 3],
    hi: [f64; 3],
    table: Option<&'a PageTable>,
    start: &'a PageStart,
    frames: Vec<FrameMeta<'a>>,
}

#[derive(Serialize)]
struct FrameMeta<'a> {
    label: &'a str,
    time: Option<f64>,
    step: Option<u64>,
    particles: usize,
    contacts: usize,
    #[serde(rename = "box")]
    bounds: Option<&'a BoxEdges>,
    arrays: Vec<ArrayMeta>,
}

impl Page {
    /// The page as text.
    pub fn html(&self) -> Result<String> {
        let mut encoder = Encoder::new(Grid::of(self));
        let (mut frames, mut data) = (Vec::new(), String::new());
        for batch in self.frames.chunks(AT_ONCE) {
            let mut chunks = Vec::new();
            for frame in batch {
                let (arrays, bytes) = encoder.frame(frame);
                chunks.push(bytes);
                frames.push(FrameMeta {
                    label: &frame.label,
                    time: frame.time,
                    step: frame.step,
                    particles: frame.len(),
                    contacts: frame.contacts.as_ref().map_or(0, Vec::len),
                    bounds: frame.bounds.as_ref(),
                    arrays,
                });
            }
            let texts: Vec<Result<String>> =
                chunks.into_par_iter().map(|bytes| Ok(base64::encode(&deflated(&bytes)?))).collect();
            let first = frames.len() - batch.len();
            for (k, text) in texts.into_iter().enumerate() {
                let number = first + k;
                data.push_str(&format!("<script type=\"text/plain\" id=\"frame-{number}\">{}</script>\n", text?));
            }
        }
        let [lo, hi] = shown(self);
        let meta = PageMeta {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION"),
            title: &self.title,
            dimension: self.dimension,
            shape: if self.frames.iter().any(|frame| frame.corners.is_some()) { "polygon" } else { "round" },
            notes: &self.notes,
            contact_value: &self.contact_value,
            lo,
            hi,
            table: self.table.as_ref(),
            start: &self.start,
            frames,
        };
        // A `<` inside could end the element.
        let meta = serde_json::to_string(&meta).context("the page cannot be described")?.replace('<', "\\u003c");
        let data = format!("<script type=\"application/json\" id=\"meta\">{meta}</script>\n{data}");
        let (before, rest) = TEMPLATE.split_once("{{TITLE}}").context("the page has no place for a title")?;
        let (middle, after) = rest.split_once("{{DATA}}").context("the page has no place for data")?;
        Ok([before, &escaped(&self.title), middle, &data, after].concat())
    }
}

fn deflated(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(EFFORT));
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Text that is safe between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
#[path = "html_tests.rs"]
mod tests;
