//! Straight lines through measured points.

/// Slope of the straight line that fits `log y` against `log x` best. Not a number for fewer than two different points.
pub fn log_slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| logs.iter().map(value).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = logs.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let spread: f64 = logs.iter().map(|(x, _)| (x - x_mean).powi(2)).sum();
    along / spread
}

/// The middle value; the mean of the two middle ones of an even number. Not a number for none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => sorted[count / 2],
        count => 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]),
    }
}

/// Numbers from `from` to `to` in equal ratios, `count` of them.
pub fn log_space(from: f64, to: f64, count: usize) -> Vec<f64> {
    let at = |k: usize| k as f64 / (count.max(2) - 1) as f64;
    // The ends are exact: they are looked up by their value.
    let inner = (1..count.saturating_sub(1)).map(|k| from * (to / from).powf(at(k)));
    [from].into_iter().chain(inner).chain([to]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_of_powers_are_their_exponents() {
        let points: Vec<_> = (1..20).map(|k| (f64::from(k), 3.0 * f64::from(k).powf(1.7))).collect();
        assert!((log_slope(&points) - 1.7).abs() < 1e-12);
        assert!(log_slope(&points[..1]).is_nan());
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!((median(&[3.0, 1.0, 2.0]), median(&[4.0, 1.0])), (2.0, 2.5));
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn ratios_are_equal_and_ends_exact() {
        let space = log_space(1.0, 1000.0, 4);
        assert_eq!((space[0], space[3]), (1.0, 1000.0));
        assert!((space[1] - 10.0).abs() < 1e-12 && (space[2] - 100.0).abs() < 1e-10);
    }
}
