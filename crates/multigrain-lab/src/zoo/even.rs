//! Bodies evenly spread: the data sets of the other benches, and the same far from the origin.

use super::Arrangement;
use super::heap::Heap;
use multigrain::Rng;
use multigrain::System;
use multigrain_packings::DataSet;

pub(super) const ALL: &[Arrangement] = &[
    Arrangement::space("even", "equal spheres evenly in a cube, the set mono: the yardstick", |n, rng| {
        open("mono", n, rng)
    }),
    Arrangement::space("even-periodic", "the same in a periodic box", |n, rng| periodic("mono", n, rng)),
    Arrangement::space("us50", "the data set: radii evenly from 1 to 50", |n, rng| open("us50", n, rng)),
    Arrangement::space("bi10", "the data set: two sizes of equal volume, ratio 10", |n, rng| open("bi10", n, rng)),
    Arrangement::space("uv50", "the data set: equal volume per size, ratio 50", |n, rng| open("uv50", n, rng)),
    Arrangement::space("uv100", "the data set: equal volume per size, ratio 100", |n, rng| open("uv100", n, rng)),
    Arrangement::space("uv1000", "the data set: equal volume per size, ratio 1000", |n, rng| open("uv1000", n, rng)),
    Arrangement::space("uv100-periodic", "uv100 in a periodic box", |n, rng| periodic("uv100", n, rng)),
    Arrangement::space("offset-1e8", "even, 1e8 radii from the origin", |n, rng| open("mono", n, rng).moved(1e8)),
    Arrangement::space("offset-1e12", "even, 1e12 radii from the origin", |n, rng| open("mono", n, rng).moved(1e12)),
    Arrangement::space(
        "offset-1e15",
        "even, 1e15 radii from the origin, where coordinates are eighths of a radius",
        |n, rng| open("mono", n, rng).moved(1e15),
    ),
];

fn open(set: &str, count: usize, rng: &mut Rng) -> Heap<3> {
    heap(of_name(set).build(count, rng.next_u64()))
}

fn periodic(set: &str, count: usize, rng: &mut Rng) -> Heap<3> {
    heap(of_name(set).build_periodic(count, rng.next_u64()))
}

fn of_name(set: &str) -> &'static DataSet {
    DataSet::from_name(set).unwrap_or_else(|| panic!("no data set is called {set}"))
}

fn heap(system: Result<System<3>, multigrain::Error>) -> Heap<3> {
    let System { centers, radii, domain } = system.unwrap_or_else(|error| panic!("a data set of the zoo: {error}"));
    Heap { centers, radii, domain, margin: 0.0 }
}
