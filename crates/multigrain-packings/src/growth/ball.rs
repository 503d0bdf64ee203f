//! One ball: its flight, its size, and when it will meet something.
//!
//! Times are counted from the beginning of a stage. Within a stage every radius is the final one times a factor that
//! grows linearly in time.

/// Collisions happen where radii are this much larger than the law says: rounding never makes the balls of the result
/// overlap, and the gap is far below any that matters.
pub(super) const CLEARANCE: f64 = 1.0 + 2e-11;

/// A ball that flies freely since its own `time`. One cache line in three dimensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball<const D: usize> {
    /// Where the center was at `time`.
    pub center: [f64; D],
    pub velocity: [f64; D],
    /// When the ball last changed, in the time of its stage.
    pub time: f64,
    /// Its radius at the end of growth.
    pub radius: f64,
}

impl<const D: usize> Ball<D> {
    /// The center at `now`.
    #[inline]
    pub fn center_at(&self, now: f64) -> [f64; D] {
        let since = now - self.time;
        std::array::from_fn(|axis| self.center[axis] + self.velocity[axis] * since)
    }

    /// Moves the ball to where it is at `now`.
    #[inline]
    pub fn advance(&mut self, now: f64) {
        self.center = self.center_at(now);
        self.time = now;
    }
}

/// How a factor of all radii grows within a stage, clearance included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// At the beginning of the stage.
    pub start: f64,
    /// Increase per time.
    pub rate: f64,
}

impl Scale {
    #[inline]
    pub fn at(&self, now: f64) -> f64 {
        self.start + self.rate * now
    }
}

/// Time until two balls touch, infinite where they never do: `apart` is the vector between their centers, `speed` its
/// change, `reach` the sum of their radii, `growth` its change.
///
/// Balls that overlap by rounding meet at once if they approach. Times above `patience` need not be exact, only above
/// it.
#[inline]
pub(super) fn time_to_touch<const D: usize>(
    apart: [f64; D],
    speed: [f64; D],
    reach: f64,
    growth: f64,
    patience: f64,
) -> f64 {
    // The gap closes where a t^2 + 2 b t + c = 0 falls through zero.
    let a = dot(speed, speed) - growth * growth;
    let b = dot(apart, speed) - reach * growth;
    let c = dot(apart, apart) - reach * reach;
    if a >= 0.0 && (b >= 0.0 || c > -2.0 * b * patience) {
        // They part, or the time, which is at least c / -2b, is too long to matter.
        return f64::INFINITY;
    }
    if c <= 0.0 && b < 0.0 {
        return 0.0;
    }
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        // They pass each other; or, growing faster than they part, they never get out of an overlap by rounding.
        return if a >= 0.0 { f64::INFINITY } else { 0.0 };
    }
    // Both forms are the same root; each is free of cancellation where it is used.
    if b < 0.0 { c / (discriminant.sqrt() - b) } else { (b + discriminant.sqrt()) / -a }
}

/// Time until a ball's center is `distance` away from a point that is `from` away now.
#[inline]
pub(super) fn time_to_leave<const D: usize>(from: [f64; D], velocity: [f64; D], distance: f64) -> f64 {
    let a = dot(velocity, velocity);
    let b = dot(from, velocity);
    let left = (distance * distance - dot(from, from)).max(0.0);
    if a == 0.0 {
        return f64::INFINITY;
    }
    let root = (b * b + a * left).sqrt();
    if b > 0.0 { left / (b + root) } else { (root - b) / a }
}

/// Time until a ball touches a wall: `gap` is left, `speed` is that of the ball towards the wall, `growth` that of its
/// radius.
#[inline]
pub(super) fn time_to_wall(gap: f64, speed: f64, growth: f64) -> f64 {
    let closing = speed + growth;
    if closing <= 0.0 { f64::INFINITY } else { gap.max(0.0) / closing }
}

#[inline]
pub(super) fn dot<const D: usize>(u: [f64; D], v: [f64; D]) -> f64 {
    let mut sum = 0.0;
    for axis in 0..D {
        sum += u[axis] * v[axis];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOR_EVER: f64 = f64::INFINITY;

    #[test]
    fn balls_meet_when_the_gap_is_used_up() {
        assert_eq!(time_to_touch([5.0, 0.0], [-1.0, 0.0], 2.0, 0.0, FOR_EVER), 3.0);
        assert_eq!(time_to_touch([5.0, 0.0], [-1.0, 0.0], 2.0, 0.5, FOR_EVER), 2.0);
        assert_eq!(time_to_touch([5.0, 0.0], [1.0, 0.0], 2.0, 0.0, FOR_EVER), FOR_EVER);
        assert_eq!(time_to_touch([5.0, 3.0], [-1.0, 0.0], 2.0, 0.0, FOR_EVER), FOR_EVER);
        // At rest and while parting slowly, growth alone closes the gap.
        assert_eq!(time_to_touch([5.0, 0.0], [0.0, 0.0], 2.0, 0.5, FOR_EVER), 6.0);
        assert_eq!(time_to_touch([5.0, 0.0], [0.25, 0.0], 2.0, 0.5, FOR_EVER), 12.0);
    }

    #[test]
    fn overlap_by_rounding_counts_only_while_approaching() {
        let within = 2.0 - 1e-15;
        assert_eq!(time_to_touch([within, 0.0], [-1.0, 0.0], 2.0, 0.0, FOR_EVER), 0.0);
        assert_eq!(time_to_touch([within, 0.0], [1.0, 0.0], 2.0, 0.5, FOR_EVER), FOR_EVER);
        // Parting more slowly than they grow along their own line is approaching; sideways it takes a while.
        assert_eq!(time_to_touch([within, 0.0], [0.4, 0.0], 2.0, 0.5, FOR_EVER), 0.0);
        let later = time_to_touch([2.0, 0.0], [0.6, 0.0], 2.0, 0.5, FOR_EVER);
        assert_eq!(later, FOR_EVER);
    }

    #[test]
    fn meetings_beyond_patience_may_be_left_out() {
        assert_eq!(time_to_touch([5.0, 0.0], [-1.0, 0.0], 2.0, 0.0, 1.0), FOR_EVER);
        assert_eq!(time_to_touch([5.0, 0.0], [-1.0, 0.0], 2.0, 0.0, 3.5), 3.0);
    }

    #[test]
    fn leaves_where_the_line_of_flight_cuts_the_circle() {
        assert_eq!(time_to_leave([0.0, 0.0], [2.0, 0.0], 1.0), 0.5);
        assert_eq!(time_to_leave([0.5, 0.0], [-0.5, 0.0], 1.0), 3.0);
        assert_eq!(time_to_leave([1.0, 0.0], [1.0, 0.0], 1.0), 0.0);
        assert_eq!(time_to_leave([1.0, 0.0], [0.0, 0.0], 1.0), FOR_EVER);
    }

    #[test]
    fn walls_are_met_by_flight_and_by_growth() {
        assert_eq!(time_to_wall(2.0, 1.0, 0.0), 2.0);
        assert_eq!(time_to_wall(2.0, 0.0, 0.5), 4.0);
        assert_eq!(time_to_wall(2.0, -1.0, 0.5), FOR_EVER);
        assert_eq!(time_to_wall(-1e-16, 1.0, 0.5), 0.0);
    }
}
