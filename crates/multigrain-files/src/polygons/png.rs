//! One frame as PNG: every pixel is the mean of nine samples.

use super::{Drawn, View};
use anyhow::Result;

/// Samples along one side of a pixel.
const SAMPLES: usize = 3;

/// A picture of the polygons. Later ones cover earlier ones.
pub fn png(drawn: &[Drawn<'_>], view: &View) -> Result<Vec<u8>> {
    let (width, height) = (view.width as usize, view.height() as usize);
    let (columns, rows) = (width * SAMPLES, height * SAMPLES);
    let mut samples = vec![[255u8; 3]; columns * rows];
    let scale = SAMPLES as f64;
    for Drawn { body, color, .. } in drawn {
        let corners: Vec<[f64; 2]> = body.corners().map(|corner| view.pixel(corner).map(|x| x * scale)).collect();
        fill(&corners, columns, rows, |sample| samples[sample] = *color);
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
    let mut encoder = ::png::Encoder::new(&mut bytes, view.width, view.height());
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(bytes)
}

/// Calls `paint` for the samples inside a convex polygon, row by row, leaving out a rim so that neighbours stay apart.
fn fill(corners: &[[f64; 2]], columns: usize, rows: usize, mut paint: impl FnMut(usize)) {
    let ys = || corners.iter().map(|corner| corner[1]);
    let (top, bottom) = (ys().fold(f64::INFINITY, f64::min), ys().fold(f64::NEG_INFINITY, f64::max));
    let first = (top - 0.5).ceil().max(0.0) as usize;
    for row in first..rows {
        let y = row as f64 + 0.5;
        if y > bottom {
            break;
        }
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for (k, &p) in corners.iter().enumerate() {
            let q = corners[(k + 1) % corners.len()];
            if (p[1] <= y) != (q[1] <= y) {
                let x = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
                (left, right) = (left.min(x), right.max(x));
            }
        }
        let from = (left + 0.2).ceil().max(0.0) as usize;
        for column in from..columns {
            if column as f64 + 0.8 > right {
                break;
            }
            paint(row * columns + column);
        }
    }
}
