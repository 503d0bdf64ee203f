//! parry3d's tree for moving bodies: kept from step to step, refitted and optimised a little each time.

use super::Motion;
use multigrain_lab::scene::Scene;
use multigrain_lab::spheres::{overlap, padded_box};
use multigrain_lab::timing::{Contender, Found, Turn, timed};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// A tree built at the start and kept; each step updates all leaves and lists the overlapping pairs.
pub fn refitted_tree<'a>(start: &Scene) -> Contender<'a, Motion> {
    let leaves = start.centers.iter().zip(&start.radii).map(|(&center, &radius)| leaf(center, radius));
    let mut tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
    let mut workspace = BvhWorkspace::default();
    let mut list: Vec<[u32; 2]> = Vec::new();
    Contender::new("parry", move |motion: &Motion| {
        let (centers, radii) = (&motion.given.centers, &motion.given.radii);
        let (elapsed, ()) = timed(|| {
            list.clear();
            for (k, (&center, &radius)) in (0u32..).zip(centers.iter().zip(radii)) {
                tree.insert_or_update_partially(leaf(center, radius), k, 0.0);
            }
            tree.refit(&mut workspace);
            tree.optimize_incremental(&mut workspace);
            tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
                if overlap(centers, radii, i, j) {
                    list.push([i, j]);
                }
            });
        });
        Turn { elapsed, found: Found::in_list(&list) }
    })
}

#[inline]
fn leaf(center: [f64; 3], radius: f64) -> Aabb {
    let (lo, hi) = padded_box(center, radius);
    Aabb::new(Vector::from_array(lo), Vector::from_array(hi))
}
