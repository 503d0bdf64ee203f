//! Groups, two sets, changes from call to call, and searches that are asked to stop, for every method.

use multigrain::detectors::{BruteForce, WithChanges, WithSkin};
use multigrain::{Between, Detector, Domain, Pair, Pairs, PairsBetween, Rng, Snapshot, find_pairs_between};
use multigrain_methods::Method;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

fn bodies(rng: &mut Rng, count: usize) -> (Vec<[f64; 3]>, Vec<f64>) {
    let centers = (0..count).map(|_| [(); 3].map(|()| 8.0 * rng.uniform() - 1.0)).collect();
    let radii = (0..count).map(|_| 0.05 + 0.8 * rng.uniform().powi(3)).collect();
    (centers, radii)
}

fn domains() -> [Domain<3>; 3] {
    [
        Domain::open(),
        Domain::new([0.0; 3], [5.0, 6.0, 7.0], [true, false, true]).unwrap(),
        Domain::from_cell([0.0; 3], [[5.0, 0.0, 0.0], [3.0, 6.0, 0.0], [-7.0, 2.0, 7.0]], [true; 3]).unwrap(),
    ]
}

fn set_of<const D: usize>(pairs: impl Iterator<Item = Pair<D>>) -> BTreeSet<Pair<D>> {
    pairs.collect()
}

#[test]
fn bodies_of_a_group_are_never_a_pair_with_any_method() {
    let mut rng = Rng::new(4);
    for domain in domains() {
        let (centers, radii) = bodies(&mut rng, 300);
        let groups: Vec<u32> = (0..300).map(|_| (40.0 * rng.uniform()) as u32).collect();
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        let mut all = Pairs::new();
        BruteForce.find_pairs(now, &mut all);
        let expected = set_of(all.iter().filter(|pair| groups[pair.i as usize] != groups[pair.j as usize]));
        assert!(expected.len() < all.len() && expected.len() > all.len() / 2);
        let grouped = now.in_groups(&groups).unwrap();
        for method in Method::ALL {
            let mut detector = method.build(grouped).unwrap();
            let mut pairs = Pairs::new();
            detector.find_pairs(grouped, &mut pairs);
            assert_eq!((pairs.len(), set_of(pairs.iter())), (expected.len(), expected.clone()), "{method}");
            detector.count_work(grouped, &mut pairs);
            assert_eq!(set_of(pairs.iter()), expected, "{method}");
            let mut visited = Vec::new();
            detector.visit_pairs(grouped, &mut |pair| visited.push(pair));
            assert_eq!(set_of(visited.into_iter()), expected, "{method}");
            let mut skin = WithSkin::new(detector, 0.1).unwrap();
            skin.find_pairs(now, &mut pairs);
            assert_eq!(pairs.len(), all.len(), "{method}");
            skin.find_pairs(grouped, &mut pairs);
            assert_eq!(set_of(pairs.iter()), expected, "{method} with a skin, after a call without groups");
        }
        assert!(now.in_groups(&groups[1..]).is_err());
    }
}

#[test]
fn two_sets_are_searched_against_each_other_by_every_method() {
    let mut rng = Rng::new(5);
    for domain in domains() {
        let ((centers_a, radii_a), (centers_b, radii_b)) = (bodies(&mut rng, 150), bodies(&mut rng, 70));
        let place = |centers, radii| -> Snapshot<'_, 3> {
            Snapshot::new(centers, radii).unwrap().within(domain).unwrap().with_margin(0.05).unwrap()
        };
        let (a, b) = (place(&centers_a, &radii_a), place(&centers_b, &radii_b));
        let centers: Vec<_> = centers_a.iter().chain(&centers_b).copied().collect();
        let radii: Vec<_> = radii_a.iter().chain(&radii_b).copied().collect();
        let mut all = Pairs::new();
        BruteForce.find_pairs(place(&centers, &radii), &mut all);
        let expected: Vec<Pair<3>> = set_of(all.iter())
            .into_iter()
            .filter(|pair| pair.i < 150 && pair.j >= 150)
            .map(|pair| Pair { j: pair.j - 150, ..pair })
            .collect();
        assert!(expected.len() > 20);
        assert_eq!(find_pairs_between(a, b).unwrap().iter().collect::<Vec<_>>(), expected);
        for method in Method::ALL {
            let mut pairs = PairsBetween::default();
            Between::new(method.build(a).unwrap()).find_pairs(a, b, &mut pairs).unwrap();
            pairs.sort();
            assert_eq!(pairs.iter().collect::<Vec<_>>(), expected, "{method}");
        }
        let other = b.with_margin(0.1).unwrap();
        assert!(find_pairs_between(a, other).unwrap_err().to_string().contains("different margins"));
    }
}

#[test]
fn what_began_and_ended_is_the_difference_of_two_calls() {
    let mut rng = Rng::new(6);
    let (mut centers, radii) = bodies(&mut rng, 400);
    for method in Method::ALL {
        let mut before = BTreeSet::new();
        let mut changes = WithChanges::new(method.build(Snapshot::new(&centers, &radii).unwrap()).unwrap());
        for _ in 0..5 {
            let now = Snapshot::new(&centers, &radii).unwrap();
            let mut pairs = Pairs::new();
            BruteForce.find_pairs(now, &mut pairs);
            let after = set_of(pairs.iter());
            changes.update(now);
            assert_eq!(set_of(changes.begun().iter().copied()), &after - &before, "{method}");
            assert_eq!(set_of(changes.ended().iter().copied()), &before - &after, "{method}");
            assert_eq!(set_of(changes.pairs().iter()), after, "{method}");
            before = after;
            for center in &mut centers {
                *center = center.map(|x| x + 0.2 * (rng.uniform() - 0.5));
            }
        }
    }
}

#[test]
fn every_method_stops_when_asked_and_is_whole_the_next_time() {
    let mut rng = Rng::new(7);
    let (centers, radii) = bodies(&mut rng, 4000);
    for domain in domains() {
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        let mut expected = Pairs::new();
        Method::Auto.build(now).unwrap().find_pairs(now, &mut expected);
        for method in Method::ALL {
            let mut detector = method.build(now).unwrap();
            let mut pairs = Pairs::new();
            for patience in [0, 1] {
                let asked = AtomicUsize::new(0);
                let stop = || asked.fetch_add(1, Ordering::Relaxed) >= patience;
                assert!(!detector.find_pairs_until(now, &mut pairs, &stop), "{method} went on after {patience}");
                assert!(pairs.is_empty());
            }
            assert!(detector.find_pairs_until(now, &mut pairs, &|| false));
            assert_eq!(pairs.fingerprint(), expected.fingerprint(), "{method}");
            let mut mapped = 0;
            assert!(!detector.find_pairs_in_phases(now, &mut pairs, &mut || mapped += 1, &|| true));
            assert!(mapped <= 1 && pairs.is_empty(), "{method}");
            assert!(!detector.visit_pairs_until(now, &mut |_| panic!("{method}: nobody wants it"), &|| true));
            assert!(detector.find_pairs_in_phases(now, &mut pairs, &mut || (), &|| false));
            assert_eq!(pairs.fingerprint(), expected.fingerprint(), "{method}");
        }
    }
}

#[test]
fn visitors_of_every_method_can_stop_at_any_pair() {
    let mut rng = Rng::new(11);
    let (centers, radii) = bodies(&mut rng, 500);
    for domain in domains() {
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        for method in Method::ALL {
            let mut detector = method.build(now).unwrap();
            let mut all = Vec::new();
            let collect = &mut |pair| {
                all.push(pair);
                ControlFlow::Continue(())
            };
            assert!(detector.visit_pairs_until(now, collect, &|| false), "{method}");
            for wanted in [1, 2, all.len() / 2, all.len()] {
                let mut visited = BTreeSet::new();
                let some = &mut |pair| {
                    visited.insert(pair);
                    if visited.len() == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                assert!(!detector.visit_pairs_until(now, some, &|| false), "{method} does not say that it stopped");
                assert_eq!(visited.len(), wanted, "{method} went on");
                assert!(visited.is_subset(&set_of(all.iter().copied())), "{method}");
            }
            let mut pairs = Pairs::new();
            detector.find_pairs(now, &mut pairs);
            assert_eq!(set_of(pairs.iter()), set_of(all.into_iter()), "{method} after it was stopped");
        }
    }
}

#[test]
fn two_sets_and_changes_stop_and_go_on_from_before() {
    let mut rng = Rng::new(12);
    let (centers, radii) = bodies(&mut rng, 400);
    let now = Snapshot::new(&centers, &radii).unwrap();
    let (a, b) = (now.with_bodies(&centers[..150], &radii[..150]), now.with_bodies(&centers[150..], &radii[150..]));
    let (a, b) = (a.unwrap(), b.unwrap());
    for method in Method::ALL {
        let mut between = Between::new(method.build(a).unwrap());
        let mut pairs = PairsBetween::default();
        assert!(between.find_pairs_until(a, b, &mut pairs, &|| false).unwrap());
        let expected = pairs.len();
        assert!(expected > 20, "{expected} pairs");
        assert!(!between.find_pairs_until(a, b, &mut pairs, &|| true).unwrap() && pairs.is_empty(), "{method}");
        between.find_pairs(a, b, &mut pairs).unwrap();
        assert_eq!(pairs.len(), expected, "{method}");

        let mut changes = WithChanges::new(method.build(a).unwrap());
        assert!(changes.update_until(a, &|| false));
        let (before, begun) = (changes.pairs().clone(), changes.begun().to_vec());
        assert!(!changes.update_until(b, &|| true), "{method}");
        assert_eq!((changes.pairs(), changes.begun()), (&before, &begun[..]), "{method}: a call that was none");
        changes.update(a);
        assert!(changes.begun().is_empty() && changes.ended().is_empty(), "{method}");
    }
}
