//! Time per particle against the number of particles, to show that it stays the same.
//!
//! ```text
//! cargo bench -p multigrain-lab --bench scaling
//! cargo bench -p multigrain-lab --bench scaling -- --counts 1e6,1e7 --sets uv100
//! cargo bench -p multigrain-lab --bench scaling -- --counts 1e6 --threads 1,2
//! ```
//!
//! The sizes of one data set, with each number of threads, take turns, so that all share the state of the machine. A warm
//! detector goes from unsorted arrays to the list of pairs.

use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::scene::{Scene, chosen_sets, scene};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{Contender, Rounds, Turn, alternate};
use multigrain_methods::Method;
use rayon::ThreadPool;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
Time per particle against the number of particles

    --counts A,B     numbers of particles (1e4,1e5,1e6,1e7)
    --sets A,B       data sets (all)
    --rounds N       turns of each size (5)
    --threads A,B    threads of the engine (1)
    --method NAME    the engine's method (hgrid)";

/// Smaller systems are detected again and again until a turn has this many particles.
const PARTICLES_PER_TURN: usize = 1_000_000;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let counts = arguments.take_list::<Count>("counts").map(|counts| counts.into_iter().map(|Count(n)| n).collect());
    let by_default = arguments.by_size(vec![10_000, 100_000, 1_000_000, 10_000_000], vec![1_000, 2_000]);
    let counts: Vec<usize> = counts.unwrap_or(by_default);
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(5, 1));
    let threads: Vec<usize> = arguments.take_list("threads").unwrap_or_else(|| vec![1]);
    let particles_per_turn = arguments.by_size(PARTICLES_PER_TURN, 1);
    let method = engine::chosen_method(&mut arguments);
    let sets = chosen_sets(&mut arguments);
    arguments.finish();

    let pools = threads.iter().map(|&threads| engine::pool(threads)).collect::<Result<Vec<_>, _>>()?;
    let mut head = vec!["set".to_owned(), "threads".to_owned()];
    head.extend(counts.iter().map(|&count| format!("{:e}", count as f64)));
    head.push("last / one before".to_owned());
    head.push(format!("times as fast as {}", threads[0]));
    let mut table = Table::new(head);
    for set in sets {
        eprintln!("{}", set.name);
        let scenes: Vec<Scene> = counts.iter().map(|&count| scene(set, count)).collect();
        let mut contenders: Vec<_> = pools
            .iter()
            .flat_map(|pool| scenes.iter().map(|scene| repeated(scene, method, pool, particles_per_turn)))
            .collect();
        let timings = alternate(&mut (), Rounds { count: rounds, patience: Duration::MAX }, &mut contenders, |_, _| ());
        let times: Vec<f64> = timings.iter().zip(counts.iter().cycle()).map(|(timing, &n)| timing.ns_per(n)).collect();
        for (&threads, own) in threads.iter().zip(times.chunks(counts.len())) {
            let last = own[counts.len() - 1];
            let growth = if let [.., before, last] = own { last / before } else { f64::NAN };
            let values = own.iter().copied().chain([growth, times[counts.len() - 1] / last]);
            table.row([set.name.to_owned(), threads.to_string()].into_iter().chain(values.map(short)));
        }
    }
    println!("\n{}, nanoseconds per particle, median of {rounds}", method.name());
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// A warm detector that goes through its scene again and again until a turn has this many particles.
fn repeated<'a>(scene: &'a Scene, method: Method, pool: &'a ThreadPool, particles: usize) -> Contender<'a, ()> {
    let mut detection = engine::warm("", method, pool);
    let times = (particles / scene.radii.len()).max(1) as u32;
    Contender::new("", move |(): &()| {
        let turns: Vec<Turn> = (0..times).map(|_| detection.take_turn(scene)).collect();
        let total: Duration = turns.iter().map(|turn| turn.elapsed).sum();
        Turn { elapsed: total / times, found: turns[0].found }
    })
}
