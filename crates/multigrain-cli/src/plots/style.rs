//! What plots have in common: the font, colours, and the way to a file.

use super::PlotFormat;
use anyhow::{Context, Result, anyhow};
use multigrain_files::Target;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

/// The part of DejaVu Sans that plots need.
static FONT: &[u8] = include_bytes!("../../assets/dejavu-sans-latin.ttf");

/// Family name of the font; in an SVG, the reader's own.
pub const FAMILY: &str = "sans-serif";

/// Pixels of a PNG per unit of a picture, so that it is sharp on fine screens and in print.
const PIXELS: u32 = 2;

/// Colours that also people who see few colours tell apart.
pub const COLORS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(50, 50, 50)];

/// Something to be drawn.
pub trait Picture {
    /// Width and height, in units.
    fn size(&self) -> (u32, u32);

    /// Draws it on an area with so many pixels per unit.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()>;
}

/// Draws a picture and writes it to a file.
pub fn write(picture: &impl Picture, target: &Target, format: PlotFormat) -> Result<()> {
    register_font(FAMILY, FontStyle::Normal, FONT).map_err(|_| anyhow!("the font of plots is damaged"))?;
    let (width, height) = picture.size();
    let bytes = match format {
        PlotFormat::Svg => {
            let mut text = String::new();
            paint(picture, SVGBackend::with_string(&mut text, (width, height)), 1)?;
            text.into_bytes()
        }
        PlotFormat::Png => {
            let (width, height) = (width * PIXELS, height * PIXELS);
            let mut pixels = vec![0; (width * height * 3) as usize];
            paint(picture, BitMapBackend::with_buffer(&mut pixels, (width, height)), PIXELS)?;
            encode(&pixels, (width, height)).context("cannot make a PNG")?
        }
    };
    target.write(|out| Ok(out.write_all(&bytes)?))
}

/// An error of the drawing library, whatever it draws on.
pub fn drawn<T, E: std::error::Error + Send + Sync>(result: Result<T, DrawingAreaErrorKind<E>>) -> Result<T> {
    result.map_err(|error| anyhow!("cannot draw the plot: {error}"))
}

fn paint<B: DrawingBackend>(picture: &impl Picture, backend: B, pixels: u32) -> Result<()> {
    let area = backend.into_drawing_area();
    drawn(area.fill(&WHITE))?;
    picture.draw(&area, pixels)?;
    drawn(area.present())
}

fn encode(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
