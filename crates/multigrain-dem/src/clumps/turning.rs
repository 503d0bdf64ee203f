//! How rigid bodies turn: unit quaternions, and free rotation.

use crate::vector::Spin;
use multigrain::Rng;

/// How a body is turned: a unit quaternion, the real part first. It turns vectors of the body into those of space.
pub type Quaternion = [f64; 4];

/// Not turned.
pub(crate) const UPRIGHT: Quaternion = [1.0, 0.0, 0.0, 0.0];

/// A turn at random, none before others, in the plane of two axes about the third; its length is not 1.
pub fn random_turn(rng: &mut Rng, dimension: usize) -> Quaternion {
    // Normal numbers have no direction before others.
    match dimension {
        2 => [rng.normal(), 0.0, 0.0, rng.normal()],
        _ => std::array::from_fn(|_| rng.normal()),
    }
}

/// The turn of `b`, then that of `a`.
#[inline]
pub(crate) fn times(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// The turn back.
#[inline]
pub(crate) fn back([w, x, y, z]: Quaternion) -> Quaternion {
    [w, -x, -y, -z]
}

/// The same turn with length 1; nothing where there is none.
pub(crate) fn unit(q: Quaternion) -> Option<Quaternion> {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| q.map(|x| x / length))
}

/// Rows of the rotation.
#[inline]
pub(crate) fn rotation([w, x, y, z]: Quaternion) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The quaternion of a rotation with these rows.
pub(crate) fn quaternion(m: &[[f64; 3]; 3]) -> Quaternion {
    // From the largest of the four, so that nothing small is divided by.
    let squares = [
        1.0 + m[0][0] + m[1][1] + m[2][2],
        1.0 + m[0][0] - m[1][1] - m[2][2],
        1.0 - m[0][0] + m[1][1] - m[2][2],
        1.0 - m[0][0] - m[1][1] + m[2][2],
    ];
    let (wx, wy, wz) = (m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]);
    let (xy, xz, yz) = (m[0][1] + m[1][0], m[0][2] + m[2][0], m[1][2] + m[2][1]);
    let largest = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let q = match largest {
        0 => [squares[0], wx, wy, wz],
        1 => [wx, squares[1], xy, xz],
        2 => [wy, xy, squares[2], yz],
        _ => [wz, xz, yz, squares[3]],
    };
    unit(q).unwrap_or(UPRIGHT)
}

/// The vector of space that a vector of the body is.
#[inline]
pub(crate) fn to_space(rows: &[[f64; 3]; 3], v: Spin) -> Spin {
    std::array::from_fn(|i| rows[i][0] * v[0] + rows[i][1] * v[1] + rows[i][2] * v[2])
}

/// The vector of the body that a vector of space is.
#[inline]
pub(crate) fn to_body(rows: &[[f64; 3]; 3], v: Spin) -> Spin {
    std::array::from_fn(|i| rows[0][i] * v[0] + rows[1][i] * v[1] + rows[2][i] * v[2])
}

/// Turns a body with this angular momentum, in space, over a time, nothing acting on it. `inverse` are the inverse moments of inertia
/// about its own axes.
///
/// One axis after the other, there and back (Dullweber, Leimkuhler, McLachlan, J. Chem. Phys. 107 (1997) 5840): of second order,
/// the same backwards in time, and energy swings but does not drift. The angular momentum in space is not touched at all. Each turn about
/// an axis is Cayley's, with half the angle in place of its tangent: right to the same order, and without sine and cosine, which differ
/// from machine to machine.
pub(crate) fn turned_freely(q: Quaternion, momentum: Spin, inverse: Spin, time: f64) -> Quaternion {
    let mut q = q;
    let mut own = to_body(&rotation(q), momentum);
    for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
        let half = 0.5 * share * time * own[axis] * inverse[axis];
        if half == 0.0 {
            continue;
        }
        let mut turn = [1.0, 0.0, 0.0, 0.0];
        turn[axis + 1] = half;
        q = times(q, turn);
        // The momentum turns back in the body, by twice the angle whose tangent is half of it.
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        let (square, double) = (half * half, 2.0 * half);
        let scale = 1.0 / (1.0 + square);
        (own[a], own[b]) =
            (scale * ((1.0 - square) * own[a] + double * own[b]), scale * ((1.0 - square) * own[b] - double * own[a]));
    }
    unit(q).unwrap_or(q)
}

/// Angular velocity in space of a body with this angular momentum.
#[inline]
pub(crate) fn spin_of(rows: &[[f64; 3]; 3], momentum: Spin, inverse: Spin) -> Spin {
    let own = to_body(rows, momentum);
    to_space(rows, std::array::from_fn(|axis| own[axis] * inverse[axis]))
}

/// Angular momentum in space of a body with this angular velocity.
pub(crate) fn momentum_of(rows: &[[f64; 3]; 3], spin: Spin, inertia: Spin) -> Spin {
    let own = to_body(rows, spin);
    to_space(rows, std::array::from_fn(|axis| own[axis] * inertia[axis]))
}

/// How fast the angular velocity changes with this torque: Euler's equations.
pub(crate) fn spin_change(rows: &[[f64; 3]; 3], momentum: Spin, torque: Spin, inverse: Spin) -> Spin {
    let (own, torque) = (to_body(rows, momentum), to_body(rows, torque));
    let spin: Spin = std::array::from_fn(|axis| own[axis] * inverse[axis]);
    let change = std::array::from_fn(|k| {
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        inverse[k] * (torque[k] - (spin[a] * own[b] - spin[b] * own[a]))
    });
    to_space(rows, change)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INERTIA: Spin = [1.0, 2.0, 3.5];

    fn energy(q: Quaternion, momentum: Spin) -> f64 {
        let own = to_body(&rotation(q), momentum);
        (0..3).map(|k| 0.5 * own[k] * own[k] / INERTIA[k]).sum()
    }

    fn run(steps: u32, time: f64) -> Quaternion {
        let q = unit([0.9, 0.1, -0.3, 0.2]).unwrap();
        // Close to the axis of middle inertia, about which a top tumbles.
        let momentum = to_space(&rotation(q), [0.05, 2.0, 0.1]);
        let inverse = INERTIA.map(|inertia| 1.0 / inertia);
        (0..steps).fold(q, |q, _| turned_freely(q, momentum, inverse, time / f64::from(steps)))
    }

    #[test]
    fn quaternions_and_rotations_agree() {
        for q in [[0.9, 0.1, -0.3, 0.2], [0.0, 1.0, 0.0, 0.0], [-0.1, 0.2, 0.9, 0.3], [0.05, 0.0, 0.3, -0.9]] {
            let q = unit(q).unwrap();
            let again = quaternion(&rotation(q));
            let sign = if q.iter().zip(&again).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
            assert!(q.iter().zip(&again).all(|(a, b)| (a - sign * b).abs() < 1e-14), "{q:?} {again:?}");
            let (other, v) = (unit([0.3, 0.5, 0.1, -0.7]).unwrap(), [0.3, -1.0, 2.0]);
            let one_by_one = to_space(&rotation(q), to_space(&rotation(other), v));
            let at_once = to_space(&rotation(times(q, other)), v);
            assert!((0..3).all(|k| (one_by_one[k] - at_once[k]).abs() < 1e-14));
            assert!(times(q, back(q)).iter().zip(UPRIGHT).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }

    /// The asymmetric top: halving the step divides the error by four.
    #[test]
    fn free_rotation_is_of_second_order() {
        let exact = run(64_000, 10.0);
        let error = |steps: u32| {
            let found = run(steps, 10.0);
            (0..4).map(|k| (found[k] - exact[k]).powi(2)).sum::<f64>().sqrt()
        };
        let errors = [500, 1000, 2000].map(error);
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.05, "order {order}: {errors:?}");
        }
    }

    #[test]
    fn a_tumbling_top_keeps_its_energy_for_ever() {
        let mut q = unit([0.9, 0.1, -0.3, 0.2]).unwrap();
        let momentum = to_space(&rotation(q), [0.05, 2.0, 0.1]);
        let inverse = INERTIA.map(|inertia| 1.0 / inertia);
        let first = energy(q, momentum);
        let (mut worst, mut late) = (0.0f64, 0.0f64);
        let mut ways = [false; 2];
        for step in 0..200_000 {
            q = turned_freely(q, momentum, inverse, 0.02);
            let off = (energy(q, momentum) / first - 1.0).abs();
            if step < 20_000 {
                worst = worst.max(off)
            } else {
                late = late.max(off)
            }
            ways[usize::from(to_body(&rotation(q), momentum)[1] > 0.0)] = true;
        }
        assert!(ways == [true; 2], "it tumbles");
        assert!(worst < 1e-4 && late < 1.01 * worst, "{worst} at first, {late} later");
    }

    /// About one of its axes a body turns as far as angular velocity says, and Euler's equations say nothing else.
    #[test]
    fn a_body_on_its_axis_turns_steadily() {
        let inverse = INERTIA.map(|inertia| 1.0 / inertia);
        let mut q = UPRIGHT;
        for _ in 0..1000 {
            q = turned_freely(q, [0.0, 0.0, 3.5 * 2.0], inverse, 1e-3);
        }
        let angle = 2.0 * q[3].atan2(q[0]);
        assert!((angle - 2.0).abs() < 1e-6, "{angle}");
        let rows = rotation(unit([0.9, 0.1, -0.3, 0.2]).unwrap());
        let spin = [0.3, -0.2, 0.5];
        let momentum = momentum_of(&rows, spin, INERTIA);
        assert!(spin_of(&rows, momentum, inverse).iter().zip(spin).all(|(a, b)| (a - b).abs() < 1e-15));
        let change = spin_change(&rows, momentum, [0.0; 3], inverse);
        // The momentum stays: L = I w, so I w' = -w x L in space.
        let (q, dt) = (quaternion(&rows), 1e-6);
        let later = spin_of(&rotation(turned_freely(q, momentum, inverse, dt)), momentum, inverse);
        assert!((0..3).all(|k| ((later[k] - spin[k]) / dt - change[k]).abs() < 1e-5));
    }
}
