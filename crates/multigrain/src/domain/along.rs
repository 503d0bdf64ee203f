//! Wrapping and translation along one axis: the only formulas for boxes along the axes. An open axis has length 0.

/// How many periods a place lies from the box that begins at `lo`.
#[inline]
pub fn periods_along(x: f64, lo: f64, length: f64) -> i32 {
    if length > 0.0 { ((x - lo) / length).floor() as i32 } else { 0 }
}

/// What this many periods translate by.
#[inline]
pub fn translation_along(periods: i32, length: f64) -> f64 {
    f64::from(periods) * length
}

/// A place less this many periods; as it was if there are none.
#[inline]
pub fn less_along(x: f64, periods: i32, length: f64) -> f64 {
    if periods == 0 { x } else { x - translation_along(periods, length) }
}
