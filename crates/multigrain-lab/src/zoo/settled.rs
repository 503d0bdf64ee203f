//! Packings without overlap, as simulations have them, searched with a margin.

use super::Arrangement;
use super::heap::{Heap, in_box, power};
use multigrain::Rng;
use multigrain::System;
use multigrain_packings::growth;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space(
        "packing",
        "copies of a periodic packing of 500 bodies, ratio 5, at 0.6; margin a tenth of the smallest",
        |n, rng| tiled(n, power(-3.0, 5.0, 500, 3), rng).with_margin(0.1),
    ),
    Arrangement::space(
        "packing-equal",
        "copies of a periodic packing of 500 equal bodies at 0.6; margin a tenth",
        |n, rng| tiled(n, vec![1.0; 500], rng).with_margin(0.1),
    ),
    Arrangement::space(
        "pile",
        "a cone of equal bodies on the floor of a box 1e4 times as wide, periodic along x and y",
        |n, rng| {
            let mut heap = Heap::new();
            // The cone is as high as its floor is wide; it fills 0.26 of the cube around it.
            let side = (n as f64 * 4.19 / 0.5 / 0.2618).cbrt();
            while heap.centers.len() < n {
                let [x, y, z] = in_box([0.0; 3], [1.0; 3], rng);
                if (x - 0.5).hypot(y - 0.5) < 0.5 * (1.0 - z) {
                    heap.put([x, y, z].map(|x| side * x), 1.0);
                }
            }
            let wide = 1e4 * side;
            heap.within([-wide, -wide, 0.0], [wide; 3], [true, true, false])
        },
    ),
];

/// As many copies of a packing as it takes, side by side in a periodic box; the last ones are not whole.
fn tiled(count: usize, radii: Vec<f64>, rng: &mut Rng) -> Heap<3> {
    let grown = growth(radii, 0.6, [true; 3], rng.next_u64(), |_| true);
    let System { centers, radii, domain } =
        grown.unwrap_or_else(|error| panic!("a packing of the zoo: {error}")).system;
    let side = domain.hi()[0];
    let tiles = count.div_ceil(radii.len());
    let along = (tiles as f64).cbrt().ceil() as usize;
    let mut heap = Heap::new();
    for body in 0..count {
        let (tile, body) = (body / radii.len(), body % radii.len());
        let place = [tile % along, tile / along % along, tile / along / along];
        let center = std::array::from_fn(|axis| centers[body][axis] + side * place[axis] as f64);
        heap.put(center, radii[body]);
    }
    heap.within([0.0; 3], [along as f64 * side; 3], [true; 3])
}
