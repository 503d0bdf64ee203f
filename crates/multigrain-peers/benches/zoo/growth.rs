//! How a quantity grows: exponents, and what they predict.

/// The exponent `p` of `y` growing as `x^p` between the first and the last point; NaN of fewer than two.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    match points {
        [(x, y), .., (last_x, last_y)] if last_x > x => (last_y / y).ln() / (last_x / x).ln(),
        _ => f64::NAN,
    }
}

/// What `y` will be at `next`, from the last two points; a single one is taken to grow as its square.
pub fn predicted(points: &[(f64, f64)], next: f64) -> Option<f64> {
    let &(x, y) = points.last()?;
    let steepest = match points {
        [.., before, last] => exponent(&[*before, *last]).max(1.0),
        _ => 2.0,
    };
    Some(y * (next / x).powf(steepest))
}
