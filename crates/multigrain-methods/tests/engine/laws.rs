//! Laws that hold for any input. Coordinates lie on a grid of binary fractions, so that all arithmetic is exact and a
//! changed system must give exactly the changed pairs.

use crate::check::Run;
use crate::oracle::oracle;
use crate::scene::Scene;
use crate::settings;
use crate::threads::{COUNTS, on_threads};
use multigrain::Rng;
use multigrain::{Axes, Dimension, Pair, Pairs};
use multigrain_methods::Method;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Distance of neighbouring points of the grid.
const UNIT: f64 = 1.0 / 16.0;

/// Systems per law and dimension. The generator has a fixed seed: every run tries the same ones.
const CASES: u32 = 40;

/// Checks a law on many systems and a number to draw random choices from. Failures are shrunk to small systems.
fn for_all<const D: usize>(law: impl Fn(Scene<D>, Rng))
where
    Axes: Dimension<D>,
{
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&(scenes::<D>(), any::<u64>()), |(system, seed)| {
        law(system.scene(), Rng::new(seed));
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// A system in units of the grid.
#[derive(Debug, Clone)]
struct OnGrid<const D: usize> {
    bodies: Vec<(Vec<i32>, u32)>,
    sides: Vec<u32>,
    periodic: Vec<bool>,
    margin: u32,
}

/// Bodies in and around a box, most of them small, some larger than it.
fn scenes<const D: usize>() -> impl Strategy<Value = OnGrid<D>> {
    let radius = prop_oneof![8 => 0u32..20, 2 => 20u32..60, 1 => 60u32..200];
    let body = (vec(-100i32..300, D), radius);
    let margin = prop_oneof![Just(0u32), 1u32..10];
    (vec(body, 0..40), vec(40u32..200, D), vec(any::<bool>(), D), margin)
        .prop_map(|(bodies, sides, periodic, margin)| OnGrid { bodies, sides, periodic, margin })
}

impl<const D: usize> OnGrid<D>
where
    Axes: Dimension<D>,
{
    fn scene(&self) -> Scene<D> {
        let centers =
            self.bodies.iter().map(|(at, _)| std::array::from_fn(|axis| f64::from(at[axis]) * UNIT)).collect();
        let radii = self.bodies.iter().map(|&(_, radius)| f64::from(radius) * UNIT).collect();
        let hi = std::array::from_fn(|axis| f64::from(self.sides[axis]) * UNIT);
        let periodic = std::array::from_fn(|axis| self.periodic[axis]);
        Scene::new("on a grid", centers, radii)
            .within([0.0; D], hi, periodic)
            .with_margin(f64::from(self.margin) * UNIT)
    }
}

/// Every method's pairs on `after` must be its pairs on `before`, each mapped.
fn maps<const D: usize>(before: &Scene<D>, after: &Scene<D>, map: impl Fn(Pair<D>) -> Vec<Pair<D>>)
where
    Axes: Dimension<D>,
{
    for &method in Method::ALL {
        let settings = settings::few_to_try(before.now()).into_iter().zip(settings::few_to_try(after.now()));
        for (settings_before, settings_after) in settings {
            let run = Run::new(&after.name, method, &settings_after);
            let Some(mut detector) = settings::build(method, before.now(), &settings_before) else { continue };
            let mut pairs = Pairs::new();
            detector.find_pairs(before.now(), &mut pairs);
            let mut expected: Vec<Pair<D>> = pairs.iter().flat_map(&map).collect();
            expected.sort_unstable();
            let mut detector = settings::build(method, after.now(), &settings_after).expect("built before");
            detector.find_pairs(after.now(), &mut pairs);
            run.same_pairs(&expected, &pairs.iter().collect::<Vec<_>>(), after.now());
        }
    }
}

/// The same scene in another box, its periodic axes kept.
fn reboxed<const D: usize>(scene: Scene<D>, lo: [f64; D], hi: [f64; D]) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let periodic = std::array::from_fn(|axis| scene.domain.is_periodic(axis));
    scene.within(lo, hi, periodic)
}

fn shuffling_permutes_pairs<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        let mut order: Vec<usize> = (0..scene.centers.len()).collect();
        rng.shuffle(&mut order);
        let mut shuffled = scene.copy();
        let mut place = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            shuffled.centers[new] = scene.centers[old];
            shuffled.radii[new] = scene.radii[old];
            place[old] = new as u32;
        }
        maps(&scene, &shuffled, |pair| {
            vec![Pair::canonical(place[pair.i as usize], place[pair.j as usize], pair.shift)]
        });
    });
}

#[test]
fn shuffling_the_bodies_permutes_the_pairs() {
    shuffling_permutes_pairs::<2>();
    shuffling_permutes_pairs::<3>();
}

fn moving_everything_changes_nothing<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        // Grid points up to 2^26 units away: exact, and squares of distances stay so.
        let offset: [f64; D] = std::array::from_fn(|_| (rng.below(1 << 27) as f64 - (1u64 << 26) as f64) * UNIT);
        let mut moved = scene.copy();
        for center in &mut moved.centers {
            *center = std::array::from_fn(|axis| center[axis] + offset[axis]);
        }
        let (lo, hi) = (scene.domain.lo(), scene.domain.hi());
        let shift = |corner: [f64; D]| std::array::from_fn(|axis| corner[axis] + offset[axis]);
        let moved = reboxed(moved, shift(lo), shift(hi));
        maps(&scene, &moved, |pair| vec![pair]);
    });
}

#[test]
fn moving_everything_by_the_same_way_changes_nothing() {
    moving_everything_changes_nothing::<2>();
    moving_everything_changes_nothing::<3>();
}

fn borders_can_be_moved<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        // Any point: lengths stay what they are, however the borders are rounded.
        let point: [f64; D] = std::array::from_fn(|_| 40.0 * rng.uniform() - 13.0);
        let mut moved = scene.copy();
        moved.domain = scene.domain.centred_on(point);
        assert_eq!(moved.domain.lengths(), scene.domain.lengths());
        maps(&scene, &moved, |pair| vec![pair]);
    });
}

#[test]
fn moving_the_border_of_a_periodic_box_changes_nothing() {
    borders_can_be_moved::<2>();
    borders_can_be_moved::<3>();
}

fn whole_boxes_change_only_shifts<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        let boxes: Vec<[i32; D]> =
            scene.centers.iter().map(|_| std::array::from_fn(|_| rng.below(201) as i32 - 100)).collect();
        let mut moved = scene.copy();
        let lengths = scene.domain.lengths();
        for (center, boxes) in moved.centers.iter_mut().zip(&boxes) {
            *center = std::array::from_fn(|axis| center[axis] + f64::from(boxes[axis]) * lengths[axis]);
        }
        let boxes: Vec<[i32; D]> = boxes
            .iter()
            .map(|boxes| std::array::from_fn(|axis| if lengths[axis] > 0.0 { boxes[axis] } else { 0 }))
            .collect();
        maps(&scene, &moved, |pair| {
            let (a, b) = (boxes[pair.i as usize], boxes[pair.j as usize]);
            vec![Pair { shift: std::array::from_fn(|axis| pair.shift[axis] - b[axis] + a[axis]), ..pair }]
        });
    });
}

#[test]
fn moving_bodies_by_whole_boxes_changes_only_their_shifts() {
    whole_boxes_change_only_shifts::<2>();
    whole_boxes_change_only_shifts::<3>();
}

fn axes_can_be_swapped<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        let mut order: [usize; D] = std::array::from_fn(|axis| axis);
        rng.shuffle(&mut order);
        let swap = |point: [f64; D]| -> [f64; D] { std::array::from_fn(|axis| point[order[axis]]) };
        let mut swapped = scene.copy();
        swapped.centers.iter_mut().for_each(|center| *center = swap(*center));
        let periodic = std::array::from_fn(|axis| scene.domain.is_periodic(order[axis]));
        let swapped = swapped.within(swap(scene.domain.lo()), swap(scene.domain.hi()), periodic);
        maps(&scene, &swapped, |pair| {
            vec![Pair::canonical(pair.i, pair.j, std::array::from_fn(|axis| pair.shift[order[axis]]))]
        });
    });
}

#[test]
fn swapping_axes_changes_nothing() {
    axes_can_be_swapped::<2>();
    axes_can_be_swapped::<3>();
}

fn powers_of_two_change_nothing<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        let scale = 2f64.powi(rng.below(401) as i32 - 200);
        let mut scaled = scene.copy();
        scaled.centers.iter_mut().flatten().for_each(|x| *x *= scale);
        scaled.radii.iter_mut().for_each(|radius| *radius *= scale);
        scaled.margin *= scale;
        let scaled = reboxed(scaled, scene.domain.lo().map(|x| x * scale), scene.domain.hi().map(|x| x * scale));
        maps(&scene, &scaled, |pair| vec![pair]);
    });
}

#[test]
fn scaling_by_powers_of_two_changes_nothing() {
    powers_of_two_change_nothing::<2>();
    powers_of_two_change_nothing::<3>();
}

fn margins_only_add_pairs<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        let wider = scene.copy().with_margin(scene.margin + UNIT * (1.0 + rng.below(20) as f64));
        for &method in Method::ALL {
            let mut detector = method.build(scene.now()).unwrap();
            let (mut pairs, mut more) = (Pairs::new(), Pairs::new());
            detector.find_pairs(scene.now(), &mut pairs);
            detector.find_pairs(wider.now(), &mut more);
            let more: Vec<Pair<D>> = {
                more.sort();
                more.iter().collect()
            };
            for pair in pairs.iter() {
                assert!(more.binary_search(&pair).is_ok(), "{}: a larger margin loses {pair:?}", method.name());
            }
        }
    });
}

#[test]
fn a_larger_margin_only_adds_pairs() {
    margins_only_add_pairs::<2>();
    margins_only_add_pairs::<3>();
}

fn replicas_multiply_contacts<const D: usize>()
where
    Axes: Dimension<D>,
{
    for_all::<D>(|scene, mut rng| {
        let axis = rng.below(D as u64) as usize;
        let copies = 2 + rng.below(3) as i32;
        let (lo, mut hi) = (scene.domain.lo(), scene.domain.hi());
        let mut periodic: [bool; D] = std::array::from_fn(|axis| scene.domain.is_periodic(axis));
        periodic[axis] = true;
        let scene = scene.within(lo, hi, periodic);
        let (length, bodies) = (scene.domain.length(axis), scene.centers.len() as u32);
        let mut replicated = scene.copy();
        for copy in 1..copies {
            replicated.radii.extend_from_slice(&scene.radii);
            replicated.centers.extend(scene.centers.iter().map(|center| {
                let mut center = *center;
                center[axis] += f64::from(copy) * length;
                center
            }));
        }
        hi[axis] += f64::from(copies - 1) * length;
        let replicated = replicated.within(lo, hi, periodic);
        maps(&scene, &replicated, |pair| {
            let contacts = (0..copies).map(|copy| {
                let partner = copy + pair.shift[axis];
                let mut shift = pair.shift;
                shift[axis] = partner.div_euclid(copies);
                let number = |copy: i32, body: u32| copy as u32 * bodies + body;
                Pair::canonical(number(copy, pair.i), number(partner.rem_euclid(copies), pair.j), shift)
            });
            contacts.collect()
        });
    });
}

#[test]
fn replicating_a_periodic_box_multiplies_its_contacts() {
    replicas_multiply_contacts::<2>();
    replicas_multiply_contacts::<3>();
}

fn earlier_calls_change_nothing<const D: usize>()
where
    Axes: Dimension<D>,
{
    let earlier = std::cell::RefCell::new(Scene::<D>::new("nothing yet", vec![], vec![]));
    for_all::<D>(|scene, mut rng| {
        let expected = oracle(scene.now());
        let before = earlier.replace(scene.copy());
        for &method in Method::ALL {
            for settings in settings::to_try(scene.now(), &[]) {
                let run = Run::new("on a grid, after another", method, &settings);
                let Some(mut detector) = settings::build(method, scene.now(), &settings) else { continue };
                let threads = COUNTS[rng.below(COUNTS.len() as u64) as usize];
                let mut pairs = Pairs::new();
                on_threads(threads, || {
                    detector.find_pairs(before.now(), &mut pairs);
                    detector.find_pairs(scene.now(), &mut pairs);
                });
                run.same_pairs(&expected, &pairs.iter().collect::<Vec<_>>(), scene.now());
            }
        }
    });
}

#[test]
fn every_method_direction_thread_count_and_earlier_call_gives_the_same_pairs() {
    earlier_calls_change_nothing::<2>();
    earlier_calls_change_nothing::<3>();
}
