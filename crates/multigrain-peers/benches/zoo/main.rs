//! Time and counted work on every arrangement of the zoo, to show that both are proportional to bodies and contacts.
//!
//! ```text
//! cargo bench -p multigrain-peers --bench zoo
//! cargo bench -p multigrain-peers --bench zoo -- --counts 1e4,1e5 --only even,shells,heaps-1e6 --rounds 7
//! cargo bench -p multigrain-peers --bench zoo -- --counts 1e4 --skip-parry --csv zoo.csv
//! ```
//!
//! Times are of one thread, per body and contact; `even` takes turns with each arrangement, so that the ratio to it is of
//! one stretch of time. It is time on the processor by default, so that other programs disturb it less. parry's tree gets the same bodies: boxes in f32, or in f64 where f32 is too coarse for them. A
//! larger number of bodies is left out where the smaller ones predict that it takes longer than the limit.

mod growth;
mod measure;
mod parry;
mod report;

use measure::{Measured, Plan, measure};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::clock::Clock;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::zoo::{self, Arrangement};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
Time and counted work on every arrangement of the zoo

    --counts A,B     numbers of bodies (1e4,1e5,1e6)
    --only A,B       arrangements (all)
    --rounds N       turns of each contender (5)
    --method NAME    the engine's method (auto)
    --limit SECONDS  leave out what is predicted to take longer (20)
    --skip-parry     without parry
    --wall           time on the clock instead of on the processor
    --csv FILE       write all that was measured
    --list           say what the arrangements are, and measure nothing";

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let counts = arguments.take_list::<Count>("counts").map(|counts| counts.into_iter().map(|Count(n)| n).collect());
    let mut counts: Vec<usize> = counts.unwrap_or(arguments.by_size(vec![10_000, 100_000, 1_000_000], vec![300, 600]));
    counts.sort_unstable();
    let method = arguments.take("method").unwrap_or_else(|| "auto".to_owned());
    let plan = Plan {
        method: engine::method(&method).unwrap_or_else(|error| arguments.refuse(error)),
        rounds: arguments.take("rounds").unwrap_or(arguments.by_size(5, 1)),
        limit: Duration::from_secs(arguments.take("limit").unwrap_or(20)),
        turn: Duration::from_millis(arguments.by_size(50, 0)),
        with_parry: !arguments.take_switch("skip-parry"),
        clock: if arguments.take_switch("wall") { Clock::Wall } else { Clock::Processor },
    };
    let chosen = chosen(&mut arguments);
    let csv: Option<PathBuf> = arguments.take("csv");
    let list = arguments.take_switch("list");
    arguments.finish();
    if list {
        chosen.iter().for_each(|arrangement| println!("{:24}{}", arrangement.name, arrangement.what));
        return Ok(ExitCode::SUCCESS);
    }

    let pool = engine::pool(1)?;
    let yards: Vec<_> = counts.iter().map(|&count| measure::yardstick(count)).collect();
    let mut measured: Vec<Measured> = Vec::new();
    for arrangement in chosen {
        eprintln!("{}", arrangement.name);
        let one = pool.install(|| measure(arrangement, &yards, &plan));
        measured.extend(one.map_err(|error| format!("{}: {error}", arrangement.name))?);
    }
    println!("\n{method} on one thread, median of {}\n{}", plan.rounds, report::table(&measured));
    println!("{}", report::summary(&measured));
    csv.map_or(Ok(()), |path| report::write(&path, &measured))?;
    Ok(verdict(report::all_agree(&measured)))
}

/// The arrangements that `--only` names, or else all.
fn chosen(arguments: &mut Arguments) -> Vec<&'static Arrangement> {
    let Some(names) = arguments.take_list::<String>("only") else { return zoo::all().collect() };
    let find = |name: &String| {
        let unknown = || arguments.refuse(format!("no arrangement is called `{name}`; --list shows which there are"));
        zoo::all().find(|arrangement| arrangement.name == name).unwrap_or_else(unknown)
    };
    names.iter().map(find).collect()
}
