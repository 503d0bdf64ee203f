//! Polygon simulation on one thread and on several: time of a step.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example polygon_threads -- --grains 5000
//! ```
//!
//! A bed of angular grains falls together in a wide box until it rests on itself. From that state on, the same steps are taken
//! on each number of threads in turn; the median of the times and of the gains counts. Exit code 1 if results differ, if the grains hardly touch each other,
//! or if the last number of threads gains less than `--least`.

use multigrain_experiments::polygon_beds::bed;
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::engine::pool;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{median, timed};
use std::process::ExitCode;

const USAGE: &str = "\
Polygon simulation on one thread and on several

    --grains N       grains (5000)
    --threads A,B    numbers of threads (1,2)
    --settle T       seconds that the bed has to fall together (0.25)
    --steps N        steps of each turn (30)
    --rounds N       turns of each (41)
    --least X        what the last number of threads must gain over the first (1)";

/// Contacts per grain below which the bed does not rest on itself, and nothing worth knowing is timed.
const MIN_CONTACTS: f64 = 1.5;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let grains = arguments.take("grains").unwrap_or(Count(5000)).0;
    let threads: Vec<usize> = arguments.take_list("threads").unwrap_or_else(|| vec![1, 2]);
    let settle = arguments.take("settle").unwrap_or(0.25f64);
    let steps = arguments.take("steps").unwrap_or(30u64);
    let rounds = arguments.take("rounds").unwrap_or(41usize);
    let least = arguments.take("least").unwrap_or(1.0f64);
    arguments.finish();

    let (setup, bodies) = bed(grains, 1)?;
    let mut settled = setup.clone().build(bodies)?;
    let (elapsed, result) = timed(|| settled.run((settle / settled.time_step()) as u64));
    result?;
    println!(
        "{grains} grains after {settle} s, {} steps in {} s: kinetic energy {:.1e} J per grain",
        settled.steps(),
        short(elapsed.as_secs_f64()),
        settled.energies().kinetic() / grains as f64,
    );
    let saved = settled.encode();
    let mut runs = Vec::new();
    for &count in &threads {
        runs.push((count, pool(count)?, setup.clone().resume(&saved)?, Vec::new()));
    }
    for round in 0..=rounds {
        for (_, pool, simulation, times) in &mut runs {
            let (elapsed, result) = timed(|| pool.install(|| simulation.run(steps)));
            result?;
            // The first turn fills caches.
            if round > 0 {
                times.push(elapsed.as_secs_f64() / steps as f64);
            }
        }
    }
    let mut table = Table::new(["threads", "ms/step", "speed-up", "contacts"]);
    let mut gain = 1.0;
    for (count, _, simulation, times) in &runs {
        let time = median(times);
        // Turns that follow on each other are compared, so that a processor that changes its pace changes both.
        gain = median(&runs[0].3.iter().zip(times).map(|(first, this)| first / this).collect::<Vec<f64>>());
        let contacts = simulation.contact_count().to_string();
        table.row([count.to_string(), short(1e3 * time), short(gain), contacts]);
    }
    println!("median of {rounds} turns of {steps} steps\n{table}");
    let contacts = runs[0].2.contact_count() as f64 / grains as f64;
    let all_same =
        runs.iter().all(|(_, _, simulation, _)| simulation.state().fingerprint() == runs[0].2.state().fingerprint());
    println!("{} contacts per grain, all runs in the same state: {all_same}", short(contacts));
    if contacts < MIN_CONTACTS {
        println!("fewer than {MIN_CONTACTS} contacts per grain: the bed has not fallen together, --settle longer");
    }
    Ok(verdict(all_same && contacts >= MIN_CONTACTS && gain >= least))
}
