//! Drawing of figures: a header with title and legend, panels in rows below it.

use super::legend::{Legend, MAX_ENTRIES};
use super::{Axis, Figure, Look, Panel, Series};
use crate::drawing::{COLORS, FAMILY, Picture, drawn};
use crate::error::Result;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Size of a panel.
const PANEL: (u32, u32) = (480, 370);

/// Most panels beside each other.
const ABREAST: usize = 3;

/// Least width of a figure: its title needs it.
const MIN_WIDTH: u32 = 760;

/// Where the legend begins.
const LEGEND_TOP: u32 = 56;

/// Height of the caption of a panel with a legend of its own.
const CAPTION: u32 = 26;

/// Colour of what the paper says.
const PAPER: RGBColor = RGBColor(200, 0, 40);

impl Picture for Figure {
    fn size(&self) -> (u32, u32) {
        (self.width(), self.header() + self.raster().1 as u32 * self.panel_height())
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()> {
        let (header, below) = area.split_vertically(self.header() * pixels);
        self.draw_header(&header, pixels)?;
        let (columns, rows) = self.raster();
        for (panel, place) in self.panels.iter().zip(below.split_evenly((rows, columns))) {
            if self.has_legends_in_panels() {
                let (above, place) = place.split_vertically((self.panel_height() - PANEL.1 + CAPTION) * pixels);
                panel.draw_head(&above, pixels)?;
                panel.draw("", &place, pixels)?;
            } else {
                panel.draw(&panel.caption, &place, pixels)?;
            }
        }
        Ok(())
    }
}

impl Figure {
    /// Columns and rows of panels.
    fn raster(&self) -> (usize, usize) {
        let count = self.panels.len().max(1);
        // Four look better in two rows of two.
        let columns = if count == 4 { 2 } else { count.min(ABREAST) };
        (columns, count.div_ceil(columns))
    }

    fn width(&self) -> u32 {
        (self.raster().0 as u32 * PANEL.0).max(MIN_WIDTH)
    }

    fn header(&self) -> u32 {
        let legend = if self.has_legends_in_panels() { 0 } else { self.legend().height() };
        LEGEND_TOP + legend + 6
    }

    /// Panels are as high as the longest of their legends wants.
    fn panel_height(&self) -> u32 {
        let legend = |panel: &Panel| panel.legend().height();
        let highest = if self.has_legends_in_panels() { self.panels.iter().map(legend).max() } else { None };
        PANEL.1 + highest.unwrap_or(0)
    }

    fn legend(&self) -> Legend<'_> {
        Legend::new(self.panels.iter().flat_map(|panel| &panel.series), self.width())
    }

    /// Whether one legend for all panels would be too long.
    fn has_legends_in_panels(&self) -> bool {
        self.legend().len() > MAX_ENTRIES
    }

    /// Entries of the longest legend.
    pub fn longest_legend(&self) -> usize {
        match self.has_legends_in_panels() {
            true => self.panels.iter().map(|panel| panel.legend().len()).max().unwrap_or(0),
            false => self.legend().len(),
        }
    }

    fn draw_header<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()> {
        let scale = pixels as i32;
        let at = |x: u32, y: u32| (x as i32 * scale, y as i32 * scale);
        drawn(area.draw_text(&self.title, &(FAMILY, 17 * pixels).into_text_style(area), at(16, 8)))?;
        let grey = (FAMILY, 12 * pixels).into_font().color(&RGBColor(90, 90, 90));
        drawn(area.draw_text(&self.setting, &grey, at(16, 32)))?;
        if self.has_legends_in_panels() { Ok(()) } else { self.legend().draw(area, LEGEND_TOP, pixels) }
    }
}

impl Panel {
    fn legend(&self) -> Legend<'_> {
        Legend::new(self.series.iter(), PANEL.0)
    }

    /// The caption, and below it the legend of this panel alone.
    fn draw_head<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()> {
        let style = (FAMILY, 14 * pixels).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Top));
        let middle = (area.dim_in_pixel().0 / 2) as i32;
        drawn(area.draw_text(&self.caption, &style, (middle, 4 * pixels as i32)))?;
        self.legend().draw(area, CAPTION, pixels)
    }

    fn draw<B: DrawingBackend>(&self, caption: &str, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()> {
        let font = |size: u32| (FAMILY, size * pixels).into_font();
        let all = || self.series.iter().flat_map(|series| series.points.iter().copied()).filter(|&at| self.shows(at));
        let x_span = self.x.span(all().map(|point| point.0));
        let y_span = self.y.span(all().map(|point| point.1));
        let (x_ticks, y_ticks) = (self.x.ticks(&x_span), self.y.ticks(&y_span));
        let (x_texts, y_texts) = (self.x.texts(&x_ticks), self.y.texts(&y_ticks));
        let mut builder = ChartBuilder::on(area);
        builder.margin(8 * pixels).margin_right(22 * pixels);
        builder.x_label_area_size(44 * pixels).y_label_area_size(62 * pixels);
        if !caption.is_empty() {
            builder.caption(caption, font(14));
        }
        let places = (Places { span: x_span, ticks: x_ticks }, Places { span: y_span, ticks: y_ticks });
        let mut chart = drawn(builder.build_cartesian_2d(places.0, places.1))?;
        drawn(
            chart
                .configure_mesh()
                .x_desc(&self.x.label)
                .y_desc(&self.y.label)
                .x_labels(12)
                .y_labels(12)
                .max_light_lines(0)
                .label_style(font(12))
                .axis_desc_style(font(12))
                .x_label_formatter(&x_texts)
                .y_label_formatter(&y_texts)
                .bold_line_style(RGBColor(228, 228, 228))
                .draw(),
        )?;
        for series in &self.series {
            self.draw_series(&mut chart, series, pixels)?;
        }
        Ok(())
    }

    fn shows(&self, (x, y): (f64, f64)) -> bool {
        place(&self.x, &self.y, (x, y)).is_some()
    }

    fn draw_series<B: DrawingBackend>(&self, chart: &mut Chart<'_, B>, series: &Series, pixels: u32) -> Result<()> {
        let points: Vec<(f64, f64)> =
            series.points.iter().filter_map(|&point| place(&self.x, &self.y, point)).collect();
        match series.look {
            Look::Dots | Look::Circles | Look::Paper => (),
            Look::Curve | Look::Line => {
                let line = LineSeries::new(points.iter().copied(), stroke(series, pixels));
                drawn(chart.draw_series(line))?;
            }
            Look::Dashed => {
                let (on, off) = (7 * pixels as i32, 5 * pixels as i32);
                let line = DashedLineSeries::new(points.iter().copied(), on, off, stroke(series, pixels));
                drawn(chart.draw_series(line))?;
            }
        }
        match series.look {
            Look::Curve | Look::Dots => {
                drawn(chart.draw_series(points.iter().map(|&at| dot(at, series, pixels))))?;
            }
            Look::Circles => {
                drawn(chart.draw_series(points.iter().map(|&at| circle(at, series, pixels))))?;
            }
            Look::Paper => {
                drawn(chart.draw_series(points.iter().map(|&at| cross(at, pixels))))?;
            }
            Look::Line | Look::Dashed => (),
        }
        Ok(())
    }
}

/// What an axis spans, with ticks where we want them.
#[derive(Clone)]
struct Places {
    span: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Places {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.span.start) / (self.span.end - self.span.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, _hint: H) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.span.clone()
    }
}

type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Places, Places>>;

fn place(x: &Axis, y: &Axis, (a, b): (f64, f64)) -> Option<(f64, f64)> {
    Some((x.place(a)?, y.place(b)?))
}

fn color(series: &Series) -> RGBColor {
    COLORS[series.color % COLORS.len()]
}

pub(super) fn stroke(series: &Series, pixels: u32) -> ShapeStyle {
    color(series).stroke_width(2 * pixels)
}

pub(super) fn dot<C>(at: C, series: &Series, pixels: u32) -> Circle<C, u32> {
    Circle::new(at, 3 * pixels, color(series).filled())
}

pub(super) fn circle<C>(at: C, series: &Series, pixels: u32) -> Circle<C, u32> {
    Circle::new(at, 4 * pixels, color(series).stroke_width(2 * pixels))
}

pub(super) fn cross<C>(at: C, pixels: u32) -> Cross<C, u32> {
    Cross::new(at, 6 * pixels, PAPER.stroke_width(2 * pixels))
}

/// A sample of a dashed line for the legend.
pub(super) fn dashes<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    left: (i32, i32),
    right: (i32, i32),
    series: &Series,
    pixels: u32,
) -> Result<()> {
    let (dash, step) = (7 * pixels as i32, 12 * pixels as i32);
    for from in (left.0..right.0).step_by(step as usize) {
        let to = (from + dash).min(right.0);
        drawn(area.draw(&PathElement::new(vec![(from, left.1), (to, left.1)], stroke(series, pixels))))?;
    }
    Ok(())
}
