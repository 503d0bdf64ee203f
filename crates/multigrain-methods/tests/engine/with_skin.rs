//! A skin cannot be told from none: every method with one, over sequences of steps, against brute force.

use multigrain::Rng;
use multigrain::detectors::{BruteForce, WithSkin};
use multigrain::{Axes, Detector, Dimension, Domain, Pair, Pairs, Snapshot};
use multigrain_methods::Method;
use rayon::{ThreadPool, ThreadPoolBuilder};

const SIDE: f64 = 12.0;

/// Bodies on their way.
#[derive(Clone)]
struct Crowd<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    domain: Domain<D>,
    margin: f64,
}

impl<const D: usize> Crowd<D>
where
    Axes: Dimension<D>,
{
    fn new(count: usize, periodic: [bool; D], rng: &mut Rng) -> Self {
        let domain = Domain::new([0.0; D], [SIDE; D], periodic).unwrap();
        let mut crowd = Self { centers: Vec::new(), radii: Vec::new(), domain, margin: 0.0 };
        (0..count).for_each(|_| crowd.insert(rng));
        crowd
    }

    fn insert(&mut self, rng: &mut Rng) {
        self.centers.push(std::array::from_fn(|_| SIDE * rng.uniform()));
        self.radii.push(0.2 * 8f64.powf(rng.uniform()));
    }

    fn wander(&mut self, length: f64, rng: &mut Rng) {
        self.centers.iter_mut().flatten().for_each(|x| *x += length * (2.0 * rng.uniform() - 1.0));
    }

    fn now(&self) -> Snapshot<'_, D> {
        let now = Snapshot::new(&self.centers, &self.radii).unwrap();
        now.within(self.domain).unwrap().with_margin(self.margin).unwrap()
    }

    fn expected(&self) -> Vec<Pair<D>> {
        let mut pairs = Pairs::new();
        BruteForce.find_pairs(self.now(), &mut pairs);
        pairs.sort();
        pairs.iter().collect()
    }
}

fn pools() -> [ThreadPool; 2] {
    [1, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
}

/// How often lists are made in a story, at most and at least, with a given skin.
struct Lists {
    at_least: u64,
    at_most: u64,
}

const ANY: Lists = Lists { at_least: 1, at_most: u64::MAX };

/// Runs a story through every method with a given skin, with the skin it chooses itself, and with none.
fn check<const D: usize>(name: &str, first: &Crowd<D>, lists: &Lists, step: impl Fn(usize, &mut Crowd<D>, &mut Rng))
where
    Axes: Dimension<D>,
{
    const STEPS: usize = 16;
    let pools = pools();
    let (mut rng, mut crowd) = (Rng::new(3), first.clone());
    let steps: Vec<(Crowd<D>, Vec<Pair<D>>)> = (0..STEPS)
        .map(|number| {
            let this = (crowd.clone(), crowd.expected());
            step(number, &mut crowd, &mut rng);
            this
        })
        .collect();
    for &method in Method::ALL {
        for skin in [Some(0.3), None, Some(0.0)] {
            let detector = method.build(first.now()).unwrap();
            let mut detector = match skin {
                Some(skin) => WithSkin::new(detector, skin).unwrap(),
                None => WithSkin::automatic(detector),
            };
            let mut pairs = Pairs::new();
            for (number, (crowd, expected)) in steps.iter().enumerate() {
                let what = format!("{name}, {}, skin {skin:?}, step {number}", method.name());
                pools[number % 2].install(|| detector.find_pairs(crowd.now(), &mut pairs));
                assert!(pairs.iter().eq(expected.iter().copied()), "{what}");
            }
            if skin == Some(0.3) {
                let made = detector.lists();
                assert!((lists.at_least..=lists.at_most).contains(&made), "{name}, {}: {made} lists", method.name());
            }
        }
    }
}

fn in_every_domain(
    name: &str,
    lists: &Lists,
    flat: impl Fn(usize, &mut Crowd<2>, &mut Rng),
    solid: impl Fn(usize, &mut Crowd<3>, &mut Rng),
) {
    for periodic in [[false; 2], [true, false], [true; 2]] {
        check(name, &Crowd::new(100, periodic, &mut Rng::new(1)), lists, &flat);
    }
    for periodic in [[false; 3], [false, true, true], [true; 3]] {
        check(name, &Crowd::new(140, periodic, &mut Rng::new(2)), lists, &solid);
    }
}

/// A story in any dimension.
macro_rules! story {
    ($name:literal, $lists:expr, |$number:ident, $crowd:ident, $rng:ident| $step:expr) => {
        in_every_domain(
            $name,
            &$lists,
            |$number: usize, $crowd: &mut Crowd<2>, $rng: &mut Rng| $step,
            |$number: usize, $crowd: &mut Crowd<3>, $rng: &mut Rng| $step,
        )
    };
}

#[test]
fn follows_a_random_walk_with_few_lists() {
    story!("walk", Lists { at_least: 2, at_most: 5 }, |_number, crowd, rng| crowd.wander(0.03, rng));
}

#[test]
fn bodies_at_rest_need_one_list() {
    story!("rest", Lists { at_least: 1, at_most: 1 }, |_number, _crowd, _rng| ());
}

#[test]
fn follows_bodies_that_settle_in_a_heap() {
    story!("settling", ANY, |_number, crowd, _rng| {
        for center in &mut crowd.centers {
            let last = center.len() - 1;
            center[last] *= 0.97;
        }
    });
}

#[test]
fn follows_bodies_that_teleport() {
    story!("teleports", Lists { at_least: 10, at_most: 16 }, |_number, crowd, rng| {
        let body = rng.below(crowd.centers.len() as u64) as usize;
        crowd.centers[body].iter_mut().for_each(|x| *x = 3.0 * SIDE * rng.uniform() - SIDE);
    });
}

/// The list is kept across the border, whichever image of a body is given.
#[test]
fn follows_bodies_across_periodic_borders_and_whole_boxes_away_with_one_list() {
    story!("borders", Lists { at_least: 1, at_most: 2 }, |number, crowd, rng| {
        let drift = [0.05, -0.05][number % 2];
        for body in 0..crowd.centers.len() {
            let boxes = rng.below(9) as f64 - 4.0;
            for axis in 0..crowd.centers[body].len() {
                let length = crowd.domain.length(axis);
                let x = &mut crowd.centers[body][axis];
                *x += drift;
                if length > 0.0 {
                    *x = match number % 3 {
                        0 => x.rem_euclid(length),
                        1 => *x + boxes * length,
                        _ => *x,
                    };
                }
            }
        }
    });
}

#[test]
fn follows_bodies_that_come_and_go() {
    story!("insertions", Lists { at_least: 12, at_most: 16 }, |_number, crowd, rng| {
        if rng.below(3) == 0 {
            let body = rng.below(crowd.centers.len() as u64) as usize;
            crowd.centers.swap_remove(body);
            crowd.radii.swap_remove(body);
        } else {
            crowd.insert(rng);
        }
    });
}

#[test]
fn follows_radii_that_grow_and_shrink() {
    story!("growth", Lists { at_least: 3, at_most: 12 }, |number, crowd, _rng| {
        let factor = if number < 10 { 1.04 } else { 0.9 };
        crowd.radii.iter_mut().for_each(|radius| *radius *= factor);
    });
}

/// Bodies that shrink as fast as they move come no closer.
#[test]
fn what_a_body_shrinks_by_it_may_move() {
    story!("shrinking", Lists { at_least: 1, at_most: 1 }, |_number, crowd, _rng| {
        for body in 0..crowd.centers.len() {
            crowd.centers[body][0] += 0.01;
            crowd.radii[body] -= 0.01;
        }
    });
}

/// A body that only just does not touch its own image, and grows: no other body moves.
#[test]
fn follows_a_body_that_grows_into_its_own_image() {
    let domain = Domain::new([0.0; 2], [1.0; 2], [true, false]).unwrap();
    let first = Crowd { centers: vec![[0.3, 0.0], [0.5, 9.0]], radii: vec![0.3, 0.01], domain, margin: 0.0 };
    check("own image", &first, &Lists { at_least: 2, at_most: 3 }, |_, crowd, _| crowd.radii[0] += 0.02);
}

#[test]
fn another_domain_or_margin_needs_another_list() {
    story!("changes", Lists { at_least: 16, at_most: 16 }, |number, crowd, _rng| {
        if number.is_multiple_of(2) {
            crowd.margin = 0.05 * (number + 1) as f64;
        } else {
            let mut hi = crowd.domain.hi();
            hi[0] += 0.1;
            let periodic = std::array::from_fn(|axis| crowd.domain.is_periodic(axis) != (number % 4 == 1));
            crowd.domain = Domain::new(crowd.domain.lo(), hi, periodic).unwrap();
        }
    });
}

/// Speeds that change: the chosen skin follows them, and vanishes where no list would last.
#[test]
fn the_chosen_skin_grows_with_speed_and_is_left_out_where_it_would_not_last() {
    let mut rng = Rng::new(5);
    let mut crowd = Crowd::<3>::new(200, [false; 3], &mut rng);
    let mut detector = WithSkin::automatic(Method::HGrid.build(crowd.now()).unwrap());
    let mut pairs = Pairs::new();
    let mut skins = Vec::new();
    for length in [1e-4, 1e-2, 5.0] {
        for _ in 0..60 {
            detector.find_pairs(crowd.now(), &mut pairs);
            assert!(pairs.iter().eq(crowd.expected()), "{length}");
            crowd.wander(length, &mut rng);
        }
        skins.push((detector.skin(), detector.lists()));
    }
    let [(slow, few), (quick, more), (none, most)] = skins[..] else { unreachable!() };
    assert!(0.0 < slow && slow < quick && none == 0.0, "{skins:?}");
    assert!(few < more && more - few < 40 && most - more >= 55, "{skins:?}");
}

#[test]
fn every_way_of_asking_gives_the_same_and_counts_the_lists_work() {
    let mut rng = Rng::new(6);
    let mut crowd = Crowd::<3>::new(300, [true; 3], &mut rng);
    let mut detector = WithSkin::new(Method::HGridCells.build(crowd.now()).unwrap(), 0.4).unwrap();
    let mut pairs = Pairs::new();
    let first = detector.count_work(crowd.now(), &mut pairs);
    assert!(pairs.iter().eq(crowd.expected()));
    crowd.wander(0.05, &mut rng);
    let second = detector.count_work(crowd.now(), &mut pairs);
    assert!(pairs.iter().eq(crowd.expected()));
    assert!(second.cells == 0 && first.cells > 0 && second.candidates < first.candidates, "{first:?} {second:?}");
    let mut visited = Vec::new();
    detector.visit_pairs(crowd.now(), &mut |pair| visited.push(pair));
    assert_eq!(visited, crowd.expected());
    assert_eq!(detector.lists(), 1);
    assert!(!detector.layout().cell_sizes.is_empty() && !detector.detector().layout().cell_sizes.is_empty());
}

#[test]
fn bad_skins_are_refused_and_huge_ones_do_no_harm() {
    for (skin, shown) in [(-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (1e151, "1e151"), (1e-151, "1e-151")]
    {
        let error = WithSkin::<_, 2>::new(BruteForce, skin).unwrap_err().to_string();
        assert_eq!(error, format!("skin is {shown}, must be 0 or between 1e-150 and 1e150"));
    }
    // Image shifts of such a skin would not fit: it is left out.
    let crowd = Crowd::<2>::new(20, [true; 2], &mut Rng::new(7));
    let (mut detector, mut pairs) = (WithSkin::new(BruteForce, 1e150).unwrap(), Pairs::new());
    detector.find_pairs(crowd.now(), &mut pairs);
    assert!(pairs.iter().eq(crowd.expected()));
    assert_eq!(detector.skin(), 0.0);
    detector.find_pairs(Snapshot::new(&[], &[]).unwrap(), &mut pairs);
    assert!(pairs.is_empty());
}
