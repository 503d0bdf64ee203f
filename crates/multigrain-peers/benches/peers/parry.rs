//! parry3d: its f32 bounding volume hierarchy, traversed against itself, then a sphere test in f64.

use super::morton::morton_order;
use multigrain_lab::scene::Scene;
use multigrain_lab::spheres::{overlap, padded_box};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// Builds the tree in the order of the input and lists all overlapping pairs.
pub fn overlapping_pairs(scene: &Scene, list: &mut Vec<[u32; 2]>) {
    list_pairs(&scene.centers, &scene.radii, |i, j| list.push([i, j]));
}

/// The same after copying the particles in Morton order, which gives neighbours in the tree neighbouring memory.
pub fn overlapping_pairs_after_sorting(scene: &Scene, list: &mut Vec<[u32; 2]>) {
    let order = morton_order(scene);
    let centers: Vec<_> = order.iter().map(|&k| scene.centers[k as usize]).collect();
    let radii: Vec<_> = order.iter().map(|&k| scene.radii[k as usize]).collect();
    list_pairs(&centers, &radii, |i, j| list.push([order[i as usize], order[j as usize]]));
}

fn list_pairs(centers: &[[f64; 3]], radii: &[f64], mut push: impl FnMut(u32, u32)) {
    let boxes = centers.iter().zip(radii).map(|(&center, &radius)| {
        let (lo, hi) = padded_box(center, radius);
        Aabb::new(Vector::from_array(lo), Vector::from_array(hi))
    });
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |i, j| {
        if overlap(centers, radii, i, j) {
            push(i, j);
        }
    });
}
