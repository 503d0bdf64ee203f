//! Below a picture: what its colors mean, the time, and how long things are.

use super::palette::{self, along, of_number};
use anyhow::Result;
use multigrain_experiments::drawing::{FAMILY, draw_over, drawn, short};
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

/// All that is told below a picture.
pub struct Footer {
    pub key: Key,
    pub time: f64,
    /// Pixels of a unit of length.
    pub pixels_per_length: f64,
}

impl Footer {
    /// Draws it into the lowest rows of a picture.
    pub fn draw(&self, pixels: &mut [u8], (width, height): (u32, u32)) -> Result<()> {
        let top = height as i32 - HEIGHT as i32;
        draw_over(pixels, (width, height), |area| {
            let text = |text: &str, at: (i32, i32), side: HPos| {
                let style = (FAMILY, 13).into_text_style(area).pos(Pos::new(side, VPos::Top));
                drawn(area.draw_text(text, &style, at))
            };
            match &self.key {
                Key::Range { name, from, middle, to, is_cut } => {
                    text(name, (MARGIN, top + 4), HPos::Left)?;
                    let (left, upper) = (MARGIN, top + 22);
                    for x in 0..BAR.0 {
                        let color = rgb(along(f64::from(x) / f64::from(BAR.0 - 1)));
                        let line = [(left + x, upper), (left + x + 1, upper + BAR.1)];
                        drawn(area.draw(&Rectangle::new(line, color.filled())))?;
                    }
                    let more = if *is_cut { "+" } else { "" };
                    text(&short(*from), (left, upper + BAR.1 + 4), HPos::Left)?;
                    text(&short(*middle), (left + BAR.0 / 2, upper + BAR.1 + 4), HPos::Center)?;
                    text(&format!("{}{more}", short(*to)), (left + BAR.0, upper + BAR.1 + 4), HPos::Right)?;
                }
                Key::Same { name, value } => text(&format!("{name} {}", short(*value)), (MARGIN, top + 4), HPos::Left)?,
                Key::Materials(names) => {
                    for (k, name) in names.iter().take(MAX_NAMES).enumerate() {
                        let y = top + 4 + 15 * k as i32;
                        drawn(area.draw(&Circle::new((MARGIN + 5, y + 7), 5, rgb(of_number(k as u16)).filled())))?;
                        text(name, (MARGIN + 16, y), HPos::Left)?;
                    }
                }
            }
            let right = width as i32 - MARGIN;
            text(&format!("time {}", short(self.time)), (right, top + 4), HPos::Right)?;
            let (length, along) = self.scale(f64::from(width) / 5.0);
            let (left, y) = (right - along as i32, top + 32);
            let ends = vec![(left, y - 4), (left, y), (right, y), (right, y - 4)];
            drawn(area.draw(&PathElement::new(ends, BLACK.stroke_width(1))))?;
            text(&short(length), ((left + right) / 2, y + 4), HPos::Center)
        })
    }

    /// A round length that takes no more than so many pixels, and how many it takes.
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
            footer(key.clone()).draw(&mut pixels, (width as u32, height as u32)).unwrap();
            let (above, below) = pixels.split_at(3 * width * (height - HEIGHT));
            assert!(above.iter().all(|&part| part == 255), "{key:?}");
            assert!(below.iter().filter(|&&part| part < 128).count() > 100, "{key:?}");
        }
    }
}
