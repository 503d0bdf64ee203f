//! One snapshot through one method in every way a detector can be asked, and readable failures.

use crate::oracle::oracle;
use crate::scene::Scene;
use crate::settings;
use crate::threads::on_threads;
use multigrain::{Axes, Detector, Dimension, Pair, Pairs, Settings, Snapshot, Work};
use multigrain_methods::Method;

/// Checks every method with every setting on a scene against the oracle, with these numbers of threads.
pub fn every_method_agrees<const D: usize>(scene: &Scene<D>, threads: &[usize])
where
    Axes: Dimension<D>,
{
    let now = scene.now();
    let expected = oracle(now);
    for &method in Method::ALL {
        for settings in settings::to_try(now, &scene.cell_sizes) {
            let run = Run::new(&scene.name, method, &settings);
            if settings::build(method, now, &settings).is_some() {
                run.agrees(method, &settings, now, &expected, threads);
            }
        }
    }
}

/// What is being run, for messages: printed also where a method panics.
pub struct Run(String);

impl Run {
    pub fn new(scene: &str, method: Method, settings: &Settings) -> Self {
        Self(format!("{} on '{scene}' with {settings:?}", method.name()))
    }

    /// The right pairs, in one order whatever the number of threads, however they are asked for.
    fn agrees<const D: usize>(
        &self,
        method: Method,
        settings: &Settings,
        now: Snapshot<'_, D>,
        expected: &[Pair<D>],
        threads: &[usize],
    ) where
        Axes: Dimension<D>,
    {
        let mut pairs = Pairs::new();
        let mut first: Option<(Vec<Pair<D>>, Work)> = None;
        for &count in threads {
            // A new detector each time: only calls after the same calls must give the same order and work.
            let mut detector = settings::build(method, now, settings).expect("built before");
            on_threads(count, || detector.find_pairs(now, &mut pairs));
            let found: Vec<Pair<D>> = pairs.iter().collect();
            let work = on_threads(count, || detector.count_work(now, &mut pairs));
            match &first {
                None => {
                    self.same_pairs(expected, &found, now);
                    self.same_pairs(expected, &pairs.iter().collect::<Vec<_>>(), now);
                    self.asked_in_other_ways(&mut *detector, now, expected);
                    first = Some((found, work));
                }
                Some((order, counted)) => {
                    assert!(*order == found, "{self}: {count} threads change pairs or their order");
                    assert_eq!(*counted, work, "{self}: {count} threads count other work");
                }
            }
        }
    }

    fn asked_in_other_ways<const D: usize>(
        &self,
        detector: &mut dyn Detector<D>,
        now: Snapshot<'_, D>,
        expected: &[Pair<D>],
    ) {
        let mut pairs = Pairs::new();
        let mut mapped = 0;
        detector.find_pairs_in_phases(now, &mut pairs, &mut || mapped += 1, &|| false);
        assert_eq!(mapped, 1, "{self}: mapping was over {mapped} times");
        self.same_pairs(expected, &pairs.iter().collect::<Vec<_>>(), now);
        let mut visited = Vec::new();
        detector.visit_pairs(now, &mut |pair| visited.push(pair));
        self.same_pairs(expected, &visited, now);
    }

    /// Fails with the first missing, extra or repeated pair. `expected` is sorted.
    pub fn same_pairs<const D: usize>(&self, expected: &[Pair<D>], found: &[Pair<D>], now: Snapshot<'_, D>) {
        let mut sorted = found.to_vec();
        sorted.sort_unstable();
        if sorted == expected {
            return;
        }
        let describe = |pair: &Pair<D>| {
            let (i, j) = (pair.i as usize, pair.j as usize);
            let [a, b] = [i, j].map(|k| (now.centers()[k], now.radii()[k]));
            format!("{pair:?}: center and radius {a:?} and {b:?}, overlap {:e}", now.overlap_depth(i, j, pair.shift))
        };
        let missing: Vec<_> = expected.iter().filter(|pair| sorted.binary_search(pair).is_err()).collect();
        let extra: Vec<_> = sorted.iter().filter(|pair| expected.binary_search(pair).is_err()).collect();
        let twice: Vec<_> = sorted.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
        let mut message = format!("{self}: {} pairs found, {} expected", found.len(), expected.len());
        for (kind, list) in [("missing", missing), ("not in contact", extra), ("listed twice", twice)] {
            if let Some(pair) = list.first() {
                message += &format!("\n  {} {kind}, the first {}", list.len(), describe(pair));
            }
        }
        panic!("{message}\n  {} bodies, margin {}, {:?}", now.len(), now.margin(), now.domain());
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while running {self}");
        }
    }
}
