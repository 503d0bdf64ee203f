//! Lists of neighbours against the plainest way to make them.

use multigrain::{Axes, Dimension, Domain, Pairs, Rng, Snapshot, find_pairs, on_this_thread};
use multigrain_neighbors::{NeighborColumns, NeighborIndex, NeighborOrder, NeighborReal, NeighborTable, PairView};
use std::fmt::Debug;

const ORDERS: [NeighborOrder; 4] =
    [NeighborOrder::Rows, NeighborOrder::HalfRows, NeighborOrder::Found, NeighborOrder::HalfFound];

/// All columns of a list.
#[derive(Debug, Clone, PartialEq)]
struct List<I, F, const D: usize> {
    first: Vec<I>,
    second: Vec<I>,
    shifts: Vec<[i32; D]>,
    distances: Vec<F>,
    vectors: Vec<[F; D]>,
}

fn written<I: NeighborIndex, F: NeighborReal, const D: usize>(
    pairs: &Pairs<D>,
    now: &Snapshot<'_, D>,
    order: NeighborOrder,
) -> List<I, F, D> {
    let entries = order.directions() * pairs.len();
    let mut list = List {
        first: vec![I::default(); entries],
        second: vec![I::default(); entries],
        shifts: vec![[-7; D]; entries],
        distances: vec![F::default(); entries],
        vectors: vec![[F::default(); D]; entries],
    };
    let columns = NeighborColumns {
        offsets: &mut [],
        first: &mut list.first,
        second: &mut list.second,
        shifts: &mut list.shifts,
        distances: &mut list.distances,
        vectors: &mut list.vectors,
    };
    PairView::from(pairs).write_neighbors(now, order, columns);
    list
}

/// The same list entry by entry, sorted by comparisons.
fn expected<I: NeighborIndex, F: NeighborReal, const D: usize>(
    pairs: &Pairs<D>,
    now: &Snapshot<'_, D>,
    order: NeighborOrder,
) -> List<I, F, D> {
    let mut entries = Vec::new();
    for pair in pairs.iter() {
        entries.push((pair.i, pair.j, pair.shift));
        if order.directions() == 2 {
            entries.push((pair.j, pair.i, pair.shift.map(|component| -component)));
        }
    }
    if matches!(order, NeighborOrder::Rows | NeighborOrder::HalfRows) {
        entries.sort_unstable();
    }
    let vector = |&(i, j, shift): &(u32, u32, [i32; D])| now.contact_vector(i as usize, j as usize, shift);
    let length = |vector: [f64; D]| vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    List {
        first: entries.iter().map(|entry| I::of(entry.0)).collect(),
        second: entries.iter().map(|entry| I::of(entry.1)).collect(),
        shifts: entries.iter().map(|entry| entry.2).collect(),
        distances: entries.iter().map(|entry| F::of(length(vector(entry)))).collect(),
        vectors: entries.iter().map(|entry| vector(entry).map(F::of)).collect(),
    }
}

/// Compares every order and type, with every number of threads; gives the number of pairs.
fn check<const D: usize>(now: Snapshot<'_, D>) -> usize
where
    Axes: Dimension<D>,
{
    let pairs = find_pairs(now);
    for order in ORDERS {
        same::<i64, f64, D>(&pairs, &now, order);
        same::<i32, f32, D>(&pairs, &now, order);
        same::<u32, f64, D>(&pairs, &now, order);
    }
    let table = NeighborTable::of(&pairs, now.len());
    let rows = expected::<u32, f64, D>(&pairs, &now, NeighborOrder::Rows);
    assert_eq!(table.indices, rows.second);
    assert_eq!(table.offsets.len(), now.len() + 1);
    assert_eq!(table.shifts, if pairs.shifts().is_empty() { vec![] } else { rows.shifts });
    let counts = |body| rows.first.iter().filter(|&&first| first == body as u32).count();
    for body in (0..now.len()).step_by(now.len() / 50 + 1) {
        assert_eq!(table.neighbors(body).len(), counts(body));
    }
    pairs.len()
}

fn same<I, F, const D: usize>(pairs: &Pairs<D>, now: &Snapshot<'_, D>, order: NeighborOrder)
where
    I: NeighborIndex + PartialEq + Debug,
    F: NeighborReal + PartialEq + Debug,
{
    let wanted = expected::<I, F, D>(pairs, now, order);
    let is_same = |own: List<I, F, D>| own == wanted;
    assert!(is_same(on_this_thread(|| written(pairs, now, order))), "{order:?} here");
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(is_same(pool.install(|| written(pairs, now, order))), "{order:?} on {threads} threads");
    }
}

fn points<const D: usize>(count: usize, width: f64, seed: u64) -> Vec<[f64; D]> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| std::array::from_fn(|_| width * rng.uniform())).collect()
}

#[test]
fn lists_of_few_bodies_in_open_space() {
    for count in [0, 1, 2, 3, 30, 300] {
        let centers = points::<3>(count, 4.0, 1);
        let found = check(Snapshot::new(&centers, &[0.5; 300][..count]).unwrap());
        assert_eq!(found > 0, count >= 30);
        let centers = points::<2>(count, 4.0, 2);
        check(Snapshot::new(&centers, &[0.25; 300][..count]).unwrap());
    }
}

#[test]
fn lists_of_many_buckets_and_tasks() {
    let centers = points::<3>(60_000, 10.0, 3);
    let radii = vec![0.27; 60_000];
    let now = Snapshot::new(&centers, &radii).unwrap();
    assert!(check(now) > 800_000);
    let now = now.within(Domain::periodic([0.0; 3], [10.0; 3]).unwrap()).unwrap();
    assert!(check(now) > 1 << 20);
}

#[test]
fn boxes_smaller_than_the_reach_give_every_image_in_order() {
    for (count, width) in [(1, 0.6), (2, 0.3), (8, 1.0), (40, 1.9)] {
        let centers = points::<3>(count, width, 4);
        let radii = vec![0.9; count];
        let now = Snapshot::new(&centers, &radii).unwrap();
        assert!(check(now.within(Domain::periodic([0.0; 3], [width; 3]).unwrap()).unwrap()) > 10);
        check(now.within(Domain::new([0.0; 3], [width; 3], [true, false, true]).unwrap()).unwrap());
        let centers = points::<2>(count, width, 5);
        let now = Snapshot::new(&centers, &radii).unwrap();
        assert!(check(now.within(Domain::periodic([0.0; 2], [width; 2]).unwrap()).unwrap()) > 1);
    }
}

#[test]
fn a_body_with_very_many_neighbors_is_one_row_among_others() {
    let centers = points::<2>(40_000, 200.0, 6);
    let mut radii = vec![0.3; 40_000];
    radii[17] = 150.0;
    radii[39_999] = 90.0;
    assert!(check(Snapshot::new(&centers, &radii).unwrap()) > 40_000);
}

#[test]
fn bodies_many_boxes_away_have_shifts_of_any_size() {
    let mut rng = Rng::new(7);
    for far in [30.0, 3000.0, 2e6] {
        let centers: Vec<[f64; 3]> = (0..400)
            .map(|_| std::array::from_fn(|_| 4.0 * (far * rng.uniform()).floor() + 4.0 * rng.uniform()))
            .collect();
        let now = Snapshot::new(&centers, &[0.5; 400]).unwrap();
        assert!(check(now.within(Domain::periodic([0.0; 3], [4.0; 3]).unwrap()).unwrap()) > 100);
    }
}

#[test]
#[should_panic(expected = "must be empty or have 2")]
fn columns_of_another_length_are_refused() {
    let centers = [[0.0, 0.0], [1.0, 0.0]];
    let now = Snapshot::new(&centers, &[1.0; 2]).unwrap();
    let columns: NeighborColumns<'_, i64, f64, 2> =
        NeighborColumns { first: &mut [0; 3], ..NeighborColumns::default() };
    PairView::from(&find_pairs(now)).write_neighbors(&now, NeighborOrder::Rows, columns);
}
