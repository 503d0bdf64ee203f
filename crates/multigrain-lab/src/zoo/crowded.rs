//! Crowds in one place: more bodies in what looks like one cell than any cell should have.

use super::Arrangement;
use super::heap::{Heap, side_of};
use multigrain::Rng;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space(
        "points-at-one-spot",
        "half of the bodies are points of radius 0 at one spot among even spheres",
        |n, rng| points(n, 0.0, rng),
    ),
    Arrangement::space(
        "points-in-one-cell",
        "half of the bodies are points of radius 0 within a tenth of a radius",
        |n, rng| points(n, 0.1, rng),
    ),
    Arrangement::space(
        "tiny-in-one-cell",
        "half of the bodies are tiny, all within one radius of the others' cloud",
        |n, rng| {
            let (mut heap, middle) = cloud(n - n / 2, rng);
            let tiny = 1.0 / side_of(&vec![1.0; n / 2], 0.3, 3);
            heap.scatter(vec![tiny; n / 2], middle, 1.0, rng);
            heap
        },
    ),
    Arrangement::space(
        "beside-100",
        "half large in a cube, half 100 times smaller in its corner, equally dense",
        |n, rng| beside(n, 1e-2, rng),
    ),
    Arrangement::space("beside-1e4", "the same, 1e4 times smaller", |n, rng| beside(n, 1e-4, rng)),
    Arrangement::space("beside-1e6", "the same, 1e6 times smaller", |n, rng| beside(n, 1e-6, rng)),
    Arrangement::space("stacks-of-eight", "equal bodies, eight at every place", |n, rng| {
        let mut heap = Heap::new();
        let side = side_of(&vec![1.0; n.div_ceil(8)], 0.05, 3);
        heap.scatter(vec![1.0; n.div_ceil(8)], [0.0; 3], side, rng);
        heap.centers = (0..n).map(|body| heap.centers[body / 8]).collect();
        heap.radii = vec![1.0; n];
        heap
    }),
];

/// Equal spheres evenly in a cube, and the middle of it.
fn cloud(count: usize, rng: &mut Rng) -> (Heap<3>, [f64; 3]) {
    let mut heap = Heap::new();
    let side = heap.fill(&vec![1.0; count], 0.6, [0.0; 3], rng);
    (heap, [side / 2.0; 3])
}

/// Half of the bodies in a cloud, half of them points in a small cube in its middle.
fn points(count: usize, side: f64, rng: &mut Rng) -> Heap<3> {
    let (mut heap, middle) = cloud(count - count / 2, rng);
    heap.scatter(vec![0.0; count / 2], middle, side, rng);
    heap
}

fn beside(count: usize, small: f64, rng: &mut Rng) -> Heap<3> {
    let mut heap = Heap::new();
    heap.fill(&vec![1.0; count - count / 2], 0.25, [0.0; 3], rng);
    heap.fill(&vec![small; count / 2], 0.25, [0.0; 3], rng);
    heap
}
