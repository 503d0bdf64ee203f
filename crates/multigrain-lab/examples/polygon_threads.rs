//! Polygon simulation on one thread and on several: time of a step.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example polygon_threads -- --grains 5000
//! ```
//!
//! A settled bed of grains in a box. The same steps are taken from the same start on each number of threads in turn; the
//! median counts. Exit code 1 if results differ.

use multigrain_dem::polygons::{PolygonScene, PolygonSimulation};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{median, timed};
use std::process::ExitCode;

const USAGE: &str = "\
Polygon simulation on one thread and on several

    --grains N       grains (5000)
    --threads A,B    numbers of threads (1,2)
    --settle N       steps before the clock starts (3000)
    --steps N        steps of each turn (200)
    --rounds N       turns of each (7)";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let grains = arguments.take("grains").unwrap_or(Count(5000)).0;
    let threads: Vec<usize> = arguments.take_list("threads").unwrap_or_else(|| vec![1, 2]);
    let settle = arguments.take("settle").unwrap_or(3000u64);
    let steps = arguments.take("steps").unwrap_or(200u64);
    let rounds = arguments.take("rounds").unwrap_or(7usize);
    arguments.finish();
    let mut simulations = Vec::new();
    for &count in &threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build()?;
        let scene = PolygonScene::drum(grains, 1)?;
        let mut simulation = scene.setup.build(scene.bodies)?;
        pool.install(|| simulation.run(settle))?;
        simulations.push((count, pool, simulation, Vec::new()));
    }
    for round in 0..=rounds {
        for (_, pool, simulation, times) in &mut simulations {
            let (elapsed, result) = timed(|| pool.install(|| simulation.run(steps)));
            result?;
            if round > 0 {
                times.push(elapsed.as_secs_f64() / steps as f64);
            }
        }
    }
    let mut table = Table::new(["threads", "ms/step", "speed-up", "contacts", "candidates"]);
    let first = median(&simulations[0].3);
    for (count, _, simulation, times) in &simulations {
        let time = median(times);
        let counts = [simulation.contact_count(), simulation.candidate_count()].map(|count| count.to_string());
        table.row([count.to_string(), short(1e3 * time), short(first / time)].into_iter().chain(counts));
    }
    println!("drum with {grains} grains, median of {rounds} turns of {steps} steps\n{table}");
    let bits = |simulation: &PolygonSimulation| {
        let places = (0..simulation.len()).map(|k| simulation.body(k).frame().position().map(f64::to_bits));
        places.collect::<Vec<_>>()
    };
    Ok(verdict(simulations.iter().all(|(_, _, simulation, _)| bits(simulation) == bits(&simulations[0].2))))
}
