//! One frame as PNG: every pixel is the mean of nine samples.

use super::{Drawn, View};
use anyhow::Result;

/// Samples along one side of a pixel.
const SAMPLES: usize = 3;

/// The color of borders, and how wide they are in samples.
const OUTLINE: [u8; 3] = [34; 3];
const OUTLINE_WIDTH: f64 = 1.0;

/// A picture of the polygons. Later ones cover earlier ones.
pub fn png(drawn: &[Drawn<'_>], view: &View) -> Result<Vec<u8>> {
    let [width, height] = view.size().map(|side| side as usize);
    let (columns, rows) = (width * SAMPLES, height * SAMPLES);
    let mut samples = vec![[255u8; 3]; columns * rows];
    let scale = SAMPLES as f64;
    for Drawn { body, color, .. } in drawn {
        let corners: Vec<[f64; 2]> = body.corners().map(|corner| view.pixel(corner).map(|x| x * scale)).collect();
        fill(&corners, 0.0, columns, rows, |sample| samples[sample] = OUTLINE);
        fill(&corners, OUTLINE_WIDTH, columns, rows, |sample| samples[sample] = *color);
    }
    let mut pixels = Vec::with_capacity(3 * width * height);
    for y in 0..height {
        for x in 0..width {
            for channel in 0..3 {
                let within = (0..SAMPLES * SAMPLES).map(|k| (SAMPLES * y + k / SAMPLES, SAMPLES * x + k % SAMPLES));
                let sum: usize =
                    within.map(|(row, column)| usize::from(samples[row * columns + column][channel])).sum();
                pixels.push((sum / (SAMPLES * SAMPLES)) as u8);
            }
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// Calls `paint` for the samples of a convex polygon that are at least `inset` away from its border, row by row.
fn fill(corners: &[[f64; 2]], inset: f64, columns: usize, rows: usize, mut paint: impl FnMut(usize)) {
    let ys = || corners.iter().map(|corner| corner[1]);
    let (top, bottom) = (ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max));
    let first = (top - 0.5).ceil().max(0.0) as usize;
    for row in first..rows {
        let y = row as f64 + 0.5;
        if y > bottom {
            break;
        }
        let (mut left, mut right) = (0.0f64, columns as f64);
        for (k, &[px, py]) in corners.iter().enumerate() {
            let [qx, qy] = corners[(k + 1) % corners.len()];
            let (dx, dy) = (qx - px, qy - py);
            // Inside, as y points down: dy (x - px) - dx (y - py) >= inset * length of the edge.
            let least = inset * dx.hypot(dy) + dx * (y - py);
            if dy > 0.0 {
                left = left.max(px + least / dy);
            } else if dy < 0.0 {
                right = right.min(px + least / dy);
            } else if least > 0.0 {
                right = f64::NEG_INFINITY;
            }
        }
        let (from, to) = ((left - 0.5).ceil() as usize, (right + 0.5).floor() as usize);
        (from..to.min(columns)).for_each(|column| paint(row * columns + column));
    }
}
