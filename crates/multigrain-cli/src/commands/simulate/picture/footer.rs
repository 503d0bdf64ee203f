//! Below a picture: what its colors mean, the time, and how long things are.

use super::palette::{self, along, of_number};
use crate::table::four_digits;
use multigrain_experiments::Result;
use multigrain_experiments::drawing::{FAMILY, draw_over, drawn};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels that it takes below the grains.
pub const HEIGHT: usize = 64;

/// Pixels that it needs from left to right.
pub const MIN_WIDTH: f64 = 380.0;

/// Pixels at the left and right that stay empty.
const MARGIN: i32 = 16;

/// Width and height of the bar of colors.
const BAR: (i32, i32) = (170, 10);

/// The factor by which it is drawn larger.
const FINE: usize = 3;

/// Materials that are named; more do not fit.
const MAX_NAMES: usize = 4;

/// What colors mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    /// A quantity, from the lowest color to the highest.
    Range { name: &'static str, from: f64, middle: f64, to: f64, is_cut: bool },
    /// A quantity that is the same for all.
    Same { name: &'static str, value: f64 },
    /// Materials by their numbers.
    Materials(Vec<String>),
}

/// All that is written below a picture.
pub struct Footer {
    pub key: Key,
    pub time: f64,
    /// Pixels of a unit of length.
    pub pixels_per_length: f64,
}

impl Footer {
    /// Draws it into the lowest rows of a picture.
    pub fn draw(&self, pixels: &mut [u8], width: usize) -> Result<()> {
        // Drawn larger and averaged: letters of few pixels are hard to read otherwise.
        let (wide, high) = (width * FINE, HEIGHT * FINE);
        let mut fine = vec![255; 3 * wide * high];
        self.draw_fine(&mut fine, (wide as u32, high as u32))?;
        let start = pixels.len() - 3 * width * HEIGHT;
        for (k, part) in pixels[start..].iter_mut().enumerate() {
            let (channel, column, row) = (k % 3, k / 3 % width, k / 3 / width);
            let at = |across: usize, down: usize| {
                u32::from(fine[3 * ((row * FINE + down) * wide + column * FINE + across) + channel])
            };
            let sum: u32 = (0..FINE * FINE).map(|k| at(k % FINE, k / FINE)).sum();
            *part = (sum / (FINE * FINE) as u32) as u8;
        }
        Ok(())
    }

    fn draw_fine(&self, pixels: &mut [u8], (width, height): (u32, u32)) -> Result<()> {
        let fine = FINE as i32;
        let width_of_all = width as i32 / fine;
        draw_over(pixels, (width, height), |area| {
            let at = |(x, y): (i32, i32)| (x * fine, y * fine);
            let text = |text: &str, place: (i32, i32), side: HPos| {
                let style = (FAMILY, 13 * fine).into_text_style(area).pos(Pos::new(side, VPos::Top));
                drawn(area.draw_text(text, &style, at(place)))
            };
            match &self.key {
                Key::Range { name, from, middle, to, is_cut } => {
                    text(name, (MARGIN, 4), HPos::Left)?;
                    let (left, upper) = (MARGIN, 23);
                    for x in 0..BAR.0 {
                        let color = rgb(along(f64::from(x) / f64::from(BAR.0 - 1)));
                        let piece = [at((left + x, upper)), at((left + x + 1, upper + BAR.1))];
                        drawn(area.draw(&Rectangle::new(piece, color.filled())))?;
                    }
                    let (below, more) = (upper + BAR.1 + 4, if *is_cut { "+" } else { "" });
                    text(&four_digits(*from), (left, below), HPos::Left)?;
                    text(&four_digits(*middle), (left + BAR.0 / 2, below), HPos::Center)?;
                    text(&format!("{}{more}", four_digits(*to)), (left + BAR.0, below), HPos::Right)?;
                }
                Key::Same { name, value } => text(&format!("{name} {}", four_digits(*value)), (MARGIN, 4), HPos::Left)?,
                Key::Materials(names) => {
                    for (k, name) in names.iter().take(MAX_NAMES).enumerate() {
                        let y = 4 + 15 * k as i32;
                        let color = rgb(of_number(k as u16)).filled();
                        drawn(area.draw(&Circle::new(at((MARGIN + 5, y + 7)), 5 * fine, color)))?;
                        text(name, (MARGIN + 16, y), HPos::Left)?;
                    }
                }
            }
            let right = width_of_all - MARGIN;
            text(&format!("time {}", four_digits(self.time)), (right, 4), HPos::Right)?;
            let (length, along) = self.scale(f64::from(width_of_all) / 5.0);
            let (left, y) = (right - along as i32, 33);
            let ends = [(left, y - 4), (left, y), (right, y), (right, y - 4)].map(at);
            drawn(area.draw(&PathElement::new(ends.to_vec(), BLACK.stroke_width(FINE as u32))))?;
            text(&four_digits(length), ((left + right) / 2, y + 4), HPos::Center)
        })
    }

    /// A round length that takes no more pixels than given, and how many it takes.
    fn scale(&self, most: f64) -> (f64, f64) {
        let longest = most / self.pixels_per_length;
        let decade = 10f64.powf(longest.log10().floor());
        let factor = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * decade <= longest).unwrap_or(1.0);
        (factor * decade, factor * decade * self.pixels_per_length)
    }
}

fn rgb(color: palette::Color) -> RGBColor {
    let [red, green, blue] = color.map(|part| (255.0 * part).round() as u8);
    RGBColor(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footer(key: Key) -> Footer {
        Footer { key, time: 0.25, pixels_per_length: 137.0 }
    }

    #[test]
    fn the_scale_is_round_and_fits() {
        let (length, pixels) = footer(Key::Materials(Vec::new())).scale(100.0);
        assert_eq!((length, pixels), (0.5, 68.5));
    }

    #[test]
    fn it_leaves_the_grains_alone() {
        let (width, height) = (400, 100);
        for key in [
            Key::Range { name: "speed", from: 0.0, middle: 0.5, to: 1.0, is_cut: true },
            Key::Same { name: "radius", value: 0.002 },
            Key::Materials(vec!["glass".to_owned(), "steel".to_owned()]),
        ] {
            let mut pixels = vec![255; 3 * width * height];
            footer(key.clone()).draw(&mut pixels, width).unwrap();
            let (above, below) = pixels.split_at(3 * width * (height - HEIGHT));
            assert!(above.iter().all(|&part| part == 255), "{key:?}");
            assert!(below.iter().filter(|&&part| part < 128).count() > 100, "{key:?}");
        }
    }
}
