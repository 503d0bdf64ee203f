//! Points and vectors of the plane.

/// A point or a vector.
pub(crate) type Point = [f64; 2];

#[inline]
pub(crate) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// The vector from `b` to `a`.
#[inline]
pub(crate) fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
pub(crate) fn scaled(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor]
}

/// `a + factor b`.
#[inline]
pub(crate) fn along(a: Point, b: Point, factor: f64) -> Point {
    [a[0] + factor * b[0], a[1] + factor * b[1]]
}

#[inline]
pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive where `b` points to the left of `a`.
#[inline]
pub(crate) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
pub(crate) fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// `a` turned by a right angle to the right: outwards, for an edge that has its polygon on the left.
#[inline]
pub(crate) fn outward(a: Point) -> Point {
    [a[1], -a[0]]
}

/// The unit vector along `a`, where it has a direction.
#[inline]
pub(crate) fn unit(a: Point) -> Option<Point> {
    let length = norm(a);
    (length > 0.0).then(|| [a[0] / length, a[1] / length])
}
