//! Our detectors as contenders.

use crate::arguments::Arguments;
use crate::scene::Scene;
use crate::timing::{Contender, Found, Turn, timed};
use multigrain::{Detector, Error, Layout, Pairs};
use multigrain_methods::Method;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Duration;

/// The method under test: the one that `--method` names, or else the hierarchical grid.
pub fn chosen_method(arguments: &mut Arguments) -> Method {
    let name = arguments.take("method").unwrap_or_else(|| "hgrid".to_owned());
    method(&name).unwrap_or_else(|error| arguments.refuse(error))
}

/// The method of that name, or a message that lists all.
pub fn method(name: &str) -> Result<Method, String> {
    let all = || Method::ALL.iter().map(|method| method.name()).collect::<Vec<_>>().join(", ");
    Method::from_name(name).ok_or_else(|| format!("no method is called `{name}`; there are {}", all()))
}

/// A pool of this many threads: detectors use the pool they are called in.
pub fn pool(threads: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build()
}

/// A detector and the list it refills.
pub struct Warm<'a> {
    method: Method,
    pool: &'a ThreadPool,
    detector: Option<Box<dyn Detector<3>>>,
    pairs: Pairs<3>,
}

impl<'a> Warm<'a> {
    /// A detector of `method`, built for the first scene it sees, working in `pool`.
    pub fn new(method: Method, pool: &'a ThreadPool) -> Self {
        Self { method, pool, detector: None, pairs: Pairs::new() }
    }

    /// Goes from the arrays of `scene` to the list of pairs and takes the time.
    pub fn detect(&mut self, scene: &Scene) -> Duration {
        let Self { method, pool, detector, pairs } = self;
        pool.install(|| {
            let detector = detector.get_or_insert_with(|| built(scene, *method));
            timed(|| detector.find_pairs(valid(scene.snapshot()), pairs)).0
        })
    }

    /// The pairs of the last detection.
    pub fn pairs(&self) -> &Pairs<3> {
        &self.pairs
    }

    /// Bytes that the detector's index takes, if it reports that.
    pub fn index_bytes(&self) -> Option<usize> {
        self.detector.as_ref().and_then(|detector| detector.index_bytes())
    }

    /// How the bodies of the last detection were laid out.
    pub fn layout(&self) -> Layout {
        self.detector.as_ref().map(|detector| detector.layout()).unwrap_or_default()
    }
}

/// A detector that has seen such a system before and refills its list: from arrays to pairs without allocation.
pub fn warm<'a>(name: impl Into<String>, method: Method, pool: &'a ThreadPool) -> Contender<'a, Scene> {
    let mut warm = Warm::new(method, pool);
    Contender::new(name, move |scene: &Scene| {
        let elapsed = warm.detect(scene);
        Turn { elapsed, found: Found::in_pairs(warm.pairs()) }
    })
}

/// The first detection of all: a fresh detector, its choice of levels and a fresh list included.
pub fn cold<'a>(name: impl Into<String>, method: Method, pool: &'a ThreadPool) -> Contender<'a, Scene> {
    Contender::new(name, move |scene: &Scene| {
        pool.install(|| {
            let (elapsed, pairs) = timed(|| {
                let mut pairs = Pairs::new();
                built(scene, method).find_pairs(valid(scene.snapshot()), &mut pairs);
                pairs
            });
            Turn { elapsed, found: Found::in_pairs(&pairs) }
        })
    })
}

fn built(scene: &Scene, method: Method) -> Box<dyn Detector<3>> {
    valid(scene.snapshot().and_then(|now| method.build(now)))
}

/// The lab's systems are its own: one that the engine refuses is a bug.
fn valid<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("the engine refuses a system of the lab: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::scene;
    use crate::timing::{Rounds, all_agree, alternate};
    use multigrain_packings::DataSet;

    #[test]
    fn unknown_methods_are_reported_with_those_that_exist() {
        assert_eq!(method("linked-cell"), Ok(Method::LinkedCell));
        let error = method("linked-list").unwrap_err();
        assert!(
            error.starts_with("no method is called `linked-list`; there are auto, brute-force, linked-cell"),
            "{error}"
        );
    }

    #[test]
    fn warm_and_cold_find_what_brute_force_finds() {
        let mut scene = scene(&DataSet::ALL[0], 500);
        let pool = pool(1).unwrap();
        let mut contenders: Vec<_> = vec![warm("brute force", Method::BruteForce, &pool)];
        for &method in Method::ALL {
            contenders.push(warm(method.name(), method, &pool));
            contenders.push(cold(method.name(), method, &pool));
        }
        let rounds = Rounds { count: 2, patience: Duration::MAX };
        let timings = alternate(&mut scene, rounds, &mut contenders, |_, _| ());
        assert_eq!(all_agree(&timings), Ok(()));
        assert!(timings[0].found[0].pairs > 0);
    }
}
