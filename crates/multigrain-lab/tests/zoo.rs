//! Every arrangement of the zoo through every method: the pairs of brute force, the same list for every number of threads,
//! and pairs that never change.

use multigrain::detectors::HierarchicalGrid;
use multigrain::{Axes, Detector, Dimension, Pair, Pairs, Snapshot};
use multigrain_lab::engine::pool;
use multigrain_lab::zoo::{self, Arrangement, Bodies, Placed};
use multigrain_methods::Method;

/// Few enough for methods that are quadratic where bodies crowd their cells.
const FEW: [usize; 2] = [300, 1200];

/// Enough for several tasks.
const MANY: usize = 5000;

/// Candidates of `hgrid-cells` per body and contact. Its cells are as full as its K says: some eight bodies each where they are spread evenly.
const MAX_CANDIDATES: f64 = 160.0;

/// Beyond this many they must not grow with the number of bodies.
const FEW_CANDIDATES: f64 = 40.0;

#[test]
fn every_method_finds_the_pairs_of_brute_force_in_every_arrangement() {
    for arrangement in zoo::all() {
        for (seed, count) in (1..).zip(FEW) {
            match arrangement.build(count, seed) {
                Bodies::Space(placed) => every_method_agrees(arrangement, &placed),
                Bodies::Plane(placed) => every_method_agrees(arrangement, &placed),
            }
        }
    }
}

/// The list of `auto` is the same on any number of threads; its pairs are those of every kernel, and those of the snapshot:
/// `INSTA_UPDATE=always` writes that again.
#[test]
fn threads_and_kernels_give_the_golden_pairs_in_every_arrangement() {
    let lines = zoo::all().map(|arrangement| match arrangement.build(MANY, 1) {
        Bodies::Space(placed) => golden(arrangement, &placed),
        Bodies::Plane(placed) => golden(arrangement, &placed),
    });
    insta::assert_snapshot!("golden_pairs", lines.collect::<String>());
}

/// Where levels do not help: points are all on one level, however crowded they are, and sizes over 1e40 need more levels
/// than a grid can have.
const BEYOND_LEVELS: [&str; 3] = ["points-at-one-spot", "points-in-one-cell", "onion-wide"];

#[test]
fn candidates_of_hgrid_cells_grow_with_bodies_and_contacts_in_every_arrangement() {
    let mut wrong = Vec::new();
    for arrangement in zoo::all().filter(|arrangement| !BEYOND_LEVELS.contains(&arrangement.name)) {
        let [few, many] = [2000, 16_000].map(|count| match arrangement.build(count, 1) {
            Bodies::Space(placed) => candidates(&placed),
            Bodies::Plane(placed) => candidates(&placed),
        });
        if many > MAX_CANDIDATES || many > FEW_CANDIDATES && many > 1.3 * few {
            wrong.push(format!("{}: {few:.1}, then {many:.1} per body and contact", arrangement.name));
        }
    }
    assert!(wrong.is_empty(), "candidates of\n{}", wrong.join("\n"));
}

/// Candidates of `hgrid-cells` per body and contact.
fn candidates<const D: usize>(placed: &Placed<D>) -> f64
where
    Axes: Dimension<D>,
{
    let now = placed.snapshot().unwrap();
    let mut pairs = Pairs::new();
    let work = Method::HGridCells.build(now).unwrap().count_work(now, &mut pairs);
    work.candidates as f64 / (now.len() + pairs.len()) as f64
}

fn every_method_agrees<const D: usize>(arrangement: &Arrangement, placed: &Placed<D>)
where
    Axes: Dimension<D>,
{
    let now = placed.snapshot().unwrap();
    let expected = sorted(found(Method::BruteForce, now));
    for &method in Method::ALL {
        let found = sorted(found(method, now));
        let missing = expected.iter().filter(|pair| found.binary_search(pair).is_err()).count();
        let (name, count) = (arrangement.name, placed.len());
        assert!(
            found == expected,
            "{} on {count} bodies of {name}: {} pairs, {} expected, {missing} of them missing",
            method.name(),
            found.len(),
            expected.len(),
        );
    }
}

/// A line with the number of pairs and their hash, the same for 1, 2, 3 and 8 threads and for every kernel.
fn golden<const D: usize>(arrangement: &Arrangement, placed: &Placed<D>) -> String
where
    Axes: Dimension<D>,
{
    let (now, name) = (placed.snapshot().unwrap(), arrangement.name);
    let list = pool(1).unwrap().install(|| found(Method::Auto, now));
    for threads in [2, 3, 8] {
        let other = pool(threads).unwrap().install(|| found(Method::Auto, now));
        assert!(list == other, "{name}: {threads} threads give another list than one");
    }
    let pairs = sorted(list);
    for kernel in ["portable", "avx2", "avx512"] {
        // Not every processor has all of them.
        let Some(mut grid) = HierarchicalGrid::tuned_for(now).unwrap().with_kernel(kernel) else { continue };
        let mut found = Pairs::new();
        grid.find_pairs(now, &mut found);
        assert!(sorted(found.iter().collect()) == pairs, "{name}: the {kernel} kernel finds other pairs");
    }
    let numbers = pairs.iter().flat_map(|pair| [pair.i, pair.j].into_iter().chain(pair.shift.map(i32::cast_unsigned)));
    let hash = numbers.fold(0xcbf2_9ce4_8422_2325u64, |hash, x| (hash ^ u64::from(x)).wrapping_mul(0x100_0000_01b3));
    format!("{name:24} {:8} bodies {:10} pairs {hash:016x}\n", now.len(), pairs.len())
}

fn found<const D: usize>(method: Method, now: Snapshot<'_, D>) -> Vec<Pair<D>>
where
    Axes: Dimension<D>,
{
    let mut pairs = Pairs::new();
    method.build(now).unwrap().find_pairs(now, &mut pairs);
    pairs.iter().collect()
}

fn sorted<const D: usize>(mut pairs: Vec<Pair<D>>) -> Vec<Pair<D>> {
    pairs.sort_unstable();
    pairs
}
