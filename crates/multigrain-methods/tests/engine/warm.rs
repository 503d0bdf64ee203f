//! Detectors that have seen other snapshots: whatever came before, every call is right.

use crate::check::Run;
use crate::oracle::oracle;
use crate::reach_of_methods::can_finish;
use crate::scene::{Scene, log_uniform, periodic_axes, point_in};
use crate::settings;
use crate::threads::on_threads;
use multigrain::Rng;
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Dimension, Pair, Pairs};
use multigrain_methods::Method;
use multigrain_packings::random;

const SIDE: f64 = 20.0;

/// Runs the snapshots in turn through one detector of every method and setting. Threads take turns too, and memory is given back now and
/// then.
fn follow<const D: usize>(steps: &[Scene<D>])
where
    Axes: Dimension<D>,
{
    let expected: Vec<Vec<Pair<D>>> = steps.iter().map(|step| oracle(step.now())).collect();
    for &method in Method::ALL {
        for settings in settings::few_to_try(steps[0].now()) {
            let Some(mut detector) = settings::build(method, steps[0].now(), &settings) else { continue };
            let mut pairs = Pairs::new();
            for (number, step) in steps.iter().enumerate() {
                let run = Run::new(&format!("{}, step {number}", step.name), method, &settings);
                on_threads([1, 3, 2][number % 3], || detector.find_pairs(step.now(), &mut pairs));
                run.same_pairs(&expected[number], &pairs.iter().collect::<Vec<_>>(), step.now());
                if number % 2 == 1 {
                    detector.release();
                }
            }
        }
    }
}

/// A first scene, then `count` more, each made from the one before.
fn steps<const D: usize>(first: Scene<D>, count: usize, mut step: impl FnMut(&mut Scene<D>)) -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = vec![first];
    for _ in 0..count {
        let mut next = all[all.len() - 1].copy();
        step(&mut next);
        all.push(next);
    }
    all
}

fn start<const D: usize>(name: &str, periodic: [bool; D], seed: u64) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(seed);
    let centers = (0..150).map(|_| point_in(&mut rng, 0.0, SIDE)).collect();
    let radii = (0..150).map(|_| log_uniform(&mut rng, 0.3, 3.0)).collect();
    Scene::new(name, centers, radii).within([0.0; D], [SIDE; D], periodic)
}

/// Runs a story in 2D and 3D, open and periodic.
fn check<S2: FnMut(&mut Scene<2>), S3: FnMut(&mut Scene<3>)>(
    name: &str,
    count: usize,
    flat: impl Fn() -> S2,
    solid: impl Fn() -> S3,
) {
    for (axes, periodic) in periodic_axes() {
        follow(&steps(start::<2>(&format!("{name}, {axes} periodic, 2D"), periodic, 7), count, flat()));
    }
    for (axes, periodic) in periodic_axes() {
        follow(&steps(start::<3>(&format!("{name}, {axes} periodic, 3D"), periodic, 8), count, solid()));
    }
}

fn random_walk<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    let mut rng = Rng::new(1);
    move |scene| {
        for center in &mut scene.centers {
            *center = center.map(|x| x + 0.05 * rng.normal());
        }
    }
}

#[test]
fn follows_a_random_walk() {
    check("random walk", 8, random_walk, random_walk);
}

fn settle<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    move |scene| {
        for center in &mut scene.centers {
            center[D - 1] *= 0.7;
        }
    }
}

#[test]
fn follows_bodies_that_settle_in_a_heap() {
    check("settling", 10, settle, settle);
}

fn teleport<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    let mut rng = Rng::new(2);
    move |scene| {
        for _ in 0..10 {
            let body = rng.below(scene.centers.len() as u64) as usize;
            scene.centers[body] = point_in(&mut rng, -SIDE, 2.0 * SIDE);
        }
    }
}

#[test]
fn follows_bodies_that_teleport() {
    check("teleports", 8, teleport, teleport);
}

fn cross_the_box<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    let mut far = false;
    move |scene| {
        far = !far;
        for (body, center) in scene.centers.iter_mut().enumerate().step_by(3) {
            center[body % D] += if far { SIDE } else { -SIDE };
        }
    }
}

#[test]
fn follows_bodies_that_cross_the_whole_box() {
    check("crossing", 4, cross_the_box, cross_the_box);
}

fn several_cells<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    let mut rng = Rng::new(3);
    move |scene| {
        for center in &mut scene.centers {
            *center = center.map(|x| (x + 12.0 * (rng.uniform() - 0.5)).rem_euclid(SIDE));
        }
    }
}

#[test]
fn follows_bodies_that_move_several_cells() {
    check("several cells", 6, several_cells, several_cells);
}

fn insert_and_remove<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    let mut rng = Rng::new(4);
    move |scene| {
        for _ in 0..rng.below(40) {
            let body = rng.below(scene.centers.len() as u64) as usize;
            scene.centers.swap_remove(body);
            scene.radii.swap_remove(body);
        }
        for _ in 0..rng.below(50) {
            let slot = rng.below(scene.centers.len() as u64 + 1) as usize;
            scene.centers.insert(slot, point_in(&mut rng, 0.0, SIDE));
            scene.radii.insert(slot, log_uniform(&mut rng, 0.2, 4.0));
        }
    }
}

#[test]
fn follows_insertions_and_removals_in_one_step() {
    check("insertions and removals", 10, insert_and_remove, insert_and_remove);
}

fn vanish_and_return<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    let mut kept = None;
    let mut step = 0;
    move |scene| {
        let (centers, radii): &(Vec<[f64; D]>, Vec<f64>) =
            kept.get_or_insert_with(|| (scene.centers.clone(), scene.radii.clone()));
        let count = [0, centers.len(), 1, 0, 2, centers.len()][step % 6];
        step += 1;
        scene.centers = centers[..count].to_vec();
        scene.radii = radii[..count].to_vec();
    }
}

#[test]
fn follows_bodies_that_vanish_and_return() {
    check("vanishing", 6, vanish_and_return, vanish_and_return);
}

fn reverse<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |scene| {
        scene.centers.reverse();
        scene.radii.reverse();
    }
}

#[test]
fn follows_a_reversed_order_of_bodies() {
    check("reversed order", 3, reverse, reverse);
}

fn mirror<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |scene| {
        for center in &mut scene.centers {
            *center = center.map(|x| SIDE - x);
        }
    }
}

#[test]
fn follows_a_mirrored_box() {
    check("mirrored", 3, mirror, mirror);
}

fn grow<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |scene| {
        for radius in &mut scene.radii {
            *radius *= 1.25;
        }
    }
}

#[test]
fn follows_growing_radii() {
    check("growing radii", 5, grow, grow);
}

fn shrink<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |scene| {
        for radius in &mut scene.radii {
            *radius *= 0.5;
        }
    }
}

#[test]
fn follows_shrinking_radii() {
    check("shrinking radii", 5, shrink, shrink);
}

fn one_giant<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |scene| scene.radii[17] = if scene.radii[17] > 50.0 { 0.5 } else { 100.0 }
}

#[test]
fn follows_a_body_that_becomes_a_giant_and_shrinks_again() {
    for (axes, periodic) in [("nothing", [false; 3]), ("x", [true, false, false])] {
        follow(&steps(start::<3>(&format!("giant, {axes} periodic"), periodic, 9), 3, one_giant()));
    }
    follow(&steps(start::<2>("giant, all periodic", [true; 2], 9), 3, one_giant()));
}

fn remove_the_largest<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |scene| {
        let largest = (0..scene.radii.len()).max_by(|&a, &b| scene.radii[a].total_cmp(&scene.radii[b])).unwrap();
        scene.centers.remove(largest);
        scene.radii.remove(largest);
    }
}

#[test]
fn follows_removal_of_the_largest() {
    check("largest removed", 6, remove_the_largest, remove_the_largest);
}

fn rest<const D: usize>() -> impl FnMut(&mut Scene<D>) {
    |_| {}
}

#[test]
fn follows_bodies_at_rest() {
    check("no motion", 3, rest, rest);
}

#[test]
fn follows_a_change_of_everything() {
    let mut all = Vec::new();
    for (number, (_, periodic)) in periodic_axes::<3>().into_iter().enumerate() {
        all.push(start("another domain", periodic, 10));
        all.push(start("another margin", periodic, 10).with_margin(0.7));
        let mut scaled = start("another scale", periodic, 11 + number as u64);
        let scale = 1e6f64.powi(number as i32 - 2);
        scaled.centers.iter_mut().flatten().for_each(|x| *x *= scale);
        scaled.radii.iter_mut().for_each(|radius| *radius *= scale);
        all.push(scaled.within([0.0; 3], [SIDE * scale; 3], periodic));
        let mut few = start("few far bodies", periodic, 12);
        few.centers.truncate(3);
        few.radii.truncate(3);
        few.centers[1] = [-300.0, 9e4, 5.0];
        all.push(few);
    }
    follow(&all);
}

/// Many bodies, so that sorting from one step to the next has something to gain from the order before.
#[test]
fn follows_many_bodies_through_changes_of_order() {
    let radii = SizeLaw::uniform(3.0).unwrap().sample(20_000, 3);
    let mut system = random(radii, 0.5, [true, false, false], 1).unwrap();
    let mut rng = Rng::new(5);
    let mut detectors: Vec<_> = Method::ALL.iter().map(|&method| (method, None)).collect();
    for step in ["in random order", "at rest", "after a small move", "along z", "after another small move", "reversed"]
    {
        let mut order: Vec<usize> = (0..system.radii.len()).collect();
        match step {
            "along z" => order.sort_by(|&a, &b| system.centers[a][2].total_cmp(&system.centers[b][2])),
            "reversed" => order.reverse(),
            "at rest" | "in random order" => {}
            _ => system.centers.iter_mut().flatten().for_each(|x| *x += 0.02 * rng.normal()),
        }
        system.centers = order.iter().map(|&body| system.centers[body]).collect();
        system.radii = order.iter().map(|&body| system.radii[body]).collect();
        let now = system.snapshot().unwrap();
        let mut agreed = None;
        for (method, detector) in detectors.iter_mut().filter(|(method, _)| can_finish(*method, now)) {
            let detector = detector.get_or_insert_with(|| method.build(now).unwrap());
            let mut pairs = Pairs::new();
            on_threads(2, || detector.find_pairs(now, &mut pairs));
            let found = (pairs.len(), pairs.fingerprint());
            assert_eq!(*agreed.get_or_insert(found), found, "{} {step}", method.name());
        }
        assert!(agreed.is_some_and(|(contacts, _)| contacts > 20_000), "{step}: {agreed:?}");
    }
}
