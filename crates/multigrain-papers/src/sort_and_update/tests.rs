//! Boxes of every shape through calls of every kind, against brute force; the examples and worst cases of the paper.

use super::SortAndUpdate;
use crate::Boxes;
use multigrain::Rng;
use multigrain::{Detector, Domain, Pair, Pairs, Snapshot};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Boxes on their way.
#[derive(Debug, Clone)]
struct Crowd<const D: usize> {
    lo: Vec<[f64; D]>,
    hi: Vec<[f64; D]>,
    domain: Domain<D>,
}

impl<const D: usize> Crowd<D> {
    fn new(boxes: &[[[f64; 2]; D]]) -> Self {
        let corner = |side: usize| boxes.iter().map(|ends| ends.map(|ends| ends[side])).collect();
        Self { lo: corner(0), hi: corner(1), domain: Domain::open() }
    }

    /// Needles, plates and cubes of very different sizes in a box 10 wide.
    fn random(count: usize, domain: Domain<D>, rng: &mut Rng) -> Self {
        let mut crowd = Self { lo: Vec::new(), hi: Vec::new(), domain };
        for _ in 0..count {
            crowd.push(rng);
        }
        crowd
    }

    fn push(&mut self, rng: &mut Rng) {
        let lo: [f64; D] = std::array::from_fn(|_| 10.0 * rng.uniform());
        self.lo.push(lo);
        self.hi.push(lo.map(|x| x + 0.05 * 200f64.powf(rng.uniform().powi(3))));
    }

    fn boxes(&self) -> Boxes<'_, D> {
        Boxes::new(&self.lo, &self.hi).unwrap().within(self.domain).unwrap()
    }

    fn move_body(&mut self, body: usize, by: impl Fn(usize) -> f64) {
        for axis in 0..D {
            let by = by(axis);
            self.lo[body][axis] += by;
            self.hi[body][axis] = (self.hi[body][axis] + by).max(self.lo[body][axis]);
        }
    }

    /// Every pair of overlapping boxes, one test each.
    fn expected(&self) -> Vec<Pair<D>> {
        let boxes = self.boxes();
        let mut all = Vec::new();
        for i in 0..boxes.len() {
            for j in i..boxes.len() {
                let range: [(i32, i32); D] = std::array::from_fn(|axis| match self.domain.length(axis) {
                    0.0 => (0, 0),
                    length => {
                        let last = |i: usize, j: usize| ((self.hi[i][axis] - self.lo[j][axis]) / length).floor() as i32;
                        (-last(j, i) - 1, last(i, j) + 1)
                    }
                });
                let mut shift = range.map(|(first, _)| first);
                loop {
                    let counts = i != j || shift > [0; D];
                    if counts && boxes.overlap(i, j, shift) {
                        all.push(Pair { i: i as u32, j: j as u32, shift });
                    }
                    let Some(axis) = (0..D).find(|&axis| shift[axis] < range[axis].1) else { break };
                    shift[axis] += 1;
                    (0..axis).for_each(|lower| shift[lower] = range[lower].0);
                }
            }
        }
        all.sort_unstable();
        all
    }
}

fn found<const D: usize>(detector: &mut SortAndUpdate<D>, crowd: &Crowd<D>) -> Vec<Pair<D>> {
    let mut pairs = Pairs::new();
    detector.find_box_pairs(crowd.boxes(), &mut pairs);
    pairs.iter().collect()
}

fn indices<const D: usize>(pairs: &[Pair<D>]) -> Vec<(u32, u32)> {
    pairs.iter().map(|pair| (pair.i, pair.j)).collect()
}

/// Ends in the order of the list, such as `b0 e1`, to boxes along one axis.
fn boxes_of(order: &str) -> Crowd<1> {
    let at = |end: String| order.split(' ').position(|name| name == end).map(|place| place as f64);
    let ends = (0..9).map_while(|body| Some([at(format!("b{body}"))?, at(format!("e{body}"))?]));
    Crowd::new(&ends.map(|ends| [ends]).collect::<Vec<_>>())
}

#[test]
fn figure_4_takes_two_exchanges_and_adds_one_pair() {
    let mut detector = SortAndUpdate::new();
    assert_eq!(indices(&found(&mut detector, &boxes_of("b0 b1 e0 e1 b2 e2"))), [(0, 1)]);
    assert!(detector.started_afresh());
    assert_eq!(indices(&found(&mut detector, &boxes_of("b1 b0 e0 b2 e1 e2"))), [(0, 1), (1, 2)]);
    assert_eq!((detector.exchanges(), detector.started_afresh()), (2, false));
}

/// Table 1 of the paper, and table 3 with a second axis along which the boxes overlap or do not.
#[test]
fn exchanges_follow_the_table() {
    let rows = [
        ("b0 b1 e0 e1", "b1 b0 e0 e1", true, true),
        ("b0 b1 e0 e1", "b0 b1 e1 e0", true, true),
        ("b0 b1 e0 e1", "b0 e0 b1 e1", true, false),
        ("b0 e0 b1 e1", "b0 b1 e0 e1", false, true),
    ];
    for (before, after, is_pair, stays_or_comes) in rows {
        for (other, overlaps) in [("b0 b1 e0 e1", true), ("b0 e0 b1 e1", false)] {
            let plane = |order: &str| {
                let (x, y) = (boxes_of(order), boxes_of(other));
                Crowd::new(&[0, 1].map(|body| [[x.lo[body][0], x.hi[body][0]], [y.lo[body][0], y.hi[body][0]]]))
            };
            let mut detector = SortAndUpdate::new();
            assert_eq!(!found(&mut detector, &plane(before)).is_empty(), is_pair && overlaps);
            assert_eq!(!found(&mut detector, &plane(after)).is_empty(), stays_or_comes && overlaps, "{before} {after}");
            assert_eq!((detector.exchanges(), detector.started_afresh()), (1, false), "{before} {after}");
        }
    }
}

/// Runs a story with a warm detector. Every step must give what brute force gives, in the order that a detector gives which
/// has seen nothing, and at least `by_exchange` of the steps must do without a new start. What begins and ends must lead from
/// the pairs of one step to those of the next.
fn check<const D: usize>(mut crowd: Crowd<D>, steps: usize, by_exchange: usize, mut step: impl FnMut(&mut Crowd<D>)) {
    let mut detector = SortAndUpdate::new().with_box_changes();
    let mut followed = 0;
    let mut before = Vec::new();
    for number in 0..steps {
        let expected = crowd.expected();
        let pairs = found(&mut detector, &crowd);
        let differs = pairs.iter().zip(&expected).find(|(pair, expected)| pair != expected);
        assert_eq!(pairs.len(), expected.len(), "{D}D, step {number}: {differs:?}, {:?}", crowd.domain);
        assert!(differs.is_none(), "{D}D, step {number}: {differs:?}, {:?}", crowd.domain);
        check_changes(&detector, &before, &expected, crowd.domain.has_images());
        before = expected;
        followed += usize::from(!detector.started_afresh());
        step(&mut crowd);
    }
    assert!(followed >= by_exchange, "{D}D: only {followed} of {steps} steps by exchange, {:?}", crowd.domain);
}

fn check_changes<const D: usize>(detector: &SortAndUpdate<D>, before: &[Pair<D>], now: &[Pair<D>], has_images: bool) {
    let (begun, ended) = (detector.begun_box_pairs(), detector.ended_box_pairs());
    assert!(begun.is_sorted() && ended.is_sorted());
    assert_eq!(before.len() + begun.len() - ended.len(), now.len());
    assert!(begun.iter().all(|pair| now.binary_search(pair).is_ok()), "what begins is there");
    assert!(ended.iter().all(|pair| now.binary_search(pair).is_err()), "what ended is not");
    // Boxes that are given whole periods away are the same images with other shifts: not to be told by lists alone.
    if !has_images {
        assert!(begun.iter().all(|pair| before.binary_search(pair).is_err()));
        assert!(ended.iter().all(|pair| before.binary_search(pair).is_ok()));
    }
}

/// Open, periodic along some axes and along all.
fn domains<const D: usize>() -> Vec<Domain<D>> {
    let within = |periodic: [bool; D]| Domain::new([-1.0; D], [9.0; D], periodic).unwrap();
    vec![
        Domain::open(),
        within(std::array::from_fn(|axis| axis == 0)),
        within(std::array::from_fn(|axis| axis != 0)),
        within([true; D]),
        // Most boxes are larger than the period here, and all have images of their own.
        Domain::new([0.0; D], [0.9; D], std::array::from_fn(|axis| axis == D - 1)).unwrap(),
    ]
}

fn in_every_domain<const D: usize>(count: usize, mut story: impl FnMut(Crowd<D>, Rng)) {
    for (number, domain) in domains::<D>().into_iter().enumerate() {
        let mut rng = Rng::new(number as u64);
        story(Crowd::random(count, domain, &mut rng), rng);
    }
}

fn random_walk<const D: usize>(count: usize) {
    in_every_domain::<D>(count, |crowd, mut rng| {
        check(crowd, 40, 39, |crowd| {
            for body in 0..crowd.lo.len() {
                let way: [f64; D] = std::array::from_fn(|_| 0.05 * rng.normal());
                crowd.move_body(body, |axis| way[axis]);
                for axis in 0..D {
                    let grown = crowd.hi[body][axis] + 0.02 * rng.normal();
                    crowd.hi[body][axis] = grown.max(crowd.lo[body][axis]);
                }
            }
        });
    });
}

#[test]
fn follows_boxes_that_wander_and_breathe() {
    random_walk::<1>(60);
    random_walk::<2>(70);
    random_walk::<3>(80);
}

fn drift<const D: usize>(count: usize) {
    // All cross the borders of the box again and again, some in one direction and some in the other; each is sometimes
    // given whole boxes away.
    in_every_domain::<D>(count, |crowd, mut rng| {
        check(crowd, 60, 55, |crowd| {
            for body in 0..crowd.lo.len() {
                let boxes = if rng.below(20) == 0 { rng.below(7) as f64 - 3.0 } else { 0.0 };
                let speed = [0.31, -0.22, 0.05][body % 3];
                let domain = crowd.domain;
                crowd.move_body(body, |axis| speed * domain.length(axis).clamp(0.1, 1.0) + boxes * domain.length(axis));
            }
        });
    });
}

#[test]
fn follows_boxes_that_cross_borders_in_both_directions() {
    drift::<1>(30);
    drift::<2>(50);
    drift::<3>(60);
}

fn jumps<const D: usize>(count: usize) {
    in_every_domain::<D>(count, |crowd, mut rng| {
        check(crowd, 40, 30, |crowd| {
            for _ in 0..3 {
                let body = rng.below(crowd.lo.len() as u64) as usize;
                let way: [f64; D] = std::array::from_fn(|_| 20.0 * rng.uniform() - 10.0);
                crowd.move_body(body, |axis| way[axis]);
            }
            let body = rng.below(crowd.lo.len() as u64) as usize;
            // Ends that move by more than a whole turn are no matter of exchanges.
            let most = if crowd.domain.lengths().contains(&0.9) { 0.8 } else { 6.0 };
            let grown = most * (rng.uniform() - 0.5);
            crowd.hi[body] = std::array::from_fn(|axis| (crowd.hi[body][axis] + grown).max(crowd.lo[body][axis]));
        });
    });
}

#[test]
fn follows_boxes_that_jump_and_change_their_size_at_once() {
    jumps::<1>(100);
    jumps::<2>(100);
    jumps::<3>(100);
}

fn comings_and_goings<const D: usize>(count: usize) {
    in_every_domain::<D>(count, |crowd, mut rng| {
        check(crowd, 40, 25, |crowd| {
            for _ in 0..rng.below(4) {
                crowd.lo.pop();
                crowd.hi.pop();
            }
            if rng.below(3) == 0 {
                let body = rng.below(crowd.lo.len() as u64) as usize;
                crowd.lo.swap_remove(body);
                crowd.hi.swap_remove(body);
            }
            for _ in 0..rng.below(6) {
                crowd.push(&mut rng);
            }
            for body in 0..crowd.lo.len() {
                let way: [f64; D] = std::array::from_fn(|_| 0.02 * rng.normal());
                crowd.move_body(body, |axis| way[axis]);
            }
        });
    });
}

#[test]
fn follows_boxes_that_come_and_go() {
    comings_and_goings::<1>(80);
    comings_and_goings::<2>(80);
    comings_and_goings::<3>(80);
}

/// Ends on few places, so that many are at the same one, boxes of no width among them.
fn on_a_grid<const D: usize>(count: usize) {
    for domain in [Domain::open(), Domain::periodic([0.0; D], [8.0; D]).unwrap()] {
        let mut rng = Rng::new(9);
        let mut crowd = Crowd { lo: vec![[0.0; D]; count], hi: vec![[0.0; D]; count], domain };
        let mut shuffle = |crowd: &mut Crowd<D>, share: u64| {
            for body in 0..count {
                if rng.below(share) == 0 {
                    crowd.lo[body] = std::array::from_fn(|_| rng.below(8) as f64);
                    crowd.hi[body] = crowd.lo[body].map(|x| x + rng.below(3) as f64);
                }
            }
        };
        shuffle(&mut crowd, 1);
        check(crowd, 30, 20, |crowd| shuffle(crowd, 8));
    }
}

#[test]
fn boxes_that_touch_stay_pairs_on_every_path() {
    on_a_grid::<1>(60);
    on_a_grid::<2>(60);
    on_a_grid::<3>(60);
}

#[test]
fn pairs_do_not_depend_on_threads_nor_on_what_came_before() {
    let mut rng = Rng::new(4);
    let side = 30.0;
    let domain = Domain::new([0.0; 3], [side; 3], [true, false, true]).unwrap();
    for domain in [Domain::open(), domain] {
        let mut centers: Vec<[f64; 3]> = (0..6000).map(|_| [(); 3].map(|()| side * rng.uniform())).collect();
        let radii: Vec<f64> = (0..6000).map(|_| 0.1 + rng.uniform().powi(4)).collect();
        let mut warm = [1, 2, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            (pool, SortAndUpdate::new(), Pairs::new())
        });
        for step in 0..6 {
            let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
            let mut expected = Pairs::new();
            SortAndUpdate::new().find_pairs(now, &mut expected);
            for (pool, detector, pairs) in &mut warm {
                pool.install(|| detector.find_pairs(now, pairs));
                assert!(pairs.as_slice() == expected.as_slice() && pairs.shifts() == expected.shifts(), "step {step}");
                assert_eq!(detector.started_afresh(), step == 0);
            }
            let [first, others @ ..] = &warm;
            assert!(others.iter().all(|other| other.1.exchanges() == first.1.exchanges()), "step {step}");
            assert!((first.1.exchanges() > 10_000) == (step > 0), "{} exchanges", first.1.exchanges());
            centers.iter_mut().flatten().for_each(|x| *x += 0.01 * rng.normal());
        }
    }
}

#[test]
fn nothing_is_exchanged_at_rest_nor_where_all_move_together() {
    let mut rng = Rng::new(5);
    let mut crowd = Crowd::<2>::random(300, Domain::open(), &mut rng);
    let mut detector = SortAndUpdate::new();
    let first = found(&mut detector, &crowd);
    assert_eq!(found(&mut detector, &crowd), first);
    assert_eq!((detector.exchanges(), detector.started_afresh()), (0, false));
    for body in 0..crowd.lo.len() {
        crowd.lo[body] = crowd.lo[body].map(|x| 2.0 * x);
        crowd.hi[body] = crowd.hi[body].map(|x| 2.0 * x);
    }
    assert_eq!(found(&mut detector, &crowd), first);
    assert_eq!((detector.exchanges(), detector.started_afresh()), (0, false));
}

/// Figure 5 of the paper: one long body across many small ones costs nothing while they stay where they are.
#[test]
fn a_long_body_across_many_takes_no_more_exchanges() {
    let small = |k: usize| [[2.0 * k as f64, 2.0 * k as f64 + 1.0], [0.0, 1.0]];
    let mut all: Vec<_> = (0..500).map(small).collect();
    all.push([[-1.0, 1001.0], [-5.0, 5.0]]);
    let mut crowd = Crowd::new(&all);
    let mut detector = SortAndUpdate::new();
    assert_eq!(found(&mut detector, &crowd).len(), 500);
    for _ in 0..10 {
        crowd.move_body(500, |axis| [0.05, -0.3][axis]);
        assert_eq!(found(&mut detector, &crowd), crowd.expected());
        assert_eq!((detector.exchanges(), detector.started_afresh()), (0, false));
    }
}

/// Figure 6 of the paper: a tower that is turned over would take all exchanges there can be.
#[test]
fn a_reversed_tower_starts_afresh_and_goes_on_by_exchange() {
    let floors = 1000;
    let floor = |k: usize| [[0.0, 1.0], [0.9 * k as f64, 0.9 * k as f64 + 1.0]];
    let mut crowd = Crowd::new(&(0..floors).map(floor).collect::<Vec<_>>());
    let mut detector = SortAndUpdate::new();
    assert_eq!(found(&mut detector, &crowd).len(), floors - 1);
    crowd.lo.reverse();
    crowd.hi.reverse();
    assert_eq!(found(&mut detector, &crowd), crowd.expected());
    let most = (8.0 * floors as f64 * (floors as f64).log2()) as u64;
    assert!(detector.started_afresh());
    // It gives up at once, in the middle of the end that takes too many, not when all is done.
    assert!((most..most + 2 * floors as u64).contains(&detector.exchanges()), "{}", detector.exchanges());
    crowd.move_body(3, |axis| [0.0, 2.0][axis]);
    assert_eq!(found(&mut detector, &crowd), crowd.expected());
    assert!(!detector.started_afresh() && detector.exchanges() < 20, "{}", detector.exchanges());
}

/// Spheres and boxes in turns through one detector, and another domain each time: every call is right.
#[test]
fn any_call_may_follow_any_other() {
    let mut rng = Rng::new(6);
    let mut detector = SortAndUpdate::<2>::new();
    let mut pairs = Pairs::new();
    for (number, domain) in domains().into_iter().cycle().take(20).enumerate() {
        let crowd = Crowd::random(10 * (number % 4), domain, &mut rng);
        assert_eq!(found(&mut detector, &crowd), crowd.expected(), "{number}");
        let radii = vec![0.3; crowd.lo.len()];
        let now = Snapshot::new(&crowd.lo, &radii).unwrap().within(domain).unwrap();
        detector.find_pairs(now, &mut pairs);
        let mut expected = Pairs::new();
        multigrain::detectors::BruteForce.find_pairs(now, &mut expected);
        expected.sort();
        assert_eq!(pairs.iter().collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>(), "{number}");
    }
}

/// What a plain sweep along any one axis would take a test for each pair of bodies for.
#[test]
fn start_up_compares_few_boxes_whatever_they_share() {
    let count = 30_000;
    let mut rng = Rng::new(7);
    let wide = 1e6;
    let compared = |boxes: &[[[f64; 2]; 3]]| {
        let (mut detector, mut pairs) = (SortAndUpdate::new(), Pairs::new());
        let crowd = Crowd::new(boxes);
        detector.find_box_pairs(crowd.boxes(), &mut pairs);
        (detector.index.compared() as f64 / count as f64, pairs.len() as f64 / count as f64)
    };
    let cube = |[x, y, z]: [f64; 3]| [[x, x + 1.0], [y, y + 1.0], [z, z + 1.0]];
    for axis in 0..3 {
        let column: Vec<_> = (0..count)
            .map(|_| cube(std::array::from_fn(|along| if along == axis { wide * rng.uniform() } else { 0.5 })))
            .collect();
        let plane: Vec<_> = (0..count)
            .map(|_| cube(std::array::from_fn(|along| if along == axis { 0.5 } else { 1000.0 * rng.uniform() })))
            .collect();
        // Plates and needles: each overlaps all others along two axes or along one.
        let plates: Vec<_> = (0..count)
            .map(|_| {
                let at = wide * rng.uniform();
                std::array::from_fn(|along| if along == axis { [at, at + 1.0] } else { [0.0, wide] })
            })
            .collect();
        let needles: Vec<_> = (0..count)
            .map(|_| {
                std::array::from_fn(|along| {
                    let at = 1000.0 * rng.uniform();
                    if along == axis { [0.0, wide] } else { [at, at + 1.0] }
                })
            })
            .collect();
        for (name, boxes) in [("column", column), ("plane", plane), ("plates", plates), ("needles", needles)] {
            let (compared, pairs) = compared(&boxes);
            assert!(pairs < 3.0 && compared < 2000.0, "{name} along {axis}: {compared} compared, {pairs} pairs");
        }
    }
}

#[test]
fn pairs_of_boxes_stop_when_asked_and_are_whole_the_next_time() {
    let mut rng = Rng::new(21);
    let periodic = Domain::periodic([0.0; 3], [10.0; 3]).unwrap();
    for domain in [Domain::open(), periodic] {
        let mut crowd = Crowd::<3>::random(3000, domain, &mut rng);
        let (mut detector, mut pairs) = (SortAndUpdate::new(), Pairs::new());
        for patience in [0, 1, 3] {
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Relaxed) >= patience;
            assert!(!detector.find_box_pairs_until(crowd.boxes(), &mut pairs, &stop), "went on after {patience}");
            assert!(pairs.is_empty());
        }
        detector.find_box_pairs(crowd.boxes(), &mut pairs);
        assert_eq!(pairs.iter().collect::<Vec<_>>(), crowd.expected());
        for patience in [0, 1, 2] {
            for body in 0..3000 {
                let by = 0.02 * rng.uniform();
                crowd.move_body(body, |_| by);
            }
            let asked = AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, Relaxed) >= patience;
            assert!(!detector.find_box_pairs_until(crowd.boxes(), &mut pairs, &stop), "followed after {patience}");
            assert!(detector.find_box_pairs_until(crowd.boxes(), &mut pairs, &|| false));
            assert_eq!(pairs.iter().collect::<Vec<_>>(), crowd.expected());
        }
        crowd.move_body(7, |_| 0.3);
        assert!(!detector.find_box_pairs_until(crowd.boxes(), &mut pairs, &|| true) && pairs.is_empty());
        assert!(detector.find_box_pairs_until(crowd.boxes(), &mut pairs, &|| false));
        assert_eq!(pairs.iter().collect::<Vec<_>>(), crowd.expected());
    }
}
