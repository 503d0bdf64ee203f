//! Differences of the error function, to nearly full relative accuracy: also of close arguments, also far out.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// `exp(log_factor) * (erf(to) - erf(from))` for `from <= to`. The factor enters the exponent, so that a large one and
/// a difference far below the smallest number may balance.
pub(crate) fn erf_between(log_factor: f64, from: f64, to: f64) -> f64 {
    let middle = 0.5 * (from + to);
    let half = 0.5 * (to - from);
    if half * (1.0 + middle.abs()) < 0.25 {
        return short_interval(log_factor, middle, half);
    }
    if from >= 0.0 {
        erfc(log_factor, from) - erfc(log_factor, to)
    } else if to <= 0.0 {
        erfc(log_factor, -to) - erfc(log_factor, -from)
    } else {
        // On both sides of zero the two parts add up.
        let erf = |x: f64| if x < SERIES_UP_TO { erf_series(x) } else { 1.0 - erfc(0.0, x) };
        log_factor.exp() * (erf(to) + erf(-from))
    }
}

/// Below this the series of `erf` is best; above it the trapezoidal sum needs no care with cancellation.
const SERIES_UP_TO: f64 = 0.5;

/// `exp(log_factor) * (1 - erf(x))` for `x >= 0`, without the cancellation of that difference.
fn erfc(log_factor: f64, x: f64) -> f64 {
    if x < SERIES_UP_TO {
        log_factor.exp() * (1.0 - erf_series(x))
    } else {
        exp_minus_square(log_factor, x) * erfc_scaled(x)
    }
}

/// The series with positive terms only, `2/sqrt(pi) exp(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ...)`, for small `x >= 0`.
fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term > sum * (0.25 * f64::EPSILON) {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// `exp(x^2) erfc(x)`: the trapezoidal sum of `x/pi * integral of exp(-u^2)/(x^2 + u^2) du` over the real line, less
/// what the pole at `u = i x` adds to such a sum. With step 1/2 it is off by `exp(-(2 pi)^2)`, below rounding.
fn erfc_scaled(x: f64) -> f64 {
    const STEP: f64 = 0.5;
    const TERMS: i32 = 13;
    let square = x * x;
    let mut sum = 0.5 / square;
    // exp(-(n step)^2) falls from one n to the next by a factor that itself falls by a constant factor.
    let fall = (-2.0 * STEP * STEP).exp();
    let (mut weight, mut ratio) = (1.0, (-STEP * STEP).exp());
    for n in 1..=TERMS {
        weight *= ratio;
        ratio *= fall;
        let u = f64::from(n) * STEP;
        sum += weight / (u * u + square);
    }
    // The pole counts only below pi/step; there it has long become negligible.
    let pole = if x < PI / STEP { 2.0 * square.exp() / (2.0 * PI * x / STEP).exp_m1() } else { 0.0 };
    2.0 * STEP * x / PI * sum - pole
}

/// Beyond this the rounding of a square is too large to be taken apart, and hardly anything is left.
const FAR_OUT: f64 = 1e3;

/// `exp(log_factor - x^2)` with the rounding of the square, which the exponential would magnify, taken care of.
fn exp_minus_square(log_factor: f64, x: f64) -> f64 {
    if x.abs() > FAR_OUT {
        return (log_factor - x * x).exp();
    }
    let head = f64::from(x as f32);
    (log_factor - head * head).exp() * (-(x - head) * (x + head)).exp()
}

/// `exp(log_factor) * (erf(middle + half) - erf(middle - half))` by the series of the integrand around the middle, whose
/// coefficients are Hermite polynomials.
fn short_interval(log_factor: f64, middle: f64, half: f64) -> f64 {
    let height = exp_minus_square(log_factor, middle);
    if height == 0.0 {
        return 0.0;
    }
    let (mut even, mut odd) = (1.0, 2.0 * middle);
    let mut power = half;
    let mut sum = half;
    for n in 1..16 {
        let order = 2.0 * f64::from(n);
        even = 2.0 * middle * odd - 2.0 * (order - 1.0) * even;
        odd = 2.0 * middle * even - 2.0 * order * odd;
        power *= half * half / (order * (order - 1.0));
        let term = even * power / (order + 1.0);
        sum += term;
        if term.abs() <= 0.25 * f64::EPSILON * sum {
            break;
        }
    }
    2.0 * FRAC_2_SQRT_PI * height * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance * expected.abs(), "{value:e} instead of {expected:e}");
    }

    #[test]
    fn agrees_with_tabulated_values_to_the_last_digits() {
        for (x, expected) in [
            (0.0, 1.0),
            (0.1, 0.887_537_083_981_715),
            (0.5, 0.479_500_122_186_953_5),
            (1.0, 0.157_299_207_050_285_1),
            (2.0, 4.677_734_981_047_266e-3),
            (3.0, 2.209_049_699_858_544_3e-5),
            (5.0, 1.537_459_794_428_035e-12),
            (6.0, 2.151_973_671_249_891e-17),
            (7.0, 4.183_825_607_779_414e-23),
            (10.0, 2.088_487_583_762_545e-45),
        ] {
            assert_close(erfc(0.0, x), expected, 1e-14);
        }
    }

    #[test]
    fn series_and_sum_agree_where_they_meet() {
        for x in [0.4, 0.5, 0.6, 0.8] {
            assert_close(exp_minus_square(0.0, x) * erfc_scaled(x), 1.0 - erf_series(x), 1e-14);
        }
    }

    #[test]
    fn differences_of_close_arguments_keep_their_digits() {
        for x in [-8.0, -1.0, 0.0, 0.3, 2.0, 9.0] {
            for width in [1e-12, 1e-6, 1e-3, 0.02] {
                let to: f64 = x + width;
                // Simpson's rule over many panels as an independent value.
                let panels = 200;
                let step = (to - x) / f64::from(panels);
                let density = |t: f64| FRAC_2_SQRT_PI * exp_minus_square(0.0, t);
                let simpson: f64 = (0..panels)
                    .map(|panel| {
                        let t = x + f64::from(panel) * step;
                        (density(t) + 4.0 * density(t + 0.5 * step) + density(t + step)) * step / 6.0
                    })
                    .sum();
                assert_close(erf_between(0.0, x, to), simpson, 1e-12);
            }
        }
    }

    #[test]
    fn long_intervals_are_the_sum_of_short_ones() {
        for x in [-3.0, -0.1, 0.0, 1.0, 5.0] {
            let border = |n: i32| x + 1e-3 * f64::from(n);
            let parts: f64 = (0..1000).map(|n| erf_between(0.0, border(n), border(n + 1))).sum();
            assert_close(parts, erf_between(0.0, x, border(1000)), 1e-12);
        }
    }

    #[test]
    fn a_large_factor_balances_a_vanishing_difference() {
        // erfc(40) itself is far below the smallest number; the tail of its asymptotic series gives the value.
        let tail = 1.0 - 0.5 / 1600.0 + 0.75 / 1600.0_f64.powi(2) - 1.875 / 1600.0_f64.powi(3);
        assert_close(erf_between(1600.0, 40.0, 50.0), tail / (40.0 * PI.sqrt()), 1e-12);
    }

    #[test]
    fn far_out_there_is_nothing_but_always_a_number() {
        for x in [1e2, 8e5, 1e10, 1e160, 1e300] {
            for width in [1e-3 / x, 1e-9 * x, 0.5 * x] {
                for (from, to) in [(x, x + width), (-x - width, -x)] {
                    assert_eq!(erf_between(0.0, from, to), 0.0, "{from} to {to}");
                }
            }
            assert_eq!(erf_between(0.0, -x, x), 2.0);
        }
    }
}
