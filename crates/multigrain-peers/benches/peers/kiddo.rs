//! kiddo: a k-d tree per class of sizes, since its searches take a single radius.

use super::morton::morton_order;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use multigrain_lab::scene::Scene;
use multigrain_lab::spheres::overlap;

/// The bodies whose radii lie within a factor of two.
struct SizeClass {
    ids: Vec<u32>,
    centers: Vec<[f64; 3]>,
    largest: f64,
    tree: ImmutableKdTree<f64, 3>,
}

/// Each body searches the trees of its own and all smaller classes, bodies in Morton order, and lists what overlaps.
pub fn overlapping_pairs(scene: &Scene, list: &mut Vec<[u32; 2]>) {
    let classes = size_classes(scene);
    for (c, class) in classes.iter().enumerate() {
        for (&i, center) in class.ids.iter().zip(&class.centers) {
            let radius = scene.radii[i as usize];
            for (other_c, other) in classes[..=c].iter().enumerate() {
                let reach = radius + other.largest;
                other.tree.query(center).within::<SquaredEuclidean<f64>>(reach * reach).unsorted().visit(|hit| {
                    let j = other.ids[hit.item as usize];
                    // Two bodies of one class find each other twice.
                    if (other_c < c || i < j) && overlap(&scene.centers, &scene.radii, i, j) {
                        list.push([i, j]);
                    }
                });
            }
        }
    }
}

/// Classes from small to large, empty ones left out.
fn size_classes(scene: &Scene) -> Vec<SizeClass> {
    let smallest = scene.radii.iter().copied().fold(f64::INFINITY, f64::min);
    let mut members: Vec<Vec<u32>> = Vec::new();
    for k in morton_order(scene) {
        let class = (scene.radii[k as usize] / smallest).log2() as usize;
        if members.len() <= class {
            members.resize_with(class + 1, Vec::new);
        }
        members[class].push(k);
    }
    members.into_iter().filter(|ids| !ids.is_empty()).map(|ids| size_class(scene, ids)).collect()
}

fn size_class(scene: &Scene, ids: Vec<u32>) -> SizeClass {
    let centers: Vec<_> = ids.iter().map(|&k| scene.centers[k as usize]).collect();
    let largest = ids.iter().map(|&k| scene.radii[k as usize]).fold(0.0, f64::max);
    let tree = ImmutableKdTree::new_from_slice(&centers)
        .unwrap_or_else(|error| panic!("kiddo cannot build a tree of {} points: {error:?}", centers.len()));
    SizeClass { ids, centers, largest, tree }
}
