//! The normal law: its lower tail and the inverse of it.

use std::f64::consts::PI;

/// Share of the normal law more than `deviations` standard deviations below the mean; `deviations` not negative.
pub(crate) fn lower_tail(deviations: f64) -> f64 {
    let z = deviations;
    if z < 3.0 {
        // Sum of z^(2k+1) / (1 * 3 * ... * (2k+1)): all terms positive, so nothing cancels within it.
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > 1e-17 * sum {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        0.5 - density(z) * sum
    } else {
        // The continued fraction of Mills' ratio, 1/(z + 1/(z + 2/(z + 3/...))), from a depth that is ample for z = 3.
        let fraction = (1..=60).rev().fold(z, |below, k| z + f64::from(k) / below);
        density(z) / fraction
    }
}

/// How many standard deviations below the mean the lower tail has the share `p`: the inverse of [`lower_tail`], for
/// `p` up to 1/2. Infinite for 0.
pub(crate) fn deviations_below(p: f64) -> f64 {
    if p <= 0.0 {
        return f64::INFINITY;
    }
    // The tail is below exp(-z²/2)/2, so this start is too far out. The logarithm of the tail is concave, so Newton's
    // method on it then comes inwards without ever passing the solution.
    let mut z = (-2.0 * (2.0 * p).min(1.0).ln()).sqrt();
    for _ in 0..30 {
        let tail = lower_tail(z);
        let step = (p / tail).ln() * tail / density(z);
        z = (z - step).max(0.0);
        if step.abs() <= 4.0 * f64::EPSILON * z {
            break;
        }
    }
    z
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tail_agrees_with_tables() {
        let known = [
            (0.0, 0.5),
            (1.0, 0.15865525393145707),
            (2.0, 0.022750131948179212),
            (3.0, 0.0013498980316300946),
            (5.0, 2.866515718791939e-7),
            (10.0, 7.61985302416052e-24),
        ];
        for (z, tail) in known {
            assert!((lower_tail(z) / tail - 1.0).abs() < 1e-12, "{z}: {} {tail}", lower_tail(z));
        }
        let (below, above) = (lower_tail(3.0 - 1e-9), lower_tail(3.0 + 1e-9));
        assert!(below > above && (below / above - 1.0).abs() < 1e-8);
    }

    #[test]
    fn inverse_returns_the_deviations() {
        for k in 0..300 {
            let z = f64::from(k) * 0.1;
            let back = deviations_below(lower_tail(z));
            assert!((back - z).abs() < 1e-11, "{z} {back}");
        }
        assert_eq!(deviations_below(0.5), 0.0);
        assert!(deviations_below(0.0).is_infinite());
    }
}
