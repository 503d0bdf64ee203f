//! Boxes: thin ones, where bodies meet images, and huge ones, which are empty almost everywhere.

use super::Arrangement;
use super::heap::{Heap, in_box, power};
use multigrain::Rng;
use multigrain::sizes::ball_volume;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space("slab", "periodic box as thin as a body, 2.1 radii, wider for more bodies", |n, rng| {
        filled(&vec![1.0; n], [Some(2.1), None, None], [true; 3], rng)
    })
    .thin(),
    Arrangement::space("slab-mixed", "the same with radii from 0.1 to 1, equal volume per size", |n, rng| {
        let radii: Vec<f64> = power(-3.0, 10.0, n, 3).into_iter().map(|radius| radius / 10.0).collect();
        filled(&radii, [Some(2.1), None, None], [true; 3], rng)
    })
    .thin(),
    Arrangement::space("wire", "periodic box as thin as a body along x and y, longer for more bodies", |n, rng| {
        filled(&vec![1.0; n], [Some(2.1), Some(2.1), None], [true; 3], rng)
    })
    .thin(),
    Arrangement::space("axis-tiny", "one periodic axis of 0.55 radii: three images of each body touch it", |n, rng| {
        filled(&vec![1.0; n], [Some(0.55), None, None], [true; 3], rng)
    })
    .thin(),
    Arrangement::space("axis-tiny-open", "the same, open along the other axes", |n, rng| {
        filled(&vec![1.0; n], [Some(0.55), None, None], [true, false, false], rng)
    })
    .thin(),
    Arrangement::space("axes-tiny", "two periodic axes of 0.8 radii: ten images of each body touch it", |n, rng| {
        filled(&vec![1.0; n], [Some(0.8), Some(0.8), None], [true; 3], rng)
    })
    .thin(),
    Arrangement::space(
        "slab-wide-body",
        "periodic, 50 radii thick; ten bodies a little thicker than the slab",
        |n, rng| {
            let large = 10.min(n);
            let mut radii = vec![1.0; n];
            radii[..large].fill(26.0);
            filled(&radii, [Some(50.0), None, None], [true; 3], rng)
        },
    ),
    Arrangement::space("huge-empty-periodic", "an even cube in a periodic box 1e9 times as wide", |n, rng| {
        let (heap, side) = even(n, 0.6, rng);
        heap.within([-1e9 * side; 3], [1e9 * side; 3], [true; 3])
    }),
    Arrangement::space("huge-empty-open", "an even cube in a box 1e9 times as wide, not periodic", |n, rng| {
        let (heap, side) = even(n, 0.6, rng);
        heap.within([-1e9 * side; 3], [1e9 * side; 3], [false; 3])
    }),
    Arrangement::space("sparse-periodic", "evenly in a periodic box that the bodies fill to 1e-9", |n, rng| {
        let (heap, side) = even(n, 1e-9, rng);
        heap.within([0.0; 3], [side; 3], [true; 3])
    }),
    Arrangement::space("sparse-open", "the same without a box", |n, rng| even(n, 1e-9, rng).0),
    Arrangement::space("sparse-mixed", "sizes of uv100 in open space that they fill to 1e-12", |n, rng| {
        let mut heap = Heap::new();
        heap.fill(&power(-3.0, 100.0, n, 3), 1e-12, [0.0; 3], rng);
        heap
    }),
];

fn even(count: usize, fraction: f64, rng: &mut Rng) -> (Heap<3>, f64) {
    let mut heap = Heap::new();
    let side = heap.fill(&vec![1.0; count], fraction, [0.0; 3], rng);
    (heap, side)
}

/// Bodies evenly in a box with some sides given; the others are equal and such that bodies fill 0.6 of the box.
fn filled(radii: &[f64], sides: [Option<f64>; 3], periodic: [bool; 3], rng: &mut Rng) -> Heap<3> {
    let volume = radii.iter().map(|&radius| ball_volume(radius, 3)).sum::<f64>() / 0.6;
    let given: f64 = sides.iter().flatten().product();
    let open = sides.iter().filter(|side| side.is_none()).count();
    let sides = sides.map(|side| side.unwrap_or(libm::pow(volume / given, 1.0 / open as f64)));
    let mut heap = Heap::new();
    for &radius in radii {
        heap.put(in_box([0.0; 3], sides, rng), radius);
    }
    heap.within([0.0; 3], sides, periodic)
}
