//! Parts of space: where grains come from, where they go, where they are counted.

use crate::error::Error;
use crate::vector::{add, add_scaled, dot, length, scale, sub, torque, unit};
use multigrain::Rng;

/// How far corners of a face may lie off its plane, over its size.
const FLAT: f64 = 1e-9;

/// A part of space.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Region<const D: usize> {
    /// A box along the axes.
    Box {
        /// Lower corner.
        lo: [f64; D],
        /// Upper corner.
        hi: [f64; D],
    },
    /// A ball, in the plane a disc.
    Ball {
        /// Its center.
        center: [f64; D],
        /// Its radius.
        radius: f64,
    },
    /// A cylinder with ends, in the plane a rectangle of any direction.
    Cylinder {
        /// Where its axis begins and ends.
        ends: [[f64; D]; 2],
        /// Its radius.
        radius: f64,
    },
    /// A flat convex polygon, in the plane a line from one corner to the other. It has no inside: grains can come through it.
    Face {
        /// Its corners, one after the other.
        corners: Vec<[f64; D]>,
    },
}

impl<const D: usize> Region<D> {
    /// Whether a point lies in it, its border included; none lies in a face.
    #[inline]
    pub fn contains(&self, x: [f64; D]) -> bool {
        match self {
            Self::Box { lo, hi } => is_inside(x, *lo, *hi),
            Self::Ball { center, radius } => length(sub(x, *center)) <= *radius,
            Self::Cylinder { ends, radius } => {
                let (axis, way) = (sub(ends[1], ends[0]), sub(x, ends[0]));
                let along = dot(way, axis) / dot(axis, axis);
                (0.0..=1.0).contains(&along) && length(add_scaled(way, axis, -along)) <= *radius
            }
            Self::Face { .. } => false,
        }
    }

    /// Whether a point can lie in it.
    pub fn has_inside(&self) -> bool {
        !matches!(self, Self::Face { .. })
    }

    /// Lower and upper corner of the box around it.
    pub fn bounds(&self) -> [[f64; D]; 2] {
        let around = |points: &[[f64; D]], radius: f64| {
            [
                std::array::from_fn(|axis| points.iter().fold(f64::INFINITY, |lo, p| lo.min(p[axis])) - radius),
                std::array::from_fn(|axis| points.iter().fold(f64::NEG_INFINITY, |hi, p| hi.max(p[axis])) + radius),
            ]
        };
        match self {
            Self::Box { lo, hi } => [*lo, *hi],
            Self::Ball { center, radius } => around(&[*center], *radius),
            Self::Cylinder { ends, radius } => around(ends, *radius),
            Self::Face { corners } => around(corners, 0.0),
        }
    }

    /// Refuses what is no part of space, and one that does not hold a grain of this radius.
    pub(crate) fn check(&self, of: &str, largest: f64) -> Result<(), Error> {
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        let points: &[[f64; D]] = match self {
            Self::Box { lo, hi } => &[*lo, *hi],
            Self::Ball { center, .. } => &[*center],
            Self::Cylinder { ends, .. } => ends,
            Self::Face { corners } => corners,
        };
        if let Some(&value) = points.as_flattened().iter().find(|value| !value.is_finite()) {
            return refuse("a corner or center", value, "must be finite");
        }
        let must = "must be finite and hold the largest grain";
        let is_held = |width: f64| width > 0.0 && width >= 2.0 * largest && width.is_finite();
        match self {
            Self::Box { lo, hi } => match (0..D).map(|axis| hi[axis] - lo[axis]).find(|&width| !is_held(width)) {
                Some(width) => refuse("width", width, must),
                None => Ok(()),
            },
            Self::Ball { radius, .. } if !is_held(2.0 * radius) => refuse("radius of the region", *radius, must),
            Self::Cylinder { radius, .. } if !is_held(2.0 * radius) => refuse("radius of the region", *radius, must),
            Self::Cylinder { ends, .. } if !is_held(length(sub(ends[1], ends[0]))) => {
                refuse("length", length(sub(ends[1], ends[0])), must)
            }
            Self::Ball { .. } | Self::Cylinder { .. } => Ok(()),
            Self::Face { corners } => {
                let count = corners.len();
                if (D == 2 && count != 2) || count < D {
                    let must = "must be 2 in the plane, and 3 or more in space";
                    return refuse("number of corners", count as f64, must);
                }
                if !is_convex(corners) {
                    return refuse("face", count as f64, "corners must be flat, convex and not all in one line");
                }
                Ok(())
            }
        }
    }

    /// A place for a grain, equally likely everywhere: all of it inside, or its center on the face.
    pub(crate) fn place(&self, radius: f64, rng: &mut Rng) -> [f64; D] {
        match self {
            Self::Box { lo, hi } => std::array::from_fn(|axis| {
                let (lo, hi) = (lo[axis] + radius, hi[axis] - radius);
                lo + (hi - lo) * rng.uniform()
            }),
            Self::Ball { center, radius: whole } => {
                let way: [f64; D] = in_unit_ball(rng);
                add_scaled(*center, way, whole - radius)
            }
            Self::Cylinder { ends, radius: whole } => {
                let axis = sub(ends[1], ends[0]);
                let length = length(axis);
                let axis = scale(axis, 1.0 / length);
                let mut place = add_scaled(ends[0], axis, radius + (length - 2.0 * radius) * rng.uniform());
                let across: [[f64; D]; 2] = across(axis);
                let wide = whole - radius;
                if D == 2 {
                    place = add_scaled(place, across[0], wide * (2.0 * rng.uniform() - 1.0));
                } else {
                    let way: [f64; 2] = in_unit_ball(rng);
                    place = add_scaled(add_scaled(place, across[0], wide * way[0]), across[1], wide * way[1]);
                }
                place
            }
            Self::Face { corners } if D == 2 => add_scaled(corners[0], sub(corners[1], corners[0]), rng.uniform()),
            Self::Face { corners } => {
                let areas: Vec<f64> = corners[1..].windows(2).map(|edge| area(corners[0], edge)).collect();
                let mut left = rng.uniform() * areas.iter().sum::<f64>();
                let last = areas.len() - 1;
                let piece = areas[..last].iter().position(|area| {
                    left -= area;
                    left < 0.0
                });
                let piece = piece.unwrap_or(last);
                let [mut u, mut v] = [rng.uniform(), rng.uniform()];
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let edges = [1, 2].map(|next| sub(corners[piece + next], corners[0]));
                add_scaled(add_scaled(corners[0], edges[0], u), edges[1], v)
            }
        }
    }

    /// In words that stay the same.
    pub(crate) fn describe(&self) -> String {
        let point = |point: &[f64; D]| crate::describe::numbers(point);
        match self {
            Self::Box { lo, hi } => format!("box {} to {}", point(lo), point(hi)),
            Self::Ball { center, radius } => format!("ball {} radius {radius:e}", point(center)),
            Self::Cylinder { ends, radius } => {
                format!("cylinder {} to {} radius {radius:e}", point(&ends[0]), point(&ends[1]))
            }
            Self::Face { corners } => {
                format!("face {}", corners.iter().map(point).collect::<Vec<String>>().join(" "))
            }
        }
    }
}

#[inline]
pub(crate) fn is_inside<const D: usize>(x: [f64; D], lo: [f64; D], hi: [f64; D]) -> bool {
    (0..D).all(|axis| x[axis] >= lo[axis] && x[axis] <= hi[axis])
}

/// A point of the unit ball, equally likely everywhere.
fn in_unit_ball<const N: usize>(rng: &mut Rng) -> [f64; N] {
    loop {
        let point: [f64; N] = std::array::from_fn(|_| 2.0 * rng.uniform() - 1.0);
        if dot(point, point) <= 1.0 {
            return point;
        }
    }
}

/// Directions across an axis of length 1, and across each other; in the plane the first alone.
fn across<const D: usize>(axis: [f64; D]) -> [[f64; D]; 2] {
    let mut first = [0.0; D];
    if D == 2 {
        (first[0], first[1]) = (-axis[1], axis[0]);
        return [first, [0.0; D]];
    }
    // The coordinate axis that lies most across.
    let least = (0..D).fold(0, |least, k| if axis[k].abs() < axis[least].abs() { k } else { least });
    first[least] = 1.0;
    let first = unit(add_scaled(first, axis, -axis[least])).unwrap_or(first);
    let second = torque(axis, first);
    [first, std::array::from_fn(|k| second[k])]
}

/// Area of the triangle of a corner and an edge.
fn area<const D: usize>(corner: [f64; D], edge: &[[f64; D]]) -> f64 {
    0.5 * length(torque(sub(edge[0], corner), sub(edge[1], corner)))
}

/// Whether corners are those of a flat convex polygon with an area, in the plane of a line with a length.
fn is_convex<const D: usize>(corners: &[[f64; D]]) -> bool {
    if D == 2 {
        return length(sub(corners[1], corners[0])) > 0.0;
    }
    let count = corners.len();
    let turns = (0..count).map(|k| {
        let [a, b, c] = [corners[k], corners[(k + 1) % count], corners[(k + 2) % count]];
        torque(sub(b, a), sub(c, b))
    });
    let whole = turns.clone().fold([0.0; 3], add);
    let Some(normal) = unit(whole) else { return false };
    let size = (0..count).map(|k| length(sub(corners[k], corners[0]))).fold(0.0, f64::max);
    let off = |corner: &[f64; D]| {
        let way = sub(*corner, corners[0]);
        (0..D).map(|k| way[k] * normal[k]).sum::<f64>().abs()
    };
    let turned = turns.map(|turn| dot(turn, normal)).fold(f64::INFINITY, f64::min);
    turned >= -FLAT * size * size && corners.iter().all(|corner| off(corner) <= FLAT * size)
}
