//! One frame as SVG.

use super::{Drawn, View};
use std::fmt::Write;

/// A picture of the polygons.
pub fn svg(drawn: &[Drawn<'_>], view: &View) -> String {
    let [width, height] = view.size();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<g stroke=\"#222\" stroke-width=\"0.5\">\n"
    );
    for Drawn { body, color: [red, green, blue], .. } in drawn {
        let points: Vec<String> =
            body.corners().map(|corner| view.pixel(corner)).map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
        let points = points.join(" ");
        let _ = writeln!(text, "<polygon points=\"{points}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>");
    }
    text.push_str("</g>\n</svg>\n");
    text
}
