//! The same picture as a drawing.

use super::palette::Color;
use super::sheet::Sheet;
use std::fmt::Write;

/// A drawing in the making.
pub struct Svg {
    text: String,
}

impl Svg {
    /// Empty paper.
    pub fn new(width: usize, height: usize) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        Self { text }
    }

    /// The finished file.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Strings take whatever is written.
        let _ = writeln!(self.text, "<{element}/>");
    }
}

impl Sheet for Svg {
    fn ball(&mut self, [x, y]: [f64; 2], radius: f64, color: Color, _: bool) {
        let (fill, rim) = (hex(color), hex(color.map(|part| 0.72 * part)));
        self.add(format_args!(
            "circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"0.5\""
        ));
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], color: Color, thickness: f64) {
        let ([x1, y1], [x2, y2], color) = (from, to, hex(color));
        self.add(format_args!(
            "line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" stroke=\"{color}\" stroke-width=\"{thickness}\""
        ));
    }

    fn surface(&mut self, corners: &[[f64; 2]], color: Color, opaque: f64) {
        let (points, color) = (points_of(corners), hex(color));
        self.add(format_args!("polygon points=\"{points}\" fill=\"{color}\" fill-opacity=\"{opaque}\""));
    }

    fn polygon(&mut self, corners: &[[f64; 2]], color: Color, rim: Color) {
        let (points, color, rim) = (points_of(corners), hex(color), hex(rim));
        self.add(format_args!("polygon points=\"{points}\" fill=\"{color}\" stroke=\"{rim}\" stroke-width=\"0.5\""));
    }
}

fn points_of(corners: &[[f64; 2]]) -> String {
    let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
    points.join(" ")
}

fn hex(color: Color) -> String {
    let [red, green, blue] = color.map(|part| (255.0 * part).round().clamp(0.0, 255.0) as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}
