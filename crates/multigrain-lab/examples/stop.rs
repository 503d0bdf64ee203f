//! How soon every method ends when it is asked to, from wherever it is in its search.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example stop
//! cargo run --release -p multigrain-lab --example stop -- --methods mr,mmr
//! ```
//!
//! Every method searches a million spheres (brute force fewer, for some seconds), with a new detector and, where it remembers, after
//! a step. Another thread asks it to stop after shares of the time that a whole search takes. What counts is the processor time
//! from the request to the end, or time on the clock where the system does not know it; the best of three tries, since what else
//! the machine does is not the method's. Exit code 1 if any takes more than 0.2 s.

use multigrain::{Detector, Pairs, Rng};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::clock;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::scene::{Scene, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::timed;
use multigrain_methods::{Candidates, Method};
use multigrain_packings::DataSet;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const USAGE: &str = "\
Time from a request to stop to the end of a search

    --count N        spheres (1e6; brute force a tenth)
    --methods A,B    methods (all)
    --threads N      threads (1)";

/// Seconds that are soon.
const SOON: f64 = 0.2;

/// When it is asked to stop, as shares of a whole search.
const SHARES: [f64; 7] = [0.02, 0.1, 0.25, 0.4, 0.6, 0.8, 0.95];

/// Tries, of which the best counts.
const TRIES: usize = 3;

/// Seconds that brute force is let go for at most: it would take much longer.
const PATIENCE: f64 = 2.0;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let count = arguments.take("count").unwrap_or(Count(1_000_000)).0;
    let threads = arguments.take("threads").unwrap_or(1);
    let all = || Method::ALL.iter().map(|method| method.name().to_owned()).collect();
    let names = arguments.take_list("methods").unwrap_or_else(all);
    let methods = names.iter().map(|name: &String| engine::method(name)).collect::<Result<Vec<_>, _>>();
    let methods = methods.unwrap_or_else(|error| arguments.refuse(error));
    arguments.finish();
    let pool = engine::pool(threads)?;
    let mut table = Table::new(["method", "bodies", "search", "whole (s)", "slowest stop (s)", "asked at (s)", "soon"]);
    let mut all_soon = true;
    for method in methods {
        let count = if method.candidates() == Candidates::EveryPair { count / 10 } else { count };
        let calm = scene(&DataSet::ALL[0], count);
        let moved = after_a_step(&calm);
        for is_warm in [false, true] {
            if is_warm && !method.remembers() {
                continue;
            }
            let slowest = pool.install(|| slowest_stop(method, &calm, is_warm.then_some(&moved)));
            let slowest = slowest.map_err(|error| format!("{method}: {error}"))?;
            let is_soon = slowest.seconds <= SOON;
            all_soon &= is_soon;
            let words =
                [method.name().to_owned(), count.to_string(), if is_warm { "after a step" } else { "new" }.to_owned()];
            let numbers = [slowest.whole, slowest.seconds, slowest.asked_at].map(short);
            table.row(words.into_iter().chain(numbers).chain([if is_soon { "yes" } else { "NO" }.to_owned()]));
        }
    }
    println!("{table}");
    Ok(verdict(all_soon))
}

/// The request after which it took longest to end.
struct Stop {
    whole: f64,
    seconds: f64,
    asked_at: f64,
}

fn slowest_stop(method: Method, first: &Scene, then: Option<&Scene>) -> Result<Stop, multigrain::Error> {
    let mut pairs = Pairs::new();
    // A detector that has seen what it may remember.
    let ready = |pairs: &mut Pairs<3>| -> Result<Box<dyn Detector<3>>, multigrain::Error> {
        let mut detector = method.build(first.snapshot()?)?;
        if then.is_some() {
            detector.find_pairs(first.snapshot()?, pairs);
        }
        Ok(detector)
    };
    let now = then.unwrap_or(first).snapshot()?;
    let whole = if method.candidates() == Candidates::EveryPair {
        PATIENCE
    } else {
        let mut detector = ready(&mut pairs)?;
        timed(|| detector.find_pairs(now, &mut pairs)).0.as_secs_f64()
    };
    let mut slowest = Stop { whole, seconds: 0.0, asked_at: 0.0 };
    for share in SHARES {
        let mut best = f64::INFINITY;
        for _ in 0..TRIES {
            let mut detector = ready(&mut pairs)?;
            let taken = seconds_to_the_end(share * whole, &mut |stop| {
                detector.find_pairs_until(now, &mut pairs, stop);
            });
            best = best.min(taken);
            if best <= SOON / 4.0 {
                break;
            }
        }
        if best > slowest.seconds {
            slowest = Stop { seconds: best, asked_at: share * whole, ..slowest };
        }
    }
    Ok(slowest)
}

/// Seconds from the request to the end of the search; 0 if it had ended before. The request comes from another thread.
fn seconds_to_the_end(after: f64, search: &mut dyn FnMut(&(dyn Fn() -> bool + Sync))) -> f64 {
    let (is_asked, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    let searcher = clock::this_thread();
    thread::scope(|scope| {
        let asking = scope.spawn(|| {
            thread::sleep(Duration::from_secs_f64(after));
            let at = (Instant::now(), searcher.as_deref().and_then(clock::seconds_of));
            is_asked.store(true, Relaxed);
            (!is_over.load(Relaxed)).then_some(at)
        });
        search(&|| is_asked.load(Relaxed));
        let end = (Instant::now(), searcher.as_deref().and_then(clock::seconds_of));
        is_over.store(true, Relaxed);
        match asking.join().expect("it only waits") {
            None => 0.0,
            Some((_, Some(asked))) if end.1.is_some() => end.1.map_or(0.0, |end| (end - asked).max(0.0)),
            Some((asked, _)) => end.0.saturating_duration_since(asked).as_secs_f64(),
        }
    })
}

/// The same spheres a little further on.
fn after_a_step(scene: &Scene) -> Scene {
    let mut rng = Rng::new(5);
    let mut moved = scene.clone();
    for x in moved.centers.iter_mut().flatten() {
        *x += 0.2 * (rng.uniform() - 0.5);
    }
    moved
}
