//! Vectors of two or three components, and what turning means in either.
//!
//! An angular velocity or a torque is a [`Spin`]: three components in space; in the plane the third alone, the others zero.

use crate::number::Number;

/// Angular velocity or torque. In the plane only the third component is used.
pub type Spin = [f64; 3];

#[inline(always)]
pub(crate) fn add<const D: usize, N: Number>(a: [N; D], b: [N; D]) -> [N; D] {
    let mut result = a;
    for k in 0..D {
        result[k] = a[k] + b[k];
    }
    result
}

#[inline(always)]
pub(crate) fn sub<const D: usize, N: Number>(a: [N; D], b: [N; D]) -> [N; D] {
    let mut result = a;
    for k in 0..D {
        result[k] = a[k] - b[k];
    }
    result
}

#[inline(always)]
pub(crate) fn scale<const D: usize, N: Number>(a: [N; D], factor: N) -> [N; D] {
    let mut result = a;
    for k in 0..D {
        result[k] = a[k] * factor;
    }
    result
}

/// `a + factor * b`.
#[inline(always)]
pub(crate) fn add_scaled<const D: usize, N: Number>(a: [N; D], b: [N; D], factor: N) -> [N; D] {
    let mut result = a;
    for k in 0..D {
        result[k] = a[k] + b[k] * factor;
    }
    result
}

#[inline(always)]
pub(crate) fn dot<const D: usize, N: Number>(a: [N; D], b: [N; D]) -> N {
    let mut sum = a[0] * b[0];
    for k in 1..D {
        sum = sum + a[k] * b[k];
    }
    sum
}

#[inline(always)]
pub(crate) fn length<const D: usize, N: Number>(a: [N; D]) -> N {
    dot(a, a).sqrt()
}

/// The same direction with length 1, or `None` for a vector without direction.
pub(crate) fn unit<const D: usize>(a: [f64; D]) -> Option<[f64; D]> {
    let length = length(a);
    (length > 0.0 && length.is_finite()).then(|| scale(a, 1.0 / length))
}

/// Velocity of a point at `arm` from the axis of a body that turns with `spin`: the cross product of both.
#[inline(always)]
pub(crate) fn turned<const D: usize, N: Number>(spin: [N; 3], arm: [N; D]) -> [N; D] {
    let mut result = [N::splat(0.0); D];
    if D == 2 {
        result[0] = -spin[2] * arm[1];
        result[1] = spin[2] * arm[0];
    } else {
        result[0] = spin[1] * arm[2] - spin[2] * arm[1];
        result[1] = spin[2] * arm[0] - spin[0] * arm[2];
        result[2] = spin[0] * arm[1] - spin[1] * arm[0];
    }
    result
}

/// Torque of `force` at `arm`: the cross product of arm and force.
#[inline(always)]
pub(crate) fn torque<const D: usize, N: Number>(arm: [N; D], force: [N; D]) -> [N; 3] {
    let third = arm[0] * force[1] - arm[1] * force[0];
    if D == 2 {
        [N::splat(0.0), N::splat(0.0), third]
    } else {
        [arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2], third]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_in_the_plane_is_turning_in_space_about_the_third_axis() {
        let (spin, arm, force) = ([0.0, 0.0, 1.5], [2.0, -3.0], [0.5, 4.0]);
        let in_space = |a: [f64; 2]| [a[0], a[1], 0.0];
        assert_eq!(in_space(turned(spin, arm)), turned(spin, in_space(arm)));
        assert_eq!(torque(arm, force), torque(in_space(arm), in_space(force)));
        assert_eq!(turned([0.0, 0.0, 1.0], [1.0, 0.0]), [0.0, 1.0]);
    }

    #[test]
    fn a_vector_without_direction_has_no_unit() {
        assert_eq!(unit([0.0, 0.0]), None);
        assert_eq!(unit([3.0, 4.0]), Some([0.6000000000000001, 0.8]));
    }
}
