//! What plots have in common: the font, colours, the way to a file as SVG or PNG. They look the same everywhere.

use crate::error::{Error, Result, fault};
use multigrain_files::Target;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use std::ops::Range;
use std::path::Path;

/// The part of DejaVu Sans that plots need.
static FONT: &[u8] = include_bytes!("../assets/dejavu-sans-latin.ttf");

/// Family name of the font; in an SVG, the reader's own.
pub const FAMILY: &str = "sans-serif";

/// Pixels of a PNG per unit of a picture, so that it is sharp on fine screens and in print.
const PIXELS: u32 = 2;

/// Colours that also people who see few colours tell apart.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(50, 50, 50),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Something to be drawn.
pub trait Picture {
    /// Width and height, in units.
    fn size(&self) -> (u32, u32);

    /// Draws it on an area with this many pixels per unit.
    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, pixels: u32) -> Result<()>;
}

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
                return Err(Error::hinted(message, "plots are written as .svg or .png"));
            }
        };
        target.check()?;
        Ok((target, format))
    }
}

/// Draws a picture and writes it to a file.
pub fn write(picture: &impl Picture, target: &Target, format: PlotFormat) -> Result<()> {
    let bytes = render(picture, format)?;
    Ok(target.write(|out| Ok(out.write_all(&bytes)?))?)
}

/// The bytes of a picture.
pub fn render(picture: &impl Picture, format: PlotFormat) -> Result<Vec<u8>> {
    load_font()?;
    let (width, height) = picture.size();
    match format {
        PlotFormat::Svg => {
            let mut text = String::new();
            paint(picture, SVGBackend::with_string(&mut text, (width, height)), 1)?;
            Ok(text.into_bytes())
        }
        PlotFormat::Png => {
            let (width, height) = (width * PIXELS, height * PIXELS);
            let mut pixels = vec![0; (width * height * 3) as usize];
            paint(picture, BitMapBackend::with_buffer(&mut pixels, (width, height)), PIXELS)?;
            encode(&pixels, (width, height)).map_err(|error| fault!("cannot make a PNG: {error}"))
        }
    }
}

/// Draws over pixels that are there already, three bytes each, row by row.
pub fn draw_over(
    pixels: &mut [u8],
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<BitMapBackend<'_>, Shift>) -> Result<()>,
) -> Result<()> {
    load_font()?;
    let area = BitMapBackend::with_buffer(pixels, size).into_drawing_area();
    draw(&area)?;
    drawn(area.present())
}

fn load_font() -> Result<()> {
    register_font(FAMILY, FontStyle::Normal, FONT).map_err(|_| fault!("the font of plots is damaged"))
}

/// An error of the drawing library, whatever it draws on.
pub fn drawn<T, E: std::error::Error + Send + Sync>(result: Result<T, DrawingAreaErrorKind<E>>) -> Result<T> {
    result.map_err(|error| fault!("cannot draw the plot: {error}"))
}

/// Numbers that begin with 1, 2 or 5 in a range above 0; only 1 where there are many.
pub fn ticks(range: &Range<f64>) -> Vec<f64> {
    let decades = range.start.log10().floor() as i32..=range.end.log10().ceil() as i32;
    let thin = decades.clone().count() > 5;
    let leads: &[f64] = if thin { &[1.0] } else { &[1.0, 2.0, 5.0] };
    decades
        .flat_map(|decade| leads.iter().map(move |lead| lead * 10f64.powi(decade)))
        .filter(|tick| range.contains(tick))
        .collect()
}

/// A number without needless digits.
pub fn short(value: f64) -> String {
    if has_power(value) { as_power(value) } else { trimmed(&format!("{value:.3}")) }
}

/// Whether a number is so large or small that it is written as a power of ten.
pub fn has_power(value: f64) -> bool {
    value != 0.0 && !(1e-3..1e5).contains(&value.abs())
}

/// A number as a power of ten, without needless digits.
pub fn as_power(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{power}", trimmed(digits))
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn paint<B: DrawingBackend>(picture: &impl Picture, backend: B, pixels: u32) -> Result<()> {
    let area = backend.into_drawing_area();
    drawn(area.fill(&WHITE))?;
    picture.draw(&area, pixels)?;
    drawn(area.present())
}

fn encode(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Plots are mostly flat: a quarter of the bytes that the defaults take.
    encoder.set_filter(png::FilterType::NoFilter);
    encoder.set_compression(png::Compression::Best);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_begin_with_1_2_or_5() {
        assert_eq!(ticks(&(0.9..21.0)), [1.0, 2.0, 5.0, 10.0, 20.0]);
        assert_eq!(ticks(&(0.5..2e6)).len(), 7);
    }

    #[test]
    fn labels_have_no_needless_digits() {
        let numbers = [0.0, 0.05, 1.0, 20.0, 12.5, 2e5, 150_000.0, 1e-4, 1e10];
        assert_eq!(numbers.map(short), ["0", "0.05", "1", "20", "12.5", "2e5", "1.5e5", "1e-4", "1e10"]);
    }
}
