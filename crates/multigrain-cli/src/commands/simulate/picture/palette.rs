//! Colors of pictures.

/// Red, green and blue, each from 0 to 1.
pub type Color = [f64; 3];

/// Paper.
pub const PAPER: Color = [1.0, 1.0, 1.0];

/// Walls and borders.
pub const WALL: Color = [0.25, 0.27, 0.3];

/// From low to high: deep blue, teal, sand, orange, red. Distinct also without color, by lightness up to the middle.
const STOPS: [Color; 5] =
    [[0.16, 0.27, 0.53], [0.13, 0.54, 0.60], [0.93, 0.82, 0.47], [0.93, 0.53, 0.24], [0.72, 0.15, 0.20]];

/// The color for a share from 0 to 1.
pub fn along(share: f64) -> Color {
    let place = share * (STOPS.len() - 1) as f64;
    let first = (place as usize).min(STOPS.len() - 2);
    let rest = place - first as f64;
    std::array::from_fn(|k| STOPS[first][k] + rest * (STOPS[first + 1][k] - STOPS[first][k]))
}

/// A color for each of a few numbers.
pub fn of_number(number: u16) -> Color {
    const COLORS: [Color; 5] =
        [[0.22, 0.46, 0.62], [0.90, 0.55, 0.22], [0.36, 0.36, 0.38], [0.35, 0.60, 0.34], [0.66, 0.26, 0.40]];
    COLORS[usize::from(number) % COLORS.len()]
}
