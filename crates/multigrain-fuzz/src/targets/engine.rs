//! Every method of detection, with any settings and history, on one thread or several, against a plain test of every pair.

mod bodies;
mod many;
mod oracle;
mod sorted_cells;

use super::Outcome;
use crate::bytes::Bytes;
use bodies::Bodies;
use multigrain::detectors::{HierarchicalGrid, WithChanges, WithSkin};
use multigrain::{
    Axes, Between, Detector, Dimension, Direction, LevelChoice, Pair, Pairs, PairsBetween, Settings, Snapshot,
};
use multigrain_methods::{Method, Takes};
use oracle::{is_too_long, oracle};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;

/// Most calls one after another.
const MAX_CALLS: u64 = 6;

/// Numbers of threads.
const THREADS: [usize; 3] = [1, 2, 5];

/// One input in so many is a story of many bodies: it takes as long as some hundred others.
const MANY_ONE_IN: u64 = 300;

/// What the fast grid tests bodies with.
const KERNELS: [&str; 3] = ["portable", "avx2", "avx512"];

static POOLS: LazyLock<[ThreadPool; 3]> = LazyLock::new(|| {
    THREADS.map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads can be had"))
});

/// Runs a job with so many threads: where this is the one thread of its pool, one thread is this, for handing over takes longer than
/// most answers do.
fn on<T: Send>(threads: usize, job: impl FnOnce() -> T + Send) -> T {
    let is_alone = rayon::current_thread_index().is_some() && rayon::current_num_threads() == 1;
    match THREADS.iter().position(|&of| of == threads) {
        Some(_) if threads == 1 && is_alone => job(),
        Some(pool) => POOLS[pool].install(job),
        None => unreachable!("no pool of {threads} threads"),
    }
}

pub fn run(input: &[u8]) -> Outcome {
    let (mut bytes, mut apart) = (Bytes::new(input), Bytes::apart(input));
    if apart.is_one_in(MANY_ONE_IN) {
        return many::run(&mut apart);
    }
    let kernel = apart.pick(&KERNELS);
    if bytes.is_one_in(2) { story::<2>(&mut bytes, kernel) } else { story::<3>(&mut bytes, kernel) }
}

/// A detector, and what it is called in messages.
struct Named<const D: usize> {
    name: String,
    detector: Box<dyn Detector<D>>,
}

/// Bodies that change from call to call, seen by detectors that remember.
fn story<const D: usize>(bytes: &mut Bytes<'_>, kernel: &str) -> Outcome
where
    Axes: Dimension<D>,
{
    let mut bodies = Bodies::<D>::random(bytes);
    let mut detectors: Vec<Named<D>> = Vec::new();
    let (mut checked, mut contacts) = (0, 0);
    let calls = 1 + bytes.below(MAX_CALLS);
    for call in 0..calls {
        let now = match bodies.snapshot() {
            Ok(now) => now,
            Err(error) => return Outcome { checked, ..Outcome::refused(&error.to_string()) },
        };
        if is_too_long(&now) {
            return Outcome { checked, ..Outcome::refused("too many images") };
        }
        if detectors.is_empty() {
            detectors = build_all(now, &bodies, bytes);
            detectors.extend(with_kernel(now, &Settings::default(), kernel));
        }
        let expected = oracle(now);
        contacts += expected.len();
        let threads = bytes.pick(&[1, 1, 1, 1, 2, 5]);
        let stopped: Vec<bool> = detectors.iter().map(|_| bytes.is_one_in(64)).collect();
        on(threads, || {
            let mut pairs = Pairs::new();
            for (Named { name, detector }, is_stopped) in detectors.iter_mut().zip(&stopped) {
                if *is_stopped {
                    detector.find_pairs_until(now, &mut pairs, &|| true);
                }
                detector.find_pairs(now, &mut pairs);
                compare(name, call, now, &expected, pairs.iter().collect());
            }
        });
        checked += detectors.len() as u64;
        if bytes.is_one_in(16) {
            checked += in_any_order(bytes, now, &expected);
        }
        if bytes.is_one_in(8) {
            between(bytes, now, &expected);
            checked += 1;
        }
        bodies.change(bytes);
    }
    Outcome { checked, ..Outcome::accepted(contacts) }
}

/// All methods as they are, some with settings or a skin.
fn build_all<const D: usize>(now: Snapshot<'_, D>, bodies: &Bodies<D>, bytes: &mut Bytes<'_>) -> Vec<Named<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    for &method in Method::ALL {
        let detector = method.build(now).unwrap_or_else(|error| panic!("{method} cannot be built: {error}"));
        all.push(Named { name: method.to_string(), detector });
        let settings = settings(method, now, bytes);
        if let Some(settings) = settings
            && let Ok(detector) = method.build_with(now, &settings)
        {
            all.push(Named { name: format!("{method} with {settings:?}"), detector });
        }
    }
    let method = bytes.pick(Method::ALL);
    let width = bodies.scale() * 0.3 * bytes.uniform();
    if let (Ok(detector), true) = (method.build(now), bytes.is_one_in(3))
        && let Ok(skin) = WithSkin::new(detector, width)
    {
        all.push(Named { name: format!("{method} with a skin of {width}"), detector: Box::new(Changing::new(skin)) });
    }
    all
}

/// The fast grid with a kernel, where the processor can run it.
fn with_kernel<const D: usize>(now: Snapshot<'_, D>, settings: &Settings, kernel: &str) -> Option<Named<D>>
where
    Axes: Dimension<D>,
{
    let grid = HierarchicalGrid::with_settings(now, settings).ok()?.with_kernel(kernel)?;
    Some(Named { name: format!("hgrid with {settings:?} and the kernel {kernel}"), detector: Box::new(grid) })
}

/// Settings that a method may be given, if it takes any.
fn settings<const D: usize>(method: Method, now: Snapshot<'_, D>, bytes: &mut Bytes<'_>) -> Option<Settings> {
    match method.takes() {
        Takes::Levels => {
            let direction = bytes.pick(&Direction::ALL);
            let largest = now.largest_reach();
            let levels = match bytes.below(3) {
                0 => LevelChoice::Tuned,
                1 => LevelChoice::Count(1 + bytes.below(8) as usize),
                _ => {
                    let mut sizes: Vec<f64> = (0..bytes.below(4)).map(|_| largest * bytes.uniform()).collect();
                    sizes.push(largest * if bytes.is_one_in(2) { 1.0 } else { 1.0 + 3.0 * bytes.uniform() });
                    sizes.sort_by(f64::total_cmp);
                    sizes.dedup();
                    LevelChoice::CellSizes(sizes)
                }
            };
            Some(Settings::default().with_direction(direction).with_levels(levels))
        }
        Takes::Factor => Some(Settings::default().with_factor(1.01 + 9.0 * bytes.uniform())),
        _ => None,
    }
}

/// A new detector gives one list, whatever the number of threads, and the same pairs one by one and with its work counted.
fn in_any_order<const D: usize>(bytes: &mut Bytes<'_>, now: Snapshot<'_, D>, expected: &[Pair<D>]) -> u64
where
    Axes: Dimension<D>,
{
    let method = bytes.pick(Method::ALL);
    let lists: Vec<(Vec<Pair<D>>, multigrain::Work)> = THREADS
        .into_iter()
        .map(|threads| {
            let mut detector = method.build(now).expect("it was built before");
            let mut pairs = Pairs::new();
            on(threads, || detector.find_pairs(now, &mut pairs));
            let list = pairs.iter().collect();
            let work = on(threads, || detector.count_work(now, &mut pairs));
            compare(&format!("{method}, counting"), 0, now, expected, pairs.iter().collect());
            (list, work)
        })
        .collect();
    assert!(lists.iter().all(|list| *list == lists[0]), "{method}: threads change the list or its work");
    let mut visited = Vec::new();
    method.build(now).expect("it was built before").visit_pairs(now, &mut |pair| visited.push(pair));
    compare(&format!("{method}, visiting"), 0, now, expected, visited);
    7
}

/// The bodies as two sets: pairs between them.
fn between<const D: usize>(bytes: &mut Bytes<'_>, now: Snapshot<'_, D>, expected: &[Pair<D>])
where
    Axes: Dimension<D>,
{
    if !now.groups().is_none() {
        return;
    }
    let (method, cut) = (bytes.pick(Method::ALL), bytes.below(now.len() as u64 + 1) as usize);
    let [a, b] = [0..cut, cut..now.len()].map(|part| {
        let part = Snapshot::new(&now.centers()[part.clone()], &now.radii()[part]).expect("they are part of it");
        part.within(*now.domain()).and_then(|part| part.with_margin(now.margin())).expect("as for all")
    });
    let wanted = expected.iter().filter(|pair| (pair.i as usize) < cut && pair.j as usize >= cut);
    let wanted: Vec<Pair<D>> = wanted.map(|pair| Pair { j: pair.j - cut as u32, ..*pair }).collect();
    let mut found = PairsBetween::default();
    let mut between = Between::new(method.build(a).expect("every method takes every set"));
    between.find_pairs(a, b, &mut found).expect("both are in one box");
    let mut found: Vec<Pair<D>> = found.iter().collect();
    found.sort_unstable();
    assert!(found == wanted, "{method} between {cut} and {} bodies: {found:?}, not {wanted:?}", now.len() - cut);
}

fn compare<const D: usize>(name: &str, call: u64, now: Snapshot<'_, D>, expected: &[Pair<D>], mut found: Vec<Pair<D>>) {
    found.sort_unstable();
    if found == expected {
        return;
    }
    let missing = expected.iter().filter(|pair| found.binary_search(pair).is_err()).count();
    let first = found.iter().zip(expected).find(|(one, other)| one != other);
    let who = expected.iter().find(|pair| found.binary_search(pair).is_err());
    let who = who.map(|pair| {
        let bodies = [pair.i, pair.j].map(|k| (now.centers()[k as usize], now.radii()[k as usize]));
        let depth = now.overlap_depth(pair.i as usize, pair.j as usize, pair.shift);
        format!("{pair:?} of {bodies:?} overlaps by {depth:e}; sizes to {:e}", now.largest_reach())
    });
    panic!(
        "{name}, call {call}: {} pairs, not {}, {missing} missing, {who:?}, first difference {first:?}; {} bodies, margin {}, {:?}",
        found.len(),
        expected.len(),
        now.len(),
        now.margin(),
        now.domain(),
    );
}

/// A detector whose pairs are those that changes from call to call add up to.
struct Changing<T, const D: usize> {
    changes: WithChanges<T, D>,
    held: std::collections::BTreeSet<Pair<D>>,
}

impl<T: Detector<D>, const D: usize> Changing<T, D> {
    fn new(detector: T) -> Self {
        Self { changes: WithChanges::new(detector), held: Default::default() }
    }
}

impl<T: Detector<D>, const D: usize> multigrain::Search<D> for Changing<T, D> {
    const TAKES_SHEARED: bool = true;

    fn search<S: multigrain::PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        self.changes.update(now);
        for pair in self.changes.ended() {
            assert!(self.held.remove(pair), "{pair:?} ended, but was not there");
        }
        for &pair in self.changes.begun() {
            assert!(self.held.insert(pair), "{pair:?} began, but was there");
        }
        assert_eq!(self.held, self.changes.pairs().iter().collect(), "changes do not add up to the pairs");
        sink.mapped();
        sink.pairs(self.changes.pairs().as_slice(), self.changes.pairs().shifts());
    }
}
