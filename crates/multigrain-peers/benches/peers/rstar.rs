//! rstar: an R*-tree joined with itself, then a sphere test.

use multigrain_lab::scene::Scene;
use multigrain_lab::spheres::overlap;
use rstar::RTree;
use rstar::primitives::{GeomWithData, Rectangle};

/// Loads the tree in bulk and lists all overlapping pairs.
pub fn overlapping_pairs(scene: &Scene, list: &mut Vec<[u32; 2]>) {
    let spheres = scene.centers.iter().zip(&scene.radii).zip(0u32..);
    let boxes = spheres.map(|((center, radius), k)| {
        let corners = Rectangle::from_corners(center.map(|x| x - radius), center.map(|x| x + radius));
        GeomWithData::new(corners, k)
    });
    let tree = RTree::bulk_load(boxes.collect());
    for (a, b) in tree.intersection_candidates_with_other_tree(&tree) {
        // The join of a tree with itself gives every pair in both orientations.
        let (i, j) = (a.data, b.data);
        if i < j && overlap(&scene.centers, &scene.radii, i, j) {
            list.push([i, j]);
        }
    }
}
