//! The number of threads changes neither pairs nor their order nor the counted work, at sizes that fill every thread.

use crate::check::Run;
use crate::reach_of_methods::can_finish;
use crate::scene::Scene;
use crate::settings;
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Dimension, Pairs, Settings};
use multigrain_methods::Method;
use multigrain_packings::{DataSet, random};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;

/// The numbers of threads that every method is run with.
pub const COUNTS: [usize; 4] = [1, 2, 3, 8];

static POOLS: LazyLock<[ThreadPool; 4]> =
    LazyLock::new(|| COUNTS.map(|count| ThreadPoolBuilder::new().num_threads(count).build().expect("a thread pool")));

/// Runs `work` on a pool of `count` threads, one of [`COUNTS`].
pub fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = COUNTS.iter().position(|&known| known == count).expect("a number of threads that has a pool");
    POOLS[pool].install(work)
}

/// Runs every method that can finish with these settings serially and with these numbers of threads; all must find the same pairs.
fn compare<const D: usize>(scene: &Scene<D>, all_settings: &[Settings], threads: &[usize])
where
    Axes: Dimension<D>,
{
    let now = scene.now();
    let mut agreed: Option<(usize, u64)> = None;
    let mut methods = 0;
    for &method in Method::ALL.iter().filter(|&&method| can_finish(method, now)) {
        methods += 1;
        for settings in all_settings {
            let run = Run::new(&scene.name, method, settings);
            // A new detector each time: only calls after the same calls must give the same order.
            let build = || settings::build(method, now, settings);
            if build().is_none() {
                continue;
            }
            let detect = |count: usize| {
                on_threads(count, || {
                    let (mut detector, mut pairs) = (build().expect("built before"), Pairs::new());
                    let work = detector.count_work(now, &mut pairs);
                    (pairs, work)
                })
            };
            let (pairs, work) = detect(1);
            for &count in threads {
                let (shared, counted) = detect(count);
                assert!(shared.as_slice() == pairs.as_slice(), "{run}: {count} threads change pairs or their order");
                assert!(shared.shifts() == pairs.shifts(), "{run}: {count} threads change image shifts");
                assert_eq!(counted, work, "{run}: {count} threads count other work");
            }
            let found = (pairs.len(), pairs.fingerprint());
            assert_eq!(*agreed.get_or_insert(found), found, "{run}: not the pairs of the method before");
        }
    }
    assert!(methods > 0, "no method can finish '{}'", scene.name);
}

#[test]
fn threads_change_nothing_among_bodies_of_one_size() {
    let scene = Scene::of("mono", DataSet::from_name("mono").unwrap().build(150_000, 1).unwrap());
    compare(&scene, &settings::few_to_try(scene.now()), &[2, 3, 8]);
}

#[test]
fn threads_change_nothing_among_bodies_of_every_size() {
    let scene = Scene::of("uv100", DataSet::from_name("uv100").unwrap().build(150_000, 2).unwrap());
    compare(&scene, &settings::few_to_try(scene.now()), &[2, 3, 8]);
}

#[test]
fn threads_change_nothing_in_a_periodic_box() {
    let scene =
        Scene::of("bi10", DataSet::from_name("bi10").unwrap().build_periodic(100_000, 3).unwrap()).with_margin(0.1);
    compare(&scene, &settings::few_to_try(scene.now()), &[2, 3, 8]);
}

/// With one level, rows of cells hold thousands of bodies here; with several, few.
#[test]
fn threads_and_levels_change_nothing_where_brute_force_can_follow() {
    for set in DataSet::ALL {
        let scene = Scene::of(set.name, set.build(5000, 4).unwrap());
        assert!(can_finish(Method::BruteForce, scene.now()), "{}", set.name);
        compare(&scene, &settings::to_try(scene.now(), &[]), &[3]);
    }
}

/// Work is cut into blocks of powers of two: one body less and more must not fall between them.
#[test]
fn threads_change_nothing_at_sizes_around_powers_of_two() {
    for power in [6, 9, 12, 13, 16] {
        for count in [(1 << power) - 1, 1 << power, (1 << power) + 1] {
            let radii = SizeLaw::uniform(3.0).unwrap().sample(count, 2);
            let scene = Scene::of(format!("{count} discs"), random(radii, 0.5, [false, true], 5).unwrap());
            compare(&scene, &[Settings::default()], &[2, 3, 8]);
        }
    }
}
