//! Faces of meshes laid out to be passed over quickly: most that are near a grain do not touch it, and a few products tell.

use super::nearest::crossed;
use crate::vector::{dot, sub, unit};

/// Rounding of distances, over the largest coordinate.
const ROUNDING: f64 = 1e-12;

/// The plane of a face, in the plane its line, and the planes across it through its edges, in the plane its ends. What they say is
/// true of the face up to `slack`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab<const D: usize> {
    normal: [f64; D],
    at: f64,
    /// Pointing away from the face.
    sides: [([f64; D], f64); D],
    slack: f64,
}

/// How a sphere lies to a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlabReach {
    /// It does not touch it.
    Misses,
    /// It does.
    Touches,
    /// The nearest point of the face must tell.
    Unknown,
}

impl<const D: usize> Slab<D> {
    /// Of the face with these corners; `largest` is the largest of all coordinates.
    pub fn new(corners: [[f64; D]; D], normal: [f64; D], largest: f64) -> Self {
        let sides: [([f64; D], f64); D] = std::array::from_fn(|k| {
            let (from, to) = (corners[k], corners[(k + 1) % D]);
            // In the plane the end at `from`; in space the edge between both.
            let away = if D == 2 { sub(from, to) } else { crossed(sub(to, from), normal) };
            let away = unit(away).unwrap_or([0.0; D]);
            (away, dot(away, from))
        });
        // Which way corners go round does not matter: the corner that is not on an edge is on the inner side of it.
        let sides: [([f64; D], f64); D] = std::array::from_fn(|k| {
            let (away, at) = sides[k];
            let other = corners[(k + D - 1) % D];
            if dot(away, other) > at { (away.map(|x| -x), -at) } else { (away, at) }
        });
        let at = dot(normal, corners[0]);
        let off = corners.iter().flat_map(|corner| {
            let beyond = sides.map(|(away, at)| dot(away, *corner) - at);
            beyond.into_iter().chain([(dot(normal, *corner) - at).abs()])
        });
        // All points of the face are between its corners: none is further off than they are.
        let slack = off.fold(ROUNDING * largest, f64::max) + ROUNDING * largest;
        Self { normal, at, sides, slack }
    }

    /// Whether a sphere touches the face, as far as planes tell.
    #[inline]
    pub fn reach(&self, y: [f64; D], radius: f64) -> SlabReach {
        let (slack, above) = (self.slack + ROUNDING * radius, (dot(self.normal, y) - self.at).abs());
        let furthest = radius + slack;
        if above > furthest {
            return SlabReach::Misses;
        }
        let mut beyond = f64::NEG_INFINITY;
        for (away, at) in &self.sides {
            let here = dot(*away, y) - at;
            beyond = if here > beyond { here } else { beyond };
        }
        if beyond > slack {
            // Both directions are across each other.
            let (above, beyond) = ((above - slack).max(0.0), beyond - slack);
            return if above * above + beyond * beyond > furthest * furthest {
                SlabReach::Misses
            } else {
                SlabReach::Unknown
            };
        }
        if beyond < -slack && above + slack < radius { SlabReach::Touches } else { SlabReach::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::super::nearest::on_plate;
    use super::*;
    use crate::vector::{add, length};
    use multigrain::Rng;

    /// Faces of all shapes, slivers among them, and spheres about to touch them.
    fn is_never_wrong<const D: usize>(seed: u64) {
        let mut rng = Rng::new(seed);
        let (mut decided, mut count) = (0, 0);
        for k in 0..4000 {
            let size = [1.0, 1e-3, 30.0][k % 3];
            let mut draw = |size: f64| -> [f64; D] { std::array::from_fn(|_| size * (rng.uniform() - 0.5)) };
            let place = draw(4.0);
            let mut corners: [[f64; D]; D] = std::array::from_fn(|_| add(place, draw(size)));
            if D == 3 && k % 7 == 0 {
                // A sliver: the last corner beside the middle of the others.
                let middle = std::array::from_fn(|axis| 0.5 * (corners[0][axis] + corners[1][axis]));
                corners[2] = add(middle, draw(1e-6 * size));
            }
            let along = sub(corners[1], corners[0]);
            let across = if D == 2 {
                std::array::from_fn(|axis| if axis == 0 { -along[1] } else { along[0] })
            } else {
                crossed(along, sub(corners[D - 1], corners[0]))
            };
            let Some(normal) = unit(across) else { continue };
            let slab = Slab::new(corners, normal, 40.0);
            for _ in 0..20 {
                let y = add(corners[0], draw(2.0 * size));
                let distance = length(sub(on_plate(y, &corners, normal).0, y));
                for radius in [0.3 * size, distance, distance * (1.0 + 1e-9), distance * (1.0 - 1e-9), 2.0 * distance] {
                    let touches = distance < radius;
                    match slab.reach(y, radius) {
                        SlabReach::Misses => assert!(!touches, "{corners:?} {y:?} {radius}"),
                        SlabReach::Touches => assert!(touches, "{corners:?} {y:?} {radius}"),
                        SlabReach::Unknown => continue,
                    }
                    decided += 1;
                }
                count += 5;
            }
        }
        // Two in five radii are not at the very point of touching.
        assert!(5 * decided > count, "{decided} of {count} decided");
    }

    #[test]
    fn planes_never_say_what_the_nearest_point_denies() {
        is_never_wrong::<3>(3);
        is_never_wrong::<2>(4);
    }
}
