//! Volume and moments of spheres, or discs, that overlap: each point of the union counts once.
//!
//! In the plane the union is bounded by arcs, and integrals over it are integrals along these (Green). In space slices at equal height
//! are unions of discs, and are summed over the height, piece by piece between the heights where their arcs come or go. Within a piece
//! slices change smoothly but for roots at its ends, which a change of variables takes away; so sums converge faster than any power of
//! the number of slices.

use std::f64::consts::{PI, TAU};

/// Slices of a piece.
const SLICES: usize = 40;

/// Points along an arc, at least: integrands are polynomials of low degree in sine and cosine.
const POINTS: usize = 16;

/// Longest piece of an arc that these points are for.
const LONGEST_ARC: f64 = 1.6;

/// Volume, in the plane area, first moments, and second moments about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments<const D: usize> {
    pub volume: f64,
    pub first: [f64; D],
    pub second: [[f64; D]; D],
}

impl<const D: usize> Moments<D> {
    const NONE: Self = Self { volume: 0.0, first: [0.0; D], second: [[0.0; D]; D] };
}

/// Moments of the union of discs.
pub(crate) fn of_discs(discs: &[([f64; 2], f64)]) -> Moments<2> {
    let rule = gauss(POINTS);
    let mut sum = Moments::NONE;
    for (k, &(center, radius)) in discs.iter().enumerate() {
        for [from, to] in free_arcs(discs, k) {
            let pieces = ((to - from) / LONGEST_ARC).ceil().max(1.0);
            for piece in 0..pieces as usize {
                let half = 0.5 * (to - from) / pieces;
                let middle = from + (2.0 * piece as f64 + 1.0) * half;
                for &(t, weight) in &rule {
                    let (sin, cos) = libm::sincos(middle + half * t);
                    let (x, y) = (center[0] + radius * cos, center[1] + radius * sin);
                    let (dx, dy) = (-radius * sin * half * weight, radius * cos * half * weight);
                    sum.volume += 0.5 * (x * dy - y * dx);
                    sum.first[0] += 0.5 * x * x * dy;
                    sum.first[1] -= 0.5 * y * y * dx;
                    sum.second[0][0] += x * x * x * dy / 3.0;
                    sum.second[1][1] -= y * y * y * dx / 3.0;
                    sum.second[0][1] += 0.5 * x * x * y * dy;
                }
            }
        }
    }
    sum.second[1][0] = sum.second[0][1];
    sum
}

/// Moments of the union of spheres.
pub(crate) fn of_spheres(spheres: &[([f64; 3], f64)]) -> Moments<3> {
    with_slices(spheres, SLICES)
}

fn with_slices(spheres: &[([f64; 3], f64)], slices: usize) -> Moments<3> {
    let heights = heights(spheres);
    let rule = gauss(slices);
    let mut sum = Moments::NONE;
    for piece in heights.windows(2) {
        let (middle, half) = (0.5 * (piece[0] + piece[1]), 0.5 * (piece[1] - piece[0]));
        for &(t, weight) in &rule {
            let (sin, cos) = libm::sincos(0.5 * PI * t);
            let (z, dz) = (middle + half * sin, half * 0.5 * PI * cos * weight);
            let discs: Vec<([f64; 2], f64)> = spheres
                .iter()
                .filter_map(|&([x, y, center], radius)| {
                    let squared = (radius - (z - center)) * (radius + (z - center));
                    (squared > 0.0).then(|| ([x, y], squared.sqrt()))
                })
                .collect();
            let slice = of_discs(&discs);
            sum.volume += slice.volume * dz;
            sum.first[2] += z * slice.volume * dz;
            sum.second[2][2] += z * z * slice.volume * dz;
            for i in 0..2 {
                sum.first[i] += slice.first[i] * dz;
                sum.second[i][2] += z * slice.first[i] * dz;
                (0..2).for_each(|j| sum.second[i][j] += slice.second[i][j] * dz);
            }
        }
    }
    (sum.second[2][0], sum.second[2][1]) = (sum.second[0][2], sum.second[1][2]);
    sum
}

/// The arcs of a disc that lie in no other, as angles that grow.
fn free_arcs(discs: &[([f64; 2], f64)], k: usize) -> Vec<[f64; 2]> {
    let (center, radius) = discs[k];
    let mut covered: Vec<[f64; 2]> = Vec::new();
    for (other, &(at, size)) in discs.iter().enumerate().filter(|&(other, _)| other != k) {
        let (x, y) = (at[0] - center[0], at[1] - center[1]);
        let distance = libm::hypot(x, y);
        if distance + radius <= size && (distance + size > radius || other < k) {
            return Vec::new();
        }
        if distance >= radius + size || distance + size <= radius {
            continue;
        }
        let cos = (distance * distance + (radius - size) * (radius + size)) / (2.0 * distance * radius);
        let (toward, half) = (libm::atan2(y, x), libm::acos(cos.clamp(-1.0, 1.0)));
        let from = (toward - half).rem_euclid(TAU);
        let to = from + 2.0 * half;
        covered.push([from, to.min(TAU)]);
        if to > TAU {
            covered.push([0.0, to - TAU]);
        }
    }
    covered.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (mut free, mut end) = (Vec::new(), 0.0);
    for [from, to] in covered {
        if from > end {
            free.push([end, from]);
        }
        end = to.max(end);
    }
    if end < TAU {
        free.push([end, TAU]);
    }
    free
}

/// Heights between which the arcs of slices neither come nor go: lowest and highest points of spheres and of the circles in which two
/// meet, and points where three meet.
fn heights(spheres: &[([f64; 3], f64)]) -> Vec<f64> {
    let mut heights: Vec<f64> =
        spheres.iter().flat_map(|&(center, radius)| [center[2] - radius, center[2] + radius]).collect();
    for (k, first) in spheres.iter().enumerate() {
        for (m, second) in spheres.iter().enumerate().skip(k + 1) {
            let Some(circle) = Circle::of(first, second) else { continue };
            let reach = circle.radius * (1.0 - circle.normal[2] * circle.normal[2]).max(0.0).sqrt();
            heights.extend([circle.center[2] - reach, circle.center[2] + reach]);
            for third in &spheres[m + 1..] {
                heights.extend(circle.meets(third));
            }
        }
    }
    let (low, high) =
        heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &z| (low.min(z), high.max(z)));
    heights.sort_by(f64::total_cmp);
    heights.dedup_by(|a, b| (*a - *b).abs() <= 1e-13 * (high - low));
    heights
}

/// Where two spheres meet.
struct Circle {
    center: [f64; 3],
    normal: [f64; 3],
    radius: f64,
}

impl Circle {
    fn of(&(a, r): &([f64; 3], f64), &(b, s): &([f64; 3], f64)) -> Option<Self> {
        let way: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let distance = dot(way, way).sqrt();
        if distance == 0.0 || distance >= r + s || distance <= (r - s).abs() {
            return None;
        }
        let normal = way.map(|x| x / distance);
        let along = (distance * distance + (r - s) * (r + s)) / (2.0 * distance);
        let radius = ((r - along) * (r + along)).max(0.0).sqrt();
        Some(Self { center: std::array::from_fn(|k| a[k] + along * normal[k]), normal, radius })
    }

    /// Heights at which a sphere meets the circle.
    fn meets(&self, &(center, radius): &([f64; 3], f64)) -> Vec<f64> {
        // The circle as center + radius (u cos t + v sin t).
        let axis = if self.normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let along = dot(axis, self.normal);
        let u: [f64; 3] = std::array::from_fn(|k| axis[k] - along * self.normal[k]);
        let length = dot(u, u).sqrt();
        let u = u.map(|x| x / length);
        let n = self.normal;
        let v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
        let way: [f64; 3] = std::array::from_fn(|k| self.center[k] - center[k]);
        let (p, q) = (2.0 * self.radius * dot(way, u), 2.0 * self.radius * dot(way, v));
        let rest = radius * radius - dot(way, way) - self.radius * self.radius;
        let size = libm::hypot(p, q);
        if size == 0.0 || rest.abs() > size {
            return Vec::new();
        }
        let (middle, half) = (libm::atan2(q, p), libm::acos(rest / size));
        [middle - half, middle + half]
            .map(|t| self.center[2] + self.radius * (u[2] * libm::cos(t) + v[2] * libm::sin(t)))
            .to_vec()
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Points and weights of Gauss and Legendre between -1 and 1, by Newton's method.
fn gauss(points: usize) -> Vec<(f64, f64)> {
    (0..points)
        .map(|k| {
            let mut x = libm::cos(PI * (k as f64 + 0.75) / (points as f64 + 0.5));
            let mut slope = 1.0;
            for _ in 0..100 {
                let (mut before, mut value) = (1.0, x);
                for n in 2..=points {
                    let n = n as f64;
                    (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
                }
                slope = points as f64 * (x * value - before) / (x * x - 1.0);
                let step = value / slope;
                x -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within * expected.abs().max(1.0), "{found} is not {expected}");
    }

    #[test]
    fn one_body_is_a_ball() {
        let ball = of_spheres(&[([1.0, -2.0, 0.5], 1.5)]);
        let volume = 4.0 / 3.0 * PI * 1.5f64.powi(3);
        assert_close(ball.volume, volume, 1e-13);
        assert_close(ball.first[1], -2.0 * volume, 1e-13);
        assert_close(ball.second[0][0], volume * (1.0 + 1.5 * 1.5 / 5.0), 1e-13);
        assert_close(ball.second[0][1], -2.0 * volume, 1e-13);
        let disc = of_discs(&[([3.0, 1.0], 2.0)]);
        assert_close(disc.volume, 4.0 * PI, 1e-14);
        assert_close(disc.second[1][1], 4.0 * PI * (1.0 + 1.0), 1e-14);
    }

    /// Two balls have caps in common: pi (h^2) (3 r - h) / 3 each; for discs segments.
    #[test]
    fn two_bodies_count_what_they_have_in_common_once() {
        let cap = |r: f64, h: f64| PI * h * h * (3.0 * r - h) / 3.0;
        let (r, s, d) = (1.0, 0.7, 1.2);
        let along: f64 = (d * d + r * r - s * s) / (2.0 * d);
        let expected = 4.0 / 3.0 * PI * (r * r * r + s * s * s) - cap(r, r - along) - cap(s, s - (d - along));
        for direction in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.6, 0.0, 0.8], [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]] {
            let two = of_spheres(&[([0.0; 3], r), (direction.map(|x| d * x), s)]);
            assert_close(two.volume, expected, 1e-12);
        }
        let segment = |r: f64, a: f64| r * r * (a / r).acos() - a * (r * r - a * a).sqrt();
        let two = of_discs(&[([0.0; 2], r), ([d * 0.6, d * 0.8], s)]);
        assert_close(two.volume, PI * (r * r + s * s) - segment(r, along) - segment(s, d - along), 1e-13);
    }

    #[test]
    fn equal_and_nested_bodies_count_once() {
        let (one, two) = (([0.5, 0.5, 0.0], 1.0), ([0.5, 0.6, 0.0], 0.3));
        assert_close(of_spheres(&[one, one, two, one]).volume, of_spheres(&[one]).volume, 1e-12);
    }

    /// More slices change nothing, and a turned clump has the moments turned.
    #[test]
    fn slices_converge_and_directions_do_not_matter() {
        let spheres = [
            ([0.0, 0.0, 0.0], 1.0),
            ([0.9, 0.2, -0.1], 0.8),
            ([0.3, 0.8, 0.4], 0.7),
            ([-0.2, 0.3, 0.9], 0.6),
            ([0.1, -0.7, 0.5], 0.5),
        ];
        let fine = with_slices(&spheres, 160);
        for (slices, within) in [(20, 1e-6), (40, 1e-9), (80, 1e-11)] {
            let coarse = with_slices(&spheres, slices);
            assert_close(coarse.volume, fine.volume, within);
            assert_close(coarse.second[0][1], fine.second[0][1], within);
        }
        // y up, z back: a quarter turn about x.
        let turned = spheres.map(|([x, y, z], radius)| ([x, -z, y], radius));
        let other = of_spheres(&turned);
        assert_close(other.volume, fine.volume, 1e-9);
        assert_close(other.second[2][2], fine.second[1][1], 1e-9);
        assert_close(other.second[0][1], -fine.second[0][2], 1e-9);
        // Points of a grid that lie inside.
        let (n, side) = (60, 4.0);
        let step = side / f64::from(n);
        let place = |k: i32| -2.0 + (f64::from(k) + 0.5) * step;
        let is_inside = |x: [f64; 3]| {
            spheres.iter().any(|&(center, radius)| {
                let way: [f64; 3] = std::array::from_fn(|k| x[k] - center[k]);
                dot(way, way) < radius * radius
            })
        };
        let cells = (0..n * n * n).filter(|k| is_inside([place(k % n), place(k / n % n), place(k / n / n)])).count();
        assert_close(cells as f64 * step.powi(3), fine.volume, 5e-3);
    }
}
