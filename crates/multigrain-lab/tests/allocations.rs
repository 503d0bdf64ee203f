//! A warm detector asks for no memory: neither for many bodies nor for a few, where asking would take most of the time.

use multigrain::{Axes, Dimension, Domain, Pairs, Rng, Snapshot, System, on_this_thread};
use multigrain_lab::counting_allocator::CountingAllocator;
use multigrain_methods::Method;
use multigrain_packings::DataSet;

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator::new();

/// How often a method asks for memory in each of a few calls after the first ones.
fn requests<const D: usize>(method: Method, now: Snapshot<'_, D>) -> [u64; 3]
where
    Axes: Dimension<D>,
{
    let mut detector = method.build(now).unwrap();
    let mut pairs = Pairs::new();
    on_this_thread(|| {
        for _ in 0..2 {
            detector.find_pairs(now, &mut pairs);
        }
        assert!(!pairs.is_empty());
        std::array::from_fn(|_| CountingAllocator::requests_of(|| detector.find_pairs(now, &mut pairs)))
    })
}

/// Points in a unit box, as atoms that see each other within a cut-off.
fn atoms<const D: usize>(count: usize, neighbors: f64, periodic: bool) -> System<D> {
    let mut rng = Rng::new(count as u64);
    let centers = (0..count).map(|_| std::array::from_fn(|_| rng.uniform())).collect();
    let radius = 0.5 * (neighbors / count as f64 / 4.0).powf(1.0 / D as f64);
    let domain = Domain::new([0.0; D], [1.0; D], [periodic; D]).unwrap();
    System { centers, radii: vec![radius; count], domain }
}

fn small_systems_ask_for_nothing<const D: usize>()
where
    Axes: Dimension<D>,
{
    for count in [2, 10, 60, 200, 2000] {
        for neighbors in [10.0, 100.0] {
            for periodic in [false, true] {
                let system = atoms::<D>(count, neighbors, periodic);
                let now = system.snapshot().unwrap();
                // A handful is tested one by one instead, with a small buffer for each call.
                let methods = [Method::HGrid, Method::Auto];
                for &method in &methods[..if count < 60 { 1 } else { 2 }] {
                    let what = format!("{} in {D}D, {count} bodies, periodic: {periodic}", method.name());
                    assert_eq!(requests(method, now), [0; 3], "{what}");
                }
            }
        }
    }
}

#[test]
fn a_warm_detector_of_a_few_bodies_asks_for_no_memory() {
    small_systems_ask_for_nothing::<2>();
    small_systems_ask_for_nothing::<3>();
}

#[test]
fn a_warm_detector_of_many_bodies_asks_for_no_memory() {
    for set in ["mono", "uv100"] {
        let set = DataSet::from_name(set).unwrap();
        for system in [set.build(30_000, 1).unwrap(), set.build_periodic(30_000, 1).unwrap()] {
            assert_eq!(requests(Method::HGrid, system.snapshot().unwrap()), [0; 3], "{}", set.name);
        }
    }
}

#[test]
fn a_warm_detector_of_clusters_asks_for_no_memory() {
    let mut rng = Rng::new(1);
    let (mut centers, mut radii) = (Vec::<[f64; 3]>::new(), Vec::new());
    for (corner, size) in [(0.0, 1.0), (1e6, 1e-3)] {
        for _ in 0..3000 {
            centers.push(std::array::from_fn(|_| corner + size * rng.uniform()));
            radii.push(0.03 * size);
        }
    }
    let now = Snapshot::new(&centers, &radii).unwrap();
    assert_eq!(requests(Method::HGrid, now), [0; 3]);
}
