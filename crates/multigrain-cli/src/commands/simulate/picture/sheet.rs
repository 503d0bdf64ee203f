//! What a picture is drawn on.

use super::palette::Color;

/// Paper: pixels or a drawing. Places are pixels from the upper left corner; what comes later hides what was there.
pub trait Sheet {
    /// A disc, shaded like a ball or, flat, with a darker rim.
    fn ball(&mut self, center: [f64; 2], radius: f64, color: Color, is_solid: bool);

    /// A line, so thick.
    fn line(&mut self, from: [f64; 2], to: [f64; 2], color: Color, thickness: f64);

    /// A flat convex piece that hides a share of what is behind it.
    fn surface(&mut self, corners: &[[f64; 2]], color: Color, opaque: f64);

    /// A convex polygon, its corners in order either way round, with a rim of another color.
    fn polygon(&mut self, corners: &[[f64; 2]], color: Color, rim: Color);
}
