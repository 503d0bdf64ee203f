//! parry's bounding volume hierarchy as a contender: boxes in f32 or f64, images of periodic boxes as bodies of their own,
//! then a sphere test in f64.

use multigrain_lab::spheres::padded_box;
use multigrain_lab::zoo::Placed;

/// Which of parry's crates does the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// parry3d.
    F32,
    /// parry3d-f64.
    F64,
}

impl Precision {
    /// f32 unless its rounding is more than a tenth of the reach of more than a hundredth of the bodies.
    pub fn for_bodies(placed: &Placed<3>) -> Self {
        let Placed { system, margin } = placed;
        let is_coarse = |(center, radius): (&[f64; 3], &f64)| {
            let largest = center.iter().fold(0f64, |largest, x| largest.max(x.abs()));
            largest * f64::from(f32::EPSILON) > 0.1 * (radius + margin / 2.0) && *radius > 0.0
        };
        let coarse = system.centers.iter().zip(&system.radii).filter(|&body| is_coarse(body)).count();
        if 100 * coarse > placed.len() { Self::F64 } else { Self::F32 }
    }
}

/// A body, or the image of one, in the tree: the center, half of its reach, and which body it is.
struct Seen {
    center: [f64; 3],
    radius: f64,
    body: u32,
}

/// Lists every touching pair, `i` and `j` in either order, a pair once for each of its images.
pub fn overlapping_pairs(placed: &Placed<3>, precision: Precision, list: &mut Vec<[u32; 2]>) {
    let bodies = wrapped(placed);
    let images = images(placed, &bodies);
    match precision {
        Precision::F32 => single::join(&bodies, &images, list),
        Precision::F64 => double::join(&bodies, &images, list),
    }
}

/// The bodies, inside the box along periodic axes.
fn wrapped(placed: &Placed<3>) -> Vec<Seen> {
    let (domain, half_margin) = (&placed.system.domain, placed.margin / 2.0);
    let lengths = domain.lengths();
    let into_box = |axis: usize, x: f64| {
        if lengths[axis] == 0.0 { x } else { x - lengths[axis] * ((x - domain.lo()[axis]) / lengths[axis]).floor() }
    };
    let bodies = placed.system.centers.iter().zip(&placed.system.radii).zip(0..);
    bodies
        .map(|((center, radius), body)| {
            let center = [0, 1, 2].map(|axis| into_box(axis, center[axis]));
            Seen { center, radius: radius + half_margin, body }
        })
        .collect()
}

/// The images at positive shifts that may touch a body inside the box.
fn images(placed: &Placed<3>, bodies: &[Seen]) -> Vec<Seen> {
    let lengths = placed.system.domain.lengths();
    let (mut lo, mut hi) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for body in bodies {
        for axis in 0..3 {
            lo[axis] = lo[axis].min(body.center[axis] - body.radius);
            hi[axis] = hi[axis].max(body.center[axis] + body.radius);
        }
    }
    let mut images = Vec::new();
    if !placed.system.domain.has_images() {
        return images;
    }
    for seen in bodies {
        // Shifts along each axis at which the image still meets the box around all bodies.
        let range = |axis: usize| {
            if lengths[axis] == 0.0 {
                return 0..=0;
            }
            let most = ((hi[axis] - seen.center[axis] + seen.radius) / lengths[axis]).floor() as i32;
            let least = ((lo[axis] - seen.center[axis] - seen.radius) / lengths[axis]).ceil() as i32;
            least..=most
        };
        for x in range(0) {
            for y in range(1) {
                for z in range(2).filter(|&z| [x, y, z] > [0, 0, 0]) {
                    let center = [0, 1, 2].map(|axis| seen.center[axis] + f64::from([x, y, z][axis]) * lengths[axis]);
                    images.push(Seen { center, ..*seen });
                }
            }
        }
    }
    images
}

fn touch(a: &Seen, b: &Seen) -> bool {
    let [x, y, z] = [0, 1, 2].map(|axis| b.center[axis] - a.center[axis]);
    let reach = a.radius + b.radius;
    x * x + y * y + z * z < reach * reach
}

/// The same search with either of parry's crates.
macro_rules! search {
    ($name:ident, $parry:ident, $corners:expr) => {
        mod $name {
            use super::{Seen, touch};
            use $parry::bounding_volume::Aabb;
            use $parry::math::Vector;
            use $parry::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

            /// The pairs among bodies, and of bodies with images.
            pub(super) fn join(bodies: &[Seen], images: &[Seen], list: &mut Vec<[u32; 2]>) {
                let tree = tree(bodies);
                tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |i, j| {
                    if touch(&bodies[i as usize], &bodies[j as usize]) {
                        list.push([i, j]);
                    }
                });
                if images.is_empty() {
                    return;
                }
                for (i, image) in tree.leaf_pairs(&self::tree(images), |a, b| a.intersects(b)) {
                    if touch(&bodies[i as usize], &images[image as usize]) {
                        list.push([i, images[image as usize].body]);
                    }
                }
            }

            fn tree(seen: &[Seen]) -> Bvh {
                let boxes = seen.iter().map(|seen| {
                    let (lo, hi) = $corners(seen.center, seen.radius);
                    Aabb::new(Vector::from_array(lo), Vector::from_array(hi))
                });
                Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate())
            }
        }
    };
}

search!(single, parry3d, super::padded_box);
search!(double, parry3d_f64, super::exact_box);

/// The box around a sphere, a little wider than rounding needs.
fn exact_box(center: [f64; 3], radius: f64) -> ([f64; 3], [f64; 3]) {
    const PADDING: f64 = 2.0 * f64::EPSILON;
    let side = |direction: f64| center.map(|x| x + direction * (radius + PADDING * (x.abs() + radius)));
    (side(-1.0), side(1.0))
}
