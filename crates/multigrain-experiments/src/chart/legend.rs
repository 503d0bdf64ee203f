//! Legends: what lines and marks mean.

use super::draw::{circle, cross, dashes, dot, stroke};
use super::{Look, Series};
use crate::drawing::{FAMILY, drawn};
use crate::error::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Most entries that a reader keeps in mind. A figure with more of them has a legend in each panel.
pub const MAX_ENTRIES: usize = 8;

/// Height of its lines, and the left edge of the first entry.
const LINE: u32 = 20;
const LEFT: u32 = 16;

/// Length of the sample of a curve.
const SAMPLE: u32 = 26;

/// About the width of a letter.
const LETTER: f64 = 7.2;

/// The named series of a figure or a panel, each name once, in lines of some width.
pub struct Legend<'a> {
    entries: Vec<&'a Series>,
    width: u32,
}

impl<'a> Legend<'a> {
    pub fn new(all: impl Iterator<Item = &'a Series>, width: u32) -> Self {
        let mut entries: Vec<&Series> = Vec::new();
        for series in all.filter(|series| !series.name.is_empty()) {
            if !entries.iter().any(|known| known.name == series.name) {
                entries.push(series);
            }
        }
        Self { entries, width }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Height of all lines.
    pub fn height(&self) -> u32 {
        self.places().last().map_or(0, |&(_, line)| line + 1) * LINE
    }

    /// Left edge and line of every entry.
    fn places(&self) -> Vec<(u32, u32)> {
        let (mut x, mut line) = (LEFT, 0);
        let mut places = Vec::new();
        for series in &self.entries {
            let width = SAMPLE + 28 + (LETTER * series.name.chars().count() as f64) as u32;
            if x + width > self.width && x > LEFT {
                (x, line) = (LEFT, line + 1);
            }
            places.push((x, line));
            x += width;
        }
        places
    }

    /// Draws it, its upper edge so far below that of the area.
    pub fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, top: u32, pixels: u32) -> Result<()> {
        let scale = pixels as i32;
        let at = |x: u32, y: u32| (x as i32 * scale, y as i32 * scale);
        for (series, (x, line)) in self.entries.iter().zip(self.places()) {
            let y = top + line * LINE + 8;
            let (left, right) = (at(x, y), at(x + SAMPLE, y));
            let middle = ((left.0 + right.0) / 2, left.1);
            match series.look {
                Look::Dots | Look::Circles | Look::Paper => (),
                Look::Dashed => dashes(area, left, right, series, pixels)?,
                Look::Curve | Look::Line => {
                    drawn(area.draw(&PathElement::new(vec![left, right], stroke(series, pixels))))?;
                }
            }
            match series.look {
                Look::Curve | Look::Dots => drawn(area.draw(&dot(middle, series, pixels)))?,
                Look::Circles => drawn(area.draw(&circle(middle, series, pixels)))?,
                Look::Paper => drawn(area.draw(&cross(middle, pixels)))?,
                Look::Line | Look::Dashed => (),
            }
            let style = (FAMILY, 13 * pixels).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
            drawn(area.draw_text(&series.name, &style, at(x + SAMPLE + 6, y)))?;
        }
        Ok(())
    }
}
