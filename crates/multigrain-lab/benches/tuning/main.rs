//! How good the choice of levels is: `auto` against the best of many settings, the order that the cost model predicts
//! against the measured one, and work and time over the size ratio.
//!
//! Coefficients are measured first, as `multigrain calibrate` does, and predictions are made with them. All settings of all cases take
//! turns, so that a busy minute of the machine is a round for each; a turn is a fresh detector that runs once to warm its memory,
//! then the quickest of three runs.

mod calibrate;
mod cases;
mod contest;

use contest::Timed;
use multigrain::sizes::SizeLaw;
use multigrain::{Detector, Pairs, Snapshot};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::clock::Clock;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::median;
use multigrain_methods::Method;
use multigrain_packings as scenes;
use std::process::ExitCode;

const USAGE: &str = "\
cargo bench -p multigrain-lab --bench tuning -- [--count N] [--rounds N] [--threads N] [--cases A,B] [--processor-time] [--skip-ratios] [--skip-cases]

  --count N        bodies of each case, 1e6 by default
  --rounds N       rounds that count, 7 by default
  --threads N      1 by default
  --cases A,B      names of cases, all by default
  --processor-time time on the processor instead of the clock, for one thread on a busy machine
  --skip-ratios    no table over the size ratio
  --skip-cases     only that table";

/// Why the bench cannot go on.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let count = arguments.take::<Count>("count").map_or(arguments.by_size(1_000_000, 2_000), |count| count.0);
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(7, 1));
    let threads = arguments.take("threads").unwrap_or(1);
    let names = arguments.take_list("cases").unwrap_or_else(cases::names);
    let (skip_ratios, skip_cases) = (arguments.take_switch("skip-ratios"), arguments.take_switch("skip-cases"));
    let clock = if arguments.take_switch("processor-time") { Clock::Processor } else { Clock::Wall };
    if let Some(unknown) = names.iter().find(|name| !cases::names().contains(name)) {
        arguments.refuse(format!("no case is called `{unknown}`; there are {}", cases::names().join(", ")));
    }
    arguments.finish();
    let pool = engine::pool(threads)?;
    let outcome: Result<(), Failure> = pool.install(|| {
        if !skip_cases {
            choices(&names, count, rounds, clock)?;
        }
        if !skip_ratios {
            ratios(count, rounds, clock)?;
        }
        Ok(())
    });
    outcome.map_err(|error| -> Box<dyn std::error::Error> { error })?;
    Ok(ExitCode::SUCCESS)
}

/// `auto` against the best setting of each case.
fn choices(names: &[String], count: usize, rounds: usize, clock: Clock) -> Result<(), Failure> {
    let head =
        ["case", "best setting", "ns", "auto", "ns", "auto / best", "choosing", "pairs of settings", "in wrong order"];
    let mut table = Table::new(head);
    let by = calibrate::coefficients(count, rounds, clock)?;
    eprintln!("calibrated: {by:?}");
    let mut contests: Vec<_> = names.iter().map(|name| cases::contest(name, count)).collect::<Result<_, _>>()?;
    for round in 0..rounds {
        for (name, contest) in names.iter().zip(&mut contests) {
            eprintln!("round {} of {rounds}: {name}", round + 1);
            contest.round(clock)?;
        }
    }
    let ns = 1e9 / count as f64;
    for (name, contest) in names.iter().zip(&contests) {
        let judged = contest.judged(&by)?;
        eprintln!("{name}");
        judged.settings.iter().for_each(|setting| eprintln!("  {}", in_detail(setting, ns)));
        let best = &judged.settings[judged.best];
        table.row([
            name.clone(),
            best.name.clone(),
            short(best.seconds * ns),
            judged.auto_layout.clone(),
            short(judged.auto_seconds * ns),
            short(judged.auto_seconds / best.seconds),
            format!("{:.1} %", 100.0 * judged.choosing / judged.auto_seconds),
            judged.compared.to_string(),
            judged.wrong.to_string(),
        ]);
    }
    println!(
        "\n{count} bodies, nanoseconds per body, medians of {rounds}; orders that differ by more than 30 %\n{table}"
    );
    Ok(())
}

/// A setting's times, `ns` for a second, and its work.
fn in_detail(setting: &Timed, ns: f64) -> String {
    let Timed { name, seconds, predicted, work } = setting;
    format!(
        "{name:<22} {:>8} measured {:>8} predicted: {} searches, {} other rows, {} quick vectors, {} vectors, {} left over, {} index cells",
        short(seconds * ns),
        short(predicted * ns),
        short(work.searches),
        short(work.other_rows),
        short(work.quick_vectors),
        short(work.vectors),
        short(work.left_over),
        short(work.index_cells),
    )
}

/// A turn: a run that warms the memory, then the quickest of three on the clock, in seconds. What neighbours on the machine do
/// to one of three they seldom do to all.
fn turn<const D: usize>(
    clock: Clock,
    detector: &mut dyn Detector<D>,
    now: Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
) -> f64 {
    detector.find_pairs(now, pairs);
    (0..3).map(|_| clock.time(|| detector.find_pairs(now, pairs)).0).fold(f64::INFINITY, f64::min)
}

/// Work and time of `hgrid` over the size ratio, uniform volumes at packing fraction 0.7.
fn ratios(count: usize, rounds: usize, clock: Clock) -> Result<(), Failure> {
    let wanted = [10.0, 30.0, 100.0, 300.0, 1000.0, 10_000.0];
    let mut systems = Vec::new();
    for ratio in wanted {
        systems.push(scenes::random::<3>(SizeLaw::power(-3.0, ratio)?.sample(count, 3), 0.7, [false; 3], 1)?);
    }
    let mut times = vec![Vec::new(); systems.len()];
    let mut pairs = Pairs::new();
    for _ in 0..rounds {
        for (system, times) in systems.iter().zip(&mut times) {
            let now = system.snapshot()?;
            times.push(turn(clock, &mut *Method::HGrid.build(now)?, now, &mut pairs));
        }
    }
    let mut table =
        Table::new(["size ratio", "levels", "candidates", "rows", "pairs", "ns", "work / at 10", "time / at 10"]);
    let mut at_ten = None;
    for ((system, times), ratio) in systems.iter().zip(&times).zip(wanted) {
        let now = system.snapshot()?;
        let mut grid = Method::HGrid.build(now)?;
        let work = grid.count_work(now, &mut pairs);
        let per_body = |value: u64| value as f64 / count as f64;
        let (in_all, seconds) = ((work.candidates + work.cells) as f64, median(times));
        let &mut (first_work, first_seconds) = at_ten.get_or_insert((in_all, seconds));
        table.row([
            format!("{ratio}"),
            grid.layout().cell_sizes.len().to_string(),
            short(per_body(work.candidates)),
            short(per_body(work.cells)),
            short(per_body(pairs.len() as u64)),
            short(seconds * 1e9 / count as f64),
            short(in_all / first_work),
            short(seconds / first_seconds),
        ]);
    }
    println!("\n{count} bodies of uniform volumes, packing fraction 0.7, per body, medians of {rounds}\n{table}");
    Ok(())
}
