//! Random pairs of polygons against the exhaustive answers.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example fuzz_polygons -- --pairs 1e7
//! cargo run --release -p multigrain-lab --example fuzz_polygons -- --seed 1 --first 4711 --pairs 1
//! ```
//!
//! Every pair is asked three times: knowing nothing, after a small motion with what was remembered, and from features that
//! have nothing to do with it. Exit code 1 at the first answer that differs, naming its pair.

use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::polygon_check::{Tally, check};
use multigrain_lab::program::{Outcome, run};
use rayon::prelude::*;
use std::process::ExitCode;

const USAGE: &str = "\
Random pairs of convex polygons against the exhaustive answers

    --pairs N      pairs (1e5)
    --corners N    most corners (1000)
    --seed N       seed (1)
    --first N      number of the first pair (0)
    --threads N    threads (2)";

/// Pairs between two lines of progress.
const BLOCK: u64 = 100_000;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let pairs = arguments.take("pairs").unwrap_or(Count(100_000)).0 as u64;
    let corners = arguments.take("corners").unwrap_or(1000usize);
    let seed = arguments.take("seed").unwrap_or(1u64);
    let first = arguments.take("first").unwrap_or(0u64);
    let threads = arguments.take("threads").unwrap_or(2usize);
    if corners < 3 {
        arguments.refuse("--corners must be at least 3");
    }
    arguments.finish();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
    let mut all = Tally::default();
    let mut done = 0;
    while done < pairs {
        let block = BLOCK.min(pairs - done);
        let numbers = first + done..first + done + block;
        let tally = pool.install(|| {
            let checked = numbers.into_par_iter().map(|number| check(seed, number, corners));
            checked.try_reduce(Tally::default, |a, b| Ok(a.and(b)))
        })?;
        all = all.and(tally);
        done += block;
        eprintln!("{done} pairs");
    }
    println!("pairs {done}, calls {}, of them overlapping {}", all.calls, all.overlapping);
    println!(
        "steps per call {:.2}, longest call {:.2} of the bound",
        all.steps as f64 / all.calls as f64,
        all.most_share
    );
    println!("largest difference from the exhaustive distance: {:.3} of what is allowed", all.worst);
    Ok(ExitCode::SUCCESS)
}
