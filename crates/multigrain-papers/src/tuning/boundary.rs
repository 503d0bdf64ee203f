//! Where a function changes its sign, whether smoothly or in a step.

/// The two ends, within `closeness` of each other, of the place in `below..above` where `f` turns from not positive to
/// positive. `f` must do so once; it may jump and may be infinite.
///
/// Bisection, and inverse quadratic interpolation through the last three points where these are in shape for it
/// (Chandrupatla's criterion).
pub(super) fn sign_change(below: f64, above: f64, closeness: f64, mut f: impl FnMut(f64) -> f64) -> (f64, f64) {
    // The newest point, the one across the sign change, and the one that the newest replaced.
    let (mut new, mut at_new) = (below, f64::NEG_INFINITY);
    let (mut across, mut at_across) = (above, f64::INFINITY);
    let mut step = 0.5;
    loop {
        let width = across - new;
        let x = new + step * width;
        if width.abs() <= closeness || x == new || x == across {
            return if new < across { (new, across) } else { (across, new) };
        }
        let value = f(x);
        let (old, at_old);
        if (value > 0.0) == (at_new > 0.0) {
            (old, at_old) = (new, at_new);
        } else {
            (old, at_old) = (across, at_across);
            (across, at_across) = (new, at_new);
        }
        (new, at_new) = (x, value);
        let place = (new - across) / (old - across);
        let height = (at_new - at_across) / (at_old - at_across);
        let in_shape = height * height < place && (1.0 - height) * (1.0 - height) < 1.0 - place;
        step = if in_shape && at_new.is_finite() && at_across.is_finite() && at_old.is_finite() {
            let from_across = at_new / (at_across - at_new) * (at_old / (at_across - at_old));
            let from_old =
                (old - new) / (across - new) * (at_new / (at_old - at_new)) * (at_across / (at_old - at_across));
            // At least half the closeness from either end, so that a root found from one side gets its other side too.
            let least = (0.5 * closeness / (across - new).abs()).min(0.5);
            (from_across + from_old).clamp(least, 1.0 - least)
        } else {
            0.5
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_and_jumps() {
        let root = |f: &dyn Fn(f64) -> f64| {
            let mut calls = 0;
            let (lo, hi) = sign_change(0.0, 10.0, 1e-13, |x| {
                calls += 1;
                f(x)
            });
            assert!(hi - lo <= 1e-13 && f(lo) <= 0.0 && f(hi) > 0.0, "{lo} {hi}");
            (lo, calls)
        };
        let (smooth, calls) = root(&|x| x.exp() - 5.0);
        assert!((smooth - 5f64.ln()).abs() < 1e-12 && calls < 20, "{calls}");
        let (jump, calls) = root(&|x| if x < 7.3 { -1.0 } else { 1e9 });
        assert!((jump - 7.3).abs() < 1e-12 && calls < 110, "{calls}");
        let (pole, calls) = root(&|x| (x - 2.0).ln());
        assert!((pole - 3.0).abs() < 1e-12 && calls < 25, "{calls}");
        let (flat, _) = root(&|x| (x - 2.0).powi(9));
        assert!((flat - 2.0).abs() < 1e-12);
    }
}
