//! Pixels with soft edges: every pixel is drawn as several and averaged.

use super::palette::{Color, PAPER};
use super::sheet::Sheet;

/// Fine pixels along each side of a pixel.
const FINE: usize = 3;

/// Width of the rim of polygons, in pixels.
const RIM: f64 = 0.6;

/// Where light comes from: right, up, towards the eye; of length 1.
const LIGHT: [f64; 3] = [-0.40, 0.55, 0.7331];

/// A picture being drawn.
pub struct Canvas {
    width: usize,
    height: usize,
    fine: Vec<[f32; 3]>,
}

impl Canvas {
    /// Empty paper.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, height, fine: vec![PAPER.map(|part| part as f32); width * height * FINE * FINE] }
    }

    /// Width, height and pixels of the finished picture.
    pub fn finish(self) -> (u32, u32, Vec<u8>) {
        let mut pixels = Vec::with_capacity(3 * self.width * self.height);
        for y in 0..self.height {
            for x in 0..self.width {
                let mut sum = [0.0; 3];
                for fine_y in 0..FINE {
                    for fine_x in 0..FINE {
                        let fine = self.fine[(y * FINE + fine_y) * self.width * FINE + x * FINE + fine_x];
                        sum = [0, 1, 2].map(|k| sum[k] + fine[k]);
                    }
                }
                pixels.extend(sum.map(|part| (255.0 * part / (FINE * FINE) as f32).round().clamp(0.0, 255.0) as u8));
            }
        }
        (self.width as u32, self.height as u32, pixels)
    }

    /// Colors the fine pixels within `reach` of a point, by their offset to the right and up in units of it.
    fn paint(&mut self, center: [f64; 2], reach: f64, color: impl Fn([f64; 2]) -> Option<Color>) {
        let (columns, rows) = (self.width * FINE, self.height * FINE);
        let [x, y] = center.map(|coordinate| coordinate * FINE as f64);
        // Never thinner than a fine pixel, so that nothing vanishes.
        let reach = (reach * FINE as f64).max(0.7);
        let range = |middle: f64, count: usize| {
            let first = (middle - reach).floor().clamp(0.0, count as f64) as usize;
            first..(middle + reach).ceil().clamp(0.0, count as f64) as usize
        };
        for row in range(y, rows) {
            for column in range(x, columns) {
                let offset = [(column as f64 + 0.5 - x) / reach, -(row as f64 + 0.5 - y) / reach];
                if let Some(color) = color(offset) {
                    self.fine[row * columns + column] = color.map(|part| part as f32);
                }
            }
        }
    }
}

impl Sheet for Canvas {
    fn ball(&mut self, center: [f64; 2], radius: f64, color: Color, is_solid: bool) {
        let shade = |[right, up]: [f64; 2]| {
            let square = right * right + up * up;
            if is_solid {
                let towards = (1.0 - square).max(0.0).sqrt();
                let light = (LIGHT[0] * right + LIGHT[1] * up + LIGHT[2] * towards).max(0.0);
                color.map(|part| part * (0.35 + 0.65 * light))
            } else {
                let rim = if square > 0.74 { 0.72 } else { 1.0 };
                color.map(|part| part * rim)
            }
        };
        self.paint(center, radius, |offset| (offset[0].hypot(offset[1]) <= 1.0).then(|| shade(offset)));
    }

    fn line(&mut self, from: [f64; 2], to: [f64; 2], color: Color, thickness: f64) {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]).max(1e-9);
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        let reach = 0.5 * length + thickness;
        self.paint(middle, reach, |[right, up]| {
            // Up in offsets is down in pixels.
            let offset = [right * reach, -up * reach];
            let forward = (offset[0] * along[0] + offset[1] * along[1]) / length;
            let aside = (offset[0] * along[1] - offset[1] * along[0]) / length;
            (aside.abs() <= 0.5 * thickness && forward.abs() <= 0.5 * length).then_some(color)
        });
    }

    fn surface(&mut self, corners: &[[f64; 2]], color: Color, opaque: f64) {
        let (columns, rows) = (self.width * FINE, self.height * FINE);
        let corners: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(|x| x * FINE as f64)).collect();
        let edges: Vec<([f64; 2], [f64; 2])> =
            corners.iter().copied().zip(corners.iter().copied().cycle().skip(1)).collect();
        let range = |axis: usize, count: usize| {
            let along = corners.iter().map(|corner| corner[axis]);
            let (first, last) = along.fold((f64::INFINITY, 0.0f64), |(first, last), x| (first.min(x), last.max(x)));
            first.floor().clamp(0.0, count as f64) as usize..last.ceil().clamp(0.0, count as f64) as usize
        };
        // Corners go round one way or the other.
        let area: f64 = edges.iter().map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
        for row in range(1, rows) {
            for column in range(0, columns) {
                let [x, y] = [column as f64 + 0.5, row as f64 + 0.5];
                let is_left = |(a, b): &([f64; 2], [f64; 2])| {
                    ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) * area >= 0.0
                };
                if edges.iter().all(is_left) {
                    let pixel = &mut self.fine[row * columns + column];
                    *pixel = std::array::from_fn(|k| pixel[k] + opaque as f32 * (color[k] as f32 - pixel[k]));
                }
            }
        }
    }

    fn polygon(&mut self, corners: &[[f64; 2]], color: Color, rim: Color) {
        let mean = |axis: usize| corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners.len().max(1) as f64;
        let middle = [mean(0), mean(1)];
        let reach = corners.iter().map(|[x, y]| (x - middle[0]).hypot(y - middle[1])).fold(0.0, f64::max);
        let edges: Vec<[[f64; 2]; 2]> =
            corners.iter().zip(corners.iter().cycle().skip(1)).map(|(&from, &to)| [from, to]).collect();
        self.paint(middle, reach, |[right, up]| {
            let point = [middle[0] + right * reach, middle[1] - up * reach];
            let (mut left, mut right, mut nearest) = (false, false, f64::INFINITY);
            for [from, to] in &edges {
                let along = [to[0] - from[0], to[1] - from[1]];
                let length = along[0].hypot(along[1]).max(1e-9);
                let side = (along[0] * (point[1] - from[1]) - along[1] * (point[0] - from[0])) / length;
                left |= side > 0.0;
                right |= side < 0.0;
                nearest = nearest.min(side.abs());
            }
            (!(left && right)).then_some(if nearest < RIM { rim } else { color })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(picture: &(u32, u32, Vec<u8>), x: usize, y: usize) -> [u8; 3] {
        let start = 3 * (y * picture.0 as usize + x);
        picture.2[start..start + 3].try_into().unwrap()
    }

    #[test]
    fn balls_lie_where_they_are_put_and_hide_what_is_behind() {
        let mut canvas = Canvas::new(40, 30);
        canvas.ball([10.0, 10.0], 6.0, [1.0, 0.0, 0.0], false);
        canvas.ball([14.0, 10.0], 6.0, [0.0, 0.0, 1.0], false);
        let picture = canvas.finish();
        assert_eq!(pixel(&picture, 6, 10), [255, 0, 0]);
        assert_eq!(pixel(&picture, 12, 10), [0, 0, 255]);
        assert_eq!(pixel(&picture, 30, 20), [255, 255, 255]);
        assert_eq!(picture.2.len(), 3 * 40 * 30);
    }

    #[test]
    fn lines_go_from_end_to_end() {
        let mut canvas = Canvas::new(30, 30);
        canvas.line([5.0, 5.0], [25.0, 15.0], [0.0; 3], 3.0);
        let picture = canvas.finish();
        assert_eq!(pixel(&picture, 15, 10), [0, 0, 0]);
        assert_eq!(pixel(&picture, 6, 5), [0, 0, 0]);
        assert_eq!(pixel(&picture, 5, 15), [255, 255, 255]);
        assert_eq!(pixel(&picture, 28, 16), [255, 255, 255]);
    }
}
