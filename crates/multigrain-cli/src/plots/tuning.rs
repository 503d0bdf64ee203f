//! Work over the number of levels, cell sizes and particles per cell, for each way to space the cell sizes.

use multigrain_experiments::Result;
use multigrain_experiments::drawing::{COLORS, FAMILY, Picture, drawn, short, ticks};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// All that the plot shows.
#[derive(Debug)]
pub struct TuningPlot {
    /// What was tuned for, in words.
    pub title: String,
    /// One for each way to space the cell sizes.
    pub curves: Vec<Curve>,
}

/// One way to space the cell sizes.
#[derive(Debug)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// What it does, in words.
    pub meaning: &'static str,
    /// Whether it is the one that was asked for.
    pub is_chosen: bool,
    /// Number of levels that may be used and work per particle.
    pub work: Vec<(usize, f64)>,
    /// Work per particle with the best number of levels.
    pub best_work: f64,
    /// With that number, the cell size of each level.
    pub cell_sizes: Vec<f64>,
    /// Particles per cell of each level.
    pub particles_per_cell: Vec<f64>,
}

/// Work is shown up to this many times the least: what is far worse is of no interest.
const WORST_SHOWN: f64 = 3.0;

/// Height of title and legend, in units.
const HEADER: u32 = 76;

impl Picture for TuningPlot {
    fn size(&self) -> (u32, u32) {
        (1290, 468)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()> {
        let (header, below) = area.split_vertically(HEADER * pixels);
        self.draw_header(&header, pixels)?;
        let panels = below.split_evenly((1, 3));
        let least = self.curves.iter().fold(f64::INFINITY, |least, curve| least.min(curve.best_work));
        let most = least * WORST_SHOWN;
        let work = self.lines(|curve| {
            let points = curve.work.iter().map(|&(levels, work)| (levels as f64, work));
            points.filter(|point| point.1 <= most).collect()
        });
        let most_levels = work.iter().flat_map(|line| &line.points).fold(1.0, |most: f64, point| most.max(point.0));
        let best = |curve: &Curve| vec![(curve.cell_sizes.len() as f64, curve.best_work)];
        let panel = Panel {
            caption: "work per particle (pair tests); dots: the best number",
            x: "number of levels",
            lines: work,
            dots: self.lines(best),
        };
        panel.draw(&panels[0], pixels, 0.0..most_levels + 1.0, 0.0..most)?;
        // An empty level has no place on a logarithmic axis.
        let of_level = |values: &[f64]| {
            let points = values.iter().enumerate().map(|(k, &value)| ((k + 1) as f64, value));
            points.filter(|point| point.1 > 0.0).collect()
        };
        type Values = fn(&Curve) -> &[f64];
        let details: [(&str, Values); 2] = [
            ("cell size of each level", |curve| &curve.cell_sizes),
            ("particles per cell of each level", |curve| &curve.particles_per_cell),
        ];
        for ((caption, values), area) in details.into_iter().zip(&panels[1..]) {
            let (lines, dots) =
                (self.lines(|curve| of_level(values(curve))), self.lines(|curve| of_level(values(curve))));
            let panel = Panel { caption, x: "level", lines, dots };
            let (x, y) = (panel.range(|point| point.0), panel.range(|point| point.1));
            let (x_ticks, y_ticks) = (ticks(&x), ticks(&y));
            let x = x.log_scale().with_key_points(x_ticks);
            panel.draw(area, pixels, x, y.log_scale().with_key_points(y_ticks))?;
        }
        Ok(())
    }
}

impl Curve {
    /// The chosen one is seen at once.
    fn width(&self) -> u32 {
        if self.is_chosen { 4 } else { 2 }
    }
}

impl TuningPlot {
    /// The title, and under it what each colour means.
    fn draw_header<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()> {
        let at = |x: u32, y: u32| ((x * pixels) as i32, (y * pixels) as i32);
        drawn(area.draw_text(&self.title, &(FAMILY, 17 * pixels).into_text_style(area), at(16, 10)))?;
        for (k, curve) in self.curves.iter().enumerate() {
            let x = 16 + 318 * k as u32;
            let color = COLORS[k % COLORS.len()];
            drawn(
                area.draw(&PathElement::new(
                    vec![at(x, 46), at(x + 22, 46)],
                    color.stroke_width(curve.width() * pixels),
                )),
            )?;
            let levels = curve.cell_sizes.len();
            let levels = if levels == 1 { "1 level".to_owned() } else { format!("{levels} levels") };
            let chosen = if curve.is_chosen { ", chosen" } else { "" };
            let text = format!("{}: {:.2} with {levels}{chosen}", curve.name, curve.best_work);
            let grey = (FAMILY, 11 * pixels).into_font().color(&RGBColor(90, 90, 90));
            drawn(area.draw_text(curve.meaning, &grey, at(x + 28, 57)))?;
            drawn(area.draw_text(&text, &(FAMILY, 13 * pixels).into_text_style(area), at(x + 28, 39)))?;
        }
        Ok(())
    }

    fn lines(&self, points: impl Fn(&Curve) -> Vec<(f64, f64)>) -> Vec<Line> {
        let line = |(k, curve): (usize, &Curve)| Line {
            color: COLORS[k % COLORS.len()],
            width: curve.width(),
            points: points(curve),
        };
        self.curves.iter().enumerate().map(line).collect()
    }
}

struct Line {
    color: RGBColor,
    width: u32,
    points: Vec<(f64, f64)>,
}

/// One chart.
struct Panel<'a> {
    caption: &'a str,
    /// Name of the horizontal axis.
    x: &'a str,
    lines: Vec<Line>,
    dots: Vec<Line>,
}

impl Panel<'_> {
    fn draw<B, X, Y>(&self, area: &DrawingArea<B, Shift>, pixels: u32, x: X, y: Y) -> Result<()>
    where
        B: DrawingBackend,
        X: AsRangedCoord<Value = f64>,
        Y: AsRangedCoord<Value = f64>,
        X::CoordDescType: ValueFormatter<f64>,
        Y::CoordDescType: ValueFormatter<f64>,
    {
        let font = |size: u32| (FAMILY, size * pixels).into_font();
        let mut chart = drawn(
            ChartBuilder::on(area)
                .caption(self.caption, font(14))
                .margin(8 * pixels)
                .margin_right(18 * pixels)
                .x_label_area_size(40 * pixels)
                .y_label_area_size(46 * pixels)
                .build_cartesian_2d(x, y),
        )?;
        drawn(
            chart
                .configure_mesh()
                .x_desc(self.x)
                .x_labels(8)
                .y_labels(8)
                .max_light_lines(0)
                .label_style(font(12))
                .axis_desc_style(font(12))
                .x_label_formatter(&|value| short(*value))
                .y_label_formatter(&|value| short(*value))
                .bold_line_style(RGBColor(228, 228, 228))
                .draw(),
        )?;
        for line in &self.lines {
            let style = line.color.stroke_width(line.width * pixels);
            drawn(chart.draw_series(LineSeries::new(line.points.iter().copied(), style)))?;
        }
        for dots in &self.dots {
            let dot = |&at: &(f64, f64)| Circle::new(at, (dots.width + 1) * pixels, dots.color.filled());
            drawn(chart.draw_series(dots.points.iter().map(dot)))?;
        }
        Ok(())
    }

    /// From the least to the largest value, with room around them.
    fn range(&self, value: impl Fn(&(f64, f64)) -> f64) -> Range<f64> {
        let values = self.lines.iter().flat_map(|line| &line.points).map(value);
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
        if low > high { 0.5..2.0 } else { low / 1.15..high * 1.15 }
    }
}
